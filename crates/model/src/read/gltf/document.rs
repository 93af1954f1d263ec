//! JSON of a document, its position in the file, and the position of its elements.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::super::TO_GLTF_2;
use super::super::cursor::File;
use super::super::json::Json;
use super::schema::{self, Head, Root};
use crate::model::{Fixup, ModelError, ModelProblem, Name};

/// First bytes of the binary form.
const MAGIC: &[u8; 4] = b"glTF";
/// Chunk types of the binary form.
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Extensions that do not affect reading, other than those of materials and textures.
const HARMLESS: [&str; 4] = ["KHR_mesh_quantization", "KHR_lights_punctual", "KHR_xmp_json_ld", "KHR_node_visibility"];

/// JSON text of a document.
pub(super) struct Document<'a> {
    text: Cow<'a, [u8]>,
    /// Position of the text in the file, bytes.
    at: usize,
    /// Positions of the elements of each list in the text, bytes.
    lists: OnceCell<BTreeMap<String, Vec<usize>>>,
}

/// Finds the JSON of a file, and the buffer in the second chunk of the binary form.
pub(super) fn open<'a>(bytes: &'a [u8], file: &File<'a>) -> Result<(Document<'a>, Option<&'a [u8]>), ModelError> {
    if !bytes.starts_with(MAGIC) {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        return Ok((Document::new(text, bytes.len() - text.len()), None));
    }
    let mut header = file.table("header", 0, 12, 1)?;
    header.take(MAGIC.len())?;
    let at = header;
    let (version, stated) = (header.get::<u32>()?, header.get::<u32>()?);
    if version != 2 {
        return Err(at.error(ModelProblem::UnsupportedVersion { found: version, expected: "2" }));
    }
    if stated as usize > bytes.len() {
        return Err(at.error(ModelProblem::WrongFileSize { stated, actual: bytes.len() }));
    }
    let mut rest = file.table("chunks", 12, stated.saturating_sub(12), 1)?;
    let mut chunk = |expected: u32| {
        let length = rest.get::<u32>()?;
        let at = rest;
        let kind = rest.get::<u32>()?;
        if kind != expected {
            let problem = ModelProblem::Mismatch { field: "chunk type", found: kind.into(), expected: expected.into() };
            return Err(at.error(problem));
        }
        let at = rest.offset();
        Ok::<_, ModelError>((at, rest.take(length as usize)?, rest.rest().is_empty()))
    };
    let (at, text, last) = chunk(JSON)?;
    let binary = if last { None } else { Some(chunk(BIN)?.1) };
    Ok((Document::new(text, at), binary))
}

impl<'a> Document<'a> {
    fn new(text: &'a [u8], at: usize) -> Self {
        Self { text: text.into(), at, lists: OnceCell::new() }
    }

    /// Replaces what some exporters write but JSON or glTF does not allow. Returns `false` if the text has none of it.
    pub fn repair(&mut self, repair: &Repair, error: &ModelError, file: &mut File) -> bool {
        let Some((text, first)) = (repair.mend)(&self.text) else { return false };
        // Fractions are right in other places, and the first that is not stopped the parser.
        let at = if repair.is_everywhere_wrong { self.at + first } else { error.offset };
        file.warn("JSON", at, Fixup::Tolerated(repair.what));
        (self.text, self.lists) = (text.into(), OnceCell::new());
        true
    }

    /// Parses the document.
    pub fn parse(&self, file: &mut File) -> Result<Root<'_>, ModelError> {
        file.charge("JSON", self.at, self.memory())?;
        // Version 1 has objects where version 2 has lists, so that the rest of the document could not be parsed.
        if let Ok(Head { asset }) = serde_json::from_slice(&self.text)
            && asset.version.get().trim_matches('"').split('.').next() == Some("1")
        {
            let problem = ModelProblem::ForeignFormat { name: "glTF 1.0", advice: TO_GLTF_2 };
            return Err(ModelError::new("asset", self.at, problem));
        }
        let root: Root = serde_json::from_slice(&self.text).map_err(|error| self.json_error(&error))?;
        let major = root.asset.version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
        if major != 2 {
            let problem = ModelProblem::UnsupportedVersion { found: major, expected: "2" };
            return Err(ModelError::new("asset", self.at, problem));
        }
        let harmless =
            |name: &str| HARMLESS.contains(&name) || name.contains("_materials_") || name.contains("_texture_");
        match root.extensions_required.iter().find(|name| !harmless(name)) {
            Some(name) => Err(self.error("extensionsRequired", 0, unsupported(name))),
            None => Ok(root),
        }
    }

    /// Returns the error of `problem` in an element of a list of the document.
    pub fn error(&self, list: &'static str, index: usize, problem: ModelProblem) -> ModelError {
        ModelError::new(list, self.offset(list, index), problem)
    }

    /// Returns the position of an element of a list in the file, bytes.
    pub fn offset(&self, list: &str, index: usize) -> usize {
        let lists = self.lists.get_or_init(|| lists(&self.text));
        self.at + lists.get(list).and_then(|list| list.get(index)).copied().unwrap_or(0)
    }

    /// Returns an upper bound of the memory of the parsed document, bytes. Short elements become large types, and lists
    /// grow by doubling. Each element begins with a brace; no element is larger than a node or mesh.
    fn memory(&self) -> u64 {
        const LARGEST: [usize; 4] = [
            size_of::<schema::Node>(),
            size_of::<schema::Primitive>(),
            size_of::<schema::Accessor>(),
            size_of::<schema::Material>(),
        ];
        let braces = self.text.iter().filter(|&&byte| byte == b'{').count() as u64;
        2 * braces * LARGEST.into_iter().fold(0, usize::max) as u64
    }

    fn json_error(&self, error: &serde_json::Error) -> ModelError {
        let before = self.text.split_inclusive(|&byte| byte == b'\n').take(error.line().saturating_sub(1));
        let line: usize = before.map(<[u8]>::len).sum();
        let offset = self.at + line + error.column().saturating_sub(1);
        let reason = error.to_string();
        // The offset of the error already states the position.
        let reason = reason.rfind(" at line ").and_then(|end| reason.get(..end)).unwrap_or(&reason);
        ModelError::new("JSON", offset, ModelProblem::Json { reason: Name::from(reason) })
    }
}

/// Returns the positions of the elements of each list in a text; none if the text is not JSON.
fn lists(text: &[u8]) -> BTreeMap<String, Vec<usize>> {
    let start = text.as_ptr().addr();
    let elements = |list: &RawValue| {
        let elements: Vec<&RawValue> = serde_json::from_str(list.get()).unwrap_or_default();
        elements.iter().map(|element| element.get().as_ptr().addr().saturating_sub(start)).collect()
    };
    let lists: BTreeMap<String, &RawValue> = serde_json::from_slice(text).unwrap_or_default();
    lists.into_iter().map(|(name, list)| (name, elements(list))).collect()
}

/// Returns a text of the same length without a defect, and the position of the first place that changed; `None` if
/// nothing has to change.
type Mend = fn(&[u8]) -> Option<(Vec<u8>, usize)>;

/// Repair of a defect that some exporters write.
pub(super) struct Repair {
    what: &'static str,
    /// `false` if the glTF may also have what is mended where it is right.
    is_everywhere_wrong: bool,
    mend: Mend,
}

/// Repairs in their order; one is tried if the text cannot be parsed with those before.
pub(super) const REPAIRS: [Repair; 2] = [
    Repair { what: "a trailing comma", is_everywhere_wrong: true, mend: without_last_commas },
    Repair {
        what: "whole numbers with a fraction, such as 3.0",
        is_everywhere_wrong: false,
        mend: without_zero_fractions,
    },
];

/// Replaces trailing commas with spaces.
fn without_last_commas(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut out = text.to_vec();
    let (mut comma, mut first) = (None, None);
    for (at, byte) in outside_strings(text) {
        if let (b']' | b'}', Some(comma)) = (byte, comma) {
            first = first.or(Some(comma));
            out[comma] = b' ';
        }
        if !byte.is_ascii_whitespace() {
            comma = (byte == b',').then_some(at);
        }
    }
    first.map(|first| (out, first))
}

/// Replaces the fractions of whole numbers, `.0`, with spaces.
fn without_zero_fractions(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut out = text.to_vec();
    let mut first = None;
    for (at, _) in outside_strings(text).filter(|(_, byte)| *byte == b'.') {
        let zeros = text[at + 1..].iter().take_while(|&&byte| byte == b'0').count();
        let is_end = |byte: &u8| !byte.is_ascii_digit() && !matches!(byte, b'e' | b'E');
        if zeros > 0 && text.get(at + 1 + zeros).is_none_or(is_end) {
            out[at..=at + zeros].fill(b' ');
            first = first.or(Some(at));
        }
    }
    first.map(|first| (out, first))
}

/// Returns the bytes of a JSON text that are not within strings, with their positions. The opening quotes are included.
fn outside_strings(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let (mut in_string, mut escaped) = (false, false);
    text.iter().copied().enumerate().filter(move |(_, byte)| {
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            return false;
        }
        in_string = *byte == b'"';
        true
    })
}

/// Returns the problem of geometry in an unsupported extension.
pub(super) fn unsupported(extension: &str) -> ModelProblem {
    ModelProblem::UnsupportedExtension { name: Name::from(extension) }
}

/// Maximum size of application data that is parsed, bytes.
const EXTRAS: usize = 4096;

/// Parses the application data of an object.
pub(super) fn extras(extras: schema::Extras) -> Option<Json> {
    let text = extras?.get();
    (text.len() <= EXTRAS).then(|| Json::parse(text.as_bytes()))?
}

/// Returns the effect flags of the model from the field in which FTE expects them.
pub(super) fn flags(root: &Root) -> u32 {
    let flags = extras(root.asset.extras).and_then(|extras| extras.get("fte")?.number("modelflags"));
    flags.map_or(0, |flags| flags as u32)
}
