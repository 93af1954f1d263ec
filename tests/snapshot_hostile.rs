//! Snapshots that were damaged or made up.
#![cfg(all(feature = "serde", feature = "ragdoll"))]

mod ragdoll_common;
#[allow(dead_code)]
#[path = "snapshot/scene.rs"]
mod scene;
#[allow(dead_code)]
#[path = "level/small_bsp.rs"]
mod small_bsp;

use std::sync::OnceLock;

use proptest::prelude::*;
use scene::Scene;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::Command;
use skelobj::runtime::{Snapshot, SnapshotError};

/// A moment with everything in it.
struct Sample {
    bytes: Vec<u8>,
    /// Where the state begins.
    state: usize,
    /// Where rapier's part of it begins.
    physics: usize,
}

/// Bytes in front of the state: a magic number, the version with its length, the state's length and its checksum.
fn header(bytes: &[u8]) -> usize {
    8 + 1 + usize::from(bytes[8]) + 8 + 4
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let mut scene = Scene::new();
        scene.run(40);
        let bytes = scene.runtime.snapshot().to_bytes().unwrap();
        let settings = postcard::to_allocvec(&PhysicsSettings::default()).unwrap();
        let physics = bytes.windows(settings.len()).rposition(|window| window == settings).unwrap();
        Sample { state: header(&bytes), bytes, physics }
    })
}

/// The sample with another state, and the length and checksum that belong to it.
fn with_state(state: &[u8]) -> Vec<u8> {
    let sample = sample();
    let mut bytes = sample.bytes[..sample.state - 12].to_vec();
    bytes.extend((state.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(state).to_le_bytes());
    bytes.extend(state);
    bytes
}

/// Everything that a restored runtime may be asked.
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
            let _ = scene.runtime.ragdoll_impulse(*id, None, Vec3::ZERO, Vec3::X);
        }
        scene.runtime.step(1.0 / 60.0);
        scene.runtime.skel_info();
        scene.runtime.reload_dolls();
        let model = scene.runtime.models().next().map(|(model, _)| model);
        let _ = model.map(|model| scene.runtime.create_skeleton(model, Default::default()));
        if let Some(id) = ids.get(frame) {
            scene.runtime.delete(*id);
        }
        scene.runtime.flush_deleted();
    }
    let again = scene.runtime.snapshot().to_bytes().unwrap();
    Snapshot::from_bytes(&again).unwrap();
}

#[test]
fn the_sample_is_sound() {
    let Sample { bytes, state, physics } = sample();
    assert!(*physics > 1000 && bytes.len() > 2 * physics, "{physics} of {}", bytes.len());
    assert!(with_state(&bytes[*state..]) == *bytes);
    use_it(&Snapshot::from_bytes(bytes).unwrap());
}

#[test]
fn each_error_says_what_is_wrong_with_the_bytes() {
    let Sample { bytes, state, .. } = sample();
    let error = |bytes: &[u8]| Snapshot::from_bytes(bytes).unwrap_err();
    for other in [&b""[..], b"{}", b"SKELSNIP and so on", b"\x7fELF"] {
        assert_eq!(error(other), SnapshotError::NotASnapshot, "{other:?}");
    }
    for length in [1, 8, 9, 20, *state - 1, *state, bytes.len() - 1] {
        let error = error(&bytes[..length]);
        assert!(matches!(error, SnapshotError::Truncated { found, .. } if found == length), "{length}: {error}");
    }
    let mut damaged = bytes.clone();
    damaged[state + 5] ^= 1;
    assert_eq!(error(&damaged), SnapshotError::Damaged);
    assert_eq!(error(&[bytes.as_slice(), b"x"].concat()), SnapshotError::Damaged);
    assert_eq!(error(&with_state(&[&bytes[*state..], b"x"].concat())), SnapshotError::Damaged);
    assert_eq!(error(&with_state(b"")), SnapshotError::Damaged);
    let mut other = b"SKELSNAP".to_vec();
    other.push(13);
    other.extend(b"skelobj 0.0.1");
    let message = error(&other).to_string();
    assert!(message.starts_with("a snapshot of \"skelobj 0.0.1\", this is \"skelobj "), "{message}");
}

#[test]
fn places_and_speeds_that_no_world_has_are_refused_under_a_right_checksum() {
    let mut scene = Scene::new();
    scene.run(40);
    let world = scene.runtime.physics().world();
    let moving = world.bodies.iter().filter(|(_, body)| body.is_dynamic() && !body.is_sleeping());
    let vectors: Vec<Vec3> = moving.take(6).flat_map(|(_, body)| [body.translation(), body.linvel()]).collect();
    let Sample { bytes, state, physics } = sample();
    let state = &bytes[*state..];
    let mut refused = 0;
    for vector in vectors {
        let encoded: Vec<u8> = vector.to_array().into_iter().flat_map(f32::to_le_bytes).collect();
        // Contacts remember places, too.
        let start = physics - (bytes.len() - state.len());
        let places: Vec<usize> = (start..state.len() - 12).filter(|&at| state[at..].starts_with(&encoded)).collect();
        assert!(!places.is_empty());
        for bad in [f32::NAN, f32::INFINITY, f32::MIN, 1e20] {
            let mut state = state.to_vec();
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
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_ours_may_say_anything(
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), prop_oneof![any::<u8>(), 0u8..4, Just(0x7f), Just(0xff)]),
            1..4,
        ),
    ) {
        let sample = sample();
        let mut state = sample.bytes[sample.state..].to_vec();
        for (at, value) in changes {
            state[at.index(sample.physics - sample.state)] = value;
        }
        if let Ok(snapshot) = Snapshot::from_bytes(&with_state(&state)) {
            use_it(&snapshot);
        }
    }
}
