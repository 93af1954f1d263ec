//! Records of poses, and shots through them, from QuakeC.

use crate::common::calls::{World, e, f, s, v};
use crate::common::replayer::host::Argument;
use skelobj::qc::Field;

/// Returns a world whose entity 1 has the chain: six bones along X, 16 units apart, 100 units up.
fn chain() -> (World, f32) {
    let mut world = World::new();
    let object = world.built("chain.iqm");
    (world, object)
}

/// Returns handle, bone and fraction of a shot from above a point to below it.
fn shoot(world: &mut World, entity: u64, x: f32, more: &[Argument]) -> (f32, f32, f32) {
    let arguments = [&[e(entity), v(x, 0.5, 150.0), v(x, 0.5, 50.0), f(-1.0), f(-1.0)], more].concat();
    let handle = world.number("skel_trace", &arguments);
    let out = |argument: usize| match &world.host.arguments[argument] {
        Argument::Float(value) => *value,
        other => panic!("{other:?}"),
    };
    (handle, out(3), out(4))
}

fn record(world: &mut World, entity: u64, y: f32, time: f32) -> f32 {
    world.set(entity, Field::origin, v(0.0, y, 0.0));
    world.number("skel_record", &[e(entity), f(time)])
}

#[test]
fn shots_at_a_time_hit_entities_where_they_were() {
    let (mut world, object) = chain();
    world.set(1, Field::origin, v(0.0, 0.0, 0.0));
    assert_eq!(world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]), 1.0);
    for packed in [0.0, 1.0] {
        assert_eq!(world.number("skel_history", &[f(1.0), f(packed)]), 1.0);
        world.number("skel_ragupdate", &[e(1), s("cleardoll"), f(0.0)]);
        world.set(1, Field::origin, v(0.0, 0.0, 0.0));
        world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
        assert_eq!(record(&mut world, 1, 0.0, 2.0), 1.0);
        let now = shoot(&mut world, 1, 0.0, &[]);
        assert_eq!((now.0, now.1), (object, 1.0));
        assert_eq!(record(&mut world, 1, 900.0, 1.9), 0.0, "in the past");
        assert_eq!(record(&mut world, 1, 900.0, 2.0), 0.0, "already recorded");
        world.call("skel_record_break", &[f(object)]);
        world.number("skel_ragupdate", &[e(1), s("cleardoll"), f(0.0)]);
        world.set(1, Field::origin, v(0.0, 900.0, 0.0));
        world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
        assert_eq!(record(&mut world, 1, 900.0, 2.25), 1.0);
        for entity in [1, 0] {
            for time in [2.0, 2.2, 1.0] {
                let (handle, bone, fraction) = shoot(&mut world, entity, 0.0, &[f(time)]);
                assert_eq!((handle, bone), (object, 1.0), "entity {entity} at {time}");
                assert!((fraction - now.2).abs() < 2e-4, "{fraction} {now:?}");
            }
            assert_eq!(shoot(&mut world, entity, 0.0, &[f(2.25)]), (0.0, 0.0, 1.0));
            assert_eq!(shoot(&mut world, entity, 0.0, &[f(9.0)]).0, 0.0, "the newest");
        }
        assert_eq!(shoot(&mut world, 0, 0.0, &[f(2.0), e(1)]).0, 0.0, "skipped");
        assert_eq!(shoot(&mut world, 0, 0.0, &[f(2.0), e(3)]).0, object, "another is skipped");
    }
}

#[test]
fn records_without_a_history_an_object_or_a_number_fail_with_a_message() {
    let (mut world, _) = chain();
    assert_eq!(record(&mut world, 1, 0.0, 0.0), 0.0);
    assert!(world.printed().contains("keeps no history"));
    assert_eq!(shoot(&mut world, 1, 0.0, &[f(0.0)]).0, 0.0);
    assert!(world.printed().contains("has recorded no poses"));
    for bad in [-1.0, 4000.0] {
        assert_eq!(world.number("skel_history", &[f(bad)]), 0.0);
        assert!(world.printed().contains("seconds"), "{bad}");
    }
    assert_eq!(world.number("skel_history", &[f(0.5)]), 1.0);
    assert_eq!(world.runtime.history().unwrap().settings().seconds, 0.5);
    assert_eq!(record(&mut world, 3, 0.0, 0.0), 0.0, "no object");
    assert_eq!(record(&mut world, 1, 0.0, 0.0), 1.0);
    assert_eq!(world.number("skel_history", &[f(0.0)]), 1.0);
    assert!(world.runtime.history().is_none(), "0 seconds: none");
}
