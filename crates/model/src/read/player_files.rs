//! Text files of Quake III players: `animation.cfg` and `.skin`.

use std::collections::HashMap;

use crate::limits::Limits;
use crate::model::{Animation, Fixup, Model, ModelWarning, Name, PlayerAnimation, PlayerConfig};

/// Names of the animations, which the file identifies by order alone.
const NAMES: [&str; 31] = [
    "BOTH_DEATH1",
    "BOTH_DEAD1",
    "BOTH_DEATH2",
    "BOTH_DEAD2",
    "BOTH_DEATH3",
    "BOTH_DEAD3",
    "TORSO_GESTURE",
    "TORSO_ATTACK",
    "TORSO_ATTACK2",
    "TORSO_DROP",
    "TORSO_RAISE",
    "TORSO_STAND",
    "TORSO_STAND2",
    "LEGS_WALKCR",
    "LEGS_WALK",
    "LEGS_RUN",
    "LEGS_BACK",
    "LEGS_SWIM",
    "LEGS_JUMP",
    "LEGS_LAND",
    "LEGS_JUMPB",
    "LEGS_LANDB",
    "LEGS_IDLE",
    "LEGS_IDLECR",
    "LEGS_TURN",
    "TORSO_GETFLAG",
    "TORSO_GUARDBASE",
    "TORSO_PATROL",
    "TORSO_FOLLOWME",
    "TORSO_AFFIRMATIVE",
    "TORSO_NEGATIVE",
];

/// Indices of the first animation of the torso and of the legs.
const TORSO_GESTURE: usize = 6;
const LEGS_WALKCR: usize = 13;

impl PlayerConfig {
    /// Parses an `animation.cfg`.
    ///
    /// A line of numbers is `FIRST COUNT LOOPFRAMES FPS`. The position of the line identifies the animation; comments
    /// are ignored. The file numbers the frames of the legs after those of the torso, as if both were one model; the
    /// result contains them as frames of the lower model. An unusable line is dropped with a warning but keeps its
    /// position.
    ///
    /// ```
    /// use skelobj::model::PlayerConfig;
    ///
    /// let text = b"sex f\nfootsteps mech\n0 5 0 20 // BOTH_DEATH1\nfast\n";
    /// let config = PlayerConfig::parse(text);
    /// let death = &config.animations[0];
    /// assert_eq!((death.name == *"BOTH_DEATH1", death.count, death.rate), (true, 5, 20.0));
    /// assert_eq!(config.warnings.len(), 1); // "fast" is not a setting
    /// ```
    #[must_use]
    pub fn parse(text: &[u8]) -> Self {
        let mut config = Self::default();
        let mut lines = 0;
        // Frames of the legs are numbered too high by this amount.
        let (mut torso_first, mut legs_skip) = (0, 0);
        let mut offset = 0;
        for line in text.split(|&b| b == b'\n') {
            let at = offset;
            offset += line.len() + 1;
            let words = words(line);
            let Some(&first) = words.first() else { continue };
            if !first.starts_with(|c: char| c.is_ascii_digit()) {
                config.setting(at, &words);
                continue;
            }
            let index = lines;
            lines += 1;
            let Some(name) = NAMES.get(index) else {
                config.warn(at, "an animation past the last known one");
                continue;
            };
            let Some([first, count, loop_frames, rate]) = numbers(&words) else {
                config.warn(at, "a line that is not FIRST COUNT LOOPFRAMES FPS");
                continue;
            };
            let first = first as u32;
            match index {
                TORSO_GESTURE => torso_first = first,
                LEGS_WALKCR => legs_skip = first.saturating_sub(torso_first),
                _ => {}
            }
            let legs = name.starts_with("LEGS").then(|| first.saturating_sub(legs_skip));
            let both = name.starts_with("BOTH").then_some(first);
            let count = count as u32;
            if count == 0 {
                config.warn(at, "an animation without frames");
                continue;
            }
            let rate = if rate.is_normal() && rate > 0.0 { rate } else { Animation::DEFAULT_RATE };
            config.animations.push(PlayerAnimation {
                name: Name::from(*name),
                legs: legs.or(both),
                torso: name.starts_with("TORSO").then_some(first).or(both),
                count,
                loop_frames: loop_frames as u32,
                rate,
            });
        }
        config
    }

    fn warn(&mut self, offset: usize, what: &'static str) {
        let warning = ModelWarning { section: "animation.cfg", offset, fixup: Fixup::Dropped(what) };
        warning.add_to(&mut self.warnings, Limits::DEFAULT.warnings);
    }

    fn setting(&mut self, at: usize, words: &[&str]) {
        let name = |word: Option<&&str>| Name::from(word.copied().unwrap_or_default());
        match words.first().map(|word| word.to_ascii_lowercase()).as_deref() {
            Some("sex") => self.sex = name(words.get(1)),
            Some("footsteps") => self.footsteps = name(words.get(1)),
            Some("fixedlegs") => self.fixed_legs = true,
            Some("fixedtorso") => self.fixed_torso = true,
            Some("headoffset") => {
                for (axis, word) in self.head_offset.iter_mut().zip(words.get(1..).unwrap_or_default()) {
                    *axis = word.parse::<f32>().ok().filter(|v| v.is_finite()).unwrap_or(0.0);
                }
            }
            _ => self.warn(at, "an unknown setting"),
        }
    }
}

/// Number of words of a line that are read: a setting and three numbers.
const MAX_WORDS: usize = 4;

/// Returns the words of a line up to a comment.
fn words(line: &[u8]) -> Vec<&str> {
    let text = line.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let text = text.split("//").next().unwrap_or_default();
    text.split_ascii_whitespace().take(MAX_WORDS).collect()
}

fn numbers(words: &[&str]) -> Option<[f32; 4]> {
    let numbers = words.first_chunk::<4>()?.map(|word| word.parse::<f32>().ok());
    let [Some(first), Some(count), Some(loop_frames), Some(rate)] = numbers else { return None };
    Some([first, count, loop_frames, rate])
}

impl Model {
    /// Replaces the materials of meshes with those of a Quake III `.skin` file.
    ///
    /// A line is `SURFACE,MATERIAL`. The case of surface names does not matter. Lines of tags and of surfaces that the
    /// model lacks have no effect.
    ///
    /// ```
    /// use skelobj::{Model, assets};
    ///
    /// let mut model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let surface = model.meshes[0].name.to_string();
    /// model.apply_skin(format!("{surface},models/mannequin/red.tga\ntag_head,\n").as_bytes());
    /// assert_eq!(model.meshes[0].material, *"models/mannequin/red.tga");
    /// # Ok::<(), skelobj::model::ModelError>(())
    /// ```
    pub fn apply_skin(&mut self, text: &[u8]) {
        let mut materials: HashMap<Vec<u8>, &[u8]> = HashMap::new();
        for line in text.split(|&b| b == b'\n') {
            let mut parts = line.splitn(2, |&b| b == b',').map(<[u8]>::trim_ascii);
            let (Some(surface), Some(material)) = (parts.next(), parts.next()) else { continue };
            let material = material.strip_prefix(b"\"").map_or(material, |m| m.strip_suffix(b"\"").unwrap_or(m));
            if !material.is_empty() {
                materials.insert(surface.to_ascii_lowercase(), material);
            }
        }
        for mesh in &mut self.meshes {
            if let Some(material) = materials.get(&mesh.name.as_bytes().to_ascii_lowercase()) {
                mesh.material = Name::new(material);
            }
        }
    }
}
