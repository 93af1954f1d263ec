//! FTE's `EXTERNALANIM` lists.

use skelobj::model::{AnimationSource, ModelProblem};
use skelobj::{Format, Limits, Model};

const MESH: &[u8] = b"MD5Version 10 numJoints 2 numMeshes 0
    joints { \"root\" -1 (0 0 0) (0 0 0) \"tip\" 0 (8 0 0) (0 0 0) }";

/// Returns an animation of the bones of the mesh, or of others, whose root moves along X from `first` on.
fn motion(bones: [&str; 2], first: usize, frames: usize) -> Vec<u8> {
    let [root, tip] = bones;
    let header = format!(
        "MD5Version 10 numFrames {frames} numJoints 2 frameRate 30 numAnimatedComponents 1
         hierarchy {{ \"{root}\" -1 1 0 \"{tip}\" 0 0 0 }} bounds {{ {} }} baseframe {{ (0 0 0) (0 0 0) (8 0 0) (0 0 0) }}",
        "(0 0 0) (0 0 0) ".repeat(frames)
    );
    (header + &(0..frames).map(|frame| format!("frame {frame} {{ {} }}\n", first + frame)).collect::<String>())
        .into_bytes()
}

/// Returns the model of a list in a game with these files.
fn load(list: &str, files: &[(&str, Vec<u8>)]) -> (Result<Model, skelobj::model::ModelError>, Vec<String>) {
    let mut asked = Vec::new();
    let model = Model::load("progs/imp.mdl", list.as_bytes(), |name| {
        asked.push(name.to_owned());
        files.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.clone())
    });
    (model, asked)
}

fn game() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("models/imp.md5mesh", MESH.to_vec()),
        ("models/walk.md5anim", motion(["root", "tip"], 0, 3)),
        ("models/die.md5anim", motion(["root", "tip"], 10, 2)),
        ("progs/local.md5anim", motion(["root", "tip"], 20, 1)),
        ("models/other.md5anim", motion(["root", "horn"], 30, 1)),
        ("models/foreign.md5anim", motion(["a", "b"], 40, 1)),
        ("models/broken.md5anim", b"MD5Version 10 numFrames".to_vec()),
    ]
}

/// Returns name, first frame, number of frames, rate and loop of each animation after the first, which is that of the
/// mesh.
fn animations(model: &Model) -> Vec<(String, u32, u32, f32, bool)> {
    assert_eq!((model.animations[0].name.to_string(), model.animations[0].is_rest_pose()), ("base".into(), true));
    let run = |animation: &skelobj::model::Animation| match animation.source {
        AnimationSource::Frames { first, count } => {
            (animation.name.to_string(), first, count, animation.rate, animation.looping)
        }
        _ => panic!("{animation:?}"),
    };
    model.animations[1..].iter().map(run).collect()
}

#[test]
fn a_list_brings_mesh_and_animations_together() {
    let list = "EXTERNALANIM // the imp\nmodel models/imp.md5mesh\n\ngroup models/walk.md5anim\n\
                clampgroup \"models/die.md5anim\"\nframes models/die.md5anim /* again */ group models/walk.md5anim";
    assert_eq!(Format::detect(list.as_bytes()), Some(Format::Md5List));
    let (model, asked) = load(list, &game());
    let model = model.unwrap();
    let (walk, die) = ("models/walk.md5anim", "models/die.md5anim");
    let expected = [
        (walk.into(), 0, 3, 30.0, true),
        (die.into(), 3, 2, 30.0, false),
        (die.into(), 3, 1, 24.0, false),
        (die.into(), 4, 1, 24.0, false),
        (walk.into(), 0, 3, 30.0, true),
    ];
    assert_eq!(animations(&model), expected);
    assert_eq!((model.frame_count(), model.bounds.len(), model.warnings.len()), (5, 5, 0));
    assert_eq!(model.frame(4).unwrap()[0].origin().x, 11.0);
    // Each file is requested once, and no .framegroups file: FTE's loader of lists reads none.
    assert_eq!(asked, ["models/imp.md5mesh", walk, die]);
}

#[test]
fn files_that_are_not_at_the_root_are_searched_beside_the_list() {
    let (model, asked) = load("EXTERNALANIM model models/imp.md5mesh group anims/local.md5anim", &game());
    assert_eq!(animations(&model.unwrap()), [("anims/local.md5anim".into(), 0, 1, 30.0, true)]);
    assert_eq!(asked[1..], ["anims/local.md5anim", "progs/local.md5anim"]);
}

#[test]
fn animations_that_cannot_be_used_are_left_out() {
    let names = ["missing", "broken", "foreign", "../models/walk", "/models/walk", "models\\walk"];
    let groups: String =
        names.iter().map(|name| format!("group models/{name}.md5anim ").replace("models/.", ".")).collect();
    let (model, asked) = load(&format!("EXTERNALANIM model models/imp.md5mesh {groups}"), &game());
    let model = model.unwrap();
    assert_eq!((animations(&model).len(), model.frame_count()), (0, 0));
    let missing = |warning: &skelobj::model::ModelWarning| {
        warning.message().ends_with("is missing or unusable; loaded without it")
    };
    assert_eq!((model.warnings.len(), model.warnings.iter().all(missing)), (names.len(), true), "{:?}", model.warnings);
    assert!(asked.iter().all(|name| skelobj::is_plain_path(name)), "{asked:?}");

    let (model, _) = load("EXTERNALANIM model models/imp.md5mesh group models/other.md5anim", &game());
    let model = model.unwrap();
    assert_eq!(animations(&model).len(), 1);
    assert!(matches!(model.warnings[..], [ref warning] if warning.message().starts_with("accepted: ")));
}

#[test]
fn lists_that_make_no_sense_are_refused() {
    let problem = |list: &str| load(list, &game()).0.unwrap_err().problem;
    for list in ["EXTERNALANIM", "EXTERNALANIM group models/walk.md5anim", "EXTERNALANIM model"] {
        assert!(matches!(problem(list), ModelProblem::Missing { .. } | ModelProblem::UnexpectedText { .. }), "{list}");
    }
    for list in ["models/no.md5mesh", "../models/imp.md5mesh"] {
        assert_eq!(problem(&format!("EXTERNALANIM model {list}")), ModelProblem::SideFile { name: list.into() });
    }
    let word = problem("EXTERNALANIM model models/imp.md5mesh pose models/walk.md5anim");
    assert!(matches!(word, ModelProblem::UnexpectedText { found, .. } if found == *"pose"));
    assert!(matches!(problem("EXTERNALANIM model models/walk.md5anim"), ModelProblem::UnexpectedText { .. }));
}

#[test]
fn a_list_takes_no_more_memory_than_its_files_are_worth() {
    let long = ("models/long.md5anim", motion(["root", "tip"], 0, 5_000));
    let files = [game(), vec![long]].concat();
    let list =
        |lines: usize| format!("EXTERNALANIM model models/imp.md5mesh{}", "\nframes models/long.md5anim".repeat(lines));
    assert_eq!(animations(&load(&list(3), &files).0.unwrap()).len(), 15_000);
    let error = load(&list(5_000), &files).0.unwrap_err();
    assert!(matches!(error.problem, ModelProblem::LimitExceeded(_)), "{error}");

    // At most a thousand missing files are requested.
    let names: String = (0..3_000).map(|name| format!(" group a/{name}")).collect();
    let (model, asked) = load(&format!("EXTERNALANIM model models/imp.md5mesh{names}"), &files);
    let model = model.unwrap();
    assert_eq!((model.animations.len(), model.warnings.len()), (1, Limits::default().warnings as usize + 1));
    assert_eq!(asked.len(), 1 + 2 * 1024);
}

#[test]
fn the_files_of_a_list_share_one_limit() {
    let files = [MESH.to_vec(), motion(["root", "tip"], 0, 5_000), motion(["root", "tip"], 9, 5_000)];
    let load = |memory: u64, list: &str| {
        let mut limits = Limits::default();
        limits.memory = memory;
        Model::load_with(
            &skelobj::LoadOptions::default().with_limits(limits),
            "imp.mdl",
            format!("EXTERNALANIM model 0 {list}").as_bytes(),
            |name| files.get(name.parse::<usize>().ok()?).cloned(),
        )
    };
    // The frames take 480 kB each while they are read, and again in the model.
    let memory = 1_600_000;
    for one in ["group 1", "group 2"] {
        assert_eq!(load(memory, one).unwrap().frame_count(), 5_000);
    }
    for (memory, list) in [(memory, "group 1 group 2"), (300_000, "group 1"), (100, "")] {
        let error = load(memory, list).unwrap_err();
        assert!(matches!(error.problem, ModelProblem::LimitExceeded(_)), "{error}");
        assert_eq!(error.section == "list", !list.is_empty(), "{error}");
    }
    let error = load(memory, "group 1 frames 2").unwrap_err();
    assert_eq!(error.offset, "EXTERNALANIM model 0 group 1 frames ".len());
}
