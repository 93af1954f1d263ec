//! Kernels over bones give the bits of a scalar reference on every level of vector instructions.

use std::sync::{Arc, Mutex, PoisonError};

use proptest::prelude::*;
use skelobj::math::Mat3x4;
use skelobj::model::{Animation, Blend, Bone, FrameFields, FrameState, Skeleton};
use skelobj::object::Space;
use skelobj::pose::raw::SimdLevel;
use skelobj::pose::{self, PoseSource};
use skelobj::{Model, SkeletalObject, assets};

/// Floats of all magnitudes, without NaN and infinities.
fn float() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -100.0f32..100.0,
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => any::<f32>().prop_map(|float| if float.is_finite() { float } else { f32::MIN_POSITIVE / 3.0 }),
        1 => (1u32..0x0080_0000, any::<bool>()).prop_map(|(bits, sign)| f32::from_bits(bits | u32::from(sign) << 31)),
    ]
}

fn weight() -> impl Strategy<Value = f32> {
    prop_oneof![3 => -2.0f32..2.0, 1 => Just(0.0), 1 => Just(-0.0), 1 => Just(1.0), 1 => float()]
}

fn bones(count: usize) -> impl Strategy<Value = Vec<Mat3x4>> {
    prop::collection::vec(prop::array::uniform12(float()).prop_map(Mat3x4), count)
}

/// Returns the bits of all floats; every NaN, which products of extremes give, counts as the same.
fn bits(bones: &[Mat3x4]) -> Vec<u32> {
    let bits = |float: &f32| if float.is_nan() { f32::NAN.to_bits() } else { float.to_bits() };
    bones.iter().flat_map(|bone| bone.0.iter().map(bits)).collect()
}

/// Runs a kernel on every level and compares the bones that it leaves with the expected ones.
fn on_every_level(start: &[Mat3x4], expected: &[Mat3x4], kernel: impl Fn(&mut [Mat3x4])) {
    static SELECTING: Mutex<()> = Mutex::new(());
    // The level is that of the process, and tests run on several threads.
    let _selecting = SELECTING.lock().unwrap_or_else(PoisonError::into_inner);
    for level in SimdLevel::available() {
        assert!(level.select());
        let mut out = start.to_vec();
        kernel(&mut out);
        assert_eq!(bits(&out), bits(expected), "on {level:?}");
    }
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

/// A tree whose branches may be interleaved, and whose bones have no bind pose.
fn skeleton(count: usize) -> impl Strategy<Value = Skeleton> {
    let parent = |bone: usize| match bone {
        0 => Just(None).boxed(),
        _ => prop_oneof![6 => Just(Some(bone - 1)), 4 => (0..bone).prop_map(Some), 1 => Just(None)].boxed(),
    };
    let parents = (0..count).map(parent).collect::<Vec<_>>();
    parents.prop_map(|parents| {
        let bones = parents.into_iter().map(|parent| ("bone".into(), parent)).collect();
        Skeleton::without_bind(bones).unwrap()
    })
}

/// Parents of which most are the bone before; some are roots, and some are not bones.
fn parents(count: usize) -> impl Strategy<Value = Vec<i32>> {
    let parent = |bone: i32| prop_oneof![4 => Just(bone - 1), 2 => -1..bone.max(1), 1 => Just(bone), 1 => Just(i32::MAX), 1 => Just(i32::MIN)];
    (0..count as i32).map(parent).collect::<Vec<_>>()
}

/// Model of two animations with three frames each, one frame a second.
fn model(frames: Vec<Mat3x4>, bones: usize) -> Model {
    let bone = |bone: usize| Bone { name: "bone".into(), parent: bone.checked_sub(1), bind: frames[bone] };
    Model {
        skeleton: Skeleton::new((0..bones).map(bone).collect()).unwrap(),
        animations: [0, 3].map(|first| Animation::frames("animation", first, 3, 1.0, false)).into(),
        frames,
        ..Model::default()
    }
}

/// Returns the poses that blends at times before the last frame show, with their weights.
fn shown(model: &Model, blends: &[(usize, f32, f32)]) -> Vec<(Vec<Mat3x4>, f32)> {
    let pairs = blends.iter().filter(|(_, _, weight)| *weight > 0.0).flat_map(|&(animation, time, weight)| {
        let fraction = time.fract();
        let pose = |pose: usize| model.pose(&model.animations[animation], pose).to_vec();
        let first = time as usize;
        [(pose(first), (1.0 - fraction) * weight), (pose(first + 1), fraction * weight)]
    });
    pairs.filter(|(_, weight)| *weight > 0.0).collect()
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
            on_every_level(&start, &expected, |out| assert_eq!(pose::sample_palette(source, out), bones));
        }
    }
}

proptest! {
    #[test]
    fn blends_are_those_of_scalar_loops(
        (poses, start) in (0usize..9, 0usize..12).prop_flat_map(|(poses, count)| {
            (prop::collection::vec((bones(count), weight()), poses), bones(count + 1))
        }),
    ) {
        let count = poses.iter().map(|(pose, _)| pose.len()).min().unwrap_or(start.len());
        let mut expected = start.clone();
        for (bone, matrix) in expected[..count].iter_mut().enumerate() {
            for float in 0..12 {
                matrix.0[float] = summed(&poses, bone, float);
            }
        }
        let slices: Vec<(&[Mat3x4], f32)> = poses.iter().map(|(pose, weight)| (&pose[..], *weight)).collect();
        on_every_level(&start, &expected, |out| pose::raw::blend(out, &slices));
    }

    #[test]
    fn retained_poses_are_those_of_scalar_loops(
        (new, start) in (0usize..12).prop_flat_map(|count| (bones(count), bones(count + 1))),
        retain in weight(),
        add in weight(),
    ) {
        let mut expected = start.clone();
        for (old, new) in expected.iter_mut().zip(&new) {
            for (old, new) in old.0.iter_mut().zip(new.0) {
                *old = match (retain == 0.0, add == 0.0) {
                    (true, true) => 0.0,
                    (true, false) => new * add,
                    (false, _) => *old * retain + new * add,
                };
            }
        }
        on_every_level(&start, &expected, |out| pose::raw::retain_and_add(out, retain, &new, add));
    }

    #[test]
    fn model_space_and_palettes_are_those_of_scalar_loops(
        (parents, local, inverse_bind, start) in (0usize..20).prop_flat_map(|count| {
            (parents(count), bones(count), bones(count), bones(count + 1))
        }),
    ) {
        let placed = in_model_space(&parents, &local);
        let mut expected = start.clone();
        expected[..placed.len()].copy_from_slice(&placed);
        on_every_level(&start, &expected, |out| pose::to_model_space(&parents, &local, out));
        for ((out, placed), inverse_bind) in expected.iter_mut().zip(&placed).zip(&inverse_bind) {
            *out = product(*placed, *inverse_bind);
        }
        on_every_level(&start, &expected, |out| pose::palette(&placed, &inverse_bind, out));
        on_every_level(&start, &expected, |out| pose::raw::local_to_palette(&parents, &local, &inverse_bind, out));
    }

    #[test]
    fn bones_asked_for_one_by_one_are_those_of_scalar_loops(
        (skeleton, poses) in (1usize..40).prop_flat_map(|count| {
            let queries = prop::collection::vec(0..count, 0..2 * count);
            (skeleton(count), prop::collection::vec((bones(count), queries), 1..6))
        }),
    ) {
        let mut poses = poses;
        for float in poses.iter_mut().flat_map(|(pose, _)| pose).flat_map(|bone| &mut bone.0) {
            // What objects accept.
            *float = float.clamp(-1e30, 1e30);
        }
        let answers = |(pose, queries): &(Vec<Mat3x4>, Vec<usize>)| {
            queries.iter().map(|&bone| in_model_space_alone(&skeleton, pose, bone)).collect::<Vec<_>>()
        };
        let expected: Vec<Mat3x4> = poses.iter().flat_map(answers).collect();
        let model = Arc::new(Model { skeleton: skeleton.clone(), ..Model::default() });
        on_every_level(&vec![Mat3x4::ZERO; expected.len()], &expected, |out| {
            let mut object = SkeletalObject::new(model.clone(), Space::Local);
            let mut out = out.iter_mut();
            for (pose, queries) in &poses {
                object.set_local_pose(pose).unwrap();
                for (&bone, out) in queries.iter().zip(out.by_ref()) {
                    *out = object.model_space(bone).unwrap();
                }
            }
        });
    }

    #[test]
    fn parts_of_animations_are_those_of_scalar_loops(
        (count, frames, old) in (1usize..12).prop_flat_map(|count| (Just(count), bones(6 * count), bones(count))),
        blends in prop::collection::vec((0usize..2, 0.0f32..1.999, prop_oneof![Just(0.0f32), Just(1.0), 0.0f32..3.0]), 0..5),
        (first, after, retain, add) in (0usize..13, 0usize..13, weight(), weight()),
    ) {
        let model = model(frames, count);
        let mut all = [Blend::default(); 4];
        for (blend, &(animation, time, weight)) in all.iter_mut().zip(&blends) {
            *blend = Blend::new(animation, f64::from(time), weight);
        }
        let frame = FrameState::blended(all);
        let source = PoseSource { model: &model, frame: &frame };
        let poses = shown(&model, &blends);
        let new: Vec<Mat3x4> = (0..count)
            .map(|bone| Mat3x4(std::array::from_fn(|float| summed(&poses, bone, float))))
            .collect();

        let range = first..after;
        let written = after.min(count).saturating_sub(first);
        let mut expected = old.clone();
        for (bone, old) in expected[..written].iter_mut().enumerate() {
            for (old, new) in old.0.iter_mut().zip(new[first + bone].0) {
                *old = match (retain == 0.0, add == 0.0) {
                    (true, true) => 0.0,
                    (true, false) => new * add,
                    (false, _) => *old * retain + new * add,
                };
            }
        }
        on_every_level(&old, &expected, |out| {
            assert_eq!(pose::raw::sample_over(source, range.clone(), retain, add, out), written);
        });

        let placed = in_model_space(model.skeleton.parents(), &new);
        let inverse_bind = model.skeleton.inverse_bind();
        let palette: Vec<Mat3x4> = placed.iter().zip(inverse_bind).map(|(a, b)| product(*a, *b)).collect();
        on_every_level(&old, &palette, |out| assert_eq!(pose::sample_palette(source, out), count));
    }
}

#[test]
fn additive_layers_have_the_same_bits_on_every_level() {
    let model = assets::mannequin();
    let [reference, pose] = [0, 2].map(|animation| model.pose(&model.animations[animation], 0));
    let mut scaled = pose.to_vec();
    scaled[3] = scaled[3] * Mat3x4::from_translation_rotation_scale([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1.5; 3]);
    let mask = pose::BoneMask::new((0..21).map(|bone| bone as f32 / 20.0).collect::<Vec<_>>()).unwrap();
    for layer in [pose, &scaled].map(|pose| pose::Additive::new(pose, reference)) {
        for mask in [None, Some(&mask)] {
            let add = |bones: &mut [Mat3x4]| pose::add(bones, &layer, 0.37, mask).unwrap();
            let mut expected = reference.to_vec();
            add(&mut expected);
            on_every_level(reference, &expected, add);
        }
    }
}
