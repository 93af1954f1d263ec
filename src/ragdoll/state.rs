//! The state of a ragdoll's bodies and joints.

use glam::{Quat, Vec3};
use rapier3d::prelude::Pose;

use super::{RagBody, RagJoint, Ragdoll, body_pose, joint, shape};
use crate::doll::{JointKind, Shape};
use crate::math::Mat3x4;
use crate::model::Name;
use crate::physics::Physics;

/// The state of a ragdoll's body, world space.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BodyState {
    /// Name of the body in the doll.
    pub name: Name,
    /// Bone that the body drives, 0-based.
    pub bone: usize,
    /// Shape of the body.
    pub shape: Shape,
    /// Sizes of the shape at the entity's scale, Quake units; see [`Body::size`](crate::doll::Body::size).
    pub size: [f32; 3],
    /// Centre of the body, Quake units.
    pub position: Vec3,
    /// Rotation of the body.
    pub rotation: Quat,
    /// Velocity of the centre of mass, units/s.
    pub velocity: Vec3,
    /// Angular velocity, radians/s.
    pub angular_velocity: Vec3,
    /// Strength with which the body follows the animation; 0 = limp.
    pub strength: f32,
    /// True if the body sleeps.
    pub is_sleeping: bool,
}

/// The state of a ragdoll's joint.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct JointState {
    /// Name of the joint in the doll.
    pub name: Name,
    /// True if the joint is enabled.
    pub enabled: bool,
    /// Place of the joint on each body, world space. The two differ where the solver could not hold the bodies together.
    pub anchors: [Vec3; 2],
    /// Distance between the anchors where the joint should hold them together, Quake units.
    pub gap: f32,
    /// Angle about (for sliders the way along) each axis of the joint, in the doll's sense: of body 1 against body 2, 0 in
    /// the reference pose. Radians or Quake units; 0 for axes that the joint does not have.
    pub position: [f32; 2],
    /// Excess of `position` beyond the nearest stop, radians or Quake units. If the first pose violated the joint, the stops
    /// count from their current places on the way back.
    pub excess: [f32; 2],
}

impl Ragdoll {
    /// Returns an iterator over the bodies' states after the last step.
    pub fn bodies<'a>(&'a self, physics: &'a Physics) -> impl Iterator<Item = BodyState> + 'a {
        self.bodies.iter().zip(&self.doll.bodies).filter_map(|(body, definition)| {
            let built = physics.world().bodies.get(body.handle)?;
            Some(BodyState {
                name: definition.name.clone(),
                bone: body.bone,
                shape: definition.shape,
                size: definition.size.map(|size| size * self.scale),
                position: built.translation(),
                rotation: *built.rotation(),
                velocity: built.linvel(),
                angular_velocity: built.angvel(),
                strength: body.strength,
                is_sleeping: built.is_sleeping(),
            })
        })
    }

    /// Returns an iterator over the joints' states after the last step.
    pub fn joints<'a>(&'a self, physics: &'a Physics) -> impl Iterator<Item = JointState> + 'a {
        self.joints.iter().zip(&self.doll.joints).map(|(joint, definition)| {
            let [at1, at2] = self.joint_frames(joint, physics);
            let relative = at1.inverse() * at2;
            let mut state = JointState {
                name: definition.name.clone(),
                enabled: joint.enabled,
                anchors: [at1.translation, at2.translation],
                gap: 0.0,
                position: [0.0; 2],
                excess: [0.0; 2],
            };
            state.gap = match definition.kind {
                JointKind::Slider => relative.translation.with_x(0.0).length(),
                _ => relative.translation.length(),
            };
            for (number, axis) in joint::axes(definition.kind).iter().enumerate() {
                state.position[number] = -joint::position(*axis, &(joint.violation_left() * relative));
                let position = -joint::position(*axis, &relative);
                let scale = if definition.kind == JointKind::Slider { self.scale } else { 1.0 };
                if let Some((lo, hi)) = definition.range(number).map(|(lo, hi)| (lo * scale, hi * scale)) {
                    state.excess[number] = (position - hi).max(lo - position).max(0.0);
                }
            }
            state
        })
    }

    /// Returns the kinetic and potential energy of the bodies, mass * (Quake units / s)^2; the potential energy counts from
    /// z = 0.
    #[must_use]
    pub fn energy(&self, physics: &Physics) -> f32 {
        let up = -physics.world().gravity;
        let bodies = self.bodies.iter().filter_map(|b| physics.world().bodies.get(b.handle));
        bodies.map(|b| b.kinetic_energy() + b.mass() * up.dot(b.center_of_mass())).sum()
    }

    /// Returns the lowest point of any body's shape after the last step, world Z in Quake units.
    #[must_use]
    pub fn lowest_point(&self, physics: &Physics) -> f32 {
        let colliders = self.bodies.iter().filter_map(|body| shape::collider_of(body, physics));
        colliders.map(|c| c.compute_aabb().mins.z).fold(f32::MAX, f32::min)
    }

    /// Returns the lowest point that the bodies' shapes would have on these bones (model space), world Z.
    pub(super) fn lowest_point_of(&self, bones: &[Mat3x4], entity: &Mat3x4, physics: &Physics) -> f32 {
        let lowest = |body: &RagBody| {
            let collider = shape::collider_of(body, physics)?;
            let at = body_pose(&(*entity * *bones.get(body.bone)?), &body.place);
            Some(collider.shape().compute_aabb(&shape::collider_pose(&at, collider)).mins.z)
        };
        self.bodies.iter().filter_map(lowest).fold(f32::MAX, f32::min)
    }

    /// Returns the joint's frame on each of its bodies, world space.
    pub(super) fn joint_frames(&self, joint: &RagJoint, physics: &Physics) -> [Pose; 2] {
        let pose = |body: usize| {
            let body = &self.bodies[body];
            physics.world().bodies.get(body.handle).map_or(body.to, |b| *b.position())
        };
        let at2 = joint.body2.map_or(Pose::IDENTITY, pose);
        [pose(joint.body1) * joint.frame1(), at2 * joint.rest.local_frame2]
    }

    /// Returns whether two bodies' shapes overlap at their current places.
    pub(super) fn bodies_overlap(&self, a: usize, b: usize, physics: &Physics) -> bool {
        let pose = |body: &RagBody| physics.world().bodies.get(body.handle).map_or(body.to, |b| *b.position());
        let (a, b) = (&self.bodies[a], &self.bodies[b]);
        shape::overlap(a, &pose(a), b, &pose(b), physics)
    }
}
