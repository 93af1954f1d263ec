//! The formats that models are written in.

use super::WriteError;
use crate::model::{Animation, AnimationSource, Mesh, Model};

/// A format that models are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Inter-Quake Model, version 2 ([`iqm`](super::iqm)).
    Iqm,
    /// Binary glTF 2.0 (`glb`).
    #[cfg(feature = "gltf")]
    Glb,
}

impl Format {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Iqm,
        #[cfg(feature = "gltf")]
        Self::Glb,
    ];

    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Iqm => "iqm",
            #[cfg(feature = "gltf")]
            Self::Glb => "glb",
        }
    }

    /// The format of files with this extension; case does not matter.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }

    /// Writes a model in this format.
    ///
    /// # Errors
    /// Whatever in the model contradicts itself.
    pub fn write(self, model: &Model) -> Result<Vec<u8>, WriteError> {
        match self {
            Self::Iqm => super::iqm(model),
            #[cfg(feature = "gltf")]
            Self::Glb => super::glb(model),
        }
    }

    /// What a model has and the format does not: in words for people, empty when nothing is lost but precision.
    pub fn losses(self, model: &Model) -> Vec<&'static str> {
        let meshes = |has: fn(&Mesh) -> bool| model.meshes.iter().any(has);
        let animations = |has: fn(&Animation) -> bool| model.animations.iter().any(has);
        let evaluated = |animation: &Animation| matches!(animation.source, AnimationSource::Evaluated { .. });
        let everywhere = [
            ("hit boxes", !model.hit_boxes.is_empty()),
            ("attachments", !model.attachments.is_empty()),
            ("tags", !model.tags.is_empty()),
            ("action numbers", animations(|animation| animation.action.id != -1)),
            ("triangle groups", meshes(|mesh| !mesh.triangle_groups.is_empty())),
            ("bone controllers and blends", model.half_life.is_some()),
            ("the exact times of keys", model.animations.iter().any(evaluated) && model.half_life.is_none()),
        ];
        let here = match self {
            Self::Iqm => vec![
                ("morphs", meshes(|mesh| !mesh.morphs.is_empty())),
                ("frames of vertices and animations of them", meshes(|mesh| !mesh.frames.positions.is_empty())),
                ("names of bones without a bind pose", !model.skeleton.has_bind() && !model.skeleton.is_empty()),
            ],
            #[cfg(feature = "gltf")]
            Self::Glb => vec![
                ("skins", !model.skins.is_empty()),
                ("events", animations(|animation| !animation.events.is_empty())),
                ("comments", !model.comments.is_empty()),
                ("custom vertex arrays", meshes(|mesh| !mesh.custom.is_empty())),
                ("contents, flags and distances of surfaces", meshes(|mesh| mesh.surface != Default::default())),
                ("frames that no animation shows", unshown(model)),
            ],
        };
        everywhere.into_iter().chain(here).filter(|(_, lost)| *lost).map(|(what, _)| what).collect()
    }
}

/// Whether there are frames that no animation shows.
#[cfg(feature = "gltf")]
fn unshown(model: &Model) -> bool {
    let mut shown = vec![false; model.frame_count()];
    for animation in &model.animations {
        for frame in (0..animation.pose_count()).filter_map(|pose| animation.frame_of(pose)) {
            shown.iter_mut().skip(frame).take(1).for_each(|shown| *shown = true);
        }
    }
    shown.contains(&false)
}
