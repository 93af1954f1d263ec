//! Which [`SkelId`]s are in use, and which comes next.

use slotmap::{Key, KeyData};

use super::SkelId;

/// Hands out keys as a slot map does, and can be saved with the order of what is free: a restored runtime hands out the
/// same ones next.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct IdTable {
    /// How often each slot was taken and freed: odd while it is taken.
    versions: Vec<u32>,
    /// Free slots, the next one last.
    free: Vec<u32>,
}

impl IdTable {
    /// A key that no object has or had.
    pub(super) fn insert(&mut self) -> SkelId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.versions.push(0);
            self.versions.len() as u32 - 1
        });
        let version = &mut self.versions[slot as usize];
        *version += 1;
        id(slot, *version)
    }

    /// Ends a key.
    pub(super) fn remove(&mut self, key: SkelId) {
        let (slot, version) = parts(key);
        if let Some(own) = self.versions.get_mut(slot as usize).filter(|own| **own == version) {
            *own = own.wrapping_add(1);
            self.free.push(slot);
        }
    }

    /// Whether the keys in use are these, each given once.
    #[cfg(feature = "serde")]
    pub(super) fn are(&self, keys: &std::collections::HashSet<SkelId>) -> bool {
        let mut versions = self.versions.clone();
        let frees = self.free.iter().all(|&slot| match versions.get_mut(slot as usize) {
            // Marks what was seen as taken, so that a slot that is free twice is found.
            Some(version) if *version % 2 == 0 => {
                *version += 1;
                true
            }
            _ => false,
        });
        let taken = |key: &SkelId| {
            let (slot, version) = parts(*key);
            version % 2 == 1 && self.versions.get(slot as usize) == Some(&version)
        };
        frees
            && versions.iter().all(|version| version % 2 == 1)
            && keys.iter().all(taken)
            && keys.len() + self.free.len() == versions.len()
    }
}

fn id(slot: u32, version: u32) -> SkelId {
    KeyData::from_ffi(u64::from(version) << 32 | u64::from(slot)).into()
}

fn parts(key: SkelId) -> (u32, u32) {
    let bits = key.data().as_ffi();
    (bits as u32, (bits >> 32) as u32)
}
