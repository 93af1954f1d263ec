//! Bodies that overlap without a joint between them.

use super::mirror::Mirror;
use super::shapes::Solid;
use crate::doll::Shape;
use crate::math::Vec3;

/// Depth to which bodies may overlap, as a share of the thinner one's thickness: they only touch when they move.
const SHALLOW: f32 = 0.2;
/// Share of each of its extents that a body keeps at least.
const LEAST: f32 = 0.5;
/// Distance of shapes, as a share of the thinner one's thickness, below which their depth is measured.
const NEAR: f32 = 0.05;
/// Number of cuts after which a pair is left as it is.
const CUTS: usize = 16;

/// Result of [`separate`].
pub(super) struct Separated {
    /// `true` for bodies that are smaller than before.
    pub(super) is_cut: Vec<bool>,
    /// Pairs of bodies that still overlap.
    pub(super) left: Vec<[usize; 2]>,
}

/// Cuts bodies that overlap without a joint where they do, left and right alike.
pub(super) fn separate(solids: &mut [Solid], mirror: &Mirror, is_jointed: impl Fn(usize, usize) -> bool) -> Separated {
    debug_assert_eq!(solids.len(), mirror.is_right.len(), "every solid has a side");
    let whole: Vec<Vec3> = solids.iter().map(|solid| solid.half).collect();
    let mut separated = Separated { is_cut: vec![false; solids.len()], left: Vec::new() };
    for a in 0..solids.len() {
        for b in a + 1..solids.len() {
            if !is_jointed(a, b) && !part(solids, [a, b], &whole, mirror, &mut separated.is_cut) {
                separated.left.push([a, b]);
            }
        }
    }
    separated
}

/// Cuts two bodies until they hardly overlap; returns `false` if they still do.
fn part(solids: &mut [Solid], pair: [usize; 2], whole: &[Vec3], mirror: &Mirror, is_cut: &mut [bool]) -> bool {
    let [a, b] = pair;
    for _cut in 0..CUTS {
        let thin = pair.map(|body| thickness(&solids[body]));
        let allowed = SHALLOW * thin[0].min(thin[1]);
        let Some((way, depth)) = overlap(&solids[a], &solids[b]).filter(|(_, depth)| *depth > allowed) else {
            return true;
        };
        // The thicker body gives more.
        let thick = pair.map(|body| reach(&solids[body], way));
        let (mut cut_any, surplus) = (false, depth - 0.8 * allowed);
        for (end, way) in [way, -way].into_iter().enumerate() {
            let (body, share) = (pair[end], thick[end] / (thick[0] + thick[1]));
            if !cut(&mut solids[body], whole[body], way, surplus * share) {
                continue;
            }
            (cut_any, is_cut[body]) = (true, true);
            if let Some(other) = mirror.partner(body) {
                let image = solids[body].mirrored(mirror.left, mirror.through);
                solids[other] = Solid { source: solids[other].source, ..image };
                is_cut[other] = true;
                if pair.contains(&other) {
                    break;
                }
            }
        }
        if !cut_any {
            return false;
        }
    }
    overlap(&solids[a], &solids[b]).is_none()
}

/// Takes a slice of some thickness off a shape, at its end in a direction; returns `false` if too little would be left.
fn cut(solid: &mut Solid, whole: Vec3, way: Vec3, by: f32) -> bool {
    let local = solid.turn.inverse() * way;
    let before = solid.half;
    match solid.shape {
        Shape::Box => {
            let axis = (0..3).fold(0, |most, axis| if local[axis].abs() > local[most].abs() { axis } else { most });
            let least = whole[axis] * LEAST;
            let half = (before[axis] - by / local[axis].abs() / 2.0).max(least);
            solid.half[axis] = half;
            let mut shift = Vec3::ZERO;
            shift[axis] = (half - before[axis]) * local[axis].signum();
            solid.centre += solid.turn * shift;
        }
        Shape::Capsule if local.z.abs() > 0.6 && before.z > whole.z * LEAST * 1.001 => {
            let half = (before.z - by / local.z.abs() / 2.0).max(whole.z * LEAST);
            solid.half.z = half;
            solid.centre += solid.turn * (Vec3::Z * ((half - before.z) * local.z.signum()));
        }
        _ => {
            let radius = (before.x - by / 2.0).max(whole.x * LEAST);
            solid.half = match solid.shape {
                Shape::Sphere => Vec3::splat(radius),
                _ => Vec3::new(radius, radius, before.z),
            };
            solid.centre += way * (radius - before.x);
        }
    }
    solid.half != before
}

/// Returns the smallest extent of a shape.
fn thickness(solid: &Solid) -> f32 {
    2.0 * match solid.shape {
        Shape::Sphere | Shape::Capsule => solid.half.x,
        _ => solid.half.min_element(),
    }
}

/// Returns the distance from the centre of a shape to its outermost plane in a direction.
pub(super) fn reach(solid: &Solid, way: Vec3) -> f32 {
    let local = (solid.turn.inverse() * way).abs();
    match solid.shape {
        Shape::Sphere => solid.half.x,
        Shape::Capsule => solid.half.x + solid.half.z * local.z,
        _ => solid.half.dot(local),
    }
}

/// Returns the direction from one shape to the other in which they overlap least, and the depth; `None` if they do not
/// overlap.
fn overlap(a: &Solid, b: &Solid) -> Option<(Vec3, f32)> {
    // Nearest points are approximate.
    if gap(a, b) > NEAR * thickness(a).min(thickness(b)) {
        return None;
    }
    let axes = |solid: &Solid| match solid.shape {
        Shape::Sphere => Vec::new(),
        Shape::Capsule => vec![solid.turn * Vec3::Z],
        _ => [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| solid.turn * axis).to_vec(),
    };
    let [on_a, on_b] = nearest(a, b);
    let thin = thickness(a).min(thickness(b));
    let mut ways = vec![(on_b - on_a) / thin, (b.centre - a.centre) / thin];
    for of_a in axes(a) {
        ways.extend(axes(b).into_iter().map(|of_b| of_a.cross(of_b)));
    }
    // The axis of a capsule leads along it.
    ways.extend(axes(a).into_iter().chain(axes(b)));
    // A shorter one has no sure direction.
    ways.retain(|way| way.length() > 1e-3);
    if ways.is_empty() {
        // Of concentric spheres, each direction is as good.
        ways.push(Vec3::Z);
    }
    let ways = ways.into_iter().map(Vec3::normalize);
    let depth = |way: Vec3| reach(a, way) + reach(b, way) - way.dot(b.centre - a.centre);
    let both = ways.flat_map(|way| [way, -way]).map(|way| (way, depth(way)));
    both.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, depth)| *depth > 0.0)
}

/// Returns the distance between two shapes, Quake units; negative if they overlap.
pub(super) fn gap(a: &Solid, b: &Solid) -> f32 {
    let reach = |solid: &Solid| match solid.shape {
        Shape::Sphere | Shape::Capsule => solid.half.x + solid.half.z,
        _ => solid.half.length(),
    };
    let apart = a.centre.distance(b.centre) - reach(a) - reach(b);
    if apart > 0.0 {
        return apart;
    }
    let [on_a, on_b] = nearest(a, b);
    on_a.distance(on_b) - margin(a) - margin(b)
}

/// Returns the nearest points of two shapes without their round margins.
pub(super) fn nearest(a: &Solid, b: &Solid) -> [Vec3; 2] {
    let mut at = a.centre;
    let mut points = [at, b.centre];
    // Going back and forth between two convex shapes approaches their nearest points.
    for _step in 0..60 {
        let on_b = project(b, at);
        at = project(a, on_b);
        points = [at, on_b];
    }
    points
}

fn margin(solid: &Solid) -> f32 {
    match solid.shape {
        Shape::Sphere | Shape::Capsule => solid.half.x,
        // Points of boxes that overlap meet.
        _ => 1e-3 * solid.half.min_element().min(1.0),
    }
}

/// Returns the point of a shape without its round margin that is nearest to another point.
pub(super) fn project(solid: &Solid, point: Vec3) -> Vec3 {
    let core = match solid.shape {
        Shape::Sphere => Vec3::ZERO,
        Shape::Capsule => Vec3::Z * solid.half.z,
        _ => solid.half,
    };
    let local = solid.turn.inverse() * (point - solid.centre);
    solid.centre + solid.turn * local.clamp(-core, core)
}
