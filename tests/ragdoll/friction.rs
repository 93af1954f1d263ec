//! Friction of joints: two bodies that float, and what a host does with them beside.

use crate::common::stage::{Rig, weightless, weightless_but};
use skelobj::Doll;
use skelobj::math::Vec3;
use skelobj::physics::PhysicsSettings;

/// Two limp bodies of a joint, 16 units apart.
fn pair(joint: &str, settings: PhysicsSettings) -> Rig {
    let text = format!("updatebody default\nanimate 0\nsize 4\nbody a link0\nbody b link1\njoint j a b\n{joint}\n");
    let mut rig = Rig::chain(&text, settings);
    rig.update();
    rig
}

const FREE: &str = "LoStop 1\nHiStop -1\nLoStop2 1\nHiStop2 -1";

fn speed(rig: &Rig) -> f32 {
    let (a, b) = (rig.body("a"), rig.body("b"));
    (b.velocity - a.velocity).length() + (b.angular_velocity - a.angular_velocity).length()
}

/// The momentum of both bodies, of the same mass and inertia, and the angular momentum about the origin.
fn momentum(rig: &mut Rig) -> [Vec3; 2] {
    ["a", "b"].into_iter().fold([Vec3::ZERO; 2], |[linear, angular], name| {
        let state = rig.body(name);
        let built = rig.built(name);
        let inertia = built.mass_properties().local_mprops.principal_inertia();
        let turned = built.rotation().inverse() * state.angular_velocity;
        let spin = *built.rotation() * (inertia * turned);
        let momentum = built.mass() * state.velocity;
        [linear + momentum, angular + spin + state.position.cross(momentum)]
    })
}

#[test]
fn friction_of_any_strength_stops_a_joint_at_any_step_without_moving_the_whole() {
    for (kind, spin, slide) in [
        ("hinge", Vec3::Y, Vec3::ZERO),
        ("universal", Vec3::new(0.0, 1.0, 0.7), Vec3::ZERO),
        ("slider", Vec3::ZERO, Vec3::Y * 8.0),
    ] {
        for fmax in [2000.0, 1e6, 1e30] {
            for rate in [30.0, 60.0, 120.0, 1000.0] {
                let mut settings = weightless();
                settings.step = 1.0 / rate;
                let mut rig = pair(&format!("type {kind}\n{FREE}\nFMax {fmax}\nFMax2 {fmax}"), settings);
                rig.built("b").set_angvel(spin, true);
                rig.built("b").set_linvel(slide, true);
                let before = momentum(&mut rig);
                let mut fastest = 0.0f32;
                rig.run(1.0, |rig| fastest = fastest.max(speed(rig)));
                let after = momentum(&mut rig);
                let what = format!("{kind}, FMax {fmax}, {rate} steps a second");
                assert!(fastest < 10.0, "{what}: {fastest}");
                let (a, b) = (rig.body("a"), rig.body("b"));
                let turning = (b.angular_velocity - a.angular_velocity).length();
                assert!(turning < 0.02, "{what}: still turns by {turning}");
                assert!(rig.joint("j").gap < 0.05, "{what}: gap {}", rig.joint("j").gap);
                for (kind, (before, after)) in ["linear", "angular"].iter().zip(before.into_iter().zip(after)) {
                    let lost = before.distance(after);
                    assert!(lost <= 0.02 * (1.0 + before.length()), "{what}: {kind} momentum {before} to {after}");
                }
            }
        }
    }
}

#[test]
fn a_pose_that_friction_holds_hardly_creeps() {
    let settings = weightless_but(Vec3::Z * -800.0);
    let text = "body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\npivot link0\ntype hinge\nLoStop 1\n\
                HiStop -1\nFMax 100000\n";
    let mut rig = Rig::chain(text, settings);
    rig.run(0.5, |_| {});
    let sagged = rig.joint("j").position[0];
    rig.run(5.0, |_| {});
    let crept = (rig.joint("j").position[0] - sagged).abs();
    assert!(crept < 0.02 && sagged.abs() < 0.03, "{crept} after {sagged}");
}

#[test]
fn forces_of_the_host_stay() {
    let mut rig = pair(&format!("type universal\n{FREE}\nFMax 500\nFMax2 500"), weightless());
    let (force, torque) = (Vec3::new(30.0, -7.0, 100.0), Vec3::new(5.0, 300.0, -200.0));
    rig.built("b").add_force(force, true);
    rig.built("b").add_torque(torque, true);
    rig.run(2.0, |rig| {
        let [a, b] = ["a", "b"].map(|name| (rig.built(name).user_force(), rig.built(name).user_torque()));
        assert_eq!(a, (Vec3::ZERO, Vec3::ZERO));
        assert!(b.0.distance(force) < 1e-2 && b.1.distance(torque) < 1e-2, "{b:?}");
    });
}

#[test]
fn friction_wakes_nobody_and_sleeping_dolls_keep_their_places() {
    let mut rig = Rig::mannequin(PhysicsSettings::default());
    rig.physics_mut().add_floor(0.0).unwrap();
    rig.limp();
    rig.run(6.0, |_| {});
    assert!(rig.is_asleep());
    let places: Vec<Vec3> = rig.bodies().iter().map(|body| body.position).collect();
    rig.run(1.0, |rig| assert!(rig.is_asleep()));
    assert_eq!(places, rig.bodies().iter().map(|body| body.position).collect::<Vec<_>>());
}

#[test]
fn no_joint_needs_a_motor() {
    // rapier solves joints with motors one by one.
    let motors = |rig: &Rig| {
        let joints = rig.physics().world().impulse_joints.iter();
        joints.filter(|(_, joint)| !joint.data.motor_axes.is_empty()).count()
    };
    assert!(Doll::parse(skelobj::assets::MANNEQUIN_DOLL).doll.joints.iter().all(|joint| joint.fmax[0] > 0.0));
    assert_eq!(motors(&Rig::mannequin(PhysicsSettings::default())), 0);
    let soft = "LoStop -0.3\nHiStop 0.3\nCFM 0.01\nLoStop2 -0.3\nHiStop2 0.3\nCFM2 0.01\nFMax 300\nMuscle 500";
    for kind in ["fixed", "point", "hinge", "slider", "universal", "hinge2", "cone"] {
        let text = format!("body a link0\nbody b link1\nanimate 0\njoint j a b\npivot link0\ntype {kind}\n{soft}\n");
        let mut rig = Rig::chain(&text, PhysicsSettings::default());
        rig.run(0.5, |rig| assert_eq!(motors(rig), 0, "{kind}"));
    }
}
