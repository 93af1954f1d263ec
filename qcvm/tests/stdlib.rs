//! Tests of the standard library: results of its builtins, and hostile arguments and progs.

use std::sync::Arc;

use proptest::prelude::*;
use skelobj_qcvm::stdlib::{
    Console, Cvars, EXTENSIONS, MessageLog, MessageReader, Mistake, StdBuiltin, StdHost, TABLE, Written, lookup,
};
use skelobj_qcvm::{Builtin, Builtins, Fault, Limits, Machine, Progs, RunError};

const PROGS: &[u8] = include_bytes!("qc/stdlib.dat");
const SOURCE: &str = include_str!("qc/stdlib.qc");

/// Host with one extension; it records printed text and reports.
#[derive(Default)]
struct Recorder {
    printed: Vec<u8>,
    mistakes: Vec<String>,
    next_map: Vec<u8>,
    cvars: Cvars,
    messages: MessageLog,
    incoming: Option<MessageReader>,
}

impl StdHost for Recorder {
    fn print(&mut self, text: &[u8]) {
        self.printed.extend_from_slice(text);
    }

    fn mistake(&mut self, _: &mut Machine, builtin: &StdBuiltin, mistake: Mistake) {
        self.mistakes.push(format!("{}: {mistake}", builtin.name));
    }

    fn change_level(&mut self, map: &[u8]) {
        self.next_map = map.to_vec();
    }

    fn has_extension(&self, name: &[u8]) -> bool {
        name.eq_ignore_ascii_case(b"OF_THE_HOST")
    }

    fn cvars(&mut self) -> Option<&mut Cvars> {
        Some(&mut self.cvars)
    }

    fn messages(&mut self) -> Option<&mut MessageLog> {
        Some(&mut self.messages)
    }

    fn incoming(&mut self) -> Option<&mut MessageReader> {
        self.incoming.as_mut()
    }
}

impl Builtins for Recorder {
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        let found = lookup(builtin.number, &builtin.name).ok_or_else(|| builtin.unknown())?;
        found.call(machine, self)
    }
}

/// Returns the text that a function of the progs prints, and its outcome.
fn run(name: &str, limits: Limits) -> (String, Result<(), RunError>) {
    let mut machine = Machine::with_limits(Arc::new(Progs::load(PROGS).unwrap()), limits);
    let function = machine.find_function(name.as_bytes()).unwrap();
    let mut host = Recorder::default();
    host.cvars.set(b"sv_gravity", b"800");
    let outcome = machine.call(function, &mut host);
    (String::from_utf8(host.printed).unwrap(), outcome)
}

fn printed(name: &str) -> String {
    let (printed, outcome) = run(name, Limits::default());
    outcome.unwrap();
    printed
}

#[test]
fn every_builtin_is_found_and_called() {
    for builtin in TABLE {
        let declared = format!(" {} = #{};", builtin.name, builtin.number);
        let body = SOURCE.split("void(float value) f =").nth(1).unwrap();
        assert!(SOURCE.contains(&declared), "{builtin:?} is not declared");
        assert!(body.contains(&format!("{}(", builtin.name)), "{builtin:?} is not called");
        let found = |number, name: &str| lookup(number, name.as_bytes()).map(|found: &StdBuiltin| found.name);
        assert_eq!(
            found(builtin.number, if builtin.number == 0 { builtin.name } else { "another" }),
            Some(builtin.name)
        );
        for name in std::iter::once(&builtin.name).chain(builtin.aliases) {
            assert_eq!(found(0, name), Some(builtin.name));
        }
    }
    assert!(TABLE.is_sorted_by(|a, b| a.number < b.number || b.number == 0));
    assert!(lookup(0, b"").is_none() && lookup(3, b"print").is_none());
}

#[test]
fn numbers_are_parsed_to_their_values() {
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
bound 1 2 3 0
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
fn vectors_and_angles_are_parsed_to_their_values() {
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
fn texts_are_parsed_to_their_values() {
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
checkextension 1 1 0
remove [entity 3] [entity 0]
setorigin (1 2 3)
dprint too
";
    assert_eq!(printed("entities"), wanted);
}

#[test]
fn console_variables_are_those_of_the_host() {
    let wanted = "\
cvar 800 0
cvar_set 0.5 [0.5x] [] [2] [0.5x] [800]
cvar_setf [2.5]
cvar_type 1 0
registercvar 0 1 7
";
    assert_eq!(printed("variables"), wanted);
}

#[test]
fn console_variables_are_limited() {
    let mut cvars = Cvars::default();
    assert!((0..9000).filter(|number| cvars.set(format!("v{number}").as_bytes(), b"1")).count() == 8192);
    assert!(!cvars.set(b"v1", &[b'x'; 5000]) && !cvars.set(&[b'x'; 5000], b""));
    assert!(cvars.set(b"v1", b"2") && cvars.float(b"v1") == 2.0);
}

#[test]
fn texts_are_compared_and_searched() {
    let wanted = "\
strcmp -1 1 0 -1
strncmp 0 -1 0 0 -1 0
strcasecmp 0 -1 0 0
strstrofs 2 3 -1 5 -1 -1
str2chr 66 65 66 0 0
chr2str [Hi] [Aabc1XYZ]
strdecolorize [ab^^c^xg^] 8 2
stoh [000001ff] [000001ff] [ffffffff] [00000000] [ffffffff] [0000000a] [00000000]
crc16 10673 17727 54835 65535 [b129] []
stoi [-12] [0] [2147483647] [-3] 300 2 4294967296 0
mod 1 -1 1.5 0
bitshift 20 5 -4 0 -1
strzone [keep this]
sprintf [b-a|  b|   a] []
";
    assert_eq!(printed("comparisons"), wanted);
}

#[test]
fn texts_are_split_into_tokens() {
    let wanted = " 11 [say] [two  words] [{] [a] [:] [b] [}] [x'y] [1] [,] [2] 41 42
 5 [bind] ['a] [b'] [c\"d] [e:f] 27 30
 4 [a] [b] [] [c] 5 6
 2 [] [] 1 1
 0 -1 -1
 1 [open] 0 5
 0 -1 -1
 [] [] -1 -1
";
    assert_eq!(printed("tokenizers"), wanted);
}

#[test]
fn entities_have_numbers_and_sizes() {
    let wanted = "\
num 0 1 [entity 1] [entity 0] [entity 0]
setsize (-16 -16 -24) (16 16 32) (32 32 56)
wasfreed 0 1 (16 16 32)
";
    assert_eq!(printed("numbered"), wanted);
}

#[test]
fn messages_are_logged_up_to_a_limit() {
    let mut machine = Machine::with_limits(
        Arc::new(Progs::load(PROGS).unwrap()),
        Limits { statements: 1_000_000, ..Limits::default() },
    );
    let mut host = Recorder::default();
    let function = machine.find_function(b"messages").unwrap();
    machine.call(function, &mut host).unwrap();
    let parts = host.messages.take();
    assert!(parts.iter().map(|part| part.destination).eq([0, 1, 2, 3, 4, 4, 5, 5, 5]));
    let wanted = [
        Written::Byte(3),
        Written::Char(-2),
        Written::Short(-25536),
        Written::Long(-70000),
        Written::Coord(12.25),
        Written::Angle(90.0),
        Written::Float(0.1),
        Written::String(b"boom".as_slice().into()),
        Written::Entity(1),
    ];
    assert!(parts.iter().map(|part| &part.written).eq(&wanted));
    let function = machine.find_function(b"write_forever").unwrap();
    assert_eq!(machine.call(function, &mut host).unwrap_err().fault, Fault::Runaway);
    assert_eq!(host.messages.parts().len(), 65_536);
    assert!(host.messages.dropped() > 0);
}

/// Runs `reads` on a message, and returns what it prints and the reader.
fn read(written: Vec<Written>) -> (String, MessageReader) {
    let mut machine = Machine::new(Arc::new(Progs::load(PROGS).unwrap()));
    let mut host = Recorder { incoming: Some(MessageReader::new(written)), ..Recorder::default() };
    let function = machine.find_function(b"reads").unwrap();
    machine.call(function, &mut host).unwrap();
    (String::from_utf8(host.printed).unwrap(), host.incoming.unwrap())
}

#[test]
fn messages_are_read_with_the_bits_of_their_types() {
    let written = vec![
        Written::Byte(250),
        Written::Char(-2),
        Written::Short(-25536),
        Written::Long(-70000),
        Written::Coord(-12.25),
        Written::Angle(-90.0),
        Written::Angle(540.0),
        Written::Float(0.5),
        Written::String(b"boom".as_slice().into()),
        Written::Entity(40_000),
        Written::String(b"".as_slice().into()),
    ];
    let (printed, reader) = read(written);
    let values = " 250 -2 -25536 -70000 -12.25 -90 -180 0.5 [boom] 40000 []";
    assert_eq!(printed, values.to_owned() + " -1 [] -1", "past the end");
    assert_eq!((reader.size(), reader.unread()), (28, 0));
    let problem = reader.problem().unwrap().to_string();
    let wanted = "readbyte reads past the end of the message, which has 28 bytes";
    assert!(problem.starts_with("stdlib.qc: reads, statement ") && problem.ends_with(wanted), "{problem}");
}

#[test]
fn a_message_that_is_read_as_something_else_has_the_bytes_that_were_written() {
    // A byte may be read as a char; the short is read as four bytes of a long, beyond its part.
    let parts = [Written::Char(-1), Written::Byte(255), Written::Short(1), Written::Coord(0.0), Written::Short(2)];
    let (printed, reader) = read(parts.to_vec());
    assert!(printed.starts_with(" 255 -1 1 0 -1 "), "{printed}");
    let problem = reader.problem().unwrap().to_string();
    assert!(problem.ends_with(": readlong reads what WriteCoord wrote"), "{problem}");
    // A text without its zero ends with the message, and two bytes are not a long.
    let (_, reader) = read(vec![Written::Short(1)]);
    assert!(reader.problem().unwrap().to_string().ends_with(": readbyte reads what WriteShort wrote"));
    assert_eq!(MessageReader::new([Written::Short(1)]).problem(), None);
}

#[test]
fn integers_travel_in_messages_with_all_their_bits() {
    let mut machine = Machine::new(Arc::new(Progs::load(PROGS).unwrap()));
    let mut host = Recorder::default();
    machine.call(machine.find_function(b"writes_integers").unwrap(), &mut host).unwrap();
    let written: Vec<_> = host.messages.take().into_iter().map(|part| part.written).collect();
    assert_eq!(written, [Written::Long(16_777_217), Written::Long(-2)]);
    host.incoming = Some(MessageReader::new(written));
    machine.call(machine.find_function(b"reads_integers").unwrap(), &mut host).unwrap();
    assert_eq!(String::from_utf8(host.printed).unwrap(), " [16777217] [-2] [-1]", "past the end");
}

#[test]
fn functions_are_called_by_their_names() {
    let wanted = "isfunction 1 1 0 0\ncallfunction 5 printed printed too 0 1\nafter 0";
    assert_eq!(printed("by_name"), wanted);
    assert_eq!(printed("calls_nothing_by_name"), "", "a function without a body");
    let fault = |name| run(name, Limits::default()).1.unwrap_err().fault;
    assert_eq!(
        fault("called_without_a_name").to_string(),
        "callfunction: the last argument must be the name of a function"
    );
    assert_eq!(fault("calls_itself"), Fault::TooDeep);
}

#[test]
fn a_builtin_that_a_host_calls_by_name_is_followed_by_its_function() {
    let mut machine = Machine::new(Arc::new(Progs::load(PROGS).unwrap()));
    let mut host = Recorder::default();
    let callfunction = machine.find_function(b"callfunction").unwrap();
    let name = machine.permanent_string(b"difference").unwrap();
    machine.set_argument(0, [3.0f32.to_bits(), 0, 0]);
    machine.set_argument(1, [1.0f32.to_bits(), 0, 0]);
    machine.set_argument(2, [name, 0, 0]);
    machine.call(callfunction, &mut host).unwrap();
    assert_eq!(machine.result_float(), 2.0);
    // Without a running builtin a request is ignored.
    machine.call_next(machine.find_function(b"calls_itself").unwrap(), 0);
    machine.call(machine.find_function(b"writes_integers").unwrap(), &mut host).unwrap();
    assert_eq!(host.messages.parts().len(), 2);
}

#[test]
fn reading_without_a_message_is_an_error() {
    let (_, outcome) = run("reads", Limits::default());
    assert_eq!(outcome.unwrap_err().fault.to_string(), "readbyte: there is no message to read");
}

#[test]
fn static_entities_are_removed() {
    assert_eq!(printed("statics"), " 1");
}

#[test]
fn splitting_texts_counts_as_statements_and_tokens_are_limited() {
    let (printed, outcome) = run("split_forever", Limits { statements: 1_000_000, ..Limits::default() });
    assert_eq!(printed, "65536");
    assert_eq!(outcome.unwrap_err().fault, Fault::Runaway);
}

#[test]
fn extensions_name_builtins_that_exist() {
    for extension in EXTENSIONS {
        assert!(!extension.builtins.is_empty(), "{}", extension.name);
        for name in extension.builtins {
            assert!(lookup(0, name.as_bytes()).is_some(), "{} names {name}", extension.name);
        }
    }
}

#[test]
fn error_ends_the_script_with_its_message() {
    let (printed, outcome) = run("fail", Limits::default());
    assert_eq!(printed, "");
    let error = outcome.unwrap_err();
    assert_eq!(error.fault, Fault::Script(b"gave up at 7"[..].into()));
    assert_eq!(error.location.function, "fail");
    let (_, outcome) = run("fails_with_a_line_end", Limits::default());
    assert_eq!(outcome.unwrap_err().fault, Fault::Script((*b"too bad").into()));
}

#[test]
fn looking_through_entities_counts_as_statements() {
    let limits = Limits { statements: 10_000, ..Limits::default() };
    assert_eq!(run("search", limits).1.unwrap_err().fault, Fault::Runaway);
}

#[test]
fn a_console_has_the_standard_library_and_nothing_else() {
    let hello = Arc::new(Progs::load(include_bytes!("../examples/hello.dat")).unwrap());
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut console = Console::new(&hello, move |text| sender.send(text.to_vec()).unwrap());
    let mut machine = Machine::new(hello);
    let main = machine.find_function(b"main").unwrap();
    machine.call(main, &mut console).unwrap();
    assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [b"Hello from QuakeC: 3628800\n"]);

    let core = Arc::new(Progs::load(include_bytes!("qc/core.dat")).unwrap());
    let mut console = Console::new(&core, |_| {});
    let mut machine = Machine::new(core.clone());
    let unknown = core.builtins().iter().find(|builtin| builtin.number == 3).unwrap();
    let fault = machine.call(unknown.function, &mut console).unwrap_err().fault;
    assert_eq!(fault, unknown.unknown());
}

/// Calls one builtin with these arguments and returns its result, `None` if it failed.
fn call(host: &mut Recorder, name: &str, arguments: &[[u32; 3]]) -> Option<[f32; 3]> {
    let mut machine = Machine::new(Arc::new(Progs::load(PROGS).unwrap()));
    let function = machine.find_function(name.as_bytes()).unwrap();
    for (number, words) in arguments.iter().enumerate() {
        machine.set_argument(number, *words);
    }
    machine.call(function, host).ok()?;
    Some(machine.result().map(f32::from_bits))
}

#[test]
fn non_finite_numbers_count_as_0_and_are_reported_to_the_host() {
    let mut host = Recorder::default();
    let nan = [f32::NAN.to_bits(), 0, 0];
    assert_eq!(call(&mut host, "cos", &[nan]).unwrap()[0], 1.0);
    assert_eq!(call(&mut host, "vlen", &[[3f32.to_bits(), f32::INFINITY.to_bits(), 4f32.to_bits()]]).unwrap()[0], 5.0);
    assert_eq!(call(&mut host, "floor", &[[2.5f32.to_bits(), nan[0], 0]]).unwrap()[0], 2.0);
    let reported = ["cos", "vlen"].map(|name| format!("{name}: a non-finite number was treated as 0"));
    assert_eq!(host.mistakes, reported);
}

/// Runs a function of the progs, whose checksum may be another. Returns what it prints, and its mistakes.
fn mistakes(name: &str, crc: u32) -> (String, Vec<String>) {
    let mut bytes = PROGS.to_vec();
    bytes[4..8].copy_from_slice(&crc.to_le_bytes());
    let mut machine = Machine::new(Arc::new(Progs::load(&bytes).unwrap()));
    let mut host = Recorder::default();
    machine.call(machine.find_function(name.as_bytes()).unwrap(), &mut host).unwrap();
    (String::from_utf8(host.printed).unwrap(), host.mistakes)
}

#[test]
fn mistakes_are_reported_and_the_script_goes_on() {
    let (printed, mistakes) = mistakes("mistaken", 0);
    assert_eq!(printed, " 1 1 [] [] [<>] [<    >] 0 [] 1");
    let wanted = [
        "makestatic: 0 arguments, expected 1: the others are what the last call left",
        "strlen: 0 arguments, expected 1: the others are what the last call left",
        "fabs: 0 arguments, expected 1: the others are what the last call left",
        "remove: the entity is the world, which stays as it is",
        "makestatic: the entity is the world, which stays as it is",
        "sprintf: 0x40a00000 is not a string, an empty text is in its place",
        "sprintf: 0x40a00000 is not a string, an empty text is in its place",
        "mod: the divisor is 0, the result is 0",
        "fclose: no open file has this number",
        "fclose: no open file has this number",
        "fputs: no open file has this number",
        "fgets: no open file has this number",
    ];
    assert_eq!(mistakes, wanted);
}

#[test]
fn empty_texts_begin_no_joined_text_and_half_is_not_backward() {
    assert_eq!(printed("empty_texts"), " [a2,C] [C,a2] [C,,b]");
}

#[test]
fn entities_are_found_in_chains() {
    let wanted = "radius 4 2 0, 1 0\nchain 3 2 0\nthrough next 3 2 0, float 4 0, flags 3 1 0, after 3 0\n";
    assert_eq!(printed("chains"), wanted);
}

#[test]
fn boxes_of_entities_follow_their_origins_and_sizes() {
    let wanted = "origin (-1 -1 -1) (1 1 1)\nsize (-7 -7 -1) (25 25 33)\nitem (-21 -21 0) (39 39 32)\n\
        copy (-21 -21 0) (39 39 32) 2 1, world 0\n";
    assert_eq!(printed("boxes"), wanted);
}

#[test]
fn entities_turn_and_notice_players() {
    let wanted = "turns 20 350 20, from 0 to 180: 20, angles 350 0 1\nclient 0 1 0 0\naim (0 1 0)\n";
    assert_eq!(printed("monsters"), wanted);
}

#[test]
fn errors_of_objects_and_fields_are_printed() {
    let wanted = "error of entity 1 (door): no target\n 1\nerror of entity 0 (): still there\n 0\n\
        entity 2\n  origin '1 2 3'\n  classname light\n  health 50\n  absmin '0 1 2'\n  absmax '2 3 4'\n";
    assert_eq!(printed("objects"), wanted);
}

#[test]
fn a_change_of_the_level_reaches_the_host() {
    let mut host = Recorder::default();
    let name = |machine: &mut Machine| machine.find_function(b"changes_level").unwrap();
    let mut machine = Machine::new(Arc::new(Progs::load(PROGS).unwrap()));
    let function = name(&mut machine);
    machine.call(function, &mut host).unwrap();
    assert_eq!((host.next_map.as_slice(), host.printed.as_slice()), (&b"e1m2"[..], &b"goes on"[..]));
}

#[test]
fn a_quakeworld_message_has_a_level_before_its_texts() {
    assert_eq!(mistakes("of_quakeworld", 54730), ("all one centre\n".to_owned(), vec![]));
}

fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => (-3i32..9).prop_map(|n| (n as f32).to_bits()),
        2 => prop::sample::select(vec![f32::NAN, f32::INFINITY, -f32::INFINITY, f32::MAX, f32::MIN, 1e-45, -0.0, 1e20])
            .prop_map(f32::to_bits),
        2 => 0u32..64,
        1 => any::<u32>(),
    ]
}

proptest! {
    #[test]
    fn any_arguments_give_finite_results(
        builtin in prop::sample::select(TABLE.to_vec()),
        arguments in prop::collection::vec([word(), word(), word()], 0..9),
    ) {
        let result = call(&mut Recorder::default(), builtin.name, &arguments);
        if let Some(result) = result {
            let kind = builtin.signature.split('(').next().unwrap();
            let words = match kind { "float" => 1, "vector" => 3, _ => 0 };
            prop_assert!(result[..words].iter().all(|value| value.is_finite()), "{builtin:?} returned {result:?}");
        }
    }

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
        for name in ["numbers", "vectors", "texts", "formats", "entities", "fail", "tokenizers", "comparisons", "messages"] {
            let mut machine = Machine::with_limits(progs.clone(), limits);
            if let Some(function) = machine.find_function(name.as_bytes()) {
                let _ = machine.call(function, &mut Recorder::default());
            }
        }
    }
}
