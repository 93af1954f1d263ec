//! Tests of the module `format`.

mod cut_text;
mod detection;
mod foreign;
mod player;
mod reach;
mod scaled;
mod without_gltf;
