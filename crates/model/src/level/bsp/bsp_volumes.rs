//! Volumes of a level: liquids, the leaves of the tree that contain water, slime or lava, and solid space, the leaves
//! that are solid, or the solid brushes.

use std::collections::HashMap;

use glam::Vec3;

use super::bsp_error::{BspError, Ledger};
use super::bsp_tree::{Child, Tree};
use super::lump::Lump;
use crate::level::Part;
use crate::level::{Level, LevelLiquid, LiquidKind, LiquidVolume};
use crate::limits::LimitExceeded;

/// Contents of a leaf that is full of liquid: the kind, and a bit for each direction of its current.
pub(super) type Contents = (LiquidKind, u8);

/// Directions of currents, in the order of their bits.
const CURRENTS: [Vec3; 6] = [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];

/// Work of a node.
const NODE_WORK: u64 = 8;
/// Memory of a node while a volume is built, bytes.
const NODE_MEMORY: u64 = 64;

/// Adds the liquids of the world, and of the brush models that entities show as water.
pub(super) fn add_liquids(
    level: &mut Level,
    models: &Lump<'_>,
    tree: &mut Tree<'_>,
    contents: &dyn Fn(usize) -> Option<Contents>,
    ledger: &mut Ledger,
) -> Result<(), BspError> {
    for number in wet_models(level) {
        let (Some(record), Some(model)) = (models.get(number), level.models.get_mut(number)) else { continue };
        let head = tree.head(models, number, record.i32(36))?;
        model.liquids = models.within(number, liquids(tree, head, contents, ledger))?;
    }
    Ok(())
}

/// Returns the models that may be water, each once: the world, and those of entities that are water.
pub(super) fn wet_models(level: &Level) -> Vec<usize> {
    let mut numbers: Vec<usize> = level.water_entities().map(|(_, entity)| entity.model).chain([0]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn liquids(
    tree: &mut Tree<'_>,
    head: Child,
    contents: &dyn Fn(usize) -> Option<Contents>,
    ledger: &mut Ledger,
) -> Result<Vec<LevelLiquid>, LimitExceeded> {
    let mut found: Vec<Contents> = tree.leaves(head, ledger)?.into_iter().filter_map(contents).collect();
    found.sort_unstable();
    found.dedup();
    let mut liquids = Vec::new();
    for wanted in found {
        let volume = volume(tree, head, &|leaf| contents(leaf) == Some(wanted), ledger)?;
        liquids.push(level_liquid(wanted, volume));
    }
    Ok(liquids)
}

/// Returns the liquid of some contents.
pub(super) fn level_liquid((kind, bits): Contents, volume: LiquidVolume) -> LevelLiquid {
    let current = CURRENTS.into_iter().enumerate().filter(|(bit, _)| bits & 1 << bit != 0);
    let current = current.map(|(_, direction)| direction).sum::<Vec3>().normalize_or_zero();
    LevelLiquid { kind, current, volume }
}

/// Returns the volume of the leaves under a node that are full. Parts of the tree without any are left out.
pub(super) fn volume(
    tree: &Tree<'_>,
    head: Child,
    is_full: &dyn Fn(usize) -> bool,
    ledger: &mut Ledger,
) -> Result<LiquidVolume, LimitExceeded> {
    let mut volume = LiquidVolume::default();
    let mut parts: HashMap<usize, Part> = HashMap::new();
    let known = |child: Child, parts: &HashMap<usize, Part>| match child {
        Child::Leaf(leaf) => Some(if is_full(leaf) { Part::Full } else { Part::Dry }),
        Child::Node(node) => parts.get(&node).copied(),
    };
    let mut open = vec![head];
    while let Some(&child) = open.last() {
        ledger.allowance.work(NODE_WORK)?;
        let Child::Node(number) = child else {
            open.pop();
            continue;
        };
        let (Some((plane, children)), None) = (tree.node(number), parts.get(&number)) else {
            open.pop();
            continue;
        };
        match children.map(|child| known(child, &parts)) {
            [Some(front), Some(back)] => {
                ledger.allowance.memory(NODE_MEMORY + LiquidVolume::NODE_MEMORY as u64)?;
                parts.insert(number, volume.divide((plane.normal, plane.distance), [front, back]));
                open.pop();
            }
            [front, back] => {
                let missing = [(front, children[0]), (back, children[1])];
                open.extend(missing.into_iter().filter(|(part, _)| part.is_none()).map(|(_, child)| child));
            }
        }
    }
    debug_assert!(known(head, &parts).is_some(), "the root is known when nothing is open");
    let root = known(head, &parts).unwrap_or(Part::Dry);
    Ok(volume.rooted(root))
}

/// Returns the contents of a leaf of the Quake family: -3 to -5, and -9 to -14 for water with a current.
pub(super) fn quake(contents: i32) -> Option<Contents> {
    match contents {
        -3 => Some((LiquidKind::Water, 0)),
        -4 => Some((LiquidKind::Slime, 0)),
        -5 => Some((LiquidKind::Lava, 0)),
        -14..=-9 => Some((LiquidKind::Water, 1 << (-9 - contents))),
        _ => None,
    }
}

/// Returns the contents of a leaf of Quake 2.
pub(super) fn quake2(contents: u32) -> Option<Contents> {
    quake3(contents).map(|(kind, _)| (kind, (contents >> 18 & 0x3f) as u8))
}

/// Returns the contents of a brush of Quake 3, which knows no currents; the most dangerous liquid counts.
pub(super) fn quake3(contents: u32) -> Option<Contents> {
    [(8, LiquidKind::Lava), (16, LiquidKind::Slime), (32, LiquidKind::Water)]
        .into_iter()
        .find(|(bit, _)| contents & bit != 0)
        .map(|(_, kind)| (kind, 0))
}

/// Adds the solid space of the world, and of the brush models that solid entities show.
pub(super) fn add_solids(
    level: &mut Level,
    models: &Lump<'_>,
    tree: &Tree<'_>,
    is_solid: &dyn Fn(usize) -> bool,
    ledger: &mut Ledger,
) -> Result<(), BspError> {
    for number in solid_models(level) {
        let (Some(record), Some(model)) = (models.get(number), level.models.get_mut(number)) else { continue };
        let head = tree.head(models, number, record.i32(36))?;
        // A level without the space is of use, too.
        model.solid = volume(tree, head, is_solid, ledger).unwrap_or_default().into();
    }
    Ok(())
}

/// Returns the models that may be solid, each once: the world, and those of solid entities.
pub(super) fn solid_models(level: &Level) -> Vec<usize> {
    let solid = level.brush_entities.iter().filter(|entity| entity.solid);
    let mut numbers: Vec<usize> = solid.map(|entity| entity.model).chain([0]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
