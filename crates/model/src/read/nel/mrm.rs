//! Meshes with several levels of detail (CMeshMRMGeom, versions 0 to 5), of which the finest is kept.

use super::geometry::{Geometry, Pass, Skin, SkinWeight, bounding_box, morpher, passes, strings, vertex_program};
use super::stream::Stream;
use super::vertices::{Layout, Vertices};
use crate::model::{ModelError, ModelProblem};

/// Size of the four bone numbers and weights of a vertex, bytes.
const SKIN_WEIGHT: usize = 32;

pub(super) fn mrm_geometry<'a>(stream: &mut Stream<'a>) -> Result<Geometry<'a>, ModelError> {
    stream.enter("mesh geometry");
    let version = stream.version(5)?;
    let mut geometry = Geometry::default();
    if version >= 3 {
        geometry.bone_names = strings(stream)?;
    }
    if version >= 2 {
        vertex_program(stream)?;
    }
    if version >= 1 {
        geometry.morphs = morpher(stream)?;
    }
    let skinned = stream.flag()?;
    bounding_box(stream)?;
    level_detail(stream)?;
    let levels = levels(stream)?;
    let first = levels.first().map_or(0, |level| level.0);

    let at = stream.offset();
    let wedges = stream.get::<u32>()?;
    let layout = Layout::read(stream)?;
    let last = levels.last().map_or(first, |level| level.1);
    for (field, found) in [("number of wedges", wedges), ("end of the last level", last)] {
        if found != layout.count {
            let problem = ModelProblem::Mismatch { field, found: found.into(), expected: layout.count.into() };
            return Err(ModelError::new("mesh geometry", at, problem));
        }
    }

    stream.enter("skin weights");
    let mut weights = Vec::new();
    if version >= 4 {
        let count = stream.count(SKIN_WEIGHT)?;
        let mut all = stream.elements(count, SKIN_WEIGHT)?.chunks_exact(SKIN_WEIGHT).skip(first as usize);
        weights = stream.reserve(all.len())?;
        weights.extend(all.by_ref().map(skin_weight));
    }
    if version >= 5 {
        shadow(stream)?;
    }

    stream.enter("levels of detail");
    // Offsets of the levels are redundant: the levels follow one another.
    stream.elements(levels.len(), 4)?;
    let mut vertices = Vertices::default();
    for (start, end) in levels {
        let level = level(stream)?;
        (geometry.passes, geometry.geomorphs) = (level.passes, level.geomorphs);
        let version_of_data = stream.version(1)?;
        vertices.subset(stream, &layout, end - start)?;
        if version_of_data == 0 && skinned && version < 4 {
            let count = (end - start) as usize;
            let data = stream.elements(count, SKIN_WEIGHT)?;
            drop(stream.reserve::<SkinWeight>(count)?);
            weights.extend(data.chunks_exact(SKIN_WEIGHT).map(skin_weight));
        }
        stream.enter("levels of detail");
    }
    if skinned {
        geometry.skin = Skin::Direct(weights);
    }
    (geometry.vertices, geometry.first) = (vertices, first);
    Ok(geometry)
}

/// Skips face counts and distances of the levels.
pub(super) fn level_detail(stream: &mut Stream) -> Result<(), ModelError> {
    stream.skip::<[u32; 2]>()?;
    stream.skip::<[f32; 5]>()
}

/// Returns the range of vertices that each level adds; each level begins at the end of the previous one.
fn levels(stream: &mut Stream) -> Result<Vec<(u32, u32)>, ModelError> {
    let count = stream.count(9)?;
    let mut levels: Vec<(u32, u32)> = stream.reserve(count)?;
    for _ in 0..count {
        stream.version(0)?;
        let at = stream.offset();
        let [start, end] = stream.get::<[u32; 2]>()?;
        let before = levels.last().map_or(start, |level| level.1);
        if start != before {
            let problem = ModelProblem::Mismatch {
                field: "first vertex of a level",
                found: start.into(),
                expected: before.into(),
            };
            return Err(ModelError::new("levels of detail", at, problem));
        }
        if end < start {
            let problem = ModelProblem::OutOfRange {
                field: "end of a level",
                found: end.into(),
                min: start.into(),
                max: u32::MAX.into(),
            };
            return Err(ModelError::new("levels of detail", at, problem));
        }
        levels.push((start, end));
    }
    Ok(levels)
}

fn skin_weight(mut bytes: &[u8]) -> SkinWeight {
    let (mut bones, mut weights) = ([0; 4], [0.0; 4]);
    for (bone, weight) in bones.iter_mut().zip(&mut weights) {
        if let Some((number, rest)) = bytes.split_first_chunk() {
            *bone = u32::from_le_bytes(*number);
            bytes = rest;
        }
        if let Some((number, rest)) = bytes.split_first_chunk() {
            *weight = f32::from_le_bytes(*number);
            bytes = rest;
        }
    }
    (bones, weights)
}

/// Skips the shadow geometry.
pub(super) fn shadow(stream: &mut Stream) -> Result<(), ModelError> {
    for _ in 0..stream.count(17)? {
        stream.version(0)?;
        stream.take(16)?;
    }
    stream.list::<u32>().map(drop)
}

/// Triangles and matrices of a level of detail.
pub(super) struct Level<'a> {
    pub passes: Vec<Pass<'a>>,
    pub geomorphs: &'a [u8],
}

fn level<'a>(stream: &mut Stream<'a>) -> Result<Level<'a>, ModelError> {
    let version = stream.version(2)?;
    stream.skip::<u32>()?;
    let mut drawn = Vec::new();
    passes(stream, 0, &mut drawn)?;
    let geomorphs = stream.list::<[u32; 2]>()?;
    influences(stream)?;
    if version >= 1 {
        stream.list::<[u32; 2]>()?;
    }
    Ok(Level { passes: drawn, geomorphs })
}

/// Skips the matrices that a level needs and the number of influences of its vertices.
pub(super) fn influences(stream: &mut Stream) -> Result<(), ModelError> {
    for _ in 0..5 {
        stream.list::<u32>()?;
    }
    Ok(())
}
