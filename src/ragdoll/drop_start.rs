//! Start of a drop test, for hosts that run the fall in a world of their own.

use glam::Vec3;
use skelobj_model::internal::{self, FARTHEST};

use super::Ragdoll;
use super::drop_test::{DropError, DropTest};
use super::tuning::{DROP_CLEARANCE, MESH_PITCH, MESH_ROLL};
use crate::math::{EntityTransform, Mat3x4};
use crate::model::{FrameState, Model, Name};
use crate::object::{Build, SkeletalObject, Space};
use crate::physics::Physics;

/// Start of a [`DropTest`], from [`DropTest::start`].
///
/// ```
/// use skelobj::{DropTest, Physics, assets};
/// use std::sync::Arc;
/// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
/// let start = DropTest::new(model.clone(), doll).with_seed(1).start(&mut Physics::default())?;
/// let played = &model.animations[start.animation.expect("an animation")];
/// assert_eq!((played.name.to_string().as_str(), start.play_steps), ("death", 24));
/// assert!(start.entity.origin().z >= DropTest::SEEDED_HEIGHT);
/// assert!(start.angular_velocity.length() <= DropTest::SEEDED_SPIN);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct DropStart {
    /// Matrix of the entity, model space to world space.
    pub entity: Mat3x4,
    /// Velocity that is added at the release, units/s, world space.
    pub velocity: Vec3,
    /// Angular velocity at the release, about the centre of mass, radians/s, world space.
    pub angular_velocity: Vec3,
    /// Animation that plays before the release; `None` is the bind pose.
    pub animation: Option<usize>,
    /// Number of physics steps for which the animation plays.
    pub play_steps: usize,
}

impl DropTest {
    /// Returns the start of the test in a physics world, for hosts that run the fall themselves.
    ///
    /// The position above the floor is measured with a ragdoll that is added to the world and removed again. The order
    /// in which rapier solves bodies depends on removed ones: a fall is bit-identical to that of [`run`](Self::run) if
    /// the world is new, and the floor or the level is added afterwards. The host then creates the ragdoll in the first
    /// pose of the animation at [`DropStart::entity`], with drive strength 1, and in each step of
    /// [`play_steps`](DropStart::play_steps) poses it, updates it, and steps the world. To release it, the host updates
    /// it once more, sets the drive strength 0, and adds the velocity and the angular velocity. To let it
    /// [fade](DropTest::fade), the host gives the drive strength that time, and goes on to pose it and to move the
    /// entity for as long.
    ///
    /// ```
    /// use skelobj::{DropTest, Physics, assets};
    /// use std::ops::ControlFlow;
    /// use std::sync::Arc;
    /// let (model, doll) = (Arc::new(assets::mannequin()), Arc::new(assets::mannequin_doll()));
    /// let mut test = DropTest::new(model, doll);
    /// test.at.x = 128.0;
    /// let start = test.start(&mut Physics::default())?;
    /// let mut entity = None;
    /// test.run_with(|frame| {
    ///     entity = Some(*frame.entity);
    ///     ControlFlow::Break(())
    /// })?;
    /// assert_eq!(entity, Some(start.entity));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DropError`] if the doll does not fit the model, or if a time, the height, the position or the velocity is out
    /// of range, as is a velocity that carries the entity beyond a million units during a fade. The world then has the
    /// same bodies as before.
    pub fn start(&self, physics: &mut Physics) -> Result<DropStart, DropError> {
        for (name, seconds) in [("play", self.play), ("fade", self.fade), ("seconds", self.seconds)] {
            internal::check_number(
                (0.0..=Self::MAX_SECONDS).contains(&seconds),
                name,
                seconds,
                "seconds from 0 to 600",
            )?;
        }
        for part in self.at.to_array() {
            internal::check_number(part.abs() <= FARTHEST, "at", part, "a number from -1e6 to 1e6")?;
        }
        internal::check_number(self.height.abs() <= FARTHEST, "height", self.height, "a number from -1e6 to 1e6")?;
        // While a death fades, the velocity carries the entity.
        internal::check_place("velocity", self.velocity)?;
        internal::check_place("velocity", self.at + self.velocity * self.fade)?;
        let mut object = SkeletalObject::new(self.model.clone(), Space::Local);
        self.pose(&mut object, 0.0);
        let turned = EntityTransform::new(Vec3::ZERO, self.orient).to_world(MESH_PITCH, MESH_ROLL);
        let mut ragdoll = Ragdoll::new(&self.doll, &object, &turned, physics)?;
        ragdoll.set_strengths(1.0, None, physics);
        let lowest = self.lowest_reach(&mut object, &ragdoll, physics, &turned);
        let clearance = DROP_CLEARANCE * ragdoll.state.size;
        ragdoll.remove(physics);
        let height = match &self.level {
            Some(_) => self.height,
            None => self.height.max(clearance - lowest - self.at.z),
        };
        Ok(DropStart {
            entity: turned.with_origin(self.at + Vec3::new(0.0, 0.0, height)),
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            animation: self.animation,
            play_steps: (self.play / physics.step_time()).round() as usize,
        })
    }

    /// Returns the first death animation of a model, or else its first animation.
    pub(super) fn usual_animation(model: &Model) -> Option<usize> {
        let is_death = |name: &Name| ["death", "die", "dying"].iter().any(|word| name.has_word(word));
        let death = model.animations.iter().position(|animation| is_death(&animation.name));
        death.or((!model.animations.is_empty()).then_some(0))
    }

    /// Poses the model as its animation does at a time, seconds.
    pub(super) fn pose(&self, object: &mut SkeletalObject, time: f32) {
        let frame = FrameState::single(self.animation.unwrap_or(0), time.into());
        if self.animation.is_some() {
            // Building all bones without retaining any is allowed in both spaces.
            let _ = object.build(&self.model, &frame, &Build::REPLACE);
        } else {
            // A bind pose that no bone can hold leaves the object in its first pose.
            let _ = object.set_local_pose(self.model.skeleton.bind_local());
        }
    }

    /// Returns the lowest height that a body reaches while the animation plays, relative to the entity's origin, Quake
    /// units.
    fn lowest_reach(&self, object: &mut SkeletalObject, ragdoll: &Ragdoll, physics: &Physics, entity: &Mat3x4) -> f32 {
        let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
        let mut lowest = f32::MAX;
        let played = self.play + self.fade;
        let samples = (played * 20.0).ceil() as usize;
        for sample in 0..=samples {
            self.pose(object, played * sample as f32 / samples.max(1) as f32);
            object.write_model_space(&mut bones);
            lowest = lowest.min(ragdoll.lowest_point_of(&bones, entity, physics));
        }
        lowest
    }
}
