//! State of a ragdoll's bodies and joints.

use glam::{Quat, Vec3};
use rapier3d::prelude::Pose;

use super::drive_mode::Drive;
use super::stability::{Attachment, BodyMode, JointMode};
use super::{RagBody, RagJoint, Ragdoll, body_shape, rapier_joint, rapier_joint::JointDefinition};
use crate::doll::{Joint, JointKind, Shape};
use crate::math::Mat3x4;
use crate::model::Name;
use crate::physics::Physics;

/// State of a ragdoll's body, world space.
///
/// ```
/// use skelobj::doll::Shape;
/// use skelobj::math::Mat3x4;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "", None)?;
/// let mut bodies = runtime.ragdoll(object).expect("a ragdoll").bodies(runtime.physics());
/// let head = bodies.find(|body| body.name == *"head").expect("a head");
/// assert_eq!((head.shape, head.strength), (Shape::Sphere, 1.0));
/// assert!(head.position.z > 50.0 && head.position.z < 64.0); // the mannequin is 64 units tall
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Strength with which the body follows the animation; 0 is limp.
    pub strength: f32,
    /// Mode in which the body follows the animation.
    pub mode: BodyMode,
    /// `true` if the body sleeps.
    pub is_sleeping: bool,
}

/// State of a ragdoll's joint.
///
/// ```
/// use skelobj::math::Mat3x4;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "", None)?;
/// let mut joints = runtime.ragdoll(object).expect("a ragdoll").joints(runtime.physics());
/// let knee = joints.find(|joint| joint.name == *"knee_l").expect("a knee");
/// assert!(knee.is_enabled && knee.gap < 0.01);
/// assert!(knee.position[0].abs() < 0.6 && knee.excess[0] < 0.01); // slightly bent, within its stops
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct JointState {
    /// Name of the joint in the doll.
    pub name: Name,
    /// `true` if the joint is enabled.
    pub is_enabled: bool,
    /// Mode in which the joint holds its bodies.
    pub mode: JointMode,
    /// `true` while stops that the first pose violated move to their place.
    pub is_easing: bool,
    /// Position of the joint on each body, world space. The two differ where the solver could not hold the bodies
    /// together.
    pub anchors: [Vec3; 2],
    /// Distance between the anchors where the joint should hold them together, Quake units; 0 for a joint that is
    /// disabled.
    pub gap: f32,
    /// Angle about each axis of the joint (for sliders the distance along it), with the doll's sign: of body 1 against
    /// body 2, 0 in the reference pose. Radians or Quake units; 0 for axes that the joint does not have. For a
    /// [`Cone`](JointKind::Cone), the swing as a rotation vector: the middle of its ranges plus the turn from there.
    pub position: [f32; 2],
    /// Excess of `position` beyond the nearest stop, radians or Quake units. If the first pose violated the joint, the
    /// stops count from their current places on the way back. For a [`Cone`](JointKind::Cone), both together are the
    /// way back into the ellipse. 0 for a joint that is disabled.
    pub excess: [f32; 2],
    /// Twist of a [`Cone`](JointKind::Cone) about its third axis, with the doll's sign, radians; 0 for other joints.
    pub twist: f32,
    /// Excess of `twist` beyond its nearest stop, radians; 0 for a joint that is disabled.
    pub twist_excess: f32,
}

impl Ragdoll {
    /// Returns an iterator over the states of the bodies after the last step, in the order of the doll.
    pub fn bodies<'a>(&'a self, physics: &'a Physics) -> impl Iterator<Item = BodyState> + 'a {
        self.state.bodies.iter().zip(&self.doll.bodies).enumerate().filter_map(|(number, (body, doll_body))| {
            let built = physics.world().bodies.get(body.handle)?;
            Some(BodyState {
                name: doll_body.name.clone(),
                bone: body.bone,
                shape: doll_body.shape,
                size: doll_body.size.map(|size| size * self.state.scale),
                position: built.translation(),
                rotation: *built.rotation(),
                velocity: built.linvel(),
                angular_velocity: built.angvel(),
                strength: body.strength,
                mode: self.body_mode(number),
                is_sleeping: self.has_left_level() || built.is_sleeping(),
            })
        })
    }

    /// Returns an iterator over the states of the joints after the last step, in the order of the doll.
    pub fn joints<'a>(&'a self, physics: &'a Physics) -> impl Iterator<Item = JointState> + 'a {
        let joints = self.state.joints.iter().zip(&self.doll.joints).zip(&self.derived.definitions);
        joints.map(|((joint, doll_joint), definition)| {
            let mut state = self.joint_state(joint, doll_joint, definition, physics);
            if !state.is_enabled {
                (state.gap, state.excess, state.twist_excess) = Default::default();
            }
            state
        })
    }

    /// Returns the state of a joint as if it were enabled.
    fn joint_state(
        &self,
        joint: &RagJoint,
        doll_joint: &Joint,
        definition: &JointDefinition,
        physics: &Physics,
    ) -> JointState {
        let [at1, at2] = self.joint_frames(joint, physics);
        let relative = at1.inverse() * at2;
        let mut state = JointState {
            name: doll_joint.name.clone(),
            is_enabled: joint.attachment.is_enabled(),
            mode: self.joint_mode(joint),
            is_easing: joint.easing_left > 0.0,
            anchors: [at1.translation, at2.translation],
            gap: match doll_joint.kind {
                JointKind::Slider => relative.translation.with_x(0.0).length(),
                _ => relative.translation.length(),
            },
            position: [0.0; 2],
            excess: [0.0; 2],
            twist: 0.0,
            twist_excess: 0.0,
        };
        if let Some(cone) = &definition.cone {
            let at = cone.state((joint.violation_left() * relative).rotation);
            (state.position, state.twist) = (at.swing, at.twist);
            let at = cone.state(relative.rotation);
            (state.excess, state.twist_excess) = (at.excess, at.twist_excess);
            return state;
        }
        for (number, axis) in rapier_joint::axes(doll_joint.kind).iter().enumerate() {
            state.position[number] = -rapier_joint::position(*axis, &(joint.violation_left() * relative));
            let position = -rapier_joint::position(*axis, &relative);
            let scale = if doll_joint.kind == JointKind::Slider { self.state.scale } else { 1.0 };
            if let Some((lo, hi)) = doll_joint.range(number).map(|(lo, hi)| (lo * scale, hi * scale)) {
                let position = match doll_joint.kind {
                    JointKind::Slider => position,
                    _ => rapier_joint::same_angle_near(position, lo, hi),
                };
                state.excess[number] = (position - hi).max(lo - position).max(0.0);
            }
        }
        state
    }

    fn body_mode(&self, number: usize) -> BodyMode {
        let body = &self.state.bodies[number];
        match body.drive() {
            _ if self.state.quarantined.contains(&number) => BodyMode::Quarantined,
            Drive::Limp => BodyMode::Limp,
            Drive::Pulled(_) => BodyMode::Pulled,
            Drive::Exact if body.approach.is_some() => BodyMode::Approaching,
            Drive::Exact => BodyMode::Following,
        }
    }

    fn joint_mode(&self, joint: &RagJoint) -> JointMode {
        match joint.attachment {
            Attachment::Severed => JointMode::Severed,
            _ if self.is_idle(joint) => JointMode::Idle,
            Attachment::Catching => JointMode::Catching,
            Attachment::Firm => JointMode::Holding,
        }
    }

    /// Returns `true` if the animation holds both bodies of a joint.
    pub(super) fn is_idle(&self, joint: &RagJoint) -> bool {
        let held = |body: usize| self.state.bodies[body].drive() == Drive::Exact;
        held(joint.body1) && joint.body2.is_none_or(held)
    }

    /// Returns the centre of mass of all bodies, world space; zero if the host removed the bodies.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?;
    /// let centre = runtime.ragdoll(object).expect("a ragdoll").centre_of_mass(runtime.physics());
    /// assert!((30.0..50.0).contains(&centre.z)); // the belly
    /// runtime.add_ragdoll_velocity(object, Vec3::ZERO, Vec3::Y * 6.0, centre)?; // a somersault about it
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn centre_of_mass(&self, physics: &Physics) -> Vec3 {
        let (mut sum, mut mass) = (Vec3::ZERO, 0.0);
        for built in self.state.bodies.iter().filter_map(|body| physics.world().bodies.get(body.handle)) {
            sum += built.center_of_mass() * built.mass();
            mass += built.mass();
        }
        if mass > 0.0 { sum / mass } else { Vec3::ZERO }
    }

    /// Returns the kinetic and potential energy of the bodies, mass * (Quake units / s)^2. The potential energy is 0 at
    /// z = 0.
    ///
    /// A ragdoll that gains energy while it falls has a faulty doll, such as joints that contradict each other.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?;
    /// let before = runtime.ragdoll(object).expect("a ragdoll").energy(runtime.physics());
    /// runtime.step(0.2)?;
    /// assert!(runtime.ragdoll(object).expect("a ragdoll").energy(runtime.physics()) < before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn energy(&self, physics: &Physics) -> f32 {
        let up = -physics.world().gravity;
        let bodies = self.state.bodies.iter().filter_map(|b| physics.world().bodies.get(b.handle));
        bodies.map(|b| b.kinetic_energy() + b.mass() * up.dot(b.center_of_mass())).sum()
    }

    /// Returns the lowest point of the bodies' shapes after the last step, world Z in Quake units.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "", None)?;
    /// let ragdoll = runtime.ragdoll(object).expect("a ragdoll");
    /// assert!(ragdoll.lowest_point(runtime.physics()).abs() < 2.0); // the mannequin stands on the ground
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lowest_point(&self, physics: &Physics) -> f32 {
        let colliders = self.state.bodies.iter().filter_map(|body| body_shape::collider_of(body, physics));
        colliders.map(|c| c.compute_aabb().mins.z).fold(f32::MAX, f32::min)
    }

    /// Returns the lowest point that the bodies' shapes would have on these bones (model space), world Z in Quake
    /// units.
    pub(super) fn lowest_point_of(&self, bones: &[Mat3x4], entity: &Mat3x4, physics: &Physics) -> f32 {
        let lowest = |body: &RagBody| {
            let collider = body_shape::collider_of(body, physics)?;
            let at = body.placement.in_world(entity, bones.get(body.bone)?);
            Some(collider.shape().compute_aabb(&body_shape::collider_pose(&at, collider)).mins.z)
        };
        self.state.bodies.iter().filter_map(lowest).fold(f32::MAX, f32::min)
    }

    /// Returns the joint's frame on each of its bodies, world space.
    pub(super) fn joint_frames(&self, joint: &RagJoint, physics: &Physics) -> [Pose; 2] {
        let pose = |body: usize| {
            let body = &self.state.bodies[body];
            physics.world().bodies.get(body.handle).map_or(body.target, |b| *b.position())
        };
        let at2 = joint.body2.map_or(Pose::IDENTITY, pose);
        [pose(joint.body1) * joint.frame1(), at2 * joint.frames[1]]
    }

    /// Returns `true` if the shapes of two bodies overlap at their current poses.
    pub(super) fn bodies_overlap(&self, a: usize, b: usize, physics: &Physics) -> bool {
        let pose = |body: &RagBody| physics.world().bodies.get(body.handle).map_or(body.target, |b| *b.position());
        let (a, b) = (&self.state.bodies[a], &self.state.bodies[b]);
        body_shape::overlap(a, &pose(a), b, &pose(b), physics)
    }
}
