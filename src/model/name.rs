//! Names as the files hold them: bytes.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A name from a file: any bytes, in no particular encoding, possibly empty or repeated. Clones share the bytes.
///
/// ```
/// use skelobj::model::Name;
/// let name = Name::from("spine");
/// assert!(name == *"spine");
/// assert_eq!(Name::new(b"h\xe9ros").to_string(), "h\u{fffd}ros");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<u8>", into = "Vec<u8>"))]
pub struct Name(Arc<[u8]>);

impl Name {
    /// Creates a name from the bytes up to the first NUL.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        Self(bytes[..end].into())
    }

    /// Returns the bytes, without a terminator.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns whether the name is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Names in maps are found by their bytes.
impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        &self.0
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
        name.0.to_vec()
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
        f.pad(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}
