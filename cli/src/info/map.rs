//! Description of a map.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use skelobj::math::Vec3;
use skelobj::model::Name;
use skelobj::physics::{BrushModel, Level};

use super::json::vector;
use crate::out::{count, line};

/// Returns the description as text.
pub fn describe(path: &Path, level: &Level) -> String {
    let mut out = String::new();
    let name = line(&path.file_name().unwrap_or_default().to_string_lossy());
    let [triangles, liquids] = totals(level);
    let counts = [
        count(level.models.len(), "brush model"),
        count(triangles, "triangle"),
        count(level.surfaces.len(), "surface"),
        count(liquids, "liquid"),
        count(level.entities.len(), "entity"),
    ];
    let _ = writeln!(out, "{name}: {}", counts.join(", "));
    if let Some((mins, maxs)) = level.models.first().and_then(bounds) {
        let size = maxs - mins;
        let _ = writeln!(
            out,
            "world: {:.0} x {:.0} x {:.0} units, from {:.0} {:.0} {:.0} to {:.0} {:.0} {:.0}",
            size.x, size.y, size.z, mins.x, mins.y, mins.z, maxs.x, maxs.y, maxs.z
        );
    }
    let _ = writeln!(out, "\nbrush models (number, triangles, of sky, clip brushes, liquids)");
    for (number, model) in level.models.iter().enumerate() {
        let [mesh, sky] = [&model.mesh, &model.sky].map(|mesh| mesh.triangles().len());
        let _ = writeln!(out, "{number:4} {mesh:8} {sky:8} {:8} {:8}", model.clip.len(), model.liquids.len());
    }
    if !level.entities.is_empty() {
        let _ = writeln!(out, "\nentities (class, count, origin of the first)");
    }
    for (class, (count, origin)) in classes(level) {
        let _ = writeln!(out, "     {class:32} {count:6} {:8.0} {:8.0} {:8.0}", origin.x, origin.y, origin.z);
    }
    out
}

/// Returns the description as a JSON object.
pub fn json(level: &Level) -> Value {
    let corners = |model: &BrushModel| {
        bounds(model).map_or(Value::Null, |(mins, maxs)| json!({ "mins": vector(mins), "maxs": vector(maxs) }))
    };
    let models = level.models.iter().map(|model| {
        json!({
            "triangles": model.mesh.triangles().len(),
            "sky_triangles": model.sky.triangles().len(),
            "clip_brushes": model.clip.len(),
            "liquids": model.liquids.len(),
            "bbox": corners(model),
        })
    });
    let class = |(class, (count, origin)): (String, (usize, Vec3))| json!({ "classname": class, "count": count, "first_origin": vector(origin) });
    let brushes = level.brush_entities.iter().map(|part| {
        json!({ "entity": part.entity, "model": part.model, "origin": vector(part.origin), "solid": part.solid })
    });
    json!({
        "models": models.collect::<Value>(),
        "surfaces": level.surfaces.len(),
        "entities": level.entities.len(),
        "classes": classes(level).into_iter().map(class).collect::<Value>(),
        "brush_entities": brushes.collect::<Value>(),
    })
}

/// Returns the numbers of triangles and liquids of all brush models.
fn totals(level: &Level) -> [usize; 2] {
    let triangles = level.models.iter().map(|model| model.mesh.triangles().len()).sum();
    [triangles, level.models.iter().map(|model| model.liquids.len()).sum()]
}

fn bounds(model: &BrushModel) -> Option<(Vec3, Vec3)> {
    let corners = model.mesh.vertices().iter().map(|place| (*place, *place));
    corners.reduce(|(low, high), (place, _)| (low.min(place), high.max(place)))
}

/// Returns how many entities each class has, and the origin of its first one.
fn classes(level: &Level) -> BTreeMap<String, (usize, Vec3)> {
    let mut classes = BTreeMap::new();
    for entity in &level.entities {
        let class = entity.get("classname").map(Name::to_string).unwrap_or_default();
        classes.entry(class).or_insert_with(|| (0, entity.vector("origin"))).0 += 1;
    }
    classes
}
