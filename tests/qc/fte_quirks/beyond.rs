//! Differences from 100 on, which were found in the code and tests of skelobj.

use super::*;
use skelobj::model::{AnimationSource, Skeleton};
use skelobj::object::Build;
use skelobj::{Format, Limits, Runtime};

#[test]
fn r100_models_of_more_than_256_bones_have_objects() {
    let bones = (0..300_usize).map(|bone| ("bone".into(), bone.checked_sub(1))).collect();
    let model = Model { skeleton: Skeleton::without_bind(bones).unwrap(), ..Model::default() };
    let mut runtime = Runtime::default();
    let model = runtime.add_model("long.iqm", model).unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    assert_eq!(runtime.object(object).unwrap().bone_count(), 300);

    let mut limits = Limits::default();
    limits.bones = 5;
    let error =
        Model::load_with(&skelobj::LoadOptions::default().with_limits(limits), "testbones.iqm", &testbones(), |_| None)
            .unwrap_err();
    assert!(error.to_string().ends_with("needs 6 bones, the limit is 5"), "{error}");
}

#[test]
fn r102_every_kind_but_0_is_model_space() {
    let mut world = World::new();
    let model = world.model("testbones.iqm");
    for (kind, local) in [(2.0, false), (3.0, false), (-1.0, false), (0.9, true)] {
        let object = world.number("skel_create", &[model.clone(), f(kind)]);
        assert_eq!(world.is_local(object), local, "{kind}");
    }
}

#[test]
fn r111_darkplaces_knows_no_addfrac() {
    let build = |retain: f32, rest: &[f32]| {
        let mut world = World::with(Dialect::DarkPlaces, Rules::Client);
        let object = world.create("testbones.iqm");
        let model = world.model("testbones.iqm");
        let mut arguments = vec![f(object), e(1), model, f(retain), f(1.0), f(6.0)];
        arguments.extend(rest.iter().map(|add| f(*add)));
        assert_eq!(world.number("skel_build", &arguments), object);
        world.bones(object)
    };
    assert_eq!(build(0.25, &[7.0]), build(0.25, &[]));
    // New objects are the identity.
    for (mixed, new) in build(0.25, &[]).iter().zip(build(0.0, &[])) {
        assert!(close(mixed.origin(), new.origin() * 0.75));
        assert!(close(mixed.forward(), Vec3::X * 0.25 + new.forward() * 0.75));
    }
}

#[test]
fn r112_bones_that_the_source_lacks_stay() {
    for retain in [0.0, 0.5] {
        let mut world = World::new();
        let object = world.built("testbones.iqm");
        world.call("skel_mul_bones", &[f(object), f(0.0), f(0.0), v(3.0, 0.0, 0.0)]);
        let before = world.bones(object);
        let source = world.model("three.iqm");
        assert_eq!(world.number("skel_build", &[f(object), e(1), source, f(retain), f(0.0), f(0.0)]), object);
        let after = world.bones(object);
        assert_eq!(after[3..], before[3..]);
        assert_ne!(after[..3], before[..3]);
    }
}

#[test]
fn r114_a_bind_pose_takes_part_in_a_blend() {
    let build = |frame: &str, other: &str, lerpfrac: f32| {
        let mut world = World::new();
        let model = world.model("fg.iqm");
        for (field, name) in [(Field::frame, frame), (Field::frame2, other)] {
            let number = world.number("frameforname", &[model.clone(), s(name)]);
            assert!(number >= 0.0, "{name}");
            world.set(1, field, f(number));
        }
        world.set(1, Field::lerpfrac, f(lerpfrac));
        let object = world.built("fg.iqm");
        world.bones(object)
    };
    let walk = build("walk", "walk", 0.0);
    let mut world = World::new();
    let object = world.built("fg.iqm");
    let id = world.id(object);
    let bind = world.runtime.object(id).unwrap().model().skeleton.bind_local().to_vec();
    assert_ne!(walk, bind);
    for ((mixed, walk), bind) in build("walk", "beyond", 0.5).iter().zip(&walk).zip(&bind) {
        assert!(close(mixed.origin(), (walk.origin() + bind.origin()) / 2.0));
        assert!(close(mixed.left(), (walk.left() + bind.left()) / 2.0));
    }
    assert!(build("beyond", "walk", 0.5).iter().all(|bone| *bone == Mat3x4::ZERO), "it comes first");
}

#[test]
fn r116_building_from_what_has_no_bones_builds_nothing() {
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        let mut world = World::with(dialect, Rules::Client);
        let object = world.create("testbones.iqm");
        let before = world.bones(object);
        let mut build = |model: f32| {
            let arguments = [f(object), e(1), f(model), f(0.0), f(1.0), f(6.0)];
            world.number("skel_build", &arguments)
        };
        let nothing = if dialect == Dialect::Fte { object } else { 0.0 };
        // None, the level, and an index that nobody gave.
        assert_eq!([build(0.0), build(1.0), build(99.0)], [nothing, nothing, 0.0], "{dialect:?}");
        assert_eq!(world.bones(object), before);
    }
}

#[test]
fn r120_copying_from_a_negative_bone_copies_from_the_first() {
    let mut world = World::new();
    let from = world.built("testbones.iqm");
    let to = world.create("testbones.iqm");
    world.call("skel_copybones", &[f(to), f(from), f(-5.0), f(3.0)]);
    assert_eq!(world.bones(to)[..2], world.bones(from)[..2]);
    assert!(world.bones(to)[2..].iter().all(|bone| *bone == Mat3x4::ZERO));
}

#[test]
fn r122_a_bone_that_is_not_there_has_the_axes_of_its_dialect() {
    for (dialect, forward) in [(Dialect::Fte, Vec3::X), (Dialect::DarkPlaces, Vec3::ZERO)] {
        let mut world = World::with(dialect, Rules::Client);
        let object = world.built("testbones.iqm");
        for builtin in ["skel_get_bonerel", "skel_get_boneabs"] {
            for (handle, bone) in [(object, 7.0), (object, 0.0), (77.0, 1.0)] {
                world.host.axes = Axes::from_angles(Vec3::new(10.0, 20.0, 30.0));
                assert_eq!(world.vector(builtin, &[f(handle), f(bone)]), Vec3::ZERO);
                assert_eq!(world.host.axes.forward, forward, "{dialect:?} {builtin}");
            }
        }
    }
}

#[test]
fn r131_an_object_of_another_model_has_the_parents_of_the_dialect() {
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        let mut world = World::with(dialect, Rules::Client);
        let chain = world.model("chain.iqm");
        let object = world.create("chain.iqm");
        world.call(
            "skel_build",
            &[f(object), e(1), chain, f(0.0), f(1.0), f(if dialect == Dialect::Fte { 0.0 } else { 6.0 })],
        );
        // Its last bone is a root in testbones.iqm.
        let model = world.model("testbones.iqm");
        world.set(1, Field::modelindex, model.clone());
        world.set(2, Field::modelindex, model);
        world.set(1, Field::skeletonindex, f(object));
        let own = world.vector("skel_get_boneabs", &[f(object), f(6.0)]);
        let relative = world.vector("skel_get_bonerel", &[f(object), f(6.0)]);
        assert!(!close(own, relative));
        let wanted = if dialect == Dialect::Fte { own } else { relative };
        assert!(close(world.vector("gettaginfo", &[e(1), f(6.0)]), wanted), "{dialect:?}");
        // An attachment goes by the same parents.
        world.set(2, Field::tag_entity, e(1));
        world.set(2, Field::tag_index, f(6.0));
        assert!(close(world.vector("gettaginfo", &[e(2), f(0.0)]), wanted), "{dialect:?}");

        // An object of seven bones poses a model of six in FTE alone.
        let seven = world.create("seven.iqm");
        world.call("skel_set_bone", &[f(seven), f(1.0), v(11.0, 12.0, 13.0)]);
        world.set(1, Field::skeletonindex, f(seven));
        let used = close(world.vector("gettaginfo", &[e(1), f(1.0)]), Vec3::new(11.0, 12.0, 13.0));
        assert_eq!(used, dialect == Dialect::Fte);
    }
}

#[test]
fn r132_tags_between_poses_are_mixed_alike_in_both_dialects() {
    let moment = 0.3125;
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        let mut world = World::with(dialect, Rules::Client);
        let index = world.model("testbones.iqm");
        world.set(1, Field::modelindex, index);
        world.host.time = 10.0;
        world.set(1, Field::frame1time, f(if dialect == Dialect::Fte { moment } else { 10.0 - moment }));
        let model = world.runtime.models().next().unwrap().1.clone();
        assert!(model.animations[0].poses_at(moment.into()).2 > 0.1, "between two poses");
        let mut object = SkeletalObject::new(model.clone(), Space::Local);
        object.build(&model, &FrameState::single(0, moment.into()), &Build::REPLACE).unwrap();
        for bone in 0..6 {
            let wanted = object.model_space(bone).unwrap().origin();
            assert!(close(world.vector("gettaginfo", &[e(1), f(bone as f32 + 1.0)]), wanted), "{dialect:?} {bone}");
        }
    }
}

#[test]
fn r151_gettaginfo_knows_scale_under_darkplaces_alone() {
    for (dialect, factor) in [(Dialect::Fte, 1.0), (Dialect::DarkPlaces, 2.0)] {
        let mut world = World::with(dialect, Rules::Client);
        let model = world.model("testbones.iqm");
        world.set(1, Field::modelindex, model);
        let plain = world.vector("gettaginfo", &[e(1), f(3.0)]);
        world.set(1, Field::scale, f(2.0));
        assert!(close(world.vector("gettaginfo", &[e(1), f(3.0)]), plain * factor), "{dialect:?}");
    }
}

fn testbones() -> Vec<u8> {
    std::fs::read(crate::common::calls::golden("models/testbones.iqm")).unwrap()
}

#[test]
fn r161_a_json_group_without_a_rate_plays_at_10() {
    let groups = r#"{"framegroups": [{"name": "none"}, {"name": "zero", "fps": 0}, {"name": "some", "fps": 25}]}"#;
    let model = Model::load("m.iqm", &testbones(), |_| Some(groups.into())).unwrap();
    assert_eq!(model.animations.iter().map(|a| a.rate).collect::<Vec<_>>(), [10.0, 10.0, 25.0]);
    let warned = model.warnings.iter().filter(|warning| warning.section == "framegroups").count();
    assert_eq!(warned, 2, "{:?}", model.warnings);
}

#[test]
fn r162_framegroups_lines_are_fte_s_or_darkplaces() {
    let lines = |_: &str| Some(b"0 2\n0 2 -5\n0 2 8\n0 2 8 yes\n0 0 8\n9999 2 8\n0 2 0\n".to_vec());
    let summary = |model: Model| -> Vec<(f32, bool, usize)> {
        model.animations.iter().map(|a| (a.rate, a.looping, a.pose_count())).collect()
    };
    let fte = Model::load("m.iqm", &testbones(), lines).unwrap();
    assert_eq!(fte.animations[3].source, AnimationSource::BindPose);
    assert_eq!(summary(fte), [(10.0, false, 2), (8.0, false, 2), (8.0, true, 2), (8.0, false, 1)]);
    let darkplaces = Model::load_with(&as_darkplaces(), "m.iqm", &testbones(), lines).unwrap();
    assert!(matches!(darkplaces.animations[5].source, AnimationSource::Frames { count: 1, .. }));
    assert_eq!(
        summary(darkplaces),
        [
            (20.0, true, 2),
            (1.0, true, 2),
            (8.0, true, 2),
            (8.0, false, 2),
            (8.0, true, 1),
            (8.0, true, 1),
            (1.0, true, 2)
        ]
    );
}

#[test]
fn r163_framegroups_stand_beside_all_but_two_formats() {
    let has = |format: Format| format.side_files().contains(&"{name}.framegroups");
    for extension in ["iqm", "dpm", "zym", "psk", "psa", "md3", "md5mesh", "md5anim", "shape", "anim", "glb", "gltf"] {
        assert!(has(Format::from_extension(extension).unwrap()), "{extension}");
    }
    assert!(!has(Format::HalfLife) && !has(Format::Md5List));
}

#[test]
fn r166_the_bind_pose_is_called_base_in_fte_and_static_in_darkplaces() {
    for (dialect, name, other) in [(Dialect::Fte, "base", "static"), (Dialect::DarkPlaces, "static", "base")] {
        let mut world = World::with(dialect, Rules::Client);
        let model = world.model("baseonly.iqm");
        assert_eq!(world.number("frameforname", &[model.clone(), s(name)]), 0.0);
        assert_eq!(world.number("frameforname", &[model.clone(), s(other)]), -1.0);
        assert_eq!(world.number("frameduration", &[model.clone(), f(0.0)]), 0.1);
        assert_eq!(world.number("modelframecount", &[model]), 1.0);
    }
}

#[test]
fn r165_bones_of_frames_are_rigid_in_darkplaces() {
    let bytes = std::fs::read(crate::common::calls::golden("models/nonunit.iqm")).unwrap();
    let lengths = |matrix: &Mat3x4| [matrix.forward(), matrix.left(), matrix.up()].map(Vec3::length);
    let is_rigid = |matrix: &Mat3x4| {
        let across = [matrix.forward().dot(matrix.left()), matrix.left().dot(matrix.up())];
        lengths(matrix).iter().all(|length| (length - 1.0).abs() < 1e-5) && across.iter().all(|dot| dot.abs() < 1e-5)
    };
    let fte = Model::load("nonunit.iqm", &bytes, |_| None).unwrap();
    assert!(!fte.frames.iter().all(is_rigid));
    let darkplaces = Model::load_with(&as_darkplaces(), "nonunit.iqm", &bytes, |_| None).unwrap();
    assert!(darkplaces.frames.iter().all(is_rigid));
    assert!(darkplaces.frames.iter().zip(&fte.frames).all(|(ours, theirs)| ours.origin() == theirs.origin()));
}

#[test]
fn r181_a_doll_of_more_than_256_bodies_is_refused() {
    let doll = |bodies: usize| "dollstring\n".to_owned() + &"body b spine\n".repeat(bodies);
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    assert_eq!(world.ragdoll(&doll(257), 0.0), 0.0);
    assert!(world.printed().contains("257 bodies and 0 joints, at most 256 and 1024 are allowed"));
    assert!(world.is_local(object));
    assert_eq!(world.ragdoll(&doll(256), 0.0), 1.0);
}

#[test]
fn r191_failures_are_printed_but_for_what_scripts_may_ask() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    world.call("skel_set_bone", &[f(77.0), f(1.0), v(0.0, 0.0, 0.0)]);
    world.call("skel_set_bone", &[f(object), f(7.0), v(0.0, 0.0, 0.0)]);
    assert_eq!(world.ragdoll("", 0.0), 0.0);
    assert_eq!(world.printed(), "");
    assert_eq!(world.ragdoll("animate 1", 0.0), 0.0);
    assert!(world.printed().starts_with("skel_ragupdate: the object has no doll"));
}

fn as_darkplaces() -> skelobj::LoadOptions {
    skelobj::LoadOptions::default().with_dialect(skelobj::Dialect::DarkPlaces)
}

#[test]
fn r257_a_bone_is_aimed_by_the_angles_of_vectoangles_themselves() {
    let mut world = World::new();
    world.built("testbones.iqm");
    // vectoangles('1 0 1') is '45 0 0'.
    let upwards = Vec3::new(45.0, 0.0, 0.0);
    world.call("skel_set_bone_world", &[e(1), f(1.0), v(0.0, 0.0, 0.0), v(upwards.x, upwards.y, upwards.z)]);
    world.vector("gettaginfo", &[e(1), f(1.0)]);
    assert!(close(world.host.axes.forward, Vec3::new(0.5f32.sqrt(), 0.0, 0.5f32.sqrt())));
    assert!(Axes::from_angles(upwards).forward.z < -0.7, "the axes of makevectors look down");
}
