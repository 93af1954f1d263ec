//! Options that show what a script does.

use serde_json::Value;
use tiny_skia::Pixmap;

use super::*;

fn client(folder: &Folder, args: &[&str]) -> Output {
    program("client", &folder.0, args)
}

#[test]
fn console_variables_fill_the_globals_that_are_named_after_them() {
    let folder = Folder::new("variables");
    let printed = |args: &[&str]| text(&program("mistakes", &folder.0, args).stdout);
    assert_eq!(printed(&["--call", "variables"]), "speed 5, cvar 5, way '1 2 3', title none, later 0\n");
    let set = ["--set", "speed=7.5", "--set", "way=4 5", "--set", "title=a=b", "--set", "g_other=1"];
    let wanted = "speed 7.5, cvar 7.5, way '4 5 0', title a=b, later 0\n";
    assert_eq!(printed(&[&["--call", "variables"], &set[..]].concat()), wanted);
    let changed = printed(&["--call", "variables", "--call", "change", "--frames", "2"]);
    assert_eq!(changed, "speed 5, cvar 5, way '1 2 3', title none, later 0\nlater 9\nlater 9\n");
    for bad in ["speed", "=5", "a b=5"] {
        let output = program("mistakes", &folder.0, &["--set", bad]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("expected CVAR=VALUE such as sv_gravity=800"));
    }
}

/// Difference 271.
#[test]
fn a_model_that_is_missing_is_an_error_at_the_end() {
    let folder = Folder::new("missing");
    std::fs::write(folder.0.join("bad.iqm"), "no model").unwrap();
    std::fs::write(folder.0.join("door.bsp"), "no bones").unwrap();
    let models = folder.0.to_str().unwrap().to_owned();
    let output = program("mistakes", &folder.0, &["--models", &models, "--call", "models"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "still running\n");
    let said = text(&output.stderr);
    let lines: Vec<&str> = said.lines().collect();
    let at = |line: u32| format!("skelobj: mistakes.qc:{line}: models: model not loaded: ");
    assert_eq!(lines[0], at(36) + "no such file: nosuch.iqm");
    assert!(lines[1].starts_with(&(at(37) + "bad.iqm: ")), "{said}");
    assert_eq!(lines[2], at(38) + "no such file: gone.spr");
    // A door of the level and a file without bones are not mistakes.
    assert_eq!(&lines[3..], ["skelobj: 3 models were not loaded"]);
}

#[test]
fn mistakes_become_warnings_on_request() {
    let folder = Folder::new("warn");
    let run = |args: &[&str]| program("mistakes", &folder.0, &[&["--call", "silent"], args].concat());
    let plain = run(&[]);
    assert!(plain.status.success());
    let at = |line: u32| format!("skelobj: warning: mistakes.qc:{line}: silent: ");
    let unknown = at(60) + "unknown_builtin(1): unknown builtin #9999, it returns 0\n";
    assert_eq!(text(&plain.stderr), unknown);
    let warned = run(&["--warn"]);
    assert!(warned.status.success());
    let said = text(&warned.stderr);
    let mistakes = [
        at(57) + "skel_find_bone(1, \"haed\"): no bone \"haed\"",
        at(58) + "skel_get_boneabs(1, 0): no bone 0",
        at(59) + "skel_get_boneabs(77, 1): no skeletal object 77",
    ];
    for mistake in mistakes {
        assert!(said.contains(&mistake), "{mistake} in: {said}");
    }
    // With --warn, each place of an unknown builtin.
    let total = "skelobj: 5 warnings in total, from 5 places in the code\n";
    let again = at(61) + "unknown_builtin(2): unknown builtin #9999, it returns 0\n";
    assert!(said.ends_with(&(unknown + &again + total)), "{said}");
    let strict = run(&["--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    let said = text(&strict.stderr);
    let wanted = "silent: unknown builtin #9999 \"unknown_builtin\"\n";
    assert!(said.starts_with("skelobj: mistakes.qc:") && said.ends_with(wanted), "{said}");
}

#[test]
fn a_trace_has_arguments_and_results() {
    let folder = Folder::new("trace");
    let traced = program("mistakes", &folder.0, &["--trace", "--call", "shoots"]);
    let plain = program("mistakes", &folder.0, &["--call", "shoots"]);
    assert_eq!(traced.stdout, plain.stdout);
    assert_eq!(text(&plain.stderr), "");
    let said = text(&traced.stderr);
    let lines: Vec<&str> =
        said.lines().map(|line| line.strip_prefix("frame 0, 0.000 s: mistakes.qc:").expect(line)).collect();
    assert_eq!(lines[0], "48: make: spawn() = entity 1");
    assert_eq!(lines[1], "49: make: setmodel(entity 1, \"mannequin.iqm\")");
    assert_eq!(lines[2], "50: make: skel_create(1) = 1");
    assert_eq!(lines[3], "51: make: skel_build(1, entity 1, 1, 0, 0, 0, 1) = 1");
    assert_eq!(lines[4], "68: shoots: skel_get_bonename(1, 3) = \"shin_l\"");
    assert!(lines[5].starts_with("69: shoots: skel_get_boneabs(1, 3) = '"), "{said}");
    assert!(lines[5].contains("', v_forward '") && lines[5].contains("', v_up '"), "{said}");
    let shot =
        "70: shoots: skel_trace(entity 1, '100 0 45', '-100 0 45', bonenum, fraction) = 1, bonenum 11, fraction 0.4";
    assert!(lines[6].starts_with(shot), "{said}");
    assert_eq!(lines.len(), 7);
}

#[test]
fn the_dialect_is_that_of_the_engine_named() {
    let folder = Folder::new("dialect");
    let axes =
        |dialect: &str| text(&program("mistakes", &folder.0, &["--dialect", dialect, "--call", "no_object"]).stdout);
    assert_eq!(axes("fte"), "forward '1 0 0'\n");
    assert_eq!(axes("darkplaces"), "forward '0 0 0'\n");
}

#[test]
fn the_bones_of_every_frame_are_written() {
    let folder = Folder::new("dump");
    let args = ["--frames", "3", "--dt", "0.1", "--dump-bones", "bones.json"];
    let output = client(&folder, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let written = std::fs::read(folder.0.join("bones.json")).unwrap();
    let dump: Value = serde_json::from_slice(&written).unwrap();
    let frames = dump["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 4);
    assert_eq!((frames[0]["time"].as_f64(), frames[3]["time"].as_f64()), (Some(0.0), Some(0.3)));
    let entity = &frames[3]["entities"][0];
    assert_eq!((entity["entity"].as_u64(), entity["object"].as_u64()), (Some(1), Some(1)));
    assert_eq!(entity["model"], "mannequin.iqm");
    assert_eq!(entity["world"][11].as_f64(), Some(40.0), "the origin of the entity");
    let bones = entity["bones"].as_array().unwrap();
    assert_eq!(bones.len(), 21);
    let head = bones.iter().find(|bone| bone["name"] == "head").unwrap();
    assert_eq!(head["matrix"].as_array().unwrap().len(), 12);
    assert!(head["matrix"][11].as_f64().unwrap() > 40.0, "{head}");
    assert_ne!(frames[2]["entities"][0]["bones"], entity["bones"], "it runs");

    let again = client(&folder, &args);
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(text(&again.stdout), "", "nothing runs");
    assert!(text(&again.stderr).contains("bones.json is not written: it exists (use --force"));
    std::fs::write(folder.0.join("bones.json"), "mine").unwrap();
    let forced = client(&folder, &[&args[..], &["--force"]].concat());
    assert!(forced.status.success());
    assert_eq!(std::fs::read(folder.0.join("bones.json")).unwrap(), written);
    // An error of the script leaves the frames before it, and no other file.
    let failed = client(&folder, &["--call", "fails", "--dump-bones", "other.json"]);
    assert_eq!(failed.status.code(), Some(1));
    let dump: Value = serde_json::from_slice(&std::fs::read(folder.0.join("other.json")).unwrap()).unwrap();
    assert_eq!(dump["frames"].as_array().unwrap().len(), 0);
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 2);
}

/// Counts the pixels of a panel that are more of one colour than the light and the skin make them.
pub fn count(picture: &Pixmap, panel: u32, panels: u32, is: impl Fn(i32, i32, i32) -> bool) -> usize {
    let (wide, start) = (picture.width() / panels, picture.width() * panel / panels);
    let columns = start + 4..start + wide - 4;
    let places = columns.flat_map(|x| (4..picture.height() - 4).map(move |y| (x, y)));
    let pixels = places.filter_map(|(x, y)| picture.pixel(x, y));
    pixels.filter(|p| is(p.red().into(), p.green().into(), p.blue().into())).count()
}

fn blue(r: i32, _: i32, b: i32) -> bool {
    b > r + 60
}

/// Returns `true` for the colour of a limp body's shape.
pub fn orange(r: i32, g: i32, b: i32) -> bool {
    r > g + 70 && r > b + 120
}

/// Draws a minute of the mod, as its README says, on a strip of some panels, and returns the picture.
fn strip_of_the_mod(folder: &Folder, frames: &str, panels: &str) -> Pixmap {
    let strip = folder.0.join("mod.png");
    let options = ["mod.dat", "--floor", "0", "--width", "480", "--frames", frames, "--panels", panels, "--draw"];
    let output = script_in(&examples().join("mod"), &[&options[..], &[strip.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    Pixmap::load_png(strip).unwrap()
}

#[test]
fn a_strip_begins_with_the_first_scene_and_shows_first_what_happens_first() {
    let folder = Folder::new("mod");
    // Two seconds with falls, and soldiers that walk all the time: half of the motion is before the first fall.
    let picture = strip_of_the_mod(&folder, "150", "3");
    assert!(count(&picture, 0, 3, blue) > 20, "the soldiers, whom client code poses only in its first frame");
    assert!(count(&picture, 1, 3, orange) > 20, "the first fall");
    assert!(count(&picture, 0, 3, orange) < 5);
}

#[test]
fn a_strip_shows_how_the_body_falls() {
    let folder = Folder::new("strip");
    let args = ["--frames", "40", "--dt", "0.05", "--floor", "0", "--draw", "s.png", "--panels", "4", "--width", "320"];
    let output = client(&folder, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).starts_with("s.png: 4 panels, "), "{}", text(&output.stderr));
    let picture = Pixmap::load_png(folder.0.join("s.png")).unwrap();
    assert_eq!(picture.width(), 320);
    assert!(count(&picture, 0, 4, blue) > 20, "the bodies follow at first");
    assert!(count(&picture, 3, 4, blue) < 5, "and fall at the end");
    assert!(count(&picture, 1, 4, blue) > 20, "so they do in the last frame before the fall");
    assert!(count(&picture, 2, 4, orange) > 2 * count(&picture, 1, 4, orange), "the fall is shown");

    let in_rows = client(&folder, &[&args[..], &["--columns", "2", "--force"]].concat());
    assert!(in_rows.status.success(), "{}", text(&in_rows.stderr));
    let in_rows = Pixmap::load_png(folder.0.join("s.png")).unwrap();
    assert_eq!(in_rows.width(), 320);
    assert!(in_rows.height() > 3 * picture.height(), "two rows of panels that are twice as wide");

    std::fs::write(folder.0.join("room.bsp"), crate::small_bsp::Bsp29::hall(256.0).bytes()).unwrap();
    let in_level = client(&folder, &[&args[..], &["--map", "room.bsp", "--force"]].concat());
    assert!(in_level.status.success(), "{}", text(&in_level.stderr));
    let with_level = Pixmap::load_png(folder.0.join("s.png")).unwrap();
    assert_ne!(with_level.data(), picture.data(), "the walls of the room are drawn");

    let nothing = program("server", &folder.0, &["--draw", "none.png"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert_eq!(text(&nothing.stderr), "skelobj: cannot draw: no entity has a model in any frame\n");
    assert!(!folder.0.join("none.png").exists());
    std::fs::rename(folder.0.join("room.bsp"), folder.0.join("room.png")).unwrap();
    let input = client(&folder, &["--map", "room.png", "--frames", "1", "--width", "64", "--draw", "room.png"]);
    assert!(text(&input.stderr).contains("room.png is not written: it is an input file"));
    for option in [&["--panels", "3"][..], &["--columns", "3"], &["--width", "64"], &["--no-bodies"]] {
        assert_eq!(client(&folder, option).status.code(), Some(2), "without --draw");
    }
    for name in ["s.glb", "s.txt", "s"] {
        let refused = client(&folder, &["--frames", "1", "--draw", name]);
        assert_eq!(refused.status.code(), Some(1));
        let said = text(&refused.stderr);
        assert!(said.contains(&format!("cannot write {name}: its name must end in .png or .gif")), "{said}");
        assert!(!folder.0.join(name).exists());
    }
}

#[test]
fn a_strip_without_bodies_shows_the_skins_alone() {
    let folder = Folder::new("skins");
    let args = ["--frames", "40", "--dt", "0.05", "--floor", "0", "--draw", "s.png", "--panels", "4", "--width", "320"];
    let output = client(&folder, &[&args[..], &["--no-bodies"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let picture = Pixmap::load_png(folder.0.join("s.png")).unwrap();
    assert!((0..4).all(|panel| count(&picture, panel, 4, blue) < 5 && count(&picture, panel, 4, orange) < 5));
}

#[test]
fn a_gif_of_a_script_shows_all_of_it_at_the_rate_of_the_file() {
    let folder = Folder::new("moving");
    // Two seconds of 40 frames, each of which a file shows until the next, 25 times a second, and the last one.
    let args = ["--frames", "40", "--dt", "0.05", "--floor", "0", "--draw", "s.gif", "--width", "120"];
    let output = client(&folder, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.starts_with("s.gif: 50 frames, "), "{said}");
    let bytes = std::fs::read(folder.0.join("s.gif")).unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
    assert_eq!((decoder.width(), decoder.repeat()), (120, gif::Repeat::Infinite));
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!((delays.len(), delays[0], *delays.last().unwrap()), (50, 4, 120));

    // Frames of a quarter of a second stay as long as they last: these two seconds are as many moments.
    let slow = ["--frames", "9", "--dt", "0.25", "--floor", "0", "--draw", "slow.gif", "--width", "64"];
    let said = text(&client(&folder, &slow).stderr);
    assert!(said.starts_with("slow.gif: 51 frames, "), "{said}");
    let long = client(&folder, &["--frames", "400", "--dt", "1", "--draw", "long.gif"]);
    assert!(text(&long.stderr).contains("seconds is too long: expected at most 300"), "{}", text(&long.stderr));
    let nothing = program("server", &folder.0, &["--draw", "none.gif"]);
    assert_eq!(text(&nothing.stderr), "skelobj: cannot draw: there is nothing to see\n");
}

#[test]
fn a_profile_names_functions_and_the_lines_of_builtins() {
    let folder = Folder::new("profile");
    let options = ["--frames", "3", "--profile", "out.folded"];
    let output = program("start", &folder.0, &options);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let folded = std::fs::read_to_string(folder.0.join("out.folded")).unwrap();
    assert!(folded.lines().any(|line| line.starts_with("StartFrame;print@")), "{folded}");
    let said = text(&output.stderr);
    assert!(said.starts_with("  statements   with calls     calls  function\n"), "{said}");
    assert!(said.lines().any(|line| line.ends_with("         3  StartFrame")), "{said}");
    let again = program("start", &folder.0, &options);
    assert_eq!((again.status.code(), text(&again.stdout)), (Some(1), String::new()), "nothing ran");
    assert!(text(&again.stderr).contains("out.folded"), "{}", text(&again.stderr));
    assert!(program("start", &folder.0, &[&options[..], &["--force"]].concat()).status.success());
}

/// Difference 271.
#[test]
fn a_model_without_bones_is_a_note() {
    let folder = Folder::new("quake");
    std::fs::write(folder.0.join("bad.iqm"), b"IDPO\x06\0\0\0 and so on").unwrap();
    for name in ["nosuch.iqm", "gone.spr", "door.bsp"] {
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../dolls/mannequin.iqm"), folder.0.join(name))
            .unwrap();
    }
    let models = folder.0.to_str().unwrap().to_owned();
    let output = program("mistakes", &folder.0, &["--models", &models, "--call", "models"]);
    let said = text(&output.stderr);
    let note = "skelobj: note: bad.iqm: header at byte 0: the file is a Quake model (MDL): it has no bones; convert it to .md3 or .iqm\n";
    assert!(output.status.success() && said == note, "{said}");
}
