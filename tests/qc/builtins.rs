//! Builtins called from QuakeC on this crate's machine.

use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::common::compiled::assert_compiled;
use skelobj::Dialect;
use skelobj::Runtime;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AnimationSource, FrameFields, FrameState};
use skelobj::object::{Build, SkeletalObject, Space};
use skelobj::qc::vm::{Fault, Machine, Progs};
use skelobj::qc::{Environment, Field, Rules, VmHost};
use skelobj::runtime::ObjectId;

const PROGS: &[u8] = include_bytes!("../qc/skel.dat");
/// Events of an animation of two poses a second apart: two at once, one later.
const EVENTS: &[u8] =
    br#"{"framegroups": [{"name": "all", "firstpose": 0, "numposes": 2, "fps": 1, "loop": 1, "events": [
    {"timestamp": 0.5, "code": 7, "value": "left"}, {"timestamp": 0.5, "code": 8, "value": "right"},
    {"timestamp": 1.5, "code": 9, "value": "land"}]}]}"#;

/// Animations: one of two poses a second apart, and one whose poses do not exist.
const OUTSIDE: &[u8] = br#"{"framegroups": [{"name": "all", "firstpose": 0, "numposes": 2, "fps": 1, "loop": 1},
    {"name": "outside", "firstpose": 99, "numposes": 2, "fps": 1, "loop": 1}]}"#;

/// Machine with its environment; the runtime is passed to every call.
struct Script {
    machine: Machine,
    environment: Environment,
    printed: Arc<Mutex<String>>,
}

/// Returns a runtime with the golden models and two side files.
fn game() -> Runtime {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/models");
        match name {
            "seven.iqm.framegroups" => Some(EVENTS.to_vec()),
            "three.iqm.framegroups" => Some(OUTSIDE.to_vec()),
            _ => std::fs::read(folder.join(name)).ok(),
        }
    });
    runtime
}

impl Script {
    fn new() -> Self {
        Self::of(PROGS)
    }

    fn of(progs: &[u8]) -> Self {
        let progs = Arc::new(Progs::load(progs).unwrap());
        let printed = Arc::new(Mutex::new(String::new()));
        let output = printed.clone();
        let environment = Environment::new(&progs, move |text| output.lock().unwrap().push_str(text));
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

    /// Creates and builds an object of a model.
    fn built(&mut self, runtime: &mut Runtime, model: &str) -> f32 {
        let model = self.environment.precache_model(runtime, model);
        let object = self.call(runtime, "create", &[model as f32]);
        assert_eq!(self.call(runtime, "build", &[]), object);
        object
    }

    /// Sets a field of the world.
    fn set(&mut self, field: &str, value: f32) {
        let field = self.machine.progs().field(field.as_bytes()).unwrap();
        self.machine.set_field_float(0, field, value).unwrap();
    }

    fn end_frame(&mut self, runtime: &mut Runtime) {
        VmHost { runtime, environment: &mut self.environment }.step(&mut self.machine, 0.0);
    }

    fn global(&self, name: &str) -> u32 {
        self.machine.global(self.machine.progs().global(name.as_bytes()).unwrap())
    }
}

fn id(object: f32) -> ObjectId {
    ObjectId::new(object as u32).unwrap()
}

fn bones(runtime: &Runtime, object: f32) -> Vec<Mat3x4> {
    runtime.object(id(object)).unwrap().pose().bones().to_vec()
}

#[test]
fn scripts_build_and_read_objects() {
    let (mut script, mut runtime) = (Script::new(), game());
    let handle = script.built(&mut runtime, "testbones.iqm");
    let object = runtime.object(id(handle)).unwrap().clone();
    let place = script.try_call(&mut runtime, "place", &[3.0]).unwrap();
    assert_eq!(place, object.model_space(2).unwrap().origin().to_array());
    let forward = script.machine.progs().global(b"v_forward").unwrap();
    assert_eq!(script.machine.global_vector(forward), object.model_space(2).unwrap().forward().to_array());
    let name = script.machine.permanent_string(b"Head").unwrap();
    assert_eq!(script.call(&mut runtime, "find", &[f32::from_bits(name)]), 3.0);
    let name = script.call(&mut runtime, "name", &[6.0]).to_bits();
    assert_eq!(script.machine.string(name).unwrap(), b"prop");
    script.call(&mut runtime, "turn", &[]);
    let root = bones(&runtime, handle)[0];
    assert_eq!(root.origin().to_array(), [1.0, 2.0, 3.0]);
    // Twice a quarter turn to the left.
    assert_eq!(root.forward().to_array(), [-1.0, 0.0, 0.0]);
    assert_eq!(*script.printed.lock().unwrap(), "");
}

#[test]
fn axes_go_from_builtin_to_builtin_also_where_the_compiler_left_their_names_out() {
    let mut nameless = PROGS.to_vec();
    for name in [&b"\0v_forward\0"[..], b"\0v_up\0"] {
        let at = nameless.windows(name.len()).position(|bytes| bytes == name).unwrap();
        nameless[at + 1] = b'x';
    }
    for progs in [PROGS, &nameless] {
        let (mut script, mut runtime) = (Script::of(progs), game());
        let object = script.built(&mut runtime, "testbones.iqm");
        assert_eq!(script.machine.progs().global(b"v_up").is_some(), progs == PROGS);
        let from = bones(&runtime, object)[3];
        assert_ne!(from.axes(), bones(&runtime, object)[1].axes());
        script.call(&mut runtime, "copy_axes", &[4.0, 2.0]);
        assert_eq!(bones(&runtime, object)[1], from.with_origin(Vec3::ZERO));
    }
}

/// Returns the animation that the fields of an entity play at time 2, with all fields set.
fn expected(fields: &FrameFields, renderflags: f32, dialect: Dialect, rules: Rules) -> FrameState {
    let mut fields = *fields;
    fields.as_floats_mut().iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
    let mut times = |change: &dyn Fn(f32) -> f32| {
        let FrameFields { frame1time, frame2time, frame3time, frame4time, baseframe1time, baseframe2time, .. } =
            &mut fields;
        for time in [frame1time, frame2time, frame3time, frame4time, baseframe1time, baseframe2time] {
            *time = change(*time);
        }
    };
    let flags = if renderflags.is_finite() { renderflags as i32 } else { 0 };
    match (dialect, rules) {
        (Dialect::DarkPlaces, _) => times(&|time| (2.0 - time).max(0.0)),
        (Dialect::Fte, Rules::Client) if flags & 64 != 0 => times(&|time| 2.0 - time),
        _ => {}
    }
    match (dialect, rules) {
        (Dialect::DarkPlaces, _) => FrameState::client(&FrameFields { basebone: 0.0, ..fields }),
        (_, Rules::Client) => FrameState::client(&fields),
        (_, Rules::Server) => FrameState::server(&fields),
    }
}

#[test]
fn one_animation_is_built_as_if_all_fields_were_looked_at() {
    let (mut script, mut runtime) = (Script::new(), game());
    let object = script.built(&mut runtime, "testbones.iqm");
    let loaded = runtime.models().next().unwrap().1.clone();
    let mut wanted = SkeletalObject::new(loaded.clone(), Space::Local);
    let time = script.machine.progs().global(b"time").unwrap();
    script.machine.set_global_float(time, 2.0);
    let others: [(&str, f32); 6] = [
        ("lerpfrac", 0.0),
        ("lerpfrac", -0.0),
        ("lerpfrac", 0.25),
        ("lerpfrac3", 0.5),
        ("lerpfrac4", 0.75),
        ("basebone", 4.0),
    ];
    let mut cases = Vec::new();
    for frame in [0.0, 1.0, 2.9, -3.0, 77.0, f32::NAN, f32::INFINITY] {
        for frame1time in [0.0, 0.37, -1.25, 864_000.3, 1e9, f32::NAN, f32::NEG_INFINITY] {
            for renderflags in [0.0, -0.0, 16.0, 64.0, 80.5, f32::NAN] {
                cases.extend(others.map(|other| (frame, frame1time, renderflags, other)));
            }
        }
    }
    for (dialect, rules) in
        [(Dialect::Fte, Rules::Client), (Dialect::Fte, Rules::Server), (Dialect::DarkPlaces, Rules::Client)]
    {
        (script.environment.dialect, script.environment.rules) = (dialect, rules);
        for (frame, frame1time, renderflags, (other, weight)) in &cases {
            let mut fields = FrameFields { frame: *frame, frame1time: *frame1time, ..FrameFields::default() };
            (fields.frame2, fields.frame3, fields.frame4, fields.baseframe) = (1.0, 1.0, 1.0, 1.0);
            let others: [(&str, &mut f32); 4] = [
                ("lerpfrac", &mut fields.lerpfrac),
                ("lerpfrac3", &mut fields.lerpfrac3),
                ("lerpfrac4", &mut fields.lerpfrac4),
                ("basebone", &mut fields.basebone),
            ];
            others.into_iter().filter(|(name, _)| name == other).for_each(|(_, field)| *field = *weight);
            let names = Field::ALL.iter().map(|field| field.name());
            for (name, value) in names.zip(*fields.as_floats_mut()).chain([("renderflags", *renderflags)]) {
                script.set(name, value);
            }
            assert_eq!(script.call(&mut runtime, "build_to", &[1000.0]), object);
            let state = expected(&fields, *renderflags, dialect, rules);
            match dialect {
                Dialect::DarkPlaces => wanted.build_normalized(&loaded, &state, &Build::REPLACE).unwrap(),
                _ => wanted.build(&loaded, &state, &Build::REPLACE).unwrap(),
            }
            let built = bones(&runtime, object);
            assert!(built == wanted.pose().bones(), "{dialect:?} {rules:?} {renderflags} {fields:?}");
        }
    }
}

#[test]
fn an_animation_outside_of_the_frames_builds_nothing() {
    let (mut script, mut runtime) = (Script::new(), game());
    let object = script.built(&mut runtime, "three.iqm");
    let model = runtime.models().next().unwrap().1.clone();
    assert_eq!(model.animations[1].source, AnimationSource::BindPose);
    let before = bones(&runtime, object);
    for (frame, changes) in [(1.0, false), (0.0, true)] {
        script.set("frame", frame);
        script.set("frame1time", 0.6);
        assert_eq!(script.call(&mut runtime, "build", &[]), object);
        assert_eq!(bones(&runtime, object) != before, changes, "{frame}");
    }
}

/// Returns the progs with another type and offset for a field.
fn redeclared(name: &str, kind: u16, offset: u16) -> Vec<u8> {
    let mut progs = PROGS.to_vec();
    let word = |at: usize| u32::from_le_bytes(progs[at..at + 4].try_into().unwrap()) as usize;
    let (definitions, count, strings) = (word(24), word(28), word(40));
    let named = |at: &usize| progs[strings + word(at + 4)..].starts_with(format!("{name}\0").as_bytes());
    let at = (0..count).map(|number| definitions + 8 * number).find(named).unwrap();
    progs[at..at + 2].copy_from_slice(&kind.to_le_bytes());
    progs[at + 2..at + 4].copy_from_slice(&offset.to_le_bytes());
    progs
}

#[test]
fn a_field_whose_type_is_too_small_is_absent_and_never_reaches_the_next_entity() {
    let size = u32::from_le_bytes(PROGS[56..60].try_into().unwrap()) as u16;
    // A frame without a value at the end, and an origin of one word there.
    for (name, kind, offset) in [("frame", 0, size), ("origin", 2, size - 1)] {
        let (mut script, mut runtime) = (Script::of(&redeclared(name, kind, offset)), game());
        script.built(&mut runtime, "testbones.iqm");
        let next = script.machine.spawn_entity().unwrap();
        let words = script.machine.fields(next).unwrap().len() as u32;
        let look = |script: &mut Script, runtime: &mut Runtime| {
            script.call(runtime, "build", &[]);
            script.try_call(runtime, "world_place", &[1.0]).unwrap()
        };
        let before = look(&mut script, &mut runtime);
        for offset in 0..words.min(4) {
            script.machine.set_field_at(next, offset, 1.0f32.to_bits()).unwrap();
        }
        assert_eq!(look(&mut script, &mut runtime), before, "{name}");
    }
}

#[test]
fn a_mapped_pointer_survives_10000_creates_and_writes_are_seen_by_the_next_call() {
    let (mut script, mut runtime) = (Script::new(), game());
    let object = script.built(&mut runtime, "testbones.iqm");
    script.call(&mut runtime, "map", &[]);
    let address = script.global("bones");
    let model = runtime.models().next().unwrap().0;
    for _ in 0..10_000 {
        runtime.create_object(model, Default::default()).unwrap();
    }
    assert_eq!(script.call(&mut runtime, "read", &[]), bones(&runtime, object)[0].0[0]);
    script.call(&mut runtime, "write", &[77.5]);
    assert_eq!(bones(&runtime, object)[0].0[0], 77.5);
    script.try_call(&mut runtime, "place", &[1.0]).unwrap();
    assert_eq!(f32::from_bits(script.global("v_forward")), 77.5);
    script.call(&mut runtime, "map", &[]);
    assert_eq!(script.global("bones"), address);
}

/// Returns what skel_get_boneabs and gettaginfo return and set for the first bones.
fn places(script: &mut Script, runtime: &mut Runtime) -> Vec<[Vec3; 4]> {
    let mut place = |builtin: &str, bone: f32| {
        let origin = script.try_call(runtime, builtin, &[bone]).unwrap();
        let axis = |name: &[u8]| script.machine.global_vector(script.machine.progs().global(name).unwrap());
        [origin, axis(b"v_forward"), axis(b"v_right"), axis(b"v_up")].map(Vec3::from)
    };
    [1.0, 2.0, 3.0].map(|bone| ["place", "world_place"].map(|builtin| place(builtin, bone))).concat()
}

#[test]
fn every_build_of_a_mapped_object_is_done() {
    let (mut script, mut runtime) = (Script::new(), game());
    let object = script.built(&mut runtime, "testbones.iqm");
    let built = bones(&runtime, object);
    let seen = places(&mut script, &mut runtime);
    script.call(&mut runtime, "map", &[]);
    for value in [77.5, -3.0, 77.5] {
        script.call(&mut runtime, "write", &[value]);
        for (place, before) in places(&mut script, &mut runtime).iter().zip(&seen) {
            assert_ne!(place, before, "{value}");
        }
        // Nothing but the memory has changed since the last build.
        assert_eq!(script.call(&mut runtime, "build", &[]), object);
        assert_eq!(script.call(&mut runtime, "read", &[]), built[0].0[0], "{value}");
        assert_eq!(bones(&runtime, object), built, "{value}");
        assert_eq!(places(&mut script, &mut runtime), seen, "{value}");
    }
}

/// Writes a float into the memory of this process, as an engine does through the address that `return_bones` gave it:
/// without a call of the library.
#[cfg(target_os = "linux")]
fn write_memory(address: usize, value: f32) {
    use std::os::unix::fs::FileExt;

    let memory = std::fs::File::options().write(true).open("/proc/self/mem").unwrap();
    memory.write_all_at(&value.to_ne_bytes(), address as u64).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn an_object_whose_address_was_handed_out_is_never_cached() {
    let (mut script, mut runtime) = (Script::new(), game());
    let handle = script.built(&mut runtime, "testbones.iqm");
    let (built, seen) = (bones(&runtime, handle), places(&mut script, &mut runtime));
    script.call(&mut runtime, "map", &[]);
    let object = runtime.object(id(handle)).unwrap();
    assert_eq!(object.revision(), None);
    let address = object.pose().bones().as_ptr().addr();
    for value in [77.5, -3.0, 77.5] {
        // Every query comes twice, so that the second one could be answered from a cache.
        assert_eq!(places(&mut script, &mut runtime), seen, "{value}");
        assert_eq!(places(&mut script, &mut runtime), seen, "{value}");
        write_memory(address, value);
        for (place, before) in places(&mut script, &mut runtime).iter().zip(&seen) {
            assert_ne!(place, before, "{value}");
        }
        assert_eq!(script.call(&mut runtime, "build", &[]), handle);
        assert_eq!(bones(&runtime, handle), built, "{value}");
    }
}

#[test]
fn a_dangling_pointer_stops_the_script() {
    let (mut script, mut runtime) = (Script::new(), game());
    let object = script.built(&mut runtime, "testbones.iqm");
    script.call(&mut runtime, "map", &[]);
    runtime.delete_object(id(object)).unwrap();
    assert!(script.try_call(&mut runtime, "read", &[]).is_ok());
    script.end_frame(&mut runtime);
    assert!(matches!(script.try_call(&mut runtime, "read", &[]), Err(Fault::BadPointer { write: false, .. })));
    let fault = script.try_call(&mut runtime, "write", &[1.0]);
    assert!(matches!(fault, Err(Fault::BadPointer { write: true, .. })), "{fault:?}");
}

#[test]
fn two_machines_share_one_runtime() {
    let (mut server, mut client, mut runtime) = (Script::new(), Script::new(), game());
    let object = server.built(&mut runtime, "testbones.iqm");
    let global = client.machine.progs().global(b"skel").unwrap();
    client.machine.set_global_float(global, object);
    let place = server.try_call(&mut runtime, "place", &[4.0]).unwrap();
    assert_eq!(client.try_call(&mut runtime, "place", &[4.0]).unwrap(), place);
    client.call(&mut runtime, "map", &[]);
    client.call(&mut runtime, "write", &[5.0]);
    server.try_call(&mut runtime, "place", &[1.0]).unwrap();
    assert_eq!(f32::from_bits(server.global("v_forward")), 5.0);
}

#[test]
fn model_events_call_back_with_their_moment_code_and_data() {
    let (mut script, mut runtime) = (Script::new(), game());
    script.built(&mut runtime, "seven.iqm");
    script.call(&mut runtime, "play", &[0.4]);
    assert_eq!(f32::from_bits(script.global("events")), 0.0);
    script.call(&mut runtime, "play", &[1.0]);
    assert_eq!(f32::from_bits(script.global("events")), 2.0);
    assert_eq!((f32::from_bits(script.global("last_time")), script.global("last_code")), (0.5, 8));
    assert_eq!(script.machine.string(script.global("last_data")).unwrap(), b"right");
    // From the start again, almost three loops of two seconds.
    script.call(&mut runtime, "play", &[5.6]);
    assert_eq!(f32::from_bits(script.global("events")), 2.0 + 9.0);
    assert_eq!(f32::from_bits(script.global("last_time")), 5.5);
    assert!(!script.printed.lock().unwrap().contains("events"));
    // Weeks, which a script may pass by mistake.
    script.call(&mut runtime, "play", &[1e6]);
    assert_eq!(f32::from_bits(script.global("events")), 2.0 + 9.0 + 1024.0);
    assert!(
        script.printed.lock().unwrap().contains("more than 1024 events, those from 682.5 to 1000000 s are skipped")
    );
}

#[test]
fn structures_in_memory_build_as_the_fields_do() {
    let (mut script, mut runtime) = (Script::new(), game());
    let object = script.built(&mut runtime, "testbones.iqm");
    let frame = FrameState::single(1, 0.3);
    let before = bones(&runtime, object);
    let model = runtime.models().next().unwrap();
    let mut wanted = runtime.object(id(object)).unwrap().clone();
    wanted.build(model.1, &frame, &Build { retain: 0.25, add: 1.0, bones: 1..4 }).unwrap();
    let int = |value: i32| value as u32;
    let mut words = [0u32; 24];
    words[0] = 1;
    (words[2], words[3], words[4]) = (int(2), int(5), 0.25f32.to_bits());
    (words[5], words[9], words[13]) = (1.0f32.to_bits(), int(1), 0.3f32.to_bits());
    for (number, word) in words.iter().enumerate() {
        script.set(&format!("blend{number}"), f32::from_bits(*word));
    }
    assert_eq!(script.call(&mut runtime, "build_from_memory", &[f32::from_bits(96)]), object);
    assert_eq!(bones(&runtime, object), wanted.pose().bones());
    assert_eq!(bones(&runtime, object)[0], before[0]);
    for (size, complaint) in [(95, "of at least 96 bytes"), (-1, ""), (1 << 30, "")] {
        let built = script.call(&mut runtime, "build_from_memory", &[f32::from_bits(size as u32)]);
        assert_eq!(built, if size > 95 { object } else { 0.0 });
        assert!(script.printed.lock().unwrap().contains(complaint));
    }
}

#[test]
fn an_unknown_builtin_and_an_invalid_entity_are_errors_with_a_place() {
    let (mut script, mut runtime) = (Script::new(), game());
    let model = script.environment.precache_model(&mut runtime, "nosuch.iqm");
    let errors = script.environment.take_model_errors();
    assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), ["no such file: nosuch.iqm"]);
    assert_eq!(script.call(&mut runtime, "create", &[model as f32]), 0.0);
    let this = script.machine.progs().global(b"self").unwrap();
    script.machine.set_global(this, 12345);
    assert!(matches!(script.try_call(&mut runtime, "build", &[]), Err(Fault::BadEntity(12345))));
}

#[test]
fn of_two_machines_on_one_runtime_the_one_that_steps_frees_what_either_deleted() {
    let mut runtime = game();
    let (mut server, mut client) = (Script::new(), Script::new());
    let [ours, theirs] = [server.built(&mut runtime, "three.iqm"), client.built(&mut runtime, "three.iqm")];
    for object in [ours, theirs] {
        runtime.delete_object(id(object)).unwrap();
        assert!(runtime.object(id(object)).is_some(), "until the end of the frame");
    }
    VmHost { runtime: &mut runtime, environment: &mut client.environment }.forget_deleted(&mut client.machine);
    assert!([ours, theirs].iter().all(|object| runtime.object(id(*object)).is_some()), "the client does not step");
    server.end_frame(&mut runtime);
    assert!([ours, theirs].iter().all(|object| runtime.object(id(*object)).is_none()));
}

#[test]
fn no_old_id_reaches_a_newer_object_in_100000_frames_and_all_are_exact_floats() {
    let mut runtime = game();
    let mut script = Script::new();
    script.built(&mut runtime, "three.iqm");
    let model = runtime.models().next().unwrap().0;
    let mut old: Vec<ObjectId> = Vec::with_capacity(100_000);
    for cycle in 0..100_000 {
        let id = runtime.create_object(model, Default::default()).unwrap();
        assert_eq!(id.get() as f32 as u32, id.get());
        assert!((1..1 << 24).contains(&id.get()) && ObjectId::new(id.get()) == Some(id));
        // An earlier one, another each time.
        if let Some(&earlier) = old.get(cycle / 2) {
            assert!(runtime.object(earlier).is_none());
        }
        old.push(id);
        runtime.delete_object(id).unwrap();
        script.end_frame(&mut runtime);
    }
    let live = runtime.create_object(model, Default::default()).unwrap();
    assert!(old.iter().all(|&id| runtime.object(id).is_none()));
    assert!(runtime.object(live).is_some());
    old.sort_unstable();
    old.dedup();
    assert_eq!(old.len(), 100_000);
}

#[test]
fn bones_travel_from_one_object_to_another() {
    // Kind 0 with rotations, kind 1 without.
    for kind in [0.0, 1.0] {
        let (mut script, mut runtime) = (Script::new(), game());
        let object = script.built(&mut runtime, "testbones.iqm");
        let bone_count = bones(&runtime, object).len();
        let x = script.call(&mut runtime, "send_and_show", &[kind, 1.5]);
        assert!((x - 15.0).abs() < 0.02, "{x}");
        let length = script.call(&mut runtime, "send", &[kind, 255.0]) as usize;
        assert_eq!(length, 3 + bone_count * if kind == 0.0 { 14 } else { 6 });
        assert_eq!(script.environment.buffer_mut(255).unwrap().len(), length);
    }
}

#[test]
fn bones_that_do_not_fit_are_not_received() {
    let (mut script, mut runtime) = (Script::new(), game());
    let seven = script.built(&mut runtime, "seven.iqm");
    assert!(script.call(&mut runtime, "send", &[0.0, 1.0]) > 0.0);
    let object = script.built(&mut runtime, "testbones.iqm");
    let before = bones(&runtime, object);
    assert_eq!(script.call(&mut runtime, "show", &[1.0]), 0.0); // nothing received yet
    assert_eq!(script.call(&mut runtime, "receive", &[1.0, 1.0]), 0.0); // seven bones, not six
    assert_eq!(script.call(&mut runtime, "receive", &[2.0, 1.0]), 0.0); // empty
    for (kind, buffer) in [(2.0, 1.0), (-1.0, 1.0), (0.0, 0.0), (0.0, 256.0), (0.0, -1.0), (0.0, 1e30)] {
        assert_eq!(script.call(&mut runtime, "send", &[kind, buffer]), 0.0);
    }
    assert!(script.call(&mut runtime, "send", &[f32::NAN, 1.0]) > 0.0); // as 0
    for byte in 0..40 {
        let message = script.environment.buffer_mut(1).unwrap();
        message[byte] = !message[byte];
        script.call(&mut runtime, "receive", &[1.0, byte as f32]);
        script.call(&mut runtime, "show", &[byte as f32]);
        assert!(bones(&runtime, object).iter().all(Mat3x4::is_finite));
    }
    assert_eq!(before.len(), bones(&runtime, object).len());
    assert!(script.printed.lock().unwrap().contains("no buffer 256"));
    // What a deleted object received is gone with it.
    runtime.delete_object(id(object)).unwrap();
    runtime.delete_object(id(seven)).unwrap();
    script.end_frame(&mut runtime);
    for name in ["send", "receive", "show"] {
        assert_eq!(script.call(&mut runtime, name, &[0.0, 1.0]), 0.0);
    }
}

#[test]
fn the_committed_progs_is_what_fteqcc_makes_of_its_source() {
    let sources = [("skel.qc", include_str!("../qc/skel.qc"))];
    assert_compiled("skel", &["-Tfte"], &sources, PROGS);
}

#[test]
fn an_environment_can_move_to_another_thread() {
    let script = Script::new();
    let thread = std::thread::spawn(move || script.environment.model_name(0) == Some(""));
    assert!(thread.join().unwrap());
}
