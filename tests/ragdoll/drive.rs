//! Bodies that follow an animation: exactly, with some strength, not at all, and the transitions between them.

use crate::common::stage::{Rig, Stage, difference, fastest, golden_model, mannequin, physics_with, weightless};
use skelobj::Model;
use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::model::Animation;
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::Command;

const SPEED: f32 = 320.0;

/// Mannequin that runs along X.
struct Runner {
    stage: Stage,
    run: usize,
    time: f32,
    dt: f32,
}

impl Runner {
    fn new(mut stage: Stage, rate: f32) -> Self {
        let run = stage.animation("run");
        stage.build(run, 0.0);
        stage.command("doll mannequin.doll").unwrap();
        let mut runner = Self { stage, run, time: 0.0, dt: 1.0 / rate };
        runner.stage.command("animate 1").unwrap();
        runner.frame("");
        runner
    }

    fn on_floor(rate: f32) -> Self {
        Self::new(Stage::mannequin(), rate)
    }

    fn in_the_air(rate: f32) -> Self {
        Self::new(Stage::new("mannequin.iqm", mannequin(), PhysicsSettings::default()), rate)
    }

    /// Returns the bones of the animation at the current time, world space.
    fn animated(&mut self) -> Vec<Mat3x4> {
        self.time += self.dt;
        self.stage.entity.origin.x = self.time * SPEED;
        self.stage.build(self.run, self.time);
        let world = self.stage.entity.to_world(-1.0, 1.0);
        self.stage.bones().into_iter().map(|bone| world * bone).collect()
    }

    /// Makes a frame as a game does: pose, command, step. Returns the pose, world space.
    fn frame(&mut self, command: &str) -> Vec<Mat3x4> {
        let pose = self.animated();
        self.stage.command(command).unwrap();
        self.stage.step(self.dt);
        pose
    }

    /// Returns the bones as they would be drawn, world space.
    fn shown(&mut self) -> Vec<Mat3x4> {
        self.stage.command("").unwrap();
        let world = self.stage.entity.to_world(-1.0, 1.0);
        self.stage.raw().into_iter().map(|bone| world * bone).collect()
    }

    /// Returns the largest distance between a bone with a body and its position in the animation.
    fn worst(&self, shown: &[Mat3x4], pose: &[Mat3x4]) -> f32 {
        let bones = self.stage.bodies().into_iter().map(|body| body.bone);
        bones.map(|bone| shown[bone].origin().distance(pose[bone].origin())).fold(0.0, f32::max)
    }
}

#[test]
fn a_runner_is_tracked_exactly() {
    for rate in [60.0, 72.0] {
        let mut runner = Runner::on_floor(rate);
        let (mut error, mut whole) = (0.0f32, 0.0f32);
        for _ in 0..90 {
            let pose = runner.frame("");
            let shown = runner.shown();
            error = error.max(runner.worst(&shown, &pose));
            let bodies = runner.stage.bodies().into_iter().map(|body| body.bone);
            whole = bodies.map(|bone| difference(&[shown[bone]], &[pose[bone]])).fold(whole, f32::max);
        }
        assert!(error < 0.01 && whole < 0.01, "{rate} Hz: {error} {whole}");
    }
}

/// Releases a runner after some frames; returns the relative changes of its speed and kinetic energy in one step.
fn released(mut runner: Runner, frames: usize) -> (f32, f32) {
    for _ in 0..frames {
        runner.frame("");
    }
    let (before, energy) = runner.stage.motion();
    assert!((280.0..360.0).contains(&before.x), "{before}");
    runner.animated();
    runner.stage.command("animate 0").unwrap();
    // The time until one step is made.
    while runner.stage.step(1.0 / 240.0) == 0 {}
    let (after, energy_after) = runner.stage.motion();
    (after.length() / before.length() - 1.0, energy_after / energy - 1.0)
}

#[test]
fn a_runner_that_is_let_go_keeps_its_momentum() {
    for floor in [false, true] {
        for rate in [30.0, 60.0, 72.0, 144.0] {
            let (mut speed, mut energy) = (0.0f32, 0.0f32);
            let mut all = Vec::new();
            for phase in 0..12 {
                let runner = if floor { Runner::on_floor(rate) } else { Runner::in_the_air(rate) };
                let (v, e) = released(runner, (rate * (0.4 + 0.05 * phase as f32)) as usize);
                (speed, energy) = (speed.max(v.abs()), energy.max(e.abs()));
                all.push(v.abs());
            }
            all.sort_by(f32::total_cmp);
            // A foot that slides over the floor brakes.
            let skid = if floor { 0.02 } else { 0.0 };
            assert!(speed < 0.01 + skid && all[6] < 0.01, "{rate} Hz: {speed}");
            assert!(energy < 0.02 + 2.0 * skid, "{rate} Hz: {energy}");
        }
    }
    // The loss is friction alone: the feet of the animation slide over the floor at up to 200 units/s.
    let smooth = physics_with(|settings| settings.friction = 0.0);
    for phase in 0..12 {
        let mut stage = Stage::new("mannequin.iqm", mannequin(), smooth);
        stage.runtime.physics_mut().add_floor(0.0).unwrap();
        let (speed, energy) = released(Runner::new(stage, 60.0), (60.0 * (0.4 + 0.05 * phase as f32)) as usize);
        assert!(speed.abs() < 0.01 && energy.abs() < 0.02, "on ice, phase {phase}: {speed} {energy}");
    }
    let mut runner = Runner::on_floor(72.0);
    runner.frame("animate 0");
    for _ in 0..144 {
        runner.stage.command("").unwrap();
        runner.stage.step(1.0 / 72.0);
        runner.stage.assert_finite("after release");
    }
    assert!(runner.stage.body("head").position.z < 20.0, "it lies");
}

#[test]
fn bodies_are_where_the_animation_is_when_a_frame_ends() {
    // At 60 frames per second each frame ends with a step: nothing is interpolated.
    let mut runner = Runner::on_floor(60.0);
    let head = runner.stage.bone("thigh_l");
    let mut offsets: Vec<Vec3> = Vec::new();
    for _ in 0..60 {
        let pose = runner.frame("");
        let at = runner.stage.bodies().into_iter().find(|body| body.bone == head).unwrap();
        offsets.push(pose[head].inverse().unwrap().transform_point(at.position));
    }
    let spread = offsets.iter().map(|offset| offset.distance(offsets[0])).fold(0.0, f32::max);
    assert!(spread < 0.01, "{spread}");
}

/// Returns the mannequin with its run in curves. The file has a pose every thirtieth of a second with straight lines
/// between; a host with that frame rate never shows the corners.
fn curved() -> Model {
    const POSES: usize = 8;
    let mut model = mannequin();
    let bones = model.skeleton.len();
    let number = model.animations.iter().position(|animation| animation.name.as_bytes() == b"run").unwrap();
    let run = &model.animations[number];
    let count = run.pose_count();
    let float = |pose: usize, float: usize| {
        model.frames[run.frame_of(pose % count).unwrap() * bones + float / 12].0[float % 12]
    };
    let mut curved = vec![Mat3x4::ZERO; count * POSES * bones];
    for (pose, matrices) in curved.chunks_mut(bones).enumerate() {
        let (first, t) = (count + pose / POSES, (pose % POSES) as f32 / POSES as f32);
        for at in 0..12 * bones {
            let [a, b, c, d] = [0, 1, 2, 3].map(|n| float(first + n - 1, at));
            let cubic = (3.0 * (b - c) + d - a) * t + 2.0 * a - 5.0 * b + 4.0 * c - d;
            matrices[at / 12].0[at % 12] = b + 0.5 * t * (c - a + t * cubic);
        }
    }
    let first = (model.frames.len() / bones) as u32;
    model.animations[number] =
        Animation::frames("run", first, (count * POSES) as u32, run.rate * POSES as f32, run.looping);
    model.frames.extend(curved);
    model
}

/// Returns the mean error of the worst bone at a strength and a frame rate of the host.
fn mean_error(model: Model, strength: f32, rate: f32) -> f32 {
    let mut runner = Runner::new(Stage::new("mannequin.iqm", model, PhysicsSettings::default()), rate);
    for _ in 0..(0.25 * rate) as usize {
        runner.frame("");
    }
    let command = format!("animate {strength}");
    runner.frame(&command);
    let (mut sum, mut count) = (0.0, 0);
    for frame in 0..(2.5 * rate) as usize {
        let pose = runner.frame("");
        let shown = runner.shown();
        if frame as f32 > 0.5 * rate {
            sum += runner.worst(&shown, &pose);
            count += 1;
        }
    }
    runner.stage.assert_finite("pulled");
    sum / count as f32
}

#[test]
fn a_pulled_doll_follows_as_closely_as_its_strength_at_any_frame_rate() {
    for (strength, allowed) in [(0.3, 5.0), (0.5, 2.0), (0.8, 0.7)] {
        let rates = [30.0, 60.0, 72.0, 144.0];
        let errors = rates.map(|rate| mean_error(mannequin(), strength, rate));
        let curved = rates.map(|rate| mean_error(curved(), strength, rate));
        assert!(
            errors.iter().chain(&curved).all(|error| *error <= allowed),
            "strength {strength}: {errors:?} {curved:?}"
        );
        // Between two steps of 1/60 s, a straight line is shown instead of the curve.
        let usual = curved[1];
        assert!(curved.iter().all(|error| (error / usual - 1.0).abs() <= 0.6), "strength {strength}: {curved:?}");
    }
}

#[test]
fn easing_off_while_running_keeps_the_pace() {
    let mut runner = Runner::on_floor(60.0);
    for _ in 0..60 {
        runner.frame("");
    }
    let (full, _) = runner.stage.motion();
    let mut gap = 0.0f32;
    runner.frame("animate 0.5");
    for _ in 0..10 {
        runner.frame("");
        gap = gap.max(runner.stage.widest_gap());
    }
    let (half, _) = runner.stage.motion();
    runner.stage.command("animate 0").unwrap();
    runner.stage.step(1.0 / 60.0);
    let (limp, _) = runner.stage.motion();
    assert!((half.x / full.x - 1.0).abs() < 0.15 && (limp.x / half.x - 1.0).abs() < 0.05, "{full} {half} {limp}");
    assert!(gap < 6.0, "{gap}");
}

/// Returns a mannequin that lies on the floor, nearly or completely asleep.
fn corpse() -> Stage {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    for _ in 0..240 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    assert!(stage.body("head").position.z < 20.0);
    stage
}

#[test]
fn getting_up_does_not_throw_the_body() {
    for rate in [30.0, 72.0] {
        let mut stage = corpse();
        let mut command = "animate 1";
        let (mut fast, mut shown) = (0.0f32, 0.0f32);
        let mut last: Option<Vec<Mat3x4>> = None;
        for frame in 0..rate as usize {
            stage.build(0, frame as f32 / rate);
            let pose = stage.bones();
            stage.command(command).unwrap();
            command = "";
            let bones = stage.raw();
            let moved = |last: &[Mat3x4]| {
                bones.iter().zip(last).map(|(a, b)| a.origin().distance(b.origin())).fold(0.0, f32::max)
            };
            shown = shown.max(last.as_deref().map_or(0.0, moved) * rate);
            last = Some(bones);
            stage.step(1.0 / rate);
            fast = fast.max(fastest(&stage.bodies()));
            if frame + 1 == rate as usize {
                stage.build(0, frame as f32 / rate);
                stage.command("").unwrap();
                assert!(difference(&stage.raw(), &pose) < 0.01, "it stands");
            }
        }
        assert!(fast < 1200.0, "{fast}");
        assert!(shown < 1400.0, "{shown}");
    }
}

#[test]
fn being_pulled_up_does_not_throw_the_body() {
    for strength in [0.3, 0.8, 0.99] {
        let mut stage = corpse();
        let mut fast = 0.0f32;
        for frame in 0..72 {
            stage.build(0, frame as f32 / 72.0);
            let command = if frame == 0 { format!("animate {strength}") } else { String::new() };
            stage.command(&command).unwrap();
            stage.step(1.0 / 72.0);
            fast = fast.max(fastest(&stage.bodies()));
        }
        assert!(fast < 1200.0, "{strength}: {fast}");
        let head = stage.body("head").position;
        assert!(head.z > 50.0, "{strength}: it stands: {head}");
    }
}

#[test]
fn arms_may_hang_limp_while_the_rest_runs() {
    let mut runner = Runner::on_floor(72.0);
    for arm in ["upperarm_l", "forearm_l", "hand_l", "upperarm_r", "forearm_r", "hand_r"] {
        runner.stage.command(&format!("animatebody {arm} 0")).unwrap();
    }
    let limp: Vec<usize> = runner.stage.bodies().iter().filter(|b| b.strength == 0.0).map(|b| b.bone).collect();
    assert_eq!(limp.len(), 6);
    let (mut gap, mut error, mut swing) = (0.0f32, 0.0f32, 0.0f32);
    for frame in 0..180 {
        let pose = runner.frame("");
        let shown = runner.shown();
        for body in runner.stage.bodies() {
            let off = shown[body.bone].origin().distance(pose[body.bone].origin());
            if limp.contains(&body.bone) {
                swing = swing.max(off);
            } else {
                error = error.max(off);
            }
        }
        if frame > 20 {
            gap = gap.max(runner.stage.widest_gap());
        }
    }
    assert!(gap < 1.0, "{gap}");
    assert!(error < 0.01, "{error}");
    assert!(swing > 3.0, "they hang: {swing}");
}

/// Returns the widest gap of a mannequin that runs, or turns where it stands, with these bodies limp, in a world that
/// is turned as a whole: its gravity, too.
fn gap_in_turned_world(limp: &[&str], runs: bool, turn: Quat) -> f32 {
    let settings = physics_with(|settings| settings.gravity = turn * settings.gravity);
    let mut stage = Stage::new("mannequin.iqm", mannequin(), settings);
    let animation = stage.animation(if runs { "run" } else { "idle" });
    let mut gap = 0.0f32;
    for frame in 0..56u8 {
        let time = f32::from(frame) / 60.0;
        let own = Quat::from_rotation_z(if runs { 0.0 } else { 2.0 * time });
        let way = Vec3::X * if runs { SPEED * time } else { 0.0 };
        let entity = Mat3x4::from_rotation_translation(turn * own, turn * way);
        stage.build(animation, time);
        let mut command = |command| stage.runtime.ragdoll_command(stage.object, &entity, command, None).unwrap();
        if frame == 2 {
            limp.iter().for_each(|body| {
                command(Command::AnimateBody(body, 0.0, None));
            });
        }
        command(Command::Update);
        stage.step(1.0 / 60.0);
        gap = gap.max(stage.widest_gap());
    }
    gap
}

#[test]
fn limp_limbs_hang_on_animated_ones_alike_whatever_way_the_character_faces() {
    let arms = ["hand_l", "hand_r", "forearm_l", "forearm_r", "upperarm_l", "upperarm_r", "head", "chest", "spine"];
    let legs = ["foot_l", "foot_r", "shin_l", "shin_r", "thigh_l", "thigh_r"];
    for (arms, legs) in [(2, 2), (4, 4), (7, 6), (8, 0), (9, 0)].map(|(a, l)| (&arms[..a], &legs[..l])) {
        let limp = [arms, legs].concat();
        for runs in [true, false] {
            let usual = gap_in_turned_world(&limp, runs, Quat::IDENTITY);
            assert!(usual < 1.0, "runs: {runs}, limp: {limp:?}: {usual}");
            for (name, axis) in [("yaw", Vec3::Z), ("pitch", Vec3::Y), ("roll", Vec3::X)] {
                for angle in [60, 120, 180, 240, 270u16] {
                    let turn = Quat::from_axis_angle(axis, f32::from(angle).to_radians());
                    let gap = gap_in_turned_world(&limp, runs, turn);
                    assert!(gap < usual + 0.1, "{name} {angle}, runs: {runs}, limp: {limp:?}: {gap}, not {usual}");
                }
            }
        }
    }
}

#[test]
fn a_pony_tail_hangs_from_an_animated_head() {
    let mut stage = Stage::chain();
    let doll = "dollstring\nupdatebody default\nsize 14 4 4\nbody head link0\nupdatebody default\nanimate 0\nbody t1 link1\nbody t2 link2\nbody t3 link3\nupdatejoint default\ntype point\njoint j1 head t1\njoint j2 t1 t2\njoint j3 t2 t3\n";
    assert_eq!(stage.command(doll), Ok(1));
    let (mut gap, mut lowest) = (0.0f32, f32::MAX);
    for frame in 0..240 {
        stage.entity.origin = Vec3::new(0.0, 30.0 * (frame as f32 * 0.05).sin(), 0.0);
        stage.build(0, 0.0);
        stage.command("").unwrap();
        stage.step(1.0 / 72.0);
        gap = gap.max(stage.widest_gap());
        lowest = lowest.min(stage.body("t3").position.z);
    }
    let head = stage.body("head").position;
    assert!((head.z - 100.0).abs() < 0.01 && (45.0..75.0).contains(&lowest), "{head} {lowest}");
    assert!(gap < 1.0, "{gap}");
}

#[test]
fn a_corpse_is_dragged_by_one_hand() {
    let mut stage = corpse();
    let hand = stage.body("hand_l");
    let bone = stage.bone("hand_l");
    // The entity is placed so that its idle hand is at the corpse's hand, then it pulls.
    stage.build(0, 0.0);
    let idle = stage.bones()[bone].origin();
    let start = hand.position - idle + Vec3::Z * 4.0;
    let mut gap = 0.0f32;
    let mut lag = 0.0f32;
    for frame in 0..180 {
        let time = frame as f32 / 72.0;
        let speed = 300.0 * (time / 0.3).min(1.0);
        let way = if time < 0.3 { speed * time / 2.0 } else { 45.0 + (time - 0.3) * 300.0 };
        stage.entity = EntityTransform::new(start + Vec3::X * way, Vec3::ZERO);
        stage.build(0, 0.0);
        let target = stage.entity.to_world(-1.0, 1.0) * stage.bones()[bone];
        stage.command(if frame == 0 { "animatebody hand_l 1" } else { "" }).unwrap();
        stage.step(1.0 / 72.0);
        if frame > 40 {
            gap = gap.max(stage.widest_gap());
            stage.command("").unwrap();
            let shown = stage.entity.to_world(-1.0, 1.0) * stage.raw()[bone];
            lag = lag.max(shown.origin().distance(target.origin()));
        }
        stage.assert_finite("dragged");
    }
    let pelvis = stage.body("pelvis");
    assert!(gap < 5.0, "{gap}");
    assert!(lag < 0.01, "{lag}");
    assert!((pelvis.velocity.x - 300.0).abs() < 60.0, "it comes along: {}", pelvis.velocity);
}

#[test]
fn an_animated_doll_pushes_what_it_meets() {
    let mut runner = Runner::on_floor(72.0);
    let mut other = runner.stage.runtime.create_object(runner.stage.model, Default::default()).unwrap();
    std::mem::swap(&mut runner.stage.object, &mut other);
    let runs_at = std::mem::replace(&mut runner.stage.entity, EntityTransform::new(Vec3::X * 160.0, Vec3::ZERO));
    runner.stage.build(0, 0.0);
    runner.stage.command("doll mannequin.doll").unwrap();
    runner.stage.command("animate 0").unwrap();
    let stood = runner.stage.body("pelvis").position;
    std::mem::swap(&mut runner.stage.object, &mut other);
    runner.stage.entity = runs_at;
    let mut error = 0.0f32;
    for _ in 0..72 {
        let pose = runner.frame("");
        let shown = runner.shown();
        error = error.max(runner.worst(&shown, &pose));
    }
    runner.stage.object = other;
    let pushed = runner.stage.body("pelvis").position;
    assert!(pushed.x > stood.x + 40.0, "{stood} {pushed}");
    assert!(error < 0.01, "{error}");
    runner.stage.assert_finite("pushed");
}

/// A pulled body keeps up with the motion of the animation; its own way there is no part of that motion.
#[test]
fn the_way_to_the_animation_is_no_motion_of_the_animation() {
    let mut rig = Rig::chain("body a link0\nsize 4\nanimate 1\n", weightless());
    let pose = golden_model("chain.iqm").skeleton.bind_local().to_vec();
    rig.limp();
    rig.run(0.1, |_| {});
    rig.built("a").set_translation(Vec3::new(0.0, 100.0, 100.0), true);
    rig.command(Command::Animate(0.9, None)).unwrap();
    let mut speed = 0.0f32;
    for _ in 0..60 {
        rig.pose(&pose);
        rig.update();
        rig.step(1.0 / 60.0);
        speed = speed.max(rig.fastest());
    }
    assert!(rig.body("a").position.distance(Vec3::Z * 100.0) < 1.0);
    assert!(speed > 100.0 && speed < 200.0, "{speed}");
}
