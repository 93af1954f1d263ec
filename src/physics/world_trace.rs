//! Traces of lines and boxes through the world: where they stop, and whether they start in something solid.

use std::cell::{Cell, RefCell};

use glam::{DMat3, DVec3, Vec3};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::partitioning::BvhNode;
use rapier3d::parry::query::{RayCast, RayIntersection, ShapeCastOptions};
use rapier3d::parry::shape::{ConvexPolyhedron, Cuboid, FeatureId, Shape, Triangle, TypedShape};
use rapier3d::prelude::{Collider, ColliderHandle, Pose, QueryPipeline, Ray};
use skelobj_model::internal;

use super::box_motion::{BoxMotion, Convex, Meeting, Overlap, SAME_TIME, Surface};
use super::line_cast::{ColliderHit, filter};
use super::solid_cells::meet_volume;
use super::tuning::{AXIAL_NORMAL, MAX_HULL_WORK, MAX_TOUCHED};
use super::{CollisionGroups, Physics, UserData};
use crate::id::LevelBodyId;

/// Result of a trace.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TraceHit {
    /// First hit of the trace in the open; the collider that it started in if nothing is hit.
    pub hit: ColliderHit,
    pub start_solid: bool,
    pub all_solid: bool,
}

/// Collider or solid space in the way of the box.
#[derive(Clone, Copy)]
struct Obstacle {
    overlap: Overlap,
    of: Owner,
}

#[derive(Clone, Copy, Default)]
struct Owner {
    /// `None` for solid space.
    collider: Option<ColliderHandle>,
    body: Option<LevelBodyId>,
    triangle: Option<u32>,
    is_ragdoll: bool,
    /// `true` if the solid space of the body is known.
    is_filled: bool,
}

/// Search for what is in the way of a moving box.
struct Search<'a> {
    motion: &'a BoxMotion,
    pipeline: QueryPipeline<'a>,
    obstacles: Vec<Obstacle>,
    touched: Vec<Surface>,
    /// Surfaces that the box touches at the start.
    passed: &'a [Surface],
    /// Time up to which obstacles count.
    last: Cell<f64>,
    /// `true` if obstacles after the first count.
    wants_all: bool,
}

impl Physics {
    /// Traces a box with corners relative to the point that moves, or a line, whose corners are the same.
    ///
    /// Surfaces that the box touches at the start do not stop a motion along them or away. From inside something
    /// solid, the trace goes on to the open; a line that starts in a body of a ragdoll hits it.
    pub(crate) fn trace(
        &self,
        [start, end]: [Vec3; 2],
        corners: [Vec3; 2],
        groups: CollisionGroups,
        hits: &dyn Fn(ColliderHandle, &Collider) -> bool,
    ) -> Option<TraceHit> {
        let motion = BoxMotion::new(start, end, corners, self.scale());
        let pipeline = self.world.query_pipeline_with_filter(filter(groups, hits));
        let is_line = corners[0] == corners[1];
        if is_line && let Some(plain) = self.plain_line(&pipeline, &motion, start + corners[0], end + corners[0]) {
            return plain.map(|hit| TraceHit { hit, start_solid: false, all_solid: false });
        }
        let at_start = self.search(&motion, pipeline, &[], 0.0, true);
        let starts_inside = at_start.obstacles.iter().any(|obstacle| obstacle.overlap.enter == f64::NEG_INFINITY);
        let found = self.search(&motion, pipeline, &at_start.touched, 1.0, starts_inside);
        self.first_of(&motion, found.obstacles, is_line)
    }

    /// Returns the result of a line if its start neither is in something solid nor touches anything. The outer `None`
    /// is for other lines.
    fn plain_line(
        &self,
        pipeline: &QueryPipeline<'_>,
        motion: &BoxMotion,
        start: Vec3,
        end: Vec3,
    ) -> Option<Option<ColliderHit>> {
        let way = end - start;
        // A line that starts a little behind a surface must not miss it.
        let back = (2.0 * motion.touch / motion.way.length()) as f32;
        // Longer lines are too long for the squares of f32.
        if !(1e-12..0.5).contains(&back) {
            return None;
        }
        let (ray, longer) = (Ray::new(start, way), Ray::new(start - way * back, way));
        let met = RefCell::new(Vec::new());
        let found = pipeline.bvh.find_best(
            1.0 + back,
            |node: &BvhNode, best| node.cast_ray(&longer, best),
            |leaf, best| {
                let (collider, handle) = pipeline.colliders.get_unknown_gen(leaf)?;
                if !pipeline.filter.test(pipeline.bodies, handle, collider) {
                    return None;
                }
                met.borrow_mut().extend(self.moving_solid(collider));
                line_hit(collider, &longer, best)
            },
        );
        let Some((leaf, found)) = found else {
            return (!self.meets_solid(pipeline, [start, end], met.into_inner().into_iter())).then_some(None);
        };
        let (collider, handle) = pipeline.colliders.get_unknown_gen(leaf)?;
        let (hit, triangle) = match collider.shape().as_trimesh() {
            Some(mesh) => {
                let triangle = mesh.triangle(found.subshape);
                let hit = triangle.cast_ray_and_get_normal(collider.position(), &ray, 1.0, true)?;
                (hit, Some(found.subshape))
            }
            None => (line_hit(collider, &ray, 1.0)?, None),
        };
        // Near the surface, the line may be in what is behind it.
        let towards = hit.normal.dot(way).abs();
        let stop = hit.time_of_impact - 2.0 * motion.touch as f32 / towards;
        let open = [start, start + way * stop];
        if stop <= 0.0 || self.meets_solid(pipeline, open, met.into_inner().into_iter()) {
            return None;
        }
        let normal = axial(hit.normal.normalize_or_zero());
        Some(Some(ColliderHit { fraction: hit.time_of_impact.clamp(0.0, 1.0), normal, collider: handle, triangle }))
    }

    /// Returns the kinematic level body of a collider if its solid space is known.
    fn moving_solid(&self, collider: &Collider) -> Option<LevelBodyId> {
        UserData::level_body(collider.user_data)
            .filter(|body| self.is_kinematic(*body) && self.solid_part(*body).is_some())
    }

    fn is_kinematic(&self, body: LevelBodyId) -> bool {
        self.level_body(body).is_ok_and(|body| body.motion.is_some())
    }

    /// Returns `true` if a line is anywhere in the solid space of a fixed level body, or of one of these.
    fn meets_solid(
        &self,
        pipeline: &QueryPipeline<'_>,
        [start, end]: [Vec3; 2],
        moving: impl Iterator<Item = LevelBodyId>,
    ) -> bool {
        self.fixed_solids().chain(moving).any(|body| {
            self.solid_part(body).is_some_and(|(pose, volume)| {
                let [start, end] = [start, end].map(|point| pose.inverse_transform_point(point));
                internal::entry(volume, start, end).is_some()
            }) && self.is_wanted(pipeline, body)
        })
    }

    /// Returns `true` if a trace may hit a level body.
    fn is_wanted(&self, pipeline: &QueryPipeline<'_>, body: LevelBodyId) -> bool {
        let built = self.rigid_body(body).and_then(|handle| self.world.bodies.get(handle));
        let colliders = built.into_iter().flat_map(|built| built.colliders());
        { colliders }.any(|handle| {
            let collider = pipeline.colliders.get(*handle);
            collider.is_some_and(|collider| pipeline.filter.test(pipeline.bodies, *handle, collider))
        })
    }

    /// Finds what is in the way of a box up to a time.
    fn search<'a>(
        &'a self,
        motion: &'a BoxMotion,
        pipeline: QueryPipeline<'a>,
        passed: &'a [Surface],
        last: f64,
        wants_all: bool,
    ) -> Search<'a> {
        let mut search = Search {
            motion,
            pipeline,
            obstacles: Vec::new(),
            touched: Vec::new(),
            passed,
            last: Cell::new(last),
            wants_all,
        };
        let is_near = |node: &BvhNode| search_reaches(motion, &Pose::IDENTITY, &search.last, node);
        let leaves: Vec<u32> = pipeline.bvh.leaves(is_near).collect();
        let mut moving = Vec::new();
        for leaf in leaves {
            let Some((collider, handle)) = pipeline.colliders.get_unknown_gen(leaf) else { continue };
            if !pipeline.filter.test(pipeline.bodies, handle, collider) {
                continue;
            }
            let (body, is_ragdoll) = match UserData::from_bits(collider.user_data) {
                Some(UserData::Level { body, .. }) => (Some(body), false),
                Some(UserData::Ragdoll { .. }) => (None, true),
                None => (None, false),
            };
            let is_filled = body.is_some_and(|body| self.solid_part(body).is_some());
            let of = Owner { collider: Some(handle), body, triangle: None, is_ragdoll, is_filled };
            moving.extend(body.filter(|body| is_filled && self.is_kinematic(*body) && !moving.contains(body)));
            search.meet_shape(collider.shape(), collider.position(), of);
        }
        for body in self.fixed_solids().chain(moving) {
            let Some((pose, volume)) = self.solid_part(body).filter(|_| self.is_wanted(&pipeline, body)) else {
                continue;
            };
            let of = Owner { body: Some(body), is_filled: true, ..Owner::default() };
            meet_volume(internal::tree(volume), &pose, motion, passed, last, |meeting| {
                search.add(meeting, of);
                search.last.get()
            });
        }
        search
    }

    /// Returns the first obstacle after the trace is in the open.
    fn first_of(&self, motion: &BoxMotion, mut obstacles: Vec<Obstacle>, is_line: bool) -> Option<TraceHit> {
        obstacles.sort_by(|a, b| a.overlap.enter.total_cmp(&b.overlap.enter));
        let inside = obstacles.iter().take_while(|obstacle| obstacle.overlap.enter == f64::NEG_INFINITY);
        let inside: Vec<Obstacle> = inside.copied().collect();
        let colliders = inside.iter().find(|obstacle| obstacle.of.collider.is_some()).or(inside.first());
        let ragdoll = inside.iter().find(|obstacle| is_line && obstacle.of.is_ragdoll);
        let start = ragdoll.or(colliders).and_then(|obstacle| self.collider_of(obstacle.of));
        let start_solid = start.is_some();
        let stopped = |fraction: f32, all_solid: bool| {
            let (collider, triangle) = start?;
            let hit = ColliderHit { fraction, normal: Vec3::ZERO, collider, triangle: triangle.filter(|_| is_line) };
            Some(TraceHit { hit, start_solid, all_solid })
        };
        if ragdoll.is_some() {
            return stopped(0.0, false);
        }
        let mut open = if start_solid { 0.0 } else { f64::NEG_INFINITY };
        let first = obstacles.iter().find(|Obstacle { overlap, .. }| {
            let is_joined = overlap.enter <= open + SAME_TIME;
            if is_joined {
                open = open.max(overlap.leave);
            }
            !is_joined
        });
        if open > 1.0 {
            return stopped(0.0, true);
        }
        let Some(first) = first else { return stopped(1.0, false) };
        // A face and the solid space behind it: the face has the triangle, the space has the plane of the map.
        let slack = SAME_TIME + 2.0 * motion.touch / motion.way.length();
        let same = |other: &&Obstacle| {
            other.of.body == first.of.body
                && other.of.collider.is_none() != first.of.collider.is_none()
                && (other.overlap.enter - first.overlap.enter).abs() <= slack
                && other.overlap.normal.dot(first.overlap.normal) > 0.999
        };
        let other = obstacles.iter().filter(|_| first.of.is_filled).find(same);
        let [face, plane] = if first.of.collider.is_some() { [Some(first), other] } else { [other, Some(first)] };
        let (collider, triangle) = self.collider_of(face.or(plane)?.of)?;
        let normal = axial(plane.or(face)?.overlap.normal.as_vec3().normalize_or_zero());
        let fraction = (first.overlap.fraction as f32).clamp(0.0, 1.0);
        let hit = ColliderHit { fraction, normal, collider, triangle: triangle.filter(|_| is_line) };
        Some(TraceHit { hit, start_solid, all_solid: false })
    }

    /// Returns the collider of an obstacle, the first of a body's for its solid space.
    fn collider_of(&self, of: Owner) -> Option<(ColliderHandle, Option<u32>)> {
        let first = || self.world.bodies.get(self.rigid_body(of.body?)?)?.colliders().first().copied();
        Some((of.collider.or_else(first)?, of.triangle))
    }
}

impl Search<'_> {
    fn add(&mut self, meeting: Meeting, of: Owner) {
        match meeting {
            Meeting::Apart => {}
            Meeting::Touching(surface) => {
                let is_known = |known: &Surface| {
                    known.normal.dot(surface.normal) > 1.0 - 1e-9
                        && (known.distance - surface.distance).abs() < self.motion.touch
                };
                if self.touched.len() < MAX_TOUCHED && !self.touched.iter().any(is_known) {
                    self.touched.push(surface);
                }
            }
            Meeting::Overlap(overlap) => {
                if !self.wants_all {
                    let slack = 2.0 * self.motion.touch / self.motion.way.length();
                    self.last.set(self.last.get().min(overlap.enter + slack));
                }
                self.obstacles.push(Obstacle { overlap, of });
            }
        }
    }

    fn meet_shape(&mut self, shape: &dyn Shape, pose: &Pose, of: Owner) {
        let (turn, origin) = (DMat3::from_quat(pose.rotation.as_dquat().normalize()), pose.translation.as_dvec3());
        let place = |point: Vec3| turn * point.as_dvec3() + origin;
        match shape.as_typed_shape() {
            TypedShape::HalfSpace(floor) => {
                let normal = turn * floor.normal.as_dvec3();
                let surface = Surface { normal, distance: normal.dot(origin) };
                self.add(self.motion.meet_half_space(surface), of);
            }
            TypedShape::Cuboid(cuboid) => {
                let signs =
                    |number: u32| Vec3::from_array([1, 2, 4].map(|bit| if number & bit == 0 { -1.0 } else { 1.0 }));
                let points: Vec<DVec3> = (0..8).map(|number| place(signs(number) * cuboid.half_extents)).collect();
                let faces = [turn.x_axis, turn.y_axis, turn.z_axis];
                self.meet(&points, &faces, &faces, of);
            }
            TypedShape::ConvexPolyhedron(hull) => match hull_axes(hull, place) {
                Some([points, faces, edges]) => self.meet(&points, &faces, &edges, of),
                None => self.meet_round(shape, pose, of),
            },
            TypedShape::TriMesh(mesh) => {
                let leaves: Vec<u32> =
                    mesh.bvh().leaves(|node| search_reaches(self.motion, pose, &self.last, node)).collect();
                for number in leaves {
                    let of = Owner { triangle: Some(number), ..of };
                    self.meet_triangle(&mesh.triangle(number), place, of);
                }
            }
            TypedShape::HeightField(field) => {
                let (ray, half) = local(self.motion, pose);
                let ends = [ray.origin, ray.point_at(self.last.get() as f32)];
                let bounds = Aabb::new(ends[0].min(ends[1]) - half, ends[0].max(ends[1]) + half);
                field.map_elements_in_local_aabb(&bounds, &mut |_, triangle| self.meet_triangle(triangle, place, of));
            }
            TypedShape::Triangle(triangle) => self.meet_triangle(triangle, place, of),
            TypedShape::Compound(compound) => {
                for (part, shape) in compound.shapes() {
                    self.meet_shape(&**shape, &(*pose * *part), of);
                }
            }
            _ => self.meet_round(shape, pose, of),
        }
    }

    fn meet(&mut self, points: &[DVec3], faces: &[DVec3], edges: &[DVec3], of: Owner) {
        let solid = Convex { points, faces, seams: &[], edges, front: None };
        self.add(self.motion.meet(&solid, self.passed), of);
    }

    fn meet_triangle(&mut self, triangle: &Triangle, place: impl Fn(Vec3) -> DVec3, of: Owner) {
        let points = [triangle.a, triangle.b, triangle.c].map(place);
        let [a, b, c] = points;
        let edges = [b - a, c - b, a - c];
        let normal = edges[0].cross(c - a);
        if normal == DVec3::ZERO {
            return;
        }
        let normal = normal / normal.length();
        // Solid space ends where the box leaves through a face.
        if of.is_filled && normal.dot(self.motion.way) > 0.0 {
            return;
        }
        let solid = Convex { points: &points, faces: &[normal], seams: &[], edges: &edges, front: Some(normal) };
        let mut meeting = self.motion.meet(&solid, self.passed);
        // What lies behind the faces of other meshes is not known: nobody gets through from the front.
        if let Meeting::Overlap(overlap) = &mut meeting
            && overlap.enter == f64::NEG_INFINITY
            && !of.is_filled
            && self.motion.is_towards(normal)
        {
            overlap.leave = f64::INFINITY;
        }
        self.add(meeting, of);
    }

    /// Meets a shape without corners, or with too many.
    fn meet_round(&mut self, shape: &dyn Shape, pose: &Pose, of: Owner) {
        let motion = self.motion;
        let half = (motion.half - motion.touch).max(DVec3::ZERO).as_vec3();
        let (start, way) = (motion.start.as_vec3(), motion.way.as_vec3());
        if half == Vec3::ZERO {
            self.add(line_meets(motion, shape, pose), of);
            return;
        }
        let dispatcher = self.pipeline.dispatcher;
        let (cuboid, inverse) = (Cuboid::new(half), pose.inverse());
        let is_in = |place: Vec3| {
            let place = inverse * Pose::from_translation(place);
            dispatcher.intersection_test(&place, shape, &cuboid).is_ok_and(|found| found.intersecting)
        };
        let cast = |from: Vec3, way: Vec3| {
            let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
            let from = inverse * Pose::from_translation(from);
            dispatcher.cast_shapes(&from, inverse.rotation * way, shape, &cuboid, options).ok().flatten()
        };
        let leave = || match start + way {
            end if is_in(end) => f64::INFINITY,
            end => cast(end, -way).map_or(0.0, |hit| 1.0 - f64::from(hit.time_of_impact)),
        };
        let meeting = if is_in(start) {
            Meeting::Overlap(Overlap::from_start(leave()))
        } else {
            let hit = cast(start, way).map(|hit| (hit.time_of_impact, (pose.rotation * hit.normal1).as_dvec3()));
            match hit.map(|(time, normal)| (f64::from(time), normal, -normal.dot(motion.way))) {
                Some((enter, normal, towards)) if motion.is_towards(normal) => {
                    let slack = motion.touch * normal.abs().element_sum() / towards;
                    let leave = if self.wants_all { leave().max(enter) } else { f64::INFINITY };
                    Meeting::Overlap(Overlap { enter, leave, normal, fraction: (enter - slack).max(0.0) })
                }
                _ => Meeting::Apart,
            }
        };
        self.add(meeting, of);
    }
}

/// Returns the hit of a line on a collider. A hull is hit where its faces are: parry's search for a point of a hull is
/// not exact, and misses some hulls from inside.
fn line_hit(collider: &Collider, ray: &Ray, last: f32) -> Option<RayIntersection> {
    let Some(hull) = collider.shape().as_convex_polyhedron() else {
        return collider.shape().cast_ray_and_get_normal(collider.position(), ray, last, true);
    };
    let local = ray.inverse_transform_by(collider.position());
    let (start, way) = (local.origin.as_dvec3(), local.dir.as_dvec3());
    let (mut enter, mut leave, mut normal) = (f64::NEG_INFINITY, f64::from(last), Vec3::ZERO);
    for face in hull.faces() {
        let corner = hull.vertices_adj_to_face().get(face.first_vertex_or_edge as usize)?;
        let corner = hull.points().get(*corner as usize)?.as_dvec3();
        let outward = face.normal.as_dvec3();
        let (above, speed) = (outward.dot(start - corner), outward.dot(way));
        if speed < 0.0 && -above / speed > enter {
            (enter, normal) = (-above / speed, face.normal);
        } else if speed > 0.0 {
            leave = leave.min(-above / speed);
        } else if speed == 0.0 && above > 0.0 {
            return None;
        }
    }
    let is_hit = enter <= leave && leave >= 0.0;
    let normal = if enter < 0.0 { Vec3::ZERO } else { collider.rotation() * normal };
    is_hit.then(|| RayIntersection::new(enter.max(0.0) as f32, normal, FeatureId::Unknown))
}

/// Returns when a line is in a shape without corners.
fn line_meets(motion: &BoxMotion, shape: &dyn Shape, pose: &Pose) -> Meeting {
    let (start, way) = (motion.start.as_vec3(), motion.way.as_vec3());
    let length = way.length();
    let inside = shape.contains_point(pose, start);
    let (near, depth) = if inside {
        let surface = shape.project_point(pose, start, false).point;
        ((surface - start).as_dvec3().normalize_or_zero(), f64::from(surface.distance(start)))
    } else {
        (DVec3::ZERO, 0.0)
    };
    // From inside, parry's casts are right for unit directions only.
    let leave = |from: Vec3| {
        let ray = (length > 0.0).then(|| Ray::new(from, way / length));
        let end = ray.and_then(|ray| shape.cast_ray(pose, &ray, length, false));
        end.map_or(f64::INFINITY, |end| f64::from(end / length))
    };
    if inside && depth > 2.0 * motion.touch {
        return Meeting::Overlap(Overlap::from_start(leave(start)));
    }
    if inside && !motion.is_towards(near) {
        return Meeting::Touching(Surface { normal: near, distance: near.dot(motion.start) });
    }
    if inside {
        return Meeting::Overlap(Overlap { enter: 0.0, leave: leave(start), normal: near, fraction: 0.0 });
    }
    let Some(hit) = shape.cast_ray_and_get_normal(pose, &Ray::new(start, way), 1.0, true) else {
        return Meeting::Apart;
    };
    let (enter, normal) = (f64::from(hit.time_of_impact), hit.normal.as_dvec3());
    if !motion.is_towards(normal) {
        return Meeting::Apart;
    }
    let leave = enter + leave(start + way * hit.time_of_impact);
    Meeting::Overlap(Overlap { enter, leave, normal, fraction: enter })
}

/// Returns the points, the normals of the faces and the edges of a hull; `None` if there are too many.
fn hull_axes(hull: &ConvexPolyhedron, place: impl Fn(Vec3) -> DVec3) -> Option<[Vec<DVec3>; 3]> {
    let work = (3 * hull.edges().len() + hull.faces().len()).checked_mul(hull.points().len())?;
    if work > MAX_HULL_WORK {
        return None;
    }
    let points: Vec<DVec3> = hull.points().iter().map(|point| place(*point)).collect();
    let edges = hull.edges().iter().map(|edge| {
        let [from, to] = edge.vertices.map(|vertex| points[vertex as usize]);
        to - from
    });
    let edges: Vec<DVec3> = edges.collect();
    let faces = hull.faces().iter().filter_map(|face| {
        let first = face.first_vertex_or_edge as usize;
        let corners = hull.vertices_adj_to_face().get(first..first + face.num_vertices_or_edges as usize)?;
        let corner = |number: usize| points[corners[number % corners.len()] as usize];
        // Twice the area, as the sum over the edges: exact for a face that is not quite flat, too.
        let area = (1..corners.len()).map(|number| (corner(number) - corner(0)).cross(corner(number + 1) - corner(0)));
        let area = area.sum::<DVec3>();
        (area != DVec3::ZERO).then(|| area / area.length())
    });
    let faces = faces.collect();
    Some([points, faces, edges])
}

/// Returns the way of the centre of a moving box in the space of a shape, and how far the box reaches there.
fn local(motion: &BoxMotion, pose: &Pose) -> (Ray, Vec3) {
    let turn = DMat3::from_quat(pose.rotation.as_dquat().normalize()).transpose();
    let reach = |axis: DVec3| motion.reach(axis) + motion.margin();
    let half = DVec3::new(reach(turn.row(0)), reach(turn.row(1)), reach(turn.row(2)));
    let origin = turn * (motion.start - pose.translation.as_dvec3());
    (Ray::new(origin.as_vec3(), (turn * motion.way).as_vec3()), half.as_vec3())
}

/// Returns `true` if a moving box may reach a node of a tree in the space of a shape up to a time.
fn search_reaches(motion: &BoxMotion, pose: &Pose, last: &Cell<f64>, node: &BvhNode) -> bool {
    let (ray, half) = local(motion, pose);
    Aabb::new(node.mins() - half, node.maxs() + half).cast_local_ray(&ray, last.get() as f32, true).is_some()
}

/// Returns a unit normal, exactly along an axis if it nearly is.
fn axial(normal: Vec3) -> Vec3 {
    let rounded = normal.round();
    if normal.distance_squared(rounded) < AXIAL_NORMAL * AXIAL_NORMAL { rounded } else { normal }
}
