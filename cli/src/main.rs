//! `skelobj`: a command to inspect and convert models, test ragdolls and run QuakeC. Each subcommand is a module.
#![forbid(unsafe_code)]

mod check;
mod convert;
mod draw;
mod error;
mod fall;
mod files;
mod fit;
mod folder;
mod format;
mod hint;
mod info;
mod input;
mod level;
mod out;
mod player;
mod progress;
mod recording;
mod replay;
mod script;
mod sim;
mod stamp;
mod view;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// Tools for skeletal models and ragdolls of Quake-style engines
///
/// Commands with an optional MODEL use the built-in mannequin if none is given. Models may be IQM, DPM, ZYM, PSK, MD3,
/// MD5, Half-Life MDL, NeL or glTF files.
#[derive(Parser)]
#[command(name = "skelobj", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    _color: colorchoice_clap::Color,
}

const EXAMPLES: &str = "\
Examples:
  skelobj info ogre.md5mesh --with attack.md5anim   list the bones and animations of a model
  skelobj convert ogre.psk ogre.glb                 convert a model for Blender
  skelobj fit ogre.iqm -o ogre.doll                 write a ragdoll for a model
  skelobj check dolls/*.doll                        report mistakes in dolls, and drop them
  skelobj fmt ogre.doll                             tidy the text of a doll
  skelobj sim ogre.iqm --doll ogre.doll --seed 7    measure the fall of a ragdoll
  skelobj draw ogre.iqm --doll ogre.doll            draw the fall to strip.png
  skelobj view ogre.iqm --doll ogre.doll            show the fall in the browser, with the doll in an editor
  skelobj help sim                                  explain the options of a command";

#[derive(Subcommand)]
enum Command {
    Info(info::InfoArgs),
    Convert(convert::ConvertArgs),
    Fit(fit::FitArgs),
    Check(check::CheckArgs),
    Fmt(format::FmtArgs),
    Sim(sim::SimArgs),
    Draw(draw::DrawArgs),
    View(view::ViewArgs),
    Replay(replay::ReplayArgs),
    Script(script::ScriptArgs),
}

/// Parses the arguments, or prints why they are wrong and exits.
fn parse() -> Cli {
    // Messages about wrong arguments obey --color, too.
    let known = Cli::command().ignore_errors(true).try_get_matches();
    let color = known.ok().and_then(|known| colorchoice_clap::Color::from_arg_matches(&known).ok());
    color.unwrap_or_default().write_global();
    Cli::try_parse().unwrap_or_else(|error| {
        let _ = error.print();
        let arguments: Vec<_> = std::env::args_os().skip(1).collect();
        if let Some(advice) = hint::of(&error, &arguments) {
            hint::tell(&advice);
        }
        std::process::exit(error.exit_code())
    })
}

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    let result = match parse().command {
        Command::Info(args) => info::run(args),
        Command::Convert(args) => convert::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Check(args) => check::run(&args).map(|found| code = found),
        Command::Fmt(args) => format::run(&args).map(|found| code = found),
        Command::Sim(args) => sim::run(args).map(|found| code = found),
        Command::Draw(args) => draw::run(args).map(|found| code = found),
        Command::View(args) => view::run(&args),
        Command::Replay(args) => replay::run(&args).map(|found| code = found),
        Command::Script(args) => script::run(&args),
    };
    match result {
        Ok(()) => code,
        Err(error) => {
            out::tell_error(&error);
            error.exit_code()
        }
    }
}
