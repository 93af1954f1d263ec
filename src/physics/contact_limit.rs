//! Limit of contact pairs: ragdolls that pass through themselves, then through each other, then through everything.
//!
//! rapier finds all pairs of a step at once, however many they are, so the pairs are counted before. What a ragdoll has
//! lost is in the groups and flags of its colliders, where a snapshot keeps it.

use glam::Vec3;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::{Collider, InteractionGroups, RigidBodyHandle};

use super::contact_filter::{PASSES_THROUGH_ITSELF, passes_through_itself};
use super::contacts::ragdoll_of;
use super::tuning::{FOUND_PAIRS, MAX_BODY_PAIRS, PREDICTION_DISTANCE, UNSOLVED_PAIRS};
use super::{CollisionGroups, Physics};

/// Contacts that a ragdoll has lost because too many bodies were in one place.
///
/// ```
/// use skelobj::physics::LostContacts;
///
/// assert_eq!(LostContacts::Own.to_string(), "itself"); // what the ragdoll passes through
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LostContacts {
    /// Contacts between the bodies of the ragdoll.
    Own,
    /// Contacts between the bodies of the ragdoll, and with other ragdolls.
    Ragdolls,
    /// Contacts with everything, the level included.
    All,
}

impl std::fmt::Display for LostContacts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Own => "itself",
            Self::Ragdolls => "itself and other ragdolls",
            Self::All => "everything",
        })
    }
}

/// Ragdolls that the next step moves, and those that have lost contacts.
#[derive(Default)]
pub(super) struct ContactLimiter {
    /// Bodies of the ragdolls, one ragdoll after the other.
    bodies: Vec<RigidBodyHandle>,
    /// End of each ragdoll in `bodies`.
    ends: Vec<usize>,
    ragdolls: Vec<RagdollBounds>,
    /// First bodies of ragdolls that have lost contacts, and which.
    reports: Vec<(RigidBodyHandle, LostContacts)>,
}

/// Ragdoll as a box around its bodies, wherever the next step moves them.
struct RagdollBounds {
    bodies: std::ops::Range<usize>,
    bounds: Aabb,
    groups: InteractionGroups,
    meets_itself: bool,
}

/// Body of a ragdoll.
struct Extent {
    bounds: Aabb,
    is_dynamic: bool,
}

impl Physics {
    /// Notes the bodies of a ragdoll that moves in the next step.
    pub(crate) fn note_ragdoll(&mut self, bodies: impl Iterator<Item = RigidBodyHandle>) {
        self.scratch.contact_limiter.bodies.extend(bodies);
        self.scratch.contact_limiter.ends.push(self.scratch.contact_limiter.bodies.len());
    }

    /// Notes a body whose groups were changed.
    pub(super) fn note_regrouped(&mut self, body: RigidBodyHandle) {
        self.state.regrouped.insert(body);
    }

    /// Returns the ragdolls that have lost contacts since the last call, as the owners in the user data of their
    /// bodies.
    pub(crate) fn take_lost_contacts(&mut self) -> Vec<(u64, LostContacts)> {
        let reports = std::mem::take(&mut self.scratch.contact_limiter.reports);
        let owner = |body| self.world.bodies.get(body).and_then(ragdoll_of);
        reports.into_iter().filter_map(|(body, lost)| Some((owner(body)?, lost))).collect()
    }

    /// Takes contacts from ragdolls until the next step has no more pairs than the settings allow.
    pub(super) fn limit_contact_pairs(&mut self) {
        let mut limiter = std::mem::take(&mut self.scratch.contact_limiter);
        self.add_regrouped(&mut limiter);
        let limit = u64::from(self.settings.max_contact_pairs);
        if limiter.bodies.len() > MAX_BODY_PAIRS || pairs_of(limiter.bodies.len()) > limit {
            self.bound_ragdolls(&mut limiter);
            if may_exceed(&limiter.ragdolls, limit) {
                self.take_excess_contacts(&mut limiter, limit);
            }
        }
        limiter.bodies.clear();
        limiter.ends.clear();
        limiter.ragdolls.clear();
        self.scratch.contact_limiter = limiter;
    }

    /// Adds the ragdolls that sleep and have new groups.
    fn add_regrouped(&mut self, limiter: &mut ContactLimiter) {
        if self.state.regrouped.is_empty() {
            return;
        }
        for body in &limiter.bodies {
            self.state.regrouped.remove(body);
        }
        let owner = |body| self.world.bodies.get(body).and_then(ragdoll_of);
        let mut bodies: Vec<(u64, RigidBodyHandle)> =
            self.state.regrouped.drain().filter_map(|body| Some((owner(body)?, body))).collect();
        bodies.sort_unstable_by_key(|(owner, body)| (*owner, body.into_raw_parts()));
        for ragdoll in bodies.chunk_by(|(a, _), (b, _)| a == b) {
            limiter.bodies.extend(ragdoll.iter().map(|(_, body)| *body));
            limiter.ends.push(limiter.bodies.len());
        }
    }

    fn collider(&self, body: RigidBodyHandle) -> Option<&Collider> {
        self.world.colliders.get(*self.world.bodies.get(body)?.colliders().first()?)
    }

    /// Computes boxes around the ragdolls that collide with others or with themselves.
    fn bound_ragdolls(&self, limiter: &mut ContactLimiter) {
        debug_assert!(limiter.ends.is_sorted(), "ragdolls follow each other");
        debug_assert_eq!(limiter.ends.last(), Some(&limiter.bodies.len()), "every body is one of a ragdoll");
        let mut start = 0;
        for &end in &limiter.ends {
            let bodies = std::mem::replace(&mut start, end)..end;
            let first = limiter.bodies.get(bodies.start).and_then(|body| self.collider(*body));
            let Some(first) = first.filter(|collider| collider.is_enabled()) else { continue };
            let mut bounds = Aabb::new_invalid();
            let (mut radius, mut ahead) = (0.0f32, 0.0f32);
            for body in &limiter.bodies[bodies.clone()] {
                if let (Some(built), Some(collider)) = (self.world.bodies.get(*body), self.collider(*body)) {
                    bounds.take_point(built.translation());
                    radius = radius.max(collider.shape().compute_local_bounding_sphere().radius());
                    ahead = ahead.max(built.soft_ccd_prediction());
                }
            }
            limiter.ragdolls.push(RagdollBounds {
                bodies,
                bounds: bounds.loosened(radius + ahead + PREDICTION_DISTANCE * self.scale()),
                groups: first.collision_groups(),
                meets_itself: !passes_through_itself(first),
            });
        }
    }

    fn extent(&self, body: RigidBodyHandle) -> Extent {
        let far = Aabb::new(Vec3::MAX, Vec3::MAX);
        let parameters = &self.world.integration_parameters;
        let bounds = self.collider(body).map(|own| own.compute_broad_phase_aabb(parameters, &self.world.bodies));
        let is_dynamic = self.world.bodies.get(body).is_some_and(|built| built.is_dynamic());
        Extent { bounds: bounds.unwrap_or(far), is_dynamic }
    }

    /// Takes contacts from the ragdolls with most bodies first, and from the last of those with equally many.
    fn take_excess_contacts(&mut self, limiter: &mut ContactLimiter, limit: u64) {
        let extents: Vec<Extent> = limiter.bodies.iter().map(|body| self.extent(*body)).collect();
        for ragdoll in &mut limiter.ragdolls {
            ragdoll.bounds = Aabb::new_invalid();
            extents[ragdoll.bodies.clone()].iter().for_each(|extent| ragdoll.bounds.merge(&extent.bounds));
        }
        limiter.ragdolls.sort_by_key(|ragdoll| ragdoll.bodies.len());
        let mut count =
            Count { ragdolls: &limiter.ragdolls, extents: &extents, lost: vec![None; limiter.ragdolls.len()] };
        count.leave_what_is_found(FOUND_PAIRS * limit);
        count.leave_what_is_solved(limit);
        debug_assert_eq!(count.lost.len(), count.ragdolls.len(), "every ragdoll keeps or loses contacts");
        let lost = count.lost;

        for (ragdoll, lost) in limiter.ragdolls.iter().zip(lost) {
            let Some(lost) = lost else { continue };
            let bodies = &limiter.bodies[ragdoll.bodies.clone()];
            self.take_contacts(bodies, lost);
            limiter.reports.extend(bodies.first().map(|first| (*first, lost)));
        }
    }

    /// Makes a ragdoll pass through itself.
    pub(crate) fn stop_self_contacts(&mut self, bodies: &[RigidBodyHandle]) {
        self.take_contacts(bodies, LostContacts::Own);
        self.scratch.contact_limiter.reports.extend(bodies.first().map(|first| (*first, LostContacts::Own)));
    }

    fn take_contacts(&mut self, bodies: &[RigidBodyHandle], lost: LostContacts) {
        for body in bodies {
            let colliders = self.world.bodies.get(*body).map(|body| body.colliders().to_vec()).unwrap_or_default();
            for collider in colliders {
                let Some(collider) = self.world.colliders.get_mut(collider) else { continue };
                match lost {
                    LostContacts::Own => {
                        collider.set_active_hooks(collider.active_hooks() | PASSES_THROUGH_ITSELF);
                    }
                    LostContacts::Ragdolls => collider.set_collision_groups(without_ragdolls(collider)),
                    LostContacts::All => collider.set_enabled(false),
                }
            }
        }
    }
}

/// Returns the groups of a collider that passes through ragdolls, also through those in its own groups: through the
/// level, too, if the game has put it there.
fn without_ragdolls(collider: &Collider) -> InteractionGroups {
    let own = collider.collision_groups();
    let ragdolls = (CollisionGroups::RAGDOLLS | CollisionGroups::CORPSES).for_query().filter;
    InteractionGroups { filter: own.filter.difference(ragdolls | own.memberships), ..own }
}

/// Returns the number of pairs of this many bodies.
fn pairs_of(bodies: usize) -> u64 {
    bodies as u64 * (bodies as u64).saturating_sub(1) / 2
}

/// Returns `true` if more pairs of bodies than the limit, or more for a ragdoll than [`MAX_BODY_PAIRS`], could touch.
fn may_exceed(ragdolls: &[RagdollBounds], limit: u64) -> bool {
    let mut sum = 0;
    ragdolls.iter().any(|ragdoll| {
        let near = ragdolls.iter().filter(|other| ragdoll.bounds.intersects(&other.bounds));
        let bodies: usize = near.map(|other| other.bodies.len()).sum();
        // Each pair is counted from both sides.
        sum += (ragdoll.bodies.len() * bodies) as u64;
        bodies > MAX_BODY_PAIRS || sum > 2 * limit
    })
}

/// Pairs of bodies whose boxes overlap, and what the ragdolls lose for them.
struct Count<'a> {
    ragdolls: &'a [RagdollBounds],
    extents: &'a [Extent],
    lost: Vec<Option<LostContacts>>,
}

impl Count<'_> {
    /// Takes all contacts from each ragdoll with which rapier would find more pairs than `most`.
    fn leave_what_is_found(&mut self, most: u64) {
        let all = pairs_of(self.ragdolls.iter().map(|ragdoll| ragdoll.bodies.len()).sum());
        if all <= most {
            return;
        }
        let mut sum = 0;
        for number in 0..self.ragdolls.len() {
            let mut pairs = self.within(number);
            for other in self.kept(number) {
                if sum + pairs > most {
                    break;
                }
                pairs += self.between(number, other);
            }
            if sum + pairs > most {
                self.lost[number] = Some(LostContacts::All);
            } else {
                sum += pairs;
            }
        }
    }

    /// Takes contacts with others from each ragdoll with which more pairs than `most` would touch, then contacts with
    /// themselves from those with most of these.
    fn leave_what_is_solved(&mut self, most: u64) {
        let (mut sum, mut unsolved) = (0, 0);
        let mut own: Vec<(u64, usize)> = Vec::new();
        for number in self.kept(self.ragdolls.len()).collect::<Vec<_>>() {
            let ragdoll = &self.ragdolls[number];
            let bodies = (MAX_BODY_PAIRS * ragdoll.bodies.len()) as u64;
            let within = if meet(ragdoll, ragdoll) { self.within(number) } else { 0 };
            let mut pairs = 0;
            for other in self.kept(number) {
                if pairs > bodies || sum + pairs > most {
                    break;
                }
                pairs += if meet(ragdoll, &self.ragdolls[other]) { self.between(number, other) } else { 0 };
            }
            if pairs > bodies || sum + pairs > most || unsolved + within > UNSOLVED_PAIRS * most {
                self.lost[number] = Some(LostContacts::Ragdolls);
                continue;
            }
            sum += pairs;
            unsolved += within;
            if ragdoll.meets_itself && 2 * within > bodies {
                self.lost[number] = Some(LostContacts::Own);
            } else if ragdoll.meets_itself {
                own.push((within, number));
            }
        }
        sum += own.iter().map(|(pairs, _)| pairs).sum::<u64>();
        own.sort_unstable();
        while sum > most
            && let Some((pairs, number)) = own.pop()
            && pairs > 0
        {
            self.lost[number] = Some(LostContacts::Own);
            debug_assert!(pairs <= sum, "the pairs were counted");
            sum -= pairs;
        }
    }

    /// Returns the ragdolls before this one that collide with others.
    fn kept(&self, number: usize) -> impl Iterator<Item = usize> {
        debug_assert!(number <= self.lost.len(), "the ragdolls exist");
        let passes = |lost: Option<LostContacts>| matches!(lost, Some(LostContacts::Ragdolls | LostContacts::All));
        (0..number).filter(move |other| !passes(self.lost[*other]))
    }

    fn within(&self, number: usize) -> u64 {
        let extents = &self.extents[self.ragdolls[number].bodies.clone()];
        let pairs = extents.iter().enumerate().map(|(number, one)| overlaps(one, &extents[..number]));
        pairs.sum()
    }

    fn between(&self, one: usize, other: usize) -> u64 {
        let [one, other] = [one, other].map(|number| &self.ragdolls[number]);
        if !one.bounds.intersects(&other.bounds) {
            return 0;
        }
        let near = self.extents[one.bodies.clone()].iter().filter(|extent| extent.bounds.intersects(&other.bounds));
        near.map(|extent| overlaps(extent, &self.extents[other.bodies.clone()])).sum()
    }
}

fn meet(one: &RagdollBounds, other: &RagdollBounds) -> bool {
    one.groups.test(other.groups)
}

fn overlaps(one: &Extent, others: &[Extent]) -> u64 {
    let meets = |other: &&Extent| (one.is_dynamic || other.is_dynamic) && one.bounds.intersects(&other.bounds);
    others.iter().filter(meets).count() as u64
}
