//! Players' parts put together.

use crate::math::Mat3x4;
use crate::model::{FrameState, Model, Player, PlayerParts, PlayerPose};

impl Player {
    /// Computes where the parts are in a pose. A tag that a model lacks counts as its origin.
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
