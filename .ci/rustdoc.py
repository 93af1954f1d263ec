"""Reads rustdoc's JSON of this workspace's libraries.

The format of the JSON belongs to the compiler; this module knows the versions in FORMATS and says so for others.
"""

import functools
import json
import os
import pathlib
import subprocess
import sys

FORMATS = range(53, 62)
PACKAGES = ["skelobj", "skelobj-qcvm"]
# Crates whose items are those of the first package.
PARTS = ["skelobj_model"]
HERE = pathlib.Path(__file__).parent


@functools.cache
def folder():
    """Builds the documentation of all libraries, which must be without warnings, and returns its folder."""
    environment = dict(os.environ, RUSTDOC=str(HERE.resolve() / "rustdoc"), RUSTDOCFLAGS="-D warnings")
    command = ["cargo", "doc", "--locked", "-q", "--workspace", "--all-features", "--no-deps"]
    if subprocess.run(command, env=environment, cwd=HERE.parent).returncode:
        sys.exit("the documentation does not build")
    return HERE.parent / os.environ.get("CARGO_TARGET_DIR", "target") / "doc"


@functools.cache
def documentation(package):
    """Returns the documentation of a library's public items."""
    crate = json.loads((folder() / f"{package.replace('-', '_')}.json").read_text())
    if crate["format_version"] not in FORMATS:
        sys.exit(f"rustdoc's JSON has version {crate['format_version']}, known are {FORMATS}")
    return crate


class Walk:
    """Visits the public items of a crate under every path that exports them; subclasses say what to do with them.

    What a crate exports of one in PARTS is visited as its own."""

    def __init__(self, crate):
        self.crate = crate
        self.seen = set()
        root = self.item(crate["root"])
        self.module(root, root["name"])

    def item(self, number):
        return self.crate["index"].get(str(number)) if number is not None else None

    def key(self, item):
        """Returns what identifies an item: a number does in its own crate only."""
        return self.item(self.crate["root"])["name"], item["id"]

    def module(self, module, path):
        for number in module["inner"]["module"]["items"]:
            self.visit(self.item(number), path)

    def visit(self, item, path):
        if item is None or item["visibility"] != "public":
            return
        kind, inner = next(iter(item["inner"].items()))
        if kind == "use":
            return self.use(inner, path)
        name = f"{path}::{item['name']}"
        if (kind, name) in self.seen:
            return
        self.seen.add((kind, name))
        self.found(kind, item, inner, name)
        if kind == "module":
            self.module(item, name)

    def use(self, use, path):
        target = self.item(use["id"])
        if target is None and use["source"].split("::")[0] in PARTS:
            self.part(use, path)
        elif target is None:
            self.foreign(use, path)
        elif use["is_glob"]:
            self.module(target, path)
        else:
            self.visit({**target, "name": use["name"], "visibility": "public"}, path)

    def part(self, use, path):
        """Visits an item of another crate under the path of its re-export."""
        place = self.crate["paths"][str(use["id"])]["path"]
        user, self.crate = self.crate, documentation(place[0])
        # Numbers differ between the crates, paths do not.
        known = self.crate["paths"].items()
        number = next(n for n, item in known if item["crate_id"] == 0 and item["path"] == place)
        self.visit({**self.item(number), "name": use["name"], "visibility": "public"}, path)
        self.crate = user

    def found(self, kind, item, inner, name):
        """Notes an item that is not a re-export."""

    def foreign(self, use, path):
        """Notes a re-export of another crate's item."""
