//! Summaries of a runtime's objects, as FTE's skel_info prints them, and more.

use std::fmt;

use skelobj_model::internal::Shown;

use super::{ObjectId, Runtime};
use crate::ragdoll::Ragdoll;

/// Summary of one skeletal object, from [`Runtime::object_infos`].
///
/// ```
/// let (runtime, object) = skelobj::assets::mannequin_runtime();
/// let info = &runtime.object_infos()[0];
/// assert_eq!((info.id, info.bones, info.is_local), (object, 21, true));
/// assert_eq!(info.to_string(), "    1 mannequin.iqm 21 bones, local space");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ObjectInfo {
    /// Id of the object.
    pub id: ObjectId,
    /// Name of the object's model.
    pub model: String,
    /// Number of bones.
    pub bones: usize,
    /// `true` if the bones are in local space.
    pub is_local: bool,
    /// `true` once any bone was written.
    pub is_built: bool,
    /// `true` if the object was deleted in this frame.
    pub is_deleted: bool,
    /// Summary of the object's ragdoll, if it has one.
    pub ragdoll: Option<RagdollInfo>,
}

/// Summary of one ragdoll, from [`Runtime::object_infos`].
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::Command;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None)?;
/// runtime.step(0.1)?;
/// let ragdoll = runtime.object_infos()[0].ragdoll.unwrap();
/// assert_eq!((ragdoll.bodies, ragdoll.animated, ragdoll.awake), (16, 0, 16));
/// assert!(ragdoll.max_gap < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Number of times that a body was reset because its position or velocity was not finite.
    pub resets: usize,
}

impl Runtime {
    /// Returns a summary of every skeletal object.
    ///
    /// ```
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// for info in runtime.object_infos() {
    ///     println!("{info}"); // "    1 mannequin.iqm 21 bones, local space"
    /// }
    /// runtime.delete_object(object)?;
    /// assert!(runtime.object_infos()[0].is_deleted);
    /// # Ok::<(), skelobj::object::ObjectError>(())
    /// ```
    pub fn object_infos(&self) -> Vec<ObjectInfo> {
        self.objects
            .iter()
            .map(|(id, object)| ObjectInfo {
                id,
                model: self.model_name(object.model).unwrap_or_default().to_owned(),
                bones: object.skeletal.bone_count(),
                is_local: object.skeletal.pose().is_local(),
                is_built: object.skeletal.is_built(),
                is_deleted: object.pending_delete,
                ragdoll: object.ragdoll.as_ref().map(|ragdoll| self.ragdoll_info(ragdoll)),
            })
            .collect()
    }

    fn ragdoll_info(&self, ragdoll: &Ragdoll) -> RagdollInfo {
        let gaps = ragdoll.joints(&self.physics).map(|joint| joint.gap);
        RagdollInfo {
            bodies: ragdoll.doll().bodies.len(),
            animated: ragdoll.animated_bodies(),
            awake: ragdoll.bodies(&self.physics).filter(|body| !body.is_sleeping).count(),
            max_gap: gaps.fold(0.0, f32::max),
            resets: ragdoll.resets(),
        }
    }
}

impl fmt::Display for ObjectInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.is_local { "local space" } else { "model space" };
        write!(f, "{:5} {} {} bones, {space}", self.id, Shown::of(&self.model), self.bones)?;
        if !self.is_built {
            write!(f, ", never built")?;
        }
        if self.is_deleted {
            write!(f, ", deleted")?;
        }
        if let Some(ragdoll) = &self.ragdoll {
            let RagdollInfo { bodies, animated, awake, max_gap, resets } = ragdoll;
            write!(f, "; {bodies} bodies, {animated} animated, {awake} awake, gap {max_gap:.2}")?;
            if *resets > 0 {
                write!(f, ", {resets} resets")?;
            }
        }
        Ok(())
    }
}
