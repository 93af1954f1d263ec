//! Random histories: a runtime restored from a snapshot at any moment equals the saved one to the last byte, and stays
//! equal.
//!
//! `SKELOBJ_HISTORIES` sets the number of histories, 8 by default, and `SKELOBJ_FIRST_HISTORY` the number of the
//! first.
#![cfg(feature = "serde")]

use crate::common::stage;
use std::sync::Arc;

use crate::common::random::Random;
use skelobj::math::{EntityTransform, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::{LevelBodyId, LevelShape};
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::{ObjectId, Snapshot};
use skelobj::{Model, Runtime};

impl Random {
    /// Returns an element, if there is any.
    fn any<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| self.of(items))
    }

    /// Returns a position close enough to others to touch them.
    fn place(&mut self) -> Vec3 {
        let mut number = |range: usize| self.below(range) as f32;
        Vec3::new(number(90) - 45.0, number(90) - 45.0, 10.0 + number(60))
    }
}

/// Actions of a game in a frame. Numbers count objects and bodies of the level in the order of their ids.
#[derive(Clone, Copy, Debug)]
enum Act {
    Create,
    Delete(ObjectId),
    Flush,
    Build(ObjectId, u32),
    Command(ObjectId, Vec3, &'static str),
    Impulse(ObjectId, Vec3, Vec3),
    Clear(ObjectId),
    AddBox(Vec3),
    AddLift(Vec3),
    MoveLift(LevelBodyId, Vec3),
    Teleport(LevelBodyId, Vec3),
    Reshape(LevelBodyId, f32),
    Solid(LevelBodyId, bool),
    Remove(LevelBodyId),
    Gravity(f32),
    Step(f32),
}

const COMMANDS: [&str; 18] = [
    "",
    "",
    "doll mannequin.doll",
    "doll mannequin.doll",
    "animate 0",
    "animate 0",
    "animate 0.4",
    "animate 1",
    "animatebody head 1",
    "animatebody chest 0",
    "animatelimb upperarm_l 0",
    "animatelimb thigh_r 1 0.4",
    "animatebody upperarm_r 0.3",
    "enablejoint elbow_l 0",
    "enablejoint elbow_l 1",
    "enablejoint hip_r 0",
    "enablejoint waist 0",
    "cleardoll",
];

/// Game as a script sees it.
struct Game {
    runtime: Runtime,
    objects: Vec<ObjectId>,
    levels: Vec<LevelBodyId>,
}

impl Game {
    fn new(model: &Arc<Model>) -> Self {
        let mut runtime = Runtime::default();
        runtime.set_files(stage::files);
        runtime.add_model("mannequin.iqm", model.clone()).unwrap();
        Self { runtime, objects: Vec::new(), levels: Vec::new() }
    }

    fn bytes(&self) -> Vec<u8> {
        self.runtime.snapshot().to_bytes().unwrap()
    }

    fn restored(&self, model: &Arc<Model>, bytes: &[u8]) -> Self {
        let mut game = Self::new(model);
        game.runtime.restore(&Snapshot::from_bytes(bytes).unwrap()).unwrap();
        Self { objects: self.objects.clone(), levels: self.levels.clone(), ..game }
    }

    fn choose(&self, random: &mut Random) -> Option<Act> {
        let object = random.any(&self.objects);
        let level = random.any(&self.levels);
        Some(match random.below(30) {
            0..3 if self.objects.len() < 6 => Act::Create,
            3..5 => Act::Delete(object?),
            5 => Act::Flush,
            6..10 => Act::Build(object?, random.below(100) as u32),
            10..19 => Act::Command(object?, random.place(), COMMANDS[random.below(COMMANDS.len())]),
            19..21 => Act::Impulse(object?, random.place(), (random.place() - Vec3::Z * 30.0) * 300.0),
            21 => Act::Clear(object?),
            22 if self.levels.len() < 5 => Act::AddBox(random.place()),
            23 if self.levels.len() < 5 => Act::AddLift(random.place()),
            24 => Act::MoveLift(level?, random.place()),
            25 => Act::Teleport(level?, random.place()),
            26 => Act::Reshape(level?, 5.0 + random.below(40) as f32),
            27 => Act::Solid(level?, random.below(2) == 0),
            28 if random.below(3) == 0 => Act::Remove(level?),
            29 if random.below(4) == 0 => Act::Gravity(-(random.below(900) as f32)),
            _ => return None,
        })
    }

    fn act(&mut self, act: Act) {
        let Self { runtime, objects, levels } = self;
        match act {
            Act::Create => {
                let model = runtime.model_by_name("mannequin.iqm").unwrap();
                let object = runtime.create_object(model, Space::Local).unwrap();
                runtime.build(object, model, &FrameState::single(0, 0.3), &Build::REPLACE).unwrap();
                objects.push(object);
            }
            Act::Delete(object) => {
                runtime.delete_object(object).unwrap();
                objects.retain(|other| *other != object);
            }
            Act::Flush => runtime.flush_deleted(),
            Act::Build(object, time) => {
                let model = runtime.model_by_name("mannequin.iqm").unwrap();
                let pose = FrameState::single(2, f64::from(time) / 60.0);
                runtime.build(object, model, &pose, &Build::REPLACE).unwrap();
            }
            Act::Command(object, origin, command) => {
                let entity = EntityTransform::new(origin, Vec3::new(0.0, origin.x * 4.0, 0.0)).to_world(-1.0, 1.0);
                let _ = runtime.ragdoll_command(object, &entity, Command::parse(command).unwrap(), None);
            }
            Act::Impulse(object, point, impulse) => {
                let _ = runtime.ragdoll_impulse(object, None, point, impulse, Flinch::default());
            }
            Act::Clear(object) => {
                runtime.clear_ragdoll(object);
            }
            Act::AddBox(at) => {
                levels.push(
                    runtime.physics_mut().add_box(at - Vec3::Z * 20.0, Vec3::splat(30.0), Quat::IDENTITY).unwrap(),
                );
            }
            Act::AddLift(at) => {
                let physics = runtime.physics_mut();
                let shape = [LevelShape::Box(Vec3::new(40.0, 40.0, 8.0))];
                levels.push(physics.add_kinematic_body(&shape, at, Quat::IDENTITY).unwrap());
            }
            Act::MoveLift(level, to) => {
                let _ = runtime.physics_mut().set_level_body_target(level, to, Quat::IDENTITY);
            }
            Act::Teleport(level, to) => {
                let _ = runtime.physics_mut().teleport_level_body(level, to, Quat::IDENTITY);
            }
            Act::Reshape(level, size) => {
                let _ = runtime.physics_mut().set_level_body_shapes(level, &[LevelShape::Box(Vec3::splat(size))]);
            }
            Act::Solid(level, solid) => {
                let _ = runtime.physics_mut().set_level_body_solid(level, solid);
            }
            Act::Remove(level) => {
                runtime.physics_mut().remove_level_body(level).unwrap();
                levels.retain(|other| *other != level);
            }
            Act::Gravity(z) => {
                let mut settings = runtime.settings();
                settings.physics.gravity.z = z;
                runtime.set_settings(settings).unwrap();
            }
            Act::Step(seconds) => {
                runtime.step(seconds).unwrap();
            }
        }
    }
}

/// Plays one history beside a restored runtime, which is restored again from time to time.
fn play(model: &Arc<Model>, seed: u64, frames: usize) {
    let mut random = Random::seeded(seed);
    let mut live = Game::new(model);
    live.runtime.physics_mut().add_floor(0.0).unwrap();
    let mut twin: Option<Game> = None;
    let mut told = Vec::new();
    let mut both = |live: &mut Game, twin: &mut Option<Game>, act: Act| {
        told.push(act);
        live.act(act);
        if let Some(twin) = twin {
            twin.act(act);
            if twin.bytes() != live.bytes() {
                panic!("history {seed}: another state after act {} of {told:#?}", told.len());
            }
        }
    };
    for _ in 0..2 {
        both(&mut live, &mut twin, Act::Create);
    }
    for frame in 0..frames {
        for _ in 0..random.below(8) {
            if random.below(10) == 0 {
                let bytes = live.bytes();
                let restored = live.restored(model, &bytes);
                assert!(restored.bytes() == bytes, "history {seed}: other bytes in frame {frame}");
                twin = Some(restored);
            }
            if let Some(act) = live.choose(&mut random) {
                both(&mut live, &mut twin, act);
            }
        }
        if random.below(6) > 0 {
            let seconds = [1.0 / 60.0, 1.0 / 72.0, 1.0 / 20.0, 0.001][random.below(4)];
            both(&mut live, &mut twin, Act::Step(seconds));
        }
    }
}

#[test]
fn a_restored_runtime_is_the_saved_one_to_the_last_byte() {
    let model = Arc::new(stage::mannequin());
    let histories = std::env::var("SKELOBJ_HISTORIES").ok().and_then(|count| count.parse().ok()).unwrap_or(8);
    let first = std::env::var("SKELOBJ_FIRST_HISTORY").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for seed in first..first + histories {
        play(&model, seed, 40);
    }
}
