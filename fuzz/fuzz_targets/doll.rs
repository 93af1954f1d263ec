//! Fuzzes doll text: read, checked, printed, and simulated on the mannequin for a second.
#![no_main]

use std::sync::{Arc, LazyLock};

use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;
use skelobj::{Doll, Model, Runtime, assets, doll};
use skelobj_fuzz::watched;

static MANNEQUIN: LazyLock<Arc<Model>> =
    LazyLock::new(|| Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).expect("our own")));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let model = &*MANNEQUIN;
    let parsed = watched(bytes, || Doll::parse(bytes));
    let text = doll::decode(bytes);
    for problem in &parsed.problems {
        assert!(!problem.report("fuzz.doll", &text).to_string().is_empty());
    }
    let printed = parsed.doll.to_text();
    assert_eq!(Doll::parse(&printed).doll.to_text(), printed);
    let _ = doll::lint(bytes, Some(model));
    if bytes.len() < 4096 && !Doll::parse_for(bytes, &model.skeleton).doll.bodies.is_empty() {
        fall(model.clone(), bytes);
    }
});

fn fall(model: Arc<Model>, text: &[u8]) {
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).expect("a finite height");
    let model = runtime.add_model("mannequin.iqm", model).expect("there is room");
    let object = runtime.create_object(model, Space::Local).expect("it has bones");
    let text = text.to_vec();
    runtime.set_files(move |name: &str| (name == "mannequin.doll").then(|| text.clone()));
    runtime.build(object, model, &FrameState::single(2, 0.3), &Build::REPLACE).expect("it is relative");
    let mut palette = [Mat3x4::IDENTITY; 64];
    for frame in 0..20 {
        let command = if frame == 0 { Command::Animate(0.0, None) } else { Command::Update };
        let _ = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None);
        runtime.step(1.0 / 20.0).unwrap();
        runtime.write_palette(object, &mut palette).expect("it lives");
        assert!(palette.iter().all(Mat3x4::is_finite));
    }
    runtime.delete_object(object).unwrap();
    runtime.step(0.0).unwrap();
}
