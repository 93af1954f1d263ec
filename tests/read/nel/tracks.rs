//! Tracks of every class at the moments at which the real library evaluated them.

use serde_json::Value;
use skelobj::read::nel::{TrackSet, TrackValue};

use super::{cases, list, number};

/// Tolerance of a value; the library computes in f32 and at moments far from zero.
const TOLERANCE: f32 = 1e-4;

fn agrees(ours: &TrackValue, truth: &Value) -> bool {
    let near = |a: &[f32], sign: f32| {
        a.len() == list(truth).len()
            && a.iter()
                .zip(list(truth))
                .all(|(a, b)| (a * sign - number(b)).abs() < TOLERANCE * number(b).abs().max(1.0))
    };
    match ours {
        TrackValue::Float(v) => (v - number(truth)).abs() < TOLERANCE * number(truth).abs().max(1.0),
        TrackValue::Vector(v) => near(v, 1.0),
        TrackValue::Quat(v) => near(v, 1.0) || near(v, -1.0),
        // A value on a half may be rounded either way.
        TrackValue::Int(v) => (i64::from(*v) - truth.as_i64().unwrap()).abs() <= 1,
        TrackValue::Rgba(v) => {
            v.iter().zip(list(truth)).all(|(&v, truth)| i64::from(v).abs_diff(truth.as_i64().unwrap()) <= 1)
        }
        TrackValue::String(v) => v == truth.as_str().unwrap(),
        TrackValue::Bool(v) => *truth == *v,
    }
}

#[test]
fn tracks_have_the_values_of_the_real_library() {
    let (mut compared, mut classes) = (0, std::collections::BTreeSet::new());
    for case in cases("tracks_have_the_values_of_the_real_library", ".anim.json") {
        let set = TrackSet::read(&case.bytes).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let times: Vec<f32> = list(&case.truth["sampleTimes"]).iter().map(number).collect();
        let tracks = case.truth["tracks"].as_object().unwrap();
        let names: Vec<_> = set.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(names, tracks.keys().cloned().collect::<Vec<_>>(), "{}", case.name);
        let mut end = number(&case.truth["end"]);
        end = case.truth["minEndTime"].as_f64().map_or(end, |least| end.max(least as f32));
        assert!((set.end() - end).abs() < 1e-5, "{}: {} {end}", case.name, set.end());
        for (name, truth) in tracks {
            let track = set.track(name.as_bytes()).unwrap();
            assert_eq!(track.is_looping(), truth["loop"] == true, "{} {name}", case.name);
            assert!((track.begin() - number(&truth["begin"])).abs() < 1e-5, "{} {name}", case.name);
            assert!((track.end() - number(&truth["end"])).abs() < 1e-5, "{} {name}", case.name);
            for (&time, truth) in times.iter().zip(list(&truth["samples"])) {
                let ours = track.value_at(time.into()).expect("a track with keys");
                assert!(agrees(&ours, truth), "{} {name} at {time}: {ours:?} {truth}", case.name);
                compared += 1;
            }
            classes.insert(truth["class"].as_str().unwrap().to_owned());
        }
    }
    assert!(compared == 0 || classes.len() == 31, "{classes:?}");
}

#[test]
fn a_track_that_was_evaluated_once_is_the_same_again() {
    for case in cases("a_track_that_was_evaluated_once_is_the_same_again", ".anim.json") {
        let read = || TrackSet::read(&case.bytes).unwrap();
        let (a, b) = (read(), read());
        for ((_, a), (_, b)) in a.iter().zip(b.iter()) {
            assert_eq!(a.value_at(0.123), b.value_at(0.123), "{}", case.name);
        }
    }
}
