//! Bones without bodies, which the bodies above them carry: they keep their local poses while nothing animates them,
//! and return to the animation in the time in which their bodies do.

use skelobj_model::internal;

use super::tuning::MAX_CHANGE_TIME;
use super::{RagBody, Ragdoll};
use crate::math::Mat3x4;
use crate::model::Skeleton;
use crate::object::SkeletalObject;

/// Way of the bones that a body carries from their last poses to the animation.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct BoneReturn {
    /// Seconds until the bones reach the animation: after the last step, and when they were last posed.
    left: f32,
    left_when_posed: f32,
}

impl BoneReturn {
    /// Returns the way that takes these seconds; `None` if it takes no time.
    pub(super) fn over(seconds: f32) -> Option<Self> {
        let seconds = seconds.min(MAX_CHANGE_TIME);
        (seconds > 0.0).then_some(Self { left: seconds, left_when_posed: seconds })
    }

    pub(super) fn advance(&mut self, step: f32) {
        self.left = (self.left - step).max(0.0);
    }

    /// Returns the share of the remaining way that the bones make when they are posed as they were some seconds ago.
    fn share(&self, ago: f32) -> f32 {
        debug_assert!(self.left <= self.left_when_posed, "time passes");
        if self.left > 0.0 { (1.0 - (self.left + ago) / self.left_when_posed).max(0.0) } else { 1.0 }
    }

    /// Returns the way after that; `None` if the bones have arrived.
    fn posed(self, ago: f32) -> Option<Self> {
        (self.left > 0.0).then(|| Self { left_when_posed: self.left_when_posed.min(self.left + ago), ..self })
    }

    /// Returns `true` if a snapshot's numbers are those of a way.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        (0.0..=self.left_when_posed).contains(&self.left) && (0.0..=MAX_CHANGE_TIME).contains(&self.left_when_posed)
    }
}

/// Returns the poses of the bones of an object that `drivers` leaves without bodies, relative to their parents; the
/// identity for the others.
pub(super) fn relative_bones(object: &SkeletalObject, drivers: &[Option<usize>]) -> Vec<Mat3x4> {
    debug_assert_eq!(drivers.len(), object.bone_count(), "every bone has a driver or none");
    let skeleton = &object.model().skeleton;
    let relative = |bone: usize| usable(object, bone).unwrap_or_else(|| bind_pose(skeleton, bone));
    let bones = drivers.iter().enumerate();
    bones.map(|(bone, driver)| if driver.is_some() { Mat3x4::IDENTITY } else { relative(bone) }).collect()
}

impl Ragdoll {
    /// Poses the bones without bodies as the animation does. Bones that it lacks keep their poses if `keeps` is set,
    /// and else return to the bind pose.
    pub(super) fn pose_carried_bones(
        &mut self,
        object: &SkeletalObject,
        animation: Option<&SkeletalObject>,
        keeps: bool,
        ago: f32,
    ) {
        let skeleton = &object.model().skeleton;
        debug_assert_eq!(self.state.relative_bones.len(), self.derived.drivers.len(), "every bone has a pose");
        let carriers = &mut self.scratch.carriers;
        carriers.clear();
        for (bone, relative) in self.state.relative_bones.iter_mut().enumerate() {
            let driver = self.derived.drivers.get(bone).copied().flatten();
            let parent = || skeleton.parent(bone).and_then(|parent| carriers.get(parent).copied());
            // What is above all bodies returns with the first one.
            let carrier = driver.or_else(parent).unwrap_or(0);
            debug_assert!(carrier < self.state.bodies.len(), "what carries a bone is a body");
            carriers.push(carrier);
            if driver.is_some() {
                continue;
            }
            *relative = match animation.and_then(|animation| usable(animation, bone)) {
                Some(animated) => {
                    let way = self.state.bodies.get(carrier).and_then(|body| body.bone_return).filter(|_| keeps);
                    let share = way.map_or(1.0, |way| way.share(ago));
                    if share < 1.0 { internal::toward(relative, &animated, share) } else { animated }
                }
                None if keeps => *relative,
                None => bind_pose(skeleton, bone),
            };
        }
        if animation.is_some() {
            for body in &mut self.state.bodies {
                body.bone_return = body.bone_return.and_then(|way| way.posed(ago));
            }
        }
    }
}

impl RagBody {
    /// Returns `true` if the body follows the animation and will go on to do so.
    pub(super) fn stays_animated(&self) -> bool {
        self.final_strength() > 0.0
    }
}

/// Returns a bone relative to its parent; `None` if the object lacks it or its numbers are not finite.
fn usable(object: &SkeletalObject, bone: usize) -> Option<Mat3x4> {
    object.local_space(bone).filter(Mat3x4::is_finite)
}

fn bind_pose(skeleton: &Skeleton, bone: usize) -> Mat3x4 {
    skeleton.bind_local().get(bone).copied().unwrap_or(Mat3x4::IDENTITY)
}
