//! Bust of a woman who shakes her head, with a pony tail.

use std::f32::consts::TAU;

use skelobj::Model;
use skelobj::math::{Quat, Vec3};
use skelobj::model::SkeletonError;

use super::figure::{Figure, joint, ring};

const SKIN: [u8; 3] = [226, 178, 142];
const HAIR: [u8; 3] = [112, 62, 34];
const CLOTH: [u8; 3] = [70, 104, 132];
const EYES: [u8; 3] = [48, 60, 78];
/// Links of the tail.
const LINKS: usize = 5;
const LENGTH: f32 = 3.6;
/// Greatest angle of the head to either side, radians.
const SHAKE: f32 = 0.8;

/// Returns the bust.
pub fn model() -> Result<Model, SkeletonError> {
    let mut bust = Figure::default();
    let v = Vec3::new;
    let chest = bust.bone("chest", None, v(0.0, 0.0, 4.0), v(0.0, 0.0, 14.0));
    let head = bust.bone("head", Some(chest), v(0.0, 0.0, 17.0), v(0.0, 0.0, 27.0));
    let root = v(-4.6, 0.0, 25.0);
    let slope = v(-0.75, 0.0, -0.66).normalize() * LENGTH;
    let mut parent = head;
    let tail: Vec<usize> = (0..LINKS)
        .map(|link| {
            let at = root + slope * link as f32;
            parent = bust.bone(&format!("tail{}", link + 1), Some(parent), at, at + slope);
            parent
        })
        .collect();

    bust.surface("cloth", "ponytail/cloth");
    let trunk = |z: f32, x: f32, y: f32| ring(chest, v(0.0, 0.0, z), x, y);
    bust.loft(
        10,
        Vec3::X,
        CLOTH,
        &[
            trunk(0.0, 0.0, 0.0),
            trunk(0.0, 4.4, 7.0),
            trunk(7.0, 4.6, 8.0),
            trunk(12.0, 4.2, 8.6),
            trunk(14.4, 2.0, 3.0),
        ],
    );
    bust.surface("skin", "ponytail/skin");
    bust.loft(8, Vec3::X, SKIN, &[trunk(14.0, 2.0, 2.0), joint([chest, head], v(0.0, 0.0, 17.0), 1.8, 1.8)]);
    let skull = |x: f32, z: f32, half: [f32; 2]| ring(head, v(x, 0.0, z), half[0], half[1]);
    bust.loft(
        10,
        Vec3::X,
        SKIN,
        &[
            skull(0.8, 16.4, [0.0, 0.0]),
            skull(0.9, 17.2, [2.4, 1.8]),
            skull(0.6, 19.5, [3.6, 3.0]),
            skull(0.2, 22.5, [4.2, 3.6]),
            skull(0.0, 25.0, [4.0, 3.5]),
            skull(0.0, 27.2, [2.6, 2.3]),
            skull(0.0, 28.0, [0.0, 0.0]),
        ],
    );
    let nose = |x: f32, z: f32, half: f32| ring(head, v(x, 0.0, z), half, half);
    bust.loft(5, Vec3::X, SKIN, &[nose(3.6, 22.6, 0.2), nose(4.3, 20.9, 0.8), nose(4.0, 20.0, 0.0)]);
    bust.surface("eyes", "ponytail/eyes");
    for y in [-1.5, 1.5] {
        let eye = |x: f32, half: f32| ring(head, v(x, y, 22.6), half * 0.8, half);
        bust.loft(6, Vec3::Z, EYES, &[eye(3.3, 0.5), eye(4.2, 0.5), eye(4.3, 0.0)]);
    }
    bust.surface("hair", "ponytail/hair");
    // A cap that is tilted back leaves the face free.
    let cap = |x: f32, z: f32, half: [f32; 2]| ring(head, v(x, 0.0, z), half[0], half[1]);
    bust.loft(
        10,
        Vec3::Y,
        HAIR,
        &[
            cap(-3.2, 18.0, [0.0, 0.0]),
            cap(-2.6, 19.4, [3.0, 1.9]),
            cap(-1.2, 22.4, [4.0, 3.6]),
            cap(0.1, 25.4, [3.9, 4.3]),
            cap(0.8, 28.0, [2.4, 2.6]),
            cap(0.9, 28.7, [0.0, 0.0]),
        ],
    );
    let along = |link: f32| root + slope * link;
    let mut rings = vec![ring(head, along(-0.4), 0.0, 0.0), joint([head, tail[0]], along(0.0), 1.0, 1.0)];
    for link in 0..LINKS {
        let half = [1.5, 1.8, 1.7, 1.4, 1.0][link];
        rings.push(ring(tail[link], along(link as f32 + 0.5), half, half));
        if let Some(&next) = tail.get(link + 1) {
            rings.push(joint([tail[link], next], along(link as f32 + 1.0), half * 0.95, half * 0.95));
        }
    }
    rings.push(ring(tail[LINKS - 1], along(LINKS as f32), 0.0, 0.0));
    bust.loft(7, Vec3::Y, HAIR, &rings);

    bust.animation("shake", 24, 20.0, |bone, phase| {
        let shake = Quat::from_rotation_z(SHAKE * (TAU * phase).sin());
        if bone == head { shake } else { Quat::IDENTITY }
    });
    bust.model()
}
