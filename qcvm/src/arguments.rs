//! Arguments and results of builtins and calls.

use super::fault::Fault;
use super::machine::Machine;
use super::progs::{FunctionId, Type};
use super::values::floats;
use super::{ARGUMENTS, FIRST_ARGUMENT, RETURN_VALUE};

impl Machine {
    /// Returns the number of arguments that the running builtin was called with.
    ///
    /// # Example
    /// A builtin with variable arguments prints as many strings as it gets.
    /// ```
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut console: Vec<u8> = Vec::new();
    /// let mut print = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     for number in 0..machine.argc() {
    ///         console.extend(machine.argument_string(number)?);
    ///     }
    ///     Ok(())
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// for (number, text) in ["ogre", " dies"].into_iter().enumerate() {
    ///     let text = machine.temporary_string(text.as_bytes())?;
    ///     machine.set_argument(number, [text, 0, 0]);
    /// }
    /// machine.call(machine.find_function(b"print").ok_or("no print")?, &mut print)?;
    /// assert_eq!(console, b"ogre dies");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn argc(&self) -> usize {
        usize::from(self.argc)
    }

    /// Gives the running builtin an argument of each of these QuakeC types. A missing argument is the value that the
    /// last call left in its place, as in engines, or an empty text or the world where that value is not a valid
    /// `string` or `entity`. Returns `true` if arguments were missing.
    ///
    /// # Example
    /// A builtin that needs an entity is called without one, after a call with the monster.
    /// ```
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut entities = Vec::new();
    /// let mut make_static = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     let was_missing = machine.require_arguments(["entity"]);
    ///     entities.push((machine.argument_entity(0)?, was_missing));
    ///     Ok(())
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// let builtin = machine.find_function(b"add_score").ok_or("no add_score")?;
    /// let monster = machine.spawn_entity()?;
    /// machine.set_argument(0, [monster, 0, 0]);
    /// machine.call(builtin, &mut make_static)?;
    /// machine.call(builtin, &mut make_static)?;
    /// assert_eq!(entities, [(monster, false), (monster, true)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require_arguments<'a>(&mut self, types: impl IntoIterator<Item = &'a str>) -> bool {
        let passed = self.argc();
        for (number, kind) in types.into_iter().enumerate().take(ARGUMENTS).skip(passed) {
            self.argc = number as u8 + 1;
            let is_invalid = match kind {
                "string" => self.argument_string(number).is_err(),
                "entity" => self.argument_entity(number).is_err(),
                _ => false,
            };
            if is_invalid {
                self.set_argument_bits(number, 0);
            }
        }
        self.argc() > passed
    }

    /// Returns the three words of the running builtin's argument `number` (0 to 7); zeros if it was not passed.
    #[inline]
    pub fn argument(&self, number: usize) -> [u32; 3] {
        if number < self.argc() { self.words(FIRST_ARGUMENT + 3 * number as u32) } else { [0; 3] }
    }

    /// Returns the type of argument `number` (0 to 7) of the running builtin, for messages.
    ///
    /// A progs does not state the types of a builtin's parameters; the statements before the call show what they put in
    /// place. `None` for an argument that was not passed, for a call of the host, and if the compiler leaves the type
    /// open.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs, Type};
    ///
    /// let mut types = Vec::new();
    /// let mut schedule = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     types.extend((0..3).map(|number| machine.argument_type(number)));
    ///     Ok(())
    /// };
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let press_button = machine.find_function(b"press_button").ok_or("no press_button")?;
    /// machine.call(press_button, &mut schedule)?; // calls schedule(2.5, open_door)
    /// assert_eq!(types, [Some(Type::Float), Some(Type::Function), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn argument_type(&self, number: usize) -> Option<Type> {
        let is_passed = number < self.argc() && !self.frames.is_empty();
        let call = self.calling.checked_sub(1).filter(|_| is_passed)?;
        self.progs.argument_type(call, number)
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
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut score = 0.0;
    /// let mut add_score = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     score += machine.argument_float(0);
    ///     Ok(())
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// machine.set_argument(0, [2.5f32.to_bits(), 0, 0]);
    /// machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut add_score)?;
    /// assert_eq!(score, 2.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn argument_float(&self, number: usize) -> f32 {
        f32::from_bits(self.argument_bits(number))
    }

    /// Reads as many float arguments as `values` has elements, starting with the first; 0 for arguments that were not
    /// passed.
    #[inline]
    pub fn argument_floats(&self, values: &mut [f32]) {
        let passed = self.argc() >= values.len();
        for (number, value) in values.iter_mut().enumerate() {
            // One comparison covers all arguments.
            let bits = if passed { self.word(FIRST_ARGUMENT + 3 * number as u32) } else { self.argument_bits(number) };
            *value = f32::from_bits(bits);
        }
    }

    /// Returns argument `number` (0 to 7) as a vector; zeros if it was not passed.
    ///
    /// # Example
    /// A host's own `vlen` builtin:
    /// ```
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut vlen = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     let [x, y, z] = machine.argument_vector(0);
    ///     machine.return_float((x * x + y * y + z * z).sqrt());
    ///     Ok(())
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// machine.set_argument(0, [3f32, 4.0, 0.0].map(f32::to_bits));
    /// machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut vlen)?;
    /// assert_eq!(machine.result_float(), 5.0);
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
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut find_tag = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     let tag = match machine.argument_string(1)? {
    ///         b"tag_weapon" => 1.0,
    ///         b"tag_head" => 2.0,
    ///         _ => 0.0,
    ///     };
    ///     machine.return_float(tag);
    ///     Ok(())
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// let name = machine.temporary_string(b"tag_head")?;
    /// machine.set_argument(1, [name, 0, 0]);
    /// machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut find_tag)?;
    /// assert_eq!(machine.result_float(), 2.0);
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
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut is_alive = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     let entity = machine.argument_entity(0)?;
    ///     machine.return_float(f32::from(machine.is_entity_alive(entity)));
    ///     Ok(())
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// let add_score = machine.find_function(b"add_score").ok_or("no add_score")?;
    /// let monster = machine.spawn_entity()?;
    /// machine.set_argument(0, [monster, 0, 0]);
    /// machine.call(add_score, &mut is_alive)?;
    /// assert_eq!(machine.result_float(), 1.0);
    /// machine.set_argument(0, [77, 0, 0]);
    /// assert_eq!(machine.call(add_score, &mut is_alive).unwrap_err().fault, Fault::BadEntity(77));
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
    /// The game's button calls `schedule(2.5, open_door)`. The host keeps the function and calls it when the time
    /// comes.
    /// ```
    /// use skelobj_qcvm::{Builtin, Builtins, Fault, FunctionId, Machine, Progs};
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
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
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
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut spawn = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     let entity = machine.spawn_entity()?;
    ///     machine.return_bits(entity);
    ///     Ok(())
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// machine.call(machine.find_function(b"spawn").ok_or("no spawn")?, &mut spawn)?;
    /// assert_eq!(machine.result()[0], 1);
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
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut gravity = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     machine.return_vector([0.0, 0.0, -800.0]);
    ///     Ok(())
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut gravity)?;
    /// assert_eq!(machine.result().map(f32::from_bits), [0.0, 0.0, -800.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn return_vector(&mut self, value: [f32; 3]) {
        self.set_words(RETURN_VALUE, value.map(f32::to_bits));
    }

    /// Sets the running builtin's result to a new temporary string.
    ///
    /// # Errors
    /// The errors of [`temporary_string`](Self::temporary_string).
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let mut strtoupper = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
    ///     let name = machine.argument_string(0)?.to_ascii_uppercase();
    ///     machine.return_string(&name)
    /// };
    ///
    /// let mut machine = Machine::new(Progs::load(&std::fs::read("examples/game.dat")?)?.into());
    /// let name = machine.temporary_string(b"ogre")?;
    /// machine.set_argument(0, [name, 0, 0]);
    /// machine.call(machine.find_function(b"strcat").ok_or("no strcat")?, &mut strtoupper)?;
    /// assert_eq!(machine.string(machine.result()[0])?, b"OGRE");
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
}
