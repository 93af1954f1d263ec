//! Models and dolls of our own, to try things on.

/// A skinned humanoid, 64 units tall, in Quake axes: idle, walk, run and death.
pub const MANNEQUIN_IQM: &[u8] = include_bytes!("../dolls/mannequin.iqm");
/// Its ragdoll, commented line by line.
pub const MANNEQUIN_DOLL: &[u8] = include_bytes!("../dolls/mannequin.doll");
