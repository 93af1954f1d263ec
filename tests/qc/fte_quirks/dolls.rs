//! Differences 21 to 41: dolls and ragdolls.

use super::*;

fn doll(text: &str) -> Doll {
    Doll::parse_strict(text.as_bytes()).unwrap()
}

#[test]
fn r21_the_reference_pose_is_the_bind_pose_unless_an_animation_is_named() {
    assert_eq!(doll("body b spine").reference, ReferencePose::BindPose);
    assert_eq!(doll("refpose skin\nbody b spine").reference, ReferencePose::BindPose);
    let ReferencePose::Animation { index, time } = doll("refpose 2 0.25\nbody b spine").reference else {
        panic!("no animation")
    };
    assert_eq!((index, time), (2, 0.25));
}

const CHAIN: &str = "body a link0\nbody b link1\nbody c link2\nupdatebody default\n";

/// Returns the point, world space, at which the joint of a doll on chain.iqm in its bind pose holds its first body.
fn anchor(text: &str) -> Vec3 {
    let mut world = World::new();
    let object = world.built("chain.iqm");
    assert_eq!(world.ragdoll(&format!("dollstring\n{text}"), 0.0), 1.0, "{}", world.printed());
    let ragdoll = world.runtime.ragdoll(world.id(object)).unwrap();
    ragdoll.joints(world.runtime.physics()).next().unwrap().anchors[0]
}

fn bone_of_chain(bone: usize) -> Vec3 {
    let mut world = World::new();
    let object = world.built("chain.iqm");
    world.vector("skel_get_boneabs", &[f(object), f((bone + 1) as f32)])
}

#[test]
fn r22_a_joint_is_anchored_at_the_bone_of_its_second_body() {
    assert!(close(anchor("body x link2\nbody a link0\nbody b link1\njoint j a b\ntype point\n"), bone_of_chain(1)));
}

#[test]
fn r23_offset_and_pivot_move_the_anchor_in_the_pivot_bones_axes() {
    let plain = anchor(&format!("{CHAIN}joint j a b\ntype point\n"));
    let moved = anchor(&format!("{CHAIN}joint j a b\ntype point\noffset 0 2 0\n"));
    assert!((moved.distance(plain) - 2.0).abs() < 1e-3);
    assert!(close(anchor(&format!("{CHAIN}joint j a b\ntype point\npivot link2\n")), bone_of_chain(2)));
    let both = anchor(&format!("{CHAIN}joint j a b\ntype point\npivot link2 0 2 0\n"));
    assert!((both.distance(bone_of_chain(2)) - 2.0).abs() < 1e-3);
}

#[test]
fn r24_a_body_offset_leaves_bones_and_joints_where_they_are() {
    let text = |offset: &str| format!("body a link0\n{offset}body b link1\njoint j a b\ntype point\n");
    assert!(close(anchor(&text("")), anchor(&text("offset 1 2 3 10 20 30\n"))));
    let bones = |offset: &str| {
        let mut world = World::new();
        let object = world.built("chain.iqm");
        world.ragdoll(&format!("dollstring\n{}", text(offset)), 0.0);
        world.bones(object)
    };
    for (a, b) in bones("").iter().zip(bones("offset 1 2 3 10 20 30\n")) {
        assert!(close(a.origin(), b.origin()) && close(a.forward(), b.forward()));
    }
}

#[test]
fn r25_orient_lays_a_body_between_its_bone_and_another() {
    assert_eq!(doll("body b spine\norient").bodies[0].orient, Some(Orient::Parent));
    let toward = doll("body b spine\norient Head");
    assert_eq!(toward.bodies[0].orient, Some(Orient::Toward("Head".into())));
    let mut world = World::new();
    let object = world.built("chain.iqm");
    world.ragdoll("dollstring\nbody b link1\norient link0\n", 0.0);
    let ragdoll = world.runtime.ragdoll(world.id(object)).unwrap();
    let body = ragdoll.bodies(world.runtime.physics()).next().unwrap();
    assert!(close(body.position, (bone_of_chain(0) + bone_of_chain(1)) / 2.0));
}

#[test]
fn r26_a_joint_without_a_type_is_an_error_on_its_line_and_dropped() {
    let Parsed { doll, problems } = Doll::parse(b"body a x\nbody b y\njoint j a b\n");
    assert!(doll.joints.is_empty());
    assert!(problems.iter().any(|p| p.severity() == Severity::Error && p.line == 3), "{problems:?}");
}

#[test]
fn r27_all_problems_are_reported_and_good_lines_count() {
    let text = b"body a x\nshap box\nsize 1 2 3\nmass heavy\n";
    let Parsed { doll, problems } = Doll::parse(text);
    assert_eq!(problems.iter().map(|p| p.line).collect::<Vec<_>>(), [2, 4]);
    assert_eq!(doll.bodies[0].size, [1.0, 2.0, 3.0]);
    assert!(Doll::parse_strict(text).is_err());
}

#[test]
fn r28_dollstring_takes_text_on_its_own_line_too() {
    for command in ["dollstring\nbody b spine\n", "dollstring body b spine\n"] {
        let mut world = World::new();
        world.built("testbones.iqm");
        assert_eq!(world.ragdoll(command, 0.0), 1.0, "{command:?}");
    }
}

#[test]
fn r29_a_missing_or_empty_doll_gives_0_and_keeps_the_one_there() {
    for command in ["doll nosuch.doll", "doll empty.doll"] {
        let mut world = World::new();
        let object = world.built("testbones.iqm");
        assert_eq!(world.ragdoll(BODY, 0.0), 1.0);
        assert_eq!(world.ragdoll(command, 0.0), 0.0);
        assert_ne!(world.printed(), "");
        assert!(world.runtime.ragdoll(world.id(object)).is_some());
    }
}

#[test]
fn r30_commands_that_fail_change_nothing() {
    for command in ["animate 1", "animatebody b 1", "enablejoint j 0", "explode", "doll nosuch.doll"] {
        let mut world = World::new();
        let object = world.built("testbones.iqm");
        let before = world.bones(object);
        assert_eq!(world.ragdoll(command, 0.0), 0.0);
        assert!(world.is_local(object), "{command}");
        assert_eq!(world.bones(object), before);
    }
}

#[test]
fn r31_an_object_is_refused_as_its_own_animation_source() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    assert_eq!(world.ragdoll(BODY, object), 0.0);
    assert!(world.printed().contains("own animation source"));
    assert!(world.is_local(object));
    assert!(world.runtime.ragdoll(world.id(object)).is_none());
    assert_eq!(world.ragdoll(BODY, 0.0), 1.0);
    assert_eq!(world.ragdoll("animate 0", object), 1.0);
    assert_eq!(world.ragdoll("cleardoll", object), 1.0);
}

#[test]
fn r32_bones_without_bodies_follow_the_source_else_what_was_built_else_the_bind_pose() {
    let relative = |world: &World, object: f32, bone: usize| {
        world.runtime.object(world.id(object)).unwrap().local_space(bone).unwrap().0
    };
    let near = |a: [f32; 12], b: [f32; 12]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    let mut world = World::new();
    world.set(1, Field::frame1time, f(0.05));
    let object = world.built("testbones.iqm");
    let built = relative(&world, object, 2);
    world.ragdoll(BODY, 0.0);
    assert!(near(relative(&world, object, 2), built));
    world.ragdoll("", 0.0);
    let bind = world.runtime.object(world.id(object)).unwrap().model().skeleton.bind_local()[2].0;
    assert!(near(relative(&world, object, 2), bind));
    // For a host in Rust, the bone keeps the pose that was built last.
    assert!(world.runtime.settings().keep_bones);
    let model = world.model("testbones.iqm");
    world.call("skel_build", &[f(object), e(1), model, f(0.0), f(0.0), f(0.0), f(1.0)]);
    let id = world.id(object);
    for _ in 0..2 {
        world.runtime.ragdoll_command(id, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
        assert!(near(relative(&world, object, 2), built));
    }
    world.set(1, Field::frame, f(1.0));
    let source = world.built("testbones.iqm");
    world.set(1, Field::skeletonindex, f(object));
    world.ragdoll("", source);
    assert!(near(relative(&world, object, 2), relative(&world, source, 2)));
}

#[test]
fn r33_strength_1_follows_the_animation_and_0_falls() {
    let fallen = |command: &str| {
        let mut world = World::new();
        let object = world.built("testbones.iqm");
        world.ragdoll("dollstring\nbody b spine\n", 0.0);
        let before = world.vector("skel_get_boneabs", &[f(object), f(2.0)]);
        world.ragdoll(command, 0.0);
        for _ in 0..10 {
            world.runtime.step(0.02).unwrap();
            world.ragdoll("", 0.0);
        }
        before.z - world.vector("skel_get_boneabs", &[f(object), f(2.0)]).z
    };
    assert!(fallen("animate 1").abs() < 1e-3);
    assert!(fallen("animate 0") > 5.0);
}

#[test]
fn r34_animatebody_gives_the_number_of_animated_bodies() {
    let mut world = World::new();
    world.built("chain.iqm");
    world.ragdoll("dollstring\nbody a link0\nanimate 0\nbody b link3\nanimate 0\n", 0.0);
    assert_eq!(world.ragdoll("animatebody a 1", 0.0), 1.0);
    assert_eq!(world.ragdoll("animatebody b 1", 0.0), 2.0);
    assert_eq!(world.ragdoll("animatebody nosuch 1", 0.0), 2.0);
    assert!(world.printed().contains("nosuch"));
}

#[test]
fn r35_a_body_animated_without_a_pose_to_follow_holds_the_one_it_has() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    world.ragdoll(BODY, 0.0);
    world.ragdoll("animatebody b 1", 0.0);
    let before = world.bones(object)[1].origin();
    world.runtime.step(0.1).unwrap();
    world.ragdoll("", 0.0);
    assert!(close(world.bones(object)[1].origin(), before));
}

#[test]
fn r36_stops_are_radians_locked_by_default_and_suspicious_beyond_pi() {
    let hinge = |stops: &str| Doll::parse(format!("body a x\nbody b y\njoint j a b\ntype hinge\n{stops}").as_bytes());
    assert!(hinge("").doll.joints[0].stops[0].is_locked());
    assert_eq!(hinge("LoStop 1\nHiStop -1\n").doll.joints[0].range(0), None);
    let degrees = hinge("LoStop -45\nHiStop 45\n");
    assert!(degrees.problems.iter().any(|p| p.severity() == Severity::Warning), "{:?}", degrees.problems);
}

#[test]
fn r37_fmax_is_friction_that_holds_and_cfm_makes_a_stop_give() {
    let turned = |joint: &str| {
        let mut world = World::new();
        let object = world.built("chain.iqm");
        world.runtime.physics_mut().world_mut().gravity = Vec3::new(0.0, 0.0, -800.0);
        let text = format!(
            "dollstring\nbody a link0\nbody b link1\nsize 4\nanimate 0\njoint j a b\ntype hinge\naxis 0 1 0\n\
                            offset -8 0 0\n{joint}\n"
        );
        assert_eq!(world.ragdoll(&text, 0.0), 1.0);
        for _ in 0..40 {
            world.runtime.step(0.02).unwrap();
        }
        let ragdoll = world.runtime.ragdoll(world.id(object)).unwrap();
        ragdoll.joints(world.runtime.physics()).next().unwrap().position[0].abs()
    };
    // The free end with mass 1 is 8 units out: a torque of 6400.
    assert!(turned("LoStop -1\nHiStop 1\nFMax 10000") < 0.1, "friction holds it");
    assert!(turned("LoStop -1\nHiStop 1\nFMax 1000") > 0.9, "friction does not hold it");
    assert!(turned("LoStop 0\nHiStop 0\nCFM 0.00001") < 0.02, "a hard stop holds it");
    let soft = turned("LoStop 0\nHiStop 0\nERP 0.2\nCFM 0.001");
    assert!((0.05..0.3).contains(&soft), "a soft one sags by torque * h * CFM / ERP = 0.13: {soft}");
}

#[test]
fn r39_frame_65535_makes_an_entity_with_a_default_doll_limp() {
    let mut world = World::new();
    let object = world.built("chain.iqm");
    let id = world.id(object);
    world.runtime.set_files(|name: &str| {
        (name == "chain.iqm.doll").then(|| b"body a link0\nbody b link3\nanimate 0\n".to_vec())
    });
    let entity = Mat3x4::IDENTITY;
    let height = |world: &mut World, frame: f32| {
        for _ in 0..10 {
            world.runtime.update_default_ragdoll(id, &entity, frame).unwrap();
            world.runtime.step(0.02).unwrap();
        }
        world.runtime.update_default_ragdoll(id, &entity, frame).unwrap();
        world.bones(object)[0].origin().z
    };
    let standing = height(&mut world, 0.0);
    assert!((standing - 100.0).abs() < 1e-3, "its doll says animated: {standing}");
    assert!(height(&mut world, 65535.0) < standing - 5.0, "limp, whatever its doll says");
}

#[test]
fn r38_the_second_of_two_sizes_keeps_its_fraction() {
    assert_eq!(doll("body b spine\nsize 3 7.75").bodies[0].size, [3.0, 3.0, 7.75]);
}

#[test]
fn r40_sizes_and_masses_that_cannot_be_are_errors_and_keep_the_default() {
    let Parsed { doll, problems } = Doll::parse(b"body b spine\nsize 0\nmass -1\nsize nan 1 1\nmass 0\n");
    assert_eq!(problems.iter().map(|p| p.line).collect::<Vec<_>>(), [2, 3, 4, 5]);
    assert_eq!((doll.bodies[0].size, doll.bodies[0].mass), ([4.0; 3], 1.0));
}

#[test]
fn r41_odd_axes_and_joints_to_the_world_work() {
    let text = |rest: &str| format!("dollstring\nbody a link0\nbody b link1\njoint j {rest}\n");
    for rest in ["a b\ntype universal\naxis 0 0 1\naxis2 0 0 1", "a b\ntype hinge2", "a\ntype hinge2", "a\ntype fixed"]
    {
        let mut world = World::new();
        world.built("chain.iqm");
        assert_eq!(world.ragdoll(&text(rest), 0.0), 1.0, "{rest}");
        world.runtime.step(0.1).unwrap();
        assert_eq!(world.ragdoll("", 0.0), 1.0);
    }
}
