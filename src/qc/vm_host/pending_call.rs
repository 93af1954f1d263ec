//! Calls of the script that wait for a builtin to return.

use crate::model::Name;
use crate::qc::vm;

/// Call that a builtin requested for the time after it has returned.
pub(super) enum PendingCall {
    /// Model event for a function of the script.
    Event { function: vm::FunctionId, time: f32, code: i32, data: Name },
    /// Entity that is added to the scene after a call of its `predraw`.
    Draw {
        /// Number of the entity.
        entity: u32,
        /// Bits of `drawmask` of which the entity needs one.
        mask: i32,
    },
}
