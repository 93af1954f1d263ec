//! Dog that trots.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use skelobj::Model;
use skelobj::math::{Quat, Vec3};
use skelobj::model::SkeletonError;

use super::figure::{Figure, Ring, joint, ring};

const COAT: [u8; 3] = [176, 128, 80];
const PALE: [u8; 3] = [222, 198, 160];
const DARK: [u8; 3] = [70, 50, 40];

/// Leg: bones from the top to the paw.
struct Leg {
    bones: [usize; 3],
    /// Phase of its step.
    phase: f32,
    /// Angle by which the middle joint bends while the paw is in the air, radians about the model's Y.
    bend: f32,
}

/// Returns the dog.
pub fn model() -> Result<Model, SkeletonError> {
    let mut dog = Figure::default();
    let v = Vec3::new;
    let trunk = [
        v(-11.0, 0.0, 20.0),
        v(-4.0, 0.0, 20.6),
        v(4.0, 0.0, 20.4),
        v(10.5, 0.0, 22.5),
        v(15.0, 0.0, 28.0),
        v(23.0, 0.0, 27.0),
    ];
    let mut parent = None;
    let [pelvis, spine, chest, neck, head] = ["pelvis", "spine", "chest", "neck", "head"].map(|name| {
        let number = parent.map_or(0, |last: usize| last + 1);
        let bone = dog.bone(name, parent, trunk[number], trunk[number + 1]);
        parent = Some(bone);
        bone
    });
    let rump = [v(-13.5, 0.0, 21.0), v(-18.0, 0.0, 22.5), v(-22.0, 0.0, 25.5), v(-24.5, 0.0, 29.0)];
    let tail1 = dog.bone("tail1", Some(pelvis), rump[0], rump[1]);
    let tail2 = dog.bone("tail2", Some(tail1), rump[1], rump[2]);
    let tail3 = dog.bone("tail3", Some(tail2), rump[2], rump[3]);

    dog.surface("coat", "dog/coat");
    let body = |bone: usize, x: f32, z: f32, high: f32, wide: f32| ring(bone, v(x, 0.0, z), wide, high);
    dog.loft(
        10,
        Vec3::Y,
        COAT,
        &[
            body(pelvis, -14.4, 19.5, 0.0, 0.0),
            body(pelvis, -14.0, 19.5, 2.6, 2.4),
            body(pelvis, -10.0, 19.0, 4.2, 4.0),
            Ring { at: v(-4.0, 0.0, 18.9), ..joint([pelvis, spine], Vec3::ZERO, 3.6, 3.8) },
            Ring { at: v(4.0, 0.0, 18.4), ..joint([spine, chest], Vec3::ZERO, 4.4, 5.2) },
            body(chest, 8.5, 18.8, 5.0, 4.2),
            Ring { at: v(11.6, 0.0, 21.5), ..joint([chest, neck], Vec3::ZERO, 3.0, 4.2) },
            Ring { at: v(14.6, 0.0, 26.6), ..joint([neck, head], Vec3::ZERO, 2.3, 2.8) },
            ring(head, v(15.6, 0.0, 29.0), 2.0, 1.6),
        ],
    );
    let skull = |x: f32, z: f32, wide: f32, high: f32| ring(head, v(x, 0.0, z), wide, high);
    dog.loft(
        9,
        Vec3::Y,
        COAT,
        &[
            skull(13.0, 28.6, 0.0, 0.0),
            skull(13.6, 28.6, 1.8, 1.8),
            skull(16.0, 29.0, 2.9, 3.0),
            skull(18.4, 28.4, 2.3, 2.2),
            skull(19.4, 27.6, 1.5, 1.5),
        ],
    );
    let snout = [skull(19.0, 27.6, 1.5, 1.5), skull(22.6, 27.0, 1.1, 1.0), skull(23.0, 27.0, 0.0, 0.0)];
    dog.loft(8, Vec3::Y, PALE, &snout);
    dog.loft(
        5,
        Vec3::Y,
        DARK,
        &[skull(22.4, 27.7, 0.5, 0.5), skull(23.4, 27.7, 0.6, 0.5), skull(23.6, 27.7, 0.0, 0.0)],
    );
    for side in [-1.0, 1.0] {
        let ear = |x: f32, y: f32, z: f32, half: f32| ring(head, v(x, side * y, z), half, half * 0.4);
        dog.loft(5, Vec3::X, DARK, &[ear(14.8, 2.0, 31.0, 1.2), ear(14.4, 3.4, 29.6, 1.4), ear(14.4, 3.9, 27.0, 0.0)]);
        let eye = |y: f32, half: f32| ring(head, v(17.9, side * y, 29.6), half, half);
        dog.loft(5, Vec3::X, DARK, &[eye(1.4, 0.5), eye(2.4, 0.5), eye(2.6, 0.0)]);
    }
    dog.loft(
        7,
        Vec3::Y,
        COAT,
        &[
            ring(pelvis, rump[0] + Vec3::X, 1.2, 1.2),
            joint([pelvis, tail1], rump[0], 1.3, 1.3),
            joint([tail1, tail2], rump[1], 1.2, 1.2),
            joint([tail2, tail3], rump[2], 1.0, 1.0),
            ring(tail3, (rump[2] + rump[3]) / 2.0, 0.8, 0.8),
            ring(tail3, rump[3], 0.4, 0.4),
            ring(tail3, rump[3] + v(-0.3, 0.0, 0.4), 0.0, 0.0),
        ],
    );

    let mut legs = Vec::new();
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let far = if sign > 0.0 { 0.0 } else { PI };
        let at = |x: f32, z: f32| v(x, sign * 3.2, z);
        let front = [at(7.5, 17.5), at(6.2, 10.0), at(7.0, 2.4), at(10.0, 1.1)];
        let hind = [at(-11.0, 18.0), at(-8.6, 11.0), at(-13.0, 5.6), at(-11.6, 1.4)];
        let names = [["arm", "forearm", "paw"], ["thigh", "shin", "foot"]];
        for (names, places, root, phase, bend, halves) in [
            (names[0], front, chest, far, -0.9, [[2.0, 2.4], [1.5, 1.6], [1.1, 1.2], [1.3, 1.0]]),
            (names[1], hind, pelvis, far + PI, 0.8, [[2.2, 3.2], [1.6, 2.0], [1.1, 1.2], [1.0, 1.0]]),
        ] {
            let mut parent = root;
            let bones = [0, 1, 2].map(|i| {
                parent = dog.bone(&format!("{}_{side}", names[i]), Some(parent), places[i], places[i + 1]);
                parent
            });
            let above = places[0] + (places[0] - places[1]) * 0.25;
            let mut rings = vec![
                ring(bones[0], above, 0.0, 0.0),
                ring(bones[0], above, halves[0][0] * 0.7, halves[0][1] * 0.7),
                ring(bones[0], places[0], halves[0][0], halves[0][1]),
            ];
            for i in 1..3 {
                let half = |side: usize| (halves[i - 1][side] + halves[i][side]) / 2.0;
                rings.push(ring(bones[i - 1], (places[i - 1] + places[i]) / 2.0, half(0), half(1)));
                rings.push(joint([bones[i - 1], bones[i]], places[i], halves[i][0], halves[i][1]));
            }
            rings.push(ring(bones[2], places[3], halves[3][0], halves[3][1]));
            rings.push(ring(bones[2], places[3] + (places[3] - places[2]) * 0.1, 0.0, 0.0));
            dog.loft(7, Vec3::Y, COAT, &rings);
            if names[2] == "foot" {
                let toes = |x: f32, half: f32| ring(bones[2], places[3] + v(x, 0.0, -0.4), half, half * 0.8);
                dog.loft(6, Vec3::Y, PALE, &[toes(-0.8, 0.0), toes(-0.8, 1.0), toes(2.0, 1.2), toes(2.6, 0.0)]);
            }
            legs.push(Leg { bones, phase, bend });
        }
    }

    dog.animation("trot", 16, 30.0, |bone, phase| {
        let turn = TAU * phase;
        for leg in &legs {
            let own = turn + leg.phase;
            // The paw is in the air while the leg swings forward.
            let air = (own + FRAC_PI_2).sin().max(0.0);
            let angle = match leg.bones.iter().position(|&part| part == bone) {
                Some(0) => -0.45 * own.sin(),
                Some(1) => leg.bend * air,
                Some(2) => -0.5 * leg.bend * air,
                _ => continue,
            };
            return Quat::from_rotation_y(angle);
        }
        match bone {
            _ if bone == spine => Quat::from_rotation_y(0.05 * (2.0 * turn).sin()),
            _ if bone == head => Quat::from_rotation_y(0.1 * (2.0 * turn).cos()),
            _ if bone == tail1 => Quat::from_rotation_z(0.4 * turn.sin()),
            _ if bone == tail2 => Quat::from_rotation_z(0.3 * turn.sin()),
            _ => Quat::IDENTITY,
        }
    });
    dog.model()
}
