//! Tests of the command. They are one program, because every program links rapier anew.

mod check;
mod command;
mod convert;
mod draw;
mod draw_level;
mod draw_models;
mod drawing;
mod files;
mod fit;
mod fmt;
mod golden_pictures;
mod hints;
mod hostile;
mod info;
mod info_truth;
mod mutated;
mod output;
#[path = "../../tests/common/random.rs"]
mod random;
mod recording;
mod script;
mod sim;
#[path = "../../tests/common/small_bsp.rs"]
#[allow(dead_code, reason = "tests of the library use the rest of it")]
mod small_bsp;
mod view;
#[cfg(windows)]
mod windows;
