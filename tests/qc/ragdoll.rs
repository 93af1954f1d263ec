//! Shots at ragdolls and posed objects from QuakeC.

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
fn shoot(world: &mut World, entity: u64, x: f32) -> (f32, f32, f32) {
    let arguments = [e(entity), v(x, 0.5, 150.0), v(x, 0.5, 50.0), f(-1.0), f(-1.0)];
    let handle = world.number("skel_trace", &arguments);
    let out = |argument: usize| match &world.host.arguments[argument] {
        Argument::Float(value) => *value,
        other => panic!("{other:?}"),
    };
    (handle, out(3), out(4))
}

#[test]
fn a_trace_against_a_ragdoll_returns_object_bone_and_fraction() {
    let (mut world, object) = chain();
    assert_eq!(world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]), 1.0);
    for entity in [1, 0] {
        let (handle, bone, fraction) = shoot(&mut world, entity, 0.0);
        assert_eq!((handle, bone), (object, 1.0), "entity {entity}");
        assert!((0.4..0.5).contains(&fraction), "{fraction}");
        let (handle, bone, fraction) = shoot(&mut world, entity, -200.0);
        assert_eq!((handle, bone, fraction), (0.0, 0.0, 1.0), "beside it");
    }
    // An entity without an object is not hit where objects are.
    world.set(2, Field::skeletonindex, f(object + 7.0));
    assert_eq!(shoot(&mut world, 2, 0.0), (0.0, 0.0, 1.0));
    assert_eq!(world.number("skel_ragupdate", &[e(1), s("cleardoll"), f(0.0)]), 1.0);
    assert_eq!(shoot(&mut world, 0, 0.0).0, 0.0, "no ragdoll any more");
}

#[test]
fn an_impulse_moves_the_body_on_the_bone_or_the_nearest() {
    for (bone, nearest) in [(2.0, 0.0), (0.0, 16.0)] {
        let (mut world, object) = chain();
        let hit = [e(1), f(bone), v(nearest, 0.0, 100.0), v(0.0, 500.0, 0.0)];
        assert_eq!(world.number("skel_ragimpulse", &hit), 0.0, "no doll yet");
        world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
        world.number("skel_ragupdate", &[e(1), s("animate 0"), f(0.0)]);
        assert_eq!(world.number("skel_ragimpulse", &hit), 1.0);
        let id = world.id(object);
        let ragdoll = world.runtime.ragdoll(id).unwrap();
        let moving = ragdoll.bodies(world.runtime.physics()).filter(|body| body.velocity.y > 1.0);
        assert_eq!(moving.map(|body| body.bone).collect::<Vec<_>>(), [1], "bone {bone}");
    }
}

#[test]
fn a_script_tells_how_long_how_strongly_and_how_far_a_hit_is_felt() {
    let loose = |numbers: &[f32]| {
        let (mut world, object) = chain();
        world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
        for body in 0..6 {
            world.number("skel_ragupdate", &[e(1), s(&format!("animatebody b{body} 1")), f(0.0)]);
        }
        let mut hit = vec![e(1), f(2.0), v(0.0, 0.0, 100.0), v(0.0, 500.0, 0.0)];
        hit.extend(numbers.iter().map(|number| f(*number)));
        let struck = world.number("skel_ragimpulse", &hit);
        let ragdoll = world.runtime.ragdoll(world.id(object)).unwrap();
        let bodies = world.runtime.physics().world().bodies.iter();
        let loose = bodies.filter(|(_, body)| body.is_dynamic()).count();
        (struck, loose, ragdoll.doll().bodies.len())
    };
    let (struck, some, all) = loose(&[]);
    assert_eq!((struck, some), (1.0, 5), "of {all}: the body and its neighbours up to three joints away");
    assert_eq!(loose(&[0.5, 0.9, 3.0]), loose(&[]), "the defaults");
    assert_eq!(loose(&[0.5, 0.9, 1.0]).1, 3, "a spread of one joint");
    assert_eq!(loose(&[0.0]).1, 0, "no time");
    assert_eq!(loose(&[0.5, 0.0]).1, 0, "no strength");
    for bad in [[-1.0, 0.9, 3.0], [1e9, 0.9, 3.0], [0.5, 2.0, 3.0], [0.5, 0.9, -1.0], [0.5, 0.9, 1e6]] {
        assert_eq!(loose(&bad), (0.0, 0, all), "{bad:?} is refused");
    }
}

#[test]
fn a_script_tells_walls_from_open_space() {
    use skelobj::math::Vec3;
    use skelobj::physics::{BrushModel, Level, LiquidVolume};

    let (mut world, _) = chain();
    let mut level = Level::default();
    let mut block = BrushModel::default();
    block
        .hulls
        .push([-8.0, 8.0].map(|z| [[-8.0, -8.0], [8.0, -8.0], [0.0, 8.0]].map(|[x, y]| Vec3::new(x, y, z))).concat());
    block.solid = LiquidVolume::new_box(Vec3::splat(-8.0), Vec3::splat(8.0)).unwrap().into();
    level.models.push(block);
    assert_eq!(world.number("skel_issolid", &[v(0.0, 0.0, 0.0)]), 0.0, "no level yet");
    world.runtime.physics_mut().add_level(&level, Default::default()).unwrap();
    assert_eq!(world.number("skel_issolid", &[v(0.0, 0.0, 0.0)]), 1.0);
    assert_eq!(world.number("skel_issolid", &[v(0.0, 0.0, 9.0)]), 0.0);
}

#[test]
fn a_script_hears_of_a_ragdoll_that_fell_out_of_the_level() {
    use skelobj::math::{Quat, Vec3};

    let (mut world, _) = chain();
    world.runtime.physics_mut().add_box(Vec3::X * 5000.0, Vec3::splat(64.0), Quat::IDENTITY).unwrap();
    world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
    world.number("skel_ragupdate", &[e(1), s("animate 0"), f(0.0)]);
    assert_eq!(world.number("skel_status", &[e(1), f(5.0)]), 0.0);
    for _ in 0..300 {
        world.runtime.step(1.0 / 60.0).unwrap();
        world.number("skel_ragupdate", &[e(1), s(""), f(0.0)]);
    }
    assert_eq!(world.number("skel_status", &[e(1), f(5.0)]), 1.0);
}

#[test]
fn a_script_puts_a_ragdoll_among_the_corpses() {
    use skelobj::physics::CollisionGroups;

    let (mut world, object) = chain();
    assert_eq!(world.number("skel_raggroups", &[e(1), f(8.0)]), 0.0, "no doll yet");
    world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
    let id = world.id(object);
    assert_eq!(world.number("skel_raggroups", &[e(1), f(8.0)]), 1.0);
    assert_eq!(world.runtime.ragdoll_groups(id), Some(CollisionGroups::CORPSES));
    assert_eq!(shoot(&mut world, 0, 0.0).0, object, "a shot through all ragdolls hits it");
    for odd in [f32::NAN, -1e30, 1e30] {
        world.number("skel_raggroups", &[e(1), f(odd)]);
    }
    assert_eq!(world.number("skel_raggroups", &[e(1), f(2.0)]), 1.0);
    assert_eq!(world.runtime.ragdoll_groups(id), Some(CollisionGroups::RAGDOLLS));
}

#[test]
fn a_script_hears_impacts_that_it_has_asked_for() {
    let (mut world, id) = chain();
    world.runtime.physics_mut().add_floor(80.0).unwrap();
    world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
    world.number("skel_ragupdate", &[e(1), s("animate 0"), f(0.0)]);
    let impact = |world: &mut World, index: f32| {
        let point = world.vector("skel_impact", &[f(index), f(-1.0), f(-1.0), f(-1.0), f(-1.0)]);
        let out = [1, 2, 3, 4].map(|argument: usize| match &world.host.arguments[argument] {
            Argument::Float(value) => *value,
            other => panic!("{other:?}"),
        });
        (point, out)
    };
    for asked in [false, true] {
        if asked {
            assert_eq!(world.number("skel_impactthreshold", &[f(1.0)]), 1.0);
        }
        let mut heard = 0;
        for _frame in 0..30 {
            world.runtime.step(1.0 / 60.0).unwrap();
            while let (point, [object, bone, impulse, other]) = impact(&mut world, heard as f32)
                && object != 0.0
            {
                assert!(asked, "nobody has asked");
                assert_eq!((object, other), (id, 0.0));
                assert!((1.0..=6.0).contains(&bone) && impulse >= 1.0, "{bone} {impulse}");
                assert!((point.z - 80.0).abs() < 1.0, "{point}");
                let normal = world.host.axes.forward;
                assert!(normal.z > 0.99, "{normal}");
                heard += 1;
            }
            if heard > 0 {
                break;
            }
        }
        assert_eq!(heard > 0, asked);
        world.number("skel_ragupdate", &[e(1), s("cleardoll"), f(0.0)]);
        world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
        let raise = v(0.0, 0.0, 40.0);
        world.set(1, Field::origin, raise);
        world.number("skel_ragupdate", &[e(1), s("animate 0"), f(0.0)]);
    }
    for odd in [f32::NAN, -1.0, 1e30] {
        assert_eq!(impact(&mut world, odd).1[0], if odd.is_nan() { id } else { 0.0 }, "{odd}");
    }
    assert_eq!(world.number("skel_impactthreshold", &[f(1e30)]), 0.0, "out of range");
    assert_eq!(world.number("skel_impactthreshold", &[f(-1.0)]), 1.0);
    assert_eq!(impact(&mut world, 0.0).1, [0.0; 4]);
}

#[test]
fn a_velocity_and_a_spin_go_to_all_limp_bodies() {
    let (mut world, object) = chain();
    let flying = [e(1), v(0.0, 300.0, 0.0), v(0.0, 0.0, 90.0)];
    assert_eq!(world.number("skel_ragvelocity", &flying), 0.0, "no doll yet");
    world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
    let bodies = |world: &World| {
        let ragdoll = world.runtime.ragdoll(world.id(object)).unwrap();
        let centre = ragdoll.centre_of_mass(world.runtime.physics());
        (centre, ragdoll.bodies(world.runtime.physics()).collect::<Vec<_>>())
    };
    world.number("skel_ragupdate", &[e(1), s("animatebody b0 1"), f(0.0)]);
    assert_eq!(world.number("skel_ragvelocity", &flying), 1.0);
    let (centre, bodies) = bodies(&world);
    let quarter = std::f32::consts::FRAC_PI_2;
    assert!(bodies[0].velocity.length() < 1e-3, "the animation holds it");
    for body in &bodies[1..] {
        assert!((body.angular_velocity.z - quarter).abs() < 1e-4, "{}", body.angular_velocity);
        let expected = 300.0 + quarter * (body.position.x - centre.x);
        assert!((body.velocity.y - expected).abs() < 0.1, "{} {expected}", body.velocity);
    }
}

#[test]
fn odd_arguments_hit_nothing() {
    let (mut world, object) = chain();
    world.number("skel_ragupdate", &[e(1), s("doll chain_point.doll"), f(0.0)]);
    world.number("skel_ragupdate", &[e(1), s("animate 0"), f(0.0)]);
    for bad in [f32::NAN, f32::INFINITY, -1e30, 1e30] {
        let hit = [e(1), f(bad), v(0.0, 0.0, 100.0), v(0.0, 0.0, 0.0)];
        assert!(world.number("skel_ragimpulse", &hit) <= 1.0);
        world.number("skel_ragvelocity", &[e(1), v(bad, 0.0, 0.0), v(0.0, bad, 0.0)]);
        let ragdoll = world.runtime.ragdoll(world.id(object)).unwrap();
        assert!(ragdoll.bodies(world.runtime.physics()).all(|body| body.velocity.length() == 0.0), "{bad}");
        let trace = [e(1), v(bad, 0.0, 0.0), v(0.0, bad, 0.0), f(0.0), f(0.0)];
        assert_eq!(world.number("skel_trace", &trace), 0.0, "{bad}");
    }
    assert_eq!(world.number("skel_ragimpulse", &[e(1), f(99.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)]), 0.0);
    assert_eq!(world.number("skel_ragimpulse", &[]), 0.0);
    assert_eq!(world.number("skel_ragvelocity", &[]), 0.0);
    assert_eq!(world.number("skel_ragvelocity", &[e(1), v(1e30, 0.0, 0.0), v(0.0, 0.0, 0.0)]), 0.0);
    assert_eq!(world.number("skel_trace", &[]), 0.0);
    world.set(1, Field::scale, f(f32::NAN));
    assert!(shoot(&mut world, 1, 0.0).0 > 0.0, "what is not a number is not a scale");
}

#[test]
fn a_script_stiffens_and_slackens_a_corpse() {
    let (mut world, _) = chain();
    let doll = "dollstring body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\ntype point\npivot link0\nmuscle 1e6";
    assert_eq!(world.number("skel_ragupdate", &[e(1), s(doll), f(0.0)]), 1.0);
    let sagged = |world: &mut World| {
        for _ in 0..30 {
            world.runtime.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(world.number("skel_ragupdate", &[e(1), s(""), f(0.0)]), 1.0);
        world.vector("skel_get_boneabs", &[f(1.0), f(2.0)]).z
    };
    let stiff = sagged(&mut world);
    assert_eq!(world.number("skel_ragupdate", &[e(1), s("musclejoint j 0"), f(0.0)]), 1.0);
    let slack = sagged(&mut world);
    assert!(slack < stiff - 4.0, "{slack} after {stiff}");
    assert_eq!(world.number("skel_ragupdate", &[e(1), s("musclejoint tail 0"), f(0.0)]), 0.0);
    assert_eq!(world.number("skel_ragupdate", &[e(1), s("muscle 1"), f(0.0)]), 1.0);
    let stiff = sagged(&mut world);
    assert!(stiff > slack + 2.0, "{stiff} after {slack}");
}

#[test]
fn a_script_lets_a_ragdoll_sleep_and_wakes_it() {
    let (mut world, _) = chain();
    for command in ["dollstring body a link0\nsize 4", "animate 0"] {
        assert_eq!(world.number("skel_ragupdate", &[e(1), s(command), f(0.0)]), 1.0);
    }
    for (command, asleep) in [("awake 0", 1.0), ("awake 1", 0.0)] {
        assert_eq!(world.number("skel_ragupdate", &[e(1), s(command), f(0.0)]), 1.0);
        world.runtime.step(1.0 / 60.0).unwrap();
        assert_eq!(world.number("skel_status", &[e(1), f(1.0)]), asleep, "{command}");
    }
}

#[test]
fn a_severed_joint_has_no_gap() {
    let (mut world, object) = chain();
    let doll = "dollstring\nupdatebody default\nanimate 0\nbody a link0\nbody b link1\njoint j a b\ntype point\n";
    assert_eq!(world.ragdoll(doll, 0.0), 1.0, "{}", world.printed());
    world.ragdoll("enablejoint j 0", 0.0);
    world.number("skel_ragvelocity", &[e(1), v(0.0, 0.0, 0.0), v(0.0, 0.0, 700.0)]);
    for _ in 0..60 {
        world.runtime.step(1.0 / 60.0).unwrap();
        world.ragdoll("", 0.0);
    }
    let joint = world.runtime.ragdoll(world.id(object)).unwrap().joints(world.runtime.physics()).next().unwrap();
    assert!(joint.anchors[0].distance(joint.anchors[1]) > 20.0, "{joint:?}");
    assert_eq!(world.number("skel_status", &[e(1), f(3.0)]), 0.0);
}

#[test]
fn a_script_asks_how_a_ragdoll_is() {
    let mut world = World::new();
    let status = |world: &mut World, what: f32| world.number("skel_status", &[e(1), f(what)]);
    assert_eq!([1.0, 2.0, 3.0, 4.0].map(|what| status(&mut world, what)), [0.0; 4]); // no object
    let object = world.built("dd.iqm");
    let id = world.id(object);
    assert_eq!(status(&mut world, 2.0), 0.0); // no ragdoll
    world.ragdoll("", 0.0);
    let body = world.runtime.ragdoll(id).unwrap().doll().bodies[0].name.clone();
    world.ragdoll("animate 0", 0.0);
    world.ragdoll(&format!("animatebody {body} 1"), 0.0);
    assert_eq!(status(&mut world, 2.0), 1.0);
    world.ragdoll(&format!("animatebody {body} 0"), 0.0);
    assert_eq!(status(&mut world, 2.0), 0.0);
    world.runtime.physics_mut().add_floor(-20.0).unwrap();
    world.number("skel_impactthreshold", &[f(0.0)]);
    let (mut strongest, mut asleep) = (0f32, 0.0);
    for _ in 0..1800 {
        world.runtime.step(1.0 / 60.0).unwrap();
        world.ragdoll("", 0.0);
        strongest = strongest.max(status(&mut world, 4.0));
        asleep = status(&mut world, 1.0);
        if asleep == 1.0 {
            break;
        }
    }
    assert!(strongest > 0.0 && asleep == 1.0, "{strongest} {asleep}");
    assert!((0.0..1.0).contains(&status(&mut world, 3.0)));
    world.printed();
    for what in [0.0, 6.0, -1.0, f32::NAN] {
        assert_eq!(status(&mut world, what), 0.0);
    }
    assert!(world.printed().contains("6 is none of"));
}

#[test]
fn a_doll_outside_the_games_folders_is_complained_about() {
    let (mut world, _) = chain();
    for name in ["../dolls/chain_point.doll", "/etc/passwd", "dolls\\\\chain_point.doll"] {
        assert_eq!(world.ragdoll(&format!("doll {name}"), 0.0), 0.0);
        let printed = world.printed();
        assert!(printed.contains("is not a plain path"), "{name}: {printed}");
    }
    assert_eq!(world.ragdoll("doll chain_point.doll", 0.0), 1.0);
}

#[test]
fn a_doll_on_an_object_of_which_one_bone_was_set_names_another() {
    let (mut world, _) = chain();
    let object = world.create("chain.iqm");
    world.set(1, Field::skeletonindex, f(object));
    world.call("skel_set_bone", &[f(object), f(2.0), v(0.0, 0.0, 0.0)]);
    assert_eq!(world.ragdoll("doll chain_point.doll", 0.0), 0.0);
    let printed = world.printed();
    assert!(printed.contains("skel_ragupdate: the bone \"") && printed.contains("\" was never set, or "), "{printed}");
}
