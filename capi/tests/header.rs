//! The committed header is that of the source, and C and C++ compile it without a warning.

use std::path::PathBuf;

use crate::common::header as generated;
use crate::common::{C11, C99, CPP17, check, compiler, folder, root};
use crate::unsafe_code::files;

/// `SKELOBJ_REGENERATE=1 cargo test -p skelobj-capi --test all header::` writes the header.
#[test]
fn the_committed_header_is_that_of_the_source() {
    let wanted = generated::generate();
    if std::env::var_os("SKELOBJ_REGENERATE").is_some() {
        std::fs::write(generated::path(), &wanted).expect("include is writable");
    }
    let committed = std::fs::read_to_string(generated::path()).expect("include/skelobj.h");
    assert!(committed == wanted, "include/skelobj.h is old: run this test with SKELOBJ_REGENERATE=1");
}

#[test]
fn c_and_cpp_compile_it_without_a_warning() {
    let source = folder("header").join("include.c");
    std::fs::write(&source, "#include <skelobj.h>\n#include <skelobj.h>\nint main(void) { return 0; }\n").unwrap();
    compiles_without_a_warning(&[source]);
}

#[test]
fn c_and_cpp_compile_the_examples_and_the_tests_without_a_warning() {
    let programs = [files(&root().join("examples/c")), files(&root().join("capi/tests/c"))].concat();
    let programs: Vec<PathBuf> =
        programs.into_iter().filter(|file| file.extension().is_some_and(|c| c == "c")).collect();
    assert!(programs.len() >= 4, "{} programs", programs.len());
    compiles_without_a_warning(&programs);
}

fn compiles_without_a_warning(sources: &[PathBuf]) {
    for language in [C99, C11, CPP17] {
        check(compiler(&language).arg("-fsyntax-only").args(sources));
    }
}

#[test]
fn a_compiler_warns_of_a_status_that_is_ignored() {
    let folder = folder("ignored");
    let source = folder.join("ignored.c");
    for (call, warns) in [("step(world, 1, 0)", true), ("world_free(world)", false), ("step_blend(world)", false)] {
        let code = format!("#include <skelobj.h>\nvoid f(SkelobjWorld world) {{ skelobj_{call}; }}\n");
        std::fs::write(&source, code).unwrap();
        for language in [C99, CPP17] {
            let compiles = |defined: &[&str]| {
                let mut compiler = compiler(&language);
                compiler.args(defined).arg("-c").arg(&source).arg("-o").arg(folder.join("ignored.o"));
                compiler.output().expect("a compiler").status.success()
            };
            assert_eq!(compiles(&[]), !warns, "{call} in {language:?}");
            assert!(compiles(&["-DSKELOBJ_NODISCARD="]), "{call} in {language:?}");
        }
    }
}

/// Returns the names of the functions that a header declares, one for each declaration.
fn declared(header: &str) -> Vec<&str> {
    let outer = header.lines().filter(|line| !line.starts_with(['/', ' ', '#']) && !line.starts_with("typedef"));
    let before = outer.filter_map(|line| Some(line.split_once('(')?.0));
    before.map(|before| before.rsplit([' ', '*']).next().unwrap_or_default()).collect()
}

#[test]
fn the_header_declares_each_exported_function_once() {
    let header = generated::generate();
    let mut names = declared(&header);
    names.sort_unstable();
    let twice: Vec<&str> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert!(twice.is_empty(), "declared more than once: {twice:?}");
    let mut exported = Vec::new();
    let files = files(&root().join("capi/calls/src"));
    // What the JavaScript package calls besides is not for C.
    for file in files.iter().filter(|file| !file.ends_with("wasm.rs")) {
        let text = std::fs::read_to_string(file).expect("a source file");
        let names = text.lines().filter_map(|line| line.strip_prefix("pub extern \"C\" fn "));
        exported.extend(names.filter_map(|rest| Some(rest.split_once('(')?.0.to_owned())));
    }
    exported.sort_unstable();
    assert_eq!(names, exported);
}

#[test]
fn a_host_of_the_dll_imports_each_function() {
    let source = folder("header-dll").join("include.c");
    std::fs::write(&source, "#include <skelobj.h>\n").unwrap();
    let functions = declared(&generated::generate()).len();
    for (defined, word, wanted) in [
        (&["-D_WIN32", "-DSKELOBJ_SHARED"][..], "__declspec(dllimport)", functions),
        (&["-D_WIN32"], "__declspec", 0),
        (&["-D_WIN32"], "visibility", 0),
        (&["-DSKELOBJ_SHARED"], "__attribute__((visibility(\"default\")))", functions),
    ] {
        let output = check(compiler(&C99).args(defined).arg("-E").arg(&source));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(text.matches(word).count(), wanted, "{word} with {defined:?}");
    }
}

#[test]
fn every_name_has_the_prefix() {
    let header = generated::generate();
    let functions = declared(&header);
    for name in &functions {
        assert!(name.starts_with("skelobj_"), "{name}");
    }
    assert!(functions.len() > 170, "{} functions", functions.len());
    for line in header.lines().filter(|line| line.starts_with("#define") || line.starts_with('}')) {
        let name = line.trim_start_matches("#define ").trim_start_matches("} ");
        let plain = name.starts_with("Skelobj") || name.starts_with("SKELOBJ_") || name.starts_with('}');
        assert!(plain || name.contains("extern"), "{line}");
    }
}
