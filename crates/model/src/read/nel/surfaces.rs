//! Conversion of a parsed geometry to meshes in Quake's axes.

use std::collections::HashMap;

use super::super::cursor::{Scalar, finite_or_zero};
use super::super::finite_skeleton;
use super::super::weights::Strongest;
use super::base::MeshBase;
use super::geometry::{Geometry, Indices, Pass, Skin};
use super::matrix::TO_QUAKE;
use super::stream::Stream;
use crate::math::{Mat3x4, Vec3};
use crate::model::{
    Fixup, Influences, Mesh, ModelError, ModelProblem, Morph, Name, Skeleton, SkeletonError, SurfaceInfo,
};

/// Builds the bones that the skin uses, by name only, and one mesh for each pass that draws triangles.
///
/// A skin that numbers the bones of a skeleton instead of naming them gets as many unnamed bones as it needs.
pub(super) fn surfaces(
    stream: &mut Stream,
    base: &MeshBase,
    mut geometry: Geometry,
) -> Result<(Skeleton, Vec<Mesh>), ModelError> {
    stream.enter("surfaces");
    let at = stream.offset();
    let bones = BoneNumbers::new(stream, &geometry)?;
    bones.check(&geometry.skin, at)?;
    let passes = std::mem::take(&mut geometry.passes);
    let moves = moves(stream, &geometry)?;
    // Bones place a skinned mesh; its placement is ignored.
    let placement = match geometry.skin {
        Skin::Rigid => TO_QUAKE * base.placement.matrix(None),
        _ => TO_QUAKE,
    };
    let vertices = geometry.vertices.positions.len();
    let mut places = stream.reserve(vertices)?;
    places.resize(vertices, (0, 0));
    let mut meshes = stream.reserve(passes.len())?;
    let mut surfaces = Surfaces { base, geometry, bones, moves, placement, places };
    for (number, pass) in passes.iter().enumerate() {
        if pass.indices.len() >= 3 {
            meshes.push(surfaces.mesh(stream, pass, number as u32 + 1)?);
        }
    }
    let skeleton = surfaces.bones.skeleton(at)?;
    Ok((skeleton, meshes))
}

struct Surfaces<'s, 'a> {
    base: &'s MeshBase<'a>,
    geometry: Geometry<'a>,
    bones: BoneNumbers,
    moves: Vec<Move>,
    placement: Mat3x4,
    /// For each vertex the last pass that used it, and its number in the mesh of that pass.
    places: Vec<(u32, u32)>,
}

impl Surfaces<'_, '_> {
    fn mesh(&mut self, stream: &mut Stream, pass: &Pass, number: u32) -> Result<Mesh, ModelError> {
        let Some(&file) = self.base.materials.get(pass.material as usize) else {
            let max = self.base.materials.len() as i64 - 1;
            let problem = ModelProblem::OutOfRange { field: "material", found: pass.material.into(), min: 0, max };
            return Err(ModelError::new("render pass", pass.at, problem));
        };
        let name = self.base.names.get(&pass.material).copied().unwrap_or_default();
        let mut mesh = Mesh {
            name: stream.file.name("surfaces", pass.at, name)?,
            material: stream.file.name("surfaces", pass.at, file.unwrap_or(name))?,
            surface: SurfaceInfo { max_distance: self.base.max_distance, ..SurfaceInfo::default() },
            ..Mesh::default()
        };
        if !(mesh.surface.max_distance > 0.0 && mesh.surface.max_distance.is_finite()) {
            mesh.surface.max_distance = 0.0;
        }
        let used = self.triangles(stream, pass, number, &mut mesh)?;
        self.values(stream, &used, &mut mesh)?;
        self.influences(stream, pass, &used, &mut mesh)?;
        self.morphs(stream, &used, &mut mesh)?;
        mesh.file_vertices = used;
        let first = self.geometry.first;
        mesh.file_vertices.iter_mut().for_each(|vertex| *vertex += first);
        Ok(mesh)
    }

    /// Returns the triangles of a pass with clockwise front faces, and the vertices it uses in the order of the file.
    fn triangles(
        &mut self,
        stream: &mut Stream,
        pass: &Pass,
        number: u32,
        mesh: &mut Mesh,
    ) -> Result<Vec<u32>, ModelError> {
        let whole = pass.indices.len() / 3 * 3;
        if whole < pass.indices.len() {
            stream.file.warn("render pass", pass.at, Fixup::Dropped("an incomplete triangle"));
        }
        let mut corners = stream.reserve::<u32>(whole)?;
        match pass.indices {
            Indices::Wide(bytes) => {
                for index in bytes.chunks_exact(4).take(whole) {
                    corners.push(self.vertex(pass, u32::parse::<false>(index))?);
                }
            }
            Indices::Narrow(bytes) => {
                for index in bytes.chunks_exact(2).take(whole) {
                    corners.push(self.vertex(pass, u16::parse::<false>(index).into())?);
                }
            }
        }
        let mut used = stream.reserve(whole.min(self.places.len()))?;
        for &corner in &corners {
            if let Some(place) = self.places.get_mut(corner as usize)
                && place.0 != number
            {
                *place = (number, 0);
                used.push(corner);
            }
        }
        used.sort_unstable();
        for (at, &vertex) in used.iter().enumerate() {
            if let Some(place) = self.places.get_mut(vertex as usize) {
                place.1 = at as u32;
            }
        }
        debug_assert!(used.is_sorted_by(|a, b| a < b), "used vertices ascend");
        debug_assert!(corners.iter().all(|&corner| (corner as usize) < self.places.len()), "vertices were checked");
        mesh.triangles = stream.reserve(whole / 3)?;
        let at = |corner: u32| self.places.get(corner as usize).map_or(0, |place| place.1);
        mesh.triangles.extend(corners.chunks_exact(3).map(|corners| match *corners {
            [a, b, c] => [at(a), at(c), at(b)],
            _ => [0; 3],
        }));
        Ok(used)
    }

    /// Returns the vertex of an index, counted from the first stored vertex.
    fn vertex(&self, pass: &Pass, index: u32) -> Result<u32, ModelError> {
        const PAIR: usize = 8;
        let pair = self.geometry.geomorphs.get(index as usize * PAIR..).filter(|rest| rest.len() >= PAIR);
        let vertex = pair.map_or(index, u32::parse::<false>);
        let (first, count) = (self.geometry.first, self.places.len() as u32);
        match vertex.checked_sub(first).filter(|&vertex| vertex < count) {
            Some(vertex) => Ok(vertex),
            None => {
                let (min, max) = (i64::from(first), i64::from(first) + i64::from(count) - 1);
                let problem = ModelProblem::OutOfRange { field: "vertex", found: vertex.into(), min, max };
                Err(ModelError::new("render pass", pass.at, problem))
            }
        }
    }

    fn values(&self, stream: &mut Stream, used: &[u32], mesh: &mut Mesh) -> Result<(), ModelError> {
        let vertices = &self.geometry.vertices;
        let placement = &self.placement;
        // The inverse transpose keeps normals perpendicular under non-uniform scale.
        let turned = turned(placement);
        mesh.positions = gather(stream, used, &vertices.positions)?;
        mesh.normals = gather(stream, used, &vertices.normals)?;
        mesh.texcoords = gather(stream, used, &vertices.texcoords)?;
        mesh.colors = gather(stream, used, &vertices.colors)?;
        let mut bad = 0;
        for position in &mut mesh.positions {
            *position = placement.transform_point((*position).into()).to_array();
            finite_or_zero(position, &mut bad);
        }
        for normal in &mut mesh.normals {
            *normal = turned.transform_vector((*normal).into()).normalize_or_zero().to_array();
        }
        stream.warn_not_finite(stream.offset(), bad);
        Ok(())
    }

    fn influences(
        &mut self,
        stream: &mut Stream,
        pass: &Pass,
        used: &[u32],
        mesh: &mut Mesh,
    ) -> Result<(), ModelError> {
        if matches!(self.geometry.skin, Skin::Rigid) {
            return Ok(());
        }
        mesh.influences = stream.reserve(used.len())?;
        for &vertex in used {
            let vertex = vertex as usize;
            let missing = || ModelError::new("surfaces", pass.at, ModelProblem::Missing { what: "skin weights" });
            let influences = match &self.geometry.skin {
                Skin::Rigid => return Ok(()),
                Skin::Direct(weights) => {
                    let &(bones, weights) = weights.get(vertex).ok_or_else(missing)?;
                    self.bones.influences(pass, bones, weights)?
                }
                Skin::Palette(palettes) => {
                    let vertices = &self.geometry.vertices;
                    let palette = palettes.get(pass.block).map(Vec::as_slice).unwrap_or_default();
                    let (Some(entries), Some(&weights)) = (vertices.palette.get(vertex), vertices.weights.get(vertex))
                    else {
                        return Err(missing());
                    };
                    let mut bones = [0; 4];
                    for ((bone, &entry), &weight) in bones.iter_mut().zip(entries).zip(&weights) {
                        *bone = match palette.get(usize::from(entry)) {
                            Some(&id) => id,
                            None if weight > 0.0 => {
                                let max = palette.len() as i64 - 1;
                                let (field, found) = ("matrix of a vertex", entry.into());
                                let problem = ModelProblem::OutOfRange { field, found, min: 0, max };
                                return Err(ModelError::new("surfaces", pass.at, problem));
                            }
                            None => 0,
                        };
                    }
                    self.bones.influences(pass, bones, weights)?
                }
            };
            mesh.influences.push(influences);
        }
        Ok(())
    }

    fn morphs(&self, stream: &mut Stream, used: &[u32], mesh: &mut Mesh) -> Result<(), ModelError> {
        let mut moved: Vec<(u32, u32, u32)> = Vec::new();
        for (place, &vertex) in used.iter().enumerate() {
            let start = self.moves.partition_point(|one| one.vertex < vertex);
            let own = self.moves.get(start..).unwrap_or_default().iter().take_while(|one| one.vertex == vertex);
            for one in own {
                // Each delta is charged with everything made from it, because many meshes may share a vertex.
                drop(stream.reserve::<[[f32; 3]; 4]>(1)?);
                moved.push((one.morph, place as u32, one.delta));
            }
        }
        moved.sort_unstable();
        for own in moved.chunk_by(|a, b| a.0 == b.0) {
            let Some(number) = own.first().map(|one| one.0 as usize) else { continue };
            debug_assert!(number < self.geometry.morphs.len(), "moves are those of a morph");
            let Some(shape) = self.geometry.morphs.get(number) else { continue };
            let named = Some(shape.name).filter(|name| !name.is_empty());
            let name = named.or(self.base.morphs.get(number).copied()).unwrap_or_default();
            let deltas = |bytes: &[u8], turn: &Mat3x4| -> Vec<[f32; 3]> {
                let delta = |at: u32| <[f32; 3]>::parse::<false>(bytes.get(at as usize * 12..).unwrap_or_default());
                let turned = |at| turn.transform_vector(Vec3::from(delta(at)));
                let all =
                    own.iter().map(|one| turned(one.2)).map(|v| if v.is_finite() { v.to_array() } else { [0.0; 3] });
                if bytes.is_empty() { Vec::new() } else { all.collect() }
            };
            mesh.morphs.push(Morph {
                name: stream.file.name("morphs", stream.offset(), name)?,
                vertices: own.iter().map(|one| one.1).collect(),
                positions: deltas(shape.positions, &self.placement),
                normals: deltas(shape.normals, &turned(&self.placement)),
            });
        }
        Ok(())
    }
}

/// Returns the matrix that transforms normals where `matrix` transforms positions.
fn turned(matrix: &Mat3x4) -> Mat3x4 {
    let Some(inverse) = matrix.inverse() else { return *matrix };
    let m = inverse.0;
    Mat3x4([m[0], m[4], m[8], 0.0, m[1], m[5], m[9], 0.0, m[2], m[6], m[10], 0.0])
}

/// Returns the values of the vertices `used`, or none if the file has none.
fn gather<T: Copy>(stream: &mut Stream, used: &[u32], all: &[T]) -> Result<Vec<T>, ModelError> {
    let mut values = stream.reserve(if all.is_empty() { 0 } else { used.len() })?;
    values.extend(used.iter().filter_map(|&vertex| all.get(vertex as usize).copied()));
    Ok(values)
}

/// Delta of one vertex in one morph.
struct Move {
    vertex: u32,
    morph: u32,
    /// Number of the delta.
    delta: u32,
}

/// Returns the deltas of all morphs, sorted by vertex, without those of vertices that no surface may use.
fn moves(stream: &mut Stream, geometry: &Geometry) -> Result<Vec<Move>, ModelError> {
    let count = geometry.morphs.iter().map(|morph| morph.vertices.len() / 4).sum();
    let mut moves = stream.reserve(count)?;
    for (number, morph) in geometry.morphs.iter().enumerate() {
        for (delta, vertex) in morph.vertices.chunks_exact(4).map(u32::parse::<false>).enumerate() {
            if let Some(vertex) = vertex.checked_sub(geometry.first) {
                moves.push(Move { vertex, morph: number as u32, delta: delta as u32 });
            }
        }
    }
    moves.sort_unstable_by_key(|one: &Move| (one.vertex, one.morph, one.delta));
    Ok(moves)
}

fn no_bone(at: usize, number: u32, bones: usize) -> ModelError {
    let (found, max) = (number.into(), bones as i64 - 1);
    ModelError::new("surfaces", at, ModelProblem::OutOfRange { field: "bone of a vertex", found, min: 0, max })
}

/// Bone of each number of the skin.
enum BoneNumbers {
    /// Numbers with names; several numbers may have one name.
    Named { names: Vec<Name>, bones: Vec<u16> },
    /// Numbers of the skeleton's bones; as many bones as the highest number used needs.
    Numbered(usize),
}

impl BoneNumbers {
    fn new(stream: &mut Stream, geometry: &Geometry) -> Result<Self, ModelError> {
        if matches!(geometry.skin, Skin::Rigid) || geometry.bone_names.is_empty() {
            return Ok(Self::Numbered(0));
        }
        let count = geometry.bone_names.len();
        let mut names: Vec<Name> = stream.reserve(count)?;
        let mut bones = stream.reserve(count)?;
        drop(stream.reserve::<(&[u8], usize)>(count)?);
        let mut known = HashMap::new();
        let at = stream.offset();
        for &name in &geometry.bone_names {
            let bone: usize = *known.entry(name).or_insert(names.len());
            if bone == names.len() {
                names.push(stream.file.name("surfaces", at, name)?);
                finite_skeleton::check_count("surfaces", at, names.len() as u32)?;
            }
            bones.push(bone as u16);
        }
        Ok(Self::Named { names, bones })
    }

    /// Refuses unknown bones, including those of vertices that only coarser levels use.
    fn check(&self, skin: &Skin, at: usize) -> Result<(), ModelError> {
        let (Self::Named { bones, .. }, Skin::Direct(weights)) = (self, skin) else { return Ok(()) };
        let used =
            weights.iter().flat_map(|(bones, weights)| bones.iter().zip(weights)).filter(|(_, weight)| **weight > 0.0);
        match used.map(|(bone, _)| *bone).find(|&bone| bone as usize >= bones.len()) {
            Some(bone) => Err(no_bone(at, bone, bones.len())),
            None => Ok(()),
        }
    }

    fn bone(&mut self, pass: &Pass, number: u32) -> Result<u16, ModelError> {
        let bone = match self {
            Self::Named { bones, .. } => bones.get(number as usize).copied(),
            Self::Numbered(count) => {
                let bone = u16::try_from(number).ok().filter(|&bone| usize::from(bone) < Skeleton::MAX_BONES);
                *count = (*count).max(bone.map_or(0, |bone| usize::from(bone) + 1));
                bone
            }
        };
        let most = match self {
            Self::Named { bones, .. } => bones.len(),
            Self::Numbered(_) => Skeleton::MAX_BONES,
        };
        bone.ok_or_else(|| no_bone(pass.at, number, most))
    }

    fn influences(&mut self, pass: &Pass, bones: [u32; 4], weights: [f32; 4]) -> Result<Influences, ModelError> {
        let mut strongest = Strongest::default();
        for (&bone, &weight) in bones.iter().zip(&weights) {
            // A bone with zero weight may have any number.
            if weight > 0.0 {
                strongest.add(self.bone(pass, bone)?, weight);
            }
        }
        let otherwise = if strongest.is_empty() { self.bone(pass, 0)? } else { 0 };
        Ok(strongest.finish(otherwise))
    }

    fn skeleton(self, at: usize) -> Result<Skeleton, ModelError> {
        let names = match self {
            Self::Named { names, .. } => names,
            Self::Numbered(count) => vec![Name::default(); count],
        };
        let bones = names.into_iter().map(|name| (name, None)).collect();
        Skeleton::without_bind(bones).map_err(|error: SkeletonError| finite_skeleton::problem("surfaces", at, error))
    }
}
