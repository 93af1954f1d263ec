//! Common start of all mesh classes: placement, materials, names of morphs.

use std::collections::HashMap;

use super::material::{animated_material, material};
use super::stream::{Kind, Pointer, Stream};
use super::texture::Textures;
use crate::model::rest::Channels;
use crate::model::{ModelError, ModelProblem};

/// Part that every mesh class has.
pub(super) struct MeshBase<'a> {
    /// Names of the morphs in the geometry.
    pub morphs: Vec<&'a [u8]>,
    /// Placement of an unskinned mesh.
    pub placement: Channels,
    /// First image file of each material.
    pub materials: Vec<Option<&'a [u8]>>,
    /// Names of the materials that have one.
    pub names: HashMap<u32, &'a [u8]>,
    /// Distance beyond which the mesh is not drawn, metres; below zero for no limit.
    pub max_distance: f32,
}

impl<'a> MeshBase<'a> {
    pub fn read(stream: &mut Stream<'a>) -> Result<Self, ModelError> {
        stream.enter("mesh base");
        let at = stream.offset();
        let version = stream.version(10)?;
        if version < 1 {
            let problem = ModelProblem::UnsupportedVersion { found: version, expected: "1 to 10" };
            return Err(ModelError::new("mesh base", at, problem));
        }
        let mut morphs = Vec::new();
        if version >= 2 {
            let count = stream.count(4)?;
            morphs = stream.reserve(count)?;
            for _ in 0..count {
                morphs.push(stream.string()?);
            }
        }
        let placement = placement(stream)?;

        let mut textures = Textures::default();
        let count = stream.count(50)?;
        let mut materials = stream.reserve(count)?;
        for _ in 0..count {
            materials.push(material(stream, &mut textures)?);
        }
        let count = stream.count(45)?;
        stream.reserve::<(u32, &[u8])>(count)?;
        let mut names = HashMap::new();
        for _ in 0..count {
            let number = stream.get::<u32>()?;
            names.insert(number, animated_material(stream, &mut textures)?);
        }
        lights(stream, version)?;
        // Lightable, local attenuation, automatic animation.
        for since in 3..=5 {
            if version >= since {
                stream.skip::<u8>()?;
            }
        }
        let max_distance = if version >= 6 { stream.get()? } else { -1.0 };
        if version >= 7
            && let Pointer::New(..) = stream.id(Kind::LodTexture)?
        {
            stream.version(0)?;
            stream.skip::<[u32; 2]>()?;
            stream.list::<[u8; 4]>()?;
        }
        if version >= 9 {
            stream.skip::<i32>()?;
        }
        Ok(Self { morphs, placement, materials, names, max_distance })
    }
}

fn placement(stream: &mut Stream) -> Result<Channels, ModelError> {
    let at = stream.offset();
    let position = stream.versioned::<[f32; 3]>()?;
    let pivot = stream.versioned::<[f32; 3]>()?;
    stream.versioned::<[f32; 3]>()?;
    let rotation = stream.versioned::<[f32; 4]>()?;
    let scale = stream.versioned::<[f32; 3]>()?;
    let mut bad = 0;
    let placement = Channels::from_file(position, rotation, scale, pivot, &mut bad);
    stream.warn_not_finite(at, bad);
    Ok(placement)
}

/// Reads the assignment of lights to light maps.
fn lights(stream: &mut Stream, version: u32) -> Result<(), ModelError> {
    for _ in 0..stream.count(8)? {
        if version >= 8 {
            stream.version(0)?;
            stream.skip::<u32>()?;
        }
        stream.string()?;
        for _ in 0..stream.count(2)? {
            if version >= 8 {
                stream.version(0)?;
            }
            stream.skip::<[u8; 2]>()?;
        }
    }
    Ok(())
}
