//! One panel: floor, figure, bodies and gaps.

use std::ops::Range;

use skelobj::math::Vec3;
use tiny_skia::{LineCap, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform};

use super::camera::View;
use super::ground::{self, Ground};
use super::light::Light;
use super::raster::{Hit, Raster};
use super::scene::Scene;
use super::skin::{Face, Vertex};
use super::surface;
use super::texture::Texture;
use crate::out::tell_line;

/// Fineness of a picture.
#[derive(Clone, Copy)]
pub struct Detail {
    /// Number of samples per pixel along each axis.
    pub samples: usize,
    /// Pixels of the picture per pixel for which light is computed.
    pub light: usize,
    /// Pixels of the picture per pixel for which light on the floor is computed.
    pub floor: usize,
}

impl Detail {
    /// Picture to look at for long.
    pub const STILL: Self = Self { samples: 3, light: 1, floor: 1 };
    /// One of many pictures that follow one another.
    pub const MOVING: Self = Self { samples: 2, light: 5, floor: 3 };
}

/// Opacity of the bodies over bones, and along their outlines. A skin keeps its colour inside the outlines.
const BODY_OVER_BONES: f32 = 0.40;
const BODY_LINE: f32 = 0.62;

/// Depth between surfaces that have an outline between them, radii of the motion.
const DEPTH_STEP: f32 = 0.03;
/// Number of pixels along each axis for one texel of light, if a picture leaves triangles out.
const FULL_COARSENESS: usize = 4;
/// Opacity of the figure's outlines.
const OUTLINE: f32 = 0.75;

/// Draws a scene with what is shown of the level, as large as its ground, and returns the number of triangles that were
/// left out because all others cover the picture many times; `None` if a picture cannot have this size.
pub fn draw(
    scene: &Scene,
    level: &[[Vec3; 3]],
    ground: &Ground,
    view: &View,
    detail: Detail,
) -> Option<(Pixmap, usize)> {
    let size = ground.size;
    let mut picture = Pixmap::new(size[0], size[1])?;
    let painter = Painter::new(scene, level, view, size.map(|pixels| pixels as usize), detail);
    let width = size[0] as usize;
    let floor = ground.lit(&painter.light);
    for (row, (pixels, floor)) in picture.pixels_mut().chunks_mut(width).zip(floor.chunks(width)).enumerate() {
        let busy = painter.busy(row);
        for (column, (pixel, floor)) in pixels.iter_mut().zip(floor).enumerate() {
            let color = if busy.contains(&column) { painter.pixel(column, row, *floor) } else { *floor };
            let [red, green, blue] = surface::bytes(color);
            if let Some(color) = PremultipliedColorU8::from_rgba(red, green, blue, 255) {
                *pixel = color;
            }
        }
    }
    faults(scene, view, &mut picture);
    Some((picture, painter.figure.left_out + painter.bodies.left_out))
}

/// Reports the largest number of triangles that a picture leaves out.
pub fn report(left_out: usize) {
    if left_out > 0 {
        tell_line(format_args!(
            "warning: {left_out} triangles are not drawn: the others cover the picture too many times"
        ));
    }
}

/// Data for the colour of a pixel.
struct Painter<'a> {
    scene: &'a Scene,
    view: &'a View,
    size: [usize; 2],
    /// Number of samples per pixel along each axis.
    fine: usize,
    light: Light,
    /// Shares light between similar samples of a pixel.
    shares_light: bool,
    /// The figures' triangles, and after them those of the level.
    figure: Raster,
    /// Texels on a sample of each of the figures' triangles.
    texels: Vec<f32>,
    level: &'a [[Vec3; 3]],
    bodies: Raster,
    /// Hull of each triangle of `bodies`.
    hulls: Vec<u32>,
    /// Size of the grid's cells, Quake units.
    cell: f32,
}

/// Light at a sample of the figures.
struct Lit {
    place: Vec3,
    normal: Vec3,
    light: Vec3,
}

impl<'a> Painter<'a> {
    fn new(scene: &'a Scene, level: &'a [[Vec3; 3]], view: &'a View, size: [usize; 2], detail: Detail) -> Self {
        let fine = size.map(|pixels| pixels * detail.samples);
        let per_pixel = detail.samples as f32;
        let project = |place: Vec3| {
            let point = view.project(place)?;
            Some(Vec3::new(point.x * per_pixel, point.y * per_pixel, point.z))
        };
        let corners = |[a, b, c]: [Vec3; 3]| Some([project(a)?, project(b)?, project(c)?]);
        let mut figure = Raster::new(fine);
        let mut texels = Vec::with_capacity(scene.solid.faces.len());
        let points: Vec<Option<Vec3>> = scene.solid.shell.points.iter().map(|place| project(*place)).collect();
        let faces = scene.solid.faces.iter().zip(&scene.solid.shell.triangles);
        for (number, (face, triangle)) in faces.enumerate() {
            let [a, b, c] = triangle.map(|corner| points[corner as usize]);
            let corners = a.zip(b).zip(c).map(|((a, b), c)| [a, b, c]);
            let texture = texture(scene, face);
            let share =
                corners.zip(texture).map_or(1.0, |(corners, texture)| texels_per_sample(face, texture, corners));
            texels.push(share);
            if let Some(corners) = corners {
                let holes = texture.filter(|texture| texture.has_holes());
                let opacity = |weights| holes.map_or(1.0, |texture| texture.at(face.texcoord(weights), share).1);
                figure.add_where(number as u32, corners, |weights| opacity(weights) > 0.5);
            }
        }
        for (number, triangle) in (scene.solid.faces.len()..).zip(level) {
            if let Some(corners) = corners(*triangle) {
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
        let cell = ground::cell(view);
        // A picture that leaves triangles out is full of surfaces, each of which would cast and take light.
        let is_full = figure.left_out > 0;
        let coarseness = detail.light * if is_full { FULL_COARSENESS } else { 1 };
        let light = Light::new(size[0] / coarseness, &scene.casters());
        Self {
            scene,
            view,
            size,
            fine: detail.samples,
            light,
            shares_light: coarseness > 1,
            figure,
            texels,
            level,
            bodies,
            hulls,
            cell,
        }
    }

    /// Returns the columns of a row of pixels in which there may be more than the floor.
    fn busy(&self, row: usize) -> Range<usize> {
        if self.scene.water.is_some() {
            return 0..usize::MAX;
        }
        let fine = self.fine;
        // Outlines reach two samples outwards.
        let rows = (row * fine).saturating_sub(2)..(row + 1) * fine + 2;
        let (figure, bodies) = (self.figure.touched(rows.clone()), self.bodies.touched(rows));
        let (start, end) = (figure.start.min(bodies.start), figure.end.max(bodies.end));
        start.saturating_sub(2) / fine..(end + 2).div_ceil(fine)
    }

    fn pixel(&self, column: usize, row: usize, floor: Vec3) -> Vec3 {
        let (mut sum, mut lit) = (Vec3::ZERO, None);
        let fine = self.fine;
        for y in row * fine..(row + 1) * fine {
            for x in column * fine..(column + 1) * fine {
                sum += self.sample(x, y, floor, &mut lit);
            }
        }
        sum / (fine * fine) as f32
    }

    fn sample(&self, x: usize, y: usize, floor: Vec3, lit: &mut Option<Lit>) -> Vec3 {
        let index = y * self.figure.size[0] + x;
        let hit = self.figure.hits[index];
        let wall =
            (hit.triangle as usize).checked_sub(self.scene.solid.faces.len()).and_then(|wall| self.level.get(wall));
        let mut color = match wall {
            _ if hit.nearness == 0.0 => floor,
            Some(wall) => self.shade_level(wall, &hit, x, y),
            None => self.shade(&hit, lit),
        };
        color = color.lerp(surface::ink(), OUTLINE * self.outline(x, y, &hit));
        color = self.water(x, y, &hit, color);
        self.body(x, y, color)
    }

    /// Returns the colour of a sample through the water in front of it, which ends away from the motion.
    fn water(&self, x: usize, y: usize, hit: &Hit, color: Vec3) -> Vec3 {
        let [x, y] = [x, y].map(|sample| (sample as f32 + 0.5) / self.fine as f32);
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

    fn shade(&self, hit: &Hit, lit: &mut Option<Lit>) -> Vec3 {
        let index = hit.triangle as usize;
        let Some((face, texels)) = self.scene.solid.faces.get(index).zip(self.texels.get(index)) else {
            return Vec3::ZERO;
        };
        let [a, b, c] = &face.corners;
        let [wb, wc] = hit.weights;
        let wa = 1.0 - wb - wc;
        let mix = |part: fn(&Vertex) -> Vec3| part(a) * wa + part(b) * wb + part(c) * wc;
        let place = mix(|vertex| vertex.place);
        // Windings differ between formats, so the visible side counts as the front.
        let front = (b.place - a.place).cross(c.place - a.place);
        let toward = self.view.toward_camera();
        let mut normal = mix(|vertex| vertex.normal).normalize_or(toward);
        let inner = front.dot(normal) * front.dot(toward) < 0.0;
        if inner {
            normal = -normal;
        }
        let light = self.lit(place, normal, lit);
        let edge = (1.0 - normal.dot(toward).clamp(0.0, 1.0)).powi(3);
        let image = texture(self.scene, face).map(|texture| texture.at(face.texcoord(hit.weights), *texels).0);
        image.unwrap_or(Vec3::ONE) * mix(|vertex| vertex.color) * light * (1.0 - 0.25 * edge)
    }

    /// Returns the light at a point. Where light is coarse, similar samples of a pixel share it.
    fn lit(&self, place: Vec3, normal: Vec3, lit: &mut Option<Lit>) -> Vec3 {
        let reach = self.view.camera.radius * DEPTH_STEP;
        let is_similar = |lit: &&mut Lit| lit.normal.dot(normal) > 0.95 && lit.place.distance(place) < reach;
        if let Some(lit) = lit.as_mut().filter(|_| self.shares_light).filter(is_similar) {
            return lit.light;
        }
        let light = self.light.at(place, normal);
        *lit = Some(Lit { place, normal, light });
        light
    }

    /// Returns the colour of a triangle of the level at a sample, with a grid. It blends into the backdrop far from the
    /// motion.
    fn shade_level(&self, [a, b, c]: &[Vec3; 3], hit: &Hit, x: usize, y: usize) -> Vec3 {
        let [x, y] = [x, y].map(|sample| (sample as f32 + 0.5) / self.fine as f32);
        let place = self.view.place(x, y, hit.nearness);
        let normal = (*b - *a).cross(*c - *a).normalize_or(Vec3::Z);
        let light = self.light.at(place, normal);
        let pixel = self.view.pixel(hit.nearness);
        // Lines along a wall would cover it.
        let axes = (0..3).filter(|axis| normal[*axis].abs() < 0.7);
        let cover = |cell: f32| axes.clone().map(|axis| ground::line(place[axis], pixel, cell)).fold(0.0, f32::max);
        let lines = (0.25 * cover(self.cell)).max(0.5 * cover(self.cell * 4.0));
        let color = (surface::wall() * light).lerp(surface::grid(), lines);
        let camera = &self.view.camera;
        let away = place.distance(camera.centre) / camera.radius;
        let backdrop = surface::backdrop(y / self.size[1] as f32);
        backdrop.lerp(color, (-0.06 * away * away).exp())
    }

    /// Returns 1 if something much nearer begins beside the sample.
    fn outline(&self, x: usize, y: usize, hit: &Hit) -> f32 {
        let nearest = self.figure.around(x, y, 1).chain(self.figure.around(x, y, 2));
        let nearest = nearest.map(|hit| hit.nearness).fold(0.0, f32::max);
        if nearest == 0.0 {
            return 0.0;
        }
        let step = if hit.nearness > 0.0 { 1.0 / hit.nearness - 1.0 / nearest } else { f32::MAX };
        if step > self.view.camera.radius * DEPTH_STEP { 1.0 } else { 0.0 }
    }

    /// Draws bodies over everything else.
    fn body(&self, x: usize, y: usize, color: Vec3) -> Vec3 {
        let hull = |hit: &Hit| (hit.nearness > 0.0).then(|| self.hulls.get(hit.triangle as usize).copied()).flatten();
        let own = hull(&self.bodies.hits[y * self.bodies.size[0] + x]);
        let Some(body) = own.and_then(|own| self.scene.hulls.get(own as usize)) else { return color };
        let edge = self.bodies.around(x, y, 1).chain(self.bodies.around(x, y, 2)).any(|hit| hull(hit) != own);
        let fill = if self.scene.skinned { 0.0 } else { BODY_OVER_BONES };
        color.lerp(surface::linear(body.color), if edge { BODY_LINE } else { fill })
    }
}

/// Returns the texture of a triangle.
fn texture<'a>(scene: &'a Scene, face: &Face) -> Option<&'a Texture> {
    face.texture.and_then(|number| scene.solid.textures.get(number as usize)).map(|texture| &**texture)
}

/// Returns how many texels fall on a sample of a triangle whose corners are in samples.
fn texels_per_sample(face: &Face, texture: &Texture, corners: [Vec3; 3]) -> f32 {
    let area = |[a, b, c]: [[f32; 2]; 3]| ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs();
    let samples = area(corners.map(|corner| [corner.x, corner.y]));
    texture.texels(area(face.corners.map(|vertex| vertex.texcoord))) / samples.max(1e-6)
}

/// Draws the faults of joints over everything: red lines between the two points at which bodies have their joint, and
/// violet rings around joints that are beyond a stop.
fn faults(scene: &Scene, view: &View, picture: &mut Pixmap) {
    let width = (picture.width() as f32 / 90.0).clamp(1.5, 4.0);
    let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
    let mut draw = |path: Option<Path>, [red, green, blue]: [u8; 3]| {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color_rgba8(red, green, blue, 255);
        if let Some(path) = path {
            picture.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
        }
    };
    let shown = |place: &Vec3| view.project(*place).filter(|point| point.is_finite());
    for at in scene.faults.stops.iter().filter_map(shown) {
        draw(PathBuilder::from_circle(at.x, at.y, width * 2.5), surface::STOP);
    }
    for [from, to] in &scene.faults.gaps {
        let (Some(from), Some(to)) = (shown(from), shown(to)) else { continue };
        let mut path = PathBuilder::new();
        path.move_to(from.x, from.y);
        // A gap along the line of sight is a dot.
        path.line_to(to.x + 0.1, to.y);
        draw(path.finish(), surface::GAP);
    }
}
