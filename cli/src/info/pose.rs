//! Pose of a model at one moment of an animation.

use serde_json::{Value, json};
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{FrameState, Mesh};
use skelobj::pose::{self, PoseSource};

use super::json::{number, vector};
use crate::out::json_name;

/// Returns the bones in model space, the palette and the skinned vertices, all in Quake's axes.
///
/// If the meshes of the file share vertices, these are in the order of the file, with `null` for unused ones. Otherwise
/// they are in the order of the meshes.
pub fn at(model: &Model, animation: usize, time: f32) -> Value {
    let bones = model.skeleton.len();
    let frame = FrameState::single(animation, time.into());
    let mut relative = vec![Mat3x4::IDENTITY; bones];
    let source = PoseSource { model, frame: &frame };
    pose::sample(source, 0..bones, &mut relative);
    let mut absolute = relative.clone();
    pose::to_model_space(model.skeleton.parents(), &relative, &mut absolute);
    let mut palette = absolute.clone();
    pose::palette(&absolute, model.skeleton.inverse_bind(), &mut palette);

    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for mesh in &model.meshes {
        let mut places = vec![Vec3::ZERO; mesh.positions.len()];
        let mut turned = vec![Vec3::ZERO; mesh.normals.len()];
        if mesh.is_morphed() {
            pose::morph(mesh, source, &mut places, &mut turned);
            pose::skin_morphed(mesh, &palette, &mut places, &mut turned);
        } else {
            pose::skin(mesh, &palette, &mut places, &mut turned);
        }
        place(mesh, &places, &mut positions);
        place(mesh, &turned, &mut normals);
    }
    json!({
        "animation": model.animations.get(animation).map(|animation| json_name(&animation.name)),
        "time": number(time),
        "boneLocal": rows(&absolute),
        "boneSkin": rows(&palette),
        "skinnedPositions": positions,
        "skinnedNormals": normals,
    })
}

/// Writes the vertices of a mesh to their positions in the order of the file.
fn place(mesh: &Mesh, moved: &[Vec3], out: &mut Vec<Value>) {
    if mesh.file_vertices.is_empty() {
        out.extend(moved.iter().copied().map(vector));
        return;
    }
    for (&at, &moved) in mesh.file_vertices.iter().zip(moved) {
        let at = at as usize;
        if at >= out.len() {
            out.resize(at + 1, Value::Null);
        }
        out[at] = vector(moved);
    }
}

fn rows(matrices: &[Mat3x4]) -> Value {
    let row = |row: &[f32]| row.iter().copied().map(number).collect::<Value>();
    matrices.iter().map(|matrix| matrix.0.chunks_exact(4).map(row).collect::<Value>()).collect()
}
