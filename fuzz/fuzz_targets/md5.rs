//! Fuzzes Doom 3 files: a mesh, then an animation that is joined to it.
#![no_main]

use skelobj_fuzz::joined;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    joined("fuzz.md5mesh", &[b"MD5Version"], bytes)
});
