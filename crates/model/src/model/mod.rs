//! Models: bones, animations, skins and tags, independent of the file format.
//!
//! [`Model::load`] reads a file of any format; every field of a [`Model`] is public, so that generators and tools can
//! build and change one.

mod animation;
mod attach;
pub(crate) mod frame_state;
mod framegroups;
mod half_life;
mod hit_box;
mod material;
mod mesh;
mod model_error;
mod morph;
mod name;
mod player;
mod proportions;
mod query;
mod reach;
mod resampled;
pub(crate) mod rest;
mod scaled;
mod skeleton;
pub(crate) mod suggest;
mod tags;
mod transfer;

pub use animation::{Action, Animation, AnimationSource, Event, PoseEvaluator, PoseParameters};
pub use attach::JoinError;
pub use frame_state::{Blend, FrameFields, FrameState};
pub use framegroups::Framegroups;
pub(crate) use framegroups::{Framegroup, SECTION as FRAMEGROUPS_SECTION, StatedPoses};
pub use half_life::{BoneController, HalfLifeData, HalfLifeMesh, Sequence};
pub use hit_box::HitBox;
pub use material::{Material, Texture};
pub use mesh::{CustomArray, Influences, Mesh, SurfaceInfo, VertexFrames};
pub(crate) use model_error::Fixup;
pub use model_error::{ModelError, ModelProblem, ModelWarning};
pub use morph::Morph;
pub use name::Name;
pub use player::{Player, PlayerAnimation, PlayerConfig, PlayerError, PlayerFrames, PlayerPart, PlayerParts};
pub use proportions::{BoneTransfer, Proportions};
pub use resampled::ResampleError;
pub use skeleton::{Bone, Skeleton, SkeletonError};
pub(crate) use tags::Place;
pub use tags::{Attachment, Tag};
pub use transfer::{AddAnimationsError, BoneMatch};

use crate::math::Mat3x4;

/// Contents of a model file of any format: bones, animations, skins and tags.
///
/// A model built by hand ends with `..Model::default()`, because later versions may add fields.
///
/// ```
/// use skelobj::{Model, assets};
///
/// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_side_file| None)?;
/// assert_eq!((model.skeleton.len(), model.animations.len(), model.meshes.len()), (21, 4, 3));
/// assert!(model.warnings.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    /// Names, parents and bind pose of the bones.
    pub skeleton: Skeleton,
    /// Animations (framegroups); the index of one is its frame number in scripts.
    pub animations: Vec<Animation>,
    /// Animations of a `.framegroups` file that name frames of a file yet to be joined.
    pub framegroups: Framegroups,
    /// Baked poses in local space, frame-major: frame `f` of a model with `n` bones starts at `f * n`.
    pub frames: Vec<Mat3x4>,
    /// Bounds of the skin in each frame; empty, or one per frame.
    pub bounds: Vec<Bounds>,
    /// Surfaces of the skin.
    pub meshes: Vec<Mesh>,
    /// Appearance of the meshes' materials, for formats that store it; names are unique.
    pub materials: Vec<Material>,
    /// Materials that replace the meshes' own, by skin number.
    pub skins: Vec<Skin>,
    /// Tags of a vertex-animated model; each has as many frames as the model.
    pub tags: Vec<Tag>,
    /// Named offsets from bones.
    pub attachments: Vec<Attachment>,
    /// Boxes around bones, for traces.
    pub hit_boxes: Vec<HitBox>,
    /// Data that only studio models of Half-Life have.
    pub half_life: Option<HalfLifeData>,
    /// Effect flags of the model (`flags` of an IQM).
    pub flags: u32,
    /// Comments of the author.
    pub comments: Vec<Name>,
    /// Defects that were repaired while loading.
    pub warnings: Vec<ModelWarning>,
}

/// Extent of the skin in one frame; model space, Quake units.
///
/// ```
/// let mannequin = skelobj::assets::mannequin();
/// let standing = mannequin.bounds[0];
/// assert!((standing.maxs[2] - 63.5).abs() < 0.1);
/// assert!(standing.xy_radius < 16.0); // fits into a player's box
/// ```
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

/// One skin of one mesh: materials that are shown in turn.
///
/// ```
/// use skelobj::model::{Skin, SkinMaterial};
///
/// let mut mannequin = skelobj::assets::mannequin();
/// for name in ["mannequin/wood", "mannequin/gold"] {
///     let material = SkinMaterial { material: name.into(), shader: Default::default() };
///     mannequin.skins.push(Skin { mesh: 0, interval: 0.1, materials: vec![material] });
/// }
/// assert_eq!(mannequin.find_skin("mannequin/gold"), Some(1));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Skin {
    /// Mesh that wears the skin, an index into [`Model::meshes`].
    pub mesh: usize,
    /// Seconds for which each material is shown.
    pub interval: f32,
    /// Materials in the order of their turns; never empty.
    pub materials: Vec<SkinMaterial>,
}

/// Material of a [`Skin`], with the shader that a file may embed.
///
/// ```
/// use skelobj::model::{Skin, SkinMaterial};
///
/// let mut mannequin = skelobj::assets::mannequin();
/// let shader = "{ { map $whiteimage } }".into();
/// let materials = vec![SkinMaterial { material: "mannequin/white".into(), shader }];
/// mannequin.skins.push(Skin { mesh: 0, interval: 0.1, materials });
/// assert!(mannequin.skin_name(0).is_some_and(|name| *name == *"mannequin/white"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SkinMaterial {
    /// Name of the material.
    pub material: Name,
    /// Text of the shader; empty if there is none.
    pub shader: Name,
}

impl Model {
    /// Returns the number of baked poses; for a model without bones, the number of frames of its vertices, morphs, tags
    /// or bounds, whichever is largest.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.frame_count(), 60 + 28 + 18 + 37); // idle, walk, run, death
    /// ```
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

    /// Returns the local matrices of baked frame `frame`, one per bone; `None` past the last.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let first_of_run = mannequin.frame(88).ok_or("no frame")?;
    /// assert_eq!(first_of_run, mannequin.pose(&mannequin.animations[2], 0));
    /// assert_eq!(mannequin.frame(143), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn frame(&self, frame: usize) -> Option<&[Mat3x4]> {
        let bones = self.skeleton.len();
        self.frames.get(frame.checked_mul(bones)?..)?.get(..bones)
    }

    /// Returns a copy in which every evaluated animation is baked to frames, one per pose.
    ///
    /// Pose parameters have their defaults. In a model without bones evaluated animations become the bind pose. The
    /// [`bounds`](Self::bounds) of a model with baked animations are removed.
    ///
    /// ```
    /// use skelobj::Model;
    /// use skelobj::model::AnimationSource;
    ///
    /// let file = std::fs::read("../../tests/data/examples/turret.mdl")?;
    /// let turret = Model::load("turret.mdl", &file, |_| None)?;
    /// assert!(matches!(turret.animations[0].source, AnimationSource::Evaluated { .. }));
    /// let baked = turret.baked();
    /// assert!(matches!(baked.animations[0].source, AnimationSource::Frames { first: 0, count: 4 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Returns the index of the first animation with exactly this name, as `frameforname` (builtin #276) does; case
    /// matters.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.find_animation("death"), Some(3));
    /// assert_eq!(mannequin.find_animation("Death"), None);
    /// ```
    #[must_use]
    pub fn find_animation(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        let name = name.as_ref();
        self.animations.iter().position(|a| a.name.as_bytes() == name)
    }

    /// Returns the local matrices of pose `pose` of an animation of this model, one per bone.
    ///
    /// The result is the bind pose if the animation shows it, if its poses are evaluated, if `pose` is past the last
    /// one, or if the frame does not exist. [`sample`](crate::pose::sample) also evaluates and blends.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let death = &mannequin.animations[3];
    /// let last = mannequin.pose(death, death.pose_count() - 1);
    /// assert!(last[0].origin().z < mannequin.skeleton.bind_local()[0].origin().z);
    /// ```
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
