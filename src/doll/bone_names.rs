//! Bones of the model for which a doll is parsed.

use std::collections::HashMap;

use super::DollProblemKind;
use super::suggest::nearest;
use crate::model::{Name, Skeleton};

/// Bones of a skeleton by name; of several bones with one name, the first.
pub(super) struct Bones<'a> {
    skeleton: &'a Skeleton,
    by_name: HashMap<&'a Name, usize>,
}

impl<'a> Bones<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let mut by_name = HashMap::with_capacity(skeleton.len());
        for (index, name) in skeleton.names().iter().enumerate() {
            by_name.entry(name).or_insert(index);
        }
        Self { skeleton, by_name }
    }

    pub(super) fn find(&self, name: &Name) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Returns `true` if the bone exists and has no parent.
    pub(super) fn is_root(&self, name: &Name) -> bool {
        self.find(name).is_some_and(|bone| self.skeleton.parent(bone).is_none())
    }

    /// Creates the problem of a bone that does not exist.
    pub(super) fn missing(&self, bone: Name) -> DollProblemKind {
        let suggestion = nearest(bone.as_bytes(), self.skeleton.names().iter().map(Name::as_bytes));
        DollProblemKind::NoSuchBone { bone, suggestion }
    }
}
