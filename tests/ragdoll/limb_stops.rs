//! Limbs that reach, and chains that aim, within the stops of a doll.

use std::f32::consts::PI;

use skelobj::doll::Doll;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Bone, Skeleton};
use skelobj::pose::{Aim, Reach};
use skelobj::ragdoll::{aim_within_stops, within_stops};
use skelobj::{Model, SkeletalObject, assets};

const LEG: &str = "thigh_l, shin_l, foot_l";

fn leg(model: &Model, doll: &str) -> Option<Reach> {
    let doll = Doll::parse_for(doll.as_bytes(), &model.skeleton).doll;
    within_stops(&doll, model, Reach::parse(&model.skeleton, LEG).unwrap())
}

/// Returns a doll with a knee, whose stops are in the line.
fn knee(bodies: &str, attributes: &str) -> String {
    format!("body thigh thigh_l\nbody shin shin_l\njoint knee {bodies}\n\ttype hinge\n{attributes}")
}

/// Returns the angle between the segments of the left leg, radians.
fn bend(object: &SkeletalObject) -> f32 {
    let [hip, knee, foot] = ["thigh_l", "shin_l", "foot_l"].map(|name| {
        let bone = object.find_bone(name).unwrap();
        object.model_space(bone).unwrap().origin()
    });
    (hip - knee).angle_between(foot - knee)
}

#[test]
fn the_knee_of_the_mannequin_bends_back_as_far_as_its_doll_allows() {
    let doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
    let mut object = assets::mannequin_object();
    let model = object.model().clone();
    let leg = within_stops(&doll, &model, Reach::parse(&model.skeleton, LEG).unwrap()).unwrap();
    let [hip, toe] =
        ["thigh_l", "foot_l"].map(|name| object.model_space(object.find_bone(name).unwrap()).unwrap().origin());
    // Nearer to the hip than the knee bends.
    let missed = object.reach(&leg, hip - Vec3::Z).unwrap();
    assert!(missed > 3.0, "{missed}");
    assert!((bend(&object) - (PI - 2.5)).abs() < 0.06, "{}", bend(&object));
    // The straight leg of the bind pose bends so that the knee points forward, without a pole.
    let mut object = assets::mannequin_object();
    assert!(object.reach(&leg, toe + Vec3::Z * 12.0).unwrap() < 1e-3);
    let place = |name| object.model_space(object.find_bone(name).unwrap()).unwrap().origin();
    assert!(place("shin_l").x > place("thigh_l").x + 3.0, "{}", place("shin_l"));
}

#[test]
fn stops_count_for_either_order_of_the_bodies_and_either_direction_of_the_axis() {
    let model = assets::mannequin();
    let expected = leg(&model, &knee("thigh shin", "\taxis 0 1 0\n\tlostop -2\n\thistop -0.5\n")).unwrap();
    for (bodies, attributes) in [
        ("thigh shin", "\taxis 0 -3 0\n\tlostop 0.5\n\thistop 2\n"),
        ("shin thigh", "\taxis 0 1 0\n\tlostop 0.5\n\thistop 2\n"),
    ] {
        let found = leg(&model, &knee(bodies, attributes)).unwrap();
        assert!(found.hinge.unwrap().distance(expected.hinge.unwrap()) < 1e-5, "{bodies} {attributes}");
        assert!(found.bend.iter().zip(expected.bend).all(|(a, b)| (a - b).abs() < 1e-5));
    }
    let width = expected.bend[1] - expected.bend[0];
    assert!((width - 1.5).abs() < 1e-4, "{:?}", expected.bend);
}

#[test]
fn stops_are_angles_from_the_reference_pose() {
    let model = assets::mannequin();
    let attributes = "\taxis 0 -1 0\n\tlostop 0\n\thistop 1\n";
    let bind = leg(&model, &knee("thigh shin", attributes)).unwrap();
    // In a pose of running, the knee is bent, and the stops begin there.
    let posed = leg(&model, &format!("refpose 2 0.3\n{}", knee("thigh shin", attributes))).unwrap();
    assert!(bind.bend[1] > posed.bend[1] + 0.1, "{:?} {:?}", bind.bend, posed.bend);
}

/// Returns a limb along X whose end is `degrees` from its start, seen from the middle, about Y.
fn bent(degrees: f32) -> Model {
    let (sin, cos) = degrees.to_radians().sin_cos();
    // Exactly across the limb at 90 degrees.
    let cos = if degrees == 90.0 { 0.0 } else { cos };
    let bone = |name: &str, parent, at| Bone { name: name.into(), parent, bind: Mat3x4::from_translation(at) };
    let bones = vec![
        bone("upper", None, Vec3::ZERO),
        bone("lower", Some(0), Vec3::X * 10.0),
        bone("end", Some(1), Vec3::new(-cos, 0.0, sin) * 10.0),
    ];
    Model { skeleton: Skeleton::new(bones).unwrap(), ..Model::default() }
}

/// Returns the side on which a limb opens, -1 or 1 for an axis along or against Y, and its bends in degrees.
fn opened(model: &Model, lo: f32, hi: f32) -> (f32, [f32; 2]) {
    let [lo, hi] = [lo, hi].map(f32::to_radians);
    let bodies = "body upper upper\nbody lower lower\njoint elbow lower upper\n\ttype hinge\n\taxis 0 1 0\n";
    let doll = format!("{bodies}\tlostop {lo}\n\thistop {hi}\n");
    let doll = Doll::parse_for(doll.as_bytes(), &model.skeleton).doll;
    let limb = within_stops(&doll, model, Reach::parse(&model.skeleton, "upper, lower, end").unwrap()).unwrap();
    (limb.hinge.unwrap().y, limb.bend.map(f32::to_degrees))
}

#[test]
fn a_limb_opens_to_the_side_of_its_range_however_far_it_is_bent_in_the_reference_pose() {
    for (degrees, lo, hi, side, expected) in [
        (90.0, -60.0, 30.0, 1.0, [30.0, 120.0]),
        // Past straight, to the other side: 160 degrees there are 200 here.
        (80.0, 90.0, 150.0, -1.0, [130.0, 180.0]),
        (90.0, 60.0, 160.0, -1.0, [110.0, 180.0]),
        (100.0, 60.0, 130.0, -1.0, [130.0, 180.0]),
        // Past folded.
        (30.0, -50.0, -20.0, -1.0, [0.0, 20.0]),
        (90.0, -140.0, -60.0, -1.0, [0.0, 50.0]),
    ] {
        let (found_side, found) = opened(&bent(degrees), lo, hi);
        let off = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f32::max);
        assert!(found_side == side && off < 1e-3, "{degrees}, {lo} to {hi}: {found_side} {found:?}");
    }
}

#[test]
fn a_stop_beyond_half_a_turn_is_one_at_half_a_turn() {
    let limb = bent(170.0);
    assert_eq!(opened(&limb, -180.0, 5.0), opened(&limb, -90_000.0, 5.0));
    assert_eq!(opened(&limb, -180.0, 5.0), opened(&limb, f32::NEG_INFINITY, 5.0));
    assert_eq!(opened(&limb, -120.0, 180.0), opened(&limb, -120.0, 90_000.0));
}

#[test]
fn a_joint_without_stops_leaves_the_bend_and_other_joints_give_none() {
    let model = assets::mannequin();
    let free = leg(&model, &knee("thigh shin", "\taxis 0 1 0\n\tlostop -100\n\thistop 100\n")).unwrap();
    assert_eq!(free.bend, [0.0, PI]);
    let point = knee("thigh shin", "").replace("hinge", "point");
    assert_eq!(leg(&model, &point), None);
    let elsewhere = "body a pelvis\nbody b thigh_l\njoint hip a b\n\ttype hinge\n";
    assert_eq!(leg(&model, elsewhere), None);
    assert_eq!(leg(&model, ""), None);
}

/// Returns the limit of an aim of bones by a doll.
fn limit(bones: &str, doll: &str) -> Option<f32> {
    let model = assets::mannequin();
    let doll = Doll::parse_for(doll.as_bytes(), &model.skeleton).doll;
    aim_within_stops(&doll, &model, Aim::parse(&model.skeleton, bones).unwrap()).map(|aim| aim.limit)
}

#[test]
fn an_aim_turns_no_joint_beyond_its_narrowest_stop() {
    const NECK: &str = "body chest chest\nbody head head\n";
    let neck = |joint: &str| limit("head", &format!("{NECK}joint neck {joint}"));
    assert_eq!(neck("chest head\n\ttype hinge\n\tlostop -1\n\thistop 0.5\n"), Some(0.5));
    assert_eq!(neck("head chest\n\ttype hinge\n\tlostop -0.4\n\thistop 0.5\n"), Some(0.4), "either order");
    let two = "\ttype universal\n\tlostop -1\n\thistop 1\n\tlostop2 -0.7\n\thistop2 0.9\n";
    assert_eq!(neck(&format!("chest head\n{two}")), Some(0.7), "either axis");
    assert_eq!(neck(&format!("chest head\n{two}\ttwist -0.3 0.6\n")), Some(0.3), "the twist");
    assert_eq!(neck("chest head\n\ttype hinge\n\tlostop 0.2\n\thistop 0.5\n"), Some(0.0), "stops beside the pose");
    assert_eq!(neck("chest head\n\ttype point\n"), Some(PI), "no stops");
    // A joint of another bone, to the world, or to a body below is not one of the head.
    assert_eq!(limit("neck", &format!("{NECK}joint neck chest head\n\ttype point\n")), None);
    assert_eq!(neck("head\n\ttype hinge\n\tlostop -1\n\thistop 1\n"), None);
    assert_eq!(limit("chest", &format!("{NECK}joint neck chest head\n\ttype point\n")), None);
}

#[test]
fn the_stops_of_a_chain_add_up_to_half_a_turn_at_most() {
    let spine = |stop: f32| {
        let joint = |name: &str, bodies: &str| {
            format!("joint {name} {bodies}\n\ttype hinge\n\tlostop -{stop}\n\thistop {stop}\n")
        };
        let bodies = "body spine spine\nbody chest chest\nbody head head\n";
        let doll = format!("{bodies}{}{}", joint("back", "spine chest"), joint("neck", "chest head"));
        limit("chest 0.3, neck 0.2, head 0.5", &doll)
    };
    assert_eq!(spine(0.5), Some(1.0), "the bone of the neck has no joint");
    assert_eq!(spine(2.0), Some(PI));
    // The aim keeps to the limit that it got.
    let doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
    let mut object = assets::mannequin_object();
    let model = object.model().clone();
    let look = aim_within_stops(&doll, &model, Aim::parse(&model.skeleton, "head").unwrap()).unwrap();
    let head = object.find_bone("head").unwrap();
    let forward = |object: &SkeletalObject| object.model_space(head).unwrap().forward();
    let before = forward(&object);
    let missed = object.aim(&look, Vec3::new(0.0, 100.0, 60.0)).unwrap();
    assert!((before.angle_between(forward(&object)) - 0.8).abs() < 1e-3 && missed > 0.7, "{missed}");
}
