//! Sorting of files that came together.

use std::ffi::c_char;

use skelobj::{Bundle, FileUse, Unused};

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
        let with = |kind: SkelobjFileKind, part, reason: Option<&Unused>| {
            let reason = reason.map(Unused::to_string).unwrap_or_default();
            Self { kind: kind as i32, part, reason: crate::text::array(reason) }
        };
        let kind = match found {
            FileUse::Unused(why) => return with(SkelobjFileKind::Unused, 0, Some(why)),
            FileUse::Side(why) => return with(SkelobjFileKind::Side, 0, Some(why)),
            FileUse::Part(part) => return with(SkelobjFileKind::Part, *part as i32, None),
            FileUse::Model(_) => SkelobjFileKind::Model,
            FileUse::Animations(_) => SkelobjFileKind::Animations,
            FileUse::PlayerFile => SkelobjFileKind::PlayerFile,
            FileUse::Doll => SkelobjFileKind::Doll,
            FileUse::Level => SkelobjFileKind::Level,
            FileUse::Palette => SkelobjFileKind::Palette,
            FileUse::Picture => SkelobjFileKind::Picture,
        };
        with(kind, 0, None)
    }
}

/// Sorts files that came together, such as what was dropped on a window: writes the use of each, in their order, and
/// the number of files (may be null). At most one doll, map and palette and at most one player remain: the last of
/// each. Apart from that, the order of the files does not matter. If there are several models, they are read, with the
/// limits of `def` (may be null), to tell models from animations.
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
        let files = files.iter().map(|file| Ok((file.name.text()?, file.bytes.slice(file.size)?)));
        let bundle = Bundle::sort(&def.options(), &files.collect::<Result<Vec<_>>>()?);
        buffer.fill(&bundle.uses.iter().map(SkelobjFileUse::from).collect::<Vec<_>>(), use_count)
    })
}
