//! Moment of a drop test as triangles.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::Mesh;
use skelobj::pose;
use skelobj::ragdoll::DropFrame;
use skelobj::{DropTest, Model};

use super::timeline::Kind;
use super::{solid, surface};

/// Corner of a triangle in world space, with its colour in linear light.
#[derive(Clone, Copy)]
pub struct Vertex {
    pub place: Vec3,
    pub normal: Vec3,
    pub color: Vec3,
}

/// Shape of a body.
pub struct Hull {
    pub triangles: Vec<[Vec3; 3]>,
    pub color: [u8; 3],
}

/// Contents of one panel.
pub struct Scene {
    /// Seconds since the release.
    pub time: f32,
    /// Kind of the moment.
    pub kind: Kind,
    /// Skin, or bones of a model without a skin.
    pub solid: Vec<[Vertex; 3]>,
    /// `true` if `solid` is a skin.
    pub skinned: bool,
    /// Shapes of the bodies.
    pub hulls: Vec<Hull>,
    /// Pair of positions of each joint that is apart.
    pub gaps: Vec<[Vec3; 2]>,
    /// Height of the surface of the water.
    pub water: Option<f32>,
}

/// Size of a gap that is drawn, Quake units.
const GAP: f32 = 0.25;

impl Scene {
    /// Creates the scene of a frame. The shapes of bodies are included if `bodies`, or if nothing else is visible.
    pub fn new(test: &DropTest, frame: &DropFrame<'_>, kind: Kind, bodies: bool) -> Self {
        let model = &test.model;
        // Models that consist of bones alone often contain a dummy triangle or two, because tools require a mesh.
        let triangles: usize = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        let skinned = triangles > 0 && triangles >= model.skeleton.len();
        let solid = if skinned { skin(model, frame) } else { bones(model, frame) };
        let hulls = frame.ragdoll.bodies(frame.physics).filter(|_| bodies || solid.is_empty());
        let hulls = hulls.map(|body| Hull { triangles: solid::body(&body), color: surface::body(&body) }).collect();
        let gaps = gaps(frame);
        Self { time: frame.time, kind, solid, skinned, hulls, gaps, water: test.water }
    }

    /// Returns all corners of all triangles.
    pub fn points(&self) -> impl Iterator<Item = Vec3> + Clone {
        let solid = self.solid.iter().flatten().map(|vertex| vertex.place);
        solid.chain(self.hulls.iter().flat_map(|hull| hull.triangles.iter().flatten().copied()))
    }

    /// Returns the triangles that throw shadows: the skin, and without a skin also the bodies.
    pub fn casters(&self) -> impl Iterator<Item = [Vec3; 3]> + Clone {
        let solid = self.solid.iter().map(|triangle| triangle.map(|vertex| vertex.place));
        let hulls = self.hulls.iter().filter(|_| !self.skinned);
        solid.chain(hulls.flat_map(|hull| hull.triangles.iter().copied()))
    }
}

/// Returns the gaps of joints between bodies that do not follow the animation.
fn gaps(frame: &DropFrame<'_>) -> Vec<[Vec3; 2]> {
    let limp: Vec<bool> = frame.ragdoll.bodies(frame.physics).map(|body| body.strength == 0.0).collect();
    let is_limp = |body: usize| limp.get(body).copied().unwrap_or(false);
    let joints = frame.ragdoll.joints(frame.physics).zip(&frame.ragdoll.doll().joints);
    let held = joints.filter(|(_, joint)| is_limp(joint.body1) || joint.body2.is_some_and(is_limp));
    held.filter(|(state, _)| state.enabled && state.gap > GAP).map(|(state, _)| state.anchors).collect()
}

fn skin(model: &Model, frame: &DropFrame<'_>) -> Vec<[Vertex; 3]> {
    let mut palette = vec![Mat3x4::IDENTITY; frame.bones.len()];
    pose::palette(frame.bones, model.skeleton.inverse_bind(), &mut palette);
    let meshes = model.meshes.iter().enumerate();
    meshes.flat_map(|(number, mesh)| triangles(mesh, surface::material(number), &palette, frame.entity)).collect()
}

fn triangles(mesh: &Mesh, material: Vec3, palette: &[Mat3x4], entity: &Mat3x4) -> Vec<[Vertex; 3]> {
    let mut places = vec![Vec3::ZERO; mesh.positions.len()];
    let mut normals = vec![Vec3::ZERO; mesh.normals.len()];
    pose::skin(mesh, palette, &mut places, &mut normals);
    let vertex = |index: u32| {
        let index = index as usize;
        let normal = normals.get(index).copied().unwrap_or(Vec3::ZERO);
        Some(Vertex {
            place: entity.transform_point(*places.get(index)?),
            normal: entity.transform_vector(normal),
            color: mesh.colors.get(index).map_or(material, |color| surface::vertex(*color)),
        })
    };
    let triangles = mesh.triangles.iter().filter_map(|&[a, b, c]| Some([vertex(a)?, vertex(b)?, vertex(c)?]));
    triangles.filter_map(faced).collect()
}

/// Gives corners without a normal that of the triangle; returns `None` for a triangle with a non-finite corner.
fn faced(mut triangle: [Vertex; 3]) -> Option<[Vertex; 3]> {
    let [a, b, c] = triangle.map(|vertex| vertex.place);
    let face = (b - a).cross(c - a);
    if !face.is_finite() {
        return None;
    }
    for vertex in &mut triangle {
        vertex.normal = vertex.normal.try_normalize().or(face.try_normalize())?;
    }
    Some(triangle)
}

fn bones(model: &Model, frame: &DropFrame<'_>) -> Vec<[Vertex; 3]> {
    let places: Vec<Vec3> = frame.bones.iter().map(|bone| frame.entity.transform_point(bone.origin())).collect();
    let links: Vec<[Vec3; 2]> =
        (0..places.len()).filter_map(|bone| Some([*places.get(model.skeleton.parent(bone)?)?, places[bone]])).collect();
    let lengths = links.iter().map(|[from, to]| from.distance(*to)).filter(|length| length.is_finite());
    let mean = lengths.sum::<f32>() / links.len().max(1) as f32;
    let knob = (mean * 0.07).max(0.2);
    let knobs = places.iter().flat_map(|place| solid::knob(*place, knob));
    let flat =
        |corners: [Vec3; 3]| faced(corners.map(|place| Vertex { place, normal: Vec3::ZERO, color: surface::bone() }));
    links.iter().flat_map(|[from, to]| solid::bone(*from, *to)).chain(knobs).filter_map(flat).collect()
}
