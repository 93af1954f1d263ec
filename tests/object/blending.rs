//! Blends that keep the rotations of bones, compared with their definition in f64.

use std::ops::Range;
use std::sync::Arc;

use skelobj::glam::{DMat3, DQuat, DVec3};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, AnimationSource, Blend, Bone, FrameState, PoseEvaluator, PoseParameters, Skeleton};
use skelobj::object::{Blending, Build, Space};
use skelobj::pose::{Aim, BoneMask, Reach, RootMotion};
use skelobj::{Model, SkeletalObject, assets};

use crate::common::random::{Random, for_each_seed};

const SEEDS: u64 = 400;

/// Number of frames of each animation of a random model.
const FRAMES: usize = 3;

/// Number of the animation of a random model that is evaluated.
const EVALUATED: usize = 3;

/// Axes of a bone's matrix.
fn axes(bone: &Mat3x4) -> DMat3 {
    DMat3::from_cols(bone.forward().as_dvec3(), bone.left().as_dvec3(), bone.up().as_dvec3())
}

/// Returns how far the axes of a matrix are from those of a rotation or a mirrored rotation.
fn shear(bone: &Mat3x4) -> f64 {
    let square = axes(bone).transpose() * axes(bone) - DMat3::IDENTITY;
    square.to_cols_array().iter().fold(0.0, |most, number| most.max(number.abs()))
}

/// Splits a bone into its rotation and the rest, by Gram and Schmidt.
fn split(bone: &Mat3x4) -> (DQuat, DMat3) {
    let axes = axes(bone);
    let x = axes.x_axis.normalize();
    let y = (axes.y_axis - x * x.dot(axes.y_axis)).normalize();
    let rotation = DMat3::from_cols(x, y, x.cross(y));
    let rest = rotation.transpose() * axes;
    let rounds = (rest - DMat3::IDENTITY).to_cols_array().iter().all(|number| number.abs() < 1e-4);
    (DQuat::from_mat3(&rotation), if rounds { DMat3::IDENTITY } else { rest })
}

/// Weighted mean of a bone, by its definition; `None` where two rotations are too far apart to know the shorter way.
fn mean(poses: &[(Mat3x4, f64)]) -> Option<(DMat3, DVec3)> {
    let (mut turns, mut rest, mut origin) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DMat3::ZERO, DVec3::ZERO);
    for (number, (bone, weight)) in poses.iter().enumerate() {
        let (turn, own) = split(bone);
        let side = turn.dot(turns);
        if number > 0 && side.abs() < 0.03 * turns.length() {
            return None;
        }
        turns += turn * (weight * if side < 0.0 { -1.0 } else { 1.0 });
        rest += own * *weight;
        origin += bone.origin().as_dvec3() * *weight;
    }
    (turns.length() > 0.03).then(|| (DMat3::from_quat(turns.normalize()) * rest, origin))
}

#[track_caller]
fn assert_is(bone: &Mat3x4, (expected, origin): (DMat3, DVec3), what: &dyn std::fmt::Debug) {
    let difference = (axes(bone) - expected).to_cols_array().iter().fold(0.0, |most: f64, n| most.max(n.abs()));
    let size = expected.to_cols_array().iter().fold(1.0, |most: f64, n| most.max(n.abs()));
    assert!(difference < 2e-5 * size, "{difference}: {bone:?} for {expected:?}, {what:?}");
    assert!((bone.origin().as_dvec3() - origin).length() < 1e-4, "{bone:?} for {origin:?}, {what:?}");
}

/// Scales of the bones of a random model.
#[derive(Clone, Copy, Debug)]
enum Scales {
    None,
    /// A scale for each axis in each pose, mirrored in some bones.
    Axes,
    /// Any matrix with an inverse.
    Sheared,
}

/// Returns a pose whose bones are turned by up to half a turn.
fn pose(random: &mut Random, count: usize, scales: Scales) -> Vec<Mat3x4> {
    let bone = |bone: usize, random: &mut Random| {
        let turn = random.turn(3.1);
        let mut scale = [1.0; 3];
        if !matches!(scales, Scales::None) && !bone.is_multiple_of(3) {
            scale = scale.map(|_| random.of(&[0.25, 0.5, 0.8, 1.5, 3.0]));
            if bone % 3 == 2 {
                scale[bone % 2] *= -1.0;
            }
        }
        let [x, y, z] = scale;
        let mut matrix = [turn * Vec3::X * x, turn * Vec3::Y * y, turn * Vec3::Z * z];
        if matches!(scales, Scales::Sheared) && bone % 3 == 1 {
            matrix[1] += matrix[0] * random.between(-1.0, 1.0);
            matrix[2] += (matrix[0] + matrix[1]) * random.between(-0.7, 0.7);
        }
        let origin = [(); 3].map(|()| random.between(-20.0, 20.0));
        Mat3x4::from_columns(matrix[0], matrix[1], matrix[2], origin.into())
    };
    (0..count).map(|number| bone(number, random)).collect()
}

/// Evaluator that shows the same pose at any time.
#[derive(Debug)]
struct Still(Vec<Mat3x4>);

impl PoseEvaluator for Still {
    fn evaluate(&self, _: f64, _: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]) {
        out[..bones.len()].copy_from_slice(&self.0[bones]);
    }
}

/// Returns a model of two animations of frames, one that lists them backwards, and one that is evaluated.
fn model(random: &mut Random, count: usize, scales: Scales) -> (Arc<Model>, Vec<Mat3x4>) {
    let frames: Vec<Mat3x4> = (0..2 * FRAMES).flat_map(|_| pose(random, count, scales)).collect();
    let still = pose(random, count, scales);
    let bone = |bone: usize| Bone { name: "bone".into(), parent: bone.checked_sub(1), bind: Mat3x4::IDENTITY };
    let run = |first: usize| Animation::frames("run", first as u32, FRAMES as u32, 10.0, true);
    let list = (0..2 * FRAMES as u32).rev().collect();
    let evaluated = AnimationSource::Evaluated { poses: Arc::new(Still(still.clone())), count: 1 };
    let animations = vec![
        run(0),
        run(FRAMES),
        Animation { source: AnimationSource::List(list), ..run(0) },
        Animation { source: evaluated, ..run(0) },
    ];
    let skeleton = Skeleton::new((0..count).map(bone).collect()).unwrap();
    (Arc::new(Model { skeleton, animations, frames, ..Model::default() }), still)
}

/// Returns up to four blends of a model's animations, and the poses that they show of a bone, with their weights.
fn blends(random: &mut Random, sum: f32) -> Vec<Blend> {
    let mut weights: Vec<f32> = (0..1 + random.below(4)).map(|_| random.between(0.05, 1.0)).collect();
    let total: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight *= sum / total);
    let time = |random: &mut Random| f64::from(random.between(0.0, 0.6));
    weights.iter().map(|weight| Blend::new(random.below(4), time(random), *weight)).collect()
}

fn shown(model: &Model, still: &[Mat3x4], blends: &[Blend], bone: usize) -> Vec<(Mat3x4, f64)> {
    let mut poses = Vec::new();
    for blend in blends {
        if blend.animation == EVALUATED as i32 {
            poses.push((still[bone], f64::from(blend.weight)));
            continue;
        }
        let animation = &model.animations[blend.animation as usize];
        let position = f64::from((blend.time * 10.0) as f32);
        let (first, fraction) = (position.floor(), position.fract());
        for (pose, share) in [(first, 1.0 - fraction), (first + 1.0, fraction)] {
            if share > 0.0 {
                let pose = model.pose(animation, pose as usize % animation.pose_count());
                poses.push((pose[bone], share * f64::from(blend.weight)));
            }
        }
    }
    poses
}

fn state(blends: &[Blend]) -> FrameState {
    let mut four = [Blend { weight: 0.0, ..Blend::default() }; 4];
    four[..blends.len()].copy_from_slice(blends);
    FrameState::blended(four)
}

fn rotating(model: &Arc<Model>) -> SkeletalObject {
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    object.set_blending(Blending::Rotations);
    object
}

#[test]
fn blends_are_those_of_the_definition() {
    let mut compared = 0;
    for_each_seed(SEEDS, |random| {
        let count = 1 + random.below(20);
        let scales = random.of(&[Scales::None, Scales::Axes, Scales::Sheared]);
        let (model, still) = model(random, count, scales);
        let mut object = rotating(&model);
        let sum = random.of(&[1.0, 1.0, 0.5, 1.3]);
        let blends = blends(random, sum);
        object.build(&model, &state(&blends), &Build::REPLACE).unwrap();
        for bone in 0..count {
            let Some(expected) = mean(&shown(&model, &still, &blends, bone)) else { continue };
            assert_is(&object.pose().bones()[bone], expected, &(bone, scales, &blends));
            compared += 1;
        }
        // Whatever is kept of the model, and in whatever parts it is built.
        let mut other = rotating(&model);
        let middle = random.below(count + 1);
        for bones in [middle..count, 0..middle] {
            other.build(&Model::clone(&model), &state(&blends), &Build::REPLACE.with_bones(bones)).unwrap();
        }
        assert_eq!(bits(&other), bits(&object));
    });
    assert!(compared > 1500, "{compared} bones");
}

fn bits(object: &SkeletalObject) -> Vec<u32> {
    object.pose().bones().iter().flat_map(|bone| bone.0.map(f32::to_bits)).collect()
}

#[test]
fn retained_poses_are_blended_by_the_definition() {
    let mut compared = 0;
    for_each_seed(SEEDS, |random| {
        let count = 1 + random.below(20);
        let scales = random.of(&[Scales::None, Scales::Axes, Scales::Sheared]);
        let (model, still) = model(random, count, scales);
        let mut object = rotating(&model);
        let old = pose(random, count, scales);
        object.set_local_pose(&old).unwrap();
        let blends = blends(random, 1.0);
        let retain = random.of(&[0.5, 0.75, 0.1, 1.0, -0.2]);
        let add = random.of(&[1.0 - retain, 1.0, 0.3, -0.4]);
        let build = Build { retain, add, bones: 0..usize::MAX };
        object.build(&model, &state(&blends), &build).unwrap();
        for (bone, old) in old.iter().enumerate() {
            let mut poses = shown(&model, &still, &blends, bone);
            poses.iter_mut().for_each(|(_, weight)| *weight *= f64::from(add.abs()));
            // A negative factor turns away: the sum of the new poses tells the side.
            poses.push((*old, f64::from(retain * add.signum())));
            let Some((mean, origin)) = mean(&poses) else { continue };
            let sign = f64::from(add.signum());
            assert_is(&object.pose().bones()[bone], (mean * sign, origin * sign), &(bone, scales, retain, add));
            compared += 1;
        }
    });
    assert!(compared > 1500, "{compared} bones");
}

#[test]
fn masks_blend_by_the_definition() {
    for_each_seed(SEEDS, |random| {
        let count = 1 + random.below(20);
        let (model, _) = model(random, count, Scales::Axes);
        let old = pose(random, count, Scales::Axes);
        let weights: Vec<f32> = (0..count).map(|_| random.of(&[0.0, 0.25, 0.5, 1.0])).collect();
        let mut object = rotating(&model);
        object.set_local_pose(&old).unwrap();
        object.set_mask(Some(Arc::new(BoneMask::new(weights.clone()).unwrap())));
        object.build(&model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
        for (bone, weight) in weights.iter().enumerate() {
            let found = object.pose().bones()[bone];
            let new = model.frames[bone];
            match *weight {
                0.0 => assert_eq!(found, old[bone]),
                1.0 => assert_eq!(found, new),
                weight => {
                    let weight = f64::from(weight);
                    let Some(expected) = mean(&[(new, weight), (old[bone], 1.0 - weight)]) else { continue };
                    assert_is(&found, expected, &(bone, weight));
                }
            }
        }
    });
}

#[test]
fn a_pose_that_is_not_mixed_keeps_its_bits() {
    for_each_seed(50, |random| {
        let count = 1 + random.below(20);
        let (model, _) = model(random, count, Scales::Sheared);
        for frame in [
            FrameState::single(0, 0.1),
            FrameState::single(2, 0.0),
            FrameState::single(EVALUATED, 3.0),
            FrameState::blended([Blend::new(1, 0.2, 0.7)]),
            FrameState::single(0, 0.17).without_interpolation(),
        ] {
            let built = |blending: Blending| {
                let mut object = SkeletalObject::new(model.clone(), Space::Local);
                object.set_blending(blending);
                object.build(&model, &frame, &Build::REPLACE).unwrap();
                bits(&object)
            };
            assert_eq!(built(Blending::Rotations), built(Blending::Linear));
        }
    });
}

/// Returns fades of the mannequin from idle to run, halfway, at many times of both.
fn fades() -> impl Iterator<Item = FrameState> {
    let times = (0..40).map(|step| f64::from(step) * 0.037);
    times.flat_map(|time| {
        let blend = move |animation, time, weight| Blend::new(animation, time, weight);
        [0.5, 0.2].map(|share| FrameState::blended([blend(0, 1.3 * time, 1.0 - share), blend(2, time, share)]))
    })
}

#[test]
fn fades_of_the_mannequin_keep_unit_axes_at_right_angles() {
    let (mut runtime, id) = assets::mannequin_runtime();
    let model = runtime.model_by_name("mannequin.iqm").unwrap();
    let mut worst = [0.0_f64; 2];
    for (blending, worst) in [Blending::Linear, Blending::Rotations].into_iter().zip(&mut worst) {
        runtime.object_mut(id).unwrap().set_blending(blending);
        for frame in fades() {
            runtime.build(id, model, &frame, &Build::REPLACE).unwrap();
            let object = runtime.object(id).unwrap();
            for bone in 0..object.bone_count() {
                *worst = worst.max(shear(&object.pose().bones()[bone]));
                assert!(blending == Blending::Linear || shear(&object.model_space(bone).unwrap()) < 1e-5);
            }
        }
    }
    assert!(worst[0] > 0.5 && worst[1] < 5e-6, "{worst:?}");
}

#[test]
fn reaches_and_aims_are_exact_on_a_fade() {
    let mut object = assets::mannequin_object();
    let model = object.model().clone();
    object.set_blending(Blending::Rotations);
    let leg = Reach::parse(&model.skeleton, "thigh_l, shin_l, foot_l").unwrap();
    let look = Aim::parse(&model.skeleton, "neck 0.4, head 0.6").unwrap();
    for frame in fades() {
        object.build(&model, &frame, &Build::REPLACE).unwrap();
        let foot = object.model_space(object.find_bone("foot_l").unwrap()).unwrap().origin();
        let target = foot + Vec3::new(2.0, 1.0, 3.0);
        let missed = object.reach(&leg, target).unwrap();
        let found = object.model_space(object.find_bone("foot_l").unwrap()).unwrap().origin();
        assert!(missed < 1e-4 && found.distance(target) < 1e-4, "{missed} {found} {target}");
        assert!(object.aim(&look, Vec3::new(90.0, 30.0, 70.0)).unwrap() < 1e-4);
    }
}

#[test]
fn a_ragdoll_starts_and_lies_without_shear() {
    use skelobj::ragdoll::Command;
    let (mut runtime, id) = assets::mannequin_runtime();
    let model = runtime.model_by_name("mannequin.iqm").unwrap();
    runtime.object_mut(id).unwrap().set_blending(Blending::Rotations);
    let frame = FrameState::blended([Blend::new(0, 0.2, 0.5), Blend::new(2, 0.2, 0.5)]);
    runtime.build(id, model, &frame, &Build::REPLACE).unwrap();
    for _ in 0..10 {
        runtime.ragdoll_command(id, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
        runtime.step(1.0 / 60.0).unwrap();
        let object = runtime.object(id).unwrap();
        for bone in object.pose().bones() {
            assert!(shear(bone) < 2e-5, "{bone:?}");
        }
    }
    assert!(runtime.ragdoll(id).is_some());
}

#[test]
fn root_motion_is_taken_out_of_a_fade_whole() {
    let turned =
        |degrees: f32| Mat3x4::from_rotation_translation(Quat::from_rotation_z(degrees.to_radians()), Vec3::ZERO);
    let bone = Bone { name: "root".into(), parent: None, bind: Mat3x4::IDENTITY };
    let frames = vec![turned(0.0), turned(40.0), turned(0.0), turned(-100.0)];
    let run = |first| Animation::frames("turn", first, 2, 1.0, false);
    let skeleton = Skeleton::new(vec![bone]).unwrap();
    let model = Arc::new(Model { skeleton, animations: vec![run(0), run(2)], frames, ..Model::default() });
    let root = RootMotion::parse(&model.skeleton, "root").unwrap().with_yaw(true);
    let mut object = rotating(&model);
    for (time, weight) in [(0.5, 0.25), (0.9, 0.5), (0.7, 0.8)] {
        let frame = FrameState::blended([Blend::new(0, time, weight), Blend::new(1, time, 1.0 - weight)]);
        object.build(&model, &frame, &Build::REPLACE).unwrap();
        assert!(object.pose().bones()[0].forward().distance(Vec3::X) > 0.1);
        object.take_motion(&root, &model, &frame).unwrap();
        assert!(object.pose().bones()[0].forward().distance(Vec3::X) < 1e-5, "{:?}", object.pose());
    }
}

#[test]
fn added_poses_are_sampled_with_their_rotations() {
    // Between two frames a half turn apart, the sum of the matrices is flat.
    let turned =
        |degrees: f32| Mat3x4::from_rotation_translation(Quat::from_rotation_z(degrees.to_radians()), Vec3::ZERO);
    let bone = Bone { name: "root".into(), parent: None, bind: Mat3x4::IDENTITY };
    let skeleton = Skeleton::new(vec![bone]).unwrap();
    let animations = vec![Animation::frames("turn", 0, 2, 1.0, false)];
    let model = Arc::new(Model { skeleton, animations, frames: vec![turned(0.0), turned(178.0)], ..Model::default() });
    let mut object = rotating(&model);
    object.build(&model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    object.add_pose(&model, &FrameState::single(0, 0.5), None, 1.0).unwrap();
    assert!(object.pose().bones()[0].forward().distance(turned(89.0).forward()) < 1e-5, "{:?}", object.pose());
}

#[test]
fn bones_without_a_rotation_take_that_of_the_others() {
    let flat = |forward: Vec3, left: Vec3, up: Vec3| Mat3x4::from_columns(forward, left, up, Vec3::ONE);
    let turn = Mat3x4::from_rotation_translation(Quat::from_rotation_y(2.0), Vec3::ZERO);
    let kinds = [
        flat(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO),
        flat(turn.forward(), Vec3::ZERO, Vec3::ZERO),
        flat(Vec3::ZERO, turn.left(), Vec3::ZERO),
        flat(Vec3::ZERO, Vec3::ZERO, turn.up()),
        flat(turn.forward(), turn.forward(), turn.up()),
        flat(turn.forward(), turn.left(), Vec3::ZERO),
        flat(Vec3::ZERO, turn.left(), turn.up()),
        flat(turn.forward() * 1e25, turn.left() * 1e25, turn.up() * 1e25),
        flat(turn.forward() * 1e-25, turn.left() * 1e-25, turn.up() * 1e-25),
        flat(turn.forward(), turn.left() * 1e-25, turn.up()),
    ];
    let bone = |_| Bone { name: "bone".into(), parent: None, bind: Mat3x4::IDENTITY };
    let skeleton = Skeleton::new(kinds.iter().map(bone).collect()).unwrap();
    let whole = vec![turn; kinds.len()];
    for frames in [[kinds.to_vec(), whole.clone()].concat(), [whole.clone(), kinds.to_vec()].concat()] {
        let animations = vec![Animation::frames("fade", 0, 2, 1.0, false)];
        let model = Arc::new(Model { skeleton: skeleton.clone(), animations, frames, ..Model::default() });
        let mut object = rotating(&model);
        object.build(&model, &FrameState::single(0, 0.5), &Build::REPLACE).unwrap();
        for (kind, found) in kinds.iter().zip(object.pose().bones()) {
            // All have the same axes, or none.
            for axis in [Mat3x4::forward, Mat3x4::left, Mat3x4::up] {
                let expected = axis(kind) * 0.5 + axis(&turn) * 0.5;
                let most = 2e-6 * expected.length().max(1.0);
                let is_alone = kind.forward() == Vec3::ZERO || kind.left() == Vec3::ZERO;
                assert!(axis(found).is_finite());
                assert!(is_alone || axis(found).distance(expected) < most, "{kind:?}: {found:?}");
            }
        }
        // Scaled to nothing, a bone turns no further.
        assert!((object.pose().bones()[0].forward() * 2.0).distance(turn.forward()) < 1e-5);
    }
}

#[test]
fn numbers_of_any_size_stay_usable() {
    for_each_seed(SEEDS, |random| {
        let count = 1 + random.below(12);
        let huge = |random: &mut Random| {
            let magnitude = random.of(&[0.0, 1e-40, 1e-20, 1e-3, 1.0, 1e10, 1e19, 1e25, 1e30]);
            random.of(&[-1.0, 1.0]) * magnitude
        };
        let bones = |random: &mut Random| -> Vec<Mat3x4> {
            (0..count).map(|_| Mat3x4([(); 12].map(|()| huge(random)))).collect()
        };
        let frames = [bones(random), bones(random)].concat();
        let bone = |_| Bone { name: "bone".into(), parent: None, bind: Mat3x4::IDENTITY };
        let skeleton = Skeleton::new((0..count).map(bone).collect()).unwrap();
        let animations = vec![Animation::frames("huge", 0, 2, 1.0, false)];
        let model = Arc::new(Model { skeleton, animations, frames, ..Model::default() });
        let mut object = rotating(&model);
        object.bones_mut()[0] = Mat3x4([f32::NAN; 12]);
        for retain in [0.0, 0.5, 1e20, -3.0] {
            object.build(&model, &FrameState::single(0, 0.3), &Build::retaining(retain)).unwrap();
            let usable = |bone: &Mat3x4| bone.0.iter().all(|number| number.abs() <= 1e30);
            assert!(object.pose().bones().iter().all(usable), "{retain}: {:?}", object.pose());
        }
    });
}

#[test]
fn the_rule_is_set_for_an_object_and_goes_with_its_copies() {
    let mut object = assets::mannequin_object();
    let model = object.model().clone();
    assert_eq!(object.blending(), Blending::Linear);
    let frame = fades().next().unwrap();
    object.build(&model, &frame, &Build::REPLACE).unwrap();
    let linear = bits(&object);
    object.set_blending(Blending::Rotations);
    assert_eq!(bits(&object), linear, "the pose stays until the next build");
    object.build(&model, &frame, &Build::REPLACE).unwrap();
    let rotations = bits(&object);
    assert_ne!(rotations, linear);
    let mut copy = object.clone();
    assert_eq!(copy.blending(), Blending::Rotations);
    copy.build(&model, &FrameState::single(3, 0.4), &Build::REPLACE).unwrap();
    copy.build(&model, &frame, &Build::REPLACE).unwrap();
    assert_eq!(bits(&copy), rotations);
    copy.set_blending(Blending::Linear);
    copy.build(&model, &frame, &Build::REPLACE).unwrap();
    assert_eq!(bits(&copy), linear);
}

#[test]
fn a_repeated_build_is_left_out() {
    let (mut runtime, id) = assets::mannequin_runtime();
    let model = runtime.model_by_name("mannequin.iqm").unwrap();
    runtime.object_mut(id).unwrap().set_blending(Blending::Rotations);
    let mut revision = |frame: &FrameState| {
        runtime.build(id, model, frame, &Build::REPLACE).unwrap();
        runtime.object(id).unwrap().revision()
    };
    let frames: Vec<FrameState> = fades().take(2).collect();
    let first = revision(&frames[0]);
    assert_eq!(revision(&frames[0]), first);
    assert_ne!(revision(&frames[1]), first);
}

#[test]
fn axes_are_normalized_by_the_rules_of_darkplaces() {
    for_each_seed(50, |random| {
        let (model, still) = model(random, 9, Scales::Axes);
        let blends = blends(random, 0.7);
        let mut object = rotating(&model);
        object.build_normalized(&model, &state(&blends), &Build::REPLACE).unwrap();
        for bone in 0..9 {
            let Some((mean, origin)) = mean(&shown(&model, &still, &blends, bone)) else { continue };
            let columns = [mean.x_axis, mean.y_axis, mean.z_axis].map(DVec3::normalize);
            let [x, y, z] = columns;
            // Scales of opposite signs may add up to next to nothing.
            assert_is(&object.pose().bones()[bone], (DMat3::from_cols(x, y, z), origin), &bone);
        }
    });
}

#[cfg(feature = "serde")]
#[test]
fn snapshots_keep_the_rule() {
    let (mut runtime, id) = assets::mannequin_runtime();
    let model = runtime.model_by_name("mannequin.iqm").unwrap();
    runtime.object_mut(id).unwrap().set_blending(Blending::Rotations);
    let bytes = runtime.snapshot().to_bytes().unwrap();
    let frame = fades().next().unwrap();
    let build = |runtime: &mut skelobj::Runtime| {
        runtime.build(id, model, &frame, &Build::REPLACE).unwrap();
        bits(runtime.object(id).unwrap())
    };
    let expected = build(&mut runtime);
    runtime.object_mut(id).unwrap().set_blending(Blending::Linear);
    assert_ne!(build(&mut runtime), expected);
    let snapshot = skelobj::runtime::Snapshot::from_bytes(&bytes).unwrap();
    runtime.restore(&snapshot).unwrap();
    assert_eq!(runtime.object(id).unwrap().blending(), Blending::Rotations);
    assert_eq!(build(&mut runtime), expected);
}
