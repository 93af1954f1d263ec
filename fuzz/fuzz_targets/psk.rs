//! Fuzzes ActorX meshes; a second file in the bytes is the PSA beside them.
#![no_main]

use skelobj_fuzz::{Length, model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    model("fuzz.psk", &[b"ACTRHEAD", b"ANIMHEAD"], Length::None, bytes)
});
