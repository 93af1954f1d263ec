//! Words, globals and strings of a machine.

use super::fault::Fault;
use super::machine::Machine;
use super::progs::Global;
use super::strings::ALLOCATED;

/// Bytes of text, or words of memory, that a builtin processes in the time of one statement.
pub(super) const UNITS_A_STATEMENT: u64 = 16;

/// Converts words to the floats of a vector.
#[inline]
pub(super) fn floats(words: [u32; 3]) -> [f32; 3] {
    words.map(f32::from_bits)
}

impl Machine {
    #[inline(always)]
    pub(super) fn word(&self, index: u32) -> u32 {
        self.globals.word(index)
    }

    #[inline(always)]
    pub(super) fn set_word(&mut self, index: u32, bits: u32) {
        self.globals.set_word(index, bits);
    }

    #[inline(always)]
    pub(super) fn words(&self, index: u32) -> [u32; 3] {
        self.globals.words(index)
    }

    #[inline(always)]
    pub(super) fn set_words(&mut self, index: u32, words: [u32; 3]) {
        self.globals.set_words(index, words);
    }

    /// Returns the first word of a global.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let this = machine.progs().global(b"self").ok_or("no self")?;
    /// assert_eq!(machine.global(this), 0); // the world
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn global(&self, global: Global) -> u32 {
        self.word(global.offset)
    }

    /// Returns a global as a float.
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
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn global_float(&self, global: Global) -> f32 {
        f32::from_bits(self.word(global.offset))
    }

    /// Returns a global as a vector.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let [forward, right, up] = machine.progs().axes();
    /// machine.set_global_vector(up, [0.0, 0.0, 1.0]);
    /// assert_eq!(machine.global_vector(up), [0.0, 0.0, 1.0]);
    /// assert_eq!(machine.global_vector(forward), [0.0; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn global_vector(&self, global: Global) -> [f32; 3] {
        floats(self.words(global.offset))
    }

    /// Sets the first word of a global.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let this = machine.progs().global(b"self").ok_or("no self")?;
    /// let monster = machine.spawn_entity()?;
    /// machine.set_global(this, monster); // before an engine calls the monster's think function
    /// assert_eq!(machine.global(this), monster);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn set_global(&mut self, global: Global, bits: u32) {
        self.set_word(global.offset, bits);
    }

    /// Sets a global to a float.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let time = machine.progs().global(b"time").ok_or("no time")?;
    /// let frame_time = 0.05;
    /// machine.set_global_float(time, machine.global_float(time) + frame_time);
    /// assert_eq!(machine.global_float(time), 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn set_global_float(&mut self, global: Global, value: f32) {
        self.set_word(global.offset, value.to_bits());
    }

    /// Sets a global to a vector.
    #[inline]
    pub fn set_global_vector(&mut self, global: Global, value: [f32; 3]) {
        self.set_words(global.offset, value.map(f32::to_bits));
    }

    /// Counts work of a builtin as this many statements of the running call, so that no script can run forever in
    /// builtins.
    ///
    /// Outside of calls, work is not counted.
    ///
    /// # Errors
    /// [`Fault::Runaway`] if the call has used up its [statements](super::Limits::statements), [`Fault::Overtime`] if
    /// the frame has used up its [time](super::Limits::frame_time). The builtin must then return.
    ///
    /// # Example
    /// A builtin that visits every entity:
    /// ```
    /// use skelobj_qcvm::{Builtin, Fault, Limits, Machine, Progs};
    ///
    /// let mut count_living = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     machine.charge(u64::from(machine.entity_count()))?;
    ///     let living = (0..machine.entity_count()).filter(|&entity| machine.is_entity_alive(entity)).count();
    ///     machine.return_float(living as f32);
    ///     Ok(())
    /// };
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::with_limits(progs.into(), Limits { statements: 2, ..Limits::default() });
    /// let add_score = machine.find_function(b"add_score").ok_or("no add_score")?;
    /// machine.spawn_entity()?;
    /// machine.call(add_score, &mut count_living)?;
    /// assert_eq!(machine.result_float(), 2.0); // the world and a monster
    /// machine.spawn_entity()?;
    /// assert_eq!(machine.call(add_score, &mut count_living).unwrap_err().fault, Fault::Runaway);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn charge(&self, statements: u64) -> Result<(), Fault> {
        let Some(left) = self.budget.get().checked_sub(statements) else { return self.charge_beyond(statements) };
        self.budget.set(left);
        Ok(())
    }

    /// Charges the work that a script caused outside of its calls.
    pub(super) fn pay_debt(&mut self) -> Result<(), Fault> {
        let debt = std::mem::take(&mut self.debt);
        self.charge(debt)
    }

    /// Counts work that a script caused outside of its calls, such as a step of the physics, as this many statements of
    /// the next call from outside.
    ///
    /// A call that cannot pay for it fails with [`Fault::Runaway`] before it runs anything; the debt is then paid.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Fault, Limits, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::with_limits(progs.into(), Limits { statements: 1000, ..Limits::default() });
    /// let open_door = machine.find_function(b"open_door").ok_or("no open_door")?;
    /// machine.owe(1001);
    /// assert_eq!(machine.call(open_door, &mut console).unwrap_err().fault, Fault::Runaway);
    /// machine.call(open_door, &mut console)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn owe(&mut self, statements: u64) {
        self.debt = self.debt.saturating_add(statements);
    }

    /// Returns the number of statements that the last call from outside has counted, including the work of builtins.
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
    /// assert!((1..100).contains(&machine.spent()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the text of the string with this handle, without a terminator.
    ///
    /// Handle 0 is the empty string. Other handles are literals of the progs or strings made at run time. Long texts
    /// are charged to the running call.
    ///
    /// # Errors
    /// [`Fault::BadString`] if the handle is not, or no longer, a string; [`Fault::Runaway`] if the call has no
    /// statements left.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Fault, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let name = machine.permanent_string(b"ogre")?;
    /// assert_eq!(machine.string(name)?, b"ogre");
    /// assert_eq!(machine.string(0x8000_ffff), Err(Fault::BadString(0x8000_ffff)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(never)]
    pub fn string(&self, handle: u32) -> Result<&[u8], Fault> {
        let text = if handle < ALLOCATED {
            self.progs.string(handle).ok_or(Fault::BadString(handle))
        } else {
            self.made(handle)
        };
        text.and_then(|text| {
            self.charge(text.len() as u64 / UNITS_A_STATEMENT)?;
            Ok(text)
        })
    }

    /// Returns the text of a string made at run time without charging for it, for callers that read a part.
    pub(super) fn made(&self, handle: u32) -> Result<&[u8], Fault> {
        self.strings.get(handle).ok_or(Fault::BadString(handle))
    }

    /// Makes a string that lives until nothing in the machine's memory holds its handle, and returns the handle.
    ///
    /// The text ends at its first NUL. Long texts are charged to the running call.
    ///
    /// # Errors
    /// [`Fault::NoStringMemory`] if all strings together exceed [`Limits::string_bytes`](super::Limits::string_bytes);
    /// [`Fault::Runaway`] if the call has no statements left.
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
    /// machine.set_argument(0, [name, 0, 0]); // an argument holds the string
    /// machine.call(greeting, &mut console)?;
    /// assert_eq!(machine.string(machine.result()[0])?, b"Welcome, ranger");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn temporary_string(&mut self, text: &[u8]) -> Result<u32, Fault> {
        self.charge(text.len() as u64 / UNITS_A_STATEMENT)?;
        self.strings.temporary(text)
    }

    /// Returns the handle of a new string, which is not the null string even if it is empty.
    pub(super) fn line(&mut self, text: &[u8]) -> Result<u32, Fault> {
        self.charge(text.len() as u64 / UNITS_A_STATEMENT)?;
        self.strings.line(text)
    }

    /// Returns the handle of a string that lives as long as the machine; equal texts share one handle.
    ///
    /// The text ends at its first NUL. Long texts are charged to the running call.
    ///
    /// # Errors
    /// The errors of [`temporary_string`](Self::temporary_string).
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let name = machine.permanent_string(b"ogre")?;
    /// machine.collect_strings();
    /// assert_eq!(machine.string(name)?, b"ogre");
    /// assert_eq!(machine.permanent_string(b"ogre")?, name);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn permanent_string(&mut self, text: &[u8]) -> Result<u32, Fault> {
        self.charge(text.len() as u64 / UNITS_A_STATEMENT)?;
        self.strings.permanent(text)
    }

    /// Returns `true` if a string is empty.
    #[inline(never)]
    pub(super) fn is_empty_string(&self, handle: u32) -> Result<bool, Fault> {
        if handle == 0 {
            return Ok(true);
        }
        if handle < ALLOCATED {
            let first = self.progs.strings.get(handle as usize).ok_or(Fault::BadString(handle))?;
            return Ok(*first == 0);
        }
        self.made(handle).map(<[u8]>::is_empty)
    }

    /// Returns `true` if two strings have equal texts.
    #[inline(never)]
    pub(super) fn equal_strings(&self, a: u32, b: u32) -> Result<bool, Fault> {
        Ok(a == b || self.string(a)? == self.string(b)?)
    }
}
