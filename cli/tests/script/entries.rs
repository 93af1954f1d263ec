//! Functions that an engine calls, entities of maps, and errors with lines.

use super::*;
use crate::small_bsp::Bsp29;

fn client(args: &[&str]) -> Output {
    program("client", &std::env::temp_dir(), args)
}

/// Difference 270.
#[test]
fn client_code_is_called_with_an_engines_arguments() {
    let output = client(&["--frames", "2", "--dt", "0.5"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "init 1 skelobj 1\nworld \nview 1280 720 1 at 0.50\nview 1280 720 1 at 1.00\nshutdown\n"
    );
}

/// Difference 270.
#[test]
fn functions_run_in_the_order_of_fte_and_of_the_options() {
    let options = ["--frames", "1", "--call-last", "last", "--call", "late", "--call-first", "early"];
    let output = program("start", &std::env::temp_dir(), &options);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "init -1, initents, early, worldspawn, late, frame, last\n");
    for option in ["--call-first", "--call", "--call-last"] {
        let output = program("start", &std::env::temp_dir(), &[option, "nothing"]);
        assert!(text(&output.stderr).contains("nothing"), "{}", text(&output.stderr));
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()), "{option}");
    }
}

/// Returns the room of the level tests with these entities.
fn room(entities: &str) -> Vec<u8> {
    let mut bsp = Bsp29::room();
    bsp.lumps[0] = entities.as_bytes().to_vec();
    bsp.bytes()
}

/// Difference 270.
#[test]
fn server_code_spawns_a_player_and_the_entities_of_the_map() {
    let folder = Folder::new("server");
    let map = room(
        r#"{ "classname" "worldspawn" "message" "a\nroom" }
        { "classname" "func_plat" "model" "*1" "origin" "0 8 -32" "angle" "90" "speed" "150" "color" "1 0.5 x"
          "message" "up" "use" "opened" "enemy" "7" "_comment" "no field" }
        { "classname" "light" }
        { "classname" "func_plat" "spawnflags" "512" "message" "not on this skill" }
        { "classname" "item_shells" }
        { "classname" "func_plat" "origin" "1e99 nan 3" "angles" "10 20" "speed" "fast" "use" "nosuch" }"#,
    );
    std::fs::write(folder.0.join("room.bsp"), map).unwrap();
    let output = program("server", &folder.0, &["--map", "room.bsp", "--frames", "1", "--dt", "0.5"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let wanted = "worldspawn a\nroom maps/room.bsp on room\n\
        entity 2 func_plat at 0 8 -32, angles 0 90 0, speed 150, color 1 0.5 0, message up\nopened\n\
        a light\n\
        entity 5 func_plat at 0 0 3, angles 10 20 0, speed 0, color 0 0 0, message \n\
        parms\nconnect entity 1\n\
        frame 0.50 of entity 0\npre player\nplayer thinks at 0.50\npost player\n\
        func_plat thinks at 0.50\nfunc_plat thinks at 0.50\nend\nbye entity 1\n";
    // `%v` pads numbers.
    let plain = printed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let wanted: Vec<String> = wanted.lines().map(|line| line.trim_end().to_owned()).collect();
    assert_eq!(plain.collect::<Vec<_>>(), wanted);
    assert_eq!(text(&output.stderr), "skelobj: no spawn function for item_shells; the entities are removed\n");

    let without = program("server", &folder.0, &[]);
    assert_eq!(text(&without.stdout), "worldspawn   on \nparms\nconnect entity 1\nbye entity 1\n");
}

#[test]
fn client_code_does_not_spawn_the_entities_of_a_map() {
    let folder = Folder::new("client-map");
    let map = room(r#"{ "classname" "worldspawn" } { "classname" "light" }"#);
    std::fs::write(folder.0.join("room.bsp"), map).unwrap();
    let output = program("client", &folder.0, &["--map", "room.bsp"]);
    assert_eq!(
        (text(&output.stdout), text(&output.stderr)),
        ("init 1 skelobj 1\nworld room\nshutdown\n".into(), String::new())
    );
}

#[test]
fn client_code_without_a_view_draws_its_hud() {
    let output = program("simple", &std::env::temp_dir(), &["--frames", "2"]);
    assert_eq!(text(&output.stderr), "");
    let frame = "hud of 1280x720, 0\nscores of 1280x720, 0\n";
    assert_eq!(text(&output.stdout), format!("init [W0]\n{frame}{frame}"));
}

#[test]
fn functions_of_darkplaces_run_around_the_spawning_of_entities() {
    let folder = Folder::new("darkplaces");
    let map = room(
        r#"{ "classname" "worldspawn" }
        { "classname" "door" "message" "a\nb" }
        { "classname" "door" "message" "unwanted" }
        { "classname" "light" }"#,
    );
    std::fs::write(folder.0.join("room.bsp"), map).unwrap();
    let output = program("darkplaces", &folder.0, &["--map", "room.bsp"]);
    assert_eq!(text(&output.stderr), "");
    let before = |class: &str, pairs: &str| format!("before {class}: {{\n\"classname\" \"{class}\"\n{pairs}}}\n");
    let wanted = [
        before("worldspawn", ""),
        "worldspawn\n".to_owned(),
        before("door", "\"message\" \"a\\nb\"\n"),
        "door a\nb\n".to_owned(),
        before("door", "\"message\" \"unwanted\"\n"),
        before("light", ""),
        "none for light\n".to_owned(),
        "player\n".to_owned(),
    ];
    assert_eq!(text(&output.stdout), wanted.concat());
    // The level of DarkPlaces runs before a player connects.
    let output = program("darkplaces", &folder.0, &["--dialect", "darkplaces", "--frames", "1"]);
    let printed = text(&output.stdout);
    assert!(printed.ends_with("worldspawn\nframe\nplayer\nframe\n"), "{printed}");
}

#[test]
fn the_level_has_parts_contents_and_an_end() {
    let folder = Folder::new("level");
    let map = room(
        r#"{ "classname" "worldspawn" }
        { "classname" "func_door" "model" "*1" "origin" "0 0 32" }
        { "classname" "light" "spawnflags" "256" }
        { "classname" "light" "spawnflags" "512" }
        { "classname" "light" "spawnflags" "1024" }
        { "classname" "light" "spawnflags" "2048" }"#,
    );
    std::fs::write(folder.0.join("room.bsp"), map).unwrap();
    let run = |set: &[&str]| program("level", &folder.0, &[&["--map", "room.bsp", "--frames", "5"], set].concat());
    let output = run(&[]);
    let wanted = "skill 1, gravity 800, speed 320, extensions 1\n\
        door (-17 -17 -17) (17 17 17) (-18 -18 14) (18 18 50) (-17 -17 -17) (17 17 17) size 34 34 34\n\
        light 256\nlight 1024\nlight 2048\n\
        frame 1: contents -1 -2\nframe 2: contents -1 -2\n";
    assert_eq!(text(&output.stdout), wanted);
    assert_eq!(text(&output.stderr), "skelobj: the run ends: the script changes to the map e1m2\n");
    assert!(output.status.success());
    for (set, wanted) in [
        ("skill=0", "light 512\nlight 1024\nlight 2048\n"),
        ("skill=3", "light 256\nlight 512\nlight 2048\n"),
        ("deathmatch=1", "light 256\nlight 512\nlight 1024\n"),
    ] {
        let printed = text(&run(&["--set", set]).stdout);
        let lights: String = printed.split_inclusive('\n').filter(|line| line.starts_with("light")).collect();
        assert_eq!(lights, wanted, "{set}");
    }
}

#[test]
fn the_code_of_a_menu_is_refused() {
    let output = program("menu", &std::env::temp_dir(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    let wanted = "menu.dat: the code of a menu, whose builtins have other numbers, is not supported\n";
    assert!(text(&output.stderr).ends_with(wanted), "{}", text(&output.stderr));
}

#[test]
fn a_map_is_solid() {
    let folder = Folder::new("solid");
    std::fs::write(folder.0.join("room.bsp"), room("{ \"classname\" \"worldspawn\" }")).unwrap();
    let progs = progs_that_runs("traces", &folder);
    // The room's floor is at -64; the test traces from 30 to -10 and finds nothing else.
    let with = text(&script(&[&progs, "--map", folder.0.join("room.bsp").to_str().unwrap(), "--floor", "0"]).stdout);
    assert!(with.starts_with("hit 0.74921876 (5 0 0.03125)"), "{with}");
    for bad in [&b"IBSP"[..], b"\x1d\0\0\0 cut off"] {
        std::fs::write(folder.0.join("bad.bsp"), bad).unwrap();
        let output = client(&["--map", folder.0.join("bad.bsp").to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.starts_with("skelobj: ") && said.contains("bad.bsp: "), "{said}");
    }
}

#[test]
fn a_function_can_be_called_by_name() {
    let output = client(&["--call", "fails", "--call", "missing"]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(printed.ends_with("before\n"), "{printed}");
    let unknown = client(&["--call", "fail"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).ends_with("client.dat has no function `fail`\n"));
    assert_eq!(text(&unknown.stdout), "", "nothing runs");
}

#[test]
fn an_error_names_the_lines_of_all_callers() {
    let said = text(&client(&["--call", "fails"]).stderr);
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc/client.qc")).unwrap();
    let line = |code: &str| source.lines().position(|line| line.trim() == code).unwrap() + 1;
    let (error, inner, outer) = (line("error(\"too \", \"deep\");"), line("inner(depth + 1);"), line("inner(1);"));
    let wanted = format!(
        "skelobj: client.qc:{error}: inner: too deep\n  called from client.qc:{inner}: inner\n  \
         called from client.qc:{inner}: inner\n  called from client.qc:{outer}: fails\n"
    );
    assert_eq!(said, wanted);
    let endless = text(&client(&["--call", "recurses"]).stderr);
    assert_eq!(endless.lines().count(), 18, "{endless}");
    assert!(endless.contains("\n  ... 1007 more\n"), "{endless}");
}

#[test]
fn line_numbers_of_another_progs_are_not_used() {
    let folder = Folder::new("lines");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc");
    std::fs::copy(tests.join("client.dat"), folder.0.join("client.dat")).unwrap();
    let progs = folder.0.join("client.dat");
    for (lines, why) in [
        (std::fs::read(tests.join("server.lno")).unwrap(), "line numbers of another progs with "),
        (b"LNOF".to_vec(), "not a file of line numbers"),
        (vec![0xff; 5000], "not a file of line numbers"),
    ] {
        std::fs::write(folder.0.join("client.lno"), lines).unwrap();
        let said = text(&script(&[progs.to_str().unwrap(), "--call", "fails"]).stderr);
        let (warning, error) = said.split_once('\n').unwrap();
        assert!(warning.contains("client.lno: warning: ") && warning.contains(why), "{said}");
        assert!(error.starts_with("skelobj: client.qc: inner, statement "), "{said}");
    }
}

#[test]
fn nothing_to_run_is_an_error() {
    let folder = Folder::new("nothing");
    let progs = progs_that_runs("fail", &folder);
    // The only name of an entry point is changed.
    let bytes = std::fs::read(&progs).unwrap();
    let renamed = |name: &[u8; 5]| {
        let at = bytes.windows(6).position(|window| window == b"\0main\0").unwrap();
        let mut bytes = bytes.clone();
        bytes[at + 1..at + 5].copy_from_slice(&name[..4]);
        std::fs::write(&progs, bytes).unwrap();
    };
    renamed(b"mani\0");
    let output = script(&[&progs, "--frames", "10"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("nothing to run: it has none of init, initents, main, worldspawn, "), "{said}");
    assert!(said.ends_with("name a function with --call\n"), "{said}");
    assert!(text(&script(&[&progs, "--call", "mani"]).stderr).contains("gave up at 7"));
}

#[test]
fn a_folder_of_models_must_exist() {
    let output = client(&["--models", "/nosuch/folder"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "skelobj: --models: /nosuch/folder is not a folder\n");
}

/// Runs the program that writes files, in a folder.
fn files(folder: &Folder, args: &[&str]) -> Output {
    let output = program("files", &folder.0, args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

#[test]
fn what_a_script_writes_is_in_its_data_folder() {
    let folder = Folder::new("data");
    std::fs::create_dir(folder.0.join("data")).unwrap();
    let wanted = "level e1m1\nsaves/slot1.txt\noutside -1, beside the progs 1\n";
    let output = files(&folder, &["--data", "data"]);
    assert_eq!(text(&output.stdout), wanted);
    assert_eq!(text(&output.stderr), "");
    let written = |name: &str| std::fs::read_to_string(folder.0.join(name)).ok();
    assert_eq!(written("data/saves/slot1.txt").as_deref(), Some("level e1m1\n"));
    assert_eq!(written("data/link/caught.txt").as_deref(), Some("caught"));
    assert_eq!(written("data/left.txt").as_deref(), Some("left open"));
    assert_eq!(written("outside.txt"), None);
    files(&folder, &["--data", "data"]);
    assert_eq!(written("data/left.txt").as_deref(), Some("left openleft open"), "it is appended to");
    let missing = program("files", &folder.0, &["--data", "none"]);
    assert_eq!(text(&missing.stderr), "skelobj: --data: none is not a folder\n");
}

#[test]
fn without_a_data_folder_a_script_keeps_its_files_to_itself() {
    let folder = Folder::new("no-data");
    let output = files(&folder, &[]);
    assert!(text(&output.stdout).starts_with("level e1m1\nsaves/slot1.txt\n"), "{}", text(&output.stdout));
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
}

/// Returns the numbers of files and of folders below a folder.
fn entries(folder: &std::path::Path) -> [usize; 2] {
    let mut count = [0, 0];
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => {
                let inside = entries(&entry.path());
                count = [count[0] + inside[0], count[1] + inside[1] + 1];
            }
            false => count[0] += 1,
        }
    }
    count
}

#[test]
fn files_and_folders_of_a_script_are_counted() {
    const MOST: &str = "is not written: a script creates at most 4096 files and folders\n";
    let folder = Folder::new("data-many");
    std::fs::create_dir_all(folder.0.join("data")).unwrap();
    let output = files(&folder, &["--data", "data", "--call", "folders_for_ever"]);
    assert!(text(&output.stdout).ends_with("done\n"));
    // Three files and two folders of `main`, and as many chains of 62 folders with a file as fit.
    assert_eq!(entries(&folder.0.join("data")), [3 + 64, 2 + 64 * 62]);
    let told = text(&output.stderr);
    assert!(told.starts_with("skelobj: d64/") && told.lines().next().unwrap().ends_with(MOST.trim_end()), "{told}");
    assert!(told.ends_with("skelobj: further files are not written\n"), "{told}");
    let output = files(&folder, &["--call", "files_for_ever"]);
    assert!(text(&output.stdout).ends_with("1 0\n"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).starts_with(&format!("skelobj: n4093 {MOST}")), "{}", text(&output.stderr));
}

#[test]
fn names_of_devices_and_hidden_files_are_refused_with_a_warning() {
    let folder = Folder::new("data-names");
    std::fs::create_dir(folder.0.join("data")).unwrap();
    let output = files(&folder, &["--data", "data", "--call", "strange_names", "--warn"]);
    assert!(text(&output.stdout).ends_with("-1 -1 -1 -1 0\n"), "{}", text(&output.stdout));
    let told = text(&output.stderr);
    for (call, reason) in [
        ("fopen(\"../outside.txt\", 2)", "no part of a name begins with a dot or a hyphen"),
        ("fopen(\"nul\", 2)", "no part of a name is a device of Windows, such as nul"),
        ("fopen(\"con.cfg\", 2)", "no part of a name is a device of Windows, such as nul"),
        ("fopen(\"-rf\", 2)", "no part of a name begins with a dot or a hyphen"),
        ("fopen(\".git/config\", 0)", "no part of a name begins with a dot or a hyphen"),
        ("fexists(\"what?\")", "a name has no control characters and none of \\:*?\"<>|"),
    ] {
        assert!(told.contains(&format!("{call}: the name is refused: {reason}\n")), "{call}: {told}");
    }
    assert_eq!(entries(&folder.0.join("data")), [3, 2], "those of main");
}

#[test]
fn a_file_is_not_read_to_know_that_it_is_there() {
    for (name, options) in [("data-huge", &["--data", "data"][..]), ("models-huge", &["--models", "data"])] {
        let folder = Folder::new(name);
        std::fs::create_dir(folder.0.join("data")).unwrap();
        // A sparse file.
        std::fs::File::create(folder.0.join("data/huge")).unwrap().set_len(1 << 40).unwrap();
        let output = program("files", &folder.0, &[options, &["--call", "huge_file"]].concat());
        assert!(text(&output.stdout).ends_with("\n1000\n"), "{}", text(&output.stdout));
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("huge_file: "), "{}", text(&output.stderr));
    }
}

#[cfg(unix)]
#[test]
fn no_link_leads_what_a_script_writes_out_of_its_data_folder() {
    let folder = Folder::new("data-link");
    for name in ["data", "elsewhere"] {
        std::fs::create_dir(folder.0.join(name)).unwrap();
    }
    std::os::unix::fs::symlink("../elsewhere", folder.0.join("data/link")).unwrap();
    let output = files(&folder, &["--data", "data"]);
    let message = text(&output.stderr);
    assert!(message.starts_with("skelobj: link/caught.txt is not written: "), "{message}");
    assert_eq!(std::fs::read_dir(folder.0.join("elsewhere")).unwrap().count(), 0);
}

#[test]
fn a_frame_that_takes_too_long_ends_the_script_with_an_exit_code_of_its_own() {
    let late = |options: &[&str]| program("late", &std::env::temp_dir(), options);
    let output = late(&["--frames", "1", "--deadline", "0.05"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert_eq!(text(&output.stdout), "spawned\n");
    // The clock decides whether the loop or the entry of spin is where the time ends.
    assert!(
        error.contains(": spin") && error.contains(": the frame has run out of time, of which spin took 0."),
        "{error}"
    );
    assert!(late(&[]).status.success(), "no frame");
    for wrong in ["0", "-1", "nan", "1e9"] {
        let output = late(&["--deadline", wrong]);
        assert!(text(&output.stderr).contains("expected seconds from 0.001 to 3600"), "{wrong}");
    }
}
