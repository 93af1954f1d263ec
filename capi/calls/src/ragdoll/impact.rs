//! Impacts of ragdolls, and getting up.

use skelobj::math::Vec3;
use skelobj::runtime::BodyOwner;

use crate::SkelobjStatus;
use crate::error::Result;
use crate::guard;
use crate::id::{Id, SkelobjLevelBody, SkelobjModel, SkelobjObject, SkelobjWorld};
use crate::numbers;
use crate::pointer::{In, Out};

/// Owner of a body that something touches.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjOwner {
    /// Object whose ragdoll the body belongs to; none for a level body.
    pub object: SkelobjObject,
    /// Number of the bone that the body drives; 0 for none.
    pub bone: i32,
    /// Index of the body in its ragdoll; -1 for none.
    pub body: i32,
    /// Level body; none for the body of a ragdoll.
    pub level_body: SkelobjLevelBody,
}

impl From<Option<BodyOwner>> for SkelobjOwner {
    fn from(owner: Option<BodyOwner>) -> Self {
        let none = Self { object: SkelobjObject::NONE, bone: 0, body: -1, level_body: SkelobjLevelBody::NONE };
        match owner {
            Some(BodyOwner::Ragdoll { object, body, bone }) => Self {
                object: object.into(),
                bone: numbers::bone_number(Some(bone)),
                body: numbers::number(Some(body)),
                ..none
            },
            Some(BodyOwner::Level(body)) => Self { level_body: body.into(), ..none },
            _ => none,
        }
    }
}

/// Impact of a ragdoll in the last frame.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjImpact {
    /// Body of the ragdoll.
    pub own: SkelobjOwner,
    /// Body that it hit.
    pub other: SkelobjOwner,
    /// Point, world space.
    pub point: [f32; 3],
    /// Direction away from what it hit.
    pub normal: [f32; 3],
    /// Impulse, mass * units per second.
    pub impulse: f32,
    /// Speed against each other, units per second.
    pub speed: f32,
}

/// Sets the impulse from which on impacts are recorded; a negative number (default) records none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_set_impact_threshold(world: SkelobjWorld, threshold: f32) -> SkelobjStatus {
    guard::world(world, |world| {
        let threshold = if threshold < 0.0 { None } else { Some(threshold) };
        Ok(world.runtime.set_impact_threshold(threshold)?)
    })
}

/// Writes the impacts of the last skelobj_step, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_impacts(
    world: SkelobjWorld,
    impacts: Out<SkelobjImpact>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, number) = (impacts.buffer(numbers::size(capacity)?)?, number.wanted()?);
        let impacts = world.runtime.impacts().map(|impact| SkelobjImpact {
            own: SkelobjOwner::from(Some(BodyOwner::Ragdoll {
                object: impact.object,
                body: impact.body,
                bone: impact.bone,
            })),
            other: impact.other.into(),
            point: impact.point.to_array(),
            normal: impact.normal.to_array(),
            impulse: impact.impulse,
            speed: impact.speed,
        });
        buffer.fill(&impacts.collect::<Vec<_>>(), number)
    })
}

/// Animation from which a ragdoll can get up.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjPoseMatch {
    /// Number of the animation.
    pub animation: i32,
    /// Time in the animation, seconds.
    pub time: f64,
    /// Distance between the ragdoll and the pose, units: the root mean square over the boxes around the bodies, each
    /// weighted by its mass.
    pub distance: f32,
    /// Origin for the entity, world space.
    pub origin: [f32; 3],
    /// Yaw for the entity, degrees.
    pub yaw: f32,
}

/// Finds where in some animations of a model a ragdoll lies as it does now, for getting up. `tolerance` is the greatest
/// distance, of the kind in SkelobjPoseMatch.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_match_pose(
    world: SkelobjWorld,
    object: SkelobjObject,
    model: SkelobjModel,
    animations: In<i32>,
    animation_count: i32,
    tolerance: f32,
    found: Out<SkelobjPoseMatch>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, numbers) = (found.place()?, animations.slice(numbers::size(animation_count)?)?);
        let animations = numbers.iter().map(|number| numbers::index(*number, "animation"));
        let animations = animations.collect::<Result<Vec<_>>>()?;
        super::ragdoll(world, object)?;
        let (id, model) = (object.get()?, world.model(model)?);
        let found = world.runtime.match_pose(id, model, &animations, tolerance)?;
        place.set(SkelobjPoseMatch {
            animation: numbers::number(Some(found.animation)),
            time: found.time,
            distance: found.distance,
            origin: Vec3::to_array(&found.origin),
            yaw: found.yaw.to_degrees(),
        });
        Ok(())
    })
}
