//! Names in files: byte strings.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::shown::Shown;

/// Name in a file: bytes in no particular encoding, possibly empty or repeated. Clones share the bytes.
///
/// ```
/// use skelobj::model::Name;
///
/// let mannequin = skelobj::assets::mannequin();
/// let name = &mannequin.skeleton.names()[12];
/// assert!(*name == *"head");
/// assert_eq!(format!("{name} {name:?}"), r#"head "head""#);
/// assert_eq!(Name::new(b"h\xe9ros").to_string(), "h\u{fffd}ros"); // not UTF-8
/// assert_eq!(Name::new(b"head\nerror: none").to_string(), "head\u{fffd}error: none"); // on one line
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<u8>", into = "Vec<u8>"))]
pub struct Name(Option<Arc<[u8]>>);

impl Name {
    /// Returns a name of the bytes up to the first NUL.
    ///
    /// ```
    /// use skelobj::model::Name;
    /// let field = *b"tag_head\0\0\0\0\0\0\0\0"; // of fixed size, as in an MD3
    /// assert!(Name::new(&field) == *"tag_head");
    /// ```
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        Self((end > 0).then(|| bytes[..end].into()))
    }

    /// Returns the bytes of memory that a name of these bytes allocates, including the reference counts.
    pub(crate) fn memory_of(bytes: &[u8]) -> u64 {
        if bytes.is_empty() { 0 } else { (2 * size_of::<usize>() + bytes.len()) as u64 }
    }

    /// Returns the bytes, without a terminator.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let left = mannequin.skeleton.names().iter().filter(|name| name.as_bytes().ends_with(b"_l"));
    /// assert_eq!(left.count(), 8);
    /// ```
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns the name as text; `None` if its bytes are not UTF-8. The [`Display`](fmt::Display) form replaces them.
    ///
    /// ```
    /// use skelobj::model::Name;
    /// assert_eq!(Name::from("head").as_str(), Some("head"));
    /// assert_eq!(Name::new(b"h\xe9ros").as_str(), None); // Latin-1
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(self.as_bytes()).ok()
    }

    /// Returns `true` if the name has no bytes.
    ///
    /// ```
    /// use skelobj::model::Name;
    /// assert!(Name::new(b"\0rest").is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns `true` if a word of the name begins with these letters, regardless of case.
    ///
    /// A word begins with a letter after anything but a letter, or with a capital after a small letter. What separates
    /// words within the match does not count.
    ///
    /// ```
    /// use skelobj::model::Name;
    /// assert!(Name::from("soldier_die2").has_word("die") && !Name::from("soldier_idle").has_word("die"));
    /// assert!(["getup1", "GET_UP", "ogreGetUp"].iter().all(|name| Name::from(*name).has_word("getup")));
    /// ```
    #[must_use]
    pub fn has_word(&self, start: &str) -> bool {
        let (name, start) = (self.as_bytes(), start.as_bytes());
        let begins = |at: usize| match at.checked_sub(1).map(|before| name[before]) {
            Some(before) if before.is_ascii_alphabetic() => {
                before.is_ascii_lowercase() && name[at].is_ascii_uppercase()
            }
            _ => name[at].is_ascii_alphabetic(),
        };
        (0..name.len()).filter(|at| begins(*at)).any(|at| {
            let mut letters = name[at..].iter().filter(|byte| byte.is_ascii_alphabetic());
            start.iter().all(|wanted| letters.next().is_some_and(|letter| letter.eq_ignore_ascii_case(wanted)))
        })
    }
}

/// Hashes a name like its bytes, so that maps find names by bytes.
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

/// Lets maps find names by bytes.
impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl AsRef<[u8]> for Name {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes())
    }
}

#[cfg(feature = "serde")]
impl From<Vec<u8>> for Name {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(&bytes)
    }
}

#[cfg(feature = "serde")]
impl From<Name> for Vec<u8> {
    fn from(name: Name) -> Self {
        name.as_bytes().to_vec()
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

/// Writes the name as text on one line: a tab becomes a blank. Line breaks, other control characters, invisible and
/// direction-changing characters, and bytes that are not UTF-8 become U+FFFD.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown::of(self).fmt(f)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}
