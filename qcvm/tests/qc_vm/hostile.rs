//! Tests with hostile files: each is refused, or runs within its limits.
//!
//! `PROPTEST_CASES` sets the number of random files.

use super::assembler::Assembler;
use super::{CORE, CORE_FTE, FTE, Recorder};
use proptest::prelude::*;
use skelobj_qcvm::{FunctionId, Limits, Machine, Progs};
use std::sync::Arc;

/// Runs every function of a progs that loads, with small limits.
fn run_everything(bytes: &[u8]) {
    let Ok(progs) = Progs::load(bytes) else { return };
    let progs = Arc::new(progs);
    let limits = Limits {
        statements: 2_000,
        depth: 40,
        stack_words: 4_000,
        string_bytes: 20_000,
        entities: 20,
        entity_words: 1 << 16,
        ..Limits::default()
    };
    let mut vm = Machine::with_limits(Arc::clone(&progs), limits);
    for function in 0..70 {
        let mut host = Recorder::default();
        host.regions.insert(5, vec![1; 8]);
        vm.set_argument(0, [1, 2, 3]);
        if let Err(error) = vm.call(FunctionId(function), &mut host) {
            assert!(!error.fault.to_string().is_empty());
        }
    }
    vm.collect_strings();
}

#[test]
fn every_truncation_is_refused_or_runs_within_its_limits() {
    for bytes in [CORE, CORE_FTE, FTE] {
        for length in 0..bytes.len() {
            run_everything(&bytes[..length]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_are_refused_or_run_within_their_limits(
        file in 0..3usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut bytes = [CORE, CORE_FTE, FTE][file].to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        run_everything(&bytes);
    }

    #[test]
    fn random_statements_run_within_their_limits(
        code in prop::collection::vec((0..282u32, 28..64u32, 28..64u32, 28..64u32), 1..40),
        globals in prop::collection::vec(prop_oneof![
            0..70u32,
            any::<u32>(),
            (0..4u32, 0..64u32).prop_map(|(part, word)| (part + 1) * 0x1000_0000 + 4 * word),
            (0..4u32).prop_map(|n| 0x8000_0000 + n),
            any::<f32>().prop_map(f32::to_bits),
        ], 36),
    ) {
        // Jumps are kept short so that most of them stay in the code.
        let jumps = |opcode: u32| matches!(opcode, 49 | 50 | 98..=103 | 136 | 137 | 215 | 217 | 218);
        let statements: Vec<[u32; 4]> = code
            .iter()
            .map(|&(opcode, a, b, c)| match opcode {
                61 => [61, a % 5 + 1, 0, 0],
                104 => [104, a, b, c % 5 + 1],
                _ if jumps(opcode) => [opcode, a, (b % 7).wrapping_sub(2) & 0xffff, 0],
                85 | 86 | 204 | 212 | 214 => [43, a, 0, 0],
                _ => [opcode, a, b, c],
            })
            .collect();
        run_everything(&Assembler::new(&statements).with(28, &globals).bytes());
    }
}
