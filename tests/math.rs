//! Matrices and the places of entities.

use skelobj::math::{EntityTransform, Mat3x4, Vec3};

#[test]
fn an_entity_whose_scale_is_0_is_as_large_as_its_model() {
    let entity = EntityTransform::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(10.0, 20.0, 30.0));
    for scale in [0.0, -0.0] {
        let unset = EntityTransform { scale, ..entity };
        assert_eq!(unset.to_world(-1.0, 1.0), entity.to_world(-1.0, 1.0));
    }
    let twice = EntityTransform { scale: 2.0, ..entity }.to_world(-1.0, 1.0);
    assert_eq!(twice.origin(), entity.origin);
    assert!((twice.forward().length() - 2.0).abs() < 1e-6);
    assert_eq!(EntityTransform::IDENTITY.to_world(-1.0, 1.0), Mat3x4::IDENTITY);
}
