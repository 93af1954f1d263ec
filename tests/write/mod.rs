//! Tests of the module `write`.

mod glb;
mod iqm;
mod round_trip;
