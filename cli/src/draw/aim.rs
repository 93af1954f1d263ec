//! Few points of a motion, at which a camera aims.

use skelobj::math::Vec3;

use super::layout::word;
use super::parallel;
use super::scene::Scene;
use crate::progress::Progress;

/// Few points of all moments of a motion, so that no moment stays in memory.
pub struct Aim {
    pub points: Vec<Vec3>,
    /// `true` if the label of a moment has a word.
    pub has_words: bool,
}

impl Aim {
    /// Looks at each moment once.
    pub fn new(count: usize, scene: impl Fn(usize) -> Scene + Sync) -> Self {
        let progress = Progress::new(count, "aiming");
        let look = |number: usize| {
            let scene = scene(number);
            (scene.extremes(), !word(scene.kind).is_empty())
        };
        let (points, words): (Vec<_>, Vec<_>) = parallel::map(0..count, look, || progress.tick()).into_iter().unzip();
        Self { points: points.into_iter().flatten().collect(), has_words: words.contains(&true) }
    }
}
