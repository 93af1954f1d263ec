#!/usr/bin/env python3
"""Measures constants of `ragdoll/tuning.rs` and `physics/tuning.rs` at half and at twice their value.

    .ci/tuning.py                           lists the tables and their constants that are not measured
    .ci/tuning.py SAMPLE_TIME CREEP_SPEED   measures constants and prints their cells
    .ci/tuning.py Sleep --write             measures a table and writes the cells "not measured" of it

In a copy of the checkout below `target/tuning`, an environment variable multiplies one constant where it is used, so that
one build serves all; `benches/falls.rs` lets the same dolls fall there. A constant of a place that only takes a constant
gets a build of its own for each factor, which takes a minute more. `--falls N` sets the number of falls of a scene. A
cell says "the same bits" if no fall changed, "alike" if no figure changed by more than chance would, and else what
changed, with the figure at this value in parentheses.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "tuning"
FILES = ["src/ragdoll/tuning.rs", "src/physics/tuning.rs"]
BUILD = ["cargo", "bench", "--locked", "-p", "skelobj-benches", "--bench", "falls", "--no-default-features"]
BUILD += ["--config", "profile.bench.package.skelobj.opt-level=1", "--no-run", "--message-format=json"]

# What multiplies a constant, at the end of the copy's lib.rs: its number and the factor in the environment.
SCALING = """
pub(crate) trait Scaled {
    fn scaled(self, factor: f32) -> Self;
}
impl Scaled for f32 {
    fn scaled(self, factor: f32) -> Self {
        self * factor
    }
}
macro_rules! scaled_integers {
    ($($kind:ty)*) => {$(
        impl Scaled for $kind {
            fn scaled(self, factor: f32) -> Self {
                if factor > 1.0 { self * 2 } else { (self / 2).max(1) }
            }
        }
    )*};
}
scaled_integers!(u32 u64 usize i32);
fn factor(number: usize) -> Option<f32> {
    static CHOSEN: std::sync::OnceLock<Option<(usize, f32)>> = std::sync::OnceLock::new();
    let chosen = CHOSEN.get_or_init(|| {
        let text = std::env::var("SKELOBJ_SCALED").ok()?;
        let (number, factor) = text.split_once(' ')?;
        Some((number.parse().ok()?, factor.parse().ok()?))
    });
    chosen.filter(|chosen| chosen.0 == number).map(|chosen| chosen.1)
}
pub(crate) fn scaled<T: Scaled>(number: usize, value: T) -> T {
    match factor(number) {
        Some(factor) => value.scaled(factor),
        None => value,
    }
}
pub(crate) fn scaled_angle(number: usize, cosine: f32) -> f32 {
    match factor(number) {
        Some(factor) => (f64::from(cosine).acos() * f64::from(factor)).min(std::f64::consts::PI).cos() as f32,
        None => cosine,
    }
}
"""

# Change by which a figure differs more than two sets of falls with equal constants do: a share, and an amount.
CHANCE = {
    "rest": (0.05, 0.0),
    "rest95": (0.2, 0.0),
    "gap-falling": (0.3, 0.1),
    "gap-resting": (0.3, 0.01),
    "excess": (0.3, 0.05),
    "excess-resting": (0.5, 0.01),
    "depth": (0.3, 0.2),
    "gaining": (0.5, 3),
    "awake": (0.0, 0),
}
WORDS = {
    "rest": "sleeps after {} s",
    "rest95": "95 % sleep after {} s",
    "gap-falling": "gap {} falling",
    "gap-resting": "gap {} at rest",
    "excess": "{} radians past stops",
    "excess-resting": "{} radians past stops at rest",
    "depth": "{} units in the floor",
    "gaining": "{} falls gain energy",
    "awake": "{} falls never sleep",
}


class Constant:
    """Constant of a file, with the row of its table."""

    def __init__(self, path, table, cells):
        self.path, self.table = path, table
        self.name, self.unit = cells[0].strip("[]`"), cells[1]
        self.cells = cells

    def missing(self):
        return [column for column in (3, 5) if self.cells[column] == "not measured"]

    def scaled(self, text, factor):
        """Returns the text of the file with the constant multiplied, or None if it is not a number."""
        found = re.search(rf"const {self.name}: ([^=]+?) =\s*([^;]+);", text)
        kind, value = found.group(1).strip(), found.group(2).strip()
        if self.unit == "cosine" and kind == "f32":
            # An angle of half or twice the size.
            new = f"{math.cos(min(math.acos(float(value.replace('_', ''))) * factor, math.pi)):.9}_f32"
        elif kind == "f32":
            new = f"({value}) * {factor:.1f}"
        elif kind in ("u32", "u64", "usize", "i32"):
            new = f"({value}) * 2" if factor > 1 else f"if ({value}) > 1 {{ ({value}) / 2 }} else {{ 1 }}"
        else:
            return None
        return text[: found.start(2)] + new + text[found.end(2) :]


def constants():
    """Returns all constants of both files."""
    found = []
    for path in FILES:
        table = ""
        for line in (ROOT / path).read_text().splitlines():
            if line.startswith("//! # "):
                table = line.removeprefix("//! # ")
            if line.startswith("//! | [`"):
                found.append(Constant(path, table, [cell.strip() for cell in line[3:].strip("| ").split("|")]))
    return found


def copy():
    """Makes the copy of the checkout equal to it, without touching files that are."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        source, target = ROOT / name, WORK / "skelobj" / name
        if name.startswith("web/") or not source.is_file():
            continue
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def build():
    """Builds the falls of the copy. Returns the program, or else the places of the errors and the first of them."""
    environment = os.environ | {"CARGO_TARGET_DIR": str(WORK / "target"), "CARGO_INCREMENTAL": "1"}
    done = subprocess.run(BUILD, cwd=WORK / "skelobj", env=environment, capture_output=True, text=True)
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode == 0:
        programs = [message.get("executable") for message in messages if message.get("target", {}).get("name") == "falls"]
        return next(filter(None, programs)), [], ""
    errors = [message["message"] for message in messages if message["reason"] == "compiler-message"]
    errors = [error for error in errors if error["level"] == "error"]
    spans = [span for error in errors for span in error["spans"]]
    words = next((error["message"] for error in errors), done.stderr.strip()[-200:])
    return None, [(span["file_name"], line) for span in spans for line in range(span["line_start"], span["line_end"] + 1)], words


def falls(program, count, scaled=None):
    """Returns the hash and the figures of each scene, or else an error; `scaled` is a constant's number and a factor."""
    environment = os.environ | ({"SKELOBJ_SCALED": f"{scaled[0]} {scaled[1]}"} if scaled else {})
    done = subprocess.run([program, str(count)], cwd=WORK, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        words = [line for line in done.stderr.splitlines() if line.startswith("thread")]
        return None, " ".join(words[:1]) or f"exit code {done.returncode}"
    scenes = {}
    for line in done.stdout.splitlines():
        name, bits, *figures = line.split()
        scenes[name] = bits, dict(zip(figures[::2], map(float, figures[1::2])))
    return scenes, None


def make_scalable(chosen):
    """Edits the copy so that the environment multiplies constants, and builds it. Returns the program and the constants
    that it can multiply."""
    texts = {}
    for path in FILES:
        for file in sorted((WORK / "skelobj" / path).parent.rglob("*.rs")):
            texts[file] = file.read_text()
    definitions = "\n".join(texts[WORK / "skelobj" / path] for path in FILES)
    uses = {constant.name: len(re.findall(rf"^[^/\n]*\b{constant.name}\b", definitions, re.M)) for constant in chosen}
    # A constant that others are made of is changed where it is defined.
    able = {number: c for number, c in enumerate(chosen, 1) if c.scaled(definitions, 2.0) and uses[c.name] == 1}
    library = WORK / "skelobj" / "src" / "lib.rs"
    whole = library.read_text()
    library.write_text(whole + SCALING)
    try:
        while True:
            for file, text in texts.items():
                if file.name != "tuning.rs":
                    write_if_other(file, edited(text, able))
            program, places, words = build()
            if program:
                return program, able
            lines = [(WORK / "skelobj" / name).read_text().splitlines()[line - 1] for name, line in places]
            found = {int(number) for line in lines for number in re.findall(r"crate::scaled(?:_angle)?\((\d+),", line)}
            if not found & able.keys():
                sys.exit(f"the copy does not build: {words}")
            able = {number: constant for number, constant in able.items() if number not in found}
    finally:
        library.write_text(whole)
        for file, text in texts.items():
            write_if_other(file, text)


def edited(text, constants):
    """Returns the text of a source with constants multiplied where they are used."""
    for number, constant in constants.items():
        call = "scaled_angle" if constant.unit == "cosine" else "scaled"
        parts = re.split(r"(^\s*(?:pub(?:\([a-z]+\))? )?use [^;]+;|//.*$)", text, flags=re.M)
        name = rf"(?<![\w:`]){constant.name}\b"
        parts[::2] = [re.sub(name, f"crate::{call}({number}, {constant.name})", part) for part in parts[::2]]
        text = "".join(parts)
    return text


def write_if_other(file, text):
    if file.read_text() != text:
        file.write_text(text)


def compared(base, changed):
    """Returns the cell for falls with a changed constant."""
    if all(changed[scene][0] == base[scene][0] for scene in base):
        return "the same bits"
    parts = []
    for scene, (_, figures) in changed.items():
        before = base[scene][1]
        told = []
        for name, (share, amount) in CHANCE.items():
            if abs(figures[name] - before[name]) > max(share * abs(before[name]), amount):
                number = f"{figures[name]:.3g}"
                told.append(f"{WORDS[name].format(number)} ({before[name]:.3g})")
        if told:
            parts.append(f"{scene} {', '.join(told)}")
    return "; ".join(parts) or "alike"


def write(constant, column, cell):
    """Writes a cell into the table of the checkout."""
    path = ROOT / constant.path
    constant.cells[column] = cell
    lines = path.read_text().splitlines(keepends=True)
    row = f"//! | {' | '.join(constant.cells)} |".replace("|  |", "|  |") + "\n"
    lines = [row if line.startswith(f"//! | [`{constant.name}`]") else line for line in lines]
    path.write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", nargs="*", metavar="CONSTANT|TABLE")
    parser.add_argument("--falls", type=int, default=100, metavar="N", help="falls of each scene (default: 100)")
    parser.add_argument("--write", action="store_true", help='write the cells that are "not measured"')
    options = parser.parse_args()
    known = constants()
    if not options.wanted:
        for table in dict.fromkeys(constant.table for constant in known):
            names = [constant.name for constant in known if constant.table == table and constant.missing()]
            print(f"{table}: {' '.join(names) or 'all measured'}")
        return
    chosen = [constant for constant in known if {constant.name, constant.table} & set(options.wanted)]
    unknown = set(options.wanted) - {word for constant in known for word in (constant.name, constant.table)}
    if unknown:
        sys.exit(f"neither a constant nor a table: {', '.join(sorted(unknown))}")
    copy()
    program, able = make_scalable(chosen)
    # Other constants are built under the same name.
    program = shutil.copy2(program, WORK / "falls")
    base, error = falls(program, options.falls)
    if error:
        sys.exit(f"the falls end early: {error}")
    for number, constant in enumerate(chosen, 1):
        path = WORK / "skelobj" / constant.path
        whole = path.read_text()
        for column, factor in (3, 0.5), (5, 2.0):
            if options.write and column not in constant.missing():
                continue
            if number in able:
                changed, error = falls(program, options.falls, (number, factor))
            else:
                text = constant.scaled(whole, factor)
                if text is None:
                    print(f"{constant.name}: not a number", flush=True)
                    break
                path.write_text(text)
                try:
                    own, _, error = build()
                    changed, error = falls(own, options.falls) if own else (None, error)
                finally:
                    path.write_text(whole)
            cell = compared(base, changed) if changed else f"does not run: {error}"
            print(f"{constant.name} {'at half' if factor < 1 else 'at twice'}: {cell}", flush=True)
            if options.write and changed:
                write(constant, column, cell)


main()
