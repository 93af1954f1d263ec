"""The drawings of docs/dolls.md, which docs/pictures.py writes."""

import math

# Colours with a contrast of about 4 to both white and GitHub's dark page: the drawings have no background.
INK, LIGHT, HOT = "#717982", "#c3c8ce", "#d1383f"
PARENT, CHILD = "#93b5e1", "#f2b27a"
FONT = "font-family='DejaVu Sans, Verdana, sans-serif'"


def project(point):
    """Returns where a point in model space (X forward, Y left, Z up) is on the picture: seen from behind, right."""
    x, y, z = point
    return (0.80 * x - 0.55 * y, -0.30 * x - 0.34 * y - 0.88 * z)


def add(a, b, factor=1.0):
    return tuple(p + factor * q for p, q in zip(a, b))


def paler(color, depth):
    """Returns a color on white, of which `depth` is left."""
    parts = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(255 + (part - 255) * depth):02x}" for part in parts)


class Picture:
    """Lines, shapes and words in model space, one unit of it is `unit` pixels."""

    def __init__(self, width, height, centre, unit=1.0):
        self.width, self.height, self.centre, self.unit = width, height, centre, unit
        self.parts = []

    def at(self, point):
        x, y = project(point)
        return (self.centre[0] + self.unit * x, self.centre[1] + self.unit * y)

    def path(self, points, color=INK, width=2.0, fill="none", dash="", close=False, opacity=1.0):
        text = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, points)) + ("Z" if close else "")
        dash = f" stroke-dasharray='{dash}'" if dash else ""
        self.parts.append(
            f"<path d='{text}' fill='{fill}' fill-opacity='{opacity}' stroke='{color}' stroke-width='{width}'"
            f" stroke-linejoin='round' stroke-linecap='round'{dash}/>"
        )

    def arrow(self, start, end, color=INK, width=2.5):
        self.path([start, end], color, width)
        (x0, y0), (x1, y1) = self.at(start), self.at(end)
        self.head(x0, y0, x1, y1, color)

    def head(self, x0, y0, x1, y1, color):
        turn = math.atan2(y1 - y0, x1 - x0)
        corners = [(x1, y1)]
        for side in (2.7, -2.7):
            corners.append((x1 + 11 * math.cos(turn + side), y1 + 11 * math.sin(turn + side)))
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        self.parts.append(f"<polygon points='{text}' fill='{color}'/>")

    def arc(self, centre, u, v, start, end, color=HOT, width=2.5, arrow=True):
        """Draws the arc centre + cos u + sin v between two angles in degrees."""
        points = []
        steps = 24
        for step in range(steps + 1):
            angle = math.radians(start + (end - start) * step / steps)
            points.append(add(add(centre, u, math.cos(angle)), v, math.sin(angle)))
        self.path(points, color, width)
        if arrow:
            (x0, y0), (x1, y1) = self.at(points[-3]), self.at(points[-1])
            self.head(x0, y0, x1, y1, color)

    def rod(self, start, end, radius, color):
        """Draws a capsule."""
        (x0, y0), (x1, y1) = self.at(start), self.at(end)
        width = 2 * radius * self.unit
        for stroke, thick in ((INK, width + 3), (color, width)):
            self.parts.append(
                f"<path d='M{x0:.1f},{y0:.1f} L{x1 + 0.01:.1f},{y1:.1f}' stroke='{stroke}' stroke-width='{thick:.1f}'"
                f" stroke-linecap='round' fill='none'/>"
            )

    def box(self, centre, size, color):
        half = [value / 2 for value in size]

        def corner(*signs):
            return tuple(c + s * h for c, s, h in zip(centre, signs, half))

        faces = [
            ([(1, 1, 1), (1, -1, 1), (-1, -1, 1), (-1, 1, 1)], 0.55),
            ([(-1, 1, 1), (-1, -1, 1), (-1, -1, -1), (-1, 1, -1)], 0.9),
            ([(1, -1, 1), (-1, -1, 1), (-1, -1, -1), (1, -1, -1)], 0.75),
        ]
        for face, depth in faces:
            self.path([corner(*signs) for signs in face], INK, 1.5, paler(color, depth), close=True)

    def ball(self, centre, radius, color):
        x, y = self.at(centre)
        self.parts.append(
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius * self.unit:.1f}' fill='{color}' stroke='{INK}'"
            " stroke-width='1.5'/>"
        )

    def dot(self, point, color=HOT, radius=5):
        x, y = self.at(point)
        self.parts.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}' fill='{color}'/>")

    def word(self, point, text, color=INK, shift=(0, 0), anchor="middle", size=14, bold=False):
        x, y = self.at(point)
        weight = " font-weight='bold'" if bold else ""
        self.parts.append(
            f"<text x='{x + shift[0]:.1f}' y='{y + shift[1]:.1f}' fill='{color}' font-size='{size}'"
            f" text-anchor='{anchor}'{weight} {FONT}>{text}</text>"
        )

    def title(self, x, text):
        self.parts.append(
            f"<text x='{x}' y='24' fill='{INK}' font-size='15' text-anchor='middle' font-weight='bold' {FONT}>{text}</text>"
        )

    def caption(self, x, y, text, color=INK):
        self.parts.append(
            f"<text x='{x}' y='{y}' fill='{color}' font-size='13' text-anchor='middle' {FONT}>{text}</text>"
        )

    def axes(self, origin, length, names=("X", "Y", "Z")):
        for way, name in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), names):
            end = add(origin, way, length)
            self.arrow(origin, end, INK, 1.8)
            self.word(add(origin, way, length * 1.25), name, INK, (0, 5), size=12)

    def text(self):
        body = "\n".join(self.parts)
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{self.width}' height='{self.height}'"
            f" viewBox='0 0 {self.width} {self.height}'>\n{body}\n</svg>\n"
        )


def moved(picture, x, y):
    picture.centre = (x, y)
    return picture


def space():
    """The axes of model space, and what they mean for a figure."""
    p = Picture(460, 250, (225, 190), 1.0)
    p.arrow((13, 0, 40), (95, 0, 40), HOT)
    p.arrow((0, 22, 40), (0, 95, 40), HOT)
    p.box((0, 0, 25), (26, 50, 60), PARENT)
    p.ball((0, 0, 72), 16, PARENT)
    p.arrow((0, 0, 86), (0, 0, 150), HOT)
    p.word((95, 0, 40), "X: forward", HOT, (46, 4))
    p.word((0, 95, 40), "Y: left", HOT, (-34, 0))
    p.word((0, 0, 150), "Z: up", HOT, (30, 8))
    p.word((0, 0, 0), "seen from behind", INK, (0, 44), size=13)
    return p


def shapes():
    p = Picture(900, 270, (0, 0), 1.0)
    moved(p, 110, 150)
    p.title(110, "shape box")
    p.box((0, 0, 0), (80, 60, 70), PARENT)
    p.path([(-40, -38, -35), (40, -38, -35)], HOT, 1.5)
    p.word((0, -38, -35), "X", HOT, (10, 20))
    p.path([(-48, 30, -35), (-48, -30, -35)], HOT, 1.5)
    p.word((-48, 0, -35), "Y", HOT, (-10, 16))
    p.path([(48, -30, -35), (48, -30, 35)], HOT, 1.5)
    p.word((48, -30, 0), "Z", HOT, (12, 5))
    p.caption(110, 255, "size X Y Z: whole edges")
    moved(p, 330, 145)
    p.title(330, "shape sphere")
    p.ball((0, 0, 0), 52, PARENT)
    p.parts.append(f"<path d='M330,145 L382,145' stroke='{HOT}' stroke-width='1.5'/>")
    p.dot((0, 0, 0), HOT, 3)
    p.word((0, 0, 0), "R", HOT, (26, -8))
    p.caption(330, 255, "size R: the radius")
    moved(p, 555, 145)
    p.title(555, "shape capsule")
    p.rod((0, 0, -45), (0, 0, 45), 32, PARENT)
    x, y = 555, 145
    for end in (-40, 40):
        p.parts.append(
            f"<path d='M{x-44},{y+end} L{x+60},{y+end}' stroke='{INK}' stroke-width='1.2' stroke-dasharray='4 4'/>"
        )
    p.parts.append(f"<path d='M{x},{y+40} L{x-32},{y+40}' stroke='{HOT}' stroke-width='1.5'/>")
    p.parts.append(f"<path d='M{x+52},{y-40} L{x+52},{y+40}' stroke='{HOT}' stroke-width='1.5'/>")
    p.word((0, 0, 0), "L", HOT, (64, 5))
    p.word((0, 0, 0), "R", HOT, (-16, 34))
    p.caption(555, 255, "size R R L: L without the ends")
    p.title(790, "shape cylinder")
    x, y = 790, 145
    p.parts.append(
        f"<path d='M{x-38},{y-48} L{x-38},{y+48} A38,15 0 0 0 {x+38},{y+48} L{x+38},{y-48}' fill='{PARENT}'"
        f" stroke='{INK}' stroke-width='1.5'/><ellipse cx='{x}' cy='{y-48}' rx='38' ry='15' fill='{PARENT}'"
        f" stroke='{INK}' stroke-width='1.5'/>"
        f"<path d='M{x},{y-48} L{x+38},{y-48}' stroke='{HOT}' stroke-width='1.5'/>"
        f"<text x='{x+19}' y='{y-68}' fill='{HOT}' font-size='14' text-anchor='middle' {FONT}>R</text>"
        f"<path d='M{x+56},{y-48} L{x+56},{y+48}' stroke='{HOT}' stroke-width='1.5'/>"
        f"<text x='{x+68}' y='{y+5}' fill='{HOT}' font-size='14' text-anchor='middle' {FONT}>L</text>"
    )
    p.caption(790, 255, "size R R L: the whole length")
    return p


def thumb():
    """The rule for the sign of an angle, on a knee."""
    p = Picture(860, 330, (0, 0), 1.0)
    moved(p, 215, 150)
    p.title(215, "axis 0 -1 0: the thumb points right")
    p.arrow((0, 80, 0), (0, -110, 0), HOT, 3)
    p.rod((0, 0, 0), (12, 0, 88), 17, PARENT)
    p.rod((0, 0, 0), (0, 0, -88), 14, CHILD)
    p.arrow((0, -16, 0), (0, -110, 0), HOT, 3)
    p.word((0, -110, 0), "axis", HOT, (26, 8), bold=True)
    p.arc((0, -66, 0), (0, 0, 26), (-26, 0, 0), -120, 130)
    p.word((12, 0, 88), "parent: thigh", INK, (-78, 0))
    p.word((0, 0, -88), "child: shin", INK, (-66, 6))
    p.dot((0, 0, 0))
    p.caption(215, 312, "hold the child still: the parent turns as the fingers curl")
    moved(p, 640, 150)
    p.title(640, "so the child turns the other way")
    for angle, color in ((0, LIGHT), (70, LIGHT), (140, CHILD)):
        a = math.radians(angle)
        p.rod((0, 0, 0), (-88 * math.sin(a), 0, -88 * math.cos(a)), 14, color)
    p.rod((0, 0, 0), (12, 0, 88), 17, PARENT)
    p.arc((0, 0, 0), (0, 0, -122), (-122, 0, 0), 0, 138)
    p.word((0, 0, -122), "0", HOT, (0, 22), bold=True)
    p.word((-122 * math.sin(2.42), 0, -122 * math.cos(2.42)), "HiStop 2.5", HOT, (-52, -4), bold=True)
    p.dot((0, 0, 0))
    p.caption(640, 312, "the knee bends backward, to the left of the picture")
    return p


def cone():
    p = Picture(860, 330, (0, 0), 1.0)
    moved(p, 215, 105)
    p.title(215, "swing LO HI, swing2 LO HI")
    p.rod((0, 0, 0), (0, 0, -150), 10, CHILD)
    points = []
    for step in range(60):
        angle = 2 * math.pi * step / 60
        points.append((95 * math.cos(angle), 60 * math.sin(angle), -135))
    p.path(points, HOT, 2, HOT, close=True, opacity=0.12)
    for angle in (0, 90, 180, 270):
        a = math.radians(angle)
        p.path([(0, 0, 0), (95 * math.cos(a), 60 * math.sin(a), -135)], HOT, 1.2, dash="5 4")
    p.arrow((0, 0, 0), (0, 85, 0), INK)
    p.word((0, 85, 0), "axis 0 1 0", INK, (-20, -8))
    p.arrow((0, 0, 0), (-85, 0, 0), INK)
    p.word((-85, 0, 0), "axis2 -1 0 0", INK, (-30, 18))
    p.word((95, 0, -135), "swing HI: forward", HOT, (70, 4))
    p.word((-95, 0, -135), "LO: back", HOT, (-42, 14))
    p.word((0, 60, -135), "swing2 HI: left", HOT, (-74, -10))
    p.word((0, -60, -135), "LO: right", HOT, (44, 26))
    p.dot((0, 0, 0))
    p.caption(215, 318, "the limb stays inside the ellipse that the stops span")
    moved(p, 640, 105)
    p.title(640, "twist LO HI")
    p.rod((0, 0, 0), (0, 0, -150), 16, CHILD)
    p.path([(0, 0, 40), (0, 0, -180)], INK, 1.5, dash="6 4")
    p.word((0, 0, 40), "axis x axis2", INK, (54, 4))
    p.arc((0, 0, -100), (52, 0, 0), (0, 52, 0), 240, 10)
    p.word((52, 0, -100), "HI", HOT, (18, -6))
    p.dot((0, 0, 0))
    p.caption(640, 318, "rotation about the direction across both axes: the limb's own")
    return p


def places():
    """orient, offset and pivot on a bent limb."""
    p = Picture(900, 300, (0, 0), 1.0)
    hip, knee, foot = (0, 0, 70), (26, 0, -10), (-14, 0, -85)

    def bones(picture):
        for a, b in ((hip, knee), (knee, foot)):
            picture.path([a, b], INK, 2)
        for bone in (hip, knee, foot):
            picture.dot(bone, INK, 4)

    moved(p, 120, 155)
    p.title(120, "neither word")
    p.rod(add(hip, (-22, 0, 0)), add(hip, (22, 0, 0)), 14, PARENT)
    bones(p)
    p.axes(hip, 46, ("Z", "", ""))
    p.word(hip, "thigh", INK, (-44, 26), size=12)
    p.caption(120, 285, "at its bone, along the bone's Z")
    moved(p, 340, 155)
    p.title(340, "orient shin")
    p.rod(add(hip, (4, 0, -14)), add(knee, (-4, 0, 14)), 14, PARENT)
    bones(p)
    p.word(hip, "thigh", INK, (-34, 4), size=12)
    p.word(knee, "shin", INK, (28, 6), size=12)
    p.caption(340, 285, "between the bones")
    moved(p, 560, 155)
    p.title(560, "orient and offset")
    shift = (0, -44, 0)
    p.rod(add(add(hip, (4, 0, -14)), shift), add(add(knee, (-4, 0, 14)), shift), 14, PARENT)
    bones(p)
    middle = tuple((a + b) / 2 for a, b in zip(hip, knee))
    p.arrow(middle, add(middle, shift), HOT)
    p.word(add(middle, shift), "offset", HOT, (40, 4), size=12)
    p.caption(560, 285, "then along the bone's axes")
    moved(p, 760, 155)
    p.title(760, "pivot")
    p.rod(add(hip, (4, 0, -14)), add(knee, (-4, 0, 14)), 14, PARENT)
    p.rod(add(knee, (-4, 0, -10)), add(foot, (4, 0, 12)), 12, CHILD)
    bones(p)
    p.dot(knee, INK, 5)
    p.word(knee, "without", INK, (-50, 4), size=12)
    other = add(knee, (30, -20, 0))
    p.arrow(knee, other, HOT, 1.8)
    p.dot(other)
    p.word(other, "pivot shin X Y Z", HOT, (24, 24), size=12)
    p.caption(760, 285, "where the joint is")
    return p


def diagonal():
    """How to find the axis of a limb that points anywhere."""
    p = Picture(470, 250, (110, 165), 1.0)
    root, knee, foot = (20, -12, 40), (80, -84, 96), (124, -136, -4)
    p.path([(-60, 60, 0), (180, 60, 0), (180, -170, 0), (-60, -170, 0)], LIGHT, 1, LIGHT, close=True, opacity=0.2)
    p.path([(20, -12, 0), (124, -136, 0)], INK, 1.5, dash="5 4")
    p.box((-10, 8, 40), (56, 40, 34), LIGHT)
    p.rod(root, knee, 11, PARENT)
    p.rod(knee, foot, 8, CHILD)
    across = (-0.77, -0.64, 0)
    p.arrow(add(knee, across, -70), add(knee, across, 95), HOT, 3)
    p.word(add(knee, across, 95), "axis -72 -60 0", HOT, (0, 24), bold=True)
    p.dot(knee)
    p.word(root, "femur 20 -12 40", INK, (-62, -38), size=12)
    p.word(knee, "tibia 80 -84 96", INK, (72, -8), size=12)
    p.word(foot, "foot", INK, (26, 4), size=12)
    p.word((72, -74, 0), "on the floor 60 -72", INK, (-6, 26), size=12)
    return p


DRAWINGS = {
    "space": space,
    "shapes": shapes,
    "thumb": thumb,
    "cone": cone,
    "places": places,
    "diagonal": diagonal,
}
