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
import random
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


def stairs(folder, out):
    """Writes a map of stairs that lead down along X, from a height of 96 units at the origin."""
    boxes = [room.Box((-128, -192, -64), (32, 192, 96), "tiles")]
    for step in range(12):
        boxes.append(room.Box((32 + 16 * step, -192, -64), (48 + 16 * step, 192, 88 - 8 * step), "tiles"))
    boxes.append(room.Box((224, -192, -64), (512, 192, 0), "tiles"))
    made = room.Map()
    made.model(boxes, (-256, -256, -128), (576, 256, 320), boxes)
    (folder / "stairs.bsp").write_bytes(made.bytes([{"classname": "worldspawn"}]))


def pixels(file):
    """Returns the width of a picture that skelobj has drawn, and its rows on white, as bytes of red, green and blue."""
    data, at, packed = file.read_bytes(), 8, b""
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            if (depth, colour) != (8, 6):
                sys.exit(f"{file}: not 8 bits each of red, green, blue and alpha")
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    lines, above, rows = zlib.decompress(packed), bytes(4 * width), []
    for line in range(height):
        start = line * (1 + 4 * width)
        kind, row = lines[start], bytearray(lines[start + 1 : start + 1 + 4 * width])
        for i in range(len(row)):
            left, up, corner = (row[i - 4], above[i], above[i - 4]) if i >= 4 else (0, above[i], 0)
            if kind == 4:
                near = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
                predicted = [left, up, corner][near.index(min(near))]
            else:
                predicted = [0, left, up, (left + up) // 2][kind]
            row[i] = (row[i] + predicted) & 0xFF
        above = bytes(row)
        on_white = (255 + (part - 255) * row[i | 3] // 255 for i, part in enumerate(row) if i & 3 < 3)
        rows.append(bytes(on_white))
    return width, rows


def stacked(folder, out):
    """Joins the strips 0.png, 1.png ... one below the other, in 256 colours or fewer."""
    strips = [pixels(folder / f"{number}.png") for number in range(FALLS)]
    colours, joined, width = {}, [], max(width for width, _ in strips)
    for own, rows in strips:
        for row in rows:
            row = row + b"\xff" * (3 * (width - own))
            joined.append([tuple(part & 0xF8 | part >> 5 for part in row[i : i + 3]) for i in range(0, len(row), 3)])
    for colour in (colour for row in joined for colour in row):
        colours[colour] = colours.get(colour, 0) + 1
    palette = sorted(colours, key=lambda colour: (-colours[colour], colour))[:256]
    apart = lambda a, b: sum((x - y) ** 2 for x, y in zip(a, b))
    nearest = {colour: min(range(len(palette)), key=lambda i: apart(palette[i], colour)) for colour in colours}
    rows = b"".join(b"\0" + bytes(nearest[colour] for colour in row) for row in joined)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", len(joined[0]), len(joined), 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(part for colour in palette for part in colour)),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    ]
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    out.write_bytes(data)


# Number of falls in a picture of deaths.
FALLS = 10


def deaths(name, start, across, fall, before=(), inputs=()):
    """Two pictures of ten falls: the bodies are limp at once, and while the death animation plays on. `start` is the
    animation before the first, `across` the width of a panel, and `fall` takes a source of random numbers and returns
    options of draw."""
    chance = random.Random(name)
    draw = f"skelobj draw {MANNEQUIN[0]} --drop --no-bodies --width 960 --panels 6 --across {across}"
    draws = [fall(lambda least, most: f"{chance.uniform(least, most):.2f}") for _ in range(FALLS)]
    pictures = []
    for kind, options in [("cut", f"--from {start}"), ("fade", "--from death --fade 0.3")]:
        steps = [f"{draw} {options} {own} -o {{folder}}/{number}.png" for number, own in enumerate(draws)]
        files = RENDERER + MANNEQUIN + list(inputs)
        pictures.append(Picture(f"docs/deaths/{name}-{kind}.png", [*before, *steps, stacked], files))
    return pictures


def lesson(name, options, before=(), inputs=()):
    return Picture(
        f"docs/dolls/{name}.png",
        [*before, f"skelobj draw dolls/{name}.iqm {options} -o " + "{out}"],
        RENDERER + [f"dolls/{name}.iqm", f"dolls/{name}.doll"] + list(inputs),
    )


PICTURES = [
    Picture(
        "docs/shot_on_stairs.gif",
        [
            stairs,
            "skelobj script examples/quakec/shot_on_stairs.dat --models dolls --frames 156 --map {folder}/stairs.bsp"
            " --draw {out} --width 620 --no-bodies --focus 1",
        ],
        FILM
        + ["cli/src/draw/gif.rs", "plugins/common/room.py", "examples/quakec/shot_on_stairs.dat", "dolls/rope.iqm"]
        + MANNEQUIN,
    ),
    Picture("docs/strip.png", ["skelobj draw --panels 6 -o {out}"], RENDERER + MANNEQUIN),
    Picture(
        "docs/feet.png",
        ["example feet {folder}/feet.iqm", "skelobj draw {folder}/feet.iqm --anim stairs --columns 4 -o {out}"],
        RENDERER + ["examples/feet.rs", MANNEQUIN[0]],
    ),
    Picture(
        "docs/walk.png",
        ["example walk {folder}/walk.iqm", "skelobj draw {folder}/walk.iqm --anim walked --panels 6 -o {out}"],
        RENDERER + ["examples/walk.rs", MANNEQUIN[0]],
    ),
    Picture(
        "docs/kept-rotations.png",
        ["skelobj script examples/quakec/kept_rotations.dat --frames 3 --dt 0.25 --draw {out} --width 960"],
        FILM + ["examples/quakec/kept_rotations.dat", MANNEQUIN[0]],
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
    *deaths(
        "standing",
        "idle",
        110,
        lambda draw: f"--orient 0,{draw(-30, 30)},0 --velocity {draw(-15, 15)},{draw(-15, 15)},0"
        f" --spin={draw(-0.2, 0.2)},{draw(-0.2, 0.2)},{draw(-0.3, 0.3)}",
    ),
    *deaths(
        "running",
        "run",
        240,
        lambda draw: f"--velocity {draw(220, 340)},{draw(-40, 40)},0"
        f" --spin=0,{draw(-0.4, 0.4)},{draw(-0.6, 0.6)}",
    ),
    *deaths(
        "pushed",
        "idle",
        140,
        lambda draw: f"--velocity {draw(-30, 30)},{draw(60, 140)},0"
        f" --spin={draw(-3.4, -1.5)},{draw(-0.4, 0.4)},{draw(-0.5, 0.5)}",
    ),
    *deaths(
        "stairs",
        "run",
        240,
        lambda draw: f"--velocity {draw(150, 260)},{draw(-30, 30)},0 --level {{folder}}/stairs.bsp"
        f" --at {draw(-20, 10)},{draw(-60, 60)},96 --spin=0,{draw(-0.4, 0.4)},{draw(-0.6, 0.6)}",
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
