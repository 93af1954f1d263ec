//! Modes of ragdolls, bodies and joints, and the events that change them.
//!
//! [`Ragdoll::rest_mode`](super::Ragdoll::rest_mode), [`BodyState::mode`](super::BodyState::mode) and
//! [`JointState::mode`](super::JointState::mode) return the current modes, for debug drawing and tests.
//!
//! # Bodies
//! The strength of a body decides how it follows the animation. A hit lowers the strength for a time.
//!
//! ```text
//!            strength > 0            strength >= 1           reached the animation
//!  +------+ -------------> +--------+ ------> +-------------+ ------------> +-----------+
//!  | Limp |                | Pulled |         | Approaching |               | Following |
//!  +------+ <------------- +--------+ <------ +-------------+               +-----------+
//!    ^  |    strength 0        ^      strength < 1 or a hit                    |
//!    |  |                      +-----------------------------------------------+
//!    |  | non-finite position or velocity, in any mode
//!    |  +-----> +-------------+
//!    +--------- | Quarantined |   back to the mode of its strength after one step
//!               +-------------+
//! ```
//!
//! - **Limp** bodies obey physics alone.
//! - **Pulled** bodies obey physics, and cover a share of the distance to the animation in each sixtieth of a second.
//! - **Approaching** bodies are kinematic. They move from where they lay to the animation, parent by parent, in 0.3
//!   seconds or the time of the command.
//! - **Following** bodies are kinematic, and exactly where the animation is.
//! - **Quarantined** bodies are out of the simulation for a step, at rest in their last sound pose.
//!
//! # Joints
//! ```text
//!                 enabled, anchors apart
//!  +---------+ -------------------------> +----------+
//!  | Severed |                            | Catching |
//!  +---------+ -- enabled -+              +----------+
//!       ^                  v                   | anchors together
//!       |  disabled   +---------+ <------------+
//!       +------------ | Holding |
//!                     +---------+ <----> Idle: both bodies follow or approach the animation
//! ```
//!
//! - **Holding** joints are solved at full stiffness. If the first pose violated the stops of the joint, they are eased
//!   to their place in half a second or more ([`JointState::is_easing`](super::JointState::is_easing)).
//! - **Catching** joints pull their anchors together softly. They, too, may be disabled.
//! - **Severed** joints hold nothing; their bodies collide once they are apart.
//! - **Idle** joints are between bodies that the animation holds. They are not solved. Catching joints may become idle,
//!   too, and go on to catch when a body is released.
//!
//! # Ragdolls
//! A ragdoll samples the poses of its bodies every quarter of a second. It is still if two samples in a row find every
//! body in its place, or if five find none faster than 20 units/s; not while a joint catches or is eased, not while the
//! ragdoll drifts in water, and not while a muscle slackens.
//!
//! ```text
//!                   a body above 120 units/s
//!             +--------------------------------+
//!             v          slower                |         still
//!  spawn  +--------+ ------------------> +----------+ ------------> +--------+
//!  -----> | Moving |                     | Settling |               | Calmed |
//!         +--------+ <-----+             +----------+               +--------+
//!             ^            |                   |                     |      |
//!             |            +-------------------|---------------------+      |
//!             | woken         a body above 40  | slow for rapier            | no body spins
//!             |               units/s          v                            v
//!             |                            +---------------------------------+
//!             +--------------------------- |             Asleep              |
//!                                          +---------------------------------+
//! ```
//!
//! Three changes are not drawn: a moving ragdoll that is found still is calmed, a calmed one that creeps on settles,
//! and any ragdoll moves once the animation releases a body.
//!
//! - **Moving** ragdolls have the damping of [`PhysicsSettings`](crate::physics::PhysicsSettings).
//! - **Settling** ragdolls are slower than 40 units/s. They have more angular damping, so that they do not rock for
//!   long. Between 40 and 120 units/s, a ragdoll keeps its mode.
//! - **Calmed** ragdolls tremble in place. They are damped strongly and may sleep at any speed, but not while a body
//!   spins. Once their joints are tight, or after 1.5 seconds, their spin is limited to a speed that lets them sleep.
//! - **Asleep** ragdolls cost nothing until a command, an impulse or a body wakes them.
//!
//! Speeds are those of the mannequin, and follow the size of other ragdolls as [`Ragdoll`](super::Ragdoll) states. The
//! numbers are in `src/ragdoll/tuning.rs`, each with its unit and its effect.

use super::tuning::{CATCH_GAP, CREEP_SAMPLES, CREEP_SPEED, FALL_SPEED, QUIET_SAMPLES, WAKE_SPEED};

/// Mode of a ragdoll's body.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::stability::BodyMode;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animatebody head 0.2", None)?;
/// let bodies = runtime.ragdoll(object).expect("a ragdoll").bodies(runtime.physics());
/// let pulled = bodies.filter(|body| body.mode == BodyMode::Pulled);
/// assert_eq!(pulled.map(|body| body.name.to_string()).collect::<Vec<_>>(), ["head"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum BodyMode {
    /// Physics alone moves the body.
    Limp,
    /// Physics moves the body, and the animation pulls it.
    Pulled,
    /// The body moves to the animation, which it will follow exactly.
    Approaching,
    /// The body is exactly where the animation is.
    Following,
    /// The body is out of the simulation for a step: its position or velocity was non-finite.
    Quarantined,
}

/// Mode of a ragdoll's joint.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::stability::JointMode;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "enablejoint neck 0", None)?;
/// let joints = runtime.ragdoll(object).expect("a ragdoll").joints(runtime.physics());
/// let severed = joints.filter(|joint| joint.mode == JointMode::Severed);
/// assert_eq!(severed.map(|joint| joint.name.to_string()).collect::<Vec<_>>(), ["neck"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum JointMode {
    /// The joint holds its bodies together.
    Holding,
    /// The joint was enabled with its anchors apart, and pulls them together softly.
    Catching,
    /// The joint is disabled.
    Severed,
    /// The animation holds both bodies; the joint is not solved.
    Idle,
}

/// Mode of a ragdoll as a whole.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::stability::RestMode;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?; // it falls
/// let mut modes = Vec::new();
/// while modes.len() < 600 && modes.last() != Some(&RestMode::Asleep) {
///     modes.extend(runtime.ragdoll(object).map(|ragdoll| ragdoll.rest_mode()));
///     runtime.step(1.0 / 60.0)?;
/// }
/// assert_eq!(modes.first(), Some(&RestMode::Moving));
/// assert!(modes.contains(&RestMode::Settling) && modes.len() < 480); // asleep within 8 seconds
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RestMode {
    /// The ragdoll falls or was pushed.
    #[default]
    Moving,
    /// The ragdoll is slow. It has more angular damping.
    Settling,
    /// The ragdoll trembles in place. It is damped strongly, and may sleep at any speed.
    Calmed,
    /// The ragdoll sleeps.
    Asleep,
}

impl RestMode {
    /// Returns the mode for a step. `fastest` is the speed of the fastest body, of a ragdoll of the mannequin's size.
    pub(super) fn before_step(self, asleep: bool, fastest: impl FnOnce() -> f32) -> Self {
        match self {
            _ if asleep => Self::Asleep,
            Self::Asleep => Self::Moving,
            Self::Calmed if fastest() > WAKE_SPEED => Self::Moving,
            mode => mode,
        }
    }

    /// Returns the mode after a sample of a ragdoll that is awake, with a speed as in
    /// [`before_step`](Self::before_step).
    pub(super) fn after_sample(self, still: bool, fastest: f32) -> Self {
        match self {
            _ if still => Self::Calmed,
            _ if fastest > FALL_SPEED => Self::Moving,
            mode if fastest > WAKE_SPEED => mode,
            _ => Self::Settling,
        }
    }
}

/// Numbers of samples in a row that found a ragdoll still, in two senses.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Stillness {
    in_place: u32,
    creeping: u32,
}

impl Stillness {
    /// Counts a sample, with a speed as in [`RestMode::before_step`]. Returns `true` if the ragdoll is still.
    pub(super) fn sample(&mut self, in_place: bool, fastest: f32) -> bool {
        let count = |before: u32, found: bool| if found { before.saturating_add(1) } else { 0 };
        self.in_place = count(self.in_place, in_place);
        self.creeping = count(self.creeping, fastest <= CREEP_SPEED);
        self.in_place >= QUIET_SAMPLES || self.creeping >= CREEP_SAMPLES
    }
}

/// Attachment of a joint to its bodies, as commands leave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Attachment {
    #[default]
    Firm,
    Catching,
    Severed,
}

impl Attachment {
    /// Returns the attachment of a joint that is enabled or disabled while its anchors are `gap` units apart, on a
    /// ragdoll of the mannequin's size.
    pub(super) fn switched(enabled: bool, gap: f32) -> Self {
        match enabled {
            false => Self::Severed,
            true if gap > CATCH_GAP => Self::Catching,
            true => Self::Firm,
        }
    }

    /// Returns the attachment for a step that begins while the anchors are `gap` units apart.
    pub(super) fn before_step(self, gap: f32) -> Self {
        if self == Self::Catching && gap < CATCH_GAP { Self::Firm } else { self }
    }

    pub(super) fn is_enabled(self) -> bool {
        self != Self::Severed
    }
}
