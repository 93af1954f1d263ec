//! Builtins on the surfaces of an entity's model, in its pose. A surface is a mesh; all numbers count from 0.

use std::sync::Arc;

use crate::math::{Mat3x4, Vec3};
use crate::model::{Mesh, Model};
use crate::pose::{self, PoseSource};
use crate::qc::Host;
use crate::qc::call::{BONES_A_STATEMENT, Call};
use crate::runtime::EntityState;

/// Vertices that a builtin moves in the time of one QuakeC statement.
const VERTICES_A_STATEMENT: u64 = 3;
/// Statements in the time of which a builtin goes on to the next mesh.
const MESH: u64 = 16;
/// Triangles whose nearest point is found in the time of one QuakeC statement, beside their part of the vertices.
const NEAREST_A_STATEMENT: u64 = 8;

/// Surface of the entity in argument 0.
struct Surface {
    model: Arc<Model>,
    mesh: usize,
    state: EntityState,
}

impl Surface {
    fn mesh(&self) -> &Mesh {
        &self.model.meshes[self.mesh]
    }
}

/// Model of the entity in argument 0, and its state.
fn entity(call: &mut Call<'_, impl Host + ?Sized>) -> Option<(Arc<Model>, EntityState)> {
    let entity = call.host.entity(0);
    let state = call.entity_state(entity);
    let model = call.runtime.model(state.model?)?.clone();
    Some((model, state))
}

/// Returns the surface of arguments 0 and 1.
fn surface(call: &mut Call<'_, impl Host + ?Sized>) -> Option<Surface> {
    let mesh = number(call, 1)?;
    let (model, state) = entity(call)?;
    (mesh < model.meshes.len()).then_some(Surface { model, mesh, state })
}

fn number(call: &mut Call<'_, impl Host + ?Sized>, argument: usize) -> Option<usize> {
    usize::try_from(call.integer(argument)).ok()
}

/// Returns the palette of an entity's pose.
fn palette(call: &mut Call<'_, impl Host + ?Sized>, model: &Model, state: &EntityState) -> Vec<Mat3x4> {
    let bones = model.skeleton.len();
    if !call.host.charge(bones as u64 / BONES_A_STATEMENT * 2) {
        return Vec::new();
    }
    let mut placed = vec![Mat3x4::IDENTITY; bones];
    match state.object.and_then(|id| call.runtime.object(id)) {
        Some(object) => object.write_model_space(&mut placed),
        None => {
            let mut local = placed.clone();
            pose::sample(PoseSource { model, frame: &state.frame }, 0..bones, &mut local);
            pose::to_model_space(model.skeleton.parents(), &local, &mut placed);
        }
    }
    let mut palette = vec![Mat3x4::IDENTITY; bones];
    pose::palette(&placed, model.skeleton.inverse_bind(), &mut palette);
    palette
}

/// Positions and normals of some vertices of a surface, world space.
struct Vertices {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

/// Returns all vertices of a surface in its entity's pose.
fn vertices(call: &mut Call<'_, impl Host + ?Sized>, surface: &Surface, palette: &[Mat3x4]) -> Option<Vertices> {
    let mesh = surface.mesh();
    let count = mesh.positions.len();
    if !call.host.charge((count + mesh.triangles.len()) as u64 / VERTICES_A_STATEMENT) {
        return None;
    }
    let mut positions = vec![Vec3::ZERO; count];
    let mut normals = vec![Vec3::ZERO; mesh.normals.len().min(count)];
    let source = PoseSource { model: &surface.model, frame: &surface.state.frame };
    pose::morph(mesh, source, &mut positions, &mut normals);
    pose::skin_morphed(mesh, palette, &mut positions, &mut normals);
    to_world(&mut positions, &mut normals, &surface.state.world);
    Some(Vertices { positions, normals })
}

fn to_world(positions: &mut [Vec3], normals: &mut [Vec3], world: &Mat3x4) {
    positions.iter_mut().for_each(|position| *position = world.transform_point(*position));
    let axes = world.axes();
    for normal in normals {
        // The left axis is the negated right one.
        let turned = axes.forward * normal.x - axes.right * normal.y + axes.up * normal.z;
        *normal = turned.normalize_or_zero();
    }
}

/// Returns one vertex of a surface in its entity's pose.
fn vertex(call: &mut Call<'_, impl Host + ?Sized>, surface: &Surface, number: usize) -> Option<(Vec3, Vec3)> {
    let mesh = surface.mesh();
    let position = *mesh.positions.get(number)?;
    let palette = palette(call, &surface.model, &surface.state);
    if !mesh.frames.positions.is_empty() || !mesh.morph_weights.is_empty() {
        let vertices = vertices(call, surface, &palette)?;
        return Some((vertices.positions[number], vertices.normals.get(number).copied().unwrap_or_default()));
    }
    let one = Mesh {
        positions: vec![position],
        normals: mesh.normals.get(number).copied().into_iter().collect(),
        influences: mesh.influences.get(number).cloned().into_iter().collect(),
        ..Mesh::default()
    };
    let (mut positions, mut normals) = ([Vec3::ZERO], [Vec3::ZERO]);
    pose::skin(&one, &palette, &mut positions, &mut normals);
    to_world(&mut positions, &mut normals, &surface.state.world);
    Some((positions[0], normals[0]))
}

/// Runs `getsurfacenumpoints` (#434).
pub(crate) fn numpoints(call: &mut Call<'_, impl Host + ?Sized>) {
    let count = surface(call).map_or(0, |surface| surface.mesh().positions.len());
    call.host.return_float(count as f32);
}

/// Runs `getsurfacenumtriangles` (#628).
pub(crate) fn numtriangles(call: &mut Call<'_, impl Host + ?Sized>) {
    let count = surface(call).map_or(0, |surface| surface.mesh().triangles.len());
    call.host.return_float(count as f32);
}

/// Runs `getsurfacetriangle` (#629): the numbers of the triangle's three points.
pub(crate) fn triangle(call: &mut Call<'_, impl Host + ?Sized>) {
    let triangle = surface(call).zip(number(call, 2)).and_then(|(surface, number)| {
        let triangle = surface.mesh().triangles.get(number)?;
        Some(Vec3::from(triangle.map(|point| point as f32)))
    });
    call.host.return_vector(triangle.unwrap_or_default());
}

/// Runs `getsurfacepoint` (#435).
pub(crate) fn point(call: &mut Call<'_, impl Host + ?Sized>) {
    let place = surface(call).zip(number(call, 2)).and_then(|(surface, number)| vertex(call, &surface, number));
    return_finite(call, place.map(|(position, _)| position));
}

/// Runs `getsurfacepointattribute` (#486): 0 position, 3 normal, 4 texture coordinates, 6 colour; others are zero.
pub(crate) fn pointattribute(call: &mut Call<'_, impl Host + ?Sized>) {
    let attribute = call.integer(3);
    let value = surface(call).zip(number(call, 2)).and_then(|(surface, number)| match attribute {
        0 => Some(vertex(call, &surface, number)?.0),
        3 => Some(vertex(call, &surface, number)?.1),
        4 => surface.mesh().texcoords.get(number).map(|[s, t]| Vec3::new(*s, *t, 0.0)),
        6 => surface.mesh().colors.get(number).map(|[red, green, blue, _]| Vec3::new(*red, *green, *blue)),
        _ => None,
    });
    return_finite(call, value);
}

/// Runs `getsurfacenormal` (#436): the normal of the first triangle.
pub(crate) fn normal(call: &mut Call<'_, impl Host + ?Sized>) {
    let normal = surface(call).and_then(|surface| {
        let [a, b, c] = *surface.mesh().triangles.first()?;
        let mut corner = |number: u32| vertex(call, &surface, number as usize);
        let ((a, facing), (b, _), (c, _)) = (corner(a)?, corner(b)?, corner(c)?);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        // The normals of the vertices say which side is the front.
        Some(if normal.dot(facing) < 0.0 { -normal } else { normal })
    });
    return_finite(call, normal);
}

/// Runs `getsurfacetexture` (#437).
pub(crate) fn texture(call: &mut Call<'_, impl Host + ?Sized>) {
    let surface = surface(call);
    call.host.return_string(surface.as_ref().map_or(&[], |surface| surface.mesh().material.as_bytes()));
}

/// Returns the point of a surface that is nearest to a point.
fn nearest(call: &mut Call<'_, impl Host + ?Sized>, surface: &Surface, palette: &[Mat3x4], to: Vec3) -> Option<Vec3> {
    if !call.host.charge(MESH + surface.mesh().triangles.len() as u64 / NEAREST_A_STATEMENT) {
        return None;
    }
    let Vertices { positions, .. } = vertices(call, surface, palette)?;
    let corner = |number: u32| positions.get(number as usize).copied();
    let mut best: Option<(f32, Vec3)> = None;
    for &[a, b, c] in &surface.mesh().triangles {
        let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else { continue };
        let point = nearest_in_triangle(to, [a, b, c]);
        let distance = point.distance_squared(to);
        if best.is_none_or(|(nearest, _)| distance < nearest) {
            best = Some((distance, point));
        }
    }
    best.map(|(_, point)| point)
}

/// Returns the point of a triangle that is nearest to `p`.
fn nearest_in_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = (b - a).cross(c - a);
    let corners = [a, b, c];
    let next = |corner: usize| corners[(corner + 1) % 3];
    let is_inside = (0..3).all(|corner| (next(corner) - corners[corner]).cross(p - corners[corner]).dot(normal) >= 0.0);
    if is_inside && normal.length_squared() > 0.0 {
        return p - normal * ((p - a).dot(normal) / normal.length_squared());
    }
    let on_edge = |corner: usize| {
        let along = next(corner) - corners[corner];
        let length = along.length_squared();
        let share = if length > 0.0 { ((p - corners[corner]).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        corners[corner] + along * share
    };
    let edges = [on_edge(0), on_edge(1), on_edge(2)];
    let nearest = edges.into_iter().min_by(|x, y| x.distance_squared(p).total_cmp(&y.distance_squared(p)));
    nearest.unwrap_or(a)
}

/// Runs `getsurfacenearpoint` (#438): the surface nearest to a point, -1 if there is none.
pub(crate) fn nearpoint(call: &mut Call<'_, impl Host + ?Sized>) {
    let to = call.vector(1);
    let mut best: Option<(f32, usize)> = None;
    if let Some((model, state)) = entity(call) {
        let palette = palette(call, &model, &state);
        for mesh in 0..model.meshes.len() {
            let surface = Surface { model: model.clone(), mesh, state };
            let Some(point) = nearest(call, &surface, &palette, to) else { continue };
            let distance = point.distance_squared(to);
            if best.is_none_or(|(nearest, _)| distance < nearest) {
                best = Some((distance, mesh));
            }
        }
    }
    call.host.return_float(best.map_or(-1.0, |(_, mesh)| mesh as f32));
}

/// Runs `getsurfaceclippedpoint` (#439): the point of a surface nearest to a point; without a surface, that point.
pub(crate) fn clippedpoint(call: &mut Call<'_, impl Host + ?Sized>) {
    let to = call.vector(2);
    let point = surface(call).and_then(|surface| {
        let palette = palette(call, &surface.model, &surface.state);
        nearest(call, &surface, &palette, to)
    });
    return_finite(call, Some(point.unwrap_or(to)));
}

/// Returns a vector, zero if it overflowed or there is none.
fn return_finite(call: &mut Call<'_, impl Host + ?Sized>, value: Option<Vec3>) {
    call.host.return_vector(value.filter(|value| value.is_finite()).unwrap_or_default());
}
