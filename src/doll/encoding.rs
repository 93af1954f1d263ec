//! Encodings of texts and names: the only place where bytes become characters.

use std::borrow::Cow;

use crate::model::Name;

/// Mark at the beginning of a text, and a blank anywhere else.
const BOM: char = '\u{feff}';

/// Returns the text of a `.doll` file, whatever its encoding. The places of all problems are those of this text.
///
/// A text is UTF-16 if it begins with a byte order mark of UTF-16, otherwise UTF-8 if its bytes are, otherwise Latin-1,
/// where each byte is a character. Byte order marks at the beginning are left out, and invalid units of UTF-16 become
/// U+FFFD. All functions that read dolls decode them in this way.
///
/// ```
/// use skelobj::doll::{self, Doll};
///
/// assert_eq!(doll::decode(b"\xef\xbb\xbfbody h\xc3\xa9ros spine\n"), "body h\u{e9}ros spine\n"); // UTF-8
/// assert_eq!(doll::decode(b"body h\xe9ros spine\n"), "body h\u{e9}ros spine\n"); // Latin-1
/// assert_eq!(doll::decode(b"\xff\xfeb\0o\0d\0y\0"), "body"); // UTF-16
/// let problem = &Doll::parse(b"\xef\xbb\xbfbdoy head head\n").problems[0];
/// assert_eq!((problem.column, problem.span.clone()), (1, 0..4));
/// ```
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    Source::of(bytes).text
}

/// Returns a text in the encoding of a file that [`decode`] reads, with its byte order mark; `None` if the encoding
/// lacks a character of the text, or if the file would then be read as another text.
///
/// ```
/// use skelobj::doll;
///
/// let file = b"body h\xe9ros spine\n"; // Latin-1
/// assert_eq!(doll::encode_like("// \u{e9}t\u{e9}\n", file).as_deref(), Some(&b"// \xe9t\xe9\n"[..]));
/// assert_eq!(doll::encode_like("// \u{142}\n", file), None);
/// assert_eq!(doll::encode_like("// \u{142}", b"\xff\xfeb\0").as_deref(), Some(&b"\xff\xfe/\0/\0 \0\x42\x01"[..]));
/// ```
#[must_use]
pub fn encode_like(text: &str, file: &[u8]) -> Option<Vec<u8>> {
    let with_mark = |mark: &[u8], bytes: Vec<u8>| [mark, &bytes].concat();
    let units = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    let encoded = match file {
        [0xff, 0xfe, ..] => with_mark(&file[..2], units(u16::to_le_bytes)),
        [0xfe, 0xff, ..] => with_mark(&file[..2], units(u16::to_be_bytes)),
        [0xef, 0xbb, 0xbf, ..] => with_mark(&file[..3], text.as_bytes().to_vec()),
        _ if std::str::from_utf8(file).is_ok() => text.as_bytes().to_vec(),
        _ => to_latin1(text)?,
    };
    (decode(&encoded) == text).then_some(encoded)
}

/// Decoded text.
pub(crate) struct Source<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) encoding: Encoding,
}

/// Encoding of the names in a text.
#[derive(Clone, Copy, PartialEq, Default)]
pub(super) enum Encoding {
    /// UTF-8, in which names of UTF-16 texts are kept, too.
    #[default]
    Utf8,
    Latin1,
}

impl Encoding {
    /// Returns the name that a word of the decoded text is: in Latin-1, the bytes of the file.
    pub(super) fn name(self, word: &[u8]) -> Name {
        match self {
            Self::Utf8 => Name::new(word),
            Self::Latin1 => Name::new(&to_latin1(&String::from_utf8_lossy(word)).unwrap_or_else(|| word.to_vec())),
        }
    }
}

impl<'a> Source<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        let text = match bytes {
            [0xff, 0xfe, units @ ..] => utf16(units, u16::from_le_bytes).into(),
            [0xfe, 0xff, units @ ..] => utf16(units, u16::from_be_bytes).into(),
            _ => {
                let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
                match std::str::from_utf8(bytes) {
                    Ok(text) => text.trim_start_matches(BOM).into(),
                    Err(_) => return Self { text: latin1(bytes).into(), encoding: Encoding::Latin1 },
                }
            }
        };
        Self { text, encoding: Encoding::Utf8 }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let pairs = bytes.chunks_exact(2);
    // Half a unit at the end means as little as half a pair of surrogates.
    let rest = pairs.remainder().first().map(|_| char::REPLACEMENT_CHARACTER);
    let units = pairs.map(|pair| unit([pair[0], pair[1]]));
    let characters = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    characters.chain(rest).skip_while(|c| *c == BOM).collect()
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Returns the Latin-1 bytes of a text; `None` if it has other characters.
pub(super) fn to_latin1(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect()
}

/// Returns a name as text: UTF-8, or else Latin-1.
pub(super) fn text_of(name: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(name) {
        Ok(text) => text.into(),
        Err(_) => latin1(name).into(),
    }
}

/// Returns the name with the same characters in the other of the two encodings of names; `None` if there is no other.
pub(super) fn in_other_encoding(name: &Name) -> Option<Name> {
    match name.as_str() {
        Some(text) if text.is_ascii() => None,
        Some(text) => to_latin1(text).map(|bytes| Name::new(&bytes)),
        None => Some(latin1(name.as_bytes()).as_str().into()),
    }
}
