//! A character walks as far as its animation carries it.
//!
//! cargo run --example walk
//! cargo run --example walk -- walk.iqm && skelobj draw walk.iqm --anim walked
//!
//! The mannequin's own walk stays in place, as on a treadmill. The example moves its pelvis forward, as an animator's
//! walk does, and then takes that motion out of each pose and gives it to the entity.
//!
//! With a path, the example writes what it shows as a model.

use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::{Animation, FrameState};
use skelobj::object::{Build, Space};
use skelobj::pose::RootMotion;
use skelobj::{Model, Runtime, assets, write};

const FRAME_TIME: f32 = 1.0 / 60.0;
/// Speed with which the floor of the walk moves, units per second.
const TREADMILL: f32 = 46.7;

/// Frame of the walk.
pub struct Frame {
    pub entity: Mat3x4,
    /// Bones in local space, the root in the world.
    pub bones: Vec<Mat3x4>,
    /// Toes, left and right, world space.
    pub toes: [Vec3; 2],
}

/// Returns the mannequin with a walk that leaves the origin.
#[must_use]
pub fn walking_model() -> Model {
    let mut model = assets::mannequin();
    let walk = model.animations[1].clone();
    let bones = model.skeleton.len();
    for (pose, frame) in (0..walk.pose_count()).filter_map(|pose| walk.frame_of(pose)).enumerate() {
        let pelvis = &mut model.frames[frame * bones];
        *pelvis = pelvis.with_origin(pelvis.origin() + Vec3::X * (pose as f32 * TREADMILL / walk.rate));
    }
    model
}

/// Walks for a number of frames.
///
/// # Errors
/// Any error of the runtime.
pub fn walk(frames: usize) -> Result<Vec<Frame>, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("walker", walking_model())?;
    let object = runtime.create_object(model, Space::Local)?;
    let shown = runtime.model(model).ok_or("no model")?.clone();
    let root = RootMotion::parse(&shown.skeleton, "pelvis")?.with_yaw(false); // hips sway in a walk
    let toes = ["toe_l", "toe_r"].map(|name| shown.skeleton.find(name).unwrap_or(0));

    let mut entity = EntityTransform::new(Vec3::ZERO, Vec3::new(0.0, -50.0, 0.0)).to_world(-1.0, 1.0);
    let mut before = FrameState::single(1, 0.0);
    let mut story = Vec::new();
    for frame in 0..frames {
        let now = FrameState::single(1, f64::from(frame as f32 * FRAME_TIME));
        entity = root.motion(&shown, &before, &now)?.moved(&entity);
        runtime.build(object, model, &now, &Build::REPLACE)?;
        let posed = runtime.object_mut(object).ok_or("no object")?;
        posed.take_motion(&root, &shown, &now)?;
        let mut bones = posed.pose().bones().to_vec();
        bones[0] = entity * bones[0];
        let mut place = |toe| posed.model_space(toe).map_or(Vec3::ZERO, |toe| (entity * toe).origin());
        story.push(Frame { entity, bones, toes: toes.map(&mut place) });
        runtime.step(FRAME_TIME)?;
        before = now;
    }
    Ok(story)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let story = walk(200)?;
    for (frame, Frame { entity, toes: [left, right], .. }) in story.iter().enumerate().step_by(10) {
        let time = frame as f32 * FRAME_TIME;
        println!("{time:4.2} s   entity {:6.1}   left toe {left:6.1}   right toe {right:6.1}", entity.origin());
    }
    if let Some(path) = std::env::args().nth(1) {
        let mut model = assets::mannequin();
        model.frames = story.iter().flat_map(|frame| frame.bones.iter().copied()).collect();
        model.bounds.clear();
        model.animations = vec![Animation::frames("walked", 0, story.len() as u32, 1.0 / FRAME_TIME, false)];
        std::fs::write(path, write::iqm(&model)?)?;
    }
    Ok(())
}
