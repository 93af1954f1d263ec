//! Arguments of `skelobj script`.

use std::path::PathBuf;

use super::stop::Breakpoint;
use crate::input::{self, DialectName};

/// Run compiled QuakeC: the functions that an engine calls, entity thinks and physics
///
/// A script has the builtins of docs/builtins.md. Without --frames, only the functions of the start and of the end run.
/// The start calls `init` with -1, as FTE does for the first progs, `initents` and `main`; in server code `worldspawn`,
/// the spawn functions of the entities of --map, `ClientConnect` and `PutClientInServer`; in client code `CSQC_Init`
/// and `CSQC_WorldLoaded`. Each frame calls `StartFrame`, the player's `PlayerPreThink` and `PlayerPostThink`, thinks,
/// `EndFrame` and `CSQC_UpdateView`, or `CSQC_DrawHud` and `CSQC_DrawScores` without it; the end calls
/// `ClientDisconnect` and `CSQC_Shutdown`.
///
/// Prints go to standard output. An error in the script ends the command with exit code 1 and the call stack; it names
/// lines if the .lno file of the compiler lies beside PROGS.dat. A model that cannot be loaded is reported, and the
/// exit code at the end is 1. A frame that takes longer than --deadline ends the command with exit code 3 and the name
/// of the function that took the most; where it ends depends on the machine.
#[derive(clap::Args, Clone)]
pub struct ScriptArgs {
    /// Compiled QuakeC, as written by fteqcc or gmqcc
    #[arg(value_name = "PROGS.dat", required_unless_present = "server", conflicts_with = "server")]
    pub progs: Option<PathBuf>,
    /// Compiled code of a server, whose entities with `SendEntity` are sent to the client
    #[arg(long, value_name = "A.dat", requires = "client")]
    pub server: Option<PathBuf>,
    /// Compiled code of the server's client, which gets entities in `CSQC_Ent_Update`
    #[arg(long, value_name = "B.dat", requires = "server")]
    pub client: Option<PathBuf>,
    /// Give the client models, skeletal objects and physics of its own, as over a network
    ///
    /// Without it, both sides share them, as in a single-player game.
    #[arg(long, requires = "server")]
    pub two_worlds: bool,
    /// Maximum size of a frame's message to the client in bytes, 64 to 65536
    #[arg(long, value_name = "BYTES", default_value_t = 1400, requires = "server", allow_negative_numbers = true,
        value_parser = input::whole_in(64..=65_536_u32))]
    pub packet: u32,
    /// Lose every Nth message to the client, 0 for none; what was lost is sent again
    #[arg(long, value_name = "N", default_value_t = 0, requires = "server", allow_negative_numbers = true,
        value_parser = input::whole::<u32>)]
    pub lose: u32,
    /// Print what the messages to the client contain
    #[arg(long, requires = "server")]
    pub messages: bool,
    /// Folder of models and dolls [default: the folder of PROGS.dat]; mannequin.iqm, mannequin_getup.iqm and
    /// mannequin.doll are built in
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// Folder of the files that the script reads, writes and searches; what it writes is otherwise forgotten at the end
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Number of frames to run after the start
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = input::whole::<u32>)]
    pub frames: u32,
    /// Duration of a frame in seconds, 0 to 1
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, value_parser = frame_time)]
    pub dt: f32,
    /// Maximum time of a frame's functions, in seconds of the clock; a longer frame ends the script with exit code 3
    #[arg(long, value_name = "S", default_value_t = 10.0, allow_negative_numbers = true, value_parser = deadline)]
    pub deadline: f64,
    /// Height of a floor for ragdolls and traces, in units; without this option there is no floor
    #[arg(long, value_name = "Z", allow_hyphen_values = true, value_parser = height)]
    pub floor: Option<f32>,
    /// Map of Quake, Half-Life, Quake II or Quake III: its solid parts are added, and its entities spawn
    #[arg(long, value_name = "LEVEL.bsp")]
    pub map: Option<PathBuf>,
    /// Function without parameters to call after those of the start; may be repeated
    #[arg(long, value_name = "NAME")]
    pub call: Vec<String>,
    /// Function without parameters to call before `main` and `worldspawn`; may be repeated
    #[arg(long, value_name = "NAME")]
    pub call_first: Vec<String>,
    /// Function without parameters to call after the last frame; may be repeated
    #[arg(long, value_name = "NAME")]
    pub call_last: Vec<String>,
    /// Engine whose rules apply
    #[arg(long, value_enum, default_value_t = DialectName::Fte)]
    pub dialect: DialectName,
    /// Set a console variable before the start, and the global `autocvar_CVAR`; may be repeated
    #[arg(long, value_name = "CVAR=VALUE", value_parser = variable)]
    pub set: Vec<(String, String)>,
    /// Report mistakes that engines ignore, each once for a line of code, and at the end how often
    ///
    /// Reported are calls with deleted objects, with removed entities, and with bones, tags, animations and models that
    /// do not exist; ranges without bones; objects with other bones than their entity's model; bones whose builds do
    /// not add up; axes that are not whole; ragdoll commands without their number; objects that are never deleted,
    /// deleted twice, or of two entities; attachments in a loop; models that a server does not precache; refused names
    /// of files; and writes to fields of removed entities and, after the start, of the world.
    #[arg(long)]
    pub warn: bool,
    /// End the script at the call of an unknown builtin, which otherwise returns 0, and at a message to the client that
    /// is read wrongly
    #[arg(long)]
    pub strict: bool,
    /// Print the calls of all builtins, or of those named, to standard error, up to 8 MiB: --trace=skel_*,find
    ///
    /// Each has its frame, time, place in the code, arguments and results, also those in globals such as v_forward. A *
    /// stands for any text.
    #[arg(
        long,
        value_name = "NAMES",
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        value_parser = clap::builder::NonEmptyStringValueParser::new(),
        default_missing_value = "*"
    )]
    pub trace: Option<Vec<String>>,
    /// Write the statements of the script's functions and builtins as folded stacks, for flame graphs, and print those
    /// with the most
    #[arg(long, value_name = "FILE.folded")]
    pub profile: Option<PathBuf>,
    /// Print the call stack, locals and the values of --show whenever a function or a line of it begins; may be
    /// repeated
    #[arg(long = "break", value_name = "FUNCTION[:LINE]")]
    pub breakpoints: Vec<Breakpoint>,
    /// Globals to print at a stop, and fields of entities in them, of which * stands for those that are not 0
    #[arg(
        long,
        value_name = "NAMES",
        requires = "breakpoints",
        value_delimiter = ',',
        default_value = "self",
        hide_default_value = true
    )]
    pub show: Vec<String>,
    /// Print objects, ragdolls, statements, and the slowest frame at the end
    #[arg(long)]
    pub summary: bool,
    /// Run again whenever the progs, the map, a model or a doll changes, until the command is interrupted
    #[arg(long)]
    pub watch: bool,
    /// Write the bones of all entities with skeletal objects, in every frame: entity, object, names and matrices
    #[arg(long, value_name = "FILE.json")]
    pub dump_bones: Option<PathBuf>,
    /// Draw a .png film strip, or a looping .gif, of entities with models: those in the client's scene, else all
    ///
    /// Between the first and the last frame, the strip shows the first ragdoll that falls, gets up, loses a limb, is
    /// let go and comes to rest, and moments with equal amounts of motion from one to the next.
    /// Blue shapes of bodies follow the animation, orange ones are limp, green ones are at rest; red lines are gaps in
    /// joints. With --map, the level is drawn.
    #[arg(long, value_name = "FILE")]
    pub draw: Option<PathBuf>,
    /// Entity at which the camera aims, and whose motion selects the moments of a strip [default: all that move]
    #[arg(long, value_name = "ENTITY", requires = "draw", allow_negative_numbers = true,
        value_parser = input::whole::<u64>)]
    pub focus: Option<u64>,
    /// Maximum number of panels of the film strip, 1 to 32; there are fewer if little moves
    #[arg(long, value_name = "N", default_value_t = 8, requires = "draw", allow_negative_numbers = true,
        value_parser = input::whole_in(1..=32_u32))]
    pub panels: u32,
    /// Maximum number of panels in a row, 1 to 32 [default: all]
    #[arg(long, value_name = "N", default_value_t = 32, hide_default_value = true, requires = "draw",
        allow_negative_numbers = true,
        value_parser = input::whole_in(1..=32_u32))]
    pub columns: u32,
    /// Width of the picture in pixels, 64 to 3840; a panel of a strip is at most 480 wide [default: 1600, or 400 for a
    /// GIF file]
    #[arg(long, value_name = "PX", requires = "draw", allow_negative_numbers = true,
        value_parser = input::whole_in(64..=3840_u32))]
    pub width: Option<u32>,
    /// Draw the entities without the shapes of their bodies
    #[arg(long, requires = "draw")]
    pub no_bodies: bool,
    /// Write FILE.json, FILE.folded and the picture even if they exist
    #[arg(long)]
    pub force: bool,
}

impl ScriptArgs {
    /// Returns the paths of the progs: the only one, or those of the server and of its client.
    pub fn all_progs(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.progs, &self.server, &self.client].into_iter().flatten()
    }
}

/// Parses the name and the value of a console variable.
fn variable(argument: &str) -> Result<(String, String), String> {
    let parts = argument.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains(char::is_whitespace));
    let (name, value) = parts.ok_or("expected CVAR=VALUE such as sv_gravity=800")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Parses the duration of a frame in seconds.
fn frame_time(argument: &str) -> Result<f32, String> {
    let time = argument.parse().ok().filter(|time| (0.0..=1.0).contains(time));
    time.ok_or_else(|| "expected seconds from 0 to 1, such as 0.05".to_owned())
}

/// Parses the maximum time of a frame's functions in seconds.
fn deadline(argument: &str) -> Result<f64, String> {
    let time = argument.parse().ok().filter(|time| (0.001..=3600.0).contains(time));
    time.ok_or_else(|| "expected seconds from 0.001 to 3600, such as 10".to_owned())
}

/// Parses the height of a floor in Quake units.
fn height(argument: &str) -> Result<f32, String> {
    let height = argument.parse().ok().filter(|height: &f32| height.abs() <= 1e5);
    height.ok_or_else(|| "expected a height from -100000 to 100000".to_owned())
}
