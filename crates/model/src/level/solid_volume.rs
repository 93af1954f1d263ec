//! Solid space of brush models.

use std::sync::Arc;

use glam::Vec3;

use super::{Level, LiquidVolume};

/// Space that a brush model fills, in its own space, as the tree of its BSP file divides it.
///
/// Meshes have faces and no inside; a file with a tree or brushes also tells what lies behind the faces.
/// [`Level::from_bsp`] reads it. Copies share their memory.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::{LiquidVolume, SolidVolume};
///
/// let pillar = LiquidVolume::new_box(Vec3::ZERO, Vec3::new(32.0, 32.0, 128.0))?;
/// let pillar = SolidVolume::from(pillar);
/// assert!(pillar.contains(Vec3::splat(16.0)) && !pillar.contains(Vec3::splat(64.0)));
/// # Ok::<(), skelobj::physics::WaterError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SolidVolume(Arc<LiquidVolume>);

impl From<LiquidVolume> for SolidVolume {
    fn from(volume: LiquidVolume) -> Self {
        Self(Arc::new(volume))
    }
}

impl SolidVolume {
    /// Returns `true` if nothing is solid, or if nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if a point of the model's own space is solid; a non-finite point never is.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{LiquidVolume, SolidVolume};
    ///
    /// let ground = SolidVolume::from(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?);
    /// assert!(ground.contains(Vec3::NEG_Z) && !ground.contains(Vec3::Z) && !ground.contains(Vec3::NAN));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        point.is_finite() && self.0.contains(point)
    }

    /// Returns the planes that divide the space.
    pub(crate) fn tree(&self) -> &LiquidVolume {
        &self.0
    }

    /// Returns the share of a line at which it first enters the volume.
    pub(crate) fn entry(&self, from: Vec3, to: Vec3) -> Option<f32> {
        let mut first = None;
        self.0.cut(from, to, |start, _| first = first.or(Some(start)));
        first
    }
}

impl Level {
    /// Returns `true` if a point in world space is in a wall, or in a solid brush entity at its origin in the map.
    ///
    /// In maps of Quake, Half-Life and Quake II everything outside of the rooms is solid, and so is the sky. In maps
    /// of Quake III only brushes are solid; curves have no inside. A level that a host has filled in is solid where
    /// [`BrushModel::solid`](super::BrushModel::solid) is. `Physics::is_solid` knows where doors have moved.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{BrushModel, Level, LiquidVolume};
    ///
    /// let mut level = Level::default();
    /// level.models.push(BrushModel::default());
    /// level.models[0].solid = LiquidVolume::behind(&[(Vec3::Z, 0.0)])?.into();
    /// assert!(level.is_solid(Vec3::Z * -8.0) && !level.is_solid(Vec3::Z * 8.0));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    #[must_use]
    pub fn is_solid(&self, point: Vec3) -> bool {
        let entities = self.brush_entities.iter().filter(|entity| entity.solid);
        let parts = entities.map(|entity| (entity.model, entity.origin)).chain([(0, Vec3::ZERO)]);
        let is_in = |(model, origin): (usize, Vec3)| {
            self.models.get(model).is_some_and(|model| model.solid.contains(point - origin))
        };
        { parts }.any(is_in)
    }
}
