//! Tests of the module `pose`.

mod aim;
mod bone_list;
mod chain;
mod feet;
mod layers;
mod palettes;
mod reach;
mod root_motion;
mod spring;
