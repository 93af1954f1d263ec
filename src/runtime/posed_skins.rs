//! Skins of the poses that were traced last, for the next pellet of a shot.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use skelobj_model::internal::PosedSkin;

use crate::math::Mat3x4;
use crate::model::Model;
use crate::pose;

/// Maximum number of skins that are kept: those of the characters near a shot.
const MAX_SKINS: usize = 16;
/// Maximum memory of the skins that are kept, bytes.
const MAX_MEMORY: usize = 16 << 20;

/// Skins of models in the poses of recent traces, the last one at the end.
///
/// A pose is found by its bits, so that a skin is never older than what moves it. Nothing of this is part of a
/// snapshot.
#[derive(Debug, Default)]
pub(super) struct PosedSkins(Mutex<Vec<Entry>>);

#[derive(Debug)]
struct Entry {
    model: Weak<Model>,
    bones: Vec<Mat3x4>,
    skin: Arc<PosedSkin>,
}

impl PosedSkins {
    /// Returns the skin of a model whose bones are in model space, or in any other that the skin is wanted in.
    pub fn get(&self, model: &Arc<Model>, bones: &[Mat3x4]) -> Arc<PosedSkin> {
        let is_wanted = |entry: &Entry| {
            std::ptr::eq(entry.model.as_ptr(), Arc::as_ptr(model))
                && bytemuck::cast_slice::<_, u32>(&entry.bones) == bytemuck::cast_slice::<_, u32>(bones)
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = kept.iter().rposition(is_wanted) {
            let entry = kept.remove(place);
            let skin = Arc::clone(&entry.skin);
            kept.push(entry);
            return skin;
        }
        drop(kept);
        let mut palette = vec![Mat3x4::ZERO; bones.len()];
        pose::palette(bones, model.skeleton.inverse_bind(), &mut palette);
        let skin = Arc::new(PosedSkin::new(&model.meshes, &palette));
        let entry = Entry { model: Arc::downgrade(model), bones: bones.to_vec(), skin: Arc::clone(&skin) };
        if entry.memory() <= MAX_MEMORY {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.retain(|entry| entry.model.strong_count() > 0);
            kept.push(entry);
            while kept.len() > MAX_SKINS || kept.iter().map(Entry::memory).sum::<usize>() > MAX_MEMORY {
                kept.remove(0);
            }
        }
        skin
    }
}

impl Entry {
    fn memory(&self) -> usize {
        self.skin.memory() + size_of_val(&*self.bones)
    }
}
