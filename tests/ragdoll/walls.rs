//! Bodies that an animation puts into walls, floors and out of the level.

use std::sync::Arc;

use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::Build;
use skelobj::physics::{Level, LevelOptions, LevelShape, Physics, PhysicsSettings, SolidMesh, Winding};
use skelobj::ragdoll::{BodyState, Command};
use skelobj::runtime::Warning;
use skelobj::{Doll, Runtime, assets};

use crate::common::random::Random;
use crate::common::small_bsp::Bsp29;
use crate::common::stage::{Rig, Stage, bind_pose, mannequin};
use crate::common::{BOX_TRIANGLES, corners};

/// Half the size of the hall in which the mannequin dies, and the height of its floor.
const HALL: f32 = 128.0;
const FLOOR: Vec3 = Vec3::new(0.0, 0.0, -HALL);

/// Returns the mannequin in its bind pose, shifted by `way` against its entity, in a runtime's world.
fn shifted(way: Vec3, entity: Vec3, runtime: Runtime) -> Rig {
    let model = Arc::new(mannequin());
    let doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll;
    let mut object = bind_pose(&model);
    let root = &mut object.bones_mut()[0];
    *root = Mat3x4::from_translation(way) * *root;
    Rig::new_in(runtime, object, &Arc::new(doll), Mat3x4::from_translation(entity))
}

fn hall() -> (Level, Runtime) {
    let mut level = Level::from_bsp(&Bsp29::hall(HALL).bytes()).unwrap();
    level.brush_entities.clear();
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
    (level, runtime)
}

/// Returns the same hall without knowledge of what is solid: faces alone.
fn faces() -> (Level, Runtime) {
    let (level, _) = hall();
    let mut runtime = Runtime::default();
    let mesh = [LevelShape::Mesh(&level.models[0].mesh)];
    runtime.physics_mut().add_level_body(&mesh, Vec3::ZERO, Quat::IDENTITY).unwrap();
    (level, runtime)
}

fn lost(level: &Level, bodies: &[BodyState]) -> Vec<String> {
    bodies.iter().filter(|body| level.is_solid(body.position)).map(|body| body.name.to_string()).collect()
}

/// Returns the depth of the deepest contact of the rig's bodies, units.
fn depth(rig: &Rig) -> f32 {
    let pairs = rig.physics().world().narrow_phase.contact_pairs();
    let moves = |collider| {
        let collider = rig.physics().world().colliders.get(collider).unwrap();
        rig.physics().world().bodies[collider.parent().unwrap()].is_dynamic()
    };
    let pairs = pairs.filter(|pair| moves(pair.collider1) != moves(pair.collider2));
    pairs.flat_map(|pair| pair.manifolds()).flat_map(|manifold| &manifold.points).map(|p| -p.dist).fold(0.0, f32::max)
}

/// Lets the rig fall, and checks that it comes to rest in the hall without a kick.
fn assert_comes_back(what: &str, level: &Level, mut rig: Rig) {
    let before = lost(level, &rig.bodies());
    assert!(!before.is_empty(), "{what}: nothing to bring back");
    let head = rig.bodies().iter().map(|body| body.position.z).fold(f32::MIN, f32::max) - FLOOR.z;
    rig.limp();
    let fall = (2.0 * 800.0 * head.max(1.0)).sqrt();
    let (mut fastest, mut gap) = (0.0f32, 0.0f32);
    rig.run(8.0, |rig| {
        fastest = fastest.max(rig.fastest());
        gap = rig.joints().into_iter().map(|joint| joint.gap).fold(gap, f32::max);
    });
    let after = lost(level, &rig.bodies());
    assert!(after.is_empty(), "{what}: {after:?} of {before:?} are still in walls");
    assert!(depth(&rig) < 1.0, "{what}: {} deep", depth(&rig));
    assert!(rig.is_asleep(), "{what}: awake");
    assert!(fastest < fall + 160.0, "{what}: {fastest} units/s, a fall gives {fall}");
    assert!(gap < 6.0, "{what}: {gap} units between bodies");
}

#[test]
fn bodies_come_back_from_walls() {
    for (world, make) in [("tree", hall as fn() -> (Level, Runtime)), ("faces", faces)] {
        for (what, entity, way) in [
            ("half in a wall", Vec3::new(0.0, HALL - 4.0, -HALL), Vec3::ZERO),
            ("behind a wall", Vec3::new(0.0, HALL - 24.0, -HALL), Vec3::Y * 60.0),
            ("behind a corner", Vec3::new(HALL - 24.0, HALL - 24.0, -HALL), Vec3::new(50.0, 50.0, 0.0)),
            ("feet in the floor", FLOOR, Vec3::Z * -12.0),
            ("below the floor", FLOOR, Vec3::Z * -80.0),
        ] {
            let (level, runtime) = make();
            assert_comes_back(&format!("{what}, {world}"), &level, shifted(way, entity, runtime));
        }
    }
}

#[test]
fn pulled_bodies_stay_in_front_of_walls() {
    let (level, runtime) = hall();
    let mut rig = shifted(Vec3::ZERO, Vec3::new(0.0, HALL - 40.0, -HALL), runtime);
    rig.command(Command::Animate(0.9, None)).unwrap();
    let model = rig.object().model().clone();
    for frame in 0..120 {
        let mut pose = model.skeleton.bind_local().to_vec();
        pose[0] = Mat3x4::from_translation(Vec3::Y * frame as f32) * pose[0];
        rig.pose(&pose);
        rig.update();
        rig.step(1.0 / 60.0);
        let lost = lost(&level, &rig.bodies());
        assert!(lost.is_empty(), "frame {frame}: {lost:?}");
    }
    assert!(rig.body("pelvis").position.y > HALL - 20.0, "{}", rig.body("pelvis").position);
}

#[test]
fn bodies_that_nothing_hides_fall_as_before() {
    let mut alone = shifted(Vec3::ZERO, FLOOR, Runtime::default());
    let mut walled = shifted(Vec3::ZERO, FLOOR, Runtime::default());
    alone.physics_mut().add_floor(FLOOR.z).unwrap();
    walled.physics_mut().add_floor(FLOOR.z).unwrap();
    // A wall without an opening around the corpse, far away.
    let (level, _) = hall();
    let far = Vec3::X * 4000.0;
    walled.physics_mut().add_level_body(&[LevelShape::Mesh(&level.models[0].mesh)], far, Quat::IDENTITY).unwrap();
    for rig in [&mut alone, &mut walled] {
        rig.limp();
        rig.run(2.0, |_| {});
    }
    assert_eq!(alone.bodies(), walled.bodies());
}

#[test]
fn releasing_a_hand_leaves_the_rest_of_the_corpse_alone() {
    let mut rig = shifted(Vec3::ZERO, Vec3::ZERO, Runtime::default());
    rig.physics_mut().add_floor(0.0).unwrap();
    rig.limp();
    rig.run(8.0, |_| {});
    // The entity walks to the other side of a wall.
    for step in 1..=25 {
        rig.entity = Mat3x4::from_translation(Vec3::X * 4.0 * step as f32);
        rig.run(1.0 / 60.0, |_| {});
    }
    rig.physics_mut().add_box(Vec3::new(85.0, 0.0, 32.0), Vec3::new(4.0, 200.0, 64.0), Quat::IDENTITY).unwrap();
    let lies = rig.body("pelvis").position;
    for strength in [1.0, 0.0] {
        rig.command(Command::AnimateBody("hand_l", strength, None)).unwrap();
        rig.run(0.5, |_| {});
    }
    let way = rig.body("pelvis").position - lies;
    assert!(way.length() < 2.0, "the pelvis moved by {way}");
}

#[test]
fn an_entity_far_from_its_bodies_does_not_lead_them_back() {
    // The host has the pose in world space, and the entity at the origin of the world, in another room.
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    let size = Vec3::new(400.0, 8.0, 128.0);
    runtime.physics_mut().add_box(Vec3::new(0.0, 200.0, 64.0), size, Quat::IDENTITY).unwrap();
    let mut rig = shifted(Vec3::Y * 400.0, Vec3::ZERO, runtime);
    rig.limp();
    rig.run(0.1, |_| {});
    assert!(rig.bodies().iter().all(|body| body.velocity.y.abs() < 60.0));
}

/// Returns the mannequin in a runtime, with its doll, at this place.
fn stage(entity: Vec3, add: impl FnOnce(&mut Physics)) -> Stage {
    let mut stage = Stage::new("mannequin.iqm", mannequin(), PhysicsSettings::default());
    add(stage.runtime.physics_mut());
    stage.entity.origin = entity;
    stage.build(0, 0.0);
    attach(&mut stage);
    stage
}

fn attach(stage: &mut Stage) {
    let entity = stage.runtime.settings().entity_matrix(&stage.entity);
    let command = Command::DollString(std::str::from_utf8(assets::MANNEQUIN_DOLL).unwrap());
    stage.runtime.ragdoll_command(stage.object, &entity, command, None).unwrap();
}

#[cfg(feature = "serde")]
#[test]
fn a_corpse_in_a_wall_can_be_saved_at_any_time() {
    use skelobj::runtime::Snapshot;

    let (level, _) = hall();
    let mut stage = stage(FLOOR + Vec3::new(0.0, HALL - 4.0, 1.0), |physics| {
        physics.add_level(&level, LevelOptions::default()).unwrap();
    });
    assert!(!lost(&level, &stage.bodies()).is_empty(), "nothing in the wall");
    stage.command("animate 0").unwrap();
    for frame in 0..240 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
        let saved = stage.runtime.snapshot().to_bytes().unwrap_or_else(|error| panic!("frame {frame}: {error}"));
        stage.runtime.restore(&Snapshot::from_bytes(&saved).unwrap()).unwrap();
    }
    assert_eq!(lost(&level, &stage.bodies()), Vec::<String>::new());
}

#[test]
fn corpses_that_fall_out_of_the_level_are_reported_and_cost_nothing() {
    let mut stage = stage(Vec3::X * 300.0, |physics| {
        physics.add_box(Vec3::ZERO, Vec3::splat(64.0), Quat::IDENTITY).unwrap();
    });
    stage.command("animate 0").unwrap();
    let mut told = Vec::new();
    for frame in 0..300 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
        told.extend(stage.runtime.take_warnings().into_iter().map(|warning| (frame, warning)));
    }
    let [(frame, Warning::LeftLevel { object })] = told[..] else { panic!("{told:?}") };
    assert!(object == stage.object && (180..240).contains(&frame), "{frame}");
    assert!(stage.ragdoll().has_left_level() && stage.ragdoll().is_asleep(stage.runtime.physics()));
    assert_eq!(stage.runtime.physics().world().islands.num_active_bodies(), 0);
    let lowest = stage.body("pelvis").position.z;
    stage.step(1.0);
    assert_eq!(stage.body("pelvis").position.z, lowest);

    // An animation brings it back.
    stage.entity.origin = Vec3::Z * 32.0;
    stage.command("animate 1").unwrap();
    for _ in 0..60 {
        stage.build(0, 0.0);
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    assert!(!stage.ragdoll().has_left_level());
    assert!((stage.body("pelvis").position.z - 64.0).abs() < 8.0, "{}", stage.body("pelvis").position);
    stage.command("animate 0").unwrap();
    for _ in 0..90 {
        stage.step(1.0 / 60.0);
    }
    assert!(stage.body("pelvis").position.z < 50.0, "limp, it falls: {}", stage.body("pelvis").position);
}

#[test]
fn a_teleport_brings_a_corpse_back_and_without_a_level_there_is_nothing_to_leave() {
    for has_level in [true, false] {
        let mut stage = stage(Vec3::X * 300.0, |physics| {
            if has_level {
                physics.add_box(Vec3::ZERO, Vec3::splat(64.0), Quat::IDENTITY).unwrap();
            }
        });
        stage.command("animate 0").unwrap();
        for _ in 0..260 {
            stage.command("").unwrap();
            stage.step(1.0 / 60.0);
        }
        assert_eq!(stage.ragdoll().has_left_level(), has_level);
        if has_level {
            let before = stage.body("pelvis").position;
            let way = Vec3::new(4000.0, -700.0, 5000.0);
            stage.entity.origin += way;
            stage.command("").unwrap();
            assert!(!stage.ragdoll().has_left_level() && !stage.ragdoll().is_asleep(stage.runtime.physics()));
            assert!(stage.body("pelvis").position.distance(before + way) < 1.0);
            stage.step(0.1);
            assert!(stage.body("pelvis").velocity.z < -50.0, "it falls on");
        }
    }
}

#[test]
fn what_the_host_has_below_is_ground_to_fall_on() {
    let mut stage = stage(Vec3::X * 300.0, |physics| {
        physics.add_box(Vec3::ZERO, Vec3::splat(64.0), Quat::IDENTITY).unwrap();
        let ground = skelobj::physics::rapier3d::prelude::ColliderBuilder::cuboid(500.0, 500.0, 8.0);
        physics.world_mut().insert_collider(ground.translation(Vec3::new(0.0, 0.0, -90_000.0)), None);
    });
    stage.command("animate 0").unwrap();
    for _ in 0..300 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    assert!(!stage.ragdoll().has_left_level() && stage.runtime.take_warnings().is_empty());
}

/// Returns the mesh of the hall with this winding of its faces.
fn hall_mesh(winding: Winding) -> SolidMesh {
    let (level, _) = hall();
    let mesh = &level.models[0].mesh;
    SolidMesh::new(mesh.vertices(), mesh.triangles(), winding).unwrap()
}

#[test]
fn meshes_that_face_away_are_reported_once() {
    let floor = [Vec3::new(-200.0, -200.0, 0.0), Vec3::new(200.0, -200.0, 0.0), Vec3::new(0.0, 300.0, 0.0)];
    for (winding, is_wrong) in [(Winding::CounterClockwise, false), (Winding::Clockwise, true)] {
        let meshes = [hall_mesh(winding), SolidMesh::new(&floor, &[[0, 1, 2]], winding).unwrap()];
        for (mesh, origin) in meshes.iter().zip([FLOOR, Vec3::ZERO]) {
            let mut level = None;
            let mut stage = stage(origin + Vec3::Z * 4.0, |physics| {
                level = physics.add_level_body(&[LevelShape::Mesh(mesh)], Vec3::ZERO, Quat::IDENTITY).ok();
            });
            let warnings = stage.runtime.take_warnings();
            let expected = Warning::FacesAway { body: level.unwrap(), object: stage.object };
            assert_eq!(warnings, if is_wrong { vec![expected] } else { vec![] });
            #[cfg(feature = "serde")]
            stage.runtime.restore(&stage.runtime.snapshot()).unwrap();
            stage.command("cleardoll").unwrap();
            stage.build(0, 0.0);
            attach(&mut stage);
            assert!(stage.runtime.take_warnings().is_empty(), "reported once");
        }
    }
}

#[test]
fn faces_above_or_beside_a_body_may_show_their_backs() {
    let deck = [Vec3::new(-200.0, -200.0, 90.0), Vec3::new(200.0, -200.0, 90.0), Vec3::new(0.0, 300.0, 90.0)];
    let deck = SolidMesh::new(&deck, &[[0, 1, 2]], Winding::CounterClockwise).unwrap();
    let mut stage = stage(Vec3::ZERO, |physics| {
        physics.add_floor(0.0).unwrap();
        physics.add_level_body(&[LevelShape::Mesh(&deck)], Vec3::ZERO, Quat::IDENTITY).unwrap();
    });
    assert!(stage.runtime.take_warnings().is_empty());
}

/// Adds a wall of a kind that has an inside. Before it is turned, its front is at x = 0 and faces -X.
fn add_wall(physics: &mut Physics, kind: &str, thickness: f32, turn: Quat) {
    let size = Vec3::new(thickness, 600.0, 400.0);
    let centre = turn * Vec3::new(thickness * 0.5, 0.0, 100.0);
    let corners = corners(size);
    let mesh = SolidMesh::new(&corners, &BOX_TRIANGLES, Winding::CounterClockwise).unwrap();
    let layer = |side: f32| corners.map(|corner| (corner + Vec3::X * side * size.x * 0.5) * Vec3::new(0.5, 1.0, 1.0));
    let (front, rear) = (layer(-1.0), layer(1.0));
    match kind {
        "box" => physics.add_box(centre, size, turn).unwrap(),
        "hulls" => physics.add_level_body(&[LevelShape::Hull(&front), LevelShape::Hull(&rear)], centre, turn).unwrap(),
        "door" => physics.add_kinematic_body(&[LevelShape::Box(size)], centre, turn).unwrap(),
        "mesh" => physics.add_level_body(&[LevelShape::Mesh(&mesh)], centre, turn).unwrap(),
        _ => unreachable!("{kind}"),
    };
}

/// Lets mannequins die 1 to 16 units before walls of a kind, and checks that they come to rest there without a kick.
fn assert_dies_in_front_of(kind: &str, seed: u64) {
    let mut random = Random(seed);
    let mut share = || random.below(1 << 20) as f32 / (1 << 20) as f32;
    for death in 0..16 {
        // Half of the walls stand straight, half of them lean.
        let lean = if death % 2 == 0 { 0.0 } else { share() * 40.0 - 20.0 };
        let (yaw, thickness) = (share() * 360.0, [8.0, 2.0, 16.0][death % 3]);
        let level = Quat::from_rotation_z(yaw.to_radians());
        let turn = level * Quat::from_rotation_y(lean.to_radians());
        let (mut runtime, object) = assets::mannequin_runtime();
        add_wall(runtime.physics_mut(), kind, thickness, turn);
        let place = EntityTransform::new(
            level * Vec3::X * -(1.0 + 15.0 * share()) + Vec3::Z * 0.5,
            Vec3::new(0.0, share() * 360.0, 0.0),
        );
        let entity = runtime.settings().entity_matrix(&place);
        let model = runtime.model_by_name("mannequin.iqm").unwrap();
        let frame = FrameState::single((share() * 4.0) as usize, (share() * 1.2).into());
        runtime.build(object, model, &frame, &Build::REPLACE).unwrap();
        let what = format!("{kind}, seed {seed}, death {death}, {thickness} units thick, yaw {yaw}, leaning {lean}");
        runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).unwrap();
        assert_eq!(runtime.take_warnings(), vec![], "{what}");
        for _ in 0..600 {
            runtime.ragdoll_command(object, &entity, Command::Update, None).unwrap();
            runtime.step(1.0 / 60.0).unwrap();
            let ragdoll = runtime.ragdoll(object).unwrap();
            let fastest = ragdoll.bodies(runtime.physics()).map(|body| body.velocity.length()).fold(0.0, f32::max);
            assert!(fastest < 400.0, "{what}: {fastest} units/s");
            if ragdoll.is_asleep(runtime.physics()) {
                break;
            }
        }
        let ragdoll = runtime.ragdoll(object).unwrap();
        assert!(ragdoll.is_asleep(runtime.physics()), "{what}: awake");
        let behind = ragdoll.bodies(runtime.physics()).filter(|body| (turn.inverse() * body.position).x > 0.5);
        let behind: Vec<String> = behind.map(|body| body.name.to_string()).collect();
        assert!(behind.is_empty(), "{what}: {behind:?}");
    }
}

#[test]
fn corpses_half_through_a_box_come_back() {
    assert_dies_in_front_of("box", 1);
}

#[test]
fn corpses_half_through_the_hulls_of_a_body_come_back() {
    assert_dies_in_front_of("hulls", 2);
}

#[test]
fn corpses_half_through_a_closed_door_come_back() {
    assert_dies_in_front_of("door", 3);
}

#[test]
fn corpses_half_through_a_closed_mesh_come_back() {
    assert_dies_in_front_of("mesh", 4);
}

#[test]
fn a_closed_mesh_around_the_middle_of_a_body_does_not_face_away() {
    let mesh = SolidMesh::new(&corners(Vec3::new(8.0, 400.0, 400.0)), &BOX_TRIANGLES, Winding::CounterClockwise);
    let mesh = mesh.unwrap();
    for yaw in [0.0f32, 30.0, 45.0, 90.0] {
        let mut stage = stage(Vec3::ZERO, |physics| {
            let turn = Quat::from_rotation_z(yaw.to_radians());
            physics.add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::ZERO, turn).unwrap();
        });
        assert_eq!(stage.runtime.take_warnings(), vec![], "{yaw}");
    }
}

/// A closed mesh of the right winding does not face away, even from a character whose animation has all bodies in it.
#[test]
fn deaths_at_closed_meshes_tell_no_wrong_winding() {
    let mut random = Random(59);
    let mut share = || random.below(1 << 20) as f32 / (1 << 20) as f32;
    let mut told = Vec::new();
    for death in 0..600 {
        let thickness = [8.0, 32.0, 48.0, 64.0][death % 4];
        let lean = if death % 2 == 0 { 0.0 } else { share() * 40.0 - 20.0 };
        let yaw = (share() * 8.0).floor() * 45.0 + if death % 3 == 0 { share() * 45.0 } else { 0.0 };
        let level = Quat::from_rotation_z(yaw.to_radians());
        let turn = level * Quat::from_rotation_y(lean.to_radians());
        let (mut runtime, object) = assets::mannequin_runtime();
        add_wall(runtime.physics_mut(), "mesh", thickness, turn);
        let at = -(1.0 + 2.0 * share());
        let place = EntityTransform::new(level * Vec3::X * at + Vec3::Z * 0.5, Vec3::new(0.0, share() * 360.0, 0.0));
        let entity = runtime.settings().entity_matrix(&place);
        let model = runtime.model_by_name("mannequin.iqm").unwrap();
        let frame = FrameState::single((share() * 4.0) as usize, (share() * 1.2).into());
        runtime.build(object, model, &frame, &Build::REPLACE).unwrap();
        runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).unwrap();
        if !runtime.take_warnings().is_empty() {
            told.push((death, thickness, lean, yaw, at));
        }
    }
    assert!(told.is_empty(), "{}: {told:?}", told.len());
}
