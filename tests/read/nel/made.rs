//! Hand-made shapes and skeletons.

use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{JoinError, ModelProblem};

use super::made_anim::{anim, default_vector};
use crate::common::watched::read;

pub fn f(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub fn u(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Writes a string.
pub fn s(text: &str) -> Vec<u8> {
    [u(&[text.len() as u32]), text.as_bytes().to_vec()].concat()
}

/// Writes a pointer to an object that follows.
pub fn object(id: u32, class: &str) -> Vec<u8> {
    [u(&[id, 0]), s(class)].concat()
}

/// Writes default tracks of a transform, each a version and a value.
fn transform(position: [f32; 3], rotation: [f32; 4], scale: [f32; 3], pivot: [f32; 3]) -> [Vec<u8>; 5] {
    let track = |values: &[f32]| [vec![0], f(values)].concat();
    [track(&position), track(&pivot), track(&[0.0; 3]), track(&rotation), track(&scale)]
}

const NO_TURN: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Writes a material (version 9) with one texture file.
fn material(texture: &[u8]) -> Vec<u8> {
    let colors_and_more = [vec![0; 20], f(&[0.0, 0.0]), vec![0; 2]].concat();
    let stages = [texture, &[0; 18], &[0; 26], &[0; 26], &[0; 26]].concat();
    [vec![9], u(&[0, 0, 0, 0, 0]), f(&[0.0]), colors_and_more, stages, u(&[0]), vec![0]].concat()
}

fn texture(id: u32) -> Vec<u8> {
    [object(id, "CTextureFile"), vec![1, 1], vec![0; 21], s("skin.tga"), vec![0]].concat()
}

/// Writes the common part of meshes (version 4): one named morph, one material.
fn base(position: [f32; 3], scale: [f32; 3], texture: &[u8]) -> Vec<u8> {
    let names = [u(&[1]), s("smile")].concat();
    let transform = transform(position, NO_TURN, scale, [0.0; 3]).concat();
    [vec![4], names, transform, u(&[1]), material(texture), u(&[0, 0]), vec![1, 1]].concat()
}

/// Writes one morph that moves vertex 2 along X.
fn morphs() -> Vec<u8> {
    let deltas = [u(&[1]), f(&[10.0, 0.0, 0.0]), u(&[0, 0, 0, 0])].concat();
    [vec![0], u(&[1]), vec![1], s(""), deltas, u(&[1, 2])].concat()
}

/// Writes an old vertex buffer (version 1) of three vertices with normals, and with weights and palettes if skinned.
fn vertices(skinned: bool) -> Vec<u8> {
    let flags = if skinned { 0x1_003f } else { 0x21 };
    let mut bytes = [vec![1], u(&[flags, 3])].concat();
    for position in [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] {
        bytes.extend([f(&position), f(&[0.0, -1.0, 0.0])].concat());
        if skinned {
            bytes.extend([f(&[0.75, 0.25, 0.0, 0.0]), vec![1, 0, 99, 99]].concat());
        }
    }
    bytes
}

/// Writes a block of two matrices (or of none) with one pass of one triangle and `extra` indices.
fn blocks(matrices: [u32; 2], material: u32, indices: &[u32]) -> Vec<u8> {
    let ids = [u(&matrices), u(&[0xdead; 14]), u(&[2])].concat();
    let count = indices.len() as u32;
    let buffer = [vec![2], u(&[count, count, count]), u(indices), u(&[0])].concat();
    [u(&[1]), vec![0], ids, u(&[1]), vec![0], u(&[material]), buffer].concat()
}

/// Writes a mesh of version 3 of the geometry, whose skin has bone numbers.
fn mesh(skinned: bool, indices: &[u32]) -> Vec<u8> {
    let head = [b"SHAP".to_vec(), object(7, "CMesh"), vec![6]].concat();
    let geometry = [vec![3], u(&[0, 0]), morphs(), vertices(skinned), blocks([4, 1], 0, indices)].concat();
    let end = [vec![0], f(&[0.0; 6]), vec![skinned.into()]].concat();
    [head, base([1.0, 0.0, 0.0], [1.0, 2.0, 1.0], &texture(9)), geometry, end].concat()
}

/// Bone of a skeleton (version 2).
pub struct MadeBone {
    pub name: &'static str,
    pub parent: i32,
    pub drops_scale: bool,
    pub position: [f32; 3],
    pub rotation: [f32; 4],
    pub scale: [f32; 3],
    pub pivot: [f32; 3],
    /// Position in the skin; no rotation.
    pub bind: [f32; 3],
    pub skin_scale: [f32; 3],
}

impl MadeBone {
    pub fn new(name: &'static str, parent: i32, position: [f32; 3]) -> Self {
        let (one, zero) = ([1.0; 3], [0.0; 3]);
        Self {
            name,
            parent,
            drops_scale: false,
            position,
            rotation: NO_TURN,
            scale: one,
            pivot: zero,
            bind: zero,
            skin_scale: one,
        }
    }
}

/// Writes a skeleton (version 0).
pub fn skeleton(bones: &[MadeBone]) -> Vec<u8> {
    let mut bytes = [b"SHAP".to_vec(), object(1, "CSkeletonShape"), vec![0], u(&[bones.len() as u32])].concat();
    for bone in bones {
        let inverse = [vec![0], u(&[1]), f(&[f32::NAN]), f(&bone.bind.map(|v| -v))].concat();
        let flags = [(bone.parent as u32).to_le_bytes().to_vec(), vec![bone.drops_scale.into()], f(&[0.0])].concat();
        let [position, pivot, euler, rotation, scale] = transform(bone.position, bone.rotation, bone.scale, bone.pivot);
        let tracks = [position, euler, rotation, scale, pivot].concat();
        bytes.extend([vec![2], s(bone.name), inverse, flags, tracks, f(&bone.skin_scale)].concat());
    }
    bytes.extend(u(&[0]));
    bytes
}

fn refused(bytes: &[u8]) -> ModelProblem {
    read("refused", bytes).expect_err("refused").problem
}

#[test]
fn an_unskinned_mesh_stands_where_its_placement_says_in_quake_axes() {
    let model = read("placed", &mesh(false, &[0, 1, 2])).unwrap();
    let [mesh] = &model.meshes[..] else { panic!("{:?}", model.meshes) };
    // (x, y, z) is first scaled to (x, 2y, z) and moved by X, then becomes (-y, x, z).
    assert_eq!(mesh.positions, [[-4.0, 2.0, 3.0], [-10.0, 5.0, 6.0], [-16.0, 8.0, 9.0]]);
    assert_eq!(mesh.normals[0], [1.0, 0.0, 0.0]);
    assert_eq!(mesh.triangles, [[0, 2, 1]]);
    assert_eq!(mesh.material.to_string(), "skin.tga");
    assert!(mesh.influences.is_empty() && model.skeleton.is_empty());
    assert_eq!(model.warnings, []);
}

#[test]
fn a_morph_moves_its_vertices_by_a_share_of_their_way() {
    let mesh = &read("morph", &mesh(false, &[2, 1, 0])).unwrap().meshes[0];
    let [smile] = &mesh.morphs[..] else { panic!("{:?}", mesh.morphs) };
    assert!(smile.name == *"smile" && smile.vertices == [2]);
    let mut moved = mesh.positions.clone();
    smile.apply(0.5, &mut moved, &mut []);
    assert_eq!(moved[..2], mesh.positions[..2]);
    assert_eq!(moved[2], [-16.0, 13.0, 9.0]);
}

#[test]
fn a_morph_has_a_delta_for_each_of_its_vertices_or_none() {
    let with = |positions: u32, normals: u32, vertices: u32| {
        let list = |count: u32, item: Vec<u8>| [u(&[count]), item.repeat(count as usize)].concat();
        let deltas = [list(positions, f(&[1.0, 2.0, 3.0])), list(normals, f(&[0.0, 0.0, 1.0])), u(&[0; 3])].concat();
        let made = [vec![0], u(&[1]), vec![1], s(""), deltas, list(vertices, u(&[1]))].concat();
        let mut bytes = mesh(false, &[0, 1, 2]);
        let old = morphs();
        let at = bytes.windows(old.len()).position(|bytes| bytes == old).unwrap();
        bytes.splice(at..at + old.len(), made);
        read("morph", &bytes).map(|model| model.meshes[0].morphs.len()).map_err(|error| error.problem)
    };
    for (positions, normals, vertices) in [(2, 2, 2), (2, 0, 2), (0, 2, 2), (0, 0, 2)] {
        assert_eq!(with(positions, normals, vertices), Ok(1), "{positions} {normals} {vertices}");
    }
    let mismatch = |field, found, expected| Err(ModelProblem::Mismatch { field, found, expected });
    assert_eq!(with(1, 0, 2), mismatch("position deltas", 1, 2));
    assert_eq!(with(3, 2, 2), mismatch("position deltas", 3, 2));
    assert_eq!(with(2, 1, 2), mismatch("normal deltas", 1, 2));
    assert_eq!(with(0, 1, 0), mismatch("normal deltas", 1, 0));
}

#[test]
fn a_skin_that_counts_bones_hangs_on_those_numbers() {
    let mut model = read("counted", &mesh(true, &[0, 1, 2])).unwrap();
    // Palette entry 1 is bone 1, entry 0 is bone 4; an index with zero weight may have any value.
    assert_eq!(model.skeleton.len(), 5);
    assert!(model.skeleton.names().iter().all(|name| name.is_empty()));
    let influences = model.meshes[0].influences[0];
    assert_eq!((influences.bones, influences.weights), ([1, 4, 0, 0], [0.75, 0.25, 0.0, 0.0]));
    // A skinned mesh ignores its placement.
    assert_eq!(model.meshes[0].positions[0], [-2.0, 1.0, 3.0]);
    let few: Vec<_> = (0..3).map(|i| MadeBone::new("bone", i - 1, [0.0; 3])).collect();
    let error = model.join(&read("few", &skeleton(&few)).unwrap()).unwrap_err();
    assert_eq!(error, JoinError::NoSuchBone { bone: 3, bones: 3 });
    let enough: Vec<_> = (0..6).map(|i| MadeBone::new("bone", i - 1, [0.0; 3])).collect();
    model.join(&read("enough", &skeleton(&enough)).unwrap()).unwrap();
    assert_eq!(model.skeleton.len(), 6);
    assert_eq!(model.meshes[0].influences[0].bones, [1, 4, 0, 0]);
}

#[test]
fn indices_materials_and_classes_are_checked() {
    let range = |field, found, max| ModelProblem::OutOfRange { field, found, min: 0, max };
    assert_eq!(refused(&mesh(false, &[0, 1, 3])), range("vertex", 3, 2));
    let partial = read("partial", &mesh(false, &[0, 1, 2, 0])).unwrap();
    assert_eq!(partial.meshes[0].triangles.len(), 1);
    assert_eq!(partial.warnings[0].message(), "skipped: an incomplete triangle".to_owned());
    let class = |name: &str| ModelProblem::UnsupportedClass { name: name.into() };
    assert_eq!(refused(&[b"SHAP".to_vec(), object(1, "CWaterShape")].concat()), class("CWaterShape"));
    assert_eq!(refused(&[b"SHAP".to_vec(), u(&[0, 0])].concat()), ModelProblem::Missing { what: "shape" });
    // The texture is the mesh itself.
    let mut itself = mesh(false, &[0, 1, 2]);
    let at = itself.windows(4).rposition(|bytes| bytes == u(&[9])).unwrap();
    itself[at..at + 4].copy_from_slice(&u(&[7]));
    assert_eq!(refused(&itself), ModelProblem::WrongClass { expected: "texture" });
    let mut longer = mesh(false, &[0, 1, 2]);
    longer.push(0);
    assert!(read("longer", &longer).unwrap().warnings[0].message().starts_with("accepted: "));
}

#[test]
fn textures_inside_textures_end() {
    let mut nested = Vec::new();
    for id in 0..40 {
        nested.extend([object(100 + id, "CTextureGrouped"), vec![1], u(&[1])].concat());
    }
    nested.extend(texture(9));
    let head = [b"SHAP".to_vec(), object(7, "CMesh"), vec![6]].concat();
    let bytes = [head, base([0.0; 3], [1.0; 3], &nested)].concat();
    assert_eq!(refused(&bytes), ModelProblem::TooDeep { allowed: 16 });
}

#[test]
fn no_truncation_of_made_files_panics() {
    let bones = [MadeBone::new("root", -1, [0.0; 3]), MadeBone::new("tip", 0, [0.0; 3])];
    let moving = anim(&[("tip.pos", default_vector([1.0, 2.0, 3.0]))]);
    for bytes in [mesh(true, &[0, 1, 2]), mesh(false, &[0, 1, 2]), skeleton(&bones), moving] {
        assert!(read("whole", &bytes).is_ok());
        for length in 0..bytes.len() {
            assert!(read("cut", &bytes[..length]).is_err(), "{length}");
        }
    }
}

/// Returns the model-space matrices of animation 0.
pub fn posed(model: &Model, time: f64) -> Vec<Mat3x4> {
    let count = model.skeleton.len();
    let mut relative = vec![Mat3x4::ZERO; count];
    let frame = skelobj::model::FrameState::single(0, time);
    skelobj::pose::sample(skelobj::pose::PoseSource { model, frame: &frame }, 0..count, &mut relative);
    let mut out = vec![Mat3x4::ZERO; count];
    skelobj::pose::to_model_space(model.skeleton.parents(), &relative, &mut out);
    out
}

#[test]
fn a_bone_that_drops_its_parents_scale_is_still_moved_by_it() {
    let mut bones = [MadeBone::new("root", -1, [0.0; 3]), MadeBone::new("tip", 0, [1.0, 0.0, 0.0])];
    bones[0].scale = [2.0, 3.0, 4.0];
    let stretched = posed(&read("inherits", &skeleton(&bones)).unwrap(), 0.0)[1];
    bones[1].drops_scale = true;
    let model = read("drops", &skeleton(&bones)).unwrap();
    let free = posed(&model, 0.0)[1];
    assert_eq!(stretched.origin(), Vec3::new(0.0, 2.0, 0.0));
    assert_eq!(free.origin(), stretched.origin());
    // NeL's X is Quake's Y.
    assert_eq!((stretched.forward(), free.forward()), (Vec3::Y * 2.0, Vec3::Y));
    assert_eq!((stretched.up(), free.up()), (Vec3::Z * 4.0, Vec3::Z));
    assert_eq!(model.animations[0].name.to_string(), "default");
}

#[test]
fn pivots_and_skin_scales_count() {
    let mut bone = MadeBone::new("root", -1, [0.0; 3]);
    bone.pivot = [1.0, 0.0, 0.0];
    bone.scale = [3.0, 1.0, 1.0];
    bone.bind = [0.0, 0.0, 5.0];
    bone.skin_scale = [1.0, 1.0, 2.0];
    let model = read("pivot", &skeleton(&[bone])).unwrap();
    // The pivot stays in place: 1 - 3 along NeL's X.
    assert_eq!(posed(&model, 0.0)[0].origin(), Vec3::new(0.0, -2.0, 0.0));
    assert_eq!(model.skeleton.bind_model()[0].origin(), Vec3::new(0.0, 0.0, 5.0));
    // A point one above the bone in the skin becomes two above it.
    let above = model.skeleton.inverse_bind()[0].transform_point(Vec3::new(0.0, 0.0, 6.0));
    assert_eq!(above, Vec3::new(0.0, 0.0, 2.0));
}
