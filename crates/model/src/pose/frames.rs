//! Vertex animation: the frames that a frame state blends, and the vertices and tags that result.

use super::PoseSource;
use crate::math::{Mat3x4, Vec3};
use crate::model::{Mesh, Morph, Tag};

/// Frames of a vertex-animated model that a frame state blends, at most eight, with their weights.
pub(super) struct FrameWeights {
    frames: [(usize, f32); 8],
    count: usize,
}

impl FrameWeights {
    /// Returns the frames that the model's bones after those of the base group would show, in the order in which they
    /// are summed.
    ///
    /// A model without animations shows its first frame. A pose that is not a frame of the model (a bind pose, an
    /// evaluated pose) is treated as frame 0.
    pub fn new(source: PoseSource<'_>) -> Self {
        let mut weights = Self { frames: [(0, 0.0); 8], count: 0 };
        let group = source.main();
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

    /// Returns the frame numbers and their weights.
    fn as_slice(&self) -> &[(usize, f32)] {
        &self.frames[..self.count]
    }

    /// Returns the matrix of a tag in model space: the weighted sum of the tag's frames, not normalised.
    ///
    /// A frame that the tag lacks is treated as its first; a tag without frames is the identity.
    pub fn blend_tag(&self, tag: &Tag) -> Mat3x4 {
        let frame = |frame: usize| tag.frames.get(frame).or(tag.frames.first()).unwrap_or(&Mat3x4::IDENTITY);
        let poses = self.frames.map(|(number, weight)| (std::slice::from_ref(frame(number)), weight));
        let mut sum = Mat3x4::ZERO;
        super::blend::blend(std::slice::from_mut(&mut sum), &poses[..self.count]);
        sum
    }
}

/// Writes the positions and normals of a mesh's vertices before skinning; model space, Quake units, unit length.
///
/// A vertex-animated mesh takes the weighted sum of its frames, any other mesh its own vertices; morphs are added with
/// the strengths that the frames give them. Normals are normalised; a sum of zero length is replaced by the mesh's own
/// normal. The function writes as many positions and normals as the slices have room for. A model without animations
/// shows its first frame, and so does a pose that is not a frame of the model (a bind pose, an evaluated pose).
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::model::{Animation, FrameState, Mesh, Model, VertexFrames};
/// use skelobj::pose::{self, PoseSource};
///
/// let frames = VertexFrames {
///     positions: vec![[0.0; 3], [0.0, 0.0, 8.0]],
///     normals: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
/// };
/// let (positions, normals) = (vec![[0.0; 3]], vec![[1.0, 0.0, 0.0]]);
/// let flag = Model {
///     meshes: vec![Mesh { positions, normals, frames, ..Mesh::default() }],
///     animations: vec![Animation::frames("wave", 0, 2, 10.0, true)],
///     ..Model::default()
/// };
/// let between = FrameState::single(0, 0.05); // the two frames
/// let (mut positions, mut normals) = ([Vec3::ZERO], [Vec3::ZERO]);
/// pose::morph(&flag.meshes[0], PoseSource { model: &flag, frame: &between }, &mut positions, &mut normals);
/// assert_eq!(positions, [Vec3::Z * 4.0]);
/// assert!(normals[0].distance(Vec3::new(0.5, 0.5, 0.0).normalize()) < 1e-6);
/// ```
pub fn morph(mesh: &Mesh, source: PoseSource<'_>, positions: &mut [Vec3], normals: &mut [Vec3]) {
    let weights = FrameWeights::new(source);
    sum(&mesh.frames.positions, &mesh.positions, &weights, positions);
    add_morphs(mesh, &weights, |morph| &morph.positions, positions);
    sum(&mesh.frames.normals, &mesh.normals, &weights, normals);
    add_morphs(mesh, &weights, |morph| &morph.normals, normals);
    for (out, normal) in normals.iter_mut().zip(&mesh.normals) {
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

fn sum(frames: &[[f32; 3]], base: &[[f32; 3]], weights: &FrameWeights, out: &mut [Vec3]) {
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
