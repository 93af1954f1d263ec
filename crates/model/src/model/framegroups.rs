//! Animations of `.framegroups` files, bound to frames of the model or of a file yet to be joined.

use super::{AnimationSource, Fixup, Model, ModelWarning, Name};
use crate::limits::Limits;

/// Section name in warnings about a `.framegroups` file.
pub(crate) const SECTION: &str = "framegroups";

/// Animations of a `.framegroups` file whose frames the model lacks.
///
/// A file with only meshes may have a `.framegroups` file for the frames of another file. Until [`Model::join`] or
/// [`Model::add_animations`] adds those frames, such animations show the bind pose or the existing frames. As long as
/// one animation waits, the value holds all animations of the `.framegroups` file; they are the first of
/// [`Model::animations`].
///
/// ```
/// let mannequin = skelobj::assets::mannequin();
/// let mut body = mannequin.clone(); // a file without animations
/// (body.animations, body.frames, body.bounds) = Default::default();
/// body.apply_framegroups("body.iqm", b"60 28 30 1 walk");
/// assert!(!body.framegroups.is_empty());
/// body.add_animations(&mannequin)?;
/// assert!(body.framegroups.is_empty());
/// assert_eq!(body.animations[0].frame_of(0), Some(60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Framegroups {
    groups: Vec<Framegroup>,
    /// Number of frames of the model when the animations were last bound.
    frames: usize,
}

/// Animation of a `.framegroups` file: its name, which identifies it, and its frames as the file numbers them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Framegroup {
    pub name: Name,
    /// Byte offset in the file.
    pub offset: usize,
    pub poses: StatedPoses,
}

/// Poses as a `.framegroups` file numbers them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum StatedPoses {
    Run {
        first: f64,
        count: u32,
    },
    /// List of poses; never empty.
    List(Vec<f64>),
}

impl StatedPoses {
    /// Returns the poses among `frames` frames, and the repair that was necessary.
    pub fn bind(&self, frames: usize) -> (AnimationSource, Option<Fixup>) {
        let frames = u32::try_from(frames).unwrap_or(u32::MAX);
        match self {
            Self::Run { first, count: stated } => {
                // A negative number is outside, like one past the end.
                let left = if *first < 0.0 { 0 } else { frames.saturating_sub(*first as u32) };
                let kept = left.min(*stated);
                if kept == 0 {
                    return (AnimationSource::BindPose, Some(Fixup::AnimationOutside));
                }
                let cut = (kept < *stated).then_some(Fixup::AnimationCut { stated: *stated, kept });
                (AnimationSource::Frames { first: *first as u32, count: kept }, cut)
            }
            Self::List(_) if frames == 0 => (AnimationSource::BindPose, Some(Fixup::AnimationOutside)),
            Self::List(list) => {
                let inside = |pose: &f64| (0.0..f64::from(frames)).contains(pose);
                let outside = Fixup::Dropped("a pose past the last frame (the last one shows instead)");
                let fixup = (!list.iter().all(inside)).then_some(outside);
                (AnimationSource::List(list.iter().map(|&pose| (pose as u32).min(frames - 1)).collect()), fixup)
            }
        }
    }
}

impl Framegroups {
    pub(crate) fn new(groups: Vec<Framegroup>, frames: usize) -> Self {
        Self { groups, frames }.unless_bound()
    }

    /// Returns `true` if no animation waits for frames.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert!(mannequin.framegroups.is_empty()); // all frames are there
    /// ```
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the value if an animation still waits for frames, otherwise an empty one.
    fn unless_bound(self) -> Self {
        let waits = |group: &Framegroup| group.poses.bind(self.frames).1.is_some();
        if self.groups.iter().any(waits) { self } else { Self::default() }
    }
}

impl Model {
    /// Binds the animations of a `.framegroups` file to the frames that exist now. Animations that a caller replaced
    /// stay.
    pub(super) fn bind_framegroups(&mut self) {
        let frames = self.frame_count();
        let mut framegroups = std::mem::take(&mut self.framegroups);
        for (group, animation) in framegroups.groups.iter().zip(&mut self.animations) {
            let (before, old) = group.poses.bind(framegroups.frames);
            if animation.name != group.name || animation.source != before {
                continue;
            }
            let (source, new) = group.poses.bind(frames);
            animation.source = source;
            if old != new {
                let warning = |fixup| ModelWarning { section: SECTION, offset: group.offset, fixup };
                let old = old.map(warning);
                if let Some(at) = self.warnings.iter().position(|warning| Some(warning) == old.as_ref()) {
                    self.warnings.remove(at);
                }
                if let Some(new) = new.map(warning) {
                    new.add_to(&mut self.warnings, Limits::DEFAULT.warnings);
                }
            }
        }
        framegroups.frames = frames;
        self.framegroups = framegroups.unless_bound();
    }
}
