//! Poses that a client shows between messages.

use std::collections::VecDeque;

use super::BonePose;

/// Number of poses that are kept: a client can show the sender's past of up to three intervals.
const KEPT: usize = 4;

/// The last four received poses of one object, with interpolation between them.
///
/// A client shows the sender's past, because the future is unknown. It keeps a clock of the sender's time that advances
/// in every frame, and shows the pose at that clock less a delay. A delay of one interval between messages is smooth
/// only if every message arrives on time; one and a half intervals allow for jitter, and three intervals are the
/// maximum. The time of the [`newest`](Self::newest) pose is not suitable as a clock: it does not advance between
/// messages.
///
/// ```
/// use skelobj::model::FrameState;
/// use skelobj::object::Build;
/// use skelobj::runtime::{BoneReceiver, Replication};
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let model = runtime.model_by_name("mannequin.iqm").unwrap();
/// let (interval, frame) = (0.1, 1.0 / 60.0);
/// let mut receiver = BoneReceiver::default();
/// let (mut clock, mut sent, mut shown) = (0.0, 0, Vec::new());
/// while clock < 1.0 {
///     while f64::from(sent) * interval <= clock {
///         let time = f64::from(sent) * interval;
///         runtime.build(object, model, &FrameState::single(2, time), &Build::REPLACE)?;
///         let mut message = Vec::new();
///         runtime.encode_bones(object, Replication::Full, &mut message)?;
///         receiver.receive(time, runtime.decode_bones(object, &message)?);
///         sent += 1;
///     }
///     shown.extend(receiver.pose_at(clock - 1.5 * interval)); // Runtime::show_bones does the same to an object
///     clock += frame;
/// }
/// let moves = shown.windows(2).filter(|pair| pair[0] != pair[1]).count();
/// assert!(moves >= 50); // every frame after the first delay
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoneReceiver {
    /// Times of the sender, increasing, and poses of equal numbers of bones.
    poses: VecDeque<(f64, BonePose)>,
}

impl BoneReceiver {
    /// Adds a pose with the sender's `time`, seconds. Returns `true` if the pose was accepted.
    ///
    /// Messages may arrive late or twice: a pose that is not newer than the newest one is ignored, and so is one with
    /// another number of bones or with a time that is not finite.
    ///
    /// ```
    /// use skelobj::runtime::{BonePose, BoneReceiver};
    /// let (first, late) = (BonePose::default(), BonePose::default());
    /// let mut receiver = BoneReceiver::default();
    /// assert!(receiver.receive(10.05, first));
    /// assert!(!receiver.receive(10.00, late)); // overtaken on the way
    /// assert_eq!(receiver.newest(), Some(10.05));
    /// ```
    pub fn receive(&mut self, time: f64, pose: BonePose) -> bool {
        let fits =
            |(newest, other): &(f64, BonePose)| *newest < time && other.positions().len() == pose.positions().len();
        let taken = time.is_finite() && self.poses.back().is_none_or(fits);
        if taken {
            self.poses.push_back((time, pose));
            if self.poses.len() > KEPT {
                self.poses.pop_front();
            }
        }
        taken
    }

    /// Returns the pose at the sender's `time`, seconds; `None` before a pose was received.
    ///
    /// The pose is interpolated between the two received ones around that time. A time before the oldest of the last
    /// four poses returns the oldest pose, a time after the newest returns the newest pose.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// use skelobj::runtime::{BoneReceiver, Replication};
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let mut receiver = BoneReceiver::default();
    /// assert_eq!(receiver.pose_at(10.0), None);
    /// for (time, phase) in [(10.0, 0.0), (10.05, 0.1)] {
    ///     runtime.build(object, model, &FrameState::single(2, phase), &Build::REPLACE)?;
    ///     let mut message = Vec::new();
    ///     runtime.encode_bones(object, Replication::Full, &mut message)?;
    ///     receiver.receive(time, runtime.decode_bones(object, &message)?);
    /// }
    /// let foot = |time| receiver.pose_at(time).unwrap().positions()[3];
    /// assert!(((foot(10.0) + foot(10.05)) * 0.5 - foot(10.025)).length() < 1e-3);
    /// assert_eq!(foot(10.05), foot(11.0)); // no messages: the last pose stays
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pose_at(&self, time: f64) -> Option<BonePose> {
        debug_assert!(self.poses.len() <= KEPT, "old poses go");
        let Some(after) = self.poses.iter().position(|(received, _)| time < *received) else {
            return self.poses.back().map(|(_, newest)| newest.clone());
        };
        let (end, to) = self.poses.get(after)?;
        let Some((start, from)) = after.checked_sub(1).and_then(|before| self.poses.get(before)) else {
            return Some(to.clone());
        };
        let progress = ((time - start) / (end - start)) as f32;
        // Times of a sender may be too far apart for a difference.
        Some(if progress.is_finite() { from.toward(to, progress) } else { to.clone() })
    }

    /// Returns the time of the newest pose, seconds of the sender; `None` before a pose was received.
    ///
    /// ```
    /// use skelobj::runtime::{BonePose, BoneReceiver};
    /// let mut receiver = BoneReceiver::default();
    /// assert_eq!(receiver.newest(), None);
    /// receiver.receive(10.05, BonePose::default());
    /// let clock = 10.31; // the client's estimate of the sender's time
    /// let is_silent = receiver.newest().is_none_or(|newest| clock - newest > 0.25);
    /// assert!(is_silent); // the game may say that the connection is bad
    /// ```
    #[must_use]
    pub fn newest(&self) -> Option<f64> {
        self.poses.back().map(|(time, _)| *time)
    }

    /// Removes the received poses, for an object that was teleported or has a new model.
    ///
    /// ```
    /// use skelobj::runtime::{BonePose, BoneReceiver};
    /// let mut receiver = BoneReceiver::default();
    /// receiver.receive(10.05, BonePose::default());
    /// receiver.clear();
    /// assert!(receiver.pose_at(10.05).is_none()); // nothing is interpolated across the teleport
    /// ```
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
