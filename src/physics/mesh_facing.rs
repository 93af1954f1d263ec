//! Meshes that face away from the bodies near them, as those of the wrong winding do.

use glam::Vec3;
use rapier3d::prelude::Collider;

use super::tuning::{MESH_NEAR_DISTANCE, MIN_BACK_SIDES};
use super::{CollisionGroups, Physics, UserData};
use crate::id::LevelBodyId;

/// Sides of a level body that a point sees.
#[derive(Default)]
struct Sides {
    fronts: usize,
    backs: usize,
    /// `true` if a back is below the point.
    below: bool,
}

impl Physics {
    /// Returns the level bodies whose meshes show only backs to a point: below it, or on most sides.
    ///
    /// Each is returned once, and never after it has shown a front. A level that tells what is solid has the right
    /// winding.
    pub(crate) fn facing_away(&mut self, from: Vec3) -> Vec<LevelBodyId> {
        if !from.is_finite() || self.state.level_bodies.is_empty() {
            return Vec::new();
        }
        let down = self.world.gravity.normalize_or_zero();
        let mut found: Vec<(LevelBodyId, Sides)> = Vec::new();
        for direction in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]) {
            let Some((body, is_back)) = self.mesh_in(from, direction) else { continue };
            let place = found.iter().position(|(other, _)| *other == body).unwrap_or_else(|| {
                found.push((body, Sides::default()));
                found.len() - 1
            });
            let sides = &mut found[place].1;
            *(if is_back { &mut sides.backs } else { &mut sides.fronts }) += 1;
            sides.below |= is_back && direction.dot(down) > 0.9;
        }
        found.retain(|(body, sides)| {
            let is_away = sides.fronts == 0 && (sides.below || sides.backs >= MIN_BACK_SIDES);
            let is_new = (sides.fronts > 0 || is_away) && !self.state.facing_reported.contains(body);
            self.state.facing_reported.extend(is_new.then_some(*body));
            is_new && is_away
        });
        found.into_iter().map(|(body, _)| body).collect()
    }

    /// Returns the mesh of the level that a line in a direction meets first, and `true` if it meets the back of a face.
    fn mesh_in(&self, from: Vec3, direction: Vec3) -> Option<(LevelBodyId, bool)> {
        let of = |collider: &Collider| match UserData::from_bits(collider.user_data) {
            Some(UserData::Level { body, .. }) => Some(body),
            _ => None,
        };
        let hit =
            self.cast_line(from, from + direction * MESH_NEAR_DISTANCE, CollisionGroups::LEVEL, &|_, collider| {
                of(collider).is_some()
            })?;
        let collider = self.world.colliders.get(hit.collider)?;
        let body = of(collider).filter(|body| self.state.solids.iter().all(|solid| solid.body != *body))?;
        let mesh = collider.shape().as_trimesh()?;
        let triangles = mesh.indices().len() as u32;
        let normal = mesh.triangle(hit.triangle? % triangles.max(1)).normal()?;
        Some((body, (collider.rotation() * normal).dot(direction) > 0.0))
    }
}
