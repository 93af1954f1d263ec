//! Water, slime and lava of a level in the physics world.

use std::sync::Arc;

use glam::Vec3;
use skelobj_model::internal;
use skelobj_model::level::{Level, LevelLiquid, LiquidKind, WaterError};

use crate::id::WaterId;
use crate::physics::Physics;

/// Water that [`Physics::add_level_water`] added.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::{Level, Liquid, LiquidKind, Physics, WaterError};
///
/// /// Adds the water of a map, with lava that swallows everything.
/// fn add(physics: &mut Physics, level: &Level) -> Result<(), WaterError> {
///     for water in physics.add_level_water(level)? {
///         if water.kind == LiquidKind::Lava {
///             physics.set_water_liquid(water.id, Liquid::LAVA.with_density(0.5))?;
///         }
///     }
///     Ok(())
/// }
/// assert_eq!(add(&mut Physics::default(), &Level::default()), Ok(()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LevelWater {
    /// Id of the water.
    pub id: WaterId,
    /// Kind of liquid.
    pub kind: LiquidKind,
    /// Entity that the water belongs to, as an index into [`Level::brush_entities`]; `None` for the world.
    pub entity: Option<usize>,
}

impl Physics {
    /// Adds the water, slime and lava of a level: that of the world, and that of `func_water` entities at their
    /// origins.
    ///
    /// Each kind of liquid of a model, and each direction of its current, has its own id. When a `func_water` rises,
    /// pass its origin to [`move_water`](Self::move_water). [`add_level`](Self::add_level) makes the level solid and
    /// adds no water.
    ///
    /// ```
    /// use skelobj::physics::{Level, LevelOptions};
    ///
    /// let level = Level::from_bsp(&std::fs::read("tests/data/examples/start.bsp")?)?;
    /// let mut runtime = skelobj::Runtime::default();
    /// runtime.physics_mut().add_level(&level, LevelOptions::default())?;
    /// let waters = runtime.physics_mut().add_level_water(&level)?;
    /// println!("{} volumes of liquid", waters.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WaterError::TooManyWaters`]; [`WaterError::OutOfRange`] for a current or an origin that is NaN or too large,
    /// which a level from [`Level::from_bsp`] does not have. On error, nothing is added.
    pub fn add_level_water(&mut self, level: &Level) -> Result<Vec<LevelWater>, WaterError> {
        let world = [(None, 0, Vec3::ZERO)].into_iter();
        let entities =
            internal::water_entities(level).map(|(number, entity)| (Some(number), entity.model, entity.origin));
        let mut volumes = Vec::new();
        for (entity, model, origin) in world.chain(entities) {
            internal::check_place("origin", origin)?;
            for liquid in level.models.get(model).into_iter().flat_map(|model| &model.liquids) {
                internal::check_numbers("current", liquid.current.to_array(), 1.0, "numbers from -1 to 1")?;
                volumes.push((entity, origin, liquid));
            }
        }
        if volumes.len() > self.state.waters.room() {
            return Err(WaterError::TooManyWaters);
        }
        let mut added = Vec::with_capacity(volumes.len());
        for (entity, origin, LevelLiquid { kind, current, volume }) in volumes {
            let liquid = kind.liquid().with_current(*current * LevelLiquid::CURRENT_SPEED);
            let id = self.insert_water(Arc::new(volume.clone()), liquid, origin)?;
            added.push(LevelWater { id, kind: *kind, entity });
        }
        Ok(added)
    }
}
