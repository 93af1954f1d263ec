//! Water, slime and lava of a level.

use glam::Vec3;

use super::{BrushEntity, Level, Liquid, LiquidVolume};

/// Kind of a level's liquid.
///
/// ```
/// use skelobj::physics::{Liquid, LiquidKind};
///
/// assert_eq!(LiquidKind::Slime.liquid(), Liquid::SLIME);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LiquidKind {
    /// Water.
    Water,
    /// Slime.
    Slime,
    /// Lava.
    Lava,
}

impl LiquidKind {
    /// Returns the properties that this kind has until the host changes them.
    ///
    /// ```
    /// use skelobj::physics::LiquidKind;
    ///
    /// assert!(LiquidKind::Lava.liquid().density > LiquidKind::Water.liquid().density);
    /// ```
    #[must_use]
    pub const fn liquid(self) -> Liquid {
        match self {
            Self::Water => Liquid::WATER,
            Self::Slime => Liquid::SLIME,
            Self::Lava => Liquid::LAVA,
        }
    }
}

/// Liquid of a level's brush model, in the model's own space.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::{BrushModel, Level, LevelLiquid, LiquidKind, LiquidVolume, Physics};
///
/// let volume = LiquidVolume::new_box(Vec3::ZERO, Vec3::splat(64.0))?;
/// let mut level = Level::default();
/// level.models.push(BrushModel::default());
/// level.models[0].liquids.push(LevelLiquid { kind: LiquidKind::Water, current: Vec3::X, volume });
/// let mut physics = Physics::default();
/// let waters = physics.add_level_water(&level)?;
/// let river = physics.water(waters[0].id).expect("the river").liquid();
/// assert_eq!(river.current, Vec3::X * 150.0);
/// # Ok::<(), skelobj::physics::WaterError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct LevelLiquid {
    /// Kind of liquid.
    pub kind: LiquidKind,
    /// Direction of the current, of length 1; zero without a current.
    pub current: Vec3,
    /// Space that the liquid fills.
    pub volume: LiquidVolume,
}

impl LevelLiquid {
    /// Speed of a current, units/s: that with which Half-Life pushes a player under water.
    pub const CURRENT_SPEED: f32 = 150.0;
}

impl Level {
    /// Returns the entities that show a brush model of water, with their indexes.
    pub(crate) fn water_entities(&self) -> impl Iterator<Item = (usize, &BrushEntity)> {
        self.brush_entities.iter().enumerate().filter(|(_, entity)| {
            let class = self.entities.get(entity.entity).and_then(|entity| entity.get("classname"));
            class.is_some_and(|class| *class == *"func_water")
        })
    }
}
