//! Joints and the removal of bodies, without pending state between two steps that a snapshot cannot hold.
//!
//! rapier records which joints were added, removed and changed since its last step, and which bodies they wake. It
//! serializes these records incompletely, or in an order that depends on the history of a hash map. So joints are added
//! without records, and bodies are woken and removals finished immediately.

use rapier3d::prelude::{GenericJoint, ImpulseJoint, ImpulseJointHandle, PhysicsWorld, RigidBodyHandle};

use super::{ContactFilter, Lent, Physics};

impl Physics {
    /// Adds a joint between two bodies.
    pub(crate) fn insert_joint(
        &mut self,
        body1: RigidBodyHandle,
        body2: RigidBodyHandle,
        mut joint: GenericJoint,
    ) -> ImpulseJointHandle {
        let enabled = joint.is_enabled();
        // rapier records an enabled joint as added, and one that is enabled later only as changed.
        joint.set_enabled(false);
        let handle = self.world.impulse_joints.insert(body1, body2, joint, false);
        debug_assert!(self.world.impulse_joints.get(handle).is_some(), "both bodies of a joint exist");
        if let Some(joint) = self.joint_mut(handle) {
            joint.data.set_enabled(enabled);
        }
        handle
    }

    /// Returns a mutable reference to a joint, and records that a joint was changed.
    pub(crate) fn joint_mut(&mut self, joint: ImpulseJointHandle) -> Option<&mut ImpulseJoint> {
        self.state.pending.changed_joints = true;
        self.world.impulse_joints.get_mut(joint, false)
    }

    /// Wakes both bodies of a joint.
    pub(crate) fn wake_joint(&mut self, joint: ImpulseJointHandle) {
        let Some(bodies) = self.world.impulse_joints.get(joint).map(|joint| [joint.body1(), joint.body2()]) else {
            return;
        };
        self.scratch.changes_seen = false;
        for body in bodies {
            self.world.wake_up(body, true);
        }
    }

    /// Makes rapier examine all joints in its next step if one was changed, in an order that does not depend on which
    /// joint was changed first.
    pub(crate) fn note_changed_joints(&mut self) {
        if std::mem::take(&mut self.state.pending.changed_joints) {
            let _ = self.world.impulse_joints.iter_mut();
        }
    }

    /// Removes bodies with their colliders and joints. The caller calls [`finish_removals`](Self::finish_removals)
    /// before it adds anything.
    pub(crate) fn remove_bodies(&mut self, bodies: impl Iterator<Item = RigidBodyHandle>) {
        for body in bodies {
            self.state.pending.has_removals |= self.world.remove_body(body).is_some();
        }
    }

    /// Swaps the world with a world that the host lends, or swaps it back.
    pub(crate) fn swap_world(&mut self, other: &mut PhysicsWorld) {
        self.end_parts();
        self.scratch.changes_seen = false;
        // Each world has its own records. For a lent world, this may be the last call before its step.
        match self.lent.take() {
            Some(own) => {
                self.note_changed_joints();
                std::mem::swap(&mut self.world, other);
                self.state.pending = own.pending;
                self.adopt_settings(&own.settings);
            }
            None => {
                let pending = std::mem::take(&mut self.state.pending);
                self.lent = Some(Lent { pending, settings: self.settings });
                std::mem::swap(&mut self.world, other);
            }
        }
    }

    /// Finishes removals by a step of length zero, which moves nothing.
    ///
    /// Without it, rapier would reuse the slots of removed colliders for new ones while its broad phase still pairs the
    /// old ones, and keep those pairs forever. A world that the host lends or steps is not stepped here, because the
    /// host would miss the events of that step.
    pub(crate) fn finish_removals(&mut self) {
        if !self.state.pending.has_removals || self.state.stepped_by_host || self.lent.is_some() {
            return;
        }
        self.state.pending.has_removals = false;
        self.note_changed_joints();
        let length = std::mem::replace(&mut self.world.integration_parameters.dt, 0.0);
        self.world.step_with_events(&ContactFilter, &());
        self.world.integration_parameters.dt = length;
        self.readmit_all_bodies();
    }
}
