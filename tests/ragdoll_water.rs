//! Water: dolls float by their density, drift, sink, come to rest, and wake when the water changes.
#![cfg(feature = "ragdoll")]

mod ragdoll_common;

use std::sync::Arc;

use ragdoll_common::{Rig, bind_pose, mannequin, physics_with};
use skelobj::doll::Doll;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::physics::{Liquid, LiquidVolume, Physics, PhysicsSettings, WaterError, WaterId};
use skelobj::assets;

/// Depth of the pool, Quake units.
const DEPTH: f32 = 96.0;

/// Returns the mannequin with another density, limp, `height` units above the ground of a pool of water.
fn swimmer(density: f32, height: f32, settings: PhysicsSettings) -> (Rig, WaterId) {
    let model = Arc::new(mannequin());
    let mut doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll;
    doll.bodies.iter_mut().for_each(|body| body.density = density);
    let mut physics = Physics::new(settings).unwrap();
    physics.add_floor(0.0).unwrap();
    let water = physics.add_water(pool(), Liquid::WATER).unwrap();
    let entity = Mat3x4::from_translation(Vec3::Z * height);
    let mut rig = Rig::new(bind_pose(&model), &Arc::new(doll), entity, physics);
    rig.ragdoll.set_drive_strength(0.0, &mut rig.physics);
    (rig, water)
}

fn pool() -> LiquidVolume {
    LiquidVolume::new_box(Vec3::new(-512.0, -512.0, 0.0), Vec3::new(512.0, 512.0, DEPTH)).unwrap()
}

/// Returns the centre of mass of the mannequin, each body alike.
fn centre(rig: &Rig) -> Vec3 {
    let (sum, count) = rig.ragdoll.bodies(&rig.physics).fold((Vec3::ZERO, 0.0), |(sum, count), body| (sum + body.position, count + 1.0));
    sum / count
}

/// Simulates until the ragdoll sleeps, and returns the seconds.
fn asleep_after(rig: &mut Rig, most: f32) -> Option<f32> {
    for frame in 0..(most * 60.0) as usize {
        if rig.ragdoll.is_asleep(&rig.physics) {
            return Some(frame as f32 / 60.0);
        }
        rig.update();
        rig.step(1.0 / 60.0);
    }
    None
}

#[test]
fn explore() {
    for density in [0.05, 0.3, 0.5, 0.8, 0.95, 0.99, 1.0, 1.05, 2.0, 10.0] {
        for height in [8.0, 200.0] {
            let (mut rig, _) = swimmer(density, height, PhysicsSettings::default());
            let slept = asleep_after(&mut rig, 30.0);
            let zs: Vec<f32> = rig.ragdoll.bodies(&rig.physics).map(|b| b.position.z).collect();
            let gap = rig.ragdoll.joints(&rig.physics).map(|j| j.gap).fold(0.0, f32::max);
            println!("density {density} height {height}: slept {slept:?} centre {:.2} low {:.1} high {:.1} gap {gap:.3}", centre(&rig).z,
                zs.iter().copied().fold(f32::MAX, f32::min), zs.iter().copied().fold(f32::MIN, f32::max));
        }
    }
}

#[test]
fn explore2() {
    for (density, height) in [(0.3, 200.0), (0.8, 8.0), (0.95, 200.0), (1.05, 8.0)] {
        let (mut rig, _) = swimmer(density, height, PhysicsSettings::default());
        let mut last = centre(&rig);
        for frame in 0..1800 {
            rig.update();
            rig.step(1.0 / 60.0);
            if frame % 120 == 0 {
                let now = centre(&rig);
                let bodies: Vec<_> = rig.ragdoll.bodies(&rig.physics).collect();
                let fast = bodies.iter().max_by(|a, b| a.velocity.length().total_cmp(&b.velocity.length())).unwrap();
                let spin = bodies.iter().max_by(|a, b| a.angular_velocity.length().total_cmp(&b.angular_velocity.length())).unwrap();
                let mean = bodies.iter().map(|b| b.velocity).sum::<Vec3>() / 16.0;
                println!("{density} {frame}: moved {:.2?} mean v {:.2?} fastest {:?} {:.2?} spin {:?} {:.2?}", now - last, mean, fast.name, fast.velocity, spin.name, spin.angular_velocity);
                last = now;
            }
        }
    }
}
