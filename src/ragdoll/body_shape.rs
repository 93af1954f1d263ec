//! Colliders of a doll's bodies, and the poses of bodies on their bones.

use glam::{Quat, Vec3};
use rapier3d::prelude::{Collider, ColliderBuilder, MassProperties, Pose};
use skelobj_model::internal;

use super::RagBody;
use super::tuning::{MAX_MASS, MAX_SIZE, MIN_INERTIA_SHARE, MIN_MASS, MIN_SIZE, ROD_INERTIA};
use crate::doll::{Body, Orient, Shape};
use crate::math::{Axes, Mat3x4};
use crate::model::Skeleton;
use crate::physics::Physics;

/// Returns the range of masses that the simulation can use in a ragdoll of some [size](super::size). The range of the
/// mannequin's size is part of it: only ratios of masses matter to those who use another unit of mass.
pub(super) fn masses(size: f32) -> [f32; 2] {
    let volume = size.powi(3);
    [MIN_MASS * volume.min(1.0), MAX_MASS * volume.max(1.0)]
}

/// Returns the collider of a body around its origin, for an entity of `scale` and a ragdoll of `size`. Lengths lie
/// along the body's Z; the mass grows with the volume.
pub(super) fn collider(body: &Body, scale: f32, size: f32) -> ColliderBuilder {
    let [x, y, z] = body.size.map(|size| within(size * scale, MIN_SIZE, MAX_SIZE));
    let radius = within(body.radius().unwrap_or_default() * scale, MIN_SIZE, MAX_SIZE);
    let shape = match body.shape {
        Shape::Box => ColliderBuilder::cuboid(x / 2.0, y / 2.0, z / 2.0),
        Shape::Sphere => ColliderBuilder::ball(radius),
        Shape::Capsule => ColliderBuilder::capsule_z(z / 2.0, radius),
        // rapier's cylinders stand along Y.
        Shape::Cylinder => ColliderBuilder::cylinder(z / 2.0, radius).rotation(Vec3::X * std::f32::consts::FRAC_PI_2),
    };
    let [least, most] = masses(size);
    shape.mass(within(body.mass * scale.powi(3), least, most))
}

/// Returns half of the extents of a body's shape along the body's axes, Quake units.
pub(super) fn half_extents(body: &Body) -> Vec3 {
    let [x, y, z] = body.size.map(|size| size / 2.0);
    let radius = body.radius().unwrap_or_default();
    match body.shape {
        Shape::Box => Vec3::new(x, y, z),
        Shape::Sphere => Vec3::splat(radius),
        Shape::Cylinder => Vec3::new(radius, radius, z),
        Shape::Capsule => Vec3::new(radius, radius, z + radius),
    }
}

/// Returns the nearest number in a range; the minimum for NaN.
fn within(value: f32, least: f32, most: f32) -> f32 {
    if value > least { value.min(most) } else { least }
}

/// Returns `true` if an offset on a bone, Quake units, is usable.
pub(super) fn is_near(offset: Vec3) -> bool {
    offset.abs().max_element() <= MAX_SIZE && offset.is_finite()
}

/// Returns the mass properties of a collider whose body has joints up to `reach` away from its centre along its own
/// axes.
pub(super) fn with_raised_inertia(collider: &Collider, reach: Vec3) -> MassProperties {
    let own = collider.mass_properties();
    let mass = own.mass();
    let inertia = own.reconstruct_inertia_matrix();
    let turned = collider.position_wrt_parent().map_or(Quat::IDENTITY, |pose| pose.rotation);
    let reach = (turned.inverse() * reach).abs();
    let squares = reach * reach;
    let rod = Vec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * (mass * ROD_INERTIA);
    let diagonal = Vec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z).max(rod);
    let diagonal = diagonal.max(Vec3::splat(diagonal.max_element() * MIN_INERTIA_SHARE));
    MassProperties::new(own.local_com, mass, diagonal)
}

/// Returns the rigid part of a matrix.
pub(super) fn rigid(matrix: &Mat3x4) -> Pose {
    Pose::from_parts(matrix.origin(), matrix.rotation())
}

/// Returns `true` if a model scales a bone before any animation does.
pub(super) fn is_scaled(bone: usize, skeleton: &Skeleton, reference: &[Mat3x4]) -> bool {
    let rest = if skeleton.has_bind() { skeleton.bind_model() } else { reference };
    internal::is_scaled(&rest[bone])
}

/// Pose of a body in the frame of its bone's rigid part: the bone's scale moves no body.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Placement {
    /// Transform from the bone to the body.
    pub(super) pose: Pose,
    /// `true` if the model scales the bone before any animation does.
    is_scaled: bool,
}

impl Placement {
    /// Returns the place of a body, from its `orient` and `offset`. `reference` is the model in the reference pose,
    /// model space.
    pub(super) fn new(body: &Body, bone: usize, skeleton: &Skeleton, reference: &[Mat3x4]) -> Self {
        let own = rigid(&reference[bone]);
        let toward = match &body.orient {
            None => None,
            Some(Orient::Parent) => skeleton.parent(bone),
            Some(Orient::Toward(name)) => skeleton.find(name.as_bytes()),
        };
        let mut pose = Pose::IDENTITY;
        if let Some(toward) = toward {
            let way = own.inverse_transform_point(reference[toward].origin());
            if let Some(direction) = way.try_normalize() {
                pose = Pose::from_parts(way / 2.0, Quat::from_rotation_arc(Vec3::Z, direction));
            }
        }
        if let Some(offset) = body.offset.filter(|o| is_near(o.position) && o.angles.is_finite()) {
            let turn = Mat3x4::from_axes(Axes::from_angles(offset.angles), offset.position);
            pose *= rigid(&turn);
        }
        Self { pose, is_scaled: is_scaled(bone, skeleton, reference) }
    }

    /// Returns the pose of the body on its bone.
    pub(super) fn on(&self, bone: &Mat3x4) -> Pose {
        self.on_rigid(&internal::unscaled(bone, self.is_scaled))
    }

    /// Returns the pose of the body in the world, on its bone in model space: the entity's scale moves it, the bone's
    /// does not.
    pub(super) fn in_world(&self, entity: &Mat3x4, bone: &Mat3x4) -> Pose {
        self.on_rigid(&(*entity * internal::unscaled(bone, self.is_scaled)))
    }

    /// Returns the pose of the body in the world on a bone without a rotation, which has collapsed to a line or a
    /// point: the body keeps its rotation.
    pub(super) fn in_world_turned(&self, entity: &Mat3x4, bone: &Mat3x4, body: Quat) -> Pose {
        let own = body * self.pose.rotation.inverse();
        let origin = entity.transform_point(bone.origin());
        Pose::from_parts(origin + own * self.pose.translation * entity.scale(), body)
    }

    fn on_rigid(&self, bone: &Mat3x4) -> Pose {
        Pose::from_parts(bone.transform_point(self.pose.translation), bone.rotation() * self.pose.rotation)
    }
}

pub(super) fn overlap(a: &RagBody, at_a: &Pose, b: &RagBody, at_b: &Pose, physics: &Physics) -> bool {
    let (Some(a), Some(b)) = (collider_of(a, physics), collider_of(b, physics)) else { return false };
    let (at_a, at_b) = (collider_pose(at_a, a), collider_pose(at_b, b));
    rapier3d::parry::query::intersection_test(&at_a, a.shape(), &at_b, b.shape()).is_ok_and(|hit| hit.intersecting)
}

pub(super) fn collider_of<'a>(body: &RagBody, physics: &'a Physics) -> Option<&'a Collider> {
    let handle = *physics.world().bodies.get(body.handle)?.colliders().first()?;
    physics.world().colliders.get(handle)
}

pub(super) fn collider_pose(body: &Pose, collider: &Collider) -> Pose {
    *body * collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY)
}
