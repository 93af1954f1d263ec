//! Poses and `.framegroups` by the rules of DarkPlaces.

use super::framegroups::{MAX_ANIMATIONS, number, words};
use crate::math::{Mat3x4, Vec3};
use crate::model::{Animation, AnimationSource, Model, Name};

/// Number of words of a line that are read.
const MAX_WORDS: usize = 5;

/// Removes the scale from all poses. With `root_scale`, the scale of the root in the first frame goes into the
/// distances between bones.
pub(crate) fn remove_scale(model: &mut Model, root_scale: bool) {
    let bones = model.skeleton.len();
    let [x, y, z] = match model.frames.first() {
        Some(root) if root_scale => [root.0[0], root.0[1], root.0[2]],
        _ => [1.0, 0.0, 0.0],
    };
    let reach = Vec3::new(x, y, z).length();
    for (number, frame) in model.frames.iter_mut().enumerate() {
        let root = model.skeleton.parent(number % bones.max(1)).is_none();
        let rigid = if root_scale { with_unit_rows(frame) } else { unscaled(frame) };
        *frame = rigid.with_origin(if root { frame.origin() } else { frame.origin() * reach });
    }
}

/// Calls the animation of a model that has only a bind pose "static", at 10 frames per second (difference 166).
pub(crate) fn name_bind_pose(model: &mut Model) {
    let has_frames = model.frame_count() > 0;
    if let [only] = model.animations.as_mut_slice()
        && matches!(only.source, AnimationSource::BindPose)
        && !has_frames
    {
        (only.name, only.rate) = ("static".into(), Animation::DEFAULT_RATE);
    }
}

/// Replaces the animations of a model with those of its `.framegroups` file, if the model has frames.
pub(crate) fn apply_framegroups(model: &mut Model, text: &[u8]) {
    let frames = model.frame_count();
    if frames > 0 {
        model.animations = framegroups(text, frames);
    }
}

fn unscaled(matrix: &Mat3x4) -> Mat3x4 {
    let [forward, left, up] = [matrix.forward(), matrix.left(), matrix.up()].map(Vec3::normalize_or_zero);
    Mat3x4::from_columns(forward, left, up, matrix.origin())
}

/// Scales the rows of a matrix's axes to unit length, as DarkPlaces does with DPM files.
fn with_unit_rows(matrix: &Mat3x4) -> Mat3x4 {
    let mut rigid = *matrix;
    for row in rigid.0.chunks_exact_mut(4) {
        let unit = Vec3::new(row[0], row[1], row[2]).normalize_or_zero();
        row[..3].copy_from_slice(&unit.to_array());
    }
    rigid
}

fn framegroups(text: &[u8], frames: usize) -> Vec<Animation> {
    let last = u32::try_from(frames - 1).unwrap_or(u32::MAX);
    let mut animations: Vec<Animation> = Vec::new();
    for line in text.split(|&b| b == b'\n') {
        if animations.len() >= MAX_ANIMATIONS {
            break;
        }
        let words: Vec<&[u8]> = words(line).take(MAX_WORDS).collect();
        let [first, count, rest @ ..] = words.as_slice() else { continue };
        let value = |word: Option<&&[u8]>, default: f64| word.map_or(default, |word| number(word));
        let first = (number(first).max(0.0) as u32).min(last);
        let count = (number(count).max(1.0) as u32).min(last - first + 1);
        let unnamed = || Name::from(format!("groupified_{}_anim", animations.len()).as_str());
        let name = rest.get(2).map_or_else(unnamed, |name| Name::new(name));
        let looping = value(rest.get(1), 1.0) as i64 != 0;
        let rate = value(rest.first(), 20.0).clamp(1.0, 1e6) as f32;
        animations.push(Animation::frames(name, first, count, rate, looping));
    }
    animations
}
