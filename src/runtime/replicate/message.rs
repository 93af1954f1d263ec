//! Encoding and decoding of messages.

use glam::{Quat, Vec3};

use super::{BonesError, Replication};
use crate::math::Mat3x4;

/// First bytes: the version, and the data of each bone.
const FULL: u8 = 0x11;
const POSITIONS: u8 = 0x12;
/// The first byte and the number of bones.
const HEADER: usize = 3;

/// Steps to the Quake unit.
const UNIT: f32 = 64.0;
/// A quaternion's component of 1.
const ONE: f32 = 32767.0;

/// A received pose in model space, its bones without scale and shear.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BonePose {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
}

impl BonePose {
    /// Returns the positions of the bones, Quake units.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Returns the rotations of the bones, unit quaternions.
    #[must_use]
    pub fn rotations(&self) -> &[Quat] {
        &self.rotations
    }

    /// Returns the matrices of the bones.
    #[must_use]
    pub fn matrices(&self) -> Vec<Mat3x4> {
        let bones = self.rotations.iter().zip(&self.positions);
        bones.map(|(rotation, position)| Mat3x4::from_rotation_translation(*rotation, *position)).collect()
    }

    /// Returns the pose between this one (progress 0) and another (1): positions along straight lines, rotations the shorter
    /// way. Bones that either pose lacks are left out.
    #[must_use]
    pub fn toward(&self, other: &Self, progress: f32) -> Self {
        let positions = self.positions.iter().zip(&other.positions).map(|(from, to)| from.lerp(*to, progress));
        // glam's lerp takes the shorter way and makes a unit of it.
        let rotations = self.rotations.iter().zip(&other.rotations).map(|(from, to)| from.lerp(*to, progress));
        Self { positions: positions.collect(), rotations: rotations.collect() }
    }
}

pub(super) fn encode(bones: &[Mat3x4], what: Replication, out: &mut Vec<u8>) {
    // No model has more bones than fit.
    let count = u16::try_from(bones.len()).unwrap_or(u16::MAX);
    out.push(match what {
        Replication::Full => FULL,
        Replication::Positions => POSITIONS,
    });
    out.extend(count.to_le_bytes());
    for bone in bones.iter().take(count.into()) {
        let mut put = |number: f32| out.extend(((number.round()) as i16).to_le_bytes());
        (bone.origin() * UNIT).to_array().into_iter().for_each(&mut put);
        if what == Replication::Full {
            let rotation = Some(bone.rotation()).filter(|rotation| rotation.is_finite()).unwrap_or_default();
            rotation.to_array().into_iter().for_each(|component| put(component * ONE));
        }
    }
}

/// Decodes a message; `recover` computes the rotations if it has only positions.
pub(super) fn decode(
    message: &[u8],
    bones: usize,
    recover: impl FnOnce(&[Vec3]) -> Vec<Quat>,
) -> Result<BonePose, BonesError> {
    let too_short = BonesError::Length { expected: HEADER, found: message.len() };
    let (header, body) = message.split_at_checked(HEADER).ok_or(too_short)?;
    let stride = match header[0] {
        FULL => 14,
        POSITIONS => 6,
        found => return Err(BonesError::UnknownVersion { found }),
    };
    let count = usize::from(u16::from_le_bytes([header[1], header[2]]));
    if count != bones {
        return Err(BonesError::BoneCount { expected: bones, found: count });
    }
    let expected = HEADER + count * stride;
    if message.len() != expected {
        return Err(BonesError::Length { expected, found: message.len() });
    }
    let mut positions = Vec::with_capacity(count);
    let mut rotations = Vec::with_capacity(count);
    for bone in body.chunks_exact(stride) {
        let mut numbers = bone.chunks_exact(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])));
        let mut next = || numbers.next().unwrap_or(0.0);
        positions.push(Vec3::from_array([(); 3].map(|()| next() / UNIT)));
        if stride == 14 {
            let rotation = Quat::from_array([(); 4].map(|()| next()));
            rotations.push(if rotation.length_squared() > 0.0 { rotation.normalize() } else { Quat::IDENTITY });
        }
    }
    if stride == 6 {
        rotations = recover(&positions);
    }
    Ok(BonePose { positions, rotations })
}
