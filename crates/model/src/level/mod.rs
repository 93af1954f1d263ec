//! Levels as plain data: brush models, entities, meshes for collisions, and volumes of liquid and of solid space.
//! The module `physics` of `skelobj` makes them solid and exports them.

mod allowance;
mod bsp;
mod level_liquid;
mod level_shape;
mod liquid;
pub(crate) mod liquid_volume;
mod solid_mesh;
mod solid_volume;

pub use bsp::{BspError, BspTexture, BspTextures, BspWarning};
pub use level_liquid::{LevelLiquid, LiquidKind};
pub use level_shape::{LevelError, LevelShape};
pub use liquid::{Liquid, WaterError};
pub use liquid_volume::LiquidVolume;
pub(crate) use liquid_volume::Part;
pub use solid_mesh::{SolidMesh, Winding};
pub use solid_volume::SolidVolume;

use glam::{Vec2, Vec3, Vec4};

use crate::model::Name;

/// Solid geometry of a map: brush models, the entities that use them, and the entity text. Plain data, without physics.
///
/// [`Level::from_bsp`] reads one from a file, `Physics::add_level` makes it solid,
/// `Physics::add_level_water` adds its water. A host that has maps of
/// another format fills in the fields itself.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::{BrushModel, Level, Physics, SolidMesh, Winding};
///
/// let corners = [Vec3::new(-64.0, -64.0, 0.0), Vec3::new(64.0, -64.0, 0.0), Vec3::new(0.0, 64.0, 0.0)];
/// let mut world = BrushModel::default();
/// world.mesh = SolidMesh::new(&corners, &[[0, 1, 2]], Winding::CounterClockwise)?;
/// let mut level = Level::default();
/// level.models.push(world);
/// let bodies = Physics::default().add_level(&level, Default::default())?;
/// assert!(bodies.world.is_some() && bodies.entities.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Level {
    /// Brush models; model 0 is the world.
    pub models: Vec<BrushModel>,
    /// Surfaces of the triangles of all models, indexed by [`SolidMesh::surfaces`].
    pub surfaces: Vec<LevelSurface>,
    /// Entities of the map, in the order of the file.
    pub entities: Vec<Entity>,
    /// Entities that show a brush model, in the order of the file.
    pub brush_entities: Vec<BrushEntity>,
    /// Problems of the file that did not prevent loading.
    pub warnings: Vec<BspWarning>,
}

/// Solid geometry of the world or of a brush entity, in the model's own space.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::{BrushModel, Level, LevelOptions, Physics};
///
/// let square = |z| [[-32.0, -32.0], [32.0, -32.0], [32.0, 32.0], [-32.0, 32.0]].map(|[x, y]| Vec3::new(x, y, z));
/// let mut world = BrushModel::default();
/// world.clip.push([square(0.0), square(64.0)].concat()); // a brush that only players collide with
/// let mut level = Level::default();
/// level.models.push(world);
/// let mut physics = Physics::default();
/// assert_eq!(physics.add_level(&level, LevelOptions::default())?.world, None);
/// assert!(physics.add_level(&level, LevelOptions::default().with_clip(true))?.world.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct BrushModel {
    /// Lower corner of the box around the model, Quake units: `mins` of an entity that shows it.
    pub mins: Vec3,
    /// Upper corner of the box around the model, Quake units: `maxs` of an entity that shows it.
    pub maxs: Vec3,
    /// Mesh that bodies rest on and collide with.
    pub mesh: SolidMesh,
    /// Mesh of the sky, which keeps bodies inside the level.
    pub sky: SolidMesh,
    /// Solid brushes that are invisible and have no triangles in the mesh, as corner points of convex hulls, Quake
    /// units.
    pub hulls: Vec<Vec<Vec3>>,
    /// Brushes that are solid for players only, as corner points of convex hulls, Quake units.
    pub clip: Vec<Vec<Vec3>>,
    /// Water, slime and lava: of the world, and of models that `func_water` entities show.
    pub liquids: Vec<LevelLiquid>,
    /// Solid space of the world, and of models that solid entities show, sky included: what lies behind the faces.
    /// Empty if nothing is known; then only faces stop bodies.
    pub solid: SolidVolume,
}

/// Surface of a part of the level: the texture or shader of its triangles.
///
/// Footsteps, impact sounds and decals depend on it. The index of the triangle comes from a
/// `Hit`, the index of the surface from [`SolidMesh::surfaces`].
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::{BrushModel, Level, LevelSurface, SolidMesh, Winding};
/// use skelobj::runtime::{Surface, Trace};
///
/// let corners = [Vec3::new(-64.0, -64.0, 0.0), Vec3::new(64.0, -64.0, 0.0), Vec3::new(0.0, 64.0, 0.0)];
/// let mut world = BrushModel::default();
/// world.mesh = SolidMesh::new(&corners, &[[0, 1, 2]], Winding::CounterClockwise)?;
/// let mut metal = LevelSurface::default();
/// metal.name = "metal4_4".into();
/// let mut level = Level::default();
/// (level.models, level.surfaces) = (vec![world], vec![metal]);
///
/// let mut runtime = skelobj::Runtime::default();
/// runtime.physics_mut().add_level(&level, Default::default())?;
/// let hit = runtime.trace(&Trace::line(Vec3::Z * 8.0, Vec3::Z * -8.0))?.expect("the floor");
/// let Surface::Level { triangle: Some(triangle), .. } = hit.surface else { panic!("not the level") };
/// let surface = level.models[0].mesh.surfaces()[triangle as usize];
/// assert_eq!(level.surfaces[surface as usize].name, *"metal4_4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct LevelSurface {
    /// Name of the texture or shader; empty where the file has none.
    pub name: Name,
    /// Surface flags as the file's format defines them; 0 where it has none.
    pub flags: u32,
    /// Contents bits as the file's format defines them; 0 where it has none.
    pub contents: u32,
    /// Texture in the file; `None` in Quake 2 and 3, whose textures are files of their own, and where a number of the
    /// projection is not finite.
    pub texture: Option<SurfaceTexture>,
}

/// Texture of a surface, and how it is projected onto the surface (BSP 29 and 30, lump 6).
///
/// ```
/// use skelobj::glam::{Vec2, Vec3, Vec4};
/// use skelobj::physics::SurfaceTexture;
///
/// // Twice as large along Y, and shifted by 16 texels along X.
/// let floor = SurfaceTexture { number: 0, s: Vec4::new(1.0, 0.0, 0.0, 16.0), t: Vec4::new(0.0, 0.5, 0.0, 0.0) };
/// assert_eq!(floor.texel(Vec3::new(32.0, 64.0, 8.0)), Vec2::new(48.0, 32.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurfaceTexture {
    /// Index of the texture in [`BspTextures`].
    pub number: u32,
    /// Axis along which a texture's columns follow each other, in the brush model's space, texels per unit; and the
    /// offset of the columns, texels.
    pub s: Vec4,
    /// Axis along which a texture's rows follow each other, from its top down, and the offset of the rows, like
    /// [`s`](Self::s).
    pub t: Vec4,
}

impl SurfaceTexture {
    /// Returns the column and row of a point, texels; the point is in the brush model's space.
    ///
    /// A texture repeats: a renderer divides by its width and height.
    ///
    /// ```
    /// use skelobj::physics::{BspTextures, Level};
    ///
    /// let file = std::fs::read("../../tests/data/examples/floor.bsp")?;
    /// let (level, textures) = (Level::from_bsp(&file)?, BspTextures::new(&file)?);
    /// let mesh = &level.models[0].mesh;
    /// let projection = level.surfaces[mesh.surfaces()[0] as usize].texture.expect("a texture in the file");
    /// let texture = textures.get(projection.number as usize).expect("pixels");
    /// let uv = mesh.triangles()[0].map(|corner| {
    ///     projection.texel(mesh.vertices()[corner as usize]) / texture.size().as_vec2()
    /// });
    /// assert!(uv.iter().all(|uv| uv.is_finite()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn texel(&self, point: Vec3) -> Vec2 {
        Vec2::new(self.s.dot(point.extend(1.0)), self.t.dot(point.extend(1.0)))
    }
}

/// Keys and values of an entity in the map.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::Entity;
///
/// let mut lamp = Entity::default();
/// lamp.pairs.push(("classname".into(), "light".into()));
/// lamp.pairs.push(("origin".into(), "64 -32 128".into()));
/// assert_eq!(lamp.get("classname"), Some(&"light".into()));
/// assert_eq!(lamp.vector("origin"), Vec3::new(64.0, -32.0, 128.0));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Entity {
    /// Keys and values in the order of the file, duplicates included.
    pub pairs: Vec<(Name, Name)>,
}

impl Entity {
    /// Returns the value of the first pair with this key; the comparison is case-sensitive.
    ///
    /// ```
    /// use skelobj::physics::Entity;
    ///
    /// let mut door = Entity::default();
    /// door.pairs.push(("targetname".into(), "vault".into()));
    /// door.pairs.push(("targetname".into(), "ignored".into()));
    /// assert_eq!(door.get("targetname"), Some(&"vault".into()));
    /// assert_eq!(door.get("speed"), None);
    /// ```
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Name> {
        self.pairs.iter().find(|(name, _)| *name == *key).map(|(_, value)| value)
    }

    /// Returns the three numbers of a key's value; numbers that are missing or non-finite are 0.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::Entity;
    ///
    /// let mut entity = Entity::default();
    /// entity.pairs.push(("origin".into(), "8 nan".into()));
    /// assert_eq!(entity.vector("origin"), Vec3::new(8.0, 0.0, 0.0));
    /// assert_eq!(entity.vector("angles"), Vec3::ZERO);
    /// ```
    #[must_use]
    pub fn vector(&self, key: &str) -> Vec3 {
        let text =
            self.get(key).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).unwrap_or_default();
        let mut words = text.split_whitespace().map(|word| word.parse().ok().filter(|v: &f32| v.is_finite()));
        Vec3::from_array([(); 3].map(|()| words.next().flatten().unwrap_or(0.0)))
    }
}

/// Entity that shows a brush model, such as a door, a lift or a trigger.
///
/// ```
/// use skelobj::math::{Quat, Vec3};
/// use skelobj::physics::{BrushEntity, BrushModel, Entity, Level, Physics};
///
/// let square = |z| [[-4.0, -48.0], [4.0, -48.0], [4.0, 48.0], [-4.0, 48.0]].map(|[x, y]| Vec3::new(x, y, z));
/// let mut door = BrushModel::default();
/// door.hulls.push([square(0.0), square(96.0)].concat());
/// let mut level = Level::default();
/// level.models = vec![BrushModel::default(), door];
/// level.entities.push(Entity::default());
/// let origin = Vec3::new(128.0, 0.0, 0.0);
/// level.brush_entities.push(BrushEntity { entity: 0, model: 1, origin, angles: Vec3::ZERO, solid: true });
///
/// let mut physics = Physics::default();
/// let bodies = physics.add_level(&level, Default::default())?;
/// let (number, body) = bodies.entities[0];
/// assert_eq!(level.brush_entities[number].model, 1);
/// physics.set_level_body_target(body, origin + Vec3::Y, Quat::IDENTITY)?; // the door opens
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct BrushEntity {
    /// Index into [`Level::entities`].
    pub entity: usize,
    /// Index into [`Level::models`].
    pub model: usize,
    /// Origin of the model's space, world space, Quake units.
    pub origin: Vec3,
    /// Value of the entity's `angles` key: pitch, yaw and roll in degrees. Doors use them as the direction in which
    /// they open; a brush entity is not turned by them until the game turns it.
    pub angles: Vec3,
    /// `true` if entities of this class are solid; triggers and ladders, for example, are not.
    pub solid: bool,
}

/// Classes of the entities at which players start, the most common first.
const STARTS: [&str; 5] = [
    "info_player_start",
    "info_player_deathmatch",
    "info_player_coop",
    "team_CTF_redplayer",
    "info_player_intermission",
];

impl Level {
    /// Returns the origin of the first entity at which players start, world space in Quake units.
    ///
    /// A start of a single player comes before those of deathmatch, cooperative play and teams, and all of these before
    /// the place from which an intermission is seen. `None` if the level has none of them. A player's origin is above
    /// its feet, by 24 units in most games.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{Entity, Level};
    ///
    /// let mut level = Level::default();
    /// for (class, origin) in [("info_player_deathmatch", "512 0 24"), ("info_player_start", "0 64 24")] {
    ///     let mut entity = Entity::default();
    ///     entity.pairs = vec![("classname".into(), class.into()), ("origin".into(), origin.into())];
    ///     level.entities.push(entity);
    /// }
    /// assert_eq!(level.player_start(), Some(Vec3::new(0.0, 64.0, 24.0)));
    /// ```
    #[must_use]
    pub fn player_start(&self) -> Option<Vec3> {
        let of_class = |class: &str| {
            let is_of = |name: &Name| *name == *class;
            self.entities.iter().find(|entity| entity.get("classname").is_some_and(is_of))
        };
        STARTS.into_iter().find_map(of_class).map(|entity| entity.vector("origin"))
    }
}
