//! Models of the shared corpus, and the distance between two models.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::pose::{palette, skin_positions, to_model_space};
use skelobj::write::WriteError;

/// Returns every model of the corpus with its side files. Without the shared folder it prints a note and returns
/// nothing.
pub fn models(test: &str) -> Vec<(String, Model)> {
    let Some(shared) = super::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return Vec::new();
    };
    let corpus = shared.join("corpus");
    let mut paths = Vec::new();
    walk(&corpus, &mut paths);
    let load = |path: PathBuf| {
        let name = path.strip_prefix(&corpus).unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        let model = Model::load(&name, &bytes, |side| std::fs::read(corpus.join(side)).ok()).ok()?;
        Some((name, model.baked()))
    };
    paths.into_iter().filter_map(load).collect()
}

/// Writes every model of the corpus, reads it back and checks that pose and skin are equal. `compare` checks the rest
/// and removes what a file of the format cannot hold.
pub fn assert_come_back(
    test: &str,
    write: impl Fn(&Model) -> Result<Vec<u8>, WriteError>,
    read: impl Fn(&[u8]) -> Model,
    compare: impl Fn(&str, &mut Model, &mut Model),
) {
    let mut count = 0;
    for (name, mut model) in models(test) {
        let bytes = match write(&model) {
            // Skins of a skeleton in another file, and motion of bones in another file.
            Err(WriteError::NoBindPose { .. } | WriteError::AnimationRange { .. }) => continue,
            result => result.unwrap_or_else(|e| panic!("{name}: {e}")),
        };
        let mut back = read(&bytes);
        compare(&name, &mut model, &mut back);
        if !is_sheared(&model) {
            let (far, skin) = (poses_apart(&model, &back), skins_apart(&model, &back, 7));
            assert!(far < 1e-3 && skin < 1e-3, "{name}: poses {far}, skins {skin}");
        }
        count += 1;
    }
    if count > 0 {
        assert!(count > 60, "{count}");
        println!("shared cases: {test}: {count}");
    }
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { walk(&path, out) } else { out.push(path) }
    }
}

/// Returns the distance of the farthest point of a model from its origin; at least 1.
pub fn size(model: &Model) -> f32 {
    let bones = model.skeleton.bind_model().iter().map(|bone| bone.origin().length());
    let skins = model.meshes.iter().flat_map(|mesh| &mesh.positions).map(|&p| Vec3::from(p).length());
    bones.chain(skins).fold(1.0, f32::max)
}

/// Returns the bones in model space in every pose of every animation.
pub fn poses(model: &Model) -> Vec<Vec<Mat3x4>> {
    let mut poses = Vec::new();
    for animation in &model.animations {
        for pose in 0..animation.pose_count() {
            let relative = model.pose(animation, pose);
            let mut bones = vec![Mat3x4::ZERO; relative.len()];
            to_model_space(model.skeleton.parents(), relative, &mut bones);
            poses.push(bones);
        }
    }
    poses
}

/// Returns `true` if bones have axes that are not perpendicular, which a file with rotations and scales cannot hold.
pub fn is_sheared(model: &Model) -> bool {
    model.frames.iter().chain(model.skeleton.bind_local()).any(|bone| {
        let [f, l, u] = [bone.forward(), bone.left(), bone.up()].map(Vec3::normalize_or_zero);
        [f.dot(l), l.dot(u), u.dot(f)].iter().any(|cosine| cosine.abs() > 1e-3)
    })
}

/// Returns the largest distance between bones in all poses of all animations, as a fraction of the model's size; of
/// axes as a fraction of the longest axis.
pub fn poses_apart(a: &Model, b: &Model) -> f32 {
    let (size, ours, theirs) = (size(a), poses(a), poses(b));
    assert_eq!(ours.len(), theirs.len(), "number of poses");
    let mut worst = 0.0_f32;
    for (ours, theirs) in ours.iter().flatten().zip(theirs.iter().flatten()) {
        let axes = [(ours.forward(), theirs.forward()), (ours.left(), theirs.left()), (ours.up(), theirs.up())];
        let longest = axes.iter().map(|(a, _)| a.length()).fold(1e-6, f32::max);
        let far = axes.iter().map(|(a, b)| (*a - *b).length() / longest).fold(0.0, f32::max);
        worst = worst.max(far).max((ours.origin() - theirs.origin()).length() / size);
    }
    worst
}

/// Returns the largest distance between vertices in the bind pose and in every `step`-th pose, as a fraction of the
/// model's size.
pub fn skins_apart(a: &Model, b: &Model, step: usize) -> f32 {
    let size = size(a);
    let posed = |model: &Model, bones: &[Mat3x4]| {
        let mut matrices = vec![Mat3x4::ZERO; bones.len()];
        palette(bones, model.skeleton.inverse_bind(), &mut matrices);
        let mut all = Vec::new();
        for mesh in &model.meshes {
            let mut positions = vec![Vec3::ZERO; mesh.positions.len()];
            skin_positions(mesh, &matrices, &mut positions);
            all.extend(positions);
        }
        all
    };
    let (mut ours, mut theirs) = (poses(a), poses(b));
    ours.push(a.skeleton.bind_model().to_vec());
    theirs.push(b.skeleton.bind_model().to_vec());
    let mut worst = 0.0_f32;
    for (ours, theirs) in ours.iter().zip(&theirs).rev().step_by(step) {
        let (ours, theirs) = (posed(a, ours), posed(b, theirs));
        assert_eq!(ours.len(), theirs.len(), "number of vertices");
        worst = ours.iter().zip(&theirs).map(|(a, b)| (*a - *b).length() / size).fold(worst, f32::max);
    }
    worst
}
