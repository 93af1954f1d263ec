//! Matrices in the file, and conversion between NeL's axes and Quake's.

use super::stream::Stream;
use crate::math::Mat3x4;
use crate::model::ModelError;

/// Rotation from NeL's authoring space (facing -Y, left +X) to Quake's (facing +X, left +Y).
pub(super) const TO_QUAKE: Mat3x4 = Mat3x4([0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
/// Rotation from Quake's space to NeL's authoring space.
pub(super) const FROM_QUAKE: Mat3x4 = Mat3x4([0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);

/// Reads an affine matrix. State bits indicate which parts are stored.
pub(super) fn matrix(stream: &mut Stream) -> Result<Mat3x4, ModelError> {
    const TRANSLATION: u32 = 1;
    const AXES: u32 = 0x0e;
    const PROJECTION: u32 = 0x10;
    stream.version(0)?;
    let state = stream.get::<u32>()?;
    // The stored scale is uninitialised memory.
    stream.skip::<f32>()?;
    let mut m = Mat3x4::IDENTITY.0;
    if state & AXES != 0 {
        for (row, axes) in stream.get::<[[f32; 3]; 3]>()?.iter().enumerate() {
            m[4 * row..4 * row + 3].copy_from_slice(axes);
        }
    }
    if state & TRANSLATION != 0 {
        [m[3], m[7], m[11]] = stream.get()?;
    }
    if state & PROJECTION != 0 {
        stream.skip::<[f32; 4]>()?;
    }
    Ok(Mat3x4(m))
}
