//! Binary glTF: a written model reads back as it was.
#![cfg(feature = "gltf")]

use crate::common::corpus;
use skelobj::Format;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, AnimationSource, Bone, FrameState, Influences, Mesh, Morph, Skeleton, VertexFrames};
use skelobj::pose::{PoseSource, morph};
use skelobj::write::{self, WriteError};
use skelobj::{Model, assets};

fn read(bytes: &[u8]) -> Model {
    Model::load("m.glb", bytes, |_| None).unwrap_or_else(|e| panic!("{e}"))
}

fn back(model: &Model) -> Model {
    read(&write::glb(model).unwrap_or_else(|e| panic!("{e}")))
}

/// Checks that everything but the numbers of matrices and vertices is equal.
fn assert_same(what: &str, a: &Model, b: &Model) {
    // Turns of animations are those of the model, to a rounding error.
    let others = b.warnings.iter().filter(|warning| !warning.message().contains(" degrees from frame "));
    assert_eq!(others.count(), 0, "{what}: {:?}", b.warnings);
    let text = |name: &skelobj::model::Name| name.to_string();
    let names = |model: &Model| model.skeleton.names().iter().map(text).collect::<Vec<_>>();
    assert_eq!(names(a), names(b), "{what}");
    assert_eq!(a.skeleton.parents(), b.skeleton.parents(), "{what}");
    assert_eq!(a.flags, b.flags, "{what}");
    let animations = |model: &Model| {
        let describe = |a: &Animation| (text(&a.name), a.pose_count(), a.rate, a.looping);
        model.animations.iter().map(describe).collect::<Vec<_>>()
    };
    assert_eq!(animations(a), animations(b), "{what}");
    assert_eq!(a.meshes.len(), b.meshes.len(), "{what}");
    for (a, b) in a.meshes.iter().zip(&b.meshes) {
        let what = format!("{what} {}", a.name);
        assert_eq!((text(&a.name), text(&a.material)), (text(&b.name), text(&b.material)), "{what}");
        assert_eq!(a.triangles, b.triangles, "{what}");
        assert_eq!(a.texcoords, b.texcoords, "{what}");
        assert_eq!(a.influences.len(), b.influences.len(), "{what}");
        for (a, b) in a.influences.iter().zip(&b.influences) {
            let weight = |i: &Influences, bone: u16| {
                i.bones.iter().zip(i.weights).filter(|(b, _)| **b == bone).map(|(_, weight)| weight).sum::<f32>()
            };
            assert!(
                a.bones.iter().all(|&bone| (weight(a, bone) - weight(b, bone)).abs() < 1e-4),
                "{what}: {a:?} {b:?}"
            );
        }
        for (a, b) in a.normals.iter().zip(&b.normals) {
            let a = Vec3::from(*a);
            assert!(
                (a.normalize_or(Vec3::Z) - Vec3::from(*b)).length() < 1e-3 || a.length() < 0.5,
                "{what}: {a} {b:?}"
            );
        }
    }
}

/// Returns a model without triangles and meshes that show nothing, as it is written.
fn visible(mut model: Model) -> Model {
    for mesh in &mut model.meshes {
        mesh.triangles.retain(|[a, b, c]| a != b && b != c && a != c);
    }
    model.meshes.retain(|mesh| !mesh.triangles.is_empty());
    model
}

#[test]
fn the_mannequin_survives_a_round_trip() {
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let back = back(&model);
    assert_same("mannequin", &model, &back);
    assert!(corpus::poses_apart(&model, &back) < 5e-5, "{}", corpus::poses_apart(&model, &back));
    assert!(corpus::skins_apart(&model, &back, 1) < 5e-5);
    let again = self::back(&back);
    assert_same("twice", &model, &again);
    assert!(corpus::poses_apart(&model, &again) < 5e-5);
}

#[test]
fn every_model_of_the_corpus_survives_a_round_trip() {
    corpus::assert_come_back(
        "every_model_of_the_corpus_survives_a_round_trip",
        write::glb,
        read,
        |name, model, back| {
            *model = visible(std::mem::take(model));
            if model.skeleton.is_empty() && model.meshes.iter().all(|mesh| mesh.frames.positions.is_empty()) {
                model.animations.clear();
            }
            assert_same(name, model, back);
        },
    );
}

/// Returns two roots, the second moving, without a skin.
fn bare() -> Model {
    let bone = |name: &str, parent, origin| Bone { name: name.into(), parent, bind: Mat3x4::from_translation(origin) };
    let bones = vec![
        bone("a", None, Vec3::new(1.0, 2.0, 3.0)),
        bone("b", None, Vec3::new(-4.0, 0.0, 0.0)),
        bone("tip", Some(1), Vec3::Z * 7.0),
    ];
    let skeleton = Skeleton::new(bones).unwrap();
    let turned = |angle: f32| {
        let turn = Mat3x4::from_rotation_translation(Quat::from_rotation_z(angle), Vec3::new(-4.0, angle, 0.0));
        [skeleton.bind_local()[0], turn, skeleton.bind_local()[2]]
    };
    let frames = (0..5).flat_map(|step| turned(step as f32 * 0.3)).collect();
    let animations = vec![
        Animation::frames("turn", 0, 5, 7.5, false),
        Animation::frames("round", 1, 4, 12.0, true),
        Animation::frames("hold", 2, 1, 4.0, false),
        Animation { source: AnimationSource::List(vec![4, 4, 4]), ..Animation::frames("wait", 0, 1, 10.0, true) },
        Animation { source: AnimationSource::BindPose, ..Animation::frames("rest", 0, 1, 10.0, false) },
    ];
    Model { skeleton, frames, animations, flags: 0x48, ..Model::default() }
}

#[test]
fn motion_without_a_skin_survives_a_round_trip() {
    let model = bare();
    let back = back(&model);
    assert_same("bare", &model, &back);
    assert!(corpus::poses_apart(&model, &back) < 1e-6);
}

/// Returns the JSON of a file; it has no nulls, which non-finite numbers would become.
fn document(bytes: &[u8]) -> serde_json::Value {
    fn assert_whole(value: &serde_json::Value) {
        match value {
            serde_json::Value::Null => panic!("null"),
            serde_json::Value::Array(list) => list.iter().for_each(assert_whole),
            serde_json::Value::Object(members) => members.values().for_each(assert_whole),
            _ => {}
        }
    }
    let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let document = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
    assert_whole(&document);
    document
}

/// The length of axes of finite numbers overflows.
#[test]
fn bones_that_no_reader_takes_are_refused() {
    let turned = |by: f32| {
        let (x, y) = (Vec3::new(by, by, 0.0), Vec3::new(-by, by, 0.0));
        Mat3x4::from_columns(x, y, Vec3::Z, Vec3::new(1.0, 2.0, 3.0))
    };
    let model = |bind: f32, frame: f32| Model {
        skeleton: Skeleton::new(vec![Bone { name: "b".into(), parent: None, bind: turned(bind) }]).unwrap(),
        frames: vec![turned(frame)],
        animations: vec![Animation::frames("move", 0, 1, 10.0, false)],
        ..Model::default()
    };
    for format in Format::all().filter(|format| format.is_writable()) {
        for far in [model(3e38, 1.0), model(1.0, 3e38)] {
            assert_eq!(format.write(&far), Err(WriteError::OutOfReach { bone: "b".into() }), "{format:?}");
        }
        let near = format.write(&model(1.0, 1e37)).unwrap();
        assert!(Model::load("long", &near, |_| None).is_ok(), "{format:?}");
    }
}

#[test]
fn slow_and_fast_animations_survive_a_round_trip() {
    for rate in [1e-9, 1e-4, 0.02, 999.5, 44100.0, 1e9] {
        let mut model = bare();
        model.animations.iter_mut().for_each(|animation| animation.rate = rate);
        let bytes = write::glb(&model).unwrap();
        document(&bytes);
        assert_same(&format!("{rate} a second"), &model, &read(&bytes));
    }
    // Beyond it, times overflow or coincide.
    for (rate, cut) in [(f32::MIN_POSITIVE, 1e-9), (f32::from_bits(1), 1e-9), (f32::MAX, 1e9)] {
        let mut model = bare();
        model.animations.iter_mut().for_each(|animation| animation.rate = rate);
        let bytes = write::glb(&model).unwrap();
        document(&bytes);
        model.animations.iter_mut().for_each(|animation| animation.rate = cut);
        assert_same(&format!("{rate} a second"), &model, &read(&bytes));
    }
}

#[test]
fn an_hour_of_animation_survives_a_round_trip() {
    let poses = 70_000;
    let frames = (0..poses).map(|pose| Mat3x4::from_translation(Vec3::X * pose as f32)).collect();
    let bone = Bone { name: "b".into(), parent: None, bind: Mat3x4::IDENTITY };
    let animations = vec![Animation::frames("walk", 0, poses, 20.0, false)];
    let model = Model { skeleton: Skeleton::new(vec![bone]).unwrap(), frames, animations, ..Model::default() };
    let back = back(&model);
    assert_same("hour", &model, &back);
    assert!(back.frames.iter().zip(&model.frames).all(|(a, b)| (a.origin() - b.origin()).length() < 0.02));
}

/// Of the two quaternions of a rotation, neighbouring keys have neighbouring ones, for tools that do not choose.
#[test]
fn a_full_turn_has_no_jumps() {
    let turns: Vec<Mat3x4> = (0..24)
        .map(|step| Mat3x4::from_rotation_translation(Quat::from_rotation_y(step as f32 * 0.6), Vec3::ZERO))
        .collect();
    let skeleton = Skeleton::new(vec![Bone { name: "b".into(), parent: None, bind: Mat3x4::IDENTITY }]).unwrap();
    let animations = vec![Animation::frames("turn", 0, 24, 20.0, false)];
    let bytes = write::glb(&Model { skeleton, frames: turns, animations, ..Model::default() }).unwrap();
    let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let document = document(&bytes);
    let number = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
    let animation = &document["animations"][0];
    let mut channels = animation["channels"].as_array().unwrap().iter();
    let rotation = channels.find(|channel| channel["target"]["path"] == "rotation").unwrap();
    let sampler = &animation["samplers"][number(&rotation["sampler"])];
    let view = &document["bufferViews"][number(&document["accessors"][number(&sampler["output"])]["bufferView"])];
    let keys = &bytes[28 + text + number(&view["byteOffset"])..][..number(&view["byteLength"])];
    let keys: Vec<Quat> = keys
        .chunks_exact(16)
        .map(|key| {
            Quat::from_array(std::array::from_fn(|i| f32::from_le_bytes(key[4 * i..4 * i + 4].try_into().unwrap())))
        })
        .collect();
    assert_eq!(keys.len(), 24);
    assert!(keys.windows(2).all(|pair| (pair[0].dot(pair[1]) - 0.3_f32.cos()).abs() < 1e-5), "{keys:?}");
}

#[test]
fn bones_without_motion_or_skin_survive_a_round_trip() {
    let model = Model { frames: Vec::new(), animations: Vec::new(), ..bare() };
    let back = back(&model);
    assert_same("still", &model, &back);
    assert!(corpus::skins_apart(&model, &back, 1) < 1e-6);

    let bones = vec![("hip".into(), None), ("knee".into(), Some(0)), ("foot".into(), Some(1))];
    let names = Model { skeleton: Skeleton::without_bind(bones).unwrap(), ..Model::default() };
    assert_same("names", &names, &self::back(&names));
}

#[test]
fn an_empty_model_survives_a_round_trip() {
    assert_eq!(back(&Model::default()), Model::default());
}

/// Returns a triangle that grows, with a morph.
fn sail() -> Mesh {
    Mesh {
        name: "sail".into(),
        material: "cloth".into(),
        positions: vec![[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [0.0, 0.0, 60.0]],
        normals: vec![[0.0, 1.0, 0.0]; 3],
        tangents: vec![[1.0, 0.0, 0.0, -1.0]; 3],
        texcoords: vec![[0.0, 1.0], [1.0, 1.0], [0.0, -2.5]],
        colors: vec![[1.0, 0.0, 1.0, 0.5]; 3],
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    }
}

#[test]
fn every_kind_of_vertex_array_survives_a_round_trip() {
    let model = Model { meshes: vec![sail()], ..Model::default() };
    let back = back(&model);
    assert_eq!(back.meshes, model.meshes);
}

/// Colours of a mesh are sRGB, as in an IQM; glTF's are linear light.
#[test]
fn colors_are_written_in_linear_light_and_read_in_srgb() {
    let bytes: Vec<[f32; 4]> = (0..=255).map(|byte| [byte as f32 / 255.0, 0.0, 1.0, byte as f32 / 255.0]).collect();
    let positions = bytes.iter().map(|color| [color[0], 0.0, 0.0]).collect();
    let triangles = (0..254).map(|vertex| [vertex, vertex + 1, vertex + 2]).collect();
    let mesh = Mesh { positions, colors: bytes.clone(), triangles, ..Mesh::default() };
    let model = Model { meshes: vec![mesh], ..Model::default() };
    let file = write::glb(&model).unwrap();
    let far = |[a, b]: [&[f32; 4]; 2]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let back = read(&file);
    for (own, back) in bytes.iter().zip(&back.meshes[0].colors) {
        assert!(far([own, back]) < 1e-6, "{own:?} {back:?}");
    }
    let document = document(&file);
    let accessor = document["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"].as_u64().unwrap() as usize;
    let view = document["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
    let start = document["bufferViews"][view]["byteOffset"].as_u64().unwrap_or(0) as usize;
    let json = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let stored = |vertex: usize| {
        let at = 12 + 8 + json + 8 + start + vertex * 16;
        f32::from_le_bytes(file[at..at + 4].try_into().unwrap())
    };
    // The brown of the mannequin: bytes db, b0, 75.
    for (byte, light) in [(0, 0.0), (0x75, 0.177_888), (0xb0, 0.434_154), (0xdb, 0.708_376), (255, 1.0)] {
        assert!((stored(byte) - light).abs() < 1e-5, "{byte}: {}", stored(byte));
    }
}

#[test]
fn morphs_survive_a_round_trip() {
    let morph = Morph {
        name: "bulge".into(),
        vertices: vec![2],
        positions: vec![[0.0, 15.0, 0.0]],
        normals: vec![[0.5, 0.0, 0.0]],
    };
    let model = Model { meshes: vec![Mesh { morphs: vec![morph], ..sail() }], ..Model::default() };
    assert_eq!(back(&model).meshes, model.meshes);
}

#[test]
fn strengths_of_morphs_survive_a_round_trip() {
    let (positions, normals) = (vec![[0.0, 15.0, 0.0]], vec![[0.5, 0.0, 0.0]]);
    let morph = Morph { name: "".into(), vertices: vec![2], positions, normals };
    let mesh = Mesh { morphs: vec![morph], morph_weights: vec![0.0, 1.0], ..sail() };
    let animations = vec![Animation::frames("bulge", 0, 2, 1.0, false)];
    let model = Model { meshes: vec![mesh], animations, ..Model::default() };
    let bytes = write::glb(&model).unwrap();
    let back = read(&bytes);
    assert_eq!((&back.meshes, &back.animations), (&model.meshes, &model.animations));
    // Times and weights are the same numbers, but validators require separate accessors.
    let sampler = &document(&bytes)["animations"][0]["samplers"][0];
    assert_ne!(sampler["input"], sampler["output"]);
}

#[test]
fn vertex_frames_survive_a_round_trip() {
    let base = sail();
    let grown = |by: f32| base.positions.iter().map(move |p| p.map(|axis| axis * by)).collect::<Vec<_>>();
    let frames =
        VertexFrames { positions: [grown(1.0), grown(1.5), grown(0.25)].concat(), normals: base.normals.repeat(3) };
    let animations = vec![Animation::frames("one", 1, 1, 1.0, false), Animation::frames("swell", 0, 3, 8.0, true)];
    let model = Model { meshes: vec![Mesh { frames, ..sail() }], animations, ..Model::default() };
    let back = back(&model);
    assert_same("sail", &model, &back);
    // Each frame is a morph now, and each animation has its own frames: 1, then 0, 1, 2.
    assert_eq!(back.meshes[0].morphs.len(), 3);
    let expected = [grown(1.5), grown(1.0), grown(1.5), grown(0.25)];
    let shown = [(0, 0.0), (1, 0.0), (1, 0.125), (1, 0.25)];
    for ((animation, time), expected) in shown.into_iter().zip(&expected) {
        let frame = FrameState::single(animation, time);
        let mut positions = vec![Vec3::ZERO; expected.len()];
        morph(&back.meshes[0], PoseSource { model: &back, frame: &frame }, &mut positions, &mut []);
        for (ours, expected) in positions.iter().zip(expected) {
            assert!((*ours - Vec3::from(*expected)).length() < 1e-4, "{animation} {time}: {ours:?} {expected:?}");
        }
    }
    assert_eq!(back.animations[1].source, AnimationSource::Frames { first: 1, count: 3 });
}

/// Animations show the same frames, or frames without motion, many in a small file.
#[test]
fn repeated_keys_are_written_once() {
    let mut model = bare();
    let frames = model.frame_count() as u32;
    let size = |model: &Model| write::glb(model).unwrap().len();
    model.animations = vec![Animation::frames("a", 0, frames, 10.0, true)];
    let one = size(&model);
    model.animations = (0..300).map(|i| Animation::frames(format!("a{i}").as_str(), 0, frames, 10.0, true)).collect();
    let keys = frames as usize * 28;
    let each = (size(&model) - one) / 299;
    assert!(each < 900, "{each} bytes for an animation that shows {keys} bytes of keys already written");
    assert_eq!(back(&model).frame_count(), frames as usize);

    let still = model.frames[..3].to_vec();
    let poses = 40_000;
    model.animations = vec![Animation::frames("long", 0, poses, 100.0, false)];
    model.frames = still.repeat(poses as usize);
    assert!(size(&model) < 4000, "{}", size(&model));
    let back = back(&model);
    assert_eq!((back.animations[0].pose_count(), back.frame_count()), (poses as usize, 1));
    // A moment of motion in between.
    model.frames[3 * 30_000 + 1] = Mat3x4::from_translation(Vec3::ONE);
    assert!(size(&model) < 4000, "{}", size(&model));
    let back = self::back(&model);
    assert_eq!(back.frame_count(), 3);
    let moved = back.pose(&back.animations[0], 30_000)[1].origin();
    assert!((moved - Vec3::ONE).length() < 1e-4, "{moved}");
    assert!((back.pose(&back.animations[0], 30_001)[1].origin() - still[1].origin()).length() < 1e-4);
}

/// The distance to a frame or a morph at the opposite end of the range overflows.
#[test]
fn overflowing_moves_are_clamped() {
    let far = |mesh: &mut Mesh| {
        mesh.positions[1] = [f32::MIN / 2.0, 0.0, 0.0];
        mesh.frames = VertexFrames { positions: mesh.positions.clone(), normals: mesh.normals.clone() };
        mesh.frames.positions[1] = [f32::MAX, 0.0, 0.0];
        mesh.frames.normals[1] = [0.0, f32::MIN, 0.0];
        mesh.normals[1] = [0.0, f32::MAX, 0.0];
    };
    let morph =
        Morph { vertices: vec![1, 1], positions: vec![[0.0, f32::MAX, 0.0]; 2], normals: vec![], name: "".into() };
    let twice = |mesh: &mut Mesh| mesh.morphs = vec![morph.clone()];
    for change in [&far as &dyn Fn(&mut Mesh), &twice] {
        let mut mesh = sail();
        change(&mut mesh);
        let animations = vec![Animation::frames("all", 0, 1, 10.0, false)];
        let animations = if mesh.frames.positions.is_empty() { Vec::new() } else { animations };
        let bytes = write::glb(&Model { meshes: vec![mesh.clone()], animations, ..Model::default() }).unwrap();
        document(&bytes);
        let back = read(&bytes);
        assert_eq!(back.warnings, []);
        let moved = back.meshes[0].morphs[0].positions.as_flattened().iter().fold(0.0, |a: f32, b| a.max(b.abs()));
        assert!(moved > f32::MAX * 0.999, "{moved:e}");
    }
}

#[test]
fn weights_become_what_validators_accept() {
    let odd = [
        Influences { bones: [2, 2, 1, 0], weights: [0.25, 0.25, 0.5, 0.0] },
        Influences { bones: [1, 9, 9, 9], weights: [0.0, 0.0, 0.0, 0.0] },
        Influences { bones: [0, 1, 2, 0], weights: [3.0, 1.0, -1.0, f32::MIN_POSITIVE] },
    ];
    let mut model = bare();
    model.meshes = vec![Mesh { influences: odd.to_vec(), ..sail() }];
    assert_eq!(write::glb(&model), Err(WriteError::BoneIndex { mesh: 0, vertex: 1 }));
    model.meshes[0].influences[1].bones = [1, 0, 0, 0];
    let back = back(&model);
    let influences = &back.meshes[0].influences;
    assert_eq!(influences[0], Influences { bones: [2, 1, 0, 0], weights: [0.5, 0.5, 0.0, 0.0] });
    assert_eq!(influences[1], Influences { bones: [1, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] });
    assert_eq!(influences[2].weights, [0.75, 0.25, 0.0, 0.0]);
}

#[test]
fn losses_of_a_format_are_reported() {
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    assert_eq!(Format::Iqm.losses(&model), [""; 0]);
    assert_eq!(Format::Glb.losses(&model), ["events", "comments"]);
    assert_eq!(Format::from_extension("GLB"), Some(Format::Glb));
    assert!(!Format::from_extension("gltf").unwrap().is_writable());
}

#[test]
fn animations_too_large_for_a_file_are_refused_in_advance() {
    let mut mesh = sail();
    mesh.normals.clear();
    mesh.frames.positions = vec![[0.0; 3]; 2000 * mesh.positions.len()];
    let mut animation = Animation::frames("long", 0, 1, 10.0, false);
    animation.source = AnimationSource::List(vec![0; 600_000]);
    let mut model = Model { meshes: vec![mesh], animations: vec![animation], ..Model::default() };
    assert!(matches!(write::glb(&model), Err(WriteError::TooLarge { .. })));
    let mesh = &mut model.meshes[0];
    mesh.frames = Default::default();
    let count = 100_000;
    mesh.positions = vec![[0.0; 3]; count];
    mesh.texcoords.clear();
    mesh.influences.clear();
    mesh.tangents.clear();
    mesh.colors.clear();
    mesh.morphs = vec![Morph::default(); 4000];
    model.animations.clear();
    assert!(matches!(write::glb(&model), Err(WriteError::TooLarge { bytes }) if bytes > 12 * count * 4000));
}

#[test]
fn contradictions_are_refused() {
    let mut model = Model { meshes: vec![sail()], ..Model::default() };
    model.meshes[0].frames.positions = vec![[0.0; 3]; 7];
    assert!(matches!(write::glb(&model), Err(WriteError::ArrayLength { mesh: 0, .. })));
    model.meshes[0].frames.positions = vec![[f32::NAN; 3]; 6];
    assert_eq!(write::glb(&model), Err(WriteError::NotFinite { what: "vertex frames" }));
    model.meshes[0].frames.positions.clear();
    model.meshes[0].morph_weights = vec![0.0; 3];
    assert_eq!(write::glb(&model), Err(WriteError::MorphWeights { mesh: 0, weights: 3, morphs: 0 }));
    model.meshes[0].morph_weights.clear();
    model.meshes[0].triangles[0][1] = 3;
    assert_eq!(write::glb(&model), Err(WriteError::TriangleIndex { mesh: 0, triangle: 0 }));

    let mut model = bare();
    for rate in [0.0, -0.0, -10.0] {
        model.animations[2].rate = rate;
        assert_eq!(write::glb(&model), Err(WriteError::AnimationRate { animation: 2 }));
    }
    model.animations[2].rate = f32::NAN;
    assert_eq!(write::glb(&model), Err(WriteError::NotFinite { what: "animation rates" }));
    let mut model = bare();
    model.skeleton = model.skeleton.with_inverse_bind([Mat3x4([f32::INFINITY; 12])]);
    assert_eq!(write::glb(&model), Err(WriteError::NotFinite { what: "inverse bind matrices" }));
}

#[test]
fn a_long_name_that_many_bones_share_is_cut() {
    let name = skelobj::model::Name::new(&[b'x'; 10_000]);
    let bone = |_| Bone { name: name.clone(), parent: None, bind: Mat3x4::IDENTITY };
    let model = Model { skeleton: Skeleton::new((0..1000).map(bone).collect()).unwrap(), ..Model::default() };
    let file = write::glb(&model).unwrap();
    assert!(file.len() < 1000 * 1500, "{} bytes", file.len());
    assert_eq!(read(&file).skeleton.names()[999].as_bytes(), &[b'x'; 1024]);
    assert_eq!(Format::Glb.losses(&model), ["ends of long names"]);
    // If the 1024th byte is inside a character, the name ends before that character; invalid UTF-8 stays visible.
    for (unit, before, kept) in
        [(&b"\xe2\x82\xac"[..], "", 1023), (b"\xe2\x82\xac", "a", 1024), (b"\xf0\x9f\x98\x80", "ab", 1022)]
    {
        let whole = [before.as_bytes(), &unit.repeat(1000)].concat();
        let bone = Bone { name: skelobj::model::Name::new(&whole), parent: None, bind: Mat3x4::IDENTITY };
        let model = Model { skeleton: Skeleton::new(vec![bone]).unwrap(), ..Model::default() };
        assert_eq!(read(&write::glb(&model).unwrap()).skeleton.names()[0].as_bytes(), &whole[..kept]);
    }
}

/// A file of 170 KB has as many animations of as many bones, which took gigabytes.
#[test]
fn a_thousand_animations_of_a_thousand_bones_are_refused() {
    let still = |bones: usize, animations: usize| {
        let bone = |number: usize| Bone { name: "".into(), parent: number.checked_sub(1), bind: Mat3x4::IDENTITY };
        Model {
            skeleton: Skeleton::new((0..bones).map(bone).collect()).unwrap(),
            frames: vec![Mat3x4::from_translation(skelobj::math::Vec3::X); bones],
            animations: (0..animations).map(|_| Animation::frames("", 0, 1, 10.0, false)).collect(),
            ..Model::default()
        }
    };
    assert_eq!(write::glb(&still(1000, 1000)), Err(WriteError::TooManyChannels { allowed: 1 << 18 }));
    assert_eq!(read(&write::glb(&still(100, 20)).unwrap()).animations.len(), 20);
}
