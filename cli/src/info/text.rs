//! Description of a model as text.

use std::fmt::Write as _;

use skelobj::math::Vec3;
use skelobj::model::{FrameState, Name};

use crate::input::LoadedModel;
use crate::out::{count, line};

/// Returns a point without the signs of coordinates that are shown as zero.
fn tidy(point: Vec3) -> Vec3 {
    point.map(|number| if number.abs() < 0.005 { 0.0 } else { number })
}

/// Returns the description of a model whose animations have `frames` frames.
pub fn describe(loaded: &LoadedModel, frames: usize) -> String {
    let model = &loaded.model;
    let skeleton = &model.skeleton;
    let mut out = String::new();
    let tags = model.tag_count() - skeleton.len();
    let mut counts = vec![
        count(skeleton.len(), "bone"),
        count(model.animations.len(), "animation"),
        count(frames, "frame"),
        count(tags, "tag"),
        count(model.meshes.len(), "mesh"),
    ];
    if tags == 0 {
        counts.remove(3);
    }
    let _ = writeln!(out, "{}: {}", line(&loaded.name), counts.join(", "));
    if !skeleton.is_empty() {
        let _ = writeln!(out, "\nbones (number as in QuakeC, from 1; name, origin in the bind pose)");
    }
    let mut depth = vec![0; skeleton.len()];
    for bone in 0..skeleton.len() {
        depth[bone] = skeleton.parent(bone).map_or(0, |parent| depth[parent] + 1);
        let name = format!("{}{}", "  ".repeat(depth[bone].min(12)), skeleton.names()[bone]);
        let at = tidy(skeleton.bind_model()[bone].origin());
        let _ = writeln!(out, "{:4} {name:32} {:8.2} {:8.2} {:8.2}", bone + 1, at.x, at.y, at.z);
    }
    if tags > 0 {
        let _ = writeln!(out, "\ntags (number as in QuakeC; name, origin at the start of the first animation)");
    }
    for tag in skeleton.len()..model.tag_count() {
        let at = model.tag_matrix(tag, &FrameState::default()).map_or(Vec3::ZERO, |place| tidy(place.origin()));
        let name = model.tag_name(tag).map(Name::to_string).unwrap_or_default();
        let on = model.tag_parent(tag).and_then(|bone| skeleton.name(bone));
        let on = on.map_or_else(String::new, |bone| format!(" on {bone}"));
        let _ = writeln!(out, "{:4} {name:32} {:8.2} {:8.2} {:8.2}{on}", tag + 1, at.x, at.y, at.z);
    }
    if !model.animations.is_empty() {
        let _ = writeln!(out, "\nanimations (number from 0, name, poses, poses per second, seconds)");
    }
    for (number, animation) in model.animations.iter().enumerate() {
        let _ = writeln!(
            out,
            "{number:4} {:32} {:5} {:7.2} {:7.2}{}{}",
            animation.name,
            animation.pose_count(),
            animation.rate,
            animation.duration(),
            if animation.looping { " loop" } else { "" },
            match animation.events.len() {
                0 => String::new(),
                events => format!(", {}", count(events, "event")),
            }
        );
    }
    if !model.meshes.is_empty() {
        let _ = writeln!(out, "\nmeshes (name, material, vertices, triangles)");
    }
    for mesh in &model.meshes {
        let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
        let animated = if mesh.is_morphed() { " vertex animation" } else { "" };
        let _ = writeln!(out, "     {:32} {:32} {vertices:6} {triangles:6}{animated}", mesh.name, mesh.material);
    }
    out
}
