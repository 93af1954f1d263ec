//! The code of a server and of its client, and the messages between them.

use serde_json::Value;

use super::*;

/// Runs sends.qc and receives.qc; `call` selects what is sent.
fn sent(call: &str, args: &[&str]) -> Output {
    let qc = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc");
    let sides = ["--server", "sends.dat", "--client", "receives.dat", "--frames", "7", "--call", call];
    script_in(&qc, &[&sides[..], args].concat())
}

/// Returns the lines that the client prints, and the messages of the command.
fn lines(call: &str, args: &[&str]) -> (Vec<String>, Vec<String>) {
    let output = sent(call, args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = |bytes: &[u8]| text(bytes).lines().map(str::to_owned).collect();
    (lines(&output.stdout), lines(&output.stderr))
}

/// All 24 flags of a new entity, as `%g` prints them.
const ALL: &str = "1.67772e+07";

#[test]
fn entities_are_sent_when_they_are_new_and_when_their_flags_change() {
    // The player is entity 1 of the server.
    let wanted = [
        format!("0: new 2 in entity 1, flags {ALL}"),
        format!("0: new 3 in entity 2, flags {ALL}"),
        "2: old 3 in entity 2, flags 5".to_owned(),
        format!("3: old 2 in entity 1, flags {ALL}"),
        "5: gone 2 after 2 updates".to_owned(),
    ];
    assert_eq!(lines("changes", &[]), (wanted.to_vec(), Vec::new()));
}

#[test]
fn values_arrive_with_the_bits_of_their_types() {
    let (printed, said) = lines("everything", &[]);
    assert_eq!(printed[1..], ["200 -5 -300 -70000 -1.5 -90 -45 0.1 a text 2"]);
    assert_eq!(said, [""; 0], "what goes elsewhere is not in the message");
    let (_, said) = lines("everything", &["--messages"]);
    let values = "Byte 2, Long 16777215, Byte 200, Char -5, Short -300, Long -70000, Coord -1.5, Angle 270, Angle -45, \
                  Float 0.1, String \"a text\", Entity 2";
    assert_eq!(said, [format!("frame 1: entity 2 (all): flags 0xffffff: {values}")]);
}

#[test]
fn an_entity_that_sends_nothing_is_removed_and_comes_back_as_new() {
    let new = |frame: u32, entity: u32| format!("{frame}: new 2 in entity {entity}, flags {ALL}");
    let wanted = [new(0, 1), "1: gone 2 after 1 updates".to_owned(), new(3, 2)];
    assert_eq!(lines("hides", &[]).0, wanted);
}

#[test]
fn an_entity_with_pvsf_noremove_stays() {
    assert_eq!(lines("stays", &[]).0, [format!("0: new 2 in entity 1, flags {ALL}")]);
}

#[test]
fn an_entity_beyond_the_size_of_a_message_is_reported_and_the_others_are_sent() {
    let (printed, said) = lines("large", &[]);
    let sent = [format!("0: new 2 in entity 1, flags {ALL}"), format!("0: new 4 in entity 2, flags {ALL}")];
    assert_eq!(printed, sent);
    let warning = "skelobj: warning: entity 3 (long) is not sent: it has 1505 bytes, and 1395 fit into a message; \
                   --packet sets another size";
    assert_eq!(said, [warning.to_owned(), format!("{warning} (6 more times)")]);
    assert_eq!(lines("large", &["--packet", "2000"]).0.len(), 3);
}

#[test]
fn what_does_not_fit_into_a_message_is_sent_in_the_next() {
    let (printed, _) = lines("fits", &["--packet", "180"]);
    let sent = [(0, 2, 1), (0, 3, 2), (1, 4, 3)];
    let sent = sent.map(|(frame, number, entity)| format!("{frame}: new {number} in entity {entity}, flags {ALL}"));
    assert_eq!(printed, sent);
}

#[test]
fn a_number_that_is_used_again_is_another_entity() {
    let (printed, _) = lines("renumbers", &[]);
    let of = |frame: &str, what: &str| {
        let start = format!("{frame}: {what} ");
        printed.iter().filter_map(|line| line.strip_prefix(&start)?.split(' ').next()).collect::<Vec<_>>()
    };
    // 41 are in use; 33 wait before the first number is used again.
    let again: Vec<&str> = of("1", "new").into_iter().filter(|number| of("0", "new").contains(number)).collect();
    assert!(!again.is_empty(), "{printed:?}");
    assert_eq!((of("0", "new").len(), of("1", "gone").len(), of("1", "new").len()), (40, 40, 40));
    assert_eq!(of("1", "old"), [""; 0]);
    for number in again {
        let line = |what: &str| printed.iter().position(|line| line.starts_with(&format!("1: {what} {number} ")));
        assert!(line("gone") < line("new"), "{number}");
    }
}

#[test]
fn flags_of_a_lost_message_are_sent_again() {
    let (printed, said) = lines("lost", &["--lose", "2", "--messages"]);
    let wanted = [
        format!("0: new 2 in entity 1, flags {ALL}"),
        "2: old 2 in entity 1, flags 3".to_owned(),
        "5: gone 2 after 2 updates".to_owned(),
    ];
    assert_eq!(printed, wanted);
    let lost: Vec<&String> = said.iter().filter(|line| line.ends_with(" (lost)")).collect();
    assert_eq!(
        lost,
        ["frame 2: entity 2 (one): flags 0x1: Byte 1, Long 1 (lost)", "frame 5: entity 2 (one): removed (lost)"]
    );
    // The first message of all is lost, too.
    assert_eq!(lines("lost", &["--lose", "1"]).0, [""; 0]);
}

#[test]
fn a_lost_removal_is_sent_again_before_what_has_the_number_next() {
    // The second message is lost: 40 removals, and 40 new entities, some of which have the numbers of old ones.
    let (printed, said) = lines("renumbers", &["--lose", "2", "--messages"]);
    assert!(said.iter().filter(|line| line.ends_with("removed (lost)")).count() >= 40, "{said:?}");
    let of = |frame: &str, what: &str| {
        let start = format!("{frame}: {what} ");
        printed.iter().filter_map(|line| line.strip_prefix(&start)?.split(' ').next()).collect::<Vec<_>>()
    };
    assert_eq!((of("0", "new").len(), of("1", "gone").len(), of("1", "new").len()), (40, 0, 0));
    assert_eq!((of("2", "gone").len(), of("2", "new").len(), of("2", "old").len()), (40, 40, 0));
    let again: Vec<&str> = of("2", "new").into_iter().filter(|number| of("0", "new").contains(number)).collect();
    assert!(!again.is_empty(), "{printed:?}");
    for number in again {
        let line = |what: &str| printed.iter().position(|line| line.starts_with(&format!("2: {what} {number} ")));
        assert!(line("gone") < line("new"), "{number}");
    }
}

#[test]
fn a_lost_buffer_that_does_not_change_again_is_sent_again() {
    let (_, said) = lines("still", &["--lose", "2", "--messages"]);
    let buffers: Vec<&String> = said.iter().filter(|line| line.contains(": buffer ")).collect();
    let [first, second] = buffers[..] else { panic!("{said:?}") };
    let bytes = first.strip_prefix("frame 2: ").and_then(|line| line.strip_suffix(" (lost)")).expect("a lost buffer");
    assert_eq!(*second, format!("frame 3: {bytes}"));
}

#[test]
fn exchanged_sides_are_noticed() {
    let qc = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc");
    let said = text(&script_in(&qc, &["--server", "receives.dat", "--client", "sends.dat", "--frames", "1"]).stderr);
    let wanted = "skelobj: warning: receives.dat has functions that an engine calls in a client, and sends.dat those of \
                  a server: are --server and --client exchanged?\n";
    assert!(said.starts_with(wanted), "{said}");
}

#[test]
fn a_line_of_a_breakpoint_may_be_on_one_side_alone() {
    let stops = |source: &str, code: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc").join(source);
        let source = std::fs::read_to_string(path).unwrap();
        let line = source.lines().position(|line| line.contains(code)).unwrap() + 1;
        let output = sent("changes", &["--break", &format!("age:{line}"), "--break", "send"]);
        (output.status.success(), text(&output.stderr))
    };
    let (is_right, said) = stops("receives.qc", "return \"old\"");
    assert!(is_right && said.contains("client: "), "{said}");
    let (is_right, said) = stops("sends.qc", "return 0;");
    assert!(!is_right && said.contains("no code is on line"), "{said}");
}

#[test]
fn messages_that_are_read_wrongly_are_reported() {
    let report = |call: &str| {
        let (_, said) = lines(call, &[]);
        assert_eq!(said.len(), 1, "{said:?}");
        said[0].strip_prefix("skelobj: warning: ").unwrap().to_owned()
    };
    assert_eq!(report("unread"), "CSQC_Ent_Update leaves 2 of 7 bytes of entity 2 (unread) unread");
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc/receives.qc")).unwrap();
    let line = |code: &str| source.lines().position(|line| line.contains(code)).unwrap() + 1;
    let past = line("readshort(), readbyte()");
    let wanted = "readshort reads past the end of the message, which has 5 bytes (entity 2, overread)";
    assert_eq!(report("overread"), format!("receives.qc:{past}: CSQC_Ent_Update: {wanted}"));
    let mistaken = line("flags = readlong()");
    let wanted = "readlong reads what WriteCoord wrote (entity 2, mistaken)";
    assert_eq!(report("mistaken"), format!("receives.qc:{mistaken}: CSQC_Ent_Update: {wanted}"));
    assert_eq!(lines("overread", &[]).0[1], "-1 -1 -1 .");
    // --strict makes them errors.
    let strict = sent("unread", &["--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(
        text(&strict.stderr).starts_with("skelobj: CSQC_Ent_Update leaves 2 of 7 bytes"),
        "{}",
        text(&strict.stderr)
    );
}

#[test]
fn a_client_that_removes_what_the_server_sends_is_reported() {
    let (printed, said) = lines("unwanted", &[]);
    let old: Vec<&String> = printed.iter().filter(|line| line.contains(" old ")).collect();
    assert_eq!(old.len(), 6, "the entity goes on being updated");
    let report = "skelobj: warning: the client's code has removed its entity 1, without CSQC_Ent_Remove, while the \
                  server sends entity 2 (unwanted)";
    assert_eq!(said[0], report);
    assert_eq!(said[1..], [format!("{report} (5 more times)")]);
}

#[test]
fn reading_without_a_message_ends_the_script() {
    let output = sent("everything", &["--call", "reads"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains(": reads: readbyte: there is no message to read\n"), "{said}");
}

/// Returns the bones of both sides in each frame: of the first entity, by name.
fn bones(dump: &Path) -> Vec<[Option<Value>; 2]> {
    let dump: Value = serde_json::from_slice(&std::fs::read(dump).unwrap()).unwrap();
    let frames = dump["frames"].as_array().unwrap().iter();
    frames
        .map(|frame| {
            ["server", "client"].map(|side| {
                let mut entities = frame["entities"].as_array().unwrap().iter();
                entities.find(|entity| entity["side"] == side).map(|entity| entity["bones"].clone())
            })
        })
        .collect()
}

/// Returns the greatest distance of a bone on the client from the same bone on the server.
fn distance([server, client]: &[Option<Value>; 2]) -> f64 {
    let (server, client) = (server.as_ref().unwrap().as_array().unwrap(), client.as_ref().unwrap().as_array().unwrap());
    assert_eq!(server.len(), client.len());
    let place = |bone: &Value| [3, 7, 11].map(|number| bone["matrix"][number].as_f64().unwrap());
    let way =
        |(a, b): (&Value, &Value)| place(a).into_iter().zip(place(b)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    server.iter().zip(client).map(way).fold(0.0, f64::max)
}

#[test]
fn buffers_of_bones_reach_the_client() {
    let folder = Folder::new("buffers");
    let dump = folder.0.join("bones.json");
    let output = sent("bones", &["--floor", "0", "--two-worlds", "--dump-bones", dump.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let frames = bones(&dump);
    // A client knows the bones from the first message on.
    assert!(frames[0][1].is_none() && frames[1..].iter().all(|frame| distance(frame) < 0.02));
}

/// Runs the example mod with the arguments of its README.
#[test]
fn the_network_mod_shows_on_the_client_what_the_server_simulates() {
    let folder = examples().join("network");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let command = readme.lines().find_map(|line| line.strip_prefix("skelobj script ")).unwrap();
    let arguments: Vec<&str> = command.split(' ').collect();
    assert_recorded(&script_in(&folder, &arguments), &folder.join("network.txt"));

    let own = Folder::new("network");
    let dump = own.0.join("bones.json");
    let dumped =
        [&arguments[..], &["--frames", "120", "--two-worlds", "--dump-bones", dump.to_str().unwrap()]].concat();
    let dumped: Vec<&str> = dumped.into_iter().skip_while(|argument| *argument != "--frames").skip(2).collect();
    let sides = ["--server", "server.dat", "--client", "client.dat"];
    let output = script_in(&folder, &[&sides[..], &dumped].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let frames = bones(&dump);
    // Bones are sent 20 times a second; in the frames between, the server's bodies have moved on.
    let falls: Vec<f64> = frames[31..100].iter().map(distance).collect();
    assert!(falls.iter().filter(|distance| **distance < 0.05).count() >= 20, "{falls:?}");
    assert!(falls.iter().all(|distance| *distance < 20.0), "{falls:?}");
    let height = |bones: &Value| {
        bones.as_array().unwrap().iter().find(|bone| bone["name"] == "head").unwrap()["matrix"][11].as_f64()
    };
    assert!(height(frames[100][1].as_ref().unwrap()).unwrap() < 20.0, "it has fallen on the client, too");
}

#[test]
fn worlds_are_shared_unless_there_are_two() {
    let objects = |args: &[&str]| {
        let said = text(&sent("bones", &[&["--summary"], args].concat()).stderr);
        let row = said.lines().find(|line| line.starts_with("objects ")).expect("objects").to_owned();
        let ids = text(&sent("bones", &[&["--trace=skel_create"], args].concat()).stderr);
        let ids =
            ids.lines().filter_map(|line| line.rsplit_once(" = ")).map(|(_, id)| id.to_owned()).collect::<Vec<_>>();
        (row, ids)
    };
    assert_eq!(objects(&[]), ("objects   2 at the end, 2 at most".to_owned(), vec!["1".to_owned(), "2".to_owned()]));
    let two = objects(&["--two-worlds"]);
    assert_eq!(two, ("objects   2 at the end, 2 at most".to_owned(), vec!["1".to_owned(), "1".to_owned()]));
}

#[test]
fn sides_have_names_in_messages() {
    let said = text(&sent("changes", &["--trace=readbyte,spawn"]).stderr);
    assert!(said.contains(" s: server: sends.qc:") && said.contains(" s: client: receives.qc:"), "{said}");
    let said = text(&sent("changes", &["--trace=nosuch"]).stderr);
    assert_eq!(said, "skelobj: warning: the progs has no builtin nosuch to trace\n");
    let folder = Folder::new("folded");
    let folded = folder.0.join("p.folded");
    sent("changes", &["--profile", folded.to_str().unwrap()]);
    let folded = std::fs::read_to_string(folded).unwrap();
    assert!(folded.lines().any(|line| line.starts_with("server;StartFrame ")), "{folded}");
    assert!(folded.lines().any(|line| line.starts_with("client;CSQC_Ent_Update")), "{folded}");
}

#[test]
fn sides_come_together_and_functions_may_be_on_either() {
    let qc = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc");
    let code = |args: &[&str]| script_in(&qc, args).status.code();
    assert_eq!(code(&["--server", "sends.dat"]), Some(2));
    assert_eq!(code(&["--client", "receives.dat"]), Some(2));
    assert_eq!(code(&["sends.dat", "--server", "sends.dat", "--client", "receives.dat"]), Some(2));
    assert_eq!(code(&["sends.dat", "--two-worlds"]), Some(2));
    let said = text(&sent("nosuch", &[]).stderr);
    assert_eq!(said, "skelobj: --call: neither sends.dat nor receives.dat has a function `nosuch`\n");
    // A client that cannot read entities is an error, once there is one.
    let deaf = script_in(&qc, &["--server", "sends.dat", "--client", "client.dat", "--frames", "1", "--call", "hides"]);
    assert_eq!(deaf.status.code(), Some(1));
    assert!(text(&deaf.stderr).ends_with("skelobj: the client's code has no function CSQC_Ent_Update\n"));
}
