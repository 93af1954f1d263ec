//! Levels of Quake 2 and Quake 3 with much work in few bytes, made record by record.

use skelobj::math::Vec3;

/// Writes a file of records: the magic, the version, the directory of lumps, the lumps.
fn file(version: i32, lumps: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"IBSP".to_vec();
    bytes.extend(version.to_le_bytes());
    let mut offset = 8 + 8 * lumps.len();
    for lump in lumps {
        bytes.extend([offset, lump.len()].map(|v| (v as u32).to_le_bytes()).concat());
        offset += lump.len();
    }
    bytes.extend(lumps.concat());
    bytes
}

fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Returns the directions of the sides of a box.
fn sides() -> impl Iterator<Item = Vec3> {
    [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis])
}

/// Adds the planes and the brush sides of a box of 32 units to a Quake 2 level.
fn add_sides(lumps: &mut [Vec<u8>]) {
    for (number, normal) in sides().enumerate() {
        lumps[1].extend(floats(&[normal.x, normal.y, normal.z, 16.0]));
        lumps[1].extend(ints(&[0]));
        lumps[15].extend([number as u16, 0].map(u16::to_le_bytes).concat());
    }
}

/// Returns a Quake 2 level: a chain of nodes with a leaf at each. Every leaf has all records of one table of leaf
/// brushes, which names each of a few clip brushes repeatedly. All models begin at the first node.
pub fn shared_leaf_brushes(leaves: usize, brushes: u16, models: usize) -> Vec<u8> {
    let mut lumps = vec![Vec::new(); 19];
    add_sides(&mut lumps);
    for node in 0..leaves as i32 - 1 {
        let last = node == leaves as i32 - 2;
        lumps[4].extend(ints(&[0, -1 - node, if last { -2 - node } else { node + 1 }]));
        lumps[4].extend([0; 16]);
    }
    lumps[5] = vec![0; 76];
    for _ in 0..leaves {
        lumps[8].extend([0; 24]);
        lumps[8].extend([0, u16::MAX].map(u16::to_le_bytes).concat());
    }
    lumps[10] = (0..u16::MAX).flat_map(|record| (record % brushes).to_le_bytes()).collect();
    lumps[13] = [vec![0; 36], ints(&[0, 0, 0])].concat().repeat(models);
    lumps[14] = ints(&[0, 6, 0x10000]).repeat(brushes.into());
    file(38, &lumps)
}

/// Returns a Quake 2 level of one face that looks up, in a leaf with one solid brush: a box around the face, or nothing
/// if it has no sides.
pub fn face_in_brush(sides: i32) -> Vec<u8> {
    let mut lumps = vec![Vec::new(); 19];
    add_sides(&mut lumps);
    lumps[1].extend(floats(&[0.0, 0.0, 1.0, 0.0]));
    lumps[1].extend(ints(&[0]));
    lumps[2] = floats(&[0.0, 8.0, 0.0, 8.0, -8.0, 0.0, -8.0, -8.0, 0.0]);
    lumps[4] = [ints(&[0, -1, -1]), vec![0; 16]].concat();
    lumps[5] = vec![0; 76];
    lumps[6] = [6u16, 0, 0, 0, 3, 0, 0, 0, 0, 0].map(u16::to_le_bytes).concat();
    lumps[8] = [vec![0; 24], [0, 1].map(u16::to_le_bytes).concat()].concat();
    lumps[10] = vec![0; 2];
    lumps[11] = [0u16, 1, 1, 2, 2, 0].map(u16::to_le_bytes).concat();
    lumps[12] = ints(&[0, 1, 2]);
    lumps[13] = [vec![0; 36], ints(&[0, 0, 1])].concat();
    lumps[14] = ints(&[0, sides, 1]);
    file(38, &lumps)
}

/// Returns a Quake 2 level of one solid brush with these sides, each a plane and the number of a texture: 0 is drawn, 1
/// is not, and -1 is none.
pub fn quake2_brush(sides: &[(Vec3, f32, i16)]) -> Vec<u8> {
    let mut lumps = vec![Vec::new(); 19];
    for (number, (normal, distance, texture)) in sides.iter().enumerate() {
        lumps[1].extend(floats(&[normal.x, normal.y, normal.z, *distance]));
        lumps[1].extend(ints(&[0]));
        lumps[15].extend([(number as u16).to_le_bytes(), texture.to_le_bytes()].concat());
    }
    lumps[4] = [ints(&[0, -1, -1]), vec![0; 16]].concat();
    lumps[5] = vec![0; 2 * 76];
    lumps[5][76 + 32] = 0x80;
    lumps[8] = [vec![0; 24], [0, 1].map(u16::to_le_bytes).concat()].concat();
    lumps[10] = vec![0; 2];
    lumps[13] = [vec![0; 36], ints(&[0, 0, 0])].concat();
    lumps[14] = ints(&[0, sides.len() as i32, 1]);
    file(38, &lumps)
}

/// Returns a Quake 3 level of one brush, a box of 32 units, whose sides have one shader with these flags and contents.
pub fn quake3_brush(flags: i32, contents: i32) -> Vec<u8> {
    let mut lumps = vec![Vec::new(); 17];
    lumps[1] = [vec![0; 64], ints(&[flags, contents])].concat();
    for (number, normal) in sides().enumerate() {
        lumps[2].extend(floats(&[normal.x, normal.y, normal.z, 16.0]));
        lumps[9].extend(ints(&[number as i32, 0]));
    }
    lumps[7] = [vec![0; 24], ints(&[0, 0, 0, 1])].concat();
    lumps[8] = ints(&[0, 6, 0]);
    file(46, &lumps)
}

/// Returns a Quake 3 level of solid brushes without faces, each its planes. The sides of every third brush are not
/// drawn.
pub fn quake3_brushes(brushes: &[Vec<(Vec3, f32)>]) -> Vec<u8> {
    let mut lumps = vec![Vec::new(); 17];
    lumps[1] = [vec![0; 64], ints(&[0, 1]), vec![0; 64], ints(&[0x80, 1])].concat();
    for (number, planes) in brushes.iter().enumerate() {
        let shader = i32::from(number % 3 == 0);
        let first = lumps[9].len() / 8;
        lumps[8].extend(ints(&[first as i32, planes.len() as i32, shader]));
        for (side, (normal, distance)) in planes.iter().enumerate() {
            lumps[2].extend(floats(&[normal.x, normal.y, normal.z, *distance]));
            lumps[9].extend(ints(&[(first + side) as i32, shader]));
        }
    }
    lumps[7] = [vec![0; 24], ints(&[0, 0, 0, brushes.len() as i32])].concat();
    file(46, &lumps)
}

/// Quake 3 level whose models have one surface each, of triangles or a curve.
#[derive(Default)]
pub struct Quake3 {
    pub entities: String,
    pub vertices: Vec<Vec3>,
    pub indexes: Vec<i32>,
    /// Number of surfaces; each has all the vertices and indexes.
    pub surfaces: usize,
    /// Number of control points in a row and a column; zero for triangles.
    pub patch: [i32; 2],
    /// `true` for surfaces without collision.
    pub passable: bool,
    /// `true` if each model has all surfaces, `false` if none has any.
    pub models: Vec<bool>,
}

impl Quake3 {
    pub fn bytes(&self) -> Vec<u8> {
        let mut lumps = vec![Vec::new(); 17];
        lumps[0] = self.entities.clone().into_bytes();
        lumps[1] = vec![0; 64];
        lumps[1].extend(ints(&[if self.passable { 0x4000 } else { 0 }, 1]));
        for &has in &self.models {
            lumps[7].extend([0; 24]);
            lumps[7].extend(ints(&[0, if has { self.surfaces as i32 } else { 0 }, 0, 0]));
        }
        for vertex in &self.vertices {
            lumps[10].extend(floats(&vertex.to_array()));
            lumps[10].extend([0; 32]);
        }
        lumps[11] = ints(&self.indexes);
        let kind = if self.patch == [0; 2] { 1 } else { 2 };
        let counts = [self.vertices.len(), self.indexes.len()].map(|count| count as i32);
        let mut surface = ints(&[0, -1, kind, 0, counts[0], 0, counts[1]]);
        surface.resize(96, 0);
        surface.extend(ints(&self.patch));
        lumps[13] = surface.repeat(self.surfaces);
        file(46, &lumps)
    }

    /// Adds a triangle with corners clockwise seen from outside.
    pub fn triangle(&mut self, corners: [Vec3; 3]) {
        let first = self.vertices.len() as i32;
        self.vertices.extend(corners);
        self.indexes.extend([first, first + 1, first + 2]);
    }

    /// Returns a level with a brush entity for each origin; all show model 1, a floor of two triangles.
    pub fn movers(origins: impl IntoIterator<Item = Vec3>) -> Self {
        let entity = |Vec3 { x, y, z }| format!("{{ model *1 origin \"{x} {y} {z}\" }}\n");
        let entities = origins.into_iter().map(entity).collect();
        let mut level = Self { entities, surfaces: 1, models: vec![false, true], ..Self::default() };
        let [a, b, c, d] = [[0.0, 0.0], [0.0, 32.0], [32.0, 32.0], [32.0, 0.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        level.triangle([a, b, c]);
        level.triangle([a, c, d]);
        level
    }
}
