//! The two animations of getting up: from the back and from the face, each a function from seconds to a [`Figure`].
//! Both end in the first pose of "idle" with the entity's origin between the feet.

use super::curve::{Key, curve};
use super::figure::{Arm, Figure, Foot, Turn};
use super::motion::Motion;
use skelobj::math::Vec3;

/// Animations in the order of their numbers.
pub const GET_UPS: [Motion; 2] = [
    Motion { name: "getup_back", frames: 61, rate: 30.0, looping: false, events: &[], figure: from_back },
    Motion { name: "getup_front", frames: 67, rate: 30.0, looping: false, events: &[], figure: from_front },
];

/// Returns the way up from the back: the trunk rises, the feet are drawn in, the weight moves over them.
fn from_back(t: f32) -> Figure {
    let at = |keys: &[Key]| curve(keys, t);
    let arm = |late: f32| {
        let at = |keys: &[Key]| curve(keys, t - late);
        Arm {
            swing: at(&[
                (0.0, 0.0),
                (0.2, 0.0),
                (0.45, -2.0),
                (0.65, -26.0),
                (0.85, -26.0),
                (1.25, 42.0),
                (1.55, 25.0),
                (1.9, 3.0),
            ]),
            out: at(&[(0.0, 38.0), (0.2, 38.0), (0.6, 30.0), (1.2, 14.0), (1.9, 13.0)]),
            bend: at(&[(0.0, 12.0), (0.3, 40.0), (0.6, 8.0), (0.9, 10.0), (1.25, 35.0), (1.9, 17.0)]),
            wrist: at(&[(0.0, 0.0), (0.6, -25.0), (0.9, -20.0), (1.2, 10.0), (1.9, 6.0)]),
        }
    };
    let foot = |late: f32, end: f32| {
        let at = |keys: &[Key]| curve(keys, t - late);
        Foot {
            ahead: at(&[(0.0, 13.4), (0.3, 13.4), (0.8, end)]),
            out: at(&[(0.0, 2.0), (0.8, 0.6)]),
            lift: at(&[(0.0, 0.0), (0.3, 0.0), (0.55, 1.5), (0.8, 0.0)]),
            pitch: at(&[(0.0, -78.0), (0.3, -72.0), (0.8, 0.0)]),
            yaw: at(&[(0.0, 12.0), (0.8, 9.0)]),
            toe: 0.0,
        }
    };
    Figure {
        pelvis: Vec3::new(
            at(&[(0.0, -22.0), (0.25, -22.0), (0.7, -20.5), (0.95, -16.0), (1.15, -11.0), (1.35, -6.5), (1.9, -0.3)]),
            at(&[(0.0, 0.0), (1.9, -0.4)]),
            at(&[
                (0.0, -30.6),
                (0.2, -30.6),
                (0.7, -29.3),
                (0.95, -27.0),
                (1.15, -20.5),
                (1.35, -14.0),
                (1.6, -5.0),
                (1.9, -0.45),
            ]),
        ),
        hips: Turn {
            pitch: at(&[
                (0.0, -88.0),
                (0.15, -87.0),
                (0.65, -36.0),
                (0.95, -27.0),
                (1.15, -3.0),
                (1.35, 28.0),
                (1.6, 20.0),
                (1.9, 1.0),
            ]),
            yaw: 0.0,
            roll: 0.0,
        },
        spine: Turn {
            pitch: at(&[(0.0, 0.0), (0.35, 20.0), (0.65, 26.0), (1.0, 22.0), (1.9, -1.0)]),
            yaw: 0.0,
            roll: 0.0,
        },
        chest: Turn {
            pitch: at(&[(0.0, 0.0), (0.3, 14.0), (0.65, 18.0), (1.0, 14.0), (1.9, 2.0)]),
            yaw: 0.0,
            roll: 0.0,
        },
        head: Turn {
            pitch: at(&[(0.0, -4.0), (0.25, 24.0), (0.7, 4.0), (1.3, -26.0), (1.9, 1.0)]),
            yaw: 0.0,
            roll: 0.0,
        },
        arms: [arm(0.0), arm(0.04)],
        feet: [foot(0.06, 0.6), foot(0.0, -0.8)],
    }
}

/// Returns the way up from the face: the arms push the trunk up over the knees, the left foot is planted, the right one
/// follows.
fn from_front(t: f32) -> Figure {
    let at = |keys: &[Key]| curve(keys, t);
    let arm = |late: f32| {
        let at = |keys: &[Key]| curve(keys, t - late);
        Arm {
            swing: at(&[
                (0.0, 0.0),
                (0.15, 0.0),
                (0.4, -2.0),
                (0.6, 20.0),
                (0.8, 44.0),
                (1.05, 46.0),
                (1.5, 20.0),
                (2.1, 3.0),
            ]),
            out: at(&[(0.0, 48.0), (0.15, 48.0), (0.4, 36.0), (0.8, 10.0), (1.5, 16.0), (2.1, 13.0)]),
            bend: at(&[(0.0, 3.0), (0.15, 3.0), (0.4, 12.0), (0.8, 14.0), (1.2, 24.0), (2.1, 17.0)]),
            wrist: at(&[(0.0, 0.0), (0.4, -30.0), (0.8, -38.0), (1.1, 0.0), (2.1, 6.0)]),
        }
    };
    let left = Foot {
        ahead: at(&[(0.0, -45.6), (0.15, -45.6), (0.8, -45.0), (0.9, -42.0), (1.25, -4.0), (1.8, -4.0), (2.1, 0.6)]),
        out: at(&[(0.0, 1.5), (2.1, 0.6)]),
        lift: at(&[(0.0, 0.0), (0.85, 0.0), (1.05, 3.0), (1.25, 0.0), (1.8, 0.0), (1.95, 1.0), (2.1, 0.0)]),
        pitch: at(&[(0.0, 128.0), (0.8, 122.0), (0.95, 100.0), (1.1, 55.0), (1.25, 0.0)]),
        yaw: at(&[(0.0, 0.0), (1.25, 9.0)]),
        toe: at(&[(0.0, 10.0), (0.8, 10.0), (1.25, 0.0)]),
    };
    let right = Foot {
        ahead: at(&[(0.0, -45.6), (0.15, -45.6), (0.8, -45.0), (1.25, -39.0), (1.45, -28.0), (1.85, -0.8)]),
        out: at(&[(0.0, 1.5), (2.1, 0.6)]),
        lift: at(&[(0.0, 0.0), (1.4, 0.0), (1.65, 3.0), (1.85, 0.0)]),
        pitch: at(&[(0.0, 128.0), (0.8, 122.0), (1.2, 112.0), (1.45, 62.0), (1.85, 0.0)]),
        yaw: at(&[(0.0, 0.0), (1.85, 9.0)]),
        toe: at(&[(0.0, 10.0), (1.2, 20.0), (1.45, 40.0), (1.85, 0.0)]),
    };
    Figure {
        pelvis: Vec3::new(
            at(&[
                (0.0, -6.0),
                (0.15, -6.0),
                (0.35, -6.8),
                (0.5, -9.5),
                (0.8, -17.5),
                (1.2, -14.0),
                (1.5, -8.0),
                (2.1, -0.3),
            ]),
            at(&[(0.0, 0.0), (2.1, -0.4)]),
            at(&[
                (0.0, -30.4),
                (0.15, -30.4),
                (0.35, -26.0),
                (0.5, -21.0),
                (0.8, -17.2),
                (1.05, -14.5),
                (1.25, -14.0),
                (1.5, -8.5),
                (2.1, -0.45),
            ]),
        ),
        hips: Turn {
            pitch: at(&[(0.0, 88.0), (0.15, 87.0), (0.8, 66.0), (1.05, 30.0), (1.25, 12.0), (1.5, 18.0), (2.1, 1.0)]),
            yaw: 0.0,
            roll: 0.0,
        },
        spine: Turn {
            pitch: at(&[(0.0, 0.0), (0.35, -14.0), (0.8, 4.0), (1.2, 12.0), (2.1, -1.0)]),
            yaw: 0.0,
            roll: 0.0,
        },
        chest: Turn {
            pitch: at(&[(0.0, 0.0), (0.35, -10.0), (0.8, 4.0), (1.2, 8.0), (2.1, 2.0)]),
            yaw: 0.0,
            roll: 0.0,
        },
        head: Turn {
            pitch: at(&[(0.0, -4.0), (0.35, -28.0), (0.8, -24.0), (1.3, -18.0), (2.1, 1.0)]),
            yaw: 0.0,
            roll: 0.0,
        },
        arms: [arm(0.0), arm(0.03)],
        feet: [left, right],
    }
}
