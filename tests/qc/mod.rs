//! Tests of the module `qc`.

mod budget;
mod builtins;
mod charge;
mod conformance;
mod dialect;
mod everyday;
mod fte_quirks;
mod getup;
mod header;
mod hostile;
mod ragdoll;
mod replay;
