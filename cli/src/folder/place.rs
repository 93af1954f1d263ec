//! Access to one file by its open folder, so that no link made meanwhile leads elsewhere.

use std::fs::{File, Permissions};
use std::io;
use std::path::Path;

/// Kind and permissions of a file.
pub struct State {
    pub is_folder: bool,
    pub is_file: bool,
    pub permissions: Permissions,
}

/// Name in an open folder. No operation follows a link.
#[cfg(unix)]
pub struct Place {
    folder: std::os::fd::OwnedFd,
    name: std::ffi::OsString,
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::PermissionsExt as _;

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat};

    use super::{File, Path, Permissions, Place, State, io};

    // A folder that may be searched but not listed can be opened only as a path.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const ACCESS: OFlags = OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const ACCESS: OFlags = OFlags::RDONLY;
    const FOLDER: OFlags = ACCESS.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    /// Opens the folder at `path` below the folder `root`.
    fn open_folder(root: &Path, path: &Path) -> io::Result<OwnedFd> {
        let mut folder = openat(CWD, root, FOLDER, Mode::empty())?;
        for part in path {
            folder = openat(&folder, part, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
        }
        Ok(folder)
    }

    impl Place {
        /// Opens the folder of the file at `path` below the folder `root`. No part of `path` may be a link.
        pub fn new(root: &Path, path: &Path) -> io::Result<Self> {
            let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?.into();
            Ok(Self { folder: open_folder(root, path.parent().unwrap_or(Path::new("")))?, name })
        }

        /// Creates folders inside one another below the folder `path` of the folder `root`.
        pub fn create_folders(root: &Path, path: &Path, missing: &Path) -> io::Result<()> {
            let mut folder = open_folder(root, path)?;
            for part in missing {
                mkdirat(&folder, part, Mode::from_raw_mode(0o777))?;
                folder = openat(&folder, part, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
            }
            Ok(())
        }

        /// Returns kind and permissions of the file.
        pub fn state(&self) -> io::Result<State> {
            let found = statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW)?;
            let kind = FileType::from_raw_mode(found.st_mode);
            #[allow(clippy::useless_conversion, reason = "systems have different types of modes")]
            let permissions = Permissions::from_mode(Mode::from_raw_mode(found.st_mode).bits().into());
            Ok(State { is_folder: kind.is_dir(), is_file: kind.is_file(), permissions })
        }

        /// Opens the file to read it. A pipe does not wait for its writer.
        pub fn open(&self) -> io::Result<File> {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            Ok(openat(&self.folder, &self.name, flags, Mode::empty())?.into())
        }

        /// Creates a file of another name in the folder, in which none of this name may exist.
        pub fn create(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            Ok(openat(&self.folder, name, flags, Mode::from_raw_mode(0o666))?.into())
        }

        /// Removes a file of another name from the folder.
        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(unlinkat(&self.folder, name, AtFlags::empty())?)
        }

        /// Puts a file of another name in the folder in the place of this one.
        pub fn replace_with(&self, name: &OsStr) -> io::Result<()> {
            Ok(renameat(&self.folder, name, &self.folder, &self.name)?)
        }

        /// Returns the name of the file.
        pub fn name(&self) -> &OsStr {
            &self.name
        }
    }
}

/// Path of a file. Systems without folders as handles check links beforehand only.
#[cfg(not(unix))]
pub struct Place(std::path::PathBuf);

#[cfg(not(unix))]
mod other {
    use std::ffi::OsStr;
    use std::fs;

    use super::{File, Path, Place, State, io};

    impl Place {
        /// Returns the place of the file at `path` below the folder `root`.
        pub fn new(root: &Path, path: &Path) -> io::Result<Self> {
            path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
            Ok(Self(root.join(path)))
        }

        /// Creates folders inside one another below the folder `path` of the folder `root`.
        pub fn create_folders(root: &Path, path: &Path, missing: &Path) -> io::Result<()> {
            let mut folder = root.join(path);
            for part in missing {
                folder.push(part);
                fs::create_dir(&folder)?;
            }
            Ok(())
        }

        /// Returns kind and permissions of the file.
        pub fn state(&self) -> io::Result<State> {
            let found = fs::symlink_metadata(&self.0)?;
            Ok(State { is_folder: found.is_dir(), is_file: found.is_file(), permissions: found.permissions() })
        }

        /// Opens the file to read it.
        pub fn open(&self) -> io::Result<File> {
            File::open(&self.0)
        }

        /// Creates a file of another name in the folder, in which none of this name may exist.
        pub fn create(&self, name: &OsStr) -> io::Result<File> {
            File::create_new(self.0.with_file_name(name))
        }

        /// Removes a file of another name from the folder.
        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.0.with_file_name(name))
        }

        /// Puts a file of another name in the folder in the place of this one.
        pub fn replace_with(&self, name: &OsStr) -> io::Result<()> {
            fs::rename(self.0.with_file_name(name), &self.0)
        }

        /// Returns the name of the file.
        pub fn name(&self) -> &OsStr {
            self.0.file_name().unwrap_or_default()
        }
    }
}
