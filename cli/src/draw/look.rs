//! Appearance of a model's meshes: textures in the model or beside it, and colours.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use skelobj::Model;
use skelobj::math::Vec3;
use skelobj::model::{Material, Mesh, Texture as TextureSource};

use super::decode;
use super::texture::Texture;
use crate::files;
use crate::folder::{Folder, read_in};
use crate::out::{json_name, tell_line};

/// Appearance of a mesh.
#[derive(Clone, Default)]
pub struct Look {
    /// Image on it.
    pub texture: Option<Arc<Texture>>,
    /// Colour in linear light, which tints the image.
    pub color: Option<Vec3>,
}

/// Endings of images beside a model, in the order of preference.
const ENDINGS: [&str; 5] = ["png", "tga", "jpg", "jpeg", "pcx"];
/// Maximum number of pixels of all images: 360 MB with the smaller copies.
const MOST_PIXELS: usize = 1 << 26;
/// Maximum number of images that are reported one by one.
const MOST_REFUSALS: usize = 8;

/// Returns the appearance of each mesh. Files are those beside the model; images that are not usable are reported.
pub fn of(model: &Model, path: Option<&Path>) -> Vec<Look> {
    let folder = path.map(files::folder_of);
    let (named, decoded) = (HashMap::new(), HashMap::new());
    let mut images = Images { folder, named, decoded, room: MOST_PIXELS, refused: 0 };
    let looks = model.meshes.iter().enumerate().map(|(number, mesh)| images.look(model, number, mesh)).collect();
    if let Some(more @ 1..) = images.refused.checked_sub(MOST_REFUSALS) {
        tell_line(format_args!("warning: {more} more textures are not drawn"));
    }
    looks
}

/// Returns the names and the contents of the images beside the model that its meshes show. Images that several meshes
/// show are read once.
pub fn images(model: &Model, folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let (mut asked, mut found) = (HashSet::new(), BTreeMap::new());
    for (number, mesh) in model.meshes.iter().enumerate() {
        let source = Source::of(model, number, mesh);
        if asked.insert(source.stated()) {
            found.extend(source.file(folder));
        }
    }
    found
}

/// Material of a mesh and the names under which its image may be.
struct Source<'a> {
    material: Option<&'a Material>,
    names: Vec<String>,
}

impl<'a> Source<'a> {
    fn of(model: &'a Model, number: usize, mesh: &Mesh) -> Self {
        let material = model.materials.iter().find(|material| material.name == mesh.material);
        let skin = model.skins.iter().find(|skin| skin.mesh == number).and_then(|skin| skin.materials.first());
        let names = skin.into_iter().flat_map(|skin| [&skin.shader, &skin.material]).chain([&mesh.material]);
        let names = names.map(json_name).filter(|name| !name.is_empty()).collect();
        Self { material, names }
    }

    /// Returns the bytes of the image in the model.
    fn embedded(&self) -> Option<&'a [u8]> {
        match self.material?.texture.as_ref()? {
            TextureSource::Embedded { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// Returns the names under which the image beside the model may be.
    fn stated(&self) -> Vec<String> {
        match self.material.and_then(|material| material.texture.as_ref()) {
            Some(TextureSource::Embedded { .. }) => Vec::new(),
            Some(TextureSource::File(file)) => vec![json_name(file)],
            _ => self.names.clone(),
        }
    }

    /// Returns the name and the contents of the image beside the model.
    fn file(&self, folder: &Folder) -> Option<(String, Vec<u8>)> {
        self.stated().iter().find_map(|name| find(folder, name))
    }
}

struct Images {
    folder: Option<Folder>,
    /// Images beside the model by the names under which they may be.
    named: HashMap<Vec<String>, Option<Arc<Texture>>>,
    /// Images by the contents of their files.
    decoded: HashMap<Vec<u8>, Option<Arc<Texture>>>,
    /// Number of pixels that may still be decoded.
    room: usize,
    /// Number of images that are not usable.
    refused: usize,
}

impl Images {
    fn look(&mut self, model: &Model, number: usize, mesh: &Mesh) -> Look {
        let source = Source::of(model, number, mesh);
        let white = |color: &[f32; 4]| *color == [1.0; 4];
        let color = source.material.map(|material| material.color).filter(|color| !white(color));
        let color = color.map(|color| Vec3::from_slice(&color[..3]).clamp(Vec3::ZERO, Vec3::ONE));
        let texture = if mesh.texcoords.is_empty() { None } else { self.texture(&source) };
        Look { texture, color }
    }

    fn texture(&mut self, source: &Source) -> Option<Arc<Texture>> {
        if let Some(bytes) = source.embedded() {
            return self.decoded("the texture in the model", bytes);
        }
        let stated = source.stated();
        if let Some(known) = self.named.get(&stated) {
            return known.clone();
        }
        let file = self.folder.as_ref().and_then(|folder| source.file(folder));
        let texture = file.and_then(|(name, bytes)| self.decoded(&name, &bytes));
        self.named.insert(stated, texture.clone());
        texture
    }

    fn decoded(&mut self, name: &str, bytes: &[u8]) -> Option<Arc<Texture>> {
        if let Some(known) = self.decoded.get(bytes) {
            return known.clone();
        }
        let texture = match decode::image(bytes, &mut self.room) {
            Ok(image) => Some(Arc::new(Texture::new(image))),
            Err(reason) => {
                self.refused += 1;
                if self.refused <= MOST_REFUSALS {
                    tell_line(format_args!("{name}: warning: not drawn: {reason}"));
                }
                None
            }
        };
        self.decoded.insert(bytes.to_vec(), texture.clone());
        texture
    }
}

/// Returns the name and the contents of an image: at the path that a material states, or beside the model, with this
/// ending or another.
fn find(folder: &Folder, stated: &str) -> Option<(String, Vec<u8>)> {
    let stated = stated.replace('\\', "/");
    let alone = stated.rsplit('/').next().unwrap_or(&stated);
    let read = |name: String| read_in(folder, &name).map(|bytes| (name, bytes));
    [stated.as_str(), alone].into_iter().find_map(|name| {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_image = ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
        let stem = if is_image { stem } else { name };
        let exact = is_image.then(|| name.to_owned());
        exact.into_iter().chain(ENDINGS.map(|ending| format!("{stem}.{ending}"))).find_map(read)
    })
}
