//! What is going on: FTE's `skel_info`, and more.

use std::fmt;

use super::{Runtime, SkelId};

/// One skeletal object at a glance.
#[derive(Clone, PartialEq, Debug)]
pub struct SkelInfo {
    /// The object.
    pub id: SkelId,
    /// The integer by which scripts know it.
    pub handle: u32,
    /// The name of its model.
    pub model: String,
    /// How many bones it has.
    pub bones: usize,
    /// Whether its bones are relative to their parents.
    pub relative: bool,
    /// Whether it was ever built.
    pub built: bool,
    /// Whether it goes at the end of the frame.
    pub doomed: bool,
    /// Its ragdoll.
    #[cfg(feature = "ragdoll")]
    pub ragdoll: Option<RagdollInfo>,
}

/// One ragdoll at a glance.
#[cfg(feature = "ragdoll")]
#[derive(Clone, Copy, PartialEq, Debug)]
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
    pub recovered: usize,
}

impl Runtime {
    /// All skeletal objects at a glance, by handle.
    ///
    /// ```
    /// let runtime = skelobj::Runtime::default();
    /// assert!(runtime.skel_info().is_empty());
    /// ```
    pub fn skel_info(&self) -> Vec<SkelInfo> {
        let mut all: Vec<_> = self
            .objects
            .iter()
            .map(|(id, object)| SkelInfo {
                id,
                handle: object.handle,
                model: self.model_name(object.model).unwrap_or_default().to_owned(),
                bones: object.skeleton.bone_count(),
                relative: object.skeleton.pose().is_local(),
                built: object.skeleton.is_built(),
                doomed: object.doomed,
                #[cfg(feature = "ragdoll")]
                ragdoll: object.ragdoll.as_ref().map(|ragdoll| self.ragdoll_info(ragdoll)),
            })
            .collect();
        all.sort_by_key(|info| info.handle);
        all
    }

    #[cfg(feature = "ragdoll")]
    fn ragdoll_info(&self, ragdoll: &crate::ragdoll::Ragdoll) -> RagdollInfo {
        let gaps = ragdoll.joints(&self.physics).filter(|joint| joint.enabled).map(|joint| joint.gap);
        RagdollInfo {
            bodies: ragdoll.doll().bodies.len(),
            animated: ragdoll.animated_bodies(),
            awake: ragdoll.bodies(&self.physics).filter(|body| !body.sleeping).count(),
            max_gap: gaps.fold(0.0, f32::max),
            recovered: ragdoll.recovered_bodies(),
        }
    }
}

impl fmt::Display for SkelInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.relative { "relative" } else { "model space" };
        write!(f, "{:5} {} {} bones, {space}", self.handle, self.model, self.bones)?;
        if !self.built {
            write!(f, ", never built")?;
        }
        if self.doomed {
            write!(f, ", deleted")?;
        }
        #[cfg(feature = "ragdoll")]
        if let Some(ragdoll) = &self.ragdoll {
            let RagdollInfo { bodies, animated, awake, max_gap, recovered } = ragdoll;
            write!(f, "; {bodies} bodies, {animated} animated, {awake} awake, gap {max_gap:.2}")?;
            if *recovered > 0 {
                write!(f, ", {recovered} put back")?;
            }
        }
        Ok(())
    }
}
