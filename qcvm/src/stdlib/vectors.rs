//! Builtins on vectors and angles.

use super::call::{Call, finite};
use crate::Fault;
use crate::trig::{atan2f, cos, cosf, hypotf, sin, sinf};

/// Returns the dot product, summed in the same order as in the engines.
fn dot([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    ax * bx + ay * by + az * bz
}

/// Returns a vector's length, computed in `f32` as the engines do, in `f64` where that overflows.
fn length(vector: [f32; 3]) -> f32 {
    let squared = dot(vector, vector);
    if squared.is_finite() {
        return squared.sqrt();
    }
    let squares = vector.map(|v| f64::from(v) * f64::from(v));
    (squares.iter().sum::<f64>().sqrt() as f32).min(f32::MAX)
}

/// Runs `vlen` (#12).
pub(super) fn vlen(call: &mut Call<'_>) -> Result<(), Fault> {
    let vector = call.vector(0);
    call.return_float(length(vector))
}

/// Runs `normalize` (#9): zero for the zero vector.
pub(super) fn normalize(call: &mut Call<'_>) -> Result<(), Fault> {
    let vector = call.vector(0);
    let inverse = 1.0 / length(vector);
    call.return_vector(if inverse.is_finite() { vector.map(|v| v * inverse) } else { [0.0; 3] })
}

/// Runs `vectoangles` (#51): pitch, yaw and roll of a direction, and of an up vector if it was passed; 0 to 360
/// degrees.
///
/// Pitch and roll have the signs that apply to an entity with a mesh.
pub(super) fn vectoangles(call: &mut Call<'_>) -> Result<(), Fault> {
    let forward = call.vector(0);
    let up = (call.machine.argc() > 1).then(|| call.vector(1));
    let radians = angles(forward, up);
    let [pitch, roll] = call.host.mesh_angle_factors();
    let factors = [pitch, 1.0, roll];
    let degrees = std::array::from_fn(|n| {
        let degrees = radians[n].to_degrees() * factors[n];
        finite(if degrees < 0.0 { degrees + 360.0 } else { degrees })
    });
    call.return_vector(degrees)
}

/// Returns pitch (positive is down), yaw and roll in radians.
fn angles(forward: [f32; 3], up: Option<[f32; 3]>) -> [f32; 3] {
    let [x, y, z] = forward;
    let quarter = std::f32::consts::FRAC_PI_2;
    if x == 0.0 && y == 0.0 {
        let sign = if z > 0.0 { -1.0 } else { 1.0 };
        let yaw = up.map_or(0.0, |[up_x, up_y, _]| atan2f(sign * up_y, sign * up_x));
        return [sign * quarter, yaw, 0.0];
    }
    let pitch = -atan2f(z, hypotf(x, y));
    let yaw = atan2f(y, x);
    let roll = up.map_or(0.0, |up| {
        let ((sin_pitch, cos_pitch), (sin_yaw, cos_yaw)) = ((sinf(pitch), cosf(pitch)), (sinf(yaw), cosf(yaw)));
        let left = [-sin_yaw, cos_yaw, 0.0];
        let unrolled = [sin_pitch * cos_yaw, sin_pitch * sin_yaw, cos_pitch];
        -atan2f(dot(up, left), dot(up, unrolled))
    });
    [pitch, yaw, roll]
}

/// Runs `makevectors` (#1): sets the globals to the axes of a pitch, yaw and roll in degrees.
pub(super) fn makevectors(call: &mut Call<'_>) -> Result<(), Fault> {
    let [(sp, cp), (sy, cy), (sr, cr)] = call.vector(0).map(|degrees| {
        // C computes in f64: the angle in radians is rounded to f32, and so is its sine.
        let radians = (f64::from(degrees) * (std::f64::consts::TAU / 360.0)) as f32;
        (sin(radians.into()) as f32, cos(radians.into()) as f32)
    });
    let axes = [
        [cp * cy, cp * sy, -sp],
        [-sr * sp * cy + cr * sy, -sr * sp * sy - cr * cy, -sr * cp],
        [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp],
    ];
    for (global, axis) in call.machine.names.axes.into_iter().zip(axes) {
        call.machine.set_global_vector(global, axis);
    }
    Ok(())
}

/// Runs `vectoyaw` (#13): whole degrees from 0 to 360.
pub(super) fn vectoyaw(call: &mut Call<'_>) -> Result<(), Fault> {
    let [x, y, _] = call.vector(0);
    let yaw = atan2f(y, x).to_degrees().trunc();
    call.return_float(if yaw < 0.0 { yaw + 360.0 } else { yaw })
}

/// Maximum number of attempts of `randomvec`; about every second attempt fails.
const TRIES: usize = 64;

/// Runs `randomvec` (#91): a vector shorter than 1.
pub(super) fn randomvec(call: &mut Call<'_>) -> Result<(), Fault> {
    let mut candidates = (0..TRIES).map(|_| [(); 3].map(|()| call.random() * 2.0 - 1.0));
    let vector = candidates.find(|&vector| dot(vector, vector) < 1.0);
    call.return_vector(vector.unwrap_or_default())
}

/// Runs `aim` (#44): returns `v_forward`.
pub(super) fn aim(call: &mut Call<'_>) -> Result<(), Fault> {
    let [forward, _, _] = call.machine.names.axes;
    let forward = call.machine.global_vector(forward);
    call.return_vector(forward.map(finite))
}
