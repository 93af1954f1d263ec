//! Builtins on the events of animations: footsteps, muzzle flashes.

use std::sync::Arc;

use crate::model::{Event, Model};
use crate::qc::call::Call;
use crate::qc::{Host, ScriptResult};

/// Maximum number of events that one call of `processmodelevents` passes on.
///
/// The number is large enough for any frame, and stops calls with times that are hours apart.
const MAX_EVENTS: usize = 1024;

/// Cost of an event, in QuakeC statements.
const EVENT: u64 = 16;

fn animation(call: &mut Call<'_, impl Host + ?Sized>) -> Option<(Arc<Model>, usize)> {
    let id = call.model(0).id()?;
    let number = usize::try_from(call.integer(1)).ok()?;
    let model = call.runtime.model(id)?;
    (number < model.animations.len()).then(|| (model.clone(), number))
}

/// Runs `processmodelevents`: calls the function of argument 4 for every event from argument 2 to before argument 3,
/// and sets argument 2 to argument 3.
pub(crate) fn processmodelevents(call: &mut Call<'_, impl Host + ?Sized>) {
    let animation = animation(call);
    let (from, until) = (call.float(2), call.float(3));
    let function = call.host.function(4);
    if let Some((model, number)) = animation
        && call.host.charge(model.animations[number].events.len() as u64)
    {
        let mut events = model.animations[number].events_in(from..until);
        for (time, event) in events.by_ref().take(MAX_EVENTS) {
            if !call.host.charge(EVENT) {
                break;
            }
            call.host.call_with_event(function, time, event.code as i32, &event.data);
        }
        if let Some((time, _)) = events.next() {
            call.complain(&format_args!("more than {MAX_EVENTS} events, those from {time} to {until} s are skipped"));
        }
    }
    call.out_float(2, ScriptResult::modelevent_time, until);
}

/// Runs `getnextmodelevent`: returns 1 if there is an event after argument 2 and until argument 3.
///
/// The event's moment, or else argument 3, goes to argument 2, its code and data to 4 and 5.
pub(crate) fn getnextmodelevent(call: &mut Call<'_, impl Host + ?Sized>) {
    let animation = animation(call);
    let (after, until) = (call.float(2), call.float(3));
    call.host.charge(animation.as_ref().map_or(0, |(model, number)| model.animations[*number].events.len()) as u64);
    let event = animation.as_ref().and_then(|(model, number)| model.animations[*number].next_event(after, until));
    call.out_float(2, ScriptResult::modelevent_time, event.map_or(until, |(time, _)| time));
    return_event(call, 4, event.map(|(_, event)| event));
    call.host.return_float(f32::from(u8::from(event.is_some())));
}

/// Runs `getmodeleventidx`: returns 1 if the event of argument 2 exists. Its time in the animation, code and data go to
/// 3, 4 and 5.
pub(crate) fn getmodeleventidx(call: &mut Call<'_, impl Host + ?Sized>) {
    let animation = animation(call);
    let index = usize::try_from(call.int(2)).ok();
    let event = animation.as_ref().zip(index).and_then(|((model, n), index)| model.animations[*n].events.get(index));
    call.out_float(3, ScriptResult::modelevent_time, event.map_or(0.0, |event| event.time));
    return_event(call, 4, event);
    call.host.return_float(f32::from(u8::from(event.is_some())));
}

/// Returns an event's code and data through arguments, the first of which is `code`, and globals.
fn return_event(call: &mut Call<'_, impl Host + ?Sized>, code: usize, event: Option<&Event>) {
    call.out_int(code, ScriptResult::modelevent_code, event.map_or(0, |event| event.code as i32));
    call.out_string(code + 1, ScriptResult::modelevent_data, event.map_or(&[], |event| event.data.as_bytes()));
}
