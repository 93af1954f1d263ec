//! `skelobj draw`, `sim` and `info` of maps.

use crate::drawing::Folder;
use crate::small_bsp::Bsp29;
use serde_json::Value;

/// Puts a room from -64 to 64 with a start for players into a folder; the map `empty.bsp` has no start.
fn rooms(test: &str) -> Folder {
    let folder = Folder::new(test);
    let mut room = Bsp29::room();
    room.lumps[0] = br#"{ "classname" "worldspawn" }
        { "classname" "func_wall" "model" "*1" "origin" "40 40 -48" }
        { "classname" "info_player_start" "origin" "0 0 -40" }"#
        .to_vec();
    folder.write("room.bsp", room.bytes());
    folder.write("empty.bsp", Bsp29::room().bytes());
    folder
}

#[test]
fn a_doll_falls_onto_the_floor_of_a_map() {
    let folder = rooms("level-sim");
    let fall = |arguments: &[&str]| -> Value {
        let output = folder.skelobj(&[&["sim", "--json"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("a report")
    };
    let report = fall(&["--level", "room.bsp"]);
    let lowest = report["lowest_z"].as_f64().expect("a number");
    assert!((-66.0..-62.0).contains(&lowest), "the floor is at -64: {lowest}");
    assert!(report["asleep_after"].is_number(), "{report}");
    assert_ne!(fall(&["--level", "room.bsp", "--at", "-20,-20,-40"]), report);
}

#[test]
fn a_map_without_a_start_needs_a_place() {
    let folder = rooms("level-start");
    let said = folder.refusal(&["--level", "empty.bsp"]);
    assert!(said.contains("empty.bsp") && said.contains("--at X,Y,Z"), "{said}");
    assert!(folder.refusal(&["--at", "0,0,0"]).contains("--level"));
    assert!(folder.refusal(&["--level", "room.bsp", "--at", "0,0,1e9"]).contains("--at"));
    folder.write("broken.bsp", b"\x1d\0\0\0 and then nothing");
    assert!(folder.refusal(&["--level", "broken.bsp"]).contains("broken.bsp"));
}

#[test]
fn a_ragdoll_that_leaves_the_level_ends_with_exit_code_1() {
    let folder = rooms("level-left");
    for (at, code) in [("0,0,-40", 0), ("0,0,-4000", 1)] {
        let place = ["--level", "room.bsp", "--at", at, "--seconds", "4"];
        let sim = folder.skelobj(&[&["sim"], &place[..]].concat());
        assert_eq!(sim.status.code(), Some(code), "{at}: {}", String::from_utf8_lossy(&sim.stdout));
        let said = String::from_utf8_lossy(&sim.stderr).into_owned();
        assert_eq!(
            said.contains("room.bsp: warning: --at: the place is in a solid part of the map"),
            code == 1,
            "{said}"
        );
        for name in ["left.png", "left.gif", "left.glb"] {
            let drawn = folder.draw(&[&["--width", "64", "-o", name], &place[..]].concat());
            let said = String::from_utf8_lossy(&drawn.stderr);
            assert_eq!(drawn.status.code(), Some(code), "{at} {name}: {said}");
            assert_eq!(said.contains("warning: the ragdoll left the level"), code == 1, "{name}: {said}");
            assert!(folder.0.join(name).exists(), "what happened is drawn all the same");
        }
    }
}

#[test]
fn the_walls_of_a_map_are_drawn_and_written() {
    let folder = rooms("level-draw");
    for (name, level) in [("with.png", &["--level", "room.bsp"][..]), ("without.png", &[])] {
        let output = folder.draw(&[&["--anim", "idle", "-o", name], level].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_ne!(folder.picture("with.png").data(), folder.picture("without.png").data());
    assert!(folder.draw(&["--level", "room.bsp", "-o", "fall.glb"]).status.success());
    let bytes = std::fs::read(folder.0.join("fall.glb")).expect("a model");
    let model = skelobj::Model::load("fall.glb", &bytes, |_| None).expect("a model");
    assert!(model.meshes.iter().any(|mesh| mesh.name == *"level"));
}

/// Counts the pixels of skin.
fn skin(picture: &tiny_skia::Pixmap) -> usize {
    let is_skin = |pixel: &&tiny_skia::PremultipliedColorU8| i32::from(pixel.red()) > i32::from(pixel.blue()) + 40;
    picture.pixels().iter().filter(is_skin).count()
}

#[test]
fn a_floor_above_a_figure_hides_it_neither_in_a_picture_nor_in_a_viewer() {
    let folder = Folder::new("level-pit");
    // A room with a floor at 0 and a pit, 136 units deep, in which the figure falls.
    folder.write("pit.bsp", include_bytes!("pictures/pit.bsp"));
    let drawn = |arguments: &[&str], file: &str| {
        let output = folder.draw(&[arguments, &["--no-bodies", "--width", "200"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        skin(&folder.picture(file))
    };
    let flat = drawn(&["--drop", "--panels", "2", "-o", "flat.png"], "flat.png");
    for (file, at) in [("middle.png", "0,0,-96"), ("side.png", "-90,120,-50")] {
        let deep = drawn(&["--drop", "--panels", "2", "--level", "pit.bsp", "--at", at, "-o", file], file);
        assert!(deep * 2 > flat && flat > 200, "{at}: {deep} pixels of {flat}");
    }
    let output = folder.draw(&["--drop", "--level", "pit.bsp", "-o", "pit.glb"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(folder.0.join("pit.glb")).expect("a model");
    let model = skelobj::Model::load("pit.glb", &bytes, |_| None).expect("a model");
    let level = model.meshes.iter().find(|mesh| mesh.name == *"level").expect("what is around the figure");
    let size = |axis: usize| {
        let all = level.positions.iter().map(|place| place[axis]);
        all.clone().fold(f32::MIN, f32::max) - all.fold(f32::MAX, f32::min)
    };
    assert!((100.0..500.0).contains(&size(0)) && size(2) < 136.0, "{} x {} x {}", size(0), size(1), size(2));
}

#[test]
fn a_map_is_described() {
    let folder = rooms("level-info");
    let output = folder.skelobj(&["info", "room.bsp"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("room.bsp: 2 brush models, "), "{text}");
    assert!(text.contains("info_player_start") && text.contains("world: 128 x 128 x 128 units"), "{text}");
    let output = folder.skelobj(&["info", "--json", "room.bsp"]);
    let info: Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!(info["models"].as_array().map(Vec::len), Some(2));
    assert_eq!(info["brush_entities"][0]["solid"], true);
}

#[test]
fn a_map_given_as_a_model_gets_advice_on_where_it_belongs() {
    let folder = rooms("level-model");
    for command in [&["sim", "room.bsp"][..], &["draw", "room.bsp"], &["fit", "room.bsp"]] {
        let output = folder.skelobj(command);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(said.contains("room.bsp is a map, not a model") && said.contains("--level"), "{said}");
    }
    for option in [["--with", "room.bsp"], ["--frames", "1"], ["--time", "0"]] {
        let output = folder.skelobj(&[&["info", "room.bsp", "--json"], option.as_slice()].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{option:?}");
        assert_eq!(said, format!("skelobj: room.bsp is a map: {} is for models\n", option[0]));
    }
}
