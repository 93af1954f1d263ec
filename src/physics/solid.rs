//! Solid space of levels: whether a point is in a wall, and where a line enters one.

use glam::{Quat, Vec3};
use rapier3d::parry::shape::TypedShape;
use rapier3d::prelude::{Aabb, Collider, Pose, QueryFilter, RigidBodyHandle, ShapeType, TriMesh};
use skelobj_model::internal::{self, FARTHEST};

use super::contacts::other_of;
use super::level_body::LevelBody;
use super::{CollisionGroups, Physics, SolidVolume, UserData};
use crate::id::LevelBodyId;

/// Solid space of a level body, in the body's own space.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Solid {
    pub(super) body: LevelBodyId,
    pub(super) volume: SolidVolume,
}

/// Place where a line meets a wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallHit {
    /// Share of the line.
    pub share: f32,
    /// Unit normal on the side that the line came from; zero in a level that tells what is solid, and if the line
    /// starts in the wall.
    pub normal: Vec3,
}

impl Physics {
    /// Returns `true` if a point in world space is in a solid part of a [level](Self::add_level), or in a box, hull or
    /// closed mesh that the host has added: in a wall, or in a door or lift where it is now.
    ///
    /// Parts that are [not solid](Self::set_level_body_solid), meshes with openings, floors and entity boxes do not
    /// count. [`Level::is_solid`](super::Level::is_solid) tells what is solid in a level.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::{BrushModel, Entity, Level, LevelOptions, LiquidVolume, BrushEntity};
    ///
    /// let mut door = BrushModel::default();
    /// let corners = |z| [[-4.0, -48.0], [4.0, -48.0], [4.0, 48.0], [-4.0, 48.0]].map(|[x, y]| Vec3::new(x, y, z));
    /// door.hulls.push([corners(0.0), corners(96.0)].concat());
    /// door.solid = LiquidVolume::new_box(Vec3::new(-4.0, -48.0, 0.0), Vec3::new(4.0, 48.0, 96.0))?.into();
    /// let mut level = Level::default();
    /// (level.models, level.entities) = (vec![BrushModel::default(), door], vec![Entity::default()]);
    /// let entity = BrushEntity { entity: 0, model: 1, origin: Vec3::ZERO, angles: Vec3::ZERO, solid: true };
    /// level.brush_entities.push(entity);
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// let door = runtime.physics_mut().add_level(&level, LevelOptions::default())?.entities[0].1;
    /// let doorway = Vec3::Z * 48.0;
    /// assert!(runtime.physics().is_solid(doorway));
    /// for frame in 1..=60 {
    ///     let open = Vec3::Y * 2.0 * frame as f32;
    ///     runtime.physics_mut().set_level_body_target(door, open, Quat::IDENTITY)?;
    ///     runtime.step(1.0 / 60.0)?;
    /// }
    /// assert!(!runtime.physics().is_solid(doorway));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_solid(&self, point: Vec3) -> bool {
        self.is_solid_level(point) || self.is_in_shape(point)
    }

    /// Returns `true` if a point is in a part of a level that tells what is solid.
    pub(crate) fn is_solid_level(&self, point: Vec3) -> bool {
        self.solid_parts(|_| true).any(|(pose, volume)| volume.contains(pose.inverse_transform_point(point)))
    }

    /// Returns `true` if a point is in a box, hull or closed mesh of a level body that does not tell what is solid.
    pub(crate) fn is_in_shape(&self, point: Vec3) -> bool {
        let filter = QueryFilter { groups: Some(CollisionGroups::LEVEL.for_query()), ..QueryFilter::default() };
        let near = self.world.intersect_aabb_conservative(Aabb::new(point, point), filter);
        point.is_finite() && { near }.any(|(_, collider)| {
            let Some(body) = UserData::level_body(collider.user_data) else { return false };
            let tells = || self.state.solids.iter().any(|solid| solid.body == body);
            self.level_body(body).is_ok_and(|body| body.solid) && contains(collider, point) && !tells()
        })
    }

    /// Returns `true` if a body may touch a level body other than a floor.
    pub(crate) fn is_at_wall(&self, body: RigidBodyHandle) -> bool {
        let colliders = self.world.bodies.get(body).map_or(&[][..], |built| built.colliders());
        colliders.iter().any(|&own| {
            let mut others = self.world.contact_pairs_with(own).map(|pair| other_of(pair, own));
            others.any(|other| self.world.colliders.get(other).is_some_and(is_wall))
        })
    }

    /// Returns `true` if a level tells what is solid.
    pub(crate) fn has_solids(&self) -> bool {
        !self.state.solids.is_empty()
    }

    /// Returns `true` if a point is in nothing solid.
    pub(crate) fn is_open(&self, point: Vec3) -> bool {
        // A line that begins in a shape hits it at once.
        !self.is_solid(point) && self.face_on(point, point + Vec3::Z * 1e-2).is_none()
    }

    /// Returns where a line in world space meets a wall: something solid, or a face of either side. Doors and lifts on
    /// their way do not count.
    pub(crate) fn first_wall(&self, from: Vec3, to: Vec3) -> Option<WallHit> {
        if !(from.is_finite() && to.is_finite()) {
            return None;
        }
        let entry = self.solid_entry(from, to).map(|share| WallHit { share, normal: Vec3::ZERO });
        { entry }.into_iter().chain(self.face_on(from, to)).min_by(|a, b| a.share.total_cmp(&b.share))
    }

    /// Lets a body of a ragdoll through the walls of the level, or makes them solid for it again. Doors keep passing
    /// through a body that they squeeze.
    pub(crate) fn set_passes_walls(&mut self, body: RigidBodyHandle, passes: bool) {
        let colliders = self.world.bodies.get(body).map_or(&[][..], |built| built.colliders());
        let mut colliders = colliders.iter().filter_map(|collider| self.world.colliders.get(*collider));
        let level = CollisionGroups::LEVEL.for_collider().memberships;
        if self.is_squeezed(body) || colliders.all(|own| own.solver_groups().filter.intersects(level) != passes) {
            return;
        }
        let solved = if passes { CollisionGroups::for_solver_in_walls } else { CollisionGroups::for_solver };
        self.solve_contacts(body, solved);
    }

    /// Returns a pose that a body is to reach, moved to where its way there enters something solid. A body that is in a
    /// wall may leave it.
    pub(crate) fn stopped_at_wall(&self, from: Vec3, mut target: Pose) -> Pose {
        if self.has_solids()
            && !self.is_solid(from)
            && let Some(share) = self.solid_entry(from, target.translation)
        {
            target.translation = from.lerp(target.translation, share);
        }
        target
    }

    /// Returns where a line meets a face of a level body.
    fn face_on(&self, from: Vec3, to: Vec3) -> Option<WallHit> {
        let is_still_wall = |_, collider: &Collider| {
            let Some(body) = UserData::level_body(collider.user_data) else { return false };
            let is_still = |body: &LevelBody| body.push.is_none() && !body.moves();
            is_wall(collider) && self.state.level_bodies.get(body).is_some_and(is_still)
        };
        self.cast_line(from, to, CollisionGroups::LEVEL, &is_still_wall)
            .map(|hit| WallHit { share: hit.fraction, normal: hit.normal })
    }

    /// Returns the share of a line in world space at which it first enters a solid part of a level.
    fn solid_entry(&self, from: Vec3, to: Vec3) -> Option<f32> {
        let entries = self.solid_parts(|body| !body.moves()).filter_map(|(pose, volume)| {
            let [from, to] = [from, to].map(|point| pose.inverse_transform_point(point));
            internal::entry(volume, from, to)
        });
        entries.min_by(f32::total_cmp)
    }

    /// Returns `true` if the world has a level, but nothing of it or of the host is in a direction from a point.
    pub(crate) fn is_bottomless(&self, from: Vec3, down: Vec3) -> bool {
        let holds =
            |_, collider: &Collider| !matches!(UserData::from_bits(collider.user_data), Some(UserData::Ragdoll { .. }));
        let is_falling = !self.state.level_bodies.is_empty() && down != Vec3::ZERO && from.is_finite();
        is_falling && self.cast_line(from, from + down * FARTHEST, CollisionGroups::ALL, &holds).is_none()
    }

    /// Returns a pose on the ground under a point in world space, whose Z axis is the normal of the ground. The ground
    /// is below in Z, whatever the gravity.
    pub(crate) fn ground(&self, from: Vec3) -> Option<Pose> {
        let end = from - Vec3::Z * FARTHEST;
        let is_level = |_, collider: &Collider| UserData::level_body(collider.user_data).is_some();
        let hit = self.cast_line(from, end, CollisionGroups::LEVEL, &is_level)?;
        let turn = Quat::from_rotation_arc(Vec3::Z, hit.normal);
        (hit.normal != Vec3::ZERO).then(|| Pose::from_parts(from.lerp(end, hit.fraction), turn))
    }

    /// Returns the distance from the middle of a body to its nearest side, units.
    pub(crate) fn thickness(&self, body: RigidBodyHandle) -> f32 {
        let colliders = self.world.bodies.get(body).map_or(&[][..], |built| built.colliders());
        let shapes = colliders.iter().filter_map(|collider| self.world.colliders.get(*collider));
        let halves = shapes.map(|collider| collider.shape().compute_local_aabb().half_extents().min_element());
        halves.fold(0.0, f32::max)
    }

    /// Notes the solid space of a level body.
    pub(super) fn fill(&mut self, body: LevelBodyId, volume: &SolidVolume) {
        if !volume.is_empty() {
            self.state.solids.push(Solid { body, volume: volume.clone() });
        }
    }

    /// Forgets the solid space and the faces of a level body that was removed or has other shapes.
    pub(super) fn empty(&mut self, body: LevelBodyId) {
        self.state.solids.retain(|solid| solid.body != body);
        self.state.facing_reported.retain(|seen| *seen != body);
    }

    /// Returns the solid space of a level body and the pose of the body, if both are known and the body is solid.
    pub(super) fn solid_part(&self, body: LevelBodyId) -> Option<(Pose, &SolidVolume)> {
        self.placed(self.state.solids.iter().find(|solid| solid.body == body)?, |_| true)
    }

    /// Returns the fixed level bodies whose solid space is known. Traces look at all of them, since their space may
    /// have no bounds, and at what moves where they meet its shapes.
    pub(super) fn fixed_solids(&self) -> impl Iterator<Item = LevelBodyId> {
        let bodies = self.state.solids.iter().map(|solid| solid.body);
        bodies.filter(|id| self.state.level_bodies.get(*id).is_some_and(|body| body.motion.is_none()))
    }

    /// Returns the solid volumes of bodies in the current world with the poses of the bodies.
    fn solid_parts(&self, wanted: impl Fn(&LevelBody) -> bool) -> impl Iterator<Item = (Pose, &SolidVolume)> {
        self.state.solids.iter().filter_map(move |solid| self.placed(solid, &wanted))
    }

    fn placed<'a>(
        &self,
        Solid { body, volume }: &'a Solid,
        wanted: impl Fn(&LevelBody) -> bool,
    ) -> Option<(Pose, &'a SolidVolume)> {
        let body = self.level_body(*body).ok().filter(|body| body.solid && wanted(body))?;
        Some((*self.world.bodies.get(body.handle)?.position(), volume))
    }
}

/// Returns `true` if a collider is of a level body, and no floor, which pushes out whatever is below.
fn is_wall(collider: &Collider) -> bool {
    UserData::level_body(collider.user_data).is_some() && collider.shape().shape_type() != ShapeType::HalfSpace
}

/// Returns `true` if a point is in the shape of a collider: a box, a hull or a closed mesh.
fn contains(collider: &Collider, point: Vec3) -> bool {
    match collider.shape().as_typed_shape() {
        TypedShape::HalfSpace(_) => false,
        TypedShape::TriMesh(mesh) => encloses(mesh, collider.position().inverse_transform_point(point)),
        _ => collider.shape().contains_point(collider.position(), point),
    }
}

/// Returns `true` if faces of a mesh enclose a point: a line from it along each axis leaves something solid, which
/// may contain others, and rooms.
fn encloses(mesh: &TriMesh, point: Vec3) -> bool {
    let mut crossings: Vec<(f32, i32)> = Vec::new();
    (0..3).all(|axis| {
        [1.0, -1.0].into_iter().all(|sign| {
            crossings.clear();
            let mut bounds = Aabb::new(point, point);
            let end = if sign > 0.0 { &mut bounds.maxs } else { &mut bounds.mins };
            end[axis] = sign * f32::MAX;
            let leaves = mesh.bvh().intersect_aabb(&bounds);
            crossings.extend(
                { leaves }.filter_map(|triangle| crossing(mesh.triangle(triangle).vertices(), point, axis, sign)),
            );
            crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let mut left = 0;
            crossings.iter().any(|(_, leaves)| {
                left += leaves;
                left > 0
            })
        })
    })
}

/// Returns the distance at which a line from a point along an axis crosses a triangle, and 1 if it leaves what is
/// behind the triangle, -1 if it enters it. A line through an edge crosses one of the triangles at it.
fn crossing(triangle: &[Vec3; 3], point: Vec3, axis: usize, sign: f32) -> Option<(f32, i32)> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corners = triangle.map(|corner| (corner - point).as_dvec3());
    let (mut doubled, mut turns) = ([0.0; 3], 0);
    for side in 0..3 {
        let (a, b) = (corners[(side + 1) % 3], corners[(side + 2) % 3]);
        let cross = a[u] * b[v] - a[v] * b[u];
        doubled[side] = cross;
        let (rises, falls) = (a[v] <= 0.0 && b[v] > 0.0, b[v] <= 0.0 && a[v] > 0.0);
        turns += i32::from(rises && cross > 0.0) - i32::from(falls && cross < 0.0);
    }
    let area: f64 = doubled.iter().sum();
    let height = (0..3).map(|corner| corners[corner][axis] * doubled[corner]).sum::<f64>() / area * f64::from(sign);
    (turns != 0 && height > 0.0).then_some((height as f32, turns * sign as i32))
}
