//! Tests of the machine and of its standard library, in one program.

mod qc_vm;
mod stdlib;
mod stores;
