//! Mixing poses of a model's animations into the bones.

use std::ops::Range;

use super::pose::saturate;
use super::{BuildNumber, Built, SkelError, SkeletalObject};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model};
use crate::pose::{self, PoseSource};

/// The factors and the range of a [build](SkeletalObject::build), which mixes a new pose into an old one.
#[derive(Clone, PartialEq, Debug)]
pub struct Build {
    /// Factor of what the bones hold; 0 ignores it, also where it is not finite.
    pub retain: f32,
    /// Factor of the new pose.
    pub add: f32,
    /// Bones to build, 0-based, the end excluded; a range beyond the object is cut off.
    pub bones: Range<usize>,
}

impl Build {
    /// Replaces all bones.
    pub const REPLACE: Self = Self { retain: 0.0, add: 1.0, bones: 0..usize::MAX };

    /// Mixes `retain` of the old pose with the rest, `1 - retain`, of the new one, in all bones.
    #[must_use]
    pub fn retaining(retain: f32) -> Self {
        Self { retain, add: 1.0 - retain, bones: 0..usize::MAX }
    }

    /// Limits the build to a range of bones (0-based, the end excluded).
    #[must_use]
    pub fn range(mut self, bones: Range<usize>) -> Self {
        self.bones = bones;
        self
    }
}

impl SkeletalObject {
    /// Mixes a pose of `source` into a range of bones (builtin #264, skel_build).
    ///
    /// Bone by bone, `old * retain + new * add`, a plain sum: fractions that do not add up to 1 scale the model.
    /// Numbers that grow beyond 1e30 stay there.
    ///
    /// `source` may be another model; bones that it lacks are left alone. An object in model space can only be rebuilt
    /// whole with nothing retained, and is in local space from then on: bones that the source lacks are converted, they
    /// keep their pose relative to their parents.
    ///
    /// # Errors
    /// [`SkelError::NotLocal`], or [`SkelError::NotFinite`] if a factor, or a weight, a time or a parameter of the
    /// frame state is infinite or NaN; the object is unchanged then.
    #[inline]
    pub fn build(&mut self, source: &Model, frame: &FrameState, build: &Build) -> Result<(), SkelError> {
        self.build_shaped(source, frame, build, None)
    }

    fn build_shaped(
        &mut self,
        source: &Model,
        frame: &FrameState,
        build: &Build,
        shape: Option<fn(&mut Mat3x4)>,
    ) -> Result<(), SkelError> {
        let count = self.bone_count();
        let (retain, add) = (build.retain, build.add);
        let grows = grows(build, frame)?;
        let end = build.bones.end.min(count);
        let start = build.bones.start.min(end);
        if !self.pose.is_local() {
            if retain != 0.0 || start != 0 || end != count {
                return Err(SkelError::NotLocal);
            }
            self.make_local(source.skeleton.len());
        }
        self.built = Built::ByScript;
        let source = PoseSource { model: source, frame };
        let bones = &mut self.pose.bones_mut()[start..end];
        if retain == 0.0 && add == 1.0 && shape.is_none() {
            pose::sample(source, start..end, bones);
            if grows {
                saturate(bones);
            }
            return Ok(());
        }
        // A bounded piece at a time: no allocation, and the piece stays in the nearest cache.
        let mut scratch = [Mat3x4::ZERO; 32];
        for (piece, bones) in bones.chunks_mut(scratch.len()).enumerate() {
            let start = start + piece * scratch.len();
            let written = pose::sample(source, start..start + bones.len(), &mut scratch);
            if let Some(shape) = shape {
                scratch[..written].iter_mut().for_each(shape);
            }
            pose::retain_and_add(&mut bones[..written], retain, &scratch[..written], add);
            if grows {
                saturate(bones);
            }
        }
        Ok(())
    }

    /// [`build`](Self::build) as DarkPlaces does it: every axis of the new pose is made a unit vector before it is
    /// mixed in; what comes of the mixing is not.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_normalized(&mut self, source: &Model, frame: &FrameState, build: &Build) -> Result<(), SkelError> {
        self.build_shaped(source, frame, build, Some(normalize_axes))
    }
}

/// Returns whether a build may make numbers grow, in a single call or in a hundred thousand.
#[inline]
fn grows(build: &Build, frame: &FrameState) -> Result<bool, SkelError> {
    let retain = build.retain.abs();
    let sum = retain + build.add.abs() * frame.weight();
    if !(sum.is_finite() && frame.times_and_parameters().is_finite()) {
        refuse(build, frame)?;
    }
    // Fractions of one whole cannot, not even where their sum was rounded up.
    Ok(!(sum <= 1.001 && retain <= 1.0))
}

/// Names the first number that is not finite. Finite ones may still have an infinite sum.
#[cold]
fn refuse(build: &Build, frame: &FrameState) -> Result<(), SkelError> {
    let weights = frame.active().map(|blend| (BuildNumber::Weight, blend.weight.is_finite()));
    let times = frame.active().map(|blend| (BuildNumber::Time, blend.time.is_finite()));
    let factors = [(BuildNumber::Retain, build.retain.is_finite()), (BuildNumber::Add, build.add.is_finite())];
    let parameters = frame.parameters().as_array().map(|parameter| (BuildNumber::Parameter, parameter.is_finite()));
    let mut all = factors.into_iter().chain(weights).chain(times).chain(parameters);
    all.find(|(_, finite)| !finite).map_or(Ok(()), |(number, _)| Err(SkelError::NotFinite(number)))
}

/// Makes unit vectors of the three axes; a zero one stays.
fn normalize_axes(matrix: &mut Mat3x4) {
    let m = &mut matrix.0;
    for column in 0..3 {
        let [x, y, z] = [column, 4 + column, 8 + column].map(|i| f64::from(m[i]));
        let length = (x * x + y * y + z * z).sqrt();
        if length > 0.0 {
            for row in 0..3 {
                m[4 * row + column] = (f64::from(m[4 * row + column]) / length) as f32;
            }
        }
    }
}
