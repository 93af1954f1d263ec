//! glTF 2.0, as text (`.gltf`) or binary (`.glb`).

mod accessor;
mod bind;
mod buffer;
mod channel;
mod document;
mod hierarchy;
mod material;
mod morph;
mod nodes;
mod primitives;
mod rig;
mod samples;
mod sampling;
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
/// Axes and units become Quake's, 30 units per metre, as in FTE with its defaults. FTE makes every node a bone. Here
/// the bones are the joints, the nodes that move, the nodes below them, and empty nodes that mark a place. Bones have
/// unit axes in Quake's space; FTE's keep glTF's axes below a root scaled by 30. Nodes that only carry a mesh or only
/// have cameras below them are not bones. Nodes above all motion become part of the nodes below them.
///
/// The bind pose is the rest pose of the nodes. Vertices are in the pose of the inverse bind matrices, which
/// [`Skeleton::inverse_bind`](crate::model::Skeleton::inverse_bind) leads back from. Poses are sampled at the rate of
/// the keys if they have one from 20 to 120 per second, otherwise 30 times per second. Equal consecutive poses share a
/// frame. An animation loops if its last pose equals its first, as in FTE's model compiler and in its engine with
/// `mod_gltf_loop 0`; `"extras": {"loop": true, "rate": 10}` overrides loop and rate. Morphs keep their default
/// weights; animated weights become strengths in each frame. Of a material the base colour and its texture are kept:
/// images inside the file as bytes, others as names.
///
/// # Errors
/// Text that is not a glTF document; an index or range outside its list; nodes that do not form a tree; a missing
/// buffer; an extension without which the geometry is unreadable.
pub(crate) fn read(input: &mut Input) -> Result<Model, ModelError> {
    let mut file = File::new(input.bytes, input.limits);
    let (mut document, binary) = document::open(input.bytes, &file)?;
    let mut repairs = document::REPAIRS.iter();
    let root = loop {
        let error = match document.parse(&mut file) {
            Ok(root) => break root,
            Err(error) => error,
        };
        let is_json = matches!(error.problem, ModelProblem::Json { .. });
        if !is_json || !repairs.any(|repair| document.repair(repair, &error, &mut file)) {
            return Err(error);
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

/// Document with its buffers.
struct Gltf<'a> {
    document: &'a Document<'a>,
    root: &'a Root<'a>,
    buffers: &'a [Cow<'a, [u8]>],
    file: File<'a>,
    limits: &'a Limits,
}

impl Gltf<'_> {
    /// Returns the error of `problem` in an element of a list of the document.
    fn error(&self, list: &'static str, index: usize, problem: ModelProblem) -> ModelError {
        ModelError::new(list, self.document.offset(list, index), problem)
    }

    /// Returns the error of an index outside its list.
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

    /// Returns an empty vector with room for `count` elements, charged to an element of a list of the document.
    fn reserve<T>(&mut self, list: &'static str, index: usize, count: u64) -> Result<Vec<T>, ModelError> {
        self.charge(list, index, count.saturating_mul(size_of::<T>() as u64))?;
        Ok(Vec::with_capacity(count as usize))
    }

    /// Charges memory to the budget for an element of a list of the document, bytes.
    fn charge(&mut self, list: &'static str, index: usize, bytes: u64) -> Result<(), ModelError> {
        self.file.charge(list, 0, bytes).map_err(|error| self.error(list, index, error.problem))
    }
}

/// Converts a size; returns `None` if it exceeds the address space.
fn size(size: u64) -> Option<usize> {
    usize::try_from(size).ok()
}
