//! The machine: the memory that a running progs has, and calls into it.

use super::address::HostRegions;
use super::entities::Entities;
use super::fault::{Fault, RunError};
use super::globals::Globals;
use super::names::Names;
use super::progs::{Builtin, Entry, FunctionId, Progs};
use super::strings::Strings;
use super::values::UNITS_A_STATEMENT;
use super::{ARGUMENTS, FIRST_ARGUMENT, RETURN_VALUE};
use std::cell::Cell;
use std::sync::Arc;

/// What a machine calls: the builtins of its host, and the host's memory that QuakeC has pointers to.
pub trait Builtins {
    /// Runs a builtin: reads its arguments from `machine` and puts its result there.
    ///
    /// A builtin that is unknown gives [`Fault::UnknownBuiltin`]. A builtin may call QuakeC through
    /// [`Machine::call`]; that overwrites the arguments, so it reads them first.
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault>;

    /// The word at byte `offset`, a multiple of 4, of a region given to [`Machine::map_host`]; `None` if there is none.
    fn read_host(&mut self, region: u32, offset: u32) -> Option<u32> {
        let _ = (region, offset);
        None
    }

    /// Overwrites the word at byte `offset`, a multiple of 4, of a region; `None` if that cannot be written.
    fn write_host(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        let _ = (region, offset, bits);
        None
    }
}

/// How much a machine may use. Further limits may be added: start from the default, as in
/// `Limits { depth: 64, ..Limits::default() }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Statements that one call from outside may run, with all that it calls. Builtins count as more than one in proportion to
    /// their work ([`Machine::charge`]), and so do long strings, large functions and entities, and collections of strings:
    /// whatever a script does, a statement takes about the same time, within a factor of 20.
    ///
    /// Statements in a row, calls of builtins among them, are counted at the jump, the call of a QuakeC function or the
    /// return that ends them.
    pub statements: u64,
    /// Functions that may be running inside each other.
    pub depth: usize,
    /// Builtins that may be running inside each other, because they call QuakeC.
    pub nesting: u32,
    /// Words for the saved locals of running functions.
    pub stack_words: usize,
    /// Bytes for strings made at run time, each counted with 32 bytes more than it has.
    pub string_bytes: usize,
    /// Entities, the world included.
    pub entities: u32,
    /// Words for the fields of all entities; at most 2^26 are used.
    pub entity_words: u32,
}

impl Default for Limits {
    /// 100 million statements, 1,024 functions, 16 nested builtins, 1 MiB of stack, 16 MiB of strings, 32,768 entities in
    /// 64 MiB.
    fn default() -> Self {
        Limits {
            statements: 100_000_000,
            depth: 1024,
            nesting: 16,
            stack_words: 1 << 18,
            string_bytes: 1 << 24,
            entities: 1 << 15,
            entity_words: 1 << 24,
        }
    }
}

/// The budget while no call is running, which nothing uses up.
const NO_CALL: u64 = u64::MAX;

/// A running function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// The statement after the call.
    pub(super) resume: u32,
    /// The length of the stack before it.
    pub(super) base: usize,
}

/// A running progs: its globals, entities, strings and stack.
///
/// Values are words of 32 bits, as in the progs. Strings are handles: see [`string`](Self::string). The host's builtins
/// are passed to every [`call`](Self::call), so that a machine owns nothing of its host.
///
/// The globals have 4 MiB, however few there are; most systems give that when it is first used.
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
    /// What is left of the statements of the running call; reading long strings uses them up, too.
    pub(super) budget: Cell<u64>,
    pub(super) nesting: u32,
    pub(super) argc: u8,
    /// Arguments set for the next call from outside.
    pub(super) prepared: u8,
    pub(super) names: Names,
    random: u64,
}

impl Machine {
    /// A machine with the default [`Limits`].
    #[must_use]
    pub fn new(progs: Arc<Progs>) -> Self {
        Self::with_limits(progs, Limits::default())
    }

    /// A machine about to run `progs`: globals as in the file, the world as its only entity.
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
            nesting: 0,
            argc: 0,
            prepared: 0,
            names: Names::new(&progs),
            random: 0x2545_f491_4f6c_dd1d,
            progs,
        };
        // fteqcc's version 6 code asks this global whether the opcodes for arrays may be used.
        if let Some(global) = machine.progs.global(b"__ext__fasttrackarrays") {
            machine.set_global_float(global, 1.0);
        }
        machine
    }

    /// The progs that it runs.
    pub fn progs(&self) -> &Arc<Progs> {
        &self.progs
    }

    /// The function called `name`, as [`Progs::function`].
    pub fn find_function(&self, name: &[u8]) -> Option<FunctionId> {
        self.progs.function(name)
    }

    /// Puts an argument in place for the next [`call`](Self::call): `number` from 0 to 7, floats as their bits.
    pub fn set_argument(&mut self, number: usize, words: [u32; 3]) {
        if number < ARGUMENTS {
            self.set_words(FIRST_ARGUMENT + 3 * number as u32, words);
            self.prepared = self.prepared.max(number as u8 + 1);
        }
    }

    /// The result of the last call; a vector fills all three words, anything else the first.
    pub fn result(&self) -> [u32; 3] {
        self.words(RETURN_VALUE)
    }

    /// Runs a function with the arguments set by [`set_argument`](Self::set_argument) until it returns.
    ///
    /// Builtins may use this too; they then share the statements of the call that they run in. After an error the machine
    /// can be used further: locals are restored, everything else stays as it was when the error happened.
    pub fn call<B: Builtins + ?Sized>(&mut self, function: FunctionId, host: &mut B) -> Result<(), RunError> {
        let progs = Arc::clone(&self.progs);
        let argc = std::mem::replace(&mut self.argc, std::mem::take(&mut self.prepared));
        if self.nesting == 0 {
            self.budget.set(self.limits.statements);
            self.collect_if_due();
        }
        self.nesting += 1;
        let depth = self.frames.len();
        let outcome = if self.nesting > self.limits.nesting {
            Err((Fault::NestedTooDeep, 0))
        } else {
            match progs.entries.get(function.0 as usize) {
                Some(Entry::Statement(_)) => self.execute(&progs, function, host),
                Some(&Entry::Builtin(index)) => match progs.builtins.get(index as usize) {
                    Some(builtin) => host.call(self, builtin).map_err(|fault| (fault, 0)),
                    None => Err((Fault::BadFunction(function.0), 0)),
                },
                Some(Entry::Null) => Err((Fault::NullFunction, 0)),
                None => Err((Fault::BadFunction(function.0), 0)),
            }
        };
        let outcome = outcome.map_err(|(fault, statement)| {
            let culprit = self.frames.get(depth..).and_then(|f| f.last()).map_or(function, |frame| frame.function);
            let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
            RunError {
                fault,
                function: text(progs.function_name(culprit)),
                file: text(progs.function_file(culprit)),
                statement,
            }
        });
        while self.frames.len() > depth {
            self.leave(&progs);
        }
        self.nesting -= 1;
        if self.nesting == 0 {
            self.budget.set(NO_CALL);
        }
        self.argc = argc;
        outcome
    }

    /// Frees the temporary strings that no global, entity or local holds.
    ///
    /// This happens by itself, between statements, when many strings have been made; never while a builtin runs, so that
    /// a builtin can rely on the handles that it has. A host that keeps handles over calls, or in memory of its own that
    /// QuakeC has pointers to, makes them with [`permanent_string`](Self::permanent_string).
    #[inline(never)]
    pub fn collect_strings(&mut self) {
        self.mark_and_sweep();
    }

    /// Collects strings, and returns how many words and strings it went through.
    fn mark_and_sweep(&mut self) -> u64 {
        let held = [self.globals.as_slice(), &self.stack, &self.entities.words];
        held.iter().for_each(|words| self.strings.mark(words));
        let words = held.iter().map(|words| words.len()).sum();
        words as u64 + self.strings.sweep(words) as u64
    }

    /// Collects strings if many are new and only QuakeC, no builtin, could hold them.
    #[inline]
    pub(super) fn collect_if_due(&mut self) {
        if self.strings.is_collection_due() && self.nesting <= 1 {
            let scanned = self.mark_and_sweep();
            // Where strings nearly fill their memory, collections follow each other closely: the next jump sees an empty
            // budget.
            let _ = self.charge(scanned / UNITS_A_STATEMENT);
        }
    }

    /// How many strings made at run time are alive, and the bytes that they count for in [`Limits::string_bytes`].
    pub fn string_usage(&self) -> (usize, usize) {
        self.strings.usage()
    }

    /// Starts the sequence of [`random`](Self::random) anew; each machine starts with the same one.
    pub fn seed_random(&mut self, seed: u64) {
        self.random = seed | 1;
    }

    /// A random number from 0 to 32,767, as C libraries give them and QuakeC's random opcodes use them.
    pub fn random(&mut self) -> u16 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 49) as u16
    }
}
