//! Maps that the arguments name.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use skelobj::FileUse;
use skelobj::math::Vec3;
use skelobj::physics::{BspError, Level};

use crate::error::CliError;
use crate::files::{self, Contents};
use crate::out::tell_line;

/// Number of bytes of a file that tell its format.
const HEAD: u64 = 4096;

/// Returns `true` if a file is a map by its first bytes, or by its name if they tell nothing.
pub fn is_map(path: &Path) -> bool {
    let mut head = Vec::new();
    // Opening a pipe would wait for its other end.
    if path.is_file() {
        let _ = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    }
    match FileUse::of(&files::name_of(path), &head) {
        FileUse::Unused(_) => path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bsp")),
        found => found == FileUse::Level,
    }
}

/// Reads a map and prints its warnings. Returns the map and its file.
pub fn load(path: &Path) -> Result<(Level, Contents), CliError> {
    let file = Contents { name: files::name_of(path), bytes: files::read_named(path)? };
    let level = Level::from_bsp(&file.bytes);
    let level = level.map_err(|error| CliError::Map(path.to_owned(), refusal(path, &file.bytes, &error)))?;
    for warning in &level.warnings {
        tell_line(format_args!("{}: warning: {warning}", path.display()));
    }
    Ok((level, file))
}

/// Returns why a file is not a map: what it is, if that is known.
fn refusal(path: &Path, bytes: &[u8], error: &BspError) -> String {
    match FileUse::of(&files::name_of(path), bytes) {
        FileUse::Unused(reason) => reason,
        FileUse::Model | FileUse::Part(_) => "it is a model, not a map".to_owned(),
        _ => error.to_string(),
    }
}

/// Returns the position that the arguments state, or else the one at which players start. Prints a warning about a
/// stated one in a wall.
///
/// # Errors
/// [`CliError::NoPlace`] if the map has no such position.
pub fn place(path: &Path, level: &Level, stated: Option<[f32; 3]>) -> Result<Vec3, CliError> {
    if let Some(place) = stated.map(Vec3::from_array) {
        if level.is_solid(place) {
            tell_line(format_args!("{}: warning: --at: the place is in a solid part of the map", path.display()));
        }
        return Ok(place);
    }
    level.player_start().ok_or_else(|| CliError::NoPlace(path.to_owned()))
}

/// Maximum number of triangles that are drawn: parts of a map may share a model, so that a small file has many.
const MAX_TRIANGLES: usize = 1 << 21;

/// Returns the triangles of the solid parts, world space, counter-clockwise seen from inside the rooms.
///
/// Triangles of the map itself come first; triangles beyond 2,097,152 are left out.
pub fn triangles(level: &Level) -> Vec<[Vec3; 3]> {
    let parts = level.brush_entities.iter().filter(|part| part.solid && part.model != 0);
    let parts = [(0, Vec3::ZERO)].into_iter().chain(parts.map(|part| (part.model, part.origin)));
    let mut triangles = Vec::new();
    for (model, origin) in parts {
        let Some(model) = level.models.get(model) else { continue };
        let vertices = model.mesh.vertices();
        let corner = |index: u32| vertices.get(index as usize).map(|place| *place + origin);
        let room = MAX_TRIANGLES - triangles.len();
        let found = model.mesh.triangles().iter().filter_map(|[a, b, c]| Some([corner(*a)?, corner(*b)?, corner(*c)?]));
        triangles.extend(found.take(room));
    }
    triangles
}
