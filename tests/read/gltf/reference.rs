//! Models of other tools compared with another evaluator (`tests/data/gltf`).

use std::path::Path;

use serde_json::Value;
use skelobj::Model;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::pose::{palette, skin_positions, to_model_space};

/// Tolerance of positions, Quake units; models are about sixty units high.
const POSITION: f32 = 2e-3;
/// Tolerance of axes.
const AXIS: f32 = 2e-5;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gltf")
}

fn load(file: &str) -> Model {
    let bytes = std::fs::read(folder().join(file)).unwrap();
    let name = format!("progs/{file}");
    let side = |side: &str| std::fs::read(folder().join(side.strip_prefix("progs/")?)).ok();
    let model = Model::load(&name, &bytes, side).unwrap_or_else(|e| panic!("{file}: {e}"));
    assert_eq!(model.warnings, [], "{file}");
    model
}

fn floats(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect()
}

/// Converts from X left, Y up, Z forward, metres to X forward, Y left, Z up, thirty units per metre.
fn quake(at: &[f32]) -> Vec3 {
    Vec3::new(at[2], at[0], at[1])
}

fn compare(file: &str) -> Model {
    let model = load(file);
    let (stem, _) = file.rsplit_once('.').unwrap();
    let truth: Value = serde_json::from_slice(&std::fs::read(folder().join(format!("{stem}.json"))).unwrap()).unwrap();
    let mut compared = (0, 0);
    for truth in truth["animations"].as_array().unwrap() {
        let name = truth["name"].as_str().unwrap();
        let animation = &model.animations[model.find_animation(name.as_bytes()).unwrap()];
        assert!((f64::from(animation.rate) - truth["rate"].as_f64().unwrap()).abs() < 1e-4, "{file} {name}");
        for truth in truth["poses"].as_array().unwrap() {
            let frame = truth["frame"].as_u64().unwrap() as usize;
            let what = format!("{file} {name} {frame}");
            // The last pose of a loop is the first again.
            let frame = if frame == animation.pose_count() && animation.looping { 0 } else { frame };
            assert!(frame < animation.pose_count(), "{what}");
            let mut bones = vec![Mat3x4::ZERO; model.skeleton.len()];
            to_model_space(model.skeleton.parents(), model.pose(animation, frame), &mut bones);
            for (bone, name) in bones.iter().zip(model.skeleton.names()) {
                let truth = floats(&truth["nodes"][name.to_string()]);
                let axes = [(bone.left(), 0), (bone.up(), 4), (bone.forward(), 8)];
                let axis = axes.iter().map(|&(ours, at)| (ours - quake(&truth[at..])).length()).fold(0.0, f32::max);
                let place = (bone.origin() - 30.0 * quake(&truth[12..])).length();
                assert!(axis < AXIS && place < POSITION, "{what} {name}: {axis} {place}");
                compared.0 += 1;
            }
            let mut matrices = vec![Mat3x4::ZERO; bones.len()];
            palette(&bones, model.skeleton.inverse_bind(), &mut matrices);
            for mesh in &model.meshes {
                let truth = truth["meshes"][mesh.name.to_string()].as_array().unwrap();
                assert_eq!(truth.len(), mesh.positions.len(), "{what} {}", mesh.name);
                let mut positions = vec![Vec3::ZERO; truth.len()];
                skin_positions(mesh, &matrices, &mut positions);
                for (ours, truth) in positions.iter().zip(truth) {
                    let far = (*ours - 30.0 * quake(&floats(truth))).length();
                    assert!(far < POSITION, "{what} {}: {far}", mesh.name);
                    compared.1 += 1;
                }
            }
        }
    }
    assert!(compared.0 >= 10 && compared.1 > 50, "{file}: {compared:?}");
    model
}

#[test]
fn a_skin_below_a_scaled_node_is_where_three_js_has_it() {
    let model = compare("walker.glb");
    let names: Vec<String> = model.skeleton.names().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["hips", "bridge", "tip", "marker"], "the armature and the mesh's node are no bones");
    assert_eq!(model.skeleton.parents(), [-1, 0, 1, 2]);
    let scale = model.skeleton.bind_model()[0].forward().length();
    assert!((scale - 0.01).abs() < 1e-6, "{scale}");
    // Stored in centimetres along Z, the mesh is in the bind pose in metres along Y, which is up.
    let highest = model.meshes[0].positions.iter().map(|p| p[2]).fold(f32::MIN, f32::max);
    assert!((highest - 1.1 * 30.0).abs() < 1e-3, "{highest}");
    assert_eq!(model.meshes[0].material, *"body_skin");
}

#[test]
fn rigid_parts_are_where_three_js_has_them() {
    let model = compare("parts.gltf");
    let names: Vec<String> = model.skeleton.names().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["wheel", "blade"], "what neither moves nor carries is no bone");
    let triangles = |name: &str| &model.meshes.iter().find(|mesh| mesh.name == *name).unwrap().triangles;
    assert_eq!(*triangles("plain"), [[0, 2, 1], [3, 5, 4]], "front faces become clockwise");
    assert_eq!(*triangles("strip"), [[0, 1, 2], [1, 3, 2]], "and where they are mirrored, not");
    assert_eq!(*triangles("fan"), [[0, 2, 1], [0, 3, 2], [0, 4, 3]]);
    assert!(model.meshes.iter().all(|mesh| mesh.normals.len() == mesh.positions.len()));
}

#[test]
fn a_model_that_rests_bent_stands_as_its_nodes_do_and_is_bound_as_its_skin_is() {
    let model = compare("posed.gltf");
    for (bone, inverse) in model.skeleton.inverse_bind().iter().enumerate() {
        let expected = Mat3x4::from_translation(Vec3::Z * -(0.2 + 0.5 * bone as f32) * 30.0);
        assert!(inverse.0.iter().zip(expected.0).all(|(a, b)| (a - b).abs() < 1e-4), "{bone} {inverse:?}");
    }
    // The pose without an animation is the one that three.js shows before the first key.
    let document: Value = serde_json::from_slice(&std::fs::read(folder().join("posed.gltf")).unwrap()).unwrap();
    let nodes = document["nodes"].as_array().unwrap();
    let mut bent = 0;
    for (name, bind) in model.skeleton.names().iter().zip(model.skeleton.bind_local()) {
        let node = nodes.iter().find(|node| node["name"] == name.to_string()).unwrap();
        let [x, y, z, w] = node.get("rotation").map_or([0.0, 0.0, 0.0, 1.0], |r| floats(r).try_into().unwrap());
        let turned = Mat3x4::from_rotation_translation(Quat::from_xyzw(z, x, y, w), bind.origin());
        assert!(bind.0.iter().zip(turned.0).all(|(a, b)| (a - b).abs() < 1e-3), "{name} {bind:?} {turned:?}");
        bent += usize::from(w.abs() < 0.999);
    }
    assert!(bent > 0, "some node rests turned");
    let outer = model.meshes.iter().find(|mesh| mesh.name == *"outer").unwrap();
    assert_eq!(outer.morphs.len(), 1);
    assert_eq!(outer.morphs[0].vertices, [4, 5, 6, 7]);

    // An IQM has a single pose for both, so the rest pose of the nodes becomes an animation there.
    let still = Model { animations: Vec::new(), frames: Vec::new(), ..model.clone() };
    let back = Model::load("m.iqm", &skelobj::write::iqm(&still).unwrap(), |_| None).unwrap();
    let rest = back.pose(&back.animations[0], 0);
    for ((ours, theirs), name) in rest.iter().zip(model.skeleton.bind_local()).zip(model.skeleton.names()) {
        assert!(ours.0.iter().zip(theirs.0).all(|(a, b)| (a - b).abs() < 1e-3), "{name}");
    }
    let inverse = |model: &Model| model.skeleton.inverse_bind()[1];
    assert!(inverse(&back).0.iter().zip(inverse(&model).0).all(|(a, b)| (a - b).abs() < 1e-3));
}
