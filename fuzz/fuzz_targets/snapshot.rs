//! Fuzzes snapshots with changed contents and a valid checksum: decoded and restored. The simulation afterwards is up
//! to rapier, so snapshots from strangers must be authenticated.
#![no_main]

use std::sync::LazyLock;

use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::Command;
use skelobj::runtime::Snapshot;
use skelobj::{Runtime, assets};
use skelobj_fuzz::watched;

/// Size of the magic number, which precedes version and length, bytes.
const MAGIC: usize = 8;

/// Size of the state in a block, bytes.
const BLOCK: usize = 65_534;

/// Bytes before the lengths and the checksum, and the decompressed state.
static REAL: LazyLock<(Vec<u8>, Vec<u8>)> = LazyLock::new(|| {
    let mut runtime = world();
    runtime.physics_mut().add_floor(0.0).expect("a finite height");
    let model = runtime.model_by_name("mannequin.iqm").expect("it is loaded");
    let object = runtime.create_object(model, Space::Local).expect("it has bones");
    runtime.build(object, model, &FrameState::single(2, 0.3), &Build::REPLACE).expect("it is local");
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0), None).expect("it has a doll");
    runtime.step(0.5);
    let bytes = runtime.snapshot().to_bytes().expect("nothing is wrong with it");
    let (version, rest) = bytes.split_at(MAGIC + 1 + usize::from(bytes[MAGIC]));
    let (mut blocks, mut state) = (&rest[20..], Vec::new());
    while let Some((length, rest)) = blocks.split_first_chunk() {
        let (block, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        state.extend(lz4_flex::block::decompress(block, BLOCK).expect("our own"));
        blocks = rest;
    }
    (version.to_vec(), state)
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

// Each four bytes of the input overwrite one byte: position and value.
libfuzzer_sys::fuzz_target!(|edits: &[u8]| {
    let (mut bytes, mut state) = REAL.clone();
    let length = state.len();
    for edit in edits.chunks_exact(4) {
        let at = usize::from(edit[0]) << 16 | usize::from(edit[1]) << 8 | usize::from(edit[2]);
        state[at % length] = edit[3];
    }
    let mut blocks = Vec::new();
    for block in state.chunks(BLOCK) {
        let block = lz4_flex::block::compress(block);
        blocks.extend((block.len() as u32).to_le_bytes());
        blocks.extend(block);
    }
    bytes.extend((length as u64).to_le_bytes());
    bytes.extend((blocks.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&blocks).to_le_bytes());
    bytes.extend(blocks);
    let Ok(snapshot) = watched(&bytes, || Snapshot::from_bytes(&bytes)) else { return };
    let mut runtime = world();
    if let Err(error) = watched(&bytes, || runtime.restore(&snapshot)) {
        assert!(!error.to_string().is_empty());
        assert_eq!(runtime.objects().count(), 0, "nothing changed");
    }
});
