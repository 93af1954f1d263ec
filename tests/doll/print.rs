//! Printing of dolls: the text parses to the same doll.

use crate::common;
use proptest::prelude::*;
use skelobj::doll::{Body, Doll, Joint, JointKind, Offset, Orient, ReferencePose, Shape, Stops};
use skelobj::math::Vec3;
use skelobj::model::Name;

/// Compares everything but the line numbers of two dolls bit for bit; all NaNs are equal.
fn assert_same(a: &Doll, b: &Doll, text: &[u8]) {
    let comparable = |doll: &Doll| {
        let mut doll = doll.clone();
        doll.bodies.iter_mut().for_each(|b| b.line = 0);
        doll.joints.iter_mut().for_each(|j| j.line = 0);
        // Debug output shows every bit of a float except those of a NaN, and minus zero.
        format!("{doll:#?}")
    };
    assert_eq!(comparable(a), comparable(b), "{}", String::from_utf8_lossy(text));
}

fn assert_comes_back(doll: &Doll) {
    let text = doll.to_text();
    let read = Doll::parse(&text);
    assert!(!read.has_errors() || doll.bodies.is_empty(), "{:?}\n{}", read.problems, String::from_utf8_lossy(&text));
    assert_same(doll, &read.doll, &text);
}

fn name(max: usize) -> impl Strategy<Value = Name> {
    let byte = prop_oneof![
        4 => b'a'..=b'z',
        1 => any::<u8>().prop_map(|b| if b == b'\n' || b == 0 { b'"' } else { b }),
        1 => proptest::sample::select(&b"\"/* \t;'"[..]),
    ];
    proptest::collection::vec(byte, 0..=max).prop_map(|bytes| Name::new(&bytes))
}

fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>().prop_map(|f| if f.is_finite() { f } else { -0.0 }),
        -100.0f32..100.0,
        Just(0.0f32),
        Just(-0.0f32),
    ]
}

fn not_negative() -> impl Strategy<Value = f32> {
    finite().prop_map(f32::abs)
}

fn positive() -> impl Strategy<Value = f32> {
    finite().prop_map(|f| if f == 0.0 { f32::from_bits(1) } else { f.abs() })
}

fn stop() -> impl Strategy<Value = f32> {
    prop_oneof![8 => finite(), 1 => Just(f32::NAN), 1 => Just(f32::INFINITY), 1 => Just(f32::NEG_INFINITY)]
}

fn vector() -> impl Strategy<Value = Vec3> {
    [finite(), finite(), finite()].prop_map(Vec3::from)
}

fn axis() -> impl Strategy<Value = Vec3> {
    vector().prop_filter("an axis has a direction", |v| v.try_normalize().is_some())
}

prop_compose! {
    fn body()(
        names in (name(31), name(70)),
        shape in proptest::sample::select(&Shape::ALL[..]),
        size in prop_oneof![[positive(), positive(), positive()], positive().prop_map(|s| [s; 3])],
        numbers in (positive(), finite(), any::<bool>()),
        offset in proptest::option::of((vector(), vector())),
        orient in proptest::option::of(proptest::option::of(name(70))),
    ) -> Body {
        let mut body = Body::new(names.0, names.1);
        (body.shape, body.size) = (shape, size);
        (body.mass, body.animate, body.draw) = numbers;
        body.offset = offset.map(|(position, angles)| Offset { position, angles });
        body.orient = orient.map(|bone| bone.map_or(Orient::Parent, Orient::Toward));
        body
    }
}

prop_compose! {
    /// The bodies are chosen when their number is known.
    fn joint()(
        name_ in name(31),
        kind in proptest::sample::select(&JointKind::ALL[..]),
        bodies in (any::<prop::sample::Index>(), proptest::option::of(any::<prop::sample::Index>())),
        flags in any::<(bool, bool)>(),
        axes in (axis(), axis()),
        stops in [stop(), stop(), stop(), stop()],
        twist in [stop(), stop()],
        muscle in (not_negative(), proptest::option::of(not_negative()), not_negative()),
        erp in [not_negative(), not_negative()],
        cfm in [not_negative(), not_negative()],
        fmax in [not_negative(), not_negative()],
        place in (proptest::option::of(name(70)), vector()),
    ) -> (Joint, prop::sample::Index, Option<prop::sample::Index>) {
        let mut joint = Joint::new(name_, kind, 0, None);
        (joint.enabled, joint.draw) = flags;
        (joint.axis, joint.axis2) = axes;
        joint.stops = [Stops { lo: stops[0], hi: stops[1] }, Stops { lo: stops[2], hi: stops[3] }];
        if kind == JointKind::Cone {
            joint.twist_stops = Stops { lo: twist[0], hi: twist[1] };
        }
        (joint.muscle, joint.muscle_damping, joint.slacken) = muscle;
        (joint.erp, joint.cfm, joint.fmax) = (erp, cfm, fmax);
        (joint.pivot, joint.offset) = place;
        (joint, bodies.0, bodies.1)
    }
}

fn doll() -> impl Strategy<Value = Doll> {
    let reference = prop_oneof![
        Just(ReferencePose::BindPose),
        (any::<u32>(), not_negative()).prop_map(|(index, time)| ReferencePose::Animation { index, time }),
    ];
    let parts = (reference, proptest::collection::vec(body(), 1..6), proptest::collection::vec(joint(), 0..6));
    parts.prop_map(|(reference, bodies, joints)| {
        let mut doll = Doll::default();
        (doll.reference, doll.bodies) = (reference, bodies);
        // Joints name bodies: of several bodies with one name only the first can be meant.
        let first = |index: &prop::sample::Index| {
            let name = &doll.bodies[index.index(doll.bodies.len())].name;
            doll.find_body(name.as_bytes()).unwrap()
        };
        let joints = joints.into_iter().map(|(mut joint, body1, body2)| {
            joint.body1 = first(&body1);
            joint.body2 = body2.map(|b| first(&b)).filter(|&b| b != joint.body1);
            joint
        });
        doll.joints = joints.collect();
        doll
    })
}

proptest! {
    #[test]
    fn any_doll_survives_printing_and_parsing(doll in doll()) {
        assert_comes_back(&doll);
    }

    #[test]
    fn any_number_survives_printing_and_parsing_bit_for_bit(bits in any::<u32>()) {
        let stop = f32::from_bits(bits);
        let mut doll = Doll::default();
        doll.bodies.push(Body::new("a".into(), "x".into()));
        doll.joints.push(Joint::new("j".into(), JointKind::Hinge, 0, None));
        doll.joints[0].stops[0].lo = stop;
        let read = Doll::parse(&doll.to_text()).doll.joints[0].stops[0].lo;
        prop_assert!(read.to_bits() == stop.to_bits() || read.is_nan() && stop.is_nan(), "{stop:?} came back as {read:?}");
    }
}

#[test]
fn text_is_as_short_as_a_person_would_write_it() {
    let text = "refpose 1 0.5

body torso \"Bip01 Spine\"
	shape capsule
	size 6 6 12
	mass 4
	orient \"Bip01 Neck\"

body head Head
	shape sphere
	size 5
	animate 0

joint neck torso head
	type universal
	LoStop -0.4
	HiStop 0.6
	LoStop2 -0.1
	HiStop2 0.1
	pivot Head 0 0 -2

joint hook torso
	type point
	offset 1 0 0
	enabled 0
";
    let doll = Doll::parse_strict(text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(doll.to_text()).unwrap(), text);
}

#[test]
fn names_that_would_not_be_one_word_are_quoted() {
    let mut doll = Doll::default();
    for bytes in
        [&b""[..], b"two words", b"\"", b"a\"b", b"//x", b"/*x", b"x//y", b"\xff\xfe", b"\r", b"default", b"'a'"]
    {
        doll.bodies.push(Body::new(Name::new(bytes), Name::new(bytes)));
    }
    assert_comes_back(&doll);
}

#[test]
fn dolls_that_were_read_are_written_as_the_same_dolls() {
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/dolls");
    let mut files = common::files(&golden);
    let own = files.len();
    match common::shared() {
        Some(shared) => {
            files.extend(common::files(&shared.join("golden/dolls")));
            files.extend(
                common::files(&shared.join("corpus/ragdoll"))
                    .into_iter()
                    .filter(|f| f.extension().is_some_and(|e| e == "doll")),
            );
        }
        None => println!("SKIPPED dolls_that_were_read_are_written_as_the_same_dolls: no shared folder"),
    }
    for file in &files {
        let doll = Doll::parse(&std::fs::read(file).unwrap()).doll;
        assert_comes_back(&doll);
    }
    println!("shared cases: dolls_that_were_read_are_written_as_the_same_dolls: {}", files.len() - own);
}
