//! Summary of a run: `--summary`.

use std::collections::HashSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use skelobj::Runtime;
use skelobj::runtime::{ObjectId, ObjectInfo};

use super::game::Game;
use super::session::Session;
use crate::out::{count, tell_line};

/// Costs of a run so far.
pub struct Summary {
    /// Begin of the frame.
    began: Instant,
    /// Statements up to the begin of the frame.
    statements: u64,
    frames: u32,
    total: Duration,
    slowest: Cost,
    most_objects: usize,
    most_ragdolls: usize,
}

/// Cost of a frame.
#[derive(Default)]
struct Cost {
    frame: u32,
    /// Time of the script at the end of the frame, seconds.
    at: f32,
    duration: Duration,
    statements: u64,
}

impl Summary {
    pub fn new() -> Self {
        Self {
            began: Instant::now(),
            statements: 0,
            frames: 0,
            total: Duration::ZERO,
            slowest: Cost::default(),
            most_objects: 0,
            most_ragdolls: 0,
        }
    }

    /// Ends a frame, `frame` 0 for the start.
    pub fn end_frame(&mut self, session: &mut Session, frame: u32, at: f32) {
        let duration = self.began.elapsed();
        let statements: u64 = session.games().map(|game| game.statements).sum();
        let cost = Cost { frame, at, duration, statements: statements - self.statements };
        if frame > 0 {
            self.frames = frame;
            self.total += duration;
            if duration > self.slowest.duration {
                self.slowest = cost;
            }
        }
        self.statements = statements;
        let [objects, ragdolls] = counts(session);
        self.most_objects = self.most_objects.max(objects);
        self.most_ragdolls = self.most_ragdolls.max(ragdolls);
        self.began = Instant::now();
    }

    /// Prints the summary.
    pub fn print(&self, session: &mut Session) {
        let [objects, ragdolls] = counts(session);
        let lost = lost(session);
        let leaks = match lost.as_slice() {
            [] => String::new(),
            lost => {
                let handles: Vec<String> = lost.iter().take(8).map(|id| id.get().to_string()).collect();
                let more = if lost.len() > handles.len() { ", ..." } else { "" };
                format!("; {} in no entity's skeletonindex ({}{more})", lost.len(), handles.join(", "))
            }
        };
        row("objects", format_args!("{objects} at the end, {} at most{leaks}", self.most_objects));
        row("ragdolls", format_args!("{ragdolls} at the end, {} at most", self.most_ragdolls));
        for game in session.games() {
            let machine = &game.machine;
            let living = (1..machine.entity_count()).filter(|entity| machine.is_entity_alive(*entity)).count();
            let label = game.label;
            row("script", format_args!("{label}{}, {} statements", count(living, "entity"), game.statements));
        }
        if let Some(client) = &session.client {
            let traffic = &client.network.traffic;
            let average = traffic.bytes.checked_div(traffic.messages).unwrap_or(0);
            row(
                "network",
                format_args!(
                    "{}, {} lost; {average} bytes on average, {} at most",
                    count(traffic.messages as usize, "message"),
                    traffic.lost,
                    traffic.largest,
                ),
            );
        }
        let Some(average) = self.total.checked_div(self.frames) else { return };
        row("frames", format_args!("{}, {:.2} ms on average", self.frames, milliseconds(average)));
        let Cost { frame, at, duration, statements } = self.slowest;
        let duration = milliseconds(duration);
        row("slowest", format_args!("frame {frame} at {at:.3} s: {duration:.2} ms, {statements} statements"));
    }
}

fn row(name: &str, text: std::fmt::Arguments<'_>) {
    tell_line(format_args!("{name:<9} {text}"));
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Returns the games of each world.
fn worlds(session: &mut Session) -> Vec<Vec<&mut Game>> {
    let mut worlds: Vec<Vec<&mut Game>> = Vec::new();
    for game in session.games() {
        match worlds.iter_mut().find(|world| Rc::ptr_eq(&world[0].runtime, &game.runtime)) {
            Some(world) => world.push(game),
            None => worlds.push(vec![game]),
        }
    }
    worlds
}

fn live_objects(runtime: &Runtime) -> impl Iterator<Item = ObjectInfo> {
    runtime.object_infos().into_iter().filter(|object| !object.is_deleted)
}

/// Returns the numbers of skeletal objects and of ragdolls of all worlds.
fn counts(session: &mut Session) -> [usize; 2] {
    let mut counts = [0; 2];
    for world in worlds(session) {
        for object in live_objects(&world[0].runtime.borrow()) {
            counts[0] += 1;
            counts[1] += usize::from(object.ragdoll.is_some());
        }
    }
    counts
}

/// Returns the objects that no entity of any game has.
fn lost(session: &mut Session) -> Vec<ObjectId> {
    let mut lost = Vec::new();
    for world in worlds(session) {
        let mut of_world: Vec<ObjectId> = live_objects(&world[0].runtime.borrow()).map(|object| object.id).collect();
        for game in world {
            let of_game: HashSet<ObjectId> = game.lost_objects().into_iter().collect();
            of_world.retain(|id| of_game.contains(id));
        }
        lost.extend(of_world);
    }
    lost
}
