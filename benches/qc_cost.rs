//! Instructions of builtins called from QuakeC. The counts are the same on every machine.
//!
//! `cargo bench -p skelobj-benches --features qcvm --bench qc_cost` runs each call below in a loop under valgrind's
//! callgrind, with and without the loop, compares the differences with the goals, and fails if one is missed. With
//! `-- NAME`, it runs one call for a profiler. The machine looks at a clock, as that of `skelobj script` does. The
//! loops are in qc_cost.qc, which examples/quakec/build.sh compiles.

mod callgrind;

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use callgrind::measured;
use skelobj::Runtime;
use skelobj::math::Mat3x4;
use skelobj::model::{Animation, Bone, FrameState, Model, Name, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::qc::vm::{Builtin, Builtins, Fault, FunctionId, Limits, Machine, Progs};
use skelobj::qc::{Environment, VmHost};
use skelobj::runtime::{ModelId, ObjectId};
use skelobj::write;

/// Number of bones, typical for a human character.
const BONES: usize = 75;
/// Number of calls of a loop.
const CALLS: u32 = 1000;
/// Time between two poses, seconds.
const TIME: f32 = 0.123;

/// Loops of the progs, and `rust`: skel_build without QuakeC.
const NAMES: [&str; 11] = [
    "loop",
    "empty",
    "numbones",
    "boneparent",
    "bonerel",
    "set_bone",
    "mul_bone",
    "postmul",
    "mul_bone_axes",
    "build",
    "rust",
];

fn main() -> ExitCode {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    match wanted {
        Some(name) if NAMES.contains(&name.as_str()) => Scene::new().run(&name),
        Some(name) => {
            eprintln!("no such call: {name}");
            return ExitCode::FAILURE;
        }
        None => return report(),
    }
    ExitCode::SUCCESS
}

fn report() -> ExitCode {
    let Some(counts) = NAMES.iter().map(|name| count(name)).collect::<Option<Vec<f64>>>() else {
        eprintln!("no goal was checked: counting instructions needs valgrind");
        return ExitCode::FAILURE;
    };
    let [around, empty, calls @ .., build, rust] = &counts[..] else { return ExitCode::FAILURE };
    println!("an empty call takes {:.0} instructions", empty - around);
    let mut passes = true;
    let mut check = |what: &str, measured: f64, most: f64| {
        passes &= measured <= most;
        println!("{} {what}: {measured:.0} (goal {most})", if measured <= most { "pass" } else { "FAIL" });
    };
    for (name, count) in NAMES[2..].iter().zip(calls) {
        // The axes of mul_bone are three globals.
        let most = if *name == "mul_bone_axes" { 300.0 } else { 255.0 };
        check(&format!("{name}, instructions more than an empty call"), count - empty, most);
    }
    // Its seven arguments, and seven frame fields of the entity.
    check("skel_build, instructions more than in Rust", build - around - rust, 370.0);
    println!("skel_build of {BONES} bones takes {:.0} instructions, in Rust {rust:.0}", build - around);
    if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Instructions per call.
fn count(name: &str) -> Option<f64> {
    Some(callgrind::count(name)? / f64::from(CALLS))
}

/// World, machine and one object.
struct Scene {
    runtime: Runtime,
    environment: Environment,
    machine: Machine,
    model: ModelId,
    object: ObjectId,
}

impl Scene {
    fn new() -> Self {
        let progs = Arc::new(Progs::load(include_bytes!("qc_cost.dat")).expect("compiled by fteqcc"));
        let file = write::iqm(&chain()).expect("has names and finite numbers");
        let mut runtime = Runtime::default();
        runtime.set_files(move |name: &str| (name == "chain.iqm").then(|| file.clone()));
        let mut environment = Environment::new(&progs, |text| print!("{text}"));
        let index = environment.precache_model(&mut runtime, "chain.iqm");
        let model = runtime.models().next().expect("was just read").0;
        let object = runtime.create_object(model, Space::Local).expect("has bones");
        let limits = Limits { statements: u64::MAX, frame_time: Duration::MAX, ..Limits::default() };
        let mut machine = Machine::with_limits(progs.clone(), limits);
        let start = Instant::now();
        machine.set_clock(move || start.elapsed());
        for (field, value) in [("modelindex", index as f32), ("frame1time", TIME)] {
            let field = progs.field(field.as_bytes()).expect("is in defs.qc or skelobj.qc");
            machine.set_field_float(0, field, value).expect("the world exists");
        }
        Scene { runtime, environment, machine, model, object }
    }

    fn run(mut self, name: &str) {
        if name == "rust" {
            return measured(|| {
                for _ in 0..CALLS {
                    let frame = black_box(FrameState::single(0, TIME.into()));
                    self.runtime.build(self.object, self.model, &frame, &Build::REPLACE).expect("both exist");
                }
            });
        }
        self.machine.set_argument(0, [(self.object.get() as f32).to_bits(), 0, 0]);
        self.machine.set_argument(1, [(CALLS as f32).to_bits(), 0, 0]);
        let function = self.machine.find_function(name.as_bytes()).expect("is in qc_cost.qc");
        let host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        measured(|| run(&mut self.machine, function, Host(host)));
    }
}

fn run(machine: &mut Machine, function: FunctionId, mut host: Host<'_>) {
    machine.call(function, &mut host).expect("calls only what exists");
}

/// Host with the builtins, and one that does nothing.
struct Host<'a>(VmHost<'a>);

impl Builtins for Host<'_> {
    #[inline(always)]
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        if builtin.number == 9999 { Ok(()) } else { self.0.call(machine, builtin) }
    }
}

/// Returns a model with a walk of ten frames.
fn chain() -> Model {
    let bone = |number: usize| Bone {
        name: Name::from(format!("bone{number}").as_str()),
        parent: (number > 0).then(|| (number - 1) / 2),
        bind: Mat3x4::IDENTITY,
    };
    Model {
        skeleton: Skeleton::new((0..BONES).map(bone).collect()).expect("parents come first"),
        animations: vec![Animation::frames("walk", 0, 10, 10.0, true)],
        frames: vec![Mat3x4::IDENTITY; 10 * BONES],
        ..Model::default()
    }
}
