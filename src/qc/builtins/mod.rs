//! The builtins, one file per family. None of them has logic of its own: they check arguments and ask the runtime.

pub(super) mod animation;
pub(super) mod edit;
pub(super) mod events;
pub(super) mod memory;
pub(super) mod models;
pub(super) mod objects;
pub(super) mod ragdoll;
pub(super) mod tags;
pub(super) mod trace;
