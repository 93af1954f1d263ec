//! Warnings about mistakes of a script that engines ignore.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem::{Discriminant, discriminant};

use skelobj_model::internal::Shown;

use crate::math::truncate;
use crate::model::Name;
use crate::qc::vm::Location;
use crate::qc::vm::stdlib::Mistake;
use crate::runtime::LoadModelError;

/// Mistake in a script that engines ignore, with the call that made it.
///
/// The [`Display`](std::fmt::Display) form is the place in the script, the call and the problem:
/// `skel_get_boneabs(7, 0): no bone 0, bones are numbered from 1 to 21`.
/// [`Environment::set_warn`](super::Environment::set_warn) shows how to get warnings.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ScriptWarning {
    /// Name of the builtin, as the progs declares it for one that is unknown; empty for a statement that writes a
    /// field.
    pub builtin: String,
    /// Arguments of the call, separated by commas.
    pub arguments: String,
    pub(super) problem: ScriptProblem,
    /// Statement that made the call.
    pub location: Option<Location>,
}

impl ScriptWarning {
    /// Returns the problem of the call, without the call and its place.
    #[must_use]
    pub fn message(&self) -> String {
        self.problem.to_string()
    }
}

impl std::fmt::Display for ScriptWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
        }
        if !self.builtin.is_empty() {
            write!(f, "{}({}): ", Shown::of(&self.builtin), Shown::of(&self.arguments))?;
        }
        self.problem.fmt(f)
    }
}

/// Message about a script at the moment at which it arises.
///
/// [`Environment::set_reports`](super::Environment::set_reports) shows how to get reports.
#[derive(Debug)]
#[non_exhaustive]
pub enum ScriptReport<'a> {
    /// Mistake that its place in the code made for the first time.
    Warning(&'a ScriptWarning),
    /// Warnings of this number of places are known. Those of further places are only
    /// [counted](super::Environment::warnings_left_out).
    TooManyPlaces(usize),
    /// Model that could not be loaded, and the statement that needs it, `None` for the host's.
    ModelError(&'a LoadModelError, Option<&'a Location>),
    /// Model that engines show and no builtin animates: its format, such as Quake's MDL, has no bones.
    BonelessModel(&'a LoadModelError),
}

/// Problem of a [`ScriptWarning`].
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ScriptProblem {
    /// The builtin does not exist here; calls of it return 0. Without
    /// [`Environment::set_warn`](super::Environment::set_warn) only its first call is reported.
    UnknownBuiltin {
        /// Number that the progs gives it, 0 if it is bound by name.
        number: u32,
    },
    /// No skeletal object has this handle: it was deleted, or never created.
    NoSuchObject {
        /// Argument of the call, or `skeletonindex` of the entity.
        handle: f32,
    },
    /// The object has no bone with this number.
    NoSuchBone {
        /// Argument of the call.
        number: i32,
        /// Number of bones of the object.
        bones: usize,
    },
    /// The entity has no skeletal object: its `skeletonindex` is 0.
    NoObject,
    /// No model has this index, or its file could not be read.
    NoSuchModel {
        /// Argument of the call, or `modelindex` of the entity.
        index: i32,
    },
    /// Model, object or entity has nothing with this name.
    NoSuchName {
        /// Kind of thing: "bone", "tag", "animation" or "skin".
        what: &'static str,
        /// Name that was looked up.
        name: Name,
    },
    /// A call changes the world.
    World,
    /// A call uses an entity that was removed.
    RemovedEntity {
        /// Number of the entity.
        entity: u64,
    },
    /// A statement writes a field of a removed entity, or of the world while the game runs, which is refused.
    FieldWrite {
        /// Number of the entity.
        entity: u32,
        /// Name of the field.
        field: Name,
    },
    /// No bone is in a range.
    NoBones {
        /// First and last bone, arguments of the call.
        range: [i32; 2],
        /// Rule of the dialect that makes the range empty.
        rule: &'static str,
    },
    /// The model has no animation with this number.
    NoSuchAnimation {
        /// Argument of the call, or field of the entity.
        number: i32,
        /// Number of animations of the model.
        animations: usize,
    },
    /// The skeletal objects have different bones, and one takes the pose of the other.
    OtherObject { objects: [u32; 2] },
    /// The skeletal object was created for a model with other bones than the entity's, or that of the pose.
    OtherModel {
        /// Handle of the object.
        object: u32,
        /// Name of the entity's model.
        model: Name,
    },
    /// Objects were not deleted before the end of the script, and no entity has them.
    NeverDeleted {
        /// Handle of the first object.
        object: u32,
        /// Number of objects that the place created.
        count: usize,
    },
    /// A call states some of three axes, of which none is used.
    PartialAxes {
        /// Number of vectors.
        given: usize,
    },
    /// An axis of a call is zero.
    ZeroAxis,
    /// Bones of an object are used that was never built.
    NeverBuilt {
        /// Handle of the object.
        object: u32,
    },
    /// Bones are used whose builds do not add up to a whole pose.
    PartialBones {
        /// Name of the first bone among them.
        bone: Name,
        /// Sum of the weights of its builds.
        weight: f32,
        /// Number of bones.
        count: usize,
    },
    /// The entity's model has no tag with this number.
    NoSuchTag {
        /// Argument of the call.
        number: i32,
        /// Number of tags of the model.
        tags: usize,
    },
    /// The object has no ragdoll, and its model has no default doll: a `doll` command is missing.
    NoDoll,
    /// A ragdoll command has no number, so that 0 is used.
    NoNumber {
        /// Syntax of the command.
        usage: &'static str,
        /// Word in the place of the number.
        word: Option<Name>,
    },
    /// The object was deleted before, in this frame.
    DeletedBefore {
        /// Handle of the object.
        object: u32,
    },
    /// Two entities show one object.
    SharedObject {
        /// Handle of the object.
        object: u32,
        /// Numbers of the entities.
        entities: [u32; 2],
    },
    /// The entity is attached to itself, directly or through others.
    AttachmentLoop {
        /// Number of the entity.
        entity: u64,
    },
    /// The server's code uses a model that it did not precache.
    NotPrecached {
        /// Name of the model.
        model: Name,
    },
    /// The builtin passed over a mistake.
    Mistake(Mistake),
    /// The builtin refused the call, for the reason that it would print without
    /// [`Environment::set_warn`](super::Environment::set_warn).
    Refused {
        /// Reason, such as "the bones are in model space".
        reason: String,
    },
}

impl ScriptProblem {
    /// Returns the reason of a refusal without its numbers, which change from call to call; empty for other problems.
    fn reason(&self) -> String {
        match self {
            Self::Refused { .. } | Self::Mistake(_) => {
                self.to_string().chars().filter(|c| !c.is_ascii_digit()).collect()
            }
            _ => String::new(),
        }
    }
}

impl std::fmt::Display for ScriptProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownBuiltin { number: 0 } => f.write_str("unknown builtin, it returns 0"),
            Self::UnknownBuiltin { number } => write!(f, "unknown builtin #{number}, it returns 0"),
            Self::NoSuchObject { handle } => {
                let number = truncate(*handle);
                if *handle != number as f32 {
                    write!(f, "{handle} is truncated to {number}: ")?;
                }
                match number {
                    0 => f.write_str("0 is not a skeletal object"),
                    _ => write!(f, "no skeletal object {number}, it was deleted or never created"),
                }
            }
            Self::NoSuchBone { number, bones: 0 } => write!(f, "no bone {number}, the object has no bones"),
            Self::NoSuchBone { number, bones } => write!(f, "no bone {number}, bones are numbered from 1 to {bones}"),
            Self::NoObject => f.write_str("the entity has no skeletal object, its skeletonindex is 0"),
            Self::NoSuchModel { index: 0 } => f.write_str("model index 0 is not a model"),
            Self::NoSuchModel { index } => write!(f, "no model {index}"),
            Self::NoSuchName { what, name } => write!(f, "no {what} \"{name}\""),
            Self::World => f.write_str("the entity is the world"),
            Self::RemovedEntity { entity } => write!(f, "entity {entity} was removed"),
            Self::FieldWrite { entity: 0, field } => {
                write!(f, "the field {field} of the world is read-only after the start, the write is ignored")
            }
            Self::FieldWrite { entity, field } => {
                write!(f, "the field {field} of entity {entity} is written, which was removed")
            }
            Self::NoBones { range: [first, last], rule } => write!(f, "no bone is from {first} to {last}: {rule}"),
            Self::NoSuchAnimation { number, animations } => {
                write!(f, "no animation {number}, animations are numbered from 0 to {}", animations.saturating_sub(1))
            }
            Self::OtherObject { objects: [object, source] } => {
                write!(f, "object {object} has other bones than object {source}")
            }
            Self::OtherModel { object, model } => {
                write!(f, "object {object} has other bones than the model \"{model}\"")
            }
            Self::NeverDeleted { object, count: 1 } => {
                write!(f, "object {object} was never deleted, and no entity has it in skeletonindex")
            }
            Self::NeverDeleted { object, count } => {
                write!(f, "{count} objects, from {object} on, were never deleted, ")?;
                f.write_str("and no entity has them in skeletonindex")
            }
            Self::PartialAxes { given } => {
                let vectors = if *given == 1 { "1 vector" } else { "2 vectors" };
                write!(
                    f,
                    "{vectors} of 3 axes: v_forward, v_right and v_up are used, which makevectors sets from angles"
                )
            }
            Self::ZeroAxis => f.write_str("an axis is zero, which flattens the bone"),
            Self::NeverBuilt { object } => write!(f, "object {object} was never built, its bones are all zero"),
            Self::PartialBones { bone, weight, count } => {
                let weight = (weight * 1000.0).round() / 1000.0;
                write!(f, "bone \"{bone}\" is used with a total weight of {weight}, expected 1")?;
                match count - 1 {
                    0 => Ok(()),
                    1 => f.write_str(", as is 1 more bone"),
                    more => write!(f, ", as are {more} more bones"),
                }
            }
            Self::NoSuchTag { number, tags } => write!(f, "no tag {number}, tags are numbered from 1 to {tags}"),
            Self::NoNumber { usage, word: None } => write!(f, "a number is missing, 0 is used: expected {usage}"),
            Self::NoNumber { usage, word: Some(word) } => {
                write!(f, "\"{word}\" is not a number from 0 on, 0 is used: expected {usage}")
            }
            Self::DeletedBefore { object } => write!(f, "object {object} was deleted before"),
            Self::SharedObject { object, entities: [first, second] } => {
                write!(f, "entities {first} and {second} have the same object {object} in skeletonindex")
            }
            Self::AttachmentLoop { entity } => write!(f, "entity {entity} is attached to itself, or through others"),
            Self::NotPrecached { model } => write!(f, "the model \"{model}\" was not precached"),
            Self::Mistake(mistake) => mistake.fmt(f),
            Self::Refused { reason } => Shown::of(reason).fmt(f),
            Self::NoDoll => f.write_str("the object has no ragdoll, and its model no default doll"),
        }
    }
}

/// Maximum number of places whose warnings are kept.
const MAX_PLACES: usize = 1024;
/// Maximum number of reasons for which a place reports refusals; a last one stands for all others.
const MAX_REASONS: usize = 16;

/// Result of [`Warnings::add`].
pub(super) enum Added {
    /// First warning of a place.
    First,
    /// Further warning of a place.
    Repeated,
    /// Warning of the first place beyond the maximum.
    Full,
    /// Warning of another place beyond the maximum.
    LeftOut,
}

/// First warnings of places in the code, and how often each was repeated.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    places: Vec<(ScriptWarning, u64)>,
    /// Positions in `places` by place and kind of the problem, then by the reason of a refusal without its numbers.
    known: HashMap<(String, Discriminant<ScriptProblem>), HashMap<String, usize>>,
    /// Number of places whose warnings the host has taken.
    taken: usize,
    left_out: u64,
}

impl Warnings {
    pub(super) fn add(&mut self, warning: ScriptWarning) -> Added {
        let place = match &warning.location {
            // A line may have several calls of a builtin.
            Some(location) => format!("{}: {}", location.statement, warning.builtin),
            None => format!("{}({})", warning.builtin, warning.arguments),
        };
        let is_full = self.places.len() >= MAX_PLACES;
        let key = (place, discriminant(&warning.problem));
        if is_full && !self.known.contains_key(&key) {
            return self.leave_out();
        }
        let reasons = self.known.entry(key).or_default();
        let mut reason = warning.problem.reason();
        if reasons.len() >= MAX_REASONS && !reasons.contains_key(&reason) {
            reason.clear();
        }
        match reasons.entry(reason) {
            Entry::Occupied(known) => {
                debug_assert!(*known.get() < self.places.len(), "what is known has a place");
                if let Some((_, count)) = self.places.get_mut(*known.get()) {
                    *count += 1;
                }
                Added::Repeated
            }
            Entry::Vacant(_) if is_full => self.leave_out(),
            Entry::Vacant(new) => {
                new.insert(self.places.len());
                self.places.push((warning, 1));
                Added::First
            }
        }
    }

    fn leave_out(&mut self) -> Added {
        self.left_out += 1;
        if self.left_out == 1 { Added::Full } else { Added::LeftOut }
    }

    /// Returns the first warnings of places since the last call.
    pub(super) fn take(&mut self) -> Vec<ScriptWarning> {
        debug_assert!(self.taken <= self.places.len(), "places only grow");
        let new = self.places.get(self.taken..).unwrap_or_default();
        self.taken = self.places.len();
        new.iter().map(|(warning, _)| warning.clone()).collect()
    }

    pub(super) fn counts(&self) -> &[(ScriptWarning, u64)] {
        &self.places
    }

    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }
}
