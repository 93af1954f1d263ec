//! Names of files as Windows understands them: drives, devices, backslashes, either case, trailing dots and spaces.

use std::fs;

use crate::command::{Folder, repository, text};

/// Creates a folder with the models `m.iqm` and `sub/m.iqm`.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    fs::create_dir(folder.0.join("sub")).unwrap();
    let model = fs::read(repository("tests/golden/models/testbones.iqm")).unwrap();
    folder.write("m.iqm", &model);
    folder.write("sub/m.iqm", &model);
    folder
}

/// Returns the standard error of a command that fails.
fn refused(folder: &Folder, args: &[&str]) -> String {
    let output = folder.skelobj(args);
    assert_eq!(output.status.code(), Some(1), "{args:?}: {}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn a_user_names_files_by_drive_by_backslash_and_in_either_case() {
    let folder = folder("names");
    let whole = folder.0.canonicalize().unwrap();
    let whole = whole.to_str().unwrap();
    assert!(whole.starts_with(r"\\?\"), "{whole}");
    let by_drive = whole.strip_prefix(r"\\?\").unwrap();
    let (drive, rest) = by_drive.split_at(2);
    assert!(drive.ends_with(':'), "{by_drive}");
    let names = [
        r"sub\m.iqm".to_owned(),
        r"SUB/M.IQM".to_owned(),
        r".\sub\..\m.iqm".to_owned(),
        format!(r"{by_drive}\m.iqm"),
        format!("{by_drive}/sub/m.iqm"),
        format!(r"{whole}\m.iqm"),
        format!(r"{rest}\m.iqm"),
        format!("{drive}m.iqm"),
    ];
    for name in names {
        let output = folder.skelobj(&["info", &name]);
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        let told = text(&output.stdout);
        assert!(told.to_lowercase().starts_with("m.iqm: ") && !told.contains('\r'), "{name}: {told}");
    }
}

#[test]
fn devices_are_neither_read_nor_written() {
    let folder = folder("devices");
    for device in ["NUL", "nul.iqm", "CON", "CONIN$", "COM1", "lpt1.iqm", r"\\.\NUL"] {
        let error = refused(&folder, &["info", device]);
        assert!(error.starts_with(&format!("skelobj: cannot read {device}: ")), "{error}");
    }
    for device in ["NUL", "CON", "COM1", r"\\.\NUL"] {
        let error = refused(&folder, &["convert", "m.iqm", "--force", device]);
        assert!(error.contains(device), "{error}");
    }
    let mut names: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["m.iqm", "sub"]);
}

#[test]
fn a_model_is_not_written_over_itself_by_another_spelling() {
    let folder = folder("spelling");
    let before = fs::read(folder.0.join("m.iqm")).unwrap();
    for out in ["M.IQM", r".\m.iqm", r"sub\..\m.iqm", "m.iqm.", "m.iqm ", "m.iqm. ."] {
        let error = refused(&folder, &["fit", "m.iqm", "-o", out]);
        assert!(error.contains("it is an input file"), "{out}: {error}");
        assert_eq!(fs::read(folder.0.join("m.iqm")).unwrap(), before, "{out}");
    }
}

#[test]
fn files_beside_a_model_are_named_by_plain_paths_only() {
    let folder = folder("beside");
    let mesh = r#"MD5Version 10 numJoints 1 numMeshes 0 joints { "root" -1 (0 0 0) (0 0 0) }"#;
    folder.write("imp.md5mesh", mesh);
    folder.write("sub/far.md5mesh", mesh);
    // Windows itself would find some of them.
    let names =
        [r"..\imp.md5mesh", "Z:imp.md5mesh", "far.md5mesh.", "nul", r"\\?\C:\far.md5mesh", "far.md5mesh::$DATA"];
    for name in names {
        folder.write("sub/imp.mdl", format!("EXTERNALANIM model {name} group gone.md5anim"));
        let error = refused(&folder, &["info", r"sub\imp.mdl"]);
        assert!(error.contains(&format!("the required file {name} is missing, or outside")), "{error}");
    }
    folder.write("sub/imp.mdl", "EXTERNALANIM model FAR.md5mesh group gone.md5anim");
    let output = folder.skelobj(&["info", r"sub\imp.mdl"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn dolls_with_the_ends_of_lines_of_windows_are_checked_and_tidied() {
    let folder = folder("crlf");
    let doll = fs::read_to_string(repository("dolls/mannequin.doll")).unwrap().replace("\r\n", "\n");
    let (unix, windows) = (folder.write("unix.doll", &doll), folder.write("windows.doll", doll.replace('\n', "\r\n")));
    let model = repository("dolls/mannequin.iqm");
    let check = |path: &str| {
        let output = folder.skelobj(&["check", "--drop", "0", "--json", path, "--model", &model]);
        assert!(output.status.success(), "{path}: {}", text(&output.stderr));
        text(&output.stdout).replace("windows.doll", "unix.doll")
    };
    assert_eq!(check(&unix), check(&windows));
    assert!(folder.skelobj(&["fmt", "--check", &unix]).status.success());
    let tidied = folder.skelobj(&["fmt", &windows]);
    assert!(tidied.status.success(), "{}", text(&tidied.stderr));
    assert!(folder.skelobj(&["fmt", "--check", &windows]).status.success());
}
