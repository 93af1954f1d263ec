//! Bones of the mannequin: one table of names, parents, positions and directions.
//!
//! Model space is Quake's: X forward, Y left, Z up, Quake units; the soles are at z = 0. The axes of every bone follow
//! one rule: **local Z runs along the limb, local X points forward** (made perpendicular to Z), and local Y completes
//! them. Y therefore points left on bones that point up, and right on bones that point down. A rotation about +Y swings
//! the far end of a limb forward: it bends elbows and hips; knees bend the other way. Feet and toes lie flat: their Z
//! points forward and their X up, which is the axes of a shin rotated forward about Y.
//!
//! Legs precede the torso, so that `basebone` or the ranges of skel_build can animate them separately.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, Skeleton, SkeletonError};

/// Root.
pub const PELVIS: usize = 0;
/// Thighs, left and right; shin, foot and toe follow each.
pub const LEGS: [usize; 2] = [1, 5];
/// First bone of the torso.
pub const SPINE: usize = 9;
/// Rib cage.
pub const CHEST: usize = 10;
/// Neck, between chest and head.
pub const NECK: usize = 11;
/// Head, from the base of the skull up.
pub const HEAD: usize = 12;
/// Clavicles, left and right; upper arm, forearm and hand follow each.
pub const ARMS: [usize; 2] = [13, 17];

/// Direction of a bone's local Z in the bind pose.
#[derive(Clone, Copy)]
pub enum Aim {
    /// Up; the axes of the bone are those of the model.
    Up,
    /// Forward, with X up.
    Flat,
    /// To the next bone of the table.
    Next,
    /// Direction of the parent.
    Parent,
}

/// Row of the table.
pub struct Row {
    /// Name of the bone.
    pub name: &'static str,
    /// Row of the parent.
    pub parent: Option<usize>,
    /// Origin in the bind pose, model space.
    pub at: [f32; 3],
    /// Direction of local Z.
    pub aim: Aim,
}

const fn row(name: &'static str, parent: Option<usize>, at: [f32; 3], aim: Aim) -> Row {
    Row { name, parent, at, aim }
}

/// Bones in the order of the model. Arms hang 45 degrees out; everything else is straight.
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

/// Origin and axes of a bone in the bind pose, model space.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Axes: X forward, Z along the limb.
    pub turn: Quat,
    /// Origin.
    pub at: Vec3,
}

/// Returns the bind pose in model space, in the order of the table.
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

/// Returns the rotation whose Z is along `z` and whose X is as near to `x` as possible.
pub fn axes(x: Vec3, z: Vec3) -> Quat {
    let z = z.normalize();
    let x = (x - z * x.dot(z)).normalize();
    Mat3x4::from_columns(x, z.cross(x), z, Vec3::ZERO).rotation()
}

/// Returns the skeleton of the table.
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
