//! Poses of the past.

use skelobj::runtime::{HistoryError, HistoryForm, HistorySettings, PastTarget};

use crate::SkelobjStatus;
use crate::error::Failure;
use crate::guard;
use crate::id::{SkelobjObject, SkelobjWorld};
use crate::model::room;
use crate::numbers;
use crate::pointer::{Def, In, InMatrix, Out, OutMatrix};

/// Settings of a history of poses. Get one from skelobj_default_history_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjHistoryDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Time before the newest record that the history covers, seconds; at most 3600. Default 1.
    pub seconds: f32,
    /// Memory for records, bytes; the oldest ones make room for new ones. Default 64 MiB.
    pub max_bytes: u64,
    /// 1 for 14 to 24 bytes per bone, off by 0.02 units at most; 0 (default) for 48 bytes, which are exact.
    pub is_packed: i32,
}

/// Returns a def of a second, exact.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_history_def() -> SkelobjHistoryDef {
    let HistorySettings { seconds, max_bytes, .. } = HistorySettings::default();
    SkelobjHistoryDef { cookie: SkelobjHistoryDef::COOKIE, seconds, max_bytes: max_bytes as u64, is_packed: 0 }
}

impl From<HistoryError> for Failure {
    #[cold]
    fn from(error: HistoryError) -> Self {
        let status = match error {
            HistoryError::NoSuchObject => SkelobjStatus::BadId,
            HistoryError::NoHistory => SkelobjStatus::NotFound,
            HistoryError::Full { .. } => SkelobjStatus::Limit,
            _ => SkelobjStatus::BadNumber,
        };
        Self::new(status, error.to_string())
    }
}

/// Replaces the history of poses with an empty one of these settings; a null `def` ends it. A new world keeps none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_keep_history(world: SkelobjWorld, def: In<SkelobjHistoryDef>) -> SkelobjStatus {
    guard::world(world, |world| {
        if def.is_null() {
            return Ok(world.runtime.keep_history(None)?);
        }
        let def = def.def()?;
        let mut settings = HistorySettings::default();
        settings.seconds = def.seconds;
        settings.max_bytes = usize::try_from(def.max_bytes).unwrap_or(usize::MAX);
        settings.form = match def.is_packed {
            0 => HistoryForm::Exact,
            1 => HistoryForm::Packed,
            _ => return Err(Failure::number("is_packed", "0 or 1")),
        };
        Ok(world.runtime.keep_history(Some(settings))?)
    })
}

/// Records the pose of an object, its ragdoll and the matrix of its entity, at `time` in seconds. Writes 1, or 0 for a
/// time before the newest one and for an object that is already recorded at this time (may be null). Call it for every
/// object that can be hit, once per tick and with the same time, after poses and commands.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_record_pose(
    world: SkelobjWorld,
    object: SkelobjObject,
    time: f64,
    entity: InMatrix,
    is_recorded: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (entity, place) = (entity.matrix()?, is_recorded.wanted()?);
        let (id, _) = world.object(object)?;
        let recorded = world.runtime.record_pose(id, time, &entity)?;
        if let Some(place) = place {
            place.set(numbers::flag(recorded));
        }
        Ok(())
    })
}

/// Marks that an object's next record does not continue its last one, because it spawned or was teleported.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_break_history(world: SkelobjWorld, object: SkelobjObject) -> SkelobjStatus {
    guard::world(world, |world| {
        let (id, _) = world.object(object)?;
        world.runtime.break_history(id);
        Ok(())
    })
}

/// Writes the recorded times, seconds: that of the `oldest` and of the `newest` record (each may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_history_window(world: SkelobjWorld, oldest: Out<f64>, newest: Out<f64>) -> SkelobjStatus {
    guard::world(world, |world| {
        let places = [oldest.wanted()?, newest.wanted()?];
        let window = world.runtime.history().and_then(|history| history.window());
        let window = window.ok_or_else(|| Failure::not_found("recorded time"))?;
        for (place, time) in places.into_iter().zip(window) {
            if let Some(place) = place {
                place.set(time);
            }
        }
        Ok(())
    })
}

/// Writes the matrix of an object's entity and the matrices of its bones in model space, as they were at a time. The
/// object may be deleted since. With `is_clamped` 1, a time outside of the recorded ones stands for the nearest one;
/// with 0 it is an error. `capacity` is the number of matrices that there is room for.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_past_pose(
    world: SkelobjWorld,
    object: SkelobjObject,
    time: f64,
    is_clamped: i32,
    entity: OutMatrix,
    mut matrices: OutMatrix,
    capacity: i32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, id) = (entity.place()?, object.get()?);
        let target = past_target(time, is_clamped)?;
        let pose = world.runtime.history().and_then(|history| history.pose_at(id, target));
        let pose = pose.ok_or_else(|| Failure::not_found(format_args!("record of the object at {time} s")))?;
        let out = matrices.matrices(room(numbers::size(capacity)?, pose.bones.len())?)?;
        out.copy_from_slice(&pose.bones);
        place.set(pose.entity.0);
        Ok(())
    })
}

/// Returns the target of a time in the past.
pub(crate) fn past_target(time: f64, is_clamped: i32) -> crate::error::Result<PastTarget> {
    match is_clamped {
        0 => Ok(PastTarget::at(time)),
        1 => Ok(PastTarget::at(time).clamped()),
        _ => Err(Failure::number("is_clamped", "0 or 1")),
    }
}
