//! Instructions of skinning per vertex. The counts are the same on every machine that has the level.
//!
//! `cargo bench -p skelobj-benches --no-default-features --bench skin_cost` runs each row below under valgrind's
//! callgrind with each level of vector instructions, and fails if a count exceeds its limit. With `-- LEVEL-ROW`, it
//! runs one for a profiler.

mod callgrind;

use std::hint::black_box;
use std::process::ExitCode;

use callgrind::measured;
use skelobj_model::math::{Mat3x4, Quat, Vec3};
use skelobj_model::model::{Influences, Mesh};
use skelobj_model::pose::raw::SimdLevel;
use skelobj_model::pose::{SkinOptions, SkinnedVertices, Skinner};

const BONES: usize = 75;
const VERTICES: usize = 1861;

/// Rows: name, vertices in a row with equal influences, with normals, limits for SSE2 and AVX2.
const ROWS: [(&str, usize, bool, [f64; 2]); 3] =
    [("positions", 10, false, [20.0, 16.0]), ("normals", 10, true, [37.0, 31.0]), ("unlike", 1, true, [86.0, 56.0])];
const LEVELS: [(&str, SimdLevel); 2] = [("sse2", SimdLevel::Sse2), ("avx2", SimdLevel::Avx2)];

fn main() -> ExitCode {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let Some(wanted) = wanted else { return report() };
    for (level, simd) in LEVELS {
        for (row, run, normals, _) in ROWS {
            if wanted == format!("{level}-{row}") {
                if !simd.select() {
                    eprintln!("this processor has no {level}");
                    return ExitCode::FAILURE;
                }
                skin(run, normals);
                return ExitCode::SUCCESS;
            }
        }
    }
    eprintln!("no such row: {wanted}");
    ExitCode::FAILURE
}

fn report() -> ExitCode {
    let mut failed = false;
    for (row, _, _, limits) in ROWS {
        for ((level, _), limit) in LEVELS.into_iter().zip(limits) {
            match callgrind::count(&format!("{level}-{row}")) {
                Some(count) => {
                    let each = count / VERTICES as f64;
                    let verdict = if each <= limit { "pass" } else { "FAIL" };
                    failed |= each > limit;
                    println!("{verdict} {row:10} {level}: {each:.1} instructions a vertex (limit {limit})");
                }
                None => println!("left out: {row} {level} needs valgrind and a processor that has the level"),
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn skin(run: usize, with_normals: bool) {
    let skinner = Skinner::new(&mesh(run));
    let bone = |bone: usize| {
        let turn = Quat::from_rotation_z(bone as f32);
        Mat3x4::from_rotation_translation(turn, Vec3::new(bone as f32, 1.0, 2.0))
    };
    let palette: Vec<Mat3x4> = (0..BONES).map(bone).collect();
    let mut positions = vec![Vec3::ZERO; VERTICES];
    let mut normals = vec![Vec3::ZERO; if with_normals { VERTICES } else { 0 }];
    measured(|| {
        let vertices = SkinnedVertices { positions: &mut positions, normals: &mut normals, tangents: &mut [] };
        skinner.skin(black_box(&palette), vertices, SkinOptions::default());
    });
    black_box((positions, normals));
}

/// Returns a mesh in which runs of `run` vertices have the same influences; with 1, no two vertices of the mesh have.
fn mesh(run: usize) -> Mesh {
    let influences = |vertex: usize| {
        let first = vertex / run * 7;
        let bones = [first, first + 1, first + 2, 0].map(|bone| (bone % BONES) as u16);
        let own = if run == 1 { vertex as f32 * 1e-4 } else { 0.0 };
        Influences { bones, weights: [0.5 - own, 0.3, 0.1 + own, 0.1] }
    };
    Mesh {
        positions: (0..VERTICES).map(|vertex| [vertex as f32 * 0.01, 1.0, 2.0]).collect(),
        normals: vec![[0.0, 0.6, 0.8]; VERTICES],
        influences: (0..VERTICES).map(influences).collect(),
        ..Mesh::default()
    }
}
