//! Ragdolls that a step has to visit.

use super::{Object, ObjectId};
use crate::id::IdSlotMap;
use crate::physics::{Physics, StepPhase, UserData};
use crate::ragdoll::Ragdoll;

/// Objects whose ragdolls are awake, in the order of their slots, as all objects are visited.
///
/// A limp ragdoll leaves the list at the end of the frame in which it fell asleep, and returns when rapier wakes one of
/// its bodies or a command changes it.
#[derive(Debug, Default)]
pub(super) struct Awake(Vec<ObjectId>);

impl Awake {
    /// Adds the ragdoll of an object.
    pub fn insert(&mut self, object: ObjectId) {
        match self.0.binary_search_by_key(&object.slot(), |object| object.slot()) {
            Err(place) => self.0.insert(place, object),
            // The object that had the slot before may have been deleted.
            Ok(place) => self.0[place] = object,
        }
    }

    /// Runs a phase of a step on the ragdolls.
    pub fn step(&mut self, objects: &mut IdSlotMap<ObjectId, Object>, physics: &mut Physics, phase: StepPhase) {
        debug_assert!(
            self.0.is_sorted_by(|a, b| a.slot() < b.slot()),
            "ragdolls are stepped in the order of their slots"
        );
        if phase != StepPhase::After && physics.is_touched() {
            self.add_touched(objects, physics);
        }
        match physics.world().quarantine().is_empty() {
            true => self.0.iter().for_each(|id| step(objects.get_mut(*id), physics, phase)),
            // rapier may have struck the bodies of any ragdoll.
            false => objects.for_each_mut(|id, object| {
                if object.ragdoll.is_some() {
                    self.insert(id);
                }
                step(Some(object), physics, phase);
            }),
        }
        if phase == StepPhase::After {
            self.add_woken(objects, physics);
            physics.forget_touches();
        }
    }

    /// Calls a function with each ragdoll, and drops those that sleep.
    pub fn end_frame(
        &mut self,
        objects: &mut IdSlotMap<ObjectId, Object>,
        mut end: impl FnMut(ObjectId, &mut Ragdoll),
    ) {
        self.0.retain(|id| {
            let ragdoll = objects.get_mut(*id).and_then(|object| object.ragdoll.as_mut());
            ragdoll.is_some_and(|ragdoll| {
                end(*id, ragdoll);
                !ragdoll.is_dormant()
            })
        });
    }

    /// Adds the ragdolls with bodies that were woken since the last step. rapier moves them from its next step on.
    fn add_touched(&mut self, objects: &mut IdSlotMap<ObjectId, Object>, physics: &Physics) {
        objects.for_each_mut(|id, object| {
            if let Some(ragdoll) = object.ragdoll.as_mut()
                && ragdoll.is_dormant()
                && !ragdoll.is_asleep(physics)
            {
                ragdoll.wake();
                self.insert(id);
            }
        });
    }

    /// Adds the ragdolls with bodies that rapier moves.
    fn add_woken(&mut self, objects: &mut IdSlotMap<ObjectId, Object>, physics: &Physics) {
        let mut last = 0;
        for body in physics.world().islands.active_bodies() {
            let user_data = physics.world().bodies.get(body).and_then(|body| UserData::from_bits(body.user_data));
            let Some(UserData::Ragdoll { owner, .. }) = user_data else { continue };
            if owner == std::mem::replace(&mut last, owner) {
                continue;
            }
            let Some(id) = u32::try_from(owner).ok().and_then(ObjectId::new) else { continue };
            if let Some(ragdoll) = objects.get_mut(id).and_then(|object| object.ragdoll.as_mut()) {
                ragdoll.wake();
                self.insert(id);
            }
        }
    }
}

fn step(object: Option<&mut Object>, physics: &mut Physics, phase: StepPhase) {
    if let Some(ragdoll) = object.and_then(|object| object.ragdoll.as_mut()) {
        ragdoll.step(phase, physics);
    }
}
