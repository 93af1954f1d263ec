//! Angles of joints as the ragdoll measures them: about a hinge, and the swing and twist of a cone.

use crate::math::Quat;
use glam::Vec2;
use skelobj_model::internal::{atan2, cos, sin};

/// Returns the angle of a rotation about an axis, 0 for X, radians.
pub(super) fn about(q: Quat, axis: usize) -> f32 {
    wrapped(2.0 * angle(q.to_array()[axis], q.w))
}

/// Returns the angle by which a rotation leaves those about the X axis, radians.
pub(super) fn off_x(q: Quat) -> f32 {
    2.0 * angle((q.y * q.y + q.z * q.z).sqrt(), (q.x * q.x + q.w * q.w).sqrt())
}

/// Returns the angle of a rotation, radians.
pub(super) fn whole(q: Quat) -> f32 {
    2.0 * angle((q.x * q.x + q.y * q.y + q.z * q.z).sqrt(), q.w.abs())
}

/// Returns the swing of a rotation from the centre of a cone, as a rotation vector about X and Y, and its twist.
pub(super) fn swing_and_twist(q: Quat, centre: Vec2) -> (Vec2, f32) {
    let q = exp(centre).inverse() * q;
    let q = if q.w < 0.0 { -q } else { q };
    let cosine = (q.z * q.z + q.w * q.w).sqrt();
    let (z, w) = if cosine > 1e-6 { (q.z / cosine, q.w / cosine) } else { (0.0, 1.0) };
    let sine = Vec2::new(q.x * w - q.y * z, q.x * z + q.y * w);
    let length = sine.length();
    let turned = 2.0 * angle(length, cosine);
    let swing = if length > 1e-6 { sine * (turned / length) } else { sine * 2.0 };
    (swing, wrapped(2.0 * angle(z, w)))
}

/// Returns an angle within half a turn of 0.
pub(super) fn wrapped(angle: f32) -> f32 {
    angle - std::f32::consts::TAU * (angle / std::f32::consts::TAU).round()
}

fn exp(swing: Vec2) -> Quat {
    let turned = swing.length();
    let scaled = if turned > 1e-6 { swing * (sin(f64::from(turned) / 2.0) as f32 / turned) } else { swing / 2.0 };
    Quat::from_xyzw(scaled.x, scaled.y, 0.0, cos(f64::from(turned) / 2.0) as f32)
}

fn angle(y: f32, x: f32) -> f32 {
    atan2(f64::from(y), f64::from(x)) as f32
}
