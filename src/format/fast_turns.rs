//! Warning about bones that turn far between two frames.

use crate::limits::Limits;
use crate::model::{FarTurn, Fixup, Model, ModelWarning};

/// Greatest number of visits of each bone of each frame; animations beyond that are not looked at.
const MOST_VISITS: usize = 4;

/// Adds a warning for each animation with the bone that turns most between two of its frames, if it turns by more than
/// 60 degrees.
pub(super) fn warn(model: &mut Model, limits: &Limits) {
    // Animations may share frames: a small file can state many that are long.
    let mut left = MOST_VISITS.saturating_mul(model.frames.len());
    let mut found: Vec<(usize, FarTurn)> = Vec::new();
    for (number, animation) in model.animations.iter().enumerate() {
        let visits = animation.pose_count().saturating_mul(model.skeleton.len());
        if visits > left {
            continue;
        }
        left -= visits;
        found.extend(model.far_turn(animation, false).map(|turn| (number, turn)));
    }
    for (number, turn) in found {
        let animation = &model.animations[number];
        let fixup = Fixup::FarTurn {
            animation: animation.name.clone(),
            bone: model.skeleton.name(turn.bone).cloned().unwrap_or_default(),
            pose: turn.pose,
            degrees: turn.degrees(),
            rate: animation.rate,
        };
        ModelWarning { section: "animations", offset: 0, fixup }.add_to(&mut model.warnings, limits.warnings);
    }
}
