//! The differences of docs/fte-differences.md, each by its number.

mod beyond;
mod dolls;

use std::sync::Arc;

use crate::common::calls::{World, e, f, s, v};
use crate::common::replayer::host::Returned;
use skelobj::Dialect;
use skelobj::doll::{Doll, Orient, Parsed, ReferencePose, Severity};
use skelobj::math::{Axes, Mat3x4, Vec3};
use skelobj::model::{FrameFields, FrameState};
use skelobj::qc::{Field, Rules};
use skelobj::ragdoll::Command;
use skelobj::{Model, SkeletalObject, object::Space};

const BODY: &str = "dollstring\nbody b spine\nanimate 0\n";

fn close(a: Vec3, b: Vec3) -> bool {
    (a - b).length() < 1e-3
}

fn identity(m: &Mat3x4) -> bool {
    *m == Mat3x4::IDENTITY
}

/// Returns the bones (1-based) that a range of skel_mul_bones changes.
fn touched(dialect: Dialect, first: f32, last: f32) -> Vec<usize> {
    let mut world = World::with(dialect, Rules::Client);
    let object = world.built("testbones.iqm");
    let before = world.bones(object);
    world.call("skel_mul_bones", &[f(object), f(first), f(last), v(1.0, 0.0, 0.0)]);
    let after = world.bones(object);
    (1..=before.len()).filter(|&bone| before[bone - 1] != after[bone - 1]).collect()
}

#[test]
fn r01_ranges_leave_out_their_last_bone_in_fte_and_include_it_in_darkplaces() {
    assert_eq!(touched(Dialect::Fte, 2.0, 4.0), [2, 3]);
    assert_eq!(touched(Dialect::Fte, 3.0, 3.0), [] as [usize; 0]);
    assert_eq!(touched(Dialect::Fte, 5.0, -1.0), [5, 6]);
    assert_eq!(touched(Dialect::Fte, -1.0, 0.0), [] as [usize; 0]);
    assert_eq!(touched(Dialect::DarkPlaces, 2.0, 4.0), [2, 3, 4]);
    assert_eq!(touched(Dialect::DarkPlaces, 2.0, 0.0), [] as [usize; 0]);
    assert_eq!(touched(Dialect::DarkPlaces, -1.0, 0.5), [1]);
}

#[test]
fn r02_a_deleted_object_is_usable_until_the_end_of_the_frame() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    world.call("skel_delete", &[f(object)]);
    world.call("skel_delete", &[f(object)]);
    assert_eq!(world.number("skel_get_numbones", &[f(object)]), 6.0);
    world.runtime.flush_deleted();
    assert_eq!(world.number("skel_get_numbones", &[f(object)]), 0.0);
    world.call("skel_delete", &[f(object)]);
}

#[test]
fn r03_a_stale_handle_reaches_no_newer_object() {
    let mut world = World::new();
    let old = world.create("testbones.iqm");
    world.call("skel_delete", &[f(old)]);
    world.runtime.flush_deleted();
    let new = world.create("testbones.iqm");
    assert_ne!(old, new);
    assert_eq!(world.number("skel_get_numbones", &[f(old)]), 0.0);
    assert_eq!(world.number("skel_get_numbones", &[f(new)]), 6.0);
}

#[test]
fn r04_the_object_after_16383_is_refused_with_a_reason() {
    let mut world = World::new();
    let model = world.model("three.iqm");
    for _ in 0..16_383 {
        assert!(world.number("skel_create", std::slice::from_ref(&model)) > 0.0);
    }
    assert_eq!(world.printed(), "");
    assert_eq!(world.number("skel_create", &[model]), 0.0);
    assert_eq!(world.printed(), "skel_create: too many skeletal objects are alive\n");
}

#[test]
fn r05_bones_are_numbered_from_1_to_their_count() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    assert_eq!(world.number("skel_get_numbones", &[f(object)]), 6.0);
    assert_eq!(world.text("skel_get_bonename", &[f(object), f(0.0)]), "");
    assert_eq!(world.text("skel_get_bonename", &[f(object), f(1.0)]), "root");
    assert_eq!(world.text("skel_get_bonename", &[f(object), f(6.0)]), "prop");
    assert_eq!(world.text("skel_get_bonename", &[f(object), f(7.0)]), "");
}

#[test]
fn r06_a_new_object_is_zero_and_refused_by_ragdolls() {
    let mut world = World::new();
    let object = world.create("testbones.iqm");
    assert!(world.bones(object).iter().all(|bone| *bone == Mat3x4::ZERO));
    world.set(1, Field::skeletonindex, f(object));
    assert_eq!(world.ragdoll(BODY, 0.0), 0.0);
    assert!(world.printed().contains("never built"));
    assert!(world.is_local(object));
}

#[test]
fn r07_building_object_0_makes_one_with_that_model() {
    let mut world = World::new();
    let model = world.model("testbones.iqm");
    let object = world.number("skel_build", &[f(0.0), e(1), model, f(0.0), f(0.0), f(0.0)]);
    assert!(object > 0.0);
    assert_eq!(world.number("skel_find_bone", &[f(object), s("Head")]), 3.0);
}

#[test]
fn r08_addfrac_left_out_is_what_retainfrac_leaves() {
    let build = |add: &[f32]| {
        let mut world = World::new();
        let object = world.built("testbones.iqm");
        world.set(1, Field::frame1time, f(0.25));
        let mut arguments = vec![f(object), e(1), world.model("testbones.iqm"), f(0.3), f(0.0), f(0.0)];
        arguments.extend(add.iter().map(|add| f(*add)));
        world.call("skel_build", &arguments);
        world.bones(object)
    };
    assert_eq!(build(&[]), build(&[1.0 - 0.3]));
    assert_ne!(build(&[]), build(&[1.0]));
}

#[test]
fn r09_a_model_without_animation_builds_its_bind_pose() {
    let mut world = World::new();
    let object = world.built("baseonly.iqm");
    let id = world.id(object);
    let bind = world.runtime.object(id).unwrap().model().skeleton.bind_local().to_vec();
    assert_eq!(world.bones(object), bind);
}

#[test]
fn r10_each_of_two_bone_groups_plays_its_own_poses() {
    let mut world = World::new();
    for (field, value) in [(Field::frame1time, 0.13), (Field::baseframe1time, 0.37), (Field::baseframe, 1.0)] {
        world.set(1, field, f(value));
    }
    let main = world.built("testbones.iqm");
    let main = world.bones(main);
    world.set(1, Field::basebone, f(4.0));
    let both = world.built("testbones.iqm");
    let both = world.bones(both);
    assert_eq!(both[3..], main[3..]);
    world.set(1, Field::basebone, f(100.0));
    let base = world.built("testbones.iqm");
    assert_eq!(both[..3], world.bones(base)[..3]);
    assert_ne!(both[..3], main[..3]);
}

#[test]
fn r11_server_code_plays_frame_alone() {
    let pose = |rules, lerpfrac| {
        let mut world = World::with(Dialect::Fte, rules);
        world.set(1, Field::frame2, f(1.0));
        world.set(1, Field::lerpfrac, f(lerpfrac));
        let object = world.built("testbones.iqm");
        world.bones(object)
    };
    assert_eq!(pose(Rules::Server, 0.5), pose(Rules::Client, 0.0));
    assert_ne!(pose(Rules::Client, 0.5), pose(Rules::Client, 0.0));
}

#[test]
fn r11_server_code_counts_basebone_inclusively() {
    let pose = |rules, basebone| {
        let mut world = World::with(Dialect::Fte, rules);
        for (field, value) in [(Field::baseframe, 1.0), (Field::baseframe1time, 0.25), (Field::frame1time, 0.25)] {
            world.set(1, field, f(value));
        }
        world.set(1, Field::basebone, f(basebone));
        let object = world.built("testbones.iqm");
        world.bones(object)
    };
    for (rules, bones) in [(Rules::Client, 1), (Rules::Server, 2)] {
        let (main, base, both) = (pose(rules, 0.0), pose(rules, 100.0), pose(rules, 2.0));
        assert_ne!(main[1], base[1]);
        assert_eq!((&both[..bones], &both[bones..]), (&base[..bones], &main[bones..]), "{rules:?}");
    }
}

/// Returns an object of testbones.iqm in model space, made from a parent-relative one.
fn absolute(world: &mut World, relative: f32) -> f32 {
    let model = world.model("testbones.iqm");
    let object = world.number("skel_create", &[model, f(1.0)]);
    world.call("skel_copybones", &[f(object), f(relative), f(0.0), f(0.0)]);
    object
}

#[test]
fn r12_bonerel_of_an_absolute_object_is_relative_to_the_parent() {
    let mut world = World::new();
    let relative = world.built("testbones.iqm");
    let absolute = absolute(&mut world, relative);
    for bone in 1..=6 {
        let wanted = world.vector("skel_get_bonerel", &[f(relative), f(bone as f32)]);
        let axes = world.host.axes;
        let got = world.vector("skel_get_bonerel", &[f(absolute), f(bone as f32)]);
        assert!(close(wanted, got) && close(axes.forward, world.host.axes.forward), "bone {bone}");
    }
}

#[test]
fn r13_set_bone_world_is_exact_under_scaled_parents_and_refuses_flat_ones() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    world.set(1, Field::origin, v(10.0, 20.0, 30.0));
    world.set(1, Field::angles, v(10.0, 20.0, 30.0));
    world.call(
        "skel_mul_bone",
        &[f(object), f(1.0), v(0.0, 0.0, 0.0), v(3.0, 1.0, 0.0), v(0.0, -0.5, 0.0), v(0.0, 0.0, 2.0)],
    );
    world.call("skel_set_bone_world", &[e(1), f(3.0), v(5.0, 6.0, 7.0), v(0.0, 90.0, 0.0)]);
    let at = world.vector("gettaginfo", &[e(1), f(3.0)]);
    assert!(close(at, Vec3::new(5.0, 6.0, 7.0)), "{at}");
    assert!(close(world.host.axes.forward, Vec3::Y), "{:?}", world.host.axes);

    world.call(
        "skel_mul_bone",
        &[f(object), f(1.0), v(0.0, 0.0, 0.0), v(0.0, 0.0, 0.0), v(0.0, 0.0, 0.0), v(0.0, 0.0, 0.0)],
    );
    let before = world.bones(object);
    world.call("skel_set_bone_world", &[e(1), f(3.0), v(5.0, 6.0, 7.0), v(0.0, 90.0, 0.0)]);
    assert_eq!(world.bones(object), before);
    assert!(world.printed().contains("no inverse"));
}

#[test]
fn r14_copying_from_absolute_to_relative_converts() {
    let mut world = World::new();
    let relative = world.built("testbones.iqm");
    let absolute = absolute(&mut world, relative);
    let back = world.create("testbones.iqm");
    world.call("skel_copybones", &[f(back), f(absolute), f(0.0), f(0.0)]);
    for (wanted, got) in world.bones(relative).iter().zip(world.bones(back)) {
        assert!(wanted.0.iter().zip(got.0).all(|(wanted, got)| (wanted - got).abs() < 1e-4));
    }
}

#[test]
fn r15_every_attachment_uses_its_own_tag_and_circles_end() {
    let mut world = World::new();
    let model = world.model("testbones.iqm");
    world.built("testbones.iqm");
    let bone3 = world.vector("gettaginfo", &[e(1), f(3.0)]);
    world.set(2, Field::modelindex, model);
    world.set(2, Field::tag_entity, e(1));
    world.set(2, Field::tag_index, f(3.0));
    assert!(close(world.vector("gettaginfo", &[e(2), f(0.0)]), bone3));
    assert!(!close(world.vector("gettaginfo", &[e(2), f(1.0)]), bone3));
    world.set(1, Field::tag_entity, e(2));
    assert!(world.vector("gettaginfo", &[e(1), f(1.0)]).is_finite());
}

#[test]
fn r16_md3_tags_have_their_axes_as_stored() {
    let mut world = World::new();
    let model = world.model("tags.md3");
    world.set(1, Field::modelindex, model);
    assert_eq!(world.number("gettagindex", &[e(1), s("tag_weapon")]), 1.0);
    world.vector("gettaginfo", &[e(1), f(1.0)]);
    let axes = world.host.axes;
    let id = world.runtime.models().next().unwrap().1.clone();
    let stored = id.tags[0].frames[0];
    assert_eq!((axes.forward, axes.up), (stored.forward(), stored.up()));
    assert_eq!(axes.right, -stored.left());
}

#[test]
fn r17_axes_are_taken_from_arguments_only_if_all_three_are_there() {
    let bone = |arguments: &[Vec3]| {
        let mut world = World::new();
        let object = world.built("testbones.iqm");
        world.host.axes = Axes::from_angles(Vec3::new(0.0, 90.0, 0.0));
        let mut all = vec![f(object), f(1.0), v(0.0, 0.0, 0.0)];
        all.extend(arguments.iter().map(|axis| v(axis.x, axis.y, axis.z)));
        world.call("skel_set_bone", &all);
        world.bones(object)[0]
    };
    let globals = bone(&[]);
    assert!(close(globals.forward(), Vec3::Y));
    assert_eq!(bone(&[Vec3::X]), globals);
    assert_eq!(bone(&[Vec3::X, Vec3::NEG_Y]), globals);
    assert!(identity(&bone(&[Vec3::X, Vec3::NEG_Y, Vec3::Z])));
}

#[test]
fn r18_numbers_are_truncated_and_what_is_not_finite_is_0_and_reported_once() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    assert_eq!(world.text("skel_get_bonename", &[f(object + 0.9), f(1.999)]), "root");
    assert_eq!(world.text("skel_get_bonename", &[f(object), f(0.99)]), "");
    world.printed();
    world.call("skel_set_bone", &[f(object), f(1.0), v(f32::NAN, 2.0, f32::INFINITY)]);
    assert_eq!(world.bones(object)[0].origin(), Vec3::new(0.0, 2.0, 0.0));
    assert_eq!(world.printed(), "skel_set_bone: a non-finite number was treated as 0\n");
    world.call("skel_set_bone", &[f(object), f(f32::NAN), v(f32::NAN, 2.0, f32::INFINITY)]);
    assert_eq!(world.printed(), "");
    // Also if it has no effect.
    let nan = f32::NAN;
    for (name, arguments) in [
        ("skel_mul_bone", &[f(0.0), f(1.0), v(nan, 0.0, 0.0)][..]),
        ("skel_get_boneparent", &[f(0.0), f(nan)]),
        ("skel_build", &[f(77.0), e(1), f(0.0), f(nan), f(0.0), f(0.0)]),
        ("skel_build", &[f(77.0), e(1), f(0.0), f(0.0), f(0.0), f(-f32::INFINITY)]),
    ] {
        let mut world = World::new();
        world.call(name, arguments);
        assert_eq!(world.printed(), format!("{name}: a non-finite number was treated as 0\n"));
    }
}

#[test]
fn r19_sums_are_linear_and_unnormalised_in_fte_and_of_unit_axes_in_darkplaces() {
    let pose = |dialect, lerpfrac| {
        let mut world = World::with(dialect, Rules::Client);
        world.set(1, Field::frame2, f(1.0));
        world.set(1, Field::lerpfrac, f(lerpfrac));
        let model = world.model("testbones.iqm");
        let object = world.number("skel_create", std::slice::from_ref(&model));
        world.call("skel_build", &[f(object), e(1), model, f(0.0), f(1.0), f(7.0)]);
        world.bones(object)
    };
    let (a, b, half) = (pose(Dialect::Fte, 0.0), pose(Dialect::Fte, 1.0), pose(Dialect::Fte, 0.5));
    for ((a, b), half) in a.iter().zip(&b).zip(&half) {
        for i in 0..12 {
            assert_eq!((a.0[i] * 0.5 + b.0[i] * 0.5).to_bits(), half.0[i].to_bits());
        }
    }
    assert!(half.iter().any(|bone| (bone.forward().length() - 1.0).abs() > 1e-3));
    let unit = pose(Dialect::DarkPlaces, 0.5);
    assert!(unit.iter().all(|bone| (bone.forward().length() - 1.0).abs() < 1e-5));
}

#[test]
fn r20_the_default_doll_is_named_after_the_whole_file_then_after_its_stem() {
    for model in ["dd.iqm", "de.iqm"] {
        for rules in [Rules::Client, Rules::Server] {
            let mut world = World::with(Dialect::Fte, rules);
            world.built(model);
            assert_eq!(world.ragdoll("", 0.0), 1.0, "{model}");
        }
    }
    let mut world = World::new();
    world.built("testbones.iqm");
    assert_eq!(world.ragdoll("", 0.0), 0.0);
}

#[test]
fn r42_meshes_pitch_by_r_meshpitch_and_levels_do_not() {
    let pitched = |model: Option<&str>, mesh_pitch: f32| {
        let mut world = World::new();
        let mut settings = world.runtime.settings();
        settings.mesh_pitch = mesh_pitch;
        world.runtime.set_settings(settings).unwrap();
        let model = model.map_or(f(1.0), |model| world.model(model));
        world.set(1, Field::modelindex, model);
        world.set(1, Field::angles, v(30.0, 0.0, 0.0));
        world.vector("gettaginfo", &[e(1), f(0.0)]);
        world.host.axes.forward.z
    };
    assert!((pitched(Some("testbones.iqm"), -1.0) - 0.5).abs() < 1e-6);
    assert!((pitched(Some("testbones.iqm"), 1.0) + 0.5).abs() < 1e-6);
    assert!((pitched(None, -1.0) + 0.5).abs() < 1e-6);
}

#[test]
fn r43_frame_times_are_start_times_where_the_flag_says_so() {
    let pose = |rules, flags, time| {
        let mut world = World::with(Dialect::Fte, rules);
        world.host.time = 10.0;
        world.set(1, Field::renderflags, f(flags));
        world.set(1, Field::frame1time, f(time));
        let object = world.built("testbones.iqm");
        world.bones(object)
    };
    assert_eq!(pose(Rules::Client, 64.0, 9.75), pose(Rules::Client, 0.0, 0.25));
    assert_ne!(pose(Rules::Server, 64.0, 9.75), pose(Rules::Server, 0.0, 0.25));
}

#[test]
fn r44_a_second_argument_of_skel_create_makes_an_absolute_object() {
    let mut world = World::new();
    let model = world.model("testbones.iqm");
    for (flag, relative) in [(0.0, true), (1.0, false)] {
        let object = world.number("skel_create", &[model.clone(), f(flag)]);
        assert_eq!(world.is_local(object), relative);
    }
}

#[test]
fn r45_an_absolute_object_is_built_whole_or_not_at_all() {
    let mut world = World::new();
    let relative = world.built("testbones.iqm");
    let object = absolute(&mut world, relative);
    let model = world.model("testbones.iqm");
    let before = world.bones(object);
    for (retain, last) in [(0.5, 0.0), (0.0, 4.0)] {
        let build = [f(object), e(1), model.clone(), f(retain), f(0.0), f(last), f(1.0)];
        assert_eq!(world.number("skel_build", &build), 0.0);
        assert!(world.printed().contains("model space"));
        assert_eq!((world.bones(object), world.is_local(object)), (before.clone(), false));
    }
    let build = [f(object), e(1), model, f(0.0), f(1.0), f(7.0), f(1.0)];
    assert_eq!(world.number("skel_build", &build), object);
    assert!(world.is_local(object));
}

#[test]
fn r46_an_objects_matrices_never_move_and_writes_are_seen() {
    let mut world = World::new();
    let object = world.built("testbones.iqm");
    let id = world.id(object);
    let address = |world: &World| world.runtime.object(id).unwrap().pose().bones().as_ptr();
    let before = address(&world);
    world.ragdoll(BODY, 0.0);
    for _ in 0..100 {
        world.create("testbones.iqm");
    }
    world.runtime.object_mut(id).unwrap().bones_mut()[0].0[3] = 123.0;
    assert_eq!(world.vector("skel_get_boneabs", &[f(object), f(1.0)]).x, 123.0);
    let model = world.model("testbones.iqm");
    world.call("skel_build", &[f(object), e(1), model, f(0.0), f(0.0), f(0.0)]);
    assert_eq!(address(&world), before);
    assert_eq!(world.call("skel_mmap", &[f(object)]), Some(Returned::Pointer));
    assert_eq!(world.call("skel_mmap", &[f(0.0)]), Some(Returned::Null));
}

#[test]
fn r47_server_and_client_code_share_a_runtime() {
    let mut client = World::new();
    let object = client.built("testbones.iqm");
    let mut server = World::with(Dialect::Fte, Rules::Server);
    std::mem::swap(&mut client.runtime, &mut server.runtime);
    assert_eq!(server.number("skel_get_numbones", &[f(object)]), 6.0);
    server.call("skel_delete", &[f(object)]);
    std::mem::swap(&mut client.runtime, &mut server.runtime);
    client.runtime.flush_deleted();
    assert_eq!(client.number("skel_get_numbones", &[f(object)]), 0.0);
}

#[test]
fn r48_the_weight_of_frame_is_computed_in_one_order() {
    let fields = FrameFields { lerpfrac: 0.1, lerpfrac3: 0.7, lerpfrac4: 0.15, ..FrameFields::default() };
    let weight = FrameState::client(&fields).blends()[0].weight;
    let (a, b, c) = (fields.lerpfrac, fields.lerpfrac3, fields.lerpfrac4);
    assert_eq!(weight.to_bits(), (1.0 - ((a + b) + c)).to_bits());
    assert_ne!(weight.to_bits(), (((1.0 - a) - b) - c).to_bits());
}

#[test]
fn r49_model_0_has_no_frames() {
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        for rules in [Rules::Client, Rules::Server] {
            let mut world = World::with(dialect, rules);
            let model = world.model("testbones.iqm");
            let name = world.text("frametoname", &[model.clone(), f(0.0)]);
            assert_eq!(world.number("frameforname", &[model, s(&name)]), 0.0);
            for none in [0.0, 1.0, 99.0, -1.0] {
                assert_eq!(world.number("frameforname", &[f(none), s(&name)]), -1.0, "{none}");
            }
        }
    }
}

#[test]
fn a_bone_refuses_non_finite_numbers() {
    let model = Arc::new(Model::default());
    let mut object = SkeletalObject::new(model, Space::Local);
    assert!(object.set_bone(0, Mat3x4::IDENTITY).is_err());
    let mut world = World::new();
    let id = world.built("testbones.iqm");
    let huge = [f(id), f(1.0), v(0.0, 0.0, 0.0), v(1e20, 0.0, 0.0), v(0.0, -1e20, 0.0), v(0.0, 0.0, 1e20)];
    for _ in 0..5 {
        world.call("skel_mul_bone", &huge);
    }
    assert!(world.printed().contains("1e30"));
    assert!(world.bones(id).iter().all(Mat3x4::is_finite));
}
