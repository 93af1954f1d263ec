//! Impulses of rockets and bullets, and the bodies of bones.

use glam::Vec3;
use skelobj_model::internal;

use super::tuning::MAX_IMPULSE;
use super::{
    Flinch, RagBody, Ragdoll, body_shape,
    sanitize::{max_speed, set_velocity},
};
use crate::OutOfRange;
use crate::physics::{CollisionGroups, Physics, UserData};

/// Checks an impulse, mass * Quake units / s, and the point at which it is applied.
pub(crate) fn check_impulse(point: Vec3, impulse: Vec3) -> Result<(), OutOfRange> {
    internal::check_place("point", point)?;
    internal::check_numbers("impulse", impulse.to_array(), MAX_IMPULSE, "numbers from -1e9 to 1e9")
}

impl Ragdoll {
    /// Applies an impulse (mass * Quake units / s) at a point, both in world space. Returns `true` if a body received
    /// it.
    ///
    /// The impulse goes to the body that drives `bone` (0-based); without a bone, to the nearest body. Sleeping bodies
    /// wake up. A body that the animation holds flinches as `hit` describes, and its neighbours less: they give way and
    /// return.
    ///
    /// # Errors
    /// [`OutOfRange`] for an impulse of more than 1e9, a point more than a million units away, a [`Flinch`] out of
    /// range, and numbers that are not finite.
    pub(crate) fn apply_impulse_at(
        &mut self,
        bone: Option<usize>,
        point: Vec3,
        impulse: Vec3,
        hit: Flinch,
        physics: &mut Physics,
    ) -> Result<bool, OutOfRange> {
        check_impulse(point, impulse)?;
        hit.check()?;
        let number = match bone {
            Some(bone) => self.bone_body(bone),
            None => self.nearest_body(point, physics),
        };
        let Some(number) = number else { return Ok(false) };
        self.flinch(number, hit, physics);
        let max_speed = max_speed(physics);
        if let Some(built) = physics.world_mut().bodies.get_mut(self.state.bodies[number].handle) {
            built.apply_impulse_at_point(impulse, point, true);
            if built.is_dynamic() {
                let (linear, angular) = (built.linvel(), built.angvel());
                set_velocity(built, linear, angular, max_speed);
            }
        }
        Ok(true)
    }

    /// Puts the colliders of all bodies into collision groups. Sleeping bodies are not woken.
    pub(crate) fn set_groups(&self, groups: CollisionGroups, physics: &mut Physics) {
        for body in &self.state.bodies {
            physics.set_groups(body.handle, groups);
        }
    }

    /// Returns the collision groups of the bodies.
    #[must_use]
    pub fn groups(&self, physics: &Physics) -> CollisionGroups {
        let collider = self.state.bodies.first().and_then(|body| body_shape::collider_of(body, physics));
        collider.map_or(CollisionGroups::NONE, |own| own.collision_groups().memberships.bits().into())
    }

    /// Sets the owner in the user data of all bodies and colliders, where [`UserData::Ragdoll`] stores it; 0 at first.
    pub(crate) fn set_owner(&self, owner: u64, physics: &mut Physics) {
        let world = physics.world_mut();
        let anchor = self.state.world_anchor.map(|handle| (u32::MAX, handle));
        let bodies = (0..).zip(&self.state.bodies).map(|(number, body)| (number, body.handle));
        for (number, handle) in bodies.chain(anchor) {
            let user_data = UserData::Ragdoll { owner, body: number }.to_bits();
            let Some(built) = world.bodies.get_mut(handle) else { continue };
            built.user_data = user_data;
            for collider in built.colliders() {
                if let Some(collider) = world.colliders.get_mut(*collider) {
                    collider.user_data = user_data;
                }
            }
        }
    }

    /// Returns the body that drives a bone, both 0-based: the last body on the bone.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?;
    /// let ragdoll = runtime.ragdoll(object).expect("a ragdoll");
    /// let object = runtime.object(object).expect("an object");
    /// let [head, neck] = ["head", "neck"].map(|bone| object.find_bone(bone).expect("a bone"));
    /// assert_eq!(ragdoll.bone_body(head), ragdoll.doll().find_body("head"));
    /// assert_eq!(ragdoll.bone_body(neck), None); // the neck has no body
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bone_body(&self, bone: usize) -> Option<usize> {
        self.derived.drivers.get(bone).copied().flatten()
    }

    /// Returns the bone of a body, both 0-based.
    #[must_use]
    pub fn body_bone(&self, body: usize) -> Option<usize> {
        self.state.bodies.get(body).map(|body| body.bone)
    }

    /// Returns the body that contains a point, or the body closest to it.
    fn nearest_body(&self, point: Vec3, physics: &Physics) -> Option<usize> {
        let distance = |body: &RagBody| {
            let collider = body_shape::collider_of(body, physics)?;
            let found = collider.shape().project_point(collider.position(), point, true);
            let depth = collider.position().translation.distance(point);
            // Of several that contain the point, the one whose centre is closest.
            Some(if found.is_inside { depth - 1e6 } else { found.point.distance(point) })
        };
        let distances =
            self.state.bodies.iter().enumerate().filter_map(|(number, body)| Some((number, distance(body)?)));
        distances.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(number, _)| number)
    }
}
