//! Brushes: convex solids as the planes round them.

use glam::{DVec3, Vec3};

use super::error::{BspError, BspProblem};
use super::lump::{Allowance, Lump};
use super::tree::Plane;
use crate::physics::LevelShape;

/// The most sides of a brush.
pub(super) const MAX_SIDES: usize = 256;

/// Maximum number of cuts of planes by planes in a file.
const CUTS: usize = 1 << 24;

/// Maximum number of tests of brush planes against points in a file.
const TESTS: usize = 1 << 27;

/// The brushes of a Quake 2 or 3 file, every index in them checked.
pub(super) struct Brushes<'a> {
    pub brushes: Lump<'a>,
    sides: Lump<'a>,
    planes: &'a [Plane],
    /// Plane and texture of a side.
    read_side: fn(super::lump::Record<'_>) -> [i32; 2],
    cuts: Allowance,
    tests: Allowance,
}

impl<'a> Brushes<'a> {
    /// `textures` is how many there are; a side that has texture `none` has none.
    pub fn new(
        brushes: Lump<'a>,
        sides: Lump<'a>,
        planes: &'a [Plane],
        (textures, none): (usize, Option<i32>),
        read_side: fn(super::lump::Record<'_>) -> [i32; 2],
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
        Ok(Self { brushes, sides, planes, read_side, cuts: Allowance(CUTS), tests: Allowance(TESTS) })
    }

    fn sides(&self, brush: usize) -> impl Iterator<Item = (Plane, i32)> + '_ {
        let [first, count] =
            self.brushes.get(brush).map_or([0; 2], |r| [r.i32(0), r.i32(4)].map(|v| v.max(0) as usize));
        (first..first + count).filter_map(|side| {
            let [plane, texture] = (self.read_side)(self.sides.get(side)?);
            Some((*self.planes.get(usize::try_from(plane).ok()?)?, texture))
        })
    }

    /// The textures of its sides.
    pub fn textures(&self, brush: usize) -> impl Iterator<Item = i32> + '_ {
        self.sides(brush).map(|(_, texture)| texture)
    }

    /// Returns whether a point is in a brush.
    pub fn contains(&mut self, brush: usize, point: Vec3) -> Result<bool, BspError> {
        let mut count = 0;
        let inside = self.sides(brush).inspect(|_| count += 1).all(|(plane, _)| plane.above(point) <= 0.0);
        self.tests.spend(1 + count, &self.brushes, brush)?;
        Ok(inside && count > 0)
    }

    /// The corners of a brush; `None` if it is not a solid with volume.
    pub fn corners(&mut self, brush: usize) -> Result<Option<Vec<Vec3>>, BspError> {
        let planes: Vec<Plane> = self.sides(brush).map(|(plane, _)| plane).collect();
        self.cuts.spend(planes.len() * planes.len(), &self.brushes, brush)?;
        Ok(corners(&planes))
    }
}

/// The corners of the solid behind all of `planes`; `None` if it has no volume, no end, or too many corners.
pub(super) fn corners(planes: &[Plane]) -> Option<Vec<Vec3>> {
    let mut corners: Vec<Vec3> = Vec::new();
    for (number, plane) in planes.iter().enumerate() {
        let mut winding = huge_square(plane);
        for (other, cut) in planes.iter().enumerate() {
            // Of two planes in one place the first counts.
            let same = plane.normal.dot(cut.normal) > 0.999_99 && (plane.distance - cut.distance).abs() < 0.01;
            if same && other < number {
                winding.clear();
            }
            if other != number && !same {
                winding = cut_off(&winding, cut);
            }
        }
        for corner in winding {
            let corner = corner.as_vec3();
            if corner.abs().max_element() > crate::physics::mesh::MAX_COORDINATE
                || corners.len() > LevelShape::MAX_HULL_POINTS
            {
                return None;
            }
            if !corners.iter().any(|other| other.distance_squared(corner) < 1e-4) {
                corners.push(corner);
            }
        }
    }
    (corners.len() > 3 && corners.len() <= LevelShape::MAX_HULL_POINTS).then_some(corners)
}

/// A square on a plane that reaches farther than any level.
fn huge_square(plane: &Plane) -> Vec<DVec3> {
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
