//! Morph targets.

use super::super::json::Json;
use super::Gltf;
use super::document::extras;
use super::schema::Primitive;
use super::vertices::{Vertices, vector};
use crate::layout::gltf::{direction_to_quake, point_to_quake};
use crate::model::{ModelError, Morph, Name};

impl Gltf<'_> {
    /// Returns the names of the morph targets of a mesh in their order; an empty name for one that is not text.
    pub fn target_names(&mut self, mesh: usize) -> Result<Vec<Name>, ModelError> {
        let extras = self.root.meshes.get(mesh).and_then(|mesh| extras(mesh.extras));
        let stated = extras.as_ref().and_then(|extras| extras.list("targetNames")).unwrap_or_default();
        let mut names = self.reserve("meshes", mesh, stated.len() as u64)?;
        for name in stated {
            let name: &[u8] = if let Json::Text(name) = name { name } else { &[] };
            self.charge("meshes", mesh, Name::memory_of(name))?;
            names.push(Name::new(name));
        }
        Ok(names)
    }

    /// Returns the morph targets of a primitive with the vertices that each one moves.
    pub fn morphs(
        &mut self,
        primitive: &Primitive,
        vertices: &Vertices,
        names: &[Name],
    ) -> Result<Vec<Morph>, ModelError> {
        let mesh = vertices.mesh;
        let mut morphs = self.reserve("meshes", mesh, primitive.targets.len() as u64)?;
        for (index, target) in primitive.targets.iter().enumerate() {
            let name = names.get(index).cloned().unwrap_or_default();
            let positions = self.deltas(vertices, target.positions, |moved| point_to_quake(moved).to_array())?;
            let normals =
                self.deltas(vertices, target.normals, |moved| direction_to_quake(moved).as_vec3().to_array())?;
            morphs.push(self.moved(mesh, name, &positions, &normals)?);
        }
        Ok(morphs)
    }

    /// Returns the deltas of a target for each vertex.
    fn deltas(
        &mut self,
        vertices: &Vertices,
        stored: Option<usize>,
        to_quake: impl Fn(glam::DVec3) -> [f32; 3],
    ) -> Result<Vec<[f32; 3]>, ModelError> {
        let Some(stored) = stored else { return Ok(Vec::new()) };
        let stored = self.accessor(stored, &[3])?;
        self.long_enough(&stored, vertices)?;
        let mut out = self.stored(vertices, &stored)?;
        let in_place = vertices.are_in_place();
        for (vertex, delta) in out.iter_mut().enumerate().filter(|(_, delta)| **delta != [0.0; 3]) {
            let stored = vector(*delta);
            *delta = to_quake(if in_place { stored } else { vertices.matrix(vertex).transform_vector3(stored) });
        }
        self.repair(vertices.mesh, out.as_flattened_mut());
        Ok(out)
    }

    fn moved(
        &mut self,
        mesh: usize,
        name: Name,
        positions: &[[f32; 3]],
        normals: &[[f32; 3]],
    ) -> Result<Morph, ModelError> {
        let moves = |deltas: &[[f32; 3]], vertex: usize| deltas.get(vertex).is_some_and(|delta| *delta != [0.0; 3]);
        let count = positions.len().max(normals.len());
        let moved = || (0..count).filter(|&vertex| moves(positions, vertex) || moves(normals, vertex));
        let count = moved().count() as u64;
        let mut morph = Morph { name, ..Morph::default() };
        morph.vertices = self.reserve("meshes", mesh, count)?;
        morph.vertices.extend(moved().map(|vertex| vertex as u32));
        for (deltas, out) in [(positions, &mut morph.positions), (normals, &mut morph.normals)] {
            if !deltas.is_empty() {
                *out = self.reserve("meshes", mesh, count)?;
                out.extend(moved().filter_map(|vertex| deltas.get(vertex)));
            }
        }
        Ok(morph)
    }
}
