#!/usr/bin/env python3
"""Makes the files that examples in the documentation load: the smallest ones that show something."""

import pathlib
from struct import pack, pack_into

HERE = pathlib.Path(__file__).parent


def turret():
    """A Half-Life model of one bone, the head, which a controller turns, with the sequence idle of four frames."""
    file = bytearray(648)
    file[:5] = b"IDST\x0a"
    for at, name in [(244, b"head"), (380, b"idle"), (556, b"chrome.bmp")]:
        file[at : at + len(name)] = name
    header = [(140, 1), (144, 244), (148, 1), (152, 356), (164, 1), (168, 380), (180, 1), (184, 556)]
    bone = [(at, -1) for at in (276, 284, 288, 292, 296, 300)]
    sequence = [(416, 1), (420, 1), (424, 1), (436, 4), (500, 1), (504, 636)]
    texture = [(620, 2), (624, 64), (628, 64)]
    # The controller turns around z, from -45 to 45 degrees; 128 is the middle.
    for at, word in [*header, *bone, (360, 0x20), (372, 128), *sequence, *texture]:
        pack_into("<i", file, at, word)
    for at, number in [(364, -45.0), (368, 45.0), (412, 10.0)]:
        pack_into("<f", file, at, number)
    return bytes(file)


def start():
    """A Quake III map without surfaces: a start and a door whose brush model does not exist."""
    entities = b'{ "classname" "info_player_start" "origin" "0 64 24" } { "classname" "func_door" "model" "*9" }'
    lumps = [(0, 0)] * 17
    lumps[0], lumps[7] = (184, len(entities)), (144, 40)
    return b"IBSP" + pack("<35i", 46, *(word for lump in lumps for word in lump)) + bytes(40) + entities


def floor():
    """A Half-Life map: one face, the floor, with a texture of 16 x 16 pixels, two greys as on a chess board."""
    pixels = bytes((x + y) % 2 for y in range(16) for x in range(16))
    sizes = [16, 8, 4, 2]
    texture, at = b"tile".ljust(16, b"\0") + pack("<2I", 16, 16), 40
    for size in sizes:
        texture += pack("<I", at)
        at += size * size
    texture += pixels + b"".join(bytes(size * size) for size in sizes[1:])
    texture += pack("<H", 2) + bytes([96] * 3 + [160] * 3)
    corners = [(-64, -64), (-64, 64), (64, 64), (64, -64)]  # clockwise, seen from above
    lumps = [b""] * 15
    lumps[0] = b'{ "classname" "worldspawn" }'
    lumps[1] = pack("<4fi", 0, 0, 1, 0, 2)
    lumps[2] = pack("<2i", 1, 8) + texture
    lumps[3] = b"".join(pack("<3f", x, y, 0) for x, y in corners)
    lumps[5] = pack("<i2h", 0, -2, -1) + bytes(16)
    lumps[6] = pack("<8f2I", 1, 0, 0, 8, 0, -1, 0, 0, 0, 0)
    lumps[7] = pack("<2Hi2H", 0, 0, 0, 4, 0) + bytes(8)
    lumps[10] = b"".join(pack("<i", contents) + bytes(24) for contents in (-2, -1))
    lumps[12] = pack("<10H", 0, 0, 0, 1, 1, 2, 2, 3, 3, 0)
    lumps[13] = pack("<4i", 1, 2, 3, 4)
    lumps[14] = pack("<9f7i", -64, -64, 0, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1)
    file, end = pack("<i", 30), 4 + 8 * 15
    for lump in lumps:
        file += pack("<2I", end, len(lump))
        end += len(lump)
    return file + b"".join(lumps)


for name, file in [("turret.mdl", turret()), ("start.bsp", start()), ("floor.bsp", floor())]:
    (HERE / name).write_bytes(file)
