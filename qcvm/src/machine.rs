//! Machines: the memory of a running progs, and calls into it.

use super::address::HostRegions;
use super::deadline::Deadline;
use super::entities::Entities;
use super::fault::{Fault, Location, RunError};
use super::globals::Globals;
use super::heap::Heap;
use super::names::Names;
use super::observe::{EntityWrite, Observer};
use super::profile::Profile;
use super::progs::{Builtin, Entry, FunctionId, Progs};
use super::stdlib::{Buffers, Files, Tables, Tokens};
use super::strings::Strings;
use super::values::UNITS_A_STATEMENT;
use super::{ARGUMENTS, FIRST_ARGUMENT, RETURN_VALUE};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// Interface from a machine to its host: builtins, and the host's memory that QuakeC has pointers to.
///
/// Every [`Machine::call`] takes an implementation, which can borrow what its builtins need for the length of that
/// call. [`stdlib::Console`](crate::stdlib::Console) is a ready-made one. A closure suffices for a host that maps no
/// memory of its own.
///
/// # Example
/// ```
/// use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
///
/// #[derive(Default)]
/// struct Game {
///     score: f32,
/// }
///
/// impl Builtins for Game {
///     fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
///         match &*builtin.name {
///             b"add_score" => {
///                 self.score += machine.argument_float(0);
///                 machine.return_float(self.score);
///                 Ok(())
///             }
///             _ => Err(builtin.unknown()),
///         }
///     }
/// }
///
/// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
/// let mut machine = Machine::new(progs.into());
/// let mut game = Game::default();
/// let add_score = machine.find_function(b"add_score").ok_or("no add_score")?;
/// machine.set_argument(0, [7f32.to_bits(), 0, 0]);
/// machine.call(add_score, &mut game)?;
/// assert_eq!(game.score, 7.0);
/// assert_eq!(machine.result_float(), 7.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Builtins {
    /// Runs a builtin: reads its arguments from `machine` and stores its result there.
    ///
    /// Arguments are read with [`Machine::argument_float`] and its relatives, results stored with
    /// [`Machine::return_float`] and its relatives. A builtin may call QuakeC through [`Machine::call`]. The call
    /// overwrites the arguments, so read them first.
    ///
    /// # Errors
    /// [`Builtin::unknown`] if the host lacks the builtin. Any [`Fault`] ends the script's call; a builtin reports its
    /// own errors as [`Fault::Script`].
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault>;

    /// Returns the word at byte `offset` (a multiple of 4) of a region, or `None` if the region has no such word.
    ///
    /// Regions get their addresses from [`Machine::map_host`]. The script's call ends with [`Fault::BadPointer`] where
    /// this returns `None`, as the default does.
    fn read_host(&mut self, region: u32, offset: u32) -> Option<u32> {
        let _ = (region, offset);
        None
    }

    /// Overwrites the word at byte `offset` (a multiple of 4) of a region; returns `None` if the word cannot be
    /// written.
    ///
    /// The script's call ends with [`Fault::BadPointer`] where this returns `None`, as the default does.
    fn write_host(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        let _ = (region, offset, bits);
        None
    }
}

impl<F: FnMut(&mut Machine, &Builtin) -> Result<(), Fault>> Builtins for F {
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        self(machine, builtin)
    }
}

/// Limits on the time and memory that a script may use.
///
/// Later versions may add limits, so start from the default.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::Console;
/// use skelobj_qcvm::{Fault, Limits, Machine, Progs};
///
/// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
/// let mut console = Console::new(&progs, |_| ());
/// let mut machine = Machine::with_limits(progs.into(), Limits { statements: 10_000, ..Limits::default() });
/// let forever = machine.find_function(b"forever").ok_or("no forever")?;
/// let error = machine.call(forever, &mut console).unwrap_err();
/// assert_eq!(error.fault, Fault::Runaway);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of statements that one call from outside may run, including those of the functions it calls.
    ///
    /// Builtins count as several statements in proportion to their work ([`Machine::charge`]). So do long strings,
    /// large functions and entities, and collections of strings. Whatever a script does, a statement takes about the
    /// same time, within a factor of 20.
    ///
    /// Consecutive statements, calls of builtins among them, are counted at the jump, call of a QuakeC function or
    /// return that ends the sequence.
    pub statements: u64,
    /// Time that all calls of a frame may take together, if the machine has a [clock](Machine::set_clock) and its host
    /// tells where a frame [begins](Machine::begin_frame).
    ///
    /// The statements bound a call alike on every machine; the time bounds what they do not. Where it ends a run
    /// depends on the machine, so that such a run cannot be repeated.
    pub frame_time: Duration,
    /// Number of QuakeC functions that may be running inside each other.
    pub depth: usize,
    /// Number of calls of [`Machine::call`] that may be running inside each other, through builtins that call QuakeC.
    pub nesting: u32,
    /// Number of words for the saved locals of running functions, and for the memory that they push.
    pub stack_words: usize,
    /// Number of bytes for strings made at run time. A temporary string counts 32 bytes and its length, a permanent one
    /// 32 bytes and twice its length.
    pub string_bytes: usize,
    /// Number of bytes that a script may allocate: blocks of memory, tables, buffers of texts, and open files. Each of
    /// them counts some bytes more than it holds.
    pub memory_bytes: usize,
    /// Number of entities, the world included.
    pub entities: u32,
    /// Number of words for the fields of all entities; at most 2^26 are used.
    pub entity_words: u32,
}

impl Default for Limits {
    /// Returns 100 million statements, 10 seconds, 1,024 functions, 16 nested calls, 1 MiB of stack, 16 MiB of strings,
    /// 16 MiB of allocated memory, 32,768 entities in 64 MiB.
    fn default() -> Self {
        Limits {
            statements: 100_000_000,
            frame_time: Duration::from_secs(10),
            depth: 1024,
            nesting: 16,
            stack_words: 1 << 18,
            string_bytes: 1 << 24,
            memory_bytes: 1 << 24,
            entities: 1 << 15,
            entity_words: 1 << 24,
        }
    }
}

/// Budget while no call is running; no work reduces it.
const NO_CALL: u64 = u64::MAX;

/// Record of a running function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// Statement after the call.
    pub(super) resume: u32,
    /// Length of the stack before the call.
    pub(super) base: usize,
}

/// Instance of a progs: globals, entities, strings and stack.
///
/// Values are words of 32 bits, as in the progs. A string is a handle; [`string`](Self::string) returns its text. The
/// host's builtins are passed to every [`call`](Self::call), so a machine owns nothing of its host. Any number of
/// machines can share one [`Progs`].
///
/// Each machine reserves 4 MiB for globals, however few the progs has; most systems provide memory only for the part in
/// use.
///
/// # Example
/// The game's `spawn_monster` returns the monster that it spawned.
/// ```
/// use skelobj_qcvm::stdlib::Console;
/// use skelobj_qcvm::{Machine, Progs};
/// use std::sync::Arc;
///
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
/// let progs = Arc::new(Progs::load(bytes)?);
/// let mut console = Console::new(&progs, |text| print!("{}", String::from_utf8_lossy(text)));
/// let mut machine = Machine::new(progs);
///
/// let spawn_monster = machine.find_function(b"spawn_monster").ok_or("no spawn_monster")?;
/// let name = machine.temporary_string(b"ogre")?;
/// machine.set_argument(0, [name, 0, 0]);
/// machine.set_argument(1, [16f32, 0.0, -24.0].map(f32::to_bits));
/// machine.call(spawn_monster, &mut console)?;
///
/// let [monster, ..] = machine.result();
/// let origin = machine.progs().field(b"origin").ok_or("no origin")?;
/// assert_eq!(machine.field_vector(monster, origin)?, [16.0, 0.0, -24.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Machine {
    pub(super) progs: Arc<Progs>,
    pub(super) globals: Globals,
    pub(super) entities: Entities,
    pub(super) strings: Strings,
    pub(super) regions: HostRegions,
    pub(super) stack: Vec<u32>,
    pub(super) frames: Vec<Frame>,
    pub(super) limits: Limits,
    /// Statements that the running call has left before the next look at the clock; work of builtins and long strings
    /// reduce it too.
    pub(super) budget: Cell<u64>,
    /// Statements that the running call has left after that look.
    pub(super) reserve: Cell<u64>,
    pub(super) deadline: Option<Box<Deadline>>,
    /// Statements that the last call from outside has counted.
    pub(super) spent: u64,
    /// Statements that the next call from outside has to pay for.
    pub(super) debt: u64,
    pub(super) nesting: u32,
    pub(super) argc: u8,
    /// Statement after the call of the running builtin.
    pub(super) calling: u32,
    /// Function to call when the running builtin returns.
    pub(super) next: Option<FunctionId>,
    /// Number of arguments set for the next call from outside.
    pub(super) prepared: u8,
    pub(super) names: Names,
    pub(super) profile: Option<Box<Profile>>,
    pub(super) observer: Option<Box<Observer>>,
    /// Statements write no field of the world.
    pub(super) protects_world: bool,
    /// Writes to removed entities, and refused ones to the world, that the host has not taken.
    pub(super) writes: Vec<EntityWrite>,
    /// Tokens that `tokenize` made.
    pub(super) tokens: Tokens,
    /// Place behind the last token of the map's entities.
    pub(super) entity_token: usize,
    pub(super) heap: Heap,
    /// Tables, buffers, and open files of the script.
    pub(super) tables: Tables,
    pub(super) buffers: Buffers,
    pub(super) files: Files,
    random: u64,
}

impl Machine {
    /// Creates a machine with the default [`Limits`].
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    /// use std::sync::Arc;
    ///
    /// let progs = Arc::new(Progs::load(&std::fs::read("examples/game.dat")?)?);
    /// let (mut first, second) = (Machine::new(progs.clone()), Machine::new(progs.clone()));
    /// let kills = progs.global(b"kills").ok_or("no kills")?;
    /// first.set_global_float(kills, 3.0);
    /// assert_eq!(second.global_float(kills), 0.0); // machines share the progs, but no memory
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(progs: Arc<Progs>) -> Self {
        Self::with_limits(progs, Limits::default())
    }

    /// Creates a machine for `progs`: globals have the values of the file, and the world is the only entity.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Fault, Limits, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::with_limits(progs.into(), Limits { entities: 2, ..Limits::default() });
    /// assert_eq!(machine.spawn_entity(), Ok(1));
    /// assert_eq!(machine.spawn_entity(), Err(Fault::NoFreeEntity { most: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_limits(progs: Arc<Progs>, limits: Limits) -> Self {
        let mut machine = Machine {
            globals: Globals::new(&progs.globals),
            entities: Entities::new(progs.entity_words, limits.entities, limits.entity_words.min(1 << 26)),
            strings: Strings::new(limits.string_bytes),
            regions: HostRegions::default(),
            stack: Vec::new(),
            frames: Vec::new(),
            limits,
            budget: Cell::new(NO_CALL),
            reserve: Cell::new(0),
            deadline: None,
            spent: 0,
            debt: 0,
            nesting: 0,
            argc: 0,
            calling: 0,
            next: None,
            prepared: 0,
            names: Names::new(&progs),
            tokens: Tokens::default(),
            profile: None,
            observer: None,
            protects_world: false,
            writes: Vec::new(),
            entity_token: 0,
            heap: Heap::default(),
            tables: Tables::default(),
            buffers: Buffers::default(),
            files: Files::default(),
            random: 0x2545_f491_4f6c_dd1d,
            progs,
        };
        // fteqcc's version 6 code tests this global before it uses the opcodes for arrays.
        if let Some(global) = machine.progs.global(b"__ext__fasttrackarrays") {
            machine.set_global_float(global, 1.0);
        }
        machine
    }

    /// Returns the progs of the machine.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let kills = machine.progs().global(b"kills").ok_or("no kills")?;
    /// assert_eq!(machine.global_float(kills), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn progs(&self) -> &Arc<Progs> {
        &self.progs
    }

    /// Returns the function with this name, as [`Progs::function`] does.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// assert!(machine.find_function(b"damage").is_some());
    /// assert!(machine.find_function(b"heal").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_function(&self, name: &[u8]) -> Option<FunctionId> {
        self.progs.function(name)
    }

    /// Sets argument `number` (0 to 7) of the next [`call`](Self::call).
    ///
    /// A vector takes three words. Other values are the first word: the bits of a float, a string handle, an entity
    /// number. The next call gets as many arguments as the highest number set. Other numbers than 0 to 7 are ignored.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let damage = machine.find_function(b"damage").ok_or("no damage")?;
    /// let monster = machine.spawn_entity()?;
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// machine.set_field_float(monster, health, 100.0)?;
    ///
    /// machine.set_argument(0, [monster, 0, 0]);
    /// machine.set_argument(1, [30f32.to_bits(), 0, 0]);
    /// machine.call(damage, &mut console)?;
    /// assert_eq!(machine.field_float(monster, health)?, 70.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_argument(&mut self, number: usize, words: [u32; 3]) {
        if number < ARGUMENTS {
            self.set_words(FIRST_ARGUMENT + 3 * number as u32, words);
            self.prepared = self.prepared.max(number as u8 + 1);
        }
    }

    /// Returns the result of the last call: three words for a vector, the first word for other types.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let greeting = machine.find_function(b"greeting").ok_or("no greeting")?;
    /// let name = machine.temporary_string(b"ranger")?;
    /// machine.set_argument(0, [name, 0, 0]);
    /// machine.call(greeting, &mut console)?;
    /// let [text, ..] = machine.result();
    /// assert_eq!(machine.string(text)?, b"Welcome, ranger");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn result(&self) -> [u32; 3] {
        self.words(RETURN_VALUE)
    }

    /// Returns the location of the call of the running builtin, for messages; `None` if the host called the builtin.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    ///
    /// /// Host that lists the calls of builtins.
    /// struct Profile(Vec<String>);
    ///
    /// impl Builtins for Profile {
    ///     fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
    ///         let location = machine.call_location().map(|location| location.to_string());
    ///         self.0.push(format!("{}: {}", location.unwrap_or_default(), String::from_utf8_lossy(&builtin.name)));
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let mut profile = Profile(Vec::new());
    /// let press_button = machine.find_function(b"press_button").ok_or("no press_button")?;
    /// machine.call(press_button, &mut profile)?;
    /// assert_eq!(profile.0, ["game.qc: press_button, statement 37: schedule"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn call_location(&self) -> Option<Location> {
        let frame = self.frames.last()?;
        Some(self.progs.location(frame.function, self.calling.saturating_sub(1)))
    }

    /// Runs a function until it returns, with the arguments set by [`set_argument`](Self::set_argument).
    ///
    /// [`result`](Self::result) returns its result. Builtins may call this too; the inner call shares the statements of
    /// the call that the builtin runs in.
    ///
    /// # Errors
    /// A [`RunError`] with the [`Fault`] and its location. The machine stays usable: locals get their old values back,
    /// everything else keeps the values it had when the error happened.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let open_door = machine.find_function(b"open_door").ok_or("no open_door")?;
    /// machine.call(open_door, &mut console)?;
    /// let open = machine.progs().global(b"open").ok_or("no open")?;
    /// assert_eq!(machine.global_float(open), 1.0);
    ///
    /// // The console lacks the host's builtin `schedule`.
    /// let press_button = machine.find_function(b"press_button").ok_or("no press_button")?;
    /// let error = machine.call(press_button, &mut console).unwrap_err();
    /// assert_eq!(error.to_string(), "game.qc: press_button, statement 37: unknown builtin \"schedule\"");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call<B: Builtins + ?Sized>(&mut self, function: FunctionId, host: &mut B) -> Result<(), RunError> {
        let progs = Arc::clone(&self.progs);
        let argc = std::mem::replace(&mut self.argc, std::mem::take(&mut self.prepared));
        let calling = self.calling;
        let next = self.next.take();
        if self.nesting == 0 {
            self.set_left(self.limits.statements);
            self.profile_call();
            self.collect_if_due();
        }
        self.nesting += 1;
        let depth = self.frames.len();
        let outcome = if self.nesting > self.limits.nesting {
            Err((Fault::NestedTooDeep, 0))
        } else if let Err(fault) = self.begin() {
            Err((fault, 0))
        } else {
            match self.run_builtins(&progs, function, host) {
                Ok(Some(function)) if self.observer.is_some() => self.execute::<B, true>(&progs, function, host),
                Ok(Some(function)) => self.execute::<B, false>(&progs, function, host),
                Ok(None) => Ok(()),
                Err(fault) => Err((fault, 0)),
            }
        };
        let outcome = outcome.map_err(|(fault, statement)| {
            let frames = self.frames.get(depth..).unwrap_or_default();
            let culprit = frames.last().map_or(function, |frame| frame.function);
            // A frame resumes its caller, the frame before it, after the call.
            let calls = frames.iter().zip(frames.get(1..).unwrap_or_default()).rev();
            RunError {
                fault,
                location: progs.location(culprit, statement),
                callers: calls
                    .map(|(caller, callee)| progs.location(caller.function, callee.resume.saturating_sub(1)))
                    .collect(),
            }
        });
        while self.frames.len() > depth {
            self.leave(&progs);
        }
        self.nesting -= 1;
        if self.nesting == 0 {
            self.look_after(function);
            self.spent = self.limits.statements.saturating_sub(self.left());
            self.budget.set(NO_CALL);
            self.reserve.set(0);
        }
        self.argc = argc;
        self.calling = calling;
        self.next = next;
        outcome
    }

    /// Calls a QuakeC function or a builtin as soon as the running builtin returns.
    ///
    /// It gets the first `arguments` arguments of the builtin, and what it returns is the result of the builtin.
    ///
    /// The function takes the place of the builtin: it runs in the budget and the depth of the running call, and a host
    /// needs no call of its own. A second request replaces the first one. Without a running builtin nothing is called.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let progs = std::sync::Arc::new(Progs::load(&std::fs::read("examples/game.dat")?)?);
    /// let mut machine = Machine::new(progs.clone());
    /// let open_door = machine.find_function(b"open_door").ok_or("no open_door")?;
    /// let mut at_once = |machine: &mut Machine, builtin: &Builtin| -> Result<(), Fault> {
    ///     if &*builtin.name == b"schedule" {
    ///         machine.call_next(open_door, 0);
    ///     }
    ///     Ok(())
    /// };
    /// machine.call(machine.find_function(b"press_button").ok_or("no press_button")?, &mut at_once)?;
    /// assert_eq!(machine.global_float(progs.global(b"open").ok_or("no open")?), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call_next(&mut self, function: FunctionId, arguments: usize) {
        if self.nesting > 0 {
            self.next = Some(function);
            self.argc = self.argc.min(u8::try_from(arguments).unwrap_or(u8::MAX));
        }
    }

    /// Checks the time of the frame before a call from outside, and charges the work that the script caused before.
    fn begin(&mut self) -> Result<(), Fault> {
        if self.nesting == 1 {
            self.look_before()?;
        }
        self.pay_debt()
    }

    /// Runs a function if it is a builtin, and then the builtins that are called next. Returns the QuakeC function that
    /// follows.
    fn run_builtins<B: Builtins + ?Sized>(
        &mut self,
        progs: &Progs,
        mut function: FunctionId,
        host: &mut B,
    ) -> Result<Option<FunctionId>, Fault> {
        loop {
            match progs.entries.get(function.0 as usize) {
                Some(Entry::Statement(_)) => return Ok(Some(function)),
                Some(&Entry::Builtin(index)) => {
                    let builtin = progs.builtins.get(index as usize).ok_or(Fault::BadFunction(function.0))?;
                    host.call(self, builtin)?;
                }
                Some(Entry::Null) => return Err(Fault::NullFunction),
                None => return Err(Fault::BadFunction(function.0)),
            }
            let Some(next) = self.next.take() else { return Ok(None) };
            self.charge(1)?;
            function = next;
        }
    }

    /// Runs the builtins that are called next. Returns the QuakeC function that follows.
    #[cold]
    pub(super) fn take_next<B: Builtins + ?Sized>(
        &mut self,
        progs: &Progs,
        host: &mut B,
    ) -> Result<Option<FunctionId>, Fault> {
        let Some(next) = self.next.take() else { return Ok(None) };
        self.run_builtins(progs, next, host)
    }

    /// Frees the temporary strings whose handles no global, entity, local or allocated block holds.
    ///
    /// The machine does so automatically, between statements, once many strings have been made. It never does while a
    /// builtin runs, so a builtin can rely on its handles. A host that keeps handles across calls, or in its own memory
    /// that QuakeC has pointers to, makes the strings with [`permanent_string`](Self::permanent_string).
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let text = machine.temporary_string(b"gone soon")?;
    /// machine.collect_strings();
    /// assert!(machine.string(text).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(never)]
    pub fn collect_strings(&mut self) {
        self.mark_and_sweep();
    }

    /// Collects strings; returns the number of words and strings visited.
    fn mark_and_sweep(&mut self) -> u64 {
        let held = [self.globals.as_slice(), &self.stack, self.heap.words(), &self.entities.words];
        held.iter().for_each(|words| self.strings.mark(words));
        let words = held.iter().map(|words| words.len()).sum();
        words as u64 + self.strings.sweep(words) as u64
    }

    /// Collects strings if many are new and no builtin that could hold a handle is running.
    #[inline]
    pub(super) fn collect_if_due(&mut self) {
        if self.strings.is_collection_due() && self.nesting <= 1 {
            let scanned = self.mark_and_sweep();
            // Where strings nearly fill their memory, collections follow each other closely. The next jump reports an
            // exhausted budget.
            let _ = self.charge(scanned / UNITS_A_STATEMENT);
        }
    }

    /// Returns the number of live strings made at run time, and the bytes they count in [`Limits::string_bytes`].
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// machine.permanent_string(b"e1m1")?;
    /// machine.temporary_string(b"e1m2")?;
    /// let (strings, bytes) = machine.string_usage();
    /// assert_eq!(strings, 2);
    /// assert!(bytes > 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn string_usage(&self) -> (usize, usize) {
        self.strings.usage()
    }

    /// Restarts the sequence of [`random`](Self::random) from a seed, whose lowest bit is ignored.
    ///
    /// Every new machine starts with the same seed, so that a run can be repeated.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// machine.seed_random(1996);
    /// let first = machine.random();
    /// machine.seed_random(1996);
    /// assert_eq!(machine.random(), first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn seed_random(&mut self, seed: u64) {
        self.random = seed | 1;
    }

    /// Returns a random number from 0 to 32,767, the range of C's `rand` that QuakeC's random opcodes are made for.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let chance = f32::from(machine.random()) / 32768.0; // as the builtin `random` computes it
    /// assert!((0.0..1.0).contains(&chance));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn random(&mut self) -> u16 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 49) as u16
    }
}
