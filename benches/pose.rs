//! Speed of posing and skinning a character of 75 bones, compared with `glam::Mat4` and with scalar loops.
//!
//! The numbers at the end are nanoseconds per bone (or vertex), medians of one run.

mod loops;
mod median;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use skelobj::glam::{EulerRot, Mat4, Quat, Vec3, Vec4};
use skelobj::math::Mat3x4;
use skelobj::model::{Animation, Blend, Bone, FrameState, Influences, Mesh, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::pose::{self, PoseSource, palette, skin, to_model_space};
use skelobj::{Model, SkeletalObject};

const BONES: usize = 75;
const FRAMES: usize = 101;
const VERTICES: usize = 1861;

/// Returns a rotation and a position that differ by bone and frame.
fn placed(bone: usize, frame: usize) -> (Quat, Vec3) {
    let (bone, frame) = (bone as f32, frame as f32);
    let turn = Quat::from_euler(EulerRot::XYZ, (bone * 0.7 + frame * 0.05).sin(), (frame * 0.1).cos() * 0.3, 0.2);
    (turn, Vec3::new(3.0, (bone + frame * 0.02).sin(), 0.5))
}

/// Returns the parent of a bone: chains of a dozen bones that branch off the first.
fn parent(bone: usize) -> Option<usize> {
    bone.checked_sub(1).map(|before| if before % 12 == 0 { 0 } else { before })
}

fn model() -> Model {
    let matrix = |bone, frame| {
        let (turn, place) = placed(bone, frame);
        Mat3x4::from_rotation_translation(turn, place)
    };
    let bone =
        |bone: usize| Bone { name: format!("bone{bone}").as_str().into(), parent: parent(bone), bind: matrix(bone, 0) };
    let skeleton = Skeleton::new((0..BONES).map(bone).collect()).expect("parents stand before children");
    let frames = (0..FRAMES).flat_map(|frame| (0..BONES).map(move |bone| matrix(bone, frame))).collect();
    let animations = vec![Animation::frames("all", 0, FRAMES as u32, 30.0, true)];
    Model { skeleton, frames, animations, meshes: vec![mesh(10), mesh(1)], ..Model::default() }
}

/// Returns a skin in which runs of `run` vertices have the same influences.
fn mesh(run: usize) -> Mesh {
    let influences = |vertex: usize| {
        let first = vertex / run * 7;
        let bones = [first, first + 1, first + 2, 0].map(|bone| (bone % BONES) as u16);
        Influences { bones, weights: [0.5, 0.3, 0.1, 0.1] }
    };
    Mesh {
        positions: (0..VERTICES).map(|vertex| [vertex as f32 * 0.01, 1.0, 2.0]).collect(),
        normals: vec![[0.0, 0.6, 0.8]; VERTICES],
        influences: (0..VERTICES).map(influences).collect(),
        ..Mesh::default()
    }
}

/// Model as a program with glam alone would store it.
struct Naive {
    parents: Vec<Option<usize>>,
    frames: Vec<Mat4>,
    inverse_bind: Vec<Mat4>,
    relative: Vec<Mat4>,
    absolute: Vec<Mat4>,
    palette: Vec<Mat4>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Naive {
    fn new() -> Self {
        let matrix = |bone, frame| {
            let (turn, place) = placed(bone, frame);
            Mat4::from_rotation_translation(turn, place)
        };
        let mut naive = Self {
            parents: (0..BONES).map(parent).collect(),
            frames: (0..FRAMES).flat_map(|frame| (0..BONES).map(move |bone| matrix(bone, frame))).collect(),
            inverse_bind: Vec::new(),
            relative: (0..BONES).map(|bone| matrix(bone, 0)).collect(),
            absolute: vec![Mat4::IDENTITY; BONES],
            palette: vec![Mat4::IDENTITY; BONES],
            positions: vec![Vec3::ZERO; VERTICES],
            normals: vec![Vec3::ZERO; VERTICES],
        };
        naive.model_space();
        naive.inverse_bind = naive.absolute.iter().map(Mat4::inverse).collect();
        naive
    }

    fn build(&mut self, time: f32) {
        let pose = time * 30.0;
        let (a, fraction) = (pose as usize % FRAMES, pose.fract());
        let b = (a + 1) % FRAMES;
        for (bone, relative) in self.relative.iter_mut().enumerate() {
            *relative = self.frames[a * BONES + bone] * (1.0 - fraction) + self.frames[b * BONES + bone] * fraction;
        }
    }

    fn model_space(&mut self) {
        for bone in 0..BONES {
            let relative = self.relative[bone];
            self.absolute[bone] = self.parents[bone].map_or(relative, |parent| self.absolute[parent] * relative);
        }
    }

    fn palette(&mut self) {
        for ((out, absolute), inverse) in self.palette.iter_mut().zip(&self.absolute).zip(&self.inverse_bind) {
            *out = *absolute * *inverse;
        }
    }

    fn skin(&mut self, mesh: &Mesh) {
        for vertex in 0..VERTICES {
            let Influences { bones, weights } = mesh.influences[vertex];
            let blended = bones.iter().zip(weights).map(|(&bone, weight)| self.palette[usize::from(bone)] * weight);
            let matrix = blended.fold(Mat4::from_cols(Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, Vec4::ZERO), |a, b| a + b);
            self.positions[vertex] = matrix.transform_point3(mesh.positions[vertex].into());
            self.normals[vertex] = matrix.transform_vector3(mesh.normals[vertex].into()).normalize();
        }
    }
}

/// Returns a time that advances with every call.
fn later(time: &mut f32) -> f32 {
    *time = (*time + 0.0137) % 3.0;
    *time
}

fn pose(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pose");
    group.sample_size(30).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let model = Arc::new(model());
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    let mut naive = Naive::new();
    let (mut ours_time, mut naive_time) = (0.0, 0.0);
    let mut absolute = vec![Mat3x4::IDENTITY; BONES];
    let mut matrices = absolute.clone();
    let mut table = Vec::new();

    let ours = median::median(&mut group, "build/ours", || {
        let frame = FrameState::single(0, later(&mut ours_time).into());
        object.build(&model, &frame, &Build::REPLACE)
    });
    let theirs = median::median(&mut group, "build/Mat4", || naive.build(later(&mut naive_time)));
    table.push(("build, two frames", BONES, ours, theirs));

    // Both start at the same time.
    let _ = object.build(&model, &FrameState::single(0, 1.01), &Build::REPLACE);
    naive.build(1.01);
    let relative = object.pose().bones();
    let ours = median::median(&mut group, "model space/ours", || {
        to_model_space(model.skeleton.parents(), black_box(relative), &mut absolute);
    });
    let theirs = median::median(&mut group, "model space/Mat4", || black_box(&mut naive).model_space());
    table.push(("model space", BONES, ours, theirs));

    let ours = median::median(&mut group, "palette/ours", || {
        palette(black_box(&absolute), model.skeleton.inverse_bind(), &mut matrices);
    });
    let theirs = median::median(&mut group, "palette/Mat4", || black_box(&mut naive).palette());
    table.push(("palette", BONES, ours, theirs));

    let ours = median::median(&mut group, "build to palette/ours", || {
        let frame = FrameState::single(0, later(&mut ours_time).into());
        let built = object.build(&model, &frame, &Build::REPLACE);
        object.write_palette(&mut matrices);
        built
    });
    let theirs = median::median(&mut group, "build to palette/Mat4", || {
        naive.build(later(&mut naive_time));
        naive.model_space();
        naive.palette();
    });
    table.push(("build to palette", BONES, ours, theirs));

    let mut positions = vec![Vec3::ZERO; VERTICES];
    let mut normals = positions.clone();
    for (mesh, what) in model.meshes.iter().zip(["skin, runs of ten", "skin, no two alike"]) {
        let ours = median::median(&mut group, &format!("{what}/ours"), || {
            skin(mesh, black_box(&matrices), &mut positions, &mut normals);
        });
        let theirs = median::median(&mut group, &format!("{what}/Mat4"), || black_box(&mut naive).skin(mesh));
        table.push((what, VERTICES, ours, theirs));
    }
    group.finish();

    print("Mat4", &table);
}

/// Prints medians a bone: ours, those of `theirs`, and the ratio.
fn print(theirs: &str, table: &[(&str, usize, Option<f64>, Option<f64>)]) {
    println!("{:24} {:>8} {theirs:>8} {:>7}", "ns a bone or vertex", "ours", "ratio");
    for &(what, count, ours, theirs) in table {
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            let each = |seconds: f64| seconds * 1e9 / count as f64;
            println!("{what:24} {:8.2} {:8.2} {:6.1}x", each(ours), each(theirs), theirs / ours);
        }
    }
}

/// Poses crowds beside scalar loops that take the same poses with the same weights.
fn beside_loops(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("loops");
    group.sample_size(30).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let model = Arc::new(model());
    let (parents, inverse_bind) = (model.skeleton.parents(), model.skeleton.inverse_bind());
    let mut crowd: Vec<_> = (0..10_000).map(|_| SkeletalObject::new(model.clone(), Space::Local)).collect();
    let mut out = vec![Mat3x4::IDENTITY; BONES];
    let frames = loops::cells(&model.frames);
    let plain = loops::cells(&vec![Mat3x4::IDENTITY; crowd.len() * BONES]);
    let [buffer, placed, plain_out] = [(); 3].map(|()| loops::cells(&out));
    let plain_inverse_bind = loops::cells(inverse_bind);
    let (mut ours_time, mut their_time) = (0.0, 0.0);
    let mut table = Vec::new();
    // The poses of a time, as the loops get them, with their weights.
    let shown = |time: f32, weight: f32| {
        let pose = time * 30.0;
        let [a, b] = [0, 1].map(|next| &frames[(pose as usize + next) % FRAMES * BONES..][..BONES]);
        [(a, (1.0 - pose.fract()) * weight), (b, pose.fract() * weight)]
    };
    let two =
        |time: f32| FrameState::blended([Blend::new(0, time.into(), 0.7), Blend::new(0, f64::from(time) + 0.1, 0.3)]);

    let ours = median::median(&mut group, "sample/ours", || {
        let frame = FrameState::single(0, later(&mut ours_time).into());
        pose::sample(PoseSource { model: &model, frame: &frame }, 0..BONES, &mut out)
    });
    let theirs = median::median(&mut group, "sample/loops", || {
        loops::sample(&shown(later(&mut their_time), 1.0), &buffer);
    });
    table.push(("sample", BONES, ours, theirs));

    let ours = median::median(&mut group, "blend/ours", || {
        let frame = two(later(&mut ours_time));
        pose::sample(PoseSource { model: &model, frame: &frame }, 0..BONES, &mut out)
    });
    let theirs = median::median(&mut group, "blend/loops", || {
        let time = later(&mut their_time);
        let ([a, b], [c, d]) = (shown(time, 0.7), shown(time + 0.1, 0.3));
        loops::sample(&[a, b, c, d], &buffer);
    });
    table.push(("blend two animations", BONES, ours, theirs));

    let ours = median::median(&mut group, "retain and add/ours", || {
        let frame = FrameState::single(0, later(&mut ours_time).into());
        pose::sample_over(PoseSource { model: &model, frame: &frame }, 0..BONES, 0.75, 0.25, &mut out)
    });
    let theirs = median::median(&mut group, "retain and add/loops", || {
        loops::scale(&plain[..BONES], 0.75);
        loops::sample(&shown(later(&mut their_time), 1.0), &buffer);
        loops::add(&plain[..BONES], &buffer, 0.25);
    });
    table.push(("retain and add", BONES, ours, theirs));

    let local = model.pose(&model.animations[0], 3);
    let plain_local = loops::cells(local);
    let ours = median::median(&mut group, "model space/ours", || to_model_space(parents, black_box(local), &mut out));
    let theirs = median::median(&mut group, "model space/loops", || {
        loops::model_space(parents, black_box(&plain_local), &placed);
    });
    table.push(("model space", BONES, ours, theirs));

    let object = &mut crowd[0];
    let ours = median::median(&mut group, "each bone/ours", || {
        let _ = object.set_bone(0, local[0]);
        let bones = (0..BONES).filter_map(|bone| object.model_space(bone));
        (bones.map(|bone| bone.0[3]).sum::<f32>(), object.model_space(BONES - 1))
    });
    let theirs = median::median(&mut group, "each bone/loops", || {
        (0..BONES).map(|bone| loops::bone(parents, black_box(&plain_local), bone).0[3]).sum::<f32>()
    });
    table.push(("each bone, changed", BONES, ours, theirs));
    let ours = median::median(&mut group, "each bone again/ours", || {
        (0..BONES).filter_map(|bone| black_box(&*object).model_space(bone)).map(|bone| bone.0[3]).sum::<f32>()
    });
    table.push(("each bone, asked again", BONES, ours, theirs));

    let crowds = [
        (1, "to palette, 1 object"),
        (100, "to palette, 100"),
        (1000, "to palette, 1,000"),
        (10_000, "to palette, 10,000"),
    ];
    for (count, what) in crowds {
        let ours = median::median(&mut group, &format!("{what}/ours"), || {
            let time = later(&mut ours_time);
            for (number, object) in crowd[..count].iter_mut().enumerate() {
                let frame = FrameState::single(0, f64::from(time) + number as f64 * 0.01);
                let _ = object.build(&model, &frame, &Build::REPLACE);
                object.write_palette(&mut out);
            }
        });
        let theirs = median::median(&mut group, &format!("{what}/loops"), || {
            let time = later(&mut their_time);
            for (number, bones) in plain.chunks(BONES).take(count).enumerate() {
                loops::sample(&shown(time + number as f32 * 0.01, 1.0), bones);
                loops::model_space(parents, bones, &placed);
                loops::palette(&placed, &plain_inverse_bind, &plain_out);
            }
        });
        table.push((what, BONES * count, ours, theirs));
    }
    let same = FrameState::single(0, 0.5);
    let again = median::median(&mut group, "unchanged, 1,000/ours", || {
        let built = |object: &mut SkeletalObject| object.build(&model, &same, &Build::REPLACE).is_ok();
        crowd[..1000].iter_mut().map(built).filter(|built| *built).count()
    });
    let theirs = median::median(&mut group, "unchanged, 1,000/loops", || {
        for bones in plain.chunks(BONES).take(1000) {
            loops::sample(&shown(0.5, 1.0), bones);
        }
    });
    table.push(("unchanged, 1,000", BONES * 1000, again, theirs));
    group.finish();
    print("loops", &table);
}

/// Writes the palettes of crowds on several threads, beside one.
#[cfg(feature = "parallel")]
fn threads(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("threads");
    group.sample_size(30).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let mut runtime = skelobj::Runtime::default();
    let model = runtime.add_model("crowd", model()).expect("a model");
    let ids: Vec<_> = (0..10_000).map(|_| runtime.create_object(model, Space::Local).expect("an object")).collect();
    for (number, id) in ids.iter().enumerate() {
        let frame = FrameState::single(0, number as f64 * 0.01);
        runtime.build(*id, model, &frame, &Build::REPLACE).expect("finite");
    }
    let mut out = vec![Mat3x4::IDENTITY; ids.len() * BONES];
    let mut table = Vec::new();
    let crowds = [
        (32, "32 objects"),
        (64, "64 objects"),
        (128, "128 objects"),
        (256, "256 objects"),
        (1000, "1,000 objects"),
        (10_000, "10,000 objects"),
    ];
    for (count, what) in crowds {
        let (ids, out) = (&ids[..count], &mut out[..count * BONES]);
        let ours = median::median(&mut group, &format!("{what}/together"), || runtime.write_palettes(ids, BONES, out));
        let theirs = median::median(&mut group, &format!("{what}/one by one"), || {
            let mut each = ids.iter().zip(out.chunks_mut(BONES));
            each.all(|(id, out)| runtime.write_palette(*id, out).is_ok())
        });
        table.push((what, BONES * count, ours, theirs));
    }
    group.finish();
    print("1 thread", &table);
}

#[cfg(not(feature = "parallel"))]
fn threads(_criterion: &mut Criterion) {}

criterion_group!(benches, pose, beside_loops, threads);
criterion_main!(benches);
