//! Invariants of every model that was read.

use skelobj::Model;
use skelobj::math::Mat3x4;
use skelobj::model::AnimationSource;

/// Panics if a model contradicts itself or holds a non-finite number.
pub fn assert_sound(model: &Model) {
    let skeleton = &model.skeleton;
    let (bones, frames) = (skeleton.len(), model.frame_count());
    for matrices in [skeleton.bind_local(), skeleton.bind_model(), skeleton.inverse_bind(), &model.frames] {
        assert!(matrices.iter().all(Mat3x4::is_finite));
    }
    assert!(skeleton.parents().iter().enumerate().all(|(bone, parent)| (-1..bone as i32).contains(parent)));
    assert!(bones == 0 || model.frames.len() == frames * bones);
    assert!(model.bounds.is_empty() || model.bounds.len() == frames);
    for animation in &model.animations {
        assert!(animation.rate >= 0.0 && animation.rate.is_finite());
        assert!(animation.events.iter().all(|event| event.time.is_finite()));
        assert!(!animation.duration().is_nan());
        match &animation.source {
            AnimationSource::Frames { first, count } => {
                assert!(*count > 0 && *first as usize + *count as usize <= frames);
            }
            AnimationSource::List(list) => {
                assert!(!list.is_empty() && list.iter().all(|&frame| (frame as usize) < frames));
            }
            _ => {}
        }
    }
    for tag in &model.tags {
        assert!(tag.frames.len() == frames && tag.frames.iter().all(Mat3x4::is_finite));
    }
    assert!(model.attachments.iter().all(|place| place.bone < bones && place.offset.is_finite()));
    assert!(model.hit_boxes.iter().all(|hit_box| hit_box.bone < bones));
    for mesh in &model.meshes {
        let vertices = mesh.positions.len();
        let lengths = [mesh.normals.len(), mesh.tangents.len(), mesh.texcoords.len(), mesh.colors.len()];
        assert!(lengths.into_iter().chain([mesh.influences.len()]).all(|count| count == 0 || count == vertices));
        assert!(mesh.triangles.iter().flatten().all(|&index| (index as usize) < vertices));
        let frames = [mesh.frames.positions.len(), mesh.frames.normals.len()];
        assert!(frames.iter().all(|count| *count == 0 || count % vertices == 0));
        let floats = mesh.positions.iter().chain(&mesh.normals).chain(&mesh.frames.positions).flatten();
        let floats = floats.chain(mesh.texcoords.iter().flatten()).chain(mesh.tangents.iter().flatten());
        assert!(floats.chain(mesh.colors.iter().flatten()).all(|v| v.is_finite()));
        for influences in &mesh.influences {
            assert!(influences.bones.iter().all(|&bone| usize::from(bone) < bones));
            assert!((influences.weights.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        }
        assert!(mesh.morph_weights.iter().all(|strength| strength.is_finite()));
        assert!(mesh.morph_weights.is_empty() || mesh.morph_weights.len() == mesh.morphs.len() * model.frame_count());
        for morph in &mesh.morphs {
            assert!(morph.vertices.iter().all(|&vertex| (vertex as usize) < vertices));
            assert!(morph.positions.iter().chain(&morph.normals).flatten().all(|v| v.is_finite()));
        }
    }
    assert!(model.skins.iter().all(|skin| skin.mesh < model.meshes.len() && !skin.materials.is_empty()));
}
