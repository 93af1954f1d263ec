//! Rasterisation of triangles.

use skelobj::math::Vec3;

/// Calls `sample` for every sample of a grid that a triangle covers, with the index of the sample, its nearness, and
/// the weights of the second and third corner. Corners are in samples from the upper left; their Z is a nearness that
/// is linear across the picture.
pub fn fill(size: [usize; 2], corners: [Vec3; 3], mut sample: impl FnMut(usize, f32, [f32; 2])) {
    let [a, b, c] = corners;
    let area = cross(a, b, c);
    if !(a + b + c).is_finite() || area == 0.0 || !area.is_finite() {
        return;
    }
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    // Casts saturate, so points outside the picture move to its edge.
    let columns = (low.x - 0.5).ceil().max(0.0) as usize..((high.x + 0.5).ceil().max(0.0) as usize).min(size[0]);
    let rows = (low.y - 0.5).ceil().max(0.0) as usize..((high.y + 0.5).ceil().max(0.0) as usize).min(size[1]);
    for row in rows {
        for column in columns.clone() {
            let p = Vec3::new(column as f32 + 0.5, row as f32 + 0.5, 0.0);
            let (wb, wc) = (cross(a, p, c) / area, cross(a, b, p) / area);
            let wa = 1.0 - wb - wc;
            if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                sample(row * size[0] + column, wa * a.z + wb * b.z + wc * c.z, [wb, wc]);
            }
        }
    }
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

/// Nearest triangle at every sample.
pub struct Raster {
    /// Number of columns and rows.
    pub size: [usize; 2],
    /// Samples, row by row.
    pub hits: Vec<Hit>,
}

impl Raster {
    /// Creates an empty raster.
    pub fn new(size: [usize; 2]) -> Self {
        Self { size, hits: vec![Hit::default(); size[0] * size[1]] }
    }

    /// Draws a triangle over what is farther away.
    pub fn add(&mut self, triangle: u32, corners: [Vec3; 3]) {
        let hits = &mut self.hits;
        fill(self.size, corners, |index, nearness, weights| {
            if nearness > hits[index].nearness {
                hits[index] = Hit { nearness, triangle, weights };
            }
        });
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
