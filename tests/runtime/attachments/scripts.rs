//! Attached entities through the QuakeC builtins.

use crate::common;
use crate::common::calls::{World, e, f, s, v};
use crate::common::replayer::folder::Folder;
use crate::common::replayer::host::RecordedHost;
use skelobj::Dialect;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::qc::{Field, Rules};

use super::assert_at;

const BODY: u64 = 1;
const HEAD: u64 = 2;
const SWORD: u64 = 3;

/// Returns the position of a tag by gettaginfo.
fn place(world: &mut World, entity: u64, tag: f32) -> Mat3x4 {
    let origin = world.vector("gettaginfo", &[e(entity), f(tag)]);
    Mat3x4::from_axes(world.host.axes, origin)
}

fn wear(world: &mut World, entity: u64, model: &str) {
    let model = world.model(model);
    world.set(entity, Field::modelindex, model);
}

#[test]
fn scripts_reach_a_head_on_a_body_and_what_hangs_on_the_head() {
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        let mut world = World::with(dialect, Rules::Client);
        wear(&mut world, BODY, "testbones.iqm");
        wear(&mut world, HEAD, "tags.md3");
        wear(&mut world, SWORD, "three.iqm");
        // A body that looks left, so that points ahead of a tag are at Y; a head whose origin is above the tag.
        world.set(BODY, Field::origin, v(100.0, 200.0, 300.0));
        world.set(BODY, Field::angles, v(0.0, 90.0, 0.0));
        world.set(HEAD, Field::origin, v(0.0, 0.0, 5.0));
        let bone = world.number("gettagindex", &[e(BODY), s("Head")]);
        let weapon = world.number("gettagindex", &[e(HEAD), s("tag_weapon")]);
        assert!(bone > 0.0 && weapon == 1.0, "{bone} {weapon}");
        let on_body = place(&mut world, BODY, bone);
        for (entity, to, tag) in [(HEAD, BODY, "Head"), (SWORD, HEAD, "tag_weapon")] {
            world.call("setattachment", &[e(entity), e(to), s(tag)]);
        }
        // In frame 0 the tag is at (1, 0, 3), unrotated, in the head.
        let expected = on_body * Mat3x4::from_translation(Vec3::new(1.0, 0.0, 8.0));
        assert_at("the head's tag", place(&mut world, HEAD, weapon), expected);
        assert_at("the sword", place(&mut world, SWORD, 0.0), expected);
        // Three levels deep: a bone of the sword, at the position of that bone in an unattached sword.
        wear(&mut world, 4, "three.iqm");
        let in_sword = place(&mut world, 4, 2.0);
        assert_at("a bone of the sword", place(&mut world, SWORD, 2.0), expected * in_sword);

        world.set(BODY, Field::tag_entity, e(SWORD));
        world.set(BODY, Field::tag_index, f(1.0));
        assert!(place(&mut world, SWORD, 2.0).is_finite());
    }
}

#[test]
fn every_bone_attachment_and_tag_has_a_number_and_a_place() {
    let test = "every_bone_attachment_and_tag_has_a_number_and_a_place";
    let files = [
        ("hlmdl", "man.mdl"),
        ("hlmdl", "blend_additive.mdl"),
        ("md3", "nx_ewheel-base2.md3"),
        ("iqm", "ragtest2.iqm"),
    ];
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let (mut places, mut attachments) = (0, 0);
    for (folder, file) in files {
        let folders = vec![Folder::new(shared.join("corpus").join(folder))];
        let mut world = World::new();
        world.host = RecordedHost::new(Dialect::Fte, Rules::Client, folders);
        wear(&mut world, BODY, file);
        let model = world.runtime.models().next().unwrap().1.clone();
        assert!(model.tag_count() > 0, "{file}");
        attachments += model.attachments.len();
        // The carrier stands ten units higher and carries by its own tag.
        wear(&mut world, HEAD, file);
        world.set(HEAD, Field::origin, v(0.0, 0.0, 10.0));
        for tag in 0..model.tag_count() {
            let number = (tag + 1) as f32;
            let name = model.tag_name(tag).unwrap().to_string();
            if !name.is_empty() {
                let found = world.number("gettagindex", &[e(BODY), s(&name)]) as usize;
                assert!((1..=tag + 1).contains(&found), "{file} {name}: {found}");
                assert_eq!(model.tag_name(found - 1).unwrap().to_string(), name, "{file}");
            }
            let frame = skelobj::model::FrameState::default();
            let expected = model.tag_matrix(tag, &frame).unwrap();
            world.set(BODY, Field::tag_entity, e(0));
            assert_at(&format!("{file} {name}"), place(&mut world, BODY, number), expected);
            world.set(BODY, Field::tag_entity, e(HEAD));
            world.set(BODY, Field::tag_index, f(number));
            let carried = Mat3x4::from_translation(Vec3::Z * 10.0) * expected;
            assert_at(&format!("{file} on {name}"), place(&mut world, BODY, 0.0), carried);
            places += 1;
        }
    }
    assert_eq!(attachments, 2);
    println!("shared cases: {test}: {} ({places} places)", files.len());
}
