//! First program: a character walks, dies and falls as a ragdoll. Run it with `cargo run --release --example hello`.

use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;
use skelobj::{Model, Runtime, assets};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (frame, height) in walk_and_fall()?.iter().enumerate().step_by(36) {
        println!("{:4.1} s  the head is {height:4.1} units up", frame as f32 / 72.0);
    }
    Ok(())
}

/// Returns the height of the head in each of 360 frames, 72 per second.
pub fn walk_and_fall() -> Result<Vec<f32>, Box<dyn std::error::Error>> {
    // One runtime per game world. The engine provides the files; here the only one is the model's doll.
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec()));
    runtime.physics_mut().add_floor(0.0)?;
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_side_file| None)?;
    let walk = model.find_animation("walk").ok_or("no walk")?;
    let death = model.find_animation("death").ok_or("no death")?;
    let head = model.skeleton.find("head").ok_or("no head")?;
    let mut palette = vec![Mat3x4::IDENTITY; model.skeleton.len()];
    let model = runtime.add_model("mannequin.iqm", model)?;
    let id = runtime.create_object(model, Space::Local)?;

    let (entity, frame_time, mut heights) = (Mat3x4::IDENTITY, 1.0 / 72.0, Vec::new());
    for frame in 0..360 {
        // Alive for a second: the animation poses the bones, and the ragdoll's bodies follow it.
        if frame < 72 {
            let playing = FrameState::single(walk, f64::from(frame) / 72.0);
            runtime.build(id, model, &playing, &Build::REPLACE)?;
        }
        // Then the bodies become limp within 0.3 seconds, while the death animation plays on: it staggers before it falls.
        if (72..94).contains(&frame) {
            let dying = FrameState::single(death, f64::from(frame - 72) / 72.0);
            runtime.build(id, model, &dying, &Build::REPLACE)?;
        }
        let command = if frame == 72 { Command::Animate(0.0, Some(0.3)) } else { Command::Update };
        runtime.ragdoll_command(id, &entity, command, None)?;
        // A renderer skins with the palette, one matrix per bone.
        runtime.write_palette(id, &mut palette)?;
        heights.extend(runtime.object(id).and_then(|object| object.model_space(head)).map(|bone| bone.origin().z));
        // The frame ends: the physics steps, and deleted objects are freed.
        runtime.step(frame_time)?;
    }
    Ok(heights)
}
