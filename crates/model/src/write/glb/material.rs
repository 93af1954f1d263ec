//! Materials and their images.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Writer, number, text};
use crate::model::{Material, Name, Texture};

/// Lists that materials fill.
#[derive(Default)]
pub(super) struct Looks<'m> {
    pub materials: Vec<Value>,
    pub textures: Vec<Value>,
    pub images: Vec<Value>,
    /// Materials of the model by name.
    known: HashMap<&'m Name, &'m Material>,
    by_name: HashMap<&'m Name, usize>,
    /// Texture of each image, by its address in memory or its name.
    by_image: HashMap<(usize, &'m [u8]), usize>,
}

impl<'m> Looks<'m> {
    pub fn new(materials: &'m [Material]) -> Self {
        let known = materials.iter().rev().map(|material| (&material.name, material)).collect();
        Self { known, ..Self::default() }
    }
}

/// Returns `true` if the texture of a material is embedded in a format that glTF does not have.
pub(in crate::write) fn is_foreign(material: &Material) -> bool {
    let Some(Texture::Embedded { mime, .. }) = &material.texture else { return false };
    !matches!(mime.as_bytes(), b"image/png" | b"image/jpeg")
}

impl<'m> Writer<'m> {
    /// Returns the number of the material of this name.
    pub fn material(&mut self, name: &'m Name) -> usize {
        if let Some(&known) = self.looks.by_name.get(name) {
            return known;
        }
        // Metal, the default of glTF, is black without reflections.
        let mut surface = json!({ "metallicFactor": 0 });
        if let Some(&material) = self.looks.known.get(name) {
            if material.color != [1.0; 4] {
                surface["baseColorFactor"] = material.color.map(|part| number(part.clamp(0.0, 1.0))).to_vec().into();
            }
            if let Some(texture) = material.texture.as_ref().filter(|_| !is_foreign(material)) {
                surface["baseColorTexture"] = json!({ "index": self.texture(texture) });
            }
        }
        let mut written = json!({ "name": text(name), "pbrMetallicRoughness": surface });
        match self.looks.known.get(name) {
            Some(material) if material.is_masked => written["alphaMode"] = json!("MASK"),
            Some(material) if material.is_blended => written["alphaMode"] = json!("BLEND"),
            _ => {}
        }
        self.looks.materials.push(written);
        let index = self.looks.materials.len() - 1;
        self.looks.by_name.insert(name, index);
        index
    }

    /// Returns the number of a texture; its image is written once.
    fn texture(&mut self, texture: &'m Texture) -> usize {
        let key = match texture {
            Texture::File(name) => (0, name.as_bytes()),
            Texture::Embedded { bytes, .. } => (bytes.as_ptr().addr(), &[][..]),
        };
        if let Some(&known) = self.looks.by_image.get(&key) {
            return known;
        }
        let image = match texture {
            Texture::File(name) => json!({ "uri": encoded(name.as_bytes()) }),
            Texture::Embedded { mime, bytes } => {
                json!({ "bufferView": self.binary.blob(bytes), "mimeType": text(mime) })
            }
        };
        self.looks.textures.push(json!({ "source": self.looks.images.len() }));
        self.looks.images.push(image);
        let index = self.looks.textures.len() - 1;
        self.looks.by_image.insert(key, index);
        index
    }
}

/// Encodes a path as part of a URI.
fn encoded(path: &[u8]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let part = |&byte: &u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.iter().map(part).collect()
}
