//! Half-Life studio models, version 10.

mod body_parts;
mod bone_pose;
mod header;
mod png;
mod rig;
mod sequence;
mod sequence_pose;
mod texture;
mod tracks;

use std::sync::Arc;

use header::Header;
use texture::Textures;
use tracks::Groups;

use super::Input;
use super::cursor::File;
use crate::model::{Fixup, HalfLifeData, Model, ModelError, Name};

/// First bytes of the file and of the file with its textures.
pub(crate) const MAGIC: &[u8; 4] = b"IDST";

const VERSION: u32 = 10;

/// Reads a studio model.
///
/// Missing textures come from `fooT.mdl` (or `foot.mdl`), frames of further sequence groups from `foo01.mdl` and so on.
/// Without those files the model has no textures, or the sequences hold the bind pose, and a warning says so. Sequences
/// are evaluated on demand: positions between frames linearly, rotations spherically. The models of all body parts are
/// loaded; those that exclude one another are members of a geometry set. Each texture with pixels is a material with a
/// PNG image.
///
/// # Errors
/// A table outside the file; an index outside its table; a bone that precedes its parent; a stream of frames that
/// leaves the file.
pub(crate) fn read(input: &mut Input) -> Result<Model, ModelError> {
    let mut file = File::<false>::new(input.bytes, input.limits);
    let header = Header::read(&file)?;
    let (skeleton, rig) = header.rig(&mut file)?;
    let rig = Arc::new(rig);
    let sources = header.groups(&mut file, input)?;
    let (animations, sequences) = header.sequences(&mut file, &Groups(&sources), &rig)?;
    let textures = textures(&header, &mut file, input)?;
    let body_parts::Meshes { meshes, sources, skins } = header.meshes(&mut file, &skeleton, &textures)?;
    let attachments = header.attachments(&mut file)?;
    let hit_boxes = header.hit_boxes(&mut file)?;
    let (nodes, transitions) = header.transitions(&mut file)?;
    let half_life =
        HalfLifeData { controllers: Arc::clone(&rig.controllers), sequences, meshes: sources, nodes, transitions };
    Ok(Model {
        skeleton,
        animations,
        meshes,
        skins,
        attachments,
        hit_boxes,
        materials: textures.materials,
        half_life: Some(half_life),
        flags: header.flags,
        warnings: file.warnings,
        ..Model::default()
    })
}

/// Returns the textures of the model, or those of its texture file.
fn textures(header: &Header, file: &mut File, input: &mut Input) -> Result<Textures, ModelError> {
    if header.textures.count > 0 || header.body_parts.count == 0 {
        return Textures::read(header, file);
    }
    let (upper, lower) = (format!("{}T.mdl", stem(input.name)), format!("{}t.mdl", stem(input.name)));
    let bytes = input.beside(&upper).or_else(|| input.beside(&lower));
    let read = |bytes: &Vec<u8>| {
        file.admit(bytes.len());
        file.beside(bytes, |beside| {
            let textures = Textures::read(&Header::read(beside)?, beside)?;
            Ok((textures, std::mem::take(&mut beside.warnings)))
        })
    };
    match bytes.as_ref().map(read).transpose()? {
        Some(Ok((textures, warnings))) => {
            warnings.into_iter().for_each(|warning| file.warn(warning.section, warning.offset, warning.fixup));
            Ok(textures)
        }
        _ => {
            file.warn("textures", 0, Fixup::SideFile(Name::from(upper.as_str())));
            Ok(Textures::default())
        }
    }
}

/// Returns the name of a model without its extension.
fn stem(name: &str) -> &str {
    let start = name.len().saturating_sub(4);
    match name.get(start..) {
        Some(extension) if extension.eq_ignore_ascii_case(".mdl") => &name[..start],
        _ => name,
    }
}
