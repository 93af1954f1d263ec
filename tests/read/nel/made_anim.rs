//! Hand-made animations.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AnimationSource, Model, ModelProblem};

use super::made::{MadeBone, f, object, posed, s, skeleton, u};
use crate::common::watched::read;

/// Quarter turn about Z.
const QUARTER: [f32; 4] = [0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2];

type Made = (&'static str, Vec<u8>);

/// Writes an animation (version 0) of tracks, each a class and a body.
pub fn anim(tracks: &[(&str, Made)]) -> Vec<u8> {
    let mut bytes = [b"NEL_ANIM".to_vec(), vec![0], s(""), u(&[tracks.len() as u32])].concat();
    for (number, (name, _)) in tracks.iter().enumerate() {
        bytes.extend([s(name), u(&[number as u32])].concat());
    }
    bytes.extend(u(&[tracks.len() as u32]));
    for (number, (_, (class, body))) in tracks.iter().enumerate() {
        bytes.extend([object(number as u32 + 50, class), body.clone()].concat());
    }
    bytes
}

pub fn default_vector(value: [f32; 3]) -> Made {
    ("CTrackDefaultVector", [vec![0], f(&value)].concat())
}

pub fn default_quat(value: [f32; 4]) -> Made {
    ("CTrackDefaultQuat", [vec![0], f(&value)].concat())
}

/// Writes a track of keys; `range` is begin and end of the loop, if not those of the keys.
fn keys(class: &'static str, keys: &[(f32, Vec<u8>)], range: Option<[f32; 2]>, looping: bool) -> Made {
    let mut bytes = [vec![0], u(&[keys.len() as u32])].concat();
    for (time, key) in keys {
        bytes.extend([f(&[*time]), vec![0], key.clone()].concat());
    }
    bytes.push(range.is_none().into());
    bytes.extend(f(&range.unwrap_or([f32::NAN; 2])));
    bytes.push(looping.into());
    (class, bytes)
}

/// Returns the bones that a track drives: a root and its child, the tip.
fn tip_driven(name: &str, track: &Made) -> Model {
    let bones = [MadeBone::new("root", -1, [0.0; 3]), MadeBone::new("tip", 0, [0.0; 3])];
    driven(&bones, &[(name, track.clone())])
}

/// Writes a vector along Z, which is the same axis in NeL and in Quake.
fn z(value: f32) -> Vec<u8> {
    f(&[0.0, 0.0, value])
}

/// Returns the height at which a track of positions puts the tip.
fn height(track: &Made, time: f64) -> f32 {
    posed(&tip_driven("tip.pos", track), time)[1].origin().z
}

#[test]
fn linear_keys_hold_their_ends_and_need_no_order() {
    let track = keys("CTrackKeyFramerLinearVector", &[(2.0, z(20.0)), (1.0, z(10.0))], None, false);
    for (time, value) in [(0.0, 10.0), (1.0, 10.0), (1.25, 12.5), (2.0, 20.0), (9.0, 20.0)] {
        assert_eq!(height(&track, time), value, "{time}");
    }
}

#[test]
fn the_gap_behind_the_last_key_of_a_loop_shows_the_first() {
    let two = [(0.0, z(1.0)), (1.0, z(2.0))];
    let track = keys("CTrackKeyFramerLinearVector", &two, Some([0.0, 3.0]), true);
    for (time, value) in [(0.5, 1.5), (1.5, 1.0), (2.9, 1.0), (3.5, 1.5), (-2.5, 1.5)] {
        assert!((height(&track, time) - value).abs() < 1e-6, "{time}");
    }
}

#[test]
fn a_loop_is_as_smooth_after_ten_days_as_at_its_beginning() {
    // Ten days are whole loops of three seconds.
    let keyed = [(0.0, z(1.0)), (1.0, z(2.0)), (3.0, z(-1.0))];
    let model = tip_driven("tip.pos", &keys("CTrackKeyFramerLinearVector", &keyed, None, true));
    let value = |time: f64| posed(&model, time)[1].origin().z;
    for step in 0..60 {
        let time = |step: i32| f64::from(step) / 60.0;
        assert_ne!(value(864_000.0 + time(step)), value(864_000.0 + time(step - 1)), "{step}");
        assert!((value(864_000.0 + time(step)) - value(time(step))).abs() < 1e-3, "{step}");
    }
    for time in [f64::MAX, f64::MIN, f64::INFINITY, f64::NAN] {
        assert!((-1.0..=2.0).contains(&value(time)), "{time}");
    }
}

#[test]
fn constant_keys_hold_until_the_next() {
    let track = keys("CTrackKeyFramerConstVector", &[(0.0, z(1.0)), (1.0, z(2.0))], None, false);
    assert_eq!([-1.0, 0.0, 0.9, 1.0, 9.0].map(|time| height(&track, time)), [1.0, 1.0, 1.0, 2.0, 2.0]);
}

#[test]
fn bezier_keys_bend_by_their_tangents_or_hold() {
    let key = |value: f32, slope: f32, step: u8| [z(value), z(slope), z(slope), vec![step]].concat();
    let track =
        |from: Vec<u8>, to: Vec<u8>| keys("CTrackKeyFramerBezierVector", &[(0.0, from), (2.0, to)], None, false);
    let bent = track(key(0.0, 0.0, 0), key(1.0, 0.0, 0));
    assert!((height(&bent, 0.5) - 0.15625).abs() < 1e-6);
    let straight = track(key(0.0, 0.5, 0), key(1.0, -0.5, 0));
    assert!((height(&straight, 0.5) - 0.25).abs() < 1e-6);
    let held = track(key(3.0, 1.0, 1), key(1.0, 1.0, 0));
    assert_eq!(height(&held, 1.9), 3.0);
}

#[test]
fn tcb_keys_of_no_tension_pass_evenly_and_ease() {
    let key = |value: f32, ease: [f32; 2]| f(&[0.0, 0.0, value, 0.0, 0.0, 0.0, ease[0], ease[1]]);
    let even = [(0.0, key(0.0, [0.0; 2])), (1.0, key(1.0, [0.0; 2])), (2.0, key(2.0, [0.0; 2]))];
    assert!((height(&keys("CTrackKeyFramerTCBVector", &even, None, false), 0.3) - 0.3).abs() < 1e-6);
    let eased = [(0.0, key(0.0, [0.0, 1.0])), (1.0, key(1.0, [0.0; 2]))];
    // The key is left at zero speed: the square of the time.
    assert!((height(&keys("CTrackKeyFramerTCBVector", &eased, None, false), 0.5) - 0.25).abs() < 1e-6);
}

#[test]
fn tcb_turns_count_from_the_key_before_also_past_a_whole_turn() {
    let key = |angle: f32| f(&[0.0, 0.0, 1.0, angle, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let pi = std::f32::consts::PI;
    let track = keys("CTrackKeyFramerTCBQuat", &[(0.0, key(0.5 * pi)), (1.0, key(0.5 * pi))], None, false);
    // The root faces along Quake's Y.
    let angle = |track: &Made, time: f64| {
        let forward = posed(&tip_driven("tip.rotquat", track), time)[1].forward();
        (forward.y.atan2(forward.x) - 0.5 * pi).rem_euclid(2.0 * pi)
    };
    assert!((angle(&track, 0.0) - 0.5 * pi).abs() < 1e-5);
    assert!((angle(&track, 0.5) - 0.75 * pi).abs() < 1e-5);
    assert!((angle(&track, 1.0) - pi).abs() < 1e-5);
    // Three turns: constant speed in the middle, half of them done half way.
    let fast = keys("CTrackKeyFramerTCBQuat", &[(0.0, key(0.0)), (1.0, key(6.0 * pi))], None, false);
    let speed = (angle(&fast, 0.51) - angle(&fast, 0.5)).rem_euclid(2.0 * pi);
    assert!((speed - 0.06 * pi).abs() < 1e-4, "{speed}");
    assert!((angle(&fast, 0.5) - pi).abs() < 1e-4);
}

#[test]
fn sampled_keys_stand_at_their_frames() {
    let block = |offset: u16, first: u32, times: &[u8]| {
        [vec![0], offset.to_le_bytes().to_vec(), u(&[first, times.len() as u32]), times.to_vec()].concat()
    };
    let common = [vec![0, 0, 0], f(&[1.0, 32.0, 31.0, 1.0 / 31.0, 0.1, 10.0])].concat();
    let blocks = [u(&[2]), block(0, 0, &[0, 10]), block(300, 2, &[0])].concat();
    let values = [u(&[3]), z(0.0), z(1.0), z(30.0)].concat();
    let track = ("CTrackSampledVector", [common.clone(), blocks, values.clone()].concat());
    for (time, value) in [(0.0, 0.0), (1.5, 0.5), (2.0, 1.0), (16.5, 15.5), (31.0, 30.0), (99.0, 30.0)] {
        let z = height(&track, time);
        assert!((z - value).abs() < 1e-4, "{time}: {z}");
    }
    let backwards = [common, u(&[2]), block(0, 0, &[5, 4]), block(300, 2, &[0]), values].concat();
    let (field, max) = ("frame of a key", 65535);
    assert_eq!(problem(("CTrackSampledVector", backwards)), ModelProblem::OutOfRange { field, found: 4, min: 6, max });
}

/// Returns why a track is refused.
fn problem(made: Made) -> ModelProblem {
    read("refused", &anim(&[("track", made)])).unwrap_err().problem
}

#[test]
fn times_must_be_finite_and_tracks_known() {
    let nan = keys("CTrackKeyFramerConstFloat", &[(f32::NAN, f(&[0.0]))], None, false);
    assert_eq!(problem(nan), ModelProblem::NotFinite { field: "time of a key" });
    for class in ["CTrackKeyFramerTCBString", "CTrackKeyFramerLinearBool", "CMesh", "CTrackDefault"] {
        assert_eq!(problem((class, vec![0; 40])), ModelProblem::UnsupportedClass { name: class.into() });
    }
}

#[test]
fn tracks_that_move_no_bone_are_checked_and_last() {
    let bezier = |numbers: usize| [f(&vec![0.5; 3 * numbers]), vec![0]].concat();
    let tcb = |numbers: usize| f(&vec![0.5; numbers + 5]);
    let (float, int, rgba, string, bool) = (f(&[2.0]), u(&[7]), vec![1, 2, 3, 4], s("step"), vec![1]);
    for (class, value) in [
        ("CTrackDefaultFloat", &float),
        ("CTrackDefaultInt", &int),
        ("CTrackDefaultRGBA", &rgba),
        ("CTrackDefaultString", &string),
        ("CTrackDefaultBool", &bool),
        ("CTrackKeyFramerConstFloat", &float),
        ("CTrackKeyFramerConstInt", &int),
        ("CTrackKeyFramerConstRGBA", &rgba),
        ("CTrackKeyFramerConstString", &string),
        ("CTrackKeyFramerConstBool", &bool),
        ("CTrackKeyFramerLinearFloat", &float),
        ("CTrackKeyFramerLinearInt", &int),
        ("CTrackKeyFramerLinearRGBA", &rgba),
        ("CTrackKeyFramerBezierFloat", &bezier(1)),
        ("CTrackKeyFramerBezierInt", &bezier(1)),
        ("CTrackKeyFramerBezierRGBA", &bezier(3)),
        ("CTrackKeyFramerTCBFloat", &tcb(1)),
        ("CTrackKeyFramerTCBInt", &tcb(1)),
        ("CTrackKeyFramerTCBRGBA", &tcb(3)),
    ] {
        let is_constant = class.starts_with("CTrackDefault");
        let made = |time: f32, value: &[u8], range, looping| match is_constant {
            true => (class, [&[0], value].concat()),
            false => keys(class, &[(0.5, value.to_vec()), (time, value.to_vec())], range, looping),
        };
        let bytes = |made: Made| anim(&[("light", made)]);
        for (range, looping, duration) in [(None, false, 1.5), (Some([0.0, 3.0]), true, 3.0)] {
            let model = read(class, &bytes(made(1.5, value, range, looping))).unwrap();
            assert!(model.warnings.is_empty() && model.skeleton.is_empty(), "{class}: {:?}", model.warnings);
            let animation = &model.animations[0];
            let expected = if is_constant { (1.0 / 30.0, true) } else { (duration, looping) };
            assert_eq!((animation.duration(), animation.looping), expected, "{class}");
        }
        let tip = posed(&tip_driven("tip.pos", &made(1.5, value, None, false)), 1.0)[1];
        assert_eq!(tip.origin(), Vec3::ZERO, "{class}");
        let whole = bytes(made(1.5, value, None, false));
        for length in 0..whole.len() {
            assert!(read(class, &whole[..length]).is_err(), "{class} cut to {length}");
        }
        let longer = read(class, &[&whole[..], &[0]].concat()).unwrap();
        assert_eq!(longer.warnings[0].message(), "accepted: bytes after the end of the contents", "{class}");
        if !is_constant {
            let field = "time of a key";
            assert_eq!(problem(made(f32::NAN, value, None, false)), ModelProblem::NotFinite { field }, "{class}");
        }
        let has_floats = class.ends_with("Float") || class.contains("Bezier") || class.contains("TCB");
        if has_floats {
            let bad = [&f32::NAN.to_le_bytes(), &value[4..]].concat();
            let [warning] = &read(class, &bytes(made(1.5, &bad, None, false))).unwrap().warnings[..] else {
                panic!("{class}")
            };
            assert_eq!(warning.section, "track", "{class}");
        }
        let newer = (class, [&[1], &made(1.5, value, None, false).1[1..]].concat());
        let version = ModelProblem::UnsupportedVersion { found: 1, expected: "0" };
        assert_eq!(problem(newer), version, "{class}");
    }
}

/// Returns the bones of a skeleton driven by tracks.
fn driven(bones: &[MadeBone], tracks: &[(&str, Made)]) -> Model {
    let mut model = read("skeleton", &skeleton(bones)).unwrap();
    let fit = model.join(&read("animation", &anim(tracks)).unwrap()).unwrap();
    assert!(fit.matched > 0);
    assert_eq!(model.animations.len(), 1);
    model
}

#[test]
fn bones_that_no_track_drives_keep_their_default() {
    let bones = [MadeBone::new("root", -1, [0.0, 0.0, 1.0]), MadeBone::new("tip", 0, [2.0, 0.0, 0.0])];
    let without_keys = keys("CTrackKeyFramerLinearVector", &[], None, false);
    let tracks = [
        ("tip.rotquat", default_quat(QUARTER)),
        ("tip.pos", without_keys),
        ("tip.scale", default_quat([2.0; 4])),
        ("root.rotquat", default_vector([1.0; 3])),
        ("nobody.pos", default_vector([9.0; 3])),
    ];
    let model = driven(&bones, &tracks);
    let tip = posed(&model, 0.7)[1];
    assert!((tip.origin() - Vec3::new(0.0, 2.0, 1.0)).length() < 1e-6);
    assert!((tip.forward() - Vec3::NEG_X).length() < 1e-6);
}

#[test]
fn tracks_without_a_bone_move_the_whole_object() {
    let bones = [MadeBone::new("root", -1, [0.0, 0.0, 1.0])];
    let tracks = [("pos", default_vector([5.0, 0.0, 0.0])), ("root.scale", default_vector([1.0, 1.0, 2.0]))];
    let root = posed(&driven(&bones, &tracks), 0.0)[0];
    assert_eq!(root.origin(), Vec3::new(0.0, 5.0, 1.0));
    assert_eq!(root.up(), Vec3::Z * 2.0);
}

/// A root without the rotation that its skin has stands in Quake's axes until a track turns it.
#[test]
fn roots_that_wait_for_the_game_are_in_quake_axes_until_they_are_turned() {
    let bone = |turned_skin: bool| {
        let root = [MadeBone::new("root", -1, [1.0, 0.0, 0.0])];
        let mut bytes = skeleton(&root);
        if turned_skin {
            // The inverse bind matrix gets axes: a quarter turn.
            let at = bytes.windows(4).position(|b| b == b"root").unwrap() + 5;
            bytes[at] |= 0x0e;
            let axes = f(&[0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
            bytes.splice(at + 8..at + 8, axes);
        }
        read("root", &bytes).unwrap()
    };
    assert_eq!(posed(&bone(false), 0.0)[0].origin(), Vec3::Y);
    let mut waiting = bone(true);
    assert_eq!(posed(&waiting, 0.0)[0].origin(), Vec3::X);
    let still = anim(&[("root.scale", default_vector([1.0; 3])), ("rotquat", default_quat([0.0, 0.0, 0.0, 1.0]))]);
    waiting.join(&read("turned", &still).unwrap()).unwrap();
    assert_eq!(posed(&waiting, 0.0)[0].origin(), Vec3::Y);
}

#[test]
fn an_animation_lasts_until_its_last_track_ends() {
    let track = keys("CTrackKeyFramerLinearVector", &[(0.0, f(&[0.0; 3])), (1.37, f(&[1.0; 3]))], None, false);
    let model = read("animation", &anim(&[("tip.pos", track), ("glow", default_vector([0.0; 3]))])).unwrap();
    let [animation] = &model.animations[..] else { panic!("{:?}", model.animations) };
    assert!((animation.duration() - 1.37).abs() < 1e-6);
    assert!(!animation.looping);
    assert_eq!(model.skeleton.names(), [skelobj::model::Name::from("tip")]);
    // In the baked animation the last pose is the last moment.
    let baked = model.baked();
    assert!((baked.frame(baked.frame_count() - 1).unwrap()[0].origin() - Vec3::ONE).length() < 1e-4);
}

#[test]
fn an_animation_of_no_bones_is_written_as_nothing() {
    let keys = keys("CTrackKeyFramerLinearFloat", &[(0.0, f(&[1.0])), (9.0, f(&[2.0]))], None, false);
    let model = read("light.anim", &anim(&[("light", keys)])).unwrap();
    assert!(model.skeleton.is_empty() && model.animations.len() == 1);
    assert!(model.animations[0].name == *"light");
    assert_eq!(model.baked().animations[0].source, AnimationSource::BindPose);
    let written = skelobj::write::iqm(&model).unwrap();
    assert_eq!(read("light.iqm", &written).unwrap().frame_count(), 0);
}

/// Chains of ten bones whose own skeleton is ordinary.
#[test]
fn chains_that_tracks_scale_beyond_the_range_of_numbers_are_refused() {
    let names: Vec<String> = (0..10).map(|bone| format!("b{bone}")).collect();
    let names: Vec<&'static str> = names.into_iter().map(|name| &*name.leak()).collect();
    let chain = |inherits: bool| {
        let bones = names.iter().enumerate().map(|(number, name)| MadeBone {
            drops_scale: !inherits,
            ..MadeBone::new(name, number as i32 - 1, [0.0, 0.0, 1.0])
        });
        let bones: Vec<MadeBone> = bones.collect();
        read("chain.skel", &skeleton(&bones)).unwrap()
    };
    let tracks = |value: &str, track: Made| {
        let named: Vec<String> = names.iter().map(|name| format!("{name}.{value}")).collect();
        let tracks: Vec<(&str, Made)> = named.iter().map(|name| (name.as_str(), track.clone())).collect();
        read("chain.anim", &anim(&tracks)).unwrap()
    };
    let key = |scale: f32| f(&[scale; 3]);
    let growing = keys("CTrackKeyFramerLinearVector", &[(0.0, key(1.0)), (1.0, key(1e6))], None, false);
    let crossing = keys("CTrackKeyFramerLinearVector", &[(0.0, key(1.0)), (1.0, key(-1.0))], None, false);
    // Between its keys the curve comes near 0, but not to it.
    let curved = [(0.0, 1.0), (1.0, 0.1), (2.0, 1.0)]
        .map(|(time, scale)| (time, f(&[scale, scale, scale, 0.0, 0.0, 0.0, 0.0, 0.0])));
    let curved = keys("CTrackKeyFramerTCBVector", &curved, None, false);
    // Both keys are 0; halfway the curve is a quarter of its slope.
    let beyond_its_keys = |slope: f32| {
        let key = [f(&[0.0, 0.0, 0.0, slope, slope, slope, slope, slope, slope]), vec![0]].concat();
        keys("CTrackKeyFramerBezierVector", &[(0.0, key.clone()), (1.0, key)], None, false)
    };
    for (motion, inherits, is_refused) in [
        (tracks("scale", curved), false, false),
        (tracks("pos", beyond_its_keys(1e14)), true, false),
        (tracks("pos", beyond_its_keys(1e21)), true, true),
        (tracks("pos", beyond_its_keys(-1e21)), true, true),
        (tracks("scale", default_vector([2.0; 3])), true, false),
        (tracks("scale", default_vector([1e6; 3])), true, true),
        (tracks("scale", growing.clone()), true, true),
        // Bones that drop the scale of their parents divide by it, which may be that of another time in a blend.
        (tracks("scale", default_vector([0.5; 3])), false, false),
        (tracks("scale", growing), false, true),
        (tracks("scale", crossing), false, true),
        (tracks("scale", default_vector([1e-20, 1.0, 1e-3])), false, true),
        (tracks("scale", default_vector([1e25; 3])), false, true),
        (tracks("pos", default_vector([1e14; 3])), true, false),
        (tracks("pos", default_vector([3e38; 3])), true, true),
        (tracks("pivot", default_vector([1e20; 3])), true, true),
    ] {
        let mut model = chain(inherits);
        let before = model.clone();
        match model.join(&motion) {
            Ok(_) => assert!(!is_refused, "{motion:?}"),
            Err(error) => {
                assert!(is_refused && error.to_string().contains("range of an f32"), "{error}");
                assert_eq!(model, before);
                continue;
            }
        }
        for step in 0..=40 {
            let bones = posed(&model, f64::from(step) * 0.025);
            let mut matrices = bones.clone();
            skelobj::pose::palette(&bones, model.skeleton.inverse_bind(), &mut matrices);
            assert!(matrices.iter().all(skelobj::math::Mat3x4::is_finite), "{motion:?} at {step}");
        }
    }
}

/// A bone is scaled about its pivot, so that a far pivot moves it by many times its distance.
#[test]
fn scales_about_far_pivots_are_refused_beyond_the_range_of_numbers() {
    let bones = [MadeBone::new("root", -1, [0.0; 3]), MadeBone::new("tip", 0, [1.0, 0.0, 0.0])];
    let model = read("skeleton", &skeleton(&bones)).unwrap();
    for (scale, pivot, is_refused) in [(1e3, 1e3, false), (1e14, 1.0, false), (1.0, 1e14, false), (1e14, 1e14, true)] {
        let tracks = ["root.scale", "tip.scale"].map(|name| (name, default_vector([scale; 3])));
        let pivots = ["root.pivot", "tip.pivot"].map(|name| (name, default_vector([pivot; 3])));
        let motion = read("animation", &anim(&[tracks, pivots].concat())).unwrap();
        let mut model = model.clone();
        match model.join(&motion) {
            Ok(_) => assert!(!is_refused && posed(&model, 0.0).iter().all(Mat3x4::is_finite), "{scale} {pivot}"),
            Err(error) => assert!(is_refused && error.to_string().contains("range of an f32"), "{error}"),
        }
    }
}

#[test]
fn an_animation_without_length_has_one_pose() {
    let held = |time: f32| keys("CTrackKeyFramerLinearVector", &[(time, f(&[1.0; 3]))], None, false);
    for tracks in [vec![], vec![("tip.pos", held(0.0))], vec![("tip.pos", default_vector([1.0; 3]))]] {
        let model = read("animation", &anim(&tracks)).unwrap();
        let [animation] = &model.animations[..] else { panic!("{:?}", model.animations) };
        assert_eq!((animation.pose_count(), animation.rate), (1, 30.0), "{tracks:?}");
    }
}
