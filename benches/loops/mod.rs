//! Posing in scalar loops over bones, pass by pass, as engines of Quake's family shape it.
//!
//! A pose is sampled to a buffer, the buffer is mixed into the object, and each product of two matrices is a call.

use skelobj::math::Mat3x4;

/// Writes the weighted sum of poses to a buffer: the first product replaces, the others are added.
#[inline(never)]
pub fn sample(poses: &[(&[Mat3x4], f32)], buffer: &mut [Mat3x4]) {
    for (bone, out) in buffer.iter_mut().enumerate() {
        for (number, (pose, weight)) in poses.iter().enumerate() {
            for (out, float) in out.0.iter_mut().zip(pose[bone].0) {
                *out = if number == 0 { float * weight } else { *out + float * weight };
            }
        }
    }
}

/// Mixes a buffer into bones: one pass to scale what they hold, one to add.
#[inline(never)]
pub fn mix(bones: &mut [Mat3x4], retain: f32, buffer: &[Mat3x4], add: f32) {
    for bone in bones.iter_mut() {
        for float in &mut bone.0 {
            *float *= retain;
        }
    }
    for (bone, new) in bones.iter_mut().zip(buffer) {
        for (float, new) in bone.0.iter_mut().zip(new.0) {
            *float += new * add;
        }
    }
}

/// Multiplies two matrices, number by number.
#[inline(never)]
pub fn product(a: &Mat3x4, b: &Mat3x4, out: &mut Mat3x4) {
    for row in [0, 4, 8] {
        for column in 0..4 {
            let sum = a.0[row] * b.0[column] + a.0[row + 1] * b.0[4 + column] + a.0[row + 2] * b.0[8 + column];
            out.0[row + column] = if column == 3 { sum + a.0[row + 3] } else { sum };
        }
    }
}

/// Computes all bones in model space, from the root to the leaves.
#[inline(never)]
pub fn model_space(parents: &[i32], local: &[Mat3x4], out: &mut [Mat3x4]) {
    for (bone, own) in local.iter().enumerate() {
        match usize::try_from(parents[bone]) {
            Ok(parent) => {
                let parent = out[parent];
                product(&parent, own, &mut out[bone]);
            }
            Err(_) => out[bone] = *own,
        }
    }
}

/// Multiplies each bone in model space by its inverse bind matrix.
#[inline(never)]
pub fn palette(model: &[Mat3x4], inverse_bind: &[Mat3x4], out: &mut [Mat3x4]) {
    for ((model, inverse_bind), out) in model.iter().zip(inverse_bind).zip(out) {
        product(model, inverse_bind, out);
    }
}

/// Computes one bone in model space, from the bone to the root.
#[inline(never)]
pub fn bone(parents: &[i32], local: &[Mat3x4], bone: usize) -> Mat3x4 {
    let mut matrix = local[bone];
    let mut parent = parents[bone];
    while let Ok(above) = usize::try_from(parent) {
        let below = matrix;
        product(&local[above], &below, &mut matrix);
        parent = parents[above];
    }
    matrix
}
