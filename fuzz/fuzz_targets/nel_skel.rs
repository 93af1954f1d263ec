//! Fuzzes NeL skeletons; a second file in the bytes is joined to them.
#![no_main]

use skelobj_fuzz::joined;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    joined("fuzz.skel", &[b"SHAP", b"NEL_ANIM"], bytes)
});
