//! Feet on the ground: within their limits on stairs, slopes and lifts, at every frame rate, and as the animation has
//! them on a level floor.

use std::f32::consts::{FRAC_PI_4, PI};
use std::sync::LazyLock;

use skelobj::Model;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::pose::{self, Feet, FeetState, Ground, PoseSource, PosingError, Reach, place_feet};

static MODEL: LazyLock<Model> = LazyLock::new(skelobj::assets::mannequin);

const LEGS: &str = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";
/// Bones where the legs start.
const THIGHS: [usize; 2] = [1, 5];

/// Ground that rises along X.
#[derive(Clone, Copy)]
enum World {
    /// Height and depth of each step.
    Stairs(f32, f32),
    /// Slope, radians.
    Slope(f32),
    /// Speed of a level floor, which moves from half a second on.
    Lift(f32),
}

impl World {
    fn height(self, x: f32, time: f32) -> f32 {
        let x = x.clamp(-144.0, 144.0);
        match self {
            Self::Stairs(height, depth) => (x / depth).floor() * height,
            Self::Slope(slope) => x * slope.tan(),
            Self::Lift(speed) => speed * (time - 0.5).max(0.0),
        }
    }

    fn ground(self, from: Vec3, to: Vec3, time: f32) -> Option<Ground> {
        let height = self.height(from.x, time);
        let normal = match self {
            Self::Slope(slope) if from.x.abs() < 144.0 => Vec3::new(-slope.sin(), 0.0, slope.cos()),
            _ => Vec3::Z,
        };
        (to.z..=from.z).contains(&height).then(|| Ground { point: from.with_z(height), normal })
    }

    /// Height of an entity, whose box stands on the highest ground below it.
    fn stand(self, x: f32, time: f32) -> f32 {
        (-16..=16).map(|beside| self.height(x + beside as f32, time)).fold(f32::MIN, f32::max)
    }
}

/// Pose of a frame in model space, in the animation and on the ground.
#[derive(Clone)]
struct Frame {
    entity: Mat3x4,
    animated: Vec<Mat3x4>,
    placed: Vec<Mat3x4>,
}

impl Frame {
    /// Angle of a knee on the ground and in the animation, degrees.
    fn knee(&self, thigh: usize) -> [f32; 2] {
        [&self.placed, &self.animated].map(|bones| {
            let [hip, knee, ankle] = [0, 1, 2].map(|below| bones[thigh + below].origin());
            (hip - knee).angle_between(ankle - knee).to_degrees()
        })
    }

    /// Offset of a bone from the animation, with the height of the entity.
    fn offset(&self, bone: usize) -> Vec3 {
        self.placed[bone].origin() - self.animated[bone].origin() + Vec3::Z * self.entity.origin().z
    }

    fn ankle(&self, thigh: usize) -> Vec3 {
        self.entity.transform_point(self.placed[thigh + 2].origin())
    }

    /// Height of an ankle above its place in the bind pose, in the animation.
    fn lifted(&self, thigh: usize) -> f32 {
        self.animated[thigh + 2].origin().z - MODEL.skeleton.bind_model()[thigh + 2].origin().z
    }
}

/// Walker, and what it keeps.
struct Walker {
    world: World,
    feet: Feet,
    state: FeetState,
}

impl Walker {
    fn new(world: World) -> Self {
        Self { world, feet: Feet::parse(&MODEL.skeleton, LEGS).unwrap(), state: FeetState::default() }
    }

    /// Poses a frame of an animation at a place of the world.
    fn step(&mut self, animation: usize, phase: f32, entity: Mat3x4, time: f32, seconds: f32) -> Frame {
        let world = self.world;
        let mut traces = 0;
        let mut local = local(animation, phase);
        let animated = in_model(&local);
        place_feet(MODEL.skeleton.parents(), &mut local, &self.feet, &mut self.state, &entity, seconds, |from, to| {
            traces += 1;
            world.ground(from, to, time)
        })
        .unwrap();
        assert!(traces <= 4, "{traces} traces");
        Frame { entity, animated, placed: in_model(&local) }
    }

    /// Walks straight through the middle of the world at a speed.
    fn walk(&mut self, speed: f32, yaw: f32, rate: f32) -> Vec<Frame> {
        // The animation keeps up with the speed; for a stander, it is "idle".
        let (animation, natural) = match speed {
            0.0 => (0, 1.0),
            ..=100.0 => (1, 47.0),
            _ => (2, 191.0),
        };
        let frames = if speed == 0.0 { rate } else { 320.0 / speed * rate };
        (0..frames as usize)
            .map(|frame| {
                let time = frame as f32 / rate;
                let phase = if speed == 0.0 { time } else { time * speed / natural };
                let way = Vec3::new(yaw.cos(), yaw.sin(), 0.0) * (speed * time - 160.0);
                let place = way.with_z(self.world.stand(way.x, time));
                let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(yaw), place);
                self.step(animation, phase, entity, time, 1.0 / rate)
            })
            .collect()
    }
}

fn local(animation: usize, phase: f32) -> Vec<Mat3x4> {
    let mut local = vec![Mat3x4::ZERO; MODEL.skeleton.len()];
    let frame = FrameState::single(animation, phase.into());
    pose::sample(PoseSource { model: &MODEL, frame: &frame }, 0..local.len(), &mut local);
    local
}

fn in_model(local: &[Mat3x4]) -> Vec<Mat3x4> {
    let mut model = vec![Mat3x4::ZERO; local.len()];
    pose::to_model_space(MODEL.skeleton.parents(), local, &mut model);
    model
}

/// Greatest turn of a knee beyond the animation in a frame, degrees; greatest way of a foot beside the animation and
/// the pelvis; greatest change of the pelvis's way from frame to frame.
fn worst(story: &[Frame]) -> [f32; 3] {
    let mut worst = [0f32; 3];
    let rise = |pair: &[Frame]| pair[1].offset(0).z - pair[0].offset(0).z;
    for pair in story.windows(2) {
        for thigh in THIGHS {
            let [before, after] = [&pair[0], &pair[1]].map(|frame| frame.knee(thigh));
            worst[0] = worst[0].max(((after[0] - before[0]) - (after[1] - before[1])).abs());
            let way = pair[1].offset(thigh + 2) - pair[0].offset(thigh + 2);
            let along = way.z.clamp(rise(pair).min(0.0), rise(pair).max(0.0));
            worst[1] = worst[1].max((way - Vec3::Z * along).length());
        }
    }
    for three in story.windows(3) {
        worst[2] = worst[2].max((rise(&three[1..]) - rise(&three[..2])).abs());
    }
    worst
}

#[test]
fn knees_and_feet_keep_their_limits_on_stairs_and_slopes() {
    let slope = |degrees: f32| World::Slope(degrees.to_radians());
    let stairs = [World::Stairs(8.0, 24.0), World::Stairs(16.0, 24.0), World::Stairs(16.0, 32.0)];
    let grounds = [slope(10.0), slope(20.0), slope(30.0), World::Lift(100.0), World::Lift(-100.0)];
    for (number, world) in stairs.into_iter().chain(grounds).enumerate() {
        for speed in [100.0, 200.0, 320.0] {
            for turn in 0..8 {
                let story = Walker::new(world).walk(speed, FRAC_PI_4 * turn as f32, 60.0);
                let [knee, foot, pelvis] = worst(&story);
                // Who runs along an edge of 16 units has one leg folded all the time.
                let most = if turn % 4 == 2 && speed == 320.0 { 4.0 } else { 3.0 };
                let is_smooth = knee < 8.0 && foot < most && pelvis < 2.5;
                assert!(is_smooth, "world {number} at {speed} to {turn}: knee {knee}, foot {foot}, pelvis {pelvis}");
            }
        }
    }
}

#[test]
fn feet_that_stand_are_on_their_ground() {
    for (world, speed, mean) in [
        (World::Stairs(8.0, 24.0), 100.0, 0.45),
        (World::Stairs(16.0, 32.0), 100.0, 2.0),
        (World::Stairs(8.0, 24.0), 200.0, 1.0),
        (World::Slope(0.35), 100.0, 0.4),
        (World::Slope(0.35), 200.0, 1.0),
    ] {
        for turn in [0.0, 0.25 * PI, 0.75 * PI, PI] {
            let story = Walker::new(world).walk(speed, turn, 60.0);
            let (mut sum, mut count) = (0.0, 0);
            for frame in &story[10..] {
                for thigh in THIGHS.into_iter().filter(|thigh| frame.lifted(*thigh) < 1.0) {
                    let ankle = frame.ankle(thigh);
                    let flat = ankle.z - frame.lifted(thigh) - MODEL.skeleton.bind_model()[thigh + 2].origin().z;
                    sum += (flat - world.height(ankle.x, 0.0)).abs();
                    count += 1;
                }
            }
            let found = sum / count as f32;
            assert!(found < mean, "{speed} to {turn}: {found} units above or below, expected {mean}");
        }
    }
}

#[test]
fn who_stands_still_does_not_move() {
    for (world, x, yaw) in [
        (World::Stairs(8.0, 24.0), 24.0, 0.5 * PI),
        (World::Stairs(16.0, 24.0), 24.0, 0.5 * PI),
        (World::Slope(0.4), 10.0, 0.3),
    ] {
        let mut walker = Walker::new(world);
        let entity =
            Mat3x4::from_rotation_translation(Quat::from_rotation_z(yaw), Vec3::new(x, 0.0, world.stand(x, 0.0)));
        let first = walker.step(0, 0.0, entity, 0.0, 1.0 / 60.0);
        for _frame in 0..60 {
            let frame = walker.step(0, 0.0, entity, 0.0, 1.0 / 60.0);
            assert_eq!(frame.placed, first.placed, "the same pose stays as it is");
        }
        let bind = MODEL.skeleton.bind_model();
        for thigh in THIGHS {
            let ankle = first.ankle(thigh);
            let ground = world.ground(ankle + Vec3::Z * 99.0, ankle - Vec3::Z * 99.0, 0.0).unwrap();
            // The distance of the sole from the plane of the ground.
            let apart = (ankle - ground.point).dot(ground.normal) - bind[thigh + 2].origin().z - first.lifted(thigh);
            assert!(apart.abs() < 0.1, "{apart}");
            let animated = first.animated[thigh + 2].rotation();
            let up = first.placed[thigh + 2].rotation() * animated.inverse() * Vec3::Z;
            let up = entity.transform_vector(up);
            assert!(up.angle_between(ground.normal) < 0.02, "{up} {}", ground.normal);
        }
        // Breathing moves the pelvis, and no foot.
        let mut phase = 0.0;
        for _frame in 0..60 {
            phase += 1.0 / 60.0;
            let frame = walker.step(0, phase, entity, 0.0, 1.0 / 60.0);
            for thigh in THIGHS {
                let moved = frame.ankle(thigh).distance(first.ankle(thigh));
                assert!(moved < 0.05, "{moved}");
            }
        }
    }
}

#[test]
fn a_lift_carries_all_bones_alike() {
    for speed in [100.0, -100.0] {
        let story = Walker::new(World::Lift(speed)).walk(0.0, 0.0, 60.0);
        let apart = |frame: &Frame| (frame.offset(0).z - frame.entity.origin().z).abs();
        assert!(story[..30].iter().chain(&story[56..]).all(|frame| apart(frame) < 0.01));
        for frame in &story {
            let apart = frame.offset(3).z - frame.entity.origin().z;
            assert!(apart.abs() < 1.7, "as long as it takes to see that the floor moves: {apart}");
        }
    }
}

#[test]
fn a_level_floor_changes_no_bit() {
    let mut walker = Walker::new(World::Slope(0.0));
    for speed in [0.0, 100.0, 320.0] {
        for frame in walker.walk(speed, 0.7, 60.0) {
            assert_eq!(frame.placed, frame.animated);
        }
        walker.state.reset();
    }
}

#[test]
fn the_way_is_the_same_at_every_frame_rate() {
    let run = |world, rate| Walker::new(world).walk(100.0, 0.3, rate);
    for world in [World::Stairs(8.0, 24.0), World::Slope(0.35)] {
        let fine = run(world, 240.0);
        for (rate, most) in [(20.0, 0.7), (30.0, 0.5), (60.0, 0.35), (120.0, 0.15)] {
            let every = (240.0 / rate) as usize;
            let (mut sum, mut count) = (0.0, 0);
            for (coarse, fine) in run(world, rate).iter().zip(fine.iter().step_by(every)) {
                for bone in [0, 3, 7] {
                    sum += coarse.offset(bone).distance(fine.offset(bone));
                    count += 1;
                }
            }
            let mean = sum / count as f32;
            assert!(mean < most, "{rate}: {mean} units");
        }
    }
}

/// Walks up stairs in a world that is moved by a matrix, and returns the last pose.
fn moved(by: Mat3x4) -> Vec<Mat3x4> {
    let back = by.inverse().unwrap();
    let (world, feet) = (World::Stairs(8.0, 24.0), Feet::parse(&MODEL.skeleton, LEGS).unwrap());
    let (mut state, mut bones) = (FeetState::default(), Vec::new());
    for frame in 0..70 {
        bones = local(1, frame as f32 * 2.0 / 60.0);
        let x = frame as f32 * 1.5;
        let entity = by * Mat3x4::from_translation(Vec3::new(x, 0.0, world.stand(x, 0.0)));
        place_feet(MODEL.skeleton.parents(), &mut bones, &feet, &mut state, &entity, 1.0 / 60.0, |from, to| {
            let ground = world.ground(back.transform_point(from), back.transform_point(to), 0.0)?;
            Some(Ground { point: by.transform_point(ground.point), normal: by.transform_vector(ground.normal) })
        })
        .unwrap();
    }
    bones
}

#[test]
fn a_world_that_is_turned_moved_or_scaled_gives_the_same_poses() {
    let wanted = moved(Mat3x4::IDENTITY);
    assert!(wanted[0].origin().distance(local(1, 69.0 * 2.0 / 60.0)[0].origin()) > 2.0);
    let turned = |yaw: f32, place| Mat3x4::from_rotation_translation(Quat::from_rotation_z(yaw), place);
    let doubled = Mat3x4::from_columns(Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::Z * 2.0, Vec3::ZERO);
    for by in [turned(2.0, Vec3::ZERO), turned(-0.7, Vec3::new(300.0, -200.0, 512.0)), doubled] {
        for (bone, wanted) in moved(by).iter().zip(&wanted) {
            let apart = bone.0.iter().zip(&wanted.0).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < 2e-2, "{by:?}: {apart}");
        }
    }
}

#[test]
fn feet_begin_anew_after_a_jump_and_a_pause() {
    let stairs = World::Stairs(8.0, 24.0);
    let at = |x: f32| Mat3x4::from_translation(Vec3::new(x, 0.0, stairs.stand(x, 0.0)));
    let fresh = |x| Walker::new(stairs).step(0, 0.0, at(x), 0.0, 1.0 / 60.0).placed;
    let mut walker = Walker::new(stairs);
    walker.step(0, 0.0, at(-100.0), 0.0, 1.0 / 60.0);
    assert_eq!(walker.step(0, 0.0, at(100.0), 0.0, 1.0 / 60.0).placed, fresh(100.0), "a jump");
    assert_eq!(walker.step(0, 0.0, at(80.0), 0.0, 0.6).placed, fresh(80.0), "a pause");
    let near = walker.step(0, 0.0, at(60.0), 0.0, 1.0 / 60.0).placed;
    assert_ne!(near, fresh(60.0), "a short way");
    for (still, near) in walker.step(0, 0.0, at(60.0), 0.0, 0.0).placed.iter().zip(&near) {
        assert!(still.origin().distance(near.origin()) < 1e-3, "no time");
    }
    walker.state.reset();
    assert_eq!(walker.step(0, 0.0, at(60.0), 0.0, 1.0 / 60.0).placed, fresh(60.0), "a reset");
}

#[test]
fn in_the_air_the_animation_comes_back() {
    let stairs = World::Stairs(16.0, 24.0);
    let mut walker = Walker::new(stairs);
    let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.5 * PI), Vec3::new(24.0, 0.0, 16.0));
    let mut story = vec![walker.step(0, 0.0, entity, 0.0, 1.0 / 60.0)];
    assert!(story[0].offset(0).z < 2.0);
    walker.feet.weight = 0.0;
    for frame in 0..60 {
        let jump = entity.with_origin(entity.origin() + Vec3::Z * (4.0 * frame as f32));
        story.push(walker.step(0, 0.0, jump, 0.0, 1.0 / 60.0));
    }
    let last = &story[60];
    assert_eq!(last.placed, last.animated);
    story.iter_mut().for_each(|frame| frame.entity = entity);
    let [knee, foot, _] = worst(&story);
    assert!(knee < 8.0 && foot < 3.0, "{knee} {foot}");
}

#[test]
fn bad_numbers_and_bones_change_nothing() {
    let parents = MODEL.skeleton.parents();
    let feet = Feet::parse(&MODEL.skeleton, LEGS).unwrap();
    let floor = |from: Vec3, _: Vec3| Some(Ground { point: from.with_z(3.0), normal: Vec3::Z });
    let mut walker = Walker::new(World::Stairs(8.0, 24.0));
    walker.walk(100.0, 0.0, 60.0);
    let refused = |feet: &Feet, entity: Mat3x4, seconds: f32, bones: usize| {
        let (mut pose, mut state) = (local(1, 0.2)[..bones].to_vec(), walker.state.clone());
        let error = place_feet(parents, &mut pose, feet, &mut state, &entity, seconds, floor).unwrap_err();
        assert_eq!((&pose[..], state), (&local(1, 0.2)[..bones], walker.state.clone()), "{error}");
        error
    };
    for change in [
        |feet: &mut Feet| feet.floor = f32::NAN,
        |feet: &mut Feet| feet.step = -1.0,
        |feet: &mut Feet| feet.slope = 2.0,
        |feet: &mut Feet| feet.frequency = 0.0,
        |feet: &mut Feet| feet.weight = 1.5,
    ] {
        let mut bad = feet.clone();
        change(&mut bad);
        assert!(matches!(refused(&bad, Mat3x4::IDENTITY, 0.02, 21), PosingError::OutOfRange(_)));
    }
    for seconds in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(refused(&feet, Mat3x4::IDENTITY, seconds, 21), PosingError::OutOfRange(_)));
    }
    assert!(matches!(refused(&feet, Mat3x4([f32::NAN; 12]), 0.02, 21), PosingError::OutOfRange(_)));
    assert_eq!(refused(&feet, Mat3x4::ZERO, 0.02, 21), PosingError::Singular { bone: 0 });
    assert_eq!(refused(&feet, Mat3x4::IDENTITY, 0.02, 7), PosingError::NoSuchBone { bone: 7 });
    // Ground at no place counts as none.
    for (height, normal) in [(f32::NAN, Vec3::Z), (3.0, Vec3::ZERO), (3.0, Vec3::NAN), (f32::INFINITY, Vec3::Z)] {
        let (mut pose, mut state) = (local(0, 0.0), FeetState::default());
        let ground = |from: Vec3, _: Vec3| Some(Ground { point: from.with_z(height), normal });
        place_feet(parents, &mut pose, &feet, &mut state, &Mat3x4::IDENTITY, 0.02, ground).unwrap();
        assert_eq!(pose, local(0, 0.0));
    }
}

#[test]
fn a_text_states_a_pelvis_and_legs() {
    let skeleton = &MODEL.skeleton;
    assert_eq!(Feet::parse(skeleton, "pelvis, thigh_l, shin_l").unwrap_err(), PosingError::NotLegs { found: 3 });
    assert_eq!(
        Feet::parse(skeleton, "pelvis").unwrap_err().to_string(),
        "the feet have 1 bone, expected a pelvis and three for each leg, separated by commas"
    );
    assert!(matches!(Feet::parse(skeleton, LEGS.replace("shin_r", "shin")), Err(PosingError::NoBoneNamed { .. })));
    let turned = Feet::parse(skeleton, "spine, thigh_l, shin_l, foot_l").unwrap_err();
    assert_eq!(turned, PosingError::NotBelow { bone: 1, above: 9 });
    let leg = Reach::parse(skeleton, "thigh_l, shin_l, foot_l").unwrap();
    assert_eq!(Feet::new(skeleton, 0, []).unwrap_err(), PosingError::NoBones);
    let many = vec![leg; Feet::MAX_LEGS + 1];
    assert_eq!(Feet::new(skeleton, 0, many.clone()).unwrap_err(), PosingError::TooManyBones { most: 13 });
    assert!(Feet::new(skeleton, 0, many[1..].to_vec()).is_ok());
}
