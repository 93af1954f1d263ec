//! Sorting of files that came together: which of them is what.

use std::collections::HashMap;

use super::{Format, foreign};
use crate::model::{Model, ModelProblem, PlayerPart};
use crate::options::LoadOptions;
use crate::shown::Shown;

/// Extensions of pictures.
const PICTURES: [&str; 7] = ["png", "jpg", "jpeg", "tga", "pcx", "bmp", "webp"];
/// Extensions of archives, which contain files of use.
const ARCHIVES: [&str; 7] = ["zip", "pk3", "pk4", "pak", "rar", "7z", "gz"];
/// Size of a palette, bytes.
const PALETTE: usize = 3 * 256;
/// Greatest number of bytes of side files that are read, as a multiple of all files.
const MAX_COPIES: usize = 64;
/// Greatest number of folders between a player's folder and a file of it.
const MAX_DEPTH: usize = 64;

/// Use of a file in a [`Bundle`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileUse {
    /// Model. Among several models, one with a surface.
    Model,
    /// One of several models that has no surface: animations or a skeleton, for [`Model::join`].
    Animations,
    /// Part of a Quake III player, for [`Player::load`](crate::model::Player::load).
    Part(PlayerPart),
    /// File of a Quake III player beside its parts: `animation.cfg`, or the default skin of a part.
    PlayerFile,
    /// Text of a doll, in any encoding.
    Doll,
    /// Map, for [`Level::from_bsp`](crate::level::Level::from_bsp).
    Level,
    /// Palette of a game, for the textures of its maps.
    Palette,
    /// Picture, if a material names it.
    Picture,
    /// Side file, if a model or a side file names it; otherwise it is of no use, for this reason.
    Side(String),
    /// File of no use, with the reason: "it is empty".
    Unused(String),
}

impl FileUse {
    /// Returns the use of a file by itself, from its name and contents.
    ///
    /// ```
    /// use skelobj::FileUse;
    ///
    /// assert_eq!(FileUse::of("dm6.bsp", b"IBSP\x2e\0\0\0"), FileUse::Level);
    /// let source = "it is the source of a map: compile it to a .bsp";
    /// assert_eq!(FileUse::of("dm6.map", b"{ \"classname\" \"worldspawn\" }"), FileUse::Unused(source.to_owned()));
    /// ```
    #[must_use]
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        let name = base(name);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is = |wanted: &str| extension.eq_ignore_ascii_case(wanted);
        let is_palette = name.eq_ignore_ascii_case("palette.lmp");
        let unused = |reason: &str| Self::Unused(reason.to_owned());
        match () {
            () if bytes.is_empty() => unused("it is empty"),
            () if ARCHIVES.into_iter().any(is) => unused("it is an archive: unpack it"),
            () if is("doll") => {
                not_doll(bytes).map_or(Self::Doll, |what| Self::Unused(format!("it is not a doll: {what}")))
            }
            () if PICTURES.into_iter().any(is) => Self::Picture,
            () if is_palette && bytes.len() == PALETTE => Self::Palette,
            () if foreign::is_level(bytes) => Self::Level,
            () if is_palette => Self::Unused(format!("it is not a palette, which has {PALETTE} bytes")),
            () if Format::detect(bytes).is_some() => PlayerPart::of_file(name).map_or(Self::Model, Self::Part),
            () if PlayerPart::has_beside(name) => Self::PlayerFile,
            () if is("bsp") => unused("it is not a map in a known format"),
            () if is("map") => unused("it is the source of a map: compile it to a .bsp"),
            () => Self::Side(match foreign::name(bytes) {
                Some((what, advice)) => format!("it is {what}: {advice}"),
                None => "it is not a model, a doll or a map, and nothing names it".to_owned(),
            }),
        }
    }
}

/// Returns what a file with the name of a doll is instead.
fn not_doll(bytes: &[u8]) -> Option<String> {
    // The format without an extension begins with a word with which a doll might begin.
    if let Some(format) = Format::detect(bytes).filter(|format| !format.extension().is_empty()) {
        return Some(format!("its format is {}", format.name()));
    }
    let has_zero = match bytes {
        [0xff, 0xfe, units @ ..] | [0xfe, 0xff, units @ ..] => units.chunks_exact(2).any(|unit| unit == [0, 0]),
        _ => bytes.contains(&0),
    };
    has_zero.then(|| match foreign::name(bytes) {
        Some((what, _)) => format!("it is {what}"),
        None => "it has characters of value 0, as no text has".to_owned(),
    })
}

/// Set of files that came together, such as a folder or what was dropped on a window, sorted by use.
///
/// ```
/// use skelobj::{Bundle, FileUse, LoadOptions, assets};
///
/// let files: [(&str, &[u8]); 3] =
///     [("man/man.doll", assets::MANNEQUIN_DOLL), ("man/man.iqm", assets::MANNEQUIN_IQM), ("old.doll", b"")];
/// let bundle = Bundle::sort(&LoadOptions::default(), &files);
/// assert_eq!(bundle.uses, [FileUse::Doll, FileUse::Model, FileUse::Unused("it is empty".to_owned())]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Bundle {
    /// Use of each file, in the order of the files.
    pub uses: Vec<FileUse>,
}

impl Bundle {
    /// Sorts files, each a name and contents. Names may have folders, with `/` or `\`, and need not differ.
    ///
    /// At most one doll, level and palette and at most one player remain: the last of each. If the parts of players are
    /// in one folder each, the last player keeps what is in its folder or in none; otherwise the last file of each part
    /// is used. Of side files with one name, a model has that of its own folder, else the last. Apart from that, the
    /// order of the files does not matter. If there are several models beside a player,
    /// they are read, with `options`, to tell [`Model`](FileUse::Model) from [`Animations`](FileUse::Animations).
    #[must_use]
    pub fn sort<N: AsRef<str>, B: AsRef<[u8]>>(options: &LoadOptions, files: &[(N, B)]) -> Self {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_ref(), bytes.as_ref())).collect();
        let mut uses: Vec<FileUse> = files.iter().map(|(name, bytes)| FileUse::of(name, bytes)).collect();
        keep_one_player(&files, &mut uses);
        for (kept, kind) in [(FileUse::Doll, "dolls"), (FileUse::Level, "maps"), (FileUse::Palette, "palettes")] {
            let Some(end) = uses.iter().rposition(|found| *found == kept) else { continue };
            let reason = format!("of several {kind}, the last is used: {}", Shown::of(files[end].0));
            uses[..end]
                .iter_mut()
                .filter(|found| **found == kept)
                .for_each(|found| *found = FileUse::Unused(reason.clone()));
        }
        tell_animations(options, &files, &mut uses);
        Self { uses }
    }
}

/// Reads the models, if there are several, to tell those without a surface.
fn tell_animations(options: &LoadOptions, files: &[(&str, &[u8])], uses: &mut [FileUse]) {
    if uses.iter().filter(|found| **found == FileUse::Model).count() < 2 {
        return;
    }
    let path = |folder: &str, name: &str| [folder, base(name)].concat().to_ascii_lowercase();
    let by_path: HashMap<String, &[u8]> = files
        .iter()
        .flat_map(|(name, bytes)| [("", bytes), (&*folder(name), bytes)].map(|(at, bytes)| (path(at, name), *bytes)))
        .collect();
    let mut left = MAX_COPIES.saturating_mul(files.iter().map(|(_, bytes)| bytes.len()).sum());
    for (found, (name, bytes)) in uses.iter_mut().zip(files).filter(|(found, _)| **found == FileUse::Model) {
        let own = folder(name);
        let side = |side: &str| {
            let bytes = by_path.get(&path(&own, side)).or_else(|| by_path.get(&path("", side)))?;
            left = left.checked_sub(bytes.len())?;
            Some(bytes.to_vec())
        };
        match Model::load_with(options, base(name), bytes, side) {
            Ok(model) if model.meshes.is_empty() => *found = FileUse::Animations,
            Ok(_) => {}
            // The host may have the file elsewhere.
            Err(error) if matches!(error.problem, ModelProblem::SideFile { .. }) => {}
            Err(error) => *found = FileUse::Unused(error.to_string()),
        }
    }
}

/// By folder, the last file of each part of a player.
type Players<'a> = HashMap<&'a str, [Option<usize>; 3]>;

/// Leaves the files of one player.
fn keep_one_player(files: &[(&str, &[u8])], uses: &mut [FileUse]) {
    let folders: Vec<String> = files.iter().map(|(name, _)| folder(name)).collect();
    let mut players = Players::new();
    let mut last = [None; 3];
    for (at, found) in uses.iter().enumerate() {
        if let FileUse::Part(part) = *found {
            last[part as usize] = Some(at);
            players.entry(&folders[at]).or_default()[part as usize] = Some(at);
        }
    }
    let whole = players.iter().filter(|(_, parts)| parts.iter().all(Option::is_some));
    let own = whole.max_by_key(|(_, parts)| parts.iter().max());
    let kept = own.map_or(last, |(_, parts)| *parts);
    let shown = own.map(|(folder, _)| match folder.trim_end_matches('/') {
        "" => "the one without a folder".to_owned(),
        folder => Shown::of(folder).to_string(),
    });
    let shown = shown.unwrap_or_default();
    for (at, found) in uses.iter_mut().enumerate() {
        let is_part = matches!(found, FileUse::Part(_));
        let is_named = is_part || *found == FileUse::PlayerFile;
        let owner = owner(&folders[at], &players).filter(|owner| is_named || !owner.is_empty());
        let is_other = own.zip(owner).is_some_and(|((own, _), owner)| *own != owner);
        if is_other && !matches!(found, FileUse::Unused(_)) {
            *found = FileUse::Unused(format!("of several players, the last is used: {shown}"));
        } else if is_part && !kept.contains(&Some(at)) {
            let reason = "of several players, the last file of each part is used: folders keep them apart";
            *found = FileUse::Unused(reason.to_owned());
        }
    }
}

/// Returns the innermost folder of a player's parts around a folder, or the folder itself.
fn owner<'a>(folder: &'a str, players: &Players<'_>) -> Option<&'a str> {
    let ends = folder.rmatch_indices('/').map(|(at, _)| at + 1).take(MAX_DEPTH).chain([0]);
    ends.map(|end| &folder[..end]).find(|outer| players.contains_key(outer))
}

/// Returns a name without its folder.
fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Returns the folder of a name, with a slash at its end; an empty text if it has none.
fn folder(name: &str) -> String {
    name[..name.len() - base(name).len()].replace('\\', "/")
}
