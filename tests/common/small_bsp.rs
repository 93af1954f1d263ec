//! Quake level of one room with a crate, made byte by byte.

use skelobj::math::Vec3;

/// Lumps of a BSP29 file in the order of the directory.
#[derive(Clone, Default)]
pub struct Bsp29 {
    pub lumps: [Vec<u8>; 15],
}

pub const PLANES: usize = 1;
pub const TEXTURES: usize = 2;
pub const VERTICES: usize = 3;
pub const NODES: usize = 5;
pub const TEXINFO: usize = 6;
pub const FACES: usize = 7;
pub const LEAFS: usize = 10;
pub const EDGES: usize = 12;
pub const SURFEDGES: usize = 13;
pub const MODELS: usize = 14;

/// Entity lump of the room: a worldspawn, the crate 32 units up, and a trigger with the same model.
const ENTITIES: &str = r#"// made by hand
{ "classname" "worldspawn" "message" "a room" }
{ classname func_plat "model" "*1" "origin" "0 0 32" }
{ "classname" "trigger_once" "model" "*1" }
"#;

impl Bsp29 {
    /// Returns a room from -64 to 64 on every axis with sky above, and a model 1: a crate from -16 to 16.
    pub fn room() -> Self {
        Self::hall(64.0)
    }

    /// Returns a room of the given size with its crate.
    pub fn hall(half: f32) -> Self {
        let mut bsp = Self::default();
        bsp.lumps[0] = ENTITIES.as_bytes().to_vec();
        let names = ["wall", "sky1", "*water", ""];
        let mut textures = (names.len() as i32).to_le_bytes().to_vec();
        let first = 4 + 4 * names.len();
        for number in 0..names.len() {
            // The last lump was missing when the level was made.
            let offset = if number == 3 { -1 } else { (first + 40 * number) as i32 };
            textures.extend(offset.to_le_bytes());
        }
        for name in names {
            let mut miptex = [0u8; 40];
            miptex[..name.len()].copy_from_slice(name.as_bytes());
            textures.extend(miptex);
        }
        bsp.lumps[TEXTURES] = textures;
        for miptex in 0..4i32 {
            bsp.lumps[TEXINFO].extend([0u8; 32]);
            bsp.lumps[TEXINFO].extend(miptex.to_le_bytes());
            bsp.lumps[TEXINFO].extend([0u8; 4]);
        }
        // Leaf 0 is solid, leaf 1 empty.
        for contents in [-2i32, -1] {
            bsp.lumps[LEAFS].extend(contents.to_le_bytes());
            bsp.lumps[LEAFS].extend([0u8; 24]);
        }
        // Edge 0 is unused, because it has no negative.
        bsp.lumps[EDGES].extend([0u8; 4]);
        bsp.cube(half, true);
        bsp.cube(16.0, false);
        bsp
    }

    /// Adds six faces and the tree behind them, visible from inside or from outside.
    fn cube(&mut self, half: f32, inside: bool) {
        let first_face = self.count(FACES, 20);
        let head = self.count(NODES, 24);
        let sign = if inside { -1.0 } else { 1.0 };
        let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
        for (number, out) in sides.enumerate() {
            let (normal, centre) = (out * sign, out * half);
            let plane = self.count(PLANES, 20);
            self.floats(PLANES, &[normal.x, normal.y, normal.z, normal.dot(centre)]);
            self.lumps[PLANES].extend([0u8; 4]);
            let (a, b) = (out.any_orthonormal_vector(), out.cross(out.any_orthonormal_vector()));
            // Counter-clockwise around `normal`; files have the reverse order.
            let mut corners = [a + b, b - a, -a - b, a - b].map(|corner| centre + corner * half);
            if (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(normal) > 0.0 {
                corners.reverse();
            }
            let texinfo = if inside && out == Vec3::Z { 1 } else { 0 };
            self.face(plane as u16, &corners, texinfo);
            // Children: in front of the plane, behind it.
            let next = (head + number + 1) as i16;
            let [empty, solid] = [-2i16, -1];
            let [front, back] = match (inside, number == 5) {
                (true, false) => [next, solid],
                (true, true) => [empty, solid],
                (false, false) => [empty, next],
                (false, true) => [empty, solid],
            };
            self.lumps[NODES].extend((plane as i32).to_le_bytes());
            self.lumps[NODES].extend([front, back].map(i16::to_le_bytes).concat());
            self.lumps[NODES].extend([0u8; 16]);
        }
        let faces = self.count(FACES, 20) - first_face;
        self.floats(MODELS, &[-half, -half, -half, half, half, half, 0.0, 0.0, 0.0]);
        for number in [head as i32, 0, 0, 0, 1, first_face as i32, faces as i32] {
            self.lumps[MODELS].extend(number.to_le_bytes());
        }
    }

    /// Adds a face with corners clockwise seen from outside.
    pub fn face(&mut self, plane: u16, corners: &[Vec3], texinfo: u16) {
        let first_edge = self.count(SURFEDGES, 4);
        let first_vertex = self.count(VERTICES, 12);
        for (number, corner) in corners.iter().enumerate() {
            self.floats(VERTICES, &corner.to_array());
            let edge = self.count(EDGES, 4) as i32;
            let ends = [number, (number + 1) % corners.len()].map(|end| (first_vertex + end) as u16);
            // Every other edge is stored in reverse and used backwards.
            let (ends, edge) = if number % 2 == 0 { (ends, edge) } else { ([ends[1], ends[0]], -edge) };
            self.lumps[EDGES].extend(ends.map(u16::to_le_bytes).concat());
            self.lumps[SURFEDGES].extend(edge.to_le_bytes());
        }
        self.lumps[FACES].extend([plane, 0].map(u16::to_le_bytes).concat());
        self.lumps[FACES].extend((first_edge as i32).to_le_bytes());
        self.lumps[FACES].extend([corners.len() as u16, texinfo].map(u16::to_le_bytes).concat());
        self.lumps[FACES].extend([0u8; 8]);
    }

    fn floats(&mut self, lump: usize, floats: &[f32]) {
        self.lumps[lump].extend(floats.iter().flat_map(|float| float.to_le_bytes()));
    }

    pub fn count(&self, lump: usize, size: usize) -> usize {
        self.lumps[lump].len() / size
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = 29i32.to_le_bytes().to_vec();
        let mut offset = 4 + 15 * 8;
        for lump in &self.lumps {
            bytes.extend((offset as u32).to_le_bytes());
            bytes.extend((lump.len() as u32).to_le_bytes());
            offset += lump.len();
        }
        bytes.extend(self.lumps.concat());
        bytes
    }
}
