//! Bodies that overlap without a joint between them.

use super::shapes::Solid;
use crate::doll::Shape;
use crate::math::Vec3;

/// Share of its size that each of two overlapping bodies keeps in a step.
const SHRINK: f32 = 0.95;
/// Share of its size that a body keeps at least.
const LEAST: f32 = 0.6;

/// Shrinks bodies that overlap without a joint. Returns how much of its size each body kept, and the pairs that still
/// overlap.
pub(super) fn separate(solids: &mut [Solid], is_jointed: impl Fn(usize, usize) -> bool) -> (Vec<f32>, Vec<[usize; 2]>) {
    let mut kept = vec![1.0_f32; solids.len()];
    let mut pairs = Vec::new();
    for a in 0..solids.len() {
        for b in a + 1..solids.len() {
            if !is_jointed(a, b) && gap(&solids[a], &solids[b]) < 0.0 {
                pairs.push([a, b]);
            }
        }
    }
    let mut left = Vec::new();
    for [a, b] in pairs {
        while gap(&solids[a], &solids[b]) < 0.0 {
            let mut shrunk = false;
            for body in [a, b] {
                if kept[body] * SHRINK >= LEAST {
                    kept[body] *= SHRINK;
                    solids[body] = solids[body].scaled(SHRINK);
                    shrunk = true;
                }
            }
            if !shrunk {
                left.push([a, b]);
                break;
            }
        }
    }
    (kept, left)
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
        _ => 1e-3,
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
