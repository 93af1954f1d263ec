//! Fuzzes text glTF with a side file. Reading must end soon and ask only for files in the model's folder.
#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::Corpus;
use skelobj::{Format, Model, is_plain_path};
use skelobj_fuzz::{assert_sound, exercise, watched};

/// Maximum duration of reading an input; the corpus has inputs of at most a megabyte.
const MOST: Duration = Duration::from_secs(5);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> Corpus {
    // The text ends at a NUL, which JSON cannot contain. The rest is the first side file.
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
