//! Models whose animations have more frames where bones turn far.

use std::fmt;

use super::{AnimationSource, Mesh, Model};
use crate::limits::{Limit, LimitExceeded, Limits};
use crate::math::Mat3x4;
use crate::math::convert::decompose;
use crate::out_of_range::OutOfRange;
use glam::{DMat3, DQuat};

/// Error of [`Model::resampled`].
///
/// ```
/// use skelobj::model::ResampleError;
/// use skelobj::{Limits, assets};
///
/// let error = assets::mannequin().resampled(0.0, &Limits::default()).unwrap_err();
/// assert!(matches!(error, ResampleError::OutOfRange(_)));
/// assert_eq!(error.to_string(), "rate is 0, expected more than 0, and at most 1000 frames per second");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum ResampleError {
    /// The rate is out of range.
    OutOfRange(OutOfRange),
    /// The model would exceed one of the limits.
    LimitExceeded(LimitExceeded),
}

impl fmt::Display for ResampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange(error) => error.fmt(f),
            Self::LimitExceeded(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ResampleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            Self::OutOfRange(error) => error,
            Self::LimitExceeded(error) => error,
        })
    }
}

impl From<OutOfRange> for ResampleError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}

impl From<LimitExceeded> for ResampleError {
    fn from(error: LimitExceeded) -> Self {
        Self::LimitExceeded(error)
    }
}

/// Frame of the new model: a place between two frames of the old one.
#[derive(Clone, Copy)]
struct Between {
    from: usize,
    to: usize,
    /// 0 to 1; at 0, the frame is a copy of `from`.
    fraction: f64,
}

impl Between {
    fn copy(frame: usize) -> Self {
        Self { from: frame, to: frame, fraction: 0.0 }
    }
}

impl Model {
    /// Returns a copy with at least `rate` frames per second in animations with turns of a bone by more than 60 degrees
    /// between two neighbouring frames. The step from the last frame of a looping animation to the first counts, too.
    ///
    /// Poses between frames are sums of matrices, which make a bone shorter the farther it turns from one frame to the
    /// next. Between each two frames, new ones turn bones the shortest way at an even speed; positions, scales,
    /// vertices, morphs and tags change linearly. Each frame of the original stays, at the same time, and so do the
    /// durations and events of the animation. Its frames per second become the smallest multiple that is not below
    /// `rate`. Other animations, those with that many frames already, those that stand still, and evaluated animations
    /// stay as they are. The [`bounds`](Self::bounds) of a model with new frames are removed.
    ///
    /// # Errors
    /// [`ResampleError::OutOfRange`] unless the rate is above 0 and at most 1000, [`ResampleError::LimitExceeded`] if
    /// the model would have more frames, or the matrices and vertices of its frames need more memory, than the limits
    /// allow.
    ///
    /// ```
    /// use skelobj::model::{Animation, AnimationSource, FrameState};
    /// use skelobj::{Limits, assets};
    ///
    /// let mut mannequin = assets::mannequin();
    /// // Standing, and lying half a second later.
    /// let source = AnimationSource::List(vec![106, 142]);
    /// mannequin.animations[3] = Animation { source, ..Animation::frames("death", 0, 1, 2.0, false) };
    /// let smooth = mannequin.resampled(20.0, &Limits::default())?;
    /// assert_eq!((smooth.animations[3].rate, smooth.animations[3].pose_count()), (20.0, 20));
    /// assert_eq!(smooth.animations[..3], mannequin.animations[..3]);
    /// let size = |model: &skelobj::Model| {
    ///     let half_way = FrameState::single(3, 0.25);
    ///     (0..21).map(|bone| model.tag_matrix(bone, &half_way).unwrap().scale()).fold(1.0, f32::min)
    /// };
    /// assert!(size(&mannequin) < 0.9 && size(&smooth) > 0.99);
    /// # Ok::<(), skelobj::model::ResampleError>(())
    /// ```
    pub fn resampled(&self, rate: f32, limits: &Limits) -> Result<Self, ResampleError> {
        let is_allowed = rate > 0.0 && rate <= 1e3;
        OutOfRange::check(is_allowed, "rate", rate, "more than 0, and at most 1000 frames per second")?;
        let bytes = self.bytes_of_frame();
        let within = |frames: u64| {
            Limits::check(Limit::Frames, usize::try_from(frames).unwrap_or(usize::MAX), limits.frames)?;
            let (needed, allowed) = (frames.saturating_mul(bytes), limits.memory);
            let exceeded = LimitExceeded { limit: Limit::Memory, needed, allowed };
            if needed <= allowed { Ok(()) } else { Err(exceeded) }
        };
        // Animations may share frames: a small model can have many that are long.
        within(self.animations.iter().map(|animation| animation.pose_count() as u64).sum())?;
        let steps: Vec<u32> = (0..self.animations.len()).map(|number| self.steps(number, rate)).collect();
        if steps.iter().all(|&steps| steps == 1) {
            return Ok(self.clone());
        }
        let kept = self.kept_frames(&steps);
        let poses = self.animations.iter().zip(&steps).filter(|(_, steps)| **steps > 1);
        let added = poses.map(|(animation, steps)| animation.pose_count() as u64 * u64::from(*steps)).sum::<u64>();
        within(kept.iter().filter(|&&kept| kept).count() as u64 + added)?;
        Ok(self.with_frames_between(&steps, &kept))
    }

    /// Returns the memory that one frame takes, bytes.
    fn bytes_of_frame(&self) -> u64 {
        let of_matrices = (self.skeleton.len() + self.tags.len()) * size_of::<Mat3x4>();
        let of_mesh = |mesh: &Mesh| {
            let vertices = if mesh.frames.positions.is_empty() { 0 } else { mesh.positions.len() };
            vertices * 2 * size_of::<[f32; 3]>() + mesh.morphs.len() * size_of::<f32>()
        };
        (of_matrices + self.meshes.iter().map(of_mesh).sum::<usize>()) as u64
    }

    /// Returns the number of new frames for each one of an animation; 1 for an animation that stays as it is.
    fn steps(&self, number: usize, rate: f32) -> u32 {
        let animation = &self.animations[number];
        let frames = self.frame_count();
        let has_frames = (0..animation.pose_count()).all(|pose| animation.frame_of(pose).is_some_and(|at| at < frames));
        let steps = (rate / animation.rate.abs()).ceil();
        // An animation of less than a frame in a thousand seconds stands still.
        if !has_frames || steps.is_nan() || !(2.0..=1e6).contains(&steps) || self.far_turn(animation, true).is_none() {
            return 1;
        }
        steps as u32
    }

    /// Returns for each frame whether it stays: not if only animations show it that get new frames.
    fn kept_frames(&self, steps: &[u32]) -> Vec<bool> {
        let mut kept = vec![true; self.frame_count()];
        for replaced in [true, false] {
            for (animation, steps) in self.animations.iter().zip(steps) {
                let frames = (0..animation.pose_count()).filter_map(|pose| animation.frame_of(pose));
                for frame in frames.filter(|_| (*steps > 1) == replaced) {
                    if let Some(kept) = kept.get_mut(frame) {
                        *kept = !replaced;
                    }
                }
            }
        }
        kept
    }

    fn with_frames_between(&self, steps: &[u32], kept: &[bool]) -> Self {
        let mut model = self.clone();
        let mut plan: Vec<Between> = (0..kept.len()).filter(|&frame| kept[frame]).map(Between::copy).collect();
        // All frames of the animations that stay are kept, so that their runs stay whole.
        let mut moved = vec![0; kept.len()];
        for (at, frame) in plan.iter().enumerate() {
            moved[frame.from] = at as u32;
        }
        let place = |frame: u32| moved.get(frame as usize).copied().unwrap_or(u32::MAX);
        for (animation, &steps) in model.animations.iter_mut().zip(steps) {
            match &mut animation.source {
                AnimationSource::Frames { first, .. } if steps == 1 => *first = place(*first),
                AnimationSource::List(frames) if steps == 1 => {
                    frames.iter_mut().for_each(|frame| *frame = place(*frame))
                }
                AnimationSource::Frames { .. } | AnimationSource::List(_) => {
                    let first = plan.len() as u32;
                    let count = animation.pose_count();
                    for step in 0..count as u32 * steps {
                        let (pose, part) = ((step / steps) as usize, step % steps);
                        let next = if animation.looping { (pose + 1) % count } else { (pose + 1).min(count - 1) };
                        let frame = |pose| animation.frame_of(pose).unwrap_or_default();
                        let fraction = f64::from(part) / f64::from(steps);
                        plan.push(Between { from: frame(pose), to: frame(next), fraction });
                    }
                    animation.source = AnimationSource::Frames { first, count: plan.len() as u32 - first };
                    animation.rate *= steps as f32;
                }
                AnimationSource::BindPose | AnimationSource::Evaluated { .. } => {}
            }
        }
        model.frames = gathered(&plan, &self.frames, self.skeleton.len(), turned);
        for (tag, old) in model.tags.iter_mut().zip(&self.tags) {
            tag.frames = gathered(&plan, &old.frames, 1, turned);
        }
        for (mesh, old) in model.meshes.iter_mut().zip(&self.meshes) {
            let vertices = old.positions.len();
            mesh.frames.positions = gathered(&plan, &old.frames.positions, vertices, mixed);
            mesh.frames.normals = gathered(&plan, &old.frames.normals, vertices, mixed);
            mesh.morph_weights = gathered(&plan, &old.morph_weights, old.morphs.len(), |a, b, fraction| {
                mixed(&[*a], &[*b], fraction)[0]
            });
        }
        model.bounds.clear();
        model
    }
}

/// Returns the frames of an array with `size` values in each. Frames that the array does not have are left out.
fn gathered<T: Clone>(plan: &[Between], old: &[T], size: usize, between: impl Fn(&T, &T, f64) -> T) -> Vec<T> {
    let frame = |number: usize| old.get(number * size..(number + 1) * size).unwrap_or_default();
    let mut new = Vec::with_capacity(if old.is_empty() { 0 } else { plan.len() * size });
    for &Between { from, to, fraction } in plan {
        if fraction == 0.0 {
            new.extend_from_slice(frame(from));
        } else {
            new.extend(frame(from).iter().zip(frame(to)).map(|(a, b)| between(a, b, fraction)));
        }
    }
    new
}

fn mixed<const N: usize>(a: &[f32; N], b: &[f32; N], fraction: f64) -> [f32; N] {
    std::array::from_fn(|at| (f64::from(a[at]) * (1.0 - fraction) + f64::from(b[at]) * fraction) as f32)
}

/// Returns the transform part-way from one to another: rotations turn the shortest way, all else changes linearly.
fn turned(a: &Mat3x4, b: &Mat3x4, fraction: f64) -> Mat3x4 {
    let (a, b) = (parts(a), parts(b));
    let rotation = DMat3::from_quat(shortest(a.0, b.0, fraction));
    let axes = rotation * (a.1 * (1.0 - fraction) + b.1 * fraction);
    let column = |column: glam::DVec3| column.as_vec3();
    let origin = mixed(&a.2, &b.2, fraction).into();
    Mat3x4::from_columns(column(axes.x_axis), column(axes.y_axis), column(axes.z_axis), origin)
}

/// Returns the rotation, the scale and shear before it, and the translation.
fn parts(matrix: &Mat3x4) -> (DQuat, DMat3, [f32; 3]) {
    let (origin, rotation, _) = decompose(matrix);
    let [x, y, z] = [matrix.forward(), matrix.left(), matrix.up()].map(|column| column.as_dvec3());
    (rotation, DMat3::from_quat(rotation).transpose() * DMat3::from_cols(x, y, z), origin)
}

/// Returns the rotation part-way between two. The sines of the library have the same bits on every machine.
fn shortest(a: DQuat, b: DQuat, fraction: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let angle = crate::trig::acos(a.dot(b).clamp(-1.0, 1.0));
    let part = |part: f64| crate::trig::sin(part * angle) / crate::trig::sin(angle);
    let is_near = angle < 1e-4;
    let (from, to) = if is_near { (1.0 - fraction, fraction) } else { (part(1.0 - fraction), part(fraction)) };
    (a * from + b * to).normalize()
}
