//! Impacts of ragdolls, noted after each step while a host asks for them.

use std::ops::RangeInclusive;

use glam::Vec3;
use rapier3d::prelude::{ColliderHandle, ContactPair, RigidBody, RigidBodyHandle};
use skelobj_model::internal;

use super::Physics;
use super::contacts::{other_of, ragdoll_of};
use super::tuning::{MAX_IMPACTS, MIN_IMPACT_SPEED, SAME_IMPACT_TIME};
use crate::OutOfRange;

/// Least impulses of an impact that a host may ask for.
pub(super) const IMPACT_THRESHOLDS: RangeInclusive<f32> = 0.0..=1e9;

/// Impact of a ragdoll's body, in the terms of the physics world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct WorldImpact {
    /// User data of the body that hit something.
    pub user_data: u128,
    /// Collider that was hit, and its user data.
    pub other: ColliderHandle,
    pub other_data: u128,
    pub point: Vec3,
    /// Unit normal, away from what was hit.
    pub normal: Vec3,
    /// Mass * units/s.
    pub impulse: f32,
    /// Speed of approach, units/s.
    pub speed: f32,
}

/// Two bodies, or a body and a collider without a body, as the parts of their handles.
pub(super) type ImpactPair = [(u32, u32, bool); 2];

/// Velocity of a body before a step.
#[derive(Clone, Copy, Debug)]
struct BodyVelocity {
    body: RigidBodyHandle,
    centre: Vec3,
    linear: Vec3,
    angular: Vec3,
}

impl BodyVelocity {
    fn of(body: RigidBodyHandle, built: &RigidBody) -> Self {
        Self { body, centre: built.center_of_mass(), linear: built.linvel(), angular: built.angvel() }
    }

    fn at(&self, point: Vec3) -> Vec3 {
        self.linear + self.angular.cross(point - self.centre)
    }
}

#[derive(Default)]
pub(super) struct ImpactWatch {
    found: Vec<WorldImpact>,
    /// Awake dynamic bodies before the step, in the order of their handles.
    moving: Vec<BodyVelocity>,
    /// `true` after the first step of a frame.
    stepped: bool,
}

impl ImpactWatch {
    fn keep(&mut self, impact: WorldImpact) {
        self.found.push(impact);
        if self.found.len() > MAX_IMPACTS {
            debug_assert_eq!(self.found.len(), MAX_IMPACTS + 1, "impacts come one by one");
            let weakest = (0..).zip(&self.found).min_by(|(_, a), (_, b)| a.impulse.total_cmp(&b.impulse));
            if let Some((weakest, _)) = weakest {
                self.found.remove(weakest);
            }
        }
    }

    fn velocity(&self, body: RigidBodyHandle, built: &RigidBody) -> BodyVelocity {
        let index = body.into_raw_parts();
        let known = self.moving.binary_search_by_key(&index, |moving| moving.body.into_raw_parts());
        known.ok().and_then(|place| self.moving.get(place)).copied().unwrap_or_else(|| {
            let now = BodyVelocity::of(body, built);
            // The velocity of a kinematic body is that of the step. A dynamic one slept until the step.
            if built.is_dynamic() { BodyVelocity { linear: Vec3::ZERO, angular: Vec3::ZERO, ..now } } else { now }
        })
    }
}

impl Physics {
    pub(crate) fn set_impact_threshold(&mut self, threshold: Option<f32>) -> Result<(), OutOfRange> {
        let impulse = threshold.unwrap_or_default();
        internal::check_number(IMPACT_THRESHOLDS.contains(&impulse), "threshold", impulse, "a number from 0 to 1e9")?;
        self.state.impact_threshold = threshold;
        if threshold.is_none() {
            self.impact_watch = ImpactWatch::default();
            self.state.recent_impacts.clear();
        }
        Ok(())
    }

    /// Returns the impacts of the last frame, in the order of the steps.
    pub(crate) fn impacts(&self) -> &[WorldImpact] {
        &self.impact_watch.found
    }

    /// Notes the velocities before a step, and forgets the impacts of the last frame.
    pub(super) fn watch_impacts(&mut self) {
        if self.state.impact_threshold.is_none() {
            return;
        }
        let watch = &mut self.impact_watch;
        if !std::mem::replace(&mut watch.stepped, true) {
            watch.found.clear();
        }
        watch.moving.clear();
        for handle in self.world.islands.active_bodies() {
            if let Some(built) = self.world.bodies.get(handle).filter(|built| built.is_dynamic()) {
                watch.moving.push(BodyVelocity::of(handle, built));
            }
        }
        watch.moving.sort_unstable_by_key(|moving| moving.body.into_raw_parts());
    }

    /// Ends the host's frame: impacts of a frame without a step would be those of the frame before.
    pub(super) fn end_impacts(&mut self) {
        if !std::mem::take(&mut self.impact_watch.stepped) {
            self.impact_watch.found.clear();
        }
    }

    /// Notes the impacts of the step that was made.
    pub(super) fn note_impacts(&mut self) {
        let Some(threshold) = self.state.impact_threshold else { return };
        let step = self.step_time();
        let mut watch = std::mem::take(&mut self.impact_watch);
        let mut recent = std::mem::take(&mut self.state.recent_impacts);
        recent.retain(|_, left| {
            *left -= step;
            *left > 0.0
        });
        debug_assert!(
            watch.moving.is_sorted_by_key(|moving| moving.body.into_raw_parts()),
            "velocities are found by their bodies"
        );
        for number in 0..watch.moving.len() {
            let Some(BodyVelocity { body, .. }) = watch.moving.get(number).copied() else { continue };
            let Some(built) = self.world.bodies.get(body) else { continue };
            if ragdoll_of(built).is_none() {
                continue;
            }
            for &collider in built.colliders() {
                for contacts in self.world.contact_pairs_with(collider) {
                    let hit = self.impact(&watch, body, collider, contacts, threshold);
                    if let Some((pair, impact)) = hit
                        && recent.insert(pair, SAME_IMPACT_TIME).is_none()
                    {
                        watch.keep(impact);
                    }
                }
            }
        }
        self.impact_watch = watch;
        self.state.recent_impacts = recent;
    }

    /// Notes that a fast kinematic body hits a ragdoll's body and changes its velocity without a contact.
    pub(super) fn note_hit(&mut self, body: RigidBodyHandle, other: ColliderHandle, point: Vec3, change: Vec3) {
        let (Some(threshold), speed) = (self.state.impact_threshold, change.length()) else { return };
        let (Some(built), Some(struck)) = (self.world.bodies.get(body), self.world.colliders.get(other)) else {
            return;
        };
        let impulse = built.mass() * speed;
        let is_hard = impulse.is_finite() && impulse >= threshold && speed >= MIN_IMPACT_SPEED * self.scale();
        if ragdoll_of(built).is_none() || !is_hard || !point.is_finite() {
            return;
        }
        let (user_data, other_data) = (built.user_data, struck.user_data);
        let impact = WorldImpact { user_data, other, other_data, point, normal: change / speed, impulse, speed };
        let pair = pair_of(body, other, struck.parent());
        if self.state.recent_impacts.insert(pair, SAME_IMPACT_TIME).is_none() {
            self.impact_watch.keep(impact);
        }
    }

    /// Returns the impact of a body in a pair of colliders, if it is one.
    fn impact(
        &self,
        watch: &ImpactWatch,
        body: RigidBodyHandle,
        collider: ColliderHandle,
        contacts: &ContactPair,
        threshold: f32,
    ) -> Option<(ImpactPair, WorldImpact)> {
        let other = other_of(contacts, collider);
        let total = contacts.total_impulse();
        let impulse = total.length();
        if impulse < threshold || !(impulse > 0.0 && impulse.is_finite()) {
            return None;
        }
        let struck = self.world.colliders.get(other)?;
        let built = self.world.bodies.get(body)?;
        let struck_body = struck.parent().and_then(|parent| Some((parent, self.world.bodies.get(parent)?)));
        let struck_ragdoll = struck_body.and_then(|(_, built)| ragdoll_of(built));
        if struck_ragdoll.is_some() && struck_ragdoll == ragdoll_of(built) {
            return None;
        }
        let normal = if contacts.collider1 == collider { -total } else { total } / impulse;
        let point = self.middle(contacts)?;
        let own = watch.velocity(body, built);
        let others = struck_body.map(|(parent, built)| watch.velocity(parent, built));
        let approach = |moving: &BodyVelocity| -moving.at(point).dot(normal);
        let speed = approach(&own) - others.as_ref().map_or(0.0, approach);
        let is_fast = speed.is_finite() && speed >= MIN_IMPACT_SPEED * self.scale();
        if !is_fast {
            return None;
        }
        // Of two bodies of ragdolls, the one that moves more towards the other has hit it.
        if let Some((parent, _)) = struck_body.filter(|(_, built)| built.is_dynamic() && ragdoll_of(built).is_some()) {
            let theirs = others.as_ref().map_or(0.0, |moving| -approach(moving));
            if (approach(&own), parent.into_raw_parts()) < (theirs, body.into_raw_parts()) {
                return None;
            }
        }
        let pair = pair_of(body, other, struck.parent());
        let (user_data, other_data) = (built.user_data, struck.user_data);
        let impact = WorldImpact { user_data, other, other_data, point, normal, impulse, speed };
        Some((pair, impact))
    }

    /// Returns the mean of the contact points, by their impulses.
    fn middle(&self, contacts: &ContactPair) -> Option<Vec3> {
        let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
        for manifold in contacts.solver_manifolds() {
            for contact in &manifold.data.solver_contacts {
                let (a, b) = manifold.data.solver_contact_world_points(contact, &self.world.bodies);
                let [number] = contact.contact_indices();
                let impulse = manifold.points.get(number as usize).map_or(0.0, |point| point.data.impulse);
                sum += (a + b) * (0.5 * impulse);
                weight += impulse;
            }
        }
        Some(sum / weight).filter(|point| point.is_finite())
    }
}

/// Returns the name of a body and what it hits: a collider, or the body of that collider.
fn pair_of(body: RigidBodyHandle, other: ColliderHandle, parent: Option<RigidBodyHandle>) -> ImpactPair {
    let name = |(index, generation), is_body| (index, generation, is_body);
    let theirs = parent.map_or(name(other.into_raw_parts(), false), |parent| name(parent.into_raw_parts(), true));
    [name(body.into_raw_parts(), true), theirs]
}
