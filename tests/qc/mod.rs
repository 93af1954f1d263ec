//! Tests of the module `qc`.

mod budget;
#[cfg(feature = "qcvm")]
mod builtins;
mod charge;
#[cfg(all(feature = "qcvm", feature = "ragdoll"))]
mod conformance;
mod dialect;
#[cfg(all(feature = "qcvm", feature = "ragdoll"))]
mod everyday;
mod fte_quirks;
mod getup;
#[cfg(feature = "qcvm")]
mod header;
mod history;
mod hostile;
#[cfg(all(feature = "qcvm", feature = "ragdoll"))]
mod limp;
mod posing;
mod ragdoll;
mod replay;
#[cfg(all(feature = "qcvm", feature = "ragdoll"))]
mod steps;
mod walker;
