//! Instructions of the posing kernels against limits, on each level of vector instructions. The counts are the same on
//! every machine.
//!
//! `cargo bench -p skelobj-benches --no-default-features --bench pose_cost` runs each row below under valgrind's
//! callgrind, on SSE2 and on AVX2, and compares the instructions a bone with the limits. It fails if one is missed, or
//! without valgrind. With `-- avx2/sample`, it runs one row for a profiler.
//!
//! Beside some rows stand the scalar loops that `pose` takes times of. They give the same bits as the library, and
//! take at most as many instructions as FTE does: the bench fails otherwise.

mod callgrind;
mod loops;

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;

use callgrind::measured;
use skelobj_model::math::{Mat3x4, Quat, Vec3};
use skelobj_model::model::{Animation, Blend, Bone, FrameState, PoseParameters, Skeleton};
use skelobj_model::object::{Blending, Build, Space};
use skelobj_model::pose::raw::SimdLevel;
use skelobj_model::pose::{self, PoseSource};
use skelobj_model::{Model, SkeletalObject};

/// Number of bones, typical for a human character.
const BONES: usize = 75;
/// Number of frames of each of the two animations.
const FRAMES: usize = 50;
/// Number of calls of a row.
const CALLS: usize = 100;

/// Work to measure, and the most instructions a bone that it may take with SSE2 and with AVX2.
struct Row {
    name: &'static str,
    most: [f64; 2],
    run: fn(&mut Scene, f64),
}

/// The work of a row in scalar loops, and the instructions a bone of FTE's own code, compiled by gcc with -O2.
struct Baseline {
    name: &'static str,
    fte: f64,
    run: fn(&mut Plain, f64),
}

// Retaining on SSE2 takes three loads, four products, two sums and a store for four floats: 30 a bone without the loop.
// The call, the search for the poses and the loop take 4.5 a bone with one animation, 7 with two.
// A bone asked for after a change is multiplied from the bone to the root, whose bits FTE's skel_get_boneabs has: 6.3
// products a bone in this skeleton. Only products from the root could be shared between bones.
// A build that repeats the last one compares 16 bytes of one animation, or all 152 bytes of a frame state.
// Rotations kept in blends take at most 60 more than sums of matrices with AVX2. SSE2 has half as many numbers in its
// registers as a sum of rotations and origins has. To retain a pose splits it.
const ROWS: [Row; 17] = [
    Row { name: "sample", most: [23.0, 11.0], run: |scene, time| scene.sample(&FrameState::single(0, time)) },
    Row { name: "blend", most: [43.5, 19.5], run: |scene, time| scene.sample(&two(time)) },
    Row { name: "retain-and-add", most: [35.0, 15.5], run: |scene, time| scene.mix(time) },
    Row { name: "model-space", most: [63.0, 39.0], run: |scene, _| scene.model_space() },
    Row { name: "local-to-palette", most: [96.0, 57.0], run: |scene, _| scene.local_to_palette() },
    Row { name: "sample-to-palette", most: [117.0, 63.5], run: |scene, time| scene.sample_palette(time) },
    Row { name: "object-build", most: [25.0, 13.0], run: |scene, time| scene.build(time) },
    Row { name: "object-retain", most: [36.5, 17.0], run: |scene, time| scene.build_over(time) },
    Row { name: "object-to-palette", most: [120.5, 69.5], run: |scene, time| scene.build_to_palette(time) },
    Row { name: "rotations", most: [108.0, 57.5], run: |scene, time| scene.rotate(&FrameState::single(0, time), 0.0) },
    Row { name: "rotations-blend", most: [149.0, 75.0], run: |scene, time| scene.rotate(&two(time), 0.0) },
    Row {
        name: "rotations-retain",
        most: [282.0, 143.0],
        run: |scene, time| scene.rotate(&FrameState::single(0, time), 0.75),
    },
    Row { name: "bones-changed", most: [371.0, 213.0], run: |scene, _| scene.changed_bones() },
    Row { name: "one-bone-changed", most: [560.0, 548.0], run: |scene, _| scene.changed_bone() },
    Row { name: "bones-again", most: [30.0, 30.0], run: |scene, _| scene.bones_one_by_one() },
    Row { name: "build-unchanged", most: [40.0, 40.0], run: |scene, _| scene.build_again(0) },
    Row { name: "build-unchanged-all", most: [88.0, 88.0], run: |scene, _| scene.build_again(1) },
];

const BASELINES: [Baseline; 7] = [
    Baseline { name: "sample", fte: 181.0, run: |plain, time| plain.sample(time) },
    Baseline { name: "blend", fte: 366.0, run: |plain, time| plain.blend(time) },
    Baseline { name: "retain-and-add", fte: 235.0, run: |plain, time| plain.mix(time) },
    Baseline { name: "model-space", fte: 134.0, run: |plain, _| plain.model_space() },
    Baseline { name: "local-to-palette", fte: 257.0, run: |plain, _| plain.local_to_palette() },
    Baseline { name: "sample-to-palette", fte: 436.0, run: |plain, time| plain.sample_palette(time) },
    Baseline { name: "bones-changed", fte: 1026.0, run: |plain, _| plain.bones_one_by_one() },
];

const LEVELS: [(&str, SimdLevel); 2] = [("sse2", SimdLevel::Sse2), ("avx2", SimdLevel::Avx2)];

fn main() -> ExitCode {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let Some(name) = wanted else { return report() };
    let parts = name.split_once('/');
    if let Some(("loops", wanted)) = parts {
        let Some(baseline) = BASELINES.iter().find(|baseline| baseline.name == wanted) else {
            eprintln!("no such row: {name}");
            return ExitCode::FAILURE;
        };
        let mut plain = Plain::new(&Scene::new());
        measured(|| repeat(|time| (baseline.run)(&mut plain, time)));
        return ExitCode::SUCCESS;
    }
    let level = LEVELS.iter().find(|(level, _)| parts.is_some_and(|(first, _)| first == *level));
    let row = ROWS.iter().find(|row| parts.is_some_and(|(_, second)| second == row.name));
    let (Some((_, level)), Some(row)) = (level, row) else {
        eprintln!("no such row: {name}");
        return ExitCode::FAILURE;
    };
    if !level.select() {
        eprintln!("this processor has no {level:?}");
        return ExitCode::FAILURE;
    }
    let mut scene = Scene::new();
    // The first call allocates scratch memory.
    (row.run)(&mut scene, 0.05);
    measured(|| repeat(|time| (row.run)(&mut scene, time)));
    ExitCode::SUCCESS
}

/// Runs a row at successive times.
fn repeat(mut run: impl FnMut(f64)) {
    for call in 0..CALLS {
        run(black_box(0.05 + call as f64 * 0.0137));
    }
}

fn report() -> ExitCode {
    let mut missed = 0;
    check_loops();
    println!("instructions a bone, {BONES} bones{:>21} {:>8}", "SSE2", "AVX2");
    for row in &ROWS {
        let counts = LEVELS.map(|(level, _)| callgrind::count(&format!("{level}/{}", row.name)));
        let [Some(sse2), Some(avx2)] = counts.map(|count| Some(count? / (BONES * CALLS) as f64)) else {
            eprintln!("{} was not counted: it needs valgrind and a processor with AVX2", row.name);
            return ExitCode::FAILURE;
        };
        let passes = sse2 <= row.most[0] && avx2 <= row.most[1];
        missed += usize::from(!passes);
        let verdict = if passes { "pass" } else { "FAIL" };
        println!("{verdict} {:40} {sse2:8.1} {avx2:8.1} (limits {} and {})", row.name, row.most[0], row.most[1]);
    }
    println!("instructions a bone of scalar loops{:>19} {:>8}", "loops", "FTE");
    for Baseline { name, fte, .. } in &BASELINES {
        let Some(count) = callgrind::count(&format!("loops/{name}")) else {
            eprintln!("loops/{name} was not counted");
            return ExitCode::FAILURE;
        };
        let count = count / (BONES * CALLS) as f64;
        missed += usize::from(count > *fte);
        let verdict = if count > *fte { "FAIL" } else { "pass" };
        println!("{verdict} {name:40} {count:8.1} {fte:8.1}");
    }
    if missed > 0 {
        eprintln!("{missed} of {} limits missed", ROWS.len() + BASELINES.len());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Returns a frame state of two animations between frames.
fn two(time: f64) -> FrameState {
    FrameState::blended([Blend::new(0, time, 0.7), Blend::new(1, time, 0.3)])
}

/// A model and what the rows write.
struct Scene {
    model: Arc<Model>,
    object: SkeletalObject,
    /// Object that keeps rotations.
    rotating: SkeletalObject,
    local: Vec<Mat3x4>,
    out: Vec<Mat3x4>,
    /// One animation, and all blends with a base group and parameters.
    frames: [FrameState; 2],
}

impl Scene {
    fn new() -> Self {
        let model = Arc::new(model());
        let mut object = SkeletalObject::new(model.clone(), Space::Local);
        object.set_local_pose(model.skeleton.bind_local()).expect("finite");
        let local = model.skeleton.bind_local().to_vec();
        let mut rotating = object.clone();
        rotating.set_blending(Blending::Rotations);
        for frame in 0..FRAMES {
            // Frames are split when they are shown for the first time.
            let shown = two((frame as f64 + 0.5) / 30.0);
            rotating.build(&model, &shown, &Build::REPLACE).expect("finite");
        }
        let blends = [0, 1, 0, 1].map(|animation| Blend::new(animation, 0.3, 0.25));
        let all = FrameState::blended(blends).with_base([Blend::new(0, 0.2, 1.0)], 20);
        let frames = [FrameState::single(0, 0.3), all.with_parameters(PoseParameters::default())];
        Self { model, object, rotating, out: local.clone(), local, frames }
    }

    fn sample(&mut self, frame: &FrameState) {
        pose::sample(PoseSource { model: &self.model, frame }, 0..BONES, &mut self.out);
    }

    fn mix(&mut self, time: f64) {
        let frame = &FrameState::single(0, time);
        pose::raw::sample_over(PoseSource { model: &self.model, frame }, 0..BONES, 0.75, 0.25, &mut self.out);
    }

    fn model_space(&mut self) {
        pose::to_model_space(self.model.skeleton.parents(), &self.local, &mut self.out);
    }

    fn local_to_palette(&mut self) {
        let skeleton = &self.model.skeleton;
        pose::raw::local_to_palette(skeleton.parents(), &self.local, skeleton.inverse_bind(), &mut self.out);
    }

    fn sample_palette(&mut self, time: f64) {
        let frame = &FrameState::single(0, time);
        pose::sample_palette(PoseSource { model: &self.model, frame }, &mut self.out);
    }

    fn build(&mut self, time: f64) {
        self.object.build(&self.model, &FrameState::single(0, time), &Build::REPLACE).expect("finite");
    }

    fn rotate(&mut self, frame: &FrameState, retain: f32) {
        self.rotating.build(&self.model, frame, &Build::retaining(retain)).expect("finite");
    }

    /// Builds with the inputs of the last build, once for each bone: the row counts instructions a build.
    fn build_again(&mut self, frame: usize) {
        for _ in 0..BONES {
            self.object.build(&self.model, black_box(&self.frames[frame]), &Build::REPLACE).expect("finite");
        }
    }

    fn build_over(&mut self, time: f64) {
        self.object.build(&self.model, &FrameState::single(0, time), &Build::retaining(0.75)).expect("finite");
    }

    /// Queries all bones in model space after a write to the pose.
    fn changed_bones(&mut self) {
        self.object.set_bone(0, self.local[0]).expect("finite");
        self.bones_one_by_one();
    }

    /// Queries one bone after a write to the pose, and does so for each bone.
    fn changed_bone(&mut self) {
        for (bone, out) in self.out.iter_mut().enumerate() {
            self.object.set_bone(0, self.local[0]).expect("finite");
            *out = self.object.model_space(bone).expect("a bone");
        }
    }

    fn bones_one_by_one(&mut self) {
        for (bone, out) in self.out.iter_mut().enumerate() {
            *out = self.object.model_space(bone).expect("a bone");
        }
    }

    fn build_to_palette(&mut self, time: f64) {
        self.build(time);
        self.object.write_palette(&mut self.out).expect("room for every bone");
    }
}

/// Matrices that the loops read and write.
struct Plain {
    parents: Vec<i32>,
    frames: Vec<loops::Bone>,
    inverse_bind: Vec<loops::Bone>,
    local: Vec<loops::Bone>,
    /// Sampled bones, bones in model space, and the palette or the object.
    buffer: Vec<loops::Bone>,
    model: Vec<loops::Bone>,
    out: Vec<loops::Bone>,
}

impl Plain {
    fn new(scene: &Scene) -> Self {
        let skeleton = &scene.model.skeleton;
        let [local, buffer, model, out] = [(); 4].map(|()| loops::cells(&scene.local));
        Self {
            parents: skeleton.parents().to_vec(),
            frames: loops::cells(&scene.model.frames),
            inverse_bind: loops::cells(skeleton.inverse_bind()),
            local,
            buffer,
            model,
            out,
        }
    }

    /// Returns the two frames around a time, with their weights.
    fn shown(&self, animation: usize, time: f64, weight: f32) -> [(&[loops::Bone], f32); 2] {
        let pose = (time * 30.0) as f32;
        let [a, b] = [0, 1].map(|next| animation * FRAMES + (pose as usize + next) % FRAMES);
        let [a, b] = [a, b].map(|frame| &self.frames[frame * BONES..][..BONES]);
        [(a, (1.0 - pose.fract()) * weight), (b, pose.fract() * weight)]
    }

    fn sample(&mut self, time: f64) {
        loops::sample(&self.shown(0, time, 1.0), &self.out);
    }

    fn blend(&mut self, time: f64) {
        let ([a, b], [c, d]) = (self.shown(0, time, 0.7), self.shown(1, time, 0.3));
        loops::sample(&[a, b, c, d], &self.out);
    }

    fn mix(&mut self, time: f64) {
        loops::scale(&self.out, 0.75);
        loops::sample(&self.shown(0, time, 1.0), &self.buffer);
        loops::add(&self.out, &self.buffer, 0.25);
    }

    fn model_space(&mut self) {
        loops::model_space(&self.parents, &self.local, &self.out);
    }

    fn local_to_palette(&mut self) {
        loops::model_space(&self.parents, &self.local, &self.model);
        loops::palette(&self.model, &self.inverse_bind, &self.out);
    }

    fn sample_palette(&mut self, time: f64) {
        loops::sample(&self.shown(0, time, 1.0), &self.buffer);
        loops::model_space(&self.parents, &self.buffer, &self.model);
        loops::palette(&self.model, &self.inverse_bind, &self.out);
    }

    fn bones_one_by_one(&mut self) {
        for (bone, out) in self.out.iter().enumerate() {
            out.set(loops::bone(&self.parents, &self.local, bone).0);
        }
    }
}

/// Fails if the loops give other bits than the library.
fn check_loops() {
    let (mut scene, time) = (Scene::new(), 0.3);
    let mut plain = Plain::new(&scene);
    for baseline in &BASELINES {
        let row = ROWS.iter().find(|row| row.name == baseline.name).expect("a row of that name");
        (row.run)(&mut scene, time);
        (baseline.run)(&mut plain, time);
        let bits = |floats: [f32; 12]| floats.map(f32::to_bits);
        let same = scene.out.iter().zip(&plain.out).all(|(ours, loops)| bits(ours.0) == bits(loops.get()));
        assert!(same, "{}: the loops give other bits", row.name);
    }
}

/// Returns a model of two animations; most of its bones follow their parents, and every twelfth begins a branch.
fn model() -> Model {
    let matrix = |bone: usize, frame: usize| {
        let (bone, frame) = (bone as f32, frame as f32);
        let turn = Quat::from_rotation_y((bone * 0.7 + frame * 0.05).sin() * 0.5);
        Mat3x4::from_rotation_translation(turn, Vec3::new(3.0, (bone + frame * 0.02).sin(), 0.5))
    };
    let parent = |bone: usize| bone.checked_sub(1).map(|before| if before % 12 == 0 { 0 } else { before });
    let bone =
        |bone: usize| Bone { name: format!("bone{bone}").as_str().into(), parent: parent(bone), bind: matrix(bone, 0) };
    let count = FRAMES as u32;
    let animations = ["walk", "run"];
    let animations = (0..).zip(animations).map(|(n, name)| Animation::frames(name, n * count, count, 30.0, true));
    Model {
        skeleton: Skeleton::new((0..BONES).map(bone).collect()).expect("parents stand before children"),
        frames: (0..2 * FRAMES).flat_map(|frame| (0..BONES).map(move |bone| matrix(bone, frame))).collect(),
        animations: animations.collect(),
        ..Model::default()
    }
}
