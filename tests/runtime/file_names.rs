//! Names of files: the host is asked for plain paths only, whoever states the name.

use std::sync::{Arc, Mutex};

use skelobj::model::{ModelProblem, Player, PlayerError};
use skelobj::runtime::LoadModelError;
use skelobj::{Model, Runtime, assets, is_plain_path};

const OUTSIDE: [&str; 13] = [
    "../../x.doll",
    "/etc/passwd",
    "a/../../b.doll",
    "c:\\x",
    "c:x",
    "a\\..\\b.doll",
    "",
    ".",
    "a//b.doll",
    "x.doll\u{0}.txt",
    "nul.doll",
    "progs/COM¹.iqm",
    "conin$",
];

/// Names that a host was asked for.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    /// Returns the contents of a file of the mannequin, in any folder.
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().push(name.to_owned());
        match name.rsplit('.').next() {
            Some("doll") => Some(assets::MANNEQUIN_DOLL.to_vec()),
            Some("framegroups") => Some(b"0 10 20 1 stood".to_vec()),
            _ => Some(assets::MANNEQUIN_IQM.to_vec()),
        }
    }

    fn runtime(&self) -> Runtime {
        let mut runtime = Runtime::default();
        let asked = self.clone();
        runtime.set_files(move |name: &str| asked.read(name));
        runtime
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Returns a name as messages show it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace(char::is_control, "\u{fffd}"))
}

#[test]
fn names_that_windows_reserves_are_refused_on_every_system() {
    let devices = ["con", "prn", "aux", "nul", "conin$", "conout$", "com1", "com9", "com²", "lpt1", "lpt9", "lpt³"];
    for device in devices {
        let upper = device.to_uppercase();
        let places =
            ["", "progs/"].map(|folder| ["", ".iqm", ".tar.gz", " .iqm", "/ogre.iqm"].map(|end| (folder, end)));
        for (folder, end) in places.concat() {
            for name in [device, &upper].map(|device| format!("{folder}{device}{end}")) {
                assert!(!is_plain_path(&name), "{name:?}");
            }
        }
    }
    for mark in ['<', '>', '"', '|', '?', '*', ':', '\\', '\u{1}', '\u{7f}'] {
        for name in [format!("progs/{mark}.iqm"), format!("ogre.iqm{mark}"), format!("{mark}/ogre.iqm")] {
            assert!(!is_plain_path(&name), "{name:?}");
        }
    }
    for end in [".", " ", "..", ". ", " ."] {
        for name in [format!("ogre.iqm{end}"), format!("progs{end}/ogre.iqm")] {
            assert!(!is_plain_path(&name), "{name:?}");
        }
    }
    for name in [
        "C:/ogre.iqm",
        "//server/share/ogre.iqm",
        "\\\\?\\C:\\ogre.iqm",
        "//?/C:/ogre.iqm",
        "//./nul",
        "ogre.iqm::$DATA",
    ] {
        assert!(!is_plain_path(name), "{name:?}");
    }
    let plain =
        ["console.cfg", "con1.iqm", "com0", "com10.iqm", "com\u{2074}", "lpt.iqm", "conin.iqm", "progs/nul1.iqm"];
    for name in
        plain.into_iter().chain([".hidden/..ogre.iqm", " ogre 1 (a) [b] {c} 'd' #e &f %g ~h $i !j +k,l;m=n^o`p@q"])
    {
        assert!(is_plain_path(name), "{name:?}");
    }
}

#[test]
fn models_are_loaded_by_plain_paths_only() {
    let asked = Asked::default();
    let mut runtime = asked.runtime();
    for name in OUTSIDE {
        assert!(!is_plain_path(name), "{name:?}");
        let refused = LoadModelError::NotPlainPath { name: name.to_owned() };
        assert_eq!(runtime.load_model(name).as_ref(), Err(&refused));
        let expected = format!("{} is not a plain path", quoted(name));
        assert!(refused.to_string().starts_with(&expected), "{refused}");
    }
    assert_eq!((asked.take(), runtime.models().count()), (vec![], 0));
    runtime.load_model("progs/ogre.iqm").unwrap();
    assert_eq!(asked.take(), ["progs/ogre.iqm", "progs/ogre.iqm.framegroups"]);
}

#[test]
fn a_model_under_another_name_is_loaded_without_side_files() {
    let read = |name: &str| {
        let asked = Asked::default();
        let side = |side: &str| asked.read(side);
        let fte = Model::load(name, assets::MANNEQUIN_IQM, side).unwrap();
        let darkplaces = Model::load_with(&as_darkplaces(), name, assets::MANNEQUIN_IQM, side).unwrap();
        (asked.take(), [fte, darkplaces])
    };
    for name in ["../evil/m.iqm", "/home/games/m.iqm", "c:\\m.iqm"] {
        let (asked, models) = read(name);
        assert_eq!(asked, [""; 0], "{name}");
        for model in models {
            let named = format!(
                "{} is not a plain path such as progs/ogre.iqm; loaded without it",
                quoted(&format!("{name}.framegroups"))
            );
            assert_eq!(
                model.warnings.iter().map(|warning| warning.message()).collect::<Vec<_>>(),
                std::slice::from_ref(&named)
            );
            assert!(model.animations.len() > 1);
            assert!(model.warnings[0].to_string().contains(&quoted(&format!("{name}.framegroups"))));
        }
    }
    let (asked, models) = read("evil/m.iqm");
    assert_eq!(asked, ["evil/m.iqm.framegroups"; 2]);
    assert!(models.iter().all(|model| model.warnings.is_empty() && model.animations[0].name == *"stood"));
}

#[test]
fn lists_beside_no_plain_path_find_files_at_the_games_root_only() {
    let mesh = "MD5Version 10 numJoints 1 numMeshes 0 joints { \"root\" -1 (0 0 0) (0 0 0) }";
    let list = "EXTERNALANIM model imp.md5mesh group gone.md5anim";
    let mut asked = Vec::new();
    let model = Model::load("../imp.mdl", list.as_bytes(), |name| {
        asked.push(name.to_owned());
        (name == "imp.md5mesh").then(|| mesh.as_bytes().to_vec())
    });
    let warnings: Vec<String> = model.unwrap().warnings.into_iter().map(|warning| warning.message()).collect();
    let missing = "gone.md5anim is missing or unusable; loaded without it";
    let outside = "\"../gone.md5anim\" is not a plain path such as progs/ogre.iqm; loaded without it";
    assert_eq!(warnings, [missing, outside]);
    assert_eq!(asked, ["imp.md5mesh", "gone.md5anim"]);

    let refused = Model::load("../imp.mdl", list.as_bytes(), |name| {
        assert!(is_plain_path(name), "{name}");
        None
    });
    assert!(matches!(refused.unwrap_err().problem, ModelProblem::SideFile { .. }));
}

#[test]
fn players_come_from_plain_folders_in_plain_skins() {
    let load = |folder: &str, skin: &str| {
        let asked = Asked::default();
        let player = Player::load(folder, skin, |name| asked.read(name));
        (player, asked.take())
    };
    for folder in ["../../x", "/models/sarge", "models\\sarge", "models/sarge/", ""] {
        let (refused, asked) = load(folder, "default");
        assert_eq!(refused.unwrap_err(), PlayerError::NotPlainPath { folder: folder.to_owned() });
        assert_eq!(asked, [""; 0], "{folder}");
    }
    for skin in ["../y", "a/../../y", "a:b", "a\\b"] {
        let (player, asked) = load("models/sarge", skin);
        let player = player.unwrap();
        for (part, name) in [(player.lower, "lower"), (player.upper, "upper"), (player.head, "head")] {
            let named = format!(
                "{} is not a plain path such as progs/ogre.iqm; loaded without it",
                quoted(&format!("models/sarge/{name}_{skin}.skin"))
            );
            assert_eq!(
                part.warnings.iter().map(|warning| warning.message()).collect::<Vec<_>>(),
                std::slice::from_ref(&named)
            );
        }
        assert!(asked.iter().all(|name| is_plain_path(name) && !name.ends_with(".skin")), "{asked:?}");
    }
    let (player, asked) = load("models/sarge", "red");
    assert!(player.unwrap().head.warnings.is_empty() && asked.contains(&"models/sarge/head_red.skin".to_owned()));
}

mod dolls {
    use skelobj::math::Mat3x4;
    use skelobj::model::FrameState;
    use skelobj::object::{Build, Space};
    use skelobj::ragdoll::Command;
    use skelobj::runtime::{RagdollCommandError, Warning};

    use super::*;

    /// Adds a mannequin of this name, with a posed object.
    fn posed(runtime: &mut Runtime, name: &str) -> (skelobj::runtime::ModelId, skelobj::runtime::ObjectId) {
        let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
        let model = runtime.add_model(name, mannequin).unwrap();
        let object = runtime.create_object(model, Space::Local).unwrap();
        runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
        (model, object)
    }

    #[test]
    fn dolls_that_scripts_name_are_plain_paths() {
        let asked = Asked::default();
        let mut runtime = asked.runtime();
        let (_, object) = posed(&mut runtime, "progs/ogre.iqm");
        let mut run = |name: &str| {
            let command = Command::Doll(name);
            let result = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None);
            (result, runtime.ragdoll(object).is_some(), runtime.object(object).unwrap().pose().is_local())
        };
        for name in OUTSIDE {
            let (result, has_ragdoll, is_local) = run(name);
            assert_eq!(result, Err(RagdollCommandError::NotPlainPath(name.to_owned())));
            assert!(result.unwrap_err().to_string().starts_with(&format!("{} is not a plain path", quoted(name))));
            assert_eq!((has_ragdoll, is_local), (false, true), "{name:?}");
        }
        assert_eq!(asked.take(), [""; 0]);
        assert!(run("dolls/x.doll").1);
        // A ragdoll that runs keeps its doll.
        assert!(run("../x.doll").0.is_err() && run("../x.doll").1);
        assert_eq!(asked.take(), ["dolls/x.doll"]);
    }

    #[test]
    fn a_model_under_another_name_has_no_default_doll_but_may_be_given_one() {
        for name in ["../../q.iqm", "/home/games/q.iqm", "c:\\q.iqm"] {
            let asked = Asked::default();
            let mut runtime = asked.runtime();
            let (model, object) = posed(&mut runtime, name);
            assert!(runtime.precache_doll(model).is_none());
            let file = format!("{name}.doll");
            assert_eq!(runtime.take_warnings(), [Warning::NotPlainPath { file: file.clone() }]);
            let refused = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None).unwrap_err();
            assert!(matches!(refused, RagdollCommandError::NoDoll { .. }));
            assert!(refused.to_string().contains(&format!("neither {file} nor ")), "{refused}");
            assert!(refused.to_string().ends_with("is a plain path"), "{refused}");
            assert_eq!((asked.take(), runtime.reload_dolls(), runtime.ragdoll(object).is_some()), (vec![], 0, false));
            let doll = Command::Doll("ogre.doll");
            assert_eq!(runtime.ragdoll_command(object, &Mat3x4::IDENTITY, doll, None), Ok(1));
            assert_eq!(asked.take(), ["ogre.doll"]);
        }
    }
}

#[cfg(feature = "qcvm")]
#[test]
fn models_that_quakec_names_are_plain_paths() {
    use skelobj::qc::Environment;
    use skelobj::qc::vm::Progs;

    let bytes = include_bytes!("../../examples/quakec/spinning_bone.dat");
    let progs = Progs::load(bytes).unwrap();
    let asked = Asked::default();
    let mut runtime = asked.runtime();
    let mut environment = Environment::new(&progs, |_| ());
    for name in OUTSIDE.iter().filter(|name| !name.is_empty()) {
        environment.precache_model(&mut runtime, name);
        let errors = environment.take_model_errors();
        assert_eq!(errors, [LoadModelError::NotPlainPath { name: (*name).to_owned() }]);
    }
    assert_eq!((asked.take(), runtime.models().count()), (vec![], 0));
}

fn as_darkplaces() -> skelobj::LoadOptions {
    skelobj::LoadOptions::default().with_dialect(skelobj::Dialect::DarkPlaces)
}
