//! Page as one file, and as a folder for any web server.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use skelobj::doll::decode;

use super::parts;
use super::scene::{Scene, SceneFile};
use crate::error::CliError;
use crate::files;

/// Comment of the page that the parts replace in the one-file form.
const PARTS: &str = "<!-- skelobj:files -->";
/// Comment of the page that the files of the scene replace.
const SCENE: &str = "<!-- skelobj:scene -->";

/// Writes the page as one file.
pub fn html(path: &Path, scene: Option<&Scene>, inputs: &[&Path], force: bool) -> Result<u64, CliError> {
    let mut scripts = String::new();
    for part in parts::LOADED {
        let name = part.name.trim_end_matches(".gz");
        let bytes = BASE64_STANDARD.encode(part.bytes);
        scripts.push_str(&format!("<script type=\"application/gzip+base64\" id=\"{name}\">{bytes}</script>\n"));
    }
    let page = index(scene).replacen(PARTS, &scripts, 1);
    write(path, page.as_bytes(), inputs, force)
}

/// Writes the page as a folder, and returns its size, bytes. No file is written if one of them must not be.
pub fn folder(path: &Path, scene: Option<&Scene>, inputs: &[&Path], force: bool) -> Result<u64, CliError> {
    for part in parts::all() {
        files::refuse_existing(&path.join(part.name), inputs, force)?;
    }
    fs::create_dir_all(path).map_err(|error| CliError::Write(path.to_owned(), error))?;
    let mut size = write(&path.join(parts::INDEX.name), index(scene).as_bytes(), inputs, force)?;
    for part in parts::LOADED.into_iter().chain([parts::LICENCES]) {
        size += write(&path.join(part.name), part.bytes, inputs, force)?;
    }
    Ok(size)
}

fn write(path: &Path, bytes: &[u8], inputs: &[&Path], force: bool) -> Result<u64, CliError> {
    files::write(path, bytes, inputs, force)?;
    Ok(bytes.len() as u64)
}

/// Returns the page with the files of a scene, if there is one.
fn index(scene: Option<&Scene>) -> String {
    let page = String::from_utf8_lossy(parts::INDEX.bytes);
    let script = |scene| {
        // No text of a file ends the element, or begins a comment in it.
        let text = describe(scene).to_string().replace('<', "\\u003c");
        format!("<script type=\"application/json\" id=\"scene\">{text}</script>")
    };
    page.replacen(SCENE, &scene.map(script).unwrap_or_default(), 1)
}

fn describe(scene: &Scene) -> Value {
    let file = |file: &SceneFile| json!({ "name": file.name, "base64": BASE64_STANDARD.encode(&file.bytes) });
    let doll = scene.doll.as_ref();
    json!({
        "builtin": scene.model.is_none().then_some("mannequin"),
        "model": scene.model.as_ref().map(file),
        "side": scene.side.iter().map(file).collect::<Vec<Value>>(),
        "doll": doll.map(|doll| json!({ "name": doll.name, "text": decode(&doll.bytes) })),
        "level": scene.level.as_ref().map(|level| {
            let mut level = file(level);
            if let Some(palette) = &scene.palette {
                level["palette"] = BASE64_STANDARD.encode(&palette.bytes).into();
            }
            level
        }),
        "scale": scene.scale,
        "fade": scene.fade,
    })
}
