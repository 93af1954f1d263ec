"""Reads rustdoc's JSON of this workspace's libraries.

The format of the JSON belongs to the compiler; this module knows the versions in FORMATS and says so for others.
"""

import json
import os
import pathlib
import subprocess
import sys

FORMATS = range(53, 62)
PACKAGES = {"skelobj": ["--all-features"], "skelobj-qcvm": ["--all-features"]}


def documentation(package):
    """Returns the documentation of a library's public items."""
    environment = dict(os.environ, RUSTC_BOOTSTRAP="1")
    target = pathlib.Path(environment.get("CARGO_TARGET_DIR", "target"))
    # Nothing older is read by mistake.
    result = target / "doc" / f"{package.replace('-', '_')}.json"
    result.unlink(missing_ok=True)
    command = ["cargo", "rustdoc", "-q", "-p", package, "--lib", *PACKAGES[package], "--"]
    subprocess.run([*command, "-Z", "unstable-options", "--output-format", "json"], env=environment, check=True)
    crate = json.loads(result.read_text())
    if crate["format_version"] not in FORMATS:
        sys.exit(f"rustdoc's JSON has version {crate['format_version']}, known are {FORMATS}")
    return crate
