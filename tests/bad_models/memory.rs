//! Small files that claim to hold very much.

use skelobj::model::{Fixup, Mesh, ModelProblem, Skin, SkinMaterial};
use skelobj::write;

use crate::small::{at, fix_size, get, put, small, small_file};
use crate::watched::read;

/// Refused for taking too much memory.
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
    assert_too_large("five thousand names of 100 kB", &bytes);
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
    // The small skins' records stand last before the extension list: let each show all frames.
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
    assert!(matches!(model.warnings[0].fixup, Fixup::Dropped(_)));
    assert_eq!(model.meshes[0].surface.body, 4);
    assert!(model.animations[0].events.is_empty());
}
