//! Kernels over bones and vertices, and what avoids work or packs its results, compared with plain definitions on every
//! level of vector instructions.

#[path = "../common/random.rs"]
mod random;

mod layers;
mod objects;
mod past;
mod sampling;
mod skin;

use std::sync::{Arc, Mutex, PoisonError};

use random::{INPUTS, Random, for_each_seed};
use skelobj::math::Mat3x4;
use skelobj::model::{FrameFields, FrameState, Skeleton};
use skelobj::object::Space;
use skelobj::pose::raw::SimdLevel;
use skelobj::pose::{self, PoseSource};
use skelobj::{Model, SkeletalObject, assets};

/// Returns a float of any magnitude, no NaN and no infinity.
fn float(random: &mut Random) -> f32 {
    let sign = random.of(&[1.0, -1.0]);
    match random.below(10) {
        0..6 => random.between(-100.0, 100.0),
        6 => 0.0,
        7 => -0.0,
        8 => Some(f32::from_bits(random.below(1 << 32) as u32)).filter(|any| any.is_finite()).unwrap_or(1e-38),
        _ => sign * f32::from_bits(1 + random.below(0x007f_ffff) as u32),
    }
}

fn weight(random: &mut Random) -> f32 {
    match random.below(7) {
        0..3 => random.between(-2.0, 2.0),
        3 => 0.0,
        4 => -0.0,
        5 => 1.0,
        _ => float(random),
    }
}

fn bones(random: &mut Random, count: usize) -> Vec<Mat3x4> {
    (0..count).map(|_| Mat3x4([(); 12].map(|()| float(random)))).collect()
}

/// Returns the bits of all floats; every NaN, which products of extremes give, counts as the same.
fn bits(bones: &[Mat3x4]) -> Vec<u32> {
    let bits = |float: &f32| if float.is_nan() { f32::NAN.to_bits() } else { float.to_bits() };
    bones.iter().flat_map(|bone| bone.0.iter().map(bits)).collect()
}

/// Selects one level after the other for the process, whose tests run on several threads.
fn on_every_level(mut check: impl FnMut(SimdLevel)) {
    static SELECTING: Mutex<()> = Mutex::new(());
    let _selecting = SELECTING.lock().unwrap_or_else(PoisonError::into_inner);
    let best = SimdLevel::current();
    for level in SimdLevel::available() {
        assert!(level.select());
        check(level);
    }
    assert!(best.select());
}

/// Runs a kernel on every level and compares the bones that it leaves with the expected ones.
fn assert_on_every_level(start: &[Mat3x4], expected: &[Mat3x4], kernel: impl Fn(&mut [Mat3x4])) {
    on_every_level(|level| {
        let mut out = start.to_vec();
        kernel(&mut out);
        assert_eq!(bits(&out), bits(expected), "on {level:?}");
    });
}

/// Sums poses as FTE's loops do: product by product, in order.
fn summed(poses: &[(Vec<Mat3x4>, f32)], bone: usize, float: usize) -> f32 {
    let mut products = poses.iter().map(|(pose, weight)| pose[bone].0[float] * weight);
    let first = products.next().unwrap_or(0.0);
    products.fold(first, |sum, product| sum + product)
}

/// Multiplies matrices as FTE's loops do.
fn product(a: Mat3x4, b: Mat3x4) -> Mat3x4 {
    let mut out = Mat3x4::ZERO;
    for row in 0..3 {
        for column in 0..4 {
            let [x, y, z] = [0, 1, 2].map(|i| a.0[4 * row + i] * b.0[4 * i + column]);
            let sum = x + y + z;
            out.0[4 * row + column] = if column == 3 { sum + a.0[4 * row + 3] } else { sum };
        }
    }
    out
}

fn in_model_space(parents: &[i32], local: &[Mat3x4]) -> Vec<Mat3x4> {
    let mut out: Vec<Mat3x4> = Vec::new();
    for (&parent, &local) in parents.iter().zip(local) {
        let parent = usize::try_from(parent).ok().and_then(|parent| out.get(parent));
        out.push(parent.map_or(local, |parent| product(*parent, local)));
    }
    out
}

/// Multiplies a bone with its ancestors as FTE's skel_get_boneabs does: from the bone to the root.
fn in_model_space_alone(skeleton: &Skeleton, local: &[Mat3x4], bone: usize) -> Mat3x4 {
    let ancestors = std::iter::successors(skeleton.parent(bone), |&parent| skeleton.parent(parent));
    ancestors.fold(local[bone], |below, ancestor| product(local[ancestor], below))
}

/// Returns a tree whose branches may be interleaved, and whose bones have no bind pose.
fn skeleton(random: &mut Random, count: usize) -> Skeleton {
    let bone = |bone: usize| match (bone, random.below(11)) {
        (0, _) | (_, 10) => ("bone".into(), None),
        (_, 0..6) => ("bone".into(), Some(bone - 1)),
        _ => ("bone".into(), Some(random.below(bone))),
    };
    Skeleton::without_bind((0..count).map(bone).collect()).unwrap()
}

/// Returns parents of which most are the bone before; some are roots, and some are not bones.
fn parents(random: &mut Random, count: usize) -> Vec<i32> {
    let parent = |bone: i32| match random.below(9) {
        0..4 => bone - 1,
        4..6 => random.below(bone.max(1) as usize + 1) as i32 - 1,
        6 => bone,
        7 => i32::MAX,
        _ => i32::MIN,
    };
    (0..count as i32).map(parent).collect()
}

/// Mixes old floats with new ones as FTE's loops do.
fn retained(old: f32, retain: f32, new: f32, add: f32) -> f32 {
    match (retain == 0.0, add == 0.0) {
        (true, true) => 0.0,
        (true, false) => new * add,
        (false, _) => old * retain + new * add,
    }
}

#[test]
fn palettes_of_both_bone_groups_are_those_of_the_separate_kernels() {
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let fields = FrameFields { frame: 1.0, frame1time: 0.31, ..FrameFields::default() };
    for basebone in [0.0, 1.0, 10.0, 21.0, 22.0, 99.0] {
        let fields = FrameFields { baseframe: 2.0, baseframe1time: 0.12, basebone, ..fields };
        let frame = FrameState::client(&fields);
        let source = PoseSource { model: &model, frame: &frame };
        for room in [0, 1, 12, 21, 30] {
            let bones = model.skeleton.len().min(room);
            let mut local = vec![Mat3x4::ZERO; bones];
            pose::sample(source, 0..bones, &mut local);
            let placed = in_model_space(model.skeleton.parents(), &local);
            let start = vec![Mat3x4::IDENTITY; room];
            let mut expected = start.clone();
            for (bone, placed) in placed.into_iter().enumerate() {
                expected[bone] = product(placed, model.skeleton.inverse_bind()[bone]);
            }
            assert_on_every_level(&start, &expected, |out| assert_eq!(pose::sample_palette(source, out), bones));
        }
    }
}

#[test]
fn blends_are_those_of_scalar_loops() {
    for_each_seed(INPUTS, |random| {
        let (number, count) = (random.below(9), random.below(12));
        let poses: Vec<(Vec<Mat3x4>, f32)> = (0..number).map(|_| (bones(random, count), weight(random))).collect();
        let start = bones(random, count + 1);
        let mut expected = start.clone();
        let written = if number == 0 { start.len() } else { count };
        for (bone, matrix) in expected[..written].iter_mut().enumerate() {
            for float in 0..12 {
                matrix.0[float] = summed(&poses, bone, float);
            }
        }
        let slices: Vec<(&[Mat3x4], f32)> = poses.iter().map(|(pose, weight)| (&pose[..], *weight)).collect();
        assert_on_every_level(&start, &expected, |out| pose::raw::blend(out, &slices));
    });
}

#[test]
fn retained_poses_are_those_of_scalar_loops() {
    for_each_seed(INPUTS, |random| {
        let count = random.below(12);
        let (new, start) = (bones(random, count), bones(random, count + 1));
        let (retain, add) = (weight(random), weight(random));
        let mut expected = start.clone();
        for (old, new) in expected.iter_mut().zip(&new) {
            old.0.iter_mut().zip(new.0).for_each(|(old, new)| *old = retained(*old, retain, new, add));
        }
        assert_on_every_level(&start, &expected, |out| pose::raw::retain_and_add(out, retain, &new, add));
    });
}

#[test]
fn model_space_and_palettes_are_those_of_scalar_loops() {
    for_each_seed(INPUTS, |random| {
        let count = random.below(12);
        let (parents, local, inverse_bind) = (parents(random, count), bones(random, count), bones(random, count));
        let start = bones(random, count + 1);
        let placed = in_model_space(&parents, &local);
        let mut expected = start.clone();
        expected[..placed.len()].copy_from_slice(&placed);
        assert_on_every_level(&start, &expected, |out| pose::to_model_space(&parents, &local, out));
        for ((out, placed), inverse_bind) in expected.iter_mut().zip(&placed).zip(&inverse_bind) {
            *out = product(*placed, *inverse_bind);
        }
        assert_on_every_level(&start, &expected, |out| pose::palette(&placed, &inverse_bind, out));
        assert_on_every_level(&start, &expected, |out| {
            pose::raw::local_to_palette(&parents, &local, &inverse_bind, out);
        });
    });
}

#[test]
fn bones_asked_for_one_by_one_are_those_of_scalar_loops() {
    for_each_seed(INPUTS, |random| {
        let count = 1 + random.below(12);
        let skeleton = skeleton(random, count);
        let poses: Vec<(Vec<Mat3x4>, Vec<usize>)> = (0..1 + random.below(3))
            .map(|_| {
                let mut pose = bones(random, count);
                // What objects accept.
                pose.iter_mut().flat_map(|bone| &mut bone.0).for_each(|float| *float = float.clamp(-1e30, 1e30));
                (pose, (0..random.below(2 * count)).map(|_| random.below(count)).collect())
            })
            .collect();
        let answers = |(pose, queries): &(Vec<Mat3x4>, Vec<usize>)| {
            queries.iter().map(|&bone| in_model_space_alone(&skeleton, pose, bone)).collect::<Vec<_>>()
        };
        let expected: Vec<Mat3x4> = poses.iter().flat_map(answers).collect();
        let model = Arc::new(Model { skeleton: skeleton.clone(), ..Model::default() });
        assert_on_every_level(&vec![Mat3x4::ZERO; expected.len()], &expected, |out| {
            let mut object = SkeletalObject::new(model.clone(), Space::Local);
            let mut out = out.iter_mut();
            for (pose, queries) in &poses {
                object.set_local_pose(pose).unwrap();
                for (&bone, out) in queries.iter().zip(out.by_ref()) {
                    *out = object.model_space(bone).unwrap();
                }
            }
        });
    });
}
