//! Doll on a model in the reference pose.

use glam::{Quat, Vec3};
use rapier3d::prelude::{Collider, JointAxis, Pose};

use super::super::{body_shape, insertion, rapier_joint, reference_pose, size};
use crate::doll::Doll;
use crate::math::Mat3x4;
use crate::model::Model;

/// Bodies and joints of a doll on a model.
pub(super) struct Scene<'a> {
    pub(super) model: &'a Model,
    /// Bones in the reference pose, model space.
    pub(super) reference: Vec<Mat3x4>,
    pub(super) bodies: Vec<SceneBody>,
    pub(super) joints: Vec<SceneJoint>,
    /// Size of the ragdoll.
    pub(super) size: f32,
    /// Body that moves each bone: that of the bone, or of its nearest parent with one.
    pub(super) drivers: Vec<Option<usize>>,
}

pub(super) struct SceneBody {
    pub(super) bone: usize,
    placement: body_shape::Placement,
    /// Shape in the reference pose, model space.
    pub(super) collider: Collider,
}

pub(super) struct SceneJoint {
    /// Position in the reference pose, model space.
    pub(super) anchor: Vec3,
    /// Frame of the joint in each body; in model space for the world.
    frames: [Pose; 2],
    bodies: (usize, Option<usize>),
}

impl<'a> Scene<'a> {
    /// Puts a doll on a model; `None` if a bone cannot hold a body.
    pub(super) fn new(doll: &Doll, model: &'a Model) -> Option<Self> {
        let reference = reference_pose(doll, model);
        let mut bodies = Vec::with_capacity(doll.bodies.len());
        for body in &doll.bodies {
            let bone = model.skeleton.find(body.bone.as_bytes())?;
            reference[bone].inverse()?;
            let placement = body_shape::Placement::new(body, bone, &model.skeleton, &reference);
            let mut collider = body_shape::collider(body, 1.0, 1.0).build();
            let at = placement.on(&reference[bone]);
            collider.set_position(body_shape::collider_pose(&at, &collider));
            bodies.push(SceneBody { bone, placement, collider });
        }
        let joints = doll.joints.iter().map(|doll_joint| {
            let frame = rapier_joint::frame(doll_joint, insertion::anchor(doll_joint, doll, model, &reference));
            let in_body = |body: usize| bodies[body].at(&reference).inverse() * frame;
            let frames = [in_body(doll_joint.body1), doll_joint.body2.map_or(frame, in_body)];
            SceneJoint { anchor: frame.translation, frames, bodies: (doll_joint.body1, doll_joint.body2) }
        });
        let joints = joints.collect();
        let mut drivers = vec![None; model.skeleton.len()];
        for (number, body) in bodies.iter().enumerate() {
            drivers[body.bone] = Some(number);
        }
        for bone in 0..drivers.len() {
            // Parents come before their children.
            drivers[bone] = drivers[bone].or_else(|| drivers[model.skeleton.parent(bone)?]);
        }
        let size = size::of_bodies(doll.bodies.iter().zip(bodies.iter().map(|body| body.at(&reference))), 1.0);
        Some(Self { model, reference, bodies, joints, size, drivers })
    }
}

impl SceneBody {
    /// Returns the pose of the body on bones in model space.
    pub(super) fn at(&self, bones: &[Mat3x4]) -> Pose {
        self.placement.on(&bones[self.bone])
    }
}

impl SceneJoint {
    /// Returns the direction of an axis on bones in model space.
    pub(super) fn axis(&self, axis: JointAxis, bodies: &[SceneBody], bones: &[Mat3x4]) -> Vec3 {
        let frame = bodies[self.bodies.0].at(bones) * self.frames[0];
        frame.rotation * if axis == JointAxis::AngY { Vec3::Y } else { Vec3::X }
    }

    /// Returns the pose of body 2's frame in body 1's on bones in model space.
    pub(super) fn relative(&self, bodies: &[SceneBody], bones: &[Mat3x4]) -> Pose {
        let (body1, body2) = self.bodies;
        let at2 = body2.map_or(Pose::IDENTITY, |body2| bodies[body2].at(bones));
        let relative = (bodies[body1].at(bones) * self.frames[0]).inverse() * (at2 * self.frames[1]);
        // The same rotation with the shorter turn.
        let rotation = if relative.rotation.w < 0.0 { -relative.rotation } else { relative.rotation };
        Pose::from_parts(relative.translation, Quat::normalize(rotation))
    }
}
