//! Common parts of the fuzz targets: reading under observation, and everything that can be done with a model.
#![forbid(unsafe_code)]

mod exercise;
mod sound;

use std::time::{Duration, Instant};

use libfuzzer_sys::Corpus;
use peak_alloc::PeakAlloc;
use skelobj::Model;

pub use exercise::{exercise, pose_everything};
pub use sound::assert_sound;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Maximum memory of reading a small input at any time, bytes; a larger one gets [`GROWTH`] bytes for each of its
/// bytes.
const MOST: usize = 64 << 20;
const GROWTH: usize = 64;

/// Maximum duration of work on an input below 1 MiB, instrumented and on a busy machine; a larger one gets this
/// duration again for each MiB.
const LONGEST: Duration = Duration::from_secs(2);

/// Returns the maximum duration of work on an input of `size` bytes.
pub fn longest(size: usize) -> Duration {
    LONGEST * (1 + (size >> 20) as u32)
}

/// Returns the result of `read`; panics if it took memory or time out of proportion to `bytes`.
pub fn watched<T>(bytes: &[u8], read: impl FnOnce() -> T) -> T {
    prompt(longest(bytes.len()), || watched_up_to(MOST.max(GROWTH * bytes.len()), read))
}

/// Returns the result of `run`; panics if it took `most` bytes of memory at any time.
pub fn watched_up_to<T>(most: usize, run: impl FnOnce() -> T) -> T {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = run();
    let peak = MEMORY.peak_usage().saturating_sub(before);
    assert!(peak < most, "{peak} bytes of memory, {most} are too many");
    result
}

/// Returns the result of `run`; panics if it took longer than `most`.
pub fn prompt<T>(most: Duration, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    let taken = start.elapsed();
    assert!(taken < most, "{taken:?}, {most:?} are too long");
    result
}

/// Position and byte order of the field with the length of the file. Targets correct the field, because a file with a
/// wrong length is refused before anything else is read.
#[derive(Clone, Copy)]
pub enum Length {
    None,
    Little(usize),
    Big(usize),
}

/// Reads a model of the format that begins with `magic` and exercises it. Inputs that begin otherwise are not kept.
///
/// Bytes from the second occurrence of one of `magics` on are a side file, returned under any name.
pub fn model(name: &str, magics: &[&[u8]], length: Length, bytes: &[u8]) -> Corpus {
    let Some(model) = load(name, magics, length, bytes) else { return Corpus::Reject };
    if let Some(model) = model {
        exercise(&model);
    }
    Corpus::Keep
}

/// Reads a list of files and exercises the model. Each occurrence of one of `magics` begins the next side file; side
/// files are returned in that order.
pub fn listed(name: &str, list: &[u8], magics: &[&[u8]], bytes: &[u8]) -> Corpus {
    if !bytes.starts_with(list) {
        return Corpus::Reject;
    }
    let (list, mut rest) = split(magics, bytes);
    let next = |_: &str| {
        let (file, others) = split(magics, rest);
        rest = others;
        (!file.is_empty()).then(|| file.to_vec())
    };
    if let Ok(model) = watched(bytes, || Model::load(name, list, next)) {
        exercise(&model);
    }
    Corpus::Keep
}

/// Reads a model and a second model that follows it, joins the two and exercises the result.
pub fn joined(name: &str, magics: &[&[u8]], bytes: &[u8]) -> Corpus {
    let (first, second) = split(magics, bytes);
    let Some(model) = load(name, magics, Length::None, first) else { return Corpus::Reject };
    let second = load(name, magics, Length::None, second).flatten();
    if let Some(mut model) = model {
        if let Some(second) = second {
            let _ = prompt(longest(bytes.len()), || model.join(&second));
        }
        exercise(&model);
    }
    Corpus::Keep
}

fn load(name: &str, magics: &[&[u8]], length: Length, bytes: &[u8]) -> Option<Option<Model>> {
    if !magics.iter().any(|magic| bytes.starts_with(magic)) {
        return None;
    }
    let mut bytes = bytes.to_vec();
    let stated = bytes.len() as u32;
    let (at, stated) = match length {
        Length::None => (usize::MAX, [0; 4]),
        Length::Little(at) => (at, stated.to_le_bytes()),
        Length::Big(at) => (at, stated.to_be_bytes()),
    };
    if let Some(field) = bytes.get_mut(at..at.saturating_add(4)) {
        field.copy_from_slice(&stated);
    }
    let side = split(magics, &bytes).1;
    let side = (!side.is_empty()).then_some(side);
    let model = watched(&bytes, || Model::load(name, &bytes, |_| side.map(<[u8]>::to_vec)));
    match model {
        Ok(model) => Some(Some(model)),
        Err(error) => {
            assert!(!error.section.is_empty() && !error.to_string().is_empty());
            Some(None)
        }
    }
}

fn split<'a>(magics: &[&[u8]], bytes: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    let begins = |at: &usize| magics.iter().any(|magic| bytes[*at..].starts_with(magic));
    let at = (1..bytes.len()).find(begins).unwrap_or(bytes.len());
    bytes.split_at(at)
}
