//! Replication of bones: a server's poses on clients that have the model but not the physics.
//!
//! A message is the pose of one object in model space, every bone without scale and shear: a header of three bytes, then
//! every bone in the model's order. All numbers are little endian.
//!
//! | bytes | what |
//! |---|---|
//! | 1 | `0x11`: positions and rotations, `0x12`: positions only; the upper four bits are the version |
//! | 2 | number of bones, unsigned |
//! | 6 for each bone | X, Y, Z: signed, 64 to the Quake unit, so 512 units either way |
//! | 8 for each bone, not with `0x12` | the rotation's x, y, z, w: signed, 32767 is 1 |
//!
//! The number format is that of FTE's bone data. Scale and shear of bones are not sent. Positions out of range are clamped;
//! coordinates that are not finite become 0, and rotations that are not finite the identity. Encoding rounds to the nearest,
//! so the error of a position is at most 1/128 unit on each axis, that of a rotation's component at most 1/32767, and that
//! of the rotation about 0.005 degrees.

#[cfg(feature = "ragdoll")]
mod bend;
mod message;
mod receiver;
mod recover;

use std::fmt;

pub use message::BonePose;
pub use receiver::BoneReceiver;

use super::{Runtime, SkelId};
use crate::math::Mat3x4;
use crate::skeleton::SkelError;

/// The data that a message contains of every bone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Replication {
    /// Position and rotation: 14 bytes a bone.
    Full,
    /// Position: 6 bytes a bone. The client recovers rotations from the positions of a bone's children; see
    /// [`Runtime::decode_bones`].
    Positions,
}

/// The error of reading a message; nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BonesError {
    /// No skeletal object has this id.
    NoSuchObject,
    /// The first byte is that of no known message.
    UnknownVersion {
        /// Value of the byte.
        found: u8,
    },
    /// The number of bones in the message differs from that of the model.
    BoneCount {
        /// Number of bones of the model.
        expected: usize,
        /// Number of bones in the message.
        found: usize,
    },
    /// The message is shorter or longer than its header says.
    Length {
        /// Expected length, bytes.
        expected: usize,
        /// Actual length, bytes.
        found: usize,
    },
}

impl fmt::Display for BonesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchObject => f.write_str("no such skeletal object"),
            Self::UnknownVersion { found } => write!(f, "byte 0 of the message is {found:#04x}, expected 0x11 or 0x12"),
            Self::BoneCount { expected, found } => write!(f, "a message of {found} bones, the model has {expected}"),
            Self::Length { expected, found } => write!(f, "a message of {found} bytes, expected {expected}"),
        }
    }
}

impl std::error::Error for BonesError {}

impl Runtime {
    /// Appends an object's pose to a buffer, as a message for other machines.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::runtime::Replication;
    /// use skelobj::skeleton::{Build, Space};
    /// use skelobj::{Model, Runtime, assets};
    ///
    /// // The same on both sides: the model.
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let (mut server, mut client) = (Runtime::default(), Runtime::default());
    /// let there_model = server.add_model("mannequin.iqm", model.clone())?;
    /// let here_model = client.add_model("mannequin.iqm", model)?;
    /// let there = server.create_skeleton(there_model, Space::Local)?;
    /// let here = client.create_skeleton(here_model, Space::Model)?;
    /// server.build(there, there_model, &FrameState::single(2, 0.3), &Build::REPLACE)?;
    ///
    /// let mut message = Vec::new();
    /// server.encode_bones(there, Replication::Full, &mut message)?;
    /// client.apply_bones(here, &message)?;
    /// let heads = [server.object(there), client.object(here)].map(|object| object?.model_space(12));
    /// let way = heads[0].unwrap().origin() - heads[1].unwrap().origin();
    /// assert!(way.abs().max_element() <= 1.0 / 127.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`]; nothing is appended then.
    pub fn encode_bones(&self, id: SkelId, what: Replication, out: &mut Vec<u8>) -> Result<(), SkelError> {
        let object = self.object(id).ok_or(SkelError::NoSuchObject)?;
        let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
        object.write_model_space(&mut bones);
        message::encode(&bones, what, out);
        Ok(())
    }

    /// Decodes a message for an object, to apply or [receive](BoneReceiver) the pose later.
    ///
    /// From positions alone a bone's rotation is recovered where they tell it. A bone with children in two directions is
    /// turned as they are. With children in one direction it points there; how it is twisted about that follows from the
    /// joint that its body hangs on, if the object has a ragdoll or the model's default doll was
    /// read (`precache_doll`): hinges and universal joints leave one twist. Without such a joint it has the twist
    /// that takes the shortest way from where its parent, unbent, would hold it. A bone without children cannot be
    /// recovered: it stays to its parent as in the bind pose, however the server has a hand or a head. Bones that
    /// the animation stretches or bends elsewhere than at joints point where their children are, all the same.
    ///
    /// # Errors
    /// [`BonesError`].
    pub fn decode_bones(&self, id: SkelId, message: &[u8]) -> Result<BonePose, BonesError> {
        let object = self.object(id).ok_or(BonesError::NoSuchObject)?;
        let skeleton = &object.model().skeleton;
        message::decode(message, skeleton.len(), |positions| {
            #[cfg(feature = "ragdoll")]
            {
                let joints = self.bone_joints(id);
                recover::rotations(positions, skeleton, |bone, sight, rotations| {
                    joints.iter().find(|joint| joint.bone == bone)?.bend(sight, rotations)
                })
            }
            #[cfg(not(feature = "ragdoll"))]
            recover::rotations(positions, skeleton, |_, _, _| None)
        })
    }

    /// Sets an object's bones from a message, in model space. The pose counts as built by game code.
    ///
    /// # Errors
    /// [`BonesError`]; the object is unchanged then.
    pub fn apply_bones(&mut self, id: SkelId, message: &[u8]) -> Result<(), BonesError> {
        let pose = self.decode_bones(id, message)?;
        let object = self.object_mut(id).ok_or(BonesError::NoSuchObject)?;
        // A pose of a message has fixed-point places and unit rotations.
        object.replace_model_space_pose(&pose.matrices());
        Ok(())
    }

    /// Sets an object's bones to the pose of a receiver at `time`, the sender's seconds. Returns whether the receiver has a
    /// pose.
    ///
    /// # Errors
    /// [`BonesError::NoSuchObject`], [`BonesError::BoneCount`] if the receiver's poses are of another model; the object is
    /// unchanged then.
    pub fn show_bones(&mut self, id: SkelId, receiver: &BoneReceiver, time: f64) -> Result<bool, BonesError> {
        let object = self.object_mut(id).ok_or(BonesError::NoSuchObject)?;
        let Some(pose) = receiver.pose_at(time) else { return Ok(false) };
        let (expected, found) = (object.bone_count(), pose.positions().len());
        if expected != found {
            return Err(BonesError::BoneCount { expected, found });
        }
        // A pose of a message has fixed-point places and unit rotations.
        object.replace_model_space_pose(&pose.matrices());
        Ok(true)
    }

    /// The joints of the object's doll, or else of the model's default one if that was read.
    #[cfg(feature = "ragdoll")]
    fn bone_joints(&self, id: SkelId) -> Vec<bend::BoneJoint> {
        let Some(object) = self.objects.get(id) else { return Vec::new() };
        let own = object.ragdoll.as_ref().map(|ragdoll| ragdoll.doll());
        let doll = own.or_else(|| self.cached_default_doll(object.model));
        doll.map(|doll| bend::joints(doll, object.skeleton.model())).unwrap_or_default()
    }
}
