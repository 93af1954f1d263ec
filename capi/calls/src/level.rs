//! The level: boxes, meshes, BSP files, movers, water.

use std::ffi::c_char;

use skelobj::LoadOptions;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::physics::{
    Level, LevelOptions, LevelShape, Liquid, LiquidKind, LiquidVolume, Physics, SolidMesh, Winding,
};

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjLevel, SkelobjLevelBody, SkelobjWater, SkelobjWorld};
use crate::numbers::{self, count, flag};
use crate::pointer::{Def, In, InMatrix, InVector, Out, OutVector};
use crate::table::{self, Entry};
use crate::world::{SkelobjLimits, vector};

/// Kind of a shape.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjShapeKind {
    /// Box around the origin of its body: `size` is its extent.
    Box = 0,
    /// Convex hull of points.
    Hull = 1,
    /// Triangles between points, solid inside.
    Mesh = 2,
    /// Polygons, such as the faces of a map. Corners of neighbours are welded.
    Polygons = 3,
}

/// Shape of a level body. Get one from skelobj_default_shape.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjShape {
    /// Kind, SKELOBJ_SHAPE_KIND_...
    pub kind: i32,
    /// Extent of a box along x, y and z, units.
    pub size: [f32; 3],
    /// Points of a hull or mesh, or the corners of one polygon after another; relative to the body.
    pub points: In<[f32; 3]>,
    /// Indices of points: 3 for each triangle of a mesh.
    pub triangles: In<[u32; 3]>,
    /// Number of corners of each polygon.
    pub corners: In<u32>,
    /// Number of points.
    pub point_count: i32,
    /// Number of triangles.
    pub triangle_count: i32,
    /// Number of polygons.
    pub polygon_count: i32,
    /// 1 if triangles and polygons are clockwise seen from outside, as Quake's are; 0 if counter-clockwise.
    pub is_clockwise: i32,
}

/// Level body to be added. Get one from skelobj_default_level_body_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjLevelBodyDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// 1 for a body that moves, such as a door or a lift: skelobj_level_body_set_target. Default 0.
    pub is_moving: i32,
    /// Shapes.
    pub shapes: In<SkelobjShape>,
    /// Number of shapes.
    pub shape_count: i32,
    /// Place, without scale. Default: the identity.
    pub matrix: [f32; 12],
}

struct Shapes<'a> {
    shapes: &'a [SkelobjShape],
    points: Vec<Vec<Vec3>>,
    meshes: Vec<Option<SolidMesh>>,
}

impl<'a> Shapes<'a> {
    fn new(shapes: &'a [SkelobjShape]) -> Result<Self> {
        let (mut points, mut meshes) = (Vec::new(), Vec::new());
        for shape in shapes {
            if !(0..=3).contains(&shape.kind) {
                return Err(Failure::number("kind", "SKELOBJ_SHAPE_KIND_..."));
            }
            let own = if shape.kind == 0 { &[] } else { shape.points.slice(numbers::size(shape.point_count)?)? };
            points.push(own.iter().map(|point| vector(*point)).collect::<Vec<_>>());
            let winding = if shape.is_clockwise != 0 { Winding::Clockwise } else { Winding::CounterClockwise };
            meshes.push(match (shape.kind, points.last()) {
                (2, Some(points)) => {
                    let triangles = shape.triangles.slice(numbers::size(shape.triangle_count)?)?;
                    Some(SolidMesh::new(points, triangles, winding)?)
                }
                (3, Some(points)) => {
                    let corners = shape.corners.slice(numbers::size(shape.polygon_count)?)?;
                    Some(SolidMesh::from_polygons(polygons(points, corners)?, winding)?)
                }
                _ => None,
            });
        }
        Ok(Self { shapes, points, meshes })
    }

    fn list(&self) -> Vec<LevelShape<'_>> {
        let parts = self.shapes.iter().zip(&self.points).zip(&self.meshes);
        parts
            .map(|((shape, points), mesh)| match mesh {
                Some(mesh) => LevelShape::Mesh(mesh),
                None if shape.kind == 0 => LevelShape::Box(vector(shape.size)),
                None => LevelShape::Hull(points),
            })
            .collect()
    }
}

/// Returns polygons with as many corners each.
fn polygons<'a>(mut points: &'a [Vec3], corners: &[u32]) -> Result<Vec<(&'a [Vec3], u32)>> {
    let mut polygons = Vec::with_capacity(corners.len());
    for count in corners {
        let Some((polygon, rest)) = points.split_at_checked(*count as usize) else {
            return Err(Failure::number("corners", "no more corners than points"));
        };
        polygons.push((polygon, 0));
        points = rest;
    }
    Ok(polygons)
}

/// Returns origin and rotation of a matrix without scale.
fn place_of(matrix: Mat3x4) -> Result<(Vec3, Quat)> {
    let scale = matrix.scale();
    if !matrix.is_finite() || !(scale - 1.0).abs().lt(&1e-2) {
        return Err(Failure::number("matrix", "finite numbers, and axes of length 1"));
    }
    Ok((matrix.origin(), matrix.rotation()))
}

/// Returns a box without extent, with no points, triangles or polygons.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_shape() -> SkelobjShape {
    SkelobjShape {
        kind: SkelobjShapeKind::Box as i32,
        size: [0.0; 3],
        points: In::NULL,
        triangles: In::NULL,
        corners: In::NULL,
        point_count: 0,
        triangle_count: 0,
        polygon_count: 0,
        is_clockwise: 0,
    }
}

/// Returns a def without shapes at the origin.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_level_body_def() -> SkelobjLevelBodyDef {
    SkelobjLevelBodyDef {
        cookie: SkelobjLevelBodyDef::COOKIE,
        is_moving: 0,
        shapes: In::NULL,
        shape_count: 0,
        matrix: Mat3x4::IDENTITY.0,
    }
}

/// Adds a floor: everything below `z` is solid. Returns the id of its body; none on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_add_floor(world: SkelobjWorld, z: f32) -> SkelobjLevelBody {
    guard::world_value(world, SkelobjLevelBody::NONE, |world| Ok(world.runtime.physics_mut().add_floor(z)?.into()))
}

/// Adds a level body and returns its id; none on failure. Limbs catch on the seams between bodies, so a level is
/// best one body with one mesh.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_add_level_body(world: SkelobjWorld, def: In<SkelobjLevelBodyDef>) -> SkelobjLevelBody {
    guard::world_value(world, SkelobjLevelBody::NONE, |world| {
        let def = def.def()?;
        let shapes = Shapes::new(def.shapes.slice(numbers::size(def.shape_count)?)?)?;
        let (origin, rotation) = place_of(Mat3x4(def.matrix))?;
        let physics = world.runtime.physics_mut();
        let body = match def.is_moving {
            0 => physics.add_level_body(&shapes.list(), origin, rotation)?,
            _ => physics.add_kinematic_body(&shapes.list(), origin, rotation)?,
        };
        Ok(body.into())
    })
}

/// Adds the box of an entity, which pushes ragdolls: a player or monster. Returns the id of its body; none on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_add_entity_box(
    world: SkelobjWorld,
    mins: InVector,
    maxs: InVector,
    origin: InVector,
) -> SkelobjLevelBody {
    guard::world_value(world, SkelobjLevelBody::NONE, |world| {
        let (mins, maxs, origin) = (mins.vector()?, maxs.vector()?, origin.vector()?);
        Ok(world.runtime.physics_mut().add_entity_box(mins, maxs, origin)?.into())
    })
}

/// Returns 1 if a level body has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_is_valid(world: SkelobjWorld, body: SkelobjLevelBody) -> i32 {
    guard::world_value(world, 0, |world| {
        Ok(flag(body.get().is_ok_and(|body| world.runtime.physics().rigid_body(body).is_some())))
    })
}

/// Writes the ids of all level bodies of a world, such as those of a restored snapshot, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_level_bodies(
    world: SkelobjWorld,
    bodies: Out<SkelobjLevelBody>,
    capacity: i32,
    count: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, count) = (bodies.buffer(numbers::size(capacity)?)?, count.wanted()?);
        let ids: Vec<SkelobjLevelBody> = world.runtime.physics().level_bodies().map(Into::into).collect();
        buffer.fill(&ids, count)
    })
}

/// Keeps a number for a level body, such as that of its entity. Snapshots keep it, too.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_set_user_data(
    world: SkelobjWorld,
    body: SkelobjLevelBody,
    user_data: u64,
) -> SkelobjStatus {
    guard::world(world, |world| Ok(world.runtime.physics_mut().set_level_body_user_data(body.get()?, user_data)?))
}

/// Returns the number that is kept for a level body; 0 if there is none, and on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_user_data(world: SkelobjWorld, body: SkelobjLevelBody) -> u64 {
    guard::world_value(world, 0, |world| {
        world.runtime.physics().level_body_user_data(body.get()?).ok_or_else(|| body.refused())
    })
}

/// Removes a level body.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_remove(world: SkelobjWorld, body: SkelobjLevelBody) -> SkelobjStatus {
    guard::world(world, |world| Ok(world.runtime.physics_mut().remove_level_body(body.get()?)?))
}

/// Moves a door or the box of an entity to a place during the next frame, and pushes what is in the way.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_set_target(
    world: SkelobjWorld,
    body: SkelobjLevelBody,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (origin, rotation) = place_of(matrix.matrix()?)?;
        Ok(world.runtime.physics_mut().set_level_body_target(body.get()?, origin, rotation)?)
    })
}

/// Puts a level body elsewhere at once, without pushing.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_teleport(
    world: SkelobjWorld,
    body: SkelobjLevelBody,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (origin, rotation) = place_of(matrix.matrix()?)?;
        Ok(world.runtime.physics_mut().teleport_level_body(body.get()?, origin, rotation)?)
    })
}

/// Makes a level body solid (1), or lets everything through (0).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_set_solid(
    world: SkelobjWorld,
    body: SkelobjLevelBody,
    solid: i32,
) -> SkelobjStatus {
    guard::world(world, |world| Ok(world.runtime.physics_mut().set_level_body_solid(body.get()?, solid != 0)?))
}

/// Replaces the shapes of a level body.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_set_shapes(
    world: SkelobjWorld,
    body: SkelobjLevelBody,
    shapes: In<SkelobjShape>,
    shape_count: i32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let shapes = Shapes::new(shapes.slice(numbers::size(shape_count)?)?)?;
        Ok(world.runtime.physics_mut().set_level_body_shapes(body.get()?, &shapes.list())?)
    })
}

/// Limits the force with which the box of an entity pushes.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_body_set_push_force(
    world: SkelobjWorld,
    body: SkelobjLevelBody,
    force: f32,
) -> SkelobjStatus {
    guard::world(world, |world| Ok(world.runtime.physics_mut().set_level_body_push_force(body.get()?, force)?))
}

/// Level from a BSP file: which of its bodies to add. Get one from skelobj_default_level_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjLevelDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// 1 to add what only players bump into. Default 0.
    pub clip: i32,
    /// 1 to add the sky. Default 1.
    pub sky: i32,
}

/// Returns the default options of a level.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_level_def() -> SkelobjLevelDef {
    let LevelOptions { clip, sky, .. } = LevelOptions::default();
    SkelobjLevelDef { cookie: SkelobjLevelDef::COOKIE, clip: flag(clip), sky: flag(sky) }
}

/// Reads a BSP file of Quake, Half-Life, Quake II or Quake III and returns the id of the level; none on failure.
/// `limits` may be null for the default ones.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_load(bytes: In<u8>, size: usize, limits: In<SkelobjLimits>) -> SkelobjLevel {
    guard::value(SkelobjLevel::NONE, || {
        let bytes = bytes.slice(size)?;
        let limits = if limits.is_null() { skelobj::Limits::default() } else { limits.read()?.into() };
        table::insert(Entry::Level(Level::from_bsp_with(&LoadOptions::default().with_limits(limits), bytes)?.into()))
    })
}

/// Returns 1 if a level has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_is_valid(level: SkelobjLevel) -> i32 {
    guard::value(0, || Ok(flag(table::has(level))))
}

/// Frees a level. Bodies and water that were added from it stay.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_free(level: SkelobjLevel) -> SkelobjStatus {
    guard::status(|| table::remove(level))
}

/// Summary of a level.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjLevelInfo {
    /// Number of brush models; the first is the world.
    pub model_count: i32,
    /// Number of entities in its text.
    pub entity_count: i32,
    /// Number of triangles of the world.
    pub triangle_count: i32,
    /// Number of liquids of the world.
    pub liquid_count: i32,
    /// Number of defects that were repaired.
    pub warning_count: i32,
    /// Number of surfaces.
    pub surface_count: i32,
}

/// Writes a summary of a level.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_info(level: SkelobjLevel, info: Out<SkelobjLevelInfo>) -> SkelobjStatus {
    guard::status(|| {
        let (place, level) = (info.place()?, table::level(level)?);
        let world = level.models.first();
        place.set(SkelobjLevelInfo {
            model_count: count(level.models.len()),
            entity_count: count(level.entities.len()),
            triangle_count: world.map_or(0, |world| count(world.mesh.triangles().len())),
            liquid_count: world.map_or(0, |world| count(world.liquids.len())),
            warning_count: count(level.warnings.len()),
            surface_count: count(level.surfaces.len()),
        });
        Ok(())
    })
}

/// Writes the origin of the first entity at which players start, and returns 1; 0 if the level has none. A
/// start of a single player comes before those of deathmatch, cooperative play and teams.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_player_start(level: SkelobjLevel, origin: OutVector) -> i32 {
    guard::value(0, || {
        let (place, level) = (origin.place()?, table::level(level)?);
        let Some(start) = level.player_start() else { return Ok(0) };
        place.set(start.to_array());
        Ok(1)
    })
}

/// Returns 1 if a point in world space is in a wall of a level, or in a solid brush entity at its origin in the map; 0
/// in the open, and where the map only has faces. skelobj_is_solid knows where doors have moved.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_is_solid(level: SkelobjLevel, point: InVector) -> i32 {
    guard::value(0, || {
        let (point, level) = (point.vector()?, table::level(level)?);
        Ok(flag(level.is_solid(point)))
    })
}

/// Returns 1 if a point in world space is solid: in a wall of a level that was added to a world, in a box, hull or
/// closed mesh of the host, or in a door or lift where it is now. Meshes with openings, floors and entity boxes do not
/// count.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_is_solid(world: SkelobjWorld, point: InVector) -> i32 {
    guard::world_value(world, 0, |world| {
        let point = point.vector()?;
        Ok(flag(world.runtime.physics().is_solid(point)))
    })
}

/// Writes the value of a key of an entity (from 0) in a level's text, and its length (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_entity_value(
    level: SkelobjLevel,
    entity: i32,
    key: In<c_char>,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length, level) = (buffer.buffer(capacity)?, length.wanted()?, table::level(level)?);
        let found = level.entities.get(numbers::index(entity, "entity")?);
        let found = found.ok_or_else(|| Failure::not_found(format_args!("entity {entity}")))?;
        let key = key.text()?;
        let value = found.get(key).ok_or_else(|| Failure::not_found(format_args!("key \"{key}\"")))?;
        buffer.fill_text(value.as_bytes(), length)
    })
}

/// Level body of an entity.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjEntityBody {
    /// Index of the entity in the level's text.
    pub entity: i32,
    /// Number of the brush model that it shows: 6 for "*6".
    pub model: i32,
    /// Body of that entity.
    pub body: SkelobjLevelBody,
}

/// Adds the world of a level, and a body for each solid brush entity, such as a door or a lift. Writes the body of the
/// world (none if it has none), the bodies of entities, and their number; all of these may be null. With a list and too
/// little room, or a number alone, nothing is added.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_add_level(
    world: SkelobjWorld,
    level: SkelobjLevel,
    def: In<SkelobjLevelDef>,
    world_body: Out<SkelobjLevelBody>,
    entities: Out<SkelobjEntityBody>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (body, number, level) = (world_body.wanted()?, number.wanted()?, table::level(level)?);
        let buffer = entities.buffer(numbers::size(capacity)?)?;
        let def = def.def_or(skelobj_default_level_def)?;
        let options = LevelOptions::default().with_clip(def.clip != 0).with_sky(def.sky != 0);
        let most = level.brush_entities.iter().filter(|entity| entity.solid).count();
        if !buffer.lets_act(most, number.as_ref()) {
            let needed = Physics::default().add_level(&level, options)?.entities.len();
            if !buffer.lets_act(needed, number.as_ref()) {
                return buffer.fill_with(&[], needed, number);
            }
        }
        let bodies = world.runtime.physics_mut().add_level(&level, options)?;
        if let Some(body) = body {
            body.set(bodies.world.into());
        }
        let entities = bodies.entities.iter().map(|(brush, body)| {
            let brush = level.brush_entities.get(*brush);
            let [entity, model] =
                [brush.map(|brush| brush.entity), brush.map(|brush| brush.model)].map(numbers::number);
            SkelobjEntityBody { entity, model, body: (*body).into() }
        });
        buffer.fill(&entities.collect::<Vec<_>>(), number)
    })
}

/// Kind of a liquid.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjLiquidKind {
    /// Water.
    Water = 0,
    /// Slime.
    Slime = 1,
    /// Lava.
    Lava = 2,
}

/// Body of water to be added. Get one from skelobj_default_water_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjWaterDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Number of planes; 0 (default) for a box.
    pub plane_count: i32,
    /// Planes around the water: normal and distance each; the normals point outwards.
    pub planes: In<[f32; 4]>,
    /// Lowest corner of a box.
    pub mins: [f32; 3],
    /// Highest corner of a box.
    pub maxs: [f32; 3],
    /// Density relative to water. Default 1.
    pub density: f32,
    /// Drag.
    pub drag: f32,
    /// Current, units per second.
    pub current: [f32; 3],
}

/// Returns a def of a liquid, SKELOBJ_LIQUID_KIND_..., without extent. Any other kind is a failure: the def is all
/// zeros, which every call refuses.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_water_def(kind: i32) -> SkelobjWaterDef {
    guard::value(SkelobjWaterDef::REFUSED, || {
        let liquid = match kind {
            0 => LiquidKind::Water.liquid(),
            1 => LiquidKind::Slime.liquid(),
            2 => LiquidKind::Lava.liquid(),
            _ => return Err(Failure::number("kind", "SKELOBJ_LIQUID_KIND_...")),
        };
        Ok(SkelobjWaterDef {
            cookie: SkelobjWaterDef::COOKIE,
            density: liquid.density,
            drag: liquid.drag,
            current: liquid.current.to_array(),
            ..SkelobjWaterDef::REFUSED
        })
    })
}

impl SkelobjWaterDef {
    /// Def without a genuine cookie.
    const REFUSED: Self = Self {
        cookie: 0,
        plane_count: 0,
        planes: In::NULL,
        mins: [0.0; 3],
        maxs: [0.0; 3],
        density: 0.0,
        drag: 0.0,
        current: [0.0; 3],
    };

    fn liquid(&self) -> Liquid {
        Liquid::WATER.with_density(self.density).with_drag(self.drag).with_current(vector(self.current))
    }
}

/// Adds a body of water and returns its id; none on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_add_water(world: SkelobjWorld, def: In<SkelobjWaterDef>) -> SkelobjWater {
    guard::world_value(world, SkelobjWater::NONE, |world| {
        let def = def.def()?;
        let volume = match numbers::size(def.plane_count)? {
            0 => LiquidVolume::new_box(vector(def.mins), vector(def.maxs))?,
            planes => {
                let planes =
                    def.planes.slice(planes)?.iter().map(|[x, y, z, distance]| (Vec3::new(*x, *y, *z), *distance));
                LiquidVolume::behind(&planes.collect::<Vec<_>>())?
            }
        };
        Ok(world.runtime.physics_mut().add_water(volume, def.liquid())?.into())
    })
}

/// Adds the water of a level. Writes the ids and their number; both may be null. With a list and too little room, or a
/// number alone, nothing is added.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_add_level_water(
    world: SkelobjWorld,
    level: SkelobjLevel,
    waters: Out<SkelobjWater>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (number, level) = (number.wanted()?, table::level(level)?);
        let buffer = waters.buffer(numbers::size(capacity)?)?;
        if !buffer.lets_act(usize::MAX, number.as_ref()) {
            let needed = Physics::default().add_level_water(&level)?.len();
            if !buffer.lets_act(needed, number.as_ref()) {
                return buffer.fill_with(&[], needed, number);
            }
        }
        let waters = world.runtime.physics_mut().add_level_water(&level)?;
        buffer.fill(&waters.iter().map(|water| water.id.into()).collect::<Vec<_>>(), number)
    })
}

/// Returns 1 if a body of water has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_water_is_valid(world: SkelobjWorld, water: SkelobjWater) -> i32 {
    guard::world_value(world, 0, |world| {
        Ok(flag(water.get().is_ok_and(|water| world.runtime.physics().water(water).is_some())))
    })
}

/// Writes the ids of all bodies of water of a world, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_waters(
    world: SkelobjWorld,
    waters: Out<SkelobjWater>,
    capacity: i32,
    count: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, count) = (waters.buffer(numbers::size(capacity)?)?, count.wanted()?);
        let ids: Vec<SkelobjWater> = world.runtime.physics().waters().map(|(id, _)| id.into()).collect();
        buffer.fill(&ids, count)
    })
}

/// Keeps a number for a body of water, such as that of its entity. Snapshots keep it, too.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_water_set_user_data(
    world: SkelobjWorld,
    water: SkelobjWater,
    user_data: u64,
) -> SkelobjStatus {
    guard::world(world, |world| Ok(world.runtime.physics_mut().set_water_user_data(water.get()?, user_data)?))
}

/// Returns the number that is kept for a body of water; 0 if there is none, and on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_water_user_data(world: SkelobjWorld, water: SkelobjWater) -> u64 {
    guard::world_value(world, 0, |world| {
        let found = world.runtime.physics().water(water.get()?);
        Ok(found.ok_or_else(|| water.refused())?.user_data())
    })
}

/// Removes a body of water.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_water_remove(world: SkelobjWorld, water: SkelobjWater) -> SkelobjStatus {
    guard::world(world, |world| match world.runtime.physics_mut().remove_water(water.get()?) {
        Some(_) => Ok(()),
        None => Err(water.refused()),
    })
}

/// Moves a body of water: `origin` is relative to where it was added.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_water_move(world: SkelobjWorld, water: SkelobjWater, origin: InVector) -> SkelobjStatus {
    guard::world(world, |world| {
        let origin = origin.vector()?;
        Ok(world.runtime.physics_mut().move_water(water.get()?, origin)?)
    })
}

/// Changes density, drag and current of a body of water to those of a def.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_water_set_liquid(
    world: SkelobjWorld,
    water: SkelobjWater,
    def: In<SkelobjWaterDef>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let liquid = def.def()?.liquid();
        Ok(world.runtime.physics_mut().set_water_liquid(water.get()?, liquid)?)
    })
}

/// Returns the body of water that contains a point in world space; none where there is no water.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_water_at(world: SkelobjWorld, point: InVector) -> SkelobjWater {
    guard::world_value(world, SkelobjWater::NONE, |world| {
        let point = point.vector()?;
        let found = world.runtime.physics().waters().find(|(_, water)| water.contains(point));
        Ok(found.map(|(id, _)| id).into())
    })
}
