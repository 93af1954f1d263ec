//! Pose of one bone.

use crate::math::{Mat3x4, Quat, Vec3};

/// Pose of a bone in parent space.
#[derive(Clone, Copy)]
pub(super) struct BonePose {
    pub position: Vec3,
    pub rotation: Quat,
}

impl BonePose {
    /// Creates a pose from six channels. The rotation is about X first, then Y, then Z.
    pub fn of(channels: [f32; 6]) -> Self {
        let [x, y, z, about_x, about_y, about_z] = channels;
        let rotation = Quat::from_rotation_z(about_z) * Quat::from_rotation_y(about_y) * Quat::from_rotation_x(about_x);
        Self { position: Vec3::new(x, y, z), rotation }
    }

    /// Interpolates to another pose at `fraction`: positions linearly, rotations spherically.
    pub fn between(self, other: Self, fraction: f32) -> Self {
        Self {
            position: self.position + (other.position - self.position) * fraction,
            rotation: self.rotation.slerp(other.rotation, fraction),
        }
    }

    /// Returns the transform from local space of the bone to parent space.
    pub fn matrix(self) -> Mat3x4 {
        Mat3x4::from_rotation_translation(self.rotation, self.position)
    }
}
