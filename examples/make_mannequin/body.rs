//! The bones: one table of names, parents, places and directions.
//!
//! Model space is Quake's: X forward, Y left, Z up, units; the soles stand on z = 0. Every bone's own axes follow one
//! rule: **local Z runs along the limb, local X is forward** (made perpendicular to Z), local Y completes them. So
//! Y points left on bones that point up and right on bones that point down, and a turn about +Y swings the far end
//! of any limb forward: it bends elbows and hips; knees bend the other way. Feet and toes lie flat: their Z is forward
//! and their X up, which is what a shin becomes when it is turned forward about its Y.
//!
//! Legs come before the torso, so that `basebone` or the ranges of skel_build can move them apart.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, Skeleton, SkeletonError};

/// The root.
pub const PELVIS: usize = 0;
/// The thighs, left and right; shin, foot and toe follow each.
pub const LEGS: [usize; 2] = [1, 5];
/// First bone of the torso.
pub const SPINE: usize = 9;
/// The rib cage.
pub const CHEST: usize = 10;
/// Between chest and head.
pub const NECK: usize = 11;
/// From the base of the skull up.
pub const HEAD: usize = 12;
/// The clavicles, left and right; upper arm, forearm and hand follow each.
pub const ARMS: [usize; 2] = [13, 17];

/// Which way a bone's local Z points in the bind pose.
#[derive(Clone, Copy)]
pub enum Aim {
    /// Straight up: the bone's axes are the model's.
    Up,
    /// Forward, with X up.
    Flat,
    /// At the next bone of the table.
    Next,
    /// As its parent's.
    Parent,
}

/// A row of the table.
pub struct Row {
    /// The bone's name.
    pub name: &'static str,
    /// The row of its parent.
    pub parent: Option<usize>,
    /// Where it begins in the bind pose, model space.
    pub at: [f32; 3],
    /// Where its local Z points.
    pub aim: Aim,
}

const fn row(name: &'static str, parent: Option<usize>, at: [f32; 3], aim: Aim) -> Row {
    Row { name, parent, at, aim }
}

/// All bones, in the model's order. Arms hang 45 degrees out; everything else stands straight.
#[rustfmt::skip]
pub const TABLE: [Row; 21] = [
    row("pelvis",     None,         [0.0,   0.0,  34.5], Aim::Up),
    row("thigh_l",    Some(PELVIS), [0.0,   3.6,  33.0], Aim::Next),
    row("shin_l",     Some(1),      [0.0,   3.6,  18.6], Aim::Next),
    row("foot_l",     Some(2),      [0.0,   3.6,   4.2], Aim::Flat),
    row("toe_l",      Some(3),      [4.6,   3.6,   1.2], Aim::Flat),
    row("thigh_r",    Some(PELVIS), [0.0,  -3.6,  33.0], Aim::Next),
    row("shin_r",     Some(5),      [0.0,  -3.6,  18.6], Aim::Next),
    row("foot_r",     Some(6),      [0.0,  -3.6,   4.2], Aim::Flat),
    row("toe_r",      Some(7),      [4.6,  -3.6,   1.2], Aim::Flat),
    row("spine",      Some(PELVIS), [0.0,   0.0,  38.5], Aim::Up),
    row("chest",      Some(SPINE),  [0.0,   0.0,  43.5], Aim::Up),
    row("neck",       Some(CHEST),  [-0.3,  0.0,  53.4], Aim::Up),
    row("head",       Some(NECK),   [-0.3,  0.0,  56.0], Aim::Up),
    row("clavicle_l", Some(CHEST),  [-0.2,  1.2,  51.6], Aim::Next),
    row("upperarm_l", Some(13),     [-0.2,  7.0,  51.6], Aim::Next),
    row("forearm_l",  Some(14),     [-0.2, 14.5,  44.1], Aim::Next),
    row("hand_l",     Some(15),     [-0.2, 21.2,  37.4], Aim::Parent),
    row("clavicle_r", Some(CHEST),  [-0.2, -1.2,  51.6], Aim::Next),
    row("upperarm_r", Some(17),     [-0.2, -7.0,  51.6], Aim::Next),
    row("forearm_r",  Some(18),     [-0.2, -14.5, 44.1], Aim::Next),
    row("hand_r",     Some(19),     [-0.2, -21.2, 37.4], Aim::Parent),
];

/// A bone's place and axes in the bind pose, model space.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Its axes: X forward, Z along the limb.
    pub turn: Quat,
    /// Where it begins.
    pub at: Vec3,
}

/// The bind pose in model space, in the table's order.
pub fn bind() -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::with_capacity(TABLE.len());
    for (i, row) in TABLE.iter().enumerate() {
        let at = Vec3::from(row.at);
        let turn = match row.aim {
            Aim::Up => Quat::IDENTITY,
            Aim::Flat => axes(Vec3::Z, Vec3::X),
            Aim::Next => axes(Vec3::X, Vec3::from(TABLE[i + 1].at) - at),
            Aim::Parent => row.parent.map_or(Quat::IDENTITY, |parent| frames[parent].turn),
        };
        frames.push(Frame { turn, at });
    }
    frames
}

/// The rotation whose Z is along `z` and whose X is as near to `x` as can be.
pub fn axes(x: Vec3, z: Vec3) -> Quat {
    let z = z.normalize();
    let x = (x - z * x.dot(z)).normalize();
    Mat3x4::from_columns(x, z.cross(x), z, Vec3::ZERO).rotation()
}

/// The table as the library's skeleton.
pub fn skeleton() -> Result<Skeleton, SkeletonError> {
    let bind = bind();
    let bones = TABLE.iter().zip(&bind).map(|(row, frame)| {
        let (turn, at) = match row.parent.map(|parent| bind[parent]) {
            Some(parent) => (parent.turn.inverse() * frame.turn, parent.turn.inverse() * (frame.at - parent.at)),
            None => (frame.turn, frame.at),
        };
        Bone { name: row.name.into(), parent: row.parent, bind: Mat3x4::from_rotation_translation(turn, at) }
    });
    Skeleton::new(bones.collect())
}
