//! Questions: traces, contacts, tags.

use skelobj::math::Mat3x4;
use skelobj::physics::CollisionGroups;
use skelobj::runtime::{EntityState, ObjectGeometry, Surface, Trace};

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::history::past_target;
use crate::id::{Id, SkelobjLevelBody, SkelobjModel, SkelobjObject, SkelobjWorld};
use crate::model::SkelobjFrameDef;
use crate::numbers;
use crate::pointer::{Def, In, Out, OutMatrix};
use crate::ragdoll::SkelobjOwner;
use crate::world::{World, vector};

/// Geometry of an object that a trace is aimed at.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjGeometry {
    /// The most exact that the object has.
    Best = 0,
    /// Bodies of its ragdoll.
    Ragdoll = 1,
    /// Hit boxes.
    HitBoxes = 2,
    /// Triangles of its skin.
    Skin = 3,
}

/// Line, or box that moves along a line. Get one from skelobj_default_trace_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjTraceDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Collision groups that are hit, a sum of SKELOBJ_GROUP_... Default: all.
    pub groups: u32,
    /// Start, world space.
    pub start: [f32; 3],
    /// End, world space.
    pub end: [f32; 3],
    /// Lowest corner of the box, relative to the line; 0 for a line.
    pub mins: [f32; 3],
    /// Highest corner of the box, relative to the line; 0 for a line.
    pub maxs: [f32; 3],
    /// Object whose ragdoll is ignored; none (default) for no object.
    pub excluded: SkelobjObject,
    /// Object to trace alone, without the world; none (default) for the world. Only objects with a ragdoll are in the
    /// world.
    pub object: SkelobjObject,
    /// Geometry of that object, SKELOBJ_GEOMETRY_...
    pub geometry: i32,
    /// Matrix of that object's entity; ignored in the past.
    pub entity: [f32; 12],
    /// 1 to trace through recorded poses, of all objects with the level of the present or of `object` alone, as they
    /// were at `time`; 0 (default) for the present. See skelobj_keep_history.
    pub is_past: i32,
    /// 1 if a time outside of the recorded ones stands for the nearest of them; 0 (default) if it is an error.
    pub is_clamped: i32,
    /// Time of the past, seconds, on the clock of skelobj_record_pose.
    pub time: f64,
}

/// Kind of what a trace hit.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjSurfaceKind {
    /// Nothing.
    None = 0,
    /// Body of a ragdoll: `index` is its number.
    Body = 1,
    /// Hit box: `index` is its number.
    HitBox = 2,
    /// Skin: `index` is the mesh, `triangle` the triangle.
    Skin = 3,
    /// Level: `level_body` is the body, `index` the shape, `triangle` the triangle or -1.
    Level = 4,
}

/// Hit of a trace.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjHit {
    /// Fraction of the line, 0 to 1; 1 if nothing was hit.
    pub fraction: f32,
    /// Point at which the line or the origin of the box stopped, world space.
    pub point: [f32; 3],
    /// Normal of the surface; 0 if the trace starts inside what it hits, or meets nothing after that.
    pub normal: [f32; 3],
    /// Object that was hit; none for anything else.
    pub object: SkelobjObject,
    /// Number of the bone that was hit; 0 for none.
    pub bone: i32,
    /// Kind of the surface, SKELOBJ_SURFACE_KIND_...
    pub surface: i32,
    /// Level body that was hit; none for anything else.
    pub level_body: SkelobjLevelBody,
    /// Number of body, hit box, mesh or shape; -1 for none.
    pub index: i32,
    /// Number of the triangle; -1 for none.
    pub triangle: i32,
    /// 1 if the trace starts inside something solid; else 0. It goes on to the open, but a line from inside a body of a
    /// ragdoll hits that body.
    pub start_solid: i32,
    /// 1 if the trace never leaves what it starts in; else 0.
    pub all_solid: i32,
}

/// Returns a def of a line from the origin to itself through the world.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_trace_def() -> SkelobjTraceDef {
    SkelobjTraceDef {
        cookie: SkelobjTraceDef::COOKIE,
        groups: CollisionGroups::ALL.into(),
        start: [0.0; 3],
        end: [0.0; 3],
        mins: [0.0; 3],
        maxs: [0.0; 3],
        excluded: SkelobjObject::NONE,
        object: SkelobjObject::NONE,
        geometry: 0,
        entity: Mat3x4::IDENTITY.0,
        is_past: 0,
        is_clamped: 0,
        time: 0.0,
    }
}

fn trace_of(def: &SkelobjTraceDef) -> Result<Trace> {
    let trace = Trace::line(vector(def.start), vector(def.end)).with_box(vector(def.mins), vector(def.maxs));
    let trace = trace.with_groups(CollisionGroups::from(def.groups));
    let trace = match def.excluded.get_or_none()? {
        Some(object) => trace.without(object),
        None => trace,
    };
    let object = def.object.get_or_none()?;
    let geometry = match def.geometry {
        0 => ObjectGeometry::Best,
        1 => ObjectGeometry::Ragdoll,
        2 => ObjectGeometry::HitBoxes,
        3 => ObjectGeometry::Skin,
        _ => return Err(Failure::number("geometry", "SKELOBJ_GEOMETRY_...")),
    };
    let past = match def.is_past {
        0 => None,
        1 => Some(past_target(def.time, def.is_clamped)?),
        _ => return Err(Failure::number("is_past", "0 or 1")),
    };
    Ok(match (past, object) {
        (None, None) => trace,
        (None, Some(object)) => trace.with_object(object, Mat3x4(def.entity), geometry),
        (Some(mut past), object) => {
            (past.object, past.geometry) = (object, geometry);
            trace.with_past(past)
        }
    })
}

/// Traces a line or box through the world, or through one object. Writes what it hit; the fraction is 1 if nothing.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_trace(world: SkelobjWorld, def: In<SkelobjTraceDef>, hit: Out<SkelobjHit>) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, def) = (hit.place()?, def.def()?);
        let Some(hit) = world.runtime.trace(&trace_of(&def)?)? else {
            place.set(SkelobjHit {
                fraction: 1.0,
                point: def.end,
                normal: [0.0; 3],
                object: SkelobjObject::NONE,
                bone: 0,
                surface: SkelobjSurfaceKind::None as i32,
                level_body: SkelobjLevelBody::NONE,
                index: -1,
                triangle: -1,
                start_solid: 0,
                all_solid: 0,
            });
            return Ok(());
        };
        let number = |index: usize| numbers::number(Some(index));
        let no_body = SkelobjLevelBody::NONE;
        let (surface, level_body, index, triangle) = match hit.surface {
            Surface::Body(body) => (SkelobjSurfaceKind::Body, no_body, number(body), -1),
            Surface::HitBox(hit_box) => (SkelobjSurfaceKind::HitBox, no_body, number(hit_box), -1),
            Surface::Skin { mesh, triangle } => (SkelobjSurfaceKind::Skin, no_body, number(mesh), number(triangle)),
            Surface::Level { body, shape, triangle } => {
                let triangle = triangle.map_or(-1, |triangle| number(triangle as usize));
                (SkelobjSurfaceKind::Level, body.into(), number(shape as usize), triangle)
            }
            // Colliders of a host's own rapier world, which C does not have.
            _ => (SkelobjSurfaceKind::None, no_body, -1, -1),
        };
        place.set(SkelobjHit {
            fraction: hit.fraction,
            point: hit.point.to_array(),
            normal: hit.normal.to_array(),
            object: hit.object.into(),
            bone: numbers::bone_number(hit.bone),
            surface: surface as i32,
            level_body,
            index,
            triangle,
            start_solid: numbers::flag(hit.start_solid),
            all_solid: numbers::flag(hit.all_solid),
        });
        Ok(())
    })
}

/// Contact of a level body.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjContact {
    /// Body that touches it.
    pub other: SkelobjOwner,
    /// Depth by which it is inside, units.
    pub depth: f32,
}

/// Writes what touches a level body, such as a door that is blocked, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_contacts(
    world: SkelobjWorld,
    body: SkelobjLevelBody,
    contacts: Out<SkelobjContact>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, number) = (contacts.buffer(numbers::size(capacity)?)?, number.wanted()?);
        let id = body.get()?;
        if world.runtime.physics().rigid_body(id).is_none() {
            return Err(body.refused());
        }
        let contacts = world.runtime.physics().contacts(id);
        let contacts = contacts.iter().map(|contact| SkelobjContact {
            other: world.runtime.body_owner(contact.body).into(),
            depth: contact.depth,
        });
        buffer.fill(&contacts.collect::<Vec<_>>(), number)
    })
}

/// Entity with a model, for tags.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjEntity {
    /// Matrix, model space to world space; of an attached entity, to the tag that it hangs on.
    pub matrix: [f32; 12],
    /// Model of the world that it shows; none for no model.
    pub model: SkelobjModel,
    /// Object that poses it; none for no object.
    pub object: SkelobjObject,
    /// Animations that it plays without an object; null for the start of animation 0.
    pub frame: In<SkelobjFrameDef>,
    /// Number of its tag that is asked for, or that the entity before it in a list hangs on; 0 for the entity itself.
    pub tag: i32,
}

fn entity(world: &World, entity: &SkelobjEntity) -> Result<(EntityState, Option<usize>)> {
    let mut state = EntityState::new(Mat3x4(entity.matrix));
    state.model = world.model_or_none(entity.model)?;
    state.frame = entity.frame.state_or_default()?;
    state.object = entity.object.get_or_none()?;
    if state.object.is_some() {
        world.object(entity.object)?;
    }
    Ok((state, numbers::bone_or_none(entity.tag)?))
}

/// Writes the matrix of a tag in world space. The first entity has the tag; each further one is what the entity before
/// it hangs on, by its `tag`. A list of one entity is the usual case.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_tag(
    world: SkelobjWorld,
    entities: In<SkelobjEntity>,
    count: i32,
    matrix: OutMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, entities) = (matrix.place()?, entities.slice(numbers::size(count)?)?);
        let links = entities.iter().map(|link| entity(world, link)).collect::<Result<Vec<_>>>()?;
        place.set(world.runtime.tag_to_world(links).0);
        Ok(())
    })
}

/// Writes the matrix of an entity's tag relative to its parent, and the number of that tag or 0 (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_tag_local(
    world: SkelobjWorld,
    link: In<SkelobjEntity>,
    matrix: OutMatrix,
    parent: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, parent, link) = (matrix.place()?, parent.wanted()?, link.read()?);
        let (state, tag) = entity(world, &link)?;
        let found = tag.and_then(|tag| world.runtime.tag_local(&state, tag));
        let (local, above) = found.ok_or_else(|| Failure::not_found(format_args!("tag {}", link.tag)))?;
        place.set(local.0);
        if let Some(parent) = parent {
            parent.set(numbers::bone_number(above));
        }
        Ok(())
    })
}
