//! Small valid file, and the positions that the tests spoil.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{
    Animation, Bone, Bounds, CustomArray, Event, Influences, Mesh, Model, Skeleton, Skin, SkinMaterial,
};
use skelobj::write;

/// Returns a small model with contents in every section of the file.
pub fn small() -> Model {
    let bone = |i: usize| Bone {
        name: ["root", "tip"][i].into(),
        parent: i.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::Z * i as f32),
    };
    let mut walk = Animation::frames("walk", 0, 3, 20.0, true);
    walk.events = vec![Event { time: 0.05, code: 1, data: "step".into() }];
    let mut mesh = Mesh {
        name: "skin".into(),
        material: "skin.tga".into(),
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        tangents: vec![[1.0, 0.0, 0.0, 1.0]; 3],
        texcoords: vec![[0.0; 2]; 3],
        colors: vec![[1.0; 4]; 3],
        influences: vec![Influences { bones: [1, 0, 0, 0], weights: [0.6, 0.4, 0.0, 0.0] }; 3],
        custom: vec![CustomArray { name: "wind".into(), components: 1, data: vec![0.5; 3] }],
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    };
    mesh.surface.body = 4;
    let material = SkinMaterial { material: "red.tga".into(), shader: "{}".into() };
    Model {
        skeleton: Skeleton::new((0..2).map(bone).collect()).unwrap(),
        animations: vec![walk],
        frames: (0..6).map(|i| Mat3x4::from_translation(Vec3::new(i as f32, 0.0, (i % 2) as f32))).collect(),
        bounds: vec![Bounds { mins: [0.0; 3], maxs: [1.0; 3], xy_radius: 1.0, radius: 2.0 }; 3],
        meshes: vec![mesh],
        skins: vec![Skin { mesh: 0, interval: 0.1, materials: vec![material] }],
        comments: vec!["a comment".into()],
        ..Model::default()
    }
}

pub fn small_file() -> Vec<u8> {
    write::iqm(&small()).unwrap()
}

pub fn get(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Corrects the size field of the header.
pub fn fix_size(bytes: &mut [u8]) {
    let size = bytes.len() as u32;
    if bytes.len() >= 24 {
        put(bytes, 20, size);
    }
}

/// Positions in the header that the tests change.
pub mod at {
    pub const TEXT: usize = 28;
    pub const MESHES: usize = 36;
    pub const VERTEX_ARRAYS: usize = 44;
    pub const VERTEX_COUNT: usize = 48;
    pub const VERTEX_ARRAY_OFFSET: usize = 52;
    pub const TRIANGLES: usize = 56;
    pub const JOINTS: usize = 68;
    pub const POSES: usize = 76;
    pub const ANIMS: usize = 84;
    pub const FRAMES: usize = 92;
    pub const CHANNELS: usize = 96;
    pub const BOUNDS_OFFSET: usize = 104;
    pub const COMMENTS: usize = 108;
    pub const EXTENSIONS: usize = 116;
}
