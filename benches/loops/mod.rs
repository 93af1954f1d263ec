//! Posing in scalar loops over bones, with the passes and the memory traffic of FTE's C.
//!
//! A pose is sampled into the object or into a buffer, the buffer is mixed into the object in two passes, and each
//! product of two matrices is a call. Matrices are cells: a write may change what is read next, as the compiler of C
//! must assume of pointers to floats. `pose_cost` prints the instructions of these loops beside FTE's.

use std::cell::Cell;
use std::hint::black_box;

use skelobj_model::math::Mat3x4;

/// Matrix of a bone, row-major 3x4.
pub type Bone = Cell<[f32; 12]>;

/// Returns matrices as cells.
pub fn cells(matrices: &[Mat3x4]) -> Vec<Bone> {
    matrices.iter().map(|matrix| Cell::new(matrix.0)).collect()
}

#[inline(always)]
fn floats(bone: &Bone) -> &[Cell<f32>] {
    let bone: &Cell<[f32]> = bone;
    bone.as_slice_of_cells()
}

/// Writes the weighted sum of poses: the first product replaces, the others are added.
#[inline(never)]
pub fn sample(poses: &[(&[Bone], f32)], out: &[Bone]) {
    let [(first, first_weight), rest @ ..] = poses else { return };
    // Hidden from the compiler, which otherwise writes out all twelve: gcc at -O2 does not.
    let count = black_box(12);
    for (bone, out) in out.iter().enumerate() {
        let out = &floats(out)[..count];
        for (out, float) in out.iter().zip(&floats(&first[bone])[..count]) {
            out.set(float.get() * first_weight);
        }
        for (pose, weight) in rest {
            for (out, float) in out.iter().zip(&floats(&pose[bone])[..count]) {
                out.set(out.get() + float.get() * weight);
            }
        }
    }
}

/// Multiplies the floats of bones by a factor.
#[inline(never)]
pub fn scale(bones: &[Bone], factor: f32) {
    for bone in bones {
        for float in floats(bone) {
            float.set(float.get() * factor);
        }
    }
}

/// Adds a multiple of a buffer to bones.
#[inline(never)]
pub fn add(bones: &[Bone], buffer: &[Bone], factor: f32) {
    for (bone, new) in bones.iter().zip(buffer) {
        for (float, new) in floats(bone).iter().zip(floats(new)) {
            float.set(float.get() + factor * new.get());
        }
    }
}

/// Multiplies two matrices, number by number.
#[inline(never)]
pub fn product(a: &Bone, b: &Bone, out: &Bone) {
    let (a, b, out) = (floats(a), floats(b), floats(out));
    for row in [0, 4, 8] {
        out[row].set(sum(a, row, b, 0));
        out[row + 1].set(sum(a, row, b, 1));
        out[row + 2].set(sum(a, row, b, 2));
        out[row + 3].set(sum(a, row, b, 3) + a[row + 3].get());
    }
}

#[inline(always)]
fn sum(a: &[Cell<f32>], row: usize, b: &[Cell<f32>], column: usize) -> f32 {
    a[row].get() * b[column].get() + a[row + 1].get() * b[column + 4].get() + a[row + 2].get() * b[column + 8].get()
}

/// Computes all bones in model space, from the root to the leaves.
#[inline(never)]
pub fn model_space(parents: &[i32], local: &[Bone], out: &[Bone]) {
    for (bone, own) in local.iter().enumerate() {
        match usize::try_from(parents[bone]) {
            Ok(parent) => product(&out[parent], own, &out[bone]),
            Err(_) => out[bone].set(own.get()),
        }
    }
}

/// Multiplies each bone in model space by its inverse bind matrix.
#[inline(never)]
pub fn palette(model: &[Bone], inverse_bind: &[Bone], out: &[Bone]) {
    for ((model, inverse_bind), out) in model.iter().zip(inverse_bind).zip(out) {
        product(model, inverse_bind, out);
    }
}

/// Computes one bone in model space, from the bone to the root. FTE multiplies the bone by the identity first.
#[inline(never)]
pub fn bone(parents: &[i32], local: &[Bone], bone: usize) -> Mat3x4 {
    let matrix = local[bone].clone();
    let mut parent = parents[bone];
    while let Ok(above) = usize::try_from(parent) {
        let below = matrix.clone();
        product(&local[above], &below, &matrix);
        parent = parents[above];
    }
    Mat3x4(matrix.get())
}
