//! File sources and the check of file names.

use std::io;

use crate::shown::Shown;

/// Source of a game's files: models, their side files, dolls.
///
/// The host passes its source to `Runtime::set_files`. Every function from a name to
/// `Option<Vec<u8>>` implements the trait, and so does a [`Folder`](crate::files::Folder).
///
/// ```
/// use skelobj::{FileSource, assets};
///
/// let files = |name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec());
/// assert!(files.read("mannequin.doll")?.is_some());
/// assert!(files.read("ogre.doll")?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait FileSource: Send + Sync {
    /// Returns the contents of a file, or `None` if no file has this name.
    ///
    /// Names are relative to the game's folders and use forward slashes (`progs/ogre.iqm`). They may come from files
    /// and scripts. The library asks only for names that [`is_plain_path`] accepts, so a source that puts a folder
    /// before the name stays in that folder, apart from symbolic links in it. A call that needs a file under another
    /// name returns an error, or a warning for a side file, that states the name. An engine whose models have absolute
    /// paths reads the bytes itself and uses `Runtime::add_model`.
    ///
    /// # Errors
    /// The file exists but cannot be read, for a reason such as a lack of permission. A call that needs the file
    /// returns an error with the reason; for a side file or a default doll the runtime keeps a warning.
    ///
    /// ```
    /// use skelobj::{FileSource, assets};
    ///
    /// struct Pak;
    /// impl FileSource for Pak {
    ///     fn read(&self, name: &str) -> std::io::Result<Option<Vec<u8>>> {
    ///         assert!(skelobj::is_plain_path(name));
    ///         Ok(name.eq_ignore_ascii_case("progs/mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()))
    ///     }
    /// }
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// runtime.set_files(Pak);
    /// runtime.load_model("progs/Mannequin.iqm")?;
    /// let error = runtime.load_model("../mannequin.iqm").unwrap_err(); // without a call of Pak::read
    /// assert!(error.to_string().starts_with("\"../mannequin.iqm\" is not a plain path"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Returns the size of a file in bytes, or `None` if no file has this name.
    ///
    /// A script asks for it before it reads a file, and to know whether there is one. The default reads the file; a
    /// source that can look the size up should do so.
    ///
    /// # Errors
    /// The errors are those of [`read`](Self::read).
    ///
    /// ```
    /// use skelobj::{FileSource, assets, files::Folder};
    ///
    /// let dolls = Folder::new("../../dolls"); // looks the size up
    /// assert_eq!(dolls.size("mannequin.doll")?, Some(assets::MANNEQUIN_DOLL.len() as u64));
    /// assert_eq!(dolls.size("ogre.doll")?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn size(&self, name: &str) -> io::Result<Option<u64>> {
        Ok(self.read(name)?.map(|contents| contents.len() as u64))
    }
}

impl<F: Fn(&str) -> Option<Vec<u8>> + Send + Sync> FileSource for F {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self(name))
    }
}

/// Returns `true` if a name is a relative path that cannot leave the folder it is looked up in.
///
/// A plain path consists of parts separated by `/`. No part is empty, `.` or `..`, ends in a dot or a space, or is a
/// Windows device (`nul`, `com1.iqm`). The path has no root, drive or scheme, no control character, and none of
/// `\:*?"<>|`, which Windows does not allow in names or takes for wildcards. The rules are the same on every system. The
/// library applies the check to every name before it asks the host for the file. A host that reads files by names from
/// elsewhere, such as textures of a model, should apply it, too.
///
/// ```
/// assert!(skelobj::is_plain_path("progs/ogre.iqm"));
/// for outside in ["/etc/passwd", ".//etc/passwd", "../ogre.iqm", "C:ogre.iqm", "a\\b", "ogre?", "nul.iqm", ""] {
///     assert!(!skelobj::is_plain_path(outside), "{outside}");
/// }
/// ```
#[must_use]
pub fn is_plain_path(name: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && !part.ends_with(['.', ' ']) && !is_device(part);
    let is_refused = |c: char| matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') || c.is_control();
    !name.contains(is_refused) && name.split('/').all(is_plain)
}

/// Reason for which a file of the host was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoFile {
    /// The name is not a plain path. The host was not asked.
    NotPlain,
    /// The host has no file of this name.
    Missing,
    /// The host has the file, but cannot read it for this reason.
    Unreadable(String),
}

/// Asks the host for a file, if the name is a plain path. Every request of the library passes here.
pub fn ask(name: &str, read: impl FnOnce(&str) -> io::Result<Option<Vec<u8>>>) -> Result<Vec<u8>, NoFile> {
    if !is_plain_path(name) {
        return Err(NoFile::NotPlain);
    }
    read(name).map_err(|error| NoFile::Unreadable(error.to_string()))?.ok_or(NoFile::Missing)
}

/// Writes that a name is not a plain path, for errors and warnings.
pub fn write_not_plain(name: &str, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    write!(f, "\"{}\" is not a plain path such as progs/ogre.iqm", Shown::of(name))
}

/// Writes that a file does not exist, for errors.
pub fn write_no_such(name: &str, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    write!(f, "no such file: {}", Shown::of(name))
}

/// Writes that a file cannot be read, for errors and warnings.
pub fn write_cannot_read(name: &str, reason: &str, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    write!(f, "cannot read {}: {}", Shown::of(name), Shown::of(reason))
}

/// Returns `true` if Windows opens a device under this name, in any folder and with any extension.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let numbered = |name: &str| {
        let digit = stem.get(..3).filter(|start| start.eq_ignore_ascii_case(name)).and_then(|_| stem.get(3..));
        // Windows takes the superscripts of Latin-1 for digits.
        digit.is_some_and(|digit| matches!(digit.as_bytes(), [b'1'..=b'9']) || matches!(digit, "¹" | "²" | "³"))
    };
    ["con", "prn", "aux", "nul", "conin$", "conout$"].iter().any(|name| stem.eq_ignore_ascii_case(name))
        || numbered("com")
        || numbered("lpt")
}
