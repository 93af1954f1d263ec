//! Vertex animation: which frames a frame state blends, and what becomes of vertices and tags.

use super::sample::Group;
use crate::math::{Mat3x4, Vec3};
use crate::model::{FrameState, Mesh, Model, Morph, Tag};

/// The up to eight frames that a frame state blends, with their weights.
#[derive(Clone, Copy, Debug)]
pub struct FrameWeights {
    frames: [(usize, f32); 8],
    count: usize,
}

impl FrameWeights {
    /// The frames that the upper bone group of a model would show, in the order in which they are summed; the first
    /// frame alone where the model has no animations. Poses that are no frame of the model count as its first.
    #[must_use]
    pub fn new(model: &Model, frame: &FrameState) -> Self {
        let mut weights = Self { frames: [(0, 0.0); 8], count: 0 };
        let group = Group { model, frame, blends: frame.blends() };
        for active in group.active() {
            let Some(animation) = group.animation(active) else {
                return Self { frames: [(0, 1.0); 8], count: 1 };
            };
            for (pose, weight) in group.baked_poses(animation, active) {
                if weight > 0.0 && weights.count < weights.frames.len() {
                    weights.frames[weights.count] = (animation.frame_of(pose).unwrap_or(0), weight);
                    weights.count += 1;
                }
            }
        }
        weights
    }

    /// Frame numbers and weights.
    #[must_use]
    pub fn as_slice(&self) -> &[(usize, f32)] {
        &self.frames[..self.count]
    }

    /// A tag's matrix: the linear sum of its frames', nothing normalised. Frames that it lacks count as its first.
    #[must_use]
    pub fn blend_tag(&self, tag: &Tag) -> Mat3x4 {
        let frame = |frame: usize| tag.frames.get(frame).or(tag.frames.first()).unwrap_or(&Mat3x4::IDENTITY);
        let poses = self.frames.map(|(number, weight)| (std::slice::from_ref(frame(number)), weight));
        let mut sum = Mat3x4::ZERO;
        super::blend(std::slice::from_mut(&mut sum), &poses[..self.count]);
        sum
    }
}

/// Writes where a mesh's vertices are before they are skinned, model space: those of the blended frames of a
/// vertex-animated mesh, else the mesh's own, with its morphs as strong as the blended frames have them. As many vertices
/// as `out` has room for.
pub fn morph_positions(mesh: &Mesh, weights: &FrameWeights, out: &mut [Vec3]) {
    morph(&mesh.frames.positions, &mesh.positions, weights, out);
    add_morphs(mesh, weights, |morph| &morph.positions, out);
}

/// Writes a mesh's normals before they are skinned, model space, normalised. As [`morph_positions`] otherwise.
pub fn morph_normals(mesh: &Mesh, weights: &FrameWeights, out: &mut [Vec3]) {
    morph(&mesh.frames.normals, &mesh.normals, weights, out);
    add_morphs(mesh, weights, |morph| &morph.normals, out);
    for (out, normal) in out.iter_mut().zip(&mesh.normals) {
        *out = out.normalize_or(Vec3::from(*normal));
    }
}

fn add_morphs(mesh: &Mesh, weights: &FrameWeights, deltas: fn(&Morph) -> &Vec<[f32; 3]>, out: &mut [Vec3]) {
    if mesh.morph_weights.is_empty() {
        return;
    }
    for (number, morph) in mesh.morphs.iter().enumerate() {
        let of_frame = |&(frame, weight): &(usize, f32)| {
            let place = frame.saturating_mul(mesh.morphs.len()).saturating_add(number);
            mesh.morph_weights.get(place).map_or(0.0, |strength| strength * weight)
        };
        let strength: f32 = weights.as_slice().iter().map(of_frame).sum();
        if strength == 0.0 {
            continue;
        }
        for (&vertex, &delta) in morph.vertices.iter().zip(deltas(morph)) {
            if let Some(out) = out.get_mut(vertex as usize) {
                *out += Vec3::from(delta) * strength;
            }
        }
    }
}

fn morph(frames: &[[f32; 3]], base: &[[f32; 3]], weights: &FrameWeights, out: &mut [Vec3]) {
    if frames.is_empty() {
        out.iter_mut().zip(base).for_each(|(out, &base)| *out = base.into());
        return;
    }
    let room = out.len().min(base.len());
    let out = &mut out[..room];
    out.fill(Vec3::ZERO);
    for &(frame, weight) in weights.as_slice() {
        let start = frame.saturating_mul(base.len());
        let vertices = frames.get(start..start.saturating_add(base.len())).unwrap_or(base);
        for (out, &vertex) in out.iter_mut().zip(vertices) {
            *out += Vec3::from(vertex) * weight;
        }
    }
}
