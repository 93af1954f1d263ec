//! Sorting of files that came together.

use proptest::prelude::*;
use skelobj::model::PlayerPart;
use skelobj::{Bundle, FileUse, Format, LoadOptions, Unused, assets, write};

const IQM: &[u8] = assets::MANNEQUIN_IQM;
const DOLL: &[u8] = assets::MANNEQUIN_DOLL;
const MD3: &[u8] = b"IDP3\x0f\0\0\0";

fn sort<N: AsRef<str>, B: AsRef<[u8]>>(files: &[(N, B)]) -> Vec<FileUse> {
    let bundle = Bundle::sort(&LoadOptions::default(), files);
    assert_eq!(bundle.uses.len(), files.len());
    bundle.uses
}

/// Returns why each file is of no use; an empty text for the others.
fn reasons(files: &[(&str, &[u8])]) -> Vec<String> {
    let reason = |found| match found {
        FileUse::Unused(why) => why.to_string(),
        _ => String::new(),
    };
    sort(files).into_iter().map(reason).collect()
}

/// Returns the mannequin's animations alone.
fn animations() -> Vec<u8> {
    let mut model = assets::mannequin();
    model.meshes.clear();
    write::iqm(&model).unwrap()
}

#[test]
fn each_kind_is_told_from_name_and_contents() {
    for (name, bytes, wanted) in [
        ("man.iqm", IQM, FileUse::Model(Format::Iqm)),
        ("no extension", IQM, FileUse::Model(Format::Iqm)),
        // Contents that are known count more than the name.
        ("man.bsp", IQM, FileUse::Model(Format::Iqm)),
        ("man.map", IQM, FileUse::Model(Format::Iqm)),
        ("players\\sarge\\UPPER.md3", MD3, FileUse::Part(PlayerPart::Upper)),
        ("lower.md3", MD3, FileUse::Part(PlayerPart::Lower)),
        ("a/head.md3", MD3, FileUse::Part(PlayerPart::Head)),
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
        ("skin.txt", b"?", FileUse::Side(Unused::Unknown)),
    ] {
        assert_eq!(FileUse::of(name, bytes), wanted, "{name}");
        assert_eq!(sort(&[(name, bytes)]), [wanted], "{name}");
    }
}

#[test]
fn files_of_no_use_have_a_reason() {
    for (name, bytes, wanted) in [
        ("a.iqm", b"".as_slice(), "it is empty"),
        ("a.doll", b"", "it is empty"),
        ("a.Pk3", b"PK\x03\x04", "it is an archive: unpack it"),
        ("a.doll", IQM, "it is not a doll: its format is Inter-Quake Model"),
        ("a.doll", b"\x89PNG\0", "it is not a doll: it is a PNG image"),
        ("a.doll", b"body\0", "it is not a doll: it has characters of value 0, as no text has"),
        ("a.doll", b"\xff\xfeb\0\0\0", "it is not a doll: it has characters of value 0, as no text has"),
        ("palette.lmp", &[7; 767], "it is not a palette, which has 768 bytes"),
        ("a.bsp", b"no map", "it is not a map in a known format"),
        ("a.map", b"{}", "it is the source of a map: compile it to a .bsp"),
    ] {
        let FileUse::Unused(why) = FileUse::of(name, bytes) else { panic!("{name}") };
        assert_eq!(why.to_string(), wanted, "{name}");
        assert_eq!(reasons(&[(name, bytes)]), [wanted], "{name}");
    }
    for (name, bytes, wanted) in [
        ("man.fbx", b"Kaydara FBX Binary".as_slice(), "it is binary FBX: export it from Blender or another modelling"),
        ("notes", b"by me", "it is not a model, a doll or a map, and nothing names it"),
    ] {
        let FileUse::Side(why) = FileUse::of(name, bytes) else { panic!("{name}") };
        assert!(why.to_string().starts_with(wanted), "{why}");
    }
}

#[test]
fn of_several_dolls_maps_and_palettes_the_last_is_used() {
    let said = reasons(&[
        ("a/one.doll", DOLL),
        ("one.bsp", b"IBSP"),
        ("palette.lmp", &[0; 768]),
        ("b/two.doll", DOLL),
        ("two.bsp", b"FBSP"),
        ("gfx/palette.lmp", &[1; 768]),
    ]);
    assert_eq!(
        said,
        [
            "of several dolls, the last is used: two.doll",
            "of several maps, the last is used: two.bsp",
            "of several palettes, the last is used: palette.lmp",
            "",
            "",
            "",
        ]
    );
    // An empty file is not the last doll.
    assert_eq!(sort(&[("one.doll", DOLL), ("two.doll", b"")])[0], FileUse::Doll);
}

#[test]
fn of_several_models_those_without_a_surface_are_animations() {
    let moves = animations();
    let (model, animations) = (FileUse::Model(Format::Iqm), FileUse::Animations(Format::Iqm));
    assert_eq!(sort(&[("moves.iqm", &*moves)]), [model.clone()]);
    assert_eq!(sort(&[("moves.iqm", &*moves), ("man.iqm", IQM)]), [animations.clone(), model.clone()]);
    let both = sort(&[("man.iqm", IQM), ("moves.iqm", &moves), ("other.iqm", IQM)]);
    assert_eq!(both, [model.clone(), animations, model.clone()]);
    // An unreadable model is of no use beside another one. Alone it remains, and loading it returns the error.
    let damaged = sort(&[("man.iqm", IQM), ("damaged.iqm", &IQM[..200])]);
    assert!(matches!(&damaged[..], [FileUse::Model(_), FileUse::Unused(Unused::Unreadable(_))]), "{damaged:?}");
    assert_eq!(sort(&[("damaged.iqm", &IQM[..200])]), [model]);
    let mut options = LoadOptions::default();
    options.limits.frames = 1;
    let limited = Bundle::sort(&options, &[("man.iqm", IQM), ("other.iqm", IQM)]);
    assert!(limited.uses.iter().all(|found| matches!(found, FileUse::Unused(Unused::Unreadable(_)))));
}

/// Returns the files of a player in a folder.
fn player(folder: &str) -> Vec<(String, &'static [u8])> {
    let parts = PlayerPart::ALL.map(|part| (format!("{folder}{}", part.file_name()), MD3));
    let more = [("animation.cfg", b"sex m".as_slice()), ("textures/vest.png", b"?")];
    parts.into_iter().chain(more.map(|(name, bytes)| (format!("{folder}{name}"), bytes))).collect()
}

/// Returns the numbers of the files of no use.
fn unused(files: &[(String, &[u8])]) -> Vec<usize> {
    let uses = sort(files);
    (0..files.len()).filter(|at| matches!(uses[*at], FileUse::Unused(_))).collect()
}

#[test]
fn of_several_players_the_last_is_used() {
    let of = |folders: &[&str]| folders.iter().flat_map(|folder| player(folder)).collect::<Vec<_>>();
    assert!(unused(&of(&["one/"])).is_empty());
    assert_eq!(unused(&of(&["one/", "two/"])), [0, 1, 2, 3, 4]);
    assert_eq!(unused(&of(&["two\\", "one\\"])), [0, 1, 2, 3, 4]);
    assert_eq!(unused(&of(&["two/", "two/old/"])), [0, 1, 2, 3, 4]);
    assert_eq!(unused(&of(&["two/old/", "two/"])), [0, 1, 2, 3, 4]);
    // What is in no folder may be of any player, but for what has the name of a player's file.
    assert_eq!(unused(&of(&["", "two/"])), [0, 1, 2, 3]);
    assert_eq!(unused(&of(&["two/", ""])), [0, 1, 2, 3, 4]);
    // A folder that lacks a part has no player.
    assert_eq!(unused(&[player("one/"), player("two/")[..1].to_vec()].concat()), [5]);
    let said = |files: &[(String, &[u8])], at: usize| match &sort(files)[at] {
        FileUse::Unused(why) => why.to_string(),
        found => panic!("{found:?}"),
    };
    assert_eq!(said(&of(&["p/one/", "p/two/"]), 0), "of several players, the last is used: p/two");
    assert!(said(&of(&["two/", ""]), 0).ends_with("the last is used: the one without a folder"));
    // No folder has a whole player: the last of each part is used.
    let apart = [("a/", 0), ("b/", 1), ("c/", 2), ("d/", 2)].map(|(folder, part)| player(folder)[part].clone());
    assert_eq!(unused(&apart), [2]);
    assert!(said(&apart, 2).starts_with("of several players, the last file of each part is used"));
    // An empty file is not a part.
    assert_eq!(unused(&[player("a/"), vec![("b/upper.md3".to_owned(), &[])]].concat()), [5]);
}

#[test]
fn a_part_alone_is_a_part() {
    assert_eq!(sort(&[("upper.md3", MD3)]), [FileUse::Part(PlayerPart::Upper)]);
    assert_eq!(sort(&[("upper.md3", b"text")]), [FileUse::Side(Unused::Unknown)]);
}

/// Returns files of which no two compete.
fn lone_files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = player("sarge/").into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect();
    let more: [(&str, &[u8]); 9] = [
        ("man.iqm", IQM),
        ("moves.iqm", &animations()),
        ("other.iqm", &IQM[..99]),
        ("man.doll", DOLL),
        ("a.doll", b"a\0"),
        ("a.bsp", b"IBSP"),
        ("palette.lmp", &[1; 768]),
        ("empty", b""),
        ("a.txt", b"text"),
    ];
    files.extend(more.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())));
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_files_does_not_matter(
        order in Just((0..lone_files().len()).collect::<Vec<_>>()).prop_shuffle(),
        count in 0..=lone_files().len(),
    ) {
        let files = lone_files();
        let mut chosen = order[..count].to_vec();
        let pick = |chosen: &[usize]| chosen.iter().map(|at| files[*at].clone()).collect::<Vec<_>>();
        let shuffled: Vec<FileUse> = sort(&pick(&chosen));
        let mut by_file: Vec<(usize, FileUse)> = chosen.iter().copied().zip(shuffled).collect();
        by_file.sort_by_key(|(at, _)| *at);
        chosen.sort_unstable();
        let sorted = sort(&pick(&chosen));
        prop_assert_eq!(by_file.into_iter().map(|(_, found)| found).collect::<Vec<_>>(), sorted);
    }

    #[test]
    fn hostile_sets_have_at_most_one_of_each(
        files in proptest::collection::vec(
            ("([a-c./\\\\]{0,4}(lower|upper|head)\\.md3)|[a-c/]{0,3}\\.doll|(.{0,9})", 0..6_usize), 0..40),
    ) {
        let contents: [&[u8]; 6] = [b"", MD3, b"IBSP", b"text", &[0xff, 0xfe, 0], &[7; 768]];
        let files: Vec<(String, &[u8])> = files.into_iter().map(|(name, at)| (name, contents[at])).collect();
        let uses = sort(&files);
        let count = |wanted: &dyn Fn(&FileUse) -> bool| uses.iter().filter(|found| wanted(found)).count();
        for part in PlayerPart::ALL {
            let given = files.iter().filter(|(name, bytes)| FileUse::of(name, bytes) == FileUse::Part(part)).count();
            prop_assert_eq!(count(&|found| *found == FileUse::Part(part)), given.min(1));
        }
        prop_assert!(count(&|found| *found == FileUse::Doll) <= 1);
        prop_assert!(count(&|found| *found == FileUse::Level) <= 1);
    }
}

#[test]
fn many_files_in_deep_folders_take_little_time() {
    let deep = "a/".repeat(500);
    let files: Vec<(String, &[u8])> = (0..100_000)
        .map(|number| (format!("{}{}", &deep[..number % 1000 / 2 * 2], PlayerPart::ALL[number % 3].file_name()), MD3))
        .collect();
    let begun = std::time::Instant::now();
    let uses = sort(&files);
    assert_eq!(uses.iter().filter(|found| matches!(found, FileUse::Part(_))).count(), 3);
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
