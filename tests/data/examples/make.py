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


def glow():
    """NeL tracks: the constant 0.5 under the name glow."""
    text = lambda word: pack("<I", len(word)) + word
    names = pack("<I", 1) + text(b"glow") + pack("<I", 0)
    track = pack("<Q", 1) + text(b"CTrackDefaultFloat") + pack("<Bf", 0, 0.5)
    return b"NEL_ANIM" + pack("<B", 0) + text(b"") + names + pack("<I", 1) + track


for name, file in [("turret.mdl", turret()), ("start.bsp", start()), ("glow.anim", glow())]:
    (HERE / name).write_bytes(file)
