//! IQM files compared with the findings of independent readers.

use crate::common;
use crate::common::truth;
use std::path::Path;

use crate::common::truth::{Case, agree, floats, list};
use serde_json::Value;
use skelobj::Model;
use skelobj::math::Mat3x4;
use skelobj::model::AnimationSource;
use skelobj::pose::to_model_space;

fn cases(test: &str) -> Vec<Case> {
    let paths = |truth: &Path| ["iqm", "derived_iqm"].iter().flat_map(|f| common::files(&truth.join(f))).collect();
    truth::cases_of(test, paths, 20.., |_| None)
}

fn assert_matrices(what: &str, ours: &[Mat3x4], truth: &Value) {
    assert_eq!(ours.len(), list(truth).len(), "{what}");
    for (bone, (ours, truth)) in ours.iter().zip(list(truth)).enumerate() {
        let truth = floats(truth);
        // A bone with one number beyond f32 is replaced as a whole.
        let unfit = truth.iter().any(|&v| !(v as f32).is_finite());
        assert!(ours.is_finite(), "{what}: bone {bone}");
        assert!(unfit || agree(&ours.0, &truth), "{what}: bone {bone}: {:?} {truth:?}", ours.0);
    }
}

fn model_space(model: &Model, relative: &[Mat3x4]) -> Vec<Mat3x4> {
    let mut out = vec![Mat3x4::ZERO; relative.len()];
    to_model_space(model.skeleton.parents(), relative, &mut out);
    out
}

fn bounding_box<'a>(points: impl IntoIterator<Item = &'a [f32; 3]>) -> [[f32; 3]; 2] {
    let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for point in points {
        for (axis, &v) in point.iter().enumerate() {
            bounds[0][axis] = bounds[0][axis].min(v);
            bounds[1][axis] = bounds[1][axis].max(v);
        }
    }
    bounds
}

fn assert_box(what: &str, ours: [[f32; 3]; 2], truth: &Value) {
    let (mins, maxs) = (floats(&truth["mins"]), floats(&truth["maxs"]));
    assert!(agree(&ours[0], &mins) && agree(&ours[1], &maxs), "{what}: {ours:?} {truth}");
}

#[test]
fn bones_are_those_of_the_file() {
    for case in cases("bones_are_those_of_the_file") {
        let (skeleton, truth) = (&case.model.skeleton, &case.truth);
        assert_eq!(skeleton.len(), truth["bone_count"].as_u64().unwrap() as usize, "{}", case.name);
        let names: Vec<String> = skeleton.names().iter().map(ToString::to_string).collect();
        assert_eq!(serde_json::json!(names), truth["bone_names"], "{}", case.name);
        assert_eq!(serde_json::json!(skeleton.parents()), truth["bone_parents"], "{}", case.name);
        let base = &truth["base_abs_matrices"];
        assert_eq!(skeleton.has_bind(), base.is_array(), "{}", case.name);
        if skeleton.has_bind() {
            assert_matrices(&case.name, skeleton.bind_model(), base);
        }
    }
}

#[test]
fn animations_are_those_of_the_file() {
    for case in cases("animations_are_those_of_the_file") {
        let (model, truth) = (&case.model, list(&case.truth["anims"]));
        if truth.is_empty() && model.skeleton.has_bind() {
            let [base] = &model.animations[..] else { panic!("{}: {:?}", case.name, model.animations) };
            assert!(base.name == *"base" && base.looping && base.rate == 10.0, "{}", case.name);
            assert_eq!(base.source, AnimationSource::BindPose, "{}", case.name);
            continue;
        }
        assert_eq!(model.animations.len(), truth.len(), "{}", case.name);
        for (ours, truth) in model.animations.iter().zip(truth) {
            assert_eq!(ours.name.to_string(), truth["name"].as_str().unwrap(), "{}", case.name);
            assert_eq!(ours.looping, truth["loop"].as_bool().unwrap(), "{}", case.name);
            let rate = truth["fps"].as_f64().unwrap() as f32;
            assert_eq!(ours.rate, if rate == 0.0 { 10.0 } else { rate }, "{}", case.name);
            let number = |key: &str| truth[key].as_u64().unwrap() as u32;
            let expected = AnimationSource::Frames { first: number("first"), count: number("count") };
            assert_eq!(ours.source, expected, "{}", case.name);
        }
    }
}

#[test]
fn frames_are_those_of_the_file_in_both_spaces() {
    let mut compared = 0;
    for case in cases("frames_are_those_of_the_file_in_both_spaces") {
        let model = &case.model;
        assert_eq!(model.frame_count(), case.truth["frame_count"].as_u64().unwrap() as usize, "{}", case.name);
        assert!(model.frames.iter().all(Mat3x4::is_finite), "{}", case.name);
        for truth in list(&case.truth["frames"]) {
            let frame = truth["frame"].as_u64().unwrap() as usize;
            let relative = model.frame(frame).unwrap();
            let what = format!("{} frame {frame}", case.name);
            assert_matrices(&what, relative, &truth["rel"]);
            assert_matrices(&what, &model_space(model, relative), &truth["abs"]);
            compared += 1;
        }
        for (frame, truth) in case.truth["bounds_sampled"].as_object().unwrap() {
            let ours = &model.bounds[frame.parse::<usize>().unwrap()];
            let ours = [&ours.mins[..], &ours.maxs, &[ours.xy_radius, ours.radius]].concat();
            assert!(agree(&ours, &floats(truth)), "{} bounds of frame {frame}", case.name);
        }
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn a_bone_beyond_f32_does_not_reach_the_model() {
    for case in cases("a_bone_beyond_f32_does_not_reach_the_model") {
        let has_one = case.name.ends_with("player_animations.vvm");
        let noted = case.model.warnings.iter().any(|w| w.section == "frames");
        assert_eq!(noted, has_one, "{}: {:?}", case.name, case.model.warnings);
    }
}

#[test]
fn meshes_are_those_of_the_file() {
    let mut compared = 0;
    for case in cases("meshes_are_those_of_the_file") {
        let truth = list(&case.truth["meshes"]);
        assert_eq!(case.model.meshes.len(), truth.len(), "{}", case.name);
        for (ours, truth) in case.model.meshes.iter().zip(truth) {
            let what = format!("{} {}", case.name, ours.name);
            assert_eq!(ours.name.to_string(), truth["name"].as_str().unwrap(), "{what}");
            assert_eq!(ours.material.to_string(), truth["material"].as_str().unwrap(), "{what}");
            assert_eq!(ours.positions.len() as u64, truth["vertex_count"].as_u64().unwrap(), "{what}");
            assert_eq!(ours.triangles.len() as u64, truth["triangle_count"].as_u64().unwrap(), "{what}");
            assert_eq!(serde_json::json!(ours.triangles[0]), truth["first_triangle"], "{what}");
            assert_box(&what, bounding_box(&ours.positions), &truth["bbox_base"]);
            assert!(agree(&ours.positions[0], &floats(&truth["first_vertex_pos"])), "{what}");
            assert!(agree(&ours.texcoords[0], &floats(&truth["first_vertex_tc"])), "{what}");
            assert!(agree(&ours.normals[0], &floats(&truth["first_vertex_normal"])), "{what}");
            assert_eq!(ours.tangents.len(), ours.positions.len(), "{what}");
            let first = &ours.influences[0];
            let mut ours: Vec<_> = first.bones.iter().zip(first.weights).filter(|(_, w)| *w > 0.0).collect();
            ours.sort_by(|a, b| b.1.total_cmp(&a.1));
            let truth = list(&truth["first_vertex_weights"]);
            assert_eq!(ours.len(), truth.len(), "{what}");
            for ((&bone, weight), truth) in ours.into_iter().zip(truth) {
                assert_eq!(u64::from(bone), truth[0].as_u64().unwrap(), "{what}");
                assert!(agree(&[weight], &[truth[1].as_f64().unwrap()]), "{what}");
            }
            compared += 1;
        }
    }
    assert!(compared > 0 || common::shared().is_none());
}

/// Returns the skin in one pose as a plain sum over influences.
fn skinned(model: &Model, mesh: usize, pose: &[Mat3x4]) -> Vec<[f32; 3]> {
    // True inverses, as the reader of the truth used: bones may have a different scale on each axis.
    let inverse = |m: &Mat3x4| m.inverse().unwrap_or(Mat3x4::IDENTITY);
    let palette: Vec<Mat3x4> =
        pose.iter().zip(model.skeleton.bind_model()).map(|(&pose, bind)| pose * inverse(bind)).collect();
    let mesh = &model.meshes[mesh];
    let skin = |(&position, influences): (&[f32; 3], &skelobj::model::Influences)| {
        let sum = influences.bones.iter().zip(influences.weights).fold(skelobj::math::Vec3::ZERO, |sum, (&b, w)| {
            sum + palette[usize::from(b)].transform_point(position.into()) * w
        });
        sum.to_array()
    };
    mesh.positions.iter().zip(&mesh.influences).map(skin).collect()
}

#[test]
fn skinned_meshes_reach_as_far_as_the_truth_says() {
    let mut compared = 0;
    for case in cases("skinned_meshes_reach_as_far_as_the_truth_says") {
        let model = &case.model;
        for truth in list(&case.truth["frames"]) {
            let relative = model.frame(truth["frame"].as_u64().unwrap() as usize).unwrap();
            let pose = model_space(model, relative);
            for (mesh, truth) in list(&truth["mesh_bbox"]).iter().enumerate() {
                let what = format!("{} mesh {mesh}", case.name);
                assert_box(&what, bounding_box(&skinned(model, mesh, &pose)), truth);
                compared += 1;
            }
        }
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn extensions_are_decoded() {
    let mut compared = 0;
    for case in cases("extensions_are_decoded") {
        let truth = &case.truth["ext_decoded"];
        for (mesh, truth) in case.model.meshes.iter().zip(list(&truth["FTE_MESH"])) {
            let s = mesh.surface;
            let ours = serde_json::json!({
                "contents": s.contents, "surfaceflags": s.flags, "surfaceid": s.body, "geomset": s.geomset,
                "geomid": s.geomid, "mindist": s.min_distance, "maxdist": s.max_distance,
            });
            assert_eq!(&ours, truth, "{}", case.name);
            compared += 1;
        }
        let events = case.model.animations.iter().map(|a| a.events.len()).sum::<usize>();
        assert_eq!(events, list(&truth["FTE_EVENT"]).len(), "{}", case.name);
        for truth in list(&truth["FTE_EVENT"]) {
            let animation = &case.model.animations[truth["anim"].as_u64().unwrap() as usize];
            assert!(
                animation.events.iter().any(|event| agree(&[event.time], &[truth["timestamp"].as_f64().unwrap()])
                    && u64::from(event.code) == truth["code"].as_u64().unwrap()
                    && event.data == *truth["data"].as_str().unwrap()),
                "{}: {truth}",
                case.name
            );
            assert!(animation.events.is_sorted_by_key(|event| event.time.to_bits()), "{}", case.name);
            compared += 1;
        }
        let known = ["FTE_MESH", "FTE_EVENT", "FTE_SKINS"];
        assert!(truth.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{}", case.name);
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn reading_twice_gives_the_same_model() {
    for case in cases("reading_twice_gives_the_same_model") {
        assert_eq!(Model::load(&case.name, &case.bytes, |_| None).unwrap(), case.model, "{}", case.name);
    }
}

/// Every model of the recorded calls loads, including odd ones.
#[test]
fn recorded_models_load() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED recorded_models_load: no shared folder");
        return;
    };
    let mut count = 0;
    let is_iqm = |path: &Path| path.extension().is_some_and(|e| e == "iqm");
    for path in common::files(&shared.join("golden/models")).into_iter().filter(|p| is_iqm(p)) {
        let model = Model::load("m.iqm", &std::fs::read(&path).unwrap(), |_| None);
        let model = model.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(!model.skeleton.is_empty(), "{}", path.display());
        let is_known = |told: &str| told.starts_with("no usable frame rate") || told.contains("` turns bone `");
        let odd = model.warnings.iter().any(|warning| !is_known(&warning.message()));
        assert!(!odd, "{}: {:?}", path.display(), model.warnings);
        count += 1;
    }
    println!("shared cases: recorded_models_load: {count}");
}
