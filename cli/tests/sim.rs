//! `skelobj sim`: measurements and error messages.

use crate::command::{Folder, repository, skelobj, text};
use serde_json::Value;

fn golden(file: &str) -> String {
    repository(&format!("tests/golden/{file}"))
}

#[test]
fn without_a_model_the_mannequin_falls_and_sleeps() {
    let output = skelobj(&["sim"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let printed = text(&output.stdout);
    assert!(printed.starts_with("mannequin.iqm: 16 bodies, 15 joints; plays `death`"), "{printed}");
    assert!(printed.contains("\nasleep "), "{printed}");
}

#[test]
fn json_has_every_measurement() {
    let output = skelobj(&["sim", "--seed", "4", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |key: &str| report[key].as_f64().unwrap_or_else(|| panic!("{key}: {report}"));
    assert_eq!(number("bodies"), 16.0);
    assert_eq!(number("joints"), 15.0);
    assert!(number("asleep_after") < 8.0);
    assert!((number("dt") - 1.0 / 60.0).abs() < 1e-6);
    assert!(number("steps") * number("dt") >= number("asleep_after"));
    assert!(number("max_gap_resting") <= number("max_gap_falling"));
    assert!(number("max_stop_excess") < 0.5);
    assert!(number("rest_speed") < 8.0);
    assert!((-1.0..1.0).contains(&number("lowest_z")));
    assert_eq!(number("non_finite"), 0.0);
    let energy: Vec<f64> = report["energy"].as_array().unwrap().iter().map(|e| e.as_f64().unwrap()).collect();
    assert!(energy.len() > 5 && energy[energy.len() - 1] < energy[0] / 2.0, "{energy:?}");
}

#[test]
fn the_same_seed_gives_the_same_fall() {
    let first = skelobj(&["sim", "--seed", "9", "--json"]).stdout;
    assert_eq!(first, skelobj(&["sim", "--seed", "9", "--json"]).stdout);
    assert_ne!(first, skelobj(&["sim", "--seed", "10", "--json"]).stdout);
}

#[test]
fn orientation_velocity_spin_and_animation_are_taken() {
    let report = |args: &[&str]| -> Value {
        let output = skelobj(&[&["sim", "--json"], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let standing = report(&["--from", "idle"]);
    assert_ne!(standing, report(&["--from", "run"]));
    assert_eq!(standing, report(&["--from", "0"]), "animations have numbers too");
    assert_ne!(standing, report(&["--from", "idle", "--orient", "-90,0,0"]));
    assert_ne!(standing, report(&["--from", "idle", "--spin", "0,0,-5"]));
    assert_ne!(standing, report(&["--from", "idle", "--velocity", "-200,0,0"]));
    let faded = [0.0, 0.3].map(|fade| report(&["--from", "idle", "--fade", &fade.to_string()]));
    assert!(standing != faded[0] && faded[0] != faded[1]);
    assert_eq!(report(&["--seconds", "0.1"])["asleep_after"], Value::Null);
    let floating = report(&["--seed", "3", "--water", "80"]);
    assert!(floating["asleep_after"].is_number() && floating["lowest_z"].as_f64() > Some(8.0), "{floating}");
}

#[test]
fn problems_of_a_doll_are_shown_and_its_good_lines_count() {
    let folder = Folder::new("odd");
    let doll = folder.write("odd.doll", "body a link0\n shape capsul\nbody b link1\njoint j a b\n type point\n");
    let output = skelobj(&["sim", &golden("models/chain.iqm"), "--doll", &doll]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("2:8: error: unknown shape `capsul`, did you mean `capsule`?"));
    assert!(text(&output.stdout).contains("2 bodies, 1 joint;"));
}

#[test]
fn animations_of_another_file_are_played() {
    let folder = Folder::new("sim-with");
    let doll = folder.write("bones.doll", "body a spine\nbody b Head\njoint j a b\n type point\n");
    let [model, animations] = ["testbones", "animonly"].map(|name| golden(&format!("models/{name}.iqm")));
    let sim =
        |with: &[&str]| skelobj(&[&["sim", &model, "--doll", &doll, "--from", "8", "--seconds", "0.1"], with].concat());
    assert!(text(&sim(&["--with", &animations]).stdout).contains("plays `run`"));
    assert!(text(&sim(&[]).stderr).contains("no animation `8`: expected a number from 0 to 6"));
    let recorded = sim(&["--with", &animations, "--record", "fall.run"]);
    assert_eq!(recorded.status.code(), Some(2));
    assert!(text(&recorded.stderr).contains("cannot be used with '--record"), "{}", text(&recorded.stderr));
}

#[test]
fn impossible_requests_are_reported_in_one_line() {
    let chain = golden("models/chain.iqm");
    let cases: [(&[&str], &str); 6] = [
        (&["sim", "nosuch.iqm"], "skelobj: cannot read nosuch.iqm: "),
        (&["sim", &chain], "skelobj: no doll found: name one with --doll, or put it at "),
        (&["sim", &chain, "--doll", "nosuch.doll"], "skelobj: cannot read nosuch.doll: "),
        (
            &["sim", "--from", "swim"],
            "skelobj: no animation `swim`: expected a number from 0 to 3 or one of idle, walk, run, death",
        ),
        (&["sim", &golden("dolls/crlf.doll"), "--doll", &chain], "skelobj: "),
        (
            &["sim", &golden("models/testbones.iqm"), "--doll", &golden("dolls/empty.doll")],
            "empty.doll cannot be dropped: the doll has no body on a bone of this model",
        ),
    ];
    for (args, wanted) in cases {
        let output = skelobj(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert_eq!(text(&output.stdout), "", "{args:?}");
        let said = text(&output.stderr);
        assert!(
            said.lines().last().is_some_and(|line| line.starts_with("skelobj: ") && line.contains(wanted)),
            "{args:?}: {said}"
        );
    }
    let bad = [
        ["--orient", "1,2"],
        ["--spin", "x,0,0"],
        ["--velocity", "nan,0,0"],
        ["--orient", "nan,0,0"],
        ["--seed", "-1"],
    ];
    for bad in bad.into_iter().chain([["--seconds", "nan"], ["--seconds", "-1"], ["--water", "nan"]]) {
        let output = skelobj(&[&["sim"], bad.as_slice()].concat());
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
    }
}
