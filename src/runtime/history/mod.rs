//! Poses of the past, and traces through them.

mod model;
mod poses;
mod ragdoll;
mod settings;
mod trace;

pub use settings::{HistoryError, HistoryForm, HistorySettings};
pub use trace::{PastPose, PastTarget};

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use skelobj_model::internal::{self, is_usable};

use super::{Object, ObjectId, Runtime};
use crate::OutOfRange;
use crate::math::{Mat3x4, Vec3};
use crate::model::Model;
use crate::physics::{Physics, rapier3d::prelude::Pose};
use model::RecordedModel;
use poses::{PoseBuffer, PoseRange};
use ragdoll::RecordedRagdoll;

/// Longest time that a history can hold, seconds.
const MAX_SECONDS: f32 = 3600.0;

/// Number of frames whose memory is kept: where times are rounded, now one and now two frames leave the window.
const MAX_SPARE: usize = 2;

/// Poses of a runtime's objects in the last second or so: what [`Runtime::record_pose`] has recorded.
///
/// A server records every object that can be hit, once per tick and all at the same time. An object that is not
/// recorded at a time was absent then; one that was deleted since is still hit in the past. Between two times, entity
/// and bones are interpolated one by one; not across a break: an object that is new, that has got another model, or for
/// which [`Runtime::break_history`] was called, stays where it was until the later time.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::runtime::{HistorySettings, PastTarget};
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.keep_history(Some(HistorySettings::default()))?;
/// for tick in 0..100 {
///     let entity = Mat3x4::from_translation(Vec3::X * tick as f32);
///     runtime.record_pose(object, f64::from(tick) * 0.05, &entity)?;
/// }
/// let history = runtime.history().unwrap();
/// let [oldest, newest] = history.window().unwrap();
/// assert!((3.9..=3.95).contains(&oldest) && newest == 99.0 * 0.05);
/// let seen = history.pose_at(object, PastTarget::at(4.525)).unwrap(); // between two ticks
/// assert!((seen.entity.origin().x - 90.5).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PoseHistory {
    settings: HistorySettings,
    /// Records by time, the oldest first.
    frames: VecDeque<Frame>,
    /// Number of frames that were ever removed: the number of the first one.
    removed: u64,
    /// Newest record of each object.
    newest: HashMap<ObjectId, Newest>,
    models: Vec<Arc<RecordedModel>>,
    /// Frames whose memory the next ones take over.
    spare: Vec<Frame>,
    scratch: Vec<Mat3x4>,
    bytes: usize,
}

/// Place of an object's newest record.
#[derive(Clone, Copy, Debug)]
struct Newest {
    frame: u64,
    entry: usize,
    /// The next record does not continue this one.
    is_broken: bool,
}

/// Records of one time.
#[derive(Debug, Default)]
struct Frame {
    time: f64,
    entries: Vec<Entry>,
    poses: PoseBuffer,
    shape_poses: Vec<Pose>,
}

/// Record of one object.
#[derive(Clone, Debug)]
struct Entry {
    object: ObjectId,
    entity: Mat3x4,
    model: Arc<RecordedModel>,
    /// Bones in model space.
    bones: PoseRange,
    /// Distance from the entity's origin that nothing of the model exceeds, model space.
    radius: f32,
    /// Record of the object in the next frame; `None` if it is absent there, or behind a break.
    next: Option<usize>,
    ragdoll: Option<RecordedRagdoll>,
}

impl Frame {
    fn clear(&mut self) {
        self.entries.clear();
        self.poses.clear();
        self.shape_poses.clear();
    }

    fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>() + self.poses.bytes() + size_of_val(self.shape_poses.as_slice())
    }
}

impl PoseHistory {
    fn new(settings: HistorySettings) -> Self {
        Self {
            settings,
            frames: VecDeque::new(),
            removed: 0,
            newest: HashMap::new(),
            models: Vec::new(),
            scratch: Vec::new(),
            spare: Vec::new(),
            bytes: 0,
        }
    }

    /// Returns the settings with which the history was made.
    #[must_use]
    pub fn settings(&self) -> HistorySettings {
        self.settings
    }

    /// Returns the oldest and the newest recorded time, seconds; `None` before the first record.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::runtime::HistorySettings;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.keep_history(Some(HistorySettings::default()))?;
    /// assert_eq!(runtime.history().unwrap().window(), None);
    /// runtime.record_pose(object, 7.5, &Mat3x4::IDENTITY)?;
    /// runtime.record_pose(object, 7.6, &Mat3x4::IDENTITY)?;
    /// assert_eq!(runtime.history().unwrap().window(), Some([7.5, 7.6]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn window(&self) -> Option<[f64; 2]> {
        Some([self.frames.front()?.time, self.frames.back()?.time])
    }

    /// Returns the number of recorded times.
    #[must_use]
    pub fn times(&self) -> usize {
        self.frames.len()
    }

    /// Returns the memory of the records, bytes; at most [`HistorySettings::max_bytes`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns `true` if a record of the model exists.
    #[cfg(feature = "qc")]
    pub(crate) fn has_recorded(&self, model: &Arc<Model>) -> bool {
        self.models.iter().any(|known| Arc::ptr_eq(&known.model, model))
    }

    /// Records an object.
    fn record(&mut self, id: ObjectId, time: f64, record: &Recording<'_>) -> Result<bool, HistoryError> {
        let newest = self.frames.back().map(|frame| frame.time);
        let begins = newest.is_none_or(|newest| newest < time);
        let mut last = self.newest.get(&id).copied();
        let is_recorded = last.is_some_and(|last| last.frame + 1 == self.removed + self.frames.len() as u64);
        if !begins && (newest != Some(time) || is_recorded) {
            return Ok(false);
        }
        let own = self.frames.back().filter(|_| !begins).map_or(0, Frame::bytes);
        let (needed, limit) = (own + record.max_bytes(), self.settings.max_bytes);
        if needed > limit {
            return Err(HistoryError::Full { needed, limit });
        }
        // Held before old frames go, so that a model whose last record goes with them is not examined again.
        let model = self.model(record.object.skeletal.model());
        if begins {
            self.begin_frame(time);
            last = self.newest.get(&id).copied();
        }
        let entry = self.append(id, last, model.clone(), record);
        self.link(id, last, entry, &model);
        while self.bytes > limit {
            self.remove_oldest();
        }
        Ok(true)
    }

    /// Removes the frames that the window no longer needs, and begins one. A pause longer than the window is a break of
    /// all objects.
    fn begin_frame(&mut self, time: f64) {
        let seconds = f64::from(self.settings.seconds);
        if self.frames.back().is_some_and(|newest| time - newest.time > seconds) {
            self.newest.values_mut().for_each(|newest| newest.is_broken = true);
        }
        let oldest = time - seconds;
        while self.frames.get(1).is_some_and(|second| second.time <= oldest) {
            self.remove_oldest();
        }
        debug_assert!(self.frames.back().is_none_or(|newest| newest.time < time), "times ascend");
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.time = time;
        self.frames.push_back(frame);
    }

    fn remove_oldest(&mut self) {
        let Some(mut frame) = self.frames.pop_front() else { return };
        debug_assert!(self.bytes >= frame.bytes(), "the bytes of all frames are counted");
        self.bytes -= frame.bytes();
        for entry in &frame.entries {
            if self.newest.get(&entry.object).is_some_and(|newest| newest.frame == self.removed) {
                self.newest.remove(&entry.object);
            }
        }
        self.removed += 1;
        if self.spare.len() < MAX_SPARE {
            frame.clear();
            self.spare.push(frame);
        }
        self.models.retain(|model| Arc::strong_count(model) > 1);
    }

    /// Returns the recorded form of a model, which all of its records share.
    fn model(&mut self, model: &Arc<Model>) -> Arc<RecordedModel> {
        if let Some(known) = self.models.iter().find(|known| Arc::ptr_eq(&known.model, model)) {
            return known.clone();
        }
        let new = Arc::new(RecordedModel::new(model));
        self.models.push(new.clone());
        new
    }

    /// Appends a record to the newest frame, and returns its index.
    fn append(
        &mut self,
        object: ObjectId,
        last: Option<Newest>,
        model: Arc<RecordedModel>,
        record: &Recording<'_>,
    ) -> usize {
        let push = match self.settings.form {
            HistoryForm::Exact => |poses: &mut PoseBuffer, bones: &[Mat3x4], _: &[f32]| poses.push_exact(bones),
            HistoryForm::Packed => PoseBuffer::push_packed,
        };
        debug_assert!(!self.frames.is_empty(), "a record belongs to a frame");
        let number = self.frames.len() - 1;
        let shapes = last.and_then(|last| Some(self.entry_mut(last)?.ragdoll.as_ref()?.shapes.clone()));
        let frame = &mut self.frames[number];
        let before_bytes = frame.bytes();
        let skeletal = &record.object.skeletal;
        self.scratch.clear();
        self.scratch.resize(skeletal.bone_count(), Mat3x4::ZERO);
        skeletal.write_model_space(&mut self.scratch);
        let entry = Entry {
            object,
            entity: *record.entity,
            bones: push(&mut frame.poses, &self.scratch, &model.reach),
            radius: model.radius(&self.scratch, Vec3::ZERO),
            next: None,
            ragdoll: record.object.ragdoll.as_ref().map(|ragdoll| {
                let (own, scratch) = ((skeletal, ragdoll), &mut self.scratch);
                RecordedRagdoll::new(frame, &model, own, record.physics, shapes, scratch, push)
            }),
            model,
        };
        frame.entries.push(entry);
        self.bytes += frame.bytes() - before_bytes;
        frame.entries.len() - 1
    }

    /// Links an object's record before the newest one to the newest one, unless there is a break between them.
    fn link(&mut self, id: ObjectId, last: Option<Newest>, entry: usize, model: &Arc<RecordedModel>) {
        let frame = self.removed + self.frames.len() as u64 - 1;
        self.newest.insert(id, Newest { frame, entry, is_broken: false });
        let before = last.filter(|last| !last.is_broken && last.frame + 1 == frame);
        if let Some(before) = before.and_then(|last| self.entry_mut(last))
            && Arc::ptr_eq(model, &before.model)
        {
            before.next = Some(entry);
        }
    }

    fn entry_mut(&mut self, place: Newest) -> Option<&mut Entry> {
        let frame = usize::try_from(place.frame.checked_sub(self.removed)?).ok()?;
        self.frames.get_mut(frame)?.entries.get_mut(place.entry)
    }
}

/// Data of an object that a record takes.
struct Recording<'a> {
    object: &'a Object,
    entity: &'a Mat3x4,
    physics: &'a Physics,
}

impl Recording<'_> {
    /// Returns the memory that the record needs at most, bytes.
    fn max_bytes(&self) -> usize {
        let bones = self.object.skeletal.bone_count();
        let ragdoll = self.object.ragdoll.as_ref().map_or(0, |ragdoll| RecordedRagdoll::max_bytes(ragdoll, bones));
        size_of::<Entry>() + PoseBuffer::max_bytes(bones) + ragdoll
    }
}

impl Runtime {
    /// Replaces the history of poses with an empty one of these settings; `None` ends it. A new runtime keeps none.
    ///
    /// Nothing is recorded until [`record_pose`](Self::record_pose), and a runtime without a history does no work for
    /// it. A snapshot does not contain the history, and `Runtime::restore` empties it.
    ///
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::runtime::HistorySettings;
    /// let mut runtime = Runtime::default();
    /// let mut settings = HistorySettings::default();
    /// settings.seconds = 0.5;
    /// runtime.keep_history(Some(settings))?;
    /// assert_eq!(runtime.history().map(|history| history.times()), Some(0));
    /// settings.seconds = f32::NAN;
    /// assert!(runtime.keep_history(Some(settings)).is_err());
    /// # Ok::<(), skelobj::OutOfRange>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] for a time that is not between 0 and 3600 seconds. The earlier history is kept.
    pub fn keep_history(&mut self, settings: Option<HistorySettings>) -> Result<(), OutOfRange> {
        if let Some(HistorySettings { seconds, .. }) = settings {
            let is_time = (0.0..=MAX_SECONDS).contains(&seconds);
            internal::check_number(is_time, "seconds", seconds, "a number from 0 to 3600")?;
        }
        self.history = settings.map(|settings| Box::new(PoseHistory::new(settings)));
        Ok(())
    }

    /// Returns the history of poses, if one is kept.
    #[must_use]
    pub fn history(&self) -> Option<&PoseHistory> {
        self.history.as_deref()
    }

    /// Removes all records, which belong to another course of time than a restored state.
    #[cfg(feature = "serde")]
    pub(super) fn empty_history(&mut self) {
        if let Some(history) = self.history.as_deref_mut() {
            *history = PoseHistory::new(history.settings);
        }
    }

    /// Records the pose of an object, its ragdoll, and the matrix of its entity, at `time` in seconds. Returns `true`
    /// if the pose was recorded.
    ///
    /// Call it for every object that can be hit, once per tick and with the same time, after poses and commands. A time
    /// before the newest one is ignored, and so is a second record of an object at one time.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::runtime::HistorySettings;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.keep_history(Some(HistorySettings::default()))?;
    /// assert!(runtime.record_pose(object, 2.0, &Mat3x4::IDENTITY)?);
    /// assert!(!runtime.record_pose(object, 2.0, &Mat3x4::IDENTITY)?); // already recorded
    /// assert!(!runtime.record_pose(object, 1.9, &Mat3x4::IDENTITY)?); // in the past
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`HistoryError`]. Nothing is recorded.
    pub fn record_pose(&mut self, id: ObjectId, time: f64, entity: &Mat3x4) -> Result<bool, HistoryError> {
        let history = self.history.as_deref_mut().ok_or(HistoryError::NoHistory)?;
        let object = self.objects.get(id).ok_or(HistoryError::NoSuchObject)?;
        if !time.is_finite() {
            return Err(HistoryError::TimeNotFinite);
        }
        // What is between two records is computed of both.
        if !is_usable(entity) || entity.inverse().is_none() {
            return Err(HistoryError::SingularEntity);
        }
        let record = Recording { object, entity, physics: &self.physics };
        history.record(id, time, &record)
    }

    /// Marks that an object's next record does not continue its last one, because it spawned or was teleported.
    ///
    /// Between the two, the object stays where it was. Without a history there is nothing to mark.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::runtime::{HistorySettings, PastTarget};
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.keep_history(Some(HistorySettings::default()))?;
    /// runtime.record_pose(object, 0.0, &Mat3x4::IDENTITY)?;
    /// runtime.break_history(object);
    /// runtime.record_pose(object, 0.1, &Mat3x4::from_translation(Vec3::X * 5000.0))?;
    /// let seen = runtime.history().unwrap().pose_at(object, PastTarget::at(0.09)).unwrap();
    /// assert_eq!(seen.entity, Mat3x4::IDENTITY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn break_history(&mut self, id: ObjectId) {
        let newest = self.history.as_deref_mut().and_then(|history| history.newest.get_mut(&id));
        if let Some(newest) = newest {
            newest.is_broken = true;
        }
    }
}
