//! Quake III players, whose three parts the arguments name.

use std::io;
use std::path::{Path, PathBuf};

use skelobj::model::{Player, PlayerError};

use crate::error::CliError;
use crate::files::{self, Origin};
use crate::folder;
use crate::input::LoadedModel;
use crate::out::tell_line;

/// Files of the parts, from the feet up. Each is named like this in every player's folder.
const PARTS: [&str; 3] = ["lower.md3", "upper.md3", "head.md3"];

/// Parts of a player, and the other files that are to be joined.
pub struct Parts<'a> {
    own: &'a Path,
    parts: [&'a Path; 3],
    pub others: Vec<&'a Path>,
}

fn is_part(path: &Path, part: &str) -> bool {
    files::name_of(path).eq_ignore_ascii_case(part)
}

fn is_any(path: &Path) -> bool {
    PARTS.iter().any(|part| is_part(path, part))
}

/// Prints the options that add the other parts of a player to one of them.
pub fn tell_others(model: &Path) {
    if is_any(model) && PARTS.iter().all(|part| model.with_file_name(part).is_file()) {
        let others = PARTS.iter().filter(|part| !is_part(model, part)).map(|part| format!("--with {part}"));
        let others: Vec<String> = others.collect();
        let (name, others) = (files::name_of(model), others.join(" "));
        tell_line(format_args!("{name}: note: this is a part of a Quake III player: add the others with {others}"));
    }
}

/// Returns the parts of a player if the arguments name them; `None` if no part is to be joined with another.
///
/// # Errors
/// [`CliError::PlayerParts`] if a part is missing, [`CliError::With`] if it is named twice.
pub fn parts<'a>(model: &'a Path, with: &'a [PathBuf]) -> Result<Option<Parts<'a>>, CliError> {
    if !is_any(model) || !with.iter().any(|path| is_any(path)) {
        return Ok(None);
    }
    let named = |part: &'static str| {
        let paths = std::iter::once(model).chain(with.iter().map(PathBuf::as_path));
        paths.filter(move |path| is_part(path, part))
    };
    if let Some(path) = PARTS.into_iter().find_map(|part| named(part).nth(1)) {
        return Err(CliError::With(path.to_owned(), "this part of a Quake III player is named twice".to_owned()));
    }
    let part = |part| named(part).next().ok_or_else(|| CliError::PlayerParts(model.to_owned(), part));
    let [lower, upper, head] = PARTS.map(part);
    let others = with.iter().map(PathBuf::as_path).filter(|path| !is_any(path)).collect();
    Ok(Some(Parts { own: model, parts: [lower?, upper?, head?], others }))
}

impl Parts<'_> {
    /// Reads the player, in its default skin; `own` is the origin of the model that was named first. The warnings of
    /// all parts are those of the model.
    pub fn load(&self, own: &Origin) -> Result<LoadedModel, CliError> {
        let folder = files::folder_of(self.own);
        let read_part = |path: &Path| if path == self.own { own.read() } else { folder::read(path) };
        self.load_from(read_part, |name| folder::read_in(&folder, name))
    }

    /// Reads the player from functions that return a part, and a file beside the first argument.
    pub fn load_from(
        &self,
        read_part: impl Fn(&Path) -> io::Result<Vec<u8>>,
        mut read_beside: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<LoadedModel, CliError> {
        let mut unread = None;
        let player = Player::load("player", "default", |name| {
            let name = name.strip_prefix("player/").unwrap_or(name);
            let Some(part) = PARTS.iter().position(|part| name == *part) else { return read_beside(name) };
            let path = self.parts[part];
            read_part(path).map_err(|error| unread = Some(CliError::Read(path.to_owned(), error))).ok()
        });
        if let Some(error) = unread {
            return Err(error);
        }
        let refused = |error: PlayerError| match error {
            PlayerError::Model { part, error } => {
                let number = PARTS.iter().position(|name| name.starts_with(part)).unwrap_or(0);
                CliError::Model(self.parts[number].to_owned(), error)
            }
            error => CliError::Player(self.own.to_owned(), error),
        };
        let model = player.and_then(|player| player.to_model()).map_err(refused)?;
        Ok(LoadedModel { path: Some(self.own.to_owned()), name: files::name_of(self.own), model })
    }
}
