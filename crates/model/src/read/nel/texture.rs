//! Textures, parsed for the names of their files only.

use super::stream::{Kind, Pointer, Stream};
use crate::model::{ModelError, ModelProblem, Name};

/// Maximum nesting depth of textures.
const DEEPEST: usize = 16;

/// Textures of a file: the first image file that each one names.
#[derive(Default)]
pub(super) struct Textures<'a>(Vec<Option<&'a [u8]>>);

impl<'a> Textures<'a> {
    /// Reads a pointer to a texture and returns the first image file in it.
    pub fn read(&mut self, stream: &mut Stream<'a>) -> Result<Option<&'a [u8]>, ModelError> {
        let section = stream.enter("texture");
        let file = self.nested(stream, 0)?;
        stream.enter(section);
        Ok(file)
    }

    fn nested(&mut self, stream: &mut Stream<'a>, depth: usize) -> Result<Option<&'a [u8]>, ModelError> {
        if depth > DEEPEST {
            return Err(stream.error(ModelProblem::TooDeep { allowed: DEEPEST }));
        }
        let (id, class) = match stream.pointer(Kind::Texture)? {
            Pointer::Null => return Ok(None),
            Pointer::Seen(place) => return Ok(place.and_then(|place| self.0.get(place)).copied().flatten()),
            Pointer::New(id, class) => (id, class),
        };
        let file = self.body(stream, class, depth + 1)?;
        stream.keep(id, self.0.len());
        self.0.push(file);
        Ok(file)
    }

    fn body(&mut self, stream: &mut Stream<'a>, class: &[u8], depth: usize) -> Result<Option<&'a [u8]>, ModelError> {
        let mut file = None;
        match class {
            b"CTextureFile" => {
                let version = stream.version(1)?;
                base(stream)?;
                file = Some(stream.string()?);
                if version >= 1 {
                    stream.skip::<u8>()?;
                }
            }
            b"CTextureMultiFile" => {
                stream.version(0)?;
                base(stream)?;
                let mut files = Vec::new();
                for _ in 0..stream.count(4)? {
                    files.push(stream.string()?);
                }
                let selected = stream.get::<u32>()? as usize;
                file = files.get(selected).or(files.first()).copied();
            }
            b"CTextureCube" => {
                let version = stream.version(2)?;
                base(stream)?;
                file = self.several(stream, 6, depth)?;
                if version == 1 {
                    stream.skip::<u8>()?;
                }
            }
            b"CTextureBump" => {
                let version = stream.version(3)?;
                base(stream)?;
                file = self.several(stream, 1, depth)?;
                stream.take(1 + usize::from(version >= 1) + usize::from(version >= 2))?;
            }
            b"CTextureBlend" => {
                stream.version(0)?;
                base(stream)?;
                file = self.several(stream, 2, depth)?;
                stream.take(3)?;
            }
            b"CTextureEmboss" => {
                stream.version(0)?;
                base(stream)?;
                file = self.several(stream, 1, depth)?;
                stream.skip::<[u8; 8]>()?;
                stream.skip::<[f32; 3]>()?;
                stream.skip::<u8>()?;
            }
            b"CTextureGrouped" => {
                stream.version(1)?;
                let count = stream.count(8)?;
                file = self.several(stream, count, depth)?;
            }
            b"CTextureBlank" => base(stream)?,
            _ => return Err(stream.error(ModelProblem::UnsupportedClass { name: Name::new(class) })),
        }
        Ok(file)
    }

    /// Reads `count` textures and returns the first image file.
    fn several(&mut self, stream: &mut Stream<'a>, count: usize, depth: usize) -> Result<Option<&'a [u8]>, ModelError> {
        let mut first = None;
        for _ in 0..count {
            let file = self.nested(stream, depth)?;
            first = first.or(file);
        }
        Ok(first)
    }
}

/// Skips formats, wrap modes and filters.
fn base(stream: &mut Stream) -> Result<(), ModelError> {
    let version = stream.version(1)?;
    stream.skip::<[i32; 5]>()?;
    if version >= 1 {
        stream.skip::<u8>()?;
    }
    Ok(())
}
