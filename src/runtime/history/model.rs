//! Models of recorded objects, and how far they reach.

use std::sync::Arc;

use skelobj_model::internal;

use crate::math::{Mat3x4, Vec3};
use crate::model::{Mesh, Model};

/// Model of recorded objects.
#[derive(Debug)]
pub(super) struct RecordedModel {
    pub model: Arc<Model>,
    /// Distance from each bone that its hit boxes and the vertices that it moves do not exceed, in the bone's space.
    pub reach: Vec<f32>,
    /// Largest distance from the entity's origin of a vertex without bones, model space.
    fixed: f32,
    longest_reach: f32,
}

impl RecordedModel {
    pub fn new(model: &Arc<Model>) -> Self {
        let bones = model.skeleton.len();
        let mut recorded = Self { model: model.clone(), reach: vec![0.0; bones], fixed: 0.0, longest_reach: 0.0 };
        for hit_box in &model.hit_boxes {
            let corner = Vec3::from(hit_box.mins).abs().max(Vec3::from(hit_box.maxs).abs());
            if let Some(reach) = recorded.reach.get_mut(hit_box.bone) {
                *reach = reach.max(corner.length());
            }
        }
        model.meshes.iter().for_each(|mesh| recorded.add_mesh(mesh));
        recorded.longest_reach = recorded.reach.iter().copied().fold(0.0, farther);
        recorded
    }

    fn add_mesh(&mut self, mesh: &Mesh) {
        let model = self.model.clone();
        let inverse = model.skeleton.inverse_bind();
        for (vertex, position) in mesh.positions.iter().enumerate() {
            let position = Vec3::from(*position);
            let Some(influences) = mesh.influences.get(vertex) else {
                self.fixed = self.fixed.max(position.length());
                continue;
            };
            let used = || influences.bones.iter().zip(&influences.weights).filter(|(_, weight)| **weight != 0.0);
            let has_bones = used().all(|(bone, weight)| usize::from(*bone) < inverse.len() && *weight > 0.0);
            let is_mixed = has_bones && (influences.weights.iter().sum::<f32>() - 1.0).abs() < 1e-3;
            if !is_mixed {
                // Weights that do not add up to 1 may move a vertex anywhere.
                self.fixed = f32::INFINITY;
            }
            for bone in used().map(|(bone, _)| usize::from(*bone)) {
                if let (Some(reach), Some(inverse)) = (self.reach.get_mut(bone), inverse.get(bone)) {
                    let own = if is_mixed { inverse.transform_point(position).length() } else { f32::INFINITY };
                    *reach = reach.max(own);
                }
            }
        }
    }

    /// Returns a distance from a point that nothing of the model exceeds; `bones` are in the space of the point.
    pub fn radius(&self, bones: &[Mat3x4], point: Vec3) -> f32 {
        let (mut farthest, mut longest) = (0.0f32, 0.0f32);
        for bone in bones {
            let [x, y, z] = internal::rows(bone);
            let squares = x * x + y * y + z * z;
            let to_point = bone.origin() - point;
            farthest = farther(farthest, to_point.length_squared());
            // No direction becomes longer than by the root of the sum of all squares.
            longest = farther(longest, squares.x + squares.y + squares.z);
        }
        farther(self.fixed, farthest.sqrt() + self.longest_reach * longest.sqrt())
    }
}

/// Returns the larger of two distances. A NaN is larger than any: it must not hide what it belongs to.
pub(super) fn farther(far: f32, distance: f32) -> f32 {
    if distance <= far || far.is_nan() { far } else { distance }
}

/// Returns a factor that no direction becomes longer by, for a matrix that may be sheared.
pub(super) fn longest_axis(matrix: &Mat3x4) -> f32 {
    let squares = [matrix.forward(), matrix.left(), matrix.up()].map(Vec3::length_squared);
    if internal::is_scaled(matrix) {
        squares.iter().sum::<f32>().sqrt()
    } else {
        squares.into_iter().fold(0.0, f32::max).sqrt()
    }
}
