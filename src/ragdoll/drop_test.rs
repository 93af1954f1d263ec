//! Drop test: a doll dropped onto a floor, with measurements that distinguish a good ragdoll from a bad one.

use std::ops::ControlFlow;
use std::sync::Arc;

use glam::{Quat, Vec3};
use skelobj_model::internal::{self, FARTHEST, asinf};

use super::tuning::USUAL_SIZES;
use super::{JointState, Ragdoll, RagdollError, size};
use crate::OutOfRange;
use crate::doll::Doll;
use crate::math::Mat3x4;
use crate::model::Model;
use crate::object::{SkeletalObject, Space};
use crate::physics::{Level, LevelError, LevelOptions, Liquid, LiquidVolume, Physics, PhysicsSettings};

/// Drop test of a ragdoll: a model plays an animation for a moment above a floor at z = 0, is released, at once or
/// over a time, and falls until it sleeps.
///
/// Use it in the tests of a game to check its dolls. The command `skelobj sim` runs the same test.
///
/// ```
/// use skelobj::{DropTest, assets};
/// use std::sync::Arc;
/// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
/// let mut test = DropTest::new(model, doll).with_seed(1);
/// let report = test.run()?;
/// assert!(report.asleep_after.is_some_and(|seconds| seconds < 8.0));
/// assert_eq!(report.non_finite, 0);
///
/// test.water = Some(96.0); // deep water, in which it floats
/// assert!(test.run()?.lowest_z > 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DropTest {
    /// Model that falls.
    pub model: Arc<Model>,
    /// Doll of the model.
    pub doll: Arc<Doll>,
    /// Animation that is played first; `None` is the bind pose. Default: the first with
    /// [a word](crate::model::Name::has_word) in its name that begins with "death", "die" or "dying", else the first.
    pub animation: Option<usize>,
    /// Time that the animation plays before the model is released, seconds from 0 to
    /// [`MAX_SECONDS`](Self::MAX_SECONDS). Default 0.4.
    pub play: f32,
    /// Time over which the bodies become limp while the animation plays on, seconds from 0 to
    /// [`MAX_SECONDS`](Self::MAX_SECONDS); 0 is at once. The entity moves and turns on with the velocities below,
    /// without gravity. Default 0.
    pub fade: f32,
    /// Maximum time to come to rest, seconds from 0 to [`MAX_SECONDS`](Self::MAX_SECONDS). Default 10.
    pub seconds: f32,
    /// Pitch, yaw and roll of the entity, degrees. Default 0.
    pub orient: Vec3,
    /// Velocity that is added to that of the animation at the release, units/s, world space: a runner falls on its way.
    /// Default 0.
    pub velocity: Vec3,
    /// Angular velocity at the release, radians/s, world space. Default 0.
    pub angular_velocity: Vec3,
    /// Height of the entity's origin above the floor, Quake units from -1e6 to 1e6; raised if the pose would reach
    /// below the floor. Default 0.
    pub height: f32,
    /// Height of the surface of water above the floor, Quake units from -1e6 to 1e6. Default: no water.
    pub water: Option<f32>,
    /// Level to fall in, instead of onto a floor at z = 0; its solid parts are added without moving. Default: none.
    pub level: Option<Arc<Level>>,
    /// Position of the entity's origin, world space in Quake units; `height` is added to it. Default 0.
    pub at: Vec3,
    /// Settings of the physics world. Default: those of [`usual_physics`](Self::usual_physics).
    pub physics: PhysicsSettings,
}

/// Error of running a [`DropTest`].
///
/// ```
/// use skelobj::ragdoll::DropError;
/// use skelobj::{Doll, DropTest, assets};
/// use std::sync::Arc;
/// let model = Arc::new(assets::mannequin());
/// let empty = Arc::new(Doll::default());
/// let error = DropTest::new(model, empty).run().unwrap_err();
/// assert!(matches!(error, DropError::Ragdoll(_)));
/// assert_eq!(error.to_string(), "the doll has no body on a bone of this model");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum DropError {
    /// Physics setting, time, height of the fall or the water, or position that is out of range.
    Settings(OutOfRange),
    /// Level that cannot be added to a world.
    Level(LevelError),
    /// Doll that cannot be attached to the model.
    Ragdoll(RagdollError),
}

impl std::fmt::Display for DropError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Settings(error) => error.fmt(f),
            Self::Level(error) => error.fmt(f),
            Self::Ragdoll(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DropError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Settings(error) => Some(error),
            Self::Level(error) => Some(error),
            Self::Ragdoll(error) => Some(error),
        }
    }
}

impl From<RagdollError> for DropError {
    fn from(error: RagdollError) -> Self {
        Self::Ragdoll(error)
    }
}

impl From<OutOfRange> for DropError {
    fn from(error: OutOfRange) -> Self {
        Self::Settings(error)
    }
}

/// Measurements of a [`DropTest`].
///
/// ```
/// use skelobj::{DropTest, assets};
/// use std::sync::Arc;
/// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
/// let mut test = DropTest::new(model, doll);
/// test.seconds = 0.5;
/// let report = test.run()?;
/// assert_eq!((report.bodies, report.joints, report.steps), (16, 15, 30));
/// assert_eq!(report.asleep_after, None); // half a second is too short to come to rest
/// assert!(report.max_gap_falling < 2.0 && report.lowest_z > -2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct DropReport {
    /// Number of bodies.
    pub bodies: usize,
    /// Number of joints.
    pub joints: usize,
    /// Number of physics steps since the model was released.
    pub steps: usize,
    /// Length of a step, seconds.
    pub dt: f32,
    /// Time until all bodies slept, seconds; `None` if some body never slept.
    pub asleep_after: Option<f32>,
    /// `true` if the doll fell out of the level through a hole; the test ends then.
    pub left_level: bool,
    /// Widest gap between the two anchors of a joint before the doll rested, Quake units.
    pub max_gap_falling: f32,
    /// Widest gap between the two anchors of a joint at the end, Quake units.
    pub max_gap_resting: f32,
    /// Maximum excess of a joint beyond a stop, radians (sliders: Quake units).
    pub max_stop_excess: f32,
    /// Maximum excess of a joint beyond a stop at the end, radians (sliders: Quake units).
    pub resting_stop_excess: f32,
    /// Speed of the fastest body at the end, units/s.
    pub rest_speed: f32,
    /// Lowest point that the shape of a body reached, world Z in Quake units.
    pub lowest_z: f32,
    /// Number of non-finite positions, rotations, velocities and bones.
    pub non_finite: usize,
    /// Kinetic and potential energy, ten times per second, mass * (Quake units / s)^2.
    pub energy: Vec<f32>,
}

/// Moment of a [`DropTest`], passed to the closure of [`DropTest::run_with`] to watch or draw the fall.
///
/// ```
/// use skelobj::{DropTest, assets};
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
/// let head = model.skeleton.find("head").expect("a head");
/// let mut test = DropTest::new(model, doll);
/// (test.play, test.seconds) = (0.1, 0.2);
/// let mut heights = Vec::new();
/// test.run_with(|frame| {
///     let head = *frame.entity * frame.bones[head]; // world space
///     heights.push((frame.time, head.origin().z));
///     ControlFlow::Continue(())
/// })?;
/// assert!(heights[0].0 < 0.0); // the animation plays before the model is released
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DropFrame<'a> {
    /// Time since the model was released, seconds; negative while it plays the animation.
    pub time: f32,
    /// Matrices of all bones, model space.
    pub bones: &'a [Mat3x4],
    /// Matrix of the entity, model space to world space.
    pub entity: &'a Mat3x4,
    /// Ragdoll of the model.
    pub ragdoll: &'a Ragdoll,
    /// Physics world of the ragdoll.
    pub physics: &'a Physics,
}

impl DropTest {
    /// Height above the floor from which a [seeded](Self::with_seed) test drops a model of the mannequin's size, Quake
    /// units. Other heights are in proportion to the size, in steps of two.
    pub const SEEDED_HEIGHT: f32 = 90.0;
    /// Maximum angular velocity of a [seeded](Self::with_seed) test, radians/s.
    pub const SEEDED_SPIN: f32 = 6.0;
    /// Maximum time of a fall, and of the animation before it, seconds.
    pub const MAX_SECONDS: f32 = 600.0;

    /// Creates a test with defaults: the model stands on the floor and is released.
    ///
    /// ```
    /// use skelobj::{DropTest, assets};
    /// use std::sync::Arc;
    /// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
    /// let test = DropTest::new(model.clone(), doll);
    /// let played = &model.animations[test.animation.expect("an animation")];
    /// assert_eq!(played.name, *"death");
    /// ```
    #[must_use]
    pub fn new(model: Arc<Model>, doll: Arc<Doll>) -> Self {
        let animation = Self::usual_animation(&model);
        let physics = Self::usual_physics(&doll, &model);
        Self {
            model,
            doll,
            animation,
            play: 0.4,
            fade: 0.0,
            seconds: 10.0,
            orient: Vec3::ZERO,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            height: 0.0,
            water: None,
            level: None,
            at: Vec3::ZERO,
            physics,
        }
    }

    /// Returns the settings of a physics world for falls of a doll on a model: the default, or
    /// [scaled](PhysicsSettings::scaled) to a doll whose longest side is below 11 or above 362 units, as its lengths
    /// are then likely to be in another unit, such as metres. Set [`physics`](Self::physics) to see a toy or a giant
    /// among characters of Quake.
    ///
    /// ```
    /// use skelobj::physics::PhysicsSettings;
    /// use skelobj::{DropTest, assets};
    /// let (model, doll) = (assets::mannequin(), assets::mannequin_doll());
    /// assert_eq!(DropTest::usual_physics(&doll, &model), PhysicsSettings::default());
    /// ```
    #[must_use]
    pub fn usual_physics(doll: &Doll, model: &Model) -> PhysicsSettings {
        Self::physics_of(size::of_doll(doll, model))
    }

    /// Returns the settings for a doll of some size.
    pub(super) fn physics_of(size: f32) -> PhysicsSettings {
        let factor = if USUAL_SIZES.contains(&size) { 1.0 } else { size };
        PhysicsSettings::default().scaled(factor)
    }

    /// Returns the test with a drop from [`SEEDED_HEIGHT`](Self::SEEDED_HEIGHT), with an orientation and an angular
    /// velocity that are random but determined by the seed.
    ///
    /// ```
    /// use skelobj::{DropTest, assets};
    /// use std::sync::Arc;
    /// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
    /// let test = DropTest::new(model, doll);
    /// assert_eq!(test.clone().with_seed(7).orient, test.clone().with_seed(7).orient);
    /// assert_ne!(test.clone().with_seed(7).orient, test.clone().with_seed(8).orient);
    /// ```
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        let mut random = SplitMix(seed);
        let [pitch, yaw, roll] = std::array::from_fn(|_| random.next());
        // The pitch of a uniformly random direction.
        let pitch = asinf(pitch * 2.0 - 1.0).to_degrees();
        self.orient = Vec3::new(pitch, yaw * 360.0, roll * 360.0);
        let axis = std::iter::repeat_with(|| Vec3::from_array(std::array::from_fn(|_| random.next() * 2.0 - 1.0)))
            .find(|v| (1e-3..=1.0).contains(&v.length()))
            .unwrap_or(Vec3::Z);
        self.angular_velocity = axis * Self::SEEDED_SPIN;
        self.height = Self::SEEDED_HEIGHT * size::of_doll(&self.doll, &self.model);
        self
    }

    /// Runs the test and returns the measurements.
    ///
    /// ```
    /// use skelobj::{DropTest, assets};
    /// use std::sync::Arc;
    /// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
    /// let mut test = DropTest::new(model, doll).with_seed(3);
    /// test.seconds = 0.25;
    /// assert_eq!(test.run()?, test.run()?); // to the bit
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DropError`] if the doll does not fit the model, if the level cannot be added to a world, or if a physics
    /// setting, a time, the height of the fall or of the water or the position is out of range.
    pub fn run(&self) -> Result<DropReport, DropError> {
        self.run_with(|_| ControlFlow::Continue(()))
    }

    /// Runs the test, calls `watch` with every step, and returns the measurements. The test ends early, with the
    /// measurements so far, when `watch` returns [`ControlFlow::Break`].
    ///
    /// ```
    /// use skelobj::{DropTest, assets};
    /// use std::ops::ControlFlow;
    /// use std::sync::Arc;
    /// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
    /// let mut test = DropTest::new(model, doll).with_seed(3);
    /// (test.play, test.seconds) = (0.1, 0.25);
    /// let mut fastest = 0.0f32;
    /// let report = test.run_with(|frame| {
    ///     let speeds = frame.ragdoll.bodies(frame.physics).map(|body| body.velocity.length());
    ///     fastest = speeds.fold(fastest, f32::max);
    ///     if fastest > 100.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert!(report.steps < 15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DropError`] if the doll does not fit the model, if the level cannot be added to a world, or if a physics
    /// setting, a time, the height of the fall or of the water or the position is out of range.
    pub fn run_with(&self, mut watch: impl FnMut(&DropFrame<'_>) -> ControlFlow<()>) -> Result<DropReport, DropError> {
        let mut fall = self.prepare()?;
        let dt = fall.physics.step_time();
        let steps = |seconds: f32| (seconds / dt).round() as usize;
        let play = steps(self.play);
        let mut has_ended = false;
        // A fade that ends within a step is a cut.
        let fade = if self.fade > dt { self.fade } else { 0.0 };
        let entity = fall.entity;
        let mut moves_about = None;
        for step in 0..play {
            self.pose(&mut fall.object, step as f32 * dt);
            // In a death that fades, bodies inherit the velocity of their entity, which has to move before the release.
            if fade > 0.0 && step + 2 >= play {
                let centre = *moves_about.get_or_insert_with(|| fall.ragdoll.centre_of_mass(&fall.physics));
                fall.entity = self.carried(&entity, centre, (step as f32 - play as f32) * dt);
            }
            fall.update()?;
            has_ended = fall.watch((step as f32 - play as f32) * dt, &mut watch).is_break();
            if has_ended {
                break;
            }
            fall.step(dt);
        }
        // The fall begins with the last pose and its speed.
        fall.entity = entity;
        fall.update()?;
        fall.ragdoll.set_strengths(0.0, (fade > 0.0).then_some(fade), &mut fall.physics);
        let centre = fall.ragdoll.centre_of_mass(&fall.physics);
        internal::check_place("velocity", self.velocity)?;
        internal::check_place("angular_velocity", self.angular_velocity)?;
        fall.ragdoll.throw(self.velocity, self.angular_velocity, centre, &mut fall.physics);
        let mut measured = Measured { lowest: fall.ragdoll.lowest_point(&fall.physics), ..Measured::default() };
        let mut asleep_after = None;
        let mut step = 0;
        // Once asleep, a few more steps: resting bodies must stay at rest.
        let last = steps(self.seconds);
        let mut end = last;
        while step < end && !has_ended {
            let time = step as f32 * dt;
            if time < fade {
                self.pose(&mut fall.object, self.play + time);
                fall.entity = self.carried(&entity, moves_about.unwrap_or(centre), time);
            }
            fall.update()?;
            has_ended = fall.watch(time, &mut watch).is_break();
            if has_ended {
                break;
            }
            if step % steps(0.1).max(1) == 0 {
                measured.energy.push(fall.ragdoll.energy(&fall.physics));
            }
            fall.step(dt);
            step += 1;
            measured.measure(&fall);
            if fall.ragdoll.has_left_level() {
                end = step;
            } else if time < fade || !fall.ragdoll.is_asleep(&fall.physics) {
                (asleep_after, end) = (None, last);
            } else if asleep_after.is_none() {
                asleep_after = Some(step as f32 * dt);
                end = last.min(step + steps(0.25));
            }
        }
        if !has_ended {
            fall.update()?;
            // Nothing follows that a `Break` could leave out.
            let _ = fall.watch(step as f32 * dt, &mut watch);
        }
        let resting: Vec<JointState> = fall.ragdoll.joints(&fall.physics).collect();
        Ok(DropReport {
            bodies: fall.ragdoll.doll().bodies.len(),
            joints: fall.ragdoll.doll().joints.len(),
            steps: step,
            dt,
            asleep_after,
            left_level: fall.ragdoll.has_left_level(),
            max_gap_falling: measured.gap,
            max_gap_resting: resting.iter().map(|j| j.gap).fold(0.0, f32::max),
            max_stop_excess: measured.excess,
            resting_stop_excess: resting
                .iter()
                .flat_map(|j| [j.excess[0], j.excess[1], j.twist_excess])
                .fold(0.0, f32::max),
            rest_speed: fall.ragdoll.bodies(&fall.physics).map(|b| b.velocity.length()).fold(0.0, f32::max),
            lowest_z: measured.lowest,
            non_finite: measured.non_finite,
            energy: measured.energy,
        })
    }

    /// Returns where the velocities at the release have carried the entity after a time, seconds.
    fn carried(&self, entity: &Mat3x4, centre: Vec3, time: f32) -> Mat3x4 {
        let turn = Quat::from_scaled_axis(self.angular_velocity * time);
        let to = centre + self.velocity * time - turn * centre;
        Mat3x4::from_rotation_translation(turn, to) * *entity
    }

    fn prepare(&self) -> Result<Fall, DropError> {
        let mut physics = Physics::new(self.physics)?;
        let entity = self.start(&mut physics)?.entity;
        if let Some(level) = &self.level {
            physics.add_level(level, LevelOptions::default()).map_err(DropError::Level)?;
        } else {
            // A floor at 0 is always possible.
            let _ = physics.add_floor(0.0);
        }
        if let Some(surface) = self.water {
            internal::check_number(surface.abs() <= FARTHEST, "water", surface, "a number from -1e6 to 1e6")?;
            // One sea is always possible.
            let _ = LiquidVolume::behind(&[(Vec3::Z, surface)]).map(|sea| physics.add_water(sea, Liquid::WATER));
        }
        let mut object = SkeletalObject::new(self.model.clone(), Space::Local);
        self.pose(&mut object, 0.0);
        let mut ragdoll = Ragdoll::new(&self.doll, &object, &entity, &mut physics)?;
        ragdoll.set_strengths(1.0, None, &mut physics);
        Ok(Fall { object, ragdoll, physics, entity })
    }
}

/// State of a falling doll.
struct Fall {
    object: SkeletalObject,
    ragdoll: Ragdoll,
    physics: Physics,
    entity: Mat3x4,
}

impl Fall {
    fn update(&mut self) -> Result<(), RagdollError> {
        self.ragdoll.update(true, &mut self.object, None, &self.entity, &mut self.physics)
    }

    fn step(&mut self, dt: f32) {
        let ragdoll = &mut self.ragdoll;
        // The test has checked the length of a frame.
        let _ = self.physics.advance(dt, |physics, phase| ragdoll.step(phase, physics));
        ragdoll.end_frame();
    }

    fn watch(&self, time: f32, watch: &mut impl FnMut(&DropFrame<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let bones = self.object.pose().bones();
        watch(&DropFrame { time, bones, entity: &self.entity, ragdoll: &self.ragdoll, physics: &self.physics })
    }
}

#[derive(Default)]
struct Measured {
    gap: f32,
    excess: f32,
    lowest: f32,
    non_finite: usize,
    energy: Vec<f32>,
}

impl Measured {
    fn measure(&mut self, fall: &Fall) {
        for joint in fall.ragdoll.joints(&fall.physics) {
            self.gap = self.gap.max(joint.gap);
            self.excess = self.excess.max(joint.excess[0]).max(joint.excess[1]).max(joint.twist_excess);
        }
        for body in fall.ragdoll.bodies(&fall.physics) {
            let finite = body.position.is_finite() && body.rotation.is_finite() && body.velocity.is_finite();
            self.non_finite += usize::from(!(finite && body.angular_velocity.is_finite()));
        }
        self.non_finite += fall.object.pose().bones().iter().filter(|b| !b.is_finite()).count();
        self.lowest = self.lowest.min(fall.ragdoll.lowest_point(&fall.physics));
    }
}

/// SplitMix64, the random number generator of Steele, Lea and Flood.
struct SplitMix(u64);

impl SplitMix {
    /// Returns the next number, 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    }
}
