//! Builtins on animations and skins, by name and number.

use std::sync::Arc;

use crate::model::{Animation, Model, Name};
use crate::qc::Host;
use crate::qc::call::{Call, NAMES_A_STATEMENT};

fn model(call: &mut Call<'_, impl Host + ?Sized>) -> Option<Arc<Model>> {
    let id = call.model(0).id()?;
    call.runtime.model(id).cloned()
}

/// Returns the model and charges for the search for an animation or skin in it.
fn searched_model(call: &mut Call<'_, impl Host + ?Sized>) -> Option<Arc<Model>> {
    let model = model(call)?;
    let names = model.animations.len() + model.skins.len();
    call.host.charge(names as u64 / NAMES_A_STATEMENT).then_some(model)
}

/// Returns a number argument as an index; scripts count frames and skins from 0, too.
fn number(call: &mut Call<'_, impl Host + ?Sized>, argument: usize) -> Option<usize> {
    usize::try_from(call.integer(argument)).ok()
}

/// Returns an index, or -1 for none.
fn return_number(call: &mut Call<'_, impl Host + ?Sized>, number: Option<usize>) {
    call.host.return_float(number.map_or(-1.0, |number| number as f32));
}

/// Runs `frameforname` (#276).
pub(crate) fn frameforname(call: &mut Call<'_, impl Host + ?Sized>) {
    let model = model(call);
    let animations = model.iter().flat_map(|model| &model.animations);
    let found = call.find_name(animations.map(|animation| &animation.name), call.host.string(1));
    return_number(call, found);
}

/// Runs `frameduration` (#277).
pub(crate) fn frameduration(call: &mut Call<'_, impl Host + ?Sized>) {
    let (model, number) = (model(call), number(call, 1));
    let animation = model.as_ref().zip(number).and_then(|(model, number)| model.animations.get(number));
    call.host.return_float(animation.map_or(0.0, Animation::duration));
}

/// Runs `frametoname` (#284).
pub(crate) fn frametoname(call: &mut Call<'_, impl Host + ?Sized>) {
    let (model, number) = (model(call), number(call, 1));
    let animation = model.as_ref().zip(number).and_then(|(model, number)| model.animations.get(number));
    call.host.return_string(animation.map_or(&[], |animation| animation.name.as_bytes()));
}

/// Runs `modelframecount`.
pub(crate) fn modelframecount(call: &mut Call<'_, impl Host + ?Sized>) {
    let count = model(call).map_or(0, |model| model.animations.len());
    call.host.return_float(count as f32);
}

/// Runs `frameforaction`: selects one of an action's animations at random by their weights.
pub(crate) fn frameforaction(call: &mut Call<'_, impl Host + ?Sized>) {
    let (model, action) = (searched_model(call), call.int(1));
    let choice = call.host.random();
    return_number(call, model.and_then(|model| model.animation_for_action(action, choice)));
}

/// Runs `skinforname` (#237).
pub(crate) fn skinforname(call: &mut Call<'_, impl Host + ?Sized>) {
    let found = searched_model(call).and_then(|model| call.find_skin(&model, call.host.string(1)));
    return_number(call, found);
}

/// Runs `skintoname` (#285).
pub(crate) fn skintoname(call: &mut Call<'_, impl Host + ?Sized>) {
    let (model, number) = (searched_model(call), number(call, 1));
    let name = model.as_ref().zip(number).and_then(|(model, number)| model.skin_name(number));
    call.host.return_string(name.map_or(&[], Name::as_bytes));
}
