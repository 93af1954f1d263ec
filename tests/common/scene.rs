//! World with everything that a snapshot has to keep.

use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::{Level, LevelBodyId, LevelOptions};
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::{ModelId, ObjectId, Snapshot};
use skelobj::{Model, Runtime, assets};

use super::small_bsp::Bsp29;

/// Duration that is not a multiple of a physics step.
pub const FRAME: f32 = 1.0 / 72.0;
/// Number of frames that make 600 steps.
pub const STEPS_600: usize = 360;

/// Data that a game keeps beside its runtime.
#[derive(Clone)]
struct Held {
    objects: Vec<Option<ObjectId>>,
    rope: ObjectId,
    short: Vec<ObjectId>,
    lift: LevelBodyId,
    frame: usize,
}

/// Room with a lift that moves up and down among three mannequins, two others on a floor outside, and a rope that is
/// only posed.
pub struct Scene {
    pub runtime: Runtime,
    held: Held,
}

pub fn mannequin() -> Model {
    Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap()
}

pub fn chain() -> Model {
    super::stage::golden_model("chain.iqm")
}

impl Scene {
    pub fn new() -> Self {
        let mut runtime = Runtime::default();
        runtime.set_files(super::stage::files);
        let level = Level::from_bsp(&Bsp29::room().bytes()).unwrap();
        let parts = runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
        runtime.physics_mut().add_floor(-300.0).unwrap();
        let model = runtime.add_model("mannequin.iqm", mannequin()).unwrap();
        let chain = runtime.add_model("models/chain.iqm", chain()).unwrap();
        // Ids and handles with gaps.
        let gone: Vec<ObjectId> = (0..4).map(|_| runtime.create_object(chain, Space::Model).unwrap()).collect();
        let rope = runtime.create_object(chain, Space::Local).unwrap();
        for id in [gone[2], gone[0], gone[3]] {
            runtime.delete_object(id).unwrap();
        }
        runtime.flush_deleted();
        let objects = (0..5).map(|_| runtime.create_object(model, Space::Local).ok()).collect();
        let lift = parts.entities[0].1;
        Self { runtime, held: Held { objects, rope, short: Vec::new(), lift, frame: 0 } }
    }

    /// Returns the same game with another runtime in the state of a snapshot.
    pub fn restored(&self, snapshot: &Snapshot) -> Self {
        let mut runtime = Runtime::default();
        runtime.set_files(super::stage::files);
        // The level, floors and settings come with the snapshot and replace the existing ones.
        runtime.physics_mut().add_floor(10.0).unwrap();
        runtime.add_model("other", chain()).unwrap();
        runtime.add_model("models/chain.iqm", chain()).unwrap();
        runtime.add_model("mannequin.iqm", mannequin()).unwrap();
        runtime.restore(snapshot).unwrap();
        Self { runtime, held: self.held.clone() }
    }

    /// Restores the state of `then` in the same runtime.
    pub fn restore(&mut self, snapshot: &Snapshot, then: &Scene) {
        self.runtime.restore(snapshot).unwrap();
        self.held = then.held.clone();
    }

    fn place(number: usize, frame: usize) -> EntityTransform {
        let run = |limit: usize| 330.0 * frame.min(limit) as f32 * FRAME;
        let origin = match number {
            0 => Vec3::new(-40.0 + run(24), 20.0, -20.0),
            1 => Vec3::new(20.0, -30.0, 0.0),
            2 => Vec3::new(-20.0, 30.0, 10.0),
            3 => Vec3::new(1000.0 + run(2000), 0.0, -300.0),
            _ => Vec3::new(0.0, 1000.0, -300.0),
        };
        EntityTransform::new(origin, Vec3::new(0.0, 40.0 * number as f32, 0.0))
    }

    fn order(number: usize, frame: usize) -> &'static str {
        match (number, frame) {
            (_, 0) => "doll mannequin.doll",
            // Runs, and is released.
            (0, 24) => "animate 0",
            // Limp from the start, loses an arm and a leg, and gets the arm back.
            (1, 1) => "animate 0",
            (1, 36) => "enablejoint elbow_l 0",
            (1, 90) => "enablejoint knee_r 0",
            (1, 190) => "enablejoint elbow_l 1",
            // Half driven, one arm limp; then gets up.
            (2, 1) => "animate 0.4",
            (2, 60) => "animatebody upperarm_r 0",
            (2, 240) => "animate 1",
            // Runs for ever, follows exactly.
            // Lies down, comes to rest, and is woken late.
            (4, 2) => "animate 0",
            (4, 490) => "animatebody head 0.3",
            _ => "",
        }
    }

    pub fn frame(&mut self) {
        self.command();
        self.finish_frame();
    }

    /// Makes poses, commands and hits, as a game does before a step.
    pub fn command(&mut self) {
        let Self { runtime, held } = self;
        let frame = held.frame;
        let time = frame as f32 * FRAME;
        for (number, object) in held.objects.iter().enumerate() {
            let Some(object) = object else { continue };
            let model = model_of(runtime, *object);
            let lives = match number {
                0 => frame <= 24,
                1 | 4 => frame <= 2,
                _ => true,
            };
            if lives {
                let animation = FrameState::single(if number == 2 { 0 } else { 2 }, time.into());
                runtime.build(*object, model, &animation, &Build::REPLACE).unwrap();
            }
            let (place, command) = (Self::place(number, frame), Self::order(number, frame));
            runtime
                .ragdoll_command(*object, &place.to_world(-1.0, 1.0), Command::parse(command).unwrap(), None)
                .unwrap();
        }
        if frame % 120 == 55 {
            let object = held.objects[2].unwrap();
            let chest = runtime.object(object).unwrap().find_bone(b"chest");
            runtime
                .ragdoll_impulse(object, chest, Vec3::ZERO, Vec3::new(9000.0, 3000.0, 0.0), Flinch::default())
                .unwrap();
        }
    }

    pub fn finish_frame(&mut self) {
        let Self { runtime, held } = self;
        let frame = held.frame;
        let height = 32.0 + 30.0 * ((frame as f32) / 48.0).sin();
        runtime.physics_mut().set_level_body_target(held.lift, Vec3::new(0.0, 0.0, height), Quat::IDENTITY).unwrap();
        runtime.step(FRAME).unwrap();
        // An object is added and removed all the time.
        if let Some(rope) = runtime.object_mut(held.rope) {
            rope.post_mul_bone(1, Mat3x4::from_translation(Vec3::X * 0.01)).unwrap();
        }
        if frame % 7 == 3 {
            let short = runtime.create_object(model_of(runtime, held.rope), Space::Local).unwrap();
            held.short.push(short);
        }
        if frame % 11 == 5 && !held.short.is_empty() {
            runtime.delete_object(held.short.remove(0)).unwrap();
        }
        runtime.flush_deleted();
        held.frame += 1;
    }

    /// Deletes a mannequin between two frames.
    pub fn delete(&mut self, number: usize) {
        self.runtime.delete_object(self.held.objects[number].take().unwrap()).unwrap();
        self.runtime.flush_deleted();
    }

    pub fn run(&mut self, frames: usize) {
        for _ in 0..frames {
            self.frame();
        }
    }

    /// Continues and returns the bits of all bones after every frame.
    pub fn watch(&mut self, frames: usize) -> Vec<Vec<u32>> {
        (0..frames)
            .map(|_| {
                self.frame();
                self.bits()
            })
            .collect()
    }

    /// Returns the bits of all matrices with their owners.
    pub fn bits(&self) -> Vec<u32> {
        let mut objects: Vec<_> = self.runtime.objects().collect();
        objects.sort_by_key(|(id, _)| *id);
        let bits = |(id, object): (ObjectId, &skelobj::SkeletalObject)| {
            let bones = object.pose().bones().iter().flat_map(|bone| bone.0.map(f32::to_bits));
            [id.get(), u32::from(object.pose().is_local())].into_iter().chain(bones).collect::<Vec<_>>()
        };
        objects.into_iter().flat_map(bits).collect()
    }

    /// Returns the number of sleeping mannequins.
    pub fn asleep(&self) -> usize {
        let ragdolls = self.held.objects.iter().flatten().filter_map(|object| self.runtime.ragdoll(*object));
        ragdolls.filter(|ragdoll| ragdoll.is_asleep(self.runtime.physics())).count()
    }
}

fn model_of(runtime: &Runtime, object: ObjectId) -> ModelId {
    runtime.model_of(object).unwrap()
}
