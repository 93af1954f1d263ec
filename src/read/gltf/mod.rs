//! glTF 2.0, as text (`.gltf`) or binary (`.glb`).

mod accessor;
mod animation;
mod bind;
mod buffer;
mod channel;
mod document;
mod hierarchy;
mod material;
mod mesh;
mod morph;
mod nodes;
mod rig;
mod samples;
mod schema;
mod triangles;
mod vertices;

use std::borrow::Cow;

use super::Input;
use super::cursor::File;
use crate::limits::Limits;
use crate::model::{Fixup, Model, ModelError, ModelProblem};
use document::Document;
use schema::Root;

/// Reads a glTF file.
///
/// Axes and units become Quake's, thirty to a metre, as in FTE with its defaults. FTE makes every node a bone; here the
/// bones are the joints, the nodes that move, what hangs on those, and empty nodes that mark a place; they have unit axes
/// in Quake's space, where FTE's keep glTF's axes below a root scaled by 30. Nodes that only carry a mesh are none, nor
/// are those that only cameras hang on, and those above all motion are part of what hangs below them.
///
/// The bind pose is the one that the nodes stand in. Vertices are in the pose of the inverse bind matrices, which is where
/// [`Skeleton::inverse_bind`](crate::model::Skeleton::inverse_bind) leads from. Poses are sampled at the rate of the
/// keys, where there is one from 20 to 120 a second, else 30 times a second; poses in a row that are the same are one
/// frame. An animation whose last pose is its first loops, as in FTE's model compiler and in its engine with
/// `mod_gltf_loop 0`; an exporter can say otherwise by `"extras": {"loop": true, "rate": 10}`. Morphs keep their weights'
/// defaults, and animated weights become strengths in each frame. Of materials there are their base colour and its
/// texture; images inside the file are kept as their bytes, others as their names.
///
/// # Errors
/// Text that is no glTF document, indexes and ranges that lead outside, nodes that are not a tree, buffers that are
/// missing, extensions without which the geometry cannot be understood.
pub(crate) fn read(input: &mut Input) -> Result<Model, ModelError> {
    let mut file = File::new(input.bytes, input.limits);
    let (mut document, binary) = document::open(input.bytes, &file)?;
    let root = match document.parse(&mut file) {
        Ok(root) => root,
        Err(error) => {
            if !matches!(error.problem, ModelProblem::Json { .. }) || !document.repair(&mut file) {
                return Err(error);
            }
            document.parse(&mut file)?
        }
    };
    let buffers = buffer::load(&document, &root, &mut file, binary, input)?;
    let mut gltf = Gltf { document: &document, root: &root, buffers: &buffers, file, limits: input.limits };
    let nodes = nodes::Nodes::new(&mut gltf)?;
    let rig = rig::Rig::new(&mut gltf, &nodes)?;
    let materials = gltf.materials()?;
    let mut meshes = gltf.meshes(&nodes, &rig, &materials)?;
    let (frames, animations) = gltf.animations(&nodes, &rig, &mut meshes)?;
    Ok(Model {
        skeleton: rig.skeleton,
        animations,
        frames,
        meshes: meshes.into_iter().map(|drawn| drawn.mesh).collect(),
        materials: materials.into_iter().filter(|material| !material.name.is_empty()).collect(),
        flags: document::flags(&root),
        warnings: gltf.file.warnings,
        ..Model::default()
    })
}

/// A document with its buffers.
struct Gltf<'a> {
    document: &'a Document<'a>,
    root: &'a Root<'a>,
    buffers: &'a [Cow<'a, [u8]>],
    file: File<'a>,
    limits: &'a Limits,
}

impl Gltf<'_> {
    /// Something wrong with an element of one of the document's lists.
    fn error(&self, list: &'static str, index: usize, problem: ModelProblem) -> ModelError {
        ModelError::new(list, self.document.offset(list, index), problem)
    }

    /// An index that leads outside its list.
    fn outside(
        &self,
        list: &'static str,
        index: usize,
        field: &'static str,
        found: usize,
        length: usize,
    ) -> ModelError {
        let problem = ModelProblem::OutOfRange { field, found: found as i64, min: 0, max: length as i64 - 1 };
        self.error(list, index, problem)
    }

    fn warn(&mut self, list: &'static str, index: usize, fixup: Fixup) {
        let offset = self.document.offset(list, index);
        self.file.warn(list, offset, fixup);
    }

    /// An empty vector with room for `count` elements, for an element of one of the document's lists.
    fn reserve<T>(&mut self, list: &'static str, index: usize, count: u64) -> Result<Vec<T>, ModelError> {
        self.charge(list, index, count.saturating_mul(size_of::<T>() as u64))?;
        Ok(Vec::with_capacity(count as usize))
    }

    /// Charges memory for an element of one of the document's lists.
    fn charge(&mut self, list: &'static str, index: usize, bytes: u64) -> Result<(), ModelError> {
        self.file.charge(list, 0, bytes).map_err(|error| self.error(list, index, error.problem))
    }
}

/// A size, if this machine has such.
fn size(size: u64) -> Option<usize> {
    usize::try_from(size).ok()
}
