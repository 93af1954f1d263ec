//! `.md5mesh` files: joints in model space, and vertices placed by weights.

use super::super::cursor::finite_or_zero;
use super::super::finite_skeleton;
use super::super::normals::normals;
use super::super::weights::Strongest;
use super::{Md5, matrix, narrow};
use crate::math::hierarchy::to_local_space;
use crate::math::{Mat3x4, Vec3};
use crate::model::{Animation, AnimationSource, Bone, Fixup, Mesh, Model, ModelError, ModelProblem, Skeleton};

/// Deviation of a sum of weights from 1 that causes a warning.
const TOLERANCE: f32 = 1e-3;

/// Reads a mesh file.
pub(super) fn read(mut md5: Md5) -> Result<Model, ModelError> {
    let mut skeleton = None;
    let mut meshes = Vec::new();
    let mut stated = None;
    loop {
        md5.words.section = "header";
        let mut ahead = md5.words.clone();
        let Some(word) = ahead.next() else { break };
        let at = md5.words.offset();
        let before = std::mem::replace(&mut md5.words, ahead);
        match word {
            b"numMeshes" => stated = Some((at, md5.words.whole("numMeshes", 0..=i64::from(u32::MAX))?)),
            b"joints" if skeleton.is_none() => skeleton = Some(joints(&mut md5)?),
            b"mesh" => {
                let Some(skeleton) = &skeleton else { return Err(md5.missing("joints")) };
                let mesh = mesh(&mut md5, skeleton)?;
                md5.file.charge("mesh", at, size_of::<Mesh>() as u64)?;
                meshes.push(mesh);
            }
            _ if md5.directive(word)? => {}
            _ => {
                md5.words = before;
                return Err(md5.words.unexpected("joints or mesh"));
            }
        }
    }
    let Some(skeleton) = skeleton else { return Err(md5.missing("joints")) };
    md5.check_version();
    if let Some((at, stated)) = stated
        && stated != meshes.len() as i64
    {
        md5.file.warn("header", at, Fixup::Tolerated("a number of meshes that differs from numMeshes"));
    }
    let bind = Animation::frames("base", 0, 1, 1.0, true);
    let animations = vec![Animation { source: AnimationSource::BindPose, ..bind }];
    let (comments, warnings) = (md5.comments, std::mem::take(&mut md5.file.warnings));
    Ok(Model { skeleton, animations, meshes, comments, warnings, ..Model::default() })
}

/// Reads the joints, which the file stores in model space.
fn joints(md5: &mut Md5) -> Result<Skeleton, ModelError> {
    /// Minimum size of a joint, bytes.
    const SIZE: u64 = 16;
    md5.words.section = "joints";
    let at = md5.words.offset();
    if md5.joints == 0 {
        return Err(md5.missing("numJoints"));
    }
    let (needed, available) = (SIZE * u64::from(md5.joints), md5.words.left());
    if needed > available as u64 {
        return Err(md5.words.error(ModelProblem::PastEnd { needed, available }));
    }
    md5.words.require("{")?;
    let mut hierarchy = Vec::with_capacity(md5.joints as usize);
    let mut model_space = Vec::with_capacity(md5.joints as usize);
    for index in 0..md5.joints {
        hierarchy.push(md5.joint(index)?);
        let position = md5.words.vector()?;
        model_space.push(matrix(position, md5.words.vector()?));
    }
    md5.words.require("}")?;

    let parents: Vec<i32> = hierarchy.iter().map(|(_, parent)| parent.map_or(-1, |p| p as i32)).collect();
    let mut relative = vec![Mat3x4::IDENTITY; model_space.len()];
    to_local_space(&parents, &model_space, &mut relative);
    let bones = hierarchy.into_iter().zip(relative).map(|((name, parent), bind)| Bone { name, parent, bind });
    finite_skeleton::skeleton(md5.file, "joints", || at, bones.collect())
}

/// Vertex with its range of weights.
struct Vertex {
    at: usize,
    texcoord: [f32; 2],
    first: u32,
    count: u32,
}

/// Position in local space of a joint that contributes to a vertex.
struct Weight {
    joint: u16,
    bias: f32,
    position: [f32; 3],
}

fn mesh(md5: &mut Md5, skeleton: &Skeleton) -> Result<Mesh, ModelError> {
    md5.words.section = "mesh";
    let start = md5.words.offset();
    md5.words.require("{")?;
    let mut mesh = Mesh::default();
    let (mut vertices, mut weights) = (Vec::new(), Vec::new());
    loop {
        let mut ahead = md5.words.clone();
        let Some(word) = ahead.next() else { return Err(md5.missing("end of the mesh")) };
        let before = std::mem::replace(&mut md5.words, ahead);
        match word {
            b"shader" => {
                let at = md5.words.offset();
                let name = md5.words.word("a shader")?;
                mesh.material = md5.file.name("mesh", at, name)?;
                mesh.name = mesh.material.clone();
            }
            b"numverts" => vertices = read_vertices(md5)?,
            b"numtris" => mesh.triangles = read_triangles(md5)?,
            b"numweights" => weights = read_weights(md5, skeleton)?,
            b"}" => break,
            _ => {
                md5.words = before;
                return Err(md5.words.unexpected("shader, numverts, numtris, numweights or }"));
            }
        }
    }
    let last = vertices.len() as i64 - 1;
    if let Some(&index) = mesh.triangles.iter().flatten().find(|&&index| i64::from(index) > last) {
        let problem = ModelProblem::OutOfRange { field: "vertex index", found: index.into(), min: 0, max: last };
        return Err(ModelError::new("mesh", start, problem));
    }
    place(md5, skeleton, &vertices, &weights, &mut mesh)?;
    mesh.normals = normals(md5.file, "mesh", start, &mesh.positions, mesh.triangles.iter().copied())?;
    Ok(mesh)
}

fn read_vertices(md5: &mut Md5) -> Result<Vec<Vertex>, ModelError> {
    let at = md5.words.offset();
    let count = md5.words.count("numverts", 0, "vert 0(0 0)0 1".len())?;
    let mut vertices = md5.file.reserve("mesh", at, count.into())?;
    for index in 0..count {
        md5.words.require("vert")?;
        md5.words.index("vert", index)?;
        let texcoord = narrow(md5.words.vector()?);
        let at = md5.words.offset();
        let first = md5.words.whole("first weight", 0..=i64::from(u32::MAX))? as u32;
        let mut before = md5.words.clone();
        let count = md5.words.whole("number of weights", 0..=i64::from(u32::MAX))? as u32;
        if count == 0 {
            return Err(before.error(ModelProblem::Missing { what: "weights of a vertex" }));
        }
        vertices.push(Vertex { at, texcoord, first, count });
    }
    Ok(vertices)
}

fn read_triangles(md5: &mut Md5) -> Result<Vec<[u32; 3]>, ModelError> {
    let at = md5.words.offset();
    let count = md5.words.count("numtris", 0, "tri 0 0 0 0".len())?;
    let mut triangles = md5.file.reserve("mesh", at, count.into())?;
    for index in 0..count {
        md5.words.require("tri")?;
        md5.words.index("tri", index)?;
        let mut triangle = [0; 3];
        for corner in &mut triangle {
            *corner = md5.words.whole("vertex index", 0..=i64::from(u32::MAX))? as u32;
        }
        triangles.push(triangle);
    }
    Ok(triangles)
}

fn read_weights(md5: &mut Md5, skeleton: &Skeleton) -> Result<Vec<Weight>, ModelError> {
    let at = md5.words.offset();
    let count = md5.words.count("numweights", 0, "weight 0 0 1(0 0 0)".len())?;
    let mut weights = md5.file.reserve("mesh", at, count.into())?;
    let last = skeleton.len() as i64 - 1;
    for index in 0..count {
        md5.words.require("weight")?;
        md5.words.index("weight", index)?;
        let joint = md5.words.whole("joint", 0..=last)? as u16;
        let [bias] = narrow([md5.words.number()?]);
        weights.push(Weight { joint, bias, position: narrow(md5.words.vector()?) });
    }
    Ok(weights)
}

/// Places the vertices by their weights in the bind pose. All weights count with their stored biases, even if these do
/// not sum to 1.
fn place(
    md5: &mut Md5,
    skeleton: &Skeleton,
    vertices: &[Vertex],
    weights: &[Weight],
    mesh: &mut Mesh,
) -> Result<(), ModelError> {
    let count = vertices.len() as u64;
    let start = vertices.first().map_or(0, |vertex| vertex.at);
    mesh.positions = md5.file.reserve("mesh", start, count)?;
    mesh.texcoords = md5.file.reserve("mesh", start, count)?;
    mesh.influences = md5.file.reserve("mesh", start, count)?;
    let (mut uneven, mut bad, mut cut) = (None, 0, 0);
    for vertex in vertices {
        let end = u64::from(vertex.first) + u64::from(vertex.count);
        let Some(run) = weights.get(vertex.first as usize..end as usize) else {
            let max = weights.len() as i64;
            let problem = ModelProblem::OutOfRange { field: "end of the weights", found: end as i64, min: 1, max };
            return Err(ModelError::new("mesh", vertex.at, problem));
        };
        // Vertices may share weights, so repeated reading is charged like memory.
        md5.file.charge("mesh", vertex.at, size_of_val(run) as u64)?;
        let mut position = Vec3::ZERO;
        let (mut strongest, mut sum) = (Strongest::default(), 0.0);
        for weight in run {
            let joint = skeleton.bind_model().get(usize::from(weight.joint)).copied().unwrap_or(Mat3x4::IDENTITY);
            position += joint.transform_point(weight.position.into()) * weight.bias;
            strongest.add(weight.joint, weight.bias);
            sum += weight.bias;
        }
        if (sum - 1.0).abs() > TOLERANCE {
            uneven.get_or_insert(vertex.at);
        }
        cut += usize::from(strongest.is_cut());
        let mut position = position.to_array();
        finite_or_zero(&mut position, &mut bad);
        mesh.positions.push(position);
        mesh.texcoords.push(vertex.texcoord);
        mesh.influences.push(strongest.finish(run.first().map_or(0, |weight| weight.joint)));
    }
    if let Some(at) = uneven {
        md5.file.warn("mesh", at, Fixup::Tolerated("weights that do not sum to 1"));
    }
    md5.file.warn_cut_influences("mesh", start, cut);
    md5.file.warn_not_finite("mesh", start, bad);
    Ok(())
}
