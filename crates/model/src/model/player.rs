//! Players of three parts: legs, torso and head are models of their own, joined by tags.

use super::{Blend, FrameState, Model, ModelError, ModelWarning, Name};
use crate::files::source::write_not_plain;
use crate::math::Mat3x4;

/// Quake III player: `lower.md3`, `upper.md3` and `head.md3` of one folder with their `animation.cfg`.
///
/// The animations of the lower part are those of `animation.cfg` that move the legs, under their names there
/// (`LEGS_RUN`, `BOTH_DEATH1`); the animations of the upper part are those that move the torso.
///
/// ```
/// use skelobj::{assets, model::Player};
///
/// let player = Player::load("models/players/wood", "default", |name: &str| match name {
///     "models/players/wood/animation.cfg" => Some(b"106 37 0 30 // BOTH_DEATH1".to_vec()),
///     name if name.ends_with(".md3") => Some(assets::MANNEQUIN_IQM.to_vec()), // a part may have any format
///     _ => None,
/// })?;
/// assert_eq!(player.upper.find_animation("BOTH_DEATH1"), Some(0));
/// assert!(player.frame_state("BOTH_DEATH1", 0.5).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// Legs, with the tag `tag_torso`.
    pub lower: Model,
    /// Torso, with the tags `tag_head` and `tag_weapon`.
    pub upper: Model,
    /// Head.
    pub head: Model,
    /// Contents of `animation.cfg`.
    pub config: PlayerConfig,
}

/// Part of a Quake III player, shown as in the names of its files: `lower`.
///
/// ```
/// use skelobj::model::PlayerPart;
///
/// assert_eq!(PlayerPart::of_file("models/players/sarge/Upper.md3"), Some(PlayerPart::Upper));
/// assert_eq!(PlayerPart::ALL.map(|part| format!("{part}.md3")), ["lower.md3", "upper.md3", "head.md3"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayerPart {
    /// Legs.
    Lower,
    /// Torso.
    Upper,
    /// Head.
    Head,
}

impl PlayerPart {
    /// All parts, from the feet up.
    pub const ALL: [Self; 3] = [Self::Lower, Self::Upper, Self::Head];

    /// Returns the part whose file has this name in any case, whatever its folder; `None` for other names.
    #[must_use]
    pub fn of_file(name: &str) -> Option<Self> {
        let own = name.rsplit(['/', '\\']).next()?;
        Self::ALL.into_iter().find(|part| own.eq_ignore_ascii_case(&format!("{part}.md3")))
    }

    /// Returns `true` for the name of a player's file beside its parts.
    pub(crate) fn has_beside(name: &str) -> bool {
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted);
        is("animation.cfg") || Self::ALL.iter().any(|part| is(&format!("{part}_default.skin")))
    }
}

impl std::fmt::Display for PlayerPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
            Self::Head => "head",
        })
    }
}

/// Contents of a player's `animation.cfg`.
///
/// ```
/// use skelobj::model::PlayerConfig;
/// let config = PlayerConfig::parse(b"sex f\nheadoffset 0 0 4\n0 31 0 20 // BOTH_DEATH1\n30 1 0 20 // BOTH_DEAD1");
/// assert!(config.sex == *"f");
/// assert_eq!(config.head_offset, [0.0, 0.0, 4.0]);
/// assert_eq!((config.animations.len(), config.warnings.len()), (2, 0));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct PlayerConfig {
    /// Sex: `m`, `f` or `n`; empty if the file does not state it.
    pub sex: Name,
    /// Camera offset for the picture of the head, from the usual place; Quake units.
    pub head_offset: [f32; 3],
    /// Sound of the footsteps: `boot`, `flesh`, `mech`, `energy`; empty if the file does not state it.
    pub footsteps: Name,
    /// Keeps the legs at the yaw of the torso.
    pub fixed_legs: bool,
    /// Keeps the torso from pitching with the view.
    pub fixed_torso: bool,
    /// Animations, in the order of the file.
    pub animations: Vec<PlayerAnimation>,
    /// Lines that were skipped; offsets are bytes of the file.
    pub warnings: Vec<ModelWarning>,
}

/// Animation of a player, one line of `animation.cfg`.
///
/// ```
/// use skelobj::model::PlayerConfig;
/// let config = PlayerConfig::parse(b"0 31 0 20 // the first line is BOTH_DEATH1");
/// let death = &config.animations[0];
/// assert!(death.name == *"BOTH_DEATH1");
/// assert_eq!((death.legs, death.torso, death.count, death.rate), (Some(0), Some(0), 31, 20.0));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PlayerAnimation {
    /// Name: `BOTH_DEATH1`, `TORSO_GESTURE`, `LEGS_RUN`.
    pub name: Name,
    /// First frame in the lower model; `None` if the legs do not take part.
    pub legs: Option<u32>,
    /// First frame in the upper model; `None` if the torso does not take part.
    pub torso: Option<u32>,
    /// Number of frames; at least 1.
    pub count: u32,
    /// Number of frames at the end that loop; 0 for an animation that holds its last frame.
    pub loop_frames: u32,
    /// Frames per second; above zero.
    pub rate: f32,
}

/// Pose of a [`Player`]: a frame state for each part, and rotations about the tags.
///
/// ```
/// use skelobj::math::{Mat3x4, Quat, Vec3};
/// use skelobj::model::{Model, Player, PlayerConfig, PlayerFrames};
///
/// let (lower, upper, head) = (Model::default(), Model::default(), Model::default());
/// let player = Player { lower, upper, head, config: PlayerConfig::default() };
/// let look_left = Mat3x4::from_rotation_translation(Quat::from_rotation_z(90f32.to_radians()), Vec3::ZERO);
/// let parts = player.place(&PlayerFrames { head_turn: look_left, ..PlayerFrames::default() });
/// assert!(parts.head.forward().distance(Vec3::Y) < 1e-6);
/// assert_eq!(parts.upper.forward(), Vec3::X);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerFrames {
    /// Animations of the legs.
    pub lower: FrameState,
    /// Animations of the torso.
    pub upper: FrameState,
    /// Animations of the head.
    pub head: FrameState,
    /// Rotation of the torso, and of what it carries, about `tag_torso`, in the axes of the tag.
    pub torso_turn: Mat3x4,
    /// Rotation of the head about `tag_head`, in the axes of the tag.
    pub head_turn: Mat3x4,
}

/// Placement of a [`Player`]'s parts: matrices from each part's model space to that of the legs.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::model::{Model, Player, PlayerConfig, PlayerFrames, Tag};
///
/// let frames = vec![Mat3x4::from_translation(Vec3::new(8.0, -6.0, 4.0))];
/// let upper = Model { tags: vec![Tag { name: "tag_weapon".into(), frames }], ..Model::default() };
/// let (lower, head) = (Model::default(), Model::default());
/// let player = Player { lower, upper, head, config: PlayerConfig::default() };
/// let parts = player.place(&PlayerFrames::default());
/// assert_eq!(parts.weapon.origin(), Vec3::new(8.0, -6.0, 4.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct PlayerParts {
    /// Matrix of the torso.
    pub upper: Mat3x4,
    /// Matrix of the head.
    pub head: Mat3x4,
    /// Matrix of the weapon, at `tag_weapon`.
    pub weapon: Mat3x4,
}

impl Default for PlayerFrames {
    /// Returns the first animations at their start, without rotations.
    fn default() -> Self {
        let start = FrameState::single(0, 0.0);
        let straight = Mat3x4::IDENTITY;
        Self { lower: start, upper: start, head: start, torso_turn: straight, head_turn: straight }
    }
}

impl Player {
    /// Returns the frame state of an animation of `animation.cfg` at `time` (seconds), for the part that it moves.
    ///
    /// The animation plays once. Then the frames that loop repeat, or the last frame holds. `None` for a name that the
    /// file lacks.
    ///
    /// ```
    /// use skelobj::{assets, model::Player};
    ///
    /// let player = Player::load("models/players/wood", "default", |name: &str| match name.rsplit_once('.')?.1 {
    ///     "cfg" => Some(b"106 37 0 30".to_vec()), // the first animation: BOTH_DEATH1
    ///     "md3" => Some(assets::MANNEQUIN_IQM.to_vec()),
    ///     _ => None,
    /// })?;
    /// let falling = player.frame_state("BOTH_DEATH1", 0.5).ok_or("no such animation")?;
    /// assert_eq!((falling.blends()[0].animation, falling.blends()[0].time), (0, 0.5));
    /// assert_eq!(player.frame_state("BOTH_DANCE", 0.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frame_state(&self, name: &str, time: f64) -> Option<FrameState> {
        let wanted = |animation: &&PlayerAnimation| animation.name == *name;
        let animation = self.config.animations.iter().find(wanted)?;
        let part = if animation.legs.is_some() { &self.lower } else { &self.upper };
        let number = part.find_animation(name)?;
        let loops = animation.loop_frames.min(animation.count);
        let into_loop = time * f64::from(animation.rate) - f64::from(animation.count.saturating_sub(1));
        if loops == 0 || loops == animation.count || !into_loop.is_finite() || into_loop <= 0.0 {
            return Some(FrameState::single(number, time));
        }
        let x = (into_loop - 1.0).rem_euclid(f64::from(loops));
        let first = animation.count - loops;
        let frame = |x: f64| first + (x.rem_euclid(f64::from(loops)) as u32).min(loops - 1);
        // Two blends of one frame each, because the animation itself holds its last frame and does not loop.
        let time = |frame: u32| f64::from(frame) / f64::from(animation.rate);
        let at = |frame: u32, weight: f32| Blend::new(number, time(frame), weight);
        let fraction = x.fract() as f32;
        let (a, b) = (at(frame(x.floor()), 1.0 - fraction), at(frame(x.floor() + 1.0), fraction));
        Some(FrameState::blended([a, b]))
    }
}

/// Error of [`Player::load`] and [`Player::to_model`].
///
/// ```
/// use skelobj::model::{Player, PlayerError, PlayerPart};
/// let error = Player::load("models/players/nobody", "default", |_| None).unwrap_err();
/// assert_eq!(error, PlayerError::Missing { part: PlayerPart::Lower });
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum PlayerError {
    /// The folder is not a [plain path](crate::is_plain_path). No file was looked up.
    NotPlainPath {
        /// Name of the folder.
        folder: String,
    },
    /// The file of a part is missing.
    Missing {
        /// Part.
        part: PlayerPart,
    },
    /// The file of a part cannot be read.
    Model {
        /// Part.
        part: PlayerPart,
        /// Error of the file.
        error: ModelError,
    },
    /// The frames of the whole player take too much memory ([`Player::to_model`]).
    TooLarge {
        /// Bytes that the frames would take.
        needed: u64,
        /// Bytes that they may take.
        allowed: u64,
    },
}

impl std::fmt::Display for PlayerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotPlainPath { folder } => write_not_plain(folder, f),
            Self::Missing { part } => write!(f, "the file of the {part} part is missing"),
            Self::Model { part, error } => write!(f, "the {part} part cannot be read: {error}"),
            Self::TooLarge { needed, allowed } => {
                write!(f, "the frames of the player would take {needed} bytes, expected at most {allowed}")
            }
        }
    }
}

impl std::error::Error for PlayerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotPlainPath { .. } | Self::Missing { .. } | Self::TooLarge { .. } => None,
            Self::Model { error, .. } => Some(error),
        }
    }
}
