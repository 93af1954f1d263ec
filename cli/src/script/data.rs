//! Files that a script reads and writes.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use skelobj::is_plain_path;
use skelobj::qc::ScriptFiles;

use super::output::SharedOutput;
use crate::error::CliError;
use crate::files::Origin;
use crate::folder::{Folder, Found, read_in};

/// Maximum number of bytes that a script may write.
const MOST_WRITTEN: usize = 1 << 26;
/// Maximum number of messages about files that are not written.
const MOST_MESSAGES: usize = 64;
/// Maximum number of files and folders that a search lists.
const MOST_LISTED: usize = 4096;
/// Maximum depth of folders that a search lists.
const DEEPEST: usize = 8;

/// Files of a script: those of a folder, or of memory if there is none.
pub struct Data {
    folder: Option<PathBuf>,
    /// Folders whose files a search lists.
    listed: Vec<PathBuf>,
    /// Files that were written and are in no folder.
    kept: BTreeMap<String, Vec<u8>>,
    room: usize,
    output: SharedOutput,
    /// Number of messages that are still printed.
    messages: usize,
}

impl Data {
    /// Creates the files of a script that writes to `folder`, and lists the files of `models`, too.
    pub fn new(folder: Option<&Path>, models: Vec<PathBuf>, output: SharedOutput) -> Self {
        let listed = folder.map(Path::to_owned).into_iter().chain(models).collect();
        let folder = folder.map(Path::to_owned);
        Self { folder, listed, kept: BTreeMap::new(), room: MOST_WRITTEN, output, messages: MOST_MESSAGES }
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

    fn write(&mut self, name: &str, contents: &[u8]) {
        let Some(room) = self.room.checked_sub(contents.len() + name.len()) else {
            return self.tell(name, "a script writes at most 64 MiB");
        };
        self.room = room;
        let Some(folder) = &self.folder else {
            self.kept.insert(name.to_owned(), contents.to_vec());
            return;
        };
        if let Err(error) = write_in(folder, Path::new(name), contents) {
            self.tell(name, error);
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

/// Writes a file below a folder, and creates the folders on its way. No link leads out of the folder.
fn write_in(root: &Path, path: &Path, contents: &[u8]) -> Result<(), CliError> {
    let unwritable = |error| CliError::Write(root.join(path), error);
    let mut above: Vec<&Path> = path.ancestors().skip(1).filter(|part| !part.as_os_str().is_empty()).collect();
    above.reverse();
    for folder in above {
        match Found::below(root, folder).place().and_then(|place| place.state()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir(root.join(folder)).map_err(unwritable)?;
            }
            Err(error) => return Err(unwritable(error)),
            Ok(_) => {}
        }
    }
    Origin::Found(Found::below(root, path)).replace(contents)
}

/// Adds the names of the files below a folder, without links, and of the folders, with a slash.
fn list(folder: &Path, before: &str, depth: usize, names: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if names.len() >= MOST_LISTED {
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
