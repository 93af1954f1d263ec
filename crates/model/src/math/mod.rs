//! Matrices, angles and axes in Quake's coordinate system.
//!
//! X points forward, Y left and Z up; lengths are Quake units. A [`Mat3x4`] is a row-major 3x4 matrix for column
//! vectors: column 0 is forward, column 1 **left**, column 2 up, column 3 the origin. QuakeC speaks of *right*, which
//! is minus column 1; [`Axes`] holds vectors with that sign. No other module of the crate flips a sign.

pub(crate) mod branches;
pub(crate) mod convert;
pub(crate) mod hierarchy;
pub(crate) mod rows;
mod scale;
pub(crate) mod script_number;

use bytemuck::{Pod, Zeroable};
use glam::Vec4;
pub use glam::{Quat, Vec3};
pub use script_number::truncate;

use crate::trig::{cos, sin};

/// Affine transform of a bone or an entity: 3 rows by 4 columns, row-major, the layout of `skel_mmap` (builtin #282).
///
/// The floats are `[fwd.x, left.x, up.x, org.x, fwd.y, left.y, up.y, org.y, fwd.z, left.z, up.z, org.z]`. Scaled and
/// sheared transforms are allowed: poses blend linearly, and nothing is renormalised.
///
/// `Mat3x4` converts from and into [`glam::Affine3A`] and [`glam::Mat4`] without changing a bit.
///
/// ```
/// use skelobj::math::{Mat3x4, Quat, Vec3};
/// let lift = Mat3x4::from_translation(Vec3::Z * 10.0);
/// let turn = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.5), Vec3::ZERO);
/// assert_eq!((turn * lift).origin(), Vec3::Z * 10.0); // lifts first, then turns
/// let affine = skelobj::glam::Affine3A::from_translation(Vec3::Z * 10.0);
/// assert_eq!(Mat3x4::from(affine), lift);
/// ```
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mat3x4(pub [f32; 12]);

impl Mat3x4 {
    /// Identity transform.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    /// Matrix of twelve zeros, the value of a bone before it is built.
    pub const ZERO: Self = Self([0.0; 12]);

    /// Returns a translation, without rotation or scale.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let step = Mat3x4::from_translation(Vec3::X * 16.0);
    /// assert_eq!(step.transform_point(Vec3::Z * 24.0), Vec3::new(16.0, 0.0, 24.0));
    /// ```
    #[inline]
    #[must_use]
    pub fn from_translation(origin: Vec3) -> Self {
        Self::from_columns(Vec3::X, Vec3::Y, Vec3::Z, origin)
    }

    /// Returns the matrix with the given columns.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// // A quarter turn to the left: forward becomes Y.
    /// let turned = Mat3x4::from_columns(Vec3::Y, Vec3::NEG_X, Vec3::Z, Vec3::ZERO);
    /// assert_eq!(turned.transform_vector(Vec3::X * 5.0), Vec3::Y * 5.0);
    /// ```
    #[inline]
    #[must_use]
    pub fn from_columns(forward: Vec3, left: Vec3, up: Vec3, origin: Vec3) -> Self {
        Self([forward.x, left.x, up.x, origin.x, forward.y, left.y, up.y, origin.y, forward.z, left.z, up.z, origin.z])
    }

    /// Returns the matrix with the axes of a script; column 1 is minus `right`. Nothing is normalised.
    ///
    /// ```
    /// use skelobj::math::{Axes, Mat3x4, Vec3};
    /// let facing = Axes::from_angles(Vec3::new(0.0, 45.0, 0.0)); // yaw
    /// let bone = Mat3x4::from_axes(facing, Vec3::Z * 24.0);
    /// assert_eq!(bone.left(), -facing.right);
    /// assert_eq!(bone.axes(), facing);
    /// ```
    #[inline]
    #[must_use]
    pub fn from_axes(axes: Axes, origin: Vec3) -> Self {
        Self::from_columns(axes.forward, -axes.right, axes.up, origin)
    }

    /// Returns the transform that scales by `s`, rotates by the quaternion `q` (x, y, z, w) and translates by `t`.
    ///
    /// The quaternion is **used as stored, not normalised**. The order of operations is FTE's, so that poses baked from
    /// a file have FTE's bits.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let half_turn = [0.0, 0.0, 1.0, 0.0]; // about Z
    /// let bone = Mat3x4::from_translation_rotation_scale([0.0, 0.0, 4.0], half_turn, [2.0; 3]);
    /// assert_eq!(bone.transform_point(Vec3::X), Vec3::new(-2.0, 0.0, 4.0));
    /// ```
    #[inline]
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

    /// Returns the rigid transform that rotates by the unit quaternion `rotation` and then translates by `origin`.
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

    /// Returns the forward axis, column 0.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(1.0), Vec3::ZERO);
    /// assert!(entity.forward().distance(Vec3::new(1f32.cos(), 1f32.sin(), 0.0)) < 1e-6);
    /// ```
    #[inline]
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        self.column(0)
    }

    /// Returns the left axis, column 1; QuakeC has its negative in `v_right`.
    #[inline]
    #[must_use]
    pub fn left(&self) -> Vec3 {
        self.column(1)
    }

    /// Returns the up axis, column 2.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// // The up axis of the mannequin's bones runs along the limb: a thigh points at the floor.
    /// let thigh = mannequin.skeleton.find("thigh_l").ok_or("no thigh")?;
    /// assert!(mannequin.skeleton.bind_model()[thigh].up().dot(Vec3::NEG_Z) > 0.99);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn up(&self) -> Vec3 {
        self.column(2)
    }

    /// Returns the origin, column 3.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let head = mannequin.skeleton.find("head").ok_or("no head")?;
    /// let height = mannequin.skeleton.bind_model()[head].origin().z; // model space, Quake units
    /// assert!((height - 56.0).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.column(3)
    }

    /// Returns the axes as scripts hold them: forward, right and up.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let axes = Mat3x4::IDENTITY.axes();
    /// assert_eq!([axes.forward, axes.right, axes.up], [Vec3::X, Vec3::NEG_Y, Vec3::Z]);
    /// ```
    #[inline]
    #[must_use]
    pub fn axes(&self) -> Axes {
        Axes { forward: self.forward(), right: -self.left(), up: self.up() }
    }

    /// Returns the rows as SIMD vectors.
    #[inline]
    pub(crate) fn rows(&self) -> [Vec4; 3] {
        let [x, y, z]: [[f32; 4]; 3] = bytemuck::cast(self.0);
        [Vec4::from_array(x), Vec4::from_array(y), Vec4::from_array(z)]
    }

    #[inline]
    fn column(&self, i: usize) -> Vec3 {
        Vec3::new(self.0[i], self.0[4 + i], self.0[8 + i])
    }

    /// Returns the matrix with another origin and the axes unchanged.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let hand = mannequin.skeleton.bind_model()[16];
    /// let moved = hand.with_origin(Vec3::ZERO);
    /// assert_eq!((moved.origin(), moved.axes()), (Vec3::ZERO, hand.axes()));
    /// ```
    #[inline]
    #[must_use]
    pub fn with_origin(mut self, origin: Vec3) -> Self {
        [self.0[3], self.0[7], self.0[11]] = origin.to_array();
        self
    }

    /// Transforms a point: applies the axes and adds the origin.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let quarter_turn = Quat::from_rotation_z(90f32.to_radians());
    /// let entity = Mat3x4::from_rotation_translation(quarter_turn, Vec3::Z * 24.0);
    /// let muzzle = entity.transform_point(Vec3::X * 30.0);
    /// assert!(muzzle.distance(Vec3::new(0.0, 30.0, 24.0)) < 1e-4);
    /// ```
    #[must_use]
    pub fn transform_point(&self, p: Vec3) -> Vec3 {
        self.transform_vector(p) + self.origin()
    }

    /// Transforms a direction: applies the axes and ignores the origin.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let entity = Mat3x4::from_translation(Vec3::Z * 24.0);
    /// assert_eq!(entity.transform_vector(Vec3::X), Vec3::X);
    /// ```
    #[must_use]
    pub fn transform_vector(&self, v: Vec3) -> Vec3 {
        let m = &self.0;
        Vec3::new(
            m[0] * v.x + m[1] * v.y + m[2] * v.z,
            m[4] * v.x + m[5] * v.y + m[6] * v.z,
            m[8] * v.x + m[9] * v.y + m[10] * v.z,
        )
    }

    /// Returns the inverse of any affine transform, including scale and shear; `None` if the matrix is singular or
    /// non-finite.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.3), Vec3::new(64.0, 32.0, 0.0));
    /// let to_entity = entity.inverse().ok_or("flat")?;
    /// assert!(to_entity.transform_point(Vec3::new(64.0, 32.0, 0.0)).length() < 1e-4);
    /// assert_eq!(Mat3x4::ZERO.inverse(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Returns the inverse of a rotation with one uniform scale, taken from the first row.
    ///
    /// FTE and DarkPlaces compute inverse bind matrices in this way. The result is the identity where it would be
    /// non-finite; a zero first row is one such case, and no vertex can be bound to that bone. See
    /// [`inverse`](Self::inverse) for other transforms.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let doubled = Mat3x4::from_columns(Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::Z * 2.0, Vec3::Z * 8.0);
    /// assert_eq!(doubled.inverse_uniform() * doubled, Mat3x4::IDENTITY);
    /// assert_eq!(Mat3x4::ZERO.inverse_uniform(), Mat3x4::IDENTITY);
    /// ```
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

    /// Returns the rotation part as a unit quaternion, without scale, shear and mirroring.
    ///
    /// The forward axis keeps its direction, the left axis is made perpendicular to it, and the up axis follows. The up
    /// axis stands in for one that is zero; if two are zero, or one is not finite, the result is the identity.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let turn = Quat::from_rotation_z(0.7);
    /// let bone = Mat3x4::from_translation_rotation_scale([0.0; 3], turn.to_array(), [3.0; 3]);
    /// assert!(bone.rotation().angle_between(turn) < 1e-3);
    /// ```
    #[must_use]
    pub fn rotation(&self) -> Quat {
        self.known_rotation().unwrap_or(Quat::IDENTITY)
    }

    /// Returns the mean length of the three axes; exactly 1 where the mean is within 0.0001 of 1.
    ///
    /// ```
    /// use skelobj::math::{EntityTransform, Vec3};
    /// let ogre = EntityTransform::new(Vec3::ZERO, Vec3::new(0.0, 30.0, 0.0)).with_scale(1.5);
    /// assert!((ogre.to_world(-1.0, 1.0).scale() - 1.5).abs() < 1e-4);
    /// ```
    #[must_use]
    pub fn scale(&self) -> f32 {
        let scale = (self.forward().length() + self.left().length() + self.up().length()) / 3.0;
        // The axes of a rotation are off by a rounding error.
        if (scale - 1.0).abs() < 1e-4 { 1.0 } else { scale }
    }

    /// Returns `true` if all twelve floats are finite.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let lost = Mat3x4::IDENTITY.with_origin(Vec3::new(0.0, f32::NAN, 0.0));
    /// assert!(!lost.is_finite());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // Zero times a finite number is zero; zero times NaN or an infinity is NaN.
        let [x, y, z] = self.rows();
        !((x * 0.0 + y * 0.0) + z * 0.0).is_nan()
    }

    /// Returns `true` if all twelve floats are finite and their magnitudes are at most `most`.
    #[inline]
    pub(crate) fn is_within(&self, most: f32) -> bool {
        let is_within = |row: Vec4| row.abs().cmple(Vec4::splat(most));
        let [x, y, z] = self.rows();
        (is_within(x) & is_within(y) & is_within(z)).all()
    }
}

/// Combines two transforms: `a * b` applies `b` first. Sums run left to right without fused multiply-add, so that the
/// results have FTE's bits.
impl std::ops::Mul for Mat3x4 {
    type Output = Mat3x4;

    #[inline]
    fn mul(self, b: Mat3x4) -> Mat3x4 {
        let b = b.rows();
        let row = |a: Vec4| {
            // Adding -0 changes no number, not even the sign of a zero.
            let row = Vec4::splat(a.x) * b[0] + Vec4::splat(a.y) * b[1] + Vec4::splat(a.z) * b[2];
            (row + Vec4::new(-0.0, -0.0, -0.0, a.w)).to_array()
        };
        let [x, y, z] = self.rows();
        Mat3x4(bytemuck::cast([row(x), row(y), row(z)]))
    }
}

/// Three directions as scripts hold them in `v_forward`, `v_right` and `v_up`.
///
/// ```
/// use skelobj::math::{Axes, Vec3};
/// let axes = Axes::from_angles(Vec3::new(0.0, 90.0, 0.0)); // yaw 90: faces along Y
/// let eye = Vec3::Z * 22.0 + axes.forward * 10.0 + axes.right * 4.0;
/// assert!(eye.distance(Vec3::new(4.0, 10.0, 22.0)) < 1e-4);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axes {
    /// Forward direction, column 0 of a bone.
    pub forward: Vec3,
    /// Right direction, **minus** column 1 of a bone.
    pub right: Vec3,
    /// Up direction, column 2 of a bone.
    pub up: Vec3,
}

impl Axes {
    /// Unrotated axes: forward X, right -Y, up Z.
    pub const IDENTITY: Self = Self { forward: Vec3::X, right: Vec3::NEG_Y, up: Vec3::Z };

    /// Returns the axes of Euler angles: pitch (positive looks down), yaw and roll, in **degrees**.
    ///
    /// `makevectors` (builtin #1) computes the same bits in FTE. See `from_angles_f64` for a
    /// more precise result.
    ///
    /// ```
    /// use skelobj::math::{Axes, Vec3};
    /// let axes = Axes::from_angles(Vec3::new(0.0, 90.0, 0.0));
    /// assert!((axes.forward - Vec3::Y).length() < 1e-6);
    /// ```
    #[must_use]
    pub fn from_angles(angles: Vec3) -> Self {
        let sin_cos = |degrees: f32| {
            // C computes in f64 and rounds twice: the angle in radians, then its sine.
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

    /// Returns the axes of Euler angles in degrees, computed in f64 and rounded once at the end.
    ///
    /// The result is more precise than that of [`from_angles`](Self::from_angles), but does not have FTE's bits.
    pub(crate) fn from_angles_f64(angles: Vec3) -> Self {
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

    /// Returns the three directions multiplied by `scale`.
    ///
    /// ```
    /// use skelobj::math::{Axes, Mat3x4, Vec3};
    /// let giant = Mat3x4::from_axes(Axes::IDENTITY.scaled(2.0), Vec3::ZERO);
    /// assert_eq!(giant.transform_point(Vec3::new(1.0, 2.0, 3.0)), Vec3::new(2.0, 4.0, 6.0));
    /// ```
    #[inline]
    #[must_use]
    pub fn scaled(self, scale: f32) -> Self {
        Self { forward: self.forward * scale, right: self.right * scale, up: self.up * scale }
    }
}

/// Placement of an entity in world space, as its QuakeC fields hold it.
///
/// An engine with its own matrices passes a [`Mat3x4`] instead.
///
/// ```
/// use skelobj::math::{EntityTransform, Vec3};
///
/// let mannequin = skelobj::assets::mannequin();
/// let entity = EntityTransform::new(Vec3::new(512.0, 0.0, 24.0), Vec3::new(0.0, 90.0, 0.0));
/// let to_world = entity.to_world(-1.0, 1.0);
/// let head = to_world.transform_point(mannequin.skeleton.bind_model()[12].origin());
/// assert!(head.distance(Vec3::new(512.0, -0.3, 80.0)) < 1e-3);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntityTransform {
    /// Position in world space, Quake units.
    pub origin: Vec3,
    /// Pitch, yaw and roll in degrees, as in the entity's `angles` field.
    pub angles: Vec3,
    /// Size relative to the model, as in the entity's `scale` field; 0, the value of a field that was never set, means
    /// 1.
    pub scale: f32,
}

impl EntityTransform {
    /// Placement at the world's origin, unrotated and unscaled.
    pub const IDENTITY: Self = Self { origin: Vec3::ZERO, angles: Vec3::ZERO, scale: 1.0 };

    /// Returns the placement of an entity with scale 1; `angles` are pitch, yaw and roll in degrees.
    ///
    /// ```
    /// use skelobj::math::{EntityTransform, Vec3};
    /// let door = EntityTransform::new(Vec3::Y * 64.0, Vec3::ZERO).to_world(-1.0, 1.0);
    /// assert_eq!(door.transform_point(Vec3::X), Vec3::new(1.0, 64.0, 0.0));
    /// ```
    #[must_use]
    pub fn new(origin: Vec3, angles: Vec3) -> Self {
        Self { origin, angles, scale: 1.0 }
    }

    /// Returns the factor that the scale means: 1 for a scale of 0.
    pub(crate) fn factor(&self) -> f32 {
        if self.scale == 0.0 { 1.0 } else { self.scale }
    }

    /// Returns the placement with another scale.
    ///
    /// ```
    /// use skelobj::math::{EntityTransform, Vec3};
    /// let shambler = EntityTransform::IDENTITY.with_scale(2.0).to_world(-1.0, 1.0);
    /// assert_eq!(shambler.transform_point(Vec3::Z * 32.0), Vec3::Z * 64.0);
    /// ```
    #[must_use]
    pub fn with_scale(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Returns the matrix from model space to world space for an entity with a mesh model.
    ///
    /// Pitch is multiplied by `mesh_pitch` (the cvar `r_meshpitch`; -1 in Quake, where positive pitch tilts a mesh
    /// **up**) and roll by `mesh_roll` (`r_meshroll`; 1).
    ///
    /// ```
    /// use skelobj::math::{EntityTransform, Vec3};
    /// let rocket = EntityTransform::new(Vec3::ZERO, Vec3::new(30.0, 0.0, 0.0));
    /// assert!(rocket.to_world(-1.0, 1.0).forward().z > 0.0); // Quake: the nose rises
    /// assert!(rocket.to_world(1.0, 1.0).forward().z < 0.0);
    /// ```
    #[must_use]
    pub fn to_world(&self, mesh_pitch: f32, mesh_roll: f32) -> Mat3x4 {
        let angles = Vec3::new(self.angles.x * mesh_pitch, self.angles.y, self.angles.z * mesh_roll);
        Mat3x4::from_axes(Axes::from_angles(angles).scaled(self.factor()), self.origin)
    }
}
