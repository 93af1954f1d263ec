//! Models made from parts that a host has read itself.

use std::ffi::c_char;

use skelobj::Model;
use skelobj::math::Mat3x4;
use skelobj::model::{Animation, Attachment, Bone, HitBox, Influences, Mesh, Skeleton};

use super::{SkelobjInfluences, load};
use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjModel};
use crate::numbers;
use crate::pointer::{Def, In};
use crate::text::name_or_empty;

/// Bone of a model to be made.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjBonePart {
    /// Name; null for none.
    pub name: In<c_char>,
    /// Number of the parent (from 1), less than the bone's own; 0 for a root.
    pub parent: i32,
    /// Bind pose, relative to the parent.
    pub bind: [f32; 12],
}

/// Animation of a model to be made.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjAnimationPart {
    /// Name; null for none.
    pub name: In<c_char>,
    /// First of its frames.
    pub first: i32,
    /// Number of its frames.
    pub count: i32,
    /// Frames per second.
    pub rate: f32,
    /// 1 if it starts again after its end.
    pub looping: i32,
}

/// Mesh of a model to be made. Arrays that a mesh does not have are null.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjMeshPart {
    /// Name; null for none.
    pub name: In<c_char>,
    /// Name of the material; null for none.
    pub material: In<c_char>,
    /// Number of vertices.
    pub vertex_count: i32,
    /// Number of triangles.
    pub triangle_count: i32,
    /// Positions: 3 floats for each vertex, model space.
    pub positions: In<[f32; 3]>,
    /// Normals: 3 floats for each vertex.
    pub normals: In<[f32; 3]>,
    /// Texture coordinates: 2 floats for each vertex.
    pub texcoords: In<[f32; 2]>,
    /// Bones of each vertex.
    pub influences: In<SkelobjInfluences>,
    /// Indices of vertices: 3 for each triangle.
    pub triangles: In<[u32; 3]>,
}

/// Place on a bone, for a model to be made.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjAttachmentPart {
    /// Name.
    pub name: In<c_char>,
    /// Number of the bone.
    pub bone: i32,
    /// Place relative to the bone.
    pub offset: [f32; 12],
}

/// Parts of a model. Get one from skelobj_default_model_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjModelDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Effect flags.
    pub flags: u32,
    /// Bones; parents come before children.
    pub bones: In<SkelobjBonePart>,
    /// Animations.
    pub animations: In<SkelobjAnimationPart>,
    /// Poses of all frames, relative to the parents: 12 floats for each bone of each frame.
    pub frames: In<[f32; 12]>,
    /// Meshes.
    pub meshes: In<SkelobjMeshPart>,
    /// Attachments.
    pub attachments: In<SkelobjAttachmentPart>,
    /// Hit boxes.
    pub hit_boxes: In<super::SkelobjHitBox>,
    /// Number of bones.
    pub bone_count: i32,
    /// Number of animations.
    pub animation_count: i32,
    /// Number of frames.
    pub frame_count: i32,
    /// Number of meshes.
    pub mesh_count: i32,
    /// Number of attachments.
    pub attachment_count: i32,
    /// Number of hit boxes.
    pub hit_box_count: i32,
}

/// Returns a def without parts.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_model_def() -> SkelobjModelDef {
    SkelobjModelDef {
        cookie: SkelobjModelDef::COOKIE,
        flags: 0,
        bones: In::NULL,
        animations: In::NULL,
        frames: In::NULL,
        meshes: In::NULL,
        attachments: In::NULL,
        hit_boxes: In::NULL,
        bone_count: 0,
        animation_count: 0,
        frame_count: 0,
        mesh_count: 0,
        attachment_count: 0,
        hit_box_count: 0,
    }
}

/// Makes a model from parts, for hosts with readers of their own, and returns its id; none on failure. Everything is
/// copied.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_create(def: In<SkelobjModelDef>) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || {
        let def = def.def()?;
        let bones = def.bones.slice(numbers::size(def.bone_count)?)?;
        let frames = numbers::size(def.frame_count)?;
        let matrices = frames.checked_mul(bones.len()).ok_or_else(|| Failure::number("frame_count", "fewer frames"))?;
        let matrices = def.frames.slice(matrices)?;
        let mut model = Model {
            skeleton: Skeleton::new(bones.iter().map(bone).collect::<Result<_>>()?)?,
            frames: matrices.iter().map(|matrix| Mat3x4(*matrix)).collect(),
            flags: def.flags,
            ..Model::default()
        };
        if model.frames.iter().any(|matrix| !matrix.is_finite()) {
            return Err(Failure::number("frames", "finite matrices"));
        }
        for part in def.animations.slice(numbers::size(def.animation_count)?)? {
            model.animations.push(animation(part, frames)?);
        }
        for part in def.meshes.slice(numbers::size(def.mesh_count)?)? {
            model.meshes.push(mesh(part, bones.len())?);
        }
        let one_of = |number: i32| numbers::bone(number).and_then(|bone| within(bone, bones.len(), "bone"));
        for part in def.attachments.slice(numbers::size(def.attachment_count)?)? {
            let (name, offset) = (name_or_empty(&part.name)?, finite(part.offset, "offset")?);
            model.attachments.push(Attachment { name, bone: one_of(part.bone)?, offset });
        }
        for part in def.hit_boxes.slice(numbers::size(def.hit_box_count)?)? {
            let hit_box = HitBox { bone: one_of(part.bone)?, group: part.group, mins: part.mins, maxs: part.maxs };
            if !hit_box.mins.iter().chain(&hit_box.maxs).all(|number| number.is_finite()) {
                return Err(Failure::number("hit_boxes", "finite corners"));
            }
            model.hit_boxes.push(hit_box);
        }
        load::insert(model)
    })
}

fn within(index: usize, count: usize, what: &str) -> Result<usize> {
    if index < count { Ok(index) } else { Err(Failure::not_found(format_args!("{what}: index {index} of {count}"))) }
}

fn finite(matrix: [f32; 12], name: &str) -> Result<Mat3x4> {
    let matrix = Mat3x4(matrix);
    if matrix.is_finite() { Ok(matrix) } else { Err(Failure::number(name, "a finite matrix")) }
}

fn bone(part: &SkelobjBonePart) -> Result<Bone> {
    let (name, parent) = (name_or_empty(&part.name)?, numbers::bone_or_none(part.parent)?);
    Ok(Bone { name, parent, bind: finite(part.bind, "bind")? })
}

fn animation(part: &SkelobjAnimationPart, frames: usize) -> Result<Animation> {
    let (first, count) = (numbers::size(part.first)?, numbers::size(part.count)?);
    if count == 0 || first + count > frames {
        let text = format!("an animation has frames {first} to {}, the model has {frames}", first + count);
        return Err(Failure::new(SkelobjStatus::Mismatch, text));
    }
    if !part.rate.is_finite() || part.rate <= 0.0 {
        return Err(Failure::number("rate", "a finite number above 0"));
    }
    let (first, count, looping) = (first as u32, count as u32, part.looping != 0);
    Ok(Animation::frames(name_or_empty(&part.name)?, first, count, part.rate, looping))
}

fn mesh(part: &SkelobjMeshPart, bones: usize) -> Result<Mesh> {
    let vertices = numbers::size(part.vertex_count)?;
    let optional = |is_null: bool| if is_null { 0 } else { vertices };
    let mesh = Mesh {
        name: name_or_empty(&part.name)?,
        material: name_or_empty(&part.material)?,
        positions: part.positions.slice(vertices)?.to_vec(),
        normals: part.normals.slice(optional(part.normals.is_null()))?.to_vec(),
        texcoords: part.texcoords.slice(optional(part.texcoords.is_null()))?.to_vec(),
        triangles: part.triangles.slice(numbers::size(part.triangle_count)?)?.to_vec(),
        ..Mesh::default()
    };
    let numbers = mesh.positions.iter().chain(&mesh.normals).flatten().chain(mesh.texcoords.iter().flatten());
    if !numbers.into_iter().all(|number| number.is_finite()) {
        return Err(Failure::number("meshes", "finite vertices"));
    }
    for vertex in mesh.triangles.iter().flatten() {
        within(*vertex as usize, vertices, "vertex")?;
    }
    let influences = part.influences.slice(optional(part.influences.is_null()))?;
    for influence in influences {
        for (bone, weight) in influence.bones.iter().zip(influence.weights) {
            if !weight.is_finite() {
                return Err(Failure::number("influences", "finite weights"));
            }
            if weight != 0.0 {
                within(usize::from(*bone), bones, "bone")?;
            }
        }
    }
    let influences = influences.iter().map(|from| Influences { bones: from.bones, weights: from.weights });
    Ok(Mesh { influences: influences.collect(), ..mesh })
}
