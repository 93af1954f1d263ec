//! Buffers: the binary chunk, data URIs, side files.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use super::super::Input;
use super::super::cursor::File;
use super::document::{Document, unsupported};
use super::schema::Root;
use crate::model::{ModelError, ModelProblem, Name};

/// Maximum number of buffers in side files.
const FILES: usize = 64;

/// Loads all buffers of a document; each has at least the stated number of bytes, but for placeholders that nothing
/// uses.
pub(super) fn load<'a>(
    document: &Document,
    root: &Root,
    file: &mut File,
    binary: Option<&'a [u8]>,
    input: &mut Input,
) -> Result<Vec<Cow<'a, [u8]>>, ModelError> {
    let mut buffers = Vec::with_capacity(root.buffers.len());
    let mut files = 0;
    let is_used = used(root);
    for (index, buffer) in root.buffers.iter().enumerate() {
        // Exporters leave placeholders for the buffers of extensions.
        if !is_used[index] && buffer.uri.is_none() && buffer.extensions.is_empty() {
            buffers.push(Cow::Borrowed(&[][..]));
            continue;
        }
        let error = |problem| document.error("buffers", index, problem);
        let bytes: Cow<[u8]> = match &buffer.uri {
            None => match binary.filter(|_| index == 0) {
                Some(binary) => binary.into(),
                // A compressed buffer has no bytes.
                None if !buffer.extensions.is_empty() => {
                    let name = buffer.extensions.keys().next().map_or("", |name| name);
                    return Err(error(unsupported(name)));
                }
                None => return Err(error(ModelProblem::Missing { what: "binary chunk" })),
            },
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    file.charge("buffers", 0, data.len() as u64).map_err(|e| error(e.problem))?;
                    let missing = ModelProblem::Missing { what: "base64 data" };
                    decode(data).ok_or_else(|| error(missing))?.into()
                }
                None => {
                    files += 1;
                    if files > FILES {
                        let (found, max) = (files as i64, FILES as i64);
                        let problem =
                            ModelProblem::OutOfRange { field: "number of buffers in files", found, min: 0, max };
                        return Err(error(problem));
                    }
                    let missing = ModelProblem::SideFile { name: Name::from(&**uri) };
                    let name = percent_decode_str(uri).decode_utf8().ok();
                    let bytes = name.and_then(|name| input.stored(&name)).ok_or_else(|| error(missing))?;
                    file.admit(bytes.len());
                    bytes.into()
                }
            },
        };
        if buffer.byte_length > bytes.len() as u64 {
            return Err(error(ModelProblem::PastEnd { needed: buffer.byte_length, available: bytes.len() }));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// Returns for every buffer whether a part of the document takes bytes from it.
fn used(root: &Root) -> Vec<bool> {
    let mut is_used = vec![false; root.buffers.len()];
    for view in &root.buffer_views {
        if let Some(used) = is_used.get_mut(view.buffer) {
            *used = true;
        }
    }
    is_used
}

/// Decodes a data URI without its leading `data:`.
pub(super) fn decode(data: &str) -> Option<Vec<u8>> {
    let (kind, data) = data.split_once(',')?;
    if !kind.ends_with(";base64") {
        return Some(percent_decode_str(data).collect());
    }
    let tolerant = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, tolerant).decode(data).ok()
}
