//! Levels from BSP files of Quake, Half-Life, Quake 2 and Quake 3: their solid geometry.
//!
//! Only the lumps that collision needs are read: the general reader `qbsp` trusts the indexes in them and does not
//! support Quake 3.

mod brush;
mod brush_list;
mod entities;
mod error;
mod faces;
mod ledger;
mod lump;
mod patch;
mod quake;
mod quake2;
mod quake3;
mod tree;

pub use error::{BspError, BspFixup, BspProblem, BspWarning};

use glam::Vec3;

use super::mesh::MeshBuilder;
use super::{BrushModel, Level, LevelError, LevelSurface};
use crate::limits::{LimitExceeded, Limits};
use crate::number::FARTHEST;
use ledger::Ledger;
use lump::{Lump, Record};

/// Limit of entities' coordinates: those that physics accepts.
const MAX_ENTITY_COORDINATE: Vec3 = Vec3::splat(FARTHEST);

impl Level {
    /// Reads the solid geometry of a BSP file: Quake (29, BSP2, 2PSB), Half-Life (30), Quake 2 (IBSP 38), Quake 3, RTCW
    /// and Quake Live (IBSP 46 and 47), QFusion and Raven (FBSP and RBSP 1).
    ///
    /// Meshes consist of the drawn faces with something solid behind them (limbs catch on the seams between brushes,
    /// and a player's clip hulls are swollen), curves are cut to within 4 units, and edges that end inside others are
    /// split. Models are in their own space; entities have their places in the world.
    ///
    /// # Errors
    /// [`BspError`]: the file has none of these formats, its tables contradict each other, or it needs more than
    /// [`Limits::default`] allow.
    pub fn from_bsp(bytes: &[u8]) -> Result<Self, BspError> {
        Self::from_bsp_within(&Limits::DEFAULT, bytes)
    }

    /// Reads a BSP file as [`from_bsp`](Self::from_bsp) does, within limits of memory, triangles and warnings.
    ///
    /// ```
    /// use skelobj::Limits;
    /// use skelobj::physics::Level;
    ///
    /// let mut limits = Limits::default();
    /// limits.memory = 64 << 20;
    /// assert!(Level::from_bsp_within(&limits, b"no level").is_err());
    /// ```
    ///
    /// # Errors
    /// [`BspError`]: the file has none of these formats, its tables contradict each other, or it exceeds a limit.
    pub fn from_bsp_within(limits: &Limits, bytes: &[u8]) -> Result<Self, BspError> {
        let mut ledger = Ledger::new(bytes, limits);
        let level = read(bytes, &mut ledger)?;
        Ok(Self { warnings: ledger.warnings, ..level })
    }
}

fn read(bytes: &[u8], ledger: &mut Ledger) -> Result<Level, BspError> {
    let (magic, version) = (bytes.get(..4).unwrap_or_default(), Record(bytes).i32(4));
    match magic {
        b"BSP2" => quake::level(bytes, quake::Variant::Bsp2, ledger),
        b"2PSB" => quake::level(bytes, quake::Variant::Rmq, ledger),
        b"IBSP" => match version {
            38 => quake2::level(bytes, ledger),
            46 | 47 => quake3::level(bytes, quake3::Variant::QUAKE3, ledger),
            found => Err(unsupported(found)),
        },
        b"FBSP" | b"RBSP" => match version {
            1 => quake3::level(bytes, quake3::Variant::RAVEN, ledger),
            found => Err(unsupported(found)),
        },
        [_, 0, 0, 0] => match Record(bytes).i32(0) {
            29 => quake::level(bytes, quake::Variant::Quake, ledger),
            30 => quake::level(bytes, quake::Variant::HalfLife, ledger),
            found => Err(unsupported(found)),
        },
        _ => Err(BspError::new("header", 0, 0, BspProblem::UnknownFormat)),
    }
}

fn unsupported(found: i32) -> BspError {
    BspError::new("header", 0, 0, BspProblem::UnsupportedVersion { found })
}

/// Adds a polygon of a record to a mesh.
fn add(
    mesh: &mut MeshBuilder,
    corners: &[Vec3],
    surface: usize,
    (lump, record): (&Lump<'_>, usize),
    ledger: &mut Ledger,
) -> Result<(), BspError> {
    let surface = u32::try_from(surface).unwrap_or(u32::MAX);
    mesh.polygon(corners, surface, &mut ledger.allowance).map_err(|error| lump.error(record, problem(error)))
}

/// Returns the model of a record from its finished meshes.
fn brush_model(
    mesh: MeshBuilder,
    sky: MeshBuilder,
    (models, number): (&Lump<'_>, usize),
    ledger: &mut Ledger,
) -> Result<BrushModel, BspError> {
    models.within(number, ledger.allowance.memory(3 * size_of::<BrushModel>() as u64))?;
    let mut finish = |mesh: MeshBuilder| models.within(number, mesh.finish(&mut ledger.allowance));
    Ok(BrushModel { mesh: finish(mesh)?, sky: finish(sky)?, ..BrushModel::default() })
}

/// Spends the memory of surfaces, whose names have at most `name` bytes.
fn spend_surfaces(count: usize, name: usize, ledger: &mut Ledger) -> Result<(), LimitExceeded> {
    ledger.allowance.memory((count * (2 * size_of::<LevelSurface>() + name)) as u64)
}

/// Returns the problem of a polygon that a mesh does not take.
fn problem(error: LevelError) -> BspProblem {
    match error {
        LevelError::LimitExceeded(exceeded) => BspProblem::LimitExceeded(exceeded),
        _ => BspProblem::NotFinite { field: "vertex" },
    }
}
