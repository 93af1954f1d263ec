//! Globals for results of builtins, which are also returned through arguments.

use super::named::named;

named! {
    /// Global of a script for a result of a builtin, which is also returned through an `__out` argument.
    ///
    /// The names are those in QuakeC. Compilers without `__out`, such as Debian's fteqcc and gmqcc, lose what is
    /// returned through arguments, and their scripts read these globals.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::ScriptResult;
    ///
    /// let results = ScriptResult::ALL.iter().map(|result| format!("{} {};", result.kind(), result.name()));
    /// for declaration in results {
    ///     assert!(skelobj::qc::header().contains(&declaration));
    /// }
    /// ```
    ScriptResult:
    "float":
        skel_impact_skel skel_impact_bone skel_impact_impulse skel_impact_other skel_trace_bone skel_trace_fraction
        modelevent_time modelevent_code;
    "string": modelevent_data;
}
