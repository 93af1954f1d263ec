//! Skinning on the CPU.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Influences, Mesh};
use skelobj::pose::{skin, skin_positions};

fn palette() -> Vec<Mat3x4> {
    let bone = |n: usize| {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, n as f32, 0.3, 0.1 * n as f32);
        Mat3x4::from_rotation_translation(turn, Vec3::new(n as f32, -2.0, 5.0))
    };
    (0..6).map(bone).collect()
}

/// Returns `count` vertices, each on its own bones or on those of its neighbour.
fn mesh(count: usize) -> Mesh {
    let influences = |vertex: usize| {
        let bones = [0, 1, 2, 3].map(|n| ((vertex / 2 + n) % 6) as u16);
        let weights = if vertex.is_multiple_of(5) { [1.0, 0.0, 0.0, 0.0] } else { [0.5, 0.25, 0.25, 0.0] };
        Influences { bones, weights }
    };
    Mesh {
        positions: (0..count).map(|n| [n as f32, 1.0 - n as f32, 0.5]).collect(),
        normals: (0..count).map(|n| Vec3::new(1.0, n as f32, 2.0).normalize().to_array()).collect(),
        influences: (0..count).map(influences).collect(),
        ..Mesh::default()
    }
}

fn expected(mesh: &Mesh, vertex: usize) -> (Vec3, Vec3) {
    let Influences { bones, weights } = mesh.influences[vertex];
    let (mut position, mut normal) = (Vec3::ZERO, Vec3::ZERO);
    for (bone, weight) in bones.into_iter().zip(weights) {
        let bone = palette()[usize::from(bone)];
        position += bone.transform_point(mesh.positions[vertex].into()) * weight;
        normal += bone.transform_vector(mesh.normals[vertex].into()) * weight;
    }
    (position, normal.normalize())
}

#[test]
fn every_vertex_goes_where_its_bones_carry_it() {
    for count in [0, 1, 3, 4, 7, 21] {
        let mesh = mesh(count);
        let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
        skin(&mesh, &palette(), &mut positions, &mut normals);
        for vertex in 0..count {
            let (position, normal) = expected(&mesh, vertex);
            assert!(
                (positions[vertex] - position).length() < 1e-4,
                "{vertex} of {count}: {} {position}",
                positions[vertex]
            );
            assert!((normals[vertex] - normal).length() < 1e-5, "{vertex} of {count}: {} {normal}", normals[vertex]);
        }
        let mut alone = vec![Vec3::ZERO; count];
        skin_positions(&mesh, &palette(), &mut alone);
        assert_eq!(alone, positions, "the same bits with and without normals");
    }
}

#[test]
fn what_has_no_room_or_no_bones_is_left_out() {
    let mut mesh = mesh(9);
    let (mut positions, mut normals) = (vec![Vec3::NEG_X; 9], vec![Vec3::NEG_X; 6]);
    skin(&mesh, &palette(), &mut positions, &mut normals);
    assert!((0..6).all(|vertex| (positions[vertex] - expected(&mesh, vertex).0).length() < 1e-4));
    assert_eq!(positions[6..], [Vec3::NEG_X; 3], "both need room");

    // The palette of another model.
    mesh.influences[2].bones = [77, 65_535, 77, 77];
    skin(&mesh, &palette(), &mut positions, &mut normals);
    assert_eq!(normals[2], Vec3::from(mesh.normals[2]), "a normal that would vanish stays as it was");
    assert!(positions.iter().chain(&normals).all(|v| v.is_finite()));

    mesh.influences.clear();
    skin(&mesh, &palette(), &mut positions, &mut normals);
    assert_eq!(positions[5], Vec3::from(mesh.positions[5]));
    assert!((normals[5] - Vec3::from(mesh.normals[5])).length() < 1e-6);

    mesh.normals.clear();
    positions.fill(Vec3::ZERO);
    skin(&mesh, &palette(), &mut positions, &mut []);
    assert_eq!(positions[8], Vec3::from(mesh.positions[8]), "positions move without normals");
}
