//! The physics world: rapier in Quake units, the level, fixed steps.
//!
//! This module is independent of dolls and scripts. Units are Quake units, seconds and radians; gravity pulls along -Z.

mod allowance;
mod bsp;
mod groups;
mod joints;
mod kinematic;
mod level;
mod level_body;
mod level_parts;
mod level_shape;
mod mesh;
mod motion;
mod quarantine;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "serde")]
mod saved_joints;
mod step;
mod sweep;
mod trace;
mod user_data;

pub use crate::id::LevelBodyId;
pub use bsp::{BspError, BspFixup, BspProblem, BspWarning};
pub use groups::CollisionGroups;
pub use kinematic::Contact;
pub use level::{BrushEntity, BrushModel, Entity, Level, LevelBodies, LevelOptions, LevelSurface};
pub use level_shape::{LevelError, LevelShape};
pub use mesh::{SolidMesh, Winding};
pub(crate) use motion::{ahead, between, move_to, smooth, turn_between};
pub use rapier3d;
#[cfg(feature = "serde")]
pub(crate) use saved::SavedPhysics;
pub use step::StepPhase;
pub use user_data::UserData;

use glam::Vec3;
use rapier3d::prelude::{
    CoefficientCombineRule, Collider, ColliderBuilder, IntegrationParameters, PhysicsWorld, RigidBody,
    RigidBodyBuilder, RigidBodyHandle, SpringCoefficients,
};

use crate::id::IdMap;
use crate::number::OutOfRange;

/// The settings of a [`Physics`] world.
///
/// ```
/// use skelobj::Runtime;
///
/// let mut runtime = Runtime::default();
/// let mut settings = runtime.settings();
/// settings.physics.gravity.z = -100.0; // the Moon
/// runtime.set_settings(settings)?;
/// assert_eq!(runtime.physics().world().gravity.z, -100.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PhysicsSettings {
    /// Acceleration, Quake units per second squared. Default `(0, 0, -800)`, Quake's `sv_gravity`.
    pub gravity: Vec3,
    /// Length of one step, seconds, whatever the host's frame time. Default 1/120.
    pub step: f32,
    /// Maximum simulated time that one call may catch up on, seconds; more is dropped. Default 0.1.
    pub max_step_debt: f32,
    /// Solver iterations a step. Default 3.
    pub iterations: usize,
    /// Sweeps over the joints in each iteration; more make joints tighter. Default 4.
    pub internal_iterations: usize,
    /// Linear damping of ragdoll bodies, 1/s. Default 0.2.
    pub linear_damping: f32,
    /// Angular damping of ragdoll bodies, 1/s. Default 2.
    pub angular_damping: f32,
    /// Friction of bodies and level. Default 0.9.
    pub friction: f32,
    /// Speed of a body's fastest point below which it may sleep, units/s. Default 8: invisible, and above the residual
    /// jitter of joints. At 0 no body ever sleeps.
    pub sleep_speed: f32,
}

impl Default for PhysicsSettings {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, 0.0, -800.0),
            step: 1.0 / 120.0,
            max_step_debt: 0.1,
            iterations: 3,
            internal_iterations: 4,
            linear_damping: 0.2,
            angular_damping: 2.0,
            friction: 0.9,
            sleep_speed: 8.0,
        }
    }
}

impl PhysicsSettings {
    /// Returns rapier's parameters for these settings; a host's own world needs them for ragdolls to behave as measured.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range.
    pub fn parameters(&self) -> Result<IntegrationParameters, OutOfRange> {
        self.check()?;
        Ok(self.checked_parameters())
    }

    fn checked_parameters(&self) -> IntegrationParameters {
        IntegrationParameters {
            dt: self.step,
            length_unit: LENGTH_UNIT,
            num_solver_iterations: self.iterations,
            num_internal_pgs_iterations: self.internal_iterations,
            warmstart_joints: true,
            static_contact_softness: LEVEL_CONTACTS,
            ..IntegrationParameters::default()
        }
    }

    /// Maximum number of iterations and of sweeps.
    const MAX_ITERATIONS: usize = 64;

    /// Checks every setting.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let Self { gravity, step, max_step_debt, iterations, internal_iterations, .. } = *self;
        let strongest = gravity.to_array().into_iter().find(|g| g.is_nan() || g.abs() > MAX_GRAVITY).unwrap_or(0.0);
        OutOfRange::check(strongest == 0.0, "gravity", strongest, "numbers from -1e6 to 1e6")?;
        OutOfRange::check(STEPS.contains(&step), "step", step, "seconds from 1e-4 to 1")?;
        let debt = (0.0..=10.0).contains(&max_step_debt);
        OutOfRange::check(debt, "max_step_debt", max_step_debt, "seconds from 0 to 10")?;
        for (name, value) in [("iterations", iterations), ("internal_iterations", internal_iterations)] {
            let sensible = (1..=Self::MAX_ITERATIONS).contains(&value);
            OutOfRange::check(sensible, name, value as f64, "a number from 1 to 64")?;
        }
        for (name, value, most, expected) in [
            ("linear_damping", self.linear_damping, 1e4, "a number from 0 to 1e4"),
            ("angular_damping", self.angular_damping, 1e4, "a number from 0 to 1e4"),
            ("friction", self.friction, 1e4, "a number from 0 to 1e4"),
            ("sleep_speed", self.sleep_speed, 1e6, "a number from 0 to 1e6"),
        ] {
            OutOfRange::check((0.0..=most).contains(&value), name, value, expected)?;
        }
        Ok(())
    }
}

/// Strongest gravity along an axis, units/s^2.
const MAX_GRAVITY: f32 = 1e6;

/// Range of the length of a step, seconds.
const STEPS: std::ops::RangeInclusive<f32> = 1e-4..=1.0;

/// rapier's length unit in Quake units: rapier's constants are in metres, and a Quake unit is about an inch.
const LENGTH_UNIT: f32 = 40.0;

/// Speculative contact distance of ragdoll bodies, Quake units.
const SOFT_CCD: f32 = 16.0;

/// Compliance of contacts with the level: three times as stiff as rapier's own, so that the limbs on top do not press the
/// lowest one into the floor.
const LEVEL_CONTACTS: SpringCoefficients<f32> = SpringCoefficients { natural_frequency: 200.0, damping_ratio: 10.0 };

/// The rigid bodies of one game world.
///
/// A [`Runtime`](crate::Runtime) has one and steps it; a host without a runtime steps it itself.
///
/// ```
/// use skelobj::physics::{Physics, PhysicsSettings};
/// let mut physics = Physics::new(PhysicsSettings::default())?;
/// physics.add_floor(0.0)?;
/// assert_eq!(physics.advance(1.0 / 60.0, |_, _| {}), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Physics {
    world: PhysicsWorld,
    settings: PhysicsSettings,
    /// Time by which the simulation is ahead of the host's clock, seconds: less than a step, unless a host shortened the
    /// step.
    ahead: f64,
    level_bodies: IdMap<LevelBodyId, level_body::LevelBody>,
    /// The level bodies that are kinematic, in the order in which they were added.
    kinematic_bodies: Vec<LevelBodyId>,
    /// Bodies that go through the step that is being made without continuous collision detection.
    unguarded: Vec<RigidBodyHandle>,
    /// True if a joint was changed since the last step.
    changed_joints: bool,
    /// True if bodies or colliders were removed since the last step.
    unsettled: bool,
    /// True if the host made the last step.
    stepped_by_host: bool,
    /// Pending work on the own world while the world is one that the host lends.
    lent: Option<Pending>,
}

/// Work on a world that waits for its next step.
#[derive(Default)]
struct Pending {
    changed_joints: bool,
    unsettled: bool,
}

impl Physics {
    /// Creates an empty world.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range.
    pub fn new(settings: PhysicsSettings) -> Result<Self, OutOfRange> {
        settings.check()?;
        Ok(Self::with_checked(settings))
    }

    fn with_checked(settings: PhysicsSettings) -> Self {
        let integration_parameters = settings.checked_parameters();
        // rapier rebuilds its islands in the first step with a length, and panics if bodies had come and gone before.
        let mut first = PhysicsWorld::default();
        first.step();
        let world = PhysicsWorld {
            gravity: settings.gravity,
            integration_parameters,
            islands: first.islands,
            ..Default::default()
        };
        Self {
            world,
            settings,
            ahead: 0.0,
            level_bodies: IdMap::default(),
            kinematic_bodies: Vec::new(),
            unguarded: Vec::new(),
            changed_joints: false,
            unsettled: false,
            stepped_by_host: false,
            lent: None,
        }
    }

    /// Returns the current settings.
    #[must_use]
    pub fn settings(&self) -> &PhysicsSettings {
        &self.settings
    }

    /// Changes how the world simulates from the next step on. Friction, damping and sleeping of what is there already stay.
    ///
    /// Only what differs from the settings before is changed, so that other parameters of rapier that a host has tuned
    /// stay.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range; nothing has changed then.
    pub(crate) fn set_settings(&mut self, settings: PhysicsSettings) -> Result<(), OutOfRange> {
        settings.check()?;
        let (old, world) = (&self.settings, &mut self.world);
        let parameters = &mut world.integration_parameters;
        if settings.gravity != old.gravity {
            world.gravity = settings.gravity;
        }
        if settings.step != old.step {
            parameters.dt = settings.step;
        }
        if settings.iterations != old.iterations {
            parameters.num_solver_iterations = settings.iterations;
        }
        if settings.internal_iterations != old.internal_iterations {
            parameters.num_internal_pgs_iterations = settings.internal_iterations;
        }
        self.settings = settings;
        Ok(())
    }

    /// Returns the rapier world, for features that this crate does not offer.
    #[must_use]
    pub fn world(&self) -> &PhysicsWorld {
        &self.world
    }

    /// Returns a mutable reference to the rapier world, for a host's own bodies, colliders and joints: they may come and go
    /// at any time, and meet ragdolls as their collision groups say ([`CollisionGroups`]; rapier's default groups meet
    /// everything).
    ///
    /// All of it is in Quake units, as [`PhysicsSettings::parameters`] tell rapier by a length unit of 40. The bodies of
    /// ragdolls and level bodies, which have [`UserData`], belong to this crate.
    pub fn world_mut(&mut self) -> &mut PhysicsWorld {
        &mut self.world
    }

    /// Returns a builder of a dynamic ragdoll body with this crate's damping, sleeping and speculative contacts.
    pub(crate) fn body_builder(&self) -> RigidBodyBuilder {
        RigidBodyBuilder::dynamic()
            .linear_damping(self.settings.linear_damping)
            .angular_damping(self.settings.angular_damping)
            .soft_ccd_prediction(SOFT_CCD)
            .ccd_enabled(!self.kinematic_bodies.is_empty())
    }

    /// Adds a ragdoll's body with its collider, which meets the level and other dolls.
    pub(crate) fn insert_doll_body(&mut self, body: RigidBody, shape: ColliderBuilder) -> RigidBodyHandle {
        let collider = self.surface(shape, CollisionGroups::RAGDOLLS);
        let (body, collider) = self.world.insert(body, collider);
        self.find_in_traces(collider);
        body
    }

    fn surface(&self, shape: ColliderBuilder, groups: CollisionGroups) -> Collider {
        shape
            .friction(self.settings.friction)
            .friction_combine_rule(CoefficientCombineRule::Average)
            .collision_groups(groups.for_collider())
            .build()
    }

    /// Returns rapier's sleep threshold, which rapier scales by the length unit.
    pub(crate) fn normalized_sleep_speed(&self) -> f32 {
        self.settings.sleep_speed / self.world.integration_parameters.length_unit
    }
}

impl Default for Physics {
    fn default() -> Self {
        Self::with_checked(PhysicsSettings::default())
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
