//! Tables of work with limits on its instructions.

use std::process::ExitCode;

use crate::callgrind::{self, measured};

/// Work to measure, and the most instructions that a call may take.
pub struct Row<S> {
    pub name: &'static str,
    pub most: f64,
    pub run: fn(&mut S),
}

/// Number of calls of a row.
pub const CALLS: usize = 100;

/// Counts all rows and compares them with their limits; runs the one that the command line names. `scene` returns what
/// the row of a name needs, or `None` if the processor cannot run it.
pub fn check<S>(rows: &[Row<S>], scene: impl Fn(&str) -> Option<S>) -> ExitCode {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if let Some(name) = wanted {
        let row = rows.iter().find(|row| row.name == name);
        let Some((row, mut scene)) = row.zip(scene(&name)) else {
            eprintln!("no such row, or no such processor: {name}");
            return ExitCode::FAILURE;
        };
        measured(|| (0..CALLS).for_each(|_| (row.run)(&mut scene)));
        return ExitCode::SUCCESS;
    }
    let mut missed = 0;
    println!("instructions a call");
    for row in rows {
        let Some(count) = callgrind::count(row.name) else {
            eprintln!("{} was not counted: it needs valgrind", row.name);
            return ExitCode::FAILURE;
        };
        let count = count / CALLS as f64;
        missed += usize::from(count > row.most);
        let verdict = if count > row.most { "FAIL" } else { "pass" };
        println!("{verdict} {:20} {count:8.1} (limit {})", row.name, row.most);
    }
    if missed > 0 {
        eprintln!("{missed} of {} limits missed", rows.len());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
