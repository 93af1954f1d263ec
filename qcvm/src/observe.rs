//! Observation of statements: breakpoints, and writes to entities that cannot be meant.

use std::fmt;
use std::ops::Range;

use super::address::DISCARDED;
use super::fault::Location;
use super::machine::Machine;
use super::opcode::{Instruction, Op};
use super::progs::{Entry, FunctionId, Global, Progs};

/// Maximum number of writes that wait for the host.
const MAX_WRITES: usize = 1024;

/// Receiver of stops.
type Stop = dyn FnMut(&Machine) + Send;

/// Breakpoints and watches of a machine. A machine without an observer runs another copy of the interpreter's loop, in
/// which observation costs nothing.
#[derive(Default)]
pub(super) struct Observer {
    /// Statements that have breakpoints, in ascending order.
    breakpoints: Vec<u32>,
    stop: Option<Box<Stop>>,
    /// Writes to removed entities are noted.
    writes: bool,
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer").field("breakpoints", &self.breakpoints).finish_non_exhaustive()
    }
}

/// Write to a field of a removed entity, or a refused one of the world.
///
/// [`Machine::watch_writes`] and [`Machine::protect_world`] show uses.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EntityWrite {
    /// Number of the entity, 0 for the world.
    pub entity: u32,
    /// Name of the field, empty if the progs does not name it.
    pub field: Box<[u8]>,
    /// Statement that writes.
    pub location: Location,
}

impl Progs {
    /// Returns the statements of a function; empty for a builtin and for a number that is not that of a function.
    ///
    /// [`line`](Self::line) tells their lines. [`Machine::set_breakpoints`] shows a use.
    #[must_use]
    pub fn statements_of(&self, function: FunctionId) -> Range<u32> {
        let start = |entry: &Entry| match *entry {
            Entry::Statement(start) => Some(start),
            _ => None,
        };
        let Some(first) = self.entries.get(function.0 as usize).and_then(start) else { return 0..0 };
        let next = self.entries.iter().filter_map(start).filter(|start| *start > first).min();
        first..next.unwrap_or(self.code.len() as u32)
    }

    /// Returns the parameters and local variables of a function that the progs names, in the order of their places,
    /// without the constants that compilers put between them.
    ///
    /// Compilers may give variables of several functions the same place.
    pub fn locals(&self, function: FunctionId) -> impl Iterator<Item = (&[u8], Global)> {
        let places = self.functions.get(function.0 as usize).map_or(0..0, |function| {
            let words: u32 = function.sizes.iter().take(function.parameters.into()).map(|size| u32::from(*size)).sum();
            function.first_local..function.first_local.saturating_add(words.max(function.locals))
        });
        let is_local =
            |name: &[u8], global: &Global| !name.is_empty() && name != b"IMMEDIATE" && places.contains(&global.offset);
        let mut locals: Vec<(&[u8], Global)> = self.globals().filter(|(name, global)| is_local(name, global)).collect();
        locals.sort_by_key(|(_, global)| global.offset);
        locals.into_iter()
    }
}

impl Machine {
    /// Calls `stop` whenever one of these statements of the progs is about to run. A second call replaces the first.
    ///
    /// While there are breakpoints, scripts run slower. `stop` reads the machine, for example its
    /// [`call_stack`](Self::call_stack), globals and fields; the script goes on when it returns.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// use std::sync::mpsc;
    ///
    /// let progs = std::sync::Arc::new(Progs::load(&std::fs::read("examples/game.dat")?)?);
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.clone());
    /// let damage = machine.find_function(b"damage").ok_or("no damage")?;
    /// let (sender, stops) = mpsc::channel();
    /// machine.set_breakpoints([progs.statements_of(damage).start], move |machine| {
    ///     let function = machine.call_stack().first().map(|location| location.function.clone());
    ///     let amount = machine.running().and_then(|function| machine.progs().locals(function).nth(1));
    ///     drop(sender.send((function, amount.map(|(_, amount)| machine.global_float(amount)))));
    /// });
    /// let monster = machine.spawn_entity()?;
    /// machine.set_argument(0, [monster, 0, 0]);
    /// machine.set_argument(1, [(-30f32).to_bits(), 0, 0]);
    /// machine.call(damage, &mut console)?;
    /// assert_eq!(stops.try_recv()?, (Some("damage".to_owned()), Some(-30.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_breakpoints(
        &mut self,
        statements: impl IntoIterator<Item = u32>,
        stop: impl FnMut(&Machine) + Send + 'static,
    ) {
        let observer = self.observer.get_or_insert_default();
        observer.breakpoints = statements.into_iter().collect();
        observer.breakpoints.sort_unstable();
        observer.stop = Some(Box::new(stop));
        self.forget_idle_observer();
    }

    /// Notes writes to fields of removed entities from the next call on. Scripts run slower from then on.
    ///
    /// The writes take effect as before. [`take_writes`](Self::take_writes) returns them.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    ///
    /// let progs = std::sync::Arc::new(Progs::load(&std::fs::read("examples/game.dat")?)?);
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs);
    /// machine.watch_writes();
    /// let monster = machine.spawn_entity()?;
    /// machine.remove_entity(monster)?;
    /// machine.set_argument(0, [monster, 0, 0]);
    /// machine.set_argument(1, [(-5f32).to_bits(), 0, 0]);
    /// machine.call(machine.find_function(b"damage").ok_or("no damage")?, &mut console)?;
    /// let writes = machine.take_writes();
    /// assert_eq!((writes[0].entity, &*writes[0].field), (monster, &b"health"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch_writes(&mut self) {
        self.observer.get_or_insert_default().writes = true;
    }

    /// Refuses writes of statements to fields of the world from the next call on, as engines do once a level has
    /// started.
    ///
    /// A refused write changes nothing, and is noted; [`take_writes`](Self::take_writes) returns it. Builtins and the
    /// host may still change the world.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    ///
    /// let progs = std::sync::Arc::new(Progs::load(&std::fs::read("examples/game.dat")?)?);
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.clone());
    /// let health = progs.field(b"health").ok_or("no health")?;
    /// machine.set_field_float(0, health, 100.0)?;
    /// machine.protect_world();
    /// machine.set_argument(0, [0; 3]);
    /// machine.set_argument(1, [5f32.to_bits(), 0, 0]);
    /// machine.call(machine.find_function(b"damage").ok_or("no damage")?, &mut console)?;
    /// assert_eq!(machine.field_float(0, health)?, 100.0);
    /// assert_eq!(machine.take_writes()[0].entity, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn protect_world(&mut self) {
        self.protects_world = true;
    }

    /// Returns the noted writes since the last call, at most 1,024.
    ///
    /// [`watch_writes`](Self::watch_writes) shows a use.
    pub fn take_writes(&mut self) -> Vec<EntityWrite> {
        std::mem::take(&mut self.writes)
    }

    /// Returns the function that runs, `None` while none does.
    #[must_use]
    pub fn running(&self) -> Option<FunctionId> {
        self.frames.last().map(|frame| frame.function)
    }

    /// Returns the statement that runs and those that called its function, innermost first, in a builtin or at a
    /// breakpoint.
    ///
    /// [`set_breakpoints`](Self::set_breakpoints) shows a use.
    #[must_use]
    pub fn call_stack(&self) -> Vec<Location> {
        let mut next = self.calling;
        let frames = self.frames.iter().rev();
        frames
            .map(|frame| {
                let statement = std::mem::replace(&mut next, frame.resume).saturating_sub(1);
                self.progs.location(frame.function, statement)
            })
            .collect()
    }

    /// Frees an observer that has nothing to observe.
    fn forget_idle_observer(&mut self) {
        self.observer.take_if(|observer| observer.breakpoints.is_empty() && !observer.writes);
    }

    /// Observes a statement that is about to run.
    #[cold]
    #[inline(never)]
    pub(super) fn observe(&mut self, progs: &Progs, statement: u32, i: &Instruction) {
        let Some(mut observer) = self.observer.take() else { return };
        self.calling = statement + 1;
        if observer.breakpoints.binary_search(&statement).is_ok()
            && let Some(stop) = &mut observer.stop
        {
            stop(self);
        }
        if observer.writes
            && let Some((entity, field)) = self.written(i)
            && !self.is_entity_alive(entity)
        {
            self.note_write(progs, statement, entity, field);
        }
        self.observer = Some(observer);
    }

    /// Notes a write of a statement to the protected world, which does not happen.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_write(&mut self, progs: &Progs, statement: u32, i: &Instruction) {
        self.note_write(progs, statement, 0, self.word(i.b));
        if i.op == Op::Address {
            self.set_word(i.c, DISCARDED);
        }
    }

    fn note_write(&mut self, progs: &Progs, statement: u32, entity: u32, field: u32) {
        if self.writes.len() >= MAX_WRITES {
            return;
        }
        // The first definition has neither a name nor a field.
        let mut named = progs.fields().filter(|(name, known)| !name.is_empty() && known.offset == field);
        let field = named.next().map_or(&[][..], |(name, _)| name);
        let function = self.running().unwrap_or(FunctionId(0));
        let location = progs.location(function, statement);
        self.writes.push(EntityWrite { entity, field: field.into(), location });
    }

    /// Returns the entity and the field that a statement is about to write.
    fn written(&self, i: &Instruction) -> Option<(u32, u32)> {
        match i.op {
            // Compilers take an address only to write there.
            Op::Address | Op::StoreField | Op::StoreFieldV | Op::StoreFieldWide => {
                Some((self.word(i.a), self.word(i.b)))
            }
            Op::State => Some((self.global(self.names.this?), self.names.frame?.offset)),
            Op::ThinkTime => Some((self.word(i.a), self.names.nextthink?.offset)),
            _ => None,
        }
    }
}
