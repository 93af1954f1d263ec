//! Solid space of a level: the leaves of the tree that are solid, or the solid brushes.

use super::error::BspError;
use super::ledger::Ledger;
use super::lump::Lump;
use super::tree::Tree;
use crate::physics::Level;

/// Adds the solid space of the world, and of the brush models that solid entities show.
pub(super) fn add(
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
        model.solid = super::liquids::volume(tree, head, is_solid, ledger).unwrap_or_default().into();
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
