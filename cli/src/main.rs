//! `skelobj`: look into models, drop ragdolls, draw what happens. Each subcommand is a thin face of the library.
#![forbid(unsafe_code)]

mod convert;
mod draw;
mod error;
mod files;
mod folder;
mod info;
mod input;
mod out;
mod replay;
mod script;
mod sim;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Skeletal objects and ragdolls for Quake-style engines.
///
/// Where a MODEL may be left away, the mannequin that is built in takes its place.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(info::InfoArgs),
    Convert(convert::ConvertArgs),
    Sim(sim::SimArgs),
    Draw(draw::DrawArgs),
    Replay(replay::ReplayArgs),
    Script(script::ScriptArgs),
}

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    let result = match Cli::parse().command {
        Command::Info(args) => info::run(args),
        Command::Convert(args) => convert::run(&args),
        Command::Sim(args) => sim::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Replay(args) => replay::run(&args).map(|found| code = found),
        Command::Script(args) => script::run(&args),
    };
    match result {
        Ok(()) => code,
        // Whoever reads our output may stop reading, as `head` does.
        Err(error::CliError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            out::tell(format_args!("skelobj: {error}\n"));
            ExitCode::FAILURE
        }
    }
}
