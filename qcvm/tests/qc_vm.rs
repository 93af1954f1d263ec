//! Tests of the machine: results of programs, faults that stop them, and hostile files.

use skelobj_qcvm::{Builtin, Builtins, Fault, Limits, Machine, Progs, RunError};
use std::collections::HashMap;
use std::sync::Arc;

mod assembler;
mod budget;
mod bytecode;
mod hostile;
mod lines;
mod stores;

const CORE: &[u8] = include_bytes!("qc/core.dat");
const CORE_FTE: &[u8] = include_bytes!("qc/core_fte.dat");
const FTE: &[u8] = include_bytes!("qc/fte.dat");

/// Host with the builtins that the test programs declare; it records the emitted values by name, in order.
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

/// Returns the values that `function` emits, after checking that it ends.
fn emitted(bytes: &[u8], function: &str) -> Vec<(String, Value)> {
    let mut host = Recorder::default();
    run_on(&mut machine(bytes), &mut host, function).unwrap();
    host.emitted
}

/// Checks that `function` emits exactly `wanted`, compiled for both targets of the compiler.
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
    let limits = Limits { statements: 20_000_000, entities: 100, ..Limits::default() };
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
    for bad in [address + 256 * 48, address + 2, 0, 4, 0x1fff_fffc, 0x2000_0000, 0x3fff_fffc, 0x7fff_fffc, u32::MAX - 3]
    {
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
fn runaway_code_is_stopped_where_it_is() {
    for bytes in [CORE, CORE_FTE] {
        let stopped = |function: &str| {
            let error = fault_of(bytes, function);
            assert_eq!(error.location.function, function);
            error.fault
        };
        assert_eq!(stopped("recurse_for_ever"), Fault::TooDeep);
        assert_eq!(stopped("loop_for_ever"), Fault::Runaway);
        assert_eq!(stopped("call_null"), Fault::NullFunction);
        assert!(matches!(stopped("spawn_for_ever"), Fault::NoFreeEntity { most: 2.. }));
        assert_eq!(stopped("remove_world"), Fault::RemovedWorld);
        assert_eq!(stopped("hoard_strings"), Fault::NoStringMemory);
        let error = fault_of(bytes, "failing");
        let at = &error.location;
        assert_eq!((at.function.as_str(), at.file.as_str()), ("failing_inner", "core.qc"));
        assert_eq!(error.fault, Fault::Script((*b"given up").into()));
        assert_eq!(error.to_string(), format!("core.qc: failing_inner, statement {}: given up", at.statement));
    }
}

#[test]
fn a_callback_that_calls_back_forever_is_stopped() {
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

#[test]
fn errors_name_what_they_wrap_and_cross_threads() {
    fn can_be_sent<T: Send + 'static>() {}
    fn can_be_shared<T: Send + Sync + 'static>() {}
    can_be_sent::<Machine>();
    can_be_sent::<skelobj_qcvm::stdlib::Console>();
    can_be_shared::<Progs>();
    can_be_shared::<RunError>();
    can_be_shared::<skelobj_qcvm::ProgsError>();

    let error = fault_of(CORE, "call_null");
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), error.fault.to_string());
}
