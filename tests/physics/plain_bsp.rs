//! Traces by plain definitions: a box against every brush of a file, and a point through a clipping hull.

use glam::DVec3;
use skelobj::glam;
use skelobj::math::Vec3;

/// Result of a plain trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plain {
    /// Share of the way up to the surface; 1 if nothing is in the way.
    pub fraction: f64,
    pub normal: DVec3,
    pub start_solid: bool,
    pub all_solid: bool,
}

/// Convex brush: planes, and the corners between them.
pub struct Brush {
    planes: Vec<(DVec3, f64)>,
    corners: Vec<DVec3>,
    mins: DVec3,
    maxs: DVec3,
}

impl Brush {
    /// Returns a brush of planes; `None` if it has no volume.
    pub fn new(planes: Vec<(DVec3, f64)>) -> Option<Self> {
        let mut corners: Vec<DVec3> = Vec::new();
        for a in 0..planes.len() {
            for b in a + 1..planes.len() {
                for c in b + 1..planes.len() {
                    let [(n, d), (m, e), (o, f)] = [planes[a], planes[b], planes[c]];
                    let volume = n.dot(m.cross(o));
                    let corner = (m.cross(o) * d + o.cross(n) * e + n.cross(m) * f) / volume;
                    let is_inside = || planes.iter().all(|(normal, distance)| normal.dot(corner) <= distance + 1e-3);
                    let is_new = |corners: &[DVec3]| corners.iter().all(|known| known.distance(corner) > 1e-3);
                    if volume.abs() > 1e-9 && is_inside() && is_new(&corners) {
                        corners.push(corner);
                    }
                }
            }
        }
        let [mins, maxs] = [corners.iter().copied().reduce(DVec3::min)?, corners.iter().copied().reduce(DVec3::max)?];
        (corners.len() > 3).then_some(Self { planes, corners, mins, maxs })
    }

    pub fn contains(&self, point: DVec3) -> bool {
        self.planes.iter().all(|(normal, distance)| normal.dot(point) <= *distance)
    }

    /// Adds the bevels that a box of any size needs: the box around the brush, and planes along its edges.
    pub fn bevelled(mut self) -> Self {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let mut normals: Vec<DVec3> = axes.into_iter().flat_map(|axis| [axis, -axis]).collect();
        for (number, (a, _)) in self.planes.iter().enumerate() {
            for (b, _) in &self.planes[number + 1..] {
                for axis in axes {
                    let normal = a.cross(*b).cross(axis);
                    if normal.length() > 1e-6 {
                        normals.extend([normal.normalize(), -normal.normalize()]);
                    }
                }
            }
        }
        for normal in normals {
            let distance = self.corners.iter().map(|corner| normal.dot(*corner)).fold(f64::NEG_INFINITY, f64::max);
            self.planes.push((normal, distance));
        }
        self
    }
}

/// Traces a box as Quake III does: its centre through brushes whose planes are moved out by the box.
pub fn sweep(brushes: &[Brush], start: DVec3, end: DVec3, half: DVec3) -> Plain {
    let mut plain = Plain { fraction: 1.0, normal: DVec3::ZERO, start_solid: false, all_solid: false };
    let mut intervals = Vec::new();
    let [mins, maxs] = [start.min(end) - half, start.max(end) + half];
    for brush in brushes.iter().filter(|brush| brush.mins.cmple(maxs).all() && brush.maxs.cmpge(mins).all()) {
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        let (mut normal, mut is_out, mut misses) = (DVec3::ZERO, false, false);
        for (plane, distance) in &brush.planes {
            let distance = distance + plane.abs().dot(half);
            let [from, to] = [start, end].map(|point| plane.dot(point) - distance);
            is_out |= from > 0.0;
            misses |= from > 0.0 && to >= from;
            if from > 0.0 && to < from && from / (from - to) > enter {
                (enter, normal) = (from / (from - to), *plane);
            } else if to > from {
                leave = leave.min(from / (from - to));
            }
        }
        if !misses && (!is_out || enter < leave && enter <= 1.0) {
            plain.start_solid |= !is_out;
            intervals.push((if is_out { enter } else { 0.0 }, leave, normal));
        }
    }
    intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut open = if plain.start_solid { 0.0 } else { f64::NEG_INFINITY };
    for (enter, leave, normal) in intervals {
        if enter > open + 1e-6 {
            if open <= 1.0 {
                (plain.fraction, plain.normal) = (enter, normal);
            }
            break;
        }
        open = open.max(leave);
    }
    plain.all_solid = open > 1.0;
    plain
}

pub fn i32_at(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()).into()
}

fn f64_at(bytes: &[u8], at: usize) -> f64 {
    f32::from_bits(i32_at(bytes, at) as u32).into()
}

fn vector_at(bytes: &[u8], at: usize) -> DVec3 {
    DVec3::new(f64_at(bytes, at), f64_at(bytes, at + 4), f64_at(bytes, at + 8))
}

fn lump(bytes: &[u8], directory: usize, number: usize) -> &[u8] {
    let [offset, length] = [0, 4].map(|field| i32_at(bytes, directory + 8 * number + field) as usize);
    &bytes[offset..offset + length]
}

/// Returns the solid brushes of the world of a file with brushes.
pub fn brushes(bytes: &[u8]) -> Vec<Brush> {
    let lump = |number: usize| lump(bytes, 8, number);
    let quake2 = &bytes[..8] == b"IBSP\x26\0\0\0";
    let [plane_lump, side_lump, brush_lump] =
        if quake2 { [lump(1), lump(15), lump(14)] } else { [lump(2), lump(9), lump(8)] };
    let plane_size = if quake2 { 20 } else { 16 };
    let side_size = match &bytes[..4] {
        b"FBSP" => 12,
        _ if quake2 => 4,
        _ => 8,
    };
    let numbers: Vec<usize> = if quake2 {
        let mut leaves = Vec::new();
        let mut open = vec![i32_at(lump(13), 36)];
        while let Some(node) = open.pop() {
            match node {
                0.. => open.extend([4, 8].map(|child| i32_at(lump(4), 28 * node as usize + child))),
                _ => leaves.push((-1 - node) as usize),
            }
        }
        let runs = leaves.into_iter().flat_map(|leaf| {
            let [first, count] = [24, 26].map(|field| u16_at(lump(8), 28 * leaf + field));
            first..first + count
        });
        let mut found: Vec<usize> = runs.map(|record| u16_at(lump(10), 2 * record)).collect();
        found.sort_unstable();
        found.dedup();
        found
    } else {
        let [first, count] = [32, 36].map(|field| i32_at(lump(7), field) as usize);
        (first..first + count).collect()
    };
    let brush = |number: usize| {
        let [first, count, last] = [0, 4, 8].map(|field| i32_at(brush_lump, 12 * number + field));
        let contents = if quake2 { last & 3 } else { i32_at(lump(1), 72 * last as usize + 68) & 1 };
        let planes = (first as usize..(first + count) as usize).map(|side| {
            let plane = if quake2 { u16_at(side_lump, 4 * side) } else { i32_at(side_lump, side_size * side) as usize };
            (vector_at(plane_lump, plane_size * plane), f64_at(plane_lump, plane_size * plane + 12))
        });
        Brush::new(planes.collect()).filter(|_| contents != 0)
    };
    numbers.into_iter().filter_map(brush).collect()
}

/// Returns the solid brushes of the world of a Quake file with a BRUSHLIST.
pub fn listed_brushes(bytes: &[u8]) -> Vec<Brush> {
    let name = bytes.windows(9).position(|name| name == b"BRUSHLIST").expect("a BRUSHLIST");
    let mut at = i32_at(bytes, name + 24) as usize;
    let [model, count] = [4, 8].map(|field| i32_at(bytes, at + field));
    assert_eq!(model, 0, "the world comes first");
    at += 16;
    let mut found = Vec::new();
    for _ in 0..count {
        let [mins, maxs] = [0, 12].map(|field| vector_at(bytes, at + field));
        let [contents, sides] = [24, 26].map(|field| u16_at(bytes, at + field));
        let mut planes: Vec<(DVec3, f64)> = Vec::new();
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            planes.extend([(axis, axis.dot(maxs)), (-axis, -axis.dot(mins))]);
        }
        planes.extend((0..sides).map(|side| {
            let at = at + 28 + 16 * side;
            (vector_at(bytes, at), f64_at(bytes, at + 12))
        }));
        at += 28 + 16 * sides;
        // Solid, and the sky.
        found.extend(Brush::new(planes).filter(|_| [-2i16, -6].contains(&(contents as i16))));
    }
    found
}

/// Contents of a point in a clipping hull of the world of a Quake file.
fn hull_contents(bytes: &[u8], mut node: i32, point: DVec3) -> i32 {
    let (planes, nodes) = (lump(bytes, 4, 1), lump(bytes, 4, 9));
    while node >= 0 {
        let at = 8 * node as usize;
        let plane = 20 * i32_at(nodes, at) as usize;
        let above = vector_at(planes, plane).dot(point) - f64_at(planes, plane + 12);
        node = i16::from_le_bytes(nodes[at + if above < 0.0 { 6 } else { 4 }..][..2].try_into().unwrap()).into();
    }
    node
}

/// Traces a point through hull 1 of a Quake file: the pieces of the line between all planes that it crosses.
pub fn hull_sweep(bytes: &[u8], start: DVec3, end: DVec3) -> Plain {
    let head = i32_at(lump(bytes, 4, 14), 40);
    let (planes, nodes) = (lump(bytes, 4, 1), lump(bytes, 4, 9));
    let mut times = vec![(0.0, DVec3::ZERO), (1.0, DVec3::ZERO)];
    let mut open = vec![(head, 0.0, 1.0)];
    while let Some((node, from, to)) = open.pop() {
        if node < 0 {
            continue;
        }
        let at = 8 * node as usize;
        let plane = 20 * i32_at(nodes, at) as usize;
        let normal = vector_at(planes, plane);
        let [a, b] = [start, end].map(|point| normal.dot(point) - f64_at(planes, plane + 12));
        let [front, back] = [4, 6].map(|field| i16::from_le_bytes(nodes[at + field..][..2].try_into().unwrap()).into());
        let middle = a / (a - b);
        if middle > from && middle < to {
            times.push((middle, if a > b { normal } else { -normal }));
            let [first, second] = if a > b { [front, back] } else { [back, front] };
            open.extend([(first, from, middle), (second, middle, to)]);
        } else {
            let at_middle = a + (b - a) * (from + to) / 2.0;
            open.push((if at_middle < 0.0 { back } else { front }, from, to));
        }
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_solid = |time: f64| [-2, -6, -8].contains(&hull_contents(bytes, head, start + (end - start) * time));
    let mut plain = Plain { fraction: 1.0, normal: DVec3::ZERO, start_solid: false, all_solid: true };
    for (number, pair) in times.windows(2).enumerate() {
        let solid = is_solid((pair[0].0 + pair[1].0) / 2.0);
        plain.start_solid |= solid && number == 0;
        if solid && !plain.all_solid {
            return Plain { fraction: pair[0].0, normal: pair[0].1, ..plain };
        }
        plain.all_solid &= solid;
    }
    plain
}

impl Brush {
    /// Returns the box around the corners of brushes.
    pub fn bounds(brushes: &[Self]) -> [Vec3; 2] {
        let corners = || brushes.iter().flat_map(|brush| &brush.corners).copied();
        [corners().reduce(DVec3::min).unwrap().as_vec3(), corners().reduce(DVec3::max).unwrap().as_vec3()]
    }
}
