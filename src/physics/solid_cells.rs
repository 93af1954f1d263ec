//! Convex pieces of solid space in the way of a box.

use glam::{BVec3, DMat3, DVec3, Vec3};
use rapier3d::prelude::Pose;
use skelobj_model::internal::{self, Part};

use super::LiquidVolume;
use super::box_motion::{BoxMotion, Convex, Meeting, Surface};
use super::tuning::{MAX_PIECE_CORNERS, MAX_PIECE_PLANES, MAX_TRACE_VISITS};

/// Distance from a plane at which a corner is on it, units.
const ON_PLANE: f64 = 1e-6;

/// Corner of a piece, with a bit for each plane that it is on.
#[derive(Clone, Copy)]
struct Corner {
    place: DVec3,
    planes: u64,
}

/// Convex piece of space, cut off beyond the way of a box.
#[derive(Clone)]
struct Piece {
    corners: Vec<Corner>,
    /// Planes that cut it out of space, without those that cut it off.
    planes: Vec<Surface>,
}

impl Piece {
    /// Returns the box around the way of a box.
    fn around(motion: &BoxMotion, margin: f64) -> Self {
        let [mins, maxs] = motion.bounds(margin);
        let corner = |number: u32| {
            let is_high = [1, 2, 4].map(|bit| number & bit != 0);
            let place = DVec3::select(BVec3::from_array(is_high), maxs, mins);
            let planes = is_high.into_iter().enumerate().map(|(axis, high)| 1 << (2 * axis + usize::from(high)));
            Corner { place, planes: planes.sum() }
        };
        Self { corners: (0..8).map(corner).collect(), planes: Vec::new() }
    }

    /// Returns the part behind a plane; `None` if nothing is.
    fn behind(&self, plane: Surface) -> Option<Self> {
        let above: Vec<f64> = self.corners.iter().map(|c| plane.normal.dot(c.place) - plane.distance).collect();
        if above.iter().all(|above| *above <= ON_PLANE) {
            return Some(self.clone());
        }
        // Six planes are those of the box around the way.
        debug_assert!(self.corners.len() <= MAX_PIECE_CORNERS, "a piece has few corners");
        let bit = 1u64.checked_shl(6 + self.planes.len() as u32)?;
        let mut corners: Vec<Corner> = Vec::with_capacity(self.corners.len() + 4);
        for (corner, above) in self.corners.iter().zip(&above).filter(|(_, above)| **above <= ON_PLANE) {
            let on = if *above >= -ON_PLANE { bit } else { 0 };
            corners.push(Corner { planes: corner.planes | on, ..*corner });
        }
        if corners.is_empty() {
            return None;
        }
        for (front, a) in self.corners.iter().zip(&above).filter(|(_, above)| **above > ON_PLANE) {
            for (back, b) in self.corners.iter().zip(&above).filter(|(_, above)| **above < -ON_PLANE) {
                // Two corners that share two planes are the ends of an edge. Where more than three planes meet, some
                // are not; what lies between them is in the piece all the same.
                let shared = front.planes & back.planes;
                if shared.count_ones() >= 2 {
                    let place = front.place + (back.place - front.place) * (a / (a - b));
                    if !corners.iter().any(|known| known.place.distance_squared(place) < ON_PLANE * ON_PLANE) {
                        corners.push(Corner { place, planes: shared | bit });
                    }
                }
            }
        }
        let planes = self.planes.iter().copied().chain([plane]).collect();
        (corners.len() <= MAX_PIECE_CORNERS).then_some(Self { corners, planes })
    }
}

/// Part of a volume that is still to be visited.
struct Visit {
    part: Part,
    /// Times between which the box may touch it.
    times: [f64; 2],
    piece: Piece,
}

/// Calls a function with what a moving box meets of a solid volume, whose pose is in world space, up to a time. The
/// function returns the time from which on it needs no more.
pub(super) fn meet_volume(
    volume: &LiquidVolume,
    pose: &Pose,
    motion: &BoxMotion,
    touched: &[Surface],
    mut last: f64,
    mut found: impl FnMut(Meeting) -> f64,
) {
    let turn = DMat3::from_quat(pose.rotation.as_dquat().normalize());
    let origin = pose.translation.as_dvec3();
    let margin = motion.margin();
    let is_solid = |point: DVec3| volume.contains(pose.inverse_transform_point(point.as_vec3()));
    let mut open =
        vec![Visit { part: internal::root(volume), times: [0.0, 1.0], piece: Piece::around(motion, margin) }];
    for _ in 0..MAX_TRACE_VISITS {
        let Some(Visit { part, times, piece }) = open.pop() else { return };
        if times[0] > last {
            continue;
        }
        let Some(((normal, distance), sides)) = internal::division(volume, part) else {
            if part == Part::Full {
                last = last.min(found(piece.meet(motion, touched, &is_solid)));
            }
            continue;
        };
        let placed = |(normal, distance): (Vec3, f32)| {
            let normal = turn * normal.as_dvec3();
            Surface { normal, distance: f64::from(distance) + normal.dot(origin) }
        };
        if let Some(planes) = brush(volume, part, sides[0]) {
            // What lies outside of a brush need not be cut off from it: both are solid together.
            open.push(Visit { part: sides[0], times, piece: piece.clone() });
            let inside = planes.into_iter().map(placed).try_fold((piece, times), |(piece, times), plane| {
                let way = (plane.normal.dot(motion.start) - plane.distance, plane.normal.dot(motion.way));
                let times = times_behind(way, motion.reach(plane.normal) + margin, times)?;
                Some((piece.behind(plane)?, times))
            });
            if let Some((piece, _)) = inside {
                last = last.min(found(piece.meet(motion, touched, &is_solid)));
            }
            continue;
        }
        let plane = placed((normal, distance));
        let normal = plane.normal;
        let reach = motion.reach(normal) + margin;
        let start = normal.dot(motion.start) - plane.distance;
        let speed = normal.dot(motion.way);
        let [in_front, behind] = [(-start, -speed), (start, speed)].map(|way| times_behind(way, reach, times));
        let (front, back) = (Surface { normal: -plane.normal, distance: -plane.distance }, plane);
        match (in_front, behind) {
            (Some(_), None) => open.push(Visit { part: sides[0], times, piece }),
            (None, Some(_)) => open.push(Visit { part: sides[1], times, piece }),
            (None, None) => {}
            (Some(in_front), Some(behind)) => {
                let mut visit = |side: usize, times: [f64; 2], plane: Surface| {
                    let piece = if sides[side] == Part::Dry { None } else { piece.behind(plane) };
                    open.extend(piece.map(|piece| Visit { part: sides[side], times, piece }));
                };
                // The side where the box starts comes first.
                if start < 0.0 {
                    visit(0, in_front, front);
                    visit(1, behind, back);
                } else {
                    visit(1, behind, back);
                    visit(0, in_front, front);
                }
            }
        }
    }
}

/// Returns the planes around a brush: a part that is full behind all of them, and alike in front of each.
fn brush(volume: &LiquidVolume, mut part: Part, outside: Part) -> Option<Vec<(Vec3, f32)>> {
    let mut planes = Vec::new();
    while let Some((plane, [front, behind])) = internal::division(volume, part)
        && front == outside
        && matches!(outside, Part::Node(_))
    {
        if planes.len() == MAX_PIECE_PLANES {
            return None;
        }
        planes.push(plane);
        part = behind;
    }
    (part == Part::Full && planes.len() > 1).then_some(planes)
}

/// Returns the times at which a point is less than `reach` in front of a plane. The point starts at a distance from the
/// plane and moves by `speed`.
fn times_behind((start, speed): (f64, f64), reach: f64, [from, to]: [f64; 2]) -> Option<[f64; 2]> {
    debug_assert!(from <= to, "time goes on");
    let crossing = (reach - start) / speed;
    let times = match speed {
        _ if speed > 0.0 => [from, to.min(crossing)],
        _ if speed < 0.0 => [from.max(crossing), to],
        _ if start < reach => [from, to],
        _ => return None,
    };
    (times[0] <= times[1]).then_some(times)
}

impl Piece {
    fn meet(&self, motion: &BoxMotion, touched: &[Surface], is_solid: &dyn Fn(DVec3) -> bool) -> Meeting {
        let points: Vec<DVec3> = self.corners.iter().map(|corner| corner.place).collect();
        // A thin box does not touch a plane inside the solid.
        let is_seam = |plane: &Surface| {
            let above = plane.normal.dot(motion.start) - plane.distance;
            let is_near = above.abs() + motion.reach(plane.normal) < 2.0 * motion.touch;
            is_near && is_solid(motion.start + plane.normal * (4.0 * motion.touch))
        };
        let [mut faces, mut seams] = [Vec::new(), Vec::new()];
        for plane in &self.planes {
            (if is_seam(plane) { &mut seams } else { &mut faces }).push(plane.normal);
        }
        let pairs = (1..self.planes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let edges: Vec<DVec3> = pairs.map(|(a, b)| self.planes[a].normal.cross(self.planes[b].normal)).collect();
        motion.meet(&Convex { points: &points, faces: &faces, seams: &seams, edges: &edges, front: None }, touched)
    }
}
