//! Ragdolls of a runtime's skeletal objects: dolls from files, commands, physics frames.

use std::sync::Arc;

use slotmap::Key;

use super::{ReadFile, Runtime, SkelId, Warning};
use crate::doll::Doll;
use crate::math::{EntityTransform, Mat3x4, Vec3};
use crate::model::Name;
use crate::physics::Physics;
use crate::ragdoll::{Command, Ragdoll, RagdollError, UnknownCommand};
use crate::skeleton::SkeletalObject;

/// Why a ragdoll call did nothing; everything is as it was.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum RagdollCommandError {
    /// No skeletal object has this handle.
    NoSuchObject,
    /// The animation source is the object itself.
    SourceIsSelf,
    /// The animation source's bones are in model space.
    SourceNotLocal,
    /// No such command.
    UnknownCommand(UnknownCommand),
    /// The object has no doll, and its model no default one.
    NoDoll,
    /// The file is not there.
    NoSuchFile(String),
    /// The doll cannot be put on the object.
    Unusable(RagdollError),
    /// The doll has no joint of this name.
    NoSuchJoint(Name),
}

impl std::fmt::Display for RagdollCommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchObject => f.write_str("no such skeletal object"),
            Self::SourceIsSelf => f.write_str("an object cannot be its own animation source: use a second one"),
            Self::SourceNotLocal => f.write_str("the animation source is in model space: build it first"),
            Self::UnknownCommand(error) => error.fmt(f),
            Self::NoDoll => f.write_str("the object has no doll, and its model no default doll"),
            Self::NoSuchFile(file) => write!(f, "no such file: {file}"),
            Self::Unusable(error) => error.fmt(f),
            Self::NoSuchJoint(name) => write!(f, "enablejoint: {name} is not a joint of the doll"),
        }
    }
}

impl std::error::Error for RagdollCommandError {}

impl From<RagdollError> for RagdollCommandError {
    fn from(error: RagdollError) -> Self {
        Self::Unusable(error)
    }
}

impl Runtime {
    /// Runs a command on an object's ragdoll and updates the object's bones (builtin #281, skel_ragupdate).
    ///
    /// `entity` is where the object's entity stands, `source` an object to take animation from instead of the object's
    /// own built pose. `files` answers for `doll` and for default dolls: the model's name with `.doll` added, then with
    /// its extension replaced by it. Returns what the builtin returns: the number of animated bodies for `animatebody`,
    /// 0 for `cleardoll` without a doll, else 1.
    ///
    /// # Errors
    /// [`RagdollCommandError`]; then nothing has changed, and a doll that was there still is.
    pub fn ragdoll_command(
        &mut self,
        id: SkelId,
        entity: &EntityTransform,
        command: &[u8],
        source: Option<SkelId>,
        files: &mut ReadFile<'_>,
    ) -> Result<u32, RagdollCommandError> {
        let model = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?.model;
        self.check_source(id, source)?;
        let command = Command::parse(command).map_err(RagdollCommandError::UnknownCommand)?;
        let entity = self.settings.entity_matrix(entity);
        if command != Command::ClearDoll {
            self.check_entity(id, &entity)?;
        }
        let mut result = 1;
        match command {
            Command::ClearDoll => return Ok(u32::from(self.clear_ragdoll(id))),
            Command::Doll(name) => {
                let name = String::from_utf8_lossy(&name);
                let doll = self.load_doll(&name, model, files).ok_or_else(|| missing(&name))?;
                self.use_doll(id, &doll, &entity, false)?;
            }
            Command::DollString(text) => {
                let (doll, _) = self.parse_doll("", text, model);
                self.use_doll(id, &Arc::new(doll), &entity, true)?;
            }
            Command::Update => {
                self.need_ragdoll(id, model, &entity, files)?;
            }
            Command::Animate(strength) => {
                let (ragdoll, physics) = self.need_ragdoll(id, model, &entity, files)?;
                ragdoll.animate(strength, physics);
            }
            Command::AnimateBody(name, strength) => {
                let (ragdoll, physics) = self.need_ragdoll(id, model, &entity, files)?;
                let known = ragdoll.animate_body(&name, strength, physics);
                result = ragdoll.animated_bodies() as u32;
                if !known {
                    self.warn(Warning::NoSuchBody(Name::new(&name)));
                }
            }
            Command::EnableJoint(name, enabled) => {
                let made = self.ragdoll(id).is_none();
                let (ragdoll, physics) = self.need_ragdoll(id, model, &entity, files)?;
                if !ragdoll.enable_joint(&name, enabled, physics) {
                    if made {
                        self.clear_ragdoll(id);
                    }
                    return Err(RagdollCommandError::NoSuchJoint(Name::new(&name)));
                }
            }
        }
        self.update_bones(id, source, &entity)?;
        Ok(result)
    }

    /// Puts a doll on an object as its bones stand, in place of the one it has.
    ///
    /// # Errors
    /// [`RagdollCommandError`]; an earlier doll stays then.
    pub fn set_ragdoll(
        &mut self,
        id: SkelId,
        entity: &EntityTransform,
        doll: &Arc<Doll>,
    ) -> Result<(), RagdollCommandError> {
        if !self.objects.contains_key(id) {
            return Err(RagdollCommandError::NoSuchObject);
        }
        let entity = self.settings.entity_matrix(entity);
        self.check_entity(id, &entity)?;
        self.use_doll(id, doll, &entity, true)?;
        Ok(self.update_bones(id, None, &entity)?)
    }

    /// One frame of an entity that has its model's default doll and no commands of its own: it follows the animation as
    /// its doll says until `frame` has bit 15 set (65535 does), then it is limp.
    ///
    /// # Errors
    /// [`RagdollCommandError`].
    pub fn update_default_ragdoll(
        &mut self,
        id: SkelId,
        entity: &EntityTransform,
        frame: f32,
        files: &mut ReadFile<'_>,
    ) -> Result<(), RagdollCommandError> {
        let model = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?.model;
        let entity = self.settings.entity_matrix(entity);
        self.check_entity(id, &entity)?;
        let strength = if crate::math::truncate(frame) & 0x8000 != 0 { 0.0 } else { 1.0 };
        let (ragdoll, physics) = self.need_ragdoll(id, model, &entity, files)?;
        if ragdoll.strength() != strength {
            ragdoll.animate(strength, physics);
        }
        Ok(self.update_bones(id, None, &entity)?)
    }

    /// Hits an object's ragdoll with an impulse (mass * Quake units / s) at a point in world space: the body on `bone`
    /// (0-based), or the nearest one; see [`Ragdoll::hit`]. Returns whether there was a body.
    ///
    /// # Errors
    /// [`RagdollCommandError::NoSuchObject`], [`RagdollCommandError::NoDoll`].
    pub fn ragdoll_impulse(
        &mut self,
        id: SkelId,
        bone: Option<usize>,
        point: Vec3,
        impulse: Vec3,
    ) -> Result<bool, RagdollCommandError> {
        let object = self.objects.get_mut(id).ok_or(RagdollCommandError::NoSuchObject)?;
        let ragdoll = object.ragdoll.as_mut().ok_or(RagdollCommandError::NoDoll)?;
        Ok(ragdoll.hit(bone, point, impulse, &mut self.physics))
    }

    /// Takes an object's doll away; its bones stay as they are, in model space. Returns whether there was one.
    pub fn clear_ragdoll(&mut self, id: SkelId) -> bool {
        let ragdoll = self.objects.get_mut(id).and_then(|object| object.ragdoll.take());
        let found = ragdoll.is_some();
        if let Some(ragdoll) = ragdoll {
            ragdoll.remove(&mut self.physics);
        }
        found
    }

    /// An object's ragdoll.
    pub fn ragdoll(&self, id: SkelId) -> Option<&Ragdoll> {
        self.objects.get(id)?.ragdoll.as_ref()
    }

    /// The world that ragdolls live in: floors and boxes are added here.
    pub fn physics(&self) -> &Physics {
        &self.physics
    }

    /// The world that ragdolls live in, to change.
    pub fn physics_mut(&mut self) -> &mut Physics {
        &mut self.physics
    }

    /// Simulates `frame_time` seconds, in fixed steps; see [`Physics::advance`]. Returns how many steps were made.
    pub fn step(&mut self, frame_time: f32) -> usize {
        let mut ragdolls: Vec<&mut Ragdoll> = self.objects.values_mut().filter_map(|o| o.ragdoll.as_mut()).collect();
        let steps = self.physics.advance(frame_time, |physics, phase| {
            for ragdoll in &mut ragdolls {
                ragdoll.step(phase, physics);
            }
        });
        for ragdoll in ragdolls {
            ragdoll.end_frame();
        }
        self.report_recovered();
        steps
    }

    /// Says which ragdolls had bodies put back in this frame.
    pub(super) fn report_recovered(&mut self) {
        let recovered: Vec<_> = self
            .objects
            .values_mut()
            .filter_map(|object| Some((object.handle, object.ragdoll.as_mut()?.take_recovered())))
            .filter(|(_, bodies)| *bodies > 0)
            .collect();
        for (handle, bodies) in recovered {
            self.warn(Warning::BodiesReset { handle, bodies });
        }
    }

    fn check_source(&self, id: SkelId, source: Option<SkelId>) -> Result<(), RagdollCommandError> {
        match source.and_then(|source| self.object(source)) {
            Some(_) if source == Some(id) => Err(RagdollCommandError::SourceIsSelf),
            Some(source) if !source.pose().is_local() => Err(RagdollCommandError::SourceNotLocal),
            _ => Ok(()),
        }
    }

    /// Puts a doll on an object. The same doll again changes nothing unless it is to be `renewed`.
    pub(super) fn use_doll(
        &mut self,
        id: SkelId,
        doll: &Arc<Doll>,
        entity: &Mat3x4,
        renewed: bool,
    ) -> Result<(), RagdollError> {
        let Some(object) = self.objects.get_mut(id) else { return Ok(()) };
        if !renewed && object.ragdoll.as_ref().is_some_and(|ragdoll| Arc::ptr_eq(ragdoll.doll(), doll)) {
            return Ok(());
        }
        let ragdoll = Ragdoll::new(doll, &object.skeleton, entity, &mut self.physics)?;
        ragdoll.set_owner(id.data().as_ffi(), &mut self.physics);
        if let Some(old) = object.ragdoll.replace(ragdoll) {
            old.remove(&mut self.physics);
        }
        Ok(())
    }

    /// Bones cannot be told where an entity is that is nowhere.
    fn check_entity(&self, id: SkelId, entity: &Mat3x4) -> Result<(), RagdollError> {
        let known = self.ragdoll(id).is_some_and(|ragdoll| ragdoll.stands_at(entity));
        if known || entity.inverse().is_some() { Ok(()) } else { Err(RagdollError::UnusableEntity) }
    }

    fn update_bones(&mut self, id: SkelId, source: Option<SkelId>, entity: &Mat3x4) -> Result<(), RagdollError> {
        let shown = |object: &super::Object| {
            let ragdoll = object.ragdoll.as_ref();
            ragdoll.is_some_and(|ragdoll| ragdoll.is_shown(&object.skeleton, entity, &self.physics))
        };
        if source.is_none() && self.objects.get(id).is_some_and(shown) {
            return Ok(());
        }
        // Two objects of one map: the ragdoll steps out while its own object is written.
        let Some(mut ragdoll) = self.objects.get_mut(id).and_then(|object| object.ragdoll.take()) else {
            return Ok(());
        };
        let source = source.filter(|&source| source != id && self.objects.contains_key(source));
        let physics = &mut self.physics;
        let result = match source.map(|source| [id, source]).and_then(|both| self.objects.get_disjoint_mut(both)) {
            Some([own, source]) => ragdoll.update(&mut own.skeleton, Some(&source.skeleton), entity, physics),
            None => match self.objects.get_mut(id) {
                Some(own) => ragdoll.update(&mut own.skeleton, None::<&SkeletalObject>, entity, physics),
                None => Ok(()),
            },
        };
        if let Some(own) = self.objects.get_mut(id) {
            own.ragdoll = Some(ragdoll);
        }
        result
    }
}

fn missing(name: &str) -> RagdollCommandError {
    RagdollCommandError::NoSuchFile(name.to_owned())
}
