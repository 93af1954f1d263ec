//! `skelobj view`: a page that shows the fall of a ragdoll, served on this machine, or as files.

mod guard;
mod pack;
mod parts;
mod request;
mod response;
mod routes;
mod scene;
mod server;
mod watch;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::CliError;
use crate::files::{self, Origin};
use crate::{input, level, out};
use scene::{Paths, Scene};
use server::Server;
use watch::Watched;

/// Show the fall of a ragdoll in the browser, with the doll in an editor beside it
///
/// The page is served to this machine only, at an address with a secret. It loads the files again when they change,
/// and writes no file but the doll. Ctrl-C ends the server.
#[derive(Args)]
pub struct ViewArgs {
    /// Model file [default: the built-in mannequin]
    model: Option<PathBuf>,
    #[command(flatten)]
    with: input::WithArg,
    /// Doll file [default: ogre.iqm.doll or ogre.doll beside ogre.iqm]
    #[arg(long, value_name = "DOLL")]
    doll: Option<PathBuf>,
    /// Map to drop the ragdoll in, a BSP file [default: a floor]
    #[arg(long, value_name = "MAP")]
    level: Option<PathBuf>,
    #[command(flatten)]
    scale: input::ScaleArg,
    #[command(flatten)]
    fade: input::FadeArg,
    /// Port of the server, 1024 to 65535 [default: a free one]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = input::whole_in(1024..=65_535_u16))]
    port: Option<u16>,
    /// Print the address without opening the browser
    #[arg(long)]
    no_open: bool,
    /// Write the page with its files as one file, which works from disk, instead of serving it
    #[arg(long, value_name = "OUT.html", conflicts_with_all = ["port", "no_open", "folder"])]
    html: Option<PathBuf>,
    /// Write the page with its files to a folder for any web server, instead of serving it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["port", "no_open"])]
    folder: Option<PathBuf>,
    /// Write files of --html and --folder even if they exist
    #[arg(long)]
    force: bool,
}

/// Serves the page, or writes it.
pub fn run(args: &ViewArgs) -> Result<(), CliError> {
    let is_page = |path: &&PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
    if let Some(path) = args.html.as_ref().filter(|path| !is_page(path)) {
        return Err(CliError::Ending(path.clone(), ".html"));
    }
    let paths = paths(args)?;
    let inputs = paths.all();
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let Some(path) = args.html.as_ref().or(args.folder.as_ref()) else { return serve(args, paths) };
    let scene = if paths.is_empty() { None } else { Some(Scene::read(&paths)?) };
    let write = if args.html.is_some() { pack::html } else { pack::folder };
    let size = write(path, scene.as_ref(), &inputs, args.force)?;
    out::print_line(format_args!("{}: {size} bytes", path.display()))
}

/// Returns the files of the arguments, once they are known to be usable, and prints the warnings of model and map.
fn paths(args: &ViewArgs) -> Result<Paths, CliError> {
    input::model(args.model.as_deref(), &args.with.files, args.scale)?;
    let mut names: HashSet<String> = args.model.iter().map(|path| files::name_of(path)).collect();
    if let Some(path) = args.with.files.iter().find(|path| !names.insert(files::name_of(path))) {
        let why = "the page cannot have two files of the same name";
        return Err(CliError::With(path.clone(), why.to_owned()));
    }
    args.level.as_deref().map(level::load).transpose()?;
    let doll = match (&args.doll, &args.model) {
        (Some(path), _) => Some(Origin::Named(path.clone())),
        (None, Some(model)) => input::doll_beside(model).map(Origin::Found),
        (None, None) => None,
    };
    let ViewArgs { model, with, level, .. } = args;
    let (scale, fade) = (args.scale.scale, args.fade.fade);
    Ok(Paths { model: model.clone(), with: with.files.clone(), doll, level: level.clone(), scale, fade })
}

fn serve(args: &ViewArgs, paths: Paths) -> Result<(), CliError> {
    let server = Server::new(args.port.unwrap_or(0), Watched::read(paths)?)?;
    out::print_line(format_args!("{}", server.address()))?;
    if !args.no_open && open::that_detached(server.address()).is_err() {
        out::tell_line("no browser was found: open the address above");
    }
    server.run()
}
