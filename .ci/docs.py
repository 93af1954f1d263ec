#!/usr/bin/env python3
"""Checks the documentation: no warnings, examples on public items and what they hide, the guide, and the prose.

    .ci/docs.py            checks all, prints the share of types and methods with an example
    .ci/docs.py --missing  lists the public types and methods without an example, by module
    .ci/docs.py --prose    checks the prose, the hidden lines of examples and the guide, without building anything
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from prose import ROOT, comments, findings, markdown_files, rust_files
from rustdoc import PACKAGES, Walk, documentation

# Least share of items with an example, percent.
TYPES, METHODS = 90, 60
# Most lines that an example may hide: the reader is to be able to write it down and run it.
HIDDEN = 3
GUIDE = ROOT / "docs" / "guide"
# Words after a fence that rustdoc takes for Rust.
RUST = {"", "rust", "no_run", "should_panic", "compile_fail", "ignore", "edition2024"}


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

    def note(self, names, item, name):
        # An item that is exported twice counts once, under its shorter name.
        old = names.get(self.key(item))
        if old is None or len(name) < len(old[0]):
            names[self.key(item)] = (name, has_example(item["docs"] or ""))


def has_example(docs):
    fences = re.findall(r"^ {0,3}```(.*)$", docs, re.MULTILINE)[::2]
    return any(not {"text", "sh", "ignore"} & set(fence.split(",")) for fence in fences)


def lines_of_documentation():
    """Returns every file with examples, and its lines of documentation with their numbers."""
    for path in rust_files():
        runs = [run for run in comments(path) if run.kind != "//"]
        yield path, [line for run in runs for line in run.lines + [(0, "")]]
    for path in markdown_files():
        yield path, list(enumerate(path.read_text().splitlines(), 1))


def examples():
    """Returns the place of every example in Rust, and how many lines it hides."""
    found = []
    for path, lines in lines_of_documentation():
        fence, hidden = None, 0
        for number, line in lines:
            text = line.strip()
            if text.startswith("```") and fence:
                place, words = fence
                if RUST.issuperset(words.split(",")):
                    found.append((place, hidden))
                fence = None
            elif text.startswith("```"):
                fence, hidden = (f"{path.relative_to(ROOT)}:{number}", text.strip("`")), 0
            elif text == "#" or text.startswith("# "):
                hidden += 1
    return found


def chapters():
    """Returns what is wrong with the titles of the guide's chapters, and with the links at their ends."""
    contents = re.findall(r"^\d+\. \[(.+)\]\((.+)\):", (GUIDE / "README.md").read_text(), re.MULTILINE)
    missing = {path.name for path in GUIDE.glob("*.md")} - {"README.md"} - {file for _, file in contents}
    found = [f"docs/guide/{file}: not in the contents" for file in sorted(missing)]
    for number, (title, file) in enumerate(contents):
        text = (GUIDE / file).read_text()
        before, after = contents[:number][-1:], contents[number + 1 :][:1]
        links = [f"Before: [{name}]({link})." for name, link in before] + [f"Next: [{name}]({link})." for name, link in after]
        links.append("[The order of a frame](frame-loop.md#the-order-of-a-frame). [Contents](README.md).")
        if not text.startswith(f"# {title}\n"):
            found.append(f"docs/guide/{file}: another title than in the contents")
        if " ".join(text.split("\n\n")[-1].split()) != " ".join(links):
            found.append(f"docs/guide/{file}: its end is not: {' '.join(links)}")
    return found


def text_findings():
    """Prints what reading the sources finds, without building anything; returns `True` if it found something."""
    shown = examples()
    hiding = [f"{place}: an example hides {hidden} lines" for place, hidden in shown if hidden > HIDDEN]
    found = findings() + chapters()
    print("\n".join(found) or "prose: nothing found")
    print("\n".join([*hiding, f"examples: {len(shown)}, {len(hiding)} of which hide more than {HIDDEN} lines"]))
    return bool(found or hiding)


def share(names):
    shown = sum(has for _, has in names)
    return shown, len(names), 100 * shown / max(len(names), 1)


def main(arguments):
    if arguments not in ([], ["--missing"], ["--prose"]):
        sys.exit(__doc__)
    if arguments == ["--prose"]:
        sys.exit(text_findings())
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
    sys.exit(text_findings() or failed)


main(sys.argv[1:])
