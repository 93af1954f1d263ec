//! Fast bodies are stopped by walls on their way, but cylinders beyond every limb are not swept.

use crate::common::stage;
use skelobj::Runtime;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;

/// Shoots a doll of one body at a wall that is 2 units thick; returns `true` if the body has passed it after a step.
fn passes(body: &str, speed: f32) -> bool {
    let mut runtime = Runtime::default();
    let wall = Vec3::new(1.0, 4000.0, 4000.0);
    runtime.physics_mut().add_box(Vec3::X * (speed / 120.0), wall, Quat::IDENTITY).unwrap();
    let model = runtime.add_model("mannequin.iqm", stage::mannequin()).unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.build(object, model, &FrameState::single(0, 0.2), &Build::REPLACE).unwrap();
    let text = format!("dollstring\nbody b pelvis\n{body}\n");
    let at = Mat3x4::from_translation(Vec3::Z * -40.0);
    runtime.ragdoll_command(object, &at, Command::parse(&text).unwrap(), None).unwrap();
    runtime.ragdoll_command(object, &at, Command::Animate(0.0, None), None).unwrap();
    runtime.step(1.0 / 60.0).unwrap();
    let (_, body) =
        runtime.physics_mut().world_mut().bodies.iter_mut().find(|(_, body)| body.is_dynamic()).expect("the body");
    body.set_linvel(Vec3::X * speed, true);
    runtime.step(1.0 / 60.0).unwrap();
    let (_, body) = runtime.physics().world().bodies.iter().find(|(_, body)| body.is_dynamic()).expect("the body");
    body.translation().x > speed / 120.0
}

#[test]
fn walls_stop_limbs_of_every_shape() {
    for speed in [2000.0, 3800.0] {
        for shape in ["sphere", "capsule", "box", "cylinder"] {
            assert!(!passes(&format!("shape {shape}\nsize 8 8 8"), speed), "{shape} at {speed}");
        }
    }
    assert!(!passes("shape cylinder\nsize 0.5 8", 900.0));
}

/// rapier searches for the contact of a cylinder in steps of its radius, and of others in closed form.
#[test]
fn cylinders_that_would_take_long_to_sweep_pass_walls() {
    assert!(passes("shape cylinder\nsize 8 8", 12_000.0), "too fast");
    assert!(passes("shape cylinder\nsize 0.01 8", 1500.0), "too thin");
    assert!(passes("shape cylinder\nsize 8 1200", 3000.0), "too large");
    assert!(!passes("shape capsule\nsize 8 8", 12_000.0));
    assert!(!passes("shape capsule\nsize 0.01 8", 1500.0));
}
