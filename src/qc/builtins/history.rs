//! Builtins that record poses, and traces through them.

use crate::qc::Host;
use crate::qc::call::Call;
use crate::runtime::{HistoryForm, HistorySettings, Hit, ObjectGeometry, ObjectId, PastTarget, Trace};

/// Cost of a record beside its bones, and of each bone, in QuakeC statements.
const RECORD: u64 = 32;
const BONE: u64 = 12;

/// Runs `skel_history`: keeps poses for some seconds, packed if argument 1 is not 0; none for 0 seconds. Returns 1, or
/// 0 on an error.
pub(crate) fn keep(call: &mut Call<'_, impl Host + ?Sized>) {
    let seconds = call.float(0);
    let is_packed = call.host.argc() > 1 && call.float(1) != 0.0;
    let form = if is_packed { HistoryForm::Packed } else { HistoryForm::Exact };
    let settings = HistorySettings { seconds, form, ..HistorySettings::default() };
    let kept = call.runtime.keep_history((seconds != 0.0).then_some(settings));
    if let Err(error) = &kept {
        call.complain(error);
    }
    call.host.return_float(f32::from(u8::from(kept.is_ok())));
}

/// Runs `skel_record`: records the object of entity 0 at time 1; returns 1 if it was recorded, else 0.
pub(crate) fn record(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let entity = call.host.entity(0);
    let time = call.float(1);
    let Some(id) = call.entity_object(entity) else { return };
    let world = call.ragdoll_world(entity);
    let is_new = call
        .runtime
        .history()
        .is_some_and(|history| call.runtime.object(id).is_some_and(|object| !history.has_recorded(object.model())));
    // The first record of a model visits its vertices.
    let skin = if is_new { call.skin_size(id) } else { 0 };
    if !(call.host.charge(RECORD + skin) && call.charge_bones(id, BONE)) {
        return;
    }
    match call.runtime.record_pose(id, time.into(), &world) {
        Ok(recorded) => call.host.return_float(f32::from(u8::from(recorded))),
        Err(error) => call.complain(&error),
    }
}

/// Runs `skel_record_break`: the next record of object 0 does not continue its last one.
pub(crate) fn record_break(call: &mut Call<'_, impl Host + ?Sized>) {
    if let Some(id) = call.object(0) {
        call.runtime.break_history(id);
    }
}

/// Traces one recorded object, or all except that of entity 6, at time 5.
pub(super) fn trace(call: &mut Call<'_, impl Host + ?Sized>, line: Trace, object: Option<ObjectId>) -> Option<Hit> {
    let past = PastTarget::at(call.float(5).into()).clamped();
    let skipped = (call.host.argc() > 6).then(|| call.host.entity(6)).and_then(|entity| call.entity_object(entity));
    let (past, line) = match object {
        Some(object) => (past.with_object(object, ObjectGeometry::Best), line),
        None => (past, skipped.map_or(line, |skipped| line.without(skipped))),
    };
    let line = line.with_past(past);
    let cost = call.runtime.past_cost(&line, past);
    if !call.host.charge(cost) {
        return None;
    }
    call.traced(&line)
}
