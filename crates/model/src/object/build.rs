//! Building: animations mixed into the bones of a skeletal object.

use std::ops::Range;
use std::sync::Arc;

use super::last_build::Source;
use super::{Blending, Built, ObjectError, SkeletalObject};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model};
use crate::out_of_range::OutOfRange;
use crate::pose::{self, PoseSource, saturate};

/// Factors and bones of a [build](SkeletalObject::build), which mixes a new pose into the present pose of the bones.
///
/// ```
/// use skelobj::model::FrameState;
/// use skelobj::object::Build;
/// let mut object = skelobj::assets::mannequin_object();
/// let model = object.model().clone();
/// object.build(&model, &FrameState::single(0, 0.0), &Build::REPLACE)?; // idle
/// let idle = object.pose().clone();
/// object.build(&model, &FrameState::single(2, 0.3), &Build::REPLACE.with_bones(1..9))?; // both legs run
/// let [thigh, head] = [1, 12].map(|bone| object.pose().bones()[bone] == idle.bones()[bone]);
/// assert!(!thigh && head);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Build {
    /// Factor of the pose that the bones hold. 0 ignores that pose, even if it is not finite.
    pub retain: f32,
    /// Factor of the new pose.
    pub add: f32,
    /// Bones to build, 0-based, the end excluded. Bones beyond the object are ignored.
    pub bones: Range<usize>,
}

impl Build {
    /// Build that replaces the pose of all bones.
    pub const REPLACE: Self = Self { retain: 0.0, add: 1.0, bones: 0..usize::MAX };

    /// Creates a build that mixes `retain` of the old pose with `1 - retain` of the new pose, in all bones.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let mut height_of = |animation: usize, build: Build| {
    ///     let built = object.build(&model, &FrameState::single(animation, 0.1), &build);
    ///     built.map(|()| object.pose().bones()[0].origin().z)
    /// };
    /// let run = height_of(2, Build::REPLACE)?;
    /// let idle = height_of(0, Build::REPLACE)?;
    /// let mixed = height_of(2, Build::retaining(0.75))?;
    /// assert!((mixed - (0.75 * idle + 0.25 * run)).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn retaining(retain: f32) -> Self {
        Self { retain, add: 1.0 - retain, bones: 0..usize::MAX }
    }

    /// Returns the build limited to a range of bones (0-based, the end excluded).
    ///
    /// skel_build counts bones from 1 and includes the last one: its 10 and 21 are `9..21` here.
    ///
    /// Bones are in the order of the file, and parents come before their children; nothing else is guaranteed. In most
    /// files the bones of a branch follow each other, as in the mannequin. In others, build each run of the branch's
    /// bones, as in the second example.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let upper_body = Build::REPLACE.with_bones(9..21); // spine, arms and head
    /// object.build(&model, &FrameState::single(1, 0.2), &Build::REPLACE)?; // walk
    /// let legs = object.pose().bones()[..9].to_vec();
    /// object.build(&model, &FrameState::single(3, 0.2), &upper_body)?; // hit from death, above the waist
    /// assert_eq!(object.pose().bones()[..9], legs);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let root = model.skeleton.find("spine").expect("a spine");
    /// let mut in_branch = vec![false; model.skeleton.len()];
    /// for (bone, parent) in model.skeleton.parents().iter().enumerate() {
    ///     in_branch[bone] = bone == root || usize::try_from(*parent).is_ok_and(|parent| in_branch[parent]);
    /// }
    /// let mut bone = 0;
    /// let mut runs = Vec::new(); // once per model
    /// for run in in_branch.chunk_by(|a, b| a == b) {
    ///     if run[0] {
    ///         runs.push(bone..bone + run.len());
    ///     }
    ///     bone += run.len();
    /// }
    /// assert_eq!(runs, [9..21]);
    /// for run in runs {
    ///     object.build(&model, &FrameState::single(2, 0.2), &Build::REPLACE.with_bones(run))?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_bones(mut self, bones: Range<usize>) -> Self {
        self.bones = bones;
        self
    }
}

impl SkeletalObject {
    /// Mixes a pose of `source` into a range of bones (builtin #264, skel_build).
    ///
    /// The result of each bone is `old * retain + new * add`, a plain sum as in FTE: factors that do not add up to 1
    /// scale the model. [`set_blending`](Self::set_blending) keeps the rotations of bones in these sums. Numbers that
    /// grow beyond 1e30 stop there.
    ///
    /// `source` may differ from the object's model; bones that it lacks are unchanged. An object in model space can
    /// only be rebuilt whole and with nothing retained, and is in local space afterwards. Bones that `source` lacks are
    /// then converted: they keep their pose relative to their parents.
    ///
    /// A build from the object's own model that repeats the last write to the object, with nothing retained, is left
    /// out. `Runtime::build` leaves it out for every model.
    ///
    /// ```
    /// use skelobj::model::{Blend, FrameState};
    /// use skelobj::object::Build;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let frame = FrameState::blended([Blend::new(1, 0.4, 0.7), Blend::new(2, 0.2, 0.3)]); // walk and run
    /// object.build(&model, &frame, &Build::REPLACE)?;
    /// assert!(object.model_space(12).unwrap().origin().z > 50.0); // the head
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotLocal`] if the object is in model space and the build is partial or retains something.
    /// [`ObjectError::OutOfRange`] if a factor, or a weight, a time or a parameter of `frame`, is not finite. The
    /// object is unchanged.
    #[inline]
    pub fn build(&mut self, source: &Model, frame: &FrameState, build: &Build) -> Result<(), ObjectError> {
        self.build_unless_kept(Source::Borrowed(source), frame, build)
    }

    /// Builds like [`build`](Self::build), and leaves out a repeated build from a model of any object.
    #[inline(always)]
    pub(crate) fn build_shared(
        &mut self,
        source: &Arc<Model>,
        frame: &FrameState,
        build: &Build,
    ) -> Result<(), ObjectError> {
        self.build_unless_kept(Source::Shared(source), frame, build)
    }

    #[inline(always)]
    fn build_unless_kept(&mut self, source: Source<'_>, frame: &FrameState, build: &Build) -> Result<(), ObjectError> {
        if self.last_build.gives(self.revision, source.model(), frame, build) {
            return Ok(());
        }
        self.build_and_keep(source, frame, build)
    }

    #[inline(never)]
    fn build_and_keep(&mut self, source: Source<'_>, frame: &FrameState, build: &Build) -> Result<(), ObjectError> {
        let is_pure = self.build_shaped(source, frame, build, None)?;
        self.keep_build(source, frame, build, is_pure);
        Ok(())
    }

    /// Builds, and returns `true` if the poses depend on the arguments alone.
    #[inline(always)]
    fn build_shaped(
        &mut self,
        source: Source<'_>,
        frame: &FrameState,
        build: &Build,
        shape: Option<fn(&mut Mat3x4)>,
    ) -> Result<bool, ObjectError> {
        let count = self.bone_count();
        let (retain, add) = (build.retain, build.add);
        let grows = grows(build, frame)?;
        let end = build.bones.end.min(count);
        let start = build.bones.start.min(end);
        if !self.pose.is_local() {
            if retain != 0.0 || start != 0 || end != count {
                return Err(ObjectError::NotLocal);
            }
            // Bones that a mask keeps are converted, as those that the source lacks.
            self.make_local(if self.mask.is_some() { 0 } else { source.model().skeleton.len() });
        }
        self.note_write(Built::ByScript);
        let range = start..end;
        if self.mask.is_none() && shape.is_none() && self.blending == Blending::Linear {
            let bones = &mut self.pose.bones_mut()[range.clone()];
            let source = PoseSource { model: source.model(), frame };
            let is_pure = pose::sample_into(source, range, retain, add, bones).is_pure;
            if grows {
                saturate(bones);
            }
            return Ok(is_pure);
        }
        let is_pure = self.build_mixed(source, frame, range.clone(), [retain, add], shape);
        if grows {
            saturate(&mut self.pose.bones_mut()[range]);
        }
        Ok(is_pure)
    }

    /// Builds with any blending, mask and shape, and returns `true` if the poses depend on the arguments alone.
    #[inline(never)]
    fn build_mixed(
        &mut self,
        source: Source<'_>,
        frame: &FrameState,
        range: Range<usize>,
        [retain, add]: [f32; 2],
        shape: Option<fn(&mut Mat3x4)>,
    ) -> bool {
        let (mixer, blending) = (self.mixer(source), self.blending);
        let source = PoseSource { model: source.model(), frame };
        let bones = &mut self.pose.bones_mut()[range.clone()];
        let mask = self.mask.as_deref();
        if mask.is_none() && shape.is_none() {
            return mixer.sample(source, range, retain, add, bones).is_pure;
        }
        // A bounded piece at a time: no allocation, and the piece stays in the nearest cache.
        let mut scratch = [Mat3x4::ZERO; 32];
        for (piece, bones) in bones.chunks_mut(scratch.len()).enumerate() {
            let start = range.start + piece * scratch.len();
            let written = mixer.sample(source, start..start + bones.len(), 0.0, 1.0, &mut scratch).bones;
            let (bones, new) = (&mut bones[..written], &mut scratch[..written]);
            if let Some(shape) = shape {
                new.iter_mut().for_each(shape);
            }
            let Some(mask) = mask else {
                blending.retain_and_add(bones, start, retain, new, add);
                continue;
            };
            let mut changed = [Mat3x4::ZERO; 32];
            let changed = &mut changed[..written];
            changed.copy_from_slice(bones);
            blending.retain_and_add(changed, start, retain, new, add);
            for (number, (bone, changed)) in bones.iter_mut().zip(changed).enumerate() {
                blending.mix(bone, changed, mask.weight(start + number));
            }
        }
        false
    }

    /// Mixes a pose of `source` into a range of bones with DarkPlaces' rules.
    ///
    /// Each axis of the new pose becomes a unit vector before the pose is mixed in; the result of the mixing is not
    /// normalised. Everything else is as in [`build`](Self::build).
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// object.build_normalized(&model, &FrameState::single(2, 0.31), &Build::REPLACE)?;
    /// for bone in object.pose().bones() {
    ///     assert!((bone.forward().length() - 1.0).abs() < 1e-6);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotLocal`] and [`ObjectError::OutOfRange`] as for [`build`](Self::build). The object is
    /// unchanged.
    pub fn build_normalized(&mut self, source: &Model, frame: &FrameState, build: &Build) -> Result<(), ObjectError> {
        self.build_shaped(Source::Borrowed(source), frame, build, Some(normalize_axes))?;
        Ok(())
    }
}

/// Checks that the numbers of a frame state are finite.
pub(super) fn check_frame(frame: &FrameState) -> Result<(), ObjectError> {
    grows(&Build::REPLACE, frame).map(drop)
}

/// Returns `true` if a build may make numbers grow, in one call or over many.
#[inline]
fn grows(build: &Build, frame: &FrameState) -> Result<bool, ObjectError> {
    let retain = build.retain.abs();
    let sum = retain + build.add.abs() * frame.weight();
    if !(sum.is_finite() && frame.times_and_parameters().is_finite()) {
        refuse(build, frame)?;
    }
    // Fractions that add up to 1 cannot, even if their sum was rounded up.
    Ok(!(sum <= 1.001 && retain <= 1.0))
}

/// Returns the error of the first number that is not finite; none if only the sum of the numbers is infinite.
#[cold]
fn refuse(build: &Build, frame: &FrameState) -> Result<(), ObjectError> {
    let weights = frame.active().map(|blend| ("weight", f64::from(blend.weight)));
    let times = frame.active().map(|blend| ("time", blend.time));
    let factors = [("retain", f64::from(build.retain)), ("add", f64::from(build.add))];
    let parameters = frame.parameters().as_array().map(|parameter| ("parameter", f64::from(parameter)));
    for (name, number) in factors.into_iter().chain(weights).chain(times).chain(parameters) {
        OutOfRange::check(number.is_finite(), name, number, "a finite number")?;
    }
    Ok(())
}

/// Scales the three axes to unit length; an axis of length zero is unchanged.
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
