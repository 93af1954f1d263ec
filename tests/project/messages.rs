//! Names from files and calls neither break nor turn the line of a message.
#![cfg(all(feature = "qcvm", feature = "serde"))]

use std::sync::Arc;

use skelobj::doll::{Doll, DollProblem};
use skelobj::model::{ModelProblem, Name, PlayerError};
use skelobj::object::{ObjectError, Space};
use skelobj::pose::PosingError;
use skelobj::qc::vm::stdlib::Written;
use skelobj::qc::vm::{Fault, Machine, Progs, ProgsError, RunError};
use skelobj::qc::{Environment, ScriptCall, ScriptWarning, VmHost};
use skelobj::ragdoll::{Command, MatchError};
use skelobj::runtime::{BonesError, LoadModelError, ObjectInfo, RagdollCommandError, SnapshotError, Warning};
use skelobj::write::WriteError;
use skelobj::{Model, Runtime};

#[test]
fn one_and_none_are_not_many() {
    let outside = |min, max| ModelProblem::OutOfRange { field: "mesh", found: 9, min, max }.to_string();
    let past = |needed, available| ModelProblem::PastEnd { needed, available }.to_string();
    for (told, expected) in [
        (past(12, 1), "needs 12 bytes, but only 1 is left"),
        (past(1, 0), "needs 1 byte, but only 0 are left"),
        (outside(0, 3), "mesh is 9, expected 0 to 3"),
        (outside(-1, -1), "mesh is 9, expected -1"),
        (outside(0, -3), "mesh is 9, where no number is possible"),
        (
            ObjectError::TooShort { needed: 2, found: 1 }.to_string(),
            "the output has room for 1 matrix, expected 2, one for each bone",
        ),
        (
            ObjectError::TooLong { bones: 0, found: 1 }.to_string(),
            "the pose has 1 matrix, expected 0 at most, one for each bone",
        ),
        (PosingError::NotTwoBones { found: 1 }.to_string(), "the chain has 1 bone, expected 2, separated by a comma"),
        (PosingError::NotThreeBones { found: 1 }.to_string(), "the limb has 1 bone, expected 3, separated by commas"),
        (BonesError::BoneCount { expected: 2, found: 1 }.to_string(), "the message has 1 bone, the model has 2"),
        (BonesError::Length { expected: 3, found: 1 }.to_string(), "the message has 1 byte, expected 3"),
    ] {
        assert_eq!(told, expected);
    }
}

/// Name that breaks a line and turns what follows it.
const HOSTILE: &str = "a\n\u{202e}b";
const LIST: &str = include_str!("../../docs/public-api.txt");

/// Messages by the path of their variant, or of the field that holds the name.
struct Messages(Vec<(&'static str, String)>);

macro_rules! add {
    ($messages:ident, $start:literal, $($type:ident::$variant:ident $fields:tt),* $(,)?) => {$(
        let error = $type::$variant $fields;
        $messages.0.push((concat!($start, stringify!($type), "::", stringify!($variant)), error.to_string()));
    )*};
}

fn of_models(messages: &mut Messages) {
    let (text, name) = (|| HOSTILE.to_owned(), || Name::from(HOSTILE));
    add!(
        messages,
        "skelobj::model::",
        ModelProblem::Json { reason: name() },
        ModelProblem::OutOfReach { what: "bone", name: name() },
        ModelProblem::SideFile { name: name() },
        ModelProblem::UnexpectedText { expected: "b", found: name() },
        ModelProblem::UnsupportedClass { name: name() },
        ModelProblem::UnsupportedExtension { name: name() },
        PlayerError::NotPlainPath { folder: text() },
    );
    add!(
        messages,
        "skelobj::pose::",
        PosingError::BadEntry { entry: name(), expected: "a bone" },
        PosingError::NoBoneNamed { name: name(), suggestion: None },
        PosingError::NoBoneNamed { name: Name::from("a"), suggestion: Some(name()) },
    );
    add!(messages, "skelobj::write::", WriteError::OutOfReach { bone: name() });
}

fn of_the_runtime(messages: &mut Messages) {
    let (text, name) = (|| HOSTILE.to_owned(), || Name::from(HOSTILE));
    let error = Model::load("a", b"", |_| None).unwrap_err();
    add!(messages, "skelobj::ragdoll::", MatchError::NoSuchBone(name()));
    add!(
        messages,
        "skelobj::runtime::",
        LoadModelError::CannotRead { name: text(), reason: text() },
        LoadModelError::NoSuchFile { name: text() },
        LoadModelError::NotPlainPath { name: text() },
        LoadModelError::Unreadable { name: text(), error },
        RagdollCommandError::CannotRead { file: text(), reason: text() },
        RagdollCommandError::NoDoll { asked_for: Some(Arc::new([text(), text()])) },
        RagdollCommandError::NoSuchBody { name: name(), suggestion: None },
        RagdollCommandError::NoSuchFile(text()),
        RagdollCommandError::NoSuchJoint { name: name(), suggestion: None },
        RagdollCommandError::NotPlainPath(text()),
        SnapshotError::MissingModel { name: text() },
        SnapshotError::OtherModel { name: text(), expected: 1, found: 2 },
        SnapshotError::OtherVersion { found: text(), expected: text() },
        Warning::CannotRead { file: text(), reason: text() },
        Warning::Doll { file: text(), problem: doll_problem() },
        Warning::DollReloadFailed { file: text() },
        Warning::NotPlainPath { file: text() },
    );
    let unknown = Command::parse("a\u{202e}b 3").unwrap_err();
    messages.0.push(("skelobj::ragdoll::UnknownCommand.word", unknown.to_string()));
    messages.0.push(("skelobj::runtime::ObjectInfo.model", object_info().to_string()));
}

fn of_scripts(messages: &mut Messages) {
    let text = || HOSTILE.to_owned();
    add!(
        messages,
        "skelobj_qcvm::",
        Fault::UnknownBuiltin { number: 7, name: HOSTILE.as_bytes().into() },
        Fault::Overtime { function: HOSTILE.as_bytes().into(), took: std::time::Duration::from_secs(9) },
        ProgsError::Jump { statement: 1, function: text(), target: 2, limit: 3 },
        ProgsError::Opcode { statement: 1, function: text(), opcode: 2 },
        ProgsError::Operand { statement: 1, function: text(), opcode: 2, operand: 3, limit: 4 },
    );
    add!(messages, "skelobj_qcvm::stdlib::", Written::String(HOSTILE.as_bytes().into()));
    let (warning, call, error) = script();
    messages.0.push(("skelobj::qc::ScriptCall.builtin", call.to_string()));
    messages.0.push(("skelobj::qc::ScriptCall.arguments", call.to_string()));
    messages.0.push(("skelobj::qc::ScriptCall.results", call.to_string()));
    messages.0.push(("skelobj::qc::ScriptWarning.builtin", warning.to_string()));
    messages.0.push(("skelobj::qc::ScriptWarning.arguments", warning.to_string()));
    messages.0.push(("skelobj_qcvm::Location.file", error.location.to_string()));
    messages.0.push(("skelobj_qcvm::Location.function", error.to_string()));
}

/// Returns the problem of a doll with a hostile word.
fn doll_problem() -> DollProblem {
    Doll::parse("a\r\u{202e}b 1\n".as_bytes()).problems.remove(0)
}

/// Returns the description of an object whose model has the hostile name.
fn object_info() -> ObjectInfo {
    let mut runtime = Runtime::default();
    let model = runtime.add_model(HOSTILE, skelobj::assets::mannequin()).unwrap();
    runtime.create_object(model, Space::Local).unwrap();
    runtime.object_infos().remove(0)
}

/// Runs a script whose file, function and builtin have hostile names; returns its warning, the traced call, and its
/// error if unknown builtins are errors.
fn script() -> (ScriptWarning, ScriptCall, RunError) {
    let mut bytes = include_bytes!("../qc/everyday.dat").to_vec();
    let function = "u\n\u{202e}fn";
    for (from, to) in
        [("everyday.qc", "a\n\u{202e}day.qc"), ("unknown", function), ("draw_the_moon", "a\n\u{202e}the_moon")]
    {
        assert_eq!(from.len(), to.len());
        let from = [&[0], from.as_bytes(), &[0]].concat();
        // Names of functions are those of globals, too.
        let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&from)).collect();
        assert!(!places.is_empty());
        places.iter().for_each(|at| bytes[at + 1..at + 1 + to.len()].copy_from_slice(to.as_bytes()));
    }
    let progs = Arc::new(Progs::load(&bytes).unwrap());
    let run = |strict| {
        let mut environment = Environment::new(&progs, |_| ());
        environment.strict = strict;
        let (sender, calls) = std::sync::mpsc::channel();
        environment.set_trace(|_| true, move |call| drop(sender.send(call.clone())));
        let mut machine = Machine::new(progs.clone());
        let function = machine.find_function(function.as_bytes()).unwrap();
        let outcome =
            machine.call(function, &mut VmHost { runtime: &mut Runtime::default(), environment: &mut environment });
        (environment.take_warnings(), calls.recv().unwrap(), outcome)
    };
    let (mut warnings, call, _) = run(false);
    (warnings.remove(0), call, run(true).2.unwrap_err())
}

/// Returns the paths of the public variants and fields that hold a name or text and belong to a type that is printed.
fn printed_names() -> Vec<&'static str> {
    let printed = |path: &str| LIST.lines().any(|line| line == format!("impl Display for {path}"));
    let holds = |line: &str| {
        ["String", "Name", "Vec<u8>", "[u8]"].iter().any(|held| {
            line.split(|c: char| !(c.is_alphanumeric() || "<>[]_".contains(c))).any(|word| word.contains(held))
        })
    };
    let variants = LIST.lines().filter_map(|line| line.strip_prefix("variant ")).filter_map(|line| {
        let end = line.find([' ', '('])?;
        let (path, held) = line.split_at(end);
        (printed(path.rsplit_once("::")?.0) && holds(held)).then_some(path)
    });
    let fields = LIST.lines().filter_map(|line| line.strip_prefix("field ")).filter_map(|line| {
        let (path, held) = line.split_once(": ")?;
        (printed(path.rsplit_once('.')?.0) && holds(held)).then_some(path)
    });
    // What a script itself says is its own.
    variants.chain(fields).filter(|path| *path != "skelobj_qcvm::Fault::Script").collect()
}

#[test]
fn names_of_files_and_bones_stay_on_the_line_of_a_message() {
    let mut messages = Messages(Vec::new());
    of_models(&mut messages);
    of_the_runtime(&mut messages);
    of_scripts(&mut messages);
    for (path, message) in &messages.0 {
        assert!(message.contains('\u{fffd}'), "{path}: {message:?}");
        assert!(!message.contains(|c: char| c.is_control() || c == '\u{202e}'), "{path}: {message:?}");
    }
    let missing: Vec<_> =
        printed_names().into_iter().filter(|path| messages.0.iter().all(|(at, _)| at != path)).collect();
    assert_eq!(missing, [""; 0], "printed names without a message here");
    assert!(printed_names().len() > 30);
}

/// The machine does not depend on skelobj and has the same rules of its own.
#[test]
fn the_machine_shows_names_as_models_do() {
    for c in ('\u{1}'..='\u{ffff}').chain(['\u{1f600}', '\u{e0001}']) {
        let name = Name::new(format!("a{c}b").as_bytes());
        let fault = Fault::UnknownBuiltin { number: 0, name: name.as_bytes().into() };
        assert_eq!(fault.to_string(), format!("unknown builtin \"{name}\""), "{c:?}");
    }
    let fault = Fault::UnknownBuiltin { number: 0, name: (*b"h\xe9ros\xe9").into() };
    assert_eq!(fault.to_string(), format!("unknown builtin \"{}\"", Name::new(b"h\xe9ros\xe9")));
}
