//! Half-Life models compared with the findings of independent readers and of the live engine.

use crate::common;
use std::path::Path;
use std::sync::Arc;

use crate::common::truth::{agree, floats, list};
use serde_json::Value;
use skelobj::math::Mat3x4;
use skelobj::model::{AnimationSource, FrameState, PoseParameters};
use skelobj::object::{Build, Space};
use skelobj::pose::{PoseSource, sample, skin_positions, to_model_space};
use skelobj::{Model, SkeletalObject};

/// Model, recorded findings, and later findings.
struct Case {
    name: String,
    truth: Value,
    more: Value,
    model: Model,
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn cases(test: &str) -> Vec<Case> {
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return Vec::new();
    };
    let mut cases = Vec::new();
    for path in common::files(&shared.join("truth/hlmdl")) {
        let Some(first) = path.to_str().unwrap().strip_suffix(".mdl.more.json") else { continue };
        let (more, truth) = (json(&path), json(Path::new(&format!("{first}.mdl.json"))));
        let name = truth["file"].as_str().unwrap().to_owned();
        let corpus = shared.join("corpus");
        let bytes = std::fs::read(corpus.join(&name)).unwrap();
        let model = Model::load(&name, &bytes, |side| std::fs::read(corpus.join(side)).ok());
        let model = model.unwrap_or_else(|e| panic!("{name}: {e}"));
        cases.push(Case { name, truth, more, model });
    }
    assert_eq!(cases.len(), 8);
    println!("shared cases: {test}: {}", cases.len());
    cases
}

#[test]
fn a_sequence_that_is_built_again_changes_nothing() {
    let mut evaluated = 0;
    for case in cases("a_sequence_that_is_built_again_changes_nothing") {
        let model = Arc::new(case.model);
        let mut object = SkeletalObject::new(model.clone(), Space::Local);
        for (number, animation) in model.animations.iter().enumerate() {
            let mut built = || {
                object.build(&model, &FrameState::single(number, 0.25), &Build::REPLACE).unwrap();
                object.revision().expect("shared with nobody")
            };
            assert_eq!(built(), built(), "{}: {}", case.name, animation.name);
            evaluated += usize::from(!matches!(animation.source, AnimationSource::Frames { .. }));
        }
    }
    assert!(evaluated > 30 || common::shared().is_none(), "{evaluated}");
}

fn assert_matrices(what: &str, ours: &[Mat3x4], truth: &Value) {
    assert_eq!(ours.len(), list(truth).len(), "{what}");
    for (bone, (ours, truth)) in ours.iter().zip(list(truth)).enumerate() {
        assert!(agree(&ours.0, &floats(truth)), "{what}: bone {bone}: {:?} {truth}", ours.0);
    }
}

fn pose(model: &Model, animation: usize, time: f32, parameters: PoseParameters) -> Vec<Mat3x4> {
    let frame = FrameState::single(animation, time.into()).with_parameters(parameters);
    let mut out = vec![Mat3x4::ZERO; model.skeleton.len()];
    let count = out.len();
    assert_eq!(sample(PoseSource { model, frame: &frame }, 0..count, &mut out), count);
    out
}

fn model_space(model: &Model, relative: &[Mat3x4]) -> Vec<Mat3x4> {
    let mut out = vec![Mat3x4::ZERO; relative.len()];
    to_model_space(model.skeleton.parents(), relative, &mut out);
    out
}

fn assert_box<'a>(what: &str, points: impl IntoIterator<Item = &'a [f32; 3]>, truth: &Value) {
    let (mut mins, mut maxs) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for point in points {
        for axis in 0..3 {
            mins[axis] = mins[axis].min(point[axis]);
            maxs[axis] = maxs[axis].max(point[axis]);
        }
    }
    let (low, high) = (floats(&truth["mins"]), floats(&truth["maxs"]));
    let size = low.iter().zip(&high).map(|(a, b)| b - a).fold(0.0, f64::max);
    for axis in 0..3 {
        let difference = (f64::from(mins[axis]) - low[axis]).abs().max((f64::from(maxs[axis]) - high[axis]).abs());
        assert!(difference <= 1e-3 * size, "{what}: {mins:?} {maxs:?} {truth}");
    }
}

#[test]
fn bones_are_those_of_the_file() {
    for case in cases("bones_are_those_of_the_file") {
        let (skeleton, truth) = (&case.model.skeleton, &case.truth);
        let names: Vec<String> = skeleton.names().iter().map(ToString::to_string).collect();
        assert_eq!(serde_json::json!(names), truth["bone_names"], "{}", case.name);
        assert_eq!(serde_json::json!(skeleton.parents()), truth["bone_parents"], "{}", case.name);
        assert_matrices(&case.name, skeleton.bind_model(), &truth["base_abs_matrices"]);
    }
}

#[test]
fn sequences_are_those_of_the_file() {
    for case in cases("sequences_are_those_of_the_file") {
        let half_life = case.model.half_life.as_ref().unwrap();
        let truth = list(&case.more["sequences"]);
        assert_eq!(case.model.animations.len(), truth.len(), "{}", case.name);
        assert_eq!(half_life.sequences.len(), truth.len(), "{}", case.name);
        for ((animation, sequence), truth) in case.model.animations.iter().zip(&half_life.sequences).zip(truth) {
            let what = format!("{} {}", case.name, animation.name);
            let ours = serde_json::json!({
                "name": animation.name.to_string(), "fps": animation.rate, "frames": animation.pose_count(),
                "motiontype": sequence.motion_type, "linmove": sequence.linear_movement, "nblends": sequence.blends, "blendtype": sequence.blend_type,
                "bstart": sequence.blend_start, "bend": sequence.blend_end,
                "entry": sequence.entry_node, "exit": sequence.exit_node, "nodeflags": sequence.node_flags,
                "nextseq": sequence.next,
            });
            for (field, ours) in ours.as_object().unwrap() {
                assert_eq!(ours, &truth[field], "{what}: {field}");
            }
            assert_eq!(animation.looping, truth["flags"].as_i64().unwrap() & 1 != 0, "{what}");
            if truth["activity"] != 0 {
                assert_eq!(animation.action.id, truth["activity"], "{what}");
                assert_eq!(animation.action.weight, truth["actweight"].as_f64().unwrap() as f32, "{what}");
            }
            assert!(agree(&[animation.duration()], &[truth["fte_duration"].as_f64().unwrap()]), "{what}");
            assert_eq!(animation.events.len(), list(&truth["events"]).len(), "{what}");
            for (event, truth) in animation.events.iter().zip(list(&truth["events"])) {
                let time = truth["frame"].as_f64().unwrap() / f64::from(animation.rate);
                assert!(agree(&[event.time], &[time]), "{what}");
                assert_eq!(u64::from(event.code), truth["event"].as_u64().unwrap(), "{what}");
                assert_eq!(event.data.to_string(), truth["options"].as_str().unwrap(), "{what}");
            }
        }
        let next: Vec<u8> = list(&case.more["transitions"]).iter().flat_map(floats).map(|node| node as u8).collect();
        assert_eq!(half_life.transitions, next, "{}", case.name);
        assert_eq!(half_life.nodes, list(&case.more["transitions"]).len(), "{}", case.name);
    }
}

#[test]
fn poses_are_those_of_the_file_in_both_spaces() {
    let mut compared = 0;
    for case in cases("poses_are_those_of_the_file_in_both_spaces") {
        let model = &case.model;
        for truth in list(&case.truth["frames"]) {
            let frame = truth["frame"].as_u64().unwrap();
            let within = |a: &&Value| {
                let first = a["first"].as_u64().unwrap();
                let count = a.get("count_loaded").unwrap_or(&a["count"]).as_u64().unwrap();
                (first..first + count).contains(&frame)
            };
            let anims = list(&case.truth["anims"]);
            let index = anims.iter().position(|a| within(&a)).unwrap();
            let at = (frame - anims[index]["first"].as_u64().unwrap()) as f32 / model.animations[index].rate;
            let relative = pose(model, index, at, PoseParameters::default());
            let what = format!("{} frame {frame}", case.name);
            assert_matrices(&what, &relative, &truth["rel"]);
            let whole = model_space(model, &relative);
            assert_matrices(&what, &whole, &truth["abs"]);
            let palette: Vec<Mat3x4> =
                whole.iter().zip(model.skeleton.inverse_bind()).map(|(&pose, &inverse)| pose * inverse).collect();
            for (mesh, truth) in model.meshes.iter().zip(list(&truth["mesh_bbox"])) {
                let mut skinned = vec![skelobj::math::Vec3::ZERO; mesh.positions.len()];
                skin_positions(mesh, &palette, &mut skinned);
                let skinned: Vec<[f32; 3]> = skinned.iter().map(|v| v.to_array()).collect();
                assert_box(&what, &skinned, truth);
            }
            compared += 1;
        }
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn each_blend_is_reached_by_the_parameters() {
    let mut compared = 0;
    for case in cases("each_blend_is_reached_by_the_parameters") {
        for (index, sequence) in list(&case.more["sequences"]).iter().enumerate() {
            for truth in list(&sequence["blend_frames"]) {
                let blend = truth["blend"].as_u64().unwrap();
                let parameters =
                    PoseParameters { blends: [(blend % 2) as f32, (blend / 2) as f32], ..Default::default() };
                let time = truth["frame"].as_f64().unwrap() as f32 / case.model.animations[index].rate;
                let ours = pose(&case.model, index, time, parameters);
                assert_matrices(&format!("{} blend {blend}", case.name), &ours, &truth["rel"]);
                compared += 1;
            }
        }
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn tags_are_where_the_engine_says() {
    let mut compared = 0;
    for case in cases("tags_are_where_the_engine_says") {
        let live = &case.more["fte_live"];
        let model = &case.model;
        for group in list(&live["groups"]) {
            let animation = &model.animations[group["index"].as_u64().unwrap() as usize % model.animations.len()];
            assert!(agree(&[animation.duration()], &[group["duration"].as_f64().unwrap()]), "{}: {group}", case.name);
        }
        let frame = FrameState::single(live["gettaginfo_frame"].as_u64().unwrap_or(0) as usize, 0.0);
        for truth in list(&live["gettaginfo"]) {
            let tag = truth["tag"].as_u64().unwrap() as usize - 1;
            let what = format!("{} tag {tag}", case.name);
            let Some(matrix) = model.tag_matrix(tag, &frame) else {
                assert_eq!(tag, model.tag_count(), "{what}");
                break;
            };
            assert!(agree(&matrix.0, &floats(&truth["matrix"])), "{what}: {matrix:?} {truth}");
            let bones = model_space(model, &pose(model, frame.blends()[0].animation as usize, 0.0, Default::default()));
            let on = model.tag_matrix_on(tag, &bones).unwrap();
            assert!(agree(&on.0, &floats(&truth["matrix"])), "{what}: {on:?} {truth}");
            compared += 1;
        }
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn attachments_hit_boxes_and_controllers_are_those_of_the_file() {
    for case in cases("attachments_hit_boxes_and_controllers_are_those_of_the_file") {
        let model = &case.model;
        assert_eq!(model.attachments.len(), list(&case.truth["attachments"]).len(), "{}", case.name);
        for (ours, truth) in model.attachments.iter().zip(list(&case.truth["attachments"])) {
            assert_eq!(ours.name.to_string(), truth["name"].as_str().unwrap(), "{}", case.name);
            assert_eq!(ours.bone as u64, truth["bone"].as_u64().unwrap(), "{}", case.name);
            assert!(agree(&ours.offset.origin().to_array(), &floats(&truth["org"])), "{}", case.name);
        }
        assert_eq!(model.hit_boxes.len(), list(&case.truth["hitboxes"]).len(), "{}", case.name);
        for (ours, truth) in model.hit_boxes.iter().zip(list(&case.truth["hitboxes"])) {
            assert_eq!(ours.bone as u64, truth["bone"].as_u64().unwrap(), "{}", case.name);
            assert_eq!(ours.group, truth["group"], "{}", case.name);
            assert!(agree(&ours.mins, &floats(&truth["mins"])), "{}", case.name);
            assert!(agree(&ours.maxs, &floats(&truth["maxs"])), "{}", case.name);
        }
        let controllers = case.model.half_life.as_ref().unwrap().controllers.iter().map(|c| {
            let (start, end, index) = (c.start, c.end, c.input);
            serde_json::json!({ "start": start, "end": end, "index": index })
        });
        let truth = list(&case.more["controllers"])
            .iter()
            .map(|truth| serde_json::json!({ "start": truth["start"], "end": truth["end"], "index": truth["index"] }));
        assert_eq!(controllers.collect::<Vec<_>>(), truth.collect::<Vec<_>>(), "{}", case.name);
    }
}

#[test]
fn meshes_are_those_of_the_file() {
    let mut compared = 0;
    for case in cases("meshes_are_those_of_the_file") {
        let truth = list(&case.truth["meshes"]);
        assert_eq!(case.model.meshes.len(), truth.len(), "{}", case.name);
        let half_life = case.model.half_life.as_ref().unwrap();
        for ((ours, source), truth) in case.model.meshes.iter().zip(&half_life.meshes).zip(truth) {
            let what = format!("{} {}", case.name, ours.name);
            assert_eq!(ours.name.to_string(), truth["name"].as_str().unwrap(), "{what}");
            assert_eq!(ours.material.to_string(), truth["material"].as_str().unwrap(), "{what}");
            assert_eq!(source.model_vertices as u64, truth["vertex_count"].as_u64().unwrap(), "{what}");
            assert_eq!(ours.triangles.len() as u64, truth["triangle_count"].as_u64().unwrap(), "{what}");
            let mut used = source.vertices.clone();
            used.sort_unstable();
            used.dedup();
            assert_eq!(used.len() as u64, truth["vertices_used"].as_u64().unwrap(), "{what}");
            let first = ours.triangles[0].map(|index| source.vertices[index as usize]);
            assert_eq!(serde_json::json!(first), truth["first_triangle"], "{what}");
            assert_box(&what, &ours.positions, &truth["bbox_base"]);
            let of_model =
                half_life.meshes.iter().position(|m| (m.body_part, m.model) == (source.body_part, source.model));
            if let Some(at) = half_life.meshes[of_model.unwrap()].vertices.iter().position(|&v| v == 0) {
                let mesh = &case.model.meshes[of_model.unwrap()];
                assert!(agree(&mesh.positions[at], &floats(&truth["first_vertex_pos"])), "{what}");
                assert_eq!(u64::from(mesh.influences[at].bones[0]), truth["first_vertex_weights"][0][0], "{what}");
            }
            assert!(ours.texcoords.iter().flatten().all(|v| (-0.01..=1.01).contains(v)), "{what}");
            assert!(normals_face_out(&ours.positions, &ours.normals, &ours.triangles), "{what}");
            compared += 1;
        }
    }
    assert!(compared > 0 || common::shared().is_none());
}

/// Checks that triangles are clockwise seen from the side that their normals point to.
fn normals_face_out(positions: &[[f32; 3]], normals: &[[f32; 3]], triangles: &[[u32; 3]]) -> bool {
    use skelobj::math::Vec3;
    triangles.iter().all(|triangle| {
        let [a, b, c] = triangle.map(|index| Vec3::from(positions[index as usize]));
        let normal: Vec3 = triangle.iter().map(|&index| Vec3::from(normals[index as usize])).sum();
        (c - a).cross(b - a).dot(normal) > 0.0
    })
}

#[test]
fn files_beside_the_model_are_used_and_missed() {
    for case in cases("files_beside_the_model_are_used_and_missed") {
        let missing: Vec<String> = case
            .model
            .warnings
            .iter()
            .map(|w| {
                let message = w.message();
                let name = message.strip_suffix(" is missing or unusable; loaded without it");
                name.unwrap_or_else(|| panic!("{}: {message}", case.name)).to_owned()
            })
            .collect();
        let groups = case.name.contains("duplicate_sequence_groups");
        assert_eq!(missing.len(), if groups { 8 } else { 0 }, "{}: {missing:?}", case.name);
        if groups {
            assert_eq!(missing[0], "hlmdl/duplicate_sequence_groups02.mdl");
            let bind = case.model.skeleton.bind_local();
            assert_eq!(pose(&case.model, 1, 0.02, PoseParameters::default()), bind);
            assert_ne!(pose(&case.model, 0, 0.02, PoseParameters::default()), bind);
        }
    }
    let Some(shared) = common::shared() else { return };
    let bytes = std::fs::read(shared.join("corpus/hlmdl/man.mdl")).unwrap();
    let alone = Model::load("progs/man.mdl", &bytes, |_| None).unwrap();
    assert!(alone.meshes.iter().all(|mesh| mesh.material.is_empty()));
    let mut asked = Vec::new();
    let _ = Model::load("progs/man.mdl", &bytes, |name| {
        asked.push(name.to_owned());
        None
    });
    assert_eq!(asked, ["progs/man01.mdl", "progs/manT.mdl", "progs/mant.mdl"]);
}

#[test]
fn truncated_files_are_refused_or_read_but_never_panic() {
    let test = "truncated_files_are_refused_or_read_but_never_panic";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let mut cuts = 0;
    for path in common::files(&shared.join("corpus/hlmdl")) {
        let bytes = std::fs::read(&path).unwrap();
        let step = common::stride(if bytes.len() < 8 << 10 { 1 } else { bytes.len() / 250 });
        for length in (0..bytes.len()).step_by(step) {
            let side = |_: &str| Some(bytes[..length].to_vec());
            if let Ok(model) = Model::load("cut.mdl", &bytes[..length], side) {
                for animation in 0..model.animations.len() {
                    let pose = pose(&model, animation, 0.3, PoseParameters::default());
                    assert!(pose.iter().all(Mat3x4::is_finite));
                }
            }
            cuts += 1;
        }
        // The same bytes with each one inverted in turn.
        for at in (0..bytes.len()).step_by(step * 3) {
            let mut changed = bytes.clone();
            changed[at] = !changed[at];
            let _ = Model::load("changed.mdl", &changed, |_| None);
        }
    }
    println!("shared cases: {test}: {cuts}");
}

#[test]
fn sequences_are_computed_not_baked() {
    for case in cases("sequences_are_computed_not_baked") {
        let computed = |source: &AnimationSource| matches!(source, AnimationSource::Evaluated { .. });
        assert!(case.model.animations.iter().all(|a| computed(&a.source)), "{}", case.name);
        assert!(case.model.frames.is_empty(), "{}", case.name);
        let baked = case.model.baked();
        assert!(baked.frame_count() >= case.model.animations.len(), "{}", case.name);
    }
}
