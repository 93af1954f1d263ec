//! Breakpoints, and writes to entities that cannot be meant.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use skelobj_qcvm::stdlib::Console;
use skelobj_qcvm::{FunctionId, Limits, Machine, Progs};

/// Machine of a progs with its line numbers.
fn machine(dat: &[u8], lno: Option<&[u8]>) -> (Machine, Console) {
    let mut progs = Progs::load(dat).unwrap();
    if let Some(lno) = lno {
        progs.load_lines(lno).unwrap();
    }
    let progs = Arc::new(progs);
    let console = Console::new(&progs, |_| ());
    (Machine::new(progs), console)
}

fn game() -> (Machine, Console) {
    machine(include_bytes!("../examples/game.dat"), Some(include_bytes!("../examples/game.lno")))
}

fn function(machine: &Machine, name: &str) -> FunctionId {
    machine.find_function(name.as_bytes()).unwrap()
}

/// Sets breakpoints, and returns the lines of the call stack at each.
fn stops(machine: &mut Machine, statements: Vec<u32>) -> Receiver<Vec<(String, Option<u32>)>> {
    let (sender, receiver) = channel();
    machine.set_breakpoints(statements, move |machine| {
        let stack = machine.call_stack().into_iter().map(|at| (at.function, at.line)).collect();
        drop(sender.send(stack));
    });
    receiver
}

#[test]
fn the_statements_of_functions_cover_the_code_once() {
    let (machine, _) = game();
    let progs = machine.progs();
    let mut all: Vec<u32> = (0..100).flat_map(|number| progs.statements_of(FunctionId(number))).collect();
    all.sort_unstable();
    let count = all.len();
    all.dedup();
    assert_eq!(all.len(), count);
    // The first statement belongs to no function.
    assert_eq!(count, progs.statements() - 1);
    assert!(progs.statements_of(function(&machine, "schedule")).is_empty(), "a builtin");
    assert!(progs.statements_of(FunctionId(u32::MAX)).is_empty());
    assert_eq!(progs.locals(FunctionId(u32::MAX)).count(), 0);
}

#[test]
fn parameters_and_locals_have_names() {
    let (machine, _) = game();
    let names = |name: &str| {
        let locals = machine.progs().locals(function(&machine, name));
        locals.map(|(name, _)| String::from_utf8_lossy(name).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("damage"), ["victim", "amount"]);
    assert!(names("forever").is_empty());
}

#[test]
fn every_statement_of_a_run_of_stores_can_stop() {
    // Without an observer such statements run as one.
    let (mut machine, mut console) = game();
    let spawn = function(&machine, "spawn_monster");
    let all: Vec<u32> = machine.progs().statements_of(spawn).collect();
    let call = |machine: &mut Machine, console: &mut Console| {
        let name = machine.permanent_string(b"ogre").unwrap();
        machine.set_argument(0, [name, 0, 0]);
        machine.set_argument(1, [16f32, 0.0, -24.0].map(f32::to_bits));
        machine.call(spawn, console).unwrap();
        let [monster, ..] = machine.result();
        let words = ["origin", "classname", "health"]
            .map(|field| machine.progs().field(field.as_bytes()).map(|field| machine.field(monster, field).unwrap()));
        (words, machine.spent())
    };
    let plain = call(&mut machine, &mut console);
    let stops = stops(&mut machine, all.clone());
    let observed = call(&mut machine, &mut console);
    let count = stops.try_iter().count();
    assert!(count > 3 && count <= all.len(), "{count} of {}", all.len());
    // The name has another handle, and the statements are the same.
    assert_eq!((plain.0[0], plain.0[2], plain.1), (observed.0[0], observed.0[2], observed.1));
}

#[test]
fn observed_code_computes_what_plain_code_does() {
    let dat: &[u8] = include_bytes!("qc/core.dat");
    let printed = |observed: bool| {
        let progs = Arc::new(Progs::load(dat).unwrap());
        let (sender, receiver) = channel();
        let mut console = Console::new(&progs, move |text| drop(sender.send(text.to_vec())));
        let mut machine = Machine::with_limits(progs.clone(), Limits { statements: 1_000_000, ..Limits::default() });
        if observed {
            machine.set_breakpoints(0..progs.statements() as u32, |_| ());
        }
        let mut outcomes = Vec::new();
        for number in 0..200 {
            let entry = FunctionId(number);
            if !progs.statements_of(entry).is_empty() {
                let outcome = machine.call(entry, &mut console).map_err(|error| error.to_string());
                outcomes.push((outcome, machine.spent(), machine.result()));
            }
        }
        (outcomes, receiver.try_iter().collect::<Vec<_>>())
    };
    let (plain, observed) = (printed(false), printed(true));
    assert!(plain.0.len() > 10);
    assert_eq!(plain, observed);
}

#[test]
fn a_stop_knows_the_calls_that_led_to_it() {
    let (mut machine, mut console) = machine(include_bytes!("../examples/hello.dat"), None);
    let main = function(&machine, "main");
    let factorial = machine.progs().statements_of(main).start;
    let stops = stops(&mut machine, vec![factorial]);
    machine.call(main, &mut console).unwrap();
    assert_eq!(stops.try_iter().collect::<Vec<_>>(), [[("main".to_owned(), None)]]);
    assert_eq!(machine.running(), None);
    // An empty list ends it.
    machine.set_breakpoints([], |_| ());
    machine.call(main, &mut console).unwrap();
    assert_eq!(stops.try_iter().count(), 0);
}

#[test]
fn writes_to_removed_entities_are_noted_and_those_to_the_protected_world_refused() {
    let (mut machine, mut console) = game();
    let damage = function(&machine, "damage");
    let monster = machine.spawn_entity().unwrap();
    let mut hurt = |machine: &mut Machine, entity: u32| {
        machine.set_argument(0, [entity, 0, 0]);
        machine.set_argument(1, [(-1f32).to_bits(), 0, 0]);
        machine.call(damage, &mut console).unwrap();
        let writes = machine.take_writes().into_iter();
        writes
            .map(|write| {
                (write.entity, String::from_utf8_lossy(&write.field).into_owned(), write.location.line.is_some())
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(hurt(&mut machine, 0), []);
    machine.watch_writes();
    assert_eq!(hurt(&mut machine, monster), [], "it lives");
    assert_eq!(hurt(&mut machine, 0), []);
    let field = machine.progs().field(b"health").unwrap();
    assert_eq!(machine.field_float(0, field), Ok(2.0));
    machine.protect_world();
    let health = |entity| (entity, "health".to_owned(), true);
    assert_eq!(hurt(&mut machine, 0), [health(0)]);
    assert_eq!(machine.field_float(0, field), Ok(2.0));
    assert_eq!(hurt(&mut machine, monster), []);
    machine.remove_entity(monster).unwrap();
    assert_eq!(hurt(&mut machine, monster), [health(monster)]);
    for _ in 0..2000 {
        machine.set_argument(0, [monster, 0, 0]);
        machine.set_argument(1, [(-1f32).to_bits(), 0, 0]);
        machine.call(damage, &mut Console::new(&machine.progs().clone(), |_| ())).unwrap();
    }
    assert_eq!(machine.take_writes().len(), 1024);
    assert_eq!(machine.take_writes(), []);
}
