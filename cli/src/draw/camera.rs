//! Camera and its crop.

use skelobj::math::Vec3;

use super::cut;
use super::scene::Stage;

/// Direction to the camera: in front and to the left of a figure that looks along X, and above it.
const TOWARD_CAMERA: Vec3 = Vec3::new(0.70, 0.62, 0.36);

/// Distance of the camera, radii of the motion; large enough for a mild perspective.
const DISTANCE: f32 = 5.0;

/// Camera that is aimed but not yet cropped.
#[derive(Clone, Copy)]
pub struct Camera {
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Smallest corner of the motion on the plane one unit ahead (Y down); the largest follows.
    low: [f32; 2],
    high: [f32; 2],
    /// Radius of the sphere around the motion, Quake units.
    pub radius: f32,
    /// Centre of that sphere.
    pub centre: Vec3,
    /// Height of the floor; without one, the lowest point of the motion.
    pub ground: f32,
}

/// Camera with a picture.
#[derive(Clone, Copy)]
pub struct View {
    /// Camera.
    pub camera: Camera,
    /// Pixels per unit on the plane one unit ahead.
    focal: f32,
    /// Position of the camera's axis in the picture, pixels.
    middle: [f32; 2],
}

impl Camera {
    /// Aims at points in their surroundings; non-finite and very distant ones are ignored. Returns `None` if none is
    /// left.
    pub fn aimed_at(points: impl Iterator<Item = Vec3> + Clone, stage: &Stage) -> Option<Self> {
        let points = points.filter(|p| p.abs().max_element() < 1e6);
        let (low, high) = points.clone().map(|p| (p, p)).reduce(|(low, high), (p, _)| (low.min(p), high.max(p)))?;
        let centre = (low + high) * 0.5;
        let radius = points.clone().map(|p| p.distance(centre)).fold(1e-3, f32::max);
        let forward = -TOWARD_CAMERA.normalize();
        let right = forward.cross(Vec3::Z).normalize();
        let up = right.cross(forward);
        let eye = centre - forward * radius * DISTANCE;
        let (ground, extent) = (stage.floor.unwrap_or(low.z), ([f32::MAX; 2], [f32::MIN; 2]));
        let mut camera = Self { eye, right, up, forward, low: extent.0, high: extent.1, radius, centre, ground };
        for point in points {
            if let Some([x, y, _]) = camera.ahead(point) {
                camera.low = [camera.low[0].min(x), camera.low[1].min(y)];
                camera.high = [camera.high[0].max(x), camera.high[1].max(y)];
            }
        }
        let (middle, half) = ((camera.low[0] + camera.high[0]) * 0.5, stage.across * 0.5 / (radius * DISTANCE));
        camera.low[0] = camera.low[0].min(middle - half);
        camera.high[0] = camera.high[0].max(middle + half);
        Some(camera)
    }

    /// Returns width divided by height of the motion.
    pub fn aspect(&self) -> f32 {
        let [width, height] = self.extent();
        width / height
    }

    /// Fits the motion into a picture with margins (left and right, top, bottom) in pixels.
    pub fn view(&self, size: [f32; 2], margins: [f32; 3]) -> View {
        let [side, top, bottom] = margins;
        let extent = self.extent();
        let room = [(size[0] - 2.0 * side).max(1.0), (size[1] - top - bottom).max(1.0)];
        let focal = (room[0] / extent[0]).min(room[1] / extent[1]);
        let middle_of = |axis: usize, room_middle: f32| room_middle - focal * (self.low[axis] + self.high[axis]) * 0.5;
        // A motion lower than the picture stands on the bottom margin.
        let below = size[1] - bottom - focal * extent[1] * 0.5;
        View { camera: *self, focal, middle: [middle_of(0, size[0] * 0.5), middle_of(1, below)] }
    }

    fn extent(&self) -> [f32; 2] {
        [self.high[0] - self.low[0], self.high[1] - self.low[1]].map(|extent| extent.max(1e-4))
    }

    /// Returns the position on the plane one unit ahead, and the nearness.
    fn ahead(&self, point: Vec3) -> Option<[f32; 3]> {
        let from = point - self.eye;
        let distance = from.dot(self.forward);
        (distance > self.nearest())
            .then(|| [from.dot(self.right) / distance, -from.dot(self.up) / distance, 1.0 / distance])
    }

    /// Returns the least distance of what is visible.
    fn nearest(&self) -> f32 {
        self.radius * 0.1
    }

    /// Returns the position of the camera.
    pub fn position(&self) -> Vec3 {
        self.eye
    }

    /// Returns how far a point is ahead of the camera.
    pub fn distance(&self, point: Vec3) -> f32 {
        (point - self.eye).dot(self.forward)
    }

    /// Returns the part of a triangle that is at least some distance ahead, as triangles.
    pub fn clipped(&self, triangle: [Vec3; 3], distance: f32) -> impl Iterator<Item = [Vec3; 3]> + use<> {
        let near = distance.max(self.nearest() * 2.0);
        let corners = cut::clipped(&triangle, |point| self.distance(point) - near);
        (2..corners.len()).map(move |last| [corners[0], corners[last - 1], corners[last]])
    }
}

impl View {
    /// Returns pixels from the upper left, and the inverse distance; `None` behind the camera.
    pub fn project(&self, point: Vec3) -> Option<Vec3> {
        let [x, y, nearness] = self.camera.ahead(point)?;
        Some(Vec3::new(self.middle[0] + self.focal * x, self.middle[1] + self.focal * y, nearness))
    }

    /// Returns the point of the floor that a pixel shows; `None` above the horizon.
    pub fn floor(&self, x: f32, y: f32) -> Option<Vec3> {
        self.level(x, y, self.camera.ground)
    }

    /// Returns the point at some height that a pixel shows; `None` above the horizon.
    pub fn level(&self, x: f32, y: f32, height: f32) -> Option<Vec3> {
        let way = self.way(x, y);
        let distance = (height - self.camera.eye.z) / way.z;
        (distance > 0.0 && distance.is_finite()).then(|| self.camera.eye + way * distance)
    }

    /// Returns the point at some nearness that a pixel shows.
    pub fn place(&self, x: f32, y: f32, nearness: f32) -> Vec3 {
        self.camera.eye + self.way(x, y) / nearness
    }

    /// Returns the way from the eye to what a pixel shows one unit ahead.
    fn way(&self, x: f32, y: f32) -> Vec3 {
        let camera = &self.camera;
        let (x, y) = ((x - self.middle[0]) / self.focal, (y - self.middle[1]) / self.focal);
        camera.forward + camera.right * x - camera.up * y
    }

    /// Returns the size of a pixel at some nearness, Quake units.
    pub fn pixel(&self, nearness: f32) -> f32 {
        1.0 / (nearness * self.focal)
    }

    /// Returns the direction to the camera.
    pub fn toward_camera(&self) -> Vec3 {
        -self.camera.forward
    }
}
