//! Defects that are repaired, and defects that are refused.

use skelobj::math::Mat3x4;
use skelobj::model::{AnimationSource, ModelProblem};

use super::small::{at, get, put, small_file};
use crate::common::watched::read;

/// Returns the position of the first record of a table of the small file.
fn record(bytes: &[u8], table: usize) -> usize {
    get(bytes, table + 4) as usize
}

#[test]
fn non_finite_numbers_are_replaced_and_reported() {
    let good = small_file();
    let repaired = |what: &str, at: usize| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        let model = read(what, &bytes).unwrap();
        let told = model.warnings.iter().any(|w| w.message().contains("non-finite; replaced"));
        assert!(told, "{what}: {:?}", model.warnings);
        model
    };
    let joint = repaired("joint", record(&good, at::JOINTS) + 48 + 8);
    assert_eq!(joint.skeleton.bind_local()[1], Mat3x4::IDENTITY);
    let pose = repaired("pose", record(&good, at::POSES) + 88 + 8);
    assert_eq!(pose.frame(1).unwrap()[1], Mat3x4::IDENTITY);
    assert!((pose.frame(1).unwrap()[0].origin().x - 2.0).abs() < 1e-3);
    let positions = get(&good, get(&good, at::VERTEX_ARRAY_OFFSET) as usize + 16) as usize;
    let mesh = repaired("position", positions + 12);
    assert_eq!(mesh.meshes[0].positions[1], [0.0, 0.0, 0.0]);
}

#[test]
fn bones_whose_product_overflows_stay_finite() {
    let mut bytes = small_file();
    let joints = record(&bytes, at::JOINTS);
    for joint in 0..2 {
        for scale in 0..3 {
            let at = joints + 48 * joint + 36 + 4 * scale;
            bytes[at..at + 4].copy_from_slice(&1e30_f32.to_le_bytes());
        }
    }
    let model = read("overflow", &bytes).unwrap();
    assert!(model.skeleton.bind_local()[0].0[0] > 1e29);
    assert_eq!(model.skeleton.bind_local()[1], Mat3x4::IDENTITY);
}

#[test]
fn a_rate_of_zero_and_an_animation_past_the_end_are_put_right() {
    let mut bytes = small_file();
    let anim = record(&bytes, at::ANIMS);
    put(&mut bytes, anim + 12, 0);
    put(&mut bytes, anim + 8, 9);
    let model = read("long", &bytes).unwrap();
    assert_eq!(model.animations[0].rate, 10.0);
    assert_eq!(model.animations[0].source, AnimationSource::Frames { first: 0, count: 3 });
    let repairs: Vec<_> = model.warnings.iter().map(|w| (w.section, w.offset, w.message())).collect();
    let cut = "animation of 9 frames extends past the last frame; cut to 3".to_owned();
    assert_eq!(
        repairs,
        [("anims", anim, "no usable frame rate; set to 10 frames per second".to_owned()), ("anims", anim, cut)]
    );
    put(&mut bytes, anim + 4, 3);
    assert_eq!(read("outside", &bytes).unwrap().animations[0].source, AnimationSource::BindPose);
}

#[test]
fn a_rate_of_zero_stands_still_in_darkplaces() {
    let mut bytes = small_file();
    let anim = record(&bytes, at::ANIMS);
    for rate in [0.0, -5.0, f32::NAN] {
        put(&mut bytes, anim + 12, rate.to_bits());
        let model = skelobj::Model::load_with(&as_darkplaces(), "still.iqm", &bytes, |_| None).unwrap();
        let still = &model.animations[0];
        assert_eq!((still.rate, still.duration(), model.warnings.len()), (0.0, 0.0, 0));
        assert_eq!((still.poses_at(7.5).0, still.poses_at(7.5).2), (0, 0.0));
        assert_eq!(still.poses_at(f64::INFINITY).2, 0.0);
        assert_eq!(still.next_event(-1.0, 1e9), None);
        let stated = skelobj::Model::load("still.iqm", &bytes, |_| None).unwrap();
        assert_eq!(stated.animations[0].rate, 10.0);
    }
}

#[test]
fn parents_must_stand_before_their_children() {
    let good = small_file();
    let parent = record(&good, at::JOINTS) + 48 + 4;
    for bad in [1, 2, 9999, -2i32 as u32, i32::MIN as u32] {
        let mut bytes = good.clone();
        put(&mut bytes, parent, bad);
        let error = read("parent", &bytes).unwrap_err();
        assert_eq!((error.section, error.offset), ("joints", parent));
        let expected = ModelProblem::OutOfRange { field: "parent", found: (bad as i32).into(), min: -1, max: 0 };
        assert_eq!(error.problem, expected);
    }
}

#[test]
fn a_count_of_vertices_without_meshes_does_not_matter() {
    let mut bytes = small_file();
    put(&mut bytes, at::MESHES, 0);
    put(&mut bytes, at::TRIANGLES, 0);
    put(&mut bytes, at::EXTENSIONS, 0);
    for (arrays, vertices) in [(0, 36), (0, u32::MAX), (6, u32::MAX)] {
        put(&mut bytes, at::VERTEX_ARRAYS, arrays);
        put(&mut bytes, at::VERTEX_COUNT, vertices);
        let model = read("leftover vertices", &bytes).unwrap();
        assert_eq!((model.meshes.len(), model.frame_count(), model.warnings.len()), (0, 3, 0));
    }
}

fn as_darkplaces() -> skelobj::LoadOptions {
    skelobj::LoadOptions::default().with_dialect(skelobj::Dialect::DarkPlaces)
}
