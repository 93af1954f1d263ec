//! Rasterisation of triangles.

use std::ops::Range;

use skelobj::math::Vec3;

/// Calls `sample` for every sample of a grid that a triangle covers, with the index of the sample, its nearness, and
/// the weights of the second and third corner. Corners are in samples from the upper left; their Z is a nearness that
/// is linear across the picture. Returns the columns and rows around the triangle.
///
/// The samples around the triangle are taken from `room`. If they are more, the triangle is left out, and the result is
/// `None`.
pub fn fill(
    size: [usize; 2],
    corners: [Vec3; 3],
    room: &mut usize,
    mut sample: impl FnMut(usize, f32, [f32; 2]),
) -> Option<[Range<usize>; 2]> {
    let [a, b, c] = corners;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let columns = centres(low.x, high.x, size[0]);
    let rows = centres(low.y, high.y, size[1]);
    let area = cross(a, b, c);
    if columns.is_empty() || rows.is_empty() || area == 0.0 || !area.is_finite() || !(a + b + c).is_finite() {
        return Some([0..0, 0..0]);
    }
    *room = room.checked_sub(columns.len() * rows.len())?;
    let share = 1.0 / area;
    for row in rows.clone() {
        let y = row as f32 + 0.5 - a.y;
        let (b_row, c_row) = (y * (c.x - a.x), y * (b.x - a.x));
        for column in columns.clone() {
            let x = column as f32 + 0.5 - a.x;
            let (wb, wc) = ((x * (c.y - a.y) - b_row) * share, (c_row - x * (b.y - a.y)) * share);
            let wa = 1.0 - wb - wc;
            if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                sample(row * size[0] + column, wa * a.z + wb * b.z + wc * c.z, [wb, wc]);
            }
        }
    }
    Some([columns, rows])
}

/// Returns the samples of a row or column whose centres are between two positions.
fn centres(low: f32, high: f32, count: usize) -> Range<usize> {
    // Casts saturate, so positions outside the picture move to its edge; the method `ceil` is a call on old processors.
    let low = (low - 0.5).max(0.0);
    let first = low as usize;
    let first = if (first as f32) < low { first + 1 } else { first };
    first..((high + 0.5).max(0.0) as usize).min(count)
}

/// Returns twice the signed area of a triangle, ignoring Z.
fn cross(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Visible surface of a sample.
#[derive(Clone, Copy, Default)]
pub struct Hit {
    /// Inverse distance; 0 without a surface.
    pub nearness: f32,
    /// Index of the triangle.
    pub triangle: u32,
    /// Weights of the second and third corner.
    pub weights: [f32; 2],
}

/// Start of a union of ranges: any range replaces it.
const NO_COLUMNS: Range<usize> = Range { start: usize::MAX, end: 0 };

/// Nearest triangle at every sample.
pub struct Raster {
    /// Number of columns and rows.
    pub size: [usize; 2],
    /// Samples, row by row.
    pub hits: Vec<Hit>,
    /// Columns of each row outside which there is no surface.
    touched: Vec<Range<usize>>,
    /// Number of samples around triangles that may still be drawn.
    room: usize,
    /// Number of triangles that are left out, because those before take all of the room.
    pub left_out: usize,
}

/// Maximum number of samples around all triangles, as a multiple of the samples of a raster: more than crowds and
/// levels need.
const MAX_LAYERS: usize = 24;

impl Raster {
    /// Creates an empty raster.
    pub fn new(size: [usize; 2]) -> Self {
        let samples = size[0] * size[1];
        Self {
            size,
            hits: vec![Hit::default(); samples],
            touched: vec![NO_COLUMNS; size[1]],
            room: samples * MAX_LAYERS,
            left_out: 0,
        }
    }

    /// Draws a triangle over what is farther away.
    pub fn add(&mut self, triangle: u32, corners: [Vec3; 3]) {
        self.add_where(triangle, corners, |_| true);
    }

    /// Draws the samples of a triangle at whose weights it is `opaque` over what is farther away.
    pub fn add_where(&mut self, triangle: u32, corners: [Vec3; 3], opaque: impl Fn([f32; 2]) -> bool) {
        let hits = &mut self.hits;
        let filled = fill(self.size, corners, &mut self.room, |index, nearness, weights| {
            if nearness > hits[index].nearness && opaque(weights) {
                hits[index] = Hit { nearness, triangle, weights };
            }
        });
        let Some([columns, rows]) = filled else {
            self.left_out += 1;
            return;
        };
        for touched in &mut self.touched[rows] {
            *touched = touched.start.min(columns.start)..touched.end.max(columns.end);
        }
    }

    /// Returns the columns of some rows outside which there is no surface; empty if there is none.
    pub fn touched(&self, rows: Range<usize>) -> Range<usize> {
        let rows = self.touched.get(rows.start..rows.end.min(self.size[1])).unwrap_or_default();
        rows.iter().fold(NO_COLUMNS, |all, row| all.start.min(row.start)..all.end.max(row.end))
    }

    /// Returns the samples around one, `reach` away in eight directions, inside the picture.
    pub fn around(&self, column: usize, row: usize, reach: isize) -> impl Iterator<Item = &Hit> {
        const WAYS: [(isize, isize); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        WAYS.into_iter().filter_map(move |(x, y)| {
            let column = column.checked_add_signed(x * reach).filter(|column| *column < self.size[0])?;
            let row = row.checked_add_signed(y * reach).filter(|row| *row < self.size[1])?;
            self.hits.get(row * self.size[0] + column)
        })
    }
}
