//! The limit of contact pairs: ragdolls in one place lose contacts, in a fixed order and with a warning.

use std::sync::Arc;

use crate::common::stage;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::rapier3d::prelude::RigidBody;
use skelobj::physics::{CollisionGroups, LostContacts};
use skelobj::ragdoll::Command;
use skelobj::runtime::{ObjectId, Settings, Warning};
use skelobj::{Doll, Runtime};

/// Returns a world with a floor and a limit.
fn world(limit: u32) -> Runtime {
    let mut settings = Settings::default();
    settings.physics.max_contact_pairs = limit;
    let mut runtime = Runtime::new(settings).unwrap();
    runtime.physics_mut().add_floor(0.0).unwrap();
    runtime.add_model("mannequin.iqm", stage::mannequin()).unwrap();
    runtime.set_files(stage::files);
    runtime
}

/// Adds a limp ragdoll with this many bodies of 8 units in one place.
fn add(runtime: &mut Runtime, bodies: usize, place: Vec3) -> ObjectId {
    let text: String = (0..bodies).map(|body| format!("body b{body} pelvis\nsize 8\n")).collect();
    let doll = Arc::new(Doll::parse(text.as_bytes()).doll);
    let (model, _) = runtime.models().next().unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    let entity = Mat3x4::from_translation(place);
    runtime.set_ragdoll(object, &entity, &doll).unwrap();
    runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).unwrap();
    object
}

fn lost(runtime: &mut Runtime) -> Vec<(ObjectId, LostContacts)> {
    let warnings = runtime.take_warnings().into_iter();
    let lost = warnings.filter_map(|warning| match warning {
        Warning::LostContacts { object, lost } => Some((object, lost)),
        _ => None,
    });
    lost.collect()
}

/// Returns the number of pairs of colliders that rapier holds.
fn pairs(runtime: &Runtime) -> usize {
    runtime.physics().world().narrow_phase.contact_pairs().count()
}

#[test]
fn ragdolls_on_one_place_lose_contacts_with_each_other_the_later_ones_first() {
    let mut runtime = world(250);
    let objects = [0; 4].map(|_| add(&mut runtime, 10, Vec3::Z * 64.0));
    runtime.step(1.0 / 60.0).unwrap();
    // Two pairs of ragdolls touch in 100 places each; the third one would add 200 to the first 100.
    let others = LostContacts::Ragdolls;
    assert_eq!(lost(&mut runtime), [(objects[2], others), (objects[3], others)]);
    assert!(pairs(&runtime) <= 250, "{}", pairs(&runtime));
    for _ in 0..60 {
        runtime.step(1.0 / 60.0).unwrap();
    }
    assert_eq!(lost(&mut runtime), []);
}

#[test]
fn the_largest_ragdoll_loses_contacts_first() {
    let mut runtime = world(250);
    let large = add(&mut runtime, 40, Vec3::Z * 64.0);
    add(&mut runtime, 5, Vec3::Z * 64.0);
    add(&mut runtime, 5, Vec3::Z * 64.0);
    runtime.step(1.0 / 60.0).unwrap();
    assert_eq!(lost(&mut runtime), [(large, LostContacts::Ragdolls)]);
}

#[test]
fn a_ragdoll_passes_through_itself_before_it_passes_through_others() {
    let mut runtime = world(100);
    let large = add(&mut runtime, 16, Vec3::Z * 64.0);
    add(&mut runtime, 4, Vec3::Z * 64.0);
    runtime.step(1.0 / 60.0).unwrap();
    assert_eq!(lost(&mut runtime), [(large, LostContacts::Own)]);
    assert_eq!(
        runtime.physics().world().narrow_phase.contact_pairs().filter(|pair| pair.has_any_active_contact()).count(),
        64
    );
}

#[test]
fn a_doll_whose_bodies_all_overlap_passes_through_itself_without_a_joint_for_each_pair() {
    let mut runtime = world(1 << 20);
    let object = add(&mut runtime, 60, Vec3::Z * 64.0);
    runtime.step(1.0 / 60.0).unwrap();
    assert_eq!(lost(&mut runtime), [(object, LostContacts::Own)]);
    assert_eq!(runtime.physics().world().impulse_joints.len(), 0);
}

#[test]
fn many_ragdolls_on_one_place_lose_all_contacts_in_the_end() {
    let mut runtime = world(1);
    let objects = [0; 20].map(|_| add(&mut runtime, 2, Vec3::Z * 64.0));
    runtime.step(1.0 / 60.0).unwrap();
    // The first three make 15 pairs, and 16 may be found.
    let all = |lost: Vec<(ObjectId, LostContacts)>| lost.into_iter().filter(|(_, lost)| *lost == LostContacts::All);
    let all: Vec<ObjectId> = all(lost(&mut runtime)).map(|(object, _)| object).collect();
    assert_eq!(all, objects[3..]);
    assert!(pairs(&runtime) <= 16, "{}", pairs(&runtime));
}

/// Returns a world for 50 pairs with three ragdolls that sleep in one place, in a group that does not meet itself.
fn asleep_without_contacts() -> (Runtime, [ObjectId; 3]) {
    let mut runtime = world(50);
    let objects = [0; 3].map(|_| add(&mut runtime, 5, Vec3::Z * 8.0));
    for object in objects {
        runtime.set_ragdoll_groups(object, CollisionGroups::BOXES).unwrap();
    }
    for _ in 0..300 {
        runtime.step(1.0 / 60.0).unwrap();
    }
    (runtime, objects)
}

#[test]
fn other_groups_give_contacts_back_and_take_them_again_while_the_ragdolls_sleep() {
    let (mut runtime, objects) = asleep_without_contacts();
    assert_eq!(lost(&mut runtime), []);
    for object in objects {
        runtime.set_ragdoll_groups(object, CollisionGroups::RAGDOLLS).unwrap();
    }
    runtime.step(1.0 / 60.0).unwrap();
    assert_eq!(lost(&mut runtime), [(objects[2], LostContacts::Ragdolls)]);
}

#[cfg(feature = "serde")]
#[test]
fn a_restored_world_takes_contacts_that_new_groups_have_given_back() {
    let (mut runtime, objects) = asleep_without_contacts();
    for object in objects {
        runtime.set_ragdoll_groups(object, CollisionGroups::RAGDOLLS).unwrap();
    }
    runtime.restore(&runtime.snapshot()).unwrap();
    runtime.step(1.0 / 60.0).unwrap();
    assert_eq!(lost(&mut runtime), [(objects[2], LostContacts::Ragdolls)]);
}

#[test]
fn ragdolls_in_any_groups_lose_contacts_once() {
    for groups in [CollisionGroups::RAGDOLLS | CollisionGroups::BOXES, CollisionGroups::ALL] {
        let mut runtime = world(50);
        let objects = [0; 3].map(|_| add(&mut runtime, 5, Vec3::Z * 8.0));
        for object in objects {
            runtime.set_ragdoll_groups(object, groups).unwrap();
        }
        runtime.step(1.0 / 60.0).unwrap();
        assert_eq!(lost(&mut runtime), [(objects[2], LostContacts::Ragdolls)], "{groups:?}");
        for _ in 0..60 {
            runtime.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(lost(&mut runtime), [], "{groups:?}");
        let above = |(_, body): (_, &RigidBody)| !body.is_dynamic() || body.translation().z > -1.0;
        let holds = runtime.physics().world().bodies.iter().all(above);
        assert_eq!(holds, groups != CollisionGroups::ALL, "the floor holds ragdolls that are not in its group");
    }
}

#[test]
fn a_heap_of_mannequins_keeps_its_contacts_and_every_bit() {
    let fall = |limit: u32| {
        let mut runtime = world(limit);
        let (model, _) = runtime.models().next().unwrap();
        for number in 0..16 {
            let object = runtime.create_object(model, Space::Local).unwrap();
            runtime.build(object, model, &FrameState::single(0, 0.1), &Build::REPLACE).unwrap();
            let place =
                Vec3::new((number % 2) as f32 * 20.0, (number / 2 % 2) as f32 * 20.0, (number / 4) as f32 * 70.0);
            let entity = Mat3x4::from_translation(place);
            runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).unwrap();
        }
        for _ in 0..60 {
            runtime.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(lost(&mut runtime), []);
        let bodies = runtime.physics().world().bodies.iter().map(|(_, body)| body.translation());
        bodies.collect::<Vec<_>>()
    };
    assert_eq!(fall(Settings::default().physics.max_contact_pairs), fall(u32::MAX));
}
