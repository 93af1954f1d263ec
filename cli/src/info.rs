//! `skelobj info`: what is in a model.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AnimationSource, Mesh, Name};
use skelobj::pose;

use crate::error::CliError;
use crate::input::{self, LoadedModel};

/// Show a model's bones, animations and meshes
#[derive(Args)]
pub struct InfoArgs {
    /// The model; without it the built-in mannequin
    model: Option<PathBuf>,
    /// A file whose animations the model plays too; may be given several times
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Which baked frames to print with --json; without it the first, the middle and the last
    #[arg(long, value_name = "0,5,9", value_delimiter = ',')]
    frames: Option<Vec<usize>>,
    /// Print one JSON object: matrices are 12 numbers, row-major 3x4
    #[arg(long)]
    json: bool,
}

pub fn run(args: InfoArgs) -> Result<(), CliError> {
    let mut loaded = input::model(args.model.as_deref())?;
    for path in &args.with {
        let other = input::model(Some(path))?;
        loaded.model.join(&other.model).map_err(|error| CliError::With(path.clone(), error.to_string()))?;
    }
    let count = loaded.model.frame_count();
    let frames = args.frames.unwrap_or_else(|| some_frames(count));
    if let Some(&frame) = frames.iter().find(|&&frame| frame >= count) {
        return Err(CliError::NoFrame(frame, count));
    }
    let text = if args.json { format!("{:#}\n", json(&loaded.model, &frames)) } else { describe(&loaded) };
    std::io::stdout().write_all(text.as_bytes()).map_err(CliError::Output)
}

fn some_frames(count: usize) -> Vec<usize> {
    let mut frames = vec![0, count / 2, count.saturating_sub(1)];
    frames.dedup();
    frames.retain(|&frame| frame < count);
    frames
}

fn json(model: &Model, frames: &[usize]) -> Value {
    let skeleton = &model.skeleton;
    json!({
        "bone_count": skeleton.len(),
        "bone_names": skeleton.names().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "bone_parents": skeleton.parents(),
        "base_abs_matrices": skeleton.has_bind().then(|| matrices(skeleton.bind_model())),
        "anims": animations(model),
        "frame_count": model.frame_count(),
        "meshes": model.meshes.iter().map(mesh).collect::<Vec<_>>(),
        "frames": frames.iter().map(|&frame| posed(model, frame)).collect::<Vec<_>>(),
    })
}

/// Animations that have frames; a bind pose that stands in for missing ones is not one.
fn animations(model: &Model) -> Vec<Value> {
    let run = |source: &AnimationSource| match source {
        AnimationSource::Frames { first, count } => Some((*first, *count)),
        AnimationSource::List(frames) => Some((frames.first().copied().unwrap_or(0), frames.len() as u32)),
        AnimationSource::Evaluated { count, .. } => Some((0, *count)),
        AnimationSource::BindPose => None,
    };
    let describe = |animation: &skelobj::model::Animation| {
        let (first, count) = run(&animation.source)?;
        let mut value = json!({
            "name": animation.name.to_string(),
            "first": first,
            "count": count,
            "fps": number(animation.rate),
            "loop": animation.looping,
        });
        if let AnimationSource::List(frames) = &animation.source {
            value["frames"] = json!(frames);
        }
        Some(value)
    };
    model.animations.iter().filter_map(describe).collect()
}

fn mesh(mesh: &Mesh) -> Value {
    json!({
        "name": mesh.name.to_string(),
        "material": mesh.material.to_string(),
        "vertex_count": mesh.positions.len(),
        "triangle_count": mesh.triangles.len(),
        "bbox_base": bounds(mesh.positions.iter().copied().map(Vec3::from)),
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
        match mesh.frames.positions.chunks_exact(mesh.positions.len().max(1)).nth(frame) {
            Some(moved) => positions.iter_mut().zip(moved).for_each(|(to, from)| *to = Vec3::from(*from)),
            None => pose::skin_positions(mesh, &palette, &mut positions),
        }
        bounds(positions.into_iter())
    };
    json!({
        "frame": frame,
        "rel": matrices(relative),
        "abs": matrices(&absolute),
        "mesh_bbox": model.meshes.iter().map(skinned).collect::<Vec<_>>(),
    })
}

fn bounds(points: impl Iterator<Item = Vec3>) -> Value {
    let corners = points.fold(None, |corners: Option<(Vec3, Vec3)>, point| {
        let (mins, maxs) = corners.unwrap_or((point, point));
        Some((mins.min(point), maxs.max(point)))
    });
    corners.map_or(
        Value::Null,
        |(mins, maxs)| json!({ "mins": mins.to_array().map(number), "maxs": maxs.to_array().map(number) }),
    )
}

fn matrices(matrices: &[Mat3x4]) -> Value {
    matrices.iter().map(|matrix| json!(matrix.0.map(number))).collect()
}

/// The shortest decimal that means this f32, not the f64 that it widens to.
fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, |value| json!(value))
}

fn describe(loaded: &LoadedModel) -> String {
    let model = &loaded.model;
    let skeleton = &model.skeleton;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {} bones, {} animations, {} frames, {} meshes",
        loaded.name,
        skeleton.len(),
        model.animations.len(),
        model.frame_count(),
        model.meshes.len()
    );
    if !skeleton.is_empty() {
        let _ = writeln!(out, "\nbones (number, name, place in the bind pose)");
    }
    let mut depth = vec![0; skeleton.len()];
    for bone in 0..skeleton.len() {
        depth[bone] = skeleton.parent(bone).map_or(0, |parent| depth[parent] + 1);
        let name = format!("{}{}", "  ".repeat(depth[bone].min(12)), shown(&skeleton.names()[bone]));
        let at = skeleton.bind_model()[bone].origin();
        let _ = writeln!(out, "{:4} {name:32} {:8.2} {:8.2} {:8.2}", bone + 1, at.x, at.y, at.z);
    }
    if !model.animations.is_empty() {
        let _ = writeln!(out, "\nanimations (number, name, poses, poses a second, seconds)");
    }
    for (number, animation) in model.animations.iter().enumerate() {
        let _ = writeln!(
            out,
            "{number:4} {:32} {:5} {:7.2} {:7.2}{}{}",
            shown(&animation.name),
            animation.pose_count(),
            animation.rate,
            animation.duration(),
            if animation.looping { " loop" } else { "" },
            match animation.events.len() {
                0 => String::new(),
                count => format!(", {count} events"),
            }
        );
    }
    if !model.meshes.is_empty() {
        let _ = writeln!(out, "\nmeshes (name, material, vertices, triangles)");
    }
    for mesh in &model.meshes {
        let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
        let _ = writeln!(out, "     {:32} {:32} {vertices:6} {triangles:6}", shown(&mesh.name), shown(&mesh.material));
    }
    out
}

/// A name from a file as a terminal may be shown it: without its control characters.
fn shown(name: &Name) -> String {
    name.to_string().replace(char::is_control, "\u{fffd}")
}
