//! The interface of a host to the builtins of models and traces, for hosts that have none of their own.

use super::Entity;
use crate::math::Vec3;
use crate::runtime::{Hit, Runtime};

/// The values of the `trace_*` globals after a trace.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ScriptTrace {
    /// Fraction of the trace before the hit, 0 to 1 (`trace_fraction`).
    pub fraction: f32,
    /// End of the trace, world space (`trace_endpos`).
    pub end: Vec3,
    /// Unit normal of the surface that was hit, zero if nothing was (`trace_plane_normal`).
    pub normal: Vec3,
    /// Distance of the surface's plane from the world's origin along its normal, Quake units (`trace_plane_dist`).
    pub distance: f32,
    /// True if the trace began inside something solid (`trace_startsolid`).
    pub start_solid: bool,
}

impl ScriptTrace {
    /// Returns the result of a trace that reached `end` without a hit.
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

/// The interface of a host to the builtins of [`Family::Engine`](super::Family::Engine), on top of [`Host`](super::Host).
///
/// Engines have these builtins already; only hosts that stand alone implement this trait and return it from
/// [`Host::script`](super::Host::script).
pub trait ScriptHost {
    /// Writes `model` and `modelindex`; a new model is read from its file, and the empty name is no model.
    fn set_model(&mut self, runtime: &mut Runtime, entity: Entity, name: &[u8]);
    /// Returns the index of a model; a new model is read from its file.
    fn precache_model(&mut self, runtime: &mut Runtime, name: &[u8]) -> usize;
    /// Sets the `trace_*` globals that the game has.
    fn set_trace(&mut self, trace: &ScriptTrace);
}
