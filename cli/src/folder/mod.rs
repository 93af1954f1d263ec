//! Folder in which models and scripts name further files, and the files that are found there.

mod place;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

pub use place::Place;
use skelobj::{FileSource, is_plain_path};

/// Folder whose files, subfolders included, models and scripts may read.
///
/// A name without an exact match matches in any case. Links out of the folder are not followed.
#[derive(Clone)]
pub struct Folder {
    root: PathBuf,
    /// Path from the root at which names begin.
    start: PathBuf,
}

impl Folder {
    /// Creates the source of the folder at `path`; an empty path is the working folder.
    pub fn new(path: &Path) -> Self {
        Self { root: path.to_owned(), start: PathBuf::new() }
    }

    /// Returns the source of a subfolder. Links out of it are followed if they stay in this folder.
    pub fn subfolder(&self, path: &str) -> Self {
        Self { root: self.root.clone(), start: self.start.join(path) }
    }

    /// Returns the file of this name, in any case.
    pub fn find(&self, name: &str) -> Option<Found> {
        if !is_plain_path(name) {
            return None;
        }
        let mut path = self.start.clone();
        for part in name.split('/') {
            let exact = path.join(part);
            path = if self.root.join(&exact).exists() { exact } else { path.join(self.alike(&path, part)?) };
        }
        let found = Found { root: self.root.clone(), path };
        found.is_there().unwrap_or(false).then_some(found)
    }

    /// Returns the first entry of a subfolder, sorted by name, that has this name in another case.
    fn alike(&self, path: &Path, name: &str) -> Option<std::ffi::OsString> {
        let entries = fs::read_dir(or_working(&self.root.join(path))).ok()?;
        let entries = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
        entries.filter(|entry| entry.to_str().is_some_and(|entry| entry.eq_ignore_ascii_case(name))).min()
    }
}

impl FileSource for Folder {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.find(name)?.read().ok()
    }
}

/// File that was found in a folder, rather than named by the user.
///
/// Every access checks anew that it is a regular file inside the folder, and opens it relative to the folder.
#[derive(Clone)]
pub struct Found {
    root: PathBuf,
    path: PathBuf,
}

impl Found {
    /// Creates the file that may be beside another one, under the file name of `path`.
    pub fn beside(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        Self { root: folder.to_owned(), path: path.file_name().unwrap_or_default().into() }
    }

    /// Returns the path of the file, which is safe in messages only.
    pub fn path(&self) -> PathBuf {
        self.root.join(&self.path)
    }

    /// Returns `true` if there is a regular file.
    ///
    /// # Errors
    /// A link leads out of the folder, or the system does not tell.
    pub fn is_there(&self) -> io::Result<bool> {
        match self.place().and_then(|place| place.state()) {
            Ok(state) => Ok(state.is_file),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads the file.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let place = self.place()?;
        let state = place.state()?;
        check(state.is_folder, state.is_file)?;
        contents(place.open()?)
    }

    /// Returns the place of the file, which need not exist.
    ///
    /// # Errors
    /// A link leads out of the folder or to nothing, or the system does not tell.
    pub fn place(&self) -> io::Result<Place> {
        let root = or_working(&self.root).canonicalize()?;
        let path = root.join(&self.path);
        let real = match path.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => path,
            real => real?,
        };
        let path = real.strip_prefix(&root);
        Place::new(&root, path.map_err(|_| io::Error::other("a link leads out of its folder"))?)
    }
}

/// Returns the path of a folder; an empty path is the working folder.
pub fn or_working(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Maximum size of a file, bytes.
pub const LARGEST: u64 = 1 << 30;

/// Reads a regular file that the user named, also through links.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?;
    check(kind.is_dir(), kind.is_file())?;
    contents(File::open(path)?)
}

/// Refuses folders, and devices and pipes, which may be infinite or block.
fn check(is_folder: bool, is_file: bool) -> io::Result<()> {
    match (is_folder, is_file) {
        (true, _) => Err(io::Error::other("it is a folder")),
        (_, false) => Err(io::Error::other("it is not a regular file")),
        _ => Ok(()),
    }
}

fn contents(file: File) -> io::Result<Vec<u8>> {
    // What was checked by its path may have been replaced before it was opened.
    let kind = file.metadata()?;
    check(kind.is_dir(), kind.is_file())?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(kind.len().min(LARGEST) as usize)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    Ok(bytes)
}
