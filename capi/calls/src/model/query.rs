//! Motion of a model: events, poses, tags.

use std::ffi::c_char;

use skelobj::pose;

use super::SkelobjFrameDef;
use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::SkelobjModel;
use crate::numbers;
use crate::pointer::{In, Out, OutMatrix};
use crate::table;

/// Event that an animation passes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjPassedEvent {
    /// Time at which it is passed, on the clock of the call, seconds.
    pub time: f32,
    /// Code of the event.
    pub code: u32,
    /// Start of its text; SkelobjAnimation has the whole.
    pub data: [c_char; 64],
}

/// Finds the first event of an animation after one time and until another, seconds; a looping animation repeats its
/// events. Returns 1 and writes it, or returns 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_next_event(
    model: SkelobjModel,
    animation: i32,
    after: f32,
    until: f32,
    event: Out<SkelobjPassedEvent>,
) -> i32 {
    guard::value(0, || {
        let (place, model) = (event.place()?, table::model(model)?);
        let found = model.model().animations.get(numbers::index(animation, "animation")?);
        let animation = found.ok_or_else(|| Failure::not_found(format_args!("animation {animation}")))?;
        let Some((time, event)) = animation.next_event(after, until) else { return Ok(0) };
        place.set(SkelobjPassedEvent { time, code: event.code, data: crate::text::array(&event.data) });
        Ok(1)
    })
}

/// Returns 1 if a word of an animation's name begins with these letters, regardless of case, otherwise 0: "die" begins
/// a word of "soldier_die2", not of "soldier_idle", and "getup" one of "ogre_get_up".
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_animation_has_word(model: SkelobjModel, animation: i32, word: In<c_char>) -> i32 {
    guard::value(0, || {
        let (model, word) = (table::model(model)?, word.text()?);
        let found = model.model().animations.get(numbers::index(animation, "animation")?);
        let animation = found.ok_or_else(|| Failure::not_found(format_args!("animation {animation}")))?;
        Ok(numbers::flag(animation.name.has_word(word)))
    })
}

/// Poses around a time of an animation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjPosesAt {
    /// Frame of the pose before; -1 if the pose is not one of the model's frames.
    pub before: i32,
    /// Frame of the pose after; -1 as above.
    pub after: i32,
    /// Share of the pose after, 0 to 1.
    pub share: f32,
}

/// Writes the frames that an animation shows at a time, for hosts with kernels of their own.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_poses_at(
    model: SkelobjModel,
    animation: i32,
    time: f64,
    poses: Out<SkelobjPosesAt>,
) -> SkelobjStatus {
    guard::status(|| {
        let (place, model) = (poses.place()?, table::model(model)?);
        let found = model.model().animations.get(numbers::index(animation, "animation")?);
        let animation = found.ok_or_else(|| Failure::not_found(format_args!("animation {animation}")))?;
        let (before, after, share) = animation.poses_at(time);
        let frame = |pose| numbers::number(animation.frame_of(pose));
        place.set(SkelobjPosesAt { before: frame(before), after: frame(after), share });
        Ok(())
    })
}

/// Writes the matrix of a tag, model space, of a model that plays a frame and has no object. `frame` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_tag(
    model: SkelobjModel,
    tag: i32,
    frame: In<SkelobjFrameDef>,
    matrix: OutMatrix,
) -> SkelobjStatus {
    guard::status(|| {
        let (place, model, frame) = (matrix.place()?, table::model(model)?, frame.state_or_default()?);
        let found = model.model().tag_matrix(numbers::bone(tag)?, &frame);
        place.set(found.ok_or_else(|| Failure::not_found(format_args!("tag {tag}")))?.0);
        Ok(())
    })
}

/// Writes a pose of a model that plays a frame and has no object: the matrices of all bones, relative to their parents
/// or in model space. `capacity` is the number of matrices that there is room for.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_pose(
    model: SkelobjModel,
    frame: In<SkelobjFrameDef>,
    model_space: i32,
    mut matrices: OutMatrix,
    capacity: i32,
) -> SkelobjStatus {
    guard::status(|| {
        let (loaded, frame, capacity) = (table::model(model)?, frame.state_or_default()?, numbers::size(capacity)?);
        let model = loaded.model();
        let bones = model.skeleton.len();
        let out = matrices.matrices(room(capacity, bones)?)?;
        pose::sample(pose::PoseSource { model, frame: &frame }, 0..bones, out);
        if model_space != 0 {
            let local = out.to_vec();
            pose::to_model_space(model.skeleton.parents(), &local, out);
        }
        Ok(())
    })
}

/// Returns the needed number if there is room for it.
pub(crate) fn room(capacity: usize, needed: usize) -> Result<usize> {
    if capacity >= needed {
        return Ok(needed);
    }
    let text = format!("the buffer has room for {capacity} matrices, but {needed} are needed");
    Err(Failure::new(SkelobjStatus::BufferTooSmall, text))
}
