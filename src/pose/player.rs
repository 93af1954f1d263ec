//! Placement of the parts of a player.

use crate::math::Mat3x4;
use crate::model::{FrameState, Model, Player, PlayerParts, PlayerPose};

impl Player {
    /// Returns the placement of the torso, the head and the weapon in the space of the legs. A missing tag counts as
    /// the origin.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::{Model, Player, PlayerConfig, PlayerPose, Tag};
    ///
    /// let carrying = |tag: &str, height: f32| {
    ///     let frames = vec![Mat3x4::from_translation(Vec3::Z * height)];
    ///     Model { tags: vec![Tag { name: tag.into(), frames }], ..Model::default() }
    /// };
    /// let (lower, upper) = (carrying("tag_torso", 24.0), carrying("tag_head", 20.0));
    /// let player = Player { lower, upper, head: Model::default(), config: PlayerConfig::default() };
    /// let parts = player.place(&PlayerPose::default());
    /// assert_eq!(parts.upper.origin(), Vec3::Z * 24.0);
    /// assert_eq!(parts.head.origin(), Vec3::Z * 44.0);
    /// ```
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
}
