//! ZYM files compared with the findings of independent readers.

use crate::common::truth;
use crate::common::truth::cases;
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AnimationSource, ModelProblem};

#[test]
fn bones_animations_and_frames_are_those_of_the_file() {
    let mut frames = 0;
    for case in cases("zym_bones_animations_and_frames", "zym", "zym", 3) {
        truth::assert_bones(&case);
        truth::assert_parents(&case);
        truth::assert_animations(&case, 10.0);
        frames += truth::assert_frames(&case);
        assert_eq!(case.model.warnings, [], "{}", case.name);
    }
    assert!(frames > 0 || crate::common::shared().is_none());
}

#[test]
fn meshes_are_those_of_the_file_in_every_frame() {
    let mut compared = 0;
    for case in cases("zym_meshes", "zym", "zym", 3) {
        truth::assert_meshes(&case);
        compared += truth::assert_skins(&case);
    }
    assert!(compared > 0 || crate::common::shared().is_none());
}

/// Real files have bones whose matrices are all zero: they keep them, and have an invertible bind pose.
#[test]
fn bones_without_rotation_stay_finite() {
    for case in cases("zym_dead_bones", "zym", "zym", 3) {
        let skeleton = &case.model.skeleton;
        assert!(skeleton.inverse_bind().iter().all(Mat3x4::is_finite), "{}", case.name);
        for bone in truth::list(&case.truth["singular_bones_frame0"]) {
            let bone = bone.as_u64().unwrap() as usize;
            assert_eq!(skeleton.bind_local()[bone].forward(), Vec3::ZERO, "{}", case.name);
        }
    }
}

#[test]
fn no_truncation_panics() {
    let mut files = vec![small()];
    files.extend(cases("zym_no_truncation_panics", "zym", "zym", 3).into_iter().map(|case| case.bytes));
    for file in files {
        truth::every_cut(&file, |bytes| {
            assert!(Model::load("cut", bytes, |_| None).is_err());
            let mut bytes = bytes.to_vec();
            let length = bytes.len() as u32;
            if let Some(field) = bytes.get_mut(16..20) {
                field.copy_from_slice(&length.to_be_bytes());
            }
            let _ = Model::load("cut", &bytes, |_| None);
        });
    }
}

/// Positions of the lumps of the small file.
const LUMPS: [(&str, usize); 9] = [
    ("scenes", 2 * 76),
    ("poses", 2 * 2 * 48),
    ("bones", 2 * 40),
    ("vertbonecounts", 3 * 4),
    ("verts", 4 * 16),
    ("texcoords", 3 * 8),
    ("render", 2 * 4 + 2 * 12),
    ("shaders", 2 * 32),
    ("trizone", 2),
];

fn lump(name: &str) -> usize {
    140 + LUMPS.iter().take_while(|lump| lump.0 != name).map(|lump| lump.1).sum::<usize>()
}

/// Returns two roots, two poses, two scenes and two surfaces; the second vertex is on both bones.
fn small() -> Vec<u8> {
    let mut bytes = b"ZYMOTICMODEL".to_vec();
    fn ints(bytes: &mut Vec<u8>, values: &[usize]) {
        bytes.extend(values.iter().flat_map(|&v| (v as u32).to_be_bytes()));
    }
    fn floats(bytes: &mut Vec<u8>, values: &[f32]) {
        bytes.extend(values.iter().flat_map(|v| v.to_be_bytes()));
    }
    fn name(bytes: &mut Vec<u8>, name: &str) {
        let end = bytes.len() + 32;
        bytes.extend(name.bytes());
        bytes.resize(end, 0);
    }
    ints(&mut bytes, &[1, lump("trizone") + 2]);
    floats(&mut bytes, &[0.0; 7]);
    ints(&mut bytes, &[3, 2, 2, 2, 2]);
    for (name, length) in LUMPS {
        ints(&mut bytes, &[lump(name), length]);
    }
    for (scene, rate, flags, first, count) in [("walk", 20.0, 0, 0, 2), ("die", 5.0, 1, 1, 1)] {
        name(&mut bytes, scene);
        floats(&mut bytes, &[0.0; 7]);
        floats(&mut bytes, &[rate]);
        ints(&mut bytes, &[flags, first, count]);
    }
    for (scale, z) in [(0.5, 10.0), (1.0, 0.0), (0.5, 12.0), (1.0, 1.0)] {
        let m = Mat3x4::from_columns(Vec3::X * scale, Vec3::Y * scale, Vec3::Z * scale, Vec3::Z * z);
        floats(&mut bytes, &m.0);
    }
    for (bone, parent) in [("body", usize::MAX), ("other", usize::MAX)] {
        name(&mut bytes, bone);
        ints(&mut bytes, &[0, parent]);
    }
    ints(&mut bytes, &[1, 2, 1]);
    for (bone, origin) in [(0, [2.0, 0.0, 0.0]), (0, [0.0, 2.0, 0.0]), (1, [0.0, 1.0, 10.0]), (1, [0.0, 0.0, 9.0])] {
        ints(&mut bytes, &[bone]);
        floats(&mut bytes, &origin);
    }
    floats(&mut bytes, &[0.0, 0.0, 0.5, 0.25, 1.0, 1.0]);
    ints(&mut bytes, &[1, 0, 1, 2, 1, 2, 1, 0]);
    name(&mut bytes, "");
    name(&mut bytes, "skin");
    bytes.extend([0; 2]);
    bytes
}

#[test]
fn a_small_file_is_read_whole() {
    let model = Model::load("small.zym", &small(), |_| None).unwrap();
    assert_eq!(model.warnings, []);
    assert_eq!(model.skeleton.parents(), [-1, -1]);
    assert_eq!(model.skeleton.bind_model()[0].forward(), Vec3::X * 0.5);
    let scenes: Vec<_> =
        model.animations.iter().map(|a| (a.name.to_string(), a.rate, a.looping, a.source.clone())).collect();
    let frames = |first, count| AnimationSource::Frames { first, count };
    assert_eq!(scenes, [("walk".into(), 20.0, true, frames(0, 2)), ("die".into(), 5.0, false, frames(1, 1))]);
    assert_eq!(model.frame(1).unwrap()[0].origin(), Vec3::Z * 12.0);
    let [bare, skin] = &model.meshes[..] else { panic!("{:?}", model.meshes) };
    assert!(bare.material.is_empty() && skin.material == *"skin");
    assert_eq!((bare.triangles[0], skin.triangles[0]), ([2, 1, 0], [0, 1, 2]));
    assert_eq!(bare.positions, [[1.0, 0.0, 10.0], [0.0, 1.0, 10.0], [0.0, 0.0, 9.0]]);
    assert_eq!((&bare.positions, bare.texcoords[1]), (&skin.positions, [0.5, 0.75]));
    assert_eq!((bare.influences[1].bones, bare.influences[1].weights), ([0, 1, 0, 0], [0.5, 0.5, 0.0, 0.0]));
}

#[test]
fn problems_are_reported_with_section_and_place() {
    let spoilt = |at: usize, value: u32| {
        let mut bytes = small();
        bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
        Model::load("spoilt.zym", &bytes, |_| None)
    };
    let error = |at, value| spoilt(at, value).unwrap_err();
    let parent = lump("bones") + 40 + 36;
    assert_eq!((error(parent, 1).section, error(parent, 1).offset), ("bones", parent));
    let length = lump("scenes") + 72;
    assert_eq!((error(length, 3).section, error(length, 3).offset), ("scenes", length));
    assert_eq!(error(lump("render") + 4, 3).section, "render");
    assert_eq!(error(lump("render"), 3).section, "render");
    assert_eq!(error(lump("vertbonecounts") + 4, 1).section, "verts");
    assert_eq!(error(lump("vertbonecounts"), 0).section, "vertbonecounts");
    assert_eq!(error(lump("verts"), 2).offset, lump("verts"));
    assert_eq!(error(12, 0).problem, ModelProblem::UnsupportedVersion { found: 0, expected: "1" });
    let odd = spoilt(lump("scenes") + 60, f32::NAN.to_bits()).unwrap();
    assert_eq!(
        (odd.animations[0].rate, odd.warnings[0].message()),
        (10.0, "no usable frame rate; set to 10 frames per second".to_owned())
    );
}
