//! Entities on each other's tags, for models of several formats.

use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::{Attachment, Bone, FrameState, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::runtime::EntityState;
use skelobj::write;
use skelobj::{Model, Runtime};

/// Model with two tags that move from frame to frame: `tag_weapon` is at (1 + frame, 0, 3 - frame / 2) and unrotated in
/// frame 0.
const MD3: &[u8] = include_bytes!("../golden-dp/models/tags.md3");

/// Returns a transform of quarter turns to the left and an origin.
fn turned_left(turns: usize, origin: [f32; 3]) -> Mat3x4 {
    let forward = [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y];
    Mat3x4::from_columns(forward[turns % 4], forward[(turns + 1) % 4], Vec3::Z, origin.into())
}

fn assert_at(what: &str, ours: Mat3x4, expected: Mat3x4) {
    assert!(ours.0.iter().zip(expected.0).all(|(a, b)| (a - b).abs() < 1e-4), "{what}: {ours:?}, not {expected:?}");
}

/// Returns a body of three bones, read from an IQM: the hand is two units before a root that is turned left and ten up.
fn body() -> Model {
    let bone = |name: &str, parent, bind| Bone { name: name.into(), parent, bind };
    let bones = vec![
        bone("root", None, turned_left(1, [0.0, 0.0, 10.0])),
        bone("hand", Some(0), Mat3x4::from_translation(Vec3::X * 2.0)),
        bone("finger", Some(1), Mat3x4::from_translation(Vec3::Z)),
    ];
    let made = Model { skeleton: Skeleton::new(bones).unwrap(), ..Model::default() };
    Model::load("body.iqm", &write::iqm(&made).unwrap(), |_| None).unwrap()
}

/// Returns a model with an attachment on its bone, as Half-Life models have them.
fn sword() -> Model {
    let bone = Bone { name: "blade".into(), parent: None, bind: Mat3x4::from_translation(Vec3::Z) };
    let tip = Attachment { name: "tip".into(), bone: 0, offset: Mat3x4::from_translation(Vec3::Y * 4.0) };
    Model { skeleton: Skeleton::new(vec![bone]).unwrap(), attachments: vec![tip], ..Model::default() }
}

struct Scene {
    runtime: Runtime,
    body: EntityState,
    head: EntityState,
    sword: EntityState,
}

/// Returns a body at (100, 200, 300) that looks left, a head that is lifted by five, and a sword.
fn scene() -> Scene {
    let mut runtime = Runtime::default();
    let mut entity = |name: &str, model: Model, origin: Vec3, yaw: f32| {
        let world = EntityTransform::new(origin, Vec3::Y * yaw).to_world(-1.0, 1.0);
        EntityState::new(world).with_model(runtime.add_model(name, model).unwrap(), FrameState::default())
    };
    let head = Model::load("head.md3", MD3, |_| None).unwrap();
    let body = entity("body.iqm", body(), Vec3::new(100.0, 200.0, 300.0), 90.0);
    let head = entity("head.md3", head, Vec3::Z * 5.0, 0.0);
    let sword = entity("sword.mdl", sword(), Vec3::ZERO, 0.0);
    Scene { runtime, body, head, sword }
}

impl Scene {
    fn find(&self, entity: &EntityState, name: &str) -> Option<usize> {
        self.runtime.model(entity.model.unwrap()).unwrap().find_tag(name.as_bytes())
    }
}

#[test]
fn a_vertex_animated_head_hangs_on_a_skeletal_body() {
    let mut scene = scene();
    let (hand, weapon) = (scene.find(&scene.body, "hand"), scene.find(&scene.head, "tag_weapon"));
    assert_eq!((hand, weapon), (Some(1), Some(0)));
    // The hand is at (0, 2, 10) in the body, which turns it to (-2, 0, 10).
    let place = |scene: &Scene| scene.runtime.tag_to_world([(scene.head, weapon), (scene.body, hand)]);
    assert_at("hand", scene.runtime.tag_to_world([(scene.body, hand)]), turned_left(2, [98.0, 200.0, 310.0]));
    assert_at("frame 0", place(&scene), turned_left(2, [97.0, 200.0, 318.0]));
    scene.head.frame = FrameState::single(2, 0.0);
    assert_at("frame 2", place(&scene).with_origin(Vec3::ZERO), {
        let model = scene.runtime.model(scene.head.model.unwrap()).unwrap();
        (turned_left(2, [0.0; 3]) * model.tags[0].frames[2]).with_origin(Vec3::ZERO)
    });
    assert_eq!(place(&scene).origin().round(), Vec3::new(95.0, 200.0, 317.0));
}

#[test]
fn chains_of_three_go_through_bones_tags_and_attachments() {
    let scene = scene();
    let (hand, weapon) = (scene.find(&scene.body, "hand"), scene.find(&scene.head, "tag_weapon"));
    let tip = scene.find(&scene.sword, "tip");
    assert_eq!(tip, Some(1));
    let tip = scene.runtime.tag_to_world([(scene.sword, tip), (scene.head, weapon), (scene.body, hand)]);
    assert_at("tip", tip, turned_left(2, [97.0, 196.0, 319.0]));
    let blade = scene.runtime.tag_to_world([(scene.sword, Some(0)), (scene.head, weapon), (scene.body, hand)]);
    assert_at("blade", blade, turned_left(2, [97.0, 200.0, 319.0]));
    // The reverse: the body in the head's hand, the head on the sword's tip.
    let body = scene.runtime.tag_to_world([(scene.body, hand), (scene.head, weapon), (scene.sword, Some(1))]);
    // (0, 4, 1) for the tip, (1, 0, 8) for the tag, then the position of the body and the hand in it.
    assert_at("hand", body, turned_left(2, [99.0, 204.0, 319.0]));
}

#[test]
fn a_skeletal_object_takes_what_hangs_on_its_bones_along() {
    let mut scene = scene();
    let model = scene.body.model.unwrap();
    let object = scene.runtime.create_object(model, Space::Local).unwrap();
    scene.runtime.build(object, model, &FrameState::default(), &Build::REPLACE).unwrap();
    scene.body.object = Some(object);
    let links = [(scene.head, Some(0)), (scene.body, Some(1))];
    assert_at("as built", scene.runtime.tag_to_world(links), turned_left(2, [97.0, 200.0, 318.0]));
    let world = turned_left(3, [7.0, 8.0, 9.0]);
    scene.runtime.set_bone_world(object, &scene.body.world, 1, &world).unwrap();
    // The tag is one ahead of and eight above the hand, which points to -Y now.
    assert_at("moved", scene.runtime.tag_to_world(links), turned_left(3, [7.0, 7.0, 17.0]));
    // An object of the head does not affect its tags.
    scene.head.object = Some(object);
    let links = [(scene.head, Some(0)), (scene.body, Some(1))];
    assert_at("a worn object", scene.runtime.tag_to_world(links), turned_left(3, [7.0, 7.0, 17.0]));
}

#[test]
fn circles_and_tags_that_are_not_there_are_harmless() {
    let scene = scene();
    let circle = [(scene.head, Some(0)), (scene.body, Some(1)), (scene.sword, Some(1))];
    assert!(scene.runtime.tag_to_world(circle.into_iter().cycle()).is_finite());
    // No more attachments count than the most.
    let step = (EntityState::new(Mat3x4::from_translation(Vec3::X)), None);
    let steps = |count: usize| scene.runtime.tag_to_world(std::iter::repeat_n(step, count)).origin().x;
    let most = Runtime::MAX_ATTACHMENTS;
    assert_eq!([most, most + 1, most + 2, 10 * most].map(steps), [10.0, 11.0, 11.0, 11.0]);
    let once = scene.runtime.tag_to_world([(scene.head, Some(0)), (scene.body, None)]);
    for tag in [3, 99, usize::MAX] {
        assert_eq!(scene.runtime.tag(&scene.body, tag), None);
        assert_eq!(scene.runtime.tag_to_world([(scene.head, Some(0)), (scene.body, Some(tag))]), once);
    }
    assert_at("the body itself", once, turned_left(1, [100.0, 201.0, 308.0]));
    assert_eq!(scene.runtime.tag_to_world([]), Mat3x4::IDENTITY);
}

#[test]
fn an_object_that_is_gone_poses_nothing() {
    let mut scene = scene();
    let model = scene.body.model.unwrap();
    let object = scene.runtime.create_object(model, Space::Local).unwrap();
    scene.runtime.delete_object(object).unwrap();
    let [by_frame, local] =
        [scene.runtime.tag(&scene.body, 1), scene.runtime.tag_local(&scene.body, 1).map(|(at, _)| at)];
    let worn = scene.body.with_object(object);
    assert_eq!(scene.runtime.tag(&worn, 1), Some(Mat3x4::ZERO), "it is there until the frame ends");
    scene.runtime.flush_deleted();
    assert_eq!(scene.runtime.tag(&worn, 1), by_frame);
    assert_eq!(scene.runtime.tag_local(&worn, 1).map(|(at, _)| at), local);
    assert!(by_frame.is_some() && local.is_some());
}

#[test]
fn a_tag_is_placed_relative_to_its_bone() {
    let mut scene = scene();
    let ahead = Mat3x4::from_translation(Vec3::X * 2.0);
    let lifted = turned_left(1, [0.0, 0.0, 10.0]);
    for (tag, place, bone) in [(0, lifted, None), (1, ahead, Some(0))] {
        let found = scene.runtime.tag_local(&scene.body, tag).unwrap();
        assert_at("bone", found.0, place);
        assert_eq!(found.1, bone);
    }
    assert_eq!(scene.runtime.tag_local(&scene.body, 3), None);
    assert_eq!(scene.runtime.tag_local(&EntityState::new(Mat3x4::IDENTITY), 0), None, "no model");
    // An attachment is as far from its bone as the model says, however the bone is posed.
    let tip = Mat3x4::from_translation(Vec3::Y * 4.0);
    assert_eq!(scene.runtime.tag_local(&scene.sword, 1), Some((tip, Some(0))));
    let (model, quarter) = (scene.sword.model.unwrap(), turned_left(1, [7.0, 0.0, 0.0]));
    let object = scene.runtime.create_object(model, Space::Local).unwrap();
    scene.runtime.object_mut(object).unwrap().set_bone(0, quarter).unwrap();
    let posed = scene.sword.with_object(object);
    assert_eq!(scene.runtime.tag_local(&posed, 0), Some((quarter, None)));
    assert_eq!(scene.runtime.tag_local(&posed, 1), Some((tip, Some(0))));
    assert_at("tip", scene.runtime.tag(&posed, 1).unwrap(), turned_left(1, [3.0, 0.0, 0.0]));
    // A tag of frames hangs on no bone.
    let (weapon, bone) = scene.runtime.tag_local(&scene.head, 0).unwrap();
    assert_eq!((Some(weapon), bone), (scene.runtime.tag(&scene.head, 0), None));
}

#[cfg(feature = "qc")]
mod scripts;
