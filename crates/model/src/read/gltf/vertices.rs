//! Vertices of a primitive, transformed to the bind pose.

use glam::{DAffine3, DMat3, DVec3};

use super::super::cursor::finite_or_zero;
use super::super::weights::Strongest;
use super::Gltf;
use super::accessor::{Accessor, Elements};
use super::bind::Binding;
use super::schema::Primitive;
use crate::layout::gltf::{direction_to_quake, point_to_quake, stored_point_to_quake};
use crate::model::{Fixup, Influences, ModelError, ModelProblem};

/// Deviation of a squared length from 1 up to which a vector counts as a unit vector.
const UNIT: f32 = 1e-6;

/// Vertices of a primitive and their transforms to the bind pose.
pub(super) struct Vertices<'r> {
    /// Number of the mesh in the document.
    pub mesh: usize,
    /// Number of stored vertices.
    pub stored: usize,
    /// Numbers of the vertices to read, if the primitive does not need all of them.
    pub used: Option<Vec<u32>>,
    /// Transform of an unskinned mesh.
    pub fixed: DAffine3,
    /// Joints of a skinned mesh, with influences by joint.
    pub skin: Option<(&'r [Binding], Vec<Influences>)>,
}

impl Vertices<'_> {
    /// Returns the selection of these vertices in an array.
    pub fn elements(&self) -> Elements<'_> {
        self.used.as_deref().map_or(Elements::First(self.stored), Elements::These)
    }

    pub fn count(&self) -> usize {
        self.elements().len()
    }

    /// Returns `true` if all stored vertices are already in the bind pose.
    pub fn are_in_place(&self) -> bool {
        match &self.skin {
            Some((bindings, _)) => bindings.iter().all(|binding| binding.to_bind == DAffine3::IDENTITY),
            None => self.fixed == DAffine3::IDENTITY,
        }
    }

    /// Returns the transform of a vertex to the bind pose.
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

    /// Returns the influences by bone; none for an unskinned mesh.
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

/// Returns the matrix that transforms normals where `matrix` transforms positions; the result is not normalised.
fn cofactor(matrix: &DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *matrix;
    DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}

/// Converts a stored direction to a unit vector in Quake space; returns `otherwise` for a direction without length.
#[inline]
fn unit(stored: [f32; 3], otherwise: DVec3) -> [f32; 3] {
    let [x, y, z] = stored;
    if (x * x + y * y + z * z - 1.0).abs() < UNIT {
        return [z, x, y];
    }
    direction_to_quake(vector(stored).normalize_or(otherwise)).as_vec3().to_array()
}

impl<'a> Gltf<'a> {
    /// Returns an attribute of a primitive, which must have a value for each vertex.
    pub fn attribute(
        &self,
        primitive: &Primitive,
        vertices: &Vertices,
        semantic: &str,
        widths: &[usize],
    ) -> Result<Option<Accessor<'a>>, ModelError> {
        let Some(&index) = primitive.attributes.get(semantic) else { return Ok(None) };
        let accessor = self.accessor(index, widths)?;
        self.long_enough(&accessor, vertices)?;
        Ok(Some(accessor))
    }

    /// Refuses an array with fewer elements than vertices.
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

    /// Returns the stored numbers of an array for the vertices of a primitive.
    pub fn stored<const N: usize>(
        &mut self,
        vertices: &Vertices,
        accessor: &Accessor,
    ) -> Result<Vec<[f32; N]>, ModelError> {
        let mut out = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
        accessor.floats(vertices.elements(), &mut out);
        Ok(out)
    }

    /// Returns positions in Quake space.
    pub fn positions(&mut self, vertices: &Vertices, stored: &Accessor) -> Result<Vec<[f32; 3]>, ModelError> {
        let mut out = self.stored(vertices, stored)?;
        if vertices.are_in_place() {
            out.iter_mut().for_each(|point| *point = stored_point_to_quake(*point));
        } else {
            for (vertex, point) in out.iter_mut().enumerate() {
                *point = point_to_quake(vertices.matrix(vertex).transform_point3(vector(*point))).to_array();
            }
        }
        self.repair(vertices.mesh, out.as_flattened_mut());
        Ok(out)
    }

    /// Returns unit normals.
    pub fn normals(&mut self, vertices: &Vertices, stored: &Accessor) -> Result<Vec<[f32; 3]>, ModelError> {
        let mut out: Vec<[f32; 3]> = self.stored(vertices, stored)?;
        if vertices.are_in_place() {
            out.iter_mut().for_each(|normal| *normal = unit(*normal, DVec3::Y));
        } else {
            for (vertex, normal) in out.iter_mut().enumerate() {
                let turned = cofactor(&vertices.matrix(vertex).matrix3) * vector(*normal);
                *normal = direction_to_quake(turned.normalize_or(DVec3::Y)).as_vec3().to_array();
            }
        }
        Ok(out)
    }

    /// Returns unit tangents with the sign of the bitangent.
    pub fn tangents(&mut self, vertices: &Vertices, stored: &Accessor) -> Result<Vec<[f32; 4]>, ModelError> {
        let mut out: Vec<[f32; 4]> = self.stored(vertices, stored)?;
        let in_place = vertices.are_in_place();
        for (vertex, tangent) in out.iter_mut().enumerate() {
            let [x, y, z, side] = *tangent;
            let [x, y, z] = if in_place {
                unit([x, y, z], DVec3::X)
            } else {
                let turned = vertices.matrix(vertex).matrix3 * vector([x, y, z]);
                direction_to_quake(turned.normalize_or(DVec3::X)).as_vec3().to_array()
            };
            *tangent = [x, y, z, if side < 0.0 { -1.0 } else { 1.0 }];
        }
        Ok(out)
    }

    /// Returns the stored numbers of an array; missing components come from `fill`.
    pub fn plain<const N: usize>(
        &mut self,
        vertices: &Vertices,
        stored: Option<Accessor>,
        fill: [f32; N],
    ) -> Result<Vec<[f32; N]>, ModelError> {
        let Some(stored) = stored else { return Ok(Vec::new()) };
        let mut out: Vec<[f32; N]> = self.stored(vertices, &stored)?;
        if stored.width < N {
            for values in &mut out {
                values.iter_mut().zip(fill).skip(stored.width).for_each(|(value, fill)| *value = fill);
            }
        }
        self.repair(vertices.mesh, out.as_flattened_mut());
        Ok(out)
    }

    /// Returns the influences of a skinned primitive by joint: the four strongest of all sets.
    pub fn by_joint(
        &mut self,
        primitive: &Primitive,
        vertices: &Vertices,
        joints: usize,
    ) -> Result<Vec<Influences>, ModelError> {
        let mut strongest: Vec<Strongest> = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
        strongest.resize(vertices.count(), Strongest::default());
        let mut bad = 0;
        for set in 0.. {
            let bones = self.attribute(primitive, vertices, &format!("JOINTS_{set}"), &[4])?;
            let weights = self.attribute(primitive, vertices, &format!("WEIGHTS_{set}"), &[4])?;
            let Some((bones, weights)) = bones.zip(weights) else { break };
            let mut numbers: Vec<[u32; 4]> = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
            bones.integers(vertices.elements(), &mut numbers);
            let weights: Vec<[f32; 4]> = self.stored(vertices, &weights)?;
            for (strongest, (bones, weights)) in strongest.iter_mut().zip(numbers.iter().zip(&weights)) {
                for (&joint, &weight) in bones.iter().zip(weights) {
                    let inside = (joint as usize) < joints;
                    bad += usize::from(!inside && weight > 0.0);
                    strongest.add(if inside { joint as u16 } else { 0 }, weight);
                }
            }
        }
        if bad > 0 {
            self.warn("meshes", vertices.mesh, Fixup::BlendIndexes(bad));
        }
        let cut = strongest.iter().filter(|strongest| strongest.is_cut()).count();
        if cut > 0 {
            self.warn("meshes", vertices.mesh, Fixup::CutInfluences(cut));
        }
        Ok(strongest.into_iter().map(|strongest| strongest.finish(0)).collect())
    }

    /// Replaces non-finite numbers with zero, and warns of their count in the mesh.
    pub fn repair(&mut self, mesh: usize, values: &mut [f32]) {
        // Branchless, because nearly no file has non-finite numbers.
        if values.iter().fold(true, |finite, value| finite & value.is_finite()) {
            return;
        }
        let mut bad = 0;
        finite_or_zero(values, &mut bad);
        self.warn("meshes", mesh, Fixup::NotFinite(bad));
    }
}

/// Converts a stored vector to `f64`.
pub(super) fn vector(values: [f32; 3]) -> DVec3 {
    DVec3::from_array(values.map(f64::from))
}
