//! PSA: sequences of keys for named bones.

use super::super::Input;
use super::super::add_animations;
use super::super::cursor::{File, finite_or_identity};
use super::super::finite_skeleton;
use super::chunk::{Chunk, Records, chunks, records};
use super::{BONE, Root, UNSCALED, bone_record, matrix, name, psk};
use crate::limits::Limits;
use crate::model::{Animation, AnimationSource, Fixup, Model, ModelError, ModelProblem, Skeleton};

/// First bytes of every PSA file.
pub(crate) const MAGIC: &[u8] = b"ANIMHEAD";

/// Reads a PSA as a model of bones and animations that drive other models.
///
/// Sequences loop. A bone has the scale of its SCALEKEYS record, if the file has as many of those as keys. A sequence
/// whose first frame lies outside the keys starts at the end of the previous sequence.
///
/// # Errors
/// A chunk outside the file or with records of another size; no bones; a parent that does not precede its child; a
/// negative count.
pub(crate) fn read_alone(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    read(&mut File::new(bytes, limits), Root::Mirrored)
}

fn read(file: &mut File, root: Root) -> Result<Model, ModelError> {
    let chunks = chunks(file)?;
    let skeleton = read_bones(file, records(&chunks, "BONENAMES", BONE)?)?;

    let keys = records(&chunks, "ANIMKEYS", 32)?;
    let bone_count = skeleton.len().max(1);
    let frame_count = keys.count / bone_count as u32;
    let whole = frame_count as usize * bone_count;
    if whole < keys.count as usize {
        file.warn("ANIMKEYS", keys.offset(), Fixup::Dropped("a last frame that lacks bones"));
    }
    let mut frames = file.reserve("ANIMKEYS", keys.offset(), whole as u64)?;
    let mut bad = 0;
    let mut scales = read_scales(file, &chunks, keys.count).into_iter().flat_map(Records::iter);
    for (key, mut record) in keys.iter().take(whole).enumerate() {
        let (position, rotation) = (record.get()?, record.get()?);
        let scale = scales.next().map_or(Ok(UNSCALED), |mut record| record.get())?;
        frames.push(finite_or_identity(matrix(position, rotation, scale, key % bone_count, root), &mut bad));
    }
    file.warn_not_finite("ANIMKEYS", keys.offset(), bad);

    let animations = read_sequences(file, records(&chunks, "ANIMINFO", 168)?, frame_count)?;
    Ok(Model { skeleton, animations, frames, warnings: std::mem::take(&mut file.warnings), ..Model::default() })
}

/// Adds to a PSK model the animations of the PSA of the same name. Bones are matched by name; mismatches are warnings.
///
/// # Errors
/// More memory than both files may take together.
pub(super) fn add_from_beside(model: &mut Model, psk: &mut File, input: &mut Input) -> Result<(), ModelError> {
    let (name, limits) = (input.name, input.limits);
    let file = name.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
    let stem = name[file..].rfind('.').map_or(name, |dot| &name[..file + dot]);
    let Some(bytes) = input.beside(&format!("{stem}.psa")) else { return Ok(()) };
    psk.admit(bytes.len());
    let root = psk.beside(input.bytes, |psk| psk::root(psk, &model.skeleton))??;
    let psa = match psk.beside(&bytes, |psa| read(psa, root))? {
        Ok(psa) => psa,
        Err(error) => {
            psk.warn(error.section, error.offset, Fixup::Dropped("a .psa file with an error here"));
            return Ok(());
        }
    };
    for warning in &psa.warnings {
        warning.clone().add_to(&mut psk.warnings, limits.warnings);
    }
    let fixup = match add_animations(psk, "BONENAMES", 0, model, &psa)? {
        Some(fit) if fit.is_complete() => return Ok(()),
        Some(_) => Fixup::Tolerated("a .psa file for other bones (bones with the same names follow it)"),
        None => Fixup::Dropped("a .psa file without animations for these bones"),
    };
    psk.warn("BONENAMES", 0, fixup);
    Ok(())
}

fn read_bones(file: &mut File, table: Records) -> Result<Skeleton, ModelError> {
    let at = table.offset();
    if table.count == 0 {
        return Err(ModelError::new("BONENAMES", at, ModelProblem::Missing { what: "bones" }));
    }
    finite_skeleton::check_count("BONENAMES", at, table.count)?;
    let mut bones = file.reserve("BONENAMES", at, table.count.into())?;
    for (bone, mut record) in table.iter().enumerate() {
        let bone = bone_record(&mut record, bone)?;
        bones.push((file.name("BONENAMES", at, bone.name)?, bone.parent));
    }
    Skeleton::without_bind(bones).map_err(|error| finite_skeleton::problem("BONENAMES", at, error))
}

/// Returns the scales of the keys; `None` if the file has none that fit the keys.
fn read_scales<'a>(file: &mut File, chunks: &[Chunk<'a>], keys: u32) -> Option<Records<'a>> {
    let chunk = chunks.iter().find(|chunk| chunk.is("SCALEKEYS"))?;
    let scales = chunk.of_size(16).filter(|scales| scales.count == keys);
    // Some exporters write an empty chunk.
    if scales.is_none() && chunk.of_size(16).is_none_or(|scales| scales.count != 0) {
        file.warn("SCALEKEYS", chunk.offset(), Fixup::Dropped("scales for another number of keys"));
    }
    scales
}

fn read_sequences(file: &mut File, table: Records, frames: u32) -> Result<Vec<Animation>, ModelError> {
    let mut animations = file.reserve("ANIMINFO", table.offset(), table.count.into())?;
    let mut next = 0;
    for mut record in table.iter() {
        let at = record.offset();
        let name = file.name("ANIMINFO", at, name(&mut record)?)?;
        // The name of the group, and fields that only the editor uses.
        record.take(64 + 24)?;
        let rate = record.get::<f32>()?;
        let _start_bone = record.get::<i32>()?;
        let mut first = record.get::<i32>()?;
        let stated = record.ranged::<u32>("numframes", 0..=i64::from(i32::MAX))?;
        if first < 0 || i64::from(first) + i64::from(stated) > i64::from(frames) {
            first = next;
            file.warn(
                "ANIMINFO",
                at,
                Fixup::Tolerated("a first frame outside the keys (replaced by the end of the previous sequence)"),
            );
        }
        let first = first as u32;
        let kept = stated.min(frames.saturating_sub(first));
        next = first.saturating_add(stated).min(i32::MAX as u32) as i32;
        let rate = file.rate("ANIMINFO", at, rate);
        let mut animation = Animation::frames(name, first, kept, rate, true);
        if kept == 0 {
            animation.source = AnimationSource::BindPose;
            file.warn("ANIMINFO", at, Fixup::AnimationOutside);
        } else if kept < stated {
            file.warn("ANIMINFO", at, Fixup::AnimationCut { stated, kept });
        }
        animations.push(animation);
    }
    Ok(animations)
}
