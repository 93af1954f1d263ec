//! Settings of the physics.

use skelobj::physics::PhysicsSettings;

#[test]
fn crowds_have_four_iterations_and_else_the_default_settings() {
    let mut expected = PhysicsSettings::default();
    expected.iterations = 4;
    assert_eq!(PhysicsSettings::crowd(), expected);
    assert_ne!(PhysicsSettings::crowd(), PhysicsSettings::default());
}
