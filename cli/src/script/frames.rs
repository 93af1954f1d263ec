//! Start, frames and end of a script, as an engine runs them.

use super::Watched;
use super::entry::Entries;
use super::game::{Argument, Game, WORLD};
use super::session::{Session, Side};
use super::spawn::spawn;
use super::summary::Summary;
use crate::error::CliError;
use skelobj::Dialect;
use skelobj::physics::Level;
use skelobj::qc::Rules;
use skelobj::qc::vm::FunctionId;

/// Entity of the player.
pub const PLAYER: u32 = 1;

/// Size of the view that `CSQC_UpdateView` gets, pixels.
const VIEW: [f32; 2] = [1280.0, 720.0];

/// Argument of `init` for the first progs of a machine.
const NO_PROGS_BEFORE: f32 = -1.0;

/// Version of the client code's interface, as FTE and DarkPlaces state it.
const CSQC_VERSION: f32 = 1.0;

/// Frames to run.
pub struct Frames {
    /// Number of frames.
    pub count: u32,
    /// Duration of a frame, seconds.
    pub time: f32,
}

/// Runs a script to the end of its last frame. `watched` gets every frame before its physics.
pub fn play(
    session: &mut Session,
    frames: &Frames,
    watched: &mut Watched,
    mut summary: Option<&mut Summary>,
) -> Result<(), CliError> {
    let mut end_frame = |session: &mut Session, frame: u32, time: f32, passed: f32| {
        watched.add(session, time)?;
        session.step(passed);
        if let Some(summary) = &mut summary {
            summary.end_frame(session, frame, time);
        }
        Ok(())
    };
    session.begin_frame();
    start(session, frames.time)?;
    end_frame(session, 0, 0.0, 0.0)?;
    for frame in 1..=frames.count {
        let time = (f64::from(frame) * f64::from(frames.time)) as f32;
        session.begin_frame();
        let Session { first, client, .. } = session;
        run(first, time, frames.time)?;
        if let Some(client) = client {
            client.side.game.set_time(time, frames.time);
            client.network.exchange(&mut first.game, &mut client.side.game)?;
            run(&mut client.side, time, frames.time)?;
        }
        end_frame(session, frame, time, frames.time)?;
        if session.output.has_failed() {
            return Ok(());
        }
        if let Some(map) = session.first.game.environment.next_level.take() {
            session.output.tell_line(format_args!("skelobj: the run ends: the script changes to the map {map}"));
            break;
        }
    }
    session.begin_frame();
    let Session { first, client, .. } = session;
    client.iter_mut().try_for_each(|client| end(&mut client.side))?;
    end(first)
}

fn start(session: &mut Session, frame_time: f32) -> Result<(), CliError> {
    let Session { first, client, level, .. } = session;
    start_side(first, level.as_ref(), frame_time)?;
    match client {
        Some(client) => start_side(&mut client.side, level.as_ref(), frame_time),
        None => Ok(()),
    }
}

fn start_side(side: &mut Side, level: Option<&(String, Level)>, frame_time: f32) -> Result<(), CliError> {
    let Side { game, entries, .. } = side;
    game.environment.rules = entries.rules;
    game.set_float("frametime", frame_time);
    if entries.has_player {
        // The first entity, as in an engine, so before all that the script spawns.
        game.machine.spawn_entity().map_err(CliError::Fault)?;
    }
    game.set_float("maxclients", 1.0);
    game.set_float("player_localentnum", PLAYER as f32);
    game.create_variables()?;
    game.set_text("mapname", level.map_or("", |(name, _)| name))?;
    game.call_named("init", WORLD, &[Argument::Float(NO_PROGS_BEFORE)])?;
    game.call_named("initents", WORLD, &[])?;
    call_all(game, &entries.first_calls)?;
    game.call_named("main", WORLD, &[])?;
    if entries.spawns {
        spawn(game, level)?;
    }
    if entries.rules == Rules::Server {
        game.machine.protect_world();
    }
    if entries.has_player && game.environment.dialect == Dialect::DarkPlaces {
        // There the level runs before the first player connects; code of DarkPlaces counts on it.
        game.call_found(entries.in_frames.start, WORLD, &[])?;
    }
    for name in ["SetNewParms", "ClientConnect", "PutClientInServer"] {
        game.call_named(name, PLAYER, &[])?;
    }
    let version = env!("CARGO_PKG_VERSION_MAJOR").parse().unwrap_or(0.0)
        + env!("CARGO_PKG_VERSION_MINOR").parse().unwrap_or(0.0) * 0.01;
    let engine = [Argument::Float(CSQC_VERSION), Argument::Text("skelobj"), Argument::Float(version)];
    game.call_named("CSQC_Init", WORLD, &engine)?;
    game.call_named("CSQC_RendererRestarted", WORLD, &[Argument::Text("skelobj")])?;
    game.call_named("CSQC_WorldLoaded", WORLD, &[])?;
    game.machine.protect_world();
    call_all(game, &entries.calls)
}

fn end(side: &mut Side) -> Result<(), CliError> {
    let Side { game, entries, .. } = side;
    call_all(game, &entries.last_calls)?;
    if entries.has_player {
        game.call_named("ClientDisconnect", PLAYER, &[])?;
    }
    game.call_named("CSQC_Shutdown", WORLD, &[])
}

/// Calls functions for the world.
fn call_all(game: &mut Game, functions: &[FunctionId]) -> Result<(), CliError> {
    functions.iter().try_for_each(|function| game.call(*function, WORLD, &[]))
}

/// Runs the functions of a frame.
fn run(side: &mut Side, time: f32, frame_time: f32) -> Result<(), CliError> {
    let Side { game, entries: Entries { in_frames, has_player, .. }, .. } = side;
    game.update_variables()?;
    game.set_time(time, frame_time);
    game.call_found(in_frames.start, WORLD, &[])?;
    let mut first = 1;
    let entities_fall = game.environment.rules == Rules::Server;
    if *has_player {
        game.call_found(in_frames.player_before, PLAYER, &[])?;
        game.think(PLAYER, time, frame_time)?;
        game.set_time(time, frame_time);
        game.call_found(in_frames.player_after, PLAYER, &[])?;
        first = PLAYER + 1;
    }
    for entity in first..game.machine.entity_count() {
        if entities_fall {
            game.fall(entity, frame_time)?;
        }
        game.think(entity, time, frame_time)?;
    }
    game.set_time(time, frame_time);
    game.call_found(in_frames.end, WORLD, &[])?;
    let [width, height] = VIEW;
    let view = [Argument::Float(width), Argument::Float(height), Argument::Float(1.0)];
    game.call_found(in_frames.view, WORLD, &view)?;
    let hud = [Argument::Vector([width, height, 0.0]), Argument::Float(0.0)];
    in_frames.huds.into_iter().try_for_each(|function| game.call_found(function, WORLD, &hud))
}
