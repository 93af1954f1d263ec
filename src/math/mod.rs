//! Matrices, Quake angles and axes: the one place where signs are flipped.
//!
//! Space is Quake's: X forward, Y left, Z up. A bone is twelve floats, row-major 3x4, for column vectors:
//! column 0 is forward, column 1 **left**, column 2 up, column 3 the origin. Scripts speak of *right*, which
//! is minus column 1; [`Axes`] is where that sign lives.

mod convert;
pub(crate) mod hierarchy;
mod number;

use bytemuck::{Pod, Zeroable};
use glam::Vec4;
pub use glam::{Quat, Vec3};
pub use number::truncate;
#[cfg(feature = "qc")]
pub(crate) use number::{all_finite, finite_number, handle, id_number};

use crate::trig::{cos, sin};

/// A bone's transform: 3 rows x 4 columns, row-major, as `skel_mmap` (builtin #282) shows it.
///
/// `[fwd.x, left.x, up.x, org.x, fwd.y, left.y, up.y, org.y, fwd.z, left.z, up.z, org.z]`. It may hold any affine
/// transform, also scaled or sheared ones: blending is linear and nothing is renormalised.
///
/// It converts from and into [`glam::Affine3A`] and [`glam::Mat4`] (`Mat3x4::from(affine)`, `glam::Mat4::from(bone)`);
/// the bits stay the same.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// let lift = Mat3x4::from_translation(Vec3::new(0.0, 0.0, 10.0));
/// assert_eq!((lift * lift).origin(), Vec3::new(0.0, 0.0, 20.0));
/// ```
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mat3x4(pub [f32; 12]);

impl Mat3x4 {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    /// All twelve floats zero: what a bone holds before it is built.
    pub const ZERO: Self = Self([0.0; 12]);

    /// A pure translation.
    #[inline]
    #[must_use]
    pub fn from_translation(origin: Vec3) -> Self {
        Self::from_columns(Vec3::X, Vec3::Y, Vec3::Z, origin)
    }

    /// The matrix with these columns.
    #[inline]
    #[must_use]
    pub fn from_columns(forward: Vec3, left: Vec3, up: Vec3, origin: Vec3) -> Self {
        Self([forward.x, left.x, up.x, origin.x, forward.y, left.y, up.y, origin.y, forward.z, left.z, up.z, origin.z])
    }

    /// The matrix of script vectors: `right` becomes minus the left column. Nothing is normalised.
    #[inline]
    #[must_use]
    pub fn from_axes(axes: Axes, origin: Vec3) -> Self {
        Self::from_columns(axes.forward, -axes.right, axes.up, origin)
    }

    /// Translation, rotation (x, y, z, w; **used as stored, not normalised**) and scale, scale applied first.
    ///
    /// The order of operations is FTE's, so that poses baked from a file have the same bits there and here.
    #[must_use]
    pub fn from_translation_rotation_scale(t: [f32; 3], q: [f32; 4], s: [f32; 3]) -> Self {
        let [x, y, z, w] = q;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (xw, yw, zw) = (w * x2, w * y2, w * z2);
        Self([
            s[0] * (1.0 - (yy + zz)),
            s[1] * (xy - zw),
            s[2] * (xz + yw),
            t[0],
            s[0] * (xy + zw),
            s[1] * (1.0 - (xx + zz)),
            s[2] * (yz - xw),
            t[1],
            s[0] * (xz - yw),
            s[1] * (yz + xw),
            s[2] * (1.0 - (xx + yy)),
            t[2],
        ])
    }

    /// Returns the rigid transform that turns by `rotation`, a unit quaternion, and then moves to `origin`.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let quarter_turn = Quat::from_rotation_z(90f32.to_radians());
    /// let entity = Mat3x4::from_rotation_translation(quarter_turn, Vec3::new(100.0, 0.0, 24.0));
    /// let ahead = entity.transform_point(Vec3::X * 10.0);
    /// assert!((ahead - Vec3::new(100.0, 10.0, 24.0)).length() < 1e-4);
    /// ```
    #[must_use]
    pub fn from_rotation_translation(rotation: Quat, origin: Vec3) -> Self {
        Self::from_columns(rotation * Vec3::X, rotation * Vec3::Y, rotation * Vec3::Z, origin)
    }

    /// Column 0.
    #[inline]
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        self.column(0)
    }

    /// Column 1. Scripts see its negative, as `v_right`.
    #[inline]
    #[must_use]
    pub fn left(&self) -> Vec3 {
        self.column(1)
    }

    /// Column 2.
    #[inline]
    #[must_use]
    pub fn up(&self) -> Vec3 {
        self.column(2)
    }

    /// Column 3.
    #[inline]
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.column(3)
    }

    /// The three axes as scripts see them.
    #[inline]
    #[must_use]
    pub fn axes(&self) -> Axes {
        Axes { forward: self.forward(), right: -self.left(), up: self.up() }
    }

    /// Returns the rows, as vectors that stay in registers.
    #[inline]
    pub(crate) fn rows(&self) -> [Vec4; 3] {
        let [x, y, z]: [[f32; 4]; 3] = bytemuck::cast(self.0);
        [Vec4::from_array(x), Vec4::from_array(y), Vec4::from_array(z)]
    }

    #[inline]
    fn column(&self, i: usize) -> Vec3 {
        Vec3::new(self.0[i], self.0[4 + i], self.0[8 + i])
    }

    /// Replaces the origin, keeping the axes.
    #[inline]
    #[must_use]
    pub fn with_origin(mut self, origin: Vec3) -> Self {
        [self.0[3], self.0[7], self.0[11]] = origin.to_array();
        self
    }

    /// Transforms a point: rotation and translation.
    #[must_use]
    pub fn transform_point(&self, p: Vec3) -> Vec3 {
        self.transform_vector(p) + self.origin()
    }

    /// Transforms a direction: no translation.
    #[must_use]
    pub fn transform_vector(&self, v: Vec3) -> Vec3 {
        let m = &self.0;
        Vec3::new(
            m[0] * v.x + m[1] * v.y + m[2] * v.z,
            m[4] * v.x + m[5] * v.y + m[6] * v.z,
            m[8] * v.x + m[9] * v.y + m[10] * v.z,
        )
    }

    /// The true affine inverse, also of scaled and sheared matrices; `None` when there is none (a zero or flat
    /// matrix, or one that is not finite).
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let (f, l, u) = (self.forward().as_dvec3(), self.left().as_dvec3(), self.up().as_dvec3());
        let det = f.dot(l.cross(u));
        let size = f.length() * l.length() * u.length();
        if !det.is_finite() || det.abs() <= size * 1e-9 || size == 0.0 {
            return None;
        }
        let rows = [l.cross(u) / det, u.cross(f) / det, f.cross(l) / det];
        let origin = self.origin().as_dvec3();
        let mut out = [0.0; 12];
        for (i, row) in rows.iter().enumerate() {
            out[4 * i..4 * i + 3].copy_from_slice(&row.as_vec3().to_array());
            out[4 * i + 3] = -row.dot(origin) as f32;
        }
        Self(out).is_finite().then_some(Self(out))
    }

    /// The inverse of a rotation with one uniform scale, taken from the first row, as both engines compute inverse bind
    /// matrices. A zero first row gives the identity, for no vertex can hang on such a bone, and so does one so small
    /// or odd that the inverse is not finite.
    #[must_use]
    pub fn inverse_uniform(&self) -> Self {
        let m = &self.0;
        let scale = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
        let scale = 1.0 / scale;
        if !scale.is_finite() {
            return Self::IDENTITY;
        }
        let mut out = [0.0; 12];
        for r in 0..3 {
            for c in 0..3 {
                out[4 * r + c] = m[4 * c + r] * scale;
            }
        }
        for r in 0..3 {
            out[4 * r + 3] = -(out[4 * r] * m[3] + out[4 * r + 1] * m[7] + out[4 * r + 2] * m[11]);
        }
        if Self(out).is_finite() { Self(out) } else { Self::IDENTITY }
    }

    /// The nearest rotation: axes made orthonormal starting with forward, a mirrored matrix unmirrored. Zero or
    /// non-finite axes give the identity.
    #[must_use]
    pub fn rotation(&self) -> Quat {
        let Some(f) = self.forward().try_normalize() else { return Quat::IDENTITY };
        let left = self.left();
        let Some(l) = (left - f * f.dot(left)).try_normalize() else { return Quat::IDENTITY };
        Quat::from_mat3(&glam::Mat3::from_cols(f, l, f.cross(l))).normalize()
    }

    /// Returns the factor by which lengths grow: the mean length of the axes; 1 for a rotation.
    #[must_use]
    pub fn scale(&self) -> f32 {
        let scale = (self.forward().length() + self.left().length() + self.up().length()) / 3.0;
        // A rotation's rounding is no scale.
        if (scale - 1.0).abs() < 1e-4 { 1.0 } else { scale }
    }

    /// Returns whether all twelve floats are finite.
    #[inline]
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // Zero times a number is zero, but NaN times what is none.
        let [x, y, z] = self.rows();
        !((x * 0.0 + y * 0.0) + z * 0.0).is_nan()
    }

    /// Returns whether all twelve floats are finite and none is further from 0 than this.
    #[inline]
    pub(crate) fn is_within(&self, most: f32) -> bool {
        let is_within = |row: Vec4| row.abs().cmple(Vec4::splat(most));
        let [x, y, z] = self.rows();
        (is_within(x) & is_within(y) & is_within(z)).all()
    }
}

/// `a * b` applies `b` first. Sums run left to right without fused multiply-add, so results have FTE's bits.
impl std::ops::Mul for Mat3x4 {
    type Output = Mat3x4;

    #[inline]
    fn mul(self, b: Mat3x4) -> Mat3x4 {
        let b = b.rows();
        let row = |a: Vec4| {
            // Adding -0 changes no number, not even a 0 of either sign.
            let row = Vec4::splat(a.x) * b[0] + Vec4::splat(a.y) * b[1] + Vec4::splat(a.z) * b[2];
            (row + Vec4::new(-0.0, -0.0, -0.0, a.w)).to_array()
        };
        let [x, y, z] = self.rows();
        Mat3x4(bytemuck::cast([row(x), row(y), row(z)]))
    }
}

/// Three directions as scripts hold them in `v_forward`, `v_right` and `v_up`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axes {
    /// Column 0 of a bone.
    pub forward: Vec3,
    /// **Minus** column 1 of a bone.
    pub right: Vec3,
    /// Column 2 of a bone.
    pub up: Vec3,
}

impl Axes {
    /// Unrotated axes: forward X, right -Y, up Z.
    pub const IDENTITY: Self = Self { forward: Vec3::X, right: Vec3::NEG_Y, up: Vec3::Z };

    /// Quake's `makevectors` (builtin #1): pitch, yaw and roll in **degrees**; positive pitch looks down.
    ///
    /// ```
    /// use skelobj::math::{Axes, Vec3};
    /// let axes = Axes::from_angles(Vec3::new(0.0, 90.0, 0.0));
    /// assert!((axes.forward - Vec3::Y).length() < 1e-6);
    /// ```
    #[must_use]
    pub fn from_angles(angles: Vec3) -> Self {
        let sin_cos = |degrees: f32| {
            // Through f64, as C does: the radian angle is rounded to f32, its sine once more.
            let radians = (f64::from(degrees) * (std::f64::consts::TAU / 360.0)) as f32;
            (sin(radians.into()) as f32, cos(radians.into()) as f32)
        };
        let (sp, cp) = sin_cos(angles.x);
        let (sy, cy) = sin_cos(angles.y);
        let (sr, cr) = sin_cos(angles.z);
        Self {
            forward: Vec3::new(cp * cy, cp * sy, -sp),
            right: Vec3::new(-sr * sp * cy + cr * sy, -sr * sp * sy - cr * cy, -sr * cp),
            up: Vec3::new(cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp),
        }
    }

    /// Computes [`from_angles`](Self::from_angles) in f64, rounded once at the end: closer to the truth, but not FTE's
    /// bits.
    #[must_use]
    pub fn from_angles_f64(angles: Vec3) -> Self {
        let [(sp, cp), (sy, cy), (sr, cr)] = angles.to_array().map(|angle| {
            let radians = f64::from(angle).to_radians();
            (sin(radians), cos(radians))
        });
        let vector = |x: f64, y: f64, z: f64| Vec3::new(x as f32, y as f32, z as f32);
        Self {
            forward: vector(cp * cy, cp * sy, -sp),
            right: vector(-sr * sp * cy + cr * sy, -sr * sp * sy - cr * cy, -sr * cp),
            up: vector(cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp),
        }
    }

    /// Scales the three directions.
    #[inline]
    #[must_use]
    pub fn scaled(self, scale: f32) -> Self {
        Self { forward: self.forward * scale, right: self.right * scale, up: self.up * scale }
    }
}

/// The place of an entity in the world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntityTransform {
    /// World position, Quake units.
    pub origin: Vec3,
    /// Pitch, yaw, roll in degrees, as the entity's `angles` field holds them.
    pub angles: Vec3,
    /// Size relative to the model; the entity's `scale` field, where 0 stands for 1 (a field that no game set).
    pub scale: f32,
}

impl EntityTransform {
    /// The world's origin, unturned, as large as its model.
    pub const IDENTITY: Self = Self { origin: Vec3::ZERO, angles: Vec3::ZERO, scale: 1.0 };

    /// Makes the transform of an entity that is as large as its model.
    #[must_use]
    pub fn new(origin: Vec3, angles: Vec3) -> Self {
        Self { origin, angles, scale: 1.0 }
    }

    /// Returns the factor that the scale stands for.
    pub(crate) fn factor(&self) -> f32 {
        if self.scale == 0.0 { 1.0 } else { self.scale }
    }

    /// Returns the same place and angles at another scale.
    #[must_use]
    pub fn with_scale(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Returns the matrix from model space to world space for an entity with a mesh model: pitch is multiplied by
    /// `mesh_pitch` (the cvar `r_meshpitch`, -1 in Quake: positive pitch tilts a mesh **up**), roll by `mesh_roll`
    /// (`r_meshroll`, 1).
    #[must_use]
    pub fn to_world(&self, mesh_pitch: f32, mesh_roll: f32) -> Mat3x4 {
        let angles = Vec3::new(self.angles.x * mesh_pitch, self.angles.y, self.angles.z * mesh_roll);
        Mat3x4::from_axes(Axes::from_angles(angles).scaled(self.factor()), self.origin)
    }
}
