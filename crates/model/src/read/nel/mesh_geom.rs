//! Meshes with one level of detail (CMeshGeom, versions 0 to 4).

use super::geometry::{Geometry, Skin, bounding_box, morpher, passes, strings, vertex_program};
use super::stream::Stream;
use super::vertices::Vertices;
use crate::model::{ModelError, ModelProblem};

/// Number of matrices of a block.
const MATRICES: usize = 16;

pub(super) fn mesh_geometry<'a>(stream: &mut Stream<'a>) -> Result<Geometry<'a>, ModelError> {
    stream.enter("mesh geometry");
    let version = stream.version(4)?;
    let mut geometry = Geometry::default();
    if version >= 4 {
        geometry.bone_names = strings(stream)?;
    }
    if version >= 3 {
        vertex_program(stream)?;
    }
    if version >= 1 {
        geometry.morphs = morpher(stream)?;
    }
    geometry.vertices = Vertices::read(stream)?;

    stream.enter("matrix blocks");
    let at = stream.offset();
    let count = stream.count(73)?;
    let mut blocks = stream.reserve(count)?;
    for block in 0..count {
        stream.version(0)?;
        let ids = stream.get::<[u32; MATRICES]>()?;
        let used = stream.get::<u32>()?;
        blocks.push((ids, used));
        passes(stream, block, &mut geometry.passes)?;
    }
    bounding_box(stream)?;
    // Unskinned meshes store their matrices uninitialised.
    if stream.flag()? {
        let mut palettes = stream.reserve::<Vec<u32>>(count)?;
        for (ids, used) in blocks {
            let Some(ids) = ids.get(..used as usize) else {
                let problem =
                    ModelProblem::OutOfRange { field: "number of matrices", found: used.into(), min: 0, max: 16 };
                return Err(ModelError::new("matrix blocks", at, problem));
            };
            palettes.push(ids.to_vec());
        }
        geometry.skin = Skin::Palette(palettes);
    }
    Ok(geometry)
}
