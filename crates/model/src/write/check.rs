//! Checks that a model is consistent before it is written.

use super::WriteError;
use crate::model::{AnimationSource, Mesh, Model, Skeleton};

/// Maximum number of matrices of frames made for writing: 400 MB.
const MAX_MATRICES: u64 = 1 << 23;

/// Refuses a model whose parts contradict one another.
pub(super) fn model(model: &Model) -> Result<(), WriteError> {
    let bones = model.skeleton.len();
    let matrices = model.frames.len();
    if matrices != model.frame_count() * bones {
        return Err(WriteError::FrameLength { matrices, bones });
    }
    if model.skeleton.bind_local().iter().any(|m| !m.is_finite()) {
        return Err(WriteError::NotFinite { what: "bind matrices" });
    }
    if model.skeleton.inverse_bind().iter().any(|m| !m.is_finite()) {
        return Err(WriteError::NotFinite { what: "inverse bind matrices" });
    }
    if model.frames.iter().any(|m| !m.is_finite()) {
        return Err(WriteError::NotFinite { what: "frames" });
    }
    poses(model)?;
    bounds(model)?;
    animations(model)?;
    for (index, mesh) in model.meshes.iter().enumerate() {
        self::mesh(model, index, mesh)?;
    }
    finite("colours of materials", model.materials.iter().flat_map(|material| material.color))?;
    for (index, skin) in model.skins.iter().enumerate() {
        if skin.mesh >= model.meshes.len() || skin.materials.is_empty() {
            return Err(WriteError::Skin { skin: index });
        }
        finite("skin intervals", [skin.interval])?;
    }
    Ok(())
}

/// Refuses bones that readers refuse if the file gives them this skeleton.
pub(super) fn reach(model: &Model, bones: &Skeleton) -> Result<(), WriteError> {
    match model.bone_out_of_reach(bones).and_then(|bone| bones.name(bone)) {
        Some(bone) => Err(WriteError::OutOfReach { bone: bone.clone() }),
        None => Ok(()),
    }
}

/// Refuses animations that take little memory but would become very many frames.
fn poses(model: &Model) -> Result<(), WriteError> {
    let poses = model.animations.iter().map(|animation| match &animation.source {
        AnimationSource::Evaluated { count, .. } => u64::from(*count),
        AnimationSource::List(list) => list.len() as u64,
        AnimationSource::Frames { .. } | AnimationSource::BindPose => 0,
    });
    let matrices = poses.sum::<u64>().saturating_mul(model.skeleton.len() as u64);
    if matrices > MAX_MATRICES {
        return Err(WriteError::TooManyPoses { matrices, allowed: MAX_MATRICES });
    }
    Ok(())
}

fn finite(what: &'static str, values: impl IntoIterator<Item = f32>) -> Result<(), WriteError> {
    if values.into_iter().all(f32::is_finite) { Ok(()) } else { Err(WriteError::NotFinite { what }) }
}

fn bounds(model: &Model) -> Result<(), WriteError> {
    let (found, expected) = (model.bounds.len(), model.frame_count());
    if found != 0 && found != expected {
        return Err(WriteError::BoundsCount { found, expected });
    }
    let numbers = |b: &crate::model::Bounds| [b.mins, b.maxs, [b.xy_radius, b.radius, 0.0]].into_iter().flatten();
    finite("bounds", model.bounds.iter().flat_map(numbers))
}

fn animations(model: &Model) -> Result<(), WriteError> {
    let frames = model.frame_count() as u64;
    for (index, animation) in model.animations.iter().enumerate() {
        let inside = match &animation.source {
            AnimationSource::Frames { first, count } => *count > 0 && u64::from(*first) + u64::from(*count) <= frames,
            AnimationSource::List(list) => !list.is_empty() && list.iter().all(|&frame| u64::from(frame) < frames),
            AnimationSource::BindPose | AnimationSource::Evaluated { .. } => true,
        };
        if !inside {
            return Err(WriteError::AnimationRange { animation: index });
        }
        finite("animation rates", [animation.rate])?;
        if animation.rate <= 0.0 {
            return Err(WriteError::AnimationRate { animation: index });
        }
        finite("event times", animation.events.iter().map(|event| event.time))?;
    }
    Ok(())
}

fn mesh(model: &Model, index: usize, mesh: &Mesh) -> Result<(), WriteError> {
    let expected = mesh.positions.len();
    let lengths = [
        ("normals", mesh.normals.len()),
        ("tangents", mesh.tangents.len()),
        ("texture coordinates", mesh.texcoords.len()),
        ("colours", mesh.colors.len()),
        ("influences", mesh.influences.len()),
    ];
    for (array, found) in lengths {
        if found != 0 && found != expected {
            return Err(WriteError::ArrayLength { mesh: index, array, found, expected });
        }
    }
    for custom in &mesh.custom {
        let found = custom.data.len().checked_div(custom.components).unwrap_or(0);
        if custom.components == 0 || custom.data.len() != custom.components * expected {
            return Err(WriteError::ArrayLength { mesh: index, array: "custom values", found, expected });
        }
        finite("custom values", custom.data.iter().copied())?;
    }
    if let Some(triangle) = mesh.triangles.iter().position(|t| t.iter().any(|&i| i as usize >= expected)) {
        return Err(WriteError::TriangleIndex { mesh: index, triangle });
    }
    if !mesh.influences.is_empty() && !model.skeleton.is_empty() && !model.skeleton.has_bind() {
        return Err(WriteError::NoBindPose { mesh: index });
    }
    let bones = model.skeleton.len();
    let outside = |i: &crate::model::Influences| i.bones.iter().any(|&bone| usize::from(bone) >= bones);
    if let Some(vertex) = mesh.influences.iter().position(outside) {
        return Err(WriteError::BoneIndex { mesh: index, vertex });
    }
    let (weights, morphs) = (mesh.morph_weights.len(), mesh.morphs.len());
    if weights != 0 && (morphs == 0 || !weights.is_multiple_of(morphs)) {
        return Err(WriteError::MorphWeights { mesh: index, weights, morphs });
    }
    finite("morph weights", mesh.morph_weights.iter().copied())?;
    finite("positions", mesh.positions.iter().flatten().copied())?;
    finite("normals", mesh.normals.iter().flatten().copied())?;
    finite("tangents", mesh.tangents.iter().flatten().copied())?;
    finite("texture coordinates", mesh.texcoords.iter().flatten().copied())?;
    finite("colours", mesh.colors.iter().flatten().copied())?;
    finite("weights", mesh.influences.iter().flat_map(|i| i.weights))?;
    finite("surface distances", [mesh.surface.min_distance, mesh.surface.max_distance])
}
