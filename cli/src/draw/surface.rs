//! Colours of the scene in linear light.

use std::sync::LazyLock;

use skelobj::math::Vec3;
use skelobj::ragdoll::BodyState;
use skelobj::ragdoll::stability::BodyMode;

/// Colours of the meshes of a model without vertex colours, in order.
const MATERIALS: [[u8; 3]; 6] =
    [[214, 178, 140], [96, 132, 160], [178, 104, 84], [128, 150, 104], [196, 168, 92], [140, 116, 158]];
const BONE: [u8; 3] = [236, 226, 204];
const INK: [u8; 3] = [44, 36, 34];
const GRID: [u8; 3] = [120, 136, 152];
const WALL: [u8; 3] = [206, 204, 198];
const WATER: [u8; 3] = [70, 140, 190];
const BACKDROP: [[u8; 3]; 2] = [[228, 235, 242], [246, 246, 244]];

const FOLLOWING: [u8; 3] = [38, 110, 226];
const APPROACHING: [u8; 3] = [20, 160, 200];
const PULLED: [u8; 3] = [206, 158, 0];
const LIMP: [u8; 3] = [236, 108, 12];
const ASLEEP: [u8; 3] = [16, 150, 92];
const QUARANTINED: [u8; 3] = [20, 20, 24];
/// Colour of gaps in joints.
pub const GAP: [u8; 3] = [224, 16, 32];
/// Colour of joints that are beyond a stop.
pub const STOP: [u8; 3] = [150, 30, 190];

/// Returns the colour of a mesh without a texture and without vertex colours.
pub fn material(mesh: usize) -> Vec3 {
    linear(MATERIALS[mesh % MATERIALS.len()])
}

/// Returns the colour of bones of a model without a skin.
pub fn bone() -> Vec3 {
    linear(BONE)
}

/// Returns the colour of outlines.
pub fn ink() -> Vec3 {
    linear(INK)
}

/// Returns the colour of the lines on the floor.
pub fn grid() -> Vec3 {
    linear(GRID)
}

/// Returns the colour of the level.
pub fn wall() -> Vec3 {
    linear(WALL)
}

/// Returns the colour of water.
pub fn water() -> Vec3 {
    linear(WATER)
}

/// Returns the colour of the backdrop; `height` is 0 at the top and 1 at the bottom.
pub fn backdrop(height: f32) -> Vec3 {
    linear(BACKDROP[0]).lerp(linear(BACKDROP[1]), height)
}

/// Returns the outline colour of a body, which depends on what moves the body.
pub fn body(body: &BodyState) -> [u8; 3] {
    match body.mode {
        BodyMode::Following => FOLLOWING,
        BodyMode::Approaching => APPROACHING,
        BodyMode::Quarantined => QUARANTINED,
        _ if body.is_sleeping => ASLEEP,
        BodyMode::Pulled => PULLED,
        _ => LIMP,
    }
}

/// Converts sRGB bytes to linear light.
pub fn linear(color: [u8; 3]) -> Vec3 {
    Vec3::from_array(color.map(|byte| decoded(f32::from(byte) / 255.0)))
}

/// Converts a vertex colour to linear light.
pub fn vertex(color: [f32; 4]) -> Vec3 {
    Vec3::from_array([color[0], color[1], color[2]].map(|part| decoded(part.clamp(0.0, 1.0))))
}

/// Converts linear light to sRGB bytes; NaN becomes black.
pub fn bytes(color: Vec3) -> [u8; 3] {
    static KNOWN: LazyLock<Vec<Option<u8>>> = LazyLock::new(|| {
        let byte = |step: usize| encoded(step as f32 / STEPS);
        (0..=STEPS as usize).map(|step| Some(byte(step)).filter(|at| *at == byte(step + 1))).collect()
    });
    let known = &*KNOWN;
    color.to_array().map(|part| {
        let part = part.clamp(0.0, 1.0);
        known.get((part * STEPS) as usize).copied().flatten().unwrap_or_else(|| encoded(part))
    })
}

/// Number of steps of light of which those with one byte are known in advance.
const STEPS: f32 = 8192.0;

fn encoded(part: f32) -> u8 {
    let part = part.clamp(0.0, 1.0);
    let encoded = if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

fn decoded(part: f32) -> f32 {
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}
