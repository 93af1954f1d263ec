//! Triangles over shared points: enough to aim a camera and to throw shadows.

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
