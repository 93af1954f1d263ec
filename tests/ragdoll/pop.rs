//! Dolls created in poses that their joints do not allow start at the pose of the object and do not jump.

use crate::common::stage;
use std::sync::Arc;

use crate::common::stage::{Rig, Stage, bind_pose, difference, mannequin, physics_with, weightless, without_contacts};
use skelobj::assets;
use skelobj::doll::{Doll, JointKind};
use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::ragdoll::Command;

/// Returns the mannequin with an edited bind pose, without gravity and contacts but with the usual damping.
fn posed(edit: impl FnOnce(&Doll, &mut [Mat3x4])) -> Rig {
    let model = Arc::new(mannequin());
    let doll = Arc::new(Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll);
    let mut object = bind_pose(&model);
    edit(&doll, object.bones_mut());
    let settings = physics_with(|settings| settings.gravity = Vec3::ZERO);
    let mut rig = Rig::new(object, &doll, Mat3x4::IDENTITY, settings);
    rig.limp();
    without_contacts(rig.physics_mut());
    rig
}

/// Returns the greatest speed of any body by physics, and by the motion of its centre; units/s.
fn peak(rig: &mut Rig, seconds: f32) -> (f32, f32) {
    let (mut speed, mut seen) = (0.0f32, 0.0f32);
    let mut last = rig.bodies();
    for _ in 0..(seconds * 120.0) as usize {
        rig.update();
        rig.step(1.0 / 120.0);
        speed = speed.max(rig.fastest());
        let now = rig.bodies();
        let moved = now.iter().zip(&last).map(|(now, then)| now.position.distance(then.position));
        seen = seen.max(moved.fold(0.0, f32::max) * 120.0);
        last = now;
    }
    (speed, seen)
}

#[test]
fn a_pose_a_radian_beyond_a_stop_eases_in() {
    let model = Arc::new(mannequin());
    let doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll;
    let (mut worst, mut seen_most) = ((0.0f32, String::new()), 0.0f32);
    for joint in &doll.joints {
        let axes = if joint.kind == JointKind::Hinge { 1 } else { 2 };
        for number in 0..axes {
            let child = model.skeleton.find(doll.bodies[joint.body2.unwrap()].bone.as_bytes()).unwrap();
            let mut rig = posed(|_, bones| {
                // Body 1 relative to body 2, so the child turns the other way: a radian beyond the low stop.
                let axis =
                    [joint.axis, joint.axis2 - joint.axis * joint.axis.dot(joint.axis2) / joint.axis.length_squared()]
                        [number];
                let by = Quat::from_axis_angle(axis.normalize(), 1.0 - joint.stops[number].lo);
                let bind = model.skeleton.bind_model();
                let turned = Mat3x4::from_rotation_translation(by, Vec3::ZERO);
                let parent = model.skeleton.parent(child).unwrap();
                let own = (turned * bind[child]).with_origin(bind[child].origin());
                bones[child] = bind[parent].inverse().unwrap() * own;
            });
            let state = rig.joint(&joint.name.to_string());
            assert!(state.gap < 1e-3, "{} {state:?}", joint.name);
            let beyond = joint.stops[number].lo - angle(&rig, joint, number, &model);
            assert!((beyond - 1.0).abs() < 0.05, "{}: {beyond} beyond", joint.name);
            let (speed, seen) = peak(&mut rig, 0.5);
            if speed > worst.0 {
                worst = (speed, format!("{} axis {number}", joint.name));
            }
            seen_most = seen_most.max(seen);
            // In the end the joint is at its stop.
            for _ in 0..180 {
                rig.update();
                rig.step(1.0 / 120.0);
            }
            let beyond = match joint.kind {
                // The stops of a cone's axis hold in the middle of its other axis.
                JointKind::Cone => rig.joint(&joint.name.to_string()).excess[number],
                _ => joint.stops[number].lo - angle(&rig, joint, number, &model),
            };
            assert!(beyond < 0.03, "{} axis {number}: {beyond} beyond after 2 s", joint.name);
        }
    }
    assert!(worst.0 < 30.0 && seen_most < 60.0, "{worst:?} {seen_most}");
}

/// Returns the angle of a joint relative to its stops, measured from the bodies.
fn angle(rig: &Rig, joint: &skelobj::doll::Joint, number: usize, model: &skelobj::Model) -> f32 {
    let x = joint.axis.normalize();
    let y = (joint.axis2 - x * x.dot(joint.axis2)).try_normalize().unwrap_or(x.any_orthonormal_vector());
    let frame = Mat3x4::from_columns(x, y, x.cross(y), Vec3::ZERO).rotation();
    let bodies = rig.bodies();
    let reference = bind_pose_bodies(rig, model);
    let turned = |body: usize| bodies[body].rotation * reference[body].inverse();
    let q = frame.inverse() * turned(joint.body2.unwrap()).inverse() * turned(joint.body1) * frame;
    let q = if q.w < 0.0 { -q } else { q };
    2.0 * [q.x, q.y][number].atan2(q.w)
}

fn bind_pose_bodies(rig: &Rig, model: &skelobj::Model) -> Vec<Quat> {
    let model = Arc::new(model.clone());
    let rest = Rig::new(bind_pose(&model), rig.ragdoll().doll(), Mat3x4::IDENTITY, weightless());
    rest.bodies().iter().map(|body| body.rotation).collect()
}

#[test]
fn several_joints_violated_at_once_ease_in() {
    let model = mannequin();
    let mut rig = posed(|_, bones| {
        for name in ["shin_l", "shin_r", "forearm_l", "forearm_r", "head", "foot_l"] {
            let bone = model.skeleton.find(name.as_bytes()).unwrap();
            bones[bone] = bones[bone] * Mat3x4::from_rotation_translation(Quat::from_rotation_x(1.0), Vec3::ZERO);
        }
    });
    let (speed, seen) = peak(&mut rig, 0.5);
    assert!(speed < 60.0 && seen < 80.0, "{speed} {seen}");
}

#[test]
fn stretched_bones_stay_stretched() {
    for (units, allowed) in [(1.0, 5.0), (3.0, 5.0), (8.0, 20.0)] {
        let model = mannequin();
        let mut rig = posed(|_, bones| {
            for name in ["forearm_l", "shin_r", "head"] {
                let bone = model.skeleton.find(name.as_bytes()).unwrap();
                bones[bone] = Mat3x4::from_translation(Vec3::new(0.6, 0.0, 0.8) * units) * bones[bone];
            }
        });
        let gap = rig.widest_gap();
        let (speed, seen) = peak(&mut rig, 0.5);
        assert!(speed < allowed && seen < allowed, "{units}: {speed} {seen}");
        assert!(gap < 1e-3, "{gap}");
    }
}

fn assert_starts_where_it_was(what: &str, edit: impl FnOnce(&Stage, &mut [Mat3x4])) {
    let mut stage = Stage::mannequin();
    stage.entity = EntityTransform::new(Vec3::new(-300.0, 200.0, 40.0), Vec3::new(20.0, 130.0, -10.0));
    let run = stage.animation("run");
    stage.build(run, 0.3);
    let mut edited = stage.raw();
    edit(&stage, &mut edited);
    stage.runtime.object_mut(stage.object).unwrap().bones_mut().copy_from_slice(&edited);
    let before = stage.bones();
    let doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &stage.runtime.model(stage.model).unwrap().skeleton).doll;
    let entity = stage.runtime.settings().entity_matrix(&stage.entity);
    stage.runtime.set_ragdoll(stage.object, &entity, &Arc::new(doll)).unwrap();
    let moved = difference(&before, &stage.raw());
    stage.command("animate 0").unwrap();
    let limp = difference_of_driven(&stage, &before);
    assert!(moved < 1e-3, "{what}: {moved}");
    assert!(limp < 1e-3, "{what}: {limp}");
}

/// Returns the largest difference between matrices of the bones that have bodies.
fn difference_of_driven(stage: &Stage, before: &[Mat3x4]) -> f32 {
    let now = stage.raw();
    stage.bodies().iter().map(|body| difference(&[before[body.bone]], &[now[body.bone]])).fold(0.0, f32::max)
}

#[test]
fn the_object_is_exactly_where_it_was() {
    assert_starts_where_it_was("as animated", |_, _| {});
    assert_starts_where_it_was("stretched", |stage, bones| {
        let bone = stage.bone("forearm_l");
        bones[bone] = Mat3x4::from_translation(Vec3::new(2.0, -1.0, 3.0)) * bones[bone];
    });
    assert_starts_where_it_was("violated", |stage, bones| {
        let bone = stage.bone("shin_l");
        bones[bone] = bones[bone] * Mat3x4::from_rotation_translation(Quat::from_rotation_y(-1.5), Vec3::ZERO);
    });
    let scale = |x, y, z| Mat3x4::from_columns(Vec3::X * x, Vec3::Y * y, Vec3::Z * z, Vec3::ZERO);
    assert_starts_where_it_was("scaled", |stage, bones| {
        let bone = stage.bone("head");
        bones[bone] = bones[bone] * scale(1.7, 1.7, 1.7);
    });
    assert_starts_where_it_was("scaled unevenly", |stage, bones| {
        let bone = stage.bone("chest");
        bones[bone] = bones[bone] * scale(1.2, 0.8, 1.0);
    });
    assert_starts_where_it_was("scaled as a whole", |stage, bones| {
        let bone = stage.bone("pelvis");
        bones[bone] = bones[bone] * scale(0.5, 0.5, 0.5);
    });
}

#[test]
fn a_violated_pose_does_not_jump_on_the_floor() {
    let model = mannequin();
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    let bone = model.skeleton.find(b"shin_l").unwrap();
    let object = stage.runtime.object_mut(stage.object).unwrap();
    object.mul_bone(bone, Mat3x4::from_rotation_translation(Quat::from_rotation_y(-1.0), Vec3::ZERO)).unwrap();
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    let mut fast = 0.0f32;
    for _ in 0..12 {
        stage.command("").unwrap();
        stage.step(1.0 / 120.0);
        fast = fast.max(stage::fastest(&stage.bodies()));
    }
    // A tenth of a second of falling gives 80.
    assert!(fast < 250.0, "{fast}");
}

/// Joints between bodies that follow exactly are not solved, and the animation may pose them beyond their stops.
#[test]
fn joints_of_a_released_body_begin_in_its_pose() {
    let text = "body a link0\nsize 4\nbody b link1\nsize 4\njoint j a b\ntype hinge\nLoStop -0.3\nHiStop 0.7\n";
    let mut rig = Rig::chain(text, weightless());
    let bent = Mat3x4::from_rotation_translation(Quat::from_rotation_y(1.3), Vec3::X * 16.0);
    let mut pose = stage::golden_model("chain.iqm").skeleton.bind_local().to_vec();
    pose[1] = bent;
    rig.pose(&pose);
    rig.run(1.5, |_| {});
    let mut last = rig.body("b");
    assert!((last.rotation.to_scaled_axis().y - 1.3).abs() < 1e-3, "{last:?}");
    rig.command(Command::AnimateBody("b", 0.0, None)).unwrap();
    let (mut spin, mut speed) = (0.0f32, 0.0f32);
    rig.run(1.6, |rig| {
        let now = rig.body("b");
        spin = spin.max(now.rotation.angle_between(last.rotation) * 60.0);
        speed = speed.max(now.position.distance(last.position) * 60.0);
        last = now;
    });
    assert!((last.rotation.to_scaled_axis().y - 0.3).abs() < 0.02, "{last:?}");
    assert!(spin > 0.5 && spin < 8.0, "{spin} rad/s, {speed} units/s");
}

/// A violation is taken back in half a second at least, at a radian a second at most, and evenly.
#[test]
fn a_violated_joint_eases_in_at_its_pace() {
    for (beyond, expected) in [(0.2, 0.5), (0.5, 0.5), (1.0, 1.0), (2.0, 2.0)] {
        let text =
            "body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\ntype hinge\nLoStop -0.3\nHiStop 0.7\n";
        let bent = Mat3x4::from_rotation_translation(Quat::from_rotation_y(0.3 + beyond), Vec3::X * 16.0);
        let mut rig = Rig::chain_posed(text, weightless(), |bones| bones[1] = bent);
        let (mut eased, mut half, mut time) = (0.0f32, f32::MAX, 0.0);
        rig.run(3.0, |rig| {
            time += 1.0 / 60.0;
            if rig.joint("j").is_easing {
                eased = time;
            }
            if time >= expected * 0.5 && half == f32::MAX {
                half = rig.body("b").rotation.to_scaled_axis().y - 0.3;
            }
        });
        assert!((eased - expected).abs() < 0.05, "{beyond} beyond: {eased} s");
        assert!((half - beyond * 0.5).abs() < 0.1 * beyond, "{beyond} beyond: {half} at half the time");
    }
}
