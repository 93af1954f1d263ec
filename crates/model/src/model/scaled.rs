//! Models of another size.

use std::ops::Range;
use std::sync::Arc;

use super::{Animation, AnimationSource, Model, PoseEvaluator, PoseParameters, Skeleton};
use crate::math::Mat3x4;
use crate::out_of_range::OutOfRange;

/// Number of poses of an evaluated animation that are examined.
const EXAMINED: u32 = 16;

impl Model {
    /// Returns the model at another size: all lengths multiplied by a factor from 0.001 to 1000.
    ///
    /// Bones keep their axes, and so their rotations and scales. A model in metres becomes one in Quake units with a
    /// factor of about 32.
    ///
    /// # Errors
    /// [`OutOfRange`] if the factor is, or if numbers of a model near the end of an f32's range would leave it. Of an
    /// evaluated animation, 16 poses are examined; translations of the others end at the largest f32.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let giant = mannequin.scaled(2.0)?;
    /// assert!((giant.bounds[0].maxs[2] - 2.0 * mannequin.bounds[0].maxs[2]).abs() < 1e-3);
    /// assert!(mannequin.scaled(0.0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scaled(&self, factor: f32) -> Result<Self, OutOfRange> {
        OutOfRange::check((1e-3..=1e3).contains(&factor), "factor", factor, "0.001 to 1000")?;
        let scaled = self.times(factor);
        let is_in_reach = |model: &Self| {
            let mut examined = Self { frames: model.some_evaluated_poses(), ..Self::default() };
            examined.skeleton = model.skeleton.clone();
            [model, &examined].iter().all(|model| model.bone_out_of_reach(&model.skeleton).is_none())
        };
        let stays = (is_in_reach(&scaled) || !is_in_reach(self)) && scaled.has_finite_meshes();
        OutOfRange::check(stays, "factor", factor, "one that keeps all bones within an f32's range")?;
        Ok(scaled)
    }

    /// Returns local matrices of moments of evaluated animations, evenly spread.
    fn some_evaluated_poses(&self) -> Vec<Mat3x4> {
        let bones = self.skeleton.len();
        let mut found = Vec::new();
        for animation in &self.animations {
            let AnimationSource::Evaluated { poses, .. } = &animation.source else { continue };
            let duration = f64::from(animation.duration());
            for moment in 0..EXAMINED {
                let start = found.len();
                found.resize(start + bones, Mat3x4::IDENTITY);
                let time = duration * f64::from(moment) / f64::from(EXAMINED);
                poses.evaluate(time, &PoseParameters::default(), 0..bones, &mut found[start..]);
            }
        }
        found
    }

    fn has_finite_meshes(&self) -> bool {
        let is_finite = |places: &[[f32; 3]]| places.as_flattened().iter().all(|number| number.is_finite());
        let morphs = self.meshes.iter().flat_map(|mesh| &mesh.morphs);
        self.meshes.iter().all(|mesh| is_finite(&mesh.positions) && is_finite(&mesh.frames.positions))
            && morphs.into_iter().all(|morph| is_finite(&morph.positions))
    }

    fn times(&self, factor: f32) -> Self {
        let mut model = self.clone();
        let longer = |lengths: &mut [f32]| lengths.iter_mut().for_each(|length| *length *= factor);
        model.skeleton = self.skeleton.times(factor);
        let offsets = model.attachments.iter_mut().map(|attachment| &mut attachment.offset);
        let tags = model.tags.iter_mut().flat_map(|tag| &mut tag.frames);
        for matrix in model.frames.iter_mut().chain(offsets).chain(tags) {
            *matrix = farther(*matrix, factor);
        }
        for Animation { source, .. } in &mut model.animations {
            if let AnimationSource::Evaluated { poses, .. } = source {
                *poses = Arc::new(Scaled { poses: poses.clone(), factor });
            }
        }
        for mesh in &mut model.meshes {
            longer(mesh.positions.as_flattened_mut());
            longer(mesh.frames.positions.as_flattened_mut());
            mesh.morphs.iter_mut().for_each(|morph| longer(morph.positions.as_flattened_mut()));
            mesh.surface.min_distance *= factor;
            mesh.surface.max_distance *= factor;
        }
        for bounds in &mut model.bounds {
            longer(&mut bounds.mins);
            longer(&mut bounds.maxs);
            (bounds.xy_radius, bounds.radius) = (bounds.xy_radius * factor, bounds.radius * factor);
        }
        for hit_box in &mut model.hit_boxes {
            longer(&mut hit_box.mins);
            longer(&mut hit_box.maxs);
        }
        for sequence in model.half_life.iter_mut().flat_map(|data| &mut data.sequences) {
            longer(&mut sequence.linear_movement);
        }
        model
    }
}

/// Returns a matrix with its translation multiplied.
pub(super) fn farther(matrix: Mat3x4, factor: f32) -> Mat3x4 {
    let mut m = matrix.0;
    for at in [3, 7, 11] {
        m[at] *= factor;
    }
    Mat3x4(m)
}

/// Evaluator whose poses have multiplied translations.
#[derive(Debug)]
struct Scaled {
    poses: Arc<dyn PoseEvaluator>,
    factor: f32,
}

impl PoseEvaluator for Scaled {
    fn evaluate(&self, time: f64, parameters: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]) {
        let count = bones.len();
        self.poses.evaluate(time, parameters, bones, out);
        for bone in out.iter_mut().take(count) {
            *bone = farther(*bone, self.factor);
            [3, 7, 11].into_iter().for_each(|at| bone.0[at] = bone.0[at].clamp(f32::MIN, f32::MAX));
        }
    }

    fn retargeted(&self, skeleton: &Skeleton) -> Option<Arc<dyn PoseEvaluator>> {
        // The evaluator mixes its own lengths with those of the skeleton, which must therefore have its size.
        let poses = self.poses.retargeted(&skeleton.times(1.0 / self.factor))?;
        Some(Arc::new(Self { poses, factor: self.factor }))
    }

    fn bone_out_of_reach(&self, skeleton: &Skeleton) -> Option<usize> {
        let most = self.factor.max(1.0);
        self.poses.bone_out_of_reach(&skeleton.times(most))
    }

    fn is_pure(&self) -> bool {
        self.poses.is_pure()
    }

    fn is_rest_pose(&self) -> bool {
        self.poses.is_rest_pose()
    }

    fn duration(&self) -> Option<f32> {
        self.poses.duration()
    }
}
