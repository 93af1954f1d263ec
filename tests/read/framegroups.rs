//! `.framegroups` files: animations made from lines.

use crate::common;
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Action, Animation, AnimationSource, Bone, Event, Mesh, Skeleton};

/// Returns a model of one bone with `frames` frames and one animation that has an event.
fn model(frames: usize) -> Model {
    let bone = Bone { name: "root".into(), parent: None, bind: Mat3x4::IDENTITY };
    let mut own = Animation::frames("own", 0, 1, 10.0, false);
    own.events = vec![Event { time: 0.0, code: 1, data: "own".into() }];
    Model {
        skeleton: Skeleton::new(vec![bone]).unwrap(),
        animations: vec![own],
        frames: (0..frames).map(|f| Mat3x4::from_translation(Vec3::X * f as f32)).collect(),
        ..Model::default()
    }
}

fn model_named(name: &str, frames: usize) -> Model {
    let mut model = model(frames);
    model.animations[0].name = name.into();
    model
}

/// Returns the animations and repairs of a text beside a model of ten frames.
fn groups(text: &str) -> (Vec<Animation>, Vec<String>) {
    let mut model = model(10);
    model.apply_framegroups("m.iqm", text.as_bytes());
    (model.animations, model.warnings.into_iter().map(|w| w.message()).collect())
}

fn one(text: &str) -> Animation {
    let (animations, _) = groups(text);
    let [animation] = &animations[..] else { panic!("{text}: {animations:?}") };
    animation.clone()
}

fn run(first: u32, count: u32) -> AnimationSource {
    AnimationSource::Frames { first, count }
}

/// File of the recorded calls, and FTE's result (names, counts and durations; loops as the lines state).
#[test]
fn the_recorded_file_gives_the_recorded_animations() {
    let text = "0 4 10 1 walk\n4 5 8 0 run\n9 1 5 1\n0 13 20 yes long\n// a comment line\n2 3 0 1 zerofps\n\
                5 0 10 1 noposes\n11 100 10 0 clipped\n100 5 10 1 beyond\n3 2 -4 1 negfps\n\
                \"6\" 2 6 true \"two words\" 5 1\n7 1\n";
    let mut model = model(19);
    model.apply_framegroups("fg.iqm", text.as_bytes());
    let expected = [
        ("walk", 0.4, true, run(0, 4)),
        ("run", 0.625, false, run(4, 5)),
        ("groupified_2_anim", 0.2, true, run(9, 1)),
        ("long", 0.65, true, run(0, 13)),
        ("clipped", 0.8, false, run(11, 8)),
        ("beyond", 0.1, true, AnimationSource::BindPose),
        ("negfps", 0.2, true, run(3, 2)),
        ("two words", 0.333_333_34, true, run(6, 2)),
    ];
    assert_eq!(model.animations.len(), expected.len());
    for (ours, (name, duration, looping, source)) in model.animations.iter().zip(expected) {
        assert_eq!((ours.name.to_string().as_str(), ours.looping, &ours.source), (name, looping, &source));
        assert!((ours.duration() - duration).abs() < 1e-6, "{name}: {}", ours.duration());
        assert!(ours.events.is_empty());
    }
    assert_eq!(model.animations[7].action, Action { id: 5, weight: 1.0 });
    assert_eq!(model.animations[0].action, Action::NONE);
    let repairs: Vec<_> = model.warnings.iter().map(|w| (w.offset, w.message())).collect();
    let at = |line: &str| text.find(line).unwrap();
    let dropped = |w: &(usize, String)| w.1.starts_with("skipped: ").then_some(w.0);
    let dropped: Vec<usize> = repairs.iter().filter_map(dropped).collect();
    assert_eq!(dropped, [at("2 3 0"), at("5 0 10"), at("7 1\n")]);
    assert!(
        repairs.contains(&(at("11 100"), "animation of 100 frames extends past the last frame; cut to 8".to_owned()))
    );
    assert!(repairs.contains(&(
        at("100 5"),
        "animation has no frames or starts past the last frame; it shows the bind pose".to_owned()
    )));
    assert!(repairs.contains(&(at("3 2 -4"), "no usable frame rate; set to 10 frames per second".to_owned())));
}

#[test]
fn a_comma_list_names_poses_one_by_one() {
    let list = one("4,5,6,5 0 12 1 back // and forth");
    assert_eq!(list.source, AnimationSource::List(vec![4, 5, 6, 5]));
    assert_eq!((list.name.to_string().as_str(), list.rate, list.looping), ("back", 12.0, true));
    let long: Vec<String> = (0..300).map(|i| (i % 10).to_string()).collect();
    assert_eq!(one(&format!("{} 1 10", long.join(","))).pose_count(), 256);
}

#[test]
fn poses_past_the_last_frame_show_the_last_one() {
    let (animations, repairs) = groups("8,9,10,99,-1 1 10");
    assert_eq!(animations[0].source, AnimationSource::List(vec![8, 9, 9, 9, 0]));
    assert!(matches!(&repairs[..], [one] if one.starts_with("skipped: ")), "{repairs:?}");
}

#[test]
fn animations_do_not_loop_unless_the_file_says_so() {
    let looping = |word: &str| one(&format!("0 1 10 {word}")).looping;
    assert!(["true", "yes", "on", "1", "-1", "0.5", "YES"].into_iter().all(looping));
    assert!(!["", "false", "no", "off", "0", "loop"].into_iter().any(looping));
}

#[test]
fn a_comment_is_not_a_name() {
    assert!(one("1 5 20 1 // forward").name == *"groupified_0_anim");
    assert!(one("1 5 20 1 \"// forward\"").name == *"// forward");
}

#[test]
fn comments_are_skipped_silently() {
    let text = "# frames of the imp\n\n   // idle\n/* a */ 0 /* b */ 2 10 /* c */\n  #2 frames\n/* the following\n\
                animations are off\n*/\n4 1 10 1 walk 3 0.5 text behind // the end\n/**/\n5 1 10 /* open";
    let (animations, repairs) = groups(text);
    assert!(repairs.is_empty(), "{repairs:?}");
    let runs: Vec<_> = animations.iter().map(|animation| animation.source.clone()).collect();
    assert_eq!(runs, [run(0, 2), run(4, 1), run(5, 1)]);
    // In FTE a comment ends with its line.
    assert_eq!(groups("/* off\n0 1 10\n*/\n2 1 10").0.len(), 2);
    assert_eq!(groups("/* a */ nonsense\n0 1 10\n/* b\n*/ nonsense").1.len(), 1);
    assert_eq!(groups("0 1 10\n/* a */\nnonsense").1.len(), 1);
}

#[test]
fn line_ends_and_tabs_do_not_matter() {
    let (animations, repairs) = groups("\r\n0\t2\t10\t0\ta\r\n   \r\n2 2 10 0 b");
    let names: Vec<String> = animations.iter().map(|a| a.name.to_string()).collect();
    assert_eq!((names, repairs), (vec!["a".to_owned(), "b".to_owned()], vec![]));
}

#[test]
fn a_first_pose_below_zero_is_outside() {
    assert_eq!(one("-3 5 10").source, AnimationSource::BindPose);
}

#[test]
fn without_any_animation_the_models_own_stay() {
    for text in ["", "// nothing\n", "0 0 10", "{\"framegroups\":[]}", "\0\0\0"] {
        let (animations, repairs) = groups(text);
        assert!(animations[0].name == *"own" && animations[0].events.len() == 1, "{text}");
        assert!(!repairs.is_empty(), "{text}");
    }
}

#[test]
fn a_model_without_frames_shows_its_bind_pose() {
    let mut model = model(0);
    model.apply_framegroups("m.md5mesh", b"0 4 10 1 walk\n1,2 1 10");
    let sources: Vec<_> = model.animations.iter().map(|a| a.source.clone()).collect();
    assert_eq!(sources, [AnimationSource::BindPose, AnimationSource::BindPose]);
}

/// Mesh file of Doom 3 with one joint.
const MD5MESH: &[u8] = b"MD5Version 10 numJoints 1 numMeshes 0 joints { \"root\" -1 (0 0 0) (0 0 0) }";

/// Returns an animation file of Doom 3 that moves the joint along X, one unit per frame from `first` on.
fn md5anim(first: usize, frames: usize) -> Vec<u8> {
    let header = format!(
        "MD5Version 10 numFrames {frames} numJoints 1 frameRate 24 numAnimatedComponents 1\n\
         hierarchy {{ \"root\" -1 1 0 }} bounds {{ {} }} baseframe {{ (0 0 0) (0 0 0) }}\n",
        "(0 0 0) (0 0 0) ".repeat(frames)
    );
    let frame = |number: usize| format!("frame {number} {{ {} }}\n", first + number);
    (header + &(0..frames).map(frame).collect::<String>()).into_bytes()
}

/// Loads a mesh file with a `.framegroups` file beside it.
fn mesh_with_groups(text: &str) -> Model {
    let side = |name: &str| (name == "guard.md5mesh.framegroups").then(|| text.as_bytes().to_vec());
    Model::load("guard.md5mesh", MD5MESH, side).unwrap()
}

/// Returns the X of the root in each pose of an animation.
fn poses(model: &Model, animation: usize) -> Vec<f32> {
    let animation = &model.animations[animation];
    (0..animation.pose_count()).map(|pose| model.pose(animation, pose)[0].origin().x).collect()
}

#[test]
fn lines_beside_a_mesh_name_frames_of_the_animations_that_join_it() {
    let mut model = mesh_with_groups("0 2 10 1 walk\n2 3 20 0 run\n4,0 1 5 0 back\n9 1 10 0 late\n");
    assert_eq!(model.warnings.len(), 4, "{:?}", model.warnings);
    let guard = Model::load("guard.md5anim", &md5anim(0, 5), |_| None).unwrap();
    model.join(&guard).unwrap();
    // The lines keep their numbers; joined animations follow.
    let names: Vec<String> = model.animations.iter().map(|a| a.name.to_string()).collect();
    assert_eq!(names, ["walk", "run", "back", "late", "guard"]);
    let shown = [0, 1, 2, 3, 4].map(|animation| poses(&model, animation));
    assert_eq!(shown, [vec![0.0, 1.0], vec![2.0, 3.0, 4.0], vec![4.0, 0.0], vec![0.0], vec![0.0, 1.0, 2.0, 3.0, 4.0]]);
    assert_eq!((model.animations[1].rate, model.animations[1].looping), (20.0, false));
    let repairs: Vec<_> = model.warnings.iter().map(|w| w.message()).collect();
    assert_eq!(
        repairs,
        ["animation has no frames or starts past the last frame; it shows the bind pose"],
        "only `late` still has no frames"
    );

    // Frames of a second file are numbered after those of the first.
    let more = Model::load("more.md5anim", &md5anim(5, 5), |_| None).unwrap();
    model.add_animations(&more).unwrap();
    assert_eq!((poses(&model, 3), poses(&model, 0)), (vec![9.0], vec![0.0, 1.0]));
    assert!(model.animations[5].name == *"more" && poses(&model, 5)[0] == 5.0);
    assert_eq!(model.warnings, []);
}

#[test]
fn a_shortened_line_covers_the_joined_frames() {
    let mut model = model(2);
    model.apply_framegroups("m.iqm", b"0 4 10 1 all\n0 1 10 0 first");
    assert_eq!(model.animations[0].source, run(0, 2));
    model.join(&model_named("extra", 3)).unwrap();
    assert_eq!((&model.animations[0].source, &model.animations[1].source), (&run(0, 4), &run(0, 1)));
    assert!(model.animations[2].name == *"extra");
    assert_eq!(model.warnings, []);
}

#[test]
fn a_single_line_that_has_no_frames_yet_is_kept() {
    let mut model = mesh_with_groups("5 2 10 1 wait");
    for (first, name) in [(0, "a"), (4, "b")] {
        let anim = Model::load(&format!("{name}.md5anim"), &md5anim(first, 4), |_| None).unwrap();
        model.join(&anim).unwrap();
    }
    let names: Vec<String> = model.animations.iter().map(|a| a.name.to_string()).collect();
    assert_eq!((names.join(" ").as_str(), poses(&model, 0)), ("wait a b", vec![5.0, 6.0]));
}

#[test]
fn animations_that_were_put_in_place_of_the_lines_stay() {
    let mut model = mesh_with_groups("0 2 10 1 walk\n2 2 10 1 run\n");
    model.animations.swap(0, 1);
    let before = model.animations.clone();
    model.join(&Model::load("a.md5anim", &md5anim(0, 4), |_| None).unwrap()).unwrap();
    assert_eq!(model.animations[..2], before[..]);
}

#[test]
fn lines_beside_surfaces_without_bones_survive_the_skeleton() {
    let mesh = Mesh { positions: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 2]], ..Mesh::default() };
    let mut model = Model { meshes: vec![mesh], ..Model::default() };
    model.skeleton = Skeleton::without_bind(vec![("root".into(), None)]).unwrap();
    model.apply_framegroups("m", b"1 2 10 1 walk");
    model.join(&model_named("extra", 3)).unwrap();
    let sources: Vec<_> = model.animations.iter().map(|a| a.source.clone()).collect();
    assert_eq!(sources, [run(1, 2), run(0, 1)]);
}

#[test]
fn json_contains_the_text_and_more() {
    let text = r#" { "modelflags": 8, // flags
        "framegroups": [
            {"name": "walk", "firstpose": 2, "numposes": 3, "fps": 20, "loop": true, "action": 4, "actionweight": 2,
             "events": [{"timestamp": 0.1, "code": 2, "value": "late"}, {"pose": 1, "code": 1, "value": "\u0065arly"}]},
            {"poses": [3, 1, 3], "fps": -1, "loop": 0},
            {"numposes": 0},
            {"name": "rest", "firstpose": 9, "numposes": 5, "fps": 5},
        ] }"#;
    let mut model = model(10);
    model.apply_framegroups("m.iqm", text.as_bytes());
    let [walk, list, rest] = &model.animations[..] else { panic!("{:?}", model.animations) };
    assert_eq!(model.flags, 8);
    assert_eq!((walk.name.to_string().as_str(), walk.rate, walk.looping), ("walk", 20.0, true));
    assert_eq!((&walk.source, walk.action), (&run(2, 3), Action { id: 4, weight: 2.0 }));
    let event = |time, code, data: &str| Event { time, code, data: data.into() };
    assert_eq!(walk.events, [event(0.05, 1, "early"), event(0.1, 2, "late")]);
    assert_eq!((list.name.to_string().as_str(), list.rate, list.looping), ("m.iqm[1]", 10.0, false));
    assert_eq!((&list.source, list.action), (&AnimationSource::List(vec![3, 1, 3]), Action::NONE));
    assert_eq!(rest.source, run(9, 1));
}

#[test]
fn broken_json_is_read_as_lines() {
    let (animations, _) = groups("{\"framegroups\":\n0 2 10 1 a\n");
    assert!(animations.len() == 1 && animations[0].name == *"a");
    let deep = "{\"framegroups\":".to_owned() + &"[".repeat(100_000);
    assert!(groups(&deep).0[0].name == *"own");
}

#[test]
fn the_file_is_asked_for_by_the_models_whole_name() {
    let bytes = skelobj::write::iqm(&model(10)).unwrap();
    let mut asked = Vec::new();
    let model = Model::load("progs/ogre.iqm", &bytes, |name| {
        asked.push(name.to_owned());
        Some(b"0 10 20 1 all".to_vec())
    });
    assert_eq!(asked, ["progs/ogre.iqm.framegroups"]);
    assert!(model.unwrap().animations[0].name == *"all");
}

#[test]
fn numbers_of_hundreds_of_digits_are_harmless() {
    for digits in
        ["0x".to_owned() + &"f".repeat(300), "9".repeat(300), "1e".to_owned() + &"9".repeat(300), "-".repeat(300)]
    {
        let lines = format!(
            "0 {digits} 10 1 a\n{digits} 2 10 1 b\n0 2 {digits} 1 c\n0 2 10 {digits} d\n1,{digits} 1 9\n0 2 9 1 e"
        );
        let json =
            format!("{{\"framegroups\": [{{\"firstpose\": {digits}, \"numposes\": {digits}, \"fps\": {digits}}}]}}");
        for text in [lines, json] {
            let (animations, _) = groups(&text);
            assert!(!animations.is_empty(), "{text}");
            for animation in animations {
                assert!(
                    animation.rate > 0.0 && animation.duration().is_finite() && animation.pose_count() <= 10,
                    "{text}"
                );
            }
        }
    }
}

/// FTE's answers about the model of the recorded calls.
#[test]
fn recorded_answers_are_ours() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED recorded_answers_are_ours: no shared folder");
        return;
    };
    let models = shared.join("golden/models");
    let bytes = std::fs::read(models.join("fg.iqm")).unwrap();
    let model = Model::load("fg.iqm", &bytes, |side| std::fs::read(models.join(side)).ok()).unwrap();
    let text = std::fs::read(shared.join("golden/framegroups_file.json")).unwrap();
    let golden: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let mut count = 0;
    for call in golden["cases"][0]["calls"].as_array().unwrap() {
        let (argument, result) = (&call["args"][1], &call["result"]);
        let animation = || model.animations.get(argument.as_u64().unwrap() as usize);
        match call["builtin"].as_str().unwrap() {
            "frametoname" => {
                let name = animation().map_or(String::new(), |a| a.name.to_string());
                assert_eq!(name, result.as_str().unwrap(), "{call}");
            }
            "frameduration" => {
                let duration = animation().map_or(0.0, Animation::duration);
                assert!((f64::from(duration) - result.as_f64().unwrap()).abs() < 1e-6, "{call}");
            }
            "frameforname" => {
                let found = model.find_animation(argument.as_str().unwrap().as_bytes());
                assert_eq!(found.map_or(-1, |i| i as i64), result.as_i64().unwrap(), "{call}");
            }
            "modelframecount" => assert_eq!(model.animations.len() as u64, result.as_u64().unwrap()),
            other => panic!("{other}"),
        }
        count += 1;
    }
    println!("shared cases: recorded_answers_are_ours: {count}");
}

#[test]
fn infinite_rates_become_the_default() {
    for rate in ["1e39", "1e999", "inf"] {
        assert_eq!(one(&format!("0 2 {rate} 1 a")).rate, 10.0, "{rate}");
    }
}
