//! Determinism across builds: with any number of threads, and on any machine.
#![cfg(any(feature = "physics-parallel", feature = "enhanced-determinism"))]

use crate::common::stage;
use crate::common::stage::mannequin;
use skelobj::Runtime;
use skelobj::math::{EntityTransform, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;

/// Simulates mannequins that run into a heap and fall; returns the bits of all bones of every frame.
fn heap(frames: usize, prepare: impl FnOnce(&mut Runtime)) -> Vec<Vec<u32>> {
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    runtime.set_files(stage::files);
    prepare(&mut runtime);
    let model = runtime.add_model("mannequin.iqm", mannequin()).unwrap();
    let ids: Vec<_> = (0..12).map(|_| runtime.create_object(model, Space::Local).unwrap()).collect();
    let mut out = Vec::new();
    for frame in 0..frames {
        let time = frame as f32 / 60.0;
        for (number, id) in ids.iter().enumerate() {
            let (row, column) = ((number / 4) as f32, (number % 4) as f32);
            let origin = Vec3::new(row * 26.0 - 60.0 + 250.0 * time.min(0.25), column * 22.0, row * 30.0);
            let entity = EntityTransform::new(origin, Vec3::new(0.0, 30.0 * number as f32, 0.0));
            if frame < 15 {
                let pose = FrameState::single(2, (time + 0.07 * number as f32).into());
                runtime.build(*id, model, &pose, &Build::REPLACE).unwrap();
            }
            let command = match frame {
                0 => "doll mannequin.doll",
                15 => "animate 0",
                40 if number == 3 => "enablejoint elbow_l 0",
                50 if number == 5 => "animate 0.3",
                _ => "",
            };
            runtime.ragdoll_command(*id, &entity.to_world(-1.0, 1.0), Command::parse(command).unwrap(), None).unwrap();
        }
        runtime.step(1.0 / 60.0).unwrap();
        let bones = ids.iter().flat_map(|id| runtime.object(*id).unwrap().pose().bones());
        out.push(bones.flat_map(|bone| bone.0.map(f32::to_bits)).collect());
    }
    out
}

#[cfg(feature = "physics-parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let with = |threads: usize| {
        heap(90, |runtime| {
            runtime.physics_mut().world_mut().configure_thread_pool(threads).unwrap();
        })
    };
    let one = with(1);
    for threads in [2, 3] {
        let first = one.iter().zip(with(threads)).position(|(one, other)| *one != other);
        assert_eq!(first, None, "the first frame that differs with {threads} threads");
    }
}

/// Simulates one mannequin that goes limp out of an animation, falls and comes to rest; returns the bits of all bones
/// of every frame.
#[cfg(feature = "enhanced-determinism")]
fn fall(frames: usize) -> Vec<Vec<u32>> {
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    runtime.set_files(stage::files);
    let model = runtime.add_model("mannequin.iqm", mannequin()).unwrap();
    let id = runtime.create_object(model, Space::Local).unwrap();
    let entity = EntityTransform::new(Vec3::new(0.0, 0.0, 40.0), Vec3::new(0.0, 30.0, 0.0)).to_world(-1.0, 1.0);
    let mut out = Vec::new();
    for frame in 0..frames {
        if frame < 24 {
            let pose = FrameState::single(2, (frame as f32 / 60.0).into());
            runtime.build(id, model, &pose, &Build::REPLACE).unwrap();
        }
        let command = match frame {
            0 => "doll mannequin.doll",
            24 => "animate 0",
            _ => "",
        };
        runtime.ragdoll_command(id, &entity, Command::parse(command).unwrap(), None).unwrap();
        runtime.step(1.0 / 60.0).unwrap();
        out.push(runtime.object(id).unwrap().pose().bones().iter().flat_map(|bone| bone.0.map(f32::to_bits)).collect());
    }
    assert!(runtime.ragdoll(id).unwrap().is_asleep(runtime.physics()), "the fall ends at rest");
    out
}

/// Returns the hash of the bits of all frames.
#[cfg(feature = "enhanced-determinism")]
fn hash(bits: &[Vec<u32>]) -> u64 {
    crate::common::fnv1a(bits.iter().flatten().flat_map(|bits| bits.to_le_bytes()))
}

/// Compares with the result on every machine; IEEE arithmetic and libm determine it. A change of the physics changes
/// this number. `web/test/hash.mjs` compares the WebAssembly with it.
#[cfg(feature = "enhanced-determinism")]
#[test]
fn every_machine_gives_the_same_bits() {
    let hash = hash(&heap(90, |_| {}));
    assert_eq!(hash, 0xa892_ea9e_cf0e_5383, "{hash:#018x}");
}

/// Compares a whole fall with the result on every machine, as `web/test/hash.mjs` does in WebAssembly.
#[cfg(feature = "enhanced-determinism")]
#[test]
fn every_machine_gives_the_same_fall() {
    let hash = hash(&fall(400));
    assert_eq!(hash, 0x34b7_593d_a43a_f9c4, "{hash:#018x}");
}
