//! Models: bones, animations and skins, whatever file they came from.

mod animation;
mod attach;
mod error;
mod frame_state;
mod framegroups;
mod half_life;
mod hit_box;
mod join;
mod material;
mod mesh;
mod morph;
mod name;
mod player;
mod query;
pub(crate) mod rest;
mod skeleton;
mod tags;

pub use animation::{Action, Animation, AnimationSource, Event, PoseEvaluator, PoseParameters};
pub use attach::JoinError;
pub use error::{Fixup, ModelError, ModelProblem, ModelWarning};
pub use frame_state::{Blend, FrameFields, FrameState};
pub use framegroups::Framegroups;
pub(crate) use framegroups::{Framegroup, SECTION as FRAMEGROUPS_SECTION, StatedPoses};
pub use half_life::{BoneController, HalfLifeBone, HalfLifeData, HalfLifeMesh, HalfLifeTexture, Sequence};
pub use hit_box::HitBox;
pub use join::{AddAnimationsError, BoneMatch};
pub use material::{Material, Texture};
pub use mesh::{CustomArray, Influences, Mesh, SurfaceInfo, VertexFrames};
pub use morph::Morph;
pub use name::Name;
pub use player::{Player, PlayerAnimation, PlayerConfig, PlayerError, PlayerParts, PlayerPose};
pub use skeleton::{Bone, Skeleton, SkeletonError};
pub(crate) use tags::Place;
pub use tags::{Attachment, Tag};

use crate::math::Mat3x4;

/// A model: everything that a file of any format holds.
///
/// Build one by hand with `..Model::default()`: later versions may add fields.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    /// Names, parents, bind pose.
    pub skeleton: Skeleton,
    /// Framegroups, in the order of their numbers.
    pub animations: Vec<Animation>,
    /// Animations of a `.framegroups` file that wait for frames of a file to be joined.
    pub framegroups: Framegroups,
    /// Baked poses, frame-major: frame `f` of `n` bones stands at `f * n`; parent space.
    pub frames: Vec<Mat3x4>,
    /// Bounds of the skin in each frame; empty, or one per frame.
    pub bounds: Vec<Bounds>,
    /// Surfaces.
    pub meshes: Vec<Mesh>,
    /// Looks of the meshes' materials, for formats that store them; names are unique.
    pub materials: Vec<Material>,
    /// Materials to put in place of the meshes' own, by skin number.
    pub skins: Vec<Skin>,
    /// Named places of vertex-animated models; each has as many frames as the model.
    pub tags: Vec<Tag>,
    /// Places on bones.
    pub attachments: Vec<Attachment>,
    /// Boxes around bones, for traces.
    pub hit_boxes: Vec<HitBox>,
    /// Parts that only Half-Life's models have.
    pub half_life: Option<HalfLifeData>,
    /// The model's effect flags (an IQM's `flags`).
    pub flags: u32,
    /// Comments of the author.
    pub comments: Vec<Name>,
    /// Defects that were put right while loading.
    pub warnings: Vec<ModelWarning>,
}

/// The extent of the skin in one frame; model space, Quake units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Smallest corner.
    pub mins: [f32; 3],
    /// Largest corner.
    pub maxs: [f32; 3],
    /// Radius around the Z axis.
    pub xy_radius: f32,
    /// Radius around the origin.
    pub radius: f32,
}

/// One skin of one mesh: materials that follow each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Skin {
    /// The mesh it dresses, an index into [`Model::meshes`].
    pub mesh: usize,
    /// Seconds each material shows.
    pub interval: f32,
    /// Materials in turn; never empty.
    pub materials: Vec<SkinMaterial>,
}

/// A material of a [`Skin`].
#[derive(Clone, PartialEq, Debug)]
pub struct SkinMaterial {
    /// Its name.
    pub material: Name,
    /// The text of its shader, empty for none.
    pub shader: Name,
}

impl Model {
    /// Returns the number of baked poses; of a model without bones, the number of frames of vertices, morphs, tags or
    /// bounds.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        let of_mesh = |mesh: &Mesh| {
            let vertices = mesh.frames.positions.len().checked_div(mesh.positions.len()).unwrap_or(0);
            vertices.max(mesh.morph_weights.len().checked_div(mesh.morphs.len()).unwrap_or(0))
        };
        let of_vertices = || {
            let tags = self.tags.first().map_or(0, |tag| tag.frames.len());
            let meshes = self.meshes.iter().map(of_mesh).max().unwrap_or(0);
            tags.max(meshes).max(self.bounds.len())
        };
        self.frames.len().checked_div(self.skeleton.len()).unwrap_or_else(of_vertices)
    }

    /// Returns the local matrices of baked frame `frame`; `None` past the last.
    #[must_use]
    pub fn frame(&self, frame: usize) -> Option<&[Mat3x4]> {
        let bones = self.skeleton.len();
        self.frames.get(frame.checked_mul(bones)?..)?.get(..bones)
    }

    /// Returns a copy with every evaluated animation baked to frames, one per pose; parameters at their defaults. Without
    /// bones there is nothing to bake, and animations show the bind pose.
    #[must_use]
    pub fn baked(&self) -> Self {
        let mut baked = self.clone();
        let bones = self.skeleton.len();
        for animation in &mut baked.animations {
            let AnimationSource::Evaluated { poses, count } = &animation.source else { continue };
            if bones == 0 {
                animation.source = AnimationSource::BindPose;
                continue;
            }
            let (first, count) = ((baked.frames.len() / bones) as u32, (*count).max(1));
            for pose in 0..count {
                let start = baked.frames.len();
                baked.frames.resize(start + bones, Mat3x4::IDENTITY);
                let time = f64::from(pose) / f64::from(animation.rate);
                poses.evaluate(time, &PoseParameters::default(), 0..bones, &mut baked.frames[start..]);
            }
            animation.source = AnimationSource::Frames { first, count };
            // Bounds are one per frame or none.
            baked.bounds.clear();
        }
        baked
    }

    /// Finds the first animation with exactly this name (builtin #276, `frameforname`).
    #[must_use]
    pub fn find_animation(&self, name: &[u8]) -> Option<usize> {
        self.animations.iter().position(|a| a.name.as_bytes() == name)
    }

    /// Returns the local matrices of pose `pose` of an animation of this model: the bind pose where the animation shows
    /// it, or where a frame it names does not exist.
    #[must_use]
    pub fn pose(&self, animation: &Animation, pose: usize) -> &[Mat3x4] {
        let frame = match &animation.source {
            AnimationSource::Frames { first, count } if pose < *count as usize => self.frame(*first as usize + pose),
            AnimationSource::List(frames) => frames.get(pose).and_then(|&frame| self.frame(frame as usize)),
            _ => None,
        };
        frame.unwrap_or(self.skeleton.bind_local())
    }
}
