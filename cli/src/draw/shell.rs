//! Triangles over shared points: enough to aim a camera and to cast shadows.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use skelobj::math::Vec3;

/// Distance from the origin beyond which nothing is drawn, world units.
const FARTHEST: f32 = 1e6;

/// Triangles over shared points, world space.
#[derive(Clone, Default)]
pub struct Shell {
    pub points: Vec<Vec3>,
    /// Indexes of three points each.
    pub triangles: Vec<[u32; 3]>,
}

impl Shell {
    /// Adds a point and returns its index.
    pub fn point(&mut self, place: Vec3) -> u32 {
        self.points.push(place);
        (self.points.len() - 1) as u32
    }

    /// Adds a triangle with points of its own.
    pub fn triangle(&mut self, places: [Vec3; 3]) {
        let triangle = places.map(|place| self.point(place));
        self.triangles.push(triangle);
    }

    /// Returns the triangles with all points of a cell of this size at the first of them, without triangles that
    /// vanish.
    pub fn coarse(&self, cell: f32) -> Self {
        let mut coarse = Self::default();
        let mut known: HashMap<[i32; 3], u32> = HashMap::with_capacity(self.points.len());
        let merged = |place: &Vec3| match known.entry((*place / cell).floor().to_array().map(|at| at as i32)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(coarse.point(*place)),
        };
        let merged: Vec<u32> = self.points.iter().map(merged).collect();
        let triangles = self.triangles.iter().map(|triangle| triangle.map(|corner| merged[corner as usize]));
        coarse.triangles = triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect();
        coarse
    }

    /// Returns the triangles that are neither non-finite nor very distant.
    pub fn near(&self) -> Self {
        let is_near = |place: &Vec3| place.abs().max_element() < FARTHEST;
        if self.points.iter().all(is_near) {
            return self.clone();
        }
        let mut near = Self::default();
        for triangle in &self.triangles {
            let places = triangle.map(|corner| self.points[corner as usize]);
            if places.iter().all(is_near) {
                near.triangle(places);
            }
        }
        near
    }
}
