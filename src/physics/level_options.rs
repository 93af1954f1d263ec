//! Options for the parts of a level that become solid, and the bodies that they become.

use crate::id::LevelBodyId;

/// Choice of the parts of a level that become solid.
///
/// ```
/// use skelobj::physics::LevelOptions;
///
/// let options = LevelOptions::default().with_clip(true); // walls that only players notice stop ragdolls, too
/// assert!(options.sky && options.clip);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LevelOptions {
    /// Makes the sky solid. Default `true`: a limb that leaves the level would fall forever.
    pub sky: bool,
    /// Makes brushes solid that only players collide with. Default `false`.
    pub clip: bool,
}

impl LevelOptions {
    /// Returns the options with the sky solid or passable; bodies can fall out of a level with a passable sky.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{BrushModel, Level, LevelOptions, Physics, SolidMesh, Winding};
    ///
    /// let corners = [Vec3::new(-64.0, -64.0, 512.0), Vec3::new(0.0, 64.0, 512.0), Vec3::new(64.0, -64.0, 512.0)];
    /// let mut level = Level::default();
    /// level.models.push(BrushModel::default());
    /// level.models[0].sky = SolidMesh::new(&corners, &[[0, 1, 2]], Winding::CounterClockwise)?;
    /// let mut physics = Physics::default();
    /// assert!(physics.add_level(&level, LevelOptions::default())?.world.is_some());
    /// assert!(physics.add_level(&level, LevelOptions::default().with_sky(false))?.world.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_sky(self, sky: bool) -> Self {
        Self { sky, ..self }
    }

    /// Returns the options with player clip brushes solid or passable.
    #[must_use]
    pub fn with_clip(self, clip: bool) -> Self {
        Self { clip, ..self }
    }
}

impl Default for LevelOptions {
    fn default() -> Self {
        Self { sky: true, clip: false }
    }
}

/// Level bodies that [`Physics::add_level`](super::Physics::add_level) added.
///
/// ```
/// use skelobj::physics::{Level, Physics};
///
/// let bodies = Physics::default().add_level(&Level::default(), Default::default())?;
/// assert_eq!((bodies.world, bodies.entities.len()), (None, 0)); // an empty level has nothing solid
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LevelBodies {
    /// Body of the world; `None` if nothing of the world is solid.
    pub world: Option<LevelBodyId>,
    /// Kinematic bodies of the solid brush entities, each with the entity's index into
    /// [`Level::brush_entities`](super::Level::brush_entities).
    pub entities: Vec<(usize, LevelBodyId)>,
}
