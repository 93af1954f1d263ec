//! Header with the positions of the tables.

use super::super::cursor::{Cursor, File};
use super::{MAGIC, VERSION};
use crate::model::{ModelError, ModelProblem};

/// Number of records, and position of the first one.
#[derive(Clone, Copy, Default)]
pub(super) struct Table {
    pub count: u32,
    pub offset: u32,
}

impl Table {
    /// Reads a count, which must not be negative, and an offset. The offset of an empty table is not checked.
    pub fn read(cursor: &mut Cursor, field: &'static str) -> Result<Self, ModelError> {
        Self::limited(cursor, field, i32::MAX)
    }

    /// Reads a count of at most `max`, and an offset.
    pub fn limited(cursor: &mut Cursor, field: &'static str, max: i32) -> Result<Self, ModelError> {
        let count = cursor.ranged::<i32>(field, 0..=max.into())? as u32;
        Ok(Self { count, offset: cursor.get()? })
    }

    pub fn cursor<'a>(self, file: &File<'a>, section: &'static str, size: usize) -> Result<Cursor<'a>, ModelError> {
        file.table(section, self.offset, self.count, size)
    }
}

pub(super) struct Header {
    pub flags: u32,
    pub bones: Table,
    pub controllers: Table,
    pub hit_boxes: Table,
    pub sequences: Table,
    pub groups: Table,
    pub textures: Table,
    pub skin_slots: u32,
    pub skins: Table,
    pub body_parts: Table,
    pub attachments: Table,
    pub transitions: Table,
}

impl Header {
    const MAX_BONES: i32 = 256;
    const MAX_SEQUENCES: i32 = 2048;
    const MAX_BODY_PARTS: i32 = 256;

    pub fn read(file: &File) -> Result<Self, ModelError> {
        let mut cursor = file.table("header", 0, 1, 244)?;
        check(&mut cursor, MAGIC)?;
        cursor.take(136 - 8)?;
        let flags = cursor.get()?;
        let bones = Table::limited(&mut cursor, "numbones", Self::MAX_BONES)?;
        let controllers = Table::read(&mut cursor, "numbonecontrollers")?;
        let hit_boxes = Table::read(&mut cursor, "numhitboxes")?;
        let sequences = Table::limited(&mut cursor, "numseq", Self::MAX_SEQUENCES)?;
        let groups = Table::read(&mut cursor, "numseqgroups")?;
        let textures = Table::read(&mut cursor, "numtextures")?;
        // Offset of the first pixel.
        cursor.get::<u32>()?;
        let skin_slots = cursor.ranged::<i32>("numskinref", 0..=i32::MAX.into())? as u32;
        let skins = Table::read(&mut cursor, "numskinfamilies")?;
        let body_parts = Table::limited(&mut cursor, "numbodyparts", Self::MAX_BODY_PARTS)?;
        let attachments = Table::read(&mut cursor, "numattachments")?;
        // Sounds, which no engine uses.
        cursor.take(16)?;
        let transitions = Table::read(&mut cursor, "numtransitions")?;
        Ok(Self {
            flags,
            bones,
            controllers,
            hit_boxes,
            sequences,
            groups,
            textures,
            skin_slots,
            skins,
            body_parts,
            attachments,
            transitions,
        })
    }
}

/// Checks the first eight bytes of a file.
pub(super) fn check(cursor: &mut Cursor, magic: &[u8; 4]) -> Result<(), ModelError> {
    let start = *cursor;
    if cursor.take(4)? != magic {
        return Err(start.error(ModelProblem::UnknownFormat));
    }
    let start = *cursor;
    match cursor.get::<u32>()? {
        VERSION => Ok(()),
        found => Err(start.error(ModelProblem::UnsupportedVersion { found, expected: "10" })),
    }
}
