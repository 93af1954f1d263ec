//! Meshes that face away from the bodies near them, as those of the wrong winding do.

use glam::Vec3;
use rapier3d::prelude::Collider;

use super::tuning::{MESH_NEAR_DISTANCE, MIN_BACK_SIDES, NARROW_ROOM};
use super::{CollisionGroups, Physics, UserData};
use crate::id::LevelBodyId;

/// Sides of a level body that a point sees.
struct Sides {
    fronts: usize,
    backs: usize,
    /// Least distance between two backs on opposite sides, units.
    narrowest: f32,
    /// `true` if a back is below the point.
    below: bool,
}

impl Physics {
    /// Returns the level bodies whose meshes show only backs to a point: below it, or on most sides.
    ///
    /// Each is returned once, and never after it has shown a front, to the point or to one of the `others` around it. A
    /// point in a wall sees only backs: they are nearer to each other than the sides of a room with the `others` in it.
    /// A level that tells what is solid has the right winding.
    pub(crate) fn facing_away(&mut self, from: Vec3, others: &[Vec3]) -> Vec<LevelBodyId> {
        if !from.is_finite() || self.state.level_bodies.is_empty() {
            return Vec::new();
        }
        let down = self.world.gravity.normalize_or_zero();
        let mut found: Vec<(LevelBodyId, Sides)> = Vec::new();
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mut opposite = None;
            for direction in [axis, -axis] {
                let Some((body, is_back, distance)) = self.mesh_on(from, from + direction * MESH_NEAR_DISTANCE) else {
                    continue;
                };
                let place = found.iter().position(|(other, _)| *other == body).unwrap_or_else(|| {
                    let narrowest = f32::INFINITY;
                    found.push((body, Sides { fronts: 0, backs: 0, narrowest, below: false }));
                    found.len() - 1
                });
                let sides = &mut found[place].1;
                *(if is_back { &mut sides.backs } else { &mut sides.fronts }) += 1;
                sides.below |= is_back && direction.dot(down) > 0.9;
                match opposite {
                    Some((other, width)) if is_back && other == body => {
                        sides.narrowest = sides.narrowest.min(width + distance);
                    }
                    _ => opposite = is_back.then_some((body, distance)),
                }
            }
        }
        let [mins, maxs] = others.iter().fold([from; 2], |[mins, maxs], other| [mins.min(*other), maxs.max(*other)]);
        let narrow = (maxs - mins).max_element() * NARROW_ROOM;
        for (body, sides) in found.iter_mut().filter(|(_, sides)| sides.fronts == 0) {
            let is_front =
                |other: &Vec3| self.mesh_on(*other, from).is_some_and(|(seen, is_back, _)| seen == *body && !is_back);
            let is_in_wall = sides.narrowest < narrow;
            sides.fronts = usize::from(is_in_wall || others.iter().any(is_front));
        }
        found.retain(|(body, sides)| {
            let is_away = sides.fronts == 0 && (sides.below || sides.backs >= MIN_BACK_SIDES);
            let is_new = (sides.fronts > 0 || is_away) && !self.state.facing_reported.contains(body);
            self.state.facing_reported.extend(is_new.then_some(*body));
            is_new && is_away
        });
        found.into_iter().map(|(body, _)| body).collect()
    }

    /// Returns the mesh of the level that a line meets first, `true` if it meets the back of a face, and the distance.
    fn mesh_on(&self, from: Vec3, to: Vec3) -> Option<(LevelBodyId, bool, f32)> {
        let of = |collider: &Collider| UserData::level_body(collider.user_data);
        let hit = self.cast_line(from, to, CollisionGroups::LEVEL, &|_, collider| of(collider).is_some())?;
        let collider = self.world.colliders.get(hit.collider)?;
        let body = of(collider).filter(|body| self.state.solids.iter().all(|solid| solid.body != *body))?;
        let mesh = collider.shape().as_trimesh()?;
        let triangles = mesh.indices().len() as u32;
        let normal = mesh.triangle(hit.triangle? % triangles.max(1)).normal()?;
        Some((body, (collider.rotation() * normal).dot(to - from) > 0.0, hit.fraction * from.distance(to)))
    }
}
