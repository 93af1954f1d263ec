//! `.anim` files as models: bones without a bind pose, and one animation.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::finite_skeleton;
use super::poses::{TrackPoses, channel};
use super::track_set::TrackSet;
use crate::limits::Limits;
use crate::model::{Action, Animation, AnimationSource, Model, ModelError, Name, Skeleton};

/// Rate at which the poses of the animation are counted, poses per second.
const RATE: f64 = 30.0;
/// Maximum number of poses that an animation counts as.
const MAX_POSES: f64 = 16_384.0;
/// Maximum number of matrices in all poses.
const MAX_MATRICES: f64 = 2_097_152.0;

/// Reads an `.anim` file as an animation of the bones that it names.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    let (tracks, warnings) = TrackSet::read(bytes, limits)?;
    let (end, looping) = (f64::from(tracks.end).max(0.0), tracks.iter().all(|(_, track)| track.looping));
    let names = bone_names(&tracks);
    let names = names.into_iter().map(|name| (name, None)).collect();
    let skeleton = Skeleton::without_bind(names).map_err(|error| finite_skeleton::problem("tracks", 0, error))?;
    let most = (MAX_MATRICES / skeleton.len().max(1) as f64).min(MAX_POSES);
    let poses = Arc::new(TrackPoses::alone(Arc::new(tracks), &skeleton));

    // A looping animation has one step more, from the last pose to the first.
    let last = f64::from(u8::from(!looping));
    let steps = (end * RATE).round().clamp(1.0, most);
    let rate = (steps / end) as f32;
    // An animation without a duration is one pose.
    let (rate, count) = if rate.is_normal() { (rate, (steps + last) as u32) } else { (RATE as f32, 1) };
    let animation = Animation {
        name: "animation".into(),
        rate,
        looping,
        source: AnimationSource::Evaluated { poses, count },
        events: Vec::new(),
        action: Action::NONE,
    };
    Ok(Model { skeleton, animations: vec![animation], warnings, ..Model::default() })
}

/// Returns the bones that tracks move, sorted and without duplicates.
fn bone_names(tracks: &TrackSet) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut seen = HashMap::new();
    for (name, _) in tracks.iter() {
        if let Some((bone, _)) = channel(name.as_bytes())
            && !bone.is_empty()
            && seen.insert(bone, ()).is_none()
        {
            names.push(Name::new(bone));
        }
    }
    names
}
