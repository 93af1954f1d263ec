//! Tests of the module `pose`.

mod aim;
mod layers;
mod palettes;
mod reach;
mod skin;
