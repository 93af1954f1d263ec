//! Bones of the model for which a doll is parsed.

use std::cell::Cell;
use std::collections::HashMap;

use skelobj_model::internal::nearest;

use super::DollProblemKind;
use super::encoding::{in_other_encoding, text_of};
use crate::model::{Name, Skeleton};

/// Bones of a skeleton by name; of several bones with one name, the first.
pub(super) struct Bones<'a> {
    skeleton: &'a Skeleton,
    by_name: HashMap<&'a Name, usize>,
    /// `true` once a bone of the text was found.
    has_found: Cell<bool>,
}

impl<'a> Bones<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let mut by_name = HashMap::with_capacity(skeleton.len());
        for (index, name) in skeleton.names().iter().enumerate() {
            by_name.entry(name).or_insert(index);
        }
        Self { skeleton, by_name, has_found: Cell::new(false) }
    }

    fn find(&self, name: &Name) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Returns the model's own name of a bone, which may be in the other encoding; `None` if the bone does not exist.
    pub(super) fn resolve(&self, bone: &Name) -> Option<Name> {
        let found = match self.find(bone) {
            Some(_) => Some(bone.clone()),
            None => in_other_encoding(bone).filter(|other| self.find(other).is_some()),
        };
        self.has_found.set(self.has_found.get() || found.is_some());
        found
    }

    /// Returns `true` if any bone was found so far.
    pub(super) fn has_found(&self) -> bool {
        self.has_found.get()
    }

    /// Returns `true` if the bone exists and has no parent.
    pub(super) fn is_root(&self, name: &Name) -> bool {
        self.find(name).is_some_and(|bone| self.skeleton.parent(bone).is_none())
    }

    /// Returns `true` if both bones exist and one is below the other, at any distance.
    pub(super) fn is_below(&self, bone: &Name, other: &Name) -> bool {
        let (Some(bone), Some(other)) = (self.find(bone), self.find(other)) else { return false };
        std::iter::successors(self.skeleton.parent(bone), |bone| self.skeleton.parent(*bone))
            .any(|above| above == other)
    }

    /// Creates the problem of a bone that does not exist.
    pub(super) fn missing(&self, bone: Name) -> DollProblemKind {
        let names: Vec<_> = self.skeleton.names().iter().map(|name| text_of(name.as_bytes())).collect();
        let suggestion = nearest(text_of(bone.as_bytes()).as_bytes(), names.iter().map(|name| name.as_bytes()));
        DollProblemKind::NoSuchBone { bone, suggestion }
    }
}
