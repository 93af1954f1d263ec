#!/usr/bin/env python3
"""Counts the lines of LLVM IR that the compiler makes of the library's crates before it optimises them.

Compile time is a cost of users, and follows these lines: `.ci/ir-lines.py` prints them for each crate with its largest
functions, those of one source with all their types together. `--most LINES` fails above a sum.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATES = ("skelobj-model", "skelobj")
GENERICS = re.compile(r"(?<=\w)(?:::)?<[^<>]*>")


def emit(crate, target):
    """Compiles a crate with the features of the command, and returns the path of its IR."""
    command = ["cargo", "rustc", "--locked", "--release", "--lib", "--package", crate, "--features", "serde", "--"]
    command += ["--emit=llvm-ir", "-C", "no-prepopulate-passes", "-C", "codegen-units=1"]
    subprocess.run(command, cwd=ROOT, check=True, env=os.environ | {"CARGO_TARGET_DIR": str(target)})
    files = (target / "release/deps").glob(f"{crate.replace('-', '_')}-*.ll")
    return max(files, key=lambda file: file.stat().st_mtime)


def plain(name):
    """Returns the path of a function without its types."""
    before, name = None, name.replace("->", "")
    while before != name:
        before, name = name, GENERICS.sub("", name)
    return name


def count(path):
    """Returns the number of lines inside of functions, and those of each function with all its types."""
    functions, inside, comment = collections.Counter(), False, ""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("; ") and not line.startswith("; Function Attrs"):
                comment = line[2:].strip()
            elif line.startswith("define "):
                inside, name = True, plain(comment)
            elif line.startswith("}"):
                inside = False
            elif inside:
                functions[name] += 1
    return functions.total(), functions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, help="fail above this sum")
    parser.add_argument("--top", type=int, default=10, help="functions of each crate to list (default 10)")
    args = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "ir"
    whole = 0
    for crate in CRATES:
        lines, functions = count(emit(crate, target))
        whole += lines
        print(f"{lines:>9,} {crate}")
        for name, own in functions.most_common(args.top):
            print(f"{own:>9,}     {name[:110]}")
    print(f"{whole:>9,} lines")
    if args.most and whole > args.most:
        sys.exit(f"more than {args.most:,} lines of LLVM IR")


if __name__ == "__main__":
    main()
