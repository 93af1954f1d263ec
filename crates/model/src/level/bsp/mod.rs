//! Solid geometry from BSP files of Quake, Half-Life, Quake 2 and Quake 3.
//!
//! Only the lumps that collision needs and the textures are read. The general reader `qbsp` does not check the indexes
//! in them and does not support Quake 3.

mod brush;
mod brush_list;
mod bsp_error;
mod bsp_tree;
mod bsp_volumes;
mod entity_lump;
mod faces;
mod liquid_brushes;
mod lump;
mod patch;
mod quake;
mod quake2;
mod quake3;
mod textures;

use bsp_error::BspProblem;
pub use bsp_error::{BspError, BspWarning};
pub use textures::{BspTexture, BspTextures};

use glam::Vec3;

use super::solid_mesh::MeshBuilder;
use super::{BrushModel, Level, LevelError, LevelSurface};
use crate::limits::LimitExceeded;
use crate::options::LoadOptions;
use crate::out_of_range::FARTHEST;
use bsp_error::Ledger;
use lump::{Lump, Record};

/// Maximum coordinate of entities, Quake units, as physics accepts it.
const MAX_ENTITY_COORDINATE: Vec3 = Vec3::splat(FARTHEST);

impl Level {
    /// Reads the solid geometry of a BSP file.
    ///
    /// Supported are Quake (29, BSP2, 2PSB), Half-Life (30), Quake 2 (IBSP 38), Quake 3, RTCW and Quake Live (IBSP 46
    /// and 47), QFusion and Raven (FBSP and RBSP 1).
    ///
    /// Meshes consist of the drawn faces with something solid behind them, because limbs catch on the seams between
    /// brushes and a player's clip hulls are swollen. Curves are approximated to within 4 units along their rows and
    /// their columns, and edges that end inside others are split. Models are in their own space; entities have their
    /// origins in world space.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::Level;
    ///
    /// let level = Level::from_bsp(&std::fs::read("../../tests/data/examples/start.bsp")?)?;
    /// let start = level.entities.iter().find(|entity| entity.get("classname") == Some(&"info_player_start".into()));
    /// assert_eq!(start.expect("a start").vector("origin"), Vec3::new(0.0, 64.0, 24.0));
    /// for warning in &level.warnings {
    ///     eprintln!("maps/start.bsp: {warning}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BspError`] if the file has none of these formats, if its tables contradict each other, or if it exceeds
    /// the default limits.
    pub fn from_bsp(bytes: &[u8]) -> Result<Self, BspError> {
        Self::from_bsp_with(&LoadOptions::DEFAULT, bytes)
    }

    /// Reads a BSP file like [`from_bsp`](Self::from_bsp), within the host's limits of memory, triangles and warnings.
    ///
    /// ```
    /// use skelobj::LoadOptions;
    /// use skelobj::physics::Level;
    ///
    /// let mut options = LoadOptions::default();
    /// options.limits.triangles = 1 << 20;
    /// let level = Level::from_bsp_with(&options, &std::fs::read("../../tests/data/examples/start.bsp")?)?;
    /// assert_eq!(level.models.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BspError`] if the file has none of these formats, if its tables contradict each other, or if it exceeds a
    /// limit.
    pub fn from_bsp_with(options: &LoadOptions, bytes: &[u8]) -> Result<Self, BspError> {
        let mut ledger = Ledger::new(bytes, &options.limits);
        let level = read(bytes, &mut ledger)?;
        Ok(Self { warnings: ledger.warnings, ..level })
    }
}

/// Format of a level file.
enum Format {
    Quake(quake::Variant),
    Quake2,
    Quake3(quake3::Variant),
}

impl Format {
    fn of(bytes: &[u8]) -> Result<Self, BspError> {
        let (magic, version) = (bytes.get(..4).unwrap_or_default(), Record(bytes).i32(4));
        match magic {
            b"BSP2" => Ok(Self::Quake(quake::Variant::Bsp2)),
            b"2PSB" => Ok(Self::Quake(quake::Variant::Rmq)),
            b"IBSP" => match version {
                38 => Ok(Self::Quake2),
                46 | 47 => Ok(Self::Quake3(quake3::Variant::QUAKE3)),
                found => Err(unsupported(found)),
            },
            b"FBSP" | b"RBSP" => match version {
                1 => Ok(Self::Quake3(quake3::Variant::RAVEN)),
                found => Err(unsupported(found)),
            },
            [_, 0, 0, 0] => match Record(bytes).i32(0) {
                29 => Ok(Self::Quake(quake::Variant::Quake)),
                30 => Ok(Self::Quake(quake::Variant::HalfLife)),
                found => Err(unsupported(found)),
            },
            _ => Err(BspError::new("header", 0, 0, BspProblem::UnknownFormat)),
        }
    }
}

fn read(bytes: &[u8], ledger: &mut Ledger) -> Result<Level, BspError> {
    match Format::of(bytes)? {
        Format::Quake(variant) => quake::level(bytes, variant, ledger),
        Format::Quake2 => quake2::level(bytes, ledger),
        Format::Quake3(variant) => quake3::level(bytes, variant, ledger),
    }
}

fn unsupported(found: i32) -> BspError {
    BspError::new("header", 0, 0, BspProblem::UnsupportedVersion { found })
}

/// Adds the polygon of a record to a mesh.
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

/// Returns the model of a record, built from its meshes.
fn brush_model(
    mesh: MeshBuilder,
    sky: MeshBuilder,
    (models, number): (&Lump<'_>, usize),
    ledger: &mut Ledger,
) -> Result<BrushModel, BspError> {
    models.within(number, ledger.allowance.memory(3 * size_of::<BrushModel>() as u64))?;
    let mut finish = |mesh: MeshBuilder| models.within(number, mesh.finish(&mut ledger.allowance));
    let corner = |at| models.get(number).map(|record| record.vec3(at)).filter(|corner| corner.is_finite());
    let [mins, maxs] = [corner(0), corner(12)].map(Option::unwrap_or_default);
    // Engines make the box a unit wider on each side.
    let (mins, maxs) = (mins - Vec3::ONE, maxs + Vec3::ONE);
    Ok(BrushModel { mins, maxs, mesh: finish(mesh)?, sky: finish(sky)?, ..BrushModel::default() })
}

/// Spends the memory of surfaces with names of at most `name` bytes.
fn spend_surfaces(count: usize, name: usize, ledger: &mut Ledger) -> Result<(), LimitExceeded> {
    ledger.allowance.memory((count * (2 * size_of::<LevelSurface>() + name)) as u64)
}

/// Returns the problem of a polygon that a mesh rejects.
fn problem(error: LevelError) -> BspProblem {
    match error {
        LevelError::LimitExceeded(exceeded) => BspProblem::LimitExceeded(exceeded),
        _ => BspProblem::NotFinite { field: "vertex" },
    }
}
