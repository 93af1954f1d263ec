//! glTF as text, with a file beside it: whatever it says, it asks for files of the model's folder only, and soon ends.
#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::Corpus;
use skelobj::{Format, Model, is_plain_path};
use skelobj_fuzz::{assert_sound, exercise, watched};

/// Most time that reading an input may take; those that are kept have a megabyte at most.
const MOST: Duration = Duration::from_secs(5);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> Corpus {
    // The text ends at a NUL, which no JSON has. What follows is the first file that is asked for.
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, beside) = bytes.split_at(end);
    if Format::detect(text) != Some(Format::Gltf) {
        return Corpus::Reject;
    }
    let mut beside = beside.get(1..).map(<[u8]>::to_vec);
    let start = Instant::now();
    let model = watched(bytes, || {
        Model::load("folder/fuzz.gltf", text, |name| {
            let below = name.strip_prefix("folder/").expect("a file of the folder");
            assert!(is_plain_path(below), "{name:?}");
            beside.take()
        })
    });
    assert!(start.elapsed() < MOST, "{:?}", start.elapsed());
    if let Ok(model) = model {
        assert_sound(&model);
        exercise(&model);
    }
    Corpus::Keep
});
