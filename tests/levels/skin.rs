//! Skinning on the CPU.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Influences, Mesh};
use skelobj::pose::{NormalLength, SkinOptions, SkinnedVertices, Skinner, skin, skin_morphed, skin_positions};

use super::on_every_level;
use super::random::{INPUTS, Random, for_each_seed};

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
fn vertices_without_room_or_bones_are_left_out() {
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

/// Returns a mesh of every layout: runs in rows and apart, vertices with influences of their own, unused and repeated
/// bones, and vertices without any.
fn mixed(count: usize, bones: usize) -> Mesh {
    let mut mesh = mesh(count);
    // Products of positive numbers with -0 are all -0.
    mesh.positions.iter_mut().for_each(|position| position[1] = position[1].abs());
    mesh.tangents = mesh.normals.iter().map(|&[x, y, z]| [z, x, y, if x > 0.5 { 1.0 } else { -1.0 }]).collect();
    for (vertex, influences) in mesh.influences.iter_mut().enumerate() {
        let bone = |n: usize| ((vertex * 7 + n * 3) % bones) as u16;
        let own = vertex as f32 * 1e-3;
        *influences = match vertex % 37 {
            0..12 => Influences { bones: [1, 0, 3, 2], weights: [0.5, 0.0, 0.25, 0.25] },
            12 | 20 => Influences { bones: [bone(0); 4], weights: [0.0; 4] },
            13 => Influences { bones: [bone(0), bone(0), 0, 0], weights: [0.5, 0.5, 0.0, 0.0] },
            14..17 => Influences { bones: [bone(0), 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] },
            17..20 => Influences { bones: [bone(0), bone(1), 0, 0], weights: [1.0 - own, own, 0.0, 0.0] },
            21..24 => Influences { bones: [bone(0), bone(1), bone(2), 0], weights: [0.5, 0.3 - own, 0.2 + own, 0.0] },
            _ => Influences { bones: [0, 1, 2, 3].map(bone), weights: [0.4, 0.3 - own, 0.2 + own, 0.1] },
        };
    }
    mesh.influences.truncate(count - count / 9);
    mesh
}

/// Returns the first `count` matrices, of which some hold negative zeros and bone 4 makes everything vanish.
fn many_bones(count: usize) -> Vec<Mat3x4> {
    let bone = |n: usize| match n % 6 {
        4 => Mat3x4([-0.0; 12]),
        5 => Mat3x4([1.0, -0.0, 0.0, -0.0, 0.0, -1.0, -0.0, 0.0, 0.0, 0.0, 1.0, -0.0]),
        _ => palette()[n % 6],
    };
    (0..count).map(bone).collect()
}

/// Returns a mesh's vectors moved by scalar arithmetic in the order of FTE's sums.
fn by_scalars(mesh: &Mesh, palette: &[Mat3x4], vertex: usize) -> [[f32; 3]; 3] {
    let position = mesh.positions[vertex];
    let [normal, tangent] = [mesh.normals[vertex], mesh.tangents[vertex][..3].try_into().unwrap()];
    let Some(influences) = mesh.influences.get(vertex) else {
        return [position, unit(normal, normal), unit(tangent, tangent)];
    };
    let mut sum = [0.0f32; 12];
    for (&bone, &weight) in influences.bones.iter().zip(&influences.weights) {
        if let Some(bone) = palette.get(usize::from(bone)).filter(|_| weight > 0.0) {
            sum.iter_mut().zip(bone.0).for_each(|(sum, number)| *sum += number * weight);
        }
    }
    let row = |row: usize, [x, y, z]: [f32; 3]| sum[4 * row] * x + sum[4 * row + 1] * y + sum[4 * row + 2] * z;
    let turned = |from: [f32; 3]| unit([row(0, from), row(1, from), row(2, from)], from);
    [[0, 1, 2].map(|axis| row(axis, position) + sum[4 * axis + 3]), turned(normal), turned(tangent)]
}

fn unit([x, y, z]: [f32; 3], from: [f32; 3]) -> [f32; 3] {
    let scale = 1.0 / (x * x + y * y + z * z).sqrt();
    if scale.is_finite() && scale > 0.0 { [x * scale, y * scale, z * scale] } else { from }
}

#[test]
fn skinners_give_the_bits_of_scalars_on_every_level() {
    on_every_level(|level| {
        for (count, bones) in [(0, 6), (1, 6), (5, 6), (90, 6), (700, 6), (2000, 1500), (90, 3)] {
            let mesh = mixed(count, bones.max(6));
            let palette = many_bones(bones);
            let (mut positions, mut normals) = (vec![Vec3::NAN; count], vec![Vec3::NAN; count]);
            let mut tangents = vec![[f32::NAN; 4]; count];
            let skinner = Skinner::new(&mesh);
            let vertices =
                SkinnedVertices { positions: &mut positions, normals: &mut normals, tangents: &mut tangents };
            skinner.skin(&palette, vertices, SkinOptions::default());
            for vertex in 0..count {
                let expected = by_scalars(&mesh, &palette, vertex);
                let [x, y, z, side] = tangents[vertex];
                let found = [positions[vertex].to_array(), normals[vertex].to_array(), [x, y, z]];
                let bits = |vectors: [[f32; 3]; 3]| vectors.map(|vector| vector.map(f32::to_bits));
                assert_eq!(bits(found), bits(expected), "{level:?}: {vertex} of {count}: {found:?} {expected:?}");
                assert_eq!(side, mesh.tangents[vertex][3]);
            }
            let (mut alone, mut with_normals) =
                (vec![Vec3::NAN; count], [vec![Vec3::NAN; count], vec![Vec3::NAN; count]]);
            let vertices = SkinnedVertices { positions: &mut alone, ..SkinnedVertices::default() };
            skinner.skin(&palette, vertices, SkinOptions::default());
            let [first, second] = &mut with_normals;
            let vertices = SkinnedVertices { positions: first, normals: second, tangents: &mut [] };
            skinner.skin(&palette, vertices, SkinOptions::default());
            assert!(alone == positions && with_normals == [positions, normals], "{level:?}: the same bits for less");
        }
    });
}

/// Each vertex hangs on one of two bones, in every way in which up to nine vertices can.
#[test]
fn vertices_of_any_runs_go_where_their_own_bone_carries_them() {
    let heights = [0.0, 100.0];
    let palette = heights.map(|height| Mat3x4::from_translation(Vec3::Z * height));
    for count in 1..10 {
        for choice in 0..1 << count {
            let bone = |vertex: usize| choice >> vertex & 1;
            let influences =
                |vertex| Influences { bones: [bone(vertex) as u16, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] };
            let mesh = Mesh {
                positions: vec![[0.0; 3]; count],
                influences: (0..count).map(influences).collect(),
                ..Mesh::default()
            };
            let mut positions = vec![Vec3::NAN; count];
            let vertices = SkinnedVertices { positions: &mut positions, ..SkinnedVertices::default() };
            Skinner::new(&mesh).skin(&palette, vertices, SkinOptions::default());
            let expected: Vec<Vec3> = (0..count).map(|vertex| Vec3::Z * heights[bone(vertex)]).collect();
            assert_eq!(positions, expected, "{count} vertices, on bone 1 those of {choice:#b}");
        }
    }
}

#[test]
fn normals_without_a_direction_are_those_of_the_mesh() {
    let mesh = mixed(700, 6);
    let scaled = |scale: f32| Mat3x4::from_columns(Vec3::X * scale, Vec3::Y * scale, Vec3::Z * scale, Vec3::ONE);
    let palette = [1.0, 1e30, f32::NAN, 1e-30, 0.0, 2.0].map(scaled);
    on_every_level(|level| {
        let (mut positions, mut normals) = (vec![Vec3::NAN; 700], vec![Vec3::NAN; 700]);
        let vertices = SkinnedVertices { positions: &mut positions, normals: &mut normals, tangents: &mut [] };
        Skinner::new(&mesh).skin(&palette, vertices, SkinOptions::default());
        for (vertex, normal) in normals.iter().enumerate() {
            let [_, expected, _] = by_scalars(&mesh, &palette, vertex);
            assert_eq!(normal.to_array().map(f32::to_bits), expected.map(f32::to_bits), "{level:?}: {vertex}");
        }
    });
}

#[test]
fn skinners_fill_the_room_that_they_get() {
    let (mesh, palette) = (mixed(90, 6), many_bones(6));
    let skinner = Skinner::new(&mesh);
    for room in 0..90 {
        let (mut positions, mut tangents) = (vec![Vec3::NAN; room], vec![[f32::NAN; 4]; 90 - room]);
        let vertices = SkinnedVertices { positions: &mut positions, normals: &mut [], tangents: &mut tangents };
        skinner.skin(&palette, vertices, SkinOptions::default());
        assert!(positions.iter().all(|position| position.is_finite()), "{room}");
        assert!(tangents.iter().flatten().all(|number| number.is_finite()), "{room}");
        let [mut first, mut second] = [vec![Vec3::NAN; room], vec![Vec3::NAN; room]];
        let vertices = SkinnedVertices { positions: &mut first, normals: &mut second, tangents: &mut [] };
        skinner.skin(&palette, vertices, SkinOptions::default());
        assert!(first == positions && second.iter().all(|normal| normal.is_finite()), "{room}");
    }
    let bare = Skinner::new(&Mesh { normals: vec![], ..mesh });
    let mut normals = [Vec3::NEG_X; 9];
    let vertices = SkinnedVertices { normals: &mut normals, ..SkinnedVertices::default() };
    bare.skin(&palette, vertices, SkinOptions::default());
    assert_eq!(normals, [Vec3::NEG_X; 9], "a mesh without normals has none to write");
}

#[test]
fn reduced_frames_stay_within_the_allowed_error() {
    let (mesh, palette) = (mixed(700, 6), many_bones(6));
    let skinner = Skinner::new(&mesh);
    let run = |options: SkinOptions| {
        let (mut positions, mut normals) = (vec![Vec3::NAN; 700], vec![Vec3::NAN; 700]);
        let vertices = SkinnedVertices { positions: &mut positions, normals: &mut normals, tangents: &mut [] };
        skinner.skin(&palette, vertices, options);
        (positions, normals)
    };
    let (positions, normals) = run(SkinOptions::default());
    for length in [NormalLength::Exact, NormalLength::Newton, NormalLength::Unscaled] {
        let (fused, turned) = run(SkinOptions { normals: length, fused: true });
        for vertex in 0..700 {
            assert!((fused[vertex] - positions[vertex]).length() < 1e-3);
            let found = match length {
                NormalLength::Unscaled => turned[vertex].normalize_or(mesh.normals[vertex].into()),
                _ => turned[vertex],
            };
            assert!((found - normals[vertex]).length() < 0.00066, "{length:?}: {vertex}: {found} {}", normals[vertex]);
        }
    }
}

/// Returns the influences of a vertex: up to four bones, some of them twice, without weight or unknown to the palette.
fn influences(random: &mut Random, bones: usize) -> Influences {
    let mut influences = Influences { bones: [0; 4], weights: [0.0; 4] };
    for place in 0..random.below(5) {
        influences.bones[place] = random.below(bones + 1) as u16;
        influences.weights[place] = if random.once_in(8) { 0.0 } else { random.between(0.01, 1.0) };
    }
    influences
}

/// Returns a mesh whose vertices have influences in common, in runs and with gaps between them.
fn random_mesh(random: &mut Random, bones: usize) -> Mesh {
    let most = if random.once_in(100) { 200 } else { 40 };
    let count = 1 + random.below(most);
    let kinds: Vec<Influences> = (0..1 + random.below(6)).map(|_| influences(random, bones)).collect();
    let (mut kind, stays) = (kinds[0], 1 + random.below(5));
    let mut next = || {
        if random.once_in(stays) {
            kind = if random.once_in(6) { influences(random, bones) } else { random.of(&kinds) };
        }
        kind
    };
    let influences = (0..count).map(|_| next()).collect();
    let mut vector = |most: f32| [(); 3].map(|()| random.between(-most, most));
    let mut mesh = Mesh { positions: (0..count).map(|_| vector(100.0)).collect(), influences, ..Mesh::default() };
    mesh.normals = (0..count).map(|_| Vec3::from(vector(1.0)).normalize_or(Vec3::Z).to_array()).collect();
    mesh.tangents = (0..count)
        .map(|_| {
            let [x, y, z] = Vec3::from(vector(1.0)).normalize_or(Vec3::X).to_array();
            [x, y, z, vector(1.0)[0].signum()]
        })
        .collect();
    if random.once_in(4) {
        mesh.influences.truncate(random.below(count + 1));
    }
    mesh
}

/// Returns a palette of rigid, scaled, sheared and flat matrices.
fn random_palette(random: &mut Random, bones: usize) -> Vec<Mat3x4> {
    let form = random.below(4);
    let mut bone = || {
        let mut number = |most: f32| random.between(-most, most);
        let turn = Quat::from_xyzw(number(1.0), number(1.0), number(1.0), 1.0).normalize();
        let rigid = Mat3x4::from_rotation_translation(turn, Vec3::new(number(50.0), number(50.0), number(50.0)));
        match form {
            0 => rigid,
            1 => rigid * Mat3x4::from_columns(Vec3::X * 1.5, Vec3::Y * 1.5, Vec3::Z * 1.5, Vec3::ZERO),
            2 => rigid * Mat3x4([(); 12].map(|()| number(2.0))),
            _ if random.once_in(4) => Mat3x4::ZERO,
            _ => rigid,
        }
    };
    (0..bones).map(|_| bone()).collect()
}

/// Returns numbers without the sign of zeros, which may differ.
fn unsigned(numbers: [f32; 3]) -> [f32; 3] {
    numbers.map(|number| number + 0.0)
}

/// Compares a direction of any length with the one that the matrices give.
fn assert_direction(found: [f32; 3], expected: [f32; 3], options: SkinOptions, of: &str) {
    match options {
        SkinOptions { normals: NormalLength::Exact, fused: false } => {
            assert_eq!(unsigned(found), unsigned(expected), "{of}");
        }
        // A mean of directions that nearly vanishes is lost in rounding.
        SkinOptions { normals: NormalLength::Unscaled, .. } => {
            let found = Vec3::from(found);
            assert!(
                (found.normalize_or(expected.into()) - Vec3::from(expected)).length() < 2e-3 / found.length(),
                "{of}"
            );
        }
        _ => assert!((Vec3::from(found) - Vec3::from(expected)).length() < 3e-3, "{of}: {found:?} for {expected:?}"),
    }
}

#[test]
fn skinners_give_what_the_definition_gives() {
    for_each_seed(INPUTS, |random| {
        let most = if random.once_in(100) { 600 } else { 6 };
        let bones = 1 + random.below(most);
        let (mesh, palette) = (random_mesh(random, bones), random_palette(random, bones));
        let count = mesh.positions.len();
        let expected: Vec<[[f32; 3]; 3]> = (0..count).map(|vertex| by_scalars(&mesh, &palette, vertex)).collect();
        let normals = random.of(&[NormalLength::Exact, NormalLength::Newton, NormalLength::Unscaled]);
        let options = SkinOptions { normals, fused: random.once_in(2) };
        let mut room = || if random.once_in(3) { random.below(count + 1) } else { count };
        // Slices of other lengths take other ways through the kernel.
        let rooms = [[room(), room(), room()], [count, 0, 0], [count, count, 0]];
        let [for_positions, for_normals, for_tangents] = random.of(&rooms);
        let skinner = Skinner::new(&mesh);
        on_every_level(|level| {
            let mut positions = vec![Vec3::NAN; for_positions];
            let mut normals = vec![Vec3::NAN; for_normals];
            let mut tangents = vec![[f32::NAN; 4]; for_tangents];
            let vertices =
                SkinnedVertices { positions: &mut positions, normals: &mut normals, tangents: &mut tangents };
            skinner.skin(&palette, vertices, options);
            for (vertex, [position, normal, tangent]) in expected.iter().enumerate() {
                let of = format!("{level:?}, {options:?}: vertex {vertex} of {count}");
                if let Some(found) = positions.get(vertex) {
                    let off = (*found - Vec3::from(*position)).abs().max_element();
                    let most = if options.fused { 1e-2 } else { 0.0 };
                    assert!(off <= most, "{of}: {found} for {position:?}");
                }
                if let Some(found) = normals.get(vertex) {
                    assert_direction(found.to_array(), *normal, options, &of);
                }
                if let Some([x, y, z, side]) = tangents.get(vertex) {
                    assert_direction([*x, *y, *z], *tangent, options, &of);
                    assert_eq!(*side, mesh.tangents[vertex][3], "{of}");
                }
            }
        });
        let (mut positions, mut normals) = (vec![Vec3::NAN; count], vec![Vec3::NAN; count]);
        let mut alone = positions.clone();
        skin(&mesh, &palette, &mut positions, &mut normals);
        skin_positions(&mesh, &palette, &mut alone);
        assert_eq!(positions, alone);
        for (vertex, [position, normal, _]) in expected.iter().enumerate() {
            assert_eq!(unsigned(positions[vertex].to_array()), unsigned(*position), "vertex {vertex}");
            assert_eq!(unsigned(normals[vertex].to_array()), unsigned(*normal), "vertex {vertex}");
        }
        let (mut positions, mut normals): (Vec<Vec3>, Vec<Vec3>) =
            (0..count).map(|vertex| (Vec3::from(mesh.positions[vertex]), Vec3::from(mesh.normals[vertex]))).unzip();
        skin_morphed(&mesh, &palette, &mut positions, &mut normals);
        assert_eq!(positions, alone);
        for (vertex, [_, normal, _]) in expected.iter().enumerate() {
            assert!((normals[vertex] - Vec3::from(*normal)).length() < 1e-4, "vertex {vertex}, morphed");
        }
    });
}
