//! Tests of the module `pose`.

mod palettes;
mod skin;
