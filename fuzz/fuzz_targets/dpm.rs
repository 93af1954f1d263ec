//! Fuzzes DarkPlaces models.
#![no_main]

use skelobj_fuzz::{Length, model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    model("fuzz.dpm", &[b"DARKPLACESMODEL\0"], Length::Big(20), bytes)
});
