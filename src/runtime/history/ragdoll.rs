//! Ragdolls in a history.

use std::sync::Arc;

use super::model::{RecordedModel, farther};
use super::poses::{PoseBuffer, PoseRange};
use super::trace::Moment;
use super::{Entry, Frame};
use crate::math::{Mat3x4, Vec3};
use crate::object::SkeletalObject;
use crate::physics::rapier3d::prelude::Pose;
use crate::physics::{CollisionGroups, Physics};
use crate::ragdoll::{BodyShapes, Ragdoll};
use crate::runtime::posed_skins::PosedSkins;
use crate::runtime::skin_trace::RagdollSkin;
use crate::runtime::{Hit, ObjectGeometry, Trace};

/// Record of a ragdoll.
#[derive(Clone, Debug)]
pub(super) struct RecordedRagdoll {
    pub shapes: Arc<BodyShapes>,
    /// Poses of the shapes: the first of those in the frame.
    first_pose: usize,
    /// Bones in world space, where the bodies are.
    bones: PoseRange,
    /// Length of a unit of the model, world units.
    unit: f32,
    /// Sphere around bodies and skin, world space.
    center: Vec3,
    radius: f32,
    pub groups: CollisionGroups,
}

impl RecordedRagdoll {
    /// Appends a ragdoll to a frame. `known` are the shapes in the last record of its object.
    pub fn new(
        frame: &mut Frame,
        model: &RecordedModel,
        (object, ragdoll): (&SkeletalObject, &Ragdoll),
        physics: &Physics,
        known: Option<Arc<BodyShapes>>,
        scratch: &mut Vec<Mat3x4>,
        push: fn(&mut PoseBuffer, &[Mat3x4], &[f32]) -> PoseRange,
    ) -> Self {
        let shapes = known.filter(|shapes| ragdoll.has_shapes(shapes, physics));
        let shapes = shapes.unwrap_or_else(|| Arc::new(ragdoll.body_shapes(physics)));
        let first_pose = frame.shape_poses.len();
        frame.shape_poses.extend(ragdoll.shape_poses(physics));
        debug_assert_eq!(frame.shape_poses.len(), first_pose + shapes.len(), "every shape has a pose");
        scratch.clear();
        ragdoll.write_world_bones(object, physics, scratch);
        let low = scratch.iter().map(Mat3x4::origin).reduce(Vec3::min).unwrap_or_default();
        let high = scratch.iter().map(Mat3x4::origin).reduce(Vec3::max).unwrap_or_default();
        let center = (low + high) * 0.5;
        let bodies = shapes.spheres(&frame.shape_poses[first_pose..]);
        let bodies = bodies.map(|(place, radius)| place.distance(center) + radius);
        let radius = bodies.fold(model.radius(scratch, center), farther);
        let bones = push(&mut frame.poses, scratch, &model.reach);
        Self { shapes, first_pose, bones, unit: ragdoll.unit(), center, radius, groups: ragdoll.groups(physics) }
    }

    /// Returns the memory of a ragdoll's poses at most, bytes.
    pub fn max_bytes(ragdoll: &Ragdoll, bones: usize) -> usize {
        ragdoll.doll().bodies.len() * size_of::<Pose>() + PoseBuffer::max_bytes(bones)
    }

    fn poses<'a>(&self, frame: &'a Frame) -> &'a [Pose] {
        &frame.shape_poses[self.first_pose..self.first_pose + self.shapes.len()]
    }
}

impl Entry {
    /// Returns the record that the ragdoll of this one moves toward.
    fn later_ragdoll<'a>(
        &self,
        ragdoll: &RecordedRagdoll,
        moment: Moment<'a>,
    ) -> Option<(&'a Frame, &'a RecordedRagdoll)> {
        let (frame, entry) = moment.later(self)?;
        let later = entry.ragdoll.as_ref()?;
        Arc::ptr_eq(&later.shapes, &ragdoll.shapes).then_some((frame, later))
    }

    /// Returns `true` if the line comes near the ragdoll of a record.
    pub(super) fn is_ragdoll_near(&self, ragdoll: &RecordedRagdoll, moment: Moment<'_>, trace: &Trace) -> bool {
        match self.later_ragdoll(ragdoll, moment) {
            Some((_, later)) => {
                let center = ragdoll.center.lerp(later.center, moment.share);
                trace.is_within(center, ragdoll.radius.max(later.radius))
            }
            None => trace.is_within(ragdoll.center, ragdoll.radius),
        }
    }

    /// Traces the ragdoll of a record.
    pub(super) fn trace_ragdoll(
        &self,
        ragdoll: &RecordedRagdoll,
        moment: Moment<'_>,
        skins: &PosedSkins,
        trace: &Trace,
        geometry: ObjectGeometry,
    ) -> Option<Hit> {
        if !self.is_ragdoll_near(ragdoll, moment, trace) {
            return None;
        }
        let (later, share) = (self.later_ragdoll(ragdoll, moment), moment.share);
        let mut poses = ragdoll.poses(moment.frame).to_vec();
        if let Some((frame, later)) = later {
            for (pose, other) in poses.iter_mut().zip(later.poses(frame)) {
                pose.translation = pose.translation.lerp(other.translation, share);
                pose.rotation = pose.rotation.lerp(other.rotation, share);
            }
        }
        let [start, end] = trace.line_ends();
        let body = ragdoll.shapes.cast_line(&poses, start, end);
        if geometry == ObjectGeometry::Ragdoll {
            return Some(trace.body_hit(body?, self.object));
        }
        let bones = moment.bones(ragdoll.bones, later.map(|(frame, later)| (frame, later.bones)));
        let unit = later.map_or(ragdoll.unit, |(_, later)| ragdoll.unit + (later.unit - ragdoll.unit) * share);
        let skin = RagdollSkin { model: &self.model.model, bones: &bones, unit, body };
        skin.trace(skins, trace, self.object, |bone| ragdoll.shapes.bone_body(bone))
    }
}
