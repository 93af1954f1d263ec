//! Snapshots that are damaged or made up.
#![cfg(feature = "serde")]

use std::sync::OnceLock;

use crate::common::scene::Scene;
use proptest::prelude::*;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::{Snapshot, SnapshotError};

/// Sample snapshot of a full world.
struct Sample {
    bytes: Vec<u8>,
    /// Decompressed state.
    state: Vec<u8>,
    /// Position of rapier's part of the state.
    physics: usize,
}

/// Returns the number of bytes before the compressed state: a magic number, the version with its length, both lengths
/// of the state and its checksum.
fn header(bytes: &[u8]) -> usize {
    8 + 1 + usize::from(bytes[8]) + 8 + 8 + 4
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let mut scene = Scene::new();
        scene.run(40);
        let bytes = scene.runtime.snapshot().to_bytes().unwrap();
        let settings = postcard::to_allocvec(&PhysicsSettings::default()).unwrap();
        let start = header(&bytes);
        let length = u64::from_le_bytes(bytes[start - 20..start - 12].try_into().unwrap());
        let state = decompress(&bytes[start..]);
        assert_eq!(state.len() as u64, length);
        let physics = state.windows(settings.len()).rposition(|window| window == settings).unwrap();
        Sample { state, bytes, physics }
    })
}

fn compress(state: &[u8]) -> Vec<u8> {
    let mut blocks = Vec::new();
    for block in state.chunks(65_534) {
        let block = lz4_flex::block::compress(block);
        blocks.extend((block.len() as u32).to_le_bytes());
        blocks.extend(block);
    }
    blocks
}

fn decompress(mut blocks: &[u8]) -> Vec<u8> {
    let mut state = Vec::new();
    while let Some((length, rest)) = blocks.split_first_chunk() {
        let (block, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        state.extend(lz4_flex::block::decompress(block, 65_534).unwrap());
        blocks = rest;
    }
    state
}

/// Returns the sample with another state and its lengths and checksum.
fn with_state(state: &[u8]) -> Vec<u8> {
    with_compressed(state.len() as u64, &compress(state))
}

/// Returns the sample with another compressed state of stated `length` bytes and a valid checksum.
fn with_compressed(length: u64, compressed: &[u8]) -> Vec<u8> {
    let sample = &sample().bytes;
    let mut bytes = sample[..header(sample) - 20].to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend((compressed.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(compressed).to_le_bytes());
    bytes.extend(compressed);
    bytes
}

/// Calls everything that a restored runtime offers.
fn use_it(snapshot: &Snapshot) {
    let mut scene = Scene::new();
    if scene.runtime.restore(snapshot).is_err() {
        return;
    }
    let ids: Vec<_> = scene.runtime.objects().map(|(id, _)| id).collect();
    for frame in 0..4 {
        for (number, id) in ids.iter().enumerate() {
            let commands = ["", "animate 0", "enablejoint elbow_l 0", "doll mannequin.doll"];
            let command = commands[(number + frame) % commands.len()];
            let place = Mat3x4::IDENTITY;
            let _ = scene.runtime.ragdoll_command(*id, &place, Command::parse(command).unwrap(), None);
            let _ = scene.runtime.ragdoll_impulse(*id, None, Vec3::ZERO, Vec3::X, Flinch::default());
        }
        scene.runtime.step(1.0 / 60.0).unwrap();
        scene.runtime.object_infos();
        scene.runtime.reload_dolls();
        let model = scene.runtime.models().next().map(|(model, _)| model);
        let _ = model.map(|model| scene.runtime.create_object(model, Default::default()));
        if let Some(id) = ids.get(frame) {
            let _ = scene.runtime.delete_object(*id);
        }
        scene.runtime.flush_deleted();
    }
    let again = scene.runtime.snapshot().to_bytes().unwrap();
    Snapshot::from_bytes(&again).unwrap();
}

#[test]
fn the_sample_is_sound() {
    let Sample { bytes, state, physics } = sample();
    assert!(*physics > 1000 && state.len() > 2 * physics, "{physics} of {}", state.len());
    assert!(with_state(state) == *bytes);
    use_it(&Snapshot::from_bytes(bytes).unwrap());
}

#[test]
fn each_error_states_what_is_wrong_with_the_bytes() {
    let Sample { bytes, state, .. } = sample();
    let error = |bytes: &[u8]| Snapshot::from_bytes(bytes).unwrap_err();
    for other in [&b""[..], b"{}", b"SKELSNIP and so on", b"\x7fELF"] {
        assert_eq!(error(other), SnapshotError::NotASnapshot, "{other:?}");
    }
    let start = header(bytes);
    for length in [1, 8, 9, 20, start - 1, start, bytes.len() - 1] {
        let error = error(&bytes[..length]);
        assert!(matches!(error, SnapshotError::Truncated { found, .. } if found == length), "{length}: {error}");
    }
    let mut damaged = bytes.clone();
    damaged[start + 5] ^= 1;
    assert_eq!(error(&damaged), SnapshotError::Damaged);
    assert_eq!(error(&[bytes.as_slice(), b"x"].concat()), SnapshotError::Damaged);
    assert_eq!(error(&with_state(&[state, &b"x"[..]].concat())), SnapshotError::Damaged);
    assert_eq!(error(&with_state(b"")), SnapshotError::Damaged);
    let mut other = b"SKELSNAP".to_vec();
    other.push(13);
    other.extend(b"skelobj 0.0.1");
    let message = error(&other).to_string();
    assert!(message.starts_with("a snapshot of version \"skelobj 0.0.1\", expected \"skelobj "), "{message}");
}

#[test]
fn false_lengths_are_refused_before_memory_is_allocated() {
    let Sample { bytes, state, .. } = sample();
    let compressed = &bytes[header(bytes)..];
    let length = state.len() as u64;
    assert!(with_compressed(length, compressed) == *bytes);
    for lie in [0, 1, length - 1, length + 1, 255 * compressed.len() as u64, u64::MAX / 2, u64::MAX] {
        let bytes = with_compressed(lie, compressed);
        assert_eq!(Snapshot::from_bytes(&bytes).unwrap_err(), SnapshotError::Damaged, "{lie}");
    }
    // Runs of one byte compress best in LZ4, and are not a valid state.
    let zeros = vec![0; 1 << 20];
    assert_eq!(Snapshot::from_bytes(&with_state(&zeros)).unwrap_err(), SnapshotError::Damaged);
    // A match that starts before the beginning, and a literal that ends after the end.
    for broken in [&[0x10, 1, 9, 0][..], &[0x10, 1, 0, 0], &[0xf0], &[0xff; 40], &[]] {
        let block = [&(broken.len() as u32).to_le_bytes(), broken].concat();
        assert_eq!(Snapshot::from_bytes(&with_compressed(20, &block)).unwrap_err(), SnapshotError::Damaged);
        assert_eq!(Snapshot::from_bytes(&with_compressed(20, broken)).unwrap_err(), SnapshotError::Damaged);
    }
}

#[test]
fn false_lengths_in_the_physics_engine_are_refused() {
    let mut scene = Scene::new();
    scene.run(40);
    let world = scene.runtime.physics().world();
    let Sample { state, physics, .. } = sample();
    for items in [world.bodies.len(), world.colliders.len(), world.impulse_joints.len()] {
        let items = u8::try_from(items).unwrap();
        // Numbers below 128 are single bytes. Iterating over more items than stated overflows.
        let places = (*physics..state.len()).filter(|at| state[*at] == items && state[at - 1] < 128);
        let error = |at: usize| {
            let mut state = state.clone();
            state[at] = 0;
            Snapshot::from_bytes(&with_state(&state)).err()
        };
        let refused = places.map(error).filter(|error| *error == Some(SnapshotError::Inconsistent { part: "bodies" }));
        assert!(refused.count() > 0, "{items}");
    }
}

#[test]
fn false_lists_of_free_slots_in_the_physics_engine_are_refused() {
    let Sample { state, physics, .. } = sample();
    // No soft bodies: four slots, each with the next, a generation, the first free slot, and a length.
    let empty = [4, 0, 1, 1, 0, 1, 2, 0, 1, 3, 0, 0, 0, 1, 0, 0];
    let at = *physics + state[*physics..].windows(empty.len()).rposition(|window| window == empty).unwrap();
    // A list in a circle, one that leads past the end, one that begins in its middle, and an item that is missing.
    for (offset, value) in [(3, 0), (3, 9), (14, 1), (15, 1)] {
        let mut state = state.clone();
        state[at + offset] = value;
        let error = Snapshot::from_bytes(&with_state(&state)).unwrap_err();
        assert_eq!(error, SnapshotError::Inconsistent { part: "bodies" }, "{offset}: {value}");
    }
}

#[test]
fn impossible_places_and_speeds_are_refused_despite_a_correct_checksum() {
    let mut scene = Scene::new();
    scene.run(40);
    let world = scene.runtime.physics().world();
    let moving = world.bodies.iter().filter(|(_, body)| body.is_dynamic() && !body.is_sleeping());
    let vectors: Vec<Vec3> = moving.take(6).flat_map(|(_, body)| [body.translation(), body.linvel()]).collect();
    let Sample { state, physics, .. } = sample();
    let mut refused = 0;
    for vector in vectors {
        let encoded: Vec<u8> = vector.to_array().into_iter().flat_map(f32::to_le_bytes).collect();
        // Contacts store positions, too.
        let places: Vec<usize> = (*physics..state.len() - 12).filter(|&at| state[at..].starts_with(&encoded)).collect();
        assert!(!places.is_empty());
        for bad in [f32::NAN, f32::INFINITY, f32::MIN, 1e20] {
            let mut state = state.clone();
            for &at in &places {
                state[at..at + 4].copy_from_slice(&bad.to_le_bytes());
            }
            let error = Snapshot::from_bytes(&with_state(&state)).unwrap_err();
            assert_eq!(error, SnapshotError::Inconsistent { part: "bodies" }, "{bad}");
            refused += 1;
        }
    }
    assert_eq!(refused, 48);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_bytes_are_refused(at in any::<prop::sample::Index>(), flip in 1u8.., cut in any::<bool>()) {
        let mut bytes = sample().bytes.clone();
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] ^= flip,
        }
        prop_assert!(Snapshot::from_bytes(&bytes).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_blocks_with_a_correct_checksum_do_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let sample = sample();
        let mut blocks = sample.bytes[header(&sample.bytes)..].to_vec();
        for (at, value) in changes {
            let at = at.index(blocks.len());
            blocks[at] = value;
        }
        let _ = Snapshot::from_bytes(&with_compressed(sample.state.len() as u64, &blocks));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_own_items_may_cite_anything(
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), prop_oneof![any::<u8>(), 0u8..4, Just(0x7f), Just(0xff)]),
            1..4,
        ),
    ) {
        let sample = sample();
        let mut state = sample.state.clone();
        for (at, value) in changes {
            state[at.index(sample.physics)] = value;
        }
        if let Ok(snapshot) = Snapshot::from_bytes(&with_state(&state)) {
            use_it(&snapshot);
        }
    }
}
