//! Players of three parts: legs, torso and head, each a model of its own, joined by tags and posed apart.

use super::{Blend, FrameState, Model, ModelError, ModelWarning, Name};
use crate::math::Mat3x4;

/// A Quake III player: `lower.md3`, `upper.md3` and `head.md3` of one folder with their `animation.cfg`.
///
/// The lower part's animations are those of `animation.cfg` that move the legs, under their names there
/// (`LEGS_RUN`, `BOTH_DEATH1`); the upper part's those that move the torso.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// The legs; carries `tag_torso`.
    pub lower: Model,
    /// The torso; carries `tag_head` and `tag_weapon`.
    pub upper: Model,
    /// The head.
    pub head: Model,
    /// The contents of `animation.cfg`.
    pub config: PlayerConfig,
}

/// The contents of a player's `animation.cfg`.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct PlayerConfig {
    /// `m`, `f` or `n`; empty if it does not say.
    pub sex: Name,
    /// Where the head's picture is taken from, relative to the usual place; Quake units.
    pub head_offset: [f32; 3],
    /// Sound of the footsteps: `boot`, `flesh`, `mech`, `energy`; empty if it does not say.
    pub footsteps: Name,
    /// Whether the legs turn with the torso.
    pub fixed_legs: bool,
    /// Whether the torso turns with the view.
    pub fixed_torso: bool,
    /// The animations, in their order.
    pub animations: Vec<PlayerAnimation>,
    /// Lines that were left out; offsets are bytes of the file.
    pub warnings: Vec<ModelWarning>,
}

/// An animation of a player.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PlayerAnimation {
    /// `BOTH_DEATH1`, `TORSO_GESTURE`, `LEGS_RUN`.
    pub name: Name,
    /// Its first frame in the lower model; `None` if the legs do not take part.
    pub legs: Option<u32>,
    /// Its first frame in the upper model; `None` if the torso does not take part.
    pub torso: Option<u32>,
    /// How many frames; at least 1.
    pub count: u32,
    /// Number of its last frames that loop; 0 = it ends.
    pub loop_frames: u32,
    /// Frames a second; above zero.
    pub rate: f32,
}

/// A pose of a [`Player`]: a frame state for each part, and turns about the tags.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerPose {
    /// Animations of the legs.
    pub lower: FrameState,
    /// Animations of the torso.
    pub upper: FrameState,
    /// Animations of the head.
    pub head: FrameState,
    /// Turns the torso (and what it carries) about `tag_torso`, in the tag's axes.
    pub torso_turn: Mat3x4,
    /// Turns the head about `tag_head`, in the tag's axes.
    pub head_turn: Mat3x4,
}

/// The places of a [`Player`]'s parts: matrices from each part's model space to the legs'.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct PlayerParts {
    /// The torso.
    pub upper: Mat3x4,
    /// The head.
    pub head: Mat3x4,
    /// The weapon, at `tag_weapon`.
    pub weapon: Mat3x4,
}

impl Default for PlayerPose {
    /// First animations at their start, unturned.
    fn default() -> Self {
        let start = FrameState::single(0, 0.0);
        let straight = Mat3x4::IDENTITY;
        Self { lower: start, upper: start, head: start, torso_turn: straight, head_turn: straight }
    }
}

impl Player {
    /// Gives the frame state of an animation of `animation.cfg` at `time` (seconds), for the part that it moves: once
    /// through, then its last frames over and over if the file says so, else its last frame for ever.
    ///
    /// `None` for a name that the file does not have.
    pub fn frame_state(&self, name: &str, time: f64) -> Option<FrameState> {
        let wanted = |animation: &&PlayerAnimation| animation.name == *name;
        let animation = self.config.animations.iter().find(wanted)?;
        let part = if animation.legs.is_some() { &self.lower } else { &self.upper };
        let number = part.find_animation(name.as_bytes())? as i32;
        let loops = animation.loop_frames.min(animation.count);
        let into_loop = time * f64::from(animation.rate) - f64::from(animation.count.saturating_sub(1));
        if loops == 0 || loops == animation.count || !into_loop.is_finite() || into_loop <= 0.0 {
            return Some(FrameState::single(number, time));
        }
        let x = (into_loop - 1.0).rem_euclid(f64::from(loops));
        let first = animation.count - loops;
        let frame = |x: f64| first + (x.rem_euclid(f64::from(loops)) as u32).min(loops - 1);
        // Two blends of one frame each: the animation itself does not lead from its last frame back into the loop.
        let time = |frame: u32| f64::from(frame) / f64::from(animation.rate);
        let at = |frame: u32, weight: f32| Blend { animation: number, time: time(frame), weight };
        let fraction = x.fract() as f32;
        let (a, b) = (at(frame(x.floor()), 1.0 - fraction), at(frame(x.floor() + 1.0), fraction));
        Some(FrameState::blended([a, b, Blend::default(), Blend::default()]))
    }
}

/// An error of [`Player::load`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum PlayerError {
    /// A part whose file is not there.
    Missing {
        /// `lower`, `upper` or `head`.
        part: &'static str,
    },
    /// A part that cannot be read.
    Model {
        /// `lower`, `upper` or `head`.
        part: &'static str,
        /// Why.
        error: ModelError,
    },
}

impl std::fmt::Display for PlayerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing { part } => write!(f, "the {part} part has no file"),
            Self::Model { part, error } => write!(f, "the {part} part cannot be read: {error}"),
        }
    }
}

impl std::error::Error for PlayerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Missing { .. } => None,
            Self::Model { error, .. } => Some(error),
        }
    }
}
