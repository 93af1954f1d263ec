//! PSK and PSA files compared with the findings of independent readers.

use crate::common::truth;
use std::collections::HashMap;

use crate::common::truth::{Case, cases, floats, list};
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AddAnimationsError, AnimationSource, ModelProblem};
use skelobj::{Limits, Model};

fn meshes(test: &str) -> Vec<Case> {
    let mut all = cases(test, "psk", "psk", 1);
    all.extend(cases(test, "derived_psk", "psk", 2));
    all
}

#[test]
fn bones_animations_and_frames_are_those_of_the_files() {
    let mut frames = 0;
    for case in meshes("psk_bones_animations_and_frames") {
        truth::assert_bones(&case);
        truth::assert_parents(&case);
        truth::assert_animations(&case, 10.0);
        frames += truth::assert_frames(&case);
        let unweighted = case.truth["unweighted_vertices"] != 0;
        assert_eq!(!case.model.warnings.is_empty(), unweighted, "{}: {:?}", case.name, case.model.warnings);
    }
    assert!(frames > 0 || crate::common::shared().is_none());
}

#[test]
fn meshes_are_those_of_the_file_in_every_frame() {
    let mut compared = 0;
    for case in meshes("psk_meshes") {
        truth::assert_meshes(&case);
        compared += truth::assert_skins(&case);
    }
    assert!(compared > 0 || crate::common::shared().is_none());
}

#[test]
fn animations_alone_have_names_and_keys() {
    for case in cases("psa_alone", "derived_psk", "psa", 2) {
        let model = &case.model;
        truth::assert_bones(&case);
        truth::assert_animations(&case, 10.0);
        assert_eq!(model.frame_count() as u64, case.truth["frame_count"].as_u64().unwrap(), "{}", case.name);
        assert!(model.meshes.is_empty() && !model.skeleton.has_bind(), "{}", case.name);
        // The first bone is the root, although it is stored as its own parent.
        assert_eq!(model.skeleton.parent(0), None, "{}", case.name);
        let stored = list(&case.truth["bone_parents"]).iter().map(|p| p.as_i64().unwrap() as i32);
        assert!(stored.skip(1).eq(model.skeleton.parents()[1..].iter().copied()), "{}", case.name);
        for (frame, keys) in case.truth["keys_sampled"].as_object().unwrap() {
            let frame = model.frame(frame.parse().unwrap()).unwrap();
            assert_eq!(frame.len(), list(keys).len());
            for (bone, (ours, key)) in frame.iter().zip(list(keys)).enumerate() {
                let key = floats(key);
                let f = |i: usize| key[i] as f32;
                let [x, y, z] = if bone == 0 { [1.0, -1.0, 1.0] } else { [-1.0; 3] };
                let rotation = [f(3) * x, f(4) * y, f(5) * z, f(6)];
                let expected = Mat3x4::from_translation_rotation_scale([f(0), f(1), f(2)], rotation, [1.0; 3]);
                let near = ours.0.iter().zip(&expected.0).all(|(a, b)| (a - b).abs() < 1e-4);
                assert!(near, "{} bone {bone}: {ours:?} {expected:?}", case.name);
            }
        }
    }
}

#[test]
fn no_truncation_panics() {
    let mut files = vec![psk(&bones(), &[]), psa(&bones(), &[("walk", 0, 2, 20.0)], 2)];
    for (folder, extension, least) in [("derived_psk", "psk", 2), ("derived_psk", "psa", 2), ("psk", "psk", 1)] {
        let all = cases("psk_no_truncation_panics", folder, extension, least);
        files.extend(all.into_iter().map(|case| case.bytes));
    }
    for file in files {
        truth::every_cut(&file, |bytes| drop(Model::load("cut.psk", bytes, |_| None)));
        // A mesh with a truncated animation file beside it loads without animations.
        truth::every_cut(&file, |bytes| {
            let model = Model::load("m.psk", &psk(&bones(), &[]), |_| Some(bytes.to_vec())).unwrap();
            assert!(!model.animations.is_empty());
        });
    }
}

type BoneRecord = (&'static str, i32, [f32; 4], [f32; 3]);

/// Returns a root turned a quarter around Z, and a child turned a quarter around X.
fn bones() -> Vec<BoneRecord> {
    let s = std::f32::consts::FRAC_1_SQRT_2;
    vec![("root   ", 0, [0.0, 0.0, s, s], [0.0, 0.0, 10.0]), ("tip", 0, [s, 0.0, 0.0, s], [5.0, 0.0, 0.0])]
}

fn chunk(out: &mut Vec<u8>, id: &str, size: i32, records: &[Vec<u8>]) {
    let mut name = id.as_bytes().to_vec();
    name.resize(20, 0);
    out.extend(name);
    for value in [0, size, records.len() as i32] {
        out.extend(value.to_le_bytes());
    }
    for record in records {
        assert_eq!(record.len(), size as usize, "{id}");
        out.extend(record);
    }
}

fn named(name: &str, rest: usize) -> Vec<u8> {
    let mut record = name.as_bytes().to_vec();
    record.resize(64 + rest, 0);
    record
}

fn put<const N: usize>(record: &mut [u8], at: usize, values: [f32; N]) {
    for (i, value) in values.into_iter().enumerate() {
        record[at + 4 * i..at + 4 * i + 4].copy_from_slice(&value.to_le_bytes());
    }
}

fn bone_records(bones: &[BoneRecord]) -> Vec<Vec<u8>> {
    let record = |&(name, parent, rotation, position): &BoneRecord| {
        let mut record = named(name, 56);
        record[72..76].copy_from_slice(&parent.to_le_bytes());
        put(&mut record, 76, rotation);
        put(&mut record, 92, position);
        record
    };
    bones.iter().map(record).collect()
}

/// Returns two triangles over four points, one wedge each, in two materials; the third point has no weight.
fn psk(bones: &[BoneRecord], extra: &[(&str, usize)]) -> Vec<u8> {
    let mut out = Vec::new();
    chunk(&mut out, "ACTRHEAD", 0, &[]);
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f32]];
    let floats = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    chunk(&mut out, "PNTS0000", 12, &points.map(|point| floats(&point)));
    let wedge = |point: u16| {
        // The upper half of the index is undefined.
        let mut record = vec![point as u8, 0, 0xcd, 0xab];
        record.extend(floats(&[f32::from(point) / 4.0, 0.25]));
        record.extend([0; 4]);
        record
    };
    chunk(&mut out, "VTXW0000", 16, &[0, 1, 2, 3].map(wedge));
    for &(id, size) in extra {
        chunk(&mut out, id, size as i32, &[vec![0xff; size]]);
    }
    let face = |wedges: [u16; 3], material: u8| {
        let mut record: Vec<u8> = wedges.iter().flat_map(|w| w.to_le_bytes()).collect();
        record.extend([material, 0, 0, 0, 0, 0]);
        record
    };
    chunk(&mut out, "FACE0000", 12, &[face([0, 1, 2], 0), face([1, 2, 3], 3)]);
    chunk(&mut out, "MATT0000", 88, &[named("first ", 24), named("second", 24)]);
    chunk(&mut out, "REFSKELT", 120, &bone_records(bones));
    let weight =
        |weight: f32, point: i32, bone: i32| [weight.to_le_bytes(), point.to_le_bytes(), bone.to_le_bytes()].concat();
    let weights = [weight(0.5, 0, 0), weight(0.2, 1, 0), weight(0.6, 1, 1), weight(1.0, 3, 1)];
    chunk(&mut out, "RAWWEIGHTS", 12, &weights);
    out
}

/// Returns keys of `frames` frames in which every bone is `frame` units higher than in the first.
fn psa(bones: &[BoneRecord], sequences: &[(&str, i32, i32, f32)], frames: usize) -> Vec<u8> {
    let mut out = Vec::new();
    chunk(&mut out, "ANIMHEAD", 0, &[]);
    chunk(&mut out, "BONENAMES", 120, &bone_records(bones));
    let sequence = |&(name, first, count, rate): &(&str, i32, i32, f32)| {
        let mut record = named(name, 104);
        put(&mut record, 152, [rate]);
        record[160..164].copy_from_slice(&first.to_le_bytes());
        record[164..168].copy_from_slice(&count.to_le_bytes());
        record
    };
    chunk(&mut out, "ANIMINFO", 168, &sequences.iter().map(sequence).collect::<Vec<_>>());
    let mut keys = Vec::new();
    for frame in 0..frames {
        for &(_, _, rotation, [x, y, z]) in bones {
            let mut record = vec![0; 32];
            put(&mut record, 0, [x, y, z + frame as f32]);
            put(&mut record, 12, rotation);
            keys.push(record);
        }
    }
    chunk(&mut out, "ANIMKEYS", 32, &keys);
    out
}

fn near(a: Vec3, b: Vec3) -> bool {
    (a - b).length() < 1e-5
}

#[test]
fn a_small_mesh_is_read_whole() {
    let model = Model::load("small.psk", &psk(&bones(), &[("STRANGE", 7)]), |_| None).unwrap();
    assert!(*model.skeleton.name(0).unwrap() == *"root");
    assert_eq!(model.skeleton.parents(), [-1, 0]);
    // The root turns forward to left, its child the other way, left to down.
    assert!(near(model.skeleton.bind_local()[0].forward(), Vec3::Y));
    assert!(near(model.skeleton.bind_local()[1].left(), Vec3::NEG_Z));
    assert!(near(model.skeleton.bind_model()[1].origin(), Vec3::new(0.0, 5.0, 10.0)));
    let [first, second] = &model.meshes[..] else { panic!("{:?}", model.meshes) };
    assert!(first.material == *"first" && second.name == *"second");
    // Each surface has the vertices it uses.
    assert_eq!(first.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!((first.triangles[0], second.triangles[0]), ([0, 1, 2], [0, 1, 2]));
    assert_eq!((second.positions[2], second.texcoords[2]), ([0.0, 0.0, 1.0], [0.75, 0.25]));
    let weights: Vec<_> = first.influences.iter().map(|i| (i.bones, i.weights)).collect();
    assert_eq!(weights[0], ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    assert_eq!(weights[1].0, [1, 0, 0, 0]);
    assert!((weights[1].1[0] - 0.75).abs() < 1e-6 && (weights[1].1[1] - 0.25).abs() < 1e-6);
    assert_eq!(weights[2], ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    // The first point has one clockwise triangle: seen from below.
    assert!(near(first.normals[0].into(), Vec3::NEG_Z));
    let told: Vec<_> = model.warnings.iter().map(|w| (w.section, w.message())).collect();
    assert_eq!(told.iter().map(|w| w.0).collect::<Vec<_>>(), ["RAWWEIGHTS", "FACE0000"]);
    assert!(told.iter().all(|w| w.1.starts_with("accepted: ")), "{told:?}");
}

#[test]
fn animations_beside_a_mesh_are_its_own() {
    let file = psa(&bones(), &[("walk", 0, 2, 20.0), ("die", 7, 3, 0.0)], 5);
    let files = HashMap::from([("dir.d/small.psa", file)]);
    let model = Model::load("dir.d/small.psk", &psk(&bones(), &[]), |name| files.get(name).cloned()).unwrap();
    let frames = |first, count| AnimationSource::Frames { first, count };
    let found: Vec<_> =
        model.animations.iter().map(|a| (a.name.to_string(), a.rate, a.looping, a.source.clone())).collect();
    // The first frame of the second one lies outside the keys: it follows the first one.
    assert_eq!(found, [("walk".into(), 20.0, true, frames(0, 2)), ("die".into(), 10.0, true, frames(2, 3))]);
    assert_eq!(model.frame_count(), 5);
    assert!(near(model.frame(0).unwrap()[1].left(), Vec3::NEG_Z));
    assert!(near(model.frame(3).unwrap()[0].origin(), Vec3::Z * 13.0));
    let told = |message: &str| model.warnings.iter().any(|w| w.section == "ANIMINFO" && w.message() == message);
    assert!(told("no usable frame rate; set to 10 frames per second"), "{:?}", model.warnings);
}

/// Engines negate the root's Y. If that moves the bones away from their points, the exporter did not mean it.
#[test]
fn a_root_is_computed_by_the_path_that_leads_to_the_points() {
    let s = std::f32::consts::FRAC_1_SQRT_2;
    let load = |y: f32| {
        let bones = [("root", 0, [0.0, y, 0.0, s], [0.0; 3]), ("tip", 0, [0.0, 0.0, 0.0, 1.0], [1.5, 0.0, 0.0])];
        let animation = psa(&bones, &[("walk", 0, 1, 20.0)], 1);
        Model::load("small.psk", &psk(&bones, &[]), |name| name.ends_with("psa").then(|| animation.clone())).unwrap()
    };
    // The points lie around the origin, the one with most weight on the tip above it.
    for (y, plainly) in [(-s, true), (s, false)] {
        let model = load(y);
        assert!(near(model.skeleton.bind_model()[1].origin(), Vec3::new(0.0, 0.0, 1.5)), "{:?}", model.skeleton);
        assert_eq!(model.frame(0).unwrap(), model.skeleton.bind_local());
        assert_eq!(model.warnings.iter().any(|w| w.section == "REFSKELT"), plainly);
    }
}

#[test]
fn animations_for_other_bones_drive_those_with_the_same_names() {
    let mut mesh_bones = bones();
    mesh_bones.push(("extra", 1, [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 2.0]));
    let mut other_bones = vec![bones()[0], ("unknown", 0, [0.0, 0.0, 0.0, 1.0], [0.0; 3]), bones()[1]];
    let load = |bones: &[BoneRecord]| {
        let file = psa(bones, &[("walk", 0, 2, 20.0)], 2);
        Model::load("small.psk", &psk(&mesh_bones, &[]), |_| Some(file.clone()).filter(|f| f.len() > 3)).unwrap()
    };
    let model = load(&other_bones);
    assert!(near(model.frame(1).unwrap()[1].origin(), Vec3::new(5.0, 0.0, 1.0)));
    assert_eq!(model.frame(1).unwrap()[2], model.skeleton.bind_local()[2]);
    assert!(model.warnings.iter().any(|w| w.section == "BONENAMES"));

    // Assigned to another bone, it keeps its position in model space.
    other_bones[2].1 = 1;
    other_bones[1].3 = [0.0, 3.0, 0.0];
    let moved = load(&other_bones);
    assert!(near(moved.frame(0).unwrap()[1].origin(), Vec3::new(5.0, 3.0, 0.0)));

    let psa = Model::load("x.psa", &psa(&other_bones, &[("walk", 0, 2, 20.0)], 2), |_| None).unwrap();
    let mut model = Model::load("small.psk", &psk(&mesh_bones, &[]), |_| None).unwrap();
    let fit = model.add_animations(&psa).unwrap();
    let names = |names: &[skelobj::model::Name]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(fit.matched, 2);
    assert_eq!((names(&fit.missing), names(&fit.unused)), (vec!["extra".into()], vec!["unknown".into()]));
    assert_eq!(names(&fit.reparented), ["tip"]);
    assert!(!fit.is_complete());
    // A second source follows the first.
    model.add_animations(&psa).unwrap();
    assert_eq!(model.animations[1].source, AnimationSource::Frames { first: 2, count: 2 });
    assert_eq!(model.frame(3), model.frame(1));
}

#[test]
fn a_source_that_fits_nothing_changes_nothing() {
    let mut model = Model::load("small.psk", &psk(&bones(), &[]), |_| None).unwrap();
    let before = model.clone();
    let strangers = [("a", 0, [0.0, 0.0, 0.0, 1.0], [0.0; 3])];
    let strangers = Model::load("x.psa", &psa(&strangers, &[("walk", 0, 2, 20.0)], 2), |_| None).unwrap();
    assert_eq!(model.add_animations(&strangers), Err(AddAnimationsError::NoCommonBones));
    assert_eq!(model.add_animations(&before), Err(AddAnimationsError::NoAnimations));
    assert_eq!(model, before);
}

#[test]
fn problems_are_reported_with_section_and_place() {
    let load = |bytes: &[u8]| Model::load("spoilt", bytes, |_| None);
    let good = psk(&bones(), &[]);
    let spoilt = |at: usize, value: [u8; 4]| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value);
        load(&bytes).unwrap_err()
    };
    let points = 32 + 32;
    let wedges = points + 48 + 32;
    let faces = wedges + 64 + 32;
    assert_eq!(spoilt(32 + 28, (-1i32).to_le_bytes()).offset, 60);
    assert!(matches!(spoilt(32 + 28, i32::MAX.to_le_bytes()).problem, ModelProblem::PastEnd { .. }));
    let error = spoilt(wedges, [4, 0, 0, 0]);
    assert_eq!((error.section, error.offset), ("VTXW0000", wedges));
    assert_eq!(error.problem, ModelProblem::OutOfRange { field: "point", found: 4, min: 0, max: 3 });
    let error = spoilt(faces, [0, 0, 4, 0]);
    assert_eq!((error.section, error.offset), ("FACE0000", faces));
    let bone = faces + 24 + 32 + 2 * 88 + 32 + 120 + 72;
    assert_eq!(spoilt(bone, 1i32.to_le_bytes()).section, "REFSKELT");
    assert_eq!(spoilt(bone, (-1i32).to_le_bytes()).offset, bone);
    let weight = good.len() - 12;
    assert_eq!(spoilt(weight + 4, 4i32.to_le_bytes()).offset, weight + 4);
    assert_eq!(spoilt(weight + 8, 2i32.to_le_bytes()).offset, weight + 8);
    assert_eq!(load(&psa(&[], &[], 0)).unwrap_err().problem, ModelProblem::Missing { what: "bones" });
    let negative = load(&psa(&bones(), &[("walk", 0, -1, 20.0)], 2)).unwrap_err();
    assert_eq!((negative.section, negative.offset), ("ANIMINFO", 32 + 32 + 240 + 32 + 164));
    let mut scaled = psa(&bones(), &[("walk", 0, 2, 20.0)], 2);
    let scales = scaled.len() + 32;
    chunk(&mut scaled, "SCALEKEYS", 16, &[vec![0; 16]]);
    assert!(load(&scaled).unwrap().warnings.iter().any(|w| (w.section, w.offset) == ("SCALEKEYS", scales)));
    let stray = [&good[..], &[1, 2, 3]].concat();
    assert!(load(&stray).unwrap().warnings.iter().any(|w| w.offset == good.len()));
}

#[test]
fn a_mesh_and_its_animations_share_one_limit() {
    let long = psa(&bones(), &[("walk", 0, 5_000, 20.0)], 5_000);
    let load = |memory: u64| {
        let mut limits = Limits::default();
        limits.memory = memory;
        Model::load_with(&skelobj::LoadOptions::default().with_limits(limits), "m.psk", &psk(&bones(), &[]), |name| {
            name.ends_with(".psa").then(|| long.clone())
        })
    };
    // The frames take 480 kB while they are read, and again on the bones of the mesh.
    assert_eq!(load(1_000_000).unwrap().frame_count(), 5_000);
    for memory in [700_000, 300_000] {
        let error = load(memory).unwrap_err();
        assert!(matches!(error.problem, ModelProblem::LimitExceeded(_)), "{error}");
    }
}
