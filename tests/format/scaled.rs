//! Models at another size.

use skelobj::math::Vec3;
use skelobj::model::{AnimationSource, FrameState, HitBox};
use skelobj::{Model, assets, pose};

/// Returns the origins of all bones in a moment of each animation.
fn places(model: &Model) -> Vec<Vec3> {
    let moments = (0..model.animations.len()).flat_map(|animation| [0.0, 0.37].map(|time| (animation, time)));
    let place = |(animation, time): (usize, f64)| {
        let frame = FrameState::single(animation, time);
        (0..model.skeleton.len()).map(move |bone| model.tag_matrix(bone, &frame).unwrap().origin()).collect::<Vec<_>>()
    };
    moments.flat_map(place).collect()
}

fn skin(model: &Model) -> Vec<Vec3> {
    let mut palette = vec![skelobj::math::Mat3x4::ZERO; model.skeleton.len()];
    let bones = model.skeleton.bind_model().to_vec();
    pose::palette(&bones, model.skeleton.inverse_bind(), &mut palette);
    let meshes = model.meshes.iter().flat_map(|mesh| mesh.positions.iter().zip(&mesh.influences));
    meshes.map(|(at, influences)| palette[usize::from(influences.bones[0])].transform_point(Vec3::from(*at))).collect()
}

#[test]
fn all_lengths_are_multiplied_and_nothing_else() {
    let turret = std::fs::read("tests/data/examples/turret.mdl").unwrap();
    let mut turret = Model::load("turret.mdl", &turret, |_| None).unwrap();
    turret.hit_boxes.push(HitBox { bone: 0, group: 0, mins: [-1.0; 3], maxs: [2.0; 3] });
    assert!(turret.animations.iter().any(|a| matches!(a.source, AnimationSource::Evaluated { .. })));
    for model in [assets::mannequin(), turret] {
        for factor in [0.02, 3.0] {
            let scaled = model.scaled(factor).unwrap();
            let is_scaled = |small: &[Vec3], large: &[Vec3]| {
                assert!(small.len() == large.len() && !small.is_empty());
                for (a, b) in small.iter().zip(large) {
                    assert!((*a * factor).distance(*b) < 1e-4 * factor.max(1.0), "{factor}: {a} {b}");
                }
            };
            is_scaled(&places(&model), &places(&scaled));
            if !model.meshes.is_empty() {
                is_scaled(&skin(&model), &skin(&scaled));
            }
            let corners = |model: &Model| -> Vec<Vec3> {
                let boxes = model.hit_boxes.iter().flat_map(|hit_box| [hit_box.mins, hit_box.maxs]);
                let bounds = model.bounds.iter().flat_map(|b| [b.mins, b.maxs, [b.xy_radius, b.radius, 0.0]]);
                boxes.chain(bounds).map(Vec3::from).chain([Vec3::ZERO]).collect()
            };
            is_scaled(&corners(&model), &corners(&scaled));
            assert_eq!(model.skeleton.names(), scaled.skeleton.names());
            let times = |model: &Model| model.animations.iter().map(|a| (a.rate, a.pose_count())).collect::<Vec<_>>();
            assert_eq!(times(&model), times(&scaled));
            for (a, b) in model.skeleton.bind_local().iter().zip(scaled.skeleton.bind_local()) {
                assert_eq!([a.forward(), a.left(), a.up()], [b.forward(), b.left(), b.up()]);
            }
        }
    }
}

#[test]
fn vertex_frames_and_tags_are_scaled() {
    let mut model = assets::mannequin();
    model.meshes[0].frames.positions = vec![[1.0, 2.0, 3.0]; 2];
    model.tags.push(skelobj::model::Tag {
        name: "tag".into(),
        frames: vec![skelobj::math::Mat3x4::from_translation(Vec3::X); model.frame_count()],
    });
    let scaled = model.scaled(2.0).unwrap();
    assert_eq!(scaled.meshes[0].frames.positions, [[2.0, 4.0, 6.0]; 2]);
    assert_eq!(scaled.tags[0].frames[0].origin(), Vec3::X * 2.0);
}

#[test]
fn factors_out_of_range_are_refused() {
    let mut model = assets::mannequin();
    for factor in [0.0, -1.0, 1e-4, 1001.0, f32::NAN, f32::INFINITY] {
        let error = model.scaled(factor).unwrap_err();
        assert_eq!((error.name, error.expected), ("factor", "0.001 to 1000"));
    }
    assert!(model.scaled(1e-3).is_ok() && model.scaled(1000.0).is_ok());
    model.frames[0].0[3] = 1e37;
    assert!(model.scaled(1.0).is_ok());
    assert!(model.scaled(900.0).unwrap_err().expected.contains("range"));
}

/// Evaluator of bones far away.
#[derive(Debug)]
struct Far;

impl skelobj::model::PoseEvaluator for Far {
    fn evaluate(
        &self,
        _: f64,
        _: &skelobj::model::PoseParameters,
        bones: std::ops::Range<usize>,
        out: &mut [skelobj::math::Mat3x4],
    ) {
        out[..bones.len()].fill(skelobj::math::Mat3x4::from_translation(Vec3::X * 1e36));
    }
}

#[test]
fn evaluated_animations_stay_finite() {
    let mut model = assets::mannequin();
    let source = AnimationSource::Evaluated { poses: std::sync::Arc::new(Far), count: 2 };
    model.animations =
        vec![skelobj::model::Animation { source, ..skelobj::model::Animation::frames("far", 0, 2, 1.0, true) }];
    assert!(model.scaled(1.0).is_ok());
    assert!(model.scaled(1000.0).unwrap_err().expected.contains("range"));
}
