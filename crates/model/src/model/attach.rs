//! Joining of surfaces, skeleton and animations from separate files.

use std::collections::HashSet;
use std::fmt;

use super::{AddAnimationsError, Animation, BoneMatch, Mesh, Model, Name, Skeleton};

/// Error of [`Model::join`].
///
/// ```
/// use skelobj::model::{AddAnimationsError, JoinError, Model};
///
/// let mut mannequin = skelobj::assets::mannequin();
/// let error = mannequin.join(&Model::default()).unwrap_err();
/// assert_eq!(error, JoinError::Animations(AddAnimationsError::NoAnimations));
/// assert_eq!(mannequin, skelobj::assets::mannequin()); // unchanged
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum JoinError {
    /// The skin refers to a bone that the skeleton lacks.
    NoSuchBone {
        /// Number of the bone, 0-based.
        bone: usize,
        /// Number of bones of the skeleton.
        bones: usize,
    },
    /// The animations cannot be added.
    Animations(AddAnimationsError),
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchBone { bone, bones } => {
                write!(f, "the skin refers to bone {bone} (0-based), but the skeleton has {bones} bones")
            }
            Self::Animations(error) => write!(f, "the animations cannot be added: {error}"),
        }
    }
}

impl std::error::Error for JoinError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Animations(error) => Some(error),
            Self::NoSuchBone { .. } => None,
        }
    }
}

impl Model {
    /// Adds the contents of another file of the same model, and returns how the bones of the two match.
    ///
    /// - A model without a bind pose gets the other's skeleton and animations.
    /// - A model with a bind pose gets the surfaces of a model that has meshes but no bind pose.
    /// - Any other model gets the other's animations ([`add_animations`](Self::add_animations)).
    ///
    /// # Errors
    /// [`JoinError::NoSuchBone`] if a skin refers to a bone that the skeleton lacks, [`JoinError::Animations`] if the
    /// animations cannot be added. On error, the model is unchanged.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let mut body = mannequin.clone(); // as if the animations came in a file of their own
    /// (body.animations, body.frames, body.bounds) = Default::default();
    /// let fit = body.join(&mannequin)?;
    /// assert!(fit.is_complete());
    /// assert_eq!(body.find_animation("run"), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn join(&mut self, other: &Model) -> Result<BoneMatch, JoinError> {
        match (self.skeleton.has_bind(), other.skeleton.has_bind()) {
            (false, true) => self.attach_skeleton(other),
            (true, false) if !other.meshes.is_empty() => {
                let (meshes, fit) = bound(other, &self.skeleton)?;
                self.meshes.extend(meshes);
                let own: HashSet<Name> = self.materials.iter().map(|material| material.name.clone()).collect();
                self.materials.extend(other.materials.iter().filter(|other| !own.contains(&other.name)).cloned());
                Ok(fit)
            }
            _ => self.add_animations(other).map_err(JoinError::Animations),
        }
    }

    /// Gives a model whose bones are only names, such as a NeL shape, the skeleton and animations of another model.
    ///
    /// Bones are matched by name (case matters), those without a name by number. Vertices of a bone that the skeleton
    /// lacks are bound to the skeleton's first bone. The model's own animations are added after the other's. If the
    /// model has only animations of a `.framegroups` file that wait for frames, they are bound to the other's frames
    /// and come first.
    ///
    /// # Errors
    /// - [`JoinError::NoSuchBone`] if an unnamed bone has a number past the skeleton's last.
    /// - [`JoinError::Animations`] if the model's own animations cannot be added.
    ///
    /// On error, the model is unchanged.
    fn attach_skeleton(&mut self, other: &Model) -> Result<BoneMatch, JoinError> {
        let (meshes, fit) = bound(self, &other.skeleton)?;
        let mut joined = Model {
            skeleton: other.skeleton.clone(),
            animations: other.animations.clone(),
            framegroups: other.framegroups.clone(),
            frames: other.frames.clone(),
            bounds: Vec::new(),
            attachments: other.attachments.clone(),
            hit_boxes: other.hit_boxes.clone(),
            meshes,
            skins: self.skins.clone(),
            flags: self.flags,
            comments: self.comments.clone(),
            warnings: self.warnings.clone(),
            ..Model::default()
        };
        if !self.framegroups.is_empty() && self.animations.iter().all(Animation::is_rest_pose) {
            let moving = other.animations.iter().filter(|animation| !animation.is_rest_pose());
            joined.animations = self.animations.iter().chain(moving).cloned().collect();
            joined.framegroups = self.framegroups.clone();
            joined.bind_framegroups();
        } else if !self.animations.is_empty() {
            joined.add_animations(self).map_err(JoinError::Animations)?;
        }
        *self = joined;
        Ok(fit)
    }
}

/// Returns the surfaces of a model bound to the bones of a skeleton, and how the bones match.
fn bound(model: &Model, skeleton: &Skeleton) -> Result<(Vec<Mesh>, BoneMatch), JoinError> {
    let bones = skeleton.len();
    let mut fit = BoneMatch::default();
    let mut numbers = Vec::with_capacity(model.skeleton.len());
    let mut used = vec![false; bones];
    let bone_named = skeleton.names_to_bones();
    for (bone, name) in model.skeleton.names().iter().enumerate() {
        let found = if name.is_empty() {
            if bone >= bones {
                return Err(JoinError::NoSuchBone { bone, bones });
            }
            Some(bone)
        } else {
            bone_named(name)
        };
        match found {
            Some(found) => {
                fit.matched += 1;
                used.iter_mut().skip(found).take(1).for_each(|used| *used = true);
            }
            None => fit.unused.push(name.clone()),
        }
        numbers.push(found.unwrap_or(0) as u16);
    }
    let lacking = skeleton.names().iter().zip(&used).filter(|(_, used)| !**used);
    fit.missing = lacking.map(|(name, _): (&Name, _)| name.clone()).collect();
    let mut meshes = model.meshes.clone();
    // The frames that the strengths of morphs belong to are not joined.
    meshes.iter_mut().for_each(|mesh| mesh.morph_weights.clear());
    for influences in meshes.iter_mut().flat_map(|mesh| &mut mesh.influences) {
        for bone in &mut influences.bones {
            *bone = numbers.get(usize::from(*bone)).copied().unwrap_or(0);
        }
    }
    Ok((meshes, fit))
}
