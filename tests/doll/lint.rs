//! Texts of the problems that `check` reports about dolls.

use crate::common;
use skelobj::doll::{DollProblemKind as Kind, Severity, lint};
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

fn kinds(text: &str, model: Option<&Model>) -> Vec<(usize, Kind)> {
    lint(text.as_bytes(), model).into_iter().map(|p| (p.line, p.kind)).collect()
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
fn a_good_doll_gets_no_advice() {
    let text = "body a link0\nbody b link1\norient\njoint j a b\ntype hinge\nLoStop -1\nHiStop 1\n";
    assert_eq!(kinds(text, Some(&chain())), []);
    assert_eq!(kinds("body a link0\n", Some(&chain())), [], "a single body needs no joint");
}

#[test]
fn missing_bones_and_animations_are_errors() {
    let text = "refpose 3 0\nbody a link0\nbody b linkl\n";
    let problems = lint(text.as_bytes(), Some(&chain()));
    assert!(problems.iter().all(|p| p.severity == Severity::Error));
    assert_eq!(problems[0].kind, Kind::NoSuchAnimation { index: 3, count: 0 });
    assert_eq!(problems[1].kind, Kind::NoSuchBone { bone: "linkl".into(), suggestion: Some("link0".into()) });
    assert_eq!(kinds(text, None).len(), 2, "without a model they are believed, but no joint holds them");
}

#[test]
fn masses_so_far_apart_that_nothing_comes_to_rest_are_an_error_with_their_ratio() {
    let doll = |heavy: &str, light: &str| {
        format!("body a link0\nmass {heavy}\nbody b link1\nmass {light}\njoint j a b\ntype point\n")
    };
    let severity = |heavy, light| {
        let problems = lint(doll(heavy, light).as_bytes(), None);
        let found = problems.iter().find(|problem| matches!(problem.kind, Kind::MassRatio { .. })).unwrap();
        (found.severity, found.to_string())
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
    assert_eq!(kinds(&shared, None), [(2, Kind::SharedBone { bone: "link0".into(), first: 1 })]);
    let loose = format!("body a link0\nbody b link1\nbody c link2\n{jointed}");
    assert_eq!(kinds(&loose, None), [(3, Kind::NeverJointed { body: "c".into() })]);
    let heavy = format!("body a link0\nmass 0.5\nbody b link1\nmass 10\n{jointed}");
    assert_eq!(kinds(&heavy, None), [(5, Kind::MassRatio { ratio: 20.0 })]);
    let fair = format!("body a link0\nbody b link1\nmass 10\n{jointed}");
    assert_eq!(kinds(&fair, None), []);
    let kilograms = format!("body a link0\ndensity 985\nbody b link1\ndensity 11\n{jointed}");
    assert_eq!(kinds(&kilograms, None), [(2, Kind::DenseBody { density: 985.0 })]);
    let rootless = format!("body a link0\norient\nbody b link1\norient link1\n{jointed}");
    let nowhere = |bone: &str| Kind::OrientNowhere { bone: bone.into() };
    assert_eq!(kinds(&rootless, Some(&chain())), [(1, nowhere("link0")), (3, nowhere("link1"))]);
    assert_eq!(kinds(&rootless, None), [(3, nowhere("link1"))], "only a model knows which bone is a root");
}

#[test]
fn groups_that_no_joint_holds_to_the_rest_are_islands() {
    let bodies: String = (0..6).map(|i| format!("body b{i} link{i}\n")).collect();
    let joint = |a: usize, b: usize| format!("joint j{a}{b} b{a} b{b}\ntype point\n");
    let apart = format!("{bodies}{}{}{}", joint(0, 1), joint(3, 2), joint(3, 4));
    assert_eq!(
        kinds(&apart, None),
        [(1, Kind::Island { body: "b0".into(), bodies: 2 }), (6, Kind::NeverJointed { body: "b5".into() })]
    );
    let together = format!("{apart}{}{}", joint(1, 2), joint(5, 0));
    assert_eq!(kinds(&together, None), []);
}

#[test]
fn only_enabled_joints_contradict_each_other() {
    let twice = "body a link0\nbody b link1\njoint j a b\ntype point\njoint k b a\ntype point\n";
    assert_eq!(kinds(twice, None), [(5, Kind::JointedTwice { joint: "j".into(), first: 3 })]);
    assert_eq!(kinds(&format!("{twice}enabled 0\n"), None), []);
}
