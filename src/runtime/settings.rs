//! Settings of a runtime.

use skelobj_model::internal;

use crate::LoadOptions;
use crate::OutOfRange;
use crate::math::{EntityTransform, Mat3x4};
use crate::physics::PhysicsSettings;

/// Settings of a [`Runtime`](crate::Runtime).
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
    /// Factor of the pitch of entities with meshes, the cvar `r_meshpitch`. Default -1: positive pitch tilts a mesh up.
    pub mesh_pitch: f32,
    /// Factor of the roll of entities with meshes, the cvar `r_meshroll`. Default 1.
    pub mesh_roll: f32,
    /// Options of [`Runtime::load_model`](crate::Runtime::load_model): limits of files, and the engine whose rules
    /// apply. Snapshots do not contain them: a restored runtime keeps its own.
    pub load: LoadOptions,
    /// Budget of bones: those of all skeletal objects, and 32 for each body of their ragdolls. Default 2,097,152:
    /// about 100 MB of poses, or 3,934 ragdolls of the mannequin, which take 800 MB while they are awake. Objects and
    /// ragdolls beyond it are refused; existing ones are kept. Snapshots do not contain it.
    pub max_bones: u32,
    /// `true` (default) if bones without bodies, such as fingers, keep the local pose of the last build in frames in
    /// which the game does not build, as after a death; `false` if they return to the bind pose, the rule of
    /// `skel_ragupdate` (difference 32). Scripts in FTE's dialect always have that rule.
    pub keep_bones: bool,
    /// Settings of the physics world.
    pub physics: PhysicsSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mesh_pitch: -1.0,
            mesh_roll: 1.0,
            load: LoadOptions::default(),
            max_bones: 1 << 21,
            keep_bones: true,
            physics: PhysicsSettings::default(),
        }
    }
}

impl Settings {
    /// Returns the matrix from model space to world space of an entity with Quake's origin, angles (degrees) and scale.
    ///
    /// Every call that takes an entity takes such a matrix. From a quaternion, [`Mat3x4::from_rotation_translation`]
    /// creates it without settings; from glam's matrices, `Mat3x4::from`.
    ///
    /// ```
    /// use skelobj::math::{EntityTransform, Vec3};
    /// use skelobj::runtime::Settings;
    /// let settings = Settings::default();
    /// let fallen = EntityTransform::new(Vec3::new(0.0, 0.0, 24.0), Vec3::new(90.0, 0.0, 0.0)); // pitch 90
    /// let matrix = settings.entity_matrix(&fallen);
    /// assert!((matrix.forward() - Vec3::Z).length() < 1e-5); // positive pitch tilts a mesh up
    /// ```
    #[must_use]
    pub fn entity_matrix(&self, entity: &EntityTransform) -> Mat3x4 {
        entity.to_world(self.mesh_pitch, self.mesh_roll)
    }

    /// Returns these settings with the limits and the budget of `host`.
    #[cfg(feature = "serde")]
    pub(super) fn with_limits_of(self, host: &Self) -> Self {
        Self { load: host.load, max_bones: host.max_bones, ..self }
    }

    /// Checks every setting.
    ///
    /// ```
    /// let mut settings = skelobj::runtime::Settings::default();
    /// assert!(settings.check().is_ok());
    /// settings.mesh_roll = f32::INFINITY;
    /// assert_eq!(settings.check().unwrap_err().to_string(), "mesh_roll is inf, expected a finite number");
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        for (name, value) in [("mesh_pitch", self.mesh_pitch), ("mesh_roll", self.mesh_roll)] {
            internal::check_number(value.is_finite(), name, value, "a finite number")?;
        }
        self.physics.check()?;
        Ok(())
    }
}
