//! The JSON of a document: where it is in the file, and where its parts are in it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::super::cursor::File;
use super::super::json::Json;
use super::schema::{self, Root};
use crate::model::{Fixup, ModelError, ModelProblem, Name};

/// First bytes of the binary form.
const MAGIC: &[u8; 4] = b"glTF";
/// Chunk types of the binary form.
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Extensions that change nothing of what is read here, beside all that concern materials and textures.
const HARMLESS: [&str; 4] = ["KHR_mesh_quantization", "KHR_lights_punctual", "KHR_xmp_json_ld", "KHR_node_visibility"];

/// The JSON text of a document.
pub(super) struct Document<'a> {
    text: Cow<'a, [u8]>,
    /// Where in the file it begins.
    at: usize,
    /// Where in the text the elements of its lists begin.
    lists: OnceCell<BTreeMap<String, Vec<usize>>>,
}

/// The document of a file, and the buffer that the binary form has beside it.
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

    /// Takes out commas after the last element, which some exporters leave: nothing else moves. Tells whether there were
    /// any.
    pub fn repair(&mut self, file: &mut File) -> bool {
        let Some((repaired, first)) = without_last_commas(&self.text) else { return false };
        file.warn("JSON", self.at + first, Fixup::Tolerated("a comma after the last element"));
        (self.text, self.lists) = (repaired.into(), OnceCell::new());
        true
    }

    /// The document as types.
    pub fn parse(&self, file: &mut File) -> Result<Root<'_>, ModelError> {
        file.charge("JSON", self.at, self.memory())?;
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

    /// Something wrong with an element of one of the document's lists.
    pub fn error(&self, list: &'static str, index: usize, problem: ModelProblem) -> ModelError {
        ModelError::new(list, self.offset(list, index), problem)
    }

    /// Where in the file an element of one of the document's lists stands.
    pub fn offset(&self, list: &str, index: usize) -> usize {
        let lists = self.lists.get_or_init(|| lists(&self.text));
        self.at + lists.get(list).and_then(|list| list.get(index)).copied().unwrap_or(0)
    }

    /// Bytes that the document takes as types, at most: short elements become large ones, and lists grow by doubling. Each
    /// begins with a brace; no element is larger than a node or mesh.
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
        // The place is said already.
        let reason = reason.rfind(" at line ").and_then(|end| reason.get(..end)).unwrap_or(&reason);
        ModelError::new("JSON", offset, ModelProblem::Json { reason: Name::from(reason) })
    }
}

/// Where in a text the elements of its lists begin; none if it is no JSON.
fn lists(text: &[u8]) -> BTreeMap<String, Vec<usize>> {
    let start = text.as_ptr().addr();
    let elements = |list: &RawValue| {
        let elements: Vec<&RawValue> = serde_json::from_str(list.get()).unwrap_or_default();
        elements.iter().map(|element| element.get().as_ptr().addr().saturating_sub(start)).collect()
    };
    let lists: BTreeMap<String, &RawValue> = serde_json::from_slice(text).unwrap_or_default();
    lists.into_iter().map(|(name, list)| (name, elements(list))).collect()
}

/// The text with a space in the place of each comma that a bracket follows, and where the first of them is.
fn without_last_commas(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut out = text.to_vec();
    let (mut comma, mut first, mut in_string, mut escaped) = (None, None, false, false);
    for (at, &byte) in text.iter().enumerate() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        if let (b']' | b'}', Some(comma)) = (byte, comma) {
            first = first.or(Some(comma));
            out[comma] = b' ';
        }
        if !byte.is_ascii_whitespace() {
            comma = (byte == b',').then_some(at);
            in_string = byte == b'"';
        }
    }
    first.map(|first| (out, first))
}

/// The problem of geometry that an extension holds.
pub(super) fn unsupported(extension: &str) -> ModelProblem {
    ModelProblem::UnsupportedExtension { name: Name::from(extension) }
}

/// Application data longer than this is not looked into.
const EXTRAS: usize = 4096;

/// Application data of an object.
pub(super) fn extras(extras: schema::Extras) -> Option<Json> {
    let text = extras?.get();
    (text.len() <= EXTRAS).then(|| Json::parse(text.as_bytes()))?
}

/// The model's effect flags, where FTE looks for them.
pub(super) fn flags(root: &Root) -> u32 {
    let flags = extras(root.asset.extras).and_then(|extras| extras.get("fte")?.number("modelflags"));
    flags.map_or(0, |flags| flags as u32)
}
