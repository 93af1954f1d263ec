//! Poses that a client shows between two messages.

use super::BonePose;

/// Two received poses of one object, with interpolation between them.
///
/// A client shows the server's past, a little more than one message late: at `time = newest - interval`.
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
    /// Takes a pose of the sender's `time`, seconds. Returns whether it was taken: a pose that is not newer than the newest
    /// one, has another number of bones, or has a time that is not finite is ignored, because messages may come late or
    /// twice.
    pub fn receive(&mut self, time: f64, pose: BonePose) -> bool {
        let fits =
            |(newest, other): &(f64, BonePose)| *newest < time && other.positions().len() == pose.positions().len();
        let taken = time.is_finite() && self.to.as_ref().is_none_or(fits);
        if taken {
            self.from = self.to.replace((time, pose));
        }
        taken
    }

    /// Returns the pose at the sender's `time`, seconds: interpolated between the two poses, and the nearer one outside of
    /// them, as nothing is extrapolated. `None` before anything was received.
    #[must_use]
    pub fn pose_at(&self, time: f64) -> Option<BonePose> {
        let (end, to) = self.to.as_ref()?;
        let Some((start, from)) = self.from.as_ref().filter(|_| time < *end) else { return Some(to.clone()) };
        let progress = ((time - start) / (end - start)).clamp(0.0, 1.0);
        Some(from.toward(to, progress as f32))
    }

    /// Returns the time of the newest pose, the sender's seconds.
    #[must_use]
    pub fn newest(&self) -> Option<f64> {
        self.to.as_ref().map(|(time, _)| *time)
    }

    /// Removes the received poses, for an object that was teleported or has another model.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
