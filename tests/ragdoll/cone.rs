//! Cones: a limb pushed against the limit of its swing and twist in all directions.
//!
//! Body `a` follows the animation and stands still; body `b`, 16 units along X, hangs on a cone whose swing axes are Y
//! and Z and whose twist is about X, along the limb (difference 200).

use std::f32::consts::TAU;

use crate::common::stage::{Rig, weightless, weightless_but};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::JointState;

fn text(joint: &str) -> String {
    format!("body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\naxis 0 1 0\naxis2 0 0 1\n{joint}\n")
}

fn pair(joint: &str, settings: PhysicsSettings) -> Rig {
    Rig::chain(&text(joint), settings)
}

fn excess(joint: &JointState) -> f32 {
    joint.excess[0].hypot(joint.excess[1])
}

/// Returns a direction of the swing as a rotation of `b`, which turns against the doll's sign.
fn way(angle: f32) -> Vec3 {
    -(Vec3::Y * angle.cos() + Vec3::Z * angle.sin())
}

const ROUND: &str = "type cone\nswing -0.8 0.8\nswing2 -0.8 0.8\ntwist -0.3 0.3";
const FLAT: &str = "type cone\nswing -1 1\nswing2 -0.4 0.4\ntwist -0.3 0.3";
const ASIDE: &str = "type cone\nswing -0.5 1.9\nswing2 -0.3 0.7\ntwist -0.3 0.3";

/// Returns the greatest excess on the way and the excess at the end, as means over `starts`: for the worst direction
/// along the axes, and for the worst one between them. (Where in a step a limb reaches its limit is chance.)
fn excesses(cone: &str, seconds: f32, starts: &[f32], start: impl Fn(&mut Rig, Vec3)) -> [[f32; 2]; 2] {
    let mut worst = [[0.0f32; 2]; 2];
    for number in 0..16 {
        let mut mean = [0.0; 2];
        for strength in starts {
            let mut rig = pair(cone, weightless());
            start(&mut rig, way(number as f32 * TAU / 16.0) * *strength);
            let mut most = 0.0f32;
            rig.run(seconds, |rig| most = most.max(excess(&rig.joint("j"))));
            mean[0] += most / starts.len() as f32;
            mean[1] += excess(&rig.joint("j")) / starts.len() as f32;
        }
        let worst = &mut worst[usize::from(number % 4 != 0)];
        *worst = [worst[0].max(mean[0]), worst[1].max(mean[1])];
    }
    worst
}

/// Part of an excess that is still chance, radians.
const CHANCE: f32 = 0.003;

#[test]
fn a_limb_held_against_the_limit_exceeds_it_no_more_between_the_axes() {
    for cone in [ROUND, FLAT, ASIDE] {
        let torques: Vec<f32> = (1..20).map(|number| 30.0 * number as f32).collect();
        let [along, between] = excesses(cone, 2.0, &torques, |rig, torque| {
            rig.built("b").set_angular_damping(4.0);
            rig.built("b").add_torque(torque, true);
        });
        for part in 0..2 {
            assert!(between[part] <= along[part] * 1.05 + CHANCE, "{cone}: {between:?} against {along:?}");
        }
        assert!(along[1] < 0.005 && along[0] < 0.1, "{cone}: {along:?}");
    }
}

#[test]
fn a_thrown_limb_exceeds_the_limit_no_more_between_the_axes() {
    for cone in [ROUND, FLAT, ASIDE] {
        let speeds: Vec<f32> = (0..24).map(|number| 4.0 + 0.87 * number as f32).collect();
        let [along, between] = excesses(cone, 0.7, &speeds, |rig, spin| rig.built("b").set_angvel(spin, true));
        for part in 0..2 {
            assert!(between[part] <= along[part] * 1.05 + CHANCE, "{cone}: {between:?} against {along:?}");
        }
    }
}

#[test]
fn a_limb_hanging_against_the_limit_rests_on_it_in_any_direction() {
    for cone in [ROUND, FLAT, ASIDE] {
        for number in 0..16 {
            let down = way(number as f32 * TAU / 16.0).cross(Vec3::X) * 800.0;
            let mut rig = pair(cone, weightless_but(down));
            rig.built("b").set_angular_damping(4.0);
            rig.run(6.0, |_| {});
            let (joint, most) = (rig.joint("j"), 0.005);
            let on = rig.body("b").angular_velocity.length();
            assert!(excess(&joint) < most && joint.twist_excess < most, "{cone}, {number}: {joint:?}");
            assert!(on < 0.2 && joint.gap < 0.05, "{cone}, {number}: turns by {on}, {joint:?}");
        }
    }
}

#[test]
fn no_limit_is_passed_on_the_far_side() {
    for cone in [
        "swing -3 3\nswing2 -3 3",
        "swing -2.2 2.2\nswing2 -1 1",
        "swing -1 3\nswing2 -0.5 0.5",
        "swing -3 0.2\nswing2 -0.2 3",
    ] {
        for number in 0..16 {
            // At 1/60 s and 20 radians/s, one of these limbs passes a narrow ellipse by 1.6 radians.
            for (step, speed) in [(60.0, 5.0), (60.0, 10.0), (120.0, 5.0), (120.0, 20.0), (120.0, 40.0)] {
                let mut settings = weightless();
                settings.step = 1.0 / step;
                let mut rig = pair(&format!("type cone\n{cone}\ntwist -0.3 0.3"), settings);
                rig.built("b").set_angvel(way(number as f32 * TAU / 16.0) * speed, true);
                let mut last = rig.joint("j").position;
                rig.run(3.0, |rig| {
                    let joint = rig.joint("j");
                    let jump = (joint.position[0] - last[0]).hypot(joint.position[1] - last[1]);
                    assert!(jump < 4.0, "{cone}, {number}, {speed}: from {last:?} to {:?}", joint.position);
                    last = joint.position;
                });
            }
        }
    }
}

#[test]
fn a_swinging_limb_gains_no_energy() {
    for cone in [ROUND, FLAT, ASIDE] {
        for number in 0..16 {
            let mut rig = pair(cone, weightless());
            let spin = way(number as f32 * TAU / 16.0) * 8.0 + Vec3::X * 3.0;
            rig.built("b").set_angvel(spin, true);
            rig.step(1.0 / 60.0);
            let mut least = rig.energy();
            rig.run(4.0, |rig| {
                let energy = rig.energy();
                assert!(energy < least * 1.02 + 1.0, "{cone}, {number}: from {least} to {energy}");
                least = least.min(energy);
            });
        }
    }
}

#[test]
fn twist_stops_at_its_limits_wherever_the_limb_points() {
    for swing in [Vec3::ZERO, Vec3::Y * 0.7, Vec3::Z * -0.35, Vec3::new(0.0, 0.6, 0.2)] {
        for (sign, stop) in [(1.0, 0.4), (-1.0, 0.9)] {
            let cone = "type cone\nswing -1 1\nswing2 -0.5 0.5\ntwist -0.4 0.9\nFMax 100\nFMax2 100";
            let mut rig = pair(cone, weightless());
            let built = rig.built("b");
            let turn = Quat::from_scaled_axis(swing);
            built.set_rotation(turn, true);
            let centre = Vec3::new(16.0, 0.0, 100.0);
            built.set_translation(centre, true);
            built.set_angular_damping(4.0);
            built.add_torque(turn * Vec3::X * (sign * 300.0), true);
            rig.run(3.0, |_| {});
            let joint = rig.joint("j");
            assert!((joint.twist + sign * stop).abs() < 0.005, "{swing}, {sign}: {joint:?}");
            assert!(joint.twist_excess < 0.005 && joint.gap < 0.05, "{swing}, {sign}: {joint:?}");
        }
    }
}

#[test]
fn a_locked_swing_leaves_a_hinge_with_twist() {
    for [torque, free] in [[Vec3::Y, Vec3::Y], [Vec3::X, Vec3::X], [Vec3::Z, Vec3::ZERO]] {
        let mut rig = pair("type cone\nswing -1 1\nswing2 0 0\ntwist -0.5 0.5", weightless());
        rig.built("b").set_angular_damping(4.0);
        rig.built("b").add_torque(torque * 300.0, true);
        rig.run(3.0, |rig| assert!(excess(&rig.joint("j")) < 0.02, "{torque}: {:?}", rig.joint("j")));
        let joint = rig.joint("j");
        let expected = -free * Vec3::new(0.5, 1.0, 0.0);
        let found = Vec3::new(joint.twist, joint.position[0], joint.position[1]);
        assert!(found.distance(expected) < 0.01, "{torque}: {found} instead of {expected}");
    }
}

#[test]
fn stops_that_do_not_limit_leave_the_swing_and_the_twist_free() {
    for (cone, spin) in [
        ("swing 1 -1\nswing2 1 -1\ntwist 1 -1", Vec3::new(0.0, 3.0, 0.0)),
        ("swing 1 -1\nswing2 -0.5 0.5\ntwist 1 -1", Vec3::new(0.0, 3.0, 0.0)),
        ("swing 0 0\nswing2 0 0\ntwist 1 -1", Vec3::new(3.0, 0.0, 0.0)),
    ] {
        let mut rig = pair(&format!("type cone\n{cone}"), weightless());
        rig.built("b").set_angvel(spin, true);
        let mut turned = 0.0;
        rig.run(3.0, |rig| turned += rig.body("b").angular_velocity.length() / 60.0);
        assert!(turned > TAU, "{cone}: {turned}");
        assert!(excess(&rig.joint("j")) < 0.01, "{cone}: {:?}", rig.joint("j"));
    }
}

#[test]
fn a_first_pose_outside_the_ellipse_moves_in_gently() {
    let outside = Quat::from_rotation_y(-1.5) * Quat::from_rotation_z(0.9) * Quat::from_rotation_x(1.0);
    let model = Mat3x4::from_rotation_translation(outside, Vec3::X * 16.0);
    let mut rig = Rig::chain_posed(&text(FLAT), weightless(), |bones| bones[1] = model);
    let start = rig.body("b");
    let joint = rig.joint("j");
    assert!(excess(&joint) < 1e-3 && joint.twist_excess < 1e-3, "the stops begin where the pose is: {joint:?}");
    assert!(joint.position[0].hypot(joint.position[1]) > 1.2, "{joint:?}");
    rig.run(4.0, |rig| {
        let spin = rig.body("b").angular_velocity.length();
        assert!(spin < 3.0, "{spin}");
    });
    let joint = rig.joint("j");
    assert!(start.rotation.angle_between(rig.body("b").rotation) > 0.3);
    let [x, y] = joint.position;
    assert!(x.powi(2) + (y / 0.4).powi(2) < 1.02 && joint.twist.abs() < 0.305, "{joint:?}");
}

#[test]
fn a_limb_inside_its_cone_costs_no_limits_and_none_leaves_the_simd_path() {
    let mut rig = pair(FLAT, weightless());
    let limits = |rig: &Rig| {
        let (_, joint) = rig.physics().world().impulse_joints.iter().next().unwrap();
        assert!(joint.data.motor_axes.is_empty() && joint.data.coupled_axes.is_empty());
        joint.data.limit_axes.bits().count_ones()
    };
    rig.run(0.1, |rig| assert_eq!(limits(rig), 0));
    rig.built("b").add_torque(Vec3::Y * 1000.0, true);
    rig.run(2.0, |_| {});
    assert_eq!(limits(&rig), 1);
    rig.built("b").reset_torques(true);
    rig.built("b").set_angvel(Vec3::Y * -1.0, true);
    rig.run(0.8, |_| {});
    assert_eq!(limits(&rig), 0, "{:?}", rig.joint("j"));
}

#[test]
fn a_limb_at_rest_on_its_limit_stays_there() {
    let mut rig =
        pair(&format!("{FLAT}\nFMax 500\nFMax2 500\npivot link0"), weightless_but(Vec3::new(0.0, 500.0, -700.0)));
    rig.built("b").set_angular_damping(4.0);
    rig.run(30.0, |_| {});
    let before = rig.body("b").rotation;
    rig.run(1.0, |rig| {
        let moved = rig.body("b").rotation.angle_between(before);
        assert!(moved < 0.005 && excess(&rig.joint("j")) < 0.005, "{moved}, {:?}", rig.joint("j"));
    });
}

#[test]
fn friction_holds_a_cone_as_it_holds_a_universal_joint() {
    let sag = |kind: &str| {
        let free = "LoStop -1\nHiStop 1\nLoStop2 -1\nHiStop2 1";
        let mut rig = pair(
            &format!("type {kind}\n{free}\nFMax 100000\nFMax2 100000\npivot link0"),
            weightless_but(Vec3::new(0.0, -300.0, -700.0)),
        );
        rig.run(2.0, |_| {});
        rig.joint("j").position
    };
    let (cone, universal) = (sag("cone"), sag("universal"));
    for number in 0..2 {
        assert!(cone[number].abs() < 0.03 && universal[number].abs() < 0.03, "{cone:?} against {universal:?}");
    }
}

#[test]
fn friction_holds_every_axis_of_a_cone_up_to_its_torque_wherever_the_limb_points() {
    // The greater FMax is that of the twist, about the limb.
    let cone = "type cone\nswing 1 -1\nswing2 1 -1\ntwist 1 -1\nFMax 20\nFMax2 30";
    let turned = |swing: Vec3, about: Vec3, torque: f32| {
        let mut rig = pair(cone, weightless());
        let built = rig.built("b");
        let turn = Quat::from_scaled_axis(swing);
        built.set_rotation(turn, true);
        // The joint is at the limb's own bone.
        built.add_torque(turn * about * torque, true);
        rig.run(1.0, |_| {});
        turn.angle_between(rig.body("b").rotation)
    };
    for swing in [Vec3::ZERO, Vec3::Y * 0.7, Vec3::Z * -1.5, Vec3::new(0.0, 1.2, 1.2), Vec3::Y * 2.5] {
        for (about, most) in [(Vec3::X, 30.0), (Vec3::Y, 20.0), (Vec3::Z, 30.0)] {
            let [held, moved] = [0.9, 1.2].map(|factor| turned(swing, about, factor * most));
            assert!(held < 0.02 && moved > 0.5, "{swing}, about {about}: {held} and {moved}");
        }
    }
}

#[test]
fn a_stretched_bone_stays_stretched() {
    let away = Mat3x4::from_translation(Vec3::new(20.0, 3.0, -2.0));
    let mut rig = Rig::chain_posed(&text(FLAT), weightless(), |bones| bones[1] = away);
    rig.run(1.0, |rig| {
        let (joint, b) = (rig.joint("j"), rig.body("b"));
        assert!(joint.gap < 1e-3 && b.velocity.length() < 1e-3, "{joint:?}, {}", b.velocity);
    });
}
