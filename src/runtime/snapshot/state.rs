//! What is in a snapshot, and the two ways between it and a runtime.

use std::collections::HashSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use slotmap::SecondaryMap;

#[cfg(feature = "ragdoll")]
use super::dolls::SavedDolls;
use super::model::SavedModel;
use crate::model::Model;
#[cfg(feature = "ragdoll")]
use crate::physics::SavedPhysics;
#[cfg(feature = "ragdoll")]
use crate::ragdoll::SavedRagdoll;
use crate::runtime::handles::HandleTable;
use crate::runtime::ids::IdTable;
use crate::runtime::{ModelId, Object, Runtime, Settings, SkelId};
use crate::skeleton::SavedSkeleton;

/// A runtime's state, with numbers in tables for what it shares with others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub models: Vec<SavedModel>,
    settings: Settings,
    ids: IdTable,
    handles: HandleTable,
    objects: Vec<SavedObject>,
    doomed: Vec<SkelId>,
    #[cfg(feature = "ragdoll")]
    dolls: SavedDolls,
    #[cfg(feature = "ragdoll")]
    physics: SavedPhysics,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedObject {
    id: SkelId,
    handle: u32,
    model: usize,
    skeleton: SavedSkeleton,
    doomed: bool,
    /// Its doll, and what it does.
    #[cfg(feature = "ragdoll")]
    ragdoll: Option<(usize, SavedRagdoll)>,
}

/// A part of a snapshot that does not fit the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Ids,
    Handles,
    Objects,
    #[cfg(feature = "ragdoll")]
    Dolls,
    #[cfg(feature = "ragdoll")]
    Ragdolls,
    #[cfg(feature = "ragdoll")]
    Physics,
}

/// The number of an item in a table, to which it is added if it is not there.
pub(super) fn number_in<T>(table: &mut Vec<T>, item: T, same: impl Fn(&T, &T) -> bool) -> usize {
    table.iter().position(|other| same(other, &item)).unwrap_or_else(|| {
        table.push(item);
        table.len() - 1
    })
}

impl Runtime {
    pub(super) fn save(&self) -> State {
        // In the order of the objects, which does not depend on the order in which models were added.
        let mut used: Vec<(ModelId, Arc<Model>)> = Vec::new();
        #[cfg(feature = "ragdoll")]
        let mut dolls = SavedDolls::default();
        let mut objects = Vec::with_capacity(self.objects.len());
        for (id, object) in &self.objects {
            objects.push(SavedObject {
                id,
                handle: object.handle,
                model: number_in(&mut used, (object.model, object.skeleton.model().clone()), |a, b| a.0 == b.0),
                skeleton: object.skeleton.save(),
                doomed: object.doomed,
                #[cfg(feature = "ragdoll")]
                ragdoll: object.ragdoll.as_ref().map(|ragdoll| (dolls.add(ragdoll.doll()), ragdoll.save())),
            });
        }
        #[cfg(feature = "ragdoll")]
        dolls.add_files(&self.dolls, &used);
        let saved = |(id, model): &(ModelId, Arc<Model>)| SavedModel::new(self.model_name(*id), &model.skeleton);
        State {
            models: used.iter().map(saved).collect(),
            settings: self.settings,
            ids: self.ids.clone(),
            handles: self.handles.clone(),
            objects,
            doomed: self.doomed.clone(),
            #[cfg(feature = "ragdoll")]
            dolls,
            #[cfg(feature = "ragdoll")]
            physics: self.physics.save(),
        }
    }

    /// Becomes what was saved; `models` are the snapshot's, as they are known here.
    pub(super) fn load(&mut self, state: State, models: &[(ModelId, Arc<Model>)]) {
        let mut objects = SecondaryMap::new();
        for saved in state.objects {
            let Some((id, model)) = models.get(saved.model) else { continue };
            let kept = self.objects.remove(saved.id).map(|object| object.skeleton);
            let skeleton = match kept.filter(|kept| Arc::ptr_eq(kept.model(), model)) {
                Some(mut kept) => {
                    kept.load(saved.skeleton);
                    kept
                }
                None => saved.skeleton.restore(model.clone()),
            };
            let object = Object {
                model: *id,
                handle: saved.handle,
                doomed: saved.doomed,
                #[cfg(feature = "ragdoll")]
                ragdoll: saved.ragdoll.and_then(|(doll, ragdoll)| {
                    Some(ragdoll.restore(state.dolls.get(doll)?.clone(), skeleton.bone_count()))
                }),
                skeleton,
            };
            objects.insert(saved.id, object);
        }
        self.objects = objects;
        self.settings = state.settings;
        self.ids = state.ids;
        self.handles = state.handles;
        self.doomed = state.doomed;
        #[cfg(feature = "ragdoll")]
        {
            state.dolls.load(&mut self.dolls, models);
            self.physics = state.physics.restore();
        }
    }
}

impl State {
    /// To be called on what was read from bytes.
    pub fn complete(&mut self) {
        #[cfg(feature = "ragdoll")]
        self.physics.recall_changes();
    }

    /// The first part that does not fit the others, if any.
    pub fn fault(&self) -> Option<Part> {
        let ids: HashSet<SkelId> = self.objects.iter().map(|object| object.id).collect();
        let doomed: HashSet<SkelId> = self.doomed.iter().copied().collect();
        let each_once = ids.len() == self.objects.len() && doomed.len() == self.doomed.len();
        if !each_once || !self.ids.are(&ids) || !doomed.is_subset(&ids) {
            return Some(Part::Ids);
        }
        if !self.handles.is_sound(self.objects.len()) {
            return Some(Part::Handles);
        }
        let fits = |object: &SavedObject| {
            let model = self.models.get(object.model);
            model.is_some_and(|model| model.bones == object.skeleton.bone_count())
                && self.handles.get(object.handle) == Some(object.id)
                && doomed.contains(&object.id) == object.doomed
        };
        if !self.objects.iter().all(fits) {
            return Some(Part::Objects);
        }
        #[cfg(feature = "ragdoll")]
        return self.ragdoll_fault();
        #[cfg(not(feature = "ragdoll"))]
        None
    }

    #[cfg(feature = "ragdoll")]
    fn ragdoll_fault(&self) -> Option<Part> {
        if !self.dolls.is_sound(self.models.len()) {
            return Some(Part::Dolls);
        }
        let sound = |object: &SavedObject| {
            object.ragdoll.as_ref().is_none_or(|(doll, ragdoll)| {
                self.dolls.get(*doll).is_some_and(|doll| ragdoll.is_sound(doll, object.skeleton.bone_count()))
            })
        };
        if !self.objects.iter().all(sound) {
            return Some(Part::Ragdolls);
        }
        (!self.physics.is_sound()).then_some(Part::Physics)
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ids => "ids",
            Self::Handles => "handles",
            Self::Objects => "objects",
            #[cfg(feature = "ragdoll")]
            Self::Dolls => "dolls",
            #[cfg(feature = "ragdoll")]
            Self::Ragdolls => "ragdolls",
            #[cfg(feature = "ragdoll")]
            Self::Physics => "bodies",
        })
    }
}
