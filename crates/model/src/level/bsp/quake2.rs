//! Levels of Quake 2: faces, made solid by the brushes behind them.

use std::ops::Range;

use super::brush::Brushes;
use super::bsp_error::{BspError, BspProblem, Ledger};
use super::bsp_tree::{Child, Tree, planes};
use super::bsp_volumes;
use super::entity_lump;
use super::faces::{Face, Faces};
use super::lump::{File, Lump};
use crate::level::solid_mesh::MeshBuilder;
use crate::level::{BrushModel, Level, LevelSurface};
use crate::limits::LimitExceeded;
use crate::model::Name;

const SKY: u32 = 4;
const NODRAW: u32 = 0x80;
/// Surface flags of liquids, and of surfaces that only tools and compilers see.
const PASSABLE: u32 = 8 | NODRAW | 0x100 | 0x200;

/// Contents of solid brushes and of windows.
const SOLID: i32 = 1 | 2;
const PLAYER_CLIP: i32 = 0x10000;

/// Texture number of a side without a texture.
const NO_TEXTURE: i32 = -1;

/// Work of a record of the table of leaf brushes.
const LEAF_BRUSH_WORK: u64 = 8;

pub(super) fn level(bytes: &[u8], ledger: &mut Ledger) -> Result<Level, BspError> {
    let file = File { bytes, directory: 8 };
    let mut level = Level::default();
    let text = file.lump(0, "entities", 1)?;
    level.entities = entity_lump::parse(&text, ledger)?;
    let planes = planes(&file.lump(1, "planes", 20)?, ledger)?;
    let texinfos = file.lump(5, "texinfo", 76)?;
    texinfos.within(0, super::spend_surfaces(texinfos.len(), 32, ledger))?;
    level.surfaces = texinfos
        .records()
        .map(|record| LevelSurface {
            name: Name::new(record.0.get(40..72).unwrap_or_default()),
            flags: record.u32(32),
            ..LevelSurface::default()
        })
        .collect();
    let faces = Faces::new(&file, [2, 6, 11, 12], false)?;
    let leaves = file.lump(8, "leafs", 28)?;
    let node_lump = file.lump(4, "nodes", 28)?;
    let nodes = node_lump.records().map(|r| (r.i32(0).into(), [r.i32(4), r.i32(8)].map(Child::signed)));
    let mut tree = Tree::new(&node_lump, nodes, &planes, leaves.len(), ledger)?;
    let [brushes, sides] = [file.lump(14, "brushes", 12)?, file.lump(15, "brush sides", 4)?];
    let textures = (texinfos.len(), Some(NO_TEXTURE));
    let brushes =
        Brushes::new(brushes, sides, &planes, textures, |side| [side.u16(0).into(), i32::from(side.u16(2) as i16)])?;
    let solids = Solids { leaves, leaf_brushes: file.lump(10, "leaf brushes", 2)?, brushes };
    solids.check()?;

    let models = file.lump(13, "models", 48)?;
    if models.len() == 0 {
        return Err(models.error(0, BspProblem::Missing));
    }
    for (number, model) in models.records().enumerate() {
        let run = (model.i32(40).into(), model.i32(44).into());
        let run = models.run(number, "end of faces", run, faces.lump().len())?;
        let head = tree.head(&models, number, model.i32(36))?;
        let [mut mesh, mut sky] = [MeshBuilder::default(), MeshBuilder::default()];
        for record in run {
            let Some(face) = faces.get(record, &planes, texinfos.len(), ledger)? else { continue };
            let at = (faces.lump(), record);
            let flags = level.surfaces.get(face.texinfo).map_or(0, |surface| surface.flags);
            let into = if flags & SKY != 0 {
                &mut sky
            } else if flags & PASSABLE == 0
                && faces.lump().within(record, solids.is_backed(&face, head, &tree, ledger))?
            {
                &mut mesh
            } else {
                continue;
            };
            super::add(into, &face.corners, face.texinfo, at, ledger)?;
        }
        let mut model = super::brush_model(mesh, sky, (&models, number), ledger)?;
        let inside = models.within(number, solids.inside(head, &mut tree, ledger))?;
        solids.add_unseen(&inside, &level.surfaces, &mut model, ledger)?;
        level.models.push(model);
    }
    level.brush_entities = entity_lump::brush_entities(&level.entities, level.models.len(), &text, ledger)?;
    let contents = |leaf: usize| solids.leaves.get(leaf).and_then(|record| bsp_volumes::quake2(record.u32(0)));
    bsp_volumes::add_liquids(&mut level, &models, &mut tree, &contents, ledger)?;
    let is_full = |leaf: usize| solids.leaves.get(leaf).is_some_and(|record| record.i32(0) & SOLID != 0);
    bsp_volumes::add_solids(&mut level, &models, &tree, &is_full, ledger)?;
    Ok(level)
}

/// Brushes, and the tables that list the brushes of each leaf.
struct Solids<'a> {
    leaves: Lump<'a>,
    leaf_brushes: Lump<'a>,
    brushes: Brushes<'a>,
}

impl Solids<'_> {
    fn check(&self) -> Result<(), BspError> {
        for (number, record) in self.leaf_brushes.records().enumerate() {
            self.leaf_brushes.index(number, "brush", record.u16(0).into(), self.brushes.brushes.len())?;
        }
        for (number, record) in self.leaves.records().enumerate() {
            let run = (record.u16(24).into(), record.u16(26).into());
            self.leaves.run(number, "end of brushes", run, self.leaf_brushes.len())?;
        }
        Ok(())
    }

    /// Returns the records of the table of leaf brushes that belong to a leaf.
    fn run(&self, leaf: usize) -> Range<usize> {
        let [first, count] = self.leaves.get(leaf).map_or([0; 2], |leaf| [leaf.u16(24), leaf.u16(26)].map(usize::from));
        first..first + count
    }

    fn leaf_brush(&self, at: usize) -> usize {
        debug_assert!(at < self.leaf_brushes.len(), "runs of leaf brushes were checked");
        self.leaf_brushes.get(at).map_or(0, |record| record.u16(0).into())
    }

    fn contents(&self, brush: usize) -> i32 {
        self.brushes.brushes.get(brush).map_or(0, |record| record.i32(8))
    }

    /// Returns `true` if there is something solid behind a face, which the face itself does not record.
    fn is_backed(&self, face: &Face, head: Child, tree: &Tree<'_>, ledger: &mut Ledger) -> Result<bool, LimitExceeded> {
        for point in face.behind() {
            for at in self.run(tree.leaf(head, point, ledger)?) {
                ledger.allowance.work(LEAF_BRUSH_WORK)?;
                let brush = self.leaf_brush(at);
                if self.contents(brush) & SOLID != 0 && self.brushes.contains(brush, point, &mut ledger.allowance)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Returns the brushes under a node, each once, in order. Leaves may share records of the table, and records may
    /// share brushes.
    fn inside(&self, head: Child, tree: &mut Tree<'_>, ledger: &mut Ledger) -> Result<Vec<usize>, LimitExceeded> {
        let mut runs: Vec<Range<usize>> = tree.leaves(head, ledger)?.into_iter().map(|leaf| self.run(leaf)).collect();
        runs.sort_unstable_by_key(|run| run.start);
        let mut brushes = Vec::new();
        let mut end = 0;
        for run in runs {
            let new = run.start.max(end)..run.end.max(end);
            ledger.allowance.work(LEAF_BRUSH_WORK * new.len() as u64)?;
            end = new.end;
            brushes.extend(new.map(|at| self.leaf_brush(at)));
        }
        brushes.sort_unstable();
        brushes.dedup();
        Ok(brushes)
    }

    /// Adds the brushes that are solid without a face, and those that only players collide with.
    fn add_unseen(
        &self,
        brushes: &[usize],
        surfaces: &[LevelSurface],
        model: &mut BrushModel,
        ledger: &mut Ledger,
    ) -> Result<(), BspError> {
        for &brush in brushes {
            let contents = self.contents(brush);
            let flags =
                |texture: i32| usize::try_from(texture).ok().and_then(|t| surfaces.get(t)).map_or(0, |s| s.flags);
            let into = if contents & SOLID != 0 {
                let textures = self.brushes.textures(brush, ledger)?.filter(|&texture| texture != NO_TEXTURE);
                let [drawn, sides] = textures.fold([0; 2], |[drawn, sides], texture| {
                    [drawn + usize::from(flags(texture) & NODRAW == 0), sides + 1]
                });
                (sides > 0 && drawn == 0).then_some(&mut model.hulls)
            } else {
                (contents & PLAYER_CLIP != 0).then_some(&mut model.clip)
            };
            if let Some(into) = into {
                into.extend(self.brushes.corners(brush, &mut ledger.allowance)?);
            }
        }
        Ok(())
    }
}
