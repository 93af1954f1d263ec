//! Blocks of memory, tables, buffers and files of scripts, and the builtins of an engine without a screen.

use std::collections::BTreeMap;
use std::sync::Arc;

use skelobj_qcvm::stdlib::{Mistake, StdBuiltin, StdHost, lookup};
use skelobj_qcvm::{Builtin, Builtins, Fault, Limits, Machine, Progs, RunError};

const PROGS: &[u8] = include_bytes!("qc/stdlib.dat");

/// Region of host memory, three words.
const REGION: u32 = 5;

/// Host with files and memory.
#[derive(Default)]
struct Game {
    printed: Vec<u8>,
    files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Names of the files that were asked for, and of those that were read.
    asked: Vec<Vec<u8>>,
    read: Vec<Vec<u8>>,
    /// Size of a file that there is not room for, if there is one.
    huge: Option<u64>,
    mistakes: Vec<Mistake>,
    memory: [u32; 3],
}

impl StdHost for Game {
    fn print(&mut self, text: &[u8]) {
        self.printed.extend_from_slice(text);
    }

    fn read_file(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        self.read.push(name.to_vec());
        self.files.get(name).cloned()
    }

    fn file_size(&mut self, name: &[u8]) -> Option<u64> {
        self.asked.push(name.to_vec());
        self.huge.filter(|_| name == b"huge").or_else(|| Some(self.files.get(name)?.len() as u64))
    }

    fn mistake(&mut self, _: &mut Machine, _: &StdBuiltin, mistake: Mistake) {
        self.mistakes.push(mistake);
    }

    fn write_file(&mut self, name: &[u8], contents: &[u8]) {
        self.files.insert(name.to_vec(), contents.to_vec());
    }

    fn entity_text(&self) -> &[u8] {
        b"{\n\"classname\" \"worldspawn\"\n\"message\" \"\"\n}\n{\n\"classname\" \"light\"\n}\n"
    }

    fn file_names(&mut self) -> Vec<Box<[u8]>> {
        self.files.keys().map(|name| name.as_slice().into()).collect()
    }

    fn read_memory(&mut self, region: u32, offset: u32) -> Option<u32> {
        self.memory.get(offset as usize / 4).copied().filter(|_| region == REGION)
    }

    fn write_memory(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        *self.memory.get_mut(offset as usize / 4).filter(|_| region == REGION)? = bits;
        Some(())
    }
}

impl Builtins for Game {
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        let found = lookup(builtin.number, &builtin.name).ok_or_else(|| builtin.unknown())?;
        found.call(machine, self)
    }
}

/// Machine with its host.
struct Session {
    game: Game,
    machine: Machine,
}

impl Session {
    fn new() -> Self {
        Self::with(Limits::default())
    }

    fn with(limits: Limits) -> Self {
        let mut game = Game::default();
        for (name, text) in [("list.txt", "first\r\n\nlast"), ("maps/e1m1.bsp", ""), ("maps/e1/deep.bsp", "")] {
            game.files.insert(name.into(), text.into());
        }
        Self { game, machine: Machine::with_limits(Arc::new(Progs::load(PROGS).unwrap()), limits) }
    }

    fn run(&mut self, name: &str) -> Result<(), RunError> {
        let function = self.machine.find_function(name.as_bytes()).unwrap();
        self.machine.call(function, &mut self.game)
    }

    /// Calls a builtin with arguments of one word; returns its result.
    fn call(&mut self, name: &str, arguments: &[u32]) -> Result<u32, Fault> {
        for (number, word) in arguments.iter().enumerate() {
            self.machine.set_argument(number, [*word, 0, 0]);
        }
        self.run(name).map_err(|error| error.fault)?;
        Ok(self.machine.result()[0])
    }

    fn printed(&self) -> &str {
        std::str::from_utf8(&self.game.printed).unwrap()
    }
}

/// Returns what a function prints.
fn printed(name: &str) -> String {
    let mut session = Session::new();
    session.run(name).unwrap();
    session.printed().to_owned()
}

fn fault(name: &str) -> Fault {
    Session::new().run(name).unwrap_err().fault
}

#[test]
fn blocks_are_allocated_copied_and_freed() {
    let wanted = "\
zeros 0 0
values 2.5 -1
copied 2.5 -1
compared 0 1
moved 0 2.5
filled 0 0
grown 7 0
size 4";
    let mut session = Session::new();
    session.run("memory_blocks").unwrap();
    assert_eq!(session.printed(), wanted);
    assert_eq!(session.machine.memory_usage(), 0, "all was freed");
}

#[test]
fn memory_that_is_not_allocated_is_no_memory() {
    for name in ["memory_used_after_free", "memory_freed_twice", "memory_beyond_the_end"] {
        assert!(matches!(fault(name), Fault::BadPointer { .. }), "{name}: {:?}", fault(name));
    }
    assert_eq!(fault("memory_of_no_size").to_string(), "memalloc: -1 is not a number of bytes");
    assert_eq!(fault("memory_for_ever"), Fault::NoMemory);

    let mut session = Session::new();
    let block = session.call("memalloc", &[8]).unwrap();
    session.call("memfill8", &[block, 0x11, 8]).unwrap();
    assert!(session.call("memfill8", &[block, 0x22, 12]).is_err());
    assert_eq!(session.call("memgetval", &[block, 0]), Ok(0x1111_1111), "nothing of a fill that fails is done");
    let [between, source] = [(); 2].map(|()| session.call("memalloc", &[12]).unwrap());
    session.call("memfree", &[between]).unwrap();
    assert!(session.call("memgetval", &[block, 8f32.to_bits()]).is_err(), "between two blocks");
    assert!(session.call("memcpy", &[block, source, 12]).is_err());
    assert_eq!(session.call("memgetval", &[block, 0]), Ok(0x1111_1111), "nor of a copy");
    for odd in [f32::NAN, 0.5, 3e9] {
        let result = session.call("memptradd", &[block, odd.to_bits()]);
        assert_eq!(result.is_err(), !odd.is_nan(), "{odd}");
    }
    // Literals of the progs are read, not written.
    let text = session.machine.permanent_string(b"text").unwrap();
    session.call("memcpy", &[block, text, 5]).unwrap();
    assert_eq!(session.call("memgetval", &[block, 0]), Ok(u32::from_le_bytes(*b"text")));
    assert!(session.call("memcpy", &[block, text, 6]).is_err(), "a text ends with its 0");
    assert!(session.call("memcpy", &[text, block, 4]).is_err());
    assert!(session.call("memcpy", &[4, block, 4]).is_err());
}

#[test]
fn freed_room_is_used_again_and_is_zero() {
    let limits = Limits { memory_bytes: 4096, ..Limits::default() };
    let mut session = Session::with(limits);
    let blocks: Vec<u32> = (0..4).map(|_| session.call("memalloc", &[900]).unwrap()).collect();
    assert_eq!(session.call("memalloc", &[900]), Err(Fault::NoMemory));
    session.call("memfill8", &[blocks[1], 0xff, 900]).unwrap();
    session.call("memfree", &[blocks[1]]).unwrap();
    let again = session.call("memalloc", &[900]).unwrap();
    assert_eq!(again, blocks[1]);
    assert_eq!(session.call("memgetval", &[again, 0]), Ok(0));
    session.call("memfree", &[0]).unwrap();
    assert!(session.call("memfree", &[blocks[0] + 4]).is_err(), "a block is freed by its beginning");
}

#[test]
fn the_hosts_memory_is_copied_as_the_scripts_own() {
    let mut session = Session::new();
    session.game.memory = [1, 2, 3];
    let address = session.machine.map_host(REGION, 12).unwrap();
    let block = session.call("memalloc", &[12]).unwrap();
    session.call("memcpy", &[block, address, 12]).unwrap();
    assert_eq!(session.call("memgetval", &[block, 8f32.to_bits()]), Ok(3));
    session.call("memfill8", &[address, 0, 4]).unwrap();
    assert_eq!(session.game.memory, [0, 2, 3]);
    assert!(session.call("memcpy", &[block, address, 16]).is_err());
}

#[test]
fn bytes_are_copied_from_and_to_any_place() {
    let mut session = Session::new();
    let block = session.call("memalloc", &[16]).unwrap();
    let text = session.machine.permanent_string(b"abcdefghi").unwrap();
    for (length, place) in (0..9).flat_map(|length| (0..5).map(move |place| (length, place))) {
        session.call("memfill8", &[block, 0x2e, 16]).unwrap();
        session.call("memcpy", &[block + place, text, length]).unwrap();
        let mut wanted = [b'.'; 16];
        wanted[place as usize..][..length as usize].copy_from_slice(&b"abcdefghi"[..length as usize]);
        let words: Vec<u8> = (0..4u32)
            .flat_map(|word| session.call("memgetval", &[block, (4.0 * word as f32).to_bits()]).unwrap().to_le_bytes())
            .collect();
        assert_eq!(words, wanted, "{length} bytes to {place}");
        let other = session.call("memalloc", &[16]).unwrap();
        session.call("memcpy", &[other, block + place, length]).unwrap();
        assert_eq!(session.call("memcmp", &[other, text, length]), Ok(0), "{length} bytes from {place}");
    }
}

#[test]
fn texts_in_blocks_are_not_collected() {
    assert_eq!(printed("memory_kept_strings"), " [kept text]");
    let mut session = Session::new();
    let block = session.call("memalloc", &[4]).unwrap();
    let [kept, lost] = [b"kept", b"lost"].map(|text| session.machine.temporary_string(text).unwrap());
    session.call("memsetval", &[block, 0, kept]).unwrap();
    session.call("memptradd", &[0, 0, 0]).unwrap();
    session.machine.collect_strings();
    assert_eq!(session.machine.string(kept), Ok(&b"kept"[..]));
    assert!(session.machine.string(lost).is_err());
}

#[test]
fn tables_keep_values_by_name() {
    let mut session = Session::new();
    let error = session.run("tables").unwrap_err();
    let wanted = "\
found [progs/ogre.mdl] [another] [none]
replaced [new] [none]
added [newest] [new] [none] [none]
keys [Ogre] [ogre] []
deleted [newest] [new] []
empty [none]
game [kept] [gone]";
    assert_eq!(session.printed(), wanted);
    assert_eq!(error.fault.to_string(), "hash_get: no table 2");
    // The last entry takes the place of one that is removed.
    let mut session = Session::new();
    let table = session.call("hash_createtab", &[0, 1f32.to_bits()]).unwrap();
    let names = ["a", "b", "c", "d"].map(|name| session.machine.permanent_string(name.as_bytes()).unwrap());
    for name in names {
        session.call("hash_add", &[table, name, name]).unwrap();
    }
    session.call("hash_delete", &[table, names[0]]).unwrap();
    session.call("hash_delete", &[table, names[3]]).unwrap();
    for (number, text) in [(1, &b"b"[..]), (2, b"c"), (3, b"")] {
        let found = session.call("hash_get", &[table, names[number]]).unwrap();
        assert_eq!(session.machine.string(found), Ok(text));
    }
    let mut numbers = Session::new();
    let table = numbers.call("hash_createtab", &[16f32.to_bits()]).unwrap();
    let name = numbers.machine.permanent_string(b"origin").unwrap();
    for (number, words) in [[table, 0, 0], [name, 0, 0], [1, 2, 3]].into_iter().enumerate() {
        numbers.machine.set_argument(number, words);
    }
    numbers.run("hash_add").unwrap();
    numbers.call("hash_get", &[table, name]).unwrap();
    assert_eq!(numbers.machine.result(), [1, 2, 3], "a vector, the default type");
}

#[test]
fn buffers_keep_texts_by_place() {
    let wanted = "\
new 0 -1 -1
set 4 [dog] [] []
added 0 4 -1
joined [cat, dog, ant]
sorted [ant cat dog] 3
backward [dog cat ant]
prefix [ant cat dog dab]
freed [cat dog dab] 4 0
far 5
gone -1 [bee cat dog dab]";
    assert_eq!(printed("buffers"), wanted);
    assert_eq!(fault("texts_for_ever"), Fault::NoMemory);
}

#[test]
fn files_are_read_written_and_searched_inside_their_folder() {
    let mut session = Session::new();
    session.run("files").unwrap();
    let wanted = "\
lines 1000 [first] [] 0 [last]
place 12 12 [first]
whole [first\r\n\nlast] []
refused -1 -1 -1 -1 -1 -1 -1 -1
written 0 [] 1 0 [one] [two] [three] []
bytes 3 11 0 3 3
search 2 [list.txt] [new.txt] [] 0 -1 [maps/e1m1.bsp] 1
packs 0 0";
    assert_eq!(session.printed(), wanted);
    let asked = |name: &[u8]| session.game.asked.iter().any(|asked| asked == name);
    assert!(asked(b"none.txt") && !asked(b"../list.txt") && !asked(b"/list.txt") && !asked(b"../new.txt"));
    assert_eq!(session.game.files[&b"new.txt"[..]], b"one\ntwo\nthree\n");
    assert_eq!(session.game.files[&b"bytes.bin"[..]], b"on", "what was read from the second byte on, cut to two");
    assert!(!session.game.files.contains_key(&b"left.txt"[..]));
    session.machine.close_files(&mut session.game);
    assert_eq!(session.game.files[&b"left.txt"[..]], b"left open");
}

#[test]
fn files_and_their_contents_are_limited() {
    assert_eq!(printed("files_for_ever"), " 256");
    let mut session = Session::with(Limits { memory_bytes: 1000, ..Limits::default() });
    session.game.files.insert(b"large".to_vec(), vec![0; 2000]);
    let name = session.machine.permanent_string(b"large").unwrap();
    assert_eq!(session.call("fopen", &[name, 0]), Err(Fault::NoMemory));
}

#[test]
fn the_size_of_a_file_is_known_before_it_is_read() {
    let mut session = Session::new();
    session.game.files.insert(b"large".to_vec(), vec![b'x'; 100_000]);
    for size in [1 << 26, 1 << 32, u64::MAX] {
        session.game.huge = Some(size);
        let [huge, large] = [&b"huge"[..], b"large"].map(|name| session.machine.permanent_string(name).unwrap());
        assert_eq!(session.call("fexists", &[huge]), Ok(1f32.to_bits()));
        assert_eq!(session.call("fexists", &[large]), Ok(1f32.to_bits()));
        assert!(session.machine.spent() < 2000, "nothing is read: {}", session.machine.spent());
        let before = session.machine.memory_usage();
        assert!(matches!(session.call("fopen", &[huge, 0]), Err(Fault::NoMemory | Fault::Runaway)));
        assert_eq!(session.machine.memory_usage(), before);
        assert!(session.game.read.is_empty());
    }
    let large = session.machine.permanent_string(b"large").unwrap();
    let before = session.machine.memory_usage();
    let file = session.call("fopen", &[large, 0]).unwrap();
    let used = session.machine.memory_usage() - before;
    assert!((100_000..101_000).contains(&used) && session.machine.spent() >= 100_000 / 4, "{used}");
    session.call("fclose", &[file]).unwrap();
    assert_eq!((session.machine.memory_usage(), session.game.read.len()), (before, 1));
}

#[test]
fn names_that_are_no_files_everywhere_are_refused_by_name() {
    let long = "a".repeat(129);
    for (reason, names) in [
        ("a name is UTF-8", &["caf\u{e9}"][..]),
        ("a name has at most 128 bytes", &[&long]),
        (
            "no control characters and none of",
            &["c:list.txt", "a\\b", "what?", "*", "a|b", "a\u{7f}", "a\u{85}b", "\n"],
        ),
        ("no part of a name is empty", &["", "a//b", "/list.txt", "maps/"]),
        ("begins with a dot or a hyphen", &[".", "..", "../x", ".git/config", "a/.b", "-rf", "a/-x", "-"]),
        ("ends with a dot or a space", &["a.", "a /b", "maps./x"]),
        (
            "is a device of Windows",
            &["nul", "NUL.txt", "a/con", "Com1.cfg", "lpt9 .x", "aux.a.b", "conout$", "com\u{b2}"],
        ),
    ] {
        for name in names {
            let latin: Vec<u8> = name.chars().map(|c| c as u8).collect();
            let bytes = if reason.ends_with("UTF-8") { &latin } else { name.as_bytes() };
            let mut session = Session::new();
            session.game.files.insert(bytes.to_vec(), b"here".to_vec());
            let text = session.machine.permanent_string(bytes).unwrap();
            for mode in [0f32, 1.0, 2.0, 4.0] {
                assert_eq!(session.call("fopen", &[text, mode.to_bits()]), Ok((-1f32).to_bits()), "{name:?}");
            }
            assert_eq!(session.call("fexists", &[text]), Ok(0), "{name:?}");
            assert_eq!(session.call("whichpack", &[text]), Ok(0), "{name:?}");
            assert!(session.game.asked.is_empty() && session.game.read.is_empty(), "{name:?}");
            let told: Vec<String> = session.game.mistakes.iter().map(ToString::to_string).collect();
            assert!(told.len() == 6 && told.iter().all(|told| told.contains(reason)), "{name:?}: {told:?}");
            let all = session.machine.permanent_string(b"*").unwrap();
            session.call("search_begin", &[all, 0, 0]).unwrap();
            assert_eq!(session.call("search_getsize", &[0]), Ok(1f32.to_bits()), "{name:?} is not found, list.txt is");
        }
    }
    for name in ["null.txt", "com10", "console.log", "a-b.c.d", "maps/e1m1.ent", "lpt", "caf\u{e9}", "com", "a b"] {
        let mut session = Session::new();
        let text = session.machine.permanent_string(name.as_bytes()).unwrap();
        let file = session.call("fopen", &[text, 2f32.to_bits()]).unwrap();
        session.call("fclose", &[file]).unwrap();
        assert_eq!((session.call("fexists", &[text]), session.game.mistakes.len()), (Ok(1f32.to_bits()), 0), "{name}");
    }
}

#[test]
fn an_engine_without_a_screen_answers() {
    let wanted = "\
time 2.5 2.5
globals 3 3 0 0 4
keys [] 2 0
prints all of it one middle
screen 32 64 [gfx/x] 0 (0 0 0) 0 0 0 0 0 0
none [] -1 0 0 [] 0 [] 0 2 0 0
known 1 1 0 0";
    assert_eq!(printed("of_the_engine"), wanted);
}

#[test]
fn the_entities_of_the_map_are_read_by_token() {
    let wanted = " [{] [classname] [worldspawn] [message] [] [}] [{] [classname] [light] [}]";
    assert_eq!(printed("map_entities"), format!("{wanted}{} [{{]", " []".repeat(10)));
}

#[test]
fn texts_are_replaced_padded_and_quoted() {
    let wanted = r#"replaced [bbbnbbnbb] [banana] [ba] [banana] [aa]
padded [cat   ] [   cat] [cat]
cased [cat 9] [CAT]
codes ( 225 177 160 ) ( 97 49 32 ) ( 19 ) ( 147 ) ( 225 98 ) ( 97 226 ) ( 10 )
info [red] [] [\name\ranger\team\red] [\team\red\name\ogre] [] [\name\ranger]
quoted ["cat"|   "cat"|"ca] [\"a \"b\"\n\$"]"#;
    assert_eq!(printed("replacements"), wanted);
}

/// Returns a session in which a call has just used up all statements but a few.
fn exhausted(statements: u64) -> Session {
    Session::with(Limits { statements, ..Limits::default() })
}

#[test]
fn what_cannot_be_paid_for_changes_nothing() {
    let mut session = exhausted(1000);
    let one = 1f32.to_bits();
    let table = session.call("hash_createtab", &[0, one]).unwrap();
    let names: Vec<u32> =
        (0..400).map(|number| session.machine.permanent_string(format!("n{number}").as_bytes()).unwrap()).collect();
    for name in &names {
        session.call("hash_add", &[table, *name, *name]).unwrap();
    }
    let used = session.machine.memory_usage();
    assert_eq!(session.call("hash_destroytab", &[table]), Err(Fault::Runaway));
    assert_eq!(session.machine.memory_usage(), used);
    for name in &names[1..] {
        session.call("hash_delete", &[table, *name]).unwrap();
    }
    let first = session.call("hash_get", &[table, names[0]]).unwrap();
    assert_eq!(session.machine.string(first), Ok(&b"n0"[..]));

    let mut session = exhausted(1000);
    let name = session.machine.permanent_string(b"long.txt").unwrap();
    let text = session.machine.permanent_string(&[b'x'; 900]).unwrap();
    let file = session.call("fopen", &[name, 2f32.to_bits()]).unwrap();
    for _ in 0..6 {
        session.call("fputs", &[file, text]).unwrap();
    }
    assert_eq!(session.call("fclose", &[file]), Err(Fault::Runaway));
    session.machine.close_files(&mut session.game);
    assert_eq!(session.game.files[&b"long.txt"[..]].len(), 5400, "the file is still open, then written");
}

#[test]
fn a_line_costs_what_is_passed_for_it() {
    let mut session = exhausted(3000);
    session.game.files.insert(b"returns".to_vec(), vec![b'\r'; 3900]);
    let name = session.machine.permanent_string(b"returns").unwrap();
    let file = session.call("fopen", &[name, 0]).unwrap();
    session.call("fgets", &[file]).unwrap();
    assert!(session.machine.spent() > 900, "{}", session.machine.spent());
}

#[test]
fn texts_made_at_run_time_have_no_places_between_their_handles() {
    let mut session = Session::new();
    let block = session.call("memalloc", &[8]).unwrap();
    let [text, _] = [b"one", b"two"].map(|text| session.machine.permanent_string(text).unwrap());
    session.call("memcpy", &[block, text, 4, 0, 0]).unwrap();
    assert!(matches!(session.call("memcpy", &[block, text, 2, 0, 1]), Err(Fault::BadPointer { .. })));
    assert!(session.call("memptradd", &[text, 4f32.to_bits()]).is_err());
}

/// Returns what a call of a builtin counts.
fn spent(session: &mut Session, name: &str, arguments: &[u32]) -> u64 {
    session.call(name, arguments).unwrap();
    session.machine.spent()
}

#[test]
fn files_count_by_the_parts_of_their_paths() {
    for parts in [1, 2, 4, 16, 60] {
        let path = vec!["a"; parts].join("/");
        let least = 1000 * parts as u64;
        let counts = least..least + 500;
        let mut session = Session::new();
        let text = session.machine.permanent_string(path.as_bytes()).unwrap();
        for name in ["fopen", "fexists", "whichpack"] {
            let missing = spent(&mut session, name, &[text, 0]);
            assert!(counts.contains(&missing), "{name}, {parts} parts: {missing}");
        }
        let file = session.call("fopen", &[text, 2f32.to_bits()]).unwrap();
        let written = spent(&mut session, "fclose", &[file]);
        assert!(counts.contains(&written), "{parts} parts: {written}");
        let file = session.call("fopen", &[text, 0]).unwrap();
        assert!(spent(&mut session, "fclose", &[file]) < 500, "a file that was read is only closed");
    }
}

#[test]
fn a_search_counts_by_the_folders_that_it_looks_into() {
    for folders in [0, 1, 8, 64] {
        let mut session = Session::new();
        session.game.files.clear();
        session.game.files.extend((0..folders).map(|number| (format!("{number}/").into_bytes(), Vec::new())));
        session.game.files.insert(b"x".to_vec(), Vec::new());
        let pattern = session.machine.permanent_string(b"*").unwrap();
        let work = spent(&mut session, "search_begin", &[pattern, 0, 0]);
        assert!((1000 * folders..1000 * folders + 100).contains(&work), "{folders}: {work}");
        assert_eq!(session.call("search_getsize", &[0]), Ok(1f32.to_bits()), "folders are not found");
    }
}

#[test]
fn a_removal_from_a_table_counts_by_the_name_that_takes_its_place() {
    let one = 1f32.to_bits();
    for length in [4, 400, 4000, 40_000] {
        let mut session = Session::new();
        let table = session.call("hash_createtab", &[0, one]).unwrap();
        let names = [&b"k"[..], &vec![b'a'; length]].map(|name| session.machine.permanent_string(name).unwrap());
        for name in names {
            session.call("hash_add", &[table, name, name]).unwrap();
        }
        let work = spent(&mut session, "hash_delete", &[table, names[0]]);
        let least = length as u64 / 4;
        assert!((least..least + 100).contains(&work), "{length} bytes: {work}");
    }
}

#[test]
fn copies_of_the_hosts_memory_count_by_the_byte() {
    let mut session = Session::new();
    let region = session.machine.map_host(REGION, 12).unwrap();
    let block = session.call("memalloc", &[12]).unwrap();
    let mut counts = |to, from| [4, 8, 12].map(|bytes| spent(&mut session, "memcpy", &[to, from, bytes, 0, 0]));
    for (to, from) in [(block, region), (region, block)] {
        let [four, eight, twelve] = counts(to, from);
        assert_eq!([eight - four, twelve - eight], [8, 8]);
    }
    let [four, _, twelve] = counts(block, block);
    assert_eq!(four, twelve, "the machine's own memory costs less");
}

#[test]
fn texts_of_numbers_count_by_their_digits() {
    let counts = |name, number: f32| {
        let mut session = Session::new();
        session.machine.set_argument(0, [number.to_bits(); 3]);
        session.run(name).unwrap();
        session.machine.spent()
    };
    for name in ["ftos", "vtos"] {
        let [short, long] = [1.0, 1e38].map(|number| counts(name, number));
        assert!(long >= short + 37, "{name}: {short} to {long}");
    }
}
