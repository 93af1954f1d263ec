//! Levels of Quake 3: drawn surfaces of solid shaders, curves, and hulls for invisible solid brushes.

use std::ops::Range;

use glam::Vec3;

use super::brush::Brushes;
use super::bsp_error::{BspError, BspProblem, Ledger};
use super::bsp_tree::{Plane, planes};
use super::entity_lump;
use super::lump::{File, Lump, Record};
use super::patch::Patch;
use super::{bsp_volumes, liquid_brushes};
use crate::level::solid_mesh::MeshBuilder;
use crate::level::{BrushModel, Level, LevelSurface};
use crate::model::Name;

const SKY: u32 = 4;
const NODRAW: u32 = 0x80;
const NONSOLID: u32 = 0x4000;
const SOLID: u32 = 1;
const PLAYER_CLIP: u32 = 0x10000;

const PLANAR: i32 = 1;
const PATCH: i32 = 2;

/// Work of a surface, without that of its corners.
const SURFACE_WORK: u64 = 16;

/// Work of a control point of a curve.
const PATCH_WORK: u64 = 4;

/// Differences between members of the family: sizes of records, bytes.
#[derive(Clone, Copy)]
pub(super) struct Variant {
    side: usize,
    vertex: usize,
    surface: usize,
    /// Offset of a patch's size in a surface, bytes.
    patch_size: usize,
}

impl Variant {
    pub const QUAKE3: Self = Self { side: 8, vertex: 44, surface: 104, patch_size: 96 };
    pub const RAVEN: Self = Self { side: 12, vertex: 80, surface: 148, patch_size: 140 };
}

pub(super) fn level(bytes: &[u8], variant: Variant, ledger: &mut Ledger) -> Result<Level, BspError> {
    let file = File { bytes, directory: 8 };
    let mut level = Level::default();
    let text = file.lump(0, "entities", 1)?;
    level.entities = entity_lump::parse(&text, ledger)?;
    let shaders = file.lump(1, "shaders", 72)?;
    shaders.within(0, super::spend_surfaces(shaders.len(), 64, ledger))?;
    level.surfaces = shaders
        .records()
        .map(|record| LevelSurface {
            name: Name::new(record.0.get(..64).unwrap_or_default()),
            flags: record.u32(64),
            contents: record.u32(68),
            texture: None,
        })
        .collect();
    let planes: Vec<Plane> = planes(&file.lump(2, "planes", 16)?, ledger)?;
    let [brushes, sides] = [file.lump(8, "brushes", 12)?, file.lump(9, "brush sides", variant.side)?];
    for (number, record) in brushes.records().enumerate() {
        brushes.index(number, "shader", record.i32(8).into(), shaders.len())?;
    }
    let textures = (shaders.len(), None);
    let brushes = Brushes::new(brushes, sides, &planes, textures, |side| [side.i32(0), side.i32(4)])?;
    let surfaces = Surfaces::new(&file, variant)?;

    let models = file.lump(7, "models", 40)?;
    if models.len() == 0 {
        return Err(models.error(0, BspProblem::Missing));
    }
    for (number, record) in models.records().enumerate() {
        let run = |at: usize| (record.i32(at).into(), record.i32(at + 4).into());
        let seen = models.run(number, "end of surfaces", run(24), surfaces.surfaces.len())?;
        let solid = models.run(number, "end of brushes", run(32), brushes.brushes.len())?;
        let [mut mesh, mut sky] = [MeshBuilder::default(), MeshBuilder::default()];
        for surface in seen {
            surfaces.add(surface, &level.surfaces, [&mut mesh, &mut sky], ledger)?;
        }
        let mut model = super::brush_model(mesh, sky, (&models, number), ledger)?;
        for brush in solid {
            if let Some(into) = unseen(&brushes, brush, &level.surfaces, &mut model, ledger)? {
                into.extend(brushes.corners(brush, &mut ledger.allowance)?);
            }
        }
        level.models.push(model);
    }
    level.brush_entities = entity_lump::brush_entities(&level.entities, level.models.len(), &text, ledger)?;
    add_liquids(&mut level, &models, &brushes, ledger)?;
    add_solids(&mut level, &models, &brushes, ledger)?;
    Ok(level)
}

/// Adds the solid space of the models that may be solid.
fn add_solids(
    level: &mut Level,
    models: &Lump<'_>,
    brushes: &Brushes<'_>,
    ledger: &mut Ledger,
) -> Result<(), BspError> {
    for number in bsp_volumes::solid_models(level) {
        let Some(record) = models.get(number) else { continue };
        let run = (record.i32(32).into(), record.i32(36).into());
        let run = models.run(number, "end of brushes", run, brushes.brushes.len())?;
        models.within(number, ledger.allowance.work(run.len() as u64))?;
        let shaders = &level.surfaces;
        let is_solid = |brush: &usize| {
            let shader = brushes.brushes.get(*brush).and_then(|record| usize::try_from(record.i32(8)).ok());
            shader.and_then(|shader| shaders.get(shader)).is_some_and(|shader| shader.contents & SOLID != 0)
        };
        let found = liquid_brushes::volume(brushes, run.filter(is_solid), liquid_brushes::SOLID_SPREAD, ledger);
        if let (Some(model), Ok(found)) = (level.models.get_mut(number), found) {
            model.solid = found.into();
        }
    }
    Ok(())
}

/// Adds the liquids of the models that may be water.
fn add_liquids(
    level: &mut Level,
    models: &Lump<'_>,
    brushes: &Brushes<'_>,
    ledger: &mut Ledger,
) -> Result<(), BspError> {
    for number in bsp_volumes::wet_models(level) {
        let Some(record) = models.get(number) else { continue };
        let run = (record.i32(32).into(), record.i32(36).into());
        let run = models.run(number, "end of brushes", run, brushes.brushes.len())?;
        models.within(number, ledger.allowance.work(run.len() as u64))?;
        let shaders = &level.surfaces;
        let contents = |brush: usize| {
            let shader = usize::try_from(brushes.brushes.get(brush)?.i32(8)).ok()?;
            bsp_volumes::quake3(shaders.get(shader)?.contents)
        };
        let found = models.within(number, liquid_brushes::liquids(brushes, run, &contents, ledger))?;
        if let Some(model) = level.models.get_mut(number) {
            model.liquids = found;
        }
    }
    Ok(())
}

/// Returns the list for the hull of a brush: the solid hulls if none of its sides is drawn, the clip brushes if it is
/// solid for players only, `None` otherwise.
fn unseen<'m>(
    brushes: &Brushes<'_>,
    brush: usize,
    shaders: &[LevelSurface],
    model: &'m mut BrushModel,
    ledger: &mut Ledger,
) -> Result<Option<&'m mut Vec<Vec<Vec3>>>, BspError> {
    let shader = |number: i32| usize::try_from(number).ok().and_then(|number| shaders.get(number));
    let contents = brushes.brushes.get(brush).and_then(|record| shader(record.i32(8))).map_or(0, |s| s.contents);
    let mut sides = brushes.textures(brush, ledger)?.peekable();
    if contents & SOLID == 0 {
        return Ok((contents & PLAYER_CLIP != 0).then_some(&mut model.clip));
    }
    let is_unseen =
        sides.peek().is_some() && sides.all(|side| shader(side).is_some_and(|side| side.flags & NODRAW != 0));
    Ok(is_unseen.then_some(&mut model.hulls))
}

/// Tables that make up surfaces.
struct Surfaces<'a> {
    surfaces: Lump<'a>,
    vertices: Lump<'a>,
    indexes: Lump<'a>,
    patch_size: usize,
}

impl<'a> Surfaces<'a> {
    fn new(file: &File<'a>, variant: Variant) -> Result<Self, BspError> {
        let vertices = file.lump(10, "drawverts", variant.vertex)?;
        for (number, record) in vertices.records().enumerate() {
            vertices.place(number, "vertex", record, 0)?;
        }
        Ok(Self {
            surfaces: file.lump(13, "surfaces", variant.surface)?,
            vertices,
            indexes: file.lump(11, "drawindexes", 4)?,
            patch_size: variant.patch_size,
        })
    }

    /// Adds a surface to the mesh if bodies collide with it, to the sky if it is a sky surface.
    fn add(
        &self,
        number: usize,
        shaders: &[LevelSurface],
        [mesh, sky]: [&mut MeshBuilder; 2],
        ledger: &mut Ledger,
    ) -> Result<(), BspError> {
        let Some(record) = self.surfaces.get(number) else { return Ok(()) };
        self.surfaces.within(number, ledger.allowance.work(SURFACE_WORK))?;
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
                self.surfaces.within(number, ledger.allowance.work(run.len() as u64))?;
                let mut corners = run.map(|at| self.corner(at, vertices.start));
                while let (Some(a), Some(b), Some(c)) = (corners.next(), corners.next(), corners.next()) {
                    // Corners are clockwise in the file.
                    let triangle = [c?, b?, a?];
                    if collides {
                        super::add(into, &triangle, shader, (&self.surfaces, number), ledger)?;
                    }
                }
            }
            PATCH => {
                if let Some((width, vertices)) = self.patch_size(number, record, vertices)?
                    && collides
                {
                    let work = PATCH_WORK * vertices.len() as u64;
                    self.surfaces.within(number, ledger.allowance.work(work))?;
                    let points = vertices.filter_map(|at| Some(self.vertices.get(at)?.vec3(0))).collect();
                    let added = Patch { width, points }.add(into, shader as u32, &mut ledger.allowance);
                    added.map_err(|error| self.surfaces.error(number, super::problem(error)))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn corner(&self, at: usize, first: usize) -> Result<Vec3, BspError> {
        let index = self.indexes.get(at).map_or(0, |record| i64::from(record.i32(0)));
        let end = self.vertices.len().saturating_sub(first);
        let vertex = first + self.indexes.index(at, "vertex", index, end)?;
        Ok(self.vertices.get(vertex).map_or(Vec3::ZERO, |record| record.vec3(0)))
    }

    /// Returns the number of control points in a row and in total; `None` if there are too few for one block.
    fn patch_size(
        &self,
        number: usize,
        record: Record<'_>,
        vertices: Range<usize>,
    ) -> Result<Option<(usize, Range<usize>)>, BspError> {
        let [width, height] = [0, 4].map(|at| i64::from(record.i32(self.patch_size + at)));
        let count = width.saturating_mul(height);
        if width < 3 || height < 3 || width % 2 == 0 || height % 2 == 0 {
            return Ok(None);
        }
        let count = self.surfaces.index(number, "patch size", count, vertices.len() + 1)?;
        Ok(Some((width as usize, vertices.start..vertices.start + count)))
    }
}
