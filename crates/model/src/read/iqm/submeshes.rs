//! Meshes with their parts of the vertex arrays and triangles.

use super::super::cursor::Cursor;
use super::Iqm;
use super::vertex::VertexArrays;
use crate::layout::iqm as kind;
use crate::model::{CustomArray, Fixup, Influences, Mesh, ModelError, ModelProblem};

/// Maximum deviation of a sum of weights from 1 before the weights are scaled.
const WEIGHT_TOLERANCE: f32 = 1e-5;

/// Part of the vertices that belongs to a mesh.
struct Share<'m, 'a> {
    arrays: &'m VertexArrays<'a>,
    at: usize,
    first: usize,
    count: usize,
}

impl<'a> Iqm<'a> {
    /// Returns all meshes in the order of the file.
    pub fn meshes(&mut self) -> Result<Vec<Mesh>, ModelError> {
        const SIZE: usize = 24;
        if self.header.meshes.count == 0 {
            // Exporters of animations leave the counts of a skin that the file does not have.
            return Ok(Vec::new());
        }
        let arrays = self.vertex_arrays()?;
        let table = self.table("meshes", self.header.meshes, SIZE)?;
        let triangles = self.table("triangles", self.header.triangles, 12)?;
        if self.header.vertex_count > 0 && arrays.standard(kind::POSITION).is_none() {
            let at = self.header.vertex_arrays.offset as usize;
            return Err(ModelError::new("vertexarrays", at, ModelProblem::Missing { what: "positions" }));
        }
        let mut meshes = self.file.reserve("meshes", table.offset(), self.header.meshes.count.into())?;
        for record in table.records(SIZE) {
            meshes.push(self.mesh(record, &arrays, triangles)?);
        }
        Ok(meshes)
    }

    fn mesh(
        &mut self,
        mut record: Cursor<'a>,
        arrays: &VertexArrays<'a>,
        triangles: Cursor<'a>,
    ) -> Result<Mesh, ModelError> {
        let at = record.offset();
        let name = self.name("meshes", &mut record)?;
        let material = self.name("meshes", &mut record)?;
        let total = i64::from(self.header.vertex_count);
        let first = record.ranged::<u32>("first_vertex", 0..=total)?;
        let count = record.ranged::<u32>("num_vertexes", 0..=total - i64::from(first))?;
        let total = i64::from(self.header.triangles.count);
        let first_triangle = record.ranged::<u32>("first_triangle", 0..=total)?;
        let triangle_count = record.ranged::<u32>("num_triangles", 0..=total - i64::from(first_triangle))?;

        let share = Share { arrays, at, first: first as usize, count: count as usize };
        let white = [1.0; 4];
        let positions = self.array(&share, kind::POSITION, [0.0; 3])?;
        let texcoords = self.array(&share, kind::TEXCOORD, [0.0; 2])?;
        let normals = self.array(&share, kind::NORMAL, [0.0; 3])?;
        let tangents = self.array(&share, kind::TANGENT, [0.0, 0.0, 0.0, 1.0])?;
        let colors = self.array(&share, kind::COLOR, white)?;
        let influences = self.influences(&share)?;
        let custom = self.custom(&share)?;

        let mut triangles = triangles;
        triangles.take(first_triangle as usize * 12)?;
        let mut indexes = self.file.reserve("triangles", triangles.offset(), triangle_count.into())?;
        let range = i64::from(first)..=i64::from(first) + i64::from(count) - 1;
        for mut record in triangles.records(12).take(triangle_count as usize) {
            let corners = record.get::<[u32; 3]>()?.map(|index| index.wrapping_sub(first));
            if let Some(&bad) = corners.iter().find(|&&index| index >= count) {
                let found = bad.wrapping_add(first).into();
                let (min, max) = (*range.start(), *range.end());
                let problem = ModelProblem::OutOfRange { field: "vertex index", found, min, max };
                return Err(ModelError::new("triangles", record.offset() - 12, problem));
            }
            indexes.push(corners);
        }
        Ok(Mesh {
            name,
            material,
            positions,
            normals,
            tangents,
            texcoords,
            colors,
            influences,
            custom,
            triangles: indexes,
            ..Mesh::default()
        })
    }

    /// Returns a standard array; empty if the file has none of that type.
    fn array<const N: usize>(
        &mut self,
        share: &Share<'_, 'a>,
        kind: u32,
        fill: [f32; N],
    ) -> Result<Vec<[f32; N]>, ModelError> {
        let Some(array) = share.arrays.standard(kind) else { return Ok(Vec::new()) };
        let mut values = self.file.reserve("meshes", share.at, share.count as u64)?;
        let bad = array.floats(share.first, share.count, fill, &mut values);
        self.file.warn_not_finite("meshes", share.at, bad);
        Ok(values)
    }

    fn custom(&mut self, share: &Share<'_, 'a>) -> Result<Vec<CustomArray>, ModelError> {
        let mut custom = self.file.reserve("meshes", share.at, share.arrays.custom.len() as u64)?;
        for array in &share.arrays.custom {
            let count = share.count as u64 * array.components as u64;
            let mut values = self.file.reserve("meshes", share.at, count)?;
            let bad = array.flat(share.first, share.count, &mut values);
            self.file.warn_not_finite("meshes", share.at, bad);
            custom.push(CustomArray {
                name: array.name.clone(),
                components: array.components,
                data: values.into_flattened(),
            });
        }
        Ok(custom)
    }

    /// Returns blend indexes and weights; none without joints. Indexes without weights assign whole vertices to the
    /// first bone.
    fn influences(&mut self, share: &Share<'_, 'a>) -> Result<Vec<Influences>, ModelError> {
        let bones = self.header.joints.count;
        let Some(array) = share.arrays.standard(kind::BLEND_INDEXES) else { return Ok(Vec::new()) };
        if bones == 0 {
            self.file.warn("meshes", share.at, Fixup::Dropped("a skin without joints"));
            return Ok(Vec::new());
        }
        let count = share.count as u64;
        let mut indexes = self.file.reserve("meshes", share.at, count)?;
        array.indexes(share.first, share.count, &mut indexes);
        let mut weights = self.array(share, kind::BLEND_WEIGHTS, [0.0; 4])?;
        weights.resize(indexes.len(), [0.0; 4]);

        let mut influences = self.file.reserve("meshes", share.at, count)?;
        let mut bad = 0;
        for (indexes, weights) in indexes.into_iter().zip(weights) {
            influences.push(influence(indexes, weights, bones, &mut bad));
        }
        if bad > 0 {
            self.file.warn("meshes", share.at, Fixup::BlendIndexes(bad));
        }
        Ok(influences)
    }
}

/// Returns the influences of a vertex. Those with weight are moved to the front and scaled to sum to 1; without any the
/// first bone has full weight. Counts in `bad` the indexes that were replaced by bone 0.
fn influence(indexes: [u32; 4], weights: [f32; 4], bones: u32, bad: &mut usize) -> Influences {
    let mut out = Influences { bones: [0; 4], weights: [0.0; 4] };
    let mut bone = |index: u32| {
        let inside = u16::try_from(index).ok().filter(|_| index < bones);
        *bad += usize::from(inside.is_none());
        inside.unwrap_or(0)
    };
    let mut used = 0;
    for (index, weight) in indexes.into_iter().zip(weights) {
        if weight > 0.0 {
            (out.bones[used], out.weights[used]) = (bone(index), weight);
            used += 1;
        }
    }
    if used == 0 {
        out.bones[0] = bone(indexes[0]);
        out.weights[0] = 1.0;
        return out;
    }
    let sum: f32 = out.weights.iter().sum();
    if (sum - 1.0).abs() > WEIGHT_TOLERANCE {
        // In f64: four large weights may overflow an f32, as may the inverse of four tiny ones.
        let sum: f64 = out.weights.iter().copied().map(f64::from).sum();
        out.weights = out.weights.map(|weight| (f64::from(weight) / sum) as f32);
    }
    out
}
