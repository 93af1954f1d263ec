//! Objects and what they keep: builds that are left out, matrices in model space, and palettes.

use std::ops::Range;
use std::sync::Arc;

use skelobj::math::{Mat3x4, Quat};
use skelobj::model::{Animation, Blend, Bone, FrameState, Skeleton};
use skelobj::object::{Blending, Build, Pose, Space};
use skelobj::pose::{Additive, BoneMask};
use skelobj::{Model, Runtime, SkeletalObject};

use super::random::{INPUTS, Random, for_each_seed};
use super::{assert_on_every_level, bits, in_model_space, in_model_space_alone, on_every_level, product};

/// Returns a bone with a rotation, and now and then a scale.
fn bone(random: &mut Random) -> Mat3x4 {
    let mut number = |most: f32| random.between(-most, most);
    let turn = Quat::from_xyzw(number(1.0), number(1.0), number(1.0), 1.0).normalize();
    let place = [number(20.0), number(20.0), number(20.0)];
    let scale = if random.once_in(8) { random.between(0.5, 2.0) } else { 1.0 };
    Mat3x4::from_translation_rotation_scale(place, turn.to_array(), [scale; 3])
}

fn pose(random: &mut Random, bones: usize) -> Vec<Mat3x4> {
    (0..bones).map(|_| bone(random)).collect()
}

/// Returns a model of two animations with three poses each.
pub fn model(random: &mut Random, count: usize) -> Arc<Model> {
    let bind = pose(random, count);
    let described = |bone: usize| Bone {
        name: format!("b{bone}").as_str().into(),
        parent: (bone > 0 && !random.once_in(6)).then(|| random.below(bone)),
        bind: bind[bone],
    };
    let skeleton = Skeleton::new((0..count).map(described).collect()).unwrap();
    let animations = [(0, false), (3, true)];
    let animations = animations.map(|(first, loops)| Animation::frames("animation", first, 3, 10.0, loops));
    Arc::new(Model { skeleton, animations: animations.into(), frames: pose(random, 6 * count), ..Model::default() })
}

#[derive(Clone, Debug)]
enum Call {
    Build { of_other: bool, frame: FrameState, build: Build },
    SetBone(usize, Mat3x4),
    MulBones(Range<usize>, Mat3x4),
    Write(usize, Mat3x4),
    LocalPose(Vec<Mat3x4>),
    ModelSpacePose(Vec<Mat3x4>),
    CopyBones(Range<usize>),
    AddLayer(f32),
    AddPose(FrameState, f32),
    Mask(Option<Arc<BoneMask>>),
    MaskNamed(String),
    Blending(Blending),
}

impl Call {
    fn new(random: &mut Random, bones: usize) -> Self {
        let frame = |random: &mut Random| {
            let mut blend =
                || Blend::new(random.below(2), f64::from(random.below(8) as f32) * 0.05, random.of(&[0.25, 0.5, 1.0]));
            let (first, second) = (blend(), blend());
            if random.once_in(3) { FrameState::blended([first, second]) } else { FrameState::blended([first]) }
        };
        let range = |random: &mut Random| random.below(bones + 1)..random.below(bones + 3);
        match random.below(17) {
            0..6 => {
                let whole = [Build::REPLACE, Build::REPLACE, Build::retaining(0.5)];
                let build = whole[random.below(3)].clone();
                let build = if random.once_in(4) { build.with_bones(range(random)) } else { build };
                Self::Build { of_other: random.once_in(3), frame: frame(random), build }
            }
            6 => Self::SetBone(random.below(bones), bone(random)),
            7 => Self::MulBones(range(random), bone(random)),
            8 => Self::Write(random.below(bones), bone(random)),
            9 => {
                let count = random.below(bones + 1);
                Self::LocalPose(pose(random, count))
            }
            10 => {
                let count = random.below(bones + 1);
                Self::ModelSpacePose(pose(random, count))
            }
            11 => Self::CopyBones(range(random)),
            12 => Self::AddLayer(random.between(-1.0, 1.0)),
            13 => Self::AddPose(frame(random), random.between(-1.0, 1.0)),
            14 => {
                let weights: Vec<f32> = (0..bones).map(|_| random.of(&[0.0, 1.0, 0.3])).collect();
                Self::Mask(random.once_in(2).then(|| BoneMask::new(weights).unwrap().into()))
            }
            15 => Self::Blending(random.of(&[Blending::Linear, Blending::Rotations, Blending::Rotations])),
            _ if random.once_in(3) => Self::MaskNamed(String::new()),
            _ => Self::MaskNamed(format!("b{} 0.7", random.below(bones))),
        }
    }

    /// Runs the call; returns `false` if the object refuses it.
    fn run(&self, object: &mut SkeletalObject, world: &World) -> bool {
        match self {
            Self::Build { of_other, frame, build } => {
                let model = if *of_other { &world.other } else { &world.own };
                object.build(model, frame, build).is_ok()
            }
            Self::SetBone(bone, matrix) => object.set_bone(*bone, *matrix).is_ok(),
            Self::MulBones(bones, matrix) => {
                object.mul_bones(bones.clone(), *matrix);
                true
            }
            Self::Write(bone, matrix) => {
                object.bones_mut()[*bone] = *matrix;
                true
            }
            Self::LocalPose(pose) => object.set_local_pose(pose).is_ok(),
            Self::ModelSpacePose(pose) => object.set_model_space_pose(pose).is_ok(),
            Self::CopyBones(bones) => {
                object.copy_bones(&world.posed, bones.clone());
                true
            }
            Self::AddLayer(weight) => object.add_layer(&world.layer, *weight).is_ok(),
            Self::AddPose(frame, weight) => object.add_pose(&world.own, frame, None, *weight).is_ok(),
            Self::Mask(mask) => {
                object.set_mask(mask.clone());
                true
            }
            Self::MaskNamed(text) => object.set_mask_named(text).is_ok(),
            Self::Blending(blending) => {
                object.set_blending(*blending);
                true
            }
        }
    }
}

struct World {
    own: Arc<Model>,
    /// Model of as many bones.
    other: Arc<Model>,
    posed: SkeletalObject,
    layer: Additive,
}

/// Compares all that an object tells of its pose with products of its bones.
fn assert_told(object: &SkeletalObject, random: &mut Random) {
    let skeleton = &object.model().skeleton;
    let (bones, count) = (object.pose().bones(), object.bone_count());
    for _ in 0..random.below(2 * count + 1) {
        let bone = random.below(count);
        let expected = match object.pose() {
            Pose::Local(_) => in_model_space_alone(skeleton, bones, bone),
            _ => bones[bone],
        };
        assert_eq!(bits(&[object.model_space(bone).unwrap()]), bits(&[expected]), "bone {bone}");
        let expected = match (object.pose(), skeleton.parent(bone)) {
            (Pose::ModelSpace(_), Some(parent)) => {
                bones[parent].inverse().map_or(bones[bone], |inverse| product(inverse, bones[bone]))
            }
            _ => bones[bone],
        };
        assert_eq!(bits(&[object.local_space(bone).unwrap()]), bits(&[expected]), "bone {bone} in its parent");
    }
    let placed = placed(object);
    let mut all = vec![Mat3x4::ZERO; count];
    object.write_model_space(&mut all);
    assert_eq!(bits(&all), bits(&placed));
    object.write_palette(&mut all).unwrap();
    assert_eq!(bits(&all), bits(&palette(object)));
}

fn placed(object: &SkeletalObject) -> Vec<Mat3x4> {
    match object.pose() {
        Pose::Local(bones) => in_model_space(object.model().skeleton.parents(), bones),
        _ => object.pose().bones().to_vec(),
    }
}

fn palette(object: &SkeletalObject) -> Vec<Mat3x4> {
    let inverse = object.model().skeleton.inverse_bind();
    placed(object).iter().zip(inverse).map(|(bone, inverse)| product(*bone, *inverse)).collect()
}

#[test]
fn blends_that_keep_rotations_have_the_same_bits_on_every_level() {
    for_each_seed(INPUTS / 20, |random| {
        let count = 1 + random.below(40);
        let model = model(random, count);
        let old = pose(random, count);
        let blend = |random: &mut Random| {
            let time = f64::from(random.between(0.0, 0.3));
            Blend::new(random.below(2), time, random.between(0.0, 0.6))
        };
        let frame = FrameState::blended([blend(random), blend(random), blend(random)]);
        let start = random.below(count);
        let retain = random.of(&[0.0, 0.3, -0.5]);
        let build = Build { retain, add: random.of(&[1.0, 0.7]), bones: start..count };
        let mut all: Vec<Vec<u32>> = Vec::new();
        on_every_level(|_| {
            // A model of its own: what is kept of it was computed on this level.
            let model = Arc::new(Model::clone(&model));
            let mut object = SkeletalObject::new(model.clone(), Space::Local);
            object.set_blending(Blending::Rotations);
            object.set_local_pose(&old).unwrap();
            object.build(&model, &frame, &build).unwrap();
            all.push(bits(object.pose().bones()));
        });
        assert!(all.iter().all(|bits| *bits == all[0]), "{frame:?} {build:?}");
    });
}

/// Nobody can tell an object that has been built, posed and asked before from one that begins with its pose.
#[test]
fn used_objects_are_as_fresh_ones() {
    for_each_seed(INPUTS, |random| {
        let count = 1 + random.below(8);
        let (own, other) = (model(random, count), model(random, count));
        let mut posed = SkeletalObject::new(own.clone(), random.of(&[Space::Local, Space::Model]));
        posed.bones_mut().copy_from_slice(&pose(random, count));
        let layer = Additive::new(&pose(random, count), own.skeleton.bind_local());
        let world = World { own, other, posed, layer };
        let mut used = SkeletalObject::new(world.own.clone(), random.of(&[Space::Local, Space::Model]));
        let mut last = None;
        for _ in 0..1 + random.below(10) {
            let again = last.clone().filter(|_| random.once_in(3));
            let call = again.unwrap_or_else(|| Call::new(random, count));
            let mut fresh = used.clone();
            let answers = [&mut fresh, &mut used].map(|object| call.run(object, &world));
            assert_eq!(answers[0], answers[1], "{call:?}");
            assert_eq!(bits(used.pose().bones()), bits(fresh.pose().bones()), "{call:?}");
            assert_eq!(used.pose().is_local(), fresh.pose().is_local(), "{call:?}");
            assert_eq!(used.mask(), fresh.mask(), "{call:?}");
            if random.once_in(2) {
                assert_told(&used, random);
            }
            if let Call::Build { .. } = call {
                last = Some(call);
            }
        }
    });
}

#[test]
fn palettes_of_many_objects_are_products_of_their_bones() {
    for_each_seed(INPUTS, |random| {
        let mut runtime = Runtime::default();
        let largest = 1 + random.below(8);
        let mut objects = Vec::new();
        for number in 0..random.below(6) {
            let count = 1 + random.below(largest);
            let model = runtime.add_model("model", model(random, count)).unwrap();
            let object = runtime.create_object(model, random.of(&[Space::Local, Space::Model])).unwrap();
            let bones = pose(random, count);
            runtime.object_mut(object).unwrap().bones_mut().copy_from_slice(&bones);
            objects.insert(random.below(number + 1), object);
        }
        let stride = largest + random.below(3);
        let room = objects.len() * stride + random.below(3);
        let start = pose(random, room);
        let mut expected = start.clone();
        for (out, id) in expected.chunks_mut(stride).zip(&objects) {
            let own = palette(runtime.object(*id).unwrap());
            out[..own.len()].copy_from_slice(&own);
        }
        assert_on_every_level(&start, &expected, |out| runtime.write_palettes(&objects, stride, out).unwrap());
    });
}
