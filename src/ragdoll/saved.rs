//! State of a ragdoll in a snapshot.

use std::sync::Arc;

use rapier3d::prelude::RigidBodyHandle;
use serde::{Deserialize, Serialize};

use super::saved_parts::{SavedBody, SavedJoint};
use super::tuning::ENTITY_SCALES;
use super::{
    Ragdoll, bone_transfer::AnchoredBodies, bone_transfer::Link, level_exit::LevelExit, sanitize::EntityMotion,
    sleep::SleepDetector, step_force::StepForce, wall_recovery::WallRecovery,
};
use crate::doll::Doll;
use crate::math::Mat3x4;

/// State of a [`Ragdoll`] without its doll, which several may share, and without derived values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedRagdoll {
    bodies: Vec<SavedBody>,
    joints: Vec<SavedJoint>,
    world: Option<RigidBodyHandle>,
    step_forces: Vec<StepForce>,
    gap_fixes: Vec<Link>,
    sleep: SleepDetector,
    drifting: bool,
    entity_motion: EntityMotion,
    level_exit: LevelExit,
    wall_recovery: WallRecovery,
    quarantined: Vec<usize>,
    resets: usize,
    resets_reported: usize,
    strength: f32,
    bones_match: bool,
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
            solver_bodies: _,
            muscle_steps: _,
            animated: _,
            shown: _,
            buoyancy: _,
            step_forces,
            gap_fixes,
            // The next update finds them again.
            anchored: _,
            sleep,
            drifting,
            entity_motion,
            level_exit,
            wall_recovery,
            quarantined,
            resets,
            resets_reported,
            strength,
            bones_match,
            // The next step finds it out again.
            dormant: _,
            scale,
        } = self;
        SavedRagdoll {
            bodies: bodies.iter().map(SavedBody::new).collect(),
            joints: joints.iter().map(SavedJoint::new).collect(),
            world: *world,
            step_forces: step_forces.clone(),
            gap_fixes: gap_fixes.clone(),
            sleep: sleep.clone(),
            drifting: *drifting,
            entity_motion: *entity_motion,
            level_exit: *level_exit,
            wall_recovery: wall_recovery.clone(),
            quarantined: quarantined.clone(),
            resets: *resets,
            resets_reported: *resets_reported,
            strength: *strength,
            bones_match: *bones_match,
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
            && self.sleep.is_sound()
            && self.gap_fixes.iter().all(|fix| fix.is_sound(joints, bodies))
            && self.step_forces.iter().all(|step_force| step_force.is_sound(bodies))
            && self.wall_recovery.is_sound(bodies)
            && self.quarantined.iter().all(|body| is_body(*body))
            && self.resets_reported <= self.resets
            && ENTITY_SCALES.contains(&self.scale)
    }

    /// Returns the ragdoll, for the world that was saved with it.
    pub(crate) fn restore(self, doll: Arc<Doll>, bones: usize) -> Ragdoll {
        let bodies: Vec<_> = self.bodies.into_iter().map(SavedBody::restore).collect();
        let joints = self.joints.into_iter().zip(&doll.joints);
        Ragdoll {
            driver: super::drivers(&bodies, bones),
            bodies,
            joints: joints.map(|(joint, doll_joint)| joint.restore(doll_joint, self.scale)).collect(),
            doll,
            world: self.world,
            relative: vec![Mat3x4::IDENTITY; bones],
            solver_bodies: Vec::new(),
            muscle_steps: Vec::new(),
            animated: Vec::new(),
            shown: Vec::new(),
            buoyancy: Default::default(),
            step_forces: self.step_forces,
            gap_fixes: self.gap_fixes,
            anchored: AnchoredBodies::default(),
            sleep: self.sleep,
            drifting: self.drifting,
            entity_motion: self.entity_motion,
            level_exit: self.level_exit,
            wall_recovery: self.wall_recovery,
            quarantined: self.quarantined,
            resets: self.resets,
            resets_reported: self.resets_reported,
            strength: self.strength,
            bones_match: self.bones_match,
            dormant: false,
            scale: self.scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::physics::Physics;
    use crate::skeleton::{SkeletalObject, Space};

    #[test]
    fn indexes_of_missing_parts_are_rejected() {
        let model = Model::load("mannequin.iqm", crate::assets::MANNEQUIN_IQM, |_| None).map(Arc::new);
        let model = model.expect("our own model");
        let bones = model.skeleton.len();
        let doll = Arc::new(Doll::parse_for(crate::assets::MANNEQUIN_DOLL, &model.skeleton).doll);
        let mut skeleton = SkeletalObject::new(model.clone(), Space::Local);
        skeleton.set_local_pose(model.skeleton.bind_local()).expect("our own bind pose");
        let mut physics = Physics::default();
        let ragdoll = Ragdoll::new(&doll, &skeleton, &Mat3x4::IDENTITY, &mut physics);
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
            |saved| saved.resets_reported = 1,
            |saved| saved.quarantined.push(16),
            |saved| saved.step_forces.push(StepForce::on_body(16)),
            |saved| saved.wall_recovery.lose(16),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = saved.clone();
            change(&mut changed);
            assert!(!changed.is_sound(&doll, bones), "change {number}");
        }
        assert!(!saved.is_sound(&Doll::default(), bones) && !saved.is_sound(&doll, 3));
    }
}
