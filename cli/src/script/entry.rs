//! Functions of a progs that an engine calls.

use std::path::Path;

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
const IN_FRAMES: [&str; 7] = [
    "StartFrame",
    "PlayerPreThink",
    "PlayerPostThink",
    "EndFrame",
    "CSQC_UpdateView",
    "CSQC_DrawHud",
    "CSQC_DrawScores",
];

/// Functions of server code that work on a player.
const OF_A_PLAYER: &[&str] =
    &["SetNewParms", "ClientConnect", "PutClientInServer", "PlayerPreThink", "PlayerPostThink", "ClientDisconnect"];

/// Functions of client code.
const OF_A_CLIENT: &[&str] = &["CSQC_Init", "CSQC_WorldLoaded", "CSQC_UpdateView", "CSQC_DrawHud", "CSQC_DrawScores"];

/// Function of the code of menus, whose builtins have other numbers.
const OF_A_MENU: &str = "m_init";

/// Functions of a progs that run in each frame.
pub struct InFrames {
    pub start: Option<FunctionId>,
    pub player_before: Option<FunctionId>,
    pub player_after: Option<FunctionId>,
    pub end: Option<FunctionId>,
    pub view: Option<FunctionId>,
    /// `CSQC_DrawHud` and `CSQC_DrawScores`, which run in client code without `CSQC_UpdateView`.
    pub huds: [Option<FunctionId>; 2],
}

/// Functions of a progs that run.
pub struct Entries {
    /// `true` if a player joins: entity 1, as in an engine.
    pub has_player: bool,
    /// Kind of the game code.
    pub rules: Rules,
    /// `true` if the spawn functions of the map's entities run; those of client code do not.
    pub spawns: bool,
    /// Functions of the frames.
    pub in_frames: InFrames,
    /// Functions of `--call-first`.
    pub first_calls: Vec<FunctionId>,
    /// Functions of `--call`.
    pub calls: Vec<FunctionId>,
    /// Functions of `--call-last`.
    pub last_calls: Vec<FunctionId>,
}

impl Entries {
    /// Finds the functions of one of several progs that run. Functions that `args` names may be in another.
    pub fn new(progs: &Progs, args: &ScriptArgs) -> Self {
        let any = |names: &[&str]| names.iter().any(|name| progs.function(name.as_bytes()).is_some());
        let all = |names: &[String]| names.iter().filter_map(|name| progs.function(name.as_bytes())).collect();
        let [start, player_before, player_after, end, view, huds @ ..] =
            IN_FRAMES.map(|name| progs.function(name.as_bytes()));
        let huds = if view.is_some() { [None; 2] } else { huds };
        let in_frames = InFrames { start, player_before, player_after, end, view, huds };
        let (first_calls, calls, last_calls) = (all(&args.call_first), all(&args.call), all(&args.call_last));
        let is_client = any(OF_A_CLIENT);
        let spawns = any(&["worldspawn"]) || !is_client;
        let is_server = any(OF_A_PLAYER) || any(&["worldspawn"]) || any(&["StartFrame"]) && !any(&["main"]);
        let rules = if is_server && !is_client { Rules::Server } else { Rules::Client };
        Self { has_player: any(OF_A_PLAYER), rules, spawns, in_frames, first_calls, calls, last_calls }
    }

    /// Checks that a progs is not that of a menu, which has no function of a game beside its own.
    ///
    /// # Errors
    /// [`CliError::MenuProgs`].
    pub fn check_kind(path: &Path, progs: &Progs) -> Result<(), CliError> {
        let has = |name: &&str| progs.function(name.as_bytes()).is_some();
        let is_game = OF_A_CLIENT.iter().chain(OF_A_PLAYER).chain(&["worldspawn", "StartFrame", "main"]).any(has);
        if has(&OF_A_MENU) && !is_game { Err(CliError::MenuProgs(path.to_owned())) } else { Ok(()) }
    }

    /// Checks that the functions that `args` names exist in one of the progs.
    ///
    /// # Errors
    /// [`CliError::NotInProgs`].
    pub fn check_calls(all: &[(&Path, &Progs)], args: &ScriptArgs) -> Result<(), CliError> {
        let mut names = [&args.call_first, &args.call, &args.call_last].into_iter().flatten();
        let is_missing = |name: &&String| all.iter().all(|(_, progs)| progs.function(name.as_bytes()).is_none());
        match names.find(is_missing) {
            Some(name) => {
                let paths = all.iter().map(|(path, _)| (*path).to_owned()).collect();
                Err(CliError::NotInProgs("--call", paths, "function", name.clone()))
            }
            None => Ok(()),
        }
    }

    /// Checks that something of the only progs runs.
    ///
    /// # Errors
    /// [`CliError::NothingToRun`] and [`CliError::OnlyFrames`] if nothing would run.
    pub fn check_any(&self, path: &Path, progs: &Progs, args: &ScriptArgs) -> Result<(), CliError> {
        let path = path.to_owned();
        let has = |name: &&&str| progs.function(name.as_bytes()).is_some();
        let any = |names: &[&str]| names.iter().any(|name| has(&name));
        let calls_any = [&self.first_calls, &self.calls, &self.last_calls].into_iter().any(|calls| !calls.is_empty());
        if !calls_any && args.map.is_none() && !any(AT_START) {
            match IN_FRAMES.iter().find(has) {
                None => return Err(CliError::NothingToRun(path, [AT_START, &IN_FRAMES].concat())),
                Some(name) if args.frames == 0 => return Err(CliError::OnlyFrames(path, name)),
                Some(_) => (),
            }
        }
        Ok(())
    }
}
