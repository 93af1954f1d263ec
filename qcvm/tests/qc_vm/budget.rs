//! Tests of the limit of statements.

use super::assembler::{Assembler, G, f};
use super::{Fault, Machine, Recorder};
use skelobj_qcvm::stdlib::{Console, lookup};
use skelobj_qcvm::{Builtin, Builtins, FunctionId};
use std::sync::Arc;

/// Opcodes.
const ADD: u32 = 6;
const EQ_S: u32 = 12;
const LOAD: u32 = 24;
const STORE: u32 = 31;
const RETURN: u32 = 43;
const NOT_S: u32 = 46;
const IF: u32 = 49;
const CALL0: u32 = 51;
const CALL3: u32 = 54;
const GOTO: u32 = 61;
const LOAD_BYTE: u32 = 178;
const PUSH: u32 = 213;
/// Returns the operand of a jump back by this many statements.
fn back(statements: i16) -> u32 {
    u32::from(-statements as u16)
}

#[test]
fn statements_count_one_by_one_those_in_a_row_too() {
    // The loop has ten statements: seven stores, the count, its copy, and the jump back.
    let mut statements = vec![[STORE, G + 8, G + 9, 0]; 7];
    statements.extend([[ADD, G, G + 1, G + 2], [STORE, G + 2, G, 0], [IF, G + 1, back(9), 0]]);
    let code = Assembler::new(&statements).with(G, &[0, f(1.0)]);
    for (limit, laps) in [(10, 1.0), (19, 1.0), (20, 2.0), (1000, 100.0)] {
        let (vm, outcome) = code.run_with(limit, &mut Recorder::default());
        let error = outcome.unwrap_err();
        assert_eq!((error.fault, error.location.statement), (Fault::Runaway, 10), "of {limit}");
        let count = vm.load_word(0x1000_0000 + 4 * G, &mut Recorder::default()).unwrap();
        // Statements after the last jump within the limit run, and are charged at the next.
        assert_eq!(f32::from_bits(count), laps + 1.0, "of {limit}");
    }
}

/// Host whose builtin runs a function and counts its calls.
struct Counting<F: FnMut(&mut Machine)>(u32, F);

impl<F: FnMut(&mut Machine)> Builtins for Counting<F> {
    fn call(&mut self, vm: &mut Machine, _: &Builtin) -> Result<(), Fault> {
        self.0 += 1;
        (self.1)(vm);
        Ok(())
    }
}

#[test]
fn calls_and_returns_count() {
    // A hundred calls of a function that returns at once.
    let mut statements = vec![[CALL0, G, 0, 0]; 100];
    statements.push([RETURN, 0, 0, 0]);
    let code = Assembler::new(&statements).with_inner(101).with(G, &[3]);
    for (limit, is_enough) in [(201, true), (200, false), (150, false), (99, false)] {
        let (_, outcome) = code.run_with(limit, &mut Recorder::default());
        let fault = outcome.map_err(|error| error.fault);
        assert_eq!(fault, if is_enough { Ok(()) } else { Err(Fault::Runaway) }, "{limit}");
    }
    let (_, outcome) = code.run_with(0, &mut Recorder::default());
    let error = outcome.unwrap_err();
    assert_eq!((error.location.function.as_str(), error.location.statement), ("main", 1), "the call that was not made");
}

#[test]
fn a_builtin_that_spends_the_whole_budget_is_the_last_one() {
    let code = Assembler::new(&[[CALL0, G, 0, 0], [CALL0, G, 0, 0]]).with(G, &[2]);
    let mut host = Counting(0, |vm| assert_eq!(vm.charge(1000), Err(Fault::Runaway)));
    let (_, outcome) = code.run_with(100, &mut host);
    assert_eq!((outcome.unwrap_err().fault, host.0), (Fault::Runaway, 1));
}

#[test]
fn a_builtin_that_loops_learns_when_to_stop() {
    let code = Assembler::new(&[[CALL0, G, 0, 0]]).with(G, &[2]);
    let mut laps = 0;
    let mut host = Counting(0, |vm| {
        while vm.charge(10).is_ok() {
            laps += 1;
        }
    });
    let (mut vm, outcome) = code.run_with(100, &mut host);
    assert_eq!((outcome.unwrap_err().fault, laps), (Fault::Runaway, 10));
    assert_eq!(vm.charge(1_000_000), Ok(()), "no call is running");
    let text = vm.temporary_string(&[b'a'; 10_000]).unwrap();
    assert_eq!(vm.string(text).map(<[u8]>::len), Ok(10_000));
}

#[test]
fn a_search_through_long_strings_ends_within_the_builtin() {
    // A hundred entities whose field is a megabyte of text.
    let code = Assembler::new(&[[CALL3, G, 0, 0]]).with(G, &[2]);
    let mut outcome = Ok(());
    let mut host = Counting(0, |vm| {
        let text = vm.permanent_string(&[b'a'; 1_000_000]).unwrap();
        for _ in 0..100 {
            let entity = vm.spawn_entity().unwrap();
            vm.set_field_at(entity, 3, text).unwrap();
        }
        let wanted = vm.temporary_string(b"door").unwrap();
        for (argument, word) in [0, 3, wanted].into_iter().enumerate() {
            vm.set_argument(argument, [word, 0, 0]);
        }
        let progs = Arc::clone(vm.progs());
        outcome = lookup(18, b"find").unwrap().call(vm, &mut Console::new(&progs, |_| {}));
    });
    let (_, of_the_call) = code.run_with(1_000_000, &mut host);
    assert_eq!(outcome, Err(Fault::Runaway));
    assert_eq!(of_the_call.unwrap_err().fault, Fault::Runaway);
}

#[test]
fn a_failure_inside_a_builtin_fails_the_surrounding_call() {
    // An endless loop: a builtin that runs fifty statements, the last of which fails, and ignores the fault.
    let mut statements = vec![[CALL0, G, 0, 0], [GOTO, back(1), 0, 0]];
    statements.extend([[STORE, G + 1, G + 2, 0]; 49]);
    statements.push([LOAD, G + 1, G + 2, G + 3]);
    let code = Assembler::new(&statements).with_inner(3).with(G, &[2, 12_345]);
    let mut failed = Vec::new();
    let mut host = Counting(0, |vm| failed.push(vm.call(FunctionId(3), &mut Recorder::default()).unwrap_err().fault));
    let (_, outcome) = code.run_with(1000, &mut host);
    assert_eq!(outcome.unwrap_err().fault, Fault::Runaway);
    assert!((19..=21).contains(&host.0), "{} times", host.0);
    assert_eq!(failed[0], Fault::BadField(12_345));
}

#[test]
fn a_runaway_callback_ends_the_surrounding_call() {
    let code = Assembler::new(&[[CALL0, G, 0, 0], [GOTO, back(1), 0, 0], [GOTO, 0, 0, 0]]).with_inner(3).with(G, &[2]);
    let mut host = Counting(0, |vm| assert!(vm.call(FunctionId(3), &mut Recorder::default()).is_err()));
    let (_, outcome) = code.run_with(1000, &mut host);
    assert_eq!((outcome.unwrap_err().fault, host.0), (Fault::Runaway, 1));
}

#[test]
fn large_pieces_of_the_stack_count() {
    let code = Assembler::new(&[[PUSH, G, 0, G + 1]; 12]).with(G, &[16_000]);
    assert_eq!(code.run_with(12_013, &mut Recorder::default()).1, Ok(()));
    assert_eq!(code.run_with(10_000, &mut Recorder::default()).1.unwrap_err().fault, Fault::Runaway);
}

#[test]
fn functions_with_many_locals_count_for_more() {
    // A hundred calls of a function that returns at once, with 3,200 words of locals to save.
    let mut statements = vec![[CALL0, G, 0, 0]; 100];
    statements.push([RETURN, 0, 0, 0]);
    let code = Assembler::new(&statements).sized(4096).with_inner(101).with_locals(3200).with(G, &[3]);
    assert_eq!(code.run_with(30_000, &mut Recorder::default()).1, Ok(()));
    assert_eq!(code.run_with(15_000, &mut Recorder::default()).1.unwrap_err().fault, Fault::Runaway);
}

#[test]
fn strings_that_nearly_fill_their_memory_do_not_make_collections_free() {
    // Strings that stay, up to the limit, and temporary ones made in a loop.
    let code = Assembler::new(&[[CALL0, G, 0, 0], [GOTO, back(1), 0, 0]]).with(G, &[2]);
    let mut kept = false;
    let mut host = Counting(0, |vm| {
        for width in [10_000, 1000, 100] {
            while !kept && vm.permanent_string(format!("{:0>width$}", vm.string_usage().0).as_bytes()).is_ok() {}
        }
        kept = true;
        let _ = vm.temporary_string(b"x");
    });
    let (vm, outcome) = code.run_with(1_000_000, &mut host);
    assert_eq!(outcome.unwrap_err().fault, Fault::Runaway);
    assert!(vm.string_usage().0 > 800);
    assert!(host.0 < 100_000, "{} times, each fourth of which collects", host.0);
}

#[test]
fn strings_count_by_what_is_read_of_them() {
    // Two strings of the same long text, made by the builtin, and a thousand questions.
    let asking = |question: [u32; 4]| {
        let mut statements = vec![[CALL0, G, 0, 0]];
        statements.extend([question; 1000]);
        let code = Assembler::new(&statements).with(G, &[2]);
        let mut host = Counting(0, |vm| {
            for number in [0, 1] {
                let text = vm.temporary_string(&[b'a'; 100_000]).unwrap();
                vm.store_word(0x1000_0000 + 4 * (G + 1 + number), text, &mut Recorder::default()).unwrap();
            }
        });
        code.run_with(100_000, &mut host).1.map_err(|error| error.fault)
    };
    assert_eq!(asking([NOT_S, G + 1, 0, G + 3]), Ok(()), "whether it is empty");
    assert_eq!(asking([LOAD_BYTE, G + 1, 0, G + 3]), Ok(()), "its first byte");
    assert_eq!(asking([EQ_S, G + 1, G + 1, G + 3]), Ok(()), "whether it is itself");
    assert_eq!(asking([EQ_S, G + 1, G + 2, G + 3]), Err(Fault::Runaway), "whether they are the same");
}
