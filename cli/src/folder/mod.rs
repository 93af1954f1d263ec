//! Files beside others, which are inside their folder, and files that models and scripts name.

mod place;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

pub use place::Place;
use skelobj::FileSource as _;
pub use skelobj::files::Folder;

/// Returns a file of a folder, which models and scripts name.
pub fn read_in(folder: &Folder, name: &str) -> Option<Vec<u8>> {
    folder.read(name).ok().flatten()
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

    /// Creates the file at a path below a folder.
    pub fn below(folder: &Path, path: &Path) -> Self {
        Self { root: folder.to_owned(), path: path.to_owned() }
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

    /// Returns the number of folders that are missing on the way to the file.
    pub fn missing_folders(&self) -> usize {
        let folders = self.path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        folders.take_while(|folder| !self.root.join(folder).exists()).count()
    }

    /// Creates the folders that are missing on the way to the file.
    ///
    /// # Errors
    /// A link leads out of the folder, or the system refuses.
    pub fn create_folders(&self) -> io::Result<()> {
        let Some(folder) = self.path.parent() else { return Ok(()) };
        let present = folder.ancestors().find(|folder| self.root.join(folder).exists()).unwrap_or(Path::new(""));
        let missing = folder.strip_prefix(present).unwrap_or(folder);
        let (root, present) = self.real(present)?;
        Place::create_folders(&root, &present, missing)
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
        let (root, path) = self.real(&self.path)?;
        Place::new(&root, &path)
    }

    /// Returns the real path of the folder, and from there that of a path below it, which need not exist.
    fn real(&self, path: &Path) -> io::Result<(PathBuf, PathBuf)> {
        let root = or_working(&self.root).canonicalize()?;
        let path = root.join(path);
        let real = match path.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => path,
            real => real?,
        };
        let path = real.strip_prefix(&root).map_err(|_| io::Error::other("a link leads out of its folder"))?;
        Ok((root, path.to_owned()))
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
