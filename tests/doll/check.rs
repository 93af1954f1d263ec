//! Checks of dolls on a model, and the drops that follow.

use crate::common;
use std::sync::Arc;

use skelobj::doll::{DollProblem, FitOptions, Severity};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, Bone, Name, Skeleton};
use skelobj::ragdoll::{CheckReport, DollCheck};
use skelobj::{Doll, DropTest, Model, assets};

fn mannequin() -> Arc<Model> {
    Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap())
}

fn check(drops: u64) -> DollCheck {
    let mut check = DollCheck::default();
    check.drops = drops;
    check
}

fn codes(problems: &[DollProblem]) -> Vec<(usize, &'static str)> {
    problems.iter().map(|p| (p.line, p.code())).collect()
}

/// Returns how far an animation moves a joint beyond a stop, as its message states.
fn excess(problem: &DollProblem) -> f32 {
    assert_eq!(problem.code(), "animation-beyond-stop");
    let message = problem.message();
    let (before, _) = message.split_once(" beyond ").unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

/// Returns the mannequin's doll with each of some lines replaced.
fn changed(changes: &[(&str, &str)]) -> Vec<u8> {
    let mut text = String::from_utf8(assets::MANNEQUIN_DOLL.to_vec()).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text.into_bytes()
}

#[test]
fn bad_dolls_get_the_reports_beside_them() {
    let model = mannequin();
    let dolls = common::bad_dolls(|name| name.starts_with("mannequin_"), |_, text| check(0).run(text, &model).problems);
    assert!(dolls >= 8, "only {dolls} bad dolls");
}

#[test]
fn the_mannequin_passes_in_silence() {
    let CheckReport { problems, drops, .. } = DollCheck::default().run(assets::MANNEQUIN_DOLL, &mannequin());
    assert_eq!(codes(&problems), []);
    assert_eq!(drops.len(), 20);
}

#[test]
fn a_doll_whose_joints_open_is_fitted_again_with_fewer_bodies() {
    let mut check = check(1);
    // Every joint opens a little, so that only a doll without joints passes.
    check.max_gap = -1.0;
    let fitted = check.fit(&mannequin(), &FitOptions::default()).unwrap();
    let doll = Doll::parse(&fitted.fit.text).doll;
    assert_eq!((doll.bodies.len(), codes(&fitted.report.problems)), (1, vec![]));
}

#[test]
fn a_model_that_no_doll_fits_is_no_checked_fit() {
    let model = Arc::new(Model::default());
    let expected = skelobj::doll::fit(&model, &FitOptions::default()).unwrap_err();
    assert_eq!(check(1).fit(&model, &FitOptions::default()).map(drop), Err(expected));
}

#[test]
fn a_doll_with_errors_is_not_dropped() {
    let report = check(3).run(b"body head head\nmass -1\n", &mannequin());
    assert!(report.has_errors() && report.drops.is_empty());
    let report = check(3).run(b"body skull head\n size 7\nbody head head\n size 7\n", &mannequin());
    assert!(!report.has_errors() && report.drops.len() == 3, "{:?}", codes(&report.problems));
}

#[test]
fn the_limits_hold_the_drops() {
    let model = mannequin();
    let mut strict = check(4);
    (strict.max_gap, strict.max_stop_excess) = (0.0, 0.0);
    let problems = strict.run(assets::MANNEQUIN_DOLL, &model).problems;
    let names: Vec<&str> = problems.iter().map(|p| p.code()).collect();
    assert!(names.contains(&"drop-gap") && names.contains(&"drop-beyond-stop"), "{names:?}");
    assert!(problems.iter().all(|p| p.severity() == Severity::Error));
    for problem in &problems {
        assert!(["drop-gap", "drop-beyond-stop"].contains(&problem.code()), "{problem}");
        let message = problem.message();
        let joint = message.split('`').nth(1).unwrap();
        let line = assets::MANNEQUIN_DOLL.split(|&b| b == b'\n').nth(problem.line - 1).unwrap();
        let line = String::from_utf8_lossy(line);
        assert!(line.starts_with(&format!("joint {joint} ")), "{problem} points at {line}");
    }
    for max_gap in [f32::NAN, -1.0] {
        let mut open = check(1);
        open.max_gap = max_gap;
        let problems = open.run(assets::MANNEQUIN_DOLL, &model).problems;
        assert!(problems.iter().any(|problem| problem.code() == "drop-gap"), "{max_gap}: {:?}", codes(&problems));
    }
    let mut hasty = check(2);
    hasty.max_sleep = 0.2;
    let problems = hasty.run(assets::MANNEQUIN_DOLL, &model).problems;
    let [restless] = problems.as_slice() else { panic!("{:?}", codes(&problems)) };
    assert!(restless.message().ends_with("; 2 drops do not come to rest"), "{restless}");
}

#[test]
fn times_beyond_the_longest_fall_are_refused() {
    for seconds in [DropTest::MAX_SECONDS + 1.0, -1.0, f32::NAN] {
        let mut patient = check(2);
        patient.max_sleep = seconds;
        let problems = patient.run(assets::MANNEQUIN_DOLL, &mannequin()).problems;
        let [refused] = problems.as_slice() else { panic!("{:?}", codes(&problems)) };
        assert!(refused.to_string().contains("expected seconds from 0 to 600"), "{refused}");
    }
}

#[test]
fn a_fall_that_never_rests_is_reported() {
    // A pendulum on a hook in the world.
    let text = b"body hand hand_l\n shape sphere\n size 1.5\njoint hook hand\n type point\n offset 0 0 20\n";
    let report = check(6).run(text, &mannequin());
    assert!(codes(&report.problems).contains(&(1, "drop-restless")), "{:?}", codes(&report.problems));
}

#[test]
fn the_worst_frame_of_all_animations_is_found() {
    let text = changed(&[("histop 2.5\n\tfmax 4000", "histop 0.5\n\tfmax 4000")]);
    let problems = check(0).run(&text, &mannequin()).problems;
    assert!(problems.iter().all(|p| p.code() == "animation-beyond-stop"), "{:?}", codes(&problems));
    assert_eq!(problems.len(), 2, "both knees");
    for problem in &problems {
        assert!(excess(problem) > 0.1, "{problem}");
        assert_eq!(&text[problem.span.clone()], b"0.5", "the caret is under the stop");
        // What it suggests is enough.
        let stop = format!("histop {}\n\tfmax 4000", problem.suggestion().unwrap());
        let wider = changed(&[("histop 2.5\n\tfmax 4000", &stop)]);
        let left = check(0).run(&wider, &mannequin()).problems;
        assert!(left.len() < 2, "{left:?}");
    }
}

#[test]
fn just_beyond_half_a_turn_is_a_small_excess() {
    let bind = |parent: Option<usize>, x: f32| Bone {
        name: Name::from(if parent.is_none() { "base" } else { "lid" }),
        parent,
        bind: Mat3x4::from_translation(Vec3::new(x, 0.0, 0.0)),
    };
    let mut model =
        Model { skeleton: Skeleton::new(vec![bind(None, 0.0), bind(Some(0), 10.0)]).unwrap(), ..Model::default() };
    for turn in [3.0f32, 3.3] {
        for (name, turn) in [("open", turn), ("close", -turn)] {
            let (sin, cos) = turn.sin_cos();
            let turned =
                Mat3x4::from_columns(Vec3::new(cos, 0.0, -sin), Vec3::Y, Vec3::new(sin, 0.0, cos), Vec3::X * 10.0);
            let first = (model.frames.len() / 2) as u32;
            model.frames.extend([Mat3x4::IDENTITY, turned]);
            model.animations.push(Animation::frames(format!("{name} {turn}").as_str(), first, 1, 10.0, true));
        }
    }
    let model = Arc::new(model);
    let beyond = |lo: &str, hi: &str| {
        let text = format!(
            "body base base\n size 4\nbody lid lid\n size 4\njoint lid base lid\n type hinge\n axis 0 1 0\n LoStop {lo}\n HiStop {hi}\n"
        );
        let problems = check(0).run(text.as_bytes(), &model).problems;
        let found = problems.into_iter().find(|problem| problem.code() == "animation-beyond-stop");
        found.unwrap_or_else(|| panic!("{lo} to {hi}"))
    };
    // 3.3 is the same angle as -2.98, which is far from the other stop.
    for (hi, expected) in [("3.1", 0.2), ("2", 1.3)] {
        let problem = beyond("-0.1", hi);
        assert!((excess(&problem) - expected).abs() < 0.011, "{hi}: {problem}");
        assert!(problem.message().contains(" to 3.30 at "), "{hi}: {problem}");
        assert_eq!(problem.suggestion(), None, "no stop is beyond half a turn");
    }
}

/// Within both ranges of a cone, an animation may leave its ellipse, which no stop alone would change.
#[test]
fn an_animation_beyond_the_ellipse_of_a_cone_suggests_no_stop_that_it_has_not_reached() {
    let bind = |parent: Option<usize>, x: f32| Bone {
        name: Name::from(if parent.is_none() { "base" } else { "lid" }),
        parent,
        bind: Mat3x4::from_translation(Vec3::X * x),
    };
    let suggested = |turn: Vec3| {
        let mut model =
            Model { skeleton: Skeleton::new(vec![bind(None, 0.0), bind(Some(0), 10.0)]).unwrap(), ..Model::default() };
        model.frames.extend([
            Mat3x4::IDENTITY,
            Mat3x4::from_rotation_translation(Quat::from_scaled_axis(turn), Vec3::X * 10.0),
        ]);
        model.animations.push(Animation::frames("open", 0, 1, 10.0, true));
        let text = "body base base\n size 4\nbody lid lid\n size 4\njoint lid base lid\n type cone\n axis 0 1 0\n \
                    axis2 0 0 1\n swing -1 1\n swing2 -1 1\n twist -0.5 0.5\n";
        let problems = check(0).run(text.as_bytes(), &Arc::new(model)).problems;
        let found = problems.into_iter().find(|problem| problem.code() == "animation-beyond-stop");
        found.map(|problem| (excess(&problem), problem.suggestion().map(|stop| stop.parse::<f32>().unwrap().abs())))
    };
    assert_eq!(suggested(Vec3::new(0.0, 0.7, 0.7)), None, "on the ellipse");
    let (beyond, stop) = suggested(Vec3::new(0.0, 0.9, 0.9)).expect("beyond the ellipse");
    assert!((beyond - (0.9 - 0.5f32.sqrt())).abs() < 0.011, "{beyond}");
    assert_eq!(stop, None);
    let (beyond, stop) = suggested(Vec3::new(0.0, 1.3, 0.0)).expect("beyond a stop");
    assert!((beyond - 0.3).abs() < 0.011 && stop.is_some_and(|stop| (stop - 1.3).abs() < 0.011), "{beyond} {stop:?}");
}

#[test]
fn limp_and_severed_limbs_need_not_follow_animations() {
    let narrow = ("histop 2.5\n\tfmax 4000", "histop 0.5\n\tfmax 4000\n\tenabled 0");
    assert_eq!(codes(&check(0).run(&changed(&[narrow]), &mannequin()).problems), []);
    let limp = [("histop 2.5\n\tfmax 4000", "histop 0.5\n\tfmax 4000"), ("animate 1 ", "animate 0 ")];
    assert_eq!(codes(&check(0).run(&changed(&limp), &mannequin()).problems), []);
}

/// Stops of such a joint mean the opposite: advice on them would lead astray.
#[test]
fn stops_of_an_exchanged_joint_are_not_held_against_animations() {
    let changes =
        [("histop 2.5\n\tfmax 4000", "histop 0.5\n\tfmax 4000"), ("knee_l thigh_l shin_l", "knee_l shin_l thigh_l")];
    let found = check(0).run(&changed(&changes), &mannequin()).problems;
    let named = |code: &str| found.iter().filter(|p| p.code() == code).map(|p| p.message()).collect::<Vec<_>>();
    assert!(matches!(&named("joint-exchanged")[..], [one] if one.contains("`shin_l`")), "{found:?}");
    assert!(matches!(&named("animation-beyond-stop")[..], [one] if one.contains("`knee_r`")), "{found:?}");
}

#[test]
fn joints_and_shapes_are_held_against_the_reference_pose_and_the_skin() {
    let model = mannequin();
    let codes_of = |changes: &[(&str, &str)]| -> Vec<&'static str> {
        check(0).run(&changed(changes), &model).problems.iter().map(|p| p.code()).collect()
    };
    assert_eq!(codes_of(&[("joint neck chest head\n", "joint neck chest head\n\tpivot hand_r\n")]), ["joint-far"]);
    let large = codes_of(&[("\tsize 3.8\n", "\tsize 16\n")]);
    assert!(large.contains(&"shape-too-large"), "{large:?}");
    let small = codes_of(&[("\tsize 3.8\n", "\tsize 0.5\n")]);
    assert!(small.contains(&"shape-too-small"), "{small:?}");
    let overlapping = codes_of(&[("\tsize 6.4 9.6 7.4\n", "\tsize 6.4 9.6 50\n")]);
    assert!(overlapping.contains(&"overlap"), "{overlapping:?}");
}

#[test]
fn a_doll_of_the_model_in_another_size_is_one_problem() {
    let model = mannequin();
    let problems = |scale: f32| check(1).run(assets::MANNEQUIN_DOLL, &Arc::new(model.scaled(scale).unwrap()));
    for (scale, factor) in [(1.0 / 6.0, 6.0), (1.0 / 32.0, 32.0), (6.0, 0.167), (32.0, 0.031)] {
        let report = problems(scale);
        assert!(report.drops.is_empty() && codes(&report.problems).len() == 1, "{:?}", report.problems);
        let said = report.problems[0].message();
        let (_, rest) = said.split_once("the doll is about ").unwrap_or_else(|| panic!("{said}"));
        let (found, rest) = rest.split_once(" times as large as the model: scale the model by ").unwrap();
        assert_eq!(rest, format!("{found} (`--scale {found}`)"));
        let found: f32 = found.parse().unwrap();
        assert!((factor * 0.85..factor * 1.15).contains(&found), "{scale}: {said}");
    }
    for scale in [0.5, 2.0] {
        let report = problems(scale);
        assert!(report.problems.iter().all(|problem| problem.code() != "other-scale"), "{scale}");
    }
    // Two bodies say nothing about the others, nor does a doll of one or two.
    let odd = changed(&[("\tsize 3.8\n", "\tsize 16\n")]);
    assert!(check(0).run(&odd, &model).problems.iter().all(|problem| problem.code() != "other-scale"));
    let two = b"body chest chest\n size 80\nbody head head\n size 60\njoint neck chest head\n type point\n";
    assert!(check(0).run(two, &model).problems.iter().any(|problem| problem.code() == "shape-too-large"));
}

#[test]
fn the_guide_lists_every_code() {
    let read = |file: &str| std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let source = read("src/doll/code.rs");
    let coded = source.lines().filter_map(|line| line.split_once("=> \"")?.1.strip_suffix("\","));
    let mut coded: Vec<&str> = coded.collect();
    let guide = read("docs/guide/testing-your-ragdolls.md");
    let listed = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let mut listed: Vec<&str> = listed.map(|(code, _)| code).filter(|code| !code.starts_with("--")).collect();
    coded.sort_unstable();
    listed.sort_unstable();
    assert_eq!(coded, listed);
    assert!(coded.len() > 50 && coded.windows(2).all(|pair| pair[0] != pair[1]), "no code has two meanings");
}

#[test]
fn hostile_dolls_are_checked_in_bounded_time() {
    let model = mannequin();
    let many: String = (0..20_000).map(|i| format!("body b{i} head\n size 1e9\n")).collect();
    let report = check(1).run(many.as_bytes(), &model);
    assert!(report.has_errors() && report.problems.len() == 1000);
    for text in [&b""[..], b"\0\0", b"\xff\xfe\n", b"body a head\nsize nan\nmass inf\n", b"joint j a b\n"] {
        assert!(check(1).run(text, &model).has_errors(), "{text:?}");
    }
    let tiny =
        b"body a head\n size 1e-30\n mass 1e-30\nbody b chest\n size 1e30\n mass 1e30\njoint j a b\n type point\n";
    assert!(!check(2).run(tiny, &model).problems.is_empty());
    let empty = Arc::new(Model::default());
    assert!(check(1).run(assets::MANNEQUIN_DOLL, &empty).has_errors());
}

#[test]
fn soft_stops_that_cannot_carry_their_limb_are_reported() {
    let model = mannequin();
    let weak = |cfm: &str| {
        let text = format!(
            "body thigh thigh_l\n size 4 4 16\n mass 8\n offset 0 0 8\nbody shin shin_l\n size 4 4 16\n mass 4\n \
             offset 0 0 8\njoint knee thigh shin\n type hinge\n swing -1 1\n cfm {cfm}\n"
        );
        let problems = check(0).run(text.as_bytes(), &model).problems;
        let problem = problems.into_iter().find(|problem| problem.code() == "weak-soft-stop");
        problem.map(|problem| problem.message())
    };
    // The shin, the lighter side, pulls with a mass of 4, 8 units from the knee, at 800 units/s^2: 25,600, times 0.01 / (240 * 0.2).
    let message = "`cfm 0.01` cannot carry this limb: it would give 5.3 radians, 0.5 are allowed";
    assert_eq!(weak("0.01").as_deref(), Some(message));
    // A softness that yields by a quarter of a radian, and a hard stop.
    assert_eq!([weak("0.0005"), weak("0.00001")], [None, None]);
}
