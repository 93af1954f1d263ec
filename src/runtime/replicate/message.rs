//! Encoding and decoding of messages.

use glam::{Quat, Vec3};
use skelobj_model::internal::{self, LARGEST};

use super::range::{UNIT, factor};
use super::{BonesError, Replication};
use crate::math::Mat3x4;
use crate::model::Skeleton;

/// First byte of a message: the version, and the data of each bone.
const FULL: u8 = 0x11;
const POSITIONS: u8 = 0x12;
/// Added to the first byte of a message that states its range.
const RANGED: u8 = 0x10;
/// Length of the header, bytes: the first byte, the number of bones, and the range if it is stated.
const HEADER: usize = 3;

/// Number that stands for a component of 1.
const ONE: f32 = 32767.0;

/// Received pose of an object in model space; its bones have neither scale nor shear.
///
/// [`Runtime::decode_bones`](crate::Runtime::decode_bones) decodes it from a message.
///
/// ```
/// use skelobj::runtime::{BonePose, Replication};
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let mut message = Vec::new();
/// runtime.encode_bones(object, Replication::Full, &mut message)?;
/// let pose: BonePose = runtime.decode_bones(object, &message)?;
/// let shown = runtime.object_mut(object).unwrap();
/// shown.set_model_space_pose(&pose.matrices())?;
/// assert_eq!(shown.model_space(12).unwrap().origin(), pose.positions()[12]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BonePose {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    /// Scales of the bones in the bind pose, which messages leave out; empty if no bone is scaled.
    scales: Vec<Mat3x4>,
}

impl BonePose {
    /// Returns the positions of the bones in model space, Quake units.
    ///
    /// ```
    /// use skelobj::runtime::Replication;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let mut message = Vec::new();
    /// runtime.encode_bones(object, Replication::Full, &mut message)?;
    /// let pose = runtime.decode_bones(object, &message)?;
    /// let head = runtime.object(object).unwrap().model_space(12).unwrap().origin();
    /// assert!((pose.positions()[12] - head).abs().max_element() <= 1.0 / 127.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Returns the rotations of the bones in model space, unit quaternions.
    ///
    /// ```
    /// use skelobj::runtime::Replication;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let mut message = Vec::new();
    /// runtime.encode_bones(object, Replication::Full, &mut message)?;
    /// let pose = runtime.decode_bones(object, &message)?;
    /// let head = runtime.object(object).unwrap().model_space(12).unwrap().rotation();
    /// assert!(pose.rotations()[12].angle_between(head) < 0.002);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rotations(&self) -> &[Quat] {
        &self.rotations
    }

    /// Returns the matrices of the bones in model space, with the scale that each bone has in the bind pose.
    ///
    /// ```
    /// use skelobj::runtime::Replication;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let mut message = Vec::new();
    /// runtime.encode_bones(object, Replication::Full, &mut message)?;
    /// let bones = runtime.decode_bones(object, &message)?.matrices();
    /// let lowest = bones.iter().map(|bone| bone.origin().z).fold(f32::MAX, f32::min);
    /// assert!((0.0..3.0).contains(&lowest)); // the toes
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn matrices(&self) -> Vec<Mat3x4> {
        let rigid = |bone: usize| Mat3x4::from_rotation_translation(self.rotations[bone], self.positions[bone]);
        debug_assert_eq!(self.positions.len(), self.rotations.len(), "every bone has a place and a rotation");
        let scaled = |bone: usize| self.scales.get(bone).map_or(rigid(bone), |scale| rigid(bone) * *scale);
        (0..self.rotations.len().min(self.positions.len())).map(scaled).collect()
    }

    /// Returns the pose between this one (`progress` 0) and another (1).
    ///
    /// Positions move along straight lines, rotations take the shorter way. Bones that either pose lacks are skipped.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// use skelobj::runtime::{BonePose, Replication};
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let mut pose_at = |time| -> Result<BonePose, Box<dyn std::error::Error>> {
    ///     runtime.build(object, model, &FrameState::single(2, time), &Build::REPLACE)?;
    ///     let mut message = Vec::new();
    ///     runtime.encode_bones(object, Replication::Full, &mut message)?;
    ///     Ok(runtime.decode_bones(object, &message)?)
    /// };
    /// let (first, second) = (pose_at(0.0)?, pose_at(0.1)?);
    /// let between = first.toward(&second, 0.5);
    /// let middle = (first.positions()[3] + second.positions()[3]) * 0.5;
    /// assert!((between.positions()[3] - middle).length() < 1e-4); // a foot of the runner
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn toward(&self, other: &Self, progress: f32) -> Self {
        let positions = self.positions.iter().zip(&other.positions).map(|(from, to)| from.lerp(*to, progress));
        // glam's lerp takes the shorter way and normalises the result.
        let rotations = self.rotations.iter().zip(&other.rotations).map(|(from, to)| from.lerp(*to, progress));
        Self { positions: positions.collect(), rotations: rotations.collect(), scales: self.scales.clone() }
    }
}

/// Appends a message with these bones in model space; `doublings` are those of the model's range.
pub(super) fn encode(bones: &[Mat3x4], doublings: u8, what: Replication, out: &mut Vec<u8>) {
    // No model has more bones than fit.
    let count = u16::try_from(bones.len()).unwrap_or(u16::MAX);
    let kind = match what {
        Replication::Full => FULL,
        Replication::Positions => POSITIONS,
    };
    out.push(if doublings == 0 { kind } else { kind + RANGED });
    out.extend(count.to_le_bytes());
    out.extend((doublings > 0).then_some(doublings));
    let unit = UNIT / factor(doublings);
    for bone in bones.iter().take(count.into()) {
        let mut put = |number: f32| out.extend(((number.round()) as i16).to_le_bytes());
        (bone.origin() * unit).to_array().into_iter().for_each(&mut put);
        if what == Replication::Full {
            let rotation = Some(bone.rotation()).filter(|rotation| rotation.is_finite()).unwrap_or_default();
            rotation.to_array().into_iter().for_each(|component| put(component * ONE));
        }
    }
}

/// Decodes a message for a model with `doublings` of its range; `recover` computes the rotations of a message that has
/// only positions.
pub(super) fn decode(
    message: &[u8],
    skeleton: &Skeleton,
    doublings: u8,
    recover: impl FnOnce(&[Vec3]) -> Vec<Quat>,
) -> Result<BonePose, BonesError> {
    let too_short = |expected: usize| BonesError::Length { expected, found: message.len() };
    let (header, mut body) = message.split_at_checked(HEADER).ok_or(too_short(HEADER))?;
    let (stride, is_ranged) = match header[0] {
        FULL => (14, false),
        POSITIONS => (6, false),
        kind if kind == FULL + RANGED => (14, true),
        kind if kind == POSITIONS + RANGED => (6, true),
        found => return Err(BonesError::UnknownVersion { found }),
    };
    let count = usize::from(u16::from_le_bytes([header[1], header[2]]));
    if count != skeleton.len() {
        return Err(BonesError::BoneCount { expected: skeleton.len(), found: count });
    }
    let mut found = 0;
    if is_ranged {
        let (range, bones) = body.split_first().ok_or(too_short(HEADER + 1))?;
        (found, body) = (*range, bones);
    }
    if found != doublings {
        return Err(BonesError::Range { expected: doublings, found });
    }
    let expected = message.len() - body.len() + count * stride;
    if message.len() != expected {
        return Err(BonesError::Length { expected, found: message.len() });
    }
    let unit = UNIT / factor(doublings);
    let mut positions = Vec::with_capacity(count);
    let mut rotations = Vec::with_capacity(count);
    for bone in body.chunks_exact(stride) {
        let mut numbers = bone.chunks_exact(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])));
        let mut next = || numbers.next().unwrap_or(0.0);
        let position = Vec3::from_array([(); 3].map(|()| next() / unit));
        positions.push(position.clamp(Vec3::splat(-LARGEST), Vec3::splat(LARGEST)));
        if stride == 14 {
            let rotation = Quat::from_array([(); 4].map(|()| next()));
            rotations.push(if rotation.length_squared() > 0.0 { rotation.normalize() } else { Quat::IDENTITY });
        }
    }
    if stride == 6 {
        rotations = recover(&positions);
    }
    debug_assert_eq!([positions.len(), rotations.len()], [count; 2], "every bone has a place and a rotation");
    let bind = skeleton.bind_model();
    let is_scaled = bind.iter().any(internal::is_scaled);
    let scales = if is_scaled { bind.iter().map(internal::stretch).collect() } else { Vec::new() };
    Ok(BonePose { positions, rotations, scales })
}
