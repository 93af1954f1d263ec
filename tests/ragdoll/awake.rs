//! Ragdolls that are woken and put to sleep: by the command, and by a change of gravity.

use skelobj::Runtime;
use skelobj::assets;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::ragdoll::Command;
use skelobj::runtime::ObjectId;

/// Mannequin with a ragdoll, whose entity stands at a height above a floor.
struct Scene {
    runtime: Runtime,
    id: ObjectId,
    entity: Mat3x4,
}

impl Scene {
    fn new(height: f32, command: &str) -> Self {
        let (runtime, id) = assets::mannequin_runtime();
        let mut scene = Self { runtime, id, entity: Mat3x4::from_translation(Vec3::Z * height) };
        scene.command(command);
        scene
    }

    /// Returns a corpse that sleeps on the floor.
    fn corpse() -> Self {
        let mut scene = Self::new(0.0, "animate 0");
        scene.run(600);
        assert!(scene.is_asleep());
        scene
    }

    fn command<'a>(&mut self, command: impl Into<Command<'a>>) {
        assert_eq!(self.runtime.ragdoll_command(self.id, &self.entity, command, None), Ok(1));
    }

    fn run(&mut self, frames: usize) {
        for _ in 0..frames {
            self.command("");
            self.runtime.step(1.0 / 60.0).unwrap();
        }
    }

    fn set_gravity(&mut self, z: f32) {
        let mut settings = self.runtime.settings();
        settings.physics.gravity.z = z;
        self.runtime.set_settings(settings).unwrap();
    }

    fn is_asleep(&self) -> bool {
        self.runtime.ragdoll(self.id).unwrap().is_asleep(self.runtime.physics())
    }

    fn centre(&self) -> Vec3 {
        self.runtime.ragdoll(self.id).unwrap().centre_of_mass(self.runtime.physics())
    }
}

#[test]
fn a_ragdoll_sleeps_in_mid_air_until_something_wakes_it() {
    let mut scene = Scene::new(5000.0, "animate 0");
    scene.run(30);
    let wakers: [fn(&mut Scene); 4] = [
        |scene| scene.command("awake 1"),
        |scene| scene.command(Command::Awake(true)),
        |scene| scene.command("muscle 0.5"),
        |scene| scene.runtime.add_ragdoll_velocity(scene.id, Vec3::Z, Vec3::ZERO, Vec3::ZERO).unwrap(),
    ];
    for wake in wakers {
        scene.command("awake 0");
        scene.run(1);
        assert!(scene.is_asleep());
        let before = scene.centre();
        scene.command(Command::Awake(false));
        scene.run(60);
        assert!(scene.is_asleep() && scene.centre() == before);
        wake(&mut scene);
        scene.run(15);
        let fallen = before.z - scene.centre().z;
        assert!(fallen > 15.0, "it falls with the damping that it had: {fallen}");
    }
}

#[test]
fn a_ragdoll_whose_bodies_follow_an_animation_stays_awake() {
    let mut scene = Scene::new(0.0, "animate 1");
    scene.command("awake 0");
    scene.run(2);
    assert!(!scene.is_asleep());
}

#[test]
fn a_new_gravity_wakes_a_corpse_and_the_same_one_does_not() {
    let mut scene = Scene::corpse();
    scene.set_gravity(-800.0);
    scene.run(1);
    assert!(scene.is_asleep());
    scene.set_gravity(200.0);
    scene.run(60);
    assert!(scene.centre().z > 50.0, "it falls upwards: {}", scene.centre());
}

#[cfg(feature = "serde")]
#[test]
fn a_restored_corpse_sleeps_on_whatever_the_gravity_was() {
    let mut scene = Scene::corpse();
    scene.set_gravity(-400.0);
    scene.run(600);
    assert!(scene.is_asleep());
    let snapshot = scene.runtime.snapshot();
    scene.set_gravity(-800.0);
    scene.runtime.restore(&snapshot).unwrap();
    scene.run(1);
    assert!(scene.is_asleep() && scene.runtime.settings().physics.gravity.z == -400.0);
}
