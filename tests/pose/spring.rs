//! Springs: the same at every frame rate, within their limits, and kept in snapshots.

use crate::common::fnv1a;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, Skeleton};
use skelobj::pose::{PosingError, Spring, SpringCollider, SpringState, swing};
use skelobj::ragdoll::Command;

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

    /// Swings for frames in one place.
    fn stay(&mut self, frames: usize, entity: &Mat3x4, seconds: f32) {
        for _ in 0..frames {
            self.step(entity, seconds);
        }
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
        antenna.spring = antenna.spring.clone().with_frequency(0.7).with_gravity(Vec3::Z * -50.0);
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
        antenna.stay(2, &at(Vec3::ZERO), 0.02);
        antenna.step(&at(Vec3::Y * 6.0), 0.02).angle_between(Vec3::X)
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
    let refused = |text: &str| spring.clone().with_colliders(skeleton, text).unwrap_err().to_string();
    assert_eq!(refused("bone1 2, tail 3"), "no bone is named `tail`");
    for text in ["bone1", "bone1 x", "bone1 2 3"] {
        assert_eq!(refused(text), format!("found `{text}`, expected a bone and a number between commas"));
    }
    let nine = ["bone1 1"; 9].join(",");
    assert_eq!(spring.clone().with_colliders(skeleton, nine), Err(PosingError::TooManyBones { most: 8 }));
}

#[test]
fn a_spring_begins_anew_after_a_jump_a_gap_and_a_reset() {
    let rest = Vec3::X * 4.0 * SEGMENT;
    let swung = || {
        let mut antenna = Antenna::new(4);
        antenna.spring.frequency = 0.7;
        for frame in 0..10 {
            antenna.step(&swaying(f64::from(frame) * 0.03), 0.03);
        }
        assert!(antenna.end().distance(rest) > 0.4);
        antenna
    };
    let here = swaying(0.3);
    assert!(swung().step(&here, 0.03).distance(rest) > 0.4, "without any of them");
    assert_eq!(swung().step(&(at(Vec3::X * 200.0) * here), 0.03), rest, "a jump");
    assert_eq!(swung().step(&here, 0.6), rest, "a gap");
    let mut antenna = swung();
    antenna.state.reset();
    assert_eq!(antenna.step(&here, 0.03), rest, "a reset");
    // In lengths of the chain, which the scale of the entity changes.
    let far = at(Vec3::X * 200.0) * here;
    for (teleport, begins) in [(0.0, false), (9.0, false), (8.0, true)] {
        let mut antenna = swung();
        antenna.spring.teleport = teleport;
        assert_eq!(antenna.step(&far, 0.03) == rest, begins, "{teleport}");
    }
    let scaled = |place: Mat3x4| {
        Mat3x4::from_translation_rotation_scale(place.origin().to_array(), [0.0, 0.0, 0.0, 1.0], [10.0; 3])
    };
    let mut giant = Antenna::new(4);
    giant.stay(3, &scaled(at(Vec3::ZERO)), 0.03);
    assert!(giant.step(&scaled(at(Vec3::Y * 200.0)), 0.03).distance(rest) > 1.0, "less than a length of a giant");
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
    let bad: [fn(&mut Spring); 11] = [
        |spring| spring.share = 1.5,
        |spring| spring.share = f32::NAN,
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

const DEFAULT_RATES: [u32; 4] = [20, 30, 60, 144];

/// Swings an antenna of bones for seconds, and returns its end over its length at each frame of a rate.
fn ends(spring: &dyn Fn(&mut Spring), bones: usize, rate: u32, parts: u32, way: &dyn Fn(f32) -> Mat3x4) -> Vec<Vec3> {
    let mut antenna = Antenna::new(bones);
    spring(&mut antenna.spring);
    let mut ends = Vec::new();
    for step in 0..=2 * rate * parts {
        let time = step as f32 / (rate * parts) as f32;
        let end = antenna.step(&way(time), 1.0 / (rate * parts) as f32) / (bones as f32 * SEGMENT);
        if step % parts == 0 {
            ends.push(end);
        }
    }
    ends
}

#[test]
fn a_wag_of_the_root_is_not_multiplied_along_a_chain() {
    for (bones, most) in [(3, 6.0), (6, 12.0), (8, 16.0)] {
        let mut gain = 0f32;
        for number in 0..8 {
            let times_own = 0.35 + 0.1 * number as f32;
            let mut antenna = Antenna::new(bones);
            for frame in 0..600 {
                let time = frame as f32 / 60.0;
                let wag = 1e-3 * (std::f32::consts::TAU * 2.0 * times_own * time).sin() * (1.0 - (-time * time).exp());
                let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(wag), Vec3::ZERO);
                antenna.step(&entity, 1.0 / 60.0);
                let last = antenna.local[..bones].iter().fold(entity, |above, bone| above * *bone).forward();
                if frame > 420 {
                    gain = gain.max((last.y / last.x).abs() / 1e-3);
                }
            }
        }
        assert!(gain < most, "{bones} bones: {gain}");
    }
}

#[test]
fn runs_steps_and_turns_are_the_same_at_every_frame_rate() {
    let ramp = |since: f32| {
        let part = since.clamp(0.0, 0.3);
        250.0 * (part * part / 0.6 + (since - 0.3).max(0.0))
    };
    let run = move |time: f32| at(Vec3::Y * (ramp(time - 0.2) - ramp(time - 1.0)));
    let bob = |time: f32| at(Vec3::new(50.0 * time, 0.0, 5.0 * (12.0 * time).sin()));
    let turn = |time: f32| {
        Mat3x4::from_rotation_translation(Quat::from_rotation_z(6.0 * (time - 0.2).clamp(0.0, 0.4)), Vec3::ZERO)
    };
    let ways: [(&str, &dyn Fn(f32) -> Mat3x4); 3] = [("run", &run), ("bob", &bob), ("turn", &turn)];
    for (name, way) in ways {
        for (bones, frequency) in [(4, 1.5), (6, 2.0)] {
            for rate in DEFAULT_RATES {
                let spring = |spring: &mut Spring| spring.frequency = frequency;
                let fine = ends(&spring, bones, rate, 2000u32.div_ceil(rate), way);
                let coarse = ends(&spring, bones, rate, 1, way);
                let off = coarse.iter().zip(&fine).map(|(end, exact)| end.distance(*exact)).fold(0f32, f32::max);
                assert!(off < 0.05, "{name}, {bones} bones at {rate}: {off}");
                let swing = fine.iter().map(|end| end.distance(Vec3::X)).fold(0f32, f32::max);
                assert!(swing > 0.15, "{name} swings {bones} bones: {swing}");
            }
        }
    }
}

#[test]
fn chains_rest_at_the_same_place_at_every_frame_rate() {
    // Frequency, damping, gravity, length of a bone, number of bones.
    let settings = [
        (0.5, 0.5, 1600.0, 24.0, 3),
        (2.0, 0.3, 800.0, 0.5, 2),
        (8.0, 0.05, 1600.0, 0.5, 1),
        (8.0, 0.1, 0.0, 2.0, 6),
        (1.0, 1.0, 400.0, 6.0, 12),
        (1.5, 0.3, 800.0, 2.5, 6),
        (2.0, 1.0, 1600.0, 64.0, 8),
    ];
    for (frequency, damping, gravity, length, bones) in settings {
        let seconds = 30.0 / (std::f32::consts::TAU * frequency * damping);
        let tilted = |angle: f32| {
            let turn = Quat::from_rotation_y(angle).to_array();
            Mat3x4::from_translation_rotation_scale([0.0; 3], turn, [length / SEGMENT; 3])
        };
        let rest = |rate: f32| {
            let mut antenna = Antenna::new(bones);
            antenna.spring = antenna.spring.clone().with_frequency(frequency).with_damping(damping);
            antenna.spring.gravity = Vec3::Z * -gravity;
            if gravity == 0.0 {
                antenna.step(&tilted(0.4), 1.0 / rate); // something to come to rest from
            }
            antenna.stay((seconds * rate) as usize + 3, &tilted(-0.4), 1.0 / rate);
            antenna.local.clone()
        };
        let exact = rest(2000.0);
        for rate in [5.0, 12.0, 30.0, 60.0, 144.0, 1000.0] {
            for (bone, exact) in rest(rate).iter().zip(&exact) {
                let off = bone.forward().angle_between(exact.forward()).to_degrees();
                assert!(off < 1.0, "{frequency} {damping} {gravity} {length} {bones}, {rate} frames a second: {off}");
            }
        }
    }
}

#[test]
fn a_chain_that_falls_gains_no_energy() {
    const RATE: f32 = 2000.0;
    for (frequency, damping, share) in [(0.5, 0.05, 0.25), (2.0, 0.05, 0.5), (1.0, 0.3, 0.6), (8.0, 0.1, 0.5)] {
        let mut antenna = Antenna::new(3);
        antenna.spring = antenna.spring.clone().with_frequency(frequency).with_damping(damping).with_share(share);
        antenna.spring.gravity = Vec3::Z * -400.0;
        let stiffness = (std::f32::consts::TAU * frequency).powi(2);
        let (mut before, mut energies) = ([0f32; 3], Vec::new());
        for _ in 0..3 * RATE as usize / 2 {
            antenna.step(&at(Vec3::ZERO), 1.0 / RATE);
            let mut above = Mat3x4::IDENTITY;
            let angles: [f32; 3] = std::array::from_fn(|bone| {
                above = above * antenna.local[bone];
                -above.forward().z.atan2(above.forward().x)
            });
            let energy = (0..3).map(|bone| {
                let speed = (angles[bone] - before[bone]) * RATE;
                let wanted = if bone > 0 { share * angles[bone - 1] } else { 0.0 };
                let bent = angles[bone] - wanted;
                // The pull on a bone grows along the chain.
                let lever = 4.0 / 3.0 * (2 * bone + 1) as f32 / (9.0 * SEGMENT);
                0.5 * (speed * speed + stiffness * bent * bent) - 400.0 * lever * angles[bone].sin()
            });
            energies.push(energy.sum::<f32>());
            before = angles;
        }
        let energies = &energies[3..];
        let drop = energies[0] - energies.iter().fold(f32::MAX, |least, energy| least.min(*energy));
        for second in energies.windows(RATE as usize) {
            let (start, end) = (second[0], second[RATE as usize - 1]);
            assert!(end < start + 0.01 * drop, "{frequency} {damping} {share}: {end} after {start}, drop {drop}");
        }
        let mut least = energies[0];
        for energy in energies {
            assert!(*energy < least + 0.02 * drop, "{frequency} {damping} {share}: {energy} {least}, drop {drop}");
            least = least.min(*energy);
        }
    }
}

#[test]
fn a_chain_begins_with_the_speed_of_its_entity() {
    let (mut antenna, mut place) = (Antenna::new(4), 0.0);
    for frame in 0..60 {
        if frame == 30 {
            antenna.step(&at(Vec3::Y * 1e4), 1.0 / 60.0); // a teleport
        }
        // After frame 45, nobody looks for more than half a second.
        let seconds = if frame == 45 { 0.6 } else { 1.0 / 60.0 };
        place += 320.0 * seconds + if frame == 30 { 1e4 } else { 0.0 };
        let end = antenna.step(&at(Vec3::Y * place), seconds);
        assert!(end.distance(Vec3::X * 4.0 * SEGMENT) < 0.3, "{frame}: {end}");
    }
}

#[test]
fn a_turn_in_one_frame_lags_by_its_angle() {
    for bones in [1, 4] {
        for degrees in [90f32, 120.0, 180.0] {
            let mut antenna = Antenna::new(bones);
            antenna.spring.frequency = 1.5;
            let mut most = 0f32;
            for frame in 0..120 {
                let yaw = if frame < 10 { 0.0 } else { degrees.to_radians() };
                let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(yaw), Vec3::ZERO);
                let lag = antenna.step(&entity, 1.0 / 60.0).angle_between(Vec3::X).to_degrees();
                most = most.max(lag);
                assert!(frame != 10 || (lag - degrees).abs() < 0.15 * degrees, "{bones} {degrees}: {lag}");
            }
            assert!(most < 1.05 * degrees, "{bones} {degrees}: {most}");
        }
    }
}

/// Moves an antenna of bones and a length of 24 units, and returns its pose in the frame of its greatest swing.
fn widest(bones: usize, way: &dyn Fn(f32) -> Vec3) -> (f32, Vec<Mat3x4>) {
    let mut antenna = Antenna::new(bones);
    let scale = [24.0 / (bones as f32 * SEGMENT); 3];
    let mut widest = (0.0, Vec::new());
    for frame in 0..150 {
        let place = way(frame as f32 / 60.0).to_array();
        let entity = Mat3x4::from_translation_rotation_scale(place, [0.0, 0.0, 0.0, 1.0], scale);
        let swing = antenna.step(&entity, 1.0 / 60.0).angle_between(Vec3::X).to_degrees();
        if swing > widest.0 {
            widest = (swing, antenna.local.clone());
        }
    }
    widest
}

/// Way since a start that takes some seconds, to a speed of 250 units/s.
fn run_up(since: f32, seconds: f32) -> f32 {
    let part = since.clamp(0.0, seconds);
    250.0 * (part * part / (2.0 * seconds) + (since - seconds).max(0.0))
}

#[test]
fn a_push_bends_a_chain_evenly_and_as_far_however_many_bones_it_has() {
    let push = |time: f32| Vec3::Y * run_up(time - 0.3, 0.2);
    let [three, six, twelve] = [3, 6, 12].map(|bones| widest(bones, &push));
    assert!(three.0 > 20.0 && (six.0 / three.0 - 1.0).abs() < 0.2 && (twelve.0 / six.0 - 1.0).abs() < 0.1);
    let turns: Vec<f32> = six.1[..6].iter().map(|bone| bone.forward().angle_between(Vec3::X)).collect();
    assert!(turns[0] < 0.3 * turns.iter().sum::<f32>(), "not at its root alone: {turns:?}");
}

#[test]
fn a_brake_does_not_throw_a_tail_over_the_back() {
    let run = |time: f32| {
        let bob = Vec3::Z * (1.5 * (std::f32::consts::TAU * 3.0 * time).sin() * time.min(1.0));
        bob - Vec3::X * (run_up(time - 0.3, 0.3) - run_up(time - 1.6, 0.2))
    };
    let (swing, _) = widest(6, &run);
    assert!(swing > 5.0 && swing < 30.0, "{swing}");
}

#[test]
fn a_bone_at_its_limit_turns_back_at_once() {
    let mut antenna = Antenna::new(1);
    antenna.spring.limit = 0.3;
    let (mut place, mut speed) = (0.0, 0.0);
    let mut angles = Vec::new();
    for frame in 0..40 {
        speed += if frame < 30 { 0.3 } else { 0.0 };
        place += speed;
        angles.push(antenna.step(&at(Vec3::Y * place), 0.01).angle_between(Vec3::X));
    }
    assert!(angles[20..30].iter().all(|angle| (angle - 0.3).abs() < 1e-3), "held by the limit: {angles:?}");
    assert!(angles[31] < 0.299 && angles[39] < 0.2, "{angles:?}");
}

#[test]
fn colliders_keep_the_middle_of_a_bone_out() {
    let mut antenna = Antenna::new(2);
    // A thin beam across the middle of the first bone, which gravity pulls through it.
    let beam = SpringCollider { bone: 0, from: Vec3::new(3.0, -9.0, -2.0), to: Vec3::new(3.0, 9.0, -2.0), radius: 1.0 };
    antenna.spring = antenna.spring.clone().with_gravity(Vec3::Z * -4000.0).with_collider(beam).unwrap();
    for frame in 0..300 {
        antenna.step(&at(Vec3::ZERO), 0.02);
        let first = (antenna.local[0] * antenna.local[1]).origin();
        if frame > 100 {
            // The collider is on the first bone as the animation has it.
            let nearest = Vec3::new(3.0, 0.0, -2.0);
            let off = (nearest - first * (nearest.dot(first) / first.length_squared())).length();
            assert!(off > 0.95 && first.z < -0.5, "{frame}: {off} {first}");
        }
    }
}

#[test]
fn a_pose_in_model_space_swings_as_one_in_local_space_does() {
    let mannequin = skelobj::assets::mannequin();
    let arm = Spring::parse(&mannequin.skeleton, "clavicle_l, hand_l").unwrap().with_gravity(Vec3::Z * -200.0);
    let mut local = skelobj::assets::mannequin_object();
    let (built, mut model) = (local.clone(), local.clone());
    let mut matrices = vec![Mat3x4::ZERO; local.bone_count()];
    local.write_model_space(&mut matrices);
    for frame in 0..40 {
        let entity = at(Vec3::X * (0.2 * (frame * frame) as f32));
        local.set_local_pose(built.pose().bones()).unwrap();
        local.swing(&arm, &entity, 0.02).unwrap();
        // A corpse that lies still keeps the bones of the last frame: the swing is not taken for its pose.
        if frame % 3 == 0 {
            model.set_model_space_pose(&matrices).unwrap();
        }
        model.swing(&arm, &entity, 0.02).unwrap();
        for bone in 0..local.bone_count() {
            let [wanted, found] = [&local, &model].map(|object| object.model_space(bone).unwrap());
            assert!(wanted.origin().distance(found.origin()) < 0.02, "{frame} {bone}");
            assert!(wanted.up().distance(found.up()) < 2e-3, "{frame} {bone}");
        }
    }
    let hands =
        [&built, &model].map(|object| object.find_bone("hand_l").and_then(|bone| object.model_space(bone)).unwrap());
    assert!(hands[0].origin().distance(hands[1].origin()) > 1.0, "the arm swings");
}

#[test]
fn a_ragdoll_does_not_take_the_swing_for_its_animation() {
    let run = |swings: bool| {
        let (mut runtime, id) = skelobj::assets::mannequin_runtime();
        let shoulder = Spring::parse(&skelobj::assets::mannequin().skeleton, "clavicle_l, upperarm_l").unwrap();
        let shoulder = shoulder.with_gravity(Vec3::Z * -800.0);
        runtime.ragdoll_command(id, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None).unwrap();
        let mut poses = Vec::new();
        for _ in 0..30 {
            runtime.step(1.0 / 60.0).unwrap();
            runtime.ragdoll_command(id, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
            let object = runtime.object_mut(id).unwrap();
            let pose = object.pose().clone();
            if swings {
                object.swing(&shoulder, &Mat3x4::IDENTITY, 1.0 / 60.0).unwrap();
            }
            poses.push((pose.clone(), pose != *object.pose()));
        }
        poses
    };
    let (still, swung) = (run(false), run(true));
    assert!(swung.iter().filter(|(_, differs)| *differs).count() > 20);
    assert!(still.iter().zip(&swung).all(|((still, _), (swung, _))| still == swung));
}

#[test]
fn a_tail_of_a_walking_mannequin_does_not_whip() {
    use skelobj::model::FrameState;
    let mannequin = skelobj::assets::mannequin();
    let count = mannequin.skeleton.len();
    let tail = |number: usize| {
        let parent = if number == 0 { mannequin.skeleton.find("pelvis").unwrap() } else { count + number - 1 };
        Bone {
            name: format!("tail{number}").as_str().into(),
            parent: Some(parent),
            bind: Mat3x4::from_translation(Vec3::X * -4.0),
        }
    };
    let own = |bone: usize| Bone {
        name: mannequin.skeleton.name(bone).unwrap().clone(),
        parent: mannequin.skeleton.parent(bone),
        bind: mannequin.skeleton.bind_local()[bone],
    };
    let skeleton = Skeleton::new((0..count).map(own).chain((0..=6).map(tail)).collect()).unwrap();
    let spring = Spring::parse(&skeleton, "tail0, tail6").unwrap();
    let walk = mannequin.find_animation("walk").unwrap();
    let (mut state, mut before) = (SpringState::default(), None::<Vec3>);
    for frame in 0..180 {
        let time = frame as f32 / 60.0;
        let mut local = skeleton.bind_local().to_vec();
        let pose = FrameState::single(walk, time.into());
        skelobj::pose::sample(
            skelobj::pose::PoseSource { model: &mannequin, frame: &pose },
            0..count,
            &mut local[..count],
        );
        let entity = at(Vec3::X * (46.7 * time));
        swing(skeleton.parents(), &mut local, &spring, &mut state, &entity, 1.0 / 60.0).unwrap();
        let mut model = vec![Mat3x4::ZERO; local.len()];
        skelobj::pose::to_model_space(skeleton.parents(), &local, &mut model);
        let tip = model.last().unwrap().origin();
        assert!(before.is_none_or(|before| before.distance(tip) < 3.0), "{frame}: {before:?} {tip}");
        before = Some(tip);
    }
}

#[test]
fn a_greater_share_swings_wider_and_more_slowly() {
    let push = |share: f32| {
        let mut antenna = Antenna::new(6);
        antenna.spring.share = share;
        let tip = |frame: u32| {
            let place = Vec3::Y * run_up(frame as f32 / 144.0 - 0.1, 0.2);
            antenna.step(&at(place), 1.0 / 144.0).y.abs()
        };
        let tips: Vec<f32> = (0..144).map(tip).collect();
        let widest = tips.iter().copied().fold(0f32, f32::max);
        (widest, tips.iter().position(|tip| *tip == widest).unwrap())
    };
    let swings = [0.0, 0.25, 0.5, 0.75, 1.0].map(push);
    assert!(swings.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1), "{swings:?}");
    assert!(swings[4].1 > swings[0].1, "{swings:?}");
}

#[test]
fn bones_from_a_network_swing() {
    use skelobj::object::Space;
    use skelobj::runtime::{BoneReceiver, Replication};
    let (server, sent) = skelobj::assets::mannequin_runtime();
    let mut client = skelobj::Runtime::default();
    let model = client.add_model("mannequin.iqm", skelobj::assets::mannequin()).unwrap();
    let shown = client.create_object(model, Space::Model).unwrap();
    let toe = Spring::parse(&skelobj::assets::mannequin().skeleton, "thigh_l, toe_l").unwrap();
    let (mut receiver, mut message, mut swung) = (BoneReceiver::default(), Vec::new(), 0);
    for frame in 0..30 {
        let time = f64::from(frame) / 60.0;
        message.clear();
        server.encode_bones(sent, Replication::Full, &mut message).unwrap();
        assert!(receiver.receive(time, client.decode_bones(shown, &message).unwrap()));
        assert!(client.show_bones(shown, &receiver, time).unwrap());
        let object = client.object_mut(shown).unwrap();
        let (start, tip) = (object.find_bone("thigh_l").unwrap(), object.find_bone("toe_l").unwrap());
        let before = [start, tip].map(|bone| object.model_space(bone).unwrap().origin());
        let entity = at(Vec3::X * run_up(time as f32, 0.2));
        object.swing(&toe, &entity, 1.0 / 60.0).unwrap();
        let after = [start, tip].map(|bone| object.model_space(bone).unwrap().origin());
        assert!(before[0].distance(after[0]) < 1e-3, "the chain stays where the bones are");
        swung += usize::from(before[1].distance(after[1]) > 1.0);
    }
    assert!(swung > 15, "{swung}");
}

#[test]
fn swings_have_the_same_bits_on_every_machine() {
    let mut antenna = Antenna::new(6);
    let beam = SpringCollider { bone: 0, from: Vec3::new(9.0, -9.0, -3.0), to: Vec3::new(9.0, 9.0, -3.0), radius: 1.5 };
    antenna.spring = antenna.spring.clone().with_gravity(Vec3::Z * -400.0).with_limit(1.0).with_radius(0.5);
    antenna.spring = antenna.spring.clone().with_collider(beam).unwrap();
    let mut bytes = Vec::new();
    for frame in 0u16..400 {
        // A way to and fro, and a turn by no sine of the machine and no square root, which glam divides by in two ways.
        let to_and_fro = f32::from(frame % 64) - 32.0;
        let half = to_and_fro / 128.0;
        let size = 1.0 + half * half;
        let turn = Quat::from_xyzw(0.0, 0.0, 2.0 * half / size, (1.0 - half * half) / size);
        antenna.step(&Mat3x4::from_rotation_translation(turn, Vec3::Y * (to_and_fro * to_and_fro / 16.0)), 1.0 / 64.0);
        bytes.extend(antenna.local.iter().flat_map(|bone| bone.0).flat_map(f32::to_le_bytes));
    }
    let hash = fnv1a(bytes);
    assert_eq!(hash, 0x3b2b_46f0_656f_bdfa, "{hash:#018x}");
}
