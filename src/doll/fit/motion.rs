//! Motion of bones in a model's animations.

use crate::math::{Mat3x4, Quat};
use crate::model::{AnimationSource, Model};

/// Rotation of a joint in a pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Rotation of the child relative to the parent, since the reference pose, along the axes of model space.
    pub(super) rotation: Quat,
    /// Animation of the pose.
    pub(super) animation: usize,
}

/// Rotations of joints in all poses.
#[derive(Debug, Default)]
pub(super) struct Motion {
    /// Rotations by joint.
    pub(super) turns: Vec<Vec<Turn>>,
    /// Number of examined poses.
    pub(super) poses: usize,
    /// Interval between examined poses of an animation.
    pub(super) step: usize,
}

/// Returns the rotations of joints, given as pairs of a parent's and a child's bone.
pub(super) fn motion(model: &Model, reference: &[Mat3x4], joints: &[[usize; 2]]) -> Motion {
    let (mut poses, mut turns) = (0, vec![Vec::new(); joints.len()]);
    let base: Vec<[Quat; 2]> = joints.iter().map(|joint| joint.map(|bone| reference[bone].rotation())).collect();
    let step = skelobj_model::internal::survey(model, joints.len(), |moment, posed| {
        let animation = moment.animation;
        if matches!(model.animations[animation].source, AnimationSource::BindPose) {
            return;
        }
        poses += 1;
        for ((joint, base), turns) in joints.iter().zip(&base).zip(&mut turns) {
            let [parent, child] = [0, 1].map(|end| posed[joint[end]].rotation() * base[end].inverse());
            let rotation = (parent.inverse() * child).normalize();
            let whole = joint.iter().all(|&bone| posed[bone].is_finite());
            if whole && rotation.is_finite() {
                turns.push(Turn { rotation, animation });
            }
        }
    });
    Motion { turns, poses, step }
}
