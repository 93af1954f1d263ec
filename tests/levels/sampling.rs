//! Sampling of animations, whole and in part, and the palettes of what is sampled.

use std::ops::Range;
use std::sync::Arc;

use skelobj::Model;
use skelobj::math::Mat3x4;
use skelobj::model::{Animation, AnimationSource, Blend, Bone, FrameState, PoseEvaluator, PoseParameters, Skeleton};
use skelobj::pose::{self, PoseSource};

use super::random::{INPUTS, Random, for_each_seed};
use super::{assert_on_every_level, bones, in_model_space, product, retained, weight};

/// Evaluator whose poses are a matrix for each bone times the time.
#[derive(Debug)]
struct Times(Vec<Mat3x4>);

impl PoseEvaluator for Times {
    fn evaluate(&self, time: f64, _: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]) {
        for (out, matrix) in out.iter_mut().zip(&self.0[bones]) {
            *out = Mat3x4(matrix.0.map(|float| float * time as f32));
        }
    }
}

/// Number of the evaluated animation of a model.
const EVALUATED: usize = 5;

/// Returns a model with runs of frames, a list, the bind pose, frames that are missing, and an evaluated animation.
fn model(random: &mut Random, count: usize) -> Model {
    let frames = bones(random, 6 * count);
    let mut parent = |bone: usize| match random.below(4) {
        0 => bone.checked_sub(3),
        _ => bone.checked_sub(1),
    };
    let bone = |bone: usize| Bone { name: "bone".into(), parent: parent(bone), bind: frames[bone] };
    let skeleton = Skeleton::new((0..count).map(bone).collect()).unwrap();
    let mut run =
        |first, count, looping| Animation::frames("run", first, count, random.of(&[1.0, 10.0, 7.3, 0.0]), looping);
    let [first, second, missing] = [run(0, 3, false), run(2, 4, true), run(4, 4, true)];
    let list = Animation { source: AnimationSource::List(vec![5, 0, 0, 3]), ..run(0, 1, count.is_multiple_of(2)) };
    let bind = Animation { source: AnimationSource::BindPose, ..run(0, 1, false) };
    let poses = Arc::new(Times(bones(random, count)));
    let source = AnimationSource::Evaluated { poses, count: 4 };
    let evaluated = Animation { source, ..Animation::frames("times", 0, 1, 10.0, false) };
    Model { skeleton, animations: vec![first, second, missing, list, bind, evaluated], frames, ..Model::default() }
}

/// Returns up to four blends of all kinds, of the first animations or of numbers that no animation has.
fn blends(random: &mut Random, animations: usize) -> Vec<Blend> {
    let blend = |random: &mut Random| {
        let time = match random.below(8) {
            0 => random.below(8) as f64 * 0.1,
            1 => f64::from(random.between(-5.0, 0.0)),
            2 => f64::from(random.between(0.0, 1e6)),
            _ => f64::from(random.between(0.0, 3.0)),
        };
        let weight = if random.once_in(2) { random.of(&[0.0, -0.5, 1.0, 1.0]) } else { random.between(0.0, 1.5) };
        Blend { animation: random.below(animations + 2) as i32 - 1, time, weight }
    };
    (0..random.below(5)).map(|_| blend(random)).collect()
}

/// Returns the two poses around a time, and the fraction of the way from the first to the second.
fn around(animation: &Animation, time: f64) -> (usize, usize, f32) {
    let exact = time * f64::from(animation.rate);
    // FTE's positions are f32; far from the beginning, those of the library are not.
    let position = if exact.abs() < 8192.0 { f64::from(exact as f32) } else { exact };
    let (count, floor) = (animation.pose_count() as f64, position.floor());
    let pose = |pose: f64| {
        let pose = if animation.looping { pose.rem_euclid(count) } else { pose.clamp(0.0, count - 1.0) };
        pose as usize
    };
    let (first, second) = (pose(floor), pose(floor + 1.0));
    (first, second, if first == second { 0.0 } else { (position - floor) as f32 })
}

/// Returns what blends show of a range of bones, product by product and in order.
fn sampled(model: &Model, blends: &[Blend], interpolates: bool, bone: usize) -> Mat3x4 {
    let animation = |blend: &Blend| {
        let number = usize::try_from(blend.animation).unwrap_or(0);
        model.animations.get(number).unwrap_or(&model.animations[0])
    };
    let mut products = Vec::new();
    let active = || blends.iter().filter(|blend| blend.weight > 0.0);
    for blend in active() {
        let animation = animation(blend);
        if let AnimationSource::Evaluated { poses, .. } = &animation.source {
            let mut out = [Mat3x4::ZERO];
            poses.evaluate(blend.time, &PoseParameters::default(), bone..bone + 1, &mut out);
            products.push(out[0].0.map(|float| float * blend.weight));
            continue;
        }
        let (first, second, fraction) = around(animation, blend.time);
        let fraction = if interpolates { fraction } else { 0.0 };
        for (pose, weight) in [(first, 1.0 - fraction), (second, fraction)] {
            let frame = animation.frame_of(pose).filter(|frame| *frame < 6);
            let matrix = frame
                .map_or(model.skeleton.bind_local()[bone], |frame| model.frames[frame * model.skeleton.len() + bone]);
            let weight = weight * blend.weight;
            if weight > 0.0 {
                products.push(matrix.0.map(|float| float * weight));
            }
        }
    }
    // A sum with an evaluated pose begins with 0, which shows in the sign of a zero only.
    let is_evaluated = active().any(|blend| matches!(animation(blend).source, AnimationSource::Evaluated { .. }));
    let mut products = products.into_iter();
    let first = if is_evaluated { None } else { products.next() };
    Mat3x4(products.fold(first.unwrap_or([0.0; 12]), |sum, product| std::array::from_fn(|at| sum[at] + product[at])))
}

#[test]
fn sampled_poses_are_those_of_scalar_loops() {
    for_each_seed(INPUTS, |random| {
        let most = if random.once_in(20) { 40 } else { 9 };
        let count = 1 + random.below(most);
        let (model, old) = (model(random, count), bones(random, count));
        let animations = if random.once_in(4) { EVALUATED + 1 } else { EVALUATED };
        let (mut main, base) = (blends(random, animations), blends(random, animations));
        let mut frame = match main[..] {
            [] => FrameState::blended([]),
            [a] => FrameState::blended([a]),
            [a, b] => FrameState::blended([a, b]),
            [a, b, c] => FrameState::blended([a, b, c]),
            [a, b, c, d, ..] => FrameState::blended([a, b, c, d]),
        };
        let mut split = 0;
        if let ([a, b, ..], true) = (&base[..], random.once_in(2)) {
            split = random.below(count + 2);
            frame = frame.with_base([*a, *b], split);
        }
        let interpolates = !random.once_in(6);
        if !interpolates {
            frame = frame.without_interpolation();
            let first = main.iter().find(|blend| blend.weight > 0.0);
            main = vec![first.map_or(Blend::default(), |blend| Blend { weight: 1.0, ..*blend })];
        }
        let new: Vec<Mat3x4> = (0..count)
            .map(|bone| match bone < split {
                true => sampled(&model, &base[..2], interpolates, bone),
                false => sampled(&model, &main, interpolates, bone),
            })
            .collect();

        let source = PoseSource { model: &model, frame: &frame };
        let (first, after) = (random.below(count + 2), random.below(count + 2));
        let (retain, add) = if random.once_in(2) { (0.0, 1.0) } else { (weight(random), weight(random)) };
        let written = after.min(count).saturating_sub(first);
        let mut expected = old.clone();
        for (old, new) in expected.iter_mut().zip(new.iter().skip(first)).take(written) {
            old.0.iter_mut().zip(new.0).for_each(|(old, new)| *old = retained(*old, retain, new, add));
        }
        assert_on_every_level(&old, &expected, |out| {
            assert_eq!(pose::raw::sample_over(source, first..after, retain, add, out), written);
        });

        let placed = in_model_space(model.skeleton.parents(), &new);
        let mut palette = old.clone();
        let room = random.below(count + 2).min(count);
        for (out, (placed, inverse)) in palette[..room].iter_mut().zip(placed.iter().zip(model.skeleton.inverse_bind()))
        {
            *out = product(*placed, *inverse);
        }
        assert_on_every_level(&old, &palette, |out| assert_eq!(pose::sample_palette(source, &mut out[..room]), room));
    });
}

#[test]
fn bones_in_the_space_of_their_parents_are_those_of_plain_products() {
    for_each_seed(INPUTS, |random| {
        let count = random.below(12);
        let (parents, model, start) = (super::parents(random, count), bones(random, count), bones(random, count + 1));
        let mut expected = start.clone();
        for (bone, out) in expected[..count].iter_mut().enumerate() {
            let parent = usize::try_from(parents[bone]).ok().filter(|parent| *parent < bone);
            *out = match parent.map(|parent| model[parent].inverse()) {
                Some(Some(inverse)) => product(inverse, model[bone]),
                Some(None) => Mat3x4::IDENTITY,
                None => model[bone],
            };
        }
        assert_on_every_level(&start, &expected, |out| pose::raw::to_local_space(&parents, &model, out));
    });
}
