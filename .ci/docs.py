#!/usr/bin/env python3
"""Checks the documentation: no warnings, examples on public items, and summaries of all items.

    .ci/docs.py            checks all, prints the share of types and methods with an example
    .ci/docs.py --missing  lists the public types and methods without an example, by module
    .ci/docs.py --prose    checks summaries and line lengths only, without building anything
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from rustdoc import PACKAGES, Walk, documentation

ROOT = pathlib.Path(__file__).parent.parent
SOURCES = ["src", "qcvm", "cli", "capi", "fuzz", "examples", "benches", "tests"]
# Least share of items with an example, percent.
TYPES, METHODS = 90, 60
WIDTH = 120
# A summary is read alone, so it cannot open with a word that stands for something said elsewhere.
OPENINGS = re.compile(
    r"(What|Whose|Who|Whom|It|Its|The same|As|They|Their|Such|That|Those|These|This|Where|How|Whether|Which|When|Why|Also|"
    r"And|But|Or|Like|Same|Likewise|Ditto|Here|There|Then|So|Otherwise|Else|Too|One of them|Both)\b"
)


class Examples(Walk):
    """The public types and methods of a crate, and which of them show an example."""

    def __init__(self, crate):
        self.types, self.methods = {}, {}
        super().__init__(crate)

    def found(self, kind, item, inner, name):
        if kind == "function":
            self.note(self.methods, item, name)
        elif kind in ("struct", "enum", "union", "trait"):
            self.note(self.types, item, name)
            for number in inner["items"] if kind == "trait" else self.inherent(inner):
                method = self.item(number)
                public = method and (kind == "trait" or method["visibility"] == "public")
                if public and "function" in method["inner"]:
                    self.note(self.methods, method, f"{name}::{method['name']}")

    def inherent(self, inner):
        blocks = (self.item(number) for number in inner["impls"])
        blocks = (block["inner"]["impl"] for block in blocks if block)
        return [number for block in blocks if block["trait"] is None for number in block["items"]]

    @staticmethod
    def note(names, item, name):
        # An item that is exported twice counts once, under its shorter name.
        old = names.get(item["id"])
        if old is None or len(name) < len(old[0]):
            names[item["id"]] = (name, has_example(item["docs"] or ""))


def has_example(docs):
    fences = re.findall(r"^ {0,3}```(.*)$", docs, re.MULTILINE)[::2]
    return any(not {"text", "sh", "ignore"} & set(fence.split(",")) for fence in fences)


def sources():
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.rs")):
            if "target" not in path.relative_to(ROOT).parts:
                yield path


def prose():
    """Returns the summaries that lean on other items, and the lines of documentation that are too long."""
    found = []
    for path in sources():
        fenced, before = False, ""
        for number, line in enumerate(path.read_text().splitlines(), 1):
            comment = re.match(r"\s*//[/!]( ?)(.*)", line)
            text = comment.group(2) if comment else ""
            place = f"{path.relative_to(ROOT)}:{number}"
            opens = comment and not before
            if text.startswith("```"):
                fenced = not fenced
            elif opens and OPENINGS.match(text):
                found.append(f"{place}: a summary that opens with \"{OPENINGS.match(text).group(1)}\"")
            if comment and len(line) > WIDTH and "http" not in line and "|" not in line:
                found.append(f"{place}: {len(line)} columns")
            before = comment and (fenced or comment.group(0)) or ""
            if not comment:
                fenced = False
    return found


def share(names):
    shown = sum(has for _, has in names)
    return shown, len(names), 100 * shown / max(len(names), 1)


def main(arguments):
    if arguments not in ([], ["--missing"], ["--prose"]):
        sys.exit(__doc__)
    if arguments == ["--prose"]:
        found = prose()
        print("\n".join(found) or "summaries: none leans on another item")
        sys.exit(bool(found))
    crates = [Examples(documentation(package)) for package in PACKAGES]
    types = sorted(entry for crate in crates for entry in crate.types.values())
    methods = sorted(entry for crate in crates for entry in crate.methods.values())
    if arguments == ["--missing"]:
        print("\n".join(f"type {name}" for name, has in types if not has))
        print("\n".join(f"method {name}" for name, has in methods if not has))
        return
    failed = False
    for what, names, least in [("types", types, TYPES), ("methods", methods, METHODS)]:
        shown, of, percent = share(names)
        print(f"{what} with an example: {shown} of {of}, {percent:.1f} % (at least {least} %)")
        failed |= percent < least
    found = prose()
    print("\n".join(found) or "summaries: none leans on another item")
    sys.exit(bool(found) or failed)


main(sys.argv[1:])
