//! Files that the user names: read, and written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use crate::error::CliError;
use crate::folder::{self, Folder};

/// Reads a file that the user named.
pub fn read_named(path: &Path) -> Result<Vec<u8>, CliError> {
    folder::read(path).map_err(|error| CliError::Read(path.to_owned(), error))
}

/// The folder that a file stands in.
pub fn folder_of(file: &Path) -> Folder {
    Folder::new(file.parent().unwrap_or(Path::new("")))
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
    // One of this name can only be left over from a run that was killed.
    let _ = fs::remove_file(&beside);
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
