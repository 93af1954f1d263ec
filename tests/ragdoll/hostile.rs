//! Random dolls and commands: bones stay finite and bodies stay slow.

use std::fmt::Write;

use crate::common::random::Random;
use skelobj::math::{EntityTransform, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::{Command, Flinch};
use skelobj::{Model, Runtime, assets};

const NUMBERS: [&str; 24] = [
    "0", "1", "-1", "0.5", "1e-9", "1e9", "-1e30", "1e38", "nan", "inf", "-inf", "3.2", "-0.7", "40", "1e-38", "6.3",
    "800", "2", "4", "10", "0.1", "0.3", "1.5", "-2",
];
const JOINTS: [&str; 6] = ["fixed", "point", "hinge", "slider", "universal", "hinge2"];
const SHAPES: [&str; 4] = ["box", "sphere", "capsule", "cylinder"];
const STOPS: [&str; 10] = ["LoStop", "HiStop", "LoStop2", "HiStop2", "ERP", "CFM", "FMax", "ERP2", "CFM2", "FMax2"];

/// Returns a number, ordinary most of the time.
fn number(random: &mut Random) -> &'static str {
    if random.below(3) == 0 { random.of(&NUMBERS) } else { random.of(&NUMBERS[11..]) }
}

fn numbers(random: &mut Random, count: usize) -> String {
    (0..count).map(|_| number(random)).collect::<Vec<_>>().join(" ")
}

/// Returns a doll of up to 18 bodies on any bones and up to 20 joints between any of them.
fn doll(random: &mut Random, bones: &[String]) -> (String, usize) {
    let mut text = format!("refpose {} {}\n", random.below(5), number(random));
    let bodies = 1 + random.below(18);
    for body in 0..bodies {
        let _ = writeln!(text, "body b{body} {}\nshape {}", bones[random.below(bones.len())], random.of(&SHAPES));
        for _ in 0..random.below(4) {
            let _ = match random.below(6) {
                0 => writeln!(text, "size {}", numbers(random, 3)),
                1 => writeln!(text, "mass {}", number(random)),
                2 => writeln!(text, "animate {}", number(random)),
                3 => writeln!(text, "offset {}", numbers(random, 6)),
                4 => writeln!(text, "orient {}", bones[random.below(bones.len())]),
                _ => writeln!(text, "orient"),
            };
        }
    }
    for joint in 0..random.below(20) {
        let second = if random.below(6) == 0 { String::new() } else { format!("b{}", random.below(bodies)) };
        let _ = writeln!(text, "joint j{joint} b{} {second}\ntype {}", random.below(bodies), random.of(&JOINTS));
        for _ in 0..random.below(6) {
            let _ = match random.below(4) {
                0 => writeln!(text, "axis{} {}", random.of(&["", "2"]), numbers(random, 3)),
                1 => writeln!(text, "offset {}", numbers(random, 3)),
                _ => writeln!(text, "{} {}", random.of(&STOPS), number(random)),
            };
        }
    }
    (text, bodies)
}

#[test]
fn no_doll_and_no_command_makes_a_bone_infinite_or_a_limp_body_faster_than_the_limit() {
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let bones: Vec<String> = model.skeleton.names().iter().map(ToString::to_string).collect();
    let model = std::sync::Arc::new(model);
    let mut made = 0;
    for seed in 1..=60_u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (text, bodies) = doll(&mut random, &bones);
        let mut runtime = Runtime::default();
        runtime.physics_mut().add_floor(0.0).unwrap();
        let id = runtime.add_model("mannequin.iqm", model.clone()).unwrap();
        let object = runtime.create_object(id, Space::Local).unwrap();
        let mut entity = EntityTransform::new(Vec3::Z * 40.0, Vec3::ZERO);
        runtime.build(object, id, &FrameState::single(2, 0.2), &Build::REPLACE).unwrap();
        let command = format!("dollstring\n{text}");
        if runtime
            .ragdoll_command(object, &entity.to_world(-1.0, 1.0), Command::parse(&command).unwrap(), None)
            .is_err()
        {
            continue;
        }
        made += 1;
        for frame in 0..25 {
            if random.below(4) == 0 {
                let run = FrameState::single(2, f64::from(frame) / 30.0);
                runtime.build(object, id, &run, &Build::REPLACE).unwrap();
            }
            if random.below(30) == 0 {
                entity.origin.x += 3000.0;
            }
            if random.below(10) == 0 {
                let impulse = Vec3::new(3e4, 0.0, 1e4);
                runtime.ragdoll_impulse(object, None, Vec3::Z * 30.0, impulse, Flinch::default()).unwrap();
            }
            let command = match random.below(13) {
                0 => format!("animate {}", number(&mut random)),
                1 => format!("animatebody b{} {}", random.below(bodies), number(&mut random)),
                2 => format!("enablejoint j{} {}", random.below(20), random.below(2)),
                3 => format!("animatelimb b{} {}", random.below(bodies), number(&mut random)),
                _ => String::new(),
            };
            // A joint that does not exist is an error without other effects.
            let _ =
                runtime.ragdoll_command(object, &entity.to_world(-1.0, 1.0), Command::parse(&command).unwrap(), None);
            runtime.step(1.0 / 30.0).unwrap();
            let finite = runtime.object(object).unwrap().pose().bones().iter().all(|bone| bone.is_finite());
            assert!(finite, "seed {seed}, frame {frame}:\n{text}");
            for body in runtime.ragdoll(object).unwrap().bodies(runtime.physics()) {
                let limp = body.strength == 0.0;
                assert!(body.position.is_finite() && body.velocity.is_finite(), "seed {seed}: {body:?}");
                assert!(!limp || body.velocity.length() < 16_001.0, "seed {seed}, frame {frame}: {body:?}\n{text}");
            }
        }
    }
    assert!(made > 40);
}
