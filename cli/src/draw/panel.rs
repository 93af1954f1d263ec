//! One panel: floor, figure, bodies and gaps.

use skelobj::math::Vec3;
use tiny_skia::{LineCap, Paint, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform};

use super::camera::View;
use super::light::Light;
use super::raster::{Hit, Raster};
use super::scene::{Scene, Vertex};
use super::surface;

/// Number of samples per pixel along each axis.
const FINE: usize = 3;

/// Opacity of the bodies over a skin, over bones, and along their outlines.
const BODY_OVER_SKIN: f32 = 0.03;
const BODY_OVER_BONES: f32 = 0.40;
const BODY_LINE: f32 = 0.62;

/// Opacity of the figure's outlines.
const OUTLINE: f32 = 0.75;

/// Draws a scene; returns `None` if a picture cannot have this size.
pub fn draw(scene: &Scene, view: &View, size: [u32; 2]) -> Option<Pixmap> {
    let mut picture = Pixmap::new(size[0], size[1])?;
    let painter = Painter::new(scene, view, size.map(|pixels| pixels as usize));
    let width = size[0] as usize;
    for (index, pixel) in picture.pixels_mut().iter_mut().enumerate() {
        let [red, green, blue] = surface::bytes(painter.pixel(index % width, index / width));
        if let Some(color) = PremultipliedColorU8::from_rgba(red, green, blue, 255) {
            *pixel = color;
        }
    }
    gaps(scene, view, &mut picture);
    Some(picture)
}

/// Data for the colour of a pixel.
struct Painter<'a> {
    scene: &'a Scene,
    view: &'a View,
    size: [usize; 2],
    light: Light,
    /// Fractions of the light on the floor at every pixel.
    floor_light: Vec<Vec3>,
    figure: Raster,
    bodies: Raster,
    /// Hull of each triangle of `bodies`.
    hulls: Vec<u32>,
    /// Size of the grid's cells, Quake units.
    cell: f32,
}

impl<'a> Painter<'a> {
    fn new(scene: &'a Scene, view: &'a View, size: [usize; 2]) -> Self {
        let fine = size.map(|pixels| pixels * FINE);
        let project = |place: Vec3| {
            let point = view.project(place)?;
            Some(Vec3::new(point.x * FINE as f32, point.y * FINE as f32, point.z))
        };
        let corners = |[a, b, c]: [Vec3; 3]| Some([project(a)?, project(b)?, project(c)?]);
        let mut figure = Raster::new(fine);
        for (number, triangle) in scene.solid.iter().enumerate() {
            if let Some(corners) = corners(triangle.map(|vertex| vertex.place)) {
                figure.add(number as u32, corners);
            }
        }
        let mut bodies = Raster::new(fine);
        let mut hulls = Vec::new();
        for (hull, triangles) in scene.hulls.iter().enumerate() {
            for triangle in &triangles.triangles {
                if let Some(corners) = corners(*triangle) {
                    bodies.add(hulls.len() as u32, corners);
                    hulls.push(hull as u32);
                }
            }
        }
        let cell = 2_f32.powf((view.camera.radius / 3.5).log2().round());
        let light = Light::new(size[0], scene.casters());
        let floor_light = floor_light(&light, view, size);
        Self { scene, view, size, light, floor_light, figure, bodies, hulls, cell }
    }

    fn pixel(&self, column: usize, row: usize) -> Vec3 {
        let floor = self.floor(column, row);
        let mut sum = Vec3::ZERO;
        for y in row * FINE..(row + 1) * FINE {
            for x in column * FINE..(column + 1) * FINE {
                sum += self.sample(x, y, floor);
            }
        }
        sum / (FINE * FINE) as f32
    }

    fn sample(&self, x: usize, y: usize, floor: Vec3) -> Vec3 {
        let index = y * self.figure.size[0] + x;
        let hit = self.figure.hits[index];
        let mut color = if hit.nearness > 0.0 { self.shade(&hit) } else { floor };
        color = color.lerp(surface::ink(), OUTLINE * self.outline(x, y, &hit));
        color = self.water(x, y, &hit, color);
        self.body(x, y, color)
    }

    /// Returns the colour of a sample through the water in front of it, which ends away from the motion.
    fn water(&self, x: usize, y: usize, hit: &Hit, color: Vec3) -> Vec3 {
        let [x, y] = [x, y].map(|sample| (sample as f32 + 0.5) / FINE as f32);
        let surface = self.scene.water.and_then(|height| self.view.level(x, y, height));
        let nearness = surface.and_then(|at| self.view.project(at)).map_or(0.0, |point| point.z);
        let Some(at) = surface.filter(|_| nearness > hit.nearness) else { return color };
        let camera = &self.view.camera;
        let away = (at - camera.centre).truncate().length() / camera.radius;
        // The surface hides more of what is deeper.
        let depth = if hit.nearness > 0.0 { (1.0 / hit.nearness - 1.0 / nearness) / camera.radius } else { 1.0 };
        let opacity = 0.4 + 0.4 * depth.clamp(0.0, 1.0);
        color.lerp(surface::water(), opacity * (-0.2 * away * away).exp())
    }

    /// Returns the colour of the floor, which blends into the backdrop away from the motion.
    fn floor(&self, column: usize, row: usize) -> Vec3 {
        let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
        let backdrop = surface::backdrop(y / self.size[1] as f32);
        let Some(at) = self.view.floor(x, y) else { return backdrop };
        let lit = backdrop * self.floor_light[row * self.size[0] + column];
        let [right, below] = [self.view.floor(x + 1.0, y), self.view.floor(x, y + 1.0)];
        let step = |other: Option<Vec3>| other.map_or(Vec3::ZERO, |other| (other - at).abs());
        let pixel = step(right) + step(below);
        let camera = &self.view.camera;
        let away = at.distance(camera.centre.with_z(0.0)) / camera.radius;
        let fade = (-0.35 * away * away).exp();
        let fine = line(at.x, pixel.x, self.cell).max(line(at.y, pixel.y, self.cell));
        let coarse = line(at.x, pixel.x, self.cell * 4.0).max(line(at.y, pixel.y, self.cell * 4.0));
        lit.lerp(surface::grid(), fade * (0.34 * fine).max(0.6 * coarse))
    }

    fn shade(&self, hit: &Hit) -> Vec3 {
        let Some([a, b, c]) = self.scene.solid.get(hit.triangle as usize) else { return Vec3::ZERO };
        let [wb, wc] = hit.weights;
        let wa = 1.0 - wb - wc;
        let mix = |part: fn(&Vertex) -> Vec3| part(a) * wa + part(b) * wb + part(c) * wc;
        let place = mix(|vertex| vertex.place);
        // Windings differ between formats, so the visible side counts as the front.
        let face = (b.place - a.place).cross(c.place - a.place);
        let toward = self.view.toward_camera();
        let mut normal = mix(|vertex| vertex.normal).normalize_or(toward);
        let inner = face.dot(normal) * face.dot(toward) < 0.0;
        if inner {
            normal = -normal;
        }
        let light = self.light.at(place, normal);
        let edge = (1.0 - normal.dot(toward).clamp(0.0, 1.0)).powi(3);
        mix(|vertex| vertex.color) * light * (1.0 - 0.25 * edge)
    }

    /// Returns 1 if something much nearer begins beside the sample.
    fn outline(&self, x: usize, y: usize, hit: &Hit) -> f32 {
        let nearest = self.figure.around(x, y, 1).chain(self.figure.around(x, y, 2));
        let nearest = nearest.map(|hit| hit.nearness).fold(0.0, f32::max);
        if nearest == 0.0 {
            return 0.0;
        }
        let step = if hit.nearness > 0.0 { 1.0 / hit.nearness - 1.0 / nearest } else { f32::MAX };
        if step > self.view.camera.radius * 0.03 { 1.0 } else { 0.0 }
    }

    /// Draws bodies over everything else.
    fn body(&self, x: usize, y: usize, color: Vec3) -> Vec3 {
        let hull = |hit: &Hit| (hit.nearness > 0.0).then(|| self.hulls.get(hit.triangle as usize).copied()).flatten();
        let own = hull(&self.bodies.hits[y * self.bodies.size[0] + x]);
        let Some(body) = own.and_then(|own| self.scene.hulls.get(own as usize)) else { return color };
        let edge = self.bodies.around(x, y, 1).chain(self.bodies.around(x, y, 2)).any(|hit| hull(hit) != own);
        let fill = if self.scene.skinned { BODY_OVER_SKIN } else { BODY_OVER_BONES };
        color.lerp(surface::linear(body.color), if edge { BODY_LINE } else { fill })
    }
}

/// Returns the light on the floor, smoothed because few directions of light leave a grain.
fn floor_light(light: &Light, view: &View, size: [usize; 2]) -> Vec<Vec3> {
    let [width, height] = size;
    let at = |index: usize| view.floor((index % width) as f32 + 0.5, (index / width) as f32 + 0.5);
    let mut pixels: Vec<Vec3> =
        (0..width * height).map(|index| at(index).map_or(Vec3::ONE, |at| light.on_floor(at))).collect();
    let reach = (width / 160).max(1);
    for _ in 0..2 {
        pixels = (0..height).flat_map(|row| smoothed(&pixels[row * width..(row + 1) * width], reach)).collect();
        let columns: Vec<Vec<Vec3>> = (0..width)
            .map(|column| smoothed(&pixels.iter().skip(column).step_by(width).copied().collect::<Vec<_>>(), reach))
            .collect();
        pixels = (0..height).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
    }
    // A trace of shade far away looks like dirt.
    pixels.into_iter().map(|share| (share * 1.025).min(Vec3::ONE)).collect()
}

/// Returns the mean of every value and its neighbours.
fn smoothed(values: &[Vec3], reach: usize) -> Vec<Vec3> {
    let around = |i: usize| &values[i.saturating_sub(reach)..(i + reach + 1).min(values.len())];
    (0..values.len()).map(|i| around(i).iter().sum::<Vec3>() / around(i).len() as f32).collect()
}

/// Returns the fraction of a pixel that a line of the grid covers along one axis.
fn line(at: f32, pixel: f32, cell: f32) -> f32 {
    let away = (at - (at / cell).round() * cell).abs();
    let half = cell * 0.015;
    let pixel = pixel.max(1e-6);
    ((half - away) / pixel + 0.5).clamp(0.0, 1.0).min(2.0 * half / pixel)
}

/// Draws red lines over everything, between the two points at which bodies have their joint.
fn gaps(scene: &Scene, view: &View, picture: &mut Pixmap) {
    let width = (picture.width() as f32 / 90.0).clamp(1.5, 4.0);
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    let [red, green, blue] = surface::GAP;
    paint.set_color_rgba8(red, green, blue, 255);
    let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
    for [from, to] in &scene.gaps {
        let (Some(from), Some(to)) = (view.project(*from), view.project(*to)) else { continue };
        if !(from + to).is_finite() {
            continue;
        }
        let mut path = PathBuilder::new();
        path.move_to(from.x, from.y);
        // A gap along the line of sight is a dot.
        path.line_to(to.x + 0.1, to.y);
        if let Some(path) = path.finish() {
            picture.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
        }
    }
}
