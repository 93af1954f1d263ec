//! Buoyancy of water, as forces during each step, and its drag, as changes of velocity before.
//!
//! A body is divided into cells, each the ellipsoid inside its part of the body's box. A vertical line through the
//! middle of a cell gives the share of the cell that is submerged. The lift of the cells acts in the middles of their
//! submerged parts, so that a body rights itself.

use glam::{Mat3, Vec3};
use rapier3d::parry::math::AngularInertia;
use rapier3d::prelude::{Collider, RigidBody};

use super::step_force::{StepForce, Wrench};
use super::tuning::{ADDED_MASS, DRIFT_SPEED, MAX_BUOYANCY_CELLS, MIN_DENSITY};
use super::{RagBody, Ragdoll, body_shape, sanitize};
use crate::physics::{Liquid, Physics, Water};

/// Half the size of a collider's box, in its own axes, and its place in the world.
struct OrientedBox {
    half: Vec3,
    centre: Vec3,
    turn: Mat3,
}

impl OrientedBox {
    fn new(collider: &Collider) -> Self {
        let (bounds, pose) = (collider.shape().compute_local_aabb(), *collider.position());
        Self {
            half: bounds.half_extents(),
            centre: pose.transform_point(bounds.center()),
            turn: Mat3::from_quat(pose.rotation),
        }
    }

    /// Returns half the size of the box around the hull in the world's axes.
    fn reach(&self) -> Vec3 {
        self.turn.x_axis.abs() * self.half.x
            + self.turn.y_axis.abs() * self.half.y
            + self.turn.z_axis.abs() * self.half.z
    }

    /// Returns the middles of the cells, and half the size of a cell.
    fn cells(&self) -> (impl Iterator<Item = Vec3>, Vec3) {
        let counts = (self.half / self.half.min_element()).round().clamp(Vec3::ONE, Vec3::splat(MAX_BUOYANCY_CELLS));
        let (cell, first) = (self.half / counts, self.half / counts - self.half);
        let (centre, turn) = (self.centre, self.turn);
        let [nx, ny, nz] = counts.to_array().map(|count| count as usize);
        let numbers = (0..nx).flat_map(move |x| (0..ny).flat_map(move |y| (0..nz).map(move |z| [x, y, z])));
        let middles = numbers.map(move |number| {
            let number = Vec3::from_array(number.map(|number| number as f32));
            centre + turn * (first + number * cell * 2.0)
        });
        (middles, cell)
    }
}

/// Submerged part of an ellipsoid.
#[derive(Clone, Copy)]
struct SubmergedPart {
    /// Volume as a share of the ellipsoid's.
    share: f32,
    /// Middle of the part along the line from the middle of the ellipsoid (0) to its top (1), times `share`.
    moment: f32,
    /// Decrease of `share` if the ellipsoid rises by half its height.
    slope: f32,
}

impl SubmergedPart {
    /// Returns the submerged part of an ellipsoid whose middle is `middle`, and whose top is `top` above it.
    fn new(water: &Water, middle: Vec3, top: Vec3) -> Self {
        let mut part = Self { share: 0.0, moment: 0.0, slope: 0.0 };
        water.cut(middle - top, middle + top, |start, end| {
            let [low, high] = [start, end].map(|share| 2.0 * share - 1.0);
            let (squares, cubes) = (high * high - low * low, high.powi(3) - low.powi(3));
            part.share += 0.75 * (high - low - cubes / 3.0);
            part.moment += 0.75 * (squares / 2.0 - (high.powi(4) - low.powi(4)) / 4.0);
            part.slope -= 0.75 * squares;
        });
        Self { slope: part.slope.max(0.0), ..part }
    }
}

/// Sums of the effects of all water on a body. Lift is in terms of the body's weight.
#[derive(Clone, Copy, Default)]
struct Immersion {
    /// Volume of the submerged parts as a share of the body's.
    share: f32,
    lift: f32,
    /// Sum of the lifts of the submerged parts times their places, from the centre of mass.
    moment: Vec3,
    /// Bound of the change of the velocities at the cells, in terms of gravity, if the body rises by one unit.
    stiffness: f32,
    /// Rate at which the body approaches the current, 1/s.
    drag: f32,
    /// Sum of the currents times their drags.
    drift: Vec3,
}

/// A body in water.
#[derive(Clone, Copy, Debug)]
struct FloatingBody {
    centre: Vec3,
    mass: f32,
    inverse_inertia: AngularInertia,
    linear: Vec3,
    angular: Vec3,
    /// Density relative to water.
    density: f32,
}

impl FloatingBody {
    fn new(body: &RigidBody, density: f32) -> Self {
        let mass = body.mass_properties();
        Self {
            centre: mass.world_com,
            mass: body.mass(),
            inverse_inertia: mass.effective_world_inv_inertia,
            linear: body.linvel(),
            angular: body.angvel(),
            // A doll made in code may have any number.
            density: if density >= MIN_DENSITY { density } else { MIN_DENSITY },
        }
    }

    /// Adds the effects of one volume of water on a body of this shape in a step of `step` seconds.
    fn immerse(&self, immersion: &mut Immersion, water: &Water, bounds: &OrientedBox, up: Vec3, step: f32) {
        let Liquid { density, drag, current, .. } = water.liquid();
        let (cells, half) = bounds.cells();
        let volume = half.element_product() / bounds.half.element_product();
        let leaning = half * (bounds.turn.transpose() * up);
        let height = leaning.length().max(f32::MIN_POSITIVE);
        let top = bounds.turn * (half * leaning / height);
        let mut share = 0.0;
        for middle in cells {
            let part = SubmergedPart::new(water, middle, up * height);
            let arm = middle - self.centre;
            let rising = up.dot(self.linear + self.angular.cross(arm));
            // The share at the end of the step keeps stiff bodies from bouncing on the surface.
            let then = (part.share - part.slope * rising * step / height).clamp(0.0, 1.0);
            let weight = volume * density / self.density;
            immersion.lift += weight * then;
            immersion.moment += weight * (arm * then + top * part.moment);
            immersion.stiffness += weight * part.slope / height * self.mobility(arm, up);
            share += volume * part.share;
        }
        immersion.share += share;
        immersion.drag += drag * share;
        immersion.drift += current * (drag * share);
    }

    /// Returns the change of velocity at `arm` from the centre of mass by an impulse there, times the mass.
    fn mobility(&self, arm: Vec3, up: Vec3) -> f32 {
        let turning = arm.cross(up);
        1.0 + self.mass * turning.dot(self.inverse_inertia.mul_vec(turning))
    }

    /// Applies drag to the velocity, and returns the force and torque of the water in a step of `step` seconds.
    fn apply_liquid(&mut self, immersion: &Immersion, up: Vec3, gravity: f32, step: f32) -> Wrench {
        let excess = immersion.lift - 1.0;
        let lift = if excess > 0.0 { 1.0 + excess / (1.0 + ADDED_MASS * excess) } else { immersion.lift };
        let scale = if immersion.lift > 0.0 { lift / immersion.lift } else { 0.0 };
        let kept = 1.0 / (1.0 + immersion.drag * step);
        let current = if immersion.drag > 0.0 { immersion.drift / immersion.drag } else { Vec3::ZERO };
        self.linear = current + (self.linear - current) * kept;
        self.angular *= kept;
        // Drag also slows what lift and gravity add in the step, however strong they are.
        let kept = kept / (1.0 + scale * gravity * step * step * immersion.stiffness);
        let weight = self.mass * gravity;
        Wrench {
            force: up * (weight * (1.0 + kept * (lift - 1.0))),
            torque: immersion.moment.cross(up) * (weight * scale * kept),
        }
    }
}

/// Memory for the water around a ragdoll, and its bodies in it, while water acts.
#[derive(Debug, Default)]
pub(super) struct BuoyancyBuffers {
    waters: Vec<Water>,
    floating: Vec<(usize, FloatingBody, Wrench)>,
}

/// Motion of a ragdoll as a whole, in which trembling limbs cancel each other out.
#[derive(Default)]
struct Drift {
    /// Place that the sums refer to: one of the bodies, because the world is too large for them.
    origin: Option<Vec3>,
    mass: f32,
    momentum: Vec3,
    angular_momentum: Vec3,
    /// Sums of the places and of their squared distances, times the masses.
    places: Vec3,
    squares: f32,
}

impl Drift {
    fn add(&mut self, body: &FloatingBody) {
        let place = body.centre - *self.origin.get_or_insert(body.centre);
        let momentum = body.linear * body.mass;
        self.mass += body.mass;
        self.momentum += momentum;
        self.angular_momentum += place.cross(momentum);
        self.places += place * body.mass;
        self.squares += place.length_squared() * body.mass;
    }

    /// Returns `true` if the ragdoll as a whole moves or turns at `speed`, units/s.
    fn is_moving(&self, speed: f32, size: f32) -> bool {
        let angular = self.angular_momentum - self.places.cross(self.momentum) / self.mass;
        // At least that of a small distance: rounding would seem to turn bodies in one place.
        let inertia = (self.squares - self.places.length_squared() / self.mass).max(self.mass * size * size);
        self.momentum.length_squared() > (speed * self.mass).powi(2)
            || angular.length_squared() > speed * speed * self.mass * inertia
    }
}

impl Ragdoll {
    /// Applies water to the bodies for a step. Call it last before the step, when all other velocities are set.
    pub(super) fn apply_buoyancy(&mut self, physics: &mut Physics) {
        self.state.drifting = false;
        if !physics.has_water() {
            return;
        }
        let BuoyancyBuffers { mut waters, mut floating } = std::mem::take(&mut self.scratch.buoyancy);
        waters.extend(self.waters_around(physics).cloned());
        if !waters.is_empty() {
            self.apply_buoyancy_of(&waters, &mut floating, physics);
        }
        waters.clear();
        floating.clear();
        self.scratch.buoyancy = BuoyancyBuffers { waters, floating };
    }

    fn apply_buoyancy_of(
        &mut self,
        waters: &[Water],
        floating: &mut Vec<(usize, FloatingBody, Wrench)>,
        physics: &mut Physics,
    ) {
        let (step, gravity) = (physics.step_time(), physics.world().gravity);
        let (up, gravity) = (-gravity.try_normalize().unwrap_or(Vec3::NEG_Z), gravity.length());
        let mut drift = Drift::default();
        for (number, (body, doll_body)) in self.state.bodies.iter().zip(&self.doll.bodies).enumerate() {
            let (Some(built), Some(bounds)) = (physics.world().bodies.get(body.handle), bounds(body, physics)) else {
                continue;
            };
            if !built.is_dynamic() || built.is_sleeping() || !built.is_enabled() {
                continue;
            }
            let mut floating_body = FloatingBody::new(built, doll_body.density);
            drift.add(&floating_body);
            let (mut immersion, reach) = (Immersion::default(), bounds.reach());
            for water in waters.iter().filter(|water| water.touches(bounds.centre, reach)) {
                floating_body.immerse(&mut immersion, water, &bounds, up, step);
            }
            if immersion.share > 0.0 {
                let lift = floating_body.apply_liquid(&immersion, up, gravity, step);
                floating.push((number, floating_body, lift));
            }
        }
        self.state.drifting =
            !floating.is_empty() && drift.is_moving(DRIFT_SPEED * self.speed_scale(physics), self.state.size);
        let max_speed = sanitize::max_speed(physics);
        for &(number, FloatingBody { linear, angular, .. }, lift) in &*floating {
            let Some(built) = physics.world_mut().bodies.get_mut(self.state.bodies[number].handle) else { continue };
            if linear.is_finite() && angular.is_finite() {
                built.set_linvel(linear.clamp_length_max(max_speed), false);
                built.set_angvel(angular, false);
                self.state.step_forces.extend(StepForce::apply(built, number, lift));
            }
            if self.state.drifting {
                built.activation_mut().time_since_can_sleep = 0.0;
            }
        }
    }

    /// Returns the volumes of water that the ragdoll may touch.
    fn waters_around<'a>(&self, physics: &'a Physics) -> impl Iterator<Item = &'a Water> + use<'a> {
        let (mut mins, mut maxs) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for bounds in self.state.bodies.iter().filter_map(|body| bounds(body, physics)) {
            (mins, maxs) = (mins.min(bounds.centre - bounds.reach()), maxs.max(bounds.centre + bounds.reach()));
        }
        let (centre, half) = ((mins + maxs) / 2.0, (maxs - mins) / 2.0);
        physics.waters().map(|(_, water)| water).filter(move |water| water.touches(centre, half))
    }
}

fn bounds(body: &RagBody, physics: &Physics) -> Option<OrientedBox> {
    body_shape::collider_of(body, physics).map(OrientedBox::new)
}
