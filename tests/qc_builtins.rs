//! The builtins as QuakeC calls them, through our own machine.
#![cfg(feature = "qc")]

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use skelobj::Runtime;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{FrameFields, FrameState};
use skelobj::qc::vm::{Fault, Machine, Progs};
use skelobj::qc::{Environment, Rules, VmHost};
use skelobj::runtime::SkelId;
use skelobj::skeleton::{Build, SkeletalObject, Space};

const PROGS: &[u8] = include_bytes!("qc/skel.dat");
/// Two events at once, one later, in an animation of two poses a second apart.
const EVENTS: &[u8] =
    br#"{"framegroups": [{"name": "all", "firstpose": 0, "numposes": 2, "fps": 1, "loop": 1, "events": [
    {"timestamp": 0.5, "code": 7, "value": "left"}, {"timestamp": 0.5, "code": 8, "value": "right"},
    {"timestamp": 1.5, "code": 9, "value": "land"}]}]}"#;

/// A machine with its environment; the runtime is passed to every call.
struct Script {
    machine: Machine,
    environment: Environment,
    printed: Rc<RefCell<String>>,
}

impl Script {
    fn new() -> Self {
        Self::of(PROGS)
    }

    fn of(progs: &[u8]) -> Self {
        let progs = Arc::new(Progs::load(progs).unwrap());
        let printed = Rc::new(RefCell::new(String::new()));
        let output = printed.clone();
        let files = |name: &str| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/models");
            match name {
                "seven.iqm.framegroups" => Some(EVENTS.to_vec()),
                _ => std::fs::read(folder.join(name)).ok(),
            }
        };
        let environment = Environment::new(&progs, files, move |text| output.borrow_mut().push_str(text));
        Self { machine: Machine::new(progs), environment, printed }
    }

    fn try_call(&mut self, runtime: &mut Runtime, name: &str, arguments: &[f32]) -> Result<[f32; 3], Fault> {
        for (number, argument) in arguments.iter().enumerate() {
            self.machine.set_argument(number, [argument.to_bits(), 0, 0]);
        }
        let function = self.machine.find_function(name.as_bytes()).unwrap();
        let mut host = VmHost { runtime, environment: &mut self.environment };
        self.machine.call(function, &mut host).map_err(|error| error.fault)?;
        Ok(self.machine.result().map(f32::from_bits))
    }

    fn call(&mut self, runtime: &mut Runtime, name: &str, arguments: &[f32]) -> f32 {
        self.try_call(runtime, name, arguments).unwrap()[0]
    }

    /// An object of a model, built.
    fn built(&mut self, runtime: &mut Runtime, model: &str) -> f32 {
        let model = self.environment.precache_model(runtime, model);
        let skel = self.call(runtime, "create", &[model as f32]);
        assert_eq!(self.call(runtime, "build", &[]), skel);
        skel
    }

    fn end_frame(&mut self, runtime: &mut Runtime) {
        VmHost { runtime, environment: &mut self.environment }.end_frame(&mut self.machine);
    }

    fn global(&self, name: &str) -> u32 {
        self.machine.global(self.machine.progs().global(name.as_bytes()).unwrap())
    }
}

fn id(runtime: &Runtime, skel: f32) -> SkelId {
    runtime.object_by_handle(skel as u32).unwrap()
}

fn bones(runtime: &Runtime, skel: f32) -> Vec<Mat3x4> {
    runtime.object(id(runtime, skel)).unwrap().pose().bones().to_vec()
}

#[test]
fn scripts_build_and_read_objects() {
    let (mut script, mut runtime) = (Script::new(), Runtime::default());
    let skel = script.built(&mut runtime, "testbones.iqm");
    let object = runtime.object(id(&runtime, skel)).unwrap().clone();
    let place = script.try_call(&mut runtime, "place", &[3.0]).unwrap();
    assert_eq!(place, object.model_space(2).unwrap().origin().to_array());
    let forward = script.machine.progs().global(b"v_forward").unwrap();
    assert_eq!(script.machine.global_vector(forward), object.model_space(2).unwrap().forward().to_array());
    let name = script.machine.permanent_string(b"Head").unwrap();
    assert_eq!(script.call(&mut runtime, "find", &[f32::from_bits(name)]), 3.0);
    let name = script.call(&mut runtime, "name", &[6.0]).to_bits();
    assert_eq!(script.machine.string(name).unwrap(), b"prop");
    script.call(&mut runtime, "turn", &[]);
    let root = bones(&runtime, skel)[0];
    assert_eq!(root.origin().to_array(), [1.0, 2.0, 3.0]);
    // Twice a quarter turn to the left.
    assert_eq!(root.forward().to_array(), [-1.0, 0.0, 0.0]);
    assert_eq!(*script.printed.borrow(), "");
}

#[test]
fn axes_go_from_builtin_to_builtin_also_where_the_compiler_left_their_names_out() {
    let mut nameless = PROGS.to_vec();
    for name in [&b"\0v_forward\0"[..], b"\0v_up\0"] {
        let at = nameless.windows(name.len()).position(|bytes| bytes == name).unwrap();
        nameless[at + 1] = b'x';
    }
    for progs in [PROGS, &nameless] {
        let (mut script, mut runtime) = (Script::of(progs), Runtime::default());
        let skel = script.built(&mut runtime, "testbones.iqm");
        assert_eq!(script.machine.progs().global(b"v_up").is_some(), progs == PROGS);
        let from = bones(&runtime, skel)[3];
        assert_ne!(from.axes(), bones(&runtime, skel)[1].axes());
        script.call(&mut runtime, "copy_axes", &[4.0, 2.0]);
        assert_eq!(bones(&runtime, skel)[1], from.with_origin(Vec3::ZERO));
    }
}

#[test]
fn one_animation_is_built_as_if_all_fields_were_looked_at() {
    let (mut script, mut runtime) = (Script::new(), Runtime::default());
    let skel = script.built(&mut runtime, "testbones.iqm");
    let loaded = runtime.models().next().unwrap().1.clone();
    let mut wanted = SkeletalObject::new(loaded.clone(), Space::Relative);
    let field = |script: &Script, name: &str| script.machine.progs().field(name.as_bytes()).unwrap();
    let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
    let time = script.machine.progs().global(b"time").unwrap();
    script.machine.set_global_float(time, 2.0);
    for rules in [Rules::Client, Rules::Server] {
        script.environment.rules = rules;
        for frame in [0.0, 1.0, 2.9, -3.0, 77.0, f32::NAN, f32::INFINITY] {
            for frame1time in [0.0, 0.37, -1.25, 1e9, f32::NAN, f32::NEG_INFINITY] {
                for renderflags in [0.0, -0.0, 16.0, 64.0, 80.5, f32::NAN] {
                    for lerpfrac in [0.0, -0.0, 0.25] {
                        let fields = FrameFields { frame, frame1time, lerpfrac, frame2: 1.0, ..Default::default() };
                        for (name, value) in [
                            ("frame", frame),
                            ("frame1time", frame1time),
                            ("renderflags", renderflags),
                            ("lerpfrac", lerpfrac),
                            ("frame2", 1.0),
                        ] {
                            let field = field(&script, name);
                            script.machine.set_field_float(0, field, value).unwrap();
                        }
                        assert_eq!(script.call(&mut runtime, "build", &[]), skel);
                        let mut fields = FrameFields { frame: finite(frame), frame1time: finite(frame1time), ..fields };
                        if rules == Rules::Client && finite(renderflags) as i32 & 64 != 0 {
                            // Start times: every group began at that time on the clock.
                            fields.frame1time = 2.0 - fields.frame1time;
                            fields.frame2time = 2.0;
                        }
                        let state = match rules {
                            Rules::Client => FrameState::client(&fields),
                            Rules::Server => FrameState::server(&fields),
                        };
                        wanted.build(&loaded, &state, &Build::REPLACE).unwrap();
                        let built = bones(&runtime, skel);
                        assert!(built == wanted.pose().bones(), "{rules:?} {renderflags} {fields:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_mapped_pointer_survives_10000_creates_and_writes_are_seen_by_the_next_call() {
    let (mut script, mut runtime) = (Script::new(), Runtime::default());
    let skel = script.built(&mut runtime, "testbones.iqm");
    script.call(&mut runtime, "map", &[]);
    let address = script.global("bones");
    let model = runtime.models().next().unwrap().0;
    for _ in 0..10_000 {
        runtime.create(model, Default::default()).unwrap();
    }
    assert_eq!(script.call(&mut runtime, "read", &[]), bones(&runtime, skel)[0].0[0]);
    script.call(&mut runtime, "write", &[77.5]);
    assert_eq!(bones(&runtime, skel)[0].0[0], 77.5);
    script.try_call(&mut runtime, "place", &[1.0]).unwrap();
    assert_eq!(f32::from_bits(script.global("v_forward")), 77.5);
    script.call(&mut runtime, "map", &[]);
    assert_eq!(script.global("bones"), address);
}

#[test]
fn a_pointer_to_what_is_gone_stops_the_script() {
    let (mut script, mut runtime) = (Script::new(), Runtime::default());
    let skel = script.built(&mut runtime, "testbones.iqm");
    script.call(&mut runtime, "map", &[]);
    runtime.delete(id(&runtime, skel));
    assert!(script.try_call(&mut runtime, "read", &[]).is_ok());
    script.end_frame(&mut runtime);
    assert!(matches!(script.try_call(&mut runtime, "read", &[]), Err(Fault::BadPointer { write: false, .. })));
    let fault = script.try_call(&mut runtime, "write", &[1.0]);
    assert!(matches!(fault, Err(Fault::BadPointer { write: true, .. })), "{fault:?}");
}

#[test]
fn two_machines_share_one_runtime() {
    let (mut server, mut client, mut runtime) = (Script::new(), Script::new(), Runtime::default());
    let skel = server.built(&mut runtime, "testbones.iqm");
    let global = client.machine.progs().global(b"skel").unwrap();
    client.machine.set_global_float(global, skel);
    let place = server.try_call(&mut runtime, "place", &[4.0]).unwrap();
    assert_eq!(client.try_call(&mut runtime, "place", &[4.0]).unwrap(), place);
    client.call(&mut runtime, "map", &[]);
    client.call(&mut runtime, "write", &[5.0]);
    server.try_call(&mut runtime, "place", &[1.0]).unwrap();
    assert_eq!(f32::from_bits(server.global("v_forward")), 5.0);
}

#[test]
fn model_events_call_back_with_their_moment_code_and_data() {
    let (mut script, mut runtime) = (Script::new(), Runtime::default());
    script.built(&mut runtime, "seven.iqm");
    script.call(&mut runtime, "play", &[0.4]);
    assert_eq!(f32::from_bits(script.global("events")), 0.0);
    script.call(&mut runtime, "play", &[1.0]);
    assert_eq!(f32::from_bits(script.global("events")), 2.0);
    assert_eq!((f32::from_bits(script.global("last_time")), script.global("last_code")), (0.5, 8));
    assert_eq!(script.machine.string(script.global("last_data")).unwrap(), b"right");
    // From the start again, almost three laps of two seconds.
    script.call(&mut runtime, "play", &[5.6]);
    assert_eq!(f32::from_bits(script.global("events")), 2.0 + 9.0);
    assert_eq!(f32::from_bits(script.global("last_time")), 5.5);
}

#[test]
fn structures_in_memory_build_as_the_fields_do() {
    let (mut script, mut runtime) = (Script::new(), Runtime::default());
    let skel = script.built(&mut runtime, "testbones.iqm");
    let frame = FrameState::playing(1, 0.3);
    let before = bones(&runtime, skel);
    let model = runtime.models().next().unwrap();
    let mut wanted = runtime.object(id(&runtime, skel)).unwrap().clone();
    wanted.build(model.1, &frame, &Build { retain: 0.25, add: 1.0, bones: 1..4 }).unwrap();
    let int = |value: i32| value as u32;
    let mut words = [0u32; 24];
    words[0] = 1;
    (words[2], words[3], words[4]) = (int(2), int(5), 0.25f32.to_bits());
    (words[5], words[9], words[13]) = (1.0f32.to_bits(), int(1), 0.3f32.to_bits());
    for (number, word) in words.iter().enumerate() {
        let field = script.machine.progs().field(format!("blend{number}").as_bytes()).unwrap();
        script.machine.set_field(0, field, *word).unwrap();
    }
    assert_eq!(script.call(&mut runtime, "build_from_memory", &[f32::from_bits(96)]), skel);
    assert_eq!(bones(&runtime, skel), wanted.pose().bones());
    assert_eq!(bones(&runtime, skel)[0], before[0]);
    for (size, complaint) in [(95, "expected 96 bytes"), (-1, ""), (1 << 30, "")] {
        let built = script.call(&mut runtime, "build_from_memory", &[f32::from_bits(size as u32)]);
        assert_eq!(built, if size > 95 { skel } else { 0.0 });
        assert!(script.printed.borrow().contains(complaint));
    }
}

#[test]
fn an_unknown_builtin_and_an_invalid_entity_are_errors_with_a_place() {
    let (mut script, mut runtime) = (Script::new(), Runtime::default());
    let model = script.environment.precache_model(&mut runtime, "nosuch.iqm");
    assert_eq!(*script.printed.borrow(), "no such file: nosuch.iqm\n");
    assert_eq!(script.call(&mut runtime, "create", &[model as f32]), 0.0);
    let this = script.machine.progs().global(b"self").unwrap();
    script.machine.set_global(this, 12345);
    assert!(matches!(script.try_call(&mut runtime, "build", &[]), Err(Fault::BadEntity(12345))));
}

#[test]
fn no_old_handle_reaches_a_newer_object_in_100000_cycles_and_all_are_exact_floats() {
    let mut runtime = Runtime::default();
    let mut script = Script::new();
    script.built(&mut runtime, "three.iqm");
    let model = runtime.models().next().unwrap().0;
    let mut old = Vec::with_capacity(100_000);
    for cycle in 0..100_000 {
        let id = runtime.create(model, Default::default()).unwrap();
        let handle = runtime.handle(id).unwrap();
        assert_eq!(handle as f32 as u32, handle);
        assert!((1..1 << 24).contains(&handle));
        assert_eq!(runtime.object_by_handle(handle), Some(id));
        // An earlier one, another each time.
        if let Some(&earlier) = old.get(cycle / 2) {
            assert_eq!(runtime.object_by_handle(earlier), None);
        }
        old.push(handle);
        runtime.delete(id);
        runtime.end_frame();
    }
    let live = runtime.create(model, Default::default()).unwrap();
    assert!(old.iter().all(|&handle| runtime.object_by_handle(handle).is_none()));
    assert!(runtime.object_by_handle(runtime.handle(live).unwrap()).is_some());
    old.sort_unstable();
    old.dedup();
    assert_eq!(old.len(), 100_000);
}

#[test]
fn the_committed_progs_is_what_fteqcc_makes_of_its_source() {
    let Ok(_) = std::process::Command::new("fteqcc").arg("--version").current_dir(std::env::temp_dir()).output() else {
        println!("SKIPPED the_committed_progs_is_what_fteqcc_makes_of_its_source: no fteqcc");
        return;
    };
    let folder = std::env::temp_dir().join(format!("skelobj-progs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("progs.src"), "skel.dat\nskel.qc\n").unwrap();
    std::fs::write(folder.join("skel.qc"), include_str!("qc/skel.qc")).unwrap();
    std::fs::write(folder.join("skelobj.qc"), skelobj::qc::header()).unwrap();
    let output = std::process::Command::new("fteqcc").arg("-Tfte").current_dir(&folder).output().unwrap();
    let fresh = std::fs::read(folder.join("skel.dat")).unwrap_or_default();
    assert!(fresh == PROGS, "recompile tests/qc/skel.qc: {}", String::from_utf8_lossy(&output.stdout));
    std::fs::remove_dir_all(&folder).unwrap();
}
