//! Where a bone stands: position and rotation.

use crate::math::{Mat3x4, Quat, Vec3};

/// A bone's place in parent space.
#[derive(Clone, Copy)]
pub(super) struct BonePose {
    pub position: Vec3,
    pub rotation: Quat,
}

impl BonePose {
    /// From six channels: the rotation is about X first, then Y, then Z.
    pub fn of(channels: [f32; 6]) -> Self {
        let [x, y, z, about_x, about_y, about_z] = channels;
        let rotation = Quat::from_rotation_z(about_z) * Quat::from_rotation_y(about_y) * Quat::from_rotation_x(about_x);
        Self { position: Vec3::new(x, y, z), rotation }
    }

    /// The pose `fraction` of the way to another: positions linear, rotations spherical.
    pub fn between(self, other: Self, fraction: f32) -> Self {
        Self {
            position: self.position + (other.position - self.position) * fraction,
            rotation: self.rotation.slerp(other.rotation, fraction),
        }
    }

    /// From the bone's space to its parent's.
    pub fn matrix(self) -> Mat3x4 {
        Mat3x4::from_rotation_translation(self.rotation, self.position)
    }
}
