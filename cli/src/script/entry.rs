//! Functions of a progs that an engine calls.

use skelobj::qc::Rules;
use skelobj::qc::vm::{FunctionId, Progs};

use super::args::ScriptArgs;
use crate::error::CliError;

/// Functions that run at the start.
const AT_START: &[&str] = &[
    "init",
    "initents",
    "main",
    "worldspawn",
    "SetNewParms",
    "ClientConnect",
    "PutClientInServer",
    "CSQC_Init",
    "CSQC_RendererRestarted",
    "CSQC_WorldLoaded",
];

/// Functions that run in each frame.
const IN_FRAMES: &[&str] = &["StartFrame", "PlayerPreThink", "PlayerPostThink", "EndFrame", "CSQC_UpdateView"];

/// Functions of server code that work on a player.
const OF_A_PLAYER: &[&str] =
    &["SetNewParms", "ClientConnect", "PutClientInServer", "PlayerPreThink", "PlayerPostThink", "ClientDisconnect"];

/// Functions of a progs that run.
pub struct Entries {
    /// `true` if a player joins: entity 1, as in an engine.
    pub has_player: bool,
    /// Kind of the game code.
    pub rules: Rules,
    /// Functions of `--call-first`.
    pub first_calls: Vec<FunctionId>,
    /// Functions of `--call`.
    pub calls: Vec<FunctionId>,
    /// Functions of `--call-last`.
    pub last_calls: Vec<FunctionId>,
}

impl Entries {
    /// Finds the functions that run.
    ///
    /// # Errors
    /// [`CliError::NoFunction`] if a function that `args` names does not exist; [`CliError::NothingToRun`] and
    /// [`CliError::OnlyFrames`] if nothing would run.
    pub fn new(progs: &Progs, args: &ScriptArgs) -> Result<Self, CliError> {
        let path = &args.progs;
        let has = |name: &&&str| progs.function(name.as_bytes()).is_some();
        let any = |names: &[&str]| names.iter().any(|name| has(&name));
        let call = |name: &String| {
            progs.function(name.as_bytes()).ok_or_else(|| CliError::NoFunction(path.clone(), name.clone()))
        };
        let all = |names: &[String]| names.iter().map(call).collect::<Result<Vec<FunctionId>, _>>();
        let (first_calls, calls, last_calls) = (all(&args.call_first)?, all(&args.call)?, all(&args.call_last)?);
        let calls_any = [&first_calls, &calls, &last_calls].into_iter().any(|calls| !calls.is_empty());
        if !calls_any && args.map.is_none() && !any(AT_START) {
            match IN_FRAMES.iter().find(has) {
                None => return Err(CliError::NothingToRun(path.clone(), [AT_START, IN_FRAMES].concat())),
                Some(name) if args.frames == 0 => return Err(CliError::OnlyFrames(path.clone(), name)),
                Some(_) => (),
            }
        }
        let is_client = any(&["CSQC_Init", "CSQC_WorldLoaded", "CSQC_UpdateView"]);
        let is_server = any(OF_A_PLAYER) || any(&["worldspawn"]) || any(&["StartFrame"]) && !any(&["main"]);
        let rules = if is_server && !is_client { Rules::Server } else { Rules::Client };
        Ok(Self { has_player: any(OF_A_PLAYER), rules, first_calls, calls, last_calls })
    }
}
