//! Brushes: convex solids, given by the planes around them.

use glam::{DVec3, Vec3};

use super::bsp_error::{BspError, BspProblem, Ledger};
use super::bsp_tree::Plane;
use super::lump::{Lump, Record};
use crate::level::LevelShape;
use crate::level::allowance::Allowance;
use crate::limits::LimitExceeded;

/// Maximum number of sides of a brush.
pub(super) const MAX_SIDES: usize = 256;

/// Work of cutting a polygon, without that of its corners.
const CUT_WORK: u64 = 8;

/// Memory of a hull in its list, without that of its corners, bytes.
const HULL_MEMORY: usize = 3 * size_of::<Vec<Vec3>>();

/// Brushes of a Quake 2 or 3 file, with every index in them checked.
pub(super) struct Brushes<'a> {
    pub brushes: Lump<'a>,
    sides: Lump<'a>,
    planes: &'a [Plane],
    /// Plane and texture of a side.
    read_side: fn(Record<'_>) -> [i32; 2],
}

impl<'a> Brushes<'a> {
    /// Checks the brushes of a file. `textures` is the number of textures; a side with the texture `none` has no
    /// texture.
    pub fn new(
        brushes: Lump<'a>,
        sides: Lump<'a>,
        planes: &'a [Plane],
        (textures, none): (usize, Option<i32>),
        read_side: fn(Record<'_>) -> [i32; 2],
    ) -> Result<Self, BspError> {
        for (number, record) in sides.records().enumerate() {
            let [plane, texture] = read_side(record);
            sides.index(number, "plane", plane.into(), planes.len())?;
            if Some(texture) != none {
                sides.index(number, "texture", texture.into(), textures)?;
            }
        }
        for (number, record) in brushes.records().enumerate() {
            let run = (record.i32(0).into(), record.i32(4).into());
            let run = brushes.run(number, "end of sides", run, sides.len())?;
            if run.len() > MAX_SIDES {
                let problem = BspProblem::TooManySides { found: run.len(), allowed: MAX_SIDES };
                return Err(brushes.error(number, problem));
            }
        }
        Ok(Self { brushes, sides, planes, read_side })
    }

    fn sides(&self, brush: usize) -> impl Iterator<Item = (Plane, i32)> + '_ {
        debug_assert!(brush < self.brushes.len(), "runs of brushes were checked");
        let [first, count] =
            self.brushes.get(brush).map_or([0; 2], |r| [r.i32(0), r.i32(4)].map(|v| v.max(0) as usize));
        debug_assert!(first + count <= self.sides.len(), "runs of sides were checked");
        (first..first + count).filter_map(|side| {
            let [plane, texture] = (self.read_side)(self.sides.get(side)?);
            Some((*self.planes.get(usize::try_from(plane).ok()?)?, texture))
        })
    }

    /// Returns the textures of a brush's sides.
    pub fn textures(&self, brush: usize, ledger: &mut Ledger) -> Result<impl Iterator<Item = i32> + use<'_>, BspError> {
        let sides = self.brushes.get(brush).map_or(0, |record| record.u32(4).into());
        self.brushes.within(brush, ledger.allowance.work(1 + sides))?;
        Ok(self.sides(brush).map(|(_, texture)| texture))
    }

    /// Returns `true` if a point is in a brush.
    pub fn contains(&self, brush: usize, point: Vec3, allowance: &mut Allowance) -> Result<bool, LimitExceeded> {
        let mut count = 0;
        let inside = self.sides(brush).inspect(|_| count += 1).all(|(plane, _)| plane.above(point) <= 0.0);
        allowance.work(count)?;
        Ok(inside && count > 0)
    }

    /// Returns the planes of a brush.
    pub fn planes(&self, brush: usize) -> Vec<Plane> {
        self.sides(brush).map(|(plane, _)| plane).collect()
    }

    /// Returns the corners of a brush; `None` if it is not a solid with volume.
    pub fn corners(&self, brush: usize, allowance: &mut Allowance) -> Result<Option<Vec<Vec3>>, BspError> {
        self.brushes.within(brush, corners(&self.planes(brush), allowance))
    }
}

/// Returns the corners of the solid behind all of `planes`; `None` if it has no volume, is unbounded, or has too many
/// corners.
pub(super) fn corners(planes: &[Plane], allowance: &mut Allowance) -> Result<Option<Vec<Vec3>>, LimitExceeded> {
    let mut corners: Vec<Vec3> = Vec::new();
    for (number, plane) in planes.iter().enumerate() {
        let mut winding = huge_square(plane);
        for (other, cut) in planes.iter().enumerate() {
            // Of two coincident planes the first counts.
            let same = plane.normal.dot(cut.normal) > 0.999_99 && (plane.distance - cut.distance).abs() < 0.01;
            if same && other < number {
                winding.clear();
            }
            if other != number && !same {
                allowance.work(CUT_WORK + winding.len() as u64)?;
                winding = cut_off(&winding, cut);
            }
        }
        for corner in winding {
            let corner = corner.as_vec3();
            if corner.abs().max_element() > crate::out_of_range::FARTHEST || corners.len() > LevelShape::MAX_HULL_POINTS
            {
                return Ok(None);
            }
            allowance.work(corners.len() as u64)?;
            if !corners.iter().any(|other| other.distance_squared(corner) < 1e-4) {
                corners.push(corner);
            }
        }
    }
    if corners.len() <= 3 || corners.len() > LevelShape::MAX_HULL_POINTS {
        return Ok(None);
    }
    corners.shrink_to_fit();
    allowance.memory((size_of_val(corners.as_slice()) + HULL_MEMORY) as u64)?;
    Ok(Some(corners))
}

/// Returns a square on a plane that reaches farther than any level.
fn huge_square(plane: &Plane) -> Vec<DVec3> {
    debug_assert!((plane.normal.length() - 1.0).abs() < 0.02, "planes have unit normals");
    let normal = plane.normal.as_dvec3().normalize();
    let (a, b) = normal.any_orthonormal_pair();
    let centre = normal * f64::from(plane.distance);
    [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| centre + (a * x + b * y) * 8e6).to_vec()
}

/// Returns the part of a polygon behind a plane.
fn cut_off(winding: &[DVec3], plane: &Plane) -> Vec<DVec3> {
    let above = |point: DVec3| plane.normal.as_dvec3().dot(point) - f64::from(plane.distance);
    let mut kept = Vec::with_capacity(winding.len() + 1);
    for (&from, &to) in winding.iter().zip(winding.iter().cycle().skip(1)) {
        let (a, b) = (above(from), above(to));
        if a <= 1e-3 {
            kept.push(from);
        }
        if (a > 1e-3 && b < -1e-3) || (a < -1e-3 && b > 1e-3) {
            kept.push(from + (to - from) * (a / (a - b)));
        }
    }
    kept
}
