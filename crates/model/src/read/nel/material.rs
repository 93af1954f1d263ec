//! Materials, of which the name and the first image file are kept.

use super::matrix::matrix;
use super::stream::Stream;
use super::texture::Textures;
use crate::model::ModelError;

/// Number of texture stages of a material.
const STAGES: usize = 4;
/// Bit of a material's flags: texture addressing modes follow.
const ADDRESSED: u32 = 0x400;
/// Bit of a material's flags for stage 0, the next bits for the next stages: a texture matrix follows.
const TEXTURE_MATRIX: u32 = 0x10_0000;

/// Reads a material and returns the first image file that it names.
pub(super) fn material<'a>(
    stream: &mut Stream<'a>,
    textures: &mut Textures<'a>,
) -> Result<Option<&'a [u8]>, ModelError> {
    let section = stream.enter("material");
    let version = stream.version(9)?;
    stream.skip::<i32>()?;
    let flags = stream.get::<u32>()?;
    // Blend functions, depth test and bias; five colours.
    stream.skip::<[i32; 4]>()?;
    stream.skip::<[[u8; 4]; 5]>()?;
    if version >= 2 {
        stream.skip::<f32>()?;
    }
    if version >= 5 {
        stream.skip::<f32>()?;
    }
    if version >= 8 {
        stream.skip::<u16>()?;
    }
    let mut file = None;
    for _ in 0..STAGES {
        let texture = textures.read(stream)?;
        file = file.or(texture);
        if version >= 1 {
            stream.take(if version >= 9 { 18 } else { 14 })?;
        }
    }
    if version >= 7 {
        for _ in 0..stream.count(17)? {
            let version = stream.version(1)?;
            stream.take(if version >= 1 { 12 } else { 8 })?;
            let texture = textures.read(stream)?;
            file = file.or(texture);
        }
        stream.skip::<u8>()?;
    } else if version >= 3 {
        for _ in 0..stream.count(12)? {
            stream.take(4)?;
            let texture = textures.read(stream)?;
            file = file.or(texture);
        }
    }
    if version >= 4 && flags & ADDRESSED != 0 {
        stream.skip::<[u8; STAGES]>()?;
    }
    if version >= 6 {
        for stage in 0..STAGES {
            if flags & TEXTURE_MATRIX << stage != 0 {
                matrix(stream)?;
            }
        }
    }
    stream.enter(section);
    Ok(file)
}

/// Reads the animated part of a material and returns its name.
pub(super) fn animated_material<'a>(
    stream: &mut Stream<'a>,
    textures: &mut Textures<'a>,
) -> Result<&'a [u8], ModelError> {
    let section = stream.enter("animated material");
    let version = stream.version(1)?;
    let name = stream.string()?;
    for _ in 0..3 {
        stream.versioned::<[u8; 4]>()?;
    }
    stream.versioned::<f32>()?;
    stream.versioned::<[u8; 4]>()?;
    stream.versioned::<f32>()?;
    stream.versioned::<i32>()?;
    for _ in 0..stream.count(12)? {
        stream.skip::<u32>()?;
        textures.read(stream)?;
    }
    if version >= 1 {
        for _ in 0..STAGES {
            stream.version(0)?;
            for _ in 0..4 {
                stream.versioned::<f32>()?;
            }
        }
    }
    stream.enter(section);
    Ok(name)
}
