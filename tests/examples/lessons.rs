//! Lessons in `dolls`: the committed models, the program that makes them, and their dolls.

#[path = "../../examples/make_lessons/dog.rs"]
mod dog;
#[path = "../../examples/make_lessons/figure.rs"]
mod figure;
#[path = "../../examples/make_lessons/ponytail.rs"]
mod ponytail;
#[path = "../../examples/make_lessons/rope.rs"]
mod rope;
#[path = "../../examples/make_lessons/turret.rs"]
mod turret;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::SkeletonError;
use skelobj::ragdoll::DollCheck;
use skelobj::{Model, doll, write};

type Maker = fn() -> Result<Model, SkeletonError>;

const MODELS: [(&str, Maker); 4] =
    [("rope", rope::model), ("ponytail", ponytail::model), ("turret", turret::model), ("dog", dog::model)];

/// Size of the largest file, bytes.
const LARGEST: usize = 60_000;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("dolls").join(name)
}

fn load(name: &str, file: &[u8]) -> Model {
    Model::load(name, file, |_| None).unwrap()
}

/// Returns the largest difference between two lists of matrices.
fn difference(a: &[Mat3x4], b: &[Mat3x4]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).flat_map(|(a, b)| a.0.iter().zip(&b.0)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn committed_models_are_what_the_generator_makes() {
    for (name, make) in MODELS {
        let bytes = std::fs::read(path(&format!("{name}.iqm"))).unwrap();
        assert!(bytes.len() < LARGEST, "{name}: {} bytes", bytes.len());
        let file = load(name, &bytes);
        // Written and read, so that both have the precision of the file.
        let made = load(name, &write::iqm(&make().unwrap()).unwrap());
        assert!(file.warnings.is_empty(), "{name}: {:?}", file.warnings);
        assert_eq!((file.skeleton.names(), file.skeleton.parents()), (made.skeleton.names(), made.skeleton.parents()));
        assert!(difference(file.skeleton.bind_model(), made.skeleton.bind_model()) < 1e-3, "{name}");
        assert_eq!(file.animations, made.animations);
        assert!(difference(&file.frames, &made.frames) < 1e-3, "{name}");
        assert_eq!(file.meshes.len(), made.meshes.len());
        for (file, made) in file.meshes.iter().zip(&made.meshes) {
            assert_eq!((&file.name, &file.material), (&made.name, &made.material));
            assert!(file.triangles == made.triangles && file.influences == made.influences, "{name}: {}", file.name);
            assert_eq!(file.positions.len(), made.positions.len());
            for (file, made) in file.positions.iter().zip(&made.positions) {
                assert!(Vec3::from(*file).distance(Vec3::from(*made)) < 1e-3);
            }
        }
    }
}

#[test]
fn every_doll_passes_its_check_in_silence() {
    let mut dolls = 0;
    for entry in std::fs::read_dir(path("")).unwrap() {
        let doll = entry.unwrap().path();
        if doll.extension().is_none_or(|ending| ending != "doll") {
            continue;
        }
        let text = std::fs::read(&doll).unwrap();
        let model = std::fs::read(doll.with_extension("iqm")).unwrap();
        let mut check = DollCheck::default();
        check.drops = 3;
        let report = check.run(&text, &Arc::new(load("model.iqm", &model)));
        let name = doll.display().to_string();
        let problems: Vec<String> =
            report.problems.iter().map(|p| p.report(&name, &doll::decode(&text)).to_string()).collect();
        assert!(problems.is_empty(), "{}", problems.concat());
        assert_eq!(report.drops.len(), 3);
        dolls += 1;
    }
    assert_eq!(dolls, MODELS.len() + 1, "the lessons and the mannequin");
}

#[test]
fn every_lesson_is_tidy() {
    for (name, _) in MODELS {
        let text = std::fs::read(path(&format!("{name}.doll"))).unwrap();
        assert!(doll::format(&text) == text, "skelobj fmt changes {name}.doll");
    }
}
