//! The interpreter's loop: control flow, and the operations that QuakeC spends its time in.
//!
//! What the loop calls for less frequent statements is never inlined, here and in the files beside this one: the loop then
//! has registers for what it always needs, and a statement costs an eighth less.

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

    #[inline(always)]
    fn floats(&mut self, i: &Instruction, operation: impl FnOnce(f32, f32) -> f32) {
        self.set_float(i.c, operation(self.float(i.a), self.float(i.b)));
    }

    #[inline(always)]
    fn compare(&mut self, i: &Instruction, operation: impl FnOnce(f32, f32) -> bool) {
        self.set_word(i.c, truth(operation(self.float(i.a), self.float(i.b))));
    }

    #[inline(always)]
    fn vectors(&mut self, i: &Instruction, operation: impl Fn(f32, f32) -> f32) {
        let ([ax, ay, az], [bx, by, bz]) = (self.vector(i.a), self.vector(i.b));
        self.set_vector(i.c, [operation(ax, bx), operation(ay, by), operation(az, bz)]);
    }

    /// Does stores in a row.
    #[inline]
    fn store(&mut self, stores: &[Instruction]) {
        let globals = self.globals.as_mut_slice();
        for store in stores {
            let (from, to) = (store.a as usize, store.b as usize);
            if store.is_vector {
                let words: Option<[u32; 3]> = globals.get(from..from + 3).and_then(|words| words.try_into().ok());
                if let (Some(words), Some(place)) = (words, globals.get_mut(to..to + 3)) {
                    place.copy_from_slice(&words);
                }
            } else if let Some(&word) = globals.get(from)
                && let Some(place) = globals.get_mut(to)
            {
                *place = word;
            }
        }
    }

    /// Runs a function that has a body until it returns, or says what stopped it at which statement.
    #[inline(never)]
    pub(super) fn execute<B: Builtins + ?Sized>(
        &mut self,
        progs: &Progs,
        function: FunctionId,
        host: &mut B,
    ) -> Result<(), (Fault, u32)> {
        let outermost = self.frames.len();
        let mut left = self.budget.get();
        let mut switch = None;
        let mut pc = match progs.functions.get(function.0 as usize).map(|body| (body, body.entry)) {
            Some((body, Entry::Statement(first))) => {
                self.enter(body, function, 0).map_err(|fault| (fault, first))?;
                first
            }
            _ => return Err((Fault::BadFunction(function.0), 0)),
        };

        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => break fault,
                }
            };
        }
        macro_rules! jump {
            ($target:expr) => {{
                pc = $target;
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
        let fault = loop {
            let Some(i) = progs.code.get(pc as usize) else { break Fault::PastLastStatement };
            left = match left.checked_sub(1) {
                Some(left) => left,
                None => break Fault::Runaway,
            };
            match i.op {
                Op::Store => self.set_word(i.b, self.word(i.a)),
                Op::StoreV => self.set_words(i.b, self.words(i.a)),
                Op::Stores => {
                    let end = pc + u32::from(i.count);
                    left = match left.checked_sub(u64::from(i.count) - 1) {
                        Some(left) => left,
                        None => break Fault::Runaway,
                    };
                    self.store(progs.code.get(pc as usize..end as usize).unwrap_or_default());
                    jump!(end);
                }
                Op::AddF => self.floats(i, |a, b| a + b),
                Op::SubF => self.floats(i, |a, b| a - b),
                Op::MulF => self.floats(i, |a, b| a * b),
                Op::DivF => self.floats(i, |a, b| a / b),
                Op::AddV => self.vectors(i, |a, b| a + b),
                Op::SubV => self.vectors(i, |a, b| a - b),
                Op::MulVF => {
                    let scale = self.float(i.b);
                    self.set_vector(i.c, self.vector(i.a).map(|a| scale * a));
                }
                Op::MulFV => {
                    let scale = self.float(i.a);
                    self.set_vector(i.c, self.vector(i.b).map(|b| scale * b));
                }
                Op::Dot => {
                    let ([ax, ay, az], [bx, by, bz]) = (self.vector(i.a), self.vector(i.b));
                    self.set_float(i.c, ax * bx + ay * by + az * bz);
                }
                Op::AddStoreF => self.set_float(i.b, self.float(i.b) + self.float(i.a)),
                Op::SubStoreF => self.set_float(i.b, self.float(i.b) - self.float(i.a)),
                Op::MulStoreF => self.set_float(i.b, self.float(i.b) * self.float(i.a)),
                Op::DivStoreF => self.set_float(i.b, self.float(i.b) / self.float(i.a)),
                Op::EqF => self.compare(i, |a, b| a == b),
                Op::NeF => self.compare(i, |a, b| a != b),
                Op::LeF => self.compare(i, |a, b| a <= b),
                Op::GeF => self.compare(i, |a, b| a >= b),
                Op::LtF => self.compare(i, |a, b| a < b),
                Op::GtF => self.compare(i, |a, b| a > b),
                Op::EqV => self.set_word(i.c, truth(self.vector(i.a) == self.vector(i.b))),
                Op::NeV => self.set_word(i.c, truth(self.vector(i.a) != self.vector(i.b))),
                Op::EqWord => self.set_word(i.c, truth(self.word(i.a) == self.word(i.b))),
                Op::NeWord => self.set_word(i.c, truth(self.word(i.a) != self.word(i.b))),
                Op::EqS => {
                    let equal = check!(self.equal_strings(self.word(i.a), self.word(i.b), &mut left));
                    self.set_word(i.c, truth(equal));
                }
                Op::NeS => {
                    let equal = check!(self.equal_strings(self.word(i.a), self.word(i.b), &mut left));
                    self.set_word(i.c, truth(!equal));
                }
                Op::NotF => self.set_word(i.c, truth(!is_true(self.word(i.a)))),
                Op::NotV => self.set_word(i.c, truth(!self.words(i.a).into_iter().any(is_true))),
                Op::NotS => {
                    let empty = check!(self.is_empty_string(self.word(i.a)));
                    self.set_word(i.c, truth(empty));
                }
                Op::NotWord => self.set_word(i.c, truth(self.word(i.a) == 0)),
                Op::AndF => self.set_word(i.c, truth(is_true(self.word(i.a)) && is_true(self.word(i.b)))),
                Op::OrF => self.set_word(i.c, truth(is_true(self.word(i.a)) || is_true(self.word(i.b)))),
                Op::BitAndF => self.floats(i, |a, b| (truncate(a) & truncate(b)) as f32),
                Op::BitOrF => self.floats(i, |a, b| (truncate(a) | truncate(b)) as f32),
                Op::Load => {
                    let index = check!(self.entities.index(self.word(i.a), self.word(i.b), 1));
                    self.set_word(i.c, self.entities.words.get(index).copied().unwrap_or(0));
                }
                Op::LoadV => {
                    let words = check!(self.entity_words(self.word(i.a), self.word(i.b)));
                    self.set_words(i.c, words);
                }
                Op::StoreField => {
                    let index = check!(self.entities.index(self.word(i.a), self.word(i.b), 1));
                    let bits = self.word(i.c);
                    if let Some(word) = self.entities.words.get_mut(index) {
                        *word = bits;
                    }
                }
                Op::StoreFieldV => check!(self.set_entity_words(self.word(i.a), self.word(i.b), self.words(i.c))),
                Op::Address => {
                    let address = check!(self.field_address(self.word(i.a), self.word(i.b)));
                    self.set_word(i.c, address);
                }
                Op::StoreP => check!(self.store_word(self.target(i), self.word(i.a), host)),
                Op::StorePV => check!(self.store_words(self.target(i), self.words(i.a), host)),
                Op::LoadP => {
                    let bits = check!(self.load_word(self.source(i), host));
                    self.set_word(i.c, bits);
                }
                Op::Word(operation) => self.set_word(i.c, operation.apply(self.word(i.a), self.word(i.b))),
                Op::If => jump_if!(self.word(i.a) != 0, i.b),
                Op::IfNot => jump_if!(self.word(i.a) == 0, i.b),
                Op::IfF => jump_if!(is_true(self.word(i.a)), i.b),
                Op::IfNotF => jump_if!(!is_true(self.word(i.a)), i.b),
                Op::IfS => jump_if!(!check!(self.is_empty_string(self.word(i.a))), i.b),
                Op::IfNotS => jump_if!(check!(self.is_empty_string(self.word(i.a))), i.b),
                Op::Goto => jump!(i.a),
                Op::Call | Op::Call1H | Op::Call2H => {
                    if i.op == Op::Call2H {
                        self.set_words(FIRST_ARGUMENT + 3, self.words(i.c));
                    }
                    if i.op != Op::Call {
                        self.set_words(FIRST_ARGUMENT, self.words(i.b));
                    }
                    self.argc = i.count;
                    let id = FunctionId(self.word(i.a));
                    let Some(function) = progs.functions.get(id.0 as usize) else { break Fault::BadFunction(id.0) };
                    match function.entry {
                        Entry::Statement(first) => {
                            check!(self.enter(function, id, pc + 1));
                            left = left.saturating_sub(u64::from(function.locals) / 16);
                            jump!(first);
                        }
                        Entry::Builtin(index) => {
                            let Some(builtin) = progs.builtins.get(index as usize) else {
                                break Fault::BadFunction(id.0);
                            };
                            self.budget.set(left);
                            let outcome = host.call(self, builtin);
                            left = self.budget.get();
                            check!(outcome);
                            self.collect_if_due();
                        }
                        Entry::Null => break Fault::NullFunction,
                    }
                }
                Op::Return => {
                    self.set_words(RETURN_VALUE, self.words(i.a));
                    match self.leave(progs) {
                        Some(resume) if self.frames.len() > outermost => jump!(resume),
                        _ => {
                            self.budget.set(left);
                            return Ok(());
                        }
                    }
                }
                Op::State => check!(self.set_state(self.word(i.a), self.word(i.b))),
                Op::ThinkTime => check!(self.set_think_time(self.word(i.a), self.float(i.b))),
                Op::Switch(kind) => {
                    switch = Some((kind, i.a));
                    jump!(i.b);
                }
                Op::Case => {
                    let Some((kind, value)) = switch else { break Fault::BadCase };
                    jump_if!(check!(self.matches_case(kind, value, i.a, &mut left)), i.b);
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
                }
                Op::AddSF => {
                    let handle = check!(self.string_tail(self.word(i.a), truncate(self.float(i.b)), &mut left));
                    self.set_word(i.c, handle);
                    self.collect_if_due();
                }
                Op::Push => {
                    let words = self.word(i.a);
                    let address = check!(self.push(words));
                    left = left.saturating_sub(u64::from(words) / 16);
                    self.set_word(i.c, address);
                }
                _ => check!(self.execute_rare(i, host)),
            }
            pc += 1;
        };
        self.budget.set(left);
        Err((fault, pc))
    }

    #[inline(never)]
    fn matches_case(&self, kind: SwitchKind, value: u32, case: u32, left: &mut u64) -> Result<bool, Fault> {
        Ok(match kind {
            SwitchKind::Float => self.float(value) == self.float(case),
            SwitchKind::Vector => self.vector(value) == self.vector(case),
            SwitchKind::String => self.equal_strings(self.word(value), self.word(case), left)?,
            SwitchKind::Word => self.word(value) == self.word(case),
        })
    }
}
