//! Materials: names, colours and images.

use std::collections::HashSet;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use super::Gltf;
use super::buffer::decode;
use super::schema;
use crate::files::source::is_plain_path;
use crate::model::{Fixup, Material, ModelError, Name, Texture};

impl Gltf<'_> {
    /// Returns all materials in the order of the document. A material that has a colour or texture but no name, or the
    /// name of another material, is named after its number.
    pub fn materials(&mut self) -> Result<Vec<Material>, ModelError> {
        let root = self.root;
        let mut images: Vec<Option<Texture>> = self.reserve("images", 0, root.images.len() as u64)?;
        for index in 0..root.images.len() {
            let image = self.image(index)?;
            images.push(image);
        }
        let mut materials = self.reserve("materials", 0, root.materials.len() as u64)?;
        let mut names = HashSet::new();
        for (index, json) in root.materials.iter().enumerate() {
            let surface = json.surface.as_deref();
            let mut material = Material {
                is_masked: json.alpha_mode.as_deref() == Some("MASK"),
                is_blended: json.alpha_mode.as_deref() == Some("BLEND"),
                has_more: has_more(json),
                ..Material::default()
            };
            let color = surface.and_then(|surface| surface.base_color_factor).unwrap_or([1.0; 4]);
            material.color = color.map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 });
            if let Some(used) = surface.and_then(|surface| surface.base_color_texture.as_ref()) {
                let Some(texture) = root.textures.get(used.index) else {
                    return Err(self.outside("materials", index, "texture", used.index, root.textures.len()));
                };
                material.texture = match texture.source.map(|source| (source, images.get(source))) {
                    Some((source, None)) => {
                        return Err(self.outside("textures", used.index, "image", source, images.len()));
                    }
                    Some((_, Some(image))) => image.clone(),
                    None => None,
                };
                material.has_more |= material.texture.is_none();
            }
            let name = json.name.as_deref().unwrap_or_default();
            let is_plain = Material { has_more: false, ..material.clone() } == Material::default();
            let mut named = match name {
                "" if !is_plain => format!("material{index}"),
                name => name.to_owned(),
            };
            while !named.is_empty() && names.contains(&named) {
                named = format!("{named}.{index}");
            }
            self.file.charge("materials", 0, 2 * named.len() as u64)?;
            material.name = Name::from(&*named);
            names.insert(named);
            materials.push(material);
        }
        Ok(materials)
    }

    /// Returns an image of the document; `None` if it is not available.
    fn image(&mut self, index: usize) -> Result<Option<Texture>, ModelError> {
        let root = self.root;
        let json = &root.images[index];
        let stated = json.mime_type.as_deref().unwrap_or_default();
        if let Some(view) = json.buffer_view {
            let Some(view_json) = root.buffer_views.get(view) else {
                return Err(self.outside("images", index, "bufferView", view, root.buffer_views.len()));
            };
            let bytes = self.view_bytes(view, view_json)?;
            return self.embedded(index, stated, bytes).map(Some);
        }
        let uri = json.uri.as_deref().unwrap_or_default();
        if let Some(data) = uri.strip_prefix("data:") {
            self.charge("images", index, data.len() as u64)?;
            if let Some(bytes) = decode(data) {
                let kind = data.split([';', ',']).next().unwrap_or_default();
                return self.embedded(index, if kind.is_empty() { stated } else { kind }, &bytes).map(Some);
            }
        }
        let mut name = percent_decode_str(uri).decode_utf8_lossy().into_owned();
        while let Some(rest) = name.strip_prefix("./") {
            name = rest.to_owned();
        }
        if is_plain_path(&name) {
            self.charge("images", index, name.len() as u64)?;
            return Ok(Some(Texture::File(Name::from(&*name))));
        }
        self.warn("images", index, Fixup::Dropped("an image outside the model's folder"));
        Ok(None)
    }

    fn embedded(&mut self, index: usize, stated: &str, bytes: &[u8]) -> Result<Texture, ModelError> {
        self.charge("images", index, bytes.len() as u64)?;
        // The first bytes of the image are more reliable than the stated type.
        let mime = match bytes {
            [0x89, b'P', b'N', b'G', ..] => "image/png",
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            _ => stated,
        };
        Ok(Texture::Embedded { mime: Name::from(mime), bytes: Arc::from(bytes) })
    }
}

/// Returns `true` if a material has properties that are not kept.
fn has_more(json: &schema::Material) -> bool {
    let surface = json.surface.as_deref();
    let of_surface = surface.map(|surface| [surface.metallic_roughness_texture, surface.roughness_factor]);
    let others =
        [json.normal_texture, json.occlusion_texture, json.emissive_texture, json.emissive_factor, json.alpha_cutoff];
    let mut all = others.into_iter().chain(of_surface.into_iter().flatten());
    let is_unknown = json.alpha_mode.as_deref().is_some_and(|mode| !matches!(mode, "OPAQUE" | "MASK" | "BLEND"));
    is_unknown || all.any(|part| part.is_some()) || !json.extensions.is_empty()
}
