//! Contents of a snapshot, and conversions between them and a runtime.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use skelobj_model::internal::{self, SavedPose};

use super::dolls::SavedDolls;
use super::model::SavedModel;
use super::number_in;
use crate::id::SavedIds;
use crate::model::Model;
use crate::physics::SavedPhysics;
use crate::ragdoll::SavedRagdoll;
use crate::runtime::{ModelId, Object, ObjectId, Runtime, Settings};

/// State of a runtime; shared parts are in tables and referred to by number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub models: Vec<SavedModel>,
    ids: SavedIds,
    /// Objects in the order of their slots.
    objects: Vec<SavedObject>,
    pending_delete: Vec<ObjectId>,
    dolls: SavedDolls,
    settings: Settings,
    physics: SavedPhysics,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedObject {
    id: ObjectId,
    model: usize,
    pose: SavedPose,
    user_data: u64,
    pending_delete: bool,
    /// Number of its doll, and state of its ragdoll.
    ragdoll: Option<(usize, SavedRagdoll)>,
}

/// Part of a snapshot that contradicts the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Settings,
    Ids,
    Objects,
    Dolls,
    Ragdolls,
    Physics,
}

impl Runtime {
    pub(super) fn save(&self) -> State {
        // In the order of the objects, which does not depend on the order of the models.
        let mut used: Vec<(ModelId, Arc<Model>)> = Vec::new();
        let mut dolls = SavedDolls::default();
        let mut objects = Vec::new();
        for (id, object) in self.objects.iter() {
            objects.push(SavedObject {
                id,
                model: number_in(&mut used, (object.model, object.skeletal.model().clone()), |a, b| a.0 == b.0),
                pose: internal::save(&object.skeletal),
                user_data: object.user_data,
                pending_delete: object.pending_delete,
                ragdoll: object.ragdoll.as_ref().map(|ragdoll| (dolls.add(ragdoll.doll()), ragdoll.save())),
            });
        }
        dolls.add_files(&self.dolls, &used);
        let saved = |(id, model): &(ModelId, Arc<Model>)| SavedModel::new(self.model_name(*id), &model.skeleton);
        State {
            models: used.iter().map(saved).collect(),
            ids: self.objects.save_ids(),
            objects,
            pending_delete: self.pending_delete.clone(),
            dolls,
            settings: self.settings().with_limits_of(&Settings::default()),
            physics: self.physics.save(),
        }
    }

    /// Replaces the runtime's state with a saved one; `models` are the runtime's models of the snapshot.
    pub(super) fn load(&mut self, state: State, models: &[(ModelId, Arc<Model>)]) {
        let mut old = std::mem::take(&mut self.objects);
        let mut objects = Vec::with_capacity(state.objects.len());
        let mut cost = 0;
        for saved in state.objects {
            debug_assert!(saved.model < models.len(), "the state was checked");
            let Some((id, model)) = models.get(saved.model) else { continue };
            let kept = old.remove(saved.id).map(|object| object.skeletal);
            let skeletal = match kept.filter(|kept| Arc::ptr_eq(kept.model(), model)) {
                Some(mut kept) => {
                    internal::load(&mut kept, saved.pose);
                    kept
                }
                None => saved.pose.restore(model.clone()),
            };
            let mut object = Object {
                cost: 0,
                model: *id,
                user_data: saved.user_data,
                pending_delete: saved.pending_delete,
                doublings: OnceLock::new(),
                ragdoll: saved.ragdoll.and_then(|(doll, ragdoll)| {
                    Some(ragdoll.restore(state.dolls.get(doll)?.clone(), skeletal.bone_count()))
                }),
                skeletal,
            };
            object.recount(&mut cost);
            objects.push((saved.id, object));
        }
        self.objects = state.ids.restore(objects.into_iter());
        self.cost = cost;
        self.settings = state.settings.with_limits_of(&self.settings);
        self.pending_delete = state.pending_delete;
        self.empty_history();
        self.awake = Default::default();
        self.objects.iter().for_each(|(id, _)| self.awake.insert(id));
        state.dolls.load(&mut self.dolls, models);
        self.physics.load(state.physics, state.settings.physics);
    }
}

impl State {
    /// Returns the first part that contradicts the others, if any.
    pub fn fault(&self) -> Option<Part> {
        if self.settings.check().is_err() {
            return Some(Part::Settings);
        }
        if !self.ids.are_in_use(self.objects.iter().map(|object| object.id)) {
            return Some(Part::Ids);
        }
        let mut deleted: Vec<ObjectId> = self.pending_delete.clone();
        deleted.sort_unstable();
        let marked = self.objects.iter().filter(|object| object.pending_delete).count();
        let fits = |object: &SavedObject| {
            let model = self.models.get(object.model);
            model.is_some_and(|model| model.bones == object.pose.bone_count())
                && deleted.binary_search(&object.id).is_ok() == object.pending_delete
        };
        if marked != deleted.len() || !self.objects.iter().all(fits) {
            return Some(Part::Objects);
        }
        if !self.dolls.is_sound(self.models.len()) {
            return Some(Part::Dolls);
        }
        let sound = |object: &SavedObject| {
            object.ragdoll.as_ref().is_none_or(|(doll, ragdoll)| {
                self.dolls.get(*doll).is_some_and(|doll| ragdoll.is_sound(doll, object.pose.bone_count()))
            })
        };
        if !self.objects.iter().all(sound) {
            return Some(Part::Ragdolls);
        }
        (!self.physics.is_sound()).then_some(Part::Physics)
    }
}

impl Part {
    /// Returns the name of the part for an error.
    pub fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Ids => "ids",
            Self::Objects => "objects",
            Self::Dolls => "dolls",
            Self::Ragdolls => "ragdolls",
            Self::Physics => "bodies",
        }
    }
}
