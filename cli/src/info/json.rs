//! Description of a model as one JSON object.

use serde_json::{Map, Value, json};
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, AnimationSource, Mesh, Tag};
use skelobj::pose;

use crate::out::json_name;

/// Returns the description of a model with some of its frames.
pub fn model(model: &Model, frames: &[usize]) -> Value {
    let skeleton = &model.skeleton;
    let mut info = json!({
        "flags": model.flags,
        "bone_count": skeleton.len(),
        "bone_names": skeleton.names().iter().map(json_name).collect::<Vec<_>>(),
        "bone_parents": skeleton.parents(),
        "base_abs_matrices": skeleton.has_bind().then(|| matrices(skeleton.bind_model())),
        "anims": model.animations.iter().filter_map(animation).collect::<Vec<_>>(),
        "frame_count": model.frame_count(),
        "meshes": model.meshes.iter().map(mesh).collect::<Vec<_>>(),
    });
    if let Some(half_life) = &model.half_life {
        // The reader splits vertices at seams of texture coordinates; the file counts them unsplit.
        for (mesh, source) in info["meshes"].as_array_mut().into_iter().flatten().zip(&half_life.meshes) {
            mesh["file_vertex_count"] = source.model_vertices.into();
        }
    }
    if skeleton.is_empty() {
        let sampled = |frame: &usize| {
            let tags = model.tags.iter().map(|tag| self::tag(tag, *frame));
            (frame.to_string(), tags.collect::<Value>())
        };
        info["tag_names"] = model.tags.iter().map(|tag| json_name(&tag.name)).collect();
        info["tags_sampled"] = frames.iter().map(sampled).collect::<Map<_, _>>().into();
        info["surfaces"] = (0..model.meshes.len()).map(|number| surface(model, number, frames)).collect();
    } else {
        info["frames"] = frames.iter().map(|&frame| posed(model, frame)).collect();
    }
    info
}

/// Returns the description of an animation with frames; `None` for one that shows the bind pose.
fn animation(animation: &Animation) -> Option<Value> {
    let (first, count) = match &animation.source {
        AnimationSource::Frames { first, count } => (*first, *count),
        AnimationSource::List(frames) => (frames.first().copied().unwrap_or(0), frames.len() as u32),
        AnimationSource::Evaluated { count, .. } => (0, *count),
        _ => return None,
    };
    let mut value = json!({
        "name": json_name(&animation.name),
        "first": first,
        "count": count,
        "fps": number(animation.rate),
        "loop": animation.looping,
    });
    if let AnimationSource::List(frames) = &animation.source {
        value["frames"] = json!(frames);
    }
    Some(value)
}

fn mesh(mesh: &Mesh) -> Value {
    json!({
        "name": json_name(&mesh.name),
        "material": json_name(&mesh.material),
        "vertex_count": mesh.positions.len(),
        "triangle_count": mesh.triangles.len(),
        "bbox_base": bounds(mesh, &mesh.positions.iter().copied().map(Vec3::from).collect::<Vec<_>>()),
    })
}

fn posed(model: &Model, frame: usize) -> Value {
    let relative = model.frame(frame).unwrap_or_default();
    let mut absolute = vec![Mat3x4::IDENTITY; relative.len()];
    pose::to_model_space(model.skeleton.parents(), relative, &mut absolute);
    let mut palette = absolute.clone();
    pose::palette(&absolute, model.skeleton.inverse_bind(), &mut palette);
    let skinned = |mesh: &Mesh| {
        let mut positions = vec![Vec3::ZERO; mesh.positions.len()];
        pose::skin_positions(mesh, &palette, &mut positions);
        bounds(mesh, &positions)
    };
    json!({
        "frame": frame,
        "rel": matrices(relative),
        "abs": matrices(&absolute),
        "mesh_bbox": model.meshes.iter().map(skinned).collect::<Vec<_>>(),
    })
}

fn tag(tag: &Tag, frame: usize) -> Value {
    let place = tag.frames.get(frame).copied().unwrap_or(Mat3x4::IDENTITY);
    let axes = [place.forward(), place.left(), place.up()].map(vector);
    json!({ "name": json_name(&tag.name), "origin": vector(place.origin()), "axes": axes })
}

/// Returns the description of a mesh of a vertex-animated model.
fn surface(model: &Model, number: usize, frames: &[usize]) -> Value {
    let mesh = &model.meshes[number];
    let skins = model.skins.iter().filter(|skin| skin.mesh == number).filter_map(|skin| skin.materials.first());
    let mut shaders: Vec<String> = skins.map(|material| json_name(&material.material)).collect();
    if shaders.is_empty() {
        shaders.push(json_name(&mesh.material));
    }
    let of = |vertices: &[[f32; 3]], frame: usize| -> Vec<Vec3> {
        let moved = vertices.chunks_exact(mesh.positions.len().max(1)).nth(frame);
        moved.unwrap_or_default().iter().copied().map(Vec3::from).collect()
    };
    let each = |value: &dyn Fn(usize) -> Value| -> Value {
        frames.iter().map(|&frame| (frame.to_string(), value(frame))).collect::<Map<_, _>>().into()
    };
    let first = |vertices: &[[f32; 3]], frame| of(vertices, frame).first().copied().map_or(Value::Null, vector);
    json!({
        "name": json_name(&mesh.name),
        "shaders": shaders,
        "vertex_count": mesh.positions.len(),
        "triangle_count": mesh.triangles.len(),
        "first_triangle": mesh.triangles.first(),
        "first_vertex_tc": mesh.texcoords.first().map(|texcoord| texcoord.map(self::number)),
        "bbox_sampled": each(&|frame| bounds(mesh, &of(&mesh.frames.positions, frame))),
        "first_vertex_pos": each(&|frame| first(&mesh.frames.positions, frame)),
        "first_vertex_normal": each(&|frame| first(&mesh.frames.normals, frame)),
    })
}

/// Returns the bounding box of the vertices that triangles use.
fn bounds(mesh: &Mesh, positions: &[Vec3]) -> Value {
    let seen = mesh.triangles.iter().flatten().filter_map(|&index| positions.get(index as usize).copied());
    let corners = seen.fold(None, |corners: Option<(Vec3, Vec3)>, point| {
        let (mins, maxs) = corners.unwrap_or((point, point));
        Some((mins.min(point), maxs.max(point)))
    });
    corners.map_or(Value::Null, |(mins, maxs)| json!({ "mins": vector(mins), "maxs": vector(maxs) }))
}

fn matrices(matrices: &[Mat3x4]) -> Value {
    matrices.iter().map(|matrix| json!(matrix.0.map(number))).collect()
}

/// Returns a vector as three numbers.
pub fn vector(vector: Vec3) -> Value {
    json!(vector.to_array().map(number))
}

/// Returns the shortest decimal of this f32, not of the f64 that it widens to.
pub fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, |value| json!(value))
}
