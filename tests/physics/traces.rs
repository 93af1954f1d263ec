//! Traces that touch something at the start, that start inside, and that agree with plain definitions.

use skelobj::Runtime;
use skelobj::glam::DVec3;
use skelobj::math::{Quat, Vec3};
use skelobj::physics::rapier3d::parry::utils::Array2;
use skelobj::physics::rapier3d::prelude::{ColliderBuilder, HeightField, Pose, QueryFilter, Ray};
use skelobj::physics::{CollisionGroups, Level, LevelOptions, LevelShape, PhysicsSettings, SolidMesh, Winding};
use skelobj::runtime::{Hit, Settings, Trace};

use super::plain_bsp::{self, Brush, Plain};
use crate::common;
use crate::common::made_bsp;
use crate::common::random::Random;
use crate::common::small_bsp::Bsp29;

/// Corners of a player's box.
const PLAYER: [Vec3; 2] = [Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 32.0)];

/// Boxes to trace: a line, a player, a cube, a sheet, a rod and a speck.
const BOXES: [[Vec3; 2]; 6] = [
    [Vec3::ZERO; 2],
    PLAYER,
    [Vec3::splat(-4.0), Vec3::splat(4.0)],
    [Vec3::new(0.0, -8.0, -8.0), Vec3::new(0.0, 8.0, 8.0)],
    [Vec3::new(-8.0, 0.0, 0.0), Vec3::new(8.0, 0.0, 0.0)],
    [Vec3::splat(-0.001), Vec3::splat(0.001)],
];

fn trace(runtime: &Runtime, [mins, maxs]: [Vec3; 2], start: Vec3, end: Vec3) -> Option<Hit> {
    runtime.trace(&Trace::line(start, end).with_box(mins, maxs)).unwrap()
}

/// Returns a number from -1 to 1.
fn signed(random: &mut Random) -> f32 {
    random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0
}

fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(signed(random), signed(random), signed(random))
}

/// Returns the eight corners of a box.
fn corners(half: Vec3) -> Vec<Vec3> {
    let sign = |number: u8, bit: u8| if number & bit == 0 { -1.0 } else { 1.0 };
    (0..8).map(|n| half * Vec3::new(sign(n, 1), sign(n, 2), sign(n, 4))).collect()
}

/// Returns the mesh of a box, solid inside.
fn box_mesh(half: Vec3) -> SolidMesh {
    let c = corners(half);
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let sides = sides.map(|side| side.map(|corner: usize| c[corner]));
    SolidMesh::from_polygons(sides.iter().map(|side| (&side[..], 0)), Winding::CounterClockwise).unwrap()
}

/// Makes worlds with a block of 128 units below the origin, of every kind, turned or not.
fn grounds() -> Vec<(String, Runtime, Vec3)> {
    let mut grounds = Vec::new();
    let half = Vec3::new(128.0, 128.0, 64.0);
    let mesh = box_mesh(half);
    let turns = [
        ("level", Quat::IDENTITY),
        ("yaw 45", Quat::from_rotation_z(45f32.to_radians())),
        ("pitch 30", Quat::from_rotation_y(30f32.to_radians())),
        ("tilted", Quat::from_euler(skelobj::glam::EulerRot::ZYX, 0.7, 0.4, -0.3)),
    ];
    for (name, turn) in turns {
        let up = turn * Vec3::Z;
        let hull = corners(half);
        let shapes = [
            ("box", LevelShape::Box(half * 2.0)),
            ("hull", LevelShape::Hull(&hull)),
            ("mesh", LevelShape::Mesh(&mesh)),
        ];
        for (kind, shape) in shapes {
            for is_kinematic in [false, true] {
                let mut runtime = Runtime::default();
                let physics = runtime.physics_mut();
                let origin = up * -64.0 + Vec3::new(512.0, -256.0, 0.0);
                match is_kinematic {
                    true => physics.add_kinematic_body(&[shape], origin, turn).unwrap(),
                    false => physics.add_level_body(&[shape], origin, turn).unwrap(),
                };
                grounds.push((format!("{kind}, {name}, kinematic {is_kinematic}"), runtime, up));
            }
        }
        let mut runtime = Runtime::default();
        let field = HeightField::new(Array2::repeat(9, 9, 0.0), Vec3::new(256.0, 1.0, 256.0));
        // The height of a field is along its Y axis.
        let pose = Pose::from_parts(Vec3::new(512.0, -256.0, 0.0), turn * Quat::from_rotation_x(90f32.to_radians()));
        let collider =
            ColliderBuilder::new(skelobj::physics::rapier3d::prelude::SharedShape::new(field)).position(pose);
        runtime.physics_mut().world_mut().insert_collider(collider, None);
        runtime.step(1.0 / 60.0).unwrap();
        grounds.push((format!("heights, {name}"), runtime, up));
    }
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    grounds.push(("floor".into(), runtime, Vec3::Z));
    let mut runtime = Runtime::default();
    let level = Level::from_bsp(&Bsp29::hall(256.0).bytes()).unwrap();
    let bodies = runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
    runtime
        .physics_mut()
        .teleport_level_body(bodies.world.unwrap(), Vec3::new(512.0, -256.0, 256.0), Quat::IDENTITY)
        .unwrap();
    runtime.physics_mut().remove_level_body(bodies.entities[0].1).unwrap();
    grounds.push(("level".into(), runtime, Vec3::Z));
    grounds
}

#[test]
fn what_a_trace_touches_stops_only_motions_into_it() {
    for (name, runtime, up) in grounds() {
        let place = Vec3::new(512.0, -256.0, 0.0);
        let (aside, ahead) = up.any_orthonormal_pair();
        for corners in BOXES {
            let what = |way: Vec3| format!("{name}: {corners:?} along {way}");
            let from = place + up * 90.0 + aside * 3.3 + ahead * 1.7;
            let down =
                trace(&runtime, corners, from, from - up * 180.0).unwrap_or_else(|| panic!("{name} {corners:?}"));
            assert!(down.normal.distance(up) < 1e-5, "{}: {down:?}", what(-up));
            let mut at = down.point;
            for round in 0..12 {
                let angle = round as f32 * 0.77;
                let along = (aside * angle.cos() + ahead * angle.sin()) * 20.0;
                for way in [along, along + up * 0.01, along + up * 7.0, up * 30.0, along * 0.01] {
                    let hit = trace(&runtime, corners, at, at + way);
                    assert_eq!(hit, None, "{} in round {round}", what(way));
                }
                for way in [along - up, -up * 40.0, along - up * 20.0] {
                    let hit = trace(&runtime, corners, at, at + way).unwrap_or_else(|| panic!("{}", what(way)));
                    assert!(hit.fraction * way.length() < 0.01, "{}: {hit:?}", what(way));
                    assert!(hit.normal.distance(up) < 1e-5 && !hit.start_solid, "{}: {hit:?}", what(way));
                    // The next trace starts where this one stopped.
                    at = hit.point;
                }
                at += along * 0.2;
            }
        }
    }
}

#[test]
fn a_trace_from_inside_goes_on_to_the_open() {
    for (name, mut runtime, up) in grounds() {
        if name.starts_with("mesh") || name.starts_with("heights") {
            continue;
        }
        let place = Vec3::new(512.0, -256.0, 0.0);
        runtime.physics_mut().add_box(place + up * 300.0, Vec3::splat(64.0), Quat::IDENTITY).unwrap();
        for corners in BOXES {
            let what = format!("{name}: {corners:?}");
            let reach = corners[1].length();
            for depth in [0.5, 8.0, 40.0] {
                let inside = place - up * depth;
                let out = trace(&runtime, corners, inside, place + up * (reach + 90.0)).expect(&what);
                assert_eq!(
                    (out.fraction, out.normal, out.start_solid, out.all_solid),
                    (1.0, Vec3::ZERO, true, false),
                    "{what}"
                );
                let on = trace(&runtime, corners, inside, place + up * 400.0).expect(&what);
                assert!(on.start_solid && !on.all_solid && on.normal.dot(up) < -0.1, "{what}: {on:?}");
                assert!(on.point.distance(inside) > 150.0, "{what}: {on:?}");
                let stays =
                    trace(&runtime, corners, inside, inside - up * 0.3 + up.any_orthonormal_vector()).expect(&what);
                assert_eq!((stays.fraction, stays.normal), (0.0, Vec3::ZERO), "{what}");
                assert!(stays.start_solid && stays.all_solid, "{what}: {stays:?}");
                let point = trace(&runtime, corners, inside, inside).expect(&what);
                assert!(point.start_solid && point.all_solid, "{what}: {point:?}");
            }
            assert_eq!(trace(&runtime, corners, place + up * 70.0, place + up * 70.0), None, "{what}");
        }
    }
}

#[test]
fn a_line_leaves_a_hull_with_many_points_where_its_surface_is() {
    // A ball of 300 points, each of them a corner.
    let points: Vec<Vec3> = (0..300u16)
        .map(|number| {
            let (height, angle) = (1.0 - (2.0 * f32::from(number) + 1.0) / 300.0, f32::from(number) * 2.4);
            let flat = (1.0 - height * height).sqrt();
            Vec3::new(flat * angle.cos(), flat * angle.sin(), height) * 32.0
        })
        .collect();
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_level_body(&[LevelShape::Hull(&points)], Vec3::ZERO, Quat::IDENTITY).unwrap();
    let line = [Vec3::ZERO; 2];
    for end in [Vec3::X * 200.0, Vec3::new(-3.0, 40.0, 9.0), Vec3::NEG_Z * 33.0] {
        let out = trace(&runtime, line, Vec3::new(1.0, 2.0, 3.0), end).unwrap();
        assert!(out.start_solid && !out.all_solid && out.fraction == 1.0, "{end}: {out:?}");
    }
    let stays = trace(&runtime, line, Vec3::ZERO, Vec3::X * 20.0).unwrap();
    assert!(stays.start_solid && stays.all_solid, "{stays:?}");
}

#[test]
fn a_box_in_the_face_of_a_mesh_leaves_it_to_the_front_only() {
    for (name, runtime, up) in
        grounds().into_iter().filter(|(name, ..)| name.starts_with("mesh") || name.starts_with("heights"))
    {
        let place = Vec3::new(512.0, -256.0, 0.0);
        let out = trace(&runtime, PLAYER, place, place + up * 90.0).unwrap();
        assert_eq!((out.fraction, out.start_solid, out.all_solid), (1.0, true, false), "{name}");
        let down = trace(&runtime, PLAYER, place, place - up * 30.0).unwrap();
        assert!(down.start_solid && down.all_solid && down.fraction == 0.0, "{name}: {down:?}");
    }
}

#[test]
fn planes_along_an_axis_are_exact() {
    for quarter in 0..4 {
        let turn = Quat::from_rotation_z(quarter as f32 * std::f32::consts::FRAC_PI_2);
        let half = Vec3::new(40.0, 72.0, 24.0);
        let (mesh, hull) = (box_mesh(half), corners(half));
        for shape in [LevelShape::Box(half * 2.0), LevelShape::Hull(&hull), LevelShape::Mesh(&mesh)] {
            let mut runtime = Runtime::default();
            runtime.physics_mut().add_level_body(&[shape], Vec3::new(100.3, -7.9, 11.1), turn).unwrap();
            for axis in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]) {
                for corners in BOXES {
                    let centre = Vec3::new(100.3, -7.9, 11.1) + axis.any_orthonormal_vector() * 3.7;
                    let hit = trace(&runtime, corners, centre + axis * 200.0, centre).unwrap();
                    assert_eq!(hit.normal, axis, "{shape:?} turned {quarter} times: {corners:?}");
                }
            }
        }
    }
}

#[test]
fn a_player_walks_off_a_corner_and_along_seams() {
    let mut runtime = Runtime::default();
    // Tiles side by side, and a wall of two parts.
    for number in 0..8 {
        let centre = Vec3::new(64.0 * number as f32, 0.0, -8.0);
        runtime.physics_mut().add_box(centre, Vec3::new(64.0, 256.0, 16.0), Quat::IDENTITY).unwrap();
    }
    runtime.physics_mut().add_box(Vec3::new(100.0, 80.0, 64.0), Vec3::new(200.0, 32.0, 128.0), Quat::IDENTITY).unwrap();
    runtime.physics_mut().add_box(Vec3::new(300.0, 80.0, 64.0), Vec3::new(200.0, 32.0, 128.0), Quat::IDENTITY).unwrap();
    for corners in BOXES {
        let [mins, maxs] = corners;
        let at = Vec3::new(32.0, 64.0 - maxs.y, -mins.z);
        assert_eq!(trace(&runtime, corners, at, at + Vec3::X * 400.0), None, "{corners:?} along wall and floor");
        // A line falls on the seam of two tiles.
        let seam = Vec3::new(32.0, 0.0, 100.0);
        let hit =
            trace(&runtime, corners, seam, seam.with_z(-100.0)).unwrap_or_else(|| panic!("the seam by {corners:?}"));
        assert!((hit.point.z + mins.z).abs() < 0.01 && hit.normal == Vec3::Z, "{corners:?}: {hit:?}");
    }
}

#[test]
fn worlds_of_any_scale_are_traced_alike() {
    for scale in [1.0f32 / 40.0, 0.25, 1.0, 4.0, 30.0] {
        let mut settings = Settings::default();
        settings.physics = PhysicsSettings::default().scaled(scale);
        let mut runtime = Runtime::new(settings).unwrap();
        let turn = Quat::from_rotation_y(0.3);
        let size = Vec3::new(512.0, 512.0, 64.0) * scale;
        runtime.physics_mut().add_box(turn * Vec3::Z * -32.0 * scale, size, turn).unwrap();
        let up = turn * Vec3::Z;
        for corners in BOXES.map(|corners| corners.map(|corner| corner * scale)) {
            let hit = trace(&runtime, corners, up * 99.0 * scale, -up * 30.0 * scale).expect("the slope");
            let (at, along) = (hit.point, turn * Vec3::X * 50.0 * scale);
            assert_eq!(trace(&runtime, corners, at, at + along), None, "{scale}: {corners:?}");
            assert_eq!(trace(&runtime, corners, at, at + up * scale), None, "{scale}: {corners:?}");
            let into = trace(&runtime, corners, at, at - up * scale).expect("the slope");
            assert!(into.fraction < 0.01 && !into.start_solid, "{scale}: {corners:?}: {into:?}");
            let inside = trace(&runtime, corners, at - up * scale * 2.0, at + up * scale * 9.0).expect("the inside");
            assert!(inside.start_solid && !inside.all_solid, "{scale}: {corners:?}: {inside:?}");
        }
    }
}

#[test]
fn traces_of_any_length_and_size_end() {
    let (_, level, _) = grounds().pop().expect("the level");
    for far in [8192.0, 1e6, 1e9, 1e20, 1e37] {
        for corners in BOXES.into_iter().chain([[Vec3::splat(-1e6), Vec3::splat(1e6)]]) {
            for way in [Vec3::X, Vec3::NEG_Z, Vec3::new(1.0, -0.3, 0.2)] {
                let line = Trace::line(Vec3::new(512.0, -256.0, 99.0), way * far).with_box(corners[0], corners[1]);
                let hit = level.trace(&line).unwrap().expect("a wall");
                assert!(hit.fraction.is_finite() && hit.point.is_finite(), "{hit:?}");
            }
        }
    }
    let odd = Trace::line(Vec3::ZERO, Vec3::splat(f32::NAN));
    assert!(level.trace(&odd).is_err() && level.trace(&Trace::line(Vec3::ZERO, Vec3::splat(f32::MAX))).is_ok());
}

/// Lines agree with the first hit of each collider and each triangle, taken one by one.
#[test]
fn random_lines_hit_what_every_collider_tells() {
    const SEED: u64 = 0x5eed_11e5;
    let mut random = Random(SEED);
    let mut runtime = Runtime::default();
    for number in 0..40 {
        let (place, half) = (vector(&mut random) * 400.0, vector(&mut random).abs() * 60.0 + 4.0);
        let turn = Quat::from_scaled_axis(vector(&mut random) * 3.0);
        let (mesh, hull) = (box_mesh(half), corners(half));
        let shape = [LevelShape::Box(half * 2.0), LevelShape::Hull(&hull), LevelShape::Mesh(&mesh)][number % 3];
        runtime.physics_mut().add_level_body(&[shape], place, turn).unwrap();
    }
    let mut hits = 0;
    for number in 0..10_000 {
        let (start, end) = (vector(&mut random) * 500.0, vector(&mut random) * 500.0);
        let ray = Ray::new(start, end - start);
        let world = runtime.physics().world();
        let is_inside =
            world.intersect_point(start, QueryFilter::default()).any(|(_, c)| c.shape().as_trimesh().is_none());
        if is_inside {
            continue;
        }
        let mut plain: Option<f32> = None;
        for (_, collider) in world.colliders.iter() {
            let mut add = |time: Option<f32>| plain = plain.into_iter().chain(time).reduce(f32::min);
            match collider.shape().as_trimesh() {
                Some(mesh) => {
                    use skelobj::physics::rapier3d::parry::query::RayCast;
                    mesh.triangles().for_each(|triangle| add(triangle.cast_ray(collider.position(), &ray, 1.0, true)));
                }
                None => add(collider.shape().cast_ray(collider.position(), &ray, 1.0, true)),
            }
        }
        let found = runtime.trace(&Trace::line(start, end)).unwrap().map(|hit| hit.fraction);
        hits += usize::from(plain.is_some());
        let same = match (found, plain) {
            (Some(found), Some(plain)) => (found - plain).abs() * ray.dir.length() < 0.02,
            (None, None) => true,
            _ => false,
        };
        assert!(same, "seed {SEED:#x}, line {number} from {start} to {end}: {found:?}, expected {plain:?}");
    }
    assert!(hits > 2000, "{hits}");
}

/// Traces of boxes that differ from a plain definition by more than 0.05 units, or by where they start.
#[derive(Default, Debug)]
struct Tally {
    traces: usize,
    hits: usize,
    inside: usize,
    earlier: usize,
    later: usize,
    start: usize,
    examples: Vec<String>,
}

impl Tally {
    fn wrong(&self) -> usize {
        self.earlier + self.later + self.start
    }

    fn add(&mut self, found: Option<Hit>, plain: Plain, way: Vec3, text: impl Fn() -> String) {
        let (fraction, start, all) =
            found.map_or((1.0, false, false), |hit| (f64::from(hit.fraction), hit.start_solid, hit.all_solid));
        self.traces += 1;
        self.hits += usize::from(plain.fraction < 1.0);
        self.inside += usize::from(plain.start_solid);
        let wrong = if (start, all) != (plain.start_solid, plain.all_solid) {
            &mut self.start
        } else if all || (fraction - plain.fraction).abs() * f64::from(way.length()) <= 0.05 {
            return;
        } else if fraction < plain.fraction {
            &mut self.earlier
        } else {
            &mut self.later
        };
        *wrong += 1;
        if self.examples.len() < 4 {
            self.examples.push(format!("{}: {found:?}, expected {plain:?}", text()));
        }
    }
}

/// Plain trace of a box, given by its centre at the start and at the end and by its half size.
type PlainTrace<'a> = &'a dyn Fn(DVec3, DVec3, DVec3) -> Plain;

/// Boxes and starts to compare.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Any,
    /// Starts in the open only: for the file, what is outside of the rooms is solid; for its brushes, it is not.
    Open,
    /// Boxes of a player.
    Player,
}

/// Traces random boxes through a world and by a plain definition.
fn compare(runtime: &Runtime, number: usize, bounds: [Vec3; 2], kind: Kind, plain: PlainTrace<'_>) -> Tally {
    const SEED: u64 = 0x5eed_b0e5;
    let mut random = Random(SEED);
    let mut tally = Tally::default();
    while tally.traces < number {
        let start = (bounds[0] + bounds[1]) * 0.5 + vector(&mut random) * (bounds[1] - bounds[0]) * 0.5;
        let reach = [8.0, 64.0, 512.0][random.below(3)];
        let way = match random.below(3) {
            0 => vector(&mut random).round() * reach,
            _ => vector(&mut random) * reach,
        };
        let half = match random.below(4) {
            _ if kind == Kind::Player => Vec3::new(16.0, 16.0, 28.0),
            0 => Vec3::new(16.0, 16.0, 28.0),
            1 => Vec3::ZERO,
            _ => vector(&mut random).abs() * 40.0,
        };
        let wanted = plain(start.as_dvec3(), (start + way).as_dvec3(), half.as_dvec3());
        // Most starts in a map are in something solid; one of eight of them is enough.
        let is_left_out = wanted.start_solid && (kind == Kind::Open || random.below(8) > 0);
        if way == Vec3::ZERO || is_left_out {
            continue;
        }
        let line = Trace::line(start, start + way).with_box(-half, half).with_groups(CollisionGroups::LEVEL);
        let text = || format!("seed {SEED:#x}, from {start} by {way}, half {half}");
        tally.add(runtime.trace(&line).unwrap(), wanted, way, text);
    }
    tally
}

fn world_of(bytes: &[u8]) -> Runtime {
    let mut level = Level::from_bsp(bytes).unwrap();
    level.brush_entities.clear();
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
    runtime
}

/// Returns the planes of a box with some of its edges and corners cut off.
fn chipped(random: &mut Random) -> Vec<(Vec3, f32)> {
    let (centre, half) = ((vector(random) * 300.0).round(), (vector(random).abs() * 90.0 + 8.0).round());
    let turn = if random.below(3) == 0 { Quat::from_scaled_axis(vector(random) * 2.0) } else { Quat::IDENTITY };
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    let mut planes: Vec<(Vec3, f32)> = axes.map(|axis| (axis, axis.abs().dot(half))).collect();
    for _ in 0..random.below(4) {
        let normal = vector(random).normalize();
        planes.push((normal, normal.abs().dot(half) * 0.8));
    }
    { planes }.into_iter().map(|(normal, distance)| (turn * normal, distance + (turn * normal).dot(centre))).collect()
}

#[test]
fn boxes_agree_with_a_plain_sweep_over_brushes() {
    let mut random = Random(0x5eed_b7a5);
    let planes: Vec<_> = (0..60).map(|_| chipped(&mut random)).collect();
    let runtime = world_of(&made_bsp::quake3_brushes(&planes));
    let brush = |planes: &Vec<(Vec3, f32)>| {
        Brush::new(planes.iter().map(|(normal, distance)| (normal.as_dvec3(), f64::from(*distance))).collect())
    };
    let brushes: Vec<Brush> = planes.iter().filter_map(brush).collect();
    for _ in 0..10_000 {
        let point = vector(&mut random) * 400.0;
        let inside = brushes.iter().any(|brush| brush.contains(point.as_dvec3()));
        assert_eq!(runtime.physics().is_solid(point), inside, "seed 0x5eedb7a5: {point}");
    }
    let brushes: Vec<Brush> = brushes.into_iter().map(Brush::bevelled).collect();
    let tally = compare(&runtime, 10_000, [Vec3::splat(-400.0), Vec3::splat(400.0)], Kind::Any, &|start, end, half| {
        plain_bsp::sweep(&brushes, start, end, half)
    });
    assert!(tally.hits > 1500 && tally.inside > 300 && tally.wrong() == 0, "{tally:#?}");
}

#[test]
fn boxes_agree_with_a_plain_sweep_over_brushes_of_real_maps() {
    let test = "boxes_agree_with_a_plain_sweep_over_brushes_of_real_maps";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let small = ["ibsp38/mp_lobby", "room/room_bsp29", "room/room_q2", "ibsp46/mp_lobby", "ibsp47/mp_lobby_v47"];
    let mut traces = 0;
    for (map, number) in small.map(|map| (map, 2000)).into_iter().chain([("ibsp46/oa_ctf2", 2000), ("fbsp/lean", 1000)])
    {
        let bytes = std::fs::read(shared.join(format!("corpus/bsp/{map}.bsp"))).unwrap();
        let listed = map.ends_with("bsp29");
        let brushes = if listed { plain_bsp::listed_brushes(&bytes) } else { plain_bsp::brushes(&bytes) };
        let brushes: Vec<Brush> = brushes.into_iter().map(Brush::bevelled).collect();
        let bounds = Brush::bounds(&brushes);
        let kind = if listed || map.ends_with("q2") || map.starts_with("ibsp38") { Kind::Open } else { Kind::Any };
        let tally = compare(&world_of(&bytes), number, bounds, kind, &|start, end, half| {
            plain_bsp::sweep(&brushes, start, end, half)
        });
        // A box starts in a curve or a face without a brush, or is stopped there; or it starts outside of the rooms.
        assert!(tally.later == 0 && tally.start * 100 <= number && tally.earlier * 50 <= number, "{map}: {tally:#?}");
        traces += tally.traces;
    }
    println!("shared cases: {test}: {traces}");
}

#[test]
fn a_players_box_agrees_with_hull_1_of_real_maps() {
    let test = "a_players_box_agrees_with_hull_1_of_real_maps";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let mut traces = 0;
    for map in ["lq_start", "lqdm2"] {
        let bytes = std::fs::read(shared.join(format!("corpus/bsp/bsp29/{map}.bsp"))).unwrap();
        let runtime = world_of(&bytes);
        let level = Level::from_bsp(&bytes).unwrap();
        let places = level.models[0].mesh.vertices();
        let bounds =
            [places.iter().copied().reduce(Vec3::min).unwrap(), places.iter().copied().reduce(Vec3::max).unwrap()];
        let tally = compare(&runtime, 10_000, bounds, Kind::Player, &|start, end, _| {
            // The origin of a player is 4 units below the middle of the box.
            plain_bsp::hull_sweep(&bytes, start - DVec3::Z * 4.0, end - DVec3::Z * 4.0)
        });
        // Planes of the hull that cut a corner of a room off are not in the map: 0.1 % of the traces start there.
        assert!(tally.earlier + tally.later <= 2 && tally.wrong() <= 20, "{map}: {tally:#?}");
        traces += tally.traces;
    }
    println!("shared cases: {test}: {traces}");
}
