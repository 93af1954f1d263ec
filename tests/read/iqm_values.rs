//! Hand-made IQM files, each with one oddity.

use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, AnimationSource, Bone, Influences, Mesh, ModelProblem, Skeleton, SurfaceInfo};
use skelobj::write;

fn read(bytes: &[u8]) -> Model {
    Model::load("m.iqm", bytes, |_| None).unwrap_or_else(|e| panic!("{e}"))
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn get(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Returns two bones and a triangle with every standard array, in the order of their types.
fn triangle() -> Model {
    let bone = |i: usize| Bone {
        name: ["a", "b"][i].into(),
        parent: i.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::Z),
    };
    let mesh = Mesh {
        positions: vec![[1.0; 3]; 3],
        texcoords: vec![[1.0; 2]; 3],
        normals: vec![[1.0; 3]; 3],
        tangents: vec![[1.0; 4]; 3],
        influences: vec![Influences { bones: [1, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] }; 3],
        colors: vec![[1.0; 4]; 3],
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    };
    let skeleton = Skeleton::new((0..2).map(bone).collect()).unwrap();
    Model { skeleton, meshes: vec![mesh], ..Model::default() }
}

/// Returns the triangle with the data of one vertex array (by type) replaced.
fn with_array(kind: usize, format: u32, components: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = write::iqm(&triangle()).unwrap();
    let record = get(&bytes, 52) + 20 * kind;
    let offset = bytes.len() as u32;
    bytes.extend_from_slice(data);
    put(&mut bytes, record + 8, format);
    put(&mut bytes, record + 12, components);
    put(&mut bytes, record + 16, offset);
    let size = bytes.len() as u32;
    put(&mut bytes, 20, size);
    bytes
}

/// Returns the texture coordinates of the first vertex, stored as `format`.
fn texcoord(format: u32, values: [&[u8]; 2]) -> [f32; 2] {
    let data = values.concat().repeat(3);
    read(&with_array(1, format, 2, &data)).meshes[0].texcoords[0]
}

#[test]
fn every_component_format_is_read() {
    assert_eq!(texcoord(0, [&127i8.to_le_bytes(), &(-127i8).to_le_bytes()]), [1.0, -1.0]);
    assert_eq!(texcoord(1, [&[255], &[51]]), [1.0, 0.2]);
    assert_eq!(texcoord(2, [&i16::MAX.to_le_bytes(), &(-i16::MAX).to_le_bytes()]), [1.0, -1.0]);
    assert_eq!(texcoord(3, [&u16::MAX.to_le_bytes(), &13107u16.to_le_bytes()]), [1.0, 0.2]);
    assert_eq!(texcoord(4, [&i32::MAX.to_le_bytes(), &(-i32::MAX).to_le_bytes()]), [1.0, -1.0]);
    assert_eq!(texcoord(5, [&u32::MAX.to_le_bytes(), &858_993_459u32.to_le_bytes()]), [1.0, 0.2]);
    assert_eq!(texcoord(7, [&0.3f32.to_le_bytes(), &(-9.5f32).to_le_bytes()]), [0.3, -9.5]);
    assert_eq!(texcoord(8, [&0.3f64.to_le_bytes(), &1e-3f64.to_le_bytes()]), [0.3, 1e-3]);
}

#[test]
fn half_floats_are_read() {
    let half = |bits: u16| texcoord(6, [&bits.to_le_bytes(), &[0, 0]])[0];
    let expected: [(u16, f32); 10] = [
        (0x3c00, 1.0),
        (0xc000, -2.0),
        (0x3555, 0.333_251_95),
        (0x7bff, 65504.0),
        (0x0400, 2.0_f32.powi(-14)),
        (0x03ff, 1023.0 * 2.0_f32.powi(-24)),
        (0x0001, 2.0_f32.powi(-24)),
        (0x8001, -(2.0_f32.powi(-24))),
        (0x0000, 0.0),
        (0x3800, 0.5),
    ];
    for (bits, value) in expected {
        assert_eq!(half(bits).to_bits(), value.to_bits(), "{bits:#x}");
    }
    assert_eq!(half(0x8000).to_bits(), (-0.0_f32).to_bits());
    for not_finite in [0x7c00, 0xfc00, 0x7e00] {
        let data: Vec<u8> = [u16::to_le_bytes(not_finite), [0, 0x3c]].concat().repeat(3);
        let model = read(&with_array(1, 6, 2, &data));
        assert_eq!(model.meshes[0].texcoords[0], [0.0, 1.0]);
        assert_eq!(model.warnings[0].message(), "3 values are non-finite; replaced by zero or the identity");
    }
}

#[test]
fn missing_components_are_filled_and_extra_ones_ignored() {
    let floats = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let one = floats(&[0.5; 3]);
    assert_eq!(read(&with_array(0, 7, 1, &one)).meshes[0].positions, [[0.5, 0.0, 0.0]; 3]);
    assert_eq!(read(&with_array(3, 7, 1, &one)).meshes[0].tangents, [[0.5, 0.0, 0.0, 1.0]; 3]);
    let rgb = floats(&[0.1, 0.2, 0.3].repeat(3));
    assert_eq!(read(&with_array(6, 7, 3, &rgb)).meshes[0].colors, [[0.1, 0.2, 0.3, 1.0]; 3]);
    let four = floats(&[1.0, 2.0, 3.0, 4.0].repeat(3));
    assert_eq!(read(&with_array(2, 7, 4, &four)).meshes[0].normals, [[1.0, 2.0, 3.0]; 3]);
}

#[test]
fn blend_indexes_have_any_integer_format() {
    let indexed = |format, data: &[u8]| read(&with_array(4, format, 1, &data.repeat(3))).meshes[0].influences[0];
    for (format, data) in [(0, &[1][..]), (1, &[1]), (2, &[1, 0]), (3, &[1, 0]), (4, &[1, 0, 0, 0]), (5, &[1, 0, 0, 0])]
    {
        assert_eq!(indexed(format, data).bones, [1, 0, 0, 0], "format {format}");
    }
    for (format, data) in [(1, &[2][..]), (0, &[0xff]), (5, &[1, 0, 1, 0]), (4, &[0xff; 4])] {
        let model = read(&with_array(4, format, 1, &data.repeat(3)));
        assert_eq!(model.meshes[0].influences[0].bones, [0; 4], "format {format}");
        assert_eq!(model.warnings[0].message(), "3 blend indexes past the last bone; set to bone 0");
    }
    let one = read(&with_array(4, 1, 1, &[2, 1, 1]));
    assert_eq!(one.warnings[0].message(), "1 blend index past the last bone; set to bone 0");
    let floats = with_array(4, 7, 1, &[0; 12]);
    let error = Model::load("m.iqm", &floats, |_| None).unwrap_err();
    assert_eq!(error.section, "vertexarrays");
    assert_eq!(error.problem, ModelProblem::OutOfRange { field: "format", found: 7, min: 0, max: 5 });
}

#[test]
fn weights_are_scaled_compacted_and_never_all_zero() {
    let weighted = |weights: [u8; 4]| read(&with_array(5, 1, 4, &weights.repeat(3))).meshes[0].influences[0];
    let whole = [1.0, 0.0, 0.0, 0.0];
    assert_eq!(weighted([0; 4]), Influences { bones: [1, 0, 0, 0], weights: whole });
    assert_eq!(weighted([0, 255, 0, 0]), Influences { bones: [0; 4], weights: whole });
    assert_eq!(weighted([100, 100, 0, 0]), Influences { bones: [1, 0, 0, 0], weights: [0.5, 0.5, 0.0, 0.0] });
}

#[test]
fn triangles_stay_within_their_mesh() {
    let mut model = triangle();
    model.meshes.push(model.meshes[0].clone());
    let mut bytes = write::iqm(&model).unwrap();
    assert_eq!(read(&bytes).meshes[1].triangles, [[0, 1, 2]]);
    let second = get(&bytes, 60) + 12;
    put(&mut bytes, second + 4, 2);
    let error = Model::load("m.iqm", &bytes, |_| None).unwrap_err();
    assert_eq!((error.section, error.offset), ("triangles", second));
    assert_eq!(error.problem, ModelProblem::OutOfRange { field: "vertex index", found: 2, min: 3, max: 5 });
}

#[test]
fn extension_names_may_be_lower_case_and_their_size_must_fit() {
    let mut model = triangle();
    model.meshes[0].surface = SurfaceInfo { body: 7, ..SurfaceInfo::default() };
    let mut bytes = write::iqm(&model).unwrap();
    let name = bytes.windows(8).position(|w| w == b"FTE_MESH").unwrap();
    bytes[name..name + 8].copy_from_slice(b"fte_mesh");
    assert_eq!(read(&bytes).meshes[0].surface.body, 7);
    let entry = get(&bytes, 120);
    put(&mut bytes, entry + 4, 27);
    let model = read(&bytes);
    assert_eq!(model.meshes[0].surface, SurfaceInfo::default());
    assert!(model.warnings[0].message().starts_with("skipped: "));
}

#[test]
fn a_file_without_animations_shows_its_bind_pose() {
    let model = read(&write::iqm(&triangle()).unwrap());
    let base = Animation::frames("base", 0, 1, 10.0, true);
    assert_eq!(model.animations, [Animation { source: AnimationSource::BindPose, ..base }]);
    assert_eq!(model.pose(&model.animations[0], 0)[1].origin(), Vec3::Z);
}

/// Returns a version 1 file: a joint, its pose with two moving channels (x of the translation, x of the scale), two
/// frames.
fn version_1() -> Vec<u8> {
    let floats = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let mut bytes = b"INTERQUAKEMODEL\0".to_vec();
    bytes.resize(124, 0);
    let joints = bytes.len() as u32;
    bytes.extend([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    bytes.extend(floats(&[1.0, 2.0, 3.0, 0.0, 0.0, 0.6, 1.0, 1.0, 1.0]));
    let poses = bytes.len() as u32;
    bytes.extend([0xff, 0xff, 0xff, 0xff, 0b0100_0001, 0, 0, 0]);
    bytes.extend(floats(&[1.0, 2.0, 3.0, 0.0, 0.0, 0.6, 1.0, 1.0, 1.0]));
    bytes.extend(floats(&[0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0]));
    let frames = bytes.len() as u32;
    bytes.extend([0, 0, 0, 0, 4, 0, 8, 0]);
    let size = bytes.len() as u32;
    let fields = [(16, 1), (20, size), (68, 1), (72, joints), (76, 1), (80, poses)];
    let frame_fields = [(92, 2), (96, 2), (100, frames)];
    for (at, value) in fields.into_iter().chain(frame_fields) {
        put(&mut bytes, at, value);
    }
    bytes
}

#[test]
fn version_1_derives_the_fourth_number_of_its_quaternions() {
    let model = read(&version_1());
    let scaled =
        |s: f32| Mat3x4::from_translation_rotation_scale([1.0, 2.0, 3.0], [0.0, 0.0, 0.6, -0.8], [s, 1.0, 1.0]);
    let close = |a: &Mat3x4, b: &Mat3x4| a.0.iter().zip(b.0).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(close(&model.skeleton.bind_local()[0], &scaled(1.0)), "{:?}", model.skeleton);
    assert!(close(&model.frames[0], &scaled(1.0)), "{:?}", model.frames);
    let moved = scaled(3.0).with_origin(Vec3::new(3.0, 2.0, 3.0));
    assert!(close(&model.frames[1], &moved), "{:?}", model.frames);
}

#[test]
fn a_name_ends_at_the_end_of_the_text_block_at_the_latest() {
    let mut bytes = write::iqm(&triangle()).unwrap();
    let joints = get(&bytes, 72);
    let last = get(&bytes, joints + 48).max(get(&bytes, joints));
    put(&mut bytes, 28, last as u32 + 1);
    let names = read(&bytes).skeleton.names().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names, ["a", "b"]);
    // An offset at the end is outside.
    put(&mut bytes, joints, last as u32 + 1);
    let model = read(&bytes);
    assert!(model.skeleton.names()[0].is_empty() && model.warnings.len() == 1, "{:?}", model.warnings);
}

#[test]
fn frame_rates_that_are_no_pace_become_the_default() {
    let mut model = triangle();
    model.frames = vec![model.skeleton.bind_local().to_vec(); 2].concat();
    model.animations = vec![Animation::frames("run", 0, 2, 24.0, true)];
    let mut bytes = write::iqm(&model).unwrap();
    assert_eq!(read(&bytes).animations[0].rate, 24.0);
    let rate = get(&bytes, 88) + 12;
    for bad in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.0, -1.0, 1e-40] {
        put(&mut bytes, rate, bad.to_bits());
        let model = read(&bytes);
        assert_eq!((model.animations[0].rate, model.warnings.len()), (10.0, 1), "{bad}");
    }
}
