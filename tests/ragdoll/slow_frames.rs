//! Many ragdolls on a slow machine: long frames of the host, and the time that they drop.

use crate::common::stage;
use skelobj::Runtime;
use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;
use skelobj::runtime::ObjectId;

/// Returns a runtime with limp mannequins above a floor, in rows of twenty.
fn crowd(dolls: usize) -> (Runtime, Vec<(ObjectId, Mat3x4)>) {
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    runtime.set_files(stage::files);
    let model = runtime.add_model("mannequin.iqm", stage::mannequin()).unwrap();
    let dolls = (0..dolls).map(|number| {
        let object = runtime.create_object(model, Space::Local).unwrap();
        let origin = Vec3::new((number % 20) as f32 * 120.0, (number / 20) as f32 * 120.0, 60.0);
        let turn = number as f32;
        let angles = Vec3::new(turn * 37.0 % 180.0 - 90.0, turn * 137.5 % 360.0, turn * 73.0 % 360.0);
        let entity = EntityTransform::new(origin, angles).to_world(-1.0, 1.0);
        runtime.build(object, model, &FrameState::single(number % 3, 0.1), &Build::REPLACE).unwrap();
        runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).unwrap();
        (object, entity)
    });
    let dolls = dolls.collect();
    (runtime, dolls)
}

#[test]
fn eighty_keep_their_shape_at_twenty_frames_per_second() {
    let (mut runtime, dolls) = crowd(80);
    let mut dropped = 0.0;
    for _ in 0..100 {
        for (object, entity) in &dolls {
            runtime.ragdoll_command(*object, entity, Command::Update, None).unwrap();
        }
        let stepped = runtime.step(0.05).unwrap();
        assert_eq!(stepped.steps, 3); // of 1/60 s
        dropped += stepped.dropped;
    }
    assert_eq!(dropped, 0.0);
    let physics = runtime.physics();
    let (mut asleep, mut lowest, mut resets) = (0, f32::MAX, 0);
    let (mut gap, mut excess) = (0.0f32, 0.0f32);
    for (object, _) in &dolls {
        let ragdoll = runtime.ragdoll(*object).unwrap();
        lowest = lowest.min(ragdoll.lowest_point(physics));
        resets += ragdoll.resets();
        if ragdoll.is_asleep(physics) {
            asleep += 1;
            for joint in ragdoll.joints(physics) {
                gap = gap.max(joint.gap);
                excess = joint.excess.iter().fold(excess.max(joint.twist_excess), |most, one| most.max(*one));
            }
        }
    }
    assert!(lowest > -4.0 && resets == 0, "{lowest} {resets}");
    assert!(asleep > 40, "{asleep}");
    assert!(gap < 0.16 && excess < 0.05, "{gap} {excess}");
}

#[test]
fn a_step_reports_the_time_that_it_dropped() {
    let (mut runtime, _) = crowd(1);
    for (time, steps, dropped) in [(0.05, 3, 0.0), (0.1, 6, 0.0), (0.25, 6, 0.15), (1.0, 6, 0.9), (0.0, 0, 0.0)] {
        let stepped = runtime.step(time).unwrap();
        assert_eq!(stepped.steps, steps, "{time}");
        assert!((stepped.dropped - dropped).abs() < 1e-6, "{time}: {}", stepped.dropped);
    }
    let mut settings = runtime.settings();
    settings.physics.max_step_debt = 0.5;
    runtime.set_settings(settings).unwrap();
    assert_eq!(runtime.step(0.25).unwrap().dropped, 0.0);
}
