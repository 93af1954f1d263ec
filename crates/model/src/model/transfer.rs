//! Transfer of animations from one model to the bones of another.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;

use super::{Animation, AnimationSource, Model, Name, Skeleton};
use crate::math::Mat3x4;
use crate::math::hierarchy::to_model_space;

/// Bytes that added frames may always take.
pub(super) const FREE: u64 = 256 << 20;
/// Bytes beyond the free ones that added frames may take, for each byte in the model of their origin.
pub(super) const GROWTH: u64 = 8;

/// Match between the bones of a model and those of a model that was added to it.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::model::{Bone, Model, Skeleton};
///
/// let mannequin = skelobj::assets::mannequin();
/// let bone = |name: &str, parent| Bone { name: name.into(), parent, bind: Mat3x4::IDENTITY };
/// let skeleton = Skeleton::new(vec![bone("pelvis", None), bone("spine", Some(0)), bone("tail", Some(0))])?;
/// let mut cat = Model { skeleton, ..Model::default() };
/// let fit = cat.add_animations(&mannequin)?;
/// assert_eq!((fit.matched, fit.unused.len()), (2, 19));
/// assert!(fit.missing[0] == *"tail"); // stays in its bind pose
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct BoneMatch {
    /// Number of bones that are driven.
    pub matched: usize,
    /// Bones of the model that the added model lacks; they keep the bind pose.
    pub missing: Vec<Name>,
    /// Bones of the added model that the model lacks; their motion is dropped.
    pub unused: Vec<Name>,
    /// Bones with different parents in the two models; they take the added model's placement in model space.
    pub reparented: Vec<Name>,
}

impl BoneMatch {
    /// Returns `true` if both models have the same bones with the same parents, in any order.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let mut other = mannequin.clone();
    /// assert!(other.add_animations(&mannequin)?.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.unused.is_empty() && self.reparented.is_empty()
    }
}

/// Error of [`Model::add_animations`].
///
/// ```
/// use skelobj::model::{AddAnimationsError, Model};
///
/// let mut mannequin = skelobj::assets::mannequin();
/// let error = mannequin.add_animations(&Model::default());
/// assert_eq!(error, Err(AddAnimationsError::NoAnimations));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AddAnimationsError {
    /// The added model has no animations, or only its bind pose.
    NoAnimations,
    /// No bone of the added model has the name of a bone of the model.
    NoCommonBones,
    /// A pose, or the palette of one, may exceed the range of an f32 on the model's bones.
    OutOfReach {
        /// Number of the first such bone.
        bone: usize,
    },
    /// The frames would take far more memory than they take in the added model.
    TooLarge {
        /// Bytes that the frames would take.
        needed: u64,
        /// Bytes that they may take.
        allowed: u64,
    },
}

impl fmt::Display for AddAnimationsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnimations => write!(f, "the added model has no animations"),
            Self::NoCommonBones => write!(f, "no bone of the added model has the name of a bone of the model"),
            Self::OutOfReach { bone } => {
                write!(f, "the added frames exceed the range of an f32 at bone {bone} of the model")
            }
            Self::TooLarge { needed, allowed } => {
                write!(f, "the added frames would take {needed} bytes on the model's bones, expected at most {allowed}")
            }
        }
    }
}

impl std::error::Error for AddAnimationsError {}

impl Model {
    /// Appends the animations of another model, regardless of its format, and returns how the bones of the two match.
    ///
    /// Bones are matched by name. Of bones with equal names the first matches the first, the second the second. A bone
    /// without a match takes one whose name differs only in the case of its letters, as Unreal's tools write names.
    /// Number and order of the bones may differ. A model without bone names, such as some animation files, must
    /// have the same number of bones with the same parents.
    ///
    /// Animations that only show the other model's bind pose are skipped. If the model's only animation shows its bind
    /// pose, it is removed. Lines of a `.framegroups` file whose frames the model lacked are bound to the added
    /// frames, which are numbered on from the model's own.
    ///
    /// # Errors
    /// [`AddAnimationsError::NoAnimations`], [`NoCommonBones`](AddAnimationsError::NoCommonBones),
    /// [`OutOfReach`](AddAnimationsError::OutOfReach) or [`TooLarge`](AddAnimationsError::TooLarge). On error, the
    /// model is unchanged.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let mut other = mannequin.clone();
    /// other.animations.truncate(1); // idle
    /// let fit = other.add_animations(&mannequin)?;
    /// assert_eq!(fit.matched, 21);
    /// let names: Vec<String> = other.animations.iter().map(|animation| animation.name.to_string()).collect();
    /// assert_eq!(names, ["idle", "idle", "walk", "run", "death"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_animations(&mut self, other: &Model) -> Result<BoneMatch, AddAnimationsError> {
        self.append_animations(other, true)
    }

    /// Appends animations. Readers leave the check of all frames to the end, as they may append a thousand files.
    pub(crate) fn append_animations(
        &mut self,
        other: &Model,
        checks_reach: bool,
    ) -> Result<BoneMatch, AddAnimationsError> {
        if other.animations.iter().all(Animation::is_rest_pose) {
            return Err(AddAnimationsError::NoAnimations);
        }
        let sources = sources(&self.skeleton, &other.skeleton).ok_or(AddAnimationsError::NoCommonBones)?;
        let (mut fit, same_parent) = compare(&self.skeleton, &other.skeleton, &sources);
        let (retargeted, other) = self.retargeted(other);
        if let Some(bone) = retargeted.iter().find_map(|animation| animation.bone_out_of_reach(&self.skeleton)) {
            return Err(AddAnimationsError::OutOfReach { bone });
        }
        if other.animations.is_empty() {
            // Retargeted evaluators use bone names only, and the parents of this model.
            fit.reparented.clear();
            self.drop_rest();
            self.animations.extend(retargeted);
            return Ok(fit);
        }
        let other = &*other;
        let identical = fit.is_complete() && sources.iter().enumerate().all(|(bone, source)| *source == Some(bone));
        let bytes = |frames: usize, bones: usize| frames as u64 * bones as u64 * size_of::<Mat3x4>() as u64;
        let baked;
        let other = if identical {
            other
        } else {
            let evaluated = |animation: &&Animation| matches!(animation.source, AnimationSource::Evaluated { .. });
            let poses = other.animations.iter().filter(evaluated).map(Animation::pose_count);
            let needed = bytes(poses.fold(0, usize::saturating_add), other.skeleton.len());
            if needed > FREE {
                return Err(AddAnimationsError::TooLarge { needed, allowed: FREE });
            }
            baked = other.baked();
            &baked
        };

        let (first, added, own) = (self.frame_count(), other.frame_count(), self.frames.len());
        let needed = bytes(added, self.skeleton.len());
        let allowed = FREE + GROWTH * bytes(added, other.skeleton.len());
        if needed > allowed || u32::try_from(first + added).is_err() {
            return Err(AddAnimationsError::TooLarge { needed, allowed });
        }
        if identical {
            self.frames.extend(&other.frames);
        } else {
            let retarget = Retarget { skeleton: &self.skeleton, other: &other.skeleton, sources, same_parent };
            for frame in 0..added {
                retarget.append(other.frame(frame).unwrap_or_default(), &mut self.frames);
            }
        }
        if checks_reach && let Some(bone) = self.bone_out_of_reach(&self.skeleton) {
            let added = self.frames.split_off(own);
            // Models of the host may be out of reach, and stay as they are.
            if self.bone_out_of_reach(&self.skeleton).is_none() {
                return Err(AddAnimationsError::OutOfReach { bone });
            }
            self.frames.extend(added);
        }
        let whole = self.bounds.len() == first && other.bounds.len() == added;
        if identical && whole {
            self.bounds.extend(&other.bounds);
        } else {
            self.bounds.clear();
        }
        self.bind_framegroups();
        self.drop_rest();
        self.animations.extend(retargeted);
        self.animations.extend(other.animations.iter().filter_map(|animation| moved(animation, first as u32)));
        Ok(fit)
    }

    /// Returns the animations of another model that its evaluators retarget to this one's bones, and the other model
    /// without those.
    fn retargeted<'a>(&self, other: &'a Model) -> (Vec<Animation>, Cow<'a, Model>) {
        let mut retargeted = Vec::new();
        let mut left = Vec::new();
        for animation in &other.animations {
            let source = match &animation.source {
                AnimationSource::Evaluated { poses, count } if !animation.is_rest_pose() => {
                    poses.retargeted(&self.skeleton).map(|poses| AnimationSource::Evaluated { poses, count: *count })
                }
                _ => None,
            };
            match source {
                Some(source) => retargeted.push(Animation { source, ..animation.clone() }),
                None => left.push(animation.clone()),
            }
        }
        if retargeted.is_empty() {
            return (retargeted, Cow::Borrowed(other));
        }
        if left.iter().all(Animation::is_rest_pose) {
            left.clear();
        }
        (retargeted, Cow::Owned(Model { animations: left, ..other.clone() }))
    }

    /// Removes the model's only animation if it shows how bones rest.
    fn drop_rest(&mut self) {
        let lone = self.animations.len() == 1 && self.framegroups.is_empty();
        if lone && self.animations.iter().all(Animation::is_rest_pose) {
            self.animations.clear();
        }
    }
}

/// Returns the animation for a model in which the frames start at `by`; `None` for the bind pose.
fn moved(animation: &Animation, by: u32) -> Option<Animation> {
    let source = match &animation.source {
        AnimationSource::Frames { first, count } => {
            AnimationSource::Frames { first: first.saturating_add(by), count: *count }
        }
        AnimationSource::List(frames) => {
            AnimationSource::List(frames.iter().map(|frame| frame.saturating_add(by)).collect())
        }
        AnimationSource::BindPose => return None,
        evaluated @ AnimationSource::Evaluated { .. } => evaluated.clone(),
    };
    Some(Animation { source, ..animation.clone() })
}

/// Returns the bone of `other` that drives each bone of `skeleton`; `None` if no bone is driven.
pub(super) fn sources(skeleton: &Skeleton, other: &Skeleton) -> Option<Vec<Option<usize>>> {
    if skeleton.is_empty() || other.is_empty() {
        return None;
    }
    let nameless = other.names().iter().all(Name::is_empty) || skeleton.names().iter().all(Name::is_empty);
    if skeleton.parents() == other.parents() && (nameless || skeleton.names() == other.names()) {
        return Some((0..skeleton.len()).map(Some).collect());
    }
    let mut by_name: HashMap<&Name, VecDeque<usize>> = HashMap::new();
    for (bone, name) in other.names().iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        by_name.entry(name).or_default().push_back(bone);
    }
    let source = |name| by_name.get_mut(name).and_then(VecDeque::pop_front);
    let mut sources: Vec<_> = skeleton.names().iter().map(source).collect();
    // Unreal ignores the case of names, and its tools change it.
    let mut left: Vec<usize> = by_name.into_values().flatten().collect();
    left.sort_unstable();
    let mut by_letters: HashMap<Vec<u8>, VecDeque<usize>> = HashMap::new();
    for bone in left {
        by_letters.entry(other.names()[bone].as_bytes().to_ascii_lowercase()).or_default().push_back(bone);
    }
    for (source, name) in sources.iter_mut().zip(skeleton.names()).filter(|(source, _)| source.is_none()) {
        let same = by_letters.get_mut(&name.as_bytes().to_ascii_lowercase());
        *source = same.and_then(VecDeque::pop_front);
    }
    sources.iter().any(Option::is_some).then_some(sources)
}

/// Compares two skeletons; returns the match, and for each driven bone `true` if it has the same parent in both.
fn compare(skeleton: &Skeleton, other: &Skeleton, sources: &[Option<usize>]) -> (BoneMatch, Vec<bool>) {
    let mut fit = BoneMatch::default();
    let mut same_parent = vec![true; sources.len()];
    let mut used = vec![false; other.len()];
    for (bone, (source, name)) in sources.iter().zip(skeleton.names()).enumerate() {
        let Some(source) = *source else {
            fit.missing.push(name.clone());
            continue;
        };
        fit.matched += 1;
        used[source] = true;
        let parent = skeleton.parent(bone);
        if parent.and_then(|parent| sources[parent]) != other.parent(source)
            || parent.is_some_and(|p| sources[p].is_none())
        {
            same_parent[bone] = false;
            fit.reparented.push(name.clone());
        }
    }
    fit.unused = other.names().iter().zip(used).filter(|(_, used)| !used).map(|(name, _)| name.clone()).collect();
    (fit, same_parent)
}

/// Converter of frames from one skeleton to another.
struct Retarget<'a> {
    skeleton: &'a Skeleton,
    other: &'a Skeleton,
    sources: Vec<Option<usize>>,
    same_parent: Vec<bool>,
}

impl Retarget<'_> {
    /// Appends one frame to `frames`.
    fn append(&self, frame: &[Mat3x4], frames: &mut Vec<Mat3x4>) {
        let whole = self.same_parent.iter().all(|&same| same);
        let mut theirs = vec![Mat3x4::IDENTITY; if whole { 0 } else { frame.len() }];
        to_model_space(self.other.parents(), frame, &mut theirs);
        let mut ours: Vec<Mat3x4> = Vec::with_capacity(if whole { 0 } else { self.sources.len() });
        for (bone, (source, &bind)) in self.sources.iter().zip(self.skeleton.bind_local()).enumerate() {
            let above = self.skeleton.parent(bone).and_then(|parent| ours.get(parent)).copied();
            let relative = match *source {
                None => Some(bind),
                Some(source) if self.same_parent[bone] => frame.get(source).copied(),
                Some(source) => {
                    let inverse = above.map_or(Some(Mat3x4::IDENTITY), |above| above.inverse());
                    theirs.get(source).zip(inverse).map(|(&theirs, inverse)| inverse * theirs)
                }
            };
            let relative = relative.filter(Mat3x4::is_finite).unwrap_or(bind);
            frames.push(relative);
            if !whole {
                ours.push(above.map_or(relative, |above| above * relative));
            }
        }
    }
}
