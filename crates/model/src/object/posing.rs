//! Aiming and reaching with the bones of an object.

use super::build::check_frame;
use super::last_build::Source;
use super::{Blending, Built, ObjectError, Pose, SkeletalObject};
use crate::math::{Mat3x4, Vec3};
use crate::model::{FrameState, Model};
use crate::pose::{self, Aim, Chain, Feet, Ground, PoseSource, PosingError, Reach, RootMotion, Spring, SpringState};

/// Motion of an object's springs.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Springs {
    /// Springs by their first bones.
    states: Vec<(u32, SpringState)>,
    /// Scratch memory for swings in model space.
    #[cfg_attr(feature = "serde", serde(skip))]
    carriers: Vec<Option<u8>>,
}

impl SkeletalObject {
    /// Turns a chain of bones so that an axis of the last one points at a target in model space.
    ///
    /// Returns the angle in radians and in model space that the aim misses, by its limit or its weight. Everything
    /// below the bones turns with them. Aim after the build of a frame and before a ragdoll follows. For a target in
    /// world space, multiply it by the inverse of the entity's matrix.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// use skelobj::pose::Aim;
    /// let mut object = skelobj::assets::mannequin_object(); // in a game, built anew in every frame
    /// let look = Aim::parse(&object.model().skeleton, "neck 0.4, head 0.6")?.with_limit(1.2); // once for a model
    /// let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.6), Vec3::new(100.0, 0.0, 0.0));
    /// let enemy = Vec3::new(300.0, 250.0, 90.0); // world space
    /// let target = entity.inverse().ok_or("flat")?.transform_point(enemy);
    /// assert!(object.aim(&look, target)? < 1e-3);
    /// let head = entity * object.model_space(12).unwrap();
    /// assert!(head.forward().angle_between(enemy - head.origin()) < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`], [`ObjectError::InModelSpace`]; [`ObjectError::Posing`] with the errors of
    /// [`pose::aim`]. The object is unchanged.
    pub fn aim(&mut self, aim: &Aim, target: Vec3) -> Result<f32, ObjectError> {
        self.pose_chain(|parents, local| pose::aim(parents, local, aim, target))
    }

    /// Turns a chain of bones by a pitch and a yaw, radians about the axes of model space.
    ///
    /// A positive pitch turns down, a positive yaw to the left, as in Quake. Returns the angle in radians that the
    /// limit or the weight of the aim leaves.
    ///
    /// ```
    /// use skelobj::pose::Aim;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let torso = Aim::parse(&object.model().skeleton, "spine 0.4, chest 0.6")?;
    /// object.turn(&torso, 0.0, 0.5)?;
    /// let bind_pose = object.model().skeleton.bind_model()[10].rotation();
    /// let turned = object.model_space(10).unwrap().rotation() * bind_pose.inverse();
    /// assert!((turned.to_axis_angle().1 - 0.5).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`aim`](Self::aim). The object is unchanged.
    pub fn turn(&mut self, aim: &Aim, pitch: f32, yaw: f32) -> Result<f32, ObjectError> {
        self.pose_chain(|parents, local| pose::turn(parents, local, aim, pitch, yaw))
    }

    /// Brings the end of a limb to a target in model space; returns the distance by which it misses, Quake units.
    ///
    /// Reach after the build of a frame and before a ragdoll follows.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Reach;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let arm = Reach::parse(&object.model().skeleton, "upperarm_r, forearm_r, hand_r")?;
    /// let arm = arm.with_pole(Some(Vec3::NEG_X)); // the elbow points back
    /// let button = Vec3::new(14.0, -10.0, 45.0);
    /// assert!(object.reach(&arm, button)? < 1e-3);
    /// let hand = object.find_bone("hand_r").and_then(|bone| object.model_space(bone)).unwrap();
    /// assert!(hand.origin().distance(button) < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`], [`ObjectError::InModelSpace`]; [`ObjectError::Posing`] with the errors of
    /// [`pose::reach`]. The object is unchanged.
    pub fn reach(&mut self, reach: &Reach, target: Vec3) -> Result<f32, ObjectError> {
        self.pose_chain(|parents, local| pose::reach(parents, local, reach, target))
    }

    /// Bends a chain of bones so that its end comes to a target in model space; returns the distance by which it
    /// misses, Quake units.
    ///
    /// Reach after the build of a frame and before a ragdoll follows.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Chain;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let back = Chain::parse(&object.model().skeleton, "spine, hand_r")?;
    /// assert!(object.reach_chain(&back, Vec3::new(20.0, -6.0, 30.0))? < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`], [`ObjectError::InModelSpace`]; [`ObjectError::Posing`] with the errors of
    /// [`pose::reach_chain`]. The object is unchanged.
    pub fn reach_chain(&mut self, chain: &Chain, target: Vec3) -> Result<f32, ObjectError> {
        self.pose_chain(|parents, local| pose::reach_chain(parents, local, chain, target))
    }

    /// Places the feet on the ground for a frame of some seconds.
    ///
    /// `entity` is the matrix of the entity, model space to world space. `trace` returns the first ground on a line,
    /// from its first point straight down to its second, world space; `Runtime::place_feet` traces its own level. The
    /// object keeps the motion of its feet, and snapshots keep it, too. Call this in every frame, after the build and
    /// before aims, springs and a ragdoll that follows. [`pose::place_feet`] documents the rules.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// use skelobj::pose::{Feet, Ground};
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let legs = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";
    /// let feet = Feet::parse(&model.skeleton, legs)?; // once for a model
    /// let stairs = |from: Vec3, _| {
    ///     let height = 8.0 * (from.x / 16.0).floor().max(0.0);
    ///     (height <= from.z).then(|| Ground { point: from.with_z(height), normal: Vec3::Z })
    /// };
    /// for frame in 0..60 {
    ///     let (time, x) = (frame as f32 / 60.0, frame as f32 - 30.0);
    ///     let entity = Mat3x4::from_translation(Vec3::new(x, 0.0, 8.0 * (x / 16.0).floor().max(0.0)));
    ///     object.build(&model, &FrameState::single(1, time.into()), &Build::REPLACE)?; // walk
    ///     object.place_feet(&feet, &entity, 1.0 / 60.0, stairs)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`], [`ObjectError::InModelSpace`]; [`ObjectError::Posing`] with the errors of
    /// [`pose::place_feet`]. The object is unchanged.
    pub fn place_feet(
        &mut self,
        feet: &Feet,
        entity: &Mat3x4,
        seconds: f32,
        trace: impl FnMut(Vec3, Vec3) -> Option<Ground>,
    ) -> Result<(), ObjectError> {
        let mut state = self.feet.take().unwrap_or_default();
        let done = self
            .pose_chain(|parents, local| pose::place_feet(parents, local, feet, &mut state, entity, seconds, trace));
        self.feet = Some(state);
        done
    }

    /// Lets the feet of the object begin anew on the ground of the next frame, after a teleport for instance.
    ///
    /// ```
    /// let mut object = skelobj::assets::mannequin_object();
    /// object.reset_feet(); // the entity was moved
    /// ```
    pub fn reset_feet(&mut self) {
        if let Some(feet) = &mut self.feet {
            feet.reset();
        }
    }

    /// Takes the motion of a root bone out of the pose, so that the character stays with its entity.
    ///
    /// `source` and `frame` are those from which the whole pose was built. Move the entity by [`RootMotion::during`] in
    /// each frame, and call this after the build and before layers, reaches, aims and a ragdoll that follows. The bone
    /// turns and moves with everything below it. What a build retains of earlier poses keeps its motion.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// use skelobj::pose::RootMotion;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let root = RootMotion::parse(&model.skeleton, "pelvis")?; // once for a model
    /// let [first, later] = [0.0, 1.0].map(|time| FrameState::single(3, time)); // death, backwards
    /// let step = root.motion(&model, &first, &later)?;
    /// object.build(&model, &later, &Build::REPLACE)?;
    /// let wanted = object.model_space(0).unwrap();
    /// object.take_motion(&root, &model, &later)?;
    /// let shown = step.matrix() * object.model_space(0).unwrap();
    /// assert!(shown.origin().distance(wanted.origin()) < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`], [`ObjectError::InModelSpace`], [`ObjectError::NoSuchBone`],
    /// [`ObjectError::Singular`] if the bone's parent has no inverse; [`ObjectError::OutOfRange`] if a weight, a time
    /// or a parameter of the frame state is not finite; [`ObjectError::Posing`] if the source lacks the bone. The
    /// object is unchanged.
    pub fn take_motion(&mut self, root: &RootMotion, source: &Model, frame: &FrameState) -> Result<(), ObjectError> {
        check_frame(frame)?;
        if !self.is_built() {
            return Err(ObjectError::NotBuilt);
        }
        if !self.pose.is_local() {
            return Err(ObjectError::InModelSpace);
        }
        let mixer = self.mixer(Source::Borrowed(source));
        let local = |frame: &FrameState, bone: usize| {
            let mut local = [Mat3x4::IDENTITY];
            mixer.sample(PoseSource { model: source, frame }, bone..bone + 1, 0.0, 1.0, &mut local);
            local[0]
        };
        let motion = root.contained(source, frame, local, self.blending == Blending::Rotations)?;
        let bone = self.model_space(root.bone()).ok_or(ObjectError::NoSuchBone)?;
        self.set_bone_world(root.bone(), &motion, &bone)
    }

    /// Swings the bones of a spring for a frame of some seconds.
    ///
    /// `entity` is the matrix of the entity, model space to world space. The object keeps the motion of each of its
    /// springs, by its first bone; snapshots keep it, too. Call this for each spring in every frame, after the build,
    /// aims and reaches and before a ragdoll that follows. [`pose::swing`] documents the rules.
    ///
    /// In model space, after the update of a ragdoll or when a client has received the bones, what is below the bones
    /// moves with them. There, choose bones without bodies: a body does not feel a swing.
    ///
    /// All springs of an object together swing at most as many bones as it has;
    /// [`reset_springs`](Self::reset_springs) forgets those that are no longer used.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// use skelobj::pose::Spring;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let arm = Spring::parse(&model.skeleton, "upperarm_l, hand_l")?; // once for a model
    /// let hand = object.find_bone("hand_l").unwrap();
    /// object.build(&model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    /// let still = object.model_space(hand).unwrap().origin();
    /// for frame in 0..8 {
    ///     let entity = Mat3x4::from_translation(Vec3::X * (0.3 * (frame * frame) as f32)); // starts to run
    ///     object.build(&model, &FrameState::single(0, 0.0), &Build::REPLACE)?; // idle
    ///     object.swing(&arm, &entity, 1.0 / 60.0)?;
    /// }
    /// assert!(object.model_space(hand).unwrap().origin().x < still.x - 3.0); // the arm lags
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`]; [`ObjectError::Posing`] with the errors of [`pose::swing`]. The object is unchanged.
    pub fn swing(&mut self, spring: &Spring, entity: &Mat3x4, seconds: f32) -> Result<(), ObjectError> {
        debug_assert!(spring.bones().next().is_some(), "a spring has a bone that swings");
        let start = spring.bones().next().unwrap_or(0) as u32;
        let others = self.springs.states.iter().filter(|(bone, _)| *bone != start);
        let most = self.bone_count();
        if others.map(|(_, state)| state.bones()).sum::<usize>() + spring.bones().count() > most {
            return Err(PosingError::TooManySwinging { most }.into());
        }
        let mut springs = std::mem::take(&mut self.springs);
        let known = springs.states.iter().position(|(bone, _)| *bone == start);
        let mut fresh = SpringState::default();
        let state = known.and_then(|known| springs.states.get_mut(known)).map_or(&mut fresh, |(_, state)| state);
        let done = if self.is_built() {
            let parents = self.model.skeleton.parents();
            match &mut self.pose {
                Pose::Local(bones) => pose::swing(parents, bones, spring, state, entity, seconds),
                Pose::ModelSpace(bones) => {
                    let carriers = &mut springs.carriers;
                    pose::swing_in_model_space(parents, bones, carriers, spring, state, entity, seconds)
                }
            }
            .map_err(ObjectError::from)
        } else {
            Err(ObjectError::NotBuilt)
        };
        if done.is_ok() {
            // A ragdoll must not take its own bones for an animation.
            self.note_write(if self.pose.is_local() { Built::ByScript } else { self.built });
            if known.is_none() {
                debug_assert_eq!(fresh.bones(), spring.bones().count(), "every bone that swings has a state");
                springs.states.push((start, fresh));
            }
        }
        self.springs = springs;
        done
    }

    /// Lets all springs of the object begin anew in the next frame, at rest, after a teleport for instance.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::pose::Spring;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let arm = Spring::parse(&object.model().skeleton, "upperarm_l, hand_l")?;
    /// object.swing(&arm, &Mat3x4::IDENTITY, 0.02)?;
    /// object.reset_springs(); // the entity was moved
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset_springs(&mut self) {
        self.springs.states.iter_mut().for_each(|(_, state)| state.reset());
    }

    /// Changes bones in local space.
    fn pose_chain<T>(
        &mut self,
        change: impl FnOnce(&[i32], &mut [Mat3x4]) -> Result<T, PosingError>,
    ) -> Result<T, ObjectError> {
        if !self.is_built() {
            return Err(ObjectError::NotBuilt);
        }
        let Pose::Local(bones) = &mut self.pose else { return Err(ObjectError::InModelSpace) };
        let done = change(self.model.skeleton.parents(), bones)?;
        self.note_write(Built::ByScript);
        Ok(done)
    }
}
