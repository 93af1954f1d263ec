//! Builtins of every engine that need models or physics, and the standard library, on this crate's machine.

use std::path::Path;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use skelobj::Dialect;
use skelobj::Runtime;
use skelobj::math::{Axes, Vec3};
use skelobj::physics::{Liquid, LiquidVolume};
use skelobj::qc::vm::{Fault, Limits, Machine, Progs, RunError};
use skelobj::qc::{Environment, Family, ScriptReport, ScriptWarning, TABLE, VmHost};

const PROGS: &[u8] = include_bytes!("../qc/everyday.dat");
const SOURCE: &str = include_str!("../qc/everyday.qc");

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
    runtime.set_files(golden);
    runtime.physics_mut().add_floor(0.0).unwrap();
    let mut machine = Machine::with_limits(progs, limits);
    let function = machine.find_function(name.as_bytes())?;
    let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    let outcome = machine.call(function, &mut host);
    let printed = printed.lock().unwrap().clone();
    Some((printed, outcome))
}

/// Environment and output of a function of the progs that has run.
fn environment_after(name: &str, set: impl FnOnce(&mut Environment)) -> (Environment, String, Result<(), RunError>) {
    let progs = Arc::new(Progs::load(PROGS).unwrap());
    let printed = Arc::new(Mutex::new(String::new()));
    let output = printed.clone();
    let mut environment = Environment::new(&progs, move |text| output.lock().unwrap().push_str(text));
    set(&mut environment);
    let mut runtime = Runtime::default();
    runtime.set_files(golden);
    let mut machine = Machine::new(progs);
    let function = machine.find_function(name.as_bytes()).unwrap();
    let outcome = machine.call(function, &mut VmHost { runtime: &mut runtime, environment: &mut environment });
    let printed = printed.lock().unwrap().clone();
    (environment, printed, outcome)
}

fn golden(name: &str) -> Option<Vec<u8>> {
    if name == "mannequin.iqm" {
        return Some(skelobj::assets::MANNEQUIN_IQM.to_vec());
    }
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/models").join(name)).ok()
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
fn an_environment_reports_the_first_non_finite_number() {
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
    assert_eq!(*printed.lock().unwrap(), "traceline: a non-finite number was treated as 0\n");
}

#[test]
fn a_client_fills_a_scene_with_entities_and_a_view() {
    let (environment, printed, outcome) = environment_after("scene", |_| ());
    outcome.unwrap();
    let wanted = "\
predraw [entity 1]predraw [entity 2]addentity: the entity is the world, or was removed
addentity: the entity is the world, or was removed

self [entity 3]
setproperty 1 1 0 1
getproperty (10 20 5) (640 480 0) (0 0 0) (20 0 0)
";
    assert_eq!(printed, wanted);
    let scene = environment.scene();
    let [a, c] = scene.entities() else { panic!("{scene:?}") };
    assert_eq!((a.entity.0, a.flags, c.entity.0), (1, 1, 3));
    assert!(a.state.model.is_some() && c.state.model.is_none());
    assert_eq!(a.state.world.origin(), Vec3::new(1.0, 2.0, 3.0));
    assert!(a.state.world.forward().distance(Vec3::Y) < 1e-6);
    assert_eq!(c.state.world.forward(), Vec3::X * 3.0);
    assert_eq!((scene.rendered(), scene.origin(), scene.fov()), (1, Some(Vec3::new(10.0, 20.0, 5.0)), None));
}

#[test]
fn darkplaces_adds_entities_whatever_predraw_returns() {
    let (environment, ..) = environment_after("scene", |environment| environment.dialect = Dialect::DarkPlaces);
    // The third has another mask; its function is called all the same, and removes it.
    assert!(environment.scene().entities().iter().map(|drawn| drawn.entity.0).eq([1, 2]));
}

#[test]
fn predraw_decides_what_is_drawn_as_in_each_engine() {
    // Difference 256.
    for (dialect, drawn) in [(Dialect::Fte, &[2u64][..]), (Dialect::DarkPlaces, &[1, 2])] {
        let (environment, printed, outcome) =
            environment_after("scene_changes", |environment| environment.dialect = dialect);
        outcome.unwrap();
        let entities: Vec<u64> = environment.scene().entities().iter().map(|drawn| drawn.entity.0).collect();
        assert_eq!((entities.as_slice(), printed.as_str()), (drawn, ""), "{dialect:?}");
    }
}

#[test]
fn r_lerpmodels_0_shows_whole_poses_of_the_first_animation_in_darkplaces() {
    // Difference 253.
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        let shown = |lerps: &[u8]| {
            let (_, printed, outcome) = environment_after("lerped", |environment| {
                environment.dialect = dialect;
                environment.cvars.set(b"r_lerpmodels", lerps);
            });
            outcome.unwrap();
            printed
        };
        let (smooth, stepped) = (shown(b"1"), shown(b"0"));
        assert_eq!(smooth != stepped, dialect == Dialect::DarkPlaces);
        let [blended, alone] = stepped.lines().collect::<Vec<_>>()[..] else { panic!("{stepped}") };
        assert_eq!(blended == alone, dialect == Dialect::DarkPlaces);
    }
}

/// Returns the texts of the warnings of one function of the script, without their statements.
fn warnings_in(environment: &mut Environment, function: &str) -> Vec<String> {
    let start = format!("everyday.qc: {function}, statement ");
    let without_location = |warning: &ScriptWarning| {
        let text = warning.to_string();
        let located = text.strip_prefix(&start).unwrap_or_else(|| panic!("{text}"));
        located.split_once(": ").unwrap().1.to_owned()
    };
    environment.take_warnings().iter().map(without_location).collect()
}

#[test]
fn an_unknown_builtin_returns_0_and_is_a_warning_once() {
    let (mut environment, printed, outcome) = environment_after("unknown", |_| ());
    outcome.unwrap();
    assert_eq!(printed, "unknown 0\n");
    let warnings = warnings_in(&mut environment, "unknown");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(warnings[0], "draw_the_moon(2, \"full\"): unknown builtin #4999, it returns 0");
    assert_eq!(warnings[1], "nameless(): unknown builtin, it returns 0");
    let (_, _, outcome) = environment_after("unknown", |environment| environment.strict = true);
    assert!(matches!(outcome.unwrap_err().fault, Fault::UnknownBuiltin { .. }));
}

#[test]
fn mistakes_are_warnings_for_hosts_that_ask_for_them() {
    let (mut environment, ..) = environment_after("mistakes", |_| ());
    assert_eq!(environment.take_warnings(), []);
    let (mut environment, ..) = environment_after("mistakes", |environment| environment.set_warn(true));
    let warnings = warnings_in(&mut environment, "mistakes");
    let stale = "no skeletal object 12345, it was deleted or never created";
    let wanted = [
        "skel_build(0, entity 1, 77, 0, 0, 0, 1): no model 77".to_owned(),
        "skel_get_boneabs(SKEL, 0): no bone 0, bones are numbered from 1 to 6".to_owned(),
        "skel_get_boneabs(SKEL, 0): no bone 0, bones are numbered from 1 to 6".to_owned(), // another statement
        "skel_get_boneabs(SKEL, 7): no bone 7, bones are numbered from 1 to 6".to_owned(),
        format!("skel_get_boneabs(12345, 1): {stale}"),
        "skel_find_bone(SKEL, \"Hand\"): no bone \"Hand\"".to_owned(),
        "skel_ragupdate(entity 1, \"\", 0): the entity has no skeletal object, its skeletonindex is 0".to_owned(),
        "skel_ragupdate(entity 1, \"\", 0): the object has no ragdoll, and its model no default doll".to_owned(),
        format!("skel_ragupdate(entity 1, \"\", 0): {stale}"),
        "gettagindex(entity 1, \"weapon\"): no tag \"weapon\"".to_owned(),
        "frameforname(1, \"moonwalk\"): no animation \"moonwalk\"".to_owned(),
        "frameforname(0, \"idle\"): model index 0 is not a model".to_owned(),
    ];
    let handle = warnings[1].split(['(', ',']).nth(1).unwrap().to_owned();
    assert_eq!(warnings, wanted.map(|text| text.replace("SKEL", &handle)));
}

/// Calls a builtin of the progs from the host with a float, again and again.
fn call_with_numbers(builtin: &str, numbers: impl Iterator<Item = f32>, environment: &mut Environment) {
    let mut machine = Machine::new(Arc::new(Progs::load(PROGS).unwrap()));
    let function = machine.find_function(builtin.as_bytes()).unwrap();
    let mut runtime = Runtime::default();
    for number in numbers {
        machine.set_argument(0, [number.to_bits(), 0, 0]);
        machine.set_argument(1, [1f32.to_bits(), 0, 0]);
        machine.call(function, &mut VmHost { runtime: &mut runtime, environment }).unwrap();
    }
}

#[test]
fn places_are_counted_and_reported_at_once_and_those_beyond_1024_are_only_counted() {
    let progs = Progs::load(PROGS).unwrap();
    let reports = Arc::new(Mutex::new(Vec::new()));
    let received = reports.clone();
    let mut environment = Environment::new(&progs, |_| ());
    environment.set_warn(true);
    environment.set_reports(move |report| {
        received.lock().unwrap().push(match report {
            ScriptReport::Warning(warning) => warning.arguments.clone(),
            other => format!("{other:?}"),
        });
    });
    // Calls of the host have no line: each argument is a place.
    let numbers = (1..=1030u16).chain([5, 5, 1030]).map(f32::from);
    call_with_numbers("skel_get_boneabs", numbers, &mut environment);
    let reports = reports.lock().unwrap();
    assert_eq!(reports.len(), 1025);
    assert_eq!((reports[0].as_str(), reports[1023].as_str()), ("1, 1", "1024, 1"));
    assert_eq!(reports[1024], "TooManyPlaces(1024)");
    let counts: Vec<u64> = environment.warning_counts().map(|(_, count)| count).collect();
    assert_eq!((counts.len(), counts[3], counts[4], counts.iter().sum()), (1024, 1, 3, 1026));
    assert_eq!(environment.warnings_left_out(), 7);
    assert_eq!((environment.take_warnings().len(), environment.take_warnings().len()), (1024, 0));
}

#[test]
fn errors_of_models_are_reported_when_they_arise_and_returned() {
    let progs = Progs::load(PROGS).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let prints = sender.clone();
    let mut environment = Environment::new(&progs, move |text| prints.send(text.to_owned()).unwrap());
    environment.set_reports(move |report| {
        let ScriptReport::ModelError(error, _) = report else { panic!("{report:?}") };
        sender.send(error.to_string()).unwrap();
    });
    environment.print("before");
    environment.precache_model(&mut Runtime::default(), "ogre.iqm");
    environment.print("after");
    assert_eq!(receiver.try_iter().collect::<Vec<_>>(), ["before", "no such file: ogre.iqm", "after"]);
    assert_eq!(environment.take_model_errors().len(), 1);
}

#[test]
fn a_trace_has_the_chosen_builtins_with_the_types_of_their_arguments() {
    let traced = |function: &str, chosen: &'static str| {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let received = calls.clone();
        let _ = environment_after(function, |environment| {
            environment.set_trace(
                move |name| chosen.is_empty() || name == chosen,
                move |call| received.lock().unwrap().push(call.clone()),
            );
        });
        let calls = calls.lock().unwrap();
        calls.iter().map(|call| format!("{}({}){}", call.builtin, call.arguments, call.results)).collect::<Vec<_>>()
    };
    let unknown = ["draw_the_moon(2, \"full\") = 0", "draw_the_moon(3, \"new\") = 0"];
    assert_eq!(traced("unknown", "draw_the_moon"), unknown);
    assert_eq!(traced("unknown", "nameless"), ["nameless() = 0"]);
    assert_eq!(traced("unknown", "ftos"), ["ftos(0) = \"0\""]);
    let scene = traced("scene", "");
    for call in ["addentities(1)", "setproperty(11, '10 20 30') = 1", "setproperty(14, 5) = 1", "remove(entity 4)"] {
        assert!(scene.iter().any(|other| other == call), "{call} in {scene:?}");
    }
    // A function that a builtin calls runs before the line of the builtin.
    let place = |call: &str| scene.iter().position(|other| other == call).unwrap();
    assert!(place("remove(entity 4)") < place("addentities(1)"));
    let lines = traced("traces", "traceline");
    assert!(lines[0].starts_with("traceline('5 0 30', '5 0 -10', 1, entity 0): trace_fraction 1, "), "{lines:?}");
    assert!(lines[0].contains("trace_endpos '5 0 -10', trace_plane_normal '0 0 0'"), "{lines:?}");
    assert_eq!(traced("fail", "error"), ["error(\"gave up at \", \"7\"): gave up at 7"]);
}

#[test]
fn calls_that_are_not_chosen_are_not_traced_and_work_as_before() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let (_, traced, _) = environment_after("models", |environment| {
        environment.set_trace(|name| name == "nothing", move |call| sender.send(call.clone()).unwrap());
    });
    assert_eq!(receiver.try_iter().count(), 0);
    assert_eq!(traced, printed("models"));
}

#[test]
fn refused_calls_are_warnings_instead_of_printed_for_hosts_that_ask_for_them() {
    let (mut environment, printed, _) = environment_after("scene", |environment| environment.set_warn(true));
    assert!(!printed.contains("addentity"), "{printed}");
    let reason = "the entity is the world, or was removed";
    let wanted = [format!("addentity(entity 0): {reason}"), format!("addentity(entity 4): {reason}")];
    assert_eq!(warnings_in(&mut environment, "scene"), wanted);
    let (mut environment, printed, _) = environment_after("scene", |environment| {
        environment.set_warn(true);
        environment.set_warn(false);
    });
    assert_eq!((environment.take_warnings(), printed.matches(reason).count()), (vec![], 2));
}

#[test]
fn lines_hit_the_level() {
    let wanted = "\
hit 0.74921876 (5 0 0.03125) (0 0 1) 0 0
miss 1 (5 0 10) (0 0 0) 0 0
box 0.64921874 (5 0 4.03125) (0 0 1)
";
    assert_eq!(printed("traces"), wanted);
}

#[test]
fn entities_drop_to_the_floor() {
    let wanted = "drops 1 (8 16 0.03125) 512 box 1 (8 16 24.0312) far 0 (8 16 300) 1 below 0 (8 16 -300)\n";
    assert_eq!(printed("drops"), wanted);
}

#[test]
fn entities_that_fly_take_steps() {
    assert_eq!(printed("steps"), "steps 1 (10 0 100) 0\n");
}

#[test]
fn liquids_fill_their_places() {
    let progs = Arc::new(Progs::load(PROGS).unwrap());
    let (sender, printed) = std::sync::mpsc::channel();
    let mut environment = Environment::new(&progs, move |text: &str| drop(sender.send(text.to_owned())));
    let mut runtime = Runtime::default();
    for (top, liquid) in [(-100.0, Liquid::WATER), (-200.0, Liquid::SLIME), (-300.0, Liquid::LAVA)] {
        let layer = LiquidVolume::behind(&[(Vec3::Z, top), (-Vec3::Z, 100.0 - top)]).unwrap();
        runtime.physics_mut().add_water(layer, liquid).unwrap();
    }
    let mut machine = Machine::new(progs);
    let contents = machine.find_function(b"contents").unwrap();
    machine.call(contents, &mut VmHost { runtime: &mut runtime, environment: &mut environment }).unwrap();
    assert_eq!(printed.try_iter().collect::<String>(), " -1 -3 -4 -5");
}

#[test]
fn models_have_indexes_and_files_are_named() {
    let wanted = "\
modelnameforindex [chain.iqm] [] [] []
queryonly 1 0 []
setmodelindex [chain.iqm] 1 [] 0
shaderforname 1 2 1 0
precache [a.wav] [b] [c.wav] [d] [chain.iqm]
";
    assert_eq!(printed("indexes"), wanted);
}

#[test]
fn vectors_turn_with_a_tag() {
    // Difference 251: the tag's forward axis, the entity's up, becomes the globals' up.
    let wanted = "\
tag (0 0 0)
turned (6 14 32) (0 0 2) (2 -0 -0) (0 -2 0)
none (10 20 30)
";
    assert_eq!(printed("tags"), wanted);
}

#[test]
fn surfaces_follow_the_pose_of_their_entity() {
    // Difference 250: FTE has surfaces of levels only.
    let wanted = "\
counts 1 1 0 0
texture 1 []
same pose 1
lifted (0 0 100)
moved (0 50 100)
attributes 1 1 (0 0 0) (0 0 0) (0 0 0) (0 0 0)
normal 1 1
near 0 1 -1 (1 2 3)
";
    assert_eq!(printed("surfaces"), wanted);
}

#[test]
fn error_ends_the_script_with_its_message() {
    let (printed, outcome) = run("fail", Limits::default());
    assert_eq!(printed, "");
    let error = outcome.unwrap_err();
    assert_eq!(error.fault, Fault::Script(b"gave up at 7"[..].into()));
    assert_eq!(error.location.function, "fail");
}

#[test]
fn scripts_cannot_ask_for_ever_more_models() {
    let (_, outcome) = run("name_models", Limits::default());
    assert!(matches!(outcome.unwrap_err().fault, Fault::Script(_)));
}

fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => (-3i32..9).prop_map(|n| (n as f32).to_bits()),
        2 => prop::sample::select(vec![f32::NAN, f32::INFINITY, -f32::INFINITY, f32::MAX, f32::MIN, 1e-45, -0.0, 1e20])
            .prop_map(f32::to_bits),
        2 => 0u32..8,
        1 => any::<u32>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_arguments_give_finite_results(
        calls in prop::collection::vec(
            (
                prop::sample::select(TABLE.iter().filter(|builtin| builtin.family == Family::Engine).collect::<Vec<_>>()),
                prop::collection::vec([word(), word(), word()], 0..9),
            ),
            1..8,
        ),
        dialect in prop::sample::select(vec![Dialect::Fte, Dialect::DarkPlaces]),
    ) {
        let progs = Arc::new(Progs::load(PROGS).unwrap());
        let mut environment = Environment::new(&progs, |_| ());
        environment.dialect = dialect;
        environment.set_warn(true);
        let mut runtime = Runtime::default();
        runtime.set_files(golden);
        let mut machine = Machine::new(progs);
        let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
        for setup in ["surfaces", "tags"] {
            machine.call(machine.find_function(setup.as_bytes()).unwrap(), &mut host).unwrap();
        }
        for (builtin, arguments) in calls {
            for (number, words) in arguments.iter().enumerate() {
                machine.set_argument(number, *words);
            }
            let function = machine.find_function(builtin.name.as_bytes()).unwrap();
            if machine.call(function, &mut host).is_err() {
                continue;
            }
            let words = match builtin.signature.split('(').next().unwrap() { "float" => 1, "vector" => 3, _ => 0 };
            let result = machine.result().map(f32::from_bits);
            prop_assert!(result[..words].iter().all(|value| value.is_finite()), "{builtin:?} returned {result:?}");
        }
    }
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
        for name in ["models", "directions", "traces", "fail", "scene", "mistakes", "unknown"] {
            run_in(progs.clone(), name, limits);
        }
    }
}
