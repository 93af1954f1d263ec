//! Poses that a client shows between two messages.

use super::BonePose;

/// Two received poses of one object, with interpolation between them.
///
/// A client shows the past of the server, a little more than one message late: the pose at `newest - interval`.
///
/// ```
/// use skelobj::runtime::BoneReceiver;
/// # use skelobj::runtime::BonePose;
/// # let (first, second) = (BonePose::default(), BonePose::default());
/// let mut receiver = BoneReceiver::default();
/// assert!(receiver.receive(10.00, first));
/// assert!(receiver.receive(10.05, second));
/// let halfway = receiver.pose_at(10.025);
/// assert!(halfway.is_some());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoneReceiver {
    from: Option<(f64, BonePose)>,
    to: Option<(f64, BonePose)>,
}

impl BoneReceiver {
    /// Takes a pose of the sender's `time`, seconds. Returns whether it was taken.
    ///
    /// Messages may come late or twice: a pose that is not newer than the newest one is ignored, and so is one with
    /// another number of bones or with a time that is not finite.
    ///
    /// ```
    /// # use skelobj::runtime::{BonePose, BoneReceiver};
    /// # let (first, late) = (BonePose::default(), BonePose::default());
    /// let mut receiver = BoneReceiver::default();
    /// assert!(receiver.receive(10.05, first));
    /// assert!(!receiver.receive(10.00, late)); // overtaken on the way
    /// assert_eq!(receiver.newest(), Some(10.05));
    /// ```
    pub fn receive(&mut self, time: f64, pose: BonePose) -> bool {
        let fits =
            |(newest, other): &(f64, BonePose)| *newest < time && other.positions().len() == pose.positions().len();
        let taken = time.is_finite() && self.to.as_ref().is_none_or(fits);
        if taken {
            self.from = self.to.replace((time, pose));
        }
        taken
    }

    /// Returns the pose at the sender's `time`, seconds; `None` before a pose was received.
    ///
    /// Between the two poses it is interpolated; before and after them it is the nearer one.
    ///
    /// ```
    /// # use skelobj::{Model, Runtime, assets, math::{Mat3x4, Quat, Vec3}, model::FrameState};
    /// # use skelobj::{runtime::*, skeleton::{Build, Space}};
    /// # let mut runtime = Runtime::default();
    /// # let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// # let model = runtime.add_model("mannequin.iqm", mannequin)?;
    /// # let skel = runtime.create_skeleton(model, Space::Local)?;
    /// # runtime.build(skel, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    /// let mut receiver = BoneReceiver::default();
    /// assert_eq!(receiver.pose_at(10.0), None);
    /// for (time, phase) in [(10.0, 0.0), (10.05, 0.1)] {
    ///     runtime.build(skel, model, &FrameState::single(2, phase), &Build::REPLACE)?;
    ///     let mut message = Vec::new();
    ///     runtime.encode_bones(skel, Replication::Full, &mut message)?;
    ///     receiver.receive(time, runtime.decode_bones(skel, &message)?);
    /// }
    /// let foot = |time| receiver.pose_at(time).unwrap().positions()[3];
    /// assert!(((foot(10.0) + foot(10.05)) * 0.5 - foot(10.025)).length() < 1e-3);
    /// assert_eq!(foot(10.05), foot(11.0)); // no messages: the last pose stays
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pose_at(&self, time: f64) -> Option<BonePose> {
        let (end, to) = self.to.as_ref()?;
        let Some((start, from)) = self.from.as_ref().filter(|_| time < *end) else { return Some(to.clone()) };
        let progress = ((time - start) / (end - start)).clamp(0.0, 1.0);
        Some(from.toward(to, progress as f32))
    }

    /// Returns the time of the newest pose, seconds of the sender; `None` before a pose was received.
    ///
    /// ```
    /// # use skelobj::runtime::{BonePose, BoneReceiver};
    /// let mut receiver = BoneReceiver::default();
    /// assert_eq!(receiver.newest(), None);
    /// receiver.receive(10.05, BonePose::default());
    /// let interval = 0.05; // between two messages
    /// assert_eq!(receiver.newest().map(|newest| newest - interval), Some(10.0)); // the time to show
    /// ```
    #[must_use]
    pub fn newest(&self) -> Option<f64> {
        self.to.as_ref().map(|(time, _)| *time)
    }

    /// Removes the received poses, for an object that was teleported or has a new model.
    ///
    /// ```
    /// # use skelobj::runtime::{BonePose, BoneReceiver};
    /// let mut receiver = BoneReceiver::default();
    /// receiver.receive(10.05, BonePose::default());
    /// receiver.clear();
    /// assert!(receiver.pose_at(10.05).is_none()); // nothing is interpolated across the teleport
    /// ```
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
