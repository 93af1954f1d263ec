//! Filter of contacts: of ragdolls that pass through themselves, of sweeps that take too long, and of sweeps of limbs
//! that contacts hold.

use rapier3d::parry::query::{Ray, contact};
use rapier3d::prelude::{
    ActiveHooks, Collider, PairFilterContext, PhysicsHooks, RigidBody, RigidBodyHandle, SolverFlags, TypedShape,
};

use super::UserData;
use super::contacts::ragdoll_of;
use super::tuning::{FLOOR_DEPTH, MAX_SWEPT_RADII, MAX_SWEPT_SIZE, MAX_SWEPT_WAY, SOFT_CCD};

/// Marks colliders of a ragdoll that has lost its contacts with itself. Nothing here has sensors, to which the second
/// flag would apply.
pub(super) const PASSES_THROUGH_ITSELF: ActiveHooks =
    ActiveHooks::FILTER_CONTACT_PAIRS.union(ActiveHooks::FILTER_INTERSECTION_PAIR);

/// Filter of contacts for steps that the host makes in rapier's world: a ragdoll with more bodies in one place than
/// [`PhysicsSettings::max_contact_pairs`](super::PhysicsSettings::max_contact_pairs) allows passes through itself,
/// limbs may end a step up to a unit deep in the level, and cylinders that are thinner, larger or faster than any limb
/// are not swept along their way.
///
/// [`Physics::advance`](super::Physics::advance) uses the filter. A host that steps the world itself passes it to
/// `step_with_events`, as an argument or from the host's own hooks; without it such a ragdoll pushes its bodies apart,
/// limbs that hit the level are torn from their joints for a moment, and such a cylinder may take a second of each
/// step.
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
        let is_left_out = is_costly_sweep(bodies[0], colliders) || is_held_by_contacts(bodies[0], colliders);
        (!is_left_out).then(SolverFlags::default)
    }
}

/// Returns `true` if the ragdoll of a collider has lost its contacts with itself.
pub(super) fn passes_through_itself(collider: &Collider) -> bool {
    collider.active_hooks().contains(PASSES_THROUGH_ITSELF)
}

/// Hooks of a collider of the level: those that let limbs end a step within it.
pub(super) const LEVEL_HOOKS: ActiveHooks = ActiveHooks::FILTER_CONTACT_PAIRS;

/// Returns the hooks of a collider that does not pass through its ragdoll: those of a cylinder bound its sweeps.
pub(super) fn hooks_of(collider: &Collider) -> ActiveHooks {
    match cylinder(collider) {
        Some(_) => ActiveHooks::FILTER_CONTACT_PAIRS,
        None => ActiveHooks::empty(),
    }
}

/// Returns `true` if rapier asks about the way of a body in a step, and not about its contacts: only after the step was
/// solved does a dynamic body have another pose to go to. Contacts are found before.
fn is_swept(body: &RigidBody) -> bool {
    body.is_dynamic() && body.next_position() != body.position()
}

/// Returns `true` if rapier has to search for the contact of a fast body with a cylinder, or of a cylinder, in more
/// steps than any limb needs. rapier sweeps all other shapes in closed form.
fn is_costly_sweep(fast: Option<&RigidBody>, colliders: [Option<&Collider>; 2]) -> bool {
    let Some(fast) = fast.filter(|body| is_swept(body)) else { return false };
    let way = fast.next_position().translation.distance(fast.position().translation);
    let is_too_much = |[radius, half_height]: [f32; 2]| {
        way > MAX_SWEPT_WAY.min(MAX_SWEPT_RADII * radius) || radius.max(half_height) > MAX_SWEPT_SIZE
    };
    colliders.into_iter().flatten().filter_map(cylinder).any(is_too_much)
}

/// Returns `true` if a fast limb ends the step at most [`FLOOR_DEPTH`] within the level: contacts push it out in the
/// next step. rapier would stop the limb at the surface while the rest of its ragdoll moves on, which opens its joints.
fn is_held_by_contacts(fast: Option<&RigidBody>, colliders: [Option<&Collider>; 2]) -> bool {
    let Some(fast) = fast.filter(|body| is_swept(body) && ragdoll_of(body).is_some()) else { return false };
    let [Some(limb), Some(level)] = colliders else { return false };
    let offset = limb.position_wrt_parent().copied().unwrap_or_default();
    let (start, end) = (*fast.position() * offset, *fast.next_position() * offset);
    let is_level = UserData::level_body(level.user_data).is_some() && level.active_hooks().contains(LEVEL_HOOKS);
    if !is_level || !end.is_finite() {
        return false;
    }
    let centre = limb.shape().compute_local_aabb().center();
    let (from, to) = (start * centre, end * centre);
    // Where the middle of the limb stays outside, the depth of the limb is that from the side on which it was.
    let passes = level.shape().intersects_ray(level.position(), &Ray::new(from, to - from), 1.0);
    let depth = FLOOR_DEPTH * fast.soft_ccd_prediction() / SOFT_CCD;
    let meets = contact(&end, limb.shape(), level.position(), level.shape(), 0.0);
    !passes && meets.is_ok_and(|meets| meets.is_some_and(|meets| -meets.dist <= depth))
}

/// Returns the radius and half the height of a cylinder, Quake units.
fn cylinder(collider: &Collider) -> Option<[f32; 2]> {
    match collider.shape().as_typed_shape() {
        TypedShape::Cylinder(shape) => Some([shape.radius, shape.half_height]),
        _ => None,
    }
}
