#![cfg(feature = "ragdoll")]
use skelobj::math::{Quat, Vec3};
use skelobj::physics::rapier3d::prelude::*;
use skelobj::physics::*;
fn box_mesh(size: Vec3) -> SolidMesh {
    let half = size / 2.0;
    let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    let faces: Vec<[Vec3; 4]> = sides
        .map(|out| { let a = out.any_orthonormal_vector(); let b = out.cross(a);
            [a + b, b - a, -a - b, a - b].map(|corner| (out + corner) * half) }).collect();
    SolidMesh::from_polygons(faces.iter().map(|face| (face.as_slice(), 0))).unwrap()
}
#[test]
fn dbg() {
    for ccd in [false, true] { for soft in [0.0, 16.0] {
    for (speed, thick) in [(233.0, 16.0), (500.0, 16.0), (1000.0, 16.0), (1000.0, 2.0), (3000.0, 2.0)] {
        for kind in 0..2 {
            let mut out = String::new();
            for rate in [30.0f32, 60.0, 72.0, 144.0] { for size in [6.0f32, 12.0] { for off in [0.0f32, 1.7, 3.1, 5.3] {
                let mut physics = Physics::default();
                physics.add_floor(0.0);
                let size3 = Vec3::new(thick, 128.0, 128.0);
                let mesh = box_mesh(size3);
                let shape = if kind == 0 { LevelShape::Mesh(&mesh) } else { LevelShape::Box(size3) };
                let from = Vec3::new(0.0, 0.0, 64.0);
                let door = physics.add_mover(&[shape], from, Quat::IDENTITY).unwrap();
                let body = RigidBodyBuilder::dynamic().translation(Vec3::new(60.0+off, 0.0, size/2.0)).soft_ccd_prediction(soft).ccd_enabled(ccd);
                let col = ColliderBuilder::cuboid(size/2.0,size/2.0,size/2.0).mass(10.0).friction(0.0).friction_combine_rule(CoefficientCombineRule::Min).collision_groups(Layers::DOLLS.collider_groups());
                let body = physics.world_mut().insert(body, col).0;
                let frames = (0.5 * rate) as usize; let mut at = from;
                for f in 1..=frames { at = from + Vec3::X * (speed * f as f32 / rate); physics.move_part(door, at, Quat::IDENTITY).unwrap(); physics.advance(1.0/rate, |_, _| {}); }
                let x = physics.world().bodies[body].translation().x;
                out.push(if x > at.x + thick/2.0 { '.' } else { 'X' });
            }}}
            println!("ccd {ccd} soft {soft} speed {speed} thick {thick} {} {out}", ["mesh","box"][kind]);
        }
    }}}
}
#[test]
fn fly() {
    for ccd in [false, true] { for soft in [0.0, 16.0] {
    for (speed, doorspeed, thick) in [(1000.0, 0.0, 16.0), (3000.0, 0.0, 16.0), (1000.0, 0.0, 2.0), (3000.0, 0.0, 2.0), (1000.0, 233.0, 2.0), (3000.0, 233.0, 2.0), (1000.0, 1000.0, 2.0)] {
        for kind in 0..2 {
            let mut out = String::new();
            for rate in [60.0f32, 72.0] { for size in [3.0f32, 6.0, 12.0] { for off in 0..8 {
                let mut physics = Physics::default();
                physics.world_mut().gravity = Vec3::ZERO;
                let size3 = Vec3::new(thick, 128.0, 128.0);
                let mesh = box_mesh(size3);
                let shape = if kind == 0 { LevelShape::Mesh(&mesh) } else { LevelShape::Box(size3) };
                let from = Vec3::new(0.0, 0.0, 64.0);
                let door = physics.add_mover(&[shape], from, Quat::IDENTITY).unwrap();
                let body = RigidBodyBuilder::dynamic().translation(Vec3::new(200.0+off as f32 * 1.3, 5.0, 60.0)).linvel(Vec3::X * -speed).soft_ccd_prediction(soft).ccd_enabled(ccd);
                let col = ColliderBuilder::cuboid(size/2.0,size/2.0,size/2.0).mass(10.0).friction(0.0).friction_combine_rule(CoefficientCombineRule::Min).collision_groups(Layers::DOLLS.collider_groups());
                let body = physics.world_mut().insert(body, col).0;
                let frames = (0.4 * rate) as usize; let mut at = from;
                for f in 1..=frames { at = from + Vec3::X * (doorspeed * f as f32 / rate); if doorspeed > 0.0 { physics.move_part(door, at, Quat::IDENTITY).unwrap(); } physics.advance(1.0/rate, |_, _| {}); }
                let x = physics.world().bodies[body].translation().x;
                out.push(if x > at.x + thick/2.0 { '.' } else { 'X' });
            }}}
            println!("fly ccd {ccd} soft {soft} speed {speed} door {doorspeed} thick {thick} {} {out}", ["mesh","box"][kind]);
        }
    }}}
}
