//! Springs: the same at every frame rate, within their limits, and kept in snapshots.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, Skeleton};
use skelobj::pose::{PosingError, Spring, SpringCollider, SpringState, swing};

const SEGMENT: f32 = 6.0;

/// An antenna of bones along X, and how it moves.
struct Antenna {
    skeleton: Skeleton,
    spring: Spring,
    state: SpringState,
    local: Vec<Mat3x4>,
}

impl Antenna {
    fn new(bones: usize) -> Self {
        let bone = |number: usize| Bone {
            name: format!("bone{number}").as_str().into(),
            parent: number.checked_sub(1),
            bind: Mat3x4::from_translation(Vec3::X * if number == 0 { 0.0 } else { SEGMENT }),
        };
        let skeleton = Skeleton::new((0..=bones).map(bone).collect()).unwrap();
        let spring = Spring::parse(&skeleton, format!("bone0, bone{bones}")).unwrap();
        let local = skeleton.bind_local().to_vec();
        Self { skeleton, spring, state: SpringState::default(), local }
    }

    fn try_step(&mut self, entity: &Mat3x4, seconds: f32) -> Result<(), PosingError> {
        self.local.copy_from_slice(self.skeleton.bind_local());
        swing(self.skeleton.parents(), &mut self.local, &self.spring, &mut self.state, entity, seconds)
    }

    /// Swings for a frame and returns the end in model space.
    fn step(&mut self, entity: &Mat3x4, seconds: f32) -> Vec3 {
        self.try_step(entity, seconds).unwrap();
        for (bone, bind) in self.local.iter().zip(self.skeleton.bind_local()) {
            assert_eq!(bone.origin(), bind.origin(), "bones keep their lengths");
        }
        self.end()
    }

    fn end(&self) -> Vec3 {
        self.local.iter().fold(Mat3x4::IDENTITY, |above, bone| above * *bone).origin()
    }
}

fn at(place: Vec3) -> Mat3x4 {
    Mat3x4::from_translation(place)
}

/// Place of the entity, which sways.
fn swaying(time: f64) -> Mat3x4 {
    at(Vec3::new(0.0, 6.0 * (3.0 * time).sin() as f32, 3.0 * (1.0 - (2.0 * time).cos()) as f32))
}

#[test]
fn the_end_is_the_same_at_every_frame_rate() {
    let run = |rate: u32| {
        let mut antenna = Antenna::new(4);
        antenna.spring = antenna.spring.clone().with_gravity(Vec3::Z * -100.0);
        let mut ends = Vec::new();
        for frame in 0..=2 * rate {
            let end = antenna.step(&swaying(f64::from(frame) / f64::from(rate)), 1.0 / rate as f32);
            // Half a second apart.
            if frame % (rate / 2) == 0 && frame > 0 {
                ends.push(end);
            }
        }
        ends
    };
    let exact = run(1000);
    let rest = Vec3::X * 4.0 * SEGMENT;
    assert!(exact.iter().any(|end| end.distance(rest) > 5.0), "{exact:?}");
    for rate in [30, 60, 144] {
        for (end, exact) in run(rate).iter().zip(&exact) {
            assert!(end.distance(*exact) < 0.05 * 4.0 * SEGMENT, "{rate}: {end} {exact}");
        }
    }
}

#[test]
fn five_frames_a_second_do_not_explode() {
    let mut antenna = Antenna::new(4);
    antenna.spring.frequency = 30.0;
    antenna.spring.damping = 0.05;
    for frame in 0..50 {
        antenna.step(&swaying(f64::from(frame) * 0.2), 0.2);
    }
    let still = swaying(10.0);
    let ends: Vec<f32> = (0..100).map(|_| antenna.step(&still, 0.2).distance(Vec3::X * 4.0 * SEGMENT)).collect();
    assert!(ends[99] < 0.01, "{ends:?}");
}

#[test]
fn a_pendulum_swings_with_its_frequency_and_damping() {
    let run = |damping: f32| {
        let mut antenna = Antenna::new(1);
        antenna.spring = antenna.spring.clone().with_frequency(1.0).with_damping(damping);
        // A way to the side, whose end the antenna does not see coming.
        for frame in 0..=175 {
            antenna.step(&at(Vec3::Y * (0.02 * frame as f32)), 0.01);
        }
        (0..200).map(|_| antenna.step(&at(Vec3::Y * 3.5), 0.01).y).collect::<Vec<f32>>()
    };
    let free = run(0.0);
    let sign = |frames: std::ops::Range<usize>| free[frames].iter().map(|y| y.signum()).sum::<f32>();
    assert!((sign(5..45) + sign(55..95)).abs() < 1.0, "half a swing takes half a second: {free:?}");
    assert!(free[5..45].iter().fold(0f32, |most, y| most.max(y.abs())) > 0.2, "{free:?}");
    let damped = run(1.0);
    assert!(damped.iter().all(|y| *y > -1e-3) && damped[20] > 0.02 && damped[199] < 1e-3, "no swing back: {damped:?}");
}

#[test]
fn gravity_pulls_it_down_as_far_as_the_spring_gives() {
    let mut antenna = Antenna::new(1);
    antenna.spring = antenna.spring.clone().with_gravity(Vec3::Z * -100.0);
    let frequency = 2.0 * std::f32::consts::PI * 2.0;
    let end = (0..600).map(|_| antenna.step(&at(Vec3::ZERO), 0.02)).last().unwrap();
    assert!((end.z + 100.0 / frequency.powi(2)).abs() < 0.05, "{end}");
    // Of the world, however the entity is turned.
    let rolled = Mat3x4::from_rotation_translation(Quat::from_rotation_x(std::f32::consts::PI), Vec3::ZERO);
    let end = (0..600).map(|_| antenna.step(&rolled, 0.02)).last().unwrap();
    assert!((end.z - 100.0 / frequency.powi(2)).abs() < 0.05, "{end}");
}

#[test]
fn limit_and_weight_reduce_the_swing() {
    let angle = |spring: fn(Spring) -> Spring| {
        let mut antenna = Antenna::new(1);
        antenna.spring = spring(antenna.spring.clone());
        antenna.step(&at(Vec3::ZERO), 0.02);
        let end = antenna.step(&at(Vec3::Y * 6.0), 0.02);
        end.angle_between(Vec3::X)
    };
    let free = angle(|spring| spring);
    assert!(free > 0.6, "{free}");
    assert!((angle(|spring| spring.with_limit(0.25)) - 0.25).abs() < 1e-3);
    let half = angle(|spring| spring.with_weight(0.5));
    assert!((half - free / 2.0).abs() < 0.05, "{half} {free}");
    assert_eq!(angle(|spring| spring.with_weight(0.0)), 0.0);
}

#[test]
fn colliders_keep_the_end_out() {
    let settled = |radius: f32, own: f32, ends: [Vec3; 2]| {
        let mut antenna = Antenna::new(2);
        let collider = SpringCollider { bone: 0, from: ends[0], to: ends[1], radius };
        antenna.spring = antenna.spring.clone().with_gravity(Vec3::Z * -2000.0).with_radius(own);
        antenna.spring = antenna.spring.clone().with_collider(collider).unwrap();
        (0..400).map(|_| antenna.step(&at(Vec3::ZERO), 0.02)).last().unwrap()
    };
    let free = settled(0.0, 0.0, [Vec3::splat(500.0); 2]);
    assert!(free.z < -6.0, "{free}");
    // Around the place where the end would be, on the first bone as the animation has it.
    let centre = free + Vec3::new(1.0, 0.0, 2.0);
    for (radius, own) in [(4.0, 0.0), (3.0, 1.0)] {
        let end = settled(radius, own, [centre; 2]);
        assert!(end.distance(centre) > 3.8, "{end} {centre}");
    }
    let beam = settled(4.0, 0.0, [centre - Vec3::Y * 50.0, centre + Vec3::Y * 50.0]);
    assert!((beam - centre).reject_from(Vec3::Y).length() > 3.8, "{beam} {centre}");
    let mut full = Antenna::new(1).spring;
    for _ in 0..8 {
        full = full.with_collider(SpringCollider { bone: 0, from: free, to: free, radius: 1.0 }).unwrap();
    }
    assert!(full.with_collider(SpringCollider { bone: 0, from: free, to: free, radius: 1.0 }).is_none());
}

#[test]
fn colliders_are_stated_by_names_of_bones() {
    let antenna = Antenna::new(3);
    let (skeleton, spring) = (&antenna.skeleton, &antenna.spring);
    let capsule = SpringCollider { bone: 1, from: Vec3::ZERO, to: Vec3::X * SEGMENT, radius: 2.5 };
    let sphere = SpringCollider { bone: 3, from: Vec3::ZERO, to: Vec3::ZERO, radius: 4.0 };
    let wanted = spring.clone().with_collider(capsule).unwrap().with_collider(sphere).unwrap();
    assert_eq!(spring.clone().with_colliders(skeleton, "bone1 2.5, bone3 4").unwrap(), wanted);
    for (text, entry) in [("bone1", 1), ("bone1 2, tail 3", 2), ("bone1 x", 1)] {
        let error = spring.clone().with_colliders(skeleton, text).unwrap_err();
        assert_eq!(error, PosingError::NoBoneNamed { entry }, "{text}");
    }
    let nine = ["bone1 1"; 9].join(",");
    assert_eq!(spring.clone().with_colliders(skeleton, nine), Err(PosingError::TooManyBones { most: 8 }));
}

#[test]
fn a_spring_begins_anew_after_a_jump_a_gap_and_a_reset() {
    let rest = Vec3::X * 4.0 * SEGMENT;
    let swung = || {
        let mut antenna = Antenna::new(4);
        for frame in 0..10 {
            antenna.step(&swaying(f64::from(frame) * 0.03), 0.03);
        }
        assert!(antenna.end().distance(rest) > 1.0);
        antenna
    };
    let here = swaying(0.3);
    assert!(swung().step(&here, 0.03).distance(rest) > 1.0, "without any of them");
    assert_eq!(swung().step(&(at(Vec3::X * 200.0) * here), 0.03), rest, "a jump");
    assert_eq!(swung().step(&here, 0.6), rest, "a gap");
    let mut antenna = swung();
    antenna.state.reset();
    assert_eq!(antenna.step(&here, 0.03), rest, "a reset");
    let mut antenna = swung();
    antenna.spring.teleport = 300.0;
    assert!(antenna.step(&(at(Vec3::X * 200.0) * here), 0.03).distance(rest) > 1.0, "a longer way");
    // Settings change, and time stands still, without a beginning.
    let mut antenna = swung();
    let end = antenna.end();
    antenna.spring.frequency = 3.0;
    assert!(antenna.step(&swaying(0.27), 0.0).distance(end) < 1e-3);
}

#[test]
fn a_scaled_entity_swings_alike() {
    let run = |scale: f32| {
        let mut antenna = Antenna::new(3);
        (0..40)
            .map(|frame| {
                let place = swaying(f64::from(frame) * 0.02).origin() * scale;
                let entity =
                    Mat3x4::from_translation_rotation_scale(place.to_array(), [0.0, 0.0, 0.0, 1.0], [scale; 3]);
                antenna.step(&entity, 0.02)
            })
            .last()
            .unwrap()
    };
    assert!(run(1.0).distance(run(3.0)) < 1e-2, "{} {}", run(1.0), run(3.0));
}

#[test]
fn what_is_out_of_range_changes_nothing() {
    let mut antenna = Antenna::new(3);
    antenna.step(&swaying(0.0), 0.02);
    antenna.step(&swaying(0.1), 0.02);
    let (state, good) = (antenna.state.clone(), antenna.spring.clone());
    let bad: [fn(&mut Spring); 9] = [
        |spring| spring.frequency = 0.0,
        |spring| spring.frequency = f32::NAN,
        |spring| spring.damping = 1.5,
        |spring| spring.weight = -0.1,
        |spring| spring.limit = f32::NAN,
        |spring| spring.teleport = -1.0,
        |spring| spring.radius = f32::INFINITY,
        |spring| spring.gravity = Vec3::splat(f32::NAN),
        |spring| {
            let far = SpringCollider { bone: 0, from: Vec3::splat(1e9), to: Vec3::ZERO, radius: 1.0 };
            *spring = spring.clone().with_collider(far).unwrap();
        },
    ];
    for (number, change) in bad.into_iter().enumerate() {
        antenna.spring = good.clone();
        change(&mut antenna.spring);
        let error = antenna.try_step(&swaying(0.2), 0.02);
        assert!(matches!(error, Err(PosingError::OutOfRange(_))), "{number}: {error:?}");
        assert_eq!(antenna.local, antenna.skeleton.bind_local(), "{number}");
        assert_eq!(antenna.state, state, "{number}");
    }
    antenna.spring = good.clone();
    for seconds in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(antenna.try_step(&swaying(0.2), seconds), Err(PosingError::OutOfRange(_))));
    }
    let flat = Mat3x4::from_translation_rotation_scale([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0]);
    assert_eq!(antenna.try_step(&flat, 0.02), Err(PosingError::Singular { bone: 0 }));
    assert!(matches!(antenna.try_step(&at(Vec3::splat(f32::NAN)), 0.02), Err(PosingError::OutOfRange(_))));
    let lost = SpringCollider { bone: 9, from: Vec3::ZERO, to: Vec3::ZERO, radius: 1.0 };
    antenna.spring = good.with_collider(lost).unwrap();
    assert_eq!(antenna.try_step(&swaying(0.2), 0.02), Err(PosingError::NoSuchBone { bone: 9 }));
    assert_eq!(antenna.state, state);
}

#[test]
fn the_springs_of_an_object_swing_at_most_all_of_its_bones() {
    let mut object = skelobj::assets::mannequin_object();
    let skeleton = object.model().skeleton.clone();
    let most = skeleton.len();
    let springs = ["spine, head", "chest, head", "upperarm_l, hand_l", "upperarm_r, hand_r", "thigh_l, toe_l"];
    let springs =
        springs.into_iter().chain(["thigh_r, toe_r", "pelvis, hand_l", "pelvis, hand_r", "clavicle_l, hand_l"]);
    let springs: Vec<_> = springs.map(|bones| Spring::parse(&skeleton, bones).unwrap()).collect();
    let mut swinging = std::collections::BTreeMap::new();
    for spring in &springs {
        let (first, count) = (spring.bones().next().unwrap(), spring.bones().count());
        let others: usize = swinging.iter().filter(|(start, _)| **start != first).map(|(_, count)| count).sum();
        let before = object.pose().clone();
        let swung = object.swing(spring, &Mat3x4::IDENTITY, 0.02);
        if others + count > most {
            assert_eq!(swung, Err(PosingError::TooManySwinging { most }.into()));
            assert_eq!(*object.pose(), before);
        } else {
            swung.unwrap();
            swinging.insert(first, count);
        }
    }
    assert!(swinging.len() < springs.len() - 1, "some were refused");
    object.reset_springs(); // forgets those that are not used any more
    object.swing(springs.last().unwrap(), &Mat3x4::IDENTITY, 0.02).unwrap();
}
