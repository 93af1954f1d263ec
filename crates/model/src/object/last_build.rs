//! Inputs of the last build, to find out that another build would change nothing.

use std::sync::{Arc, Weak};

use super::{Build, SkeletalObject};
use crate::model::{FrameState, Model};

/// Inputs of the build that wrote a pose last.
#[derive(Debug)]
pub(super) struct LastBuild {
    /// Revision of the object after the build; [`NEVER`](Self::NEVER) if a repeated build may give another pose.
    revision: u64,
    /// Address of the model with the animations.
    source: usize,
    /// Holds the address of a model that is not the object's own, so that no other model gets it.
    _foreign: Weak<Model>,
    build: Build,
    frame: FrameState,
}

impl Default for LastBuild {
    fn default() -> Self {
        Self {
            revision: Self::NEVER,
            source: 0,
            _foreign: Weak::new(),
            build: Build::REPLACE,
            frame: FrameState::default(),
        }
    }
}

impl LastBuild {
    /// Revision that no object has.
    const NEVER: u64 = u64::MAX;

    /// Returns `true` if a build with these inputs results in the pose of this revision.
    #[inline(always)]
    pub fn gives(&self, revision: u64, source: &Model, frame: &FrameState, build: &Build) -> bool {
        let factors = |build: &Build| [build.retain.to_bits(), build.add.to_bits()];
        self.revision == revision
            && self.source == address(source)
            && frame.has_bits_of(&self.frame)
            && factors(&self.build) == factors(build)
            && self.build.bones == build.bones
    }
}

/// Model to build from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// The object's own model, or one that may be changed or freed by the next build.
    Borrowed(&'a Model),
    /// Model that lives on unchanged while it is referred to.
    Shared(&'a Arc<Model>),
}

impl<'a> Source<'a> {
    #[inline]
    pub fn model(self) -> &'a Model {
        match self {
            Self::Borrowed(model) => model,
            Self::Shared(model) => model,
        }
    }
}

impl SkeletalObject {
    /// Keeps the inputs of the build that has just written the pose; `is_pure` if the poses depend on them alone.
    #[inline(always)]
    pub(super) fn keep_build(&mut self, source: Source<'_>, frame: &FrameState, build: &Build, is_pure: bool) {
        let kept = &mut self.last_build;
        kept.revision = LastBuild::NEVER;
        // A retained pose changes with every build, and game code can change one behind a pointer at any time.
        if !is_pure || build.retain != 0.0 || self.is_shared {
            return;
        }
        debug_assert_ne!(self.revision, LastBuild::NEVER, "no object has this revision");
        let place = address(source.model());
        if place != Arc::as_ptr(&self.model).addr() {
            let Source::Shared(model) = source else { return };
            if kept.source != place {
                kept._foreign = Arc::downgrade(model);
            }
        }
        kept.source = place;
        kept.revision = self.revision;
        kept.frame.copy_bits_of(frame);
        kept.build.clone_from(build);
    }
}

#[inline]
fn address(model: &Model) -> usize {
    std::ptr::from_ref(model).addr()
}
