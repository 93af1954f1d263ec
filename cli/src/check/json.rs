//! Problems as JSON.

use serde_json::{Value, json};
use skelobj::doll::{DollProblem, Severity};
use skelobj::ragdoll::DropReport;

use super::Checked;

/// Returns everything that was found, and the files that could not be checked with the reason.
pub fn of(checked: &[Checked], failed: &[(String, String)]) -> Value {
    let sum = |severity: Severity| checked.iter().map(|doll| doll.count(severity)).sum::<usize>();
    let failed: Vec<Value> = failed.iter().map(|(path, error)| json!({ "path": path, "error": error })).collect();
    json!({
        "dolls": checked.iter().map(doll).collect::<Vec<_>>(),
        "unchecked": failed,
        "errors": sum(Severity::Error),
        "warnings": sum(Severity::Warning),
    })
}

fn doll(doll: &Checked) -> Value {
    json!({
        "path": doll.path,
        "model": doll.model,
        "problems": doll.report.problems.iter().map(problem).collect::<Vec<_>>(),
        "drops": doll.report.drops.iter().enumerate().map(drop).collect::<Vec<_>>(),
    })
}

fn problem(problem: &DollProblem) -> Value {
    json!({
        "severity": problem.severity().to_string(),
        "code": problem.code(),
        "line": problem.line,
        "column": problem.column,
        "start": problem.span.start,
        "end": problem.span.end,
        "message": problem.message(),
        "suggestion": problem.suggestion(),
    })
}

fn drop((number, report): (usize, &DropReport)) -> Value {
    json!({
        "drop": number,
        "asleep_after": report.asleep_after,
        "left_level": report.left_level,
        "max_gap_falling": report.max_gap_falling,
        "max_gap_resting": report.max_gap_resting,
        "max_stop_excess": report.max_stop_excess,
        "lowest_z": report.lowest_z,
        "non_finite": report.non_finite,
    })
}
