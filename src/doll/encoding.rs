//! Encodings of texts and names: the only place where bytes become characters.

use std::borrow::Cow;

use crate::model::Name;

/// Mark at the beginning of a text, and a blank anywhere else.
const BOM: char = '\u{feff}';
const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

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

/// Returns the bytes of a text in the encoding of a `.doll` file, with its byte order mark; `None` if they would be
/// read as another text, such as one with characters that Latin-1 lacks.
///
/// [`decode`] gives the text again. An editor that replaces a file writes it so.
///
/// ```
/// use skelobj::doll::{decode, encode};
///
/// let file = b"body h\xe9ros spine\n"; // Latin-1
/// let text = decode(file).replace("spine", "head");
/// assert_eq!(encode(&text, file).as_deref(), Some(&b"body h\xe9ros head\n"[..]));
/// assert_eq!(encode("body \u{3b1} head\n", file), None);
/// assert_eq!(encode("body", b"\xff\xfe").as_deref(), Some(&b"\xff\xfeb\0o\0d\0y\0"[..])); // UTF-16
/// ```
#[must_use]
pub fn encode(text: &str, file: &[u8]) -> Option<Vec<u8>> {
    let utf16 = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
        Some(mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect::<Vec<u8>>())
    };
    let encoded = match file {
        [0xff, 0xfe, ..] => utf16([0xff, 0xfe], u16::to_le_bytes),
        [0xfe, 0xff, ..] => utf16([0xfe, 0xff], u16::to_be_bytes),
        _ => {
            let mark = if file.starts_with(UTF8_BOM) { UTF8_BOM } else { &[] };
            let is_latin1 = Source::of(file).encoding == Encoding::Latin1;
            let bytes = if is_latin1 { to_latin1(text) } else { Some(text.as_bytes().to_vec()) };
            bytes.map(|bytes| [mark, &bytes].concat())
        }
    };
    // Without a blank that is not ASCII, Latin-1 could be read as UTF-8, or as UTF-16.
    encoded.filter(|encoded| decode(encoded) == text)
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
                let bytes = bytes.strip_prefix(UTF8_BOM).unwrap_or(bytes);
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
