//! Floor with a grid, or a backdrop without one. All panels of a picture share it; only the shadows differ.

use skelobj::math::Vec3;

use super::camera::View;
use super::light::Light;
use super::panel::Detail;
use super::scene::Stage;
use super::surface;

/// Floor as a camera sees it.
pub struct Ground {
    /// Width and height of the picture, pixels.
    pub size: [u32; 2],
    /// Colour of each row without light and lines.
    backdrop: Vec<Vec3>,
    /// Opacity of the lines at each pixel; `None` above the horizon, and empty without a floor.
    lines: Vec<Option<f32>>,
    /// Number of pixels from one point to the next.
    stride: usize,
    /// Number of columns and rows of the points.
    grid: [usize; 2],
    /// Points of the floor for which light is computed, row by row.
    points: Vec<Option<Vec3>>,
}

impl Ground {
    pub fn new(stage: &Stage, view: &View, size: [u32; 2], detail: Detail) -> Self {
        let [width, height] = size.map(|pixels| pixels as usize);
        let backdrop = (0..height).map(|row| surface::backdrop((row as f32 + 0.5) / height as f32)).collect();
        let stride = detail.floor;
        if stage.floor.is_none() && !stage.level.is_empty() {
            return Self { size, backdrop, lines: Vec::new(), stride, grid: [0; 2], points: Vec::new() };
        }
        let cell = cell(view);
        let centre = |index: usize, width: usize, stride: usize| {
            [index % width, index / width].map(|at| (at as f32 + 0.5) * stride as f32)
        };
        let line = |index: usize| {
            let [x, y] = centre(index, width, 1);
            lines(view, cell, x, y)
        };
        let grid = [width.div_ceil(stride), height.div_ceil(stride)];
        let point = |index: usize| {
            let [x, y] = centre(index, grid[0], stride);
            view.floor(x, y)
        };
        let lines = (0..width * height).map(line).collect();
        Self { size, backdrop, lines, stride, grid, points: (0..grid[0] * grid[1]).map(point).collect() }
    }

    /// Returns the colours of all pixels.
    pub fn lit(&self, light: &Light) -> Vec<Vec3> {
        let [width, height] = self.size.map(|pixels| pixels as usize);
        if self.lines.is_empty() {
            return self.backdrop.iter().flat_map(|color| std::iter::repeat_n(*color, width)).collect();
        }
        let shares = self.shares(light);
        let ink = surface::grid();
        let mut colors = Vec::with_capacity(width * height);
        for (row, backdrop) in self.backdrop.iter().enumerate() {
            let (above, below, down) = self.between(row, self.grid[1]);
            for column in 0..width {
                let Some(lines) = self.lines[row * width + column] else {
                    colors.push(*backdrop);
                    continue;
                };
                let (left, right, along) = self.between(column, self.grid[0]);
                let share = |row: usize, column: usize| shares[row * self.grid[0] + column];
                let upper = share(above, left).lerp(share(above, right), along);
                let lower = share(below, left).lerp(share(below, right), along);
                colors.push((*backdrop * upper.lerp(lower, down)).lerp(ink, lines));
            }
        }
        colors
    }

    /// Returns the points on both sides of a pixel, of `count` along an axis, and the way from the first to the second.
    fn between(&self, pixel: usize, count: usize) -> (usize, usize, f32) {
        let at = ((pixel as f32 + 0.5) / self.stride as f32 - 0.5).max(0.0);
        let first = (at as usize).min(count - 1);
        (first, (first + 1).min(count - 1), at - first as f32)
    }

    /// Returns the fractions of the light at all points, smoothed because few directions of light leave a grain.
    fn shares(&self, light: &Light) -> Vec<Vec3> {
        let mut shares: Vec<Vec3> =
            self.points.iter().map(|point| point.map_or(Vec3::ONE, |point| light.on_floor(point))).collect();
        let [width, height] = self.grid;
        let reach = (self.size[0] as usize / 160).div_ceil(self.stride).max(1);
        for _ in 0..2 {
            shares = shares.chunks(width.max(1)).flat_map(|row| smoothed(row, reach)).collect();
            let columns: Vec<Vec<Vec3>> = (0..width)
                .map(|column| smoothed(&shares.iter().skip(column).step_by(width).copied().collect::<Vec<_>>(), reach))
                .collect();
            shares = (0..height).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        }
        // A trace of shade far away looks like dirt.
        shares.into_iter().map(|share| (share * 1.025).min(Vec3::ONE)).collect()
    }
}

/// Returns the size of the grid's cells, Quake units.
pub fn cell(view: &View) -> f32 {
    2_f32.powf((view.camera.radius / 3.5).log2().round())
}

/// Returns the opacity of the lines at a point of the picture; `None` above the horizon. Lines fade away from the
/// motion.
fn lines(view: &View, cell: f32, x: f32, y: f32) -> Option<f32> {
    let at = view.floor(x, y)?;
    let [right, below] = [view.floor(x + 1.0, y), view.floor(x, y + 1.0)];
    let step = |other: Option<Vec3>| other.map_or(Vec3::ZERO, |other| (other - at).abs());
    let pixel = step(right) + step(below);
    let camera = &view.camera;
    let away = at.distance(camera.centre.with_z(camera.ground)) / camera.radius;
    let fade = (-0.35 * away * away).exp();
    let fine = line(at.x, pixel.x, cell).max(line(at.y, pixel.y, cell));
    let coarse = line(at.x, pixel.x, cell * 4.0).max(line(at.y, pixel.y, cell * 4.0));
    Some(fade * (0.34 * fine).max(0.6 * coarse))
}

/// Returns the mean of every value and its neighbours.
fn smoothed(values: &[Vec3], reach: usize) -> Vec<Vec3> {
    let around = |i: usize| &values[i.saturating_sub(reach)..(i + reach + 1).min(values.len())];
    (0..values.len()).map(|i| around(i).iter().sum::<Vec3>() / around(i).len() as f32).collect()
}

/// Returns the fraction of a pixel that a line of the grid covers along one axis.
pub fn line(at: f32, pixel: f32, cell: f32) -> f32 {
    let away = (at - (at / cell).round() * cell).abs();
    let half = cell * 0.015;
    let pixel = pixel.max(1e-6);
    ((half - away) / pixel + 0.5).clamp(0.0, 1.0).min(2.0 * half / pixel)
}
