//! Skinned meshes with several levels of detail and packed vertices (CMeshMRMSkinnedGeom), of which the finest is kept.

use super::geometry::{Geometry, Indices, Pass, Skin, bounding_box, strings};
use super::mrm::{Level, influences, level_detail, shadow};
use super::stream::Stream;
use super::vertices::Vertices;
use crate::model::ModelError;

pub(super) fn mrm_skinned_geometry<'a>(stream: &mut Stream<'a>) -> Result<Geometry<'a>, ModelError> {
    stream.enter("mesh geometry");
    stream.version(0)?;
    let mut geometry = Geometry { bone_names: strings(stream)?, ..Geometry::default() };
    bounding_box(stream)?;
    level_detail(stream)?;
    packed_vertices(stream, &mut geometry)?;
    shadow(stream)?;
    stream.enter("levels of detail");
    for _ in 0..stream.count(33)? {
        let level = level(stream)?;
        (geometry.passes, geometry.geomorphs) = (level.passes, level.geomorphs);
    }
    Ok(geometry)
}

/// Reads vertices of 16-bit numbers and the scale that converts them to positions.
fn packed_vertices(stream: &mut Stream, geometry: &mut Geometry) -> Result<(), ModelError> {
    stream.enter("packed vertices");
    stream.version(0)?;
    let count = stream.count(25)?;
    let mut vertices = Vertices {
        positions: stream.reserve(count)?,
        normals: stream.reserve(count)?,
        texcoords: stream.reserve(count)?,
        ..Vertices::default()
    };
    let mut skin = stream.reserve(count)?;
    for _ in 0..count {
        stream.version(0)?;
        let [position, normal] = stream.get::<[[i16; 3]; 2]>()?;
        vertices.positions.push(position.map(f32::from));
        vertices.normals.push(normal.map(|v| f32::from(v) / 32767.0));
        vertices.texcoords.push(stream.get::<[i16; 2]>()?.map(|v| f32::from(v) / 8192.0));
        let pairs = stream.get::<[[u8; 2]; 4]>()?;
        skin.push((pairs.map(|[bone, _]| bone.into()), pairs.map(|[_, weight]| f32::from(weight) / 255.0)));
    }
    let at = stream.offset();
    let mut scale = stream.get::<f32>()?;
    // The largest 16-bit position must stay finite.
    if !(scale * 32768.0).is_finite() {
        scale = 0.0;
        stream.warn_not_finite(at, 1);
    }
    for position in &mut vertices.positions {
        *position = position.map(|v| v * scale);
    }
    geometry.vertices = vertices;
    geometry.skin = Skin::Direct(skin);
    Ok(())
}

fn level<'a>(stream: &mut Stream<'a>) -> Result<Level<'a>, ModelError> {
    stream.version(0)?;
    stream.skip::<u32>()?;
    let count = stream.count(9)?;
    let mut passes = stream.reserve(count)?;
    for _ in 0..count {
        stream.version(0)?;
        let at = stream.offset();
        let material = stream.get()?;
        passes.push(Pass { material, block: 0, at, indices: Indices::Narrow(stream.list::<u16>()?) });
    }
    let geomorphs = stream.list::<[u32; 2]>()?;
    influences(stream)?;
    Ok(Level { passes, geomorphs })
}
