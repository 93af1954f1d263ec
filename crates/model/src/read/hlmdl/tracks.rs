//! Frames: runs of numbers in the model file or in the files of its sequence groups.

use super::super::cursor::{File, Scalar};
use super::header::{Header, check};
use super::sequence_pose::Tracks;
use super::{Input, stem};
use crate::model::{Fixup, ModelError, ModelProblem, Name};

const SEQUENCE_MAGIC: &[u8; 4] = b"IDSQ";

/// Maximum number of runs without frames in a channel: more of them would make a file slow to read.
const MAX_EMPTY_RUNS: usize = 64;

/// Maximum number of side files with frames.
const MAX_FILES: usize = 31;

/// Sequence group as the table describes it.
pub(super) enum Source {
    /// Frames in the model file, offset by `data` bytes.
    Model { data: u32 },
    /// Frames in a file of this name; `bytes` is `None` if the file is missing or unusable.
    Beside { name: String, bytes: Option<Vec<u8>> },
}

impl Header {
    /// Reads the table of sequence groups and requests the files that it names.
    pub fn groups(&self, file: &mut File, input: &mut Input) -> Result<Vec<Source>, ModelError> {
        const SIZE: usize = 104;
        let table = self.groups.cursor(file, "seqgroups", SIZE)?;
        let mut groups = file.reserve("seqgroups", table.offset(), self.groups.count.into())?;
        for (number, mut record) in table.records(SIZE).enumerate() {
            let at = record.offset();
            record.take(32)?;
            let stored = Name::new(record.take(64)?);
            record.get::<i32>()?;
            let data = record.get()?;
            if stored.is_empty() {
                groups.push(Source::Model { data });
                continue;
            }
            let name = format!("{}{number:02}.mdl", stem(input.name));
            let bytes = (number <= MAX_FILES).then(|| find(&name, &stored, input)).flatten();
            if let Some(bytes) = &bytes {
                // Several groups may name one file, and each keeps its own copy.
                file.admit(bytes.len());
                file.charge("seqgroups", at, bytes.len() as u64)?;
            } else {
                let missing = file.name("seqgroups", at, name.as_bytes())?;
                file.warn("seqgroups", at, Fixup::SideFile(missing));
            }
            groups.push(Source::Beside { name, bytes });
        }
        Ok(groups)
    }
}

/// Finds the file of a group by its number, or by the last part of the name that the model stores for it.
fn find(name: &str, stored: &Name, input: &mut Input) -> Option<Vec<u8>> {
    let limits = input.limits;
    let usable = |bytes: &Vec<u8>| {
        let mut start = File::<false>::new(bytes, limits).table("header", 0, 1, 8).ok()?;
        check(&mut start, SEQUENCE_MAGIC).ok()
    };
    input.beside(name).filter(|bytes| usable(bytes).is_some()).or_else(|| {
        let stored = stored.to_string();
        let last = stored.rsplit(['/', '\\']).next().filter(|&last| name.rsplit('/').next() != Some(last))?;
        input.stored(last).filter(|bytes| usable(bytes).is_some())
    })
}

/// Place and size of the frames of a sequence.
pub(super) struct Frames {
    /// Number of frames.
    pub count: u32,
    /// Number of blends; each has all the frames.
    pub blends: u32,
    /// Sequence group that holds the frames; 0 is the model file.
    pub group: i32,
    /// Offset in the file of the group, bytes.
    pub at: u32,
}

/// Sequence groups, ready to read from.
pub(super) struct Groups<'a>(pub &'a [Source]);

impl Groups<'_> {
    /// Returns the frames of a sequence; `None` if it has none, or if their file is missing or broken.
    pub fn tracks(&self, model: &mut File, frames: &Frames, bones: usize) -> Result<Option<Tracks>, ModelError> {
        let at = frames.at;
        if frames.count == 0 {
            return Ok(None);
        }
        let last = self.0.len() as i64 - 1;
        match usize::try_from(frames.group).ok().and_then(|group| self.0.get(group)) {
            // A model without a table has its frames in its own file.
            None if frames.group == 0 => read(model, at, frames, bones).map(Some),
            None => {
                let found = frames.group.into();
                let problem = ModelProblem::OutOfRange { field: "seqgroup", found, min: 0, max: last };
                Err(ModelError::new("sequences", at as usize, problem))
            }
            Some(Source::Model { data }) => read(model, at.saturating_add(*data), frames, bones).map(Some),
            Some(Source::Beside { bytes: None, .. }) => Ok(None),
            Some(Source::Beside { name, bytes: Some(bytes) }) => {
                match model.beside(bytes, |file| read(file, at, frames, bones))? {
                    Ok(tracks) => Ok(Some(tracks)),
                    Err(_) => {
                        let name = model.name("animation", at as usize, name.as_bytes())?;
                        model.warn("animation", at as usize, Fixup::SideFile(name));
                        Ok(None)
                    }
                }
            }
        }
    }
}

/// Decodes the frames at `at`: for each blend and bone the offsets of six streams, 0 for a channel that does not move.
fn read(file: &mut File, at: u32, frames: &Frames, bones: usize) -> Result<Tracks, ModelError> {
    const SIZE: usize = 12;
    let count = frames.blends * bones as u32;
    let table = file.table("animation", at, count, SIZE)?;
    let moving = table.rest().chunks_exact(u16::SIZE).filter(|offset| **offset != [0, 0]).count();
    let mut starts = file.reserve("animation", table.offset(), count.into())?;
    let mut samples = file.reserve("animation", table.offset(), moving as u64 * u64::from(frames.count))?;
    let mut has_empty = false;
    for mut record in table.records(SIZE) {
        let at = record.offset();
        let mut channels = [0; 6];
        for (start, offset) in channels.iter_mut().zip(record.get::<[u16; 6]>()?) {
            if offset != 0 {
                *start = samples.len() as u32 + 1;
                has_empty |= stream(file, at + usize::from(offset), frames.count as usize, &mut samples)?;
            }
        }
        starts.push(channels);
    }
    if has_empty {
        file.warn("animation", at as usize, Fixup::Tolerated("a run of 0 frames"));
    }
    Ok(Tracks { starts, samples })
}

/// Appends the number of a channel in each of `frames` frames. A stream consists of runs: the count of numbers, the
/// count of frames they last (the last number is repeated), and the numbers.
///
/// Returns `true` if a run lasts 0 frames. As in Half-Life, it is stepped over. If it has numbers, the rest of the
/// channel is the first number of the next run.
fn stream(file: &File, at: usize, frames: usize, samples: &mut Vec<i16>) -> Result<bool, ModelError> {
    let rest = u32::try_from(file.len().saturating_sub(at)).unwrap_or(u32::MAX);
    let mut runs = file.table("animation", u32::try_from(at).unwrap_or(u32::MAX), rest, 1)?;
    let (mut left, mut empty, mut is_stuck) = (frames, 0, false);
    while left > 0 {
        let valid = runs.get::<u8>()?;
        let least = u8::from(empty == MAX_EMPTY_RUNS);
        let total = usize::from(runs.ranged::<u8>("run length", least.into()..=255)?);
        let numbers = runs.take(usize::from(valid) * i16::SIZE)?;
        if total == 0 {
            empty += 1;
            is_stuck |= valid > 0;
            continue;
        }
        let (total, last) = if is_stuck { (left, 0) } else { (total, usize::from(valid).saturating_sub(1)) };
        let number = |frame: usize| i16::parse::<false>(numbers.get(frame.min(last) * i16::SIZE..).unwrap_or_default());
        samples.extend((0..total.min(left)).map(number));
        left = left.saturating_sub(total);
    }
    Ok(empty > 0)
}
