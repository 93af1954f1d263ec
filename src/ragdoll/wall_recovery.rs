//! Bodies that an animation put into or behind a wall: led back the way they came.
//!
//! Faces are solid on their front only, so a body that is released behind them would fall out of the world, and one
//! in a floor would stay there. Boxes and hulls push out a body on the side that is nearest to it, and squeeze the
//! joints of a limb that is half through them. Nothing stops a body that follows an animation exactly; so bodies are
//! examined when they are released, and a pull ends in front of the wall.

use glam::Vec3;
use rapier3d::prelude::Pose;

use super::bone_transfer::Link;
use super::drive_mode::Drive;
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
        let mut now = Vec::new();
        let speed = WALL_RETURN_SPEED * self.speed_scale(physics);
        let mut entity = None;
        // For each body: the point in the open from which its children are sought, and if it is the body's own.
        let mut open: Vec<Option<(Vec3, bool)>> = vec![None; self.state.bodies.len()];
        for (number, link) in self.with_links() {
            let body = &self.state.bodies[number];
            let Some(at) = self.place(number, physics).map(|pose| pose.translation) else { continue };
            let nearest = link.and_then(|link| open[link.parent]);
            let behind = nearest.map(|(place, _)| (place, false));
            if body.drive() == Drive::Exact || physics.is_squeezed(body.handle) {
                open[number] = if physics.is_open(at) { Some((at, true)) } else { behind };
                continue;
            }
            let (is_released, is_astray) = (released.contains(&number), before.contains(&number));
            let follows = || nearest.is_some_and(|(_, is_own)| !is_own);
            let is_lost = again && (follows() || self.is_lost(number, link, physics))
                || pulls && body.is_pulled() && physics.is_solid_level(at);
            if !(is_released || is_astray || is_lost) {
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
            let bends = |link: &Link| is_attached && !self.is_cut_off(link, tip, physics);
            let Some(wall) = physics.first_wall(from, tip).filter(|_| !link.is_some_and(bends)) else {
                open[number] = Some((at, true));
                continue;
            };
            open[number] = behind;
            if body.is_pulled() || self.state.wall_recovery.left > 0.0 {
                now.push(number);
                // The wall would hold a limb in the open beyond it, and push one in it out on either side.
                physics.set_passes_walls(body.handle, true);
                let mut way = (from - tip) * (1.0 - wall.share);
                if is_attached && wall.normal != Vec3::ZERO {
                    // Joints keep a limb that lies along the wall from coming nearer to its parent.
                    way = way.project_onto_normalized(wall.normal);
                }
                lead_back(body, way, is_attached, speed, physics);
            }
        }
        for number in before {
            if !now.contains(&number) {
                physics.set_passes_walls(self.state.bodies[number].handle, false);
            }
        }
        self.state.wall_recovery.bodies = now;
        if self.state.wall_recovery.is_under_way() {
            self.state.wall_recovery.left = (self.state.wall_recovery.left - physics.step_time()).max(0.0);
        }
    }

    /// Makes the next step examine the bodies again if one is in or behind a wall, where others may have drawn it.
    pub(super) fn find_bodies_in_walls(&mut self, physics: &Physics) {
        let is_free = |number: usize| {
            let body = &self.state.bodies[number];
            body.drive() != Drive::Exact && !physics.is_squeezed(body.handle)
        };
        let link = |number: usize| self.state.gap_fixes.iter().find(|link| link.child == number);
        let mut bodies = 0..self.state.bodies.len();
        self.state.wall_recovery.again |= self.state.wall_recovery.left > 0.0
            && bodies.any(|number| is_free(number) && self.is_lost(number, link(number), physics));
    }

    /// Returns `true` if a body is in a wall, or a wall is between it and the body that carries it.
    fn is_lost(&self, number: usize, link: Option<&Link>, physics: &Physics) -> bool {
        let handle = self.state.bodies[number].handle;
        let Some(at) = self.place(number, physics).map(|pose| pose.translation) else { return false };
        let is_cut_off = |link: &Link| {
            let from = self.place(link.parent, physics).map(|pose| pose.translation);
            from.is_some_and(|from| physics.first_wall(from, at).is_some()) && self.is_cut_off(link, at, physics)
        };
        physics.is_solid_level(at)
            || physics.is_at_wall(handle) && (physics.is_in_shape(at) || link.is_some_and(is_cut_off))
    }

    /// Returns `true` if a wall is on the way from a body over its joint to a point of the body that it carries. At an
    /// edge, the line between two bodies may enter the wall, and the joint does not.
    fn is_cut_off(&self, link: &Link, tip: Vec3, physics: &Physics) -> bool {
        let [Some(parent), Some(child)] = [link.parent, link.child].map(|body| self.place(body, physics)) else {
            return false;
        };
        let joint = child.transform_point(link.anchor(self));
        physics.first_wall(parent.translation, joint).or_else(|| physics.first_wall(joint, tip)).is_some()
    }

    /// Returns the pose of a body in the world.
    fn place(&self, number: usize, physics: &Physics) -> Option<Pose> {
        physics.world().bodies.get(self.state.bodies[number].handle).map(|built| *built.position())
    }

    /// Returns all bodies, each after its parent, the body that carries it.
    fn with_links(&self) -> Vec<(usize, Option<&Link>)> {
        let mut hangs = vec![false; self.state.bodies.len()];
        self.state.gap_fixes.iter().for_each(|link| hangs[link.child] = true);
        let roots = (0..self.state.bodies.len()).filter(|body| !hangs[*body]).map(|body| (body, None));
        roots.chain(self.state.gap_fixes.iter().map(|link| (link.child, Some(link)))).collect()
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
