//! `skelobj script`: recorded output of the examples, and error messages.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

mod entries;
mod network;
mod order;
mod seeing;
mod tools;
mod watched;
use crate::command::{Folder, text};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/quakec")
}

fn script(args: &[&str]) -> Output {
    script_in(&examples(), args)
}

fn script_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skelobj")).arg("script").args(args).current_dir(folder).output().unwrap()
}

/// Runs a program of `cli/tests/qc` in a folder.
fn program(name: &str, folder: &Path, args: &[&str]) -> Output {
    let progs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc").join(format!("{name}.dat"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
    command.arg("script").arg(progs).args(args).current_dir(folder).output().unwrap()
}

/// Returns the example programs with their first lines, the commands to run them.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut commands = Vec::new();
    for entry in std::fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_some_and(|e| e == "qc") && name != "defs" {
            let source = std::fs::read_to_string(&path).unwrap();
            let line = source.lines().next().unwrap();
            let arguments = line.strip_prefix("// skelobj script ").unwrap_or_else(|| panic!("{name}: {line}"));
            commands.push((name, arguments.split(' ').map(str::to_owned).collect()));
        }
    }
    commands.sort();
    commands
}

#[test]
fn examples_print_what_was_recorded() {
    let commands = commands();
    assert_eq!(commands.len(), 13);
    for (name, arguments) in commands {
        assert_eq!(arguments[0], format!("{name}.dat"));
        let output = script(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_recorded(&output, &examples().join(format!("{name}.txt")));
    }
}

/// Fails unless a script ended well, without a message, and printed what the file `recorded` contains.
fn assert_recorded(output: &Output, recorded: &Path) {
    let name = recorded.file_stem().unwrap().to_string_lossy();
    assert!(output.status.success(), "{name}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{name}");
    if std::env::var_os("SKELOBJ_BLESS").is_some() {
        std::fs::write(recorded, &output.stdout).unwrap();
    }
    let wanted = std::fs::read_to_string(recorded).unwrap();
    assert_eq!(text(&output.stdout), wanted, "{name}: SKELOBJ_BLESS=1 records it anew");
}

/// Runs the command of the mod's README for a minute of the game.
#[test]
fn the_mod_runs_without_a_warning_and_prints_what_was_recorded() {
    let folder = examples().join("mod");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let command = readme.lines().find_map(|line| line.strip_prefix("skelobj script ")).unwrap();
    let arguments: Vec<&str> = command.split(' ').collect();
    assert_eq!(arguments, ["mod.dat", "--frames", "3600", "--floor", "0", "--warn", "--strict"]);
    assert_recorded(&script_in(&folder, &arguments), &folder.join("mod.txt"));
}

#[test]
fn the_frames_end_on_request() {
    let one = text(&script(&["spinning_bone.dat", "--frames", "1", "--dt", "0.25"]).stdout);
    assert_eq!(one.lines().count(), 1);
    assert!(one.starts_with(" 90 degrees"), "{one}");
    assert_eq!(text(&script(&["spinning_bone.dat"]).stdout), "");
}

#[test]
fn thinks_run_at_the_time_that_they_asked_for() {
    let printed = text(&script(&["spinning_bone.dat", "--frames", "3", "--dt", "0.25"]).stdout);
    let degrees: Vec<&str> =
        printed.lines().filter_map(|line| line.split_once(" degrees")).map(|(d, _)| d.trim()).collect();
    assert_eq!(degrees, ["90", "180", "270"]);
}

/// Difference 50.
#[test]
fn a_think_that_moves_on_inside_its_frame_runs_again() {
    let output = program("thinks", &std::env::temp_dir(), &["--frames", "2", "--dt", "0.25"]);
    assert_eq!(text(&output.stderr), "");
    let wanted = "\nframe 0.25 0.375 0.5 stuck ends\nframe 0.625 0.75 stuck";
    assert_eq!(text(&output.stdout), wanted);
}

#[test]
fn a_monster_that_leaps_falls_and_touches_what_it_hits() {
    let output = program("leaps", &std::env::temp_dir(), &["--frames", "60", "--floor", "0"]);
    assert_eq!(text(&output.stderr), "");
    assert_eq!(text(&output.stdout), "demon touches entity 0 at 50 24, flags 512\n");
}

#[test]
fn models_beside_the_progs_come_before_the_mannequin() {
    let folder = Folder::new("models");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/models/testbones.iqm");
    std::fs::copy(model, folder.0.join("mannequin.iqm")).unwrap();
    let args = ["two_frame_blend.dat", "--models", folder.0.to_str().unwrap()];
    let printed = text(&script(&args).stdout);
    assert!(printed.starts_with("mannequin.iqm has "), "{printed}");
    assert_ne!(printed, "mannequin.iqm has 4 animations\n");
    assert_eq!(text(&script(&args[..1]).stdout), "mannequin.iqm has 4 animations\n");
}

/// Writes the progs of the tests of everyday builtins with `function` as `main`.
fn progs_that_runs(function: &str, folder: &Folder) -> String {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/qc/everyday.dat")).unwrap();
    let (from, to) = (format!("\0{function}\0"), "\0main\0".to_owned());
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
    let mut changed = bytes.clone();
    changed[at..at + to.len()].copy_from_slice(to.as_bytes());
    let path = folder.0.join("progs.dat");
    std::fs::write(&path, changed).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn an_error_in_a_script_names_function_and_statement() {
    let folder = Folder::new("error");
    let output = script(&[&progs_that_runs("fail", &folder)]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.starts_with("skelobj: everyday.qc: main, statement "), "{error}");
    assert!(error.ends_with(": gave up at 7\n"), "{error}");
}

#[test]
fn the_floor_is_where_it_was_put() {
    let folder = Folder::new("floor");
    let progs = progs_that_runs("traces", &folder);
    assert!(text(&script(&[&progs, "--floor", "0"]).stdout).starts_with("hit 0.74921876 (5 0 0.03125)"));
    assert!(text(&script(&[&progs, "--floor", "-2"]).stdout).contains(" (5 0 -1.96875)"));
    assert!(text(&script(&[&progs]).stdout).starts_with("hit 1 (5 0 -10)"));
}

#[test]
fn files_that_are_no_progs_are_refused() {
    let missing = script(&["nosuch.dat"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("cannot read nosuch.dat"));
    let model = script(&["../../dolls/dog.iqm"]);
    assert!(text(&model.stderr).contains("dog.iqm: not compiled QuakeC: it begins with "), "{}", text(&model.stderr));
    let wrong = script(&["defs.qc"]);
    assert_eq!(wrong.status.code(), Some(1));
    let said = text(&wrong.stderr);
    assert!(said.starts_with("skelobj: defs.qc: ") && said.contains("compile it first"), "{said}");
    assert_eq!(script(&["spinning_bone.dat", "--dt", "nan"]).status.code(), Some(2));
    assert_eq!(script(&["spinning_bone.dat", "--floor", "inf"]).status.code(), Some(2));
}

#[test]
fn a_line_of_code_warns_once_and_the_rest_is_counted() {
    let folder = Folder::new("flood");
    let said = text(&program("flood", &folder.0, &["--warn"]).stderr);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    assert!(lines[0].contains("flood.qc:7") && lines[1].contains("flood.qc:8"), "{said}");
    assert_eq!(lines[2], format!("{} (1999 more times)", lines[0]));
    assert_eq!(lines[3], "skelobj: 2001 warnings in total, from 2 places in the code");
}

#[test]
fn a_line_of_code_reports_each_reason_of_a_refusal() {
    let folder = Folder::new("reasons");
    let said = text(&program("flood", &folder.0, &["--warn", "--call", "reasons"]).stderr);
    let lines: Vec<&str> = said.lines().filter(|line| line.contains(": reasons: ")).collect();
    let [first, second, .., repeated, _] = lines[..] else { panic!("{said}") };
    assert!(first.ends_with("no buffer 1000") && second.contains("neither 0"), "{said}");
    assert_eq!(repeated, format!("{first} (4 more times)"));
}

#[test]
fn too_many_places_are_reported_at_once_and_counted_at_the_end() {
    let folder = Folder::new("places");
    // Each of the calls on one line is a place.
    let said = text(&program("flood", &folder.0, &["--warn", "--call", "places"]).stderr);
    let full = "skelobj: warning: 1024 places in the code have made warnings; those of further places are only counted";
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.iter().filter(|line| **line == full).count(), 1, "{said}");
    let at = lines.iter().position(|line| *line == full).unwrap();
    assert_eq!(lines[at + 1], "skelobj: 8 warnings of further places in the code");
    assert_eq!(*lines.last().unwrap(), "skelobj: 3031 warnings in total, from 1024 places in the code and more");
}

#[test]
fn a_handle_with_a_fraction_is_shown_as_the_whole_number_that_it_is() {
    let folder = Folder::new("fractions");
    let said = text(&program("flood", &folder.0, &["--warn", "--call", "fractions"]).stderr);
    let reasons: Vec<&str> = said
        .lines()
        .filter(|line| line.contains(": fractions: ") && !line.ends_with("more times)"))
        .map(|line| line.split_once("): ").unwrap().1)
        .collect();
    let wanted = [
        "0 is not a skeletal object",
        "0.9958 is truncated to 0: 0 is not a skeletal object",
        "7.5 is truncated to 7: no skeletal object 7, it was deleted or never created",
    ];
    assert_eq!(reasons, wanted);
}

#[test]
fn a_long_trace_is_cut_and_the_rest_is_counted() {
    let folder = Folder::new("trace");
    let said = text(&program("flood", &folder.0, &["--trace", "--call", "calls"]).stderr);
    let (traced, last) = said.trim_end().rsplit_once('\n').expect("lines");
    assert!((1 << 22..=1 << 23).contains(&traced.len()), "{}", traced.len());
    // 2001 calls of `main`, and 100,000; and a line that says where the trace ends.
    let left_out = 102_002 - traced.lines().count();
    assert!(traced.ends_with("\nskelobj: the trace ends here, at 8 MiB"));
    assert_eq!(last, format!("skelobj: {left_out} more calls are not traced"));
}
