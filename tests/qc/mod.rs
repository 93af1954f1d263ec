//! Tests of the module `qc`.

mod budget;
#[cfg(feature = "qcvm")]
mod builtins;
mod charge;
#[cfg(feature = "qcvm")]
mod conformance;
mod dialect;
#[cfg(feature = "qcvm")]
mod everyday;
mod fte_quirks;
mod getup;
#[cfg(feature = "qcvm")]
mod header;
mod history;
mod hostile;
#[cfg(feature = "qcvm")]
mod limp;
mod posing;
mod ragdoll;
mod replay;
#[cfg(feature = "qcvm")]
mod steps;
mod walker;
