//! Sorting of files that came together.

use proptest::prelude::*;
use skelobj::model::PlayerPart;
use skelobj::{Bundle, FileUse, LoadOptions, assets, write};

const IQM: &[u8] = assets::MANNEQUIN_IQM;
const DOLL: &[u8] = assets::MANNEQUIN_DOLL;
const MD3: &[u8] = b"IDP3\x0f\0\0\0";

fn sort<N: AsRef<str>, B: AsRef<[u8]>>(files: &[(N, B)]) -> Vec<FileUse> {
    Bundle::sort(&LoadOptions::default(), files).uses
}

/// Returns the number and the reason of each file of no use.
fn unused<N: AsRef<str>, B: AsRef<[u8]>>(files: &[(N, B)]) -> Vec<(usize, String)> {
    let uses = sort(files).into_iter().enumerate();
    uses.filter_map(|(at, found)| if let FileUse::Unused(reason) = found { Some((at, reason)) } else { None }).collect()
}

#[test]
fn one_file_is_told_from_its_name_and_contents() {
    let no_use = |reason: &str| FileUse::Unused(reason.to_owned());
    let unknown = FileUse::Side("it is not a model, a doll or a map, and nothing names it".to_owned());
    for (name, bytes, wanted) in [
        ("man.iqm", IQM, FileUse::Model),
        ("no extension", IQM, FileUse::Model),
        // Contents that are known count more than the name.
        ("man.bsp", IQM, FileUse::Model),
        ("man.map", IQM, FileUse::Model),
        ("players\\sarge\\UPPER.md3", MD3, FileUse::Part(PlayerPart::Upper)),
        ("lower.md3", MD3, FileUse::Part(PlayerPart::Lower)),
        ("upper.md3", b"text", unknown.clone()),
        ("a/Animation.cfg", b"sex m", FileUse::PlayerFile),
        ("head_default.skin", b"a,b", FileUse::PlayerFile),
        ("man.DOLL", DOLL, FileUse::Doll),
        ("model.doll", b"model is a word\nbody a b", FileUse::Doll),
        ("utf16.doll", b"\xff\xfeb\0o\0d\0y\0", FileUse::Doll),
        ("a.bsp", b"IBSP", FileUse::Level),
        ("a", b"RBSP\x01\0\0\0", FileUse::Level),
        ("a", b"\x1d\0\0\0", FileUse::Level),
        ("gfx/Palette.lmp", &[7; 768], FileUse::Palette),
        ("skin.TGA", b"?", FileUse::Picture),
        ("notes", b"by me", unknown),
        ("a.iqm", b"", no_use("it is empty")),
        ("a.doll", b"", no_use("it is empty")),
        ("a.Pk3", b"PK\x03\x04", no_use("it is an archive: unpack it")),
        ("a.doll", IQM, no_use("it is not a doll: its format is Inter-Quake Model")),
        ("a.doll", b"\x89PNG\0", no_use("it is not a doll: it is a PNG image")),
        ("a.doll", b"body\0", no_use("it is not a doll: it has characters of value 0, as no text has")),
        ("a.doll", b"\xff\xfeb\0\0\0", no_use("it is not a doll: it has characters of value 0, as no text has")),
        ("palette.lmp", &[7; 767], no_use("it is not a palette, which has 768 bytes")),
        ("a.bsp", b"no map", no_use("it is not a map in a known format")),
        ("a.map", b"{}", no_use("it is the source of a map: compile it to a .bsp")),
    ] {
        assert_eq!(FileUse::of(name, bytes), wanted, "{name}");
        assert_eq!(sort(&[(name, bytes)]), [wanted], "{name}");
    }
    let FileUse::Side(reason) = FileUse::of("man.fbx", b"Kaydara FBX Binary") else { panic!() };
    assert!(reason.starts_with("it is binary FBX: export it from Blender"), "{reason}");
}

#[test]
fn of_several_dolls_maps_and_palettes_the_last_is_used() {
    let files: [(&str, &[u8]); 7] = [
        ("a/one.doll", DOLL),
        ("one.bsp", b"IBSP"),
        ("palette.lmp", &[0; 768]),
        ("b/two.doll", DOLL),
        ("two.bsp", b"FBSP"),
        ("gfx/palette.lmp", &[1; 768]),
        ("empty.doll", b""),
    ];
    let said = unused(&files).into_iter().map(|(_, reason)| reason);
    let last = ["dolls, the last is used: b/two.doll", "maps, the last is used: two.bsp"];
    let last = last.into_iter().chain(["palettes, the last is used: gfx/palette.lmp"]);
    assert!(said.eq(last.map(|last| format!("of several {last}")).chain(["it is empty".to_owned()])));
}

/// Returns the mannequin's animations alone.
fn animations() -> Vec<u8> {
    let mut model = assets::mannequin();
    model.meshes.clear();
    write::iqm(&model).unwrap()
}

#[test]
fn of_several_models_those_without_a_surface_are_animations() {
    use FileUse::{Animations, Model};
    let moves = animations();
    assert_eq!(sort(&[("moves.iqm", &*moves)]), [Model]);
    assert_eq!(sort(&[("moves.iqm", &*moves), ("man.iqm", IQM), ("other.iqm", IQM)]), [Animations, Model, Model]);
    // An unreadable model is of no use beside another one. Alone it remains, and loading it returns the error.
    assert_eq!(unused(&[("man.iqm", IQM), ("damaged.iqm", &IQM[..200])])[0].0, 1);
    assert_eq!(sort(&[("damaged.iqm", &IQM[..200])]), [Model]);
    let mut options = LoadOptions::default();
    options.limits.frames = 1;
    let limited = Bundle::sort(&options, &[("man.iqm", IQM), ("other.iqm", IQM)]);
    assert!(limited.uses.iter().all(|found| matches!(found, FileUse::Unused(_))));
}

/// Returns a triangle in glTF with its positions in the first of some buffers, all of them `scene.bin`.
#[cfg(feature = "gltf")]
fn triangle(length: usize, buffers: usize) -> Vec<u8> {
    let buffer = format!(r#"{{"uri": "scene.bin", "byteLength": {length}}}"#);
    let buffers = vec![buffer; buffers].join(",");
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [0]}}], "nodes": [{{"mesh": 0}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}], "buffers": [{buffers}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}}]}}"#
    )
    .into_bytes()
}

#[cfg(feature = "gltf")]
#[test]
fn a_model_is_read_with_the_side_files_of_its_folder_or_left_to_the_host() {
    let (model, bin) = (triangle(36, 1), vec![0; 36]);
    let files = [("a/scene.gltf", &*model), ("a/scene.bin", &*bin), ("b/scene.gltf", &*model), ("b/scene.bin", b"cut")];
    for turn in 0..4 {
        let mut turned = files;
        turned.rotate_left(turn);
        let [(at, reason)] = &unused(&turned)[..] else { panic!("{:?}", sort(&turned)) };
        assert!(turned[*at].0 == "b/scene.gltf" && reason.contains("needs 36 bytes"), "{reason}");
    }
    assert_eq!(unused(&[("scene.gltf", &*model), ("man.iqm", IQM)]), [], "its buffer may be elsewhere");
    // Side files are copied up to 64 times the size of all files; what is not read then may still be a model.
    let (many, large) = (triangle(100_000, 60), vec![0; 100_000]);
    let files = [("a.gltf", &*many), ("b.gltf", &*many), ("c.gltf", &*many), ("scene.bin", &*large)];
    assert_eq!(sort(&files)[..3], [FileUse::Model, FileUse::Model, FileUse::Model]);
}

#[test]
fn a_palette_may_begin_as_a_map_does() {
    let mut palette = [0; 768];
    palette[0] = 29;
    assert_eq!(FileUse::of("palette.lmp", &palette), FileUse::Palette);
}

fn player(folder: &str) -> Vec<(String, &'static [u8])> {
    let parts = PlayerPart::ALL.map(|part| (format!("{part}.md3"), MD3));
    let more = [("animation.cfg".to_owned(), &b"sex m"[..]), ("textures/vest.png".to_owned(), b"?")];
    parts.into_iter().chain(more).map(|(name, bytes)| (folder.to_owned() + &name, bytes)).collect()
}

#[test]
fn of_several_players_the_last_is_used() {
    let of = |folders: &[&str]| folders.iter().flat_map(|folder| player(folder)).collect::<Vec<_>>();
    let part = |folder: &str, part: usize| player(folder).swap_remove(part);
    let last = |player: &str| format!("of several players, the last is used: {player}");
    let apart = "of several players, the last file of each part is used: folders keep them apart";
    for (files, wanted, reason) in [
        (of(&["one/"]), vec![], String::new()),
        (of(&["p/one/", "p/two/"]), vec![0, 1, 2, 3, 4], last("p/two")),
        (of(&["two\\", "one\\"]), vec![0, 1, 2, 3, 4], last("one")),
        (of(&["two/", "two/old/"]), vec![0, 1, 2, 3, 4], last("two/old")),
        (of(&["two/old/", "two/"]), vec![0, 1, 2, 3, 4], last("two")),
        // What is in no folder may be of any player, but for what has the name of a player's file.
        (of(&["", "two/"]), vec![0, 1, 2, 3], last("two")),
        (of(&["two/", ""]), vec![0, 1, 2, 3, 4], last("the one without a folder")),
        // A folder that lacks a part has no player, and an empty file is not a part.
        ([of(&["one/"]), vec![part("two/", 0)]].concat(), vec![5], last("one")),
        ([of(&["a/"]), vec![("b/upper.md3".to_owned(), &[][..])]].concat(), vec![5], "it is empty".to_owned()),
        // No folder has a whole player: the last of each part is used.
        (vec![part("a/", 0), part("b/", 1), part("c/", 2), part("d/", 2)], vec![2], apart.to_owned()),
    ] {
        let found = unused(&files);
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), wanted, "{files:?}");
        assert!(found.iter().all(|(_, said)| *said == reason), "{found:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn hostile_sets_have_at_most_one_of_each(
        files in proptest::collection::vec(
            ("([a-c./\\\\]{0,4}(lower|upper|head)\\.md3)|[a-c/]{0,3}\\.doll|palette\\.lmp|(.{0,9})", 0..6_usize), 0..40),
    ) {
        let contents: [&[u8]; 6] = [b"", MD3, b"IBSP", b"text", &[0xff, 0xfe, 0], &[7; 768]];
        let files: Vec<(String, &[u8])> = files.into_iter().map(|(name, at)| (name, contents[at])).collect();
        let uses = sort(&files);
        for one in PlayerPart::ALL.map(FileUse::Part).into_iter().chain([FileUse::Doll, FileUse::Level, FileUse::Palette]) {
            let given = files.iter().filter(|(name, bytes)| FileUse::of(name, bytes) == one).count();
            prop_assert_eq!(uses.iter().filter(|found| **found == one).count(), given.min(1));
        }
    }
}
