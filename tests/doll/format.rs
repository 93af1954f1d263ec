//! Formatting of dolls: tidy text with the same meaning.

use crate::common;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use skelobj::doll::{Doll, decode, format};

/// Returns everything that a text means, apart from lines: the doll, and the messages of its problems.
fn meaning(text: &[u8]) -> String {
    let mut parsed = Doll::parse(text);
    parsed.doll.bodies.iter_mut().for_each(|b| b.line = 0);
    parsed.doll.joints.iter_mut().for_each(|j| j.line = 0);
    let lineless = |message: String| match message.split_once(" line ") {
        Some((before, after)) => format!("{before}{}", after.trim_start_matches(|c: char| c.is_ascii_digit())),
        None => message,
    };
    let messages: Vec<_> = parsed.problems.iter().map(|p| (p.code(), lineless(p.message()))).collect();
    format!("{:#?}\n{messages:?}", parsed.doll)
}

/// Returns the characters of all comments and words, without blanks.
fn ink(text: &[u8]) -> String {
    decode(text).chars().filter(|c| *c > ' ' && !['\u{a0}', '\u{feff}'].contains(c)).collect()
}

fn assert_tidy(text: &[u8], name: &str) -> Vec<u8> {
    let tidy = format(text);
    let shown = String::from_utf8_lossy(&tidy);
    assert_eq!(meaning(&tidy), meaning(text), "{name}:\n{shown}");
    assert_eq!(String::from_utf8_lossy(&format(&tidy)), shown, "{name}");
    assert_eq!(ink(&tidy), ink(text), "{name}:\n{shown}");
    tidy
}

fn formatted(text: &str) -> String {
    String::from_utf8(assert_tidy(text.as_bytes(), text)).unwrap()
}

fn dolls(folder: &Path) -> Vec<PathBuf> {
    let files = common::files(folder).into_iter();
    files.filter(|f| f.extension().is_some_and(|e| e == "doll")).collect()
}

#[test]
fn every_doll_of_the_repository_keeps_its_meaning() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["dolls", "tests/dolls/bad", "tests/golden/dolls", "tests/golden/models"];
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| dolls(&root.join(folder))).collect();
    assert!(files.len() > 40);
    for file in &files {
        assert_tidy(&std::fs::read(file).unwrap(), &file.display().to_string());
    }
}

#[test]
fn dolls_of_the_shared_folder_keep_their_meaning() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED dolls_of_the_shared_folder_keep_their_meaning: no shared folder");
        return;
    };
    let mut count = 0;
    for folder in ["corpus/ragdoll", "golden/dolls", "bad"].map(|folder| shared.join(folder)) {
        // Models are not dolls, and are hostile text all the more.
        for file in common::files(&folder) {
            assert_tidy(&std::fs::read(&file).unwrap(), &file.display().to_string());
            count += 1;
        }
    }
    println!("shared cases: dolls_of_the_shared_folder_keep_their_meaning: {count}");
}

#[test]
fn the_mannequin_is_tidy() {
    let text = skelobj::assets::MANNEQUIN_DOLL;
    let tidy = format(text);
    for (number, (tidy, line)) in tidy.split(|&b| b == b'\n').zip(text.split(|&b| b == b'\n')).enumerate() {
        assert_eq!(String::from_utf8_lossy(tidy), String::from_utf8_lossy(line), "line {}", number + 1);
    }
    assert_eq!(tidy.len(), text.len());
}

#[test]
fn attributes_are_indented_and_directives_are_not() {
    assert_eq!(
        formatted("refpose  skin\r\n  body a   x\r\nmass 3 \r\n    joint j a\n      TYPE hinge\nupdatebody a\nmass 4"),
        "refpose skin\nbody a x\n\tmass 3\njoint j a\n\tTYPE hinge\nupdatebody a\n\tmass 4\n"
    );
    assert_eq!(formatted("  mass 3\n"), "mass 3\n", "an attribute of nothing");
    assert_eq!(formatted("\n\n\nbody a x\n\n \n\n\nsize 4\n\n\n"), "body a x\n\n\tsize 4\n");
    assert_eq!(formatted(""), "");
    assert_eq!(formatted(" \n\t\n"), "");
}

#[test]
fn comments_after_words_are_aligned() {
    assert_eq!(
        formatted("body a x // one\n mass 3 // two\n size 4//not a comment\n\n fmax 4 /* here */ // friction:\n"),
        "body a x                // one\n\tmass 3              // two\n\tsize 4//not a comment\n\n\
         \tfmax 4 /* here */   // friction:\n"
    );
    assert_eq!(
        formatted("body a_long_name on_a_long_bone // one\n mass 3 // two\n"),
        "body a_long_name on_a_long_bone // one\n\tmass 3                      // two\n"
    );
    assert_eq!(
        formatted("body a x\n fmax 4   // friction:\n          // a torque\n          // in all\n draw 0\n"),
        "body a x\n\tfmax 4              // friction:\n\
         \t                    // a torque\n\t                    // in all\n\tdraw 0\n",
        "comments below a comment continue it"
    );
}

#[test]
fn comments_on_lines_of_their_own_keep_their_owner() {
    assert_eq!(
        formatted("// head\n\n  body a x\n//leads mass\n mass 3\n  //draw 0\n\n// of b\nbody b y\n  //animate 0\n"),
        "// head\n\nbody a x\n\t//leads mass\n\tmass 3\n\t//draw 0\n\n// of b\nbody b y\n\t//animate 0\n"
    );
    assert_eq!(
        formatted("/* two  \r\n   lines */ body a x /* and\nmore */ // end\n"),
        "/* two\n   lines */ body a x /* and\nmore */                 // end\n"
    );
}

#[test]
fn mistakes_stay_as_they_are() {
    assert_eq!(formatted("body a \"x  \nmass   3 /* rest \n\n"), "body a \"x  \n\tmass 3              /* rest\n");
    assert_eq!(formatted("\"a\"\"b\"\"c\"d\"e\""), "\"a\"\"b\"\"c\" d\"e\"\n");
}

/// Returns texts of the pieces that doll files have, in odd orders.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"body a x",
        b"joint j a b",
        b"mass 3",
        b"size 4 4 8",
        b"updatebody default",
        b"refpose skin",
        b"type hinge",
        b"\n",
        b"\n",
        b"\r\n",
        b"\n\n\n",
        b" ",
        b"    ",
        b"\t",
        b"// c",
        b"//",
        b"/* c */",
        b"/* c\n d */",
        b"/*",
        b"*/",
        b"\"",
        b"\"q w\"",
        b"\"\"",
        b"\xff",
        b"\0",
        b"\x1b",
        b"\xc3\xa4",
        b"\xc2\xa0",
        b"\xa0",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\r",
        b"x",
        b"                        // far",
        b"a_very_long_word_that_is_wider_than_the_column_of_the_comments_of_others",
    ];
    proptest::collection::vec(proptest::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_keeps_its_meaning(text in text()) {
        assert_tidy(&text, &format!("{:?}", String::from_utf8_lossy(&text)));
    }

    #[test]
    fn any_bytes_keep_their_meaning(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        assert_tidy(&bytes, &format!("{bytes:?}"));
    }
}

#[test]
fn the_length_of_a_formatted_text_is_linear_in_that_of_the_text() {
    let wide = [b"w".repeat(100_000), b" // c\n".to_vec()].concat();
    let text = [wide, b"x // c\n".repeat(10_000)].concat();
    assert!(format(&text).len() < 10 * text.len(), "one wide line does not push the comments of others");
}
