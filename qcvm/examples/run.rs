//! Runs a function of a compiled QuakeC program with the standard library: `run FILE.dat [FUNCTION]`.
//!
//! The program prints to standard output. Without a function, `main` runs.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use skelobj_qcvm::stdlib::Console;
use skelobj_qcvm::{Machine, Progs};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: run FILE.dat [FUNCTION]");
        return ExitCode::from(2);
    };
    let function = arguments.next().unwrap_or_else(|| "main".to_owned());
    match run(&path, &function) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &str, function: &str) -> Result<(), Box<dyn Error>> {
    let progs = Arc::new(Progs::load(&std::fs::read(path)?)?);
    // An error means that standard output is closed, so nothing could be reported.
    let mut console = Console::new(&progs, |text| drop(io::stdout().write_all(text)));
    let mut machine = Machine::new(progs);
    let function =
        machine.find_function(function.as_bytes()).ok_or_else(|| format!("there is no function {function}"))?;
    machine.call(function, &mut console)?;
    Ok(())
}
