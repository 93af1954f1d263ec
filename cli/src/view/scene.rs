//! Files that the page shows: a model with its side files, a doll, a map.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skelobj::{FileUse, Model};

use crate::error::CliError;
use crate::files::Origin;
use crate::folder::{Folder, or_working, read_in};
use crate::player::{self, Parts};
use crate::{draw, files};

/// Maximum size of all files of a scene, bytes; the page takes no more.
const LARGEST: usize = 64 << 20;

/// Paths of the files that the page shows.
pub struct Paths {
    /// Model; `None` for the built-in mannequin.
    pub model: Option<PathBuf>,
    /// Files that are joined to the model, no two of one name.
    pub with: Vec<PathBuf>,
    /// Doll; `None` for that of the mannequin, or if the model has none.
    pub doll: Option<Origin>,
    /// Map.
    pub level: Option<PathBuf>,
    /// Factor of the model's lengths; `None` for 1.
    pub scale: Option<f32>,
    /// Time over which the bodies become limp, seconds; `None` for a cut.
    pub fade: Option<f32>,
}

impl Paths {
    /// Returns `true` if all is built in.
    pub fn is_empty(&self) -> bool {
        self.all().is_empty() && self.fade.is_none()
    }

    /// Returns the paths of the files.
    pub fn all(&self) -> Vec<PathBuf> {
        let doll = self.doll.as_ref().map(Origin::path);
        [self.model.clone(), doll, self.level.clone()].into_iter().flatten().chain(self.with.iter().cloned()).collect()
    }
}

/// File under the name that the page knows.
#[derive(Clone, PartialEq)]
pub struct SceneFile {
    /// Name without the folder; of a side file, the path from the model's folder.
    pub name: String,
    /// Contents.
    pub bytes: Arc<[u8]>,
}

impl SceneFile {
    fn read(origin: &Origin) -> Result<Self, CliError> {
        let path = origin.path();
        let bytes = origin.read().map_err(|error| CliError::Read(path.clone(), error))?;
        Ok(Self { name: files::name_of(&path), bytes: bytes.into() })
    }
}

/// Files that the page shows.
#[derive(Clone, PartialEq, Default)]
pub struct Scene {
    /// Model; `None` for the built-in mannequin.
    pub model: Option<SceneFile>,
    /// Files that are joined to the model, and those that the models name: animations, frame groups, textures.
    pub side: Vec<SceneFile>,
    /// Doll; `None` for that of the mannequin, or if the model has none.
    pub doll: Option<SceneFile>,
    /// Map.
    pub level: Option<SceneFile>,
    /// Palette of the map's game, if it is where the game has it.
    pub palette: Option<SceneFile>,
    /// Factor of the model's lengths; `None` for 1.
    pub scale: Option<f32>,
    /// Time over which the bodies become limp, seconds; `None` for a cut.
    pub fade: Option<f32>,
}

impl Scene {
    /// Reads the files.
    ///
    /// # Errors
    /// [`CliError::Read`] for a file that cannot be read; [`CliError::LargeScene`] if they are too large together;
    /// those of [`player::parts`] and of the parts of a player.
    pub fn read(paths: &Paths) -> Result<Self, CliError> {
        let named = |path: &PathBuf| SceneFile::read(&Origin::Named(path.clone()));
        let model = paths.model.as_ref().map(named).transpose()?;
        let with = paths.with.iter().map(named).collect::<Result<_, _>>()?;
        let doll = paths.doll.as_ref().map(SceneFile::read).transpose()?;
        let level = paths.level.as_ref().map(named).transpose()?;
        let side = side_files(paths, model.as_ref(), with)?;
        let palette = paths.level.as_deref().and_then(palette);
        let scene = Self { model, side, doll, level, palette, scale: paths.scale, fade: paths.fade };
        let size = scene.files().map(|file| file.bytes.len()).sum();
        if size > LARGEST {
            let largest = scene.files().max_by_key(|file| file.bytes.len()).map(|file| file.name.clone());
            return Err(CliError::LargeScene { largest: largest.unwrap_or_default(), size, most: LARGEST });
        }
        Ok(scene)
    }

    fn files(&self) -> impl Iterator<Item = &SceneFile> {
        [&self.model, &self.doll, &self.level, &self.palette].into_iter().flatten().chain(&self.side)
    }
}

/// Places of the palette of a map's game: beside the map, and where Quake has it if the map is in `maps`.
fn palettes(map: &Path) -> [(Folder, &'static str); 2] {
    let above = map.parent().unwrap_or(Path::new("")).join("..");
    [(files::folder_of(map), "palette.lmp"), (Folder::new(above), "gfx/palette.lmp")]
}

/// Returns the palette of a map's game. A file of another size is not one.
fn palette(map: &Path) -> Option<SceneFile> {
    let files = palettes(map).into_iter().filter_map(|(folder, name)| read_in(&folder, name));
    let bytes = files.into_iter().find(|bytes| FileUse::of("palette.lmp", bytes) == FileUse::Palette)?;
    Some(SceneFile { name: "palette.lmp".to_owned(), bytes: bytes.into() })
}

/// Returns the files that are joined to the model, in their order, and then those that the models ask for.
fn side_files(paths: &Paths, model: Option<&SceneFile>, with: Vec<SceneFile>) -> Result<Vec<SceneFile>, CliError> {
    let mut files: Vec<_> = paths.model.iter().chain(&paths.with).zip(model.into_iter().chain(&with)).collect();
    let mut found = BTreeMap::new();
    if let Some(path) = &paths.model
        && let Some(parts) = player::parts(path, &paths.with)?
    {
        found = files_of_player(path, &parts, &files)?;
        files.retain(|(path, _)| parts.others.contains(&path.as_path()));
    }
    for (path, file) in files {
        files_of(path, file).into_iter().for_each(|(name, bytes)| _ = found.entry(name).or_insert(bytes));
    }
    found.retain(|name, _| model.into_iter().chain(&with).all(|known| known.name != *name));
    Ok(with.into_iter().chain(found.into_iter().map(|(name, bytes)| SceneFile { name, bytes })).collect())
}

/// Files by their paths from the folder of a model.
type Beside = BTreeMap<String, Arc<[u8]>>;

/// Returns the files that a player asks for, whose parts are among `files`.
fn files_of_player(path: &Path, parts: &Parts, files: &[(&PathBuf, &SceneFile)]) -> Result<Beside, CliError> {
    let folder = files::folder_of(path);
    let mut found = Beside::new();
    let part = |path: &Path| {
        let part = files.iter().find(|(known, _)| known.as_path() == path);
        part.map(|(_, file)| file.bytes.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    let loaded = parts.load_from(part, |name| noted(&mut found, &folder, name))?;
    found.extend(draw::images(&loaded.model, path));
    Ok(found)
}

/// Returns the files that a model asks for. A model that is damaged while it is shown has those it asks for first.
fn files_of(path: &Path, model: &SceneFile) -> Beside {
    let folder = files::folder_of(path);
    let mut found = Beside::new();
    if let Ok(loaded) = Model::load(&model.name, &model.bytes, |name| noted(&mut found, &folder, name)) {
        found.extend(draw::images(&loaded, path));
    }
    found
}

/// Reads a file of a folder, and keeps it.
fn noted(found: &mut Beside, folder: &Folder, name: &str) -> Option<Vec<u8>> {
    let bytes = read_in(folder, name)?;
    found.insert(name.to_owned(), bytes.as_slice().into());
    Some(bytes)
}

/// Returns the paths whose changes may change the scene.
///
/// The folders of the models and of palettes are among them, because a file may be added.
pub fn watched(paths: &Paths, scene: &Scene) -> Vec<PathBuf> {
    let mut watched = paths.all();
    let models = paths.model.iter().chain(&paths.with);
    let parents: BTreeSet<&Path> = models.map(|model| model.parent().unwrap_or(Path::new(""))).collect();
    for parent in parents {
        let folder = Folder::new(parent);
        watched.extend(scene.side.iter().filter_map(|side| folder.find(&side.name).ok().flatten()));
        watched.push(or_working(parent).to_owned());
    }
    if let Some(map) = &paths.level {
        let parent = map.parent().unwrap_or(Path::new(""));
        watched.extend([or_working(parent).to_owned(), parent.join("../gfx")]);
        watched.extend(palettes(map).into_iter().filter_map(|(folder, name)| folder.find(name).ok().flatten()));
    }
    watched
}
