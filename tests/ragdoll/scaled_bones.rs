//! Dolls on bones with a scale of their own: the same bodies as on bones without one.

use std::sync::Arc;

#[cfg(feature = "serde")]
use crate::common::stage::bits;
use crate::common::stage::{Rig, Stage, bind_pose, mannequin};
use skelobj::doll::{Doll, FitOptions, fit};
use skelobj::math::{Axes, Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, Bone, Influences, Mesh, Skeleton};
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::{BodyState, DollCheck};
#[cfg(feature = "serde")]
use skelobj::runtime::Snapshot;
use skelobj::runtime::{ObjectGeometry, Replication, Trace};
use skelobj::{Model, assets, write};

const RATE: f32 = 30.0;
const POSES: usize = 31;

/// Scales of the bones of a chain.
type Scales = [Vec3; 3];

/// Scales that leave the axes of a bone's rigid part where they are.
const PLAIN: [(&str, Scales); 7] = [
    ("an armature of 100", [Vec3::splat(100.0); 3]),
    ("an armature of 0.01", [Vec3::splat(0.01); 3]),
    ("a quarter", [Vec3::splat(0.25); 3]),
    ("uneven", [Vec3::new(1.0, 2.0, 0.5); 3]),
    ("an uneven end", [Vec3::splat(2.0), Vec3::splat(2.0), Vec3::new(1.0, 2.0, 0.5)]),
    ("one bone", [Vec3::ONE, Vec3::splat(3.0), Vec3::ONE]),
    ("each its own", [Vec3::splat(0.9), Vec3::new(1.0, 0.8, 0.8), Vec3::new(4.0, 0.3, 1.0)]),
];

/// Scales that mirror bones: their rigid parts may be turned by half a turn.
const MIRRORED: [(&str, Scales); 3] = [
    ("mirrored left", [Vec3::new(1.0, -1.0, 1.0); 3]),
    ("mirrored forward", [Vec3::new(-4.0, 4.0, 4.0), Vec3::splat(4.0), Vec3::splat(4.0)]),
    ("inside out", [Vec3::splat(-0.5); 3]),
];

/// Offsets, pivots and stops in units, for bones whose axes are known.
const DOLL: &str = "
body b0 b0
    shape capsule
    size 2 2 10
    orient b1
    mass 2
body b1 b1
    size 4 4 14
    offset 0 0 8
body b2 b2
    size 5 3 14
    offset 0.5 1 8 0 0 10
joint j1 b0 b1
    type hinge
    axis 0 1 0
    pivot b1 0 0.5 0
    LoStop -1
    HiStop 1
joint j2 b1 b2
    type slider
    axis 0 0 1
    LoStop -3
    HiStop 3
";

/// Returns the bones of the chain without scale at a moment, model space: 16 units apart, the second one bends.
fn rigid(seconds: f32) -> [Mat3x4; 3] {
    let lean = Quat::from_rotation_z(0.7) * Quat::from_rotation_y(0.2);
    let bent = Quat::from_rotation_y(0.4 + seconds);
    let own = [(lean, Vec3::new(2.0, 0.0, 40.0)), (bent, Vec3::Z * 16.0), (Quat::from_rotation_x(0.3), Vec3::Z * 16.0)];
    let mut above = Mat3x4::IDENTITY;
    own.map(|(turn, origin)| {
        above = above * Mat3x4::from_rotation_translation(turn, origin);
        above
    })
}

fn scaled(bone: Mat3x4, scale: Vec3) -> Mat3x4 {
    Mat3x4::from_columns(bone.forward() * scale.x, bone.left() * scale.y, bone.up() * scale.z, bone.origin())
}

fn local(bones: &[Mat3x4; 3]) -> [Mat3x4; 3] {
    [bones[0], bones[0].inverse().unwrap() * bones[1], bones[1].inverse().unwrap() * bones[2]]
}

/// Returns a chain of three bones, each with a box as its skin, in an animation of a second. All scales look alike.
/// `grown` are factors of the scales at the end of the animation.
fn chain(scales: &Scales, grown: f32) -> Model {
    let posed = |seconds: f32| {
        let factor = 1.0 + (grown - 1.0) * seconds;
        let rigid = rigid(seconds);
        std::array::from_fn(|bone| scaled(rigid[bone], scales[bone] * factor))
    };
    let bind: [Mat3x4; 3] = posed(0.0);
    let names = ["b0", "b1", "b2"];
    let bone = |bone: usize| Bone { name: names[bone].into(), parent: bone.checked_sub(1), bind: local(&bind)[bone] };
    let skeleton = Skeleton::new((0..3).map(bone).collect()).unwrap();
    let mut mesh = Mesh { name: "chain".into(), ..Mesh::default() };
    for (number, bone) in rigid(0.0).iter().enumerate() {
        let first = mesh.positions.len() as u32;
        for corner in 0..8 {
            let side = |bit: usize| if corner >> bit & 1 == 1 { 2.0 } else { -2.0 };
            let up = if corner & 4 == 4 { 15.5 } else { 0.5 };
            mesh.positions.push(bone.transform_point(Vec3::new(side(0), side(1), up)).to_array());
            mesh.normals.push([0.0, 0.0, 1.0]);
            mesh.texcoords.push([0.0; 2]);
            mesh.influences.push(Influences { bones: [number as u16, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] });
        }
        for [a, b, c] in [[0, 1, 2], [1, 3, 2], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 3, 6], [3, 7, 6]] {
            mesh.triangles.push([first + a, first + b, first + c]);
        }
    }
    let mut model = Model {
        skeleton: skeleton.with_inverse_bind(bind.iter().map(|bone| bone.inverse().unwrap())),
        meshes: vec![mesh],
        ..Model::default()
    };
    for pose in 0..POSES {
        model.frames.extend(local(&posed(pose as f32 / RATE)));
    }
    model.animations.push(Animation::frames("bend", 0, POSES as u32, RATE, false));
    model
}

fn plain() -> Model {
    chain(&[Vec3::ONE; 3], 1.0)
}

/// Returns a stage with the chain's doll on a chain.
fn stage(model: Model, doll: &str, seconds: f32) -> Stage {
    let mut stage = Stage::new("chain.iqm", model, Default::default());
    stage.runtime.physics_mut().add_floor(0.0).unwrap();
    stage.build(0, seconds);
    stage.command(&format!("dollstring {doll}")).unwrap();
    stage
}

/// Runs frames; `animated` builds the animation in each.
fn run(stage: &mut Stage, frames: usize, animated: bool) {
    for frame in 0..frames {
        if animated {
            stage.build(0, (frame % POSES) as f32 / RATE);
        }
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    stage.command("").unwrap();
}

/// Returns the largest distance between bodies, units, and the largest angle between them, radians.
fn apart(a: &[BodyState], b: &[BodyState]) -> (f32, f32) {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold((0.0, 0.0), |most, (a, b)| {
        (a.position.distance(b.position).max(most.0), a.rotation.angle_between(b.rotation).max(most.1))
    })
}

#[track_caller]
fn assert_alike(a: &Stage, b: &Stage, far: f32, what: &str) {
    let (distance, angle) = apart(&a.bodies(), &b.bodies());
    assert!(distance < far && angle < far, "{what}: bodies are {distance} units and {angle} radians apart");
}

/// Returns the model as files of several formats state it. Files state a translation, a rotation and a scale: not the
/// shear of what turns below an unevenly scaled bone.
fn in_formats(model: &Model) -> Vec<(&'static str, Model)> {
    let load = |name: &str, bytes: Vec<u8>| Model::load(name, &bytes, |_| None).unwrap();
    let is_sheared = model.skeleton.bind_local().iter().any(|bone| {
        let [f, l, u] = [bone.forward(), bone.left(), bone.up()].map(Vec3::normalize);
        f.dot(l).abs() + l.dot(u).abs() + u.dot(f).abs() > 1e-3
    });
    let mut models = vec![("code", model.clone())];
    if !is_sheared {
        models.push(("IQM", load("chain.iqm", write::iqm(model).unwrap())));
        #[cfg(feature = "gltf")]
        models.push(("glTF", load("chain.glb", write::glb(model).unwrap())));
    }
    models
}

fn fitted(model: &Model) -> String {
    String::from_utf8(fit(model, &FitOptions::default()).unwrap().text).unwrap()
}

/// Creates a ragdoll in the bind pose.
fn standing(model: &Arc<Model>, doll: &str, entity: &Mat3x4) -> Rig {
    let parsed = Doll::parse_for(doll.as_bytes(), &model.skeleton);
    assert!(parsed.problems.is_empty(), "{:?}", parsed.problems);
    Rig::new(bind_pose(model), &Arc::new(parsed.doll), *entity, PhysicsSettings::default())
}

/// Returns the box around the skin of each bone in the bind pose, along the axes of the bone's body.
fn skins(model: &Model, bodies: &[BodyState]) -> Vec<[Vec3; 2]> {
    let palette = |bone: usize| model.skeleton.bind_model()[bone] * model.skeleton.inverse_bind()[bone];
    let of_body = |body: &BodyState| {
        let mesh = &model.meshes[0];
        let own = mesh.positions.iter().zip(&mesh.influences).filter(|(_, i)| usize::from(i.bones[0]) == body.bone);
        own.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[low, high], (position, _)| {
            let at = palette(body.bone).transform_point(Vec3::from(*position)) - body.position;
            let at = body.rotation.inverse() * at;
            [low.min(at), high.max(at)]
        })
    };
    bodies.iter().map(of_body).collect()
}

/// Returns half of the extents of a body along its axes.
fn half(body: &BodyState) -> Vec3 {
    let [x, y, z] = body.size.map(|size| size / 2.0);
    match body.shape {
        skelobj::doll::Shape::Box => Vec3::new(x, y, z),
        skelobj::doll::Shape::Capsule => Vec3::new(2.0 * x, 2.0 * y, z + 2.0 * x),
        _ => Vec3::splat(2.0 * x),
    }
}

#[test]
fn fitted_bodies_surround_the_skin_that_they_move() {
    for (name, scales) in PLAIN.iter().chain(&MIRRORED) {
        for (format, model) in in_formats(&chain(scales, 1.0)) {
            let rig = standing(&Arc::new(model.clone()), &fitted(&model), &Mat3x4::IDENTITY);
            let bodies = rig.bodies();
            assert_eq!(bodies.len(), 3, "{name} {format}");
            for (body, [low, high]) in bodies.iter().zip(skins(&model, &bodies)) {
                let (middle, size) = ((low + high) / 2.0, (high - low) / 2.0);
                let off = (half(body) - size).abs().max_element();
                assert!(middle.length() < 0.5 && off < 2.0, "{name} {format}: {body:?}, skin from {low} to {high}");
            }
            let gap = rig.widest_gap();
            assert!(gap < 1e-3, "{name} {format}: {gap}");
        }
    }
}

#[cfg(feature = "gltf")]
#[test]
fn an_armature_of_four_has_bodies_four_times_as_large() {
    let load = |text: &str, scale: &str| {
        let text = text.replace("    4,\n    4,\n    4\n", scale);
        Model::load("chain.gltf", text.as_bytes(), |_| None).unwrap()
    };
    let files = [include_str!("../data/scaled/chain_1.gltf"), include_str!("../data/scaled/chain_4.gltf")];
    for (scale, factor) in [("4, 4, 4", 4.0), ("0.25, 0.25, 0.25", 0.25), ("100, 100, 100", 100.0)] {
        let [small, large] = [load(files[0], ""), load(files[1], scale)].map(Arc::new);
        let bodies = [&small, &large].map(|model| {
            let rig = standing(model, &fitted(model), &Mat3x4::IDENTITY);
            let joints: Vec<Vec3> = rig.joints().iter().map(|joint| joint.anchors[0]).collect();
            (rig.bodies(), joints)
        });
        for (one, two) in bodies[0].0.iter().zip(&bodies[1].0) {
            let off = two.position / factor - one.position;
            // Fitted numbers have three digits.
            assert!(off.length() < 0.05, "{factor}: {one:?} {two:?}");
            assert!((0..3).all(|i| (two.size[i] / factor - one.size[i]).abs() < 0.05), "{factor}: {one:?} {two:?}");
        }
        for (one, two) in bodies[0].1.iter().zip(&bodies[1].1) {
            assert!((*two / factor - *one).length() < 0.05, "{factor}: joints at {one} and {two}");
        }
    }
}

#[test]
fn sizes_offsets_and_pivots_are_units_of_the_model() {
    for entity in [1.0, 2.5] {
        let entity = Mat3x4::from_translation_rotation_scale([9.0, 0.0, 0.0], [0.0, 0.0, 0.6, 0.8], [entity; 3]);
        let rig = standing(&Arc::new(plain()), DOLL, &entity);
        let expected = rig.bodies();
        let anchors: Vec<[Vec3; 2]> = rig.joints().iter().map(|joint| joint.anchors).collect();
        for (name, scales) in PLAIN {
            for (format, model) in in_formats(&chain(&scales, 1.0)) {
                let rig = standing(&Arc::new(model), DOLL, &entity);
                let bodies = rig.bodies();
                let (distance, angle) = apart(&expected, &bodies);
                assert!(distance < 0.01 && angle < 0.01, "{name} {format}: {distance} units, {angle} radians");
                assert!(bodies.iter().zip(&expected).all(|(a, b)| a.size == b.size), "{name} {format}");
                for (joint, expected) in rig.joints().iter().zip(&anchors) {
                    let far = joint.anchors[1].distance(expected[1]);
                    assert!(joint.gap < 1e-3 && far < 0.01, "{name} {format}: {joint:?}, expected {expected:?}");
                    assert!(joint.position.iter().all(|position| position.abs() < 1e-3), "{name} {format}: {joint:?}");
                }
            }
        }
    }
}

#[test]
fn corpses_fall_as_without_scale_and_their_bones_keep_it() {
    let mut expected = stage(plain(), DOLL, 0.5);
    expected.command("animate 0").unwrap();
    run(&mut expected, 30, false);
    let bones = expected.bones();
    for (name, scales) in PLAIN {
        let mut stage = stage(chain(&scales, 1.0), DOLL, 0.5);
        let before = stage.bones();
        stage.command("").unwrap();
        let moved = before.iter().zip(stage.bones()).map(|(a, b)| a.origin().distance(b.origin())).fold(0.0, f32::max);
        assert!(moved < 1e-2, "{name}: a doll that is made moves no bone: {moved}");
        stage.command("animate 0").unwrap();
        run(&mut stage, 30, false);
        assert_alike(&expected, &stage, 0.05, name);
        for (number, (bone, scale)) in stage.bones().iter().zip(scales).enumerate() {
            assert!(bone.origin().distance(bones[number].origin()) < 0.05, "{name}: bone {number}");
            let lengths = Vec3::new(bone.forward().length(), bone.left().length(), bone.up().length());
            assert!(((lengths - scale) / scale).abs().max_element() < 1e-2, "{name}: bone {number}: {lengths}");
        }
        run(&mut stage, 600, false);
        assert!(stage.ragdoll().is_asleep(stage.runtime.physics()) && stage.widest_gap() < 0.1, "{name}");
    }
}

#[test]
fn mirrored_bones_carry_proper_bodies_and_stay_mirrored() {
    for (name, scales) in MIRRORED {
        let model = chain(&scales, 1.0);
        let doll = fitted(&model);
        let mut stage = stage(model, &doll, 0.0);
        let volume = |bone: &Mat3x4| bone.forward().dot(bone.left().cross(bone.up()));
        let before: Vec<f32> = stage.bones().iter().map(volume).collect();
        let start = stage.bones();
        stage.command("").unwrap();
        for (body, bone) in stage.bodies().iter().zip(rigid(0.0)) {
            let middle = bone.transform_point(Vec3::Z * 8.0);
            assert!(body.position.distance(middle) < 0.5, "{name}: {body:?}, expected at {middle}");
        }
        let moved = start.iter().zip(stage.bones()).map(|(a, b)| a.origin().distance(b.origin())).fold(0.0, f32::max);
        assert!(moved < 1e-2 && before.iter().any(|volume| *volume < 0.0), "{name}: {moved}");
        assert!(stage.widest_gap() < 1e-3, "{name}");
        stage.command("animate 0").unwrap();
        run(&mut stage, 240, false);
        stage.assert_finite(name);
        assert!(stage.widest_gap() < 0.3, "{name}: {}", stage.widest_gap());
        for (bone, before) in stage.bones().iter().zip(&before) {
            assert!((volume(bone) / before - 1.0).abs() < 1e-2, "{name}: {bone:?}");
        }
    }
}

#[test]
fn bodies_follow_an_animation_whose_scale_changes() {
    for (name, scales) in PLAIN {
        for (strength, grown, far) in
            [("1", 1.0, 0.01), ("1", 4.0, 0.01), ("1", 0.3, 0.01), ("1", 0.98, 0.2), ("0.3", 4.0, 0.5)]
        {
            let mut expected = stage(plain(), DOLL, 0.0);
            let mut stage = stage(chain(&scales, grown), DOLL, 0.0);
            for stage in [&mut expected, &mut stage] {
                stage.command(&format!("animate {strength}")).unwrap();
                run(stage, POSES, true);
            }
            assert_alike(&expected, &stage, far, &format!("{name}, strength {strength}, {grown} times"));
        }
    }
}

#[test]
fn a_corpse_gets_up_into_the_animation() {
    let mut expected = stage(plain(), DOLL, 0.5);
    let mut all: Vec<(&str, Stage)> =
        PLAIN.iter().map(|(name, scales)| (*name, stage(chain(scales, 1.0), DOLL, 0.5))).collect();
    for stage in all.iter_mut().map(|(_, stage)| stage).chain([&mut expected]) {
        stage.command("animate 0").unwrap();
        run(stage, 15, false);
        stage.command("animate 1 0.4").unwrap();
        for _ in 0..12 {
            stage.build(0, 0.5);
            stage.command("").unwrap();
            stage.step(1.0 / 60.0);
        }
    }
    for (name, stage) in &all {
        assert_alike(&expected, stage, 0.1, &format!("{name}, on the way"));
    }
    for stage in all.iter_mut().map(|(_, stage)| stage).chain([&mut expected]) {
        for _ in 0..40 {
            stage.build(0, 0.5);
            stage.command("").unwrap();
            stage.step(1.0 / 60.0);
        }
    }
    for (name, stage) in &all {
        assert_alike(&expected, stage, 0.01, &format!("{name}, up"));
    }
}

#[test]
fn the_pose_of_a_corpse_is_found_on_scaled_bones() {
    for (name, scales) in PLAIN.iter().chain(&MIRRORED) {
        let model = chain(scales, 1.0);
        let doll = fitted(&model);
        let mut stage = stage(model, &doll, 0.6);
        let unscaled = stage.runtime.add_model("unscaled.iqm", plain()).unwrap();
        let mut models = vec![stage.model];
        // Bodies of mirrored bones are turned differently on others.
        if PLAIN.iter().any(|(plain, _)| plain == name) {
            models.push(unscaled);
        }
        for model in models {
            let found = stage.runtime.match_pose(stage.object, model, &[0], 0.1).unwrap();
            assert!((found.time - 0.6).abs() < 0.01, "{name}: {found:?}");
        }
    }
}

#[test]
fn shots_hit_the_limb_that_is_seen() {
    for (name, scales) in PLAIN.iter().chain(&MIRRORED) {
        let model = chain(scales, 1.0);
        let doll = fitted(&model);
        let stage = stage(model, &doll, 0.0);
        for (number, bone) in rigid(0.0).iter().enumerate() {
            let middle = bone.transform_point(Vec3::Z * 8.0);
            let hit = stage.runtime.trace(&Trace::line(middle + bone.left() * 40.0, middle)).unwrap();
            let hit = hit.unwrap_or_else(|| panic!("{name}: nothing at bone {number}"));
            assert_eq!(hit.bone, Some(number), "{name}");
            let off = (hit.point - middle).dot(bone.left());
            assert!((1.0..3.5).contains(&off), "{name}: bone {number} is hit {off} units from its middle");
            let trace = Trace::line(middle + bone.left() * 40.0, middle);
            let on_skin = trace.with_object(stage.object, Mat3x4::IDENTITY, ObjectGeometry::Best);
            assert!(stage.runtime.trace(&on_skin).unwrap().is_some(), "{name}: bone {number}");
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_restored_fall_continues_bit_for_bit() {
    let mut expected = stage(plain(), DOLL, 0.2);
    run(&mut expected, 5, true);
    run(&mut expected, 5, true);
    expected.command("animate 0").unwrap();
    run(&mut expected, 20, false);
    for (name, scales) in PLAIN.iter().chain(&MIRRORED) {
        let model = chain(scales, 1.0);
        let mut first = stage(model.clone(), DOLL, 0.2);
        run(&mut first, 5, true);
        let bytes = first.runtime.snapshot().to_bytes().unwrap();
        let mut runtime = skelobj::Runtime::default();
        let id = runtime.add_model("chain.iqm", model).unwrap();
        runtime.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
        let mut second = Stage { runtime, model: id, object: first.object, entity: first.entity };
        for stage in [&mut first, &mut second] {
            run(stage, 5, true);
            stage.command("animate 0").unwrap();
            run(stage, 20, false);
        }
        if PLAIN.iter().any(|(plain, _)| plain == name) {
            assert_alike(&expected, &second, 0.1, name);
        }
        assert_eq!(bits(&first.raw()), bits(&second.raw()), "{name}");
        assert_eq!(
            first.runtime.snapshot().to_bytes().unwrap(),
            second.runtime.snapshot().to_bytes().unwrap(),
            "{name}"
        );
    }
}

#[test]
fn received_bones_have_the_scale_of_their_model() {
    for (name, scales) in PLAIN.iter().chain(&MIRRORED) {
        let model = chain(scales, 1.0);
        let doll = fitted(&model);
        let mut stage = stage(model, &doll, 0.5);
        stage.command("animate 0").unwrap();
        run(&mut stage, 20, false);
        let sent = stage.bones();
        for (what, far) in [(Replication::Full, 0.05), (Replication::Positions, 0.4)] {
            let mut message = Vec::new();
            stage.runtime.encode_bones(stage.object, what, &mut message).unwrap();
            let received = stage.runtime.decode_bones(stage.object, &message).unwrap().matrices();
            // The last bone has no child that would show its rotation.
            let bones = if what == Replication::Full { 3 } else { 2 };
            for (number, (sent, received)) in sent.iter().zip(&received).take(bones).enumerate() {
                let off = sent.origin().distance(received.origin());
                let turned = sent.up().distance(received.up()) / sent.up().length();
                assert!(off < 0.05 && turned < far, "{name} {what:?}, bone {number}: {sent:?} {received:?}");
            }
        }
    }
}

#[test]
fn a_bone_that_collapses_keeps_its_body() {
    for scale in [Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0)] {
        for strength in ["1", "0.3"] {
            let mut stage = stage(plain(), DOLL, 0.0);
            stage.command(&format!("animate {strength}")).unwrap();
            run(&mut stage, 5, false);
            let before = stage.body("b2");
            for _ in 0..30 {
                stage.build(0, 0.0);
                let own = stage.raw()[2];
                stage.runtime.object_mut(stage.object).unwrap().set_bone(2, scaled(own, scale)).unwrap();
                stage.command("").unwrap();
                stage.step(1.0 / 60.0);
            }
            stage.assert_finite("collapsed");
            let after = stage.body("b2");
            let (distance, angle) = apart(&[before], &[after]);
            assert!(distance < 0.5 && angle < 0.05, "{scale}, {strength}: {distance} units, {angle} radians");
        }
    }
}

#[test]
fn mixed_rotations_are_not_a_scale() {
    let model = Arc::new(mannequin());
    let doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll;
    let mut stage = Stage::mannequin();
    let mut shortest = 1.0_f32;
    for (animation, time) in [(0, 0.0), (1, 0.35), (2, 0.117), (3, 0.61)] {
        stage.build(animation, time);
        let bones = stage.bones();
        stage.command("cleardoll").unwrap();
        stage.build(animation, time);
        stage.command("doll mannequin.doll").unwrap();
        for (body, definition) in stage.bodies().iter().zip(&doll.bodies) {
            let bone = bones[body.bone];
            shortest = shortest.min(bone.forward().length()).min(bone.up().length());
            if let (Some(offset), None) = (&definition.offset, &definition.orient) {
                let turn = Mat3x4::from_axes(Axes::from_angles(offset.angles), offset.position);
                let expected = (Mat3x4::IDENTITY * bone).transform_point(turn.origin());
                assert_eq!(body.position.to_array(), expected.to_array(), "{animation} {time}: {}", body.name);
            }
        }
    }
    assert!(shortest < 0.9999, "poses between frames shorten axes: {shortest}");
}

#[test]
fn a_body_far_from_its_skin_is_an_error() {
    let mut check = DollCheck::default();
    check.drops = 0;
    for (name, scales) in PLAIN.iter().chain(&MIRRORED) {
        let model = Arc::new(chain(scales, 1.0));
        let doll = fitted(&model);
        let codes = |text: &str| -> Vec<&str> {
            let problems = check.run(text.as_bytes(), &model).problems;
            problems.iter().map(|problem| problem.code()).filter(|code| *code == "body-far").collect()
        };
        assert_eq!(codes(&doll), [""; 0], "{name}");
        let moved = format!("{doll}\nupdatebody b1\n\toffset 0 0 60\n");
        assert_eq!(codes(&moved), ["body-far"], "{name}");
    }
    let report = check.run(DOLL.replace("offset 0 0 8", "offset 0 0 60").as_bytes(), &Arc::new(plain()));
    assert!(report.has_errors());
    let problem = report.problems.iter().find(|problem| problem.code() == "body-far").unwrap();
    assert_eq!(
        problem.to_string(),
        "9:12: error: the body is 37.5 units away from its bone and the vertices it moves: correct its `offset`"
    );
}
