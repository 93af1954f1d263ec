//! QuakeC: the machine that runs it.

pub mod vm;
