//! Sources of files.

/// A source of a game's files: models, the files beside them, dolls.
///
/// A host gives one to its [`Runtime`](crate::Runtime::set_files). Any function from a name to bytes is a source.
///
/// ```
/// use skelobj::{FileSource, assets};
///
/// let files = |name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec());
/// assert!(files.read("mannequin.doll").is_some());
/// assert!(files.read("ogre.doll").is_none());
/// ```
pub trait FileSource: Send + Sync {
    /// Returns the bytes of a file, or `None` if there is no file of this name.
    ///
    /// Names are the game's (`progs/ogre.iqm`): relative to its folders, with forward slashes. They may come from files and
    /// scripts, so a source that reads from disk must refuse names that lead out of those folders.
    fn read(&self, name: &str) -> Option<Vec<u8>>;
}

impl<F: Fn(&str) -> Option<Vec<u8>> + Send + Sync> FileSource for F {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        self(name)
    }
}

/// Returns whether a name leads to a file inside the folder that it is looked up in: parts of plain names with `/` between
/// them.
///
/// No part is empty, `.` or `..`; there is no root, drive or scheme, no `\\`, no `:` and no control character. Names that
/// files hold of files beside them pass this check before a host is asked for them; a host that reads from disk should
/// hold every name from files and scripts to it.
///
/// ```
/// assert!(skelobj::is_plain_path("progs/ogre.iqm"));
/// for outside in ["/etc/passwd", ".//etc/passwd", "../ogre.iqm", "C:ogre.iqm", "a\\b", "a//b", ""] {
///     assert!(!skelobj::is_plain_path(outside), "{outside}");
/// }
/// ```
#[must_use]
pub fn is_plain_path(name: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    !name.contains(|c: char| matches!(c, '\\' | ':') || c.is_control()) && name.split('/').all(is_plain)
}

/// A source without files, the default of a [`Runtime`](crate::Runtime).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoFiles;

impl FileSource for NoFiles {
    fn read(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}
