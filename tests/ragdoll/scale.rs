//! Dolls of entities that are larger or smaller than their models.

use crate::common::stage::{Stage, bits, difference};
use skelobj::math::{Mat3x4, Vec3};
use skelobj::ragdoll::{BodyState, RagdollError};
use skelobj::runtime::RagdollCommandError;

fn fallen(scale: f32, seconds: f32) -> Stage {
    let mut stage = Stage::mannequin();
    stage.entity.scale = scale;
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    for _ in 0..(seconds * 60.0) as usize {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    stage.command("").unwrap();
    stage
}

fn extents(stage: &mut Stage, name: &str) -> (Vec3, f32) {
    let handle = stage.built(name).colliders()[0];
    let mass = stage.built(name).mass();
    (stage.runtime.physics().world().colliders[handle].shape().compute_local_aabb().extents(), mass)
}

#[test]
fn a_giant_has_bodies_twice_the_size_and_bones_as_its_model() {
    let [mut small, mut giant] = [1.0, 2.0].map(|scale| fallen(scale, 0.0));
    assert!(difference(&small.raw(), &giant.raw()) < 1e-3, "model space knows no scale");
    let pairs: Vec<(BodyState, BodyState)> = small.bodies().into_iter().zip(giant.bodies()).collect();
    for (one, two) in pairs {
        assert!(two.position.distance(one.position * 2.0) < 1e-3, "{}", one.name);
        assert_eq!(two.size, one.size.map(|size| size * 2.0));
        let name = one.name.to_string();
        let [(size, mass), (large, heavy)] = [extents(&mut small, &name), extents(&mut giant, &name)];
        assert!((large - size * 2.0).length() < 1e-3 && (heavy / mass - 8.0).abs() < 1e-3, "{name}: {size} {large}");
    }
    assert!(giant.joints().iter().all(|joint| joint.gap < 1e-3), "its joints are where its bodies meet");
}

#[test]
fn giants_and_dwarfs_fall_and_sleep_in_one_piece() {
    for scale in [0.5, 2.0, 3.0] {
        let stage = fallen(scale, 8.0);
        let asleep = stage.ragdoll().is_asleep(stage.runtime.physics());
        let lowest = stage.ragdoll().lowest_point(stage.runtime.physics());
        assert!(asleep, "{scale}");
        assert!(stage.widest_gap() < 0.2 * scale && lowest > -scale.max(1.0), "{scale}: {lowest}");
        let head = stage.body("head").position.z;
        assert!(head < 20.0 * scale, "{scale}: it lies: {head}");
        stage.assert_finite("scaled");
    }
}

#[test]
fn an_animated_giant_follows_its_animation() {
    let mut stage = Stage::mannequin();
    stage.entity.scale = 2.5;
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    for frame in 0..30 {
        stage.build(0, frame as f32 / 60.0);
        let pose = stage.bones();
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
        assert!(difference(&stage.raw(), &pose) < 1e-3, "frame {frame}");
    }
}

#[test]
fn scaling_by_one_changes_no_bit_and_other_scales_change_the_fall() {
    let [plain, one, other] = [1.0, 1.0, 1.5].map(|scale| bits(&fallen(scale, 0.5).raw()));
    assert_eq!(plain, one);
    assert_ne!(plain, other);
}

#[test]
fn no_doll_is_made_at_scales_beyond_numbers() {
    for scale in [1e-30, 1e-20, 9e-7, 2e6, 1e9, 1e20, 1e30] {
        let mut stage = Stage::mannequin();
        let bodies = stage.runtime.physics().world().bodies.len();
        stage.entity.scale = scale;
        stage.build(0, 0.0);
        let refused = stage.command("doll mannequin.doll");
        assert_eq!(refused, Err(RagdollCommandError::Unusable(RagdollError::UnusableEntity)), "{scale}");
        assert_eq!(stage.runtime.physics().world().bodies.len(), bodies, "{scale}");
    }
    // The head of this doll would be more than a million units away.
    let mut stage = Stage::mannequin();
    stage.entity.scale = 1e5;
    stage.build(0, 0.0);
    let refused = stage.command("doll mannequin.doll");
    assert!(matches!(refused, Err(RagdollCommandError::Unusable(RagdollError::UnusableBone { .. }))), "{refused:?}");
    for scale in [1e-4, 1e4] {
        let stage = fallen(scale, 0.5);
        stage.assert_finite("scaled beyond reason");
        assert_eq!(stage.ragdoll().resets(), 0, "{scale}");
    }
}

#[test]
fn uneven_scales_count_as_their_mean() {
    let uneven = Mat3x4([1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0]);
    assert_eq!(uneven.scale(), 2.0);
    assert_eq!(Mat3x4::IDENTITY.scale(), 1.0);
}
