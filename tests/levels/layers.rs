//! Additive layers and masks.

use std::sync::Arc;

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{FrameState, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::pose::{self, Additive, BoneMask, PoseSource};
use skelobj::{Model, SkeletalObject, assets};

use super::random::{INPUTS, Random, for_each_seed};
use super::{assert_on_every_level, bits, objects, on_every_level, product, retained, skeleton};

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
            assert_on_every_level(reference, &expected, add);
        }
    }
}

/// Returns a matrix with a rotation and a scale for each axis; all scales are 1 unless `is_scaled`.
fn bone(random: &mut Random, is_scaled: bool) -> (Mat3x4, Quat, Vec3) {
    let mut number = |most: f32| random.between(-most, most);
    let turn = Quat::from_xyzw(number(1.0), number(1.0), number(1.0), number(1.0) + 1.1).normalize();
    let place = [number(20.0), number(20.0), number(20.0)];
    let scale = if is_scaled { Vec3::new(number(0.5), number(0.5), number(0.5)) + 1.0 } else { Vec3::ONE };
    (Mat3x4::from_translation_rotation_scale(place, turn.to_array(), scale.to_array()), turn, scale)
}

/// Adds a share of the difference between a pose and its reference to a bone, as the definition of layers has it: a
/// rotation along the shorter arc, normalised, and what was scaled is divided where the share is negative.
fn added(old: &Mat3x4, turn: Quat, scale: Vec3, way: Vec3, weight: f32) -> Mat3x4 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let part = Quat::from_xyzw(turn.x * weight, turn.y * weight, turn.z * weight, 1.0 + (turn.w - 1.0) * weight.abs());
    let whole = Vec3::ONE + (scale - 1.0) * weight.abs();
    let scale = if weight < 0.0 { 1.0 / whole } else { whole };
    let change = Mat3x4::from_translation_rotation_scale([0.0; 3], part.normalize().to_array(), scale.to_array());
    (old.with_origin(Vec3::ZERO) * change).with_origin(old.origin() + way * weight)
}

#[test]
fn layers_are_those_of_the_definition() {
    for_each_seed(INPUTS, |random| {
        let count = 1 + random.below(14);
        let is_scaled = random.once_in(2);
        let weight = if random.once_in(3) { random.of(&[0.0, 1.0, -1.0]) } else { random.between(-1.0, 1.0) };
        let references: Vec<Mat3x4> = (0..count).map(|_| bone(random, false).0).collect();
        let changes: Vec<_> = (0..count).map(|_| bone(random, is_scaled)).collect();
        let poses: Vec<Mat3x4> = references.iter().zip(&changes).map(|(bone, (change, ..))| *bone * *change).collect();
        let old: Vec<Mat3x4> = (0..count + random.below(3)).map(|_| bone(random, is_scaled).0).collect();
        let layer = Additive::new(&poses, &references);
        let weights: Vec<f32> = (0..random.below(count + 3)).map(|_| random.of(&[0.0, 1.0, 0.3, 0.8])).collect();
        let mask = random.once_in(2).then(|| BoneMask::new(weights).unwrap());
        on_every_level(|level| {
            let mut bones = old.clone();
            pose::add(&mut bones, &layer, weight, mask.as_ref()).unwrap();
            for (number, (found, old)) in bones.iter().zip(&old).enumerate() {
                let own = mask.as_ref().map_or(1.0, |mask| mask.weights().get(number).copied().unwrap_or(0.0));
                let of = format!("{level:?}, weight {weight}, scales {is_scaled}: bone {number} of {count}");
                if number >= count || weight * own == 0.0 {
                    assert_eq!(bits(&[*found]), bits(&[*old]), "{of}");
                    continue;
                }
                let (_, turn, scale) = changes[number];
                let way = poses[number].origin() - references[number].origin();
                let expected = added(old, turn, scale, way, weight * own);
                let off = found.0.iter().zip(expected.0).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(off < 2e-3, "{of}: {found:?} for {expected:?}");
            }
        });
    });
}

/// Returns a model of more bones than are added at a time, now and then, and an object of it that was built.
fn posed(random: &mut Random) -> (Arc<Model>, SkeletalObject) {
    let most = if random.once_in(10) { 40 } else { 8 };
    let count = 1 + random.below(most);
    let model = objects::model(random, count);
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    object.build(&model, &frame(random), &Build::REPLACE).unwrap();
    (model, object)
}

fn frame(random: &mut Random) -> FrameState {
    FrameState::single(random.below(2), f64::from(random.between(0.0, 0.3)))
}

/// Returns a mask for as many bones, or for fewer.
fn mask(random: &mut Random, bones: usize) -> BoneMask {
    let weights: Vec<f32> = (0..random.below(bones + 2)).map(|_| random.of(&[0.0, 1.0, 0.5, 0.3])).collect();
    BoneMask::new(weights).unwrap()
}

/// An object adds a pose of a model in pieces, without a layer that is kept.
#[test]
fn poses_that_an_object_adds_are_layers() {
    for_each_seed(INPUTS, |random| {
        let (model, object) = posed(random);
        let bones = object.bone_count();
        let (frame, reference) = (frame(random), random.once_in(2).then(|| frame(random)));
        let weight = random.between(-1.0, 1.0);
        let mask = random.once_in(2).then(|| Arc::new(mask(random, bones)));
        let mut pose = vec![Mat3x4::ZERO; bones];
        let mut referred = model.skeleton.bind_local().to_vec();
        pose::sample(PoseSource { model: &model, frame: &frame }, 0..bones, &mut pose);
        if let Some(frame) = &reference {
            pose::sample(PoseSource { model: &model, frame }, 0..bones, &mut referred);
        }
        let mut expected = object.pose().bones().to_vec();
        pose::add(&mut expected, &Additive::new(&pose, &referred), weight, mask.as_deref()).unwrap();
        on_every_level(|level| {
            let mut object = object.clone();
            object.set_mask(mask.clone());
            object.add_pose(&model, &frame, reference.as_ref(), weight).unwrap();
            for (bone, (found, expected)) in object.pose().bones().iter().zip(&expected).enumerate() {
                let off = found.0.iter().zip(expected.0).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(off < 1e-3, "{level:?}: bone {bone} of {bones}: {found:?} for {expected:?}");
            }
        });
    });
}

/// Mixes what a mask lets through.
fn let_through(old: &Mat3x4, changed: &Mat3x4, weight: f32) -> Mat3x4 {
    match weight {
        0.0 => *old,
        1.0 => *changed,
        _ => Mat3x4(std::array::from_fn(|at| old.0[at] * (1.0 - weight) + changed.0[at] * weight)),
    }
}

#[test]
fn builds_and_edits_through_a_mask_are_those_of_scalar_loops() {
    for_each_seed(INPUTS, |random| {
        let (model, mut object) = posed(random);
        let bones = object.bone_count();
        let (frame, mask) = (frame(random), mask(random, bones));
        let weight = |bone: usize| mask.weights().get(bone).copied().unwrap_or(0.0);
        object.set_mask(Some(Arc::new(mask.clone())));
        let (old, range) = (object.pose().bones().to_vec(), random.below(bones + 1)..random.below(bones + 2));
        let is_in = |bone: usize| range.contains(&bone);
        let mut new = vec![Mat3x4::ZERO; bones];
        pose::sample(PoseSource { model: &model, frame: &frame }, 0..bones, &mut new);
        let (retain, turn) = (random.of(&[0.0, 0.0, 0.4]), bone(random, false).0);
        let expected: Vec<Mat3x4> = (0..bones)
            .map(|bone| {
                let changed =
                    std::array::from_fn(|at| retained(old[bone].0[at], retain, new[bone].0[at], 1.0 - retain));
                let_through(&old[bone], &Mat3x4(changed), if is_in(bone) { weight(bone) } else { 0.0 })
            })
            .collect();
        let build = Build::retaining(retain).with_bones(range.clone());
        object.build(&model, &frame, &build).unwrap();
        assert_eq!(bits(object.pose().bones()), bits(&expected), "{build:?} of {bones} bones through {mask:?}");
        object.mul_bones(range.clone(), turn);
        let turned = |(bone, old): (usize, &Mat3x4)| {
            let_through(old, &product(turn, *old), if is_in(bone) { weight(bone) } else { 0.0 })
        };
        let expected: Vec<Mat3x4> = expected.iter().enumerate().map(turned).collect();
        assert_eq!(bits(object.pose().bones()), bits(&expected), "{range:?} of {bones} bones through {mask:?}");
    });
}

/// Returns the weights that a list of bones gives, entry by entry.
fn weights(skeleton: &Skeleton, entries: &[(usize, f32, Option<usize>)]) -> Vec<f32> {
    let mut weights = vec![0.0; skeleton.len()];
    for &(root, weight, falloff) in entries {
        for (bone, own) in weights.iter_mut().enumerate() {
            let mut ancestors = std::iter::successors(Some(bone), |&bone| skeleton.parent(bone));
            if let Some(depth) = ancestors.position(|ancestor| ancestor == root) {
                let steps = falloff.map_or(1.0, |count| count as f32 + 1.0);
                *own = weight * ((depth + 1) as f32 / steps).min(1.0);
            }
        }
    }
    weights
}

/// A list is parsed into a new mask, and into one that an object had before.
#[test]
fn masks_are_those_of_their_entries() {
    for_each_seed(INPUTS, |random| {
        let count = 1 + random.below(12);
        let plain = skeleton(random, count);
        let named = (0..count).map(|bone| (format!("b{bone}").as_str().into(), plain.parent(bone))).collect();
        let model = Model { skeleton: Skeleton::without_bind(named).unwrap(), ..Model::default() };
        let model = Arc::new(model);
        let mut object = SkeletalObject::new(model.clone(), Space::Local);
        for _ in 0..1 + random.below(4) {
            if random.once_in(4) {
                object.set_mask_named("").unwrap();
                assert!(object.mask().is_none());
            }
            let falloff = |random: &mut Random| random.once_in(2).then(|| random.below(5));
            let entries: Vec<_> = (0..1 + random.below(3))
                .map(|_| (random.below(count), random.of(&[0.0, 0.25, 0.5, 1.0]), falloff(random)))
                .collect();
            let entry = |&(bone, weight, falloff): &(usize, f32, Option<usize>)| match falloff {
                Some(falloff) => format!("b{bone} {weight} {falloff}"),
                None => format!("b{bone} {weight}"),
            };
            let text = entries.iter().map(entry).collect::<Vec<_>>().join(", ");
            object.set_mask_named(&text).unwrap();
            let expected = weights(&model.skeleton, &entries);
            assert_eq!(object.mask().unwrap().weights(), expected, "{text}");
            assert_eq!(BoneMask::parse(&model.skeleton, &text).unwrap().weights(), expected, "{text}");
        }
    });
}
