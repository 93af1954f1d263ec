//! Triangles, surfaces and textures of levels, for drawing.

use std::ffi::c_char;

use skelobj::physics::{BspTextures, LevelSurface, SolidMesh, SurfaceTexture};

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::SkelobjLevel;
use crate::numbers::{self, count, flag};
use crate::pointer::{In, Out};
use crate::table;

/// Size of a game's palette, bytes.
const PALETTE: usize = 3 * 256;

/// Runs `with` on the mesh of a brush model.
fn with_mesh(level: SkelobjLevel, model: i32, with: impl FnOnce(&SolidMesh) -> Result<()>) -> Result<()> {
    let level = table::level(level)?;
    let found = level.models.get(numbers::index(model, "brush model")?);
    with(&found.ok_or_else(|| Failure::not_found(format_args!("brush model {model}")))?.mesh)
}

/// Writes the corners of the solid triangles of a brush model (0 is the world), three floats each in the model's own
/// space, and the number of floats (may be null). `capacity` is the number of floats that there is room for.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_corners(
    level: SkelobjLevel,
    model: i32,
    corners: Out<f32>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, number) = (corners.buffer(numbers::size(capacity)?)?, number.wanted()?);
        with_mesh(level, model, |mesh| {
            let floats: Vec<f32> = mesh.vertices().iter().flat_map(|corner| corner.to_array()).collect();
            buffer.fill(&floats, number)
        })
    })
}

/// Writes the solid triangles of a brush model (0 is the world), three indices of corners each, and the number of
/// indices (may be null). They are counter-clockwise seen from the side that is not solid. The index of a triangle in a
/// hit is that of these.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_triangles(
    level: SkelobjLevel,
    model: i32,
    indices: Out<u32>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, number) = (indices.buffer(numbers::size(capacity)?)?, number.wanted()?);
        with_mesh(level, model, |mesh| buffer.fill(mesh.triangles().as_flattened(), number))
    })
}

/// Writes the surface of each solid triangle of a brush model (0 is the world), an index for skelobj_level_surface, and
/// the number of triangles (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_triangle_surfaces(
    level: SkelobjLevel,
    model: i32,
    surfaces: Out<u32>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, number) = (surfaces.buffer(numbers::size(capacity)?)?, number.wanted()?);
        with_mesh(level, model, |mesh| buffer.fill(mesh.surfaces(), number))
    })
}

/// Surface of a part of a level: its texture or shader.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjLevelSurface {
    /// Surface flags as the file's format defines them; 0 where it has none.
    pub flags: u32,
    /// Contents bits as the file's format defines them; 0 where it has none.
    pub contents: u32,
    /// Texture in the file, for skelobj_level_texture. -1 if there is none, as in Quake II and III, whose textures are
    /// files, or if its projection is not finite; `s` and `t` are 0 then.
    pub texture: i32,
    /// Column of the texture at a point of the brush model's space: the products with the first three numbers and the
    /// fourth, added up, texels.
    pub s: [f32; 4],
    /// Row of the texture at a point, from the top, like `s`.
    pub t: [f32; 4],
}

/// Runs `with` on a surface.
fn with_surface(level: SkelobjLevel, index: i32, with: impl FnOnce(&LevelSurface) -> Result<()>) -> Result<()> {
    let level = table::level(level)?;
    let found = level.surfaces.get(numbers::index(index, "surface")?);
    with(found.ok_or_else(|| Failure::not_found(format_args!("surface {index}")))?)
}

/// Writes a surface of a level (from 0).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_surface(
    level: SkelobjLevel,
    index: i32,
    surface: Out<SkelobjLevelSurface>,
) -> SkelobjStatus {
    guard::status(|| {
        let place = surface.place()?;
        with_surface(level, index, |surface| {
            let in_c = |texture: SurfaceTexture| (count(texture.number as usize), texture.s.into(), texture.t.into());
            let (texture, s, t) = surface.texture.map_or((-1, [0.0; 4], [0.0; 4]), in_c);
            place.set(SkelobjLevelSurface { flags: surface.flags, contents: surface.contents, texture, s, t });
            Ok(())
        })
    })
}

/// Writes the name of a surface's texture or shader, and its length (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_surface_name(
    level: SkelobjLevel,
    index: i32,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length) = (buffer.buffer(capacity)?, length.wanted()?);
        with_surface(level, index, |surface| buffer.fill_text(surface.name.as_bytes(), length))
    })
}

/// Texture in a BSP file.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjLevelTexture {
    /// Width, pixels.
    pub width: i32,
    /// Height, pixels.
    pub height: i32,
    /// 1 if the texture has its own palette, as in Half-Life; 0 if it has that of the game, as in Quake.
    pub has_palette: i32,
}

/// Writes a texture (from 0) of a BSP file of Quake or Half-Life: its size, and red, green, blue (sRGB) and alpha of
/// each pixel from the top left, and their number of bytes (each may be null). `palette` is the game's
/// gfx/palette.lmp, 768 bytes; null for textures with their own.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_level_texture(
    bytes: In<u8>,
    size: usize,
    index: i32,
    palette: In<u8>,
    texture: Out<SkelobjLevelTexture>,
    rgba: Out<u8>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (place, buffer, number) = (texture.wanted()?, rgba.buffer(numbers::size(capacity)?)?, number.wanted()?);
        let game = if palette.is_null() { &[] } else { palette.slice(PALETTE)?.as_chunks().0 };
        let textures = BspTextures::new(bytes.slice(size)?)?;
        let found = textures.get(numbers::index(index, "texture")?);
        let found = found.ok_or_else(|| Failure::not_found(format_args!("texture {index} with pixels")))?;
        let needed = 4 * found.indexes().len();
        if !buffer.lets_act(needed, number.as_ref()) {
            return buffer.fill_with(&[], needed, number);
        }
        if found.palette().is_empty() && game.is_empty() && capacity > 0 {
            return Err(Failure::number("palette", "768 bytes, as the texture has none of its own"));
        }
        let rgba = if buffer.has_room(needed) { found.rgba(game) } else { Vec::new() };
        buffer.fill_with(rgba.as_flattened(), needed, number)?;
        if let Some(place) = place {
            let [width, height] = found.size().to_array().map(|side| count(side as usize));
            place.set(SkelobjLevelTexture { width, height, has_palette: flag(!found.palette().is_empty()) });
        }
        Ok(())
    })
}
