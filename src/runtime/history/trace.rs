//! Traces through recorded poses.

use skelobj_model::internal;

use super::model::longest_axis;
use super::poses::PoseRange;
use super::{Entry, Frame, PoseHistory};
use crate::math::{Mat3x4, Vec3};
use crate::physics::CollisionGroups;
use crate::runtime::posed_skins::PosedSkins;
use crate::runtime::trace::trace_posed;
use crate::runtime::{Hit, ObjectGeometry, ObjectId, Runtime, Trace, TraceError};

/// Work of moving a bone between two records, in QuakeC statements.
#[cfg(feature = "qc")]
const BONE: u64 = 8;

/// Time in the past that a [`Trace`] goes back to, and the objects that it can hit there.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::runtime::{HistorySettings, ObjectGeometry, PastTarget, Trace, TraceError};
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.keep_history(Some(HistorySettings::default()))?;
/// runtime.record_pose(object, 10.0, &Mat3x4::IDENTITY)?;
/// runtime.record_pose(object, 10.1, &Mat3x4::from_translation(Vec3::Y * 50.0))?;
/// let shot = Trace::line(Vec3::new(200.0, 0.0, 58.0), Vec3::new(-200.0, 0.0, 58.0));
/// let hits = |past| runtime.trace(&shot.with_past(past)).map(|hit| hit.is_some());
/// assert_eq!(hits(PastTarget::at(9.5)), Err(TraceError::OutsideHistory));
/// assert_eq!(hits(PastTarget::at(9.5).clamped()), Ok(true)); // at 10.0
/// assert_eq!(hits(PastTarget::at(10.0).with_object(object, ObjectGeometry::HitBoxes)), Ok(false)); // it has none
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct PastTarget {
    /// Time, seconds, on the clock of [`Runtime::record_pose`](crate::Runtime::record_pose).
    pub time: f64,
    /// `true` if a time outside of the recorded ones stands for the nearest of them; else it is an error.
    pub is_clamped: bool,
    /// Only object that can be hit, without the level; `None` for all recorded objects and the level.
    pub object: Option<ObjectId>,
    /// Geometry of the objects that can be hit. Default: the best that each one had.
    pub geometry: ObjectGeometry,
}

impl PastTarget {
    /// Creates a target of all recorded objects at a time, seconds.
    #[must_use]
    pub fn at(time: f64) -> Self {
        Self { time, is_clamped: false, object: None, geometry: ObjectGeometry::Best }
    }

    /// Returns the target with a time outside of the recorded ones moved to the nearest of them.
    #[must_use]
    pub fn clamped(self) -> Self {
        Self { is_clamped: true, ..self }
    }

    /// Returns the target with one object in place of all objects and the level. An object that was absent at the time
    /// is not hit.
    #[must_use]
    pub fn with_object(self, object: ObjectId, geometry: ObjectGeometry) -> Self {
        Self { object: Some(object), geometry, ..self }
    }
}

/// Pose of an object in the past, from [`PoseHistory::pose_at`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PastPose {
    /// Matrix of the entity, model space to world space.
    pub entity: Mat3x4,
    /// Bones in model space.
    pub bones: Vec<Mat3x4>,
}

/// Place between two frames.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub frame: &'a Frame,
    /// Frame after it; `None` exactly at the time of the frame.
    next: Option<&'a Frame>,
    /// Part of the way to the next frame; NaN if the times are too far apart for a difference, as no record then
    /// continues another.
    pub share: f32,
}

impl<'a> Moment<'a> {
    /// Returns the record that continues another one in the next frame.
    pub fn later(&self, entry: &Entry) -> Option<(&'a Frame, &'a Entry)> {
        let next = self.next?;
        debug_assert!(entry.next.is_none_or(|later| later < next.entries.len()), "the later entry exists");
        Some((next, next.entries.get(entry.next?)?))
    }

    fn entity(&self, entry: &Entry) -> Mat3x4 {
        self.later(entry).map_or(entry.entity, |(_, later)| internal::toward(&entry.entity, &later.entity, self.share))
    }

    /// Returns the matrices of a range, moved toward those of a later one.
    pub fn bones(&self, range: PoseRange, later: Option<(&Frame, PoseRange)>) -> Vec<Mat3x4> {
        let mut bones = self.frame.poses.get(range);
        if let Some((frame, later)) = later {
            debug_assert_eq!(range.bones(), later.bones(), "both records have all bones");
            for (bone, later) in bones.iter_mut().zip(frame.poses.get(later)) {
                *bone = internal::toward(bone, &later, self.share);
            }
        }
        bones
    }

    fn bones_of(&self, entry: &Entry) -> Vec<Mat3x4> {
        self.bones(entry.bones, self.later(entry).map(|(frame, later)| (frame, later.bones)))
    }

    /// Returns `true` if the line comes near a record, its ragdoll or its model.
    #[cfg(feature = "qc")]
    fn is_near(&self, entry: &Entry, trace: &Trace) -> bool {
        entry.ragdoll.as_ref().is_some_and(|ragdoll| entry.is_ragdoll_near(ragdoll, *self, trace))
            || self.is_near_model(entry, trace)
    }

    /// Returns `true` if the line comes near the entity's model.
    fn is_near_model(&self, entry: &Entry, trace: &Trace) -> bool {
        let reach = |entry: &Entry| entry.radius * longest_axis(&entry.entity);
        let (origin, radius) = (entry.entity.origin(), reach(entry));
        match self.later(entry) {
            Some((_, later)) => {
                trace.is_within(origin.lerp(later.entity.origin(), self.share), radius.max(reach(later)))
            }
            None => trace.is_within(origin, radius),
        }
    }

    fn trace(&self, skins: &PosedSkins, entry: &Entry, trace: &Trace, geometry: ObjectGeometry) -> Option<Hit> {
        if let Some(ragdoll) = &entry.ragdoll
            && matches!(geometry, ObjectGeometry::Best | ObjectGeometry::Ragdoll)
        {
            return entry.trace_ragdoll(ragdoll, *self, skins, trace, geometry);
        }
        if geometry == ObjectGeometry::Ragdoll || !self.is_near_model(entry, trace) {
            return None;
        }
        let to_model = self.entity(entry).inverse()?;
        trace_posed(skins, &entry.model.model, &self.bones_of(entry), trace, entry.object, &to_model, geometry)
    }
}

impl PoseHistory {
    /// Returns the pose of an object in the past, as it is traced; `None` if the object was absent then, or if the time
    /// is outside of the recorded ones and not clamped.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::runtime::{HistorySettings, PastTarget};
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.keep_history(Some(HistorySettings::default()))?;
    /// runtime.record_pose(object, 0.0, &Mat3x4::IDENTITY)?;
    /// runtime.record_pose(object, 0.1, &Mat3x4::from_translation(Vec3::Y * 50.0))?;
    /// let ghost = runtime.history().unwrap().pose_at(object, PastTarget::at(0.05)).unwrap();
    /// assert!((ghost.entity.origin().y - 25.0).abs() < 1e-3);
    /// assert_eq!(ghost.bones.len(), 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pose_at(&self, object: ObjectId, past: PastTarget) -> Option<PastPose> {
        let moment = self.moment(past).ok()?;
        let entry = moment.frame.entries.iter().find(|entry| entry.object == object)?;
        Some(PastPose { entity: moment.entity(entry), bones: moment.bones_of(entry) })
    }

    fn moment(&self, past: PastTarget) -> Result<Moment<'_>, TraceError> {
        let [oldest, newest] = self.window().ok_or(TraceError::NoHistory)?;
        let time = match past.is_clamped && !past.time.is_nan() {
            true => past.time.clamp(oldest, newest),
            false => past.time,
        };
        if !(oldest..=newest).contains(&time) {
            return Err(TraceError::OutsideHistory);
        }
        let number = self.frames.partition_point(|frame| frame.time <= time).saturating_sub(1);
        let frame = &self.frames[number];
        let next = self.frames.get(number + 1).filter(|_| time > frame.time);
        let share = next.map_or(0.0, |next| ((time - frame.time) / (next.time - frame.time)) as f32);
        debug_assert!(
            next.is_none_or(|next| (frame.time..next.time).contains(&time)),
            "the time is between two frames"
        );
        Ok(Moment { frame, next, share })
    }
}

impl Trace {
    /// Returns `true` if the line comes near a sphere.
    pub(super) fn is_within(&self, center: Vec3, radius: f32) -> bool {
        let [start, end] = self.line_ends().map(|place| (place - center).as_dvec3());
        let along = end - start;
        let share = (-start.dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        let distance = (start + along * share).length();
        // Matrices are rounded, and NaN must not hide anything.
        distance.is_nan() || distance <= f64::from(radius) * 1.001 + 0.01 || radius.is_nan()
    }

    /// Returns `true` if the groups of the trace contain those of a recorded object.
    fn may_hit(&self, entry: &Entry) -> bool {
        let own = entry.ragdoll.as_ref().map_or(CollisionGroups::RAGDOLLS, |ragdoll| ragdoll.groups);
        u32::from(own) & u32::from(self.groups) != 0
    }
}

impl Runtime {
    /// Traces recorded objects at a time in the past, and the level of the present.
    pub(in crate::runtime) fn trace_past(&self, trace: &Trace, past: PastTarget) -> Result<Option<Hit>, TraceError> {
        let moment = self.history.as_ref().ok_or(TraceError::NoHistory)?.moment(past)?;
        let entries = moment.frame.entries.iter();
        if let Some(object) = past.object {
            let entry = entries.into_iter().find(|entry| entry.object == object);
            return Ok(entry.and_then(|entry| moment.trace(&self.posed_skins, entry, trace, past.geometry)));
        }
        let candidates = entries.filter(|entry| Some(entry.object) != trace.excluded && trace.may_hit(entry));
        let hits = candidates.filter_map(|entry| moment.trace(&self.posed_skins, entry, trace, past.geometry));
        // Of equal ones the first counts: the level, then the order of the records.
        let nearer = |first: Hit, hit: Hit| if hit.fraction < first.fraction { hit } else { first };
        let level = self.trace_level(trace);
        let start_solid = level.is_some_and(|hit| hit.start_solid);
        let first = level.into_iter().chain(hits).reduce(nearer);
        Ok(first.map(|hit| Hit { start_solid: hit.start_solid || start_solid, ..hit }))
    }

    /// Returns the work of a trace through the past: the visited records, and the bones and the skin of those near the
    /// line, or of the only one.
    #[cfg(feature = "qc")]
    pub(crate) fn past_cost(&self, trace: &Trace, past: PastTarget) -> u64 {
        let moment = self.history.as_ref().and_then(|history| history.moment(past).ok());
        moment.map_or(0, |moment| {
            let entries = &moment.frame.entries;
            let wanted = entries.iter().filter(|entry| past.object.is_none_or(|object| entry.object == object));
            let near = wanted.filter(|entry| past.object.is_some() || moment.is_near(entry, trace));
            let size = |entry: &Entry| {
                entry.model.model.skeleton.len() as u64 * BONE + internal::skin_size(&entry.model.model)
            };
            entries.len() as u64 + near.map(size).sum::<u64>()
        })
    }

    /// Traces everything solid except entity boxes and ragdolls.
    fn trace_level(&self, trace: &Trace) -> Option<Hit> {
        let groups = u32::from(trace.groups) & !u32::from(CollisionGroups::BOXES);
        self.trace_world(&trace.with_groups(groups.into()), false)
    }
}
