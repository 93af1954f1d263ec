//! Surfaces of body shapes and bones, as triangles.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use skelobj::doll::Shape;
use skelobj::math::Vec3;
use skelobj::ragdoll::BodyState;

/// Number of corners around a round shape, and of rings from the equator to a pole.
const SIDES: usize = 16;
const RINGS: usize = 4;

/// Returns the triangles of a body's shape, world space.
pub fn body(body: &BodyState) -> Vec<[Vec3; 3]> {
    let [x, y, z] = body.size.map(|size| size * 0.5);
    let radius = radius(body);
    let mut triangles = match body.shape {
        Shape::Box => cuboid(Vec3::new(x, y, z)),
        Shape::Sphere => turned(&dome(radius, 0.0)),
        Shape::Capsule => turned(&dome(radius, z)),
        Shape::Cylinder => turned(&[(0.0, -z), (radius, -z), (radius, z), (0.0, z)]),
    };
    for corner in triangles.as_flattened_mut() {
        *corner = body.position + body.rotation * *corner;
    }
    triangles
}

/// Returns the lowest Z of a body's shape, world space.
pub fn lowest(body: &BodyState) -> f32 {
    let [x, y, z] = body.size.map(|size| size * 0.5);
    let radius = radius(body);
    let down = (body.rotation.inverse() * Vec3::Z).abs();
    let across = down.truncate().length();
    let reach = match body.shape {
        Shape::Box => down.dot(Vec3::new(x, y, z)),
        Shape::Sphere => radius,
        Shape::Capsule => down.z * z + radius,
        Shape::Cylinder => down.z * z + across * radius,
    };
    body.position.z - reach
}

/// Returns a long diamond from the parent of a bone to the bone, thickest near the parent, where it is at most twice
/// `thickest` wide.
pub fn bone(from: Vec3, to: Vec3, thickest: f32) -> Vec<[Vec3; 3]> {
    let Some(along) = (to - from).try_normalize() else { return Vec::new() };
    let length = from.distance(to);
    let side = along.any_orthonormal_vector() * (length * 0.09).min(thickest);
    let other = along.cross(side);
    let middle = from + along * length * 0.18;
    let ring = [middle + side, middle + other, middle - side, middle - other];
    (0..4).flat_map(|i| [[from, ring[(i + 1) % 4], ring[i]], [to, ring[i], ring[(i + 1) % 4]]]).collect()
}

/// Returns a small ball at a bone.
pub fn knob(at: Vec3, radius: f32) -> Vec<[Vec3; 3]> {
    let mut triangles = turned(&dome(radius, 0.0));
    triangles.as_flattened_mut().iter_mut().for_each(|corner| *corner += at);
    triangles
}

/// Returns the radius of a shape as [`Body::radius`](skelobj::doll::Body::radius) does; 0 for a box.
fn radius(body: &BodyState) -> f32 {
    let [x, y, z] = body.size;
    match body.shape {
        Shape::Box => 0.0,
        Shape::Sphere => (x + y + z) / 3.0,
        Shape::Capsule | Shape::Cylinder => (x + y) / 2.0,
    }
}

fn cuboid(half: Vec3) -> Vec<[Vec3; 3]> {
    let corner = |i: usize| {
        let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
        half * Vec3::new(sign(1), sign(2), sign(4))
    };
    const FACES: [[usize; 4]; 6] = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    FACES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]].map(|face| face.map(corner))).collect()
}

/// Returns the outline of a ball stretched by `half` each way, as (distance from the axis, height) from below.
fn dome(radius: f32, half: f32) -> Vec<(f32, f32)> {
    let arc = |ring: usize| -FRAC_PI_2 + PI * ring as f32 / (2 * RINGS) as f32;
    let lower = (0..=RINGS).map(|ring| (radius * arc(ring).cos(), radius * arc(ring).sin() - half));
    let upper = (RINGS..=2 * RINGS).map(|ring| (radius * arc(ring).cos(), radius * arc(ring).sin() + half));
    lower.chain(upper).collect()
}

/// Returns an outline rotated about Z.
fn turned(outline: &[(f32, f32)]) -> Vec<[Vec3; 3]> {
    let ways: [(f32, f32); SIDES] = std::array::from_fn(|side| (TAU * side as f32 / SIDES as f32).sin_cos());
    let corner = |(radius, height): (f32, f32), side: usize| {
        let (sin, cos) = ways[side % SIDES];
        Vec3::new(radius * cos, radius * sin, height)
    };
    let mut triangles = Vec::with_capacity(outline.len() * SIDES * 2);
    for pair in outline.windows(2) {
        for side in 0..SIDES {
            let [a, b] = [corner(pair[0], side), corner(pair[0], side + 1)];
            let [c, d] = [corner(pair[1], side), corner(pair[1], side + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    triangles
}
