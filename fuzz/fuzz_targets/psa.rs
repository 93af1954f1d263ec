//! Fuzzes ActorX animations without a mesh.
#![no_main]

use skelobj_fuzz::{Length, model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    model("fuzz.psa", &[b"ANIMHEAD"], Length::None, bytes)
});
