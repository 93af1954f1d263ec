//! Fuzzes FTE's lists of Doom 3 files; the files follow the list in the bytes.
#![no_main]

use skelobj_fuzz::listed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    listed("fuzz.mdl", b"EXTERNALANIM", &[b"MD5Version"], bytes)
});
