//! Prints, traced calls and warnings on one output, and of a command that is killed.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use super::*;

/// Runs a program with both outputs in one file, and returns its lines.
fn lines_of(args: &[&str]) -> Vec<String> {
    let folder = Folder::new("order");
    let path = folder.0.join("both.txt");
    let file = std::fs::File::create(&path).unwrap();
    let progs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc/order.dat");
    let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
    command.arg("script").arg(progs).args(args).current_dir(&folder.0);
    command.stdout(file.try_clone().unwrap()).stderr(file);
    assert!(command.status().unwrap().success());
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn prints_traced_calls_and_warnings_come_in_the_order_of_the_script() {
    let lines = lines_of(&["--warn", "--trace=makevectors", "--frames", "2", "--dt", "0.5"]);
    let place = "order.qc:15: main: makevectors('0 0 0')";
    let axes = "v_forward '1 0 -0', v_right '0 -1 -0', v_up '0 0 1'";
    let traced = format!("frame 0, 0.000 s: {place}: {axes}");
    let warning = "skelobj: warning: order.qc:16: main: skel_get_numbones(99): \
                   no skeletal object 99, it was deleted or never created";
    let wanted = [
        "A0",
        &traced,
        warning,
        "A1",
        &traced,
        "A2",
        &traced,
        "frame 1",
        "frame 2",
        &format!("{warning} (2 more times)"),
        "skelobj: 3 warnings in total, from 1 place in the code",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn a_trace_has_all_builtins_with_types_and_results() {
    let lines = lines_of(&["--trace", "--call", "calls"]);
    let traced: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("frame 0, 0.000 s: order.qc:")).collect();
    let calls = traced.iter().position(|call| call.starts_with("28: ")).expect("the first call of `calls`");
    let wanted = [
        "28: calls: spawn() = entity 1",
        "30: calls: setmodel(entity 1, \"mannequin.iqm\")",
        "31: calls: setorigin(entity 1, '1 2 3')",
        "32: calls: find(entity 0, .classname, \"ogre\") = entity 1",
        "33: calls: mystery(2, \"full\", '1 2 3', entity 1) = 0",
        "34: calls: skel_create(1) = 1",
        "34: calls: skel_get_boneabs(1, 1) = '0 0 0', v_forward '0 0 0', v_right '-0 -0 -0', v_up '0 0 0'",
    ];
    assert_eq!(traced[calls..], wanted);
    assert!(traced[..calls].contains(&"14: main: sprintf(\"A%g\\n\", 0) = \"A0\\n\""), "{traced:?}");
    assert!(traced[..calls].contains(&"14: main: print(\"A0\\n\")"), "{traced:?}");
}

#[test]
fn a_trace_of_frames_has_their_number_and_time() {
    let lines = lines_of(&["--trace=print", "--frames", "2", "--dt", "0.25"]);
    assert_eq!(lines[lines.len() - 2], "frame 2");
    assert_eq!(lines[lines.len() - 1], "frame 2, 0.500 s: order.qc:23: StartFrame: print(\"frame 2\\n\")");
}

#[test]
fn a_list_selects_the_builtins_of_a_trace() {
    let builtins = |trace: &str| -> Vec<String> {
        let lines = lines_of(&[trace, "--call", "calls"]);
        let traced = lines.iter().filter(|line| line.starts_with("frame 0"));
        traced.map(|line| line.split('(').next().unwrap().rsplit(' ').next().unwrap().to_owned()).collect()
    };
    let objects = ["skel_get_numbones", "skel_get_numbones", "skel_get_numbones", "skel_create", "skel_get_boneabs"];
    assert_eq!(builtins("--trace=skel_*"), objects);
    assert_eq!(builtins("--trace=*_create,find,set*"), ["setmodel", "setorigin", "find", "skel_create"]);
    assert_eq!(builtins("--trace=s*o*n"), ["setorigin"]);
    assert_eq!(builtins("--trace=skel"), [""; 0]);
    let lines = lines_of(&["--trace=mystery,skel_biuld"]);
    assert_eq!(lines[0], "skelobj: warning: the progs has no builtin skel_biuld to trace");
    for wrong in ["--trace=", "--trace=find,"] {
        assert_eq!(script(&["spinning_bone.dat", wrong]).status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn prints_of_a_frame_survive_a_kill_in_a_later_one() {
    let progs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc/kill.dat");
    let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
    command.arg("script").arg(progs).args(["--frames", "20"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let is_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(line, "before the loop\n");
    assert!(is_running, "the line came before the end of the frames");
}
