//! Fuzzes compiled QuakeC: loaded, and every function called once with all builtins and small limits.
#![no_main]

use std::sync::Arc;

use skelobj::qc::vm::{FunctionId, Limits, Machine, Progs};
use skelobj::qc::{Environment, VmHost};
use skelobj::{Runtime, assets};
use skelobj_fuzz::watched;

/// Maximum number of functions called.
const MOST: u32 = 64;
const LIMITS: Limits = Limits {
    statements: 10_000,
    // Without a clock, no time ends a frame.
    frame_time: std::time::Duration::ZERO,
    depth: 64,
    nesting: 4,
    stack_words: 1 << 14,
    string_bytes: 1 << 18,
    memory_bytes: 1 << 20,
    entities: 256,
    entity_words: 1 << 16,
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(progs) = watched(bytes, || Progs::load(bytes)) else { return };
    let progs = Arc::new(progs);
    let mut runtime = Runtime::default();
    runtime.set_files(file);
    let mut environment = Environment::new(&progs, |_| {});
    let mut machine = Machine::with_limits(progs, LIMITS);
    for function in 1..MOST {
        let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
        if let Err(error) = machine.call(FunctionId(function), &mut host) {
            assert!(!error.to_string().is_empty());
        }
        VmHost { runtime: &mut runtime, environment: &mut environment }.step(&mut machine, 0.0);
    }
    runtime.step(0.1).unwrap();
});

fn file(name: &str) -> Option<Vec<u8>> {
    match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    }
}
