//! Quake 2 levels: faces, made solid by the brushes behind them.

use super::brush::Brushes;
use super::entities;
use super::error::{BspError, BspProblem};
use super::faces::{Face, Faces};
use super::lump::{Allowance, File, Lump};
use super::tree::{Child, Tree, planes};
use crate::model::Name;
use crate::physics::mesh::MeshBuilder;
use crate::physics::{BrushModel, Level, LevelSurface};

const SKY: u32 = 4;
const NODRAW: u32 = 0x80;
/// Liquids, and what only tools and compilers see.
const PASSABLE: u32 = 8 | NODRAW | 0x100 | 0x200;

/// Solid, and windows.
const SOLID: i32 = 1 | 2;
const PLAYER_CLIP: i32 = 0x10000;

/// The texture of a side that has none.
const NO_TEXTURE: i32 = -1;

pub(super) fn level(bytes: &[u8]) -> Result<Level, BspError> {
    let file = File { bytes, directory: 8 };
    let mut level = Level::default();
    level.entities = entities::parse(file.lump(0, "entities", 1)?.bytes(), &mut level.warnings);
    let planes = planes(&file.lump(1, "planes", 20)?, &mut level.warnings)?;
    let texinfos = file.lump(5, "texinfo", 76)?;
    level.surfaces = texinfos
        .records()
        .map(|record| LevelSurface {
            name: Name::new(record.0.get(40..72).unwrap_or_default()),
            flags: record.u32(32),
            contents: 0,
        })
        .collect();
    let mut faces = Faces::new(&file, [2, 6, 11, 12], false)?;
    let leaves = file.lump(8, "leafs", 28)?;
    let node_lump = file.lump(4, "nodes", 28)?;
    let nodes = node_lump.records().map(|r| (r.i32(0).into(), [r.i32(4), r.i32(8)].map(Child::signed)));
    let mut tree = Tree::new(&node_lump, nodes, &planes, leaves.len())?;
    let [brushes, sides] = [file.lump(14, "brushes", 12)?, file.lump(15, "brush sides", 4)?];
    let textures = (texinfos.len(), Some(NO_TEXTURE));
    let brushes =
        Brushes::new(brushes, sides, &planes, textures, |side| [side.u16(0).into(), i32::from(side.u16(2) as i16)])?;
    let mut solids = Solids { leaves, leaf_brushes: file.lump(10, "leaf brushes", 2)?, brushes };
    solids.check()?;

    let models = file.lump(13, "models", 48)?;
    if models.len() == 0 {
        return Err(models.error(0, BspProblem::Missing));
    }
    let mut allowed = Allowance::for_records(faces.len());
    for (number, model) in models.records().enumerate() {
        let run = (model.i32(40).into(), model.i32(44).into());
        let run = models.run(number, "end of faces", run, faces.len())?;
        allowed.spend(run.len(), &models, number)?;
        let head = tree.head(&models, number, model.i32(36))?;
        let [mut mesh, mut sky] = [MeshBuilder::default(), MeshBuilder::default()];
        for face in run {
            let Some(face) = faces.get(face, &planes, texinfos.len(), &mut level.warnings)? else { continue };
            let flags = level.surfaces.get(face.texinfo).map_or(0, |surface| surface.flags);
            let into = if flags & SKY != 0 {
                &mut sky
            } else if flags & PASSABLE == 0 && solids.is_backed(&face, head, &mut tree)? {
                &mut mesh
            } else {
                continue;
            };
            super::add(into, &face.corners, face.texinfo)?;
        }
        let mut model = BrushModel { mesh: mesh.finish(), sky: sky.finish(), ..BrushModel::default() };
        solids.add_unseen(head, &mut tree, &level.surfaces, &mut model)?;
        level.models.push(model);
    }
    level.brush_entities = entities::brush_entities(&level.entities, level.models.len(), &mut level.warnings);
    Ok(level)
}

/// The brushes and which of them are in which leaf.
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

    fn in_leaf(&self, leaf: usize) -> impl Iterator<Item = usize> + use<'_> {
        let [first, count] = self.leaves.get(leaf).map_or([0; 2], |leaf| [leaf.u16(24), leaf.u16(26)].map(usize::from));
        (first..first + count).filter_map(|at| Some(usize::from(self.leaf_brushes.get(at)?.u16(0))))
    }

    fn contents(&self, brush: usize) -> i32 {
        self.brushes.brushes.get(brush).map_or(0, |record| record.i32(8))
    }

    /// Returns whether there is something solid behind a face, which the face itself does not record.
    fn is_backed(&mut self, face: &Face, head: Child, tree: &mut Tree<'_>) -> Result<bool, BspError> {
        for point in face.behind() {
            let leaf = tree.leaf(head, point)?;
            let inside: Vec<usize> = self.in_leaf(leaf).filter(|&brush| self.contents(brush) & SOLID != 0).collect();
            for brush in inside {
                if self.brushes.contains(brush, point)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Brushes that are solid without a face, and those that only players meet.
    fn add_unseen(
        &mut self,
        head: Child,
        tree: &mut Tree<'_>,
        surfaces: &[LevelSurface],
        model: &mut BrushModel,
    ) -> Result<(), BspError> {
        let leaves = tree.leaves(head)?;
        let brushes: std::collections::BTreeSet<usize> =
            leaves.into_iter().flat_map(|leaf| self.in_leaf(leaf)).collect();
        for brush in brushes {
            let contents = self.contents(brush);
            let flags =
                |texture: i32| usize::try_from(texture).ok().and_then(|t| surfaces.get(t)).map_or(0, |s| s.flags);
            let into = if contents & SOLID != 0 {
                let textures = self.brushes.textures(brush).filter(|&texture| texture != NO_TEXTURE);
                let [drawn, sides] = textures.fold([0; 2], |[drawn, sides], texture| {
                    [drawn + usize::from(flags(texture) & NODRAW == 0), sides + 1]
                });
                (sides > 0 && drawn == 0).then_some(&mut model.hulls)
            } else {
                (contents & PLAYER_CLIP != 0).then_some(&mut model.clip)
            };
            if let Some(into) = into {
                into.extend(self.brushes.corners(brush)?);
            }
        }
        Ok(())
    }
}
