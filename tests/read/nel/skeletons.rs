//! Skeletons.

use skelobj::math::Mat3x4;

use super::{cases, list, load, number};

fn matrix(rows: &serde_json::Value) -> Mat3x4 {
    let floats: Vec<f32> = list(rows).iter().flat_map(list).map(number).collect();
    Mat3x4(floats.try_into().unwrap())
}

#[test]
fn bones_and_their_bind_pose_are_those_of_the_file() {
    let mut compared = 0;
    for case in cases("bones_and_their_bind_pose_are_those_of_the_file", ".skel.json") {
        let model = load(&case.name, &case.bytes);
        assert_eq!(model.warnings, [], "{}", case.name);
        let (skeleton, bones) = (&model.skeleton, list(&case.truth["bones"]));
        assert_eq!(skeleton.len(), bones.len(), "{}", case.name);
        assert!(skeleton.has_bind());
        for (bone, truth) in bones.iter().enumerate() {
            let what = format!("{} bone {bone}", case.name);
            assert_eq!(skeleton.name(bone).unwrap().to_string(), truth["name"].as_str().unwrap(), "{what}");
            assert_eq!(i64::from(skeleton.parents()[bone]), truth["parent"].as_i64().unwrap(), "{what}");
            let inverse = matrix(&truth["invBind"]);
            let bind = inverse.inverse().unwrap().0;
            // Rows x, y, z become -y, x, z.
            let expected: Vec<f32> = bind[4..8]
                .iter()
                .map(|v| -v)
                .chain(bind[..4].iter().copied())
                .chain(bind[8..].iter().copied())
                .collect();
            for (ours, theirs) in skeleton.bind_model()[bone].0.iter().zip(&expected) {
                assert!((ours - theirs).abs() < 2e-4 * theirs.abs().max(1.0), "{what}: {ours} {theirs}");
            }
            let stretch: Vec<f32> = list(&truth["skinScale"]).iter().map(number).collect();
            let [x, y, z] = stretch[..] else { panic!("{what}") };
            let stretched = Mat3x4([x, 0.0, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, 0.0, z, 0.0]) * inverse;
            // Columns x, y become -y, x.
            let expected =
                Mat3x4::from_columns(-stretched.left(), stretched.forward(), stretched.up(), stretched.origin());
            for (ours, theirs) in skeleton.inverse_bind()[bone].0.iter().zip(expected.0) {
                assert!((ours - theirs).abs() < 2e-4 * theirs.abs().max(1.0), "{what}: {ours} {theirs}");
            }
            compared += 1;
        }
    }
    assert!(compared > 0 || crate::common::shared().is_none());
}
