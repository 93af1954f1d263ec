//! The vertices of a primitive, moved into the bind pose.

use glam::{DAffine3, DMat3, DVec3};

use super::super::cursor::finite_or_zero;
use super::super::weights::Strongest;
use super::Gltf;
use super::accessor::{Accessor, Elements};
use super::bind::Binding;
use super::schema::Primitive;
use crate::layout::gltf::{direction_to_quake, point_to_quake, stored_point_to_quake};
use crate::model::{Fixup, Influences, ModelError, ModelProblem};

/// Squares of lengths that differ from 1 by less are those of unit vectors.
const UNIT: f32 = 1e-6;

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
    /// The elements of an array that are these vertices'.
    pub fn elements(&self) -> Elements<'_> {
        self.used.as_deref().map_or(Elements::First(self.stored), Elements::These)
    }

    pub fn count(&self) -> usize {
        self.elements().len()
    }

    /// Whether all vertices are stored as they stand in the bind pose.
    pub fn are_in_place(&self) -> bool {
        match &self.skin {
            Some((bindings, _)) => bindings.iter().all(|binding| binding.to_bind == DAffine3::IDENTITY),
            None => self.fixed == DAffine3::IDENTITY,
        }
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

/// A stored direction as a unit vector in Quake's space; `otherwise` for one without a length.
#[inline]
fn unit(stored: [f32; 3], otherwise: DVec3) -> [f32; 3] {
    let [x, y, z] = stored;
    if (x * x + y * y + z * z - 1.0).abs() < UNIT {
        return [z, x, y];
    }
    direction_to_quake(vector(stored).normalize_or(otherwise)).as_vec3().to_array()
}

impl<'a> Gltf<'a> {
    /// An attribute of a primitive, for at least as many vertices as it has.
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

    /// The numbers of an array as stored, for the vertices of a primitive.
    pub fn stored<const N: usize>(
        &mut self,
        vertices: &Vertices,
        accessor: &Accessor,
    ) -> Result<Vec<[f32; N]>, ModelError> {
        let mut out = self.reserve("meshes", vertices.mesh, vertices.count() as u64)?;
        accessor.floats(vertices.elements(), &mut out);
        Ok(out)
    }

    /// Positions, in Quake's space.
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

    /// Unit normals.
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

    /// Unit tangents with the side of the bitangent.
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

    /// Plain numbers; those that an array of fewer lacks are as in `fill`.
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

    /// The influences of a skinned primitive, by joint: the four strongest of all its sets.
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
        Ok(strongest.into_iter().map(|strongest| strongest.finish(0)).collect())
    }

    /// Puts zero in the place of numbers that are not finite.
    pub fn repair(&mut self, mesh: usize, values: &mut [f32]) {
        // Without a branch a number: there are none in nearly all files.
        if values.iter().fold(true, |finite, value| finite & value.is_finite()) {
            return;
        }
        let mut bad = 0;
        finite_or_zero(values, &mut bad);
        self.warn("meshes", mesh, Fixup::NotFinite(bad));
    }
}

/// A vector as stored, in `f64`.
pub(super) fn vector(values: [f32; 3]) -> DVec3 {
    DVec3::from_array(values.map(f64::from))
}
