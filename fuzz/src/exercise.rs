//! Exercises everything that can be done with a model.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AnimationSource, Blend, Bone, FrameState, ModelProblem, PoseParameters, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::pose::{self, PoseSource};
use skelobj::runtime::{ObjectGeometry, Trace};
use skelobj::write;
use skelobj::{Format, Model, Runtime};

/// Times that no player reaches on purpose, seconds.
const TIMES: [f32; 7] = [0.0, -0.37, 1.0 / 3.0, 1e9, -1e30, f32::MAX, f32::NAN];
/// Maximum number of items that are examined, so that one input takes milliseconds.
const SOME: usize = 8;
/// Maximum number of matrices of a model that is written.
const MAX_WRITTEN: usize = 1 << 17;

/// Poses, skins, joins and writes a model, and reads it again.
pub fn exercise(model: &Model) {
    super::assert_sound(model);
    pose_everything(model);
    let mut other = by_name(model);
    if other.join(model).is_ok() {
        super::assert_sound(&other);
        pose_everything(&other);
    }
    write_and_read(model);
}

/// Samples some poses at odd times; skins and traces the last of them and queries its tags.
pub fn pose_everything(model: &Model) {
    let bones = model.skeleton.len();
    let mut relative = vec![Mat3x4::IDENTITY; bones];
    let mut absolute = relative.clone();
    for animation in 0..=model.animations.len().min(SOME) {
        for time in TIMES {
            let parameters = PoseParameters { controllers: [time; 5], blends: [time, 0.3] };
            let frame = FrameState::single(animation, time.into()).with_parameters(parameters);
            pose::sample(PoseSource { model, frame: &frame }, 0..bones, &mut relative);
            assert!(relative.iter().all(Mat3x4::is_finite), "animation {animation} at {time}");
        }
    }
    let half = |animation, time| Blend { animation, time, weight: 0.25 };
    let frame = FrameState::blended([half(0, 0.1), half(1, 0.7), half(2, -3.0), half(3, 1e6)])
        .with_base([half(1, 0.2), half(0, 0.9)], bones / 2);
    pose::sample(PoseSource { model, frame: &frame }, 0..bones, &mut relative);
    assert!(relative.iter().all(Mat3x4::is_finite));
    pose::to_model_space(model.skeleton.parents(), &relative, &mut absolute);
    let mut palette = absolute.clone();
    pose::palette(&absolute, model.skeleton.inverse_bind(), &mut palette);
    assert!(palette.iter().all(Mat3x4::is_finite));
    for mesh in model.meshes.iter().take(SOME) {
        let mut places = vec![Vec3::ZERO; mesh.positions.len()];
        let mut normals = places.clone();
        pose::skin(mesh, &palette, &mut places, &mut normals);
        pose::morph(mesh, PoseSource { model, frame: &frame }, &mut places, &mut normals);
    }
    trace(model, &frame);
    for tag in (0..model.tag_count()).rev().take(SOME) {
        assert!(model.tag_name(tag).is_some() && model.tag_matrix(tag, &frame).is_some());
        let _ = model.tag_matrix_on(tag, &absolute);
    }
    for animation in model.animations.iter().take(SOME) {
        for after in TIMES {
            let _ = animation.next_event(after, after + 1.0);
            let _ = animation.next_event(after, f32::MAX);
        }
    }
}

/// Traces the skin and the hit boxes of an object that shows `frame`.
fn trace(model: &Model, frame: &FrameState) {
    let shown = Model {
        skeleton: model.skeleton.clone(),
        animations: model.animations.clone(),
        frames: model.frames.clone(),
        meshes: model.meshes.iter().take(SOME).cloned().collect(),
        hit_boxes: model.hit_boxes.clone(),
        ..Model::default()
    };
    let mut runtime = Runtime::default();
    let model = runtime.add_model("traced", shown).expect("the first model");
    // A model without bones has no object.
    let Ok(object) = runtime.create_object(model, Space::Local) else { return };
    runtime.build(object, model, frame, &Build::REPLACE).expect("an object of this model");
    let line = Trace::line(Vec3::splat(-50.0), Vec3::new(50.0, 40.0, 60.0));
    for geometry in [ObjectGeometry::Skin, ObjectGeometry::HitBoxes] {
        let _ = runtime.trace(&line.with_object(object, Mat3x4::IDENTITY, geometry));
    }
}

/// Returns a model with bones of the same names, all at one place.
fn by_name(model: &Model) -> Model {
    let bones = &model.skeleton;
    let bone = |number: usize| Bone {
        name: bones.names()[number].clone(),
        parent: bones.parent(number),
        bind: Mat3x4::from_translation(Vec3::Z),
    };
    let skeleton = Skeleton::new((0..bones.len()).map(bone).collect()).expect("as in the model");
    Model { skeleton, ..Model::default() }
}

fn write_and_read(model: &Model) {
    let evaluated = |source: &AnimationSource| match source {
        AnimationSource::Evaluated { count, .. } => *count as usize,
        _ => 1,
    };
    let poses: usize = model.animations.iter().map(|animation| evaluated(&animation.source)).sum();
    let bones = model.skeleton.len();
    if poses.saturating_mul(bones) + model.frames.len() > MAX_WRITTEN {
        return;
    }
    for format in Format::all().filter(|format| format.is_writable()) {
        let bytes = match super::prompt(super::longest(0), || format.write(model)) {
            Ok(bytes) => bytes,
            // A skin without bones needs the bones of another file.
            Err(write::WriteError::NoBindPose { .. }) => return,
            // The format stores times. An animation that stands still has none.
            Err(write::WriteError::AnimationRate { .. }) => continue,
            // An IQM file has no inverse bind pose; that of its bones may overflow.
            Err(write::WriteError::OutOfReach { .. }) if format == Format::Iqm => continue,
            Err(error) => panic!("{error}"),
        };
        let read = match Model::load("written", &bytes, |_| None) {
            Ok(read) => read,
            // A reader of binary glTF moves the bind pose, and numbers near the end of the range beyond it.
            Err(error) if format == Format::Glb && matches!(error.problem, ModelProblem::OutOfReach { .. }) => continue,
            Err(error) => panic!("written, not read: {error}"),
        };
        super::assert_sound(&read);
        assert_eq!(read.skeleton.len(), bones);
        if format == Format::Iqm {
            assert_eq!(read.meshes.len(), model.meshes.len());
        }
    }
}
