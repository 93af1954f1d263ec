//! Frames of a model that were split into rotations and stretches, kept for the next blend.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::octet::Octet;
use crate::model::Model;

/// Frames of a model, each split when it is shown for the first time.
#[derive(Debug)]
pub(crate) struct SplitFrames {
    /// Holds the address of the model, so that no other model gets it, and keeps the model from being changed in place.
    model: Weak<Model>,
    frames: Box<[OnceLock<Box<[Octet]>>]>,
}

/// Frames of all models that an object blends.
static ALL: Mutex<Vec<Weak<SplitFrames>>> = Mutex::new(Vec::new());

impl SplitFrames {
    /// Returns the frames of a model. All objects share them.
    pub fn of(model: &Arc<Model>) -> Arc<Self> {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|frames| frames.strong_count() > 0);
        if let Some(frames) = all.iter().filter_map(Weak::upgrade).find(|frames| frames.is_of(model)) {
            return frames;
        }
        let count = model.frames.len().checked_div(model.skeleton.len()).unwrap_or(0);
        let frames = (0..count).map(|_| OnceLock::new()).collect();
        let frames = Arc::new(Self { model: Arc::downgrade(model), frames });
        all.push(Arc::downgrade(&frames));
        frames
    }

    /// Returns `true` if the frames are those of the model.
    #[inline]
    pub fn is_of(&self, model: &Model) -> bool {
        std::ptr::eq(self.model.as_ptr(), model)
    }

    /// Returns the bones of a frame of `model`, which the frames are of.
    #[inline]
    pub fn frame(&self, model: &Model, frame: usize) -> Option<&[Octet]> {
        debug_assert!(self.is_of(model), "the frames are those of the model");
        let bones = model.skeleton.len();
        let split = || Octet::split_pose(&model.frames[frame * bones..][..bones]);
        Some(self.frames.get(frame)?.get_or_init(split))
    }
}
