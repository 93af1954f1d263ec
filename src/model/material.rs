//! Looks of materials, for formats that store them.

use std::sync::Arc;

use super::Name;

/// The look of a material, as far as every renderer has it.
///
/// Meshes refer to it by [`Mesh::material`](super::Mesh::material).
#[derive(Clone, PartialEq, Debug)]
pub struct Material {
    /// Name that meshes refer to.
    pub name: Name,
    /// Red, green, blue, alpha; 0 to 1, linear. The texture is multiplied by it.
    pub color: [f32; 4],
    /// The image on the surface.
    pub texture: Option<Texture>,
    /// Set where the file says more that is not kept: other textures, roughness, transparency.
    pub has_more: bool,
}

impl Default for Material {
    /// White, without a name or a texture.
    fn default() -> Self {
        Self { name: Name::default(), color: [1.0; 4], texture: None, has_more: false }
    }
}

/// The image of a [`Material`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Texture {
    /// A file, by its path from the model's folder.
    File(Name),
    /// An image file inside the model's file.
    Embedded {
        /// Media type of the image: `image/png`, `image/jpeg`.
        mime: Name,
        /// Contents of the image file.
        bytes: Arc<[u8]>,
    },
}
