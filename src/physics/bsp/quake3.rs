//! Quake 3 levels: drawn surfaces of solid shaders, curves, and hulls for solid brushes that nobody sees.

use super::brush::Brushes;
use super::entities;
use super::error::{BspError, BspProblem};
use super::lump::{Allowance, File, Lump, Record};
use super::patch::Patch;
use super::tree::{Plane, planes};
use crate::model::Name;
use crate::physics::mesh::MeshBuilder;
use crate::physics::{BrushModel, Level, LevelSurface};

const SKY: u32 = 4;
const NODRAW: u32 = 0x80;
const NONSOLID: u32 = 0x4000;
const SOLID: u32 = 1;
const PLAYER_CLIP: u32 = 0x10000;

const PLANAR: i32 = 1;
const PATCH: i32 = 2;

/// Corners and points of curves that any file may have, whatever its size.
const FREE_POINTS: usize = 250_000;

/// The differences between members of the family, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Variant {
    side: usize,
    vertex: usize,
    surface: usize,
    /// Offset of a patch's size in a surface.
    patch_size: usize,
}

impl Variant {
    pub const QUAKE3: Self = Self { side: 8, vertex: 44, surface: 104, patch_size: 96 };
    pub const RAVEN: Self = Self { side: 12, vertex: 80, surface: 148, patch_size: 140 };
}

pub(super) fn level(bytes: &[u8], variant: Variant) -> Result<Level, BspError> {
    let file = File { bytes, directory: 8 };
    let mut level = Level::default();
    level.entities = entities::parse(file.lump(0, "entities", 1)?.bytes(), &mut level.warnings);
    let shaders = file.lump(1, "shaders", 72)?;
    level.surfaces = shaders
        .records()
        .map(|record| LevelSurface {
            name: Name::new(record.0.get(..64).unwrap_or_default()),
            flags: record.u32(64),
            contents: record.u32(68),
        })
        .collect();
    let planes: Vec<Plane> = planes(&file.lump(2, "planes", 16)?, &mut level.warnings)?;
    let [brushes, sides] = [file.lump(8, "brushes", 12)?, file.lump(9, "brush sides", variant.side)?];
    for (number, record) in brushes.records().enumerate() {
        brushes.index(number, "shader", record.i32(8).into(), shaders.len())?;
    }
    let textures = (shaders.len(), None);
    let mut brushes = Brushes::new(brushes, sides, &planes, textures, |side| [side.i32(0), side.i32(4)])?;
    let mut surfaces = Surfaces::new(&file, variant)?;

    let models = file.lump(7, "models", 40)?;
    if models.len() == 0 {
        return Err(models.error(0, BspProblem::Missing));
    }
    let mut allowed = Allowance::for_records(surfaces.surfaces.len() + brushes.brushes.len());
    for (number, record) in models.records().enumerate() {
        let run = |at: usize| (record.i32(at).into(), record.i32(at + 4).into());
        let seen = models.run(number, "end of surfaces", run(24), surfaces.surfaces.len())?;
        let solid = models.run(number, "end of brushes", run(32), brushes.brushes.len())?;
        allowed.spend(seen.len() + solid.len(), &models, number)?;
        let [mut mesh, mut sky] = [MeshBuilder::default(), MeshBuilder::default()];
        for surface in seen {
            surfaces.add(surface, &level.surfaces, &mut mesh, &mut sky)?;
        }
        let mut model = BrushModel { mesh: mesh.finish(), sky: sky.finish(), ..BrushModel::default() };
        for brush in solid {
            if let Some(into) = unseen(&brushes, brush, &level.surfaces, &mut model) {
                into.extend(brushes.corners(brush)?);
            }
        }
        level.models.push(model);
    }
    level.brush_entities = entities::brush_entities(&level.entities, level.models.len(), &mut level.warnings);
    Ok(level)
}

/// Returns the list for the hull of a brush: the solid hulls if no side of it is drawn, the clip brushes if it is solid for
/// players only, else none.
fn unseen<'m>(
    brushes: &Brushes<'_>,
    brush: usize,
    shaders: &[LevelSurface],
    model: &'m mut BrushModel,
) -> Option<&'m mut Vec<Vec<glam::Vec3>>> {
    let shader = |number: i32| usize::try_from(number).ok().and_then(|number| shaders.get(number));
    let contents = shader(brushes.brushes.get(brush)?.i32(8))?.contents;
    if contents & SOLID == 0 {
        return (contents & PLAYER_CLIP != 0).then_some(&mut model.clip);
    }
    let mut sides = brushes.textures(brush).peekable();
    sides.peek()?;
    sides.all(|side| shader(side).is_some_and(|side| side.flags & NODRAW != 0)).then_some(&mut model.hulls)
}

/// The tables that make up surfaces.
struct Surfaces<'a> {
    surfaces: Lump<'a>,
    vertices: Lump<'a>,
    indexes: Lump<'a>,
    patch_size: usize,
    corners: Allowance,
    points: Allowance,
}

impl<'a> Surfaces<'a> {
    fn new(file: &File<'a>, variant: Variant) -> Result<Self, BspError> {
        let vertices = file.lump(10, "drawverts", variant.vertex)?;
        for (number, record) in vertices.records().enumerate() {
            vertices.place(number, "vertex", record, 0)?;
        }
        let indexes = file.lump(11, "drawindexes", 4)?;
        Ok(Self {
            surfaces: file.lump(13, "surfaces", variant.surface)?,
            vertices,
            indexes,
            patch_size: variant.patch_size,
            // Tools let surfaces of one shape share their indexes.
            corners: Allowance(FREE_POINTS + 4 * (indexes.len() + vertices.len())),
            points: Allowance(FREE_POINTS + file.bytes.len() / 8),
        })
    }

    /// Adds a surface to the mesh if bodies collide with it, to the sky if it is that.
    fn add(
        &mut self,
        number: usize,
        shaders: &[LevelSurface],
        mesh: &mut MeshBuilder,
        sky: &mut MeshBuilder,
    ) -> Result<(), BspError> {
        let Some(record) = self.surfaces.get(number) else { return Ok(()) };
        let shader = self.surfaces.index(number, "shader", record.i32(0).into(), shaders.len())?;
        let Some(LevelSurface { flags, contents, .. }) = shaders.get(shader) else { return Ok(()) };
        let into = if flags & SKY != 0 { sky } else { mesh };
        let collides = flags & NONSOLID == 0 && (contents & SOLID != 0 || flags & SKY != 0);
        let run = (record.i32(12).into(), record.i32(16).into());
        let vertices = self.surfaces.run(number, "end of vertices", run, self.vertices.len())?;
        match record.i32(8) {
            PLANAR => {
                let run = (record.i32(20).into(), record.i32(24).into());
                let run = self.surfaces.run(number, "end of indexes", run, self.indexes.len())?;
                self.corners.spend(run.len(), &self.surfaces, number)?;
                let mut corners = run.map(|at| self.corner(at, vertices.start));
                while let (Some(a), Some(b), Some(c)) = (corners.next(), corners.next(), corners.next()) {
                    // The file has them clockwise.
                    let triangle = [c?, b?, a?];
                    if collides {
                        super::add(into, &triangle, shader)?;
                    }
                }
            }
            PATCH => {
                if let Some(patch) = self.patch(number, record, vertices)?
                    && collides
                {
                    self.points.spend(patch.cost(), &self.surfaces, number)?;
                    patch.add(into, shader as u32).map_err(|_| self.surfaces.error(number, not_finite()))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn corner(&self, at: usize, first: usize) -> Result<glam::Vec3, BspError> {
        let index = self.indexes.get(at).map_or(0, |record| i64::from(record.i32(0)));
        let end = self.vertices.len().saturating_sub(first);
        let vertex = first + self.indexes.index(at, "vertex", index, end)?;
        Ok(self.vertices.get(vertex).map_or(glam::Vec3::ZERO, |record| record.vec3(0)))
    }

    /// The control points; `None` if there are too few for one block.
    fn patch(
        &self,
        number: usize,
        record: Record<'_>,
        vertices: std::ops::Range<usize>,
    ) -> Result<Option<Patch>, BspError> {
        let [width, height] = [0, 4].map(|at| i64::from(record.i32(self.patch_size + at)));
        let count = width.saturating_mul(height);
        if width < 3 || height < 3 || width % 2 == 0 || height % 2 == 0 {
            return Ok(None);
        }
        let count = self.surfaces.index(number, "patch size", count, vertices.len() + 1)?;
        let points = vertices.take(count).filter_map(|at| Some(self.vertices.get(at)?.vec3(0))).collect();
        Ok(Some(Patch { width: width as usize, points }))
    }
}

fn not_finite() -> BspProblem {
    BspProblem::NotFinite { field: "vertex" }
}
