//! Unreal's ActorX files: meshes (PSK) and animations (PSA), little-endian chunks.

mod chunk;
mod psa;
mod psk;

use super::Input;
use super::cursor::{Cursor, File};
use crate::math::Mat3x4;
use crate::model::{Model, ModelError};

pub(crate) use psa::{MAGIC as PSA_MAGIC, read_alone as read_psa};
pub(crate) use psk::MAGIC as PSK_MAGIC;

/// Size of a bone record in both types of files, bytes.
const BONE: usize = 120;
/// Size of a name, bytes.
const NAME: usize = 64;
/// Scale of bones that no record scales.
const UNSCALED: [f32; 3] = [1.0; 3];

/// Reads a PSK with the animations of the PSA beside it.
///
/// # Errors
/// The errors of the PSK reader, and more memory than both files may take together.
pub(crate) fn read_psk(input: &mut Input) -> Result<Model, ModelError> {
    let mut file = File::of(input);
    let mut model = psk::read(&mut file)?;
    psa::add_from_beside(&mut model, &mut file, input)?;
    model.warnings = file.warnings;
    Ok(model)
}

/// Used part of a bone record; position and rotation follow in the file.
struct BoneRecord<'a> {
    name: &'a [u8],
    parent: Option<usize>,
}

/// Reads the first part of the record of bone `bone`. The first bone is the only root, regardless of its parent field.
fn bone_record<'a>(record: &mut Cursor<'a>, bone: usize) -> Result<BoneRecord<'a>, ModelError> {
    let name = name(record)?;
    let _flags_and_child_count = record.get::<[u32; 2]>()?;
    let parent = record.ranged::<i32>("parent", if bone == 0 { -1..=0 } else { 0..=bone as i64 - 1 })?;
    Ok(BoneRecord { name, parent: usize::try_from(parent).ok().filter(|_| bone > 0) })
}

/// Reads a name, padded with NULs or spaces.
fn name<'a>(record: &mut Cursor<'a>) -> Result<&'a [u8], ModelError> {
    let field = record.take(NAME)?;
    let name = field.split(|&b| b == 0).next().unwrap_or_default();
    Ok(name.trim_ascii_end())
}

/// Convention for the rotation of the root; the rotations of all other bones are stored inverted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    /// Y negated, as FTE and DarkPlaces read every file.
    Mirrored,
    /// Unchanged, as some exporters write it.
    Plain,
}

/// Returns the matrix of bone `bone` in parent space.
fn matrix(position: [f32; 3], [x, y, z, w]: [f32; 4], scale: [f32; 3], bone: usize, root: Root) -> Mat3x4 {
    let rotation = match (bone, root) {
        (0, Root::Mirrored) => [x, -y, z, w],
        (0, Root::Plain) => [x, y, z, w],
        _ => [-x, -y, -z, w],
    };
    Mat3x4::from_translation_rotation_scale(position, rotation, scale)
}
