//! Surfaces of a posed model as triangles: its skin, or its bones.

use std::sync::Arc;

use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{FrameState, Mesh};
use skelobj::pose::{self, PoseSource};

use super::look::Look;
use super::shell::Shell;
use super::texture::Texture;
use super::{solid, surface};

/// Corner of a triangle in world space.
#[derive(Clone, Copy)]
pub struct Vertex {
    pub place: Vec3,
    pub normal: Vec3,
    /// Colour in linear light, which tints a texture.
    pub color: Vec3,
    pub texcoord: [f32; 2],
}

/// Triangle of a skin or a bone.
#[derive(Clone)]
pub struct Face {
    pub corners: [Vertex; 3],
    /// Number of its texture in the scene.
    pub texture: Option<u32>,
}

impl Face {
    /// Returns the texture coordinate at the weights of the second and third corner.
    pub fn texcoord(&self, [wb, wc]: [f32; 2]) -> [f32; 2] {
        let [a, b, c] = self.corners.map(|vertex| vertex.texcoord);
        std::array::from_fn(|axis| a[axis] * (1.0 - wb - wc) + b[axis] * wb + c[axis] * wc)
    }
}

/// Surfaces of all models in a scene.
#[derive(Default)]
pub struct Surfaces {
    /// Skins, or bones of models without a skin.
    pub faces: Vec<Face>,
    /// Triangles of `faces` over shared points.
    pub shell: Shell,
    /// Textures of the faces.
    pub textures: Vec<Arc<Texture>>,
}

/// Posed model in a scene.
pub struct Posed<'a> {
    /// Model that is shown.
    pub model: &'a Model,
    /// Appearance of its meshes; those without are coloured.
    pub looks: &'a [Look],
    /// Bones, model space.
    pub bones: &'a [Mat3x4],
    /// State of its animations, for vertices that move without bones.
    pub frame: &'a FrameState,
    /// Matrix from model space to world space.
    pub world: &'a Mat3x4,
    /// Number of the first colour of its meshes.
    pub color: usize,
}

/// Maximum number of bones of a skeleton that has balls at its joints: more would take long, and hide each other.
const MAX_BALLS: usize = 1024;

impl Posed<'_> {
    /// Returns `true` if the model has a skin that is worth seeing. Models that consist of bones alone often contain a
    /// dummy triangle or two, because tools require a mesh.
    pub fn is_skinned(&self) -> bool {
        let triangles: usize = self.model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        triangles > 0 && triangles >= self.model.skeleton.len()
    }

    /// Adds the triangles of the skin, or else of the bones.
    pub fn add_to(&self, surfaces: &mut Surfaces) {
        if self.is_skinned() { self.skin(surfaces) } else { self.bones(surfaces) }
    }

    fn skin(&self, Surfaces { faces, shell, textures }: &mut Surfaces) {
        let mut palette = vec![Mat3x4::IDENTITY; self.bones.len()];
        pose::palette(self.bones, self.model.skeleton.inverse_bind(), &mut palette);
        let source = PoseSource { model: self.model, frame: self.frame };
        for (number, mesh) in self.model.meshes.iter().enumerate() {
            let look = self.looks.get(number).cloned().unwrap_or_default();
            let texture = look.texture.map(|texture| {
                textures.push(texture);
                textures.len() as u32 - 1
            });
            let plain = if texture.is_some() { Vec3::ONE } else { surface::material(self.color + number) };
            let (color, tint) = (look.color.unwrap_or(plain), look.color.unwrap_or(Vec3::ONE));
            let (places, normals) = moved(mesh, &palette, source);
            let vertex = |index: usize| {
                let normal = normals.get(index).copied().unwrap_or(Vec3::ZERO);
                Vertex {
                    place: self.world.transform_point(places[index]),
                    normal: self.world.transform_vector(normal).normalize_or_zero(),
                    color: mesh.colors.get(index).map_or(color, |own| surface::vertex(*own) * tint),
                    texcoord: mesh.texcoords.get(index).copied().unwrap_or_default(),
                }
            };
            let vertices: Vec<Vertex> = (0..places.len()).map(vertex).collect();
            let mut points: Vec<Option<u32>> = vec![None; vertices.len()];
            for triangle in &mesh.triangles {
                let indexes = triangle.map(|index| index as usize);
                let [Some(a), Some(b), Some(c)] = indexes.map(|index| vertices.get(index)) else { continue };
                let Some(corners) = faced([*a, *b, *c]) else { continue };
                faces.push(Face { corners, texture });
                let point = |index: usize| *points[index].get_or_insert_with(|| shell.point(vertices[index].place));
                let triangle = indexes.map(point);
                shell.triangles.push(triangle);
            }
        }
    }

    fn bones(&self, Surfaces { faces, shell, .. }: &mut Surfaces) {
        let skeleton = &self.model.skeleton;
        let places: Vec<Vec3> = self.bones.iter().map(|bone| self.world.transform_point(bone.origin())).collect();
        let link = |bone: usize| Some([skeleton.parent(bone)?, bone]);
        let links: Vec<[usize; 2]> = (0..places.len()).filter_map(link).collect();
        let length = |[from, to]: &[usize; 2]| places[*from].distance(places[*to]);
        let mean =
            links.iter().map(length).filter(|length| length.is_finite()).sum::<f32>() / links.len().max(1) as f32;
        // Knobs are small beside all bones that meet there, so that those of a hand do not hide it.
        let mut knobs = vec![if mean > 0.0 { mean * 0.07 } else { 1.0 }; places.len()];
        for link in &links {
            for bone in *link {
                knobs[bone] = knobs[bone].min((length(link) * 0.25).max(mean * 0.015));
            }
        }
        let rods = links.iter().flat_map(|[from, to]| solid::bone(places[*from], places[*to], mean * 0.15));
        let shown = if places.len() > MAX_BALLS { 0 } else { places.len() };
        let knobs = places.iter().zip(knobs).take(shown).flat_map(|(place, radius)| solid::knob(*place, radius));
        let vertex = |place| Vertex { place, normal: Vec3::ZERO, color: surface::bone(), texcoord: [0.0; 2] };
        for triangle in rods.chain(knobs) {
            if let Some(corners) = faced(triangle.map(vertex)) {
                faces.push(Face { corners, texture: None });
                shell.triangle(triangle);
            }
        }
    }
}

/// Returns the positions and normals of a mesh's vertices, model space.
fn moved(mesh: &Mesh, palette: &[Mat3x4], source: PoseSource<'_>) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut places = vec![Vec3::ZERO; mesh.positions.len()];
    let mut normals = vec![Vec3::ZERO; mesh.normals.len()];
    if mesh.is_morphed() {
        pose::morph(mesh, source, &mut places, &mut normals);
        pose::skin_morphed(mesh, palette, &mut places, &mut normals);
    } else {
        pose::skin(mesh, palette, &mut places, &mut normals);
    }
    (places, normals)
}

/// Gives corners without a normal that of the triangle; the others have length 1. Returns `None` for a triangle with a
/// non-finite corner.
fn faced(mut triangle: [Vertex; 3]) -> Option<[Vertex; 3]> {
    let [a, b, c] = triangle.map(|vertex| vertex.place);
    let face = (b - a).cross(c - a);
    if !face.is_finite() {
        return None;
    }
    for vertex in triangle.iter_mut().filter(|vertex| vertex.normal == Vec3::ZERO) {
        vertex.normal = face.try_normalize()?;
    }
    Some(triangle)
}
