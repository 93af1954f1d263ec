//! Bodies of ragdolls that a door, lift or train squeezes against something.
//!
//! Nothing stops a kinematic body. A limb between a door and a wall can get out of neither, and the solver would move
//! it where there is room, away from its joints. The mover passes through such a limb until they are apart again.

use glam::Vec3;
use rapier3d::prelude::{ColliderHandle, ContactPair, RigidBody, RigidBodyHandle};

use super::contacts::{deepest, deepest_of, other_of, ragdoll_of};
use super::tuning::{CRUSH_ACCELERATION, FAST_MOVER, MAX_CHAIN, OPPOSED_CONTACTS, SQUEEZE_DEPTH, TOUCH_DISTANCE};
use super::{CollisionGroups, Physics, UserData};

impl Physics {
    /// Lets the movers pass through the bodies that they squeezed in the last step, and makes bodies solid again that
    /// are free.
    pub(super) fn update_squeezed(&mut self) {
        let squeezed = std::mem::take(&mut self.state.squeezed);
        let (kept, free): (Vec<_>, Vec<_>) = squeezed.into_iter().partition(|body| self.is_in_mover(*body));
        for body in free {
            self.solve_contacts(body, CollisionGroups::for_solver);
        }
        self.state.squeezed = kept;
        for number in 0..self.state.kinematic_bodies.len() {
            let id = self.state.kinematic_bodies.get(number);
            let body =
                id.and_then(|id| self.state.level_bodies.get(*id)).filter(|body| body.push.is_none() && body.moves());
            let Some(mover) = body.map(|body| body.handle) else { continue };
            for body in self.squeezed_by(mover) {
                self.pass_through(body);
            }
        }
    }

    /// Lets movers pass through a body until it is free.
    pub(super) fn pass_through(&mut self, body: RigidBodyHandle) {
        if !self.state.squeezed.contains(&body) {
            self.solve_contacts(body, CollisionGroups::for_solver_of_squeezed);
            self.state.squeezed.push(body);
        }
    }

    /// Returns `true` if movers pass through a body.
    pub(crate) fn is_squeezed(&self, body: RigidBodyHandle) -> bool {
        self.state.squeezed.contains(&body)
    }

    /// Returns the bodies of ragdolls that a mover squeezes and that are solid for it.
    fn squeezed_by(&self, mover: RigidBodyHandle) -> Vec<RigidBodyHandle> {
        let mut bodies = Vec::new();
        let squeeze_depth = SQUEEZE_DEPTH * self.scale();
        let colliders = self.world.bodies.get(mover).map_or(&[][..], |built| built.colliders());
        for &collider in colliders {
            for contacts in self.world.contact_pairs_with(collider) {
                let other = other_of(contacts, collider);
                let Some(body) = self.world.colliders.get(other).and_then(|other| other.parent()) else { continue };
                if self.is_limp(body)
                    && !self.state.squeezed.contains(&body)
                    && let Some(push) = self.push_on(contacts, other, 0.0)
                    && let (closing, reach) = self.closing(mover, body, push)
                    && let depth = deepest(contacts)
                    && (self.is_caught(body, reach)
                        || (depth + closing > squeeze_depth || self.is_crushed(body, contacts))
                            && self.is_backed(body, push, mover, reach)
                        || self.is_between(body, push, mover, depth + reach - squeeze_depth))
                {
                    bodies.push(body);
                }
            }
        }
        bodies
    }

    /// Returns `true` if a mover presses so hard on a body that something else must hold it.
    fn is_crushed(&self, body: RigidBodyHandle, contacts: &ContactPair) -> bool {
        let mass = self.world.bodies.get(body).map_or(0.0, |built| built.mass());
        contacts.total_impulse().length() > mass * CRUSH_ACCELERATION * self.scale() * self.step_time()
    }

    /// Returns how much deeper a mover will be in a body after the next step, and how far it moves, units.
    fn closing(&self, mover: RigidBodyHandle, body: RigidBodyHandle, push: Vec3) -> (f32, f32) {
        let (Some(mover), Some(body)) = (self.world.bodies.get(mover), self.world.bodies.get(body)) else {
            return (0.0, 0.0);
        };
        let (step, velocity) = (self.step_time(), mover.velocity_at_point(body.center_of_mass()));
        let along = |velocity: Vec3| if velocity.dot(push) > 0.0 { velocity.dot(push) * step } else { 0.0 };
        (along(velocity - body.linvel()), along(velocity))
    }

    /// Returns `true` if movers squeeze another body of the same ragdoll, and one that moves `way` units in a step
    /// would tear the body from it.
    pub(super) fn is_caught(&self, body: RigidBodyHandle, way: f32) -> bool {
        let owner = |body: &RigidBodyHandle| self.world.bodies.get(*body).and_then(ragdoll_of);
        let own = owner(&body);
        way > FAST_MOVER * self.scale() * self.step_time()
            && own.is_some()
            && self.state.squeezed.iter().any(|squeezed| owner(squeezed) == own)
    }

    /// Returns `true` if something that does not give way, and not further away than `reach` units, opposes a push on a
    /// body.
    fn is_between(&self, body: RigidBodyHandle, push: Vec3, mover: RigidBodyHandle, reach: f32) -> bool {
        let colliders = self.world.bodies.get(body).map_or(&[][..], |built| built.colliders());
        colliders.iter().any(|&collider| {
            self.world.contact_pairs_with(collider).any(|contacts| {
                let other = self.world.colliders.get(other_of(contacts, collider)).and_then(|other| other.parent());
                other != Some(mover)
                    && !other.is_some_and(|other| self.is_dynamic(other))
                    && self
                        .push_on(contacts, collider, reach - TOUCH_DISTANCE * self.scale())
                        .is_some_and(|back| back.dot(push) < OPPOSED_CONTACTS)
            })
        })
    }

    /// Returns `true` if something that does not give way opposes a push on a body, directly or through other bodies
    /// that it touches or hangs on.
    fn is_backed(&self, body: RigidBodyHandle, push: Vec3, mover: RigidBodyHandle, reach: f32) -> bool {
        let mut chain = vec![body];
        let mut next = 0;
        while let Some(&body) = chain.get(next) {
            next += 1;
            let colliders = self.world.bodies.get(body).map_or(&[][..], |built| built.colliders());
            for &collider in colliders {
                for contacts in self.world.contact_pairs_with(collider) {
                    let opposes =
                        self.push_on(contacts, collider, reach).is_some_and(|back| back.dot(push) < OPPOSED_CONTACTS);
                    let other = self.world.colliders.get(other_of(contacts, collider)).and_then(|other| other.parent());
                    match other.filter(|other| self.is_dynamic(*other)) {
                        None if opposes && other != Some(mover) => return true,
                        Some(other) if opposes => lengthen(&mut chain, other),
                        _ => {}
                    }
                }
            }
            for (body1, body2, _, joint) in self.world.impulse_joints.attached_joints(body) {
                if !joint.data.locked_axes.is_empty() {
                    [body1, body2].into_iter().for_each(|body| lengthen(&mut chain, body));
                }
            }
        }
        false
    }

    /// Returns `true` if a body overlaps a mover. Entity boxes, which never squeeze, are none.
    fn is_in_mover(&self, body: RigidBodyHandle) -> bool {
        let colliders = self.world.bodies.get(body).map_or(&[][..], |built| built.colliders());
        colliders.iter().any(|&collider| {
            self.world.contact_pairs_with(collider).any(|contacts| {
                let other = self.world.colliders.get(other_of(contacts, collider));
                let parent = other.and_then(|other| self.world.bodies.get(other.parent()?));
                parent.is_some_and(|built| self.is_mover(built)) && deepest(contacts) > 0.0
            })
        })
    }

    fn is_mover(&self, built: &RigidBody) -> bool {
        let Some(body) = UserData::level_body(built.user_data) else { return false };
        built.is_kinematic() && self.state.level_bodies.get(body).is_some_and(|body| body.push.is_none())
    }

    fn is_dynamic(&self, body: RigidBodyHandle) -> bool {
        self.world.bodies.get(body).is_some_and(|built| built.is_dynamic())
    }

    /// Returns the direction in which a pair pushes one of its colliders, if it touches after a motion of `reach`
    /// units.
    fn push_on(&self, contacts: &ContactPair, collider: ColliderHandle, reach: f32) -> Option<Vec3> {
        let manifold = contacts.manifolds().iter().max_by(|a, b| deepest_of(a).total_cmp(&deepest_of(b)))?;
        let normal = manifold.data.normal;
        let touches = deepest_of(manifold) > -TOUCH_DISTANCE * self.scale() - reach;
        touches.then_some(if contacts.collider1 == collider { -normal } else { normal })
    }

    fn is_limp(&self, body: RigidBodyHandle) -> bool {
        self.world.bodies.get(body).is_some_and(|built| built.is_dynamic() && ragdoll_of(built).is_some())
    }
}

fn lengthen(chain: &mut Vec<RigidBodyHandle>, body: RigidBodyHandle) {
    if chain.len() < MAX_CHAIN && !chain.contains(&body) {
        chain.push(body);
    }
}
