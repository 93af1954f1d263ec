//! Header with the positions of the tables.

use super::super::cursor::{Cursor, File};
use crate::model::{ModelError, ModelProblem};

/// First bytes of every IQM file.
pub(crate) const MAGIC: &[u8] = b"INTERQUAKEMODEL\0";

/// Size of the header, bytes.
const SIZE: usize = 124;

/// Number of records, and byte offset of the first one.
#[derive(Clone, Copy)]
pub(super) struct Table {
    pub count: u32,
    pub offset: u32,
}

impl Table {
    fn read(header: &mut Cursor) -> Result<Self, ModelError> {
        Ok(Self { count: header.get()?, offset: header.get()? })
    }
}

/// Header in the order of the file.
pub(super) struct Header {
    pub version: u32,
    pub flags: u32,
    pub text: Table,
    pub meshes: Table,
    pub vertex_arrays: Table,
    pub vertex_count: u32,
    pub triangles: Table,
    pub joints: Table,
    pub poses: Table,
    pub animations: Table,
    pub frames: Table,
    pub channels: u32,
    pub bounds_offset: u32,
    pub comments: Table,
    pub extensions: Table,
}

impl Header {
    pub fn read(file: &File) -> Result<Self, ModelError> {
        let mut header = file.table("header", 0, 1, SIZE)?;
        if header.take(MAGIC.len())? != MAGIC {
            return Err(ModelError::new("header", 0, ModelProblem::UnknownFormat));
        }
        let at = header.offset();
        let version = header.get::<u32>()?;
        if !(1..=2).contains(&version) {
            let problem = ModelProblem::UnsupportedVersion { found: version, expected: "1 or 2" };
            return Err(ModelError::new("header", at, problem));
        }
        let at = header.offset();
        let stated = header.get::<u32>()?;
        if stated as usize != file.len() {
            let problem = ModelProblem::WrongFileSize { stated, actual: file.len() };
            return Err(ModelError::new("header", at, problem));
        }
        let flags = header.get()?;
        let text = Table::read(&mut header)?;
        let meshes = Table::read(&mut header)?;
        let [array_count, vertex_count, array_offset] = header.get()?;
        let [triangle_count, triangle_offset, _adjacency] = header.get()?;
        let joints = Table::read(&mut header)?;
        let poses = Table::read(&mut header)?;
        let animations = Table::read(&mut header)?;
        let [frame_count, channels, frame_offset, bounds_offset] = header.get()?;
        Ok(Self {
            version,
            flags,
            text,
            meshes,
            vertex_arrays: Table { count: array_count, offset: array_offset },
            vertex_count,
            triangles: Table { count: triangle_count, offset: triangle_offset },
            joints,
            poses,
            animations,
            frames: Table { count: frame_count, offset: frame_offset },
            channels,
            bounds_offset,
            comments: Table::read(&mut header)?,
            extensions: Table::read(&mut header)?,
        })
    }
}
