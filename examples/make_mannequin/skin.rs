//! Skin: lofts of rings around the bones, like the turned pieces of an artist's mannequin.

use super::body::{self, ARMS, CHEST, Frame, HEAD, LEGS, NECK, PELVIS, SPINE, TABLE};
use skelobj::math::Vec3;
use skelobj::model::{Influences, Mesh};
use std::f32::consts::TAU;

/// Ring across a bone, units along the axes of the bone.
#[derive(Clone, Copy)]
struct Ring {
    /// Position along Z.
    at: f32,
    /// Half the thickness along X and along Y; both 0 closes the loft.
    half: [f32; 2],
    /// Offset of the centre along X and Y (Y as on the left side).
    shift: [f32; 2],
}

const fn ring(at: f32, x: f32, y: f32) -> Ring {
    Ring { at, half: [x, y], shift: [0.0, 0.0] }
}

const fn moved(at: f32, x: f32, y: f32, shift_x: f32, shift_y: f32) -> Ring {
    Ring { at, half: [x, y], shift: [shift_x, shift_y] }
}

/// Surfaces: indexes, names, materials and colours.
const WOOD: usize = 0;
const JOINT: usize = 1;
const FACE: usize = 2;
const SURFACES: [(&str, &str, [u8; 3]); 3] = [
    ("body", "mannequin/wood", [219, 176, 117]),
    ("joints", "mannequin/joint", [115, 74, 46]),
    ("face", "mannequin/face", [56, 92, 115]),
];

/// Skin piece: rings on one bone after another.
struct Loft {
    surface: usize,
    /// Number of corners of a ring.
    sides: usize,
    /// Exponent of the ring: 2 makes ellipses, larger ones boxes with round corners.
    power: f32,
    /// Half the angle that the piece covers around X, in turns: 0.5 is a full ring; less makes a plate on the front.
    arc: f32,
    bones: &'static [(usize, &'static [Ring])],
}

/// Pieces around the middle line.
#[rustfmt::skip]
const MIDDLE: &[Loft] = &[
    Loft { surface: WOOD, sides: 12, power: 2.5, arc: 0.5, bones: &[
        (PELVIS, &[ring(-5.4, 0.0, 0.0), ring(-5.1, 1.6, 1.8), ring(-3.8, 2.9, 4.0), ring(-1.5, 3.5, 5.1),
                   ring(1.0, 3.3, 5.0), ring(2.8, 2.8, 4.4)]),
        (SPINE, &[ring(0.3, 2.6, 3.9), ring(2.5, 2.7, 3.9), ring(4.2, 3.1, 4.5)]),
        (CHEST, &CHEST_RINGS),
        (NECK, &[ring(0.3, 1.7, 1.9), ring(1.6, 1.45, 1.5), ring(3.4, 1.4, 1.4)]),
    ]},
    Loft { surface: WOOD, sides: 12, power: 2.0, arc: 0.5, bones: &[(HEAD, &HEAD_RINGS)] },
    // The face: a plate around the front of the head, and a nose. Plates have their corners at those of the piece
    // below, so that the two never cross.
    Loft { surface: FACE, sides: 4, power: 2.0, arc: 2.0 / 12.0, bones: &[(HEAD, &[
        HEAD_RINGS[2], HEAD_RINGS[3], HEAD_RINGS[4], HEAD_RINGS[5],
    ])]},
    Loft { surface: WOOD, sides: 5, power: 2.0, arc: 0.5, bones: &[(HEAD, &[
        moved(2.0, 0.0, 0.0, 3.7, 0.0), moved(2.2, 1.1, 0.75, 3.7, 0.0), moved(4.4, 0.5, 0.4, 3.8, 0.0),
        moved(5.2, 0.0, 0.0, 3.6, 0.0),
    ])]},
    // A chest plate, so that front and back differ from afar.
    Loft { surface: FACE, sides: 2, power: 2.5, arc: 1.0 / 12.0, bones: &[(CHEST, &[
        CHEST_RINGS[0], CHEST_RINGS[1], CHEST_RINGS[2], CHEST_RINGS[3],
    ])]},
    // A belt around the waist.
    Loft { surface: JOINT, sides: 12, power: 2.5, arc: 0.5, bones: &[(SPINE, &[
        ring(1.1, 2.5, 3.7), ring(1.4, 2.85, 4.1), ring(2.5, 2.95, 4.15), ring(2.8, 2.6, 3.8),
    ])]},
];

const CHEST_RINGS: [Ring; 5] = [
    ring(1.2, 3.6, 5.2),
    moved(3.8, 3.9, 5.9, 0.2, 0.0),
    moved(6.2, 3.8, 6.2, 0.1, 0.0),
    moved(8.0, 3.1, 5.6, -0.2, 0.0),
    moved(9.2, 2.2, 3.6, -0.3, 0.0),
];

const HEAD_RINGS: [Ring; 9] = [
    moved(-0.9, 0.0, 0.0, 1.2, 0.0),
    moved(-0.8, 1.1, 1.0, 1.1, 0.0),
    moved(0.3, 2.5, 1.9, 0.9, 0.0),
    moved(2.0, 3.2, 2.6, 0.5, 0.0),
    moved(3.8, 3.6, 3.0, 0.25, 0.0),
    moved(5.4, 3.7, 3.05, 0.1, 0.0),
    moved(6.8, 3.2, 2.65, 0.0, 0.0),
    moved(7.7, 1.9, 1.6, 0.0, 0.0),
    moved(8.0, 0.0, 0.0, 0.0, 0.0),
];

/// Pieces of the left side, mirrored for the right side.
#[rustfmt::skip]
const SIDE: &[Loft] = &[
    Loft { surface: WOOD, sides: 8, power: 2.0, arc: 0.5, bones: &[
        (LEGS[0], &[ring(-2.3, 0.0, 0.0), ring(-1.9, 1.5, 1.4), ring(-0.6, 2.6, 2.4), ring(1.6, 3.0, 2.8),
                    ring(5.0, 2.9, 2.7), ring(9.0, 2.4, 2.25), ring(12.2, 1.9, 1.8), ring(13.6, 1.6, 1.55)]),
        (LEGS[0] + 1, &[ring(0.8, 1.6, 1.55), moved(2.4, 1.95, 1.85, -0.15, 0.0), moved(4.6, 2.15, 1.95, -0.35, 0.0),
                        moved(7.8, 1.75, 1.6, -0.2, 0.0), ring(11.0, 1.2, 1.2), ring(13.4, 0.95, 0.95),
                        ring(14.0, 0.0, 0.0)]),
    ]},
    Loft { surface: WOOD, sides: 7, power: 2.8, arc: 0.5, bones: &[
        (LEGS[0] + 2, &[moved(-2.7, 0.0, 0.0, -2.9, 0.0), moved(-2.5, 1.0, 1.0, -3.0, 0.0),
                        moved(-1.5, 1.8, 1.45, -2.4, 0.0), moved(0.4, 2.05, 1.6, -2.15, 0.0),
                        moved(2.4, 1.55, 1.75, -2.65, 0.0)]),
        (LEGS[0] + 3, &[moved(-0.3, 1.1, 1.95, -0.1, 0.0), moved(1.2, 0.95, 1.85, -0.25, 0.0),
                        moved(2.4, 0.7, 1.3, -0.5, 0.0), moved(2.8, 0.0, 0.0, -0.6, 0.0)]),
    ]},
    Loft { surface: WOOD, sides: 8, power: 2.0, arc: 0.5, bones: &[
        (ARMS[0] + 1, &[ring(-0.4, 0.0, 0.0), ring(0.2, 1.5, 1.5), ring(2.0, 1.85, 1.8), ring(4.6, 1.7, 1.6),
                        ring(7.8, 1.35, 1.3), ring(9.8, 1.15, 1.1)]),
        (ARMS[0] + 2, &[ring(0.7, 1.15, 1.1), ring(2.2, 1.45, 1.35), ring(4.2, 1.35, 1.25), ring(7.2, 0.95, 0.9),
                        ring(9.0, 0.75, 0.7), ring(9.4, 0.0, 0.0)]),
    ]},
    Loft { surface: WOOD, sides: 7, power: 2.3, arc: 0.5, bones: &[
        (ARMS[0] + 3, &[ring(-0.2, 0.0, 0.0), ring(0.1, 0.7, 0.55), moved(1.5, 1.3, 0.65, 0.1, 0.05),
                        moved(3.2, 1.45, 0.6, 0.15, 0.15), moved(4.8, 1.25, 0.5, 0.1, 0.5),
                        moved(6.2, 0.85, 0.38, 0.0, 1.1), moved(6.6, 0.0, 0.0, 0.0, 1.3)]),
    ]},
    Loft { surface: WOOD, sides: 5, power: 2.0, arc: 0.5, bones: &[
        (ARMS[0] + 3, &[moved(0.9, 0.0, 0.0, 0.9, 0.1), moved(1.1, 0.45, 0.4, 1.1, 0.15),
                        moved(2.6, 0.45, 0.4, 2.1, 0.35), moved(3.9, 0.3, 0.3, 2.4, 0.6),
                        moved(4.2, 0.0, 0.0, 2.4, 0.65)]),
    ]},
];

/// Balls at the joints of the left side: the bone that begins there, and a radius.
const BALLS: &[(usize, f32)] =
    &[(LEGS[0] + 1, 1.95), (LEGS[0] + 2, 1.3), (ARMS[0] + 1, 2.0), (ARMS[0] + 2, 1.4), (ARMS[0] + 3, 0.9)];

/// Converts a byte to a weight or colour, so that the file can store these as bytes.
fn byte(value: u8) -> f32 {
    (f64::from(value) / 255.0) as f32
}

/// Distance from a joint within which the skin belongs to both bones, units.
const BLEND: f32 = 2.2;

/// Returns all surfaces in the bind pose.
pub fn meshes() -> Vec<Mesh> {
    let bind = body::bind();
    let mut meshes: Vec<Mesh> = SURFACES
        .iter()
        .map(|(name, material, _)| Mesh { name: (*name).into(), material: (*material).into(), ..Mesh::default() })
        .collect();
    for loft in MIDDLE {
        add(&mut meshes, loft.surface, &grid(loft, &bind, false), loft.sides);
    }
    for right in [false, true] {
        for loft in SIDE {
            add(&mut meshes, loft.surface, &grid(loft, &bind, right), loft.sides);
        }
        for &ball in BALLS {
            add(&mut meshes, JOINT, &sphere(ball, &bind, right), BALL_SIDES);
        }
    }
    meshes
}

/// Point of a loft before it becomes a vertex.
struct Point {
    place: Vec3,
    /// Position around the ring in turns, and along the limb in units.
    around: f32,
    along: f32,
    influences: Influences,
}

const BALL_SIDES: usize = 7;
const BALL_RINGS: usize = 4;

fn sphere((bone, radius): (usize, f32), bind: &[Frame], right: bool) -> Vec<Point> {
    let rings: Vec<Ring> = (0..=BALL_RINGS)
        .map(|i| {
            let (sin, cos) = (TAU * 0.5 * i as f32 / BALL_RINGS as f32).sin_cos();
            let half = if i == 0 || i == BALL_RINGS { 0.0 } else { radius * sin };
            ring(-radius * cos, half, half)
        })
        .collect();
    rows(&[(bone, &rings)], BALL_SIDES, 2.0, 0.5, bind, right)
}

fn grid(loft: &Loft, bind: &[Frame], right: bool) -> Vec<Point> {
    rows(loft.bones, loft.sides, loft.power, loft.arc, bind, right)
}

/// Returns the points of ring after ring, `sides + 1` each: the last point of a full ring repeats the first for the
/// seam of the texture.
fn rows(bones: &[(usize, &[Ring])], sides: usize, power: f32, arc: f32, bind: &[Frame], right: bool) -> Vec<Point> {
    let mirror = Vec3::new(1.0, if right { -1.0 } else { 1.0 }, 1.0);
    let count: usize = bones.iter().map(|(_, rings)| rings.len()).sum();
    let plate = arc < 0.5;
    let mut points = Vec::new();
    let mut row = 0;
    for (i, &(bone, rings)) in bones.iter().enumerate() {
        let frame = bind[bone];
        let previous = i.checked_sub(1).map(|i| bones[i].0);
        let next = bones.get(i + 1).map(|&(next, _)| next);
        for ring in rings {
            let influences = influences(bone, ring.at, previous, next, bind, right);
            for corner in 0..=sides {
                let u = corner as f32 / sides as f32;
                // Plates start at the front, full rings at the back, where the seam is least visible.
                let angle = TAU * if plate { arc * (2.0 * u - 1.0) } else { u + 0.5 };
                let bulge = match (plate, row == 0 || row == count - 1 || corner == 0 || corner == sides) {
                    (false, _) => 1.0,
                    (true, true) => 1.02,
                    (true, false) => 1.06,
                };
                let (sin, cos) = angle.sin_cos();
                let edge = |v: f32| v.abs().powf(2.0 / power).copysign(v) * bulge;
                let local = Vec3::new(
                    ring.half[0] * edge(cos) + ring.shift[0],
                    ring.half[1] * edge(sin) + ring.shift[1],
                    ring.at,
                );
                let place = (frame.at + frame.turn * local) * mirror;
                points.push(Point { place, around: u, along: frame.at.z - ring.at, influences });
            }
            row += 1;
        }
    }
    points
}

/// Shares the skin with the neighbouring bone, half and half at the joint.
fn influences(
    bone: usize,
    at: f32,
    previous: Option<usize>,
    next: Option<usize>,
    bind: &[Frame],
    right: bool,
) -> Influences {
    let length = next.map_or(f32::INFINITY, |next| bind[bone].at.distance(bind[next].at));
    let share = |distance: f32| {
        let x = (0.5 - 0.5 * distance / BLEND).clamp(0.0, 1.0);
        x * x * (3.0 - 2.0 * x)
    };
    let (before, after) = (previous.map_or(0.0, |_| share(at)), next.map_or(0.0, |_| share(length - at)));
    let (other, weight) = if before > after { (previous, before) } else { (next, after) };
    let weights = |weight: u8| [byte(weight), byte(255 - weight), 0.0, 0.0];
    let weight = (weight * 255.0).round() as u8;
    let name = |bone: usize| if right { mirrored(bone) } else { bone } as u16;
    match other {
        Some(other) if weight > 127 => Influences { bones: [name(other), name(bone), 0, 0], weights: weights(weight) },
        Some(other) if weight > 0 => {
            Influences { bones: [name(bone), name(other), 0, 0], weights: weights(255 - weight) }
        }
        _ => Influences { bones: [name(bone), 0, 0, 0], weights: weights(255) },
    }
}

/// Returns the bone on the other side.
fn mirrored(bone: usize) -> usize {
    let name = TABLE[bone].name;
    match name.strip_suffix("_l") {
        Some(stem) => TABLE.iter().position(|row| row.name.strip_suffix("_r") == Some(stem)).unwrap_or(bone),
        None => bone,
    }
}

/// Length of limb that one repeat of the texture covers, units.
const TEXTURE: f32 = 16.0;

/// Converts a grid of points to vertices with normals and tangents, and to triangles whose front faces are outward and
/// clockwise, as Quake's renderers require.
fn add(meshes: &mut [Mesh], surface: usize, points: &[Point], sides: usize) {
    let mesh = &mut meshes[surface];
    let first = mesh.positions.len() as u32;
    let columns = sides + 1;
    let mut triangles = Vec::new();
    for lower in 0..points.len() / columns - 1 {
        for side in 0..sides {
            let a = lower * columns + side;
            let [b, c, d] = [a + 1, a + columns, a + columns + 1];
            for triangle in [[a, b, d], [a, d, c]] {
                let [p, q, r] = triangle.map(|i| points[i].place);
                if (q - p).cross(r - p).length() > 1e-4 {
                    triangles.push(triangle);
                }
            }
        }
    }
    // Outward is away from the middle of the piece. The sum decides, because a mirrored piece is inside out.
    let middle = points.iter().map(|p| p.place).sum::<Vec3>() / points.len() as f32;
    let face = |[a, b, c]: [usize; 3]| (points[b].place - points[a].place).cross(points[c].place - points[a].place);
    let outward: f32 = triangles.iter().map(|t| face(*t).dot(points[t[0]].place - middle)).sum();
    if outward > 0.0 {
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let normal = |point: &Point| {
        let touches = |i: &usize| points[*i].place.distance(point.place) < 1e-3;
        let sum: Vec3 = triangles.iter().filter(|t| t.iter().any(touches)).map(|t| -face(*t)).sum();
        sum.normalize_or(Vec3::Z)
    };
    let [red, green, blue] = SURFACES[surface].2.map(byte);
    for (i, point) in points.iter().enumerate() {
        let (column, row) = (i % columns, i / columns * columns);
        let tangent = points[row + (column + 1).min(sides)].place - points[row + column.saturating_sub(1)].place;
        let normal = normal(point);
        let tangent = (tangent - normal * tangent.dot(normal)).normalize_or(normal.any_orthonormal_vector());
        let along = points[(i + columns).min(points.len() - 1)].place - points[i.saturating_sub(columns)].place;
        let down = points[(i + columns).min(points.len() - 1)].along < points[i.saturating_sub(columns)].along;
        let side = normal.cross(tangent).dot(if down { -along } else { along });
        mesh.positions.push(point.place.to_array());
        mesh.normals.push(normal.to_array());
        mesh.tangents.push([tangent.x, tangent.y, tangent.z, if side < 0.0 { -1.0 } else { 1.0 }]);
        mesh.texcoords.push([point.around, point.along / TEXTURE]);
        mesh.colors.push([red, green, blue, 1.0]);
        mesh.influences.push(point.influences);
    }
    mesh.triangles.extend(triangles.iter().map(|t| t.map(|i| first + i as u32)));
}
