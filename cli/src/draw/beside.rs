//! Images in files beside a model.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files;
use crate::folder::{Folder, or_working, read_in};

/// Endings of images beside a model, in the order of preference.
const ENDINGS: [&str; 5] = ["png", "tga", "jpg", "jpeg", "pcx"];
/// Maximum size of all images beside a model, bytes.
const MAX_BYTES: u64 = 1 << 27;

/// File of an image: its name below the folder of the model, and its contents or why it is not read.
pub type Found = (String, Result<Arc<[u8]>, &'static str>);

/// Images beside a model. Each folder is listed once, and each file is read once, however many meshes name it.
pub struct Beside {
    root: PathBuf,
    folder: Folder,
    /// Names in each folder, in lower case; `None` for a folder that cannot be listed.
    listed: HashMap<String, Option<HashSet<String>>>,
    /// Image under each path, if there is one.
    read: HashMap<PathBuf, Option<Found>>,
    /// Number of bytes that may still be read.
    room: u64,
}

impl Beside {
    pub fn new(model: &Path) -> Self {
        let root = model.parent().unwrap_or(Path::new("")).to_owned();
        let (folder, listed, read) = (files::folder_of(model), HashMap::new(), HashMap::new());
        Self { root, folder, listed, read, room: MAX_BYTES }
    }

    /// Returns an image: at the path that a material states, or beside the model, with this ending or another.
    pub fn find(&mut self, stated: &str) -> Option<Found> {
        let stated = stated.replace('\\', "/");
        let alone = stated.rsplit('/').next().unwrap_or(&stated);
        [stated.as_str(), alone].into_iter().find_map(|name| {
            let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
            let is_image = ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
            let stem = if is_image { stem } else { name };
            let exact = is_image.then(|| name.to_owned());
            let others = ENDINGS.map(|ending| format!("{stem}.{ending}"));
            exact.into_iter().chain(others).find_map(|name| self.read(&name))
        })
    }

    fn read(&mut self, name: &str) -> Option<Found> {
        if !self.may_have(name) {
            return None;
        }
        let path = self.folder.find(name).ok()??;
        let entry = match self.read.entry(path) {
            Entry::Occupied(known) => return known.get().clone(),
            Entry::Vacant(entry) => entry,
        };
        let path = entry.key().strip_prefix(&self.root).unwrap_or(entry.key());
        let real = path.to_string_lossy().replace('\\', "/");
        let size = fs::metadata(entry.key()).map_or(0, |file| file.len());
        let bytes = match self.room.checked_sub(size) {
            None => Some(Err("the textures are too large together")),
            Some(room) => read_in(&self.folder, name).map(|bytes| {
                self.room = room;
                Ok(bytes.into())
            }),
        };
        entry.insert(bytes.map(|bytes| (real, bytes))).clone()
    }

    /// Returns `false` if no file has this name in any case.
    fn may_have(&mut self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let parts = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
        let mut start = 0;
        for end in parts {
            let (folder, part) = (&name[..start], &name[start..end]);
            if !self.listed.contains_key(folder) {
                let names = self.names(folder);
                self.listed.insert(folder.to_owned(), names);
            }
            match &self.listed[folder] {
                None => return true,
                Some(names) if !names.contains(part) => return false,
                Some(_) => start = end + 1,
            }
        }
        true
    }

    /// Returns the names in a folder below the model's, which ends with a slash or is empty.
    fn names(&self, folder: &str) -> Option<HashSet<String>> {
        let path = match folder.strip_suffix('/') {
            None => or_working(&self.root).to_owned(),
            Some(folder) => self.folder.find(folder).ok()??,
        };
        let names = fs::read_dir(path).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Some(names.map(|name| name.to_ascii_lowercase()).collect())
    }
}
