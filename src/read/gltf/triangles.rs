//! Triangles out of lists, strips and fans.

use gltf_json::mesh::{Mode, Primitive};
use gltf_json::validation::Checked;

use super::Gltf;
use crate::model::{Fixup, ModelError};

impl Gltf<'_> {
    /// The triangles of a primitive with this many vertices, wound as Quake has them: glTF's front faces are
    /// counterclockwise. A strip's triangles that name a vertex twice, which only join its parts, are left out.
    pub fn triangles(
        &mut self,
        mesh: usize,
        primitive: &Primitive,
        vertices: usize,
    ) -> Result<Vec<[u32; 3]>, ModelError> {
        let indices = match primitive.indices {
            Some(indices) => Some(self.accessor(indices, &[1])?),
            None => None,
        };
        let count = indices.map_or(vertices, |indices| indices.count);
        let (triangles, step) = match primitive.mode {
            Checked::Valid(Mode::Triangles) => (count / 3, 3),
            Checked::Valid(Mode::TriangleStrip | Mode::TriangleFan) => (count.saturating_sub(2), 1),
            _ => {
                self.warn("meshes", mesh, Fixup::Dropped("a primitive that has no triangles"));
                return Ok(Vec::new());
            }
        };
        let corner = |place: usize| indices.map_or(place as u32, |indices| indices.integers::<1>(place)[0]);
        let mut out = self.reserve("meshes", mesh, triangles as u64)?;
        for triangle in 0..triangles {
            let at = triangle * step;
            let [a, b, c] = match primitive.mode {
                Checked::Valid(Mode::TriangleFan) => [0, at + 1, at + 2],
                Checked::Valid(Mode::TriangleStrip) if triangle % 2 == 1 => [at, at + 2, at + 1],
                _ => [at, at + 1, at + 2],
            };
            let corners = [a, c, b].map(corner);
            if let Some(&found) = corners.iter().find(|&&index| index as usize >= vertices) {
                let (list, index) = indices.map_or(("meshes", mesh), |indices| ("accessors", indices.index));
                return Err(self.outside(list, index, "vertex index", found as usize, vertices));
            }
            let [a, b, c] = corners;
            if step == 3 || (a != b && b != c && a != c) {
                out.push(corners);
            }
        }
        Ok(out)
    }
}
