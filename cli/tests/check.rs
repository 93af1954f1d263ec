//! `skelobj check`: exit codes, reports for people, JSON, annotations for GitHub, and hostile files.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::command::{Folder, repository, skelobj, text};
use serde_json::Value;

const BAD: &str = "body head Head\n\tshape capsul\n";
const DOUBTFUL: &str = "body a hip\nbody b leg\njoint j a b\n\ttype hinge\n\tHiStop 45\n";

/// Returns the last line of standard error without the seconds at its end.
fn summary(output: &Output) -> String {
    let said = text(&output.stderr);
    let (summary, time) = said.lines().last().unwrap().rsplit_once(", ").unwrap();
    let seconds = time.strip_suffix(" s").unwrap();
    assert!(seconds.parse::<f32>().unwrap() >= 0.0 && seconds.split_once('.').unwrap().1.len() == 1, "{said}");
    summary.to_owned()
}

#[test]
fn the_last_line_says_what_was_done_and_nothing_is_said_quietly() {
    let good = repository("dolls/mannequin.doll");
    let output = skelobj(&["check", &good]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
    assert_eq!((summary(&output), text(&output.stderr).lines().count()), ("1 doll, 20 drops, no problems".into(), 1));
    let folder = Folder::new("summary");
    let (bad, doubtful) = (folder.write("bad.doll", BAD), folder.write("doubtful.doll", DOUBTFUL));
    let output = skelobj(&["check", &good, &repository("dolls/dog.doll"), "--drop", "1"]);
    assert_eq!(summary(&output), "2 dolls, 2 drops, no problems");
    let output = skelobj(&["check", &bad, &doubtful, "nosuch.doll"]);
    assert_eq!(summary(&output), "2 dolls, 0 drops, 1 error, 1 warning, 1 file not checked");
    for args in [&["-q"], &["--quiet"]] {
        let quiet = skelobj(&[&["check", &good, "--drop", "0", &doubtful], args.as_slice()].concat());
        assert_eq!((quiet.status.code(), text(&quiet.stderr)), (Some(0), String::new()), "{args:?}");
        assert!(text(&quiet.stdout).contains("stops are in radians"), "problems are what was asked for");
    }
    let json = skelobj(&["check", &good, "--drop", "0", "--json"]);
    assert!(serde_json::from_slice::<Value>(&json.stdout).is_ok() && summary(&json) == "1 doll, 0 drops, no problems");
}

#[test]
fn warnings_fail_if_they_are_denied() {
    let folder = Folder::new("denied");
    let doubtful = folder.write("ogre.doll", DOUBTFUL);
    for (args, code) in [(&[][..], 0), (&["--deny-warnings"][..], 1), (&["--deny-warnings", "--json"][..], 1)] {
        let output = skelobj(&[&["check", doubtful.as_str()], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}");
    }
    let good = repository("dolls/mannequin.doll");
    assert_eq!(skelobj(&["check", &good, "--drop", "0", "--deny-warnings"]).status.code(), Some(0));
}

#[test]
fn the_doll_of_another_model_is_one_problem_that_names_the_model() {
    let folder = Folder::new("other");
    let doll = folder.write("a.doll", std::fs::read(repository("dolls/mannequin.doll")).unwrap());
    let output = skelobj(&["check", &doll, "--model", &repository("dolls/rope.iqm")]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("error: none of its 16 bones is in rope.iqm: is it another model's doll?\n"), "{said}");
    assert_eq!((said.lines().count(), summary(&output)), (3, "1 doll, 0 drops, 1 error".into()));
}

#[test]
fn animations_of_another_file_are_those_of_the_model() {
    let folder = Folder::new("check-with");
    let doll = folder.write("bones.doll", "refpose 8 0\nbody a spine\nbody b Head\njoint j a b\n type point\n");
    let animations = repository("tests/golden/models/animonly.iqm");
    folder.write("bones.iqm", std::fs::read(repository("tests/golden/models/testbones.iqm")).unwrap());
    let check = |options: &[&str]| text(&skelobj(&[&["check", &doll, "--drop", "0"], options].concat()).stdout);
    let missing = "1:9: error: the model has no animation 8";
    let model = repository("tests/golden/models/testbones.iqm");
    for options in [&[][..], &["--model", &model]] {
        let with = [options, &["--with", &animations]].concat();
        assert!(check(options).contains(missing) && !check(&with).contains("refpose"), "{}", check(options));
    }
    let lone = folder.write("lone.doll", DOUBTFUL);
    let said = text(&skelobj(&["check", &lone, "--with", &animations]).stderr);
    assert!(said.contains("only its text is checked, --with has no effect\n"), "{said}");
}

#[test]
fn a_text_is_the_same_doll_in_every_encoding() {
    let folder = Folder::new("encodings");
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mark = [b"\xef\xbb\xbf", BAD.as_bytes()].concat();
    let wide = [b"\xff\xfe".to_vec(), units(BAD)].concat();
    for bytes in [BAD.as_bytes().to_vec(), mark, wide] {
        let doll = folder.write("bad.doll", &bytes);
        let said = text(&skelobj(&["check", &doll]).stdout);
        let expected =
            "error: unknown shape `capsul`, did you mean `capsule`?\n  2 |  shape capsul\n    |        ^^^^^^\n";
        assert_eq!(said, format!("{doll}:2:8: {expected}"));
    }
}

#[test]
fn an_annotation_ends_with_its_line() {
    let folder = Folder::new("crossed");
    let doll = folder.write("a.doll", "body a x\njoint j a\n\ttype hinge\n\tLoStop 2.5\n\tHiStop -0.1\n");
    let said = text(&skelobj(&["check", &doll, "--github"]).stdout);
    assert!(said.contains(",line=4,endLine=4,col=9,endColumn=12,title=stops-crossed::"), "{said}");
}

#[test]
fn errors_have_their_line_a_caret_and_exit_code_1() {
    let folder = Folder::new("errors");
    let doll = folder.write("ogre.doll", BAD);
    let output = skelobj(&["check", &doll]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stdout),
        format!(
            "{doll}:2:8: error: unknown shape `capsul`, did you mean `capsule`?\n  2 |  shape capsul\n    |        ^^^^^^\n"
        )
    );
    assert!(text(&output.stderr).contains("no model beside it"), "{}", text(&output.stderr));
}

#[test]
fn warnings_do_not_fail() {
    let folder = Folder::new("warnings");
    let doll = folder.write("ogre.doll", DOUBTFUL);
    let output = skelobj(&["check", &doll]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains(":5:9: warning: stops are in radians"), "{}", text(&output.stdout));
}

#[test]
fn the_model_beside_the_doll_is_used() {
    let folder = Folder::new("beside");
    let model = std::fs::read(repository("dolls/mannequin.iqm")).unwrap();
    folder.write("ogre.iqm", &model);
    for name in ["ogre.doll", "ogre.iqm.doll"] {
        let doll = folder.write(name, "body head Head\n");
        let output = skelobj(&["check", &doll]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = text(&output.stdout);
        assert!(said.contains(":1:11: error: the model has no bone `Head`, did you mean `head`?"), "{name}: {said}");
    }
    let doll = folder.write("other.doll", "body head Head\n");
    assert_eq!(skelobj(&["check", &doll]).status.code(), Some(0), "without a model any bone may exist");
    let named = skelobj(&["check", &doll, "--model", &repository("dolls/mannequin.iqm")]);
    assert_eq!(named.status.code(), Some(1));
    let undroppable = skelobj(&["check", &doll, "--drop", "3"]);
    assert_eq!(undroppable.status.code(), Some(2));
    assert!(text(&undroppable.stderr).contains("no model to drop it with"));
    assert_eq!(skelobj(&["check", &doll, "--drop", "0"]).status.code(), Some(0));
}

#[test]
fn limits_from_the_command_line_apply() {
    let doll = repository("dolls/mannequin.doll");
    for (args, code) in [(["--max-gap", "0"], "drop-gap"), (["--max-sleep", "0.2"], "drop-restless")] {
        let output = skelobj(&[&["check", &doll, "--drop", "3", "--json"], args.as_slice()].concat());
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let codes: Vec<&str> =
            report["dolls"][0]["problems"].as_array().unwrap().iter().map(|p| p["code"].as_str().unwrap()).collect();
        assert_eq!(codes, [code]);
    }
}

#[test]
fn json_has_every_problem_and_drop() {
    let folder = Folder::new("json");
    let bad = folder.write("bad.doll", BAD);
    let output = skelobj(&["check", &repository("dolls/mannequin.doll"), &bad, "nosuch.doll", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["errors"], &report["warnings"]), (&Value::from(1), &Value::from(0)));
    assert_eq!(report["unchecked"][0]["path"], "nosuch.doll");
    let [good, bad] = report["dolls"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert!(good["model"].as_str().unwrap().ends_with("mannequin.iqm") && bad["model"].is_null());
    let drops = good["drops"].as_array().unwrap();
    assert_eq!((drops.len(), &drops[19]["drop"]), (20, &Value::from(19)));
    for key in ["asleep_after", "max_gap_falling", "max_gap_resting", "max_stop_excess", "lowest_z", "non_finite"] {
        assert!(drops.iter().all(|drop| drop[key].is_number()), "{key}");
    }
    let problem = serde_json::json!({
        "severity": "error", "code": "unknown-shape", "line": 2, "column": 8, "start": 22, "end": 28,
        "message": "unknown shape `capsul`, did you mean `capsule`?", "suggestion": "capsule",
    });
    assert_eq!(bad["problems"], Value::from(vec![problem]));
}

#[test]
fn github_gets_one_annotation_per_problem() {
    let folder = Folder::new("github");
    let doll = folder.write("a,b.doll", "body head Head\n\tmass 100%\n\tshape capsul\n");
    let output = skelobj(&["check", &doll, "--github"]);
    assert_eq!(output.status.code(), Some(1));
    let path = doll.replace(',', "%2C");
    assert_eq!(
        text(&output.stdout),
        format!(
            "::warning file={path},line=2,endLine=2,col=7,endColumn=11,title=trailing-junk::`100%25` is read as 100\n\
             ::error file={path},line=3,endLine=3,col=8,endColumn=14,title=unknown-shape::unknown shape `capsul`, did \
             you mean `capsule`?\n"
        )
    );
}

#[test]
fn github_and_json_report_files_that_cannot_be_checked() {
    let folder = Folder::new("unchecked");
    let bad = folder.write("bad.doll", BAD);
    let output = skelobj(&["check", "no,such.doll", &bad, "--github"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let mut lines = said.lines();
    let first = lines.next().unwrap();
    assert!(first.starts_with("::error file=no%2Csuch.doll,title=unchecked::cannot read no,such.doll: "), "{said}");
    assert!(lines.next().unwrap().contains("title=unknown-shape"), "{said}");
    let output = skelobj(&["check", &bad, "--model", &bad, "--github"]);
    let said = text(&output.stdout);
    assert!(said.starts_with("::error file=") && said.lines().count() == 1, "{said}");
    let json = skelobj(&["check", &bad, "--model", &bad, "--json"]);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(report["unchecked"][0]["error"].as_str().unwrap().contains("bad.doll"), "{report}");
}

#[test]
fn binary_files_get_one_line() {
    let folder = Folder::new("binary");
    let unmarked = folder.write("wide.doll", b"b\0o\0d\0y\0\n\0");
    for file in [repository("dolls/mannequin.iqm"), unmarked] {
        let output = skelobj(&["check", &file, "--quiet"]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()));
        let said = text(&output.stderr);
        assert!(
            said.starts_with(&format!("skelobj: {file}: it is not a doll: ")) && said.lines().count() == 1,
            "{said}"
        );
    }
}

#[test]
fn standard_input_is_checked() {
    let check = |input: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
        command.args(["check", "-"]).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), text(&output.stdout))
    };
    let (code, said) = check(BAD, &[]);
    assert_eq!(code, Some(1));
    assert!(said.starts_with("-:2:8: error: unknown shape `capsul`"), "{said}");
    let model = repository("dolls/mannequin.iqm");
    let good = std::fs::read_to_string(repository("dolls/mannequin.doll")).unwrap();
    assert_eq!(check(&good, &["--model", &model, "--drop", "1"]), (Some(0), String::new()));
}

#[test]
fn limits_without_a_model_are_reported_to_have_no_effect() {
    let folder = Folder::new("idle");
    let doll = folder.write("ogre.doll", "body head head\n");
    let output = skelobj(&["check", &doll, "--max-sleep", "3"]);
    assert_eq!(output.status.code(), Some(0));
    let expected =
        format!("{doll}: no model beside it or with --model: only its text is checked, --max-sleep has no effect\n");
    assert!(text(&output.stderr).starts_with(&expected), "{}", text(&output.stderr));
}

#[test]
fn wrong_usage_has_exit_code_2() {
    let doll = repository("dolls/mannequin.doll");
    let folder = Folder::new("usage");
    let alone = folder.write("alone.doll", "body head head\n");
    let cases: [&[&str]; 13] = [
        &[],
        &[&doll, "--max-gap", "1000001"],
        &[&doll, "--max-sleep", "601"],
        &[&doll, "--drop", "10001"],
        &[&alone, "--drop", "3"],
        &[&doll, "--json", "--github"],
        &[&doll, "--drop", "-1"],
        &[&doll, "--drop", "some"],
        &[&doll, "--max-gap", "nan"],
        &[&doll, "--max-gap", "-1"],
        &[&doll, "--max-sleep", "inf"],
        &[&doll, "--max-sleep", "-3"],
        &[&doll, "--nosuch"],
    ];
    for args in cases {
        assert_eq!(skelobj(&[&["check"], args].concat()).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn files_that_cannot_be_read_do_not_stop_the_others() {
    let folder = Folder::new("missing");
    let bad = folder.write("bad.doll", BAD);
    let directory = folder.0.to_str().unwrap();
    let output = skelobj(&["check", "nosuch.doll", directory, &bad]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("skelobj: cannot read nosuch.doll: ") && said.contains("it is a folder"), "{said}");
    assert!(text(&output.stdout).contains("unknown shape"));
    let model = skelobj(&["check", &bad, "--model", &bad]);
    assert_eq!((model.status.code(), text(&model.stdout)), (Some(1), String::new()));
    assert!(text(&model.stderr).starts_with("skelobj: "));
}

#[test]
fn hostile_files_are_reported() {
    let folder = Folder::new("hostile");
    let model = repository("dolls/mannequin.iqm");
    let long = [b"body head head\nsize ".as_slice(), &vec![b'4'; 64 << 20], b"\n"].concat();
    let cases: [(&str, Vec<u8>); 6] = [
        ("empty", Vec::new()),
        ("long", long),
        ("latin", b"body t\xeate t\xeate\n".to_vec()),
        ("nan", b"body head head\nsize nan\nmass -nan\noffset inf nan 0\n".to_vec()),
        ("escape", b"bo\x1b[31mdy \x9b head\n\x07\n".to_vec()),
        ("deep", b"/*".repeat(100_000)),
    ];
    for (name, bytes) in cases {
        let doll = folder.write(&format!("{name}.doll"), bytes);
        let output = skelobj(&["check", &doll, "--model", &model, "--drop", "1"]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", text(&output.stderr));
        let said = text(&output.stdout);
        assert!(said.starts_with(&format!("{doll}:")), "{name}");
        assert!(said.len() < 10_000 && !said.contains(|c: char| c.is_control() && c != '\n'), "{name}");
        if name == "long" {
            continue;
        }
        let json = skelobj(&["check", &doll, "--model", &model, "--drop", "1", "--json"]);
        let report: Value = serde_json::from_slice(&json.stdout).unwrap();
        assert!(report["errors"].as_u64() > Some(0), "{name}");
        for line in text(&skelobj(&["check", &doll, "--model", &model, "--github"]).stdout).lines() {
            assert!(line.starts_with("::error ") || line.starts_with("::warning "), "{name}: {line}");
        }
    }
    assert!(Path::new(&folder.0).is_dir());
}
