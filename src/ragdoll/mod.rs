//! Ragdolls: a [`Doll`] on a posed skeleton, as bodies and joints in a [`Physics`] world that are driven by animation or
//! limp.
//!
//! Data flows one way: [`Ragdoll::new`] takes the skeleton's current pose, [`Ragdoll::update`] gives the bodies their
//! targets and writes the poses of the bodies back into the skeleton.

mod bones;
mod build;
mod command;
mod drive;
mod drop_test;
mod friction;
mod hit;
mod joint;
mod joint_control;
mod sanitize;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "serde")]
mod saved_parts;
mod shape;
mod sleep;
mod state;

pub use command::{Command, UnknownCommand};
pub use drop_test::{DropError, DropFrame, DropReport, DropTest};
pub(crate) use hit::check_impulse;
pub(crate) use joint::frame as joint_frame;
#[cfg(feature = "serde")]
pub(crate) use saved::SavedRagdoll;
pub use state::{BodyState, JointState};

use std::sync::Arc;

use glam::Vec3;
use rapier3d::prelude::{GenericJoint, ImpulseJointHandle, Pose, RigidBodyHandle};

use crate::doll::{Doll, ReferencePose};
use crate::limits::LimitExceeded;
use crate::math::Mat3x4;
use crate::model::{FrameState, Model};
use crate::number::OutOfRange;
use crate::physics::Physics;
use crate::pose;
use crate::skeleton::SkeletalObject;

/// A doll on a skeletal object; its bodies and joints live in one [`Physics`] world, to which every call must be given.
#[derive(Debug)]
pub struct Ragdoll {
    doll: Arc<Doll>,
    bodies: Vec<RagBody>,
    joints: Vec<RagJoint>,
    /// For every bone the body that drives it.
    driver: Vec<Option<usize>>,
    /// Body that joints to the world are attached to.
    world: Option<RigidBodyHandle>,
    /// Bones relative to their parents while an update is written.
    relative: Vec<Mat3x4>,
    /// Bodies while the friction of joints acts.
    movers: Vec<friction::Mover>,
    /// Forces of friction in the step that is being made.
    leaning: Vec<friction::Leaning>,
    /// Joints at which gaps of the solver are closed where bones are written.
    gap_fixes: Vec<bones::GapFix>,
    rest: sleep::RestWatch,
    travel: sanitize::Travel,
    /// Bodies that are out of the world until the next step is over.
    quarantined: Vec<usize>,
    resets: usize,
    resets_told: usize,
    /// Factor of the doll's own strengths.
    strength: f32,
    /// True if the bones match the sleeping bodies.
    settled: bool,
    /// Scale of the entity when the doll was made.
    scale: f32,
}

#[derive(Clone, Debug)]
struct RagBody {
    handle: RigidBodyHandle,
    bone: usize,
    /// Bone to body, rigid.
    place: Pose,
    /// Matrix from body to bone, with the scale and shear that the bone had when the doll was made.
    to_bone: Mat3x4,
    strength: f32,
    /// Places that the animation gave at the host's last two frames, and the place that it gives now.
    before: Pose,
    from: Pose,
    to: Pose,
    /// Place one step ago.
    previous: Pose,
    /// Place where the body began to follow exactly, and seconds until it reaches the animation.
    start: Pose,
    getting_up: f32,
    /// True if the body was limp when the animation last gave its place.
    joining: bool,
    /// Seconds until the body has recovered from a hit.
    flinch: f32,
}

#[derive(Clone, Debug)]
struct RagJoint {
    handle: ImpulseJointHandle,
    body1: usize,
    body2: Option<usize>,
    enabled: bool,
    /// The joint as the doll has it.
    rest: GenericJoint,
    /// Deviation of the first pose from what the joint allows; the frame on body 1 starts there and moves to its place.
    violation: Pose,
    /// Seconds until the frame is in its place, and seconds in all.
    easing: f32,
    easing_time: f32,
    /// True while a joint that was enabled with its anchors apart pulls them together.
    catching: bool,
    /// Torque (for sliders force) with which friction holds each axis.
    held: [f32; 2],
}

/// The error of putting a doll on a skeleton; nothing was added to the world.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum RagdollError {
    /// None of the doll's bodies is on a bone of the model.
    NoBodies,
    /// The skeletal object was never built: its bones are zeros.
    NotBuilt,
    /// The doll has more bodies than [`Ragdoll::MAX_BODIES`], or more joints than [`Ragdoll::MAX_JOINTS`].
    TooLarge {
        /// Number of the doll's bodies.
        bodies: usize,
        /// Number of the doll's joints.
        joints: usize,
    },
    /// The bodies of the doll exceed [`Settings::max_bones`](crate::runtime::Settings::max_bones).
    LimitExceeded(LimitExceeded),
    /// The axes of the entity's matrix are flat, zero or not finite, or make the doll a million times larger or smaller.
    UnusableEntity,
    /// A number is not finite or beyond what the world can hold: a coordinate of the entity.
    OutOfRange(OutOfRange),
    /// The matrix of a body's bone is flat, zero or not finite, or puts it more than a million units away.
    UnusableBone {
        /// Index of the bone.
        bone: usize,
    },
}

impl std::fmt::Display for RagdollError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoBodies => f.write_str("the doll has no body on a bone of this model"),
            Self::NotBuilt => f.write_str("the skeletal object was never built, its bones are zeros"),
            Self::TooLarge { bodies, joints } => {
                let (most_bodies, most_joints) = (Ragdoll::MAX_BODIES, Ragdoll::MAX_JOINTS);
                write!(f, "{bodies} bodies and {joints} joints, at most {most_bodies} and {most_joints} are allowed")
            }
            Self::LimitExceeded(exceeded) => exceeded.fmt(f),
            Self::UnusableEntity => {
                f.write_str("the entity's matrix is flat, zero or not finite, or scales by more than a million")
            }
            Self::OutOfRange(error) => error.fmt(f),
            Self::UnusableBone { bone } => {
                write!(f, "the matrix of bone {bone} is flat, zero, not finite or more than a million units away")
            }
        }
    }
}

impl std::error::Error for RagdollError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OutOfRange(error) => Some(error),
            Self::LimitExceeded(exceeded) => Some(exceeded),
            _ => None,
        }
    }
}

impl From<OutOfRange> for RagdollError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}

impl Ragdoll {
    /// Maximum number of bodies of a doll.
    pub const MAX_BODIES: usize = 256;
    /// Maximum number of joints of a doll.
    pub const MAX_JOINTS: usize = 1024;

    /// Range of the entity's scale when the doll is made: values beyond it overflow in shapes and joints.
    const SCALES: std::ops::RangeInclusive<f32> = 1e-6..=1e6;

    /// Least seconds in which stops that the first pose violates move to their place.
    const EASING: f32 = 0.5;

    /// Puts a doll on a skeletal object in its current pose; `entity` is the matrix from model space to world space.
    ///
    /// Bodies on bones that the model lacks are left out with their joints. Nothing moves when a doll is put on: joints are
    /// anchored as the pose has them, and stops that the pose violates close in over half a second or more.
    ///
    /// On a scaled entity, shapes, joints and sliders' stops are scaled by the mean of the axes' factors, and masses by its
    /// cube; scaling the entity later changes no shape.
    ///
    /// # Errors
    /// [`RagdollError`].
    pub fn new(
        doll: &Arc<Doll>,
        skeleton: &SkeletalObject,
        entity: &Mat3x4,
        physics: &mut Physics,
    ) -> Result<Self, RagdollError> {
        if !skeleton.is_built() {
            return Err(RagdollError::NotBuilt);
        }
        sanitize::to_model(entity)?;
        let scale = entity.scale();
        if !Self::SCALES.contains(&scale) {
            return Err(RagdollError::UnusableEntity);
        }
        let model = skeleton.model().clone();
        let whole = doll.is_compatible(&model.skeleton);
        let doll = if whole { doll.clone() } else { Arc::new(doll.for_skeleton(&model.skeleton)) };
        if doll.bodies.is_empty() {
            return Err(RagdollError::NoBodies);
        }
        let (bodies, joints) = (doll.bodies.len(), doll.joints.len());
        if bodies > Self::MAX_BODIES || joints > Self::MAX_JOINTS {
            return Err(RagdollError::TooLarge { bodies, joints });
        }
        let mut pose = vec![Mat3x4::ZERO; model.skeleton.len()];
        skeleton.write_model_space(&mut pose);
        let reference = reference_pose(&doll, &model);
        let mut bodies = Vec::with_capacity(doll.bodies.len());
        for body in &doll.bodies {
            let Some(bone) = model.skeleton.find(body.bone.as_bytes()) else { return Err(RagdollError::NoBodies) };
            let world = *entity * pose[bone];
            if world.inverse().is_none() {
                return Err(RagdollError::UnusableBone { bone });
            }
            let place = shape::place(body, bone, &model.skeleton, &reference);
            let at = body_pose(&world, &place);
            if !sanitize::is_near(&at) {
                return Err(RagdollError::UnusableBone { bone });
            }
            let to_bone = Mat3x4::from_rotation_translation(at.rotation, at.translation).inverse_uniform() * world;
            bodies.push(RagBody {
                handle: RigidBodyHandle::invalid(),
                bone,
                place,
                to_bone,
                strength: if body.animate.is_finite() { body.animate.max(0.0) } else { 0.0 },
                before: at,
                from: at,
                to: at,
                previous: at,
                start: at,
                getting_up: 0.0,
                joining: false,
                flinch: 0.0,
            });
        }
        let driver = drivers(&bodies, model.skeleton.len());
        let relative = vec![Mat3x4::IDENTITY; model.skeleton.len()];
        let mut ragdoll = Self {
            doll,
            bodies,
            joints: Vec::new(),
            driver,
            world: None,
            relative,
            movers: Vec::new(),
            leaning: Vec::new(),
            gap_fixes: Vec::new(),
            rest: sleep::RestWatch::default(),
            travel: sanitize::Travel::new(entity),
            quarantined: Vec::new(),
            resets: 0,
            resets_told: 0,
            strength: 1.0,
            settled: false,
            scale,
        };
        ragdoll.insert_bodies(physics);
        ragdoll.insert_joints(&model, &reference, entity, physics);
        ragdoll.steady(physics);
        ragdoll.separate_overlaps(&reference, physics);
        ragdoll.plan_gap_fixes();
        ragdoll.set_owner(0, physics);
        Ok(ragdoll)
    }

    /// Removes the ragdoll's bodies and joints from the world.
    pub fn remove(self, physics: &mut Physics) {
        self.take_out(physics);
        physics.settle();
    }

    /// Removes the ragdoll's bodies and joints from the world, which has to [settle](Physics::settle) then.
    pub(crate) fn take_out(self, physics: &mut Physics) {
        physics.remove_bodies(self.bodies.iter().map(|b| b.handle).chain(self.world));
    }

    /// Returns the doll, reduced to the bodies and joints that the model has.
    #[must_use]
    pub fn doll(&self) -> &Arc<Doll> {
        &self.doll
    }

    /// Returns the factor of the doll's own strengths: that of the last `animate`, 1 at first.
    #[must_use]
    pub fn drive_strength(&self) -> f32 {
        self.strength
    }

    /// Returns the number of animated bodies.
    #[must_use]
    pub fn animated_bodies(&self) -> usize {
        self.bodies.iter().filter(|b| b.is_animated()).count()
    }

    /// Returns whether all of the ragdoll's bodies sleep.
    #[must_use]
    pub fn is_asleep(&self, physics: &Physics) -> bool {
        self.bodies.iter().all(|b| physics.world().bodies.get(b.handle).is_none_or(|b| b.is_sleeping()))
    }

    /// Adds a velocity (units/s) and an angular velocity (radians/s, about `centre`) to all limp bodies, in world space.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first number that is not finite or beyond a million; nothing has changed then.
    pub fn add_velocity(
        &self,
        velocity: Vec3,
        angular_velocity: Vec3,
        centre: Vec3,
        physics: &mut Physics,
    ) -> Result<(), OutOfRange> {
        OutOfRange::check_place("velocity", velocity)?;
        OutOfRange::check_place("angular_velocity", angular_velocity)?;
        OutOfRange::check_place("centre", centre)?;
        for body in &self.bodies {
            if let Some(body) = physics.world_mut().bodies.get_mut(body.handle)
                && body.is_dynamic()
            {
                let linear = body.linvel() + velocity + angular_velocity.cross(body.center_of_mass() - centre);
                let angular = body.angvel() + angular_velocity;
                sanitize::set_velocity(body, linear, angular);
            }
        }
        Ok(())
    }
}

/// Returns for every bone the body that drives it: the last one on it.
fn drivers(bodies: &[RagBody], bones: usize) -> Vec<Option<usize>> {
    let mut drivers = vec![None; bones];
    for (number, body) in bodies.iter().enumerate() {
        drivers[body.bone] = Some(number);
    }
    drivers
}

/// Returns the pose of a body on a bone that may be scaled.
fn body_pose(bone: &Mat3x4, place: &Pose) -> Pose {
    Pose::from_parts(bone.transform_point(place.translation), bone.rotation() * place.rotation)
}

/// Returns the model's bones in the doll's reference pose, model space.
pub(crate) fn reference_pose(doll: &Doll, model: &Model) -> Vec<Mat3x4> {
    let ReferencePose::Animation { index, time } = doll.reference else {
        return model.skeleton.bind_model().to_vec();
    };
    let frame = FrameState::single(i32::try_from(index).unwrap_or(0), time.into());
    let mut relative = model.skeleton.bind_local().to_vec();
    let source = pose::PoseSource { model, frame: &frame };
    pose::sample(source, 0..relative.len(), &mut relative);
    let mut reference = relative.clone();
    pose::to_model_space(model.skeleton.parents(), &relative, &mut reference);
    reference
}
