//! Ragdolls of a runtime's skeletal objects: dolls from files, commands, impulses.

use std::sync::Arc;

use skelobj_model::internal::{self, NoFile, Shown, is_limp_frame, nearest};

use super::{ModelId, Object, ObjectId, Runtime, Warning};
use crate::OutOfRange;
use crate::doll::{DidYouMean, Doll, Quoted};
use crate::is_plain_path;
use crate::math::{Mat3x4, Vec3, truncate};
use crate::model::Name;
use crate::physics::{CollisionGroups, Physics};
use crate::ragdoll::{
    Command, Flinch, MatchError, Order, PoseMatch, Ragdoll, RagdollError, UnknownCommand, check_impulse,
};

/// Error of a ragdoll call of [`Runtime`]. On error, nothing changes.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::Command;
/// use skelobj::runtime::RagdollCommandError;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let cut = Command::EnableJoint("Knee_L", false);
/// let error = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, cut, None).unwrap_err();
/// assert_eq!(error.to_string(), "the doll has no joint `Knee_L`, did you mean `knee_l`?");
/// assert!(runtime.ragdoll(object).is_none()); // no ragdoll was started for it
///
/// let error = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "doll ogre.doll", None).unwrap_err();
/// assert_eq!(error, RagdollCommandError::NoSuchFile("ogre.doll".to_owned()));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum RagdollCommandError {
    /// No skeletal object has this id.
    NoSuchObject,
    /// No model has this id.
    NoSuchModel,
    /// The animation source is the object itself.
    SourceIsSelf,
    /// The bones of the animation source are in model space.
    SourceNotLocal,
    /// The object has no doll, and its model has no default doll.
    NoDoll {
        /// The two possible file names of the default doll; `None` if the model was removed.
        asked_for: Option<Arc<[String; 2]>>,
    },
    /// The object has no ragdoll: its first [`ragdoll_command`](Runtime::ragdoll_command) makes one.
    NoRagdoll,
    /// The name of a doll file is not a [plain path](crate::is_plain_path). The source of files was not asked.
    NotPlainPath(String),
    /// The source of files has no doll file of this name.
    NoSuchFile(String),
    /// The source of files has the doll file, but cannot read it.
    CannotRead {
        /// Name of the file.
        file: String,
        /// Reason of the source, such as a lack of permission.
        reason: String,
    },
    /// The doll cannot be attached to the object.
    Unusable(RagdollError),
    /// The doll has no body of this name.
    NoSuchBody {
        /// Name in the command.
        name: Name,
        /// Body that was probably meant.
        suggestion: Option<Name>,
    },
    /// The doll has no joint of this name.
    NoSuchJoint {
        /// Name in the command.
        name: Name,
        /// Joint that was probably meant.
        suggestion: Option<Name>,
    },
    /// The text of the command starts with an unknown word.
    UnknownCommand(UnknownCommand),
    /// A number of the call is non-finite or out of range.
    OutOfRange(OutOfRange),
    /// No animation fits the ragdoll.
    NoMatch(MatchError),
}

impl std::fmt::Display for RagdollCommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchObject => f.write_str("no such skeletal object"),
            Self::NoSuchModel => f.write_str("no such model"),
            Self::SourceIsSelf => f.write_str("an object cannot be its own animation source: use a second one"),
            Self::SourceNotLocal => f.write_str("the animation source is in model space: build it first"),
            Self::NoDoll { asked_for: Some(files) } => {
                let [first, second] = &**files;
                let reason = if is_plain_path(first) { "exists" } else { "is a plain path" };
                write!(f, "the object has no doll, and neither {} nor {} {reason}", Shown::of(first), Shown::of(second))
            }
            Self::NoDoll { asked_for: None } => f.write_str("the object has no doll, and its model was removed"),
            Self::NoRagdoll => f.write_str("the object has no ragdoll: its first ragdoll command makes one"),
            Self::NotPlainPath(file) => internal::write_not_plain(file, f),
            Self::NoSuchFile(file) => internal::write_no_such(file, f),
            Self::CannotRead { file, reason } => internal::write_cannot_read(file, reason, f),
            Self::Unusable(error) => error.fmt(f),
            Self::NoSuchBody { name, suggestion } => {
                write!(f, "the doll has no body {}{}", Quoted::of(name), DidYouMean(suggestion))
            }
            Self::NoSuchJoint { name, suggestion } => {
                write!(f, "the doll has no joint {}{}", Quoted::of(name), DidYouMean(suggestion))
            }
            Self::UnknownCommand(error) => error.fmt(f),
            Self::OutOfRange(error) => error.fmt(f),
            Self::NoMatch(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RagdollCommandError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unusable(error) => Some(error),
            Self::UnknownCommand(error) => Some(error),
            Self::OutOfRange(error) => Some(error),
            Self::NoMatch(error) => Some(error),
            _ => None,
        }
    }
}

impl From<OutOfRange> for RagdollCommandError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}

impl From<UnknownCommand> for RagdollCommandError {
    fn from(error: UnknownCommand) -> Self {
        Self::UnknownCommand(error)
    }
}

impl From<MatchError> for RagdollCommandError {
    fn from(error: MatchError) -> Self {
        Self::NoMatch(error)
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
    /// Call it once per frame for every object with a ragdoll. Every command except [`Command::ClearDoll`] updates the
    /// bones; [`Command::Update`] does nothing else. An object without a doll gets the default doll of its model, read
    /// from the runtime's [files](Self::set_files). [`Command`] lists the commands, which may also be
    /// texts.
    ///
    /// A ragdoll starts at rest. To inherit the speed of the animation at a death, run [`Command::Update`] for at least
    /// two frames before [`Command::Animate`] with 0; the module [`ragdoll`](crate::ragdoll#life-of-a-ragdoll) explains
    /// why. [`add_ragdoll_velocity`](Self::add_ragdoll_velocity) adds a speed.
    ///
    /// `entity` is the matrix of the object's entity, model space to world space. `source` is a second object in local
    /// space that holds the animation; without a source, or if it does not exist, the ragdoll follows the pose built
    /// into the object itself. Where neither poses a bone without a body, [`Settings::keep_bones`](super::Settings)
    /// decides (difference 32).
    ///
    /// Returns the result of the builtin: the number of animated bodies for [`Command::AnimateBody`] and
    /// [`Command::AnimateLimb`], 0 for [`Command::ClearDoll`] on an object without a doll, else 1.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let entity = Mat3x4::IDENTITY;
    /// runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None)?; // limp
    /// runtime.ragdoll_command(object, &entity, "animatebody head 1", None)?;
    /// assert_eq!(runtime.ragdoll(object).map(|ragdoll| ragdoll.animated_bodies()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// On error, nothing changes, and an earlier doll is kept.
    /// - [`RagdollCommandError::NoSuchObject`] if no object has this id.
    /// - [`RagdollCommandError::SourceIsSelf`], [`RagdollCommandError::SourceNotLocal`] if `source` cannot be used by
    ///   an update or a new doll; other commands ignore it then.
    /// - [`RagdollCommandError::NoDoll`], [`RagdollCommandError::NoSuchFile`] if no doll is found.
    /// - [`RagdollCommandError::CannotRead`] if the doll file exists but cannot be read.
    /// - [`RagdollCommandError::NotPlainPath`] for a doll file whose name may lead out of the game's folders.
    /// - [`RagdollCommandError::Unusable`] if the doll cannot be attached to the object, such as one that was never
    ///   built, or if `entity` has no inverse or is too far away.
    /// - [`RagdollCommandError::NoSuchBody`], [`RagdollCommandError::NoSuchJoint`] if the doll lacks the name, with the
    ///   nearest name that it has.
    /// - [`RagdollCommandError::UnknownCommand`] if a text is not a command.
    /// - [`RagdollCommandError::OutOfRange`] if a strength or a time is not finite.
    // Inlined, the test below has no command to compare with and to drop.
    #[inline(always)]
    pub fn ragdoll_command<'a>(
        &mut self,
        id: ObjectId,
        entity: &Mat3x4,
        command: impl Into<Command<'a>>,
        source: Option<ObjectId>,
    ) -> Result<u32, RagdollCommandError> {
        let command = command.into();
        // The command of nearly all corpses in nearly all frames.
        if matches!(command, Command::Update)
            && source.is_none()
            && let Some(object) = self.objects.get(id)
            && object.is_shown_at(entity, &self.physics)
        {
            return Ok(1);
        }
        self.run_ragdoll_command(id, entity, command.order()?, source)
    }

    fn run_ragdoll_command(
        &mut self,
        id: ObjectId,
        entity: &Mat3x4,
        command: Order<'_>,
        source: Option<ObjectId>,
    ) -> Result<u32, RagdollCommandError> {
        let object = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?;
        let model = object.model;
        let source = self.usable_source(id, source, &command)?;
        if command != Order::ClearDoll {
            self.check_entity(id, entity)?;
        }
        if let Order::Animate(strength, _)
        | Order::AnimateBody(_, strength, _)
        | Order::AnimateLimb(_, strength, _)
        | Order::Muscle(strength)
        | Order::MuscleJoint(_, strength) = command
        {
            internal::check_number(strength.is_finite(), "strength", strength, "a finite number")?;
        }
        if let Order::Animate(_, Some(seconds))
        | Order::AnimateBody(_, _, Some(seconds))
        | Order::AnimateLimb(_, _, Some(seconds)) = command
        {
            internal::check_number(seconds.is_finite(), "seconds", seconds, "a finite number")?;
        }
        if command == Order::ClearDoll {
            return Ok(u32::from(self.clear_ragdoll(id).is_some()));
        }
        if command != Order::Update {
            self.wake(id);
        }
        let posed = self.pose_from(id, source);
        let result = self.obey(id, model, entity, command);
        if result.is_err() && posed {
            self.objects.get_mut(id).into_iter().for_each(|object| internal::unbuild(&mut object.skeletal));
        }
        let result = result?;
        self.update_bones(id, source, entity)?;
        Ok(result)
    }

    /// Poses an object that was never built as the animation source, in which its doll then starts (difference 6).
    /// Returns `true` if it did.
    fn pose_from(&mut self, id: ObjectId, source: Option<ObjectId>) -> bool {
        let Some([object, source]) = source.and_then(|source| self.objects.get_two_mut([id, source])) else {
            return false;
        };
        let poses = object.ragdoll.is_none() && !object.skeletal.is_built() && source.skeletal.is_built();
        if poses {
            object.skeletal.copy_bones(&source.skeletal, 0..usize::MAX);
        }
        poses
    }

    /// Runs a command without an update of the bones.
    fn obey(
        &mut self,
        id: ObjectId,
        model: ModelId,
        entity: &Mat3x4,
        command: Order<'_>,
    ) -> Result<u32, RagdollCommandError> {
        let mut result = 1;
        match command {
            Order::ClearDoll => result = u32::from(self.clear_ragdoll(id).is_some()),
            Order::Doll(name) => {
                let name = String::from_utf8_lossy(&name);
                let doll = self.load_doll(&name, model).map_err(|reason| match reason {
                    NoFile::NotPlain => RagdollCommandError::NotPlainPath(name.into_owned()),
                    NoFile::Missing => RagdollCommandError::NoSuchFile(name.into_owned()),
                    NoFile::Unreadable(reason) => RagdollCommandError::CannotRead { file: name.into_owned(), reason },
                })?;
                self.use_doll(id, &doll, entity, false)?;
            }
            Order::DollString(text) => {
                let (doll, _) = self.parse_doll("dollstring", &text, model);
                self.use_doll(id, &Arc::new(doll), entity, true)?;
            }
            Order::Update => {
                self.need_ragdoll(id, model, entity)?;
            }
            Order::Animate(strength, over) => {
                let (ragdoll, physics) = self.need_ragdoll(id, model, entity)?;
                ragdoll.set_drive_strength(strength, over, physics)?;
            }
            Order::AnimateBody(name, strength, over) => {
                self.change_ragdoll(id, entity, |ragdoll, physics| {
                    let known = ragdoll.set_body_strength(&name, strength, over, physics)?;
                    known.then_some(()).ok_or_else(|| no_such_body(ragdoll.doll(), &name))
                })?;
                result = self.ragdoll(id).map_or(0, Ragdoll::animated_bodies) as u32;
            }
            Order::AnimateLimb(name, strength, over) => {
                self.change_ragdoll(id, entity, |ragdoll, physics| {
                    let known = ragdoll.set_limb_strength(&name, strength, over, physics)?;
                    known.then_some(()).ok_or_else(|| no_such_body(ragdoll.doll(), &name))
                })?;
                result = self.ragdoll(id).map_or(0, Ragdoll::animated_bodies) as u32;
            }
            Order::EnableJoint(name, enabled) => {
                self.change_ragdoll(id, entity, |ragdoll, physics| {
                    let known = ragdoll.enable_joint(&name, enabled, physics);
                    known.then_some(()).ok_or_else(|| no_such_joint(ragdoll.doll(), &name))
                })?;
            }
            Order::Muscle(strength) => {
                let (ragdoll, physics) = self.need_ragdoll(id, model, entity)?;
                ragdoll.set_muscle(strength, physics)?;
            }
            Order::MuscleJoint(name, strength) => {
                self.change_ragdoll(id, entity, |ragdoll, physics| {
                    let known = ragdoll.set_joint_muscle(&name, strength, physics)?;
                    known.then_some(()).ok_or_else(|| no_such_joint(ragdoll.doll(), &name))
                })?;
            }
            Order::Awake(awake) => {
                let (ragdoll, physics) = self.need_ragdoll(id, model, entity)?;
                ragdoll.set_awake(awake, physics);
            }
        }
        Ok(result)
    }

    /// Changes the object's ragdoll. A ragdoll that this call creates, from the model's default doll, is removed again
    /// if the change fails.
    fn change_ragdoll(
        &mut self,
        id: ObjectId,
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

    /// Attaches a doll to an object in its current pose, replacing any earlier doll.
    ///
    /// `entity` is the matrix of the object's entity, model space to world space. Use it for dolls that are not in
    /// files; [`ragdoll_command`](Self::ragdoll_command) reads dolls from files.
    ///
    /// Bodies on bones that the model lacks are skipped with their joints. Nothing moves: joints are anchored where the
    /// pose has them, and stops that the pose violates close in over half a second or more.
    ///
    /// ```
    /// use skelobj::Doll;
    /// use skelobj::math::Mat3x4;
    /// use std::sync::Arc;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let text = b"body trunk chest\nshape sphere\nsize 12 12 12\nanimate 0\n";
    /// let doll = Doll::parse_for(text, &runtime.model(model).unwrap().skeleton).doll;
    /// runtime.set_ragdoll(object, &Mat3x4::IDENTITY, &Arc::new(doll))?;
    /// assert_eq!(runtime.ragdoll(object).map(|ragdoll| ragdoll.doll().bodies.len()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RagdollCommandError::NoSuchObject`], [`RagdollCommandError::Unusable`]. An earlier doll is kept.
    pub fn set_ragdoll(&mut self, id: ObjectId, entity: &Mat3x4, doll: &Arc<Doll>) -> Result<(), RagdollCommandError> {
        if self.objects.get(id).is_none() {
            return Err(RagdollCommandError::NoSuchObject);
        }
        self.check_entity(id, entity)?;
        self.use_doll(id, doll, entity, true)?;
        Ok(self.update_bones(id, None, entity)?)
    }

    /// Runs one frame of an entity that has its model's default doll and receives no commands.
    ///
    /// The ragdoll follows the animation with the doll's strengths, or with the strength of the last command `animate`.
    /// The ragdoll is limp while `frame` is positive and has bit 15 set, such as 65535 (difference 39); commands
    /// `animate` then take effect when the frame no longer has that bit.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.update_default_ragdoll(object, &Mat3x4::IDENTITY, 3.0)?; // plays animation 3
    /// assert!(runtime.ragdoll(object).unwrap().animated_bodies() > 0);
    /// runtime.update_default_ragdoll(object, &Mat3x4::IDENTITY, 65535.0)?;
    /// assert_eq!(runtime.ragdoll(object).unwrap().animated_bodies(), 0); // limp
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RagdollCommandError::NoSuchObject`], [`RagdollCommandError::NoDoll`], [`RagdollCommandError::Unusable`].
    pub fn update_default_ragdoll(
        &mut self,
        id: ObjectId,
        entity: &Mat3x4,
        frame: f32,
    ) -> Result<(), RagdollCommandError> {
        let model = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?.model;
        self.check_entity(id, entity)?;
        self.need_ragdoll(id, model, entity)?;
        self.suspend_by_frame(id, frame);
        Ok(self.update_bones(id, None, entity)?)
    }

    /// Makes the ragdoll of an object limp while the frame of its entity says so (difference 39).
    pub(crate) fn suspend_by_frame(&mut self, id: ObjectId, frame: f32) {
        let Some(ragdoll) = self.objects.get_mut(id).and_then(|object| object.ragdoll.as_mut()) else { return };
        if ragdoll.suspend_drive(is_limp_frame(truncate(frame)), &mut self.physics) {
            self.wake(id);
        }
    }

    /// Applies an impulse (mass * Quake units / s) at a point to an object's ragdoll, both in world space. Returns
    /// `true` if a body received it.
    ///
    /// The impulse goes to the body that drives `bone` (0-based), or to that of the nearest of its parents with a body.
    /// Without a bone it goes to the body that is nearest to the point. A body that the animation holds flinches as
    /// `hit` describes: it gives way, and returns within `hit.seconds`.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::ragdoll::{Command, Flinch};
    /// use skelobj::runtime::Trace;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None)?; // limp
    /// let shot = Trace::line(Vec3::new(200.0, 0.0, 45.0), Vec3::new(-200.0, 0.0, 45.0));
    /// let hit = runtime.trace(&shot)?.expect("the chest");
    /// assert!(runtime.ragdoll_impulse(object, hit.bone, hit.point, Vec3::X * -6000.0, Flinch::default())?);
    /// runtime.step(0.1)?;
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
    /// assert!(runtime.object(object).unwrap().model_space(10).unwrap().origin().x < -1.0); // the chest is pushed back
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RagdollCommandError::NoSuchObject`], [`RagdollCommandError::NoRagdoll`]; [`RagdollCommandError::OutOfRange`]
    /// if a coordinate of the point is beyond a million, a number of the impulse is beyond 1e9, a number of the hit is
    /// out of its range, or one of them is not finite. On error, nothing changes.
    pub fn ragdoll_impulse(
        &mut self,
        id: ObjectId,
        bone: Option<usize>,
        point: Vec3,
        impulse: Vec3,
        hit: Flinch,
    ) -> Result<bool, RagdollCommandError> {
        check_impulse(point, impulse)?;
        hit.check()?;
        let object = self.objects.get_mut(id).ok_or(RagdollCommandError::NoSuchObject)?;
        let Object { skeletal, ragdoll: Some(ragdoll), .. } = object else {
            return Err(RagdollCommandError::NoRagdoll);
        };
        let driven = |bone| {
            let chain = std::iter::successors(Some(bone), |&bone| skeletal.bone_parent(bone));
            chain.into_iter().find(|&bone| ragdoll.bone_body(bone).is_some())
        };
        let bone = match bone {
            Some(bone) => match driven(bone) {
                None => return Ok(false),
                driven => driven,
            },
            None => None,
        };
        Ok(ragdoll.apply_impulse_at(bone, point, impulse, hit, &mut self.physics)?)
    }

    /// Adds a velocity (units/s) and an angular velocity (radians/s, about the point `centre`) to an object's ragdoll,
    /// in world space.
    ///
    /// All limp and partly animated bodies change their velocity alike, whatever their masses, and wake up: an
    /// explosion hurls a corpse away, or a ragdoll that was first started at death gets the speed of its entity. Bodies
    /// that follow the animation exactly are unchanged. [`ragdoll_impulse`](Self::ragdoll_impulse) pushes a single
    /// body.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None)?; // limp
    /// let entity_velocity = Vec3::new(320.0, 0.0, 0.0); // the entity ran when it died
    /// runtime.add_ragdoll_velocity(object, entity_velocity, Vec3::ZERO, Vec3::ZERO)?;
    /// let ragdoll = runtime.ragdoll(object).unwrap();
    /// assert!(ragdoll.bodies(runtime.physics()).all(|body| body.velocity.x == 320.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RagdollCommandError::NoSuchObject`], [`RagdollCommandError::NoRagdoll`]; [`RagdollCommandError::OutOfRange`]
    /// names the first number that is non-finite or beyond a million. On error, nothing changes.
    pub fn add_ragdoll_velocity(
        &mut self,
        id: ObjectId,
        linear: Vec3,
        angular: Vec3,
        centre: Vec3,
    ) -> Result<(), RagdollCommandError> {
        let object = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?;
        let ragdoll = object.ragdoll.as_ref().ok_or(RagdollCommandError::NoRagdoll)?;
        Ok(ragdoll.add_velocity(linear, angular, centre, &mut self.physics)?)
    }

    /// Puts the bodies of an object's ragdoll into collision groups, [`CollisionGroups::RAGDOLLS`] at first.
    ///
    /// [`CollisionGroups::CORPSES`] is for the dead: entity boxes pass through them, and traces that leave the group
    /// out miss them. A ragdoll keeps its groups until it is removed; a new ragdoll starts in `RAGDOLLS`.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::physics::CollisionGroups;
    /// use skelobj::ragdoll::Command;
    /// use skelobj::runtime::Trace;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None)?; // it dies
    /// runtime.set_ragdoll_groups(object, CollisionGroups::CORPSES)?;
    /// let rocket = Trace::line(Vec3::new(200.0, 0.0, 45.0), Vec3::new(-200.0, 0.0, 45.0));
    /// let living = CollisionGroups::LEVEL | CollisionGroups::RAGDOLLS;
    /// assert_eq!(runtime.trace(&rocket.with_groups(living))?, None); // it flies over the corpse
    /// assert!(runtime.trace(&rocket)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RagdollCommandError::NoSuchObject`], [`RagdollCommandError::NoRagdoll`]. On error, nothing changes.
    pub fn set_ragdoll_groups(&mut self, id: ObjectId, groups: CollisionGroups) -> Result<(), RagdollCommandError> {
        let object = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?;
        let ragdoll = object.ragdoll.as_ref().ok_or(RagdollCommandError::NoRagdoll)?;
        ragdoll.set_groups(groups, &mut self.physics);
        Ok(())
    }

    /// Returns the collision groups of an object's ragdoll; `None` if the object has no ragdoll.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::physics::CollisionGroups;
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// assert_eq!(runtime.ragdoll_groups(object), None);
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
    /// assert_eq!(runtime.ragdoll_groups(object), Some(CollisionGroups::RAGDOLLS));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ragdoll_groups(&self, id: ObjectId) -> Option<CollisionGroups> {
        Some(self.ragdoll(id)?.groups(&self.physics))
    }

    /// Finds the pose in some of a model's animations that comes nearest to an object's ragdoll, and where its entity
    /// has to stand to get up from there (builtin skel_matchpose).
    ///
    /// [`Ragdoll::match_pose`] describes the search. `model` holds the animations, as in [`build`](Self::build); it is
    /// the object's own, or another with bones of the same names. A revival moves the entity to
    /// [`PoseMatch::entity`], plays the animation from [`PoseMatch::time`], and sends [`Command::Animate`] with a time.
    /// The entity's scale stays as it is.
    ///
    /// ```
    /// use skelobj::Ragdoll;
    /// use skelobj::math::Mat3x4;
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let mut entity = Mat3x4::IDENTITY;
    ///
    /// runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None)?; // the character falls
    /// for _frame in 0..240 {
    ///     runtime.ragdoll_command(object, &entity, Command::Update, None)?;
    ///     runtime.step(1.0 / 60.0)?;
    /// }
    /// let get_ups = runtime.load_model("mannequin_getup.iqm")?;
    /// let found = runtime.match_pose(object, get_ups, &[0, 1], Ragdoll::NEAR_POSE)?; // back and front
    /// entity = runtime.settings().entity_matrix(&found.entity());
    /// for frame in 0..180 {
    ///     let time = found.time + f64::from(frame) / 60.0;
    ///     runtime.build(object, get_ups, &FrameState::single(found.animation, time), &Build::REPLACE)?;
    ///     let command = if frame == 0 { Command::Animate(1.0, Some(0.5)) } else { Command::Update };
    ///     runtime.ragdoll_command(object, &entity, command, None)?;
    ///     runtime.step(1.0 / 60.0)?;
    /// }
    /// let head = runtime.object(object).unwrap().model_space(12).unwrap();
    /// assert!((head.origin().z - 56.0).abs() < 1.5); // it stands
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RagdollCommandError::NoSuchObject`], [`RagdollCommandError::NoSuchModel`],
    /// [`RagdollCommandError::NoRagdoll`], and [`RagdollCommandError::NoMatch`] if no animation comes near.
    pub fn match_pose(
        &self,
        id: ObjectId,
        model: ModelId,
        animations: &[usize],
        tolerance: f32,
    ) -> Result<PoseMatch, RagdollCommandError> {
        let object = self.objects.get(id).ok_or(RagdollCommandError::NoSuchObject)?;
        let ragdoll = object.ragdoll.as_ref().ok_or(RagdollCommandError::NoRagdoll)?;
        let model = self.model(model).ok_or(RagdollCommandError::NoSuchModel)?;
        Ok(ragdoll.match_pose(model, animations, tolerance, &self.physics)?)
    }

    /// Removes an object's ragdoll, and returns its doll; the bones keep their pose, in model space. `None` if the
    /// object has no ragdoll.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
    /// assert!(runtime.clear_ragdoll(object).is_some());
    /// assert!(runtime.clear_ragdoll(object).is_none());
    /// assert!(!runtime.object(object).unwrap().pose().is_local());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear_ragdoll(&mut self, id: ObjectId) -> Option<Arc<Doll>> {
        let object = self.objects.get_mut(id)?;
        let ragdoll = object.ragdoll.take()?;
        let doll = ragdoll.doll().clone();
        ragdoll.remove(&mut self.physics);
        object.recount(&mut self.cost);
        Some(doll)
    }

    /// Returns the ragdoll of an object; `None` if the object does not exist or has no ragdoll.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// assert!(runtime.ragdoll(object).is_none());
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None)?;
    /// runtime.step(1.0 / 60.0)?;
    /// let ragdoll = runtime.ragdoll(object).unwrap();
    /// let falling = ragdoll.bodies(runtime.physics()).filter(|body| !body.is_sleeping);
    /// assert_eq!(falling.count(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ragdoll(&self, id: ObjectId) -> Option<&Ragdoll> {
        self.objects.get(id)?.ragdoll.as_ref()
    }

    /// Returns the physics world of the ragdolls.
    ///
    /// ```
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// assert_eq!(runtime.physics().world().gravity.z, -800.0);
    /// assert_eq!(runtime.physics().world().bodies.len(), 1); // the floor
    /// ```
    #[must_use]
    pub fn physics(&self) -> &Physics {
        &self.physics
    }

    /// Returns the physics world of the ragdolls to change: to add floors, levels, doors and boxes of entities.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::runtime::Trace;
    /// let mut runtime = skelobj::Runtime::default();
    /// runtime.physics_mut().add_floor(0.0)?;
    /// let crate_size = Vec3::splat(32.0);
    /// runtime.physics_mut().add_box(Vec3::new(0.0, 0.0, 16.0), crate_size, Quat::IDENTITY)?;
    /// let hit = runtime.trace(&Trace::line(Vec3::Z * 100.0, Vec3::ZERO))?.expect("the crate");
    /// assert!((hit.point.z - 32.0).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn physics_mut(&mut self) -> &mut Physics {
        &mut self.physics
    }

    /// Makes the next steps visit the ragdoll of an object, if it has one.
    fn wake(&mut self, id: ObjectId) {
        if let Some(ragdoll) = self.objects.get_mut(id).and_then(|object| object.ragdoll.as_mut()) {
            ragdoll.wake();
            self.awake.insert(id);
        }
    }

    /// Returns the animation source of a command, if it exists and has an animation. Commands that only change the doll
    /// need none (difference 31).
    fn usable_source(
        &self,
        id: ObjectId,
        source: Option<ObjectId>,
        command: &Order<'_>,
    ) -> Result<Option<ObjectId>, RagdollCommandError> {
        let Some((source, object)) = source.and_then(|source| Some((source, self.object(source)?))) else {
            return Ok(None);
        };
        let fault = match object.pose().is_local() {
            _ if source == id => RagdollCommandError::SourceIsSelf,
            false => RagdollCommandError::SourceNotLocal,
            true => return Ok(Some(source)),
        };
        match command {
            Order::Update | Order::Doll(_) | Order::DollString(_) => Err(fault),
            _ => Ok(None),
        }
    }

    /// Attaches a doll to an object. If the object already has this doll, nothing changes unless `renewed` is set.
    pub(super) fn use_doll(
        &mut self,
        id: ObjectId,
        doll: &Arc<Doll>,
        entity: &Mat3x4,
        renewed: bool,
    ) -> Result<(), RagdollError> {
        debug_assert!(self.objects.get(id).is_some(), "the object was looked up");
        let Some(object) = self.objects.get(id) else { return Ok(()) };
        if !renewed && object.ragdoll.as_ref().is_some_and(|ragdoll| Arc::ptr_eq(ragdoll.doll(), doll)) {
            return Ok(());
        }
        let old = object.ragdoll.as_ref().map_or(0, |ragdoll| ragdoll.doll().bodies.len());
        let more = Object::BODY_COST * doll.bodies.len().saturating_sub(old);
        self.check_room(more).map_err(RagdollError::LimitExceeded)?;
        let Some(object) = self.objects.get_mut(id) else { return Ok(()) };
        let ragdoll = Ragdoll::new(doll, &object.skeletal, entity, &mut self.physics)?;
        ragdoll.set_owner(u64::from(id.get()), &mut self.physics);
        self.awake.insert(id);
        let mut seen: Vec<Vec3> = ragdoll.bodies(&self.physics).map(|body| body.position).collect();
        // The entity may stand before a wall in which its animation has all bodies.
        let lowest = seen.iter().map(|body| body.z).fold(f32::INFINITY, f32::min);
        seen.push(entity.origin().with_z(lowest));
        let away = self.physics.facing_away(ragdoll.centre_of_mass(&self.physics), &seen);
        if let Some(old) = object.ragdoll.replace(ragdoll) {
            old.remove(&mut self.physics);
        }
        object.recount(&mut self.cost);
        away.into_iter().for_each(|body| self.warn(Warning::FacesAway { body, object: id }));
        Ok(())
    }

    /// Returns an error if the entity is too far away or its matrix has no inverse: bones could not be placed in its
    /// model space.
    fn check_entity(&self, id: ObjectId, entity: &Mat3x4) -> Result<(), RagdollError> {
        let known = self.ragdoll(id).is_some_and(|ragdoll| ragdoll.stands_at(entity));
        if known { Ok(()) } else { Ragdoll::check_entity(entity) }
    }

    fn update_bones(&mut self, id: ObjectId, source: Option<ObjectId>, entity: &Mat3x4) -> Result<(), RagdollError> {
        debug_assert!(self.objects.get(id).is_some_and(|object| object.ragdoll.is_some()), "the object has a ragdoll");
        let (physics, keeps) = (&mut self.physics, self.settings.keep_bones);
        let source = source.filter(|&source| self.objects.get(source).is_some());
        let (own, source) = match source.and_then(|source| self.objects.get_two_mut([id, source])) {
            Some([own, source]) => (Some(own), Some(&source.skeletal)),
            None => (self.objects.get_mut(id), None),
        };
        let Some(Object { skeletal, ragdoll: Some(ragdoll), .. }) = own else { return Ok(()) };
        ragdoll.update(keeps, skeletal, source, entity, physics)
    }

    /// Runs a call of a script with the rule of `skel_ragupdate` for bones without bodies (difference 32).
    #[cfg(feature = "qc")]
    pub(crate) fn without_kept_bones<T>(&mut self, call: impl FnOnce(&mut Self) -> T) -> T {
        let keeps = std::mem::replace(&mut self.settings.keep_bones, false);
        let result = call(self);
        self.settings.keep_bones = keeps;
        result
    }
}

impl Object {
    /// Returns `true` if the bones show a ragdoll that sleeps, on an entity that stands where it stood.
    #[inline]
    fn is_shown_at(&self, entity: &Mat3x4, physics: &Physics) -> bool {
        self.ragdoll.as_ref().is_some_and(|ragdoll| ragdoll.is_shown(&self.skeletal, entity, physics))
    }
}

#[cold]
fn no_such_body(doll: &Doll, name: &[u8]) -> RagdollCommandError {
    let suggestion = nearest(name, doll.bodies.iter().map(|body| body.name.as_bytes()));
    RagdollCommandError::NoSuchBody { name: Name::new(name), suggestion }
}

#[cold]
fn no_such_joint(doll: &Doll, name: &[u8]) -> RagdollCommandError {
    let suggestion = nearest(name, doll.joints.iter().map(|joint| joint.name.as_bytes()));
    RagdollCommandError::NoSuchJoint { name: Name::new(name), suggestion }
}
