//! Data of a model, and what its names and numbers mean.

use std::ffi::c_char;

use super::SkelobjModelData;
use crate::SkelobjStatus;
use crate::error::Failure;
use crate::guard;
use crate::id::SkelobjModel;
use crate::numbers;
use crate::pointer::{In, Out};
use crate::table;

/// Writes pointers to the data of a model, which are valid until it is freed.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_data(model: SkelobjModel, data: Out<SkelobjModelData>) -> SkelobjStatus {
    guard::status(|| {
        data.place()?.set(table::model(model)?.view().data());
        Ok(())
    })
}

/// Returns the number of the bone or other tag with a name; 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_find_tag(model: SkelobjModel, name: In<c_char>) -> i32 {
    guard::value(0, || Ok(numbers::bone_number(table::model(model)?.model().find_tag(name.bytes()?))))
}

/// Returns the number of the animation with a name; -1 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_find_animation(model: SkelobjModel, name: In<c_char>) -> i32 {
    guard::value(-1, || Ok(numbers::number(table::model(model)?.model().find_animation(name.bytes()?))))
}

/// Returns the number of the skin with a name; -1 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_find_skin(model: SkelobjModel, name: In<c_char>) -> i32 {
    guard::value(-1, || Ok(numbers::number(table::model(model)?.model().find_skin(name.bytes()?))))
}

/// Writes the name of a skin, and its length (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_skin_name(
    model: SkelobjModel,
    skin: i32,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length, model) = (buffer.buffer(capacity)?, length.wanted()?, table::model(model)?);
        let name = model.model().skin_name(numbers::index(skin, "skin")?);
        buffer.fill_text(name.ok_or_else(|| Failure::not_found(format_args!("skin {skin}")))?.as_bytes(), length)
    })
}

/// Returns an animation for an action (activity): `choice`, 0 to 1, picks one by their weights. -1 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_animation_for_action(model: SkelobjModel, action: i32, choice: f32) -> i32 {
    guard::value(-1, || Ok(numbers::number(table::model(model)?.model().animation_for_action(action, choice))))
}
