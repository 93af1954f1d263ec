//! Modes in which bodies follow the animation, by their strength.

use rapier3d::prelude::RigidBodyType;

use super::RagBody;

/// Mode in which a body of a given strength follows the animation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Drive {
    /// Physics alone.
    Limp,
    /// Physics with a pull toward the animation: the share of the distance covered in a sixtieth of a second.
    Pulled(f32),
    /// Pose that the animation gives, regardless of obstacles.
    Exact,
}

impl RagBody {
    pub(super) fn drive(&self) -> Drive {
        debug_assert!(self.strength >= 0.0, "strengths are not negative");
        match self.strength * self.flinch_factor() {
            strength if strength >= 1.0 => Drive::Exact,
            strength if strength > 0.0 => Drive::Pulled(strength),
            _ => Drive::Limp,
        }
    }

    /// Returns `true` if the body is shown exactly where the animation has it.
    pub(super) fn is_exact(&self) -> bool {
        self.drive() == Drive::Exact && self.approach.is_none()
    }

    /// Returns `true` if the pose in which the body is shown depends on the animation alone, not on a joint.
    pub(super) fn is_placed(&self) -> bool {
        self.drive() == Drive::Exact && self.approach.is_none_or(|approach| approach.has_started())
    }

    /// Returns `true` if the body follows the animation, or will do so once its strength has changed.
    pub(super) fn is_animated(&self) -> bool {
        self.strength > 0.0 || self.final_strength() > 0.0
    }

    /// Returns the strength that the body has once it no longer changes.
    pub(super) fn final_strength(&self) -> f32 {
        self.ramp.map_or(self.strength, |ramp| ramp.to)
    }

    pub(super) fn body_type(&self) -> RigidBodyType {
        match self.drive() {
            Drive::Exact => RigidBodyType::KinematicPositionBased,
            Drive::Pulled(_) | Drive::Limp => RigidBodyType::Dynamic,
        }
    }
}

/// Returns the strength that a number stands for.
pub(super) fn strength_of(number: f32) -> f32 {
    if number.is_finite() { number.max(0.0) } else { 0.0 }
}
