//! Range of the positions in messages.

use crate::math::Mat3x4;
use crate::model::{Animation, AnimationSource, Model, PoseParameters};
use crate::pose::to_model_space;

/// Distance from the entity in each direction that positions without doublings reach, Quake units.
pub(super) const RANGE: f32 = 512.0;
/// Steps to the Quake unit in messages without doublings.
pub(super) const UNIT: f32 = 64.0;
/// Most doublings: they reach all that a bone may hold.
const MOST: u8 = 91;
/// Number of bones of evaluated poses that are examined; the largest models of Half-Life have half as many.
const EXAMINED: usize = 1 << 19;
/// Positions among the blends of a sequence, one of which is examined in each pose beside the first position.
const BLENDS: [[f32; 2]; 3] = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];

/// Returns how often the range of messages and the length of their steps double, so that the bones of a model fit in
/// its bind pose and in its animations.
pub(super) fn doublings(model: &Model) -> u8 {
    let bones = model.skeleton.len().max(1);
    let mut survey = Survey { parents: model.skeleton.parents(), bones: vec![Mat3x4::ZERO; bones], farthest: 0.0 };
    survey.examine(model.skeleton.bind_local());
    model.frames.chunks_exact(bones).for_each(|pose| survey.examine(pose));
    survey.examine_evaluated(&model.animations);
    let fits = |doublings: &u8| match doublings {
        0 => survey.farthest <= RANGE,
        // Up to the largest number of a message.
        _ => survey.farthest * UNIT / factor(*doublings) <= f32::from(i16::MAX),
    };
    (0..MOST).find(fits).unwrap_or(MOST)
}

/// Returns the factor of so many doublings, exactly; [`MOST`] is the largest number.
pub(super) fn factor(doublings: u8) -> f32 {
    (1u128 << doublings.min(MOST)) as f32
}

/// Search for the bone that is farthest away.
struct Survey<'a> {
    parents: &'a [i32],
    /// Scratch memory for a pose in model space.
    bones: Vec<Mat3x4>,
    /// Largest coordinate of a bone, Quake units.
    farthest: f32,
}

impl Survey<'_> {
    fn examine(&mut self, local: &[Mat3x4]) {
        to_model_space(self.parents, local, &mut self.bones);
        let origins = self.bones.iter().flat_map(|bone| bone.origin().to_array());
        self.farthest = origins.fold(self.farthest, |farthest, coordinate| farthest.max(coordinate.abs()));
    }

    /// Examines the poses of evaluated animations, evenly spread if they are very many.
    fn examine_evaluated(&mut self, animations: &[Animation]) {
        let evaluated = || {
            animations.iter().filter_map(|animation| match &animation.source {
                AnimationSource::Evaluated { poses, .. } => Some((animation, poses, animation.pose_count() as u64)),
                _ => None,
            })
        };
        let bones = self.bones.len();
        let examined = (EXAMINED / (2 * bones)).max(1) as u64;
        let step = evaluated().map(|(.., count)| count).sum::<u64>().div_ceil(examined).max(1);
        let mut local = vec![Mat3x4::ZERO; bones];
        let mut pose = 0;
        for (animation, poses, count) in evaluated() {
            while pose < count {
                let time = Some(pose as f64 / f64::from(animation.rate)).filter(|time| time.is_finite());
                for blends in [[0.0; 2], BLENDS[(pose / step % 3) as usize]] {
                    let parameters = PoseParameters { blends, ..PoseParameters::default() };
                    poses.evaluate(time.unwrap_or(0.0), &parameters, 0..bones, &mut local);
                    self.examine(&local);
                }
                pose += step;
            }
            pose -= count;
        }
    }
}
