//! Equal bits from equal calls.

use crate::common::stage::{Stage, assert_same, bits};
use skelobj::math::{EntityTransform, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;
use skelobj::runtime::ObjectId;

/// Adds another mannequin to the stage's world.
fn add(stage: &mut Stage) -> ObjectId {
    stage.runtime.create_object(stage.model, Space::Local).unwrap()
}

/// Simulates a life: it runs, dies, is hit while it falls, loses an arm and gets up. Returns the bits of all bones of
/// every frame.
fn life(others: usize, frames: usize) -> Vec<Vec<u32>> {
    let mut stage = Stage::mannequin();
    let run = stage.animation("run");
    let others: Vec<ObjectId> = (0..others).map(|_| add(&mut stage)).collect();
    let mut out = Vec::new();
    for frame in 0..frames {
        let time = frame as f32 / 72.0;
        if frame < 30 {
            stage.entity = EntityTransform::new(Vec3::X * (320.0 * time), Vec3::new(0.0, 10.0, 0.0));
            stage.build(run, time);
        }
        let command = match frame {
            0 => "doll mannequin.doll",
            30 => "animate 0",
            60 => "enablejoint elbow_l 0",
            90 => "animatebody head 0.5",
            _ => "",
        };
        stage.command(command).unwrap();
        out.push(bits(&stage.raw()));
        for (number, id) in others.iter().enumerate() {
            let place = EntityTransform::new(Vec3::new(0.0, 3000.0 * (number + 1) as f32, 60.0), Vec3::ZERO);
            if frame < 10 {
                stage.runtime.build(*id, stage.model, &FrameState::single(run, time.into()), &Build::REPLACE).unwrap();
            }
            let command = match frame {
                0 => "doll mannequin.doll",
                10 => "animate 0",
                _ => "",
            };
            stage
                .runtime
                .ragdoll_command(*id, &place.to_world(-1.0, 1.0), Command::parse(command).unwrap(), None)
                .unwrap();
        }
        stage.step(1.0 / 72.0);
    }
    out
}

#[test]
fn the_same_calls_give_the_same_bits() {
    let first = life(0, 150);
    assert_same(&first, &life(0, 150));
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "something moves in every frame");
}

#[test]
fn a_distant_doll_does_not_change_any_bit() {
    let alone = life(0, 150);
    for others in [1, 3] {
        assert_same(&alone, &life(others, 150));
    }
}

#[test]
fn a_runtime_may_have_been_used_before() {
    // After a doll was added and removed the physics is equal, but its bits need not be; the doll still falls and
    // sleeps.
    let mut stage = Stage::mannequin();
    let id = add(&mut stage);
    stage.runtime.build(id, stage.model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    let place = EntityTransform::IDENTITY;
    stage
        .runtime
        .ragdoll_command(id, &place.to_world(-1.0, 1.0), Command::parse("doll mannequin.doll").unwrap(), None)
        .unwrap();
    stage.step(0.1);
    stage.runtime.delete_object(id).unwrap();
    stage.runtime.flush_deleted();
    assert_eq!(stage.runtime.physics().world().impulse_joints.len(), 0);
    stage.build(0, 0.0);
    stage.command("").unwrap();
    stage.command("animate 0").unwrap();
    for _ in 0..8 * 72 {
        stage.command("").unwrap();
        stage.step(1.0 / 72.0);
    }
    assert!(stage.ragdoll().is_asleep(stage.runtime.physics()));
}

#[test]
fn a_sleeping_doll_keeps_its_bits() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    for _ in 0..8 * 72 {
        stage.command("").unwrap();
        stage.step(1.0 / 72.0);
    }
    assert!(stage.ragdoll().is_asleep(stage.runtime.physics()));
    stage.command("").unwrap();
    let before = bits(&stage.raw());
    for _ in 0..72 {
        stage.command("").unwrap();
        stage.step(1.0 / 72.0);
    }
    stage.command("").unwrap();
    assert_eq!(bits(&stage.raw()), before);
}
