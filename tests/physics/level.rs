//! Levels: a small one from bytes, static parts, and moving parts.

mod movers;
mod parts;

use proptest::prelude::*;
use skelobj::Runtime;
use skelobj::math::Vec3;
use skelobj::physics::rapier3d::prelude::*;
use skelobj::physics::{
    BrushEntity, BrushModel, CollisionGroups, Entity, Level, LevelBodyId, LevelOptions, Physics, SolidMesh, Winding,
};
use skelobj::runtime::{Hit, Surface, Trace};

use crate::common::made_bsp::{Quake3, face_in_brush, quake2_brush, quake3_brush};
use crate::common::small_bsp::{Bsp29, FACES, MODELS, NODES, PLANES, SURFEDGES, TEXINFO, VERTICES};

/// Casts a ray through a physics world, as a runtime traces it.
fn hit(physics: &mut Physics, from: Vec3, to: Vec3, groups: CollisionGroups) -> Option<Hit> {
    let mut runtime = Runtime::default();
    std::mem::swap(runtime.physics_mut(), physics);
    let hit = runtime.trace(&Trace::line(from, to).with_groups(groups)).unwrap();
    std::mem::swap(runtime.physics_mut(), physics);
    hit
}

/// Returns the position of a level body.
fn level_place(physics: &Physics, id: LevelBodyId) -> Vec3 {
    place(physics, physics.rigid_body(id).unwrap())
}

/// Adds a body that collides with what dolls collide with, guarded against fast bodies as they are: a frictionless box
/// of this size with mass 10.
fn slippery_box(physics: &mut Physics, origin: Vec3, size: f32) -> RigidBodyHandle {
    add_box(physics, origin, size, 0.0)
}

fn add_box(physics: &mut Physics, origin: Vec3, size: f32, friction: f32) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(origin).soft_ccd_prediction(16.0).ccd_enabled(true);
    let mut body = body.build();
    body.activation_mut().normalized_linear_threshold = 0.2;
    let collider = ColliderBuilder::cuboid(size / 2.0, size / 2.0, size / 2.0)
        .mass(10.0)
        .friction(friction)
        .friction_combine_rule(if friction == 0.0 {
            CoefficientCombineRule::Min
        } else {
            CoefficientCombineRule::Average
        })
        .collision_groups(CollisionGroups::RAGDOLLS.for_collider());
    physics.world_mut().insert(body, collider).0
}

fn run(physics: &mut Physics, seconds: f32) {
    for _ in 0..(seconds * 60.0).round() as usize {
        physics.advance(1.0 / 60.0, |_, _| {}).unwrap();
    }
}

fn place(physics: &Physics, body: RigidBodyHandle) -> Vec3 {
    let place = physics.world().bodies[body].translation();
    assert!(place.is_finite());
    place
}

#[test]
fn small_level_has_its_faces_sky_and_entities() {
    let level = Level::from_bsp(&Bsp29::room().bytes()).unwrap();
    let [world, crate_] = [&level.models[0], &level.models[1]];
    assert_eq!((world.mesh.triangles().len(), world.mesh.vertices().len()), (10, 8));
    assert_eq!((world.sky.triangles().len(), world.sky.vertices().len()), (2, 4));
    assert_eq!((crate_.mesh.triangles().len(), crate_.mesh.vertices().len()), (12, 8));
    assert!(world.sky.vertices().iter().all(|vertex| vertex.z == 64.0));
    // Counter-clockwise seen from outside: the room's faces look inward, the crate's outward.
    for (mesh, inward) in [(&world.mesh, true), (&crate_.mesh, false)] {
        for triangle in mesh.triangles() {
            let [a, b, c] = triangle.map(|index| mesh.vertices()[index as usize]);
            assert_eq!((b - a).cross(c - a).dot(a + b + c) < 0.0, inward);
        }
    }
    let name = |surface: u32| level.surfaces[surface as usize].name.to_string();
    assert!(world.mesh.surfaces().iter().all(|&surface| name(surface) == "wall"));
    assert!(world.sky.surfaces().iter().all(|&surface| name(surface) == "sky1"));
    assert_eq!(level.entities.len(), 3);
    assert_eq!(level.entities[0].get("message").unwrap().to_string(), "a room");
    let solid: Vec<_> = level.brush_entities.iter().map(|entity| (entity.model, entity.solid)).collect();
    assert_eq!(solid, [(1, true), (1, false)]);
    assert_eq!(level.brush_entities[0].origin, Vec3::new(0.0, 0.0, 32.0));
    let warnings: Vec<String> = level.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["entities 2: another entity has the same brush model"]);
}

#[test]
fn faces_with_nothing_solid_behind_or_of_liquid_are_left_out() {
    let mut bsp = Bsp29::room();
    let plane = bsp.count(PLANES, 20) as u16;
    bsp.lumps[PLANES].extend([0f32, 0.0, 1.0, 0.0, 0.0].map(f32::to_le_bytes).concat());
    let square = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)].map(|(x, y)| Vec3::new(x * 60.0, y * 60.0, 0.0));
    bsp.face(plane, &square, 0);
    bsp.face(plane, &square, 2);
    // A model that has just these two faces, in the tree of the world.
    let mut model = bsp.lumps[MODELS][..64].to_vec();
    model[56..60].copy_from_slice(&12i32.to_le_bytes());
    model[60..64].copy_from_slice(&2i32.to_le_bytes());
    bsp.lumps[MODELS].extend(model);
    let level = Level::from_bsp(&bsp.bytes()).unwrap();
    assert!(level.models[2].mesh.is_empty() && level.models[2].sky.is_empty());
}

#[test]
fn a_brush_without_sides_is_behind_no_face() {
    for (sides, triangles) in [(6, 1), (0, 0)] {
        let level = Level::from_bsp(&face_in_brush(sides)).unwrap();
        assert_eq!(level.models[0].mesh.triangles().len(), triangles, "{sides} sides");
    }
}

#[test]
fn curves_have_whole_blocks_of_three_by_three_points() {
    let sizes = (1..=6).flat_map(|width| (1..=6).map(move |height| [width, height]));
    for [width, height] in sizes {
        let point = |number: i32| Vec3::new((number % width) as f32, (number / width) as f32, 0.0) * 64.0;
        let vertices = (0..width * height).map(point).collect();
        let patch = [width, height];
        let level = Quake3 { vertices, patch, surfaces: 1, models: vec![true], ..Quake3::default() };
        let level = Level::from_bsp(&level.bytes()).unwrap();
        let is_whole = patch.iter().all(|points| *points == 3 || *points == 5);
        assert_eq!(!level.models[0].mesh.is_empty(), is_whole, "{patch:?}");
    }
}

#[test]
fn brushes_of_an_extension_are_clip_brushes_if_their_contents_say_so() {
    for (contents, clips) in [(-8i16, 1), (-18, 1), (-1, 0), (8, 0), (18, 0)] {
        let mut bytes = Bsp29::room().bytes();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let place = bytes.len() as u32 + 40;
        // One brush of the world, without planes beside those of its box.
        let mut lump = [1u32, 0, 1, 0].map(u32::to_le_bytes).concat();
        lump.extend([-8f32, -8.0, -8.0, 8.0, 8.0, 8.0].map(f32::to_le_bytes).concat());
        lump.extend([contents.to_le_bytes(), [0; 2]].concat());
        bytes.extend([&b"BSPX"[..], &1u32.to_le_bytes(), b"BRUSHLIST", &[0; 15]].concat());
        bytes.extend([place, lump.len() as u32].map(u32::to_le_bytes).concat());
        bytes.extend(lump);
        assert_eq!(Level::from_bsp(&bytes).unwrap().models[0].clip.len(), clips, "{contents}");
    }
}

#[test]
fn brushes_that_nothing_draws_are_hulls_or_clip_brushes() {
    let (nodraw, solid, player_clip) = (0x80, 1, 0x10000);
    for (flags, contents, expected) in [
        (nodraw, solid, [1, 0]),
        (nodraw, player_clip, [0, 1]),
        (0, player_clip, [0, 1]),
        (0, solid, [0, 0]), // its surfaces are solid
        (nodraw, 0, [0, 0]),
    ] {
        let level = Level::from_bsp(&quake3_brush(flags, contents)).unwrap();
        let found = [&level.models[0].hulls, &level.models[0].clip].map(Vec::len);
        assert_eq!(found, expected, "flags {flags:#x}, contents {contents:#x}");
    }
}

/// Sides without a texture are bevels, which compilers add so that large boxes do not catch on edges.
#[test]
fn a_brush_of_quake_2_is_a_hull_if_none_of_its_textures_is_drawn() {
    let (drawn, nodraw, bevel) = (0, 1, -1);
    let hulls = |textures: [i16; 6]| {
        let out = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
        let sides: Vec<_> = out.into_iter().zip(textures).map(|(out, texture)| (out, 16.0, texture)).collect();
        Level::from_bsp(&quake2_brush(&sides)).unwrap().models[0].hulls.len()
    };
    assert_eq!(hulls([nodraw; 6]), 1);
    assert_eq!(hulls([nodraw, nodraw, bevel, nodraw, bevel, nodraw]), 1);
    assert_eq!(hulls([nodraw, nodraw, nodraw, drawn, nodraw, nodraw]), 0, "its faces are solid");
    assert_eq!(hulls([bevel; 6]), 0);
}

#[test]
fn four_planes_are_enough_for_a_brush() {
    let slanted = Vec3::ONE.normalize();
    let sides = [(Vec3::NEG_X, 0.0, 1), (Vec3::NEG_Y, 0.0, 1), (Vec3::NEG_Z, 0.0, 1), (slanted, 20.0, 1)];
    let level = Level::from_bsp(&quake2_brush(&sides)).unwrap();
    let [hull] = &level.models[0].hulls[..] else { panic!("{:?}", level.models[0].hulls) };
    let far = 20.0 * 3f32.sqrt();
    for corner in [Vec3::ZERO, Vec3::X * far, Vec3::Y * far, Vec3::Z * far] {
        assert!(hull.iter().any(|found| found.distance(corner) < 1e-3), "{corner} in {hull:?}");
    }
    assert_eq!(hull.len(), 4);
    let level = Level::from_bsp(&quake2_brush(&sides[..3])).unwrap();
    assert!(level.models[0].hulls.is_empty(), "three planes hold no volume");
}

#[test]
fn small_level_holds_what_falls_in_it() {
    let level = Level::from_bsp(&Bsp29::room().bytes()).unwrap();
    let mut physics = Physics::default();
    let parts = physics.add_level(&level, LevelOptions::default()).unwrap();
    assert!(parts.world.is_some() && parts.entities.len() == 1);
    let [floor, on_crate] = [Vec3::new(40.0, 40.0, 0.0), Vec3::new(0.0, 0.0, 60.0)];
    let [floor, on_crate] = [floor, on_crate].map(|origin| slippery_box(&mut physics, origin, 6.0));
    run(&mut physics, 1.5);
    assert!((place(&physics, floor).z - -61.0).abs() < 0.2, "{}", place(&physics, floor));
    assert!((place(&physics, on_crate).z - 51.0).abs() < 0.2, "{}", place(&physics, on_crate));
}

#[test]
fn sky_can_be_left_open() {
    let level = Level::from_bsp(&Bsp29::room().bytes()).unwrap();
    for (sky, expected) in [(true, Some(64.0)), (false, None)] {
        let mut physics = Physics::default();
        physics.add_level(&level, LevelOptions::default().with_sky(sky)).unwrap();
        let hit = hit(&mut physics, Vec3::new(40.0, 0.0, 0.0), Vec3::new(40.0, 0.0, 900.0), CollisionGroups::LEVEL);
        assert_eq!(hit.map(|hit| hit.point.z), expected);
        assert!(hit.is_none_or(|hit| matches!(hit.surface, Surface::Level { shape: 1, .. })));
    }
}

#[test]
fn parts_of_a_level_are_solid_as_its_options_say_and_numbered_in_order() {
    let box_at = |x: f32| {
        let corner = |bits: u8| Vec3::from_array([1, 2, 4].map(|bit| if bits & bit == 0 { -4.0 } else { 4.0 }));
        (0..8u8).map(|bits| corner(bits) + Vec3::X * x).collect::<Vec<_>>()
    };
    let square = |x: f32| {
        let corners = [[-4.0, -4.0], [4.0, -4.0], [4.0, 4.0], [-4.0, 4.0]].map(|[dx, y]| Vec3::new(x + dx, y, 0.0));
        SolidMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]], Winding::CounterClockwise).unwrap()
    };
    let mut model = BrushModel::default();
    (model.mesh, model.sky) = (square(0.0), square(20.0));
    model.hulls = vec![box_at(40.0), box_at(60.0)];
    model.clip = vec![box_at(80.0)];
    let mut level = Level::default();
    level.models = vec![model];
    for (sky, clip) in [(true, false), (false, true)] {
        let mut physics = Physics::default();
        let options = LevelOptions::default().with_sky(sky).with_clip(clip);
        let world = physics.add_level(&level, options).unwrap().world.unwrap();
        let mut shape = |x: f32| {
            let hit = hit(&mut physics, Vec3::new(x, 1.0, 50.0), Vec3::new(x, 1.0, -50.0), CollisionGroups::LEVEL)?;
            let Surface::Level { body, shape, .. } = hit.surface else { panic!("{hit:?}") };
            assert_eq!(body, world);
            Some(shape)
        };
        let found = [0.0, 20.0, 40.0, 60.0, 80.0].map(&mut shape);
        assert_eq!(found, [Some(0), sky.then_some(1), Some(2), Some(3), clip.then_some(4)]);
    }
    // Nothing of this world is solid, but its door is.
    let mut clipped = BrushModel::default();
    clipped.clip = level.models[0].clip.clone();
    level.models.insert(0, clipped);
    let (origin, angles) = (Vec3::Z * 9.0, Vec3::ZERO);
    level.brush_entities.push(BrushEntity { entity: 0, model: 1, origin, angles, solid: false });
    level.brush_entities.push(BrushEntity { entity: 0, model: 1, origin, angles, solid: true });
    let mut physics = Physics::default();
    let bodies = physics.add_level(&level, LevelOptions::default()).unwrap();
    assert_eq!((bodies.world, bodies.entities.len(), bodies.entities[0].0), (None, 1, 1));
    assert_eq!(level_place(&physics, bodies.entities[0].1), origin);
}

#[test]
fn players_start_alone_before_they_fight_each_other() {
    let classes = [
        "info_player_intermission",
        "team_CTF_redplayer",
        "info_player_coop",
        "info_player_deathmatch",
        "info_player_start",
    ];
    let mut level = Level::default();
    assert_eq!(level.player_start(), None);
    for (number, class) in classes.into_iter().enumerate() {
        for second in ["", "5"] {
            let pairs = vec![
                ("classname".into(), class.into()),
                ("origin".into(), format!("{number}{second} 0 0").as_str().into()),
            ];
            let mut entity = Entity::default();
            entity.pairs = pairs;
            level.entities.push(entity);
        }
        assert_eq!(level.player_start(), Some(Vec3::X * number as f32), "{class}");
    }
    let mut entity = Entity::default();
    entity.pairs = vec![
        ("Classname".into(), "info_player_start".into()),
        ("wait".into(), "1".into()),
        ("wait".into(), "2".into()),
    ];
    assert_eq!(entity.get("classname"), None);
    assert_eq!(entity.get("wait"), Some(&"1".into()));
    level.entities = vec![entity];
    assert_eq!(level.player_start(), None);
}

#[test]
fn defects_that_prevent_nothing_are_warnings() {
    let good = Bsp29::room();
    let warned = |change: &dyn Fn(&mut Bsp29)| {
        let mut bsp = good.clone();
        bsp.lumps[0] = br#"{ "classname" "worldspawn" } { "model" "*1" "classname" "func_door" }"#.to_vec();
        change(&mut bsp);
        let level = Level::from_bsp(&bsp.bytes()).unwrap();
        let messages: Vec<String> = level.warnings.iter().map(ToString::to_string).collect();
        (messages.join(", "), level)
    };
    let set = |bsp: &mut Bsp29, lump: usize, at: usize, bytes: &[u8]| {
        bsp.lumps[lump][at..at + bytes.len()].copy_from_slice(bytes);
    };
    assert_eq!(warned(&|_| {}).0, "");
    // The first plane is the room's side at +X, whose normal is -X.
    let (text, level) = warned(&|bsp| {
        set(bsp, PLANES, 0, &(-2f32).to_le_bytes());
        set(bsp, PLANES, 12, &(-128f32).to_le_bytes());
    });
    assert_eq!(text, "planes 0: the normal did not have length 1 and was normalized");
    assert!(level.is_solid(Vec3::X * 65.0) && !level.is_solid(Vec3::X * 63.0));
    let (text, level) = warned(&|bsp| set(bsp, FACES, 20 + 8, &2u16.to_le_bytes()));
    assert_eq!(text, "faces 1: the face has fewer than three edges and was skipped");
    assert_eq!(level.models[0].mesh.triangles().len(), 8);
    for (x, expected) in [(64.9f32, ""), (65.1, "faces 0: the face lies more than a unit off its plane")] {
        let (text, level) = warned(&|bsp| set(bsp, VERTICES, 0, &x.to_le_bytes()));
        assert_eq!(text, expected);
        assert!(level.models[0].mesh.vertices().iter().any(|vertex| vertex.x == x), "used unchanged");
    }
    for text in [r#"{ "a" "b" } { "c" "d""#, r#"{ "a" "b" } "c"#] {
        let (found, level) = warned(&|bsp| bsp.lumps[0] = text.as_bytes().to_vec());
        assert_eq!(found, "entities 1: the text ends inside a word or an entity", "{text}");
        assert_eq!(level.entities[0].get("a"), Some(&"b".into()));
    }
    let (text, level) = warned(&|bsp| bsp.lumps[0] = br#"{ "model" "*2" }"#.to_vec());
    assert_eq!(text, "entities 0: the entity's brush model does not exist");
    assert!(level.brush_entities.is_empty() && level.entities.len() == 1);
}

#[test]
fn files_of_other_formats_and_versions_are_refused() {
    for bytes in [&b""[..], b"BS", b"ABCDEFGH"] {
        let error = Level::from_bsp(bytes).unwrap_err();
        let found = (error.lump, error.record, error.message());
        assert_eq!(found, ("header", 0, "the file has no supported level format".to_owned()));
    }
    for (magic, good, bad) in [(*b"IBSP", 46, 39), (*b"FBSP", 1, 2), (*b"RBSP", 1, 0)] {
        let header = |version: i32| [&magic[..], &version.to_le_bytes()].concat();
        let error = Level::from_bsp(&header(bad)).unwrap_err();
        assert_eq!(error.message(), format!("version {bad} is not supported"));
        assert!(!Level::from_bsp(&header(good)).unwrap_err().message().contains("version"));
    }
    assert_eq!(Level::from_bsp(&28i32.to_le_bytes()).unwrap_err().message(), "version 28 is not supported");
}

#[test]
fn curves_are_within_four_units_in_each_direction_of_their_grid() {
    for (width, height, most) in [(300.0, 0.0, 4.0), (0.0, 300.0, 4.0), (900.0, 900.0, 8.0)] {
        let point = |number: i32| {
            let (x, y) = (number % 3 - 1, number / 3 - 1);
            let lift = |place: i32, high: f32| if place == 0 { high } else { 0.0 };
            Vec3::new(x as f32 * 500.0, y as f32 * 500.0, lift(x, width) + lift(y, height))
        };
        let vertices = (0..9).map(point).collect();
        let level = Quake3 { vertices, patch: [3; 2], surfaces: 1, models: vec![true], ..Quake3::default() };
        let level = Level::from_bsp(&level.bytes()).unwrap();
        let mut physics = Physics::default();
        physics.add_level(&level, LevelOptions::default()).unwrap();
        let mut worst = 0.0f32;
        for number in 0..400 {
            let [s, t] = [number % 20, number / 20].map(|step| (step as f32 + 0.5) / 20.0);
            let arc = |t: f32, high: f32| 2.0 * t * (1.0 - t) * high;
            let on = Vec3::new(s * 1000.0 - 500.0, t * 1000.0 - 500.0, arc(s, width) + arc(t, height));
            let [from, to] = [2000.0, -100.0].map(|z| on.with_z(z));
            let hit = hit(&mut physics, from, to, CollisionGroups::LEVEL).expect("the curve");
            worst = worst.max((hit.point.z - on.z).abs());
        }
        assert!((0.5..=most).contains(&worst), "{width} {height}: {worst}");
    }
}

#[test]
fn faults_are_reported_with_lump_record_and_byte() {
    let good = Bsp29::room();
    let with = |lump: usize, at: usize, bytes: &[u8]| {
        let mut bsp = good.clone();
        bsp.lumps[lump][at..at + bytes.len()].copy_from_slice(bytes);
        Level::from_bsp(&bsp.bytes()).unwrap_err()
    };
    let error = with(FACES, 20 * 3 + 10, &9u16.to_le_bytes());
    assert_eq!(error.message(), "texinfo is 9, but only 4 exist");
    assert_eq!((error.lump, error.record), ("faces", 3));
    let faces = good.lumps[..FACES].iter().map(Vec::len).sum::<usize>() + 124;
    assert_eq!(error.to_string(), format!("faces 3 at byte {}: texinfo is 9, but only 4 exist", faces + 60));
    let mut bsp = good.clone();
    bsp.lumps[TEXINFO].truncate(40);
    assert_eq!(Level::from_bsp(&bsp.bytes()).unwrap_err().message(), "texinfo is 1, but only 1 exists");
    assert_eq!(with(NODES, 24 * 2 + 4, &1i16.to_le_bytes()).message(), "the node is its own ancestor");
    let vertex = with(VERTICES, 8, &f32::NAN.to_le_bytes());
    assert_eq!(vertex.message(), "vertex is not finite, or beyond a million units");
    assert_eq!(with(PLANES, 0, &[0; 12]).message(), "the plane's normal has length 0");
    let edge = with(SURFEDGES, 4, &i32::MIN.to_le_bytes());
    assert!(edge.message().starts_with("edge is 2147483648, but only "), "{edge}");
    for length in 0..good.bytes().len() {
        let error = Level::from_bsp(&good.bytes()[..length]).expect_err("cut");
        assert!(!error.lump.is_empty());
    }
}

#[test]
fn a_plane_may_be_as_far_away_as_the_corners_of_the_world() {
    let with = |distance: f32| {
        let mut bsp = Bsp29::room();
        let slanted = Vec3::ONE.normalize();
        bsp.lumps[PLANES].extend([slanted.x, slanted.y, slanted.z, distance, 0.0].map(f32::to_le_bytes).concat());
        Level::from_bsp(&bsp.bytes()).map(|level| level.models.len())
    };
    let corner = Vec3::splat(1e6).length();
    assert_eq!([corner, -corner].map(with), [Ok(2), Ok(2)]);
    for distance in [1e7, -1e7, f32::INFINITY, f32::NAN] {
        let error = with(distance).unwrap_err();
        let expected = "distance is not finite, or beyond a million units";
        assert_eq!((error.lump, error.record, error.message().as_str()), ("planes", 12, expected), "{distance}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_of_a_level_may_be_changed(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=2usize, prop_oneof![
            any::<u32>(), 0u32..64, Just(u32::MAX), Just(f32::NAN.to_bits()), Just(f32::MAX.to_bits()), Just(1 << 31),
        ]), 1..8),
        magic in prop_oneof![Just(*b"\x1d\0\0\0"), Just(*b"\x1e\0\0\0"), Just(*b"BSP2"), Just(*b"2PSB"), Just(*b"IBSP"), Just(*b"FBSP")],
        version in 36i32..48,
    ) {
        let mut bytes = Bsp29::room().bytes();
        bytes[..4].copy_from_slice(&magic);
        if &magic[1..] == b"BSP" {
            bytes[4..8].copy_from_slice(&version.to_le_bytes());
        }
        for (index, width, value) in changes {
            let width = 2 * width;
            let at = width * index.index((bytes.len() - 8) / width) + 4;
            bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
        }
        if let Ok(level) = Level::from_bsp(&bytes) {
            let mut physics = Physics::default();
            physics.add_level(&level, LevelOptions::default().with_clip(true)).unwrap();
            hit(&mut physics, Vec3::new(40.0, 0.0, 0.0), Vec3::new(40.0, 0.0, -900.0), CollisionGroups::LEVEL);
        }
    }
}
