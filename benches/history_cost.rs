//! Instructions of recording poses for traces in the past, against limits. The counts are the same on every machine.
//!
//! `cargo bench -p skelobj-benches --bench history_cost` runs each row below under valgrind's callgrind and compares
//! the instructions a call with the limits. It fails if one is missed, or without valgrind. With `-- record`, it runs
//! one row for a profiler.

mod callgrind;

use std::hint::black_box;
use std::process::ExitCode;

use callgrind::Row;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, Skeleton};
use skelobj::object::Space;
use skelobj::runtime::{HistoryForm, HistorySettings, ObjectId};
use skelobj::{Model, Runtime};

const BONES: usize = 75;

const ROWS: [Row<Scene>; 2] = [
    Row { name: "record", most: 77.0 * BONES as f64, run: Scene::record },
    Row { name: "record-packed", most: 540.0 * BONES as f64, run: Scene::record },
];

/// A runtime with a history, an object whose bones are rotated, and the time of the last record.
struct Scene {
    runtime: Runtime,
    object: ObjectId,
    time: f64,
}

impl Scene {
    fn new(form: HistoryForm) -> Self {
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
        // A full window: further records take the memory of old ones.
        (0..100).for_each(|_| scene.record());
        scene
    }

    fn record(&mut self) {
        self.time += 1.0 / 72.0;
        assert!(self.runtime.record_pose(self.object, self.time, black_box(&Mat3x4::IDENTITY)).expect("a history"));
    }
}

fn main() -> ExitCode {
    let form = |name: &str| if name == "record" { HistoryForm::Exact } else { HistoryForm::Packed };
    callgrind::check(&ROWS, |name| Some(Scene::new(form(name))))
}
