//! Limbs that are severed and attached again.

use crate::common::random::Random;
use crate::common::stage;
use crate::common::stage::{Rig, Stage, fastest, physics_with, weightless};
use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::ragdoll::Command;
use skelobj::ragdoll::stability::BodyMode;
use skelobj::runtime::RagdollCommandError;
#[cfg(feature = "serde")]
use skelobj::runtime::Snapshot;

const FRAME: f32 = 1.0 / 60.0;
const ARM: [&str; 3] = ["upperarm_l", "forearm_l", "hand_l"];
const LEG: [&str; 3] = ["thigh_r", "shin_r", "foot_r"];
const TRUNK: [&str; 9] =
    ["spine", "chest", "head", "upperarm_l", "forearm_l", "hand_l", "upperarm_r", "forearm_r", "hand_r"];
/// Joints, and the bodies that hang on them.
const CUTS: [(&str, &[&str]); 4] =
    [("shoulder_l", &ARM), ("hip_r", &LEG), ("neck", &["head"]), ("elbow_l", &["forearm_l", "hand_l"])];

fn severed_arm() -> Stage {
    let mut stage = Stage::mannequin();
    let death = stage.animation("death");
    stage.build(death, 0.2);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    stage.command("enablejoint shoulder_l 0").unwrap();
    stage
}

/// Character that follows an animation, on a floor.
struct Living {
    stage: Stage,
    animation: usize,
    /// Velocity of the entity, units/s, and its turn, degrees/s.
    velocity: Vec3,
    turn: f32,
    frames: u16,
}

impl Living {
    fn new(animation: &str, yaw: f32, speed: f32, turn: f32) -> Self {
        let mut stage = Stage::mannequin();
        stage.entity = EntityTransform::new(Vec3::ZERO, Vec3::Y * yaw);
        let (animation, angle) = (stage.animation(animation), yaw.to_radians());
        let velocity = Vec3::new(angle.cos(), angle.sin(), 0.0) * speed;
        Self { stage, animation, velocity, turn, frames: 0 }
    }

    /// Returns characters that stand and turn, walk, and run, at eight yaws.
    fn all() -> impl Iterator<Item = Self> {
        let yaws = (0..8u8).map(|eighth| f32::from(eighth) * 45.0);
        yaws.flat_map(|yaw| {
            [("idle", 0.0, 120.0), ("walk", 100.0, 0.0), ("run", 320.0, 0.0)]
                .map(|(animation, speed, turn)| Self::new(animation, yaw, speed, turn))
        })
    }

    /// Simulates a frame in which the commands run one after the other. Returns the animation's bones.
    fn frame(&mut self, commands: &[&str]) -> Vec<Mat3x4> {
        let stage = &mut self.stage;
        stage.build(self.animation, f32::from(self.frames) * FRAME);
        let pose = stage.bones();
        for command in commands.iter().chain([&""]) {
            stage.command(command).unwrap();
        }
        stage.step(FRAME);
        stage.entity.origin += self.velocity * FRAME;
        stage.entity.angles.y += self.turn * FRAME;
        self.frames += 1;
        pose
    }

    /// Simulates frames without a command, and returns how far any bone with one of these bodies has been from the
    /// animation, and any bone with another.
    fn run(&mut self, frames: usize, limb: &[&str]) -> [f32; 2] {
        let mut worst = [0.0f32; 2];
        for _ in 0..frames {
            let pose = self.frame(&[]);
            let shown = self.stage.bones();
            for body in self.stage.bodies() {
                let is_other = !limb.iter().any(|name| body.name == **name);
                let off = shown[body.bone].origin().distance(pose[body.bone].origin());
                worst[usize::from(is_other)] = worst[usize::from(is_other)].max(off);
            }
        }
        worst
    }

    fn strengths(&self, limb: &[&str]) -> Vec<f32> {
        limb.iter().map(|name| self.stage.body(name).strength).collect()
    }
}

#[test]
fn a_limb_follows_its_command_as_a_whole() {
    for (first, limb) in [("upperarm_l", &ARM[..]), ("thigh_r", &LEG), ("spine", &TRUNK), ("head", &["head"])] {
        let mut living = Living::new("walk", 30.0, 100.0, 0.0);
        living.frame(&[]);
        assert_eq!(living.stage.command(&format!("AnimateLimb {first} 0.25")), Ok(16));
        let named = |living: &Living| {
            let bodies = living.stage.bodies().into_iter().filter(|body| body.strength == 0.25);
            bodies.map(|body| body.name.to_string()).collect::<Vec<_>>()
        };
        let (mut found, mut wanted) = (named(&living), limb.to_vec());
        found.sort();
        wanted.sort_unstable();
        assert_eq!(found, wanted);
        assert_eq!(living.stage.command(&format!("animatelimb {first} 0")), Ok(16 - limb.len() as u32));
        assert_eq!(living.stage.command(&format!("animatelimb {first} 1 0.5")), Ok(16));
    }
    let mut living = Living::new("walk", 30.0, 100.0, 0.0);
    living.frame(&[]);
    let unknown = RagdollCommandError::NoSuchBody { name: "nosuch".into(), suggestion: None };
    assert_eq!(living.stage.command("animatelimb nosuch 0"), Err(unknown));
    assert_eq!(living.stage.command("animatelimb pelvis 0"), Ok(0), "all hangs on the root");
    assert_eq!(living.stage.command("animatelimb pelvis"), Ok(0));
    assert_eq!(living.stage.command("animatelimb pelvis nan 1"), Ok(0));
}

#[test]
fn a_limp_limb_dangles_from_a_character_that_stands_walks_and_runs() {
    for (first, limb) in [("upperarm_l", &ARM), ("thigh_r", &LEG)] {
        for mut living in Living::all() {
            living.run(10, limb);
            living.frame(&[&format!("animatelimb {first} 0")]);
            let (mut dangles, mut rest, mut gap) = (0.0f32, 0.0f32, 0.0f32);
            for _ in 0..90 {
                let off = living.run(1, limb);
                (dangles, rest) = (dangles.max(off[0]), rest.max(off[1]));
                gap = gap.max(living.stage.widest_gap());
            }
            let case = (first, living.stage.entity.angles.y, living.velocity.length());
            assert!(dangles > 3.0 && rest < 0.01 && gap < 1.0, "{case:?}: {dangles}, {rest}, gap {gap}");
            // And returns.
            living.frame(&[&format!("animatelimb {first} 1")]);
            living.run(30, limb);
            assert!(living.run(30, limb)[0] < 0.01, "{case:?}");
        }
    }
}

/// A body hangs on another if it reaches the topmost body by way of that one alone, found here for each pair by itself.
#[test]
fn what_hangs_on_a_body_follows_from_the_joints_that_hold() {
    for seed in 0..300 {
        let mut random = Random::seeded(seed);
        let mut text = String::new();
        for body in 0..6 {
            text += &format!("body b{body} link{body}\nsize 4\n");
        }
        let mut joints = Vec::new();
        for number in 0..random.below(9) {
            let (one, other) = (random.below(6), random.below(6));
            if one != other {
                joints.push((number, one, other, random.below(4) > 0));
                text += &format!("joint j{number} b{one} b{other}\ntype point\n");
            }
        }
        let mut rig = Rig::chain(&text, weightless());
        for (number, _, _, enabled) in &joints {
            rig.command(Command::EnableJoint(&format!("j{number}"), *enabled)).unwrap();
        }
        let reached = |from: usize, without: Option<usize>| {
            let mut reached = [false; 6];
            reached[from] = true;
            for _ in 0..6 {
                for (_, one, other, enabled) in &joints {
                    if *enabled && (reached[*one] || reached[*other]) {
                        [*one, *other].into_iter().filter(|body| Some(*body) != without).for_each(|body| {
                            reached[body] = true;
                        });
                    }
                }
            }
            reached
        };
        let of = random.below(6);
        let group = reached(of, None);
        let topmost = group.iter().position(|member| *member).unwrap();
        let rest = if of == topmost { [false; 6] } else { reached(topmost, Some(of)) };
        rig.command(Command::Animate(1.0, None)).unwrap();
        rig.command(Command::AnimateLimb(&format!("b{of}"), 0.5, None)).unwrap();
        for (number, body) in rig.bodies().into_iter().enumerate() {
            let hangs = group[number] && !rest[number];
            assert_eq!(body.strength == 0.5, hangs, "seed {seed}: b{number} on b{of}\n{text}{joints:?}");
        }
    }
}

#[test]
fn what_is_cut_off_a_living_character_falls_on_with_its_velocity_until_it_is_attached_again() {
    for (joint, limb) in CUTS {
        for mut living in Living::all() {
            let case = (joint, living.stage.entity.angles.y, living.velocity.length());
            for _ in 0..20 {
                living.frame(&[]);
            }
            let before: Vec<Vec3> = limb.iter().map(|name| living.stage.body(name).velocity).collect();
            living.frame(&[&format!("enablejoint {joint} 0")]);
            let fell = Vec3::Z * -800.0 * FRAME;
            for (name, before) in limb.iter().zip(before) {
                let body = living.stage.body(name);
                assert_eq!((body.mode, body.strength), (BodyMode::Limp, 0.0), "{case:?}: {name}");
                // The joints within the limb still hold, and other parts of the animation have other accelerations.
                let change = body.velocity - before - fell;
                assert!(change.length() < 60.0, "{case:?}: {name}: {before} becomes {}", body.velocity);
            }
            let animated = living.run(60, limb);
            assert!(animated[1] < 0.01, "{case:?}: {animated:?}");
            assert!(animated[0] > 4.0, "{case:?}: {animated:?}");
            assert!(living.stage.widest_gap() < 0.6, "{case:?}");
            // Animate leaves it where it lies; the rest obeys.
            living.frame(&["animate 0.9"]);
            living.frame(&["animate 1"]);
            assert_eq!(living.strengths(limb), vec![0.0; limb.len()], "{case:?}");

            living.frame(&[&format!("enablejoint {joint} 1")]);
            assert_eq!(living.strengths(limb), vec![1.0; limb.len()], "{case:?}");
            living.run(30, limb);
            let [attached, rest] = living.run(20, limb);
            assert!(attached < 0.01 && rest < 0.01, "{case:?}: {attached}, {rest}");
        }
    }
}

#[test]
fn a_limb_has_the_strength_of_the_last_commands_when_it_is_attached() {
    let cut_and_attach = |before: &[&str], between: &[&str]| {
        let mut living = Living::new("run", 265.0, 320.0, 0.0);
        living.run(5, &[]);
        living.frame(before);
        living.frame(&["enablejoint shoulder_l 0"]);
        living.run(40, &[]);
        living.frame(between);
        living.run(40, &[]);
        let cut = living.strengths(&ARM);
        living.frame(&["enablejoint shoulder_l 1"]);
        (cut, living.strengths(&ARM))
    };
    /// Commands before the cut and between cut and attachment, and the strengths after each of the two.
    type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a Vec<f32>, Vec<f32>);
    let [limp, firm] = [0.0, 1.0].map(|strength| vec![strength; 3]);
    let cases: [Case<'_>; 8] = [
        (&[], &[], &limp, firm.clone()),
        (&["animatebody hand_l 0"], &[], &limp, vec![1.0, 1.0, 0.0]),
        (&["animatelimb upperarm_l 0.5"], &[], &limp, vec![0.5; 3]),
        (&["animate 0 2"], &[], &limp, limp.clone()),
        (&["animate 0"], &["animate 1 0.3"], &limp, firm.clone()),
        (&[], &["animate 0.5"], &limp, vec![0.5; 3]),
        (&[], &["animate 0"], &limp, limp.clone()),
        (&[], &["animatelimb upperarm_l 0.5"], &vec![0.5; 3], vec![0.5; 3]),
    ];
    for (before, between, cut, attached) in cases {
        assert_eq!(cut_and_attach(before, between), (cut.clone(), attached), "{before:?}, {between:?}");
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_restored_game_knows_what_was_cut_off() {
    let mut living = Living::new("walk", 200.0, 100.0, 0.0);
    living.run(5, &[]);
    living.frame(&["animatebody hand_l 0", "enablejoint shoulder_l 0"]);
    living.run(20, &[]);
    let saved = living.stage.runtime.snapshot().to_bytes().unwrap();
    living.stage.runtime.restore(&Snapshot::from_bytes(&saved).unwrap()).unwrap();
    living.frame(&["enablejoint shoulder_l 1"]);
    assert_eq!(living.strengths(&ARM), [1.0, 1.0, 0.0]);
}

fn run(stage: &mut Stage, seconds: f32, mut each: impl FnMut(&Stage)) {
    for _ in 0..(seconds * 72.0) as usize {
        stage.command("").unwrap();
        stage.step(1.0 / 72.0);
        stage.assert_finite("severed");
        each(stage);
    }
}

fn gap(stage: &Stage) -> f32 {
    let [one, two] = stage.joints().into_iter().find(|joint| joint.name == *"shoulder_l").unwrap().anchors;
    one.distance(two)
}

#[test]
fn a_severed_arm_moves_on_its_own() {
    let mut stage = severed_arm();
    let push = Vec3::new(0.0, 150.0, 100.0);
    for name in ["upperarm_l", "forearm_l", "hand_l"] {
        stage.built(name).set_linvel(push, true);
    }
    let mut others = 0.0f32;
    run(&mut stage, 4.0, |stage| others = others.max(stage.widest_gap()));
    let apart = gap(&stage);
    let arm = stage.body("upperarm_l").position.distance(stage.body("forearm_l").position);
    let object = stage.runtime.object(stage.object).unwrap();
    let bone = object.model_space(stage.bone("upperarm_l")).unwrap().origin();
    assert!(apart > 20.0, "{apart}");
    assert!(arm < 20.0, "elbow and wrist still hold: {arm}");
    assert!(others < 5.0, "{others}");
    assert!(bone.distance(stage.body("chest").position) > 15.0, "its bones go with it");
    assert!(stage.body("hand_l").position.z > -1.0);
}

#[test]
fn severed_parts_touch_once_they_are_apart() {
    // Two boxes that overlap by 4; the joint disables their contact until they were apart.
    let text = "body a link0\nsize 20 20 20\nbody b link1\nanimate 0\nsize 20 20 20\njoint j a b\ntype point\n";
    let mut rig = Rig::chain(text, weightless());
    rig.run(0.2, |_| {});
    rig.command(Command::EnableJoint("j", false)).unwrap();
    let mut fast = 0.0f32;
    rig.run(0.5, |rig| fast = fast.max(rig.fastest()));
    assert!(fast < 1.0, "they do not burst apart: {fast}");
    // The box leaves, comes back, and bounces off.
    rig.built("b").set_linvel(Vec3::X * 60.0, true);
    rig.run(0.5, |_| {});
    let away = rig.body("b").position.x;
    rig.built("b").set_linvel(Vec3::X * -60.0, true);
    let mut nearest = f32::MAX;
    rig.run(1.5, |rig| nearest = nearest.min(rig.body("b").position.x));
    assert!(away > 40.0 && nearest > 19.0, "{away} {nearest}");
    // Joined again, they have no contact again.
    rig.command(Command::EnableJoint("j", true)).unwrap();
    rig.run(4.0, |_| {});
    let back = rig.joint("j");
    assert!(back.gap < 0.5, "{back:?}");
    assert!((rig.body("b").position.x - 16.0).abs() < 1.0, "{}", rig.body("b").position);
}

/// Severed parts that lie against each other would never come together if they kept their contact.
#[test]
fn parts_that_are_joined_where_they_touch_lose_their_contact() {
    let text = "body a link0\nsize 20 20 20\nbody b link1\nanimate 0\nsize 20 20 20\njoint j a b\ntype point\n";
    let mut rig = Rig::chain(text, weightless());
    rig.command(Command::EnableJoint("j", false)).unwrap();
    rig.built("b").set_translation(Vec3::new(21.0, 0.0, 100.0), true);
    rig.run(0.2, |_| {});
    rig.built("b").set_linvel(Vec3::X * -6.0, true);
    rig.run(1.0, |_| {});
    rig.built("b").set_linvel(Vec3::ZERO, true);
    rig.run(0.2, |_| {});
    let apart = rig.body("b").position.x;
    assert!((apart - 20.0).abs() < 0.5, "{apart}");
    rig.command(Command::EnableJoint("j", true)).unwrap();
    rig.run(4.0, |_| {});
    assert!(rig.joint("j").gap < 0.1, "{:?}", rig.joint("j"));
}

#[test]
fn joints_enabled_again_pull_their_parts_together_gently() {
    for units in [2.0, 8.0, 50.0, 500.0] {
        // In the air without gravity, so that only the joint moves bodies.
        let settings = physics_with(|settings| settings.gravity = Vec3::ZERO);
        let mut stage = Stage::new("mannequin.iqm", stage::mannequin(), settings);
        stage.build(0, 0.0);
        stage.command("doll mannequin.doll").unwrap();
        stage.command("animate 0").unwrap();
        stage.command("enablejoint shoulder_l 0").unwrap();
        for name in ["upperarm_l", "forearm_l", "hand_l"] {
            let at = stage.body(name).position;
            stage.built(name).set_translation(at + Vec3::new(0.0, 0.6, 0.8) * units, true);
        }
        let apart = gap(&stage);
        assert!((apart - units).abs() < 0.1, "{apart}");
        stage.command("enablejoint shoulder_l 1").unwrap();
        let (mut speed, mut shown) = (0.0f32, 0.0f32);
        let mut last = stage.bodies();
        run(&mut stage, 2.0, |stage| {
            let bodies = stage.bodies();
            speed = speed.max(fastest(&bodies));
            let moved = bodies.iter().zip(&last).map(|(now, then)| now.position.distance(then.position));
            shown = shown.max(moved.fold(0.0, f32::max) * 72.0);
            last = bodies;
        });
        run(&mut stage, 4.0, |_| {});
        if units < 100.0 {
            assert!(speed < 300.0, "{units}: {speed}");
            assert!(shown < 400.0, "{units}: {shown}");
        }
        assert!(gap(&stage) < 0.5, "{units}: {} apart in the end", gap(&stage));
    }
}

#[test]
fn enabling_what_is_enabled_changes_nothing() {
    let mut rig = Rig::mannequin(weightless());
    rig.limp();
    rig.command(Command::EnableJoint("neck", true)).unwrap();
    assert!(rig.command(Command::EnableJoint("nosuch", true)).is_err());
    let mut fast = 0.0f32;
    rig.run(0.5, |rig| fast = fast.max(rig.fastest()));
    assert!(fast < 0.1, "{fast}");
}

#[test]
fn a_joint_enabled_again_in_another_pose_returns_to_its_stops() {
    let text = "body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\ntype hinge\nenabled 0\nLoStop -0.3\nHiStop 0.7\n";
    let mut rig = Rig::chain_posed(text, weightless(), |bones| {
        bones[1] = bones[1] * Mat3x4::from_rotation_translation(Quat::from_rotation_y(1.3), Vec3::ZERO);
    });
    rig.run(0.2, |_| {});
    assert!((rig.body("b").rotation.to_scaled_axis().y - 1.3).abs() < 1e-3, "it does not hold yet");
    rig.command(Command::EnableJoint("j", true)).unwrap();
    let mut spin = 0.0f32;
    let mut last = rig.body("b").rotation;
    rig.run(1.6, |rig| {
        let now = rig.body("b").rotation;
        spin = spin.max(now.angle_between(last) * 60.0);
        last = now;
    });
    let turned = rig.body("b").rotation.to_scaled_axis();
    assert!(turned.distance(Vec3::Y * 0.3) < 0.02, "{turned}");
    assert!(spin > 0.5 && spin < 8.0, "{spin}");
}

#[test]
fn a_limb_that_was_cut_off_stays_behind_when_its_owner_is_teleported() {
    for yaw in [0.0, 90.0, 265.0] {
        let mut living = Living::new("run", yaw, 0.0, 0.0);
        living.run(5, &[]);
        living.frame(&["enablejoint shoulder_l 0"]);
        living.run(60, &ARM);
        let lay = ARM.map(|name| living.stage.body(name).position);
        let chest = living.stage.body("chest").position;
        living.stage.entity.origin += Vec3::new(600.0, -300.0, 0.0);
        living.frame(&[]);
        for (name, lay) in ARM.iter().zip(lay) {
            let moved = living.stage.body(name).position.distance(lay);
            assert!(moved < 8.0, "yaw {yaw}: {name} moved by {moved}");
        }
        assert!(living.stage.body("chest").position.distance(chest) > 500.0, "yaw {yaw}");
    }
}
