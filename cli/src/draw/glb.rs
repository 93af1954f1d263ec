//! Motion as binary glTF: skeleton, skin, shapes of the bodies and the level, with the motion as an animation.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, Bone, Influences, Material, Mesh, Name, Skeleton, Texture as Source, VertexFrames};
use skelobj::ragdoll::BodyState;
use skelobj::{Model, write};

use super::cut;
use super::look::Look;
use super::scene::Stage;
use super::shot::Shot;
use super::texture::Texture;
use super::{solid, surface};
use crate::error::CliError;

/// Poses per second of a fall.
pub const RATE: f32 = 30.0;

/// Opacity of the shapes of bodies.
const BODY: f32 = 0.35;

/// Encodes a model with one of its animations, or without any.
pub fn animation(model: &Model, number: Option<usize>, looks: &[Look]) -> Result<Vec<u8>, CliError> {
    let mut model = model.clone();
    let animation = number.and_then(|number| model.animations.get(number).cloned());
    model.animations = animation.into_iter().collect();
    dress(&mut model, looks)?;
    encode(&model)
}

/// Encodes the moments of a fall, [`RATE`] per second.
pub fn fall(model: &Model, shots: &[Shot], looks: &[Look], stage: &Stage, bodies: bool) -> Result<Vec<u8>, CliError> {
    let Some(first) = shots.first() else { return Err(CliError::Picture("there is nothing to see".to_owned())) };
    let shown = if bodies { first.bodies.len() } else { 0 };
    let mut out = Model { meshes: model.meshes.clone(), materials: model.materials.clone(), ..Model::default() };
    for mesh in &mut out.meshes {
        // One animation moves the bones. Vertices stay in their first shape.
        (mesh.frames, mesh.morph_weights) = (VertexFrames::default(), Vec::new());
    }
    dress(&mut out, looks)?;
    let places = shots.iter().flat_map(|shot| {
        let bones = shot.bones.iter().map(|bone| shot.world.transform_point(bone.origin()));
        bones.chain(shot.bodies.iter().map(|body| body.position))
    });
    let level = cut::around(&stage.level, places);
    let rest = rest_of_bodies(model, first);
    let level_bone = model.skeleton.len() + shown;
    out.skeleton = skeleton(model, first, &rest[..shown], !level.is_empty())?;
    for (number, (body, rest)) in first.bodies.iter().zip(&rest).take(shown).enumerate() {
        out.meshes.push(shape(body, rest, model.skeleton.len() + number));
        let color = surface::linear(surface::body(body)).extend(BODY).to_array();
        let material = Material { name: material_of(body), color, is_blended: true, ..Material::default() };
        if !out.materials.contains(&material) {
            out.materials.push(material);
        }
    }
    if !level.is_empty() {
        let mesh = rigid(level.iter().copied(), level_bone);
        out.meshes.push(Mesh { name: "level".into(), material: "level".into(), ..mesh });
        let color = surface::wall().extend(1.0).to_array();
        out.materials.push(Material { name: "level".into(), color, ..Material::default() });
    }
    out.frames = shots.iter().flat_map(|shot| frame(model, shot, shown, !level.is_empty())).collect();
    out.animations = vec![Animation::frames("fall", 0, shots.len() as u32, RATE, false)];
    encode(&out)
}

fn encode(model: &Model) -> Result<Vec<u8>, CliError> {
    write::glb(model).map_err(|error| CliError::Picture(error.to_string()))
}

/// Gives a model the appearance that it has in a picture: textures beside it, and colours of meshes without any.
fn dress(model: &mut Model, looks: &[Look]) -> Result<(), CliError> {
    embed(model, looks)?;
    // A viewer finds no files beside the new one.
    for material in &mut model.materials {
        material.texture = material.texture.take().filter(|texture| matches!(texture, Source::Embedded { .. }));
    }
    for (number, (mesh, look)) in model.meshes.iter_mut().zip(looks).enumerate() {
        if look.texture.is_none() && look.color.is_none() && mesh.colors.is_empty() {
            let old = model.materials.iter().find(|material| material.name == mesh.material).cloned();
            mesh.material = format!("mesh {number} {}", mesh.material).trim_end().into();
            let color = surface::material(number).extend(1.0).to_array();
            model.materials.push(Material { name: mesh.material.clone(), color, ..old.unwrap_or_default() });
        }
    }
    Ok(())
}

/// Puts the textures beside a model into it.
pub fn embed(model: &mut Model, looks: &[Look]) -> Result<(), CliError> {
    let mut known: HashSet<Name> = HashSet::new();
    let mut encoded: HashMap<*const Texture, Arc<[u8]>> = HashMap::new();
    for (mesh, look) in model.meshes.iter_mut().zip(looks) {
        let material = model.materials.iter_mut().find(|material| material.name == mesh.material);
        let is_inside = |material: &Material| matches!(material.texture, Some(Source::Embedded { .. }));
        let Some(texture) = look.texture.as_ref().filter(|_| !material.as_deref().is_some_and(is_inside)) else {
            continue;
        };
        if !known.insert(mesh.material.clone()) {
            continue;
        }
        let has_holes = texture.has_holes();
        let bytes = match encoded.entry(Arc::as_ptr(texture)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => new.insert(texture.png().map_err(CliError::Picture)?.into()).clone(),
        };
        let texture = Some(Source::Embedded { mime: "image/png".into(), bytes });
        match material {
            Some(material) => material.texture = texture,
            None => {
                let (name, is_masked) = (mesh.material.clone(), has_holes);
                let material = Material { name, texture, is_masked, ..Material::default() };
                model.materials.push(material);
            }
        }
    }
    Ok(())
}

/// Returns the bones of the model, one for each body, and one for the level.
fn skeleton(model: &Model, first: &Shot, rest: &[Mat3x4], level: bool) -> Result<Skeleton, CliError> {
    let old = &model.skeleton;
    let bind = if old.has_bind() { old.bind_local().to_vec() } else { relative(model, &first.bones, &first.world) };
    let own =
        (0..old.len()).map(|bone| Bone { name: old.names()[bone].clone(), parent: old.parent(bone), bind: bind[bone] });
    let body = |(body, rest): (&BodyState, &Mat3x4)| Bone {
        name: format!("body {}", body.name).as_str().into(),
        parent: None,
        bind: *rest,
    };
    let bodies = first.bodies.iter().zip(rest).map(body);
    let level = level.then(|| Bone { name: "level".into(), parent: None, bind: Mat3x4::IDENTITY });
    let skeleton = Skeleton::new(own.chain(bodies).chain(level).collect());
    let skeleton = skeleton.map_err(|error| CliError::Picture(error.to_string()))?;
    if !old.has_bind() {
        return Ok(skeleton);
    }
    let made = skeleton.inverse_bind()[old.len()..].to_vec();
    let inverse: Vec<Mat3x4> = old.inverse_bind().iter().copied().chain(made).collect();
    Ok(skeleton.with_inverse_bind(inverse))
}

/// Returns the matrix of each body while the bones are in their bind pose.
fn rest_of_bodies(model: &Model, first: &Shot) -> Vec<Mat3x4> {
    let rest = |body: &BodyState| {
        let at = Mat3x4::from_rotation_translation(body.rotation, body.position);
        let bone = first.bones.get(body.bone).and_then(|bone| (first.world * *bone).inverse());
        let bind = model.skeleton.bind_model().get(body.bone).filter(|_| model.skeleton.has_bind());
        bone.zip(bind).map_or(at, |(bone, bind)| *bind * (bone * at))
    };
    first.bodies.iter().map(rest).collect()
}

/// Returns the matrices of all bones of a moment, each relative to its parent.
fn frame(model: &Model, shot: &Shot, shown: usize, level: bool) -> Vec<Mat3x4> {
    let mut matrices = relative(model, &shot.bones, &shot.world);
    let body = |body: &BodyState| Mat3x4::from_rotation_translation(body.rotation, body.position);
    matrices.extend(shot.bodies.iter().take(shown).map(body));
    matrices.extend(level.then_some(Mat3x4::IDENTITY));
    matrices
}

/// Returns the model's bones relative to their parents; those without one are relative to the world.
fn relative(model: &Model, bones: &[Mat3x4], world: &Mat3x4) -> Vec<Mat3x4> {
    let parent = |bone: usize| model.skeleton.parent(bone).and_then(|parent| bones.get(parent)?.inverse());
    bones.iter().enumerate().map(|(bone, at)| parent(bone).unwrap_or(*world) * *at).collect()
}

fn material_of(body: &BodyState) -> Name {
    format!("{:?}", body.mode).to_lowercase().as_str().into()
}

/// Returns the shape of a body on its bone.
fn shape(body: &BodyState, rest: &Mat3x4, bone: usize) -> Mesh {
    let at = Mat3x4::from_rotation_translation(body.rotation, body.position);
    let to_rest = *rest * at.inverse_uniform();
    let triangles = solid::body(body).into_iter().map(|triangle| triangle.map(|place| to_rest.transform_point(place)));
    Mesh { name: format!("body {}", body.name).as_str().into(), material: material_of(body), ..rigid(triangles, bone) }
}

/// Returns a mesh that one bone moves. Corners at one place are one vertex.
fn rigid(triangles: impl Iterator<Item = [Vec3; 3]>, bone: usize) -> Mesh {
    let mut mesh = Mesh::default();
    let mut known = HashMap::new();
    for triangle in triangles {
        let corners = triangle.map(|place| {
            *known.entry(place.to_array().map(f32::to_bits)).or_insert_with(|| {
                mesh.positions.push(place.to_array());
                mesh.positions.len() as u32 - 1
            })
        });
        mesh.triangles.push(corners);
    }
    let influence = Influences { bones: [bone as u16, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] };
    mesh.influences = vec![influence; mesh.positions.len()];
    mesh
}
