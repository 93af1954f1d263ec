//! Liquids and solids of levels whose tree has no contents: brushes, sorted into a tree of volumes.

use glam::Vec3;

use super::brush::Brushes;
use super::bsp_error::Ledger;
use super::bsp_tree::Plane;
use super::bsp_volumes::{Contents, level_liquid};
use crate::level::Part;
use crate::level::{LevelLiquid, LiquidVolume};
use crate::limits::LimitExceeded;

/// Maximum number of brushes that are not divided any more.
const FEW: usize = 4;
/// Maximum depth of the tree above the brushes.
const DEEPEST: usize = 12;
/// Maximum number of brushes on the two sides together, for each hundred before the division.
const LIQUID_SPREAD: usize = 150;
pub(super) const SOLID_SPREAD: usize = 180;
/// Work of sorting a brush at one depth.
const SORT_WORK: u64 = 16;

/// Brush: its planes and the box around it.
struct Pool {
    planes: Vec<Plane>,
    mins: Vec3,
    maxs: Vec3,
}

/// Returns the liquids of a model from the contents of its brushes.
pub(super) fn liquids(
    brushes: &Brushes<'_>,
    model: std::ops::Range<usize>,
    contents: &dyn Fn(usize) -> Option<Contents>,
    ledger: &mut Ledger,
) -> Result<Vec<LevelLiquid>, LimitExceeded> {
    let mut found: Vec<Contents> = model.clone().filter_map(contents).collect();
    found.sort_unstable();
    found.dedup();
    let mut liquids = Vec::new();
    for wanted in found {
        let of_kind = model.clone().filter(|brush| contents(*brush) == Some(wanted));
        let volume = volume(brushes, of_kind, LIQUID_SPREAD, ledger)?;
        liquids.extend((!volume.is_empty()).then(|| level_liquid(wanted, volume)));
    }
    Ok(liquids)
}

/// Returns the volume of some brushes. `spread` is the number of brushes that both sides of a plane may have together,
/// in hundredths of those that it divides.
pub(super) fn volume(
    brushes: &Brushes<'_>,
    wanted: impl Iterator<Item = usize>,
    spread: usize,
    ledger: &mut Ledger,
) -> Result<LiquidVolume, LimitExceeded> {
    let mut pools = Vec::new();
    for brush in wanted {
        let planes = brushes.planes(brush);
        let corners = super::brush::corners(&planes, &mut ledger.allowance)?;
        ledger.allowance.memory((size_of::<Pool>() + size_of_val(planes.as_slice())) as u64)?;
        if let Some(&[first, ..]) = corners.as_deref() {
            let (mins, maxs) = corners.iter().flatten().fold((first, first), |(a, b), c| (a.min(*c), b.max(*c)));
            pools.push(Pool { planes, mins, maxs });
        }
    }
    let mut volume = LiquidVolume::default();
    let root = sorted(&mut volume, &pools.iter().collect::<Vec<_>>(), (DEEPEST, spread), ledger)?;
    Ok(volume.rooted(root))
}

/// Divides space until few brushes are left in each part.
fn sorted(
    volume: &mut LiquidVolume,
    pools: &[&Pool],
    (depth, spread): (usize, usize),
    ledger: &mut Ledger,
) -> Result<Part, LimitExceeded> {
    ledger.allowance.work(SORT_WORK * pools.len() as u64)?;
    let (mins, maxs) = pools.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(mins, maxs), pool| {
        let centre = (pool.mins + pool.maxs) / 2.0;
        (mins.min(centre), maxs.max(centre))
    });
    let size = maxs - mins;
    let axis = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().max_by(|a, b| size.dot(*a).total_cmp(&size.dot(*b)));
    let axis = axis.unwrap_or(Vec3::X);
    let middle = ((mins + maxs) / 2.0).dot(axis);
    let sides = [
        pools.iter().copied().filter(|pool| pool.maxs.dot(axis) > middle).collect::<Vec<_>>(),
        pools.iter().copied().filter(|pool| pool.mins.dot(axis) < middle).collect(),
    ];
    // Brushes that nearly all reach into both sides are not worth dividing.
    if pools.len() <= FEW || depth == 0 || sides.iter().map(Vec::len).sum::<usize>() * 100 > pools.len() * spread {
        return one_by_one(volume, pools, ledger);
    }
    let [front, back] = &sides;
    let parts =
        [sorted(volume, front, (depth - 1, spread), ledger)?, sorted(volume, back, (depth - 1, spread), ledger)?];
    divide(volume, Plane { normal: axis, distance: middle }, parts, ledger)
}

/// Tests one brush after the other.
fn one_by_one(volume: &mut LiquidVolume, pools: &[&Pool], ledger: &mut Ledger) -> Result<Part, LimitExceeded> {
    let mut outside = Part::Dry;
    for pool in pools {
        let mut inside = Part::Full;
        for plane in &pool.planes {
            inside = divide(volume, *plane, [outside, inside], ledger)?;
        }
        outside = inside;
    }
    Ok(outside)
}

fn divide(
    volume: &mut LiquidVolume,
    plane: Plane,
    sides: [Part; 2],
    ledger: &mut Ledger,
) -> Result<Part, LimitExceeded> {
    ledger.allowance.memory(LiquidVolume::NODE_MEMORY as u64)?;
    Ok(volume.divide((plane.normal, plane.distance), sides))
}
