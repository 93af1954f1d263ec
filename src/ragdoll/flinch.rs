//! Flinching: animated bodies give way to a hit and return to the animation.

use skelobj_model::internal;

use super::{RagBody, Ragdoll, drive_mode::Drive, tuning::FLINCH_FALLOFF};
use crate::OutOfRange;
use crate::physics::Physics;

/// Reaction of animated bodies to an impulse: how long, how strongly and how many joints away they feel it.
///
/// The default is a short flinch. Limp bodies are unaffected: they take the impulse only.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::ragdoll::{Command, Flinch};
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?; // the animation holds every body
/// let stagger = Flinch::default().with_seconds(1.5).with_strength(1.0).with_spread(6);
/// let (chest, impulse) = (Vec3::new(0.0, 0.0, 45.0), Vec3::X * -4000.0);
/// runtime.ragdoll_impulse(object, None, chest, impulse, stagger)?;
/// let mut farthest = 0.0f32;
/// for _frame in 0..30 {
///     runtime.step(1.0 / 60.0)?;
///     runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
///     farthest = farthest.min(runtime.object(object).unwrap().model_space(12).unwrap().origin().x);
/// }
/// assert!(farthest < -4.0, "{farthest}"); // the head is thrown back; a default hit moves it by less than a unit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Flinch {
    /// Time until the body that was hit follows the animation exactly again, seconds, 0 to 60. Default 0.5.
    pub seconds: f32,
    /// Share of its strength that the body loses at first, 0 to 1. Default 0.9. With 1 the body is limp for a moment.
    pub strength: f32,
    /// Maximum distance, in joints, of the neighbours that flinch, 0 to 256. Default 3. Each joint of distance reduces
    /// time and strength by a quarter, but a body waits for its carrier while both flinch.
    pub spread: usize,
}

impl Default for Flinch {
    fn default() -> Self {
        Self { seconds: 0.5, strength: 0.9, spread: 3 }
    }
}

impl Flinch {
    /// Returns the flinch with another time until the body is back, seconds.
    #[must_use]
    pub fn with_seconds(self, seconds: f32) -> Self {
        Self { seconds, ..self }
    }

    /// Returns the flinch with another share of strength that the body loses, 0 to 1.
    #[must_use]
    pub fn with_strength(self, strength: f32) -> Self {
        Self { strength, ..self }
    }

    /// Returns the flinch with another distance of the neighbours that flinch, in joints.
    #[must_use]
    pub fn with_spread(self, spread: usize) -> Self {
        Self { spread, ..self }
    }

    /// Checks that every number is in its range.
    ///
    /// ```
    /// use skelobj::ragdoll::Flinch;
    ///
    /// assert!(Flinch::default().check().is_ok());
    /// let error = Flinch::default().with_strength(2.0).check().unwrap_err();
    /// assert_eq!(error.to_string(), "strength is 2, expected a number from 0 to 1");
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] names the first number that is out of range or non-finite.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let Self { seconds, strength, spread } = *self;
        internal::check_number((0.0..=60.0).contains(&seconds), "seconds", seconds, "a number from 0 to 60")?;
        internal::check_number((0.0..=1.0).contains(&strength), "strength", strength, "a number from 0 to 1")?;
        let sensible = spread <= Ragdoll::MAX_BODIES;
        internal::check_number(sensible, "spread", spread as f64, "a number of joints from 0 to 256")
    }
}

/// Remaining flinch of one body.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct RemainingFlinch {
    /// Seconds until the body follows exactly.
    left: f32,
    /// Time and strength of the hit, for the body that it struck.
    seconds: f32,
    strength: f32,
}

impl RemainingFlinch {
    /// Returns the share of its strength that the body lacks now, 0 to 1.
    fn loss(&self) -> f32 {
        debug_assert!(self.left <= self.seconds, "time passes");
        debug_assert!((0.0..=1.0).contains(&self.strength), "the strength of a hit was checked");
        if self.left > 0.0 { (self.left / self.seconds).clamp(0.0, 1.0) * self.strength } else { 0.0 }
    }

    /// Returns `true` if a snapshot's numbers are those of a hit.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        let hit = Flinch { seconds: self.seconds, strength: self.strength, spread: 0 };
        hit.check().is_ok() && (0.0..=self.seconds).contains(&self.left)
    }
}

impl RagBody {
    /// Returns the share of its strength that a hit leaves to the body, 0 to 1.
    pub(super) fn flinch_factor(&self) -> f32 {
        1.0 - self.flinch.loss()
    }
}

impl Ragdoll {
    /// Loosens an animated body, and its neighbours less: between neighbours that stand still it could not give way.
    pub(super) fn flinch(&mut self, number: usize, hit: Flinch, physics: &mut Physics) {
        let mut left = vec![0.0; self.state.bodies.len()];
        left[number] = hit.seconds;
        let mut inner = hit.seconds;
        for _ring in 0..hit.spread.min(self.state.bodies.len()) {
            let outer = inner * FLINCH_FALLOFF;
            for joint in self.state.joints.iter().filter(|joint| joint.attachment.is_enabled()) {
                let Some(body2) = joint.body2 else { continue };
                for (from, to) in [(joint.body1, body2), (body2, joint.body1)] {
                    if left[from] == inner && left[to] == 0.0 {
                        left[to] = outer;
                    }
                }
            }
            inner = outer;
        }
        for (number, left) in left.into_iter().enumerate() {
            let flinch = RemainingFlinch { left, seconds: hit.seconds, strength: hit.strength };
            let body = &mut self.state.bodies[number];
            // Of two hits the body feels the one that leaves it less strength.
            if body.is_animated() && flinch.loss() > body.flinch.loss() {
                let before = body.drive();
                body.flinch = flinch;
                self.change_drive(number, before, physics);
            }
        }
        self.wait_for_carriers();
        self.plan_gap_fixes();
    }

    /// Lets bodies flinch for at least as long as those that carry them: beside one that follows exactly, a joint would
    /// open while its carrier is still pulled.
    fn wait_for_carriers(&mut self) {
        let unplaced = vec![false; self.state.bodies.len()];
        for link in self.joint_tree(unplaced, |_, joint| joint.attachment.is_enabled()) {
            let left = self.state.bodies[link.parent].flinch.left;
            let flinch = &mut self.state.bodies[link.child].flinch;
            if flinch.left > 0.0 && flinch.left < left {
                *flinch = RemainingFlinch { left, seconds: left, strength: flinch.loss() };
            }
        }
    }

    /// Returns a part of its strength to a body that was hit. Returns `true` if it may follow exactly again.
    pub(super) fn recover_from_hit(&mut self, number: usize, step: f32, physics: &mut Physics) -> bool {
        let body = &mut self.state.bodies[number];
        if body.flinch.left <= 0.0 {
            return false;
        }
        let before = body.drive();
        body.flinch.left = (body.flinch.left - step).max(0.0);
        let now = body.drive();
        // Between two pulls of different strength nothing has to change.
        let changes = now != before && (now == Drive::Exact || before == Drive::Limp);
        if changes {
            self.change_drive(number, before, physics);
        }
        changes
    }
}
