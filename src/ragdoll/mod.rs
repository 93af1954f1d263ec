//! Ragdolls: dolls on posed skeletal objects, as bodies and joints that follow the animation or fall limp.
//!
//! A [`Runtime`](crate::Runtime) manages the ragdolls of its skeletal objects. Game code sends commands, shoots and
//! pushes; each command also writes the poses of the bodies into the object's bones.
//!
//! # Commands
//! [`Runtime::ragdoll_command`](crate::Runtime::ragdoll_command) runs a [`Command`] on an object. QuakeC passes the
//! text of the command to `skel_ragupdate` (#281); [`Command::parse`] converts one into the other.
//!
//! | command | text | effect |
//! |---|---|---|
//! | [`Command::Update`] | empty | updates the bones; attaches the model's default doll to an object without a doll |
//! | [`Command::Doll`] | `doll FILE` | attaches the doll of a file to the object |
//! | [`Command::DollString`] | `dollstring TEXT` | attaches a doll given as text to the object |
//! | [`Command::ClearDoll`] | `cleardoll` | removes the doll |
//! | [`Command::Animate`] | `animate STRENGTH` | 1: bodies follow the animation with the strengths given in the doll, 0: all bodies are limp |
//! | [`Command::Animate`] | `animate STRENGTH SECONDS` | changes the strengths over time: a corpse gets up |
//! | [`Command::AnimateBody`] | `animatebody BODY STRENGTH` | sets the strength of one body, such as a hand that drags the corpse |
//! | [`Command::AnimateBody`] | `animatebody BODY STRENGTH SECONDS` | changes the strength of one body over time |
//! | [`Command::AnimateLimb`] | `animatelimb BODY STRENGTH` | sets the strength of a body and all that hangs on it: a limp arm |
//! | [`Command::AnimateLimb`] | `animatelimb BODY STRENGTH SECONDS` | changes these strengths over time |
//! | [`Command::EnableJoint`] | `enablejoint JOINT 0 or 1` | severs a limb, which becomes limp, or attaches it again |
//! | [`Command::Muscle`] | `muscle STRENGTH` | 1: limp joints hold their pose with the stiffness given in the doll, 0: they do not |
//! | [`Command::MuscleJoint`] | `musclejoint JOINT STRENGTH` | sets the strength of one joint's muscle |
//! | [`Command::Awake`] | `awake 0 or 1` | wakes the ragdoll, or lets it sleep where it is |
//!
//! The default doll of `progs/player.iqm` is the file `progs/player.iqm.doll` or, if it does not exist,
//! `progs/player.doll`. [`Runtime::precache_doll`](crate::Runtime::precache_doll) reads it when the map loads;
//! [`Runtime::reload_dolls`](crate::Runtime::reload_dolls) reads all doll files again while the game runs.
//! [`Runtime::set_ragdoll`](crate::Runtime::set_ragdoll) attaches a [`Doll`] created in code to an object.
//!
//! # A frame
//! These steps of [a frame](crate::Runtime#a-frame) concern ragdolls:
//! 1. [`Physics::set_level_body_target`] moves doors, lifts and entity boxes.
//! 2. [`Runtime::build`](crate::Runtime::build) poses the objects that are animated, in local space. A corpse needs no
//!    pose.
//! 3. [`Runtime::ragdoll_command`](crate::Runtime::ragdoll_command), with [`Command::Update`] in most frames, takes the
//!    targets of animated bodies from that pose, and writes all bones, in model space.
//! 4. [`Runtime::write_palette`](crate::Runtime::write_palette) passes the bones to the renderer.
//! 5. [`Runtime::step`](crate::Runtime::step) ends the frame and simulates the time that it took.
//!
//! ```
//! use skelobj::math::Mat3x4;
//! use skelobj::model::FrameState;
//! use skelobj::object::Build;
//! use skelobj::ragdoll::Command;
//!
//! let (mut runtime, id) = skelobj::assets::mannequin_runtime(); // with the model's default doll
//! let model = runtime.model_by_name("mannequin.iqm").expect("a model");
//! let entity = Mat3x4::IDENTITY; // from model space to world space
//! for frame in 0..60 {
//!     let alive = frame < 10;
//!     if alive {
//!         runtime.build(id, model, &FrameState::single(0, f64::from(frame) / 60.0), &Build::REPLACE)?;
//!     }
//!     let command = if frame == 10 { Command::Animate(0.0, None) } else { Command::Update }; // the character dies
//!     runtime.ragdoll_command(id, &entity, command, None)?;
//!     runtime.step(1.0 / 60.0)?;
//! }
//! let head = runtime.object(id).and_then(|object| object.model_space(12)).expect("a head");
//! assert!(head.origin().z < 45.0, "{head:?}"); // fallen from 58 units
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Life of a ragdoll
//! - **Start.** The first command puts the doll on the object in its current pose, at rest. To inherit the speed of the
//!   animation and of the entity, a ragdoll has to follow them first: run [`Command::Update`] for at least two frames
//!   before the death. A first command in the frame of the death or one frame before gives no speed.
//!   [`Runtime::add_ragdoll_velocity`](crate::Runtime::add_ragdoll_velocity) adds the speed of the entity instead.
//! - **Death.** [`Command::Animate`] with 0 makes all bodies limp. Builds of the object then pose only bones without
//!   bodies.
//! - **Stiffness.** Joints with a `muscle` in the doll hold the pose of the death, or a pose that is built for the
//!   corpse later. They slacken over the time of the doll's `slacken`, sooner in a corpse that topples, and
//!   by [`Command::Muscle`].
//! - **Entity of a corpse.** The entity may stay where the character died, or follow the corpse, for culling and
//!   sounds: pass its matrix to the next command. The bodies stay in the world, and the bones are converted to the
//!   model space of the moved entity.
//! - **Teleporting.** An entity that moves more than 128 units from one command to the next takes its bodies along,
//!   with their speeds turned. Exceptions are an entity that comes nearer to its ragdoll while that is limp or begins
//!   to get up, and steady motion, such as that of a fast train: moves of up to 8192 units that differ from the last
//!   one by at most 128.
//! - **Revival.** [`Command::Animate`] with 1 and a time, and a build in every frame: the pose in which the bodies lie
//!   is blended with the animation parent by parent, so that no limb stretches. Without a time this takes 0.3 seconds.
//!   Move the entity first: [`Runtime::match_pose`](crate::Runtime::match_pose) finds the animation that begins as the
//!   corpse lies, and the place for the entity.
//! - **End.** [`Command::ClearDoll`] or [`Runtime::clear_ragdoll`](crate::Runtime::clear_ragdoll) removes the bodies;
//!   the bones keep the pose, in model space. [`Runtime::delete_object`](crate::Runtime::delete_object) removes the
//!   ragdoll with the object, at the end of the frame.
//!
//! ```
//! use skelobj::Runtime;
//! use skelobj::math::{Mat3x4, Vec3};
//! use skelobj::model::FrameState;
//! use skelobj::object::Build;
//! use skelobj::ragdoll::Command;
//! let (mut runtime, object) = skelobj::assets::mannequin_runtime();
//! let model = runtime.model_by_name("mannequin.iqm").unwrap();
//! let run = |time: f64| FrameState::single(2, time);
//! let mut entity = Mat3x4::IDENTITY;
//! for frame in 0..3 {
//!     entity = Mat3x4::from_translation(Vec3::X * 5.0 * frame as f32); // 300 units per second
//!     runtime.build(object, model, &run(f64::from(frame) / 60.0), &Build::REPLACE)?;
//!     let command = if frame < 2 { Command::Update } else { Command::Animate(0.0, None) }; // two frames, then death
//!     runtime.ragdoll_command(object, &entity, command, None)?;
//!     runtime.step(1.0 / 60.0)?;
//! }
//! let pelvis = runtime.ragdoll(object).and_then(|ragdoll| ragdoll.bodies(runtime.physics()).next()).expect("a body");
//! assert!(pelvis.velocity.x > 200.0); // the corpse flies on
//!
//! for _frame in 0..60 {
//!     runtime.ragdoll_command(object, &entity, Command::Update, None)?;
//!     runtime.step(1.0 / 60.0)?;
//! }
//! let in_world = |runtime: &Runtime, entity: Mat3x4| entity * runtime.object(object).unwrap().model_space(0).unwrap();
//! let before = in_world(&runtime, entity).origin();
//! entity = Mat3x4::from_translation(before); // the entity follows the corpse,
//! runtime.ragdoll_command(object, &entity, Command::Update, None)?;
//! assert!(before.distance(in_world(&runtime, entity).origin()) < 0.5); // which stays
//!
//! for frame in 0..30 {
//!     runtime.build(object, model, &FrameState::single(0, f64::from(frame) / 60.0), &Build::REPLACE)?;
//!     let command = if frame == 0 { Command::Animate(1.0, Some(0.4)) } else { Command::Update }; // it gets up
//!     runtime.ragdoll_command(object, &entity, command, None)?;
//!     runtime.step(1.0 / 60.0)?;
//! }
//! let head = runtime.object(object).unwrap().model_space(12).unwrap();
//! assert!((head.origin().z - 56.0).abs() < 1.0); // it stands
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From a hit to an entity
//! [`Runtime::trace`](crate::Runtime::trace) returns the skeletal object and the bone that a shot hits.
//! [`Runtime::set_user_data`](crate::Runtime::set_user_data) stores the number of the entity in an object,
//! [`Runtime::user_data`](crate::Runtime::user_data) returns it;
//! [`Runtime::ragdoll_impulse`](crate::Runtime::ragdoll_impulse) pushes the bone. Doors and entity boxes are level
//! bodies with ids that the engine maps to its entities; see [`physics`](crate::physics#from-a-hit-to-an-entity).
//!
//! Objects without a ragdoll are not in the world: [`Trace::with_object`](crate::runtime::Trace::with_object) finds
//! them.
//!
//! ```
//! use skelobj::math::{Mat3x4, Vec3};
//! use skelobj::ragdoll::{Command, Flinch};
//! use skelobj::runtime::Trace;
//! let (mut runtime, object) = skelobj::assets::mannequin_runtime();
//! runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
//!
//! let entities = ["worldspawn", "player", "monster_army"];
//! runtime.set_user_data(object, 2)?; // the number of its entity
//! let shot = Trace::line(Vec3::new(100.0, 0.0, 45.0), Vec3::new(-100.0, 0.0, 45.0));
//! let hit = runtime.trace(&shot)?.expect("somebody in the way");
//! let (victim, bone) = (hit.object.expect("a ragdoll"), hit.bone.expect("a bone"));
//! let number = runtime.user_data(victim).expect("an object");
//! assert_eq!(entities[number as usize], "monster_army");
//! let chest = runtime.object(victim).expect("the victim").model().skeleton.find("chest");
//! assert_eq!(Some(bone), chest);
//! runtime.ragdoll_impulse(victim, Some(bone), hit.point, Vec3::X * -2000.0, Flinch::default())?; // mass * units/s
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For contacts and events that rapier reports, [`Runtime::body_owner`](crate::Runtime::body_owner) turns a rigid body
//! into the skeletal object, the body of the doll, and the bone.
//!
//! # Units
//! Lengths are Quake units, times seconds, angles radians. Masses are taken from the doll and have no fixed unit; an
//! impulse is mass * units/s. Positions of bodies and joints are in world space, bones in model space.
//!
//! # Reading a ragdoll
//! [`Runtime::ragdoll`](crate::Runtime::ragdoll) returns the [`Ragdoll`] of an object, whose bodies, joints and contact
//! points are read with [`Runtime::physics`](crate::Runtime::physics). [`DropTest`] drops a doll onto a floor and
//! measures how it falls.

mod active_limits;
mod approach;
mod body_shape;
mod body_shapes;
mod bone_transfer;
mod buoyancy;
mod carried_bones;
mod check;
mod command;
mod cone;
mod contact_point;
mod drive;
mod drive_mode;
mod drop_start;
mod drop_test;
mod flinch;
mod friction;
mod hit;
mod insertion;
mod inspection;
mod joint_control;
mod joint_lists;
mod level_exit;
mod limb_stops;
mod match_pose;
mod muscle;
mod rapier_joint;
mod sanitize;
#[cfg(feature = "serde")]
mod saved_ragdoll;
mod size;
mod skin_trace;
mod sleep;
mod soft_stop;
mod solver_body;
pub mod stability;
mod step_force;
mod step_limits;
mod stops;
mod tuning;
mod wall_recovery;

#[cfg(feature = "serde")]
pub(crate) use State as SavedRagdoll;
pub(crate) use body_shapes::{BodyHit, BodyShapes};
pub use check::{CheckReport, CheckedFit, DollCheck};
pub(crate) use command::Order;
#[cfg(feature = "qcvm")]
pub(crate) use command::unread_number;
pub use command::{Command, UnknownCommand};
pub use contact_point::ContactPoint;
pub use drop_start::DropStart;
pub use drop_test::{DropError, DropFrame, DropReport, DropTest};
pub use flinch::Flinch;
pub(crate) use hit::check_impulse;
pub use inspection::{BodyState, JointState};
pub use limb_stops::{aim_within_stops, within_stops};
pub use match_pose::{MatchError, PoseMatch};
pub(crate) use rapier_joint::frame as joint_frame;

use std::sync::Arc;

use glam::Vec3;
use rapier3d::prelude::{ImpulseJointHandle, Pose, RigidBodyHandle};
use skelobj_model::internal;

use crate::LimitExceeded;
use crate::OutOfRange;
use crate::doll::{Doll, ReferencePose};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model};
use crate::object::SkeletalObject;
use crate::physics::Physics;
use crate::pose;

/// Doll on a skeletal object, to read. Its bodies and joints live in the [`Physics`] world of the
/// [`Runtime`](crate::Runtime), which most calls need.
///
/// [Commands](self#commands) make a ragdoll and change it. [`Runtime::ragdoll`](crate::Runtime::ragdoll) returns it.
///
/// On a scaled entity, shapes, joints and the stops of sliders are scaled by the mean of the axes' factors, and masses
/// by its cube. Scaling the entity later changes no shape. The scale of a bone changes neither shapes nor places of
/// bodies: it stays on the bone.
///
/// Limits of gaps, of motion at rest, of masses and of teleports are made for the mannequin, 64 units on its longest
/// side. They follow the size of other ragdolls, in steps of two, from 1 to 4096 units. Limits of speeds follow the
/// square root of the size, and of the [length unit](crate::physics::PhysicsSettings::length_unit) of the world.
///
/// ```
/// use skelobj::math::Mat3x4;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let entity = Mat3x4::from_translation_rotation_scale([0.0, 0.0, 8.0], [0.0, 0.0, 0.0, 1.0], [2.0; 3]);
/// runtime.ragdoll_command(object, &entity, "animate 0", None)?;
/// let ragdoll = runtime.ragdoll(object).expect("a giant");
/// let head = ragdoll.bodies(runtime.physics()).find(|body| body.name == *"head").expect("a head");
/// assert_eq!(head.size, [7.6; 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ragdoll {
    doll: Arc<Doll>,
    derived: Derived,
    state: State,
    scratch: Scratch,
}

/// Values that follow from the doll, its bodies and its scale.
#[derive(Debug)]
struct Derived {
    /// Body that drives each bone.
    drivers: Vec<Option<usize>>,
    definitions: Vec<rapier_joint::JointDefinition>,
}

/// State of a ragdoll without its doll, which several ragdolls may share. A snapshot holds all of the state.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct State {
    bodies: Vec<RagBody>,
    joints: Vec<RagJoint>,
    /// Matrices of bones without bodies relative to their parents, as they were last posed; the identity for others.
    relative_bones: Vec<Mat3x4>,
    /// Body that joints to the world are attached to.
    world_anchor: Option<RigidBodyHandle>,
    /// Forces of friction, soft stops, muscles and water in the step that is being made.
    step_forces: Vec<step_force::StepForce>,
    /// Joints at which gaps of the solver are closed where bones are written.
    gap_fixes: Vec<bone_transfer::Link>,
    sleep: sleep::SleepDetector,
    /// `true` if the ragdoll drifts, rises or sinks in water, and must not fall asleep.
    drifting: bool,
    entity_motion: sanitize::EntityMotion,
    level_exit: level_exit::LevelExit,
    wall_recovery: wall_recovery::WallRecovery,
    /// Bodies that stay out of the simulation until the next step is over.
    quarantined: Vec<usize>,
    resets: usize,
    resets_reported: usize,
    /// Factor of the doll's own strengths.
    drive_strength: f32,
    /// Factor that returns when the frame of the entity no longer makes the ragdoll limp.
    suspended_strength: Option<f32>,
    /// `true` if the bones match the sleeping bodies.
    bones_match: bool,
    /// Scale of the entity when the ragdoll was created.
    scale: f32,
    /// Size of the ragdoll relative to the mannequin, a power of two.
    size: f32,
    /// Length of the last step that moved the ragdoll, or of its part, seconds.
    last_step: f32,
}

/// Buffers, and results that the next step or update computes again.
#[derive(Debug, Default)]
struct Scratch {
    /// Body that carries each bone, while the bones without bodies are posed.
    carriers: Vec<usize>,
    /// Animation in model space while its targets are taken.
    animated_bones: Vec<Mat3x4>,
    /// Poses of the bodies while bones are written.
    shown_poses: Vec<Pose>,
    /// Bodies while the friction, the soft stops and the muscles of joints act.
    solver_bodies: Vec<solver_body::SolverBody>,
    /// Muscles while they act, and their joints.
    muscle_steps: Vec<(usize, muscle::MuscleStep)>,
    /// Water around the ragdoll while it acts.
    buoyancy: buoyancy::BuoyancyBuffers,
    anchored: bone_transfer::AnchoredBodies,
    /// `true` if the ragdoll was asleep and limp when the last step began, and nothing has changed it since.
    dormant: bool,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct RagBody {
    handle: RigidBodyHandle,
    bone: usize,
    placement: body_shape::Placement,
    /// Matrix from body to bone, with the scale and shear of the bone when the body was last placed.
    to_bone: Mat3x4,
    strength: f32,
    /// Strength that a severed body gets when it is attached again; `None` if it hangs on the root.
    attached_strength: Option<f32>,
    /// Poses that the animation gave at the host's last two frames, and the pose that it gives now.
    earlier_target: Pose,
    last_target: Pose,
    target: Pose,
    /// Pose one step ago, or one part of a step that is made in parts.
    previous: Pose,
    /// Pose one whole step ago.
    step_start: Pose,
    /// Way to the animation that the body follows exactly; `None` if it has arrived.
    approach: Option<approach::Approach>,
    /// Change of the strength over time.
    ramp: Option<approach::Ramp>,
    /// `true` if the body was limp when the animation last gave its pose.
    is_joining: bool,
    /// Rest of the last hit.
    flinch: flinch::RemainingFlinch,
    /// Way of the bones that the body carries to the animation; `None` if they have arrived.
    bone_return: Option<carried_bones::BoneReturn>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct RagJoint {
    handle: ImpulseJointHandle,
    body1: usize,
    body2: Option<usize>,
    attachment: stability::Attachment,
    /// `true` if the bodies collide with each other.
    contacts_enabled: bool,
    /// Frames of the joint on both bodies, local space, without the violation.
    frames: [Pose; 2],
    /// Deviation of the first pose from the allowed poses. The frame on body 1 starts there and moves to its place.
    violation: Pose,
    /// Seconds until the frame is in its place, and total seconds.
    easing_left: f32,
    easing_time: f32,
    /// Torque (for sliders force) with which friction resists on each axis.
    friction_torque: [f32; 3],
    soft_stops: [soft_stop::SoftStop; 2],
    muscle: muscle::Muscle,
}

/// Error of attaching a doll to a skeletal object. Nothing is added to the world.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::object::Space;
/// use skelobj::ragdoll::RagdollError;
/// use skelobj::runtime::RagdollCommandError;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let unbuilt = runtime.create_object(runtime.model_of(object).expect("a model"), Space::Local)?;
/// let error = runtime.ragdoll_command(unbuilt, &Mat3x4::IDENTITY, "doll mannequin.doll", None).unwrap_err();
/// assert_eq!(error, RagdollCommandError::Unusable(RagdollError::NotBuilt));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum RagdollError {
    /// Doll without a body on a bone of the model.
    NoBodies,
    /// Skeletal object that never got a pose: its bones are zeros.
    NotBuilt,
    /// Doll with more bodies than [`Ragdoll::MAX_BODIES`], or more joints than [`Ragdoll::MAX_JOINTS`].
    TooLarge {
        /// Number of bodies of the doll.
        bodies: usize,
        /// Number of joints of the doll.
        joints: usize,
    },
    /// Doll whose bodies exceed [`Settings::max_bones`](crate::runtime::Settings::max_bones).
    LimitExceeded(LimitExceeded),
    /// Matrix of the entity that is singular or non-finite, or that scales the doll by more than a million.
    UnusableEntity,
    /// Coordinate of the entity that is non-finite or beyond a million units.
    OutOfRange(OutOfRange),
    /// Matrix of a body's bone that is singular or non-finite, or more than a million units away.
    UnusableBone {
        /// Index of the bone.
        bone: usize,
    },
}

impl std::fmt::Display for RagdollError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoBodies => f.write_str("the doll has no body on a bone of this model"),
            Self::NotBuilt => f.write_str("the skeletal object was never built; its bones are zeros"),
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

    /// Puts a doll on a skeletal object in its current pose. `entity` is the matrix from model space to world space.
    /// [`Runtime::set_ragdoll`](crate::Runtime::set_ragdoll) states what becomes of the bodies.
    pub(crate) fn new(
        doll: &Arc<Doll>,
        object: &SkeletalObject,
        entity: &Mat3x4,
        physics: &mut Physics,
    ) -> Result<Self, RagdollError> {
        if !object.is_built() {
            return Err(RagdollError::NotBuilt);
        }
        sanitize::to_model(entity)?;
        let scale = entity.scale();
        if !tuning::ENTITY_SCALES.contains(&scale) {
            return Err(RagdollError::UnusableEntity);
        }
        let model = object.model().clone();
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
        object.write_model_space(&mut pose);
        let reference = reference_pose(&doll, &model);
        let mut bodies = Vec::with_capacity(doll.bodies.len());
        for body in &doll.bodies {
            let Some(bone) = model.skeleton.find(body.bone.as_bytes()) else { return Err(RagdollError::NoBodies) };
            let world = *entity * pose[bone];
            if world.inverse().is_none() {
                return Err(RagdollError::UnusableBone { bone });
            }
            let placement = body_shape::Placement::new(body, bone, &model.skeleton, &reference);
            let at = placement.in_world(entity, &pose[bone]);
            if !sanitize::is_near(&at) {
                return Err(RagdollError::UnusableBone { bone });
            }
            let to_bone = Mat3x4::from_rotation_translation(at.rotation, at.translation).inverse_uniform() * world;
            bodies.push(RagBody {
                handle: RigidBodyHandle::invalid(),
                bone,
                placement,
                to_bone,
                strength: if body.animate.is_finite() { body.animate.max(0.0) } else { 0.0 },
                attached_strength: None,
                earlier_target: at,
                last_target: at,
                target: at,
                previous: at,
                step_start: at,
                approach: None,
                ramp: None,
                is_joining: false,
                flinch: flinch::RemainingFlinch::default(),
                bone_return: None,
            });
        }
        let derived = Derived::new(&doll, &bodies, scale, model.skeleton.len());
        let placed = bodies.iter().map(|body| body.placement.on(&reference[body.bone]));
        let size = size::of_bodies(doll.bodies.iter().zip(placed), scale);
        let state = State {
            wall_recovery: wall_recovery::WallRecovery::all_released(bodies.len()),
            bodies,
            joints: Vec::new(),
            relative_bones: carried_bones::relative_bones(object, &derived.drivers),
            world_anchor: None,
            step_forces: Vec::new(),
            gap_fixes: Vec::new(),
            sleep: sleep::SleepDetector::default(),
            drifting: false,
            entity_motion: sanitize::EntityMotion::new(entity),
            level_exit: level_exit::LevelExit::default(),
            quarantined: Vec::new(),
            resets: 0,
            resets_reported: 0,
            drive_strength: 1.0,
            suspended_strength: None,
            bones_match: false,
            scale,
            size,
            last_step: physics.step_time(),
        };
        let mut ragdoll = Self { doll, derived, state, scratch: Scratch::default() };
        ragdoll.insert_bodies(physics);
        ragdoll.insert_joints(&model, &reference, entity, physics);
        debug_assert_eq!(ragdoll.state.joints.len(), ragdoll.doll.joints.len(), "every joint of the doll is built");
        ragdoll.raise_inertia(physics);
        ragdoll.separate_overlaps(&reference, physics);
        ragdoll.plan_gap_fixes();
        ragdoll.set_owner(0, physics);
        Ok(ragdoll)
    }

    /// Removes the ragdoll's bodies and joints from the world.
    pub(crate) fn remove(self, physics: &mut Physics) {
        self.take_out(physics);
        physics.finish_removals();
    }

    /// Removes the ragdoll's bodies and joints from the world. Afterwards, the caller [finishes the
    /// removals](Physics::finish_removals) of the world.
    pub(crate) fn take_out(self, physics: &mut Physics) {
        physics.remove_bodies(self.state.bodies.iter().map(|b| b.handle).chain(self.state.world_anchor));
    }

    /// Returns the doll, reduced to the bodies and joints that fit the model.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let text = "dollstring\nbody hips pelvis\nbody tail tail\n";
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, text, None)?;
    /// let ragdoll = runtime.ragdoll(object).expect("a ragdoll");
    /// assert_eq!(ragdoll.doll().bodies.len(), 1); // the mannequin has no tail
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn doll(&self) -> &Arc<Doll> {
        &self.doll
    }

    /// Returns the factor of the doll's own strengths, which [`Command::Animate`] sets; 1 at first.
    #[must_use]
    pub fn drive_strength(&self) -> f32 {
        self.state.suspended_strength.unwrap_or(self.state.drive_strength)
    }

    /// Returns the number of bodies that follow the animation with a strength above 0.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?;
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animatebody head 1", None)?;
    /// let ragdoll = runtime.ragdoll(object).expect("a ragdoll");
    /// assert_eq!(ragdoll.animated_bodies(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn animated_bodies(&self) -> usize {
        self.state.bodies.iter().filter(|b| b.is_animated()).count()
    }

    /// Returns `true` if all bodies of the ragdoll sleep. A sleeping ragdoll costs nothing until something wakes it.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?; // it falls
    /// let mut frames = 0;
    /// while frames < 600 && !runtime.ragdoll(object).is_some_and(|ragdoll| ragdoll.is_asleep(runtime.physics())) {
    ///     runtime.step(1.0 / 60.0)?;
    ///     frames += 1;
    /// }
    /// assert!(frames < 600); // it has come to rest within ten seconds
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_asleep(&self, physics: &Physics) -> bool {
        self.has_left_level()
            || self.state.bodies.iter().all(|b| physics.world().bodies.get(b.handle).is_none_or(|b| b.is_sleeping()))
    }

    /// Adds a velocity (units/s) and an angular velocity (radians/s, about `centre`) to all limp and partly animated
    /// bodies, in world space.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first number that is non-finite or beyond a million. On error, nothing changes.
    pub(crate) fn add_velocity(
        &self,
        velocity: Vec3,
        angular_velocity: Vec3,
        centre: Vec3,
        physics: &mut Physics,
    ) -> Result<(), OutOfRange> {
        internal::check_place("velocity", velocity)?;
        internal::check_place("angular_velocity", angular_velocity)?;
        internal::check_place("centre", centre)?;
        self.throw(velocity, angular_velocity, centre, physics);
        Ok(())
    }

    /// Adds checked velocities about a centre, which may be farther away than numbers of a host: that of a ragdoll is
    /// not at its entity's origin.
    pub(super) fn throw(&self, velocity: Vec3, angular_velocity: Vec3, centre: Vec3, physics: &mut Physics) {
        let max_speed = sanitize::max_speed(physics);
        for body in &self.state.bodies {
            if let Some(body) = physics.world_mut().bodies.get_mut(body.handle)
                && body.is_dynamic()
            {
                let linear = body.linvel() + velocity + angular_velocity.cross(body.center_of_mass() - centre);
                let angular = body.angvel() + angular_velocity;
                sanitize::set_velocity(body, linear, angular, max_speed);
            }
        }
    }
}

impl Derived {
    /// Returns the values of a ragdoll on a model with this number of bones. The last body on a bone drives it.
    fn new(doll: &Doll, bodies: &[RagBody], scale: f32, bones: usize) -> Self {
        debug_assert_eq!(bodies.len(), doll.bodies.len(), "every body of the doll has one of rapier");
        debug_assert!(bodies.iter().all(|body| body.bone < bones), "every body has a bone");
        let mut drivers = vec![None; bones];
        for (number, body) in bodies.iter().enumerate() {
            drivers[body.bone] = Some(number);
        }
        let definition = |doll_joint| rapier_joint::JointDefinition::new(doll_joint, scale);
        Self { drivers, definitions: doll.joints.iter().map(definition).collect() }
    }
}

/// Returns the bones of the model in the doll's reference pose, model space.
pub(crate) fn reference_pose(doll: &Doll, model: &Model) -> Vec<Mat3x4> {
    let ReferencePose::Animation { index, time } = doll.reference else {
        return model.skeleton.bind_model().to_vec();
    };
    let frame = FrameState::single(index as usize, time.into());
    let mut relative = model.skeleton.bind_local().to_vec();
    let source = pose::PoseSource { model, frame: &frame };
    pose::sample(source, 0..relative.len(), &mut relative);
    let mut reference = relative.clone();
    pose::to_model_space(model.skeleton.parents(), &relative, &mut reference);
    reference
}
