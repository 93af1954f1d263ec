//! The vertices of a primitive, moved into the bind pose.

use glam::{DAffine3, DMat3, DVec3};
use gltf_json::mesh::{Primitive, Semantic};
use gltf_json::validation::Checked;

use super::super::cursor::finite_or_zero;
use super::super::weights::Strongest;
use super::Gltf;
use super::accessor::Accessor;
use super::bind::Binding;
use crate::layout::gltf::{direction_to_quake, point_to_quake};
use crate::model::{Fixup, Influences, ModelError, ModelProblem};

/// Which vertices a primitive has, and what moves each of them into the bind pose.
pub(super) struct Vertices<'r> {
    /// The mesh's number in the document.
    pub mesh: usize,
    /// How many there are in the file.
    pub stored: usize,
    /// Those that are used, where others are too that this primitive does not need.
    pub used: Option<Vec<u32>>,
    /// For a mesh that is not skinned.
    pub fixed: DAffine3,
    /// For one that is: the joints, with their influences by joint.
    pub skin: Option<(&'r [Binding], Vec<Influences>)>,
}

impl Vertices<'_> {
    pub fn count(&self) -> usize {
        self.used.as_ref().map_or(self.stored, Vec::len)
    }

    /// The numbers in the file of the vertices.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        let number = |vertex: usize| self.used.as_ref().map_or(Some(vertex), |used| Some(*used.get(vertex)? as usize));
        (0..self.count()).filter_map(number)
    }

    /// What moves a vertex into the bind pose.
    pub fn matrix(&self, vertex: usize) -> DAffine3 {
        let Some((bindings, influences)) = &self.skin else { return self.fixed };
        let (mut matrix, mut uniform) = (DAffine3::ZERO, true);
        for (&joint, &weight) in influences.get(vertex).iter().flat_map(|i| i.bones.iter().zip(&i.weights)) {
            let moved = bindings.get(usize::from(joint)).map_or(DAffine3::IDENTITY, |binding| binding.to_bind);
            uniform &= weight == 0.0 || moved == DAffine3::IDENTITY;
            matrix.matrix3 += moved.matrix3 * f64::from(weight);
            matrix.translation += moved.translation * f64::from(weight);
        }
        if uniform { DAffine3::IDENTITY } else { matrix }
    }

    /// The influences by bone; none for a mesh that is not skinned.
    pub fn influences(&self) -> impl ExactSizeIterator<Item = Influences> {
        let skin = self.skin.as_ref().map_or((&[][..], &[][..]), |(bindings, influences)| (bindings, influences));
        let bone = |joint: u16| skin.0.get(usize::from(joint)).map_or(0, |binding| binding.bone);
        skin.1.iter().map(move |by_joint| {
            let mut bones = by_joint.bones;
            for (joint, &weight) in bones.iter_mut().zip(&by_joint.weights) {
                *joint = if weight > 0.0 { bone(*joint) } else { 0 };
            }
            Influences { bones, ..*by_joint }
        })
    }
}

/// What turns normals where `matrix` turns surfaces; not normalised.
fn cofactor(matrix: &DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *matrix;
    DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}

impl<'a> Gltf<'a> {
    /// An attribute of a primitive, for at least as many vertices as it has.
    pub fn attribute(
        &self,
        primitive: &Primitive,
        vertices: &Vertices,
        semantic: Semantic,
        widths: &[usize],
    ) -> Result<Option<Accessor<'a>>, ModelError> {
        let Some(&index) = primitive.attributes.get(&Checked::Valid(semantic)) else { return Ok(None) };
        let accessor = self.accessor(index, widths)?;
        self.long_enough(&accessor, vertices)?;
        Ok(Some(accessor))
    }

    /// Refuses an array that has fewer elements than there are vertices.
    pub fn long_enough(&self, accessor: &Accessor, vertices: &Vertices) -> Result<(), ModelError> {
        if accessor.count < vertices.stored {
            let (found, expected) = (accessor.count as i64, vertices.stored as i64);
            return Err(self.error(
                "accessors",
                accessor.index,
                ModelProblem::Mismatch { field: "count", found, expected },
            ));
        }
        Ok(())
    }

    /// Positions, in Quake's space.
    pub fn positions(&mut self, vertices: &Vertices, stored: &Accessor) -> Result<Vec<[f32; 3]>, ModelError> {
        let mut out = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
        let mut bad = 0;
        for (vertex, number) in vertices.numbers().enumerate() {
            let point = vertices.matrix(vertex).transform_point3(vector(stored.floats(number)));
            let mut point = point_to_quake(point).to_array();
            finite_or_zero(&mut point, &mut bad);
            out.push(point);
        }
        self.warn_not_finite(vertices.mesh, bad);
        Ok(out)
    }

    /// Unit normals.
    pub fn normals(&mut self, vertices: &Vertices, stored: &Accessor) -> Result<Vec<[f32; 3]>, ModelError> {
        let mut out = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
        for (vertex, number) in vertices.numbers().enumerate() {
            let normal = cofactor(&vertices.matrix(vertex).matrix3) * vector(stored.floats(number));
            out.push(direction_to_quake(normal.normalize_or(DVec3::Y)).as_vec3().to_array());
        }
        Ok(out)
    }

    /// Unit tangents with the side of the bitangent.
    pub fn tangents(&mut self, vertices: &Vertices, stored: &Accessor) -> Result<Vec<[f32; 4]>, ModelError> {
        let mut out = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
        for (vertex, number) in vertices.numbers().enumerate() {
            let [x, y, z, side] = stored.floats::<4>(number);
            let tangent = vertices.matrix(vertex).matrix3 * vector([x, y, z]);
            let [x, y, z] = direction_to_quake(tangent.normalize_or(DVec3::X)).as_vec3().to_array();
            out.push([x, y, z, if side < 0.0 { -1.0 } else { 1.0 }]);
        }
        Ok(out)
    }

    /// Plain numbers; those that an array of `width` lacks are as in `fill`.
    pub fn plain<const N: usize>(
        &mut self,
        vertices: &Vertices,
        stored: Option<Accessor>,
        fill: [f32; N],
    ) -> Result<Vec<[f32; N]>, ModelError> {
        let Some(stored) = stored else { return Ok(Vec::new()) };
        let mut out = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
        let mut bad = 0;
        for number in vertices.numbers() {
            let mut values = stored.floats::<N>(number);
            finite_or_zero(&mut values, &mut bad);
            out.push(std::array::from_fn(|i| if i < stored.width { values[i] } else { fill[i] }));
        }
        self.warn_not_finite(vertices.mesh, bad);
        Ok(out)
    }

    /// The influences of a skinned primitive, by joint: the four strongest of all its sets.
    pub fn by_joint(
        &mut self,
        primitive: &Primitive,
        vertices: &Vertices,
        joints: usize,
    ) -> Result<Vec<Influences>, ModelError> {
        let mut sets = Vec::new();
        for set in 0.. {
            let bones = self.attribute(primitive, vertices, Semantic::Joints(set), &[4])?;
            let weights = self.attribute(primitive, vertices, Semantic::Weights(set), &[4])?;
            let Some(both) = bones.zip(weights) else { break };
            // Sets may share their bytes: what is read over and over counts as if it were kept.
            self.charge("meshes", vertices.mesh, vertices.count() as u64 * 8)?;
            sets.push(both);
        }
        let mut influences = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
        let mut bad = 0;
        for number in vertices.numbers() {
            let mut strongest = Strongest::default();
            for (bones, weights) in &sets {
                for (joint, weight) in bones.integers::<4>(number).into_iter().zip(weights.floats::<4>(number)) {
                    let inside = (joint as usize) < joints;
                    bad += usize::from(!inside && weight > 0.0);
                    strongest.add(if inside { joint as u16 } else { 0 }, weight);
                }
            }
            influences.push(strongest.finish(0));
        }
        if bad > 0 {
            self.warn("meshes", vertices.mesh, Fixup::BlendIndexes(bad));
        }
        Ok(influences)
    }

    pub fn warn_not_finite(&mut self, mesh: usize, bad: usize) {
        if bad > 0 {
            self.warn("meshes", mesh, Fixup::NotFinite(bad));
        }
    }
}

/// A vector as stored, in `f64`.
pub(super) fn vector(values: [f32; 3]) -> DVec3 {
    DVec3::from_array(values.map(f64::from))
}
