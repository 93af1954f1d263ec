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

/// Runs the command without a terminal, with this environment.
fn with(environment: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
    ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"].iter().for_each(|name| _ = command.env_remove(name));
    command.args(args).envs(environment.iter().copied()).output().unwrap()
}

#[test]
fn messages_have_colours_where_they_are_asked_for() {
    let missing = ["info", "no.iqm"];
    let said =
        |environment: &[(&str, &str)], color: &[&str]| text(&with(environment, &[color, &missing].concat()).stderr);
    let forced = [("CLICOLOR_FORCE", "1")];
    assert!(said(&[], &[]).starts_with("skelobj: cannot read no.iqm"), "it is no terminal");
    assert!(said(&forced, &["--color", "never"]).starts_with("skelobj: cannot"));
    for coloured in [said(&[], &["--color", "always"]), said(&forced, &[])] {
        assert!(coloured.contains("\u{1b}[31mskelobj:\u{1b}[0m cannot read no.iqm"), "{coloured:?}");
    }
    let wrong = text(&with(&[], &["--color", "always", "sim", "--velocity", "1", "2", "3"]).stderr);
    assert!(wrong.starts_with('\u{1b}') && wrong.contains("\u{1b}[32mtip:\u{1b}[0m"), "{wrong:?}");
    assert!(!text(&with(&forced, &["--color", "never", "sim", "--nope"]).stderr).contains('\u{1b}'));
    let hostile = text(&with(&forced, &["info", "\u{1b}[32mwarning: x"]).stderr);
    assert!(!hostile.contains("\u{1b}[32m") && hostile.contains("[32mwarning: x"), "{hostile:?}");
}

#[test]
fn reports_of_dolls_have_colours_and_json_has_none() {
    let folder = Folder::new("colours");
    let bad = folder.write("bad.doll", "  body head Head\n\tshape capsul\n");
    let printed = |args: &[&str]| text(&with(&[("CLICOLOR_FORCE", "1")], args).stdout);
    let report = printed(&["check", "--drop", "0", &bad]);
    assert!(report.contains("\u{1b}[31merror:\u{1b}[0m "), "{report:?}");
    assert!(!printed(&["check", "--drop", "0", "--json", &bad]).contains('\u{1b}'));
}
