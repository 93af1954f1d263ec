//! Tests of the machine and of its standard library, in one program.

mod deadline;
mod observe;
mod profile;
mod qc_vm;
mod stdlib;
mod stores;
