//! Matrices, calculated as the library does: results have the same bits.

use skelobj::math::{Axes, Mat3x4};

use crate::SkelobjStatus;
use crate::error::Failure;
use crate::guard;
use crate::pointer::{InMatrix, InVector, OutMatrix, OutVector};

/// Writes the product of two matrices: `b` is applied first. The result may be one of them.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_matrix_multiply(a: InMatrix, b: InMatrix, product: OutMatrix) -> SkelobjStatus {
    guard::status(|| {
        let (place, a, b) = (product.place()?, a.matrix()?, b.matrix()?);
        place.set((a * b).0);
        Ok(())
    })
}

/// Writes the inverse of a matrix. The result may be the matrix itself.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_matrix_inverse(matrix: InMatrix, inverse: OutMatrix) -> SkelobjStatus {
    guard::status(|| {
        let (place, matrix) = (inverse.place()?, matrix.matrix()?);
        let inverse = matrix.inverse().ok_or_else(|| Failure::number("matrix", "one that has an inverse"))?;
        place.set(inverse.0);
        Ok(())
    })
}

/// Writes where a matrix takes a point. The `result`, in the space that the matrix leads to, may be the point itself.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_matrix_transform(matrix: InMatrix, point: InVector, result: OutVector) -> SkelobjStatus {
    guard::status(|| {
        let (place, matrix, point) = (result.place()?, matrix.matrix()?, point.vector()?);
        place.set(matrix.transform_point(point).to_array());
        Ok(())
    })
}

/// Writes the matrix of an origin and the axes of game code (v_forward, v_right, v_up).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_matrix_from_axes(
    forward: InVector,
    right: InVector,
    up: InVector,
    origin: InVector,
    matrix: OutMatrix,
) -> SkelobjStatus {
    guard::status(|| {
        let place = matrix.place()?;
        let axes = Axes { forward: forward.vector()?, right: right.vector()?, up: up.vector()? };
        place.set(Mat3x4::from_axes(axes, origin.vector()?).0);
        Ok(())
    })
}

/// Writes the axes of game code and the origin of a matrix. Results that are null are not wanted.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_matrix_axes(
    matrix: InMatrix,
    forward: OutVector,
    right: OutVector,
    up: OutVector,
    origin: OutVector,
) -> SkelobjStatus {
    guard::status(|| {
        let places = [forward.wanted()?, right.wanted()?, up.wanted()?, origin.wanted()?];
        let matrix = matrix.matrix()?;
        let axes = matrix.axes();
        for (place, vector) in places.into_iter().zip([axes.forward, axes.right, axes.up, matrix.origin()]) {
            if let Some(place) = place {
                place.set(vector.to_array());
            }
        }
        Ok(())
    })
}
