//! A [`Doll`] on a posed skeleton: bodies and joints in a [`Physics`] world, driven by animation or limp.
//!
//! Data flows one way: [`Ragdoll::new`] takes the pose the skeleton has, [`Ragdoll::update`] gives the bodies their
//! targets and writes what the bodies do back into the skeleton.

mod bones;
mod build;
mod command;
mod drive;
mod drop_test;
mod hit;
mod joint;
mod joint_control;
mod sanitize;
#[cfg(feature = "serde")]
mod saved;
mod shape;
mod sleep;
mod state;

pub use command::{Command, UnknownCommand};
pub use drop_test::{DropError, DropFrame, DropReport, DropTest};
pub(crate) use joint::frame as joint_frame;
#[cfg(feature = "serde")]
pub(crate) use saved::SavedRagdoll;
pub use state::{BodyState, JointState};

use std::sync::Arc;

use glam::Vec3;
use rapier3d::prelude::{GenericJoint, ImpulseJointHandle, Pose, RigidBodyHandle};

use crate::doll::{Doll, ReferencePose};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model};
use crate::physics::Physics;
use crate::pose;
use crate::skeleton::SkeletalObject;

/// A doll at work: its bodies and joints live in one [`Physics`] world, to which every call must be given.
#[derive(Debug)]
pub struct Ragdoll {
    doll: Arc<Doll>,
    bodies: Vec<RagBody>,
    joints: Vec<RagJoint>,
    /// For every bone the body that drives it.
    driver: Vec<Option<usize>>,
    /// The body that joints to the world hang on.
    world: Option<RigidBodyHandle>,
    /// Bones relative to their parents while an update is written.
    relative: Vec<Mat3x4>,
    /// How gaps of the solver are closed where bones are written.
    gap_fixes: Vec<bones::GapFix>,
    rest: sleep::RestWatch,
    travel: sanitize::Travel,
    /// Bodies that are out of the world until the next step is over.
    quarantined: Vec<usize>,
    resets: usize,
    resets_told: usize,
    /// What the doll's own strengths are multiplied by.
    strength: f32,
    /// Whether the bones are as the sleeping bodies are.
    settled: bool,
    /// How large the entity was when the doll was made.
    scale: f32,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct RagBody {
    handle: RigidBodyHandle,
    bone: usize,
    /// Bone to body, rigid.
    place: Pose,
    /// Body to bone: also what scale and shear the bone had when the doll was made.
    to_bone: Mat3x4,
    strength: f32,
    /// Where the animation had it at the host's last two frames, and where it has it now.
    before: Pose,
    from: Pose,
    to: Pose,
    /// Where it was one step ago.
    previous: Pose,
    /// Where it was when it began to follow exactly, and seconds until it is there.
    start: Pose,
    getting_up: f32,
    /// Whether it was limp when the animation last said where it is.
    joining: bool,
    /// Seconds until it has got over a hit.
    flinch: f32,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct RagJoint {
    handle: ImpulseJointHandle,
    body1: usize,
    body2: Option<usize>,
    enabled: bool,
    /// The joint as the doll has it.
    rest: GenericJoint,
    /// How far the first pose was from what the joint allows; the frame on body 1 starts there and moves to its place.
    violation: Pose,
    /// Seconds until it is there, and how many that are in all.
    easing: f32,
    easing_time: f32,
    /// Whether it was enabled while its anchors were apart, and still is pulling them together.
    catching: bool,
}

/// Why a doll cannot be put on a skeleton; nothing was added to the world then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RagdollError {
    /// None of the doll's bodies is on a bone of the model.
    NoBodies,
    /// The skeletal object was never built: its bones are zeros.
    NotBuilt,
    /// More bodies than [`Ragdoll::MAX_BODIES`], or joints than [`Ragdoll::MAX_JOINTS`].
    TooLarge {
        /// Bodies of the doll.
        bodies: usize,
        /// Joints of the doll.
        joints: usize,
    },
    /// The entity's matrix is flat, zero or not finite, or makes the doll a million times larger or smaller.
    UnusableEntity,
    /// The matrix of a body's bone is flat, zero or not finite.
    UnusableBone {
        /// The bone, 0-based.
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
            Self::UnusableEntity => {
                f.write_str("the entity's matrix is flat, zero or not finite, or scales by more than a million")
            }
            Self::UnusableBone { bone } => write!(f, "the matrix of bone {bone} is flat, zero or not finite"),
        }
    }
}

impl std::error::Error for RagdollError {}

impl Ragdoll {
    /// The most bodies that a doll may have.
    pub const MAX_BODIES: usize = 256;
    /// The most joints that a doll may have.
    pub const MAX_JOINTS: usize = 1024;

    /// How large the entity may be when the doll is made: numbers beyond that overflow in shapes and joints.
    const SCALES: std::ops::RangeInclusive<f32> = 1e-6..=1e6;

    /// The least seconds over which stops that the first pose violates move to their place.
    const EASING: f32 = 0.5;

    /// Puts a doll on a skeletal object where it stands; `entity` takes model space to world space.
    ///
    /// Bodies on bones that the model lacks are left out with their joints. Nothing moves by it: joints are anchored
    /// where the pose has them, stops that the pose violates close in over half a second or more.
    ///
    /// On a scaled entity shapes, joints and sliders' stops are scaled alike, by the mean of its axes where they differ,
    /// and masses by the cube of that; what the entity is scaled to later changes no shape.
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

    /// Takes its bodies and joints out of the world.
    pub fn remove(self, physics: &mut Physics) {
        for handle in self.bodies.iter().map(|b| b.handle).chain(self.world) {
            physics.world_mut().remove_body(handle);
        }
    }

    /// The doll, reduced to what the model has.
    pub fn doll(&self) -> &Arc<Doll> {
        &self.doll
    }

    /// Returns the factor of the doll's own strengths: that of the last `animate`, 1 to begin with.
    pub fn drive_strength(&self) -> f32 {
        self.strength
    }

    /// How many of its bodies are animated.
    pub fn animated_bodies(&self) -> usize {
        self.bodies.iter().filter(|b| b.is_animated()).count()
    }

    /// Whether physics lets all of it rest.
    pub fn is_asleep(&self, physics: &Physics) -> bool {
        self.bodies.iter().all(|b| physics.world().bodies.get(b.handle).is_none_or(|b| b.is_sleeping()))
    }

    /// Adds a velocity (units/s) and an angular velocity (radians/s, about `centre`) to all limp bodies, in world space.
    pub fn add_velocity(&self, velocity: Vec3, angular_velocity: Vec3, centre: Vec3, physics: &mut Physics) {
        if !(velocity.is_finite() && angular_velocity.is_finite() && centre.is_finite()) {
            return;
        }
        for body in &self.bodies {
            if let Some(body) = physics.world_mut().bodies.get_mut(body.handle)
                && body.is_dynamic()
            {
                let linear = body.linvel() + velocity + angular_velocity.cross(body.center_of_mass() - centre);
                let angular = body.angvel() + angular_velocity;
                body.set_linvel(linear, true);
                body.set_angvel(angular, true);
            }
        }
    }
}

/// For every bone the body that drives it: the last one on it.
fn drivers(bodies: &[RagBody], bones: usize) -> Vec<Option<usize>> {
    let mut drivers = vec![None; bones];
    for (number, body) in bodies.iter().enumerate() {
        drivers[body.bone] = Some(number);
    }
    drivers
}

/// The body's pose on a bone that may be scaled.
fn body_pose(bone: &Mat3x4, place: &Pose) -> Pose {
    Pose::from_parts(bone.transform_point(place.translation), bone.rotation() * place.rotation)
}

/// The model in the doll's reference pose, model space.
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
