//! IQM: a written model reads back as it was, and a model that no file can hold is refused.

use crate::common;
use crate::common::corpus;
use proptest::prelude::*;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{
    Action, Animation, AnimationSource, Bone, Bounds, CustomArray, Event, Influences, Mesh, Name, Skeleton, Skin,
    SkinMaterial, SurfaceInfo,
};
use skelobj::write::{self, WriteError};
use skelobj::{Format, Model};

fn read(bytes: &[u8]) -> Model {
    Model::load("m.iqm", bytes, |_| None).unwrap_or_else(|e| panic!("{e}"))
}

fn turned(axis: Vec3, angle: f32, origin: Vec3) -> Mat3x4 {
    Mat3x4::from_rotation_translation(Quat::from_axis_angle(axis.normalize(), angle), origin)
}

/// Returns three bones in a row, the last with a scale.
fn skeleton() -> Skeleton {
    let scaled = turned(Vec3::Z, 0.3, Vec3::new(0.0, 0.0, 8.0)).0;
    let scaled = Mat3x4(std::array::from_fn(|i| if i % 4 == 3 { scaled[i] } else { scaled[i] * 2.5 }));
    let bones = [
        ("root", None, turned(Vec3::X, 0.1, Vec3::ZERO)),
        ("spine", Some(0), turned(Vec3::Y, -0.7, Vec3::new(1.0, 2.0, 10.0))),
        ("head", Some(1), scaled),
    ];
    let bone = |(name, parent, bind): (&str, _, _)| Bone { name: name.into(), parent, bind };
    Skeleton::new(bones.into_iter().map(bone).collect()).unwrap()
}

/// Returns `count` frames of three bones: the first is constant, the second rotates, the third moves and grows.
fn frames(count: usize) -> Vec<Mat3x4> {
    (0..count)
        .flat_map(|frame| {
            let t = frame as f32;
            let grown = turned(Vec3::ONE, t * 0.4, Vec3::new(t, 5.0 - t * 3.0, 8.0)).0;
            let grow = 1.0 + 0.1 * t;
            [
                turned(Vec3::X, 0.1, Vec3::ZERO),
                turned(Vec3::Y, t * 0.9, Vec3::new(1.0, 2.0, 10.0)),
                Mat3x4(std::array::from_fn(|i| if i % 4 == 3 { grown[i] } else { grown[i] * grow })),
            ]
        })
        .collect()
}

/// Returns a square with every type of vertex array.
fn mesh(name: &str) -> Mesh {
    let influences = [
        Influences { bones: [0; 4], weights: [1.0, 0.0, 0.0, 0.0] },
        Influences { bones: [1, 2, 0, 0], weights: [0.75, 0.25, 0.0, 0.0] },
        Influences { bones: [2, 1, 0, 0], weights: [0.5, 0.25, 0.25, 0.0] },
        Influences { bones: [2, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] },
    ];
    let custom = CustomArray { name: "wind".into(), components: 2, data: (0..8).map(|v| v as f32 * 0.1).collect() };
    Mesh {
        name: name.into(),
        material: "textures/square.tga".into(),
        positions: vec![[0.0, 0.0, 0.1], [1.0, 0.0, 0.2], [1.0, 1.0, -7.5], [0.0, 1.0, 0.4]],
        normals: vec![[0.0, 0.0, 1.0]; 4],
        tangents: vec![[1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 1.0], [0.6, 0.8, 0.0, 1.0]],
        texcoords: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.5], [-0.3, 1.0]],
        colors: vec![[1.0, 0.2, 0.4, 1.0]; 4],
        influences: influences.into(),
        custom: vec![custom],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Mesh::default()
    }
}

/// Returns a model with contents in every part.
fn model() -> Model {
    let mut walk = Animation::frames("walk", 0, 4, 20.0, true);
    walk.events = vec![
        Event { time: 0.05, code: 1004, data: "step.wav 1".into() },
        Event { time: 0.15, code: 7, data: "".into() },
    ];
    let die = Animation::frames("die", 4, 2, 12.5, false);
    let surface = SurfaceInfo { flags: 3, body: 1, geomset: 2, geomid: 9, max_distance: 512.0, ..Default::default() };
    let skin = |mesh, interval, materials: &[&str]| Skin {
        mesh,
        interval,
        materials: materials
            .iter()
            .map(|&m| SkinMaterial { material: m.into(), shader: if m == "b" { "{ map b }" } else { "" }.into() })
            .collect(),
    };
    Model {
        skeleton: skeleton(),
        animations: vec![walk, die],
        frames: frames(6),
        bounds: (0..6)
            .map(|i| Bounds { mins: [-1.0, -2.0, i as f32], maxs: [3.0, 4.0, 9.5], xy_radius: 4.5, radius: 11.0 })
            .collect(),
        meshes: vec![mesh("front"), Mesh { surface, ..mesh("back") }],
        skins: vec![skin(0, 0.1, &["a", "b"]), skin(0, 0.0, &["c"]), skin(1, 0.5, &["b"])],
        flags: 0x20,
        comments: vec!["made by a test".into(), "".into(), "twice".into()],
        ..Model::default()
    }
}

/// Returns the largest difference between two lists of matrices, relative to the size of each bone.
fn difference(a: &[Mat3x4], b: &[Mat3x4]) -> f32 {
    assert_eq!(a.len(), b.len());
    let worst = |(a, b): (&Mat3x4, &Mat3x4)| {
        let size = a.0.iter().fold(1.0, |size: f32, v| size.max(v.abs()));
        a.0.iter().zip(b.0).map(|(a, b)| (a - b).abs() / size).fold(0.0, f32::max)
    };
    a.iter().zip(b).map(worst).fold(0.0, f32::max)
}

/// Checks that everything but matrices is equal; returns the differences of the bind pose and of the frames.
fn assert_same(what: &str, a: &Model, b: &Model) -> (f32, f32) {
    assert_eq!(a.skeleton.names(), b.skeleton.names(), "{what}");
    assert_eq!(a.skeleton.parents(), b.skeleton.parents(), "{what}");
    assert_eq!(a.skeleton.has_bind(), b.skeleton.has_bind(), "{what}");
    assert_eq!(a.animations, b.animations, "{what}");
    assert_eq!(a.bounds, b.bounds, "{what}");
    assert_eq!(a.meshes, b.meshes, "{what}");
    assert_eq!(a.skins, b.skins, "{what}");
    assert_eq!(a.flags, b.flags, "{what}");
    assert_eq!(a.comments, b.comments, "{what}");
    let bind = difference(a.skeleton.bind_local(), b.skeleton.bind_local());
    (bind, difference(&a.frames, &b.frames))
}

#[test]
fn a_model_with_every_feature_survives_a_round_trip() {
    let model = model();
    let back = read(&write::iqm(&model).unwrap());
    assert_eq!(back.warnings, []);
    let (bind, frames) = assert_same("model", &model, &back);
    assert!(bind < 1e-6, "{bind}");
    assert!(frames < 1e-4, "{frames}");
}

#[test]
fn channels_that_hold_still_take_no_frame_data() {
    let moving = model();
    let mut still = moving.clone();
    still.frames = frames(1).repeat(6);
    let (moving, still_bytes) = (write::iqm(&moving).unwrap(), write::iqm(&still).unwrap());
    // At least, in six frames: two channels of the rotating bone, and all but translation x and y of the growing one.
    assert!(moving.len() > still_bytes.len() + 6 * 2 * 8, "{} {}", moving.len(), still_bytes.len());
    assert!(difference(&read(&still_bytes).frames, &still.frames) < 1e-6);
}

#[test]
fn rewriting_a_model_changes_nothing_that_does_not_rotate() {
    let mut model = model();
    model.frames.clear();
    model.bounds.clear();
    model.animations.clear();
    let straight = |i: usize| Bone {
        name: ["a", "b", "c"][i].into(),
        parent: i.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::new(0.1, i as f32, 3.3)),
    };
    model.skeleton = Skeleton::new((0..3).map(straight).collect()).unwrap();
    let once = write::iqm(&model).unwrap();
    assert_eq!(write::iqm(&read(&once)).unwrap(), once);
}

/// The length of quantised quaternions is not exactly 1, so another round changes bytes; matrices stay.
#[test]
fn repeated_writing_does_not_drift() {
    let model = model();
    let first = write::iqm(&model).unwrap();
    let mut bytes = first.clone();
    for _ in 0..20 {
        bytes = write::iqm(&read(&bytes)).unwrap();
        assert_eq!(bytes.len(), first.len());
    }
    let (bind, frames) = assert_same("20 rounds", &model, &read(&bytes));
    assert!(bind < 1e-5 && frames < 2e-4, "{bind} {frames}");
}

#[test]
fn animations_with_an_order_of_their_own_get_their_own_frames() {
    let mut model = model();
    let list = |name: &str, source| Animation { source, ..Animation::frames(name, 0, 1, 10.0, false) };
    model.animations.push(list("back and forth", AnimationSource::List(vec![5, 0, 5])));
    model.animations.push(list("rest", AnimationSource::BindPose));
    let back = read(&write::iqm(&model).unwrap());
    assert_eq!(back.frame_count(), 6 + 3 + 1);
    assert_eq!(back.bounds.len(), 10);
    assert_eq!(back.animations[2].source, AnimationSource::Frames { first: 6, count: 3 });
    assert_eq!(back.animations[3].source, AnimationSource::Frames { first: 9, count: 1 });
    for (ours, back_animation) in model.animations.iter().zip(&back.animations) {
        assert_eq!(ours.pose_count(), back_animation.pose_count());
        for pose in 0..ours.pose_count() {
            let far = difference(model.pose(ours, pose), back.pose(back_animation, pose));
            assert!(far < 1e-4, "{} {pose}: {far}", ours.name);
        }
    }
    assert_eq!(back.bounds[6], model.bounds[5]);
    assert_eq!((back.bounds[9].mins, back.bounds[9].maxs), ([0.0, 0.0, -7.5], [1.0, 1.0, 0.4]));
}

#[test]
fn a_model_that_only_shows_its_bind_pose_gets_no_animations() {
    let mut model = Model { skeleton: skeleton(), meshes: vec![mesh("m")], ..Model::default() };
    let base = Animation { source: AnimationSource::BindPose, ..Animation::frames("base", 0, 1, 10.0, true) };
    model.animations = vec![base.clone()];
    let bytes = write::iqm(&model).unwrap();
    assert_eq!(bytes[84..88], [0; 4], "number of animations");
    assert_eq!(read(&bytes).animations, [base]);
}

#[test]
fn a_model_without_bones_is_written_as_it_stands() {
    let mut still = mesh("flag");
    still.influences.clear();
    let mut moving = still.clone();
    moving.frames.positions = moving.positions.repeat(3);
    let bounds = vec![Bounds { mins: [0.0; 3], maxs: [1.0; 3], xy_radius: 1.0, radius: 1.0 }; 3];
    let animations = vec![Animation::frames("wave", 0, 3, 10.0, true)];
    let model = Model { meshes: vec![moving], animations, bounds, ..Model::default() };
    assert_eq!(model.frame_count(), 3);
    assert_eq!(read(&write::iqm(&model).unwrap()), Model { meshes: vec![still], ..Model::default() });
}

#[test]
fn bones_without_a_bind_pose_keep_their_names() {
    let bones = vec![("root".into(), None), ("".into(), Some(0)), ("tip".into(), Some(0))];
    let skeleton = Skeleton::without_bind(bones).unwrap();
    let animations = vec![Animation::frames("walk", 0, 6, 20.0, true)];
    let model = Model { skeleton, animations, frames: frames(6), ..Model::default() };
    let back = read(&write::iqm(&model).unwrap());
    assert_eq!((back.skeleton.names(), back.skeleton.parents()), (model.skeleton.names(), model.skeleton.parents()));
    assert!(difference(back.skeleton.bind_local(), model.frame(0).unwrap()) < 1e-4);
    assert_eq!(back.animations, model.animations);
    assert!(difference(&model.frames, &back.frames) < 1e-4);

    let empty = Model { frames: Vec::new(), animations: Vec::new(), ..model };
    assert_eq!(read(&write::iqm(&empty).unwrap()).skeleton.names(), empty.skeleton.names());
}

#[test]
fn an_animation_of_doom_3_keeps_its_names() {
    let text = b"MD5Version 10 numFrames 1 numJoints 2 frameRate 24 numAnimatedComponents 0
        hierarchy { \"pelvis\" -1 0 0 \"spine\" 0 0 0 } bounds { (0 0 0) (0 0 0) }
        baseframe { (0 0 1) (0 0 0) (0 0 2) (0 0 0) } frame 0 { }";
    let model = Model::load("walk.md5anim", text, |_| None).unwrap();
    assert!(Format::Iqm.losses(&model).is_empty());
    let back = read(&write::iqm(&model).unwrap());
    assert_eq!(back.skeleton.names(), ["pelvis", "spine"].map(Name::from));
    assert_eq!(back.skeleton.bind_model()[1].origin().z, 3.0);
    assert_eq!(back.animations[0].name.to_string(), "walk");
}

#[test]
fn nameless_bones_without_a_bind_pose_are_written_as_poses_alone() {
    let bones = vec![("".into(), None), ("".into(), Some(0)), ("".into(), Some(0))];
    let skeleton = Skeleton::without_bind(bones).unwrap();
    let animations = vec![Animation::frames("walk", 0, 6, 20.0, true)];
    let model = Model { skeleton, animations, frames: frames(6), ..Model::default() };
    let back = read(&write::iqm(&model).unwrap());
    assert!(!back.skeleton.has_bind());
    assert_eq!(back.skeleton.parents(), [-1, 0, 0]);
    assert!(back.skeleton.names().iter().all(|name| name.is_empty()));
    assert_eq!(back.animations, model.animations);
    assert!(difference(&model.frames, &back.frames) < 1e-4);

    let empty = Model { frames: Vec::new(), animations: Vec::new(), ..model };
    let back = read(&write::iqm(&empty).unwrap());
    assert_eq!((back.skeleton.parents(), back.animations.len()), (&[-1, 0, 0][..], 0));
}

/// Two quaternions describe each rotation: neighbouring frames have neighbouring ones, otherwise their range would be
/// the whole circle.
#[test]
fn a_small_turn_is_precise_at_any_angle() {
    for start in 0..72 {
        let angle = |step: usize| (start as f32 * 5.0 + step as f32).to_radians();
        let frames: Vec<Mat3x4> = (0..6).map(|step| turned(Vec3::Z, angle(step), Vec3::ZERO)).collect();
        let skeleton = Skeleton::new(vec![Bone { name: "b".into(), parent: None, bind: frames[0] }]).unwrap();
        let animations = vec![Animation::frames("a", 0, 6, 10.0, false)];
        let model = Model { skeleton, frames, animations, ..Model::default() };
        let far = difference(&model.frames, &read(&write::iqm(&model).unwrap()).frames);
        assert!(far < 3e-6, "{} degrees: {far}", start * 5);
    }
}

#[test]
fn odd_matrices_are_written_as_far_as_their_axes_allow() {
    let columns = |f: Vec3, l: Vec3, u: Vec3| Mat3x4::from_columns(f, l, u, Vec3::new(1.0, 2.0, 3.0));
    let mut odd = vec![Mat3x4::ZERO, columns(-Vec3::X, Vec3::Y, Vec3::Z), columns(Vec3::X, Vec3::Z, Vec3::Y)];
    let axes = [Vec3::new(0.0, 0.6, 0.8), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.8, -0.6)];
    for kept in 0..8 {
        let axis = |i: usize| if kept & 1 << i != 0 { axes[i] * (i as f32 + 1.0) } else { Vec3::ZERO };
        odd.push(columns(axis(0), axis(1), axis(2)));
    }
    for bind in odd {
        let skeleton = Skeleton::new(vec![Bone { name: "b".into(), parent: None, bind }]).unwrap();
        let frames = vec![bind, Mat3x4::IDENTITY];
        let animations = vec![Animation::frames("a", 0, 2, 10.0, false)];
        let model = Model { skeleton, frames, animations, ..Model::default() };
        let back = read(&write::iqm(&model).unwrap());
        assert!(difference(back.skeleton.bind_local(), &[bind]) < 1e-6, "{bind:?} {:?}", back.skeleton);
        assert!(difference(&back.frames, &model.frames) < 1e-4, "{bind:?} {:?}", back.frames);
    }
}

#[test]
fn arrays_that_some_meshes_lack_are_filled() {
    let bare = Mesh { positions: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 2]], ..Mesh::default() };
    let model = Model { skeleton: skeleton(), meshes: vec![bare, mesh("full")], ..Model::default() };
    let back = read(&write::iqm(&model).unwrap());
    assert_eq!(back.meshes[1], model.meshes[1]);
    let bare = &back.meshes[0];
    assert_eq!(bare.influences, [Influences { bones: [0; 4], weights: [1.0, 0.0, 0.0, 0.0] }; 3]);
    assert_eq!(bare.colors, [[1.0; 4]; 3]);
    assert_eq!(bare.normals, [[0.0; 3]; 3]);
    assert_eq!(bare.custom[0].data, [0.0; 6]);
}

#[test]
fn more_than_256_bones_are_told_apart_by_vertices() {
    let bone = |i: usize| Bone { name: format!("b{i}").as_str().into(), parent: None, bind: Mat3x4::IDENTITY };
    let mut mesh = mesh("far");
    mesh.influences[0].bones[0] = 299;
    let skeleton = Skeleton::new((0..300).map(bone).collect()).unwrap();
    let model = Model { skeleton, meshes: vec![mesh], ..Model::default() };
    assert_eq!(read(&write::iqm(&model).unwrap()).meshes, model.meshes);
}

#[test]
fn weights_and_colors_that_no_byte_holds_survive_exactly() {
    let mut mesh = mesh("fine");
    mesh.influences[1].weights = [0.7, 0.3, 0.0, 0.0];
    mesh.colors[2] = [0.123, 0.0, 2.0, 1.0];
    let model = Model { skeleton: skeleton(), meshes: vec![mesh], ..Model::default() };
    assert_eq!(read(&write::iqm(&model).unwrap()).meshes, model.meshes);
}

#[test]
fn contradictions_are_refused() {
    let check = |expected: WriteError, change: fn(&mut Model)| {
        let mut model = model();
        change(&mut model);
        assert_eq!(write::iqm(&model), Err(expected));
    };
    let normals = WriteError::ArrayLength { mesh: 1, array: "normals", found: 3, expected: 4 };
    check(normals, |m| m.meshes[1].normals.truncate(3));
    let custom = WriteError::ArrayLength { mesh: 0, array: "custom values", found: 3, expected: 4 };
    check(custom, |m| m.meshes[0].custom[0].data.truncate(7));
    check(WriteError::TriangleIndex { mesh: 0, triangle: 1 }, |m| m.meshes[0].triangles[1][2] = 4);
    check(WriteError::BoneIndex { mesh: 0, vertex: 2 }, |m| m.meshes[0].influences[2].bones[3] = 3);
    check(WriteError::FrameLength { matrices: 17, bones: 3 }, |m| m.frames.truncate(17));
    check(WriteError::BoundsCount { found: 5, expected: 6 }, |m| m.bounds.truncate(5));
    check(WriteError::AnimationRange { animation: 1 }, |m| m.animations[1] = Animation::frames("", 4, 3, 1.0, false));
    check(WriteError::AnimationRange { animation: 0 }, |m| m.animations[0].source = AnimationSource::List(vec![6]));
    check(WriteError::Skin { skin: 2 }, |m| m.skins[2].mesh = 2);
    check(WriteError::Skin { skin: 0 }, |m| m.skins[0].materials.clear());
    check(WriteError::NotFinite { what: "frames" }, |m| m.frames[4].0[7] = f32::NAN);
    check(WriteError::NotFinite { what: "positions" }, |m| m.meshes[0].positions[1][1] = f32::INFINITY);
    check(WriteError::NoBindPose { mesh: 0 }, |m| {
        let bones = (0..3).map(|_| (Default::default(), None)).collect();
        m.skeleton = Skeleton::without_bind(bones).unwrap();
    });
}

#[test]
fn actions_are_not_stored_in_an_iqm() {
    let mut model = model();
    model.animations[0].action = Action { id: 3, weight: 1.0 };
    let back = read(&write::iqm(&model).unwrap());
    assert_eq!(back.animations[0].action, Action::NONE);
}

/// Real files are equal within quantisation after writing and reading.
#[test]
fn real_files_survive_a_round_trip() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED real_files_survive_a_round_trip: no shared folder");
        return;
    };
    let (mut count, mut worst) = (0, 0.0_f32);
    for folder in ["corpus/iqm", "corpus/derived_iqm", "golden/models"] {
        for path in common::files(&shared.join(folder)) {
            if !path.extension().is_some_and(|e| e == "iqm" || e == "vvm") {
                continue;
            }
            let what = path.display().to_string();
            let mut model = read(&std::fs::read(&path).unwrap());
            // Rates that the file lacks are written as their defaults.
            model.warnings.retain(|w| {
                !w.message().starts_with("no usable frame rate") && !w.message().contains("non-finite; replaced")
            });
            // The angles of turns differ by rounding errors, which their messages do not show.
            let messages = |model: &Model| model.warnings.iter().map(|warning| warning.message()).collect::<Vec<_>>();
            let bytes = write::iqm(&model).unwrap_or_else(|e| panic!("{what}: {e}"));
            let back = read(&bytes);
            assert_eq!(messages(&back), messages(&model), "{what}");
            let (bind, frames) = assert_same(&what, &model, &back);
            worst = worst.max(if what.ends_with("nonunit.iqm") { 0.0 } else { frames });
            // nonunit.iqm has quaternions that are far from unit length: they shear, and shear is lost.
            assert!(what.ends_with("nonunit.iqm") || (bind < 1e-6 && frames < 1e-4), "{what}: {bind} {frames}");
            count += 1;
        }
    }
    println!("shared cases: real_files_survive_a_round_trip: {count} (frames differ by {worst:e} at most)");
}

/// Real files of every format pose and look the same as IQM.
#[test]
fn every_model_of_the_corpus_becomes_an_iqm() {
    corpus::assert_come_back("every_model_of_the_corpus_becomes_an_iqm", write::iqm, read, |name, model, back| {
        assert_eq!(back.skeleton.parents(), model.skeleton.parents(), "{name}");
        for model in [model, back] {
            if model.skeleton.is_empty() || model.animations.iter().all(Animation::is_rest_pose) {
                model.animations.clear();
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rigid_motion_survives_within_quantisation(
        moves in prop::collection::vec(
            (prop::array::uniform3(-1.0f32..1.0), -3.0f32..3.0, prop::array::uniform3(-99.0f32..99.0)),
            1..20,
        ),
        scale in 0.01f32..20.0,
    ) {
        let matrix = |(axis, angle, origin): &([f32; 3], f32, [f32; 3])| {
            let axis = Vec3::from(*axis).try_normalize().unwrap_or(Vec3::Z);
            let rigid = turned(axis, *angle, Vec3::from(*origin)).0;
            Mat3x4(std::array::from_fn(|i| if i % 4 == 3 { rigid[i] } else { rigid[i] * scale }))
        };
        let frames: Vec<Mat3x4> = moves.iter().map(matrix).collect();
        let skeleton = Skeleton::new(vec![Bone { name: "b".into(), parent: None, bind: frames[0] }]).unwrap();
        let animations = vec![Animation::frames("a", 0, frames.len() as u32, 10.0, false)];
        let model = Model { skeleton, frames, animations, ..Model::default() };
        let back = read(&write::iqm(&model).unwrap());
        prop_assert!(difference(model.skeleton.bind_local(), back.skeleton.bind_local()) < 1e-6);
        // A step of each translation channel; for a channel of a quaternion, its effect on the axes.
        let span = |axis: usize| {
            let values = model.frames.iter().map(|m| m.origin()[axis]);
            values.clone().fold(f32::MIN, f32::max) - values.fold(f32::MAX, f32::min)
        };
        for (a, b) in model.frames.iter().zip(&back.frames) {
            for (i, (a, b)) in a.0.iter().zip(b.0).enumerate() {
                let allowed = if i % 4 == 3 { span(i / 4) / 65535.0 + 1e-5 } else { scale * 2e-4 };
                prop_assert!((a - b).abs() <= allowed, "{i}: {a} {b}");
            }
        }
    }
}

#[test]
fn animations_that_show_the_bind_pose_share_one_frame() {
    let bone = |number: usize| Bone { name: "b".into(), parent: number.checked_sub(1), bind: Mat3x4::IDENTITY };
    let still = |_| Animation { source: AnimationSource::BindPose, ..Animation::frames("still", 0, 1, 10.0, true) };
    let mut animations: Vec<Animation> = (0..1000).map(still).collect();
    animations.push(Animation::frames("moving", 0, 1, 10.0, true));
    let skeleton = Skeleton::new((0..100).map(bone).collect()).unwrap();
    let model = Model { skeleton, animations, frames: vec![Mat3x4::IDENTITY; 100], ..Model::default() };
    let back = read(&write::iqm(&model).unwrap());
    assert_eq!((back.animations.len(), back.frame_count()), (1001, 2));
    assert!(back.animations[..1000].iter().all(|a| a.source == AnimationSource::Frames { first: 1, count: 1 }));
}

#[test]
fn excessive_lists_of_frames_are_refused() {
    let bones = Skeleton::MAX_BONES;
    let skeleton = Skeleton::without_bind(vec![("".into(), None); bones]).unwrap();
    let source = AnimationSource::List(vec![0; 1025]);
    let animations = vec![Animation { source, ..Animation::frames("list", 0, 1, 10.0, true) }];
    let model = Model { skeleton, animations, frames: vec![Mat3x4::IDENTITY; bones], ..Model::default() };
    let expected = WriteError::TooManyPoses { matrices: 1025 * 8192, allowed: 1024 * 8192 };
    assert_eq!(write::iqm(&model), Err(expected));
}

#[test]
fn custom_arrays_go_where_their_meshes_are() {
    let custom =
        |name: &str, components, data: &[f32]| CustomArray { name: name.into(), components, data: data.into() };
    let mesh = |custom| Mesh { positions: vec![[0.0; 3]; 2], custom, ..Mesh::default() };
    let meshes = vec![
        mesh(vec![custom("a", 1, &[1.0, 2.0]), custom("b", 2, &[3.0; 4])]),
        mesh(vec![]),
        mesh(vec![
            custom("b", 2, &[4.0; 4]),
            custom("b", 1, &[5.0; 2]),
            custom("a", 1, &[6.0; 2]),
            custom("a", 1, &[7.0; 2]),
        ]),
    ];
    let back = read(&write::iqm(&Model { meshes, ..Model::default() }).unwrap());
    let wanted =
        |a: [f32; 2], b: [f32; 4], c: [f32; 2]| vec![custom("a", 1, &a), custom("b", 2, &b), custom("b", 1, &c)];
    let expected = [
        wanted([1.0, 2.0], [3.0; 4], [0.0; 2]),
        wanted([0.0; 2], [0.0; 4], [0.0; 2]),
        wanted([6.0; 2], [4.0; 4], [5.0; 2]),
    ];
    assert_eq!(back.meshes.into_iter().map(|mesh| mesh.custom).collect::<Vec<_>>(), expected);
}
