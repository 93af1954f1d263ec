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
use crate::out::tell;

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

/// Returns the appearance of each mesh. Files are those beside the model; images that are not usable are reported.
pub fn of(model: &Model, path: Option<&Path>) -> Vec<Look> {
    let mut images = Images { folder: path.map(files::folder_of), known: HashMap::new(), pixels: MOST_PIXELS };
    model.meshes.iter().enumerate().map(|(number, mesh)| images.look(model, number, mesh)).collect()
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
        let names = names.map(ToString::to_string).filter(|name| !name.is_empty()).collect();
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
            Some(TextureSource::File(file)) => vec![file.to_string()],
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
    /// Images by the name of their material.
    known: HashMap<String, Option<Arc<Texture>>>,
    /// Number of pixels that may still be read.
    pixels: usize,
}

impl Images {
    fn look(&mut self, model: &Model, number: usize, mesh: &Mesh) -> Look {
        let source = Source::of(model, number, mesh);
        let white = |color: &[f32; 4]| *color == [1.0; 4];
        let color = source.material.map(|material| material.color).filter(|color| !white(color));
        let color = color.map(|color| Vec3::from_slice(&color[..3]).clamp(Vec3::ZERO, Vec3::ONE));
        let key = source.names.join("\n");
        if !self.known.contains_key(&key) {
            let texture = self.texture(&source).map(Arc::new);
            self.known.insert(key.clone(), texture);
        }
        let texture = self.known.get(&key).cloned().flatten().filter(|_| !mesh.texcoords.is_empty());
        Look { texture, color }
    }

    fn texture(&mut self, source: &Source) -> Option<Texture> {
        let (name, bytes) = match source.embedded() {
            Some(bytes) => ("the texture in the model".to_owned(), bytes.to_vec()),
            None => source.file(self.folder.as_ref()?)?,
        };
        let image = decode::image(&bytes).and_then(|image| {
            let left = self.pixels.checked_sub(image.pixels.len()).ok_or("the textures are too large together")?;
            self.pixels = left;
            Ok(image)
        });
        image.map_err(|reason| tell(format_args!("{name}: warning: not drawn: {reason}\n"))).ok().map(Texture::new)
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
