//! Files of the user, and the folders that files and scripts name further ones in.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use skelobj::{FileSource, is_plain_path};

use crate::error::CliError;

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

/// Reads a file that the user named.
pub fn read_named(path: &Path) -> Result<Vec<u8>, CliError> {
    read(path).map_err(|error| CliError::Read(path.to_owned(), error))
}

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

    /// The folder that a file stands in.
    pub fn of(file: &Path) -> Self {
        Self::new(file.parent().unwrap_or(Path::new("")))
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

/// Writes a file whole or not at all: what stood there before stays until the new one is complete.
///
/// # Errors
/// A path that is one of `inputs`, by whatever name, or a symbolic link, unless `force` is set; a path that is no regular
/// file; what the system reports.
pub fn write(path: &Path, bytes: &[u8], inputs: &[&Path], force: bool) -> Result<(), CliError> {
    if !force {
        if inputs.iter().any(|input| is_same(input, path)) {
            return Err(CliError::Overwrite(path.to_owned(), "it is one of the files that were read"));
        }
        if path.is_symlink() {
            return Err(CliError::Overwrite(path.to_owned(), "it is a symbolic link"));
        }
    }
    replace(path, bytes).map_err(|error| CliError::Write(path.to_owned(), error))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays, and what it leads to is replaced.
    let path = if path.is_symlink() { path.canonicalize()? } else { path.to_owned() };
    let permissions = match fs::metadata(&path) {
        Ok(old) if !old.is_file() => return Err(io::Error::other("it is not a regular file")),
        Ok(old) if old.permissions().readonly() => return Err(io::ErrorKind::PermissionDenied.into()),
        Ok(old) => Some(old.permissions()),
        Err(_) => None,
    };
    let beside = path.with_file_name(format!(".skelobj-{}.tmp", std::process::id()));
    let mut file = File::create_new(&beside)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions)))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // The error that counts is the first one.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Whether two paths lead to one file.
fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let place = |path| fs::metadata(path).map(|file| (file.dev(), file.ino()));
        place(a).ok().zip(place(b).ok()).is_some_and(|(a, b)| a == b)
    }
    #[cfg(not(unix))]
    {
        let place = |path: &Path| path.canonicalize().ok();
        place(a).zip(place(b)).is_some_and(|(a, b)| a == b)
    }
}
