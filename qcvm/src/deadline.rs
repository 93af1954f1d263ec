//! Time that the scripts of a frame may take, by a clock of the host.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use super::fault::Fault;
use super::machine::Machine;
use super::opcode::Op;
use super::progs::{Entry, FunctionId};

/// Number of statements between two looks at the clock, which takes as long as a few of them.
const STATEMENTS_A_LOOK: u64 = 1024;

/// Time between two looks that so many statements do not take: some of the builtins among them did, and to tell which,
/// the clock is looked at after each builtin.
const SLOW: Duration = Duration::from_millis(1);

/// Time of a builtin to which looks at the clock add little.
const QUICK: Duration = Duration::from_micros(2);

/// Number of quick builtins and jumps in a row from which looks become rare again.
const MAX_QUICK: u32 = 16;

/// Clock of the host, and what functions have taken of the frame.
pub(super) struct Deadline {
    clock: Box<dyn Fn() -> Duration + Send>,
    /// Time of the last look.
    last: Cell<Duration>,
    /// Time that the calls of the frame have taken. What the host does between them does not count.
    spent: Cell<Duration>,
    /// Number of looks in a row that found little time passed; until it is [`MAX_QUICK`], every builtin is looked at.
    quick: Cell<u32>,
    taken: RefCell<HashMap<FunctionId, Duration>>,
}

impl fmt::Debug for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deadline").field("last", &self.last).field("spent", &self.spent).finish_non_exhaustive()
    }
}

impl Deadline {
    /// Returns `true` if the clock is looked at after each builtin and jump.
    fn is_near(&self) -> bool {
        self.quick.get() < MAX_QUICK
    }

    /// Returns the number of statements before the next look.
    fn statements(&self) -> u64 {
        if self.is_near() { 0 } else { STATEMENTS_A_LOOK }
    }

    /// Counts the time since the last look for a function, or for a builtin that has taken long. Returns the time of
    /// all calls of the frame.
    fn look(&self, function: Option<FunctionId>, builtin: impl FnOnce() -> Option<FunctionId>) -> Duration {
        let now = (self.clock)();
        let passed = now.saturating_sub(self.last.replace(now));
        let is_near = self.is_near();
        let is_slow = passed > if is_near { QUICK } else { SLOW };
        self.quick.set(if is_slow { 0 } else { MAX_QUICK.min(self.quick.get() + 1) });
        let builtin = if is_near && is_slow { builtin() } else { None };
        if let Some(function) = builtin.or(function) {
            *self.taken.borrow_mut().entry(function).or_default() += passed;
        }
        self.spent.set(self.spent.get().saturating_add(passed));
        self.spent.get()
    }
}

impl Machine {
    /// Gives the machine a clock, and begins a frame: from then on, the calls of a frame end when they have taken
    /// [`Limits::frame_time`](super::Limits::frame_time) together, without what the host does between them.
    ///
    /// `clock` returns the time since any fixed moment. The machine looks at it where a call of the host begins and
    /// ends, and about every thousand statements, those that builtins charge among them; a builtin is not interrupted.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Fault, Limits, Machine, Progs};
    /// use std::time::{Duration, Instant};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let limits = Limits { statements: u64::MAX, frame_time: Duration::from_millis(20), ..Limits::default() };
    /// let mut machine = Machine::with_limits(progs.into(), limits);
    /// let start = Instant::now();
    /// machine.set_clock(move || start.elapsed());
    /// let forever = machine.find_function(b"forever").ok_or("no forever")?;
    /// let error = machine.call(forever, &mut console).unwrap_err();
    /// assert!(matches!(error.fault, Fault::Overtime { function, .. } if &*function == b"forever"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_clock(&mut self, clock: impl Fn() -> Duration + Send + 'static) {
        self.deadline = Some(Box::new(Deadline {
            clock: Box::new(clock),
            last: Cell::default(),
            spent: Cell::default(),
            quick: Cell::new(MAX_QUICK),
            taken: RefCell::default(),
        }));
    }

    /// Begins a frame, whose calls have [`Limits::frame_time`](super::Limits::frame_time) together; without a
    /// [clock](Self::set_clock), it does nothing.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let looks = AtomicU64::new(0);
    /// machine.set_clock(move || Duration::from_secs(looks.fetch_add(1, Ordering::Relaxed)));
    /// let open_door = machine.find_function(b"open_door").ok_or("no open_door")?;
    /// while machine.call(open_door, &mut console).is_ok() {} // until the frame has taken more than 10 s
    /// machine.begin_frame();
    /// machine.call(open_door, &mut console)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_frame(&mut self) {
        if let Some(deadline) = &mut self.deadline {
            deadline.spent.set(Duration::ZERO);
            deadline.taken.get_mut().clear();
        }
    }

    /// Looks at the clock where a call of the host begins.
    pub(super) fn look_before(&self) -> Result<(), Fault> {
        let Some(deadline) = &self.deadline else { return Ok(()) };
        deadline.last.set((deadline.clock)());
        self.check_time(deadline.spent.get())
    }

    /// Counts for a function that the host called what it has taken since the last look.
    pub(super) fn look_after(&self, function: FunctionId) {
        if let Some(deadline) = &self.deadline {
            deadline.look(Some(function), || None);
        }
    }

    /// Returns the number of statements that the running call has left.
    pub(super) fn left(&self) -> u64 {
        self.budget.get().saturating_add(self.reserve.get())
    }

    /// Sets the number of statements that the running call has left.
    pub(super) fn set_left(&self, statements: u64) {
        let budget = self.deadline.as_ref().map_or(statements, |deadline| deadline.statements().min(statements));
        self.budget.set(budget);
        self.reserve.set(statements - budget);
    }

    /// Charges statements that are more than the budget, and looks at the clock.
    #[cold]
    #[inline(never)]
    pub(super) fn charge_beyond(&self, statements: u64) -> Result<(), Fault> {
        let left = self.left().checked_sub(statements);
        // A call that has failed stays without a budget, even if a builtin ignores the fault.
        self.budget.set(0);
        self.reserve.set(left.unwrap_or(0));
        let left = left.ok_or(Fault::Runaway)?;
        if let Some(deadline) = &self.deadline {
            let running = self.frames.last().map(|frame| frame.function);
            self.check_time(deadline.look(running, || self.last_builtin()))?;
        }
        self.set_left(left);
        Ok(())
    }

    /// Checks after a builtin or a long operation that the call has statements left.
    #[cold]
    #[inline(never)]
    pub(super) fn check_left(&self) -> Result<(), Fault> {
        if self.left() == 0 { Err(Fault::Runaway) } else { self.charge_beyond(0) }
    }

    fn check_time(&self, time: Duration) -> Result<(), Fault> {
        if time <= self.limits.frame_time {
            return Ok(());
        }
        let taken = self.deadline.as_ref().map(|deadline| deadline.taken.borrow());
        let most = taken.and_then(|taken| taken.iter().map(|(function, time)| (*time, function.0)).max());
        let (took, function) = most.unwrap_or_default();
        Err(Fault::Overtime { function: self.progs.function_name(FunctionId(function)).into(), took })
    }

    /// Returns the builtin that was called last.
    fn last_builtin(&self) -> Option<FunctionId> {
        let call = self.progs.code.get(self.calling.checked_sub(1)? as usize)?;
        let function = if call.op == Op::Arguments { call.c } else { call.a };
        let function = FunctionId(self.word(function));
        matches!(self.progs.entries.get(function.0 as usize), Some(Entry::Builtin(_))).then_some(function)
    }
}
