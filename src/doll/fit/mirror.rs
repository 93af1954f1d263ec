//! Left and right: the plane between the halves of a figure, and the bodies that mirror each other.

use super::anatomy::{Meaning, Side};
use super::bones::Limb;
use super::shapes::Solid;
use crate::math::{Mat3x4, Vec3};

/// Plane of symmetry, and the pairs of bodies on its sides.
#[derive(Clone, Debug)]
pub(super) struct Mirror {
    /// Direction to the left, of length 1.
    pub(super) left: Vec3,
    /// Distance of the plane from the origin.
    pub(super) through: f32,
    /// Partner on the right of each body on the left.
    pub(super) right_of: Vec<Option<usize>>,
    /// `true` for the partners.
    pub(super) is_right: Vec<bool>,
}

impl Mirror {
    /// Returns the body on the other side.
    pub(super) fn partner(&self, body: usize) -> Option<usize> {
        let left = || self.right_of.iter().position(|right| *right == Some(body));
        debug_assert!(!self.is_right[body] || left().is_some(), "what is on the right has a partner");
        if self.is_right[body] { left() } else { self.right_of[body] }
    }
}

/// Difference between mirror images, as a share of the model's size.
const ALIKE: f32 = 0.04;
/// Ratio of the lengths of bodies from which they do not mirror each other.
const LARGER: f32 = 1.5;
/// Distance from the plane that makes a side, as a share of the model's size.
const ASIDE: f32 = 0.01;

/// Finds the pairs of bodies, by the sides in names if there are any, otherwise by place.
pub(super) fn mirror(
    limbs: &[Limb],
    solids: &[Solid],
    reference: &[Mat3x4],
    meanings: &[Meaning],
    size: f32,
) -> Mirror {
    let at = |body: usize| reference[limbs[body].bone].origin();
    let side = |body: usize| meanings[limbs[body].bone].side;
    let mean = |wanted: Side| {
        let places: Vec<Vec3> = (0..limbs.len())
            .filter(|&body| side(body) == Some(wanted))
            .map(|body| (at(body) + solids[body].centre) / 2.0)
            .collect();
        (!places.is_empty()).then(|| places.iter().sum::<Vec3>() / places.len() as f32)
    };
    let named = match (mean(Side::Left), mean(Side::Right)) {
        (Some(left), Some(right)) => (left - right).try_normalize().map(|way| (snapped(way), (left + right) / 2.0)),
        _ => None,
    };
    let middle = solids.iter().map(|solid| solid.centre).sum::<Vec3>() / solids.len().max(1) as f32;
    let planes = match named {
        Some((left, middle)) => vec![(left, left.dot(middle))],
        None => vec![(Vec3::Y, middle.y), (Vec3::Y, 0.0), (Vec3::X, middle.x), (Vec3::X, 0.0)],
    };
    let mut best: Option<(usize, Mirror)> = None;
    for (left, through) in planes {
        let mut mirror =
            Mirror { left, through, right_of: vec![None; limbs.len()], is_right: vec![false; limbs.len()] };
        let mut pairs = 0;
        for a in 0..limbs.len() {
            let off = |point: Vec3| left.dot(point) - through;
            if off((at(a) + solids[a].centre) / 2.0) < ASIDE * size || side(a) == Some(Side::Right) {
                continue;
            }
            let image = |point: Vec3| point - left * (2.0 * off(point));
            let distance =
                |b: usize| image(at(a)).distance(at(b)).max(image(solids[a].centre).distance(solids[b].centre)) / size;
            let nearest = (0..limbs.len())
                .filter(|&b| b != a && !mirror.is_right[b] && side(b) != Some(Side::Left))
                .min_by(|b, c| distance(*b).total_cmp(&distance(*c)));
            let is_alike = |b: usize| {
                let [own, other] = [a, b].map(|body| solids[body].length());
                distance(b) < ALIKE && own.max(other) < LARGER * own.min(other)
            };
            if let Some(b) = nearest.filter(|&b| is_alike(b) && off(solids[b].centre) < 0.0) {
                (mirror.right_of[a], mirror.is_right[b]) = (Some(b), true);
                pairs += 1;
            }
        }
        if best.as_ref().is_none_or(|(most, _)| pairs > *most) {
            best = Some((pairs, mirror));
        }
    }
    match best {
        Some((_, mirror)) => mirror,
        None => Mirror {
            left: Vec3::Y,
            through: 0.0,
            right_of: vec![None; limbs.len()],
            is_right: vec![false; limbs.len()],
        },
    }
}

/// Returns a coordinate axis if a direction is near it.
pub(super) fn snapped(way: Vec3) -> Vec3 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z];
    axes.into_iter().find(|axis| axis.dot(way) > 0.95).unwrap_or(way)
}
