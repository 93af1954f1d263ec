//! Fuzzes Half-Life models; a second file in the bytes is the texture or sequence group file.
#![no_main]

use skelobj_fuzz::{Length, model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    model("fuzz.mdl", &[b"IDST", b"IDSQ"], Length::None, bytes)
});
