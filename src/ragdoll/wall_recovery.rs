//! Bodies that an animation put into or behind a wall: led back the way they came.
//!
//! Faces are solid on their front only, so a body that is released behind them would fall out of the world, and one
//! in a floor would stay there. Nothing stops a body that follows an animation exactly; so bodies are examined when
//! they are released, and a pull ends in front of the wall.

use glam::Vec3;

use super::drive::Drive;
use super::tuning::{ENTITY_NEAR_DISTANCE, OPEN_POINT_HEIGHTS, WALL_RETURN_SPEED, WALL_RETURN_TIME};
use super::{RagBody, Ragdoll};
use crate::physics::Physics;

/// Bodies on their way back from walls.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct WallRecovery {
    /// Bodies that were released and that the next step has to examine.
    released: Vec<usize>,
    /// `true` if the next step has to examine the bodies in walls.
    again: bool,
    bodies: Vec<usize>,
    /// Seconds until bodies that have not come back are left where they are.
    left: f32,
}

impl WallRecovery {
    /// Returns the state of a ragdoll with this number of bodies, all of which were just released.
    pub(super) fn all_released(bodies: usize) -> Self {
        Self { released: (0..bodies).collect(), again: false, bodies: Vec::new(), left: WALL_RETURN_TIME }
    }

    /// Makes the next step examine a body that is released.
    pub(super) fn release(&mut self, body: usize) {
        if !self.released.contains(&body) {
            self.released.push(body);
        }
        self.left = WALL_RETURN_TIME;
    }

    /// Returns the state of a ragdoll in place of this one, with this number of other bodies.
    pub(super) fn renewed(&self, bodies: usize) -> Self {
        let released = if self.released.is_empty() { 0..0 } else { 0..bodies };
        Self { released: released.collect(), bodies: Vec::new(), ..*self }
    }

    /// Returns `true` if bodies are on their way back.
    pub(super) fn is_under_way(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// Adds a body that may not exist.
    #[cfg(all(test, feature = "serde"))]
    pub(super) fn lose(&mut self, body: usize) {
        self.bodies.push(body);
    }

    /// Returns `true` if the bodies exist.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self, bodies: usize) -> bool {
        self.bodies.iter().chain(&self.released).all(|body| *body < bodies)
            && (0.0..=WALL_RETURN_TIME).contains(&self.left)
    }
}

impl Ragdoll {
    /// Finds released bodies that are in or behind walls, and leads them back. Call it before every step, after bodies
    /// that are pulled have their velocities.
    ///
    /// The way to a body starts at the nearest of its parents in the open, or at the entity if none is.
    pub(super) fn lead_out_of_walls(&mut self, physics: &mut Physics) {
        let recovery = &mut self.state.wall_recovery;
        let (released, again) = (std::mem::take(&mut recovery.released), std::mem::take(&mut recovery.again));
        let pulls = physics.has_solids() && self.state.bodies.iter().any(RagBody::is_pulled);
        if released.is_empty() && !again && !pulls && !self.state.wall_recovery.is_under_way() {
            return;
        }
        let before = std::mem::take(&mut self.state.wall_recovery.bodies);
        let speed = WALL_RETURN_SPEED * self.speed_scale(physics);
        let mut entity = None;
        // For each body: the point in the open from which its children are sought, and if it is the body's own.
        let mut open: Vec<Option<(Vec3, bool)>> = vec![None; self.state.bodies.len()];
        for (number, parent) in self.with_parents() {
            let body = &self.state.bodies[number];
            let Some(at) = physics.world().bodies.get(body.handle).map(|built| built.translation()) else { continue };
            let nearest = parent.and_then(|parent| open[parent]);
            let behind = nearest.map(|(place, _)| (place, false));
            if body.drive() == Drive::Exact || physics.is_squeezed(body.handle) {
                open[number] = if physics.is_open(at) { Some((at, true)) } else { behind };
                continue;
            }
            let (is_released, is_astray) = (released.contains(&number), before.contains(&number));
            let may_be_lost = again || (pulls && body.is_pulled());
            if !(is_released || is_astray || may_be_lost && physics.is_solid(at)) {
                open[number] = Some((at, true));
                continue;
            }
            let start = nearest.or_else(|| {
                let place = *entity.get_or_insert_with(|| self.open_point(physics));
                place.map(|place| (place, false))
            });
            let Some((from, is_attached)) = start else { continue };
            // A body that comes back stops in front of the wall, not in the middle of it.
            let beyond = if is_astray { physics.thickness(body.handle) } else { 0.0 };
            let tip = at + (at - from).normalize_or_zero() * beyond;
            let Some(share) = physics.first_wall(from, tip) else {
                open[number] = Some((at, true));
                continue;
            };
            open[number] = behind;
            if body.is_pulled() || self.state.wall_recovery.left > 0.0 {
                self.state.wall_recovery.bodies.push(number);
                // The wall would hold a limb in the open beyond it.
                if behind.is_some() && !is_attached && physics.is_open(at) {
                    physics.set_passes_walls(body.handle, true);
                }
                lead_back(body, (from - tip) * (1.0 - share), is_attached, speed, physics);
            }
        }
        for number in before {
            if !self.state.wall_recovery.bodies.contains(&number) {
                physics.set_passes_walls(self.state.bodies[number].handle, false);
            }
        }
        if self.state.wall_recovery.is_under_way() {
            self.state.wall_recovery.left = (self.state.wall_recovery.left - physics.step_time()).max(0.0);
        }
    }

    /// Makes the next step examine the bodies again if one is in a wall, where others may have drawn it.
    pub(super) fn find_bodies_in_walls(&mut self, physics: &Physics) {
        let at = |body: &RagBody| physics.world().bodies.get(body.handle).map(|built| built.translation());
        let is_lost = |body: &RagBody| {
            body.drive() != Drive::Exact
                && !physics.is_squeezed(body.handle)
                && at(body).is_some_and(|at| physics.is_solid(at))
        };
        self.state.wall_recovery.again |=
            self.state.wall_recovery.left > 0.0 && physics.has_solids() && self.state.bodies.iter().any(is_lost);
    }

    /// Returns all bodies, each after its parent, the body that carries it.
    fn with_parents(&self) -> Vec<(usize, Option<usize>)> {
        let mut hangs = vec![false; self.state.bodies.len()];
        self.state.gap_fixes.iter().for_each(|link| hangs[link.child] = true);
        let roots = (0..self.state.bodies.len()).filter(|body| !hangs[*body]).map(|body| (body, None));
        roots.chain(self.state.gap_fixes.iter().map(|link| (link.child, Some(link.parent)))).collect()
    }

    /// Returns a point in the open near the bodies: the entity's origin, raised a little where the room allows because
    /// some games have it on the floor, or the first body that is in the open.
    fn open_point(&self, physics: &Physics) -> Option<Vec3> {
        let up = -physics.world().gravity.normalize_or_zero();
        let places = self.state.bodies.iter().filter_map(|body| physics.world().bodies.get(body.handle));
        let places: Vec<Vec3> = places.map(|built| built.translation()).collect();
        let origin = self.state.entity_motion.entity().origin();
        let near = ENTITY_NEAR_DISTANCE * self.travel_scale(physics);
        // Some hosts pass the origin of the world in place of the entity's.
        if places.iter().any(|place| place.distance_squared(origin) < near * near) {
            let lifted = OPEN_POINT_HEIGHTS.map(|lift| origin + up * (lift * self.state.size));
            let lowest = lifted[lifted.len() - 1];
            let has_room = |place: &Vec3| physics.is_open(*place) && physics.first_wall(lowest, *place).is_none();
            if let Some(place) = lifted.into_iter().chain([origin]).find(has_room) {
                return Some(place);
            }
        }
        places.into_iter().find(|place| physics.is_open(*place))
    }
}

impl RagBody {
    pub(super) fn is_pulled(&self) -> bool {
        matches!(self.drive(), Drive::Pulled(_))
    }
}

/// Gives a body a velocity along the way back, at most `speed`. With a parent in the open, it keeps its motion across
/// that way; if its parent is behind the wall, too, it has nothing under it and would fall.
fn lead_back(body: &RagBody, way: Vec3, has_open_parent: bool, speed: f32, physics: &mut Physics) {
    let (step, gravity) = (physics.step_time(), physics.world().gravity);
    let Some(built) = physics.world_mut().bodies.get_mut(body.handle) else { return };
    let wanted = (way / step).clamp_length_max(speed);
    let direction = wanted.normalize_or_zero();
    let velocity = built.linvel();
    let led = if has_open_parent {
        velocity + direction * (wanted.dot(direction) - velocity.dot(direction)).max(0.0)
    } else {
        wanted - gravity * step
    };
    built.set_linvel(led, true);
}
