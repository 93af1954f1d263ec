//! What is going on: FTE's `skel_info`, and more.

use std::fmt;

use super::{Runtime, SkelId};

/// One skeletal object at a glance.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SkelInfo {
    /// The object.
    pub id: SkelId,
    /// The name of its model.
    pub model: String,
    /// How many bones it has.
    pub bones: usize,
    /// Whether its bones are in local space, relative to their parents.
    pub local: bool,
    /// Whether it was ever built.
    pub built: bool,
    /// Whether it was deleted in this frame.
    pub pending_delete: bool,
    /// Its ragdoll.
    #[cfg(feature = "ragdoll")]
    pub ragdoll: Option<RagdollInfo>,
}

/// One ragdoll at a glance.
#[cfg(feature = "ragdoll")]
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct RagdollInfo {
    /// How many bodies it has.
    pub bodies: usize,
    /// How many of them follow the animation.
    pub animated: usize,
    /// How many of them are awake.
    pub awake: usize,
    /// The widest gap at a joint that holds, Quake units.
    pub max_gap: f32,
    /// How many times a body had to be put back because its numbers were no longer finite.
    pub resets: usize,
}

impl Runtime {
    /// Returns all skeletal objects at a glance.
    ///
    /// ```
    /// let runtime = skelobj::Runtime::default();
    /// assert!(runtime.skel_info().is_empty());
    /// ```
    pub fn skel_info(&self) -> Vec<SkelInfo> {
        self.objects
            .iter()
            .map(|(id, object)| SkelInfo {
                id,
                model: self.model_name(object.model).unwrap_or_default().to_owned(),
                bones: object.skeleton.bone_count(),
                local: object.skeleton.pose().is_local(),
                built: object.skeleton.is_built(),
                pending_delete: object.pending_delete,
                #[cfg(feature = "ragdoll")]
                ragdoll: object.ragdoll.as_ref().map(|ragdoll| self.ragdoll_info(ragdoll)),
            })
            .collect()
    }

    #[cfg(feature = "ragdoll")]
    fn ragdoll_info(&self, ragdoll: &crate::ragdoll::Ragdoll) -> RagdollInfo {
        let gaps = ragdoll.joints(&self.physics).filter(|joint| joint.enabled).map(|joint| joint.gap);
        RagdollInfo {
            bodies: ragdoll.doll().bodies.len(),
            animated: ragdoll.animated_bodies(),
            awake: ragdoll.bodies(&self.physics).filter(|body| !body.is_sleeping).count(),
            max_gap: gaps.fold(0.0, f32::max),
            resets: ragdoll.resets(),
        }
    }
}

impl fmt::Display for SkelInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.local { "local space" } else { "model space" };
        write!(f, "{:5} {} {} bones, {space}", self.id, self.model, self.bones)?;
        if !self.built {
            write!(f, ", never built")?;
        }
        if self.pending_delete {
            write!(f, ", deleted")?;
        }
        #[cfg(feature = "ragdoll")]
        if let Some(ragdoll) = &self.ragdoll {
            let RagdollInfo { bodies, animated, awake, max_gap, resets } = ragdoll;
            write!(f, "; {bodies} bodies, {animated} animated, {awake} awake, gap {max_gap:.2}")?;
            if *resets > 0 {
                write!(f, ", {resets} put back")?;
            }
        }
        Ok(())
    }
}
