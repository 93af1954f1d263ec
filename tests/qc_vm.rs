//! The QuakeC machine: what programs compute, what stops them, and that no file can harm it.
#![cfg(feature = "qc")]

use proptest::prelude::*;
use skelobj::qc::vm::{Builtin, Builtins, Fault, Limits, Machine, Progs, ProgsError, RunError, Table};
use std::collections::HashMap;
use std::sync::Arc;

const CORE: &[u8] = include_bytes!("qc/core.dat");
const CORE_FTE: &[u8] = include_bytes!("qc/core_fte.dat");
const FTE: &[u8] = include_bytes!("qc/fte.dat");

/// A host with the builtins that the test programs declare; what they emit is kept by name, in order.
#[derive(Default)]
struct Recorder {
    emitted: Vec<(String, Value)>,
    argument_counts: Vec<usize>,
    regions: HashMap<u32, Vec<u32>>,
    calls: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Float(f32),
    Vector([f32; 3]),
    Text(String),
    Int(i32),
}

impl From<f32> for Value {
    fn from(value: f32) -> Self {
        Value::Float(value)
    }
}
impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value::Int(value)
    }
}
impl From<[f32; 3]> for Value {
    fn from(value: [f32; 3]) -> Self {
        Value::Vector(value)
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.into())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Builtins for Recorder {
    fn call(&mut self, vm: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        self.calls += 1;
        match (builtin.number, &*builtin.name) {
            (number @ (1 | 2 | 3 | 14), _) => {
                let value = match number {
                    1 => Value::Float(vm.argument_float(1)),
                    2 => Value::Vector(vm.argument_vector(1)),
                    3 => Value::Text(text(vm.argument_string(1)?)),
                    _ => Value::Int(vm.argument_bits(1) as i32),
                };
                self.emitted.push((text(vm.argument_string(0)?), value));
            }
            (4, _) => {
                let joined = [vm.argument_string(0)?, vm.argument_string(1)?].concat();
                vm.return_string(&joined)?;
            }
            (5, _) => vm.return_string(vm.argument_float(0).to_string().as_bytes())?,
            (6, _) => {
                let entity = vm.spawn_entity()?;
                vm.return_bits(entity);
            }
            (7, _) => vm.remove_entity(vm.argument_entity(0)?)?,
            (8, _) => vm.call(vm.argument_function(0), self)?,
            (9, _) => self.argument_counts.push(vm.argc()),
            (10, _) => {
                let global = vm.progs().global(b"v_forward").ok_or(Fault::MissingName("v_forward"))?;
                vm.set_global_vector(global, [0.5, 0.25, -1.0]);
            }
            (11, _) => {}
            (12, _) => return Err(Fault::Script(vm.argument_string(0)?.into())),
            (13, _) => {
                let region = vm.argument_float(0) as u32;
                let size = 4 * self.regions.get(&region).map_or(0, Vec::len);
                let address = vm.map_host(region, size as u32)?;
                let pointer = vm.progs().global(b"pointer").ok_or(Fault::MissingName("pointer"))?;
                vm.set_global(pointer, address);
            }
            (0, b"by_name") => vm.return_float(10.0 * vm.argument_float(0) + vm.argument_float(1)),
            (number, name) => return Err(Fault::UnknownBuiltin { number, name: name.into() }),
        }
        Ok(())
    }

    fn read_host(&mut self, region: u32, offset: u32) -> Option<u32> {
        self.regions.get(&region)?.get(offset as usize / 4).copied()
    }

    fn write_host(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        *self.regions.get_mut(&region)?.get_mut(offset as usize / 4)? = bits;
        Some(())
    }
}

fn machine(bytes: &[u8]) -> Machine {
    Machine::new(Arc::new(Progs::load(bytes).unwrap()))
}

fn run_on(vm: &mut Machine, host: &mut Recorder, function: &str) -> Result<(), RunError> {
    let function = vm.find_function(function.as_bytes()).expect("the function is in the progs");
    vm.call(function, host)
}

/// What `function` emits, after checking that it ends.
fn emitted(bytes: &[u8], function: &str) -> Vec<(String, Value)> {
    let mut host = Recorder::default();
    run_on(&mut machine(bytes), &mut host, function).unwrap();
    host.emitted
}

/// Checks that `function` emits exactly `wanted`, under both targets of the compiler.
fn emits(function: &str, wanted: &[(&str, Value)]) {
    for bytes in [CORE, CORE_FTE] {
        emits_from(bytes, function, wanted);
    }
}

fn emits_from(bytes: &[u8], function: &str, wanted: &[(&str, Value)]) {
    let got = emitted(bytes, function);
    assert_eq!(got.len(), wanted.len(), "{got:?}");
    for ((name, value), (wanted_name, wanted)) in got.iter().zip(wanted) {
        assert_eq!(name, wanted_name);
        match (value, wanted) {
            (Value::Float(a), Value::Float(b)) if a.is_nan() && b.is_nan() => {}
            _ => assert_eq!(value, wanted, "{name}"),
        }
    }
}

fn fault_of(bytes: &[u8], function: &str) -> RunError {
    let limits = Limits { statements: 1_000_000, entities: 100, ..Limits::default() };
    let mut vm = Machine::with_limits(Arc::new(Progs::load(bytes).unwrap()), limits);
    let error = run_on(&mut vm, &mut Recorder::default(), function).unwrap_err();
    let mut host = Recorder::default();
    run_on(&mut vm, &mut host, if bytes == FTE { "integers" } else { "functions" }).expect("the machine runs on");
    assert!(!host.emitted.is_empty());
    error
}

#[test]
fn floats_follow_ieee_and_become_integers_by_truncation() {
    emits(
        "arithmetic",
        &[
            ("add", 9.0.into()),
            ("sub", 5.0.into()),
            ("mul", 14.0.into()),
            ("div", 3.5.into()),
            ("divide by zero", f32::INFINITY.into()),
            ("negative by zero", f32::NEG_INFINITY.into()),
            ("zero by zero", f32::NAN.into()),
            ("bit and", 2.0.into()),
            ("bit or", 15.0.into()),
            ("bit and negative", 255.0.into()),
            ("bit or huge", (-2147483648.0).into()),
            ("and", 0.0.into()),
            ("or", 1.0.into()),
            ("not", 0.0.into()),
            ("not zero", 1.0.into()),
            ("less", 0.0.into()),
            ("less or equal", 1.0.into()),
            ("greater", 1.0.into()),
            ("greater or equal", 0.0.into()),
            ("equal", 1.0.into()),
            ("not equal", 0.0.into()),
            ("add to", 10.0.into()),
            ("subtract from", 6.0.into()),
            ("multiply by", 12.0.into()),
            ("divide by", 1.5.into()),
        ],
    );
}

#[test]
fn vectors_add_scale_multiply_and_compare() {
    emits(
        "vector_arithmetic",
        &[
            ("vector add", [5.0, -3.0, 9.0].into()),
            ("vector sub", [-3.0, 7.0, -3.0].into()),
            ("dot", 12.0.into()),
            ("vector by float", [3.0, 6.0, 9.0].into()),
            ("float by vector", [2.0, -2.5, 3.0].into()),
            ("vector equal", 1.0.into()),
            ("vector not equal", 1.0.into()),
            ("not vector", 0.0.into()),
            ("not zero vector", 1.0.into()),
            ("component", [1.0, 20.0, 3.0].into()),
            ("component read", 6.0.into()),
            ("initial vector", [1.0, -2.0, 3.5].into()),
        ],
    );
}

#[test]
fn strings_compare_by_content_and_the_empty_one_is_false() {
    emits(
        "strings",
        &[
            ("string equal", 1.0.into()),
            ("string not equal", 1.0.into()),
            ("content equal", 1.0.into()),
            ("not string", 0.0.into()),
            ("not empty string", 1.0.into()),
            ("not empty literal", 1.0.into()),
            ("empty equal", 1.0.into()),
            ("initial string", "text of a global".into()),
            ("joined", "abc-42".into()),
        ],
    );
}

#[test]
fn functions_recurse_pass_values_and_reach_builtins_by_number_and_by_name() {
    emits(
        "functions",
        &[
            ("factorial", 3628800.0.into()),
            ("fibonacci", 610.0.into()),
            ("string parameter", "passed".into()),
            ("entity parameter", 1.0.into()),
            ("vector result", [4.0, 8.0, 12.0].into()),
            ("by name", 34.0.into()),
            ("set by builtin", [0.5, 0.25, -1.0].into()),
        ],
    );
    for bytes in [CORE, CORE_FTE] {
        let mut host = Recorder::default();
        run_on(&mut machine(bytes), &mut host, "functions").unwrap();
        assert_eq!(host.argument_counts, [0, 1, 3, 8]);
    }
}

#[test]
fn loops_and_switches_take_the_right_turns() {
    let wanted = [
        ("for", 25.0.into()),
        ("while", 5.0.into()),
        ("do", 45.0.into()),
        ("case", 0.0.into()),
        ("string case", 3.0.into()),
    ];
    emits("loops", &wanted);
    emits_from(
        FTE,
        "switches",
        &[
            ("switch", 1.0.into()),
            ("switch", 35.0.into()),
            ("switch", 0.0.into()),
            ("string switch", 2.0.into()),
            ("entity switch", 1.0.into()),
            ("entity switch", 0.0.into()),
        ],
    );
}

#[test]
fn arrays_hold_what_is_put_in_and_refuse_other_indices() {
    emits(
        "arrays",
        &[
            ("array", 16.0.into()),
            ("vector array", [2.0, 20.0, 200.0].into()),
            ("string array", "2".into()),
            ("array constant", 25.0.into()),
        ],
    );
    let mut vm = machine(CORE);
    let element = vm.find_function(b"array_element").unwrap();
    vm.set_argument(0, [6f32.to_bits(), 0, 0]);
    let error = vm.call(element, &mut Recorder::default()).unwrap_err();
    assert_eq!(error.fault, Fault::BadIndex { index: 6, last: 5 });
    emits_from(FTE, "local_arrays", &[("local array", 4.0.into())]);
    emits_from(FTE, "structs", &[("struct member", 2.0.into()), ("struct vector", [2.0, 0.0, 0.0].into())]);
}

#[test]
fn entities_have_fields_of_their_own() {
    emits(
        "entities",
        &[
            ("different", 1.0.into()),
            ("not world", 1.0.into()),
            ("not entity", 0.0.into()),
            ("field", 20.0.into()),
            ("vector field", [1.0, 9.0, 3.0].into()),
            ("string field", "thing".into()),
            ("entity field", 1.0.into()),
            ("through field", 3.0.into()),
            ("flags", 13.0.into()),
            ("used", 20.0.into()),
            ("other entity", 3.0.into()),
        ],
    );
    emits_from(
        FTE,
        "fields",
        &[
            ("field add", 15.0.into()),
            ("field sub", 14.0.into()),
            ("field mul", 28.0.into()),
            ("field div", 7.0.into()),
            ("field or", 7.0.into()),
            ("field clear", 3.0.into()),
            ("field add vector", [2.0, 3.0, 4.0].into()),
            ("field sub vector", [2.0, 2.0, 2.0].into()),
            ("int field", 3.into()),
            ("string field", "x".into()),
        ],
    );
}

#[test]
fn a_removed_entity_keeps_its_fields_until_its_number_is_used_again() {
    let mut vm = machine(CORE);
    let health = vm.progs().field(b"health").unwrap();
    let first = vm.spawn_entity().unwrap();
    vm.set_field_float(first, health, 7.0).unwrap();
    vm.remove_entity(first).unwrap();
    vm.remove_entity(first).unwrap();
    assert!(!vm.is_entity_alive(first));
    assert_eq!(vm.field_float(first, health), Ok(7.0));
    let mut numbers = Vec::new();
    for _ in 0..40 {
        let entity = vm.spawn_entity().unwrap();
        numbers.push(entity);
        vm.remove_entity(entity).unwrap();
    }
    let reused = numbers.iter().position(|&n| n == first).expect("the number comes round");
    assert!(reused >= 32, "reused after {reused}");
    assert!(vm.entity_count() < 40);
    assert_eq!(vm.field_float(first, health), Ok(0.0));
    assert_eq!(vm.remove_entity(0), Err(Fault::RemovedWorld));
    assert_eq!(vm.remove_entity(1000), Err(Fault::BadEntity(1000)));
}

#[test]
fn state_functions_set_frame_nextthink_and_think() {
    emits(
        "states",
        &[
            ("first", 1.0.into()),
            ("state frame", 7.0.into()),
            ("state nextthink", 2.6.into()),
            ("second", 1.0.into()),
            ("next frame", 8.0.into()),
        ],
    );
}

#[test]
fn a_builtin_may_call_quakec_without_disturbing_its_caller() {
    emits("nested", &[("after callback", 3.0.into()), ("in callback", 5.0.into())]);
}

#[test]
fn integers_convert_shift_and_divide_by_zero_to_zero() {
    emits_from(
        FTE,
        "integers",
        &[
            ("int add", 22.into()),
            ("int sub", 12.into()),
            ("int mul", 85.into()),
            ("int div", 3.into()),
            ("int and", 1.into()),
            ("int or", 21.into()),
            ("int xor", 20.into()),
            ("shift left", 136.into()),
            ("shift right", 4.into()),
            ("by zero", 0.into()),
            ("mixed add", 19.5.into()),
            ("mixed sub", (-14.5).into()),
        ],
    );
}

#[test]
fn compound_assignments_and_conditions_of_the_fte_target() {
    emits_from(
        FTE,
        "assignments",
        &[
            ("or", 7.0.into()),
            ("clear", 3.0.into()),
            ("mul", 12.0.into()),
            ("div", 4.0.into()),
            ("add and sub", 5.0.into()),
            ("vector", [3.0, 7.0, 11.0].into()),
        ],
    );
    emits_from(
        FTE,
        "conditions",
        &[("empty is false", 1.0.into()), ("text is true", 1.0.into()), ("minus zero", 1.0.into())],
    );
    emits_from(FTE, "characters", &[("character", 101.0.into()), ("pool character", 112.0.into())]);
    emits_from(FTE, "states", &[("first", 1.0.into()), ("frame", 7.0.into()), ("second", 1.0.into())]);
}

#[test]
fn pointers_reach_locals_fields_and_memory_of_the_host() {
    emits_from(
        FTE,
        "pointers",
        &[
            ("through pointer", 8.0.into()),
            ("read through pointer", 9.0.into()),
            ("add through pointer", 10.0.into()),
            ("field through pointer", 12.0.into()),
            ("vector through pointer", [4.0, 5.0, 6.0].into()),
        ],
    );
    let mut host = Recorder::default();
    host.regions.insert(5, vec![2.5f32.to_bits(), 0]);
    run_on(&mut machine(FTE), &mut host, "host_memory").unwrap();
    assert_eq!(host.regions[&5], [154f32.to_bits(), 0]);
    let values: Vec<_> = host.emitted.into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, [Value::Float(2.5), Value::Float(154.0)]);
}

#[test]
fn host_memory_keeps_its_address_and_is_checked_word_by_word() {
    let mut vm = machine(FTE);
    let mut host = Recorder::default();
    host.regions.insert(0x00ff_ffff, vec![0; 256 * 12]);
    let address = vm.map_host(0x00ff_ffff, 256 * 48).unwrap();
    for region in 1..5000 {
        vm.map_host(region, 48).unwrap();
    }
    assert_eq!(vm.map_host(0x00ff_ffff, 256 * 48), Ok(address));
    vm.store_word(address + 256 * 48 - 4, 7, &mut host).unwrap();
    assert_eq!(host.regions[&0x00ff_ffff].last(), Some(&7));
    assert_eq!(vm.load_word(address + 256 * 48 - 4, &mut host), Ok(7));
    for bad in [address + 256 * 48, address + 2, 0, 4, 0x1fff_fffc, 0x2000_0000, 0x3fff_fffc, 0x7fff_fffc, u32::MAX - 3] {
        assert_eq!(vm.load_word(bad, &mut host), Err(Fault::BadPointer { address: bad, write: false }));
        assert_eq!(vm.store_word(bad, 0, &mut host), Err(Fault::BadPointer { address: bad, write: true }));
    }
    vm.unmap_host(0x00ff_ffff);
    assert!(vm.load_word(address, &mut host).is_err());
    assert_eq!(vm.map_host(0, 4), Err(Fault::NoFreeAddress));
    assert_eq!(fault_of(FTE, "null_pointer").fault, Fault::BadPointer { address: 0, write: false });
}

#[test]
fn temporary_strings_are_freed_once_nothing_holds_them() {
    for bytes in [CORE, CORE_FTE] {
        let mut vm = machine(bytes);
        let mut host = Recorder::default();
        run_on(&mut vm, &mut host, "make_garbage").unwrap();
        let values: Vec<_> = host.emitted.iter().map(|(_, value)| value.clone()).collect();
        assert_eq!(values, ["garbage 19999".into(), "kept string".into(), "field string".into()]);
        assert!(vm.string_usage().0 < 10_000, "{:?} of 40,002 strings left", vm.string_usage());
        vm.collect_strings();
        assert!(vm.string_usage().0 <= 5, "{:?}", vm.string_usage());
        let classname = vm.progs().field(b"classname").unwrap();
        let this = vm.global(vm.progs().global(b"self").unwrap());
        assert_eq!(vm.string(vm.field(this, classname).unwrap()), Ok(&b"field string"[..]));
        let permanent = vm.permanent_string(b"model.iqm").unwrap();
        let temporary = vm.temporary_string(b"gone\0cut").unwrap();
        assert_eq!(vm.string(temporary), Ok(&b"gone"[..]));
        vm.collect_strings();
        assert_eq!(vm.string(temporary), Err(Fault::BadString(temporary)));
        assert_eq!(vm.string(permanent), Ok(&b"model.iqm"[..]));
        assert_eq!(vm.permanent_string(b"model.iqm"), Ok(permanent));
    }
}

#[test]
fn what_runs_away_is_stopped_where_it_is() {
    for bytes in [CORE, CORE_FTE] {
        let stopped = |function: &str| {
            let error = fault_of(bytes, function);
            assert_eq!(error.function, function);
            error.fault
        };
        assert_eq!(stopped("recurse_for_ever"), Fault::TooDeep);
        assert_eq!(stopped("loop_for_ever"), Fault::Runaway);
        assert_eq!(stopped("call_null"), Fault::NullFunction);
        assert_eq!(stopped("spawn_for_ever"), Fault::NoFreeEntity);
        assert_eq!(stopped("remove_world"), Fault::RemovedWorld);
        assert_eq!(stopped("hoard_strings"), Fault::NoStringMemory);
        let error = fault_of(bytes, "failing");
        assert_eq!((error.function.as_str(), error.file.as_str()), ("failing_inner", "core.qc"));
        assert_eq!(error.fault, Fault::Script((*b"given up").into()));
        assert_eq!(
            error.to_string(),
            format!("core.qc: failing_inner, statement {}: given up", error.statement)
        );
    }
}

#[test]
fn a_callback_that_calls_back_for_ever_is_stopped() {
    struct Nesting;
    impl Builtins for Nesting {
        fn call(&mut self, vm: &mut Machine, _: &Builtin) -> Result<(), Fault> {
            let nested = vm.find_function(b"nested").unwrap();
            Ok(vm.call(nested, self)?)
        }
    }
    let mut vm = machine(CORE);
    let nested = vm.find_function(b"nested").unwrap();
    let mut fault = vm.call(nested, &mut Nesting).unwrap_err().fault;
    let mut levels = 1;
    while let Fault::Nested(inner) = fault {
        fault = inner.fault;
        levels += 1;
    }
    assert_eq!((fault, levels), (Fault::NestedTooDeep, 17));
    run_on(&mut vm, &mut Recorder::default(), "nested").unwrap();
}

/// A progs put together by hand, for what compilers seldom or never write.
struct Assembler {
    wide: bool,
    version: u32,
    statements: Vec<[u32; 4]>,
    globals: Vec<u32>,
}

/// The first global of an assembled progs that its statements are free to use.
const G: u32 = 40;

impl Assembler {
    fn new(statements: &[[u32; 4]]) -> Self {
        let mut code = vec![[0; 4]];
        code.extend(statements);
        code.push([0; 4]);
        Assembler { wide: false, version: 7, statements: code, globals: vec![0; 64] }
    }

    fn with(mut self, global: u32, words: &[u32]) -> Self {
        self.globals[global as usize..global as usize + words.len()].copy_from_slice(words);
        self
    }

    /// The file: functions "main" and builtin #1 are 1 and 2; 16 words per entity.
    fn bytes(&self) -> Vec<u8> {
        let strings = b"\0main\0text\0";
        let words = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        let code: Vec<u8> = if self.wide {
            self.statements.iter().flat_map(|s| words(s)).collect()
        } else {
            self.statements.iter().flatten().flat_map(|&w| (w as u16).to_le_bytes()).collect()
        };
        let functions = words(
            &[[0; 9], [1, 0, 0, 0, 1, 0, 0, 0, 0], [-1i32 as u32, 0, 0, 0, 0, 0, 0, 0, 0]].concat(),
        );
        let globals = words(&self.globals);
        let tables = [
            (&code[..], self.statements.len()),
            (&[][..], 0),
            (&[][..], 0),
            (&functions, 3),
            (strings, strings.len()),
            (&globals, self.globals.len()),
        ];
        let mut at = 92u32;
        let mut header = vec![self.version, 0];
        for (bytes, count) in tables {
            header.extend([at, count as u32]);
            at += bytes.len() as u32;
        }
        header.extend([16, 0, 0, 0, 0, 0, 0, 0, if self.wide { 0x6516_7402 } else { 0x021b_1461 }]);
        let mut file = words(&header);
        file.truncate(92);
        tables.iter().for_each(|(bytes, _)| file.extend_from_slice(bytes));
        file
    }

    fn run(&self) -> (Machine, Result<(), RunError>) {
        let progs = Progs::load(&self.bytes()).unwrap();
        let limits = Limits { statements: 10_000, ..Limits::default() };
        let mut vm = Machine::with_limits(Arc::new(progs), limits);
        vm.spawn_entity().unwrap();
        let main = vm.find_function(b"main").unwrap();
        let mut host = Recorder::default();
        host.regions.insert(9, vec![0x0403_0201, 0x8765_4321, 3, 4, 5]);
        assert_eq!(vm.map_host(9, 20), Ok(HOST));
        let outcome = vm.call(main, &mut host);
        (vm, outcome)
    }

    /// Runs it and gives the three words of its result.
    fn result(&self) -> [u32; 3] {
        let (vm, outcome) = self.run();
        outcome.unwrap();
        vm.result()
    }
}

/// The address of the first host region.
const HOST: u32 = 0x4000_0000;

fn f(value: f32) -> u32 {
    value.to_bits()
}

/// Checks c = op(a, b) for single words.
fn computes(opcode: u32, a: u32, b: u32, wanted: u32) {
    let code = Assembler::new(&[[opcode, G, G + 1, G + 2], [43, G + 2, 0, 0]]).with(G, &[a, b]);
    assert_eq!(code.result()[0], wanted, "opcode {opcode} of {a:#x} and {b:#x}");
}

/// Checks c = op(a, b) for pairs of words.
fn computes_wide(opcode: u32, a: u64, b: u64, wanted: u64) {
    let words = |v: u64| [v as u32, (v >> 32) as u32];
    let code = Assembler::new(&[[opcode, G, G + 2, G + 4], [43, G + 4, 0, 0]]).with(G, &[words(a), words(b)].concat());
    let [low, high, _] = code.result();
    assert_eq!(u64::from(high) << 32 | u64::from(low), wanted, "opcode {opcode} of {a:#x} and {b:#x}");
}

#[test]
fn integer_and_mixed_operations_match_their_opcodes() {
    let minus = |n: i32| -n as u32;
    for (opcode, a, b, wanted) in [
        (116, 5, minus(7), minus(2)),
        (117, f(1.5), 2, f(3.5)),
        (118, 2, f(0.25), f(2.25)),
        (119, 5, 7, minus(2)),
        (120, f(1.5), 2, f(-0.5)),
        (121, 2, f(0.5), f(1.5)),
        (122, minus(3), 0, f(-3.0)),
        (123, f(-3.9), 0, minus(3)),
        (123, f(f32::NAN), 0, 0x8000_0000),
        (123, f(3e9), 0, 0x8000_0000),
        (130, 12, 10, 8),
        (131, 12, 10, 14),
        (132, 0x8000_0001, 2, 2),
        (133, minus(7), 2, minus(3)),
        (133, 7, 0, 0),
        (133, 0x8000_0000, u32::MAX, 0x7fff_ffff),
        (134, 4, 4, 1),
        (135, 4, 4, 0),
        (138, 0, 0, 1),
        (140, 12, 10, 6),
        (141, minus(8), 1, minus(4)),
        (141, minus(8), 33, minus(4)),
        (142, 1, 4, 16),
        (144, 100, 3, 112),
        (161, 3, 3, 1),
        (162, minus(1), 3, 0),
        (163, minus(1), 3, 1),
        (164, minus(1), 3, 0),
        (165, 3, f(3.5), 1),
        (166, 3, f(3.5), 0),
        (167, 3, f(3.5), 1),
        (168, 3, f(3.5), 0),
        (169, f(3.5), 3, 0),
        (170, f(3.5), 3, 1),
        (171, f(3.5), 3, 0),
        (172, f(3.5), 3, 1),
        (173, 3, f(3.0), 1),
        (174, f(3.0), 3, 1),
        (176, 9, 4, 5),
        (179, 3, f(0.5), f(1.5)),
        (180, f(0.5), 3, f(1.5)),
        (183, 3, f(2.0), f(1.5)),
        (184, f(3.0), 0, f(f32::INFINITY)),
        (185, 7, f(3.9), 3),
        (186, 8, f(3.9), 11),
        (187, f(7.9), 3, 3),
        (188, f(8.9), 3, 11),
        (189, 1, 2, 1),
        (190, 0, 0, 0),
        (191, 1, f(-0.0), 0),
        (192, 0, f(0.5), 1),
        (193, f(0.5), 1, 1),
        (194, f(-0.0), 0, 0),
        (195, 3, f(3.0), 0),
        (196, f(3.5), 3, 1),
        (225, u32::MAX, 1, 0),
        (226, 1, u32::MAX, 1),
        (227, u32::MAX, 2, 0x7fff_ffff),
        (227, 1, 0, 0),
        (228, u32::MAX, 28, 15),
        (273, 0xf0, 0x0404, u32::MAX),
        (274, 0xf0, 0x0404, 15),
        (276, u32::MAX, 0, f(4294967295.0)),
        (277, f(3e9), 0, 3_000_000_000),
    ] {
        computes(opcode, a, b, wanted);
    }
    let code = Assembler::new(&[[275, G, G + 1, G + 2], [43, G + 2, 0, 0]]).with(G, &[0b1010, 0x0804, u32::MAX]);
    assert_eq!(code.result()[0], 0xffff_faff);
}

#[test]
fn wide_operations_match_their_opcodes() {
    let minus = |n: i64| -n as u64;
    let d = f64::to_bits;
    for (opcode, a, b, wanted) in [
        (229, u64::from(u32::MAX), 1, 1 << 32),
        (230, 0, 1, minus(1)),
        (231, 1 << 31, 4, 1 << 33),
        (232, minus(7), 2, minus(3)),
        (232, 7, 0, 0),
        (232, 1 << 63, minus(1), (1 << 63) - 1),
        (233, 12 << 32, 10 << 32, 8 << 32),
        (234, 12 << 32, 10 << 32, 14 << 32),
        (235, 12 << 32, 10 << 32, 6 << 32),
        (236, 3, 40, 3 << 40),
        (237, minus(8), 1, minus(4)),
        (238, minus(1), 0, 1),
        (239, minus(1), 0, 1),
        (240, 1 << 40, 1 << 40, 1),
        (241, 1 << 40, 1 << 40, 0),
        (242, minus(1), 0, 0),
        (243, 0, minus(1), 1),
        (244, minus(1), 1 << 32, u64::from(u32::MAX)),
        (244, 1, 0, 0),
        (245, minus(1), 60, 15),
        (252, minus(1), 0, u64::from(u32::MAX)),
        (253, u64::from(u32::MAX), 0, minus(1)),
        (254, 5 << 32 | 6, 0, 6),
        (255, u64::from(f(1.5)), 0, d(1.5)),
        (256, d(1.5), 0, u64::from(f(1.5))),
        (257, minus(3), 0, u64::from(f(-3.0))),
        (258, u64::from(f(-3.5)), 0, minus(3)),
        (259, minus(3), 0, d(-3.0)),
        (260, d(-3.5), 0, minus(3)),
        (261, d(1.0), d(0.5), d(1.5)),
        (262, d(1.0), d(0.5), d(0.5)),
        (263, d(1.5), d(2.0), d(3.0)),
        (264, d(1.0), d(0.0), d(f64::INFINITY)),
        (265, d(1.0), d(1.0), 1),
        (266, d(1.0), d(1.0), 0),
        (267, d(0.0), d(-0.0), 1),
        (268, d(f64::NAN), d(f64::NAN), 1),
        (278, minus(1), 0, d(18446744073709551615.0)),
        (279, d(1e19), 0, 10_000_000_000_000_000_000),
        (280, 1 << 63, 0, u64::from(f(9223372036854775808.0))),
        (281, u64::from(f(3.9)), 0, 3),
    ] {
        computes_wide(opcode, a, b, wanted);
    }
}

#[test]
fn indexed_pointers_read_and_write_words_of_the_host() {
    // p[3], as newer compilers write it; then p[1] = p[3], *p = p[1].
    let code = [[154, G, G + 1, G + 3], [37, G + 3, G, G + 2], [37, G + 3, G, 0], [154, G, 0, G + 4], [43, G + 4, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[HOST, 3, 1]).result()[0], 4);
    // The same through ADD_PIW.
    let code = [[144, G, G + 1, G + 2], [154, G + 2, 0, G + 3], [43, G + 3, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[HOST, 3]).result()[0], 4);
    // A vector, from the second word on.
    let code = [[155, G, G + 1, G + 4], [43, G + 4, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[HOST, 2]).result(), [3, 4, 5]);
    let (_, outcome) = Assembler::new(&code).with(G, &[HOST, 3]).run();
    let error = outcome.unwrap_err();
    assert_eq!(error.fault, Fault::BadPointer { address: HOST + 20, write: false });
    assert_eq!((error.function.as_str(), error.statement), ("main", 1));
}

#[test]
fn bytes_and_halves_are_read_and_written_in_place() {
    let read = |opcode: u32, index: u32| {
        Assembler::new(&[[opcode, G, G + 1, G + 2], [43, G + 2, 0, 0]]).with(G, &[HOST, index]).result()[0]
    };
    assert_eq!(read(224, 2), 3);
    assert_eq!(read(224, 7), 0x87);
    assert_eq!(read(272, 7), 0xffff_ff87);
    assert_eq!(read(271, 3), 0x8765);
    assert_eq!(read(270, 3), 0xffff_8765);
    assert_eq!(read(178, f(5.0)), f(67.0));
    let write = |opcode: u32, index: u32, value: u32| {
        let code = [[opcode, G + 2, G, G + 1], [154, G, 0, G + 3], [43, G + 3, 0, 0]];
        Assembler::new(&code).with(G, &[HOST, index, value]).result()[0]
    };
    assert_eq!(write(223, 1, 0x1ff), 0x0403_ff01);
    assert_eq!(write(269, 1, 0x1_abcd), 0xabcd_0201);
    assert_eq!(write(177, 3, f(9.0)), 0x0903_0201);
    // Strings are bytes, too, but not for writing.
    let code = Assembler::new(&[[224, G, G + 1, G + 2], [43, G + 2, 0, 0]]);
    assert_eq!(code.with(G, &[6, 1]).result()[0], u32::from(b'e'));
    let (_, outcome) = Assembler::new(&[[223, G + 1, G, 0]]).with(G, &[6, 1]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadPointer { address: 6, write: true });
}

#[test]
fn globals_fields_and_the_stack_are_reached_by_index() {
    // &G[2] through GLOBALADDRESS, then a store through it.
    let code = [[143, G, G + 4, G + 5], [37, G + 6, G + 5, 0], [43, G, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 2, 3, 0, 2, 0, 9]).result(), [1, 2, 9]);
    // LOADA, GLOAD and GSTOREP.
    let code = [[145, G, G + 4, G + 5], [43, G + 5, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 2, 3, 0, 2]).result()[0], 3);
    let (_, outcome) = Assembler::new(&code).with(G + 4, &[24]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadIndex { index: 24, last: 23 });
    let code = [[200, G, G + 4, 0], [206, G + 4, 0, G + 5], [43, G + 5, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[7, 0, 0, 0, 50]).result()[0], 7);
    // Stores that convert, to a global and through a pointer.
    let code = [[114, G, G + 1, 0], [115, G + 1, G + 2, 0], [43, G, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[7]).result(), [7, f(7.0), 7]);
    let code = [[128, G, G + 1, 0], [129, G + 2, G + 1, G + 3], [155, G + 1, 0, G + 4], [43, G + 4, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[7, HOST, f(-8.9), 1]).result(), [f(7.0), -8i32 as u32, 3]);
    let code = [[125, G, 0, G + 1], [124, G, 0, G + 2], [43, G + 1, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[HOST]).result()[1], f(0x0403_0201 as f32));
    // STOREF and LOAD of a vector, a float and 64 bits, of entity 1.
    let code = [[219, G, G + 1, G + 2], [25, G, G + 1, G + 6], [43, G + 6, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 13, 4, 5, 6]).result(), [4, 5, 6]);
    let (_, outcome) = Assembler::new(&code).with(G, &[1, 14]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadField(14));
    let (_, outcome) = Assembler::new(&code).with(G, &[2, 13]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadEntity(2));
    let code = [[220, G, G + 1, G + 2], [24, G, G + 1, G + 6], [43, G + 6, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 15, 4]).result()[0], 4);
    let code = [[248, G, G + 1, G + 2], [249, G, G + 1, G + 6], [43, G + 6, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 14, 4, 5]).result(), [4, 5, 0]);
    // PUSH gives zeroed words to write to.
    let code = [[213, G, 0, G + 1], [37, G, G + 1, G + 2], [154, G + 1, G + 2, G + 3], [43, G + 3, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[5, 0, 4]).result()[0], 5);
    let (_, outcome) = Assembler::new(&code).with(G, &[5, 0, 5]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadPointer { address: 0x2000_0014, write: true });
    let (_, outcome) = Assembler::new(&code).with(G, &[u32::MAX]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::StackOverflow);
}

#[test]
fn division_of_vectors_random_numbers_and_checks() {
    let code = [[139, G, G + 3, G + 4], [43, G + 4, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[f(1.0), f(2.0), f(-3.0), f(2.0)]).result(), [0.5, 1.0, -1.5].map(f));
    let code = [[94, G, G + 1, G + 2], [43, G + 2, 0, 0]];
    let value = f32::from_bits(Assembler::new(&code).with(G, &[f(5.0), f(6.0)]).result()[0]);
    assert!((5.0..6.0).contains(&value), "{value}");
    let code = [[97, G, G + 3, G + 6], [43, G + 6, 0, 0]];
    let value = Assembler::new(&code).with(G, &[f(1.0), f(2.0), f(3.0), f(2.0), f(3.0), f(4.0)]).result();
    let [x, y, z] = value.map(f32::from_bits);
    assert!((1.0..=2.0).contains(&x) && (2.0..=3.0).contains(&y) && (3.0..=4.0).contains(&z) && x + 1.0 != y);
    assert_eq!(Assembler::new(&[[211, G, 6, 2]]).with(G, &[5]).result(), [0; 3]);
    let (_, outcome) = Assembler::new(&[[211, G, 6, 2]]).with(G, &[6]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::OutOfBounds { value: 6, min: 2, end: 6 });
    let (_, outcome) = Assembler::new(&[[103, G, 1, 0]]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadCase);
    let (_, outcome) = Assembler::new(&[[60, G, G, 0]]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::MissingName("self"));
    let (_, outcome) = Assembler::new(&[[51, G, 0, 0]]).with(G, &[3]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadFunction(3));
    let (_, outcome) = Assembler::new(&[[12, G, G + 1, G + 2]]).with(G, &[0x8000_0007]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadString(0x8000_0007));
    let mut endless = Assembler::new(&[]);
    endless.statements = vec![[31, G, G, 0]; 3];
    assert_eq!(endless.run().1.unwrap_err().fault, Fault::PastLastStatement);
}

#[test]
fn statements_of_32_bits_are_read_too() {
    let mut code = Assembler::new(&[[116, G, G + 1, G + 2], [61, 2, 0, 0], [0, 0, 0, 0], [43, G + 2, 0, 0]]).with(G, &[2, 3]);
    code.wide = true;
    assert_eq!(code.result()[0], 5);
}

#[test]
fn what_is_wrong_with_a_file_is_said_exactly() {
    let refused = |code: &Assembler| Progs::load(&code.bytes()).unwrap_err();
    let main = || "main".to_string();
    for opcode in [85, 86, 204, 212, 214, 282, 0x8001] {
        assert_eq!(
            refused(&Assembler::new(&[[opcode, 0, 0, 0]])),
            ProgsError::Opcode { statement: 1, function: main(), opcode }
        );
    }
    assert_eq!(
        refused(&Assembler::new(&[[1, G, G, 64]])),
        ProgsError::Operand { statement: 1, function: main(), opcode: 1, operand: 64, limit: 64 }
    );
    assert_eq!(
        refused(&Assembler::new(&[[80, 0, G, G]])),
        ProgsError::Operand { statement: 1, function: main(), opcode: 80, operand: u32::MAX, limit: 64 }
    );
    assert_eq!(
        refused(&Assembler::new(&[[61, 2, 0, 0]])),
        ProgsError::Jump { statement: 1, function: main(), target: 3, limit: 3 }
    );
    assert_eq!(
        refused(&Assembler::new(&[[49, G, 0xfffe, 0]])),
        ProgsError::Jump { statement: 1, function: main(), target: -1, limit: 3 }
    );
    let patched = |at: usize, word: u32| {
        let mut bytes = Assembler::new(&[]).bytes();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        Progs::load(&bytes).unwrap_err()
    };
    assert_eq!(patched(0, 3), ProgsError::Version { version: 3, secondary: 0 });
    assert_eq!(patched(88, 1), ProgsError::Version { version: 7, secondary: 1 });
    assert_eq!(patched(84, 32), ProgsError::Compressed { blocks: 32 });
    let length = Assembler::new(&[]).bytes().len();
    assert_eq!(
        patched(12, u32::MAX),
        ProgsError::TableRange { table: Table::Statements, offset: 92, count: u32::MAX, length }
    );
    assert_eq!(patched(52, 27), ProgsError::TableSize { table: Table::Globals, count: 27, min: 28, max: 1 << 26 });
    let functions = 92 + 2 * 8 + 36;
    assert_eq!(patched(functions, 2), ProgsError::FunctionEntry { function: 1, statement: 2, limit: 2 });
    assert_eq!(patched(functions + 8, 65), ProgsError::Locals { function: 1, start: 0, words: 65, limit: 64 });
    assert_eq!(
        patched(functions + 16, 11),
        ProgsError::StringOffset { table: Table::Functions, index: 1, offset: 11, pool: 11 }
    );
    let error = Progs::load(b"short").unwrap_err();
    assert_eq!(error, ProgsError::ShortHeader { length: 5, header: 60 });
    assert_eq!(error.to_string(), "5 bytes are too few for a progs header of 60");
}

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
        if let Err(error) = vm.call(skelobj::qc::vm::FunctionId(function), &mut host) {
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
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

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
