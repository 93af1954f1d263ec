//! Animations of `.framegroups` files, bound to frames that may still have to come.

use super::{AnimationSource, Fixup, Model, ModelWarning, Name};
use crate::limits::Limits;

/// The section that warnings of a `.framegroups` file name.
pub(crate) const SECTION: &str = "framegroups";

/// The animations of a `.framegroups` file that name frames which the model does not have yet.
///
/// A file that holds only meshes may have a `.framegroups` file for frames that another file brings. Those animations show
/// the bind pose, or the frames there are, until [`Model::join`] or [`Model::add_animations`] adds the rest. Kept are all
/// animations of the file as long as one of them waits; they are the first of [`Model::animations`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Framegroups {
    groups: Vec<Framegroup>,
    /// How many frames the model had when these were bound to them.
    frames: usize,
}

/// An animation of a `.framegroups` file: its name, to know it by, and its frames as the file numbers them.
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
    /// Never empty.
    List(Vec<f64>),
}

impl StatedPoses {
    /// The poses among `frames` frames, and what had to be put right for that.
    pub fn bind(&self, frames: usize) -> (AnimationSource, Option<Fixup>) {
        let frames = u32::try_from(frames).unwrap_or(u32::MAX);
        match self {
            Self::Run { first, count: stated } => {
                // A number below zero is as far outside as one past the end.
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

    /// Returns whether no animation waits for frames.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Nothing, where no animation names frames that are not there.
    fn unless_bound(self) -> Self {
        let waits = |group: &Framegroup| group.poses.bind(self.frames).1.is_some();
        if self.groups.iter().any(waits) { self } else { Self::default() }
    }
}

impl Model {
    /// Binds the animations of a `.framegroups` file to the frames that there are now. Animations that took the place of
    /// those stay.
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
