#!/usr/bin/env python3
"""Lists the licences of everything that this workspace links, from cargo's own tree.

    .ci/licences.py --check    compares docs/licences.md and the README with the tree, and every licence with those allowed
    .ci/licences.py --write    writes docs/licences.md
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
LIST = ROOT / "docs" / "licences.md"
README = ROOT / "README.md"
# A row of the README's table of features: the feature, and how many crates it compiles.
FEATURE = re.compile(r"^\| `?([a-z-]+)`?(?: \(default\))? \|.*\| (\d+) \|$", re.MULTILINE)
# A crate whose expression offers one of these can be linked into an engine under any licence ...
PERMISSIVE = {"MIT", "Zlib", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Unlicense", "CC0-1.0", "ISC"}
# ... and one of these needs GPL-3.0 where the engine is GPL, as rapier does.
APACHE = {"Apache-2.0"}
# The data of Unicode, which goes along with a library's own licence.
BESIDE = {"Unicode-3.0"}
TREES = [
    ("skelobj-model", ["-p", "skelobj-model", "--all-features"]),
    ("skelobj-qcvm", ["-p", "skelobj-qcvm", "--all-features"]),
    ("skelobj without features", ["-p", "skelobj", "--no-default-features"]),
    ("With `gltf`", ["-p", "skelobj", "--no-default-features", "--features", "gltf"]),
    ("With `serde`", ["-p", "skelobj", "--no-default-features", "--features", "serde"]),
    ("With `parallel`", ["-p", "skelobj", "--no-default-features", "--features", "parallel"]),
    ("With all features", ["-p", "skelobj", "--all-features"]),
    ("The command `skelobj`", ["-p", "skelobj-cli", "--all-features"]),
]
HEAD = """# Licences

skelobj is MIT OR Apache-2.0. The tables list every crate that a build links, with build scripts and procedural macros, from
`cargo tree`; each table leaves out what an earlier one has. `.ci/licences.py --check` compares them with the tree, and
fails on a licence that is not on its list.

Quake engines are GPL-2.0-or-later. Crates under MIT, BSD, Zlib and similar licences fit that as it is. A crate under
Apache-2.0 alone turns the whole into GPL-3.0-or-later. rapier is such a crate, and skelobj does not build without it;
skelobj-model and skelobj-qcvm do not need it: the first has models, poses and levels, but no handles and no builtins.

`plugins/fte` and `plugins/darkplaces` are not crates, and not under these licences: their sources are GPL-2.0-or-later
because they include the headers of FTEQW and DarkPlaces. What is built from them links rapier, so that binary is under
GPL-3.0-or-later. Nothing else in this repository depends on them, and the crates do not contain them.
"""


def tree(options):
    command = ["cargo", "tree", "--locked", "-e", "normal,build", "--target", "all", "--prefix", "none", *options]
    text = subprocess.run([*command, "-f", "{p}|{l}"], check=True, capture_output=True, text=True).stdout
    crates = {}
    for line in text.splitlines():
        package, licence = line.removesuffix(" (*)").split("|")
        name, version = package.split()[:2]
        if not name.startswith("skelobj"):
            crates[name, version.removeprefix("v")] = licence
    return crates


def choices(expression):
    """Returns the licences that an expression offers, each a set of licences that hold together."""
    parts = re.split(r" OR |/", expression.replace("(", "").replace(")", ""))
    if " AND " in expression:
        # All of these are of the form `(A OR B) AND C`.
        either, beside = expression.rsplit(" AND ", 1)
        return [choice | {beside} for choice in choices(either)]
    return [{part} for part in parts]


def is_allowed(expression, licences):
    return any(choice <= licences | BESIDE for choice in choices(expression))


def listing():
    seen, text = set(), [HEAD]
    for title, options in TREES:
        crates = tree(options)
        for (name, version), licence in crates.items():
            if not is_allowed(licence, PERMISSIVE | APACHE):
                sys.exit(f"{title}: {name} {version} is {licence or 'without a licence'}, which .ci/licences.py does not allow")
        rows = sorted((name, licence) for (name, _), licence in crates.items() if name not in seen)
        seen.update(name for name, _ in rows)
        only_apache = sorted({name for name, licence in rows if not is_allowed(licence, PERMISSIVE)})
        text.append(f"## {title}\n\n{len(crates)} crates.")
        if only_apache:
            text[-1] += f" Apache-2.0 alone: {', '.join(f'`{name}`' for name in only_apache)}."
        text[-1] += "\n"
        if rows:
            lines = [f"| {name} | {licence} |" for name, licence in dict(rows).items()]
            text.append("| crate | licence |\n|---|---|\n" + "\n".join(lines) + "\n")
    return "\n".join(text)


def check_readme():
    manifest = (ROOT / "Cargo.toml").read_text().split("\n[features]\n")[1].split("\n[")[0]
    features = set(re.findall(r"^([a-z0-9_-]+) = ", manifest, re.MULTILINE)) - {"default"} | {"none"}
    rows = {feature for feature, _ in FEATURE.findall(README.read_text())}
    if rows != features:
        sys.exit(f"README.md: the table of features and the manifest differ in {', '.join(sorted(rows ^ features))}")
    for feature, stated in FEATURE.findall(README.read_text()):
        options = [] if feature == "none" else ["--features", feature]
        crates = tree(["-p", "skelobj", "--no-default-features", *options])
        # The machine is a crate of this workspace.
        count = len(crates) + (feature == "qcvm")
        if count != int(stated):
            sys.exit(f"README.md: `{feature}` compiles {count} crates, not {stated}")


def main(arguments):
    if arguments == ["--write"]:
        LIST.write_text(listing())
    elif arguments == ["--check"]:
        if LIST.read_text() != listing():
            sys.exit("docs/licences.md is not the tree's: look at what changed, then run .ci/licences.py --write")
        check_readme()
        print("licences: all allowed, as listed")
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
