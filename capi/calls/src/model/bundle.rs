//! Sorting of files that came together.

use std::ffi::c_char;

use skelobj::{Bundle, FileUse};

use super::{SkelobjLoadDef, skelobj_default_load_def};
use crate::SkelobjStatus;
use crate::error::Result;
use crate::guard;
use crate::numbers;
use crate::pointer::{In, Out};

/// File in memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjFile {
    /// Name, with or without a folder.
    pub name: In<c_char>,
    /// Contents.
    pub bytes: In<u8>,
    /// Size of the contents, bytes.
    pub size: usize,
}

/// Kind of a file among others.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjFileKind {
    /// Of no use.
    Unused = 0,
    /// Model. Among several models, one with a surface.
    Model = 1,
    /// One of several models that has no surface: animations or a skeleton, for skelobj_model_join.
    Animations = 2,
    /// Part of a Quake III player.
    Part = 3,
    /// animation.cfg of a Quake III player, or the default skin of a part.
    PlayerFile = 4,
    /// Text of a doll.
    Doll = 5,
    /// Map, for skelobj_level_load.
    Level = 6,
    /// Palette of a game, for the textures of its maps.
    Palette = 7,
    /// Picture, if a material names it.
    Picture = 8,
    /// Side file, if a model or a side file names it; otherwise it is of no use.
    Side = 9,
}

/// Use of a file among others.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjFileUse {
    /// Kind, SKELOBJ_FILE_KIND_...
    pub kind: i32,
    /// Part of a player, SKELOBJ_PART_...; 0 for other files.
    pub part: i32,
    /// Reason of an unused file, or of a side file that nothing names, cut to 255 bytes: "it is empty".
    pub reason: [c_char; 256],
}

impl From<&FileUse> for SkelobjFileUse {
    fn from(found: &FileUse) -> Self {
        let (kind, part, reason) = match found {
            FileUse::Unused(reason) => (SkelobjFileKind::Unused, 0, &**reason),
            FileUse::Model => (SkelobjFileKind::Model, 0, ""),
            FileUse::Animations => (SkelobjFileKind::Animations, 0, ""),
            FileUse::Part(part) => (SkelobjFileKind::Part, *part as i32, ""),
            FileUse::PlayerFile => (SkelobjFileKind::PlayerFile, 0, ""),
            FileUse::Doll => (SkelobjFileKind::Doll, 0, ""),
            FileUse::Level => (SkelobjFileKind::Level, 0, ""),
            FileUse::Palette => (SkelobjFileKind::Palette, 0, ""),
            FileUse::Picture => (SkelobjFileKind::Picture, 0, ""),
            FileUse::Side(reason) => (SkelobjFileKind::Side, 0, &**reason),
        };
        let mut end = reason.len().min(255);
        while !reason.is_char_boundary(end) {
            end -= 1;
        }
        Self { kind: kind as i32, part, reason: crate::text::array(&reason[..end]) }
    }
}

/// Sorts files that came together, such as what was dropped on a window: writes the use of each, in their order, and
/// the number of files (may be null). At most one doll, map and palette and at most one player remain: the last of
/// each. Of side files with one name, a model has that of its own folder, else the last. Apart from that, the order of
/// the files does not matter. If there are several models, they are read, with the limits of `def` (may be null), to
/// tell models from animations.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_sort_files(
    files: In<SkelobjFile>,
    count: i32,
    def: In<SkelobjLoadDef>,
    uses: Out<SkelobjFileUse>,
    capacity: i32,
    use_count: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, use_count) = (uses.buffer(numbers::size(capacity)?)?, use_count.wanted()?);
        let (files, def) = (files.slice(numbers::size(count)?)?, def.def_or(skelobj_default_load_def)?);
        let named = files.iter().map(|file| Ok((file.name.text()?, file.bytes.slice(file.size)?)));
        let named = named.collect::<Result<Vec<_>>>()?;
        // Models are not read twice by a caller that asks for the number first.
        let sorted = buffer.has_room(files.len()).then(|| Bundle::sort(&def.options(), &named).uses);
        let sorted: Vec<_> = sorted.iter().flatten().map(SkelobjFileUse::from).collect();
        buffer.fill_with(&sorted, files.len(), use_count)
    })
}
