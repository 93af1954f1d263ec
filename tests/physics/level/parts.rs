//! Static parts: seams, waking, and invalid parts.

use skelobj::math::{Quat, Vec3};
use skelobj::physics::{CollisionGroups, LevelBodyId, LevelError, LevelShape, Physics, SolidMesh, Winding};

use super::{hit, place, run, slippery_box};

const TILE: f32 = 64.0;

/// Returns the corners of a rectangle at height 0, counter-clockwise seen from above.
fn rectangle(mins: [f32; 2], maxs: [f32; 2]) -> Vec<Vec3> {
    [[mins[0], mins[1]], [maxs[0], mins[1]], [maxs[0], maxs[1]], [mins[0], maxs[1]]]
        .map(|[x, y]| Vec3::new(x, y, 0.0))
        .into()
}

/// Returns 8 x 8 tiles that share no corner.
fn tiles() -> Vec<Vec<Vec3>> {
    let tile = |x: usize, y: usize| {
        let mins = [x as f32 * TILE, y as f32 * TILE];
        rectangle(mins, mins.map(|v| v + TILE))
    };
    (0..8).flat_map(|x| (0..8).map(move |y| tile(x, y))).collect()
}

fn mesh(polygons: &[Vec<Vec3>]) -> SolidMesh {
    SolidMesh::from_polygons(polygons.iter().map(|polygon| (polygon.as_slice(), 0)), Winding::CounterClockwise).unwrap()
}

/// Counts the uses of each edge in both directions.
fn edge_uses(mesh: &SolidMesh) -> std::collections::HashMap<[u32; 2], u32> {
    let mut uses = std::collections::HashMap::new();
    for [a, b, c] in mesh.triangles() {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *uses.entry([*from.min(to), *from.max(to)]).or_default() += 1;
        }
    }
    uses
}

/// Slides a box diagonally across many seams of the floor; returns its final speed and its greatest upward speed.
fn slide(physics: &mut Physics) -> (f32, f32) {
    let body = slippery_box(physics, Vec3::new(40.0, 40.0, 4.05), 8.0);
    run(physics, 0.1);
    physics.world_mut().bodies[body].set_linvel(Vec3::new(300.0, 130.0, 0.0), true);
    let mut kick = 0.0f32;
    for _ in 0..80 {
        run(physics, 1.0 / 60.0);
        kick = kick.max(physics.world().bodies[body].linvel().z);
    }
    (physics.world().bodies[body].linvel().truncate().length(), kick)
}

#[test]
fn nothing_catches_on_the_seams_of_a_mesh() {
    let speed = Vec3::new(300.0, 130.0, 0.0).length();
    let mut physics = Physics::default();
    let mesh = mesh(&tiles());
    assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (81, 128));
    physics.add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::ZERO, Quat::IDENTITY).unwrap();
    let (end, kick) = slide(&mut physics);
    assert!(end > speed * 0.99 && kick < 0.5, "{end} of {speed}, {kick} up");

    // The control: the same floor made of boxes is rough.
    let mut physics = Physics::default();
    for tile in tiles() {
        let centre = (tile[0] + tile[2]) * 0.5 - Vec3::Z * 8.0;
        physics.add_box(centre, Vec3::new(TILE, TILE, 16.0), Quat::IDENTITY).unwrap();
    }
    let (end, kick) = slide(&mut physics);
    assert!(end < speed * 0.9 || kick > 5.0, "{end} of {speed}, {kick} up");
}

#[test]
fn corners_inside_a_neighbours_edge_become_its_corners() {
    // One long tile beside four short ones.
    let mut polygons = vec![rectangle([0.0, 0.0], [512.0, 64.0])];
    polygons.extend((0..4).map(|i| rectangle([i as f32 * 128.0, 64.0], [(i + 1) as f32 * 128.0, 512.0])));
    let mesh = mesh(&polygons);
    assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (12, 5 + 8));
    let open = edge_uses(&mesh).into_iter().filter(|(_, count)| *count == 1);
    for ([a, b], _) in open {
        let [a, b] = [a, b].map(|index| mesh.vertices()[index as usize]);
        let border = |v: f32, w: f32| v == w && (v == 0.0 || v == 512.0);
        assert!(border(a.x, b.x) || border(a.y, b.y), "{a} {b} is open inside the floor");
    }
    let mut physics = Physics::default();
    physics.add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::ZERO, Quat::IDENTITY).unwrap();
    let (end, kick) = slide(&mut physics);
    assert!(end > 320.0 && kick < 0.5, "{end}, {kick} up");
}

#[test]
fn corners_on_straight_edges_give_no_triangle_without_area() {
    let mut polygon = rectangle([0.0, 0.0], [64.0, 64.0]);
    polygon.splice(1..1, [Vec3::new(16.0, 0.0, 0.0), Vec3::new(48.0, 0.0, 0.0)]);
    let mesh = mesh(&[polygon]);
    assert_eq!(mesh.triangles().len(), 4);
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|index| mesh.vertices()[index as usize]);
        assert!((b - a).cross(c - a).z > 1.0);
    }
}

#[test]
fn ragdolls_on_a_part_wake_when_it_changes() {
    let slab = LevelShape::Box(Vec3::new(64.0, 64.0, 16.0));
    type Change = fn(&mut Physics, LevelBodyId);
    let changes: [(&str, Change); 4] = [
        ("removed", |physics, part| physics.remove_level_body(part).unwrap()),
        ("passable", |physics, part| assert_eq!(physics.set_level_body_solid(part, false), Ok(()))),
        ("elsewhere", |physics, part| physics.teleport_level_body(part, Vec3::X * 500.0, Quat::IDENTITY).unwrap()),
        ("smaller", |physics, part| physics.set_level_body_shapes(part, &[LevelShape::Box(Vec3::splat(4.0))]).unwrap()),
    ];
    for (what, change) in changes {
        let mut physics = Physics::default();
        physics.add_floor(-200.0).unwrap();
        let part = physics.add_level_body(&[slab], Vec3::ZERO, Quat::IDENTITY).unwrap();
        let body = slippery_box(&mut physics, Vec3::new(10.0, 20.0, 13.0), 8.0);
        run(&mut physics, 2.0);
        assert!(physics.world().bodies[body].is_sleeping() && place(&physics, body).z > 11.0, "{what}");
        change(&mut physics, part);
        run(&mut physics, 1.0);
        assert!(place(&physics, body).z < -150.0, "{what}: {}", place(&physics, body));
    }
}

#[test]
fn passable_part_becomes_solid_again() {
    let mut physics = Physics::default();
    let part = physics.add_box(Vec3::ZERO, Vec3::splat(32.0), Quat::IDENTITY).unwrap();
    let is_hit = |physics: &mut Physics| hit(physics, Vec3::Z * 50.0, Vec3::ZERO, CollisionGroups::LEVEL).is_some();
    run(&mut physics, 0.1);
    assert!(is_hit(&mut physics));
    assert_eq!(physics.set_level_body_solid(part, false), Ok(()));
    run(&mut physics, 0.1);
    assert!(!is_hit(&mut physics));
    assert_eq!(physics.set_level_body_solid(part, true), Ok(()));
    run(&mut physics, 0.1);
    assert!(is_hit(&mut physics));
}

#[test]
fn traces_see_what_became_passable_after_the_next_step() {
    let mut physics = Physics::default();
    let part = physics.add_box(Vec3::ZERO, Vec3::splat(32.0), Quat::IDENTITY).unwrap();
    let is_hit = |physics: &mut Physics| hit(physics, Vec3::Z * 50.0, Vec3::ZERO, CollisionGroups::LEVEL).is_some();
    run(&mut physics, 0.1);
    for solid in [false, true] {
        physics.set_level_body_solid(part, solid).unwrap();
        assert_eq!(is_hit(&mut physics), !solid, "before a step");
        run(&mut physics, 1.0 / 60.0);
        assert_eq!(is_hit(&mut physics), solid, "after a step");
    }
}

#[test]
fn unsuitable_parts_are_refused_and_leave_nothing_behind() {
    let mut physics = Physics::default();
    let part = physics.add_box(Vec3::ZERO, Vec3::ONE, Quat::IDENTITY).unwrap();
    let (nan, far, turn) = (Vec3::new(0.0, f32::NAN, 0.0), Vec3::splat(1e7), Quat::IDENTITY);
    let flat: Vec<Vec3> = (0..20).map(|i| Vec3::new((i % 5) as f32, (i / 5) as f32, 2.0)).collect();
    let many = vec![Vec3::ZERO; LevelShape::MAX_HULL_POINTS + 1];
    let empty = SolidMesh::default();
    let cases = [
        (LevelShape::Box(Vec3::new(1.0, 0.0, 1.0)), LevelError::Flat),
        (LevelShape::Box(Vec3::splat(-1.0)), LevelError::Flat),
        (LevelShape::Box(nan), LevelError::NotFinite),
        (LevelShape::Box(Vec3::splat(f32::INFINITY)), LevelError::NotFinite),
        (LevelShape::Box(far), LevelError::TooFar),
        (LevelShape::Hull(&[]), LevelError::Flat),
        (LevelShape::Hull(&[Vec3::ZERO, Vec3::X, Vec3::Y]), LevelError::Flat),
        (LevelShape::Hull(&flat), LevelError::Flat),
        (LevelShape::Hull(&[Vec3::ZERO, Vec3::X, Vec3::Y, nan]), LevelError::NotFinite),
        (LevelShape::Hull(&many), LevelError::TooManyPoints),
        (LevelShape::Mesh(&empty), LevelError::Empty),
    ];
    for (shape, error) in cases {
        assert_eq!(physics.add_level_body(&[shape], Vec3::ZERO, turn), Err(error), "{shape:?}");
        assert_eq!(physics.add_kinematic_body(&[shape], Vec3::ZERO, turn), Err(error), "{shape:?}");
        assert_eq!(physics.set_level_body_shapes(part, &[shape]), Err(error), "{shape:?}");
    }
    let good = [LevelShape::Box(Vec3::ONE)];
    for (origin, turn, error) in [
        (nan, turn, LevelError::NotFinite),
        (far, turn, LevelError::TooFar),
        (Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), LevelError::Flat),
        (Vec3::ZERO, Quat::from_xyzw(0.0, f32::NAN, 0.0, 0.0), LevelError::NotFinite),
    ] {
        assert_eq!(physics.add_level_body(&good, origin, turn), Err(error));
        assert_eq!(physics.teleport_level_body(part, origin, turn), Err(error));
    }
    assert_eq!(physics.add_level_body(&[], Vec3::ZERO, turn), Err(LevelError::Empty));
    let huge = Quat::from_xyzw(0.0, 0.0, 1e30, 1e30);
    assert_eq!(physics.teleport_level_body(part, Vec3::ZERO, huge), Ok(()));
    assert_eq!(
        SolidMesh::new(&[Vec3::ZERO, Vec3::X], &[[0, 1, 2]], Winding::Clockwise),
        Err(LevelError::Index { triangle: 0 })
    );
    assert_eq!(
        SolidMesh::new(&[Vec3::ZERO, Vec3::X, nan], &[[0, 1, 2]], Winding::Clockwise),
        Err(LevelError::NotFinite)
    );
    assert!(
        SolidMesh::new(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0], &[[0, 1, 2], [0, 0, 1]], Winding::CounterClockwise)
            .unwrap()
            .is_empty()
    );
    assert_eq!((physics.world().bodies.len(), physics.world().colliders.len()), (1, 1));

    assert_eq!(physics.remove_level_body(part), Ok(()));
    assert_eq!(physics.remove_level_body(part), Err(LevelError::NoSuchBody));
    assert_eq!(physics.teleport_level_body(part, Vec3::ZERO, turn), Err(LevelError::NoSuchBody));
    assert_eq!(physics.set_level_body_shapes(part, &good), Err(LevelError::NoSuchBody));
    assert_eq!(physics.set_level_body_target(part, Vec3::ZERO, turn), Err(LevelError::NoSuchBody));
    assert_eq!(physics.set_level_body_solid(part, true), Err(LevelError::NoSuchBody));
}

#[test]
fn hulls_of_any_points_are_built_or_refused() {
    let mut seed = 1u32;
    let mut random = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed >> 8
    };
    let mut built = 0;
    for round in 0..3000u32 {
        // Few different positions, so that many points are equal, collinear or coplanar.
        let cells = 1 + round % 5;
        let scale = [1e-6, 1e-3, 1.0, 700.0, 9e4][(round % 7 % 5) as usize];
        let points: Vec<Vec3> = (0..random() % 40)
            .map(|_| Vec3::from_array([(); 3].map(|()| (random() % (cells + 1)) as f32 * scale)))
            .collect();
        let mut physics = Physics::default();
        built += u32::from(physics.add_level_body(&[LevelShape::Hull(&points)], Vec3::ZERO, Quat::IDENTITY).is_ok());
    }
    assert!(built > 1000, "{built}");
}

#[test]
fn a_passable_body_stays_passable_with_other_shapes() {
    let mut physics = Physics::default();
    let body = physics.add_box(Vec3::ZERO, Vec3::splat(32.0), Quat::IDENTITY).unwrap();
    physics.set_level_body_solid(body, false).unwrap();
    physics.set_level_body_shapes(body, &[LevelShape::Box(Vec3::splat(16.0))]).unwrap();
    run(&mut physics, 0.1);
    assert!(hit(&mut physics, Vec3::Z * 50.0, Vec3::ZERO, CollisionGroups::LEVEL).is_none());
    physics.set_level_body_solid(body, true).unwrap();
    run(&mut physics, 0.1);
    assert!(hit(&mut physics, Vec3::Z * 50.0, Vec3::ZERO, CollisionGroups::LEVEL).is_some());
}

#[test]
fn a_body_whose_groups_the_host_changed_is_still_what_it_was() {
    let mut physics = Physics::default();
    let body = physics.add_box(Vec3::ZERO, Vec3::splat(32.0), Quat::IDENTITY).unwrap();
    for (_, collider) in physics.world_mut().colliders.iter_mut() {
        collider.set_collision_groups(CollisionGroups::NONE.for_collider());
    }
    physics.set_level_body_shapes(body, &[LevelShape::Box(Vec3::splat(16.0))]).unwrap();
    assert!(hit(&mut physics, Vec3::Z * 50.0, Vec3::ZERO, CollisionGroups::LEVEL).is_some());
}

#[test]
fn a_body_that_stands_has_no_target() {
    let mut physics = Physics::default();
    let floor = physics.add_floor(0.0).unwrap();
    assert_eq!(physics.set_level_body_target(floor, Vec3::Z, Quat::IDENTITY), Err(LevelError::NotKinematic));
    let error = LevelError::NotKinematic.to_string();
    assert!(error.contains("not kinematic") && error.contains("teleported"), "{error}");
}

#[test]
fn floors_are_refused_as_boxes_are() {
    let mut physics = Physics::default();
    for (z, error) in
        [(f32::NAN, LevelError::NotFinite), (f32::INFINITY, LevelError::NotFinite), (-1e7, LevelError::TooFar)]
    {
        assert_eq!(physics.add_floor(z), Err(error));
        assert_eq!(physics.add_box(Vec3::Z * z, Vec3::ONE, Quat::IDENTITY), Err(error));
    }
    assert_eq!(physics.world().bodies.len(), 0);
}

#[test]
fn a_mesh_of_quakes_winding_holds_what_falls_on_it() {
    let corners = [[-500.0, -500.0], [-500.0, 500.0], [500.0, 500.0], [500.0, -500.0]];
    let corners = corners.map(|[x, y]| Vec3::new(x, y, 0.0));
    // Clockwise, seen from above.
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let rest = |mesh: SolidMesh| {
        let mut physics = Physics::default();
        physics.add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::ZERO, Quat::IDENTITY).unwrap();
        let body = slippery_box(&mut physics, Vec3::new(10.0, 20.0, 40.0), 8.0);
        run(&mut physics, 2.0);
        place(&physics, body).z
    };
    let height = rest(SolidMesh::new(&corners, &triangles, Winding::Clockwise).unwrap());
    assert!((height - 4.0).abs() < 0.2, "{height}");
    let polygon = [(corners.as_slice(), 0)];
    let height = rest(SolidMesh::from_polygons(polygon, Winding::Clockwise).unwrap());
    assert!((height - 4.0).abs() < 0.2, "{height}");
    assert!(rest(SolidMesh::new(&corners, &triangles, Winding::CounterClockwise).unwrap()) < -100.0);
}

#[test]
fn a_body_that_the_host_removed_from_the_world_is_not_found() {
    let mut physics = Physics::default();
    let shape = [LevelShape::Box(Vec3::splat(32.0))];
    let (wall, lift) = (
        physics.add_level_body(&shape, Vec3::ZERO, Quat::IDENTITY).unwrap(),
        physics.add_kinematic_body(&shape, Vec3::ZERO, Quat::IDENTITY).unwrap(),
    );
    for id in [wall, lift] {
        let body = physics.rigid_body(id).unwrap();
        physics.world_mut().remove_body(body);
        assert_eq!(physics.set_level_body_shapes(id, &shape), Err(LevelError::NoSuchBody));
        assert_eq!(physics.set_level_body_solid(id, false), Err(LevelError::NoSuchBody));
        assert_eq!(physics.teleport_level_body(id, Vec3::X, Quat::IDENTITY), Err(LevelError::NoSuchBody));
        assert_eq!(physics.set_level_body_target(id, Vec3::X, Quat::IDENTITY), Err(LevelError::NoSuchBody));
        assert_eq!(physics.remove_level_body(id), Err(LevelError::NoSuchBody));
    }
    run(&mut physics, 0.1);
    // A handle of another world finds nothing, even if a body there has it.
    let mut other = Physics::default();
    other.add_floor(0.0).unwrap();
    std::mem::swap(physics.world_mut(), other.world_mut());
    assert_eq!(physics.set_level_body_target(lift, Vec3::X, Quat::IDENTITY), Err(LevelError::NoSuchBody));
}

#[test]
fn a_world_holds_16383_level_bodies_of_all_kinds() {
    let mut physics = Physics::default();
    let floors: Vec<_> = (0..16_383).map(|_| physics.add_floor(0.0).unwrap()).collect();
    let (shape, full) = ([LevelShape::Box(Vec3::ONE)], Err(LevelError::TooManyBodies));
    assert_eq!(physics.add_floor(0.0), full);
    assert_eq!(physics.add_box(Vec3::ZERO, Vec3::ONE, Quat::IDENTITY), full);
    assert_eq!(physics.add_level_body(&shape, Vec3::ZERO, Quat::IDENTITY), full);
    assert_eq!(physics.add_kinematic_body(&shape, Vec3::ZERO, Quat::IDENTITY), full);
    assert_eq!(physics.add_entity_box(-Vec3::ONE, Vec3::ONE, Vec3::ZERO), full);
    assert_eq!((physics.world().bodies.len(), physics.world().colliders.len()), (16_383, 16_383));
    physics.remove_level_body(floors[7]).unwrap();
    assert!(physics.add_floor(0.0).is_ok());
}

#[test]
fn only_entity_boxes_have_a_force() {
    let mut physics = Physics::default();
    let wall = physics.add_box(Vec3::ZERO, Vec3::ONE, Quat::IDENTITY).unwrap();
    let door = physics.add_kinematic_body(&[LevelShape::Box(Vec3::ONE)], Vec3::ZERO, Quat::IDENTITY).unwrap();
    for id in [wall, door] {
        assert_eq!(physics.set_level_body_push_force(id, 1.0), Err(LevelError::NotBox));
    }
    let walker = physics.add_entity_box(-Vec3::ONE, Vec3::ONE, Vec3::ZERO).unwrap();
    assert_eq!(physics.set_level_body_push_force(walker, 1e9), Ok(()));
}

#[test]
fn unsuitable_entity_boxes_are_refused_and_leave_nothing_behind() {
    let mut physics = Physics::default();
    let (nan, far) = (Vec3::ONE.with_z(f32::NAN), Vec3::ONE.with_y(2e6));
    for (mins, maxs, origin, error) in [
        (nan, Vec3::ONE, Vec3::ZERO, LevelError::NotFinite),
        (Vec3::ZERO, nan, Vec3::ZERO, LevelError::NotFinite),
        (Vec3::ZERO, Vec3::ONE, nan, LevelError::NotFinite),
        (Vec3::ZERO, far, Vec3::ZERO, LevelError::TooFar),
        (Vec3::ZERO, Vec3::ONE, far, LevelError::TooFar),
        (Vec3::ZERO, Vec3::ONE.with_x(0.0), Vec3::ZERO, LevelError::Flat),
    ] {
        assert_eq!(physics.add_entity_box(mins, maxs, origin), Err(error), "{mins} {maxs} {origin}");
    }
    assert_eq!((physics.world().bodies.len(), physics.world().colliders.len()), (0, 0));
}

#[test]
fn corners_in_one_cell_of_the_grid_are_one_vertex() {
    let apart = |gap: f32| {
        let right = rectangle([0.0, 0.0], [64.0, 64.0]);
        let left = rectangle([-64.0, 0.0], [0.0, 64.0]).into_iter().map(|corner| corner + Vec3::Z * gap);
        mesh(&[right, left.collect()])
    };
    assert_eq!([0.0, 1.0 / 256.0, 1.0 / 32.0].map(|gap| apart(gap).vertices().len()), [6, 6, 8]);
    let triangle = |at: f32| [Vec3::ZERO, Vec3::X * 9.0, Vec3::new(at, 9.0, 0.0)];
    let corners = [triangle(0.0), triangle(1.0 / 512.0).map(|corner| corner + Vec3::X / 512.0)].concat();
    let welded = SolidMesh::new(&corners, &[[0, 1, 2], [3, 4, 5]], Winding::CounterClockwise).unwrap();
    assert_eq!((welded.vertices().len(), welded.surfaces().iter().max()), (3, Some(&0)));
    let line = mesh(&[vec![Vec3::ZERO, Vec3::X * 8.0, Vec3::X / 256.0, Vec3::X * 8.0]]);
    assert!(line.is_empty(), "two different corners");
}
