//! Loading of Quake III players from their folders.

use crate::files::source::{NoFile, ask};
use crate::model::{
    Animation, AnimationSource, Framegroups, Model, ModelWarning, Player, PlayerAnimation, PlayerConfig, PlayerError,
    PlayerPart,
};
use crate::options::LoadOptions;

impl Player {
    /// Loads the Quake III player of a folder (`models/players/sarge`) in a skin (`default`).
    ///
    /// `side` returns files by their full names: `lower.md3`, `upper.md3` and `head.md3`, the `.skin` files of the
    /// three, and `animation.cfg`. A part may be of any [`Format`](crate::Format). Only the parts must exist. Without a
    /// `.skin` file a part keeps its materials; without `animation.cfg` it keeps its animations; without a tag the
    /// carried part stands at the origin. A skin name that leads out of the folder is treated as missing, with a
    /// warning in [`Model::warnings`].
    ///
    /// # Errors
    /// [`PlayerError::NotPlainPath`] for a folder that is not a [plain path](crate::is_plain_path),
    /// [`PlayerError::Missing`] for a part without a file, [`PlayerError::Model`] for a part that cannot be read.
    ///
    /// ```
    /// use skelobj::model::{Player, PlayerError};
    /// use skelobj::assets;
    ///
    /// // Every part is the mannequin; real players have three .md3 files.
    /// let player = Player::load("models/players/ogre", "default", |name| match name {
    ///     "models/players/ogre/animation.cfg" => Some(b"sex m\n0 30 0 20 // BOTH_DEATH1\n".to_vec()),
    ///     _ => name.ends_with(".md3").then(|| assets::MANNEQUIN_IQM.to_vec()),
    /// })?;
    /// assert_eq!(player.lower.animations[0].name, *"BOTH_DEATH1");
    /// assert!(matches!(Player::load("models/players/none", "default", |_| None), Err(PlayerError::Missing { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(folder: &str, skin: &str, side: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Self, PlayerError> {
        Self::load_with(&LoadOptions::DEFAULT, folder, skin, side)
    }

    /// Loads a Quake III player as [`load`](Self::load) does, with options for each part.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load); a part that exceeds a limit is a [`PlayerError::Model`].
    ///
    /// ```
    /// use skelobj::model::{Player, PlayerError, PlayerPart};
    /// use skelobj::{LoadOptions, assets};
    ///
    /// let mut options = LoadOptions::default();
    /// options.limits.frames = 10;
    /// let side = |_: &str| Some(assets::MANNEQUIN_IQM.to_vec());
    /// let error = Player::load_with(&options, "models/players/ogre", "default", side).unwrap_err();
    /// assert!(matches!(error, PlayerError::Model { part: PlayerPart::Lower, .. }));
    /// ```
    pub fn load_with(
        options: &LoadOptions,
        folder: &str,
        skin: &str,
        mut side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, PlayerError> {
        let mut part = |part: PlayerPart| {
            let name = format!("{folder}/{part}.md3");
            let bytes = ask(&name, |name| Ok(side(name))).map_err(|reason| match reason {
                NoFile::NotPlain => PlayerError::NotPlainPath { folder: folder.to_owned() },
                NoFile::Missing | NoFile::Unreadable(_) => PlayerError::Missing { part },
            })?;
            let mut model = Model::load_with(options, &name, &bytes, &mut side)
                .map_err(|error| PlayerError::Model { part, error })?;
            let dress = format!("{folder}/{part}_{skin}.skin");
            // The name of a skin comes from other players over the network.
            match ask(&dress, |name| Ok(side(name))) {
                Ok(text) => model.apply_skin(&text),
                Err(NoFile::NotPlain) => {
                    ModelWarning::not_plain(&dress).add_to(&mut model.warnings, options.limits.warnings)
                }
                Err(NoFile::Missing | NoFile::Unreadable(_)) => {}
            }
            Ok(model)
        };
        let (mut lower, mut upper, head) =
            (part(PlayerPart::Lower)?, part(PlayerPart::Upper)?, part(PlayerPart::Head)?);
        let config = ask(&format!("{folder}/animation.cfg"), |name| Ok(side(name)));
        let config = config.map(|text| PlayerConfig::parse(&text)).unwrap_or_default();
        animate(&mut lower, &config, |animation| animation.legs);
        animate(&mut upper, &config, |animation| animation.torso);
        Ok(Self { lower, upper, head, config })
    }
}

/// Replaces the animations of a part with those of `config` that move it, cut at the last frame of the part. A part
/// that no animation moves keeps its own animations.
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
        model.framegroups = Framegroups::default();
    }
}
