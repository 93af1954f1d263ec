//! Joints and the removal of bodies, done so that a world between two steps has nothing pending that a snapshot cannot hold.
//!
//! rapier notes which joints came, went and changed since its last step, and which bodies they wake, but serializes either
//! nothing of these notes or an order that depends on a hash map's history. So joints are added without notes, bodies wake
//! at once, and removals are finished at once.

use rapier3d::prelude::{GenericJoint, ImpulseJoint, ImpulseJointHandle, PhysicsWorld, RigidBodyHandle};

use super::{Pending, Physics};

impl Physics {
    /// Adds a joint.
    pub(crate) fn insert_joint(
        &mut self,
        body1: RigidBodyHandle,
        body2: RigidBodyHandle,
        mut joint: GenericJoint,
    ) -> ImpulseJointHandle {
        let enabled = joint.is_enabled();
        // rapier notes an enabled joint, and one that is enabled later only as a changed one.
        joint.set_enabled(false);
        let handle = self.world.impulse_joints.insert(body1, body2, joint, false);
        if let Some(joint) = self.joint_mut(handle) {
            joint.data.set_enabled(enabled);
        }
        handle
    }

    /// Returns a joint to change.
    pub(crate) fn joint_mut(&mut self, joint: ImpulseJointHandle) -> Option<&mut ImpulseJoint> {
        self.changed_joints = true;
        self.world.impulse_joints.get_mut(joint, false)
    }

    /// Wakes the bodies of a joint.
    pub(crate) fn wake_joint(&mut self, joint: ImpulseJointHandle) {
        let Some(bodies) = self.world.impulse_joints.get(joint).map(|joint| [joint.body1(), joint.body2()]) else {
            return;
        };
        for body in bodies {
            self.world.wake_up(body, true);
        }
    }

    /// Has rapier look at all joints in its next step if one was changed, in an order that does not depend on which was
    /// changed first.
    pub(crate) fn note_changed_joints(&mut self) {
        if std::mem::take(&mut self.changed_joints) {
            let _ = self.world.impulse_joints.iter_mut();
        }
    }

    /// Removes bodies with their colliders and joints. [`settle`](Self::settle) has to follow before anything is added.
    pub(crate) fn remove_bodies(&mut self, bodies: impl Iterator<Item = RigidBodyHandle>) {
        for body in bodies {
            self.unsettled |= self.world.remove_body(body).is_some();
        }
    }

    /// Swaps the world with one that the host lends, or back.
    pub(crate) fn swap_world(&mut self, other: &mut PhysicsWorld) {
        // Notes are of one world each. rapier keeps those of a lent one, where this may be the last word before its step.
        let own = match self.lent.take() {
            Some(own) => {
                self.note_changed_joints();
                own
            }
            None => {
                self.lent = Some(Pending { changed_joints: self.changed_joints, unsettled: self.unsettled });
                Pending::default()
            }
        };
        (self.changed_joints, self.unsettled) = (own.changed_joints, own.unsettled);
        std::mem::swap(&mut self.world, other);
    }

    /// Finishes removals by a step without length, which moves nothing: rapier would give the places of removed colliders to
    /// new ones while its broad phase still pairs the old ones, and keep those pairs for ever.
    ///
    /// A world that the host lends or steps is left alone, as a step reports events to nobody.
    pub(crate) fn settle(&mut self) {
        if !self.unsettled || self.stepped_by_host || self.lent.is_some() {
            return;
        }
        self.unsettled = false;
        self.note_changed_joints();
        let length = std::mem::replace(&mut self.world.integration_parameters.dt, 0.0);
        self.world.step();
        self.world.integration_parameters.dt = length;
        self.readmit_all_bodies();
    }
}
