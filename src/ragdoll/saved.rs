//! State of a ragdoll in a snapshot.

use std::sync::Arc;

use rapier3d::prelude::RigidBodyHandle;
use serde::{Deserialize, Serialize};

use super::saved_parts::{SavedBody, SavedJoint};
use super::{
    Ragdoll, bones::Hooks, bones::Link, left::Fall, load::Load, sanitize::Travel, sleep::RestWatch, walls::Return,
};
use crate::doll::Doll;
use crate::math::Mat3x4;

/// State of a [`Ragdoll`] without its doll, which several may share, and without derived values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedRagdoll {
    bodies: Vec<SavedBody>,
    joints: Vec<SavedJoint>,
    world: Option<RigidBodyHandle>,
    loads: Vec<Load>,
    gap_fixes: Vec<Link>,
    rest: RestWatch,
    drifting: bool,
    travel: Travel,
    fall: Fall,
    astray: Return,
    quarantined: Vec<usize>,
    resets: usize,
    resets_told: usize,
    strength: f32,
    settled: bool,
    scale: f32,
}

impl Ragdoll {
    pub(crate) fn save(&self) -> SavedRagdoll {
        let Self {
            doll: _,
            bodies,
            joints,
            driver: _,
            world,
            relative: _,
            movers: _,
            flexes: _,
            animated: _,
            shown: _,
            swim: _,
            loads,
            gap_fixes,
            // The next update finds them again.
            hooks: _,
            rest,
            drifting,
            travel,
            fall,
            astray,
            quarantined,
            resets,
            resets_told,
            strength,
            settled,
            // The next step finds it out again.
            dormant: _,
            scale,
        } = self;
        SavedRagdoll {
            bodies: bodies.iter().map(SavedBody::new).collect(),
            joints: joints.iter().map(SavedJoint::new).collect(),
            world: *world,
            loads: loads.clone(),
            gap_fixes: gap_fixes.clone(),
            rest: rest.clone(),
            drifting: *drifting,
            travel: *travel,
            fall: *fall,
            astray: astray.clone(),
            quarantined: quarantined.clone(),
            resets: *resets,
            resets_told: *resets_told,
            strength: *strength,
            settled: *settled,
            scale: *scale,
        }
    }
}

impl SavedRagdoll {
    /// Returns `true` if the state fits this doll on a model with this number of bones.
    pub(crate) fn is_sound(&self, doll: &Doll, bones: usize) -> bool {
        let (bodies, joints) = (self.bodies.len(), self.joints.len());
        let is_body = |number: usize| number < bodies;
        (bodies, joints) == (doll.bodies.len(), doll.joints.len())
            && (1..=Ragdoll::MAX_BODIES).contains(&bodies)
            && joints <= Ragdoll::MAX_JOINTS
            && self.bodies.iter().all(|body| body.is_sound(bones, joints))
            && self.joints.iter().all(|joint| joint.is_sound(bodies))
            && self.rest.is_sound()
            && self.gap_fixes.iter().all(|fix| fix.is_sound(joints, bodies))
            && self.loads.iter().all(|load| load.is_sound(bodies))
            && self.astray.is_sound(bodies)
            && self.quarantined.iter().all(|body| is_body(*body))
            && self.resets_told <= self.resets
            && Ragdoll::SCALES.contains(&self.scale)
    }

    /// Returns the ragdoll, for the world that was saved with it.
    pub(crate) fn restore(self, doll: Arc<Doll>, bones: usize) -> Ragdoll {
        let bodies: Vec<_> = self.bodies.into_iter().map(SavedBody::restore).collect();
        let joints = self.joints.into_iter().zip(&doll.joints);
        Ragdoll {
            driver: super::drivers(&bodies, bones),
            bodies,
            joints: joints.map(|(joint, definition)| joint.restore(definition, self.scale)).collect(),
            doll,
            world: self.world,
            relative: vec![Mat3x4::IDENTITY; bones],
            movers: Vec::new(),
            flexes: Vec::new(),
            animated: Vec::new(),
            shown: Vec::new(),
            swim: Default::default(),
            loads: self.loads,
            gap_fixes: self.gap_fixes,
            hooks: Hooks::default(),
            rest: self.rest,
            drifting: self.drifting,
            travel: self.travel,
            fall: self.fall,
            astray: self.astray,
            quarantined: self.quarantined,
            resets: self.resets,
            resets_told: self.resets_told,
            strength: self.strength,
            settled: self.settled,
            dormant: false,
            scale: self.scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::object::{SkeletalObject, Space};
    use crate::physics::Physics;

    #[test]
    fn indexes_of_missing_parts_are_rejected() {
        let model = Model::load("mannequin.iqm", crate::assets::MANNEQUIN_IQM, |_| None).map(Arc::new);
        let model = model.expect("our own model");
        let bones = model.skeleton.len();
        let doll = Arc::new(Doll::parse_for(crate::assets::MANNEQUIN_DOLL, &model.skeleton).doll);
        let mut object = SkeletalObject::new(model.clone(), Space::Local);
        object.set_local_pose(model.skeleton.bind_local()).expect("our own bind pose");
        let mut physics = Physics::default();
        let ragdoll = Ragdoll::new(&doll, &object, &Mat3x4::IDENTITY, &mut physics);
        let mut ragdoll = ragdoll.expect("our own doll");
        ragdoll.set_drive_strength(0.0, &mut physics);
        let saved = ragdoll.save();
        assert!(saved.is_sound(&doll, bones) && !saved.gap_fixes.is_empty());
        let changes: [fn(&mut SavedRagdoll); 11] = [
            |saved| saved.bodies[3].bone = 999,
            |saved| saved.joints[3].body1 = 16,
            |saved| saved.joints[3].body2 = Some(usize::MAX),
            |saved| saved.joints.truncate(3),
            |saved| saved.bodies.truncate(3),
            |saved| saved.bodies.clear(),
            |saved| saved.gap_fixes.iter_mut().for_each(Link::derail),
            |saved| saved.resets_told = 1,
            |saved| saved.quarantined.push(16),
            |saved| saved.loads.push(Load::astray(16)),
            |saved| saved.astray.lose(16),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = saved.clone();
            change(&mut changed);
            assert!(!changed.is_sound(&doll, bones), "change {number}");
        }
        assert!(!saved.is_sound(&Doll::default(), bones) && !saved.is_sound(&doll, 3));
    }
}
