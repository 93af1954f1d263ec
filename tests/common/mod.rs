//! Helpers of several tests.
// Without some features, some tests and thus some helpers are missing.
#![allow(dead_code)]

mod bad_dolls;
#[cfg(feature = "qc")]
pub mod calls;
#[cfg(feature = "qcvm")]
pub mod charges;
#[cfg(feature = "qcvm")]
pub mod compiled;
pub mod corpus;
pub mod counting;
mod folders;
pub mod made_bsp;
pub mod random;
#[cfg(feature = "qc")]
pub mod replayer;
#[cfg(feature = "serde")]
pub mod scene;
pub mod small_bsp;
pub mod stage;
pub mod truth;
pub mod watched;

pub use bad_dolls::bad_dolls;
pub use folders::{files, is_thorough, shared, stride};

/// Triangles of a box between its [`corners`], counter-clockwise seen from outside.
pub const BOX_TRIANGLES: [[u32; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];

/// Returns the corners of a box of this size around the origin.
pub fn corners(size: skelobj::math::Vec3) -> [skelobj::math::Vec3; 8] {
    std::array::from_fn(|number| {
        let side = |bit: usize| if number & bit == 0 { -0.5 } else { 0.5 };
        size * skelobj::math::Vec3::new(side(1), side(2), side(4))
    })
}

/// Returns the FNV-1a hash of these bytes.
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
