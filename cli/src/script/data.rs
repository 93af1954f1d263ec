//! Files that a script reads and writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use skelobj::qc::ScriptFiles;
use skelobj::{FileSource as _, is_plain_path};

use super::output::SharedOutput;
use crate::files::Origin;
use crate::folder::{Folder, Found, read_in};

/// Maximum number of bytes that a script may write.
const MAX_WRITTEN: usize = 1 << 26;
/// Maximum number of files and folders that a script may create.
const MAX_CREATED: usize = 4096;
/// Maximum number of messages about files that are not written.
const MAX_MESSAGES: usize = 64;
/// Maximum number of files and folders that a search lists.
const MAX_LISTED: usize = 4096;
/// Maximum depth of folders that a search lists.
const DEEPEST: usize = 8;

/// Files of a script: those of a folder, or of memory if there is none.
pub struct Data {
    folder: Option<PathBuf>,
    /// Folders whose files a search lists.
    listed: Vec<PathBuf>,
    /// Files that were written and are in no folder.
    kept: BTreeMap<String, Vec<u8>>,
    /// Number of bytes that may still be written.
    room: usize,
    /// Number of files and folders that may still be created.
    places: usize,
    output: SharedOutput,
    /// Number of messages that are still printed.
    messages: usize,
}

impl Data {
    /// Creates the files of a script that writes to `folder`, and lists the files of `models`, too.
    pub fn new(folder: Option<&Path>, models: Vec<PathBuf>, output: SharedOutput) -> Self {
        let listed = folder.map(Path::to_owned).into_iter().chain(models).collect();
        let folder = folder.map(Path::to_owned);
        let kept = BTreeMap::new();
        Self { folder, listed, kept, room: MAX_WRITTEN, places: MAX_CREATED, output, messages: MAX_MESSAGES }
    }

    /// Writes a file, unless it is beyond what a script may write. No link leads out of the folder.
    fn put(&mut self, name: &str, contents: &[u8]) -> Result<(), String> {
        let file = self.folder.as_deref().map(|folder| Found::below(folder, Path::new(name)));
        let created = match &file {
            Some(file) => file.missing_folders() + usize::from(!file.path().exists()),
            None => usize::from(!self.kept.contains_key(name)),
        };
        let room = self.room.checked_sub(contents.len() + name.len()).ok_or("a script writes at most 64 MiB")?;
        let places = self.places.checked_sub(created).ok_or("a script creates at most 4096 files and folders")?;
        (self.room, self.places) = (room, places);
        let Some(file) = file else {
            self.kept.insert(name.to_owned(), contents.to_vec());
            return Ok(());
        };
        file.create_folders().map_err(|error| error.to_string())?;
        Origin::Found(file).replace(contents).map_err(|error| error.to_string())
    }

    /// Prints why a file is not written, unless too many were not.
    fn tell(&mut self, name: &str, why: impl std::fmt::Display) {
        self.messages = match self.messages {
            0 => return,
            1 => {
                self.output.tell_line(format_args!("skelobj: further files are not written"));
                0
            }
            more => {
                self.output.tell_line(format_args!("skelobj: {name} is not written: {why}"));
                more - 1
            }
        };
    }
}

impl ScriptFiles for Data {
    fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        match &self.folder {
            Some(folder) => read_in(&Folder::new(folder), name),
            None => self.kept.get(name).cloned(),
        }
    }

    fn size(&mut self, name: &str) -> Option<u64> {
        match &self.folder {
            Some(folder) => Folder::new(folder).size(name).ok().flatten(),
            None => self.kept.get(name).map(|contents| contents.len() as u64),
        }
    }

    fn write(&mut self, name: &str, contents: &[u8]) {
        if let Err(reason) = self.put(name, contents) {
            self.tell(name, reason);
        }
    }

    fn names(&mut self) -> Vec<String> {
        let mut names: Vec<String> = self.kept.keys().cloned().collect();
        for folder in &self.listed {
            list(folder, "", DEEPEST, &mut names);
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Adds the names of the files below a folder, without links, and of the folders, with a slash.
fn list(folder: &Path, before: &str, depth: usize, names: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if names.len() >= MAX_LISTED {
            return;
        }
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let name = format!("{before}{name}");
        if !is_plain_path(&name) {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            let name = name + "/";
            names.push(name.clone());
            list(&entry.path(), &name, depth - 1, names);
        } else if kind.is_file() {
            names.push(name);
        }
    }
}
