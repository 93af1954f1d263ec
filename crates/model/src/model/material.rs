//! Appearance of materials, for formats that store it.

use std::sync::Arc;

use super::Name;

/// Appearance of a material, reduced to the properties that every renderer has.
///
/// A mesh refers to a material by its name in [`Mesh::material`](super::Mesh::material).
///
/// ```
/// use skelobj::model::{Material, Texture};
///
/// let mut mannequin = skelobj::assets::mannequin();
/// let texture = Some(Texture::File("textures/wood.png".into()));
/// mannequin.materials.push(Material { name: "mannequin/wood".into(), texture, ..Material::default() });
/// let body = &mannequin.meshes[0];
/// let look = mannequin.materials.iter().find(|material| material.name == body.material);
/// assert_eq!(look.map(|look| look.color), Some([1.0; 4]));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Material {
    /// Name that meshes refer to.
    pub name: Name,
    /// Red, green, blue and alpha, 0 to 1, linear; the texture is multiplied by them.
    pub color: [f32; 4],
    /// Image on the surface.
    pub texture: Option<Texture>,
    /// `true` if the texture has holes: a pixel is drawn if its opacity is one half or more, and not drawn otherwise.
    pub is_masked: bool,
    /// `true` if the surface is as transparent as its colour and texture. A material that is neither masked nor blended
    /// is opaque, whatever the alpha of colour and texture.
    pub is_blended: bool,
    /// `true` if the file has properties that are not kept: other textures, roughness, ways of blending.
    pub has_more: bool,
}

impl Default for Material {
    /// Returns a white material without a name and without a texture.
    fn default() -> Self {
        Self {
            name: Name::default(),
            color: [1.0; 4],
            texture: None,
            is_masked: false,
            is_blended: false,
            has_more: false,
        }
    }
}

/// Image of a [`Material`].
///
/// ```
/// use skelobj::model::Texture;
/// let path = |texture: &Texture| match texture {
///     Texture::File(path) => Some(path.to_string()), // relative to the model's folder
///     _ => None, // the image is in the model file
/// };
/// assert_eq!(path(&Texture::File("wood.png".into())).as_deref(), Some("wood.png"));
/// let embedded = Texture::Embedded { mime: "image/png".into(), bytes: [0x89, b'P', b'N', b'G'].into() };
/// assert_eq!(path(&embedded), None);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Texture {
    /// Path of an image file, relative to the model's folder.
    File(Name),
    /// Image file inside the model file.
    Embedded {
        /// Media type of the image: `image/png`, `image/jpeg`.
        mime: Name,
        /// Contents of the image file.
        bytes: Arc<[u8]>,
    },
}
