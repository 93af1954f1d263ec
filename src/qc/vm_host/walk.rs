//! Steps of monsters, by the rules of Quake.

use skelobj_model::internal::{cosf, sinf};

use super::MachineCall;
use crate::math::{Vec3, truncate};
use crate::physics::CollisionGroups;
use crate::qc::call::TRACE;
use crate::qc::script_host::GAP;
use crate::qc::vm::{Field, Progs};
use crate::qc::{Entity, Host as _, ScriptTrace};
use crate::runtime::{Hit, Runtime, Trace, TraceError};

/// Height of a step that a monster takes, Quake units.
const STEP: f32 = 18.0;
/// Least and greatest height of a flying or swimming monster above its enemy.
const HOVER: [f32; 2] = [30.0, 40.0];
/// Way up or down of such a monster in a step.
const CLIMB: f32 = 8.0;
/// Difference of two coordinates that a monster overlooks.
const NEAR: f32 = 10.0;

/// Greatest way down to a floor, Quake units.
const FLOOR_DISTANCE: f32 = 256.0;
/// Least height of the normal of a surface on which a monster lands.
const GROUND: f32 = 0.7;
/// Maximum number of surfaces along which a fall goes in a frame.
const BUMPS: usize = 4;
/// Maximum speed of a fall along an axis, units/s.
const FASTEST: f32 = 2000.0;

/// Bits of `flags`.
const FLIES: i32 = 1;
const SWIMS: i32 = 2;
const MONSTER: i32 = 32;
const ON_GROUND: i32 = 512;
const PARTIAL_GROUND: i32 = 1024;

/// Values of `solid` of entities that block others: two with boxes, and parts of the map.
const BLOCKING: [i32; 3] = [2, 3, MAP_PART];
const MAP_PART: i32 = 4;

/// Bits of a trace's `nomonsters`: it hits only parts of the map; monsters are as wide as for missiles.
const NO_MONSTERS: i32 = 1;
const MISSILE: i32 = 2;
/// Half of a missile's width where it meets a monster, Quake units.
const MISSILE_SIZE: f32 = 15.0;

/// Places of the fields that steps use.
#[derive(Clone, Copy)]
pub(super) struct WalkPlaces {
    origin: Option<Field>,
    angles: Option<Field>,
    mins: Option<Field>,
    maxs: Option<Field>,
    absmin: Option<Field>,
    absmax: Option<Field>,
    flags: Option<Field>,
    solid: Option<Field>,
    ground: Option<Field>,
    enemy: Option<Field>,
    goal: Option<Field>,
    velocity: Option<Field>,
    owner: Option<Field>,
    ideal_yaw: Option<Field>,
}

impl WalkPlaces {
    pub(super) fn new(progs: &Progs) -> Self {
        let field = |name: &str| progs.field(name.as_bytes());
        Self {
            origin: field("origin"),
            angles: field("angles"),
            mins: field("mins"),
            maxs: field("maxs"),
            absmin: field("absmin"),
            absmax: field("absmax"),
            flags: field("flags"),
            solid: field("solid"),
            ground: field("groundentity"),
            enemy: field("enemy"),
            goal: field("goalentity"),
            velocity: field("velocity"),
            owner: field("owner"),
            ideal_yaw: field("ideal_yaw"),
        }
    }
}

/// Steps of the entity in `self`.
pub(super) struct Walker<'c, 'm> {
    call: &'c mut MachineCall<'m>,
    runtime: &'c Runtime,
    places: WalkPlaces,
    this: u32,
}

impl<'c, 'm> Walker<'c, 'm> {
    /// Returns the walker of the entity in `self`.
    pub(super) fn new(call: &'c mut MachineCall<'m>, runtime: &'c Runtime) -> Self {
        let this = call.environment.this.map_or(0, |this| call.machine.global(this));
        let places = call.environment.walk;
        Self { call, runtime, places, this }
    }

    /// Returns the walker of another entity.
    pub(super) fn of(self, entity: u32) -> Self {
        Self { this: entity, ..self }
    }

    fn float(&self, entity: u32, field: Option<Field>) -> f32 {
        let value = field.and_then(|field| self.call.machine.field_float(entity, field).ok()).unwrap_or(0.0);
        if value.is_finite() { value } else { 0.0 }
    }

    fn vector(&self, entity: u32, field: Option<Field>) -> Vec3 {
        let value = field.and_then(|field| self.call.machine.field_vector(entity, field).ok()).unwrap_or_default();
        let value = Vec3::from(value);
        if value.is_finite() { value } else { Vec3::ZERO }
    }

    fn entity(&self, field: Option<Field>) -> u32 {
        self.entity_of(self.this, field)
    }

    fn entity_of(&self, entity: u32, field: Option<Field>) -> u32 {
        let entity = field.and_then(|field| self.call.machine.field(entity, field).ok()).unwrap_or(0);
        if entity < self.call.machine.entity_count() { entity } else { 0 }
    }

    fn set_float(&mut self, field: Option<Field>, value: f32) {
        let set = field.map_or(Ok(()), |field| self.call.machine.set_field_float(self.this, field, value));
        self.call.check(set);
    }

    fn set_vector(&mut self, field: Option<Field>, value: Vec3) {
        let set = field.map_or(Ok(()), |field| self.call.machine.set_field_vector(self.this, field, value.to_array()));
        self.call.check(set);
    }

    fn flags(&self) -> i32 {
        truncate(self.float(self.this, self.places.flags))
    }

    fn origin(&self) -> Vec3 {
        self.vector(self.this, self.places.origin)
    }

    /// Returns the corners of the entity's box.
    fn corners(&self, entity: u32) -> [Vec3; 2] {
        [self.places.mins, self.places.maxs].map(|field| self.vector(entity, field))
    }

    fn place(&mut self, origin: Vec3) {
        self.set_vector(self.places.origin, origin);
        let linked = self.call.machine.link_entity(self.this);
        self.call.check(linked);
    }

    fn trace(&self, from: Vec3, to: Vec3, [mins, maxs]: [Vec3; 2]) -> Result<Option<Hit>, TraceError> {
        self.call.charge(TRACE);
        let trace = Trace::line(from, to).with_box(mins, maxs).with_groups(CollisionGroups::LEVEL);
        self.runtime.trace(&trace)
    }

    /// Returns the entities that block this one, except for its owner and what it owns: number, `solid`, and the box in
    /// which the origin of a box with these corners overlaps theirs.
    fn blocking(&self, [mins, maxs]: [Vec3; 2]) -> impl Iterator<Item = (u32, i32, [Vec3; 2])> {
        let count = self.call.machine.entity_count();
        let count = if self.call.charge(count.into()) { count } else { 0 };
        let owner = self.entity_of(self.this, self.places.owner);
        (1..count).filter(move |other| *other != self.this && *other != owner).filter_map(move |other| {
            let solid = truncate(self.float(other, self.places.solid));
            if !BLOCKING.contains(&solid) || !self.call.machine.is_entity_alive(other) {
                return None;
            }
            let owner = self.entity_of(other, self.places.owner);
            let (origin, [low, high]) = (self.vector(other, self.places.origin), self.corners(other));
            // Two points do not meet, nor does a box meet one.
            let blocks = low != high && (owner == 0 || owner != self.this);
            blocks.then_some((other, solid, [origin + low - maxs, origin + high - mins]))
        })
    }

    /// Returns the entity that is in the way at a place and was not before.
    fn blocker(&self, from: Vec3, to: Vec3) -> Option<u32> {
        let mut blocking = self.blocking(self.corners(self.this)).filter(|(_, solid, _)| *solid != MAP_PART);
        blocking.find(|(.., bounds)| is_in(to, *bounds) && !is_in(from, *bounds)).map(|(other, ..)| other)
    }

    /// Shortens the result of a trace of the level by the entities that it meets, except for this one.
    pub(super) fn clip(&self, trace: &Trace, result: &mut ScriptTrace, kinds: i32) {
        let has_map = !self.call.environment.brush_models.is_empty();
        for (other, solid, [low, high]) in self.blocking([trace.mins, trace.maxs]) {
            let entity = Some(Entity(other.into()));
            if solid == MAP_PART && has_map {
                // The level has the part's shape; the hit of the level is one of the part if it is on its box.
                let is_hit = result.normal != Vec3::ZERO && is_in(result.end, [low - 1.0, high + 1.0]);
                result.entity = result.entity.or(entity.filter(|_| is_hit));
                continue;
            }
            if solid != MAP_PART && kinds & NO_MONSTERS != 0 {
                continue;
            }
            let is_wide = kinds & MISSILE != 0 && truncate(self.float(other, self.places.flags)) & MONSTER != 0;
            let bounds = match is_wide {
                true => [low + trace.maxs - MISSILE_SIZE, high + trace.mins + MISSILE_SIZE],
                false => [low, high],
            };
            let Some((enters, leaves, axis)) = crossing(trace, bounds) else { continue };
            if enters < 0.0 {
                result.start_solid = true;
                result.all_solid |= leaves > 1.0;
                result.entity = result.entity.or(entity);
                continue;
            }
            let way = f64::from(trace.end[axis]) - f64::from(trace.start[axis]);
            let fraction = (enters - f64::from(GAP) / way.abs()).max(0.0) as f32;
            if fraction < result.fraction {
                let mut normal = Vec3::ZERO;
                normal[axis] = -way.signum() as f32;
                let end = trace.start * (1.0 - fraction) + trace.end * fraction;
                let side = if way > 0.0 { bounds[0] } else { bounds[1] };
                *result = ScriptTrace { fraction, end, normal, distance: normal.dot(side), entity, ..*result };
            }
        }
    }

    /// Returns `true` if the entity stands on the level with all corners: nowhere is the ground a step lower than in
    /// the middle.
    pub(super) fn stands(&self) -> bool {
        let (origin, [mins, maxs]) = (self.origin(), self.corners(self.this));
        let (low, high) = (origin + mins, origin + maxs);
        let corners = [(low.x, low.y), (low.x, high.y), (high.x, low.y), (high.x, high.y)];
        let is_solid = |(x, y)| self.runtime.physics().is_solid(Vec3::new(x, y, low.z - 1.0));
        self.call.charge(4 * TRACE);
        if corners.into_iter().all(is_solid) {
            return true;
        }
        let ground = |x: f32, y: f32| {
            let from = Vec3::new(x, y, low.z);
            let hit = self.trace(from, from - Vec3::Z * (2.0 * STEP), [Vec3::ZERO; 2]);
            hit.ok().flatten().map(|hit| hit.point.z)
        };
        let Some(middle) = ground((low.x + high.x) * 0.5, (low.y + high.y) * 0.5) else { return false };
        corners.into_iter().all(|(x, y)| ground(x, y).is_some_and(|height| middle - height <= STEP))
    }

    /// Moves the entity down to the level, and returns `true` if it then stands on it.
    pub(super) fn drop_to_floor(&mut self) -> bool {
        let (from, corners) = (self.origin(), self.corners(self.this));
        let below = from - Vec3::Z * FLOOR_DISTANCE;
        // A box whose corners are exchanged is nowhere.
        let hit = self.trace(from, below, corners).ok().flatten();
        let stopped = ScriptTrace::before(hit, from, below);
        if stopped.normal == Vec3::ZERO {
            return false;
        }
        self.place(stopped.end);
        self.set_float(self.places.flags, (self.flags() | ON_GROUND) as f32);
        self.stand_on_level();
        true
    }

    /// Walks, flies or swims a distance in a direction, degrees. Returns `true` if the entity moved.
    pub(super) fn walk(&mut self, yaw: f32, distance: f32) -> bool {
        self.flags() & (ON_GROUND | FLIES | SWIMS) != 0 && self.step(direction(yaw) * distance)
    }

    fn step(&mut self, motion: Vec3) -> bool {
        if self.flags() & (FLIES | SWIMS) != 0 {
            return self.fly(motion);
        }
        let (from, corners) = (self.origin(), self.corners(self.this));
        let is_partial = self.flags() & PARTIAL_GROUND != 0;
        let to = from + motion;
        // Without room for a whole step up, the way ahead may be free.
        let is_free = |lift: &Vec3| matches!(self.trace(from + *lift, to + *lift, corners), Ok(None));
        let Some(lift) = [Vec3::Z * STEP, Vec3::ZERO].into_iter().find(is_free) else { return false };
        let Ok(down) = self.trace(to + lift, to - Vec3::Z * STEP, corners) else { return false };
        let Some(hit) = down else {
            // Over an edge.
            if is_partial {
                self.place(to);
                self.set_float(self.places.flags, (self.flags() & !ON_GROUND) as f32);
            }
            return is_partial;
        };
        // What it comes down on beside itself is a wall.
        if hit.normal.z <= 0.0 || self.blocker(from, hit.point).is_some() {
            return false;
        }
        self.place(hit.point);
        if !self.stands() {
            if !is_partial {
                self.place(from);
            }
            return is_partial;
        }
        if is_partial {
            self.set_float(self.places.flags, (self.flags() & !PARTIAL_GROUND) as f32);
        }
        self.stand_on_level();
        true
    }

    /// Sets the ground to the world, to which the level belongs.
    fn stand_on_level(&mut self) {
        let set = self.places.ground.map_or(Ok(()), |ground| self.call.machine.set_field(self.this, ground, 0));
        self.call.check(set);
    }

    /// Falls for a time, unless the entity is on the ground, flies or swims. Returns what it hit last, 0 for the level.
    pub(super) fn fall(&mut self, gravity: f32, time: f32) -> Option<u32> {
        if self.flags() & (ON_GROUND | FLIES | SWIMS) != 0 {
            return None;
        }
        let fastest = Vec3::splat(FASTEST);
        let falling = self.vector(self.this, self.places.velocity) - Vec3::Z * (gravity * time);
        let (mut velocity, corners) = (falling.clamp(-fastest, fastest), self.corners(self.this));
        let (mut left, mut touched) = (time, None);
        for _ in 0..BUMPS {
            let from = self.origin();
            let to = from + velocity * left;
            let Ok(hit) = self.trace(from, to, corners) else { break };
            let end = hit.map_or(to, |hit| hit.point);
            if let Some(other) = self.blocker(from, end) {
                (touched, velocity) = (Some(other), Vec3::ZERO);
                break;
            }
            self.place(end);
            let Some(hit) = hit else { break };
            touched = Some(0);
            left *= 1.0 - hit.fraction;
            velocity -= hit.normal * velocity.dot(hit.normal).min(0.0);
            if hit.normal.z > GROUND {
                self.set_float(self.places.flags, (self.flags() | ON_GROUND) as f32);
                self.stand_on_level();
            }
        }
        self.set_vector(self.places.velocity, velocity);
        touched
    }

    /// Moves through air or water, first to the height of the enemy.
    fn fly(&mut self, motion: Vec3) -> bool {
        let (from, corners, enemy) = (self.origin(), self.corners(self.this), self.entity(self.places.enemy));
        let above = from.z - self.vector(enemy, self.places.origin).z;
        let climb = match above {
            _ if enemy == 0 => 0.0,
            above if above > HOVER[1] => -CLIMB,
            above if above < HOVER[0] => CLIMB,
            _ => 0.0,
        };
        for to in [from + motion + Vec3::Z * climb, from + motion] {
            if matches!(self.trace(from, to, corners), Ok(None)) && self.blocker(from, to).is_none() {
                let is_wet = || {
                    self.call.charge(self.runtime.physics().waters().count() as u64);
                    self.runtime.physics().waters().any(|(_, water)| water.contains(to))
                };
                if self.flags() & SWIMS != 0 && !is_wet() {
                    return false;
                }
                self.place(to);
                return true;
            }
            if enemy == 0 {
                break;
            }
        }
        false
    }

    /// Turns to a direction and takes a step there, if the entity looks that way already.
    fn step_to(&mut self, yaw: f32, distance: f32) -> bool {
        self.set_float(self.places.ideal_yaw, yaw);
        let turned = self.call.machine.change_yaw(self.this);
        self.call.check(turned);
        let turned = self.vector(self.this, self.places.angles).y;
        let from = self.origin();
        let moved = self.step(direction(yaw) * distance);
        let off = turned - yaw;
        if moved && off > 45.0 && off < 315.0 {
            self.place(from);
        }
        moved
    }

    /// Takes a step towards `goalentity`, or in another direction if something is in the way.
    pub(super) fn approach(&mut self, distance: f32) {
        let goal = self.entity(self.places.goal);
        if self.flags() & (ON_GROUND | FLIES | SWIMS) == 0 {
            return;
        }
        if self.entity(self.places.enemy) != 0 && self.is_near(goal, distance) {
            return;
        }
        let ideal = self.float(self.this, self.places.ideal_yaw);
        if self.lot() & 3 == 1 || !self.step_to(ideal, distance) {
            self.turn_to(goal, distance);
        }
    }

    fn is_near(&self, other: u32, distance: f32) -> bool {
        let own = [self.places.absmin, self.places.absmax].map(|field| self.vector(self.this, field));
        let of_other = [self.places.absmin, self.places.absmax].map(|field| self.vector(other, field));
        of_other[0].cmple(own[1] + distance).all() && of_other[1].cmpge(own[0] - distance).all()
    }

    fn lot(&mut self) -> u16 {
        self.call.machine.random()
    }

    /// Looks for a direction in which a step is possible: first towards the goal, last back.
    fn turn_to(&mut self, goal: u32, distance: f32) {
        let ideal = self.float(self.this, self.places.ideal_yaw);
        let old = ((ideal / 45.0).trunc() * 45.0).rem_euclid(360.0);
        let back = (old + 180.0).rem_euclid(360.0);
        let way = self.vector(goal, self.places.origin) - self.origin();
        let toward = |part: f32, ahead: f32, behind: f32| match part {
            part if part > NEAR => Some(ahead),
            part if part < -NEAR => Some(behind),
            _ => None,
        };
        let (along_x, along_y) = (toward(way.x, 0.0, 180.0), toward(way.y, 90.0, 270.0));
        let straight = along_x.zip(along_y).map(|(x, y)| match (x == 0.0, y == 90.0) {
            (true, true) => 45.0,
            (true, false) => 315.0,
            (false, true) => 135.0,
            (false, false) => 225.0,
        });
        let is_swapped = self.lot() & 1 == 1 || way.y.abs() > way.x.abs();
        let sides = if is_swapped { [along_y, along_x] } else { [along_x, along_y] };
        let mut all = [0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0];
        if self.lot() & 1 == 0 {
            all.reverse();
        }
        let first = [straight, sides[0], sides[1]].into_iter().flatten().filter(|yaw| *yaw != back);
        let others = all.into_iter().filter(|yaw| *yaw != back);
        for yaw in first.chain([old]).chain(others).chain([back]) {
            if self.step_to(yaw, distance) {
                return;
            }
        }
        self.set_float(self.places.ideal_yaw, old);
        // It may leave where the ground was taken away.
        if !self.stands() {
            self.set_float(self.places.flags, (self.flags() | PARTIAL_GROUND) as f32);
        }
    }
}

fn direction(yaw: f32) -> Vec3 {
    let angle = yaw.to_radians();
    Vec3::new(cosf(angle), sinf(angle), 0.0)
}

fn is_in(point: Vec3, [low, high]: [Vec3; 2]) -> bool {
    point.cmpgt(low).all() && point.cmplt(high).all()
}

/// Returns the fractions of a trace's line at which it enters and leaves a box, and the axis of the side through which
/// it enters.
fn crossing(trace: &Trace, [low, high]: [Vec3; 2]) -> Option<(f64, f64, usize)> {
    let (mut enters, mut leaves, mut side) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    for axis in 0..3 {
        // The difference of two huge numbers overflows in 32 bits.
        let [at, to, low, high] = [trace.start, trace.end, low, high].map(|point| f64::from(point[axis]));
        let way = to - at;
        if way == 0.0 {
            if at <= low || at >= high {
                return None;
            }
            continue;
        }
        let (near, far) = if way > 0.0 { (low, high) } else { (high, low) };
        if (near - at) / way > enters {
            (enters, side) = ((near - at) / way, axis);
        }
        leaves = leaves.min((far - at) / way);
    }
    (enters < leaves && enters < 1.0 && leaves > 0.0).then_some((enters, leaves, side))
}
