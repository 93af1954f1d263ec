//! Bytes of a recording: a mark, a version, a JSON header, the files, the steps, and a checksum of all of it.

use serde_json::{Value, json};

use super::Source;
use super::steps::{self, Step};
use crate::files::Contents;

const MARK: &[u8; 8] = b"SKELRUN\0";
/// Version of this layout.
const VERSION: u32 = 4;
const CHECKSUM: usize = 4;

/// Contents of a recording.
pub struct Recording {
    /// Version of the command that recorded it.
    pub made_by: String,
    pub source: Source,
    /// Calls: how the test was set up.
    pub calls: Value,
    /// Names of the bodies.
    pub bodies: Vec<String>,
    pub steps: Vec<Step>,
}

impl Recording {
    /// Encodes the recording.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Source { model, doll, level, beside } = &self.source;
        let files = [("model", model), ("doll", doll)].into_iter().chain(level.iter().map(|level| ("level", level)));
        let files: Vec<(&str, &Contents)> = files.chain(beside.iter().map(|file| ("beside", file))).collect();
        let listed =
            files.iter().map(|(role, file)| json!({ "role": role, "name": file.name, "bytes": file.bytes.len() }));
        let header = json!({
            "skelobj": self.made_by,
            "calls": self.calls,
            "bodies": self.bodies,
            "steps": self.steps.len(),
            "files": listed.collect::<Value>(),
        });
        let header = header.to_string().into_bytes();
        let mut out = MARK.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend((header.len() as u32).to_le_bytes());
        out.extend(header);
        files.iter().for_each(|(_, file)| out.extend(&file.bytes));
        self.steps.iter().for_each(|step| step.write(&mut out));
        out.extend(crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// Decodes a recording. It takes no more memory than a few times the bytes.
    ///
    /// # Errors
    /// A message that says why the bytes are not a recording of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(MARK).ok_or("it is not a recording: it does not begin with SKELRUN")?;
        let (version, rest) = word(rest)?;
        if version != VERSION {
            return Err(format!("it is a recording of version {version}, expected {VERSION}"));
        }
        let sound = bytes.len().checked_sub(CHECKSUM).and_then(|at| bytes.split_at_checked(at));
        if sound.is_none_or(|(content, sum)| crc32fast::hash(content).to_le_bytes() != *sum) {
            return Err("the recording is damaged: its checksum is wrong".to_owned());
        }
        let damaged = |part: &str| format!("the recording is damaged: its {part} are wrong");
        let content = &rest[..rest.len() - CHECKSUM];
        let (length, content) = word(content)?;
        let (header, mut content) = content.split_at_checked(length as usize).ok_or_else(|| damaged("lengths"))?;
        let header: Value = serde_json::from_slice(header).map_err(|error| format!("its header is wrong: {error}"))?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let list = |name: &str| header[name].as_array().ok_or_else(|| damaged(name));
        let (mut model, mut doll, mut level, mut beside) = (None, None, None, Vec::new());
        for listed in list("files")? {
            let length = listed["bytes"].as_u64().and_then(|length| usize::try_from(length).ok());
            let (bytes, left) = length.and_then(|at| content.split_at_checked(at)).ok_or_else(|| damaged("files"))?;
            content = left;
            let name = text(&listed["name"]).ok_or_else(|| damaged("files"))?;
            let file = Contents { name, bytes: bytes.to_vec() };
            match listed["role"].as_str() {
                Some("model") => model = Some(file),
                Some("doll") => doll = Some(file),
                Some("level") => level = Some(file),
                Some("beside") => beside.push(file),
                _ => return Err(damaged("files")),
            }
        }
        let bodies = list("bodies")?.iter().map(text).collect::<Option<Vec<_>>>().ok_or_else(|| damaged("bodies"))?;
        let steps = steps::read(content, bodies.len()).ok_or_else(|| damaged("steps"))?;
        if header["steps"].as_u64() != Some(steps.len() as u64) {
            return Err(damaged("steps"));
        }
        let source = Source {
            model: model.ok_or_else(|| damaged("files"))?,
            doll: doll.ok_or_else(|| damaged("files"))?,
            level,
            beside,
        };
        let made_by = text(&header["skelobj"]).unwrap_or_default();
        Ok(Self { made_by, source, calls: header["calls"].clone(), bodies, steps })
    }
}

fn word(bytes: &[u8]) -> Result<(u32, &[u8]), String> {
    let split = bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest));
    split.filter(|(_, rest)| rest.len() >= CHECKSUM).ok_or_else(|| "the recording ends too early".to_owned())
}
