//! Size of a ragdoll, which its limits follow.
//!
//! The size is a power of two, as limits at half and at twice the values in [`tuning`](super::tuning) do as well. So
//! dolls of the mannequin's kind have its very limits, and a doll that grows a hat keeps its own.

use rapier3d::prelude::Pose;

use super::tuning::{MANNEQUIN_HEIGHT, MAX_SIZE_EXPONENT};
use super::{Ragdoll, body_shape, reference_pose};
use crate::doll::{Body, Doll};
use crate::model::Model;
use crate::physics::Physics;

/// Returns the size of a doll relative to the mannequin, from its bodies in the reference pose at a scale; 1 without
/// finite bodies.
pub(super) fn of_bodies<'a>(bodies: impl Iterator<Item = (&'a Body, Pose)>, scale: f32) -> f32 {
    let bounds = bodies.map(|(body, at)| {
        let reach = body_shape::half_extents(body).max_element();
        (at.translation - reach, at.translation + reach)
    });
    let bounds = bounds.reduce(|(low, high), (mins, maxs)| (low.min(mins), high.max(maxs)));
    let longest = bounds.map_or(MANNEQUIN_HEIGHT, |(low, high)| (high - low).max_element() * scale);
    power_of_two(longest / MANNEQUIN_HEIGHT)
}

/// Returns the size of a doll on a model.
pub(super) fn of_doll(doll: &Doll, model: &Model) -> f32 {
    let reference = reference_pose(doll, model);
    let bodies = doll.bodies.iter().filter_map(|body| {
        let bone = model.skeleton.find(body.bone.as_bytes())?;
        Some((body, body_shape::Placement::new(body, bone, &model.skeleton, &reference).on(&reference[bone])))
    });
    of_bodies(bodies, 1.0)
}

/// Returns `true` if a size in a snapshot is possible.
#[cfg(feature = "serde")]
pub(super) fn is_sound(size: f32) -> bool {
    power_of_two(size) == size
}

/// Returns the power of two nearest to a ratio.
fn power_of_two(ratio: f32) -> f32 {
    if !(ratio.is_finite() && ratio > 0.0) {
        return 1.0;
    }
    // The exponent of the number: half a power more rounds to the nearest.
    let exponent = ((ratio * std::f32::consts::SQRT_2).to_bits() >> 23) as i32 - 127;
    2.0f32.powi(exponent.clamp(-MAX_SIZE_EXPONENT, MAX_SIZE_EXPONENT))
}

impl Ragdoll {
    /// Returns the speeds of the ragdoll relative to those of the mannequin: in a world of the mannequin's size, what
    /// is four times as high falls twice as fast.
    pub(super) fn speed_scale(&self, physics: &Physics) -> f32 {
        (self.state.size * physics.scale()).sqrt()
    }

    /// Returns the scale of distances that depend on the ragdoll and on the speeds that are usual in its world.
    pub(super) fn travel_scale(&self, physics: &Physics) -> f32 {
        self.state.size.max(physics.scale())
    }
}
