//! Sources of files: folders on disk, files that cannot be read, and what a runtime tells of itself.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use skelobj::files::Folder;
use skelobj::math::Mat3x4;
use skelobj::object::Space;
use skelobj::runtime::{LoadModelError, RagdollCommandError, Warning};
use skelobj::{FileSource, Runtime, assets};

/// Source whose files are locked, apart from the mannequin.
struct Locked;

impl FileSource for Locked {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match name {
            "mannequin.iqm" => Ok(Some(assets::MANNEQUIN_IQM.to_vec())),
            "missing.iqm" => Ok(None),
            _ => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_a_missing_one() {
    let mut runtime = Runtime::default();
    runtime.set_files(Locked);
    let missing = LoadModelError::NoSuchFile { name: "missing.iqm".to_owned() };
    assert_eq!(runtime.load_model("missing.iqm"), Err(missing));
    let locked = runtime.load_model("locked.iqm").unwrap_err();
    assert!(matches!(locked, LoadModelError::CannotRead { .. }), "{locked:?}");
    assert_eq!(locked.to_string(), "cannot read locked.iqm: permission denied");
    assert_eq!(runtime.take_warnings(), []);

    runtime.load_model("mannequin.iqm").unwrap();
    let side = |file: &str| Warning::CannotRead { file: file.to_owned(), reason: "permission denied".to_owned() };
    assert_eq!(runtime.take_warnings(), [side("mannequin.iqm.framegroups")]);
}

#[test]
fn a_doll_that_cannot_be_read_is_not_a_missing_one() {
    let mut runtime = Runtime::default();
    runtime.set_files(Locked);
    let model = runtime.load_model("mannequin.iqm").unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.take_warnings();
    let refused = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "doll mannequin.doll", None).unwrap_err();
    assert!(matches!(&refused, RagdollCommandError::CannotRead { file, .. } if file == "mannequin.doll"), "{refused}");
    assert!(runtime.precache_doll(model).is_none());
    let warnings = runtime.take_warnings();
    assert!(
        matches!(&warnings[..], [Warning::CannotRead { file, .. }] if file == "mannequin.iqm.doll"),
        "{warnings:?}"
    );
}

#[test]
fn a_doll_stays_until_its_file_is_read_again_and_found_good() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let old = Some("body a chest\nbody b head\njoint j a b\ntype point\n");
    let text = Arc::new(Mutex::new(old));
    let files = text.clone();
    runtime.set_files(move |name: &str| {
        let doll = || files.lock().unwrap().map(|text| text.as_bytes().to_vec());
        (name == "mannequin.doll").then(doll).flatten()
    });
    let command = |runtime: &mut Runtime, command: &str| {
        runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None).unwrap();
    };
    let state = |runtime: &Runtime| {
        let (ragdoll, physics) = (runtime.ragdoll(object).unwrap(), runtime.physics());
        let strengths: Vec<f32> = ragdoll.bodies(physics).map(|body| body.strength).collect();
        let joints: Vec<bool> = ragdoll.joints(physics).map(|joint| joint.is_enabled).collect();
        (strengths, joints)
    };
    command(&mut runtime, "animatebody b 0");
    command(&mut runtime, "enablejoint j 0");
    let changed = (vec![1.0, 0.0], vec![false]);
    assert_eq!(state(&runtime), changed);
    runtime.take_warnings();
    // The same file, a bad one, one without bodies, and none.
    let missing = [Warning::DollReloadFailed { file: "mannequin.doll".to_owned() }];
    for (now, faults) in [(old, 0), (Some("body a chest\nbody b nowhere\n"), 1), (Some(""), 1)] {
        *text.lock().unwrap() = now;
        assert_eq!((runtime.reload_dolls(), runtime.take_warnings().len()), (0, faults), "{now:?}");
        assert_eq!(state(&runtime), changed, "{now:?}");
    }
    *text.lock().unwrap() = None;
    assert_eq!((runtime.reload_dolls(), runtime.take_warnings()), (0, missing.to_vec()));
    assert_eq!(state(&runtime), changed);
    // Strengths and joints are those of the new doll.
    let new = "body a chest\nbody b head\nanimate 0.5\njoint j a b\ntype point\njoint k a b\ntype point\n";
    runtime.set_files(move |name: &str| (name == "mannequin.doll").then(|| new.as_bytes().to_vec()));
    command(&mut runtime, "cleardoll");
    command(&mut runtime, "");
    assert_eq!(state(&runtime).1.len(), 1, "another source of files reads no doll again");
    command(&mut runtime, "animatebody b 0");
    command(&mut runtime, "enablejoint j 0");
    assert_eq!((runtime.reload_dolls(), state(&runtime)), (1, (vec![1.0, 0.5], vec![true; 2])));
}

#[test]
fn the_newest_of_the_models_with_a_name_is_found() {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| (name == "m.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    let [first, second] = [(); 2].map(|()| runtime.load_model("m.iqm").unwrap());
    assert_eq!(runtime.model_by_name("m.iqm"), Some(second));
    // A reload in the slot of a removed model, before that of the one that stays.
    runtime.remove_model(first).unwrap();
    let third = runtime.load_model("m.iqm").unwrap();
    assert_eq!(runtime.model_by_name("m.iqm"), Some(third));
    runtime.remove_model(third).unwrap();
    assert_eq!(runtime.model_by_name("m.iqm"), Some(second));
}

#[test]
fn the_debug_form_of_a_runtime_fits_on_a_page() {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| (name == "m.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    let model = runtime.load_model("m.iqm").unwrap();
    for _ in 0..100 {
        runtime.create_object(model, skelobj::object::Space::Local).unwrap();
    }
    let page = format!("{runtime:#?}");
    assert!(page.contains("models: 1") && page.contains("objects: 100"), "{page}");
    assert!(page.lines().count() < 60 && page.len() < 3000, "{page}");
}

/// Returns a new folder with a model in a subfolder.
fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("skelobj-files-{}-{test}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("game/Progs")).unwrap();
    std::fs::write(folder.join("game/Progs/Ogre.iqm"), assets::MANNEQUIN_IQM).unwrap();
    std::fs::write(folder.join("outside.iqm"), assets::MANNEQUIN_IQM).unwrap();
    folder
}

#[test]
fn a_folder_has_its_files_in_any_case_and_nothing_outside() {
    let place = folder("case");
    let game = Folder::new(place.join("game"));
    let has = |name: &str| game.read(name).unwrap().is_some();
    assert!(has("Progs/Ogre.iqm") && has("progs/ogre.IQM"));
    assert!(!has("progs/ogre.iqm/x") && !has("progs") && !has("ogre.iqm") && !has("../outside.iqm") && !has(""));
    assert!(!has(&"x".repeat(10_000)), "a name that no file can have");
    for name in
        ["Progs\\Ogre.iqm", "Progs/Ogre.iqm.", "Progs/Ogre.iqm ", "C:Progs/Ogre.iqm", "Progs/Ogre.iqm::$DATA", "nul"]
    {
        assert!(!has(name), "{name}, which Windows would find");
    }
    assert!(game.subfolder("Progs").read("ogre.iqm").unwrap().is_some());
    assert!(Folder::new(place.join("nothing")).read("ogre.iqm").unwrap().is_none());
    let mut runtime = Runtime::default();
    runtime.set_files(game);
    runtime.load_model("progs/ogre.iqm").unwrap();
    std::fs::remove_dir_all(place).unwrap();
}

#[cfg(unix)]
#[test]
fn links_lead_to_places_inside_a_folder_only() {
    use std::os::unix::fs::symlink;

    let place = folder("links");
    symlink("Progs/Ogre.iqm", place.join("game/inside.iqm")).unwrap();
    symlink("Progs", place.join("game/linked")).unwrap();
    symlink("../outside.iqm", place.join("game/out.iqm")).unwrap();
    symlink("..", place.join("game/up")).unwrap();
    symlink("/dev/zero", place.join("game/endless.iqm")).unwrap();
    symlink("nowhere", place.join("game/broken.iqm")).unwrap();
    let game = Folder::new(place.join("game"));
    assert!(game.read("inside.iqm").unwrap().is_some() && game.read("linked/ogre.iqm").unwrap().is_some());
    for out in ["out.iqm", "up/outside.iqm", "endless.iqm"] {
        assert_eq!(game.read(out).unwrap_err().to_string(), "a link leads out of its folder", "{out}");
    }
    assert!(game.read("broken.iqm").unwrap().is_none());
    std::fs::remove_dir_all(place).unwrap();
}

/// Permissions do not bind the superuser: the test then sees only that such folders are read.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_may_be_searched_but_not_listed_is_read() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let place = folder("unlisted");
    let progs = place.join("game/Progs");
    set_permissions(&progs, Permissions::from_mode(0o300)).unwrap();
    let game = Folder::new(place.join("game"));
    assert!(game.read("Progs/Ogre.iqm").unwrap().is_some());
    assert!(game.read("Progs/other.iqm").unwrap().is_none());
    set_permissions(progs.join("Ogre.iqm"), Permissions::from_mode(0o000)).unwrap();
    let is_superuser = std::fs::read(progs.join("Ogre.iqm")).is_ok();
    assert_eq!(game.read("Progs/Ogre.iqm").is_err(), !is_superuser);
    set_permissions(&progs, Permissions::from_mode(0o700)).unwrap();
    std::fs::remove_dir_all(place).unwrap();
}
