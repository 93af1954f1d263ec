//! Body parts, the alternative models of each, and their meshes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::super::cursor::{Cursor, File, finite_or_zero};
use super::header::{Header, Table};
use super::texture::Textures;
use crate::math::{Mat3x4, Vec3};
use crate::model::{
    Fixup, HalfLifeMesh, Influences, Mesh, ModelError, ModelProblem, Name, Skeleton, Skin, SkinMaterial, SurfaceInfo,
};

const NAME: usize = 64;

/// Position of the number of meshes in the record of a model, bytes.
const MESH_COUNT: usize = 72;

/// Duration of the only material of a skin, seconds.
const SKIN_INTERVAL: f32 = 0.1;

/// Meshes so far.
pub(super) struct Meshes {
    pub meshes: Vec<Mesh>,
    pub sources: Vec<HalfLifeMesh>,
    pub skins: Vec<Skin>,
}

/// Vertices and normals that the triangles of a mesh use.
struct Vertices {
    positions: Vec<[f32; 3]>,
    bones: Vec<u16>,
    normals: Vec<[f32; 3]>,
}

/// Corner of a triangle: vertex, normal, and texture coordinates in pixels.
type Corner = [i16; 4];

/// Unread model of a body part.
struct PartModel<'a> {
    body_part: usize,
    part_name: Name,
    model: usize,
    surface: SurfaceInfo,
    record: Cursor<'a>,
}

impl Header {
    const MAX_MODELS: i32 = 256;
    const MAX_MESHES: i32 = 256;

    pub fn meshes(&self, file: &mut File, skeleton: &Skeleton, textures: &Textures) -> Result<Meshes, ModelError> {
        const SIZE: usize = 20;
        let models = self.models(file)?;
        let mut count = 0;
        for model in &models {
            let mut record = model.record;
            record.take(MESH_COUNT)?;
            count += u64::from(record.ranged::<i32>("nummesh", 0..=Self::MAX_MESHES.into())? as u32);
        }
        let at = self.body_parts.offset as usize;
        let skins = if textures.skins() > 1 { textures.skins() as u64 } else { 0 };
        let mut out = Meshes {
            meshes: file.reserve("meshes", at, count)?,
            sources: file.reserve("meshes", at, count)?,
            skins: file.reserve("skins", at, count.saturating_mul(skins))?,
        };
        for PartModel { body_part, part_name, model, surface, mut record } in models {
            let model_name = Name::new(record.take(NAME)?);
            record.take(MESH_COUNT - NAME)?;
            let table = Table::read(&mut record, "nummesh")?;
            let vertices = vertices(file, &mut record, skeleton)?;
            for (index, record) in table.cursor(file, "meshes", SIZE)?.records(SIZE).enumerate() {
                let index = index.to_string();
                let name = [part_name.as_bytes(), model_name.as_bytes(), index.as_bytes()].join(&b'/');
                let name = file.name("meshes", record.offset(), &name)?;
                let model_vertices = vertices.positions.len();
                let source = HalfLifeMesh { body_part, model, model_vertices, vertices: Vec::new() };
                out.add(file, record, &vertices, textures, Mesh { name, surface, ..Mesh::default() }, source)?;
            }
        }
        Ok(out)
    }

    /// Returns the models of all body parts. The models of a part with several are members of a geometry set; the first
    /// one is shown unless the game selects another.
    fn models<'a>(&self, file: &File<'a>) -> Result<Vec<PartModel<'a>>, ModelError> {
        const PART: usize = 76;
        const MODEL: usize = 112;
        let mut models = Vec::new();
        for (body_part, mut record) in self.body_parts.cursor(file, "bodyparts", PART)?.records(PART).enumerate() {
            let part_name = Name::new(record.take(NAME)?);
            let count = record.ranged::<i32>("nummodels", 0..=Self::MAX_MODELS.into())? as u32;
            record.get::<i32>()?;
            let table = Table { count, offset: record.get()? };
            let geomset = if count > 1 { body_part as u32 } else { u32::MAX };
            for (model, record) in table.cursor(file, "models", MODEL)?.records(MODEL).enumerate() {
                let surface = SurfaceInfo { geomset, geomid: model as u32, ..SurfaceInfo::default() };
                models.push(PartModel { body_part, part_name: part_name.clone(), model, surface, record });
            }
        }
        Ok(models)
    }
}

/// Reads the vertices and normals of a model and transforms each from local space of its bone to model space.
fn vertices(file: &mut File, record: &mut Cursor, skeleton: &Skeleton) -> Result<Vertices, ModelError> {
    let bind = skeleton.bind_model();
    let count = record.ranged::<i32>("numverts", 0..=i16::MAX.into())? as u32;
    let [bones_at, at] = record.get()?;
    let place = |bone: &Mat3x4, point| bone.transform_point(point);
    let (positions, bones) = placed(file, "vertices", count, at, bones_at, bind, place)?;
    let count = record.ranged::<i32>("numnorms", 0..=i16::MAX.into())? as u32;
    let [bones_at, at] = record.get()?;
    let turn = |bone: &Mat3x4, normal| bone.transform_vector(normal).normalize_or(Vec3::Z);
    let (normals, _) = placed(file, "normals", count, at, bones_at, bind, turn)?;
    Ok(Vertices { positions, bones, normals })
}

/// Reads vectors, each stored in local space of a bone, and their bones.
fn placed(
    file: &mut File,
    section: &'static str,
    count: u32,
    at: u32,
    bones_at: u32,
    bind: &[Mat3x4],
    place: impl Fn(&Mat3x4, Vec3) -> Vec3,
) -> Result<(Vec<[f32; 3]>, Vec<u16>), ModelError> {
    let table = file.table(section, at, count, 12)?;
    let indexes = file.table(section, bones_at, count, 1)?;
    let mut vectors = file.reserve(section, table.offset(), count.into())?;
    let mut bones = file.reserve(section, table.offset(), count.into())?;
    let mut bad = 0;
    for (mut record, &bone) in table.records(12).zip(indexes.rest()) {
        let Some(matrix) = bind.get(usize::from(bone)) else {
            let max = bind.len() as i64 - 1;
            return Err(indexes.error(ModelProblem::OutOfRange { field: "bone", found: bone.into(), min: 0, max }));
        };
        let mut vector = record.get::<[f32; 3]>()?;
        finite_or_zero(&mut vector, &mut bad);
        let mut vector = place(matrix, vector.into()).to_array();
        finite_or_zero(&mut vector, &mut bad);
        vectors.push(vector);
        bones.push(u16::from(bone));
    }
    file.warn_not_finite(section, table.offset(), bad);
    Ok((vectors, bones))
}

impl Meshes {
    fn add(
        &mut self,
        file: &mut File,
        mut record: Cursor,
        vertices: &Vertices,
        textures: &Textures,
        mut mesh: Mesh,
        mut source: HalfLifeMesh,
    ) -> Result<(), ModelError> {
        let at = record.offset();
        let [stated, commands, slot] = record.get::<[i32; 3]>()?;
        let texture = textures.get(0, slot);
        if let Some(texture) = texture {
            mesh.material = file.name("meshes", at, texture.name.as_bytes())?;
        }
        if textures.skins() > 1 {
            self.skins(file, at, textures, slot)?;
        }
        let size = texture.map_or([1.0; 2], |t| [t.width.max(1) as f32, t.height.max(1) as f32]);

        let (corners, triangles) = triangles(file, commands, vertices)?;
        let count = corners.len() as u64;
        mesh.positions = file.reserve("meshes", at, count)?;
        mesh.normals = file.reserve("meshes", at, count)?;
        mesh.texcoords = file.reserve("meshes", at, count)?;
        mesh.influences = file.reserve("meshes", at, count)?;
        source.vertices = file.reserve("meshes", at, count)?;
        for [vertex, normal, s, t] in corners {
            // Both were checked against their counts.
            let index = vertex as usize;
            let bone = vertices.bones.get(index).copied().unwrap_or(0);
            mesh.positions.push(vertices.positions.get(index).copied().unwrap_or_default());
            mesh.normals.push(vertices.normals.get(normal as usize).copied().unwrap_or([0.0, 0.0, 1.0]));
            mesh.texcoords.push([f32::from(s) / size[0], f32::from(t) / size[1]]);
            mesh.influences.push(Influences { bones: [bone, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] });
            source.vertices.push(vertex as u16);
        }
        if stated as usize != triangles.len() {
            let (stated, found) = (stated as u32, triangles.len() as u32);
            file.warn("meshes", at, Fixup::CountCorrected { field: "numtris", stated, found });
        }
        mesh.triangles = triangles;
        self.meshes.push(mesh);
        self.sources.push(source);
        Ok(())
    }

    /// Adds the materials of a mesh in all skins.
    fn skins(&mut self, file: &mut File, at: usize, textures: &Textures, slot: i32) -> Result<(), ModelError> {
        for skin in 0..textures.skins() {
            let name = textures.get(skin, slot).map(|t| t.name.as_bytes()).unwrap_or_default();
            let material = SkinMaterial { material: file.name("skins", at, name)?, shader: Name::default() };
            let mut materials = file.reserve("skins", at, 1)?;
            materials.push(material);
            self.skins.push(Skin { mesh: self.meshes.len(), interval: SKIN_INTERVAL, materials });
        }
        Ok(())
    }
}

/// Converts strips and fans to triangles over distinct corners.
fn triangles(file: &mut File, at: i32, vertices: &Vertices) -> Result<(Vec<Corner>, Vec<[u32; 3]>), ModelError> {
    let section = "triangles";
    let at = at as u32;
    let rest = u32::try_from(file.len().saturating_sub(at as usize)).unwrap_or(u32::MAX);
    // At least the command that ends the list.
    let commands = file.table(section, at, rest.max(2), 1)?;
    let (corners, triangles) = size(commands)?;
    let mut index: HashMap<Corner, u32> = HashMap::new();
    // The map holds each corner once more, with its number.
    file.reserve::<[Corner; 4]>(section, at as usize, corners)?;
    let mut distinct: Vec<Corner> = Vec::new();
    let mut out = file.reserve(section, at as usize, triangles)?;
    let mut commands = commands;
    loop {
        let count = commands.get::<i16>()?;
        if count == 0 {
            return Ok((distinct, out));
        }
        let mut command: [u32; 2] = [0; 2];
        for k in 0..count.unsigned_abs() {
            let start = commands;
            let corner = commands.get::<Corner>()?;
            check(start, "vertex", corner[0], vertices.positions.len())?;
            check(start, "normal", corner[1], vertices.normals.len())?;
            let next = match index.entry(corner) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    distinct.push(corner);
                    *new.insert(distinct.len() as u32 - 1)
                }
            };
            let [first, second] = command;
            match k {
                0 => command[0] = next,
                1 => command[1] = next,
                _ if count < 0 => {
                    out.push([first, second, next]);
                    command[1] = next;
                }
                _ => {
                    out.push(if k % 2 == 0 { [first, second, next] } else { [second, first, next] });
                    command = [second, next];
                }
            }
        }
    }
}

/// Returns the number of corners and of triangles of a command list.
fn size(mut commands: Cursor) -> Result<(u64, u64), ModelError> {
    let (mut corners, mut triangles) = (0, 0);
    loop {
        let count = commands.get::<i16>()?.unsigned_abs();
        if count == 0 {
            return Ok((corners, triangles));
        }
        commands.take(usize::from(count) * size_of::<Corner>())?;
        corners += u64::from(count);
        triangles += u64::from(count.saturating_sub(2));
    }
}

fn check(cursor: Cursor, field: &'static str, index: i16, count: usize) -> Result<(), ModelError> {
    if usize::try_from(index).is_ok_and(|index| index < count) {
        return Ok(());
    }
    Err(cursor.error(ModelProblem::OutOfRange { field, found: index.into(), min: 0, max: count as i64 - 1 }))
}
