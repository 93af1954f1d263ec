//! Builtins of every engine that need models or physics, and the standard library, on this crate's machine.

use std::path::Path;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use skelobj::Runtime;
use skelobj::math::{Axes, Vec3};
use skelobj::qc::vm::{Fault, Limits, Machine, Progs, RunError};
use skelobj::qc::{Environment, Family, TABLE, VmHost};

const PROGS: &[u8] = include_bytes!("qc/everyday.dat");
const SOURCE: &str = include_str!("qc/everyday.qc");

/// Returns the output of a function of the progs, and the result of the call.
fn run(name: &str, limits: Limits) -> (String, Result<(), RunError>) {
    run_in(Arc::new(Progs::load(PROGS).unwrap()), name, limits).unwrap()
}

/// Returns the output of a function of any progs, and the result of the call; `None` if the function does not exist.
fn run_in(progs: Arc<Progs>, name: &str, limits: Limits) -> Option<(String, Result<(), RunError>)> {
    let printed = Arc::new(Mutex::new(String::new()));
    let output = printed.clone();
    let mut environment = Environment::new(&progs, move |text| output.lock().unwrap().push_str(text));
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| {
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/models").join(name)).ok()
    });
    runtime.physics_mut().add_floor(0.0).unwrap();
    let mut machine = Machine::with_limits(progs, limits);
    let function = machine.find_function(name.as_bytes())?;
    let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    let outcome = machine.call(function, &mut host);
    let printed = printed.lock().unwrap().clone();
    Some((printed, outcome))
}

fn printed(name: &str) -> String {
    let (printed, outcome) = run(name, Limits::default());
    outcome.unwrap();
    printed
}

#[test]
fn every_builtin_of_the_family_is_called() {
    for builtin in TABLE.iter().filter(|builtin| builtin.family == Family::Engine) {
        let declared = format!(" {} = #{};", builtin.name, builtin.number);
        let body = SOURCE.split("void(float value) f =").nth(1).unwrap();
        assert!(SOURCE.contains(&declared), "{builtin:?} is not declared");
        assert!(body.contains(&format!("{}(", builtin.name)), "{builtin:?} is not called");
    }
}

#[test]
fn models_are_read_and_shown() {
    let wanted = "\
precache_model [chain.iqm] 1
setmodel [chain.iqm] 1
another [testbones.iqm] 2 2
none [] 0
setattachment 0 [entity 1]
checkextension 1 1 0
";
    assert_eq!(printed("models"), wanted);
}

#[test]
fn the_axes_of_the_standard_library_are_those_of_entities() {
    let printed = printed("directions");
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines.len() > 100);
    for line in lines {
        let mut vectors = line.split('|').map(|vector| {
            let numbers: Vec<f32> = vector.split(' ').map(|number| number.parse().unwrap()).collect();
            Vec3::from_slice(&numbers)
        });
        let angles = vectors.next().unwrap();
        let Axes { forward, right, up } = Axes::from_angles(angles);
        assert!(vectors.eq([forward, right, up]), "{line}");
    }
}

#[test]
fn an_environment_reports_the_first_number_that_is_not_finite() {
    let progs = Arc::new(Progs::load(PROGS).unwrap());
    let printed = Arc::new(Mutex::new(String::new()));
    let output = printed.clone();
    let mut environment = Environment::new(&progs, move |text| output.lock().unwrap().push_str(text));
    let mut runtime = Runtime::default();
    let mut machine = Machine::new(progs);
    for name in ["traceline", "makevectors", "traceline"] {
        let function = machine.find_function(name.as_bytes()).unwrap();
        machine.set_argument(0, [f32::NAN.to_bits(), 0, 0]);
        machine.call(function, &mut VmHost { runtime: &mut runtime, environment: &mut environment }).unwrap();
    }
    assert_eq!(*printed.lock().unwrap(), "traceline: a number that is not finite, taken as 0\n");
}

#[test]
fn lines_hit_the_level() {
    let wanted = "\
hit 0.75 (5 0 0) (0 0 1) 0 0
miss 1 (5 0 10) (0 0 0) 0 0
";
    assert_eq!(printed("traces"), wanted);
}

#[test]
fn error_ends_the_script_with_its_message() {
    let (printed, outcome) = run("fail", Limits::default());
    assert_eq!(printed, "");
    let error = outcome.unwrap_err();
    assert_eq!(error.fault, Fault::Script(b"gave up at 7"[..].into()));
    assert_eq!(error.function, "fail");
}

#[test]
fn scripts_cannot_ask_for_ever_more_models() {
    let (_, outcome) = run("name_models", Limits::default());
    assert!(matches!(outcome.unwrap_err().fault, Fault::Script(_)));
}

proptest! {
    #[test]
    fn damaged_scripts_end_without_a_panic(
        damage in prop::collection::vec((60..PROGS.len(), prop_oneof![any::<u8>(), Just(0), Just(0x7f), Just(0xff)]), 1..24),
    ) {
        let mut bytes = PROGS.to_vec();
        for (at, byte) in damage {
            bytes[at] = byte;
        }
        let Ok(progs) = Progs::load(&bytes) else { return Ok(()) };
        let progs = Arc::new(progs);
        let limits = Limits { statements: 20_000, ..Limits::default() };
        for name in ["models", "directions", "traces", "fail"] {
            run_in(progs.clone(), name, limits);
        }
    }
}
