//! Players of three parts: their text files, and the parts joined by tags.

use crate::common;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{
    Animation, Bone, FrameState, Material, Mesh, Morph, Player, PlayerConfig, PlayerError, PlayerFrames, PlayerPart,
    Skeleton, Skin, SkinMaterial, Tag, VertexFrames,
};
use skelobj::{Model, assets};

const CONFIG: &str = "// a player\n\
    sex f\n\
    footsteps mech\n\
    headoffset 1 -2.5 0\n\
    fixedlegs\n\
    nonsense\n\
    0 5 0 20 // BOTH_DEATH1\n\
    4 1 0 20\n\
    0 5 0 20\n\
    4 1 0 20\n\
    0 5 0 20\n\
    4 1 0 20\n\
    5 10 0 10 // TORSO_GESTURE\n\
    15 2 0 10\n\
    15 2 0 10\n\
    15 2 0 10\n\
    15 2 0 10\n\
    17 1 0 10\n\
    18 1 0 10\n\
    19 8 8 20 // LEGS_WALKCR\n\
    27 6 2 10 // LEGS_WALK\n\
    bad line\n\
    33 x 0 0\n\
    33 9 9 0 // LEGS_BACK\n";

#[test]
fn settings_and_animations_come_out_of_the_text() {
    let config = PlayerConfig::parse(CONFIG.as_bytes());
    assert_eq!((config.sex.to_string(), config.footsteps.to_string()), ("f".into(), "mech".into()));
    assert_eq!((config.head_offset, config.fixed_legs, config.fixed_torso), ([1.0, -2.5, 0.0], true, false));
    let find = |name: &str| config.animations.iter().find(|a| a.name == *name);
    let death = find("BOTH_DEATH1").unwrap();
    assert_eq!((death.legs, death.torso, death.count, death.loop_frames, death.rate), (Some(0), Some(0), 5, 0, 20.0));
    let gesture = find("TORSO_GESTURE").unwrap();
    assert_eq!((gesture.legs, gesture.torso), (None, Some(5)));
    // Frames of the legs are numbered after those of the torso: 19 - (19 - 5).
    let walk = find("LEGS_WALKCR").unwrap();
    assert_eq!((walk.legs, walk.torso, walk.count, walk.loop_frames), (Some(5), None, 8, 8));
    assert_eq!(find("LEGS_WALK").unwrap().legs, Some(13));
    // A bad line of numbers keeps its position in the order; a rate of 0 becomes 10.
    assert!(find("LEGS_RUN").is_none());
    assert_eq!(find("LEGS_BACK").unwrap().rate, 10.0);
    assert_eq!(config.warnings.len(), 3, "{:?}", config.warnings);
    assert_eq!(config.warnings[0].offset, CONFIG.find("nonsense").unwrap());
}

#[test]
fn any_text_is_read_without_panic() {
    for text in
        ["", "0", "0 0 0 0", "9e99 9e99 9e99 9e99", "-1 2 3 4", "0 1 2 NaN", "\u{0}\u{fffd}", "sex", "headoffset x"]
    {
        let config = PlayerConfig::parse(text.as_bytes());
        assert!(config.animations.iter().all(|a| a.count > 0 && a.rate > 0.0 && a.rate.is_finite()), "{text}");
    }
    assert_eq!(PlayerConfig::parse(&[0xff, b'\n', b'0', b' ', 0xc3]).animations, []);
}

#[test]
fn a_skin_dresses_surfaces_by_name() {
    let mesh = |name: &str| Mesh { name: name.into(), material: "own".into(), ..Mesh::default() };
    let mut model = Model { meshes: vec![mesh("u_torso"), mesh("U_ARM"), mesh("bare")], ..Model::default() };
    model.apply_skin(b"u_torso,models/a.tga\r\nu_arm, \"models/b.tga\"\nbare,\ntag_head,\nno comma\nabsent,x\n");
    let materials: Vec<String> = model.meshes.iter().map(|mesh| mesh.material.to_string()).collect();
    assert_eq!(materials, ["models/a.tga", "models/b.tga", "own"]);
}

fn part(tags: &[(&str, Mat3x4)], frames: usize) -> Model {
    let tag = |&(name, at): &(&str, Mat3x4)| Tag {
        name: name.into(),
        frames: (0..frames).map(|f| at.with_origin(at.origin() + Vec3::X * f as f32)).collect(),
    };
    Model { tags: tags.iter().map(tag).collect(), ..Model::default() }
}

/// Returns a quarter turn to the left with an offset upward.
fn turned_up(height: f32) -> Mat3x4 {
    Mat3x4::from_columns(Vec3::Y, -Vec3::X, Vec3::Z, Vec3::Z * height)
}

#[test]
fn parts_hang_on_each_others_tags() {
    let lower = part(&[("tag_torso", turned_up(10.0))], 4);
    let weapon = Mat3x4::from_translation(Vec3::Y);
    let upper = part(&[("tag_weapon", weapon), ("tag_head", turned_up(5.0))], 4);
    let mut player = Player { lower, upper, head: Model::default(), config: PlayerConfig::parse(b"") };
    let still = player.place(&PlayerFrames::default());
    assert_eq!(still.upper, turned_up(10.0));
    assert_eq!(still.weapon.origin(), Vec3::new(-1.0, 0.0, 10.0));
    assert_eq!(still.head.origin(), Vec3::Z * 15.0);
    assert_eq!(still.head.forward(), -Vec3::X);

    // The torso leans by its own rotation and takes head and weapon along; the legs continue their animation.
    player.lower.animations = vec![Animation::frames("step", 2, 1, 10.0, false)];
    let lean = Mat3x4::from_columns(Vec3::X, Vec3::Z, -Vec3::Y, Vec3::ZERO);
    let moved = player.place(&PlayerFrames { torso_turn: lean, ..PlayerFrames::default() });
    assert_eq!(moved.upper, (turned_up(10.0) * lean).with_origin(Vec3::new(2.0, 0.0, 10.0)));
    assert_eq!(moved.head.origin(), Vec3::new(2.0 + 5.0, 0.0, 10.0));

    // Without tags everything is at the origin.
    player.lower.tags.clear();
    assert_eq!(player.place(&PlayerFrames::default()).upper, Mat3x4::IDENTITY);
}

#[test]
fn the_last_frames_of_an_animation_go_on_and_on() {
    let tag = [("tag_torso", Mat3x4::IDENTITY)];
    let mut lower = part(&tag, 30);
    // LEGS_WALK: frames 13 to 18, of which 17 and 18 loop; ten per second.
    lower.animations = vec![Animation::frames("LEGS_WALK", 13, 6, 10.0, false)];
    let config = PlayerConfig::parse(CONFIG.as_bytes());
    let player = Player { lower, upper: part(&[], 0), head: Model::default(), config };
    let x = |time: f64| {
        let lower = player.frame_state("LEGS_WALK", time).unwrap();
        player.place(&PlayerFrames { lower, ..PlayerFrames::default() }).upper.origin().x
    };
    let shown =
        [(0.0, 13.0), (0.25, 15.5), (0.5, 18.0), (0.55, 17.5), (0.6, 17.0), (0.65, 17.5), (0.7, 18.0), (10.6, 17.0)];
    // Two frames at ten per second: after ten days the loop is at its start.
    for (time, frame) in shown.into_iter().chain([(864_000.02, 17.2), (864_000.05, 17.5), (864_000.12, 17.8)]) {
        assert!((x(time) - frame).abs() < 1e-3, "{time}: {} instead of {frame}", x(time));
    }
    assert!(player.frame_state("LEGS_DANCE", 0.0).is_none());
}

#[test]
fn skins_do_not_lead_out_of_the_folder() {
    let asked = |skin| {
        let mut asked = Vec::new();
        let side = |name: &str| {
            asked.push(name.to_owned());
            name.ends_with(".md3").then(|| assets::MANNEQUIN_IQM.to_vec())
        };
        Player::load("models/players/a", skin, side).unwrap();
        asked.retain(|name| name.ends_with(".skin"));
        asked
    };
    assert_eq!(
        asked("red/gold"),
        ["lower", "upper", "head"].map(|part| format!("models/players/a/{part}_red/gold.skin"))
    );
    for skin in ["../../b/red", "/../red", "a//red", "\\..\\red", "c:red"] {
        assert_eq!(asked(skin), [""; 0], "{skin}");
    }
}

#[test]
fn a_missing_part_is_named() {
    let error = Player::load("models/players/none", "default", |_| None).unwrap_err();
    assert_eq!(error, PlayerError::Missing { part: PlayerPart::Lower });
}

#[test]
fn a_player_of_a_real_game_loads_with_its_animations() {
    let test = "a_player_of_a_real_game_loads_with_its_animations";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let folder = shared.join("corpus/md3");
    let player = Player::load("sarge", "default", |name| std::fs::read(folder.join(name)).ok()).unwrap();
    assert_eq!(player.config.warnings, []);
    assert_eq!(player.config.animations.len(), 25);
    assert_eq!(player.config.sex.to_string(), "m");
    // 153 - 90 frames belong to the torso.
    let first = |model: &Model, name: &[u8]| model.animations[model.find_animation(name).unwrap()].frame_of(0);
    assert_eq!(first(&player.lower, b"LEGS_WALKCR"), Some(90));
    assert_eq!(first(&player.lower, b"LEGS_TURN"), Some(191));
    assert_eq!(first(&player.upper, b"TORSO_STAND2"), Some(152));
    assert_eq!(first(&player.upper, b"BOTH_DEAD3"), Some(89));
    assert_eq!(player.lower.animations.len(), 6 + 12);
    assert_eq!(player.upper.animations.len(), 6 + 7);
    let materials = [&player.lower, &player.upper, &player.head].map(|part| part.meshes[0].material.to_string());
    assert_eq!(materials, ["models/players/grism/enkiskin.tga"; 3]);

    // In a standing pose the head is above the torso and the torso above the legs' origin; a death lays the head down.
    let stand = PlayerFrames {
        lower: player.frame_state("LEGS_IDLE", 0.0).unwrap(),
        upper: player.frame_state("TORSO_STAND", 0.0).unwrap(),
        ..PlayerFrames::default()
    };
    let standing = player.place(&stand);
    assert!(standing.head.origin().z > standing.upper.origin().z + 5.0, "{standing:?}");
    let death = player.frame_state("BOTH_DEATH1", 10.0).unwrap();
    let lying = player.place(&PlayerFrames { lower: death, upper: death, head: FrameState::default(), ..stand });
    assert!(lying.head.origin().z < standing.head.origin().z - 15.0, "{lying:?} {standing:?}");
    // The head is upright; with rows taken for columns its up axis would lean.
    assert!(standing.head.up().z > 0.85, "{standing:?}");
    println!("shared cases: {test}: 1");
}

/// Returns a part with one vertex that is at a height in each frame.
fn moving(name: &str, heights: &[f32], tags: &[(&str, Mat3x4)]) -> Model {
    let positions: Vec<[f32; 3]> = heights.iter().map(|height| [0.0, 0.0, *height]).collect();
    let normals = vec![[1.0, 0.0, 0.0]; heights.len()];
    let (first, first_normal) = (vec![positions[0]], vec![normals[0]]);
    let frames = VertexFrames { positions, normals };
    let mesh = Mesh { name: name.into(), positions: first, normals: first_normal, frames, ..Mesh::default() };
    Model { meshes: vec![mesh], ..part(tags, heights.len()) }
}

/// Returns a player whose animations are named, begin at a frame of the legs and of the torso, and have two frames.
fn player(animations: &[(&str, Option<u32>, Option<u32>)]) -> Player {
    let turned = Mat3x4::from_rotation_translation(Quat::from_rotation_z(90_f32.to_radians()), Vec3::Z * 24.0);
    let mut lower = moving("legs", &[0.0, 1.0, 2.0, 3.0], &[("tag_torso", turned)]);
    let head = Mat3x4::from_translation(Vec3::Z * 20.0);
    let mut upper = moving("torso", &[10.0, 11.0, 12.0, 13.0], &[("tag_head", head), ("tag_weapon", head)]);
    let mut config = PlayerConfig::parse(b"0 2 0 20");
    let line = config.animations.remove(0);
    for &(name, legs, torso) in animations {
        let mut animation = line.clone();
        (animation.name, animation.legs, animation.torso) = (name.into(), legs, torso);
        config.animations.push(animation);
        for (part, first) in [(&mut lower, legs), (&mut upper, torso)] {
            part.animations.extend(first.map(|first| Animation::frames(name, first, 2, 20.0, false)));
        }
    }
    Player { lower, upper, head: moving("head", &[0.5], &[]), config }
}

/// Returns the heights of the only vertices of the three meshes in a frame.
fn heights(model: &Model, frame: usize) -> [f32; 3] {
    std::array::from_fn(|mesh| model.meshes[mesh].frames.positions[frame][2])
}

#[test]
fn a_player_becomes_one_model_in_the_space_of_the_legs() {
    let player = player(&[("BOTH_DEATH1", Some(0), Some(2))]);
    let model = player.to_model().unwrap();
    let names: Vec<String> = model.meshes.iter().map(|mesh| mesh.name.to_string()).collect();
    assert_eq!(names, ["legs", "torso", "head"]);
    assert_eq!((model.frame_count(), model.skeleton.len()), (2, 0));
    // The torso stands 24 units above the legs, the head 20 above the torso.
    assert_eq!(heights(&model, 0), [0.0, 36.0, 44.5]);
    assert_eq!(heights(&model, 1), [1.0, 37.0, 44.5]);
    // The tag turns the torso, and the head with it.
    for mesh in 1..3 {
        let [x, y, _] = model.meshes[mesh].frames.normals[0];
        assert!(x.abs() < 1e-6 && (y - 1.0).abs() < 1e-6, "{x} {y}");
    }
    let tags: Vec<(String, Vec3)> =
        model.tags.iter().map(|tag| (tag.name.to_string(), tag.frames[1].origin())).collect();
    // `part` moves each tag by a unit along X in each frame, here the third frame of a torso that is turned.
    let (torso, head) = (Vec3::new(1.0, 0.0, 24.0), Vec3::new(1.0, 3.0, 44.0));
    for ((name, place), (expected, at)) in
        tags.iter().zip([("tag_torso", torso), ("tag_head", head), ("tag_weapon", head)])
    {
        assert_eq!(name, expected);
        assert!(place.distance(at) < 1e-5, "{name} {place}");
    }
}

#[test]
fn a_part_that_an_animation_does_not_move_holds_the_start_of_its_stand() {
    let player = player(&[
        ("LEGS_RUN", Some(0), None),
        ("TORSO_ATTACK", None, Some(0)),
        ("LEGS_IDLE", Some(2), None),
        ("TORSO_STAND", None, Some(2)),
    ]);
    let model = player.to_model().unwrap();
    let names: Vec<String> = model.animations.iter().map(|animation| animation.name.to_string()).collect();
    assert_eq!(names, ["LEGS_RUN", "TORSO_ATTACK", "LEGS_IDLE", "TORSO_STAND"]);
    assert_eq!(model.frame_count(), 8);
    let pairs: Vec<[f32; 2]> = (0..8).map(|frame| heights(&model, frame)).map(|[a, b, _]| [a, b - 24.0]).collect();
    assert_eq!(pairs[..4], [[0.0, 12.0], [1.0, 12.0], [2.0, 10.0], [2.0, 11.0]]);
    assert_eq!(pairs[4..], [[2.0, 12.0], [3.0, 12.0], [2.0, 12.0], [2.0, 13.0]]);
}

#[test]
fn a_player_without_config_plays_the_animations_of_the_legs() {
    let mut player = player(&[("walk", Some(0), Some(0)), ("run", Some(2), Some(2)), ("swim", Some(1), None)]);
    player.config = PlayerConfig::default();
    player.lower.animations[1].looping = true;
    let model = player.to_model().unwrap();
    let looping: Vec<bool> = model.animations.iter().map(|animation| animation.looping).collect();
    assert_eq!(looping, [false, true, false]);
    // The torso has no animation "swim", so that it plays its first.
    let shown: Vec<[f32; 3]> = [0, 2, 4, 5].map(|frame| heights(&model, frame)).into();
    assert_eq!(shown, [[0.0, 34.0, 44.5], [2.0, 36.0, 44.5], [1.0, 34.0, 44.5], [2.0, 35.0, 44.5]]);
    // Without any animation there is one frame.
    player.lower.animations.clear();
    assert_eq!(player.to_model().unwrap().frame_count(), 1);
}

#[test]
fn a_player_of_too_many_vertices_is_refused_before_they_are_made() {
    let mut player = player(&[("LEGS_RUN", Some(0), None)]);
    player.head.meshes[0].positions = vec![[0.0; 3]; 1 << 16];
    player.lower.animations[0] = Animation::frames("LEGS_RUN", 0, 1000, 20.0, false);
    let error = player.to_model().unwrap_err();
    assert!(
        matches!(error, PlayerError::TooLarge { needed, allowed: 0x1000_0000 } if needed > 1_500_000_000),
        "{error}"
    );
    // Bones and morphs take time, too, without a vertex of the part.
    player.head.meshes[0].positions = vec![[0.0; 3]];
    let morph = Morph { vertices: vec![0; 1 << 16], ..Morph::default() };
    player.head.meshes[0].morphs = vec![morph];
    assert!(matches!(player.to_model(), Err(PlayerError::TooLarge { .. })));
    player.head.meshes[0].morphs.clear();
    let bone = Bone { name: "bone".into(), parent: None, bind: Mat3x4::IDENTITY };
    player.head.skeleton = Skeleton::new(vec![bone; 8192]).unwrap();
    assert!(matches!(player.to_model(), Err(PlayerError::TooLarge { .. })));
    player.head.skeleton = Skeleton::default();
    // An animation that stands still has no times to divide by.
    player.lower.animations[0] = Animation::frames("LEGS_RUN", 0, 2, 0.0, false);
    player.config.animations[0].rate = 0.0;
    assert_eq!(player.to_model().unwrap().frame_count(), 2);
}

#[test]
fn surfaces_and_warnings_of_all_parts_are_kept() {
    let mut player = player(&[]);
    let skin = |material: &str| SkinMaterial { material: material.into(), shader: Default::default() };
    for part in [&mut player.lower, &mut player.upper, &mut player.head] {
        let material = part.meshes[0].name.to_string();
        part.skins.push(Skin { mesh: 0, interval: 0.1, materials: vec![skin(&material)] });
        part.materials.push(Material { name: "shared".into(), ..Material::default() });
        part.meshes[0].triangles = vec![[0, 0, 0]];
        part.meshes[0].texcoords = vec![[0.25, 0.5]];
    }
    player.config.warnings = PlayerConfig::parse(CONFIG.as_bytes()).warnings;
    let model = player.to_model().unwrap();
    let skins: Vec<usize> = model.skins.iter().map(|skin| skin.mesh).collect();
    assert_eq!((skins, model.materials.len(), model.warnings.len()), (vec![0, 1, 2], 1, 3));
    assert!(model.meshes.iter().all(|mesh| mesh.triangles == [[0, 0, 0]] && mesh.texcoords == [[0.25, 0.5]]));
}
