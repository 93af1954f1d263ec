//! Triangulation of polygons.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::{DVec3, Vec3};

/// Twice the area up to which triangles are skipped, square Quake units.
const NO_AREA: f64 = 1e-3;

/// Triangulator of convex polygons whose triangles all have area, so that no corner on a straight edge is lost. Each
/// step cuts off the ear with the best shape that leaves a remainder with area.
#[derive(Default)]
pub(super) struct EarClipper {
    ring: Vec<Corner>,
    ears: BinaryHeap<Ear>,
}

impl EarClipper {
    /// Adds the triangles of a polygon to `out`, in O(n log n) time for n corners.
    pub fn clip(&mut self, corners: &[u32], vertices: &[Vec3], out: &mut Vec<[u32; 3]>) {
        let count = corners.len();
        debug_assert!(corners.iter().all(|&corner| (corner as usize) < vertices.len()), "corners are vertices");
        self.ears.clear();
        self.ring.clear();
        self.ring.extend(corners.iter().enumerate().map(|(number, &vertex)| Corner {
            vertex,
            place: vertices.get(vertex as usize).copied().unwrap_or_default().as_dvec3(),
            before: (number + count - 1) % count,
            after: (number + 1) % count,
            changes: 0,
            cut: false,
        }));
        let Some(origin) = self.ring.first().map(|corner| corner.place) else { return };
        let pairs = self.ring.windows(2);
        let doubled: DVec3 = pairs.map(|pair| (pair[0].place - origin).cross(pair[1].place - origin)).sum();
        let Some(normal) = doubled.try_normalize() else { return };
        let left = self.cut_to_three(doubled.length(), normal, out);
        let mut rest = self.ring.iter().filter(|corner| !corner.cut).map(|corner| corner.vertex);
        if left > NO_AREA
            && let [Some(a), Some(b), Some(c), None] = [(); 4].map(|()| rest.next())
            && a != b
            && b != c
            && c != a
        {
            out.push([a, b, c]);
        }
    }

    /// Cuts off ears until three corners are left or no ear can be cut; returns twice the remaining area.
    fn cut_to_three(&mut self, mut left: f64, normal: DVec3, out: &mut Vec<[u32; 3]>) -> f64 {
        if self.ring.len() > 3 {
            (0..self.ring.len()).for_each(|corner| self.offer(corner, normal));
        }
        for _ in 3..self.ring.len() {
            // The remainder only shrinks: an ear that is too large for it stays too large.
            let ear = loop {
                let Some(ear) = self.ears.pop() else { return left };
                if self.ring[ear.corner].changes == ear.changes && left - ear.area > NO_AREA {
                    break ear;
                }
            };
            left -= ear.area;
            let Corner { vertex, before, after, .. } = self.ring[ear.corner];
            debug_assert!(!self.ring[before].cut && !self.ring[after].cut, "neighbours are still in the ring");
            out.push([self.ring[before].vertex, vertex, self.ring[after].vertex]);
            let cut = &mut self.ring[ear.corner];
            (cut.cut, cut.changes) = (true, cut.changes + 1);
            self.ring[before].after = after;
            self.ring[after].before = before;
            for neighbour in [before, after] {
                self.ring[neighbour].changes += 1;
                self.offer(neighbour, normal);
            }
        }
        left
    }

    /// Adds the ear at a corner to the candidates, if it has area.
    fn offer(&mut self, number: usize, normal: DVec3) {
        let corner = &self.ring[number];
        let [before, after] = [corner.before, corner.after].map(|neighbour| &self.ring[neighbour]);
        let (i, j, k) = (before.vertex, corner.vertex, after.vertex);
        let (a, b, c) = (before.place, corner.place, after.place);
        let area = if i == k || i == j || j == k { 0.0 } else { (b - a).cross(c - a).dot(normal) };
        if area > NO_AREA {
            let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
            self.ears.push(Ear { shape: area / longest, area, corner: number, changes: corner.changes });
        }
    }
}

/// Corner of a polygon, and its neighbours among the corners that are not cut off.
#[derive(Clone, Copy)]
struct Corner {
    vertex: u32,
    place: DVec3,
    before: usize,
    after: usize,
    /// Number of changes of the neighbours; an ear of an earlier state is invalid.
    changes: u32,
    cut: bool,
}

/// Candidate for cutting off a corner. The greatest has the best shape, and among equals the last corner.
struct Ear {
    /// Quality of the shape: the larger, the closer to equilateral.
    shape: f64,
    /// Twice the area of the ear.
    area: f64,
    corner: usize,
    changes: u32,
}

impl Ord for Ear {
    fn cmp(&self, other: &Self) -> Ordering {
        self.shape.total_cmp(&other.shape).then(self.corner.cmp(&other.corner))
    }
}

impl PartialOrd for Ear {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ear {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ear {}
