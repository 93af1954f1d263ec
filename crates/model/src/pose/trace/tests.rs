//! Traces against a posed model: its skin and its hit boxes.

use super::{Crossing, PosedSkin, SkinHit, cross, trace_hit_boxes};
use crate::Model;
use crate::math::{Mat3x4, Quat, Vec3};
use crate::model::{HitBox, Mesh};
use crate::pose::{palette, skin_positions, to_model_space};

fn mannequin() -> Model {
    Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None).unwrap()
}

/// Returns the model-space bones of one pose of an animation, or of the bind pose.
fn bones(model: &Model, pose: Option<(&str, usize)>) -> Vec<Mat3x4> {
    let relative = match pose {
        Some((name, pose)) => {
            model.pose(&model.animations[model.find_animation(name.as_bytes()).unwrap()], pose).to_vec()
        }
        None => return model.skeleton.bind_model().to_vec(),
    };
    let mut bones = relative.clone();
    to_model_space(model.skeleton.parents(), &relative, &mut bones);
    bones
}

fn palette_of(model: &Model, bones: &[Mat3x4]) -> Vec<Mat3x4> {
    let mut out = bones.to_vec();
    palette(bones, model.skeleton.inverse_bind(), &mut out);
    out
}

fn trace_skin(meshes: &[Mesh], palette: &[Mat3x4], start: Vec3, end: Vec3) -> Option<SkinHit> {
    PosedSkin::new(meshes, palette).trace(meshes, start, end)
}

/// The plain definition: every triangle is compared with the line.
fn trace_each_triangle(meshes: &[Mesh], palette: &[Mat3x4], start: Vec3, end: Vec3) -> Option<SkinHit> {
    let along = end - start;
    let mut best: Option<SkinHit> = None;
    for (number, mesh) in meshes.iter().enumerate() {
        let mut places = vec![Vec3::ZERO; mesh.positions.len()];
        skin_positions(mesh, palette, &mut places);
        for (triangle, &indexes) in mesh.triangles.iter().enumerate() {
            let [Some(a), Some(b), Some(c)] = indexes.map(|index| places.get(index as usize).copied()) else {
                continue;
            };
            let corners = [a, b, c];
            let Some((fraction, weights)) = cross(start, along, corners) else { continue };
            let crossing = Crossing { fraction, mesh: (number, mesh), triangle, indexes, corners, weights };
            if best.is_none_or(|best| fraction < best.fraction) {
                best = crossing.hit(along).or(best);
            }
        }
    }
    best
}

#[test]
fn boxes_around_triangles_change_no_bit_of_a_hit() {
    let mut seed = 1u32;
    let mut number = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
    };
    let model = mannequin();
    let (mut hits, mut misses) = (0, 0);
    for (pose, size) in [(None, 1.0), (Some(("run", 3)), 1.0), (Some(("death", 30)), 64.0), (Some(("run", 9)), 0.01)] {
        let size = Mat3x4::from_columns(Vec3::X * size, Vec3::Y * size, Vec3::Z * size, Vec3::ZERO);
        let bones: Vec<Mat3x4> = bones(&model, pose).iter().map(|bone| size * *bone).collect();
        let palette = palette_of(&model, &bones);
        let middle = bones[10].origin();
        let reach = 45.0 * bones[10].forward().length();
        let skin = PosedSkin::new(&model.meshes, &palette);
        for shot in 0..1000 {
            let mut place = || middle + Vec3::new(number(), number(), number()) * reach;
            let (near, end) = (place(), place());
            // From near and from far, along axes, in planes of the mesh's symmetry, and of no length.
            let (start, end) = match shot % 8 {
                0 => (near + (near - end) * 1000.0, end),
                1 => (near.with_y(end.y), end),
                2 => (near.with_y(end.y).with_z(end.z), end),
                3 => (near.with_y(0.0), end.with_y(0.0)),
                4 => (end, end),
                _ => (near, end),
            };
            let plain = trace_each_triangle(&model.meshes, &palette, start, end);
            assert_eq!(skin.trace(&model.meshes, start, end), plain, "{start} to {end}");
            if plain.is_some() { hits += 1 } else { misses += 1 }
        }
    }
    assert!(hits > 300 && misses > 2000, "{hits} {misses}");
}

#[test]
fn lines_along_edges_and_in_planes_hit_as_they_would_each_triangle() {
    let mut seed = 7u32;
    let mut step = |count: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % count
    };
    for _ in 0..1000 {
        // Corners on a coarse lattice: many triangles have no area, are seen edge-on, or share an edge with the line.
        let mut lattice = || Vec3::new(step(3) as f32, step(3) as f32, step(3) as f32) * 8.0;
        let positions: Vec<[f32; 3]> = (0..60).map(|_| lattice().to_array()).collect();
        let (start, end) = (lattice() * 2.0, lattice());
        let triangles = (0..100).map(|_| [step(61), step(60), step(60)]).collect();
        let meshes = [Mesh { positions, triangles, ..Mesh::default() }];
        let (fast, plain) = (trace_skin(&meshes, &[], start, end), trace_each_triangle(&meshes, &[], start, end));
        assert_eq!(fast, plain, "{start} to {end}");
    }
}

#[test]
fn shots_at_a_bone_hit_its_skin_in_every_pose() {
    let model = mannequin();
    for pose in [None, Some(("run", 3)), Some(("death", 10))] {
        let bones = bones(&model, pose);
        let palette = palette_of(&model, &bones);
        for name in ["head", "chest", "thigh_l", "forearm_r", "shin_r"] {
            let bone = model.skeleton.find(name.as_bytes()).unwrap();
            // A little way into the limb, from all around it.
            let middle = bones[bone].transform_point(Vec3::Z * 3.0);
            let mut own = 0;
            for turn in 0..16 {
                let out = bones[bone].rotation() * Quat::from_rotation_z(turn as f32 * 0.39) * Vec3::X * 100.0;
                let hit = trace_skin(&model.meshes, &palette, middle + out, middle).expect("hit");
                assert!((hit.normal.length() - 1.0).abs() < 1e-5 && hit.normal.dot(out) >= 0.0);
                let place = middle + out * (1.0 - hit.fraction);
                let mesh = &model.meshes[hit.mesh];
                let mut places = vec![Vec3::ZERO; mesh.positions.len()];
                skin_positions(mesh, &palette, &mut places);
                let corner = places[mesh.triangles[hit.triangle][0] as usize];
                assert!((place - corner).dot(hit.normal).abs() < 1e-2, "{name}: {place} is not on its triangle");
                own += u32::from(hit.bone == Some(bone));
            }
            assert!(own >= 6, "{name} {pose:?}: {own} of 16");
        }
    }
}

#[test]
fn nearest_of_two_crossings_counts() {
    let square = |x: f32| [[x, -1.0, -1.0], [x, 1.0, -1.0], [x, 0.0, 1.0]];
    let mesh = |x| Mesh { positions: square(x).to_vec(), triangles: vec![[0, 1, 2]], ..Mesh::default() };
    let meshes = [mesh(30.0), mesh(10.0), mesh(20.0)];
    let hit = trace_skin(&meshes, &[], Vec3::ZERO, Vec3::X * 40.0).unwrap();
    assert_eq!((hit.fraction, hit.normal, hit.mesh, hit.bone), (0.25, -Vec3::X, 1, None));
    let back = trace_skin(&meshes, &[], Vec3::X * 40.0, Vec3::ZERO).unwrap();
    assert_eq!((back.fraction, back.normal, back.mesh), (0.25, Vec3::X, 0));
    assert!(trace_skin(&meshes, &[], Vec3::ZERO, Vec3::X * 9.0).is_none());
    assert!(trace_skin(&meshes, &[], Vec3::Y * 2.0, Vec3::new(40.0, 2.0, 0.0)).is_none());
}

#[test]
fn hit_boxes_are_hit_where_their_bones_are() {
    let turned = Mat3x4::from_rotation_translation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), Vec3::X * 50.0);
    let bones = [Mat3x4::IDENTITY, turned];
    let hit_box = |bone, group| HitBox { bone, group, mins: [-4.0, -2.0, -1.0], maxs: [4.0, 2.0, 1.0] };
    let boxes = [hit_box(1, 1), hit_box(0, 2), hit_box(7, 3)];
    let hit = trace_hit_boxes(&boxes, &bones, Vec3::X * 100.0, Vec3::ZERO).unwrap();
    assert!((hit.fraction - 0.48).abs() < 1e-5 && hit.normal.distance(Vec3::X) < 1e-5, "{hit:?}");
    assert_eq!(boxes[hit.hit_box].group, 1);
    let hit = trace_hit_boxes(&boxes, &bones, Vec3::new(3.0, 0.0, 11.0), Vec3::new(3.0, 0.0, -9.0)).unwrap();
    assert!((hit.fraction - 0.5).abs() < 1e-6 && hit.normal == Vec3::Z && boxes[hit.hit_box].bone == 0, "{hit:?}");
    let inside = trace_hit_boxes(&boxes, &bones, Vec3::ZERO, Vec3::Z * 50.0).unwrap();
    assert_eq!((inside.fraction, inside.normal), (0.0, Vec3::ZERO));
    assert!(trace_hit_boxes(&boxes, &bones, Vec3::new(3.0, 3.0, 10.0), Vec3::new(3.0, 3.0, -10.0)).is_none());
}

#[test]
fn normals_of_boxes_on_flattened_bones_stay_upright() {
    let flat = Mat3x4::from_columns(Vec3::new(1.0, 0.0, 0.5), Vec3::Y, Vec3::Z * 0.1, Vec3::ZERO);
    let boxes = [HitBox { bone: 0, group: 0, mins: [-10.0; 3], maxs: [10.0; 3] }];
    let hit = trace_hit_boxes(&boxes, &[flat], Vec3::Z * 50.0, Vec3::ZERO).unwrap();
    // The top side runs along the sheared forward axis.
    assert!(hit.normal.dot(flat.forward()).abs() < 1e-6 && hit.normal.z > 0.8, "{hit:?}");
}

#[test]
fn odd_traces_and_bones_hit_nothing() {
    let model = mannequin();
    let boxes = [HitBox { bone: 0, group: 0, mins: [-1.0; 3], maxs: [1.0; 3] }];
    for bad in [Vec3::NAN, Vec3::splat(f32::INFINITY)] {
        for [start, end] in [[bad, Vec3::ZERO], [Vec3::ZERO, bad]] {
            assert!(trace_skin(&model.meshes, model.skeleton.bind_model(), start, end).is_none());
            assert!(trace_hit_boxes(&boxes, model.skeleton.bind_model(), start, end).is_none());
        }
    }
    let (start, end) = (Vec3::X * 100.0, Vec3::X * -100.0);
    for bone in [Mat3x4::ZERO, Mat3x4([f32::NAN; 12]), Mat3x4([f32::MAX; 12])] {
        let palette = vec![bone; model.skeleton.len()];
        assert!(trace_skin(&model.meshes, &palette, start, end).is_none_or(|hit| hit.normal.is_finite()));
        assert!(trace_hit_boxes(&boxes, &palette, start, end).is_none_or(|hit| hit.normal.is_finite()));
    }
    assert!(trace_hit_boxes(&boxes, &[], start, end).is_none());
}
