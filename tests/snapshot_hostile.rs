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
use serde::{Deserialize, Serialize};
use skelobj::physics::PhysicsSettings;
use skelobj::runtime::Snapshot;

/// What a snapshot is written as.
#[derive(Clone, Serialize, Deserialize)]
struct Envelope {
    version: String,
    checksum: u32,
    #[serde(with = "serde_bytes")]
    state: Vec<u8>,
}

impl Envelope {
    /// The same with other bytes, and the checksum that belongs to them.
    fn with(&self, state: Vec<u8>) -> Vec<u8> {
        let checksum = crc32fast::hash(&state);
        postcard::to_allocvec(&Self { version: self.version.clone(), checksum, state }).unwrap()
    }
}

/// A moment with everything in it, and where rapier's part begins in its state.
fn sample() -> &'static (Vec<u8>, Envelope, usize) {
    static SAMPLE: OnceLock<(Vec<u8>, Envelope, usize)> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let mut scene = Scene::new();
        scene.run(40);
        let bytes = postcard::to_allocvec(&scene.runtime.snapshot()).unwrap();
        let envelope: Envelope = postcard::from_bytes(&bytes).unwrap();
        let settings = postcard::to_allocvec(&PhysicsSettings::default()).unwrap();
        let physics = envelope.state.windows(settings.len()).rposition(|window| window == settings).unwrap();
        (bytes, envelope, physics)
    })
}

fn read(bytes: &[u8]) -> Result<Snapshot, postcard::Error> {
    postcard::from_bytes(bytes)
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
            let commands: [&[u8]; 4] = [b"", b"animate 0", b"enablejoint elbow_l 0", b"doll mannequin.doll"];
            let command = commands[(number + frame) % commands.len()];
            let place = skelobj::math::EntityTransform::IDENTITY;
            let _ = scene.runtime.ragdoll_command(*id, &place, command, None, &mut ragdoll_common::files);
            let _ = scene.runtime.ragdoll_impulse(*id, None, skelobj::math::Vec3::ZERO, skelobj::math::Vec3::X);
        }
        scene.runtime.step(1.0 / 60.0);
        scene.runtime.skel_info();
        scene.runtime.flush_dolls(&mut ragdoll_common::files);
        let model = scene.runtime.models().next().map(|(model, _)| model);
        let _ = model.map(|model| scene.runtime.create_skeleton(model, Default::default()));
        if let Some(id) = ids.get(frame) {
            scene.runtime.delete(*id);
        }
        scene.runtime.end_frame();
    }
    let again = postcard::to_allocvec(&scene.runtime.snapshot()).unwrap();
    read(&again).unwrap();
}

#[test]
fn the_sample_is_sound() {
    let (bytes, envelope, physics) = sample();
    assert!(*physics > 1000 && envelope.state.len() > 2 * physics, "{physics} of {}", envelope.state.len());
    assert!(envelope.with(envelope.state.clone()) == *bytes);
    use_it(&read(bytes).unwrap());
}

#[test]
fn other_versions_are_refused() {
    let (_, envelope, _) = sample();
    let other = Envelope { version: "skelobj 0.0.1, rapier 0.1.0, qc".to_owned(), ..envelope.clone() };
    let json = serde_json::to_string(&other).unwrap();
    let error = serde_json::from_str::<Snapshot>(&json).unwrap_err().to_string();
    assert!(error.starts_with("a snapshot of \"skelobj 0.0.1, rapier 0.1.0, qc\", this is \"skelobj"), "{error}");
}

#[test]
fn damage_is_told_apart_from_what_does_not_fit() {
    let (_, envelope, _) = sample();
    let error = |envelope: &Envelope| {
        let json = serde_json::to_string(envelope).unwrap();
        serde_json::from_str::<Snapshot>(&json).unwrap_err().to_string()
    };
    let mut damaged = envelope.clone();
    damaged.state[5] ^= 1;
    assert!(error(&damaged).starts_with("a damaged snapshot: its checksum should be"), "{}", error(&damaged));
    let mut longer = envelope.clone();
    longer.state.push(0);
    longer.checksum = crc32fast::hash(&longer.state);
    assert!(error(&longer).starts_with("a snapshot with 1 bytes too many"), "{}", error(&longer));
    let empty = Envelope { state: Vec::new(), checksum: 0, ..envelope.clone() };
    assert!(error(&empty).starts_with("a snapshot that cannot be read"), "{}", error(&empty));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_bytes_are_refused(at in any::<prop::sample::Index>(), flip in 1u8.., cut in any::<bool>()) {
        let mut bytes = sample().0.clone();
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] ^= flip,
        }
        prop_assert!(read(&bytes).is_err());
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
        let (_, envelope, physics) = sample();
        let mut state = envelope.state.clone();
        for (at, value) in changes {
            state[at.index(*physics)] = value;
        }
        if let Ok(snapshot) = read(&envelope.with(state)) {
            use_it(&snapshot);
        }
    }
}
