//! Sorting of files that came together: which of them is what.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::{Format, foreign};
use crate::model::{Model, ModelError, PlayerPart};
use crate::options::LoadOptions;
use crate::shown::Shown;

/// Extensions of pictures.
const PICTURES: [&str; 7] = ["png", "jpg", "jpeg", "tga", "pcx", "bmp", "webp"];
/// Extensions of archives, which contain files of use.
const ARCHIVES: [&str; 7] = ["zip", "pk3", "pk4", "pak", "rar", "7z", "gz"];
/// Files of a player beside its parts.
const PLAYER_FILES: [&str; 4] = ["animation.cfg", "lower_default.skin", "upper_default.skin", "head_default.skin"];
/// Size of a palette, bytes.
const PALETTE: usize = 3 * 256;

/// Use of a file in a [`Bundle`].
#[derive(Clone, PartialEq, Debug)]
pub enum FileUse {
    /// Model. Among several models, one with a surface.
    Model(Format),
    /// One of several models that has no surface: animations or a skeleton, for [`Model::join`].
    Animations(Format),
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
    Side(Unused),
    /// File of no use.
    Unused(Unused),
}

impl FileUse {
    /// Returns the use of a file by itself, from its name and contents.
    ///
    /// ```
    /// use skelobj::{FileUse, assets};
    ///
    /// assert_eq!(FileUse::of("mannequin.doll", assets::MANNEQUIN_DOLL), FileUse::Doll);
    /// assert_eq!(FileUse::of("dm6.bsp", b"IBSP\x2e\0\0\0"), FileUse::Level);
    /// let FileUse::Unused(why) = FileUse::of("dm6.map", b"{ \"classname\" \"worldspawn\" }") else { panic!() };
    /// assert_eq!(why.to_string(), "it is the source of a map: compile it to a .bsp");
    /// ```
    #[must_use]
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        let name = base(name);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is = |wanted: &str| extension.eq_ignore_ascii_case(wanted);
        if bytes.is_empty() {
            return Self::Unused(Unused::Empty);
        }
        if ARCHIVES.into_iter().any(is) {
            return Self::Unused(Unused::Archive);
        }
        if is("doll") {
            return not_doll(bytes).map_or(Self::Doll, |reason| Self::Unused(Unused::NotADoll { reason }));
        }
        if PICTURES.into_iter().any(is) {
            return Self::Picture;
        }
        if foreign::is_level(bytes) {
            return Self::Level;
        }
        if name.eq_ignore_ascii_case("palette.lmp") {
            return if bytes.len() == PALETTE { Self::Palette } else { Self::Unused(Unused::NotAPalette) };
        }
        if let Some(format) = Format::detect(bytes) {
            return PlayerPart::of_file(name).map_or(Self::Model(format), Self::Part);
        }
        if PLAYER_FILES.iter().any(|file| name.eq_ignore_ascii_case(file)) {
            return Self::PlayerFile;
        }
        if is("bsp") {
            return Self::Unused(Unused::NotALevel);
        }
        if is("map") {
            return Self::Unused(Unused::MapSource);
        }
        Self::Side(match foreign::name(bytes) {
            Some((name, advice)) => Unused::Foreign { name, advice },
            None => Unused::Unknown,
        })
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
        Some((name, _)) => format!("it is {name}"),
        None => "it has characters of value 0, as no text has".to_owned(),
    })
}

/// Reason why a file is of no use. Its text begins with the file: "it is empty".
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Unused {
    /// The file has no bytes.
    Empty,
    /// The file is an archive.
    Archive,
    /// The file has the name of a doll, but is none.
    NotADoll {
        /// Description after "it is not a doll": "its format is Inter-Quake Model".
        reason: String,
    },
    /// The file has the name of a palette, but another size.
    NotAPalette,
    /// The file has the name of a map, but is in no known format.
    NotALevel,
    /// The file is the source of a map.
    MapSource,
    /// The file is in an unsupported format.
    Foreign {
        /// Name of the format.
        name: &'static str,
        /// Advice, such as how to convert the file.
        advice: &'static str,
    },
    /// The file is one of several models, and is not readable.
    Unreadable(ModelError),
    /// The file is in no known format.
    Unknown,
    /// The file is one of several dolls, maps or palettes, of which the last is used.
    NotLast {
        /// Plural of the kind: "dolls".
        kind: &'static str,
        /// Name of the last one, without its folder.
        last: Arc<str>,
    },
    /// The file is one of another player than the last, which is used.
    OtherPlayer {
        /// Folder of the last player; empty if it is in none.
        last: Arc<str>,
    },
    /// The file is one of several of the same part of a player, of which the last is used.
    OtherPart,
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "it is empty"),
            Self::Archive => write!(f, "it is an archive: unpack it"),
            Self::NotADoll { reason } => write!(f, "it is not a doll: {reason}"),
            Self::NotAPalette => write!(f, "it is not a palette, which has {PALETTE} bytes"),
            Self::NotALevel => write!(f, "it is not a map in a known format"),
            Self::MapSource => write!(f, "it is the source of a map: compile it to a .bsp"),
            Self::Foreign { name, advice } => write!(f, "it is {name}: {advice}"),
            Self::Unreadable(error) => write!(f, "{error}"),
            Self::Unknown => write!(f, "it is not a model, a doll or a map, and nothing names it"),
            Self::NotLast { kind, last } => {
                write!(f, "of several {kind}, the last is used: {}", Shown::of(&**last))
            }
            Self::OtherPlayer { last } if last.is_empty() => {
                write!(f, "of several players, the last is used: the one without a folder")
            }
            Self::OtherPlayer { last } => {
                write!(f, "of several players, the last is used: {}", Shown::of(&**last))
            }
            Self::OtherPart => {
                write!(f, "of several players, the last file of each part is used: folders keep them apart")
            }
        }
    }
}

impl Error for Unused {}

/// Set of files that came together, such as a folder or what was dropped on a window, sorted by use.
///
/// ```
/// use skelobj::{Bundle, FileUse, Format, LoadOptions, assets};
///
/// let files: [(&str, &[u8]); 3] =
///     [("notes.txt", b"by me"), ("man/man.doll", assets::MANNEQUIN_DOLL), ("man/man.iqm", assets::MANNEQUIN_IQM)];
/// let bundle = Bundle::sort(&LoadOptions::default(), &files);
/// assert_eq!(bundle.uses[1..], [FileUse::Doll, FileUse::Model(Format::Iqm)]);
/// let FileUse::Side(why) = &bundle.uses[0] else { panic!() };
/// assert_eq!(why.to_string(), "it is not a model, a doll or a map, and nothing names it");
/// ```
#[derive(Clone, PartialEq, Debug)]
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
    /// is used. Apart from that, the order of the files does not matter. If there are several models beside a player,
    /// they are read, with `options`, to tell [`Model`](FileUse::Model) from [`Animations`](FileUse::Animations).
    #[must_use]
    pub fn sort<N: AsRef<str>, B: AsRef<[u8]>>(options: &LoadOptions, files: &[(N, B)]) -> Self {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_ref(), bytes.as_ref())).collect();
        let mut uses: Vec<FileUse> = files.iter().map(|(name, bytes)| FileUse::of(name, bytes)).collect();
        keep_one_player(&files, &mut uses);
        for (kept, kind) in [(FileUse::Doll, "dolls"), (FileUse::Level, "maps"), (FileUse::Palette, "palettes")] {
            keep_last(&files, &mut uses, &kept, kind);
        }
        tell_animations(options, &files, &mut uses);
        Self { uses }
    }
}

/// Leaves of the files with a use the last.
fn keep_last(files: &[(&str, &[u8])], uses: &mut [FileUse], kept: &FileUse, kind: &'static str) {
    let Some(end) = uses.iter().rposition(|found| found == kept) else { return };
    let last: Arc<str> = base(files[end].0).into();
    for found in uses[..end].iter_mut().filter(|found| *found == kept) {
        *found = FileUse::Unused(Unused::NotLast { kind, last: last.clone() });
    }
}

/// Reads the models, if there are several, to tell those without a surface.
fn tell_animations(options: &LoadOptions, files: &[(&str, &[u8])], uses: &mut [FileUse]) {
    if uses.iter().filter(|found| matches!(found, FileUse::Model(_))).count() < 2 {
        return;
    }
    let by_name: HashMap<String, &[u8]> =
        files.iter().map(|(name, bytes)| (base(name).to_ascii_lowercase(), *bytes)).collect();
    for (found, (name, bytes)) in uses.iter_mut().zip(files) {
        let FileUse::Model(format) = *found else { continue };
        let side = |name: &str| by_name.get(&base(name).to_ascii_lowercase()).map(|bytes| bytes.to_vec());
        match Model::load_with(options, base(name), bytes, side) {
            Ok(model) if model.meshes.is_empty() => *found = FileUse::Animations(format),
            Ok(_) => {}
            Err(error) => *found = FileUse::Unused(Unused::Unreadable(error)),
        }
    }
}

/// Leaves the files of one player.
fn keep_one_player(files: &[(&str, &[u8])], uses: &mut [FileUse]) {
    let parts: Vec<(usize, PlayerPart)> = uses
        .iter()
        .enumerate()
        .filter_map(|(at, found)| match found {
            FileUse::Part(part) => Some((at, *part)),
            _ => None,
        })
        .collect();
    if PlayerPart::ALL.iter().all(|part| parts.iter().filter(|(_, other)| other == part).count() < 2) {
        return;
    }
    let folders: Vec<String> = files.iter().map(|(name, _)| folder(name)).collect();
    // By folder, the last file of each part.
    let mut players: HashMap<&str, [Option<usize>; 3]> = HashMap::new();
    let mut order = Vec::new();
    let mut last = [None; 3];
    for (at, part) in parts {
        let own = players.entry(&folders[at]).or_insert_with(|| {
            order.push(&*folders[at]);
            [None; 3]
        });
        own[part as usize] = Some(at);
        last[part as usize] = Some(at);
    }
    let own = order.into_iter().rfind(|folder| players[folder].iter().all(Option::is_some));
    let kept = own.map_or(last, |own| players[own]);
    let shown: Arc<str> = own.unwrap_or_default().trim_end_matches('/').into();
    let owners = owners(&folders, uses, &players);
    for (at, found) in uses.iter_mut().enumerate() {
        let is_other = own.is_some_and(|own| owners[at].is_some_and(|owner| owner != own));
        if is_other && !matches!(found, FileUse::Unused(_)) {
            *found = FileUse::Unused(Unused::OtherPlayer { last: shown.clone() });
        } else if matches!(found, FileUse::Part(_)) && !kept.contains(&Some(at)) {
            *found = FileUse::Unused(Unused::OtherPart);
        }
    }
}

/// Returns for each file the innermost folder of a player's parts that it is in. In none, only what has the name of a
/// player's file is known to be one.
fn owners<'a>(
    folders: &'a [String],
    uses: &[FileUse],
    players: &HashMap<&'a str, [Option<usize>; 3]>,
) -> Vec<Option<&'a str>> {
    let mut owners = vec![None; folders.len()];
    let mut sorted: Vec<usize> = (0..folders.len()).collect();
    sorted.sort_by_key(|at| &folders[*at]);
    // All that is in a folder follows it.
    let mut around: Vec<&str> = Vec::new();
    for at in sorted {
        let folder = &*folders[at];
        while around.pop_if(|outer| !folder.starts_with(*outer)).is_some() {}
        if players.contains_key(folder) && around.last() != Some(&folder) {
            around.push(folder);
        }
        let is_named = matches!(uses[at], FileUse::Part(_) | FileUse::PlayerFile);
        owners[at] = around.last().copied().filter(|owner| is_named || !owner.is_empty());
    }
    owners
}

/// Returns a name without its folder.
fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Returns the folder of a name, with a slash at its end; an empty text if it has none.
fn folder(name: &str) -> String {
    name[..name.len() - base(name).len()].replace('\\', "/")
}
