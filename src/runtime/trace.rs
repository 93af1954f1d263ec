//! What shots hit: one answer whatever was in the way.

use super::{Runtime, SkelId};
use crate::math::{EntityTransform, Mat3x4, Vec3};
#[cfg(feature = "ragdoll")]
use crate::physics::{LevelPart, rapier3d::prelude::ColliderHandle};
use crate::pose::{trace_hit_boxes, trace_skin};
use crate::skeleton::SkelError;

/// What a trace hit first; world space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// How far along it got: 0 at its start, 1 at its end.
    pub fraction: f32,
    /// Where the line, or the origin of the box, got.
    pub point: Vec3,
    /// The surface's unit normal, on the side that the trace came from; zero if it starts inside something solid.
    pub normal: Vec3,
    /// The skeletal object, if it is one.
    pub skel: Option<SkelId>,
    /// Its bone, 0-based.
    pub bone: Option<usize>,
    /// What of it, or what else.
    pub surface: Surface,
}

/// What exactly a trace hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Surface {
    /// A body of the object's ragdoll: an index into [`Doll::bodies`](crate::Doll::bodies).
    Body(usize),
    /// A hit box: an index into [`Model::hit_boxes`](crate::Model::hit_boxes).
    HitBox(usize),
    /// The skin: an index into [`Model::meshes`](crate::Model::meshes), and one of the mesh's triangles.
    Skin {
        /// The mesh.
        mesh: usize,
        /// The triangle.
        triangle: usize,
    },
    /// A piece of the level or an entity's box.
    #[cfg(feature = "ragdoll")]
    Part {
        /// The piece.
        part: LevelPart,
        /// Which of its shapes, in the order they were given.
        shape: u32,
        /// Of a mesh the triangle; box traces do not tell.
        triangle: Option<u32>,
    },
    /// Something that the host put into the physics world.
    #[cfg(feature = "ragdoll")]
    Collider(ColliderHandle),
}

/// What stands for a skeletal object where it is traced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Against {
    /// The best of what it has: its ragdoll's bodies, else its model's hit boxes, else its skin.
    #[default]
    Best,
    /// The bodies of its ragdoll.
    Ragdoll,
    /// Its model's hit boxes.
    HitBoxes,
    /// Its model's meshes, as they are drawn.
    Skin,
}

impl Runtime {
    /// The first thing of one object, as it is posed now, on the straight way from `start` to `end`, world space, the
    /// object's entity standing at `entity`; for all objects and the level at once there is
    #[cfg_attr(feature = "ragdoll", doc = "[`trace`](Self::trace).")]
    #[cfg_attr(not(feature = "ragdoll"), doc = "`trace`, with the feature `ragdoll`.")]
    ///
    /// Bodies of a ragdoll are where physics has them, wherever the entity is. A way whose length is not finite hits
    /// nothing.
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`]; [`SkelError::Singular`] if the entity's transform has no inverse.
    pub fn trace_object(
        &self,
        id: SkelId,
        entity: &EntityTransform,
        [start, end]: [Vec3; 2],
        against: Against,
    ) -> Result<Option<Hit>, SkelError> {
        let object = self.object(id).ok_or(SkelError::NoSuchObject)?;
        let world = self.settings.entity_matrix(entity);
        let to_model = world.inverse().ok_or(SkelError::Singular)?;
        if !(end - start).is_finite() {
            return Ok(None);
        }
        let model = object.model();
        let against = match against {
            Against::Best if self.has_ragdoll(id) => Against::Ragdoll,
            Against::Best if !model.hit_boxes.is_empty() => Against::HitBoxes,
            Against::Best => Against::Skin,
            chosen => chosen,
        };
        let [from, to] = [start, end].map(|place| to_model.transform_point(place));
        let hit = |fraction: f32, normal, bone, surface| Hit {
            fraction,
            point: start + (end - start) * fraction,
            normal,
            skel: Some(id),
            bone,
            surface,
        };
        let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
        Ok(match against {
            Against::HitBoxes => {
                object.write_model_space(&mut bones);
                trace_hit_boxes(&model.hit_boxes, &bones, from, to).map(|found| {
                    let bone = model.hit_boxes.get(found.hit_box).map(|hit_box| hit_box.bone);
                    hit(found.fraction, upright(&to_model, found.normal), bone, Surface::HitBox(found.hit_box))
                })
            }
            Against::Skin => {
                object.write_palette(&mut bones);
                trace_skin(&model.meshes, &bones, from, to).map(|found| {
                    let surface = Surface::Skin { mesh: found.mesh, triangle: found.triangle };
                    hit(found.fraction, upright(&to_model, found.normal), found.bone, surface)
                })
            }
            Against::Best | Against::Ragdoll => self
                .trace_ragdoll(id, start, end)
                .map(|(fraction, normal, bone, body)| hit(fraction, normal, Some(bone), Surface::Body(body))),
        })
    }
}

#[cfg(feature = "ragdoll")]
impl Runtime {
    fn has_ragdoll(&self, id: SkelId) -> bool {
        self.ragdoll(id).is_some()
    }

    fn trace_ragdoll(&self, id: SkelId, start: Vec3, end: Vec3) -> Option<(f32, Vec3, usize, usize)> {
        let hit = self.ragdoll(id)?.trace(start, end, &self.physics)?;
        Some((hit.fraction, hit.normal, hit.bone, hit.body))
    }
}

#[cfg(not(feature = "ragdoll"))]
impl Runtime {
    fn has_ragdoll(&self, _: SkelId) -> bool {
        false
    }

    fn trace_ragdoll(&self, _: SkelId, _: Vec3, _: Vec3) -> Option<(f32, Vec3, usize, usize)> {
        None
    }
}

/// A normal of model space in the world: by the transposed inverse, so that it stays upright on what is scaled.
fn upright(to_model: &Mat3x4, normal: Vec3) -> Vec3 {
    let m = &to_model.0;
    let row = |number: usize| Vec3::new(m[4 * number], m[4 * number + 1], m[4 * number + 2]);
    (row(0) * normal.x + row(1) * normal.y + row(2) * normal.z).normalize_or_zero()
}
