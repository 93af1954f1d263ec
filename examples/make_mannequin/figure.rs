//! Conversion of a posture (pelvis, feet, arms) to bone matrices: two-bone inverse kinematics for the legs, rotations
//! of joints for the rest.

use super::body::{self, ARMS, CHEST, Frame, HEAD, LEGS, NECK, PELVIS, SPINE, TABLE};
use skelobj::math::{Mat3x4, Quat, Vec3};

/// Maximum length of a stretched leg, as a fraction of its bones; a locked knee looks stiff.
const REACH: f32 = 0.995;
/// Point about which a foot rolls on its heel, relative to the point below the ankle.
const HEEL: Vec3 = Vec3::new(-2.0, 0.0, 0.3);

/// Rotation in degrees like Quake's angles: positive pitch bows forward, yaw turns left, roll lowers the right side.
#[derive(Clone, Copy, Default)]
pub struct Turn {
    pub pitch: f32,
    pub yaw: f32,
    pub roll: f32,
}

impl Turn {
    fn quat(self) -> Quat {
        Quat::from_rotation_z(self.yaw.to_radians())
            * Quat::from_rotation_y(self.pitch.to_radians())
            * Quat::from_rotation_x(self.roll.to_radians())
    }
}

/// Arm, degrees. It swings without twisting, as the shoulder of the doll does.
#[derive(Clone, Copy, Default)]
pub struct Arm {
    /// Angle forward from hanging; negative is backward.
    pub swing: f32,
    /// Angle away from the side; 45 is the bind pose.
    pub out: f32,
    /// Angle of the elbow; 0 is straight.
    pub bend: f32,
    /// Angle of the wrist towards the palm.
    pub wrist: f32,
}

/// Foot: position and roll of its sole.
#[derive(Clone, Copy, Default)]
pub struct Foot {
    /// Units ahead of the bind pose.
    pub ahead: f32,
    /// Units outward of the bind pose.
    pub out: f32,
    /// Units above the floor.
    pub lift: f32,
    /// Degrees of roll: positive lifts the heel (over the ball), negative the toes (over the heel).
    pub pitch: f32,
    /// Degrees by which the toes point outward.
    pub yaw: f32,
    /// Degrees by which the toes bend up.
    pub toe: f32,
}

/// Whole posture. Index 0 is left, 1 is right.
#[derive(Clone, Copy, Default)]
pub struct Figure {
    /// Offset of the pelvis from the bind pose, units: ahead, left, up.
    pub pelvis: Vec3,
    pub hips: Turn,
    /// Waist: pitch and roll are the free axes of the doll.
    pub spine: Turn,
    /// Chest relative to the waist: pitch and yaw.
    pub chest: Turn,
    /// Head relative to the chest: pitch and roll.
    pub head: Turn,
    pub arms: [Arm; 2],
    pub feet: [Foot; 2],
}

impl Figure {
    /// Returns the parent-relative matrices in the order of the table. Bones keep their lengths; a leg that is too
    /// short for its foot's position stretches towards it.
    pub fn pose(&self) -> Vec<Mat3x4> {
        let bind = body::bind();
        // Rotations from the bind pose in the model's axes, multiplied down the hierarchy.
        let mut delta = [Quat::IDENTITY; TABLE.len()];
        delta[PELVIS] = self.hips.quat();
        delta[SPINE] = delta[PELVIS] * self.spine.quat();
        delta[CHEST] = delta[SPINE] * self.chest.quat();
        delta[NECK] = delta[CHEST];
        delta[HEAD] = delta[CHEST] * self.head.quat();
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            self.arm(side, sign, &bind, &mut delta);
            self.leg(side, sign, &bind, &mut delta);
        }
        let turn: Vec<Quat> = delta.iter().zip(&bind).map(|(delta, frame)| *delta * frame.turn).collect();
        let relative = |(i, row): (usize, &body::Row)| match row.parent {
            None => Mat3x4::from_rotation_translation(turn[i], bind[i].at + self.pelvis),
            Some(p) => {
                let at = bind[p].turn.inverse() * (bind[i].at - bind[p].at);
                Mat3x4::from_rotation_translation(turn[p].inverse() * turn[i], at)
            }
        };
        TABLE.iter().enumerate().map(relative).collect()
    }

    fn arm(&self, side: usize, sign: f32, bind: &[Frame], delta: &mut [Quat]) {
        let arm = self.arms[side];
        let first = ARMS[side];
        let (swing_sin, swing_cos) = arm.swing.to_radians().sin_cos();
        let (out_sin, out_cos) = arm.out.to_radians().sin_cos();
        let wanted = Vec3::new(swing_sin * out_cos, sign * out_sin, -swing_cos * out_cos);
        let elbow = bind[first + 2].turn * Vec3::Y;
        let wrist = bind[first + 3].turn * Vec3::X;
        delta[first] = delta[CHEST];
        delta[first + 1] = delta[first] * Quat::from_rotation_arc(bind[first + 1].turn * Vec3::Z, wanted);
        delta[first + 2] = delta[first + 1] * Quat::from_axis_angle(elbow, arm.bend.to_radians());
        delta[first + 3] = delta[first + 2] * Quat::from_axis_angle(wrist, -sign * arm.wrist.to_radians());
    }

    fn leg(&self, side: usize, sign: f32, bind: &[Frame], delta: &mut [Quat]) {
        let foot = self.feet[side];
        let first = LEGS[side];
        let [thigh, shin, ankle, toe] = [first, first + 1, first + 2, first + 3].map(|bone| bind[bone].at);
        let hip = bind[PELVIS].at + self.pelvis + delta[PELVIS] * (thigh - bind[PELVIS].at);

        // The sole rolls over the ball of the foot or over the heel, whichever is down.
        let yaw = Quat::from_rotation_z(sign * foot.yaw.to_radians());
        let roll = yaw * Quat::from_rotation_y(foot.pitch.to_radians());
        let pivot = if foot.pitch > 0.0 { toe } else { HEEL + Vec3::Y * ankle.y } - ankle;
        let flat = ankle + Vec3::new(foot.ahead, sign * foot.out, foot.lift);
        let target = flat + yaw * pivot - roll * pivot;

        let (upper, lower) = (thigh.distance(shin), shin.distance(ankle));
        let reach = target - hip;
        let length = reach.length().clamp(1.0, (upper + lower) * REACH);
        let down = reach.normalize();
        let left = delta[PELVIS] * Quat::from_rotation_z(sign * foot.yaw.to_radians() * 0.5) * Vec3::Y;
        let left = (left - down * left.dot(down)).normalize();
        let along = (upper * upper - lower * lower + length * length) / (2.0 * length);
        let knee = down * along + down.cross(left) * (upper * upper - along * along).max(0.0).sqrt();
        let aim = |from: Vec3, to: Vec3| body::axes((to - from).cross(left), to - from);
        delta[first] = aim(Vec3::ZERO, knee) * bind[first].turn.inverse();
        delta[first + 1] = aim(knee, down * length) * bind[first + 1].turn.inverse();
        delta[first + 2] = roll;
        delta[first + 3] = roll * Quat::from_rotation_y(-foot.toe.to_radians());
    }
}
