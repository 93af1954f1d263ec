//! Fuzzes Zymotic models.
#![no_main]

use skelobj_fuzz::{Length, model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    model("fuzz.zym", &[b"ZYMOTICMODEL"], Length::Big(16), bytes)
});
