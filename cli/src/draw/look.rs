//! Appearance of a model's meshes: textures in the model or beside it, and colours.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use skelobj::Model;
use skelobj::math::Vec3;
use skelobj::model::{Material, Mesh, Texture as TextureSource};

use super::beside::{Beside, Found};
use super::decode;
use super::texture::Texture;
use crate::out::{json_name, tell_line};

/// Appearance of a mesh.
#[derive(Clone, Default)]
pub struct Look {
    /// Image on it.
    pub texture: Option<Arc<Texture>>,
    /// Colour in linear light, which tints the image.
    pub color: Option<Vec3>,
}

/// Maximum number of pixels of all images: 360 MB with the smaller copies.
const MAX_PIXELS: usize = 1 << 26;
/// Maximum number of images that are reported one by one.
const MAX_REFUSALS: usize = 8;

/// Returns the appearance of each mesh. Files are those beside the model; images that are not usable are reported.
pub fn of(model: &Model, path: Option<&Path>) -> Vec<Look> {
    let (named, decoded) = (HashMap::new(), HashMap::new());
    let (beside, refusals) = (path.map(Beside::new), Refusals::default());
    let mut images = Images { beside, named, decoded, room: MAX_PIXELS, refusals, opaque: HashMap::new() };
    let looks = model.meshes.iter().enumerate().map(|(number, mesh)| images.look(model, number, mesh)).collect();
    images.refusals.end();
    looks
}

/// Returns the names and the contents of the images beside the model at a path that its meshes show.
pub fn images(model: &Model, path: &Path) -> BTreeMap<String, Arc<[u8]>> {
    let (mut asked, mut found) = (HashSet::new(), BTreeMap::new());
    let (mut beside, mut refusals) = (Beside::new(path), Refusals::default());
    for (number, mesh) in model.meshes.iter().enumerate() {
        let source = Source::of(model, number, mesh);
        if asked.insert(source.stated())
            && let Some((name, bytes)) = source.file(&mut beside)
        {
            match bytes {
                Ok(bytes) => _ = found.insert(name, bytes),
                Err(reason) => refusals.tell_unread(&name, reason),
            }
        }
    }
    refusals.end();
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

    /// Returns `true` if the alpha of the image means nothing: by the material, or on a surface of Quake III that has
    /// none.
    fn is_opaque(&self, mesh: &Mesh) -> bool {
        let stated = self.material.map(|material| !material.is_masked && !material.is_blended);
        stated.unwrap_or(!mesh.frames.positions.is_empty())
    }

    /// Returns the bytes of the image in the model.
    fn embedded(&self) -> Option<&'a Arc<[u8]>> {
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

    /// Returns the image beside the model.
    fn file(&self, beside: &mut Beside) -> Option<Found> {
        self.stated().iter().find_map(|name| beside.find(name))
    }
}

/// Images that are not shown, of which the first are reported one by one.
#[derive(Default)]
struct Refusals {
    count: usize,
    /// Names of files that are not read, which are reported once.
    unread: HashSet<String>,
}

impl Refusals {
    fn tell(&mut self, name: &str, reason: &str) {
        self.count += 1;
        if self.count <= MAX_REFUSALS {
            tell_line(format_args!("{name}: warning: not drawn: {reason}"));
        }
    }

    fn tell_unread(&mut self, name: &str, reason: &str) {
        if self.unread.insert(name.to_owned()) {
            self.tell(name, reason);
        }
    }

    fn end(&self) {
        if let Some(more @ 1..) = self.count.checked_sub(MAX_REFUSALS) {
            tell_line(format_args!("warning: {more} more textures are not drawn"));
        }
    }
}

struct Images {
    beside: Option<Beside>,
    /// Images beside the model by the names under which they may be.
    named: HashMap<Vec<String>, Option<Arc<Texture>>>,
    /// Images by the contents of their files.
    decoded: HashMap<Arc<[u8]>, Option<Arc<Texture>>>,
    /// Number of pixels that may still be decoded.
    room: usize,
    refusals: Refusals,
    /// Images without their holes, by the addresses of the images.
    opaque: HashMap<*const Texture, Arc<Texture>>,
}

impl Images {
    fn look(&mut self, model: &Model, number: usize, mesh: &Mesh) -> Look {
        let source = Source::of(model, number, mesh);
        let white = |color: &[f32; 4]| *color == [1.0; 4];
        let color = source.material.map(|material| material.color).filter(|color| !white(color));
        let color = color.map(|color| Vec3::from_slice(&color[..3]).clamp(Vec3::ZERO, Vec3::ONE));
        let mut texture = if mesh.texcoords.is_empty() { None } else { self.texture(&source) };
        if source.is_opaque(mesh) {
            texture = texture.map(|texture| self.opaque(texture));
        }
        Look { texture, color }
    }

    /// Returns an image without its holes, the same one for all meshes.
    fn opaque(&mut self, texture: Arc<Texture>) -> Arc<Texture> {
        if !texture.has_holes() {
            return texture;
        }
        self.opaque.entry(Arc::as_ptr(&texture)).or_insert_with(|| Arc::new(texture.opaque())).clone()
    }

    fn texture(&mut self, source: &Source) -> Option<Arc<Texture>> {
        if let Some(bytes) = source.embedded() {
            return self.decoded("the texture in the model", bytes);
        }
        let stated = source.stated();
        if let Some(known) = self.named.get(&stated) {
            return known.clone();
        }
        let file = self.beside.as_mut().and_then(|beside| source.file(beside));
        let texture = file.and_then(|(name, bytes)| match bytes {
            Ok(bytes) => self.decoded(&name, &bytes),
            Err(reason) => {
                self.refusals.tell_unread(&name, reason);
                None
            }
        });
        self.named.insert(stated, texture.clone());
        texture
    }

    fn decoded(&mut self, name: &str, bytes: &Arc<[u8]>) -> Option<Arc<Texture>> {
        if let Some(known) = self.decoded.get(bytes) {
            return known.clone();
        }
        let texture = match decode::image(bytes, &mut self.room) {
            Ok(image) => Some(Arc::new(Texture::new(image))),
            Err(reason) => {
                self.refusals.tell(name, &reason);
                None
            }
        };
        self.decoded.insert(bytes.clone(), texture.clone());
        texture
    }
}
