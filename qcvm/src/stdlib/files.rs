//! Files of a script, and the builtins that read, write and search them.

use super::call::Call;
use super::strings::joined;
use super::{Mistake, StdHost};
use crate::{Fault, Machine};

/// Number of files that may be open at once.
const MAX_OPEN: usize = 256;
/// Number of the first file.
const FIRST: f32 = 1000.0;
/// Bytes that an open file and a found name count in addition to their contents.
const OVERHEAD: usize = 256;
/// Statements in the time of which a host finds a part of a path, a file or a folder.
const PART: u64 = 1000;
/// Largest length of a name, bytes.
const LONGEST_NAME: usize = 128;
/// Number of searches that may be open at once.
const MAX_SEARCHES: usize = 64;

/// Open files and searches of a script. They belong to the machine.
#[derive(Debug, Default)]
pub(crate) struct Files {
    open: Vec<Option<File>>,
    searches: Vec<Option<Vec<Box<[u8]>>>>,
}

#[derive(Debug)]
struct File {
    name: Box<[u8]>,
    bytes: Vec<u8>,
    at: usize,
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Lines are read.
    Read,
    /// The rest of the file is read as one line.
    ReadWhole,
    /// The host gets the contents when the file is closed.
    Write,
}

impl Machine {
    /// Closes all files that a script has left open; `host` gets the contents of those that it has written.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// // Run the game. When it ends:
    /// machine.close_files(&mut console);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn close_files(&mut self, host: &mut dyn StdHost) {
        for file in std::mem::take(&mut self.files.open).into_iter().flatten() {
            self.release(OVERHEAD + file.bytes.len());
            close(&file, host);
        }
    }
}

fn close(file: &File, host: &mut dyn StdHost) {
    if file.mode == Mode::Write {
        host.write_file(&file.name, &file.bytes);
    }
}

/// Returns why no file of a script has a name, on any system; `None` if one may have it.
fn refusal(name: &[u8]) -> Option<&'static str> {
    let Ok(name) = std::str::from_utf8(name) else { return Some("a name is UTF-8") };
    if name.len() > LONGEST_NAME {
        return Some("a name has at most 128 bytes");
    }
    if name.contains(|c: char| c.is_control() || r#"\:*?"<>|"#.contains(c)) {
        return Some(r#"a name has no control characters and none of \:*?"<>|"#);
    }
    name.split('/').find_map(|part| match part {
        "" => Some("no part of a name is empty"),
        _ if part.starts_with(['.', '-']) => Some("no part of a name begins with a dot or a hyphen"),
        _ if part.ends_with(['.', ' ']) => Some("no part of a name ends with a dot or a space"),
        _ => is_device(part).then_some("no part of a name is a device of Windows, such as nul"),
    })
}

/// Returns `true` if Windows opens a device under the name, whatever its extension.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
    // Windows takes the superscripts of Latin-1 for digits.
    let is_number = |rest: &str| matches!(rest.as_bytes(), [b'1'..=b'9']) || matches!(rest, "¹" | "²" | "³");
    matches!(&*stem, "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || stem.strip_prefix("com").or(stem.strip_prefix("lpt")).is_some_and(is_number)
}

/// Returns `true` if a file of a script may have a name; otherwise reports why not.
fn is_allowed(call: &mut Call<'_>, name: &[u8]) -> bool {
    let refusal = refusal(name);
    refusal.into_iter().for_each(|reason| call.mistake(Mistake::FileName(reason)));
    refusal.is_none()
}

/// Charges for the way to a file.
fn charge_path(call: &Call<'_>, name: &[u8]) -> Result<(), Fault> {
    call.machine.charge(PART * name.split(|byte| *byte == b'/').count() as u64)
}

/// Returns the contents of a file of the host. The script pays for them before they are read.
fn read(call: &mut Call<'_>, name: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
    charge_path(call, name)?;
    let Some(size) = call.host.file_size(name) else { return Ok(None) };
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    call.charge_bytes(size)?;
    call.machine.reserve(size)?;
    let contents = call.host.read_file(name);
    call.machine.release(size);
    Ok(contents)
}

/// Returns the first place for another file or search.
fn free_place<T>(places: &[Option<T>]) -> usize {
    places.iter().position(Option::is_none).unwrap_or(places.len())
}

/// Puts a value at a free place.
fn put<T>(places: &mut Vec<Option<T>>, free: usize, value: T) {
    match places.get_mut(free) {
        Some(place) => *place = Some(value),
        None => places.push(Some(value)),
    }
}

/// Returns the place of the file in argument 0.
fn place(call: &mut Call<'_>) -> usize {
    let number = call.float(0) - FIRST;
    if number >= 0.0 { number as usize } else { usize::MAX }
}

/// Returns the file in argument 0, if it is open.
fn file<'c>(call: &'c mut Call<'_>) -> Option<&'c mut File> {
    let place = place(call);
    call.machine.files.open.get_mut(place)?.as_mut()
}

/// Reports a file in argument 0 that is not open.
fn check_open(call: &mut Call<'_>) {
    if file(call).is_none() {
        call.mistake(Mistake::FileNotOpen);
    }
}

pub(super) fn fopen(call: &mut Call<'_>) -> Result<(), Fault> {
    let (name, mode): (Box<[u8]>, _) = (call.string(0)?.into(), call.integer(1));
    let free = free_place(&call.machine.files.open);
    if !is_allowed(call, &name) || free >= MAX_OPEN || !matches!(mode, 0..=2 | 4) {
        return call.return_float(-1.0);
    }
    let found = if mode == 2 { Some(Vec::new()) } else { read(call, &name)? };
    let Some(bytes) = found.or_else(|| (mode == 1).then(Vec::new)) else { return call.return_float(-1.0) };
    call.charge_bytes(OVERHEAD)?;
    call.machine.reserve(bytes.len() + OVERHEAD)?;
    let mode = match mode {
        0 => Mode::Read,
        4 => Mode::ReadWhole,
        _ => Mode::Write,
    };
    let at = if mode == Mode::Write { bytes.len() } else { 0 };
    put(&mut call.machine.files.open, free, File { name, bytes, at, mode });
    call.return_float(FIRST + free as f32)
}

pub(super) fn fclose(call: &mut Call<'_>) -> Result<(), Fault> {
    check_open(call);
    let place = place(call);
    let bytes = file(call).map_or(0, |file| file.bytes.len());
    call.charge_bytes(bytes)?;
    let written = file(call).filter(|file| file.mode == Mode::Write).map(|file| file.name.clone());
    written.map_or(Ok(()), |name| charge_path(call, &name))?;
    let Some(file) = call.machine.files.open.get_mut(place).and_then(Option::take) else { return Ok(()) };
    call.machine.release(OVERHEAD + bytes);
    close(&file, call.host);
    Ok(())
}

pub(super) fn fgets(call: &mut Call<'_>) -> Result<(), Fault> {
    check_open(call);
    let line = file(call).filter(|file| file.at < file.bytes.len()).map(|file| {
        let rest = file.bytes.get(file.at..).unwrap_or_default();
        let end = if file.mode == Mode::ReadWhole { None } else { rest.iter().position(|byte| *byte == b'\n') };
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let is_whole = file.mode == Mode::ReadWhole;
        let line: Vec<u8> = line.iter().copied().filter(|byte| is_whole || *byte != b'\r').collect();
        let passed = end.map_or(rest.len(), |end| end + 1);
        file.at += passed;
        (line, passed)
    });
    let Some((line, passed)) = line else {
        call.machine.return_bits(0);
        return Ok(());
    };
    call.charge_bytes(passed)?;
    // An empty line is not the end.
    let handle = call.machine.line(&line)?;
    call.machine.return_bits(handle);
    Ok(())
}

pub(super) fn fputs(call: &mut Call<'_>) -> Result<(), Fault> {
    check_open(call);
    let text = joined(call, 1)?;
    append(call, &text).map(drop)
}

/// Writes bytes at the place of the file in argument 0; returns `false` if it is not open for that.
fn append(call: &mut Call<'_>, text: &[u8]) -> Result<bool, Fault> {
    call.charge_bytes(text.len())?;
    let Some(written) = file(call).filter(|file| file.mode == Mode::Write) else { return Ok(false) };
    let added = (written.at + text.len()).saturating_sub(written.bytes.len());
    call.machine.reserve(added)?;
    let Some(written) = file(call) else { return Ok(false) };
    let end = written.at + text.len();
    if written.bytes.len() < end {
        written.bytes.resize(end, 0);
    }
    if let Some(place) = written.bytes.get_mut(written.at..end) {
        place.copy_from_slice(text);
    }
    written.at = end;
    Ok(true)
}

pub(super) fn fread(call: &mut Call<'_>) -> Result<(), Fault> {
    check_open(call);
    let (to, bytes) = (call.target()?, call.size(2)?);
    let read = file(call).filter(|file| file.mode != Mode::Write).map(|file| {
        let rest = file.bytes.get(file.at..).unwrap_or_default();
        rest.get(..bytes as usize).unwrap_or(rest).to_vec()
    });
    let read = read.unwrap_or_default();
    call.write(to, &read)?;
    if let Some(file) = file(call) {
        file.at += read.len();
    }
    call.machine.return_bits(read.len() as u32);
    Ok(())
}

pub(super) fn fwrite(call: &mut Call<'_>) -> Result<(), Fault> {
    check_open(call);
    let (from, bytes) = (call.target()?, call.size(2)?);
    let contents = call.read(from, bytes)?;
    let written = append(call, &contents)?;
    call.machine.return_bits(if written { bytes } else { 0 });
    Ok(())
}

pub(super) fn fseek(call: &mut Call<'_>) -> Result<(), Fault> {
    check_open(call);
    let wanted = (call.machine.argc() > 1).then(|| call.machine.argument_bits(1) as i32);
    let before = file(call).map(|file| {
        let before = file.at;
        // A file does not grow by a seek.
        file.at = wanted.map_or(before, |wanted| usize::try_from(wanted).unwrap_or(0).min(file.bytes.len()));
        before
    });
    call.machine.return_bits(before.map_or(u32::MAX, |before| before as u32));
    Ok(())
}

pub(super) fn fsize(call: &mut Call<'_>) -> Result<(), Fault> {
    check_open(call);
    let wanted = (call.machine.argc() > 1).then(|| call.machine.argument_bits(1) as i32);
    let Some(before) = file(call).map(|file| file.bytes.len()) else {
        call.machine.return_bits(u32::MAX);
        return Ok(());
    };
    let writes = file(call).is_some_and(|file| file.mode == Mode::Write);
    if let Some(wanted) = wanted.and_then(|wanted| usize::try_from(wanted).ok()).filter(|_| writes) {
        call.charge_bytes(wanted)?;
        call.machine.reserve(wanted.saturating_sub(before))?;
        call.machine.release(before.saturating_sub(wanted));
        if let Some(file) = file(call) {
            file.bytes.resize(wanted, 0);
            file.bytes.shrink_to_fit();
            file.at = file.at.min(wanted);
        }
    }
    call.machine.return_bits(before as u32);
    Ok(())
}

/// Returns `true` if the host has the file in argument 0.
fn exists(call: &mut Call<'_>) -> Result<bool, Fault> {
    let name: Box<[u8]> = call.string(0)?.into();
    if !is_allowed(call, &name) {
        return Ok(false);
    }
    charge_path(call, &name)?;
    Ok(call.host.file_size(&name).is_some())
}

pub(super) fn fexists(call: &mut Call<'_>) -> Result<(), Fault> {
    let exists = exists(call)?;
    call.return_float(f32::from(u8::from(exists)))
}

pub(super) fn whichpack(call: &mut Call<'_>) -> Result<(), Fault> {
    // An empty name of a package means a file of its own, which is not the null string.
    let handle = if exists(call)? { call.machine.line(b"")? } else { 0 };
    call.machine.return_bits(handle);
    Ok(())
}

pub(super) fn search_begin(call: &mut Call<'_>) -> Result<(), Fault> {
    let pattern: Box<[u8]> = call.string(0)?.into();
    let free = free_place(&call.machine.files.searches);
    if free >= MAX_SEARCHES || pattern.len() > LONGEST_NAME {
        return call.return_float(-1.0);
    }
    let names = call.host.file_names();
    let is_folder = |name: &[u8]| name.ends_with(b"/");
    let work = |name: &[u8]| match is_folder(name) {
        true => PART,
        false => (4 + name.len() * (1 + pattern.len() / 8) / 4) as u64,
    };
    call.machine.charge(names.iter().map(|name| work(name)).sum())?;
    let found = names.into_iter().filter(|name| matches(&pattern, name) && refusal(name).is_none());
    let mut found: Vec<Box<[u8]>> = found.collect();
    if found.is_empty() {
        return call.return_float(-1.0);
    }
    found.sort_unstable();
    call.machine.reserve(found.iter().map(|name| OVERHEAD + name.len()).sum())?;
    put(&mut call.machine.files.searches, free, found);
    call.return_float(free as f32)
}

/// Returns the search in argument 0, if it is open.
fn search<'c>(call: &'c mut Call<'_>) -> Option<&'c mut Option<Vec<Box<[u8]>>>> {
    let place = usize::try_from(call.integer(0)).ok()?;
    call.machine.files.searches.get_mut(place)
}

pub(super) fn search_end(call: &mut Call<'_>) -> Result<(), Fault> {
    let names = search(call).and_then(Option::take).unwrap_or_default();
    call.machine.release(names.iter().map(|name| OVERHEAD + name.len()).sum());
    call.machine.charge(names.len() as u64)
}

pub(super) fn search_getsize(call: &mut Call<'_>) -> Result<(), Fault> {
    let count = search(call).and_then(|names| names.as_ref()).map_or(0, Vec::len);
    call.return_float(count as f32)
}

pub(super) fn search_getfilename(call: &mut Call<'_>) -> Result<(), Fault> {
    let index = usize::try_from(call.integer(1)).unwrap_or(usize::MAX);
    let name = search(call).and_then(|names| names.as_ref()?.get(index).cloned());
    call.return_string(&name.unwrap_or_default())
}

/// Returns `true` if a name matches a pattern, in which `*` and `?` stand for any text and any byte but slashes. Case
/// does not matter.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut next) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() || next < pattern.len() {
        match (pattern.get(next), name.get(at)) {
            (Some(b'*'), _) => {
                star = Some((next, at));
                next += 1;
                continue;
            }
            (Some(b'?'), Some(byte)) if *byte != b'/' => {}
            (Some(wanted), Some(byte)) if wanted.eq_ignore_ascii_case(byte) => {}
            _ => {
                // The last star takes one byte more.
                let Some((place, taken)) = star else { return false };
                if name.get(taken).is_none_or(|byte| *byte == b'/') {
                    return false;
                }
                star = Some((place, taken + 1));
                (next, at) = (place + 1, taken + 1);
                continue;
            }
        }
        (at, next) = (at + 1, next + 1);
    }
    true
}
