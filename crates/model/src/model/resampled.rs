//! Models with more poses per second.

use std::fmt;
use std::iter::zip;

use super::transfer::{FREE, GROWTH};
use super::{Animation, AnimationSource, Bounds, Framegroups, Model};
use crate::math::{Mat3x4, Quat, Vec3};
use crate::out_of_range::OutOfRange;

/// Error of [`Model::resampled`].
///
/// ```
/// use skelobj::model::ResampleError;
///
/// let mannequin = skelobj::assets::mannequin();
/// assert!(matches!(mannequin.resampled(0.0), Err(ResampleError::Rate(_))));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ResampleError {
    /// The rate is not a number from 1 to 1000.
    Rate(OutOfRange),
    /// The frames would take far more memory than those of the model.
    TooLarge {
        /// Bytes that the frames would take.
        needed: u64,
        /// Bytes that they may take.
        allowed: u64,
    },
}

impl fmt::Display for ResampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate(error) => error.fmt(f),
            Self::TooLarge { needed, allowed } => {
                write!(f, "the frames would take {needed} bytes at this rate, expected at most {allowed}")
            }
        }
    }
}

impl std::error::Error for ResampleError {}

/// Frame of a resampled model: a place on the way between two frames.
#[derive(Clone, Copy)]
struct Between {
    from: usize,
    to: usize,
    fraction: f32,
}

impl Model {
    /// Returns the model with at least `rate` poses per second, 1 to 1000, in each animation that has baked frames.
    ///
    /// Sampling adds matrices, as in FTE, so a bone that turns by 90 degrees from one frame to the next shrinks to 0.71
    /// of its size on the way. The added poses turn along the shorter arc, and keep the size. Between two frames of an
    /// animation come as many poses as make its rate a whole multiple of what it was, so its own poses keep their bits
    /// and their times, and the animation its duration and its events. Positions, scales, vertices, tags and morphs
    /// move in straight lines; bounds hold those of both frames.
    ///
    /// Animations that have the rate, that stand still, or that are evaluated on demand stay as they are. Frames that
    /// no animation shows are dropped, and with them the lines of a `.framegroups` file that wait for frames.
    ///
    /// # Errors
    /// [`ResampleError::Rate`], or [`TooLarge`](ResampleError::TooLarge) if the frames would take more than 256 MB and
    /// eight times the bytes of the model's own.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let smooth = mannequin.resampled(60.0)?;
    /// assert_eq!((smooth.animations[1].rate, smooth.animations[1].pose_count()), (60.0, 2 * 28)); // "walk" had 30
    /// let third = |model: &skelobj::Model, pose| model.pose(&model.animations[1], pose).to_vec();
    /// assert_eq!(third(&smooth, 2 * 3), third(&mannequin, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resampled(&self, rate: f32) -> Result<Self, ResampleError> {
        let is_rate = (1.0..=1e3).contains(&rate);
        OutOfRange::check(is_rate, "rate", rate, "1 to 1000 poses per second").map_err(ResampleError::Rate)?;
        let count = self.frame_count();
        let multiples: Vec<u64> = self.animations.iter().map(|animation| multiple(animation, count, rate)).collect();
        let mut frames = 0u64;
        let mut is_kept = vec![false; count];
        for (animation, &multiple) in zip(&self.animations, &multiples) {
            if multiple > 1 {
                frames = frames.saturating_add((animation.pose_count() as u64).saturating_mul(multiple));
                continue;
            }
            for frame in (0..animation.pose_count()).filter_map(|pose| animation.frame_of(pose)) {
                is_kept.get_mut(frame).into_iter().for_each(|kept| *kept = true);
            }
        }
        let kept = is_kept.iter().filter(|kept| **kept).count() as u64;
        let (own, frames) = (self.bytes_of_frame(), frames.saturating_add(kept));
        let (needed, allowed) = (own.saturating_mul(frames), FREE + GROWTH * own * count as u64);
        if needed > allowed || u32::try_from(frames).is_err() {
            return Err(ResampleError::TooLarge { needed, allowed });
        }
        Ok(self.with_frames(&multiples, &is_kept))
    }

    /// Returns the bytes that a frame takes.
    fn bytes_of_frame(&self) -> u64 {
        let of_mesh = |mesh: &super::Mesh| {
            let vertices = if mesh.frames.positions.is_empty() { 0 } else { mesh.positions.len() };
            2 * vertices * size_of::<[f32; 3]>() + mesh.morphs.len() * size_of::<f32>()
        };
        let matrices = self.skeleton.len() + self.tags.len();
        let meshes: usize = self.meshes.iter().map(of_mesh).sum();
        (matrices * size_of::<Mat3x4>() + meshes + size_of::<Bounds>()) as u64
    }

    /// Returns the model with the kept frames, and those of the animations whose rates are multiplied.
    fn with_frames(&self, multiples: &[u64], is_kept: &[bool]) -> Self {
        debug_assert_eq!(multiples.len(), self.animations.len(), "every animation has a multiple");
        debug_assert_eq!(is_kept.len(), self.frame_count(), "every frame is kept or not");
        let mut frames: Vec<Between> = Vec::new();
        let mut animations = self.animations.clone();
        for (animation, &multiple) in zip(&mut animations, multiples) {
            if multiple > 1 {
                let first = frames.len() as u32;
                frames.extend(between(animation, multiple));
                let count = frames.len() as u32 - first;
                animation.source = AnimationSource::Frames { first, count };
                animation.rate *= multiple as f32;
            }
        }
        // At the end, so that a run that extends past the last frame still does.
        let mut new_number = vec![u32::MAX; is_kept.len()];
        for (frame, _) in is_kept.iter().enumerate().filter(|(_, kept)| **kept) {
            new_number[frame] = frames.len() as u32;
            frames.push(Between { from: frame, to: frame, fraction: 0.0 });
        }
        let renumbered = |frame: u32| new_number.get(frame as usize).copied().unwrap_or(u32::MAX);
        for (animation, _) in zip(&mut animations, multiples).filter(|(_, multiple)| **multiple == 1) {
            match &mut animation.source {
                // The frames of a run stay a run, as none between them is dropped.
                AnimationSource::Frames { first, .. } => *first = renumbered(*first),
                AnimationSource::List(list) => list.iter_mut().for_each(|frame| *frame = renumbered(*frame)),
                AnimationSource::BindPose | AnimationSource::Evaluated { .. } => {}
            }
        }
        let mut model = Self { animations, framegroups: Framegroups::default(), ..self.clone() };
        model.frames = resample(&self.frames, self.skeleton.len(), &frames, moved);
        model.bounds = resample(&self.bounds, 1, &frames, |a, b, _| joined(a, b));
        for (tag, own) in zip(&mut model.tags, &self.tags) {
            tag.frames = resample(&own.frames, 1, &frames, moved);
        }
        for (mesh, own) in zip(&mut model.meshes, &self.meshes) {
            let vertices = own.positions.len();
            let lerp = |a: &[f32; 3], b: &[f32; 3], u| Vec3::from(*a).lerp(Vec3::from(*b), u);
            mesh.frames.positions =
                resample(&own.frames.positions, vertices, &frames, |a, b, u| lerp(a, b, u).to_array());
            let normal =
                |a: &[f32; 3], b: &[f32; 3], u| lerp(a, b, u).try_normalize().map_or(*a, |unit| unit.to_array());
            mesh.frames.normals = resample(&own.frames.normals, vertices, &frames, normal);
            mesh.morph_weights = resample(&own.morph_weights, own.morphs.len(), &frames, |a, b, u| a + (b - a) * u);
        }
        model
    }
}

/// Returns the factor of the rate of an animation, in a model with `frames` frames. It is 1 for an animation that stays
/// as it is: all its frames must exist.
fn multiple(animation: &Animation, frames: usize, rate: f32) -> u64 {
    let exists = |pose| animation.frame_of(pose).is_some_and(|frame| frame < frames);
    let moves = animation.pose_count() > 1 && animation.rate > 0.0 && animation.rate < rate;
    let is_baked = moves && (0..animation.pose_count()).all(exists);
    // Rates are rounded: three times 10.000001 is 30.
    if is_baked { (f64::from(rate) / f64::from(animation.rate) - 1e-4).ceil().max(1.0) as u64 } else { 1 }
}

/// Returns the frames of an animation with a multiple of its poses.
fn between(animation: &Animation, multiple: u64) -> impl Iterator<Item = Between> + '_ {
    debug_assert!(multiple > 1, "an animation that stays as it is keeps its frames");
    let last = animation.pose_count() - 1;
    let frame = |pose: usize| animation.frame_of(pose).unwrap_or(usize::MAX);
    debug_assert!((0..=last).all(|pose| animation.frame_of(pose).is_some()), "only whole animations get more poses");
    (0..=last).flat_map(move |pose| {
        // After its last pose, an animation begins again or holds.
        let next = if pose < last {
            pose + 1
        } else if animation.looping {
            0
        } else {
            last
        };
        (0..multiple).map(move |step| Between {
            from: frame(pose),
            to: frame(next),
            fraction: step as f32 / multiple as f32,
        })
    })
}

/// Returns the new frames of a list that has `count` values in each frame; empty if the list is, or has no whole frame.
fn resample<T: Copy>(values: &[T], count: usize, frames: &[Between], mix: impl Fn(&T, &T, f32) -> T) -> Vec<T> {
    if count == 0 || values.len() < count {
        return Vec::new();
    }
    let frame = |number: usize| {
        let last = values.len() / count - 1;
        &values[number.min(last) * count..][..count]
    };
    let mut out = Vec::with_capacity(frames.len() * count);
    for &Between { from, to, fraction } in frames {
        match fraction == 0.0 || from == to {
            true => out.extend_from_slice(frame(from)),
            false => out.extend(zip(frame(from), frame(to)).map(|(a, b)| mix(a, b, fraction))),
        }
    }
    out
}

/// Returns a bone on the way between two poses: rotations turn along the shorter arc, everything else moves in straight
/// lines.
fn moved(a: &Mat3x4, b: &Mat3x4, fraction: f32) -> Mat3x4 {
    let straight = |a: Vec3, b: Vec3| a.lerp(b, fraction);
    let origin = straight(a.origin(), b.origin());
    let columns = |m: &Mat3x4, turn: Quat| [m.forward(), m.left(), m.up()].map(|axis| turn * axis);
    let (from, to) = (a.known_rotation(), b.known_rotation());
    // Without rotations, axes move in straight lines, too.
    let (from, to) = from.zip(to).unwrap_or_default();
    let turn = from.slerp(to, fraction);
    let [f, l, u] =
        std::array::from_fn(|axis| straight(columns(a, from.inverse())[axis], columns(b, to.inverse())[axis]));
    let mixed = Mat3x4::from_columns(turn * f, turn * l, turn * u, origin);
    if mixed.is_finite() { mixed } else { *a }
}

/// Returns the bounds of two frames.
fn joined(a: &Bounds, b: &Bounds) -> Bounds {
    let each =
        |choose: fn(f32, f32) -> f32, a: [f32; 3], b: [f32; 3]| std::array::from_fn(|axis| choose(a[axis], b[axis]));
    Bounds {
        mins: each(f32::min, a.mins, b.mins),
        maxs: each(f32::max, a.maxs, b.maxs),
        xy_radius: a.xy_radius.max(b.xy_radius),
        radius: a.radius.max(b.radius),
    }
}
