//! Impacts of ragdolls, for sounds, blood and damage.

use super::{BodyOwner, ObjectId, Runtime};
use crate::OutOfRange;
use crate::math::Vec3;
use crate::physics::rapier3d::prelude::ColliderHandle;

/// Impact of a ragdoll's body on the level, on another ragdoll or on a collider of the host.
///
/// [`Runtime::impacts`] returns the impacts of the last frame.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::ragdoll::Command;
/// use skelobj::runtime::BodyOwner;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.set_impact_threshold(Some(200.0))?; // mass * units/s
/// let entity = Mat3x4::from_translation(Vec3::Z * 40.0);
/// runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None)?; // limp, 40 units above the floor
/// while runtime.impacts().next().is_none() {
///     runtime.step(1.0 / 60.0)?;
/// }
/// let impact = runtime.impacts().next().expect("a foot on the floor");
/// assert!(impact.object == object && matches!(impact.other, Some(BodyOwner::Level(_))));
/// assert!(impact.normal.z > 0.9 && impact.point.z.abs() < 5.0);
/// assert!(impact.speed > 200.0 && impact.impulse >= 200.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Impact {
    /// Object whose ragdoll hit something. Of two ragdolls that collide, the one that moves faster towards the other.
    pub object: ObjectId,
    /// Body of the doll, 0-based.
    pub body: usize,
    /// Bone of the body, 0-based.
    pub bone: usize,
    /// Middle of the contact, world space, Quake units.
    pub point: Vec3,
    /// Unit normal, world space, away from what was hit.
    pub normal: Vec3,
    /// Impulse of the contact in the step of the impact, mass * units/s.
    pub impulse: f32,
    /// Speed of approach along the normal before the step, units/s.
    pub speed: f32,
    /// Owner of what was hit: a level body, or a body of another ragdoll. `None` for a collider of the host.
    pub other: Option<BodyOwner>,
    /// Collider that was hit.
    pub other_collider: ColliderHandle,
}

impl Runtime {
    /// Maximum number of impacts of one frame. If a frame has more, the weakest are dropped.
    pub const MAX_IMPACTS: usize = crate::physics::MAX_IMPACTS;

    /// Records impacts of at least this impulse, mass * units/s, from now on; with `None`, the default, none.
    ///
    /// Without a threshold, impacts cost nothing. A threshold depends on the masses of the dolls: a limb of mass 2 that
    /// stops from 300 units/s has an impulse of 600. Snapshots keep it.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// runtime.set_impact_threshold(Some(400.0))?;
    /// let error = runtime.set_impact_threshold(Some(f32::NAN)).unwrap_err();
    /// assert_eq!(error.to_string(), "threshold is NaN, expected a number from 0 to 1e9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] if the impulse is negative, above 1e9 or not finite. The threshold is then unchanged.
    pub fn set_impact_threshold(&mut self, threshold: Option<f32>) -> Result<(), OutOfRange> {
        self.physics.set_impact_threshold(threshold)
    }

    /// Returns the impacts of the last [`step`](Self::step), in the order in which they happened.
    ///
    /// Bodies of ragdolls that move freely report an impact when they meet something at 40 units/s or more and the
    /// impulse reaches the [threshold](Self::set_impact_threshold). A hit is reported once, in its first step: the same
    /// two bodies report nothing for a tenth of a second afterwards. Bodies at rest and bodies that slide report
    /// nothing, nor do bodies of one ragdoll that touch each other and bodies that an entity box pushes. At most
    /// [`MAX_IMPACTS`](Self::MAX_IMPACTS) are kept. Impacts of objects that were deleted since are left out.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.set_impact_threshold(Some(400.0))?;
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None)?; // it dies
    /// let mut thuds = Vec::new();
    /// for _frame in 0..180 {
    ///     runtime.step(1.0 / 60.0)?;
    ///     thuds.extend(runtime.impacts().map(|impact| (impact.bone, impact.impulse)));
    /// }
    /// assert!((2..30).contains(&thuds.len()), "{thuds:?}"); // knees, hips, hands, head
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn impacts(&self) -> impl Iterator<Item = Impact> {
        self.physics.impacts().iter().filter_map(|found| {
            let Some(BodyOwner::Ragdoll { object, body, bone }) = self.owner_of(found.user_data) else { return None };
            Some(Impact {
                object,
                body,
                bone,
                point: found.point,
                normal: found.normal,
                impulse: found.impulse,
                speed: found.speed,
                other: self.owner_of(found.other_data),
                other_collider: found.other,
            })
        })
    }
}
