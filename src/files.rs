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
/// No part is empty, `.` or `..`, ends in a dot or space, or is a device of Windows (`nul`, `com1.iqm`); there is no root,
/// drive or scheme, no `\`, no `:` and no control character. Names that files hold of files beside them pass this check
/// before a host is asked for them; a host that reads from disk should hold every name from files and scripts to it.
///
/// ```
/// assert!(skelobj::is_plain_path("progs/ogre.iqm"));
/// for outside in ["/etc/passwd", ".//etc/passwd", "../ogre.iqm", "C:ogre.iqm", "a\\b", "a//b", "nul.iqm", ""] {
///     assert!(!skelobj::is_plain_path(outside), "{outside}");
/// }
/// ```
#[must_use]
pub fn is_plain_path(name: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && !part.ends_with(['.', ' ']) && !is_device(part);
    !name.contains(|c: char| matches!(c, '\\' | ':') || c.is_control()) && name.split('/').all(is_plain)
}

/// Returns whether Windows opens a device under this name, in any folder and with any extension.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let numbered = |name: &str| {
        let digit = stem.get(..3).filter(|start| start.eq_ignore_ascii_case(name)).and_then(|_| stem.get(3..));
        digit.is_some_and(|digit| matches!(digit.as_bytes(), [b'1'..=b'9']))
    };
    ["con", "prn", "aux", "nul"].iter().any(|name| stem.eq_ignore_ascii_case(name))
        || numbered("com")
        || numbered("lpt")
}

/// A source without files, the default of a [`Runtime`](crate::Runtime).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoFiles;

impl FileSource for NoFiles {
    fn read(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}
