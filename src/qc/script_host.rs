//! What the builtins of models and traces need of an engine that has none of its own.

use super::Entity;
use crate::math::Vec3;
use crate::runtime::{Hit, Runtime};

/// What a trace leaves in the `trace_*` globals.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ScriptTrace {
    /// `trace_fraction`: how far along it got, 0 to 1.
    pub fraction: f32,
    /// `trace_endpos`: where it ended, world space.
    pub end: Vec3,
    /// `trace_plane_normal`: the unit normal of what was hit, zero if nothing was.
    pub normal: Vec3,
    /// `trace_plane_dist`: how far that plane is from the world's origin along its normal, Quake units.
    pub distance: f32,
    /// `trace_startsolid`: whether it began inside something.
    pub start_solid: bool,
}

impl ScriptTrace {
    /// Nothing in the way to `end`.
    #[must_use]
    pub const fn clear(end: Vec3) -> Self {
        Self { fraction: 1.0, end, normal: Vec3::ZERO, distance: 0.0, start_solid: false }
    }
}

impl From<Hit> for ScriptTrace {
    fn from(hit: Hit) -> Self {
        Self {
            fraction: hit.fraction,
            end: hit.point,
            normal: hit.normal,
            distance: hit.normal.dot(hit.point),
            start_solid: hit.normal == Vec3::ZERO,
        }
    }
}

/// What the builtins of [`Family::Engine`](super::Family::Engine) need on top of [`Host`](super::Host).
///
/// Every engine has these builtins itself, so that only hosts that stand alone implement this and give it in
/// [`Host::script`](super::Host::script).
pub trait ScriptHost {
    /// Writes `model` and `modelindex`; the model is read if it is new, the empty name is none.
    fn set_model(&mut self, runtime: &mut Runtime, entity: Entity, name: &[u8]);
    /// The index of a model, read if it is new.
    fn precache_model(&mut self, runtime: &mut Runtime, name: &[u8]) -> usize;
    /// Writes the `trace_*` globals that the game has.
    fn set_trace(&mut self, trace: &ScriptTrace);
}
