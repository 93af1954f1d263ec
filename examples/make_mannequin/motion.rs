//! The four animations of the mannequin, each a function from time to a [`Figure`].

use super::curve::{Key, cubic, curve, cycle};
use super::figure::{Arm, Figure, Foot, Turn};
use skelobj::math::Vec3;
use std::f32::consts::TAU;

/// Animation to sample.
pub struct Motion {
    /// Name.
    pub name: &'static str,
    /// Number of frames, and frames per second.
    pub frames: u32,
    pub rate: f32,
    pub looping: bool,
    /// Time in seconds and sound of each event.
    pub events: &'static [(f32, &'static str)],
    /// Posture at a time: a phase from 0 to 1 if the animation loops, otherwise seconds.
    pub figure: fn(f32) -> Figure,
}

/// Animations in the order of their numbers. The feet do not slide if the entity moves at 47 units per second in the
/// walk and 191 in the run.
pub const MOTIONS: [Motion; 4] = [
    Motion { name: "idle", frames: 60, rate: 20.0, looping: true, events: &[], figure: idle },
    Motion {
        name: "walk",
        frames: 28,
        rate: 30.0,
        looping: true,
        events: &[(0.0, "footstep_l"), (14.0 / 30.0, "footstep_r")],
        figure: walk,
    },
    Motion {
        name: "run",
        frames: 18,
        rate: 30.0,
        looping: true,
        events: &[(0.0, "footstep_l"), (9.0 / 30.0, "footstep_r")],
        figure: run,
    },
    Motion { name: "death", frames: 37, rate: 30.0, looping: false, events: &[], figure: death },
];

impl Motion {
    /// Returns the posture of frame `frame`.
    pub fn at(&self, frame: u32) -> Figure {
        let span = if self.looping { self.frames as f32 } else { self.rate };
        (self.figure)(frame as f32 / span)
    }
}

/// Returns the sine of a phase.
fn wave(phase: f32) -> f32 {
    (TAU * phase).sin()
}

fn idle(phase: f32) -> Figure {
    let (breath, sway) = (wave(phase), wave(phase - 0.1));
    let arm = |late: f32| Arm {
        swing: 3.0 + 1.2 * wave(phase - late),
        out: 13.0 + 1.0 * breath,
        bend: 17.0 + 2.0 * wave(phase - late),
        wrist: 6.0,
    };
    let foot = Foot { out: 0.6, yaw: 9.0, ..Foot::default() };
    Figure {
        pelvis: Vec3::new(-0.3, 0.7 * sway, -0.45 - 0.12 * breath),
        hips: Turn { pitch: 1.0, yaw: 1.0 * sway, roll: 1.4 * sway },
        spine: Turn { pitch: -1.0 - 0.8 * breath, yaw: 0.0, roll: -2.2 * sway },
        chest: Turn { pitch: 2.0 - 1.3 * breath, yaw: -1.5 * sway, roll: 0.0 },
        head: Turn { pitch: 1.0 + 1.8 * wave(phase - 0.08), yaw: 0.0, roll: 1.2 * sway },
        arms: [arm(0.12), arm(0.2)],
        feet: [Foot { ahead: 0.6, ..foot }, Foot { ahead: -0.8, ..foot }],
    }
}

/// Path of a foot through a cycle that begins when it touches the floor.
struct Gait {
    /// Fraction of the cycle during which the foot is on the floor.
    stance: f32,
    /// Positions at which it comes down and leaves, units ahead of the bind pose.
    front: f32,
    back: f32,
    /// Fraction of the floor's speed that it keeps when it leaves and returns.
    follow: f32,
    /// Distance towards the middle line from the bind pose, units.
    narrow: f32,
    lift: &'static [Key],
    pitch: &'static [Key],
    toe: &'static [Key],
}

impl Gait {
    fn foot(&self, phase: f32) -> Foot {
        let phase = phase.rem_euclid(1.0);
        let speed = (self.back - self.front) / self.stance;
        let ahead = if phase < self.stance {
            self.front + speed * phase
        } else {
            let swing = 1.0 - self.stance;
            let slope = speed * swing * self.follow;
            cubic(self.back, slope, self.front, slope, (phase - self.stance) / swing)
        };
        Foot {
            ahead,
            out: -self.narrow,
            lift: cycle(self.lift, phase),
            pitch: cycle(self.pitch, phase),
            yaw: 4.0,
            toe: cycle(self.toe, phase),
        }
    }
}

const WALK: Gait = Gait {
    stance: 0.62,
    front: 11.0,
    back: -16.0,
    follow: 0.6,
    narrow: 0.9,
    lift: &[(0.0, 0.0), (0.6, 0.0), (0.70, 1.5), (0.80, 1.9), (0.92, 1.2)],
    pitch: &[
        (0.0, -16.0),
        (0.1, 0.0),
        (0.34, 0.0),
        (0.48, 14.0),
        (0.62, 44.0),
        (0.7, 46.0),
        (0.83, 8.0),
        (0.94, -14.0),
    ],
    toe: &[(0.0, 6.0), (0.1, 0.0), (0.34, 0.0), (0.48, 14.0), (0.62, 42.0), (0.72, 14.0), (0.85, 4.0)],
};

fn walk(phase: f32) -> Figure {
    let (stride, side) = (wave(phase + 0.25), wave(phase - 0.05));
    let arm = |forward: f32| Arm { swing: 2.0 + 24.0 * forward, out: 12.0, bend: 22.0 + 12.0 * forward, wrist: 5.0 };
    Figure {
        pelvis: Vec3::new(0.0, 0.9 * side, -1.5 - 0.65 * wave(2.0 * phase + 0.17)),
        hips: Turn { pitch: 2.0, yaw: -6.0 * stride, roll: 2.6 * side },
        spine: Turn { pitch: 1.0, yaw: 0.0, roll: -3.6 * side },
        chest: Turn { pitch: 2.0, yaw: 11.0 * stride, roll: 0.0 },
        head: Turn { pitch: -3.0 + 0.8 * wave(2.0 * phase), yaw: -3.0 * stride, roll: 0.6 * side },
        arms: [arm(-wave(phase + 0.22)), arm(wave(phase + 0.22))],
        feet: [WALK.foot(phase), WALK.foot(phase + 0.5)],
    }
}

const RUN: Gait = Gait {
    stance: 0.27,
    front: 10.0,
    back: -21.0,
    follow: 0.45,
    narrow: 2.0,
    lift: &[(0.0, 0.0), (0.26, 0.0), (0.38, 8.0), (0.48, 11.5), (0.64, 9.5), (0.8, 6.0), (0.92, 2.2)],
    pitch: &[
        (0.0, -5.0),
        (0.04, 0.0),
        (0.11, 0.0),
        (0.19, 24.0),
        (0.27, 56.0),
        (0.38, 88.0),
        (0.5, 84.0),
        (0.66, 42.0),
        (0.82, 6.0),
        (0.93, -8.0),
    ],
    toe: &[(0.0, 4.0), (0.05, 0.0), (0.11, 0.0), (0.19, 24.0), (0.27, 54.0), (0.36, 14.0), (0.6, 0.0), (0.85, 6.0)],
};

fn run(phase: f32) -> Figure {
    let (stride, side) = (wave(phase + 0.25), wave(phase + 0.1));
    let arm = |forward: f32| Arm {
        swing: -6.0 + 46.0 * forward,
        out: 14.0 - 4.0 * forward,
        bend: 88.0 + 16.0 * forward,
        wrist: 4.0,
    };
    Figure {
        pelvis: Vec3::new(0.0, 0.6 * side, -2.7 - 1.7 * wave(2.0 * phase + 0.04)),
        hips: Turn { pitch: 8.0, yaw: -8.0 * stride, roll: 3.0 * side },
        spine: Turn { pitch: 3.0, yaw: 0.0, roll: -3.5 * side },
        chest: Turn { pitch: 6.0, yaw: 16.0 * stride, roll: 0.0 },
        head: Turn { pitch: -13.0 + 2.0 * wave(2.0 * phase + 0.1), yaw: -5.0 * stride, roll: 0.5 * side },
        arms: [arm(-wave(phase + 0.22)), arm(wave(phase + 0.22))],
        feet: [RUN.foot(phase), RUN.foot(phase + 0.5)],
    }
}

/// Returns the death: a hit in the chest from the front at the start, two steps back, then the knees give way. A
/// ragdoll may take over at any time.
fn death(t: f32) -> Figure {
    let at = |keys: &[Key]| curve(keys, t);
    let flung = |scale: f32, late: f32| {
        let at = |keys: &[Key]| curve(keys, t - late);
        Arm {
            swing: scale * at(&[(0.0, 3.0), (0.14, 48.0), (0.34, 26.0), (0.6, 40.0), (0.85, 12.0), (1.2, 30.0)]),
            out: at(&[(0.0, 13.0), (0.14, 30.0), (0.34, 48.0), (0.6, 40.0), (0.85, 58.0), (1.2, 44.0)]),
            bend: at(&[(0.0, 17.0), (0.14, 30.0), (0.34, 62.0), (0.6, 40.0), (0.85, 55.0), (1.2, 35.0)]),
            wrist: at(&[(0.0, 6.0), (0.14, -12.0), (0.4, 20.0), (1.2, 0.0)]),
        }
    };
    Figure {
        pelvis: Vec3::new(
            at(&[(0.0, -0.3), (0.1, -1.4), (0.3, -6.0), (0.55, -12.0), (0.8, -17.0), (1.2, -23.0)]),
            at(&[(0.0, 0.0), (0.2, 1.0), (0.48, -1.0), (0.8, -0.5), (1.2, -1.5)]),
            at(&[(0.0, -0.45), (0.12, -1.0), (0.34, -2.6), (0.58, -5.0), (0.82, -11.0), (1.2, -21.5)]),
        ),
        hips: Turn {
            pitch: at(&[(0.0, 1.0), (0.1, -5.0), (0.3, -10.0), (0.58, -9.0), (0.85, -24.0), (1.2, -48.0)]),
            yaw: at(&[(0.0, 0.0), (0.14, 4.0), (0.4, -8.0), (0.8, -4.0), (1.2, -12.0)]),
            roll: at(&[(0.0, 0.0), (0.25, 3.0), (0.5, -4.0), (0.85, 2.0), (1.2, 9.0)]),
        },
        spine: Turn {
            pitch: at(&[(0.0, -1.0), (0.1, -9.0), (0.26, -3.0), (0.5, 6.0), (0.8, 15.0), (1.2, 10.0)]),
            yaw: 0.0,
            roll: at(&[(0.0, 0.0), (0.2, -4.0), (0.5, 4.0), (1.2, -5.0)]),
        },
        chest: Turn {
            pitch: at(&[(0.0, 2.0), (0.1, -12.0), (0.26, -4.0), (0.5, 8.0), (0.8, 18.0), (1.2, 12.0)]),
            yaw: at(&[(0.0, 0.0), (0.12, 15.0), (0.4, 4.0), (0.7, -6.0), (1.2, -10.0)]),
            roll: 0.0,
        },
        head: Turn {
            pitch: at(&[(0.0, 1.0), (0.09, 18.0), (0.24, -14.0), (0.5, -6.0), (0.8, 14.0), (1.2, 20.0)]),
            yaw: 0.0,
            roll: at(&[(0.0, 0.0), (0.2, -6.0), (0.6, 5.0), (1.2, 12.0)]),
        },
        arms: [flung(1.0, 0.0), flung(0.85, 0.03)],
        feet: [
            Foot {
                ahead: at(&[(0.0, 0.6), (0.38, 0.6), (0.62, -15.0)]),
                out: at(&[(0.0, 0.6), (0.4, 0.6), (0.62, 1.6)]),
                lift: at(&[(0.0, 0.0), (0.38, 0.0), (0.5, 2.2), (0.62, 0.0)]),
                pitch: at(&[
                    (0.0, 0.0),
                    (0.2, -9.0),
                    (0.38, -12.0),
                    (0.5, 18.0),
                    (0.62, 2.0),
                    (0.78, 9.0),
                    (1.2, 20.0),
                ]),
                yaw: at(&[(0.0, 9.0), (0.62, 10.0)]),
                toe: at(&[(0.0, 0.0), (0.38, 8.0), (0.62, 2.0), (0.78, 9.0), (1.2, 20.0)]),
            },
            Foot {
                ahead: at(&[(0.0, -0.8), (0.08, -0.8), (0.32, -11.0)]),
                out: at(&[(0.0, 0.6), (0.32, 1.4)]),
                lift: at(&[(0.0, 0.0), (0.08, 0.0), (0.2, 2.4), (0.32, 0.0)]),
                pitch: at(&[
                    (0.0, 0.0),
                    (0.08, -4.0),
                    (0.2, 16.0),
                    (0.32, 10.0),
                    (0.42, 0.0),
                    (0.7, 0.0),
                    (1.2, -10.0),
                ]),
                yaw: at(&[(0.0, 9.0), (0.32, 14.0)]),
                toe: at(&[(0.0, 0.0), (0.2, 6.0), (0.32, 10.0), (0.42, 0.0)]),
            },
        ],
    }
}
