//! Scale of bones: the rigid part of a bone's matrix, and the rest.

use super::{Mat3x4, Quat, Vec3};

/// Difference of a squared length from 1, and product of two axes, above which a bone is scaled: files round rotations.
const ROUNDED: f64 = 0.02;
/// Squared length of an axis above which it is longer than a mean of rotations can make it.
const LONGEST: f64 = 1.02;
/// Difference from a mean of rotations above which a matrix is scaled: means in a chain, and of more than two
/// rotations, differ from it a little.
const MIXED: f64 = 0.002;
/// Volume below which a matrix is scaled: that of a mean of rotations 100 degrees apart.
const LEAST_VOLUME: f64 = 0.4;

impl Mat3x4 {
    /// Returns `true` if the axes are not those of a rotation, but scaled, sheared or mirrored.
    pub(crate) fn is_scaled(&self) -> bool {
        let (axes, volume) = self.axes_and_volume();
        let [f, l, u] = axes;
        let is_unit = axes.iter().all(|axis| (axis.length_squared() - 1.0).abs() <= ROUNDED);
        let is_right = [f.dot(l), l.dot(u), u.dot(f)].iter().all(|product| product.abs() <= ROUNDED);
        !(is_unit && is_right && volume > 0.0)
    }

    /// Returns `true` if the axes are scaled, sheared or mirrored in a way in which mixed rotations are not.
    ///
    /// The mean of two rotations keeps its length along their common axis, and has `s` times the length across it:
    /// 1 + 2 s^2 is the sum of the squares, and s^2 the volume.
    fn is_scaled_beyond_mixing(&self) -> bool {
        let (axes, volume) = self.axes_and_volume();
        let squares = axes.map(|axis| axis.length_squared());
        let is_mean = squares.iter().all(|square| *square <= LONGEST)
            && (squares.iter().sum::<f64>() - 1.0 - 2.0 * volume).abs() <= MIXED;
        !(is_mean && volume >= LEAST_VOLUME)
    }

    fn axes_and_volume(&self) -> ([glam::DVec3; 3], f64) {
        let axes = [self.forward(), self.left(), self.up()].map(Vec3::as_dvec3);
        (axes, axes[0].dot(axes[1].cross(axes[2])))
    }

    /// Returns a bone's matrix without its scale, shear and mirroring: its rigid part. `is_scaled` tells that the bone
    /// is scaled before any animation moves it.
    ///
    /// A bone without a scale keeps its bits. Mixing rotations shortens axes, as in FTE, which does not count as a
    /// scale.
    pub(crate) fn unscaled(&self, is_scaled: bool) -> Self {
        match is_scaled || self.is_scaled_beyond_mixing() {
            true => Self::from_rotation_translation(self.rotation(), self.origin()),
            false => *self,
        }
    }

    /// Returns the scale, shear and mirroring of a bone, so that its rigid part times these is the bone; the identity
    /// for a bone without a scale, or with one of more than a million.
    pub(crate) fn stretch(&self) -> Self {
        if !self.is_scaled() || !self.with_origin(Vec3::ZERO).is_within(1e6) {
            return Self::IDENTITY;
        }
        let (_, [forward, left, up]) = self.rotation_and_stretch();
        Self::from_columns(forward, left, up, Vec3::ZERO)
    }

    /// Returns the rotation, and the axes without it: scale, shear and mirroring.
    fn rotation_and_stretch(&self) -> (Quat, [Vec3; 3]) {
        let rotation = self.rotation();
        let back = rotation.inverse();
        (rotation, [self.forward(), self.left(), self.up()].map(|axis| back * axis))
    }

    /// Returns the matrix between this one (`share` 0) and another (1): the origin moves along a straight line, the
    /// rotation takes the shorter way, and scale and shear change in proportion.
    pub(crate) fn toward(&self, other: &Self, share: f32) -> Self {
        if self == other {
            return *self;
        }
        let [from, to] = [self, other].map(Self::rotation_and_stretch);
        // glam's lerp takes the shorter way and normalises the result.
        let rotation = from.0.lerp(to.0, share);
        let axis = |number: usize| rotation * from.1[number].lerp(to.1[number], share);
        Self::from_columns(axis(0), axis(1), axis(2), self.origin().lerp(other.origin(), share))
    }

    /// Returns the rotation part as a unit quaternion; `None` if fewer than two axes have a direction.
    pub(crate) fn known_rotation(&self) -> Option<Quat> {
        let across = |axis: Vec3, from: Vec3| (axis - from * from.dot(axis)).try_normalize();
        let up = || self.up().try_normalize();
        // The up axis stands in for a collapsed one.
        let (f, l) = match self.forward().try_normalize() {
            Some(f) => (f, across(self.left(), f).or_else(|| across(up()?.cross(f), f))?),
            None => {
                let l = self.left().try_normalize()?;
                (across(l.cross(up()?), l)?, l)
            }
        };
        let rotation = Quat::from_mat3(&glam::Mat3::from_cols(f, l, f.cross(l))).normalize();
        rotation.is_finite().then_some(rotation)
    }
}
