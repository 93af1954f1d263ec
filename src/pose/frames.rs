//! Vertex animation: the frames that a frame state blends, and the vertices and tags that result.

use super::PoseSource;
use crate::math::{Mat3x4, Vec3};
use crate::model::{FrameState, Mesh, Model, Morph, Tag};

/// Frames of a vertex-animated model that a frame state blends, at most eight, with their weights.
///
/// ```
/// use skelobj::Model;
/// use skelobj::math::Vec3;
/// use skelobj::model::{Animation, FrameState, Mesh, VertexFrames};
/// use skelobj::pose::{self, FrameWeights};
///
/// let frames = VertexFrames { positions: vec![[0.0; 3], [0.0, 0.0, 8.0]], ..VertexFrames::default() };
/// let flag = Model {
///     meshes: vec![Mesh { positions: vec![[0.0; 3]], frames, ..Mesh::default() }],
///     animations: vec![Animation::frames("wave", 0, 2, 10.0, true)],
///     ..Model::default()
/// };
/// let weights = FrameWeights::new(&flag, &FrameState::single(0, 0.05)); // between the two frames
/// let mut vertices = [Vec3::ZERO];
/// pose::morph_positions(&flag.meshes[0], &weights, &mut vertices);
/// assert_eq!(vertices, [Vec3::Z * 4.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FrameWeights {
    frames: [(usize, f32); 8],
    count: usize,
}

impl FrameWeights {
    /// Returns the frames that the model's bones from [`base_bones`](FrameState::base_bones) on would show, in the
    /// order in which they are summed.
    ///
    /// A model without animations shows its first frame. A pose that is not a frame of the model (a bind pose, an
    /// evaluated pose) is treated as frame 0.
    ///
    /// ```
    /// use skelobj::{model::FrameState, pose::FrameWeights};
    /// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
    /// // "walk" starts at frame 60 and has 30 frames per second.
    /// let weights = FrameWeights::new(&mannequin, &FrameState::single(1, 0.05));
    /// assert_eq!(weights.as_slice(), [(61, 0.5), (62, 0.5)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(model: &Model, frame: &FrameState) -> Self {
        let mut weights = Self { frames: [(0, 0.0); 8], count: 0 };
        let group = PoseSource { model, frame }.main();
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
    ///
    /// ```
    /// use skelobj::{model::FrameState, pose::FrameWeights};
    /// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
    /// let weights = FrameWeights::new(&mannequin, &FrameState::single(3, 100.0)); // long dead
    /// assert_eq!(weights.as_slice(), [(142, 1.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> &[(usize, f32)] {
        &self.frames[..self.count]
    }

    /// Returns the matrix of a tag in model space: the weighted sum of the tag's frames, not normalised.
    ///
    /// A frame that the tag lacks is treated as its first; a tag without frames is the identity.
    ///
    /// ```
    /// use skelobj::Model;
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::{Animation, FrameState, Tag};
    /// use skelobj::pose::FrameWeights;
    ///
    /// let at = |height: f32| Mat3x4::from_translation(Vec3::Z * height);
    /// let tag = Tag { name: "tag_weapon".into(), frames: vec![at(20.0), at(24.0)] };
    /// let animations = vec![Animation::frames("raise", 0, 2, 10.0, false)];
    /// let torso = Model { tags: vec![tag], animations, ..Model::default() };
    /// let weights = FrameWeights::new(&torso, &FrameState::single(0, 0.05));
    /// assert_eq!(weights.blend_tag(&torso.tags[0]), at(22.0));
    /// ```
    #[must_use]
    pub fn blend_tag(&self, tag: &Tag) -> Mat3x4 {
        let frame = |frame: usize| tag.frames.get(frame).or(tag.frames.first()).unwrap_or(&Mat3x4::IDENTITY);
        let poses = self.frames.map(|(number, weight)| (std::slice::from_ref(frame(number)), weight));
        let mut sum = Mat3x4::ZERO;
        super::blend(std::slice::from_mut(&mut sum), &poses[..self.count]);
        sum
    }
}

/// Writes the positions of a mesh's vertices before skinning; model space, Quake units.
///
/// A vertex-animated mesh takes the weighted sum of its frames, any other mesh its own positions; morphs are added with
/// the strengths that the frames give them. The function writes as many vertices as `out` has room for.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::{model::FrameState, pose};
/// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
/// let face = &mannequin.meshes[2];
/// let weights = pose::FrameWeights::new(&mannequin, &FrameState::single(1, 0.0));
/// let mut positions = vec![Vec3::ZERO; face.positions.len()];
/// pose::morph_positions(face, &weights, &mut positions);
/// assert_eq!(positions[0], Vec3::from(face.positions[0])); // bones animate the mannequin, not vertices
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn morph_positions(mesh: &Mesh, weights: &FrameWeights, out: &mut [Vec3]) {
    morph(&mesh.frames.positions, &mesh.positions, weights, out);
    add_morphs(mesh, weights, |morph| &morph.positions, out);
}

/// Writes the normals of a mesh's vertices before skinning; model space, unit length.
///
/// The normals of frames and morphs are summed as [`morph_positions`] sums positions, then normalised. A sum of zero
/// length is replaced by the mesh's own normal.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::model::{Animation, FrameState, Mesh, Model, VertexFrames};
/// use skelobj::pose::{self, FrameWeights};
///
/// let frames = VertexFrames { positions: vec![[0.0; 3]; 2], normals: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] };
/// let (positions, normals) = (vec![[0.0; 3]], vec![[1.0, 0.0, 0.0]]);
/// let flag = Model {
///     meshes: vec![Mesh { positions, normals, frames, ..Mesh::default() }],
///     animations: vec![Animation::frames("wave", 0, 2, 10.0, true)],
///     ..Model::default()
/// };
/// let mut normals = [Vec3::ZERO];
/// let weights = FrameWeights::new(&flag, &FrameState::single(0, 0.05));
/// pose::morph_normals(&flag.meshes[0], &weights, &mut normals);
/// assert!(normals[0].distance(Vec3::new(0.5, 0.5, 0.0).normalize()) < 1e-6);
/// ```
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
