//! Bones, skin and motion in one model, and the ways up in a second one.

use super::motion::{MOTIONS, Motion};
use super::{body, getup::GET_UPS, skin};
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, Bounds, Event, SkeletonError};
use skelobj::pose;

/// Code of events whose data is the name of a sound.
const SOUND: u32 = 1;

/// Returns the whole model.
pub fn model() -> Result<Model, SkeletonError> {
    let model = Model { skeleton: body::skeleton()?, meshes: skin::meshes(), ..Model::default() };
    Ok(animated(model, &MOTIONS))
}

/// Returns the model that only holds the ways up. In the file of the whole model they would widen the ranges in which
/// it stores its numbers, and change all other poses a little.
pub fn get_ups() -> Result<Model, SkeletonError> {
    let model = Model { skeleton: body::skeleton()?, ..Model::default() };
    Ok(animated(model, &GET_UPS))
}

/// Returns the model with these animations.
fn animated(mut model: Model, motions: &[Motion]) -> Model {
    let mut first = 0;
    for motion in motions {
        let mut animation = Animation::frames(motion.name, first, motion.frames, motion.rate, motion.looping);
        animation.events =
            motion.events.iter().map(|&(time, data)| Event { time, code: SOUND, data: data.into() }).collect();
        model.animations.push(animation);
        for frame in 0..motion.frames {
            let relative = motion.at(frame).pose();
            if !model.meshes.is_empty() {
                model.bounds.push(bounds(&model, &relative));
            }
            model.frames.extend(relative);
        }
        first += motion.frames;
    }
    model.comments.push("skelobj mannequin, MIT OR Apache-2.0".into());
    model
}

fn bounds(model: &Model, relative: &[Mat3x4]) -> Bounds {
    let mut bones = vec![Mat3x4::ZERO; relative.len()];
    let mut palette = bones.clone();
    pose::to_model_space(model.skeleton.parents(), relative, &mut bones);
    pose::palette(&bones, model.skeleton.inverse_bind(), &mut palette);
    let (mut mins, mut maxs, mut xy_radius, mut radius) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0f32, 0.0f32);
    for mesh in &model.meshes {
        let mut skin = vec![Vec3::ZERO; mesh.positions.len()];
        pose::skin_positions(mesh, &palette, &mut skin);
        for point in skin {
            mins = mins.min(point);
            maxs = maxs.max(point);
            xy_radius = xy_radius.max(point.truncate().length());
            radius = radius.max(point.length());
        }
    }
    Bounds { mins: mins.to_array(), maxs: maxs.to_array(), xy_radius, radius }
}
