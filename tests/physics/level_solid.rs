//! Solid space of levels: what lies behind the faces.

use crate::common;
use skelobj::math::{Quat, Vec3};
use skelobj::physics::{CollisionGroups, Level, LevelBodies, LevelOptions, LevelShape};
use skelobj::runtime::Trace;
use skelobj::{Runtime, physics::SolidMesh, physics::Winding};

use crate::common::random::Random;
use crate::common::small_bsp::Bsp29;

/// Points of the room of 64 units with a crate of 16 units that hangs 32 units up: solid or not.
const POINTS: [(Vec3, bool); 7] = [
    (Vec3::ZERO, false),
    (Vec3::new(40.0, -40.0, -63.0), false),
    (Vec3::new(40.0, -40.0, -65.0), true),
    (Vec3::new(0.0, 0.0, 32.0), true),
    (Vec3::new(0.0, 17.0, 32.0), false),
    (Vec3::new(40.0, 0.0, 65.0), true),
    (Vec3::new(1e9, 0.0, 0.0), true),
];

fn room() -> (Level, Runtime, LevelBodies) {
    let level = Level::from_bsp(&Bsp29::room().bytes()).unwrap();
    let mut runtime = Runtime::default();
    let bodies = runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
    (level, runtime, bodies)
}

#[test]
fn walls_sky_and_doors_are_solid_and_rooms_are_not() {
    let (level, runtime, _) = room();
    for (point, solid) in POINTS {
        assert_eq!(level.is_solid(point), solid, "{point}");
        assert_eq!(runtime.physics().is_solid(point), solid, "{point}");
    }
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(!level.is_solid(Vec3::splat(odd)) && !runtime.physics().is_solid(Vec3::splat(odd)));
    }
    assert!(!Level::default().is_solid(Vec3::ZERO) && !Runtime::default().physics().is_solid(Vec3::ZERO));
}

#[test]
fn doors_are_solid_where_they_are() {
    let (level, mut runtime, bodies) = room();
    let [(_, door)] = bodies.entities[..] else { panic!("{bodies:?}") };
    let [before, after] = [Vec3::new(0.0, 0.0, 32.0), Vec3::new(40.0, 0.0, -30.0)];
    let turned = Quat::from_rotation_z(45f32.to_radians());
    let at = |runtime: &Runtime| [before, after, after + Vec3::Y * 20.0].map(|point| runtime.physics().is_solid(point));
    assert_eq!(at(&runtime), [true, false, false]);
    runtime.physics_mut().teleport_level_body(door, after, turned).unwrap();
    assert_eq!(at(&runtime), [false, true, true], "turned by 45 degrees, the crate's corner reaches 22 units");
    assert!(level.is_solid(before), "the level knows the map only");
    runtime.physics_mut().set_level_body_solid(door, false).unwrap();
    assert_eq!(at(&runtime), [false; 3]);
    runtime.physics_mut().set_level_body_solid(door, true).unwrap();
    runtime.physics_mut().set_level_body_shapes(door, &[LevelShape::Box(Vec3::splat(8.0))]).unwrap();
    assert_eq!(at(&runtime), [false, true, false], "a box of 8 units");
    runtime.physics_mut().remove_level_body(bodies.world.unwrap()).unwrap();
    assert!(!runtime.physics().is_solid(Vec3::Z * -65.0));
}

#[test]
fn levels_of_a_host_without_solid_space_are_not_solid() {
    let mut level = Level::from_bsp(&Bsp29::room().bytes()).unwrap();
    level.models.iter_mut().for_each(|model| model.solid = Default::default());
    assert!(POINTS.iter().all(|(point, _)| !level.is_solid(*point)));
    let corners = [Vec3::ZERO, Vec3::X * 64.0, Vec3::Y * 64.0];
    level.models[0].mesh = SolidMesh::new(&corners, &[[0, 1, 2]], Winding::CounterClockwise).unwrap();
    assert!(!level.is_solid(Vec3::new(8.0, 8.0, -8.0)));
}

#[test]
fn open_skies_leave_space_unknown() {
    let level = Level::from_bsp(&Bsp29::room().bytes()).unwrap();
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_level(&level, LevelOptions::default().with_sky(false)).unwrap();
    assert!(!runtime.physics().is_solid(Vec3::new(40.0, 0.0, 65.0)));
}

#[cfg(feature = "serde")]
#[test]
fn snapshots_keep_what_is_solid() {
    use skelobj::runtime::Snapshot;
    let (_, runtime, bodies) = room();
    let bytes = runtime.snapshot().to_bytes().unwrap();
    let mut restored = Runtime::default();
    restored.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    for (point, solid) in POINTS {
        assert_eq!(restored.physics().is_solid(point), solid, "{point}");
    }
    assert_eq!(restored.snapshot().to_bytes().unwrap(), bytes);
    restored.physics_mut().remove_level_body(bodies.entities[0].1).unwrap();
    assert!(!restored.physics().is_solid(Vec3::Z * 32.0));
}

/// Faces and trees are separate tables of a file: a ray that hits a face comes from open space and ends in a wall.
#[test]
fn real_maps_are_solid_behind_their_faces_and_open_in_front() {
    let test = "real_maps_are_solid_behind_their_faces_and_open_in_front";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let maps =
        ["bsp29/lqdm2", "bsp29/lqdm11", "bsp29/b_batt0", "bsp30/test_weapons", "ibsp38/mp_lobby", "ibsp46/oa_ctf2"];
    let (mut hits, mut wrong) = (0, Vec::new());
    for map in maps {
        let bytes = std::fs::read(shared.join(format!("corpus/bsp/{map}.bsp"))).unwrap();
        let level = Level::from_bsp(&bytes).unwrap();
        let mut runtime = Runtime::default();
        runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
        let starts = level
            .entities
            .iter()
            .filter(|entity| entity.get("classname").is_some_and(|class| class.as_bytes().starts_with(b"info_player")));
        for start in starts.map(|entity| entity.vector("origin")).take(8) {
            assert!(!level.is_solid(start), "{map}: a player starts at {start}");
            for number in 0..24 {
                let turn = Quat::from_rotation_z(number as f32 * 0.8) * Quat::from_rotation_y(number as f32 * 0.55);
                let end = start + turn * Vec3::X * 4096.0;
                let line = Trace::line(start, end).with_groups(CollisionGroups::LEVEL);
                let Some(hit) = runtime.trace(&line).unwrap() else { continue };
                let [front, behind] = [1.0, -1.0].map(|side| runtime.physics().is_solid(hit.point + hit.normal * side));
                hits += 1;
                if front || !behind {
                    wrong.push(format!("{map} {start}: {} {} is {front} {behind}", hit.point, hit.normal));
                }
            }
        }
    }
    assert!(hits > 500, "{hits}");
    // Fences, curves and faces within half a unit of others are exceptions.
    assert!(wrong.len() * 50 < hits, "{} of {hits}:\n{}", wrong.len(), wrong.join("\n"));
    println!("shared cases: {test}: {hits}");
}

/// Returns a box as a mesh, without its last triangles.
fn box_mesh(size: Vec3, winding: Winding, missing: usize) -> SolidMesh {
    let mut triangles = common::BOX_TRIANGLES.to_vec();
    triangles.truncate(triangles.len() - missing);
    SolidMesh::new(&common::corners(size), &triangles, winding).unwrap()
}

#[test]
fn boxes_hulls_and_closed_meshes_are_solid_inside() {
    let size = Vec3::new(16.0, 64.0, 128.0);
    let (corners, mesh) = (common::corners(size), box_mesh(size, Winding::CounterClockwise, 0));
    let (origin, turned) = (Vec3::new(100.0, -50.0, 20.0), Quat::from_rotation_z(0.6) * Quat::from_rotation_x(0.4));
    for shape in [LevelShape::Box(size), LevelShape::Hull(&corners), LevelShape::Mesh(&mesh)] {
        let mut random = Random(5);
        let mut runtime = Runtime::default();
        let physics = runtime.physics_mut();
        let wall = physics.add_level_body(&[shape], origin, turned).unwrap();
        let door = physics.add_kinematic_body(&[shape], -origin, turned).unwrap();
        for _ in 0..500 {
            let share = [(); 3].map(|()| random.below(1000) as f32 / 1000.0 - 0.5);
            let own = Vec3::from_array(share) * size * 1.6;
            let is_inside = (own.abs() * 2.0).cmplt(size).all();
            for at in [origin, -origin] {
                assert_eq!(physics.is_solid(at + turned * own), is_inside, "{shape:?}: {own}");
            }
        }
        physics.set_level_body_solid(wall, false).unwrap();
        physics.teleport_level_body(door, Vec3::ZERO, Quat::IDENTITY).unwrap();
        assert!(!physics.is_solid(origin) && !physics.is_solid(-origin) && physics.is_solid(Vec3::ZERO));
    }
}

#[test]
fn meshes_with_openings_or_of_the_wrong_winding_and_floors_have_no_inside() {
    let size = Vec3::splat(64.0);
    let mut runtime = Runtime::default();
    let physics = runtime.physics_mut();
    physics.add_floor(-100.0).unwrap();
    physics.add_entity_box(-size, size, Vec3::ZERO).unwrap();
    for mesh in [box_mesh(size, Winding::CounterClockwise, 2), box_mesh(size, Winding::Clockwise, 0)] {
        let body = physics.add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::ZERO, Quat::IDENTITY).unwrap();
        for point in [Vec3::ZERO, Vec3::new(9.0, -5.0, 20.0), Vec3::X * 40.0, Vec3::Z * -200.0] {
            assert!(!physics.is_solid(point), "{point}");
        }
        physics.remove_level_body(body).unwrap();
    }
}

#[test]
fn crates_in_a_room_of_one_mesh_are_solid_where_they_overlap_too() {
    let place = |size: Vec3, at: Vec3| common::corners(size).map(|corner| corner + at);
    let (room, one, two) = (place(Vec3::splat(512.0), Vec3::ZERO), Vec3::splat(64.0), Vec3::new(96.0, 32.0, 32.0));
    let [one, two] = [(one, Vec3::X * -20.0), (two, Vec3::X * 20.0)].map(|(size, at)| place(size, at));
    let mut triangles: Vec<[u32; 3]> = common::BOX_TRIANGLES.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    for first in [8, 16] {
        triangles.extend(common::BOX_TRIANGLES.map(|triangle| triangle.map(|corner| corner + first)));
    }
    let mesh = SolidMesh::new(&[room, one, two].concat(), &triangles, Winding::CounterClockwise).unwrap();
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::ZERO, Quat::IDENTITY).unwrap();
    let points = [(Vec3::X * -48.0, true), (Vec3::X * 4.0, true), (Vec3::X * 60.0, true), (Vec3::X * -26.0, true)];
    let open = [(Vec3::Y * 40.0, false), (Vec3::X * 80.0, false), (Vec3::Z * 200.0, false), (Vec3::Z * 300.0, false)];
    for (point, is_solid) in points.into_iter().chain(open) {
        assert_eq!(runtime.physics().is_solid(point), is_solid, "{point}");
    }
}
