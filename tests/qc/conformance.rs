//! Conformance of the machine: programs of every family print the same, whichever compiler and target built them.
//!
//! `tests/qc_conformance/build.sh` compiles the sources as `builds.txt` says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use skelobj::qc::vm::stdlib::Console;
use skelobj::qc::vm::{Fault, Machine, Progs, RunError};
use skelobj::qc::{Environment, VmHost};
use skelobj::{Runtime, assets};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc_conformance")
}

/// Returns every build of `builds.txt` with its families.
fn builds() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(folder().join("builds.txt")).unwrap();
    let build = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let name = words.next().expect("a line has a build");
        (name, words.skip(2).collect())
    };
    text.lines().map(build).collect()
}

fn load(build: &str, family: &str) -> Arc<Progs> {
    let path = folder().join(format!("progs/{build}/{family}.dat"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Arc::new(Progs::load(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Returns the output of `main`, with the mannequin as only file.
fn printed(build: &str, family: &str) -> String {
    let progs = load(build, family);
    let printed = Arc::new(Mutex::new(String::new()));
    let output = printed.clone();
    let mut environment = Environment::new(&progs, move |text| output.lock().unwrap().push_str(text));
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    let mut machine = Machine::new(progs);
    let main = machine.find_function(b"main").expect("main is in the progs");
    machine.call(main, &mut host).unwrap_or_else(|error| panic!("{build}, {family}: {error}"));
    printed.lock().unwrap().clone()
}

#[test]
fn every_build_of_a_family_prints_the_same() {
    let mut programs = 0;
    for (build, families) in builds() {
        for family in families {
            let wanted = std::fs::read_to_string(folder().join(format!("{family}.txt"))).unwrap();
            let got = printed(&build, &family);
            let mut heading = "";
            for (line, (got, wanted)) in (1..).zip(got.lines().zip(wanted.lines())) {
                if wanted.starts_with("== ") {
                    heading = wanted;
                }
                assert_eq!(got, wanted, "{family}.txt line {line}, {heading:?}, built as {build}");
            }
            assert_eq!(got, wanted, "{family}, built as {build}: one text is longer");
            programs += 1;
        }
    }
    assert!(programs > 60, "{programs} programs");
}

#[test]
fn every_family_has_ten_cases_and_a_build_of_the_compiler_that_ci_has() {
    let builds = builds();
    let families: BTreeSet<&String> = builds.iter().flat_map(|(_, families)| families).collect();
    for family in &families {
        let text = std::fs::read_to_string(folder().join(format!("{family}.txt"))).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with("== ")).count(), 10, "{family}");
    }
    let sources = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let sources = sources.filter(|path| path.extension().is_some_and(|extension| extension == "qc"));
    let names = sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let names: BTreeSet<String> = names.filter(|name| name != "defs").collect();
    assert_eq!(families.into_iter().cloned().collect::<BTreeSet<_>>(), names);
    let of_debian = builds.iter().filter(|(build, _)| build.starts_with("debian"));
    let of_debian: BTreeSet<&String> = of_debian.flat_map(|(_, families)| families).collect();
    let without = names.iter().filter(|name| !of_debian.contains(name)).map(String::as_str);
    assert_eq!(without.collect::<Vec<_>>(), ["classes", "recent"]);
}

/// FTE's machine stops a script at an index beyond an array whose length the compiler knows.
#[test]
fn an_index_beyond_an_array_is_an_error() {
    let call = |function: &str, index: f32| -> Result<f32, RunError> {
        let progs = load("current-fte", "recent");
        let mut console = Console::new(&progs, |_| ());
        let mut machine = Machine::new(progs);
        let function = machine.find_function(function.as_bytes()).unwrap();
        machine.set_argument(0, [index.to_bits(), 0, 0]);
        machine.call(function, &mut console)?;
        Ok(machine.result_float())
    };
    for function in ["read_row", "write_row"] {
        for index in [0.0, 4.0, 4.9, -0.9] {
            call(function, index).unwrap();
        }
        for (index, value) in [(5.0, 5), (-1.0, -1), (1e9, 1_000_000_000)] {
            let error = call(function, index).unwrap_err();
            assert_eq!(error.fault, Fault::OutOfBounds { value, min: 0, end: 5 }, "{function} {index}");
        }
    }
}
