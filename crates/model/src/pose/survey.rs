//! Survey of the poses of all animations, within a bound on the work.

use super::{PoseSource, sample, to_model_space};
use crate::math::Mat3x4;
use crate::model::{Animation, AnimationSource, FrameState, Model};

/// Number of bone matrices that are computed; of longer animations, every n-th pose.
const MOST: usize = 1 << 21;

/// Pose of an animation.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Number of the animation.
    pub animation: usize,
    /// Time since the start of the animation, seconds.
    pub time: f32,
}

/// Calls `visit` with the poses of all animations, in model space, and returns the interval between visited poses: 1,
/// or more where the bones of all poses, or `joints` values for each of them, would be too many.
///
/// Matrices may be non-finite where those of the model are.
pub fn survey(model: &Model, joints: usize, mut visit: impl FnMut(Moment, &[Mat3x4])) -> usize {
    let bones = model.skeleton.len();
    let cost = bones.max(joints).max(1);
    let all: usize = model.animations.iter().map(Animation::pose_count).fold(0, usize::saturating_add);
    let step = cost.saturating_mul(all).div_ceil(MOST).max(1);
    // The first pose of every animation is visited, so that very many short ones exceed the bound: up to twice.
    let mut left = (2 * MOST / cost).max(1);
    let (mut local, mut posed) = (vec![Mat3x4::ZERO; bones], vec![Mat3x4::ZERO; bones]);
    for (number, animation) in model.animations.iter().enumerate() {
        for at in (0..animation.pose_count()).step_by(step) {
            if left == 0 {
                return step;
            }
            left -= 1;
            let time = if animation.rate > 0.0 { at as f64 / f64::from(animation.rate) } else { 0.0 };
            let stored = match animation.source {
                AnimationSource::Evaluated { .. } => {
                    let frame = FrameState::single(number, time);
                    sample(PoseSource { model, frame: &frame }, 0..bones, &mut local);
                    &local
                }
                _ => model.pose(animation, at),
            };
            to_model_space(model.skeleton.parents(), stored, &mut posed);
            visit(Moment { animation: number, time: time as f32 }, &posed);
        }
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pose_is_visited_once() {
        let model = Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None).unwrap();
        let mut visited = Vec::new();
        assert_eq!(survey(&model, 0, |moment, bones| visited.push((moment.animation, bones[0].origin().z))), 1);
        let poses: Vec<usize> = model.animations.iter().map(Animation::pose_count).collect();
        assert_eq!(visited.len(), poses.iter().sum::<usize>());
        assert!(visited.iter().filter(|visit| visit.0 == 3).count() == poses[3]);
        let heights: Vec<f32> = visited.iter().filter(|visit| visit.0 == 3).map(|visit| visit.1).collect();
        assert!(heights[0] > 30.0 && heights[heights.len() - 1] < 15.0, "it falls: {heights:?}");
    }

    #[test]
    fn work_is_bounded_for_many_poses_and_many_animations() {
        let mut model = Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None).unwrap();
        let walk = model.animations[1].clone();
        let AnimationSource::Frames { first, .. } = walk.source else { panic!("{walk:?}") };
        let long = |poses: usize| Animation { source: AnimationSource::List(vec![first; poses]), ..walk.clone() };
        for (animations, poses, joints) in [(1, 3_000_000, 0), (1, 200_000, 1000), (300_000, 1, 0), (100, 20_000, 84)] {
            model.animations = vec![long(poses); animations];
            let mut visits = 0;
            let step = survey(&model, joints, |_, _| visits += 1);
            let cost = model.skeleton.len().max(joints);
            assert!(step > 1 && visits * cost <= 2 * MOST, "{animations} of {poses}: {visits}");
            assert!(visits * cost > MOST / 4, "{animations} of {poses}: {visits}");
        }
    }
}
