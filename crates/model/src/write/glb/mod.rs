//! Binary glTF 2.0.

mod binary;
mod channels;
mod material;
mod mesh_nodes;
mod morph;
mod skeleton;

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::{WriteError, check};
use crate::model::{AnimationSource, Model, Name};
use binary::Binary;
use material::Looks;
pub(super) use material::is_foreign;

/// Writes a model as binary glTF 2.0.
///
/// Axes become glTF's (Y up, Z forward) and 30 Quake units become one metre.
///
/// - **Bones** are nodes in their order and joints of one skin; several roots get a common parent node.
/// - **Poses** become translation, rotation and scale; shear is lost. Each pose is a key, except poses between equal
///   ones. A viewer interpolates between keys by rotating, not by blending matrices. A looping animation ends with its
///   first pose. `extras` hold its rate and loop mode, and `asset.extras.fte.modelflags` the flags of the model, where
///   the readers of this crate and of FTE find them. Animations share equal keys.
/// - **Materials** keep their base colour and its texture: embedded images are inside the file, others are named.
/// - **Vertex frames** become morph targets, one per frame, in place of the morphs of their mesh.
///
/// Weights are scaled to sum to 1, normals and tangents to length 1. Colours are clamped to 0 to 1, rates to 1e-9 to
/// 1e9 poses per second, scales and deltas to the range of an `f32`. Names become UTF-8 of at most 1024 bytes.
/// Triangles that name a vertex twice are dropped, as are meshes without triangles.
/// [`Format::losses`](crate::Format::losses) lists what else is lost.
///
/// # Errors
/// The variants of [`WriteError`] for a model that contradicts itself, [`WriteError::OutOfReach`] and
/// [`WriteError::TooLarge`]. The weights of vertex frames grow with the square of their number.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::model::{Bone, Model, Skeleton};
/// use skelobj::write;
/// let bone = Bone { name: "root".into(), parent: None, bind: Mat3x4::from_translation(Vec3::Z) };
/// let model = Model { skeleton: Skeleton::new(vec![bone])?, ..Model::default() };
/// let read = Model::load("stick.glb", &write::glb(&model)?, |_| None)?;
/// assert_eq!(read.skeleton.names(), model.skeleton.names());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn glb(model: &Model) -> Result<Vec<u8>, WriteError> {
    check::model(model)?;
    check::reach(model, &model.skeleton)?;
    if model.animations.iter().any(|a| matches!(a.source, AnimationSource::Evaluated { .. })) {
        return glb(&model.baked());
    }
    let mut writer = Writer {
        model,
        binary: Binary::default(),
        nodes: Vec::new(),
        scene: Vec::new(),
        mesh_nodes: Vec::new(),
        looks: Looks::new(&model.materials),
    };
    let skins = writer.skeleton()?;
    let meshes = writer.meshes(!skins.is_empty())?;
    let animations = writer.animations(skins.is_empty())?;

    let mut asset = json!({ "version": "2.0", "generator": concat!("skelobj ", env!("CARGO_PKG_VERSION")) });
    if model.flags != 0 {
        asset["extras"] = json!({ "fte": { "modelflags": model.flags } });
    }
    let mut document = Map::from_iter([("asset".to_owned(), asset)]);
    let mut list = |name: &str, elements: Vec<Value>| {
        // glTF has no empty lists.
        if !elements.is_empty() {
            document.insert(name.to_owned(), elements.into());
        }
    };
    let Writer { binary, nodes, scene, looks, .. } = writer;
    let Binary { bytes, views, accessors, .. } = binary;
    list("scenes", if scene.is_empty() { Vec::new() } else { vec![json!({ "nodes": scene })] });
    list("nodes", nodes);
    list("skins", skins);
    list("meshes", meshes);
    list("materials", looks.materials);
    list("textures", looks.textures);
    list("images", looks.images);
    list("animations", animations);
    list("accessors", accessors);
    list("bufferViews", views);
    list("buffers", if bytes.is_empty() { Vec::new() } else { vec![json!({ "byteLength": bytes.len() })] });
    if document.contains_key("scenes") {
        document.insert("scene".to_owned(), 0.into());
    }
    container(Value::Object(document).to_string().into_bytes(), bytes)
}

/// Document so far.
struct Writer<'m> {
    model: &'m Model,
    binary: Binary,
    /// Nodes; the bones come first, in their order.
    nodes: Vec<Value>,
    /// Nodes without a parent.
    scene: Vec<usize>,
    /// Nodes of the meshes that are written.
    mesh_nodes: Vec<usize>,
    looks: Looks<'m>,
}

impl Writer<'_> {
    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// Returns the file of the two chunks.
fn container(mut text: Vec<u8>, mut binary: Vec<u8>) -> Result<Vec<u8>, WriteError> {
    const HEADER: usize = 12;
    const CHUNK: usize = 8;
    text.resize(text.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let chunks = [(b"JSON", text), (b"BIN\0", binary)];
    let chunks = || chunks.iter().filter(|(_, bytes)| !bytes.is_empty());
    let bytes = HEADER + chunks().map(|(_, bytes)| CHUNK + bytes.len()).sum::<usize>();
    let Ok(size) = u32::try_from(bytes) else { return Err(WriteError::TooLarge { bytes }) };
    let mut out = Vec::with_capacity(bytes);
    out.extend_from_slice(b"glTF");
    out.extend([2, size].iter().flat_map(|number: &u32| number.to_le_bytes()));
    for (kind, bytes) in chunks() {
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(*kind);
        out.extend_from_slice(bytes);
    }
    Ok(out)
}

/// Maximum length of a written name, bytes. Many meshes may share a name, and the file repeats it for each.
pub(super) const LONGEST_NAME: usize = 1024;

/// Adds a name to an object unless it is empty.
fn named(mut object: Value, name: &Name) -> Value {
    if !name.is_empty() {
        object["name"] = json!(text(name));
    }
    object
}

/// Returns a name as UTF-8; a long one is cut after the last whole character that fits.
fn text(name: &Name) -> Cow<'_, str> {
    let bytes = name.as_bytes();
    let Some(cut) = bytes.get(..LONGEST_NAME) else { return String::from_utf8_lossy(bytes) };
    match std::str::from_utf8(cut) {
        // Only the cut character is dropped; other invalid UTF-8 is replaced.
        Err(error) if error.error_len().is_none() => String::from_utf8_lossy(&cut[..error.valid_up_to()]),
        _ => String::from_utf8_lossy(cut),
    }
}

/// Returns the shortest decimal of this `f32`, not of the `f64` that it widens to.
fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}
