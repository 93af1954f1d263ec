//! Parsing of `.doll` files: accepted lines, refused lines, and FTE's result for the same text.

mod hostile;
mod recorded;

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::Value;
use skelobj::doll::{Doll, JointKind, Offset, Orient, Parsed, ReferencePose, Severity, Shape, Stops, decode};
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Bone, Name, Skeleton};

fn skeleton(names: &[&str]) -> Skeleton {
    let bone = |(i, name): (usize, &&str)| Bone {
        name: Name::from(*name),
        parent: i.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::new(16.0, 0.0, 0.0)),
    };
    Skeleton::new(names.iter().enumerate().map(bone).collect()).unwrap()
}

fn chain() -> Skeleton {
    skeleton(&["link0", "link1", "link2", "link3", "link4", "link5"])
}

fn testbones() -> Skeleton {
    skeleton(&["root", "spine", "Head", "arm.l", "arm.r", "prop"])
}

/// Returns the doll of a text without problems.
fn clean(text: &str) -> Doll {
    let parsed = Doll::parse(text.as_bytes());
    assert_eq!(parsed.problems, [], "in {text:?}");
    parsed.doll
}

/// Returns the problems of a text as (line, message).
fn problems(text: &str) -> Vec<(usize, String)> {
    Doll::parse(text.as_bytes()).problems.into_iter().map(|p| (p.line, p.message())).collect()
}

const TWO: &str = "body a link0\nbody b link1\njoint j a b\n";

#[test]
fn defaults_are_those_of_the_format() {
    let doll = clean("body a link0\nbody b link1\njoint j a b\ntype point\n");
    assert_eq!(doll.reference, ReferencePose::BindPose);
    let body = &doll.bodies[0];
    assert_eq!((body.shape, body.size, body.mass, body.animate), (Shape::Box, [4.0; 3], 1.0, 1.0));
    assert_eq!((body.draw, body.offset, &body.orient, body.line), (false, None, &None, 1));
    let joint = &doll.joints[0];
    assert_eq!((joint.body1, joint.body2, joint.line), (0, Some(1), 3));
    assert_eq!((joint.enabled, joint.draw), (true, false));
    assert_eq!((joint.axis, joint.axis2), (Vec3::Y, Vec3::Z));
    assert_eq!((joint.stops, joint.erp, joint.cfm, joint.fmax), ([Stops::default(); 2], [0.2; 2], [1e-5; 2], [0.0; 2]));
    assert_eq!((&joint.pivot, joint.offset), (&None, Vec3::ZERO));
}

#[test]
fn every_attribute_is_read() {
    let doll = clean(
        "refpose 2 0.75
body b link0
  Shape CYLINDER
  dimensions 1 2 3
  mass 2.5
  animate 0.25
  draw 1
  offset 1 2 3 10 20 30
  orient
body c link1
  offset 4 5 6
  ORIENT \"link 2\"
joint j b c
  type Hinge2
  axis 1 0 0
  axis2 0 2 0
  LOSTOP -1
  histop 1
  LoStop2 -2
  HiStop2 2
  erp 0.1
  ERP2 0.3
  cfm 0.01
  cfm2 0
  fmax 5
  FMax2 6
  enabled 0
  draw 1
  offset 7 8 9
  pivot link1
",
    );
    assert_eq!(doll.reference, ReferencePose::Animation { index: 2, time: 0.75 });
    let [b, c] = &doll.bodies[..] else { panic!("two bodies") };
    assert_eq!((b.shape, b.size, b.mass, b.animate, b.draw), (Shape::Cylinder, [1.0, 2.0, 3.0], 2.5, 0.25, true));
    let angles = Vec3::new(10.0, 20.0, 30.0);
    assert_eq!(b.offset, Some(Offset { position: Vec3::new(1.0, 2.0, 3.0), angles }));
    assert_eq!(b.orient, Some(Orient::Parent));
    assert_eq!(c.offset, Some(Offset { position: Vec3::new(4.0, 5.0, 6.0), angles: Vec3::ZERO }));
    assert_eq!(c.orient, Some(Orient::Toward("link 2".into())));
    let j = &doll.joints[0];
    assert_eq!((j.kind, j.axis, j.axis2), (JointKind::Hinge2, Vec3::X, Vec3::new(0.0, 2.0, 0.0)));
    assert_eq!(j.stops, [Stops { lo: -1.0, hi: 1.0 }, Stops { lo: -2.0, hi: 2.0 }]);
    assert_eq!((j.erp, j.cfm, j.fmax), ([0.1, 0.3], [0.01, 0.0], [5.0, 6.0]));
    assert_eq!((j.enabled, j.draw), (false, true));
    assert_eq!((&j.pivot, j.offset), (&Some("link1".into()), Vec3::new(7.0, 8.0, 9.0)));
}

#[test]
fn one_size_is_all_three_and_the_second_of_two_is_the_length() {
    let doll = clean("body a x\nsize 5\nbody b x2\nsize 3 7.9\nbody c x3\nsize 1 2 3\n");
    let sizes: Vec<_> = doll.bodies.iter().map(|b| b.size).collect();
    assert_eq!(sizes, [[5.0; 3], [3.0, 3.0, 7.9], [1.0, 2.0, 3.0]]);
}

#[test]
fn default_changes_only_what_follows() {
    let doll = clean(
        "body a x
updatebody default\n size 9\n orient
updatejoint DEFAULT\n type hinge\n HiStop 1\n offset 1 0 0
body b y
joint j a b
updatejoint default\n HiStop 2
body c z
joint k b c\n",
    );
    assert_eq!((doll.bodies[0].size, &doll.bodies[0].orient), ([4.0; 3], &None));
    assert_eq!((doll.bodies[1].size, &doll.bodies[1].orient), ([9.0; 3], &Some(Orient::Parent)));
    assert_eq!((doll.joints[0].kind, doll.joints[0].stops[0].hi), (JointKind::Hinge, 1.0));
    assert_eq!((doll.joints[1].stops[0].hi, doll.joints[1].offset), (2.0, Vec3::X));
}

#[test]
fn pivot_and_offset_set_the_same_place_and_the_last_counts() {
    let doll = clean(&format!(
        "{TWO}type point\noffset 1 2 3\npivot link0 4 5 6\njoint k a b\ntype point\npivot link0 4 5 6\noffset 1 2 3\n"
    ));
    assert_eq!((&doll.joints[0].pivot, doll.joints[0].offset), (&Some("link0".into()), Vec3::new(4.0, 5.0, 6.0)));
    assert_eq!((&doll.joints[1].pivot, doll.joints[1].offset), (&Some("link0".into()), Vec3::new(1.0, 2.0, 3.0)));
    let parsed = Doll::parse(b"updatejoint default\n pivot link0 1 2 3\nbody a x\nbody b y\njoint j a b\ntype point\n");
    assert_eq!(parsed.problems[0].code(), "pivot-on-default");
    assert_eq!((&parsed.doll.joints[0].pivot, parsed.doll.joints[0].offset), (&None, Vec3::ZERO));
}

#[test]
fn a_joint_with_one_body_hangs_on_the_world() {
    let doll = clean("body a x\njoint j a\ntype point\n");
    assert_eq!((doll.joints[0].body1, doll.joints[0].body2), (0, None));
}

#[test]
fn the_reference_pose_takes_seconds_and_refuses_what_is_no_pose() {
    assert_eq!(clean("refpose 0 1.5\nbody a x\n").reference, ReferencePose::Animation { index: 0, time: 1.5 });
    assert_eq!(clean("refpose 0 1.5\nrefpose SKIN\nbody a x\n").reference, ReferencePose::BindPose);
    let negative = "`refpose` must be a finite number, zero or above; the previous value is kept";
    let expected = "expected `skin` or an animation's number and a time in seconds";
    let wrong_count = "wrong number of words, expected `refpose skin|ANIMATION SECONDS`";
    let bind = "`bind` is not a pose, did you mean `skin`?";
    for (line, message) in [
        ("refpose -1 0", negative.to_owned()),
        ("refpose 0 -1", negative.to_owned()),
        ("refpose 0 nan", negative.to_owned()),
        ("refpose idle 0", format!("`idle` is not a pose, {expected}")),
        ("refpose bind", bind.to_owned()),
        ("refpose 0", wrong_count.to_owned()),
        ("refpose", wrong_count.to_owned()),
    ] {
        let parsed = Doll::parse(format!("body a x\n{line}\n").as_bytes());
        assert_eq!(parsed.problems.iter().map(|p| p.message()).collect::<Vec<_>>(), [message], "{line}");
        assert_eq!(parsed.doll.reference, ReferencePose::BindPose, "{line}");
    }
}

#[test]
fn hostile_numbers_are_errors_and_leave_the_attribute_alone() {
    for line in [
        "size 0",
        "size -1",
        "size nan",
        "size inf",
        "size 1 0 1",
        "size 1e-60",
        "size 1e60",
        "size x",
        "mass 0",
        "mass -1",
        "mass nan",
        "mass 1e999",
        "mass heavy",
        "animate nan",
        "animate inf",
        "offset 0 0 nan",
        "offset 0 0 0 0 0 inf",
        "offset 1 2 x",
        "draw yes",
    ] {
        let parsed = Doll::parse(format!("body a x\nsize 7\nmass 3\n{line}\n").as_bytes());
        assert_eq!(parsed.problems.len(), 1, "{line}: {:?}", parsed.problems);
        assert_eq!((parsed.problems[0].severity(), parsed.problems[0].line), (Severity::Error, 4), "{line}");
        assert_eq!((parsed.doll.bodies[0].size, parsed.doll.bodies[0].mass), ([7.0; 3], 3.0), "{line}");
        assert_eq!((parsed.doll.bodies[0].offset, parsed.doll.bodies[0].animate), (None, 1.0), "{line}");
    }
    for line in [
        "axis 0 0 0",
        "axis nan 0 0",
        "axis 0 inf 0",
        "axis 1e-30 0 0",
        "axis2 0 0 0",
        "ERP -1",
        "ERP nan",
        "CFM -1",
        "CFM2 inf",
        "FMax -5",
        "FMax2 nan",
        "offset 0 nan 0",
        "HiStop up",
        "axis 0 1 z",
    ] {
        let parsed = Doll::parse(format!("{TWO}type hinge\n{line}\n").as_bytes());
        assert_eq!(parsed.problems.len(), 1, "{line}: {:?}", parsed.problems);
        assert_eq!((parsed.problems[0].severity(), parsed.problems[0].line), (Severity::Error, 5), "{line}");
        let mut plain = skelobj::doll::Joint::new("j".into(), JointKind::Hinge, 0, Some(1));
        plain.line = 3;
        assert_eq!(parsed.doll.joints, [plain], "{line}");
    }
}

#[test]
fn stops_may_be_infinite_or_nan_which_means_none() {
    let doll = clean(&format!("{TWO}type hinge\nLoStop -inf\nHiStop infinity\njoint k a b\ntype hinge\nHiStop nan\n"));
    assert_eq!(doll.joints[0].range(0), None);
    assert!(doll.joints[1].stops[0].hi.is_nan());
    assert_eq!(doll.joints[1].range(0), None);
}

#[test]
fn ranges_are_those_that_the_joint_kind_limits() {
    let joint = |kind: &str| {
        clean(&format!("{TWO}type {kind}\nLoStop -1\nHiStop 2\nLoStop2 -0.5\nHiStop2 0.5\n")).joints.remove(0)
    };
    let (first, second) = (Some((-1.0, 2.0)), Some((-0.5, 0.5)));
    for (kind, ranges) in [
        ("fixed", [None, None]),
        ("point", [None, None]),
        ("hinge", [first, None]),
        ("slider", [first, None]),
        ("universal", [first, second]),
        ("hinge2", [first, None]),
    ] {
        assert_eq!([joint(kind).range(0), joint(kind).range(1)], ranges, "{kind}");
    }
    let slider = clean(&format!("{TWO}type slider\nLoStop -50\nHiStop 50\n"));
    assert_eq!(slider.joints[0].range(0), Some((-50.0, 50.0)), "slider stops are units, not radians");
}

#[test]
fn a_joint_without_a_type_is_an_error_on_its_line_and_dropped() {
    let parsed = Doll::parse(format!("{TWO}HiStop 1\n").as_bytes());
    assert_eq!(parsed.doll.joints, []);
    assert_eq!(parsed.problems[0].to_string(), "3:7: error: joint `j` has no `type` and is dropped");
    let parsed = Doll::parse(format!("updatejoint default\ntype bogus\n{TWO}").as_bytes());
    let lines: Vec<_> = parsed.problems.iter().map(|p| p.line).collect();
    assert_eq!(lines, [2], "the wrong word, not the joint that lacks a type because of it");
    assert_eq!(parsed.doll.joints, []);
    let parsed = Doll::parse(format!("{TWO}type bogus\n").as_bytes());
    assert_eq!(parsed.problems.len(), 1, "its own wrong type is reason enough");
    assert_eq!(parsed.doll.joints, []);
    let parsed = Doll::parse(format!("{TWO}type point\ntype bogus\n").as_bytes());
    assert_eq!(parsed.doll.joints[0].kind, JointKind::Point, "an unknown type does not undo the known one");
}

#[test]
fn suspicious_stops_and_axes_are_warnings() {
    let warn = |lines: &str| problems(&format!("{TWO}{lines}"));
    let degrees = |stop: &str, radians: &str| {
        format!("stops are in radians, {stop} is more than half a turn; {stop} degrees are {radians}")
    };
    let crossed = "the low stop 0.5 is above the high stop 0: the joint is not limited";
    let parallel = "the two axes are parallel, another second axis is chosen";
    assert_eq!(warn("type hinge\nHiStop 45\n"), [(5, degrees("45", "0.785"))]);
    assert_eq!(warn("HiStop2 45\ntype universal\n"), [(4, degrees("45", "0.785"))]);
    assert_eq!(warn("type hinge\nHiStop 3.1416\nLoStop -3.1416\n"), []);
    assert_eq!(warn("type slider\nHiStop 45\n"), [], "slider stops are units");
    assert_eq!(warn("type hinge\nLoStop 0.5\n"), [(5, crossed.to_owned())]);
    assert_eq!(warn("type point\nLoStop 0.5\n"), [], "a point joint has no stops");
    assert_eq!(warn("type universal\naxis 0 0 -3\n"), [(5, parallel.to_owned())]);
    assert_eq!(warn("type hinge\naxis 0 0 -3\n"), [], "a hinge has no second axis");
    assert_eq!(warn("type hinge2\n"), [], "the default axes are good for a hinge2");
    let many = format!("updatejoint default\ntype hinge\nHiStop 90\n{TWO}joint k a b\njoint l b a\n");
    assert_eq!(problems(&many), [(3, degrees("90", "1.571"))], "once, where it is written");
    assert!(Doll::parse_strict(many.as_bytes()).is_ok(), "warnings do not fail strict loading");
}

#[test]
fn numbers_may_have_something_behind_them_but_not_before() {
    let parsed = Doll::parse(b"body a x\nsize 4;\nmass 0x10\nanimate .5.5\n");
    let body = &parsed.doll.bodies[0];
    assert_eq!((body.size, body.mass, body.animate), ([4.0; 3], 16.0, 0.5));
    let kinds: Vec<_> = parsed.problems.iter().map(|p| (p.severity(), p.to_string())).collect();
    assert_eq!(
        kinds,
        [
            (Severity::Warning, "2:6: warning: `4;` is read as 4".to_owned()),
            (Severity::Warning, "4:9: warning: `.5.5` is read as .5".to_owned()),
        ]
    );
}

#[test]
fn a_line_with_the_wrong_number_of_words_is_left_out() {
    for line in [
        "body b",
        "body b y z",
        "body",
        "shape",
        "shape box box",
        "size",
        "size 1 2 3 4",
        "mass 1 2",
        "offset 1 2",
        "offset 1 2 3 4",
        "orient a b",
        "animate",
        "updatebody",
        "updatebody a b",
        "updatejoint",
        "joint k",
        "joint",
    ] {
        let parsed = Doll::parse(format!("body a x\n{line}\n").as_bytes());
        let codes: Vec<_> = parsed.problems.iter().map(|p| p.code()).collect();
        assert_eq!(codes, ["wrong-count"], "{line}");
        assert_eq!(parsed.doll, clean("body a x\n"), "{line}");
    }
    assert_eq!(problems(&format!("{TWO}type point\npivot\npivot link0 1 2\n")).len(), 2);
    let parsed = Doll::parse(b"body a x\nbody b y\njoint j a b more words\ntype point\n");
    assert_eq!(parsed.problems[0].code(), "extra-words");
    assert_eq!((parsed.problems[0].span.clone(), parsed.doll.joints.len()), (30..40, 1));
}

#[test]
fn misspelt_words_get_a_suggestion() {
    let said = |text: &str| Doll::parse(text.as_bytes()).problems[0].message();
    assert_eq!(said("bdoy a x\n"), "unknown directive `bdoy`, did you mean `body`?");
    assert_eq!(said("body a x\nmas 3\n"), "unknown directive `mas`, did you mean `mass`?");
    assert_eq!(said("body a x\nfrobnicate 3\n"), "unknown directive `frobnicate`");
    assert_eq!(said("body a x\nshape capsul\n"), "unknown shape `capsul`, did you mean `capsule`?");
    assert_eq!(said("body a x\nshape blob\n"), "unknown shape `blob`, expected one of box, sphere, cylinder, capsule");
    assert_eq!(said(&format!("{TWO}type hing\n")), "unknown joint type `hing`, did you mean `hinge`?");
    assert_eq!(said("body head x\nbody b y\njoint j b hed\n"), "unknown body `hed`, did you mean `head`?");
    assert_eq!(said("body head x\nupdatebody HEAD\n"), "unknown body `HEAD`, did you mean `head`?");
    assert_eq!(
        said("body a x\njoint knee a\ntype point\nupdatejoint nee\n"),
        "unknown joint `nee`, did you mean `knee`?"
    );
    assert_eq!(said("body a x\nupdatebody b\n"), "unknown body `b`");
}

#[test]
fn attributes_in_the_wrong_place_say_where_they_belong() {
    assert_eq!(problems("mass 3\nbody a x\n"), [(1, "`mass` must appear under a body".into())]);
    assert_eq!(problems("body a x\nHISTOP 3\n"), [(2, "`HiStop` must appear under a joint".into())]);
    assert_eq!(problems("draw 1\nbody a x\n"), [(1, "`draw` must appear under a body or joint".into())]);
}

#[test]
fn attributes_of_something_left_out_change_nothing_but_are_still_read() {
    let text = b"body a link0\nbody b nosuch\n size 9\n mas 2\nupdatebody nobody\n size 8\njoint j a b\n type hinge\n HiStop x\n";
    let parsed = Doll::parse_for(text, &chain());
    assert_eq!(parsed.doll.bodies.len(), 1);
    assert_eq!(parsed.doll.bodies[0].size, [4.0; 3]);
    assert_eq!(parsed.doll.joints, []);
    let said: Vec<_> = parsed.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "2:8: error: the model has no bone `nosuch`",
            "4:2: error: unknown directive `mas`, did you mean `mass`?",
            "5:12: error: unknown body `nobody`",
            "9:9: error: `x` is not a number",
        ]
    );
}

#[test]
fn the_first_of_several_equal_names_is_found() {
    let parsed = Doll::parse(b"body a x\nbody a y\nsize 2\nupdatebody a\nmass 7\nbody c z\njoint j a c\ntype point\njoint j c a\ntype point\n");
    assert_eq!(parsed.doll.bodies.iter().map(|b| b.mass).collect::<Vec<_>>(), [7.0, 1.0, 1.0]);
    assert_eq!((parsed.doll.joints[0].body1, parsed.doll.joints[1].body2), (0, Some(0)));
    assert_eq!(parsed.problems.iter().map(|p| p.line).collect::<Vec<_>>(), [2, 9]);
    let message = "the name `a` is already used in line 1 and refers to what is defined there";
    assert_eq!((parsed.problems[0].code(), parsed.problems[0].message()), ("duplicate-name", message.into()));
    assert!(!parsed.has_errors());
}

#[test]
fn a_body_on_a_missing_bone_leaves_its_name_to_a_later_one() {
    let text = b"body a nosuch\nbody a link1\nbody b link2\njoint j a b\ntype point\n";
    let parsed = Doll::parse_for(text, &chain());
    assert_eq!(parsed.doll.bodies[0].bone, *"link1");
    assert_eq!(parsed.doll.joints[0].body1, 0);
    assert_eq!(parsed.problems.len(), 1);
    assert_eq!(Doll::parse(text).doll.bodies[0].bone, *"nosuch", "without a model every bone exists");
}

#[test]
fn names_end_after_31_bytes_wherever_they_stand() {
    let long = "0123456789012345678901234567890123456789";
    let parsed = Doll::parse(
        format!("body {long} x\nbody b y\njoint {long} {long} b\ntype point\nupdatebody {long}\nmass 2\n").as_bytes(),
    );
    assert_eq!(parsed.doll.bodies[0].name, long[..31]);
    assert_eq!((parsed.doll.joints[0].body1, parsed.doll.bodies[0].mass), (0, 2.0));
    assert!(parsed.problems.iter().all(|p| p.code() == "name-too-long"), "{:?}", parsed.problems);
    assert_eq!(parsed.problems.len(), 2, "where it is given, not where it is used");
}

#[test]
fn any_bytes_can_be_names_and_comments_and_line_ends() {
    let text = b"// caf\xe9\r\nbody h\xe9ad \"Bip01 L Foot\"\r\n\tsize\0 3 // \xff\xfe\r\n/* over\r\nlines */ body b y";
    let parsed = Doll::parse(text);
    assert_eq!(parsed.problems, []);
    assert_eq!(parsed.doll.bodies[0].name, Name::new(b"h\xe9ad"));
    assert_eq!((&parsed.doll.bodies[0].bone, parsed.doll.bodies[0].size), (&"Bip01 L Foot".into(), [3.0; 3]));
    assert_eq!((&parsed.doll.bodies[1].name, parsed.doll.bodies[1].line), (&"b".into(), 5));
}

#[test]
fn unclosed_quotes_and_comments_are_reported() {
    assert_eq!(problems("body a \"x\nmass 2\n"), [(1, "the quote is not closed, the word ends with its line".into())]);
    let parsed = Doll::parse(b"body a x\n/* mass 2\nmass 3\n");
    assert_eq!((parsed.problems[0].line, parsed.problems[0].code()), (2, "unclosed-comment"));
    assert_eq!(parsed.doll.bodies[0].mass, 1.0);
}

#[test]
fn a_doll_without_bodies_is_an_error() {
    for text in ["", "// nothing\n", "updatebody default\nmass 3\n"] {
        let parsed = Doll::parse(text.as_bytes());
        assert_eq!(parsed.problems.last().unwrap().code(), "no-bodies", "{text:?}");
    }
}

#[test]
fn the_list_of_problems_has_an_end() {
    let text = b"body a x\nbody a x\n".repeat(5_000);
    let parsed = Doll::parse(&text);
    assert_eq!((parsed.problems.len(), parsed.doll.bodies.len()), (Parsed::MAX_PROBLEMS, 10_000));
    assert_eq!(parsed.problems.last().unwrap().code(), "too-many-problems");
    assert!(parsed.strict().is_err(), "what is not listed might be an error");
}

#[test]
fn a_doll_can_be_cut_down_to_a_model() {
    let text = b"body a link0\norient nosuch\nbody b nosuch\nbody c link2\njoint j a b\ntype point\njoint k a c\ntype point\npivot gone 1 2 3\njoint w b\ntype point\njoint v c\ntype fixed\n";
    let doll = Doll::parse(text).doll;
    let cut = doll.for_skeleton(&chain());
    assert_eq!(cut.bodies.iter().map(|b| b.name.to_string()).collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(cut.bodies[0].orient, None);
    assert_eq!(cut.joints.iter().map(|j| (j.body1, j.body2)).collect::<Vec<_>>(), [(0, Some(1)), (1, None)]);
    assert_eq!((&cut.joints[0].pivot, cut.joints[0].offset), (&None, Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(cut, Doll::parse_for(text, &chain()).doll, "as if it had been read for that model");
}

#[test]
fn a_doll_that_is_cut_down_to_a_model_keeps_its_reference_pose() {
    let doll = Doll::parse(b"refpose 3 0.5\nbody a link0\nbody b nosuch\n").doll;
    let cut = doll.for_skeleton(&chain());
    assert_eq!((cut.bodies.len(), cut.reference), (1, ReferencePose::Animation { index: 3, time: 0.5 }));
    assert_eq!(Doll::default().for_skeleton(&chain()).reference, ReferencePose::BindPose);
}

#[test]
fn a_doll_is_compatible_with_a_model_that_has_all_bones_that_it_names() {
    let fits = |change: &dyn Fn(&mut Doll)| {
        let mut doll = clean("body a link0\norient link2\nbody b link1\njoint j a b\ntype point\npivot link3\n");
        change(&mut doll);
        doll.is_compatible(&chain())
    };
    assert!(fits(&|_| {}));
    assert!(!fits(&|doll| doll.bodies[1].bone = "Link1".into()));
    assert!(!fits(&|doll| doll.bodies[0].orient = Some(Orient::Toward("tail".into()))));
    assert!(!fits(&|doll| doll.joints[0].pivot = Some("tail".into())));
    assert!(!fits(&|doll| doll.joints[0].body1 = 2) && !fits(&|doll| doll.joints[0].body2 = Some(2)));
    assert!(fits(&|doll| doll.joints[0].body2 = None));
}

#[test]
fn bodies_and_joints_are_found_by_their_exact_names_the_first_of_several() {
    let text = "body a link0\nbody b link1\nbody b link2\njoint j a b\ntype point\njoint J a b\ntype hinge\njoint j b\ntype point\n";
    let doll = Doll::parse(text.as_bytes()).doll;
    assert_eq!([doll.find_body("b"), doll.find_body("B"), doll.find_body("")], [Some(1), None, None]);
    assert_eq!([doll.find_joint("j"), doll.find_joint("J"), doll.find_joint("k")], [Some(0), Some(1), None]);
}

#[test]
fn a_cone_has_two_swings_and_a_twist() {
    let cone = |text: &str| clean(&format!("{TWO}{text}")).joints.remove(0);
    let joint = cone("type cone\nswing -1 1.5\nSwing2 -0.5 0.5\ntwist -0.25 0.75\n");
    assert_eq!(joint.kind, JointKind::Cone);
    assert_eq!((joint.range(0), joint.range(1)), (Some((-1.0, 1.5)), Some((-0.5, 0.5))));
    assert_eq!(joint.twist_range(), Some((-0.25, 0.75)));
    let same = "LoStop -1\nHiStop 1.5\nLoStop2 -0.5\nHiStop2 0.5\ntwist -0.25 0.75\ntype universal\n";
    assert_eq!(cone(same), joint, "a universal joint with a twist is a cone");
    let locked = cone("type cone\n");
    assert!(locked.twist_stops.is_locked() && locked.stops[0].is_locked());
    let free = Doll::parse(format!("{TWO}type cone\ntwist 1 -1\nswing nan 1\n").as_bytes()).doll.joints.remove(0);
    assert_eq!((free.range(0), free.twist_range()), (None, None));
    let hinge = cone("type hinge\nswing 0 2\n");
    assert_eq!((hinge.range(0), hinge.twist_range()), (Some((0.0, 2.0)), None));
}

#[test]
fn a_twist_of_the_default_joint_makes_later_universal_joints_cones() {
    let doll = clean(
        "updatejoint default\ntype universal\ntwist -1 1\nbody a x\nbody b y\njoint j a b\njoint k a b\ntwist 0 0.5\n",
    );
    assert!(doll.joints.iter().all(|joint| joint.kind == JointKind::Cone));
    assert_eq!(doll.joints.iter().map(|joint| joint.twist_stops.lo).collect::<Vec<_>>(), [-1.0, 0.0]);
}

#[test]
fn mistakes_in_a_cone_are_reported_in_their_place() {
    let problems = |text: &str| {
        let problems = Doll::parse(format!("{TWO}{text}").as_bytes()).problems;
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for (text, expected) in [
        ("type cone\nswing 1\n", "5:1: error: wrong number of words, expected `swing LO HI`"),
        ("type cone\nswing2 -1 x\n", "5:11: error: `x` is not a number"),
        ("type cone\ntwists -1 1\n", "5:1: error: unknown directive `twists`, did you mean `twist`?"),
        ("type cnoe\n", "4:6: error: unknown joint type `cnoe`, did you mean `cone`?"),
        (
            "type hinge\nHiStop 1\ntwist -1 1\n",
            "6:10: warning: `twist` has no effect on type hinge, expected type cone or universal",
        ),
        (
            "type cone\ntwist -90 1\n",
            "5:7: warning: stops are in radians, -90 is more than half a turn; -90 degrees are -1.571",
        ),
        (
            "type cone\nswing 1 -1\n",
            "5:7: warning: the low stop 1 is above the high stop -1: the joint is not limited; exchange the two",
        ),
    ] {
        assert_eq!(problems(text), [expected], "{text}");
    }
    let half = Doll::parse(format!("{TWO}type cone\nswing -1 1\nswing -2 x\n").as_bytes());
    assert_eq!(half.doll.joints[0].range(0), Some((-1.0, 1.0)), "a line with a mistake changes nothing");
}

#[test]
fn a_muscle_has_a_stiffness_and_perhaps_a_damping() {
    let muscle = |text: &str| {
        let joint = Doll::parse(format!("{TWO}type point\n{text}").as_bytes()).doll.joints.remove(0);
        (joint.muscle, joint.muscle_damping)
    };
    assert_eq!(muscle(""), (0.0, None));
    assert_eq!(muscle("Muscle 5000\n"), (5000.0, None));
    assert_eq!(muscle("muscle 5000 20\n"), (5000.0, Some(20.0)));
    assert_eq!(muscle("muscle 5000 20\nmuscle 7\n"), (7.0, None), "without a number the damping is critical again");
    for bad in ["muscle -1", "muscle nan", "muscle inf", "muscle 3 -1", "muscle 3 x", "muscle", "muscle 1 2 3"] {
        assert_eq!(muscle(&format!("muscle 9 8\n{bad}\n")), (9.0, Some(8.0)), "{bad} changes nothing");
        assert_eq!(Doll::parse(format!("{TWO}type point\n{bad}\n").as_bytes()).problems.len(), 1, "{bad}");
    }
}

#[test]
fn a_muscle_slackens_over_a_time() {
    let slacken = |text: &str| {
        let parsed = Doll::parse(format!("{TWO}type point\n{text}").as_bytes());
        (parsed.doll.joints[0].slacken, parsed.problems.len())
    };
    assert_eq!(slacken(""), (0.0, 0));
    assert_eq!(slacken("Slacken 0.5\n"), (0.5, 0));
    for bad in ["slacken -1", "slacken nan", "slacken inf", "slacken x", "slacken", "slacken 1 2"] {
        assert_eq!(slacken(&format!("slacken 9\n{bad}\n")), (9.0, 1), "{bad} changes nothing");
    }
}
