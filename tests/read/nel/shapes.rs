//! Surfaces.

use serde_json::Value;
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::ModelProblem;

use super::{Case, cases, list, load, names, number, quake, vector};

/// Returns the geometry of a shape at the finest level; `None` for classes without one.
fn geometry(truth: &Value) -> Option<&Value> {
    truth.get("geom").or_else(|| truth["slots"][0].get("geom"))
}

/// Returns the passes of the finest level.
fn passes(geometry: &Value) -> Vec<&Value> {
    match geometry.get("finest") {
        Some(finest) => list(finest).iter().collect(),
        None => list(&geometry["blocks"]).iter().flat_map(|block| list(&block["passes"])).collect(),
    }
}

fn shapes(test: &str) -> Vec<(Case, Model)> {
    let shapes = cases(test, ".shape.json").into_iter().filter(|case| geometry(&case.truth).is_some());
    let shapes: Vec<_> = shapes.map(|case| (load(&case.name, &case.bytes), case)).map(|(m, c)| (c, m)).collect();
    assert!(shapes.is_empty() || shapes.len() >= 12, "{}", shapes.len());
    shapes
}

/// Returns the vertices that a pass uses, in the order of the file.
fn used(pass: &Value) -> Vec<u64> {
    let mut used: Vec<u64> = list(&pass["indices"]).iter().map(|i| i.as_u64().unwrap()).collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// Returns the placement of an unskinned mesh.
fn placement(truth: &Value) -> Mat3x4 {
    let default = &truth["default"];
    let [x, y, z, w] = list(&default["rotQuat"]) else { panic!("{default}") };
    let rotation = [number(x), number(y), number(z), number(w)];
    let pivot = vector(&default["pivot"]);
    let at = vector(&default["pos"]) + pivot;
    let placed = Mat3x4::from_translation_rotation_scale(at.to_array(), rotation, vector(&default["scale"]).to_array());
    placed * Mat3x4::from_translation(-pivot)
}

#[test]
fn whole_files_are_read() {
    for (case, model) in shapes("whole_files_are_read") {
        assert_eq!(model.warnings, [], "{}", case.name);
    }
}

#[test]
fn surfaces_are_drawn_up_to_the_distance_of_the_file() {
    let mut limited = 0;
    for (case, model) in shapes("surfaces_are_drawn_up_to_the_distance_of_the_file") {
        // Shapes of several slots have a distance for each.
        if case.truth.get("slots").is_none() {
            let expected = number(&case.truth["distMax"]).max(0.0); // -1 in the file, 0 here: no limit
            let found: Vec<f32> = model.meshes.iter().map(|mesh| mesh.surface.max_distance).collect();
            assert!(found.iter().all(|found| *found == expected), "{}: {found:?}, expected {expected}", case.name);
            limited += usize::from(expected > 0.0 && !found.is_empty());
        }
    }
    assert!(limited >= 3 || crate::common::shared().is_none(), "{limited}");
}

#[test]
fn surfaces_are_those_of_the_finest_level() {
    let mut compared = 0;
    for (case, model) in shapes("surfaces_are_those_of_the_finest_level") {
        let geometry = geometry(&case.truth).unwrap();
        let passes: Vec<_> = passes(geometry).into_iter().filter(|pass| !list(&pass["indices"]).is_empty()).collect();
        assert_eq!(model.meshes.len(), passes.len(), "{}", case.name);
        let placed = if geometry["skinned"] == true { Mat3x4::IDENTITY } else { placement(&case.truth) };
        let triangles: usize = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        let stated = geometry.get("finestTriangles").unwrap_or(&geometry["triangles"]);
        assert_eq!(triangles as u64, stated.as_u64().unwrap(), "{}", case.name);
        for (mesh, pass) in model.meshes.iter().zip(passes) {
            let used = used(pass);
            assert_eq!(mesh.file_vertices.iter().map(|&v| u64::from(v)).collect::<Vec<_>>(), used, "{}", case.name);
            let indices: Vec<_> = list(&pass["indices"]).iter().map(|i| i.as_u64().unwrap()).collect();
            for (ours, theirs) in mesh.triangles.iter().zip(indices.chunks(3)) {
                // Fronts are clockwise here, counter-clockwise there.
                let ours = ours.map(|corner| used[corner as usize]);
                assert_eq!([ours[0], ours[2], ours[1]], theirs, "{}", case.name);
            }
            for (at, &vertex) in used.iter().enumerate() {
                let value = |slot: &str| geometry["vertices"].get(slot).map(|values| &values[vertex as usize]);
                let position = vector(value("Position").unwrap());
                let expected = quake(placed.transform_point(position));
                assert!((Vec3::from(mesh.positions[at]) - expected).length() < 1e-4 * expected.length().max(1.0));
                if let Some(uv) = value("TexCoord0") {
                    assert!((number(&uv[0]) - mesh.texcoords[at][0]).abs() < 1e-5, "{}", case.name);
                    assert!((number(&uv[1]) - mesh.texcoords[at][1]).abs() < 1e-5, "{}", case.name);
                }
                if let Some(color) = value("PrimaryColor") {
                    let ours = mesh.colors[at].map(|v| (v * 255.0).round() as u64);
                    assert_eq!(serde_json::json!(ours), *color, "{}", case.name);
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 0 || crate::common::shared().is_none());
}

#[test]
fn bounding_boxes_of_meshes_are_those_of_the_file() {
    let mut compared = 0;
    for (case, model) in shapes("bounding_boxes_of_meshes_are_those_of_the_file") {
        let geometry = geometry(&case.truth).unwrap();
        let (center, half) = (vector(&geometry["bbox"]["center"]), vector(&geometry["bbox"]["half"]));
        let placed = if geometry["skinned"] == true { Mat3x4::IDENTITY } else { placement(&case.truth) };
        let corners = (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * 2.0 - 1.0);
        let corners: Vec<_> = corners.map(|c| quake(placed.transform_point(center + half * c))).collect();
        let bounds = |points: &[Vec3]| {
            points.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(a, b), &p| (a.min(p), b.max(p)))
        };
        let points: Vec<_> = model.meshes.iter().flat_map(|m| &m.positions).map(|&p| Vec3::from(p)).collect();
        let (ours, theirs) = (bounds(&points), bounds(&corners));
        let size = (theirs.1 - theirs.0).length();
        // The box of a rotated mesh is not the rotated box, and that of the file may include coarser levels.
        let inside =
            (ours.0 - theirs.0).min_element() > -1e-3 * size && (theirs.1 - ours.1).min_element() > -1e-3 * size;
        assert!(inside, "{}: {ours:?} {theirs:?}", case.name);
        if (ours.0 - theirs.0).length() < 1e-3 * size && (ours.1 - theirs.1).length() < 1e-3 * size {
            compared += 1;
        }
    }
    assert!(compared > 0 || crate::common::shared().is_none());
}

#[test]
fn materials_are_named_by_their_textures() {
    let mut compared = 0;
    for (case, model) in shapes("materials_are_named_by_their_textures") {
        let geometry = geometry(&case.truth).unwrap();
        let passes = passes(geometry).into_iter().filter(|pass| !list(&pass["indices"]).is_empty());
        for (mesh, pass) in model.meshes.iter().zip(passes) {
            let material = pass["material"].as_u64().unwrap() as usize;
            if let Some(name) = case.truth["animatedMaterials"][material.to_string()].as_str() {
                assert_eq!(mesh.name.to_string(), name, "{}", case.name);
            }
            let textures = list(&case.truth["materials"][material]["textures"]);
            if let Some(file) = textures.iter().find(|t| !t.is_null()).and_then(|t| t["file"].as_str()) {
                assert_eq!(mesh.material.to_string(), file, "{}", case.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 0 || crate::common::shared().is_none());
}

#[test]
fn bones_are_the_names_that_the_skin_uses() {
    for (case, model) in shapes("bones_are_the_names_that_the_skin_uses") {
        let geometry = geometry(&case.truth).unwrap();
        let mut expected = Vec::new();
        if geometry["skinned"] == true {
            for name in names(&geometry["bones"]) {
                if !expected.contains(&name) {
                    expected.push(name);
                }
            }
        }
        let ours: Vec<_> = model.skeleton.names().iter().map(ToString::to_string).collect();
        assert_eq!(ours, expected, "{}", case.name);
        assert!(!model.skeleton.has_bind(), "{}", case.name);
        let influenced = model.meshes.iter().all(|mesh| mesh.influences.len() == mesh.positions.len());
        assert_eq!(influenced, geometry["skinned"] == true, "{}", case.name);
    }
}

#[test]
fn morphs_move_the_vertices_that_the_file_says() {
    let mut compared = 0;
    for (case, model) in shapes("morphs_move_the_vertices_that_the_file_says") {
        let shapes = list(&geometry(&case.truth).unwrap()["blendShapes"]);
        assert_eq!(model.meshes.iter().any(|mesh| !mesh.morphs.is_empty()), !shapes.is_empty(), "{}", case.name);
        let named = names(&case.truth["morphs"]);
        let skinned = geometry(&case.truth).unwrap()["skinned"] == true;
        let placed = if skinned { Mat3x4::IDENTITY } else { placement(&case.truth) };
        for mesh in &model.meshes {
            for morph in &mesh.morphs {
                let shape = named.iter().position(|name| morph.name == **name).expect("a morph of the file");
                let refs: Vec<_> = list(&shapes[shape]["refs"]).iter().map(|r| r.as_u64().unwrap()).collect();
                let mut moved = mesh.positions.clone();
                morph.apply(0.5, &mut moved, &mut []);
                for (at, &vertex) in mesh.file_vertices.iter().enumerate() {
                    let delta = refs.iter().position(|&r| r == u64::from(vertex));
                    let delta = delta.map_or(Vec3::ZERO, |i| vector(&shapes[shape]["dpos"][i]));
                    let ours = Vec3::from(moved[at]) - Vec3::from(mesh.positions[at]);
                    let expected = quake(placed.transform_vector(delta)) * 0.5;
                    assert!((ours - expected).length() < 1e-5, "{}", case.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 0 || crate::common::shared().is_none());
}

#[test]
fn classes_without_bones_or_surfaces_are_refused_by_name() {
    for case in cases("classes_without_bones_or_surfaces_are_refused_by_name", ".shape.json") {
        if geometry(&case.truth).is_none() {
            let error = Model::load(&case.name, &case.bytes, |_| None).expect_err("refused");
            let class = case.truth["class"].as_str().unwrap();
            assert_eq!(error.problem, ModelProblem::UnsupportedClass { name: class.into() });
            assert!(error.to_string().contains(class), "{error}");
        }
    }
}
