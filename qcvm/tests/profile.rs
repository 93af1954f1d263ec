//! Profiles of scripts.

use std::sync::Arc;

use skelobj_qcvm::stdlib::Console;
use skelobj_qcvm::{Fault, Limits, Machine, Profile, Profiled, Progs};

/// Machine of a progs with its console.
fn machine(progs: &[u8], limits: Limits) -> (Machine, Console) {
    let progs = Arc::new(Progs::load(progs).unwrap());
    let console = Console::new(&progs, |_| ());
    (Machine::with_limits(progs, limits), console)
}

const HELLO: &[u8] = include_bytes!("../examples/hello.dat");
const GAME: &[u8] = include_bytes!("../examples/game.dat");

fn call(machine: &mut Machine, console: &mut Console, name: &str) -> Result<(), Fault> {
    let function = machine.find_function(name.as_bytes()).unwrap();
    machine.call(function, &mut Profiled(console)).map_err(|error| error.fault)
}

/// Returns the statements of all lines of folded stacks.
fn folded_sum(profile: &Profile) -> u64 {
    profile.folded().lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum()
}

#[test]
fn statements_are_counted_once_and_all_of_them() {
    let (mut machine, mut console) = machine(HELLO, Limits::default());
    machine.start_profile();
    call(&mut machine, &mut console, "main").unwrap();
    let spent = machine.spent();
    let profile = machine.take_profile().unwrap();
    let functions = profile.functions();
    let of = |name: &str| functions.iter().find(|function| function.name == name).unwrap();
    assert_eq!(functions.iter().map(|function| function.own).sum::<u64>(), spent);
    assert_eq!(folded_sum(&profile), spent);
    assert_eq!((of("main").calls, of("main").total), (1, spent));
    // 10! with a call for each factor; a function that calls itself has its statements once.
    assert_eq!(of("factorial").calls, 10);
    assert_eq!(of("factorial").total, of("factorial").own);
    assert!(functions.is_sorted_by(|a, b| a.own >= b.own));
    assert!(functions.iter().any(|function| function.name == "print in main"), "{functions:?}");
    let deepest = format!("main{} ", ";factorial".repeat(10));
    assert!(profile.folded().lines().any(|line| line.starts_with(&deepest)), "{}", profile.folded());
    assert!(machine.take_profile().is_none());
}

#[test]
fn builtins_have_the_lines_of_their_calls() {
    let mut progs = Progs::load(GAME).unwrap();
    progs.load_lines(include_bytes!("../examples/game.lno")).unwrap();
    let progs = Arc::new(progs);
    let mut console = Console::new(&progs, |_| ());
    let mut machine = Machine::new(progs);
    machine.start_profile();
    let name = machine.temporary_string(b"ranger").unwrap();
    machine.set_argument(0, [name, 0, 0]);
    call(&mut machine, &mut console, "greeting").unwrap();
    let functions = machine.take_profile().unwrap().functions();
    let builtin = functions.iter().find(|function| function.name.ends_with(" in greeting")).unwrap();
    let (name, line) = builtin.name.split(' ').next().unwrap().split_once('@').unwrap();
    let source = include_str!("../examples/game.qc").lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
    assert!(source.contains(&format!("{name}(")), "{source}");
}

#[test]
fn a_call_that_fails_leaves_the_profile_in_order() {
    let (mut machine, mut console) = machine(GAME, Limits { statements: 10_000, ..Limits::default() });
    machine.start_profile();
    assert_eq!(call(&mut machine, &mut console, "forever"), Err(Fault::Runaway));
    let first = machine.spent();
    call(&mut machine, &mut console, "open_door").unwrap();
    let both = first + machine.spent();
    let profile = machine.take_profile().unwrap();
    assert_eq!(folded_sum(&profile), both);
    assert!(profile.folded().lines().any(|line| line.starts_with("open_door ")), "{}", profile.folded());

    machine.start_profile();
    call(&mut machine, &mut console, "open_door").unwrap();
    machine.start_profile();
    assert_eq!(machine.take_profile().unwrap().functions(), [], "a profile that was not taken is dropped");
}
