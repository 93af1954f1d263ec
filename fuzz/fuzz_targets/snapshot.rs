//! Snapshots that were tampered with under a right checksum: decoded and restored. What the world does then is rapier's
//! affair: strangers' snapshots must be authenticated.
#![no_main]

use std::sync::LazyLock;

use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::ragdoll::Command;
use skelobj::runtime::Snapshot;
use skelobj::skeleton::{Build, Space};
use skelobj::{Runtime, assets};
use skelobj_fuzz::watched;

/// Bytes before the state: magic number, length of the version, and behind the version the length and the checksum.
const MAGIC: usize = 8;

static REAL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut runtime = world();
    runtime.physics_mut().add_floor(0.0).expect("a finite height");
    let model = runtime.model_by_name("mannequin.iqm").expect("it is loaded");
    let skel = runtime.create_skeleton(model, Space::Local).expect("it has bones");
    runtime.build(skel, model, &FrameState::single(2, 0.3), &Build::REPLACE).expect("it is local");
    runtime.ragdoll_command(skel, &Mat3x4::IDENTITY, Command::Animate(0.0), None).expect("it has a doll");
    runtime.step(0.5);
    runtime.snapshot().to_bytes().expect("nothing is wrong with it")
});

fn world() -> Runtime {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    runtime.load_model("mannequin.iqm").expect("our own");
    runtime
}

// Each four bytes of the input overwrite one byte: where, and by what.
libfuzzer_sys::fuzz_target!(|edits: &[u8]| {
    let mut bytes = REAL.clone();
    let state = MAGIC + 1 + usize::from(bytes[MAGIC]) + 12;
    let length = bytes.len() - state;
    for edit in edits.chunks_exact(4) {
        let at = usize::from(edit[0]) << 16 | usize::from(edit[1]) << 8 | usize::from(edit[2]);
        bytes[state + at % length] = edit[3];
    }
    let checksum = crc32fast::hash(&bytes[state..]).to_le_bytes();
    bytes[state - 4..state].copy_from_slice(&checksum);
    let Ok(snapshot) = watched(&bytes, || Snapshot::from_bytes(&bytes)) else { return };
    let mut runtime = world();
    if let Err(error) = watched(&bytes, || runtime.restore(&snapshot)) {
        assert!(!error.to_string().is_empty());
        assert_eq!(runtime.objects().count(), 0, "nothing changed");
    }
});
