//! Models as DarkPlaces sees them.

use super::{Animation, Model, ModelError, Name};
use crate::math::{Mat3x4, Vec3};
use crate::read;

/// What a DPM file begins with.
const DPM: &[u8] = b"DARKPLACESMODEL\0";

impl Model {
    /// Reads a model file as DarkPlaces does, for game code that expects its numbers: poses without scale, and
    /// `.framegroups` lines by its rules.
    ///
    /// Those are `FIRST COUNT [FPS [LOOP [NAME]]]`, where every line counts, FPS is 20 unless given and at least 1, an
    /// animation loops unless LOOP reads as the number 0, as words do, FIRST and COUNT are brought into the frames there
    /// are. Of a DPM file the first frame's root scale goes into the distances between bones. Its 16-bit storage is not
    /// imitated.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_as_darkplaces(
        name: &str,
        bytes: &[u8],
        mut side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ModelError> {
        let mut model = Self::load(name, bytes, |file| if file.ends_with(".framegroups") { None } else { side(file) })?;
        let bones = model.skeleton.len();
        let [x, y, z] = match model.frames.first() {
            Some(root) if bytes.starts_with(DPM) => [root.0[0], root.0[1], root.0[2]],
            _ => [1.0, 0.0, 0.0],
        };
        let reach = Vec3::new(x, y, z).length();
        for (number, frame) in model.frames.iter_mut().enumerate() {
            let root = model.skeleton.parent(number % bones.max(1)).is_none();
            *frame = unscaled(frame).with_origin(if root { frame.origin() } else { frame.origin() * reach });
        }
        let frames = model.frame_count();
        if let Some(text) = side(&format!("{name}.framegroups"))
            && frames > 0
        {
            model.animations = framegroups(&text, frames);
        }
        Ok(model)
    }
}

fn unscaled(matrix: &Mat3x4) -> Mat3x4 {
    let [forward, left, up] = [matrix.forward(), matrix.left(), matrix.up()].map(Vec3::normalize_or_zero);
    Mat3x4::from_columns(forward, left, up, matrix.origin())
}

fn framegroups(text: &[u8], frames: usize) -> Vec<Animation> {
    let last = u32::try_from(frames - 1).unwrap_or(u32::MAX);
    let mut animations: Vec<Animation> = Vec::new();
    for line in text.split(|&b| b == b'\n') {
        let words: Vec<&[u8]> = read::words(line).collect();
        let [first, count, rest @ ..] = words.as_slice() else { continue };
        let number = |word: Option<&&[u8]>, default: f64| word.map_or(default, |word| read::number(word));
        let first = (read::number(first).max(0.0) as u32).min(last);
        let count = (read::number(count).max(1.0) as u32).min(last - first + 1);
        let unnamed = || Name::from(format!("groupified_{}_anim", animations.len()).as_str());
        let name = rest.get(2).map_or_else(unnamed, |name| Name::new(name));
        let looping = number(rest.get(1), 1.0) as i64 != 0;
        let rate = number(rest.first(), 20.0).clamp(1.0, 1e6) as f32;
        animations.push(Animation::frames(name, first, count, rate, looping));
    }
    animations
}
