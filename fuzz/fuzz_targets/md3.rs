//! Fuzzes Quake III models.
#![no_main]

use skelobj_fuzz::{Length, model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    model("fuzz.md3", &[b"IDP3\x0f"], Length::None, bytes)
});
