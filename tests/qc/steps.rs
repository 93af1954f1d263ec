//! Steps of monsters over a level, from the script's point of view.

use std::sync::mpsc;

use skelobj::Runtime;
use skelobj::math::Vec3;
use skelobj::physics::{BrushModel, Level};
use skelobj::qc::vm::{Machine, Progs};
use skelobj::qc::{Environment, VmHost};

const PROGS: &[u8] = include_bytes!("steps.dat");

/// Returns the corners of a block.
fn block(low: Vec3, high: Vec3) -> Vec<Vec3> {
    let corner = |number: u32| {
        let part = |axis: u32, low: f32, high: f32| if number >> axis & 1 == 0 { low } else { high };
        Vec3::new(part(0, low.x, high.x), part(1, low.y, high.y), part(2, low.z, high.z))
    };
    (0..8).map(corner).collect()
}

/// Returns what a function prints on ground with an edge at x -200, a step of 16 units and a wall of 48.
fn printed(function: &str) -> String {
    printed_after(function, |_, _| ())
}

/// Returns what a function prints, and what happens after it.
fn printed_after(function: &str, then: impl FnOnce(&mut VmHost<'_>, &mut Machine)) -> String {
    let mut world = BrushModel::default();
    world.hulls = vec![
        block(Vec3::new(-200.0, -200.0, -16.0), Vec3::new(200.0, 200.0, 0.0)),
        block(Vec3::new(40.0, -200.0, -8.0), Vec3::new(80.0, 200.0, 16.0)),
        block(Vec3::new(120.0, -100.0, -8.0), Vec3::new(150.0, 100.0, 48.0)),
    ];
    let mut level = Level::default();
    level.models.push(world);
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_level(&level, Default::default()).unwrap();
    let progs = std::sync::Arc::new(Progs::load(PROGS).unwrap());
    let (sender, printed) = mpsc::channel();
    let mut environment = Environment::new(&progs, move |text: &str| drop(sender.send(text.to_owned())));
    let mut machine = Machine::new(progs);
    let function = machine.find_function(function.as_bytes()).unwrap();
    let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    machine.call(function, &mut host).unwrap();
    then(&mut host, &mut machine);
    printed.try_iter().collect()
}

#[test]
fn monsters_walk_over_steps_and_stop_at_walls_edges_and_others() {
    let wanted = "\
a step and a wall: 110 0 24, up to 40
an edge: -190 -60 24, up to 24
another: 0 100 24, up to 24
not on the ground: 0 -120 24, up to 24
nothing below: 0 -120 200, up to 200
linked -42 57
";
    assert_eq!(printed("walking"), wanted);
}

#[test]
fn monsters_stand_if_all_corners_do() {
    assert_eq!(printed("standing"), "stands 1, over an edge 0, on a step 1, in the air 0\n");
}

#[test]
fn monsters_fly_to_the_height_of_their_enemy() {
    assert_eq!(printed("flying"), "flies 1 100, up 1 108, down 1 100, on land a fish 0\n");
}

#[test]
fn monsters_find_a_way_to_their_goal() {
    assert_eq!(printed("going"), "over the step 1 24\nround the wall 1 24\nnot over the edge 0 24\n");
}

#[test]
fn monsters_that_leap_fall_along_what_is_in_their_way() {
    let mut touched = vec![Vec::<u32>::new(); 5];
    let printed = printed_after("leaping", |host, machine| {
        for _ in 0..60 {
            for entity in 1..5 {
                touched[entity as usize].extend(host.fall(machine, entity, 800.0, 1.0 / 60.0));
            }
        }
        let landed = machine.find_function(b"landed").unwrap();
        machine.call(landed, host).unwrap();
    });
    // The first lands and slides no further; the second slides down the wall; the third stays above the fourth.
    assert_eq!(
        printed,
        "-57 24 speed 100 ground 512\n112 24 speed 0 ground 512\n0 80 speed 0 ground 0\n0 24 speed 0 ground 512\n"
    );
    assert_eq!(touched[1], [0]);
    assert!(touched[2].iter().all(|other| *other == 0) && touched[3].iter().all(|other| *other == 4), "{touched:?}");
    assert!(touched[4].is_empty(), "{touched:?}");
}

#[test]
fn traces_hit_solid_entities() {
    let wanted = "\
all round 24
hit 1 -8.03
normal -1 0 0
ignored 1 100.00
no monsters 1 100.00
beside 1 100.00
missile 1 -23.03
with owner 1 100.00
of the ignored 1 100.00
the nearer 1 -58.03
solid 0 0
solid 1 0
solid 2 1
solid 3 1
solid 4 1
solid 5 0
part of the map 1 -8.03
box 1 -24.03
from inside 1 0 1 37.97
inside 1 1 1 1
traceline: the start, the end or the length of the trace is not finite
huge 0 1
not numbers 1 41.97
";
    assert_eq!(printed("tracing"), wanted);
}
