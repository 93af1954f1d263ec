//! The command on changed files: models, dolls, maps and recordings. Each call ends by itself with exit code 0 to 2,
//! within [`SECONDS`] of the processor and [`KILOBYTES`] of memory, and prints no control characters. This program has
//! debug assertions and checks for overflow, unless it is built with `--release`.
//!
//! `SKELOBJ_MUTATED` sets the number of changed files, 24 by default, `SKELOBJ_FIRST_CASE` the number of the first.
//! Files with faults are kept in the folder that the failure names. Files of the shared folder are used for more than a
//! thousand changed files.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::command::{Folder, repository};
use crate::random::Random;
use crate::small_bsp::Bsp29;

/// Most seconds of the processor that a call may take; the command may be built without optimisation.
const SECONDS: u32 = 40;
/// Most address space of a call, KB; stacks of threads take a part of it.
const KILOBYTES: u32 = 1 << 20;
/// Size of the largest file of the shared folder that is used, bytes.
const LARGEST: u64 = 300_000;

/// Files of the repository that are changed.
const FILES: [&str; 17] = [
    "dolls/dog.iqm",
    "dolls/dog.doll",
    "dolls/ponytail.iqm",
    "dolls/ponytail.doll",
    "dolls/rope.iqm",
    "dolls/rope.doll",
    "dolls/turret.iqm",
    "dolls/turret.doll",
    "tests/data/gltf/walker.glb",
    "tests/data/gltf/parts.gltf",
    "tests/data/gltf/posed.gltf",
    "tests/golden/models/chain.iqm",
    "tests/golden/models/testbones.iqm",
    "tests/golden/models/seven.iqm",
    "tests/golden/dolls/weird.doll",
    "tests/golden-dp/models/tri.dpm",
    "tests/golden-dp/models/tags.md3",
];

/// File that is changed.
struct Seed {
    extension: String,
    bytes: Vec<u8>,
    /// Files beside it.
    beside: Vec<(String, Vec<u8>)>,
}

impl Seed {
    fn of(path: &Path) -> Self {
        let stem = path.file_stem().unwrap();
        let beside = path.parent().unwrap().read_dir().unwrap().map(|entry| entry.unwrap().path());
        let beside = beside.filter(|other| other != path && other.file_stem() == Some(stem));
        let named = |other: PathBuf| Some((other.file_name()?.to_str()?.to_owned(), std::fs::read(&other).ok()?));
        Self {
            extension: path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned(),
            bytes: std::fs::read(path).unwrap(),
            beside: beside.filter_map(named).collect(),
        }
    }
}

fn shared_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            shared_files(&path, found);
        } else if entry.metadata().is_ok_and(|file| file.len() <= LARGEST) {
            found.push(path);
        }
    }
}

/// Returns the files of the repository, a map and a recording, and those of the shared folder for a long run.
fn seeds(folder: &Folder, long: bool) -> Vec<Seed> {
    let mut seeds: Vec<Seed> = FILES.iter().map(|file| Seed::of(Path::new(&repository(file)))).collect();
    seeds.push(Seed { extension: "bsp".into(), bytes: Bsp29::room().bytes(), beside: Vec::new() });
    let run = folder.0.join("seed.run");
    let model = repository("dolls/rope.iqm");
    let recorded = folder.skelobj(&["sim", &model, "--seconds", "0.1", "--record", run.to_str().unwrap()]);
    assert!(recorded.status.success(), "{}", String::from_utf8_lossy(&recorded.stderr));
    seeds.push(Seed { extension: "run".into(), bytes: std::fs::read(run).unwrap(), beside: Vec::new() });
    if let Some(shared) = std::env::var_os("SKELOBJ_SHARED").filter(|_| long) {
        let mut paths = Vec::new();
        ["corpus", "cases"].iter().for_each(|part| shared_files(&Path::new(&shared).join(part), &mut paths));
        paths.sort();
        let is_read = |path: &PathBuf| {
            let known = ["iqm", "dpm", "zym", "psk", "psa", "md3", "md5mesh", "md5anim", "mdl", "glb", "gltf", "vvm"];
            let known = known.iter().chain(&["shape", "skel", "anim", "bsp", "doll", "run"]);
            path.extension().is_some_and(|extension| known.into_iter().any(|known| extension == *known))
        };
        seeds.extend(paths.into_iter().filter(is_read).map(|path| Seed::of(&path)));
    }
    seeds
}

/// Changes a few bytes, numbers or parts.
fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    const WORDS: [u32; 12] =
        [0, 1, 2, 0x7f, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0x7f80_0000, 0x7fc0_0000, 0x7e00_0000, 0x0080_0000];
    const TEXTS: [&[u8]; 6] = ["\u{202e}".as_bytes(), b"\n", b"\"", b"1e38", b"-1", b"nan"];
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len().max(1));
        let rest = bytes.len() - at.min(bytes.len());
        match random.below(9) {
            0 if random.below(4) == 0 => bytes.truncate(at),
            0..=2 if rest > 0 => bytes[at] = random.below(256) as u8,
            3 if rest > 0 => bytes[at] ^= 1 << random.below(8),
            4 | 5 if rest >= 4 => {
                // Numbers of most formats are aligned.
                let at = at & !3;
                let word = random.of(&WORDS);
                let word = if random.below(3) == 0 { word.to_be_bytes() } else { word.to_le_bytes() };
                bytes[at..at + 4].copy_from_slice(&word);
            }
            6 if rest > 0 => {
                let length = 1 + random.below(rest.min(64));
                let from = random.below(bytes.len() - length + 1);
                bytes.copy_within(from..from + length, at);
            }
            7 => {
                let text = random.of(&TEXTS);
                let end = (at + text.len()).min(bytes.len());
                bytes.splice(at.min(end)..end, text.iter().copied());
            }
            8 if rest > 0 => drop(bytes.drain(at..at + 1 + random.below(rest.min(16)))),
            _ => {}
        }
    }
}

/// Returns the arguments of a call on the changed file.
fn arguments(file: &str, extension: &str, random: &mut Random) -> Vec<String> {
    let model = repository("dolls/rope.iqm");
    let fall = "--seconds 0.05";
    let line = match extension {
        "doll" => random.of(&[
            "check FILE --drop 1",
            "check FILE --model MODEL --drop 1",
            "check FILE --model MODEL --drop 0 --json",
            "sim MODEL --doll FILE FALL",
            "draw MODEL --doll FILE FALL --width 200 --panels 2 --force -o out.png",
        ]),
        "bsp" => random.of(&[
            "info FILE",
            "info FILE --json",
            "sim MODEL --level FILE FALL",
            "draw MODEL --level FILE FALL --width 200 --panels 2 --force -o out.png",
        ]),
        "run" => "sim --replay FILE",
        _ => random.of(&[
            "info FILE",
            "info FILE --json",
            "fit FILE --without-skin --force -o out.doll",
            "fit FILE",
            "convert FILE out.iqm --force",
            "convert FILE out.glb --force",
            "sim FILE FALL",
            "sim FILE FALL --json",
            "draw FILE FALL --width 200 --panels 2 --force -o out.png",
            "draw FILE --anim 0 --width 150 --panels 2 --force -o out.gif",
            "draw FILE FALL --width 100 --panels 2 --force -o out.glb",
        ]),
    };
    let words = line.replace("FALL", fall);
    let words = words.split(' ').map(|word| match word {
        "FILE" => file.to_owned(),
        "MODEL" => model.clone(),
        word => word.to_owned(),
    });
    words.collect()
}

fn limited(folder: &Folder, arguments: &[String]) -> Output {
    let script = format!("ulimit -t {SECONDS}; ulimit -v {KILOBYTES}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_skelobj")]).args(arguments).current_dir(&folder.0);
    command.output().unwrap()
}

/// Returns what is wrong with the outcome of a call.
fn fault(output: &Output) -> Option<String> {
    let Some(code) = output.status.code() else { return Some(format!("{}", output.status)) };
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    // `check` exits with 2 for files that it cannot use; so does a call with wrong arguments.
    if !matches!(code, 0..=2) || text.contains("panicked at") || text.contains("Usage: ") {
        return Some(format!("exit code {code}: {text}"));
    }
    let forged = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}';
    text.contains(forged).then(|| format!("control characters: {text:?}"))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|number| number.parse().expect("a number"))
}

#[test]
fn changed_files_are_refused_or_used_within_limits() {
    let folder = Folder::new("mutated");
    let (first, count) = (number("SKELOBJ_FIRST_CASE").unwrap_or(0), number("SKELOBJ_MUTATED").unwrap_or(24));
    let seeds = seeds(&folder, count > 1000);
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutated");
    let (mut used, mut faults) = (0, Vec::new());
    for case in first..first + count {
        let mut random = Random((case + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let seed = &seeds[random.below(seeds.len())];
        let mut bytes = seed.bytes.clone();
        change(&mut bytes, &mut random);
        let name = format!("m.{}", seed.extension);
        let own = Folder::new("mutated_file");
        for (other, bytes) in &seed.beside {
            let extension = other.split_once('.').map_or("", |(_, extension)| extension);
            own.write(&format!("m.{extension}"), bytes);
        }
        own.write(&name, &bytes);
        let arguments = arguments(&name, &seed.extension, &mut random);
        let output = limited(&own, &arguments);
        used += usize::from(output.status.success());
        if let Some(fault) = fault(&output) {
            let path = kept.join(case.to_string());
            std::fs::create_dir_all(&path).unwrap();
            std::fs::write(path.join(&name), &bytes).unwrap();
            faults.push(format!("case {case}, {}: skelobj {}: {fault}", path.display(), arguments.join(" ")));
        }
    }
    assert!(faults.is_empty(), "{used} of {count} files were used, {} faults:\n{}", faults.len(), faults.join("\n"));
    // Of files that are all refused, nothing but readers would have been tested.
    assert!(used as u64 * 8 > count, "{used} of {count}");
}
