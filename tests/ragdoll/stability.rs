//! Modes of bodies, joints and ragdolls, as a table: what happens, and the mode that follows.

use crate::common::stage::Stage;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::object::Space;
use skelobj::physics::{Liquid, LiquidVolume};
use skelobj::ragdoll::stability::{BodyMode, JointMode, RestMode};
use skelobj::ragdoll::{self, Flinch};

/// Event of a scene.
#[derive(Clone, Copy)]
enum Event {
    /// Builds the standing pose and runs a command in the same frame.
    Command(&'static str),
    /// Simulates seconds in which the pose is built in every frame.
    Animated(f32),
    /// Simulates seconds in which nothing is built.
    Corpse(f32),
    /// Simulates up to these seconds, until the ragdoll sleeps.
    UntilAsleep(f32),
    /// Adds a velocity to all bodies, units/s.
    Throw(Vec3),
    /// Hits the head.
    Hit(Flinch),
    /// Gives the head a force, which may be non-finite by a bug of a host.
    Force(Vec3),
    /// Gives the head a non-finite position, as a bug of a host does.
    Break,
    /// Fills the world with water up to this height.
    Flood(f32),
}

use Event::{Animated, Break, Command, Corpse, Flood, Force, Hit, Throw, UntilAsleep};

const FRAME: f32 = 1.0 / 60.0;

/// Returns the mannequin, standing on a floor and driven by its animation, after the events.
fn after(events: &[Event]) -> Stage {
    watched(events, |_| {})
}

/// Returns the mannequin after the events, and calls `watch` after each frame of them.
fn watched(events: &[Event], mut watch: impl FnMut(&Stage)) -> Stage {
    let mut stage = Stage::mannequin();
    let mut frame = |stage: &mut Stage, built: bool, command: &str| {
        frame(stage, built, command);
        watch(stage);
    };
    frame(&mut stage, true, "");
    for event in events {
        match *event {
            Command(command) => frame(&mut stage, true, command),
            Animated(seconds) => frames(seconds).for_each(|_| frame(&mut stage, true, "")),
            Corpse(seconds) => frames(seconds).for_each(|_| frame(&mut stage, false, "")),
            UntilAsleep(seconds) => {
                for _ in frames(seconds) {
                    if stage.ragdoll().rest_mode() == RestMode::Asleep {
                        break;
                    }
                    frame(&mut stage, false, "");
                }
            }
            Throw(velocity) => {
                stage.runtime.add_ragdoll_velocity(stage.object, velocity, Vec3::ZERO, Vec3::ZERO).unwrap();
                stage.step(FRAME);
            }
            Hit(hit) => {
                let head = stage.body("head");
                let object = stage.object;
                stage.runtime.ragdoll_impulse(object, Some(head.bone), head.position, Vec3::X * 500.0, hit).unwrap();
            }
            Force(force) => {
                stage.built("head").add_force(force, true);
                stage.step(FRAME);
            }
            Break => {
                stage.built("head").set_translation(Vec3::splat(f32::NAN), true);
                stage.step(FRAME);
            }
            Flood(height) => {
                let (mins, maxs) = (Vec3::new(-512.0, -512.0, -512.0), Vec3::new(512.0, 512.0, height));
                let water = LiquidVolume::new_box(mins, maxs).unwrap();
                stage.runtime.physics_mut().add_water(water, Liquid::WATER).unwrap();
            }
        }
    }
    stage
}

fn frames(seconds: f32) -> std::ops::Range<usize> {
    0..(seconds / FRAME).round() as usize
}

fn frame(stage: &mut Stage, built: bool, command: &str) {
    if built {
        stage.build(0, 0.0);
    }
    stage.command(command).unwrap();
    stage.step(FRAME);
}

#[test]
fn bodies_change_their_modes_as_the_drawing_says() {
    const RISE: Event = Command("animate 1 2");
    const PULL: Event = Command("animate 0.05");
    let hit = || Hit(Flinch::default());
    let hard = Hit(Flinch::default().with_strength(1.0));
    let broken_force = Force(Vec3::splat(f32::NAN));
    let table: [(&str, &[Event], BodyMode); 30] = [
        ("a new ragdoll", &[], BodyMode::Following),
        ("strength 0", &[Command("animate 0")], BodyMode::Limp),
        ("negative strength", &[Command("animate -1")], BodyMode::Limp),
        ("some strength", &[Command("animate 0.4")], BodyMode::Pulled),
        ("from limp to pulled", &[Command("animate 0"), Command("animatebody head 0.4")], BodyMode::Pulled),
        ("from pulled to limp", &[Command("animate 0.4"), Command("animatebody head 0")], BodyMode::Limp),
        ("on the way", &[Command("animate 0"), Corpse(0.5), Command("animate 1")], BodyMode::Approaching),
        ("arrived", &[Command("animate 0"), Corpse(0.5), Command("animate 1"), Animated(0.4)], BodyMode::Following),
        ("slower", &[Command("animate 0"), Corpse(0.5), Command("animate 1 2"), Animated(1.9)], BodyMode::Approaching),
        ("and there", &[Command("animate 0"), Corpse(0.5), Command("animate 1 2"), Animated(2.1)], BodyMode::Following),
        (
            "interrupted",
            &[Command("animate 0"), Corpse(0.5), Command("animate 1"), Command("animate 0")],
            BodyMode::Limp,
        ),
        ("strength over time", &[Command("animatebody head 0 1"), Animated(0.5)], BodyMode::Pulled),
        ("strength after that time", &[Command("animatebody head 0 1"), Animated(1.1)], BodyMode::Limp),
        ("a hit", &[hit()], BodyMode::Pulled),
        ("a hard hit", &[hard], BodyMode::Limp),
        ("after a hit", &[hit(), Animated(2.0)], BodyMode::Following),
        (
            "from pulled to the way up",
            &[Command("animate 0"), Corpse(0.5), PULL, Command("animate 1")],
            BodyMode::Approaching,
        ),
        ("from the way up to pulled", &[Command("animate 0"), Corpse(0.5), RISE, PULL], BodyMode::Pulled),
        ("a hit on the way up", &[Command("animate 0"), Corpse(0.5), RISE, hit()], BodyMode::Pulled),
        (
            "after a hit on the way up",
            &[Command("animate 0"), Corpse(0.5), RISE, hit(), Animated(0.6)],
            BodyMode::Approaching,
        ),
        ("a non-finite force", &[Command("animate 0"), broken_force], BodyMode::Quarantined),
        (
            "a limp body with a non-finite force, after the quarantine",
            &[Command("animate 0"), broken_force, Corpse(0.1)],
            BodyMode::Limp,
        ),
        ("a non-finite position", &[Command("animate 0"), Break], BodyMode::Quarantined),
        ("a non-finite position of a pulled body", &[PULL, Break], BodyMode::Quarantined),
        (
            "a non-finite position on the way up",
            &[Command("animate 0"), Corpse(0.5), RISE, Break],
            BodyMode::Quarantined,
        ),
        ("a non-finite position of a body that follows", &[Break], BodyMode::Quarantined),
        ("a limp body after the quarantine", &[Command("animate 0"), Break, Corpse(0.1)], BodyMode::Limp),
        ("a pulled body after the quarantine", &[PULL, Break, Animated(0.1)], BodyMode::Pulled),
        (
            "on the way up after the quarantine",
            &[Command("animate 0"), Corpse(0.5), RISE, Break, Animated(0.1)],
            BodyMode::Approaching,
        ),
        ("a body that follows after the quarantine", &[Break, Animated(0.1)], BodyMode::Following),
    ];
    for (name, events, mode) in table {
        let stage = after(events);
        assert_eq!(stage.body("head").mode, mode, "{name}");
        assert_eq!(stage.ragdoll().resets() > 0, name.ends_with("after the quarantine"), "{name}");
    }
}

#[test]
fn joints_change_their_modes_as_the_drawing_says() {
    let off = || Command("enablejoint neck 0");
    let on = || Command("enablejoint neck 1");
    let fallen = || [Command("animate 0"), off(), Corpse(1.0)];
    let then = |events: &[Event]| fallen().into_iter().chain(events.iter().copied()).collect::<Vec<_>>();
    let rise = Command("animate 1 2");
    let table: [(&str, &[Event], JointMode); 14] = [
        ("a new ragdoll", &[], JointMode::Idle),
        ("one body limp", &[Command("animatebody head 0")], JointMode::Holding),
        ("one body pulled", &[Command("animatebody head 0.5")], JointMode::Holding),
        ("all bodies limp", &[Command("animate 0")], JointMode::Holding),
        ("getting up", &[Command("animate 0"), Corpse(0.5), Command("animate 1")], JointMode::Idle),
        ("severed between bodies that follow", &[off()], JointMode::Severed),
        ("severed between limp bodies", &[Command("animate 0"), off()], JointMode::Severed),
        ("enabled again at once", &[Command("animate 0"), off(), on()], JointMode::Holding),
        ("enabled again far away", &then(&[on()]), JointMode::Catching),
        ("severed again before it caught", &then(&[on(), off()]), JointMode::Severed),
        ("catching between bodies on the way up", &then(&[on(), rise]), JointMode::Idle),
        ("catching again", &then(&[on(), rise, Command("animatebody head 0")]), JointMode::Catching),
        ("enabled between bodies that follow", &[off(), on()], JointMode::Idle),
        ("caught", &then(&[on(), Corpse(4.0)]), JointMode::Holding),
    ];
    for (name, events, mode) in table {
        let joints = after(events).joints();
        let neck = joints.iter().find(|joint| joint.name == *"neck").unwrap();
        assert_eq!((neck.mode, neck.is_enabled), (mode, mode != JointMode::Severed), "{name}");
    }
}

#[test]
fn ragdolls_change_their_modes_as_the_drawing_says() {
    let dead = || Command("animate 0");
    let asleep = || UntilAsleep(8.0);
    let table: [(&str, &[Event], RestMode); 9] = [
        ("death", &[dead()], RestMode::Moving),
        ("a fall", &[dead(), Corpse(0.4)], RestMode::Moving),
        ("on the floor", &[dead(), asleep()], RestMode::Asleep),
        ("left alone", &[dead(), asleep(), Corpse(1.0)], RestMode::Asleep),
        ("thrown", &[dead(), asleep(), Throw(Vec3::Z * 300.0)], RestMode::Moving),
        ("asleep again", &[dead(), asleep(), Throw(Vec3::Z * 300.0), Corpse(0.1), asleep()], RestMode::Asleep),
        ("a joint is severed", &[dead(), asleep(), Command("enablejoint neck 0")], RestMode::Moving),
        ("water that carries it", &[dead(), asleep(), Flood(100.0), Corpse(0.3)], RestMode::Settling),
        ("revival", &[dead(), asleep(), Command("animate 1")], RestMode::Moving),
    ];
    for (name, events, mode) in table {
        assert_eq!(after(events).ragdoll().rest_mode(), mode, "{name}");
    }
}

#[test]
fn every_arrow_of_the_drawing_of_ragdolls_is_seen() {
    use RestMode::{Asleep, Calmed, Moving, Settling};
    let dead = || Command("animate 0");
    let pulled = || [Command("animate 0.3"), Animated(4.0)];
    let then = |events: &[Event]| pulled().into_iter().chain(events.iter().copied()).collect::<Vec<_>>();
    let (thrown, nudged) = (Throw(Vec3::Z * 200.0), Throw(Vec3::X * 18.0));
    // Each push keeps rapier from letting the bodies sleep.
    let pushes = [Throw(Vec3::Z * 0.5); 120];
    let trembling: Vec<Event> = [dead(), Corpse(1.2)].into_iter().chain(pushes).chain([UntilAsleep(8.0)]).collect();
    let nudges: Vec<Event> = [nudged; 20].into_iter().chain([Animated(0.5)]).collect();
    let table: [(&str, &[Event], [RestMode; 2]); 10] = [
        ("a fall ends", &[dead(), Corpse(1.5)], [Moving, Settling]),
        ("thrown while it settles", &[dead(), Corpse(1.2), thrown, Corpse(0.5)], [Settling, Moving]),
        ("a fall sleeps", &[dead(), UntilAsleep(8.0)], [Settling, Asleep]),
        ("pulled in place", &pulled(), [Settling, Calmed]),
        ("thrown while it is calmed", &then(&[thrown, Animated(0.1)]), [Calmed, Moving]),
        ("left alone while it is calmed", &trembling, [Calmed, Asleep]),
        ("woken", &[dead(), UntilAsleep(8.0), thrown, Corpse(0.1)], [Asleep, Moving]),
        ("nudged while it is calmed", &then(&nudges), [Calmed, Settling]),
        ("released while it is calmed", &[Animated(3.0), dead()], [Calmed, Moving]),
        ("released while it settles", &[Animated(0.5), dead(), Corpse(0.1)], [Settling, Moving]),
    ];
    for (name, events, arrow) in table {
        let mut modes = Vec::new();
        watched(events, |stage| modes.push(stage.ragdoll().rest_mode()));
        modes.dedup();
        assert!(modes.windows(2).any(|pair| pair == arrow), "{name}: {modes:?}");
    }
}

/// Without [`RestMode::Calmed`], the limbs of this heap push each other for ever.
#[test]
fn a_heap_in_a_shaft_calms_down_and_sleeps() {
    const HALF: f32 = 20.0;
    const SCALE: f32 = 0.3;
    let mut stage = Stage::mannequin();
    let physics = stage.runtime.physics_mut();
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y] {
        let size = Vec3::splat(HALF + 32.0) - side.abs() * (HALF + 16.0);
        physics.add_box(side * (HALF + 16.0) + Vec3::Z * 500.0, size.with_z(500.0), Quat::IDENTITY).unwrap();
    }
    let mut all = Vec::new();
    for number in 0..30u8 {
        let number = f32::from(number);
        stage.object = stage.runtime.create_object(stage.model, Space::Local).unwrap();
        stage.build(0, 0.0);
        let turn = Quat::from_rotation_z(number * 1.1) * Quat::from_rotation_y(number * 0.7);
        let origin = [0.0, 0.0, (60.0 + 70.0 * number) * SCALE];
        let entity = Mat3x4::from_translation_rotation_scale(origin, turn.to_array(), [SCALE; 3]);
        stage.runtime.ragdoll_command(stage.object, &entity, ragdoll::Command::Animate(0.0, None), None).unwrap();
        all.push(stage.object);
    }
    let (mut calmed, mut asleep, mut seconds) = (false, 0, 0.0);
    while asleep < all.len() && seconds < 12.0 {
        stage.step(FRAME);
        seconds += FRAME;
        let modes = all.iter().map(|object| stage.runtime.ragdoll(*object).unwrap().rest_mode());
        asleep = modes.clone().filter(|mode| *mode == RestMode::Asleep).count();
        calmed |= modes.clone().any(|mode| mode == RestMode::Calmed);
    }
    assert!(calmed && asleep == all.len(), "{asleep} of {} after {seconds} s", all.len());
}
