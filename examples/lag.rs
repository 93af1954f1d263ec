//! A server hits what a client saw 150 ms ago.
//!
//! cargo run --example lag
//! cargo run --example lag -- lag.iqm && skelobj draw lag.iqm --anim seen
//!
//! A runner crosses the view of a client, who aims at its head and shoots three times a second. What the client sees is
//! 150 ms old when the shot arrives: 50 ms of interpolation, and 100 ms on the way there and back. The server records
//! every pose, and traces each shot at the time that its client saw.
//!
//! With a path, the example writes the runner at the time of each shot as a model: where the server has it, and where
//! the client saw it.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, FrameState};
use skelobj::object::{Build, Space};
use skelobj::runtime::{HistoryForm, HistorySettings, PastTarget, Trace};
use skelobj::{Runtime, assets, pose, write};

const TICK: f64 = 1.0 / 72.0;
/// Age of what a client sees when its shot arrives, seconds.
const LATENCY: f64 = 0.15;
/// Speed of the runner, units per second.
const SPEED: f32 = 250.0;
/// Animation of the mannequin that runs, and bone that the client aims at.
const RUN: usize = 2;
const HEAD: usize = 12;

/// Shot of the client, when it arrives.
pub struct Shot {
    pub time: f64,
    /// Bone that is hit in the past of the client.
    pub seen: Option<usize>,
    /// Bone that is hit in the present.
    pub present: Option<usize>,
    /// Distance between the head that the client saw and the hit.
    pub missed: f32,
    /// Runner in the world, in the present and as the client saw it; local space but for the root.
    pub poses: [Vec<Mat3x4>; 2],
}

/// Shoots until `seconds` are over.
///
/// # Errors
/// Any error of the runtime.
pub fn shoot(form: HistoryForm, seconds: f64) -> Result<Vec<Shot>, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("runner", assets::mannequin())?;
    let runner = runtime.create_object(model, Space::Local)?;
    let mut settings = HistorySettings::default();
    settings.form = form;
    runtime.keep_history(Some(settings))?;

    let eye = Vec3::new(-300.0, 0.0, 50.0);
    let mut shots = Vec::new();
    for tick in 0..(seconds / TICK) as u32 {
        let time = f64::from(tick) * TICK;
        runtime.build(runner, model, &FrameState::single(RUN, time), &Build::REPLACE)?;
        let entity = Mat3x4::from_translation(Vec3::Y * (SPEED * time as f32 - 150.0));
        runtime.record_pose(runner, time, &entity)?;

        if tick % 24 == 23 {
            let seen = PastTarget::at(time - LATENCY).clamped();
            let history = runtime.history().ok_or("no history")?;
            let ghost = history.pose_at(runner, seen).ok_or("no record")?;
            let head = (ghost.entity * ghost.bones[HEAD]).transform_point(Vec3::new(0.0, 0.0, 4.0));
            let shot = Trace::line(eye, eye + (head - eye) * 2.0);
            let hit = runtime.trace(&shot.with_past(seen))?;
            let present = runtime.trace(&shot.with_past(PastTarget::at(time)))?;
            let mut bones = vec![Mat3x4::ZERO; ghost.bones.len()];
            let object = runtime.object(runner).ok_or("no object")?;
            object.write_model_space(&mut bones);
            let in_world = |entity: Mat3x4, bones: &[Mat3x4]| {
                let skeleton = &object.model().skeleton;
                let mut local = vec![Mat3x4::ZERO; bones.len()];
                pose::raw::to_local_space(skeleton.parents(), bones, &mut local);
                local[0] = entity * local[0];
                local
            };
            shots.push(Shot {
                time,
                seen: hit.and_then(|hit| hit.bone),
                present: present.and_then(|hit| hit.bone),
                missed: hit.map_or(f32::INFINITY, |hit| hit.point.distance(head)),
                poses: [in_world(entity, &bones), in_world(ghost.entity, &ghost.bones)],
            });
        }
        runtime.step(TICK as f32)?;
    }
    Ok(shots)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shots = shoot(HistoryForm::Exact, 2.0)?;
    let name = |bone: Option<usize>| bone.map_or("nothing".into(), |bone| format!("bone {bone}"));
    for Shot { time, seen, present, .. } in &shots {
        println!("{time:4.2} s   {} where the client saw it, {} where it is", name(*seen), name(*present));
    }
    if let Some(path) = std::env::args().nth(1) {
        let mut model = assets::mannequin();
        let count = shots.len() as u32;
        model.frames = (0..2).flat_map(|which| shots.iter().flat_map(move |shot| shot.poses[which].clone())).collect();
        model.bounds.clear();
        let animation = |name, first| Animation::frames(name, first, count, 3.0, false);
        model.animations = vec![animation("now", 0), animation("seen", count)];
        std::fs::write(path, write::iqm(&model)?)?;
    }
    Ok(())
}
