//! Shapes fitted to vertices, hit boxes or bare bones.

use super::anatomy::Part;
use super::bones::{Limb, corners};
use crate::doll::Shape;
use crate::math::{Mat3x4, Quat, Vec3};
use crate::model::HitBox;

/// Shape in the reference pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid {
    pub(super) shape: Shape,
    /// Centre, model space.
    pub(super) centre: Vec3,
    /// Rotation from the shape's axes to model space.
    pub(super) turn: Quat,
    /// Half extents of a box, along its axes. Capsule: the radius is X, half the length without the ends is Z. Sphere:
    /// the radius is X.
    pub(super) half: Vec3,
    /// `true` if the shape lies between its bone and the limb's other end.
    pub(super) is_along: bool,
    pub(super) source: Source,
}

/// Origin of a shape.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Source {
    /// Number of vertices.
    Skin(usize),
    /// Number of hit boxes.
    HitBoxes(usize),
    /// Length of the bone.
    Bone,
}

impl Solid {
    /// Returns the volume, cubic Quake units.
    pub(super) fn volume(&self) -> f32 {
        let radius = self.half.x;
        let ball = 4.0 / 3.0 * std::f32::consts::PI * (radius * radius * radius);
        match self.shape {
            Shape::Sphere => ball,
            Shape::Capsule => ball + std::f32::consts::PI * radius * radius * 2.0 * self.half.z,
            _ => 8.0 * self.half.element_product(),
        }
    }

    /// Returns the half extents along the shape's axes.
    fn extents(&self) -> Vec3 {
        match self.shape {
            Shape::Capsule => self.half + Vec3::Z * self.half.x,
            _ => self.half,
        }
    }

    /// Returns the longest extent.
    pub(super) fn length(&self) -> f32 {
        2.0 * self.extents().max_element()
    }

    /// Returns the mirror image; `normal` and `through` describe the plane.
    pub(super) fn mirrored(self, normal: Vec3, through: f32) -> Self {
        let centre = self.centre - normal * (2.0 * (normal.dot(self.centre) - through));
        Self { centre, turn: (half_turn(normal) * self.turn).normalize(), ..self }
    }
}

/// Returns half a turn about an axis of length 1.
pub(super) fn half_turn(axis: Vec3) -> Quat {
    Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0)
}

/// Thinnest half extent, as a share of the model's size: thinner bodies sink into floors.
const THINNEST: f32 = 0.011;
/// Share of the vertices that may stick out at each end.
const OUTSIDE: f32 = 0.03;
/// Length of a limb relative to its thickness from which it is a capsule.
const SLENDER: f32 = 1.35;
/// Width relative to thickness up to which a limb is a capsule.
const FLAT: f32 = 2.2;

/// Number of vertices from which their extents say something about a shape.
const TELLING: usize = 8;
/// Ratio of the extents of a shape to those of the vertices that its body alone moves, or the other way round, from
/// which the shape is not theirs.
const UNLIKE: f32 = 2.8;

/// Fits a shape to a body's vertices, or to its hit boxes if it has some.
pub(super) fn fit(limb: &Limb, part: Part, reference: &[Mat3x4], boxes: &[HitBox], size: f32) -> Solid {
    if !boxes.is_empty() {
        let solid = around_boxes(limb, part, boxes, reference, size);
        if is_like(&solid, &limb.moved) {
            return solid;
        }
    }
    if limb.points.is_empty() {
        return along_bone(limb, reference, size);
    }
    let points = [&limb.points[..], &limb.border].concat();
    let solid = around(limb, part, &points, limb.points.len(), reference, size);
    if is_like(&solid, &limb.moved) {
        return solid;
    }
    around(limb, part, &limb.moved, limb.moved.len(), reference, size)
}

/// Returns `true` unless a shape is far larger or smaller than the vertices that its body alone moves.
pub(super) fn is_like(solid: &Solid, moved: &[Vec3]) -> bool {
    if moved.len() < TELLING {
        return true;
    }
    let sorted = |half: Vec3| {
        let mut sides = half.to_array();
        sides.sort_by(|a, b| b.total_cmp(a));
        sides
    };
    let (low, high) = bounds(moved, solid.turn);
    let (shape, moved) = (sorted(solid.extents()), sorted((high - low) / 2.0));
    let is_large = shape[0] > UNLIKE * moved[0] || shape[1] > UNLIKE * moved[1].max(moved[0] / UNLIKE);
    !is_large && shape[0] * UNLIKE > moved[0]
}

/// Fits a shape to points, which are those of `count` vertices, and perhaps others.
fn around(limb: &Limb, part: Part, points: &[Vec3], count: usize, reference: &[Mat3x4], size: f32) -> Solid {
    let bone = &reference[limb.bone];
    let source = Source::Skin(count);
    let end = limb.toward.map(|bone| reference[bone].origin());
    if let Some(direction) = end.and_then(|end| (end - bone.origin()).try_normalize()) {
        let turn = arc(bone, direction);
        let (low, high) = bounds(points, turn);
        let half = (high - low) / 2.0;
        let is_limb = half.z > half.x.max(half.y) * 0.8 && half.x.max(half.y) < FLAT * half.x.min(half.y).max(1e-6);
        if is_limb && !matches!(part, Part::Pelvis | Part::Spine) {
            let mut solid = capsule(turn * ((low + high) / 2.0), turn, half, size, source);
            solid.is_along = true;
            return solid;
        }
    }
    // The bone's own axes are preferred, because they need no angles.
    let bone_turn = bone.rotation();
    let frames = [(bone_turn, 1.0), (Quat::IDENTITY, 1.1), (principal(points), 1.25)];
    let volume = |turn: Quat| {
        let (low, high) = bounds(points, turn);
        ((high - low) / 2.0).max(Vec3::splat(size * THINNEST)).element_product()
    };
    let mut best = (bone_turn, f32::INFINITY);
    for (turn, price) in frames {
        let cost = volume(turn) * price;
        if cost < best.1 {
            best = (turn, cost);
        }
    }
    let turn = best.0;
    let (low, high) = bounds(points, turn);
    let centre = turn * ((low + high) / 2.0);
    chosen(centre, turn, (high - low) / 2.0, part, roundness(points, turn, centre), size, source)
}

/// Returns the shape that suits the proportions. `roundness` is 1 for a ball and about 1.7 for a box.
fn chosen(centre: Vec3, turn: Quat, half: Vec3, part: Part, roundness: f32, size: f32, source: Source) -> Solid {
    let half = half.max(Vec3::splat(size * THINNEST));
    let (long, turned) = longest_last(half);
    let (wide, thin) = (long.x.max(long.y), long.x.min(long.y));
    let is_limb = matches!(part, Part::Hand | Part::Foot | Part::UpperArm | Part::Forearm | Part::Thigh | Part::Shin);
    let is_trunk = matches!(part, Part::Pelvis | Part::Spine);
    let slender = long.z > SLENDER * wide && wide < FLAT * thin;
    let is_round = roundness < 1.35;
    if is_round && (part == Part::Head && long.z < 1.6 * thin || !is_trunk && long.z < 1.3 * thin) {
        let radius = (long.x + long.y + long.z) / 3.0;
        return Solid { shape: Shape::Sphere, centre, turn, half: Vec3::splat(radius), is_along: false, source };
    }
    let is_head = part == Part::Head && is_round;
    if !is_trunk && (slender || is_limb && long.z > 1.2 * (long.x + long.y) / 2.0) || is_head {
        return capsule(centre, turn * turned, long, size, source);
    }
    Solid { shape: Shape::Box, centre, turn, half, is_along: false, source }
}

/// Returns half extents with the longest as Z, and the rotation from the new axes to the old.
fn longest_last(half: Vec3) -> (Vec3, Quat) {
    let (h, s) = (half, 0.5);
    // A third of a turn about the diagonal exchanges the axes.
    match () {
        () if h.z >= h.x && h.z >= h.y => (h, Quat::IDENTITY),
        () if h.x >= h.y => (Vec3::new(h.y, h.z, h.x), Quat::from_xyzw(s, s, s, s)),
        () => (Vec3::new(h.z, h.x, h.y), Quat::from_xyzw(-s, -s, -s, s)),
    }
}

fn capsule(centre: Vec3, turn: Quat, half: Vec3, size: f32, source: Source) -> Solid {
    let radius = ((half.x + half.y) / 2.0).max(size * THINNEST);
    let straight = (half.z - radius).max(radius * 0.1);
    Solid { shape: Shape::Capsule, centre, turn, half: Vec3::new(radius, radius, straight), is_along: false, source }
}

/// Returns the rotation that `orient` gives a body: the bone's, turned the short way until its Z has the direction.
pub(super) fn arc(bone: &Mat3x4, direction: Vec3) -> Quat {
    let own = bone.rotation();
    (own * Quat::from_rotation_arc(Vec3::Z, (own.inverse() * direction).normalize_or(Vec3::Z))).normalize()
}

/// Returns the bounds of most points along the axes of a rotation.
fn bounds(points: &[Vec3], turn: Quat) -> (Vec3, Vec3) {
    let back = turn.inverse();
    let turned: Vec<Vec3> = points.iter().map(|point| back * *point).collect();
    let outside = (points.len() as f32 * OUTSIDE) as usize;
    let axis = |axis: usize| {
        let mut along: Vec<f32> = turned.iter().map(|point| point[axis]).collect();
        along.sort_unstable_by(f32::total_cmp);
        (along[outside], along[along.len() - 1 - outside])
    };
    let [x, y, z] = [axis(0), axis(1), axis(2)];
    (Vec3::new(x.0, y.0, z.0), Vec3::new(x.1, y.1, z.1))
}

/// Returns a high quantile of the points' distances from the centre, measured in half extents.
fn roundness(points: &[Vec3], turn: Quat, centre: Vec3) -> f32 {
    let (low, high) = bounds(points, turn);
    let half = ((high - low) / 2.0).max(Vec3::splat(1e-6));
    let mut far: Vec<f32> = points.iter().map(|point| (turn.inverse() * (*point - centre) / half).length()).collect();
    far.sort_unstable_by(f32::total_cmp);
    far[far.len() * 9 / 10]
}

/// Returns the rotation of the points' principal axes.
fn principal(points: &[Vec3]) -> Quat {
    let count = points.len() as f32;
    let mean = points.iter().sum::<Vec3>() / count;
    let spread = |along: Vec3| points.iter().map(|p| (*p - mean) * (*p - mean).dot(along)).sum::<Vec3>() / count;
    let columns = [spread(Vec3::X), spread(Vec3::Y), spread(Vec3::Z)];
    let first = strongest(columns, Vec3::new(0.577, 0.59, 0.565));
    let rest = columns.map(|column| column - first * first.dot(column));
    let second = strongest(rest, first.any_orthonormal_vector());
    let second = (second - first * first.dot(second)).try_normalize().unwrap_or(first.any_orthonormal_vector());
    let matrix = Mat3x4::from_columns(second, first.cross(second), first, Vec3::ZERO);
    matrix.rotation()
}

/// Returns the direction that a symmetric matrix stretches most.
pub(super) fn strongest(columns: [Vec3; 3], start: Vec3) -> Vec3 {
    let mut direction = start;
    for _step in 0..40 {
        let next = columns[0] * direction.x + columns[1] * direction.y + columns[2] * direction.z;
        match next.try_normalize() {
            Some(next) => direction = next,
            None => return start.normalize_or(Vec3::Z),
        }
    }
    direction
}

fn around_boxes(limb: &Limb, part: Part, boxes: &[HitBox], reference: &[Mat3x4], size: f32) -> Solid {
    let turn = reference[limb.bone].rotation();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for hit_box in boxes {
        for corner in corners(hit_box.mins, hit_box.maxs) {
            let at = turn.inverse() * reference[hit_box.bone].transform_point(corner);
            (low, high) = (low.min(at), high.max(at));
        }
    }
    let centre = turn * ((low + high) / 2.0);
    chosen(centre, turn, (high - low) / 2.0, part, 1.7, size, Source::HitBoxes(boxes.len()))
}

/// Thickness of a limb without a skin, as a share of its length.
const BARE: f32 = 0.15;
/// Least radius of a limb without a skin, Quake units. Contacts may be 0.04 units deep; thinner limbs lie in the floor,
/// where they tremble.
const BARE_LEAST: f32 = 0.05;

fn along_bone(limb: &Limb, reference: &[Mat3x4], size: f32) -> Solid {
    let bone = &reference[limb.bone];
    let way = limb.toward.map(|end| reference[end].origin() - bone.origin());
    let length = way.map_or(0.0, Vec3::length);
    if let Some(direction) = way.and_then(Vec3::try_normalize) {
        let radius = (length * BARE).max(BARE_LEAST);
        let half = Vec3::new(radius, radius, length / 2.0);
        let turn = arc(bone, direction);
        let centre = bone.origin() + direction * (length / 2.0);
        return Solid { is_along: true, ..capsule(centre, turn, half, size, Source::Bone) };
    }
    let radius = Vec3::splat((size * 0.04).max(BARE_LEAST));
    let (centre, turn) = (bone.origin(), bone.rotation());
    Solid { shape: Shape::Sphere, centre, turn, half: radius, is_along: false, source: Source::Bone }
}
