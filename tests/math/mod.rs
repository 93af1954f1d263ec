//! Tests of the module `math`.

mod conventions;
