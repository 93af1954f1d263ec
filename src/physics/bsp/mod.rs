//! Levels from BSP files of Quake, Half-Life, Quake 2 and Quake 3: their solid geometry.
//!
//! Only the lumps that collision needs are read: the general reader `qbsp` trusts the indexes in them and does not support
//! Quake 3.

mod brush;
mod brush_list;
mod entities;
mod error;
mod faces;
mod lump;
mod patch;
mod quake;
mod quake2;
mod quake3;
mod tree;

pub use error::{BspError, BspFixup, BspProblem, BspWarning};

use glam::Vec3;

use super::mesh::{MAX_COORDINATE, MeshBuilder};
use super::{Level, LevelError};
use lump::Record;

/// Limit of entities' coordinates: those that physics accepts.
const MAX_ENTITY_COORDINATE: Vec3 = Vec3::splat(MAX_COORDINATE);

impl Level {
    /// Reads the solid geometry of a BSP file: Quake (29, BSP2, 2PSB), Half-Life (30), Quake 2 (IBSP 38), Quake 3, RTCW and
    /// Quake Live (IBSP 46 and 47), QFusion and Raven (FBSP and RBSP 1).
    ///
    /// Meshes consist of the drawn faces with something solid behind them (limbs catch on the seams between brushes, and a
    /// player's clip hulls are swollen), curves are cut to within 4 units, and edges that end inside others are split.
    /// Models are in their own space; entities have their places in the world.
    ///
    /// # Errors
    /// [`BspError`]: the file has none of these formats, or its tables contradict each other.
    pub fn from_bsp(bytes: &[u8]) -> Result<Self, BspError> {
        let (magic, version) = (bytes.get(..4).unwrap_or_default(), Record(bytes).i32(4));
        match magic {
            b"BSP2" => quake::level(bytes, quake::Variant::Bsp2),
            b"2PSB" => quake::level(bytes, quake::Variant::Rmq),
            b"IBSP" => match version {
                38 => quake2::level(bytes),
                46 | 47 => quake3::level(bytes, quake3::Variant::QUAKE3),
                found => Err(unsupported(found)),
            },
            b"FBSP" | b"RBSP" => match version {
                1 => quake3::level(bytes, quake3::Variant::RAVEN),
                found => Err(unsupported(found)),
            },
            [_, 0, 0, 0] => match Record(bytes).i32(0) {
                29 => quake::level(bytes, quake::Variant::Quake),
                30 => quake::level(bytes, quake::Variant::HalfLife),
                found => Err(unsupported(found)),
            },
            _ => Err(BspError::new("header", 0, 0, BspProblem::UnknownFormat)),
        }
    }
}

fn unsupported(found: i32) -> BspError {
    BspError::new("header", 0, 0, BspProblem::UnsupportedVersion { found })
}

/// Adds a polygon with checked corners.
fn add(mesh: &mut MeshBuilder, corners: &[Vec3], surface: usize) -> Result<(), BspError> {
    let not_finite = |_: LevelError| BspError::new("faces", 0, 0, BspProblem::NotFinite { field: "vertex" });
    mesh.polygon(corners, u32::try_from(surface).unwrap_or(u32::MAX)).map_err(not_finite)
}
