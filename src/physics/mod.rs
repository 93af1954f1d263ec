//! The physics world: rapier in Quake units, the solid level, and fixed steps.
//!
//! Every [`Runtime`](crate::Runtime) owns one [`Physics`], reached through
//! [`Runtime::physics`](crate::Runtime::physics) and [`Runtime::physics_mut`](crate::Runtime::physics_mut). It contains
//! the ragdolls; the host adds the geometry that they collide with.
//!
//! | task | types and methods |
//! |---|---|
//! | load a map | [`Level::from_bsp`], [`Physics::add_level`] |
//! | add geometry by hand | [`Physics::add_floor`], [`add_box`](Physics::add_box), [`add_level_body`](Physics::add_level_body) with [`LevelShape`] and [`SolidMesh`] |
//! | move doors, lifts and trains | [`Physics::add_kinematic_body`], [`set_level_body_target`](Physics::set_level_body_target), [`contacts`](Physics::contacts) |
//! | make players and monsters solid | [`Physics::add_entity_box`], [`set_level_body_target`](Physics::set_level_body_target), [`set_level_body_push_force`](Physics::set_level_body_push_force) |
//! | add water, slime and lava | [`Physics::add_water`] with [`LiquidVolume`] and [`Liquid`], [`add_level_water`](Physics::add_level_water) |
//! | tune gravity, steps and friction | [`PhysicsSettings`] |
//! | find out what a shot hits | [`Runtime::trace`](crate::Runtime::trace) with [`CollisionGroups`] |
//! | use rapier directly | [`Physics::world`], [`Physics::world_mut`], the re-export [`rapier3d`] |
//!
//! # When to call what
//! Add level bodies once, when the map loads. In every frame, set the targets of moving bodies, run the game code
//! (poses, ragdoll commands), and end the frame with [`Runtime::step`](crate::Runtime::step), which simulates the
//! elapsed time in fixed steps. Traces, contacts and the poses of ragdolls show the world as the last step left it.
//!
//! ```
//! use skelobj::Runtime;
//! use skelobj::math::{Quat, Vec3};
//! use skelobj::physics::LevelShape;
//!
//! let mut runtime = Runtime::default();
//! let physics = runtime.physics_mut();
//! physics.add_floor(0.0)?;
//! let slab = [LevelShape::Box(Vec3::new(128.0, 128.0, 16.0))];
//! let lift = physics.add_kinematic_body(&slab, Vec3::Z * 8.0, Quat::IDENTITY)?;
//! for frame in 1..=60 {
//!     let height = 8.0 + frame as f32; // 60 units per second
//!     runtime.physics_mut().set_level_body_target(lift, Vec3::Z * height, Quat::IDENTITY)?;
//!     runtime.step(1.0 / 60.0)?;
//! }
//! let body = runtime.physics().rigid_body(lift).expect("the lift");
//! assert!((runtime.physics().world().bodies[body].translation().z - 68.0).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From a hit to an entity
//! [`Runtime::trace`](crate::Runtime::trace) returns a [`Hit`](crate::runtime::Hit) with the skeletal object and the
//! bone, or the level body, the shape and the triangle that was hit. For contacts and events that rapier reports,
//! [`Runtime::body_owner`](crate::Runtime::body_owner) and [`collider_owner`](crate::Runtime::collider_owner) turn a
//! handle into a [`BodyOwner`](crate::runtime::BodyOwner).
//!
//! A skeletal object leads to its entity by its user data: [`Runtime::set_user_data`](crate::Runtime::set_user_data)
//! stores the number of the entity, [`Runtime::user_data`](crate::Runtime::user_data) returns it. Level bodies, such as
//! doors, lifts and entity boxes, have ids instead: the engine keeps a map from [`LevelBodyId`] to its entities.
//!
//! ```
//! use std::collections::HashMap;
//! use skelobj::Runtime;
//! use skelobj::math::{Quat, Vec3};
//! use skelobj::physics::LevelShape;
//! use skelobj::runtime::{Surface, Trace};
//!
//! let mut runtime = Runtime::default();
//! let door = [LevelShape::Box(Vec3::new(8.0, 64.0, 128.0))];
//! let door = runtime.physics_mut().add_kinematic_body(&door, Vec3::ZERO, Quat::IDENTITY)?;
//! let entities = HashMap::from([(door, "func_door")]);
//! let hit = runtime.trace(&Trace::line(Vec3::X * 100.0, Vec3::X * -100.0))?.expect("the door");
//! let Surface::Level { body, .. } = hit.surface else { return Err("a level body".into()) };
//! assert_eq!(entities[&body], "func_door");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Units
//! Lengths are Quake units, times seconds, angles radians, angular velocities radians/s. Gravity pulls along -Z. Masses
//! have no fixed unit: the mannequin's doll adds up to 62.6. Forces are mass * units/s^2, impulses mass * units/s.
//! Coordinates are limited to a million units.
//!
//! # Without a runtime
//! A tool that needs a level and bodies but no ragdolls creates a [`Physics`] and steps it with [`Physics::advance`]. A
//! host that has its own rapier world lends it to a runtime with
//! [`Runtime::with_external_world`](crate::Runtime::with_external_world).

mod box_motion;
mod built_shape;
mod contact_filter;
mod contact_limit;
mod contacts;
mod entity_box_push;
mod floor_cast;
mod groups;
mod impact_watch;
mod interpolation;
mod kinematic;
mod level_body;
mod level_options;
mod level_parts;
mod line_cast;
mod mesh_facing;
mod quarantine;
#[cfg(feature = "serde")]
mod saved_arenas;
#[cfg(feature = "serde")]
mod saved_joints;
#[cfg(feature = "serde")]
mod saved_physics;
#[cfg(feature = "serde")]
mod serializer_methods;
mod solid;
mod solid_cells;
mod squeeze;
mod step;
pub(crate) mod stepped;
mod sweep;
mod tuning;
mod user_data;
mod water;
mod world_joints;
mod world_trace;

pub use crate::id::{LevelBodyId, WaterId};
pub use contact_filter::ContactFilter;
pub use contact_limit::LostContacts;
pub use contacts::LevelContact;
pub(crate) use contacts::other_of;
pub use groups::CollisionGroups;
pub(crate) use interpolation::{extrapolated, interpolated, move_to, smoothed, turn_between, with_sign_of};
pub(crate) use kinematic::{is_parked, park};
pub use level_options::{LevelBodies, LevelOptions};
pub use rapier3d;
#[cfg(feature = "serde")]
pub(crate) use saved_physics::SavedPhysics;
#[doc(inline)]
pub use skelobj_model::level::{
    BrushEntity, BrushModel, BspError, BspTexture, BspTextures, BspWarning, Entity, Level, LevelError, LevelLiquid,
    LevelShape, LevelSurface, Liquid, LiquidKind, LiquidVolume, SolidMesh, SolidVolume, SurfaceTexture, WaterError,
    Winding,
};
pub use step::StepPhase;
pub(crate) use tuning::{MAX_IMPACTS, STEP_TIMES};
pub use user_data::UserData;
pub use water::{LevelWater, Water};

use std::collections::{BTreeMap, HashSet};

use glam::Vec3;
use rapier3d::prelude::{
    CoefficientCombineRule, Collider, ColliderBuilder, IntegrationParameters, InteractionGroups, PhysicsWorld,
    RigidBody, RigidBodyBuilder, RigidBodyHandle,
};
use skelobj_model::internal;
use tuning::{
    LENGTH_UNIT, LENGTH_UNITS, LEVEL_CONTACT_SOFTNESS, MAX_GRAVITY, MAX_ITERATIONS, MIN_STOP_CORRECTION_SPIN,
    PREDICTION_DISTANCE, SOFT_CCD,
};

use crate::OutOfRange;
use crate::id::IdSlotMap;

/// Settings of a [`Physics`] world, changed through [`Runtime::set_settings`](crate::Runtime::set_settings).
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
    /// Length of a metre, Quake units: the scale of the world. Default 40.
    ///
    /// In proportion to it are the distances at which contacts are sought and tolerated, the greatest speeds, and the
    /// distances, speeds and forces that decide how doors, lifts and entity boxes push ragdolls. Limits of a ragdoll
    /// follow its size instead. [`scaled`](Self::scaled) changes it together with gravity.
    pub length_unit: f32,
    /// Length of one step, seconds, independent of the host's frame time. Default 1/60. A step is made in up to
    /// four parts while doors, or bodies that follow an animation, move by more than 1.5 units in a part of it and may
    /// pull a ragdoll apart.
    pub step: f32,
    /// Maximum time that one call may simulate, seconds; time beyond it is dropped. Default 0.1.
    pub max_step_debt: f32,
    /// Number of solver iterations per step, divided between its parts. Default 6; [`crowd`](Self::crowd) has 4.
    pub iterations: usize,
    /// Number of sweeps over the joints in each iteration; more sweeps make joints tighter. Default 4.
    pub internal_iterations: usize,
    /// Linear damping of ragdoll bodies, 1/s. Default 0.2.
    pub linear_damping: f32,
    /// Angular damping of ragdoll bodies, 1/s. Default 1.
    pub angular_damping: f32,
    /// Friction coefficient of ragdoll bodies and level bodies. Default 0.65.
    pub friction: f32,
    /// Speed below which a body may sleep, units/s, measured at its fastest point. Default 8, which is invisible and
    /// above the residual jitter of joints. At 0 no body sleeps.
    pub sleep_speed: f32,
    /// Number of pairs of bodies of ragdolls that may be near enough to touch in a step. Default 100,000;
    /// a heap of 200 mannequins has 30,000.
    ///
    /// Beyond it, and where a ragdoll has more than 64 pairs for each of its bodies, ragdolls lose contacts, and
    /// [`Warning::LostContacts`](crate::runtime::Warning::LostContacts) names them: first those with themselves, then
    /// those with other ragdolls, and at 16 times as many pairs those with everything. Ragdolls with more bodies come
    /// first, and of equally large ones those of later objects. Contacts with others return when
    /// [groups](crate::Runtime::set_ragdoll_groups) are set, those with itself with another doll.
    pub max_contact_pairs: u32,
}

impl Default for PhysicsSettings {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, 0.0, -800.0),
            length_unit: LENGTH_UNIT,
            step: 1.0 / 60.0,
            max_step_debt: 0.1,
            iterations: 6,
            internal_iterations: 4,
            linear_damping: 0.2,
            angular_damping: 1.0,
            friction: 0.65,
            sleep_speed: 8.0,
            max_contact_pairs: 100_000,
        }
    }
}

impl PhysicsSettings {
    /// Returns the settings for crowds of awake ragdolls, with 4 iterations instead of 6: 22 % fewer instructions for
    /// gaps of joints that are 1.6 to 2 times as wide.
    ///
    /// `docs/performance.md` compares costs and gaps of several settings.
    ///
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::physics::PhysicsSettings;
    /// use skelobj::runtime::Settings;
    ///
    /// let mut settings = Settings::default();
    /// settings.physics = PhysicsSettings::crowd();
    /// let runtime = Runtime::new(settings)?;
    /// assert_eq!(runtime.physics().settings().iterations, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn crowd() -> Self {
        Self { iterations: 4, ..Self::default() }
    }

    /// Returns the settings of a world that is `factor` times as large: `gravity`, `length_unit` and `sleep_speed` are
    /// multiplied by it. Ragdolls that are larger by that factor move alike, as seen from farther away.
    ///
    /// ```
    /// use skelobj::physics::PhysicsSettings;
    ///
    /// let metres = PhysicsSettings::default().scaled(1.0 / 40.0);
    /// assert_eq!((metres.gravity.z, metres.length_unit, metres.sleep_speed), (-20.0, 1.0, 0.2));
    /// ```
    #[must_use]
    pub fn scaled(self, factor: f32) -> Self {
        Self {
            gravity: self.gravity * factor,
            length_unit: self.length_unit * factor,
            sleep_speed: self.sleep_speed * factor,
            ..self
        }
    }

    /// Returns rapier's integration parameters for these settings.
    ///
    /// A rapier world that the host [lends](crate::Runtime::with_external_world) needs these parameters: ragdolls are
    /// tuned for them, and rapier's defaults are made for metres.
    ///
    /// ```
    /// use skelobj::physics::PhysicsSettings;
    ///
    /// let parameters = PhysicsSettings::default().parameters()?;
    /// assert_eq!((parameters.dt, parameters.length_unit), (1.0 / 60.0, 40.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
            length_unit: self.length_unit,
            num_solver_iterations: self.iterations,
            num_internal_pgs_iterations: self.internal_iterations,
            warmstart_joints: true,
            normalized_prediction_distance: PREDICTION_DISTANCE / LENGTH_UNIT,
            static_contact_softness: LEVEL_CONTACT_SOFTNESS,
            normalized_max_corrective_velocity: self.normalized_max_corrective_velocity(),
            ..IntegrationParameters::default()
        }
    }

    /// Returns the speed at which rapier corrects contacts and stops at most, length units/s.
    fn normalized_max_corrective_velocity(&self) -> f32 {
        let of_contacts = IntegrationParameters::default().normalized_max_corrective_velocity;
        // rapier takes the number of units/s for contacts as that of radians/s for stops, too.
        of_contacts.max(MIN_STOP_CORRECTION_SPIN / self.length_unit)
    }

    /// Checks that every setting is in range.
    ///
    /// ```
    /// use skelobj::physics::PhysicsSettings;
    ///
    /// let mut settings = PhysicsSettings::default();
    /// settings.step = 0.0;
    /// let error = settings.check().unwrap_err();
    /// assert_eq!(error.to_string(), "step is 0, expected seconds from 1e-4 to 1");
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let Self { gravity, step, max_step_debt, iterations, internal_iterations, .. } = *self;
        let strongest = gravity.to_array().into_iter().find(|g| g.is_nan() || g.abs() > MAX_GRAVITY).unwrap_or(0.0);
        internal::check_number(strongest == 0.0, "gravity", strongest, "numbers from -1e6 to 1e6")?;
        let unit = self.length_unit;
        internal::check_number(LENGTH_UNITS.contains(&unit), "length_unit", unit, "units from 0.01 to 1e5")?;
        internal::check_number(STEP_TIMES.contains(&step), "step", step, "seconds from 1e-4 to 1")?;
        let debt = (0.0..=10.0).contains(&max_step_debt);
        internal::check_number(debt, "max_step_debt", max_step_debt, "seconds from 0 to 10")?;
        for (name, value) in [("iterations", iterations), ("internal_iterations", internal_iterations)] {
            let sensible = (1..=MAX_ITERATIONS).contains(&value);
            internal::check_number(sensible, name, value as f64, "a number from 1 to 64")?;
        }
        for (name, value, most, expected) in [
            ("linear_damping", self.linear_damping, 1e4, "a number from 0 to 1e4"),
            ("angular_damping", self.angular_damping, 1e4, "a number from 0 to 1e4"),
            ("friction", self.friction, 1e4, "a number from 0 to 1e4"),
            ("sleep_speed", self.sleep_speed, 1e6, "a number from 0 to 1e6"),
        ] {
            internal::check_number((0.0..=most).contains(&value), name, value, expected)?;
        }
        Ok(())
    }
}

/// The physics world of a game: ragdoll bodies, level bodies, and the host's own bodies.
///
/// A [`Runtime`](crate::Runtime) owns one and steps it; a host without ragdolls creates one with [`Physics::new`] and
/// steps it with [`Physics::advance`]. The [module documentation](self) lists the tasks and the units.
///
/// ```
/// use skelobj::physics::{Physics, PhysicsSettings, rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder}};
///
/// let mut physics = Physics::new(PhysicsSettings::default())?;
/// physics.add_floor(0.0)?;
/// let crate_body = RigidBodyBuilder::dynamic().translation([0.0, 0.0, 20.0].into());
/// let (crate_body, _) = physics.world_mut().insert(crate_body, ColliderBuilder::cuboid(16.0, 16.0, 16.0));
/// for _frame in 0..60 {
///     assert_eq!(physics.advance(1.0 / 30.0, |_, _| {})?.steps, 2); // two steps of 1/60 s
/// }
/// let height = physics.world().bodies[crate_body].translation().z;
/// assert!((height - 16.0).abs() < 0.5); // the crate rests on the floor
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Physics {
    world: PhysicsWorld,
    settings: PhysicsSettings,
    impact_watch: impact_watch::ImpactWatch,
    /// Own world's part of this value while the host lends another world.
    lent: Option<Lent>,
    state: State,
    scratch: Scratch,
}

/// State of a world beside rapier's. A snapshot holds all of it.
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct State {
    /// Time by which the simulation is ahead of the host's clock, seconds: less than a step, unless a host shortened
    /// the step.
    ahead: f64,
    level_bodies: IdSlotMap<LevelBodyId, level_body::LevelBody>,
    /// Ids of the kinematic level bodies, in the order of their creation.
    kinematic_bodies: Vec<LevelBodyId>,
    waters: IdSlotMap<WaterId, Water>,
    /// Solid space of level bodies that have some, in the order of their creation.
    solids: Vec<solid::Solid>,
    /// Level bodies with meshes of which ragdolls have seen a front, or that were reported.
    facing_reported: Vec<LevelBodyId>,
    /// Bodies that were put into other groups since the last step, of ragdolls that may be asleep.
    #[cfg_attr(feature = "serde", serde(serialize_with = "saved_physics::sorted"))]
    regrouped: HashSet<RigidBodyHandle>,
    /// Bodies without continuous collision detection during the current step.
    ccd_suspended: Vec<RigidBodyHandle>,
    /// Bodies that doors, lifts and trains pass through, because they squeezed them.
    squeezed: Vec<RigidBodyHandle>,
    pending: Pending,
    /// `true` if the host made the last step.
    stepped_by_host: bool,
    /// Number of parts in which the next step should be made, because of what pulls ragdolls along.
    requested_parts: f32,
    /// Least impulse of an impact; `None` if no host asks.
    impact_threshold: Option<f32>,
    /// Seconds for which two bodies report no other impact.
    recent_impacts: BTreeMap<impact_watch::ImpactPair, f32>,
}

/// Buffers, and findings that the next step makes again.
#[derive(Default)]
struct Scratch {
    /// `true` if no body was changed or woken since the host last asked.
    changes_seen: bool,
    /// Step that is being made in parts.
    whole_step: Option<step::WholeStep>,
    /// Ragdolls in the next step, and those that have lost contacts.
    contact_limiter: contact_limit::ContactLimiter,
}

/// State of the own world that waits while the host lends another world.
struct Lent {
    pending: Pending,
    /// Settings that the own world has.
    settings: PhysicsSettings,
}

/// Pending work on a world, done in its next step.
#[derive(Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Pending {
    /// `true` if a joint was changed since the last step. rapier does not serialize which, so a restored world examines
    /// all.
    #[cfg_attr(feature = "serde", serde(skip))]
    changed_joints: bool,
    /// `true` if bodies or colliders were removed since the last step.
    has_removals: bool,
}

impl Physics {
    /// Creates an empty world.
    ///
    /// ```
    /// use skelobj::physics::{Physics, PhysicsSettings};
    ///
    /// let mut settings = PhysicsSettings::default();
    /// settings.iterations = 1000;
    /// let error = Physics::new(settings).unwrap_err();
    /// assert_eq!(error.to_string(), "iterations is 1000, expected a number from 1 to 64");
    /// ```
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
        let mut world = PhysicsWorld {
            gravity: settings.gravity,
            integration_parameters,
            islands: first.islands,
            ..Default::default()
        };
        floor_cast::sweep_against_floors(&mut world.narrow_phase, &settings);
        Self {
            world,
            settings,
            impact_watch: impact_watch::ImpactWatch::default(),
            lent: None,
            state: State::default(),
            scratch: Scratch::default(),
        }
    }

    /// Returns the current settings.
    ///
    /// ```
    /// let runtime = skelobj::Runtime::default();
    /// assert_eq!(runtime.physics().settings().gravity.z, -800.0); // Quake's sv_gravity
    /// ```
    #[must_use]
    pub fn settings(&self) -> &PhysicsSettings {
        &self.settings
    }

    /// Changes the settings from the next step on. Existing bodies keep their friction, and a world that the host lends
    /// its parameters: the own world gets them when it is back. A new gravity wakes all bodies. Existing ragdolls take
    /// the damping and the sleep threshold when they next come to rest or wake.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range. On error, nothing changes.
    pub(crate) fn set_settings(&mut self, settings: PhysicsSettings) -> Result<(), OutOfRange> {
        settings.check()?;
        let old = std::mem::replace(&mut self.settings, settings);
        if self.lent.is_none() {
            self.adopt_settings(&old);
        }
        Ok(())
    }

    /// Writes the settings that differ from the old ones into the world, and keeps the parameters of rapier that a host
    /// has tuned.
    fn adopt_settings(&mut self, old: &PhysicsSettings) {
        let (settings, world) = (&self.settings, &mut self.world);
        if settings.gravity != old.gravity {
            world.gravity = settings.gravity;
            world.wake_up_all(true);
            self.scratch.changes_seen = false;
        }
        let parameters = &mut world.integration_parameters;
        if settings.length_unit != old.length_unit {
            parameters.length_unit = settings.length_unit;
            parameters.normalized_max_corrective_velocity = settings.normalized_max_corrective_velocity();
            floor_cast::sweep_against_floors(&mut world.narrow_phase, settings);
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
    }

    /// Returns the rapier world, for features that this crate does not offer.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let floor = runtime.physics_mut().add_floor(0.0)?;
    /// let body = runtime.physics().rigid_body(floor).expect("the floor");
    /// assert!(runtime.physics().world().bodies[body].is_fixed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn world(&self) -> &PhysicsWorld {
        &self.world
    }

    /// Returns a mutable reference to the rapier world, for the host's own bodies, colliders and joints.
    ///
    /// The host may add and remove its own objects at any time. They collide with ragdolls as their collision groups
    /// allow ([`CollisionGroups::for_collider`]); rapier's default groups collide with everything. Lengths are Quake
    /// units. Bodies and colliders with [`UserData`] belong to this crate; remove them by its methods only.
    ///
    /// ```
    /// use skelobj::physics::{CollisionGroups, rapier3d::prelude::ColliderBuilder};
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// let pillar = ColliderBuilder::cylinder(64.0, 16.0).collision_groups(CollisionGroups::LEVEL.for_collider());
    /// let pillar = runtime.physics_mut().world_mut().insert_collider(pillar, None);
    /// assert_eq!(runtime.collider_owner(pillar), None); // a collider of the host
    /// ```
    pub fn world_mut(&mut self) -> &mut PhysicsWorld {
        self.scratch.changes_seen = false;
        &mut self.world
    }

    /// Returns `true` if bodies may have been changed or woken since the last [`forget_touches`](Self::forget_touches).
    pub(crate) fn is_touched(&self) -> bool {
        !self.scratch.changes_seen
    }

    /// Declares that every change of bodies so far was seen.
    pub(crate) fn forget_touches(&mut self) {
        self.scratch.changes_seen = true;
    }

    /// Returns the size of the world relative to one of the default length unit.
    pub(crate) fn scale(&self) -> f32 {
        self.settings.length_unit / LENGTH_UNIT
    }

    /// Returns a builder of a dynamic ragdoll body with the damping of the settings and speculative contacts.
    /// `speed_scale` compares the ragdoll's speeds with those of the mannequin.
    pub(crate) fn body_builder(&self, speed_scale: f32) -> RigidBodyBuilder {
        RigidBodyBuilder::dynamic()
            .linear_damping(self.settings.linear_damping)
            .angular_damping(self.settings.angular_damping)
            .soft_ccd_prediction(SOFT_CCD * speed_scale.max(self.scale()))
            .ccd_enabled(!self.state.kinematic_bodies.is_empty())
    }

    /// Adds a ragdoll's body with its collider, which collides with the level and with other dolls.
    pub(crate) fn insert_doll_body(&mut self, body: RigidBody, shape: ColliderBuilder) -> RigidBodyHandle {
        let mut collider = self.surface(shape, CollisionGroups::RAGDOLLS);
        collider.set_active_hooks(contact_filter::hooks_of(&collider));
        let (body, collider) = self.world.insert(body, collider);
        self.find_in_traces(collider);
        body
    }

    /// Puts the colliders of a body into these groups.
    pub(crate) fn set_groups(&mut self, body: RigidBodyHandle, groups: CollisionGroups) {
        let colliders = self.world.bodies.get(body).map(|body| body.colliders().to_vec()).unwrap_or_default();
        for collider in colliders {
            if let Some(collider) = self.world.colliders.get_mut(collider) {
                collider.set_collision_groups(groups.for_collider());
                if !collider.is_enabled() {
                    collider.set_enabled(true);
                }
            }
        }
        self.note_regrouped(body);
        self.solve_contacts(body, CollisionGroups::for_solver);
    }

    /// Changes the groups in which contacts of a body are solved.
    fn solve_contacts(&mut self, body: RigidBodyHandle, solved: fn(CollisionGroups) -> InteractionGroups) {
        let colliders = self.world.bodies.get(body).map(|body| body.colliders().to_vec()).unwrap_or_default();
        for collider in colliders {
            if let Some(collider) = self.world.colliders.get_mut(collider) {
                collider.set_solver_groups(solved(collider.collision_groups().memberships.bits().into()));
            }
        }
    }

    fn surface(&self, shape: ColliderBuilder, groups: CollisionGroups) -> Collider {
        shape
            .friction(self.settings.friction)
            .friction_combine_rule(CoefficientCombineRule::Average)
            .collision_groups(groups.for_collider())
            .solver_groups(groups.for_solver())
            .build()
    }

    /// Returns the sleep threshold in rapier's normalized units, which rapier multiplies by the length unit.
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
