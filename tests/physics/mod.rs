//! Tests of the module `physics`.

mod hostile;
mod level;
mod level_bsp;
mod level_limits;
mod level_solid;
mod level_textures;
mod level_water;
mod plain_bsp;
mod settings;
mod sweeps;
mod traces;
