//! Corpses that fall on floors of every kind, and that are thrown at them faster than contacts look ahead.

use crate::common::stage;
use crate::common::stage::Stage;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::Build;
use skelobj::physics::{LevelShape, Physics, PhysicsSettings, SolidMesh, Winding};
use skelobj::ragdoll::Command;
use skelobj::runtime::ObjectId;
use skelobj::{Model, Runtime};

fn kill(runtime: &mut Runtime, object: ObjectId, entity: &Mat3x4) {
    for command in ["doll mannequin.doll", "animate 0"] {
        runtime.ragdoll_command(object, entity, Command::parse(command).unwrap(), None).unwrap();
    }
}

/// Floors at z = 0.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Floor {
    HalfSpace,
    Box,
    /// Box of 2 units.
    Plate,
    Hull,
    /// Triangles of 64 units.
    Mesh,
}

const FLOORS: [Floor; 5] = [Floor::HalfSpace, Floor::Box, Floor::Plate, Floor::Hull, Floor::Mesh];

impl Floor {
    fn add(self, factor: f32, physics: &mut Physics) {
        let solid =
            |thickness: f32| (Vec3::new(2048.0, 2048.0, thickness) * factor, Vec3::Z * (-0.5 * thickness * factor));
        let (size, centre) = solid(if self == Self::Plate { 2.0 } else { 256.0 });
        match self {
            Self::HalfSpace => physics.add_floor(0.0).unwrap(),
            Self::Box | Self::Plate => physics.add_box(centre, size, Quat::IDENTITY).unwrap(),
            Self::Hull => {
                let corner = |bits: u8| Vec3::from_array([1, 2, 4].map(|bit| if bits & bit == 0 { -0.5 } else { 0.5 }));
                let corners: Vec<Vec3> = (0..8).map(|bits| corner(bits) * size).collect();
                physics.add_level_body(&[LevelShape::Hull(&corners)], centre, Quat::IDENTITY).unwrap()
            }
            Self::Mesh => {
                let corner = |x: i32, y: i32| Vec3::new(x as f32 * 64.0 + 13.0, y as f32 * 64.0 + 27.0, 0.0) * factor;
                let squares = (-16..16).flat_map(|x| (-16..16).map(move |y| (x, y)));
                let squares: Vec<[Vec3; 4]> = squares
                    .map(|(x, y)| [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)])
                    .collect();
                let faces = squares.iter().map(|square| (&square[..], 0));
                let mesh = SolidMesh::from_polygons(faces, Winding::CounterClockwise).unwrap();
                physics.add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::ZERO, Quat::IDENTITY).unwrap()
            }
        };
    }
}

/// Throws a mannequin in a world of this scale, and returns how deep it is in the floor at most, in Quake units, and
/// the runtime.
fn thrown(floor: Floor, factor: f32, turn: Quat, velocity: Vec3, spin: Vec3) -> (f32, Stage) {
    let model: Model = stage::mannequin().scaled(factor).unwrap();
    let mut stage = Stage::new("mannequin.iqm", model, PhysicsSettings::default().scaled(factor));
    floor.add(factor, stage.runtime.physics_mut());
    let entity = Mat3x4::from_rotation_translation(turn, Vec3::Z * 300.0 * factor);
    let Stage { runtime, model, object, .. } = &mut stage;
    runtime.build(*object, *model, &FrameState::single(3, 0.2), &Build::REPLACE).unwrap();
    kill(runtime, *object, &entity);
    runtime.add_ragdoll_velocity(*object, velocity * factor, spin, entity.origin()).unwrap();
    let mut lowest = 0.0_f32;
    for _ in 0..90 {
        runtime.ragdoll_command(*object, &entity, Command::Update, None).unwrap();
        runtime.step(1.0 / 60.0).unwrap();
        lowest = lowest.min(runtime.ragdoll(*object).unwrap().lowest_point(runtime.physics()));
    }
    (-lowest / factor, stage)
}

#[test]
fn a_floor_holds_corpses_at_any_speed() {
    for number in 0..6 {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 0.6, 0.2).normalize(), number as f32 * 1.04);
        for speed in [700.0, 2000.0, 4000.0] {
            let away = Quat::from_rotation_z(number as f32) * Vec3::X;
            for (velocity, spin) in [
                (Vec3::NEG_Z * speed, Vec3::ZERO),
                (Vec3::NEG_Z * speed + away * 800.0, Vec3::ZERO),
                (Vec3::NEG_Z * speed, away * 15.0),
            ] {
                for floor in FLOORS {
                    let (depth, _) = thrown(floor, 1.0, turn, velocity, spin);
                    let most = if spin == Vec3::ZERO { 3.0 } else { 3.5 };
                    assert!(depth < most, "{floor:?}: {depth} at {velocity}, turning {spin}, turned {turn}");
                }
            }
        }
    }
}

#[test]
fn a_floor_holds_corpses_in_worlds_of_other_units() {
    for factor in [0.025, 0.25, 4.0] {
        let (depth, _) = thrown(Floor::HalfSpace, factor, Quat::from_rotation_y(1.0), Vec3::NEG_Z * 2000.0, Vec3::ZERO);
        assert!(depth < 3.0, "{depth} at {factor}");
    }
}

/// Contacts hold limbs that end a step a little within the level. If rapier stopped them at its surface, the rest of
/// the corpse would tear them from their joints: mean gaps on a box, a hull and a mesh would be 1.2 to 1.4 units.
#[test]
fn limbs_stay_in_their_joints_on_floors_of_every_kind() {
    for floor in [Floor::HalfSpace, Floor::Box, Floor::Hull, Floor::Mesh] {
        let (mut widest, mut deepest) = (Vec::new(), 0.0f32);
        for number in 0..40 {
            let mut stage = Stage::mannequin_on(|physics| floor.add(1.0, physics));
            let angle = number as f32 * 0.7;
            let turn = Quat::from_axis_angle(Vec3::new(angle.cos(), angle.sin(), 0.3).normalize(), number as f32 * 1.9);
            let entity = Mat3x4::from_rotation_translation(turn, Vec3::Z * 90.0);
            let Stage { runtime, model, object, .. } = &mut stage;
            runtime.build(*object, *model, &FrameState::single(3, 0.2), &Build::REPLACE).unwrap();
            kill(runtime, *object, &entity);
            runtime.add_ragdoll_velocity(*object, Vec3::ZERO, turn * Vec3::Y * 5.0, entity.origin()).unwrap();
            let mut gap = 0.0f32;
            for _ in 0..90 {
                stage.runtime.ragdoll_command(stage.object, &entity, Command::Update, None).unwrap();
                stage.step(1.0 / 60.0);
                gap = gap.max(stage.widest_gap());
                deepest = deepest.max(-stage.ragdoll().lowest_point(stage.runtime.physics()));
            }
            widest.push(gap);
        }
        widest.sort_by(f32::total_cmp);
        let mean = widest.iter().sum::<f32>() / widest.len() as f32;
        assert!(mean < 0.9 && widest[39] < 3.0 && deepest < 2.0, "{floor:?}: {mean}, {}, {deepest}", widest[39]);
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_restored_floor_holds_corpses_as_well() {
    let (_, stage) = thrown(Floor::HalfSpace, 1.0, Quat::IDENTITY, Vec3::NEG_Z * 100.0, Vec3::ZERO);
    let mut runtime = Runtime::default();
    runtime.set_files(stage::files);
    runtime.add_model("mannequin.iqm", stage::mannequin()).unwrap();
    runtime.restore(&stage.runtime.snapshot()).unwrap();
    let model = stage.model;
    let object = runtime.create_object(model, skelobj::object::Space::Local).unwrap();
    runtime.build(object, model, &FrameState::single(3, 0.2), &Build::REPLACE).unwrap();
    let entity = Mat3x4::from_translation(Vec3::new(400.0, 0.0, 300.0));
    kill(&mut runtime, object, &entity);
    runtime.add_ragdoll_velocity(object, Vec3::NEG_Z * 2000.0, Vec3::ZERO, entity.origin()).unwrap();
    for _ in 0..60 {
        runtime.ragdoll_command(object, &entity, Command::Update, None).unwrap();
        runtime.step(1.0 / 60.0).unwrap();
        let depth = -runtime.ragdoll(object).unwrap().lowest_point(runtime.physics());
        assert!(depth < 3.0, "{depth}");
    }
}
