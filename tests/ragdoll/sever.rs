//! Limbs that are severed and attached again.

use crate::common::stage;
use crate::common::stage::{Rig, Stage, fastest, physics_with, weightless};
use skelobj::math::{Mat3x4, Quat, Vec3};

fn severed_arm() -> Stage {
    let mut stage = Stage::mannequin();
    let death = stage.animation("death");
    stage.build(death, 0.2);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    stage.command("enablejoint shoulder_l 0").unwrap();
    stage
}

fn run(stage: &mut Stage, seconds: f32, mut each: impl FnMut(&Stage)) {
    for _ in 0..(seconds * 72.0) as usize {
        stage.command("").unwrap();
        stage.step(1.0 / 72.0);
        stage.assert_finite("severed");
        each(stage);
    }
}

fn gap(stage: &Stage) -> f32 {
    let [one, two] = stage.joints().into_iter().find(|joint| joint.name == *"shoulder_l").unwrap().anchors;
    one.distance(two)
}

#[test]
fn a_severed_arm_moves_on_its_own() {
    let mut stage = severed_arm();
    let push = Vec3::new(0.0, 150.0, 100.0);
    for name in ["upperarm_l", "forearm_l", "hand_l"] {
        stage.built(name).set_linvel(push, true);
    }
    let mut others = 0.0f32;
    run(&mut stage, 4.0, |stage| others = others.max(stage.widest_gap()));
    let apart = gap(&stage);
    let arm = stage.body("upperarm_l").position.distance(stage.body("forearm_l").position);
    let object = stage.runtime.object(stage.object).unwrap();
    let bone = object.model_space(stage.bone("upperarm_l")).unwrap().origin();
    assert!(apart > 20.0, "{apart}");
    assert!(arm < 20.0, "elbow and wrist still hold: {arm}");
    assert!(others < 5.0, "{others}");
    assert!(bone.distance(stage.body("chest").position) > 15.0, "its bones go with it");
    assert!(stage.body("hand_l").position.z > -1.0);
}

#[test]
fn severed_parts_touch_once_they_are_apart() {
    // Two boxes that overlap by 4; the joint disables their contact until they were apart.
    let text = "body a link0\nsize 20 20 20\nbody b link1\nanimate 0\nsize 20 20 20\njoint j a b\ntype point\n";
    let mut rig = Rig::chain(text, weightless());
    rig.run(0.2, |_| {});
    rig.ragdoll.enable_joint(b"j", false, &mut rig.physics);
    let mut fast = 0.0f32;
    rig.run(0.5, |rig| fast = fast.max(rig.fastest()));
    assert!(fast < 1.0, "they do not burst apart: {fast}");
    // The box leaves, comes back, and bounces off.
    rig.built("b").set_linvel(Vec3::X * 60.0, true);
    rig.run(0.5, |_| {});
    let away = rig.body("b").position.x;
    rig.built("b").set_linvel(Vec3::X * -60.0, true);
    let mut nearest = f32::MAX;
    rig.run(1.5, |rig| nearest = nearest.min(rig.body("b").position.x));
    assert!(away > 40.0 && nearest > 19.0, "{away} {nearest}");
    // Joined again, they have no contact again.
    rig.ragdoll.enable_joint(b"j", true, &mut rig.physics);
    rig.run(4.0, |_| {});
    let back = rig.joint("j");
    assert!(back.gap < 0.5, "{back:?}");
    assert!((rig.body("b").position.x - 16.0).abs() < 1.0, "{}", rig.body("b").position);
}

/// Severed parts that lie against each other would never come together if they kept their contact.
#[test]
fn parts_that_are_joined_where_they_touch_lose_their_contact() {
    let text = "body a link0\nsize 20 20 20\nbody b link1\nanimate 0\nsize 20 20 20\njoint j a b\ntype point\n";
    let mut rig = Rig::chain(text, weightless());
    rig.ragdoll.enable_joint(b"j", false, &mut rig.physics);
    rig.built("b").set_translation(Vec3::new(21.0, 0.0, 100.0), true);
    rig.run(0.2, |_| {});
    rig.built("b").set_linvel(Vec3::X * -6.0, true);
    rig.run(1.0, |_| {});
    rig.built("b").set_linvel(Vec3::ZERO, true);
    rig.run(0.2, |_| {});
    let apart = rig.body("b").position.x;
    assert!((apart - 20.0).abs() < 0.5, "{apart}");
    rig.ragdoll.enable_joint(b"j", true, &mut rig.physics);
    rig.run(4.0, |_| {});
    assert!(rig.joint("j").gap < 0.1, "{:?}", rig.joint("j"));
}

#[test]
fn joints_enabled_again_pull_their_parts_together_gently() {
    for units in [2.0, 8.0, 50.0, 500.0] {
        // In the air without gravity, so that only the joint moves bodies.
        let settings = physics_with(|settings| settings.gravity = Vec3::ZERO);
        let mut stage = Stage::new("mannequin.iqm", stage::mannequin(), settings);
        stage.build(0, 0.0);
        stage.command("doll mannequin.doll").unwrap();
        stage.command("animate 0").unwrap();
        stage.command("enablejoint shoulder_l 0").unwrap();
        for name in ["upperarm_l", "forearm_l", "hand_l"] {
            let at = stage.body(name).position;
            stage.built(name).set_translation(at + Vec3::new(0.0, 0.6, 0.8) * units, true);
        }
        let apart = gap(&stage);
        assert!((apart - units).abs() < 0.1, "{apart}");
        stage.command("enablejoint shoulder_l 1").unwrap();
        let (mut speed, mut shown) = (0.0f32, 0.0f32);
        let mut last = stage.bodies();
        run(&mut stage, 2.0, |stage| {
            let bodies = stage.bodies();
            speed = speed.max(fastest(&bodies));
            let moved = bodies.iter().zip(&last).map(|(now, then)| now.position.distance(then.position));
            shown = shown.max(moved.fold(0.0, f32::max) * 72.0);
            last = bodies;
        });
        run(&mut stage, 4.0, |_| {});
        if units < 100.0 {
            assert!(speed < 300.0, "{units}: {speed}");
            assert!(shown < 400.0, "{units}: {shown}");
        }
        assert!(gap(&stage) < 0.5, "{units}: {} apart in the end", gap(&stage));
    }
}

#[test]
fn enabling_what_is_enabled_changes_nothing() {
    let mut rig = Rig::mannequin(weightless());
    rig.ragdoll.set_drive_strength(0.0, None, &mut rig.physics).unwrap();
    assert!(rig.ragdoll.enable_joint(b"neck", true, &mut rig.physics));
    assert!(!rig.ragdoll.enable_joint(b"nosuch", true, &mut rig.physics));
    let mut fast = 0.0f32;
    rig.run(0.5, |rig| fast = fast.max(rig.fastest()));
    assert!(fast < 0.1, "{fast}");
}

#[test]
fn a_joint_enabled_again_in_another_pose_returns_to_its_stops() {
    let text = "body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\ntype hinge\nenabled 0\nLoStop -0.3\nHiStop 0.7\n";
    let mut rig = Rig::chain_posed(text, weightless(), |bones| {
        bones[1] = bones[1] * Mat3x4::from_rotation_translation(Quat::from_rotation_y(1.3), Vec3::ZERO);
    });
    rig.run(0.2, |_| {});
    assert!((rig.body("b").rotation.to_scaled_axis().y - 1.3).abs() < 1e-3, "it does not hold yet");
    rig.ragdoll.enable_joint(b"j", true, &mut rig.physics);
    let mut spin = 0.0f32;
    let mut last = rig.body("b").rotation;
    rig.run(1.6, |rig| {
        let now = rig.body("b").rotation;
        spin = spin.max(now.angle_between(last) * 60.0);
        last = now;
    });
    let turned = rig.body("b").rotation.to_scaled_axis();
    assert!(turned.distance(Vec3::Y * 0.3) < 0.02, "{turned}");
    assert!(spin > 0.5 && spin < 8.0, "{spin}");
}
