//! Builtins, one file per family. They check arguments and call the runtime; they have no logic.

pub(super) mod animation;
mod bone_words;
pub(super) mod contents;
pub(super) mod edit;
pub(super) mod events;
pub(super) mod getup;
pub(super) mod history;
pub(super) mod impacts;
pub(super) mod memory;
pub(super) mod models;
pub(super) mod objects;
pub(super) mod posing;
pub(super) mod ragdoll;
pub(super) mod replication;
pub(super) mod scene;
pub(super) mod status;
pub(super) mod steps;
pub(super) mod surfaces;
pub(super) mod tags;
pub(super) mod trace;
