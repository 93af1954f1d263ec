//! Reading with a count of the memory and a check of the result.

use super::counting;

use skelobj::Model;
use skelobj::math::Mat3x4;
use skelobj::model::{AnimationSource, ModelError};

/// Maximum memory of reading a small bad file at any time, bytes; a larger one gets [`GROWTH`] bytes for each of its
/// bytes.
const MOST: i64 = 64 << 20;
const GROWTH: i64 = 64;

/// Returns the result of reading `bytes`; checks that memory stays in bounds.
pub fn read_anything(what: &str, bytes: &[u8]) -> Result<Model, ModelError> {
    let (result, peak) = counting::peak(|| Model::load(what, bytes, |_| None));
    assert!(peak < MOST.max(GROWTH * bytes.len() as i64), "{what}: {peak} bytes");
    result
}

/// Returns the result of reading `bytes`; checks that a model is sound, that an error names its position, and that
/// memory stays in bounds.
pub fn read(what: &str, bytes: &[u8]) -> Result<Model, ModelError> {
    let result = read_anything(what, bytes);
    match &result {
        Ok(model) => assert_sound(what, model),
        Err(error) => {
            assert!(!error.section.is_empty(), "{what}: {error:?}");
            assert!(error.to_string().contains(&format!("{} at byte {}: ", error.section, error.offset)), "{error}");
        }
    }
    result
}

/// Checks that a model does not contradict itself and has no non-finite numbers.
pub fn assert_sound(what: &str, model: &Model) {
    let skeleton = &model.skeleton;
    let bones = skeleton.len();
    for matrices in [skeleton.bind_local(), skeleton.bind_model(), skeleton.inverse_bind(), &model.frames] {
        assert!(matrices.iter().all(Mat3x4::is_finite), "{what}");
    }
    assert_eq!(model.frames.len(), model.frame_count() * bones, "{what}");
    assert!(model.bounds.is_empty() || model.bounds.len() == model.frame_count(), "{what}");
    for (bone, &parent) in skeleton.parents().iter().enumerate() {
        assert!((-1..bone as i32).contains(&parent), "{what}");
    }
    for animation in &model.animations {
        assert!(animation.rate >= 0.0 && animation.rate.is_finite(), "{what}");
        match &animation.source {
            AnimationSource::Frames { first, count } => {
                assert!(*count > 0 && *first as usize + *count as usize <= model.frame_count(), "{what}");
            }
            AnimationSource::List(frames) => {
                assert!(!frames.is_empty(), "{what}");
                assert!(frames.iter().all(|&frame| (frame as usize) < model.frame_count()), "{what}");
            }
            _ => {}
        }
        assert!(animation.events.iter().all(|event| event.time.is_finite()), "{what}");
    }
    for mesh in &model.meshes {
        let vertices = mesh.positions.len();
        let lengths = [mesh.normals.len(), mesh.tangents.len(), mesh.texcoords.len(), mesh.colors.len()];
        assert!(lengths.into_iter().chain([mesh.influences.len()]).all(|n| n == 0 || n == vertices), "{what}");
        assert!(mesh.custom.iter().all(|c| c.data.len() == c.components * vertices), "{what}");
        assert!(mesh.triangles.iter().flatten().all(|&index| (index as usize) < vertices), "{what}");
        let floats = mesh.positions.iter().flatten().chain(mesh.normals.iter().flatten());
        let floats = floats.chain(mesh.texcoords.iter().flatten()).chain(mesh.tangents.iter().flatten());
        assert!(floats.chain(mesh.colors.iter().flatten()).all(|v| v.is_finite()), "{what}");
        let strengths = mesh.morphs.len() * model.frame_count();
        assert!(mesh.morph_weights.is_empty() || mesh.morph_weights.len() == strengths, "{what}");
        assert!(mesh.morph_weights.iter().all(|strength| strength.is_finite()), "{what}");
        for influences in &mesh.influences {
            assert!(influences.bones.iter().all(|&bone| usize::from(bone) < bones), "{what}");
            let sum: f32 = influences.weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-4 && influences.weights.iter().all(|&w| w >= 0.0), "{what}");
        }
    }
    assert!(model.skins.iter().all(|s| s.mesh < model.meshes.len() && !s.materials.is_empty()), "{what}");
}
