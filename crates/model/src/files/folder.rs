//! Folder of files on disk.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::open;
use super::source::{FileSource, is_plain_path};

/// Folder on disk as a source of files, subfolders included.
///
/// A name without an exact match matches in any case. Only regular files of at most 1 GiB inside the folder are read:
/// links may lead from one place in the folder to another, but not out of it. On Unix, every access opens the file
/// relative to the open folder, so that links which are made meanwhile lead nowhere else. A file that exists but cannot
/// be read is an error, which the runtime reports.
///
/// ```
/// use skelobj::files::Folder;
/// use skelobj::{FileSource, Runtime};
///
/// let game = Folder::new("../../dolls");
/// assert!(game.read("Mannequin.doll")?.is_some()); // in any case
/// assert!(game.read("ogre.doll")?.is_none());
/// assert!(game.read("../Cargo.toml")?.is_none()); // not a plain path
/// let mut runtime = Runtime::default();
/// runtime.set_files(game);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    root: PathBuf,
    /// Path from the root at which names begin.
    start: PathBuf,
}

impl Folder {
    /// Creates the source of the folder at a path; an empty path is the working folder.
    ///
    /// ```
    /// use skelobj::FileSource;
    /// use skelobj::files::Folder;
    ///
    /// assert!(Folder::new("no/such/folder").read("ogre.iqm")?.is_none());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { root: path.into(), start: PathBuf::new() }
    }

    /// Returns the source of a subfolder, whose links may lead to any place in this folder.
    ///
    /// ```
    /// use skelobj::FileSource;
    /// use skelobj::files::Folder;
    ///
    /// let repository = Folder::new("../..");
    /// assert!(repository.subfolder("dolls").read("mannequin.doll")?.is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn subfolder(&self, path: impl AsRef<Path>) -> Self {
        Self { root: self.root.clone(), start: self.start.join(path) }
    }

    /// Returns the path under which a name is found, for messages and for watching the file; `None` if no file has the
    /// name.
    ///
    /// # Errors
    /// The system does not tell, such as for a folder that may not be searched.
    ///
    /// ```
    /// use skelobj::files::Folder;
    ///
    /// let found = Folder::new("../..").find("Dolls/MANNEQUIN.doll")?;
    /// assert!(found.is_some_and(|path| path.ends_with("dolls/mannequin.doll")));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn find(&self, name: &str) -> io::Result<Option<PathBuf>> {
        Ok(self.locate(name)?.map(|path| self.root.join(path)))
    }

    /// Returns the path of a file from the root.
    fn locate(&self, name: &str) -> io::Result<Option<PathBuf>> {
        if !is_plain_path(name) {
            return Ok(None);
        }
        let mut path = self.start.clone();
        for part in name.split('/') {
            let exact = path.join(part);
            path = match found(self.root.join(&exact).try_exists())? {
                Some(true) => exact,
                _ => match self.alike(&path, part) {
                    Some(name) => path.join(name),
                    None => return Ok(None),
                },
            };
        }
        Ok(Some(path))
    }

    /// Returns the result of an operation on a file, which gets the real path of the root and the path from there;
    /// `None` if no file has the name.
    fn access<T>(&self, name: &str, run: impl FnOnce(&Path, &Path) -> io::Result<T>) -> io::Result<Option<T>> {
        let Some(path) = self.locate(name)? else { return Ok(None) };
        let root = or_working(&self.root).canonicalize()?;
        let Some(real) = found(root.join(path).canonicalize())? else { return Ok(None) };
        let path = real.strip_prefix(&root).map_err(|_| io::Error::other("a link leads out of its folder"))?;
        if real.is_dir() {
            return Ok(None);
        }
        found(run(&root, path))
    }

    /// Returns the first entry of a subfolder, sorted by name, that has this name in another case.
    fn alike(&self, path: &Path, name: &str) -> Option<OsString> {
        let entries = fs::read_dir(or_working(&self.root.join(path))).ok()?;
        let entries = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
        entries.filter(|entry| entry.to_str().is_some_and(|entry| entry.eq_ignore_ascii_case(name))).min()
    }
}

impl FileSource for Folder {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.access(name, open::read)
    }

    fn size(&self, name: &str) -> io::Result<Option<u64>> {
        self.access(name, open::size)
    }
}

/// Returns the result of an operation on a path; `None` if the path leads to nothing.
fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    match result {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory | InvalidFilename) => Ok(None),
        result => result.map(Some),
    }
}

/// Returns the path of a folder; an empty path is the working folder.
fn or_working(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}
