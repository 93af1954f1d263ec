//! Access to a machine's values: arguments, results, globals, entity fields and strings.

use super::fault::Fault;
use super::machine::Machine;
use super::progs::{Field, FunctionId, Global};
use super::strings::ALLOCATED;
use super::{FIRST_ARGUMENT, RETURN_VALUE};

/// Bytes of text, or words of memory, that a builtin processes in the time of one statement.
pub(super) const UNITS_A_STATEMENT: u64 = 16;

/// Converts words to the floats of a vector.
#[inline]
fn floats(words: [u32; 3]) -> [f32; 3] {
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

    /// Returns the number of arguments that the running builtin was called with.
    ///
    /// # Example
    /// A builtin with variable arguments prints as many strings as it gets.
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    /// # struct Game(String);
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
    ///     for number in 0..machine.argc() {
    ///         self.0 += &String::from_utf8_lossy(machine.argument_string(number)?);
    ///     }
    ///     Ok(())
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    /// # let mut game = Game(String::new());
    /// # let print = machine.find_function(b"print").ok_or("no print")?;
    /// # for (number, text) in ["ogre", " dies"].into_iter().enumerate() {
    /// #     let text = machine.temporary_string(text.as_bytes())?;
    /// #     machine.set_argument(number, [text, 0, 0]);
    /// # }
    /// # machine.call(print, &mut game)?;
    /// # assert_eq!(game.0, "ogre dies");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn argc(&self) -> usize {
        usize::from(self.argc)
    }

    /// Returns the three words of the running builtin's argument `number` (0 to 7); zeros if it was not passed.
    #[inline]
    pub fn argument(&self, number: usize) -> [u32; 3] {
        if number < self.argc() { self.words(FIRST_ARGUMENT + 3 * number as u32) } else { [0; 3] }
    }

    /// Returns the first word of argument `number` (0 to 7): an integer, a pointer, or the bits of another value.
    ///
    /// An argument that was not passed is 0.
    #[inline]
    pub fn argument_bits(&self, number: usize) -> u32 {
        if number < self.argc() { self.word(FIRST_ARGUMENT + 3 * number as u32) } else { 0 }
    }

    /// Overwrites the first word of argument `number` of the running builtin, for arguments that the caller reads back.
    ///
    /// FTE declares such arguments with `__inout` or `__out`. An argument that was not passed stays as it is.
    #[inline]
    pub fn set_argument_bits(&mut self, number: usize, bits: u32) {
        if number < self.argc() {
            self.set_word(FIRST_ARGUMENT + 3 * number as u32, bits);
        }
    }

    /// Returns argument `number` (0 to 7) as a float; 0 if it was not passed.
    ///
    /// The float can be a NaN or an infinity.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    /// # #[derive(Default)]
    /// # struct Game { score: f32 }
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
    ///     match &*builtin.name {
    ///         b"add_score" => self.score += machine.argument_float(0),
    ///         _ => return Err(builtin.unknown()),
    ///     }
    ///     Ok(())
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    /// # let mut game = Game::default();
    /// # machine.set_argument(0, [2.5f32.to_bits(), 0, 0]);
    /// # machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut game)?;
    /// # assert_eq!(game.score, 2.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn argument_float(&self, number: usize) -> f32 {
        f32::from_bits(self.argument_bits(number))
    }

    /// Reads float arguments from the first on, as many as `values` has elements; 0 for arguments that were not passed.
    #[inline]
    pub fn argument_floats(&self, values: &mut [f32]) {
        let passed = self.argc() >= values.len();
        for (number, value) in values.iter_mut().enumerate() {
            // One comparison serves all arguments.
            let bits = if passed { self.word(FIRST_ARGUMENT + 3 * number as u32) } else { self.argument_bits(number) };
            *value = f32::from_bits(bits);
        }
    }

    /// Returns argument `number` (0 to 7) as a vector; zeros if it was not passed.
    ///
    /// # Example
    /// A builtin `vlen` of the host's own:
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    /// # struct Game;
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, _builtin: &Builtin) -> Result<(), Fault> {
    ///     let [x, y, z] = machine.argument_vector(0);
    ///     machine.return_float((x * x + y * y + z * z).sqrt());
    ///     Ok(())
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    /// # machine.set_argument(0, [3f32, 4.0, 0.0].map(f32::to_bits));
    /// # machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut Game)?;
    /// # assert_eq!(machine.result_float(), 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn argument_vector(&self, number: usize) -> [f32; 3] {
        floats(self.argument(number))
    }

    /// Returns the text of argument `number` (0 to 7), without a terminator; the empty string if it was not passed.
    ///
    /// # Errors
    /// [`Fault::BadString`] if the argument is not a string; [`Fault::Runaway`] if a long text uses up the call's
    /// statements.
    ///
    /// # Example
    /// A builtin that looks a tag up by name, as `gettagindex` does:
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    /// # struct Game;
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, _builtin: &Builtin) -> Result<(), Fault> {
    ///     let tag = match machine.argument_string(1)? {
    ///         b"tag_weapon" => 1.0,
    ///         b"tag_head" => 2.0,
    ///         _ => 0.0,
    ///     };
    ///     machine.return_float(tag);
    ///     Ok(())
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    /// # let name = machine.temporary_string(b"tag_head")?;
    /// # machine.set_argument(1, [name, 0, 0]);
    /// # machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut Game)?;
    /// # assert_eq!(machine.result_float(), 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn argument_string(&self, number: usize) -> Result<&[u8], Fault> {
        self.string(self.argument_bits(number))
    }

    /// Returns argument `number` (0 to 7) as an entity number, which can be that of a removed entity; 0, the world, if
    /// it was not passed.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] if the number is not below [`entity_count`](Self::entity_count).
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    /// # struct Game;
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, _builtin: &Builtin) -> Result<(), Fault> {
    ///     let entity = machine.argument_entity(0)?;
    ///     machine.return_float(f32::from(machine.is_entity_alive(entity)));
    ///     Ok(())
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    /// # let add_score = machine.find_function(b"add_score").ok_or("no add_score")?;
    /// # let entity = machine.spawn_entity()?;
    /// # machine.set_argument(0, [entity, 0, 0]);
    /// # machine.call(add_score, &mut Game)?;
    /// # assert_eq!(machine.result_float(), 1.0);
    /// # machine.set_argument(0, [77, 0, 0]);
    /// # assert_eq!(machine.call(add_score, &mut Game).unwrap_err().fault, Fault::BadEntity(77));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn argument_entity(&self, number: usize) -> Result<u32, Fault> {
        let entity = self.argument_bits(number);
        if entity < self.entity_count() { Ok(entity) } else { Err(Fault::BadEntity(entity)) }
    }

    /// Returns argument `number` (0 to 7) as a function; the null function if it was not passed.
    ///
    /// # Example
    /// The game's button calls `schedule(2.5, open_door)`. The host keeps the function and calls it when the time has
    /// come.
    /// ```
    /// use skelobj_qcvm::{Builtin, Builtins, Fault, FunctionId, Machine};
    /// # use skelobj_qcvm::Progs;
    ///
    /// #[derive(Default)]
    /// struct Game {
    ///     scheduled: Vec<(f32, FunctionId)>,
    /// }
    ///
    /// impl Builtins for Game {
    ///     fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
    ///         match &*builtin.name {
    ///             b"schedule" => self.scheduled.push((machine.argument_float(0), machine.argument_function(1))),
    ///             _ => return Err(builtin.unknown()),
    ///         }
    ///         Ok(())
    ///     }
    /// }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    ///
    /// let mut game = Game::default();
    /// let press_button = machine.find_function(b"press_button").ok_or("no press_button")?;
    /// machine.call(press_button, &mut game)?;
    /// let (delay, function) = game.scheduled.pop().ok_or("nothing scheduled")?;
    /// assert_eq!(delay, 2.5);
    /// assert_eq!(machine.progs().function_name(function), b"open_door");
    /// machine.call(function, &mut game)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn argument_function(&self, number: usize) -> FunctionId {
        FunctionId(self.argument_bits(number))
    }

    /// Sets the running builtin's result to one word: an integer, an entity number, a string handle or a pointer.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    /// # struct Game;
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, _builtin: &Builtin) -> Result<(), Fault> {
    ///     let entity = machine.spawn_entity()?;
    ///     machine.return_bits(entity);
    ///     Ok(())
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    /// # machine.call(machine.find_function(b"spawn").ok_or("no spawn")?, &mut Game)?;
    /// # assert_eq!(machine.result()[0], 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn return_bits(&mut self, bits: u32) {
        self.set_word(RETURN_VALUE, bits);
    }

    /// Sets the running builtin's result to a float.
    ///
    /// The example of [`Builtins`](crate::Builtins) returns a score this way.
    #[inline]
    pub fn return_float(&mut self, value: f32) {
        self.return_bits(value.to_bits());
    }

    /// Sets the running builtin's result to a vector.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    /// # struct Game;
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, _builtin: &Builtin) -> Result<(), Fault> {
    ///     machine.return_vector([0.0, 0.0, -800.0]); // gravity
    ///     Ok(())
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    /// # machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut Game)?;
    /// # assert_eq!(machine.result().map(f32::from_bits), [0.0, 0.0, -800.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn return_vector(&mut self, value: [f32; 3]) {
        self.set_words(RETURN_VALUE, value.map(f32::to_bits));
    }

    /// Sets the running builtin's result to a new temporary string.
    ///
    /// # Errors
    /// Those of [`temporary_string`](Self::temporary_string).
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    /// # struct Game;
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, _builtin: &Builtin) -> Result<(), Fault> {
    ///     let name = machine.argument_string(0)?.to_ascii_uppercase();
    ///     machine.return_string(&name)
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let mut machine = Machine::new(std::sync::Arc::new(Progs::load(bytes)?));
    /// # let name = machine.temporary_string(b"ogre")?;
    /// # machine.set_argument(0, [name, 0, 0]);
    /// # machine.call(machine.find_function(b"strcat").ok_or("no strcat")?, &mut Game)?;
    /// # assert_eq!(machine.string(machine.result()[0])?, b"OGRE");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn return_string(&mut self, text: &[u8]) -> Result<(), Fault> {
        let handle = self.temporary_string(text)?;
        self.return_bits(handle);
        Ok(())
    }

    /// Returns the result of the last call as a float.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    /// use std::sync::Arc;
    ///
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hello.dat"));
    /// let progs = Arc::new(Progs::load(bytes)?);
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs);
    /// let factorial = machine.find_function(b"factorial").ok_or("no factorial")?;
    /// machine.set_argument(0, [5f32.to_bits(), 0, 0]);
    /// machine.call(factorial, &mut console)?;
    /// assert_eq!(machine.result_float(), 120.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn result_float(&self) -> f32 {
        f32::from_bits(self.word(RETURN_VALUE))
    }

    /// Returns the first word of a global.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
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
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let damage = machine.find_function(b"open_door").ok_or("no open_door")?;
    /// machine.call(damage, &mut console)?;
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
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
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
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
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
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
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

    /// Returns the number of entity numbers in use: those of the world (0), of living entities and of removed ones.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// machine.remove_entity(monster)?;
    /// assert_eq!(machine.entity_count(), 2); // the world and the removed monster
    ///
    /// let living = (0..machine.entity_count()).filter(|&entity| machine.is_entity_alive(entity));
    /// assert_eq!(living.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn entity_count(&self) -> u32 {
        self.entities.count()
    }

    /// Returns `true` if `entity` is the world, or was spawned and not removed.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// assert!(machine.is_entity_alive(monster));
    /// machine.remove_entity(monster)?;
    /// assert!(!machine.is_entity_alive(monster));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_entity_alive(&self, entity: u32) -> bool {
        self.entities.is_alive(entity)
    }

    /// Spawns an entity with all fields 0 and returns its number.
    ///
    /// Numbers of removed entities are reused, oldest first, once more than 32 are free or the limit is reached.
    ///
    /// # Errors
    /// [`Fault::NoFreeEntity`] at the limit of [`Limits`](super::Limits); [`Fault::Runaway`] if the call has no
    /// statements left.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// assert_eq!(machine.field_float(monster, health)?, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn_entity(&mut self) -> Result<u32, Fault> {
        self.charge(u64::from(self.entities.size) / UNITS_A_STATEMENT)?;
        self.entities.spawn()
    }

    /// Removes an entity. Its fields keep their values until its number is reused.
    ///
    /// Removing an entity twice has no further effect.
    ///
    /// # Errors
    /// [`Fault::RemovedWorld`] for entity 0, [`Fault::BadEntity`] for a number that was never spawned.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// use skelobj_qcvm::Fault;
    ///
    /// let monster = machine.spawn_entity()?;
    /// assert_eq!(machine.remove_entity(monster), Ok(()));
    /// assert_eq!(machine.remove_entity(0), Err(Fault::RemovedWorld));
    /// assert_eq!(machine.remove_entity(99), Err(Fault::BadEntity(99)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_entity(&mut self, entity: u32) -> Result<(), Fault> {
        self.entities.remove(entity)
    }

    /// Returns all words of an entity, for reading many fields at once. A field starts at the index [`Field::offset`].
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for a number that was never spawned.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// machine.set_field_float(monster, health, 40.0)?;
    /// let words = machine.fields(monster)?;
    /// assert_eq!(f32::from_bits(words[health.offset as usize]), 40.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn fields(&self, entity: u32) -> Result<&[u32], Fault> {
        let start = self.entities.index(entity, 0, 0)?;
        let size = self.progs.entity_words as usize;
        Ok(self.entities.words.get(start..start + size).unwrap_or_default())
    }

    /// Returns the words of an entity and of all entities after it; `None` for a number that was never spawned.
    ///
    /// The slice is not cut at the entity's end, which makes this faster than [`fields`](Self::fields) for a caller who
    /// reads only offsets from [`Progs::field`](crate::Progs::field).
    #[inline]
    pub fn fields_from(&self, entity: u32) -> Option<&[u32]> {
        self.entities.words_from(entity)
    }

    /// Returns the first word of an entity's field.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for a number that was never spawned; [`Fault::BadField`] for a field of another progs.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// let netname = machine.progs().field(b"netname").ok_or("no netname")?;
    /// let name = machine.permanent_string(b"ogre")?;
    /// machine.set_field(monster, netname, name)?;
    /// assert_eq!(machine.string(machine.field(monster, netname)?)?, b"ogre");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field(&self, entity: u32, field: Field) -> Result<u32, Fault> {
        self.field_at(entity, field.offset)
    }

    /// Returns the first word of the field at `offset`, which is how QuakeC passes a field to a builtin such as `find`.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for a number that was never spawned; [`Fault::BadField`] for an offset beyond the entity.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// use skelobj_qcvm::Fault;
    ///
    /// let monster = machine.spawn_entity()?;
    /// assert_eq!(machine.field_at(monster, 0), Ok(0));
    /// assert_eq!(machine.field_at(monster, 1000), Err(Fault::BadField(1000)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field_at(&self, entity: u32, offset: u32) -> Result<u32, Fault> {
        self.entities.word(entity, offset).copied()
    }

    /// Returns an entity's field as a float.
    ///
    /// # Errors
    /// Those of [`field`](Self::field).
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// machine.set_field_float(monster, health, 100.0)?;
    /// assert_eq!(machine.field_float(monster, health)?, 100.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field_float(&self, entity: u32, field: Field) -> Result<f32, Fault> {
        self.field(entity, field).map(f32::from_bits)
    }

    /// Returns an entity's field as a vector.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for a number that was never spawned; [`Fault::BadField`] for a field with fewer than three
    /// words left in the entity.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// let origin = machine.progs().field(b"origin").ok_or("no origin")?;
    /// assert_eq!(machine.field_vector(monster, origin)?, [0.0; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field_vector(&self, entity: u32, field: Field) -> Result<[f32; 3], Fault> {
        self.entity_words(entity, field.offset).map(floats)
    }

    /// Sets the first word of an entity's field.
    ///
    /// # Errors
    /// Those of [`field`](Self::field); nothing changes then.
    ///
    /// # Example
    /// A game's `find` needs names that live as long as the entity.
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// let netname = machine.progs().field(b"netname").ok_or("no netname")?;
    /// let name = machine.permanent_string(b"shambler")?;
    /// machine.set_field(monster, netname, name)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_field(&mut self, entity: u32, field: Field, bits: u32) -> Result<(), Fault> {
        self.set_field_at(entity, field.offset, bits)
    }

    /// Sets the first word of the field at `offset`, which is how QuakeC passes a field to a builtin.
    ///
    /// # Errors
    /// Those of [`field_at`](Self::field_at); nothing changes then.
    pub fn set_field_at(&mut self, entity: u32, offset: u32, bits: u32) -> Result<(), Fault> {
        let index = self.entities.index(entity, offset, 1)?;
        if let Some(word) = self.entities.words.get_mut(index) {
            *word = bits;
        }
        Ok(())
    }

    /// Sets an entity's field to a float.
    ///
    /// # Errors
    /// Those of [`field`](Self::field); nothing changes then.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// use skelobj_qcvm::Fault;
    ///
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// assert_eq!(machine.set_field_float(0, health, 1.0), Ok(())); // the world has health, too
    /// assert_eq!(machine.set_field_float(9, health, 1.0), Err(Fault::BadEntity(9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_field_float(&mut self, entity: u32, field: Field, value: f32) -> Result<(), Fault> {
        self.set_field(entity, field, value.to_bits())
    }

    /// Sets an entity's field to a vector.
    ///
    /// # Errors
    /// Those of [`field_vector`](Self::field_vector); nothing changes then.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let monster = machine.spawn_entity()?;
    /// let origin = machine.progs().field(b"origin").ok_or("no origin")?;
    /// machine.set_field_vector(monster, origin, [128.0, 64.0, 24.0])?;
    /// assert_eq!(machine.field_vector(monster, origin)?, [128.0, 64.0, 24.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_field_vector(&mut self, entity: u32, field: Field, value: [f32; 3]) -> Result<(), Fault> {
        self.set_entity_words(entity, field.offset, value.map(f32::to_bits))
    }

    pub(super) fn entity_words(&self, entity: u32, field: u32) -> Result<[u32; 3], Fault> {
        let index = self.entities.index(entity, field, 3)?;
        Ok(self.entities.words.get(index..).and_then(|w| w.first_chunk()).copied().unwrap_or_default())
    }

    pub(super) fn set_entity_words(&mut self, entity: u32, field: u32, words: [u32; 3]) -> Result<(), Fault> {
        let index = self.entities.index(entity, field, 3)?;
        if let Some(place) = self.entities.words.get_mut(index..).and_then(|w| w.first_chunk_mut()) {
            *place = words;
        }
        Ok(())
    }

    /// Counts work of a builtin as this many statements of the running call, so that no script can run forever in
    /// builtins.
    ///
    /// Outside of calls, work is not counted.
    ///
    /// # Errors
    /// [`Fault::Runaway`] if the call has used up its [statements](super::Limits::statements). The builtin must end
    /// then.
    ///
    /// # Example
    /// A builtin that visits every entity:
    /// ```
    /// # use skelobj_qcvm::{Builtin, Builtins, Fault, Limits, Machine, Progs};
    /// # struct Game;
    /// # impl Builtins for Game {
    /// fn call(&mut self, machine: &mut Machine, _builtin: &Builtin) -> Result<(), Fault> {
    ///     machine.charge(u64::from(machine.entity_count()))?;
    ///     let living = (0..machine.entity_count()).filter(|&entity| machine.is_entity_alive(entity)).count();
    ///     machine.return_float(living as f32);
    ///     Ok(())
    /// }
    /// # }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut machine = Machine::with_limits(progs, Limits { statements: 2, ..Limits::default() });
    /// # let add_score = machine.find_function(b"add_score").ok_or("no add_score")?;
    /// # machine.spawn_entity()?;
    /// # machine.call(add_score, &mut Game)?;
    /// # assert_eq!(machine.result_float(), 2.0);
    /// # machine.spawn_entity()?;
    /// # assert_eq!(machine.call(add_score, &mut Game).unwrap_err().fault, Fault::Runaway);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn charge(&self, statements: u64) -> Result<(), Fault> {
        let left = self.budget.get().checked_sub(statements);
        self.budget.set(left.unwrap_or(0));
        if left.is_some() { Ok(()) } else { Err(Fault::Runaway) }
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
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// use skelobj_qcvm::Fault;
    ///
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
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
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

    /// Returns the handle of a string that lives as long as the machine; equal texts share one handle.
    ///
    /// The text ends at its first NUL. Long texts are charged to the running call.
    ///
    /// # Errors
    /// Those of [`temporary_string`](Self::temporary_string).
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut console = Console::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
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
