//! Time of a frame with one falling mannequin and with a hundred, as `web/test/speed.mjs` measures it in WebAssembly.
//!
//! cargo run --release --features enhanced-determinism --example frame_time

use std::time::{Duration, Instant};

use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;
use skelobj::{Runtime, assets};

const FRAMES: u32 = 60;

/// Returns the mean time of a frame of the first second of a fall.
fn frame_time(count: u16) -> Result<Duration, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    runtime.physics_mut().add_floor(0.0)?;
    let model = runtime.load_model("mannequin.iqm")?;
    let mut figures: Vec<(_, Mat3x4)> = Vec::new();
    for number in 0..count {
        let place = Vec3::new(f32::from(number / 10) * 60.0, f32::from(number % 10) * 60.0, 40.0);
        let turned = EntityTransform::new(place, Vec3::Y * 37.0 * f32::from(number));
        let entity = runtime.settings().entity_matrix(&turned);
        let object = runtime.create_object(model, Space::Local)?;
        runtime.build(object, model, &FrameState::single(2, 0.1), &Build::REPLACE)?;
        runtime.ragdoll_command(object, &entity, Command::Animate(0.0), None)?;
        figures.push((object, entity));
    }
    let started = Instant::now();
    for _ in 0..FRAMES {
        for (object, entity) in &figures {
            runtime.ragdoll_command(*object, entity, Command::Update, None)?;
        }
        runtime.step(1.0 / 60.0);
    }
    Ok(started.elapsed() / FRAMES)
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (count, runs) in [(1, 40), (100, 8)] {
        let mut times = (0..runs).map(|_| frame_time(count)).collect::<Result<Vec<_>, _>>()?;
        times.sort();
        let [least, median] = [times[0], times[times.len() / 2]].map(|time| time.as_secs_f64() * 1e3);
        println!("{count} awake: {least:.3} ms a frame, least of {runs} runs; median {median:.3} ms");
    }
    Ok(())
}
