//! Entities that frame 65535 makes limp, with and without a skeletal object.

use std::sync::Arc;

use crate::common::calls::{World, e, f, s};
use skelobj::math::{Mat3x4, Vec3};
use skelobj::qc::vm::{Field as Place, Machine, Progs};
use skelobj::qc::{Environment, Field, VmHost};
use skelobj::runtime::ObjectId;
use skelobj::{Runtime, assets};

/// Duration of a frame, seconds.
const FRAME: f32 = 1.0 / 60.0;

/// Machine with entities that play animations of the mannequin.
struct Game {
    runtime: Runtime,
    environment: Environment,
    machine: Machine,
}

impl Game {
    fn new(entities: u32) -> Self {
        let progs = Arc::new(Progs::load(include_bytes!("everyday.dat")).unwrap());
        let mut runtime = Runtime::default();
        runtime.set_files(|name: &str| match name {
            "mannequin.iqm" | "without.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
            "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
            _ => None,
        });
        runtime.physics_mut().add_floor(0.0).unwrap();
        let mut environment = Environment::new(&progs, |_| ());
        let model = environment.precache_model(&mut runtime, "mannequin.iqm") as f32;
        let mut game = Self { runtime, environment, machine: Machine::new(progs) };
        for _ in 0..entities {
            let entity = game.machine.spawn_entity().unwrap();
            game.set(entity, "modelindex", model);
            game.set(entity, "frame", 1.0);
        }
        game
    }

    fn place(&self, field: &str) -> Place {
        self.machine.progs().field(field.as_bytes()).unwrap()
    }

    fn set(&mut self, entity: u32, field: &str, value: f32) {
        let place = self.place(field);
        self.machine.set_field_float(entity, place, value).unwrap();
    }

    fn put(&mut self, entity: u32, origin: Vec3) {
        let place = self.place("origin");
        self.machine.set_field_vector(entity, place, origin.to_array()).unwrap();
    }

    /// Ends a frame.
    fn frame(&mut self) {
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        host.update_default_ragdolls(&mut self.machine, FRAME);
        host.step(&mut self.machine, FRAME);
    }

    fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame());
    }

    /// Returns the object with which an entity is drawn.
    fn object(&mut self, entity: u32) -> Option<ObjectId> {
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        host.scene_entity(&mut self.machine, entity).and_then(|drawn| drawn.state.object)
    }

    /// Returns the place of an entity's head in the world, as it is drawn.
    fn head(&mut self, entity: u32) -> Vec3 {
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        let drawn = host.scene_entity(&mut self.machine, entity).unwrap();
        self.runtime.tag_to_world([(drawn.state, Some(12))]).origin()
    }

    /// Returns the mean velocity of an entity's bodies.
    fn velocity(&mut self, entity: u32) -> Vec3 {
        let object = self.object(entity).expect("a limp entity");
        let bodies: Vec<_> = self.runtime.ragdoll(object).unwrap().bodies(self.runtime.physics()).collect();
        bodies.iter().map(|body| body.velocity).sum::<Vec3>() / bodies.len() as f32
    }
}

#[test]
fn an_entity_without_an_object_falls_from_the_pose_that_it_had() {
    let mut game = Game::new(1);
    game.set(1, "frame1time", 0.4);
    game.frame();
    assert_eq!((game.object(1), game.runtime.objects().count()), (None, 0), "nothing is made for the living");
    let standing = game.head(1);
    game.set(1, "frame", 65535.0);
    game.set(1, "frame1time", 7.0);
    assert!(game.head(1).distance(standing) < 1e-4, "the pose is kept until the ragdoll exists");
    game.frame();
    assert!(game.head(1).distance(standing) < 1.0, "{} from {standing}", game.head(1));
    let object = game.object(1).expect("an object of its own");
    assert_eq!(game.runtime.ragdoll(object).unwrap().animated_bodies(), 0);
    game.frames(120);
    assert_eq!(game.object(1), Some(object));
    assert!(game.head(1).z < 0.4 * standing.z, "{} from {standing}", game.head(1));

    game.set(1, "frame", 1.0);
    game.set(1, "frame1time", 0.4);
    game.frame();
    assert_eq!((game.object(1), game.runtime.object(object).is_some()), (None, false), "it is deleted");
    assert!(game.head(1).distance(standing) < 1e-4);
}

#[test]
fn a_limp_entity_keeps_the_speed_of_its_origin_unless_it_was_teleported() {
    for (way, kept) in [(Vec3::new(5.0, 0.0, 0.0), 300.0), (Vec3::new(500.0, 0.0, 0.0), 0.0)] {
        let mut game = Game::new(1);
        game.frame();
        game.put(1, way);
        game.set(1, "frame", 65535.0);
        let mut host = VmHost { runtime: &mut game.runtime, environment: &mut game.environment };
        host.update_default_ragdolls(&mut game.machine, FRAME);
        let speed = game.velocity(1).x;
        assert!((speed - kept).abs() < 1.0, "{speed} after a way of {way}");
        assert!((game.head(1).x - way.x).abs() < 10.0, "it falls where it is now");
    }
}

#[test]
fn a_limp_entity_lets_go_of_its_ragdoll_when_it_is_another() {
    type Change = fn(&mut Game);
    let changes: [(&str, Change); 4] = [
        ("removed", |game| drop(game.machine.remove_entity(1))),
        ("another model", |game| {
            let other = game.environment.precache_model(&mut game.runtime, "without.iqm") as f32;
            game.set(1, "modelindex", other);
        }),
        ("no model", |game| game.set(1, "modelindex", 0.0)),
        ("an object of its own", |game| {
            let model = game.runtime.model_by_name("mannequin.iqm").unwrap();
            let own = game.runtime.create_object(model, skelobj::object::Space::Local).unwrap();
            game.set(1, "skeletonindex", own.get() as f32);
        }),
    ];
    for (what, change) in changes {
        let mut game = Game::new(1);
        game.set(1, "frame", 65535.0);
        game.frame();
        let object = game.object(1).expect("limp");
        change(&mut game);
        game.frame();
        assert!(game.runtime.object(object).is_none(), "{what}");
    }
}

#[test]
fn a_model_without_a_doll_keeps_its_pose() {
    let mut game = Game::new(1);
    let without = game.environment.precache_model(&mut game.runtime, "without.iqm") as f32;
    game.set(1, "modelindex", without);
    game.set(1, "frame1time", 0.4);
    game.frame();
    let standing = game.head(1);
    game.set(1, "frame", 65535.0);
    game.frames(3);
    assert_eq!((game.object(1), game.runtime.objects().count()), (None, 0));
    assert!(game.head(1).distance(standing) < 1e-4);
}

#[test]
fn frames_are_limp_that_are_positive_and_have_bit_15() {
    for (frame, limp) in [(32767.0, false), (32768.0, true), (65536.0, false), (98304.0, true), (-1.0, false)] {
        let mut game = Game::new(1);
        game.set(1, "frame", frame);
        game.frame();
        assert_eq!(game.object(1).is_some(), limp, "{frame}");
    }
    let mut game = Game::new(1);
    game.set(1, "frame", f32::NAN);
    game.frame();
    assert_eq!(game.object(1), None);
}

#[test]
fn a_call_creates_at_most_64_ragdolls_and_the_others_follow() {
    let mut game = Game::new(70);
    for entity in 1..=70 {
        game.put(entity, Vec3::new(100.0 * entity as f32, 0.0, 0.0));
        game.set(entity, "frame", 65535.0);
    }
    game.frame();
    assert_eq!(game.runtime.objects().count(), 64);
    assert_eq!(game.object(70), None);
    game.frame();
    assert_eq!(game.runtime.objects().count(), 70);
    assert!(game.object(70).is_some());
}

/// Returns the number of animated bodies after a command.
fn animated(world: &mut World, command: &str) -> usize {
    assert_eq!(world.number("skel_ragupdate", &[e(1), s(command), f(0.0)]), 1.0, "{command}");
    let handle = world.host.fields[&(1, Field::skeletonindex)].clone();
    let crate::common::replayer::host::Argument::Float(handle) = handle else { panic!("{handle:?}") };
    world.runtime.ragdoll(world.id(handle)).unwrap().animated_bodies()
}

#[test]
fn skel_ragupdate_makes_an_object_limp_while_its_entity_has_the_frame() {
    let mut world = World::new();
    world.built("chain.iqm");
    world.set(1, Field::frame, f(65535.0));
    assert_eq!(animated(&mut world, "dollstring\nbody a link0\nbody b link3\n"), 0, "from its first call on");
    world.set(1, Field::frame, f(2.0));
    assert_eq!(animated(&mut world, ""), 2);
    world.set(1, Field::frame, f(65535.0));
    assert_eq!(animated(&mut world, ""), 0);
    assert_eq!(animated(&mut world, "animate 0.5"), 0, "the command waits");
    assert_eq!(animated(&mut world, "animatebody a 1"), 1, "a body that is named follows");
    world.set(1, Field::frame, f(2.0));
    assert_eq!(animated(&mut world, ""), 2);
    let object = world.runtime.objects().next().unwrap().0;
    assert_eq!(world.runtime.ragdoll(object).unwrap().drive_strength(), 0.5);
    assert_eq!(animated(&mut world, "animate 0"), 0);
    world.set(1, Field::frame, f(65535.0));
    animated(&mut world, "");
    world.set(1, Field::frame, f(2.0));
    assert_eq!(animated(&mut world, ""), 0, "a frame does not raise the dead");
}

#[test]
fn a_new_doll_and_a_snapshot_stay_limp_and_know_the_strength() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let place = Mat3x4::IDENTITY;
    runtime.update_default_ragdoll(object, &place, 3.0).unwrap();
    runtime.update_default_ragdoll(object, &place, 65535.0).unwrap();
    #[cfg(feature = "serde")]
    {
        let saved = runtime.snapshot();
        runtime.update_default_ragdoll(object, &place, 3.0).unwrap();
        runtime.restore(&saved).unwrap();
    }
    let strengths = |runtime: &Runtime| {
        let ragdoll = runtime.ragdoll(object).unwrap();
        (ragdoll.animated_bodies(), ragdoll.drive_strength())
    };
    assert_eq!(strengths(&runtime), (0, 1.0));
    let doll = runtime.ragdoll(object).unwrap().doll().clone();
    runtime.set_ragdoll(object, &place, &doll).unwrap();
    runtime.update_default_ragdoll(object, &place, 65535.0).unwrap();
    assert_eq!(strengths(&runtime), (0, 1.0));
    runtime.update_default_ragdoll(object, &place, 3.0).unwrap();
    assert_eq!(strengths(&runtime), (16, 1.0));
}

#[test]
fn precache_doll_says_if_a_model_has_one() {
    let mut world = World::new();
    let names = ["chain.iqm", "chain_point.doll"];
    world.runtime.set_files(move |name: &str| match name {
        "chain.iqm" | "bare.iqm" => std::fs::read(crate::common::calls::golden("models").join(names[0])).ok(),
        "chain.doll" => std::fs::read(crate::common::calls::golden("dolls").join(names[1])).ok(),
        _ => None,
    });
    let [chain, bare] = ["chain.iqm", "bare.iqm"].map(|name| world.model(name));
    assert_eq!(world.number("precache_doll", &[chain]), 1.0);
    assert_eq!(world.number("precache_doll", &[bare]), 0.0);
    assert_eq!(world.number("precache_doll", &[f(99.0)]), 0.0);
    assert_eq!(world.number("precache_doll", &[f(f32::NAN)]), 0.0);
}
