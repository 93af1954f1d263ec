//! Players from their folders.

use crate::files::is_plain_path;
use crate::limits::Limits;
use crate::model::{
    Animation, AnimationSource, Framegroups, Model, Player, PlayerAnimation, PlayerConfig, PlayerError,
};

impl Player {
    /// Loads the player of `folder` (`models/players/sarge`) in a skin (`default`).
    ///
    /// `side` is asked for each file by its whole name, parts first; parts of any format that [`Model::load`] reads
    /// will do. Skins, `animation.cfg` and tags may be missing: the parts keep their materials and their own
    /// animations, and what is carried stands at the origin. A skin whose name leads out of the folder is one that is
    /// missing.
    ///
    /// # Errors
    /// A part that is missing or cannot be read.
    pub fn load(folder: &str, skin: &str, side: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Self, PlayerError> {
        Self::load_within(&Limits::DEFAULT, folder, skin, side)
    }

    /// Loads a player as [`load`](Self::load) does, each part within limits that the host sets.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load).
    pub fn load_within(
        limits: &Limits,
        folder: &str,
        skin: &str,
        mut side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, PlayerError> {
        let mut part = |part: &'static str| {
            let name = format!("{folder}/{part}.md3");
            let bytes = side(&name).ok_or(PlayerError::Missing { part })?;
            let mut model = Model::load_within(limits, &name, &bytes, &mut side)
                .map_err(|error| PlayerError::Model { part, error })?;
            let dress = format!("{part}_{skin}.skin");
            // Players name their skins, also to others.
            if is_plain_path(&dress)
                && let Some(text) = side(&format!("{folder}/{dress}"))
            {
                model.apply_skin(&text);
            }
            Ok(model)
        };
        let (mut lower, mut upper, head) = (part("lower")?, part("upper")?, part("head")?);
        let config = side(&format!("{folder}/animation.cfg")).map(|text| PlayerConfig::parse(&text));
        let config = config.unwrap_or_default();
        animate(&mut lower, &config, |animation| animation.legs);
        animate(&mut upper, &config, |animation| animation.torso);
        Ok(Self { lower, upper, head, config })
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
        model.framegroups = Framegroups::default();
    }
}
