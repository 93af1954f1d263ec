//! Joins surfaces, bones and animations that come in files of their own.

use std::collections::HashSet;
use std::fmt;

use super::{AddAnimationsError, Animation, BoneMatch, Mesh, Model, Name, Skeleton};

/// An error of [`Model::join`] and [`Model::attach_skeleton`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum JoinError {
    /// The other has no bind pose, where one is needed.
    NoSkeleton,
    /// The model has a bind pose already.
    HasSkeleton,
    /// The skin counts on a bone that the skeleton does not have.
    NoSuchBone {
        /// The bone's number, 0-based.
        bone: usize,
        /// How many bones the skeleton has.
        bones: usize,
    },
    /// The animations do not fit.
    Animations(AddAnimationsError),
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSkeleton => write!(f, "it has no skeleton with a bind pose"),
            Self::HasSkeleton => write!(f, "the model has a skeleton with a bind pose already"),
            Self::NoSuchBone { bone, bones } => {
                write!(f, "the skin hangs on bone {bone}, the skeleton has {bones} bones")
            }
            Self::Animations(error) => write!(f, "its animations cannot be added: {error}"),
        }
    }
}

impl std::error::Error for JoinError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Animations(error) => Some(error),
            Self::NoSkeleton | Self::HasSkeleton | Self::NoSuchBone { .. } => None,
        }
    }
}

impl Model {
    /// Adds what another file of the same model holds, whichever of surfaces, skeleton and animations that is, and tells
    /// how the bones of the two fit.
    ///
    /// A model without a bind pose gets the other's skeleton ([`attach_skeleton`](Self::attach_skeleton)); one that has
    /// one gets the surfaces of an other that has none; else the other's animations
    /// ([`add_animations`](Self::add_animations)) are added.
    ///
    /// # Errors
    /// A skin that needs bones which the skeleton does not have, animations that do not fit; the model is unchanged then.
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

    /// Gives a model whose bones are only names, such as a NeL shape, the skeleton and the animations of another. Its own
    /// animations move to the new bones; those of a `.framegroups` file that waits for frames get the other's, and come
    /// first.
    ///
    /// Bones are found by name (case matters), those without a name by number. What hangs on a bone that the skeleton
    /// lacks hangs on its first bone then.
    ///
    /// # Errors
    /// A model with a bind pose, an other without one, unnamed bones with numbers past the skeleton's last, own animations
    /// that do not fit; the model is unchanged then.
    pub fn attach_skeleton(&mut self, other: &Model) -> Result<BoneMatch, JoinError> {
        if self.skeleton.has_bind() {
            return Err(JoinError::HasSkeleton);
        }
        if !other.skeleton.has_bind() {
            return Err(JoinError::NoSkeleton);
        }
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

/// The surfaces of a model, hanging on the bones of a skeleton.
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
    // Strengths of morphs are those of the model's own frames.
    meshes.iter_mut().for_each(|mesh| mesh.morph_weights.clear());
    for influences in meshes.iter_mut().flat_map(|mesh| &mut mesh.influences) {
        for bone in &mut influences.bones {
            *bone = numbers.get(usize::from(*bone)).copied().unwrap_or(0);
        }
    }
    Ok((meshes, fit))
}
