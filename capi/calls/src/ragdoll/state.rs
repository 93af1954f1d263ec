//! State of a ragdoll, its bodies and its joints, for game code and debug drawing.

use std::ffi::c_char;

use skelobj::math::Mat3x4;
use skelobj::ragdoll::stability::{BodyMode, JointMode, RestMode};

use super::{SkelobjOwner, ragdoll};
use crate::SkelobjStatus;
use crate::doll::SkelobjBodyShape;
use crate::guard;
use crate::id::{SkelobjObject, SkelobjWorld};
use crate::numbers::{self, count, flag};
use crate::pointer::Out;
use crate::text;

/// Summary of a ragdoll.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjRagdollInfo {
    /// Number of bodies.
    pub body_count: i32,
    /// Number of joints.
    pub joint_count: i32,
    /// Number of bodies that follow the animation.
    pub animated: i32,
    /// 1 if all bodies sleep.
    pub is_asleep: i32,
    /// Number of times that bodies were put back because their numbers ran away.
    pub resets: i32,
    /// Share of the animation, 0 to 1.
    pub drive_strength: f32,
    /// Centre of mass, world space.
    pub centre: [f32; 3],
    /// Lowest point of a body, world space.
    pub lowest: f32,
    /// Kinetic and potential energy.
    pub energy: f32,
    /// Collision groups of the bodies, SKELOBJ_GROUP_...
    pub groups: u32,
    /// Way to rest, SKELOBJ_REST_MODE_...
    pub rest_mode: i32,
    /// 1 if the ragdoll fell out of the level and is no longer simulated.
    pub has_left_level: i32,
}

/// Way of a ragdoll to rest.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjRestMode {
    /// The ragdoll falls or was pushed.
    Moving = 0,
    /// The ragdoll is slow, and has more angular damping.
    Settling = 1,
    /// The ragdoll trembles in place, is damped strongly, and may sleep at any speed.
    Calmed = 2,
    /// The ragdoll sleeps.
    Asleep = 3,
}

impl From<RestMode> for SkelobjRestMode {
    fn from(mode: RestMode) -> Self {
        match mode {
            RestMode::Settling => Self::Settling,
            RestMode::Calmed => Self::Calmed,
            RestMode::Asleep => Self::Asleep,
            _ => Self::Moving,
        }
    }
}

/// Writes a summary of the ragdoll of an object.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_info(
    world: SkelobjWorld,
    object: SkelobjObject,
    info: Out<SkelobjRagdollInfo>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, ragdoll, physics) = (info.place()?, ragdoll(world, object)?, world.runtime.physics());
        place.set(SkelobjRagdollInfo {
            body_count: count(ragdoll.doll().bodies.len()),
            joint_count: count(ragdoll.doll().joints.len()),
            animated: count(ragdoll.animated_bodies()),
            is_asleep: flag(ragdoll.is_asleep(physics)),
            resets: count(ragdoll.resets()),
            drive_strength: ragdoll.drive_strength(),
            centre: ragdoll.centre_of_mass(physics).to_array(),
            lowest: ragdoll.lowest_point(physics),
            energy: ragdoll.energy(physics),
            groups: ragdoll.groups(physics).into(),
            rest_mode: SkelobjRestMode::from(ragdoll.rest_mode()) as i32,
            has_left_level: flag(ragdoll.has_left_level()),
        });
        Ok(())
    })
}

/// Body of a ragdoll, for debug drawing and game code.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjBodyState {
    /// Name.
    pub name: [c_char; 32],
    /// Number of the bone that it drives.
    pub bone: i32,
    /// Shape, SKELOBJ_BODY_SHAPE_...
    pub shape: i32,
    /// Size along its axes, units.
    pub size: [f32; 3],
    /// Place, world space.
    pub matrix: [f32; 12],
    /// Velocity, units per second.
    pub velocity: [f32; 3],
    /// Angular velocity, radians per second.
    pub angular_velocity: [f32; 3],
    /// Share of the animation: 0 is limp.
    pub strength: f32,
    /// 1 if it sleeps.
    pub is_sleeping: i32,
    /// Mode, SKELOBJ_BODY_MODE_...
    pub mode: i32,
}

/// Mode of a body of a ragdoll.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjBodyMode {
    /// Physics alone moves the body.
    Limp = 0,
    /// Physics moves the body, and the animation pulls it.
    Pulled = 1,
    /// The body moves to the animation, which it will follow exactly.
    Approaching = 2,
    /// The body is exactly where the animation is.
    Following = 3,
    /// The body is out of the simulation for a step: its position or velocity was non-finite.
    Quarantined = 4,
}

impl From<BodyMode> for SkelobjBodyMode {
    fn from(mode: BodyMode) -> Self {
        match mode {
            BodyMode::Pulled => Self::Pulled,
            BodyMode::Approaching => Self::Approaching,
            BodyMode::Following => Self::Following,
            BodyMode::Quarantined => Self::Quarantined,
            _ => Self::Limp,
        }
    }
}

/// Writes the bodies of a ragdoll, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_bodies(
    world: SkelobjWorld,
    object: SkelobjObject,
    bodies: Out<SkelobjBodyState>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, number) = (bodies.buffer(numbers::size(capacity)?)?, number.wanted()?);
        let bodies = ragdoll(world, object)?.bodies(world.runtime.physics()).map(|body| SkelobjBodyState {
            name: text::array(&body.name),
            bone: numbers::bone_number(Some(body.bone)),
            shape: SkelobjBodyShape::from(body.shape) as i32,
            size: body.size,
            matrix: Mat3x4::from_rotation_translation(body.rotation, body.position).0,
            velocity: body.velocity.to_array(),
            angular_velocity: body.angular_velocity.to_array(),
            strength: body.strength,
            is_sleeping: flag(body.is_sleeping),
            mode: SkelobjBodyMode::from(body.mode) as i32,
        });
        buffer.fill(&bodies.collect::<Vec<_>>(), number)
    })
}

/// Joint of a ragdoll.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjJointState {
    /// Name.
    pub name: [c_char; 32],
    /// 1 if it holds.
    pub is_enabled: i32,
    /// Distance of its anchors, units; 0, as the excess below, if it is disabled.
    pub gap: f32,
    /// Anchor on the first body, world space.
    pub anchor1: [f32; 3],
    /// Anchor on the second body, world space.
    pub anchor2: [f32; 3],
    /// Angles (radians) or distances (units) of both axes.
    pub position: [f32; 2],
    /// Distance beyond their stops.
    pub excess: [f32; 2],
    /// Twist of a cone joint, radians.
    pub twist: f32,
    /// Angle beyond its stops, radians.
    pub twist_excess: f32,
    /// Mode, SKELOBJ_JOINT_MODE_...
    pub mode: i32,
}

/// Mode of a joint of a ragdoll.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjJointMode {
    /// The joint holds its bodies together.
    Holding = 0,
    /// The joint was enabled with its anchors apart, and pulls them together softly.
    Catching = 1,
    /// The joint is disabled.
    Severed = 2,
    /// The animation holds both bodies; the joint is not solved.
    Idle = 3,
}

impl From<JointMode> for SkelobjJointMode {
    fn from(mode: JointMode) -> Self {
        match mode {
            JointMode::Catching => Self::Catching,
            JointMode::Severed => Self::Severed,
            JointMode::Idle => Self::Idle,
            _ => Self::Holding,
        }
    }
}

/// Writes the joints of a ragdoll, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_joints(
    world: SkelobjWorld,
    object: SkelobjObject,
    joints: Out<SkelobjJointState>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, number) = (joints.buffer(numbers::size(capacity)?)?, number.wanted()?);
        let joints = ragdoll(world, object)?.joints(world.runtime.physics()).map(|joint| SkelobjJointState {
            name: text::array(&joint.name),
            is_enabled: flag(joint.is_enabled),
            gap: joint.gap,
            anchor1: joint.anchors[0].to_array(),
            anchor2: joint.anchors[1].to_array(),
            position: joint.position,
            excess: joint.excess,
            twist: joint.twist,
            twist_excess: joint.twist_excess,
            mode: SkelobjJointMode::from(joint.mode) as i32,
        });
        buffer.fill(&joints.collect::<Vec<_>>(), number)
    })
}

/// Point at which a body of a ragdoll touches something else.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjContactPoint {
    /// Index of the body in its ragdoll.
    pub body: i32,
    /// Body that it touches; none for one of the host's own.
    pub other: SkelobjOwner,
    /// Point, world space.
    pub point: [f32; 3],
    /// Direction in which the contact pushes the body.
    pub normal: [f32; 3],
    /// Depth by which the surfaces overlap, units; negative if they are apart.
    pub depth: f32,
    /// Force along the normal without friction, mass * units/s^2: the mean over the last step that moved the ragdoll.
    pub force: f32,
}

/// Writes the points at which a ragdoll touches anything but itself, in the order of its bodies, and their number (may
/// be null). Those with boxes of entities bear no force.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_contact_points(
    world: SkelobjWorld,
    object: SkelobjObject,
    points: Out<SkelobjContactPoint>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, number) = (points.buffer(numbers::size(capacity)?)?, number.wanted()?);
        let points = ragdoll(world, object)?.contact_points(world.runtime.physics());
        let points = points.iter().map(|contact| SkelobjContactPoint {
            body: numbers::number(Some(contact.body)),
            other: world.runtime.collider_owner(contact.other_collider).into(),
            point: contact.point.to_array(),
            normal: contact.normal.to_array(),
            depth: contact.depth,
            force: contact.force,
        });
        buffer.fill(&points.collect::<Vec<_>>(), number)
    })
}
