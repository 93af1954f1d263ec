//! Types of the parts of a document that are read.
//!
//! These types accept more than the format allows. Required members that are not needed here may be absent, and unknown
//! words are kept as text, so that one unusual animation or material does not make a whole file unreadable. An optional
//! member that is `null`, as some exporters write it, is absent.

use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;
use std::ops::Deref;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Deserialises a member that may be `null`.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(member: D) -> Result<T, D::Error> {
    Option::deserialize(member).map(Option::unwrap_or_default)
}

/// Text, borrowed from the document unless it contains escapes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Text<'_> {
    fn borrow(&self) -> &str {
        self
    }
}

/// Application data, unparsed.
pub(super) type Extras<'a> = Option<&'a RawValue>;
/// Extensions by name, unparsed.
pub(super) type Extensions<'a> = BTreeMap<Text<'a>, &'a RawValue>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root<'a> {
    #[serde(borrow)]
    pub asset: Asset<'a>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub extensions_required: Vec<Text<'a>>,
    pub scene: Option<usize>,
    #[serde(default, deserialize_with = "or_default")]
    pub scenes: Vec<Scene>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub nodes: Vec<Node<'a>>,
    #[serde(default, deserialize_with = "or_default")]
    pub skins: Vec<Skin>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub meshes: Vec<Mesh<'a>>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub materials: Vec<Material<'a>>,
    #[serde(default, deserialize_with = "or_default")]
    pub textures: Vec<Texture>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub images: Vec<Image<'a>>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub animations: Vec<Animation<'a>>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub accessors: Vec<Accessor<'a>>,
    #[serde(default, deserialize_with = "or_default")]
    pub buffer_views: Vec<View>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub buffers: Vec<Buffer<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Asset<'a> {
    #[serde(borrow)]
    pub version: Text<'a>,
    #[serde(borrow)]
    pub extras: Extras<'a>,
}

/// The part of a document that versions 1 and 2 have alike.
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    #[serde(borrow)]
    pub asset: HeadAsset<'a>,
}

#[derive(Deserialize)]
pub(super) struct HeadAsset<'a> {
    /// Text, or in some old files a number.
    #[serde(borrow)]
    pub version: &'a RawValue,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default, deserialize_with = "or_default")]
    pub nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Node<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    #[serde(default, deserialize_with = "or_default")]
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub camera: Option<usize>,
    pub matrix: Option<Box<[f32; 16]>>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub weights: Option<Vec<f32>>,
}

impl Node<'_> {
    /// Returns the name; empty if there is none.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub joints: Vec<usize>,
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Mesh<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    #[serde(borrow)]
    pub primitives: Vec<Primitive<'a>>,
    pub weights: Option<Vec<f32>>,
    #[serde(borrow)]
    pub extras: Extras<'a>,
}

#[derive(Deserialize)]
pub(super) struct Primitive<'a> {
    /// Accessors by semantic.
    #[serde(borrow)]
    pub attributes: BTreeMap<Text<'a>, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    pub mode: Option<u32>,
    #[serde(default, deserialize_with = "or_default")]
    pub targets: Vec<Target>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub extensions: Extensions<'a>,
}

/// Accessors of a morph target.
#[derive(Deserialize)]
pub(super) struct Target {
    #[serde(rename = "POSITION")]
    pub positions: Option<usize>,
    #[serde(rename = "NORMAL")]
    pub normals: Option<usize>,
}

/// Material. Properties that are not kept are only noted as present.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    #[serde(rename = "pbrMetallicRoughness")]
    pub surface: Option<Box<Surface>>,
    pub normal_texture: Option<Ignored>,
    pub occlusion_texture: Option<Ignored>,
    pub emissive_texture: Option<Ignored>,
    pub emissive_factor: Option<Ignored>,
    #[serde(borrow)]
    pub alpha_mode: Option<Text<'a>>,
    pub alpha_cutoff: Option<Ignored>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub extensions: Extensions<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Surface {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureUse>,
    pub metallic_roughness_texture: Option<Ignored>,
    pub roughness_factor: Option<Ignored>,
}

#[derive(Deserialize)]
pub(super) struct TextureUse {
    pub index: usize,
}

/// Marker of a member that is present.
#[derive(Clone, Copy)]
pub(super) struct Ignored;

impl<'de> Deserialize<'de> for Ignored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

#[derive(Deserialize)]
pub(super) struct Texture {
    /// Image; `None` if only an extension names one.
    pub source: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image<'a> {
    #[serde(borrow)]
    pub uri: Option<Text<'a>>,
    #[serde(borrow)]
    pub mime_type: Option<Text<'a>>,
    pub buffer_view: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Animation<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    #[serde(borrow)]
    pub channels: Vec<Channel<'a>>,
    #[serde(borrow)]
    pub samplers: Vec<Sampler<'a>>,
    #[serde(borrow)]
    pub extras: Extras<'a>,
}

#[derive(Deserialize)]
pub(super) struct Channel<'a> {
    pub sampler: usize,
    #[serde(borrow)]
    pub target: ChannelTarget<'a>,
}

#[derive(Deserialize)]
pub(super) struct ChannelTarget<'a> {
    pub node: Option<usize>,
    #[serde(borrow)]
    pub path: Text<'a>,
}

#[derive(Deserialize)]
pub(super) struct Sampler<'a> {
    pub input: usize,
    pub output: usize,
    #[serde(borrow)]
    pub interpolation: Option<Text<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor<'a> {
    pub buffer_view: Option<usize>,
    #[serde(default, deserialize_with = "or_default")]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: SparsePart,
    pub values: SparsePart,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub buffer_view: usize,
    #[serde(default, deserialize_with = "or_default")]
    pub byte_offset: u64,
    /// Component type of the indices; the values have that of their accessor.
    pub component_type: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub buffer: usize,
    #[serde(default, deserialize_with = "or_default")]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer<'a> {
    pub byte_length: u64,
    #[serde(borrow)]
    pub uri: Option<Text<'a>>,
    #[serde(default, deserialize_with = "or_default", borrow)]
    pub extensions: Extensions<'a>,
}

/// Property of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Property {
    /// Returns the property of this name.
    pub fn of(path: &str) -> Option<Self> {
        Some(match path {
            "translation" => Self::Translation,
            "rotation" => Self::Rotation,
            "scale" => Self::Scale,
            "weights" => Self::Weights,
            _ => return None,
        })
    }

    /// Returns the number of components of a value.
    pub fn width(self) -> usize {
        match self {
            Self::Rotation => 4,
            Self::Translation | Self::Scale => 3,
            Self::Weights => 1,
        }
    }
}
