//! MD5 meshes and animations compared with the findings of independent readers.

use crate::common::truth;
use crate::common::truth::{agree, cases, floats};
use skelobj::Model;
use skelobj::math::Vec3;
use skelobj::model::{AnimationSource, ModelProblem};

#[test]
fn bones_and_animations_are_those_of_the_files() {
    let mut frames = 0;
    for case in ["md5mesh", "md5anim"].into_iter().flat_map(|kind| cases("md5_bones_and_animations", "md5", kind, 8)) {
        truth::assert_bones(&case);
        truth::assert_parents(&case);
        truth::assert_animations(&case, 1.0);
        frames += truth::assert_frames(&case);
        if let Some(bounds) = case.truth["bounds_sampled"].as_object() {
            for (frame, truth) in bounds {
                let ours = &case.model.bounds[frame.parse::<usize>().unwrap()];
                assert!(agree(&[ours.mins, ours.maxs].concat(), &floats(truth)), "{} {frame}", case.name);
            }
        }
    }
    assert!(frames > 0 || crate::common::shared().is_none());
}

#[test]
fn meshes_are_those_of_the_file() {
    for case in cases("md5_meshes", "md5", "md5mesh", 8) {
        truth::assert_meshes(&case);
    }
}

#[test]
fn an_animation_moves_the_mesh_it_is_for() {
    let mut compared = 0;
    for mut case in cases("md5_animated_meshes", "md5", "md5anim", 9) {
        let Some(mesh) = case.truth["with_mesh"].as_str() else { continue };
        let mesh = std::fs::read(case.path.with_file_name(mesh)).unwrap();
        let mut model = Model::load("mesh", &mesh, |_| None).unwrap();
        let fit = model.add_animations(&case.model).unwrap();
        assert!(fit.is_complete() && fit.matched == model.skeleton.len(), "{}: {fit:?}", case.name);
        assert_eq!(model.animations, case.model.animations, "{}", case.name);
        assert_eq!(model.bounds, case.model.bounds, "{}", case.name);
        case.model = model;
        truth::assert_frames(&case);
        compared += truth::assert_skins(&case);
    }
    assert!(compared > 0 || crate::common::shared().is_none());
}

/// Returns the warnings about the file, without those about fast animations.
fn faults(model: &Model) -> Vec<String> {
    let told = model.warnings.iter().map(ToString::to_string);
    told.filter(|warning| !warning.starts_with("animations at byte 0: animation ")).collect()
}

/// Warnings name the defects of real files; valid files have none.
#[test]
fn real_defects_are_accepted_with_a_warning() {
    let expected = [
        ("quirk_two_roots/", "more than one joint"),
        ("hud_", "more than one joint"),
        ("quirk_banner", "more than one joint"),
        ("banner.md5anim", "more bounds"),
        ("ball.md5mesh", "differs from numMeshes"),
    ];
    for case in ["md5mesh", "md5anim"].into_iter().flat_map(|kind| cases("md5_defects", "md5", kind, 8)) {
        let told = faults(&case.model);
        let expected: Vec<&str> =
            expected.iter().filter(|(file, _)| case.name.contains(file)).map(|(_, warning)| *warning).collect();
        assert_eq!(told.len(), expected.len(), "{}: {told:?}", case.name);
        for warning in expected {
            assert!(told.iter().any(|told| told.contains(warning)), "{}: {told:?}", case.name);
        }
    }
}

#[test]
fn no_truncation_panics() {
    let mut files = vec![MESH.as_bytes().to_vec(), ANIMATION.as_bytes().to_vec()];
    for kind in ["md5mesh", "md5anim"] {
        files.extend(cases("md5_no_truncation_panics", "md5", kind, 8).into_iter().map(|case| case.bytes));
    }
    let cuts: usize =
        files.iter().map(|file| truth::every_cut(file, |bytes| drop(Model::load("cut", bytes, |_| None)))).sum();
    assert!(cuts > 0 || crate::common::shared().is_none());
}

/// Root half a turn around Z, and a child two above it whose X points up, because its quaternion's w is
/// negative.
const MESH: &str = r#"MD5Version 10 // the only one
commandline "made by hand"
numJoints 2
numMeshes 1
joints {
  "root" -1 ( 0 0 1 ) ( 0 0 1 )
  "a tip" 0 ( 0 0 3 ) ( 0 0.70710678118654752 0 ) // root
}
mesh {
  /* a triangle */
  shader "skins/tri"
  numverts 3
  vert 0 ( 0 0.25 ) 0 1
  vert 1 ( 1 0.5 ) 1 2
  vert 2 (0 1) 3 1
  numtris 1
  tri 0 0 2 1
  numweights 4
  weight 0 0 1 ( 1 0 0 )
  weight 1 0 0.25 ( 0 4 0 )
  weight 2 1 0.75 ( 0 0 4 )
  weight 3 1 1 ( 0 0 0 )
}
"#;

/// Animation of these bones; the Y and the rotation of the child move.
const ANIMATION: &str = r#"MD5Version 10
commandline ""
numFrames 2
numJoints 2
frameRate 30
numAnimatedComponents 4
hierarchy {
  "root" -1 0 0
  "a tip" 0 250 0 // root
}
bounds { ( -1.5 -2 -3 ) ( 1 2 4 )  ( 0 0 0 ) ( 1 1 1 ) }
baseframe {
  ( 0 0 1 ) ( 0 0 1 )
  ( 7 8 9 ) ( 0 0 0 )
}
frame 0 { 5 0 0 0 }
frame 1 { 6.5 0 0 1 }
"#;

fn near(a: Vec3, b: Vec3) -> bool {
    (a - b).length() < 1e-5
}

fn load(text: &str) -> Result<Model, skelobj::model::ModelError> {
    Model::load("test", text.as_bytes(), |_| None)
}

#[test]
fn a_small_mesh_is_read_whole() {
    let model = load(MESH).unwrap();
    assert_eq!(model.warnings, []);
    assert!(model.comments[0] == *"made by hand" && *model.skeleton.name(1).unwrap() == *"a tip");
    assert_eq!(model.skeleton.parents(), [-1, 0]);
    let (root, tip) = (model.skeleton.bind_model()[0], model.skeleton.bind_model()[1]);
    assert!(near(root.forward(), Vec3::NEG_X) && near(root.origin(), Vec3::Z));
    assert!(near(tip.forward(), Vec3::Z) && near(tip.up(), Vec3::NEG_X) && near(tip.origin(), Vec3::Z * 3.0));
    assert!(near(model.skeleton.bind_local()[1].origin(), Vec3::Z * 2.0));
    let [mesh] = &model.meshes[..] else { panic!("{:?}", model.meshes) };
    assert!(mesh.material == *"skins/tri" && mesh.name == *"skins/tri");
    assert_eq!((mesh.triangles[0], mesh.texcoords[1]), ([0, 2, 1], [1.0, 0.5]));
    let expected = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(-3.0, -1.0, 2.5), Vec3::new(0.0, 0.0, 3.0)];
    for (ours, expected) in mesh.positions.iter().zip(expected) {
        assert!(near(Vec3::from(*ours), expected), "{ours:?} {expected}");
    }
    assert_eq!((mesh.influences[1].bones, mesh.influences[1].weights), ([1, 0, 0, 0], [0.75, 0.25, 0.0, 0.0]));
}

#[test]
fn a_small_animation_is_read_whole_and_moves_the_mesh() {
    let animation = load(ANIMATION).unwrap();
    let told: Vec<String> = animation.warnings.iter().map(|warning| warning.message()).collect();
    assert!(matches!(&told[..], [turn] if turn.contains("turns bone `a tip` by 180 degrees")), "{told:?}");
    assert!(!animation.skeleton.has_bind());
    let [one] = &animation.animations[..] else { panic!("{:?}", animation.animations) };
    assert_eq!((one.name.to_string(), one.rate, one.looping), ("test".to_owned(), 30.0, true));
    assert_eq!(one.source, AnimationSource::Frames { first: 0, count: 2 });
    assert_eq!(animation.frame(1).unwrap()[1].origin(), Vec3::new(7.0, 6.5, 9.0));
    assert!(near(animation.frame(0).unwrap()[1].forward(), Vec3::X));
    assert!(near(animation.frame(1).unwrap()[1].forward(), Vec3::NEG_X));
    assert_eq!((animation.bounds[0].mins, animation.bounds[0].xy_radius), ([-1.5, -2.0, -3.0], 2.5));

    let mut model = load(MESH).unwrap();
    assert!(model.add_animations(&animation).unwrap().is_complete());
    assert!(model.add_animations(&animation).unwrap().is_complete());
    assert_eq!(model.animations.len(), 2);
    assert_eq!(model.animations[1].source, AnimationSource::Frames { first: 2, count: 2 });
    assert_eq!((model.frame(3), model.bounds.len()), (animation.frame(1), 4));
}

#[test]
fn harmless_faults_are_accepted_with_a_warning() {
    let without_version = MESH.replace("MD5Version 10 // the only one\n", "");
    let two_roots = MESH.replace("\"a tip\" 0", "\"a tip\" -1");
    let meshes = MESH.replace("numMeshes 1", "numMeshes 7");
    let half = MESH.replace("weight 0 0 1 (", "weight 0 0 0.5 (");
    let bounds = ANIMATION.replace("bounds {", "bounds { ( 0 0 0 ) ( 1 1 1 )");
    for text in [without_version, two_roots, meshes, half.clone(), bounds] {
        let model = load(&text).unwrap();
        let faults = faults(&model);
        assert!(matches!(&faults[..], [fault] if fault.contains("accepted: ")), "{text}");
    }
    // The stored weights place the mesh; scaled weights move it.
    let mesh = &load(&half).unwrap().meshes[0];
    assert!(near(mesh.positions[0].into(), Vec3::new(-0.5, 0.0, 0.5)));
    assert_eq!(mesh.influences[0].weights, [1.0, 0.0, 0.0, 0.0]);
    let few_bounds = load(&ANIMATION.replace("( 0 0 0 ) ( 1 1 1 ) }", "}")).unwrap();
    assert!(few_bounds.bounds.is_empty() && faults(&few_bounds).len() == 1);
    let no_rate = load(&ANIMATION.replace("frameRate 30", "frameRate 0")).unwrap();
    assert_eq!(
        (no_rate.animations[0].rate, no_rate.warnings[0].message()),
        (10.0, "no usable frame rate; set to 10 frames per second".to_owned())
    );
    let dense = MESH.replace("( ", "(").replace(" )", ")").replace('\n', "\r\n").replace("  ", "\t");
    assert_eq!(load(&dense).unwrap(), load(MESH).unwrap());
}

#[test]
fn problems_are_reported_with_section_and_place() {
    let mesh = |from: &str, to: &str| {
        assert!(MESH.contains(from), "{from}");
        load(&MESH.replacen(from, to, 1)).unwrap_err()
    };
    let animation = |from: &str, to: &str| {
        assert!(ANIMATION.contains(from), "{from}");
        load(&ANIMATION.replacen(from, to, 1)).unwrap_err()
    };
    let error = mesh("( 0 0 1 )", "( banana 0 1 )");
    assert_eq!(error.offset, MESH.find("0 0 1 )").unwrap());
    assert_eq!(error.to_string(), format!("joints at byte {}: expected a number, found \"banana\"", error.offset));
    assert_eq!(mesh("Version 10", "Version 6").problem, ModelProblem::UnsupportedVersion { found: 6, expected: "10" });
    assert!(matches!(mesh("numJoints 2", "numJoints -1").problem, ModelProblem::OutOfRange { found: -1, .. }));
    assert!(matches!(mesh("numJoints 2", "numJoints 8000").problem, ModelProblem::PastEnd { .. }));
    assert_eq!(mesh("numJoints 2", "numJoints 1").section, "joints");
    let parent = mesh("\"a tip\" 0", "\"a tip\" 1");
    assert_eq!(parent.problem, ModelProblem::OutOfRange { field: "parent", found: 1, min: -1, max: 0 });
    let missing = mesh("  vert 1 ( 1 0.5 ) 1 2\n", "");
    assert_eq!(missing.problem, ModelProblem::Mismatch { field: "vert", found: 2, expected: 1 });
    assert!(matches!(mesh("numtris 1", "numtris 4000000000").problem, ModelProblem::PastEnd { .. }));
    assert_eq!(mesh("tri 0 0 2 1", "tri 0 0 3 1").section, "mesh");
    assert_eq!(mesh("weight 3 1", "weight 3 2").section, "mesh");
    assert_eq!(mesh(") 3 1", ") 3 2").section, "mesh");
    assert_eq!(mesh("mesh {", "mush {").section, "header");
    assert_eq!(animation("frame 1 { 6.5 ", "frame 1 { ").section, "frame");
    assert_eq!(animation("frame 1 {", "frame 2 {").section, "frame");
    assert_eq!(animation("6.5", "1e999").problem, ModelProblem::NotFinite { field: "number" });
    assert_eq!(animation("6.5", "1e39").problem, ModelProblem::NotFinite { field: "number" });
    assert!(matches!(animation("numFrames 2", "numFrames 1000000000").problem, ModelProblem::PastEnd { .. }));
    assert_eq!(animation("frame 1 { 6.5 0 0 1 }", "").problem, ModelProblem::Missing { what: "frame" });
    let components = animation("Components 4", "Components 3");
    assert_eq!((components.section, components.offset), ("hierarchy", ANIMATION.find("0 // root").unwrap()));
    assert_eq!(animation("frame 0 {", "numFrames 9 frame 0 {").section, "header");
}

#[test]
fn vertices_that_share_all_weights_are_read_in_bounded_time() {
    let count = 20_000;
    let mut text = format!(
        "MD5Version 10 numJoints 1 numMeshes 1 joints {{ \"\" -1 (0 0 0) (0 0 0) }} mesh {{ numverts {count}\n"
    );
    for i in 0..count {
        text += &format!("vert {i} (0 0) 0 {count}\n");
    }
    text += &format!("numweights {count}\n");
    for i in 0..count {
        text += &format!("weight {i} 0 1 (0 0 0)\n");
    }
    text += "}";
    assert_eq!(load(&text).unwrap_err().section, "mesh");
}
