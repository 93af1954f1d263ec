//! Curved surfaces of Quake 3 as polygons.

use glam::Vec3;

use crate::level::LevelError;
use crate::level::allowance::Allowance;
use crate::level::solid_mesh::MeshBuilder;

/// Maximum distance of the polygons from the curve, Quake units: the radius of a limb.
const TOLERANCE: f32 = 4.0;

/// Maximum number of times that a block of three control points is halved.
const MAX_HALVINGS: u32 = 5;

/// Work of computing the four corners of a cell.
const CELL_WORK: u64 = 32;

/// Patch: rows of control points, an odd number in both directions.
pub(super) struct Patch {
    pub width: usize,
    pub points: Vec<Vec3>,
}

impl Patch {
    fn height(&self) -> usize {
        self.points.len() / self.width.max(1)
    }

    fn point(&self, x: usize, y: usize) -> Vec3 {
        debug_assert!(x < self.width && y < self.height(), "the control point exists");
        self.points.get(y * self.width + x).copied().unwrap_or_default()
    }

    /// Returns the number of segments per block along the rows and along the columns.
    fn segments(&self) -> [usize; 2] {
        let bend = |a: Vec3, b: Vec3, c: Vec3| (a - b * 2.0 + c).length() / 4.0;
        let [mut along, mut down] = [0.0f32; 2];
        for y in 0..self.height() {
            for x in (0..self.width.saturating_sub(2)).step_by(2) {
                along = along.max(bend(self.point(x, y), self.point(x + 1, y), self.point(x + 2, y)));
            }
        }
        for x in 0..self.width {
            for y in (0..self.height().saturating_sub(2)).step_by(2) {
                down = down.max(bend(self.point(x, y), self.point(x, y + 1), self.point(x, y + 2)));
            }
        }
        [along, down].map(|bend| {
            let halvings = (0..MAX_HALVINGS).find(|&k| bend <= TOLERANCE * 4f32.powi(k as i32));
            1 << halvings.unwrap_or(MAX_HALVINGS)
        })
    }

    /// Adds the triangles of the patch to a mesh, counter-clockwise seen from outside.
    pub fn add(&self, mesh: &mut MeshBuilder, surface: u32, allowance: &mut Allowance) -> Result<(), LevelError> {
        debug_assert_eq!(self.points.len(), self.width * self.height(), "rows are equally long");
        debug_assert!(self.width % 2 == 1 && self.height() % 2 == 1, "rows and columns are odd in number");
        let [along, down] = self.segments();
        let [columns, rows] = [self.width / 2 * along, self.height() / 2 * down];
        let at = |column: usize, row: usize| self.curve([column, row], [along, down]);
        for row in 0..rows {
            for column in 0..columns {
                allowance.work(CELL_WORK)?;
                let [a, b] = [at(column, row), at(column + 1, row)];
                let [c, d] = [at(column, row + 1), at(column + 1, row + 1)];
                mesh.polygon(&[a, b, c], surface, allowance)?;
                mesh.polygon(&[b, d, c], surface, allowance)?;
            }
        }
        Ok(())
    }

    /// Returns the point of the curve at a place in the grid.
    fn curve(&self, [column, row]: [usize; 2], [along, down]: [usize; 2]) -> Vec3 {
        // The last place of a block is the first of the next block, except at the end.
        let block = |place: usize, segments: usize, points: usize| {
            let block = (place / segments).min((points / 2).saturating_sub(1));
            (2 * block, (place - block * segments) as f32 / segments as f32)
        };
        let (x, s) = block(column, along, self.width);
        let (y, t) = block(row, down, self.height());
        let weights = |t: f32| [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
        let mut sum = Vec3::ZERO;
        for (j, v) in weights(t).into_iter().enumerate() {
            for (i, u) in weights(s).into_iter().enumerate() {
                sum += self.point(x + i, y + j) * (u * v);
            }
        }
        sum
    }
}
