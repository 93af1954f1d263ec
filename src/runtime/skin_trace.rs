//! Traces through ragdolls and the skin between their bodies.

use std::sync::Arc;

use super::posed_skins::PosedSkins;
use super::{Hit, ObjectId, Runtime, Surface, Trace};
use crate::math::Mat3x4;
use crate::model::Model;
use crate::ragdoll::BodyHit;
#[cfg(feature = "qc")]
use crate::{math::Vec3, physics::CollisionGroups};

/// Ragdoll and its skin at one moment.
pub(super) struct RagdollSkin<'a> {
    pub model: &'a Arc<Model>,
    /// Bones in world space, where the bodies are.
    pub bones: &'a [Mat3x4],
    /// Length of a unit of the model, world units.
    pub unit: f32,
    /// First body that the line hits.
    pub body: Option<BodyHit>,
}

impl RagdollSkin<'_> {
    /// Traces the bodies and the skin between them; `bone_body` returns the body that drives a bone.
    pub fn trace(
        self,
        skins: &PosedSkins,
        trace: &Trace,
        id: ObjectId,
        bone_body: impl Fn(usize) -> Option<usize>,
    ) -> Option<Hit> {
        let Self { model, bones, unit, body } = self;
        let first = body.map(|hit| hit.fraction);
        let found = skins.get(model, bones).trace_between_bodies(&model.meshes, unit, trace.line_ends(), first);
        // Skin that the same body moves, such as a thumb before its hand.
        let mover = |bone: usize| {
            let mut line = std::iter::successors(Some(bone), |bone| model.skeleton.parent(*bone));
            line.find_map(&bone_body)
        };
        let of_hit = |bone: usize| body.is_some_and(|hit| mover(bone) == Some(hit.body));
        match found.filter(|found| !found.bone.is_some_and(of_hit)) {
            Some(found) => {
                let surface = Surface::Skin { mesh: found.mesh, triangle: found.triangle };
                Some(trace.hit(found.fraction, found.normal, Some(id), found.bone, surface))
            }
            None => body.map(|hit| trace.body_hit(hit, id)),
        }
    }
}

impl Trace {
    /// Returns the hit of a ragdoll's body.
    pub(super) fn body_hit(&self, hit: BodyHit, id: ObjectId) -> Hit {
        self.hit(hit.fraction, hit.normal, Some(id), Some(hit.bone), Surface::Body(hit.body))
    }
}

impl Runtime {
    /// Traces the bodies of an object's ragdoll and the skin between them, where the bodies are.
    pub(super) fn trace_skin_between_bodies(&self, trace: &Trace, id: ObjectId) -> Option<Hit> {
        let (object, ragdoll) = (self.object(id)?, self.ragdoll(id)?);
        let mut bones = Vec::new();
        ragdoll.write_world_bones(object, &self.physics, &mut bones);
        let [start, end] = trace.line_ends();
        let body = ragdoll.cast_line(start, end, &self.physics);
        let skin = RagdollSkin { model: object.model(), bones: &bones, unit: ragdoll.unit(), body };
        skin.trace(&self.posed_skins, trace, id, |bone| ragdoll.bone_body(bone))
    }

    /// Returns the objects with a ragdoll in one of the groups, if the line meets the box around its bodies.
    #[cfg(feature = "qc")]
    pub(crate) fn ragdolls_on_line(&self, start: Vec3, end: Vec3, groups: CollisionGroups) -> Vec<ObjectId> {
        let is_near = |object: ObjectId| {
            let ragdoll = self.ragdoll(object)?;
            let [low, high] = ragdoll.bounds(&self.physics)?;
            let is_wanted = u32::from(ragdoll.groups(&self.physics)) & u32::from(groups) != 0;
            (is_wanted && crosses(start, end, low, high)).then_some(object)
        };
        self.objects().filter_map(|(object, _)| is_near(object)).collect()
    }
}

/// Returns `true` if a line meets a box.
#[cfg(feature = "qc")]
fn crosses(start: Vec3, end: Vec3, low: Vec3, high: Vec3) -> bool {
    let along = end - start;
    let (mut first, mut last) = (0.0f32, 1.0f32);
    for axis in 0..3 {
        let [near, far] = [low[axis] - start[axis], high[axis] - start[axis]];
        if along[axis] == 0.0 {
            if near > 0.0 || far < 0.0 {
                return false;
            }
            continue;
        }
        let [near, far] = [near / along[axis], far / along[axis]];
        first = first.max(near.min(far));
        last = last.min(near.max(far));
    }
    first <= last
}
