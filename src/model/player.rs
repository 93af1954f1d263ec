//! Players of three parts: legs, torso and head, each a model of its own, joined by tags and posed apart.

use super::read::{PlayerAnimation, PlayerConfig};
use super::{Animation, AnimationSource, Blend, FrameState, Model, ModelError, read};
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
    /// Content of `animation.cfg`.
    pub config: PlayerConfig,
}

/// The pose of a [`Player`]: a frame state for each part, and turns about the tags.
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

/// The places of a [`Player`]'s parts: from each part's model space to the legs'.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerParts {
    /// The torso.
    pub upper: Mat3x4,
    /// The head.
    pub head: Mat3x4,
    /// The weapon or item in hand, at `tag_weapon`.
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
    /// Loads the player of `folder` (`models/players/sarge`) in a skin (`default`).
    ///
    /// `side` is asked for each file by its whole name, parts first; parts of any format that [`Model::load`] reads
    /// will do. Skins, `animation.cfg` and tags may be missing: the parts keep their materials and their own
    /// animations, and what is carried stands at the origin.
    ///
    /// # Errors
    /// A part that is missing or cannot be read.
    pub fn load(folder: &str, skin: &str, mut side: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Self, PlayerError> {
        let mut part = |part: &'static str| {
            let name = format!("{folder}/{part}.md3");
            let bytes = side(&name).ok_or(PlayerError::Missing { part })?;
            let mut model =
                Model::load(&name, &bytes, &mut side).map_err(|error| PlayerError::Model { part, error })?;
            if let Some(text) = side(&format!("{folder}/{part}_{skin}.skin")) {
                read::skin(&mut model, &text);
            }
            Ok(model)
        };
        let (mut lower, mut upper, head) = (part("lower")?, part("upper")?, part("head")?);
        let config = side(&format!("{folder}/animation.cfg")).map(|text| read::player_config(&text));
        let config = config.unwrap_or_default();
        animate(&mut lower, &config, |animation| animation.legs);
        animate(&mut upper, &config, |animation| animation.torso);
        Ok(Self { lower, upper, head, config })
    }

    /// Computes the places of the parts in a pose. A tag that a model lacks counts as its origin.
    #[must_use]
    pub fn place(&self, pose: &PlayerPose) -> PlayerParts {
        let tag = |model: &Model, name: &str, frame: &FrameState| {
            let tag = model.find_tag(name.as_bytes()).and_then(|tag| model.tag_matrix(tag, frame));
            tag.unwrap_or(Mat3x4::IDENTITY)
        };
        let upper = tag(&self.lower, "tag_torso", &pose.lower) * pose.torso_turn;
        let head = upper * tag(&self.upper, "tag_head", &pose.upper) * pose.head_turn;
        let weapon = upper * tag(&self.upper, "tag_weapon", &pose.upper);
        PlayerParts { upper, head, weapon }
    }

    /// Returns the frame state of an animation of `animation.cfg` at `time` (seconds): once through, then its last
    /// frames over and over if it says so, else its last frame for ever. Fits the part that the animation moves.
    ///
    /// `None` for a name that the file does not have.
    #[must_use]
    pub fn playing(&self, name: &str, time: f64) -> Option<FrameState> {
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

/// Gives a part the animations that move it, cut at its last frame. Without any it keeps its own.
fn animate(model: &mut Model, config: &PlayerConfig, first: impl Fn(&PlayerAnimation) -> Option<u32>) {
    let frames = u32::try_from(model.frame_count()).unwrap_or(u32::MAX);
    let own = config.animations.iter().filter_map(|animation| {
        let first = first(animation)?;
        let count = animation.count.min(frames.saturating_sub(first));
        let looping = animation.loop_frames >= animation.count;
        let run = Animation::frames(animation.name.clone(), first, count, animation.rate, looping);
        Some(if count > 0 { run } else { Animation { source: AnimationSource::BindPose, ..run } })
    });
    let own: Vec<Animation> = own.collect();
    if !own.is_empty() {
        model.animations = own;
    }
}

/// A player that cannot be loaded.
#[derive(Clone, PartialEq, Debug)]
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
            Self::Missing { part } => write!(f, "{part} missing"),
            Self::Model { part, error } => write!(f, "{part}: {error}"),
        }
    }
}

impl std::error::Error for PlayerError {}
