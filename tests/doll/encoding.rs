//! Texts in every encoding that dolls come in.

use skelobj::Model;
use skelobj::doll::{Doll, decode, encode_like, format, lint};
use skelobj::math::Mat3x4;
use skelobj::model::{Bone, Name, Skeleton};

/// Text with mistakes, a name that Latin-1 has, and both kinds of line ends.
const TEXT: &str = "bdoy head head\r\nbody sch\u{f6}n sch\u{f6}n // caf\u{e9}\r\n\tmass 3kg\n\tshap box\n";

fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    ['\u{feff}']
        .iter()
        .copied()
        .chain(text.chars())
        .flat_map(|c| {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().flat_map(|unit| order(*unit)).collect::<Vec<u8>>()
        })
        .collect()
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

fn encoded(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("UTF-8", text.into()),
        ("UTF-8 with a mark", format!("\u{feff}{text}").into()),
        ("UTF-16, low byte first", utf16(text, u16::to_le_bytes)),
        ("UTF-16, high byte first", utf16(text, u16::to_be_bytes)),
        ("Latin-1", latin1(text)),
    ]
}

/// Returns a model of one bone.
fn model(bone: &[u8]) -> Model {
    let bone = Bone { name: Name::new(bone), parent: None, bind: Mat3x4::IDENTITY };
    Model { skeleton: Skeleton::new(vec![bone]).unwrap(), ..Model::default() }
}

#[test]
fn a_text_means_the_same_in_every_encoding() {
    let model = model("sch\u{f6}n".as_bytes());
    let expected = lint(TEXT.as_bytes(), Some(&model));
    assert_eq!(expected.iter().map(|p| (p.line, p.column)).collect::<Vec<_>>(), [(1, 1), (3, 7), (4, 2)]);
    for (encoding, bytes) in encoded(TEXT) {
        assert_eq!(decode(&bytes), TEXT, "{encoding}");
        let problems = lint(&bytes, Some(&model));
        assert_eq!(problems, expected, "{encoding}");
        for problem in &problems {
            let report = problem.report("x.doll", &decode(&bytes)).to_string();
            assert_eq!(report, problem.report("x.doll", TEXT).to_string(), "{encoding}");
        }
        let doll = Doll::parse_for(&bytes, &model.skeleton).doll;
        assert_eq!((&doll.bodies[0].bone, doll.bodies[0].mass), (&model.skeleton.names()[0], 3.0), "{encoding}");
    }
}

#[test]
fn names_keep_the_bytes_of_the_file_and_find_the_bytes_of_the_model() {
    let text =
        "body sch\u{f6}n sch\u{f6}n\n\torient sch\u{f6}n\njoint n sch\u{f6}n\n\ttype point\n\tpivot sch\u{f6}n\n";
    for bone in ["sch\u{f6}n".into(), latin1("sch\u{f6}n")] {
        let (model, name) = (model(&bone), Name::new(&bone));
        for (encoding, bytes) in encoded(text) {
            let parsed = Doll::parse_for(&bytes, &model.skeleton);
            assert_eq!(parsed.problems, [], "{encoding}");
            assert_eq!((&parsed.doll.bodies[0].bone, &parsed.doll.joints[0].pivot), (&name, &Some(name.clone())));
            let written = if encoding == "Latin-1" { latin1("sch\u{f6}n") } else { "sch\u{f6}n".into() };
            assert_eq!(parsed.doll.bodies[0].name, Name::new(&written), "{encoding}");
            let any = Doll::parse(&bytes).doll;
            assert_eq!(any.bodies[0].bone, Name::new(&written), "{encoding}");
            assert_eq!(any.for_skeleton(&model.skeleton), parsed.doll, "{encoding}");
            assert_eq!(any.is_compatible(&model.skeleton), written == bone, "{encoding}");
        }
    }
}

#[test]
fn a_bone_with_the_bytes_of_the_file_comes_before_one_with_its_characters() {
    let bone = |name: &[u8]| Bone { name: Name::new(name), parent: None, bind: Mat3x4::IDENTITY };
    let (wide, narrow) = ("\u{f6}".as_bytes(), b"\xf6".as_slice());
    let skeleton = Skeleton::new(vec![bone(wide), bone(narrow)]).unwrap();
    for name in [wide, narrow] {
        let text = [b"body a ".as_slice(), name, b"\n"].concat();
        assert_eq!(Doll::parse_for(&text, &skeleton).doll.bodies[0].bone, Name::new(name));
    }
}

#[test]
fn no_break_spaces_and_marks_between_files_are_blanks() {
    let parsed = Doll::parse("\u{feff}\u{feff}body a\u{a0}x\n\u{feff}mass\u{a0} 3\u{a0}\n".as_bytes());
    assert_eq!((parsed.problems.len(), parsed.doll.bodies[0].mass), (0, 3.0));
    let quoted = Doll::parse("body \"a\u{a0}b\" x\n".as_bytes()).doll;
    assert_eq!(quoted.bodies[0].name, *"a\u{a0}b");
    assert_eq!(Doll::parse(&quoted.to_text()).doll.bodies[0].name, *"a\u{a0}b");
    assert_eq!(Doll::parse(b"body a\xa0x // caf\xe9\n").doll.bodies[0].bone, *"x", "in Latin-1, too");
}

#[test]
fn damaged_utf_16_is_read_as_far_as_it_goes() {
    assert_eq!(decode(b"\xff\xfea\0\x3d\xd8b\0c"), "a\u{fffd}b\u{fffd}");
    assert_eq!(decode(b"\xfe\xff"), "");
    assert_eq!(decode(b"\xff"), "\u{ff}");
    assert_eq!(decode(b""), "");
    assert_eq!(decode(b"\xef\xbb\xbf\xe9"), "\u{e9}", "a mark before Latin-1");
}

#[test]
fn decoding_twice_changes_nothing() {
    let twice_marked = "\u{feff}\u{feff}a".as_bytes().to_vec();
    for (encoding, bytes) in encoded(TEXT).into_iter().chain([("two marks", twice_marked)]) {
        let once = decode(&bytes);
        assert_eq!(decode(once.as_bytes()), once, "{encoding}");
    }
}

#[test]
fn tidy_text_is_latin_1_if_the_text_is_and_utf_8_otherwise() {
    let (untidy, tidy) = ("body  \u{f6}  x\r\n mass\u{a0}3", "body \u{f6} x\n\tmass 3\n");
    for (encoding, bytes) in encoded(untidy) {
        let expected = if encoding == "Latin-1" { latin1(tidy) } else { tidy.into() };
        assert_eq!(format(&bytes), expected, "{encoding}");
    }
    let ambiguous = b" \xff\xfe a\n".as_slice();
    assert_eq!(format(ambiguous), ambiguous, "without its blank, the text would be UTF-16");
}

#[test]
fn a_text_takes_the_encoding_and_the_mark_of_a_file() {
    for (encoding, file) in encoded(TEXT) {
        for text in ["// sch\u{f6}n\r\n", "", "body a x\n"] {
            let bytes = encode_like(text, &file).unwrap();
            assert_eq!(decode(&bytes), text, "{encoding}");
            let wanted = encoded(text).into_iter().find(|(other, _)| *other == encoding).unwrap().1;
            assert_eq!(bytes, if encoding == "Latin-1" && text.is_empty() { Vec::new() } else { wanted }, "{encoding}");
        }
        assert_eq!(encode_like("\u{142}", &file).is_some(), encoding != "Latin-1", "{encoding}");
    }
    // Latin-1 bytes that would be read as UTF-8, and a mark that would be left out.
    assert_eq!(encode_like("\u{c3}\u{b6}", &latin1(TEXT)), None);
    assert_eq!(encode_like("\u{feff}a", b"body a x\n"), None);
}
