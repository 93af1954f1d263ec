//! Vectors and angles.

use crate::math::Vec3;
use crate::qc::Host;
use crate::qc::call::Call;
use crate::trig::{atan2f, cosf, hypotf, sinf};

/// A vector's length. f32 as the engines' own where that does not overflow.
fn length(vector: Vec3) -> f32 {
    let squared = vector.length_squared();
    if squared.is_finite() {
        return squared.sqrt();
    }
    let squares = vector.to_array().map(|v| f64::from(v) * f64::from(v));
    (squares.iter().sum::<f64>().sqrt() as f32).min(f32::MAX)
}

/// #12.
pub(crate) fn vlen(call: &mut Call<'_, impl Host + ?Sized>) {
    let vector = call.vector(0);
    call.host.return_float(length(vector));
}

/// #9: zero of zero.
pub(crate) fn normalize(call: &mut Call<'_, impl Host + ?Sized>) {
    let vector = call.vector(0);
    let inverse = 1.0 / length(vector);
    let unit = if inverse.is_finite() { vector * inverse } else { Vec3::ZERO };
    call.host.return_vector(unit);
}

/// #51: pitch, yaw and roll of a direction, and of an up vector if there is one; from 0 to 360 degrees. Pitch and roll
/// are those of an entity that shows a mesh.
pub(crate) fn vectoangles(call: &mut Call<'_, impl Host + ?Sized>) {
    let forward = call.vector(0);
    let up = (call.host.argc() > 1).then(|| call.vector(1));
    let settings = *call.runtime.settings();
    let radians = angles(forward, up);
    let scales = [settings.mesh_pitch, 1.0, settings.mesh_roll];
    let degrees: [f32; 3] = std::array::from_fn(|n| {
        let degrees = radians[n].to_degrees() * scales[n];
        let degrees = if degrees < 0.0 { degrees + 360.0 } else { degrees };
        if degrees.is_finite() { degrees } else { 0.0 }
    });
    call.host.return_vector(Vec3::from(degrees));
}

/// Pitch (down positive), yaw and roll, radians.
fn angles(forward: Vec3, up: Option<Vec3>) -> [f32; 3] {
    let quarter = std::f32::consts::FRAC_PI_2;
    if forward.x == 0.0 && forward.y == 0.0 {
        let sign = if forward.z > 0.0 { -1.0 } else { 1.0 };
        let yaw = up.map_or(0.0, |up| atan2f(sign * up.y, sign * up.x));
        return [sign * quarter, yaw, 0.0];
    }
    let pitch = -atan2f(forward.z, hypotf(forward.x, forward.y));
    let yaw = atan2f(forward.y, forward.x);
    let roll = up.map_or(0.0, |up| {
        let ((sin_pitch, cos_pitch), (sin_yaw, cos_yaw)) = ((sinf(pitch), cosf(pitch)), (sinf(yaw), cosf(yaw)));
        let left = Vec3::new(-sin_yaw, cos_yaw, 0.0);
        let unrolled = Vec3::new(sin_pitch * cos_yaw, sin_pitch * sin_yaw, cos_pitch);
        -atan2f(up.dot(left), up.dot(unrolled))
    });
    [pitch, yaw, roll]
}

/// #13: whole degrees, from 0 to 360.
pub(crate) fn vectoyaw(call: &mut Call<'_, impl Host + ?Sized>) {
    let vector = call.vector(0);
    let yaw = atan2f(vector.y, vector.x).to_degrees().trunc();
    call.host.return_float(if yaw < 0.0 { yaw + 360.0 } else { yaw });
}

/// How often randomvec tries; a try fails about every second time.
const TRIES: usize = 64;

/// #91: of length below 1.
pub(crate) fn randomvec(call: &mut Call<'_, impl Host + ?Sized>) {
    let mut candidates = (0..TRIES).map(|_| Vec3::from([(); 3].map(|()| call.host.random() * 2.0 - 1.0)));
    let vector = candidates.find(|vector| vector.length_squared() < 1.0);
    call.host.return_vector(vector.unwrap_or(Vec3::ZERO));
}
