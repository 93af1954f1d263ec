//! File sources and the check of file names.

/// Source of a game's files: models, their side files, dolls.
///
/// The host passes its source to [`Runtime::set_files`](crate::Runtime::set_files). Every function from a name to bytes
/// implements the trait.
///
/// ```
/// use skelobj::{FileSource, assets};
///
/// let files = |name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec());
/// assert!(files.read("mannequin.doll").is_some());
/// assert!(files.read("ogre.doll").is_none());
/// ```
pub trait FileSource: Send + Sync {
    /// Returns the contents of a file, or `None` if no file has this name.
    ///
    /// Names are relative to the game's folders and use forward slashes (`progs/ogre.iqm`). They may come from files
    /// and scripts, so a source that reads from disk must refuse names that lead out of those folders:
    /// [`is_plain_path`] checks a name.
    ///
    /// ```
    /// use skelobj::{FileSource, assets, is_plain_path};
    ///
    /// struct Pak;
    /// impl FileSource for Pak {
    ///     fn read(&self, name: &str) -> Option<Vec<u8>> {
    ///         let file = is_plain_path(name).then(|| name.to_ascii_lowercase())?;
    ///         (file == "progs/mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec())
    ///     }
    /// }
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// runtime.set_files(Pak);
    /// runtime.load_model("progs/Mannequin.iqm")?;
    /// assert!(runtime.load_model("../mannequin.iqm").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn read(&self, name: &str) -> Option<Vec<u8>>;
}

impl<F: Fn(&str) -> Option<Vec<u8>> + Send + Sync> FileSource for F {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        self(name)
    }
}

/// Returns `true` if a name is a relative path that cannot leave the folder it is looked up in.
///
/// A plain path consists of parts separated by `/`. No part is empty, `.` or `..`, ends in a dot or a space, or is a
/// Windows device (`nul`, `com1.iqm`). The path has no root, drive or scheme, no `\`, no `:` and no control character.
/// Readers apply the check to names of side files that are stored in a file before they ask the host for them. A host
/// that reads from disk should apply it to every name from a file or a script.
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

/// Returns `true` if Windows opens a device under this name, in any folder and with any extension.
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

/// File source without files, the default of a [`Runtime`](crate::Runtime).
///
/// ```
/// use skelobj::{FileSource, NoFiles, Runtime};
///
/// assert!(NoFiles.read("mannequin.iqm").is_none());
/// let mut runtime = Runtime::default();
/// runtime.set_files(NoFiles); // from here on only models that the host adds itself
/// assert!(runtime.load_model("mannequin.iqm").is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoFiles;

impl FileSource for NoFiles {
    fn read(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}
