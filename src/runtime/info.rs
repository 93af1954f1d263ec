//! Summaries of a runtime's objects: FTE's `skel_info`, and more.

use std::fmt;

use super::{Runtime, SkelId};

/// A summary of one skeletal object.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SkelInfo {
    /// Id of the object.
    pub id: SkelId,
    /// Name of the object's model.
    pub model: String,
    /// Number of bones.
    pub bones: usize,
    /// True if the bones are in local space, relative to their parents.
    pub local: bool,
    /// True once a pose was built into the object.
    pub built: bool,
    /// True if the object was deleted in this frame.
    pub pending_delete: bool,
    /// Summary of the object's ragdoll, if there is one.
    #[cfg(feature = "ragdoll")]
    pub ragdoll: Option<RagdollInfo>,
}

/// A summary of one ragdoll.
#[cfg(feature = "ragdoll")]
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct RagdollInfo {
    /// Number of bodies.
    pub bodies: usize,
    /// Number of bodies that follow the animation.
    pub animated: usize,
    /// Number of bodies that are awake.
    pub awake: usize,
    /// Widest gap at an enabled joint, Quake units.
    pub max_gap: f32,
    /// Number of times that a body was put back because its position or velocity was no longer finite.
    pub resets: usize,
}

impl Runtime {
    /// Returns a summary of every skeletal object.
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
