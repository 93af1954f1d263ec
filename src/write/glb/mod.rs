//! glTF 2.0 in its binary form.

mod animation;
mod binary;
mod material;
mod mesh;
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
/// Axes become glTF's (Y up, Z forward) and thirty Quake units a metre. Bones are nodes in their order, all of them
/// joints of one skin; a node above them joins several roots. Poses become translation, rotation and scale, a key for
/// each pose but those between poses that are the same: shear is lost, and what a viewer shows between two poses is
/// turned, not blended. Keys that are the same in several animations stand in the file once. A looping animation ends
/// with the pose it began with. Its rate and whether it loops stand in its `extras` too, where the reader here finds
/// them, and the model's flags where FTE does (`asset.extras.fte.modelflags`). Materials have their base colour and its
/// texture: images that the model holds are inside the file, others are named. Frames of vertices become morph targets,
/// one a frame, in place of the morphs of their mesh.
///
/// Weights are scaled to sum to 1, normals and tangents to length 1, colours are cut to 0 to 1, names to UTF-8 and 1024
/// bytes, rates to between one pose in 1e9 seconds and 1e9 a second, scales and what a target moves to what an `f32`
/// holds. Triangles that name a vertex twice are left out, as are meshes without triangles. What else glTF has no place
/// for is told by [`Format::losses`](crate::Format::losses).
///
/// # Errors
/// Whatever in the model contradicts itself, and what becomes larger than a file can be: the weights of frames of
/// vertices grow with their square.
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
    let skins = writer.skeleton();
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

/// The document so far.
struct Writer<'m> {
    model: &'m Model,
    binary: Binary,
    /// Bones first, in their order.
    nodes: Vec<Value>,
    /// The nodes that hang on none.
    scene: Vec<usize>,
    /// The nodes of the meshes that are written.
    mesh_nodes: Vec<usize>,
    looks: Looks<'m>,
}

impl Writer<'_> {
    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// The two chunks of a file.
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

/// Most bytes of a name that are written: many meshes may share one, and each has it in the file.
pub(super) const LONGEST_NAME: usize = 1024;

/// Adds a name to an object, if there is one.
fn named(mut object: Value, name: &Name) -> Value {
    if !name.is_empty() {
        object["name"] = json!(text(name));
    }
    object
}

/// A name as UTF-8; a long one ends with the last character that fits whole.
fn text(name: &Name) -> Cow<'_, str> {
    let bytes = name.as_bytes();
    let Some(cut) = bytes.get(..LONGEST_NAME) else { return String::from_utf8_lossy(bytes) };
    match std::str::from_utf8(cut) {
        // What was cut in the middle, not what is no UTF-8.
        Err(error) if error.error_len().is_none() => String::from_utf8_lossy(&cut[..error.valid_up_to()]),
        _ => String::from_utf8_lossy(cut),
    }
}

/// The shortest decimal that means this `f32`, not the `f64` that it widens to.
fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}
