//! Instructions of every builtin against what it charges. The counts are the same on every machine.
//!
//! `cargo bench -p skelobj-benches --features qcvm --bench qc_charge` calls every builtin with the largest arguments of
//! each kind under valgrind's callgrind, and fails if one takes more instructions than 20 plain statements for each
//! statement that it charges. A call counts as [`CALL`] statements, with those that store its arguments. The calls are
//! in tests/common/charges.rs.

#[allow(dead_code, reason = "other benchmarks count a single call")]
mod callgrind;
#[path = "../tests/common/charges.rs"]
mod charges;

use std::process::ExitCode;

use callgrind::measured;
use charges::{Scene, Size, builtins};
use skelobj::Dialect;

/// Number of instructions of plain statements that a charged statement may take.
const MOST: f64 = 20.0;
/// Statements of a call and its arguments.
const CALL: f64 = 16.0;
/// Number of rounds of the loop of plain statements.
const ROUNDS: f32 = 1000.0;

const DIALECTS: [(&str, Dialect); 2] = [("fte", Dialect::Fte), ("darkplaces", Dialect::DarkPlaces)];

fn main() -> ExitCode {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let Some(wanted) = wanted else { return report() };
    let Some((_, dialect)) = DIALECTS.iter().find(|(name, _)| *name == wanted) else {
        eprintln!("no such dialect: {wanted}");
        return ExitCode::FAILURE;
    };
    run(*dialect);
    ExitCode::SUCCESS
}

/// Runs the loop of plain statements, then every builtin, and prints what each has charged.
fn run(dialect: Dialect) {
    let mut scene = Scene::new(Size::Large, dialect);
    let plain = scene.function("plain");
    scene.set_arguments(vec![[ROUNDS.to_bits(), 0, 0]]);
    measured(|| scene.call(plain).expect("ends"));
    println!("{}", scene.machine.spent());
    for (name, signature) in builtins() {
        let mut scene = Scene::new(Size::Large, dialect);
        let (function, words) = (scene.function(name), scene.arguments(name, signature));
        scene.set_arguments(words);
        measured(|| {
            let _ = scene.call(function);
        });
        println!("{}", scene.machine.spent());
    }
}

fn report() -> ExitCode {
    let mut passes = true;
    for (dialect, _) in DIALECTS {
        let Some((counts, spent)) = callgrind::counts(dialect) else {
            eprintln!("no goal was checked: counting instructions needs valgrind");
            return ExitCode::FAILURE;
        };
        let plain = counts[0] / spent[0];
        println!("{dialect}: a plain statement takes {plain:.2} instructions");
        for ((name, _), (count, spent)) in builtins().zip(counts.iter().zip(&spent).skip(1)) {
            let factor = count / (plain * (spent + CALL));
            passes &= factor <= MOST;
            let verdict = if factor <= MOST { "pass" } else { "FAIL" };
            println!("{verdict} {name}: {factor:.1} times a plain statement ({count} instructions, {spent} charged)");
        }
    }
    if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
