//! Warnings about mistakes of a script that engines ignore.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};

use crate::model::Name;
use crate::qc::vm::Location;
use crate::shown::Shown;

/// Mistake in a script that engines ignore, with the call that made it.
///
/// The [`Display`](std::fmt::Display) form is the place in the script, the call and the problem:
/// `skel_get_boneabs(7, 0): no bone 0, bones are numbered from 1 to 21`.
/// [`Environment::set_warn`](super::Environment::set_warn) shows how to get warnings.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ScriptWarning {
    /// Name of the builtin, as the progs declares it for one that is unknown.
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
        write!(f, "{}({}): {}", Shown::of(&self.builtin), Shown::of(&self.arguments), self.problem)
    }
}

/// Problem of a [`ScriptWarning`].
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ScriptProblem {
    /// The builtin does not exist here; calls of it return 0. Reported once for each builtin, without
    /// [`Environment::set_warn`](super::Environment::set_warn) too.
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
    /// The entity's model has no tag with this number.
    NoSuchTag {
        /// Argument of the call.
        number: i32,
        /// Number of tags of the model.
        tags: usize,
    },
    /// The object has no ragdoll, and its model has no default doll: a `doll` command is missing.
    #[cfg(feature = "ragdoll")]
    NoDoll,
    /// The builtin refused the call, for the reason that it would print without
    /// [`Environment::set_warn`](super::Environment::set_warn).
    Refused {
        /// Reason, such as "the bones are in model space".
        reason: String,
    },
}

impl std::fmt::Display for ScriptProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownBuiltin { number: 0 } => f.write_str("unknown builtin, it returns 0"),
            Self::UnknownBuiltin { number } => write!(f, "unknown builtin #{number}, it returns 0"),
            Self::NoSuchObject { handle } => write!(f, "no skeletal object {handle}, it was deleted or never created"),
            Self::NoSuchBone { number, bones: 0 } => write!(f, "no bone {number}, the object has no bones"),
            Self::NoSuchBone { number, bones } => write!(f, "no bone {number}, bones are numbered from 1 to {bones}"),
            Self::NoObject => f.write_str("the entity has no skeletal object, its skeletonindex is 0"),
            Self::NoSuchModel { index: 0 } => f.write_str("model index 0 is not a model"),
            Self::NoSuchModel { index } => write!(f, "no model {index}"),
            Self::NoSuchName { what, name } => write!(f, "no {what} \"{name}\""),
            Self::NoSuchTag { number, tags } => write!(f, "no tag {number}, tags are numbered from 1 to {tags}"),
            Self::Refused { reason } => Shown::of(reason).fmt(f),
            #[cfg(feature = "ragdoll")]
            Self::NoDoll => f.write_str("the object has no ragdoll, and its model no default doll"),
        }
    }
}

/// Maximum number of warnings.
const MAX_WARNINGS: usize = 1024;

/// Warnings that the host has not taken yet, and the origins of all that were made.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    new: Vec<ScriptWarning>,
    seen: HashSet<(String, Discriminant<ScriptProblem>)>,
    left_out: u64,
}

impl Warnings {
    /// Adds a warning, unless its statement made one of its kind before or there are too many.
    pub(super) fn add(&mut self, warning: ScriptWarning) {
        let origin = match &warning.location {
            Some(location) => format!("{location}: {}", warning.builtin),
            None => warning.to_string(),
        };
        if self.seen.len() < MAX_WARNINGS && self.seen.insert((origin, discriminant(&warning.problem))) {
            self.new.push(warning);
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn take(&mut self) -> Vec<ScriptWarning> {
        std::mem::take(&mut self.new)
    }

    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }
}
