//! Entities that the code of a server sends to that of a client: `SendEntity`, `CSQC_Ent_Update` and `CSQC_Ent_Remove`.

use std::collections::{BTreeMap, HashMap};

use skelobj::qc::vm::stdlib::{MessageReader, Written};
use skelobj::qc::vm::{Field, FunctionId, Machine};

use super::frames::PLAYER;
use super::game::{Argument, Game, WORLD};
use crate::error::CliError;
use crate::out::count;

/// Argument `to` of `WriteByte` and its relatives for the message of an entity.
const MSG_ENTITY: i32 = 5;
/// Bit of `pvsflags` of entities that stay on the client.
const PVSF_NOREMOVE: u32 = 128;
/// Flags of an entity that the client does not have, as in FTE.
const ALL_FLAGS: u64 = u64::MAX >> 2;
/// Number of flags that a number of QuakeC holds.
const FLAGS_A_NUMBER: u32 = 24;
/// Bytes of a message beside those of its entities, and of an entity beside its own: numbers and marks.
const OVERHEAD: usize = 5;
/// Size of an entity that ends a message if it does not fit, bytes. After a larger one, others may still fit.
const SMALL: usize = 32;
/// Maximum number of kinds of reports.
const MAX_REPORTS: usize = 64;

/// Options of the network between a server and its client.
#[derive(Clone, Copy)]
pub struct NetworkOptions {
    /// Maximum size of a frame's message, bytes.
    pub packet: usize,
    /// One of this many messages is lost; 0 if none is.
    pub lose: u32,
    /// Prints all messages.
    pub shows: bool,
    /// A message that is read wrongly is an error.
    pub strict: bool,
}

/// Network between the code of a server and that of a client.
pub struct Network {
    options: NetworkOptions,
    places: Places,
    /// Entities that were sent, as the server knows them.
    sent: BTreeMap<u32, Sent>,
    /// Entities of the client by their numbers on the server.
    shown: BTreeMap<u32, Shown>,
    /// Contents of the buffers of `skel_send` that were sent last.
    buffers: BTreeMap<usize, Vec<u8>>,
    /// First reports of each kind, and how often each was repeated.
    reports: Vec<(String, u64)>,
    /// Positions in `reports`, by texts without numbers.
    known: HashMap<String, usize>,
    /// Traffic so far.
    pub traffic: Traffic,
}

/// Traffic of a network.
#[derive(Default)]
pub struct Traffic {
    /// Number of messages with entities.
    pub messages: u64,
    /// Number of messages that were lost.
    pub lost: u64,
    /// Total size of the messages, bytes.
    pub bytes: u64,
    /// Size of the largest message, bytes.
    pub largest: usize,
}

/// Fields of the server's progs, and functions of the client's.
struct Places {
    send_entity: Option<Field>,
    send_flags: Option<Field>,
    pvs_flags: Option<Field>,
    class: Option<Field>,
    update: Option<FunctionId>,
    remove: Option<FunctionId>,
    spawn: Option<FunctionId>,
}

/// Entity as the server knows that the client has it.
#[derive(Default)]
struct Sent {
    /// Use of the number.
    generation: u32,
    /// The client has it.
    is_present: bool,
    /// Flags that the client has not got.
    flags: u64,
    /// A message with its removal was lost.
    is_removal_lost: bool,
}

/// Entity of the client.
#[derive(Clone, Copy)]
struct Shown {
    entity: u32,
    /// Use of the number.
    generation: u32,
}

/// Part of a message about one entity of the server.
struct Part {
    entity: u32,
    /// Class of the entity, as reports name it.
    class: String,
    change: Change,
}

enum Change {
    Remove,
    Update { flags: u64, written: Vec<Written> },
}

impl Network {
    /// Creates the network between two games.
    pub fn new(server: &Game, client: &Game, options: NetworkOptions) -> Self {
        let field = |name: &str| server.machine.progs().field(name.as_bytes());
        let function = |name: &str| client.machine.find_function(name.as_bytes());
        let places = Places {
            send_entity: field("SendEntity"),
            send_flags: field("SendFlags"),
            pvs_flags: field("pvsflags"),
            class: field("classname"),
            update: function("CSQC_Ent_Update"),
            remove: function("CSQC_Ent_Remove"),
            spawn: function("CSQC_Ent_Spawn"),
        };
        Self {
            options,
            places,
            sent: BTreeMap::new(),
            shown: BTreeMap::new(),
            buffers: BTreeMap::new(),
            reports: Vec::new(),
            known: HashMap::new(),
            traffic: Traffic::default(),
        }
    }

    /// Sends the entities of a frame to the client, and the buffers of `skel_send` that have changed.
    pub fn exchange(&mut self, server: &mut Game, client: &mut Game) -> Result<(), CliError> {
        let parts = self.collect(server)?;
        let buffers = self.changed_buffers(server);
        if parts.is_empty() && buffers.is_empty() {
            return Ok(());
        }
        self.traffic.messages += 1;
        let is_lost = self.options.lose > 0 && self.traffic.messages.is_multiple_of(self.options.lose.into());
        if self.options.shows {
            parts.iter().for_each(|part| show(server, part, is_lost));
            buffers.iter().for_each(|(number, contents)| show_buffer(server, *number, contents, is_lost));
        }
        if is_lost {
            self.traffic.lost += 1;
            parts.iter().for_each(|part| self.lose(part));
            // A buffer that does not change again is sent again, too.
            buffers.iter().for_each(|(number, _)| drop(self.buffers.remove(number)));
            return Ok(());
        }
        for (number, contents) in buffers {
            if let Some(buffer) = client.environment.buffer_mut(number) {
                *buffer = contents;
            }
        }
        parts.into_iter().try_for_each(|part| self.deliver(client, part))
    }

    /// Returns the buffers that have changed since they were sent, with their numbers.
    fn changed_buffers(&mut self, server: &mut Game) -> Vec<(usize, Vec<u8>)> {
        let mut changed = Vec::new();
        let mut number = 1;
        while let Some(buffer) = server.environment.buffer_mut(number) {
            let sent = self.buffers.entry(number).or_default();
            if sent != buffer {
                sent.clone_from(buffer);
                self.traffic.bytes += buffer.len() as u64;
                changed.push((number, buffer.clone()));
            }
            number += 1;
        }
        changed
    }

    /// Prints how often reports were repeated.
    pub fn report_counts(&self, game: &Game) {
        for (report, count) in self.reports.iter().filter(|(_, count)| *count > 1) {
            game.output.tell_line(format_args!("skelobj: warning: {report} ({} more times)", count - 1));
        }
    }

    /// Returns the parts of a frame's message.
    fn collect(&mut self, server: &mut Game) -> Result<Vec<Part>, CliError> {
        let mut parts = Vec::new();
        let mut room = self.options.packet;
        for entity in 1..server.machine.entity_count() {
            let generation = server.machine.entity_generation(entity);
            let is_alive = server.machine.is_entity_alive(entity);
            let function = if is_alive { word(&server.machine, entity, self.places.send_entity) } else { 0 };
            let mut sent = self.sent.remove(&entity).unwrap_or_default();
            sent.flags |= if is_alive { take_flags(&mut server.machine, entity, self.places.send_flags) } else { 0 };
            let is_another = sent.is_present && sent.generation != generation;
            let stays = !is_another && self.stays(&server.machine, entity);
            let removes = is_another || function == 0 && sent.is_present && !stays;
            if removes || function == 0 && sent.is_removal_lost {
                if room <= OVERHEAD {
                    self.sent.insert(entity, sent);
                    continue;
                }
                room -= OVERHEAD;
                parts.push(Part { entity, class: self.class(&server.machine, entity), change: Change::Remove });
                sent = Sent::default();
            }
            if function != 0 {
                sent.generation = generation;
                self.update(server, (entity, FunctionId(function)), sent, &mut room, &mut parts)?;
            } else if sent.is_present {
                self.sent.insert(entity, sent);
            }
        }
        let size = self.options.packet - room;
        self.traffic.bytes += size as u64;
        self.traffic.largest = self.traffic.largest.max(size);
        Ok(parts)
    }

    /// Calls `SendEntity` of an entity that the client lacks, or of which it lacks something.
    fn update(
        &mut self,
        server: &mut Game,
        (entity, function): (u32, FunctionId),
        mut sent: Sent,
        room: &mut usize,
        parts: &mut Vec<Part>,
    ) -> Result<(), CliError> {
        if sent.is_present && sent.flags == 0 {
            self.sent.insert(entity, sent);
            return Ok(());
        }
        if *room == 0 {
            // An entity that did not fit has ended the message.
            self.sent.insert(entity, sent);
            return Ok(());
        }
        let is_removal_lost = std::mem::take(&mut sent.is_removal_lost);
        if !sent.is_present || is_removal_lost {
            sent.flags = ALL_FLAGS;
        }
        let flags = sent.flags;
        // What was written outside of `SendEntity` goes nowhere.
        server.environment.messages = Default::default();
        server.call(function, entity, &[Argument::Entity(PLAYER), Argument::Vector(flag_numbers(flags))])?;
        let is_sent = server.machine.result()[0] != 0;
        let messages = std::mem::take(&mut server.environment.messages);
        let class = self.class(&server.machine, entity);
        let stays = sent.is_present && self.stays(&server.machine, entity);
        if is_removal_lost || !is_sent && sent.is_present && !stays {
            // The client may still have what had this number before.
            *room = room.saturating_sub(OVERHEAD);
            parts.push(Part { entity, class: class.clone(), change: Change::Remove });
        }
        if !is_sent {
            if stays {
                self.sent.insert(entity, sent);
            }
            return Ok(());
        }
        let written = messages.parts().iter().filter(|part| part.destination == MSG_ENTITY);
        let written: Vec<Written> = written.map(|part| part.written.clone()).collect();
        let size = MessageReader::new(written.iter().cloned()).size();
        if messages.dropped() > 0 || size + OVERHEAD > *room {
            if messages.dropped() > 0 || size + OVERHEAD > self.options.packet {
                self.report(server, format!(
                    "entity {entity} ({class}) is not sent: it has {size} bytes, and {} fit into a message; --packet sets \
                     another size",
                    self.options.packet - OVERHEAD,
                ))?;
            } else if size < SMALL {
                *room = 0;
            }
            self.sent.insert(entity, sent);
            return Ok(());
        }
        *room -= size + OVERHEAD;
        parts.push(Part { entity, class, change: Change::Update { flags, written } });
        self.sent.insert(entity, Sent { is_present: true, flags: 0, ..sent });
        Ok(())
    }

    /// Notes that the client lacks what was in a message.
    fn lose(&mut self, part: &Part) {
        let sent = self.sent.entry(part.entity).or_default();
        match part.change {
            Change::Remove => sent.is_removal_lost = true,
            Change::Update { flags, .. } => sent.flags |= flags,
        }
    }

    /// Passes a part of a message to the client's code.
    fn deliver(&mut self, client: &mut Game, part: Part) -> Result<(), CliError> {
        let Part { entity, class, change } = part;
        match change {
            Change::Remove => {
                let Some(shown) = self.shown.remove(&entity) else { return Ok(()) };
                // The client's code may have removed it and used its number again.
                if client.machine.entity_generation(shown.entity) != shown.generation {
                    return Ok(());
                }
                match self.places.remove {
                    Some(function) => client.call(function, shown.entity, &[]),
                    // The code may have removed it.
                    None => client.machine.remove_entity(shown.entity).map_err(CliError::Fault),
                }
            }
            Change::Update { written, .. } => self.deliver_update(client, entity, &class, written),
        }
    }

    fn deliver_update(
        &mut self,
        client: &mut Game,
        entity: u32,
        class: &str,
        written: Vec<Written>,
    ) -> Result<(), CliError> {
        let Some(update) = self.places.update else {
            return Err(CliError::Network("the client's code has no function CSQC_Ent_Update".to_owned()));
        };
        let known = self.shown.get(&entity).copied();
        let shown = match known {
            Some(shown) => shown.entity,
            None => self.spawn(client, entity)?,
        };
        let is_own = |shown: Shown| {
            client.machine.is_entity_alive(shown.entity)
                && client.machine.entity_generation(shown.entity) == shown.generation
        };
        if known.is_some_and(|shown| !is_own(shown)) {
            self.report(
                client,
                format!(
                    "the client's code has removed its entity {shown}, without CSQC_Ent_Remove, while the server sends \
                 entity {entity} ({class})"
                ),
            )?;
        }
        client.environment.incoming = Some(MessageReader::new(written));
        let is_new = f32::from(u8::from(known.is_none()));
        let outcome = client.call(update, shown, &[Argument::Float(is_new)]);
        let message = client.environment.incoming.take();
        outcome?;
        // After CSQC_Ent_Spawn, the code chooses its entity.
        let chosen = self.places.spawn.and_then(|_| client.self_entity()).unwrap_or(shown);
        let generation = match known {
            Some(known) if known.entity == chosen => known.generation,
            _ => client.machine.entity_generation(chosen),
        };
        self.shown.insert(entity, Shown { entity: chosen, generation });
        let Some(message) = message else { return Ok(()) };
        if let Some(problem) = message.problem() {
            self.report(client, format!("{problem} (entity {entity}, {class})"))?;
        } else if message.unread() > 0 {
            self.report(
                client,
                format!(
                    "CSQC_Ent_Update leaves {} of {} of entity {entity} ({class}) unread",
                    message.unread(),
                    count(message.size(), "byte"),
                ),
            )?;
        }
        Ok(())
    }

    /// Returns a new entity of the client for one of the server.
    fn spawn(&self, client: &mut Game, entity: u32) -> Result<u32, CliError> {
        let number = entity as f32;
        if let Some(function) = self.places.spawn {
            client.call(function, WORLD, &[Argument::Float(number)])?;
            return Ok(client.self_entity().unwrap_or(WORLD));
        }
        let shown = client.machine.spawn_entity().map_err(CliError::Fault)?;
        if let Some(field) = client.machine.progs().field(b"entnum") {
            client.machine.set_field_float(shown, field, number).map_err(CliError::Fault)?;
        }
        Ok(shown)
    }

    /// Returns `true` if an entity is not removed from the client.
    fn stays(&self, server: &Machine, entity: u32) -> bool {
        f32::from_bits(word(server, entity, self.places.pvs_flags)) as u32 & PVSF_NOREMOVE != 0
    }

    fn class(&self, server: &Machine, entity: u32) -> String {
        let class = server.string(word(server, entity, self.places.class)).unwrap_or_default();
        if class.is_empty() { "no classname".to_owned() } else { String::from_utf8_lossy(class).into_owned() }
    }

    /// Prints a report if it is the first of its kind.
    fn report(&mut self, game: &Game, report: String) -> Result<(), CliError> {
        if self.options.strict {
            return Err(CliError::Network(report));
        }
        let kind: String = report.chars().filter(|c| !c.is_ascii_digit()).collect();
        if let Some((_, count)) = self.known.get(&kind).and_then(|known| self.reports.get_mut(*known)) {
            *count += 1;
        } else if self.reports.len() < MAX_REPORTS {
            game.output.tell_line(format_args!("skelobj: warning: {report}"));
            self.known.insert(kind, self.reports.len());
            self.reports.push((report, 1));
        }
        Ok(())
    }
}

/// Returns a field of an entity, 0 without the field.
fn word(machine: &Machine, entity: u32, field: Option<Field>) -> u32 {
    field.and_then(|field| machine.field(entity, field).ok()).unwrap_or(0)
}

/// Returns the flags of an entity that have changed, and clears them.
fn take_flags(server: &mut Machine, entity: u32, field: Option<Field>) -> u64 {
    let flags = f32::from_bits(word(server, entity, field)) as i64 as u64 & ALL_FLAGS;
    if let Some(field) = field.filter(|_| flags != 0) {
        // The entity and the field exist.
        let _ = server.set_field_float(entity, field, 0.0);
    }
    flags
}

/// Returns flags as a vector of numbers, of which each holds 24.
fn flag_numbers(flags: u64) -> [f32; 3] {
    [0, 1, 2].map(|number| (flags >> (FLAGS_A_NUMBER * number) & 0x00ff_ffff) as f32)
}

/// Prints the size of a buffer.
fn show_buffer(server: &Game, number: usize, contents: &[u8], is_lost: bool) {
    let (frame, lost) = (server.frame_number(), if is_lost { " (lost)" } else { "" });
    let bytes = count(contents.len(), "byte");
    server.output.tell_line(format_args!("frame {frame}: buffer {number}: {bytes}{lost}"));
}

/// Prints a part of a message.
fn show(server: &Game, Part { entity, class, change }: &Part, is_lost: bool) {
    let (frame, lost) = (server.frame_number(), if is_lost { " (lost)" } else { "" });
    let before = format!("frame {frame}: entity {entity} ({class})");
    match change {
        Change::Remove => server.output.tell_line(format_args!("{before}: removed{lost}")),
        Change::Update { flags, written } => {
            let parts: Vec<String> = written.iter().map(|part| format!("{part}")).collect();
            server.output.tell_line(format_args!(
                "{before}: flags {:#x}: {}{lost}",
                flags & 0x00ff_ffff,
                parts.join(", ")
            ));
        }
    }
}
