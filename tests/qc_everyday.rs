//! The builtins that every Quake engine has, as QuakeC calls them through our own machine.
#![cfg(all(feature = "qcvm", feature = "ragdoll"))]

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use proptest::prelude::*;
use skelobj::Runtime;
use skelobj::qc::vm::{Fault, Limits, Machine, Progs, RunError};
use skelobj::qc::{Environment, Family, TABLE, VmHost};

const PROGS: &[u8] = include_bytes!("qc/everyday.dat");
const SOURCE: &str = include_str!("qc/everyday.qc");

/// What a function of the progs prints, and how it ends.
fn run(name: &str, limits: Limits) -> (String, Result<(), RunError>) {
    run_in(Arc::new(Progs::load(PROGS).unwrap()), name, limits).unwrap()
}

/// The same of any progs; `None` if there is no such function.
fn run_in(progs: Arc<Progs>, name: &str, limits: Limits) -> Option<(String, Result<(), RunError>)> {
    let printed = Rc::new(RefCell::new(String::new()));
    let output = printed.clone();
    let files =
        |name: &str| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/models").join(name)).ok();
    let mut environment = Environment::new(&progs, files, move |text| output.borrow_mut().push_str(text));
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0);
    let mut machine = Machine::with_limits(progs, limits);
    let function = machine.find_function(name.as_bytes())?;
    let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    let outcome = machine.call(function, &mut host);
    let printed = printed.borrow().clone();
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
fn numbers_have_their_values() {
    let wanted = "\
rint 3 -3 2
floor 1 -2
ceil 2 -1
fabs 3 3
sin 0 0.47942555
cos 1 0.87758255
sqrt 1.41421354 0
min 1 -1
max 3 7
bound 1 2 3
pow 1024 0 0
asin 1.57079637 0
acos 1.04719758 0
atan 0.78539819 -0.78539819
atan2 2.3561945 0
tan 1.55740774
random 1 1
";
    assert_eq!(printed("numbers"), wanted);
}

#[test]
fn vectors_and_angles_have_their_values() {
    let wanted = "\
vlen 13 0
normalize (0 0.6 0.8) (0 0 0)
vectoyaw 45 270 0
vectoangles (0 45 0) (45 0 0) (90 0 0) (270 0 0)
vectoangles up (0 0 90) (90 -0 0)
randomvec 1 1
makevectors 1 1 1
";
    assert_eq!(printed("vectors"), wanted);
}

#[test]
fn texts_have_their_values() {
    let wanted = "\
ftos [0.5] [0.100000001] [-42] [123.4560013] [0.0099999998] [3000000000]
vtos ['1.000000 -2.500000 0.100000']
etos [entity 0]
stof 12.5 -5 1 0 0 0
stov (1 -2 3.5) (1 2 0) (1 0 0) (0 1 2) (0 0 0)
strlen 0 5
strcat [abcd]
substring [ell] [ll] [ello] [hell] [hel] [] []
";
    assert_eq!(printed("texts"), wanted);
}

#[test]
fn formats_are_those_of_c() {
    let wanted = "\
d [3 -3] [+42| 42|   42|42   |-0042] [007]
x [ff FF 10 9]
f [0.100000 3.14    2.500|2.5     |-01.50] [3]
e [1.234500e+04 1.5E-04]
g [0.1 100000 1e+06 0.0001 1e-05] [1.23e+03 0]
v [1 2.5 -3] [1.23 0 -0.5] [    1     2     3]
s [ab|   ab|ab   |a] [A  B]
star [   42|42   |3.14]
others [100%] [ab] [x] [0 ] 1024
";
    assert_eq!(printed("formats"), wanted);
}

#[test]
fn entities_are_made_found_and_removed() {
    let wanted = "\
spawn [entity 1] [entity 3]
find [entity 1] [entity 3] [entity 0]
nextent [entity 1] [entity 2] [entity 0]
findfloat [entity 2] [entity 3] [entity 0]
checkextension 1 0
remove [entity 3] [entity 0]
setorigin (1 2 3)
precache_model [chain.iqm] 1
setmodel [chain.iqm] 1
another [testbones.iqm] 2 2
none [] 0
setattachment 0 [entity 1]
dprint too
";
    assert_eq!(printed("entities"), wanted);
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
fn looking_through_entities_counts_as_statements() {
    let limits = Limits { statements: 10_000, ..Limits::default() };
    assert_eq!(run("search", limits).1.unwrap_err().fault, Fault::Runaway);
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
        for name in ["numbers", "vectors", "texts", "formats", "entities", "traces", "fail"] {
            run_in(progs.clone(), name, limits);
        }
    }
}
