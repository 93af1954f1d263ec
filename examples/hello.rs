//! The first program: a character walks, dies, and falls as a ragdoll. Run it with
//! `cargo run --release --example hello`.

use skelobj::math::{EntityTransform, Mat3x4};
use skelobj::model::FrameState;
use skelobj::skeleton::{Build, Space};
use skelobj::{Model, Runtime, assets};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (frame, height) in walk_and_fall()?.iter().enumerate().step_by(36) {
        println!("{:4.1} s  the head is {height:4.1} units up", frame as f32 / 72.0);
    }
    Ok(())
}

/// How high the head is in each of 360 frames, 72 to the second.
pub fn walk_and_fall() -> Result<Vec<f32>, Box<dyn std::error::Error>> {
    // One runtime per game world: a floor, a model, and an object that holds its pose.
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0);
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_side_file| None)?;
    let walk = model.find_animation(b"walk").ok_or("no walk")? as i32;
    let head = model.skeleton.find(b"head").ok_or("no head")?;
    let mut palette = vec![Mat3x4::IDENTITY; model.skeleton.len()];
    let model = runtime.add_model("mannequin.iqm", model);
    let skel = runtime.create_skeleton(model, Space::Local)?;

    // Where files come from is the engine's business: here there is one, the model's default doll.
    let mut files = |name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec());
    let (entity, frame_time, mut heights) = (EntityTransform::IDENTITY, 1.0 / 72.0, Vec::new());
    for frame in 0..360 {
        // Alive for a second: the animation poses the bones and carries the ragdoll's bodies along.
        if frame < 72 {
            let playing = FrameState::single(walk, f64::from(frame) / 72.0);
            runtime.build(skel, model, &playing, &Build::REPLACE)?;
        }
        // Then the bodies are let go, with the speed they have.
        let command = if frame == 72 { "animate 0" } else { "" };
        runtime.ragdoll_command(skel, &entity, command.as_bytes(), None, &mut files)?;
        // What a renderer skins with, one matrix per bone; then physics goes on.
        runtime.write_palette(skel, &mut palette)?;
        heights.extend(runtime.object(skel).and_then(|object| object.model_space(head)).map(|bone| bone.origin().z));
        runtime.step(frame_time);
    }
    Ok(heights)
}
