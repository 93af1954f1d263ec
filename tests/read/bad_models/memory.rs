//! Small files that claim large contents.

use skelobj::model::{Mesh, ModelProblem, Skin, SkinMaterial};
use skelobj::write;

use super::small::{at, fix_size, get, put, small, small_file};
use crate::common::watched::read;

/// Checks that a file is refused for its memory.
fn assert_too_large(what: &str, bytes: &[u8]) {
    let error = read(what, bytes).unwrap_err();
    assert!(matches!(error.problem, ModelProblem::LimitExceeded(_)), "{what}: {error}");
}

#[test]
fn frames_without_channels_do_not_fill_memory() {
    let mut model = small();
    model.frames = model.frames[..2].repeat(3);
    let mut bytes = write::iqm(&model).unwrap();
    assert_eq!(get(&bytes, at::CHANNELS), 0);
    put(&mut bytes, at::BOUNDS_OFFSET, 0);
    put(&mut bytes, at::FRAMES, 1000);
    assert_eq!(read("a thousand frames", &bytes).unwrap().frame_count(), 1000);
    put(&mut bytes, at::FRAMES, u32::MAX);
    assert_too_large("four billion frames", &bytes);
}

#[test]
fn meshes_that_share_everything_do_not_fill_memory() {
    let mut model = small();
    model.meshes = vec![Mesh { positions: vec![[0.0; 3]; 20_000], ..Mesh::default() }];
    model.skins.clear();
    let mut bytes = write::iqm(&model).unwrap();
    let record = get(&bytes, at::MESHES + 4) as usize;
    let record = bytes[record..record + 24].to_vec();
    let offset = bytes.len() as u32;
    bytes.extend(record.repeat(10_000));
    put(&mut bytes, at::MESHES, 10_000);
    put(&mut bytes, at::MESHES + 4, offset);
    fix_size(&mut bytes);
    assert_too_large("ten thousand meshes of the same vertices", &bytes);
}

#[test]
fn names_that_share_a_long_text_do_not_fill_memory() {
    let mut bytes = small_file();
    let mut record = [0u8; 24];
    record[0] = 1;
    record[4] = 2;
    let text = bytes.len() as u32;
    bytes.extend([b'x'; 100_000]);
    let meshes = bytes.len() as u32;
    bytes.extend(record.repeat(5_000));
    for (field, value) in [(at::TEXT, 100_000), (at::TEXT + 4, text), (at::MESHES, 5_000), (at::MESHES + 4, meshes)] {
        put(&mut bytes, field, value);
    }
    put(&mut bytes, at::EXTENSIONS, 0);
    fix_size(&mut bytes);
    let model = read("five thousand meshes of one name of 100 kB", &bytes).unwrap();
    assert_eq!((model.meshes.len(), model.meshes[4_999].name.as_bytes().len()), (5_000, 99_999));
}

#[test]
fn arrays_of_no_vertices_do_not_fill_memory() {
    let mut bytes = small_file();
    let mut array = [0u8; 20];
    array[0] = 16;
    array[8] = 7;
    array[12] = 1;
    let arrays = bytes.len() as u32;
    bytes.extend(array.repeat(5_000));
    let meshes = bytes.len() as u32;
    bytes.extend([0u8; 24].repeat(5_000));
    let fields = [
        (at::VERTEX_ARRAYS, 5_000),
        (at::VERTEX_ARRAY_OFFSET, arrays),
        (at::VERTEX_COUNT, 0),
        (at::TRIANGLES, 0),
        (at::MESHES, 5_000),
        (at::MESHES + 4, meshes),
        (at::EXTENSIONS, 0),
    ];
    for (field, value) in fields {
        put(&mut bytes, field, value);
    }
    fix_size(&mut bytes);
    assert_too_large("five thousand arrays in five thousand meshes", &bytes);
}

#[test]
fn skins_that_share_their_frames_do_not_fill_memory() {
    let mut model = small();
    let material = SkinMaterial { material: "a".into(), shader: "".into() };
    let many = Skin { mesh: 0, interval: 0.1, materials: vec![material; 5_000] };
    model.skins = vec![many.clone()];
    model.skins.extend(vec![Skin { materials: many.materials[..1].into(), ..many }; 5_000]);
    let mut bytes = write::iqm(&model).unwrap();
    assert_eq!(read("many skins", &bytes).unwrap().skins.len(), 5_001);
    // The records of the small skins are the last before the extension list: each gets all frames.
    let end = get(&bytes, at::EXTENSIONS + 4) as usize;
    for skin in 1..=5_000 {
        let record = end - 12 * skin;
        put(&mut bytes, record, 0);
        put(&mut bytes, record + 4, 5_000);
    }
    assert_too_large("five thousand skins of five thousand frames", &bytes);
}

#[test]
fn comments_of_nothing_do_not_fill_memory() {
    let mut bytes = small_file();
    let offset = bytes.len() as u32;
    bytes.resize(bytes.len() + (1 << 20), 0);
    put(&mut bytes, at::COMMENTS, 1 << 20);
    put(&mut bytes, at::COMMENTS + 4, offset);
    fix_size(&mut bytes);
    assert_eq!(read("a million empty comments", &bytes).unwrap().comments.len(), 1 << 20);
}

#[test]
fn a_list_of_extensions_that_runs_in_a_circle_ends() {
    let mut bytes = small_file();
    let first = get(&bytes, at::EXTENSIONS + 4);
    put(&mut bytes, first as usize + 12, first);
    put(&mut bytes, at::EXTENSIONS, u32::MAX);
    let model = read("circle", &bytes).unwrap();
    assert_eq!(model.warnings.len(), 1);
    assert!(model.warnings[0].message().starts_with("skipped: "));
    assert_eq!(model.meshes[0].surface.body, 4);
    assert!(model.animations[0].events.is_empty());
}

#[test]
fn extensions_of_a_long_name_are_told_apart_at_once() {
    // Without the end of a string each name reaches across the whole text.
    let mut bytes = small_file();
    let text = bytes.len() as u32;
    bytes.extend(vec![b'F'; 1 << 20]);
    let first = bytes.len() as u32;
    let count = 1 << 16;
    for number in 0..count {
        let next = if number + 1 < count { first + 16 * (number + 1) } else { 0 };
        for word in [0, 0, 0, next] {
            bytes.extend(word.to_le_bytes());
        }
    }
    let fields = [
        (at::TEXT, 1 << 20),
        (at::TEXT + 4, text),
        (at::EXTENSIONS, count),
        (at::EXTENSIONS + 4, first),
        (at::ANIMS, 0),
        (at::MESHES, 0),
        (at::JOINTS, 0),
    ];
    for (field, value) in fields {
        put(&mut bytes, field, value);
    }
    fix_size(&mut bytes);
    assert!(read("sixty thousand extensions", &bytes).is_ok());
}

/// Returns a DPM of one bone and one frame whose meshes all have the same vertex with many influences.
fn influences_of(meshes: u32, influences: u32) -> Vec<u8> {
    let (bones_at, frames_at, pose_at) = (80, 120, 188);
    let vertex_at = pose_at + 48;
    let texcoords_at = vertex_at + 4 + 32 * influences;
    let meshes_at = texcoords_at + 8;
    let size = meshes_at + 56 * meshes;
    let mut bytes = b"DARKPLACESMODEL\0".to_vec();
    let mut words = vec![2, size];
    words.extend([0; 8]);
    words.extend([1, meshes, 1, bones_at, meshes_at, frames_at]);
    // The bone: a name, no parent, no flags. The frame: a name, bounds, its pose.
    words.extend([0; 8]);
    words.extend([u32::MAX, 0]);
    words.extend([0; 8 + 8]);
    words.push(pose_at);
    words.extend([0; 12]);
    words.push(influences);
    words.extend(vec![0; 8 * influences as usize + 2]);
    for _ in 0..meshes {
        words.extend([0; 8]);
        words.extend([1, 0, vertex_at, texcoords_at, 0, 0]);
    }
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    bytes
}

#[test]
fn vertices_of_many_influences_are_not_shared_for_nothing() {
    assert_eq!(read("a few", &influences_of(10, 1_000)).unwrap().meshes.len(), 10);
    assert_too_large("ten thousand meshes of ten thousand influences", &influences_of(10_000, 10_000));
}

/// Returns an MD5 mesh whose vertices all have the same weights.
fn weights_of(vertices: usize, weights: usize) -> Vec<u8> {
    let numbered = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let vertex = |number| format!("vert {number} (0 0) 0 {weights}\n");
    let weight = |number| format!("weight {number} 0 1 (0 0 0)\n");
    format!(
        "MD5Version 10 numJoints 1 numMeshes 1 joints {{ \"root\" -1 (0 0 0) (0 0 0) }}\n\
         mesh {{ numverts {vertices} {} numtris 0 numweights {weights} {} }}",
        numbered(vertices, &vertex),
        numbered(weights, &weight)
    )
    .into_bytes()
}

#[test]
fn weights_are_not_shared_for_nothing() {
    assert_eq!(read("a few", &weights_of(100, 100)).unwrap().meshes[0].positions.len(), 100);
    assert_too_large("five thousand vertices of five thousand weights", &weights_of(5_000, 5_000));
}
