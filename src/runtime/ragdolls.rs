//! The ragdolls of a runtime's skeletal objects: dolls from files, commands, impulses.

use std::sync::Arc;

use super::{Object, Runtime, SkelId};
use crate::doll::Doll;
use crate::math::{Mat3x4, Vec3};
use crate::model::Name;
use crate::number::OutOfRange;
use crate::physics::Physics;
use crate::ragdoll::{Command, Ragdoll, RagdollError, check_impulse};

/// The error of a ragdoll call; nothing has changed then.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum RagdollCommandError {
    /// No skeletal object has this id.
    NoSuchObject,
    /// The animation source is the object itself.
    SourceIsSelf,
    /// The animation source's bones are in model space.
    SourceNotLocal,
    /// The object has no doll, and its model has no default one.
    NoDoll {
        /// Names of the two files that the default doll may be in; `None` if the model was removed.
        asked_for: Option<Arc<[String; 2]>>,
    },
    /// The doll's file does not exist.
    NoSuchFile(String),
    /// The doll cannot be put on the object.
    Unusable(RagdollError),
    /// The doll has no body of this name.
    NoSuchBody(Name),
    /// The doll has no joint of this name.
    NoSuchJoint(Name),
    /// A number of the call is not finite or beyond what the world can hold.
    OutOfRange(OutOfRange),
}

impl std::fmt::Display for RagdollCommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchObject => f.write_str("no such skeletal object"),
            Self::SourceIsSelf => f.write_str("an object cannot be its own animation source: use a second one"),
            Self::SourceNotLocal => f.write_str("the animation source is in model space: build it first"),
            Self::NoDoll { asked_for: Some(files) } => {
                let [first, second] = &**files;
                write!(f, "the object has no doll, and neither {first} nor {second} is there")
            }
            Self::NoDoll { asked_for: None } => f.write_str("the object has no doll, and its model was removed"),
            Self::NoSuchFile(file) => write!(f, "no such file: {file}"),
            Self::Unusable(error) => error.fmt(f),
            Self::NoSuchBody(name) => write!(f, "{name} is not a body of the doll"),
            Self::NoSuchJoint(name) => write!(f, "{name} is not a joint of the doll"),
            Self::OutOfRange(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RagdollCommandError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unusable(error) => Some(error),
            Self::OutOfRange(error) => Some(error),
            _ => None,
        }
    }
}

impl From<OutOfRange> for RagdollCommandError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}

impl From<RagdollError> for RagdollCommandError {
    fn from(error: RagdollError) -> Self {
        Self::Unusable(error)
    }
}

impl Runtime {
    /// Runs a command on an object's ragdoll and updates the object's bones (builtin #281, skel_ragupdate).
    ///
    /// `entity` is the matrix of the object's entity, model space to world space; `source` is an object to take the
    /// animation from instead of the object's own built pose. [`Command`] lists the commands; [`Command::parse`] reads one
    /// from text. Dolls come from the runtime's [files](Self::set_files). Returns the result of the builtin: the number of
    /// animated bodies for [`Command::AnimateBody`], 0 for [`Command::ClearDoll`] without a doll, else 1.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::model::FrameState;
    /// use skelobj::ragdoll::Command;
    /// use skelobj::skeleton::{Build, Space};
    /// use skelobj::{Model, Runtime, assets};
    ///
    /// let mut runtime = Runtime::default();
    /// runtime.set_files(|name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec()));
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let model = runtime.add_model("mannequin.iqm", model)?;
    /// let skel = runtime.create_skeleton(model, Space::Local)?;
    /// runtime.build(skel, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    /// let entity = Mat3x4::IDENTITY;
    /// runtime.ragdoll_command(skel, &entity, Command::Animate(0.0), None)?; // limp
    /// runtime.ragdoll_command(skel, &entity, Command::parse("animatebody head 1")?, None)?;
    /// assert_eq!(runtime.ragdoll(skel).map(|ragdoll| ragdoll.animated_bodies()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RagdollCommandError`]; nothing has changed then, and an earlier doll stays.
    pub fn ragdoll_command(
        &mut self,
        id: SkelId,
        entity: &Mat3x4,
        command: Command<'_>,
        source: Option<SkelId>,
    ) -> Result<u32, RagdollCommandError> {
        let model = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?.model;
        self.check_source(id, source)?;
        if command != Command::ClearDoll {
            self.check_entity(id, entity)?;
        }
        if let Command::Animate(strength) | Command::AnimateBody(_, strength) = command {
            OutOfRange::check(strength.is_finite(), "strength", strength, "a finite number")?;
        }
        let mut result = 1;
        match command {
            Command::ClearDoll => return Ok(u32::from(self.clear_ragdoll(id))),
            Command::Doll(name) => {
                let name = String::from_utf8_lossy(&name);
                let doll = self.load_doll(&name, model);
                let doll = doll.ok_or_else(|| RagdollCommandError::NoSuchFile(name.into_owned()))?;
                self.use_doll(id, &doll, entity, false)?;
            }
            Command::DollString(text) => {
                let (doll, _) = self.parse_doll("", &text, model);
                self.use_doll(id, &Arc::new(doll), entity, true)?;
            }
            Command::Update => {
                self.need_ragdoll(id, model, entity)?;
            }
            Command::Animate(strength) => {
                let (ragdoll, physics) = self.need_ragdoll(id, model, entity)?;
                ragdoll.set_drive_strength(strength, physics);
            }
            Command::AnimateBody(name, strength) => {
                self.change_ragdoll(id, entity, |ragdoll, physics| {
                    let known = ragdoll.set_body_strength(&name, strength, physics);
                    known.then_some(()).ok_or_else(|| RagdollCommandError::NoSuchBody(Name::new(&name)))
                })?;
                result = self.ragdoll(id).map_or(0, Ragdoll::animated_bodies) as u32;
            }
            Command::EnableJoint(name, enabled) => {
                self.change_ragdoll(id, entity, |ragdoll, physics| {
                    let known = ragdoll.enable_joint(&name, enabled, physics);
                    known.then_some(()).ok_or_else(|| RagdollCommandError::NoSuchJoint(Name::new(&name)))
                })?;
            }
        }
        self.update_bones(id, source, entity)?;
        Ok(result)
    }

    /// Changes the object's ragdoll, or one made from its model's default doll; if that fails, a ragdoll made for it is
    /// removed.
    fn change_ragdoll(
        &mut self,
        id: SkelId,
        entity: &Mat3x4,
        change: impl FnOnce(&mut Ragdoll, &mut Physics) -> Result<(), RagdollCommandError>,
    ) -> Result<(), RagdollCommandError> {
        let object = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?;
        let (model, made) = (object.model, object.ragdoll.is_none());
        let (ragdoll, physics) = self.need_ragdoll(id, model, entity)?;
        let changed = change(ragdoll, physics);
        if changed.is_err() && made {
            self.clear_ragdoll(id);
        }
        changed
    }

    /// Puts a doll on an object in its current pose, in place of any earlier doll.
    ///
    /// # Errors
    /// [`RagdollCommandError`]; an earlier doll stays then.
    pub fn set_ragdoll(&mut self, id: SkelId, entity: &Mat3x4, doll: &Arc<Doll>) -> Result<(), RagdollCommandError> {
        if self.objects.get(id).is_none() {
            return Err(RagdollCommandError::NoSuchObject);
        }
        self.check_entity(id, entity)?;
        self.use_doll(id, doll, entity, true)?;
        Ok(self.update_bones(id, None, entity)?)
    }

    /// Runs one frame of an entity that has its model's default doll and no commands of its own. The ragdoll follows the
    /// animation as the doll says; it is limp once `frame` has bit 15 set, as 65535 has (ruling 39).
    ///
    /// # Errors
    /// [`RagdollCommandError`].
    pub fn update_default_ragdoll(
        &mut self,
        id: SkelId,
        entity: &Mat3x4,
        frame: f32,
    ) -> Result<(), RagdollCommandError> {
        let model = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?.model;
        self.check_entity(id, entity)?;
        let strength = if crate::math::truncate(frame) & 0x8000 != 0 { 0.0 } else { 1.0 };
        let (ragdoll, physics) = self.need_ragdoll(id, model, entity)?;
        if ragdoll.drive_strength() != strength {
            ragdoll.set_drive_strength(strength, physics);
        }
        Ok(self.update_bones(id, None, entity)?)
    }

    /// Applies an impulse (mass * Quake units / s) at a point to an object's ragdoll, both in world space. The impulse goes
    /// to the body that drives `bone` (0-based) or the nearest of its parents with a body; without a bone, to the nearest
    /// body. See [`Ragdoll::apply_impulse_at`]. Returns whether there was a body.
    ///
    /// # Errors
    /// [`RagdollCommandError::NoSuchObject`], [`RagdollCommandError::NoDoll`]; [`RagdollCommandError::OutOfRange`] if a
    /// coordinate of the point is beyond a million, a number of the impulse beyond 1e9, or one of them not finite. Nothing
    /// has changed then.
    pub fn ragdoll_impulse(
        &mut self,
        id: SkelId,
        bone: Option<usize>,
        point: Vec3,
        impulse: Vec3,
    ) -> Result<bool, RagdollCommandError> {
        check_impulse(point, impulse)?;
        let object = self.objects.get_mut(id).ok_or(RagdollCommandError::NoSuchObject)?;
        let Object { skeleton, ragdoll: Some(ragdoll), .. } = object else {
            let model = object.model;
            return Err(self.no_doll(model));
        };
        let driven = |bone| {
            let chain = std::iter::successors(Some(bone), |&bone| skeleton.bone_parent(bone));
            chain.into_iter().find(|&bone| ragdoll.bone_body(bone).is_some())
        };
        let bone = match bone {
            Some(bone) => match driven(bone) {
                None => return Ok(false),
                driven => driven,
            },
            None => None,
        };
        Ok(ragdoll.apply_impulse_at(bone, point, impulse, &mut self.physics))
    }

    /// Removes an object's doll; its bones stay as they are, in model space. Returns whether there was a doll.
    pub fn clear_ragdoll(&mut self, id: SkelId) -> bool {
        let Some(object) = self.objects.get_mut(id) else { return false };
        let Some(ragdoll) = object.ragdoll.take() else { return false };
        ragdoll.remove(&mut self.physics);
        object.recount(&mut self.cost);
        true
    }

    /// Returns an object's ragdoll.
    #[must_use]
    pub fn ragdoll(&self, id: SkelId) -> Option<&Ragdoll> {
        self.objects.get(id)?.ragdoll.as_ref()
    }

    /// Returns the physics world of the ragdolls.
    #[must_use]
    pub fn physics(&self) -> &Physics {
        &self.physics
    }

    /// Returns a mutable reference to the physics world of the ragdolls, to add floors, levels and doors.
    pub fn physics_mut(&mut self) -> &mut Physics {
        &mut self.physics
    }

    fn check_source(&self, id: SkelId, source: Option<SkelId>) -> Result<(), RagdollCommandError> {
        match source.and_then(|source| self.object(source)) {
            Some(_) if source == Some(id) => Err(RagdollCommandError::SourceIsSelf),
            Some(source) if !source.pose().is_local() => Err(RagdollCommandError::SourceNotLocal),
            _ => Ok(()),
        }
    }

    /// Puts a doll on an object. The doll that the object already has changes nothing unless it is to be `renewed`.
    pub(super) fn use_doll(
        &mut self,
        id: SkelId,
        doll: &Arc<Doll>,
        entity: &Mat3x4,
        renewed: bool,
    ) -> Result<(), RagdollError> {
        let Some(object) = self.objects.get(id) else { return Ok(()) };
        if !renewed && object.ragdoll.as_ref().is_some_and(|ragdoll| Arc::ptr_eq(ragdoll.doll(), doll)) {
            return Ok(());
        }
        let old = object.ragdoll.as_ref().map_or(0, |ragdoll| ragdoll.doll().bodies.len());
        let more = Object::BODY_COST * doll.bodies.len().saturating_sub(old);
        self.check_room(more).map_err(RagdollError::LimitExceeded)?;
        let Some(object) = self.objects.get_mut(id) else { return Ok(()) };
        let ragdoll = Ragdoll::new(doll, &object.skeleton, entity, &mut self.physics)?;
        ragdoll.set_owner(u64::from(id.get()), &mut self.physics);
        if let Some(old) = object.ragdoll.replace(ragdoll) {
            old.remove(&mut self.physics);
        }
        object.recount(&mut self.cost);
        Ok(())
    }

    /// Returns an error if the entity is too far away or its matrix has no inverse: bones could not be placed in its model
    /// space.
    fn check_entity(&self, id: SkelId, entity: &Mat3x4) -> Result<(), RagdollError> {
        let known = self.ragdoll(id).is_some_and(|ragdoll| ragdoll.stands_at(entity));
        if known { Ok(()) } else { Ragdoll::check_entity(entity) }
    }

    fn update_bones(&mut self, id: SkelId, source: Option<SkelId>, entity: &Mat3x4) -> Result<(), RagdollError> {
        let physics = &mut self.physics;
        let source = source.filter(|&source| self.objects.get(source).is_some());
        let (own, source) = match source.and_then(|source| self.objects.get_two_mut([id, source])) {
            Some([own, source]) => (Some(own), Some(&source.skeleton)),
            None => (self.objects.get_mut(id), None),
        };
        let Some(Object { skeleton, ragdoll: Some(ragdoll), .. }) = own else { return Ok(()) };
        ragdoll.update(skeleton, source, entity, physics)
    }
}
