//! rapier in Quake units: parameters, the level, fixed steps.
//!
//! Nothing here knows dolls or scripts. Units: Quake units, seconds, radians; gravity pulls along -Z.

mod bsp;
mod filter;
mod level;
mod mesh;
mod motion;
mod mover;
mod owner;
mod part;
#[cfg(feature = "serde")]
mod saved;
mod step;
mod sweep;
mod trace;

pub use bsp::{BspError, BspFixup, BspProblem, BspWarning};
pub use filter::Layers;
pub use level::{BrushEntity, BrushModel, Entity, Level, LevelOptions, LevelParts, LevelSurface};
pub use mesh::SolidMesh;
pub(crate) use motion::{ahead, between, smooth, turn_between};
pub use mover::Pressed;
pub use owner::Owner;
pub use part::{LevelError, LevelPart, LevelShape};
pub use rapier3d;
#[cfg(feature = "serde")]
pub(crate) use saved::SavedPhysics;
pub use step::StepPhase;
pub use trace::TraceHit;

use glam::Vec3;
use rapier3d::prelude::{
    CoefficientCombineRule, Collider, ColliderBuilder, IntegrationParameters, PhysicsWorld, RigidBody,
    RigidBodyBuilder, RigidBodyHandle, SpringCoefficients,
};

/// How a [`Physics`] world simulates.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PhysicsSettings {
    /// Acceleration, Quake units per second squared. Default `(0, 0, -800)`, Quake's `sv_gravity`.
    pub gravity: Vec3,
    /// Length of one step in seconds, whatever the host's frame time. Default 1/120.
    pub step: f32,
    /// The most simulated time that one call may catch up on, seconds; more is dropped. Default 0.1.
    pub max_step_debt: f32,
    /// Solver iterations a step. Default 4.
    pub iterations: usize,
    /// Sweeps over the joints in each iteration: the lever for tight joints. Default 4.
    pub internal_iterations: usize,
    /// Linear damping of ragdoll bodies, 1/s. Default 0.2.
    pub linear_damping: f32,
    /// Angular damping of ragdoll bodies, 1/s. Default 2.
    pub angular_damping: f32,
    /// Friction of bodies and level. Default 0.9.
    pub friction: f32,
    /// Speed of a body's fastest point below which it may sleep, units/s. Default 8: invisible, and above the residual
    /// jitter of joints. At 0 nothing ever sleeps.
    pub sleep_speed: f32,
}

impl Default for PhysicsSettings {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, 0.0, -800.0),
            step: 1.0 / 120.0,
            max_step_debt: 0.1,
            iterations: 4,
            internal_iterations: 4,
            linear_damping: 0.2,
            angular_damping: 2.0,
            friction: 0.9,
            sleep_speed: 8.0,
        }
    }
}

impl PhysicsSettings {
    /// rapier's parameters for these settings: what a host's own world needs for ragdolls to behave as measured.
    pub fn parameters(&self) -> IntegrationParameters {
        let sound = self.sound();
        IntegrationParameters {
            dt: sound.step,
            length_unit: LENGTH_UNIT,
            num_solver_iterations: sound.iterations,
            num_internal_pgs_iterations: sound.internal_iterations,
            warmstart_joints: true,
            static_contact_softness: LEVEL_CONTACTS,
            ..IntegrationParameters::default()
        }
    }

    /// The most iterations and sweeps that make sense.
    const MAX_ITERATIONS: usize = 64;

    /// What can be simulated.
    fn sound(mut self) -> Self {
        let default = Self::default();
        let check = |value: &mut f32, default: f32, sound: std::ops::RangeInclusive<f32>| {
            if !sound.contains(value) {
                *value = default;
            }
        };
        check(&mut self.step, default.step, STEPS);
        check(&mut self.max_step_debt, default.max_step_debt, 0.0..=10.0);
        self.max_step_debt = self.max_step_debt.max(self.step);
        check(&mut self.linear_damping, default.linear_damping, 0.0..=1e4);
        check(&mut self.angular_damping, default.angular_damping, 0.0..=1e4);
        check(&mut self.friction, default.friction, 0.0..=1e4);
        check(&mut self.sleep_speed, default.sleep_speed, 0.0..=1e6);
        if !(self.gravity.abs().max_element() <= 1e6 && self.gravity.is_finite()) {
            self.gravity = default.gravity;
        }
        self.iterations = self.iterations.clamp(1, Self::MAX_ITERATIONS);
        self.internal_iterations = self.internal_iterations.clamp(1, Self::MAX_ITERATIONS);
        self
    }
}

/// How long a step may be, seconds.
const STEPS: std::ops::RangeInclusive<f32> = 1e-4..=1.0;

/// rapier thinks in metres; a Quake unit is about an inch.
const LENGTH_UNIT: f32 = 40.0;

/// Speculative contact distance of ragdoll bodies, Quake units.
const SOFT_CCD: f32 = 16.0;

/// How contacts with the level give: twice as stiff as rapier's own, so that the limbs on top do not press the lowest one
/// into the floor.
const LEVEL_CONTACTS: SpringCoefficients<f32> = SpringCoefficients { natural_frequency: 120.0, damping_ratio: 10.0 };

/// One game world's rigid bodies.
///
/// ```
/// use skelobj::physics::{Physics, PhysicsSettings};
/// let mut physics = Physics::new(PhysicsSettings::default());
/// physics.add_floor(0.0);
/// assert_eq!(physics.advance(1.0 / 60.0, |_, _| {}), 2);
/// ```
pub struct Physics {
    world: PhysicsWorld,
    settings: PhysicsSettings,
    /// How far the simulation is ahead of the host's time, seconds: less than a step, unless a host shortened the step.
    ahead: f64,
    movers: Vec<mover::Mover>,
    /// Bodies that go through the step that is being made without continuous collision detection.
    unguarded: Vec<RigidBodyHandle>,
}

impl Physics {
    /// An empty world. Settings that no world can have (a step that is not above zero, a number that is not finite)
    /// are taken as their defaults.
    pub fn new(settings: PhysicsSettings) -> Self {
        let settings = settings.sound();
        let integration_parameters = settings.parameters();
        let world = PhysicsWorld { gravity: settings.gravity, integration_parameters, ..Default::default() };
        Self { world, settings, ahead: 0.0, movers: Vec::new(), unguarded: Vec::new() }
    }

    /// What it was made with.
    pub fn settings(&self) -> &PhysicsSettings {
        &self.settings
    }

    /// The rapier world, for what this crate does not offer.
    pub fn world(&self) -> &PhysicsWorld {
        &self.world
    }

    /// The rapier world, to change: a host's own bodies, colliders and joints have their place in it, may come and go at any
    /// time, and meet ragdolls as their collision groups tell ([`Layers`]; rapier's default groups meet everything).
    ///
    /// All of it is in Quake units, as [`PhysicsSettings::parameters`] tell rapier by a length unit of 40. Bodies of ragdolls
    /// and parts of the level, which have an [`Owner`] in their user data, belong to them.
    pub fn world_mut(&mut self) -> &mut PhysicsWorld {
        &mut self.world
    }

    /// A dynamic ragdoll body with this project's damping, sleeping and speculative contacts.
    pub(crate) fn body_builder(&self) -> RigidBodyBuilder {
        RigidBodyBuilder::dynamic()
            .linear_damping(self.settings.linear_damping)
            .angular_damping(self.settings.angular_damping)
            .soft_ccd_prediction(SOFT_CCD)
            .ccd_enabled(!self.movers.is_empty())
    }

    /// Adds a ragdoll's body with its collider, which meets the level and other dolls.
    pub(crate) fn insert_doll_body(&mut self, body: RigidBody, shape: ColliderBuilder) -> RigidBodyHandle {
        let collider = self.surface(shape, Layers::DOLLS);
        let (body, collider) = self.world.insert(body, collider);
        self.find_in_traces(collider);
        body
    }

    fn surface(&self, shape: ColliderBuilder, kind: Layers) -> Collider {
        shape
            .friction(self.settings.friction)
            .friction_combine_rule(CoefficientCombineRule::Average)
            .collision_groups(kind.collider_groups())
            .build()
    }

    /// rapier's sleep threshold, which it scales by the length unit.
    pub(crate) fn normalized_sleep_speed(&self) -> f32 {
        self.settings.sleep_speed / self.world.integration_parameters.length_unit
    }
}

impl Default for Physics {
    fn default() -> Self {
        Self::new(PhysicsSettings::default())
    }
}

impl std::fmt::Debug for Physics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Physics")
            .field("settings", &self.settings)
            .field("bodies", &self.world.bodies.len())
            .field("colliders", &self.world.colliders.len())
            .finish_non_exhaustive()
    }
}
