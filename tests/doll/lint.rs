//! Texts of the problems that `check` reports about dolls.

use crate::common;
use skelobj::doll::{Severity, lint};
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Bone, Model, Name, Skeleton};

/// Returns a model of six bones in a row without animations.
fn chain() -> Model {
    let bone = |i: usize| Bone {
        name: Name::from(format!("link{i}").as_str()),
        parent: i.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::new(16.0, 0.0, 0.0)),
    };
    Model { skeleton: Skeleton::new((0..6).map(bone).collect()).unwrap(), ..Model::default() }
}

fn told(text: &str, model: Option<&Model>) -> Vec<(usize, &'static str, String)> {
    lint(text.as_bytes(), model).into_iter().map(|p| (p.line, p.code(), p.message())).collect()
}

#[test]
fn masses_may_differ_by_ten_and_must_not_by_more_than_a_thousand() {
    for (mass, severity, words) in [
        (10, None, ""),
        (11, Some(Severity::Warning), "11 times as heavy as the other; above a ratio of 10 joints stretch"),
        (1000, Some(Severity::Warning), "1000 times as heavy as the other; above a ratio of 10 joints stretch"),
        (
            1001,
            Some(Severity::Error),
            "1001 times as heavy as the other; above a ratio of 1000 dolls do not come to rest",
        ),
    ] {
        let text = format!("body a link0\nmass {mass}\nbody b link1\nmass 1\njoint j a b\ntype point\n");
        let problems = lint(text.as_bytes(), None);
        let found = problems.iter().find(|problem| problem.code() == "mass-ratio");
        assert_eq!(found.map(|problem| problem.severity()), severity, "{mass}: {problems:?}");
        assert!(found.is_none_or(|problem| problem.message().ends_with(words)), "{mass}: {found:?}");
    }
}

/// Each `tests/dolls/bad/*.doll` has its report beside it; those named `model_*` are checked for the chain, and those
/// named `mannequin_*` are left to `doll_check.rs`.
#[test]
fn bad_dolls_get_the_reports_beside_them() {
    let chain = chain();
    let dolls = common::bad_dolls(
        |name| !name.starts_with("mannequin_"),
        |name, text| lint(text, name.starts_with("model_").then_some(&chain)),
    );
    assert!(dolls >= 40, "only {dolls} bad dolls");
}

#[test]
fn a_joint_that_names_the_child_first_is_reported() {
    let doll = |first, second| {
        format!("body a link1\nbody b link3\njoint j {first} {second}\ntype hinge\nLoStop -1\nHiStop 1\n")
    };
    assert_eq!(told(&doll("a", "b"), Some(&chain())), []);
    let message = "the bone of `b` hangs on that of `a`: a joint names the parent, `a`, first";
    assert_eq!(told(&doll("b", "a"), Some(&chain())), [(3, "joint-exchanged", message.into())]);
    assert_eq!(told(&doll("b", "a"), None), [], "only the model knows");
}

#[test]
fn an_error_in_the_lines_of_a_joint_stands_for_stops_that_allow_no_motion() {
    let told = |body: &str, joint: &str| {
        let text = format!("body a link0\n{body}body b link1\njoint j a b\ntype hinge\n{joint}");
        told(&text, None).into_iter().map(|(line, code, _)| (line, code)).collect::<Vec<_>>()
    };
    assert_eq!(told("", ""), [(3, "joint-locked")]);
    assert_eq!(told("", "limits -1 1\n"), [(5, "unknown-directive")]);
    assert_eq!(told("shape capsul\n", ""), [(2, "unknown-shape"), (4, "joint-locked")], "another's error is no cause");
    assert_eq!(told("", "joint k a nosuch\ntype point\n"), [(3, "joint-locked"), (5, "unknown-body")]);
    assert_eq!(told("", "updatejoint j\nHiStop one\n"), [(6, "not-a-number")]);
    assert_eq!(told("", "body c link2\nshape capsul\njoint k b c\ntype point\n")[0], (3, "joint-locked"));
}

#[test]
fn a_strength_above_one_is_reported_once() {
    let message = "a strength of 5 resists fades, hits and weaker commands; 1 is exact, and less is a pull";
    assert_eq!(told("body a link0\nanimate 5\n", None), [(2, "animate-above-one", message.into())]);
    for animate in ["1", "0.5", "0", "-1"] {
        assert_eq!(told(&format!("body a link0\nanimate {animate}\n"), None), [], "{animate}");
    }
    let default = "updatebody default\nanimate 2\nbody a link0\nbody b link1\njoint j a b\ntype point\n";
    let found: Vec<_> = told(default, None).into_iter().map(|(line, code, _)| (line, code)).collect();
    assert_eq!(found, [(2, "animate-above-one")]);
}

#[test]
fn a_good_doll_gets_no_advice() {
    let text = "body a link0\nbody b link1\norient\njoint j a b\ntype hinge\nLoStop -1\nHiStop 1\n";
    assert_eq!(told(text, Some(&chain())), []);
    assert_eq!(told("body a link0\n", Some(&chain())), [], "a single body needs no joint");
}

#[test]
fn missing_bones_and_animations_are_errors() {
    let text = "refpose 3 0\nbody a link0\nbody b linkl\n";
    let problems = lint(text.as_bytes(), Some(&chain()));
    assert!(problems.iter().all(|p| p.severity() == Severity::Error));
    assert_eq!(problems[0].message(), "the model has no animation 3; it has 0, counted from 0");
    assert_eq!(problems[1].message(), "the model has no bone `linkl`, did you mean `link0`?");
    assert_eq!(problems[1].suggestion(), Some("link0".into()));
    let loose = (2, "no-joints", "no joint holds the 2 bodies together".into());
    assert_eq!(told(text, None), [loose], "without a model they are believed, but no joint holds them");
}

#[test]
fn masses_so_far_apart_that_nothing_comes_to_rest_are_an_error_with_their_ratio() {
    let doll = |heavy: &str, light: &str| {
        format!("body a link0\nmass {heavy}\nbody b link1\nmass {light}\njoint j a b\ntype point\n")
    };
    let severity = |heavy, light| {
        let problems = lint(doll(heavy, light).as_bytes(), None);
        let found = problems.iter().find(|problem| problem.code() == "mass-ratio").unwrap();
        (found.severity(), found.to_string())
    };
    assert_eq!(severity("1000", "1").0, Severity::Warning);
    let (severity, text) = severity("1e9", "1e-9");
    assert_eq!(severity, Severity::Error);
    assert!(text.contains("one body is 1000000053026226176 times as heavy"), "{text}"); // 1e18 as f32 has it
}

#[test]
fn working_but_doubtful_dolls_get_warnings() {
    let jointed = "joint j a b\ntype point\n";
    let shared = format!("body a link0\nbody b link0\n{jointed}");
    assert_eq!(
        told(&shared, None),
        [(2, "shared-bone", "bone `link0` already has a body (line 1); the later body drives it".into())]
    );
    let loose = format!("body a link0\nbody b link1\nbody c link2\n{jointed}");
    assert_eq!(told(&loose, None), [(3, "never-jointed", "no joint holds body `c`".into())]);
    let heavy = format!("body a link0\nmass 0.5\nbody b link1\nmass 10\n{jointed}");
    let ratio = "one body is 20 times as heavy as the other; above a ratio of 10 joints stretch";
    assert_eq!(told(&heavy, None), [(5, "mass-ratio", ratio.into())]);
    let fair = format!("body a link0\nbody b link1\nmass 10\n{jointed}");
    assert_eq!(told(&fair, None), []);
    let kilograms = format!("body a link0\ndensity 985\nbody b link1\ndensity 11\n{jointed}");
    let [(2, "dense-body", message)] = &told(&kilograms, None)[..] else { panic!("{kilograms}") };
    assert!(message.starts_with("a density of 985 ") && message.ends_with("use 0.985"), "{message}");
    let rootless = format!("body a link0\norient\nbody b link1\norient link1\n{jointed}");
    let nowhere = |line: usize, bone: &str| {
        (line, "orient-nowhere", format!("`orient` has no effect: `{bone}` has no other bone to point to"))
    };
    assert_eq!(told(&rootless, Some(&chain())), [nowhere(1, "link0"), nowhere(3, "link1")]);
    assert_eq!(told(&rootless, None), [nowhere(3, "link1")], "only a model knows which bone is a root");
}

#[test]
fn slacken_without_a_muscle_gets_a_warning() {
    let bodies = "body a link0\nbody b link1\nbody c link2\n";
    let lines = |default: &str, first: &str| {
        let default = format!("{bodies}updatejoint default\ntype point\n{default}");
        let problems = lint(format!("{default}joint j a b\n{first}joint k b c\n").as_bytes(), None);
        problems.iter().map(|problem| (problem.code(), problem.line)).collect::<Vec<_>>()
    };
    assert_eq!(lines("", "slacken 0.5\n"), [("slacken-without-muscle", 7)]);
    assert_eq!(lines("", "slacken 0.5\nmuscle 0\n"), [("slacken-without-muscle", 7)]);
    assert_eq!(lines("slacken 0.5\n", ""), [("slacken-without-muscle", 6)], "once for both joints");
    assert_eq!(lines("slacken 0.5\n", "muscle 1000\n"), [], "the line is meant for the first joint");
    assert_eq!(lines("", "muscle 1000\nslacken 0.5\n"), []);
    assert_eq!(lines("", "slacken 0\n"), [], "which is the default");
    let text = format!("{bodies}joint j a b\ntype point\nslacken 1\njoint k b c\ntype point\n");
    let message = "`slacken` has no effect on a joint without a muscle: set one with `muscle`";
    assert_eq!(told(&text, None), [(6, "slacken-without-muscle", message.into())]);
}

#[test]
fn groups_that_no_joint_holds_to_the_rest_are_islands() {
    let bodies: String = (0..6).map(|i| format!("body b{i} link{i}\n")).collect();
    let joint = |a: usize, b: usize| format!("joint j{a}{b} b{a} b{b}\ntype point\n");
    let apart = format!("{bodies}{}{}{}", joint(0, 1), joint(3, 2), joint(3, 4));
    assert_eq!(
        told(&apart, None),
        [
            (1, "island", "no joint holds body `b0` and its neighbour to the rest of the doll".into()),
            (6, "never-jointed", "no joint holds body `b5`".into()),
        ]
    );
    let together = format!("{apart}{}{}", joint(1, 2), joint(5, 0));
    assert_eq!(told(&together, None), []);
}

#[test]
fn only_enabled_joints_contradict_each_other() {
    let twice = "body a link0\nbody b link1\njoint j a b\ntype point\njoint k b a\ntype point\n";
    assert_eq!(told(twice, None), [(5, "jointed-twice", "joint `j` (line 3) already joins these two bodies".into())]);
    assert_eq!(told(&format!("{twice}enabled 0\n"), None), []);
}
