//! Traces through skins, whose poses are kept for the next pellet.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
#[cfg(feature = "serde")]
use skelobj::ragdoll::Command;
use skelobj::runtime::{HistorySettings, Hit, ObjectGeometry, ObjectId, PastTarget, Trace};
use skelobj::{Runtime, assets};

/// Number between -1 and 1.
fn number(seed: &mut u32) -> f32 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*seed >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
}

/// Line through a place in a standing character's box, from any side.
fn pellet(seed: &mut u32) -> Trace {
    let mut place = |size: f32| Vec3::new(number(seed), number(seed), number(seed)) * size;
    let (through, along) = (place(20.0) + Vec3::Z * 32.0, place(100.0));
    Trace::line(through + along, through - along)
}

fn shoot(runtime: &Runtime, object: ObjectId, entity: Mat3x4, geometry: ObjectGeometry, pellet: Trace) -> Option<Hit> {
    runtime.trace(&pellet.with_object(object, entity, geometry)).unwrap()
}

/// Builds a mannequin at a time of its run.
fn build(runtime: &mut Runtime, object: ObjectId, time: f64) {
    let model = runtime.model_by_name("mannequin.iqm").unwrap();
    runtime.build(object, model, &FrameState::single(2, time), &Build::REPLACE).unwrap();
}

#[test]
fn pellets_hit_the_pose_at_hand_whatever_was_traced_before() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let (mut seed, mut hits) = (3, 0);
    // Poses that return, more of them than are kept, and one that never does.
    for (frame, pose) in (0..60).map(|frame| (frame, frame * 7 % 23)) {
        let time = if frame % 9 == 0 { f64::from(frame) } else { f64::from(pose) * 0.03 };
        build(&mut runtime, object, time);
        let turn = Quat::from_rotation_z(frame as f32 * 0.8);
        let entity = Mat3x4::from_rotation_translation(turn, Vec3::ZERO);
        let (mut fresh, other) = assets::mannequin_runtime();
        build(&mut fresh, other, time);
        for _ in 0..6 {
            let pellet = pellet(&mut seed);
            let hit = shoot(&runtime, object, entity, ObjectGeometry::Skin, pellet);
            let expected = shoot(&fresh, other, entity, ObjectGeometry::Skin, pellet);
            assert_eq!(hit, expected, "frame {frame}");
            hits += usize::from(hit.is_some());
        }
    }
    assert!((60..300).contains(&hits), "{hits}");
}

#[test]
fn pellets_hit_a_bone_where_it_was_moved_between_them() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let head = runtime.object(object).unwrap().model().skeleton.find(b"head").unwrap();
    let shot = |z: f32| Trace::line(Vec3::new(100.0, 0.3, z), Vec3::new(-100.0, 0.3, z));
    let hits = |runtime: &Runtime, z| {
        shoot(runtime, object, Mat3x4::IDENTITY, ObjectGeometry::Skin, shot(z))
            .is_some_and(|hit| hit.bone == Some(head))
    };
    let top = runtime.object(object).unwrap().model_space(head).unwrap().origin().z + 4.0;
    for lift in [0.0, 30.0, 0.0, -20.0, 30.0] {
        let kept = runtime.object(object).unwrap().local_space(head).unwrap();
        let up = Mat3x4::from_translation(Vec3::Z * lift);
        runtime.object_mut(object).unwrap().set_bone(head, kept * up).unwrap();
        let now = runtime.object(object).unwrap().model_space(head).unwrap().origin().z + 4.0;
        assert!(hits(&runtime, now), "lifted by {lift}");
        assert!(lift == 0.0 || !hits(&runtime, top), "lifted by {lift}");
        runtime.object_mut(object).unwrap().set_bone(head, kept).unwrap();
        assert!(hits(&runtime, top));
    }
}

#[test]
fn a_model_of_the_same_bones_has_a_skin_of_its_own() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let mut bare = assets::mannequin();
    bare.meshes.remove(0);
    let model = runtime.add_model("bare.iqm", bare).unwrap();
    let other = runtime.create_object(model, Space::Local).unwrap();
    build(&mut runtime, object, 0.2);
    build(&mut runtime, other, 0.2);
    let (mut seed, mut differ) = (11, 0);
    for _ in 0..200 {
        let pellet = pellet(&mut seed);
        let [whole, bare, again] = [object, other, object]
            .map(|object| shoot(&runtime, object, Mat3x4::IDENTITY, ObjectGeometry::Skin, pellet));
        assert_eq!(whole, again);
        differ += usize::from(whole.map(|hit| hit.fraction) != bare.map(|hit| hit.fraction));
    }
    assert!(differ > 10, "{differ}");
}

/// A fall is traced in every frame by many pellets; a runtime that is restored beside it by one each.
#[cfg(feature = "serde")]
#[test]
fn pellets_through_a_falling_ragdoll_hit_it_where_its_bodies_are() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let (mut seed, mut hits) = (5, 0);
    for frame in 0..40 {
        let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(2.4), Vec3::ZERO);
        let command = if frame == 10 { Command::Animate(0.0, None) } else { Command::Update };
        if frame < 10 {
            build(&mut runtime, object, f64::from(frame) / 60.0);
        }
        runtime.ragdoll_command(object, &entity, command, None).unwrap();
        let snapshot = runtime.snapshot();
        for _ in 0..4 {
            let pellet = pellet(&mut seed);
            let (mut fresh, _) = assets::mannequin_runtime();
            fresh.restore(&snapshot).unwrap();
            let [hit, expected] =
                [&runtime, &fresh].map(|runtime| shoot(runtime, object, entity, ObjectGeometry::Best, pellet));
            assert_eq!(hit, expected, "frame {frame}");
            hits += usize::from(hit.is_some());
        }
        runtime.step(1.0 / 60.0).unwrap();
    }
    assert!(hits > 20, "{hits}");
}

#[test]
fn pellets_through_the_past_hit_what_was_recorded() {
    let (mut runtime, object) = assets::mannequin_runtime();
    runtime.keep_history(Some(HistorySettings::default())).unwrap();
    let mut seed = 17;
    let pellets: Vec<Trace> = (0..20).map(|_| pellet(&mut seed)).collect();
    let mut then = Vec::new();
    for frame in 0..20 {
        let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(frame as f32), Vec3::ZERO);
        build(&mut runtime, object, f64::from(frame) * 0.04);
        runtime.record_pose(object, f64::from(frame) * 0.05, &entity).unwrap();
        let hits = pellets.iter().map(|pellet| shoot(&runtime, object, entity, ObjectGeometry::Skin, *pellet));
        then.push(hits.collect::<Vec<_>>());
    }
    assert!(then.iter().flatten().flatten().count() > 100);
    for frame in [19, 0, 7, 7, 18, 3, 0] {
        let past = PastTarget::at(frame as f64 * 0.05).with_object(object, ObjectGeometry::Skin);
        for (pellet, expected) in pellets.iter().zip(&then[frame]) {
            assert_eq!(runtime.trace(&pellet.with_past(past)).unwrap(), *expected, "frame {frame}");
        }
    }
}
