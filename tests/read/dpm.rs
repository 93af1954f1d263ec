//! DPM files compared with the findings of independent readers.

use crate::common;
use crate::common::truth;
use crate::common::truth::{cases, list};
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AnimationSource, ModelProblem};

#[test]
fn bones_animations_and_frames_are_those_of_the_file() {
    let mut frames = 0;
    for case in cases("dpm_bones_animations_and_frames", "dpm", "dpm", 3) {
        truth::assert_bones(&case);
        truth::assert_parents(&case);
        truth::assert_animations(&case, 10.0);
        frames += truth::assert_frames(&case);
        assert_eq!(case.model.bounds.len(), case.model.frame_count(), "{}", case.name);
        assert_eq!(case.model.warnings, [], "{}", case.name);
    }
    assert!(frames > 0 || common::shared().is_none());
}

#[test]
fn meshes_are_those_of_the_file_in_every_frame() {
    let mut compared = 0;
    for case in cases("dpm_meshes", "dpm", "dpm", 3) {
        truth::assert_meshes(&case);
        compared += truth::assert_skins(&case);
    }
    assert!(compared > 0 || common::shared().is_none());
}

/// Formats without normals get computed ones; the computation must agree with the normals stored in these files.
#[test]
fn fronts_of_triangles_face_as_the_stored_normals_do() {
    for case in cases("dpm_fronts", "dpm", "dpm", 3) {
        for mesh in &case.model.meshes {
            let facing = |triangle: &&[u32; 3]| {
                let [a, b, c] = triangle.map(|i| Vec3::from(mesh.positions[i as usize]));
                let stored: Vec3 = triangle.iter().map(|&i| Vec3::from(mesh.normals[i as usize])).sum();
                (c - a).cross(b - a).dot(stored) > 0.0
            };
            let facing = mesh.triangles.iter().filter(facing).count();
            // The triangles of this file are inside out.
            if case.name.ends_with("spiderbot_barrels.dpm") {
                assert_eq!(facing, 0, "{}", case.name);
                continue;
            }
            assert!(facing * 10 > mesh.triangles.len() * 9, "{}: {facing} of {}", case.name, mesh.triangles.len());
        }
    }
}

#[test]
fn framegroups_beside_a_model_replace_its_animations() {
    let mut compared = 0;
    for case in cases("dpm_framegroups", "dpm", "dpm", 3) {
        let truth = list(&case.truth["framegroups_file"]);
        if truth.is_empty() {
            continue;
        }
        let mut asked = Vec::new();
        let model = Model::load(&case.name, &case.bytes, |name| {
            asked.push(name.to_owned());
            std::fs::read(case.path.with_file_name(name.rsplit('/').next().unwrap())).ok()
        });
        assert_eq!(asked, [format!("{}.framegroups", case.name)]);
        let model = model.unwrap();
        assert_eq!(model.animations.len(), truth.len());
        for (ours, truth) in model.animations.iter().zip(truth) {
            let number = |key: &str| truth[key].as_u64().unwrap() as u32;
            let frames = AnimationSource::Frames { first: number("first"), count: number("count") };
            assert_eq!((&ours.source, ours.rate), (&frames, truth["fps"].as_f64().unwrap() as f32));
            assert_eq!(ours.looping, truth["loop"].as_bool().unwrap());
            assert_eq!(ours.name.to_string(), truth["name"].as_str().unwrap());
        }
        compared += 1;
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn no_truncation_panics() {
    let mut cuts = 0;
    for case in cases("dpm_no_truncation_panics", "dpm", "dpm", 3) {
        cuts += truth::every_cut(&case.bytes, |bytes| {
            assert!(Model::load("cut", bytes, |_| None).is_err());
            // With a valid size field.
            let mut bytes = bytes.to_vec();
            let length = bytes.len() as u32;
            if let Some(field) = bytes.get_mut(20..24) {
                field.copy_from_slice(&length.to_be_bytes());
            }
            let _ = Model::load("cut", &bytes, |_| None);
        });
    }
    assert!(cuts > 0 || crate::common::shared().is_none());
}

/// Appends numbers of four bytes each.
struct Writer(Vec<u8>);

impl Writer {
    fn name(&mut self, name: &str, size: usize) {
        let mut field = name.as_bytes().to_vec();
        field.resize(size, 0);
        self.0.extend(field);
    }

    fn ints(&mut self, values: &[i32]) {
        self.0.extend(values.iter().flat_map(|v| v.to_be_bytes()));
    }

    fn floats(&mut self, values: &[f32]) {
        self.0.extend(values.iter().flat_map(|v| v.to_be_bytes()));
    }
}

/// Returns two bones, two frames and one triangle, whose second vertex has half its weight on each bone.
fn small() -> Vec<u8> {
    let (bones, frames, poses) = (80, 80 + 80, 80 + 80 + 136);
    let meshes = poses + 4 * 48;
    let vertices = meshes + 56;
    let texcoords = vertices + 36 + 68 + 36;
    let (indexes, groups) = (texcoords + 24, texcoords + 24 + 12);
    let mut w = Writer(Vec::new());
    w.name("DARKPLACESMODEL", 16);
    w.ints(&[2, groups + 4]);
    w.floats(&[0.0; 8]);
    w.ints(&[2, 1, 2, bones, meshes, frames]);
    w.name("root", 32);
    w.ints(&[-1, 0]);
    w.name("a name of thirty-two characters!", 32);
    w.ints(&[0, 1]);
    for frame in 0..2 {
        w.name(["stand", "lift"][frame as usize], 32);
        w.floats(&[-1.0, -2.0, -3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        w.ints(&[poses + 96 * frame]);
    }
    for z in [10.0, 5.0, 20.0, 5.0] {
        w.floats(&Mat3x4::from_translation(Vec3::new(0.0, 0.0, z)).0);
    }
    w.name("skin.tga", 32);
    w.ints(&[3, 1, vertices, texcoords, indexes, groups]);
    let mut vertex = |influences: &[(f32, i32)], at: Vec3| {
        w.ints(&[influences.len() as i32]);
        for &(weight, bone) in influences {
            let local = (at - Vec3::Z * [10.0, 15.0][bone as usize]) * weight;
            w.floats(&[local.x, local.y, local.z, weight, 0.0, 0.0, weight]);
            w.ints(&[bone]);
        }
    };
    vertex(&[(1.0, 0)], Vec3::new(1.0, 0.0, 0.0));
    vertex(&[(0.25, 0), (0.75, 1)], Vec3::new(0.0, 2.0, 0.0));
    vertex(&[(1.0, 1)], Vec3::new(0.0, 0.0, 3.0));
    w.floats(&[0.0, 0.25, 0.5, 0.75, 1.0, 1.0]);
    w.ints(&[0, 1, 2, 7]);
    assert_eq!(w.0.len() as i32, groups + 4);
    w.0
}

#[test]
fn a_small_file_is_read_whole() {
    let model = Model::load("small.dpm", &small(), |_| None).unwrap();
    assert_eq!(model.warnings, []);
    let skeleton = &model.skeleton;
    assert!(*skeleton.name(1).unwrap() == *"a name of thirty-two characters!");
    assert_eq!(skeleton.parents(), [-1, 0]);
    assert_eq!(skeleton.bind_model()[1].origin(), Vec3::Z * 15.0);
    let names: Vec<_> = model.animations.iter().map(|a| (a.name.to_string(), a.rate, a.source.clone())).collect();
    let single = |first| AnimationSource::Frames { first, count: 1 };
    assert_eq!(names, [("stand".into(), 10.0, single(0)), ("lift".into(), 10.0, single(1))]);
    assert_eq!(model.frame(1).unwrap()[0].origin(), Vec3::Z * 20.0);
    assert_eq!((model.bounds[1].mins, model.bounds[1].radius), ([-1.0, -2.0, -3.0], 8.0));
    let [mesh] = &model.meshes[..] else { panic!("{:?}", model.meshes) };
    assert!(mesh.material == *"skin.tga");
    assert_eq!((&mesh.triangles[..], &mesh.triangle_groups[..]), (&[[2, 1, 0]][..], &[7][..]));
    assert_eq!(mesh.positions, [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]);
    assert_eq!((mesh.normals[1], mesh.texcoords[1]), ([0.0, 0.0, 1.0], [0.5, 0.75]));
    assert_eq!((mesh.influences[1].bones, mesh.influences[1].weights), ([1, 0, 0, 0], [0.75, 0.25, 0.0, 0.0]));
}

#[test]
fn problems_are_reported_with_section_and_place() {
    let spoilt = |at: usize, value: u32| {
        let mut bytes = small();
        bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
        Model::load("spoilt.dpm", &bytes, |_| None).unwrap_err()
    };
    let error = spoilt(80 + 40 + 32, 1);
    assert_eq!((error.section, error.offset), ("bones", 152));
    assert_eq!(error.problem, ModelProblem::OutOfRange { field: "parent", found: 1, min: -1, max: 0 });
    assert_eq!(spoilt(16, 1).problem, ModelProblem::UnsupportedVersion { found: 1, expected: "2" });
    assert!(matches!(spoilt(20, 5).problem, ModelProblem::WrongFileSize { stated: 5, .. }));
    for (field, what) in [(56, "bones"), (60, "meshes"), (64, "frames")] {
        assert_eq!(spoilt(field, 0).problem, ModelProblem::Missing { what });
    }
    let vertices = 80 + 80 + 136 + 192 + 56;
    assert_eq!(spoilt(vertices, 0).section, "vertices");
    assert_eq!(spoilt(vertices, 100).offset, vertices);
    assert_eq!(spoilt(vertices + 32, 2).offset, vertices + 32);
    assert_eq!(spoilt(vertices + 140 + 24, 3).section, "indices");
}
