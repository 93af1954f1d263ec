//! MD3, the vertex-animated models of Quake III.

use super::cursor::{Cursor, File, Scalar, finite_or_identity, finite_or_zero};
use crate::limits::Limits;
use crate::math::{Mat3x4, Vec3};
use crate::model::{
    Animation, Bounds, Fixup, Mesh, Model, ModelError, ModelProblem, Name, Skin, SkinMaterial, Tag, VertexFrames,
};

/// First bytes of the file and of each of its surfaces.
pub(crate) const MAGIC: &[u8; 4] = b"IDP3";

const NAME: usize = 64;

/// Unit of a stored position, Quake units.
const POSITION_UNIT: f32 = 1.0 / 64.0;

/// Duration of the only material of a skin, seconds.
const SKIN_INTERVAL: f32 = 0.1;

/// Reads an MD3.
///
/// Without a `.framegroups` file each frame is an animation at one pose per second, named `frame0`, `frame1` and so on,
/// as in FTE. Tags keep their stored axes as columns. Normals are decoded with 255 steps per turn, as in FTE.
///
/// # Errors
/// A table outside the file; a surface whose number of frames differs from that of the file; a vertex index outside its
/// surface.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    let mut file = File::<false>::new(bytes, limits);
    let header = Header::read(&file)?;
    let bounds = header.bounds(&mut file)?;
    let tags = header.tags(&mut file)?;
    let (meshes, skins) = header.surfaces(&mut file)?;
    let animations = header.animations(&mut file)?;
    Ok(Model {
        animations,
        bounds,
        meshes,
        skins,
        tags,
        flags: header.flags,
        warnings: file.warnings,
        ..Model::default()
    })
}

/// Reads a count or the offset of a table.
fn size(cursor: &mut Cursor, field: &'static str, min: i64) -> Result<u32, ModelError> {
    Ok(cursor.ranged::<i32>(field, min..=i32::MAX.into())? as u32)
}

fn check_magic(cursor: &mut Cursor) -> Result<(), ModelError> {
    let start = *cursor;
    let expected = u32::from_le_bytes(*MAGIC);
    match cursor.get::<u32>()? {
        found if found == expected => Ok(()),
        found => {
            let problem = ModelProblem::Mismatch { field: "ident", found: found.into(), expected: expected.into() };
            Err(start.error(problem))
        }
    }
}

struct Header {
    flags: u32,
    frames: u32,
    tags: u32,
    surfaces: u32,
    frames_at: u32,
    tags_at: u32,
    surfaces_at: u32,
}

impl Header {
    fn read(file: &File) -> Result<Self, ModelError> {
        let mut cursor = file.table("header", 0, 1, 108)?;
        check_magic(&mut cursor)?;
        let start = cursor;
        let version = cursor.get::<u32>()?;
        if version != 15 {
            return Err(start.error(ModelProblem::UnsupportedVersion { found: version, expected: "15" }));
        }
        cursor.take(NAME)?;
        let flags = cursor.get()?;
        let frames = size(&mut cursor, "numFrames", 1)?;
        let tags = size(&mut cursor, "numTags", 0)?;
        let surfaces = size(&mut cursor, "numSurfaces", 0)?;
        // The header counts skins, but the file stores none.
        cursor.get::<u32>()?;
        let [frames_at, tags_at, surfaces_at] = cursor.get()?;
        Ok(Self { flags, frames, tags, surfaces, frames_at, tags_at, surfaces_at })
    }

    /// Returns the bounds of each frame, or none if one of them is non-finite.
    fn bounds(&self, file: &mut File) -> Result<Vec<Bounds>, ModelError> {
        const SIZE: usize = 56;
        let table = file.table("frames", self.frames_at, self.frames, SIZE)?;
        let mut bounds = file.reserve("frames", table.offset(), self.frames.into())?;
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let [mins, maxs, _origin] = record.get::<[[f32; 3]; 3]>()?;
            let radius = record.get::<f32>()?;
            let reach = |axis: usize| mins[axis].abs().max(maxs[axis].abs());
            let xy_radius = reach(0).hypot(reach(1));
            if !mins.iter().chain(&maxs).chain(&[radius, xy_radius]).all(|v| v.is_finite()) {
                file.warn("frames", at, Fixup::Dropped("non-finite bounds"));
                return Ok(Vec::new());
            }
            bounds.push(Bounds { mins, maxs, xy_radius, radius });
        }
        Ok(bounds)
    }

    /// Returns the tags, named as in the first frame.
    fn tags(&self, file: &mut File) -> Result<Vec<Tag>, ModelError> {
        const SIZE: usize = 112;
        // All tags of a frame form one record; neither factor exceeds 31 bits.
        let of_frame = SIZE * self.tags as usize;
        let table = file.table("tags", self.tags_at, self.frames, of_frame)?;
        let at = table.offset();
        let mut tags: Vec<Tag> = file.reserve("tags", at, self.tags.into())?;
        let mut bad = 0;
        for (index, mut record) in table.records(SIZE).enumerate() {
            let name = record.take(NAME)?;
            let [origin, forward, left, up] = record.get::<[[f32; 3]; 4]>()?.map(Vec3::from);
            let matrix = finite_or_identity(Mat3x4::from_columns(forward, left, up, origin), &mut bad);
            if index < self.tags as usize {
                let name = file.name("tags", at, Name::new(name).as_bytes())?;
                tags.push(Tag { name, frames: file.reserve("tags", at, self.frames.into())? });
            }
            if let Some(tag) = tags.get_mut(index % self.tags as usize) {
                tag.frames.push(matrix);
            }
        }
        file.warn_not_finite("tags", at, bad);
        Ok(tags)
    }

    fn surfaces(&self, file: &mut File) -> Result<(Vec<Mesh>, Vec<Skin>), ModelError> {
        let mut meshes = Vec::new();
        let mut skins = Vec::new();
        let mut at = self.surfaces_at;
        let directions = directions();
        for index in 0..self.surfaces as usize {
            let surface = Surface::read(file, at, self.frames)?;
            let materials = surface.materials(file)?;
            at = at.saturating_add(surface.length);
            meshes.push(surface.mesh(file, materials.first().cloned().unwrap_or_default(), &directions)?);
            if materials.len() > 1 {
                skins.extend(materials.into_iter().map(|material| Skin {
                    mesh: index,
                    interval: SKIN_INTERVAL,
                    materials: vec![SkinMaterial { material, shader: Name::default() }],
                }));
            }
        }
        Ok((meshes, skins))
    }

    fn animations(&self, file: &mut File) -> Result<Vec<Animation>, ModelError> {
        let mut animations = file.reserve("frames", self.frames_at as usize, self.frames.into())?;
        for frame in 0..self.frames {
            let name = file.name("frames", self.frames_at as usize, format!("frame{frame}").as_bytes())?;
            animations.push(Animation::frames(name, frame, 1, 1.0, false));
        }
        Ok(animations)
    }
}

/// Header of a surface; its offsets are relative to the file.
struct Surface {
    name: Name,
    frames: u32,
    shaders: u32,
    vertices: u32,
    triangles: u32,
    triangles_at: u32,
    shaders_at: u32,
    texcoords_at: u32,
    vertices_at: u32,
    /// Distance from this header to the next one, bytes.
    length: u32,
}

impl Surface {
    const HEADER: usize = 108;

    fn read(file: &mut File, at: u32, frames: u32) -> Result<Self, ModelError> {
        let mut cursor = file.table("surface", at, 1, Self::HEADER)?;
        check_magic(&mut cursor)?;
        let name = Name::new(cursor.take(NAME)?);
        let name = file.name("surface", cursor.offset(), name.as_bytes())?;
        cursor.get::<u32>()?;
        cursor.ranged::<i32>("numFrames", frames.into()..=frames.into())?;
        let shaders = size(&mut cursor, "numShaders", 0)?;
        let vertices = size(&mut cursor, "numVerts", 0)?;
        let triangles = size(&mut cursor, "numTriangles", 0)?;
        // An offset beyond 4 GiB is past the end of the file, as 4 GiB is.
        let mut offset = |field| Ok::<_, ModelError>(size(&mut cursor, field, 0)?.saturating_add(at));
        let triangles_at = offset("ofsTriangles")?;
        let shaders_at = offset("ofsShaders")?;
        let texcoords_at = offset("ofsSt")?;
        let vertices_at = offset("ofsXyzNormals")?;
        let length = size(&mut cursor, "ofsEnd", Self::HEADER as i64)?;
        Ok(Self {
            name,
            frames,
            shaders,
            vertices,
            triangles,
            triangles_at,
            shaders_at,
            texcoords_at,
            vertices_at,
            length,
        })
    }

    fn materials(&self, file: &mut File) -> Result<Vec<Name>, ModelError> {
        const SIZE: usize = 68;
        let table = file.table("shaders", self.shaders_at, self.shaders, SIZE)?;
        let mut materials = file.reserve("shaders", table.offset(), u64::from(self.shaders) * 4)?;
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let name = Name::new(record.take(NAME)?);
            materials.push(file.name("shaders", at, name.as_bytes())?);
        }
        materials.shrink_to_fit();
        Ok(materials)
    }

    fn mesh(self, file: &mut File, material: Name, directions: &Directions) -> Result<Mesh, ModelError> {
        let frames = self.vertex_frames(file, directions)?;
        let (at, count) = (self.vertices_at as usize, self.vertices as usize);
        let mut positions = file.reserve("vertices", at, self.vertices.into())?;
        positions.extend_from_slice(frames.positions.get(..count).unwrap_or_default());
        let mut normals = file.reserve("vertices", at, self.vertices.into())?;
        normals.extend_from_slice(frames.normals.get(..count).unwrap_or_default());
        let texcoords = self.texcoords(file)?;
        let triangles = self.triangles(file)?;
        let name = self.name;
        Ok(Mesh { name, material, positions, normals, texcoords, triangles, frames, ..Mesh::default() })
    }

    fn vertex_frames(&self, file: &mut File, directions: &Directions) -> Result<VertexFrames, ModelError> {
        const SIZE: usize = 8;
        let table = file.table("vertices", self.vertices_at, self.frames, SIZE * self.vertices as usize)?;
        let count = u64::from(self.frames) * u64::from(self.vertices);
        let mut positions = file.reserve("vertices", table.offset(), count)?;
        let mut normals = file.reserve("vertices", table.offset(), count)?;
        for vertex in table.rest().chunks_exact(SIZE) {
            let &[.., lat, lng] = vertex else { continue };
            positions.push(<[i16; 3]>::parse::<false>(vertex).map(|axis| f32::from(axis) * POSITION_UNIT));
            let (lat_sin, lat_cos) = directions[usize::from(lat)];
            let (lng_sin, lng_cos) = directions[usize::from(lng)];
            normals.push([lng_cos * lat_sin, lng_sin * lat_sin, lat_cos]);
        }
        Ok(VertexFrames { positions, normals })
    }

    fn texcoords(&self, file: &mut File) -> Result<Vec<[f32; 2]>, ModelError> {
        const SIZE: usize = 8;
        let table = file.table("texcoords", self.texcoords_at, self.vertices, SIZE)?;
        let mut texcoords = file.reserve("texcoords", table.offset(), self.vertices.into())?;
        let mut bad = 0;
        for mut record in table.records(SIZE) {
            let mut st = record.get::<[f32; 2]>()?;
            finite_or_zero(&mut st, &mut bad);
            texcoords.push(st);
        }
        file.warn_not_finite("texcoords", table.offset(), bad);
        Ok(texcoords)
    }

    fn triangles(&self, file: &mut File) -> Result<Vec<[u32; 3]>, ModelError> {
        const SIZE: usize = 12;
        let table = file.table("triangles", self.triangles_at, self.triangles, SIZE)?;
        let mut triangles = file.reserve("triangles", table.offset(), self.triangles.into())?;
        for mut record in table.records(SIZE) {
            let start = record;
            let triangle = record.get::<[u32; 3]>()?;
            if let Some(&bad) = triangle.iter().find(|&&index| index >= self.vertices) {
                let (found, max) = ((bad as i32).into(), i64::from(self.vertices) - 1);
                return Err(start.error(ModelProblem::OutOfRange { field: "vertex index", found, min: 0, max }));
            }
            triangles.push(triangle);
        }
        Ok(triangles)
    }
}

/// Sine and cosine of each angle that a byte stands for.
type Directions = [(f32, f32); 256];

fn directions() -> Directions {
    std::array::from_fn(|byte| (byte as f32 * (std::f32::consts::TAU / 255.0)).sin_cos())
}
