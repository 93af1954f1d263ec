//! A tail swings behind the body that carries it, at any frame rate.
//!
//! cargo run --example tail

use skelobj::SkeletalObject;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, Bone, FrameState, Model, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::pose::Spring;

/// Length of a segment, Quake units.
const SEGMENT: f32 = 5.0;

/// Returns a body with a tail of six bones, and an animation that holds it still.
///
/// # Errors
/// Never: the bones are in order.
pub fn creature() -> Result<Model, Box<dyn std::error::Error>> {
    let bone = |name: String, parent, x| {
        let bind = Mat3x4::from_translation(Vec3::X * x);
        Bone { name: name.as_str().into(), parent, bind }
    };
    let tail = (1..=7).map(|number| bone(format!("tail{number}"), Some(number - 1), -SEGMENT));
    let bones: Vec<Bone> = [bone("body".to_owned(), None, 0.0)].into_iter().chain(tail).collect();
    let skeleton = Skeleton::new(bones)?;
    let frames = skeleton.bind_local().to_vec();
    let animations = vec![Animation::frames("still", 0, 1, 10.0, true)];
    Ok(Model { skeleton, frames, animations, ..Model::default() })
}

/// Shakes the body from side to side for two seconds, then holds it still; returns the tip of the tail in model space
/// four times a second.
///
/// # Errors
/// Any error of the object.
pub fn shake(frames_per_second: u32) -> Result<Vec<Vec3>, Box<dyn std::error::Error>> {
    let model = std::sync::Arc::new(creature()?);
    let tail = Spring::parse(&model.skeleton, "tail1, tail7")?.with_damping(0.5).with_gravity(Vec3::Z * -100.0);
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    let tip = object.find_bone("tail7").ok_or("no tail")?;
    let mut tips = Vec::new();
    for frame in 0..=6 * frames_per_second {
        let time = frame as f32 / frames_per_second as f32;
        let aside = if time < 2.0 { 4.0 * (2.0 * std::f32::consts::PI * time).sin() } else { 0.0 };
        let entity = Mat3x4::from_translation(Vec3::Y * aside);
        object.build(&model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
        object.swing(&tail, &entity, 1.0 / frames_per_second as f32)?;
        if frame % (frames_per_second / 4).max(1) == 0 {
            tips.push(object.model_space(tip).ok_or("no tip")?.origin());
        }
    }
    Ok(tips)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (slow, fast) = (shake(32)?, shake(144)?);
    for (quarter, (slow, fast)) in slow.iter().zip(&fast).enumerate() {
        println!("{:4.2} s   tip at 32 frames a second {slow:6.2}   at 144 {fast:6.2}", quarter as f32 / 4.0);
    }
    Ok(())
}
