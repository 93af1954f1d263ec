//! Folder in which models and scripts name further files.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use skelobj::{FileSource, is_plain_path};

/// Folder whose files, subfolders included, models and scripts may read.
///
/// A name without an exact match matches in any case. Links out of the folder are not followed.
#[derive(Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// Creates the source of the folder at `path`; an empty path is the working folder.
    pub fn new(path: &Path) -> Self {
        Self(if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() })
    }

    /// Returns the path of a file or subfolder that has this name, in any case.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if !is_plain_path(name) {
            return None;
        }
        let mut path = self.0.clone();
        for part in name.split('/') {
            let exact = path.join(part);
            path = if exact.exists() { exact } else { alike(&path, part)? };
        }
        let inside = path.canonicalize().ok()?.starts_with(self.0.canonicalize().ok()?);
        inside.then_some(path)
    }
}

/// Returns the first entry of a folder, sorted by name, that has this name in another case.
fn alike(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.file_name()));
    let alike = entries.filter(|entry| entry.to_str().is_some_and(|entry| entry.eq_ignore_ascii_case(name)));
    alike.min().map(|entry| folder.join(entry))
}

impl FileSource for Folder {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        read(&self.find(name)?).ok()
    }
}

/// Maximum size of a file, bytes.
pub const LARGEST: u64 = 1 << 30;

/// Reads a regular file, also through links. Devices and pipes are refused, because they may be infinite or block.
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
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    Ok(bytes)
}
