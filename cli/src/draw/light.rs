//! Light of a low sun with soft edges and of a bright sky, with shadows. A depth map is drawn for each direction, and a
//! point is lit from the directions that see it.

use std::f32::consts::TAU;

use skelobj::math::Vec3;

use super::raster;
use super::shell::Shell;

/// Direction to the sun.
const SUN: Vec3 = Vec3::new(0.85, -0.15, 1.05);
/// Tangent of half the angle of the sun.
const SUN_WIDTH: f32 = 0.07;

/// Linear light of the sun and the sky.
const SUN_COLOR: Vec3 = Vec3::new(1.12, 1.02, 0.88);
const SKY_COLOR: Vec3 = Vec3::new(0.27, 0.32, 0.40);
/// Light that the floor reflects.
const BOUNCE: Vec3 = Vec3::new(0.17, 0.165, 0.16);

/// Number of points from which fewer of them cast the shadows.
const FINE: usize = 2000;

/// Maximum number of texels around all triangles of a depth map, as a multiple of its texels.
const MAX_LAYERS: usize = 8;

/// Light of one scene.
pub struct Light {
    sun: Vec<DepthMap>,
    sky: Vec<DepthMap>,
}

impl Light {
    /// Computes the shadows of triangles with the resolution of a picture `pixels` wide.
    pub fn new(pixels: usize, casters: &Shell) -> Self {
        let mut casters = casters.near();
        let (low, high) = casters.points.iter().fold((Vec3::MAX, Vec3::MIN), |(a, b), p| (a.min(*p), b.max(*p)));
        // Most triangles of a fine skin are smaller than a texel.
        let texel = (high - low).max_element().max(1e-3) / pixels.clamp(48, 320) as f32;
        if casters.points.len() > FINE {
            casters = casters.coarse(texel * 0.5);
        }
        let map = |toward: Vec3, size: usize| DepthMap::new(toward, size, &casters);
        let (sun_map, sun_samples) = (pixels.clamp(48, 320), (pixels / 4).clamp(8, 40));
        let (sky_map, sky_samples) = ((pixels / 2).clamp(24, 128), (pixels / 3).clamp(12, 64));
        let (across, over) = axes(SUN.normalize());
        let sun = (0..sun_samples).map(|i| {
            let (x, y) = spiral(i, sun_samples);
            map((SUN.normalize() + (across * x + over * y) * SUN_WIDTH).normalize(), sun_map)
        });
        let sky = (0..sky_samples).map(|i| {
            // Uniform points of the disc below a hemisphere are cosine-weighted directions of the hemisphere. A little
            // height is added, because light along the floor shows every step.
            let (x, y) = spiral(i, sky_samples);
            map(Vec3::new(x, y, (1.0 - x * x - y * y).max(0.0).sqrt() + 0.12).normalize(), sky_map)
        });
        Self { sun: sun.collect(), sky: sky.collect() }
    }

    /// Returns the light at a point of a surface.
    pub fn at(&self, point: Vec3, normal: Vec3) -> Vec3 {
        let sun = share(&self.sun, point, normal, |map| normal.dot(map.toward).max(0.0));
        // The sky's directions are weighted for a floor; at a wall each counts by its angle to the wall.
        let sky = share(&self.sky, point, normal, |map| (0.35 + 0.65 * normal.dot(map.toward)).max(0.0));
        SUN_COLOR * sun + SKY_COLOR * sky + BOUNCE * (0.5 - 0.5 * normal.z)
    }

    /// Returns the fractions of the light at a point of the floor, 0 to 1 each.
    pub fn on_floor(&self, point: Vec3) -> Vec3 {
        let sun = share(&self.sun, point, Vec3::Z, |_| 1.0);
        let sky = share(&self.sky, point, Vec3::Z, |map| map.toward.z);
        let all = self.sky.iter().map(|map| map.toward.z).sum::<f32>() / self.sky.len().max(1) as f32;
        (SUN_COLOR * sun * 0.75 + SKY_COLOR * sky * 1.3) / (SUN_COLOR * 0.75 + SKY_COLOR * all * 1.3)
    }
}

/// Returns the mean over directions of the weights of those that see the point.
fn share(maps: &[DepthMap], point: Vec3, normal: Vec3, weight: impl Fn(&DepthMap) -> f32) -> f32 {
    let lit = maps.iter().map(|map| {
        let weight = weight(map);
        if weight > 0.0 && map.sees(point, normal) { weight } else { 0.0 }
    });
    lit.sum::<f32>() / maps.len().max(1) as f32
}

/// Returns point `i` of `count` uniform points of the unit disc.
fn spiral(i: usize, count: usize) -> (f32, f32) {
    const GOLDEN_ANGLE: f32 = 2.399_963;
    let radius = ((i as f32 + 0.5) / count as f32).sqrt();
    let (sin, cos) = (GOLDEN_ANGLE * i as f32 % TAU).sin_cos();
    (radius * cos, radius * sin)
}

fn axes(toward: Vec3) -> (Vec3, Vec3) {
    toward.any_orthonormal_pair()
}

/// Depth map of one direction.
struct DepthMap {
    toward: Vec3,
    /// Axes of the map, texels per world unit, and its corner, texels.
    across: Vec3,
    over: Vec3,
    corner: [f32; 2],
    /// Size of a texel, world units.
    texel: f32,
    size: usize,
    /// Heights along `toward`.
    heights: Vec<f32>,
}

impl DepthMap {
    fn new(toward: Vec3, size: usize, casters: &Shell) -> Self {
        let (across, over) = axes(toward);
        let mut points: Vec<Vec3> =
            casters.points.iter().map(|p| Vec3::new(p.dot(across), p.dot(over), p.dot(toward))).collect();
        let (mut low, mut high) = (Vec3::MAX, Vec3::MIN);
        for point in &points {
            (low, high) = (low.min(*point), high.max(*point));
        }
        let extent = (high - low).truncate().max_element().max(1e-3);
        let texel = extent / (size - 2) as f32;
        let scale = 1.0 / texel;
        let corner = [(low.x - texel) * scale, (low.y - texel) * scale];
        for point in &mut points {
            *point = Vec3::new(point.x * scale - corner[0], point.y * scale - corner[1], point.z);
        }
        let mut heights = vec![f32::MIN; size * size];
        let mut room = size * size * MAX_LAYERS;
        for triangle in &casters.triangles {
            let corners = triangle.map(|corner| points[corner as usize]);
            // Triangles beyond the room cast no shadow.
            raster::fill([size; 2], corners, &mut room, |index, height, _| heights[index] = heights[index].max(height));
        }
        Self { toward, across: across * scale, over: over * scale, corner, texel, size, heights }
    }

    fn sees(&self, point: Vec3, normal: Vec3) -> bool {
        // The point is moved off the surface by more than a texel, so that the surface does not shade itself.
        let point = point + normal * (self.texel * 1.5);
        let column = point.dot(self.across) - self.corner[0];
        let row = point.dot(self.over) - self.corner[1];
        if !(column >= 0.0 && row >= 0.0) {
            return true;
        }
        let (column, row) = (column as usize, row as usize);
        if column >= self.size || row >= self.size {
            return true;
        }
        let height = self.heights.get(row * self.size + column);
        height.is_none_or(|height| *height <= point.dot(self.toward) + self.texel)
    }
}
