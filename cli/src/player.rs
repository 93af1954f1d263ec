//! Quake III players, whose three parts the arguments name.

use std::io;
use std::path::{Path, PathBuf};

use skelobj::model::{Player, PlayerError, PlayerPart};

use crate::error::CliError;
use crate::files::{self, Origin};
use crate::folder;
use crate::input::LoadedModel;
use crate::out::tell_line;

/// Parts of a player, and the other files that are to be joined.
pub struct Parts<'a> {
    own: &'a Path,
    parts: [&'a Path; 3],
    pub others: Vec<&'a Path>,
}

fn part_of(path: &Path) -> Option<PlayerPart> {
    PlayerPart::of_file(&files::name_of(path))
}

/// Prints the options that add the other parts of a player to one of them.
pub fn tell_others(model: &Path) {
    let Some(own) = part_of(model) else { return };
    if PlayerPart::ALL.iter().all(|part| model.with_file_name(format!("{part}.md3")).is_file()) {
        let others = PlayerPart::ALL.iter().filter(|part| **part != own);
        let others: Vec<String> = others.map(|part| format!("--with {part}.md3")).collect();
        let (name, others) = (files::name_of(model), others.join(" "));
        tell_line(format_args!("{name}: note: this is a part of a Quake III player: add the others with {others}"));
    }
}

/// Returns the parts of a player if the arguments name them; `None` if no part is to be joined with another.
///
/// # Errors
/// [`CliError::PlayerParts`] if a part is missing, [`CliError::With`] if it is named twice.
pub fn parts<'a>(model: &'a Path, with: &'a [PathBuf]) -> Result<Option<Parts<'a>>, CliError> {
    if part_of(model).is_none() || !with.iter().any(|path| part_of(path).is_some()) {
        return Ok(None);
    }
    let named = |part: PlayerPart| {
        let paths = std::iter::once(model).chain(with.iter().map(PathBuf::as_path));
        paths.filter(move |path| part_of(path) == Some(part))
    };
    if let Some(path) = PlayerPart::ALL.into_iter().find_map(|part| named(part).nth(1)) {
        return Err(CliError::With(path.to_owned(), "this part of a Quake III player is named twice".to_owned()));
    }
    let part = |part| named(part).next().ok_or_else(|| CliError::PlayerParts(model.to_owned(), part));
    let [lower, upper, head] = PlayerPart::ALL.map(part);
    let others = with.iter().map(PathBuf::as_path).filter(|path| part_of(path).is_none()).collect();
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
            let Some(part) = PlayerPart::of_file(name) else { return read_beside(name) };
            let path = self.parts[part as usize];
            read_part(path).map_err(|error| unread = Some(CliError::Read(path.to_owned(), error))).ok()
        });
        if let Some(error) = unread {
            return Err(error);
        }
        let refused = |error: PlayerError| match error {
            PlayerError::Model { part, error } => CliError::Model(self.parts[part as usize].to_owned(), error),
            error => CliError::Player(self.own.to_owned(), error),
        };
        let model = player.and_then(|player| player.to_model()).map_err(refused)?;
        Ok(LoadedModel { path: Some(self.own.to_owned()), name: files::name_of(self.own), model })
    }
}
