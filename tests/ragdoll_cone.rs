//! Cones: a limb pushed against the limit of its swing and twist in all directions.
//!
//! Body `a` follows the animation and stands still; body `b`, 16 units along X, hangs on a cone whose swing axes are Y
//! and Z and whose twist is about X, along the limb.
#![cfg(feature = "ragdoll")]

mod ragdoll_common;

use std::f32::consts::TAU;

use ragdoll_common::{Rig, weightless};
use skelobj::math::Vec3;
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::JointState;

fn pair(joint: &str, settings: PhysicsSettings) -> Rig {
    let text = format!(
        "body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\naxis 0 1 0\naxis2 0 0 1\n{joint}\n"
    );
    Rig::chain(&text, settings)
}

fn turned(angle: f32) -> Vec3 {
    Vec3::new(angle.cos(), angle.sin(), 0.0)
}

fn excess(joint: &JointState) -> f32 {
    joint.excess[0].hypot(joint.excess[1])
}

/// Returns the directions of the swing, of the doll's sign, every 22.5 degrees: even ones lie along the axes and
/// diagonals.
fn directions() -> impl Iterator<Item = (usize, Vec3)> {
    (0..16).map(|number| (number, turned(number as f32 * TAU / 16.0)))
}

/// Pushes `b` in a direction of the swing, from rest.
fn push(rig: &mut Rig, way: Vec3, torque: f32) {
    let b = rig.built("b");
    b.reset_torques(true);
    b.add_torque(-(Vec3::Y * way.x + Vec3::Z * way.y) * torque, true);
}

const ROUND: &str = "type cone\nswing -0.8 0.8\nswing2 -0.8 0.8\ntwist -0.3 0.3";
const FLAT: &str = "type cone\nswing -1 1\nswing2 -0.4 0.4\ntwist -0.3 0.3";
const ASIDE: &str = "type cone\nswing -0.5 1.9\nswing2 -0.3 0.7\ntwist -0.3 0.3";

/// Returns the greatest excess on the way and the excess at the end, along the axes and in the directions between.
fn excesses(run: impl Fn(Vec3) -> [f32; 2]) -> [[f32; 2]; 2] {
    let mut worst = [[0.0f32; 2]; 2];
    for (number, way) in directions() {
        let found = run(way);
        let worst = &mut worst[usize::from(number % 4 != 0)];
        *worst = [0, 1].map(|part| worst[part].max(found[part]));
    }
    worst
}

#[test]
fn a_limb_held_against_the_limit_exceeds_it_no_more_between_the_axes() {
    for cone in [ROUND, FLAT, ASIDE] {
        let [along, between] = excesses(|way| {
            let mut rig = pair(cone, weightless());
            rig.built("b").set_angular_damping(4.0);
            push(&mut rig, way, 3000.0);
            let mut most = 0.0f32;
            rig.run(4.0, |rig| most = most.max(excess(&rig.joint("j"))));
            [most, excess(&rig.joint("j"))]
        });
        println!("{cone:?}: along the axes {along:?}, between {between:?}");
        for part in 0..2 {
            assert!(between[part] <= along[part] * 1.05 + 1e-3, "{cone}: {between:?} against {along:?}");
        }
        assert!(along[1] < 0.02 && along[0] < 0.1, "{cone}: {along:?}");
    }
}

#[test]
fn a_thrown_limb_exceeds_the_limit_no_more_between_the_axes() {
    for cone in [ROUND, FLAT, ASIDE] {
        for speed in [5.0, 20.0] {
            let [along, between] = excesses(|way| {
                let mut rig = pair(cone, weightless());
                rig.built("b").set_angvel(-(Vec3::Y * way.x + Vec3::Z * way.y) * speed, true);
                let mut most = 0.0f32;
                rig.run(2.0, |rig| most = most.max(excess(&rig.joint("j"))));
                [most, excess(&rig.joint("j"))]
            });
            println!("{cone:?} at {speed} rad/s: along the axes {along:?}, between {between:?}");
            assert!(between[0] <= along[0] * 1.05 + 1e-3, "{cone}, {speed}: {between:?} against {along:?}");
        }
    }
}
