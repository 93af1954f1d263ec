//! Access to one file by its open folder, so that no link made meanwhile leads elsewhere.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Maximum size of a file, bytes.
const LARGEST: u64 = 1 << 30;

/// Reads the regular file at `path` below the folder `root`. No part of `path` may be a link.
pub(super) fn read(root: &Path, path: &Path) -> io::Result<Vec<u8>> {
    let (file, size) = regular(root, path)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size.min(LARGEST) as usize)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    Ok(bytes)
}

/// Returns the size of the regular file at `path` below the folder `root`, bytes. No part of `path` may be a link.
pub(super) fn size(root: &Path, path: &Path) -> io::Result<u64> {
    Ok(regular(root, path)?.1)
}

/// Opens a regular file, and returns its size.
fn regular(root: &Path, path: &Path) -> io::Result<(File, u64)> {
    let file = open(root, path)?;
    let kind = file.metadata()?;
    // Devices and pipes may be infinite or block.
    if kind.is_file() { Ok((file, kind.len())) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Opens a file. A pipe does not wait for its writer.
#[cfg(unix)]
fn open(root: &Path, path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    // A folder that may be searched but not listed can be opened only as a path.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const ACCESS: OFlags = OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const ACCESS: OFlags = OFlags::RDONLY;
    const FOLDER: OFlags = ACCESS.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    const FILE: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let mut folder = openat(CWD, root, FOLDER, Mode::empty())?;
    for part in path.parent().into_iter().flatten() {
        folder = openat(&folder, part, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
    }
    Ok(openat(&folder, name, FILE, Mode::empty())?.into())
}

/// Opens a file. Systems without folders as handles check links beforehand only.
#[cfg(not(unix))]
fn open(root: &Path, path: &Path) -> io::Result<File> {
    File::open(root.join(path))
}
