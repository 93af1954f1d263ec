//! Aims, reaches, masks and layers from QuakeC.

use std::path::Path;

use crate::common::calls::{World, e, f, s, v};
use crate::common::replayer::folder::Folder;
use crate::common::replayer::host::{Argument, RecordedHost};
use skelobj::math::Vec3;
use skelobj::qc::{Field, Rules};
use skelobj::{Dialect, Runtime};

/// Returns a world whose entity 1 stands at (100 0 24), turned to the left, with the chain: six bones along X, 16 units
/// apart, 100 units up.
fn chain() -> (World, f32) {
    let mut world = World::new();
    let object = world.built("chain.iqm");
    world.set(1, Field::origin, v(100.0, 0.0, 24.0));
    world.set(1, Field::angles, v(0.0, 90.0, 0.0));
    (world, object)
}

fn bone(world: &World, object: f32, bone: usize) -> skelobj::math::Mat3x4 {
    world.runtime.object(world.id(object)).unwrap().model_space(bone).unwrap()
}

/// Returns the names of bones of the chain as a list.
fn names(world: &World, object: f32, bones: &[usize]) -> String {
    let object = world.runtime.object(world.id(object)).unwrap();
    bones.iter().map(|bone| object.bone_name(*bone).unwrap().to_string()).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_script_aims_at_a_point_of_the_world() {
    let (mut world, object) = chain();
    let bones = names(&world, object, &[1, 2]);
    let point = Vec3::new(80.0, 90.0, 150.0);
    let missed = world.number("skel_aim", &[e(1), s(&bones), v(point.x, point.y, point.z)]);
    assert!((0.0..0.1).contains(&missed), "{missed}");
    // In model space: the entity is turned by 90 degrees to the left.
    let target = Vec3::new(90.0, 20.0, 126.0);
    let last = bone(&world, object, 2);
    let forward = last.forward().angle_between(target - last.origin());
    assert!(forward < 1e-3, "{forward}");
}

#[test]
fn weight_and_angle_are_optional_and_in_degrees() {
    let turned = |extra: &[Argument]| {
        let (mut world, object) = chain();
        let bones = names(&world, object, &[1]);
        let mut arguments = vec![f(object), s(&bones), v(0.0, 60.0, 0.0)];
        arguments.extend_from_slice(extra);
        let left = world.number("skel_turn", &arguments);
        let forward = bone(&world, object, 1).forward();
        (forward.y.atan2(forward.x).to_degrees(), left)
    };
    for (extra, angle, left) in [
        (vec![], 60.0, 0.0),
        (vec![f(0.5)], 30.0, 30.0),
        (vec![f(1.0), f(45.0)], 45.0, 15.0),
        (vec![f(1.0), f(0.0)], 60.0, 0.0),
        (vec![f(2.0)], 0.0, -1.0),
        (vec![f(-1.0)], 0.0, -1.0),
    ] {
        let found = turned(&extra);
        assert!((found.0 - angle).abs() < 0.1 && (found.1 - left).abs() < 0.1, "{angle} {left}: {found:?}");
    }
}

#[test]
fn a_positive_pitch_looks_down() {
    let (mut world, object) = chain();
    let bones = names(&world, object, &[1]);
    world.number("skel_turn", &[f(object), s(&bones), v(30.0, 0.0, 0.0)]);
    assert!((bone(&world, object, 1).forward().z + 0.5).abs() < 1e-3);
}

#[test]
fn a_script_brings_a_limb_to_a_point_of_the_world() {
    for pole in [Vec3::Z, Vec3::X] {
        let (mut world, object) = chain();
        let bones = names(&world, object, &[0, 2, 4]);
        let point = Vec3::new(100.0, 40.0, 130.0);
        let arguments = [e(1), s(&bones), v(point.x, point.y, point.z), v(pole.x, pole.y, pole.z)];
        let missed = world.number("skel_reach", &arguments);
        assert!((0.0..1e-3).contains(&missed), "{missed}");
        let [middle, end] = [2, 4].map(|number| bone(&world, object, number).origin());
        assert!(end.distance(Vec3::new(40.0, 0.0, 106.0)) < 1e-2, "{end}");
        // The pole is a direction of the world: +X is to the right of the entity.
        let side = if pole == Vec3::Z { middle.z - 103.0 } else { -middle.y };
        assert!(side > 5.0, "{pole}: {middle}");
    }
    // The chain is straight: without a pole nothing tells where it bends.
    let (mut world, object) = chain();
    let bones = names(&world, object, &[0, 2, 4]);
    assert_eq!(world.number("skel_reach", &[e(1), s(&bones), v(100.0, 40.0, 130.0)]), -1.0);
}

#[test]
fn two_bones_are_the_ends_of_a_chain() {
    let (mut world, object) = chain();
    let bones = names(&world, object, &[0, 5]);
    let point = Vec3::new(110.0, 40.0, 150.0);
    let missed = world.number("skel_reach", &[e(1), s(&bones), v(point.x, point.y, point.z)]);
    assert!((0.0..0.05).contains(&missed), "{missed}");
    let end = bone(&world, object, 5).origin();
    assert!(end.distance(Vec3::new(40.0, -10.0, 126.0)) < 0.05, "{end}");
    assert_eq!(world.number("skel_reach", &[e(1), s("nose, tail"), v(1.0, 2.0, 3.0)]), -1.0);
}

#[test]
fn what_cannot_be_done_returns_minus_1_and_changes_nothing() {
    let (mut world, object) = chain();
    let before = world.runtime.object(world.id(object)).unwrap().pose().clone();
    let bones = names(&world, object, &[1]);
    assert_eq!(world.number("skel_aim", &[e(1), s("nose"), v(1.0, 2.0, 3.0)]), -1.0);
    assert_eq!(world.number("skel_aim", &[e(2), s(&bones), v(1.0, 2.0, 3.0)]), -1.0, "no object");
    assert_eq!(world.number("skel_aim", &[e(1), s(""), v(1.0, 2.0, 3.0)]), -1.0);
    assert_eq!(world.number("skel_turn", &[f(99.0), s(&bones), v(0.0, 10.0, 0.0)]), -1.0);
    assert_eq!(world.number("skel_reach", &[e(1), s(&bones), v(1.0, 2.0, 3.0)]), -1.0, "one bone");
    assert_eq!(world.number("skel_mask", &[f(object), s("nose")]), 0.0);
    assert_eq!(world.number("skel_mask", &[f(99.0), s(&bones)]), 0.0);
    assert_eq!(world.number("skel_add", &[f(object), e(1), f(1.0), f(3.0)]), 0.0, "a weight of 3");
    assert_eq!(world.number("skel_add", &[f(99.0), e(1), f(1.0), f(1.0)]), 0.0);
    assert_eq!(world.number("skel_copybones_named", &[f(object), f(99.0)]), 0.0);
    assert_eq!(world.runtime.object(world.id(object)).unwrap().pose(), &before);
}

#[test]
fn a_mask_holds_until_it_is_ended() {
    let (mut world, object) = chain();
    let masked = names(&world, object, &[3]);
    assert_eq!(world.number("skel_mask", &[f(object), s(&masked)]), 1.0);
    let turn = [f(object), f(1.0), f(0.0), v(0.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)];
    world.call("skel_mul_bones", &turn);
    let forward =
        |world: &World, number| world.runtime.object(world.id(object)).unwrap().local_space(number).unwrap().forward();
    assert_eq!(forward(&world, 1), Vec3::X);
    assert_eq!(forward(&world, 3), Vec3::Y);
    assert_eq!(world.number("skel_mask", &[f(object), s("")]), 1.0);
    world.call("skel_mul_bones", &turn);
    assert_eq!(forward(&world, 1), Vec3::Y);
}

#[test]
fn a_script_keeps_rotations_in_blends() {
    let (mut world, object) = chain();
    let pose = |world: &World| world.runtime.object(world.id(object)).unwrap().pose().bones().to_vec();
    let turned = |world: &mut World, angle: f32| {
        let (sine, cosine) = angle.to_radians().sin_cos();
        let axes = [v(cosine, sine, 0.0), v(sine, -cosine, 0.0), v(0.0, 0.0, 1.0)];
        let [forward, right, up] = axes;
        world.call("skel_set_bone", &[f(object), f(2.0), v(16.0, 0.0, 0.0), forward, right, up]);
    };
    // Half of the animation, half of a bone that is turned by 120 degrees.
    let model = world.model("chain.iqm");
    let half = [f(object), e(1), model, f(0.5), f(0.0), f(0.0), f(0.5)];
    for (rule, length) in [(None, 0.5), (Some(1.0), 1.0), (Some(0.0), 0.5)] {
        if let Some(rule) = rule {
            assert_eq!(world.number("skel_blending", &[f(object), f(rule)]), 1.0);
        }
        turned(&mut world, 120.0);
        world.call("skel_build", &half);
        let forward = pose(&world)[1].forward();
        assert!((forward.length() - length).abs() < 1e-3, "{rule:?}: {forward}");
    }
    for wrong in [[f(object), f(2.0)], [f(object), f(-1.0)], [f(99.0), f(1.0)]] {
        assert_eq!(world.number("skel_blending", &wrong), 0.0);
    }
    let object = world.runtime.object(world.id(object)).unwrap();
    assert_eq!(object.blending(), skelobj::object::Blending::Linear);
}

#[test]
fn axes_and_bones_by_name_are_one_call_each() {
    let (mut world, object) = chain();
    world.call("skel_set_bone_axes", &[f(object), f(2.0), v(0.0, 1.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)]);
    let turned = bone(&world, object, 1);
    assert!(turned.forward().distance(Vec3::Y) < 1e-6 && turned.left().distance(Vec3::NEG_X) < 1e-6);
    let model = world.runtime.model_of(world.id(object)).unwrap();
    let other = world.runtime.create_object(model, skelobj::object::Space::Local).unwrap();
    let unbuilt = f(other.get() as f32);
    assert_eq!(world.number("skel_copybones_named", &[unbuilt.clone(), f(object)]), 0.0);
    let index = world.model("chain.iqm");
    world.number("skel_build", &[unbuilt, e(1), index, f(0.0), f(0.0), f(0.0)]);
    assert_eq!(world.number("skel_copybones_named", &[f(other.get() as f32), f(object)]), 6.0);
    let copied = world.runtime.object(other).unwrap().model_space(1).unwrap();
    assert!(copied.forward().distance(Vec3::Y) < 1e-5);
}

#[test]
fn points_are_those_of_a_scaled_entity_in_both_dialects() {
    use skelobj::Dialect;
    use skelobj::qc::Rules;
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        let mut world = World::with(dialect, Rules::Client);
        let object = world.built("chain.iqm");
        let index = world.model("chain.iqm");
        // DarkPlaces builds up to the last bone, and nothing for 0.
        world.number("skel_build", &[f(object), e(1), index, f(0.0), f(1.0), f(99.0)]);
        world.set(1, Field::origin, v(100.0, 0.0, 0.0));
        world.set(1, Field::scale, f(2.0));
        let bones = names(&world, object, &[0, 2, 4]);
        // The chain begins at 200 units above the entity, and is 128 units long.
        let arguments = [e(1), s(&bones), v(180.0, 10.0, 230.0), v(0.0, 0.0, 1.0)];
        let missed = world.number("skel_reach", &arguments);
        assert!((0.0..1e-2).contains(&missed), "{dialect:?}: {missed}");
        assert!(bone(&world, object, 4).origin().distance(Vec3::new(40.0, 5.0, 115.0)) < 1e-2);
        let far = [e(1), s(&bones), v(100.0, 0.0, 1200.0), v(1.0, 0.0, 0.0)];
        let missed = world.number("skel_reach", &far);
        assert!((missed - (1000.0 - 128.0)).abs() < 5.0, "{dialect:?}: {missed} units of the world");
    }
}

#[test]
fn a_pose_is_added_to_its_first_frame_another_one_or_the_bind_pose() {
    let added = |extra: &[Argument]| {
        let mut world = World::new();
        let object = world.built("seven.iqm");
        world.set(1, Field::frame1time, f(0.35));
        let mut arguments = vec![f(object), e(1), world.model("seven.iqm"), f(1.0)];
        arguments.extend_from_slice(extra);
        let before = world.runtime.object(world.id(object)).unwrap().pose().clone();
        assert_eq!(world.number("skel_add", &arguments), 1.0);
        let after = world.runtime.object(world.id(object)).unwrap().pose().clone();
        assert_ne!(before, after);
        after
    };
    let own = added(&[]);
    assert_eq!(own, added(&[f(0.0)]), "animation 0 is the entity's own");
    assert_ne!(own, added(&[f(-1.0)]), "the bind pose is another reference");
}

#[test]
fn an_aim_without_a_greatest_angle_keeps_to_the_stops_of_the_ragdolls_doll() {
    let (mut world, object) = chain();
    let bones = names(&world, object, &[2]);
    let model = world.model("chain.iqm");
    let missed = |world: &mut World, more: &[Argument]| {
        // A ragdoll leaves the bones in model space.
        world.number("skel_build", &[f(object), e(1), model.clone(), f(0.0), f(0.0), f(0.0), f(1.0)]);
        let start = bone(&*world, object, 2).origin();
        let point = Vec3::new(100.0 - start.y - 50.0, start.x, 24.0 + start.z);
        world.number("skel_aim", &[&[e(1), s(&bones), v(point.x, point.y, point.z)], more].concat())
    };
    let free = missed(&mut world, &[]);
    assert!((0.0..0.1).contains(&free), "{free}");
    assert_eq!(world.ragdoll("doll chain_hinge.doll", 0.0), 1.0);
    let held = missed(&mut world, &[]);
    assert!((held - (90.0 - 0.6f32.to_degrees())).abs() < 2.0, "{held}");
    assert_eq!(missed(&mut world, &[f(1.0), f(0.0)]), held, "0 is the default");
    assert!(missed(&mut world, &[f(1.0), f(120.0)]) < 0.1, "an angle that is stated counts alone");
}

#[test]
fn a_script_moves_its_entity_by_what_it_takes_out_of_the_pose() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    world.set(1, Field::origin, v(100.0, 0.0, 24.0));
    world.set(1, Field::angles, v(0.0, 90.0, 0.0));
    let root = names(&world, object, &[0]);
    let model = world.model("testbones.iqm");
    let build = [f(object), e(1), model, f(0.0), f(0.0), f(0.0), f(1.0)];
    // Without motion from the beginning of the animation, nothing is taken.
    let before = bone(&world, object, 0);
    assert_eq!(world.vector("skel_motion", &[e(1), s(&root), f(0.0)]), Vec3::ZERO);
    assert!(bone(&world, object, 0).origin().distance(before.origin()) < 1e-3);
    let animated = world.runtime.model_by_name("testbones.iqm").and_then(|id| world.runtime.model(id)).unwrap().clone();
    let (mut moves, parts) = (0, f(7.0));
    for number in 0..animated.animations.len() {
        world.set(1, Field::frame, f(number as f32));
        for time in [0.05, 0.15, 0.19] {
            world.set(1, Field::frame1time, f(time));
            world.number("skel_build", &build);
            let wanted = bone(&world, object, 0);
            let moved = world.vector("skel_motion", &[e(1), s(&root), f(time), parts.clone()]);
            let yaw = world.number("skel_motionyaw", &[e(1), s(&root), f(time)]).to_radians();
            // The entity is turned by 90 degrees to the left.
            let in_model = Vec3::new(moved.y, -moved.x, moved.z);
            let back = skelobj::pose::Motion { translation: in_model, yaw }.matrix() * bone(&world, object, 0);
            assert!(back.origin().distance(wanted.origin()) < 0.05, "{number} {time}: {back:?} {wanted:?}");
            moves += usize::from(moved != Vec3::ZERO || yaw != 0.0);
        }
    }
    assert!(moves > 0, "no animation moves the root");
    assert_eq!(world.vector("skel_motion", &[e(1), s("hips"), f(0.1)]), Vec3::ZERO);
    assert!(world.printed().contains("no bone is named `hips`"));
    assert_eq!(world.number("skel_motionyaw", &[e(2), s(&root), f(0.1)]), 0.0);
}

#[test]
fn a_script_swings_bones_behind_the_motion_of_their_entity() {
    let (mut world, object) = chain();
    let bones = names(&world, object, &[1, 5]);
    let model = world.model("chain.iqm");
    let frame = |world: &mut World, x: f32, more: &[Argument]| {
        world.set(1, Field::origin, v(x, 0.0, 24.0));
        world.number("skel_build", &[f(object), e(1), model.clone(), f(0.0), f(0.0), f(0.0), f(1.0)]);
        let done = world.number("skel_spring", &[&[e(1), s(&bones), f(0.02)], more].concat());
        (done, bone(&*world, object, 5).origin())
    };
    frame(&mut world, 100.0, &[]);
    let (done, rest) = frame(&mut world, 100.0, &[]);
    assert_eq!(done, 1.0);
    let (_, moved) = frame(&mut world, 120.0, &[]);
    // The entity looks along +Y of the world: its left is -X, and the end lags.
    assert!(moved.y > rest.y + 5.0, "{moved} {rest}");
    world.call("skel_spring_reset", &[f(object)]);
    assert!(frame(&mut world, 140.0, &[]).1.distance(rest) < 1e-2, "begins anew");
    let gravity =
        |world: &mut World, more: &[Argument]| (0..300).map(|_| frame(world, 140.0, more).1.z).last().unwrap();
    let (default, stiff) = ([f(0.0), f(0.3), v(0.0, 0.0, -100.0)], [f(4.0), f(0.3), v(0.0, 0.0, -100.0)]);
    let (soft, stiff) = (gravity(&mut world, &default), gravity(&mut world, &stiff));
    assert!(soft < stiff - 1.0 && stiff < rest.z - 0.2, "{soft} {stiff} {rest}");
    let propped = [f(0.0), f(0.3), v(0.0, 0.0, -100.0), s(&format!("{} 30", names(&world, object, &[4])))];
    assert!(gravity(&mut world, &propped) != soft);
    let alone = [&default[..], &[s(""), f(0.0)]].concat();
    assert!(gravity(&mut world, &alone) > soft + 0.2, "a share of the bone above");
    let no_nose = vec![f(2.0), f(0.3), v(0.0, 0.0, 0.0), s("nose 3")];
    let shared = vec![f(2.0), f(0.3), v(0.0, 0.0, 0.0), s(""), f(2.0)];
    for (more, what) in [(vec![f(2.0), f(3.0)], "damping"), (no_nose, "colliders"), (shared, "share")] {
        assert_eq!(frame(&mut world, 140.0, &more).0, 0.0, "{what}");
        assert!(!world.printed().is_empty());
    }
    assert_eq!(world.number("skel_spring", &[e(2), s(&bones), f(0.02)]), 0.0, "no object");
}

#[test]
fn a_script_places_feet_on_the_level() {
    let dolls = Folder::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("dolls"));
    let host = RecordedHost::new(Dialect::Fte, Rules::Client, vec![dolls]);
    let mut world = World { runtime: Runtime::default(), host };
    world.runtime.physics_mut().add_floor(0.0).unwrap();
    let (size, flat) = (Vec3::new(40.0, 80.0, 16.0), skelobj::math::Quat::IDENTITY);
    world.runtime.physics_mut().add_box(Vec3::new(80.0, 0.0, 0.0), size, flat).unwrap();
    let object = world.built("mannequin.iqm");
    let model = world.model("mannequin.iqm");
    // It looks along +Y, with its right foot on a step of 8 units; its origin is 24 units above the step.
    world.set(1, Field::angles, v(0.0, 90.0, 0.0));
    let legs = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";
    let frame = |world: &mut World, x: f32, height: f32, more: &[Argument]| {
        world.set(1, Field::origin, v(x, 0.0, height));
        world.number("skel_build", &[f(object), e(1), model.clone(), f(0.0), f(0.0), f(0.0), f(1.0)]);
        let done = world.number("skel_feet", &[&[e(1), s(legs), f(0.02)], more].concat());
        (done, [3, 7].map(|foot| bone(world, object, foot).origin().z))
    };
    let (done, [left, right]) = frame(&mut world, 60.0, 8.0, &[]);
    assert_eq!(done, 1.0);
    assert!((right - left - 8.0).abs() < 0.1, "{left} {right}");
    let in_air = frame(&mut world, 60.0, 8.0, &[f(0.0)]).1;
    assert!(in_air[0] > left && in_air[0] < left + 4.0, "comes back at a speed: {in_air:?} {left}");
    world.call("skel_feet_reset", &[f(object)]);
    let (_, [left, right]) = frame(&mut world, 60.0, 32.0, &[f(1.0), f(-24.0)]);
    assert!((right - left - 8.0).abs() < 0.1, "{left} {right}");
    world.call("skel_feet_reset", &[f(object)]);
    let (_, [left, right]) = frame(&mut world, 60.0, 8.0, &[f(1.0), f(0.0), f(5.0)]);
    assert!((right - left - 5.0).abs() < 0.1, "a step of at most 5 units: {left} {right}");
    assert_eq!(frame(&mut world, 60.0, 8.0, &[f(2.0)]).0, 0.0, "a weight of 2");
    assert!(!world.printed().is_empty());
    assert_eq!(world.number("skel_feet", &[e(1), s("pelvis, thigh_l"), f(0.02)]), 0.0);
    assert!(!world.printed().is_empty());
    assert_eq!(world.number("skel_feet", &[e(2), s(legs), f(0.02)]), 0.0, "no object");
}
