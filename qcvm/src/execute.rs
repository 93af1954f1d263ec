//! The interpreter's loop: control flow, and the operations that QuakeC uses most.
//!
//! Functions for less frequent statements are never inlined, so that the loop keeps its registers. `benches/qc_cost.rs`
//! counts the instructions.

use super::FIRST_ARGUMENT;
use super::RETURN_VALUE;
use super::fault::Fault;
use super::machine::{Builtins, Machine};
use super::opcode::{Instruction, Op, SwitchKind};
use super::progs::{Entry, FunctionId, Progs};
use super::word::{is_true, truncate, truth};

impl Machine {
    #[inline]
    pub(super) fn float(&self, index: u32) -> f32 {
        f32::from_bits(self.word(index))
    }

    #[inline]
    pub(super) fn set_float(&mut self, index: u32, value: f32) {
        self.set_word(index, value.to_bits());
    }

    #[inline]
    pub(super) fn vector(&self, index: u32) -> [f32; 3] {
        self.words(index).map(f32::from_bits)
    }

    #[inline]
    pub(super) fn set_vector(&mut self, index: u32, value: [f32; 3]) {
        self.set_words(index, value.map(f32::to_bits));
    }

    /// Sets the vector at `to` component by component, as FTE does: an operand that overlaps it changes on the way.
    #[inline(always)]
    pub(super) fn each_component(&mut self, to: u32, component: impl Fn(&Self, u32) -> f32) {
        for index in 0..3 {
            self.set_float(to + index, component(self, index));
        }
    }

    #[inline(always)]
    fn vectors(&mut self, i: &Instruction, operation: impl Fn(f32, f32) -> f32) {
        self.each_component(i.c, |vm, index| operation(vm.float(i.a + index), vm.float(i.b + index)));
    }

    /// Runs a QuakeC function until it returns. An error comes with the number of its statement.
    ///
    /// `OBSERVED` if the machine has an observer, which gets each statement by itself.
    #[inline(never)]
    pub(super) fn execute<B: Builtins + ?Sized, const OBSERVED: bool>(
        &mut self,
        progs: &Progs,
        function: FunctionId,
        host: &mut B,
    ) -> Result<(), (Fault, u32)> {
        let outermost = self.frames.len();
        let code = progs.code.as_slice();
        // The code after the running statement, and its length at the last jump: consecutive statements are charged
        // when they end.
        let mut rest;
        let mut charged;
        let mut switch = None;

        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => break fault,
                }
            };
        }
        macro_rules! go_to {
            ($target:expr) => {{
                let Some(target) = code.get($target as usize..) else { break Fault::PastLastStatement };
                rest = target.iter();
                charged = rest.len();
            }};
        }
        macro_rules! skip {
            ($statements:expr) => {{
                let Some(after) = rest.as_slice().get(usize::from($statements)..) else {
                    break Fault::PastLastStatement;
                };
                rest = after.iter();
            }};
        }
        macro_rules! jump {
            ($target:expr) => {{
                check!(self.spend(charged - rest.len()));
                go_to!($target);
                continue;
            }};
        }
        macro_rules! jump_if {
            ($condition:expr, $target:expr) => {
                if $condition {
                    jump!($target);
                }
            };
        }
        // Stores the result of a comparison, and does what the next statement does: jumps if the result is false.
        macro_rules! jump_unless {
            ($i:ident, $holds:expr) => {{
                let test = if OBSERVED { None } else { rest.next() };
                if $holds {
                    self.set_float($i.c, 1.0);
                } else {
                    self.set_float($i.c, 0.0);
                    if let Some(test) = test {
                        jump!(test.b);
                    }
                }
                continue;
            }};
        }
        macro_rules! enter {
            ($id:expr, $first:expr) => {{
                let Some(function) = progs.functions.get($id.0 as usize) else { break Fault::BadFunction($id.0) };
                check!(self.spend(charged - rest.len() + function.locals as usize / 16));
                check!(self.enter(function, $id, (code.len() - rest.len()) as u32));
                go_to!($first);
                continue;
            }};
        }
        macro_rules! check_budget {
            () => {
                if self.budget.get() == 0 {
                    check!(self.check_left());
                }
            };
        }
        let body = progs.functions.get(function.0 as usize);
        match body.zip(progs.entries.get(function.0 as usize)) {
            Some((body, &Entry::Statement(first))) => {
                self.enter(body, function, self.calling).map_err(|fault| (fault, first))?;
                rest = code.get(first as usize..).unwrap_or_default().iter();
                charged = rest.len();
            }
            _ => return Err((Fault::BadFunction(function.0), 0)),
        }
        let fault = loop {
            let Some(i) = rest.next() else { break Fault::PastLastStatement };
            if OBSERVED {
                self.observe(progs, (code.len() - rest.len()) as u32 - 1, i);
            }
            // All arms that result in a float meet at the loop's end. With one more jump in each arm, which the
            // compiler inserted, a Zen 4 predicted the next statement so badly that arithmetic took twice the time.
            let (to, value) = match i.op {
                Op::AddF => (i.c, self.float(i.a) + self.float(i.b)),
                Op::SubF => (i.c, self.float(i.a) - self.float(i.b)),
                Op::MulF => (i.c, self.float(i.a) * self.float(i.b)),
                Op::DivF => (i.c, self.float(i.a) / self.float(i.b)),
                Op::Dot => {
                    let ([ax, ay, az], [bx, by, bz]) = (self.vector(i.a), self.vector(i.b));
                    (i.c, ax * bx + ay * by + az * bz)
                }
                Op::AddStoreF => (i.b, self.float(i.b) + self.float(i.a)),
                Op::SubStoreF => (i.b, self.float(i.b) - self.float(i.a)),
                Op::MulStoreF => (i.b, self.float(i.b) * self.float(i.a)),
                Op::DivStoreF => (i.b, self.float(i.b) / self.float(i.a)),
                Op::EqF => (i.c, truth(self.float(i.a) == self.float(i.b))),
                Op::NeF => (i.c, truth(self.float(i.a) != self.float(i.b))),
                Op::LeF => (i.c, truth(self.float(i.a) <= self.float(i.b))),
                Op::GeF => (i.c, truth(self.float(i.a) >= self.float(i.b))),
                Op::LtF => (i.c, truth(self.float(i.a) < self.float(i.b))),
                Op::GtF => (i.c, truth(self.float(i.a) > self.float(i.b))),
                Op::EqV => (i.c, truth(self.vector(i.a) == self.vector(i.b))),
                Op::NeV => (i.c, truth(self.vector(i.a) != self.vector(i.b))),
                Op::EqWord => (i.c, truth(self.word(i.a) == self.word(i.b))),
                Op::NeWord => (i.c, truth(self.word(i.a) != self.word(i.b))),
                Op::EqS => {
                    let equal = check!(self.equal_strings(self.word(i.a), self.word(i.b)));
                    check_budget!();
                    (i.c, truth(equal))
                }
                Op::NeS => {
                    let equal = check!(self.equal_strings(self.word(i.a), self.word(i.b)));
                    check_budget!();
                    (i.c, truth(!equal))
                }
                Op::NotF => (i.c, truth(!is_true(self.word(i.a)))),
                Op::NotV => (i.c, truth(!self.words(i.a).into_iter().any(is_true))),
                Op::NotS => (i.c, truth(check!(self.is_empty_string(self.word(i.a))))),
                Op::NotWord => (i.c, truth(self.word(i.a) == 0)),
                Op::AndF => (i.c, truth(is_true(self.word(i.a)) && is_true(self.word(i.b)))),
                Op::OrF => (i.c, truth(is_true(self.word(i.a)) || is_true(self.word(i.b)))),
                Op::BitAndF => (i.c, (truncate(self.float(i.a)) & truncate(self.float(i.b))) as f32),
                Op::BitOrF => (i.c, (truncate(self.float(i.a)) | truncate(self.float(i.b))) as f32),
                Op::EqFIfNot => jump_unless!(i, self.float(i.a) == self.float(i.b)),
                Op::NeFIfNot => jump_unless!(i, self.float(i.a) != self.float(i.b)),
                Op::LeFIfNot => jump_unless!(i, self.float(i.a) <= self.float(i.b)),
                Op::GeFIfNot => jump_unless!(i, self.float(i.a) >= self.float(i.b)),
                Op::LtFIfNot => jump_unless!(i, self.float(i.a) < self.float(i.b)),
                Op::GtFIfNot => jump_unless!(i, self.float(i.a) > self.float(i.b)),
                Op::Store => {
                    self.set_word(i.b, self.word(i.a));
                    continue;
                }
                Op::StoreV => {
                    self.set_word(i.b, self.word(i.a));
                    self.set_word(i.b + 1, self.word(i.a + 1));
                    self.set_word(i.b + 2, self.word(i.a + 2));
                    continue;
                }
                Op::Stores | Op::Arguments if OBSERVED => {
                    self.copy_one(progs, i, rest.as_slice().first());
                    continue;
                }
                Op::Stores => {
                    self.copy(progs, i);
                    skip!(i.more);
                    continue;
                }
                Op::Arguments | Op::Call | Op::Call1H | Op::Call2H => {
                    let mut function = i.a;
                    if i.op == Op::Arguments {
                        self.copy(progs, i);
                        skip!(i.more);
                        function = i.c;
                    } else if i.op != Op::Call {
                        if i.op == Op::Call2H {
                            self.set_words(FIRST_ARGUMENT + 3, self.words(i.c));
                        }
                        self.set_words(FIRST_ARGUMENT, self.words(i.b));
                    }
                    self.argc = i.argc;
                    let id = FunctionId(self.word(function));
                    match progs.entries.get(id.0 as usize) {
                        Some(&Entry::Builtin(index)) => {
                            let Some(builtin) = progs.builtins.get(index as usize) else {
                                break Fault::BadFunction(id.0);
                            };
                            self.calling = (code.len() - rest.len()) as u32;
                            check!(host.call(self, builtin));
                            check_budget!();
                            self.collect_if_due();
                            if self.next.is_some() {
                                let next = check!(self.take_next(progs, host));
                                check_budget!();
                                let entry =
                                    next.and_then(|next| progs.entries.get(next.0 as usize).map(|at| (next, at)));
                                if let Some((next, &Entry::Statement(first))) = entry {
                                    enter!(next, first);
                                }
                            }
                        }
                        Some(&Entry::Statement(first)) => enter!(id, first),
                        Some(Entry::Null) => break Fault::NullFunction,
                        None => break Fault::BadFunction(id.0),
                    }
                    continue;
                }
                Op::AddV => {
                    self.vectors(i, |a, b| a + b);
                    continue;
                }
                Op::SubV => {
                    self.vectors(i, |a, b| a - b);
                    continue;
                }
                Op::MulVF => {
                    let scale = self.float(i.b);
                    self.each_component(i.c, |vm, index| scale * vm.float(i.a + index));
                    continue;
                }
                Op::MulFV => {
                    let scale = self.float(i.a);
                    self.each_component(i.c, |vm, index| scale * vm.float(i.b + index));
                    continue;
                }
                Op::Load => {
                    let word = *check!(self.entities.word(self.word(i.a), self.word(i.b)));
                    self.set_word(i.c, word);
                    continue;
                }
                Op::LoadV => {
                    let words = check!(self.entity_words(self.word(i.a), self.word(i.b)));
                    self.set_words(i.c, words);
                    continue;
                }
                Op::Address | Op::StoreField | Op::StoreFieldV | Op::StoreFieldWide
                    if self.protects_world && self.word(i.a) == 0 =>
                {
                    self.refuse_write(progs, (code.len() - rest.len()) as u32 - 1, i);
                    continue;
                }
                Op::StoreField => {
                    let index = check!(self.entities.index(self.word(i.a), self.word(i.b), 1));
                    let bits = self.word(i.c);
                    if let Some(word) = self.entities.words.get_mut(index) {
                        *word = bits;
                    }
                    continue;
                }
                Op::StoreFieldV => {
                    check!(self.set_entity_words(self.word(i.a), self.word(i.b), self.words(i.c)));
                    continue;
                }
                Op::Address => {
                    let address = check!(self.field_address(self.word(i.a), self.word(i.b)));
                    self.set_word(i.c, address);
                    continue;
                }
                Op::StoreP => {
                    check!(self.store_word(self.target(i), self.word(i.a), host));
                    continue;
                }
                Op::StorePV => {
                    check!(self.store_words(self.target(i), self.words(i.a), host));
                    continue;
                }
                Op::LoadP => {
                    let bits = check!(self.load_word(self.source(i), host));
                    self.set_word(i.c, bits);
                    continue;
                }
                Op::Word(operation) => {
                    self.set_word(i.c, operation.apply(self.word(i.a), self.word(i.b)));
                    continue;
                }
                Op::If => {
                    jump_if!(self.word(i.a) != 0, i.b);
                    continue;
                }
                Op::IfNot => {
                    jump_if!(self.word(i.a) == 0, i.b);
                    continue;
                }
                Op::IfF => {
                    jump_if!(is_true(self.word(i.a)), i.b);
                    continue;
                }
                Op::IfNotF => {
                    jump_if!(!is_true(self.word(i.a)), i.b);
                    continue;
                }
                Op::IfS => {
                    jump_if!(!check!(self.is_empty_string(self.word(i.a))), i.b);
                    continue;
                }
                Op::IfNotS => {
                    jump_if!(check!(self.is_empty_string(self.word(i.a))), i.b);
                    continue;
                }
                Op::Goto => jump!(i.a),
                Op::Return => {
                    self.set_words(RETURN_VALUE, self.words(i.a));
                    check!(self.spend(charged - rest.len()));
                    match self.leave(progs) {
                        Some(resume) if self.frames.len() > outermost => go_to!(resume),
                        _ => return Ok(()),
                    }
                    continue;
                }
                Op::State => {
                    check!(self.set_state(self.word(i.a), self.word(i.b)));
                    continue;
                }
                Op::ThinkTime => {
                    check!(self.set_think_time(self.word(i.a), self.float(i.b)));
                    continue;
                }
                Op::Switch(kind) => {
                    switch = Some((kind, i.a));
                    jump!(i.b);
                }
                Op::Case => {
                    let Some((kind, value)) = switch else { break Fault::BadCase };
                    let matches = check!(self.matches_case(kind, value, i.a));
                    check_budget!();
                    jump_if!(matches, i.b);
                    continue;
                }
                Op::CaseRange => {
                    let inside = match switch {
                        Some((SwitchKind::Float, value)) => {
                            (self.float(i.a)..=self.float(i.b)).contains(&self.float(value))
                        }
                        Some((SwitchKind::Word, value)) => {
                            (self.word(i.a) as i32..=self.word(i.b) as i32).contains(&(self.word(value) as i32))
                        }
                        _ => break Fault::BadCase,
                    };
                    jump_if!(inside, i.c);
                    continue;
                }
                Op::AddSF => {
                    let handle = check!(self.string_tail(self.word(i.a), truncate(self.float(i.b))));
                    check_budget!();
                    self.set_word(i.c, handle);
                    self.collect_if_due();
                    continue;
                }
                Op::Push => {
                    let words = self.word(i.a);
                    let address = check!(self.push(words));
                    check_budget!();
                    self.set_word(i.c, address);
                    continue;
                }
                // A `_` arm would make the compiler look each statement up in two steps.
                Op::DivVF
                | Op::MulVI
                | Op::MulIV
                | Op::LoadWide
                | Op::StoreWide
                | Op::StoreIF
                | Op::StoreFI
                | Op::StorePWide
                | Op::StorePIF
                | Op::StorePFI
                | Op::StorePChar
                | Op::StorePByte
                | Op::StorePHalf
                | Op::StoreFieldWide
                | Op::LoadPV
                | Op::LoadPWide
                | Op::LoadPIF
                | Op::LoadPFI
                | Op::LoadPChar
                | Op::LoadPByte
                | Op::LoadPSignedByte
                | Op::LoadPHalf
                | Op::LoadPSignedHalf
                | Op::LoadA
                | Op::LoadAV
                | Op::LoadAWide
                | Op::LoadG
                | Op::LoadGV
                | Op::StoreG
                | Op::StoreGV
                | Op::GlobalAddress
                | Op::Fetch
                | Op::FetchV
                | Op::BoundCheck
                | Op::AddStoreV
                | Op::SubStoreV
                | Op::MulStoreVF
                | Op::BitSetStoreF
                | Op::BitClearStoreF
                | Op::AddStorePF
                | Op::SubStorePF
                | Op::MulStorePF
                | Op::DivStorePF
                | Op::AddStorePV
                | Op::SubStorePV
                | Op::MulStorePVF
                | Op::BitSetStorePF
                | Op::BitClearStorePF
                | Op::Random
                | Op::RandomScaled
                | Op::RandomBetween
                | Op::RandomV
                | Op::RandomScaledV
                | Op::RandomBetweenV
                | Op::BitCopy
                | Op::Wide(_) => {
                    check!(self.execute_rare(i, host));
                    continue;
                }
            };
            self.set_float(to, value);
        };
        // A host may ignore the fault of a nested call, so its statements count, too.
        let _ = self.charge((charged - rest.len()) as u64);
        Err((fault, (code.len() - rest.len()).saturating_sub(1) as u32))
    }

    /// Makes the copies of consecutive stores.
    #[inline(always)]
    fn copy(&mut self, progs: &Progs, stores: &Instruction) {
        self.globals.copy(progs.copies.get(stores.a as usize..stores.b as usize).unwrap_or_default());
    }

    /// Makes the copies of the first of consecutive stores, of which `next` is another unless it is the last.
    fn copy_one(&mut self, progs: &Progs, store: &Instruction, next: Option<&Instruction>) {
        let next = next.filter(|next| next.op == store.op && next.b == store.b);
        let end = next.map_or(store.b, |next| next.a);
        self.globals.copy(progs.copies.get(store.a as usize..end as usize).unwrap_or_default());
    }

    /// Charges consecutive statements to the running call.
    #[inline(always)]
    fn spend(&self, statements: usize) -> Result<(), Fault> {
        let statements = statements as u64;
        let Some(left) = self.budget.get().checked_sub(statements) else { return self.charge_beyond(statements) };
        self.budget.set(left);
        Ok(())
    }

    #[inline(never)]
    fn matches_case(&self, kind: SwitchKind, value: u32, case: u32) -> Result<bool, Fault> {
        Ok(match kind {
            SwitchKind::Float => self.float(value) == self.float(case),
            SwitchKind::Vector => self.vector(value) == self.vector(case),
            SwitchKind::String => self.equal_strings(self.word(value), self.word(case))?,
            SwitchKind::Word => self.word(value) == self.word(case),
        })
    }
}
