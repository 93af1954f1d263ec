//! Animations that entities play.

use skelobj_model::internal::{self, all_finite, finite_number};

use super::{Dialect, Entity, Field, Host, Rules, SingleFrame};
use crate::math::truncate;
use crate::model::{AnimationSource, Blend, FrameFields, FrameState, Model, PoseParameters};

/// Render flag that makes frame times start times: `RF_FRAMETIMESARESTARTTIMES`.
pub(super) const FRAME_TIMES_ARE_START_TIMES: i32 = 64;

/// Returns the frame state in an entity's fields (differences 11, 43 and 48).
pub(super) fn frame_state(host: &(impl Host + ?Sized), entity: Entity, model: Option<&Model>) -> FrameState {
    let state = single_animation(host, host.dialect(), entity).unwrap_or_else(|| all_animations(host, entity));
    let has_parameters = model.is_some_and(|model| model.half_life.is_some());
    if !has_parameters {
        return state;
    }
    let parameters = pose_parameters(host, entity);
    state.with_parameters(parameters).with_base_subblends(base_subblends(host, entity, parameters.blends))
}

/// Returns the frame state of an entity that plays one animation.
#[inline]
pub(super) fn single_animation(host: &(impl Host + ?Sized), dialect: Dialect, entity: Entity) -> Option<FrameState> {
    if dialect != Dialect::Fte {
        return None;
    }
    let SingleFrame { frame, time, flags } = host.single_frame(entity)?;
    // Zero times a finite time is zero, so one comparison covers both.
    if flags + time * 0.0 != 0.0 && !(time.is_finite() && is_time_into_animation(host, flags)) {
        return None;
    }
    let blend = Blend { animation: truncate(frame), time: time.into(), weight: 1.0 };
    Some(internal::with_f32_times(FrameState::blended([blend])))
}

/// Returns `true` if the times of an entity with these render flags count from the start of its animations.
#[cold]
fn is_time_into_animation(host: &(impl Host + ?Sized), flags: f32) -> bool {
    host.rules() != Rules::Client || truncate(flags) & FRAME_TIMES_ARE_START_TIMES == 0
}

/// Returns the frame state of an entity with all fields.
#[inline(never)]
fn all_animations(host: &(impl Host + ?Sized), entity: Entity) -> FrameState {
    let (dialect, rules) = (host.dialect(), host.rules());
    let mut fields = host.frame_fields(entity);
    if !all_finite(fields.as_floats_mut()) {
        fields.as_floats_mut().iter_mut().for_each(|value| *value = finite_number(*value));
    }
    let flags = truncate(host.float_field(entity, Field::renderflags));
    let start_times = match dialect {
        Dialect::DarkPlaces => true,
        Dialect::Fte => rules == Rules::Client && flags & FRAME_TIMES_ARE_START_TIMES != 0,
    };
    if start_times {
        let now = finite_number(host.time());
        each_time(&mut fields, |time| finite_number(now - time));
    }
    match (dialect, rules) {
        (Dialect::Fte, Rules::Client) => FrameState::client(&fields),
        (Dialect::Fte, Rules::Server) => FrameState::server(&fields),
        (Dialect::DarkPlaces, _) => {
            // DarkPlaces shows the first pose without a base group, or before its start.
            fields.basebone = 0.0;
            each_time(&mut fields, |time| time.max(0.0));
            let state = FrameState::client(&fields);
            if host.interpolates() { state } else { state.without_interpolation() }
        }
    }
}

/// Returns Half-Life's controls. The fields of the sub-blends range from -1 to 1.
fn pose_parameters(host: &(impl Host + ?Sized), entity: Entity) -> PoseParameters {
    let field = |field| finite_number(host.float_field(entity, field));
    let blend = |name| (field(name) + 1.0) * 0.5;
    use Field::{bonecontrol1, bonecontrol2, bonecontrol3, bonecontrol4, bonecontrol5};
    PoseParameters {
        controllers: [bonecontrol1, bonecontrol2, bonecontrol3, bonecontrol4, bonecontrol5].map(field),
        blends: [blend(Field::subblendfrac), blend(Field::subblend2frac)],
    }
}

/// Returns the sub-blends of the base group, those of the other bones for fields that are 0 (difference 252).
fn base_subblends(host: &(impl Host + ?Sized), entity: Entity, others: [f32; 2]) -> [f32; 2] {
    let fields = [Field::basesubblendfrac, Field::basesubblend2frac];
    let stated = fields.map(|field| finite_number(host.float_field(entity, field)));
    std::array::from_fn(|n| if stated[n] == 0.0 { others[n] } else { (stated[n] + 1.0) * 0.5 })
}

/// Returns `true` if a model with other animations should play one that shows its bind pose.
///
/// FTE has no relative matrices for it and builds nothing.
pub(super) fn shows_bind_pose(model: &Model, frame: &FrameState) -> bool {
    let first = frame.blends().iter().find(|blend| blend.weight > 0.0);
    let animation = first.filter(|_| !model.frames.is_empty()).and_then(|blend| {
        let number = usize::try_from(blend.animation).unwrap_or(0);
        model.animations.get(number).or(model.animations.first())
    });
    animation.is_some_and(|animation| matches!(animation.source, AnimationSource::BindPose))
}

fn each_time(fields: &mut FrameFields, change: impl Fn(f32) -> f32) {
    let times = [
        &mut fields.frame1time,
        &mut fields.frame2time,
        &mut fields.frame3time,
        &mut fields.frame4time,
        &mut fields.baseframe1time,
        &mut fields.baseframe2time,
    ];
    for time in times {
        *time = change(*time);
    }
}
