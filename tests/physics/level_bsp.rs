//! Real levels: the findings of independent readers, hits of rays, and malformed files.

use crate::common;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skelobj::Runtime;
use skelobj::math::Vec3;
use skelobj::physics::{BspTextures, CollisionGroups, Level, LevelOptions, Physics, SolidMesh};
use skelobj::runtime::{Surface, Trace};

fn vector(value: &Value) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|i| value[i].as_f64().unwrap_or(0.0) as f32))
}

fn truths(folder: &Path) -> Vec<(PathBuf, Value)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let truth = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                found.push((path, truth));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Returns each level with its known facts.
fn levels(test: &str, mut see: impl FnMut(&str, &Level, &Value)) -> usize {
    files(test, |file, bytes, truth| {
        let level = Level::from_bsp(bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
        see(file, &level, truth);
    })
}

/// Returns the bytes of each level with its known facts.
fn files(test: &str, mut see: impl FnMut(&str, &[u8], &Value)) -> usize {
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return 0;
    };
    let truths = truths(&shared.join("truth/bsp"));
    assert!(truths.len() >= 26, "{} truth files", truths.len());
    for (_, truth) in &truths {
        let file = truth["file"].as_str().unwrap();
        let bytes = std::fs::read(shared.join("corpus").join(file)).unwrap();
        see(file, &bytes, truth);
    }
    truths.len()
}

/// Checks that a level does not contradict itself and has no non-finite numbers or empty triangles.
fn assert_sound(what: &str, level: &Level) {
    assert!(!level.models.is_empty(), "{what}");
    for model in &level.models {
        for mesh in [&model.mesh, &model.sky] {
            assert_eq!(mesh.triangles().len(), mesh.surfaces().len(), "{what}");
            assert!(mesh.vertices().iter().all(|vertex| vertex.is_finite()), "{what}");
            assert!(mesh.surfaces().iter().all(|&surface| (surface as usize) < level.surfaces.len()), "{what}");
            for triangle in mesh.triangles() {
                let [a, b, c] = triangle.map(|index| mesh.vertices()[index as usize].as_dvec3());
                assert!((b - a).cross(c - a).length() > 1e-3, "{what}");
            }
        }
        assert!(model.hulls.iter().chain(&model.clip).flatten().all(|point| point.is_finite()), "{what}");
    }
    for entity in &level.brush_entities {
        assert!(entity.model < level.models.len() && entity.entity < level.entities.len(), "{what}");
        assert!(entity.origin.is_finite() && entity.angles.is_finite(), "{what}");
    }
}

fn area(mesh: &SolidMesh) -> f64 {
    let doubled = mesh.triangles().iter().map(|triangle| {
        let [a, b, c] = triangle.map(|index| mesh.vertices()[index as usize].as_dvec3());
        (b - a).cross(c - a).length()
    });
    doubled.sum::<f64>() * 0.5
}

#[test]
fn levels_hold_what_independent_readers_found() {
    let mut models = 0;
    let files = levels("levels_hold_what_independent_readers_found", |file, level, truth| {
        assert_sound(file, level);
        assert_eq!(level.entities.len() as u64, truth["entity_count"].as_u64().unwrap(), "{file}");
        let known = truth["submodels"].as_array().unwrap();
        assert_eq!(level.models.len() as u64, truth["submodel_count"].as_u64().unwrap(), "{file}");
        for known in known {
            let number = known["index"].as_u64().unwrap() as usize;
            let mesh = &level.models[number].mesh;
            let count = |key: &str| known[key].as_u64().unwrap_or(0);
            assert_eq!(level.models[number].clip.len() as u64, count("clip_brushes"), "{file} {number}");
            models += 1;
            // The truth has all faces that are solid by their flags; the library only those with a solid brush behind.
            if file.ends_with("q2_liquids.bsp") {
                assert!(mesh.triangles().len() < count("welded_triangles") as usize, "{file}");
                continue;
            }
            assert_eq!(mesh.vertices().len() as u64, count("welded_vertices"), "{file} {number}");
            // Where compilers left T-junctions there are more triangles here, where surfaces coincide there are fewer.
            let fixed = if truth["family"] == "q3" { 0.01 } else { 0.0 };
            let (found, expected) = (mesh.triangles().len() as f64, count("welded_triangles") as f64);
            assert!((found - expected).abs() <= expected * fixed, "{file} {number}: {found} {expected}");
            let known = known["area"].as_f64().unwrap();
            assert!((area(mesh) - known).abs() <= known * fixed.max(1e-5), "{file} {number}: {} {known}", area(mesh));
        }
        let entities = truth["brush_entities"].as_array().unwrap();
        assert_eq!(level.brush_entities.len(), entities.len(), "{file}");
        for (entity, known) in level.brush_entities.iter().zip(entities) {
            assert_eq!(entity.model as u64, known["model"].as_u64().unwrap(), "{file}");
            assert_eq!(entity.origin, vector(&known["origin"]), "{file}");
            assert_eq!(entity.solid, known["solid_by_class"].as_bool().unwrap(), "{file}");
            let class = level.entities[entity.entity].get("classname").unwrap();
            assert_eq!(class.to_string(), known["classname"].as_str().unwrap(), "{file}");
        }
    });
    println!("shared cases: levels_hold_what_independent_readers_found: {models} models in {files} files");
}

#[test]
fn solid_faces_of_maps_with_textures_have_pixels() {
    let (mut surfaces, mut maps) = (0, 0);
    let test = "solid_faces_of_maps_with_textures_have_pixels";
    let files = files(test, |file, bytes, _| {
        let (level, textures) = (Level::from_bsp(bytes).unwrap(), BspTextures::new(bytes).unwrap());
        // These maps have the names alone: their pixels are in other files.
        if textures.is_empty() || (0..textures.len()).all(|number| textures.get(number).is_none()) {
            return;
        }
        maps += 1;
        for &surface in level.models.iter().flat_map(|model| model.mesh.surfaces()) {
            let surface = &level.surfaces[surface as usize];
            let texture = surface.texture.unwrap_or_else(|| panic!("{file}: {}", surface.name));
            let pixels = textures.get(texture.number as usize).unwrap_or_else(|| panic!("{file}: {}", surface.name));
            assert_eq!(pixels.name(), surface.name, "{file}");
            surfaces += 1;
        }
    });
    if files > 0 {
        assert!(maps > 8 && surfaces > 1000, "{maps} {surfaces}");
        println!("shared cases: {test}: {surfaces} triangles in {maps} files");
    }
}

#[test]
fn rays_hit_where_they_should() {
    let mut rays = 0;
    let mut wrong = Vec::new();
    let mut worst = 0.0f32;
    levels("rays_hit_where_they_should", |file, level, truth| {
        let mut only_world = level.clone();
        only_world.brush_entities.clear();
        let [mut alone, mut whole] = [Runtime::default(), Runtime::default()];
        alone.physics_mut().add_level(&only_world, LevelOptions::default()).unwrap();
        let parts = whole.physics_mut().add_level(level, LevelOptions::default()).unwrap();
        for key in ["rays", "rays_with_brush_entities"] {
            for ray in truth[key].as_array().unwrap() {
                let start = vector(&ray["origin"]);
                let end = start + vector(&ray["dir"]) * ray["max_distance"].as_f64().unwrap() as f32;
                let runtime = if key == "rays" { &alone } else { &whole };
                let hit = runtime.trace(&Trace::line(start, end).with_groups(CollisionGroups::LEVEL)).unwrap();
                let expected = ray["hit_z"].as_f64().unwrap() as f32;
                let normal = vector(&ray["normal"]);
                rays += 1;
                let Some(hit) = hit else {
                    wrong.push(format!("{file} {key} {start}: nothing, expected {expected}"));
                    continue;
                };
                let off = (hit.point.z - expected).abs();
                let part = ray["brush_entity"].as_u64().map(|number| number as usize);
                let is_hit = |id| matches!(hit.surface, Surface::Level { body, .. } if body == id);
                let hit_entity = parts.entities.iter().find(|(_, part)| is_hit(*part)).map(|(number, _)| *number);
                if off > 0.1 || hit.normal.dot(normal) < 0.99 || (key != "rays" && part != hit_entity) {
                    wrong.push(format!(
                        "{file} {key} {start}: {hit:?}, expected {expected} {normal} {part:?} via {}",
                        ray["via"]
                    ));
                } else {
                    worst = worst.max(off);
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{} of {rays}:\n{}", wrong.len(), wrong.join("\n"));
    println!("shared cases: rays_hit_where_they_should: {rays} (worst {worst} units)");
}

#[test]
fn every_bad_level_does_what_its_manifest_expects() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED every_bad_level_does_what_its_manifest_expects: no shared folder");
        return;
    };
    let folder = shared.join("bad/bsp");
    let manifest: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let mut count = 0;
    for entry in &manifest {
        let file = entry["file"].as_str().unwrap();
        let expected = entry["expected"].as_str().unwrap();
        match Level::from_bsp(&std::fs::read(folder.join(file)).unwrap()) {
            Err(error) => {
                assert!(
                    expected.starts_with("reject") && !expected.starts_with("reject the BRUSHLIST"),
                    "{file}: {error}"
                );
            }
            Ok(level) => {
                assert_sound(file, &level);
                let accepted = ["accept", "warn", "reject the BRUSHLIST"].iter().any(|word| expected.starts_with(word));
                assert!(accepted, "{file} loads, expected: {expected}");
                assert_eq!(!level.warnings.is_empty(), expected.contains("warn"), "{file}: {:?}", level.warnings);
                let mut physics = Physics::default();
                assert!(physics.add_level(&level, LevelOptions::default().with_clip(true)).unwrap().world.is_some());
            }
        }
        count += 1;
    }
    assert!(count >= 28, "{count} files");
    println!("shared cases: every_bad_level_does_what_its_manifest_expects: {count}");
}

/// Every byte of small files, a sample of large ones.
#[test]
fn no_truncation_panics() {
    let test = "no_truncation_panics (bsp)";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let folders = ["bsp2", "bsp29", "bsp30", "ericw", "fbsp", "ibsp38", "ibsp46", "ibsp47", "room"];
    let paths = folders.iter().flat_map(|folder| common::files(&shared.join("corpus/bsp").join(folder)));
    let (mut files, mut cuts) = (0, 0);
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "bsp")) {
        let bytes = std::fs::read(&path).unwrap();
        // Headers everywhere, then fewer positions the longer reading takes.
        let step = if bytes.len() < 8 << 10 { 1 } else { bytes.len() / 30 };
        for length in (0..bytes.len().min(300)).chain((300..bytes.len()).step_by(step)) {
            if let Ok(level) = Level::from_bsp(&bytes[..length]) {
                assert_sound(&format!("{} cut to {length}", path.display()), &level);
            }
            cuts += 1;
        }
        files += 1;
    }
    assert!(files >= 20, "{files}");
    println!("shared cases: {test}: {files} ({cuts} cuts)");
}
