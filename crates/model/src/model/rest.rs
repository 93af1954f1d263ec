//! Rest channels of bones, for formats whose animations leave channels out.

use std::collections::HashMap;

use glam::{DMat3, DQuat, DVec3};

use super::{Name, Skeleton};
use crate::math::Mat3x4;

/// Smallest scale of a parent that the axes of its children are divided by.
pub(crate) const SMALLEST_SCALE: f64 = 1e-6;

/// Parts of a bone's local matrix: `T(position + pivot) R(rotation) S(scale) T(-pivot)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Channels {
    pub position: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    pub pivot: DVec3,
}

impl Channels {
    /// Channels of the identity matrix.
    pub const IDENTITY: Self =
        Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE, pivot: DVec3::ZERO };

    /// Returns the channels that a file states; non-finite ones are replaced by the identity's and counted in `bad`.
    pub fn from_file(
        position: [f32; 3],
        rotation: [f32; 4],
        scale: [f32; 3],
        pivot: [f32; 3],
        bad: &mut usize,
    ) -> Self {
        let mut channels = Self::IDENTITY;
        for (target, values) in
            [(&mut channels.position, position), (&mut channels.scale, scale), (&mut channels.pivot, pivot)]
        {
            match values.iter().all(|v| v.is_finite()) {
                true => *target = DVec3::from(values.map(f64::from)),
                false => *bad += 1,
            }
        }
        let rotation = DQuat::from_array(rotation.map(f64::from));
        if rotation.is_finite() && rotation.length_squared() > 0.0 {
            channels.rotation = rotation.normalize();
        } else {
            *bad += 1;
        }
        channels
    }

    /// Returns the channels of a matrix; shear is dropped.
    fn of(matrix: &Mat3x4) -> Self {
        let rotation = matrix.rotation();
        let axes = DMat3::from_quat(rotation.as_dquat());
        let along = |own: crate::math::Vec3, axis: DVec3| own.as_dvec3().dot(axis);
        let scale = DVec3::new(
            along(matrix.forward(), axes.x_axis),
            along(matrix.left(), axes.y_axis),
            along(matrix.up(), axes.z_axis),
        );
        Self { position: matrix.origin().as_dvec3(), rotation: rotation.as_dquat(), scale, pivot: DVec3::ZERO }
    }

    /// Returns the matrix of the channels.
    ///
    /// With `parent_scale` the axes are divided by that scale: the parent stretches the bone's position, but not its
    /// axes.
    pub fn matrix(&self, parent_scale: Option<DVec3>) -> Mat3x4 {
        debug_assert!(self.rotation.is_normalized(), "rest channels and tracks hold unit quaternions");
        let mut axes = DMat3::from_quat(self.rotation) * DMat3::from_diagonal(self.scale);
        let origin = self.position + self.pivot - axes * self.pivot;
        if let Some(scale) = parent_scale {
            // A scale of zero has no inverse, and what is next to zero shows nothing.
            let free = |scale: f64| if scale.abs() < SMALLEST_SCALE { 1.0 } else { 1.0 / scale };
            axes = DMat3::from_diagonal(scale.to_array().map(free).into()) * axes;
        }
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.as_vec3());
        let matrix = Mat3x4::from_columns(x, y, z, origin.as_vec3());
        if matrix.is_finite() { matrix } else { Mat3x4::IDENTITY }
    }
}

/// Rest channels of one bone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RestBone {
    pub channels: Channels,
    pub parent: Option<usize>,
    /// Applies the parent's scale to the bone's axes.
    pub inherits_scale: bool,
}

/// Rest channels of a skeleton's bones, in the space of the tracks.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Rest {
    pub bones: Vec<RestBone>,
    /// Number of the bone with each name; for equal names the format decides.
    pub numbers: HashMap<Name, usize>,
    /// `true` if the roots' channels are in Quake's axes, as in skeletons with roots that are moved from outside.
    pub in_quake_axes: bool,
}

impl Rest {
    /// Returns the rest channels of a skeleton from another format: those of its bind pose. `from_quake` converts
    /// Quake's axes to those of the tracks that will drive the skeleton.
    pub fn of(skeleton: &Skeleton, from_quake: Mat3x4) -> Self {
        let mut rest = Self::default();
        for (bone, (name, bind)) in skeleton.names().iter().zip(skeleton.bind_local()).enumerate() {
            let parent = skeleton.parent(bone);
            let bind = if parent.is_some() { *bind } else { from_quake * *bind };
            rest.bones.push(RestBone { channels: Channels::of(&bind), parent, inherits_scale: true });
            rest.numbers.entry(name.clone()).or_insert(bone);
        }
        rest
    }
}
