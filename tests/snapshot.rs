//! Snapshots: a runtime that is restored goes on as the one that was saved, bit by bit.
#![cfg(all(feature = "serde", feature = "ragdoll"))]

mod ragdoll_common;
#[path = "snapshot/scene.rs"]
mod scene;
#[allow(dead_code)]
#[path = "level/small_bsp.rs"]
mod small_bsp;

use scene::{Scene, chain, mannequin};
use skelobj::Runtime;
use skelobj::runtime::{RestoreError, Snapshot};

fn to_bytes(snapshot: &Snapshot) -> Vec<u8> {
    postcard::to_allocvec(snapshot).unwrap()
}

fn from_bytes(bytes: &[u8]) -> Snapshot {
    postcard::from_bytes(bytes).unwrap()
}

#[track_caller]
fn assert_same(expected: &[Vec<u32>], found: &[Vec<u32>]) {
    let first = expected.iter().zip(found).position(|(a, b)| a != b);
    assert_eq!((first, expected.len()), (None, found.len()), "the first frame that differs");
}

#[test]
fn taking_a_snapshot_changes_nothing() {
    let (mut with, mut without) = (Scene::new(), Scene::new());
    for _ in 0..4 {
        let snapshot = with.runtime.snapshot();
        to_bytes(&snapshot);
        assert_same(&without.watch(30), &with.watch(30));
    }
}

/// Saves after `frames`, and compares what follows in the same runtime, and in new ones.
fn goes_on_alike(frames: usize) -> Scene {
    let mut scene = Scene::new();
    scene.run(frames);
    let snapshot = scene.runtime.snapshot();
    let bytes = to_bytes(&snapshot);
    let then = scene.restored(&snapshot);
    let mut through_bytes = scene.restored(&from_bytes(&bytes));
    assert_eq!(to_bytes(&through_bytes.runtime.snapshot()), bytes);
    assert_eq!(through_bytes.bits(), scene.bits());
    let expected = scene.watch(600);
    let end = to_bytes(&scene.runtime.snapshot());
    assert_same(&expected, &through_bytes.watch(600));
    assert!(to_bytes(&through_bytes.runtime.snapshot()) == end, "the same bytes after 600 steps");
    // And back in time.
    scene.restore(&snapshot, &then);
    assert_same(&expected, &scene.watch(600));
    assert!(to_bytes(&scene.runtime.snapshot()) == end, "the same bytes after 600 steps again");
    assert!(expected.windows(2).all(|pair| pair[0] != pair[1]), "something moves in every frame");
    scene
}

#[test]
fn goes_on_alike_from_before_the_first_step() {
    goes_on_alike(0);
}

#[test]
fn goes_on_alike_in_the_middle_of_it() {
    goes_on_alike(100);
}

#[test]
fn goes_on_alike_with_sleepers() {
    let mut scene = Scene::new();
    scene.run(700);
    assert!((1..5).contains(&scene.asleep()), "{} asleep", scene.asleep());
    goes_on_alike(700);
}
