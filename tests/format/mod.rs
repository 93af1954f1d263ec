//! Tests of the module `format`.

mod bundle;
mod cut_text;
mod detection;
mod foreign;
mod player;
mod proportions;
mod reach;
mod resampled;
mod scaled;
mod without_gltf;
