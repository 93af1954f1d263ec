//! Turret that hangs from a ceiling on a chain. The origin is the hook in the ceiling.

use std::f32::consts::TAU;

use skelobj::Model;
use skelobj::math::{Quat, Vec3};
use skelobj::model::SkeletonError;

use super::figure::{Figure, ring};

const IRON: [u8; 3] = [124, 128, 136];
const PAINT: [u8; 3] = [150, 74, 58];
const STEEL: [u8; 3] = [78, 86, 98];
const LENS: [u8; 3] = [240, 200, 90];
/// Links of the chain.
const LINKS: usize = 4;
const LENGTH: f32 = 6.0;

/// Returns the turret.
pub fn model() -> Result<Model, SkeletonError> {
    let mut turret = Figure::default();
    let v = Vec3::new;
    let down = |z: f32| v(0.0, 0.0, -z);
    let mount = turret.bone("mount", None, down(0.0), down(4.0));
    let mut parent = mount;
    let links: Vec<usize> = (0..LINKS)
        .map(|link| {
            let top = 4.0 + LENGTH * link as f32;
            parent = turret.bone(&format!("link{}", link + 1), Some(parent), down(top), down(top + LENGTH));
            parent
        })
        .collect();
    let top = 4.0 + LENGTH * LINKS as f32;
    let gun = turret.bone("gun", Some(parent), down(top), down(top + 10.0));
    let axis = v(2.0, 0.0, -top - 6.0);
    let barrel = turret.bone("barrel", Some(gun), axis, axis + Vec3::X);
    let muzzle = turret.bone("muzzle", Some(barrel), axis + Vec3::X * 9.0, axis + Vec3::X * 10.0);

    turret.surface("chain", "turret/iron");
    let plate = |z: f32, half: f32| ring(mount, down(z), half, half);
    turret.loft(4, Vec3::X, IRON, &[plate(0.0, 0.0), plate(0.0, 5.0), plate(1.6, 5.0), plate(1.6, 0.0)]);
    turret.loft(8, Vec3::X, IRON, &[plate(1.6, 1.4), plate(4.4, 1.0), plate(4.4, 0.0)]);
    for (number, &link) in links.iter().enumerate() {
        let top = 4.0 + LENGTH * number as f32;
        // Every other link is turned by a right angle.
        let half = if number % 2 == 0 { [1.5, 0.6] } else { [0.6, 1.5] };
        let at = |z: f32, part: f32| ring(link, down(top + z), half[0] * part, half[1] * part);
        let rings = [
            at(-0.5, 0.0),
            at(-0.5, 0.6),
            at(0.8, 1.0),
            at(LENGTH - 0.8, 1.0),
            at(LENGTH + 0.5, 0.6),
            at(LENGTH + 0.5, 0.0),
        ];
        turret.loft(8, Vec3::X, IRON, &rings);
    }
    turret.surface("gun", "turret/paint");
    let shell = |z: f32, x: f32, y: f32| ring(gun, down(top + z), x, y);
    turret.loft(
        12,
        Vec3::X,
        PAINT,
        &[
            shell(-0.4, 0.0, 0.0),
            shell(0.0, 2.4, 2.4),
            shell(2.0, 5.2, 5.6),
            shell(6.0, 6.2, 6.6),
            shell(9.6, 4.6, 5.0),
            shell(11.0, 1.6, 1.8),
            shell(11.2, 0.0, 0.0),
        ],
    );
    turret.surface("barrel", "turret/steel");
    let tube = |bone: usize, x: f32, half: f32| ring(bone, axis + Vec3::X * x, half, half);
    turret.loft(8, Vec3::Y, STEEL, &[tube(barrel, 0.0, 2.2), tube(barrel, 9.5, 2.0), tube(barrel, 9.5, 0.0)]);
    turret.loft(
        8,
        Vec3::Y,
        IRON,
        &[
            tube(muzzle, 6.0, 1.2),
            tube(muzzle, 15.0, 1.2),
            tube(muzzle, 15.0, 1.9),
            tube(muzzle, 18.0, 1.9),
            tube(muzzle, 18.0, 0.0),
        ],
    );
    turret.surface("lens", "turret/lens");
    let lens = |x: f32, half: f32| ring(gun, v(x, 0.0, -top - 2.4), half, half);
    turret.loft(8, Vec3::Y, LENS, &[lens(4.2, 1.3), lens(5.9, 1.3), lens(6.2, 0.0)]);

    turret.animation("scan", 24, 15.0, |bone, phase| {
        let swing = (TAU * phase).sin();
        if bone == gun {
            Quat::from_rotation_z(0.8 * swing)
        } else if bone == barrel {
            Quat::from_rotation_y(0.2 + 0.2 * swing)
        } else {
            Quat::IDENTITY
        }
    });
    turret.model()
}
