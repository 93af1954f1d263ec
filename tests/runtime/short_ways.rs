//! Everyday tasks of a host, each in a few lines: from a hit to an entity, from a contact to an object, from a save to
//! a running game, from a quaternion to a posed entity.
#![cfg(feature = "serde")]

use std::error::Error;
use std::process::Command as Process;

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::LevelShape;
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::{BodyOwner, ObjectId, Snapshot, Trace};
use skelobj::{Runtime, assets};

/// Returns a runtime with the mannequin's files, a floor, and one mannequin after `command`.
fn game(command: Command<'_>) -> Result<(Runtime, ObjectId), Box<dyn Error>> {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    runtime.physics_mut().add_floor(0.0)?;
    let model = runtime.load_model("mannequin.iqm")?;
    let object = runtime.create_object(model, Space::Local)?;
    runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None)?;
    Ok((runtime, object))
}

#[test]
fn from_a_hit_to_the_entity() -> Result<(), Box<dyn Error>> {
    let (mut runtime, object) = game(Command::Update)?;
    let (entities, player) = (["worldspawn", "player", "monster_ogre"], 2);
    runtime.set_user_data(object, player).unwrap();

    let shot = Trace::line(Vec3::new(200.0, 0.0, 40.0), Vec3::new(-200.0, 0.0, 40.0));
    let hit = runtime.trace(&shot)?.ok_or("missed")?;
    let victim = hit.object.and_then(|object| runtime.user_data(object)).ok_or("hit the level")?;
    assert_eq!(entities[victim as usize], "monster_ogre");
    assert!(runtime.ragdoll_impulse(object, hit.bone, hit.point, Vec3::X * -4000.0, Flinch::default())?);
    Ok(())
}

#[test]
fn from_a_contact_to_the_skeletal_object() -> Result<(), Box<dyn Error>> {
    let (mut runtime, object) = game(Command::Animate(0.0, None))?;
    let lift = runtime.physics_mut().add_kinematic_body(
        &[LevelShape::Box(Vec3::new(200.0, 200.0, 8.0))],
        Vec3::Z * 5.0,
        Quat::IDENTITY,
    )?;
    for _ in 0..120 {
        runtime.step(1.0 / 60.0).unwrap();
    }

    let contacts = runtime.physics().contacts(lift);
    let lies_on_it = |owner| matches!(owner, Some(BodyOwner::Ragdoll { object: other, .. }) if other == object);
    assert!(contacts.iter().any(|contact| lies_on_it(runtime.body_owner(contact.body))));
    Ok(())
}

#[test]
fn from_a_save_to_a_running_game_in_another_process() -> Result<(), Box<dyn Error>> {
    let (mut runtime, object) = game(Command::Animate(0.0, None))?;
    for _ in 0..30 {
        runtime.step(1.0 / 60.0).unwrap();
    }
    let save: Vec<u8> = runtime.snapshot().to_bytes()?;
    for _ in 0..30 {
        runtime.step(1.0 / 60.0).unwrap();
    }
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;

    assert!(in_another_process(&save)?.contains(&bones(&runtime, object)), "the fall continues with the same bits");
    Ok(())
}

/// Runs the test below in another process with a save; returns its output.
fn in_another_process(save: &[u8]) -> Result<String, Box<dyn Error>> {
    let file = std::env::temp_dir().join(format!("skelobj-{}.save", std::process::id()));
    std::fs::write(&file, save)?;
    let child = Process::new(std::env::current_exe()?)
        .args(["--exact", "runtime::short_ways::the_other_process", "--ignored", "--nocapture"])
        .env("SKELOBJ_SAVE", &file)
        .output()?;
    std::fs::remove_file(file)?;
    Ok(String::from_utf8(child.stdout)?)
}

/// Loads the save of the test above, simulates half a second, and prints the bones.
#[test]
#[ignore = "run by from_a_save_to_a_running_game_in_another_process"]
fn the_other_process() -> Result<(), Box<dyn Error>> {
    let Ok(save) = std::env::var("SKELOBJ_SAVE") else { return Ok(()) };
    let (mut runtime, _) = game(Command::Update)?;
    runtime.restore(&Snapshot::from_bytes(&std::fs::read(save)?)?)?;
    let object = runtime.objects().next().ok_or("nothing saved")?.0;
    for _ in 0..30 {
        runtime.step(1.0 / 60.0).unwrap();
    }
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
    println!("{}", bones(&runtime, object));
    Ok(())
}

/// Returns the bits of an object's bones as words.
fn bones(runtime: &Runtime, id: ObjectId) -> String {
    let bones = runtime.object(id).map(|object| object.pose().bones()).unwrap_or_default();
    bones.iter().flat_map(|bone| bone.0).map(|v| format!("{:08x} ", v.to_bits())).collect()
}

#[test]
fn from_a_quaternion_to_a_posed_entity() -> Result<(), Box<dyn Error>> {
    let (mut runtime, object) = game(Command::ClearDoll)?;
    let lying = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let entity = Mat3x4::from_rotation_translation(lying, Vec3::new(100.0, 0.0, 20.0));
    runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None)?;

    let ragdoll = runtime.ragdoll(object).ok_or("no doll")?;
    let head = ragdoll.bodies(runtime.physics()).find(|body| body.name == *"head").ok_or("no head")?;
    assert!(head.position.x > 150.0 && (head.position.z - 20.0).abs() < 5.0, "{}", head.position);
    Ok(())
}
