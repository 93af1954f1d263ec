//! Entering and leaving functions, and the statements that set an entity's next think function.

use super::FIRST_ARGUMENT;
use super::fault::Fault;
use super::machine::{Frame, Machine};
use super::progs::{Function, FunctionId, Progs};

impl Machine {
    /// Starts a function: saves the words that its locals use, and copies the arguments to its parameters.
    #[inline(never)]
    pub(super) fn enter(&mut self, function: &Function, id: FunctionId, resume: u32) -> Result<(), Fault> {
        if self.frames.len() >= self.limits.depth {
            return Err(Fault::TooDeep);
        }
        let base = self.stack.len();
        if base + function.locals as usize > self.limits.stack_words {
            return Err(Fault::StackOverflow);
        }
        let first = function.first_local as usize;
        self.stack.extend_from_slice(self.globals.run(first..first + function.locals as usize));
        self.frames.push(Frame { function: id, resume, base });
        if self.profile.is_some() {
            self.profile_enter(id);
        }
        let mut to = function.first_local;
        for (argument, &size) in (0u32..).zip(function.sizes.iter().take(usize::from(function.parameters))) {
            let from = FIRST_ARGUMENT + 3 * argument;
            match size {
                1 => self.set_word(to, self.word(from)),
                3 => self.set_words(to, self.words(from)),
                _ => (0..u32::from(size)).for_each(|word| self.set_word(to + word, self.word(from + word))),
            }
            to += u32::from(size);
        }
        Ok(())
    }

    /// Ends the innermost function, restores the words that its locals used, and returns the statement after the call.
    #[inline(never)]
    pub(super) fn leave(&mut self, progs: &Progs) -> Option<u32> {
        let frame = self.frames.pop()?;
        if let Some(function) = progs.functions.get(frame.function.0 as usize) {
            let (first, locals) = (function.first_local as usize, function.locals as usize);
            let saved = self.stack.get(frame.base..frame.base + locals);
            let place = self.globals.run(first..first + locals);
            place.iter_mut().zip(saved.unwrap_or_default()).for_each(|(place, saved)| *place = *saved);
        }
        self.stack.truncate(frame.base);
        if self.profile.is_some() {
            self.profile_return();
        }
        Some(frame.resume)
    }

    /// Runs `self.frame = frame; self.nextthink = time + 0.1; self.think = think`.
    #[inline(never)]
    pub(super) fn set_state(&mut self, frame: u32, think: u32) -> Result<(), Fault> {
        let names = self.names;
        let this = self.global(names.this.ok_or(Fault::MissingName("self"))?);
        let time = self.global_float(names.time.ok_or(Fault::MissingName("time"))?);
        self.set_field(this, names.frame.ok_or(Fault::MissingName("frame"))?, frame)?;
        self.set_field(this, names.think.ok_or(Fault::MissingName("think"))?, think)?;
        let nextthink = names.nextthink.ok_or(Fault::MissingName("nextthink"))?;
        // Engines written in C add the constant as a double.
        self.set_field_float(this, nextthink, (f64::from(time) + 0.1) as f32)
    }

    /// Runs `entity.nextthink = time + delay`.
    #[inline(never)]
    pub(super) fn set_think_time(&mut self, entity: u32, delay: f32) -> Result<(), Fault> {
        let time = self.global_float(self.names.time.ok_or(Fault::MissingName("time"))?);
        let nextthink = self.names.nextthink.ok_or(Fault::MissingName("nextthink"))?;
        self.set_field_float(entity, nextthink, time + delay)
    }
}
