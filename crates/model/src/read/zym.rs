//! Zymotic models (ZYM), type 1: big-endian, usually one bone per vertex.

use super::Input;
use super::cursor::{self, finite_or_identity, finite_or_zero};
use super::weights::Strongest;
use super::{cursor::Cursor, finite_skeleton, normals::normals};
use crate::math::{Mat3x4, Vec3};
use crate::model::{Animation, AnimationSource, Bone, Fixup, Mesh, Model, ModelError, ModelProblem, Name, Skeleton};

/// First bytes of every ZYM file.
pub(crate) const MAGIC: &[u8] = b"ZYMOTICMODEL";

/// Size of the header, bytes.
const SIZE: usize = 140;
/// Size of a name, bytes.
const NAME: usize = 32;
/// Size of a matrix, bytes.
const MATRIX: usize = 48;
/// Bit of a scene's flags that turns looping off.
const NO_LOOP: i32 = 1;

type File<'a> = cursor::File<'a, true>;
type Lump<'a> = Cursor<'a, true>;

/// Counts of the header, and the lumps it refers to.
struct Header<'a> {
    vertices: u32,
    triangles: u32,
    surfaces: u32,
    bones: u32,
    scenes: Lump<'a>,
    poses: Lump<'a>,
    bone_records: Lump<'a>,
    influence_counts: Lump<'a>,
    influences: Lump<'a>,
    texcoords: Lump<'a>,
    render: Lump<'a>,
    shaders: Lump<'a>,
}

/// Reads a ZYM file.
///
/// Pose 0 is the bind pose, including its scale; scenes are animations. All surfaces share the same vertices, which are
/// positioned by pose 0 and weighted equally between their bones. Texture coordinates are flipped vertically, triangles
/// are reversed to Quake's winding, normals are computed.
///
/// # Errors
/// A type other than 1; a wrong size field; a lump outside the file, or of another length than the counts require; an
/// index outside its lump; a parent that does not precede its child.
pub(crate) fn read(input: &Input) -> Result<Model, ModelError> {
    let mut file = File::of(input);
    let header = header(&file)?;
    let frames = read_poses(&mut file, &header)?;
    let skeleton = read_bones(&mut file, &header, &frames)?;
    let pose_count = (frames.len() / skeleton.len().max(1)) as u32;
    let animations = read_scenes(&mut file, &header, pose_count)?;
    let meshes = read_meshes(&mut file, &header, &skeleton)?;
    Ok(Model { skeleton, animations, frames, meshes, warnings: file.warnings, ..Model::default() })
}

fn header<'a>(file: &File<'a>) -> Result<Header<'a>, ModelError> {
    let mut header = file.table("header", 0, 1, SIZE)?;
    header.take(MAGIC.len())?;
    let at = header.offset();
    let found = header.get::<u32>()?;
    if found != 1 {
        return Err(ModelError::new("header", at, ModelProblem::UnsupportedVersion { found, expected: "1" }));
    }
    let at = header.offset();
    let stated = header.get::<u32>()?;
    if stated as usize != file.len() {
        return Err(ModelError::new("header", at, ModelProblem::WrongFileSize { stated, actual: file.len() }));
    }
    let _bounds = header.get::<[f32; 7]>()?;
    let most = 0..=i64::from(i32::MAX);
    let vertices = header.ranged::<u32>("numverts", most.clone())?;
    let triangles = header.ranged::<u32>("numtris", most.clone())?;
    let surfaces = header.ranged::<u32>("numshaders", most.clone())?;
    let bones = header.ranged::<u32>("numbones", 1..=Skeleton::MAX_BONES as i64)?;
    let scenes = header.ranged::<u32>("numscenes", most)?;

    let bytes = |count: u32, size: usize| Some(u64::from(count) * size as u64);
    let mut lump = |section, length| lump(file, &mut header, section, length);
    let header = Header {
        vertices,
        triangles,
        surfaces,
        bones,
        scenes: lump("scenes", bytes(scenes, 76))?,
        poses: lump("poses", None)?,
        bone_records: lump("bones", bytes(bones, 40))?,
        influence_counts: lump("vertbonecounts", bytes(vertices, 4))?,
        influences: lump("verts", None)?,
        texcoords: lump("texcoords", bytes(vertices, 8))?,
        render: lump("render", Some(u64::from(surfaces) * 4 + u64::from(triangles) * 12))?,
        shaders: lump("shaders", bytes(surfaces, NAME))?,
    };
    let pose = bones as usize * MATRIX;
    let length = header.poses.rest().len();
    if length == 0 {
        return Err(header.poses.error(ModelProblem::Missing { what: "bind pose" }));
    }
    if !length.is_multiple_of(pose) {
        let expected = (length - length % pose) as i64;
        let problem = ModelProblem::Mismatch { field: "length of the lump", found: length as i64, expected };
        return Err(header.poses.error(problem));
    }
    Ok(header)
}

/// Returns the next lump of the header and checks its length, if given.
fn lump<'a>(
    file: &File<'a>,
    header: &mut Lump<'a>,
    section: &'static str,
    length: Option<u64>,
) -> Result<Lump<'a>, ModelError> {
    let at = header.offset();
    let [start, found] = header.get::<[u32; 2]>()?;
    if let Some(expected) = length
        && u64::from(found) != expected
    {
        let expected = i64::try_from(expected).unwrap_or(i64::MAX);
        let problem = ModelProblem::Mismatch { field: "length of the lump", found: found.into(), expected };
        return Err(ModelError::new(section, at, problem));
    }
    file.table(section, start, found, 1)
}

fn read_poses(file: &mut File, header: &Header) -> Result<Vec<Mat3x4>, ModelError> {
    let at = header.poses.offset();
    let records = header.poses.records(MATRIX);
    let mut frames = file.reserve("poses", at, records.len() as u64)?;
    let mut bad = 0;
    for mut record in records {
        frames.push(finite_or_identity(Mat3x4(record.get()?), &mut bad));
    }
    file.warn_not_finite("poses", at, bad);
    Ok(frames)
}

fn read_bones(file: &mut File, header: &Header, bind: &[Mat3x4]) -> Result<Skeleton, ModelError> {
    let at = header.bone_records.offset();
    debug_assert!(bind.len() >= header.bones as usize, "every bone has a bind pose");
    let mut bones = file.reserve("bones", at, header.bones.into())?;
    for (bone, (mut record, &bind)) in header.bone_records.records(40).zip(bind).enumerate() {
        let name = file.name("bones", record.offset(), record.take(NAME)?)?;
        let _flags = record.get::<i32>()?;
        let parent = record.ranged::<i32>("parent", -1..=bone as i64 - 1)?;
        bones.push(Bone { name, parent: usize::try_from(parent).ok(), bind });
    }
    finite_skeleton::skeleton(file, "bones", || at, bones)
}

fn read_scenes(file: &mut File, header: &Header, poses: u32) -> Result<Vec<Animation>, ModelError> {
    let records = header.scenes.records(76);
    let mut animations = file.reserve("scenes", header.scenes.offset(), records.len().max(1) as u64)?;
    for mut record in records {
        let at = record.offset();
        let name = file.name("scenes", at, record.take(NAME)?)?;
        let _bounds = record.get::<[f32; 7]>()?;
        let rate = record.get::<f32>()?;
        let looping = record.get::<i32>()? & NO_LOOP == 0;
        let first = record.ranged::<u32>("start", 0..=i64::from(poses) - 1)?;
        let count = record.ranged::<u32>("length", 0..=i64::from(poses - first))?;
        let rate = file.rate("scenes", at, rate);
        let mut animation = Animation::frames(name, first, count, rate, looping);
        if count == 0 {
            animation.source = AnimationSource::BindPose;
            file.warn("scenes", at, Fixup::AnimationOutside);
        }
        animations.push(animation);
    }
    if animations.is_empty() {
        let bind = Animation::frames("base", 0, 1, Animation::DEFAULT_RATE, true);
        animations.push(Animation { source: AnimationSource::BindPose, ..bind });
    }
    Ok(animations)
}

/// Reads the surfaces. Each contains all vertices of the file, with the same indices.
fn read_meshes(file: &mut File, header: &Header, skeleton: &Skeleton) -> Result<Vec<Mesh>, ModelError> {
    let shared = read_vertices(file, header, skeleton)?;
    let mut meshes = file.reserve("shaders", header.shaders.offset(), header.surfaces.into())?;
    let mut all: Vec<[u32; 3]> = file.reserve("render", header.render.offset(), header.triangles.into())?;
    let mut render = header.render;
    let mut left = header.triangles;
    let last = i64::from(header.vertices) - 1;
    for mut shader in header.shaders.records(NAME) {
        let material = file.name("shaders", shader.offset(), shader.take(NAME)?)?;
        let count = render.ranged::<u32>("tricount", 0..=left.into())?;
        left -= count;
        let mut triangles = file.reserve("render", render.offset(), count.into())?;
        for _ in 0..count {
            let start = render;
            let [a, b, c] = render.get::<[u32; 3]>()?;
            let max = a.max(b).max(c);
            if i64::from(max) > last {
                let found = max.into();
                return Err(start.error(ModelProblem::OutOfRange { field: "vertex index", found, min: 0, max: last }));
            }
            triangles.push([c, b, a]);
        }
        all.extend(&triangles);
        meshes.push(surface(file, &shared, material, triangles)?);
    }
    if left > 0 {
        let (found, expected) = (i64::from(header.triangles - left), header.triangles.into());
        return Err(render.error(ModelProblem::Mismatch { field: "number of triangles", found, expected }));
    }
    // Normals are computed across all surfaces, so that surfaces meet smoothly.
    let normals = normals(file, "render", header.render.offset(), &shared.positions, all)?;
    for mesh in &mut meshes {
        mesh.normals = file.reserve("verts", header.influences.offset(), normals.len() as u64)?;
        mesh.normals.extend(&normals);
    }
    debug_assert!(meshes.iter().all(|mesh| mesh.normals.len() == mesh.positions.len()), "every vertex has a normal");
    Ok(meshes)
}

fn surface(file: &mut File, shared: &Mesh, material: Name, triangles: Vec<[u32; 3]>) -> Result<Mesh, ModelError> {
    let count = shared.positions.len() as u64;
    let mut mesh = Mesh {
        name: material.clone(),
        material,
        positions: file.reserve("verts", 0, count)?,
        texcoords: file.reserve("verts", 0, count)?,
        influences: file.reserve("verts", 0, count)?,
        triangles,
        ..Mesh::default()
    };
    mesh.positions.extend(&shared.positions);
    mesh.texcoords.extend(&shared.texcoords);
    mesh.influences.extend(&shared.influences);
    Ok(mesh)
}

/// Reads the vertices that all surfaces share.
fn read_vertices(file: &mut File, header: &Header, skeleton: &Skeleton) -> Result<Mesh, ModelError> {
    let (at, count) = (header.influences.offset(), header.vertices.into());
    let mut shared = Mesh {
        positions: file.reserve("verts", at, count)?,
        texcoords: file.reserve("texcoords", header.texcoords.offset(), count)?,
        influences: file.reserve("verts", at, count)?,
        ..Mesh::default()
    };
    let mut counts = header.influence_counts;
    let mut influences = header.influences;
    let (mut bad, mut cut) = (0, 0);
    for _ in 0..header.vertices {
        let most = influences.rest().len() / 16;
        let count = counts.ranged::<u32>("vertbonecount", 1..=most as i64)?;
        let (mut position, strongest) = read_vertex(&mut influences, count, skeleton)?;
        finite_or_zero(&mut position, &mut bad);
        cut += usize::from(strongest.is_cut());
        shared.positions.push(position);
        shared.influences.push(strongest.finish(0));
    }
    if !influences.rest().is_empty() {
        let length = header.influences.rest().len();
        let (found, expected) = (length as i64, (length - influences.rest().len()) as i64);
        return Err(influences.error(ModelProblem::Mismatch { field: "length of the lump", found, expected }));
    }
    file.warn_cut_influences("verts", at, cut);
    file.warn_not_finite("verts", at, bad);

    let mut bad = 0;
    for mut record in header.texcoords.records(8) {
        let [u, v] = record.get::<[f32; 2]>()?;
        let mut texcoord = [u, 1.0 - v];
        finite_or_zero(&mut texcoord, &mut bad);
        shared.texcoords.push(texcoord);
    }
    file.warn_not_finite("texcoords", header.texcoords.offset(), bad);
    Ok(shared)
}

/// Reads one vertex, stored once per bone in local space of that bone. The bones have equal weights.
fn read_vertex(influences: &mut Lump, count: u32, skeleton: &Skeleton) -> Result<([f32; 3], Strongest), ModelError> {
    let weight = 1.0 / count as f32;
    let mut position = Vec3::ZERO;
    let mut strongest = Strongest::default();
    for _ in 0..count {
        let bone = influences.ranged::<u32>("bonenum", 0..=skeleton.len() as i64 - 1)?;
        let origin = influences.get::<[f32; 3]>()?;
        let bind = skeleton.bind_model().get(bone as usize).copied().unwrap_or(Mat3x4::IDENTITY);
        position += bind.transform_point(origin.into()) * weight;
        strongest.add(bone as u16, weight);
    }
    Ok((position.to_array(), strongest))
}
