//! Random calls of all builtins on the machine, those of files, buffers and the standard library included: they end,
//! with an error or without one, print little, and leave finite bones.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use proptest::sample::Index;
use skelobj::math::Mat3x4;
use skelobj::qc::vm::{Limits, Machine, Progs};
use skelobj::qc::{Environment, VmHost};
use skelobj::{Dialect, FileSource, Runtime, assets};

use crate::common::charges::PROGS as BYTES;
use crate::common::stage;

/// Progs that declare every builtin.
static PROGS: LazyLock<Arc<Progs>> = LazyLock::new(|| Arc::new(Progs::load(BYTES).unwrap()));

/// Most bytes that the calls of a case may print.
const MAX_PRINTED: usize = 1 << 20;
/// Most bytes of a message of bones: of those of a model here.
const MAX_BUFFER: usize = 1 << 16;

#[derive(Clone, Debug)]
enum Word {
    Float(f32),
    Bits(u32),
    Text(Vec<u8>),
    Vector([f32; 3]),
}

#[derive(Clone, Debug)]
enum Step {
    Call(Index, Vec<Word>),
    /// Bones of an object to a buffer, to another object, and to its pose.
    Replicate([f32; 4]),
    /// Changed bytes of a buffer, and the length to which it is cut.
    Damage(usize, Vec<(Index, u8)>, Option<Index>),
    EndFrame(f32),
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let names = [
        "mannequin.iqm",
        "chain.iqm",
        "damaged.iqm",
        "locked.iqm",
        "missing.iqm",
        "mannequin.doll",
        "../mannequin.iqm",
        "/etc/passwd",
        "maps/a.bsp",
        "*1",
        "con",
        "",
        "head",
        "walk",
        "doll mannequin.doll",
        "doll locked.doll",
        "animate 0",
        "%s %d %v %*d %99999f",
        "r_meshpitch",
        "1e38 -1e38 nan",
    ];
    prop_oneof![
        8 => prop::sample::select(names.to_vec()).prop_map(|name| name.as_bytes().to_vec()),
        1 => prop::collection::vec(1u8..=255, 0..40),
        1 => (any::<u8>(), 0usize..5000).prop_map(|(byte, count)| vec![byte.max(1); count]),
    ]
}

fn number() -> impl Strategy<Value = f32> {
    let odd = vec![f32::NAN, f32::INFINITY, f32::MIN, f32::MAX, 1e-45, -0.0, 255.0, 256.0, 1e9, 16_777_216.0, -1e9];
    prop_oneof![8 => (-2i32..9).prop_map(|n| n as f32), 2 => -2.0f32..2.0, 1 => prop::sample::select(odd)]
}

fn word() -> impl Strategy<Value = Word> {
    prop_oneof![
        6 => number().prop_map(Word::Float),
        4 => text().prop_map(Word::Text),
        2 => [number(), number(), number()].prop_map(Word::Vector),
        1 => (0u32..6).prop_map(Word::Bits),
        1 => any::<u32>().prop_map(Word::Bits),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let damage = (0usize..5, prop::collection::vec(any::<(Index, u8)>(), 1..6), prop::option::of(any::<Index>()));
    prop_oneof![
        12 => (any::<Index>(), prop::collection::vec(word(), 0..8)).prop_map(|(builtin, words)| Step::Call(builtin, words)),
        2 => [number(), number(), number(), number()].prop_map(Step::Replicate),
        2 => damage.prop_map(|(number, bytes, cut)| Step::Damage(number, bytes, cut)),
        1 => (0.0f32..0.05).prop_map(Step::EndFrame),
    ]
}

/// Files of the case, among them some that cannot be read.
struct Files;

impl FileSource for Files {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match name {
            "damaged.iqm" => Ok(Some(assets::MANNEQUIN_IQM[..5000].to_vec())),
            "locked.iqm" | "locked.doll" => Err(io::ErrorKind::PermissionDenied.into()),
            "mannequin.iqm" => Ok(Some(assets::MANNEQUIN_IQM.to_vec())),
            "chain.iqm" => std::fs::read(stage::golden("models").join(name)).map(Some),
            name => Ok(stage::files(name)),
        }
    }
}

/// Machine with objects and its host's state.
struct Game {
    machine: Machine,
    environment: Environment,
    runtime: Runtime,
    printed: Arc<AtomicUsize>,
}

impl Game {
    fn new(dialect: Dialect) -> Self {
        let printed = Arc::new(AtomicUsize::new(0));
        let count = printed.clone();
        let mut environment = Environment::new(&PROGS, move |text| {
            count.fetch_add(text.len(), Ordering::Relaxed);
        });
        environment.dialect = dialect;
        environment.set_warn(true);
        environment.set_trace(|_| true, |call| assert!(!call.to_string().contains(char::is_control), "{call}"));
        let limits = Limits { statements: 100_000, string_bytes: 1 << 20, entities: 64, ..Limits::default() };
        let mut machine = Machine::with_limits(PROGS.clone(), limits);
        let mut runtime = Runtime::default();
        runtime.set_files(Files);
        let models = ["mannequin.iqm", "chain.iqm"].map(|name| environment.precache_model(&mut runtime, name) as f32);
        machine.spawn_entity().unwrap();
        let mut game = Self { machine, environment, runtime, printed };
        for (handle, model) in (1u8..).zip([models[0], models[0], models[1]]) {
            game.call_named("skel_create", &[model]);
            game.call_named("skel_build", &[f32::from(handle), 0.0, model, 0.0, 0.0, 0.0, 1.0]);
        }
        game
    }

    fn call(&mut self, number: usize, words: &[Word]) {
        let builtin = &PROGS.builtins()[number];
        for (number, word) in words.iter().enumerate() {
            let bits = match word {
                Word::Float(value) => [value.to_bits(), 0, 0],
                Word::Bits(bits) => [*bits, 0, 0],
                Word::Vector(vector) => vector.map(f32::to_bits),
                Word::Text(text) => [self.machine.temporary_string(text).unwrap_or(0), 0, 0],
            };
            self.machine.set_argument(number, bits);
        }
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        if let Err(error) = self.machine.call(builtin.function, &mut host) {
            assert!(!error.fault.to_string().is_empty());
        }
    }

    fn call_named(&mut self, name: &str, words: &[f32]) {
        let number = PROGS.builtins().iter().position(|builtin| *builtin.name == *name.as_bytes()).unwrap();
        self.call(number, &words.iter().copied().map(Word::Float).collect::<Vec<_>>());
    }

    fn run(&mut self, step: &Step) {
        match step {
            Step::Call(builtin, words) => self.call(builtin.index(PROGS.builtins().len()), words),
            Step::Replicate([object, other, kind, buffer]) => {
                self.call_named("skel_send", &[*object, *kind, *buffer]);
                self.call_named("skel_receive", &[*other, *buffer, 0.1 * kind]);
                self.call_named("skel_show", &[*other, 0.07 * kind]);
            }
            Step::Damage(number, bytes, cut) => {
                let Some(buffer) = self.environment.buffer_mut(*number) else { return };
                if let Some(cut) = cut {
                    buffer.truncate(cut.index(buffer.len() + 1));
                }
                if !buffer.is_empty() {
                    for (place, byte) in bytes {
                        let place = place.index(buffer.len());
                        buffer[place] = *byte;
                    }
                }
            }
            Step::EndFrame(seconds) => {
                self.runtime.step(*seconds).unwrap();
                let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
                host.forget_deleted(&mut self.machine);
                host.warn_of_undeleted(&mut self.machine);
            }
        }
    }

    fn check(&mut self, step: &Step) {
        for (_, object) in self.runtime.objects() {
            assert!(object.pose().bones().iter().all(Mat3x4::is_finite), "{step:?}");
        }
        for number in 1..=255 {
            assert!(self.environment.buffer_mut(number).unwrap().len() < MAX_BUFFER, "{step:?}");
        }
        assert!(self.printed.load(Ordering::Relaxed) < MAX_PRINTED, "{step:?}");
    }
}

fn run(dialect: Dialect, steps: &[Step]) {
    let mut game = Game::new(dialect);
    for step in steps {
        game.run(step);
        game.check(step);
    }
    let warnings = game.environment.take_warnings();
    assert!(warnings.iter().all(|warning| !warning.to_string().contains(char::is_control)), "{warnings:?}");
}

/// Each case builds a world: fewer than usual, unless `PROPTEST_CASES` asks for more.
fn cases() -> ProptestConfig {
    let cases = std::env::var_os("PROPTEST_CASES").map_or(64, |_| ProptestConfig::default().cases);
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_calls_on_the_machine_end_under_fte(steps in prop::collection::vec(step(), 1..60)) {
        run(Dialect::Fte, &steps);
    }

    #[test]
    fn any_calls_on_the_machine_end_under_darkplaces(steps in prop::collection::vec(step(), 1..60)) {
        run(Dialect::DarkPlaces, &steps);
    }
}

/// Of calls that all fail, the random ones would test nothing.
#[test]
fn buffers_carry_bones_from_object_to_object() {
    let mut game = Game::new(Dialect::Fte);
    for handle in [1.0, 2.0] {
        game.call_named("skel_send", &[handle, 0.0, 1.0]);
        assert!(game.environment.buffer_mut(1).unwrap().len() > 100);
    }
    game.call_named("skel_receive", &[2.0, 1.0, 0.0]);
    assert_eq!(game.machine.result_float(), 1.0);
    game.environment.buffer_mut(1).unwrap().truncate(20);
    game.call_named("skel_receive", &[2.0, 1.0, 0.1]);
    assert_eq!(game.machine.result_float(), 0.0);
}
