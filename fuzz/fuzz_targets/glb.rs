//! Fuzzes binary glTF.
#![no_main]

use skelobj_fuzz::{Length, model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    model("fuzz.glb", &[b"glTF"], Length::Little(8), bytes)
});
