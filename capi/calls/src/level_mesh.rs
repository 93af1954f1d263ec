//! Triangles of levels, for drawing.

use skelobj::physics::SolidMesh;

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::SkelobjLevel;
use crate::numbers;
use crate::pointer::Out;
use crate::table;

/// Runs `with` on the mesh of a brush model.
fn with_mesh(level: SkelobjLevel, model: i32, with: impl FnOnce(&SolidMesh) -> Result<()>) -> Result<()> {
    let level = table::level(level)?;
    let found = level.models.get(numbers::index(model, "brush model")?);
    with(&found.ok_or_else(|| Failure::not_found(format_args!("brush model {model}")))?.mesh)
}

/// Writes the corners of the solid triangles of a brush model (0 is the world), three floats each in the model's own
/// space, and the number of floats (may be null). `capacity` is the number of floats that there is room for.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_corners(
    level: SkelobjLevel,
    model: i32,
    corners: Out<f32>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, number) = (corners.buffer(numbers::size(capacity)?)?, number.wanted()?);
        with_mesh(level, model, |mesh| {
            let floats: Vec<f32> = mesh.vertices().iter().flat_map(|corner| corner.to_array()).collect();
            buffer.fill(&floats, number)
        })
    })
}

/// Writes the solid triangles of a brush model (0 is the world), three indices of corners each, and the number of
/// indices (may be null). They are counter-clockwise seen from the side that is not solid. The index of a triangle in a
/// hit is that of these.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_triangles(
    level: SkelobjLevel,
    model: i32,
    indices: Out<u32>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, number) = (indices.buffer(numbers::size(capacity)?)?, number.wanted()?);
        with_mesh(level, model, |mesh| buffer.fill(mesh.triangles().as_flattened(), number))
    })
}
