//! Rotations of bones as the joints of a doll determine them.

use glam::{Quat, Vec3};

use super::recover::Sight;
use crate::doll::{Doll, JointKind};
use crate::model::Model;
use crate::ragdoll::{joint_frame, reference_pose};

/// Joint of a doll that limits how a bone rotates relative to one of its ancestors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct BoneJoint {
    pub bone: usize,
    ancestor: usize,
    /// Frame of the joint in the ancestor's axes.
    frame1: Quat,
    /// Frame of the joint in the bone's axes.
    frame2: Quat,
    freedom: Freedom,
}

/// Axes of the joint's frame about which a bone can rotate.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Freedom {
    /// No axis.
    Fixed,
    /// X.
    Hinge,
    /// X and Y.
    Universal,
}

/// Returns the joints of a doll that determine more of a bone's rotation than the positions of its children do.
pub(super) fn joints(doll: &Doll, model: &Model) -> Vec<BoneJoint> {
    let skeleton = &model.skeleton;
    let reference = reference_pose(doll, model);
    let rotation = |bone: usize| reference.get(bone).map_or(Quat::IDENTITY, |matrix| matrix.rotation());
    let bone_of = |body: usize| skeleton.find(doll.bodies.get(body)?.bone.as_bytes());
    let hangs_on = |bone: usize, ancestor: usize| {
        std::iter::successors(skeleton.parent(bone), |bone| skeleton.parent(*bone)).any(|other| other == ancestor)
    };
    let mut found: Vec<BoneJoint> = Vec::new();
    for joint in doll.joints.iter().filter(|joint| joint.enabled) {
        let freedom = match joint.kind {
            JointKind::Fixed | JointKind::Slider => Freedom::Fixed,
            JointKind::Hinge => Freedom::Hinge,
            JointKind::Universal | JointKind::Hinge2 | JointKind::Cone => Freedom::Universal,
            JointKind::Point => continue,
        };
        let (Some(one), Some(two)) = (bone_of(joint.body1), joint.body2.and_then(bone_of)) else { continue };
        let (bone, ancestor) = match (hangs_on(two, one), hangs_on(one, two)) {
            (true, _) => (two, one),
            (_, true) => (one, two),
            _ => continue,
        };
        if found.iter().all(|other| other.bone != bone) {
            let frame = joint_frame(joint, Vec3::ZERO).rotation;
            let [frame1, frame2] = [ancestor, bone].map(|bone| rotation(bone).inverse() * frame);
            found.push(BoneJoint { bone, ancestor, frame1, frame2, freedom });
        }
    }
    found
}

impl BoneJoint {
    /// Returns the bone's rotation that brings a child nearest to its position, within the freedom of the joint.
    pub fn bend(&self, sight: &Sight, rotations: &[Quat]) -> Option<Quat> {
        let ancestor = rotations.get(self.ancestor)?;
        let outside = *ancestor * self.frame1;
        let (from, to) = (self.frame2.inverse() * sight.bind, outside.inverse() * sight.now);
        let turn = match self.freedom {
            Freedom::Fixed => Quat::IDENTITY,
            Freedom::Hinge => arc_about(Vec3::X, from, to)?,
            // Of the turns that bring one to the other, all about axes in the plane between the two, the one whose axis
            // lies between X and Y.
            Freedom::Universal => {
                let axis = Vec3::Z.cross(from - to).try_normalize().or_else(|| Vec3::Z.cross(from).try_normalize())?;
                arc_about(axis, from, to)?
            }
        };
        Some((outside * turn * self.frame2.inverse()).normalize()).filter(|rotation| rotation.is_finite())
    }
}

/// Returns the turn about a unit axis that brings `from` nearest to `to`; `None` for directions along the axis.
fn arc_about(axis: Vec3, from: Vec3, to: Vec3) -> Option<Quat> {
    let (from, to) =
        (from.reject_from_normalized(axis).try_normalize()?, to.reject_from_normalized(axis).try_normalize()?);
    // Half of the angle, without its sine or cosine.
    let turn = Quat::from_xyzw(0.0, 0.0, 0.0, 1.0 + from.dot(to)) + quat(axis * axis.dot(from.cross(to)));
    Some(if turn.length_squared() > 1e-10 { turn.normalize() } else { quat(axis) })
}

fn quat(imaginary: Vec3) -> Quat {
    Quat::from_xyzw(imaginary.x, imaginary.y, imaginary.z, 0.0)
}
