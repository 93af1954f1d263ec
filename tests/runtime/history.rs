//! Traces through the past.

use std::sync::Arc;

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, FrameState, HitBox, Model, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::runtime::{
    HistoryError, HistoryForm, HistorySettings, Hit, ObjectGeometry, ObjectId, PastTarget, Trace, TraceError,
};
use skelobj::{Runtime, assets};

use crate::common::random::Random;

const TICK: f64 = 0.05;

fn kept(form: HistoryForm) -> HistorySettings {
    let mut settings = HistorySettings::default();
    settings.form = form;
    settings
}

/// Returns the mannequin with a hit box around each bone.
fn boxed() -> Model {
    let mut model = assets::mannequin();
    for bone in 0..model.skeleton.len() {
        let (mins, maxs) = ([-3.0, -2.0, -4.0 - bone as f32 * 0.1], [3.0, 2.5, 4.0]);
        model.hit_boxes.push(HitBox { bone, group: 0, mins, maxs });
    }
    model
}

struct Scene {
    runtime: Runtime,
    object: ObjectId,
    model: skelobj::runtime::ModelId,
}

impl Scene {
    fn new(model: Model, settings: HistorySettings) -> Self {
        let mut runtime = Runtime::default();
        runtime.keep_history(Some(settings)).unwrap();
        let model = runtime.add_model("model", model).unwrap();
        let object = runtime.create_object(model, Space::Local).unwrap();
        let mut scene = Self { runtime, object, model };
        scene.pose(0);
        scene
    }

    fn pose(&mut self, tick: i32) {
        let run = FrameState::single(2, f64::from(tick) * TICK);
        self.runtime.build(self.object, self.model, &run, &Build::REPLACE).unwrap();
    }

    fn record(&mut self, tick: i32, entity: Mat3x4) -> bool {
        self.runtime.record_pose(self.object, f64::from(tick) * TICK, &entity).unwrap()
    }

    fn at(&self, time: f64) -> Vec3 {
        self.runtime.history().unwrap().pose_at(self.object, PastTarget::at(time)).unwrap().entity.origin()
    }
}

/// Returns a line through the mannequin of an entity, and beside it now and then.
fn shot(random: &mut Random, entity: &Mat3x4) -> Trace {
    let mut number = |most: f32| (random.below(2001) as f32 / 1000.0 - 1.0) * most;
    let to = Vec3::new(number(14.0), number(14.0), 32.0 + number(34.0));
    let from = Vec3::new(number(1.0), number(1.0), number(0.7)).normalize_or(Vec3::X) * 120.0 + to;
    Trace::line(entity.transform_point(from), entity.transform_point(to * 2.0 - from))
}

fn entity(tick: i32) -> Mat3x4 {
    let turned = Quat::from_rotation_z(tick as f32 * 0.4) * Quat::from_rotation_x(0.1);
    Mat3x4::from_rotation_translation(turned, Vec3::new((tick % 60) as f32 * 13.0, 7.0, 24.0))
}

const GEOMETRIES: [ObjectGeometry; 3] = [ObjectGeometry::Best, ObjectGeometry::HitBoxes, ObjectGeometry::Skin];

#[test]
fn exact_records_are_hit_with_the_bits_of_the_trace_that_was_made_then() {
    let mut random = Random(5);
    for model in [assets::mannequin(), boxed()] {
        let mut scene = Scene::new(model, kept(HistoryForm::Exact));
        let mut expected = Vec::new();
        for tick in 0..12 {
            scene.pose(tick);
            assert!(scene.record(tick, entity(tick)));
            for geometry in GEOMETRIES {
                let shot = shot(&mut random, &entity(tick));
                let now = scene.runtime.trace(&shot.with_object(scene.object, entity(tick), geometry)).unwrap();
                expected.push((tick, shot, geometry, now));
            }
        }
        let hits = expected.iter().filter(|(.., hit)| hit.is_some()).count();
        assert!(hits >= 8, "{hits}");
        for (tick, shot, geometry, then) in expected {
            let past = PastTarget::at(f64::from(tick) * TICK).with_object(scene.object, geometry);
            let seen = scene.runtime.trace(&shot.with_past(past)).unwrap();
            assert_eq!(seen, then);
            assert_eq!(seen.map(|hit| hit.fraction.to_bits()), then.map(|hit| hit.fraction.to_bits()));
        }
    }
}

/// Asserts that a trace through packed records hits what the exact trace does, or else what one does that passes within
/// a hundredth of a unit of it, along an edge. Returns 1 for a hit, and 1 for an edge.
fn assert_same(runtime: &Runtime, object: ObjectId, entity: &Mat3x4, time: f64, shot: Trace) -> [usize; 2] {
    let exact = |shot: Trace| runtime.trace(&shot.with_object(object, *entity, ObjectGeometry::Best)).unwrap();
    let past = PastTarget::at(time).with_object(object, ObjectGeometry::Best);
    let then = runtime.trace(&shot.with_past(past)).unwrap();
    let apart = |now: Option<Hit>| match (now, then) {
        (Some(now), Some(then)) if now.bone == then.bone => now.point.distance(then.point),
        // Where two boxes begin at one place, either may be first.
        (Some(now), Some(then)) if now.point.distance(then.point) < 0.02 => 0.5,
        (None, None) => 0.0,
        _ => f32::INFINITY,
    };
    if apart(exact(shot)) <= 0.02 {
        return [usize::from(then.is_some()), 0];
    }
    let sides = [Vec3::X, Vec3::Y, Vec3::Z].map(|side| side * 0.005);
    let beside = |side: Vec3| Trace::line(shot.start + side, shot.end + side);
    // Along a side, two lines beside each other meet it far from each other.
    let is_edge = |side: Vec3| [side, -side].into_iter().any(|side| apart(exact(beside(side))) < 1.0);
    assert!(sides.into_iter().any(is_edge), "{then:?}");
    [0, 1]
}

#[test]
fn packed_records_hit_the_same_bone_within_a_fiftieth_of_a_unit() {
    let (mut random, mut hits, mut edges) = (Random(6), 0, 0);
    for model in [assets::mannequin(), boxed()] {
        let mut scene = Scene::new(model, kept(HistoryForm::Packed));
        for tick in 0..1500 {
            scene.pose(tick);
            scene.record(tick, entity(tick));
            let shot = shot(&mut random, &entity(tick));
            let time = f64::from(tick) * TICK;
            let [hit, edge] = assert_same(&scene.runtime, scene.object, &entity(tick), time, shot);
            (hits, edges) = (hits + hit, edges + edge);
        }
    }
    assert!(hits > 1000 && edges < 10, "{hits} hits, {edges} lines along an edge");
}

#[test]
fn packed_records_of_scaled_bones_keep_their_scale() {
    assert_scale_is_kept(assets::mannequin());

    // Weights that do not add up to 1 say nothing of how far a bone reaches.
    let mut model = assets::mannequin();
    let influences = model.meshes.iter_mut().flat_map(|mesh| &mut mesh.influences);
    influences.for_each(|influences| influences.weights = influences.weights.map(|weight| weight * 0.9));
    assert_scale_is_kept(model);
}

fn assert_scale_is_kept(model: Model) {
    let mut scene = Scene::new(model, kept(HistoryForm::Packed));
    let sheared = Mat3x4::from_columns(Vec3::new(3.0, 0.5, 0.0), Vec3::Y * 2.0, Vec3::Z * -1.5, Vec3::Z * 50.0);
    scene.runtime.object_mut(scene.object).unwrap().set_bone(12, sheared).unwrap();
    let bones = |scene: &Scene| {
        let object = scene.runtime.object(scene.object).unwrap();
        let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
        object.write_model_space(&mut bones);
        bones
    };
    scene.record(0, Mat3x4::IDENTITY);
    let past = scene.runtime.history().unwrap().pose_at(scene.object, PastTarget::at(0.0)).unwrap();
    let now = bones(&scene);
    let worst = now.iter().zip(&past.bones).flat_map(|(a, b)| a.0.into_iter().zip(b.0));
    let worst = worst.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!((1e-6..0.002).contains(&worst), "{worst}");
}

#[test]
fn poses_that_are_not_finite_are_recorded_as_they_are() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Packed));
    let object = scene.runtime.create_object(scene.model, Space::Local).unwrap(); // never built: all zero
    scene.runtime.record_pose(object, 0.0, &Mat3x4::IDENTITY).unwrap();
    let past = PastTarget::at(0.0);
    assert_eq!(scene.runtime.history().unwrap().pose_at(object, past).unwrap().bones, [Mat3x4::ZERO; 21]);
    assert_eq!(scene.runtime.trace(&Trace::line(Vec3::X * 9.0, Vec3::X * -9.0).with_past(past)), Ok(None));
}

#[test]
fn entities_and_bones_are_interpolated_one_by_one() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    let arm = |degrees: f32| {
        let turned = Quat::from_rotation_x(degrees.to_radians());
        Mat3x4::from_translation_rotation_scale([0.0, 5.0, 10.0], turned.to_array(), [1.0; 3])
    };
    for (tick, degrees) in [(0, 0.0), (1, 90.0)] {
        scene.runtime.object_mut(scene.object).unwrap().set_bone(5, arm(degrees)).unwrap();
        let turned = Quat::from_rotation_z(f32::to_radians(degrees * 1.5 - 67.5));
        scene.record(tick, Mat3x4::from_rotation_translation(turned, Vec3::X * degrees));
    }
    let history = scene.runtime.history().unwrap();
    let pose = |share: f64| history.pose_at(scene.object, PastTarget::at(TICK * share)).unwrap();
    let [first, half, last] = [0.0, 0.5, 1.0].map(pose);
    assert!((half.entity.origin() - Vec3::X * 45.0).length() < 1e-4);
    assert!((half.entity.forward() - Vec3::X).length() < 1e-5, "{:?}", half.entity);
    let turn = |of: &Mat3x4, to: &Mat3x4| of.rotation().angle_between(to.rotation()).to_degrees();
    assert!((turn(&first.bones[5], &half.bones[5]) - 45.0).abs() < 0.01);
    assert!((turn(&half.bones[5], &last.bones[5]) - 45.0).abs() < 0.01);
    assert_eq!(half.bones[0], first.bones[0]); // equal in both: not touched
    let middle = (first.bones[5].origin() + last.bones[5].origin()) * 0.5;
    assert!(half.bones[5].origin().distance(middle) < 1e-5);
}

#[test]
fn nothing_is_interpolated_across_a_break() {
    let place = |x: f32| Mat3x4::from_translation(Vec3::X * x);
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    scene.record(0, place(0.0));
    scene.runtime.break_history(scene.object); // teleported
    scene.record(1, place(1000.0));
    scene.record(2, place(1010.0)); // the break was before the last record only
    assert_eq!(scene.at(0.9 * TICK), Vec3::ZERO);
    assert_eq!(scene.at(TICK), Vec3::X * 1000.0);
    assert!((scene.at(1.5 * TICK).x - 1005.0).abs() < 0.01);

    // Absent at one time: neither hit then nor interpolated over it.
    let other = scene.runtime.create_object(scene.model, Space::Local).unwrap();
    scene.runtime.record_pose(other, 3.0 * TICK, &Mat3x4::IDENTITY).unwrap();
    scene.record(4, place(2000.0));
    let history = scene.runtime.history().unwrap();
    assert_eq!(scene.at(2.9 * TICK), Vec3::X * 1010.0);
    assert_eq!(history.pose_at(scene.object, PastTarget::at(3.5 * TICK)), None);
    assert_eq!(history.pose_at(other, PastTarget::at(2.9 * TICK)), None);
    assert!(history.pose_at(other, PastTarget::at(3.9 * TICK)).is_some());
    assert_eq!(history.pose_at(other, PastTarget::at(4.0 * TICK)), None);
}

#[test]
fn a_pause_longer_than_the_history_is_a_break() {
    let mut settings = kept(HistoryForm::Exact);
    settings.seconds = 0.5;
    for (pause, middle) in [(0.5, 500.0), (0.75, 0.0)] {
        let mut scene = Scene::new(assets::mannequin(), settings);
        for (time, x) in [(0.0, 0.0), (pause, 1000.0)] {
            scene.runtime.record_pose(scene.object, time, &Mat3x4::from_translation(Vec3::X * x)).unwrap();
        }
        assert_eq!(scene.at(pause / 2.0), Vec3::X * middle);
    }
}

#[test]
fn an_entity_with_a_new_object_is_not_interpolated_and_has_its_own_hit_boxes() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    scene.record(0, Mat3x4::IDENTITY);
    let model = scene.runtime.add_model("other", boxed()).unwrap();
    let new = scene.runtime.create_object(model, Space::Local).unwrap();
    scene.runtime.build(new, model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    scene.runtime.record_pose(new, TICK, &Mat3x4::IDENTITY).unwrap();
    let line = Trace::line(Vec3::new(200.0, 0.0, 45.0), Vec3::new(-200.0, 0.0, 45.0));
    let hit = |time| {
        let hit = scene.runtime.trace(&line.with_past(PastTarget::at(time))).unwrap().expect("the chest");
        (hit.object, matches!(hit.surface, skelobj::runtime::Surface::HitBox(_)))
    };
    assert_eq!(
        [hit(0.0), hit(0.9 * TICK), hit(TICK)],
        [(Some(scene.object), false), (Some(scene.object), false), (Some(new), true)]
    );
}

#[test]
fn an_object_that_got_another_model_is_not_interpolated() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    for (tick, model) in [None, None, Some(assets::mannequin()), None].into_iter().enumerate() {
        if let Some(model) = model {
            let mut other = skelobj::SkeletalObject::new(model.into(), Space::Local);
            other.set_local_pose(scene.runtime.object(scene.object).unwrap().pose().bones()).unwrap();
            *scene.runtime.object_mut(scene.object).unwrap() = other;
        }
        scene.record(tick as i32, Mat3x4::from_translation(Vec3::X * 100.0 * tick as f32));
    }
    let between = [0.5, 1.5, 2.5].map(|tick| scene.at(tick * TICK).x.round());
    assert_eq!(between, [50.0, 100.0, 250.0]);
}

#[test]
fn a_break_needs_no_history_and_another_history_replaces_the_first() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    scene.record(0, Mat3x4::IDENTITY);
    assert_eq!(scene.runtime.history().unwrap().window(), Some([0.0; 2]));
    scene.runtime.keep_history(Some(kept(HistoryForm::Packed))).unwrap();
    assert_eq!((scene.runtime.history().unwrap().window(), scene.runtime.history().unwrap().times()), (None, 0));
    assert_eq!(scene.runtime.history().unwrap().settings().form, HistoryForm::Packed);
    scene.runtime.keep_history(None).unwrap();
    scene.runtime.break_history(scene.object);
    assert!(scene.runtime.history().is_none() && Runtime::default().history().is_none());
}

#[test]
fn packed_records_are_as_exact_as_their_bytes() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Packed));
    let mut exact = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    let (mut worst_place, mut worst_turn) = (0.0f32, 0.0f32);
    for tick in 0..20 {
        // Whole frames: bones between two frames have some scale.
        let death = FrameState::single(3, f64::from(tick) / 10.0).without_interpolation();
        for scene in [&mut scene, &mut exact] {
            scene.runtime.build(scene.object, scene.model, &death, &Build::REPLACE).unwrap();
            scene.record(tick, Mat3x4::IDENTITY);
        }
        let pose = |scene: &Scene| {
            let past = PastTarget::at(f64::from(tick) * TICK);
            scene.runtime.history().unwrap().pose_at(scene.object, past).unwrap().bones
        };
        let (packed, exact) = (pose(&scene), pose(&exact));
        let of = |pick: fn(f32, f32) -> f32, start: f32| {
            let origins = exact.iter().map(|bone| bone.origin().to_array());
            origins.fold([start; 3], |most, at| std::array::from_fn(|axis| pick(most[axis], at[axis])))
        };
        let (low, high) = (Vec3::from_array(of(f32::min, f32::MAX)), Vec3::from_array(of(f32::max, f32::MIN)));
        let extent = (high - low).max_element().max(high.abs().max(low.abs()).max_element());
        for (packed, exact) in packed.iter().zip(&exact) {
            let off = (packed.origin() - exact.origin()).abs().max_element() / extent;
            let turn = packed.rotation().as_dquat().inverse() * exact.rotation().as_dquat();
            worst_place = worst_place.max(off);
            worst_turn = worst_turn.max((2.0 * turn.xyz().length().min(1.0).asin()).to_degrees() as f32);
        }
    }
    assert!((1e-7..1.0 / 65534.0 + 1e-6).contains(&worst_place), "{worst_place}");
    assert!((1e-4..0.005).contains(&worst_turn), "{worst_turn}");
    let bytes = [&scene, &exact].map(|scene| scene.runtime.history().unwrap().bytes() as f32 / 20.0 / 21.0);
    assert!((14.0..32.0).contains(&bytes[0]) && (48.0..66.0).contains(&bytes[1]), "{bytes:?}");
}

#[test]
fn deleted_objects_and_removed_models_are_still_hit_in_the_past() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    scene.record(0, Mat3x4::IDENTITY);
    scene.runtime.delete_object(scene.object).unwrap();
    scene.runtime.flush_deleted();
    scene.runtime.remove_model(scene.model);
    let other = scene.runtime.add_model("other", assets::mannequin()).unwrap();
    let other = scene.runtime.create_object(other, Space::Local).unwrap();
    scene.runtime.record_pose(other, TICK, &Mat3x4::from_translation(Vec3::Y * 900.0)).unwrap();
    let line = Trace::line(Vec3::new(200.0, 0.0, 58.0), Vec3::new(-200.0, 0.0, 58.0));
    let hit = |time| scene.runtime.trace(&line.with_past(PastTarget::at(time))).unwrap();
    let first = hit(0.0).expect("the head");
    assert_eq!((first.object, first.bone), (Some(scene.object), Some(12)));
    assert_eq!(hit(0.5 * TICK), Some(first)); // it stays until the time without it
    assert_eq!(hit(TICK), None);
    assert_eq!(scene.runtime.record_pose(scene.object, 1.0, &Mat3x4::IDENTITY), Err(HistoryError::NoSuchObject));
}

#[test]
fn a_removed_model_is_freed_with_its_last_record() {
    let mut settings = kept(HistoryForm::Exact);
    settings.seconds = 2.0 * TICK as f32;
    let mut scene = Scene::new(assets::mannequin(), settings);
    scene.record(0, Mat3x4::IDENTITY);
    let model = Arc::downgrade(scene.runtime.model(scene.model).unwrap());
    scene.runtime.delete_object(scene.object).unwrap();
    scene.runtime.flush_deleted();
    scene.runtime.remove_model(scene.model);
    let other = scene.runtime.add_model("other", assets::mannequin()).unwrap();
    scene.object = scene.runtime.create_object(other, Space::Local).unwrap();
    for tick in 1..9 {
        let is_recorded = scene.runtime.history().unwrap().window().unwrap()[0] == 0.0;
        assert_eq!(model.upgrade().is_some(), is_recorded, "at {tick}");
        scene.record(tick, Mat3x4::IDENTITY);
    }
    assert!(model.upgrade().is_none());
}

#[test]
fn a_model_is_hit_wherever_its_only_bone_was() {
    for place in [Vec3::ZERO, Vec3::X * 0.01, Vec3::new(0.3, -0.4, 0.0), Vec3::Z * 300.0] {
        let bone = Bone { name: "crate".into(), parent: None, bind: Mat3x4::from_translation(place) };
        let mut model = Model { skeleton: Skeleton::new(vec![bone]).unwrap(), ..Model::default() };
        model.hit_boxes.push(HitBox { bone: 0, group: 0, mins: [-20.0; 3], maxs: [20.0; 3] });
        let mut scene = Scene::new(model, kept(HistoryForm::Exact));
        scene.record(0, Mat3x4::IDENTITY);
        // From above and below through a corner of the box, and past it.
        for (x, is_hit) in [(19.9, true), (-19.9, true), (20.1, false)] {
            let line = Trace::line(place + Vec3::new(x, x, 90.0), place + Vec3::new(x, x, -90.0));
            let hit = scene.runtime.trace(&line.with_past(PastTarget::at(0.0))).unwrap();
            assert_eq!(hit.map(|hit| hit.object), is_hit.then_some(Some(scene.object)), "{place}: {x}");
        }
    }
}

#[test]
fn times_outside_of_the_records_are_errors_or_clamped() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    let line = Trace::line(Vec3::new(200.0, 0.0, 58.0), Vec3::new(-200.0, 0.0, 58.0));
    let trace = |scene: &Scene, past| scene.runtime.trace(&line.with_past(past)).map(|hit| hit.is_some());
    assert_eq!(trace(&scene, PastTarget::at(0.0).clamped()), Err(TraceError::NoHistory));
    scene.record(0, Mat3x4::IDENTITY);
    scene.record(1, Mat3x4::from_translation(Vec3::Y * 100.0));
    for (time, clamped) in [(-1e300, true), (-1e-9, true), (TICK + 1e-9, false), (f64::INFINITY, false)] {
        assert_eq!(trace(&scene, PastTarget::at(time)), Err(TraceError::OutsideHistory), "{time}");
        assert_eq!(trace(&scene, PastTarget::at(time).clamped()), Ok(clamped), "{time}");
        let history = scene.runtime.history().unwrap();
        assert!(history.pose_at(scene.object, PastTarget::at(time)).is_none());
        assert!(history.pose_at(scene.object, PastTarget::at(time).clamped()).is_some());
    }
    for past in [PastTarget::at(f64::NAN), PastTarget::at(f64::NAN).clamped()] {
        assert_eq!(trace(&scene, past), Err(TraceError::OutsideHistory));
    }
    let walk = line.with_box(Vec3::splat(-1.0), Vec3::ONE).with_past(PastTarget::at(0.0));
    assert_eq!(scene.runtime.trace(&walk), Err(TraceError::BoxThroughObject));
    scene.runtime.keep_history(None).unwrap();
    assert_eq!(trace(&scene, PastTarget::at(0.0)), Err(TraceError::NoHistory));
    assert_eq!(scene.runtime.record_pose(scene.object, 0.0, &Mat3x4::IDENTITY), Err(HistoryError::NoHistory));
}

#[test]
fn records_are_bounded_in_time() {
    let mut settings = kept(HistoryForm::Exact);
    settings.seconds = 0.5;
    let mut scene = Scene::new(assets::mannequin(), settings);
    for tick in 0..100 {
        assert!(scene.record(tick, Mat3x4::IDENTITY));
        let [oldest, newest] = scene.runtime.history().unwrap().window().unwrap();
        let covered = newest - oldest;
        assert!(tick < 11 || (0.5 - 1e-9..0.5 + TICK + 1e-9).contains(&covered), "{covered}");
    }
    assert!(scene.runtime.history().unwrap().times() <= 12);
    settings.seconds = 0.0; // the newest time only
    scene.runtime.keep_history(Some(settings)).unwrap();
    (0..5).for_each(|tick| assert!(scene.record(tick, Mat3x4::IDENTITY)));
    assert!(scene.runtime.history().unwrap().times() <= 2);
    for seconds in [f32::NAN, -1.0, 3601.0, f32::INFINITY] {
        settings.seconds = seconds;
        assert!(scene.runtime.keep_history(Some(settings)).is_err());
        assert_eq!(scene.runtime.history().unwrap().settings().seconds, 0.0);
    }
}

#[test]
fn records_are_bounded_in_memory() {
    let mut settings = kept(HistoryForm::Exact);
    settings.max_bytes = 10_000;
    let mut scene = Scene::new(assets::mannequin(), settings);
    for tick in 0..50 {
        assert!(scene.record(tick, Mat3x4::IDENTITY));
        assert!(scene.runtime.history().unwrap().bytes() <= 10_000);
    }
    let history = scene.runtime.history().unwrap();
    assert_eq!(
        (history.times(), history.window().unwrap()[1]),
        (history.bytes() / (history.bytes() / history.times()), 49.0 * TICK)
    );
    assert!((5..=9).contains(&history.times()), "{}", history.times());

    // Records of one time that do not fit are refused; those that did stay.
    let crowd: Vec<_> = (0..20).map(|_| scene.runtime.create_object(scene.model, Space::Local).unwrap()).collect();
    let mut refused = 0;
    for object in &crowd {
        match scene.runtime.record_pose(*object, 50.0 * TICK, &Mat3x4::IDENTITY) {
            Ok(recorded) => assert!(recorded && refused == 0),
            Err(HistoryError::Full { needed, limit: 10_000 }) => refused += usize::from(needed > 10_000),
            Err(error) => panic!("{error}"),
        }
    }
    let history = scene.runtime.history().unwrap();
    assert!((11..20).contains(&refused) && history.bytes() <= 10_000, "{refused}");
    assert_eq!(history.times(), 1);
    assert!(history.pose_at(crowd[0], PastTarget::at(50.0 * TICK)).is_some());
}

#[test]
fn wrong_records_are_refused_or_ignored() {
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    let (object, flat) = (scene.object, Mat3x4::ZERO);
    let mut record = |time, entity: &Mat3x4| scene.runtime.record_pose(object, time, entity);
    assert_eq!(record(1.0, &flat), Err(HistoryError::SingularEntity));
    assert_eq!(record(1.0, &Mat3x4([f32::NAN; 12])), Err(HistoryError::SingularEntity));
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(record(time, &Mat3x4::IDENTITY), Err(HistoryError::TimeNotFinite));
    }
    assert_eq!(record(1.0, &Mat3x4::IDENTITY), Ok(true));
    assert_eq!(record(1.0, &Mat3x4::from_translation(Vec3::X)), Ok(false));
    assert_eq!(record(0.9, &Mat3x4::IDENTITY), Ok(false));
    assert_eq!(scene.at(1.0), Vec3::ZERO); // the first of two records
    assert_eq!(scene.runtime.history().unwrap().times(), 1);
}

#[test]
fn times_too_far_apart_are_not_interpolated() {
    let mut settings = kept(HistoryForm::Exact);
    settings.seconds = 3600.0;
    let mut scene = Scene::new(assets::mannequin(), settings);
    for (time, x) in [(-1.7e308, 0.0), (1.7e308, 50.0)] {
        let entity = Mat3x4::from_translation(Vec3::X * x);
        assert!(scene.runtime.record_pose(scene.object, time, &entity).unwrap());
    }
    assert_eq!(scene.at(0.0), Vec3::ZERO);
}

#[test]
fn the_nearest_of_all_is_hit_and_one_can_be_skipped() {
    let mut random = Random(9);
    let mut scene = Scene::new(assets::mannequin(), kept(HistoryForm::Exact));
    let boxes = scene.runtime.add_model("boxed", boxed()).unwrap();
    let mut objects = vec![scene.object];
    for number in 1..12 {
        let model = if number % 3 == 0 { boxes } else { scene.model };
        objects.push(scene.runtime.create_object(model, Space::Local).unwrap());
    }
    let place = |number: usize, tick: i32| {
        let turned = Quat::from_rotation_z(number as f32 + tick as f32 * 0.3);
        Mat3x4::from_translation_rotation_scale(
            [number as f32 * 25.0 - 140.0, (number % 4) as f32 * 20.0 + tick as f32 * 4.0, 0.0],
            turned.to_array(),
            [if number == 5 { 1.6 } else { 1.0 }; 3],
        )
    };
    for tick in 0..2 {
        for (number, &object) in objects.iter().enumerate() {
            let model = scene.runtime.object(object).unwrap().model().hit_boxes.is_empty();
            let model = if model { scene.model } else { boxes };
            let run = FrameState::single(2, (number as f64).mul_add(0.1, f64::from(tick) * TICK));
            scene.runtime.build(object, model, &run, &Build::REPLACE).unwrap();
            // In another order each time.
            scene.runtime.record_pose(object, f64::from(tick) * TICK, &place(number, tick)).unwrap();
        }
        objects.reverse();
    }
    let (mut hits, mut skipped) = (0, 0);
    for _ in 0..300 {
        let mut number = |most: f32| (random.below(2001) as f32 / 1000.0 - 1.0) * most;
        let (from, to) = (Vec3::new(-250.0, number(120.0), number(40.0) + 40.0), Vec3::new(250.0, number(120.0), 30.0));
        let line = Trace::line(from, to);
        let past = PastTarget::at(random.below(1001) as f64 / 1000.0 * TICK);
        let single =
            |object| scene.runtime.trace(&line.with_past(past.with_object(object, ObjectGeometry::Best))).unwrap();
        let nearest = |skip: Option<ObjectId>| {
            let hits = objects.iter().filter(|object| Some(**object) != skip).filter_map(|object| single(*object));
            hits.min_by(|a, b| a.fraction.total_cmp(&b.fraction))
        };
        let all = scene.runtime.trace(&line.with_past(past)).unwrap();
        assert_eq!(all, nearest(None));
        if let Some(first) = all.and_then(|hit| hit.object) {
            hits += 1;
            let rest = scene.runtime.trace(&line.with_past(past).without(first)).unwrap();
            assert_eq!(rest, nearest(Some(first)));
            skipped += usize::from(rest.is_some());
        }
    }
    assert!(hits > 100 && skipped > 50, "{hits} {skipped}");
}

#[test]
#[cfg(feature = "serde")]
fn restoring_empties_the_history_and_keeps_its_settings() {
    let mut settings = kept(HistoryForm::Packed);
    settings.seconds = 0.25;
    let mut scene = Scene::new(assets::mannequin(), settings);
    scene.record(0, Mat3x4::IDENTITY);
    let snapshot = scene.runtime.snapshot();
    scene.record(1, Mat3x4::IDENTITY);
    scene.runtime.restore(&snapshot).unwrap();
    let history = scene.runtime.history().unwrap();
    assert_eq!((history.settings(), history.window(), history.bytes()), (settings, None, 0));
    assert!(scene.record(0, Mat3x4::IDENTITY)); // time runs anew
}

mod ragdolls {
    use super::*;
    use skelobj::physics::CollisionGroups;
    use skelobj::ragdoll::Command;
    use skelobj::runtime::Surface;

    const FRAME: f32 = 1.0 / 60.0;

    fn falling(form: HistoryForm) -> (Runtime, ObjectId) {
        let (mut runtime, object) = assets::mannequin_runtime();
        runtime.keep_history(Some(kept(form))).unwrap();
        runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None).unwrap();
        (runtime, object)
    }

    fn frame(runtime: &mut Runtime, object: ObjectId, tick: i32) -> f64 {
        runtime.step(FRAME).unwrap();
        runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
        let time = f64::from(tick) * f64::from(FRAME);
        assert!(runtime.record_pose(object, time, &Mat3x4::IDENTITY).unwrap());
        time
    }

    #[test]
    fn ragdolls_are_hit_where_they_were() {
        let (mut runtime, object) = falling(HistoryForm::Exact);
        let (mut random, mut expected) = (Random(3), Vec::new());
        for tick in 0..50 {
            let time = frame(&mut runtime, object, tick);
            for geometry in [ObjectGeometry::Best, ObjectGeometry::Ragdoll, ObjectGeometry::Skin] {
                let shot = shot(&mut random, &Mat3x4::IDENTITY);
                let hit = runtime.trace(&shot.with_object(object, Mat3x4::IDENTITY, geometry)).unwrap();
                expected.push((time, shot, geometry, hit));
            }
        }
        let bodies =
            expected.iter().filter(|(.., hit)| matches!(hit, Some(hit) if matches!(hit.surface, Surface::Body(_))));
        assert!(bodies.count() > 20);
        runtime.clear_ragdoll(object); // only the past has one
        for (time, shot, geometry, then) in expected {
            let past = PastTarget::at(time).with_object(object, geometry);
            assert_eq!(runtime.trace(&shot.with_past(past)).unwrap(), then, "{geometry:?}");
        }
    }

    #[test]
    fn packed_ragdolls_are_hit_within_a_fiftieth_of_a_unit() {
        let (mut runtime, object) = falling(HistoryForm::Packed);
        let (mut random, mut hits, mut edges) = (Random(4), 0, 0);
        for tick in 0..200 {
            let time = frame(&mut runtime, object, tick);
            let shot = shot(&mut random, &Mat3x4::from_translation(Vec3::Z * -20.0));
            let [hit, edge] = assert_same(&runtime, object, &Mat3x4::IDENTITY, time, shot);
            (hits, edges) = (hits + hit, edges + edge);
        }
        assert!(hits > 30 && edges < 3, "{hits} hits, {edges} lines along an edge");
    }

    #[test]
    fn bodies_are_interpolated_between_two_times() {
        let (mut runtime, object) = falling(HistoryForm::Exact);
        let times: Vec<_> = (0..20).map(|tick| frame(&mut runtime, object, tick)).collect();
        let line = Trace::line(Vec3::new(0.0, 0.0, 100.0), Vec3::new(0.0, 0.0, 0.0));
        let top = |time| {
            let past = PastTarget::at(time).with_object(object, ObjectGeometry::Ragdoll);
            runtime.trace(&line.with_past(past)).unwrap().expect("the head").point.z
        };
        let [first, half, last] = [times[18], (times[18] + times[19]) * 0.5, times[19]].map(top);
        assert!(first - last > 1.0 && (half - (first + last) * 0.5).abs() < 0.1, "{first} {half} {last}");
        // A new ragdoll has bodies of its own: nothing is interpolated toward them.
        runtime.clear_ragdoll(object);
        runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
        let time = frame(&mut runtime, object, 20);
        let past = PastTarget::at((times[19] + time) * 0.5).with_object(object, ObjectGeometry::Ragdoll);
        let hit = runtime.trace(&line.with_past(past)).unwrap().expect("the head");
        assert_eq!(hit.point.z, last);
    }

    #[test]
    fn the_level_is_the_present_one_without_boxes_and_ragdolls() {
        let (mut runtime, object) = falling(HistoryForm::Exact);
        let time = frame(&mut runtime, object, 0);
        let line = Trace::line(Vec3::new(200.0, 0.0, 58.0), Vec3::new(-200.0, 0.0, 58.0));
        let hit = |runtime: &Runtime, trace: Trace| runtime.trace(&trace.with_past(PastTarget::at(time))).unwrap();
        let head = hit(&runtime, line).expect("the head");
        assert_eq!(head.object, Some(object));

        // A box around the victim, and the ragdoll of today, are not hit.
        runtime.physics_mut().add_entity_box(Vec3::splat(-16.0), Vec3::splat(16.0), Vec3::Z * 58.0).unwrap();
        let (other, apart) =
            (runtime.create_object(runtime.model_by_name("mannequin.iqm").unwrap(), Space::Local), 60.0);
        let other = other.unwrap();
        let model = runtime.model_by_name("mannequin.iqm").unwrap();
        runtime.build(other, model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
        let beside = Mat3x4::from_translation(Vec3::X * apart);
        runtime.ragdoll_command(other, &beside, Command::Update, None).unwrap();
        runtime.step(FRAME).unwrap();
        assert!(runtime.trace(&line).unwrap().unwrap().fraction < head.fraction);
        assert_eq!(hit(&runtime, line), Some(head));

        // Groups choose among recorded objects, too.
        assert_eq!(hit(&runtime, line.with_groups(CollisionGroups::LEVEL)), None);
        assert_eq!(hit(&runtime, line.with_groups(CollisionGroups::CORPSES)), None);
        assert_eq!(hit(&runtime, line.with_groups(CollisionGroups::RAGDOLLS)), Some(head));

        // A wall that was built since stands in the way.
        let wall =
            runtime.physics_mut().add_box(Vec3::new(100.0, 0.0, 58.0), Vec3::splat(20.0), Quat::IDENTITY).unwrap();
        runtime.step(FRAME).unwrap();
        let blocked = hit(&runtime, line).expect("the wall");
        assert!(matches!(blocked.surface, Surface::Level { body, .. } if body == wall));
        let past = PastTarget::at(time).with_object(object, ObjectGeometry::Best);
        // One object alone, whatever is left out.
        let alone = [line, line.without(object), line.with_groups(CollisionGroups::LEVEL)];
        assert!(alone.iter().all(|line| runtime.trace(&line.with_past(past)) == Ok(Some(head))));
    }

    #[test]
    fn groups_are_those_of_the_time() {
        let (mut runtime, object) = falling(HistoryForm::Exact);
        let first = frame(&mut runtime, object, 0);
        runtime.set_ragdoll_groups(object, CollisionGroups::CORPSES).unwrap();
        let second = frame(&mut runtime, object, 1);
        let line = Trace::line(Vec3::new(200.0, 0.0, 58.0), Vec3::new(-200.0, 0.0, 58.0));
        let hits = |groups, time| {
            let past = PastTarget::at(time);
            runtime.trace(&line.with_groups(groups).with_past(past)).unwrap().is_some()
        };
        assert_eq!([first, second].map(|time| hits(CollisionGroups::CORPSES, time)), [false, true]);
        assert_eq!([first, second].map(|time| hits(CollisionGroups::RAGDOLLS, time)), [true, false]);
    }
}
