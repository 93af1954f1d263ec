//! Output that nobody reads any more.

use std::io::pipe;
use std::process::{Command, Output};

use crate::command::{Folder, repository, text};

/// Runs the command with a standard output that is closed.
fn unread(args: &[&str]) -> Output {
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    Command::new(env!("CARGO_BIN_EXE_skelobj")).args(args).stdout(writer).output().unwrap()
}

#[test]
fn a_reader_of_the_output_may_stop_early() {
    let recording = repository("tests/golden/create_info.json");
    for args in [&["sim"][..], &["info"], &["fit", "--drop", "0"], &["replay", &recording]] {
        let output = unread(args);
        assert!(output.status.success(), "{args:?}");
        assert_eq!(text(&output.stderr), "", "{args:?}");
    }
}

#[test]
fn the_exit_code_tells_what_was_found_though_nobody_reads_it() {
    let folder = Folder::new("unread");
    let bad = folder.write("bad.doll", "  body head Head\n\tshape capsul\n");
    let good = repository("dolls/dog.doll");
    let client = repository("cli/tests/qc/client.dat");
    for args in [
        &["check", &bad, "-q"][..],
        &["check", &bad, "-q", "--json"],
        &["check", &bad, &good, "--drop", "0", "-q", "--github"],
        &["fmt", "--check", &bad, &good],
    ] {
        let output = unread(args);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), String::new()), "{args:?}");
    }
    let failing = unread(&["script", &client, "--call", "fails"]);
    assert_eq!(failing.status.code(), Some(1), "{}", text(&failing.stderr));
    assert!(unread(&["script", &client, "--call", "CSQC_Shutdown"]).status.success());
}
