//! Tracks of every class that moves bones, at the moments at which the real library evaluated them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use skelobj::math::{Mat3x4, Quat, Vec3};

use super::made::{posed, s};
use super::{Case, cases, list, load, number, quake, vector};

/// Tolerance of a number of a matrix; the library computes in f32 and at moments far from zero.
const TOLERANCE: f32 = 2e-4;

/// Returns the name under which a track moves a bone, if its values can: that of the file, or with a channel after it.
fn name_of_channel(name: &str, track: &Value) -> String {
    let class = track["class"].as_str().unwrap();
    let has_channel = [".pos", ".rotquat", ".scale"].iter().any(|channel| name.ends_with(channel));
    let channel = match class {
        _ if has_channel => "",
        _ if class.ends_with("Vector") => ".pos",
        _ if class.ends_with("Quat") => ".rotquat",
        _ => "",
    };
    format!("{name}{channel}")
}

/// Returns the file with its tracks under the names of channels.
fn with_channels(case: &Case) -> Vec<u8> {
    let (word, text) = (4, |at: usize, length: usize| std::str::from_utf8(&case.bytes[at..at + length]).unwrap());
    let int = |at: usize| u32::from_le_bytes(case.bytes[at..at + word].try_into().unwrap()) as usize;
    // Magic, version and the name of the animation, the number of names, then names with numbers.
    let start = b"NEL_ANIM".len() + 1;
    let names = start + word + int(start) + word;
    let (mut at, mut bytes) = (names, case.bytes[..names].to_vec());
    for _ in 0..int(names - word) {
        let number = at + word + int(at);
        let name = text(at + word, int(at));
        bytes.extend(s(&name_of_channel(name, &case.truth["tracks"][name])));
        bytes.extend(&case.bytes[number..number + word]);
        at = number + word;
    }
    [&bytes, &case.bytes[at..]].concat()
}

/// Returns the matrix of a bone from the values of its tracks, in Quake's axes.
fn matrix(channels: &BTreeMap<&str, &Value>, sample: usize) -> Mat3x4 {
    let value = |channel: &str| channels.get(channel).map(|track| &track["samples"][sample]);
    let [x, y, z] = value("scale").map_or(Vec3::ONE, vector).to_array();
    let rotation = value("rotquat").map_or(Quat::IDENTITY, |value| {
        let numbers: Vec<f32> = list(value).iter().map(number).collect();
        Quat::from_slice(&numbers).normalize()
    });
    let moved = Mat3x4::from_rotation_translation(rotation, value("pos").map_or(Vec3::ZERO, vector));
    let own = moved * Mat3x4([x, 0.0, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, 0.0, z, 0.0]);
    Mat3x4::from_columns(quake(own.forward()), quake(own.left()), quake(own.up()), quake(own.origin()))
}

#[test]
fn tracks_move_bones_as_in_the_real_library() {
    let (mut compared, mut classes) = (0, BTreeSet::new());
    for case in cases("tracks_move_bones_as_in_the_real_library", ".anim.json") {
        let bytes = with_channels(&case);
        let model = load(&case.name, &bytes);
        let tracks = case.truth["tracks"].as_object().unwrap();
        let names: BTreeMap<String, &Value> =
            tracks.iter().map(|(name, track)| (name_of_channel(name, track), track)).collect();
        let mut bones = BTreeMap::<&str, BTreeMap<&str, &Value>>::new();
        for (name, track) in &names {
            if let Some((bone, channel @ ("pos" | "rotquat" | "scale"))) = name.rsplit_once('.') {
                bones.entry(bone).or_default().insert(channel, track);
                classes.insert(track["class"].as_str().unwrap().to_owned());
            }
        }
        let mut own: Vec<String> = model.skeleton.names().iter().map(ToString::to_string).collect();
        own.sort();
        assert_eq!(own, bones.keys().copied().collect::<Vec<_>>(), "{}", case.name);

        let animation = &model.animations[0];
        let mut end = number(&case.truth["end"]);
        end = case.truth["minEndTime"].as_f64().map_or(end, |least| end.max(least as f32));
        assert!((animation.duration() - end).abs() < 1e-5, "{}: {} {end}", case.name, animation.duration());
        assert_eq!(animation.looping, tracks.values().all(|track| track["loop"] == true), "{}", case.name);

        for (sample, time) in list(&case.truth["sampleTimes"]).iter().map(number).enumerate() {
            let matrices = posed(&model, time.into());
            for (bone, ours) in matrices.iter().enumerate() {
                let name = model.skeleton.name(bone).unwrap().to_string();
                let theirs = matrix(&bones[name.as_str()], sample);
                let near = |(a, b): (&f32, &f32)| (a - b).abs() < TOLERANCE * b.abs().max(1.0);
                assert!(ours.0.iter().zip(&theirs.0).all(near), "{} {name} at {time}: {ours:?} {theirs:?}", case.name);
                compared += 1;
            }
        }
        // What was evaluated leaves no trace.
        assert_eq!(posed(&model, 0.123), posed(&load(&case.name, &bytes), 0.123), "{}", case.name);
    }
    assert!(compared == 0 || classes.len() == 12, "{classes:?}");
}
