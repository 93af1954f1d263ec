#!/usr/bin/env python3
"""Makes a small Quake map with its own textures and palette, for demos that need no game.

    room.py FOLDER    writes FOLDER/maps/room.bsp, FOLDER/gfx/palette.lmp and, for the mannequin, FOLDER/textures

The map is a lit hall with pillars, crates, steps, a pool, a func_door and a start for a player. It is a list of boxes,
from which a BSP tree, collision hulls and lightmaps are computed.
"""
import os
import random
import struct
import sys

LIGHT_STEP = 16  # units per sample of a lightmap, as engines expect
FACE = 240  # largest side of a face: a lightmap has at most 18 samples a side
EMPTY, SOLID, WATER = -1, -2, -3
# A box that moves through the hulls: from the box of a player to that of a large monster.
HULLS = [((0, 0, 0), (0, 0, 0)), ((-16, -16, -24), (16, 16, 32)), ((-32, -32, -24), (32, 32, 64))]
LAMPS = [((-256, -128, 232), 330), ((-256, 160, 232), 330), ((64, 0, 232), 360), ((352, -160, 232), 330), ((352, 192, 232), 330)]
AMBIENT = 46


class Box:
    def __init__(self, low, high, side, top=None, contents=SOLID):
        self.low, self.high, self.contents = low, high, contents
        self.textures = (side, side, top or side)

    def grown(self, hull):
        """Where the origin of a hull's box must not be."""
        mins, maxs = HULLS[hull]
        low = tuple(self.low[axis] - maxs[axis] for axis in range(3))
        high = tuple(self.high[axis] - mins[axis] for axis in range(3))
        return Box(low, high, "", contents=self.contents)

    def overlaps(self, low, high):
        return all(self.low[axis] < high[axis] and self.high[axis] > low[axis] for axis in range(3))

    def covers(self, low, high):
        return all(self.low[axis] <= low[axis] and self.high[axis] >= high[axis] for axis in range(3))


def hall():
    """The boxes of the world. None overlaps another."""
    low, high, thick = (-512, -384, 0), (512, 384, 256), 64
    a, b = [x - thick for x in low], [x + thick for x in high]
    pool, deep = ((256, 64), (448, 320)), -56
    boxes = [
        # The floor around the pool, and the pool's bottom.
        Box((a[0], a[1], a[2] - 64), (pool[0][0], b[1], 0), "brick", "tiles"),
        Box((pool[1][0], a[1], a[2] - 64), (b[0], b[1], 0), "brick", "tiles"),
        Box((pool[0][0], a[1], a[2] - 64), (pool[1][0], pool[0][1], 0), "brick", "tiles"),
        Box((pool[0][0], pool[1][1], a[2] - 64), (pool[1][0], b[1], 0), "brick", "tiles"),
        Box((*pool[0], a[2] - 64), (*pool[1], deep), "brick", "tiles"),
        Box((*pool[0], deep), (*pool[1], -12), "*pool", contents=WATER),
        Box((a[0], a[1], high[2]), tuple(b), "panel"),
        Box((a[0], a[1], 0), (low[0], b[1], high[2]), "brick"),
        Box((high[0], a[1], 0), (b[0], b[1], high[2]), "brick"),
        Box((low[0], a[1], 0), (high[0], low[1], high[2]), "brick"),
        Box((low[0], high[1], 0), (high[0], b[1], high[2]), "brick"),
    ]
    for x in (-288, -32, 224):
        for y in (-224, 192):
            if (x, y) != (224, 192):
                boxes.append(Box((x - 24, y - 24, 0), (x + 24, y + 24, high[2]), "panel"))
    for number in range(5):  # steps along a wall
        boxes.append(Box((-512 + 32 * number, 256, 0), (-480 + 32 * number, 384, 80 - 16 * number), "panel", "tiles"))
    for x, y, size in ((96, -304, 64), (176, -320, 48), (400, -96, 64), (-432, -304, 56)):
        boxes.append(Box((x, y, 0), (x + size, y + size, size), "crate"))
    return boxes


DOOR = Box((-176, -368, 0), (-160, -256, 112), "door")
ENTITIES = [
    {"classname": "worldspawn", "message": "a hall for ragdolls"},
    {"classname": "info_player_start", "origin": "-208 0 24", "angle": "0"},
    {"classname": "func_door", "model": "*1", "angle": "0"},
] + [{"classname": "light", "origin": "%d %d %d" % at, "light": str(light)} for at, light in LAMPS]


def palette():
    """Sixteen ramps of sixteen colours. The last two are bright in the dark."""
    hues = [(1, 1, 1), (1, 0.86, 0.7), (0.8, 0.86, 1), (0.9, 0.78, 0.55), (0.75, 0.5, 0.35), (0.6, 0.72, 0.6), (1, 0.62, 0.42),
            (0.5, 0.68, 0.85), (0.85, 0.85, 0.7), (0.7, 0.6, 0.55), (0.62, 0.62, 0.68), (0.4, 0.5, 0.6), (0.9, 0.7, 0.3),
            (0.55, 0.35, 0.25), (1, 0.95, 0.8), (1, 1, 1)]
    colours = bytearray()
    for hue in hues:
        for shade in range(16):
            colours += bytes(round(255 * channel * (shade + 0.5) / 16) for channel in hue)
    return bytes(colours)


def textures():
    """Name to 64 rows of 64 numbers of the palette."""
    dice = random.Random(7)
    grain = [[dice.random() - 0.5 for _ in range(64)] for _ in range(64)]

    def make(ramp, shade):
        return [[16 * ramp + max(0, min(15, int(shade(x, y) + 1.6 * grain[y][x]))) for x in range(64)] for y in range(64)]

    def edge(x, y, side):
        return min(x % side, side - 1 - x % side, y % side, side - 1 - y % side)

    def brick(x, y):
        x += 16 * (y // 16 % 2)
        return 4.5 if y % 16 == 15 or x % 32 == 31 else 8 + (x // 32 * 5 + y // 16 * 3) % 4 * 0.5 + (y % 16 == 0)

    return {
        "brick": make(3, brick),
        "tiles": make(10, lambda x, y: 5 if edge(x, y, 32) == 0 else 8.5 + (x // 32 + y // 32) % 2),
        "panel": make(0, lambda x, y: 5 if edge(x, y, 64) == 0 else 9 - (edge(x, y, 64) == 1)),
        "crate": make(13, lambda x, y: 12 if edge(x, y, 64) < 7 or abs(x - y) < 5 else 8 + x // 8 % 2),
        "door": make(11, lambda x, y: 6 if y % 16 < 2 else 10 + (y % 16 == 2)),
        "*pool": make(7, lambda x, y: 8 + ((x - 32) ** 2 + (y - 32) ** 2) // 150 % 3),
    }


class Tree:
    """A BSP tree over boxes, in one part of space."""

    def __init__(self, boxes, low, high):
        self.nodes, self.leaves = [], []  # node: [axis, distance, front, back, low, high]
        self.root = self.split(boxes, low, high, [])

    def split(self, boxes, low, high, above):
        """Returns the number of a node, or ~number of a leaf. `above` are the nodes that lead to this part of space."""
        boxes = [box for box in boxes if box.overlaps(low, high)]
        covering = [box for box in boxes if box.covers(low, high)]
        if covering or not boxes:
            self.leaves.append((covering[0].contents if covering else EMPTY, low, high, list(above)))
            return ~(len(self.leaves) - 1)
        choices = []
        for box in boxes:
            for axis in range(3):
                for distance in (box.low[axis], box.high[axis]):
                    if low[axis] < distance < high[axis]:
                        cut = sum(other.low[axis] < distance < other.high[axis] for other in boxes)
                        middle = abs(distance - (low[axis] + high[axis]) / 2) / (high[axis] - low[axis])
                        choices.append((cut + middle, axis, distance))
        _, axis, distance = min(choices)
        number = len(self.nodes)
        self.nodes.append([axis, distance, None, None, low, high])
        cut_low = tuple(distance if other == axis else low[other] for other in range(3))
        cut_high = tuple(distance if other == axis else high[other] for other in range(3))
        self.nodes[number][2] = self.split(boxes, cut_low, high, above + [number])
        self.nodes[number][3] = self.split(boxes, low, cut_high, above + [number])
        return number


class Map:
    def __init__(self):
        self.lumps = [bytearray() for _ in range(15)]
        self.planes, self.texinfos, self.vertices = {}, {}, {}
        self.names = list(textures())
        self.lumps[12] += struct.pack("<2H", 0, 0)  # edge 0 has no negative
        self.leaves, self.faces, self.marks, self.nodes, self.clip = [(SOLID, (0, 0, 0), (0, 0, 0), [])], 0, 0, 0, 0

    def plane(self, axis, distance):
        if (axis, distance) not in self.planes:
            self.planes[axis, distance] = len(self.planes)
            self.lumps[1] += struct.pack("<4fi", *(float(other == axis) for other in range(3)), distance, axis)
        return self.planes[axis, distance]

    def vertex(self, at):
        if at not in self.vertices:
            self.vertices[at] = len(self.vertices)
            self.lumps[3] += struct.pack("<3f", *at)
        return self.vertices[at]

    def texinfo(self, axis, name):
        if (axis, name) not in self.texinfos:
            self.texinfos[axis, name] = len(self.texinfos)
            along = [((0, 1, 0), (0, 0, -1)), ((1, 0, 0), (0, 0, -1)), ((1, 0, 0), (0, -1, 0))][axis]
            self.lumps[6] += struct.pack("<8f2i", *along[0], 0, *along[1], 0, self.names.index(name), name[0] == "*")
        return self.texinfos[axis, name]

    def face(self, axis, distance, front, low, high, name, world):
        """Writes a rectangle that is seen from the side of larger (front) or smaller numbers."""
        u, v = [other for other in range(3) if other != axis]

        def at(x, y):
            place = [0, 0, 0]
            place[axis], place[u], place[v] = distance, x, y
            return tuple(place)

        corners = [at(low[u], low[v]), at(high[u], low[v]), at(high[u], high[v]), at(low[u], high[v])]
        # Clockwise from the side from which it is seen; (u, v, axis) is a left-handed system for the y axis.
        if front == (axis != 1):
            corners.reverse()
        numbers = [self.vertex(corner) for corner in corners]
        first = len(self.lumps[13]) // 4
        for number in range(4):
            self.lumps[13] += struct.pack("<i", len(self.lumps[12]) // 4)
            self.lumps[12] += struct.pack("<2H", numbers[number], numbers[(number + 1) % 4])
        light, style = -1, 255
        if name[0] != "*":
            light, style = len(self.lumps[8]), 0
            sign = 1 if front else -1
            # The second texture axis points down or against y.
            for y in samples(-high[v], -low[v]):
                for x in samples(low[u], high[u]):
                    place = list(at(min(max(x, low[u] + 1), high[u] - 1), min(max(-y, low[v] + 1), high[v] - 1)))
                    place[axis] += sign
                    self.lumps[8].append(lit(place, axis, sign, world))
        self.lumps[7] += struct.pack("<HHiHH4Bi", self.plane(axis, distance), not front, first, 4, self.texinfo(axis, name), style,
                                     255, 255, 255, light)
        self.faces += 1
        return self.faces - 1

    def model(self, boxes, low, high, world):
        """Writes the tree, faces and hulls of a model."""
        tree = Tree(boxes, low, high)
        first_face, first_node, first_leaf = self.faces, self.nodes, len(self.leaves)
        seen = {}  # faces of a leaf
        wanted = [[] for _ in tree.nodes]
        for number, (contents, low_, high_, above) in enumerate(tree.leaves):
            if contents == SOLID:
                continue
            for axis in range(3):
                for distance, front in ((low_[axis], True), (high_[axis], False)):
                    owner = [node for node in above if tree.nodes[node][:2] == [axis, distance]]
                    for box in boxes if owner else ():
                        touches = box.high[axis] == distance if front else box.low[axis] == distance
                        through = contents == WATER and box.contents == WATER
                        u, v = [other for other in range(3) if other != axis]
                        face_low = [max(low_[other], box.low[other]) for other in range(3)]
                        face_high = [min(high_[other], box.high[other]) for other in range(3)]
                        if touches and not through and face_low[u] < face_high[u] and face_low[v] < face_high[v]:
                            wanted[owner[-1]].append((number, axis, distance, front, face_low, face_high, box.textures[axis]))
                    # The surface of water is seen from below, too.
                    if contents == WATER and owner and axis == 2 and not front:
                        wanted[owner[-1]].append((number, axis, distance, front, list(low_), list(high_), "*pool"))
        spans = []
        for faces in wanted:
            start = self.faces
            for leaf, axis, distance, front, face_low, face_high, name in faces:
                u, v = [other for other in range(3) if other != axis]
                for x in pieces(face_low[u], face_high[u]):
                    for y in pieces(face_low[v], face_high[v]):
                        part_low, part_high = list(face_low), list(face_high)
                        part_low[u], part_high[u] = x
                        part_low[v], part_high[v] = y
                        seen.setdefault(leaf, []).append(self.face(axis, distance, front, part_low, part_high, name, world))
            spans.append((start, self.faces - start))
        numbers = {}
        for number, (contents, low_, high_, _) in enumerate(tree.leaves):
            if contents != SOLID:
                numbers[number] = len(self.leaves)
                self.leaves.append((contents, low_, high_, seen.get(number, [])))

        def child(number):
            return first_node + number if number >= 0 else ~numbers.get(~number, 0)

        for (axis, distance, front, back, low_, high_), span in zip(tree.nodes, spans):
            self.lumps[5] += struct.pack("<i2h6h2H", self.plane(axis, distance), child(front), child(back), *map(int, low_),
                                         *map(int, high_), *span)
        self.nodes += len(tree.nodes)
        heads = [first_node]
        for hull in (1, 2):
            heads.append(self.hull([box.grown(hull) for box in boxes if box.contents == SOLID], low, high))
        self.lumps[14] += struct.pack("<9f7i", *(boxes_low(boxes) if world is not boxes else low),
                                      *(boxes_high(boxes) if world is not boxes else high), 0, 0, 0, *heads, 0,
                                      len(self.leaves) - first_leaf, first_face, self.faces - first_face)

    def hull(self, boxes, low, high):
        low = tuple(min(low[axis], min(box.low[axis] for box in boxes)) - 1 for axis in range(3))
        high = tuple(max(high[axis], max(box.high[axis] for box in boxes)) + 1 for axis in range(3))
        tree = Tree(boxes, low, high)
        first = self.clip

        def child(number):
            return first + number if number >= 0 else tree.leaves[~number][0]

        for axis, distance, front, back, *_ in tree.nodes:
            self.lumps[9] += struct.pack("<i2h", self.plane(axis, distance), child(front), child(back))
        self.clip += len(tree.nodes)
        return first

    def bytes(self, entities):
        self.lumps[0] += ("".join("{\n%s}\n" % "".join('"%s" "%s"\n' % pair for pair in entity.items()) for entity in entities)
                          + "\0").encode()
        made = textures()
        at = 4 + 4 * len(made)
        self.lumps[2] += struct.pack("<i", len(made))
        sizes = [64 >> level for level in range(4)]
        whole = 40 + sum(size * size for size in sizes)
        for number in range(len(made)):
            self.lumps[2] += struct.pack("<i", at + whole * number)
        for name, rows in made.items():
            offsets = [40 + sum(size * size for size in sizes[:level]) for level in range(4)]
            self.lumps[2] += struct.pack("<16s2I4I", name.encode(), 64, 64, *offsets)
            for level in range(4):
                self.lumps[2] += bytes(rows[y << level][x << level] for y in range(sizes[level]) for x in range(sizes[level]))
        for contents, low, high, faces in self.leaves:
            self.lumps[10] += struct.pack("<2i6h2H4B", contents, -1, *map(int, low), *map(int, high), self.marks, len(faces), 0, 0, 0, 0)
            for face in faces:
                self.lumps[11] += struct.pack("<H", face)
            self.marks += len(faces)
        out, offset = struct.pack("<i", 29), 4 + 15 * 8
        for lump in self.lumps:
            lump += bytes(-len(lump) % 4)
            out += struct.pack("<2i", offset, len(lump))
            offset += len(lump)
        return out + b"".join(self.lumps)


def boxes_low(boxes):
    return tuple(min(box.low[axis] for box in boxes) for axis in range(3))


def boxes_high(boxes):
    return tuple(max(box.high[axis] for box in boxes) for axis in range(3))


def pieces(low, high):
    """Parts of a side that are short enough for a lightmap."""
    marks = [low] + [mark for mark in range(-4080, 4081, FACE) if low < mark < high] + [high]
    return list(zip(marks, marks[1:]))


def samples(low, high):
    """Texture coordinates of the samples of a lightmap along a side."""
    return range(low // LIGHT_STEP * LIGHT_STEP, -(-high // LIGHT_STEP) * LIGHT_STEP + 1, LIGHT_STEP)


def lit(at, axis, sign, world):
    """Brightness at a place, 0 to 255; 128 is that of the texture."""
    total = AMBIENT
    for lamp, light in LAMPS:
        way = [lamp[other] - at[other] for other in range(3)]
        length = sum(part * part for part in way) ** 0.5
        cosine = way[axis] * sign / length
        if cosine <= 0 or length >= light:
            continue
        # Lamps are as wide as this grid, so that shadows have soft edges.
        free = sum(not blocked(at, (lamp[0] + dx, lamp[1] + dy, lamp[2]), world) for dx in (-12, 12) for dy in (-12, 12))
        total += free / 4 * (light - length) * (0.4 + 0.6 * cosine) * 0.72
    return min(255, round(total))


def blocked(a, b, world):
    """Whether a solid box is between two places."""
    for box in world:
        enter, leave = 0.0, 1.0
        for axis in range(3):
            way = b[axis] - a[axis]
            if way == 0:
                if not box.low[axis] < a[axis] < box.high[axis]:
                    break
                continue
            near, far = (box.low[axis] - a[axis]) / way, (box.high[axis] - a[axis]) / way
            if near > far:
                near, far = far, near
            enter, leave = max(enter, near), min(leave, far)
            if enter >= leave:
                break
        else:
            if box.contents == SOLID:
                return True
    return False


def skins():
    """Materials of the mannequin and its gun: TGA files of one colour each, without compression."""
    colours = {"mannequin/wood": (206, 160, 104), "mannequin/joint": (88, 62, 44), "mannequin/face": (60, 42, 32), "gun": (58, 60, 66)}
    head = struct.pack("<3B5B4H2B", 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 8, 8, 24, 0)
    return {"textures/%s.tga" % name: head + bytes(reversed(colour)) * 64 for name, colour in colours.items()}


def main(folder):
    world, made = hall(), Map()
    made.model(world, boxes_low(world), boxes_high(world), world)
    low, high = (tuple(x - 8 for x in DOOR.low), tuple(x + 8 for x in DOOR.high))
    made.model([DOOR], low, high, world)
    for name, data in {"maps/room.bsp": made.bytes(ENTITIES), "gfx/palette.lmp": palette(), **skins()}.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
