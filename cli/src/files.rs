//! Reading and atomic writing of files that the user names, or that lie beside those.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use skelobj::FileUse;

use crate::error::CliError;
use crate::folder::{self, Folder, Found, Place};
use crate::out::tell_line;

/// File that the user named, or one that was found.
#[derive(Clone)]
pub enum Origin {
    /// The user may name any file, also through links.
    Named(PathBuf),
    /// A found file must be inside its folder.
    Found(Found),
}

impl Origin {
    /// Returns the path of the file.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Named(path) => path.clone(),
            Self::Found(found) => found.path(),
        }
    }

    /// Reads the file.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::Named(path) => folder::read(path),
            Self::Found(found) => found.read(),
        }
    }

    /// Replaces the file completely or not at all.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), CliError> {
        let mut file = NewFile::begin(self)?;
        file.write_all(bytes)?;
        file.finish()
    }

    fn place(&self) -> io::Result<Place> {
        match self {
            Self::Named(path) => place_of(path),
            Self::Found(found) => found.place(),
        }
    }
}

/// Returns the first of these files that exists. Links out of the folder are reported.
pub fn first_found(places: impl IntoIterator<Item = Found>) -> Option<Found> {
    places.into_iter().find(|found| {
        found.is_there().unwrap_or_else(|error| {
            tell_line(format_args!("{}: warning: not used: {error}", found.path().display()));
            false
        })
    })
}

/// Reads a file that the user named.
pub fn read_named(path: &Path) -> Result<Vec<u8>, CliError> {
    folder::read(path).map_err(|error| CliError::Read(path.to_owned(), error))
}

/// Returns the text of a doll that the user named; `-` is standard input.
pub fn read_doll(path: &Path) -> Result<Vec<u8>, CliError> {
    let text = if is_stdin(path) { read_stdin() } else { folder::read(path) };
    let text = text.map_err(|error| CliError::Read(path.to_owned(), error))?;
    // The user says that it is a doll, whatever its name.
    match FileUse::of(".doll", &text) {
        FileUse::Unused(reason) if !text.is_empty() => Err(CliError::NotADoll(path.to_owned(), reason)),
        _ => Ok(text),
    }
}

/// Returns `true` for the name of standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(folder::LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > folder::LARGEST {
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    Ok(bytes)
}

/// File that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// Name without the folder.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Returns the name of a file without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Maximum number of names to compare with one that no file has.
const MAX_COMPARED: usize = 4096;

/// Returns the file in the same folder with the name nearest to one that no file has: at most two letters differ, one
/// in short names. Case does not count.
pub fn nearest(path: &Path) -> Option<PathBuf> {
    let wanted = name_of(path).to_lowercase();
    let listed = fs::read_dir(folder::or_working(path.parent()?)).ok()?;
    let names = listed.take(MAX_COMPARED).filter_map(|entry| {
        let entry = entry.ok()?;
        (!entry.file_type().ok()?.is_dir()).then(|| entry.file_name())
    });
    let near = |name: OsString| {
        let letters = strsim::osa_distance(&wanted, &name.to_string_lossy().to_lowercase());
        (letters <= 2 && letters * 4 <= wanted.chars().count()).then_some((letters, name))
    };
    let (_, name) = names.filter_map(near).min()?;
    Some(path.with_file_name(name))
}

/// Returns the folder of a file.
pub fn folder_of(file: &Path) -> Folder {
    Folder::new(file.parent().unwrap_or(Path::new("")))
}

/// Refuses an output file that is not to be replaced, before the work that would make it.
///
/// # Errors
/// [`CliError::Overwrite`] if the path leads to one of `inputs`, is a symbolic link, or exists, unless `force` is set.
pub fn refuse_existing(path: &Path, inputs: &[&Path], force: bool) -> Result<(), CliError> {
    let reason = match () {
        () if force => return Ok(()),
        () if inputs.iter().any(|input| is_same(input, path)) => "it is an input file",
        () if path.is_symlink() => "it is a symbolic link",
        () if path.is_file() => "it exists",
        () => return Ok(()),
    };
    Err(CliError::Overwrite(path.to_owned(), reason))
}

/// Writes a file completely or not at all. With `force`, an existing file is replaced when the new one is complete.
///
/// # Errors
/// The errors are those of [`NewFile::create`] and [`NewFile::finish`].
pub fn write(path: &Path, bytes: &[u8], inputs: &[&Path], force: bool) -> Result<(), CliError> {
    let mut file = NewFile::create(path, inputs, force)?;
    file.write_all(bytes)?;
    file.finish()
}

/// File that is written beside its path, and put there when it is complete.
pub struct NewFile {
    /// Path for messages.
    named: PathBuf,
    /// Place to replace: that of the target of a link, which is kept.
    place: Place,
    /// Name in the folder of the place until the file is complete.
    beside: OsString,
    file: BufWriter<File>,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// [`CliError::Overwrite`] if the path leads to one of `inputs`, is a symbolic link, or exists, unless `force` is
    /// set; [`CliError::Write`] if the path is not a regular file, or for an error of the system.
    pub fn create(path: &Path, inputs: &[&Path], force: bool) -> Result<Self, CliError> {
        refuse_existing(path, inputs, force)?;
        Self::begin(&Origin::Named(path.to_owned()))
    }

    fn begin(origin: &Origin) -> Result<Self, CliError> {
        let new = origin.place().and_then(|place| Self::new(origin.path(), place));
        new.map_err(|error| CliError::Write(origin.path(), error))
    }

    fn new(named: PathBuf, place: Place) -> io::Result<Self> {
        let permissions = match place.state() {
            Ok(old) if !old.is_file => return Err(io::Error::other("it is not a regular file")),
            Ok(old) if old.permissions.readonly() => return Err(io::ErrorKind::PermissionDenied.into()),
            Ok(old) => Some(old.permissions),
            Err(_) => None,
        };
        let mut beside = OsString::from(format!(".skelobj-{}-", std::process::id()));
        beside.push(place.name());
        beside.push(".tmp");
        // A file of this name can only be left from a killed process.
        let _ = place.remove(&beside);
        let file = BufWriter::new(place.create(&beside)?);
        let new = Self { named, place, beside, file };
        permissions.map_or(Ok(()), |permissions| new.file.get_ref().set_permissions(permissions))?;
        Ok(new)
    }

    /// Adds bytes at the end.
    pub fn write_all(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.file.write_all(bytes).map_err(|error| CliError::Write(self.named.clone(), error))
    }

    /// Puts the file at its path.
    pub fn finish(mut self) -> Result<(), CliError> {
        let written = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        let put = written.and_then(|()| self.place.replace_with(&self.beside));
        put.map_err(|error| CliError::Write(self.named.clone(), error))
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Fails after `finish`, as it should. Otherwise the error of the write matters, not that of the cleanup.
        let _ = self.place.remove(&self.beside);
    }
}

/// Returns the place of a file that the user named; a link leads to its target.
fn place_of(named: &Path) -> io::Result<Place> {
    let path = if named.is_symlink() { named.canonicalize()? } else { named.to_owned() };
    let name = path.file_name().ok_or_else(|| io::Error::other("it is not a regular file"))?;
    Place::new(folder::or_working(path.parent().unwrap_or(Path::new(""))), Path::new(name))
}

/// Returns `true` if two paths lead to the same file.
fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let place = |path| std::fs::metadata(path).map(|file| (file.dev(), file.ino()));
        place(a).ok().zip(place(b).ok()).is_some_and(|(a, b)| a == b)
    }
    #[cfg(not(unix))]
    {
        let place = |path: &Path| path.canonicalize().ok();
        place(a).zip(place(b)).is_some_and(|(a, b)| a == b)
    }
}
