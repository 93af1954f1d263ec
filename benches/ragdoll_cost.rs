//! Instructions of ragdolls against goals. The counts are the same on every machine.
//!
//! `cargo bench -p skelobj-benches --bench ragdoll_cost` runs each scene below under valgrind's callgrind, counts the
//! instructions of the measured part, and compares the sums with the goals. It fails if one is missed, or without
//! valgrind. With `-- SCENE`, it runs one scene for a profiler: `valgrind --tool=callgrind
//! --toggle-collect='*measured*' target/release/deps/ragdoll_cost-HASH SCENE`.
//!
//! Two scenes are rapier alone. `hundred-rapier` counts only rapier's own step in the frames of `hundred-steps`: same
//! bodies, same contacts, same limits, so that the ratio of both is the cost of this crate's code. `hundred-raw` steps
//! a copy of the world that never runs this crate's code. Its joints have no friction, and keep the limits that were
//! within reach when the copy was made, so rapier solves another, cheaper motion; its ratio is shown without a goal.

mod callgrind;

use std::hint::black_box;
use std::process::ExitCode;

use callgrind::measured;
use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::PhysicsSettings;
use skelobj::physics::rapier3d::prelude::{PhysicsWorld, RigidBodyType};
use skelobj::ragdoll::Command;
use skelobj::runtime::{ObjectId, Settings};
use skelobj::{Model, Runtime, assets};

/// Duration of a host's frame, seconds; one physics step.
const FRAME: f32 = 1.0 / 60.0;

/// Instructions a doll and frame of a hundred limp mannequins when this benchmark was first run.
const AT_FIRST: f64 = 1_810_000.0;

/// Scene: name, number of dolls, number of frames, and the code to run.
struct Scene {
    name: &'static str,
    dolls: usize,
    frames: usize,
    run: fn(&Scene),
}

const SCENES: [Scene; 10] = [
    Scene {
        name: "hundred",
        dolls: 100,
        frames: 60,
        run: |scene| frames(crowd(scene, 0.25, awake(PhysicsSettings::default())), scene, true),
    },
    Scene {
        name: "hundred-steps",
        dolls: 100,
        frames: 60,
        run: |scene| frames(crowd(scene, 0.25, awake(PhysicsSettings::default())), scene, false),
    },
    Scene { name: "hundred-rapier", dolls: 100, frames: 60, run: rapier_alone },
    Scene { name: "hundred-raw", dolls: 100, frames: 60, run: raw },
    Scene {
        name: "hundred-crowd",
        dolls: 100,
        frames: 60,
        run: |scene| frames(crowd(scene, 0.25, awake(PhysicsSettings::crowd())), scene, true),
    },
    Scene {
        name: "asleep",
        dolls: 100,
        frames: 60,
        run: |scene| frames(crowd(scene, 30.0, PhysicsSettings::default()), scene, true),
    },
    Scene { name: "level-asleep", dolls: 2000, frames: 60, run: |scene| frames(sleepers(scene), scene, false) },
    Scene {
        name: "life",
        dolls: 10,
        frames: 600,
        run: |scene| frames(crowd(scene, 0.0, PhysicsSettings::default()), scene, true),
    },
    Scene {
        name: "life-awake",
        dolls: 10,
        frames: 600,
        run: |scene| frames(crowd(scene, 0.0, awake(PhysicsSettings::default())), scene, true),
    },
    Scene { name: "animated", dolls: 100, frames: 60, run: animated },
];

fn main() -> ExitCode {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let Some(name) = wanted else { return report() };
    let Some(scene) = SCENES.iter().find(|scene| scene.name == name) else {
        eprintln!("no such scene: {name}");
        return ExitCode::FAILURE;
    };
    (scene.run)(scene);
    ExitCode::SUCCESS
}

/// Measurement and the most that it may be.
struct Goal {
    what: &'static str,
    measured: f64,
    most: f64,
}

fn report() -> ExitCode {
    let Some(counts) = SCENES.iter().map(count).collect::<Option<Vec<f64>>>() else {
        eprintln!("no goal was checked: counting instructions needs valgrind");
        return ExitCode::FAILURE;
    };
    for (scene, count) in SCENES.iter().zip(&counts) {
        println!("{:14} {count:11.1} instructions a doll and frame ({} dolls)", scene.name, scene.dolls);
    }
    let [whole, steps, rapier, raw, cheaper, asleep, level, life, awake, _] = counts[..] else {
        return ExitCode::FAILURE;
    };
    println!("a hundred with their bones: {:.3} of the first measurement, {AT_FIRST:.0}", whole / AT_FIRST);
    println!("a hundred with the settings of a crowd: {:.3} of the default", cheaper / whole);
    println!("a hundred without their bones: {:.3} of a world without this crate's code", steps / raw);
    let goals = [
        Goal { what: "a hundred with their bones, instructions a doll and frame", measured: whole, most: 815_000.0 },
        Goal { what: "a hundred without their bones, to rapier's own steps", measured: steps / rapier, most: 1.09 },
        Goal { what: "asleep, instructions a doll and frame", measured: asleep, most: 150.0 },
        Goal { what: "two thousand asleep, instructions a step", measured: level * 2000.0, most: 100_000.0 },
        Goal { what: "ten seconds of life, to the same awake", measured: life / awake, most: 0.3 },
    ];
    let mut missed = 0;
    for Goal { what, measured, most } in goals {
        let passes = measured <= most;
        missed += usize::from(!passes);
        println!("{} {what}: {measured:.3} (goal {most})", if passes { "pass" } else { "FAIL" });
    }
    if missed > 0 {
        eprintln!("{missed} of 5 goals missed");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Instructions per doll and frame.
fn count(scene: &Scene) -> Option<f64> {
    Some(callgrind::count(scene.name)? / (scene.dolls * scene.frames) as f64)
}

/// Mannequins above a floor.
struct Crowd {
    runtime: Runtime,
    dolls: Vec<(ObjectId, Mat3x4)>,
}

impl Crowd {
    fn frame(&mut self, with_bones: bool) {
        if with_bones {
            for (id, entity) in &self.dolls {
                let done = self.runtime.ragdoll_command(*id, entity, Command::Update, None);
                black_box(done.expect("it has a doll"));
                black_box(self.runtime.object(*id).and_then(|object| object.revision()));
            }
        }
        self.runtime.step(FRAME).unwrap();
    }
}

/// Returns these settings without sleep: sleeping bodies would make the others seem cheap.
fn awake(mut physics: PhysicsSettings) -> PhysicsSettings {
    physics.sleep_speed = 0.0;
    physics
}

/// Returns limp mannequins, each with another orientation, after some seconds of falling.
fn crowd(scene: &Scene, seconds: f32, physics: PhysicsSettings) -> Crowd {
    let mut settings = Settings::default();
    settings.physics = physics;
    settings.max_bones = 1 << 21;
    let mut runtime = Runtime::new(settings).expect("a speed above zero");
    runtime.physics_mut().add_floor(0.0).expect("a finite height");
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).expect("the sample loads");
    let model = runtime.add_model("mannequin.iqm", model).expect("there is room");
    runtime.set_files(|name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec()));
    let dolls = (0..scene.dolls).map(|number| {
        let object = runtime.create_object(model, Space::Local).expect("there is room");
        let [column, row] = [number % 10, number / 10].map(|place| place as f32 * 120.0);
        let turn = number as f32;
        let angles = Vec3::new(turn * 37.0 % 180.0 - 90.0, turn * 137.5 % 360.0, turn * 73.0 % 360.0);
        let entity = EntityTransform::new(Vec3::new(column, row, 60.0), angles).to_world(-1.0, 1.0);
        runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE).expect("it builds");
        runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).expect("it has a doll");
        (object, entity)
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

/// Mannequins asleep everywhere in a level. A step visits none of them; rapier clears some tables with an entry for
/// each body, which costs less than an eighth of a mannequin that is awake.
fn sleepers(scene: &Scene) -> Crowd {
    let mut crowd = crowd(scene, 0.0, PhysicsSettings::default());
    crowd.frame(true);
    for (_, body) in crowd.runtime.physics_mut().world_mut().bodies.iter_mut() {
        body.sleep();
    }
    (0..3).for_each(|_| crowd.frame(true));
    crowd
}

/// Steps of rapier in the frames of the crowd, without the code of this crate around them.
fn rapier_alone(scene: &Scene) {
    let mut crowd = crowd(scene, 0.25, awake(PhysicsSettings::default()));
    for _ in 0..scene.frames {
        let step = f64::from(crowd.runtime.physics().step_time());
        crowd.runtime.pre_step(step, FRAME).unwrap();
        measured(|| crowd.runtime.physics_mut().world_mut().step());
        crowd.runtime.post_step();
        crowd.runtime.end_steps(0.0).unwrap();
    }
}

/// Bodies, colliders and joints of the same mannequins in a world without this crate's code.
fn raw(scene: &Scene) {
    let crowd = crowd(scene, 0.25, awake(PhysicsSettings::default()));
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
    let mut crowd = crowd(scene, 0.0, PhysicsSettings::default());
    let (model, _) = crowd.runtime.models().next().expect("it was added");
    let mut frame = |number: usize| {
        for (object, entity) in &crowd.dolls {
            let frame = FrameState::single(1, (number as f32 * FRAME).into());
            crowd.runtime.build(*object, model, &frame, &Build::REPLACE).expect("it builds");
            let command = if number == 0 { Command::Animate(1.0, None) } else { Command::Update };
            crowd.runtime.ragdoll_command(*object, entity, command, None).expect("it has a doll");
        }
        crowd.runtime.step(FRAME).unwrap();
    };
    (0..30).for_each(&mut frame);
    measured(|| (30..30 + scene.frames).for_each(&mut frame));
}
