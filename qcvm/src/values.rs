//! Values in and out of a machine: arguments, results, globals, entity fields and strings.

use super::fault::Fault;
use super::machine::Machine;
use super::progs::{Field, FunctionId, Global};
use super::strings::ALLOCATED;
use super::{FIRST_ARGUMENT, RETURN_VALUE};

/// Bytes of text, or words of memory, that a builtin may go through in the time of one statement.
pub(super) const UNITS_A_STATEMENT: u64 = 16;

/// Words as the floats of a vector.
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

    /// The number of arguments that the running builtin was called with.
    #[inline]
    pub fn argc(&self) -> usize {
        usize::from(self.argc)
    }

    /// The three words of the running builtin's argument `number`, from 0; zeros if it was not passed.
    #[inline]
    pub fn argument(&self, number: usize) -> [u32; 3] {
        if number < self.argc() { self.words(FIRST_ARGUMENT + 3 * number as u32) } else { [0; 3] }
    }

    /// The first word of argument `number`: an integer, a pointer or any value as bits.
    #[inline]
    pub fn argument_bits(&self, number: usize) -> u32 {
        if number < self.argc() { self.word(FIRST_ARGUMENT + 3 * number as u32) } else { 0 }
    }

    /// Overwrites the first word of argument `number` of the running builtin, for arguments that its caller reads back.
    #[inline]
    pub fn set_argument_bits(&mut self, number: usize, bits: u32) {
        if number < self.argc() {
            self.set_word(FIRST_ARGUMENT + 3 * number as u32, bits);
        }
    }

    /// Argument `number` as a float.
    #[inline]
    pub fn argument_float(&self, number: usize) -> f32 {
        f32::from_bits(self.argument_bits(number))
    }

    /// The first arguments as floats.
    #[inline]
    pub fn argument_floats(&self, values: &mut [f32]) {
        let passed = self.argc() >= values.len();
        for (number, value) in values.iter_mut().enumerate() {
            // One comparison does for all.
            let bits = if passed { self.word(FIRST_ARGUMENT + 3 * number as u32) } else { self.argument_bits(number) };
            *value = f32::from_bits(bits);
        }
    }

    /// Argument `number` as a vector.
    #[inline]
    pub fn argument_vector(&self, number: usize) -> [f32; 3] {
        floats(self.argument(number))
    }

    /// Argument `number` as the text of a string.
    pub fn argument_string(&self, number: usize) -> Result<&[u8], Fault> {
        self.string(self.argument_bits(number))
    }

    /// Argument `number` as the number of an entity, which may be a removed one.
    #[inline]
    pub fn argument_entity(&self, number: usize) -> Result<u32, Fault> {
        let entity = self.argument_bits(number);
        if entity < self.entity_count() { Ok(entity) } else { Err(Fault::BadEntity(entity)) }
    }

    /// Argument `number` as a function.
    pub fn argument_function(&self, number: usize) -> FunctionId {
        FunctionId(self.argument_bits(number))
    }

    /// Gives the running builtin's result as bits: an integer, an entity, a string handle or a pointer.
    #[inline]
    pub fn return_bits(&mut self, bits: u32) {
        self.set_word(RETURN_VALUE, bits);
    }

    /// Gives the running builtin's result as a float.
    #[inline]
    pub fn return_float(&mut self, value: f32) {
        self.return_bits(value.to_bits());
    }

    /// Gives the running builtin's result as a vector.
    #[inline]
    pub fn return_vector(&mut self, value: [f32; 3]) {
        self.set_words(RETURN_VALUE, value.map(f32::to_bits));
    }

    /// Gives the running builtin's result as a new temporary string.
    pub fn return_string(&mut self, text: &[u8]) -> Result<(), Fault> {
        let handle = self.temporary_string(text)?;
        self.return_bits(handle);
        Ok(())
    }

    /// The result of the last call as a float.
    pub fn result_float(&self) -> f32 {
        f32::from_bits(self.word(RETURN_VALUE))
    }

    /// The first word of a global, as bits.
    #[inline]
    pub fn global(&self, global: Global) -> u32 {
        self.word(global.offset)
    }

    /// A global as a float.
    #[inline]
    pub fn global_float(&self, global: Global) -> f32 {
        f32::from_bits(self.word(global.offset))
    }

    /// A global as a vector.
    #[inline]
    pub fn global_vector(&self, global: Global) -> [f32; 3] {
        floats(self.words(global.offset))
    }

    /// Sets the first word of a global.
    #[inline]
    pub fn set_global(&mut self, global: Global, bits: u32) {
        self.set_word(global.offset, bits);
    }

    /// Sets a global to a float.
    #[inline]
    pub fn set_global_float(&mut self, global: Global, value: f32) {
        self.set_word(global.offset, value.to_bits());
    }

    /// Sets a global to a vector.
    #[inline]
    pub fn set_global_vector(&mut self, global: Global, value: [f32; 3]) {
        self.set_words(global.offset, value.map(f32::to_bits));
    }

    /// How many entity numbers there are: 0 is the world, and removed entities keep theirs until reused.
    #[inline]
    pub fn entity_count(&self) -> u32 {
        self.entities.count()
    }

    /// Whether `entity` has been spawned (or is the world) and not been removed.
    pub fn is_entity_alive(&self, entity: u32) -> bool {
        self.entities.is_alive(entity)
    }

    /// Spawns an entity with all fields 0 and gives its number; removed ones are reused, oldest first, once 32 wait.
    pub fn spawn_entity(&mut self) -> Result<u32, Fault> {
        self.charge(u64::from(self.entities.size) / UNITS_A_STATEMENT)?;
        self.entities.spawn()
    }

    /// Removes an entity. Its fields keep their values until its number is reused; removing it twice is harmless.
    pub fn remove_entity(&mut self, entity: u32) -> Result<(), Fault> {
        self.entities.remove(entity)
    }

    /// All words of an entity, in which fields stand at their [`Field::offset`]: for reading many of them at once.
    #[inline]
    pub fn fields(&self, entity: u32) -> Result<&[u32], Fault> {
        let start = self.entities.index(entity, 0, 0)?;
        let size = self.progs.entity_words as usize;
        Ok(self.entities.words.get(start..start + size).unwrap_or_default())
    }

    /// The words from an entity on: as [`fields`](Self::fields) for who knows where its fields end.
    #[inline]
    pub fn fields_from(&self, entity: u32) -> Option<&[u32]> {
        self.entities.words_from(entity)
    }

    /// The first word of an entity's field, as bits.
    pub fn field(&self, entity: u32, field: Field) -> Result<u32, Fault> {
        self.field_at(entity, field.offset)
    }

    /// The first word of the field at `offset`, which QuakeC passes as a field's value, as bits.
    pub fn field_at(&self, entity: u32, offset: u32) -> Result<u32, Fault> {
        self.entities.word(entity, offset).copied()
    }

    /// An entity's field as a float.
    pub fn field_float(&self, entity: u32, field: Field) -> Result<f32, Fault> {
        self.field(entity, field).map(f32::from_bits)
    }

    /// An entity's field as a vector.
    pub fn field_vector(&self, entity: u32, field: Field) -> Result<[f32; 3], Fault> {
        self.entity_words(entity, field.offset).map(floats)
    }

    /// Sets the first word of an entity's field.
    pub fn set_field(&mut self, entity: u32, field: Field, bits: u32) -> Result<(), Fault> {
        self.set_field_at(entity, field.offset, bits)
    }

    /// Sets the first word of the field at `offset`, which QuakeC passes as a field's value.
    pub fn set_field_at(&mut self, entity: u32, offset: u32, bits: u32) -> Result<(), Fault> {
        let index = self.entities.index(entity, offset, 1)?;
        if let Some(word) = self.entities.words.get_mut(index) {
            *word = bits;
        }
        Ok(())
    }

    /// Sets an entity's field to a float.
    pub fn set_field_float(&mut self, entity: u32, field: Field, value: f32) -> Result<(), Fault> {
        self.set_field(entity, field, value.to_bits())
    }

    /// Sets an entity's field to a vector.
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

    /// Counts work of a builtin as this many statements of the running call, so that no script can run for ever in it.
    /// Outside of calls work counts for nothing.
    ///
    /// # Errors
    /// [`Fault::Runaway`] if the call has used up its [statements](super::Limits::statements): the builtin must end then.
    #[inline]
    pub fn charge(&self, statements: u64) -> Result<(), Fault> {
        let left = self.budget.get().checked_sub(statements);
        self.budget.set(left.unwrap_or(0));
        if left.is_some() { Ok(()) } else { Err(Fault::Runaway) }
    }

    /// The text of the string with this handle, without a NUL: the progs' own, or one made at run time. Long ones are
    /// charged to the running call's statements.
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

    /// The text of a string made at run time, for those who do not look at all of it.
    pub(super) fn made(&self, handle: u32) -> Result<&[u8], Fault> {
        self.strings.get(handle).ok_or(Fault::BadString(handle))
    }

    /// A string that lives until nothing in the machine's memory holds its handle. Text ends at its first NUL. Long ones are
    /// charged to the running call's statements.
    pub fn temporary_string(&mut self, text: &[u8]) -> Result<u32, Fault> {
        self.charge(text.len() as u64 / UNITS_A_STATEMENT)?;
        self.strings.temporary(text)
    }

    /// A string that lives as long as the machine; the same text gives the same handle.
    pub fn permanent_string(&mut self, text: &[u8]) -> Result<u32, Fault> {
        self.charge(text.len() as u64 / UNITS_A_STATEMENT)?;
        self.strings.permanent(text)
    }

    /// Whether a string has no text.
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

    /// Whether two strings have the same text.
    #[inline(never)]
    pub(super) fn equal_strings(&self, a: u32, b: u32) -> Result<bool, Fault> {
        Ok(a == b || self.string(a)? == self.string(b)?)
    }
}
