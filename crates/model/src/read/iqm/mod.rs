//! Inter-Quake Models, versions 1 and 2, with FTE's extensions.

mod extension;
mod frames;
mod header;
mod skeleton;
mod submeshes;
mod vertex;

use std::collections::HashMap;

use header::{Header, Table};

use super::Input;
use super::cursor::{Cursor, File, Text};
use crate::model::{Animation, AnimationSource, Fixup, Model, ModelError, Name};

pub(crate) use header::MAGIC;

/// Reads an IQM.
///
/// The base pose, the poses and their order of operations are those of FTE, bit for bit. A file with joints but without
/// animations gets the animation "base". A file without joints, which holds animations for another model, gets bones
/// without names and without a bind pose. By the rules of DarkPlaces bones have no scale, and the rotations of frames
/// have unit length.
///
/// # Errors
/// A table outside the file; an index outside its table; a parent that does not precede its child; counts that
/// contradict one another.
pub(crate) fn read(input: &Input) -> Result<Model, ModelError> {
    let file = File::of(input);
    let header = Header::read(&file)?;
    let text = Text(file.table("text", header.text.offset, header.text.count, 1)?.rest());
    let mut iqm = Iqm { file, header, text, names: HashMap::new() };

    let poses = iqm.poses()?;
    let skeleton = iqm.skeleton(&poses)?;
    let frames = iqm.frames(&poses)?;
    let bounds = iqm.bounds()?;
    let mut animations = iqm.animations()?;
    let mut meshes = iqm.meshes()?;
    let extensions = iqm.extensions()?;
    iqm.surfaces(&extensions, &mut meshes)?;
    iqm.events(&extensions, &mut animations)?;
    let skins = iqm.skins(&extensions)?;
    let comments = iqm.comments()?;
    if animations.is_empty() && skeleton.has_bind() {
        let bind = Animation::frames("base", 0, 1, Animation::DEFAULT_RATE, true);
        animations.push(Animation { source: AnimationSource::BindPose, ..bind });
    }
    let (flags, warnings) = (iqm.header.flags, iqm.file.warnings);
    Ok(Model { skeleton, animations, frames, bounds, meshes, skins, flags, comments, warnings, ..Model::default() })
}

/// File with its header and text block.
struct Iqm<'a> {
    file: File<'a>,
    header: Header,
    text: Text<'a>,
    /// Names by their offset; many records may share a long name.
    names: HashMap<u32, Name>,
}

impl<'a> Iqm<'a> {
    fn table(&self, section: &'static str, table: Table, size: usize) -> Result<Cursor<'a>, ModelError> {
        self.file.table(section, table.offset, table.count, size)
    }

    /// Reads a name by the text offset that is next in a record.
    fn name(&mut self, section: &'static str, record: &mut Cursor<'a>) -> Result<Name, ModelError> {
        let at = record.offset();
        let offset = record.get::<u32>()?;
        self.text_at(section, at, offset)
    }

    /// Returns the name at `offset` of the text block for a record at byte `at`.
    fn text_at(&mut self, section: &'static str, at: usize, offset: u32) -> Result<Name, ModelError> {
        if let Some(name) = self.names.get(&offset) {
            return Ok(name.clone());
        }
        let Some(bytes) = self.text.at(offset) else {
            if offset != 0 {
                self.file.warn(section, at, Fixup::BadString);
            }
            return Ok(Name::default());
        };
        let name = self.file.name(section, at, bytes)?;
        self.names.insert(offset, name.clone());
        Ok(name)
    }

    /// Returns the comments, NUL-terminated strings.
    fn comments(&mut self) -> Result<Vec<Name>, ModelError> {
        let block = self.table("comments", self.header.comments, 1)?;
        let bytes = block.rest();
        let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        if block.rest().is_empty() {
            return Ok(Vec::new());
        }
        let count = bytes.iter().filter(|&&b| b == 0).count() + 1;
        let mut comments = self.file.reserve("comments", block.offset(), count as u64)?;
        for comment in bytes.split(|&b| b == 0) {
            comments.push(self.file.name("comments", block.offset(), comment)?);
        }
        Ok(comments)
    }
}
