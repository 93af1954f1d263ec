//! Rays through a posed model: against its skin and against its hit boxes.

mod skin_trace;

use glam::Vec3A;

use super::skin_positions;
use crate::math::{Mat3x4, Vec3};
use crate::model::{HitBox, Mesh};

/// First hit of a trace on a skinned mesh; model space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SkinHit {
    /// Position of the hit along the trace: 0 at its start, 1 at its end.
    pub fraction: f32,
    /// Unit normal of the triangle, on the side that the trace came from.
    pub normal: Vec3,
    /// Index of the mesh; its [`surface`](Mesh::surface) has contents and body part.
    pub mesh: usize,
    /// Index of the triangle in the mesh.
    pub triangle: usize,
    /// Bone with the most influence at the hit, 0-based; `None` on a mesh without influences.
    pub bone: Option<usize>,
}

/// First hit of a trace on a hit box; model space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoxHit {
    /// Position of the hit along the trace: 0 at its start, 1 at its end.
    pub fraction: f32,
    /// Unit normal of the box's side; zero if the trace starts inside.
    pub normal: Vec3,
    /// Index of the box, which has bone and group.
    pub hit_box: usize,
}

/// Number of triangles in a row that share a box: few enough that most are left out, many enough that boxes are few.
const GROUP: usize = 16;

/// Share of the greatest coordinate by which a box is larger than its triangles: many times the error of a crossing,
/// except with slivers, whose crossings are rounding errors. A line that passes a sliver by more than this misses it.
const MARGIN: f32 = 1e-4;

/// Skin of a model in one pose, for any number of lines.
#[derive(Debug)]
pub struct PosedSkin {
    /// Vertices of all meshes, one after the other.
    places: Vec<Vec3A>,
    /// Lower and upper corners of the boxes around each group of triangles, mesh after mesh.
    boxes: Vec<[Vec3A; 2]>,
}

impl PosedSkin {
    /// Skins the meshes by a palette.
    pub fn new(meshes: &[Mesh], palette: &[Mat3x4]) -> Self {
        let mut places = Vec::with_capacity(meshes.iter().map(|mesh| mesh.positions.len()).sum());
        let mut boxes = Vec::with_capacity(meshes.iter().map(|mesh| mesh.triangles.len().div_ceil(GROUP)).sum());
        let mut skinned = Vec::new();
        for mesh in meshes {
            skinned.clear();
            skinned.resize(mesh.positions.len(), Vec3::ZERO);
            skin_positions(mesh, palette, &mut skinned);
            let first = places.len();
            places.extend(skinned.iter().map(|place| Vec3A::from(*place)));
            boxes.extend(mesh.triangles.chunks(GROUP).map(|triangles| bounds(&places[first..], triangles)));
        }
        Self { places, boxes }
    }

    /// Returns the memory of the skin, bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.places) + size_of_val(&*self.boxes)
    }

    /// Finds the first triangle on the line from `start` to `end`, in the space of the palette; `meshes` are those of
    /// the skin.
    ///
    /// Both sides of a triangle are hit. Triangles with missing vertices or non-finite positions are not hit, and a
    /// non-finite trace hits nothing.
    pub fn trace(&self, meshes: &[Mesh], start: Vec3, end: Vec3) -> Option<SkinHit> {
        let mut best: Option<SkinHit> = None;
        self.each_crossing(meshes, start, end, |crossing| {
            if best.is_none_or(|best| crossing.fraction < best.fraction) {
                best = crossing.hit(end - start).or(best);
            }
        });
        best
    }

    /// Visits all points at which a line crosses the skin, in the order of the triangles.
    fn each_crossing<'a>(&self, meshes: &'a [Mesh], start: Vec3, end: Vec3, mut visit: impl FnMut(&Crossing<'a>)) {
        let along = end - start;
        if !(start.is_finite() && along.is_finite()) {
            return;
        }
        let line = Line::new(start, end);
        let (mut places, mut boxes) = (&self.places[..], self.boxes.iter());
        for (number, mesh) in meshes.iter().enumerate() {
            let (own, others) = places.split_at(mesh.positions.len());
            places = others;
            let groups = (0..).step_by(GROUP).zip(mesh.triangles.chunks(GROUP)).zip(&mut boxes);
            for ((first, triangles), _) in groups.filter(|(_, around)| line.may_meet(around)) {
                for (triangle, &indexes) in (first..).zip(triangles) {
                    let corners = indexes.map(|index| own.get(index as usize).map(|place| Vec3::from(*place)));
                    let [Some(a), Some(b), Some(c)] = corners else { continue };
                    let corners = [a, b, c];
                    if let Some((fraction, weights)) = cross(start, along, corners) {
                        visit(&Crossing { fraction, mesh: (number, mesh), triangle, indexes, corners, weights });
                    }
                }
            }
        }
    }
}

/// Returns the corners of the box around triangles. Infinite places stay in it, and NaN does not empty it.
fn bounds(places: &[Vec3A], triangles: &[[u32; 3]]) -> [Vec3A; 2] {
    let (mut low, mut high) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
    for index in triangles.as_flattened() {
        if let Some(place) = places.get(*index as usize) {
            (low, high) = (place.min(low), place.max(high));
        }
    }
    [low, high]
}

/// Line that is compared with boxes.
struct Line {
    start: Vec3A,
    /// Inverses of the line's components, infinite where it does not move.
    inverse: Vec3A,
    farthest: f32,
}

impl Line {
    fn new(start: Vec3, end: Vec3) -> Self {
        let farthest = start.abs().max(end.abs()).max_element();
        Self { start: start.into(), inverse: (end - start).recip().into(), farthest }
    }

    /// Returns `true` unless the line misses a box by more than the error of a crossing.
    fn may_meet(&self, [low, high]: &[Vec3A; 2]) -> bool {
        let margin = MARGIN * self.farthest.max(low.abs().max(high.abs()).max_element());
        let near = (*low - margin - self.start) * self.inverse;
        let far = (*high + margin - self.start) * self.inverse;
        // A component of 0 gives infinities; on the side of the box, which is a margin away from its triangles, NaN.
        let (first, last) = (near.min(far).max_element(), near.max(far).min_element());
        let misses = first.max(0.0) > last.min(1.0);
        !misses
    }
}

/// Point at which a line crosses a triangle of a skin.
struct Crossing<'a> {
    fraction: f32,
    mesh: (usize, &'a Mesh),
    triangle: usize,
    indexes: [u32; 3],
    /// Corners of the skinned triangle.
    corners: [Vec3; 3],
    /// Barycentric weights of the corners.
    weights: [f32; 3],
}

impl Crossing<'_> {
    /// Returns the normal of the triangle's winding, not of unit length.
    fn face(&self) -> Vec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }

    /// Returns the crossing as a hit by a line along a vector; `None` for a triangle without a normal.
    fn hit(&self, along: Vec3) -> Option<SkinHit> {
        let normal = self.face().try_normalize()?;
        Some(SkinHit {
            fraction: self.fraction,
            normal: if normal.dot(along) > 0.0 { -normal } else { normal },
            mesh: self.mesh.0,
            triangle: self.triangle,
            bone: heaviest(self.mesh.1, self.indexes, self.weights),
        })
    }
}

/// Finds the first of `boxes`, posed by the model-space `bones`, on the line from `start` to `end`; model space.
///
/// Boxes on missing bones or on bones with a singular matrix are not hit.
pub fn trace_hit_boxes(boxes: &[HitBox], bones: &[Mat3x4], start: Vec3, end: Vec3) -> Option<BoxHit> {
    let mut best: Option<BoxHit> = None;
    for (number, hit_box) in boxes.iter().enumerate() {
        let Some(inverse) = bones.get(hit_box.bone).and_then(Mat3x4::inverse) else { continue };
        let [from, to] = [start, end].map(|place| inverse.transform_point(place));
        let Some((fraction, side)) = enter(from, to - from, hit_box) else { continue };
        if best.is_some_and(|best| best.fraction <= fraction) {
            continue;
        }
        // Only the transposed inverse keeps normals perpendicular under scale and shear.
        let normal = side.map_or(Vec3::ZERO, |(axis, sign)| {
            let row = &inverse.0[4 * axis..4 * axis + 3];
            (Vec3::new(row[0], row[1], row[2]) * sign).normalize_or_zero()
        });
        best = Some(BoxHit { fraction, normal, hit_box: number });
    }
    best
}

/// Intersects a trace with a triangle; returns the fraction and the barycentric weights of the corners.
fn cross(start: Vec3, along: Vec3, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    let (ab, ac) = (b - a, c - a);
    let p = along.cross(ac);
    let determinant = ab.dot(p);
    let offset = start - a;
    let v = offset.dot(p) / determinant;
    let q = offset.cross(ab);
    let w = along.dot(q) / determinant;
    let fraction = ac.dot(q) / determinant;
    // A determinant of zero gives NaN or infinities, and the comparisons fail.
    let inside = v >= 0.0 && w >= 0.0 && v + w <= 1.0 && (0.0..=1.0).contains(&fraction);
    inside.then_some((fraction, [1.0 - v - w, v, w]))
}

/// Returns the bone with the most influence at a point of a triangle, given by the weights of its corners.
fn heaviest(mesh: &Mesh, corners: [u32; 3], weights: [f32; 3]) -> Option<usize> {
    let mut sums: Vec<(u16, f32)> = Vec::with_capacity(12);
    for (corner, share) in corners.into_iter().zip(weights) {
        let influences = mesh.influences.get(corner as usize)?;
        for (&bone, &weight) in influences.bones.iter().zip(&influences.weights).filter(|(_, weight)| **weight > 0.0) {
            match sums.iter_mut().find(|(other, _)| *other == bone) {
                Some((_, sum)) => *sum += weight * share,
                None => sums.push((bone, weight * share)),
            }
        }
    }
    sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(bone, _)| bone.into())
}

/// Finds where a trace enters a box: the fraction, and the axis and sign of the side; no side if it starts inside.
fn enter(start: Vec3, along: Vec3, hit_box: &HitBox) -> Option<(f32, Option<(usize, f32)>)> {
    if !(start.is_finite() && along.is_finite()) {
        return None;
    }
    let (mut first, mut last, mut side) = (0.0f32, 1.0f32, None);
    for axis in 0..3 {
        let [low, high] = [hit_box.mins[axis] - start[axis], hit_box.maxs[axis] - start[axis]];
        if along[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let sign = -along[axis].signum();
        let [near, far] = if sign < 0.0 { [low, high] } else { [high, low] }.map(|distance| distance / along[axis]);
        if near > first {
            (first, side) = (near, Some((axis, sign)));
        }
        last = last.min(far);
    }
    (first <= last).then_some((first, side))
}

#[cfg(test)]
mod tests;
