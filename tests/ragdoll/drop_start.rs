//! The start of a drop test: a host that follows it has the fall of the test to the bit.

use crate::common::stage;
use std::sync::Arc;

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{FrameState, Name};
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;
use skelobj::runtime::Runtime;
use skelobj::{Doll, DropTest, assets};

fn mannequin() -> DropTest {
    let model = Arc::new(stage::mannequin());
    let doll = Arc::new(Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll);
    DropTest::new(model, doll)
}

/// Runs the fall in a runtime, as an engine does, and returns the widest gap.
fn fall_in_a_game(test: &DropTest, steps: usize) -> f32 {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("mannequin.iqm", (*test.model).clone()).unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    let start = test.start(runtime.physics_mut()).unwrap();
    runtime.physics_mut().add_floor(0.0).unwrap();
    let dt = runtime.physics().step_time();
    let entity: &Mat3x4 = &start.entity;
    for step in 0..start.play_steps {
        let frame = FrameState::single(start.animation.unwrap(), (step as f32 * dt).into());
        runtime.build(object, model, &frame, &Build::REPLACE).unwrap();
        if step == 0 {
            runtime.set_ragdoll(object, entity, &test.doll).unwrap();
            runtime.ragdoll_command(object, entity, Command::Animate(1.0, None), None).unwrap();
        }
        runtime.ragdoll_command(object, entity, Command::Update, None).unwrap();
        runtime.step(dt).unwrap();
    }
    runtime.ragdoll_command(object, entity, Command::Update, None).unwrap();
    runtime.ragdoll_command(object, entity, Command::Animate(0.0, None), None).unwrap();
    let centre = runtime.ragdoll(object).unwrap().centre_of_mass(runtime.physics());
    runtime.add_ragdoll_velocity(object, start.velocity, start.angular_velocity, centre).unwrap();
    let mut gap = 0.0f32;
    for _ in 0..steps {
        runtime.ragdoll_command(object, entity, Command::Update, None).unwrap();
        runtime.step(dt).unwrap();
        let ragdoll = runtime.ragdoll(object).unwrap();
        gap = ragdoll.joints(runtime.physics()).map(|joint| joint.gap).fold(gap, f32::max);
    }
    gap
}

#[test]
fn a_game_repeats_the_fall_to_the_bit() {
    let mut tests = vec![mannequin()];
    tests.extend((1..4).map(|seed| mannequin().with_seed(seed)));
    tests[1].velocity = Vec3::new(300.0, -20.0, 5.0);
    for test in tests {
        let report = test.run().unwrap();
        assert_eq!(fall_in_a_game(&test, report.steps).to_bits(), report.max_gap_falling.to_bits());
    }
}

#[test]
fn a_start_leaves_no_body_and_checks_the_numbers() {
    let mut physics = skelobj::Physics::default();
    let mut test = mannequin();
    test.start(&mut physics).unwrap();
    assert_eq!(physics.world().bodies.len(), 0);
    test.at.y = f32::NAN;
    assert!(test.start(&mut physics).is_err());
    assert_eq!(physics.world().bodies.len(), 0);
}

#[test]
fn the_usual_animation_is_a_death_by_a_word_of_its_name() {
    let mut model = stage::mannequin();
    let doll = Arc::new(Doll::default());
    let usual = |model: &skelobj::Model| DropTest::new(Arc::new(model.clone()), doll.clone()).animation;
    for animation in &mut model.animations {
        animation.name = Name::from("soldier_idle");
    }
    assert_eq!(usual(&model), Some(0));
    model.animations[2].name = Name::from("soldierDie1");
    assert_eq!(usual(&model), Some(2));
}
