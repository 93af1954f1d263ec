//! Tests of the module `read`.

mod bad_models;
mod cases;
mod dpm;
mod framegroups;
mod gltf;
mod hlmdl;
mod hlmdl_values;
mod iqm;
mod iqm_values;
mod md3;
mod md5;
mod md5_list;
mod nel;
mod psk;
mod zym;
