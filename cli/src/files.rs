//! Reading and atomic writing of files that the user names.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use crate::error::CliError;
use crate::folder::{self, Folder};

/// Reads a file that the user named.
pub fn read_named(path: &Path) -> Result<Vec<u8>, CliError> {
    folder::read(path).map_err(|error| CliError::Read(path.to_owned(), error))
}

/// Returns the folder of a file.
pub fn folder_of(file: &Path) -> Folder {
    Folder::new(file.parent().unwrap_or(Path::new("")))
}

/// Writes a file completely or not at all. An existing file is replaced when the new one is complete.
///
/// # Errors
/// [`CliError::Overwrite`] if the path leads to one of `inputs` or is a symbolic link, unless `force` is set;
/// [`CliError::Write`] if the path is not a regular file, or for an error of the system.
pub fn write(path: &Path, bytes: &[u8], inputs: &[&Path], force: bool) -> Result<(), CliError> {
    if !force {
        if inputs.iter().any(|input| is_same(input, path)) {
            return Err(CliError::Overwrite(path.to_owned(), "it is an input file"));
        }
        if path.is_symlink() {
            return Err(CliError::Overwrite(path.to_owned(), "it is a symbolic link"));
        }
    }
    replace(path, bytes).map_err(|error| CliError::Write(path.to_owned(), error))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // The target of a link is replaced, the link stays.
    let path = if path.is_symlink() { path.canonicalize()? } else { path.to_owned() };
    let permissions = match fs::metadata(&path) {
        Ok(old) if !old.is_file() => return Err(io::Error::other("it is not a regular file")),
        Ok(old) if old.permissions().readonly() => return Err(io::ErrorKind::PermissionDenied.into()),
        Ok(old) => Some(old.permissions()),
        Err(_) => None,
    };
    let beside = path.with_file_name(format!(".skelobj-{}.tmp", std::process::id()));
    // A file of this name can only be left from a killed process.
    let _ = fs::remove_file(&beside);
    let mut file = File::create_new(&beside)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions)))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // The error of the write matters, not that of the cleanup.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Returns `true` if two paths lead to the same file.
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
