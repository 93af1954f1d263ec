//! Instructions of C calls against the same calls in Rust. The counts are the same on every machine.
//!
//! `cargo bench -p skelobj-capi --bench capi_cost` runs the scenes below under valgrind's callgrind and compares the
//! counts with the goals. It fails if one is missed, or without valgrind.

#[path = "../../benches/callgrind/mod.rs"]
mod callgrind;

use std::hint::black_box;
use std::process::ExitCode;

use callgrind::measured;
use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::runtime::{ObjectId, Settings};
use skelobj::{Model, Runtime, assets};
use skelobj_capi_calls::*;

const CROWD: usize = 1000;
const CALLS: usize = 1000;
const BONES: usize = 21;

/// Scene: name, number of calls or objects, and the code to run.
const SCENES: [(&str, usize, fn()); 4] = [
    ("palettes-rust", CROWD, palettes_in_rust),
    ("palettes-c", CROWD, palettes_in_c),
    ("build-rust", CALLS, build_in_rust),
    ("build-c", CALLS, build_in_c),
];

fn main() -> ExitCode {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if let Some(name) = wanted {
        let Some((_, _, run)) = SCENES.iter().find(|(scene, ..)| *scene == name) else {
            eprintln!("no such scene: {name}");
            return ExitCode::FAILURE;
        };
        run();
        return ExitCode::SUCCESS;
    }
    let mut counts = Vec::new();
    for (name, number, _) in SCENES {
        let Some(count) = callgrind::count(name) else {
            eprintln!("no goal was checked: counting instructions needs valgrind");
            return ExitCode::FAILURE;
        };
        counts.push(count / number as f64);
        println!("{name:14} {:11.1} instructions each", count / number as f64);
    }
    let goals = [
        ("palettes of 1000 mannequins in one call, to the call in Rust", counts[1] / counts[0], 1.03),
        ("skelobj_build, instructions more than in Rust", counts[3] - counts[2], 75.0),
    ];
    let mut passes = true;
    for (what, measured, most) in goals {
        passes &= measured <= most;
        println!("{} {what}: {measured:.3} (goal {most})", if measured <= most { "pass" } else { "FAIL" });
    }
    if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn frame() -> FrameState {
    FrameState::single(1, 0.3)
}

fn crowd_in_rust(count: usize) -> (Runtime, skelobj::runtime::ModelId, Vec<ObjectId>) {
    let mut settings = Settings::default();
    settings.max_bones = 1 << 21;
    let mut runtime = Runtime::new(settings).expect("valid settings");
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).expect("the sample loads");
    let model = runtime.add_model("mannequin.iqm", model).expect("there is room");
    let crowd: Vec<ObjectId> =
        (0..count).map(|_| runtime.create_object(model, Space::Local).expect("there is room")).collect();
    for object in &crowd {
        runtime.build(*object, model, &frame(), &Build::REPLACE).expect("it builds");
    }
    (runtime, model, crowd)
}

fn palettes_in_rust() {
    let (runtime, _, crowd) = crowd_in_rust(CROWD);
    let mut palettes = vec![Mat3x4::IDENTITY; CROWD * BONES];
    measured(|| runtime.write_palettes(black_box(&crowd), BONES, &mut palettes).expect("all exist"));
    black_box(palettes);
}

fn build_in_rust() {
    let (mut runtime, model, crowd) = crowd_in_rust(1);
    // Two frames in turn: a build that repeats the last one is left out.
    let frames = black_box([frame(), FrameState::single(1, 0.4)]);
    measured(|| {
        for call in 0..CALLS {
            let frame = &frames[call % 2];
            black_box(runtime.build(black_box(crowd[0]), model, frame, &Build::REPLACE)).expect("it builds");
        }
    });
}

fn crowd_in_c(count: usize) -> (SkelobjWorld, SkelobjModel, Vec<SkelobjObject>) {
    let mut def = skelobj_default_world_def();
    def.max_bones = 1 << 21;
    let (bytes, frame) = (assets::MANNEQUIN_IQM, skelobj_frame_single(1, 0.3));
    // SAFETY: texts, bytes and structs that live during the calls.
    let (name, bytes, size) = unsafe { (In::new(c"mannequin.iqm".as_ptr()), In::new(bytes.as_ptr()), bytes.len()) };
    let (world, model) =
        (skelobj_world_create(unsafe { In::new(&def) }), skelobj_model_load(name, bytes, size, In::NULL));
    assert_eq!(skelobj_world_add_model(world, name, model), SkelobjStatus::Ok);
    let crowd: Vec<SkelobjObject> = (0..count).map(|_| skelobj_object_create(world, model, 0)).collect();
    for object in &crowd {
        // SAFETY: as above.
        let built = skelobj_build(world, *object, model, unsafe { In::new(&frame) }, In::NULL);
        assert_eq!(built, SkelobjStatus::Ok);
    }
    (world, model, crowd)
}

fn palettes_in_c() {
    let (world, _, crowd) = crowd_in_c(CROWD);
    let mut palettes = vec![0f32; CROWD * BONES * 12];
    let (count, stride) = (CROWD as i32, BONES as i32);
    measured(|| {
        // SAFETY: ids and floats live during the call.
        let (ids, out) = unsafe { (In::new(crowd.as_ptr()), Out::new(palettes.as_mut_ptr().cast())) };
        assert_eq!(skelobj_palettes(world, ids, count, stride, out, count * stride), SkelobjStatus::Ok);
    });
    black_box(palettes);
}

fn build_in_c() {
    let (world, model, crowd) = crowd_in_c(1);
    let frames = black_box([skelobj_frame_single(1, 0.3), skelobj_frame_single(1, 0.4)]);
    measured(|| {
        for call in 0..CALLS {
            // SAFETY: the frame lives during the call.
            let frame = unsafe { In::new(&frames[call % 2]) };
            let built = skelobj_build(world, black_box(crowd[0]), model, frame, In::NULL);
            assert_eq!(black_box(built), SkelobjStatus::Ok);
        }
    });
}
