//! Levels with much work in few bytes: every part is visited and built once, or a limit is named.

use crate::common;
use crate::common::counting;
use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;

use skelobj::math::Vec3;
use skelobj::physics::{BrushEntity, BspError, Level, LevelError, LevelOptions, Physics, SolidMesh, Winding};
use skelobj::{Limit, LimitExceeded, Limits, LoadOptions};

use crate::common::made_bsp::{Quake3, shared_leaf_brushes};

/// Maximum memory of a small file at any time, bytes.
const MOST: i64 = 64 << 20;

/// Reads a level; checks that memory stays in bounds.
fn read(what: &str, bytes: &[u8]) -> Result<Level, BspError> {
    let (level, peak) = counting::peak(|| Level::from_bsp(bytes));
    assert!(peak < MOST, "{what}: {peak} bytes");
    level
}

/// Returns the limit that a level exceeds.
fn exceeded(level: Result<Level, BspError>) -> LimitExceeded {
    match level.map(|level| level.models.len()) {
        Err(error) => error.source().and_then(|source| source.downcast_ref().cloned()).expect("a limit"),
        Ok(models) => panic!("{models} models"),
    }
}

/// Adds a level; checks that memory stays in bounds.
fn add(level: &Level) -> (Physics, Result<(), LevelError>) {
    let mut physics = Physics::default();
    let (added, peak) = counting::peak(|| physics.add_level(level, LevelOptions::default().with_clip(true)));
    assert!(peak < 2 * MOST, "{peak} bytes");
    if added.is_err() {
        assert!(physics.world().bodies.is_empty() && physics.world().colliders.is_empty());
    }
    (physics, added.map(|_| ()))
}

#[test]
fn leaves_that_share_brushes_give_each_brush_once() {
    for (leaves, models) in [(2, 1), (300, 1), (1000, 20)] {
        let bytes = shared_leaf_brushes(leaves, 7, models);
        let (level, peak) = counting::peak(|| Level::from_bsp(&bytes).unwrap());
        assert!(level.models.iter().all(|model| model.clip.len() == 7 && model.clip[0].len() == 8));
        assert_eq!(level.models.len(), models);
        assert!(peak < 2 << 20, "{leaves} leaves, {models} models: {peak} bytes");
    }
}

#[test]
fn models_that_repeat_a_shared_tree_too_often_are_refused() {
    let exceeded = exceeded(read("models of one tree", &shared_leaf_brushes(50, 7, 4000)));
    assert_eq!(exceeded.limit, Limit::Work);
    assert!(exceeded.needed > exceeded.allowed);
}

#[test]
fn entities_that_share_a_model_share_its_shapes() {
    let origins = (0..300).map(|number| Vec3::X * number as f32);
    let level = read("movers", &Quake3::movers(origins).bytes()).unwrap();
    assert_eq!(level.brush_entities.len(), 300);
    let (physics, added) = add(&level);
    assert_eq!(added, Ok(()));
    let shapes: HashSet<_> =
        physics.world().colliders.iter().map(|(_, collider)| Arc::as_ptr(&collider.shared_shape().0)).collect();
    assert_eq!((physics.world().colliders.len(), shapes.len()), (300, 1));
}

#[test]
fn bodies_of_a_level_are_limited_in_number_shapes_and_overlaps() {
    let level = read("too many", &Quake3::movers((0..20_000).map(|_| Vec3::ZERO)).bytes()).unwrap();
    assert_eq!(add(&level).1, Err(LevelError::TooManyBodies));

    // All pairs of these overlap, and none of the others.
    for (step, expected) in [(0.0, Some(Limit::LevelOverlaps)), (64.0, None)] {
        let origins = (0..2000).map(|number| Vec3::X * (number as f32 * step));
        let added = add(&read("movers", &Quake3::movers(origins).bytes()).unwrap()).1;
        match expected {
            Some(limit) => {
                assert!(matches!(added, Err(LevelError::LimitExceeded(e)) if e.limit == limit), "{added:?}");
            }
            None => assert_eq!(added, Ok(())),
        }
    }

    // Hulls are separate colliders in each body.
    let mut level = read("movers", &Quake3::movers([]).bytes()).unwrap();
    let hull: Vec<Vec3> = (0..8u8).map(|bits| Vec3::from_array([1, 2, 4].map(|bit| f32::from(bits & bit)))).collect();
    level.models[1].hulls = vec![hull; 100];
    level.brush_entities = (0..656)
        .map(|number| {
            let origin = Vec3::X * (number as f32 * 64.0);
            BrushEntity { entity: 0, model: 1, origin, angles: Vec3::ZERO, solid: true }
        })
        .collect();
    let Err(LevelError::LimitExceeded(exceeded)) = add(&level).1 else { panic!("too many shapes") };
    assert_eq!((exceeded.limit, exceeded.needed, exceeded.allowed), (Limit::LevelShapes, 656 * 101, 1 << 16));
}

/// Returns triangles along one edge of a large one, whose corners on that edge the large one must take up.
fn comb(points: usize) -> Quake3 {
    let mut level = Quake3 { surfaces: 1, models: vec![true], ..Quake3::default() };
    let at = |number: usize, y: f32| Vec3::new(number as f32 * 0.5, y, 0.0);
    for number in (0..points - 1).step_by(2) {
        level.triangle([at(number, 0.0), at(number + 1, 0.0), at(number, -3.0)]);
    }
    level.triangle([at(0, 0.0), at(points - 1, 0.0), at(0, 9e4)]);
    level
}

#[test]
fn an_edge_takes_up_any_number_of_corners() {
    let points = 20_000;
    let level = read("comb", &comb(points).bytes()).unwrap();
    // The large triangle becomes a polygon of all points and its tip.
    assert_eq!(level.models[0].mesh.triangles().len(), points / 2 + points - 1);
}

/// Returns triangles of which each has an edge within that of the one before.
fn nested(count: usize) -> Quake3 {
    let mut level = Quake3 { surfaces: 1, models: vec![true], ..Quake3::default() };
    for number in 0..count {
        level.triangle([
            Vec3::new(number as f32, 0.0, 0.0),
            Vec3::new((2 * count - number) as f32, 0.0, 0.0),
            Vec3::new(count as f32, 1.0 + number as f32, 0.0),
        ]);
    }
    level
}

#[test]
fn corners_that_edges_take_up_count_as_memory() {
    let bytes = nested(100).bytes();
    let (level, peak) = counting::peak(|| Level::from_bsp(&bytes).unwrap());
    assert!(level.models[0].mesh.triangles().len() > 9000);
    let mut limits = Limits::default();
    limits.memory = peak as u64;
    let options = LoadOptions::default().with_limits(limits);
    assert_eq!(exceeded(Level::from_bsp_with(&options, &bytes)).limit, Limit::Memory);
}

#[test]
fn edges_that_lie_in_each_other_are_refused() {
    let level = nested(8000);
    let exceeded = exceeded(read("nested edges", &level.bytes()));
    assert!([Limit::Memory, Limit::Work].contains(&exceeded.limit), "{exceeded}");
    let corners = level.vertices;
    let triangles: Vec<_> = (0..corners.len() as u32).step_by(3).map(|first| [first, first + 1, first + 2]).collect();
    let mesh = SolidMesh::new(&corners, &triangles, Winding::Clockwise);
    assert!(matches!(mesh, Err(LevelError::LimitExceeded(_))), "{mesh:?}");
}

#[test]
fn surfaces_that_share_their_corners_are_refused() {
    let mut level = comb(1000);
    level.surfaces = 2000;
    assert_eq!(exceeded(read("triangles", &level.bytes())).limit, Limit::Memory);
    let curve = |x: i32, y: i32| Vec3::new(x as f32 * 64.0, y as f32 * 64.0, ((x % 2 + y % 2) * 900) as f32);
    level.patch = [33; 2];
    level.vertices = (0..33 * 33).map(|point| curve(point % 33, point / 33)).collect();
    assert_eq!(exceeded(read("curves", &level.bytes())).limit, Limit::Memory);
    // Curves without collision cost nothing.
    (level.passable, level.surfaces) = (true, 20_000);
    assert!(read("passable curves", &level.bytes()).unwrap().models[0].mesh.is_empty());
}

#[test]
fn a_host_sets_the_limits() {
    let bytes = Quake3::movers((0..100).map(|_| Vec3::ZERO)).bytes();
    let mut limits = Limits::default();
    limits.triangles = 2;
    limits.warnings = 3;
    let level = Level::from_bsp_with(&LoadOptions::default().with_limits(limits), &bytes).unwrap();
    let messages: Vec<String> = level.warnings.iter().map(|warning| warning.message()).collect();
    let shared = "another entity has the same brush model";
    assert_eq!(messages, [shared, shared, shared, "96 further defects from here on, not listed"]);
    assert_eq!(level.warnings[3].to_string(), "entities 4: 96 further defects from here on, not listed");
    assert_eq!(read("warnings", &bytes).unwrap().warnings.len(), 65);

    limits.triangles = 1;
    let error = Level::from_bsp_with(&LoadOptions::default().with_limits(limits), &bytes).unwrap_err();
    assert!(error.to_string().starts_with("models 1 at byte "), "{error}");
    assert!(error.to_string().ends_with(": needs 2 triangles, the limit is 1"), "{error}");
    limits.memory = 10_000;
    let exceeded = exceeded(Level::from_bsp_with(&LoadOptions::default().with_limits(limits), &bytes));
    assert_eq!((exceeded.limit, exceeded.allowed), (Limit::Memory, 10_000));
}

#[test]
fn endless_entities_are_refused() {
    let level = Quake3 { entities: "{}".repeat(500_000), models: vec![false], ..Quake3::default() };
    assert_eq!(exceeded(read("entities", &level.bytes())).limit, Limit::Memory);
}

#[test]
fn small_shared_levels_take_little() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED small_shared_levels_take_little: no shared folder");
        return;
    };
    let files = ["bad/amplify", "bad/bsp"].into_iter().flat_map(|folder| common::files(&shared.join(folder)));
    let mut count = 0;
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "bsp")) {
        let what = path.display().to_string();
        if let Ok(level) = read(&what, &std::fs::read(&path).unwrap()) {
            let (mut physics, added) = add(&level);
            assert_eq!(added, Ok(()), "{what}");
            let (_, peak) = counting::peak(|| physics.advance(0.02, |_, _| {}));
            assert!(peak < MOST, "{what}: {peak} bytes");
        }
        count += 1;
    }
    assert!(count >= 30, "{count} files");
    println!("shared cases: small_shared_levels_take_little: {count}");
}
