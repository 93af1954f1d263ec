//! A build that repeats the last write to an object is left out, and nobody can tell from the bones.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, AnimationSource, Blend, FrameFields, FrameState, PoseEvaluator, PoseParameters};
use skelobj::object::{Build, Space};
use skelobj::runtime::Settings;
use skelobj::{Model, Runtime, SkeletalObject, assets};

const BONES: usize = 21;

/// Lifts every bone by the time and a parameter, and counts how often it is asked.
#[derive(Debug)]
struct Lift {
    calls: AtomicU32,
    is_pure: bool,
}

impl PoseEvaluator for Lift {
    fn evaluate(&self, time: f64, parameters: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let height = (time % 64.0) as f32 + parameters.controllers[0];
        out[..bones.len()].fill(Mat3x4::from_translation(Vec3::Z * height));
    }

    fn is_pure(&self) -> bool {
        self.is_pure
    }
}

/// Returns the mannequin with an evaluated animation, number 4, and its evaluator.
fn lifting(is_pure: bool) -> (Model, Arc<Lift>) {
    let mut model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let poses = Arc::new(Lift { calls: AtomicU32::new(0), is_pure });
    let source = AnimationSource::Evaluated { poses: poses.clone(), count: 10 };
    model.animations.push(Animation { source, ..Animation::frames("lift", 0, 1, 10.0, true) });
    (model, poses)
}

/// Returns frame states that differ from the first in one part each, some only in how they are given.
fn frames() -> Vec<FrameState> {
    let (walk, run, lift) = (Blend::new(1, 0.31, 0.75), Blend::new(2, 0.12, 0.25), Blend::new(4, 3.0, 1.0));
    let base = FrameState::blended([walk, run]);
    let fields = FrameFields { frame: 1.0, frame1time: 0.31, ..FrameFields::default() };
    let parameters = PoseParameters { controllers: [5.0, 0.0, 0.0, 0.0, 0.0], blends: [0.0; 2] };
    vec![
        base,
        FrameState::blended([walk]),
        FrameState::blended([walk, Blend { time: 0.13, ..run }]),
        FrameState::blended([walk, Blend { animation: 0, ..run }]),
        FrameState::blended([walk, Blend { weight: 0.5, ..run }]),
        FrameState::blended([walk, run, run, walk]),
        base.with_base([run], 9),
        base.with_base([run], 10),
        base.with_base([Blend { time: 0.2, ..run }], 10),
        base.without_interpolation(),
        FrameState::client(&fields),
        FrameState::server(&fields),
        FrameState::blended([lift]),
        FrameState::blended([lift]).with_parameters(parameters),
        FrameState::blended([lift]).with_parameters(PoseParameters::default()),
    ]
}

fn builds() -> Vec<Build> {
    let odd = Build { retain: -0.0, add: 0.5, bones: 0..BONES };
    let all =
        [Build::REPLACE, Build::REPLACE, Build::retaining(0.5), odd, Build { retain: 0.0, add: 0.0, bones: 0..9 }];
    all.into_iter().chain([Build::REPLACE.with_bones(3..12), Build::REPLACE.with_bones(9..99)]).collect()
}

#[derive(Clone, Copy, Debug)]
enum Call {
    Build {
        model: usize,
        frame: usize,
        build: usize,
    },
    /// Builds as the last build did.
    Again,
    Normalized {
        frame: usize,
    },
    SetBone(usize),
    MulBones(usize),
    Write(usize),
    LocalPose(usize),
    ModelSpacePose(usize),
    CopyBones(usize),
    Clone,
}

fn call() -> impl Strategy<Value = Call> {
    let (bone, count) = (0..BONES, 0..=BONES);
    prop_oneof![
        6 => (0..3usize, 0..15usize, 0..7usize).prop_map(|(model, frame, build)| Call::Build { model, frame, build }),
        6 => Just(Call::Again),
        1 => (0..15usize).prop_map(|frame| Call::Normalized { frame }),
        1 => bone.clone().prop_map(Call::SetBone),
        1 => bone.clone().prop_map(Call::MulBones),
        1 => bone.prop_map(Call::Write),
        1 => count.clone().prop_map(Call::LocalPose),
        1 => count.clone().prop_map(Call::ModelSpacePose),
        1 => count.prop_map(Call::CopyBones),
        1 => Just(Call::Clone),
    ]
}

struct World {
    models: [Arc<Model>; 3],
    frames: Vec<FrameState>,
    builds: Vec<Build>,
    other: SkeletalObject,
}

impl World {
    fn new() -> Self {
        let models = [lifting(true).0, lifting(false).0, lifting(true).0];
        let models = models.map(Arc::new);
        let mut other = SkeletalObject::new(models[0].clone(), Space::Local);
        other.build(&models[0], &FrameState::single(3, 0.7), &Build::REPLACE).unwrap();
        Self { models, frames: frames(), builds: builds(), other }
    }

    fn run(&self, object: &mut SkeletalObject, call: Call) {
        let turn = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.25), Vec3::X);
        let bind = &self.models[0].skeleton;
        match call {
            // Partial builds of an object in model space are refused.
            Call::Build { model, frame, build } => {
                let _ = object.build(&self.models[model], &self.frames[frame], &self.builds[build]);
            }
            Call::Again => {}
            Call::Normalized { frame } => {
                object.build_normalized(&self.models[0], &self.frames[frame], &Build::REPLACE).unwrap();
            }
            Call::SetBone(bone) => object.set_bone(bone, turn).unwrap(),
            Call::MulBones(bone) => object.mul_bones(bone..BONES, turn),
            Call::Write(bone) => object.bones_mut()[bone] = turn,
            Call::LocalPose(count) => object.set_local_pose(&bind.bind_local()[..count]).unwrap(),
            Call::ModelSpacePose(count) => object.set_model_space_pose(&bind.bind_model()[..count]).unwrap(),
            Call::CopyBones(count) => object.copy_bones(&self.other, 0..count),
            Call::Clone => *object = object.clone(),
        }
    }
}

/// Returns the bits of the bones, and their space.
fn state(object: &SkeletalObject) -> (Vec<[u32; 12]>, bool, bool) {
    let bones = object.pose().bones().iter().map(|bone| bone.0.map(f32::to_bits));
    (bones.collect(), object.pose().is_local(), object.is_built_since_ragdoll())
}

proptest! {
    #[test]
    fn random_calls_leave_the_bones_of_an_object_that_leaves_nothing_out(
        calls in prop::collection::vec(call(), 1..40),
    ) {
        let world = World::new();
        let mut object = SkeletalObject::new(world.models[0].clone(), Space::Local);
        let mut last = Call::Build { model: 0, frame: 0, build: 0 };
        for call in calls {
            if let Call::Build { .. } = call {
                last = call;
            }
            let call = if let Call::Again = call { last } else { call };
            // A clone has not been built, so it leaves nothing out.
            let mut expected = object.clone();
            world.run(&mut expected, call);
            let (revision, before) = (object.revision(), state(&object));
            world.run(&mut object, call);
            prop_assert_eq!(state(&object), state(&expected), "{:?}", call);
            // Whoever keeps what belongs to a revision must see every change.
            if object.revision() == revision {
                prop_assert_eq!(state(&object), before, "{:?}", call);
            }
        }
    }
}

#[test]
fn a_build_that_repeats_the_last_write_keeps_the_revision() {
    let world = World::new();
    let mut object = SkeletalObject::new(world.models[0].clone(), Space::Model);
    for (number, frame) in world.frames.iter().enumerate() {
        let before = object.revision();
        object.build(&world.models[0], frame, &Build::REPLACE).unwrap();
        let built = object.revision();
        assert_ne!(built, before, "frame {number} differs from the one before");
        for _ in 0..3 {
            object.build(&world.models[0], &frame.clone(), &Build::REPLACE).unwrap();
            assert_eq!(object.revision(), built, "frame {number}");
        }
        object.build(&world.models[0], frame, &Build::REPLACE.with_bones(0..BONES)).unwrap();
        assert_ne!(object.revision(), built, "another range");
    }
    let retaining = Build::retaining(0.5);
    for _ in 0..3 {
        let before = object.revision();
        object.build(&world.models[0], &world.frames[0], &retaining).unwrap();
        assert_ne!(object.revision(), before, "what is retained has changed");
    }
}

#[test]
fn evaluators_are_asked_again_unless_they_are_pure() {
    for is_pure in [true, false] {
        let (model, lift) = lifting(is_pure);
        let model = Arc::new(model);
        let mut object = SkeletalObject::new(model.clone(), Space::Local);
        for _ in 0..5 {
            object.build(&model, &FrameState::single(4, 0.5), &Build::REPLACE).unwrap();
        }
        assert_eq!(lift.calls.load(Ordering::Relaxed), if is_pure { 1 } else { 5 });
    }
}

#[test]
fn a_model_that_changes_between_builds_is_read_again() {
    let (own, _) = lifting(true);
    let mut object = SkeletalObject::new(Arc::new(own), Space::Local);
    let mut model = lifting(true).0;
    let frame = FrameState::single(1, 0.0);
    object.build(&model, &frame, &Build::REPLACE).unwrap();
    let first = state(&object);
    model.animations.swap(1, 2);
    object.build(&model, &frame, &Build::REPLACE).unwrap();
    assert_ne!(state(&object), first);
}

#[test]
fn a_runtime_leaves_out_repeated_builds_from_every_model() {
    let mut runtime = Runtime::new(Settings::default()).unwrap();
    let ((own, own_lift), (other, other_lift)) = (lifting(true), lifting(true));
    let own = runtime.add_model("own.iqm", own).unwrap();
    let other = runtime.add_model("other.iqm", other).unwrap();
    let object = runtime.create_object(own, Space::Local).unwrap();
    let frame = FrameState::single(4, 0.5);
    let calls = || [&own_lift, &other_lift].map(|lift| lift.calls.load(Ordering::Relaxed));
    for (source, expected) in [(other, [0, 1]), (own, [1, 1]), (other, [1, 2])] {
        for _ in 0..4 {
            runtime.build(object, source, &frame, &Build::REPLACE).unwrap();
        }
        assert_eq!(calls(), expected);
    }
}

#[test]
fn a_refused_build_leaves_the_last_one_in_force() {
    let world = World::new();
    let mut object = SkeletalObject::new(world.models[0].clone(), Space::Local);
    let frame = FrameState::single(1, 0.3);
    object.build(&world.models[0], &frame, &Build::REPLACE).unwrap();
    let (revision, before) = (object.revision(), state(&object));
    assert!(object.build(&world.models[0], &FrameState::single(1, f64::NAN), &Build::REPLACE).is_err());
    assert_eq!((object.revision(), state(&object)), (revision, before.clone()));
    object.build(&world.models[0], &frame, &Build::REPLACE).unwrap();
    assert_eq!((object.revision(), state(&object)), (revision, before));
}
