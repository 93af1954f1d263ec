//! The settings of a runtime.

use crate::limits::Limits;
use crate::math::{EntityTransform, Mat3x4};
use crate::number::OutOfRange;
#[cfg(feature = "ragdoll")]
use crate::physics::PhysicsSettings;

/// The settings of a [`Runtime`](crate::Runtime).
///
/// ```
/// let mut settings = skelobj::runtime::Settings::default();
/// settings.mesh_pitch = 1.0; // positive pitch tilts meshes down, as it tilts views
/// let runtime = skelobj::Runtime::new(settings)?;
/// assert_eq!(runtime.settings().mesh_pitch, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Settings {
    /// Factor of the pitch of mesh entities, the cvar `r_meshpitch`. Default -1: positive pitch tilts a mesh up.
    pub mesh_pitch: f32,
    /// Factor of the roll of mesh entities, the cvar `r_meshroll`. Default 1.
    pub mesh_roll: f32,
    /// Limits of model files that [`Runtime::load_model`](crate::Runtime::load_model) reads. Snapshots do not hold the
    /// limits: a restored runtime keeps its own.
    pub limits: Limits,
    /// Budget of bones: those of all skeletal objects, and 32 for each body of their ragdolls. Default 1,048,576, about
    /// 50 MB. Objects and ragdolls beyond it are refused; those that are there stay.
    pub max_bones: u32,
    /// Settings of the physics world.
    #[cfg(feature = "ragdoll")]
    pub physics: PhysicsSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mesh_pitch: -1.0,
            mesh_roll: 1.0,
            limits: Limits::default(),
            max_bones: 1 << 20,
            #[cfg(feature = "ragdoll")]
            physics: PhysicsSettings::default(),
        }
    }
}

impl Settings {
    /// Returns the matrix from model space to world space of an entity with Quake's angles, for
    /// [`Runtime::ragdoll_command`](crate::Runtime) and every other call that takes an entity.
    ///
    /// Engines that keep a quaternion or a matrix need no settings: [`Mat3x4::from_rotation_translation`] and
    /// `Mat3x4::from(affine)` make the same matrix.
    #[must_use]
    pub fn entity_matrix(&self, entity: &EntityTransform) -> Mat3x4 {
        entity.to_world(self.mesh_pitch, self.mesh_roll)
    }

    /// Returns these settings with the limits that the host has set in `host`.
    #[cfg(feature = "serde")]
    pub(super) fn with_limits_of(self, host: &Self) -> Self {
        Self { limits: host.limits, max_bones: host.max_bones, ..self }
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        for (name, value) in [("mesh_pitch", self.mesh_pitch), ("mesh_roll", self.mesh_roll)] {
            OutOfRange::check(value.is_finite(), name, value, "a finite number")?;
        }
        #[cfg(feature = "ragdoll")]
        self.physics.check()?;
        Ok(())
    }
}
