#!/usr/bin/env python3
"""Makes the pictures of the documentation.

    docs/pictures.py                        makes all pictures that a command makes, and records what they are made of
    docs/pictures.py docs/strip.png         makes this one; if it is made by hand, records that it is as it should be
    docs/pictures.py --check                lists the pictures that are older than what they are made of; makes nothing
    docs/pictures.py --again                makes all of them elsewhere, and lists those whose bytes differ
    docs/pictures.py --command PATH         runs this program rather than `cargo run --release`

`docs/pictures.txt` has a hash for each picture: of the picture, of the steps that make it, and of the files that decide
what it shows. Those are data and the code that draws; a fall that changes with the physics is found by --again.
"""

import argparse
import dataclasses
import hashlib
import inspect
import pathlib
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
HASHES = ROOT / "docs/pictures.txt"
sys.dont_write_bytecode = True
sys.path.append(str(ROOT / "plugins/common"))

import drawings
import room

RENDERER = ["cli/src/draw/*.rs", "!cli/src/draw/gif.rs", "!cli/src/draw/glb.rs"]
FILM = RENDERER + ["cli/src/script/film.rs", "cli/src/script/figure.rs", "cli/src/script/moments.rs"]
MANNEQUIN = ["dolls/mannequin.iqm", "dolls/mannequin.doll"]


@dataclasses.dataclass
class Picture:
    """A picture, its steps in order, and patterns of the files that decide what it shows, with ! for those that do not.

    A step is a command or a function. Commands are run in the root of the repository; `{folder}` is a folder of their
    own, and `{out}` the file of the picture. `skelobj` is the command of this repository, `example` runs an example.
    """

    path: str
    steps: list
    inputs: list
    by_hand: str = ""

    def files(self):
        """Returns the files that decide what the picture shows."""
        found = set()
        for pattern in self.inputs:
            matches = set(ROOT.glob(pattern.removeprefix("!")))
            if not matches:
                sys.exit(f"{self.path}: no file is named {pattern}")
            found = found - matches if pattern.startswith("!") else found | matches
        return sorted(found)

    def hash(self):
        steps = [step if isinstance(step, str) else inspect.getsource(step) for step in self.steps]
        parts = ["\n".join([self.path, self.by_hand, *steps]).encode()]
        for file in [ROOT / self.path, *self.files()]:
            parts += [str(file.relative_to(ROOT)).encode(), file.read_bytes()]
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()

    def make(self, out, skelobj):
        programs = {"skelobj": skelobj, "example": ["cargo", "run", "--quiet", "--locked", "--example"]}
        with tempfile.TemporaryDirectory() as folder:
            for step in self.steps:
                if not isinstance(step, str):
                    step(pathlib.Path(folder), out)
                    continue
                program, *arguments = [word.format(folder=folder, out=out) for word in shlex.split(step)]
                if program == "example":
                    arguments.insert(1, "--")
                subprocess.run(programs[program] + arguments, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def drawing(folder, out):
    out.write_text(drawings.DRAWINGS[out.stem]().text())


def tied_rope(folder, out):
    """Writes the rope's doll with its nail enabled."""
    doll = (ROOT / "dolls/rope.doll").read_text()
    (folder / "tied.doll").write_text(doll.replace("enabled 0\n", "enabled 1\n"))


def without_muscles(folder, out):
    """Writes the mannequin's doll without muscles."""
    lines = (ROOT / "dolls/mannequin.doll").read_text().splitlines(keepends=True)
    kept = [line for line in lines if not line.strip().startswith(("muscle ", "slacken "))]
    (folder / "limp.doll").write_text("".join(kept))


def stairs(folder, out):
    """Writes a map of stairs that lead down along X, from a height of 96 units at the origin."""
    boxes = [room.Box((-128, -192, -64), (32, 192, 96), "tiles")]
    for step in range(12):
        boxes.append(room.Box((32 + 16 * step, -192, -64), (48 + 16 * step, 192, 88 - 8 * step), "tiles"))
    boxes.append(room.Box((224, -192, -64), (512, 192, 0), "tiles"))
    made = room.Map()
    made.model(boxes, (-256, -256, -128), (576, 256, 320), boxes)
    (folder / "stairs.bsp").write_bytes(made.bytes([{"classname": "worldspawn"}]))


def one_above_the_other(folder, out):
    """Joins above.png and below.png, which have the same width, with a gap between them.

    The rows are copied as they are packed. A row may be stored as the difference from the one above it, which is a
    transparent one at the top of a picture, as in the gap.
    """
    width, rows, header = None, [], b""
    for name in ("above.png", "below.png"):
        data, at, packed = (folder / name).read_bytes(), 8, b""
        while at < len(data):
            (length,) = struct.unpack_from(">I", data, at)
            kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
            if kind == b"IHDR":
                header = body
            elif kind == b"IDAT":
                packed += body
            at += 12 + length
        wide, high, depth, colour = struct.unpack_from(">IIBB", header)
        if (depth, colour) != (8, 6) or width not in (None, wide):
            sys.exit(f"{out}: {name} has another width or other pixels")
        if rows:
            rows.append(bytes(4 * (1 + 4 * wide)))
        width = wide
        rows.append(zlib.decompress(packed))
    height = sum(map(len, rows)) // (1 + 4 * width)
    chunks = [
        (b"IHDR", struct.pack(">II", width, height) + header[8:]),
        (b"IDAT", zlib.compress(b"".join(rows), 9)),
        (b"IEND", b""),
    ]
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    out.write_bytes(data)


def death(name, fall, before=(), inputs=()):
    draw = f"skelobj draw {MANNEQUIN[0]} --drop --no-bodies --width 1000 {fall}"
    return Picture(
        f"docs/deaths/{name}.png",
        [
            without_muscles,
            *before,
            draw + " --doll {folder}/limp.doll -o {folder}/above.png",
            draw + " -o {folder}/below.png",
            one_above_the_other,
        ],
        RENDERER + MANNEQUIN + list(inputs),
    )


def lesson(name, options, before=(), inputs=()):
    return Picture(
        f"docs/dolls/{name}.png",
        [*before, f"skelobj draw dolls/{name}.iqm {options} -o " + "{out}"],
        RENDERER + [f"dolls/{name}.iqm", f"dolls/{name}.doll"] + list(inputs),
    )


PICTURES = [
    Picture(
        "docs/crowd.gif",
        [
            stairs,
            "skelobj script examples/quakec/crowd.dat --frames 260 --map {folder}/stairs.bsp --draw {out} --width 560"
            " --no-bodies",
        ],
        FILM + ["cli/src/draw/gif.rs"] + MANNEQUIN + ["examples/quakec/crowd.dat", "plugins/common/room.py"],
    ),
    Picture("docs/strip.png", ["skelobj draw --panels 6 -o {out}"], RENDERER + MANNEQUIN),
    Picture(
        "docs/feet.png",
        ["example feet {folder}/feet.iqm", "skelobj draw {folder}/feet.iqm --anim stairs --panels 6 -o {out}"],
        RENDERER + ["examples/feet.rs", MANNEQUIN[0]],
    ),
    Picture(
        "docs/walk.png",
        ["example walk {folder}/walk.iqm", "skelobj draw {folder}/walk.iqm --anim walked --panels 6 -o {out}"],
        RENDERER + ["examples/walk.rs", MANNEQUIN[0]],
    ),
    Picture(
        "docs/water.png",
        ["skelobj draw --water 48 --seed 3 --panels 6 --width 1200 -o {out}"],
        RENDERER + MANNEQUIN,
    ),
    Picture(
        "docs/mod-strip.png",
        [
            "skelobj script examples/quakec/mod/mod.dat --frames 960 --floor 0 --draw {out} --panels 6 --columns 3"
            " --width 760"
        ],
        FILM
        + MANNEQUIN
        + ["dolls/mannequin_getup.iqm", "examples/quakec/mod/mod.dat", "examples/quakec/mod/gun.md5mesh"],
    ),
    death("standing", "--from idle --orient 0,20,0"),
    death("running", "--from run --velocity 300,0,0"),
    death("pushed", "--from idle --velocity 0,90,0 --spin=-2.2,0,0"),
    death(
        "stairs",
        "--from run --velocity 200,0,0 --level {folder}/stairs.bsp --at 0,0,96",
        [stairs],
        ["plugins/common/room.py"],
    ),
    lesson("ponytail", "--panels 6 --width 1080"),
    lesson("rope", "--doll {folder}/tied.doll --seed 1 --width 1200", [tied_rope]),
    lesson("turret", "--panels 6 --width 1000"),
    lesson("dog", "--panels 6 --width 1080"),
    *(Picture(f"docs/dolls/{name}.svg", [drawing], ["docs/drawings.py"]) for name in drawings.DRAWINGS),
    Picture(
        "docs/web.png",
        [],
        ["web/page/shell.html", "web/page/style.css", "web/page/colors.js", "web/page/plots.js"],
        "serve web/dist, open it in a window of 1400 x 840, go to the line `body chest` of the doll, let the fall end,"
        " go back to 0.6 seconds, point at the word `size` in the block of the pelvis, and take a picture of the window in 256 colours",
    ),
    Picture(
        "docs/fte.png",
        [],
        ["plugins/fte/demo/scene*", "plugins/common/room.py", "examples/quakec/mod/gun.md5mesh"],
        "run `make -C plugins/fte picture` as plugins/fte/README.md shows, and reduce its picture to 960 x 540 and 256"
        " colours",
    ),
]


def recorded():
    """Returns the hashes of the last time, by the paths of pictures."""
    if not HASHES.exists():
        return {}
    return {path: value for value, path in (line.split() for line in HASHES.read_text().splitlines())}


def check():
    """Lists pictures that are not as recorded, with what makes them again."""
    hashes, known = recorded(), {picture.path for picture in PICTURES}
    wrong = []
    for picture in PICTURES:
        again = f"run docs/pictures.py {picture.path}"
        if picture.by_hand:
            again = f"{picture.by_hand}; then {again}"
        if not (ROOT / picture.path).exists():
            wrong.append(f"{picture.path} does not exist: {again}")
        elif hashes.get(picture.path) != picture.hash():
            wrong.append(f"{picture.path} or what it is made of changed since it was made: {again}")
    for ending in ("gif", "png", "svg"):
        for file in sorted((ROOT / "docs").rglob(f"*.{ending}")):
            path = str(file.relative_to(ROOT))
            if path not in known:
                wrong.append(f"{path} is in no row of docs/pictures.py: add one that says what makes it")
    wrong += [f"{path} is in docs/pictures.txt only: run docs/pictures.py" for path in sorted(hashes.keys() - known)]
    return wrong


def again(skelobj):
    """Makes the pictures elsewhere, and lists those that differ."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for picture in PICTURES:
            if picture.by_hand:
                continue
            out = pathlib.Path(folder) / pathlib.Path(picture.path).name
            picture.make(out, skelobj)
            if out.read_bytes() != (ROOT / picture.path).read_bytes():
                wrong.append(f"{picture.path} differs from what its steps make: run docs/pictures.py {picture.path}")
            out.unlink()
    return wrong


def make(names, skelobj):
    known = {picture.path: picture for picture in PICTURES}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no such picture: {', '.join(unknown)}; there are {', '.join(known)}")
    hashes = {path: value for path, value in recorded().items() if path in known}
    for picture in PICTURES:
        if picture.path not in names and (names or picture.by_hand):
            continue
        if not picture.by_hand:
            with tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / pathlib.Path(picture.path).name
                picture.make(out, skelobj)
                shutil.copyfile(out, ROOT / picture.path)
        hashes[picture.path] = picture.hash()
        HASHES.write_text("".join(f"{hashes[path]} {path}\n" for path in sorted(hashes)))
        print(picture.path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="*", help="pictures to make, as docs/strip.png; without any, all of them")
    parser.add_argument("--check", action="store_true", help="compare hashes only")
    parser.add_argument("--again", action="store_true", help="make the pictures elsewhere and compare their bytes")
    parser.add_argument("--command", metavar="PATH", help="the program skelobj, rather than `cargo run --release`")
    arguments = parser.parse_args()
    skelobj = ["cargo", "run", "--quiet", "--release", "--locked", "--"]
    if arguments.command:
        skelobj = [str(pathlib.Path(arguments.command).resolve())]
    if not arguments.check and not arguments.again:
        return make(arguments.pictures, skelobj)
    wrong = check() if arguments.check else again(skelobj)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
