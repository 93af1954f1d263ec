//! Fuzzes Inter-Quake Models.
#![no_main]

use skelobj_fuzz::{Length, model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    model("fuzz.iqm", &[b"INTERQUAKEMODEL\0"], Length::Little(20), bytes)
});
