//! Matrices in the file, and NeL's axes.

use super::stream::Stream;
use crate::math::Mat3x4;
use crate::model::ModelError;

/// From the space of NeL's authoring tools (facing -Y, left +X) to Quake's (facing +X, left +Y).
pub(super) const TO_QUAKE: Mat3x4 = Mat3x4([0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
/// The way back.
pub(super) const FROM_QUAKE: Mat3x4 = Mat3x4([0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);

/// An affine matrix. Which parts stand in the file is told by its state bits.
pub(super) fn matrix(stream: &mut Stream) -> Result<Mat3x4, ModelError> {
    const TRANSLATION: u32 = 1;
    const AXES: u32 = 0x0e;
    const PROJECTION: u32 = 0x10;
    stream.version(0)?;
    let state = stream.get::<u32>()?;
    // The scale beside it is memory that nobody set.
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
