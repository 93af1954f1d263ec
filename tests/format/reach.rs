//! Poses of loaded models do not overflow, also as palettes.

use skelobj::math::Mat3x4;
use skelobj::model::{Animation, Bone, FrameState, ModelError, ModelProblem, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::pose::{self, PoseSource};
use skelobj::write::WriteError;
use skelobj::{Format, Model, Runtime};

/// Returns a chain of bones that stand at the origin, with one frame of these bones.
fn chain(frame: &[Mat3x4]) -> Model {
    let bone = |number: usize| Bone {
        name: format!("b{number}").as_str().into(),
        parent: number.checked_sub(1),
        bind: Mat3x4::IDENTITY,
    };
    Model {
        skeleton: Skeleton::new((0..frame.len()).map(bone).collect()).unwrap(),
        animations: vec![Animation::frames("a", 0, 1, 10.0, true)],
        frames: frame.to_vec(),
        ..Model::default()
    }
}

fn at(x: f32, scale: f32) -> Mat3x4 {
    Mat3x4::from_translation_rotation_scale([x, 0.0, 0.0], [0.0, 0.6, 0.0, 0.8], [scale; 3])
}

fn reloaded(model: &Model) -> Result<Model, ModelError> {
    Model::load("chain.iqm", &Format::Iqm.write(model).unwrap(), |_| None)
}

fn palette(model: &Model) -> Vec<Mat3x4> {
    let mut local = vec![Mat3x4::ZERO; model.skeleton.len()];
    pose::sample(PoseSource { model, frame: &FrameState::single(0, 0.0) }, 0..local.len(), &mut local);
    let mut whole = local.clone();
    pose::to_model_space(model.skeleton.parents(), &local, &mut whole);
    pose::palette(&whole, model.skeleton.inverse_bind(), &mut local);
    local
}

#[test]
fn models_whose_palettes_overflow_are_refused() {
    let found = include_bytes!("../data/palette_not_finite.dpm");
    let error = Model::load("found.dpm", found, |_| None).unwrap_err();
    assert!(matches!(error.problem, ModelProblem::OutOfReach { what: "bone", .. }), "{error}");

    // Frames that overflow on their own, and only together.
    for (bone, frame) in [(1, [at(0.0, 1e20); 3]), (2, [at(0.0, 1e15); 3]), (1, [at(1e25, 1e15); 3])] {
        let model = chain(&frame);
        assert!(!palette(&model).iter().all(Mat3x4::is_finite));
        let bone = format!("b{bone}").as_str().into();
        assert_eq!(Format::Iqm.write(&model), Err(WriteError::OutOfReach { bone }));
    }
}

#[test]
fn deep_scaled_and_far_models_load_as_they_are() {
    let far = [at(1e6, 1.0); 20];
    let deep = [at(4.0, 1.0); 2000];
    let mut shrunk = [at(4.0, 1.0); 200];
    (shrunk[0], shrunk[1]) = (at(0.0, 1e4), at(0.0, 1e-4));
    let growing = [at(4.0, 2.0); 60];
    for frame in [&far[..], &deep, &shrunk, &growing] {
        let model = reloaded(&chain(frame)).unwrap();
        assert_eq!(model.warnings, []);
        assert_eq!(model.frames.len(), frame.len());
        assert!(palette(&model).iter().all(Mat3x4::is_finite), "{} bones", frame.len());
    }
}

/// Models of the host are not examined: their numbers come out as they went in.
#[test]
fn models_made_in_memory_may_overflow_without_harm() {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("made", chain(&[at(0.0, 1e20); 3])).unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    let mut palette = [Mat3x4::ZERO; 3];
    runtime.write_palette(object, &mut palette).unwrap();
    assert!(palette[0].is_finite() && !palette[1].is_finite());
}
