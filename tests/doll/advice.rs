//! Advice about words of other languages, and one problem for each mistake.

use skelobj::doll::{Doll, DollProblem, lint};
use skelobj::math::Mat3x4;
use skelobj::model::{Bone, Model, Name, Skeleton};

const TWO: &str = "body a link0\nbody b link1\njoint j a b\n";

fn model(bones: &[&str]) -> Model {
    let bone = |name: &&str| Bone { name: Name::from(*name), parent: None, bind: Mat3x4::IDENTITY };
    Model { skeleton: Skeleton::new(bones.iter().map(bone).collect()).unwrap(), ..Model::default() }
}

/// Returns the text with the suggestion of a problem in the problem's place.
fn repaired(text: &str, problem: &DollProblem) -> String {
    let suggestion = problem.suggestion().unwrap_or_else(|| panic!("{problem}"));
    format!("{}{suggestion}{}", &text[..problem.span.start], &text[problem.span.end..])
}

/// Follows all suggestions about a text of one mistake and returns the result, which has no problem.
fn followed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..8 {
        match lint(text.as_bytes(), None).as_slice() {
            [] => return text,
            [problem, ..] => text = repaired(&text, problem),
        }
    }
    panic!("still wrong: {text}");
}

#[test]
fn what_people_write_is_answered_with_the_word_to_write() {
    let body = |line: &str| format!("body a link0\n{line}\n");
    for (wrong, right) in [
        ("bodies b link1\njoint j a b\ntype point", "body b link1\njoint j a b\ntype point"),
        ("; a comment", "// a comment"),
        ("#mass 3", "//mass 3"),
        ("## a comment", "// a comment"),
        ("mass 3 # heavy", "mass 3 // heavy"),
        ("size 3 # x y", "size 3 // x y"),
        ("draw yes", "draw 1"),
        ("draw False", "draw 0"),
        ("animate off", "animate 0"),
        ("weight 3", "mass 3"),
        ("shape ball", "shape sphere"),
        ("shape Cube", "shape box"),
        ("mass 4,000", "mass 4000"),
        ("mass 0,5", "mass 0.5"),
        ("mass 3kg", "mass 3"),
        ("mass \u{2212}3\nmass 3", "mass -3\nmass 3"),
        ("refpose bind", "refpose skin"),
        ("refpose skin # t", "refpose skin // t"),
        ("refpose skin ;", "refpose skin //"),
        ("density 985", "density 0.985"),
        ("shape sphere\nradius 3", "shape sphere\nsize 3"),
        ("shape sphere\nsize 3 4 5", "shape sphere\nsize 4"),
        ("shape capsule\nradius 3\nlength 9", "shape capsule\nsize 3 3 4\nsize 3 3 9"),
        ("shape capsule\nsize 2 4 9", "shape capsule\nsize 3 3 9"),
        ("size 1 2 3\nextents 4", "size 1 2 3\nsize 4"),
    ] {
        // A number below zero is wrong for another reason.
        if wrong.contains('\u{2212}') {
            let text = body(wrong);
            assert_eq!(repaired(&text, &Doll::parse(text.as_bytes()).problems[0]), body(right));
            continue;
        }
        assert_eq!(followed(&body(wrong)), body(right), "{wrong}");
    }
    for (wrong, right) in [
        ("type ball", "type point"),
        ("type Revolute\nHiStop 1", "type hinge\nHiStop 1"),
        ("type hinge\nHiStop 45", "type hinge\nHiStop 0.785"),
        ("type hinge\nHiStop 45deg", "type hinge\nHiStop 0.785"),
        ("type hinge\nHiStop 2\u{b0}", "type hinge\nHiStop 0.035"),
        ("type hinge\nLoStop 2.5\nHiStop -0.1", "type hinge\nLoStop -0.1\nHiStop 2.5"),
        ("type hinge\nHiStop -0.1 // back\n\tLoStop 2.5", "type hinge\nHiStop 2.5 // back\n\tLoStop -0.1"),
        ("type hinge\nswing 1 -1", "type hinge\nswing -1 1"),
        ("type point\nenabled true", "type point\nenabled 1"),
        ("type point\nfriction 3", "type point\nFMax 3"),
        ("type point\nerp 3", "type point\nerp 1"),
        ("type point ; no stops", "type point // no stops"),
    ] {
        assert_eq!(followed(&format!("{TWO}{wrong}\n")), format!("{TWO}{right}\n"), "{wrong}");
    }
    let extra = "body a link0\nbody b link1\njoint j a b # knee\ntype point\n";
    assert_eq!(followed(extra), extra.replace('#', "//"));
}

#[test]
fn what_fte_reads_keeps_its_meaning() {
    let doll = Doll::parse(
        b"body #1 ;x\nmass 4,000\ndraw yes\nbody b y\njoint ; #1 b # tied\ntype hinge\nLoStop 1\nHiStop -1\n",
    );
    assert_eq!(doll.doll.bodies[0].name, *"#1");
    assert_eq!(
        (&doll.doll.bodies[0].bone, doll.doll.bodies[0].mass, doll.doll.bodies[0].draw),
        (&";x".into(), 4.0, false)
    );
    assert_eq!((doll.doll.joints.len(), doll.doll.joints[0].range(0)), (1, None));
    assert_eq!(
        doll.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "2:6: warning: `4,000` is read as 4, did you mean `4000`?",
            "3:6: error: `yes` is not a number, did you mean `1`?",
            "5:14: warning: a comment begins with `//`, not with `#`",
            "7:8: warning: the low stop 1 is above the high stop -1: the joint is not limited; exchange the two",
        ]
    );
}

#[test]
fn stops_of_different_lines_of_the_doll_are_not_exchanged() {
    let exchanged = |text: &str| {
        let problems = Doll::parse(text.as_bytes()).problems;
        assert_eq!(problems.iter().map(|p| p.code()).collect::<Vec<_>>(), ["stops-crossed"], "{text}");
        problems[0].suggestion().is_some()
    };
    assert!(exchanged(&format!("updatejoint default\ntype hinge\nLoStop 1\nHiStop -1\n{TWO}")));
    assert!(
        !exchanged(&format!("updatejoint default\ntype hinge\nLoStop -2\n{TWO}HiStop -3\n")),
        "one is the default's"
    );
    assert!(!exchanged(&format!("{TWO}type hinge\nLoStop 1\n")), "one is that of the language");
    let far = format!("{TWO}type hinge\nLoStop 1 // {}\nHiStop -1\n", "far ".repeat(60));
    assert!(!exchanged(&far));
}

#[test]
fn suggested_names_are_in_quotes_where_they_need_them() {
    let model = model(&["Bip01 Head", "sch\u{f6}n"]);
    let problems = Doll::parse_for("body a \"Bip01 Haed\"\nbody b sch\u{f6}\n".as_bytes(), &model.skeleton).problems;
    let suggestions: Vec<_> = problems.iter().map(|problem| problem.suggestion().unwrap()).collect();
    assert_eq!(suggestions, ["\"Bip01 Head\"", "sch\u{f6}n"]);
    let mut latin = Model { skeleton: Skeleton::default(), ..Model::default() };
    latin.skeleton =
        Skeleton::new(vec![Bone { name: Name::new(b"sch\xf6ner"), parent: None, bind: Mat3x4::IDENTITY }]).unwrap();
    let problem = &Doll::parse_for("body b sch\u{f6}nr\n".as_bytes(), &latin.skeleton).problems[0];
    assert_eq!(problem.suggestion(), Some("sch\u{f6}ner".into()), "{problem}");
    assert!(problem.message().ends_with("did you mean `sch\u{f6}ner`?"), "{problem}");
}

#[test]
fn one_mistake_gives_one_problem() {
    let codes = |text: &str| lint(text.as_bytes(), None).iter().map(|p| (p.line, p.code())).collect::<Vec<_>>();
    for (text, expected) in [
        ("body a x\nbodies b y\n\tshape sphere\njoint j a b\n\ttype point\n\tenabled 0\n", (2, "unknown-directive")),
        ("bodies b y\n\tmass 3\n\tsize 2\n", (1, "unknown-directive")),
        ("body a x\nbody b\n\tmass 3\njoint j a b\nupdatejoint j\n\ttype point\nupdatebody b\n", (2, "wrong-count")),
        ("body a x\nbody b y\njoints j a b\n\ttype hinge\n\tHiStop 1\nupdatejoint j\n", (3, "unknown-directive")),
        ("body a \"x\njoint j a\n", (1, "unclosed-quote")),
        ("body \"a x\n\tmass 3\n", (1, "unclosed-quote")),
        ("/* body a x\n", (1, "unclosed-comment")),
        ("updatejoint default\ntype bogus\nbody a x\nbody b y\njoint j a b\njoint k b a\n", (2, "unknown-joint-type")),
        ("body a x\nbody b y\nbody c z\n", (1, "no-joints")),
        ("body a x\nbody b y\njoint j a b\ntype point\nbody a z\n", (5, "duplicate-name")),
        ("body a x\nbody b y\njoint j a b\ntype point\nbody c y\n", (5, "shared-bone")),
        ("body a x\nbody b y\njoint j a b\ntype hinge\nHiStop 140;\n", (5, "trailing-junk")),
    ] {
        let found = codes(text);
        // A joint without `type` is dropped, which is a mistake of its own.
        let found: Vec<_> = found.into_iter().filter(|(_, code)| *code != "joint-without-type").collect();
        assert_eq!(found, [expected], "{text}");
    }
}

#[test]
fn the_doll_of_another_model_is_one_problem_where_its_first_bone_is() {
    let model = model(&["root", "spine", "Head"]);
    let problems = |text: &str| {
        let problems = lint(text.as_bytes(), Some(&model)).into_iter();
        problems.map(|p| (p.line, p.column, p.code(), p.message())).collect::<Vec<_>>()
    };
    let foreign = "refpose skin\nbody a Bip01_Pelvis\norient Bip01_Neck\nbody b Bip01_Neck\nbody c Bip01_Foot\n\
                   joint j a b\ntype point\npivot Bip01_Foot\njoint k a c\ntype point\n";
    let message = "none of its 3 bones is in the model: is it another model's doll?".to_owned();
    assert_eq!(problems(foreign), [(2, 8, "other-model", message)]);
    let named = lint(foreign.as_bytes(), Some(&model)).remove(0).with_model_name("ogre.iqm");
    let named = named.with_model_name("soldier.iqm").message();
    assert_eq!(named, "none of its 3 bones is in soldier.iqm: is it another model's doll?");
    let other = lint(b"body a rot\n", Some(&model)).remove(0);
    assert_eq!(other.clone().with_model_name("ogre.iqm").message(), other.message());
    let codes = |text: &str| problems(text).into_iter().map(|(line, _, code, _)| (line, code)).collect::<Vec<_>>();
    let missing = |line| (line, "no-such-bone");
    assert_eq!(codes("body a Bip01_Neck\n"), [missing(1)], "one bone is no doll");
    assert_eq!(codes("body a Bip01_Neck\nbody b Bip01_Foot\nbody c root\n"), [missing(1), missing(2)], "one is there");
    assert_eq!(
        codes("body a head\nbody b Spine\nbody c tail\n"),
        [missing(1), missing(2), missing(3)],
        "most are near"
    );
}

#[test]
fn a_missing_animation_is_marked_at_its_number() {
    let problems = lint(b"body a root\nrefpose 99 0\n", Some(&model(&["root"])));
    assert_eq!((problems[0].code(), problems[0].line, problems[0].column), ("no-such-animation", 2, 9));
    assert_eq!(problems[0].span, 20..22);
}
