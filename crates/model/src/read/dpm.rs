//! DarkPlaces models (DPM), type 2: big-endian, bones with weighted vertices.

use super::cursor::{self, finite_or_identity, finite_or_zero};
use super::weights::Strongest;
use super::{cursor::Cursor, finite_skeleton};
use crate::limits::Limits;
use crate::math::{Mat3x4, Vec3};
use crate::model::{Animation, Bone, Bounds, Fixup, Mesh, Model, ModelError, ModelProblem, Skeleton};

/// First bytes of every DPM file.
pub(crate) const MAGIC: &[u8] = b"DARKPLACESMODEL\0";

/// Size of the header, bytes.
const SIZE: usize = 80;
/// Size of a name, bytes.
const NAME: usize = 32;
/// Size of one influence of a vertex, bytes.
const INFLUENCE: usize = 32;

type File<'a> = cursor::File<'a, true>;
type Record<'a> = Cursor<'a, true>;

/// Number of records, and byte offset of the first one.
#[derive(Clone, Copy)]
struct Table {
    count: u32,
    offset: u32,
}

/// Reads a DPM.
///
/// Frame 0 is the bind pose and also an ordinary frame. Every frame is an animation of one pose that loops at 10 poses
/// per second, as `.framegroups` files expect. Vertices are placed by frame 0 and keep their four strongest influences.
/// Triangles are reversed to Quake's winding.
///
/// # Errors
/// A type other than 2; a wrong size field; no bones, meshes or frames; a table outside the file; an index outside its
/// table; a parent that does not precede its child.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    let mut file = File::new(bytes, limits);
    let [bones, meshes, frames] = header(&file)?;
    let poses = read_frames(&mut file, frames, bones.count)?;
    let skeleton = read_bones(&mut file, bones, &poses.matrices)?;
    let meshes = read_meshes(&mut file, meshes, &skeleton)?;
    let Poses { matrices, animations, bounds } = poses;
    Ok(Model { skeleton, animations, frames: matrices, bounds, meshes, warnings: file.warnings, ..Model::default() })
}

/// Reads the header and returns the tables of bones, meshes and frames.
fn header(file: &File) -> Result<[Table; 3], ModelError> {
    let mut header = file.table("header", 0, 1, SIZE)?;
    header.take(MAGIC.len())?;
    let at = header.offset();
    let found = header.get::<u32>()?;
    if found != 2 {
        return Err(ModelError::new("header", at, ModelProblem::UnsupportedVersion { found, expected: "2" }));
    }
    let at = header.offset();
    let stated = header.get::<u32>()?;
    if stated as usize != file.len() {
        return Err(ModelError::new("header", at, ModelProblem::WrongFileSize { stated, actual: file.len() }));
    }
    let _bounds = header.get::<[f32; 8]>()?;
    let at = header.offset();
    let [bones, meshes, frames] = header.get::<[u32; 3]>()?;
    for (i, (count, what)) in [(bones, "bones"), (meshes, "meshes"), (frames, "frames")].into_iter().enumerate() {
        if count == 0 {
            return Err(ModelError::new("header", at + 4 * i, ModelProblem::Missing { what }));
        }
    }
    finite_skeleton::check_count("header", at, bones)?;
    let offsets = header.get::<[u32; 3]>()?;
    let table = |count, offset| Table { count, offset };
    Ok([table(bones, offsets[0]), table(meshes, offsets[1]), table(frames, offsets[2])])
}

/// Contents of the frame table.
struct Poses {
    matrices: Vec<Mat3x4>,
    animations: Vec<Animation>,
    bounds: Vec<Bounds>,
}

fn read_frames(file: &mut File, frames: Table, bones: u32) -> Result<Poses, ModelError> {
    const SIZE: usize = 68;
    const POSE: usize = 48;
    let table = file.table("frames", frames.offset, frames.count, SIZE)?;
    let at = table.offset();
    let count = u64::from(frames.count);
    let mut matrices = file.reserve("frames", at, count * u64::from(bones))?;
    let mut animations = file.reserve("frames", at, count)?;
    let mut bounds = file.reserve("frames", at, count)?;
    let (mut bad, mut bad_bounds) = (0, 0);
    for (frame, mut record) in table.records(SIZE).enumerate() {
        let name = file.name("frames", record.offset(), record.take(NAME)?)?;
        animations.push(Animation::frames(name, frame as u32, 1, Animation::DEFAULT_RATE, true));
        let [mins, maxs] = record.get::<[[f32; 3]; 2]>()?;
        let [xy_radius, radius] = record.get::<[f32; 2]>()?;
        let finite = mins.iter().chain(&maxs).chain(&[xy_radius, radius]).all(|v| v.is_finite());
        bad_bounds += usize::from(!finite);
        bounds.push(Bounds { mins, maxs, xy_radius, radius });
        let pose = file.table("frame", record.get()?, bones, POSE)?;
        for mut matrix in pose.records(POSE) {
            matrices.push(finite_or_identity(Mat3x4(matrix.get()?), &mut bad));
        }
    }
    file.warn_not_finite("frames", at, bad);
    if bad_bounds > 0 {
        file.warn("frames", at, Fixup::Dropped("non-finite bounds"));
        bounds.clear();
    }
    Ok(Poses { matrices, animations, bounds })
}

fn read_bones(file: &mut File, table: Table, bind: &[Mat3x4]) -> Result<Skeleton, ModelError> {
    debug_assert!(bind.len() >= table.count as usize, "every bone has a bind pose");
    const SIZE: usize = 40;
    let table = file.table("bones", table.offset, table.count, SIZE)?;
    let at = table.offset();
    let records = table.records(SIZE);
    let mut bones = file.reserve("bones", at, records.len() as u64)?;
    for (bone, (mut record, &bind)) in records.zip(bind).enumerate() {
        let name = file.name("bones", record.offset(), record.take(NAME)?)?;
        let parent = record.ranged::<i32>("parent", -1..=bone as i64 - 1)?;
        let _flags: u32 = record.get()?;
        bones.push(Bone { name, parent: usize::try_from(parent).ok(), bind });
    }
    finite_skeleton::skeleton(file, "bones", || at, bones)
}

fn read_meshes(file: &mut File, table: Table, skeleton: &Skeleton) -> Result<Vec<Mesh>, ModelError> {
    const SIZE: usize = 56;
    let count = table.count;
    let table = file.table("meshes", table.offset, count, SIZE)?;
    let mut meshes = file.reserve("meshes", table.offset(), count.into())?;
    for mut record in table.records(SIZE) {
        let at = record.offset();
        let material = file.name("meshes", at, record.take(NAME)?)?;
        let [vertex_count, triangle_count] = record.get::<[u32; 2]>()?;
        let [vertices, texcoords, indexes, groups] = record.get::<[u32; 4]>()?;
        let mut mesh = Mesh { name: material.clone(), material, ..Mesh::default() };
        read_vertices(file, Table { count: vertex_count, offset: vertices }, skeleton, &mut mesh)?;

        let table = file.table("texcoords", texcoords, vertex_count, 8)?;
        mesh.texcoords = file.reserve("texcoords", table.offset(), vertex_count.into())?;
        let mut bad = 0;
        for mut record in table.records(8) {
            let mut texcoord = record.get::<[f32; 2]>()?;
            finite_or_zero(&mut texcoord, &mut bad);
            mesh.texcoords.push(texcoord);
        }
        file.warn_not_finite("texcoords", table.offset(), bad);

        let table = file.table("indices", indexes, triangle_count, 12)?;
        mesh.triangles = file.reserve("indices", table.offset(), triangle_count.into())?;
        for mut record in table.records(12) {
            let start = record;
            let [a, b, c] = record.get::<[u32; 3]>()?;
            let max = a.max(b).max(c);
            if max >= vertex_count {
                let (found, max) = (max.into(), i64::from(vertex_count) - 1);
                return Err(start.error(ModelProblem::OutOfRange { field: "vertex index", found, min: 0, max }));
            }
            mesh.triangles.push([c, b, a]);
        }

        let table = file.table("groupids", groups, triangle_count, 4)?;
        mesh.triangle_groups = file.reserve("groupids", table.offset(), triangle_count.into())?;
        for mut record in table.records(4) {
            mesh.triangle_groups.push(record.get()?);
        }
        meshes.push(mesh);
    }
    Ok(meshes)
}

/// Reads positions, normals and influences. Vertices differ in size and follow one another.
fn read_vertices(file: &mut File, table: Table, skeleton: &Skeleton, mesh: &mut Mesh) -> Result<(), ModelError> {
    let Table { count, offset } = table;
    let at = offset as usize;
    // A vertex has at least one influence.
    file.table("vertices", offset, count, 4 + INFLUENCE)?;
    if count == 0 {
        return Ok(());
    }
    let rest = file.len().saturating_sub(at) as u32;
    let mut vertices = file.table("vertices", offset, rest, 1)?;
    mesh.positions = file.reserve("vertices", at, count.into())?;
    mesh.normals = file.reserve("vertices", at, count.into())?;
    mesh.influences = file.reserve("vertices", at, count.into())?;
    let (mut bad, mut cut) = (0, 0);
    for _ in 0..count {
        let (mut position, normal, strongest, first) = read_vertex(&mut vertices, skeleton)?;
        finite_or_zero(&mut position, &mut bad);
        mesh.positions.push(position);
        mesh.normals.push(normal.normalize_or(Vec3::Z).to_array());
        cut += usize::from(strongest.is_cut());
        mesh.influences.push(strongest.finish(first));
    }
    // Meshes may share vertices with many influences, so repeated reading is charged like memory.
    file.charge("vertices", at, (vertices.offset() - at) as u64)?;
    file.warn_cut_influences("vertices", at, cut);
    file.warn_not_finite("vertices", at, bad);
    Ok(())
}

/// Reads one vertex, and its first bone. Position and normal are stored once per bone, in local space of that bone and
/// already weighted.
fn read_vertex(vertices: &mut Record, skeleton: &Skeleton) -> Result<([f32; 3], Vec3, Strongest, u16), ModelError> {
    let most = vertices.rest().len().saturating_sub(4) / INFLUENCE;
    let count = vertices.ranged::<u32>("numbones", 1..=most as i64)?;
    let (mut position, mut normal) = (Vec3::ZERO, Vec3::ZERO);
    let (mut strongest, mut first) = (Strongest::default(), None);
    let last = skeleton.len() as i64 - 1;
    for _ in 0..count {
        let [x, y, z, influence] = vertices.get::<[f32; 4]>()?;
        let weighted_normal = vertices.get::<[f32; 3]>()?;
        let bone = vertices.ranged::<u32>("bonenum", 0..=last)?;
        let bind = skeleton.bind_model().get(bone as usize).copied().unwrap_or(Mat3x4::IDENTITY);
        position += bind.transform_vector(Vec3::new(x, y, z)) + bind.origin() * influence;
        normal += bind.transform_vector(weighted_normal.into());
        strongest.add(bone as u16, influence);
        first.get_or_insert(bone as u16);
    }
    Ok((position.to_array(), normal, strongest, first.unwrap_or(0)))
}
