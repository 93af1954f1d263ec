//! The builtins that every Quake engine has, for machines that stand alone.

pub(super) mod entities;
pub(super) mod extensions;
mod format;
pub(super) mod math;
mod number;
pub(super) mod print;
pub(super) mod strings;
pub(super) mod vectors;
