//! Tests of the module `pose`.

mod aim;
mod chain;
mod layers;
mod palettes;
mod reach;
mod root_motion;
mod spring;
