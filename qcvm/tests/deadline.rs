//! The time of a frame, by a clock that only the tests move.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use skelobj_qcvm::{Builtin, Builtins, Fault, Limits, Machine, Progs, RunError};

const PROGS: &[u8] = include_bytes!("qc/deadline.dat");

/// Time that the builtin `slow` takes.
const SLOW: Duration = Duration::from_millis(7);

/// Machine whose clock moves by a time with each look, and by more in the builtin `slow`.
struct Session {
    machine: Machine,
    host: Host,
}

struct Host {
    clock: Arc<AtomicU64>,
    calls: u32,
}

impl Builtins for Host {
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        self.calls += 1;
        machine.charge(3)?;
        if &*builtin.name == b"slow" {
            self.clock.fetch_add(SLOW.as_nanos() as u64, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Session {
    fn new(statements: u64, a_look: Option<Duration>) -> Self {
        let limits = Limits { statements, ..Limits::default() };
        let mut machine = Machine::with_limits(Arc::new(Progs::load(PROGS).unwrap()), limits);
        let clock = Arc::new(AtomicU64::new(0));
        if let Some(a_look) = a_look {
            let now = Arc::clone(&clock);
            let a_look = a_look.as_nanos() as u64;
            machine.set_clock(move || Duration::from_nanos(now.fetch_add(a_look, Ordering::Relaxed) + a_look));
        }
        Self { machine, host: Host { clock, calls: 0 } }
    }

    fn call(&mut self, name: &str) -> Result<(), RunError> {
        let function = self.machine.find_function(name.as_bytes()).unwrap();
        self.machine.call(function, &mut self.host)
    }

    fn laps(&self) -> f32 {
        self.machine.global_float(self.machine.progs().global(b"laps").unwrap())
    }
}

/// Returns the name of the function that took the time, and the seconds that it took.
fn overtime(outcome: Result<(), RunError>) -> (String, f64) {
    match outcome.unwrap_err().fault {
        Fault::Overtime { function, took } => (String::from_utf8_lossy(&function).into_owned(), took.as_secs_f64()),
        fault => panic!("{fault}"),
    }
}

#[test]
fn statements_end_when_the_frame_has_taken_its_time() {
    let mut session = Session::new(u64::MAX, Some(Duration::from_micros(900)));
    let (function, took) = overtime(session.call("statements"));
    assert_eq!(function, "statements");
    assert!((9.9..=10.1).contains(&took), "{took}");
    // 11,000 looks, of which each comes after a thousand statements.
    assert!((10e6..13e6).contains(&(session.machine.spent() as f64)), "{}", session.machine.spent());
}

#[test]
fn builtins_end_it_and_are_named_whatever_they_charge() {
    let mut session = Session::new(u64::MAX, Some(Duration::ZERO));
    let (function, took) = overtime(session.call("builtins"));
    assert_eq!(function, "slow");
    assert!((9.0..=10.1).contains(&took), "{took}");
    // Rare looks find out within a thousand statements that some builtin is slow.
    let most = 2.0 * (10.0 / SLOW.as_secs_f64() + 200.0);
    assert!(f64::from(session.host.calls) < most, "{}", session.host.calls);
}

#[test]
fn many_short_calls_of_a_frame_end_together_and_the_next_frame_has_its_own_time() {
    let mut session = Session::new(1_000_000, Some(Duration::ZERO));
    let in_time = (0..10_000).take_while(|_| session.call("think").is_ok()).count();
    assert_eq!(in_time, (10.0 / SLOW.as_secs_f64()) as usize);
    let (function, took) = overtime(session.call("think"));
    assert_eq!(function, "slow");
    assert!(took > 9.9, "{took}");
    session.machine.begin_frame();
    session.call("think").unwrap();
}

#[test]
fn time_before_a_frame_and_clocks_that_go_back_do_not_count() {
    let mut session = Session::new(1_000_000, Some(Duration::ZERO));
    session.host.clock.store(99_000_000_000, Ordering::Relaxed);
    session.machine.begin_frame();
    session.call("think").unwrap();
    session.host.clock.store(5, Ordering::Relaxed);
    session.call("think").unwrap();
}

#[test]
fn what_the_host_does_between_calls_does_not_count() {
    let mut session = Session::new(1_000_000, Some(Duration::ZERO));
    for _ in 0..100 {
        session.call("think").unwrap();
        session.host.clock.fetch_add(9_000_000_000, Ordering::Relaxed);
    }
    let calls = (0..10_000).take_while(|_| session.call("think").is_ok()).count();
    assert_eq!(100 + calls, (10.0 / SLOW.as_secs_f64()) as usize);
}

#[test]
fn a_clock_changes_nothing_else() {
    for statements in (0..20).chain(1010..1040).chain([2047, 2048, 2049, 100_000]) {
        let outcome = |a_look| {
            let mut session = Session::new(statements, a_look);
            let most = 200f32;
            session.machine.set_argument(0, [most.to_bits(), 0, 0]);
            let fault = session.call("count").map_err(|error| error.to_string());
            (fault, session.machine.spent(), session.laps().to_bits(), session.host.calls)
        };
        let without = outcome(None);
        // A clock that stands still, and one that is slow enough for a look after each builtin.
        for a_look in [Duration::ZERO, Duration::from_micros(2500)] {
            assert_eq!(outcome(Some(a_look)), without, "{statements} statements, {a_look:?} a look");
        }
    }
}

#[test]
fn a_host_that_ignores_the_end_ends_all_the_same() {
    let mut session = Session::new(u64::MAX, Some(Duration::from_millis(1)));
    let mut ignored = 0;
    let mut host = |machine: &mut Machine, _: &Builtin| -> Result<(), Fault> {
        ignored += u32::from(machine.charge(5000).is_err());
        Ok(())
    };
    let builtins = session.machine.find_function(b"builtins").unwrap();
    let outcome = session.machine.call(builtins, &mut host);
    assert!(matches!(outcome.unwrap_err().fault, Fault::Overtime { .. }));
    assert_eq!(ignored, 1);
}

#[test]
fn the_message_tells_the_time_and_the_function() {
    let mut session = Session::new(u64::MAX, Some(Duration::ZERO));
    let error = session.call("builtins").unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("deadline.qc: builtins, statement "), "{text}");
    assert!(text.contains(": the frame has run out of time, of which slow took 9."), "{text}");
}
