//! Files that the page shows: a model with its side files, a doll, a map.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skelobj::Model;

use crate::error::CliError;
use crate::files::Origin;
use crate::folder::{Folder, read_in};
use crate::{draw, files};

/// Maximum size of all files of a scene, bytes; the page takes no more.
const LARGEST: usize = 64 << 20;
/// Size of a palette, bytes.
const PALETTE: usize = 3 * 256;

/// Paths of the files that the page shows.
pub struct Paths {
    /// Model; `None` for the built-in mannequin.
    pub model: Option<PathBuf>,
    /// Doll; `None` for that of the mannequin, or if the model has none.
    pub doll: Option<Origin>,
    /// Map.
    pub level: Option<PathBuf>,
    /// Factor of the model's lengths; `None` for 1.
    pub scale: Option<f32>,
}

impl Paths {
    /// Returns `true` if all is built in.
    pub fn is_empty(&self) -> bool {
        self.model.is_none() && self.doll.is_none() && self.level.is_none()
    }

    /// Returns the paths of the files.
    pub fn all(&self) -> Vec<PathBuf> {
        let doll = self.doll.as_ref().map(Origin::path);
        [self.model.clone(), doll, self.level.clone()].into_iter().flatten().collect()
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
    /// Files that the model names: animations, frame groups, textures.
    pub side: Vec<SceneFile>,
    /// Doll; `None` for that of the mannequin, or if the model has none.
    pub doll: Option<SceneFile>,
    /// Map.
    pub level: Option<SceneFile>,
    /// Palette of the map's game, if it is where the game has it.
    pub palette: Option<SceneFile>,
    /// Factor of the model's lengths; `None` for 1.
    pub scale: Option<f32>,
}

impl Scene {
    /// Reads the files.
    ///
    /// # Errors
    /// [`CliError::Read`] for a file that cannot be read; [`CliError::LargeScene`] if they are too large together.
    pub fn read(paths: &Paths) -> Result<Self, CliError> {
        let named = |path: &Option<PathBuf>| path.clone().map(Origin::Named);
        let read = |origin: Option<Origin>| origin.as_ref().map(SceneFile::read).transpose();
        let (model, level) = (read(named(&paths.model))?, read(named(&paths.level))?);
        let (doll, palette) = (read(paths.doll.clone())?, paths.level.as_deref().and_then(palette));
        let mut scene = Self { model, side: Vec::new(), doll, level, palette, scale: paths.scale };
        if let (Some(path), Some(model)) = (&paths.model, &scene.model) {
            scene.side = side_files(path, model);
        }
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
    let folder = map.parent().unwrap_or(Path::new(""));
    [(Folder::new(folder), "palette.lmp"), (Folder::new(folder.join("..")), "gfx/palette.lmp")]
}

/// Returns the palette of a map's game. A file of another size is not one.
fn palette(map: &Path) -> Option<SceneFile> {
    let files = palettes(map).into_iter().filter_map(|(folder, name)| read_in(&folder, name));
    let bytes = files.into_iter().find(|bytes| bytes.len() == PALETTE)?;
    Some(SceneFile { name: "palette.lmp".to_owned(), bytes: bytes.into() })
}

/// Returns the files that the model asks for. A model that is damaged while it is shown has those it asks for first.
fn side_files(path: &Path, model: &SceneFile) -> Vec<SceneFile> {
    let folder = files::folder_of(path);
    let mut found = BTreeMap::new();
    let loaded = Model::load(&model.name, &model.bytes, |name| {
        let bytes = read_in(&folder, name)?;
        found.insert(name.to_owned(), Arc::from(bytes.as_slice()));
        Some(bytes)
    });
    if let Ok(loaded) = loaded {
        found.extend(draw::images(&loaded, &folder).into_iter().map(|(name, bytes)| (name, bytes.into())));
    }
    found.into_iter().map(|(name, bytes)| SceneFile { name, bytes }).collect()
}

/// Returns the paths whose changes may change the scene.
///
/// The folder of the model is among them, because a side file may be added.
pub fn watched(paths: &Paths, scene: &Scene) -> Vec<PathBuf> {
    let mut watched = paths.all();
    if let Some(model) = &paths.model {
        let folder = files::folder_of(model);
        watched.extend(scene.side.iter().filter_map(|side| folder.find(&side.name).ok().flatten()));
        let parent = model.parent().filter(|parent| !parent.as_os_str().is_empty());
        watched.push(parent.unwrap_or(Path::new(".")).to_owned());
    }
    if let Some(map) = &paths.level {
        watched.extend(palettes(map).into_iter().filter_map(|(folder, name)| folder.find(name).ok().flatten()));
    }
    watched
}
