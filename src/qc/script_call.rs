//! Traced calls of builtins.

use skelobj_model::internal::Shown;

use crate::qc::vm::Location;

/// Call of a builtin that has run, with its results.
///
/// The [`Display`](std::fmt::Display) form is the place in the script, the call and its results:
/// `ogre.qc:12: ogre_think: skel_find_bone(1, "head") = 13`.
/// [`Environment::set_trace`](super::Environment::set_trace) shows how to get calls.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ScriptCall {
    /// Name of the builtin, as the progs declares it for one that is unknown.
    pub builtin: String,
    /// Arguments of the call, separated by commas.
    pub arguments: String,
    /// Result as ` = 13`, then arguments and globals that the builtin set, as `bonenum 13`, or `: ` and the error that
    /// ended the script; empty without any.
    pub results: String,
    /// Statement that made the call, `None` if the host made it.
    pub location: Option<Location>,
    /// Value of the global `time` after the call, seconds; 0 without such a global.
    pub time: f32,
}

impl std::fmt::Display for ScriptCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
        }
        let [builtin, arguments, results] = [&self.builtin, &self.arguments, &self.results].map(Shown::of);
        write!(f, "{builtin}({arguments}){results}")
    }
}
