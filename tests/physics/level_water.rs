//! Water, slime and lava of levels: where they are, and what floats in them.

use crate::common;
use std::sync::Arc;

use crate::common::small_bsp::{Bsp29, LEAFS, MODELS, NODES, PLANES};
use crate::common::stage::{Rig, bind_pose, mannequin};
use skelobj::doll::Doll;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::physics::{Level, LevelLiquid, LevelOptions, LevelWater, Liquid, LiquidKind, Physics};
use skelobj::{Runtime, assets};

/// Returns a runtime with a level of the corpus and its water.
fn flooded(file: &str) -> Option<(Runtime, Vec<LevelWater>)> {
    let Some(shared) = common::shared() else {
        println!("SKIPPED {file}: no shared folder");
        return None;
    };
    let level = Level::from_bsp(&std::fs::read(shared.join("corpus/bsp").join(file)).unwrap()).unwrap();
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
    let waters = runtime.physics_mut().add_level_water(&level).unwrap();
    Some((runtime, waters))
}

/// Returns the kinds of liquid at a point.
fn kinds(physics: &Physics, waters: &[LevelWater], point: Vec3) -> Vec<LiquidKind> {
    let there = |water: &&LevelWater| physics.water(water.id).unwrap().contains(point);
    waters.iter().filter(there).map(|water| water.kind).collect()
}

/// Returns a limp mannequin of some density that lies face down at a place.
fn lying(runtime: Runtime, density: f32, at: Vec3) -> Rig {
    let model = Arc::new(mannequin());
    let mut doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll;
    doll.bodies.iter_mut().for_each(|body| body.density = density);
    let turn = skelobj::math::Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let entity = Mat3x4::from_translation_rotation_scale(at.to_array(), turn.to_array(), [1.0; 3]);
    let mut rig = Rig::new_in(runtime, bind_pose(&model), &Arc::new(doll), entity);
    rig.limp();
    rig
}

/// Simulates until the ragdoll sleeps, and returns the mean height of its bodies.
#[track_caller]
fn resting_height(rig: &mut Rig) -> f32 {
    let mut seconds = 0.0;
    while !rig.is_asleep() {
        assert!(seconds < 20.0, "awake");
        rig.update();
        rig.step(1.0 / 60.0);
        seconds += 1.0 / 60.0;
    }
    let bodies = rig.bodies();
    bodies.iter().map(|body| body.position.z).sum::<f32>() / bodies.len() as f32
}

#[test]
fn dolls_float_and_sink_in_the_pool_of_a_half_life_level() {
    let Some((runtime, waters)) = flooded("ericw/hl_liquids.bsp") else { return };
    assert_eq!(waters.len(), 1);
    assert_eq!(runtime.physics().water(waters[0].id).map(|water| water.liquid()), Some(Liquid::WATER));
    for (point, wet) in [
        (Vec3::new(120.0, -430.0, 17.0), true),
        (Vec3::new(120.0, -430.0, 63.9), true),
        (Vec3::new(120.0, -430.0, 64.1), false),
        (Vec3::new(65.0, -369.0, 40.0), true),
        (Vec3::new(120.0, -360.0, 40.0), false),
        (Vec3::new(120.0, -430.0, 10.0), false),
    ] {
        assert_eq!(kinds(runtime.physics(), &waters, point), vec![LiquidKind::Water; usize::from(wet)], "{point}");
    }
    let mut rig = lying(runtime, 0.95, Vec3::new(120.0, -400.0, 90.0));
    let height = resting_height(&mut rig);
    assert!((48.0..64.0).contains(&height), "{height}");
    let (runtime, _) = flooded("ericw/hl_liquids.bsp").unwrap();
    let height = resting_height(&mut lying(runtime, 2.0, Vec3::new(120.0, -400.0, 90.0)));
    assert!((16.0..32.0).contains(&height), "{height}");
}

#[test]
fn dolls_float_among_the_liquids_of_a_quake_2_level() {
    let Some((runtime, waters)) = flooded("ericw/q2_liquids.bsp") else { return };
    let found: Vec<LiquidKind> = waters.iter().map(|water| water.kind).collect();
    assert_eq!(found, [LiquidKind::Water, LiquidKind::Slime, LiquidKind::Lava]);
    for (point, expected) in [
        (Vec3::new(80.0, -144.0, 90.0), Some(LiquidKind::Water)),
        (Vec3::new(80.0, -144.0, 48.0), Some(LiquidKind::Lava)), // a brush of lava in the water
        (Vec3::new(-120.0, -72.0, 24.0), Some(LiquidKind::Lava)),
        (Vec3::new(-120.0, -120.0, 24.0), Some(LiquidKind::Slime)),
        (Vec3::new(-120.0, -168.0, 24.0), Some(LiquidKind::Water)),
        (Vec3::new(-24.0, 168.0, 24.0), None), // mist
        (Vec3::new(80.0, -144.0, 97.0), None),
    ] {
        assert_eq!(kinds(runtime.physics(), &waters, point), Vec::from_iter(expected), "{point}");
    }
    let mut rig = lying(runtime, 0.95, Vec3::new(80.0, -110.0, 120.0));
    let height = resting_height(&mut rig);
    assert!((75.0..97.0).contains(&height), "{height}");
}

#[test]
fn the_pool_of_one_map_is_the_same_in_every_format() {
    for format in ["bsp29", "bsp2", "2psb", "bsp30", "q2"] {
        let Some((runtime, waters)) = flooded(&format!("room/room_{format}.bsp")) else { return };
        for (point, wet) in [
            (Vec3::new(-64.0, -64.0, -9.0), true),
            (Vec3::new(-64.0, -64.0, -7.0), false),
            (Vec3::new(-1.0, -127.0, -63.0), true),
            (Vec3::new(2.0, -64.0, -30.0), false),
            (Vec3::new(100.0, 100.0, 8.0), false),
        ] {
            let expected = vec![LiquidKind::Water; usize::from(wet)];
            assert_eq!(kinds(runtime.physics(), &waters, point), expected, "{format} {point}");
        }
        let height = resting_height(&mut lying(runtime, 0.95, Vec3::new(-64.0, -40.0, 20.0)));
        assert!((-30.0..-6.0).contains(&height), "{format}: {height}");
    }
}

/// Returns a room whose lower half is liquid, and a crate of liquid 40 units up.
fn half_full(contents: i32, crate_class: &str) -> Bsp29 {
    let mut bsp = Bsp29::room();
    bsp.lumps[0] =
        format!(r#"{{ "classname" "worldspawn" }} {{ "classname" "{crate_class}" "model" "*1" "origin" "0 0 40" }}"#)
            .into_bytes();
    bsp.lumps[LEAFS].extend(contents.to_le_bytes());
    bsp.lumps[LEAFS].extend([0u8; 24]);
    let plane = bsp.count(PLANES, 20);
    bsp.lumps[PLANES].extend([0.0, 0.0, 1.0, 0.0f32].iter().flat_map(|number| number.to_le_bytes()));
    bsp.lumps[PLANES].extend([0u8; 4]);
    // The last node of the room has the empty leaf in front: a new node divides it at height 0.
    let node = bsp.count(NODES, 24);
    bsp.lumps[NODES][5 * 24 + 4..5 * 24 + 6].copy_from_slice(&(node as i16).to_le_bytes());
    bsp.lumps[NODES].extend((plane as i32).to_le_bytes());
    bsp.lumps[NODES].extend([-2i16, -3].map(i16::to_le_bytes).concat());
    bsp.lumps[NODES].extend([0u8; 16]);
    // The crate is full of the liquid.
    bsp.lumps[NODES][11 * 24 + 6..11 * 24 + 8].copy_from_slice(&(-3i16).to_le_bytes());
    bsp
}

#[test]
fn contents_of_quake_become_liquids_with_currents() {
    let speed = LevelLiquid::CURRENT_SPEED;
    for (contents, kind, current) in [
        (-3, LiquidKind::Water, Vec3::ZERO),
        (-4, LiquidKind::Slime, Vec3::ZERO),
        (-5, LiquidKind::Lava, Vec3::ZERO),
        (-9, LiquidKind::Water, Vec3::X),
        (-10, LiquidKind::Water, Vec3::Y),
        (-11, LiquidKind::Water, Vec3::NEG_X),
        (-12, LiquidKind::Water, Vec3::NEG_Y),
        (-13, LiquidKind::Water, Vec3::Z),
        (-14, LiquidKind::Water, Vec3::NEG_Z),
    ] {
        let level = Level::from_bsp(&half_full(contents, "func_door").bytes()).unwrap();
        let mut physics = Physics::default();
        let waters = physics.add_level_water(&level).unwrap();
        let [water] = waters[..] else { panic!("{contents}: {waters:?}") };
        assert_eq!((water.kind, water.entity), (kind, None));
        let water = physics.water(water.id).unwrap();
        assert_eq!(water.liquid(), kind.liquid().with_current(current * speed), "{contents}");
        assert!(water.contains(Vec3::new(63.0, -63.0, -1.0)) && !water.contains(Vec3::Z));
        assert!(!water.contains(Vec3::Z * -65.0) && !water.contains(Vec3::new(65.0, 0.0, -5.0)));
    }
    for contents in [-1, -2, -6, -8, -15, 3, i32::MIN] {
        let level = Level::from_bsp(&half_full(contents, "func_door").bytes()).unwrap();
        assert!(level.models.iter().all(|model| model.liquids.is_empty()), "{contents}");
    }
}

#[test]
fn water_entities_rise_with_their_origins() {
    let level = Level::from_bsp(&half_full(-3, "func_water").bytes()).unwrap();
    let mut physics = Physics::default();
    let waters = physics.add_level_water(&level).unwrap();
    assert_eq!(waters.iter().map(|water| water.entity).collect::<Vec<_>>(), [None, Some(0)]);
    let crate_water = waters[1].id;
    let contains = |physics: &Physics, z| physics.water(crate_water).unwrap().contains(Vec3::Z * z);
    assert!(
        contains(&physics, 55.0) && contains(&physics, 25.0) && !contains(&physics, 57.0) && !contains(&physics, 23.0)
    );
    physics.move_water(crate_water, Vec3::Z * 140.0).unwrap();
    assert!(contains(&physics, 155.0) && !contains(&physics, 55.0));
    // One level may be added often.
    for _ in 0..8190 {
        physics.add_level_water(&level).unwrap();
    }
    assert_eq!(physics.waters().count(), 16_382);
    assert_eq!(physics.add_level_water(&level), Err(skelobj::physics::WaterError::TooManyWaters));
    assert_eq!(physics.waters().count(), 16_382);
}

/// A file may chain its nodes instead of branching, and share them: loading and every step stay short.
#[test]
fn made_up_trees_cost_little() {
    let mut bsp = half_full(-3, "func_water");
    let first = bsp.count(NODES, 24);
    let planes = bsp.count(PLANES, 20);
    let count = 30_000;
    for number in 0..count {
        let height = 64.0 - number as f32 * 1e-3;
        bsp.lumps[PLANES].extend([0.0, 0.0, 1.0, height].iter().flat_map(|number| number.to_le_bytes()));
        bsp.lumps[PLANES].extend([0u8; 4]);
        bsp.lumps[NODES].extend(((planes + number) as i32).to_le_bytes());
        // Both sides lead to the next node, the last to water and air.
        let next = (first + number + 1) as u16;
        let [front, back] = if number + 1 < count { [next, next] } else { [0xfffe, 0xfffd] };
        bsp.lumps[NODES].extend([front, back].map(u16::to_le_bytes).concat());
        bsp.lumps[NODES].extend([0u8; 16]);
    }
    let head = bsp.lumps[MODELS].len() - 64 + 36;
    bsp.lumps[MODELS][head..head + 4].copy_from_slice(&(first as i32).to_le_bytes());
    let level = Level::from_bsp(&bsp.bytes()).unwrap();
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(-64.0).unwrap();
    assert_eq!(runtime.physics_mut().add_level_water(&level).unwrap().len(), 2);
    let mut rig = lying(runtime, 0.95, Vec3::ZERO);
    rig.run(0.2, |_| ());
    assert!(rig.bodies().iter().all(|body| body.position.is_finite()));
}

/// Returns a Quake 3 level of boxes of liquid, each with its shader's contents.
fn pools(boxes: &[(Vec3, Vec3, u32)]) -> Vec<u8> {
    let mut lumps = vec![Vec::new(); 17];
    let ints = |values: &[i32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    for (number, (mins, maxs, contents)) in (0i32..).zip(boxes) {
        lumps[1].extend([0; 68]);
        lumps[1].extend(contents.to_le_bytes());
        for (side, axis) in (6 * number..).zip([0, 1, 2, 0, 1, 2]) {
            let outward = if side % 6 < 3 { 1.0 } else { -1.0 };
            let mut normal = Vec3::ZERO;
            normal[axis] = outward;
            let distance = if outward > 0.0 { maxs[axis] } else { -mins[axis] };
            lumps[2].extend([normal.x, normal.y, normal.z, distance].iter().flat_map(|number| number.to_le_bytes()));
            lumps[9].extend(ints(&[side, number]));
        }
        lumps[8].extend(ints(&[6 * number, 6, number]));
    }
    lumps[7] = vec![0; 24];
    lumps[7].extend(ints(&[0, 0, 0, boxes.len() as i32]));
    let mut bytes = b"IBSP".to_vec();
    bytes.extend(ints(&[46]));
    let mut offset = 8 + 8 * lumps.len();
    for lump in &lumps {
        bytes.extend(ints(&[offset as i32, lump.len() as i32]));
        offset += lump.len();
    }
    bytes.extend(lumps.concat());
    bytes
}

#[test]
fn brushes_of_quake_3_are_full_of_liquid() {
    // A grid of pools, a few of them slime, among solid brushes.
    let mut boxes = Vec::new();
    for number in 0..400 {
        let mins = Vec3::new((number % 20) as f32 * 48.0, (number / 20) as f32 * 32.0, -(number as f32));
        let contents = [32, 32, 16, 1][number % 4];
        boxes.push((mins, mins + Vec3::new(40.0, 30.0, 20.0), contents));
    }
    // A large lake under all of them, of lava and water at once.
    boxes.push((Vec3::new(-99.0, -99.0, -900.0), Vec3::new(2000.0, 2000.0, -800.0), 8 | 32));
    let level = Level::from_bsp(&pools(&boxes)).unwrap();
    let mut runtime = Runtime::default();
    let waters = runtime.physics_mut().add_level_water(&level).unwrap();
    assert_eq!(
        waters.iter().map(|water| water.kind).collect::<Vec<_>>(),
        [LiquidKind::Water, LiquidKind::Slime, LiquidKind::Lava]
    );
    for (mins, maxs, contents) in boxes {
        let expected = match contents {
            1 => None,
            16 => Some(LiquidKind::Slime),
            32 => Some(LiquidKind::Water),
            _ => Some(LiquidKind::Lava),
        };
        for inset in [0.01, 0.5, 0.99] {
            let point = mins + (maxs - mins) * inset;
            assert_eq!(kinds(runtime.physics(), &waters, point), Vec::from_iter(expected), "{point}");
        }
        assert_eq!(kinds(runtime.physics(), &waters, maxs + Vec3::Y), [], "{maxs}");
    }
    let mut rig = lying(runtime, 0.95, Vec3::new(900.0, 900.0, -790.0));
    let height = resting_height(&mut rig);
    assert!((-806.0..-796.0).contains(&height), "{height}");
}
