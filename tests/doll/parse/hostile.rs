//! Hostile doll text.

use super::*;

/// Checks the invariants of every text.
fn assert_sound(text: &[u8]) {
    let decoded = decode(text);
    let (lines, length) = (decoded.matches('\n').count() + 1, decoded.len());
    for parsed in [Doll::parse(text), Doll::parse_for(text, &chain())] {
        let mut last = 0;
        for problem in &parsed.problems {
            assert!(problem.span.start <= problem.span.end && problem.span.end <= length, "{problem:?}");
            assert!(problem.suggestion().is_none_or(|suggestion| !suggestion.is_empty()), "{problem:?}");
            assert!(problem.span.start >= last, "in the order of the text");
            last = problem.span.start;
            assert!((1..=lines).contains(&problem.line), "{problem:?}");
            assert!((1..=length + 1).contains(&problem.column), "{problem:?}");
            let report = problem.report("x.doll", &decoded).to_string();
            assert_eq!(report.lines().count(), 3, "{report:?}");
            assert!(report.len() < 2000 && !report.contains(|c: char| c.is_control() && c != '\n'), "{report:?}");
        }
        for body in &parsed.doll.bodies {
            assert!(body.name.as_bytes().len() <= Doll::MAX_NAME);
            assert!(body.mass > 0.0 && body.mass.is_finite() && body.animate.is_finite());
            assert!(body.size.iter().all(|&s| s > 0.0 && s.is_finite()));
        }
        for joint in &parsed.doll.joints {
            assert!(joint.body1 < parsed.doll.bodies.len() && joint.body2.is_none_or(|b| b < parsed.doll.bodies.len()));
            assert!(joint.body2 != Some(joint.body1));
            assert!(joint.axis.try_normalize().is_some() && joint.axis2.try_normalize().is_some());
        }
    }
}

/// Generates text from words of the language and others.
fn doll_like() -> impl Strategy<Value = String> {
    const WORDS: [&str; 66] = [
        "#",
        ";",
        "bodies",
        "radius",
        "4,000",
        "yes",
        "45deg",
        "ball",
        "\u{a0}",
        "\u{feff}",
        "sch\u{f6}n",
        "length",
        "body",
        "joint",
        "updatebody",
        "updatejoint",
        "refpose",
        "shape",
        "size",
        "dimensions",
        "mass",
        "animate",
        "draw",
        "offset",
        "orient",
        "type",
        "axis",
        "axis2",
        "LoStop",
        "HiStop",
        "LoStop2",
        "HiStop2",
        "ERP",
        "CFM2",
        "FMax",
        "enabled",
        "pivot",
        "default",
        "skin",
        "link0",
        "link1",
        "a",
        "b",
        "c",
        "box",
        "capsule",
        "point",
        "hinge",
        "universal",
        "hinge2",
        "0",
        "1",
        "-1",
        "0.5",
        "nan",
        "inf",
        "1e30",
        "1e-30",
        "\"",
        "\"\"",
        "\"a b\"",
        "//",
        "/*",
        "*/",
        "\t",
        "\u{e9}\0",
    ];
    let word = (proptest::sample::select(&WORDS[..]), prop_oneof![4 => Just(" "), 2 => Just("\n"), 1 => Just("")]);
    proptest::collection::vec(word, 0..200).prop_map(|words| words.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic_and_problems_lie_inside_them(text in proptest::collection::vec(any::<u8>(), 0..600)) {
        assert_sound(&text);
    }

    #[test]
    fn any_words_are_read_without_panic_and_problems_lie_inside_them(text in doll_like()) {
        assert_sound(text.as_bytes());
        assert_sound(&[0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect::<Vec<u8>>());
        assert_sound(&[text.as_bytes(), b"\xe9"].concat());
    }
}

#[test]
fn very_large_texts_are_read() {
    for piece in ["body a link0\n", "joint j a b\n", "\"", "/*", "x ", "body \"\"\"\" x\n", "\n", "size 1\n", "1e"] {
        let text = [b"body a link0\nbody b link1\n", piece.repeat(50_000).as_bytes()].concat();
        assert_sound(&text);
    }
}
