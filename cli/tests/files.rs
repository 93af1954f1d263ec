//! Files that the command reads and writes: none outside the model's folder, no endless ones, none overwritten by
//! mistake.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn skelobj(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skelobj")).args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the standard output of a command that succeeds.
fn said(args: &[&str], folder: &Path) -> String {
    let output = skelobj(args, folder);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Returns the standard error of a command that fails.
fn refused(args: &[&str], folder: &Path) -> String {
    let output = skelobj(args, folder);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    text(&output.stderr)
}

/// Creates a folder for a test with the model `m.iqm`.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/models/testbones.iqm");
    fs::copy(model, folder.join("m.iqm")).unwrap();
    folder
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn side_files_are_found_in_other_case() {
    let folder = folder("case");
    fs::write(folder.join("M.Iqm.FrameGroups"), "0 1 10 0 shouted").unwrap();
    assert!(said(&["info", "m.iqm"], &folder).contains(" shouted "));
    fs::write(folder.join("m.iqm.framegroups"), "0 1 10 0 exact").unwrap();
    assert!(said(&["info", "m.iqm"], &folder).contains(" exact "));
}

#[test]
fn text_from_files_cannot_steer_a_terminal() {
    let folder = folder("terminal");
    fs::write(folder.join("m.iqm.framegroups"), b"0 1 10 0 \x1b[31mred\n0 1 10 0 \xc2\x9b31mred\n0 1 0 \x1b").unwrap();
    let shown = said(&["info", "m.iqm"], &folder);
    assert!(shown.contains("\u{fffd}[31mred") && shown.contains("\u{fffd}31mred"), "{shown}");
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    let json = said(&["info", "--json", "m.iqm"], &folder);
    assert!(json.contains("\\u001b[31mred") && json.contains("\\u009b31mred"), "{json}");
    assert!(!json.contains(|c: char| c.is_control() && c != '\n'));
    let missing = refused(&["sim", "m.iqm", "--from", "none"], &folder);
    assert!(!missing.contains('\u{1b}'), "{missing:?}");
    let named = refused(&["info", "\u{1b}]0;title\u{7}.iqm"], &folder);
    assert!(named.starts_with("skelobj: cannot read \u{fffd}]0;title\u{fffd}.iqm: "), "{named:?}");
}

#[test]
fn scripts_cannot_steer_a_terminal() {
    let folder = folder("script");
    let progs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/quakec/two_frame_blend.dat");
    let mut bytes = fs::read(progs).unwrap();
    let at = bytes.windows(5).position(|window| window == b" has ").unwrap();
    bytes[at..at + 5].copy_from_slice(b"\thas\x1b");
    fs::write(folder.join("progs.dat"), bytes).unwrap();
    assert_eq!(said(&["script", "progs.dat"], &folder), "mannequin.iqm\thas\u{fffd}4 animations\n");
}

#[test]
fn folders_are_not_read_as_files() {
    let folder = folder("kinds");
    assert!(refused(&["info", "."], &folder).contains("cannot read .: it is a folder"));
    assert!(refused(&["script", "."], &folder).contains("cannot read .: it is a folder"));
    let replayed = skelobj(&["replay", "."], &folder);
    assert_eq!((replayed.status.code(), text(&replayed.stdout)), (Some(1), "0 passed, 1 failed\n".into()));
    assert_eq!(text(&replayed.stderr), "skelobj: cannot read .: it is a folder\n");
}

#[test]
fn a_model_is_not_written_over_itself() {
    let folder = folder("itself");
    let before = fs::read(folder.join("m.iqm")).unwrap();
    fs::copy(folder.join("m.iqm"), folder.join("other.iqm")).unwrap();
    for out in ["m.iqm", "./m.iqm", "../itself/m.iqm"] {
        let error = refused(&["convert", "m.iqm", out], &folder);
        let reason = "it is an input file (use --force to write it anyway)";
        assert!(error.ends_with(&format!("skelobj: {out} is not written: {reason}\n")), "{error}");
    }
    assert!(refused(&["convert", "m.iqm", "--with", "other.iqm", "other.iqm"], &folder).contains("is an input file"));
    assert!(refused(&["draw", "m.iqm", "-o", "m.iqm"], &folder).contains("m.iqm"));
    assert_eq!(fs::read(folder.join("m.iqm")).unwrap(), before);
    said(&["convert", "m.iqm", "m.iqm", "--force"], &folder);
    assert_ne!(fs::read(folder.join("m.iqm")).unwrap(), before);
    assert_eq!(names(&folder), ["m.iqm", "other.iqm"]);
}

#[test]
fn a_file_that_cannot_be_written_stays_as_it_was() {
    let folder = folder("stays");
    fs::create_dir(folder.join("folder.glb")).unwrap();
    assert!(refused(&["convert", "m.iqm", "folder.glb"], &folder).contains("it is not a regular file"));
    fs::write(folder.join("locked.glb"), "old").unwrap();
    let mut permissions = fs::metadata(folder.join("locked.glb")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.join("locked.glb"), permissions).unwrap();
    assert!(refused(&["convert", "m.iqm", "locked.glb", "--force"], &folder).contains("cannot write locked.glb: "));
    assert_eq!(fs::read(folder.join("locked.glb")).unwrap(), b"old");
    assert_eq!(names(&folder), ["folder.glb", "locked.glb", "m.iqm"]);
}

#[test]
fn no_command_replaces_a_file_without_force() {
    let folder = folder("exists");
    let progs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/quakec/two_frame_blend.dat");
    let progs = progs.to_str().unwrap();
    let short = ["--seconds", "0.1"];
    let commands: [(&str, &[&str]); 6] = [
        ("old.glb", &["convert", "m.iqm", "old.glb"]),
        ("old.doll", &["fit", "-o", "old.doll"]),
        ("old.run", &["sim", "--record", "old.run"]),
        ("strip.png", &["draw", "--width", "64", "--panels", "2"]),
        ("old.json", &["script", progs, "--dump-bones", "old.json"]),
        ("old.png", &["script", progs, "--draw", "old.png", "--width", "64"]),
    ];
    for (name, command) in commands {
        let command = if ["sim", "draw"].contains(&command[0]) { [command, &short].concat() } else { command.to_vec() };
        fs::write(folder.join(name), "old").unwrap();
        let error = refused(&command, &folder);
        assert!(
            error.ends_with(&format!("{name} is not written: it exists (use --force to write it anyway)\n")),
            "{error}"
        );
        assert_eq!(fs::read(folder.join(name)).unwrap(), b"old");
        said(&[command.as_slice(), &["--force"]].concat(), &folder);
        assert!(fs::read(folder.join(name)).unwrap().len() > 3, "{name}");
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn pipes_and_devices_are_not_read() {
        let folder = folder("pipes");
        for name in ["m.iqm.framegroups", "m.iqm.doll", "p.iqm"] {
            pipe(&folder.join(name));
        }
        assert!(said(&["info", "m.iqm"], &folder).starts_with("m.iqm: "));
        assert!(refused(&["sim", "m.iqm"], &folder).contains("no doll"));
        for name in ["p.iqm", "/dev/zero"] {
            let error = refused(&["info", name], &folder);
            assert_eq!(error, format!("skelobj: cannot read {name}: it is not a regular file\n"));
            assert!(refused(&["sim", "m.iqm", "--doll", name], &folder).contains("not a regular file"));
            assert!(refused(&["script", name], &folder).contains("not a regular file"));
        }
        assert!(refused(&["convert", "m.iqm", "p.iqm"], &folder).contains("not a regular file"));
    }

    #[test]
    fn links_do_not_lead_out_of_the_folder() {
        let (folder, outside) = (folder("links"), folder("links_outside"));
        fs::write(outside.join("groups"), "0 1 10 0 outside").unwrap();
        fs::write(folder.join("groups"), "0 1 10 0 inside").unwrap();
        symlink(outside.join("groups"), folder.join("m.iqm.framegroups")).unwrap();
        assert!(!said(&["info", "m.iqm"], &folder).contains(" outside "));
        fs::remove_file(folder.join("m.iqm.framegroups")).unwrap();
        symlink("groups", folder.join("m.iqm.framegroups")).unwrap();
        assert!(said(&["info", "m.iqm"], &folder).contains(" inside "));
    }

    #[test]
    fn links_are_not_written_through_unless_forced() {
        let folder = folder("through");
        let before = fs::read(folder.join("m.iqm")).unwrap();
        fs::hard_link(folder.join("m.iqm"), folder.join("hard.iqm")).unwrap();
        assert!(refused(&["convert", "m.iqm", "hard.iqm"], &folder).contains("it is an input file"));
        fs::write(folder.join("real.glb"), "old").unwrap();
        fs::set_permissions(folder.join("real.glb"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.glb", folder.join("soft.glb")).unwrap();
        let error = refused(&["convert", "m.iqm", "soft.glb"], &folder);
        assert!(error.contains("skelobj: soft.glb is not written: it is a symbolic link "), "{error}");
        assert_eq!(fs::read(folder.join("real.glb")).unwrap(), b"old");
        said(&["convert", "m.iqm", "soft.glb", "--force"], &folder);
        assert!(folder.join("soft.glb").is_symlink());
        assert!(fs::read(folder.join("real.glb")).unwrap().starts_with(b"glTF"));
        assert_eq!(fs::metadata(folder.join("real.glb")).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read(folder.join("m.iqm")).unwrap(), before);
        assert_eq!(names(&folder), ["hard.iqm", "m.iqm", "real.glb", "soft.glb"]);
    }
}
