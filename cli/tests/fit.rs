//! `skelobj fit`: dolls for models.

use crate::command::{skelobj, text, written};
use skelobj::doll::lint;
use skelobj::{Model, assets};

#[test]
fn without_arguments_the_doll_of_the_mannequin_is_printed() {
    let output = skelobj(&["fit", "--drop", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    assert!(lint(&output.stdout, Some(&model)).is_empty());
    let printed = text(&output.stdout);
    assert!(printed.starts_with("// Ragdoll for mannequin.iqm: 16 bodies, 15 joints"), "{printed}");
    assert!(printed.contains("// knee, by name"), "{printed}");
}

#[test]
fn a_written_doll_is_used_by_other_commands_and_not_replaced() {
    let doll = written("fit_written", "mannequin.doll");
    let output = skelobj(&["fit", "--drop", "3", "-o", &doll]);
    assert_eq!(text(&output.stdout), format!("{doll}: 16 bodies, 15 joints, 3 drops\n"), "{}", text(&output.stderr));
    let sim = skelobj(&["sim", "--doll", &doll, "--seconds", "0.2"]);
    assert!(text(&sim.stdout).starts_with("mannequin.iqm: 16 bodies, 15 joints"), "{}", text(&sim.stderr));
    assert_eq!(text(&sim.stderr), "");

    std::fs::write(&doll, "// by hand\n").unwrap();
    let refused = skelobj(&["fit", "-o", &doll]);
    assert_eq!(refused.status.code(), Some(1));
    let message = format!("skelobj: {doll} is not written: it exists (use --force to write it anyway)\n");
    assert_eq!(text(&refused.stderr), message);
    assert_eq!(std::fs::read(&doll).unwrap(), b"// by hand\n");
    assert!(skelobj(&["fit", "--drop", "0", "-o", &doll, "--force"]).status.success());
    assert!(std::fs::read(&doll).unwrap().len() > 1000);
}

#[test]
fn a_small_number_of_bodies_can_be_requested() {
    let printed = text(&skelobj(&["fit", "--drop", "0", "--max-bodies", "3"]).stdout);
    assert!(printed.starts_with("// Ragdoll for mannequin.iqm: 3 bodies, 2 joints"), "{printed}");
}

#[test]
fn a_model_without_bones_is_refused() {
    let path = written("fit_no_bones", "empty.iqm");
    let mut file = b"INTERQUAKEMODEL\0".to_vec();
    file.extend([2u32, 124].into_iter().flat_map(u32::to_le_bytes));
    file.resize(124, 0);
    std::fs::write(&path, file).unwrap();
    let output = skelobj(&["fit", &path]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "skelobj: empty.iqm: the model has no bones, which a ragdoll needs\n");
}

#[test]
fn a_model_without_a_skin_is_refused_unless_it_is_wanted() {
    let path = written("fit_no_skin", "bones.iqm");
    let mut model = assets::mannequin();
    model.meshes.clear();
    std::fs::write(&path, skelobj::Format::Iqm.write(&model).unwrap()).unwrap();
    let refused = skelobj(&["fit", &path, "--drop", "0"]);
    assert_eq!(refused.status.code(), Some(1));
    let message = "skelobj: bones.iqm: bones move no vertex of the model, so bodies have no size (use --without-skin to \
                   fit it all the same)\n";
    assert_eq!(text(&refused.stderr), message);
    assert!(!skelobj(&["fit", &path, "--drop", "0", "--force"]).status.success());
    let wanted = skelobj(&["fit", &path, "--drop", "0", "--without-skin"]);
    assert!(wanted.status.success() && text(&wanted.stdout).contains("from the length of the bone"));
}

#[test]
fn a_model_in_metres_is_noticed_and_scaled() {
    let folder = std::path::PathBuf::from(written("fit_metres", "small.iqm"));
    let path = folder.to_str().unwrap();
    let model = assets::mannequin().scaled(1.0 / 32.0).unwrap();
    std::fs::write(path, skelobj::Format::Iqm.write(&model).unwrap()).unwrap();
    let (doll, picture) = (folder.with_file_name("small.doll"), folder.with_file_name("small.png"));
    let (doll, picture) = (doll.to_str().unwrap(), picture.to_str().unwrap());
    let small = skelobj(&["fit", path, "--drop", "0"]);
    let told = text(&small.stderr);
    assert!(told.starts_with("small.iqm: note: the figure is 2 units tall, a player 56"), "{told}");
    let scaled = skelobj(&["fit", path, "--drop", "0", "--scale", "32", "-o", doll, "--force"]);
    assert_eq!(text(&scaled.stderr), "");
    let check = |scale: &[&str]| skelobj(&[&["check", doll, "--drop", "1", "--deny-warnings"], scale].concat());
    assert!(check(&["--scale", "32"]).status.success(), "{}", text(&check(&["--scale", "32"]).stdout));
    let unscaled = check(&[]);
    let other = "error: the doll is about 29 times as large as the model: scale the model by 29 (`--scale 29`)";
    assert!(!unscaled.status.success() && text(&unscaled.stdout).contains(other), "{}", text(&unscaled.stdout));
    let draw = ["draw", "--seconds", "0.1", "--width", "64", "--panels", "1", "--force", "-o", picture];
    for command in [&["sim", "--seconds", "0.1"][..], &draw] {
        let fall = |scale: &[&str]| skelobj(&[command, &[path, "--doll", doll], scale].concat());
        let (fits, unscaled) = (fall(&["--scale", "32"]), fall(&[]));
        assert_eq!((fits.status.success(), text(&fits.stderr)), (true, String::new()));
        assert!(unscaled.status.success() && text(&unscaled.stderr).contains(other), "{}", text(&unscaled.stderr));
        assert_eq!(text(&unscaled.stderr).matches("small.doll").count(), 1, "{}", text(&unscaled.stderr));
    }
    let info = text(&skelobj(&["info", path, "--scale", "32"]).stdout);
    assert_eq!(info.lines().nth(3), text(&skelobj(&["info"]).stdout).lines().nth(3), "{info}");
    let wrong = skelobj(&["info", path, "--scale", "0"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("expected a factor from 0.001 to 1000"), "{}", text(&wrong.stderr));
}
