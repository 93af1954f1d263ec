#!/usr/bin/env python3
"""Changes the library at random places, one at a time, and reports the changes that no test notices.

    .ci/mutants.py                      draws twenty mutants by lot, and prints the seed
    .ci/mutants.py --draw 100 --seed 7  draws these again, as long as the sources are the same
    .ci/mutants.py --only 'Cone::' --draw 5

The mutants are those of cargo-mutants for the modules in ROOMS, by the sources of their crates. All that are drawn are
compiled into one test program, in a copy of the checkout below `target/mutants`: each function has its changed bodies
beside its own, and an environment variable selects one. A mutant that cannot be compiled like that gets a build of its own. Each test of these
rooms runs once by itself to learn which mutants it reaches; a mutant then meets only the tests that reach it, those of
its own room first, until one fails. One that all of its room pass meets the tests of the whole program.

`mutants.txt` lists mutants that no test needs to notice, with reasons. Exits with 1 if more others are missed than
`--may-miss` states. Code that is not compiled with all features, or for another machine, is reached by no test.
"""

import argparse
import functools
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copyfile, rmtree

ROOT = Path(__file__).resolve().parent.parent
WORK = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve() / "mutants"
COPY = WORK / "skelobj"
ACCEPTED = ROOT / ".ci" / "mutants.txt"
ROOMS = {
    "src": ["runtime", "ragdoll", "physics", "doll"],
    "crates/model/src": ["object", "read", "pose", "model", "level"],
}
BUILD = ["cargo", "test", "--locked", "-p", "skelobj", "-p", "skelobj-model", "--all-features"]
BUILD += ["--lib", "--test", "all", "--no-run"]
# The tests inside of the sources, and the others.
PROGRAMS = ["skelobj", "skelobj_model", "all"]

# What selects a mutant, at the end of each lib.rs of the copy: a number in the environment, 0 or nothing for none. With
# a file, notes there which ones are reached.
SELECTION = """
pub(crate) fn is_mutant(number: usize) -> bool {
    use std::sync::atomic::{AtomicBool, Ordering};
    static CHOSEN: std::sync::OnceLock<(usize, Option<std::path::PathBuf>)> = std::sync::OnceLock::new();
    static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    let (chosen, file) = CHOSEN.get_or_init(|| {
        let chosen = std::env::var("SKELOBJ_MUTANT").ok().and_then(|text| text.parse().ok());
        (chosen.unwrap_or(0), std::env::var_os("SKELOBJ_REACHED").map(Into::into))
    });
    if let Some(file) = file
        && !REACHED[number].swap(true, Ordering::Relaxed)
    {
        use std::io::Write;
        let file = std::fs::OpenOptions::new().create(true).append(true).open(file);
        file.and_then(|mut file| file.write_all(format!("{number}\\n").as_bytes())).expect("can be written");
    }
    *chosen == number
}
"""

# A mutant may loop or allocate for ever.
SECONDS_PER_CHUNK = 60
MEMORY = 8 << 30
# Seconds of tests that run in one process: a mutant that is caught wastes at most these.
CHUNK = 4.0


class Mutant:
    """Mutant of cargo-mutants."""

    def __init__(self, number, entry):
        self.number, self.key = number, key(entry)
        self.path = entry["file"]
        self.room = self.path.split("src/")[1].split("/")[0].removesuffix(".rs")
        self.place, self.name = entry["name"].split(": ", 1)
        self.function, self.span, self.new = entry["function"], entry["span"], entry["replacement"]
        self.source, self.line = source(self.path), marked(entry)
        self.programs, self.why_alone, self.verdict, self.by = None, None, None, ""

    def __str__(self):
        return f"{self.place}: {self.name}"

    def range(self, span):
        return tuple(offset(self.source, span[end]["line"], span[end]["column"]) for end in ("start", "end"))

    def text(self):
        """Returns the whole file with the change."""
        start, end = self.range(self.span)
        return self.source[:start] + self.new + self.source[end:]

    def body(self):
        """Returns the range of the function's body with its braces, or None if only a build of its own can change it."""
        if not self.function:
            return None
        start, end = self.range(self.function["span"])
        # Attributes and documentation come before, and may contain anything.
        code = blanked(self.source[start:end])
        head = re.search(r"((?:\b(?:pub(?:\([a-z ]+\))?|const|unsafe|async)\s+)*)\bfn\b", code)
        if not head or "const" in head.group(1):
            return None
        opening = code.find("{", head.end())
        own_start, own_end = self.range(self.span)
        if opening < 0 or "impl " in code[code.rfind(")", 0, opening) : opening] or own_start <= start + opening:
            return None
        return start + opening, end

    def changed_body(self, body):
        start, end = self.range(self.span)
        return self.source[body[0] : start] + self.new + self.source[end : body[1]]


@functools.cache
def source(path):
    return (ROOT / path).read_text()


@functools.cache
def lines(path):
    return source(path).splitlines()


def marked(entry):
    """Returns the first line that a mutant changes, with marks around what it changes."""
    start, end = entry["span"]["start"], entry["span"]["end"]
    line = lines(entry["file"])[start["line"] - 1]
    after = end["column"] - 1 if end["line"] == start["line"] else len(line)
    return f"{line[: start['column'] - 1]}«{line[start['column'] - 1 : after]}»{line[after:]}".strip()


def key(entry):
    """Returns what the list of accepted mutants calls a mutant, which does not depend on the lines before it."""
    return f"{entry['file']}: {entry['name'].split(': ', 1)[1]}", marked(entry)


def offset(text, line, column):
    """Returns the index of a line and column from 1."""
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start + column - 1


def blanked(code):
    """Returns code of the same length with blanks for comments, attributes, strings and characters."""
    pattern = r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\[^\']+|[^\'\\])\'|#\[(?:[^\[\]"]|"[^"]*"|\[[^\]]*\])*\]'
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), code, flags=re.DOTALL)


def listed():
    """Returns all mutants of the rooms, as cargo-mutants lists them."""
    command = ["cargo", "mutants", "--list", "--json", "-p", "skelobj", "-p", "skelobj-model"]
    for sources, rooms in ROOMS.items():
        for room in rooms:
            command += ["-f", f"{sources}/{room}/**", "-f", f"{sources}/{room}.rs"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def accepted():
    """Returns the mutants that need not be noticed, with the reasons."""
    blocks = re.split(r"\n\s*\n", re.sub(r"^#.*\n?", "", ACCEPTED.read_text(), flags=re.MULTILINE).strip())
    rows = [[line.strip() for line in block.splitlines()] for block in blocks if block]
    bad = [row for row in rows if len(row) < 3]
    if bad:
        sys.exit(f"{ACCEPTED}: without a line or a reason: {bad[0][0]}")
    return {(row[0], row[1]): " ".join(row[2:]) for row in rows}


def clear():
    """Deletes the programs of this run, or those that an interrupted one left."""
    for folder in WORK.glob("programs-*"):
        rmtree(folder)


def copy():
    """Makes the copy of the checkout equal to it, without touching files that are."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    names = {name for name in names if not name.startswith("web/") and (ROOT / name).is_file()}
    # Tests read folders, so that a file which is gone must not stay.
    for path in [path for path in COPY.rglob("*") if path.is_file()]:
        if str(path.relative_to(COPY)) not in names:
            path.unlink()
    for name in names:
        put(name, (ROOT / name).read_bytes())


def put(name, contents):
    """Writes a file of the copy if it differs."""
    target = COPY / name
    if not target.is_file() or target.read_bytes() != contents:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(contents)


def environment(**more):
    # Random tests draw the same numbers each time: whether they notice a mutant must not be luck.
    fixed = {"CARGO_TARGET_DIR": str(WORK / "target"), "CARGO_INCREMENTAL": "1", "CARGO_PROFILE_DEV_DEBUG": "0"}
    fixed |= {"PROPTEST_RNG_SEED": "1", "CARGO_MANIFEST_DIR": str(COPY), "RUST_BACKTRACE": "0"}
    return os.environ | fixed | more


def build(files):
    """Builds the test programs with these files; returns a folder with them, or the places of the errors."""
    changed = {name: text.encode() for name, text in files.items()}
    for name, contents in changed.items():
        put(name, contents)
    command = [*BUILD, "--message-format", "json"]
    done = subprocess.run(command, cwd=COPY, env=environment(), capture_output=True, text=True)
    # Tests read the sources, too.
    for name in changed:
        put(name, (ROOT / name).read_bytes())
    places, programs = [], {}
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
            places.append([(span["file_name"], span["line_start"]) for span in message["message"]["spans"]])
        if message["reason"] == "compiler-artifact" and message.get("executable"):
            programs[message["target"]["name"]] = message["executable"]
    if done.returncode != 0 and not places:
        sys.exit(done.stderr)
    if done.returncode != 0:
        return None, places
    kept = Path(tempfile.mkdtemp(dir=WORK, prefix="programs-"))
    for name in PROGRAMS:
        copyfile(programs[name], kept / name)
        (kept / name).chmod(0o755)
    return kept, []


def together(mutants):
    """Builds one program with all mutants that allow it, and returns it; the others know why not."""
    left = []
    for mutant in mutants:
        own, body = [other.body() for other in left if other.path == mutant.path], mutant.body()
        if body is None:
            mutant.why_alone = "cannot be selected while it runs"
        elif any(other != body and other[0] < body[1] and body[0] < other[1] for other in own):
            mutant.why_alone = "in a function inside of another one's"
        else:
            left.append(mutant)
    count = max((mutant.number for mutant in mutants), default=0) + 1
    while True:
        files, lines = {}, {}
        for path in {mutant.path for mutant in left}:
            files[path], lines[path] = with_all([mutant for mutant in left if mutant.path == path])
        for sources in ROOMS:
            library = f"{sources}/lib.rs"
            text = files.get(library, (ROOT / library).read_text())
            files[library] = text + SELECTION.replace("COUNT", str(count))
        program, errors = build(files)
        if program:
            return program
        gone = set()
        for error in errors:
            hit = [row for path, line in error for row in lines.get(path, []) if row[0] <= line <= row[1]]
            # An error in the function's own body is one of having two bodies.
            gone |= {owner for _, _, owner, is_own in hit if is_own} or {owner for _, _, owner, _ in hit}
        if not gone:
            sys.exit(f"the checkout does not build: {errors}")
        for mutant in left:
            if mutant.number in gone:
                mutant.why_alone = "not compiled beside the function's own body"
        left = [mutant for mutant in left if mutant.number not in gone]
        print(f"{len(gone)} mutants are not compiled beside others", flush=True)


def with_all(mutants):
    """Returns a file with all its mutants, and the lines of each: first, last, mutant, whether they are its own."""
    source, text, at, lines = mutants[0].source, "", 0, []
    bodies = {}
    for mutant in mutants:
        bodies.setdefault(mutant.body(), []).append(mutant)
    line = lambda: text.count("\n") + 1
    for body, inside in sorted(bodies.items()):
        text += source[at : body[0]] + "{\n"
        for mutant in inside:
            first = line()
            text += f"if crate::is_mutant({mutant.number}) {mutant.changed_body(body)} else\n"
            lines.append((first, line() - 1, mutant.number, True))
        first = line()
        text += source[body[0] : body[1]] + "\n}"
        lines += [(first, line(), mutant.number, False) for mutant in inside]
        at = body[1]
    return text + source[at:], lines


def limit():
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(programs, tests, seconds, **more):
    """Runs tests of one program until one fails. Returns `passed`, `timed out`, or what failed, and the seconds."""
    command = [programs / tests[0][0], "--exact", *(name for _, name in tests), "--test-threads", "1"]
    start = time.monotonic()
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True, "errors": "replace"}
    process = subprocess.Popen(command, cwd=COPY, env=environment(**more), preexec_fn=limit, **options)
    is_late = threading.Event()
    timer = threading.Timer(seconds, lambda: (is_late.set(), process.kill()))
    timer.start()
    failed, last = None, tests[0][1]
    for line in process.stdout:
        found = re.match(r"test (\S+)(?: - should panic)? \.\.\. ", line)
        last = found.group(1) if found else last
        if found and "FAILED" in line:
            failed = found.group(1)
            process.kill()
            break
    process.stdout.close()
    status = process.wait()
    timer.cancel()
    took = time.monotonic() - start
    if failed:
        return failed, took
    if is_late.is_set():
        return "timed out", took
    return ("passed" if status == 0 else f"{last} ({status})"), took


class Tests:
    """Tests of programs, each a program and a name, with their seconds and the mutants that each reaches."""

    def __init__(self, programs, jobs):
        def names(*options):
            for program in PROGRAMS:
                command = [programs / program, "--list", "--format", "terse", *options]
                done = subprocess.run(command, cwd=COPY, env=environment(), check=True, capture_output=True, text=True)
                lines = done.stdout.splitlines()
                yield from ((program, line.removesuffix(": test")) for line in lines if line.endswith(": test"))

        self.programs, self.jobs = programs, jobs
        ignored = set(names("--ignored"))
        self.all = [test for test in names() if test not in ignored]
        self.seconds, self.reached, self.failing = {}, {}, []

    def learn(self, is_wanted):
        """Runs each wanted test by itself."""

        def one(test):
            with tempfile.NamedTemporaryFile(dir=self.programs) as file:
                result, seconds = run(self.programs, [test], 1800, SKELOBJ_REACHED=file.name)
                return test, result, seconds, {int(line) for line in Path(file.name).read_text().split()}

        wanted = [test for test in self.all if is_wanted(room_of(test)) and test not in self.seconds]
        with ThreadPoolExecutor(self.jobs) as pool:
            for test, result, seconds, reached in pool.map(one, wanted):
                self.seconds[test], self.reached[test] = seconds, reached
                if result != "passed":
                    print(f"fails without a mutant, not used: {test[1]}", flush=True)
                    self.failing.append(test)

    def chunks(self, mutant, is_wanted, reach_all):
        """Returns lists of tests that reach a mutant, the shortest first, each of one program."""
        tests = [test for test in self.seconds if is_wanted(room_of(test)) and test not in self.failing]
        tests = [test for test in tests if reach_all or mutant.number in self.reached[test]]
        chunk, total = [], 0.0
        for test in sorted(tests, key=lambda test: (PROGRAMS.index(test[0]), self.seconds[test])):
            if chunk and (total + self.seconds[test] > CHUNK or test[0] != chunk[0][0]):
                yield chunk, total
                chunk, total = [], 0.0
            chunk.append(test)
            total += self.seconds[test]
        if chunk:
            yield chunk, total

    def meet(self, mutant, is_wanted, programs=None):
        """Runs the tests that reach a mutant until one fails. Returns the verdict, or None if all pass."""
        number = 0 if programs else mutant.number
        for chunk, total in self.chunks(mutant, is_wanted, bool(programs)):
            seconds = SECONDS_PER_CHUNK + 10 * total
            result, _ = run(programs or self.programs, chunk, seconds, SKELOBJ_MUTANT=str(number))
            if result == "timed out":
                return "timed out", chunk[0][1]
            if result != "passed":
                return "caught", result
        return None


def room_of(test):
    return test[1].split("::")[0]


def tell(mutant):
    print(f"{mutant.verdict}: {mutant}{' by ' + mutant.by if mutant.by else ''}", flush=True)
    if mutant.verdict in ("MISSED", "by other rooms"):
        print(f"    {mutant.line}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", type=int, default=20, metavar="N", help="number of mutants (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="of the lot (default: a new one)")
    parser.add_argument("--only", default="", metavar="REGEX", help="draw from mutants with such a name or place")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="tests at a time (default: one for each processor)")
    parser.add_argument("--may-miss", type=int, default=0, metavar="N", help="mutants that may be missed (default: 0)")
    options = parser.parse_args()
    seed = options.seed or random.SystemRandom().randrange(1, 1 << 31)
    reasons = accepted()
    entries = listed()
    for name, line in reasons.keys() - {key(entry) for entry in entries}:
        print(f"{ACCEPTED.name}: no such mutant: {name}\n    {line}", flush=True)
    entries = [entry for entry in entries if re.search(options.only, entry["name"])]
    drawn = random.Random(seed).sample(entries, min(options.draw, len(entries)))
    print(f"seed {seed}: {len(drawn)} of {len(entries)} mutants", flush=True)
    mutants = [Mutant(number + 1, entry) for number, entry in enumerate(drawn)]
    for mutant in mutants:
        if mutant.key in reasons:
            mutant.verdict = "accepted"
            tell(mutant)
    clear()
    copy()
    open_ = [mutant for mutant in mutants if not mutant.verdict]
    tests = Tests(together(open_), options.jobs)
    rooms = {mutant.room for mutant in open_}
    tests.learn(lambda room: room in rooms)
    print(f"{len(tests.seconds)} tests of the rooms take {sum(tests.seconds.values()):.0f} s", flush=True)

    def judge(mutant, is_wanted, verdict=None):
        found = tests.meet(mutant, is_wanted, mutant.programs)
        if found:
            mutant.verdict, mutant.by = (verdict or found[0]), found[1]
            tell(mutant)

    def judge_all(chosen, is_wanted, verdict=None):
        with ThreadPoolExecutor(options.jobs) as pool:
            for _ in pool.map(lambda mutant: judge(mutant, lambda room: is_wanted(mutant, room), verdict), chosen):
                pass

    judge_all([mutant for mutant in open_ if not mutant.why_alone], lambda mutant, room: room == mutant.room)
    for mutant in open_:
        if mutant.why_alone:
            mutant.programs, _ = build({mutant.path: mutant.text()})
            if not mutant.programs:
                mutant.verdict = "unviable"
                tell(mutant)
    judge_all([mutant for mutant in open_ if mutant.programs], lambda mutant, room: room == mutant.room)
    left = [mutant for mutant in open_ if not mutant.verdict]
    if left:
        for mutant in left:
            print(f"passes its room: {mutant}\n    {mutant.line}", flush=True)
        tests.learn(lambda _: True)
        judge_all(left, lambda mutant, room: room != mutant.room, "by other rooms")
        for mutant in left:
            if not mutant.verdict:
                reached = sum(mutant.number in numbers for numbers in tests.reached.values())
                mutant.verdict, mutant.by = "MISSED", "" if mutant.programs else f"{reached} tests that reach it"
                tell(mutant)
    clear()
    counts = {}
    for mutant in mutants:
        counts[mutant.verdict] = counts.get(mutant.verdict, 0) + 1
    print(f"seed {seed}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    sys.exit(counts.get("MISSED", 0) > options.may_miss)


main()
