//! Advice on the usual mistakes.

use crate::command::{Folder, skelobj, text};

#[test]
fn the_command_says_its_name_and_version() {
    assert_eq!(text(&skelobj(&["--version"]).stdout), format!("skelobj {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn commands_that_do_not_exist_lead_to_those_that_do() {
    for (command, advice) in [
        ("record", "skelobj sim --record"),
        ("play", "skelobj sim --replay"),
        ("test", "skelobj check"),
        ("lint", "skelobj check"),
        ("export", "skelobj convert"),
        ("render", "skelobj draw"),
    ] {
        let output = skelobj(&[command]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(said.lines().last().unwrap().starts_with("  tip: ") && said.contains(advice), "{said}");
    }
    assert!(!text(&skelobj(&["frobnicate"]).stderr).contains("tip: to"));
    let folder = Folder::new("hints");
    let model = folder.write("ogre.iqm", b"");
    assert!(
        text(&skelobj(&[&model]).stderr).contains(&format!("tip: to describe the model, use `skelobj info {model}`"))
    );
}

#[test]
fn an_output_without_its_option_is_named() {
    for arguments in [["fit", "ogre.iqm", "ogre.doll"], ["draw", "ogre.iqm", "ogre.png"]] {
        let said = text(&skelobj(&arguments).stderr);
        let output = arguments[2];
        assert!(said.ends_with(&format!("  tip: to write {output}, use `-o {output}`\n")), "{said}");
    }
    assert!(!text(&skelobj(&["fit", "ogre.iqm", "--nonsense"]).stderr).contains("tip: to write"));
    assert!(!text(&skelobj(&["info", "ogre.iqm", "ogre.txt"]).stderr).contains("tip: to write"), "it writes nothing");
}

#[test]
fn a_file_without_its_option_is_named() {
    for (arguments, advice) in [
        (["sim", "ogre.iqm", "ogre.doll"], "to use the doll ogre.doll, write `--doll ogre.doll`"),
        (["sim", "ogre.doll", "ogre.iqm"], "to use the doll ogre.doll, write `--doll ogre.doll`"),
        (["draw", "ogre.iqm", "ogre.doll"], "to use the doll ogre.doll, write `--doll ogre.doll`"),
        (["view", "ogre.iqm", "e1m1.bsp"], "to use the map e1m1.bsp, write `--level e1m1.bsp`"),
        (["info", "ogre.md5mesh", "walk.md5anim"], "to add walk.md5anim to the model, use `--with walk.md5anim`"),
        (["sim", "ogre.md5mesh", "walk.md5anim"], "to add walk.md5anim to the model, use `--with walk.md5anim`"),
        (["fit", "ogre.md5mesh", "walk.md5anim"], "to add walk.md5anim to the model, use `--with walk.md5anim`"),
        (["draw", "ogre.iqm", "ogre.glb"], "to write ogre.glb, use `-o ogre.glb`"),
    ] {
        let said = text(&skelobj(&arguments).stderr);
        assert!(said.ends_with(&format!("  tip: {advice}\n")), "{said}");
    }
    assert!(!text(&skelobj(&["sim", "--doll=ogre.doll", "a.txt", "b.txt"]).stderr).contains("tip: to use"));
}

#[test]
fn three_numbers_that_stand_apart_are_joined() {
    for (option, joined) in [("--velocity", "100,0,-20"), ("--orient", "0,90,0"), ("--spin", "1.5,0,1e2")] {
        let numbers: Vec<&str> = joined.split(',').collect();
        let said = text(&skelobj(&[&["sim", option], &numbers[..]].concat()).stderr);
        assert!(
            said.ends_with(&format!("  tip: three numbers are written with commas: `{option} {joined}`\n")),
            "{said}"
        );
    }
    assert!(!text(&skelobj(&["sim", "--velocity", "100", "ogre.iqm", "1"]).stderr).contains("tip:"));
    assert!(!text(&skelobj(&["sim", "--velocity", "100", "0"]).stderr).contains("tip:"));
    assert!(!text(&skelobj(&["sim", "--seconds", "700", "1", "2"]).stderr).contains("tip:"), "it takes one number");
}

#[test]
fn a_file_that_does_not_exist_leads_to_one_with_nearly_its_name() {
    let folder = Folder::new("nearest");
    let guy = folder.write("guy.iqm", b"");
    let walk = folder.write("walk.md5anim", b"");
    let said =
        |wrong: &str, name: &str| text(&skelobj(&["info", &guy.replace("guy.iqm", wrong)]).stderr).contains(name);
    assert!(said("guu.iqm", &format!("; did you mean {guy}?\n")));
    assert!(said("wlak.md5anm", &format!("; did you mean {walk}?\n")));
    assert!(!said("gxx.iqm", "did you mean"), "two letters of seven are too many");
    std::fs::create_dir(folder.0.join("monsters.iqm")).unwrap();
    assert!(!said("monster.iqm", "did you mean"), "a folder is no model");
    let doll = text(&skelobj(&["sim", "--doll", &guy.replace("guy.iqm", "gu.iqm")]).stderr);
    assert!(doll.contains(&format!("; did you mean {guy}?")), "{doll}");
}

#[test]
fn what_a_replay_excludes_is_named() {
    for other in [
        &["m.iqm"][..],
        &["--doll", "m.doll"],
        &["--from", "0"],
        &["--seconds", "1"],
        &["--orient", "0,0,0"],
        &["--velocity", "0,0,0"],
        &["--spin", "0,0,0"],
        &["--seed", "1"],
        &["--water", "1"],
        &["--level", "m.bsp"],
        &["--with", "m.iqm"],
        &["--scale", "2"],
        &["--record", "b.run"],
        &["--json"],
    ] {
        let output = skelobj(&[&["sim", "--replay", "a.run"], other].concat());
        let said = text(&output.stderr);
        let named = if other[0] == "m.iqm" { "[MODEL]" } else { other[0] };
        let expected = format!("error: the argument '--replay <RUN>' cannot be used with '{named}");
        let other_way = format!("error: the argument '{named}");
        assert_eq!(output.status.code(), Some(2), "{said}");
        let told = said.starts_with(&expected) || (said.starts_with(&other_way) && said.contains("'--replay <RUN>'"));
        assert!(told, "{said}");
    }
}

#[test]
fn numbers_out_of_range_are_answered_with_the_range() {
    for (arguments, wanted) in [
        (["sim", "--seed", "-1"], "expected a whole number, 0 or more"),
        (["sim", "--scale", "-1"], "expected a factor from 0.001 to 1000"),
        (["draw", "--panels", "33"], "expected a whole number from 1 to 32"),
        (["draw", "--width", "-1"], "expected a whole number from 64 to 3840"),
        (["fit", "--drop", "10001"], "expected a whole number from 0 to 10000"),
    ] {
        let output = skelobj(&arguments);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(wanted), "{said}");
    }
    let output = skelobj(&["sim", "--from", "-1"]);
    assert!(text(&output.stderr).starts_with("skelobj: no animation `-1`: "), "{}", text(&output.stderr));
}

#[test]
fn files_that_are_not_maps_or_dolls_are_named_for_what_they_are() {
    let folder = Folder::new("no-maps");
    folder.write("e1m1.map", b"// text");
    folder.write("empty.bsp", b"");
    let model = crate::command::repository("dolls/dog.iqm");
    for (arguments, wanted) in [
        (["sim", "--level", "e1m1.map"], "e1m1.map: it is the source of a map: compile it to a .bsp\n"),
        (["sim", "--level", "empty.bsp"], "empty.bsp: it is empty\n"),
        (["sim", "--level", &model], "dog.iqm: it is a model, not a map\n"),
        (["sim", "--doll", &model], "dog.iqm: it is not a doll: its format is Inter-Quake Model\n"),
        (["fit", "-o", "nowhere/a.doll"], "cannot write nowhere/a.doll: there is no folder nowhere\n"),
    ] {
        let said = text(&folder.skelobj(&arguments).stderr);
        assert!(said.ends_with(wanted), "{said}");
    }
}

#[test]
fn convert_takes_its_output_with_and_without_an_option() {
    let folder = Folder::new("convert-o");
    let model = crate::command::repository("dolls/dog.iqm");
    for arguments in [["convert", &model, "a.glb"].as_slice(), &["convert", &model, "-o", "b.glb"]] {
        let output = folder.skelobj(arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_eq!(std::fs::read(folder.0.join("a.glb")).unwrap(), std::fs::read(folder.0.join("b.glb")).unwrap());
    for arguments in [["convert", &model].as_slice(), &["convert", &model, "a.glb", "-o", "b.glb"]] {
        assert_eq!(folder.skelobj(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn files_that_are_not_models_are_named_for_what_they_are() {
    let folder = Folder::new("no-models");
    for (name, advice) in [
        ("ogre.doll", "is a doll, not a model: `skelobj check ogre.doll` tests it"),
        ("e1m1.map", "is the source of a map, not a model: compile it to a .bsp"),
        ("progs.dat", "is not a model: `skelobj script progs.dat` runs compiled QuakeC"),
        ("fall.run", "is not a model: `skelobj sim --replay fall.run` repeats a recorded fall"),
    ] {
        folder.write(name, b"// text");
        let output = folder.skelobj(&["info", name]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stderr), format!("skelobj: {name} {advice}\n"));
    }
    folder.write("notes.txt", b"text");
    let said = text(&folder.skelobj(&["info", "notes.txt"]).stderr);
    assert!(
        said.starts_with(
            "skelobj: notes.txt: the first bytes match no known model format; known are Inter-Quake Model, "
        ),
        "{said}"
    );
    assert!(said.contains("Inter-Quake Model, ") && !said.contains("byte 0"), "{said}");
    let said = text(&folder.skelobj(&["replay", "fall.run"]).stderr);
    assert!(said.ends_with("  tip: `skelobj sim --replay fall.run` repeats a recorded fall\n"), "{said}");
}

#[test]
fn a_doll_under_another_name_is_written_with_a_note() {
    let folder = Folder::new("doll-name");
    let model = crate::command::repository("dolls/dog.iqm");
    let noted = |name: &str| text(&folder.skelobj(&["fit", &model, "-o", name]).stderr);
    assert_eq!(noted("dog.txt"), "dog.txt: note: engines look for dolls whose names end in .doll\n");
    assert_eq!(noted("dog.doll"), "");
}

#[test]
fn numbers_are_written_as_people_write_them() {
    let said = text(&skelobj(&["info", &crate::command::repository("dolls/dog.iqm")]).stdout);
    assert!(said.starts_with("dog.iqm: 20 bones, 1 animation, 16 frames, 1 mesh\n"), "{said}");
    assert!(said.contains("\nbones (number as in QuakeC, from 1; "), "{said}");
    assert!(said.contains("\nanimations (number from 0, "), "{said}");
    assert!(!said.contains("-0.00"), "{said}");
}
