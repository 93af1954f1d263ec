//! `skelobj fmt`: files in place, standard input, and files that are not dolls.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use crate::command::{Folder, text};

fn skelobj(args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

const UNTIDY: &[u8] = b"body  head Head // skull\r\n mass   4\r\n\r\n\r\n";
const TIDY: &str = "body head Head          // skull\n\tmass 4\n";

#[test]
fn files_are_formatted_in_place() {
    let folder = Folder::new("place");
    let (untidy, tidy) = (folder.write("a.doll", UNTIDY), folder.write("b.doll", TIDY));
    let written = std::fs::metadata(&tidy).unwrap().modified().unwrap();
    let check = skelobj(&["fmt", "--check", &untidy, &tidy], b"");
    assert_eq!((check.status.code(), text(&check.stdout)), (Some(1), format!("{untidy}\n")));
    assert_eq!(std::fs::read(&untidy).unwrap(), UNTIDY, "--check changes nothing");
    let output = skelobj(&["fmt", &untidy, &tidy], b"");
    assert_eq!(
        (output.status.code(), text(&output.stdout), text(&output.stderr)),
        (Some(0), String::new(), String::new())
    );
    assert_eq!(std::fs::read_to_string(&untidy).unwrap(), TIDY);
    assert_eq!(std::fs::metadata(&tidy).unwrap().modified().unwrap(), written, "a tidy file is not written");
    assert_eq!(skelobj(&["fmt", "--check", &untidy, &tidy], b"").status.code(), Some(0));
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    let output = skelobj(&["fmt", "-"], UNTIDY);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), TIDY.to_owned()));
    let check = skelobj(&["fmt", "--check", "-"], UNTIDY);
    assert_eq!((check.status.code(), text(&check.stdout)), (Some(1), "-\n".to_owned()));
    assert_eq!(skelobj(&["fmt", "-", "--check"], TIDY.as_bytes()).status.code(), Some(0));
}

#[test]
fn bytes_that_are_not_utf_8_are_kept() {
    let output = skelobj(&["fmt", "-"], b"body  t\xeate t\xeate // fa\xe7ade\n");
    assert_eq!(output.stdout, b"body t\xeate t\xeate          // fa\xe7ade\n");
}

#[test]
fn tidy_files_are_those_that_fte_reads() {
    let wide = [b"\xff\xfe".to_vec(), "body  a\u{a0}x\n".encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
    for untidy in [b"\xef\xbb\xbfbody  a\xc2\xa0x\n".to_vec(), wide] {
        assert_eq!(text(&skelobj(&["fmt", "-"], &untidy).stdout), "body a x\n");
    }
}

#[test]
fn files_of_other_kinds_are_left_alone() {
    let folder = Folder::new("foreign");
    let model = std::fs::read(format!("{}/../dolls/mannequin.iqm", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let readme = b"# A mod\n\nWith   a   table:\n\n\n| a | b |\n".to_vec();
    for (name, bytes) in [("model.iqm", model), ("README.md", readme), ("nul.doll", b"body a  x\n\0\n".to_vec())] {
        let path = folder.write(name, &bytes);
        let output = skelobj(&["fmt", &path], b"");
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(text(&output.stderr).contains(": it is not a doll: "), "{name}: {}", text(&output.stderr));
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{name}");
    }
}

#[test]
fn files_that_cannot_be_read_do_not_stop_the_others() {
    let folder = Folder::new("missing");
    let untidy = folder.write("a.doll", UNTIDY);
    let output = skelobj(&["fmt", "nosuch.doll", folder.0.to_str().unwrap(), &untidy], b"");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr).lines().count(), 2, "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(&untidy).unwrap(), TIDY);
    assert_eq!(skelobj(&["fmt"], b"").status.code(), Some(2));
    assert_eq!(skelobj(&["fmt", "--json", &untidy], b"").status.code(), Some(2));
}

#[test]
fn odd_texts_are_formatted() {
    assert_eq!(skelobj(&["fmt", "-"], b"").stdout, b"");
    assert_eq!(skelobj(&["fmt", "-"], b"//  only a comment").stdout, b"//  only a comment\n");
    let long = [b"body head head\nsize ".as_slice(), &vec![b'4'; 64 << 20]].concat();
    let output = skelobj(&["fmt", "-"], &long);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), long.len() + 2));
    let nan = skelobj(&["fmt", "-"], b"body  head head\n size  nan\n");
    assert_eq!(text(&nan.stdout), "body head head\n\tsize nan\n");
}

#[cfg(unix)]
#[test]
fn formatting_through_a_link_keeps_the_link() {
    let folder = Folder::new("link");
    let (target, link) = (folder.write("target.doll", UNTIDY), folder.0.join("link.doll"));
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert_eq!(skelobj(&["fmt", link.to_str().unwrap()], b"").status.code(), Some(0));
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), TIDY);
}
