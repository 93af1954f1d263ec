//! Contact points of a ragdoll, and the forces that they bear.

use glam::Vec3;
use rapier3d::prelude::{Collider, ColliderHandle, SolverFlags};

use super::Ragdoll;
use crate::physics::{Physics, UserData, other_of};

/// Point at which a ragdoll's body touches something else, world space.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?;
/// runtime.step(0.1)?;
/// let ragdoll = runtime.ragdoll(object).expect("a ragdoll");
/// let contact = ragdoll.contact_points(runtime.physics())[0];
/// assert!(ragdoll.doll().bodies[contact.body].name == *"foot_l");
/// assert!(contact.normal.distance(Vec3::Z) < 0.01); // the floor pushes it up
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ContactPoint {
    /// Index into [`Doll::bodies`](crate::Doll::bodies) of the ragdoll's doll.
    pub body: usize,
    /// Collider that the body touches; [`Runtime::collider_owner`](crate::Runtime::collider_owner) returns its owner.
    pub other_collider: ColliderHandle,
    /// Point, Quake units: halfway between the surfaces.
    pub point: Vec3,
    /// Unit normal: the direction in which the contact pushes the body.
    pub normal: Vec3,
    /// Penetration depth, Quake units; negative for surfaces that are apart.
    pub depth: f32,
    /// Force along the normal, mass * units/s^2: the mean over the last step that moved the ragdoll. Friction is not
    /// part of it.
    pub force: f32,
}

impl Ragdoll {
    /// Returns the points at which the bodies touch the level, boxes of entities, other ragdolls and colliders of the
    /// host after the last step, in the order of the doll's bodies.
    ///
    /// A point is where the surfaces overlap, or where the last step pushed. At rest on a level floor, the forces add
    /// up to the weight of the ragdoll; those of a sleeping ragdoll stay as they were when it fell asleep. Boxes of
    /// entities push ragdolls without contacts, so that their points bear no force. Left out are points between bodies
    /// of the same ragdoll, and non-finite ones. A body that follows the animation exactly has points only with what it
    /// can push.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?;
    /// for _frame in 0..600 {
    ///     runtime.step(1.0 / 60.0)?;
    /// }
    /// let ragdoll = runtime.ragdoll(object).expect("a ragdoll");
    /// let carried: f32 = ragdoll.contact_points(runtime.physics()).iter().map(|contact| contact.force).sum();
    /// let mass: f32 = ragdoll.doll().bodies.iter().map(|body| body.mass).sum();
    /// assert!((carried / (mass * 800.0) - 1.0).abs() < 0.1); // the floor carries its weight
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contact_points(&self, physics: &Physics) -> Vec<ContactPoint> {
        let world = physics.world();
        let mut points = Vec::new();
        for (body, built) in self.state.bodies.iter().enumerate() {
            let Some(&own) = world.bodies.get(built.handle).and_then(|built| built.colliders().first()) else {
                continue;
            };
            let pairs = world.contact_pairs_with(own).filter_map(|pair| {
                let other = other_of(pair, own);
                let is_own = self.is_own(world.colliders.get(other)?);
                (!is_own).then(|| (other, pair.collider1 == own, pair.solver_manifolds()))
            });
            let mut pairs: Vec<_> = pairs.collect();
            pairs.sort_unstable_by_key(|(other, ..)| other.into_raw_parts());
            for (other_collider, is_first, manifolds) in pairs {
                for manifold in manifolds {
                    // rapier's normals point from the first collider to the second.
                    let normal = if is_first { -manifold.data.normal } else { manifold.data.normal };
                    let is_solved = manifold.data.solver_flags.contains(SolverFlags::COMPUTE_RIGID_IMPULSES);
                    points.extend(manifold.data.solver_contacts.iter().filter_map(|contact| {
                        let ends = manifold.data.solver_contact_world_points(contact, &world.bodies);
                        let [number] = contact.contact_indices();
                        let impulse = manifold.points.get(number as usize)?.data.impulse;
                        Some(ContactPoint {
                            body,
                            other_collider,
                            point: (ends.0 + ends.1) * 0.5,
                            normal,
                            depth: (ends.0 - ends.1).dot(manifold.data.normal),
                            force: if is_solved { impulse / self.state.last_step } else { 0.0 },
                        })
                    }));
                }
            }
        }
        points.retain(ContactPoint::is_touch);
        points
    }

    /// Returns `true` for the collider of a body of this ragdoll.
    fn is_own(&self, collider: &Collider) -> bool {
        match UserData::from_bits(collider.user_data) {
            Some(UserData::Ragdoll { body, .. }) => {
                self.state.bodies.get(body as usize).is_some_and(|own| collider.parent() == Some(own.handle))
            }
            _ => false,
        }
    }
}

impl ContactPoint {
    /// Returns `true` for a point of finite numbers at which something touches. The solver also has points of surfaces
    /// that could meet in the next step.
    fn is_touch(&self) -> bool {
        let is_finite = self.point.is_finite() && self.normal.is_finite() && self.force.is_finite();
        is_finite && self.depth.is_finite() && (self.depth >= 0.0 || self.force > 0.0)
    }
}
