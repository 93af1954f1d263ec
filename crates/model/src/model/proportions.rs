//! Animations on bones of other lengths.

use super::transfer::{AddAnimationsError, FREE, sources};
use super::{Animation, AnimationSource, Bone, Framegroups, Model, Skeleton};
use crate::math::{Mat3x4, Vec3};
use crate::out_of_range::OutOfRange;

/// Share of an animation that a bone of other proportions takes besides the rotation.
///
/// ```
/// use skelobj::model::{BoneTransfer, Proportions};
/// let mannequin = skelobj::assets::mannequin();
/// let proportions = Proportions::new(&mannequin.skeleton);
/// assert_eq!(proportions.bone(0), Some(BoneTransfer::Carried)); // the pelvis
/// assert_eq!(proportions.bone(12), Some(BoneTransfer::Rotation)); // the head
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BoneTransfer {
    /// Nothing: the bone keeps the length that it has in the bind pose.
    Rotation,
    /// The motion along the parent's axes, in proportion to the bone's length in both bind poses: a jaw, a piston.
    Scaled,
    /// The motion along the parent's axes, in proportion to the length of the legs: a root, hips.
    Carried,
}

/// Choice of what each bone takes from animations of a model of other proportions.
///
/// By default the bones from the root down to the first one with several children are carried, so that long legs make
/// long steps, and all others take their rotation alone. The length of the legs is the height of the last carried bone
/// above the lowest bone, in the bind pose.
///
/// ```
/// use skelobj::model::{BoneTransfer, Proportions};
/// let mannequin = skelobj::assets::mannequin();
/// let proportions = Proportions::new(&mannequin.skeleton)
///     .with_bone(&mannequin.skeleton, "clavicle_l", BoneTransfer::Scaled)
///     .ok_or("no such bone")?;
/// assert_eq!(proportions.bone(13), Some(BoneTransfer::Scaled));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Proportions {
    bones: Vec<BoneTransfer>,
    root_scale: Option<f32>,
}

impl Proportions {
    /// Creates the default choice for the bones of the model that has the animations.
    ///
    /// ```
    /// use skelobj::model::Proportions;
    /// assert_eq!(Proportions::new(&Default::default()).bone(0), None);
    /// ```
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        let transfer = |carried| if carried { BoneTransfer::Carried } else { BoneTransfer::Rotation };
        Self { bones: carried(skeleton).into_iter().map(transfer).collect(), root_scale: None }
    }

    /// Chooses what a bone takes; `None` if the skeleton has no bone of this name.
    ///
    /// ```
    /// use skelobj::model::{BoneTransfer, Proportions};
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// assert!(Proportions::new(&skeleton).with_bone(&skeleton, "tail", BoneTransfer::Scaled).is_none());
    /// ```
    #[must_use]
    pub fn with_bone(mut self, skeleton: &Skeleton, name: impl AsRef<[u8]>, transfer: BoneTransfer) -> Option<Self> {
        *self.bones.get_mut(skeleton.find(name)?)? = transfer;
        Some(self)
    }

    /// Sets the factor for carried bones, in place of the one that the legs have.
    ///
    /// ```
    /// use skelobj::model::Proportions;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// assert!(Proportions::new(&skeleton).with_root_scale(0.0).is_err());
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] if the factor is not from 0.001 to 1000.
    pub fn with_root_scale(mut self, factor: f32) -> Result<Self, OutOfRange> {
        OutOfRange::check((1e-3..=1e3).contains(&factor), "factor", factor, "0.001 to 1000")?;
        self.root_scale = Some(factor);
        Ok(self)
    }

    /// Returns what a bone (0-based) takes.
    #[must_use]
    pub fn bone(&self, bone: usize) -> Option<BoneTransfer> {
        self.bones.get(bone).copied()
    }
}

/// Returns for each bone whether it is carried: each root, and the bones from it down to the first with several
/// children. A row of bones without a branch has no legs.
fn carried(skeleton: &Skeleton) -> Vec<bool> {
    let parents = |bone: usize| skeleton.parent(bone);
    let mut children = vec![0u32; skeleton.len()];
    (0..skeleton.len()).filter_map(parents).for_each(|parent| children[parent] += 1);
    let mut is_carried = vec![false; skeleton.len()];
    for bone in 0..skeleton.len() {
        is_carried[bone] = parents(bone).is_none_or(|parent| is_carried[parent] && children[parent] == 1);
    }
    // From the end of a row without a branch back to the bone below its root.
    for end in (0..skeleton.len()).filter(|bone| children[*bone] == 0) {
        let mut bone = end;
        while let Some(parent) = parents(bone).filter(|_| is_carried[bone]) {
            is_carried[bone] = false;
            bone = parent;
        }
    }
    is_carried
}

/// Returns the height of the last carried bone above the lowest bone, in the bind pose.
fn leg_length(skeleton: &Skeleton) -> Option<f32> {
    let places = skeleton.bind_model();
    let is_carried = carried(skeleton);
    let next = |hips, bone: usize| if is_carried[bone] && skeleton.parent(bone) == Some(hips) { bone } else { hips };
    let hips = places.get((1..skeleton.len()).fold(0, next))?;
    let lowest = places.iter().map(|place| place.origin().z).fold(f32::INFINITY, f32::min);
    Some(hips.origin().z - lowest).filter(|length| length.is_finite() && *length > 0.0)
}

impl Model {
    /// Returns the animations of the model on bones with the lengths of another skeleton, by bone name.
    ///
    /// The result has bones and animations alone. Bones of equal names have the bind pose of the other skeleton; add
    /// the result to a model of that skeleton with [`add_animations`](Self::add_animations), which matches names in the
    /// same way. Bones that the other skeleton lacks stay on their parents as they are. Where the axes of a bone differ
    /// in the two bind poses, it turns from its new bind pose as it turned from the old one, about the same axes of
    /// model space. Frames of bones that are equal in both skeletons, and whose parents have the same axes, keep their
    /// bits. Evaluated animations are baked.
    ///
    /// ```
    /// use skelobj::model::Proportions;
    /// let mannequin = skelobj::assets::mannequin();
    /// let mut giant = mannequin.scaled(2.0)?;
    /// giant.animations.clear();
    /// let moves = mannequin.in_proportions_of(&giant.skeleton, &Proportions::new(&mannequin.skeleton))?;
    /// giant.add_animations(&moves)?;
    /// let [own, big] = [&mannequin, &giant].map(|model| model.pose(&model.animations[1], 5)[0].origin());
    /// assert!(big.distance(2.0 * own) < 1e-3); // the pelvis of its walk
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AddAnimationsError::NoAnimations`], [`NoCommonBones`](AddAnimationsError::NoCommonBones),
    /// [`OutOfReach`](AddAnimationsError::OutOfReach), and [`TooLarge`](AddAnimationsError::TooLarge) for evaluated
    /// animations that take more than 256 MB.
    pub fn in_proportions_of(
        &self,
        skeleton: &Skeleton,
        proportions: &Proportions,
    ) -> Result<Self, AddAnimationsError> {
        if self.animations.iter().all(Animation::is_rest_pose) {
            return Err(AddAnimationsError::NoAnimations);
        }
        let sources = sources(skeleton, &self.skeleton).ok_or(AddAnimationsError::NoCommonBones)?;
        let evaluated = |animation: &&Animation| matches!(animation.source, AnimationSource::Evaluated { .. });
        let poses = self.animations.iter().filter(evaluated).map(Animation::pose_count);
        let needed = poses.fold(0u64, |sum, count| sum.saturating_add(count as u64))
            * (self.skeleton.len() * size_of::<Mat3x4>()) as u64;
        if needed > FREE {
            return Err(AddAnimationsError::TooLarge { needed, allowed: FREE });
        }
        let baked = self.baked();
        let legs = leg_length(skeleton).zip(leg_length(&self.skeleton)).map_or(1.0, |(to, from)| to / from);
        let root_scale = proportions.root_scale.unwrap_or(legs);
        let changes = changes(&self.skeleton, skeleton, &sources, proportions, root_scale);
        let bones = changes.iter().enumerate().map(|(bone, change)| Bone {
            name: self.skeleton.names()[bone].clone(),
            parent: self.skeleton.parent(bone),
            bind: change.bind,
        });
        let mut model = Self {
            skeleton: Skeleton::new(bones.collect()).unwrap_or_default(),
            animations: baked.animations,
            framegroups: Framegroups::default(),
            frames: baked.frames,
            ..Self::default()
        };
        for frame in model.frames.chunks_mut(changes.len().max(1)) {
            for (matrix, change) in frame.iter_mut().zip(&changes) {
                *matrix = change.applied(matrix);
            }
        }
        match model.bone_out_of_reach(&model.skeleton) {
            Some(bone) => Err(AddAnimationsError::OutOfReach { bone }),
            None => Ok(model),
        }
    }
}

/// Returns the change of each bone of a skeleton, `own`, to the bind pose of another one.
fn changes(
    own: &Skeleton,
    other: &Skeleton,
    sources: &[Option<usize>],
    proportions: &Proportions,
    root_scale: f32,
) -> Vec<Change> {
    let mut matches = vec![None; own.len()];
    for (bone, source) in sources.iter().enumerate().filter_map(|(bone, source)| Some((bone, (*source)?))) {
        matches[source] = Some(bone);
    }
    let mut changes: Vec<Change> = Vec::with_capacity(own.len());
    // The new bind pose in model space.
    let mut binds: Vec<Mat3x4> = Vec::with_capacity(own.len());
    for bone in 0..own.len() {
        let (parent, from) = (own.parent(bone), own.bind_local()[bone]);
        let above = parent.and_then(|parent| between(&binds[parent], &own.bind_model()[parent]));
        let from = above.map_or(from, |above| above * from);
        let Some(matched) = matches[bone] else {
            // It stays on its parent as it was, whatever the parent's axes are.
            binds.push(parent.map_or(from, |parent| binds[parent] * from));
            changes.push(Change { bind: from, above, own: None, from: from.origin(), factor: Some(1.0) });
            continue;
        };
        let (bind, place) = (other.bind_local()[matched], other.bind_model()[matched]);
        let has_same_parent = other.parent(matched).map(Some) == parent.map(|parent| matches[parent]);
        let below = || match parent {
            Some(parent) => binds[parent].inverse().map(|into_parent| into_parent * place),
            None => Some(place),
        };
        let bind = if has_same_parent { bind } else { below().filter(Mat3x4::is_finite).unwrap_or(bind) };
        let factor = match proportions.bone(bone).unwrap_or(BoneTransfer::Rotation) {
            BoneTransfer::Rotation => None,
            BoneTransfer::Scaled => {
                let (to, from) = (bind.origin().length(), from.origin().length());
                Some(if from > 0.0 { to / from } else { 1.0 })
            }
            BoneTransfer::Carried => Some(root_scale),
        };
        let turned = between(&own.bind_model()[bone], &place);
        binds.push(place);
        changes.push(Change { bind, above, own: turned, from: from.origin(), factor });
    }
    changes
}

/// Returns the turn and scale from the axes of one bind pose into those of another; `None` if they are the same or one
/// has no inverse.
fn between(into: &Mat3x4, from: &Mat3x4) -> Option<Mat3x4> {
    let [into, from] = [into, from].map(|matrix| matrix.with_origin(Vec3::ZERO));
    (into != from).then(|| into.inverse()).flatten().map(|inverse| inverse * from)
}

/// Change of a bone's matrices, local space.
struct Change {
    /// New bind pose.
    bind: Mat3x4,
    /// From the parent's old axes into its new ones.
    above: Option<Mat3x4>,
    /// From the bone's new axes into its old ones.
    own: Option<Mat3x4>,
    /// Old place in the bind pose, in the parent's new axes.
    from: Vec3,
    /// Factor of the motion; `None` for a bone that keeps its length.
    factor: Option<f32>,
}

impl Change {
    fn applied(&self, matrix: &Mat3x4) -> Mat3x4 {
        let turned = self.above.map_or(*matrix, |above| above * *matrix);
        let (own, from, to) = (turned.origin(), self.from, self.bind.origin());
        let origin = match self.factor {
            None => to,
            // The sum would round.
            Some(1.0) if from == to => own,
            Some(factor) => to + (own - from) * factor,
        };
        self.own.map_or(turned, |own| turned * own).with_origin(origin)
    }
}
