//! State of a skeletal object in a snapshot.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::posing::Springs;
use super::{Blending, Built, Pose, SkeletalObject};
use crate::model::Model;
use crate::pose::{BoneMask, FeetState};

/// State of a [`SkeletalObject`] without its model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedPose {
    pose: Pose,
    built: Built,
    mask: Option<Arc<BoneMask>>,
    blending: Blending,
    springs: Springs,
    feet: Option<Box<FeetState>>,
}

impl SkeletalObject {
    pub(crate) fn save(&self) -> SavedPose {
        let Self {
            model: _,
            pose,
            built,
            revision: _,
            is_shared: _,
            in_model: _,
            last_build: _,
            mask,
            blending,
            split_frames: _,
            spare_mask: _,
            springs,
            feet,
        } = self;
        let (mask, springs, feet) = (mask.clone(), springs.clone(), feet.clone());
        SavedPose { pose: pose.clone(), built: *built, mask, blending: *blending, springs, feet }
    }

    /// Takes over a saved state; the matrices keep their address.
    pub(crate) fn load(&mut self, saved: SavedPose) {
        debug_assert_eq!(saved.bone_count(), self.bone_count(), "the snapshot is one of this model");
        self.note_write(saved.built);
        self.mask = saved.mask;
        self.set_blending(saved.blending);
        self.springs = saved.springs;
        self.feet = saved.feet;
        self.replace_pose(match saved.pose {
            Pose::Local(_) => Pose::Local,
            Pose::ModelSpace(_) => Pose::ModelSpace,
        });
        for (bone, saved) in self.pose.bones_mut().iter_mut().zip(saved.pose.bones()) {
            *bone = *saved;
        }
    }
}

impl SavedPose {
    /// Returns the number of bones.
    pub fn bone_count(&self) -> usize {
        self.pose.bones().len()
    }

    /// Creates the skeletal object from its state; the model must have as many bones.
    pub fn restore(self, model: Arc<Model>) -> SkeletalObject {
        SkeletalObject {
            built: self.built,
            mask: self.mask,
            blending: self.blending,
            springs: self.springs,
            feet: self.feet,
            ..SkeletalObject::with_pose(model, self.pose)
        }
    }
}
