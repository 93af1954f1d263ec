//! The committed header is that of the source, and C and C++ compile it without a warning.

use crate::common::header as generated;
use crate::common::{C11, CPP17, check, compiler, folder};

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
    for language in [&C11[..], &CPP17] {
        check(compiler(language).arg("-fsyntax-only").arg(&source));
    }
}

#[test]
fn every_name_has_the_prefix() {
    let header = generated::generate();
    let mut functions = 0;
    for line in header.lines().filter(|line| !line.starts_with("//") && !line.starts_with(' ')) {
        let Some((before, _)) = line.split_once('(') else { continue };
        if line.starts_with("typedef") || line.starts_with('#') {
            continue;
        }
        let name = before.rsplit([' ', '*']).next().unwrap_or_default();
        assert!(name.starts_with("skelobj_"), "{line}");
        functions += 1;
    }
    assert!(functions > 110, "{functions} functions");
    for line in header.lines().filter(|line| line.starts_with("#define") || line.starts_with('}')) {
        let name = line.trim_start_matches("#define ").trim_start_matches("} ");
        let plain = name.starts_with("Skelobj") || name.starts_with("SKELOBJ_") || name.starts_with('}');
        assert!(plain || name.contains("extern"), "{line}");
    }
}
