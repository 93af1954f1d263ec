//! Names as the files hold them: bytes.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A name from a file: any bytes, in no particular encoding, possibly empty or repeated. Clones share the bytes.
///
/// ```
/// use skelobj::model::Name;
/// let name = Name::from("spine");
/// assert!(name == *"spine");
/// assert_eq!(Name::new(b"h\xe9ros").to_string(), "h\u{fffd}ros");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<u8>", into = "Vec<u8>"))]
pub struct Name(Option<Arc<[u8]>>);

impl Name {
    /// Creates a name from the bytes up to the first NUL.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        Self((end > 0).then(|| bytes[..end].into()))
    }

    /// Returns how much memory a name of these bytes takes besides itself, with the counts of its clones.
    pub(crate) fn memory_of(bytes: &[u8]) -> u64 {
        if bytes.is_empty() { 0 } else { (2 * size_of::<usize>() + bytes.len()) as u64 }
    }

    /// Returns the bytes, without a terminator.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns whether the name is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

/// Names hash as their bytes, by which maps find them.
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

/// Names in maps are found by their bytes.
impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
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

/// What is not UTF-8 shows as U+FFFD.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.as_bytes()))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}
