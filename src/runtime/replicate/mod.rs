//! Replication of bones: poses of a server on clients that have the model but not the physics.
//!
//! A message is the pose of one object in model space: a header of three or four bytes, then every bone in the order of
//! the model. All numbers are little endian.
//!
//! | bytes | content |
//! |---|---|
//! | 1 | `0x11`, `0x21`: positions and rotations; `0x12`, `0x22`: positions only; upper four bits: version |
//! | 2 | number of bones, unsigned |
//! | 1, with `0x21` and `0x22` | number of doublings of the range and of the steps, D, unsigned |
//! | 6 for each bone | X, Y, Z: signed, 64 / 2^D to the Quake unit, so 512 * 2^D units either way |
//! | 8 for each bone, with `0x11` and `0x21` | x, y, z, w of the rotation: signed, 32767 is 1 |
//!
//! The range is that of the object's model: the fewest doublings with which its bones fit in the bind pose and in its
//! animations, 0 for nearly every model. A message without doublings has the first version, whose number format is that
//! of FTE's bone data. The receiver refuses a message whose range is not that of its model, as the models then differ.
//!
//! Scale and shear of bones are not sent: decoded bones have those of the bind pose. Positions out of range are
//! clamped; coordinates that are not finite become 0, and rotations that are not finite the identity. Encoding rounds
//! to the nearest: the error of a position is at most 2^D/128 units on each axis, that of a component of a rotation at
//! most 1/32767, and that of the rotation about 0.005 degrees.

mod bend;
mod message;
mod range;
mod receiver;
mod recover;

use std::fmt;

pub use message::BonePose;
pub use receiver::BoneReceiver;

use skelobj_model::internal::{self, counted};

use super::{ObjectId, Runtime};
use crate::math::Mat3x4;
use crate::object::ObjectError;

/// Data of each bone in a message of [`Runtime::encode_bones`].
///
/// For the falling mannequin (21 bones), positions are off by at most 0.014 units in both. Rotations are off by at most
/// 0.003 degrees in [`Full`](Self::Full); in [`Positions`](Self::Positions) by 2 degrees on average and by up to 180,
/// because positions show neither the twist of a straight arm nor the own turn of a bone without children.
///
/// ```
/// use skelobj::runtime::Replication;
/// let (runtime, object) = skelobj::assets::mannequin_runtime();
/// let (mut full, mut positions) = (Vec::new(), Vec::new());
/// runtime.encode_bones(object, Replication::Full, &mut full)?;
/// runtime.encode_bones(object, Replication::Positions, &mut positions)?;
/// assert_eq!((full.len(), positions.len()), (3 + 21 * 14, 3 + 21 * 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Replication {
    /// Position and rotation: 14 bytes per bone.
    Full,
    /// Position: 6 bytes per bone. The client recovers rotations from the positions of a bone's children; see
    /// [`Runtime::decode_bones`].
    Positions,
}

/// Error of reading or showing a message. On error, nothing changes.
///
/// ```
/// use skelobj::runtime::{BonesError, Replication};
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let mut message = Vec::new();
/// runtime.encode_bones(object, Replication::Full, &mut message)?;
/// message.pop(); // the last byte was lost
/// let error = runtime.apply_bones(object, &message).unwrap_err();
/// assert_eq!(error, BonesError::Length { expected: 297, found: 296 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BonesError {
    /// No skeletal object has this id.
    NoSuchObject,
    /// The first byte is not that of a known message.
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
    /// The range of the message's positions is not that of the model.
    Range {
        /// Doublings of 512 units that the model requires.
        expected: u8,
        /// Doublings of 512 units in the message.
        found: u8,
    },
    /// The length of the message is not the one that its header requires.
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
            Self::UnknownVersion { found } => {
                write!(f, "byte 0 of the message is {found:#04x}, expected 0x11, 0x12, 0x21 or 0x22")
            }
            Self::BoneCount { expected, found } => {
                let bones = counted(*found, "bone", "bones");
                write!(f, "the message has {bones}, the model has {expected}")
            }
            Self::Range { expected, found } => {
                write!(f, "the message has a range of 512 units doubled {found} times, the model {expected} times")
            }
            Self::Length { expected, found } => {
                let bytes = counted(*found, "byte", "bytes");
                write!(f, "the message has {bytes}, expected {expected}")
            }
        }
    }
}

impl std::error::Error for BonesError {}

impl Runtime {
    /// Appends the pose of an object to a buffer, as a message for other machines.
    ///
    /// The message begins with a byte for the version and content and two bytes for the number of bones. Each bone
    /// follows with its position in model space (three signed 16-bit numbers, 64 to the Quake unit) and, for
    /// [`Replication::Full`], its rotation (a quaternion of four signed 16-bit numbers, 32767 is 1), little endian.
    /// Scale and shear are not sent. Bones are relative to the entity, so the game must also send the entity's matrix
    /// at the same moment.
    ///
    /// Positions farther than 512 units from the entity are clamped. If bones of the model are farther away in its bind
    /// pose or in one of its animations, this range and the steps of 1/64 unit double until the bones fit, and a byte
    /// after the number of bones states how often. The first message of such a model, or of one with many frames,
    /// takes longer, as all poses are examined; poses of evaluated animations are drawn evenly from very many.
    ///
    /// ```
    /// use skelobj::assets::mannequin_runtime;
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// use skelobj::runtime::Replication;
    /// // Server and client have the same model.
    /// let ((mut server, there), (mut client, here)) = (mannequin_runtime(), mannequin_runtime());
    /// let model = server.model_by_name("mannequin.iqm").unwrap();
    /// server.build(there, model, &FrameState::single(2, 0.3), &Build::REPLACE)?;
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
    /// [`ObjectError::NoSuchObject`]. Nothing is appended.
    pub fn encode_bones(&self, id: ObjectId, what: Replication, out: &mut Vec<u8>) -> Result<(), ObjectError> {
        let object = self.object(id).ok_or(ObjectError::NoSuchObject)?;
        let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
        object.write_model_space(&mut bones);
        message::encode(&bones, self.doublings(id), what, out);
        Ok(())
    }

    /// Decodes a message for an object into a pose, to give to a [`BoneReceiver`] or to use at once.
    ///
    /// From [`Replication::Positions`], rotations are recovered as far as positions determine them:
    /// - A bone with children in two or more directions turns with them.
    /// - A bone with children in one direction points there. Its twist follows from the joint that its body hangs on,
    ///   if the object has a ragdoll or the model's default doll was read (`precache_doll`): hinges and universal
    ///   joints leave one twist, and the plane in which an elbow or knee bends shows that of a cone. Otherwise the bone
    ///   takes the shortest turn from the bind pose relative to the parent.
    /// - A bone without children keeps its bind pose relative to its parent: the turn of a head or hand is lost.
    ///
    /// Bones that the animation stretches, or bends elsewhere than at joints, point to their children as well.
    ///
    /// ```
    /// use skelobj::runtime::Replication;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let mut message = Vec::new();
    /// runtime.encode_bones(object, Replication::Positions, &mut message)?;
    /// let pose = runtime.decode_bones(object, &message)?;
    /// let chest = runtime.object(object).unwrap().model_space(10).unwrap();
    /// assert!((pose.positions()[10] - chest.origin()).abs().max_element() <= 1.0 / 127.0);
    /// assert!(pose.rotations()[10].angle_between(chest.rotation()) < 0.01); // from the neck and both clavicles
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BonesError`] if the object does not exist or the message does not fit its model.
    pub fn decode_bones(&self, id: ObjectId, message: &[u8]) -> Result<BonePose, BonesError> {
        let object = self.object(id).ok_or(BonesError::NoSuchObject)?;
        let (skeleton, doublings) = (&object.model().skeleton, self.doublings(id));
        let factor = range::factor(doublings);
        message::decode(message, skeleton, doublings, |positions| {
            let joints = self.bone_joints(id);
            recover::rotations(positions, factor, skeleton, |bone, sights, rotations| {
                joints.iter().find(|joint| joint.bone == bone)?.bend(sights, rotations)
            })
        })
    }

    /// Sets an object's bones from a message, in model space. The pose counts as built by game code.
    ///
    /// [`BoneReceiver`] shows smooth motion instead of the latest message.
    ///
    /// ```
    /// use skelobj::object::Space;
    /// use skelobj::runtime::Replication;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let mut message = Vec::new();
    /// runtime.encode_bones(object, Replication::Full, &mut message)?; // on the server
    /// let shown = runtime.create_object(model, Space::Model)?; // on the client
    /// runtime.apply_bones(shown, &message)?;
    /// let heads = [object, shown].map(|object| runtime.object(object).unwrap().model_space(12).unwrap().origin());
    /// assert!((heads[0] - heads[1]).length() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BonesError`] if the object does not exist or the message does not fit its model. The object is unchanged.
    pub fn apply_bones(&mut self, id: ObjectId, message: &[u8]) -> Result<(), BonesError> {
        let pose = self.decode_bones(id, message)?;
        let object = self.object_mut(id).ok_or(BonesError::NoSuchObject)?;
        // Numbers of a message are within what a bone may hold.
        internal::replace_model_space_pose(object, &pose.matrices());
        Ok(())
    }

    /// Sets an object's bones to the pose of a receiver at `time`, in seconds of the sender. Returns `true` if the
    /// receiver has a pose.
    ///
    /// ```
    /// use skelobj::object::Space;
    /// use skelobj::runtime::{BoneReceiver, Replication};
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let shown = runtime.create_object(model, Space::Model)?;
    /// let mut receiver = BoneReceiver::default();
    /// assert!(!runtime.show_bones(shown, &receiver, 10.0)?); // nothing received yet
    /// let mut message = Vec::new();
    /// runtime.encode_bones(object, Replication::Full, &mut message)?;
    /// receiver.receive(10.0, runtime.decode_bones(shown, &message)?);
    /// assert!(runtime.show_bones(shown, &receiver, 10.0)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BonesError::NoSuchObject`]; [`BonesError::BoneCount`] if the receiver's poses are of another model. The object
    /// is unchanged.
    pub fn show_bones(&mut self, id: ObjectId, receiver: &BoneReceiver, time: f64) -> Result<bool, BonesError> {
        let object = self.object_mut(id).ok_or(BonesError::NoSuchObject)?;
        let Some(pose) = receiver.pose_at(time) else { return Ok(false) };
        let (expected, found) = (object.bone_count(), pose.positions().len());
        if expected != found {
            return Err(BonesError::BoneCount { expected, found });
        }
        // Numbers of a message are within what a bone may hold.
        internal::replace_model_space_pose(object, &pose.matrices());
        Ok(true)
    }

    /// Returns how often the range of the object's messages doubles.
    fn doublings(&self, id: ObjectId) -> u8 {
        let Some(object) = self.objects.get(id) else { return 0 };
        // A removed model lives on in its objects.
        let known = self.models.get(object.model).map_or(&object.doublings, |loaded| &loaded.doublings);
        *known.get_or_init(|| range::doublings(object.skeletal.model()))
    }

    /// Returns the joints of the object's doll, or of the model's default doll if that was read.
    fn bone_joints(&self, id: ObjectId) -> Vec<bend::BoneJoint> {
        let Some(object) = self.objects.get(id) else { return Vec::new() };
        let own = object.ragdoll.as_ref().map(|ragdoll| ragdoll.doll());
        let doll = own.or_else(|| self.cached_default_doll(object.model));
        doll.map(|doll| bend::joints(doll, object.skeletal.model())).unwrap_or_default()
    }
}
