//! Joints (names, parents, bind pose) and poses (descriptions of the same bones in frames).

use super::super::cursor::{Cursor, finite_or_identity};
use super::super::finite_skeleton;
use super::Iqm;
use crate::math::Mat3x4;
use crate::model::{Bone, ModelError, ModelProblem, Name, Skeleton};
use crate::options::Dialect;

/// Number of channels of a bone: three of translation, four of rotation, three of scale.
pub(super) const CHANNELS: usize = 10;

/// Channel of the quaternion's w, which version 1 does not store.
const W: usize = 6;

/// Pose record: decoding of a bone's channels from frame data.
pub(super) struct Pose {
    parent: i32,
    at: usize,
    /// Bit `c` is set if channel `c` takes a number from the frame.
    pub mask: u16,
    /// Value of each channel at frame number 0.
    pub offset: [f32; CHANNELS],
    /// Change of each channel per unit of the frame number.
    pub scale: [f32; CHANNELS],
}

/// Returns the matrix of a bone's channels in FTE's order of operations.
pub(super) fn bake(c: [f32; CHANNELS]) -> Mat3x4 {
    Mat3x4::from_translation_rotation_scale([c[0], c[1], c[2]], [c[3], c[4], c[5], c[6]], [c[7], c[8], c[9]])
}

/// Computes the w that version 1 omits: the quaternion is a unit quaternion with negative w.
pub(super) fn derive_w(c: &mut [f32; CHANNELS]) {
    // In f64, because near a half turn an f32 rounds w to 0.
    let square: f64 = c[3..W].iter().map(|&v| f64::from(v) * f64::from(v)).sum();
    c[W] = -(1.0 - square).max(0.0).sqrt() as f32;
}

impl Iqm<'_> {
    /// Removes the scale of a bone's channels by the rules of DarkPlaces.
    fn remove_scale(&self, channels: &mut [f32; CHANNELS]) {
        if self.file.dialect == Dialect::DarkPlaces {
            channels[W + 1..].fill(1.0);
        }
    }

    /// Removes the scale of a frame's channels and normalizes the rotation, by the rules of DarkPlaces.
    pub fn make_rigid(&self, channels: &mut [f32; CHANNELS]) {
        self.remove_scale(channels);
        if self.file.dialect == Dialect::DarkPlaces {
            let rotation = &mut channels[3..=W];
            let length = rotation.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>().sqrt();
            if length > 0.0 {
                rotation.iter_mut().for_each(|v| *v = (f64::from(*v) / length) as f32);
            }
        }
    }

    /// Returns `true` if quaternions of this file have three components.
    pub fn derives_w(&self) -> bool {
        self.header.version == 1
    }

    /// Reads ten floats, or nine of version 1 with a zero in place of w.
    fn channels(&self, record: &mut Cursor) -> Result<[f32; CHANNELS], ModelError> {
        if !self.derives_w() {
            return record.get();
        }
        let [head, rotation, tail] = record.get::<[[f32; 3]; 3]>()?;
        let mut channels = [0.0; CHANNELS];
        channels[..3].copy_from_slice(&head);
        channels[3..W].copy_from_slice(&rotation);
        channels[W + 1..].copy_from_slice(&tail);
        Ok(channels)
    }

    /// Reads the pose records, at most as many as a model may have bones.
    pub fn poses(&mut self) -> Result<Vec<Pose>, ModelError> {
        let size = if self.derives_w() { 80 } else { 88 };
        let table = self.table("poses", self.header.poses, size)?;
        let (joints, poses) = (self.header.joints.count, self.header.poses.count);
        if joints != 0 && poses != 0 && joints != poses {
            let problem = ModelProblem::Mismatch { field: "num_poses", found: poses.into(), expected: joints.into() };
            return Err(table.error(problem));
        }
        self.bone_limit(&table, "num_poses", poses)?;
        let mut poses = self.file.reserve("poses", table.offset(), poses.into())?;
        for mut record in table.records(size) {
            let at = record.offset();
            let parent = record.get::<i32>()?;
            let mut mask = record.get::<u32>()?;
            if self.derives_w() {
                let (low, high) = (mask & 0x3f, mask & 0x1c0);
                mask = low | high << 1;
            }
            let (offset, scale) = (self.channels(&mut record)?, self.channels(&mut record)?);
            poses.push(Pose { parent, at, mask: (mask & 0x3ff) as u16, offset, scale });
        }
        Ok(poses)
    }

    /// Returns the bones of the joints, or else unnamed bones with the parents of the poses.
    pub fn skeleton(&mut self, poses: &[Pose]) -> Result<Skeleton, ModelError> {
        if self.header.joints.count > 0 {
            return self.joints();
        }
        let mut bones = Vec::with_capacity(poses.len());
        for (bone, pose) in poses.iter().enumerate() {
            let max = bone as i64 - 1;
            if !(-1..=max).contains(&pose.parent.into()) {
                let problem = ModelProblem::OutOfRange { field: "parent", found: pose.parent.into(), min: -1, max };
                return Err(ModelError::new("poses", pose.at, problem));
            }
            bones.push((Name::default(), usize::try_from(pose.parent).ok()));
        }
        Skeleton::without_bind(bones)
            .map_err(|e| finite_skeleton::problem("poses", self.header.poses.offset as usize, e))
    }

    fn joints(&mut self) -> Result<Skeleton, ModelError> {
        let size = if self.derives_w() { 44 } else { 48 };
        let table = self.table("joints", self.header.joints, size)?;
        self.bone_limit(&table, "num_joints", self.header.joints.count)?;
        let mut bones: Vec<Bone> = self.file.reserve("joints", table.offset(), self.header.joints.count.into())?;
        let mut model_space: Vec<Mat3x4> = Vec::with_capacity(bones.capacity());
        let mut bad = 0;
        for mut record in table.records(size) {
            let name = self.name("joints", &mut record)?;
            let parent = record.ranged::<i32>("parent", -1..=bones.len() as i64 - 1)?;
            let parent = usize::try_from(parent).ok();
            let mut channels = self.channels(&mut record)?;
            if self.derives_w() {
                derive_w(&mut channels);
            }
            self.remove_scale(&mut channels);
            let mut bind = finite_or_identity(bake(channels), &mut bad);
            // The product of finite matrices may overflow; the bone then stays at its parent.
            let above = parent.and_then(|p| model_space.get(p)).copied().unwrap_or(Mat3x4::IDENTITY);
            let mut whole = if parent.is_some() { above * bind } else { bind };
            if !whole.is_finite() {
                bad += 1;
                (bind, whole) = (Mat3x4::IDENTITY, above);
            }
            model_space.push(whole);
            bones.push(Bone { name, parent, bind });
        }
        self.file.warn_not_finite("joints", table.offset(), bad);
        Skeleton::new(bones).map_err(|e| finite_skeleton::problem("joints", self.header.joints.offset as usize, e))
    }

    fn bone_limit(&self, table: &Cursor, field: &'static str, count: u32) -> Result<(), ModelError> {
        let max = Skeleton::MAX_BONES as i64;
        if i64::from(count) > max {
            let problem = ModelProblem::OutOfRange { field, found: count.into(), min: 0, max };
            return Err(table.error(problem));
        }
        Ok(())
    }
}
