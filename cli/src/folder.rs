//! Folders that files and scripts name further files in.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use skelobj::{FileSource, is_plain_path};

/// A folder whose files, and those of folders below it, may be named by anyone.
///
/// Names are found without regard to case where no file has the exact one. Links lead to other files of the folder only.
#[derive(Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at `path`; an empty path is the working folder.
    pub fn new(path: &Path) -> Self {
        Self(if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() })
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        let mut path = self.0.clone();
        for part in name.split('/') {
            let exact = path.join(part);
            path = if exact.exists() { exact } else { alike(&path, part)? };
        }
        let inside = path.canonicalize().ok()?.starts_with(self.0.canonicalize().ok()?);
        inside.then_some(path)
    }
}

/// The first entry of a folder, by its name, that has this name in other case.
fn alike(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.file_name()));
    let alike = entries.filter(|entry| entry.to_str().is_some_and(|entry| entry.eq_ignore_ascii_case(name)));
    alike.min().map(|entry| folder.join(entry))
}

impl FileSource for Folder {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = is_plain_path(name).then(|| self.find(name)).flatten()?;
        read(&path).ok()
    }
}

/// Most bytes of a file that is read.
const LARGEST: u64 = 1 << 30;

/// Reads a regular file, also through links. Others may have no end, or keep whoever opens them waiting.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !kind.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(kind.len().min(LARGEST) as usize)?;
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it has more than 1 GiB"));
    }
    Ok(bytes)
}
