//! Rotations of single bones: what aiming and reaching consist of.

use glam::{Mat3A, Vec3A};

use crate::math::{Mat3x4, Quat};
use crate::trig;

/// Smallest ratio of a matrix's determinant to the product of its axes' lengths, squared, that counts as invertible.
const FLAT: f32 = 1e-10;

/// Sine of the angle to a pole within which the alignment with it fades out.
const NEAR_POLE: f32 = 0.173_648_18; // 10 degrees

/// Takes points and vectors from the space of a bone's matrix into the bone's own.
#[derive(Clone, Copy)]
pub(super) struct IntoBone {
    /// Columns of the inverse of the matrix's axes.
    columns: [Vec3A; 3],
    pub origin: Vec3A,
    /// -1 for a mirrored bone, otherwise 1.
    pub handedness: f32,
}

impl IntoBone {
    /// Returns `None` for a flat or non-finite matrix.
    #[inline(always)]
    pub fn new(matrix: &Mat3x4) -> Option<Self> {
        let rows = matrix.rows();
        let [x, y, z] = rows.map(Vec3A::from_vec4);
        // The columns of an inverse are the cross products of the rows, over the determinant.
        let first = y.cross(z);
        let determinant = x.dot(first);
        let sizes = x.length_squared() * y.length_squared() * z.length_squared();
        let is_regular = determinant * determinant > FLAT * sizes && sizes < f32::INFINITY;
        if !is_regular {
            return None;
        }
        let scale = 1.0 / determinant;
        let columns = [first * scale, z.cross(x) * scale, x.cross(y) * scale];
        let origin = Vec3A::new(rows[0].w, rows[1].w, rows[2].w);
        Some(Self { columns, origin, handedness: 1f32.copysign(determinant) })
    }

    #[inline(always)]
    pub fn vector(&self, vector: Vec3A) -> Vec3A {
        let [x, y, z] = self.columns;
        x * vector.x + y * vector.y + z * vector.z
    }

    #[inline(always)]
    pub fn point(&self, point: Vec3A) -> Vec3A {
        self.vector(point - self.origin)
    }
}

/// Rotates a bone about its own origin: `bone * rotation`. The origin keeps its bits.
#[inline(always)]
pub(super) fn rotate(bone: &mut Mat3x4, rotation: Quat) {
    *bone = (*bone * matrix(rotation)).with_origin(bone.origin());
}

#[inline(always)]
pub(super) fn matrix(rotation: Quat) -> Mat3x4 {
    Mat3x4::from_translation_rotation_scale([0.0; 3], rotation.to_array(), [1.0; 3])
}

/// Returns the rotation about a unit vector by an angle, radians.
#[inline(always)]
pub(super) fn about(axis: Vec3A, angle: f32) -> Quat {
    let half = f64::from(angle) / 2.0;
    Quat::from_vec4((axis * trig::sin(half) as f32).extend(trig::cos(half) as f32))
}

/// Applies the axes of a matrix to a vector.
#[inline(always)]
pub(super) fn applied(matrix: &Mat3x4, vector: Vec3A) -> Vec3A {
    let [x, y, z] = matrix.rows().map(Vec3A::from_vec4);
    Mat3A::from_cols(x, y, z).transpose() * vector
}

/// Returns the rotation by the shortest arc from one unit vector to another; about `otherwise`, a unit vector across
/// both, if they are opposite.
#[inline(always)]
pub(super) fn arc(from: Vec3A, to: Vec3A, otherwise: impl FnOnce() -> Vec3A) -> Quat {
    let w = 1.0 + from.dot(to);
    let rotation = Quat::from_vec4(from.cross(to).extend(w));
    if w > 1e-6 { rotation.normalize() } else { Quat::from_vec4(otherwise().extend(0.0)) }
}

/// Returns a part of a rotation of at most half a turn, from 0 (none) to 1 (all of it).
#[inline(always)]
pub(super) fn part(rotation: Quat, weight: f32) -> Quat {
    if weight >= 1.0 {
        return rotation;
    }
    let [x, y, z, w] = rotation.to_array();
    let part = Quat::from_xyzw(x * weight, y * weight, z * weight, 1.0 + (w - 1.0) * weight);
    // The shortest is 0, halfway into half a turn.
    part * part.length_squared().max(f32::MIN_POSITIVE).sqrt().recip()
}

/// Returns a part of the rotation about a unit vector that brings `from` to the side of `to`.
///
/// It fades out where `to` nears the line of `about`. With a weight below 1 it also does where it nears half a turn, as
/// its direction jumps there.
#[inline(always)]
pub(super) fn roll(about: Vec3A, from: Vec3A, to: Vec3A, weight: f32) -> Quat {
    roll_by(about, from, to, |half_cosine, distance, size| {
        let mut amount = weight;
        if weight < 1.0 {
            amount *= (half_cosine / (1.0 - weight)).min(1.0);
        }
        if distance < size * (NEAR_POLE * NEAR_POLE) {
            amount *= (distance / size).sqrt() * (1.0 / NEAR_POLE);
        }
        amount
    })
}

/// Returns a part of the rotation about a unit vector that brings `from` to the side of `to`. A function computes the
/// part from the cosine of half the angle, the square of the distance of `to` from the line of `about`, and the square
/// of the length of `to`.
#[inline(always)]
pub(super) fn roll_by(about: Vec3A, from: Vec3A, to: Vec3A, amount: impl FnOnce(f32, f32, f32) -> f32) -> Quat {
    let along = about.dot(from);
    let (from_across, beside) = (from - about * along, to - about * about.dot(to));
    let (size, distance) = (to.length_squared(), beside.length_squared());
    let own = from_across.length_squared();
    let product = (own * distance).sqrt();
    // A direction along the line has no side.
    let is_across = product > 0.0 && own > 1e-6 * along * along;
    if !is_across {
        return Quat::IDENTITY;
    }
    let scale = 1.0 / product;
    let (cosine, sine) = (from_across.dot(beside) * scale, about.dot(from_across.cross(beside)) * scale);
    let (half_cosine, half_sine) = half(cosine, sine);
    part(Quat::from_vec4((about * half_sine).extend(half_cosine)), amount(half_cosine, distance, size))
}

/// Returns the cosine and sine of half an angle from -180 to 180 degrees.
#[inline(always)]
pub(super) fn half(cosine: f32, sine: f32) -> (f32, f32) {
    // Of the two, the square root gives the greater one, and without cancellation.
    let greater = (0.5 + 0.5 * cosine.abs()).sqrt();
    let lesser = 0.5 * sine / greater;
    if cosine >= 0.0 { (greater, lesser) } else { (lesser.abs(), greater.copysign(sine)) }
}
