//! Instructions of traces through a skin, now and in the past, and of recording poses, against limits. The counts are
//! the same on every machine.
//!
//! `cargo bench -p skelobj-benches --bench trace_cost` runs each row below under valgrind's callgrind and compares the
//! instructions a call with the limits. It fails if one is missed, or without valgrind. With `-- record`, it runs one
//! row for a profiler.

mod callgrind;
mod limits;

use std::hint::black_box;
use std::process::ExitCode;

use limits::Row;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, FrameState, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::runtime::{HistoryForm, HistorySettings, ObjectGeometry, ObjectId, PastTarget, Trace};
use skelobj::{Model, Runtime, assets};

/// Number of bones of the rows with records.
const BONES: usize = 75;

const ROWS: [Row<Scene>; 6] = [
    // The mannequin, in another pose each time, and in the same.
    Row { name: "skin-first", most: 217_000.0, run: |scene| scene.shoot(true) },
    Row { name: "skin-again", most: 60_000.0, run: |scene| scene.shoot(false) },
    // A recorded pose, at another time between two records each time, and at the same.
    Row { name: "past-first", most: 217_000.0, run: |scene| scene.shoot_in_the_past(true) },
    Row { name: "past-again", most: 60_000.0, run: |scene| scene.shoot_in_the_past(false) },
    Row { name: "record", most: 77.0 * BONES as f64, run: Scene::record },
    Row { name: "record-packed", most: 540.0 * BONES as f64, run: Scene::record },
];

/// A runtime, an object, and the time of its last pose.
struct Scene {
    runtime: Runtime,
    object: ObjectId,
    time: f64,
}

impl Scene {
    /// Returns a mannequin that was shot once.
    fn mannequin() -> Self {
        let (runtime, object) = assets::mannequin_runtime();
        let mut scene = Self { runtime, object, time: 0.0 };
        scene.shoot(true);
        scene
    }

    /// Returns an object whose bones are rotated, in a runtime with a full history: further records take the memory of
    /// old ones.
    fn recorded(form: HistoryForm) -> Self {
        let at = |bone: usize| {
            Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.1), Vec3::new(bone as f32, 0.0, 1.0))
        };
        let pose: Vec<Mat3x4> = (0..BONES).map(at).collect();
        let bone = |number: usize| {
            let name = format!("bone{number}").as_str().into();
            Bone { name, parent: number.checked_sub(1), bind: Mat3x4::IDENTITY }
        };
        let skeleton = Skeleton::new((0..BONES).map(bone).collect()).expect("parents stand before children");
        let mut runtime = Runtime::default();
        let model = runtime.add_model("bones", Model { skeleton, ..Model::default() }).expect("a new name");
        let object = runtime.create_object(model, Space::Model).expect("a model");
        runtime.object_mut(object).expect("an object").set_model_space_pose(&pose).expect("all bones");
        let mut settings = HistorySettings::default();
        settings.form = form;
        runtime.keep_history(Some(settings)).expect("a second");
        let mut scene = Self { runtime, object, time: 0.0 };
        (0..100).for_each(|_| scene.record());
        scene
    }

    fn shoot(&mut self, moves: bool) {
        if moves {
            self.time += 1.0 / 72.0;
            let model = self.runtime.model_by_name("mannequin.iqm").expect("the only model");
            let run = FrameState::single(0, self.time);
            self.runtime.build(self.object, model, &run, &Build::REPLACE).expect("an animation");
        }
        let shot = Trace::line(Vec3::new(100.0, 0.5, 44.0), black_box(Vec3::new(-100.0, 0.5, 44.0)));
        let shot = shot.with_object(self.object, Mat3x4::IDENTITY, ObjectGeometry::Skin);
        assert!(self.runtime.trace(&shot).expect("an object").is_some());
    }

    /// Returns a mannequin that ran for a second and was recorded meanwhile.
    fn ran() -> Self {
        let mut scene = Self::mannequin();
        scene.runtime.keep_history(Some(HistorySettings::default())).expect("a second");
        for _ in 0..72 {
            scene.shoot(true);
            scene.record();
        }
        scene.shoot_in_the_past(true);
        scene
    }

    fn shoot_in_the_past(&mut self, moves: bool) {
        self.time -= if moves { 0.4 / 72.0 } else { 0.0 };
        let shot = Trace::line(Vec3::new(100.0, 0.5, 44.0), black_box(Vec3::new(-100.0, 0.5, 44.0)));
        let seen = PastTarget::at(self.time).with_object(self.object, ObjectGeometry::Skin);
        assert!(self.runtime.trace(&shot.with_past(seen)).expect("a record").is_some());
    }

    fn record(&mut self) {
        self.time += 1.0 / 72.0;
        assert!(self.runtime.record_pose(self.object, self.time, black_box(&Mat3x4::IDENTITY)).expect("a history"));
    }
}

fn main() -> ExitCode {
    limits::check(&ROWS, |name| {
        Some(match name {
            "record" => Scene::recorded(HistoryForm::Exact),
            "record-packed" => Scene::recorded(HistoryForm::Packed),
            "past-first" | "past-again" => Scene::ran(),
            _ => Scene::mannequin(),
        })
    })
}
