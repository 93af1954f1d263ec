//! A doll let go above a floor, with everything measured that tells a good ragdoll from a bad one.

use std::sync::Arc;

use glam::Vec3;

use super::{JointState, Ragdoll, RagdollError};
use crate::doll::Doll;
use crate::math::{EntityTransform, Mat3x4};
use crate::model::{FrameState, Model};
use crate::number::OutOfRange;
use crate::physics::{Physics, PhysicsSettings};
use crate::skeleton::{Build, SkeletalObject, Space};
use crate::trig::asinf;

/// As an engine turns entities with meshes.
const MESH_PITCH: f32 = -1.0;
const MESH_ROLL: f32 = 1.0;

/// A model plays an animation for a moment above a floor at z = 0, is let go and falls until it sleeps.
///
/// ```
/// use std::sync::Arc;
/// use skelobj::{Doll, DropTest, Model, assets};
///
/// let model = Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?);
/// let doll = Arc::new(Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll);
/// let report = DropTest::new(model, doll).seed(1).run()?;
/// assert!(report.asleep_after.is_some_and(|seconds| seconds < 8.0));
/// assert_eq!(report.non_finite, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DropTest {
    /// Who falls.
    pub model: Arc<Model>,
    /// As what.
    pub doll: Arc<Doll>,
    /// The animation it plays first; `None` = the bind pose. Default: the first one whose name says that somebody dies,
    /// else the first.
    pub animation: Option<usize>,
    /// Seconds it plays before it is let go. Default 0.4.
    pub play: f32,
    /// Seconds it may take to come to rest. Default 10.
    pub seconds: f32,
    /// The entity's pitch, yaw and roll in degrees. Default 0.
    pub orient: Vec3,
    /// Spin that it is given as it is let go, radians/s. Default 0.
    pub angular_velocity: Vec3,
    /// Height of the entity's origin above the floor, Quake units; raised where the pose would reach below the floor.
    /// Default 0.
    pub height: f32,
    /// The physics. Default: as a game's.
    pub physics: PhysicsSettings,
}

/// Why a [`DropTest`] cannot be run.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum DropError {
    /// A physics setting is one that no world can have.
    Settings(OutOfRange),
    /// The doll cannot be put on the model.
    Ragdoll(RagdollError),
}

impl std::fmt::Display for DropError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Settings(error) => error.fmt(f),
            Self::Ragdoll(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DropError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Settings(error) => Some(error),
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

/// The measurements of a [`DropTest`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct DropReport {
    /// How many bodies fell.
    pub bodies: usize,
    /// How many joints held them.
    pub joints: usize,
    /// Physics steps since they were let go.
    pub steps: usize,
    /// Seconds per step.
    pub dt: f32,
    /// Seconds until all bodies slept; `None` if some never did.
    pub asleep_after: Option<f32>,
    /// The widest gap between a joint's two anchors before it rested, Quake units.
    pub max_gap_falling: f32,
    /// The same at the end.
    pub max_gap_resting: f32,
    /// The farthest any joint went beyond a stop, radians (sliders: Quake units).
    pub max_stop_excess: f32,
    /// The same at the end.
    pub resting_stop_excess: f32,
    /// Speed of the fastest body at the end, units/s.
    pub rest_speed: f32,
    /// The lowest any body reached, its shape included.
    pub lowest_z: f32,
    /// How many positions, rotations, velocities and bones were not finite.
    pub non_finite: usize,
    /// Kinetic and potential energy ten times a second, mass * (Quake units / s)^2.
    pub energy: Vec<f32>,
}

/// A moment of a [`DropTest`], to watch or draw.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DropFrame<'a> {
    /// Seconds since it was let go; negative while it plays the animation.
    pub time: f32,
    /// All bones, model space.
    pub bones: &'a [Mat3x4],
    /// Model space to world space.
    pub entity: &'a Mat3x4,
    /// The doll.
    pub ragdoll: &'a Ragdoll,
    /// Its world.
    pub physics: &'a Physics,
}

impl DropTest {
    /// How high above the floor [`seed`](Self::seed) lets go, Quake units.
    pub const SEEDED_HEIGHT: f32 = 90.0;
    /// The fastest spin that [`seed`](Self::seed) gives, radians/s.
    pub const SEEDED_SPIN: f32 = 6.0;

    /// A test with defaults: it stands on the floor and is let go.
    pub fn new(model: Arc<Model>, doll: Arc<Doll>) -> Self {
        let dies = |name: &[u8]| {
            let name = name.to_ascii_lowercase();
            [b"death".as_slice(), b"die", b"dying"].iter().any(|word| name.windows(word.len()).any(|w| w == *word))
        };
        let deadly = model.animations.iter().position(|a| dies(a.name.as_bytes()));
        let animation = deadly.or((!model.animations.is_empty()).then_some(0));
        Self {
            model,
            doll,
            animation,
            play: 0.4,
            seconds: 10.0,
            orient: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            height: 0.0,
            physics: PhysicsSettings::default(),
        }
    }

    /// Lets go from 90 units up in an orientation and with a spin that are random, but the same for the same seed.
    pub fn seed(mut self, seed: u64) -> Self {
        let mut random = SplitMix(seed);
        let [pitch, yaw, roll] = std::array::from_fn(|_| random.next());
        // The pitch of a uniformly random direction.
        let pitch = asinf(pitch * 2.0 - 1.0).to_degrees();
        self.orient = Vec3::new(pitch, yaw * 360.0, roll * 360.0);
        let axis = std::iter::repeat_with(|| Vec3::from_array(std::array::from_fn(|_| random.next() * 2.0 - 1.0)))
            .find(|v| (1e-3..=1.0).contains(&v.length()))
            .unwrap_or(Vec3::Z);
        self.angular_velocity = axis * Self::SEEDED_SPIN;
        self.height = Self::SEEDED_HEIGHT;
        self
    }

    /// Runs it.
    ///
    /// # Errors
    /// The doll does not fit the model.
    pub fn run(&self) -> Result<DropReport, DropError> {
        self.run_with(|_| {})
    }

    /// Runs it, showing every step to `watch`.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_with(&self, mut watch: impl FnMut(&DropFrame<'_>)) -> Result<DropReport, DropError> {
        let mut fall = self.prepare()?;
        let dt = fall.physics.step_time();
        let steps = |seconds: f32| (seconds.clamp(0.0, Self::MAX_SECONDS) / dt).round() as usize;
        let play = steps(self.play);
        for step in 0..play {
            fall.pose(self, step as f32 * dt);
            fall.update()?;
            fall.watch((step as f32 - play as f32) * dt, &mut watch);
            fall.step(dt);
        }
        // The last pose is reached, and with it the speed it had.
        fall.update()?;
        fall.ragdoll.set_drive_strength(0.0, &mut fall.physics);
        let centre = fall.centre();
        fall.ragdoll.add_velocity(Vec3::ZERO, self.angular_velocity, centre, &mut fall.physics);
        let mut measured = Measured { lowest: fall.ragdoll.lowest_point(&fall.physics), ..Measured::default() };
        let mut asleep_after = None;
        let mut step = 0;
        // Once asleep, a few steps more: what rests must stay at rest.
        let last = steps(self.seconds);
        let mut end = last;
        while step < end {
            fall.update()?;
            fall.watch(step as f32 * dt, &mut watch);
            if step % steps(0.1).max(1) == 0 {
                measured.energy.push(fall.ragdoll.energy(&fall.physics));
            }
            fall.step(dt);
            step += 1;
            measured.measure(&fall);
            if !fall.ragdoll.is_asleep(&fall.physics) {
                (asleep_after, end) = (None, last);
            } else if asleep_after.is_none() {
                asleep_after = Some(step as f32 * dt);
                end = last.min(step + steps(0.25));
            }
        }
        fall.update()?;
        fall.watch(step as f32 * dt, &mut watch);
        let resting: Vec<JointState> = fall.ragdoll.joints(&fall.physics).filter(|j| j.enabled).collect();
        Ok(DropReport {
            bodies: fall.ragdoll.doll().bodies.len(),
            joints: fall.ragdoll.doll().joints.len(),
            steps: step,
            dt,
            asleep_after,
            max_gap_falling: measured.gap,
            max_gap_resting: resting.iter().map(|j| j.gap).fold(0.0, f32::max),
            max_stop_excess: measured.excess,
            resting_stop_excess: resting.iter().flat_map(|j| j.excess).fold(0.0, f32::max),
            rest_speed: fall.ragdoll.bodies(&fall.physics).map(|b| b.velocity.length()).fold(0.0, f32::max),
            lowest_z: measured.lowest,
            non_finite: measured.non_finite,
            energy: measured.energy,
        })
    }

    /// The longest time that is simulated, seconds.
    const MAX_SECONDS: f32 = 600.0;

    fn prepare(&self) -> Result<Fall, DropError> {
        let mut skeleton = SkeletalObject::new(self.model.clone(), Space::Local);
        self.build(&mut skeleton, 0.0);
        let mut physics = Physics::new(self.physics)?;
        let turned = EntityTransform::new(Vec3::ZERO, self.orient).to_world(MESH_PITCH, MESH_ROLL);
        let mut ragdoll = Ragdoll::new(&self.doll, &skeleton, &turned, &mut physics)?;
        ragdoll.set_drive_strength(1.0, &mut physics);
        let lowest = self.lowest_reach(&mut skeleton, &ragdoll, &physics, &turned);
        ragdoll.remove(&mut physics);
        let height = self.height.max(Self::CLEARANCE - lowest);
        let entity = turned.with_origin(Vec3::new(0.0, 0.0, height));
        // At 0 a floor can always be.
        let _ = physics.add_floor(0.0);
        self.build(&mut skeleton, 0.0);
        let mut ragdoll = Ragdoll::new(&self.doll, &skeleton, &entity, &mut physics)?;
        ragdoll.set_drive_strength(1.0, &mut physics);
        Ok(Fall { skeleton, ragdoll, physics, entity })
    }

    /// Space between the floor and the lowest body as it is let go, Quake units.
    const CLEARANCE: f32 = 0.1;

    /// How far below the entity's origin any body gets while the animation plays.
    fn lowest_reach(
        &self,
        skeleton: &mut SkeletalObject,
        ragdoll: &Ragdoll,
        physics: &Physics,
        entity: &Mat3x4,
    ) -> f32 {
        let mut bones = vec![Mat3x4::ZERO; skeleton.bone_count()];
        let mut lowest = f32::MAX;
        let samples = (self.play.clamp(0.0, Self::MAX_SECONDS) * 20.0).ceil() as usize;
        for sample in 0..=samples {
            self.build(skeleton, self.play * sample as f32 / samples.max(1) as f32);
            skeleton.write_model_space(&mut bones);
            lowest = lowest.min(ragdoll.lowest_point_of(&bones, entity, physics));
        }
        lowest
    }

    fn build(&self, skeleton: &mut SkeletalObject, time: f32) {
        let frame = FrameState::single(self.animation.map_or(0, |a| a as i32), time.into());
        if self.animation.is_some() {
            // A whole build that retains nothing is allowed in either space.
            let _ = skeleton.build(&self.model, &frame, &Build::REPLACE);
        } else {
            skeleton.set_local_pose(self.model.skeleton.bind_local());
        }
    }
}

/// Everything that moves.
struct Fall {
    skeleton: SkeletalObject,
    ragdoll: Ragdoll,
    physics: Physics,
    entity: Mat3x4,
}

impl Fall {
    fn pose(&mut self, test: &DropTest, time: f32) {
        test.build(&mut self.skeleton, time);
    }

    fn update(&mut self) -> Result<(), RagdollError> {
        self.ragdoll.update(&mut self.skeleton, None, &self.entity, &mut self.physics)
    }

    fn step(&mut self, dt: f32) {
        let ragdoll = &mut self.ragdoll;
        self.physics.advance(dt, |physics, phase| ragdoll.step(phase, physics));
        ragdoll.end_frame();
    }

    fn watch(&self, time: f32, watch: &mut impl FnMut(&DropFrame<'_>)) {
        let bones = self.skeleton.pose().bones();
        watch(&DropFrame { time, bones, entity: &self.entity, ragdoll: &self.ragdoll, physics: &self.physics });
    }

    fn centre(&self) -> Vec3 {
        let (mut sum, mut mass) = (Vec3::ZERO, 0.0);
        for (body, definition) in self.ragdoll.bodies(&self.physics).zip(&self.ragdoll.doll().bodies) {
            sum += body.position * definition.mass;
            mass += definition.mass;
        }
        sum / mass
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
        for joint in fall.ragdoll.joints(&fall.physics).filter(|j| j.enabled) {
            self.gap = self.gap.max(joint.gap);
            self.excess = self.excess.max(joint.excess[0]).max(joint.excess[1]);
        }
        for body in fall.ragdoll.bodies(&fall.physics) {
            let finite = body.position.is_finite() && body.rotation.is_finite() && body.velocity.is_finite();
            self.non_finite += usize::from(!(finite && body.angular_velocity.is_finite()));
        }
        self.non_finite += fall.skeleton.pose().bones().iter().filter(|b| !b.is_finite()).count();
        self.lowest = self.lowest.min(fall.ragdoll.lowest_point(&fall.physics));
    }
}

/// Steele, Lea and Flood's SplitMix64.
struct SplitMix(u64);

impl SplitMix {
    /// The next number, 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    }
}
