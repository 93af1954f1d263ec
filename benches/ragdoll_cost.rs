//! Instructions of ragdolls. The counts are the same on every machine.
//!
//! `cargo bench --bench ragdoll_cost` runs each scene below under valgrind's callgrind, counts the instructions from
//! the first to the last measured frame, and compares the sums with the goals. `cargo bench --bench ragdoll_cost --
//! SCENE` runs one scene for a profiler: `valgrind --tool=callgrind --toggle-collect='*measured*'
//! target/release/deps/ragdoll_cost-HASH SCENE`.

mod callgrind;

use std::hint::black_box;
use std::process::ExitCode;

use callgrind::measured;
use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::physics::rapier3d::prelude::{PhysicsWorld, RigidBodyType};
use skelobj::ragdoll::Command;
use skelobj::runtime::{Settings, SkelId};
use skelobj::skeleton::{Build, Space};
use skelobj::{Model, Runtime, assets};

/// Duration of a host's frame, seconds; two physics steps.
const FRAME: f32 = 1.0 / 60.0;

/// Scene: name, number of dolls, number of frames, and the code to run.
struct Scene {
    name: &'static str,
    dolls: usize,
    frames: usize,
    run: fn(&Scene),
}

const SCENES: [Scene; 7] = [
    Scene { name: "hundred", dolls: 100, frames: 60, run: |scene| frames(crowd(scene, 0.25, 8.0), scene, true) },
    Scene { name: "hundred-steps", dolls: 100, frames: 60, run: |scene| frames(crowd(scene, 0.25, 8.0), scene, false) },
    Scene { name: "hundred-raw", dolls: 100, frames: 60, run: raw },
    Scene { name: "asleep", dolls: 100, frames: 60, run: |scene| frames(crowd(scene, 30.0, 8.0), scene, true) },
    Scene { name: "life", dolls: 10, frames: 600, run: |scene| frames(crowd(scene, 0.0, 8.0), scene, true) },
    Scene { name: "life-awake", dolls: 10, frames: 600, run: |scene| frames(crowd(scene, 0.0, 0.0), scene, true) },
    Scene { name: "animated", dolls: 100, frames: 60, run: animated },
];

fn main() -> ExitCode {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    match wanted {
        Some(name) => match SCENES.iter().find(|scene| scene.name == name) {
            Some(scene) => (scene.run)(scene),
            None => {
                eprintln!("no such scene: {name}");
                return ExitCode::FAILURE;
            }
        },
        None => report(),
    }
    ExitCode::SUCCESS
}

fn report() {
    let Some(counts) = SCENES.iter().map(count).collect::<Option<Vec<f64>>>() else {
        println!("valgrind is needed to count instructions");
        return;
    };
    for (scene, count) in SCENES.iter().zip(&counts) {
        println!("{:14} {count:9.0} instructions a doll and frame ({} dolls)", scene.name, scene.dolls);
    }
    let [whole, steps, raw, asleep, life, awake, _] = counts[..] else { return };
    println!("a hundred with their bones {:.3} of plain rapier (goal 1.05), without {:.3}", whole / raw, steps / raw);
    println!("asleep {asleep:.0} (goal 60)");
    println!("ten seconds of life {:.3} of the same awake (goal 0.3)", life / awake);
}

/// Instructions per doll and frame.
fn count(scene: &Scene) -> Option<f64> {
    Some(callgrind::count(scene.name)? / (scene.dolls * scene.frames) as f64)
}

/// Mannequins above a floor.
struct Crowd {
    runtime: Runtime,
    dolls: Vec<(SkelId, Mat3x4)>,
}

impl Crowd {
    fn frame(&mut self, with_bones: bool) {
        if with_bones {
            for (skel, entity) in &self.dolls {
                let done = self.runtime.ragdoll_command(*skel, entity, Command::Update, None);
                black_box(done.expect("it has a doll"));
                black_box(self.runtime.object(*skel).and_then(|object| object.revision()));
            }
        }
        self.runtime.step(FRAME);
    }
}

/// Returns limp mannequins, each with another orientation, after some seconds of falling.
fn crowd(scene: &Scene, seconds: f32, sleep_speed: f32) -> Crowd {
    let mut settings = Settings::default();
    settings.physics.sleep_speed = sleep_speed;
    let mut runtime = Runtime::new(settings).expect("a speed above zero");
    runtime.physics_mut().add_floor(0.0).expect("a finite height");
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).expect("the sample loads");
    let model = runtime.add_model("mannequin.iqm", model).expect("there is room");
    runtime.set_files(|name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec()));
    let dolls = (0..scene.dolls).map(|number| {
        let skel = runtime.create_skeleton(model, Space::Local).expect("there is room");
        let [column, row] = [number % 10, number / 10].map(|place| place as f32 * 120.0);
        let turn = number as f32;
        let angles = Vec3::new(turn * 37.0 % 180.0 - 90.0, turn * 137.5 % 360.0, turn * 73.0 % 360.0);
        let entity = EntityTransform::new(Vec3::new(column, row, 60.0), angles).to_world(-1.0, 1.0);
        runtime.build(skel, model, &FrameState::single(0, 0.0), &Build::REPLACE).expect("it builds");
        runtime.ragdoll_command(skel, &entity, Command::Animate(0.0), None).expect("it has a doll");
        (skel, entity)
    });
    let dolls = dolls.collect();
    let mut crowd = Crowd { runtime, dolls };
    for _ in 0..(seconds / FRAME).round() as usize {
        crowd.frame(true);
    }
    crowd
}

fn frames(mut crowd: Crowd, scene: &Scene, with_bones: bool) {
    measured(|| {
        for _ in 0..scene.frames {
            crowd.frame(with_bones);
        }
    });
    let bodies = crowd.runtime.physics().world().bodies.iter().filter(|(_, body)| body.is_dynamic());
    let (asleep, all) =
        bodies.fold((0, 0), |(asleep, all), (_, body)| (asleep + usize::from(body.is_sleeping()), all + 1));
    println!("{}: {asleep} of {all} bodies asleep at the end", scene.name);
}

/// Bodies, colliders and joints of the same mannequins, stepped by rapier alone.
fn raw(scene: &Scene) {
    let crowd = crowd(scene, 0.25, 8.0);
    let ours = crowd.runtime.physics().world();
    let mut world = PhysicsWorld {
        gravity: ours.gravity,
        integration_parameters: ours.integration_parameters,
        islands: ours.islands.clone(),
        broad_phase: ours.broad_phase.clone(),
        narrow_phase: ours.narrow_phase.clone(),
        bodies: ours.bodies.clone(),
        colliders: ours.colliders.clone(),
        impulse_joints: ours.impulse_joints.clone(),
        multibody_joints: ours.multibody_joints.clone(),
        ..PhysicsWorld::default()
    };
    let steps = scene.frames;
    measured(|| (0..steps).for_each(|_| world.step()));
    let moving = world.bodies.iter().filter(|(_, body)| body.body_type() == RigidBodyType::Dynamic).count();
    println!("{}: {moving} bodies", scene.name);
}

/// Mannequins that all follow their run animation.
fn animated(scene: &Scene) {
    let mut crowd = crowd(scene, 0.0, 8.0);
    let (model, _) = crowd.runtime.models().next().expect("it was added");
    let mut frame = |number: usize| {
        for (skel, entity) in &crowd.dolls {
            let frame = FrameState::single(1, (number as f32 * FRAME).into());
            crowd.runtime.build(*skel, model, &frame, &Build::REPLACE).expect("it builds");
            let command = if number == 0 { Command::Animate(1.0) } else { Command::Update };
            crowd.runtime.ragdoll_command(*skel, entity, command, None).expect("it has a doll");
        }
        crowd.runtime.step(FRAME);
    };
    (0..30).for_each(&mut frame);
    measured(|| (30..30 + scene.frames).for_each(&mut frame));
}
