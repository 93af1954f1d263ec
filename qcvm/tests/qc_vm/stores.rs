//! Tests of consecutive stores, which run as one statement with the call behind them.

use super::assembler::{Assembler, G, f};
use super::{Fault, Machine};
use skelobj_qcvm::{Builtin, Builtins};

/// Opcodes.
const STORE: u32 = 31;
const STORE_V: u32 = 32;
const RETURN: u32 = 43;
const CALL1: u32 = 52;
const GOTO: u32 = 61;

#[test]
fn stores_in_a_row_are_done_in_order_from_wherever_a_jump_leads() {
    // G + 3 gets G, then G + 4 what G + 3 has by then, then G + 5 what G + 4 has.
    let run = [[STORE, G, G + 3, 0], [STORE, G + 3, G + 4, 0], [STORE, G + 4, G + 5, 0], [RETURN, G + 3, 0, 0]];
    for (skipped, wanted) in [[1, 1, 1], [7, 7, 7], [7, 8, 8], [7, 8, 9]].into_iter().enumerate() {
        let mut statements = vec![[GOTO, 1 + skipped as u32, 0, 0]];
        statements.extend(run);
        let code = Assembler::new(&statements).with(G, &[1]).with(G + 3, &[7, 8, 9]);
        assert_eq!(code.result(), wanted, "{skipped} left out");
    }
}

#[test]
fn a_vector_is_stored_word_by_word_alone_and_in_a_row() {
    let overlapping = [STORE_V, G, G + 1, 0];
    let alone = Assembler::new(&[overlapping, [RETURN, G + 1, 0, 0]]).with(G, &[1, 2, 3]).result();
    let row = Assembler::new(&[overlapping, [STORE, G + 9, G + 8, 0], [RETURN, G + 1, 0, 0]]);
    assert_eq!(alone, [1, 1, 1]);
    assert_eq!(row.with(G, &[1, 2, 3]).result(), alone);
}

#[test]
fn a_run_of_any_length_is_executed_completely() {
    for length in [2, 3, 4, 5, 7, 253, 254, 255, 256, 600] {
        // Each moves the word on by one place.
        let mut statements: Vec<[u32; 4]> = (0..length).map(|at| [STORE, G + at, G + at + 1, 0]).collect();
        statements.push([RETURN, G + length, 0, 0]);
        let code = Assembler::new(&statements).sized(1000).with(G, &[5]).with(G + length + 1, &[8, 9]);
        assert_eq!(code.result(), [5, 8, 9], "{length} stores");
    }
}

#[test]
fn globals_beyond_16_bits_are_stored_as_any_other() {
    for at in [65_530, 65_532, 65_533, 65_534, 65_535, 65_536, 70_000] {
        let mut code = Assembler::new(&[
            [STORE_V, G, at, 0],
            [STORE, at + 1, at + 4, 0],
            [STORE_V, at + 2, at + 5, 0],
            [RETURN, at + 5, 0, 0],
        ]);
        code.wide = true;
        assert_eq!(code.sized(70_010).with(G, &[1, 2, 3]).result(), [3, 0, 2], "at {at}");
    }
}

/// Host that records the arguments of each call of a builtin.
#[derive(Default)]
struct Arguments(Vec<Vec<f32>>);

impl Builtins for Arguments {
    fn call(&mut self, vm: &mut Machine, _: &Builtin) -> Result<(), Fault> {
        self.0.push((0..vm.argc()).map(|number| vm.argument_float(number)).collect());
        Ok(())
    }
}

#[test]
fn a_call_gets_the_arguments_that_are_stored_before_it_from_wherever_a_jump_leads() {
    // Function 2 is a builtin; arguments are at 4, 7 and 10.
    for (skipped, wanted) in [[1.0, 2.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [0.0; 3]].into_iter().enumerate() {
        let code = Assembler::new(&[
            [GOTO, 1 + skipped as u32, 0, 0],
            [STORE, G, 4, 0],
            [STORE, G + 1, 7, 0],
            [STORE_V, G + 2, 10, 0],
            [CALL1 + 2, G + 5, 0, 0],
        ]);
        let code = code.with(G, &[f(1.0), f(2.0), f(3.0), 0, 0, 2]);
        let mut host = Arguments::default();
        code.run_with(100, &mut host).1.unwrap();
        assert_eq!(host.0, [wanted]);
    }
}

#[test]
fn a_call_goes_to_the_function_that_was_stored_just_before() {
    // The global names function 1, main itself, until the builtin is stored there.
    let code = Assembler::new(&[[STORE, G, G + 1, 0], [STORE, G + 2, 4, 0], [CALL1, G + 1, 0, 0]]);
    let code = code.with(G, &[2, 1, f(7.0)]);
    let mut host = Arguments::default();
    code.run_with(100, &mut host).1.unwrap();
    assert_eq!(host.0, [[7.0]]);
}

#[test]
fn arguments_that_were_not_passed_are_0_one_by_one_and_together() {
    struct Both(Vec<[[f32; 3]; 2]>);
    impl Builtins for Both {
        fn call(&mut self, vm: &mut Machine, _: &Builtin) -> Result<(), Fault> {
            let mut together = [9.0; 3];
            vm.argument_floats(&mut together);
            self.0.push([together, [0, 1, 2].map(|number| vm.argument_float(number))]);
            Ok(())
        }
    }
    // Three arguments, then two and one: leftovers of the first call must not count.
    let code = Assembler::new(&[
        [STORE, G, 4, 0],
        [STORE, G + 1, 7, 0],
        [STORE, G + 2, 10, 0],
        [CALL1 + 2, G + 3, 0, 0],
        [CALL1 + 1, G + 3, 0, 0],
        [STORE, G + 2, 4, 0],
        [CALL1, G + 3, 0, 0],
    ]);
    let code = code.with(G, &[f(1.0), f(2.0), f(3.0), 2]);
    let mut host = Both(Vec::new());
    code.run_with(100, &mut host).1.unwrap();
    assert_eq!(host.0, [[1.0, 2.0, 3.0], [1.0, 2.0, 0.0], [3.0, 0.0, 0.0]].map(|wanted| [wanted; 2]));
}
