//! Filter of contacts: of ragdolls that pass through themselves, and of sweeps that take too long.

use rapier3d::prelude::{
    ActiveHooks, Collider, PairFilterContext, PhysicsHooks, RigidBody, RigidBodyHandle, SolverFlags, TypedShape,
};

use super::contacts::ragdoll_of;
use super::tuning::{MAX_SWEPT_RADII, MAX_SWEPT_SIZE, MAX_SWEPT_WAY};

/// Marks colliders of a ragdoll that has lost its contacts with itself. Nothing here has sensors, to which the second
/// flag would apply.
pub(super) const PASSES_THROUGH_ITSELF: ActiveHooks =
    ActiveHooks::FILTER_CONTACT_PAIRS.union(ActiveHooks::FILTER_INTERSECTION_PAIR);

/// Filter of contacts for steps that the host makes in rapier's world: a ragdoll with more bodies in one place than
/// [`PhysicsSettings::max_contact_pairs`](super::PhysicsSettings::max_contact_pairs) allows passes through itself, and
/// cylinders that are thinner, larger or faster than any limb are not swept along their way.
///
/// [`Physics::advance`](super::Physics::advance) uses the filter. A host that steps the world itself passes it to
/// `step_with_events`, as an argument or from the host's own hooks; without it such a ragdoll pushes its bodies apart,
/// and such a cylinder may take a second of each step.
///
/// ```
/// use skelobj::Physics;
/// use skelobj::physics::ContactFilter;
///
/// let mut physics = Physics::default();
/// physics.world_mut().step_with_events(&ContactFilter, &());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContactFilter;

impl PhysicsHooks for ContactFilter {
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let body = |body: Option<RigidBodyHandle>| context.bodies.get(body?);
        let bodies = [body(context.rigid_body1), body(context.rigid_body2)];
        let collider = |collider| context.colliders.get(collider);
        let colliders = [collider(context.collider1), collider(context.collider2)];
        let first = bodies[0].and_then(ragdoll_of);
        let is_one = first.is_some() && first == bodies[1].and_then(ragdoll_of);
        if is_one && colliders.iter().flatten().any(|collider| passes_through_itself(collider)) {
            return None;
        }
        (!is_costly_sweep(bodies[0], colliders)).then(SolverFlags::default)
    }
}

/// Returns `true` if the ragdoll of a collider has lost its contacts with itself.
pub(super) fn passes_through_itself(collider: &Collider) -> bool {
    collider.active_hooks().contains(PASSES_THROUGH_ITSELF)
}

/// Returns the hooks of a collider that does not pass through its ragdoll: those of a cylinder bound its sweeps.
pub(super) fn hooks_of(collider: &Collider) -> ActiveHooks {
    match cylinder(collider) {
        Some(_) => ActiveHooks::FILTER_CONTACT_PAIRS,
        None => ActiveHooks::empty(),
    }
}

/// Returns `true` if rapier asks about the way of a fast body, and has to search for its contact with a cylinder, or of
/// a cylinder, in more steps than any limb needs. rapier sweeps all other shapes in closed form.
fn is_costly_sweep(fast: Option<&RigidBody>, colliders: [Option<&Collider>; 2]) -> bool {
    let Some(fast) = fast.filter(|body| body.is_dynamic()) else { return false };
    // Only after the step was solved does a dynamic body have another pose to go to. Contacts are found before.
    let way = fast.next_position().translation.distance(fast.position().translation);
    let is_too_much = |[radius, half_height]: [f32; 2]| {
        way > MAX_SWEPT_WAY.min(MAX_SWEPT_RADII * radius) || radius.max(half_height) > MAX_SWEPT_SIZE
    };
    fast.next_position() != fast.position() && colliders.into_iter().flatten().filter_map(cylinder).any(is_too_much)
}

/// Returns the radius and half the height of a cylinder, Quake units.
fn cylinder(collider: &Collider) -> Option<[f32; 2]> {
    match collider.shape().as_typed_shape() {
        TypedShape::Cylinder(shape) => Some([shape.radius, shape.half_height]),
        _ => None,
    }
}
